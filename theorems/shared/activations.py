"""Hypotheses on the activation of a network: its slopes, and its kinks."""

from __future__ import annotations

import numpy as np

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, compare
from verify.numbers.parameters import widened

SLOPES = "slopes of at most 1"
"""Name of the hypothesis that the Lipschitz constant of the activation is at most 1."""


@widened
def is_smooth(network: FullyConnected, x: Array) -> Array:
    """Whether no hidden neuron is at its kink at x."""
    return np.asarray(compare(network.distance_to_kink(x), 0) > 0)
