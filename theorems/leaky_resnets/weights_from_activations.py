r"""The weights of a path in representation space: the smallest ones that move the activations so.

At a minimum, and at every critical point, :math:`W_p = (LA_p + \partial_pA_p)\sigma(A_p)^+`. Of all W with
:math:`W\sigma(A) = LA + \partial A` it alone has the smallest norm, and :math:`\|W\|_F^2 = \|LA + \partial A\|_K^2`.

What is checked: for every A and every W' that moves it, :math:`\|W'\|^2 = \|W\|^2 + \|W' - W\|^2`. If :math:`\sigma(A)` has
full row rank, W = W' (``.unique``), which needs as many points as features. The critical weights :math:`LB\sigma(A)^T` are the
smallest ones for every B (``.critical``). Instances: dead neurons, negative entries, singular kernels; A alone may have an
infinite cost.

Source: leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, derivative, rounding
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import pseudo_inverse, rank
from verify.networks.leaky_resnet import (
    activation_kernel,
    critical_weights,
    feature_matrix,
    squared_norm,
    weights_from_activations,
)


def sizes(A: Array, weights: Array, leak: Array) -> tuple[Array, Array, Array]:
    """Features, their pseudo-inverse, and the size of the squared norms of weights that are computed from a derivative."""
    F = feature_matrix(A)
    inverse = pseudo_inverse(F)
    moved = squared_norm(weights) * squared_norm(F) + leak**2 * squared_norm(A)
    return F, inverse, moved * squared_norm(inverse) + squared_norm(weights)


def smallest_weights_of_a_path(A: Array, weights: Array, leak: Array, rest: int = 1, leaks: int = 1) -> Relation:
    """The weights of the path against those that it was made with; in false neighbours, parts of the formula are missing."""
    moved = derivative(A, weights, leak)
    found = weights_from_activations(A, moved, leaks * leak)
    F, inverse, size = sizes(A, weights, leak)
    target = weights @ F
    norm = ((target @ pseudo_inverse(activation_kernel(A))) * target).sum(axis=(-2, -1))
    reached = rounding(sqrt(size * squared_norm(F)), F, inverse, 2)[..., None, None]
    return (
        eq(found @ F, target, scale=sqrt(size * squared_norm(F))[..., None, None], noise=reached, over=2)
        & eq(
            squared_norm(weights),
            squared_norm(found) + rest * squared_norm(weights - found),
            scale=size,
            noise=rounding(size, F, inverse),
        )
        & eq(squared_norm(found), norm, scale=size, noise=rounding(size, F, inverse, 2))
    )


def unique_weights(A: Array, weights: Array, leak: Array, leaks: int = 1) -> Relation:
    """The weights of the path are those that it was made with."""
    found = weights_from_activations(A, derivative(A, weights, leak), leaks * leak)
    F, inverse, size = sizes(A, weights, leak)
    noise = rounding(sqrt(size), F, inverse)[..., None, None]
    return eq(found, weights, scale=sqrt(size)[..., None, None], noise=noise, over=2)


def critical_weights_are_smallest(A: Array, B: Array, leak: Array, leaks: int = 1, *, bias: bool = True) -> Relation:
    """The critical weights against those of the path that they give."""
    weights = critical_weights(A, B, leak)
    if not bias:
        weights = np.concatenate([weights[..., :-1], 0 * weights[..., -1:]], axis=-1)
    return unique_weights(A, weights, leak, leaks)


def features_are_independent(A: Array) -> Array:
    """Whether the features have full row rank."""
    return np.asarray(rank(feature_matrix(A)) == A.shape[-2] + 1)


def by_hand() -> Relation:
    """Two neurons and two points, with sympy's pseudo-inverse: the features have rank 2, the weights norm 9/5 rather than 5."""
    import sympy as sp

    A, weights = rationals([[[1, 2], [-1, 0]]]), rationals([[[1, 1, 0], [1, 1, 1]]])
    leak = rationals([2])
    found = weights_from_activations(A, derivative(A, weights, leak), leak)
    F = sp.Matrix([[1, 2], [0, 0], [1, 1]])
    stated = sp.Matrix([[1, 1, 0], [1, 1, 1]]) * F * F.pinv()
    return eq(found, rationals([[[str(entry) for entry in row] for row in stated.tolist()]]), over=2)


def smallest_from_the_start() -> dict[str, Any]:
    """Weights that are already the smallest: the dead neuron has none."""
    return {
        "A": rationals([[[1, 2], [-1, 0]]]),
        "weights": rationals([[[1, 0, 2], [3, 0, 1]]]),
        "leak": rationals([1]),
    }


def _features(sizes: Any) -> int:
    return int(sizes["width"]) + 1


SOURCE = Source("leaky_resnets", "Section 1.3")
PATHS = {"A": REPRESENTATION, "weights": reals("width", _features), "leak": interval(0, 4)}
INDEPENDENT = {"the features are independent": features_are_independent}

CLAIM = Claim(
    id="leaky_resnets.weights_from_activations",
    title="The smallest weights that move activations along a path",
    source=SOURCE,
    statement=smallest_weights_of_a_path,
    domain=Domain(PATHS, SHAPES),
    tight={"smallest from the start": Tight(smallest_from_the_start)},
    false_neighbours={
        "all weights have one norm": partial(smallest_weights_of_a_path, rest=0),
        "without the leak": partial(smallest_weights_of_a_path, leaks=0),
        "with twice the leak": partial(smallest_weights_of_a_path, leaks=2),
    },
    exact={"two neurons, two points": by_hand},
    cost=2,
)

UNIQUE = Claim(
    id="leaky_resnets.weights_from_activations.unique",
    title="Where the features are independent, a path has one choice of weights",
    source=SOURCE,
    status=Ours(),
    statement=unique_weights,
    domain=Domain(PATHS, {"width": range(1, 4), "points": range(2, 6)}, INDEPENDENT),
    needs=tuple(INDEPENDENT),
    false_neighbours={
        "without the leak": partial(unique_weights, leaks=0),
        "with twice the leak": partial(unique_weights, leaks=2),
    },
)

CRITICAL = Claim(
    id="leaky_resnets.weights_from_activations.critical",
    title="Critical weights are the smallest of their path",
    source=SOURCE,
    status=Ours(),
    statement=critical_weights_are_smallest,
    domain=Domain({"A": REPRESENTATION, "B": reals("width", "points"), "leak": interval(0, 4)}, SHAPES),
    false_neighbours={
        "without the leak": partial(critical_weights_are_smallest, leaks=0),
        "without the bias": partial(critical_weights_are_smallest, bias=False),
    },
)
