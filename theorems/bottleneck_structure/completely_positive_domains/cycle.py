r"""Five points without negative inner products need not be completely positive.

Statement
    A necessary condition for a completely positive kernel is that no inner product is negative. For five points it is not
    sufficient: the kernel

    .. math:: M_t = \begin{pmatrix} 1&1&0&0&1\\ 1&2&1&0&0\\ 0&1&2&1&0\\ 0&0&1&2&1\\ 1&0&0&1&t \end{pmatrix}

    is positive semi-definite for t >= 3, and completely positive exactly for t >= 7.
Checked
    The inequality of Horn that separates it: for a completely positive kernel K on five points and any weights
    :math:`u_i \ge 0`,

    .. math:: \sum_i u_i^2K_{ii} + 2\sum_{i<j}\pm u_iu_jK_{ij} \ge 0

    with - for neighbours around the circle and + for the others. With u = (5, 4, 3, 2, 1) it is t - 7 on
    :math:`M_t`. For t = 3, 5 and 13/2 the matrix is decided not to be completely positive, for 7 and 8 to be so.
Proof idea
    The Horn form is copositive, and a completely positive kernel is a sum of :math:`vv^T` with :math:`v \ge 0`.
Sharp
    Two neighbours with one image.
Source
    ours, beside Theorem 3 (3) and Proposition 5 of bottleneck_structure.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import transpose
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval
from verify.arithmetic import Array, compare, rationals
from verify.cones.completely_positive import is_completely_positive
from verify.matrices import determinant

HORN = np.array([[1 if (i - j) % 5 in (0, 2, 3) else -1 for j in range(5)] for i in range(5)])
"""-1 for neighbours around the circle, 1 for the others."""


def weighted(signs: npt.NDArray[np.int64], images: Array, weights: Array) -> Array:
    """The form with these signs, on the Gram of the images."""
    scaled = weights[..., None] * images
    return np.asarray((signs * (scaled @ transpose(scaled))).sum(axis=(-2, -1)))


def horn_is_not_negative(images: Array, weights: Array) -> Relation:
    """The form of Horn on a completely positive kernel, against 0."""
    positive = weighted((HORN > 0).astype(np.int64), images, weights)
    return ge(positive, -weighted(HORN * (HORN < 0), images, weights))


def with_a_sign(sizes: Array, flip: Array) -> Array:
    """Images without negative entries, unless `flip` is 3: then the first entry of the first point is negative."""
    first = (np.arange(5)[:, None] == 0) & (np.arange(sizes.shape[-1]) == 0)
    return np.asarray(sizes * (1 - 2 * (first & (compare(flip, 3) == 0)[..., None, None])))


def images_are_not_negative(images: Array) -> npt.NDArray[np.bool_]:
    """Whether no entry is negative."""
    return np.asarray((compare(images, 0) >= 0).all(axis=(-2, -1)))


# False variants


def without_the_diagonals(images: Array, weights: Array) -> Relation:
    """The form without the pairs that are not neighbours."""
    diagonal = weighted(np.eye(5, dtype=np.int64), images, weights)
    return ge(diagonal, -weighted(HORN * (HORN < 0), images, weights))


def three_neighbours_in_a_row(images: Array, weights: Array) -> Relation:
    """One more pair with the sign -."""
    signs = HORN.copy()
    signs[0, 2] = signs[2, 0] = -1
    return ge(weighted((signs > 0).astype(np.int64), images, weights), -weighted(signs * (signs < 0), images, weights))


# Exact parts and sharp instances


def matrix_of(t: object) -> Array:
    """:math:`M_t`."""
    return rationals([[1, 1, 0, 0, 1], [1, 2, 1, 0, 0], [0, 1, 2, 1, 0], [0, 0, 1, 2, 1], [1, 0, 0, 1, t]])


def threshold_at_seven() -> Relation:
    """Determinant, form of Horn and verdict for five values of t."""
    relation, sizes = Relation(()), rationals([5, 4, 3, 2, 1])
    for t, expected in ((3, -1), (5, -1), ("13/2", -1), (7, 1), (8, 1)):
        matrix = matrix_of(t)
        relation &= eq(determinant(matrix), rationals(t) - 3)
        relation &= eq((HORN * matrix * sizes * sizes[:, None]).sum(), rationals(t) - 7)
        relation &= eq(rationals(int(is_completely_positive(matrix).verify())), expected)
    return relation


def neighbours_with_one_image(place: int) -> dict[str, Array]:
    """Two neighbours have the image 1, the others 0."""
    images = np.zeros((5, 1), dtype=int)
    images[[place, (place + 1) % 5]] = 1
    return {"images": rationals(images), "weights": rationals([1] * 5)}


CLAIM = Claim(
    id="bottleneck_structure.completely_positive_domains.cycle",
    title="Five points without negative inner products need not be completely positive",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=horn_is_not_negative,
    domain=Domain(
        {"images": derived(with_a_sign, sizes=interval(0, 4, 5, "width"), flip=integers(0, 3)), "weights": interval(0, 4, 5)},
        {"width": (1, 2, 3)},
        {"no image has a negative entry": images_are_not_negative},
    ),
    needs=("no image has a negative entry",),
    tight={f"neighbours from {place}": Tight(partial(neighbours_with_one_image, place)) for place in range(5)},
    false_neighbours={
        "without the pairs that are not neighbours": without_the_diagonals,
        "one more pair of neighbours": three_neighbours_in_a_row,
    },
    exact={"threshold at 7": threshold_at_seven},
)
