"""Rates: the exponent with which a quantity grows or decays, fitted over a ladder of sizes, against the stated one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

WRONG_BY = 0.2
"""A stated exponent that is off by this much must be outside the fitted interval, or the rate check decides nothing."""


@dataclass(frozen=True)
class Rate:
    """``quantity(size)`` is stated to behave like ``size ** exponent``.

    Attributes
    ----------
    quantity
        Takes the ladder of sizes as a float array and gives positive numbers.
    sizes
        The ladder, increasing, at least six rungs.
    exponent
        The stated exponent.

    Examples
    --------
    >>> Rate(lambda n: 1 / n, sizes=(1, 2, 4, 8, 16, 32), exponent=-1).exponent
    -1
    """

    quantity: Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]
    sizes: tuple[int, ...]
    exponent: float

    def __post_init__(self) -> None:
        if len(self.sizes) < 6 or any(a >= b for a, b in zip((0, *self.sizes), self.sizes, strict=False)):
            raise ValueError(f"sizes must be at least six increasing positive numbers, got {self.sizes}")
        if isinstance(self.exponent, bool) or not isinstance(self.exponent, int | float) or not math.isfinite(self.exponent):
            raise ValueError(f"exponent must be a finite number, got {self.exponent!r}")
        if not callable(self.quantity):
            raise TypeError(f"quantity must be a function of the sizes, got {type(self.quantity).__name__}")


@dataclass(frozen=True)
class FittedRate:
    """An exponent with the interval that the residuals and the drift along the ladder allow.

    Attributes
    ----------
    exponent, uncertainty
        Centre and half-width of the interval.
    stated
        The exponent of the statement.
    """

    exponent: float
    uncertainty: float
    stated: float

    def allows(self, exponent: float) -> bool:
        """Whether `exponent` is in the interval."""
        return abs(exponent - self.exponent) <= self.uncertainty

    @property
    def as_expected(self) -> bool:
        """The stated exponent is in the interval, and neither neighbour that is off by `WRONG_BY` is."""
        return self.allows(self.stated) and not any(self.allows(self.stated + sign * WRONG_BY) for sign in (-1, 1))


def fit(rate: Rate) -> FittedRate:
    """Fit a line through the logarithms of the upper half of the ladder.

    The half-width is three standard errors, plus what the slope still moves from one half of those rungs to the other: lower
    terms of an expansion bend the line by more than the scatter about it shows.

    Raises
    ------
    ValueError
        The quantity is not positive and finite on the ladder.
    """
    sizes = np.asarray(rate.sizes, dtype=np.float64)
    values = np.asarray(rate.quantity(sizes), dtype=np.float64)
    if values.shape != sizes.shape or not np.all(np.isfinite(values)) or np.any(values <= 0):
        raise ValueError(f"quantity must give a positive number for every size, got {values} for {rate.sizes}")
    x, y = np.log(sizes), np.log(values)
    upper = slice(len(x) // 2, None)
    slope, error = _slope(x[upper], y[upper])
    middle = (len(x) + len(x) // 2) // 2
    late, _ = _slope(x[middle - 1 :], y[middle - 1 :])
    early, _ = _slope(x[len(x) // 2 : middle + 1], y[len(x) // 2 : middle + 1])
    rounding = 2.0**-40  # of logarithms of order ten, over a ladder of at least a factor of two
    return FittedRate(late, 3 * error + abs(late - early) + abs(late - slope) + rounding, rate.exponent)


def _slope(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> tuple[float, float]:
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread
    residuals = y - y.mean() - slope * centred
    error = np.sqrt(float(residuals @ residuals) / max(1, len(x) - 2) / spread)
    return slope, float(error)
