r"""The cost of identity of a representation that is not negative is its rank, up to what a bias saves.

For :math:`A \ge 0`, :math:`\bar\sigma(A) = A`, so that without bias :math:`\|A\|_{\bar K}^2 = \|AA^+\|_F^2 = \mathrm{Rank}\,A`
(``.nonnegative``). With a bias (``.nonnegative_with_bias``, Sherman-Morrison), :math:`\bar K = A^TA`,

.. math:: \|A\|_K^2 = \mathrm{Rank}\,A - \frac{s}{1 + s}\ \text{ with } s = 1^T\bar K^+1 \text{ if } 1 \in \mathrm{Im}\,A^T,
          \qquad \|A\|_K^2 = \mathrm{Rank}\,A \text{ else,}

which lies above Rank A - 1: the bias represents a part of one direction, if the constants are among those of A.

With negative entries the cost lies below the rank (a matrix of rank 3 costs 305/144) or above it (one of rank 2 costs 2.5725),
so that it is no bound for the rank in either direction. Instances: any rank, with and without constants in the row space.

Source: leaky_resnets, Section 1.4; the cost with bias is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    SHAPES,
    bare_cost,
    fit,
    is_nonnegative,
    numbers_like,
    with_rows,
    zeros_like_rows,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, reals
from verify.arithmetic import Array, absolute, compare, rationals
from verify.matrices import nuclear_norm, rank
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, squared_norm


def product_representation(left: Array, right: Array, signs: Array, constant: Array, drop: Array) -> Array:
    """A product of two matrices, not negative unless `signs` is 0.

    Where `constant` is 0, the constants are in the row space of the second factor; where `drop` is 0, its last row is zero.
    """
    absolute_values = compare(signs, 0)[..., None, None] != 0
    left, right = (np.where(absolute_values, absolute(one), one) for one in (left, right))
    rest = np.where(compare(drop, 0)[..., None] == 0, 0 * right[..., -1, :], right[..., -1, :])
    right = with_rows(right[..., :-1, :], rest[..., None, :])
    first = np.where(compare(constant, 0)[..., None] == 0, 0 * right[..., 0, :] + 1, right[..., 0, :])
    return np.asarray(left @ with_rows(first[..., None, :], right[..., 1:, :]))


def cost_without_bias(A: Array, *, bias: bool = False) -> Relation:
    """The cost without bias against the rank."""
    smallest = bare_cost(A, bias=bias)
    return eq(smallest.squared_norm, numbers_like(A, rank(A)), noise=smallest.noise)


def cost_is_effective_dimension(A: Array) -> Relation:
    """The cost without bias against the ratio of the squares of two norms: equal only for a flat spectrum."""
    smallest = bare_cost(A, bias=False)
    return eq(smallest.squared_norm * squared_norm(A), nuclear_norm(A) ** 2, noise=smallest.noise)


def cost_with_bias(A: Array, *, saturated: bool = True, inside: bool = True, percent: int = 100) -> Relation:
    """The cost with bias against the rank less what the bias saves; in false neighbours that is s, or wherever 1 lies."""
    smallest, ones = bare_cost(A), zeros_like_rows(A, 1) + 1
    constants = fit(ones, feature_matrix(A, bias=False))
    s = constants.squared_norm
    if inside:
        s = np.where(is_in_row_space(ones, A), s, 0 * s)
    saved = (s / (1 + s) if saturated else s) * percent / 100
    dimension = numbers_like(A, rank(A))
    noise = smallest.noise + constants.noise
    return eq(smallest.squared_norm, dimension - saved, scale=dimension, noise=noise) & ge(
        smallest.squared_norm, dimension - 1, scale=dimension, noise=noise
    )


def known_costs() -> Relation:
    """One neuron with equal activations t costs :math:`t^2/(t^2 + 1)`; the cost is above the rank of one, below that of other
    matrices with negative entries.
    """
    equal = rationals([[[1, 1]], [["1/3", "1/3"]], [[5, 5]]])
    below, above = rationals([[[1, 0, -1], [0, 2, 4], [5, 3, 0]]]), rationals([[[1, "-1/2", 0], ["3/10", 1, 0]]])
    costs = [
        bare_cost(equal).squared_norm,
        bare_cost(below, bias=False).squared_norm,
        bare_cost(above, bias=False).squared_norm,
        bare_cost(above).squared_norm,
    ]
    stated = rationals(["1/2", "1/10", "25/26", "305/144", "1029/400", "1029/400"])
    ranks = rationals(np.concatenate([rank(below), rank(above)]))
    return eq(np.concatenate(costs), stated, over=1) & eq(ranks, rationals([3, 2]), over=1)


def constants_inside() -> dict[str, Any]:
    """Three neurons, three points, rank 2; the sum of the first two rows is constant."""
    return {"A": rationals([[[1, 0, 2], [1, 2, 0], [2, 2, 2]]])}


def small_and_constant() -> dict[str, Any]:
    """One neuron with activations 1/1000: the bias does almost everything."""
    return {"A": rationals([[["1/1000", "1/1000", "1/1000"]]])}


DOMAIN = Domain(
    {
        "A": derived(
            product_representation,
            left=reals("width", "width"),
            right=reals("width", "points"),
            signs=integers(0, 3),
            constant=integers(0, 2),
            drop=integers(0, 1),
        )
    },
    SHAPES,
    {"no entry is negative": is_nonnegative},
)
SECTION = Source("leaky_resnets", "Section 1.4")

NONNEGATIVE = Claim(
    id="leaky_resnets.cost_of_identity.nonnegative",
    title="Without bias, a representation that is not negative costs its rank",
    source=SECTION,
    statement=cost_without_bias,
    domain=DOMAIN,
    needs=tuple(DOMAIN.hypotheses),
    tight={"rank 2": Tight(constants_inside)},
    false_neighbours={
        "with bias": partial(cost_without_bias, bias=True),
        "effective dimension": cost_is_effective_dimension,
    },
    exact={"known costs, below and above the rank": known_costs},
)

WITH_BIAS = Claim(
    id="leaky_resnets.cost_of_identity.nonnegative_with_bias",
    title="What a bias saves on a representation that is not negative",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=cost_with_bias,
    domain=DOMAIN,
    needs=tuple(DOMAIN.hypotheses),
    tight={
        "small and constant": Tight(small_and_constant, 1e-6, "rank less one is an infimum, approached by small activations")
    },
    false_neighbours={
        "s for s / (1 + s)": partial(cost_with_bias, saturated=False),
        "wherever the constants lie": partial(cost_with_bias, inside=False),
        "1 % more": partial(cost_with_bias, percent=101),
        "nothing": partial(cost_with_bias, percent=0),
    },
    cost=4,
)
