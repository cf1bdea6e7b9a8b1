"""Networks near identities."""

from __future__ import annotations

import numpy as np

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, minimum
from verify.numbers.parameters import widened


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
