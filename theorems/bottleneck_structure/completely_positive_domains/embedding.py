r"""A completely positive kernel is a linear isometry into an orthant.

Statement
    If :math:`x_i^Tx_j = b_i^Tb_j` for vectors :math:`b_i` without negative entries, there is a linear map O with
    :math:`Ox_i = b_i` for all i and :math:`O^TO = I` on the span. Its rows v satisfy :math:`v^Tx_i \ge 0`, and the sum of
    :math:`vv^T` is the projection to the span.
Correction
    As printed in the main text, "isometrically" alone is too weak: a translation moves any bounded set into an orthant
    (``.printed``). With the isometric linear map of Theorem 11, which is surely meant, it is true.
Checked
    The three statements for :math:`O = B^T(X^T)^+`, where X and B have the points and their images as rows, whatever the rank.
    As printed: for points whose translates have no negative entry, that no inner product is negative.
Proof idea
    Equal Grams make O well defined on the span, and an isometry.
Source
    bottleneck_structure, Theorem 3 (3) and proof of Theorem 11 (3).
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotation
from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, derived, eq, ge, integers, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import pseudo_inverse


def placed(images: Array, frame: Array) -> Array:
    r"""Points with the Gram of `images`, in a space of more dimensions, shapes ``(..., N, m), (..., d, d) -> (..., N, d)``."""
    return np.asarray(images @ transpose(frame[..., :, : images.shape[-1]]))


def isometry(points: Array, images: Array) -> Array:
    r""":math:`O = B^T(X^T)^+`, shape ``(..., m, d)``."""
    return np.asarray(transpose(images) @ pseudo_inverse(transpose(points)))


def maps_into_the_orthant(images: Array, frame: Array, stretch: Array) -> Relation:
    """The values of O, their signs, and the Gram of O against the projection to the span."""
    points = stretch[..., None, None] * placed(images, frame)
    linear = isometry(points, images)
    values = linear @ transpose(points)
    projection = pseudo_inverse(points) @ points
    return (
        eq(values, transpose(images), name="values", over=2)
        & ge(values, 0 * values, name="not negative", over=2)
        & eq(transpose(linear) @ linear, projection, name="isometry", over=2)
    )


def inner_products_of_translates(points: Array) -> Relation:
    """The inner products of points that a translation takes into the orthant, as `translate_is_not_negative` asks for."""
    products = points @ transpose(points)
    return ge(products, 0 * products, over=2)


def is_not_negative(images: Array) -> npt.NDArray[np.bool_]:
    """Whether no entry is negative."""
    return np.asarray((compare(images, 0) >= 0).all(axis=(-2, -1)))


def has_the_same_gram(stretch: Array) -> npt.NDArray[np.bool_]:
    """Whether the points are not stretched."""
    return np.asarray(compare(stretch, 1) == 0)


def translate_is_not_negative(points: Array, shift: Array) -> npt.NDArray[np.bool_]:
    """Whether the translation takes the points into the orthant."""
    return np.asarray((compare(points + shift[..., None, :], 0) >= 0).all(axis=(-2, -1)))


# False variants


def isometry_of_the_whole_space(images: Array, frame: Array, stretch: Array) -> Relation:
    """The identity in place of the projection to the span."""
    linear = isometry(stretch[..., None, None] * placed(images, frame), images)
    return eq(transpose(linear) @ linear, np.eye(linear.shape[-1], dtype=np.int64) + 0 * frame, over=2)


def onto_the_orthant(images: Array, frame: Array, stretch: Array) -> Relation:
    """As if O were an isometry in the other direction, too."""
    linear = isometry(stretch[..., None, None] * placed(images, frame), images)
    gram = linear @ transpose(linear)
    return eq(gram, np.eye(gram.shape[-1], dtype=np.int64) + 0 * gram, over=2)


def rows_are_not_negative(images: Array, frame: Array, stretch: Array) -> Relation:
    """As if the rows of O had no negative entries."""
    linear = isometry(stretch[..., None, None] * placed(images, frame), images)
    return ge(linear, 0 * linear, over=2)


# Sharp instances


def unit_vectors(turn: str) -> dict[str, Array]:
    """The unit vectors of the plane, in a rotated frame of three dimensions."""
    numbers = {"images": rationals([[1, 0], [0, 1]]), "stretch": rationals(1)}
    return {**numbers, "frame": rotation(rationals([turn, 1, "-1/2"]))}


SOURCE = Source("bottleneck_structure", "Theorem 3 (3)")

CLAIM = Claim(
    id="bottleneck_structure.completely_positive_domains",
    title="A completely positive kernel is a linear isometry into an orthant",
    source=Source("bottleneck_structure", "Theorem 11 (3), completely positive representations"),
    statement=maps_into_the_orthant,
    domain=Domain(
        {
            "images": integers(-1, 4, "points", "width"),
            "frame": derived(rotation, chart=reals(plane_rotations("dimension"))),
            "stretch": integers(1, 2),
        },
        {"points": (1, 2, 3, 5), "width": range(1, 4), "dimension": range(2, 5)},
        {"no image has a negative entry": is_not_negative, "the Grams agree": has_the_same_gram},
        sizes_where=lambda sizes: sizes["width"] <= sizes["dimension"],
    ),
    needs=("no image has a negative entry", "the Grams agree"),
    tight={"unit vectors": Tight(partial(unit_vectors, "1/2"), of=("not negative",), partly=True)},
    false_neighbours={
        "an isometry of the whole space": isometry_of_the_whole_space,
        "an isometry onto the orthant": onto_the_orthant,
        "rows without negative entries": rows_are_not_negative,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.completely_positive_domains.printed",
    title="A domain that can be embedded isometrically into an orthant is completely positive",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.completely_positive_domains"),
    statement=inner_products_of_translates,
    domain=Domain(
        {"points": reals("points", "dimension"), "shift": reals("dimension")},
        {"points": (2, 3), "dimension": (1, 2, 3)},
        {"a translate has no negative entry": translate_is_not_negative},
    ),
    false_neighbours={},
)
