"""Activations as kinds that are drawn equally often, and networks that have them."""

from __future__ import annotations

import numpy as np

from verify import derived, integers, interval
from verify.arithmetic import Array, compare, largest
from verify.networks import FullyConnected, HomogeneousActivation

SLOPES = "slopes of at most 1"
"""Name of the hypothesis `has_slopes_at_most_one`."""


def slope_of_kind(kind: Array, slope: Array) -> Array:
    """The slope for negative arguments, by the kind, batch-shaped.

    0: none (ReLU); 1: `slope` (leaky); 2: -1 (absolute value); 3: 1 (identity); 4: ``slope + 2``, beyond 1.
    """
    result = slope + 2
    for number, one in enumerate((0 * slope, slope, 0 * slope - 1, 0 * slope + 1)):
        result = np.where(compare(kind, number) == 0, one, result)
    return result


SLOPE = derived(slope_of_kind, kind=integers(0, 4), slope=interval(-1, 1))
"""The slope of an activation of each kind, those beyond 1 included."""

TAME_SLOPE = derived(slope_of_kind, kind=integers(0, 3), slope=interval(-1, 1))
"""The slope of an activation of each kind whose slopes are at most 1."""


def with_slope(network: FullyConnected, slope: Array) -> FullyConnected:
    """The network with this slope for negative arguments."""
    return FullyConnected(network.weights, network.biases, HomogeneousActivation(1, slope))


def has_slopes_at_most_one(network: FullyConnected) -> Array:
    """Whether the Lipschitz constant of the activation is at most 1."""
    return np.asarray(compare(network.activation.lipschitz_constant, 1) <= 0)


def are_at_most_one(slopes: Array) -> Array:
    """Whether no entry of ``(..., L - 1, width)`` is larger than 1 in absolute value."""
    sizes = (slopes * slopes).reshape(*slopes.shape[:-2], -1)
    return np.asarray(compare(largest(sizes), 1) <= 0)


def is_smooth(network: FullyConnected, x: Array) -> Array:
    """Whether no hidden neuron is at its kink at x."""
    return np.asarray(compare(network.distance_to_kink(x), 0) > 0)
