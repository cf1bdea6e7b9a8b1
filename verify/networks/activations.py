"""Homogeneous activations: two slopes, one on each side of zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq, fmpz

from verify.arithmetic import (
    UNKNOWN,
    Array,
    absolute,
    array_module,
    ball,
    compare,
    floats,
    is_exact,
    maximum,
    rational,
    rationals,
)
from verify.networks._arrays import frozen_copy

Slope: TypeAlias = float | Fraction | fmpq | arb | Array
"""A number, or one number for each network of a batch."""


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
    _is_relu: bool = field(init=False, repr=False)

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
        object.__setattr__(self, "_is_relu", not self.batch_shape and branches.get(False) == (1.0, 0.0))

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the slopes, broadcast together."""
        return np.broadcast_shapes(getattr(self.positive, "shape", ()), getattr(self.negative, "shape", ()))

    @property
    def lipschitz_constant(self) -> Array:
        """Larger absolute value of the two slopes, of their shape."""
        return maximum(absolute(self.positive), absolute(self.negative))

    def __call__(self, values: Array, /) -> Array:
        """Value at every entry, shape ``(*batch, n) -> (*batch, n)``; -0.0 is zero.

        Raises
        ------
        ValueError
            The slopes are floats and the values exact, or the other way round.
        """
        if self._is_relu and not is_exact(values):
            return array_module(values).maximum(values, 0.0)  # type: ignore[no-any-return]
        return values * self.derivative(values)

    def derivative(self, values: Array, /) -> Array:
        """Derivative at every entry, shape ``(*batch, n) -> (*batch, n)``.

        At zero it is the slope `positive`, by convention (the function has no derivative there, unless both slopes agree).
        Where the sign of a ball is not decided it is a ball that holds both slopes; so ``t * derivative(t)`` still holds
        the value of the activation.

        Raises
        ------
        ValueError
            The slopes are floats and the values exact, or the other way round.
        """
        exact = is_exact(values)
        positive, negative = self._branches_in(exact)
        if not exact:
            return array_module(values).where(values >= 0, positive, negative)  # type: ignore[no-any-return]
        sign = compare(values, 0)
        slopes: Array = np.where(sign >= 0, positive, negative)
        if (sign == UNKNOWN).any():
            slopes = np.where(sign == UNKNOWN, np.frompyfunc(_hull, 2, 1)(positive, negative), slopes)
        return slopes

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

    def _branches_in(self, exact: bool) -> tuple[Any, Any]:
        if exact not in self._branches:
            have, got = ("float", "exact") if exact else ("exact", "float")
            raise ValueError(f"the slopes of the activation are {have} but the values are {got}: convert with as_{got}()")
        return self._branches[exact]


def _checked_slope(name: str, slope: Any) -> Any:
    if isinstance(slope, int | np.integer):
        return int(slope)
    if isinstance(slope, fmpq | fmpz | Fraction):
        return rational(slope)
    scalar = np.ndim(slope) == 0
    if isinstance(slope, arb):
        slope = np.full((), slope, dtype=object)
    copy = frozen_copy(name, slope)
    return copy.item() if scalar else copy


def _arithmetic(slope: Any) -> bool | None:
    """Whether a checked slope is exact; None for an integer, which is at home in both arithmetics."""
    return None if isinstance(slope, int) else is_exact(slope) or isinstance(slope, fmpq | arb)


def _branch(slope: Any, exact: bool) -> Any:
    if hasattr(slope, "ndim"):
        return slope[..., None]
    if isinstance(slope, arb):
        return slope
    return rational(slope) if exact else float(slope)


def _hull(left: Any, right: Any) -> arb:
    return ball(left).union(ball(right))


def _converted(slope: Any, *, exact: bool) -> Any:
    if isinstance(slope, int) or _arithmetic(slope) is exact:
        return slope
    if exact:
        return rationals(slope) if hasattr(slope, "ndim") else rational(slope)
    return floats(slope if hasattr(slope, "ndim") else np.full((), slope, dtype=object))


def relu() -> HomogeneousActivation:
    """``max(t, 0)``."""
    return HomogeneousActivation(1, 0)


def leaky_relu(slope: Slope) -> HomogeneousActivation:
    """``t`` for ``t >= 0`` and ``slope * t`` below; `slope` may be any finite number, or one for each network of a batch."""
    return HomogeneousActivation(1, slope)


def absolute_value() -> HomogeneousActivation:
    """``|t|``."""
    return HomogeneousActivation(1, -1)


def identity() -> HomogeneousActivation:
    """``t``: networks with this activation are linear (affine, with biases)."""
    return HomogeneousActivation(1, 1)
