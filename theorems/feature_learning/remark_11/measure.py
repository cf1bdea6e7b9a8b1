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
Tight
    Three vectors for two points, four for three; two vectors in general position.
Source
    feature_learning, Remark 11. The correction is derived here.
"""

from functools import partial

import numpy as np

from theorems.feature_learning.constructions.activations import homogeneous
from theorems.feature_learning.constructions.pairs import dimension_of_pairs, slopes_of
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, Tight, integers
from verify.numbers.arithmetic import rationals
from verify.words import absolute, concatenate, determinant, eq, eye, le, rank, vector


def derivative_of_pair(Z, slope):
    """Derivative of the upper triangles of the pair of k vectors by all coordinates, kN rows and N(N + 1) columns."""
    N, sigma = Z.shape[1], homogeneous(slopes_of(slope))
    i, j = np.triu_indices(N)

    def of_products(values):
        return eye(N)[:, i] * values[:, j][:, None] + eye(N)[:, j] * values[:, i][:, None]

    image = sigma.derivative(Z)[:, :, None] * of_products(sigma(Z))
    return concatenate([of_products(Z), image], axis=2).reshape(-1, N * (N + 1))


def derivative_is_singular(Z, slope):
    """What follows if these pairs have measure zero."""
    N = Z.shape[1]
    return le(rank(derivative_of_pair(Z, slope)), N * (N + 1) - 1)


def derivative_has_rank(Z, slope, less=0):
    """The dimension that the pairs span is more than kN for k <= N."""
    (k, N), found = Z.shape, rank(derivative_of_pair(Z, slope))
    dimension = dimension_of_pairs(slopes_of(slope), N)
    return le(found, k * N, name="coordinates") & le(found, dimension - less, name="dimension")


def vectors_for_less(Z, slope):
    """The rank is at most k(N - 1), as if lengths did not count, for two points and more."""
    k, N = Z.shape
    return le(rank(derivative_of_pair(Z, slope)), max(k * (N - 1), 1))


def no_kink(Z):
    return (Z != 0).all()


OPEN_SETS = {2: [[-2, -1], [2, 1], [-3, 3]], 3: [[-2, -3, -3], [-2, 3, 3], [2, 1, 1], [2, -3, 1]]}
"""N + 1 vectors whose pair has only pairs of N + 1 vectors near it (ReLU)."""


def open_set(points):
    return {"Z": OPEN_SETS[points], "slope": 0}


def mixed_signs(slope):
    """Five vectors with all kinds of signs at three points."""
    return {"Z": [[1, 2, 3], [1, -2, 1], [-1, 2, 2], [3, 1, -1], [-2, -1, 3]], "slope": slope}


def regular_derivatives():
    """The determinants of the derivatives at `OPEN_SETS`."""
    found = [determinant(derivative_of_pair(rationals(Z), rationals(0))) for Z in OPEN_SETS.values()]
    return eq(absolute(vector(*found)), [1728, 5308416])


SOURCE = Source("feature_learning", "Remark 11")

MEASURE = Claim(
    id="feature_learning.remark_11.measure",
    title="The pairs of rank at most N have measure zero",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=derivative_has_rank,
    domain=Domain(
        {"Z": integers(-3, 3, "vectors", "points", role="few values"), "slope": integers(-1, 1, role="slope")},
        {"vectors": range(1, 6), "points": range(1, 5)},
        hypotheses={"no entry is zero": no_kink},
    ),
    tight={f"{n + 1} vectors for {n} points": Tight(partial(open_set, n), of=("coordinates", "dimension")) for n in OPEN_SETS}
    | {f"three points, slope {slope}": Tight(partial(mixed_signs, slope), of=("dimension",)) for slope in (-1, 1)},
    false_variants={"k(N - 1)": vectors_for_less, "less than the dimension": {"less": 1}},
    exact={"determinants for 3 and 4 vectors": regular_derivatives},
)

PRINTED_MEASURE = Claim(
    id="feature_learning.remark_11.printed_measure",
    title="The pairs that are not of full rank have measure zero",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.remark_11.measure"),
    statement=derivative_is_singular,
    domain=Domain(
        {"Z": integers(-3, 3, "vectors", "points", role="few values"), "slope": integers(-1, 0, role="slope")},
        {"vectors": range(1, 5), "points": range(1, 4)},
        hypotheses={"no entry is zero": no_kink},
        sizes_where=lambda sizes: sizes["vectors"] < sizes["points"] * (sizes["points"] + 1),
    ),
    false_variants={},
)
