"""Values of the engine as of one instance: its functions lifted, its networks seen without their batch axes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

from verify.instances.array import InstanceArray, aligned, gathered, holds_instances
from verify.numbers.exactness import ExactNumber, UndecidedInstances
from verify.numbers.measured import Measured


def unwrapped(value: Any) -> Any:
    """`value` for the engine, whose arrays begin with the batch axes."""
    kind = type(value)
    if kind is InstanceArray:
        return value.values
    if kind is InstanceView:
        return value.of
    if isinstance(value, Measured) and isinstance(value.value, InstanceArray):
        return Measured(value.value.values, aligned(value.error, value.value.ndim))
    if kind is list or kind is tuple:
        return kind(map(unwrapped, value))
    if holds_instances(value):
        return gathered(value).values
    return value


def wrapped(value: Any, lead: int) -> Any:
    """What the engine gives for a batch, as of one instance."""
    kind = type(value)
    if kind is np.ndarray:
        return InstanceArray(value, lead)
    if kind is list or kind is tuple:
        return kind([wrapped(entry, lead) for entry in value])
    if isinstance(value, (np.ndarray, np.generic)) or kind.__module__.partition(".")[0] == "cupy":
        return InstanceArray(value, lead)
    if isinstance(value, (fmpq, arb, ExactNumber)):
        return InstanceArray(value, 0)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(wrapped(entry, lead) for entry in value))
    if isinstance(value, Measured):
        errors = value.error if np.ndim(value.error) else np.broadcast_to(value.error, (1,) * lead)
        hidden: Any = InstanceArray(value.value, lead), InstanceArray(errors, lead)
        return Measured(*hidden)
    if _is_of_the_engine(value):
        return InstanceView(value, lead)
    return value


def _is_of_the_engine(value: Any) -> bool:
    kind: Any = type(value)
    return not isinstance(value, type) and _has_batches(kind)


@functools.cache
def _has_batches(kind: type) -> bool:
    # of the type: to ask a value for its batch would work it out
    has = hasattr(kind, "batch_shape") or "batch_shape" in getattr(kind, "__dataclass_fields__", ())
    return has or kind.__module__.startswith("verify.networks")


def lead_in(*values: Any) -> int | None:
    """The number of batch axes of what is among the values, however deep; None if no array of instances is."""
    leads = []
    for value in values:
        kind = type(value)
        if kind is InstanceArray or kind is InstanceView:
            leads.append(value.lead)
        elif isinstance(value, Measured):
            value = value.value
            leads += [value.lead] if isinstance(value, InstanceArray) else []
        elif isinstance(value, (list, tuple)):
            leads += [lead for lead in [lead_in(*value)] if lead is not None]
        elif isinstance(value, Mapping):
            leads += [lead for lead in [lead_in(*value.values())] if lead is not None]
        elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
            leads += [entry.lead for entry in value.flat if isinstance(entry, InstanceArray)]
    return max(leads, default=None)


_SHAKEN: ContextVar[np.random.Generator | None] = ContextVar("verify_shaken", default=None)


@contextmanager
def shaken_matrices() -> Iterator[None]:
    """Functions of matrices see every entry of their floats moved by up to two units in its last place, each time otherwise.

    So their rounding errors show where the matrix is made of integers, or has a structure that its free numbers keep: that the
    rows of a Laplacian matrix sum to zero, for example. The moves are drawn with a fixed seed.
    """
    token = _SHAKEN.set(np.random.default_rng(0))
    try:
        yield
    finally:
        _SHAKEN.reset(token)


def _shaken(operands: tuple[Any, ...]) -> list[Any]:
    rng = _SHAKEN.get()
    if rng is None:
        return [*operands]
    return [
        operand * (1 + rng.integers(-2, 3, operand.shape) * 2.0**-52)
        if type(operand) is np.ndarray and operand.dtype.char == "d" and operand.ndim > 1
        else operand
        for operand in operands
    ]


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the engine, whose arrays may have leading batch axes, as a function of one instance.

    >>> print(lifted(np.sort)([3, 1, 2]))
    [1 2 3]
    """

    @functools.wraps(function)
    def of_one(*operands: Any, **options: Any) -> Any:
        lead = lead_in(*operands, *options.values())
        if lead is None:
            return function(*operands, **options)
        try:
            answer = function(*map(unwrapped, operands), **{name: unwrapped(value) for name, value in options.items()})
        except ValueError:
            infinite = _infinite(operands)
            if not infinite.any():
                raise
            # of the other instances the function has a value
            raise UndecidedInstances("what a function is given is beyond the largest float", infinite) from None
        return wrapped(answer, lead)

    return of_one


def of_matrices(function: Callable[..., Any]) -> Callable[..., Any]:
    """`lifted` of a function of matrices, which may be given by their rows, and are moved within `shaken_matrices`."""

    @lifted
    @functools.wraps(function)
    def shaken(*matrices: Any, **options: Any) -> Any:
        return function(*_shaken(matrices), **options)

    @functools.wraps(function)
    def of_one(*matrices: Any, **options: Any) -> Any:
        return shaken(*map(gathered, matrices), **options)

    return of_one


def _infinite(operands: Any) -> npt.NDArray[np.bool_]:
    """Which instances of a batch have an entry that is no finite float."""
    batches = [operand.values for operand in operands if isinstance(operand, InstanceArray) and operand.lead == 1]
    rows = [~np.isfinite(values.reshape(len(values), -1)).all(axis=1) for values in batches if values.dtype.kind == "f"]
    return np.asarray(functools.reduce(np.logical_or, rows) if rows else False)


class InstanceView:
    """A network of one instance: its arrays, and what its methods return, have no batch axes that anybody sees.

    Parameters
    ----------
    of
        A value of the engine, whose arrays have `lead` batch axes.
    lead
        Their number.
    """

    __slots__ = ("lead", "of")

    def __init__(self, of: Any, lead: int) -> None:
        self.of, self.lead = of, lead

    def __repr__(self) -> str:
        return repr(self.of)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.of, name)
        if callable(value) and not _is_of_the_engine(value):
            return self._method(value)
        return wrapped(value, self.lead)

    def __call__(self, *operands: Any) -> Any:
        return self._method(self.of)(*operands)

    def instances(self, index: Any) -> InstanceView:
        """Those instances of the batch; with an integer, one of them."""
        return InstanceView(self.of[index], self.lead - isinstance(index, int | np.integer))

    @property
    def count(self) -> int:
        """Number of instances of the batch."""
        return int(self.of.batch_shape[0]) if self.lead and self.of.batch_shape else 1

    def alone(self, place: int) -> Any:
        """The value of the engine for one instance."""
        if not self.lead or not self.of.batch_shape:
            return self.of
        return self.of[place if self.of.batch_shape[0] > 1 else 0]

    def _method(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def of_one(*operands: Any, **options: Any) -> Any:
            if method is self.of or _takes_points(self.of):  # other methods may take a sequence of arrays
                operands = tuple(gathered(operand) for operand in operands)
            points = operands[-1] if operands else None
            if isinstance(points, np.ndarray) and points.ndim > 1 and self.lead and _takes_points(self.of):
                # the same points for all instances
                points = InstanceArray(points[(None,) * self.lead], self.lead)
            if self.lead and isinstance(points, InstanceArray) and points.ndim == 0 and _takes_points(self.of):
                # a number is a vector of one, and so is what the activation makes of it
                numbers = InstanceArray(points.values[..., None], self.lead)
                answer = method(*map(unwrapped, operands[:-1]), unwrapped(numbers), **options)
                return wrapped(answer[..., 0], self.lead)
            # several points of each network: for the engine their axis stands before the batch
            axes = points.ndim - 1 if isinstance(points, InstanceArray) and points.ndim > 1 and _takes_points(self.of) else 0
            if axes and self.lead:
                last = np.moveaxis(points.values, range(self.lead, self.lead + axes), range(axes))  # type: ignore[union-attr]
                answer = method(*map(unwrapped, operands[:-1]), last, **options)
                return wrapped(_moved_back(answer, axes, self.lead), self.lead)
            return wrapped(method(*map(unwrapped, operands), **{k: unwrapped(v) for k, v in options.items()}), self.lead)

        return of_one


def _takes_points(value: Any) -> bool:
    """Whether an input is a vector: a fully connected network, or an activation, not one that takes a matrix or an image."""
    from verify.networks import FullyConnected, HomogeneousActivation

    return isinstance(value, FullyConnected | HomogeneousActivation)


def _moved_back(value: Any, axes: int, lead: int) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(_moved_back(entry, axes, lead) for entry in value)
    return np.moveaxis(value, range(axes), range(lead, lead + axes))
