"""Points where a scalar encoder takes a value, or nearly so, and what bisection leaves of the error."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, compare, maximum, minimum
from verify.numbers.parameters import widened
from verify.words import absolute

STEPS = 24
"""Bisections: the last interval is shorter than the first by the factor 2^24."""


@widened
def bisected(difference: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Lower end of an interval, `STEPS` times halved, at whose ends `difference` has other signs if it has so at the first."""
    sign = compare(difference(low), 0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        same = compare(difference(middle), 0) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return low


@widened
def on_the_square(t: Array) -> Array:
    """Point of half of the boundary of [-1, 1]^2 at t in [0, 4], from (1, 0) to (-1, 0), shape ``(...) -> (..., 2)``."""
    clipped = [maximum(minimum(coordinate, 0 * t + 1), 0 * t - 1) for coordinate in (2 - t, minimum(t, 4 - t))]
    return np.stack(clipped, axis=-1)


@widened
def opposite_points(encoder: FullyConnected) -> Array:
    """A point p of the boundary of [-1, 1]^2 with nearly g(p) = g(-p), shape ``(..., 2)``."""

    def difference(t: Array) -> Array:
        point = on_the_square(t)
        return (encoder(point) - encoder(-point))[..., 0]

    start = 0 * encoder.biases[-1][..., 0]
    return on_the_square(bisected(difference, start, start + 4))


@widened
def point_on_segment(encoder: FullyConnected, first: Array, last: Array, target: Array) -> Array:
    """A point of the segment with nearly the value `target` of the encoder, which lies between the values at its ends."""

    def point(share: Array) -> Array:
        return first + np.asarray(share)[..., None] * (last - first)

    return point(bisected(lambda share: encoder(point(share))[..., 0] - target, 0 * target, 0 * target + 1))


@widened
def lipschitz_bound(network: FullyConnected) -> Array:
    """Product of the sums of the absolute weights of the layers, of one network.

    It is at least the Lipschitz constant for the largest norm, where the slopes of the activation are at most 1.
    """
    return math.prod(absolute(W).sum() for W in network.weights)
