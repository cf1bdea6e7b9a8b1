r"""Linear networks of infinite depth: the cost per layer tends to the rank, or to the number of non-zero entries.

Statement
    For fully connected networks, and for diagonal ones, with p = 2 / L and L to infinity,

    .. math:: \frac{R(A; L)}L = \sum_i s_i(A)^p \to \mathrm{rank} A, \qquad \frac{R(v; L)}L = \|v\|_p^p \to \|v\|_0 .
Checked
    A limit is not an inequality. What is checked is what the expansion in ``depth_expansion`` gives at every depth, with sums
    over non-zero singular values:

    .. math:: \Bigl|\frac{R(A; L)}L - \mathrm{rank} A\Bigr|
              \le \frac2L \bigl|\log|A|_+\bigr| + \frac2{L^2} \sum_i (\log s_i)^2 \max(1, s_i^{2/L}) ,

    the same for the entries of a vector (``.diagonal``), and, in a form that is easily used (``.explicit``),

    .. math:: \Bigl|\frac{R(A; L)}L - \mathrm{rank} A\Bigr| \le (e - 1) \frac2L \sum_i |\log s_i|
              \quad\text{for } L \ge 2 \max_i |\log s_i| .

    The rate 1 / L is that of the first term. Where :math:`|A|_+ = 1` the distance is of order :math:`1 / L^2` and not negative
    (``.unit_determinant``). R / L need not decrease to the rank: it increases where all singular values are below 1.
Proof idea
    That of ``depth_expansion``, divided by L; :math:`e^t - 1 \le (e - 1) t` for :math:`0 \le t \le 1`.
Sharp
    One singular value 2 at a large depth; for the explicit bound the singular value :math:`e^{L/2}`.
Source
    notion_of_rank, representation cost of linear networks, limit of infinite depth; the bounds are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.diagonal import quasi_norm
from theorems.notion_of_rank.constructions.spectra import (
    cost_per_layer,
    logs_of,
    positive_singular_values,
    quadratic_term,
    remainder,
)
from theorems.notion_of_rank.depth_expansion import MATRIX
from verify import Claim, Domain, Ours, Q, Rate, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, absolute, compare, exp, power, rationals
from verify.matrices import rank


def distance_to_the_rank(matrix: Array, depth: Depth, logs: Q | int = 2) -> Relation:
    """The bound for a matrix; `logs` is the factor of the first term."""
    values = positive_singular_values(matrix)
    return within_the_logs(cost_per_layer(matrix, depth.depth) - rank(matrix), values, depth, logs)


def distance_to_the_count(vector: Array, depth: Depth, logs: Q | int = 2) -> Relation:
    """The bound for a vector and the number of its non-zero entries."""
    count = (compare(vector, 0) != 0).sum(axis=-1)
    return within_the_logs(quasi_norm(vector, Fraction(2, depth.depth)) - count, absolute(vector), depth, logs)


def within_the_logs(distance: Array, values: Array, depth: Depth, logs: Q | int) -> Relation:
    """The bound on a distance by the `values` that count."""
    first = logs * absolute(logs_of(values).sum(axis=-1))
    return le(absolute(distance), (first + remainder(values, depth.depth)) / depth.depth)


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


def at_most_the_rank(matrix: Array, depth: Depth) -> Relation:
    """The cost per layer approaches the rank from below."""
    return le(cost_per_layer(matrix, depth.depth), 0 * cost_per_layer(matrix, depth.depth) + rank(matrix))


def at_most_the_count(vector: Array, depth: Depth) -> Relation:
    """The cost per layer approaches the number of non-zero entries from below."""
    found = quasi_norm(vector, Fraction(2, depth.depth))
    return le(found, 0 * found + (compare(vector, 0) != 0).sum(axis=-1))


def first_term_alone(matrix: Array, depth: Depth) -> Relation:
    """The bound for a matrix without the second term."""
    logs = absolute(logs_of(positive_singular_values(matrix)).sum(axis=-1))
    return le(absolute(cost_per_layer(matrix, depth.depth) - rank(matrix)), 2 * logs / depth.depth)


def first_term_alone_for_a_vector(vector: Array, depth: Depth) -> Relation:
    """The bound for a vector without the second term."""
    distance = quasi_norm(vector, Fraction(2, depth.depth)) - (compare(vector, 0) != 0).sum(axis=-1)
    return le(absolute(distance), 2 * absolute(logs_of(absolute(vector)).sum(axis=-1)) / depth.depth)


def quadratically(matrix: Array, depth: Depth) -> Relation:
    """The bound for a matrix, of the order 1 / L^2."""
    values = positive_singular_values(matrix)
    bound = 2 * absolute(logs_of(values).sum(axis=-1)) + remainder(values, depth.depth)
    return le(absolute(cost_per_layer(matrix, depth.depth) - rank(matrix)), bound / depth.depth**2)


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


def distances(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost per layer to the rank, for a diagonal matrix with these values, on a ladder of depths."""
    matrix = np.diag(values)
    return np.abs([float(cost_per_layer(matrix, int(depth)) - rank(matrix)) for depth in depths])


def counts(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost per layer to the number of non-zero entries of a vector, on a ladder of depths."""
    vector = np.array(values)
    return np.abs([float(quasi_norm(vector, Fraction(2, int(depth)))) - np.count_nonzero(vector) for depth in depths])


def near_the_border(depth: int) -> dict[str, Any]:
    r"""The singular value :math:`e^{L/2}`, rounded down to a rational."""
    return {"matrix": np.array([[np.exp(depth / 2) * (1 - 1e-9)]]), "depth": Depth(depth)}


def isometry(depth: int) -> dict[str, Any]:
    """A partial isometry and a vector of signs: the distance is zero."""
    rows = rationals([["3/5", "-4/5", 0]])
    return {"matrix": rows, "vector": rationals([1, -1, 0]), "depth": Depth(depth)}


def deep(depth: int) -> dict[str, Any]:
    """The singular value, entry or pair 2 at a large depth."""
    return {"matrix": rationals([[2]]), "vector": rationals([2]), "size": rationals(2), "depth": Depth(depth)}


SOURCE = Source("notion_of_rank", "Representation cost, limit of infinite depth")
OURS = Source("notion_of_rank", "ours")
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "dimension": range(1, 4)}
LADDER = tuple(2**k for k in range(4, 16))
DEEP = Tight(partial(deep, 1000), 1e-6, "the terms of third order are left out")

CLAIM = Claim(
    id="notion_of_rank.infinite_depth_limit",
    title="The cost per layer tends to the rank",
    source=SOURCE,
    statement=distance_to_the_rank,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES),
    tight={"isometry": Tight(partial(isometry, 4)), "depth 1000": DEEP},
    false_neighbours={
        "19/10 times the log": partial(distance_to_the_rank, logs=Q("19/10")),
        "at most the rank": at_most_the_rank,
        "first term alone": first_term_alone,
        "of order 1 / L^2": quadratically,
    },
    rate=Rate(partial(distances, (3.0, 0.5, 0.25)), LADDER, -1.0),
)

DIAGONAL = Claim(
    id="notion_of_rank.infinite_depth_limit.diagonal",
    title="The cost per layer tends to the number of non-zeros",
    source=SOURCE,
    statement=distance_to_the_count,
    domain=Domain({"vector": reals("dimension"), "depth": GIVEN_DEPTH}, SIZES),
    tight={"signs": Tight(partial(isometry, 3)), "depth 1000": DEEP},
    false_neighbours={
        "19/10 times the log": partial(distance_to_the_count, logs=Q("19/10")),
        "at most the number": at_most_the_count,
        "first term alone": first_term_alone_for_a_vector,
    },
    rate=Rate(partial(counts, (2.0, -0.3, 0.0, 5.0)), LADDER, -1.0),
)

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
