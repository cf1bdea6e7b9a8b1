r"""Rank recovery: up to the logarithm of the number of data interpolation recovers the rank, and surely not far beyond.

Statement
    The simplest function of rank 2 is the identity of :math:`[0, 1]^2`, known on the grid of :math:`N = n^2` points. It costs
    2 L (``theorem_1.identity``). A function of bottleneck rank one that is the identity on the grid costs

    .. math:: L \Bigl(\frac{(n + 1)^2}2\Bigr)^{1/L} \le R , \qquad \text{and a good one} \quad R \le L + C_n .

    So while :math:`2^{L+1} < (n + 1)^2`, that is :math:`L < 2\log_2(n + 1) - 1`, every such function is dearer than the
    identity: interpolation at the smallest cost does not underestimate the rank. For n >= 3 this depth lies between
    :math:`\log_2 N - 1` and :math:`\log_2 N`. From :math:`L > C_n` on, a function of rank one is cheaper than the identity;
    :math:`C_n` is about 8 N. Between the two depths nothing is decided.

    Such a window always begins at depth 1 (``.initial``): where a function of rank k costs kL + C and those of rank one at
    least :math:`L D^{2/L}`, these are dearer as long as :math:`(k + C/L)^L < D^2`, and the left side increases with L for k >=
    1.
Checked
    The lower bound, and that rank one is dearer inside the window, for the interpolants of Proposition 2 along all directions,
    at depths inside and outside. The table for n = 3, ..., 33 on exact costs:

    >>> print(window_table((3, 9, 33)))
     n     N  rank 1 is dearer up to depth  rank 1 can be cheaper from depth
     3     9                             2                                57
     9    81                             5                               622
    33  1089                             9                              8671

Proof idea
    On the left is Theorem 2: the shortest path through the grid has the length n + 1, the square the diameter
    :math:`\sqrt 2`. On the right is the interpolant of Proposition 2 that runs through the grid row by row (`rows_excess`).
Sharp
    At a large depth, where both sides are L up to a constant. An interpolant costs much more than 2 L inside the window.
Not checked
    Minimisers with a ridge, which do not interpolate; functions of a rank between 1 and k, the subject of ``theorem_2.grids``.
Source
    notion_of_rank, rank recovery (after Proposition 5); the window is ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.paths import grid_points, path_length, shortest_path, squared_distances
from theorems.notion_of_rank.constructions.rank_one import PiecewiseCurve, least_norm, rank_one_curve, separates
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, ball, compare, floats, is_exact, largest, power, rationals, sqrt
from verify.relation import Verdict

SIDES = range(3, 34)


@dataclass(frozen=True)
class Setting:
    """Sizes of a domain, for all instances of a batch the same: the side n of the grid, at least 2, and the depth.

    Raises
    ------
    ValueError
        `side` is no integer of at least 2, or `depth` is below 1.
    """

    side: int
    depth: int

    def __post_init__(self) -> None:
        check_side(self.side)
        if self.depth < 1:
            raise ValueError(f"depth must be at least 1, got {self.depth}")

    def __getitem__(self, index: Any) -> Setting:
        return self


def check_side(side: int) -> None:
    """Raise a `ValueError` unless `side` is an integer of at least 2."""
    if not isinstance(side, int) or side < 2:
        raise ValueError(f"side must be an integer of at least 2, got {side!r}: a grid has two points in a row")


def is_dearer(side: int, depth: int) -> bool:
    r"""Whether :math:`L < 2\log_2(n + 1) - 1`, decided in integers: rank one is then dearer than the identity."""
    return bool(2 ** (depth + 1) < (side + 1) ** 2)


def length_over_diameter_squared(side: int) -> Q:
    """The shortest path through the grid over the diameter of the square, squared."""
    return Q((side + 1) ** 2, 2)


def curve_along(side: int, direction: Array) -> PiecewiseCurve:
    """The curve of Proposition 2 for the identity on the grid and a direction, shape ``(..., 2)``."""
    points = grid_points(side, 2)
    points = points if is_exact(direction) else floats(points)
    points = np.broadcast_to(points, (*direction.shape[:-1], *points.shape))
    return rank_one_curve(points, points, direction)


def dearer_than_rank_two(direction: Array, setting: Setting) -> Relation:
    """Both bounds for the interpolant along a direction, with the best scales; the second inside the window."""
    side, depth = setting.side, setting.depth
    norm = least_norm(curve_along(side, direction), depth)
    path = depth * power(length_over_diameter_squared(side) + 0 * norm, Fraction(1, depth))
    of_rank_two = 2 * depth if is_dearer(side, depth) else 0
    return le(path, norm, name="path") & le(of_rank_two + 0 * norm, norm, name="inside the window")


def separates_the_grid(direction: Array, setting: Setting) -> Array:
    """Whether the points of the grid have distinct projections on the direction."""
    points = grid_points(setting.side, 2)
    points = points if is_exact(direction) else floats(points)
    return separates(np.broadcast_to(points, (*direction.shape[:-1], *points.shape)), direction)


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
    """Last depth at which every function of bottleneck rank one that is the identity on the grid is dearer than the identity,
    and first depth at which one is known to be cheaper.

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
    header = f"{'n':>2} {'N':>5}  {'rank 1 is dearer up to depth':>28}  {'rank 1 can be cheaper from depth':>32}"
    rows = ((side, *depth_window(side)) for side in sides)
    return "\n".join([header, *(f"{side:2} {side**2:5}  {last:28}  {first:32}" for side, last, first in rows)])


def first_depths(rank: Array, excess: Array, depth: Depth) -> Relation:
    """That the window begins at depth 1: the larger the depth, the steeper rank one may be at the cost kL + C."""
    layers = depth.depth
    return le((rank + excess / layers) ** layers, (rank + excess / (layers + 1)) ** (layers + 1))


def is_at_least_one(rank: Array) -> Array:
    """Whether k >= 1."""
    return np.asarray(compare(rank, 1) >= 0)


def is_positive(rank: Array, excess: Array, depth: Depth) -> Array:
    """Whether the cost kL + C is positive at this depth, and so at the next."""
    return np.asarray(compare(rank * depth.depth + excess, 0) > 0)


# False variants


def dearer_at_every_depth(direction: Array, setting: Setting) -> Relation:
    """Rank one is dearer than the identity at every depth."""
    norm = least_norm(curve_along(setting.side, direction), setting.depth)
    return le(0 * norm + 2 * setting.depth, norm)


def a_much_longer_path(direction: Array, setting: Setting) -> Relation:
    """The bound for a path through the grid of a length like its 24th power."""
    norm = least_norm(curve_along(setting.side, direction), setting.depth)
    squared = ((setting.side + 1) ** 2 + 0 * norm) / 2
    return le(setting.depth * power(squared, Fraction(12, setting.depth)), norm)


def cost_per_layer_grows(rank: Array, excess: Array, depth: Depth) -> Relation:
    """The base instead of the power."""
    return le(rank + excess / depth.depth, rank + excess / (depth.depth + 1))


def decreases_with_the_depth(rank: Array, excess: Array, depth: Depth) -> Relation:
    """The other way."""
    return ge((rank + excess / depth.depth) ** depth.depth, (rank + excess / (depth.depth + 1)) ** (depth.depth + 1))


# The grid, its rows and the table


def the_grid() -> Relation:
    """Shortest path by all orders for n = 2, 3, length of the snake for n = 2, ..., 33, diameter, and size of the bound.

    The bound of `is_dearer` is that for the path: :math:`2^{L+1} < (n + 1)^2` if and only if :math:`(P/D)^2 > 2^L`.
    """
    relation = Relation(())
    for side in range(2, 34):
        points = grid_points(side, 2)
        length, squared = rationals(side + 1), rationals(length_over_diameter_squared(side))
        relation &= eq(path_length(points), length)
        if side <= 3:
            relation &= eq(shortest_path(points), length)
        if side <= 6:
            relation &= eq(length**2, squared * largest(largest(squared_distances(points))))
        if side >= 3:
            relation &= le(squared, rationals(side**2)) & ge(2 * squared, rationals(side**2))
        for depth in range(1, 14):
            larger = ge(squared, rationals(2**depth) + Q(1, 2))
            relation &= eq(rationals(int(is_dearer(side, depth))), rationals(int(larger.verdict == Verdict.HOLDS)))
    return relation


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


def deep_interpolant() -> dict[str, Any]:
    """The interpolant of the square's corners at a large depth: the costs on both sides are L up to a constant."""
    return {"direction": rationals([[2, 1]]), "setting": Setting(2, 3_000_000)}


def rank_one_without_excess() -> dict[str, Any]:
    """Rank 1 and excess 0: both sides are 1."""
    return {"rank": rationals(1), "excess": rationals(0), "depth": Depth(7)}


SEPARATED = "distinct projections"
OURS = Source("notion_of_rank", "ours")

CLAIM = Claim(
    id="notion_of_rank.depth_window",
    title="Up to the logarithm of the number of data, rank one is dearer than the identity of the square",
    source=Source("notion_of_rank", "Rank recovery"),
    status=Ours(),
    statement=dearer_than_rank_two,
    domain=Domain(
        {"direction": reals(2), "setting": derived(Setting)},
        {"side": (2, 3, 5), "depth": (2, 4, 30)},
        {SEPARATED: separates_the_grid},
    ),
    tight={"depth 3000000": Tight(deep_interpolant, 1e-5, "L + O(1) on both sides", of=("path",))},
    loose={"inside the window": "an interpolant costs L + C_n, which is far beyond 2 L there"},
    false_neighbours={
        "at every depth": dearer_at_every_depth,
        "a much longer path": a_much_longer_path,
    },
    exact={"the grid": the_grid, "the rows": the_rows, "table for n = 3, ..., 33": the_table},
)

INITIAL = Claim(
    id="notion_of_rank.depth_window.initial",
    title="The window begins at depth 1",
    source=OURS,
    status=Ours(),
    statement=first_depths,
    domain=Domain(
        {"rank": interval(0, np.inf), "excess": reals(), "depth": GIVEN_DEPTH},
        {"depth": (1, 2, 3, 5, 8, 13)},
        {"k >= 1": is_at_least_one, "positive cost": is_positive},
    ),
    needs=("k >= 1",),
    tight={
        "k = 1 without excess": Tight(rank_one_without_excess),
        "k = 1 with a small excess": Tight(
            lambda: {"rank": rationals(1), "excess": rationals("1/1000"), "depth": Depth(2)}, 1e-6, "to first order they agree"
        ),
    },
    false_neighbours={
        "the other way": decreases_with_the_depth,
        "the cost per layer grows": cost_per_layer_grows,
    },
)
