"""Hypotheses on the activation of a network: its slopes, and its kinks."""

from __future__ import annotations

import numpy as np

from verify.arithmetic import Array, compare, widened
from verify.networks import FullyConnected

SLOPES = "slopes of at most 1"
"""Name of the hypothesis `has_slopes_at_most_one`."""


def has_slopes_at_most_one(network: FullyConnected) -> Array:
    """Whether the Lipschitz constant of the activation is at most 1."""
    return np.asarray(compare(network.activation.lipschitz_constant, 1) <= 0)


@widened
def is_smooth(network: FullyConnected, x: Array) -> Array:
    """Whether no hidden neuron is at its kink at x."""
    return np.asarray(compare(network.distance_to_kink(x), 0) > 0)
