r"""Pairs of covariances span at most N(N+1) dimensions.

Statement
    For N data points the pairs :math:`(zz^T, \sigma(z)\sigma(z)^T)` span at most N(N+1) dimensions.
Checked
    For slopes a for t > 0 and d for t < 0 the dimension is

    .. math:: N(N+1) \;\;(a \ne \pm d), \qquad N^2 \;\;(a = -d \ne 0), \qquad N(N+1)/2 \;\;(a = d) ;

    the bound for any vectors, and exactly that it is attained for N up to 5. That fewer generators suffice for the absolute
    value and the identity is ours.
Proof idea
    As :math:`\sigma(t) = \frac{a+d}2 t + \frac{a-d}2|t|`, the pairs are linear in the functions :math:`z_iz_j`,
    :math:`|z_i||z_j|` (i < j for :math:`a = -d`, as :math:`|z_i|^2 = z_i^2`) and :math:`z_i|z_j| + |z_i|z_j`.
Sharp
    :math:`\pm e_i`, :math:`\pm(e_i + e_j)` and :math:`e_i - e_j`.
Source
    feature_learning, note after Definition 2 and before Proposition 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.pairs import dimension_of_pairs, pairs
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, le
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank


def pairs_span(vectors: Array, slopes: Array) -> Relation:
    """The pairs of the vectors have at most that rank."""
    return le(like(rank(pairs(vectors, slopes)), slopes), dimension_of_pairs(slopes, vectors.shape[-1]))


# False variants


def one_dimension_less(vectors: Array, slopes: Array) -> Relation:
    """One less for every activation."""
    return le(like(rank(pairs(vectors, slopes)), slopes), dimension_of_pairs(slopes, vectors.shape[-1]) - 1)


def one_less_for_the_absolute_value(vectors: Array, slopes: Array) -> Relation:
    """One less for a = -d."""
    bound = dimension_of_pairs(slopes, vectors.shape[-1])
    opposite = compare(slopes[..., 0], -slopes[..., 1]) == 0
    return le(like(rank(pairs(vectors, slopes)), slopes), np.where(opposite, bound - 1, bound))


def one_less_for_the_identity(vectors: Array, slopes: Array) -> Relation:
    """One less for a = d."""
    bound = dimension_of_pairs(slopes, vectors.shape[-1])
    equal = compare(slopes[..., 0], slopes[..., 1]) == 0
    return le(like(rank(pairs(vectors, slopes)), slopes), np.where(equal, bound - 1, bound))


# Exact parts and sharp instances


def scaled_activation(positive: Array, ratio: Array) -> Array:
    """Slopes a and a * ratio: equal, opposite, or neither, shape ``(..., 2)``."""
    return np.stack([positive, positive * ratio], axis=-1)


def spanning_vectors(points: int) -> Array:
    r""":math:`\pm e_i`, :math:`\pm(e_i + e_j)` and :math:`e_i - e_j`, whose pairs span all: shape ``(k, N)``."""
    unit = np.eye(points, dtype=np.int64)
    i, j = np.triu_indices(points, 1)
    together = unit[i] + unit[j]
    return rationals(np.concatenate([unit, -unit, together, -together, unit[i] - unit[j]]))


def dimension_attained(slopes: Sequence[int | str], largest: int = 5) -> Relation:
    """For N up to `largest`, vectors whose pairs have the rank that is claimed."""
    activation = rationals(slopes)
    parts = []
    for points in range(1, largest + 1):
        found = rank(pairs(spanning_vectors(points)[None], activation[None]))
        parts.append(eq(like(found, activation), dimension_of_pairs(activation, points)))
    return reduce(and_, parts)


def spanning_family(points: int, slopes: Sequence[int]) -> dict[str, Array]:
    """Vectors whose pairs span all."""
    return {"vectors": spanning_vectors(points), "slopes": rationals(slopes)}


DIMENSION = Claim(
    id="feature_learning.caratheodory.dimension",
    title="Pairs of covariances span at most N(N + 1) dimensions",
    source=Source("feature_learning", "Definition 2"),
    statement=pairs_span,
    domain=Domain(
        {
            "vectors": integers(-4, 4, "vectors", "points"),
            "slopes": derived(scaled_activation, positive=integers(0, 2), ratio=integers(-1, 2)),
        },
        {"vectors": (1, 4, 7, 10, 13, 22), "points": range(1, 5)},
    ),
    tight={
        f"slopes {slopes}, N = {points}": Tight(partial(spanning_family, points, slopes))
        for slopes in ([1, 0], [1, -1], [1, 1])
        for points in (1, 3)
    },
    false_neighbours={
        "one less": one_dimension_less,
        "one less for the absolute value": one_less_for_the_absolute_value,
        "one less for the identity": one_less_for_the_identity,
    },
    exact={
        "attained for ReLU": partial(dimension_attained, [1, 0]),
        "attained for a slope of 1/10": partial(dimension_attained, [1, "1/10"]),
        "attained for the absolute value": partial(dimension_attained, [1, -1]),
        "attained for the identity": partial(dimension_attained, [1, 1]),
    },
)
