r"""Proposition 14, the optimum: the covariance that costs least is the square root of that of the outputs.

Statement
    At every minimum of the representation cost :math:`K_1 = K_1^\sigma = A`, and
    :math:`R(I, Y) = 2\,\mathrm{Tr}\,A = 2\|Y\|_*`.
Checked
    For all vectors z with weights :math:`\alpha \ge 0` that reach the outputs (:math:`\mathrm{Im}\,A \subset
    \mathrm{Im}\,K^\sigma`), and a slope :math:`|d| \le 1` for negative arguments,

    .. math:: \mathrm{Tr}\,K + \mathrm{Tr}[Y^TY(K^\sigma)^+] = 2\,\mathrm{Tr}\,A + (1 - d^2)\sum\alpha\|z_-\|^2
       + \mathrm{Tr}[(K^\sigma - A)(K^\sigma)^+(K^\sigma - A)] .

    It needs no complete positivity: that is what makes the bound attained.
Proof idea
    Both remainders are at least 0. The last is 0 only for :math:`K^\sigma = A`, the first for |d| < 1 only without negative
    entries, where :math:`K = K^\sigma`. For d = -1 the cost is the same, but K may be another matrix.
Sharp
    The rows of a factor of A without negative entries.
Source
    feature_learning, Proposition 14 (Proposition 22 in the appendix). The identity is ours.
"""

from __future__ import annotations

from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import drawn_negative_slope
from theorems.feature_learning.constructions.graphs import edge_rows, mantel_matrix
from theorems.feature_learning.constructions.layers import gram, row_costs, trace
from theorems.feature_learning.constructions.outputs_on_identity import PROBLEM, SIZES, WEIGHTS, Problem, reached
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, absolute, maximum, rationals
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import covariance_pair
from verify.networks import HomogeneousActivation


def leaky(slope: Array) -> HomogeneousActivation:
    """The activation with slopes 1 and `slope`, for arrays ``(..., k, N)``."""
    return HomogeneousActivation(1, np.asarray(slope)[..., None])


def cost_and_remainders(problem: Problem, weights: Array, slope: Array) -> tuple[Array, Array, Array]:
    r"""The cost of the pair, :math:`\sum\alpha\|z_-\|^2`, and the distance from A."""
    root, outputs, vectors = problem
    K, K_sigma = covariance_pair(vectors, leaky(slope), weights=weights)
    rows = leaky(slope)(vectors)
    cost = trace(K) + row_costs(outputs, rows, weights).sum(axis=-1)
    negative = (maximum(-vectors, 0 * vectors) ** 2).sum(axis=-1)
    distance = row_costs(K_sigma - root, rows, weights).sum(axis=-1)
    return cost, np.asarray((weights * negative).sum(axis=-1)), np.asarray(distance)


def excess_is_a_sum(problem: Problem, weights: Array, slope: Array) -> Relation:
    """The identity, for A, Y and vectors; and that its two remainders, so the excess over 2 Tr A, are at least 0."""
    cost, negative, distance = cost_and_remainders(problem, weights, slope)
    bound, remainder = 2 * trace(problem[0]), (1 - slope**2) * negative
    return (
        eq(cost, bound + remainder + distance, name="identity")
        & le(bound, cost, name="bound")
        & ge(remainder, 0 * remainder, name="negative entries")
        & ge(distance, 0 * distance, name="distance")
    )


def reaches_outputs(problem: Problem, weights: Array, slope: Array) -> Any:
    """Whether the outputs are combinations of the activated vectors with positive weights."""
    return reached(problem[1], leaky(slope)(problem[2]), weights)


# False variants


def slope_added(problem: Problem, weights: Array, slope: Array) -> Relation:
    """1 + d^2 in place of 1 - d^2."""
    cost, negative, distance = cost_and_remainders(problem, weights, slope)
    return eq(cost, 2 * trace(problem[0]) + (1 + slope**2) * negative + distance)


def negative_entries_cost_nothing(problem: Problem, weights: Array, slope: Array) -> Relation:
    """The distance is everything."""
    cost, _, distance = cost_and_remainders(problem, weights, slope)
    return eq(cost, 2 * trace(problem[0]) + distance)


def mantel_outputs(largest: int = 8) -> Relation:
    """For Y_N: it is its own root, with the incidence matrix as a factor, and no factor has fewer than floor(N^2/4) rows."""
    parts = []
    for points in range(2, largest + 1):
        outputs, factor = rationals(mantel_matrix(points)), edge_rows(points)
        problem, ones = (outputs, outputs, factor), rationals([1] * len(factor))
        parts += [eq(gram(factor), outputs, over=2), excess_is_a_sum(problem, ones, rationals(0))]
        parts += [eq(cost_and_remainders(problem, ones, rationals(0))[0], 2 * trace(outputs))]
        parts += [eq(rationals(len(factor)), points**2 // 4), eq(cp_rank_lower_bound(outputs), points**2 // 4)]
    return reduce(and_, parts)


def optimal(factor: Any, slope: str = "0") -> dict[str, Any]:
    """The rows of a factor without negative entries, with weights 1."""
    rows = rationals(factor)
    root = gram(rows)
    return {"problem": (root, root, rows), "weights": rationals([1] * len(rows)), "slope": rationals(slope)}


def slope_beyond_one(kind: Array, number: Array) -> Array:
    """ReLU, absolute value, identity, or any slope up to 3/2."""
    return np.asarray(drawn_negative_slope(kind, 3 * number / 2))


CLAIM = Claim(
    id="feature_learning.prop_14",
    title="The optimal covariance is the square root of that of the outputs",
    source=Source("feature_learning", "Proposition 14"),
    statement=excess_is_a_sum,
    domain=Domain(
        {
            "problem": PROBLEM,
            "weights": WEIGHTS,
            "slope": derived(slope_beyond_one, kind=integers(0, 5), number=interval(-1, 1)),
        },
        SIZES,
        hypotheses={
            "the outputs are reached": reaches_outputs,
            "the slope is between -1 and 1": lambda slope: absolute(slope) <= 1,
        },
    ),
    needs=("the outputs are reached", "the slope is between -1 and 1"),
    tight={
        "path of three vertices": Tight(partial(optimal, [[1, 1, 0], [0, 1, 1]])),
        "cycle of four vertices": Tight(partial(optimal, [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], "1/2")),
    },
    false_variants={"1 + d^2": slope_added, "negative entries cost nothing": negative_entries_cost_nothing},
    exact={"Y_N for N up to 8": mantel_outputs},
)
