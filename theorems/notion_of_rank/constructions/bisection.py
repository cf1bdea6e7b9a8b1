"""Points where a scalar encoder takes a value, or nearly so, and what bisection leaves of the error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verify.arithmetic import Array, absolute, compare
from verify.networks import FullyConnected

STEPS = 24
"""Bisections: the last interval is shorter than the first by the factor 2^24."""


def bisected(difference: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Lower end of an interval, `STEPS` times halved, at whose ends `difference` has other signs if it has so at the first."""
    sign = compare(difference(low), 0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        same = compare(difference(middle), 0) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return low


def lipschitz_bound(network: FullyConnected) -> Array:
    """Product of the sums of the absolute weights of the layers, batch-shaped.

    It is at least the Lipschitz constant for the largest norm, where the slopes of the activation are at most 1.
    """
    bound = 0 * network.biases[-1][..., 0] + 1
    for weight in network.weights:
        bound = bound * absolute(weight).sum(axis=(-2, -1))
    return np.asarray(bound)
