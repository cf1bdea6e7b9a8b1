r"""Remark 11: how many pairs are of less than full rank.

Statement
    The pairs that are not of full rank N(N+1) have measure zero.
Correction
    As printed, with the rank N(N+1) for "full rank", it is false: the pairs of rank at most N have measure zero, but those of
    rank N + 1 do not. With the largest rank that occurs the same pairs show it, wherever that is above N + 1.
Checked
    The derivative of the pair of k vectors has a rank of at most kN, less than N(N+1) for k <= N. For k = N + 1 it may be
    regular: then all pairs nearby have N + 1 terms as well. For N = 2 this happens at (-2, -1), (2, 1), (-3, 3).
Proof idea
    N + 1 vectors have N(N+1) coordinates.
Sharp
    Three vectors for two points, four for three; two vectors in general position.
Source
    feature_learning, Remark 11. The correction is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.pairs import dimension_of_pairs, slopes_of
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, integers, le
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import determinant, rank
from verify.networks import HomogeneousActivation


def derivative_of_pair(vectors: Array, slope: Array) -> Array:
    """Derivative of the upper triangles of the pair by all coordinates, shape ``(..., k, N) -> (..., kN, N(N + 1))``."""
    points = vectors.shape[-1]
    activation = HomogeneousActivation(1, np.asarray(slope)[..., None])
    i, j = np.triu_indices(points)
    unit = like(np.eye(points, dtype=np.int64), vectors)

    def of_products(values: Array) -> Array:
        return np.asarray(unit[:, i] * values[..., None, j] + unit[:, j] * values[..., None, i])

    image = activation.derivative(vectors)[..., None] * of_products(activation(vectors))
    both = np.concatenate([of_products(vectors), image], axis=-1)
    return both.reshape(*both.shape[:-3], -1, both.shape[-1])


def derivative_is_singular(vectors: Array, slope: Array) -> Relation:
    """The derivative has less than the full rank N(N+1): what follows if these pairs have measure zero."""
    points = vectors.shape[-1]
    return le(like(rank(derivative_of_pair(vectors, slope)), vectors), points * (points + 1) - 1)


def derivative_has_rank(vectors: Array, slope: Array) -> Relation:
    """The derivative has a rank of at most kN, and at most the dimension that the pairs span, more than kN for k <= N."""
    count, points = vectors.shape[-2:]
    found = like(rank(derivative_of_pair(vectors, slope)), vectors)
    dimension = dimension_of_pairs(slopes_of(slope), points)
    return le(found, 0 * found + count * points, name="coordinates") & le(found, dimension, name="dimension")


# False variants


def vectors_for_less(vectors: Array, slope: Array) -> Relation:
    """The rank is at most k(N - 1), as if lengths did not count, for two points and more."""
    count, points = vectors.shape[-2:]
    found = like(rank(derivative_of_pair(vectors, slope)), vectors)
    return le(found, 0 * found + max(count * (points - 1), 1))


def never_regular(vectors: Array, slope: Array) -> Relation:
    """The rank is less than the dimension that the pairs span."""
    found = like(rank(derivative_of_pair(vectors, slope)), vectors)
    return le(found, dimension_of_pairs(slopes_of(slope), vectors.shape[-1]) - 1)


def no_kink(vectors: Array) -> Any:
    """Whether no entry is zero."""
    return np.all(compare(vectors, 0) != 0, axis=(-2, -1))


OPEN_SETS = {2: [[-2, -1], [2, 1], [-3, 3]], 3: [[-2, -3, -3], [-2, 3, 3], [2, 1, 1], [2, -3, 1]]}
"""N + 1 vectors whose pair has only pairs of N + 1 vectors near it (ReLU)."""


def open_set(points: int) -> dict[str, Array]:
    """`OPEN_SETS` as rationals."""
    return {"vectors": rationals(OPEN_SETS[points]), "slope": rationals(0)}


def mixed_signs(slope: int) -> dict[str, Array]:
    """Five vectors with all kinds of signs at three points."""
    vectors = rationals([[1, 2, 3], [1, -2, 1], [-1, 2, 2], [3, 1, -1], [-2, -1, 3]])
    return {"vectors": vectors, "slope": rationals(slope)}


def regular_derivatives() -> Relation:
    """The determinants of the derivatives at `OPEN_SETS`."""
    found = [determinant(derivative_of_pair(rationals(OPEN_SETS[n])[None], rationals([0])))[0] for n in OPEN_SETS]
    return eq(rationals([abs(value) for value in found]), rationals([1728, 5308416]), over=1)


SOURCE = Source("feature_learning", "Remark 11")

MEASURE = Claim(
    id="feature_learning.remark_11.measure",
    title="The pairs of rank at most N have measure zero",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=derivative_has_rank,
    domain=Domain(
        {"vectors": integers(-3, 3, "vectors", "points", role="few values"), "slope": integers(-1, 1, role="slope")},
        {"vectors": range(1, 6), "points": range(1, 5)},
        hypotheses={"no entry is zero": no_kink},
    ),
    tight={f"{n + 1} vectors for {n} points": Tight(partial(open_set, n), of=("coordinates", "dimension")) for n in OPEN_SETS}
    | {f"three points, slope {slope}": Tight(partial(mixed_signs, slope), of=("dimension",)) for slope in (-1, 1)},
    false_variants={"k(N - 1)": vectors_for_less, "less than the dimension": never_regular},
    exact={"determinants for 3 and 4 vectors": regular_derivatives},
)

PRINTED_MEASURE = Claim(
    id="feature_learning.remark_11.printed_measure",
    title="The pairs that are not of full rank have measure zero",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.remark_11.measure"),
    statement=derivative_is_singular,
    domain=Domain(
        {"vectors": integers(-3, 3, "vectors", "points", role="few values"), "slope": integers(-1, 0, role="slope")},
        {"vectors": range(1, 5), "points": range(1, 4)},
        hypotheses={"no entry is zero": no_kink},
        sizes_where=lambda sizes: sizes["vectors"] < sizes["points"] * (sizes["points"] + 1),
    ),
    false_variants={},
)
