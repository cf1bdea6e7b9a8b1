r"""The dimension in which pairs of covariances live.

For N data points the pairs :math:`(zz^T, \sigma(z)\sigma(z)^T)`, with slopes a for t > 0 and d for t < 0, span a space of
dimension

.. math:: N(N+1) \;\;(a \ne \pm d), \qquad N^2 \;\;(a = -d \ne 0), \qquad N(N+1)/2 \;\;(a = d) ,

since :math:`\sigma(t) = \frac{a+d}2 t + \frac{a-d}2|t|`, so that the pairs are linear in the functions :math:`z_iz_j`,
:math:`|z_i||z_j|` (i < j for :math:`a = -d`, as :math:`|z_i|^2 = z_i^2`) and :math:`z_i|z_j| + |z_i|z_j`. The document bounds
the dimension by N(N+1); that fewer generators suffice for the absolute value and the identity is ours. Checked: the bound for
any vectors, and exactly that it is attained for N up to 5.

Source: feature_learning, note after Definition 2 and before Proposition 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_

import numpy as np

from verify import Claim, Domain, Relation, Source, Tight, derived, eq, integers, le
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank
from verify.networks import HomogeneousActivation


def pairs(vectors: Array, slopes: Array) -> Array:
    r"""The upper triangles of :math:`zz^T` and of :math:`\sigma(z)\sigma(z)^T` in a row, ``(..., k, N) -> (..., k, N(N + 1))``.

    `slopes` are those for t > 0 and for t < 0, shape ``(..., 2)``.
    """
    activation = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])
    i, j = np.triu_indices(vectors.shape[-1])
    image = activation(vectors)
    return np.concatenate([vectors[..., i] * vectors[..., j], image[..., i] * image[..., j]], axis=-1)


def dimension_of_pairs(slopes: Array, points: int, odd: int = 0, even: int = 0) -> Array:
    """The dimension that the pairs of `points` data points span; `odd` and `even` are added for a = -d and for a = d."""
    a, d = slopes[..., 0], slopes[..., 1]
    full, half = points * (points + 1), points * (points + 1) // 2
    opposite = np.where(compare(a, -d) == 0, points**2 + odd, full)
    return like(np.where(compare(a, d) == 0, half + even, opposite), slopes)


def pairs_span(vectors: Array, slopes: Array, shift: int = 0, odd: int = 0, even: int = 0) -> Relation:
    """The pairs of the vectors have at most that rank."""
    bound = dimension_of_pairs(slopes, vectors.shape[-1], odd, even)
    return le(like(rank(pairs(vectors, slopes)), slopes), bound + shift)


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


SOURCE = Source("feature_learning", "Definition 2")

DIMENSION = Claim(
    id="feature_learning.caratheodory.dimension",
    title="The dimension of pairs of covariances",
    source=SOURCE,
    statement=pairs_span,
    domain=Domain(
        {
            "vectors": integers(-4, 4, "vectors", "points"),
            "slopes": derived(scaled_activation, positive=integers(0, 2), ratio=integers(-1, 2)),
        },
        {"vectors": range(1, 14), "points": range(1, 4)},
    ),
    tight={f"slopes {slopes}": Tight(partial(spanning_family, 3, slopes)) for slopes in ([1, 0], [1, -1], [1, 1])},
    false_neighbours={
        "one less": partial(pairs_span, shift=-1),
        "one less for the absolute value": partial(pairs_span, odd=-1),
        "one less for the identity": partial(pairs_span, even=-1),
    },
    exact={
        "attained for ReLU": partial(dimension_attained, [1, 0]),
        "attained for a slope of 1/10": partial(dimension_attained, [1, "1/10"]),
        "attained for the absolute value": partial(dimension_attained, [1, -1]),
        "attained for the identity": partial(dimension_attained, [1, 1]),
    },
)
