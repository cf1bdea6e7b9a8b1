r"""Layers on data: the representations :math:`Z_\ell` that the theorems speak of, and how networks are drawn.

A network with data X (one column for each of N points), an activation and an amount of bias :math:`\beta \ge 0` has

.. math:: Z_0^\sigma = \binom{X}{\beta 1^T}, \qquad Z_\ell = W_\ell Z_{\ell-1}^\sigma, \qquad
   Z_\ell^\sigma = \binom{\sigma(Z_\ell)}{\beta 1^T} ;

the last column of :math:`W_\ell` holds the bias weights and counts in its norm.

Source: feature_learning, Section 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theorems.feature_learning.constructions.activations import Activation
from verify import Networks, derived, interval, reals
from verify.instances import lifted
from verify.matrices import pseudo_inverse
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, is_exact
from verify.numbers.parameters import widened


@lifted
@widened
def gram(factor: Array) -> Array:
    """``B^T B``, shape ``(..., k, N) -> (..., N, N)``."""
    return np.asarray(np.swapaxes(factor, -1, -2) @ factor)


@lifted
@widened
def trace_of_product(first: Array, second: Array) -> Array:
    """``Tr[A B]`` for symmetric A, shape ``(..., N, N), (..., N, N) -> (...)``."""
    return np.asarray((first * second).sum(axis=(-2, -1)))


@lifted
@widened
def row_costs(values: Array, seen: Array, weights: Array | None = None) -> Array:
    r""":math:`z^T(A^TDA)^+z` for every row z of a matrix, shapes ``(..., n, N), (..., k, N), (..., k) -> (..., n)``.

    D has the `weights` on its diagonal, ones by default. In floats it is the squared length of :math:`z^T(\sqrt{D}A)^+`: the
    Gram matrix shows nothing of small singular values.
    """
    if is_exact(seen):
        right = seen if weights is None else weights[..., None] * seen
        inverse = pseudo_inverse(np.swapaxes(seen, -1, -2) @ right)
        return np.asarray(((values @ inverse) * values).sum(axis=-1))
    rows = seen if weights is None else np.sqrt(weights)[..., None] * seen
    return np.asarray(((values @ pseudo_inverse(rows)) ** 2).sum(axis=-1))


@lifted
@widened
def with_bias_row(values: Array, bias: Array | int) -> Array:
    r""":math:`\binom{Z}{\beta 1^T}`, shapes ``(..., n, N), (...) -> (..., n + 1, N)``."""
    return np.asarray(np.concatenate([values, 0 * values[..., :1, :] + np.asarray(bias)[..., None, None]], axis=-2))


@widened
def with_bias_column(network: FullyConnected) -> tuple[Array, ...]:
    """The matrices ``(W_l, b_l)``: what a network adds as a bias becomes the weight of an amount of bias."""
    weights, biases = network.weights, network.biases
    return tuple(np.concatenate([w, b[..., None]], axis=-1) for w, b in zip(weights, biases, strict=True))


@lifted
@widened
def representations(
    weights: Sequence[Array], points: Array, activation: Activation, bias: Array | int
) -> tuple[list[Array], list[Array]]:
    r""":math:`(Z_1, \ldots, Z_L)` and :math:`(Z_0^\sigma, \ldots, Z_{L-1}^\sigma)`; `points` has one row for each."""
    given, seen = [], [with_bias_row(np.swapaxes(points, -1, -2), bias)]
    for weight in weights:
        given.append(weight @ seen[-1])
        seen.append(with_bias_row(activation(given[-1]), bias))
    return given, seen[:-1]


WEIGHTS = derived(with_bias_column, network=Networks(slope=0))
"""Weights with the biases in the last column, of sizes `depth`, `inputs`, `width` and `outputs`."""
DATA = {"x": reals("points", "inputs", role="points"), "beta": interval(0, 2, role="1")}
"""Data, one row for each point, and the amount of bias."""
