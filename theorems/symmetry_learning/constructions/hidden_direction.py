"""The loss of a hidden direction under noise, its gradient, and its two summary statistics."""

from __future__ import annotations

import numpy as np

from verify import derived, reals
from verify.arithmetic import Array


def unit_vector(chart: Array) -> Array:
    """Inverse stereographic projection, ``(..., d - 1) -> (..., d)``: a vector of length 1, rational where `chart` is."""
    square = (chart * chart).sum(axis=-1)[..., None]
    return np.asarray(np.concatenate([2 * chart, 1 - square], axis=-1) / (1 + square))


def inner(left: Array, right: Array) -> Array:
    """Scalar products along the last axis."""
    return np.asarray((left * right).sum(axis=-1))


def loss(v: Array, w: Array, noise: Array) -> Array:
    r""":math:`C(v) = \|vv^T - (ww^T + E)\|_F^2`, batched."""
    residual = v[..., :, None] * v[..., None, :] - w[..., :, None] * w[..., None, :] - noise
    return np.asarray((residual * residual).sum(axis=(-2, -1)))


def symmetric_part(matrix: Array) -> Array:
    """Half the sum of a matrix and its transpose."""
    return np.asarray((matrix + np.swapaxes(matrix, -1, -2)) / 2)


def gradient(v: Array, w: Array, noise: Array) -> Array:
    r""":math:`4(vv^T - ww^T - E_s)v`, batched; `noise` must be symmetric."""
    along_w = inner(w, v)[..., None] * w
    return np.asarray(4 * (inner(v, v)[..., None] * v - along_w - inner(noise, v[..., None, :])))


def statistics(v: Array, w: Array) -> tuple[Array, Array]:
    r"""The summary statistics p and q."""
    across = v - inner(w, v)[..., None] * w
    return inner(w, v) ** 2, inner(across, across)


def flow_of_statistics(v: Array, w: Array, noise: Array) -> tuple[Array, Array]:
    """Time derivatives of p and q along gradient flow, by the chain rule."""
    velocity = -gradient(v, w, symmetric_part(noise))
    across = v - inner(w, v)[..., None] * w
    return 2 * inner(w, v) * inner(w, velocity), 2 * inner(across, velocity)


def no_noise(v: Array) -> Array:
    """The zero matrix, batched like `v`."""
    return np.asarray(0 * v[..., :, None] * v[..., None, :])


PLANE = {"v": reals("dimension"), "w": derived(unit_vector, chart=reals(lambda sizes: sizes["dimension"] - 1))}
DIMENSIONS = {"dimension": range(2, 7)}
