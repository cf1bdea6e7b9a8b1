r"""Activations of a leaky ResNet at one position p: arrays of shape ``(..., w, N)``, neurons by points.

:math:`\bar\sigma` is the ReLU and :math:`\sigma(A)` the ReLU of A with a row of ones below it, which stands for the bias.
``bias=False`` leaves that row out everywhere.

Source: leaky_resnets, Sections 1.1 and 1.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, fmpq

from verify.arithmetic import Array, array_module, is_exact, where_positive
from verify.networks._arrays import as_array, check_batches, number_like, zeros


def checked_matrix(name: str, values: Any) -> Array:
    """`values` as floats or exact entries, shape ``(..., w, N)`` with w and N at least 1.

    Raises
    ------
    TypeError
        `values` is no array.
    ValueError
        It has another shape, or an entry that is no finite real number.
    """
    if not hasattr(values, "dtype"):
        raise TypeError(f"{name} must be an array of shape (..., neurons, points), got {type(values).__name__}")
    if values.ndim < 2 or 0 in values.shape[-2:]:
        raise ValueError(f"{name} must have the shape (..., neurons, points) with one of each at least, got {values.shape}")
    if is_exact(values):
        for entry in values.flat:
            if not isinstance(entry, fmpq | arb):
                raise ValueError(f"{name} must hold flint.fmpq or flint.arb, got an entry of type {type(entry).__name__}")
            if isinstance(entry, arb) and not entry.is_finite():
                raise ValueError(f"{name} must be finite, got an entry {entry}")
        return values  # type: ignore[no-any-return]
    xp = array_module(values)
    if values.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold real numbers, got dtype {values.dtype}")
    if values.dtype.kind != "f":
        values = values.astype(xp.float64)
    if not xp.isfinite(values).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    return values  # type: ignore[no-any-return]


def checked_pair(first: tuple[str, Any], second: tuple[str, Any]) -> tuple[Array, Array]:
    """Two matrices with equally many neurons and points, in one arithmetic; their batch axes broadcast.

    Raises
    ------
    TypeError, ValueError
        As for `checked_matrix`; the shapes do not fit, or one is exact and the other not.
    """
    left, right = checked_matrix(*first), checked_matrix(*second)
    if left.shape[-2:] != right.shape[-2:]:
        raise ValueError(f"{first[0]} and {second[0]} must have equal shapes (w, N), got {left.shape} and {right.shape}")
    check_together(first[0], left, second[0], right)
    return left, right


def check_together(name: str, left: Array, other: str, right: Array) -> None:
    """One arithmetic, and batch axes that broadcast; see `checked_pair`."""
    if is_exact(left) != is_exact(right):
        raise ValueError(f"{name} and {other} must both hold floats or both hold exact numbers, got one of each")
    check_batches(**{name: left.shape[:-2], other: right.shape[:-2]})


def factor(name: str, value: Any, *matrices: Array) -> Array:
    """A number, or one for each instance, as a factor of `matrices`, shape ``(..., 1, 1)``.

    Raises
    ------
    TypeError, ValueError
        As for `number_like`; the batch axes do not broadcast.
    """
    number = number_like(name, value, matrices[0])
    check_batches(**{name: number.shape, "the matrices": np.broadcast_shapes(*(matrix.shape[:-2] for matrix in matrices))})
    return number[..., None, None]


def rectified(activations: Array) -> Array:
    r""":math:`\bar\sigma(A)`: ReLU of every entry, shape unchanged."""
    if is_exact(activations):
        return where_positive(activations, activations)
    positive: Array = array_module(activations).maximum(activations, 0)
    return positive


def active(activations: Array) -> Array:
    r""":math:`\dot\sigma(A)`: derivative of the ReLU at every entry: 1 where it is positive, else 0."""
    if is_exact(activations):
        return where_positive(activations, activations * 0 + 1)
    mask: Array = (activations > 0).astype(activations.dtype)
    return mask


def feature_matrix(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`\sigma(A)`, ``(..., w, N) -> (..., w + 1, N)``; without bias :math:`\bar\sigma(A)`, shape unchanged."""
    features = rectified(activations)
    if not bias:
        return features
    ones = zeros((*features.shape[:-2], 1, features.shape[-1]), features) + 1
    if not is_exact(features):
        ones = ones.astype(features.dtype)
    joined: Array = array_module(features).concatenate([features, ones], axis=-2)
    return joined


def activation_kernel(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`K = \sigma(A)^T\sigma(A)`, ``(..., w, N) -> (..., N, N)``; without bias :math:`\bar K = K - 1`."""
    features = rectified(activations)
    kernel: Array = features.swapaxes(-1, -2) @ features
    return kernel + 1 if bias else kernel


def squared_norm(matrix: Array) -> Array:
    """Squared Frobenius norm, ``(..., w, N) -> (...)``."""
    return as_array((matrix * matrix).sum(axis=(-2, -1)))


def inner(left: Array, right: Array) -> Array:
    r""":math:`\mathrm{Tr}[MP^T]`, ``(..., w, N), (..., w, N) -> (...)``."""
    return as_array((left * right).sum(axis=(-2, -1)))
