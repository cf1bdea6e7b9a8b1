"""Networks of depth 2: the sizes of their neurons, balance, and how multipliers at points of the line answer a neuron."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify import Q
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, compare, largest, sqrt
from verify.numbers.parameters import widened


@widened
def neuron_sizes(network: FullyConnected) -> tuple[Array, Array]:
    r""":math:`\|(w_i, b_i)\|^2` and :math:`\|a_i\|^2` of all hidden neurons of a network of depth 2, shapes ``(*batch, n_1)``.

    Raises
    ------
    ValueError
        The depth is not 2.
    """
    if network.depth != 2:
        raise ValueError(f"network must have depth 2, got {network.depth}")
    incoming, outgoing = network.weights
    return (incoming * incoming).sum(axis=-1) + network.biases[0] ** 2, (outgoing * outgoing).sum(axis=-2)


@widened
def atomic_norm(network: FullyConnected) -> Array:
    r""":math:`\sum_i\|a_i\|\,\|(w_i, b_i)\|` of a network of depth 2, shape ``batch_shape``. Raises as `neuron_sizes`."""
    entering, leaving = neuron_sizes(network)
    return np.asarray((sqrt(entering) * sqrt(leaving)).sum(axis=-1))


@widened
def variation(network: FullyConnected, factor: Q | int = 2) -> Array:
    r""":math:`2\sum_i\|a_i\|\,\|(w_i, b_i)\| + \|\beta\|^2` of a network of depth 2, shape ``batch_shape``.

    `factor` is that of the sum. Raises as `neuron_sizes`.
    """
    return np.asarray(factor * atomic_norm(network) + (network.biases[1] ** 2).sum(axis=-1))


@widened
def balanced_neurons(network: FullyConnected) -> FullyConnected:
    """The same function of depth 2 with the smallest norm that rescaling neurons gives, `variation`; exact where roots are.

    Neurons without effect become zero. Raises as `neuron_sizes`.
    """
    entering, leaving = neuron_sizes(network)
    alive = (compare(entering, 0) > 0) & (compare(leaving, 0) > 0)
    ratio = np.where(alive, leaving, 0 * leaving + 1) / np.where(alive, entering, 0 * entering + 1)
    factor = sqrt(sqrt(ratio))
    into, out = np.where(alive, factor, 0 * factor), np.where(alive, 1 / factor, 0 * factor)
    weights = [network.weights[0] * into[..., :, None], network.weights[1] * out[..., None, :]]
    return FullyConnected(weights, [network.biases[0] * into, network.biases[1]], network.activation)


@widened
def response(points: Array, multipliers: Array, directions: Array, slope: Any = 0) -> Array:
    r""":math:`g(w, b) = \sum_j \lambda_j\sigma(wx_j + b)`, shapes ``(..., n), (..., n), (..., k, 2) -> (..., k)``.

    `slope` is that of the activation below zero, a number or of batch shape.
    """
    values = directions[..., :, :1] * points[..., None, :] + directions[..., :, 1:]
    below = np.broadcast_to(np.asarray(slope)[..., None, None], values.shape)
    values = np.where(compare(values, 0) >= 0, values, below * values)
    return np.asarray((values * multipliers[..., None, :]).sum(axis=-1))


@widened
def critical_directions(points: Array, multipliers: Array, slope: Any = 0) -> Array:
    r"""Directions (w, b) among which :math:`|g| / \|(w, b)\|` is largest, shapes ``(..., n), (..., n) -> (..., 6 n, 2)``.

    Both directions with the kink at each point, and the gradients of g where the points from one on, or up to one, are active,
    with both signs.
    """
    ones = 0 * points + 1
    moments = multipliers[..., :, None] * np.stack([points, ones], axis=-1)
    later = compare(points[..., None, :], points[..., :, None]) >= 0
    below = np.broadcast_to(np.asarray(slope)[..., None, None], later.shape)
    one = np.broadcast_to(0 * below + 1, later.shape)
    gradients = [np.where(active, one, below) @ moments for active in (later, np.swapaxes(later, -1, -2))]
    along = np.concatenate([np.stack([ones, -points], axis=-1), *gradients], axis=-2)
    return np.concatenate([along, -along], axis=-2)


@widened
def response_squared(points: Array, multipliers: Array, slope: Any = 0) -> Array:
    r""":math:`G^2 = \sup_{w^2 + b^2 = 1} g(w, b)^2`, shapes ``(..., n), (..., n) -> (...)``; rational for rationals."""
    directions = critical_directions(points, multipliers, slope)
    squares = (directions * directions).sum(axis=-1)
    lengths = np.where(compare(squares, 0) > 0, squares, 0 * squares + 1)
    return largest(response(points, multipliers, directions, slope) ** 2 / lengths)
