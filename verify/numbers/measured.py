"""A number with its error: what an integrator or a solver returns, so that the error travels with the value into a relation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.numbers.arithmetic import Array, floats
from verify.numbers.exactness import Q


@dataclass(frozen=True, eq=False)
class Measured:
    """`value`, known to within `error`; sums, products, quotients and roots carry the error along.

    Attributes
    ----------
    value
        An array of any shape.
    error
        Bound of its absolute error beyond rounding, which the checker estimates itself; broadcasts against `value`.

    Raises
    ------
    ValueError
        `error` is negative or NaN, or does not broadcast against `value`.

    Examples
    --------
    >>> total = Measured(3.0, 0.5) + Measured(2.0, 0.25)
    >>> print(total.value, total.error)
    5.0 0.75
    """

    value: Array
    error: npt.NDArray[np.float64]

    # arrays leave every operation to this class
    __array_ufunc__ = None

    def __post_init__(self) -> None:
        errors = _of_all_instances(self.error)
        if np.any(np.isnan(errors)) or np.any(np.asarray(errors) < 0):
            raise ValueError(f"error must not be negative or NaN, got {self.error}")
        np.broadcast_shapes(np.shape(self.value), np.shape(self.error))

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of the value."""
        return np.asarray(self.value).dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the value."""
        return np.shape(self.value)

    def __getitem__(self, index: Any) -> Measured:
        return Measured(self.value[index], np.broadcast_to(self.error, self.shape)[index])

    def __add__(self, other: Any) -> Measured:
        other = measured(other)
        return Measured(self.value + other.value, self.error + other.error)

    def __mul__(self, other: Any) -> Measured:
        other = measured(other)
        error = _size(self.value) * other.error + _size(other.value) * self.error + self.error * other.error
        return Measured(self.value * other.value, error)

    def __truediv__(self, other: Any) -> Measured:
        other = measured(other)
        quotient = self.value / other.value
        with np.errstate(divide="ignore", invalid="ignore"):
            least = _size(other.value) - other.error
            error = np.where(least > 0, (self.error + _size(quotient) * other.error) / least, np.inf)
        return Measured(quotient, error)

    def __neg__(self) -> Measured:
        return Measured(-self.value, self.error)

    def __abs__(self) -> Measured:
        return Measured(abs(self.value), self.error)

    def __sub__(self, other: Any) -> Measured:
        return self + -measured(other)

    def __rsub__(self, other: Any) -> Measured:
        return measured(other) - self

    def __rtruediv__(self, other: Any) -> Measured:
        return measured(other) / self

    def __pow__(self, exponent: int) -> Measured:
        if not isinstance(exponent, int) or exponent < 1:
            raise ValueError(f"exponent must be a positive integer, got {exponent!r}")
        result = self
        for _ in range(exponent - 1):
            result = result * self
        return result

    __radd__ = __add__
    __rmul__ = __mul__

    def sum(self, axis: Any = None) -> Measured:
        """Sum along axes."""
        return Measured(self.value.sum(axis=axis), np.broadcast_to(self.error, self.shape).sum(axis=axis))

    def sqrt(self) -> Measured:
        """Square root of every entry; 0 where the value is negative by no more than its error."""
        value = np.where((self.value < 0) & (self.value >= -self.error), 0.0, self.value)
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(value)
            return Measured(root, np.fmin(np.sqrt(2 * self.error), np.where(root > 0, self.error / root, np.inf)))


def measured(value: Any, error: Any = 0.0) -> Measured:
    """`value` with its `error`; itself if it has one already.

    Examples
    --------
    >>> root = measured(4, 0.5).sqrt()
    >>> print(root.value, root.error)
    2.0 0.25
    """
    if isinstance(value, Measured):
        return value
    if isinstance(value, Fraction):
        value = Q(value)  # at home in both arithmetics, as integers are
    elif not hasattr(value, "shape"):
        value = np.asarray(value)
    return Measured(value, _floats(error))


def _of_all_instances(value: Any) -> Any:
    """The values for a batch, where `value` is an array of one instance (`verify.instances`, which is built on this module)."""
    return getattr(value, "values", value)


def _floats(value: Any) -> Any:
    if hasattr(value, "lead"):
        return type(value)(floats(value.values), value.lead)
    return np.asarray(floats(value))


def _size(value: Any) -> Any:
    return np.abs(_floats(value))
