r"""Proposition 2: the costs of a stable minimum are its rank.

Statement
    At a stable minimum, :math:`\|A\|_K^2 = \|A\|_{\bar K}^2 = \mathrm{Rank}\,A`; so :math:`1 \notin \mathrm{Im}\,A^T`, and the
    rank is at most N - 1.
Checked
    For every :math:`A \ge 0`, with :math:`s = 1^T\bar K^+1` if :math:`1 \in \mathrm{Im}\,A^T` and s = 0 else: the bias b of the
    smallest weights has :math:`\|b\|^2 = s/(1 + s)^2`, and the cost with bias is that without less :math:`s/(1 + s)`. So where
    b = 0, which a local minimum needs (see ``shrinking``), both are equal, and the rank is at most N - 1. That the cost without
    bias is the rank is checked in ``cost_of_identity.rank``.
Sharp
    As many independent neurons as points, and one less.
Source
    leaky_resnets, Proposition 2 (Proposition 6 of the appendix); the bias is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    NONNEGATIVE_PRODUCTS,
    InverseKernel,
    bare_cost,
    fit,
    ones_like_row,
)
from verify import Claim, Ours, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.matrices import rank
from verify.networks.leaky_resnet import is_in_row_space, squared_norm


def constants_inside(A: Array) -> tuple[Array, Array]:
    """Whether the constants are a combination of the rows, and s, which is 0 if they are not."""
    ones = ones_like_row(A)
    inside, s = is_in_row_space(ones, A), fit(ones, A).squared_norm
    return inside, np.where(inside, s, 0 * s)


def costs_are_the_rank(A: Array) -> Relation:
    """Bias of the smallest weights, both costs, and the rank, for a representation that is not negative."""
    at, (inside, s) = InverseKernel.at(A), constants_inside(A)
    return (
        eq(squared_norm(at.weights[..., :-1]) + s / (1 + s) ** 2, at.cost, name="bias")
        & eq(at.cost + s / (1 + s), bare_cost(A, bias=False).squared_norm, name="costs")
        & le(rank(A), A.shape[-1] - 1 + inside.astype(int), name="rank")
    )


# False variants


def bias_without_square(A: Array) -> Relation:
    """A bias of the squared norm that it saves."""
    _, s = constants_inside(A)
    at = InverseKernel.at(A)
    return eq(squared_norm(at.weights[..., :-1]) + s / (1 + s), at.cost)


def costs_are_always_equal(A: Array) -> Relation:
    """The same cost, whatever the bias."""
    return eq(bare_cost(A).squared_norm, bare_cost(A, bias=False).squared_norm)


def rank_always_lacks_one(A: Array) -> Relation:
    """A rank below the number of points, also where the constants are a combination of the rows."""
    return le(rank(A), A.shape[-1] - 1 + 0 * rank(A))


def full_ranks() -> dict[str, Any]:
    """Two points with and without constants among the combinations of the rows: ranks 2 and 1."""
    return {"A": rationals([[[1, 2], [2, 1]], [[1, 2], [2, 4]]])}


VALUE = Claim(
    id="leaky_resnets.prop_2.value",
    title="Where the smallest weights have no bias, both costs are the rank",
    source=Source("leaky_resnets", "Proposition 2"),
    status=Ours(),
    statement=costs_are_the_rank,
    domain=NONNEGATIVE_PRODUCTS,
    needs=tuple(NONNEGATIVE_PRODUCTS.hypotheses),
    tight={"full ranks": Tight(full_ranks, of=("rank",))},
    false_variants={
        "bias of squared norm s/(1 + s)": bias_without_square,
        "equal costs, whatever the bias": costs_are_always_equal,
        "a rank below the number of points": rank_always_lacks_one,
    },
    cost=12,
)
