r"""Lower bounds of the rank of a pair, without bias.

Statement
    For the ReLU without bias, as in Section 4.2,

    .. math:: \mathrm{Rank}_\sigma(K, K^\sigma) \ge \max(\mathrm{Rank}\,K, \mathrm{Rank}_{cp}K^\sigma) .
Checked
    The rank itself for one and two points, and the number of the terms of any sum for more, are no smaller than that; the
    CP-rank is represented by its lower bounds, the rank and the number of cliques that cover the edges of the support graph.
Proof idea
    The rows :math:`\sigma(z_i)` are a factor of :math:`K^\sigma` without negative entries.
Sharp
    One neuron, and parallel ones. The cycle of four vertices, with CP-rank 4 and rank 3.
Source
    feature_learning, the inequality after Definition 12.
"""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.graphs import edge_rows
from theorems.feature_learning.constructions.relu_layers import SIZES, VECTORS, fewest_terms, one_neuron
from verify import Claim, Domain, Relation, Source, Tight, eq, le
from verify.arithmetic import Array, rationals
from verify.cones.completely_positive import cp_rank_lower_bound
from verify.cones.covariance_pairs import contains, covariance_pair
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.networks import relu
from verify.relation import Verdict


def rank_is_at_least(vectors: Array) -> Relation:
    """Both lower bounds of the number of terms."""
    K, K_sigma = covariance_pair(vectors, relu())
    count = fewest_terms(vectors)
    first = le(like(rank(K), vectors), count, name="rank of K")
    return first & le(cp_rank_lower_bound(K_sigma), count, name="CP-rank")


# False variants


def sum_of_both(vectors: Array) -> Relation:
    """The rank is at least the sum of both bounds."""
    K, K_sigma = covariance_pair(vectors, relu())
    return le(like(rank(K), vectors) + cp_rank_lower_bound(K_sigma), fewest_terms(vectors))


def larger_of_both_is_all(vectors: Array) -> Relation:
    """The rank is the larger of both, for one and two points."""
    K, K_sigma = covariance_pair(vectors, relu())
    larger = np.maximum(rank(K), rank(K_sigma))
    known = fewest_terms(vectors) if vectors.shape[-1] <= 2 else 0 * vectors[..., 0, 0]
    return le(known, like(larger, vectors))


def memberships() -> Relation:
    """N = 1, ReLU: which pairs belong to the cone, with certificates; (2, 1) by two terms, and by no term of rank one."""
    inside, outside = [(2, 1), (1, 0), (3, 3), (0, 0)], [(1, 2), (1, -1), (0, 1)]
    found = [contains(rationals([[k]]), rationals([[q]]), relu()).verify() for k, q in inside + outside]
    expected = [Verdict.HOLDS] * len(inside) + [Verdict.FAILS] * len(outside)
    return eq(rationals([int(one) for one in found]), rationals([int(one) for one in expected]), over=1)


CLAIM = Claim(
    id="feature_learning.rank_of_pair",
    title="The rank of a pair is at least the rank of K and the CP-rank",
    source=Source("feature_learning", "Section 4.2, before Proposition 13"),
    statement=rank_is_at_least,
    domain=Domain({"vectors": VECTORS}, SIZES),
    tight={
        "one neuron": Tight(lambda: {"vectors": one_neuron([1, 0])["vectors"]}, of=("rank of K", "CP-rank")),
        "parallel neurons": Tight(lambda: {"vectors": rationals([[[1, 1], [2, 2]]])}, of=("rank of K", "CP-rank")),
        "cycle of four vertices": Tight(lambda: {"vectors": edge_rows(4)[None]}, of=("CP-rank",)),
    },
    false_variants={"the sum of both": sum_of_both, "no more than the larger": larger_of_both_is_all},
    exact={"pairs for one data point": memberships},
    cost=4,
)
