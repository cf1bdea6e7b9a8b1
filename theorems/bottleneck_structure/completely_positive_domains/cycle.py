r"""Five points with no negative inner product, not completely positive.

Statement
    A necessary condition for a completely positive kernel is that no inner product is negative. For five points it is not
    sufficient: the kernel

    .. math:: M_t = \begin{pmatrix} 1&1&0&0&1\\ 1&2&1&0&0\\ 0&1&2&1&0\\ 0&0&1&2&1\\ 1&0&0&1&t \end{pmatrix}

    is positive semi-definite for :math:`t \ge 3`, and completely positive exactly for :math:`t \ge 7`.
Checked
    The inequality of Horn that separates it: for a completely positive kernel K on five points and any weights
    :math:`u_i \ge 0`,

    .. math:: \sum_i u_i^2K_{ii} + 2\sum_{i<j}\pm u_iu_jK_{ij} \ge 0

    with the sign - for neighbours around the circle and + for the others. With u = (5, 4, 3, 2, 1) it is :math:`t - 7`
    on :math:`M_t`. For t = 3, 5 and 13/2 the matrix is decided not to be completely positive, for 7 and 8 to be so.
Proof idea
    The Horn form is copositive, and a completely positive kernel is a sum of :math:`vv^T` with :math:`v \ge 0`.
Tight
    Two neighbours with one image.
Source
    derived here, beside Theorem 3 (3) and Proposition 5 of bottleneck_structure.
"""

from functools import partial

import numpy as np

from verify import Claim, DerivedHere, Domain, Relation, Source, derived, integers, interval
from verify.cones.completely_positive import is_completely_positive
from verify.numbers.arithmetic import rationals
from verify.words import determinant, eq, eye, ge, nonnegative

HORN = np.array([[1 if (i - j) % 5 in (0, 2, 3) else -1 for j in range(5)] for i in range(5)])
"""-1 for neighbours around the circle, 1 for the others."""


def form(signs, B, u):
    """The form with these signs, on the Gram of the images."""
    scaled = u[:, None] * B
    return (signs * (scaled @ scaled.T)).sum()


def horn_is_not_negative(B, u):
    return ge(form(1 * (HORN > 0), B, u), form(1 * (HORN < 0), B, u))


def without_the_diagonals(B, u):
    return ge(form(eye(5), B, u), form(1 * (HORN < 0), B, u))


def one_more_pair(B, u):
    signs = HORN.copy()
    signs[0, 2] = signs[2, 0] = -1
    return ge(form(1 * (signs > 0), B, u), form(1 * (signs < 0), B, u))


def with_a_sign(sizes, flip):
    """Images without negative entries, unless `flip` is 3: then the first entry of the first point is negative."""
    corner = np.outer(eye(5)[0], eye(sizes.shape[1])[0])
    return sizes * (1 - 2 * corner * (flip == 3))


def kernel(t):
    """:math:`M_t`."""
    return rationals([[1, 1, 0, 0, 1], [1, 2, 1, 0, 0], [0, 1, 2, 1, 0], [0, 0, 1, 2, 1], [1, 0, 0, 1, t]])


def threshold_at_seven():
    """Determinant, form of Horn and verdict for five values of t."""
    relation, u = Relation(()), np.array([5, 4, 3, 2, 1])
    for t, expected in ((3, -1), (5, -1), ("13/2", -1), (7, 1), (8, 1)):
        M = kernel(t)
        relation &= eq(determinant(M), rationals(t) - 3) & eq((HORN * M * np.outer(u, u)).sum(), rationals(t) - 7)
        relation &= eq(int(is_completely_positive(M).verify()), expected)
    return relation


def neighbours_with_one_image(place):
    """Two neighbours have the image 1, the others 0."""
    return {"B": [[int(i in (place, (place + 1) % 5))] for i in range(5)], "u": [1] * 5}


CLAIM = Claim(
    id="bottleneck_structure.completely_positive_domains.cycle",
    title="Five points with inner products >= 0 need not be completely positive",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=horn_is_not_negative,
    domain=Domain(
        {"B": derived(with_a_sign, sizes=interval(0, 4, 5, "width"), flip=integers(0, 3)), "u": interval(0, 4, 5)},
        {"width": (1, 2, 3)},
        {"no image has a negative entry": lambda B: nonnegative(B)},
    ),
    needs=("no image has a negative entry",),
    tight={f"neighbours from {place}": partial(neighbours_with_one_image, place) for place in range(5)},
    false_variants={
        "without the pairs that are not neighbours": without_the_diagonals,
        "one more pair of neighbours": one_more_pair,
    },
    exact={"threshold at 7": threshold_at_seven},
)
