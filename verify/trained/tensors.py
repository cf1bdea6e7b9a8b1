"""Files of named tensors: NumPy's archives, safetensors, and state dicts of PyTorch."""

from __future__ import annotations

import json
import math
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Tensors = dict[str, npt.NDArray[Any]]
"""Arrays by name, in the order of the file."""


class Unreadable(ValueError):
    """A file, or a network in it, that cannot be read: one line, which names the file or the layer."""


DTYPES: Mapping[str, str] = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
} | {
    "U8": "|u1",
    "BOOL": "|b1",
}
"""The types of safetensors that NumPy has; BF16 is read as the upper half of a float32."""


def read_tensors(path: Path) -> Tensors:
    """The tensors of a file with one of the endings .npz, .safetensors, .pt or .pth.

    Raises
    ------
    Unreadable
        Another ending, or the file is not what its ending says.
    OSError
        The file cannot be opened.
    """
    readers = {".npz": _of_numpy, ".safetensors": _of_safetensors, ".pt": _of_torch, ".pth": _of_torch}
    if path.suffix not in readers:
        raise Unreadable(f"a network must be a file .npz, .safetensors, .pt, .pth or .onnx, got {path.name!r}")
    return readers[path.suffix](path)


def loaded(path: Path, what: str) -> npt.NDArray[Any] | Tensors:
    """What NumPy reads of a file with plain numbers: one array, or an archive of several; `what` it should be.

    Raises
    ------
    Unreadable
        NumPy does not read it; what it says then is how to load it unsafely.
    """
    try:
        # a file that NumPy opens itself stays open where the archive is damaged
        with path.open("rb") as file:
            found = np.load(file, allow_pickle=False)
            return found if isinstance(found, np.ndarray) else {name: found[name] for name in found.files}
    except (ValueError, zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
        raise Unreadable(f"this is {what}") from error


def _of_numpy(path: Path) -> Tensors:
    found = loaded(path, "no archive of NumPy with plain numbers, as numpy.savez writes it")
    if isinstance(found, np.ndarray):
        raise Unreadable("this is one array; a network is an archive of several, as numpy.savez writes it")
    return found


def _of_safetensors(path: Path) -> Tensors:
    """The format is a length, a header in JSON, and the numbers: see `natural` for the order."""
    content = path.read_bytes()
    try:
        length = int.from_bytes(content[:8], "little")
        header = json.loads(content[8 : 8 + length])
        header.pop("__metadata__", None)
        data = content[8 + length :]
        found = {name: _tensor(entry, data) for name, entry in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable(f"this is no safetensors file: {error}") from error
    return {name: found[name] for name in sorted(found, key=natural)}


def _tensor(entry: Mapping[str, Any], data: bytes) -> npt.NDArray[Any]:
    kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    if not 0 <= begin <= end <= len(data):
        raise ValueError(f"a tensor is said to end at byte {end} of {len(data)}")
    if kind == "BF16":
        halves = np.frombuffer(data[begin:end], dtype="<u2").astype("<u4") << 16
        return halves.view("<f4").reshape(shape)
    if kind not in DTYPES:
        raise ValueError(f"tensors of the type {kind} are not read")
    if math.prod(shape) * np.dtype(DTYPES[kind]).itemsize != end - begin:
        raise ValueError(f"a tensor of shape {shape} is said to take {end - begin} bytes")
    return np.frombuffer(data[begin:end], dtype=DTYPES[kind]).reshape(shape)


def _of_torch(path: Path) -> Tensors:
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise Unreadable(
            "reading a .pt file needs PyTorch: pip install torch, or save as .safetensors, .npz or .onnx"
        ) from error
    import pickle

    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError) as error:
        reason = str(error).partition("\n")[0]
        raise Unreadable(f"this is no state dict, as torch.save(model.state_dict(), FILE) writes it: {reason}") from error
    state = _state(content)
    if state is None:
        raise Unreadable("this holds no state dict: write torch.save(model.state_dict(), FILE)")
    return {name: value.detach().to(torch.float64).numpy() for name, value in state.items()}


def _state(content: Any) -> dict[str, Any] | None:
    """The mapping of names to tensors, itself or inside a checkpoint."""
    if not isinstance(content, Mapping):
        return None
    if content and all(isinstance(name, str) and hasattr(value, "detach") for name, value in content.items()):
        return dict(content)
    inside = [state for value in content.values() if (state := _state(value)) is not None]
    return inside[0] if len(inside) == 1 else None


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts numbers in names as numbers: layer 10 comes after layer 9."""
    return [(1, 0, part) if not part.isdigit() else (0, int(part), "") for part in re.split(r"(\d+)", name) if part]
