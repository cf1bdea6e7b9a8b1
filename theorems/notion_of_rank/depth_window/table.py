"""The table of windows: the cost of the interpolant row by row.

>>> print(window_table((3, 9, 33)))
 n     N  rank 1 costs more up to depth  rank 1 can cost less from depth
 3     9                              2                               57
 9    81                              5                              622
33  1089                              9                             8671
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.rank_one import PiecewiseCurve, rank_one_curve
from theorems.shared.arrays import squares
from theorems.shared.paths import grid_points
from verify import Relation
from verify.numbers.arithmetic import Array, ball, compare, floats, is_exact, rationals, sqrt
from verify.numbers.relation import eq, ge, le

SIDES = range(3, 34)


def check_side(side: int) -> None:
    """Raise a `ValueError` unless `side` is an integer of at least 2."""
    if not isinstance(side, int) or side < 2:
        raise ValueError(f"side must be an integer of at least 2, got {side!r}: a grid has two points in a row")


def curve_along(side: int, direction: Array) -> PiecewiseCurve:
    """The curve of Proposition 2 for the identity on the grid and a direction, shape ``(..., 2)``."""
    points = grid_points(side, 2)
    points = points if is_exact(direction) else floats(points)
    points = np.broadcast_to(points, (*direction.shape[:-1], *points.shape))
    return rank_one_curve(points, points, direction)


def rows_direction(side: int) -> Array:
    """The direction ``s (1, 1 / (2 (n - 1)))``, which takes one row after the other; s is rational and about the best.

    Raises
    ------
    ValueError
        `side` is no integer of at least 2.
    """
    check_side(side)
    # the square of the best s is near 5 n - 6, and the cost is flat there
    scale = Fraction(isqrt(16 * (5 * side - 6)), 4)
    return rationals([scale, scale / (2 * (side - 1))])


def rows_excess(side: int) -> Any:
    r""":math:`C_n`: what the interpolant along `rows_direction` costs beyond its depth, a ball.

    The curve bends at :math:`z_k = sk/(2(n-1))`, k = 1, ..., 2(n - 1), where rows end and begin, each time by
    :math:`\frac2s(1, -2(n-1))` up to sign, and begins with the slope :math:`\frac2s(0, n - 1)`:

    .. math:: C_n = s^2\Bigl(1 + \frac1{4(n-1)^2}\Bigr) - 3 + \frac4s\Bigl(n - 1 + \sqrt{1 + 4(n-1)^2}
              \sum_k \sqrt{1 + z_k^2}\Bigr) .

    Raises
    ------
    ValueError
        `side` is no integer of at least 2.
    """
    direction, steps = rows_direction(side), 2 * (side - 1)
    scale = direction[0]
    bends = sqrt(1 + (rationals(np.arange(1, steps + 1)) * scale / steps) ** 2).sum()
    return squares(direction) - 3 + (bends * sqrt(rationals(1 + steps**2)) + side - 1) * 4 / scale


def depth_window(side: int) -> tuple[int, int]:
    """Last depth at which every function of bottleneck rank one that is the identity on the grid costs more than the identity,
    and first depth at which one is known to cost less.

    Raises
    ------
    ValueError
        `side` is no integer of at least 2.
    """
    check_side(side)
    last = ((side + 1) ** 2 - 1).bit_length() - 2
    first = ball(rows_excess(side)).floor().unique_fmpz()
    if first is None:
        raise ArithmeticError(f"the cost for side {side} is too near an integer for the working precision")
    return last, int(first) + 1


def window_table(sides: Iterable[int] = SIDES) -> str:
    """`depth_window` for several sides as text, one line each; errors as there."""
    header = f"{'n':>2} {'N':>5}  {'rank 1 costs more up to depth':>29}  {'rank 1 can cost less from depth':>31}"
    rows = ((side, *depth_window(side)) for side in sides)
    return "\n".join([header, *(f"{side:2} {side**2:5}  {last:29}  {first:31}" for side, last, first in rows)])


# The grid, its rows and the table


def the_rows() -> Relation:
    """Bends, places and ends of the interpolant along the rows, for n = 2, ..., 5, against the formula of `rows_excess`."""
    relation = Relation(())
    for side in range(2, 6):
        direction, steps = rows_direction(side), 2 * (side - 1)
        curve = curve_along(side, direction[None])
        sizes, knots = squares(curve.coefficients)[0], curve.knots[0]
        kept = np.flatnonzero(compare(sizes, 0))
        stated = np.concatenate([rationals([steps**2]), rationals([4 * (1 + steps**2)] * steps)]) / direction[0] ** 2
        relation &= eq(sizes[kept], stated, over=1)
        relation &= eq(knots[kept], rationals(np.arange(steps + 1)) * direction[0] / steps, over=1)
        relation &= eq(curve.offset, rationals([0])) & eq(curve.value, rationals([[0, 0]]), over=1)
    return relation


def the_table() -> Relation:
    """For n = 3, ..., 33: the last depth that is bought by the bound, and the first above the exact cost."""
    relation = Relation(())
    for side in SIDES:
        last, first = depth_window(side)
        bound, cost = rationals((side + 1) ** 2), np.asarray(rows_excess(side), dtype=object)
        relation &= le(rationals(2 ** (last + 1) + 1), bound) & ge(rationals(2 ** (last + 2)), bound)
        relation &= le(cost, rationals(first)) & ge(cost, rationals(first - 1))
        relation &= le(cost, rationals(8 * side**2))
    return relation
