"""Convolutional networks with equally many channels in every layer, and what their filters cost."""

from __future__ import annotations

import numpy as np

from verify.arithmetic import Array, rationals
from verify.networks import identity, leaky_relu
from verify.networks.circular import CircularCNN


def convolutional_network(kernels: Array, biases: Array, slope: Array) -> CircularCNN:
    """Network with the filters ``(..., L, c, c, n, n)``, the biases ``(..., L, c)``, and a slope for negative arguments."""
    depth = range(kernels.shape[-5])
    filters = [kernels[..., layer, :, :, :, :] for layer in depth]
    return CircularCNN(filters, [biases[..., layer, :] for layer in depth], leaky_relu(slope))


def linear_network(kernels: Array) -> CircularCNN:
    """Linear network without biases and with the filters ``(..., L, c, c, n, n)``."""
    return CircularCNN([kernels[..., layer, :, :, :, :] for layer in range(kernels.shape[-5])], activation=identity())


def squared_norm_of_filters(network: CircularCNN) -> Array:
    """Sum of the squares of all entries of all filters; a shared weight counts once."""
    return np.asarray(sum((kernel * kernel).sum(axis=(-4, -3, -2, -1)) for kernel in network.kernels))


def multiples_of_the_identity(depth: int, factor: object) -> Array:
    """Filters of one channel on 2 x 2 pixels, each of which multiplies an image by `factor`, shape ``(1, L, 1, 1, 2, 2)``."""
    kernels = rationals(np.zeros((1, depth, 1, 1, 2, 2), dtype=int))
    kernels[..., 0, 0] = rationals(factor)
    return kernels
