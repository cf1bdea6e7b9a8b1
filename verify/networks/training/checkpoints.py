"""The state of a training run in a file, from which it goes on to the same result."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.arithmetic import Array, array_module


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
    with draft.open("wb") as file:
        np.savez(file, step=state.step, parameters=state.parameters, history=state.history, fingerprint=mark, **arrays)
    draft.replace(path)


def load(path: Path, mark: str) -> State:
    """Read a checkpoint.

    Raises
    ------
    CheckpointMismatch
        It belongs to another run, or is none.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            found = {name: stored[name] for name in stored.files}
        step, other = int(found["step"]), str(found["fingerprint"])
    except (ValueError, KeyError, OSError) as error:
        raise CheckpointMismatch(f"{path} is not a checkpoint of a training run: {error}") from error
    if other != mark:
        raise CheckpointMismatch(
            f"{path} is a checkpoint of another run: its network, data, loss, ridge or optimiser differ from these (schedules "
            "are compared by their repr, so that a lambda is never the same); give another file, or delete it"
        )
    names = sorted((name for name in found if name.startswith("memory_")), key=lambda name: int(name.split("_")[1]))
    return State(step, found["parameters"], [found[name] for name in names], found["history"])


def on_host(array: Array) -> npt.NDArray[Any]:
    """`array` as a NumPy array: a copy for one on a device, which only checkpoints make."""
    xp: Any = array_module(array)
    return np.asarray(array) if xp is np else xp.asnumpy(array)
