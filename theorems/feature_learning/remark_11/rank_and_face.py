r"""Remark 11: the rank of a pair and the smallest face of the cone that contains it.

Statement
    The rank of a pair is determined by the dimension of the smallest face that contains it.
Correction
    As printed the dimension determines the rank. It only bounds it: the rank is at most that dimension, as the example in
    brackets has it.
Checked
    A sum of pairs is one of no more of its terms than these span dimensions. If the dimension determined the rank, both would
    be equal, as for linearly independent terms :math:`p(e_1), p(-e_1), p(e_2)`. But a factor B without negative entries and QB,
    Q orthogonal, where QB has no negative entries either, are two sums of the same pair; so its face contains all their terms,
    which span more dimensions than B has rows: for N = 2, three of them for rank 2.
Proof idea
    All terms of any sum lie in the face, and Caratheodory's theorem leaves no more of them than their span has dimensions.
Sharp
    :math:`e_1, -e_1, e_2`.
Source
    feature_learning, Remark 11. The correction is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pairs import pairs, slopes_of
from theorems.feature_learning.constructions.pruning import combined, in_use, number_in_use, pruned
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import rank


def rank_at_most_dimension(vectors: Array, weights: Array, slope: Array) -> Relation:
    """The pair is a sum of no more terms than the pairs that are used span dimensions."""
    generators = pairs(vectors, slopes_of(slope))
    after = pruned(generators, weights)
    span = rank(in_use(weights)[..., None] * generators)
    return (
        eq(combined(after, generators), combined(weights, generators), name="pair", over=1)
        & ge(after, 0 * after, name="no negative weight", over=1)
        & le(number_in_use(after), like(span, weights), name="number of terms")
    )


def face_has_dimension_of_rank(factors: tuple[Array, Array], slope: Array) -> Relation:
    """Two factors of one pair: they span no more dimensions than one of them has rows."""
    generators = pairs(np.concatenate(factors, axis=-2), slopes_of(slope))
    return le(like(rank(generators), slope), 0 * slope + factors[0].shape[-2])


# False variants


def needed(vectors: Array, weights: Array, slope: Array) -> Array:
    """How many of the terms in use are needed: all where their pairs are independent, else 0, a lower bound."""
    generators = in_use(weights)[..., None] * pairs(vectors, slopes_of(slope))
    used = number_in_use(weights)
    return np.asarray(np.where(compare(like(rank(generators), weights), used) == 0, used, 0 * used))


def as_many_terms_as_points(vectors: Array, weights: Array, slope: Array) -> Relation:
    """N of the terms are enough."""
    terms = needed(vectors, weights, slope)
    return le(terms, 0 * terms + vectors.shape[-1])


def terms_of_the_first_covariance(vectors: Array, weights: Array, slope: Array) -> Relation:
    """As many of the terms as the rank of K are enough."""
    return le(needed(vectors, weights, slope), like(rank(in_use(weights)[..., None] * vectors), weights))


# Exact parts and tight examples


def turned(factor: Array, tangent: Array) -> tuple[Array, Array]:
    """B and QB, where Q turns the first two rows by twice the angle with that tangent: a rational rotation."""
    square = 1 + tangent**2
    cosine, sine = ((1 - tangent**2) / square)[..., None], (2 * tangent / square)[..., None]
    first, second = factor[..., 0, :], factor[..., 1, :]
    rows = [cosine * first - sine * second, sine * first + cosine * second]
    return factor, np.concatenate([np.stack(rows, axis=-2), factor[..., 2:, :]], axis=-2)


def without_negative_entries(factors: tuple[Array, Array]) -> Any:
    """Whether both factors are factors of complete positivity, so that their pairs are the same."""
    return np.logical_and(*(np.all(compare(one, 0) >= 0, axis=(-2, -1)) for one in factors))


def two_ranks_on_faces_of_dimension_three() -> Relation:
    r"""N = 2: :math:`e_1, -e_1, e_2` span three dimensions, and so do the factors of a pair of two vectors."""
    axes = rationals([[1, 0], [-1, 0], [0, 1]])
    factors = tuple(one[0] for one in turned(rationals([[[2, 1], [1, 2]]]), rationals(["1/10"])))
    both, slopes = np.concatenate(factors), rationals([1, 0])
    return (
        eq(*map(gram, factors), over=2)
        & ge(both, 0 * both, over=2)
        & eq(rationals([int(rank(pairs(rows, slopes))) for rows in (axes, both)]), rationals([3, 3]), over=1)
    )


def three_terms() -> dict[str, Array]:
    """e_1, -e_1 and e_2, and a fourth term that is not used."""
    vectors, weights = rationals([[1, 0], [-1, 0], [0, 1], [1, 1]]), rationals([1, 2, 3, 0])
    return {"vectors": vectors, "weights": weights, "slope": rationals(0)}


SOURCE = Source("feature_learning", "Remark 11")

CLAIM = Claim(
    id="feature_learning.remark_11",
    title="The rank is at most the dimension of the smallest face",
    source=SOURCE,
    statement=rank_at_most_dimension,
    domain=Domain(
        {
            "vectors": integers(-3, 3, "vectors", "points", role="few values"),
            "weights": interval(0, np.inf, "vectors", role="ones"),
            "slope": NEGATIVE_SLOPES,
        },
        {"vectors": (1, 2, 4, 8, 13), "points": range(1, 5)},
    ),
    tight={"e1, -e1, e2": Tight(three_terms, of=("no negative weight", "number of terms"), partly=True)},
    false_variants={
        "the number of data points": as_many_terms_as_points,
        "the rank of K": terms_of_the_first_covariance,
    },
    exact={"two ranks on faces of dimension three": two_ranks_on_faces_of_dimension_three},
    cost=10,
)

PRINTED = Claim(
    id="feature_learning.remark_11.printed",
    title="The dimension of the smallest face determines the rank",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.remark_11"),
    statement=face_has_dimension_of_rank,
    domain=Domain(
        {
            "factors": derived(turned, factor=interval(0, 4, "rows", "points"), tangent=interval(0, 1)),
            "slope": integers(-1, 0),
        },
        {"rows": range(2, 4), "points": range(1, 4)},
        hypotheses={"no negative entries": without_negative_entries},
    ),
    false_variants={},
)
