"""The split of the weights of a network, and what the residuals do to its representations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import ACTIVATIONS, Activation, homogeneous
from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, matrix_like, representations
from verify import Claim, Domain, Relation, Source, eq, reals
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared, pseudo_inverse


def projection(seen: Array) -> Array:
    r""":math:`P = Z^\sigma Z^{\sigma+}`, as :math:`P^2(3 - 2P)`: in floats that is a projection to far more digits."""
    product = seen @ pseudo_inverse(seen)
    symmetric = (product + np.swapaxes(product, -1, -2)) / 2
    square = symmetric @ symmetric
    return np.asarray(3 * square - 2 * square @ symmetric)


def first_term(weight: Array, seen: Array) -> Array:
    r""":math:`ZZ^{\sigma+}` for :math:`Z = WZ^\sigma`."""
    return np.asarray(weight @ projection(seen))


def residual(weight: Array, seen: Array) -> Array:
    r""":math:`W(I - Z^\sigma Z^{\sigma+})`."""
    return np.asarray(weight - first_term(weight, seen))


def split_of(weight: Array, first: Array, rest: Array, seen: Array) -> Relation:
    """The three equations for a layer."""
    norms = frobenius_norm_squared(first) + frobenius_norm_squared(rest)
    size = matrix_like(frobenius_norm_squared(weight) + frobenius_norm_squared(seen))
    return (
        eq(first + rest, weight, name="sum", over=2)
        # beside what it is small against
        & eq(rest @ seen + size, 0 * (weight @ seen) + size, name="unseen", over=2)
        & eq(frobenius_norm_squared(weight), norms, name="norms")
    )


def weights_decompose(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The three equations in every layer."""
    layers = zip(weights, representations(weights, points, activation, bias)[1], strict=True)
    return reduce(and_, (split_of(weight, first_term(weight, seen), residual(weight, seen), seen) for weight, seen in layers))


def first_terms(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> list[Array]:
    """The first term of every layer."""
    seen = representations(weights, points, activation, bias)[1]
    return [first_term(*layer) for layer in zip(weights, seen, strict=True)]


def residuals_are_unseen(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The network of the first terms has the same representations on the data."""
    determined = first_terms(weights, points, activation, bias)
    old, new = (representations(each, points, activation, bias)[0] for each in (weights, determined))
    pairs = enumerate(zip(old, new, strict=True), start=1)
    return reduce(and_, (eq(*pair, name=f"layer {layer}", over=2) for layer, pair in pairs))


# False variants


def transposed_in_place_of_inverted(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The first term with the transpose of the representation in place of its pseudo-inverse."""
    layers = zip(weights, representations(weights, points, activation, bias)[1], strict=True)
    return reduce(and_, (split_of(w, w @ z @ np.swapaxes(z, -1, -2), residual(w, z), z) for w, z in layers))


def bias_weights_not_counted(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The norms without the last column of the weights."""
    parts = []
    for weight, seen in zip(weights, representations(weights, points, activation, bias)[1], strict=True):
        norms = frobenius_norm_squared(first_term(weight, seen)) + frobenius_norm_squared(residual(weight, seen))
        parts.append(eq(frobenius_norm_squared(weight[..., :-1]), norms))
    return reduce(and_, parts)


def no_residual(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The first term is everything."""
    layers = zip(weights, representations(weights, points, activation, bias)[1], strict=True)
    return reduce(and_, (eq(first_term(weight, seen), weight, over=2) for weight, seen in layers))


def same_representations_elsewhere(
    weights: Sequence[Array], points: Array, activation: Activation, bias: Array, elsewhere: Array
) -> Relation:
    """The first terms have the same representations at other points."""
    determined = first_terms(weights, points, activation, bias)
    old, new = (representations(each, elsewhere, activation, bias)[0] for each in (weights, determined))
    pairs = enumerate(zip(old, new, strict=True), start=1)
    return reduce(and_, (eq(*pair, name=f"layer {layer}", over=2) for layer, pair in pairs))


def without_the_bias_weights(weights: Sequence[Array], points: Array, activation: Activation, bias: Array) -> Relation:
    """The first terms have the same representations without their last columns."""
    determined = [
        0 * term + np.where(np.arange(term.shape[-1]) < term.shape[-1] - 1, term, 0 * term)
        for term in first_terms(weights, points, activation, bias)
    ]
    old, new = (representations(each, points, activation, bias)[0] for each in (weights, determined))
    pairs = enumerate(zip(old, new, strict=True), start=1)
    return reduce(and_, (eq(*pair, name=f"layer {layer}", over=2) for layer, pair in pairs))


# Exact parts


def two_layers(points: Any, bias: int = 1) -> dict[str, Any]:
    """A network of widths (2, 3, 1) with integer weights and the ReLU."""
    weights = ([[1, -2, 1], [0, 3, -1], [-2, 1, 2]], [[2, -1, 1, 3]])
    return {
        "weights": tuple(rationals(weight) for weight in weights),
        "points": rationals(points),
        "activation": homogeneous(rationals([1, 0])),
        "bias": rationals(bias),
    }


DEGENERATE: dict[str, dict[str, Any]] = {
    "two equal points": two_layers([[1, 2], [1, 2]]),
    "points on a ray": two_layers([[1, 2], [2, 4], [3, 6]], bias=0),
    "X = 0": two_layers([[0, 0], [0, 0]]),
    "X = 0 without bias": two_layers([[0, 0]], bias=0),
    "six points": two_layers([[1, 2], [-3, 1], [0, 5], [4, -1], [2, 2], [-1, -1]]),
}


def on_rationals(name: str) -> Relation:
    """A degenerate network, exactly; the pseudo-inverses agree with those of sympy."""
    import sympy as sp

    instance = DEGENERATE[name]
    relation = weights_decompose(**instance)
    for seen in representations(**instance)[1]:
        theirs = rationals(np.array(sp.Matrix(seen.shape[0], seen.shape[1], [sp.Rational(str(e)) for e in seen.flat]).pinv()))
        relation = relation & eq(pseudo_inverse(seen), theirs, over=2)
    return relation


def all_is_residual() -> Relation:
    """X = 0 without bias: the first layer is a residual."""
    instance = DEGENERATE["X = 0 without bias"]
    weight = instance["weights"][0]
    return eq(residual(weight, representations(**instance)[1][0]), weight, over=2)


def nothing_is_residual() -> Relation:
    """Six points in general position: the first layer has no residual."""
    instance = DEGENERATE["six points"]
    weight = instance["weights"][0]
    return eq(residual(weight, representations(**instance)[1][0]), 0 * weight, over=2)


SOURCE = Source("feature_learning", "Section 3.1")

NETWORKS = {"weights": WEIGHTS, "activation": ACTIVATIONS, **DATA}

SIZES = {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": (1, 2, 3), "outputs": range(1, 4), "points": (1, 3, 4, 6)}

CLAIM = Claim(
    id="feature_learning.weight_decomposition",
    title="Weights are a part seen by the data and an orthogonal residual",
    source=SOURCE,
    statement=weights_decompose,
    domain=Domain(NETWORKS, SIZES),
    false_neighbours={
        "no residual": no_residual,
        "bias weights not counted": bias_weights_not_counted,
        "transpose in place of pseudo-inverse": transposed_in_place_of_inverted,
    },
    exact={name: partial(on_rationals, name) for name in DEGENERATE}
    | {"X = 0 without bias: all is residual": all_is_residual, "six points: nothing is residual": nothing_is_residual},
)

UNSEEN = Claim(
    id="feature_learning.weight_decomposition.representations",
    title="The residuals change no representation of the data",
    source=SOURCE,
    statement=residuals_are_unseen,
    domain=Domain({**NETWORKS, "elsewhere": reals("points", "inputs")}, SIZES),
    false_neighbours={
        "nor any other representation": same_representations_elsewhere,
        "nor do the bias weights": without_the_bias_weights,
    },
)
