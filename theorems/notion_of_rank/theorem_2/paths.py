r"""Theorem 2, shortest paths through all points and lower bounds for them.

Statement
    Let P be the length of the shortest open path through N points, M that of a minimum spanning tree, and :math:`\delta_i` the
    distance from each point to its nearest neighbour. Then

    .. math:: \frac12 \sum_i \delta_i \le M, \qquad \sum_i \delta_i - \max_i \delta_i \le M \le P \le 2 M .

    P = M for points of a grid, whose snake is as long as its spanning tree: :math:`P = (N - 1) h` for a grid of spacing h.
Checked
    The inequalities for up to five points in one to three dimensions, with repetitions; that the path of Held and Karp is the
    shortest of all orders (``.shortest_path``); grids exactly.
Proof idea
    A path is a tree; twice a tree is a closed walk, of which a path is a part. Directed away from its last point, or towards
    any point, a tree has an edge for every other point that is no shorter than :math:`\delta_i`; and every edge is the shortest
    at its point for at most two points.
Sharp
    Points on a line, equal steps, two points.
Source
    ours; notion_of_rank, Theorem 2, has the path through the labels.
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
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, largest, rationals, smallest, sqrt

HALF = Q("1/2")


def between_the_bounds(points: Array, half: Q = HALF, twice: Q | int = 2) -> Relation:
    """All inequalities."""
    path, tree, near = shortest_path(points), spanning_tree(points), nearest_distances(points)
    total = near.sum(axis=-1)
    return (
        le(half * total, tree, name="half the nearest distances")
        & le(total - largest(near), tree, name="all but the largest")
        & le(tree, path, name="tree")
        & le(path, twice * tree, name="twice the tree")
    )


def shortest_of_all_orders(points: Array) -> Relation:
    """The path that is found against the shortest of all orders."""
    orders = np.array(list(permutations(range(points.shape[-2]))))
    return eq(shortest_path(points), smallest(path_length(points[..., orders, :])))


# False variants


def all_nearest_distances(points: Array) -> Relation:
    """The sum of all nearest distances bounds the tree."""
    return le(nearest_distances(points).sum(axis=-1), spanning_tree(points))


def closed_paths(points: Array) -> Relation:
    """The shortest of all closed paths."""
    paths = points[..., np.array(list(permutations(range(points.shape[-2])))), :]
    closing = sqrt(squares(paths[..., -1, :] - paths[..., 0, :]))
    return eq(shortest_path(points), smallest(path_length(paths) + closing))


def from_the_first_point(points: Array) -> Relation:
    """The shortest of all orders that begin with the first point."""
    orders = np.array([order for order in permutations(range(points.shape[-2])) if order[0] == 0])
    return eq(shortest_path(points), smallest(path_length(points[..., orders, :])))


# Grids, and tight examples


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


def equal_steps(count: int) -> dict[str, Any]:
    """Points at equal distances on a line: all but one of the points have an edge as short as can be."""
    return {"points": rationals(np.arange(count)[:, None])}


SIZES = {"count": (2, 3, 4, 5), "dimension": (1, 2, 3)}
OURS = Source("notion_of_rank", "ours")

BOUNDS = Claim(
    id="notion_of_rank.theorem_2.path_bounds",
    title="The shortest path through points lies between a spanning tree and twice its length",
    source=OURS,
    status=Ours(),
    statement=between_the_bounds,
    domain=Domain({"points": reals("count", "dimension", role="few points")}, SIZES),
    tight={
        "on a line": Tight(on_a_line, of=("tree",)),
        "equal steps": Tight(partial(equal_steps, 4), of=("all but the largest", "tree")),
        "two points": Tight(partial(equal_steps, 2), of=("half the nearest distances",)),
    },
    loose={
        "twice the tree": "stars come near it only with very many points",
        "twice": "stars come near it only with very many points",
    },
    false_variants={
        "the sum of all nearest distances": all_nearest_distances,
        "0.6 of the sum": partial(between_the_bounds, half=Q("3/5")),
        "the path is at most 11/10 of the tree": partial(between_the_bounds, twice=Q("11/10")),
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
    domain=Domain({"points": reals("count", "dimension", role="few points")}, SIZES),
    false_variants={
        "closed paths": closed_paths,
        "from the first point": from_the_first_point,
    },
)
