r"""Some pairs of three points need five ReLU neurons.

Statement
    How large :math:`\mathrm{Rank}_\sigma` can be for N = 3 and the ReLU is open: at most N(N + 1) - 1 = 11. By their
    dimension most pairs need four neurons or more. There are pairs that need five: without bias, :math:`K^\sigma = I` and

    .. math:: K = \sum_{i \ne j} w_{ij} (e_i - e_j)(e_i - e_j)^T, \quad
              w_{12} = t + \tfrac3{10}, \; w_{21} = \tfrac45 - t, \; w_{31} = t, \; w_{i1} + w_{i2} + w_{i3} = 1 ,

    which is one K for all t.
Checked
    That the pair does not depend on t; that at least five of the six numbers w are positive for :math:`0 \le t \le 7/10`, where
    all are not negative; and :math:`\|z\|^2 \le 2 \|\sigma(z)\|^2` for a neuron with one positive value and the sum 0, with
    equality only if a single value is negative.
Proof idea
    :math:`K1 = 0`, so that the values of each neuron have the sum 0; as :math:`K^\sigma` is diagonal, each has one positive
    value. As the trace of K is twice that of :math:`K^\sigma`, each neuron is a multiple of some :math:`e_i - e_j`. The squares
    of these multiples add up to numbers w with the same sums of rows and columns, which are those above for some t.
Sharp
    The ends t = 0 and t = 7/10; neurons with one negative value.
Not checked
    Whether a pair of three points needs six.
Source
    feature_learning, Section 4.1 (Rank); the pair is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, eq, ge, interval, le
from verify.arithmetic import Array, compare, is_exact, rationals

KERNEL = ((18, -11, -7), (-11, 23, -12), (-7, -12, 19))
"""Ten times K."""


def multiples(share: Array) -> Array:
    """The numbers w for t = 7/10 `share`, shape ``(...) -> (..., 3, 3)``, with a diagonal of zeros."""
    third = Q("7/10") * share
    first, second, zero = third + Q("3/10"), Q("4/5") - third, 0 * share
    rows = [[zero, first, 1 - first], [second, zero, 1 - second], [third, 1 - third, zero]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def kernel_of(w: Array) -> Array:
    r"""The sum of :math:`w_{ij} (e_i - e_j)(e_i - e_j)^T`."""
    diagonal = w.sum(axis=-1) + w.sum(axis=-2)
    return np.asarray(diagonal[..., None] * np.eye(3, dtype=np.int64) - w - np.swapaxes(w, -1, -2))


def number_of_positive(w: Array) -> Array:
    """How many numbers are positive, in the arithmetic of w."""
    found = (compare(w, 0) > 0).sum(axis=(-2, -1))
    return rationals(found) if is_exact(w) else np.asarray(found, dtype=np.float64)


def five_are_needed(share: Array, negative: Array) -> Relation:
    """The pair, the number of neurons, and the squared norm of a neuron with the sum 0 against its positive value."""
    w = multiples(share)
    total = negative.sum(axis=-1)
    return (
        eq(10 * kernel_of(w), np.array(KERNEL) + 0 * w, over=2, name="kernel")
        & eq(w.sum(axis=-1), 1 + 0 * w[..., 0], over=1, name="positive parts")
        & ge(number_of_positive(w), 5, name="neurons")
        & le(total**2 + (negative**2).sum(axis=-1), 2 * total**2, name="norm")
    )


# False variants


def six_are_needed(share: Array) -> Relation:
    """Six neurons."""
    return ge(number_of_positive(multiples(share)), 6)


def norm_without_the_factor(negative: Array) -> Relation:
    """The norm against the square of the positive value."""
    total = negative.sum(axis=-1)
    return le(total**2 + (negative**2).sum(axis=-1), total**2)


def sums_of_columns_are_one(share: Array) -> Relation:
    """As if negative parts had the sums of the positive ones."""
    w = multiples(share)
    return eq(w.sum(axis=-2), 1 + 0 * w[..., 0], over=1)


def at_an_end(share: int) -> dict[str, Any]:
    """An end of the segment, and a neuron with one negative value."""
    return {"share": rationals([share]), "negative": rationals([[1, 0]])}


CLAIM = Claim(
    id="feature_learning.rank_of_pair.five_neurons",
    title="Some pairs of three points need five ReLU neurons",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=five_are_needed,
    domain=Domain({"share": interval(0, 1, often=(0, 1)), "negative": interval(0, np.inf, 2)}),
    tight={
        "t = 0": Tight(partial(at_an_end, 0), of=("neurons", "norm")),
        "t = 7/10": Tight(partial(at_an_end, 1), of=("neurons", "norm")),
    },
    false_variants={
        "six": six_are_needed,
        "without the factor 2": norm_without_the_factor,
        "sums of columns": sums_of_columns_are_one,
    },
)
