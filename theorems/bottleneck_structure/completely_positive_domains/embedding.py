r"""A completely positive kernel is a linear isometry into an orthant.

Statement
    If :math:`x_i^Tx_j = b_i^Tb_j` for vectors :math:`b_i` without negative entries, there is a linear map O with
    :math:`Ox_i = b_i` for all i and :math:`O^TO = I` on the span. Its rows v satisfy :math:`v^Tx_i \ge 0`, and the sum of
    :math:`vv^T` is the projection to the span.
Correction
    As printed in the main text, "isometrically" alone is too weak: a translation moves any bounded set into an orthant
    (``.printed``). With the isometric linear map of Theorem 11 it is true.
Checked
    The three statements for :math:`O = B^T(X^T)^+`, where X and B have the points and their images as rows, whatever the rank.
    As printed: for points whose translates have no negative entry, that no inner product is negative.
Proof idea
    Equal Grams make O well defined on the span, and an isometry.
Source
    bottleneck_structure, Theorem 3 (3) and proof of Theorem 11 (3).
"""

from theorems.shared.balanced import plane_rotations, rotation
from verify import Claim, Domain, FalseAsPrinted, Source, Tight, derived, integers, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, ge, lifted, nonnegative, pinv


def points(B, frame, stretch):
    """Points with the Gram of the images B, but for the factor, in a space of more dimensions."""
    return stretch * B @ frame[:, : B.shape[1]].T


def isometry(X, B):
    return B.T @ pinv(X.T)


def maps_into_the_orthant(B, frame, stretch):
    X = points(B, frame, stretch)
    linear = isometry(X, B)
    return (
        eq(linear @ X.T, B.T, name="values")
        & ge(linear @ X.T, 0, name="not negative")
        & eq(linear.T @ linear, pinv(X) @ X, name="isometry")
    )


def isometry_of_the_whole_space(B, frame, stretch):
    linear = isometry(points(B, frame, stretch), B)
    return eq(linear.T @ linear, eye(len(frame)))


def isometry_onto_the_orthant(B, frame, stretch):
    linear = isometry(points(B, frame, stretch), B)
    return eq(linear @ linear.T, eye(B.shape[1]))


def rows_are_not_negative(B, frame, stretch):
    return ge(isometry(points(B, frame, stretch), B), 0)


def no_inner_product_is_negative(X):
    return ge(X @ X.T, 0)


def unit_vectors():
    """The unit vectors of the plane, in a rotated frame of three dimensions."""
    return {"B": [[1, 0], [0, 1]], "frame": rotation(rationals(["1/2", 1, "-1/2"])), "stretch": 1}


NOT_NEGATIVE, GRAMS = "no image has a negative entry", "the Grams agree"

CLAIM = Claim(
    id="bottleneck_structure.completely_positive_domains",
    title="A completely positive kernel is a linear isometry into an orthant",
    source=Source("bottleneck_structure", "Theorem 11 (3), completely positive representations"),
    statement=maps_into_the_orthant,
    domain=Domain(
        {
            "B": integers(-1, 4, "points", "width"),
            "frame": derived(lifted(rotation), chart=reals(plane_rotations("dimension"))),
            "stretch": integers(1, 2),
        },
        {"points": (1, 2, 3, 5), "width": range(1, 4), "dimension": range(2, 5)},
        {NOT_NEGATIVE: lambda B: nonnegative(B), GRAMS: lambda stretch: stretch == 1},
        sizes_where=lambda sizes: sizes["width"] <= sizes["dimension"],
    ),
    needs=(NOT_NEGATIVE, GRAMS),
    tight={"unit vectors": Tight(unit_vectors, of=("not negative",), partly=True)},
    false_variants={
        "an isometry of the whole space": isometry_of_the_whole_space,
        "an isometry onto the orthant": isometry_onto_the_orthant,
        "rows without negative entries": rows_are_not_negative,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.completely_positive_domains.printed",
    title="An isometric embedding into an orthant gives complete positivity",
    source=Source("bottleneck_structure", "Theorem 3 (3)"),
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=no_inner_product_is_negative,
    domain=Domain(
        {"X": reals("points", "dimension"), "shift": reals("dimension")},
        {"points": (2, 3), "dimension": (1, 2, 3)},
        {"a translate has no negative entry": lambda X, shift: nonnegative(X + shift)},
    ),
)
