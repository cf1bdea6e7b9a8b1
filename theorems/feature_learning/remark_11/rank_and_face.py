r"""Remark 11: the rank of a pair and its smallest face.

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
Tight
    :math:`e_1, -e_1, e_2`.
Source
    feature_learning, Remark 11. The correction is derived here.
"""

import numpy as np

from theorems.feature_learning.constructions.activations import NEGATIVE_SLOPES
from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pairs import pairs, slopes_of
from theorems.feature_learning.constructions.pruning import pruned
from verify import Claim, Domain, FalseAsPrinted, Source, Tight, derived, integers, interval
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, le, nonnegative, rank, stack, where


def rank_at_most_dimension(Z, alpha, d):
    p = pairs(Z, slopes_of(d))
    after = pruned(p, alpha)
    return (
        eq(after @ p, alpha @ p, name="pair")
        & ge(after, 0, name="no negative weight")
        & le((after > 0).sum(), rank((alpha > 0)[:, None] * p), name="number of terms")
    )


def face_has_dimension_of_rank(factors, slope):
    """Two factors of one pair span no more dimensions than one of them has rows."""
    return le(rank(pairs(concatenate(factors), slopes_of(slope))), len(factors[0]))


def needed(Z, alpha, d):
    """How many of the terms in use are needed: all where their pairs are independent, else 0, a lower bound."""
    used = alpha > 0
    return where(rank(used[:, None] * pairs(Z, slopes_of(d))) == used.sum(), used.sum(), 0)


def as_many_terms_as_points(Z, alpha, d):
    return le(needed(Z, alpha, d), Z.shape[1])


def terms_of_the_first_covariance(Z, alpha, d):
    return le(needed(Z, alpha, d), rank((alpha > 0)[:, None] * Z))


def turned(factor, tangent):
    """B and QB, where Q turns the first two rows by twice the angle with that tangent: a rational rotation."""
    B, c, s = factor, (1 - tangent**2) / (1 + tangent**2), 2 * tangent / (1 + tangent**2)
    return B, concatenate([stack([c * B[0] - s * B[1], s * B[0] + c * B[1]]), B[2:]])


def two_ranks_on_faces_of_dimension_three():
    r"""N = 2: :math:`e_1, -e_1, e_2` span three dimensions, and so do the factors of a pair of two vectors."""
    axes, relu = rationals([[1, 0], [-1, 0], [0, 1]]), rationals([1, 0])
    B, turned_B = turned(rationals([[2, 1], [1, 2]]), rationals("1/10"))
    both = concatenate([B, turned_B])
    same = eq(gram(B), gram(turned_B)) & ge(both, 0)
    return same & eq(rank(pairs(axes, relu)), 3) & eq(rank(pairs(both, relu)), 3)


def three_terms():
    """e_1, -e_1 and e_2, and a fourth term that is not used."""
    return {"Z": [[1, 0], [-1, 0], [0, 1], [1, 1]], "alpha": [1, 2, 3, 0], "d": 0}


SOURCE = Source("feature_learning", "Remark 11")

CLAIM = Claim(
    id="feature_learning.remark_11",
    title="The rank is at most the dimension of the smallest face",
    source=SOURCE,
    statement=rank_at_most_dimension,
    domain=Domain(
        {
            "Z": integers(-3, 3, "vectors", "points", role="few values"),
            "alpha": interval(0, np.inf, "vectors", role="ones"),
            "d": NEGATIVE_SLOPES,
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
        # so that their pairs are the same
        {"no negative entries": lambda factors: nonnegative(factors[0]) & nonnegative(factors[1])},
    ),
    false_variants={},
)
