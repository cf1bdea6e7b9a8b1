"""The state of a training run in a file, from which it goes on to the same result."""

from __future__ import annotations

import hashlib
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.numbers.arithmetic import Array, array_module


class CheckpointMismatch(ValueError):
    """A checkpoint of another run: other data, another start, or other settings."""


@dataclass(frozen=True, eq=False)
class State:
    """What a run is made of after `step` steps: parameters, memory of the optimiser, and the objectives so far."""

    step: int
    parameters: npt.NDArray[Any]
    memory: list[npt.NDArray[Any]]
    history: npt.NDArray[Any]


def fingerprint(arrays: list[Array], settings: list[object]) -> str:
    """A hash of what decides the run besides its number of steps."""
    digest = hashlib.sha256()
    for array in arrays:
        host = on_host(array)
        digest.update(f"{host.dtype}{host.shape}".encode())
        digest.update(np.ascontiguousarray(host).tobytes())
    digest.update(repr(settings).encode())
    return digest.hexdigest()


def save(path: Path, state: State, mark: str) -> None:
    """Write a checkpoint; a file that was there is replaced at once, never half."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.draft")
    arrays: dict[str, Any] = {f"memory_{k}": vector for k, vector in enumerate(state.memory)}
    try:
        with draft.open("wb") as file:
            np.savez(file, step=state.step, parameters=state.parameters, history=state.history, fingerprint=mark, **arrays)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def load(path: Path, mark: str, parameters: npt.NDArray[Any], slots: int, batch: tuple[int, ...]) -> State:
    """Read a checkpoint of a run that trains such `parameters` of a `batch` with an optimiser of so many `slots`.

    Raises
    ------
    CheckpointMismatch
        It belongs to another run, or is none.
    """
    try:
        arrays = _arrays(path)
        step, stored_mark = arrays["step"], arrays["fingerprint"]
        if step.dtype.kind not in "iu" or step.shape or step < 0 or stored_mark.dtype.kind != "U" or stored_mark.shape:
            raise ValueError("step must be a natural number and fingerprint a text")
    except Exception as error:  # whatever a damaged archive makes of zipfile and NumPy
        reason = " ".join(str(error).split()) or type(error).__name__
        raise CheckpointMismatch(f"{path} is not a checkpoint of a training run: {reason}") from error
    if str(stored_mark) != mark:
        raise CheckpointMismatch(
            f"{path} is a checkpoint of another run: its network, data, loss, ridge or optimiser differ from these (schedules "
            "are compared by their repr, so that a lambda is never the same); give another file, or delete it"
        )
    vectors = ["parameters", *(f"memory_{k}" for k in range(slots))]
    wanted = dict.fromkeys(vectors, (parameters.shape, parameters.dtype.kind))
    wanted["history"] = ((int(step), *(batch if step else ())), parameters.dtype.kind)
    for name, (shape, kind) in wanted.items():
        if name not in arrays or (arrays[name].shape, arrays[name].dtype.kind) != (shape, kind):
            got = f"the shape {arrays[name].shape} and the type {arrays[name].dtype}" if name in arrays else "none"
            raise CheckpointMismatch(f"{path} is damaged: {name} must be numbers of the shape {shape}, got {got}")
    return State(int(step), arrays["parameters"], [arrays[name] for name in vectors[1:]], arrays["history"])


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of an archive that `save` wrote: not compressed, so that none is larger than the file."""
    if not path.is_file():
        raise ValueError("it is no file")
    with zipfile.ZipFile(path) as archive:
        if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
            raise ValueError("it is compressed")
    with np.load(path, allow_pickle=False) as stored:
        memory = (name for name in stored.files if name.startswith("memory_"))
        return {name: stored[name] for name in ("step", "fingerprint", "parameters", "history", *memory)}


def on_host(array: Array) -> npt.NDArray[Any]:
    """`array` as a NumPy array: a copy for one on a device, which only checkpoints make."""
    xp: Any = array_module(array)
    return np.asarray(array) if xp is np else xp.asnumpy(array)
