r"""Theorem 2, shortest paths through all points and lower bounds for them.

Statement
    Let P be the length of the shortest open path through N points, M that of a minimum spanning tree, and :math:`\delta_i` the
    distance from each point to the nearest other one. Then

    .. math:: \frac12 \sum_i \delta_i \le M, \qquad \sum_i \delta_i - \max_i \delta_i \le M \le P \le 2 M .

    P = M for points of a grid, whose snake is as long as its spanning tree: :math:`P = (N - 1) h` for a grid of spacing h.
Checked
    The inequalities for up to five points in one to three dimensions, with repetitions; that the path of Held and Karp is the
    shortest of all orders (``.shortest_path``); grids exactly.
Proof idea
    A path is a tree; twice a tree is a closed walk, of which a path is a part. Directed away from its last point, or towards
    any point, a tree has an edge for every other point that is no shorter than :math:`\delta_i`; and every edge is the shortest
    at its point for at most two points.
Tight
    Points on a line, equal steps, two points.
Source
    derived here; notion_of_rank, Theorem 2, has the path through the labels.
"""

from functools import partial
from itertools import permutations

import numpy as np

from theorems.shared import paths
from verify import Claim, DerivedHere, Domain, Q, Relation, Source, Tight, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, greatest, le, least, lifted, sqrt

HALF = Q(1, 2)
shortest, tree, nearest = lifted(paths.shortest_path), lifted(paths.spanning_tree), lifted(paths.nearest_distances)
length = lifted(paths.path_length)


def between_the_bounds(Y, half=HALF, twice=2):
    P, M, delta = shortest(Y), tree(Y), nearest(Y)
    return (
        le(half * delta.sum(), M, name="half the nearest distances")
        & le(delta.sum() - greatest(delta), M, name="all but the largest")
        & le(M, P, name="tree")
        & le(P, twice * M, name="twice the tree")
    )


def all_nearest_distances(Y):
    return le(nearest(Y).sum(), tree(Y))


def orders(Y, first=slice(None)):
    """The points in all orders, or in those that begin with one of the `first` points."""
    starts = range(len(Y))[first]
    return Y[np.array([order for order in permutations(range(len(Y))) if order[0] in starts])]


def shortest_of_all_orders(Y):
    return eq(shortest(Y), least(length(orders(Y))))


def closed_paths(Y):
    paths = orders(Y)
    closing = sqrt(((paths[:, -1] - paths[:, 0]) ** 2).sum(axis=1))
    return eq(shortest(Y), least(length(paths) + closing))


def from_the_first_point(Y):
    return eq(shortest(Y), least(length(orders(Y, slice(1)))))


def snakes_of_grids():
    """On grids the path in the order of the snake, the spanning tree, and (N - 1) h are equal; and the shortest path."""
    relation = Relation(())
    for side, dimension in ((2, 1), (5, 1), (2, 2), (3, 2), (4, 2), (7, 2), (2, 3), (3, 3)):
        Y = paths.grid_points(side, dimension)
        stated = rationals(len(Y) - 1) / (side - 1)
        relation &= eq(length(Y), stated) & eq(tree(Y), stated)
        if len(Y) <= paths.MOST_POINTS:
            relation &= eq(shortest(Y), stated)
    return relation


def equal_steps(count):
    """Points at equal distances on a line: all but one of the points have an edge as short as can be."""
    return {"Y": [[place] for place in range(count)]}


TETRAHEDRON = {"Y": [[0, 0, 0], [1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]}
"""The centre and the corners: a star whose shortest path is 1.316 times as long as its tree."""
SIZES = {"count": (2, 3, 4, 5), "dimension": (1, 2, 3)}
DOMAIN = Domain({"Y": reals("count", "dimension", role="few points")}, SIZES)
OURS = Source("notion_of_rank", "derived here")

BOUNDS = Claim(
    id="notion_of_rank.theorem_2.path_bounds",
    title="The shortest path is between a spanning tree and twice its length",
    source=OURS,
    status=DerivedHere(),
    statement=between_the_bounds,
    domain=DOMAIN,
    tight={
        "on a line": Tight(lambda: {"Y": [[0, 0], [3, 4], ["-3/2", -2], [6, 8], [0, 0]]}, of=("tree",)),
        "equal steps": Tight(partial(equal_steps, 4), of=("all but the largest", "tree")),
        "two points": Tight(partial(equal_steps, 2), of=("half the nearest distances",)),
    },
    not_known_tight={
        "twice the tree": "a star stays away from it, for a path leaves a leg at its tip",
        "twice": "a star stays away from it, for a path leaves a leg at its tip",
    },
    false_variants={
        "the sum of all nearest distances": all_nearest_distances,
        "0.6 of the sum": {"half": Q(3, 5)},
        "the path is at most 13/10 of the tree": {"twice": Q(13, 10)},
    },
    exact={"snakes of grids": snakes_of_grids},
    examples=[TETRAHEDRON],
    cost=4,
)

ORDERS = Claim(
    id="notion_of_rank.theorem_2.shortest_path",
    title="The path of Held and Karp is the shortest of all orders",
    source=OURS,
    status=DerivedHere(),
    statement=shortest_of_all_orders,
    domain=DOMAIN,
    false_variants={
        "closed paths": closed_paths,
        "from the first point": from_the_first_point,
    },
)
