r"""Activations of a leaky ResNet at one position p, checked, and what is made of them, unchecked: see `features`."""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.networks._arrays import as_array, check_batches, number_like, zeros
from verify.numbers.arguments import real_array, real_arrays
from verify.numbers.arithmetic import Array, array_module, is_exact, where_positive


def checked_matrix(name: str, values: Any, exact: bool | None = None) -> Array:
    """`values` as floats or exact entries, shape ``(..., w, N)`` with w and N at least 1; integers are exact if so asked.

    Raises
    ------
    TypeError
        `values` is no array.
    ValueError
        It has another shape, or an entry that is no finite real number.
    """
    return shaped(name, real_array(name, values, exact))


def shaped(name: str, array: Array) -> Array:
    """`array`, where it has the shape ``(..., w, N)`` with w and N at least 1; else `ValueError`."""
    if array.ndim < 2 or 0 in array.shape[-2:]:
        raise ValueError(f"{name} must have the shape (..., neurons, points) with one of each at least, got {array.shape}")
    return array


def checked_pair(first: tuple[str, Any], second: tuple[str, Any]) -> tuple[Array, Array]:
    """Two matrices with equally many neurons and points, in one arithmetic; their batch axes broadcast.

    Raises
    ------
    TypeError, ValueError
        As for `checked_matrix`; the shapes do not fit, or one is exact and the other not.
    """
    arrays = real_arrays([first, second])
    first_matrix, second_matrix = shaped(first[0], arrays[0]), shaped(second[0], arrays[1])
    if first_matrix.shape[-2:] != second_matrix.shape[-2:]:
        raise ValueError(
            f"{first[0]} and {second[0]} must have equal shapes (w, N), got {first_matrix.shape} and {second_matrix.shape}"
        )
    check_batches(**{first[0]: first_matrix.shape[:-2], second[0]: second_matrix.shape[:-2]})
    return first_matrix, second_matrix


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
