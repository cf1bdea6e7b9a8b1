"""Of all matrices with these representations the first term is the smallest."""

from __future__ import annotations

from theorems.feature_learning.weight_decomposition.statement import first_term, residual
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared


def first_term_is_minimal(weight: Array, seen: Array, other: Array) -> Relation:
    r"""All W' with :math:`W'Z^\sigma = Z` are :math:`ZZ^{\sigma+} + V(I - Z^\sigma Z^{\sigma+})` for some V, here `other`."""
    first = first_term(weight, seen)
    candidate = first + residual(other, seen)
    # beside the norms of W and V, of which both may be differences
    given = frobenius_norm_squared(weight) + frobenius_norm_squared(other)
    smallest, norm = given + frobenius_norm_squared(first), given + frobenius_norm_squared(candidate)
    return (
        le(smallest, norm, name="smallest")
        # the same representations, beside those of V
        & eq((candidate - other) @ seen, (weight - other) @ seen, name="same representations", over=2)
        & eq(norm, smallest + frobenius_norm_squared(candidate - first), name="distance")
    )


# False variants


def smallest_of_all_matrices(weight: Array, seen: Array, other: Array) -> Relation:
    """The first term is smaller than any matrix."""
    return le(frobenius_norm_squared(first_term(weight, seen)), frobenius_norm_squared(other))


def distance_from_the_weights(weight: Array, seen: Array, other: Array) -> Relation:
    """The distance is that from W in place of that from the first term."""
    first = first_term(weight, seen)
    candidate = first + residual(other, seen)
    distance = frobenius_norm_squared(candidate - weight)
    return eq(frobenius_norm_squared(candidate), frobenius_norm_squared(first) + distance)


MINIMAL = Claim(
    id="feature_learning.weight_decomposition.minimal",
    title="The first term is the smallest matrix with these representations",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=first_term_is_minimal,
    domain=Domain(
        {"weight": reals("rows", "columns"), "seen": reals("columns", "points"), "other": reals("rows", "columns")},
        {"rows": range(1, 4), "columns": range(1, 6), "points": range(1, 7)},
    ),
    tight={
        "V = 0": Tight(
            lambda: {
                "weight": rationals([[1, 2, 3]]),
                "seen": rationals([[1, 0], [2, 1], [1, 1]]),
                "other": rationals([[0, 0, 0]]),
            },
            of=("smallest",),
        )
    },
    false_neighbours={
        "among all matrices": smallest_of_all_matrices,
        "by the distance to W": distance_from_the_weights,
    },
)
