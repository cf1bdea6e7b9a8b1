r"""Lower bounds of the rank of a pair with a bias.

Statement
    For the ReLU with an amount of bias b > 0,

    .. math:: \mathrm{rank} \ge \max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}(K^\sigma - b^211^T)), \qquad
       \mathrm{rank} + 1 \ge \mathrm{Rank}_{cp}K^\sigma .
Checked
    Both, as in `lower_bounds`. The inequality of the document is for b = 0; with a bias it would be false: for b = 1, a layer
    with the only neuron z = (1, 0) has a :math:`K^\sigma` of rank 2.
Sharp
    That neuron; and no neuron.
Source
    feature_learning, the inequality after Definition 12; the form with a bias is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.relu_layers import SIZES, VECTORS, biased_pair, fewest_terms, one_neuron
from verify import Claim, Domain, Ours, Relation, Source, Tight, integers, le
from verify.arithmetic import Array
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.support_graphs import like
from verify.matrices import rank


def rank_is_at_least(vectors: Array, bias: Array) -> Relation:
    """The three lower bounds of the number of terms."""
    K, K_sigma = biased_pair(vectors, bias)
    without = K_sigma - np.asarray(bias**2)[..., None, None]
    count = fewest_terms(vectors)
    return (
        le(like(rank(K), vectors), count, name="rank of K")
        & le(cp_rank_lower_bound(without), count, name="CP-rank without the bias")
        & le(cp_rank_lower_bound(K_sigma), count + 1, name="CP-rank")
    )


# False variants


def cp_rank_with_the_bias(vectors: Array, bias: Array) -> Relation:
    """The rank is at least the CP-rank of the second covariance."""
    return le(cp_rank_lower_bound(biased_pair(vectors, bias)[1]), fewest_terms(vectors))


def rank_with_the_bias(vectors: Array, bias: Array) -> Relation:
    """The rank is at least that of the second covariance."""
    return le(like(rank(biased_pair(vectors, bias)[1]), vectors), fewest_terms(vectors))


WITH_BIAS = Claim(
    id="feature_learning.rank_of_pair.with_bias",
    title="With a bias, the CP-rank may be larger than the rank by one",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=rank_is_at_least,
    domain=Domain({"vectors": VECTORS, "bias": integers(1, 2, role="1")}, SIZES),
    tight={
        "one neuron": Tight(partial(one_neuron, [1, 0], 1)),
        "no neuron": Tight(partial(one_neuron, [0, 0], 1)),
    },
    false_variants={"the CP-rank with the bias": cp_rank_with_the_bias, "the rank with the bias": rank_with_the_bias},
    cost=4,
)
