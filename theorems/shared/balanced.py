r"""Balanced factors :math:`W_\ell = Q_\ell S^{1/L} Q_{\ell-1}^T` of a matrix, and rational frames for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, pairwise
from math import isqrt
from typing import Any

import numpy as np

from theorems.shared.arrays import transpose
from verify.matrices import inverse
from verify.networks import FullyConnected, HomogeneousActivation, identity
from verify.numbers.arithmetic import Array, is_exact, rationals
from verify.numbers.parameters import widened


@widened
def end_to_end(network: FullyConnected) -> Array:
    """The product of all weights, shape ``(*batch, n_L, n_0)``."""
    product = network.weights[0]
    for weight in network.weights[1:]:
        product = weight @ product
    return product


@widened
def rotation(chart: Array) -> Array:
    """Orthogonal matrix ``(I - K) (I + K)^-1``, shape ``(..., n (n - 1) / 2) -> (..., n, n)``, rational where `chart` is.

    `chart` is what stands above the diagonal of the skew matrix K (Cayley).
    """
    size = (1 + isqrt(1 + 8 * chart.shape[-1])) // 2
    unit = rationals(np.eye(size, dtype=int)) if is_exact(chart) else np.eye(size)
    skew = np.broadcast_to(0 * unit, (*chart.shape[:-1], size, size)).copy()
    for place, (i, j) in enumerate(combinations(range(size), 2)):
        skew[..., i, j], skew[..., j, i] = chart[..., place], -chart[..., place]
    return np.asarray((unit - skew) @ inverse(unit + skew))


@widened
def rotated(left: Array, values: Array, right: Array) -> Array:
    """The matrix with these frames and singular values, ``(..., m, r), (..., r), (..., n, r) -> (..., m, n)``."""
    return np.asarray((left * values[..., None, :]) @ transpose(right))


@widened
def plane_rotations(size: str) -> Callable[[Mapping[str, int]], int]:
    """Number of entries above the diagonal, as a dimension of a `Domain`."""
    return lambda sizes: sizes[size] * (sizes[size] - 1) // 2


@widened
def balanced_factors(
    left: Array, roots: Array, right: Array, hidden: Array, activation: HomogeneousActivation | None = None
) -> FullyConnected:
    r"""The network :math:`W_\ell = Q_\ell \,\mathrm{diag}(q)\, Q_{\ell-1}^T`: no biases, and linear without `activation`.

    Its product is :math:`Q_L \,\mathrm{diag}(q^L)\, Q_0^T`, and its squared norm is exactly :math:`L \sum_i q_i^2`. `roots`
    is q, shape ``(..., r)``, not negative; `left` and `right` are :math:`Q_L` and :math:`Q_0`, shapes ``(..., m, >= r)`` and
    ``(..., n, >= r)``; `hidden` holds the L - 1 others, ``(..., L - 1, width, >= r)``. Columns must be orthonormal; those
    beyond r are not used.

    Raises
    ------
    ValueError
        A frame has fewer columns than there are roots.
    """
    rank = roots.shape[-1]
    for name, frame in (("left", left), ("right", right), ("hidden", hidden)):
        if frame.shape[-1] < rank:
            raise ValueError(f"{name} must have a column for each of {rank} roots, got the shape {frame.shape}")
    middle = [hidden[..., layer, :, :rank] for layer in range(hidden.shape[-3])]
    frames = [right[..., :rank], *middle, left[..., :rank]]
    weights = [(after * roots[..., None, :]) @ transpose(before) for before, after in pairwise(frames)]
    return FullyConnected(weights, activation=identity() if activation is None else activation)


@widened
def rational_factors(depth: int, *roots: object) -> dict[str, FullyConnected]:
    """Balanced factors between rotations by Pythagorean angles, with another frame in every hidden layer."""
    charts = rationals([[f"1/{layer + 2}", 1, f"-2/{layer + 1}"] for layer in range(depth + 1)])
    frames = rotation(charts)
    return {"network": balanced_factors(frames[-1], rationals(roots), frames[0], frames[1:-1])}


@widened
def balanced_network(depth: int, *roots: object, negative: int = 0, sign: int = 1) -> dict[str, Any]:
    """A rotated, balanced network, and a point whose hidden values are positive (or, with ``sign=-1``, negative at first)."""
    left, right = rotation(rationals([["1/2", 1, "-1/3"], [2, "1/2", 1]]))
    middle = np.broadcast_to(rationals(np.eye(len(roots), dtype=int)), (depth - 1, len(roots), len(roots)))
    network = balanced_factors(left, rationals(roots), right, middle, HomogeneousActivation(1, negative))
    return {"network": network, "x": sign * right[:, : len(roots)].sum(axis=-1)}
