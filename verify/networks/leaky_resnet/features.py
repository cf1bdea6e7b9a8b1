r"""Features of a leaky ResNet: the ReLU of its activations and a row of ones, their kernel, norms and inner products.

Activations at one position p are arrays of shape ``(..., w, N)``, neurons by points. :math:`\bar\sigma` is the ReLU and
:math:`\sigma(A)` the ReLU of A with a row of ones below it, which stands for the bias. ``bias=False`` leaves that row out
everywhere. Each raises `ValueError` for entries that are not finite real numbers and for other shapes, and `TypeError` for what
is no array.

Source: leaky_resnets, Sections 1.1 and 1.3.
"""

from __future__ import annotations

from verify.networks.leaky_resnet import _features
from verify.networks.leaky_resnet._features import checked_matrix, checked_pair
from verify.numbers.arguments import flag
from verify.numbers.arithmetic import Array


def rectified(activations: Array) -> Array:
    r""":math:`\bar\sigma(A)`: ReLU of every entry, shape unchanged.

    Examples
    --------
    >>> print(rectified(rationals([[1, -2], [-3, 4]])))
    [[1 0]
     [0 4]]
    """
    return _features.rectified(checked_matrix("activations", activations))


def active(activations: Array) -> Array:
    r""":math:`\dot\sigma(A)`: derivative of the ReLU at every entry: 1 where it is positive, else 0.

    Examples
    --------
    >>> print(active(rationals([[1, -2], [0, 4]])))
    [[1 0]
     [0 1]]
    """
    return _features.active(checked_matrix("activations", activations))


def feature_matrix(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`\sigma(A)`, ``(..., w, N) -> (..., w + 1, N)``; without bias :math:`\bar\sigma(A)`, shape unchanged.

    Examples
    --------
    >>> print(feature_matrix(rationals([[1, -2], [-3, 4]])))
    [[1 0]
     [0 4]
     [1 1]]
    """
    return _features.feature_matrix(checked_matrix("activations", activations), bias=flag("bias", bias))


def activation_kernel(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`K = \sigma(A)^T\sigma(A)`, ``(..., w, N) -> (..., N, N)``; without bias :math:`\bar K = K - 1`.

    Examples
    --------
    >>> print(activation_kernel(rationals([[1, -2], [-3, 4]])))
    [[2 1]
     [1 17]]
    >>> print(activation_kernel(rationals([[1, -2], [-3, 4]]), bias=False))
    [[1 0]
     [0 16]]
    """
    return _features.activation_kernel(checked_matrix("activations", activations), bias=flag("bias", bias))


def squared_norm(matrix: Array) -> Array:
    """Squared Frobenius norm, ``(..., w, N) -> (...)``.

    Examples
    --------
    >>> squared_norm(rationals([[1, 2], [2, 4]]))
    array(25, dtype=object)
    """
    return _features.squared_norm(checked_matrix("matrix", matrix))


def inner(left: Array, right: Array) -> Array:
    r""":math:`\mathrm{Tr}[MP^T]`, ``(..., w, N), (..., w, N) -> (...)``.

    Examples
    --------
    >>> inner(rationals([[1, 2], [3, 4]]), rationals([[1, 0], [0, 1]]))
    array(5, dtype=object)
    """
    return _features.inner(*checked_pair(("left", left), ("right", right)))
