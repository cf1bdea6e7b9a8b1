"""What a constant costs, and the networks that attain it."""

from __future__ import annotations

import numpy as np

from theorems.shared.scalars import largest_stationary_root, least_objective
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, absolute, compare, maximum, minimum, sqrt
from verify.numbers.parameters import widened

LARGEST_DEPTH = 3
"""Depth up to which the cost of every constant is known here."""


@widened
def cost_of_a_constant(value: Array, depth: int) -> Array:
    """R(c; L) of constants c (one output) on a domain that contains 0, entrywise; rationals or balls for rationals.

    Raises
    ------
    ValueError
        `depth` is not 1, 2 or 3.
    """
    if not 1 <= depth <= LARGEST_DEPTH:
        raise ValueError(f"depth must be 1, 2 or {LARGEST_DEPTH}, got {depth}")
    size = np.asarray(absolute(value))
    if depth == 1:
        return np.asarray(size * size)
    cost = np.where(compare(size, 1) <= 0, size * size, 2 * size - 1)
    if depth == LARGEST_DEPTH:
        cost = np.where(compare(size, 2) <= 0, cost, least_objective(size, 0 * size + 1, LARGEST_DEPTH) - 1)
    return cost


@widened
def constant_network(value: Array, depth: int) -> FullyConnected:
    """Network of one input and one neuron in each layer that is constant, shape ``(...)`` of `value` as batch.

    It is the cheapest up to depth 3, and where the absolute value is at most 2; it works for every activation with slope 1
    for t >= 0. For rationals it holds balls where roots are not rational.

    Raises
    ------
    ValueError
        `depth` is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    value = np.asarray(value)
    size, zero = np.asarray(absolute(value)), 0 * value
    sign = np.where(compare(value, 0) < 0, zero - 1, zero + 1)
    weights, biases = [zero] * depth, [zero] * depth
    if depth == 1:
        biases[-1] = size
    else:
        biases[-1] = minimum(size, zero + 1)
        weights[-1] = biases[-2] = sqrt(maximum(size - 1, zero))
    if depth >= LARGEST_DEPTH:
        large = compare(size, 2) > 0
        root = largest_stationary_root(np.where(large, size, zero + 2), zero + 1, LARGEST_DEPTH)
        below = np.where(large, sqrt(root * root - 1), zero)
        weights[-1], biases[-1] = np.where(large, root, weights[-1]), np.where(large, 1 / root, biases[-1])
        weights[-2], biases[-2], biases[-3] = below, np.where(large, zero + 1, biases[-2]), below
    weights[-1], biases[-1] = sign * weights[-1], sign * biases[-1]
    return FullyConnected([np.asarray(w)[..., None, None] for w in weights], [np.asarray(b)[..., None] for b in biases])
