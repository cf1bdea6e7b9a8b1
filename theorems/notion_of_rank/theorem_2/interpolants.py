r"""Theorem 2 for the interpolants of Proposition 2: they are as steep as the path through the labels is long.

Statement
    Let P be the length of the shortest open path through the labels and D the diameter of the data. The interpolant h(u x + c)
    along a direction u runs through all labels, so that with the length Z of the interval of its places

    .. math:: P \le Z \sup |h'| \le D \, \|u\| \sup |h'| , \qquad
              \frac RL \ge \Bigl(\frac PD\Bigr)^{2/L}, \qquad R - L \ge 2 \log \frac PD .
Checked
    All four, for every direction that separates the data. One point is fitted by a constant, for which nothing is necessary.
Sharp
    Labels on a line in the order of the data; two points at distance 1 with such labels.
Source
    ours, beside Theorem 2 of notion_of_rank.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.paths import path_length, shortest_path, squared_distances
from theorems.notion_of_rank.constructions.rank_one import mean_labels, norm_of_network, rank_one_curve, rank_one_interpolant
from theorems.notion_of_rank.prop_2.statement import DATA, SEPARATED, are_separated
from theorems.notion_of_rank.theorem_2.statement import costs
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, largest, rationals, sqrt


def steep_interpolant(points: Array, labels: Array, direction: Array, depth: Depth) -> Relation:
    """The path through the labels against the slopes of the interpolant, and against its norm."""
    path, curve = shortest_path(mean_labels(points, labels)), rank_one_curve(points, labels, direction)
    diameter = largest(largest(squared_distances(points)))
    norm = norm_of_network(curve, depth.depth, 0 * points[..., 1:, 0] + 1)
    along = le(path**2, curve.longest * curve.steepest, name="curve")
    slope = le(path**2, diameter * squares(direction) * curve.steepest, name="slope")
    return along & slope & costs(path, points, norm, depth.depth)


# False variants


def closed_paths_of_labels(points: Array, labels: Array, direction: Array) -> Relation:
    """The interpolant is as long as a closed path."""
    fitted, curve = mean_labels(points, labels), rank_one_curve(points, labels, direction)
    path = shortest_path(fitted) + sqrt(squares(fitted[..., 0, :] - fitted[..., -1, :]))
    return le(path**2, curve.longest * curve.steepest)


def labels_in_the_order_of_the_data(points: Array, labels: Array, direction: Array) -> Relation:
    """The interpolant is as long as the path through the labels in the order of the data."""
    curve = rank_one_curve(points, labels, direction)
    return le(path_length(mean_labels(points, labels)) ** 2, curve.longest * curve.steepest)


# Exact parts and tight examples


def one_point() -> Relation:
    """One point is fitted by a constant of the same norm at every depth, and the path has length 0: nothing is necessary."""
    point, label = rationals([[1, 2]]), rationals([["3/5", "4/5"]])
    norms = [rank_one_interpolant(point, label, depth).parameter_norm_squared for depth in (2, 3, 100)]
    return eq(np.array(norms), rationals([1, 1, 1]), over=1) & eq(shortest_path(label), rationals(0))


def labels_on_a_line() -> dict[str, Any]:
    """Points and labels on lines, in the same order."""
    return {
        "points": rationals([[[0, 0], [3, 4], [9, 12]]]),
        "labels": rationals([[[1], [3], [7]]]),
        "direction": rationals([["3/5", "4/5"]]),
        "depth": Depth(3),
    }


def identity_of_two_points(depth: int) -> dict[str, Any]:
    """The labels 0 and 1 of (0, 0) and (1, 0): an interpolant of norm L at every depth."""
    points = rationals([[[0, 0], [1, 0]]])
    return {"points": points, "labels": points[..., :1], "direction": rationals([[1, 0]]), "depth": Depth(depth)}


INTERPOLANTS = Claim(
    id="notion_of_rank.theorem_2.interpolants",
    title="The interpolants of Proposition 2 are as steep as the path through the labels is long",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=steep_interpolant,
    domain=Domain(
        {**DATA, "depth": GIVEN_DEPTH},
        {"depth": (2, 3, 6), "count": (2, 3, 5), "inputs": (1, 2, 3), "outputs": (1, 2, 3)},
        {SEPARATED: are_separated},
    ),
    needs=(SEPARATED,),
    tight={
        "lines": Tight(labels_on_a_line, of=("curve", "slope")),
        "two points": Tight(partial(identity_of_two_points, 3)),
        "two points, depth 7": Tight(partial(identity_of_two_points, 7)),
    },
    exact={"one point": one_point},
    false_variants={
        "closed paths": closed_paths_of_labels,
        "the labels in the order of the data": labels_in_the_order_of_the_data,
    },
    cost=4,
)
