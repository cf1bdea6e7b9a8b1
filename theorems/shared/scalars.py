r"""The scalar problem :math:`\min_{u \ge 0} (gu^L - t)^2 + \lambda L u^2` of a ridge on L layers, solved exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq_poly

from verify.numbers.arithmetic import Array, compare, is_exact, minimum, power, rational
from verify.numbers.parameters import widened

NEWTON_STEPS = 60
"""Enough for a float: on its way down to a simple root of a convex function, Newton's method at worst halves the distance."""


@widened
def objective(root: Array, target: Array, ridge: Array, depth: int, gain: Any = 1) -> Array:
    r""":math:`(gu^L - t)^2 + \lambda L u^2` at the root u >= 0, entrywise."""
    return np.asarray((gain * root**depth - target) ** 2 + depth * ridge * root**2)


@widened
def largest_stationary_root(target: Array, ridge: Array, depth: int, gain: Any = 1) -> Array:
    r"""The local minimiser u > 0 of `objective`, or 0 where there is none, entrywise.

    It is the largest positive root of :math:`g^2u^{2L-2} - gtu^{L-2} + \lambda` (for L = 1, :math:`gt / (g^2 + \lambda)`).
    `target` is t >= 0, `ridge` is positive, and so is `gain`. Rationals give rationals or balls.

    Raises
    ------
    ValueError
        `depth` is below 1, `target` is negative, `ridge` or `gain` is not positive, or one of them is not finite.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    target, ridge, gain = map(np.asarray, (target, ridge, gain))
    for name, values, zero in (("target", target, True), ("ridge", ridge, False), ("gain", gain, False)):
        _check_numbers(name, values, zero)
    target, ridge, gain = np.broadcast_arrays(target, ridge, gain)
    if depth == 1:
        return np.asarray(gain * target / (gain**2 + ridge))
    if is_exact(target):
        result = np.empty(target.shape, dtype=object)
        for index in np.ndindex(target.shape):
            result[index] = _isolated(depth, target[index], ridge[index], gain[index])
        return result
    if depth == 2:
        return np.asarray(np.sqrt(np.maximum(target / gain - ridge / gain**2, 0.0)))
    # the polynomial is convex and increasing between its positive minimum and (t/g)**(1/L)
    upper = power(target / gain, Fraction(1, depth))
    lower = power(target / gain * (depth - 2) / (2 * depth - 2), Fraction(1, depth))
    root = upper
    for _ in range(NEWTON_STEPS):
        value = gain**2 * root ** (2 * depth - 2) - gain * target * root ** (depth - 2) + ridge
        slope = (2 * depth - 2) * gain**2 * root ** (2 * depth - 3)
        slope = slope - (depth - 2) * gain * target * root ** (depth - 3)
        root = np.clip(root - value / np.where(slope > 0, slope, np.inf), lower, upper)
    return np.asarray(root)


def _check_numbers(name: str, values: Array, zero: bool) -> None:
    if not is_exact(values) and not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    order = compare(values, 0)
    if not ((order == 1) | (zero & (order == 0))).all():
        raise ValueError(f"{name} must be {'at least' if zero else 'above'} 0, got an entry that is not")


def _isolated(depth: int, target: Any, ridge: Any, gain: Any) -> Any:
    gain = rational(gain)
    coefficients = [rational(0)] * (2 * depth - 1)
    coefficients[0] = rational(ridge)
    coefficients[depth - 2] -= gain * target
    coefficients[2 * depth - 2] = gain**2
    # flint finds the roots of irreducible factors, and gives real ones an imaginary part of exactly zero
    found: Any = rational(0)
    for factor, _ in fmpq_poly(coefficients).factor()[1]:
        if factor.degree() == 1:
            roots = [-factor[0] / factor[1]]
        else:
            roots = [root.real for root, _ in factor.complex_roots() if root.imag.is_zero()]
        for root in roots:
            if compare(root, found) == 1:
                found = root
    return found


@widened
def least_objective(target: Array, ridge: Array, depth: int, gain: Any = 1) -> Array:
    r""":math:`\min_{u \ge 0} (gu^L - t)^2 + \lambda L u^2`, entrywise; arguments as for `largest_stationary_root`."""
    found = objective(largest_stationary_root(target, ridge, depth, gain), target, ridge, depth, gain)
    return np.asarray(minimum(found, target * target + 0 * found))
