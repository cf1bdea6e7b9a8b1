"""Files of named tensors: NumPy's archives, safetensors, and state dicts of PyTorch."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from verify.trained.files import MOST_DIRECTORY, MOST_NUMBERS, Unreadable, check_names, check_parts, content, opened, unpacked

Tensors = dict[str, npt.NDArray[Any]]
"""Arrays by name, in the order of the file."""

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
ARRAY = b"\x93NUMPY"


def loaded(path: Path, what: str) -> npt.NDArray[Any] | Tensors:
    """What a file of NumPy with plain numbers holds: one array, or an archive of several; `what` it should be.

    Raises
    ------
    Unreadable
        It is none, or has more than `MOST_NUMBERS`.
    OSError
        The file cannot be opened.
    """
    with opened(path) as file:
        if file.read(len(ARRAY)) == ARRAY:
            file.seek(0)
            return _array(file.read(), what)
        members = unpacked(file, what)
    check_names(members)
    arrays: Tensors = {}
    for name, data in members.items():
        array_name = name.removesuffix(".npy")
        if array_name in arrays:
            raise Unreadable(f"two arrays are called {array_name}")
        arrays[array_name] = _array(data, what, f"{name}: ")
    _check_numbers(sum(array.size for array in arrays.values()))
    return arrays


def _array(data: bytes, what: str, name: str = "") -> npt.NDArray[Any]:
    """The array in the format .npy: what its header states is compared with what is there before it is made."""
    stream: IO[bytes] = io.BytesIO(data)
    form = np.lib.format
    try:
        version = form.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"the version {version} of the format is not read")
        shape, fortran, dtype = (form.read_array_header_1_0 if version == (1, 0) else form.read_array_header_2_0)(stream)
    except Exception as error:  # headers are Python, read by its tokeniser and its parser, which raise what they like
        raise Unreadable(f"this is no {what}: {name}{_first_line(error)}") from error
    if dtype.hasobject:
        raise Unreadable(f"this is no {what}: {name}it holds objects of Python, no plain numbers")
    begin = stream.tell()
    stated, present = math.prod(shape) * dtype.itemsize, len(data) - begin
    if any(length < 0 for length in shape) or stated != present:
        raise Unreadable(f"this is no {what}: {name}the shape {shape} takes {stated} bytes, {present} are there")
    if not stated:
        return np.zeros(shape, dtype) if math.prod(shape) == 0 and max(shape) < 2**31 else np.zeros((0,), dtype)
    return np.frombuffer(data, dtype, offset=begin).reshape(shape, order="F" if fortran else "C")


def _check_numbers(count: int) -> None:
    if count > MOST_NUMBERS:
        raise Unreadable(f"this has {count} numbers, at most {MOST_NUMBERS} are read")


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0][:200] or type(error).__name__


def of_numpy(path: Path) -> Tensors:
    """The arrays of an archive, in the order of the numbers in their names; errors as for `loaded`."""
    content = loaded(path, "archive of NumPy with plain numbers, as numpy.savez writes it")
    if isinstance(content, np.ndarray):
        raise Unreadable("this is one array; a network is an archive of several, as numpy.savez writes it")
    return {name: content[name] for name in sorted(content, key=natural)}


def of_safetensors(path: Path) -> Tensors:
    """The tensors of a file .safetensors; errors as for `loaded`.

    The format is a length, a header in JSON, and the numbers, which fill the rest; see `natural` for the order.
    """
    data = content(path)
    length = int.from_bytes(data[:8], "little")
    if not 0 < length <= min(len(data) - 8, MOST_DIRECTORY):
        raise Unreadable(f"this is no safetensors file: its header is said to have {length} of {len(data)} bytes")
    try:
        header = json.loads(data[8 : 8 + length], object_pairs_hook=_without_twins)
        said = header.pop("__metadata__", None) or {}
        check_parts(len(header), "tensors")
        late = next((name for name, entry in header.items() if entry["data_offsets"][1] > len(data) - 8 - length), None)
        if late is not None:
            raise ValueError(f"{late} is said to end at byte {header[late]['data_offsets'][1]} of {len(data) - 8 - length}")
        ends = sorted((*map(int, entry["data_offsets"]), name) for name, entry in header.items())
        begins = [0, *(end for _, end, _ in ends)]
        if [begin for begin, _, _ in ends] != begins[:-1] or begins[-1] != len(data) - 8 - length:
            raise ValueError(f"its tensors do not fill the {len(data) - 8 - length} bytes after the header one after another")
        tensors = {name: _tensor(name, entry, data, 8 + length) for name, entry in header.items()}
        known = {name: np.asarray(said[name]) for name in ("activation", "slope") if name in said and name not in tensors}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(f"this is no safetensors file: {_first_line(error)}") from error
    return {name: tensors[name] for name in sorted(tensors, key=natural)} | known


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise ValueError("two entries of its header have one name")
    return mapping


def _tensor(name: str, entry: Mapping[str, Any], data: bytes, start: int) -> npt.NDArray[Any]:
    kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
    if any(type(number) is not int or number < 0 for number in (*shape, begin, end)):
        raise ValueError(f"{name} has the shape {shape} at {begin} to {end}")
    if 0 in shape:
        raise Unreadable(f"{name} has the shape {shape}: it is empty")
    if kind not in DTYPES and kind != "BF16":
        raise Unreadable(f"{name} has the type {kind}, which is not read: save it as one of {', '.join([*DTYPES, 'BF16'])}")
    dtype = np.dtype(DTYPES.get(kind, "<u2"))
    if math.prod(shape) * dtype.itemsize != end - begin:
        raise ValueError(f"a tensor of shape {shape} is said to take {end - begin} bytes")
    values = np.frombuffer(data, dtype, math.prod(shape), start + begin).reshape(shape)
    return of_halves(values) if kind == "BF16" else values


def of_halves(values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Numbers of the type bfloat16, given as integers: the upper halves of those of single precision."""
    return (values.astype("<u4") << 16).view("<f4")


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts numbers in names as numbers, of any length: layer 10 comes after layer 9."""
    parts = [part for part in re.split(r"([0-9]+)", name) if part]
    return [(0, len(part.lstrip("0")), part.lstrip("0")) if part[0] in "0123456789" else (1, 0, part) for part in parts]
