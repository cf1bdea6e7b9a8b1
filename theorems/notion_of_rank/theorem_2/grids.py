r"""Theorem 2 on grids: its exponent is sharp for k = 2, and functions of deficient rank must be steep on every fine grid.

**Sharp.** The n x n grid of :math:`[0, 1]^2`, :math:`N = n^2`, has a shortest path of length :math:`(N - 1)/(n - 1)`, so that a
function of bottleneck rank one that is the identity on it has :math:`\sup \|Jf\|_{op} \ge (n + 1)/\sqrt 2`. The
`SnakeInterpolant` h(g(x)) has, with the number along a snake through the grid, interpolated linearly on triangles, for g, and
the snake as a path of speed 1 / (n - 1) for h,

.. math:: \sup \|Jf\|_{op} = \sqrt{1 + (2 n - 1)^2} < 2 \sqrt 2 \, \frac{n + 1}{\sqrt 2} ,

so that both are of the order :math:`N^{1/2}`. Its values on the grid and its largest slope are exact for n = 2, ..., 17; the
Lipschitz bound is checked for pairs of points.

**Other ranks.** Let f be Lipschitz with constant :math:`\Lambda` on :math:`[0, 1]^k` with an image of measure zero, for
instance piecewise linear of bottleneck rank or of Jacobian rank below k. Then on the grid of spacing h

.. math:: \max_i \|f(x_i) - x_i\|_\infty + \tfrac12 (\Lambda + 1) h \sqrt k \ge \tfrac12 ,

so that an f that is the identity on the grid has :math:`\Lambda \ge 1 / (h \sqrt k) - 1`, of the order :math:`N^{1/k}`. It is
checked for networks with a hidden layer of fewer than k neurons, with the product of the norms of the layers for
:math:`\Lambda`.

Idea of the proof of the last: if :math:`\|f(x) - x\|_\infty \le \frac12 - \delta` on the cube, then for every c within
:math:`\delta` of the centre x - f(x) + c maps the cube into itself and has a fixed point (Brouwer), so that c is in the image.

Source: ours, beside Theorem 2 of notion_of_rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import squares, values_at
from theorems.notion_of_rank.constructions.paths import grid_points
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, absolute, floats, is_exact, largest, rationals, sqrt
from verify.matrices import operator_norm
from verify.networks import FullyConnected


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


def no_steeper(x: Array, toward: Array, basis_points: int = 10_000, necessary: bool = False) -> Relation:
    """The distance of the images of x and of a point near it, for several grids."""
    y, relation = x + (toward - x) / 64, Relation(())
    for side in SIDES:
        snake = SnakeInterpolant(side)
        moved, between = squares(snake(x) - snake(y)), squares(x - y)
        slope = snake.largest_slope_squared * between * basis_points / 10_000
        bound = (side + 1) ** 2 * between / 2 if necessary else slope
        relation &= le(moved, bound, noise=2.0**-44 * side**4 * np.sqrt(floats(between)))
    return relation


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
    return {"x": x, "toward": x + np.stack([step, -(2 * side - 1) * step], axis=-1)}


def low_dimensional_network(
    bottleneck: int, dimension: int, entry: Array, exit_weight: Array, entry_bias: Array, exit_bias: Array
) -> FullyConnected:
    """The first coordinates, and 1/2 for the others, through a hidden layer, plus an eighth of what is given."""
    start = np.eye(bottleneck, dimension, dtype=int)
    centre = np.array([0 if i < bottleneck else 1 for i in range(dimension)])
    exact = is_exact(entry)
    start, centre = (rationals(start), rationals(centre) / 2) if exact else (start.astype(float), centre / 2)
    return FullyConnected([start + entry / 8, start.T + exit_weight / 8], [entry_bias / 8, centre + exit_bias / 8])


def constant_centre(side: int) -> dict[str, Any]:
    """The network of the plane with the one value (1/2, 1/2)."""
    entry, centre = rationals([[-8, 0]]), rationals([4, 0])
    return {"network": low_dimensional_network(1, 2, entry, entry.T, rationals([0]), centre), "grid": Side(side)}


def has_deficient_rank(network: FullyConnected) -> Array:
    """Whether the hidden layer has fewer neurons than there are inputs."""
    return np.full(network.batch_shape, network.widths[1] < network.widths[0])


@dataclass(frozen=True)
class Side:
    """How many points a grid has in a row: a size of a domain, for all instances of a batch the same."""

    side: int

    def __getitem__(self, index: Any) -> Side:
        return self


def misses_the_identity(network: FullyConnected, grid: Side, least: int = 50) -> Relation:
    """The displacement of the grid points and the slopes, against `least` per cent."""
    dimension, side = network.widths[0], grid.side
    points = grid_points(side, dimension)
    points = points if network.is_exact else floats(points)
    points = np.broadcast_to(points, (*network.batch_shape, *points.shape))
    displaced = largest(largest(absolute(values_at(network, points) - points)))
    slope = operator_norm(network.weights[0]) * operator_norm(network.weights[1])
    root = sqrt(rationals(dimension)) if network.is_exact else np.sqrt(dimension)
    # integers over an integer, so that both arithmetics mean the same number
    return ge(displaced + (slope + 1) * root / (2 * (side - 1)), (0 * displaced + least) / 100)


SIDES = (2, 3, 5)
GRIDS = {2: 9, 3: 5}
"""Points in a row of the grids of the plane and of space, as they are drawn."""
OURS = Source("notion_of_rank", "ours")

SNAKE = Claim(
    id="notion_of_rank.theorem_2.snake",
    title="Along a snake the exponent of the theorem is attained",
    source=OURS,
    status=Ours(),
    statement=no_steeper,
    domain=Domain({"x": interval(0, 1, 2), "toward": interval(0, 1, 2)}),
    tight={f"n = {side}": Tight(partial(steepest_place, side)) for side in SIDES},
    false_neighbours={
        "slope 0.9": partial(no_steeper, basis_points=8_100),
        "the slope that is necessary": partial(no_steeper, necessary=True),
    },
    exact={"n = 2, ..., 17": snakes_are_sharp},
    cost=4,
)

DEFICIENT = Claim(
    id="notion_of_rank.theorem_2.deficient_rank",
    title="What has not full rank is far from the identity, or steep",
    source=OURS,
    status=Ours(),
    statement=misses_the_identity,
    domain=Domain(
        {
            "network": derived(
                low_dimensional_network,
                entry=reals("bottleneck", "dimension"),
                exit_weight=reals("dimension", "bottleneck"),
                entry_bias=reals("bottleneck"),
                exit_bias=reals("dimension"),
            ),
            "grid": derived(Side),
        },
        {"dimension": tuple(GRIDS), "bottleneck": (1, 2, 3), "side": tuple(GRIDS.values())},
        {"a layer narrower than the inputs": has_deficient_rank},
        sizes_where=lambda sizes: sizes["bottleneck"] <= sizes["dimension"] and sizes["side"] == GRIDS[sizes["dimension"]],
    ),
    needs=("a layer narrower than the inputs",),
    tight={"the centre": Tight(partial(constant_centre, 161), 0.01, "approached by the constant as the grid becomes finer")},
    false_neighbours={
        "3/4 in place of 1/2": partial(misses_the_identity, least=75),
        "7/10 in place of 1/2": partial(misses_the_identity, least=70),
    },
    cost=4,
)
