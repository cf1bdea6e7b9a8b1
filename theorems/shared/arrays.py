"""Sums of squares, transposes, and networks applied to several points: what most constructions use."""

from __future__ import annotations

import numpy as np

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened


@widened
def squares(array: Array, axis: int | tuple[int, ...] = -1) -> Array:
    """Sum of squares along an axis."""
    return np.asarray((array * array).sum(axis=axis))


@widened
def transpose(matrix: Array) -> Array:
    """Transpose of each matrix of a batch."""
    return np.swapaxes(matrix, -1, -2)


@widened
def values_at(network: FullyConnected, points: Array) -> Array:
    """Values at N points of each network of the batch, shapes ``(..., N, n_0) -> (..., N, n_L)``."""
    return np.asarray(np.moveaxis(network(np.moveaxis(points, -2, 0)), 0, -2))


@widened
def unit_vector(chart: Array, flip: Array) -> Array:
    """A unit vector, shape ``(..., d - 1), (...) -> (..., d)``, rational for rationals; the opposite one where `flip` is 1."""
    square = np.asarray((chart * chart).sum(axis=-1) + 0 * flip)[..., None]
    return np.asarray((1 - 2 * flip)[..., None] * np.concatenate([2 * chart, 1 - square], axis=-1) / (1 + square))
