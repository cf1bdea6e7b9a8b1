"""Caratheodory's theorem for batches: fewer generators for the same points, and what remains in use."""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.pairs import second_parts
from verify.arithmetic import Array, where_positive, widened
from verify.cones.conical_hull import caratheodory
from verify.instances import lifted


@widened
def combined(weights: Array, generators: Array) -> Array:
    """The sum of the weighted generators, shapes ``(..., m), (..., m, d) -> (..., d)``."""
    return np.asarray((weights[..., None] * generators).sum(axis=-2))


@lifted
@widened
def pruned(generators: Array, weights: Array, cost: Array | None = None) -> Array:
    """`caratheodory` for every instance of a batch, shapes ``(..., m, d), (..., m) -> (..., m)``."""
    result = 0 * weights
    for index in np.ndindex(weights.shape[:-1]):
        prices = None if cost is None else cost[index]
        result[index] = caratheodory(generators[index], weights[index], cost=prices)
    return result


@lifted
@widened
def keep_pair(rows: Array, image: Array) -> Array:
    """Weights that keep both covariances, at most N(N + 1) of them not zero, ``(..., k, N), (..., k, N) -> (..., k)``."""
    generators = np.concatenate([second_parts(rows), second_parts(image)], axis=-1)
    return pruned(generators, 0 * rows[..., 0] + 1)


@widened
def in_use(weights: Array) -> Array:
    """1 where a weight is positive, else 0."""
    return where_positive(weights, 0 * weights + 1)


@widened
def number_in_use(weights: Array) -> Array:
    """How many weights are positive, ``(..., m) -> (...)``."""
    return np.asarray(in_use(weights).sum(axis=-1))
