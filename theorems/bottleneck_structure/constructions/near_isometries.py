"""Networks near identities, and the quantities of Theorem 6 that they make equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import sum_of_largest
from verify.arithmetic import Array, minimum, rationals, widened
from verify.matrices import frobenius_norm_squared, log_pseudo_determinant, singular_values
from verify.networks import FullyConnected


@widened
def around_identity(network: FullyConnected, kind: Array) -> FullyConnected:
    """The network itself (0); with the identity added to every weight matrix (1); the identity, with a bias at the end (2)."""
    identity, free = minimum(kind, 1), minimum(2 - kind, 1)
    weights = [
        free[..., None, None] * weight + identity[..., None, None] * np.eye(*weight.shape[-2:], dtype=np.int64)
        for weight in network.weights
    ]
    biases = [*(free[..., None] * bias for bias in network.biases[:-1]), network.biases[-1]]
    return FullyConnected(weights, biases, network.activation)


@widened
def diagonal_layers(depth: int, root: Array) -> FullyConnected:
    r"""The network of layers diag(1, q) for :math:`(x_1, q^L \sigma(x_2))`, where :math:`x_1 \ge 0`."""
    layer = np.stack([np.stack([1 + 0 * root, 0 * root], axis=-1), np.stack([0 * root, root], axis=-1)], axis=-2)
    return FullyConnected([layer] * depth)


@widened
def distances_to_isometries(network: FullyConnected, k: Array) -> Array:
    r"""Least :math:`\|W_\ell - UV^T\|_F^2 + \|b_\ell\|^2` over U and V with k orthonormal columns, shape ``(..., L)``."""
    costs = [
        frobenius_norm_squared(weight) + k - 2 * sum_of_largest(singular_values(weight), k) + (bias * bias).sum(axis=-1)
        for weight, bias in zip(network.weights, network.biases, strict=True)
    ]
    return np.stack(costs, axis=-1)


@widened
def excess_over_volume(network: FullyConnected, x: Array, k: Array, log_factor: Any = 2) -> Array:
    r"""The bound :math:`B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+` of Theorem 6, batch-shaped."""
    volume = log_pseudo_determinant(network.jacobian(x))
    return np.asarray(network.parameter_norm_squared - k * network.depth - log_factor * volume)


def one_short_side(**others: Any) -> dict[str, Any]:
    r""":math:`W_1 = \mathrm{diag}(1, d)`, :math:`W_2 = (1, 0)`: both sides are :math:`d^2` for :math:`d \le 1`."""
    return one_stretched_side("1", **others)


def nearly_one() -> dict[str, Any]:
    """The same with a little more than 1 in the place of 1, so that the volume of the Jacobian has a logarithm."""
    return one_stretched_side("2097153/2097152")


def one_stretched_side(long: str, **others: Any) -> dict[str, Any]:
    r""":math:`W_1 = \mathrm{diag}(s, 1/2)`, :math:`W_2 = (1, 0)`."""
    weights = [rationals([[[long, 0], [0, "1/2"]]]), rationals([[[1, 0]]])]
    return {"network": FullyConnected(weights), "x": rationals([[1, 1]]), **others}


def identities_with_biases(depth: int = 3, kept: int = 2, **others: Any) -> dict[str, Any]:
    """Layers that keep some coordinates, with biases of squared norms 1 and 4, and then 0."""
    basis = np.eye(kept, dtype=int)
    biases = [rationals([basis[0]]), rationals([2 * basis[-1]]), *[rationals([0 * basis[0]])] * (depth - 2)]
    return {"network": FullyConnected([rationals([basis])] * depth, biases), "x": rationals([[1] * kept]), **others}
