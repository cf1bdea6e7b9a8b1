"""The cost of rank one and of the identity on the grid, at depths inside and outside the window."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.paths import grid_points, path_length, shortest_path, squared_distances
from theorems.notion_of_rank.constructions.rank_one import least_norm, separates
from theorems.notion_of_rank.depth_window.table import check_side, curve_along, the_rows, the_table
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, ge, le, reals
from verify.arithmetic import Array, floats, is_exact, largest, power, rationals
from verify.relation import Verdict


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


def is_dearer(side: int, depth: int) -> bool:
    r"""Whether :math:`L < 2\log_2(n + 1) - 1`, decided in integers: rank one is then dearer than the identity."""
    return bool(2 ** (depth + 1) < (side + 1) ** 2)


def length_over_diameter_squared(side: int) -> Q:
    """The shortest path through the grid over the diameter of the square, squared."""
    return Q((side + 1) ** 2, 2)


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


def deep_interpolant() -> dict[str, Any]:
    """The interpolant of the square's corners at a large depth: the costs on both sides are L up to a constant."""
    return {"direction": rationals([[2, 1]]), "setting": Setting(2, 3_000_000)}


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
    false_variants={
        "at every depth": dearer_at_every_depth,
        "a much longer path": a_much_longer_path,
    },
    exact={"the grid": the_grid, "the rows": the_rows, "table for n = 3, ..., 33": the_table},
)
