r"""Lower bounds of the rank of a pair, without bias.

Statement
    For the ReLU without bias, as in Section 4.2,

    .. math:: \mathrm{Rank}_\sigma(K, K^\sigma) \ge \max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}K^\sigma) .
Checked
    The rank itself for one and two points, and the number of the terms of any sum for more, are no smaller than that; the
    CP-rank is represented by its lower bounds, the rank and the number of cliques that cover the edges of the support graph.
Proof idea
    The rows :math:`\sigma(z_i)` are a factor of :math:`K^\sigma` without negative entries.
Tight
    One neuron, and parallel ones. The cycle of four vertices, with CP-rank 4 and rank 3.
Source
    feature_learning, the inequality after Definition 12.
"""

from theorems.feature_learning.constructions.graphs import edge_rows
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.ranks import rank_of_layer
from verify import Claim, Domain, Source, Tight, integers
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import contains
from verify.networks import relu as relu_activation
from verify.numbers.arithmetic import rationals
from verify.numbers.relation import Verdict
from verify.words import eq, le, lifted, maximum, rank, relu, vector

cp_rank_bound = lifted(cp_rank_lower_bound)


def fewest_terms(Z):
    """The rank of the pair where it is known, for one and two points; else the number of the terms that are given."""
    return rank_of_layer(Z, vector(1, 0)) if Z.shape[1] <= 2 else (Z != 0).any(axis=1).sum()


def rank_is_at_least(Z):
    first = le(rank(gram(Z)), fewest_terms(Z), name="rank of K")
    return first & le(cp_rank_bound(gram(relu(Z))), fewest_terms(Z), name="CP-rank")


def sum_of_both(Z):
    return le(rank(gram(Z)) + cp_rank_bound(gram(relu(Z))), fewest_terms(Z))


def larger_of_both_is_all(Z):
    """For one and two points."""
    known = fewest_terms(Z) if Z.shape[1] <= 2 else 0
    return le(known, maximum(rank(gram(Z)), rank(gram(relu(Z)))))


def memberships():
    """N = 1, ReLU: which pairs belong to the cone, with certificates; (2, 1) by two terms, and by no term of rank one."""
    inside, outside = [(2, 1), (1, 0), (3, 3), (0, 0)], [(1, 2), (1, -1), (0, 1)]
    found = [contains(rationals([[k]]), rationals([[q]]), relu_activation()).verify() for k, q in inside + outside]
    expected = [Verdict.HOLDS] * len(inside) + [Verdict.FAILS] * len(outside)
    return eq([int(one) for one in found], [int(one) for one in expected])


LAYER = {"Z": integers(-2, 2, "neurons", "points", role="few values")}
"""Few neurons with integer values."""
SIZES = {"neurons": range(1, 6), "points": range(1, 5)}

CLAIM = Claim(
    id="feature_learning.rank_of_pair",
    title="The rank of a pair is at least the rank of K and the CP-rank",
    source=Source("feature_learning", "Section 4.2, before Proposition 13"),
    statement=rank_is_at_least,
    domain=Domain(LAYER, SIZES),
    tight={
        "one neuron": Tight(lambda: {"Z": [[1, 0]]}, of=("rank of K", "CP-rank")),
        "parallel neurons": Tight(lambda: {"Z": [[1, 1], [2, 2]]}, of=("rank of K", "CP-rank")),
        "cycle of four vertices": Tight(lambda: {"Z": edge_rows(4)}, of=("CP-rank",)),
    },
    false_variants={"the sum of both": sum_of_both, "no more than the larger": larger_of_both_is_all},
    exact={"pairs for one data point": memberships},
    cost=4,
)
