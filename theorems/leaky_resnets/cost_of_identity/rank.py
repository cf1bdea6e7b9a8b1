r"""A non-negative representation costs its rank, less what a bias saves.

Statement
    Without bias and for :math:`A \ge 0`, :math:`\|A\|_{\bar K}^2 = \mathrm{Rank}\,A`.
Checked
    The statement for any rank, with and without constants in the row space. With a bias (derived here) and
    :math:`\bar K = A^TA`,

    .. math:: \|A\|_K^2 = \mathrm{Rank}\,A - \frac s{1 + s}\ \text{ with } s = 1^T\bar K^+1 \text{ if } 1 \in \mathrm{Im}\,A^T,
              \qquad \|A\|_K^2 = \mathrm{Rank}\,A \text{ else,}

    which is above Rank A - 1. With negative entries the cost is no bound for the rank in either direction: a matrix of rank 3
    costs 305/144, one of rank 2 costs 1029/400.
Proof idea
    :math:`\bar\sigma(A) = A`, so that the smallest weights are the projection :math:`AA^+`. With bias: Sherman and Morrison.
Tight
    Rank A - 1 is the infimum for small constant activations, where the bias does almost everything.
Source
    leaky_resnets, Section 1.4; the cost with bias is derived here.
"""

from theorems.leaky_resnets.constructions.representations import (
    NONNEGATIVE_PRODUCTS,
    cost,
    cost_without_bias,
    has_constants,
)
from verify import Claim, DerivedHere, Source, Tight
from verify.numbers.arithmetic import rationals
from verify.words import eq, ge, norm2, nuclear_norm, ones, pinv, rank, relu, stack, where


def cost_is_the_rank(A):
    return eq(cost_without_bias(A), rank(A))


def size_of_constants(F):
    """The squared norm of the smallest weights that make the constants of these rows, or come closest to them."""
    return norm2(ones(1, F.shape[1]) @ pinv(F))


def cost_with_bias(A):
    s = size_of_constants(A)
    saved = where(has_constants(A), s / (1 + s), 0)
    return eq(cost(A) + saved, rank(A), name="cost") & ge(cost(A) + 1, rank(A), name="above the rank less one")


# False variants


def cost_with_bias_is_the_rank(A):
    return eq(cost(A), rank(A))


def cost_is_effective_dimension(A):
    """Equal only for a flat spectrum."""
    return eq(cost_without_bias(A) * norm2(A), nuclear_norm(A) ** 2)


def bias_saves_s(A):
    return eq(cost(A) + where(has_constants(A), size_of_constants(A), 0), rank(A))


def bias_saves_everywhere(A):
    """As if the constants were always a combination of the rows."""
    s = size_of_constants(relu(A))
    return eq(cost(A) + s / (1 + s), rank(A))


def known_costs():
    """Equal activations t cost t^2 / (t^2 + 1); of two matrices with negative entries, ranks below and above the cost."""
    equal = [cost(rationals([[t, t]])) for t in ("1", "1/3", "5")]
    below, above = rationals([[1, 0, -1], [0, 2, 4], [5, 3, 0]]), rationals([[1, "-1/2", 0], ["3/10", 1, 0]])
    costs = stack([*equal, cost_without_bias(below), cost_without_bias(above), cost(above)])
    return eq(costs, rationals(["1/2", "1/10", "25/26", "305/144", "1029/400", "1029/400"])) & eq(
        stack([rank(below), rank(above)]), rationals([3, 2])
    )


NONNEGATIVE = Claim(
    id="leaky_resnets.cost_of_identity.nonnegative",
    title="Without bias, a representation that is not negative costs its rank",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=cost_is_the_rank,
    domain=NONNEGATIVE_PRODUCTS,
    needs=tuple(NONNEGATIVE_PRODUCTS.hypotheses),
    # the sum of the first two rows is constant
    tight={"rank 2": {"A": [[1, 0, 2], [1, 2, 0], [2, 2, 2]]}},
    false_variants={
        "with bias": cost_with_bias_is_the_rank,
        "effective dimension": cost_is_effective_dimension,
    },
    exact={"known costs, below and above the rank": known_costs},
)

WITH_BIAS = Claim(
    id="leaky_resnets.cost_of_identity.nonnegative_with_bias",
    title="A bias saves less than 1 on a representation that is not negative",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=cost_with_bias,
    domain=NONNEGATIVE_PRODUCTS,
    needs=tuple(NONNEGATIVE_PRODUCTS.hypotheses),
    tight={
        # rank 2; the bias does almost everything for the first neuron
        "small and constant": Tight(
            lambda: {"A": [["1/1000", "1/1000", "1/1000"], [1, 0, 0]]},
            2e-6,
            "rank less one is an infimum, approached by small activations",
            of=("above the rank less one",),
        )
    },
    false_variants={"s for s / (1 + s)": bias_saves_s, "wherever the constants lie": bias_saves_everywhere},
    cost=8,
)
