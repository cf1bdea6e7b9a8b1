r"""Shallow ReLU networks with one input; balanced neurons :math:`\pm\sigma(u \cdot (x, \beta))` cost :math:`2\|u\|`.

Source: feature_learning, Proposition 15.
"""

from __future__ import annotations

import numpy as np

from verify.arithmetic import Array, maximum, sqrt, widened


@widened
def rectified(values: Array) -> Array:
    """The ReLU."""
    return maximum(values, 0 * values)


@widened
def length(vectors: Array) -> Array:
    """Euclidean norms, shape ``(..., d) -> (...)``."""
    return sqrt((vectors * vectors).sum(axis=-1))


@widened
def at_points(points: Array, bias: Array) -> Array:
    """Columns (x, beta), shapes ``(..., N), (...) -> (..., 2, N)``."""
    return np.stack([points, 0 * points + np.asarray(bias)[..., None]], axis=-2)


@widened
def hidden_outputs(weights: Array, points: Array, bias: Array) -> Array:
    """Outputs without output bias of neurons with the rows (a, b, c), shapes ``(..., n, 3), (..., N) -> (..., N)``."""
    return np.asarray((weights[..., 0, None] * rectified(weights[..., 1:] @ at_points(points, bias))).sum(axis=-2))
