r"""Tuples of covariances: their pairs, the conditions on their images, their cost, and the network that belongs to them.

A tuple has for every hidden layer the pair :math:`\sum_i r_i^2 (v_iv_i^T, \sigma(v_i)\sigma(v_i)^T) + (0, \beta^211^T)`, given
by the roots r of its cone weights, which keep everything rational, and by the vectors v, the rows of a matrix V; and the
outputs :math:`Z_L`. The data x have one row for each point.

Source: feature_learning, Section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_

import numpy as np

from theorems.feature_learning.constructions.activations import Activation
from theorems.feature_learning.constructions.layers import gram, representations, with_bias_row
from verify import Relation
from verify.instances import lifted
from verify.matrices import pseudo_inverse
from verify.numbers.arithmetic import Array, chosen_rationals, floats, is_exact
from verify.numbers.parameters import widened
from verify.words import eq, inner, norm2, pinv

Pair = tuple[Array, Array]
"""Covariances before and after the activation."""


@lifted
@widened
def onto_image(rows: Array, features: Array) -> Array:
    r"""Rows projected to the image of :math:`K^\sigma`, which is that of the features."""
    return np.asarray(rows @ (pseudo_inverse(features) @ features))


@lifted
@widened
def kernel_inverse(features: Array) -> Array:
    r""":math:`(K^\sigma)^+` from the features, whose condition number is only the root of that of :math:`K^\sigma`."""
    inverse = pseudo_inverse(features)
    return np.asarray(inverse @ np.swapaxes(inverse, -1, -2))


@lifted
@widened
def near_roots(weights: Array) -> Pair:
    """Rationals r near the roots of the weights, and the factors f, 1 up to rounding, with ``r^2 f = weights``.

    So neurons can be scaled within the rationals; where a weight is zero, r = 0 and f = 1.
    """
    roots = np.sqrt(floats(weights))
    one = np.where(roots > 0, weights, 0 * weights + 1)
    if is_exact(weights):
        roots = chosen_rationals(roots)
    return roots, np.asarray(one / np.where(floats(roots) > 0, roots, 0 * roots + 1) ** 2)


@widened
def features(r: Array, V: Array, sigma: Activation, beta: Array) -> Array:
    r"""Rows whose Gram matrix is :math:`K^\sigma`, ``(k,), (k, N) -> (k + 1, N)``."""
    return with_bias_row(r[:, None] * sigma(V), beta)


@widened
def pair(r: Array, V: Array, sigma: Activation, beta: Array) -> Pair:
    r""":math:`\sum_i r_i^2(v_iv_i^T, \sigma(v_i)\sigma(v_i)^T) + (0, \beta^211^T)`."""
    image = sigma(V)
    return V.T @ (r[:, None] ** 2 * V), image.T @ (r[:, None] ** 2 * image) + beta**2


@widened
def inside_the_images(r: Array, V: Array, Z_L: Array, x: Array, sigma: Activation, beta: Array) -> tuple[list[Array], Array]:
    """Vectors and outputs projected, layer by layer, to the image of the covariance before."""
    seen, inside = with_bias_row(x.T, beta), []
    for own, vectors in zip(r, V, strict=True):
        inside.append(onto_image(vectors, seen))
        seen = features(own, inside[-1], sigma, beta)
    return inside, onto_image(Z_L, seen)


@widened
def pre_image(r: Array, V: Sequence[Array], Z_L: Array, x: Array, sigma: Activation, beta: Array) -> list[Array]:
    r"""Weights :math:`W_\ell = Z_\ell(Z_{\ell-1}^\sigma)^+` of a network with the representations :math:`r_iv_i`."""
    seen, W = with_bias_row(x.T, beta), []
    for Z in [*(own[:, None] * vectors for own, vectors in zip(r, V, strict=True)), Z_L]:
        W.append(Z @ pinv(seen))
        seen = with_bias_row(sigma(Z), beta)
    return W


@widened
def is_reached(r: Array, V: Sequence[Array], Z_L: Array, x: Array, sigma: Activation, beta: Array) -> Relation:
    """The pre-image has the pairs and outputs of the tuple, and its squared norm is the cost of the tuple."""
    W = pre_image(r, V, Z_L, x, sigma, beta)
    Z, Z_sigma = representations(W, x, sigma, beta)
    before, cost, parts = with_bias_row(x.T, beta), 0, []
    for layer, (own, vectors) in enumerate(zip(r, V, strict=True), start=1):
        K, K_sigma = pair(own, vectors, sigma, beta)
        parts.append(eq(gram(Z[layer - 1]), K, name=f"covariance of layer {layer}"))
        parts.append(eq(gram(Z_sigma[layer]), K_sigma, name=f"covariance after layer {layer}"))
        cost = cost + inner(K, kernel_inverse(before))
        before = features(own, vectors, sigma, beta)
    cost = cost + inner(gram(Z_L), kernel_inverse(before))
    return reduce(and_, parts, eq(Z[-1], Z_L, name="outputs") & eq(sum(map(norm2, W)), cost, name="cost"))
