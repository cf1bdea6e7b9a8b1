"""A network on a segment: the places of its kinks, the length of its image, its slopes."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.shared.arrays import squares
from theorems.shared.paths import path_length
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, largest, where_positive
from verify.numbers.parameters import widened


@widened
def nodes_on_segment(network: FullyConnected, start: Array, end: Array) -> Array:
    """Places in [0, 1], ascending, between which the network is affine on the segment from `start` to `end`.

    Shapes ``(..., n_0), (..., n_0) -> (..., K)``: as many places for every instance, with repetitions; exact for rationals.
    """
    zero = 0 * start[..., :1]
    places = np.concatenate([zero, zero + 1], axis=-1)
    for layer in range(network.depth - 1):
        values = _on_segment(lambda x, layer=layer: network.preactivations(x)[layer], start, end, places)
        left, right = values[..., :-1, :], values[..., 1:, :]
        crosses = left * right < 0
        fraction = np.where(crosses, left, 0 * left) / np.where(crosses, left - right, 0 * left + 1)
        gaps = (places[..., 1:] - places[..., :-1])[..., None]
        crossings = (places[..., :-1, None] + fraction * gaps).reshape(*places.shape[:-1], -1)
        places = np.sort(np.concatenate([places, crossings], axis=-1), axis=-1)
    return places


def _on_segment(function: Any, start: Array, end: Array, places: Array) -> Array:
    """`function`, which takes points with their axis first, at the places of the segments, shape ``(..., K, n)``."""
    points = start[..., None, :] + places[..., None] * (end - start)[..., None, :]
    return np.asarray(np.moveaxis(function(np.moveaxis(points, -2, 0)), 0, places.ndim - 1))


@widened
def length_and_steepness(network: FullyConnected, start: Array, end: Array) -> tuple[Array, Array]:
    """Length of the image of the segment, and the largest squared Frobenius norm of the Jacobian on it.

    That is the operator norm where the Jacobian has rank one.
    """
    places = nodes_on_segment(network, start, end)
    gaps = places[..., 1:] - places[..., :-1]
    length = path_length(_on_segment(network, start, end, places))
    jacobians = _on_segment(network.jacobian, start, end, places[..., :-1] + gaps / 2)
    return length, largest(where_positive(gaps, squares(jacobians, (-2, -1))))


@widened
def extreme_points(points: Array, places: Array) -> tuple[Array, Array]:
    """The points with the smallest and with the largest place, shapes ``(..., N, d), (..., N) -> (..., d)``, each the first."""
    ends = (np.argmin(places, axis=-1), np.argmax(places, axis=-1))
    first, last = (np.take_along_axis(points, end[..., None, None], axis=-2)[..., 0, :] for end in ends)
    return first, last
