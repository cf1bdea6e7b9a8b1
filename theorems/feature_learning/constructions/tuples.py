r"""Tuples of covariances: their pairs, the conditions on their images, their cost, and the network that belongs to them.

A tuple has for every hidden layer the pair :math:`\sum_i r_i^2 (x_ix_i^T, \sigma(x_i)\sigma(x_i)^T) + (0, \beta^211^T)`, given
by the roots r of its cone weights, which keep everything rational, and by the vectors x; and the outputs :math:`Z_L`.

Source: feature_learning, Section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.activations import Activation
from theorems.feature_learning.constructions.layers import (
    gram,
    matrix_like,
    representations,
    trace_of_product,
    with_bias_row,
)
from verify import Relation, eq
from verify.arithmetic import Array, chosen_rationals, floats, is_exact
from verify.matrices import frobenius_norm_squared, pseudo_inverse

Pair = tuple[Array, Array]
"""Covariances before and after the activation."""


@dataclass(frozen=True, eq=False)
class Instance:
    """What a tuple belongs to: the data, an activation and an amount of bias."""

    points: Array
    activation: Activation
    bias: Array

    def inputs(self) -> Array:
        """The representation of the data, with the row of the bias."""
        return with_bias_row(np.swapaxes(self.points, -1, -2), self.bias)

    def features(self, roots: Array, vectors: Array) -> Array:
        r"""Rows whose Gram matrix is :math:`K^\sigma`, shapes ``(..., k), (..., k, N) -> (..., k + 1, N)``."""
        return with_bias_row(roots[..., None] * self.activation(vectors), self.bias)

    def pair(self, roots: Array, vectors: Array) -> Pair:
        r""":math:`\sum_i r_i^2(x_ix_i^T, \sigma(x_i)\sigma(x_i)^T) + (0, \beta^211^T)`."""
        weights, image = (roots**2)[..., None], self.activation(vectors)
        first, second = (np.swapaxes(rows, -1, -2) @ (weights * rows) for rows in (vectors, image))
        return first, second + matrix_like(self.bias**2)


def onto_image(rows: Array, features: Array) -> Array:
    r"""Rows projected to the image of :math:`K^\sigma`, which is that of the features."""
    return np.asarray(rows @ (pseudo_inverse(features) @ features))


def inside_the_images(roots: Array, vectors: Array, outputs: Array, instance: Instance) -> tuple[list[Array], Array]:
    """Vectors and outputs projected, layer by layer, to the image of the covariance before."""
    seen, inside = instance.inputs(), []
    for layer in range(vectors.shape[-3]):
        inside.append(onto_image(vectors[..., layer, :, :], seen))
        seen = instance.features(roots[..., layer, :], inside[-1])
    return inside, onto_image(outputs, seen)


def kernel_inverse(features: Array) -> Array:
    r""":math:`(K^\sigma)^+` from the features, whose condition number is only the root of that of :math:`K^\sigma`."""
    inverse = pseudo_inverse(features)
    return np.asarray(inverse @ np.swapaxes(inverse, -1, -2))


def pre_image(roots: Array, vectors: Sequence[Array], outputs: Array, instance: Instance) -> list[Array]:
    r"""Weights :math:`W_\ell = Z_\ell(Z_{\ell-1}^\sigma)^+` of a network with the representations :math:`r_ix_i`."""
    seen, weights = instance.inputs(), []
    rows = [roots[..., layer, :, None] * each for layer, each in enumerate(vectors)]
    for values in [*rows, outputs]:
        weights.append(values @ pseudo_inverse(seen))
        seen = with_bias_row(instance.activation(values), instance.bias)
    return weights


def is_reached(
    weights: Sequence[Array], roots: Array, vectors: Sequence[Array], outputs: Array, instance: Instance
) -> Relation:
    """The network has the pairs and outputs of the tuple, and its squared norm is the cost of the tuple."""
    given, seen = representations(weights, instance.points, instance.activation, instance.bias)
    pairs = [instance.pair(roots[..., layer, :], each) for layer, each in enumerate(vectors)]
    parts, features, cost = [], instance.inputs(), 0 * instance.bias
    for layer, (own, image) in enumerate(pairs):
        parts.append(eq(gram(given[layer]), own, name=f"covariance of layer {layer + 1}", over=2))
        parts.append(eq(gram(seen[layer + 1]), image, name=f"covariance after layer {layer + 1}", over=2))
        cost = cost + trace_of_product(own, kernel_inverse(features))
        features = instance.features(roots[..., layer, :], vectors[layer])
    cost = cost + trace_of_product(gram(outputs), kernel_inverse(features))
    norm: Any = sum(frobenius_norm_squared(weight) for weight in weights)
    return reduce(and_, parts, eq(given[-1], outputs, name="outputs", over=2) & eq(norm, cost, name="cost"))


def near_roots(weights: Array) -> Pair:
    """Rationals r near the roots of the weights, and the factors f, 1 up to rounding, with ``r^2 f = weights``.

    So neurons can be scaled within the rationals; where a weight is zero, r = 0 and f = 1.
    """
    roots = np.sqrt(floats(weights))
    one = np.where(roots > 0, weights, 0 * weights + 1)
    if is_exact(weights):
        roots = chosen_rationals(roots)
    return roots, np.asarray(one / np.where(floats(roots) > 0, roots, 0 * roots + 1) ** 2)
