r"""The norm in which a leaky ResNet measures activations, and the cost of the identity.

:math:`\|M\|_K^2 = \mathrm{Tr}[MK^+M^T]` for the kernel :math:`K = \sigma(A)^T\sigma(A)` is the squared Frobenius norm of the
smallest W with :math:`W\sigma(A) = M`, and **infinite where there is none**, that is where :math:`\mathrm{Im}M^T` is not
contained in :math:`\mathrm{Im}K`. That is decided by ranks: exactly on rationals, by a relative gap in floats (see
`verify.matrices.rank`). An exact infinity is the ball ``arb.pos_inf()``.

Source: leaky_resnets, Sections 1.3 and 1.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb

from verify.matrices import pseudo_inverse, rank, solve
from verify.networks._arrays import as_array, check_batches, eye
from verify.networks.leaky_resnet._features import (
    activation_kernel,
    checked_matrix,
    checked_pair,
    factor,
    feature_matrix,
    inner,
    shaped,
    squared_norm,
)
from verify.numbers.arguments import flag, real_arrays
from verify.numbers.arithmetic import Array, array_module, ball, compare, is_exact


def is_in_row_space(matrix: Array, features: Array) -> Array:
    r"""Whether :math:`\mathrm{Im}M^T \subset \mathrm{Im}F^T`, ``(..., w, N), (..., k, N) -> (...)``, booleans.

    Raises
    ------
    RankUndecided
        In floats, a singular value lies in the gap between zero and non-zero.
    ValueError
        The numbers of columns differ; entries that are not finite real numbers.

    Examples
    --------
    >>> print(is_in_row_space(rationals([[3, 3]]), rationals([[2, 2]])))
    True
    >>> print(is_in_row_space(rationals([[3, 0]]), rationals([[2, 2]])))
    False
    """
    matrix, features = _with_equal_columns(matrix, "features", features)
    return _contained(matrix, features, pseudo_inverse(features) if is_exact(features) else features)


def kernel_norm_squared(matrix: Array, kernel: Array) -> Array:
    r""":math:`\|M\|_K^2 = \mathrm{Tr}[M K^+ M^T]`, ``(..., w, N), (..., N, N) -> (...)``; infinite if M is not in the image.

    The image is decided at the kernel, whose condition is the square of that of the features it comes from: in floats what
    features have below 1e-8 of their largest singular value counts as zero here. Take `feature_norm_squared` for features.

    Raises
    ------
    RankUndecided
        In floats, an eigenvalue lies in the gap between zero and non-zero.
    ValueError
        The kernel is not square or has not N columns; entries that are not finite real numbers.

    Source: leaky_resnets, Section 1.3.

    Examples
    --------
    >>> kernel = rationals([[1, 2], [2, 4]])
    >>> print(kernel_norm_squared(rationals([[3, 6]]), kernel))
    9
    >>> print(kernel_norm_squared(rationals([[3, 0]]), kernel))
    [+/- inf]
    """
    matrix, kernel = _with_equal_columns(matrix, "kernel", kernel)
    _check_square(kernel)
    inverse = pseudo_inverse(kernel)
    return _or_infinite(_contained(matrix, kernel, inverse), inner(matrix @ inverse, matrix))


def kernel_inverse(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`K^+` for the kernel of activations, ``(..., w, N) -> (..., N, N)``; without bias :math:`\bar K^+`.

    In floats it comes from the features: eigenvalues of a kernel below its rounding errors are singular values of the features
    below the roots of these, 1e-8, which the features still show.

    Raises
    ------
    RankUndecided
        In floats, a singular value of the features lies in the gap between zero and non-zero.
    ValueError
        Another shape; entries that are not finite real numbers.

    Source: leaky_resnets, Section 1.3.

    Examples
    --------
    >>> print(kernel_inverse(rationals([[1, -1], [0, 2]]), bias=False))
    [[1 0]
     [0 1/4]]
    """
    bias, activations = flag("bias", bias), checked_matrix("activations", activations)
    if is_exact(activations):
        return pseudo_inverse(activation_kernel(activations, bias=bias))
    inverse = pseudo_inverse(feature_matrix(activations, bias=bias))
    product: Array = inverse @ inverse.swapaxes(-1, -2)
    return product


def stable_kernel_norm_squared(matrix: Array, kernel: Array, gamma: Any) -> Array:
    r""":math:`\mathrm{Tr}[M (K + \gamma I)^{-1} M^T]`, ``(..., w, N), (..., N, N) -> (...)``; always finite.

    `gamma` is positive: a number, or one for each instance of the batch.

    Raises
    ------
    ValueError
        gamma is not positive; the kernel is not square or has not N columns; entries that are not finite real numbers.

    Source: leaky_resnets, Section 2.1 and Appendix B.

    Examples
    --------
    >>> stable_kernel_norm_squared(rationals([[3]]), rationals([[4]]), 5)
    array(1, dtype=object)
    """
    matrix, kernel = _with_equal_columns(matrix, "kernel", kernel)
    _check_square(kernel)
    shift = factor("gamma", gamma, kernel, matrix)
    if not (compare(shift, 0) == 1 if is_exact(shift) else shift > 0).all():
        raise ValueError(f"gamma must be positive, got {gamma!r}")
    stable = kernel + shift * eye(kernel.shape[-1], kernel)
    return inner(solve(stable, matrix.swapaxes(-1, -2)).swapaxes(-1, -2), matrix)


def smallest_weights(target: Array, features: Array) -> Array:
    r""":math:`MF^+`, ``(..., w, N), (..., k, N) -> (..., w, k)``: of the W for which WF is nearest to M, the smallest.

    Raises
    ------
    RankUndecided
        In floats, the rank of the features is undecided.
    ValueError
        The numbers of columns differ; entries that are not finite real numbers.

    Examples
    --------
    >>> print(smallest_weights(rationals([[2, 4]]), rationals([[1, 2], [1, 2]])))
    [[1 1]]
    """
    target, features = _with_equal_columns(target, "features", features, "target")
    weights: Array = target @ pseudo_inverse(features)
    return weights


def feature_norm_squared(matrix: Array, features: Array) -> Array:
    r"""Squared norm of the smallest W with WF = M, ``(..., w, N), (..., k, N) -> (...)``; infinite if there is none.

    With :math:`F = \sigma(A)` it is :math:`\|M\|_K^2`.

    Raises
    ------
    RankUndecided
        In floats, a singular value lies in the gap between zero and non-zero.
    ValueError
        The numbers of columns differ; entries that are not finite real numbers.

    Source: leaky_resnets, Section 1.3.

    Examples
    --------
    >>> print(feature_norm_squared(rationals([[2, 4]]), rationals([[1, 2], [1, 2]])))
    2
    >>> print(feature_norm_squared(rationals([[2, 0]]), rationals([[1, 2], [1, 2]])))
    [+/- inf]
    """
    matrix, features = _with_equal_columns(matrix, "features", features)
    inverse = pseudo_inverse(features)
    return _or_infinite(_contained(matrix, features, inverse), squared_norm(matrix @ inverse))


def weights_from_activations(activations: Array, derivative: Array, leak: Any, *, bias: bool = True) -> Array:
    r""":math:`W = (LA + \partial_pA)\sigma(A)^+`, ``(..., w, N) -> (..., w, w + 1)`` (``(..., w, w)`` without bias).

    The smallest weights that move the activations so, if any do: see `feature_norm_squared`. For a discrete network the
    derivative is :math:`(A_\ell - A_{\ell-1})/\rho_\ell` and the activations are :math:`A_{\ell-1}`.

    Raises
    ------
    RankUndecided
        In floats, the rank of the features is undecided.
    ValueError
        The shapes differ; entries that are not finite real numbers; mixed arithmetics.

    Source: leaky_resnets, Section 1.3.

    Examples
    --------
    >>> print(weights_from_activations(rationals([[1, 2]]), rationals([[10, 20]]), leak=3, bias=False))
    [[13]]
    """
    bias = flag("bias", bias)
    activations, derivative = checked_pair(("activations", activations), ("derivative", derivative))
    rate = factor("leak", leak, activations, derivative)
    return smallest_weights(rate * activations + derivative, feature_matrix(activations, bias=bias))


def cost_of_identity(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`\|A\|_K^2`, ``(..., w, N) -> (...)``: squared norm of the smallest W with :math:`W\sigma(A) = A`, or infinite.

    Without bias the kernel is :math:`\bar K`; then it is the rank of A for every :math:`A \ge 0`.

    Raises
    ------
    RankUndecided
        In floats, a singular value lies in the gap between zero and non-zero.
    ValueError
        Another shape; entries that are not finite real numbers.

    Source: leaky_resnets, Section 1.3 (which prints the norm for its square).

    Examples
    --------
    >>> A = rationals([[1, 0], [0, 1]])
    >>> cost_of_identity(A, bias=False)
    array(2, dtype=object)
    >>> cost_of_identity(A)
    array(4/3, dtype=object)
    >>> cost_of_identity(rationals([[1, -1]]), bias=False)
    array([+/- inf], dtype=object)
    """
    bias, activations = flag("bias", bias), checked_matrix("activations", activations)
    return feature_norm_squared(activations, feature_matrix(activations, bias=bias))


def stable_cost_of_identity(activations: Array, gamma: Any, *, bias: bool = True) -> Array:
    r""":math:`\mathrm{Tr}[A(K + \gamma I)^{-1}A^T]`, ``(..., w, N) -> (...)``; always finite, see `stable_kernel_norm_squared`.

    Raises
    ------
    ValueError
        gamma is not positive; another shape; entries that are not finite real numbers.

    Source: leaky_resnets, Section 2.1.

    Examples
    --------
    >>> A = rationals([[1, 2]])
    >>> print(*(stable_cost_of_identity(A, gamma, bias=False) for gamma in (5, Q(1, 100))), cost_of_identity(A, bias=False))
    1/2 500/501 1
    """
    bias, activations = flag("bias", bias), checked_matrix("activations", activations)
    return stable_kernel_norm_squared(activations, activation_kernel(activations, bias=bias), gamma)


def _with_equal_columns(first: Any, second_name: str, second: Any, first_name: str = "matrix") -> tuple[Array, Array]:
    first_matrix, second_matrix = (
        shaped(*pair)
        for pair in zip((first_name, second_name), real_arrays([(first_name, first), (second_name, second)]), strict=True)
    )
    if first_matrix.shape[-1] != second_matrix.shape[-1]:
        raise ValueError(
            f"{first_name} and {second_name} must have equally many columns, "
            f"got {first_matrix.shape[-1]} and {second_matrix.shape[-1]}"
        )
    check_batches(**{first_name: first_matrix.shape[:-2], second_name: second_matrix.shape[:-2]})
    return first_matrix, second_matrix


def _check_square(kernel: Array) -> None:
    if kernel.shape[-1] != kernel.shape[-2]:
        raise ValueError(f"kernel must be square, got the shape {kernel.shape}")


def _contained(matrix: Array, features: Array, inverse: Array) -> Array:
    """See `is_in_row_space`; the pseudo-inverse decides for rationals."""
    if is_exact(matrix):
        return np.asarray((compare((matrix @ inverse) @ features, matrix) == 0).all(axis=(-2, -1)))
    xp = array_module(matrix)
    batch = np.broadcast_shapes(matrix.shape[:-2], features.shape[:-2])
    # of equal size, so that a small matrix is not taken for a rounding error of the features
    parts = [xp.broadcast_to(_normalised(part), batch + part.shape[-2:]) for part in (features, matrix)]
    return as_array(rank(xp.concatenate(parts, axis=-2)) == rank(features))


def _normalised(matrix: Array) -> Array:
    xp = array_module(matrix)
    largest = xp.abs(matrix).max(axis=(-2, -1), keepdims=True)
    scaled: Array = matrix / xp.where(largest == 0, xp.ones_like(largest), largest)
    return scaled


def _or_infinite(finite: Array, values: Array) -> Array:
    if is_exact(values):
        return as_array(np.where(finite, values, as_array(ball(arb.pos_inf()))))
    xp = array_module(values)
    return as_array(xp.where(finite, values, xp.asarray(np.inf, dtype=values.dtype)))
