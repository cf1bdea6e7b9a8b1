"""Caratheodory's theorem for batches: fewer generators for the same points, and what remains in use."""

from __future__ import annotations

import numpy as np

from theorems.feature_learning.constructions.pairs import second_parts
from verify.cones.conical_hull import caratheodory
from verify.instances import lifted
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened


@lifted
@widened
def pruned(generators: Array, weights: Array, cost: Array | None = None) -> Array:
    """`caratheodory` for every instance of a batch, shapes ``(..., m, d), (..., m) -> (..., m)``."""
    result, prices = 0 * weights, None if cost is None else 0 * weights + cost
    for index in np.ndindex(weights.shape[:-1]):
        own = None if prices is None else prices[index]
        result[index] = caratheodory(generators[index], weights[index], cost=own)
    return result


@lifted
@widened
def keep_pair(rows: Array, image: Array) -> Array:
    """Weights that keep both covariances, at most N(N + 1) of them not zero, ``(..., k, N), (..., k, N) -> (..., k)``."""
    generators = np.concatenate([second_parts(rows), second_parts(image)], axis=-1)
    return pruned(generators, 0 * rows[..., 0] + 1)
