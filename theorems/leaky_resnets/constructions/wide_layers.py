"""The path of constant cost of Proposition 3, from any representation of a wide layer to one with a dead neuron."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.cones.conical_hull import caratheodory
from verify.instances import InstanceArray
from verify.matrices.arguments import checked
from verify.numbers.arithmetic import Array, compare, floats, sqrt
from verify.numbers.parameters import widened
from verify.words import concatenate, relu


@widened
def neuron_pairs(A: Array) -> Array:
    r"""Each neuron's part of :math:`A^TA` and :math:`\bar K`, without repeated entries: w rows of length N(N + 1)."""
    i, j = np.triu_indices(A.shape[1])
    return concatenate([X[:, i] * X[:, j] for X in (A, relu(A))], axis=1)


@widened
def pruned(generators: Array) -> Array:
    """Weights of the generators with the sum of all, on generators that are independent: ``(..., w, d) -> (..., w)``."""
    weights = 0 * generators[..., 0] + 1
    for index in np.ndindex(weights.shape[:-1]):
        weights[index] = caratheodory(generators[index], weights[index])
    return weights


@widened
def neuron_weights(A: Array) -> Array:
    """Weights of the neurons, ``(..., w, N) -> (..., w)``, at most N (N + 1) of them not zero, that keep both matrices.

    Rationals are kept exactly, floats up to rounding errors.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers.

    Source: leaky_resnets, Proposition 7, proof.
    """
    A = checked(A, "A")
    instances: Any = InstanceArray(A, A.ndim - 2)
    return pruned(neuron_pairs(instances).values)  # type: ignore[attr-defined]


@widened
def path_to_dead_neuron(A: Array, time: Array, weights: Array) -> Array:
    """The representation at a time on the path that `neuron_weights` gives, ``(..., w, N), (...), (..., w) -> (..., w, N)``.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers, the time is not from 0 to 1, or a weight is negative or not one for each neuron.

    Source: leaky_resnets, Proposition 7, proof.
    """
    A, time = checked(A, "A"), np.asarray(time)
    if not ((compare(time, 0) >= 0) & (compare(time, 1) <= 0)).all():
        raise ValueError(f"time must be from 0 to 1, got {floats(time)}")
    if weights.shape[-1] != A.shape[-2] or not (compare(weights, 0) >= 0).all():
        raise ValueError(f"weights must be {A.shape[-2]} numbers, none negative, got {floats(weights)}")
    return np.asarray(sqrt(1 - time[..., None] + time[..., None] * weights)[..., None] * A)


@widened
def independent_neurons(points: int) -> Array:
    """N (N + 1) neurons whose pairs are independent: half of them positive, half negative."""
    units = np.eye(points, dtype=int)
    sums = [units[i] + units[j] for i in range(points) for j in range(i + 1)]
    return np.array([*sums, *(-one for one in sums)])


@widened
def one_neuron_twice(points: int) -> Array:
    """As many independent neurons, and the last of them again."""
    A = independent_neurons(points)
    return np.concatenate([A, A[-1:]])
