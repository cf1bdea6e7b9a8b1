r"""Shortest paths through all points, which Theorem 2 is about, and lower bounds for them.

The length of the shortest open path through N points is found exactly for N <= 12 (`shortest_path`, Held and Karp). Beyond
that the length of a minimum spanning tree (`spanning_tree`) is a lower bound within a factor of 2, and so are sums of the
distances :math:`\delta_i` from each point to its nearest neighbour, though without such a factor:

.. math:: \frac12 \sum_i \delta_i \le M, \qquad \sum_i \delta_i - \max_i \delta_i \le M \le P \le 2 M ,

with M and P for tree and path. These inequalities are checked for up to five points in one to three dimensions, with
repetitions (for so few, P is far from 2 M), and that the path found is the shortest of all orders. P = M for points of a grid,
whose snake is as long as its spanning tree (`grid_points`): :math:`P = (N - 1) h` for a grid of spacing h.

Idea of the proof: a path is a tree; twice a tree is a closed walk, of which a path is a part. Directed away from
its last point, or towards any point, a tree has an edge for every other point that is no shorter than :math:`\delta_i`; and
every edge is the shortest at its point for at most two points.

Source: ours; notion_of_rank, Theorem 2, has the path through the labels.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np

from theorems.notion_of_rank.theorem_1 import squares
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, largest, rationals, smallest, sqrt
from verify.matrices.arguments import checked

MOST_POINTS = 12


def squared_distances(points: Array) -> Array:
    """Squared distances of all pairs, shape ``(..., N, m) -> (..., N, N)``."""
    return squares(points[..., :, None, :] - points[..., None, :, :])


def shortest_path(points: Array) -> Array:
    """Length of the shortest path through all points, from any to any, shape ``(..., N, m) -> (...)``; 0 for one point.

    Raises
    ------
    ValueError
        No point, or more than 12: see `spanning_tree` for a lower bound; NaN or infinity.
    """
    points = some_points(points)
    count = points.shape[-2]
    if count > MOST_POINTS:
        raise ValueError(f"points must be at most {MOST_POINTS}, got {count}: spanning_tree gives a lower bound for more")
    distances = sqrt(squared_distances(points))
    # for a set of points (a bit mask): the shortest path through it that ends in each of its points, in order
    ends: dict[int, Array] = {1 << i: 0 * distances[..., :1, 0] for i in range(count)}
    for size in range(2, count + 1):
        longer: dict[int, Array] = {}
        for members in combinations(range(count), size):
            mask = sum(1 << i for i in members)
            last = [smallest(ends[mask ^ (1 << i)] + distances[..., [j for j in members if j != i], i]) for i in members]
            longer[mask] = np.stack(last, axis=-1)
        ends = longer
    return np.asarray(smallest(next(iter(ends.values())))) if count > 1 else 0 * distances[..., 0, 0]


def spanning_tree(points: Array) -> Array:
    """Length of a minimum spanning tree, shape ``(..., N, m) -> (...)``, by Prim's algorithm; no limit on N.

    Which edges it has is decided on the squared distances, so that for rational points only the sum of roots is a ball.

    Raises
    ------
    ValueError
        No point; NaN or infinity.
    """
    points = some_points(points)
    squared = squared_distances(points)
    beyond = squared.sum(axis=(-2, -1), keepdims=True)[..., 0] + 1
    chosen = np.zeros(squared.shape[:-1], dtype=bool)
    chosen[..., 0] = True
    nearest, length = squared[..., 0, :], 0 * squared[..., 0, 0]
    for _ in range(points.shape[-2] - 1):
        candidates = np.where(chosen, beyond, nearest)
        place = np.argmin(candidates, axis=-1)[..., None]
        length = length + sqrt(np.take_along_axis(candidates, place, axis=-1))[..., 0]
        np.put_along_axis(chosen, place, True, axis=-1)
        row = np.take_along_axis(squared, place[..., None], axis=-2)[..., 0, :]
        nearest = np.where(row < nearest, row, nearest)
    return np.asarray(length)


def nearest_distances(points: Array) -> Array:
    """Distance of every point to the nearest other one, shape ``(..., N, m) -> (..., N)``.

    Raises
    ------
    ValueError
        Fewer than two points; NaN or infinity.
    """
    points = some_points(points, least=2)
    squared = squared_distances(points)
    own = np.eye(points.shape[-2], dtype=bool)
    return sqrt(smallest(np.where(own, squared.sum(axis=(-2, -1), keepdims=True), squared)))


def some_points(points: Array, least: int = 1) -> Array:
    """`points`, checked: at least `least` of them in at least one dimension, all finite."""
    array = checked(points, "points")
    if array.shape[-2] < least:
        raise ValueError(f"points must be at least {least}, got {array.shape[-2]}: shape (..., N, m) is accepted")
    return array


def grid_points(side: int, dimension: int) -> Array:
    """The grid of ``side ** dimension`` rational points of the unit cube, in the order of a snake.

    Neighbours in this order are neighbours in the grid.

    Raises
    ------
    ValueError
        `side` is below 2 or `dimension` below 1.
    """
    if not (isinstance(side, int) and isinstance(dimension, int)) or side < 2 or dimension < 1:
        raise ValueError(f"side must be at least 2 and dimension at least 1, got {side} and {dimension}")
    snake = np.arange(side)[:, None]
    for _ in range(dimension - 1):
        rows = [snake if place % 2 == 0 else snake[::-1] for place in range(side)]
        snake = np.vstack([np.hstack([row, np.full((len(row), 1), place)]) for place, row in enumerate(rows)])
    return rationals(snake) / (side - 1)


def path_length(points: Array) -> Array:
    """Length of the path through the points in their order, shape ``(..., N, m) -> (...)``."""
    return np.asarray(sqrt(squares(points[..., 1:, :] - points[..., :-1, :])).sum(axis=-1))


def between_the_bounds(
    points: Array, twice: int = 200, half: int = 50, largest_taken: bool = True, basis_points: int = 10_000
) -> Relation:
    """All inequalities; the factors in per cent, the constant of the spanning tree in units of 1/10000."""
    path, tree, near = shortest_path(points), spanning_tree(points), nearest_distances(points)
    total, size = near.sum(axis=-1), path_length(points)
    most = largest(near) if largest_taken else 0 * total
    return (
        le(total * half / 100, tree, scale=size)
        & le(total - most, tree, scale=size)
        & le(tree * basis_points / 10_000, path, scale=size)
        & le(path, tree * twice / 100, scale=size)
    )


def shortest_of_all_orders(points: Array, closed: bool = False, first_fixed: bool = False) -> Relation:
    """The path that is found against the shortest of all orders."""
    orders = [order for order in permutations(range(points.shape[-2])) if not first_fixed or order[0] == 0]
    paths = points[..., np.array(orders), :]
    lengths = path_length(paths)
    if closed:
        lengths = lengths + sqrt(squares(paths[..., -1, :] - paths[..., 0, :]))
    return eq(shortest_path(points), smallest(lengths), scale=largest(lengths))


def snakes_of_grids() -> Relation:
    """On grids the path in the order of the snake, the spanning tree, and (N - 1) h are equal; and the shortest path."""
    relation = Relation(())
    for side, dimension in ((2, 1), (5, 1), (2, 2), (3, 2), (4, 2), (7, 2), (2, 3), (3, 3)):
        points = grid_points(side, dimension)
        length = (rationals([len(points)]) - 1) / (side - 1)
        relation &= eq(path_length(points), length) & eq(spanning_tree(points), length)
        if len(points) <= MOST_POINTS:
            relation &= eq(shortest_path(points), length)
    return relation


def on_a_line() -> dict[str, Any]:
    """Points of a line: the spanning tree is the path."""
    return {"points": rationals([[0, 0], [3, 4], ["-3/2", -2], [6, 8], [0, 0]])}


def two_pairs() -> dict[str, Any]:
    """Two pairs at a distance: all but one of the points have an edge as short as can be."""
    return {"points": rationals([[0], [1], [2], [3]])}


SIZES = {"count": (2, 3, 4, 5), "dimension": (1, 2, 3)}
OURS = Source("notion_of_rank", "ours")

BOUNDS = Claim(
    id="notion_of_rank.theorem_2.path_bounds",
    title="Lower bounds for the shortest path through points",
    source=OURS,
    status=Ours(),
    statement=between_the_bounds,
    domain=Domain({"points": reals("count", "dimension")}, SIZES),
    tight={"on a line": Tight(on_a_line), "equal steps": Tight(two_pairs)},
    false_neighbours={
        "the sum of all nearest distances": partial(between_the_bounds, largest_taken=False),
        "0.6 of the sum": partial(between_the_bounds, half=60),
        "1.01 times the tree": partial(between_the_bounds, basis_points=10_100),
        "the path is at most 1.1 times the tree": partial(between_the_bounds, twice=110),
    },
    exact={"snakes of grids": snakes_of_grids},
    cost=4,
)

ORDERS = Claim(
    id="notion_of_rank.theorem_2.shortest_path",
    title="The path of Held and Karp is the shortest of all orders",
    source=OURS,
    status=Ours(),
    statement=shortest_of_all_orders,
    domain=Domain({"points": reals("count", "dimension")}, SIZES),
    false_neighbours={
        "closed paths": partial(shortest_of_all_orders, closed=True),
        "from the first point": partial(shortest_of_all_orders, first_fixed=True),
    },
)
