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
from itertools import permutations
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.paths import (
    MOST_POINTS,
    grid_points,
    nearest_distances,
    path_length,
    shortest_path,
    spanning_tree,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, largest, rationals, smallest, sqrt


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
