"""State dicts as `torch.save` writes them, read without PyTorch: nothing in the file is called."""

from __future__ import annotations

import collections
import io
import math
import pickle
import pickletools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from verify.trained.files import MOST_DIRECTORY, MOST_NUMBERS, Unreadable, opened, unpacked
from verify.trained.tensors import Tensors, natural, of_halves

STORAGES: Mapping[str, str] = {
    "DoubleStorage": "f8",
    "FloatStorage": "f4",
    "HalfStorage": "f2",
    "BFloat16Storage": "bf16",
    "LongStorage": "i8",
    "IntStorage": "i4",
    "ShortStorage": "i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "?",
    "ComplexFloatStorage": "c8",
    "ComplexDoubleStorage": "c16",
}
"""PyTorch's name of a type of numbers, and NumPy's."""
PLAIN = frozenset(
    {
        "PROTO",
        "STOP",
        "MARK",
        "POP",
        "FRAME",
        "NONE",
        "NEWTRUE",
        "NEWFALSE",
        "BININT",
        "BININT1",
        "BININT2",
        "LONG1",
        "BINFLOAT",
        "BINUNICODE",
        "SHORT_BINUNICODE",
        "BINUNICODE8",
        "EMPTY_TUPLE",
        "TUPLE",
        "TUPLE1",
        "TUPLE2",
        "TUPLE3",
        "EMPTY_LIST",
        "APPEND",
        "APPENDS",
        "EMPTY_DICT",
        "SETITEM",
        "SETITEMS",
        "DICT",
        "LIST",
        "BINPUT",
        "LONG_BINPUT",
        "BINGET",
        "LONG_BINGET",
        "MEMOIZE",
        "GLOBAL",
        "STACK_GLOBAL",
        "REDUCE",
        "BUILD",
        "BINPERSID",
        "EMPTY_SET",
        "ADDITEMS",
        "SHORT_BINSTRING",
        "BINSTRING",
    }
)
"""What a pickle of numbers, texts and containers is made of; the callables are those of `_Reader.find_class`."""
DEEPEST = 50
"""Containers inside one another that are looked through."""


class _Storage(NamedTuple):
    kind: str
    key: str


class _Kind(NamedTuple):
    name: str


class _Tensor(NamedTuple):
    """A view of a storage that is not read yet."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class _Foreign(NamedTuple):
    """A type, a device or the like, which a checkpoint may hold and no state dict needs."""

    name: str


def of_torch(path: Path) -> Tensors:
    """The tensors of a state dict, or of the one state dict in a checkpoint.

    Raises
    ------
    Unreadable
        It is a whole module, a program, of another format, or damaged.
    OSError
        The file cannot be opened.
    """
    with opened(path) as file:
        if file.read(4) != b"PK\x03\x04":
            raise Unreadable("this is no state dict as torch.save(model.state_dict(), FILE) writes it since PyTorch 1.6")
        members = unpacked(file, "state dict, as torch.save(model.state_dict(), FILE) writes it")
    names = {name.partition("/")[2]: name for name in members}
    if "constants.pkl" in names or any(name.startswith("code/") for name in names):
        raise Unreadable(
            "this is a TorchScript program, which may compute anything: save model.state_dict(), or export to .onnx"
        )
    if "data.pkl" not in names:
        raise Unreadable("this is no state dict: the archive has no data.pkl")
    order = members.get(names.get("byteorder", ""), b"little").strip()
    if order not in (b"little", b"big"):
        raise Unreadable("this is no state dict: the order of its bytes is not known")
    state = _in_order(_state_in(_unpickled(members[names["data.pkl"]])))
    data = {key.removeprefix("data/"): members[name] for key, name in names.items() if key.startswith("data/")}
    if sum(math.prod(entry.shape) for entry in state.values()) > MOST_NUMBERS:
        raise Unreadable(f"this has more than {MOST_NUMBERS} numbers")
    return {name: _array(name, entry, data, "<" if order == b"little" else ">") for name, entry in state.items()}


def is_module(path: Path) -> bool:
    """Whether a file of PyTorch holds more than numbers and containers: a whole module, whose reading calls what it names."""
    try:
        of_torch(path)
    except NeedsTrust:
        return True
    return False


class NeedsTrust(Unreadable):
    """A pickle that names what it wants to have called."""


class _Reader(pickle.Unpickler):
    """Makes containers and descriptions of tensors, and calls nothing else."""

    def find_class(self, module: str, name: str, /) -> Any:
        if module == "torch" and name in STORAGES:
            return _Kind(name)
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuilt
        if (module, name) == ("torch._utils", "_rebuild_parameter"):
            return _parameter
        if (module, name) == ("torch", "Size"):
            return tuple
        if module == "torch" and name in ("device", "float32", "float64", "float16", "bfloat16", "int64"):
            return lambda *_: _Foreign(name)
        raise NeedsTrust(
            f"this holds {module}.{name}, no numbers alone: write torch.save(model.state_dict(), FILE). To read a whole module "
            "runs the code that the file names: --trust does so"
        )

    def persistent_load(self, pid: Any, /) -> Any:
        if not (isinstance(pid, tuple) and len(pid) == 5 and pid[0] == "storage" and isinstance(pid[1], _Kind)):
            raise Unreadable("this is no state dict: it stores tensors in a way that is not known")
        return _Storage(STORAGES[pid[1].name], str(pid[2]))


def _rebuilt(storage: Any, offset: Any, shape: Any, strides: Any, *more: Any) -> _Tensor:
    # behind whether a gradient is wanted, and hooks, stand bits of a view: negative, conjugate
    if any(more[2:]):
        raise Unreadable(f"this has a tensor of shape {shape} that is a negative view: save tensors after .resolve_neg()")
    are_lengths = all(type(number) is int and number >= 0 for number in (offset, *shape, *strides))
    if not isinstance(storage, _Storage) or not are_lengths or len(shape) != len(strides):
        raise Unreadable(f"this is no state dict: a tensor is said to have the shape {shape} and the strides {strides}")
    return _Tensor(storage, offset, tuple(shape), tuple(strides))


def _parameter(tensor: Any, *_: Any) -> Any:
    return tensor


def _unpickled(data: bytes) -> Any:
    if len(data) > MOST_DIRECTORY:
        raise Unreadable(f"this is no state dict: it names its tensors in {len(data)} bytes")
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name not in PLAIN:
                raise NeedsTrust(f"this is no state dict: its pickle has the instruction {opcode.name}")
            if opcode.name == "LONG_BINPUT" and not 0 <= int(argument or 0) <= len(data):
                raise Unreadable("this is no state dict: its pickle is damaged")
        return _Reader(io.BytesIO(data)).load()
    except Unreadable:
        raise
    except Exception as error:  # whatever a damaged pickle leads to, and pickle names no class for it
        reason = str(error).partition("\n")[0][:200]
        raise Unreadable(f"this is no state dict: its pickle is damaged ({type(error).__name__}: {reason})") from error


def _in_order(state: Mapping[str, _Tensor]) -> Mapping[str, _Tensor]:
    """As the module declared them; by number where the names of the weights differ in numbers only."""
    weights = {re.sub(r"\d+", "#", name) for name, entry in state.items() if len(entry.shape) > 1}
    return {name: state[name] for name in sorted(state, key=natural)} if len(weights) == 1 else state


def _state_in(content: Any) -> Mapping[str, _Tensor]:
    states = list(_states(content, "", set(), DEEPEST))
    if not states:
        raise Unreadable("this holds no state dict: write torch.save(model.state_dict(), FILE)")
    if len(states) > 1:
        names = ", ".join(name for name, _ in states[:4])
        raise Unreadable(f"this holds {len(states)} state dicts, {names}: save the one of the network alone")
    return states[0][1]


def _states(content: Any, name: str, seen: set[int], deepest: int) -> Iterator[tuple[str, Mapping[str, _Tensor]]]:
    if not isinstance(content, Mapping) or id(content) in seen or not deepest:
        return
    seen.add(id(content))
    if content and all(isinstance(key, str) and isinstance(value, _Tensor) for key, value in content.items()):
        yield name, dict(content)
        return
    if {"state", "param_groups"} <= content.keys():
        return  # an optimiser, whose state has tensors by name, too
    for key, value in content.items():
        yield from _states(value, f"{name}.{key}" if name else str(key)[:60], seen, deepest - 1)


def _array(name: str, tensor: _Tensor, data: Mapping[str, bytes], order: str) -> npt.NDArray[Any]:
    kind = tensor.storage.kind
    dtype = np.dtype(order + ("u2" if kind == "bf16" else kind))
    if tensor.storage.key not in data:
        raise Unreadable(f"this is no state dict: the numbers of {name} are not there")
    if 0 in tensor.shape:
        raise Unreadable(f"{name} has the shape {tensor.shape}: it is empty")
    stored = data[tensor.storage.key]
    last = tensor.offset + sum((length - 1) * stride for length, stride in zip(tensor.shape, tensor.strides, strict=True))
    if (last + 1) * dtype.itemsize > len(stored):
        raise Unreadable(f"{name} is said to end at number {last + 1} of {len(stored) // dtype.itemsize}")
    values = np.frombuffer(stored, dtype, len(stored) // dtype.itemsize)
    if math.prod(tensor.shape) > len(values):
        raise Unreadable(f"{name} is said to have {math.prod(tensor.shape)} numbers, {len(values)} are stored")
    strides: Sequence[int] = [stride * dtype.itemsize for stride in tensor.strides]
    view = np.lib.stride_tricks.as_strided(values[tensor.offset :], tensor.shape, strides, writeable=False)
    array = np.ascontiguousarray(view).reshape(tensor.shape)
    return of_halves(array) if kind == "bf16" else array
