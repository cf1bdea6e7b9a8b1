r"""What a negative entry of a local minimum must satisfy, for any number of points: the hypothesis of Proposition 3.

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
Sharp
    The entry itself; two neurons without the ones in their row space.
Not checked
    Whether a local minimum of finite cost with a negative entry exists for three points or more. It must be stationary in its
    positive entries, too.
Source
    leaky_resnets, Proposition 3; the statement is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import InverseKernel, bare_cost, cost_is_finite
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, integers, interval, le
from verify.arithmetic import Array, compare, rationals
from verify.matrices import rank
from verify.networks.leaky_resnet import rectified, squared_norm


def stationary_in_a_negative_entry(positive: Array, kept: Array, place: Array) -> Array:
    """A representation whose first neuron has an entry, at `place`, at which the derivative of the cost is zero.

    Shapes ``(..., w, N), (..., N), (...) -> (..., w, N)``. The other entries are those of `positive`, but for the first neuron
    only where `kept` is 1.
    """
    chosen = np.asarray(place[..., None] == np.arange(positive.shape[-1]))
    first = np.where(chosen, 0 * kept, kept * positive[..., 0, :])
    others = np.concatenate([first[..., None, :], positive[..., 1:, :]], axis=-2)
    inverse = InverseKernel.at(others).inverse
    P = inverse @ np.swapaxes(inverse, -1, -2)
    derivatives, diagonal = (first[..., None, :] @ P)[..., 0, :], np.diagonal(P, axis1=-2, axis2=-1)
    first = first - np.where(chosen, derivatives / diagonal, 0 * kept)
    return np.concatenate([first[..., None, :], positive[..., 1:, :]], axis=-2)


def costs_of_the_parts(A: Array) -> tuple[Array, Array, Array]:
    """The squared norm of the positive part, that of the negative part, and their product, for the kernel of A."""
    at = InverseKernel.at(A)
    positive, negative = at.coordinates(rectified(A)), at.coordinates(rectified(-A))
    return squared_norm(positive), squared_norm(negative), (positive * negative).sum(axis=(-2, -1))


def with_other_entries(A: Array, other: Array) -> Array:
    """The cost with these entries, negated, in the places of the negative ones."""
    return bare_cost(np.where(compare(A, 0) < 0, -other, A)).squared_norm


def negative_part_is_saved(A: Array, other: Array) -> Relation:
    """Product and costs of both parts, the rank, and the cost with other entries in the places of the negative ones."""
    gain, loss, product = costs_of_the_parts(A)
    cost, found = bare_cost(A).squared_norm, rank(rectified(A))
    return (
        eq(product, loss, name="product")
        & eq(cost, gain - loss, name="cost")
        & le(gain, 0 * gain + found, name="rank")
        & le(cost, with_other_entries(A, other), name="least")
    )


def has_a_negative_entry(A: Array) -> Array:
    """Whether an entry is negative, by more than a rounding error of zero."""
    return np.asarray((compare(A, Q("-1/1000000")) < 0).any(axis=(-2, -1)))


# False variants


def other_entries_cost_the_same(A: Array, other: Array) -> Relation:
    """The cost does not depend on negative entries."""
    return eq(bare_cost(A).squared_norm, with_other_entries(A, other))


def parts_add_up(A: Array, other: Array) -> Relation:
    """As if the parts were orthogonal."""
    del other
    gain, loss, _ = costs_of_the_parts(A)
    return eq(bare_cost(A).squared_norm, gain + loss)


def cost_is_the_rank(A: Array, other: Array) -> Relation:
    """The cost is that of the features without bias."""
    del other
    return eq(bare_cost(A).squared_norm, rank(rectified(A)))


def three_points() -> dict[str, Any]:
    """Two neurons and three points, -2/11 where the derivative vanishes; the cost is 2 - 1/11."""
    A = rationals([[[0, "-2/11", 1], [3, 1, 4]]])
    return {"A": A, "other": rectified(-A)}


NEGATIVE = "an entry is negative"

CLAIM = Claim(
    id="leaky_resnets.prop_3.negative_entries",
    title="At a local minimum of the cost the negative part is subtracted from the cost of the positive part",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
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
        {"the cost is finite": cost_is_finite, NEGATIVE: has_a_negative_entry},
    ),
    tight={"three points": Tight(three_points, of=("rank", "least"))},
    false_variants={
        "the parts add up": parts_add_up,
        "the cost is the rank": cost_is_the_rank,
        "other entries cost the same": other_entries_cost_the_same,
    },
    cost=4,
)
