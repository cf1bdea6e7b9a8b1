r"""Theorem 2 on the grid of the square: along a snake its exponent is attained.

Statement
    The n x n grid of :math:`[0, 1]^2`, :math:`N = n^2`, has a shortest path of length :math:`(N - 1)/(n - 1)`, so that a
    function of bottleneck rank one that is the identity on it has :math:`\sup \|Jf\|_{op} \ge (n + 1)/\sqrt 2`. The
    `SnakeInterpolant` is h(g(x)). Its g is the number along a snake through the grid, interpolated linearly on triangles, and h
    the snake as a path of speed 1 / (n - 1). It has

    .. math:: \sup \|Jf\|_{op} = \sqrt{1 + (2 n - 1)^2} < 2 \sqrt 2 \, \frac{n + 1}{\sqrt 2} ,

    so that both are of the order :math:`N^{1/2}`.
Checked
    Values on the grid and largest slope of the snake for n = 2, ..., 17, and the Lipschitz bound for pairs of points.
Sharp
    Two points of the snake in the direction of the largest gradient.
Source
    ours, beside Theorem 2 of notion_of_rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.paths import grid_points
from theorems.notion_of_rank.theorem_2.grids import OURS, Side
from verify import Claim, Domain, Ours, Relation, Tight, derived, eq, ge, interval, le
from verify.arithmetic import Array, floats, is_exact, rationals


@dataclass(frozen=True)
class SnakeInterpolant:
    """The function of bottleneck rank one that is the identity on the grid of ``side ** 2`` points of the unit square.

    It takes points of the square, shape ``(..., 2)``, floats or rationals.

    Raises
    ------
    ValueError
        `side` is below 2.
    """

    side: int

    def __post_init__(self) -> None:
        if not isinstance(self.side, int) or self.side < 2:
            raise ValueError(f"side must be an integer, at least 2, got {self.side}")

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """Places of the grid points along the snake, by column and row."""
        rows = np.arange(self.side**2).reshape(self.side, self.side)
        rows[1::2] = rows[1::2, ::-1]
        return rows.T

    def coordinate(self, x: Array) -> Array:
        """g: the place along the snake, interpolated on the two triangles of each cell, shape ``(..., 2) -> (...)``.

        Raises
        ------
        ValueError
            A point is not in the unit square.
        """
        if x.shape[-1:] != (2,):
            raise ValueError(f"x must hold points of the plane, shape (..., 2), got the shape {x.shape}")
        if not np.all((x >= 0) & (x <= 1)):
            raise ValueError("x must hold points of the unit square, got a coordinate that is not between 0 and 1")
        scaled = x.reshape(-1, 2) * (self.side - 1)
        cell = np.clip(_floor(scaled), 0, self.side - 2)
        first, second = (scaled - cell).T
        right, up = cell.T
        numbers, below = self.numbers, np.asarray(first >= second, dtype=bool)
        corner, opposite = numbers[right, up], numbers[right + 1, up + 1]
        middle = np.where(below, numbers[right + 1, up], numbers[right, up + 1])
        larger, smaller = np.where(below, first, second), np.where(below, second, first)
        return np.asarray(corner + larger * (middle - corner) + smaller * (opposite - middle)).reshape(x.shape[:-1])

    def path(self, place: Array) -> Array:
        """h: the point of the snake at a place, shape ``(...) -> (..., 2)``; straight on beyond the ends."""
        points = grid_points(self.side, 2)
        points, flat = points if is_exact(place) else floats(points), place.reshape(-1)
        step = np.clip(_floor(flat), 0, self.side**2 - 2)
        found = points[step] + (flat - step)[:, None] * (points[step + 1] - points[step])
        return np.asarray(found.reshape(*place.shape, 2))

    def __call__(self, x: Array) -> Array:
        """h(g(x))."""
        return self.path(self.coordinate(x))

    @property
    def largest_slope_squared(self) -> int:
        """The largest squared gradient of g, times the squared speed of h: the square of the Lipschitz constant."""
        numbers = self.numbers
        across, along = np.diff(numbers, axis=0), np.diff(numbers, axis=1)
        below = across[:, :-1] ** 2 + along[1:] ** 2
        above = across[:, 1:] ** 2 + along[:-1] ** 2
        return int(max(below.max(), above.max()))


def _floor(values: Array) -> npt.NDArray[np.int64]:
    whole = np.frompyfunc(lambda value: int(value.floor()), 1, 1)(values) if is_exact(values) else np.floor(values)
    return np.asarray(whole, dtype=np.int64)


def no_steeper(x: Array, toward: Array, grid: Side) -> Relation:
    """The distance of the images of x and of a point near it."""
    snake, y = SnakeInterpolant(grid.side), x + (toward - x) / 64
    return le(squares(snake(x) - snake(y)), snake.largest_slope_squared * squares(x - y))


def snakes_are_sharp() -> Relation:
    """Values on the grid, the largest slope, and its square against what is necessary, for n = 2, ..., 17."""
    relation = Relation(())
    for side in range(2, 18):
        snake, points = SnakeInterpolant(side), grid_points(side, 2)
        slope, necessary = rationals([snake.largest_slope_squared]), rationals([(side + 1) ** 2]) / 2
        relation &= eq(snake(points), points, over=2) & eq(slope, rationals([1 + (2 * side - 1) ** 2]))
        relation &= ge(slope, necessary) & le(slope, 8 * necessary)
    return relation


def steepest_place(side: int) -> dict[str, Any]:
    """A point, and another one in the direction of the largest gradient of g, between two places of the snake."""
    step = rationals([1]) / (1 + (2 * side - 1) ** 2) / (side - 1)
    x = np.stack([0 * step, 0 * step + 1 / rationals([side - 1])[0]], axis=-1)
    return {"x": x, "toward": x + np.stack([step, -(2 * side - 1) * step], axis=-1), "grid": Side(side)}


# False variants


def slope_that_is_necessary(x: Array, toward: Array, grid: Side) -> Relation:
    """The snake is as flat as the shortest path asks for."""
    snake, y = SnakeInterpolant(grid.side), x + (toward - x) / 64
    return le(squares(snake(x) - snake(y)), (grid.side + 1) ** 2 * squares(x - y) / 2)


def slope_of_a_shorter_row(x: Array, toward: Array, grid: Side) -> Relation:
    """The largest slope with 2 n - 2 for 2 n - 1."""
    snake, y = SnakeInterpolant(grid.side), x + (toward - x) / 64
    return le(squares(snake(x) - snake(y)), (1 + (2 * grid.side - 2) ** 2) * squares(x - y))


SIDES = (2, 3, 5)

SNAKE = Claim(
    id="notion_of_rank.theorem_2.snake",
    title="Along a snake the exponent of the theorem is attained",
    source=OURS,
    status=Ours(),
    statement=no_steeper,
    domain=Domain({"x": interval(0, 1, 2), "toward": interval(0, 1, 2), "grid": derived(Side)}, {"side": SIDES}),
    tight={f"n = {side}": Tight(partial(steepest_place, side)) for side in SIDES},
    false_variants={
        "2 n - 2 for 2 n - 1": slope_of_a_shorter_row,
        "the slope that is necessary": slope_that_is_necessary,
    },
    exact={"n = 2, ..., 17": snakes_are_sharp},
    cost=4,
)
