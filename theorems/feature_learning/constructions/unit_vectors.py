"""Unit vectors with rational entries."""

from __future__ import annotations

import numpy as np

from verify.arithmetic import Array, widened


@widened
def unit_vector(parameters: Array, zero: Array) -> Array:
    """Stereographic projection, rational for rationals, shape ``(..., n, d - 1) -> (..., n, d)``; `zero` has shape (..., n)."""
    square = (parameters * parameters).sum(axis=-1) + zero
    return np.asarray(np.concatenate([2 * parameters, (1 - square)[..., None]], axis=-1) / (1 + square)[..., None])
