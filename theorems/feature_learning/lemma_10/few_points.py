r"""Lemma 10 with the rank itself: one and two points.

Statement
    For one point, any homogeneous activation, and for two points and the ReLU,

    .. math:: \mathrm{Rank}\,K \le \mathrm{Rank}_\sigma(K, K^\sigma) \le N + 1 .
Checked
    Both bounds, with the rank from a formula, and that it is at most the number of rows.
Proof idea
    Two points: one vector in the quadrant where both are positive, and by the intermediate value theorem one in each of two
    others.
Tight
    (2, 1) for the ReLU and (2, 101/100) for leaky ReLU with slope 1/10 have rank 2 = N(N+1): they are between the two rays of
    the cone. The rows (-2, -1), (2, 1), (-3, 3) have a pair of rank 3. One row has rank 1.
Source
    feature_learning, Lemma 10. The upper bound N + 1 is derived here.
"""

from functools import partial

from theorems.feature_learning.constructions.activations import SLOPES
from theorems.feature_learning.constructions.ranks import rank_of_layer
from verify import Claim, DerivedHere, Domain, Source, Tight, derived, integers
from verify.cones.covariance_pairs import rank_of_pair
from verify.networks import HomogeneousActivation
from verify.numbers.arithmetic import rationals
from verify.words import eq, le, rank, vector


def rank_between_the_bounds(layer):
    Z, slopes = layer
    found, N = rank_of_layer(Z, slopes), Z.shape[1]
    return (
        le(rank(Z), found, name="lower bound") & le(found, N + 1, name="upper bound") & le(found, len(Z), name="number of rows")
    )


def at_most_as_many_as_points(layer):
    return le(rank_of_layer(*layer), layer[0].shape[1])


def rank_of_the_first(layer):
    return le(rank_of_layer(*layer), rank(layer[0]))


def relu_for_two_points(Z, slopes):
    """Any slopes for one point, those of the ReLU for two."""
    return Z, slopes if Z.shape[1] == 1 else 0 * slopes + vector(1, 0)


def pairs_of_rank_two():
    """The pairs (2, 1) for the slopes 1, 0 and (2, 101/100) for 1, 1/10; on the rays the rank is one."""
    cases = [(0, "1", 2), ("1/10", "101/100", 2), (0, "2", 1), ("1/10", "1/50", 1)]
    found = [
        rank_of_pair(rationals([[2]]), rationals([[second]]), HomogeneousActivation(*rationals([1, slope])))
        for slope, second, _ in cases
    ]
    wanted = [number for *_, number in cases]
    return eq([one.lower for one in found], wanted) & eq([one.upper for one in found], wanted)


def relu_layer(*rows):
    return {"layer": (rationals(rows), rationals([1, 0]))}


FEW_POINTS = Claim(
    id="feature_learning.lemma_10.few_points",
    title="One and two points need at most N + 1 neurons",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=rank_between_the_bounds,
    domain=Domain(
        {"layer": derived(relu_for_two_points, Z=integers(-4, 4, "rows", "points", role="few values"), slopes=SLOPES)},
        {"rows": range(1, 6), "points": (1, 2)},
    ),
    tight={
        "both signs": Tight(partial(relu_layer, [1], [-1]), of=("upper bound", "number of rows")),
        "three rows": Tight(partial(relu_layer, [-2, -1], [2, 1], [-3, 3]), of=("upper bound", "number of rows")),
        "one row": Tight(partial(relu_layer, [1, -2]), of=("lower bound", "number of rows")),
    },
    false_variants={"at most N neurons": at_most_as_many_as_points, "the rank of K": rank_of_the_first},
    exact={"pairs of rank 2 for one point": pairs_of_rank_two},
    cost=10,
)
