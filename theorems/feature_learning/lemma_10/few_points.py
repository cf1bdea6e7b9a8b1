r"""Lemma 10 with the rank itself: one and two points.

Statement
    For one point, any homogeneous activation, and for two points and the ReLU,

    .. math:: \mathrm{Rank}\,K \le \mathrm{Rank}_\sigma(K, K^\sigma) \le N + 1 .
Checked
    Both bounds, with the rank from a formula, and that it is at most the number of rows.
Proof idea
    Two points: one vector in the quadrant where both are positive, and by the intermediate value theorem one in each of two
    others.
Sharp
    (2, 1) for the ReLU and (2, 101/100) for leaky ReLU with slope 1/10 have rank 2 = N(N+1): they are between the two rays of
    the cone. The rows (-2, -1), (2, 1), (-3, 3) have a pair of rank 3. One row has rank 1.
Source
    feature_learning, Lemma 10. The upper bound N + 1 is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import SLOPES
from theorems.feature_learning.constructions.ranks import rank_of_layer
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, le
from verify.arithmetic import Array, rationals
from verify.cones.covariance_pairs import rank_of_pair
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.networks import HomogeneousActivation


def rank_between_the_bounds(layer: tuple[Array, Array]) -> Relation:
    """The rank of the pair of any rows against both bounds."""
    rows, slopes = layer
    found = like(rank_of_layer(rows, slopes), rows)
    return (
        le(like(rank(rows), rows), found, name="lower bound")
        & le(found, 0 * found + rows.shape[-1] + 1, name="upper bound")
        & le(found, 0 * found + rows.shape[-2], name="number of rows")
    )


# False variants


def at_most_as_many_as_points(layer: tuple[Array, Array]) -> Relation:
    """The rank is at most N."""
    rows, slopes = layer
    found = like(rank_of_layer(rows, slopes), rows)
    return le(found, 0 * found + rows.shape[-1])


def rank_of_the_first(layer: tuple[Array, Array]) -> Relation:
    """The rank of the pair is that of K."""
    rows, slopes = layer
    return le(like(rank_of_layer(rows, slopes), rows), like(rank(rows), rows))


def relu_for_two_points(rows: Array, slopes: Array) -> tuple[Array, Array]:
    """Rows with the slopes for one point, and with those of the ReLU for two."""
    if rows.shape[-1] == 1:
        return rows, slopes
    return rows, np.asarray(0 * slopes + like(np.array([1, 0]), slopes))


def pairs_of_rank_two() -> Relation:
    """The pairs (2, 1) for the slopes 1, 0 and (2, 101/100) for 1, 1/10; on the rays the rank is one."""
    cases = [(0, "1", 2), ("1/10", "101/100", 2), (0, "2", 1), ("1/10", "1/50", 1)]
    found = [
        rank_of_pair(rationals([[2]]), rationals([[second]]), HomogeneousActivation(*rationals([1, slope])))
        for slope, second, _ in cases
    ]
    wanted = rationals([number for *_, number in cases])
    return eq(rationals([one.lower for one in found]), wanted, over=1) & eq(
        rationals([one.upper for one in found]), wanted, over=1
    )


def relu_layer(rows: list[list[int]]) -> dict[str, Any]:
    """These rows with the ReLU."""
    return {"layer": (rationals([rows]), rationals([[1, 0]]))}


FEW_POINTS = Claim(
    id="feature_learning.lemma_10.few_points",
    title="One and two points need at most N + 1 neurons",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=rank_between_the_bounds,
    domain=Domain(
        {"layer": derived(relu_for_two_points, rows=integers(-4, 4, "rows", "points"), slopes=SLOPES)},
        {"rows": range(1, 6), "points": (1, 2)},
    ),
    tight={
        "both signs": Tight(partial(relu_layer, [[1], [-1]]), of=("upper bound", "number of rows")),
        "three rows": Tight(partial(relu_layer, [[-2, -1], [2, 1], [-3, 3]]), of=("upper bound", "number of rows")),
        "one row": Tight(partial(relu_layer, [[1, -2]]), of=("lower bound", "number of rows")),
    },
    false_neighbours={"at most N neurons": at_most_as_many_as_points, "the rank of K": rank_of_the_first},
    exact={"pairs of rank 2 for one point": pairs_of_rank_two},
    cost=10,
)
