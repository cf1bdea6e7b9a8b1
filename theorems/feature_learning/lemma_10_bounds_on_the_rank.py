r"""Lemma 10: the rank of a pair of covariances is between the rank of K and N(N+1).

.. math:: \mathrm{Rank}\,K \le \mathrm{Rank}_\sigma(K, K^\sigma) \le N(N+1)

for :math:`K = \sum_i z_iz_i^T`, :math:`K^\sigma = \sum_i\sigma(z_i)\sigma(z_i)^T + \beta^211^T` (see `prop_8_realising_width`).
Upper bound: pairs without bias are a cone in N(N+1) dimensions, and Caratheodory's theorem leaves that many of any number of
terms. Lower bound: k terms have rank at most k, and so has :math:`K^\sigma - \beta^211^T`. Checked is, for any rows, that
pruning keeps the pair, and that the number of terms that are left is between the two bounds.

Both are attained. One row has rank 1 and one term. For one point, the pairs (2, 1) for the ReLU and (2, 101/100) for leaky ReLU
with slope 1/10 have rank 2 = N(N+1): they are between the two rays of the cone. (For two and more points N(N+1) - 1 suffice by
the theorem of Fenchel and Bunt, but not always from among the given rows, so that pruning does not show it.)

Source: feature_learning, Lemma 10. The bound by the rank of the second covariance is ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.feature_learning.prop_3_covariances import cone_pairs
from theorems.feature_learning.prop_7_plateau import SOLVER_ACCURACY, half_of
from theorems.feature_learning.prop_8_realising_width import number_like, rank_of_one_point
from theorems.feature_learning.weight_decomposition import for_entries
from verify import Claim, Domain, Relation, Source, Tight, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, is_exact, rationals
from verify.cones.conical_hull import caratheodory
from verify.domain import Sizes
from verify.matrices import frobenius_norm_squared, rank
from verify.networks import HomogeneousActivation


def pruned_rows(rows: Array, image: Array) -> Array:
    """Weights, not negative, with the same pair, and at most N(N + 1) of them not zero, ``(..., k, N) -> (..., k)``."""
    generators = np.concatenate([half_of(part[..., :, None] * part[..., None, :]) for part in (rows, image)], axis=-1)
    ones = 0 * rows[..., 0] + 1
    return np.stack([caratheodory(*one) for one in zip(generators, ones, strict=True)])


def terms_between_the_bounds(
    rows: Array, slopes: Array, bias: Array, fewer: int = 0, more: int = 0, half: bool = False
) -> Relation:
    """The number of rows that are left after pruning, with the same pair, against both bounds."""
    image = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])(rows)
    weights = pruned_rows(rows, image)
    # a batch of one layer
    ((before, image_before),) = cone_pairs((0 * weights + 1)[..., None, :], [rows], slopes, bias)
    ((after, image_after),) = cone_pairs(weights[..., None, :], [rows], slopes, bias)
    exact = is_exact(rows)
    noise = None if exact else SOLVER_ACCURACY * for_entries(frobenius_norm_squared(rows) + bias**2)
    same = eq(after, before, noise=noise, over=2) & eq(image_after, image_before, noise=noise, over=2)
    terms = number_like((compare(weights, 0) > 0).sum(axis=-1), rows)
    count = rows.shape[-1]
    lower = number_like(np.maximum(rank(rows), rank(image)), rows)
    upper = count * (count + 1) // (2 if half else 1) - fewer
    return same & ge(weights, 0 * weights, over=1) & le(lower + more, terms) & le(terms, 0 * terms + upper)


def pairs_of_rank_two() -> Relation:
    """The pairs (2, 1) for the slopes 1, 0 and (2, 101/100) for 1, 1/10; on the rays the rank is one."""
    covariances, slopes = rationals([2, 2, 2, 2, 0]), rationals([[1, 0], [1, "1/10"], [1, 0], [1, "1/10"], [1, 0]])
    rectified = rationals([1, "101/100", 2, "1/50", 0])
    return eq(rank_of_one_point(covariances, rectified, slopes), rationals([2, 2, 1, 1, 0]), over=1)


def many_rows(sizes: Sizes) -> bool:
    """At most a few more rows than the bound."""
    return sizes["rows"] <= sizes["points"] * (sizes["points"] + 1) + 3


CLAIM = Claim(
    id="feature_learning.lemma_10",
    title="Bounds on the rank of a pair of covariances",
    source=Source("feature_learning", "Lemma 10"),
    statement=terms_between_the_bounds,
    domain=Domain(
        {"rows": integers(-4, 4, "rows", "points"), "slopes": interval(-1, 1, 2), "bias": interval(0, 2)},
        {"rows": (1, 2, 4, 5, 8, 9, 14), "points": range(1, 4)},
        sizes_where=many_rows,
    ),
    tight={
        "rows on both sides of one point": Tight(
            lambda: {"rows": rationals([[[1], [-2], [3], [-1]]]), "slopes": rationals([[1, 0]]), "bias": rationals([1])}
        ),
        "one row": Tight(lambda: {"rows": rationals([[[1, -2]]]), "slopes": rationals([[1, 0]]), "bias": rationals([0])}),
    },
    false_neighbours={
        "N(N + 1) - 1 of the rows": partial(terms_between_the_bounds, fewer=1),
        "N(N + 1)/2 of the rows": partial(terms_between_the_bounds, half=True),
        "more than the rank of K": partial(terms_between_the_bounds, more=1),
    },
    exact={"the upper bound is attained at one point": pairs_of_rank_two},
    cost=60,
)
