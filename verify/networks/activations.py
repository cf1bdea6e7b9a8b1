"""Homogeneous activations: two slopes, one on each side of zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq

from verify.networks._arrays import frozen_copy
from verify.numbers.arguments import real_array, real_number
from verify.numbers.arithmetic import (
    UNKNOWN,
    Array,
    absolute,
    any_traced,
    array_module,
    ball,
    certain_order,
    chosen,
    floats,
    is_exact,
    is_number,
    maximum,
    rational,
    rationals,
)
from verify.numbers.exactness import ExactNumber

Slope: TypeAlias = float | Fraction | fmpq | arb | Array
"""A number, or one number for each network of a batch."""


WORTH_A_ROW = 1024
"""Entries from which on an array of zeros is worth its creation."""


@dataclass(frozen=True, eq=False)
class HomogeneousActivation:
    """The function that is ``positive * t`` for ``t >= 0`` and ``negative * t`` for ``t < 0``.

    A slope is a number, or an array of batch shape: one number for each network of a batch. An array slope of shape
    ``batch`` is broadcast against values of shape ``(*batch, n)``. Integers are at home in both arithmetics; a float slope
    meets floats only, a rational slope (`Fraction` or `flint.fmpq`) exact values only.

    Raises
    ------
    ValueError
        A slope is not finite, or one is a float and the other exact.

    Source: bottleneck_structure, Section 2 (homogeneous nonlinearities).
    """

    positive: Slope
    negative: Slope
    _branches: dict[bool, tuple[Any, Any]] = field(init=False, repr=False)
    is_relu: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("positive", "negative"):
            object.__setattr__(self, name, _checked_slope(f"slope '{name}'", getattr(self, name)))
        arithmetics = {arithmetic for slope in (self.positive, self.negative) if (arithmetic := _arithmetic(slope)) is not None}
        if len(arithmetics) > 1:
            raise ValueError(f"one slope is exact and the other a float: got {self.positive!r} and {self.negative!r}")
        branches = {
            exact: (_branch(self.positive, exact), _branch(self.negative, exact)) for exact in arithmetics or {False, True}
        }
        object.__setattr__(self, "_branches", branches)
        object.__setattr__(self, "is_relu", not self.batch_shape and branches.get(False) == (1.0, 0.0))

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the slopes, broadcast together."""
        positive, negative = getattr(self.positive, "shape", ()), getattr(self.negative, "shape", ())
        return np.broadcast_shapes(positive, negative) if positive and negative else positive or negative

    @property
    def lipschitz_constant(self) -> Array:
        """Larger absolute value of the two slopes, of their shape."""
        return maximum(absolute(self.positive), absolute(self.negative))

    def __call__(self, values: Array, /) -> Array:
        """Value at every entry, shape ``(*batch, n) -> (*batch, n)``; -0.0 is zero.

        Raises
        ------
        ValueError
            The slopes are floats and the values exact, or the other way round; entries that are not finite real numbers.
        """
        return self.apply(self._checked(values))

    def derivative(self, values: Array, /) -> Array:
        """Derivative at every entry, shape ``(*batch, n) -> (*batch, n)``.

        At zero it is the slope `positive`, by convention (the function has no derivative there, unless both slopes agree).
        Where the sign of a ball is not decided it is a ball that holds both slopes; so ``t * derivative(t)`` still holds
        the value of the activation.

        Raises
        ------
        ValueError
            As for the call.
        """
        values = self._checked(values)
        pattern = self.pattern(values)
        if is_exact(values):
            return pattern
        dtype = _float_dtype(values)
        return self.slopes(pattern, dtype).astype(dtype, copy=False)

    def apply(self, values: Array, out: Array | None = None, pattern: Array | None = None) -> Array:
        """Value at every entry, written to `out` (which may be `values`) where it is given; `pattern` is that of the values."""
        if self.is_relu and type(values) is np.ndarray and values.dtype.kind == "f":
            return np.maximum(values, _zeros_along(values) if values.size > WORTH_A_ROW else 0.0, out=out)
        exact = is_exact(values)
        positive, negative = self._branches_in(exact)
        xp = array_module(values)
        if exact or self.batch_shape:
            pattern = self.pattern(values) if pattern is None else pattern
            return xp.multiply(values, self.slopes(pattern, values.dtype), out=out)  # type: ignore[no-any-return]
        if positive == negative:
            return xp.multiply(values, positive, out=out)  # type: ignore[no-any-return]
        # for p >= q the value is the larger of p t and q t, else the smaller: no branch on the sign of t
        extreme = xp.maximum if positive >= negative else xp.minimum
        upper = values if positive == 1.0 else values * positive
        return extreme(upper, values * negative if negative != 0.0 else 0.0, out=out)  # type: ignore[no-any-return]

    def pattern(self, values: Array) -> Array:
        """What `slopes` needs to know of the values: of floats which are not negative, of exact ones the slopes themselves."""
        if not (exact := is_exact(values)) and False in self._branches:
            nonnegative: Array = values >= 0
            return nonnegative
        positive, negative = self._branches_in(exact)
        if any_traced(values):
            return np.asarray(np.frompyfunc(chosen, 3, 1)(values, positive, negative), dtype=object)
        sign = certain_order(values, 0)
        slopes: Array = np.where(sign >= 0, positive, negative)
        if (sign == UNKNOWN).any():
            slopes = np.where(sign == UNKNOWN, np.frompyfunc(_hull, 2, 1)(positive, negative), slopes)
        return slopes

    def slopes(self, pattern: Array, dtype: Any) -> Array:
        """Derivatives as an array to multiply with, from a `pattern`: floats of `dtype`, or booleans for the ReLU."""
        if self.is_relu or is_exact(pattern):
            return pattern
        positive, negative = self._branches_in(exact=False)
        xp = array_module(pattern)
        # one of the terms is zero; numpy.where, which branches on every entry, takes three times as long
        shares = [xp.asarray(slope, dtype=dtype) for slope in (positive, negative)]
        return pattern * shares[0] + ~pattern * shares[1]  # type: ignore[no-any-return]

    def as_exact(self) -> HomogeneousActivation:
        """The same activation with rational slopes; floats are taken as the rationals that they are."""
        return HomogeneousActivation(*(_converted(slope, exact=True) for slope in (self.positive, self.negative)))

    def as_float(self) -> HomogeneousActivation:
        """The activation whose slopes are the nearest floats."""
        return HomogeneousActivation(*(_converted(slope, exact=False) for slope in (self.positive, self.negative)))

    def accepts(self, *, exact: bool) -> bool:
        """Whether the slopes can be applied to exact values (or, with ``exact=False``, to floats)."""
        return exact in self._branches

    def each_slope(self, function: Callable[[Array], Array], /) -> HomogeneousActivation:
        """The activation whose array slopes are `function` of these; numbers stay as they are."""
        slopes: list[Any] = [self.positive, self.negative]
        return HomogeneousActivation(*(function(slope) if hasattr(slope, "ndim") else slope for slope in slopes))

    def _checked(self, values: Any) -> Array:
        """Values as an array; integers take the arithmetic of the slopes, where these have one."""
        exact = next(iter(self._branches)) if len(self._branches) == 1 else None
        return real_array("values", values, exact, "the activation")

    def _branches_in(self, exact: bool) -> tuple[Any, Any]:
        if exact not in self._branches:
            of_slopes, of_values = ("float", "exact") if exact else ("exact", "float")
            raise ValueError(
                f"the slopes of the activation are {of_slopes} but the values are {of_values}: convert with as_{of_values}()"
            )
        return self._branches[exact]


def _checked_slope(name: str, slope: Any) -> Any:
    if isinstance(slope, int | np.integer | np.bool_):
        return int(slope)
    if is_number(slope):
        return real_number(name, slope)
    copy = frozen_copy(name, slope)
    return copy.item() if copy.ndim == 0 else copy


def _arithmetic(slope: Any) -> bool | None:
    """Whether a checked slope is exact; None for an integer, which is at home in both arithmetics."""
    return None if isinstance(slope, int) else is_exact(slope) or isinstance(slope, fmpq | arb | ExactNumber)


def _branch(slope: Any, exact: bool) -> Any:
    if hasattr(slope, "ndim"):
        return slope[..., None]
    if isinstance(slope, arb):
        return slope
    return rational(slope) if exact else float(slope)


def _float_dtype(values: Array) -> Any:
    return values.dtype if values.dtype.kind == "f" else np.dtype(np.float64)


def _zeros_along(values: Array) -> Array:
    """Zeros along the axis whose entries follow one another in memory: a comparison with them is vectorised, that with a number
    is not.
    """
    if values.strides[-1] == values.itemsize:
        return np.zeros(values.shape[-1:], values.dtype)
    shape = [length if step == values.itemsize else 1 for length, step in zip(values.shape, values.strides, strict=True)]
    return np.zeros(shape, values.dtype)


def _hull(first: Any, second: Any) -> arb:
    return ball(first).union(ball(second))


def _converted(slope: Any, *, exact: bool) -> Any:
    if isinstance(slope, int) or _arithmetic(slope) is exact:
        return slope
    if exact:
        return rationals(slope) if hasattr(slope, "ndim") else rational(slope)
    return floats(slope if hasattr(slope, "ndim") else np.full((), slope, dtype=object))


def relu() -> HomogeneousActivation:
    """``max(t, 0)``.

    Examples
    --------
    >>> relu()(np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    return HomogeneousActivation(1, 0)


def leaky_relu(slope: Slope) -> HomogeneousActivation:
    """``t`` for ``t >= 0`` and ``slope * t`` below; `slope` may be any finite number, or one for each network of a batch.

    Examples
    --------
    >>> print(leaky_relu(Q(1, 4))(rationals([-1, 2])))
    [-1/4 2]
    """
    return HomogeneousActivation(1, slope)


def absolute_value() -> HomogeneousActivation:
    """``|t|``.

    Examples
    --------
    >>> absolute_value()(np.array([-1.0, 2.0]))
    array([1., 2.])
    """
    return HomogeneousActivation(1, -1)


def identity() -> HomogeneousActivation:
    """``t``: networks with this activation are linear (affine, with biases).

    Examples
    --------
    >>> identity()(np.array([-1.0, 2.0]))
    array([-1.,  2.])
    """
    return HomogeneousActivation(1, 1)
