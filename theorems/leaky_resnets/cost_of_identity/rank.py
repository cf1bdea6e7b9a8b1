r"""A representation that is not negative costs its rank, less what a bias saves.

Statement
    Without bias and for :math:`A \ge 0`, :math:`\|A\|_{\bar K}^2 = \mathrm{Rank}\,A`.
Checked
    The statement for any rank, with and without constants in the row space. With a bias (ours) and :math:`\bar K = A^TA`,

    .. math:: \|A\|_K^2 = \mathrm{Rank}\,A - \frac s{1 + s}\ \text{ with } s = 1^T\bar K^+1 \text{ if } 1 \in \mathrm{Im}\,A^T,
              \qquad \|A\|_K^2 = \mathrm{Rank}\,A \text{ else,}

    which is above Rank A - 1. With negative entries the cost is no bound for the rank in either direction: a matrix of rank 3
    costs 305/144, one of rank 2 costs 1029/400.
Proof idea
    :math:`\bar\sigma(A) = A`, so that the smallest weights are the projection :math:`AA^+`. With bias: Sherman and Morrison.
Sharp
    Rank A - 1 is the infimum for small constant activations, where the bias does almost everything.
Source
    leaky_resnets, Section 1.4; the cost with bias is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import NONNEGATIVE_PRODUCTS, bare_cost, fit, ones_like_row
from verify import Claim, Ours, Relation, Source, Tight, eq, ge
from verify.arithmetic import Array, rationals
from verify.matrices import nuclear_norm, rank
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, squared_norm


def cost_is_the_rank(A: Array) -> Relation:
    """The cost without bias against the rank."""
    return eq(bare_cost(A, bias=False).squared_norm, rank(A))


def saved_by_bias(A: Array) -> Array:
    """What a bias saves: s / (1 + s), or nothing if the constants are no combination of the rows."""
    s = fit(ones_like_row(A), A).squared_norm
    return np.where(is_in_row_space(ones_like_row(A), A), s / (1 + s), 0 * s)


def cost_with_bias(A: Array) -> Relation:
    """The cost with bias against the rank less what the bias saves."""
    cost = bare_cost(A).squared_norm
    return eq(cost + saved_by_bias(A), rank(A), name="cost") & ge(cost + 1, rank(A), name="above the rank less one")


# False variants


def cost_with_bias_is_the_rank(A: Array) -> Relation:
    """The same with a bias."""
    return eq(bare_cost(A).squared_norm, rank(A))


def cost_is_effective_dimension(A: Array) -> Relation:
    """The ratio of the squares of two norms for the rank: equal only for a flat spectrum."""
    return eq(bare_cost(A, bias=False).squared_norm * squared_norm(A), nuclear_norm(A) ** 2)


def bias_saves_s(A: Array) -> Relation:
    """What a bias saves without the denominator."""
    s = fit(ones_like_row(A), A).squared_norm
    return eq(bare_cost(A).squared_norm + np.where(is_in_row_space(ones_like_row(A), A), s, 0 * s), rank(A))


def bias_saves_everywhere(A: Array) -> Relation:
    """As if the constants were always a combination of the rows."""
    s = fit(ones_like_row(A), feature_matrix(A, bias=False)).squared_norm
    return eq(bare_cost(A).squared_norm + s / (1 + s), rank(A))


def constants_inside() -> dict[str, Any]:
    """Three neurons, three points, rank 2; the sum of the first two rows is constant."""
    return {"A": rationals([[[1, 0, 2], [1, 2, 0], [2, 2, 2]]])}


def small_and_constant() -> dict[str, Any]:
    """Rank 2; the bias does almost everything for the neuron with activations 1/1000."""
    return {"A": rationals([[["1/1000", "1/1000", "1/1000"], [1, 0, 0]]])}


def known_costs() -> Relation:
    """Equal activations t cost t^2 / (t^2 + 1); of two matrices with negative entries, ranks below and above the cost."""
    equal = rationals([[[1, 1]], [["1/3", "1/3"]], [[5, 5]]])
    below, above = rationals([[[1, 0, -1], [0, 2, 4], [5, 3, 0]]]), rationals([[[1, "-1/2", 0], ["3/10", 1, 0]]])
    costs = [
        bare_cost(equal).squared_norm,
        bare_cost(below, bias=False).squared_norm,
        bare_cost(above, bias=False).squared_norm,
        bare_cost(above).squared_norm,
    ]
    stated = rationals(["1/2", "1/10", "25/26", "305/144", "1029/400", "1029/400"])
    ranks = np.concatenate([rank(below), rank(above)])
    return eq(np.concatenate(costs), stated, over=1) & eq(ranks, rationals([3, 2]), over=1)


NONNEGATIVE = Claim(
    id="leaky_resnets.cost_of_identity.nonnegative",
    title="Without bias, a representation that is not negative costs its rank",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=cost_is_the_rank,
    domain=NONNEGATIVE_PRODUCTS,
    needs=tuple(NONNEGATIVE_PRODUCTS.hypotheses),
    tight={"rank 2": Tight(constants_inside)},
    false_variants={
        "with bias": cost_with_bias_is_the_rank,
        "effective dimension": cost_is_effective_dimension,
    },
    exact={"known costs, below and above the rank": known_costs},
)

WITH_BIAS = Claim(
    id="leaky_resnets.cost_of_identity.nonnegative_with_bias",
    title="A bias saves less than 1 on a representation that is not negative",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=cost_with_bias,
    domain=NONNEGATIVE_PRODUCTS,
    needs=tuple(NONNEGATIVE_PRODUCTS.hypotheses),
    tight={
        "small and constant": Tight(
            small_and_constant,
            2e-6,
            "rank less one is an infimum, approached by small activations",
            of=("above the rank less one",),
        )
    },
    false_variants={"s for s / (1 + s)": bias_saves_s, "wherever the constants lie": bias_saves_everywhere},
    cost=8,
)
