r"""The rank of a pair of covariances: how many neurons a hidden layer needs for it; its definition, and bounds from below.

The rank of a pair :math:`(K, K^\sigma)` for an amount of bias b is the smallest k with

.. math:: K = \sum_{i \le k} z_iz_i^T, \qquad K^\sigma = \sum_{i \le k} \sigma(z_i)\sigma(z_i)^T + b^211^T

(k = 0 for :math:`(0, b^211^T)`). For the ReLU the document concludes that :math:`K^\sigma` is completely positive and that the
rank is at least :math:`\max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}K^\sigma)`. For b > 0 that is false (*printed*): for b = 1, a
layer with the only neuron z = (1, 0) has a :math:`K^\sigma` of rank 2. True is

.. math:: \mathrm{rank} \ge \max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}(K^\sigma - b^211^T)), \qquad
   \mathrm{rank} + 1 \ge \mathrm{Rank}_{cp}K^\sigma .

Checked is that no sum has fewer non-zero terms than that, with lower bounds of the CP-rank in its place (the rank, and the
number of cliques that cover the edges of the support graph).

For a single data point and slopes 1 and d, |d| < 1, the pairs are those with :math:`d^2k \le q \le k`, q the second number
less :math:`b^2`, and the rank is known (*one_point*): 1 if k > 0, and one more if :math:`d^2k < q < k`. So the lower bound
above is not sharp: (2, 1) has rank 2 for the ReLU.

Source: feature_learning, equation (4.1) and the inequality after Definition 12. The correction and the last
paragraph are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.caratheodory import in_use
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import contains, covariance_pair
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.networks import relu
from verify.relation import Verdict


def terms(vectors: Array) -> Array:
    """How many of the vectors are not zero, ``(..., k, N) -> (...)``."""
    return np.asarray(in_use(absolute(vectors).sum(axis=-1)).sum(axis=-1))


def biased_pair(vectors: Array, bias: Array) -> tuple[Array, Array]:
    """The pair of these neurons of a ReLU layer, for a batch of biases, ``(..., k, N), (...) -> (..., N, N)`` twice."""
    K, K_sigma = covariance_pair(vectors, relu())
    return K, K_sigma + (bias**2)[..., None, None]


def rank_is_at_least(vectors: Array, bias: Array, fewer: int = 0, shifted: int = 1, total: bool = False) -> Relation:
    """The three lower bounds of the number of terms of any sum."""
    K, K_sigma = biased_pair(vectors, bias)
    count, without = terms(vectors), K_sigma - (bias**2)[..., None, None]
    of_first, of_second = like(rank(K), vectors), cp_rank_lower_bound(without)
    lower = of_first + of_second if total else maximum(of_first, of_second)
    return le(lower, count - fewer) & le(cp_rank_lower_bound(K_sigma), count + shifted * in_use(bias))


def printed_bound(vectors: Array, bias: Array) -> Relation:
    r""":math:`\max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}K^\sigma)` is at most the number of terms."""
    K, K_sigma = biased_pair(vectors, bias)
    return le(maximum(like(rank(K), vectors), cp_rank_lower_bound(K_sigma)), terms(vectors))


def two_neurons_at_most(
    vector: Array, slope: Array, bias: Array, most: int = 2, fewer: int = 0, ratio: int = 10_000, translated: bool = True
) -> Relation:
    """One data point, seen by neurons with these values: the pair, and how many neurons it needs.

    Neurons with values of equal signs make one; two of different signs are needed unless q is at an end of its interval.
    """
    positive = (maximum(vector, 0 * vector) ** 2).sum(axis=-1)
    negative = (maximum(-vector, 0 * vector) ** 2).sum(axis=-1)
    square = slope**2
    k, second = (vector**2).sum(axis=-1), positive + square * negative + bias**2
    q = second - bias**2 if translated else second
    size = k + bias**2
    # from the pair alone: how the sum splits into both signs
    forward = (q - square * k) * ratio / 10_000 / (1 - square)
    needed = in_use(positive) + in_use(negative)
    scale = size / (1 - square)
    return (
        eq(forward, positive, scale=scale)
        & eq(k - forward, negative, scale=scale)
        & le(needed, in_use(absolute(vector)).sum(axis=-1) - fewer)
        & le(needed, 0 * needed + most)
    )


def one_neuron(values: Any, bias: Any = 0) -> dict[str, Array]:
    """A layer with a single neuron that has these values at the data points."""
    return {"vectors": rationals([[values]]), "bias": rationals([bias])}


def memberships() -> Relation:
    """N = 1, ReLU: which pairs belong to the cone, with certificates; (2, 1) by two terms, and by no term of rank one."""
    inside, outside = [(2, 1), (1, 0), (3, 3), (0, 0)], [(1, 2), (1, -1), (0, 1)]
    found = [contains(rationals([[k]]), rationals([[q]]), relu()).verify() for k, q in inside + outside]
    expected = [Verdict.HOLDS] * len(inside) + [Verdict.FAILS] * len(outside)
    return eq(rationals([int(one) for one in found]), rationals([int(one) for one in expected]), over=1)


def one_term_in_symbols() -> Relation:
    """A single term for one data point has q = k or q = d^2 k, so that (2, 1) is not one for the ReLU."""
    import sympy as sp

    from verify.symbolic import identically_zero

    z, d = sp.symbols("z d", real=True)
    size = sp.Abs(z)
    image = (1 + d) / 2 * z + (1 - d) / 2 * size
    return identically_zero((image**2 - z**2) * (image**2 - d**2 * z**2))


SOURCE = Source("feature_learning", "Section 4.2, before Proposition 13")
LAYER = {"vectors": integers(-2, 2, "neurons", "points"), "bias": integers(0, 2)}
SIZES = {"neurons": range(1, 5), "points": range(1, 5)}

CLAIM = Claim(
    id="feature_learning.rank_of_pair",
    title="Lower bounds of the rank of a pair",
    source=SOURCE,
    status=Ours(),
    statement=rank_is_at_least,
    domain=Domain(LAYER, SIZES),
    tight={
        "one neuron": Tight(partial(one_neuron, [1, 0], 1)),
        "no neuron": Tight(partial(one_neuron, [0, 0], 1)),
    },
    false_neighbours={
        "one more": partial(rank_is_at_least, fewer=1),
        "the CP-rank with the bias": partial(rank_is_at_least, shifted=0),
        "the sum of both": partial(rank_is_at_least, total=True),
    },
    exact={"pairs for one data point": memberships},
    cost=2,
)

PRINTED = Claim(
    id="feature_learning.rank_of_pair.printed",
    title="The rank is at least the CP-rank of the second covariance",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.rank_of_pair"),
    statement=printed_bound,
    domain=Domain(LAYER, SIZES),
    false_neighbours={},
    cost=2,
)

ONE_POINT = Claim(
    id="feature_learning.rank_of_pair.one_point",
    title="The rank of a pair for one data point",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=two_neurons_at_most,
    domain=Domain(
        {"vector": reals("neurons"), "slope": interval(-1, 1), "bias": interval(0, 2)},
        {"neurons": range(1, 6)},
        hypotheses={"|d| < 1": lambda slope: compare(absolute(slope), 1) < 0},
    ),
    false_neighbours={
        "one neuron suffices": partial(two_neurons_at_most, most=1),
        "one neuron less": partial(two_neurons_at_most, fewer=1),
        "the bias is not taken off": partial(two_neurons_at_most, translated=False),
        "0.01 percent more with positive values": partial(two_neurons_at_most, ratio=10_001),
    },
    exact={"a single term": one_term_in_symbols},
)
