r"""Where a discrete leaky ResNet has its layers: steps :math:`\rho_1, \ldots, \rho_M` from p = 0 to p = 1.

Source: leaky_resnets, Section 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb

from verify.networks._arrays import as_array
from verify.numbers.arguments import flag, real_array
from verify.numbers.arithmetic import LARGEST_COUNT, Array, array_module, compare, integer, is_exact, is_number, rationals


def equidistant_steps(count: int, *, exact: bool = False) -> Array:
    r""":math:`\rho_\ell = 1/M`, shape ``(M,)``: floats, or rationals if `exact`.

    Raises
    ------
    ValueError
        `count` is below 1.

    Examples
    --------
    >>> print(equidistant_steps(4, exact=True))
    [1/4 1/4 1/4 1/4]
    """
    count = integer("count", count, 1, ": a network has a layer", most=LARGEST_COUNT)
    return rationals(np.ones(count, dtype=np.int64)) / count if flag("exact", exact) else np.full(count, 1 / count)


def irregular_steps(count: int, contrast: Any) -> Array:
    r""":math:`\rho_\ell = \frac1M + \frac aM(\frac14 - |\frac\ell M - \frac12|)`, shape ``(*batch, M)``: longest in the middle.

    `contrast` is a, from 0 (equidistant) to 1 exclusively: a number or one for each instance; floats for a float, else
    rationals. The steps are as printed; **for odd M their sum is** :math:`1 - a/(4M^2)`: see `irregular_steps_renormalised`.

    Raises
    ------
    ValueError
        `count` is below 1, or the contrast is not in [0, 1).
    TypeError
        The contrast is no number and no array of numbers.

    Examples
    --------
    >>> print(128 * irregular_steps(8, Q(1, 2)))
    [15 16 17 18 17 16 15 14]
    """
    count = integer("count", count, 1, ": a network has a layer", most=LARGEST_COUNT)
    a = _in_its_arithmetic("contrast", contrast)
    if not ((compare(a, 0) >= 0) & (compare(1 - a, 0) == 1)).all() if is_exact(a) else not ((a >= 0) & (a < 1)).all():
        raise ValueError(f"contrast must be at least 0 and below 1, got {contrast!r}")
    layers = np.arange(1, count + 1)
    # 4 M (1/4 - |l/M - 1/2|), an integer
    heights: Array = count - 2 * abs(2 * layers - count)
    if is_exact(a):
        return np.asarray((1 + a[..., None] * rationals(heights) / (4 * count)) / count, dtype=object)
    xp = array_module(a)
    return as_array((1 + a[..., None] * xp.asarray(heights) / (4 * count)) / count)


def irregular_steps_renormalised(count: int, contrast: Any) -> Array:
    """`irregular_steps` divided by their sum: the same for even M; the sum is 1 for odd M, too.

    Examples
    --------
    >>> print(irregular_steps(3, Q(1, 2)).sum(), irregular_steps_renormalised(3, Q(1, 2)).sum())
    71/72 1
    """
    steps = irregular_steps(count, contrast)
    return as_array(steps / as_array(steps.sum(axis=-1))[..., None])


def adaptive_steps(distances: Array) -> Array:
    r""":math:`\rho_\ell = c_\ell^{-1}/\sum_jc_j^{-1}`, ``(..., M) -> (..., M)``: :math:`\rho_\ell c_\ell` is the same for all.

    `distances` are :math:`c_\ell = \|A_\ell - A_{\ell-1}\|/(\rho_\ell\|A_\ell\|)`, the relative distances per step of the
    present steps: see `LeakyResNet.relative_distances`. For fixed distances these steps have the smallest
    :math:`\max_\ell\rho_\ell c_\ell`. A layer that does not move has no such step: raise small distances first.

    Raises
    ------
    TypeError
        `distances` is no array.
    ValueError
        A distance is not positive and finite; there is none.

    Examples
    --------
    >>> print(adaptive_steps(rationals([1, 2, 2])))
    [1/2 1/4 1/4]
    """
    values = real_array("distances", distances)
    if values.ndim < 1 or values.shape[-1] == 0:
        raise ValueError(f"distances must have the shape (..., layers) with one layer at least, got {values.shape}")
    if not (compare(values, 0) == 1 if is_exact(values) else values > 0).all():
        raise ValueError("distances must be positive: a layer that does not move asks for an infinite step")
    inverses = 1 / values
    return as_array(inverses / as_array(inverses.sum(axis=-1))[..., None])


def _in_its_arithmetic(name: str, value: Any) -> Array:
    """Floats for floats, else rationals (integers too)."""
    if is_number(value) and not isinstance(value, float | np.floating | arb):
        return rationals(value)
    return real_array(name, value)
