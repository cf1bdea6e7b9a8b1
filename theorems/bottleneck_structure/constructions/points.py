"""A network at a point: the rank of its Jacobian, and whether the theorems speak of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from verify.matrices import operator_norm, rank
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, compare, largest
from verify.numbers.parameters import widened


@widened
def stretching(network: FullyConnected, x: Array, y: Array) -> Array:
    """The constant G of Proposition 13, batch-shaped: what the layers before a hidden layer stretch at `x`, times what those
    behind it stretch at `y`, at most.
    """
    around = []
    for layer in range(1, network.depth):
        behind = operator_norm(network.jacobian_from_layer(layer + 1, y))
        if layer > 1:
            slopes = network.activation.derivative(network.preactivations(x)[layer - 2])
            behind = behind * operator_norm(slopes[..., None] * network.jacobian_to_layer(layer - 1, x))
        around.append(np.asarray(behind))
    batch = np.broadcast_shapes(*(one.shape for one in around))
    return largest(np.stack([np.broadcast_to(one, batch) for one in around], axis=-1))


@widened
def is_smooth(network: FullyConnected, x: Array) -> npt.NDArray[np.bool_]:
    """Whether no hidden neuron is at its kink; a neuron that is constantly zero near the point, as dead ones are, is not."""
    smooth = np.ones((), dtype=bool)
    for layer, values in enumerate(network.preactivations(x)[:-1], start=1):
        constant = (compare(network.jacobian_to_layer(layer, x), 0) == 0).all(axis=-1)
        smooth = smooth & ((compare(values, 0) != 0) | constant).all(axis=-1)
    return np.asarray(smooth)


@widened
def has_nonzero_derivative(network: FullyConnected, x: Array) -> npt.NDArray[np.bool_]:
    """Whether the Jacobian has a positive rank, at a point where the network is smooth."""
    return np.asarray((rank(network.jacobian(x)) > 0) & is_smooth(network, x))
