r"""Pairs of covariances span at most N(N+1) dimensions.

Statement
    For N data points the pairs :math:`(zz^T, \sigma(z)\sigma(z)^T)` span at most N(N+1) dimensions.
Checked
    For slopes a for t > 0 and d for t < 0 the dimension is

    .. math:: N(N+1) \;\;(a \ne \pm d), \qquad N^2 \;\;(a = -d \ne 0), \qquad N(N+1)/2 \;\;(a = d) ;

    the bound for any vectors, and exactly that it is attained for N up to 5. That fewer generators suffice for the absolute
    value and the identity is derived here.
Proof idea
    As :math:`\sigma(t) = \frac{a+d}2 t + \frac{a-d}2|t|`, the pairs are linear in the functions :math:`z_iz_j`,
    :math:`|z_i||z_j|` (i < j for :math:`a = -d`, as :math:`|z_i|^2 = z_i^2`) and :math:`z_i|z_j| + |z_i|z_j`.
Tight
    :math:`\pm e_i`, :math:`\pm(e_i + e_j)` and :math:`e_i - e_j`.
Source
    feature_learning, note after Definition 2 and before Proposition 5.
"""

from functools import partial, reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.pairs import dimension_of_pairs, pairs
from verify import Claim, Domain, Source, derived, integers
from verify.numbers.arithmetic import rationals
from verify.words import eq, le, rank, vector


def pairs_span(vectors, slopes):
    return le(rank(pairs(vectors, slopes)), dimension_of_pairs(slopes, vectors.shape[1]))


def one_less(vectors, slopes):
    return le(rank(pairs(vectors, slopes)), dimension_of_pairs(slopes, vectors.shape[1]) - 1)


def one_less_for_the_absolute_value(vectors, slopes):
    a, d = slopes
    return le(rank(pairs(vectors, slopes)), dimension_of_pairs(slopes, vectors.shape[1]) - 1 * (a == -d))


def one_less_for_the_identity(vectors, slopes):
    a, d = slopes
    return le(rank(pairs(vectors, slopes)), dimension_of_pairs(slopes, vectors.shape[1]) - 1 * (a == d))


def spanning_vectors(N):
    r""":math:`\pm e_i`, :math:`\pm(e_i + e_j)` and :math:`e_i - e_j`, whose pairs span all."""
    unit = np.eye(N, dtype=np.int64)
    i, j = np.triu_indices(N, 1)
    together = unit[i] + unit[j]
    return rationals(np.concatenate([unit, -unit, together, -together, unit[i] - unit[j]]))


def dimension_attained(a, d):
    """For N up to 5."""
    slopes = rationals([a, d])
    parts = (eq(rank(pairs(spanning_vectors(N), slopes)), dimension_of_pairs(slopes, N)) for N in range(1, 6))
    return reduce(and_, parts)


def spanning_family(N, slopes):
    return {"vectors": spanning_vectors(N), "slopes": slopes}


DIMENSION = Claim(
    id="feature_learning.caratheodory.dimension",
    title="Pairs of covariances span at most N(N + 1) dimensions",
    source=Source("feature_learning", "Definition 2"),
    statement=pairs_span,
    domain=Domain(
        {
            "vectors": integers(-4, 4, "vectors", "points"),
            "slopes": derived(lambda a, ratio: vector(a, a * ratio), a=integers(0, 2), ratio=integers(-1, 2)),
        },
        {"vectors": (1, 4, 7, 10, 13, 22), "points": range(1, 5)},
    ),
    tight={
        f"slopes {slopes}, N = {N}": partial(spanning_family, N, slopes) for slopes in ([1, 0], [1, -1], [1, 1]) for N in (1, 3)
    },
    false_variants={
        "one less": one_less,
        "one less for the absolute value": one_less_for_the_absolute_value,
        "one less for the identity": one_less_for_the_identity,
    },
    exact={
        "attained for ReLU": partial(dimension_attained, 1, 0),
        "attained for a slope of 1/10": partial(dimension_attained, 1, "1/10"),
        "attained for the absolute value": partial(dimension_attained, 1, -1),
        "attained for the identity": partial(dimension_attained, 1, 1),
    },
)
