r"""Proposition 2: the costs of a stable minimum are its rank.

Statement
    At a stable minimum, :math:`\|A\|_K^2 = \|A\|_{\bar K}^2 = \mathrm{Rank}\,A`; so :math:`1 \notin \mathrm{Im}\,A^T`, and the
    rank is at most N - 1.
Checked
    For every :math:`A \ge 0`, with :math:`s = 1^T\bar K^+1` if :math:`1 \in \mathrm{Im}\,A^T` and s = 0 else: the bias b of the
    smallest weights has :math:`\|b\|^2 = s/(1 + s)^2`, and the cost with bias is that without less :math:`s/(1 + s)`. So where
    b = 0, which a local minimum needs (see ``shrinking``), both are equal, and the rank is at most N - 1. That the cost without
    bias is the rank is checked in ``cost_of_identity.rank``.
Tight
    As many independent neurons as points, and one less.
Source
    leaky_resnets, Proposition 2 (Proposition 6 of the appendix); the bias is derived here.
"""

from theorems.leaky_resnets.constructions.representations import (
    NONNEGATIVE_PRODUCTS,
    cost,
    cost_without_bias,
    has_constants,
    weights,
)
from verify import Claim, DerivedHere, Source, Tight
from verify.words import eq, le, norm2, ones, pinv, rank, where


def size_of_constants(A):
    r"""s: :math:`1^T\bar K^+1` if the constants are a combination of the rows, else 0."""
    return where(has_constants(A), norm2(ones(1, A.shape[1]) @ pinv(A)), 0)


def costs_are_the_rank(A):
    s, V = size_of_constants(A), weights(A)[:, :-1]
    return (
        eq(norm2(V) + s / (1 + s) ** 2, cost(A), name="bias")
        & eq(cost(A) + s / (1 + s), cost_without_bias(A), name="costs")
        & le(rank(A), A.shape[1] - 1 + has_constants(A), name="rank")
    )


def bias_without_square(A):
    """A bias of the squared norm that it saves."""
    s = size_of_constants(A)
    return eq(norm2(weights(A)[:, :-1]) + s / (1 + s), cost(A))


def costs_are_always_equal(A):
    return eq(cost(A), cost_without_bias(A))


def rank_always_lacks_one(A):
    return le(rank(A), A.shape[1] - 1)


VALUE = Claim(
    id="leaky_resnets.prop_2.value",
    title="Where the smallest weights have no bias, both costs are the rank",
    source=Source("leaky_resnets", "Proposition 2"),
    status=DerivedHere(),
    statement=costs_are_the_rank,
    domain=NONNEGATIVE_PRODUCTS,
    needs=tuple(NONNEGATIVE_PRODUCTS.hypotheses),
    # the rows of the first span the constants, those of the second do not
    tight={
        "full ranks": Tight(lambda: {"A": [[1, 2], [2, 1]]}, of=("rank",)),
        "full ranks, without the constants": Tight(lambda: {"A": [[1, 2], [2, 4]]}, of=("rank",)),
    },
    false_variants={
        "bias of squared norm s/(1 + s)": bias_without_square,
        "equal costs, whatever the bias": costs_are_always_equal,
        "a rank below the number of points": rank_always_lacks_one,
    },
    cost=12,
)
