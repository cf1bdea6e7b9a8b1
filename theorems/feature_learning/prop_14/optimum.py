r"""Proposition 14: the optimum is the root of the outputs' covariance.

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
Tight
    The rows of a factor of A without negative entries.
Source
    feature_learning, Proposition 14 (Proposition 22 in the appendix). The identity is derived here.
"""

from functools import partial, reduce
from operator import and_

from theorems.feature_learning.constructions.activations import drawn_negative_slope, homogeneous
from theorems.feature_learning.constructions.graphs import edge_rows, mantel_matrix
from theorems.feature_learning.constructions.layers import gram, row_costs
from theorems.feature_learning.constructions.outputs_on_identity import PROBLEM, SIZES, WEIGHTS, covariances, reached
from verify import Claim, Domain, Source, derived, integers, interval
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, ge, le, relu, trace, vector


def leaky(d):
    return homogeneous(vector(1, d))


def cost_of(Y, V, alpha, d):
    K, _ = covariances(V, alpha)
    return trace(K) + row_costs(Y, leaky(d)(V), alpha).sum()


def excess_is_a_sum(problem, alpha, d, sign=-1, counted=1):
    """And its two remainders, so the excess over 2 Tr A, are at least 0."""
    A, Y, V = problem
    _, K_sigma = covariances(V, alpha, leaky(d))
    cost, bound = cost_of(Y, V, alpha, d), 2 * trace(A)
    negative = counted * (1 + sign * d**2) * (alpha * (relu(-V) ** 2).sum(axis=1)).sum()
    distance = row_costs(K_sigma - A, leaky(d)(V), alpha).sum()
    return (
        eq(cost, bound + negative + distance, name="identity")
        & le(bound, cost, name="bound")
        & ge(negative, 0, name="negative entries")
        & ge(distance, 0, name="distance")
    )


def reaches_outputs(problem, alpha, d):
    _, Y, V = problem
    return reached(Y, leaky(d)(V), alpha)


def mantel_outputs(largest=8):
    """For Y_N: it is its own root, with the incidence matrix as a factor, and no factor has fewer than floor(N^2/4) rows."""
    parts, zero = [], rationals(0)
    for points in range(2, largest + 1):
        Y, B = rationals(mantel_matrix(points)), edge_rows(points)
        ones = rationals([1] * len(B))
        parts += [eq(gram(B), Y), excess_is_a_sum((Y, Y, B), ones, zero), eq(cost_of(Y, B, ones, zero), 2 * trace(Y))]
        parts += [eq(len(B), points**2 // 4), eq(cp_rank_lower_bound(Y), points**2 // 4)]
    return reduce(and_, parts)


def optimal(factor, d="0"):
    """The rows of a factor without negative entries, with weights 1."""
    B = rationals(factor)
    return {"problem": (gram(B), gram(B), B), "alpha": [1] * len(B), "d": d}


def at_the_root(neurons, points, rank):
    """The rows of a partial identity with weights 1, and the absolute value."""
    units = [[int(row == column < rank) for column in range(points)] for row in range(neurons)]
    parts = {"factor": units, "normal": [0] * points, "noise": units, "kind": 0}
    problem = {f"problem.{name}": value for name, value in parts.items()}
    return {**problem, "alpha": [1] * neurons, "d.kind": 1, "d.number": 0}


def slope_beyond_one(kind, number):
    """ReLU, absolute value, identity, or any slope up to 3/2."""
    return drawn_negative_slope(kind, 3 * number / 2)


CLAIM = Claim(
    id="feature_learning.prop_14",
    title="The optimal covariance is the square root of that of the outputs",
    source=Source("feature_learning", "Proposition 14"),
    statement=excess_is_a_sum,
    domain=Domain(
        {
            "problem": PROBLEM,
            "alpha": WEIGHTS,
            "d": derived(slope_beyond_one, kind=integers(0, 5), number=interval(-1, 1)),
        },
        SIZES,
        hypotheses={
            "the outputs are reached": reaches_outputs,
            "the slope is between -1 and 1": lambda d: absolute(d) <= 1,
        },
    ),
    needs=("the outputs are reached", "the slope is between -1 and 1"),
    tight={
        "path of three vertices": partial(optimal, [[1, 1, 0], [0, 1, 1]]),
        "cycle of four vertices": partial(optimal, [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], "1/2"),
    },
    false_variants={"1 + d^2": {"sign": 1}, "negative entries cost nothing": {"counted": 0}},
    examples=[at_the_root(n, N, k) for n in SIZES["neurons"] for N in SIZES["points"] for k in range(1, min(n, N) + 1)],
    exact={"Y_N for N up to 8": mantel_outputs},
)
