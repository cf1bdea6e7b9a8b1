"""The same distance by the sum of the absolute logs, and for a pseudo-determinant of 1."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.spectra import (
    cost_per_layer,
    logs_of,
    positive_singular_values,
    quadratic_term,
    remainder,
)
from theorems.notion_of_rank.depth_expansion import MATRIX
from theorems.notion_of_rank.infinite_depth_limit.statement import LADDER, OURS, SIZES, deep, distances
from verify import Claim, Domain, Ours, Q, Rate, Relation, Tight, ge, interval, le
from verify.arithmetic import Array, absolute, compare, exp, power, rationals
from verify.matrices import rank


def explicit(matrix: Array, depth: Depth, factor: Q | int = 2) -> Relation:
    """The bound by the sum of the absolute logs."""
    total = absolute(logs_of(positive_singular_values(matrix))).sum(axis=-1)
    found = absolute(cost_per_layer(matrix, depth.depth) - rank(matrix))
    return le(found, factor * total / depth.depth * (exp(0 * total + 1) - 1))


def is_deep_enough(matrix: Array, depth: Depth) -> Array:
    r"""Whether :math:`L \ge 2 \max_i|\log s_i|`."""
    logs = logs_of(positive_singular_values(matrix))
    return np.asarray((compare(2 * absolute(logs), 0 * logs + depth.depth) <= 0).all(axis=-1))


def unit_determinant(size: Array, depth: Depth) -> Relation:
    """Both bounds for the singular values s and 1 / s."""
    values = np.stack([size, 1 / size], axis=-1)
    found = power(values, Fraction(2, depth.depth)).sum(axis=-1) - 2
    below = ge(found, quadratic_term(values, depth.depth) / depth.depth, name="from below")
    return below & le(found, remainder(values, depth.depth) / depth.depth, name="from above")


# False variants


def explicit_with_the_determinant(matrix: Array, depth: Depth) -> Relation:
    """The explicit bound with the log of the pseudo-determinant in place of the sum of absolute logs."""
    total = absolute(logs_of(positive_singular_values(matrix)).sum(axis=-1))
    found = absolute(cost_per_layer(matrix, depth.depth) - rank(matrix))
    return le(found, 2 * total / depth.depth * (exp(0 * total + 1) - 1))


def explicit_without_the_second_order(matrix: Array, depth: Depth) -> Relation:
    """The explicit bound with 1 in place of e - 1."""
    total = absolute(logs_of(positive_singular_values(matrix))).sum(axis=-1)
    return le(absolute(cost_per_layer(matrix, depth.depth) - rank(matrix)), 2 * total / depth.depth)


def from_above_without_the_maximum(size: Array, depth: Depth) -> Relation:
    """The upper bound with the quadratic term of the expansion alone."""
    values = np.stack([size, 1 / size], axis=-1)
    found = power(values, Fraction(2, depth.depth)).sum(axis=-1) - 2
    return le(found, quadratic_term(values, depth.depth) / depth.depth)


def from_below_linearly(size: Array, depth: Depth) -> Relation:
    """The lower bound, of the order 1 / L."""
    values = np.stack([size, 1 / size], axis=-1)
    return ge(power(values, Fraction(2, depth.depth)).sum(axis=-1) - 2, quadratic_term(values, depth.depth))


# Ladders of depths, and sharp instances


def near_the_border(depth: int) -> dict[str, Any]:
    r"""The singular value :math:`e^{L/2}`, rounded down to a rational."""
    return {"matrix": np.array([[np.exp(depth / 2) * (1 - 1e-9)]]), "depth": Depth(depth)}


EXPLICIT = Claim(
    id="notion_of_rank.infinite_depth_limit.explicit",
    title="The sum of the absolute logs bounds the distance of the cost per layer to the rank",
    source=OURS,
    status=Ours(),
    statement=explicit,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES, {"L >= 2 max |log s|": is_deep_enough}),
    needs=("L >= 2 max |log s|",),
    tight={
        "largest singular value, depth 3": Tight(partial(near_the_border, 3), 1e-8, "e^{L/2} is rounded down"),
        "largest singular value, depth 10": Tight(partial(near_the_border, 10), 1e-8, "e^{L/2} is rounded down"),
    },
    false_neighbours={
        "19/10 in place of 2": partial(explicit, factor=Q("19/10")),
        "1 in place of e - 1": explicit_without_the_second_order,
        "log of the determinant": explicit_with_the_determinant,
    },
)

UNIT_DETERMINANT = Claim(
    id="notion_of_rank.infinite_depth_limit.unit_determinant",
    title="For the singular values s and 1 / s the cost per layer nears the rank like 1 / L^2",
    source=OURS,
    status=Ours(),
    statement=unit_determinant,
    domain=Domain({"size": interval(Q("1/8"), 8), "depth": GIVEN_DEPTH}, {"depth": SIZES["depth"]}),
    tight={
        "s = 1": Tight(lambda: {"size": rationals(1), "depth": Depth(5)}),
        "depth 2000": Tight(partial(deep, 2_000), 1e-6, "they differ by O(1 / L^4)", of=("from below",)),
        "depth 2000000": Tight(partial(deep, 2_000_000), 1e-6, "they differ by O(1 / L^3)", of=("from below", "from above")),
    },
    false_neighbours={
        "upper bound without the maximum": from_above_without_the_maximum,
        "of order 1 / L": from_below_linearly,
    },
    rate=Rate(partial(distances, (3.0, 1 / 3)), LADDER, -2.0),
)
