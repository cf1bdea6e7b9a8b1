r"""What a negative entry of a local minimum must satisfy.

Statement
    Let A have the positive part :math:`A^+ = \bar\sigma(A)`, the negative part :math:`A^- = \bar\sigma(-A)` and
    :math:`P = K^+`. The kernel depends on the positive part alone. So while the negative entries stay below zero the cost is a
    quadratic function of them, with the derivative :math:`2(AP)_{ij}`, and at a local minimum of finite cost

    .. math:: (AP)_{ij} = 0 \text{ where } A_{ij} < 0 , \qquad \langle A^+, A^-\rangle_K = \|A^-\|_K^2 , \qquad
              \|A\|_K^2 = \|A^+\|_K^2 - \|A^-\|_K^2 \le \mathrm{rank}\, A^+ - \|A^-\|_K^2 .

    For at most two points no A has this (``two_points``); for three points there are such A.
Checked
    For representations of three and four points with a negative entry in one neuron, made such that the derivative vanishes:
    the product, the cost, the bound, and that no other entry in this place costs less.
Proof idea
    :math:`A = A^+ - A^-`, and :math:`A^-` is a combination of the entries where the derivative vanishes. :math:`\|A^+\|_K^2` is
    at most the rank of :math:`A^+`, the cost without bias.
Tight
    The entry itself; two neurons without the ones in their row space.
Not checked
    Whether a local minimum of finite cost with a negative entry exists for three points or more. It must be stationary in its
    positive entries, too.
Source
    leaky_resnets, Proposition 3; the statement is derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.representations import cost, inverse_kernel, is_finite, sigma
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, interval
from verify.words import concatenate, diag, eq, inner, le, norm2, pinv, rank, relu, where


def stationary_in_a_negative_entry(positive, kept, place):
    """A representation whose first neuron has an entry, at `place`, at which the derivative of the cost is zero.

    The other entries are those of `positive`, but for the first neuron only where `kept` is 1.
    """
    chosen = np.arange(positive.shape[1]) == place
    first = where(chosen, 0, kept * positive[0])
    P = inverse_kernel(concatenate([first[None, :], positive[1:]]))
    first = first - where(chosen, first @ P / diag(P), 0)
    return concatenate([first[None, :], positive[1:]])


def costs_of_the_parts(A):
    r""":math:`\|A^+\|_K^2` and :math:`\|A^-\|_K^2`."""
    S = pinv(sigma(A))
    return norm2(relu(A) @ S), norm2(relu(-A) @ S)


def with_other_entries(A, other):
    """The cost with these entries, negated, in the places of the negative ones."""
    return cost(where(A < 0, -other, A))


def negative_part_is_saved(A, other):
    S, (gain, loss) = pinv(sigma(A)), costs_of_the_parts(A)
    return (
        eq(inner(relu(A) @ S, relu(-A) @ S), loss, name="product")
        & eq(cost(A), gain - loss, name="cost")
        & le(gain, rank(relu(A)), name="rank")
        & le(cost(A), with_other_entries(A, other), name="least")
    )


# False variants


def other_entries_cost_the_same(A, other):
    return eq(cost(A), with_other_entries(A, other))


def parts_add_up(A):
    """As if the parts were orthogonal."""
    gain, loss = costs_of_the_parts(A)
    return eq(cost(A), gain + loss)


def cost_is_the_rank(A):
    return eq(cost(A), rank(relu(A)))


CLAIM = Claim(
    id="leaky_resnets.prop_3.negative_entries",
    title="At local minima the negative part lowers the cost of the positive",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=negative_part_is_saved,
    domain=Domain(
        {
            "A": derived(
                stationary_in_a_negative_entry,
                positive=interval(0, 4, "width", "points"),
                kept=integers(0, 1, "points"),
                place=integers(0, 4),
            ),
            "other": interval(0, 2, "width", "points"),
        },
        {"width": (2, 3, 4), "points": (3, 4)},
        # by more than a rounding error of zero
        {"the cost is finite": is_finite, "an entry is negative": lambda A: (-Q(1, 10**6) > A).any()},
    ),
    tight={
        # -2/11 where the derivative vanishes; the cost is 2 - 1/11
        "three points": Tight(
            lambda: {"A": [[0, "-2/11", 1], [3, 1, 4]], "other": [[0, "2/11", 0], [0, 0, 0]]}, of=("rank", "least")
        )
    },
    false_variants={
        "the parts add up": parts_add_up,
        "the cost is the rank": cost_is_the_rank,
        "other entries cost the same": other_entries_cost_the_same,
    },
    cost=4,
)
