r"""The weights of a path in representation space: the smallest ones that move the activations so.

Statement
    At a minimum, and at every critical point, :math:`W_p = (LA_p + \partial_pA_p)\sigma(A_p)^+`. Of all W with
    :math:`W\sigma(A) = LA + \partial A` it alone has the smallest norm, and :math:`\|W\|_F^2 = \|LA + \partial A\|_K^2`.
Checked
    For every A and every W' that moves it, :math:`\|W'\|^2 = \|W\|^2 + \|W' - W\|^2`. If :math:`\sigma(A)` has full row rank,
    W = W'. The critical weights :math:`LB\sigma(A)^T` are the smallest ones for every B. Dead neurons, negative entries and
    singular kernels are drawn; A alone may have an infinite cost.
Proof idea
    :math:`W' - W` vanishes on the features, and the rows of W are combinations of them.
Source
    leaky_resnets, Section 1.3.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES, derivative
from verify import Claim, Domain, Ours, Relation, Sizes, Source, eq, interval, reals
from verify.arithmetic import Array, rationals
from verify.matrices import rank
from verify.networks.leaky_resnet import (
    critical_weights,
    feature_matrix,
    inner,
    kernel_inverse,
    squared_norm,
    weights_from_activations,
)


def smallest_weights_of_a_path(A: Array, weights: Array, leak: Array) -> Relation:
    """The weights of the path against those that it was made with, and the norm by the kernel."""
    found, target = weights_from_activations(A, derivative(A, weights, leak), leak), weights @ feature_matrix(A)
    return (
        eq(found @ feature_matrix(A), target, name="they move A so", over=2)
        & eq(squared_norm(weights), squared_norm(found) + squared_norm(weights - found), name="smallest")
        & eq(inner(target @ kernel_inverse(A), target), squared_norm(found), name="by the kernel")
    )


def unique_weights(A: Array, weights: Array, leak: Array) -> Relation:
    """The weights of the path are those that it was made with."""
    return eq(weights_from_activations(A, derivative(A, weights, leak), leak), weights, over=2)


def critical_weights_are_smallest(A: Array, B: Array, leak: Array) -> Relation:
    """The critical weights against those of the path that they give."""
    return unique_weights(A, critical_weights(A, B, leak), leak)


# False variants


def all_weights_have_one_norm(A: Array, weights: Array, leak: Array) -> Relation:
    """As if the difference counted for nothing."""
    found = weights_from_activations(A, derivative(A, weights, leak), leak)
    return eq(squared_norm(weights), squared_norm(found))


def path_without_leak(A: Array, weights: Array, leak: Array) -> Relation:
    """The weights that give the derivative alone."""
    found = weights_from_activations(A, derivative(A, weights, leak), 0 * leak)
    return eq(found @ feature_matrix(A), weights @ feature_matrix(A), over=2)


def unique_without_leak(A: Array, weights: Array, leak: Array) -> Relation:
    """The weights that give the derivative alone, where they are unique."""
    return eq(weights_from_activations(A, derivative(A, weights, leak), 0 * leak), weights, over=2)


def critical_without_leak(A: Array, B: Array, leak: Array) -> Relation:
    """The weights that give the derivative of a critical path alone."""
    return unique_without_leak(A, critical_weights(A, B, leak), leak)


def critical_without_bias(A: Array, B: Array, leak: Array) -> Relation:
    """Critical weights whose bias is left out."""
    weights = critical_weights(A, B, leak)
    return unique_weights(A, np.concatenate([weights[..., :-1], 0 * weights[..., -1:]], axis=-1), leak)


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


def _features(sizes: Sizes) -> int:
    return sizes["width"] + 1


SOURCE = Source("leaky_resnets", "Section 1.3")
PATHS = {"A": REPRESENTATION, "weights": reals("width", _features), "leak": interval(0, 4)}
INDEPENDENT = {"the features are independent": features_are_independent}

CLAIM = Claim(
    id="leaky_resnets.weights_from_activations",
    title="The smallest weights that move activations are the velocity times the pseudo-inverse of the features",
    source=SOURCE,
    statement=smallest_weights_of_a_path,
    domain=Domain(PATHS, SHAPES),
    false_neighbours={"all weights have one norm": all_weights_have_one_norm, "without the leak": path_without_leak},
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
    false_neighbours={"without the leak": unique_without_leak},
)

CRITICAL = Claim(
    id="leaky_resnets.weights_from_activations.critical",
    title="Critical weights are the smallest of their path",
    source=SOURCE,
    status=Ours(),
    statement=critical_weights_are_smallest,
    domain=Domain({"A": REPRESENTATION, "B": reals("width", "points"), "leak": interval(0, 4)}, SHAPES),
    false_neighbours={"without the leak": critical_without_leak, "without the bias": critical_without_bias},
)
