r"""Lower bounds of the rank of a pair with a bias.

Statement
    For the ReLU with an amount of bias b > 0,

    .. math:: \mathrm{rank} \ge \max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}(K^\sigma - b^211^T)), \qquad
       \mathrm{rank} + 1 \ge \mathrm{Rank}_{cp}K^\sigma .
Checked
    Both, as in `lower_bounds`. The inequality of the paper is for b = 0; with a bias it would be false: for b = 1, a layer
    with the only neuron z = (1, 0) has a :math:`K^\sigma` of rank 2.
Tight
    That neuron; and no neuron.
Source
    feature_learning, the inequality after Definition 12; the form with a bias is derived here.
"""

from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.rank_of_pair.lower_bounds import LAYER, SIZES, cp_rank_bound, fewest_terms
from verify import Claim, DerivedHere, Domain, Source, integers
from verify.words import le, rank, relu


def second_covariance(Z, b):
    return gram(relu(Z)) + b**2


def rank_is_at_least(Z, b):
    K_sigma, terms = second_covariance(Z, b), fewest_terms(Z)
    return (
        le(rank(gram(Z)), terms, name="rank of K")
        & le(cp_rank_bound(K_sigma - b**2), terms, name="CP-rank without the bias")
        & le(cp_rank_bound(K_sigma), terms + 1, name="CP-rank")
    )


def cp_rank_with_the_bias(Z, b):
    return le(cp_rank_bound(second_covariance(Z, b)), fewest_terms(Z))


def rank_with_the_bias(Z, b):
    return le(rank(second_covariance(Z, b)), fewest_terms(Z))


WITH_BIAS = Claim(
    id="feature_learning.rank_of_pair.with_bias",
    title="With a bias, the CP-rank may be larger than the rank by one",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=rank_is_at_least,
    domain=Domain({**LAYER, "b": integers(1, 2, role="1")}, SIZES),
    tight={"one neuron": {"Z": [[1, 0]], "b": 1}, "no neuron": {"Z": [[0, 0]], "b": 1}},
    false_variants={"the CP-rank with the bias": cp_rank_with_the_bias, "the rank with the bias": rank_with_the_bias},
    cost=4,
)
