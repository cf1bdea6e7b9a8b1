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
Tight
    The ends t = 0 and t = 7/10; neurons with one negative value.
Not checked
    Whether a pair of three points needs six.
Source
    feature_learning, Section 4.1 (Rank); the pair is derived here.
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, Q, Source, Tight, interval
from verify.words import diag, eq, ge, le, norm2, stack, vector

KERNEL = ((18, -11, -7), (-11, 23, -12), (-7, -12, 19))
"""Ten times K."""


def multiples(share):
    """The numbers w for t = 7/10 `share`, with a diagonal of zeros."""
    t = Q(7, 10) * share
    first, second = t + Q(3, 10), Q(4, 5) - t
    return stack([vector(0, first, 1 - first), vector(second, 0, 1 - second), vector(t, 1 - t, 0)])


def five_are_needed(share, negative, fewest=5, factor=2):
    """The values of a neuron are `negative` ones, and a positive one that makes their sum 0."""
    w, positive = multiples(share), negative.sum()
    K = diag(w.sum(axis=1) + w.sum(axis=0)) - w - w.T
    return (
        eq(10 * K, KERNEL, name="kernel")
        & eq(w.sum(axis=1), 1, name="positive parts")
        & ge((w > 0).sum(), fewest, name="neurons")
        & le(positive**2 + norm2(negative), factor * positive**2, name="norm")
    )


def sums_of_columns_are_one(share):
    """As if negative parts had the sums of the positive ones."""
    return eq(multiples(share).sum(axis=0), 1)


def at_an_end(share):
    """An end of the segment, and a neuron with one negative value."""
    return {"share": share, "negative": [1, 0]}


CLAIM = Claim(
    id="feature_learning.rank_of_pair.five_neurons",
    title="Some pairs of three points need five ReLU neurons",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=five_are_needed,
    domain=Domain({"share": interval(0, 1, often=(0, 1)), "negative": interval(0, np.inf, 2)}),
    tight={
        "t = 0": Tight(lambda: at_an_end(0), of=("neurons", "norm")),
        "t = 7/10": Tight(lambda: at_an_end(1), of=("neurons", "norm")),
    },
    false_variants={
        "six": {"fewest": 6},
        "without the factor 2": {"factor": 1},
        "sums of columns": sums_of_columns_are_one,
    },
)
