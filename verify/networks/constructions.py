"""Networks with a given function: of a matrix, and of the maximum or minimum of affine functions."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np

from verify.arithmetic import Array, array_module, is_exact, power, rationals
from verify.matrices import polar_factor, psd_power, rank
from verify.networks._arrays import apply_to_vector, nonzero, product, zeros
from verify.networks.activations import HomogeneousActivation, Slope, identity, relu
from verify.networks.fully_connected import FullyConnected


def from_matrix(matrix: Array, depth: int, activation: HomogeneousActivation | None = None) -> FullyConnected:
    r"""Balanced factors of a matrix, shape ``(*batch, m, n)``: :math:`W_\ell = Q_\ell S^{1/L} Q_{\ell-1}^T` for the singular
    value decomposition :math:`A = Q_L S Q_0^T`, without biases.

    The squared norm is ``L * sum(s ** (2 / L))`` over the non-zero singular values: no linear network of this depth with
    this product has a smaller one. With the activation `identity`, the default, the function is ``x -> A x``; with another
    one (of slope 1 for ``t >= 0``) it is so where the hidden values are not negative.

    Floats: the hidden widths are the rank (of a batch, the largest), and :math:`Q_\ell = I` between the ends. Rationals: the
    hidden widths are ``min(m, n)``, :math:`Q_\ell` between the ends is that of the shorter side of the matrix, and the
    factors hold balls where they are not rational.

    Raises
    ------
    ValueError
        `depth` is below 1; the matrix has no rows or columns, or an entry that is not finite.
    RankUndecided
        The rank of a float matrix is undecided: see `verify.matrices.rank`.

    Source: notion_of_rank (linear networks); bottleneck_structure, Section 3.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}: a network has an output layer")
    activation = identity() if activation is None else activation
    ranks = rank(matrix)
    if depth == 1:
        return FullyConnected([matrix], activation=activation)
    if is_exact(matrix):
        return FullyConnected(_exact_factors(matrix, depth), activation=activation)
    xp = array_module(matrix)
    left, values, right = xp.linalg.svd(matrix, full_matrices=False)
    width = int(ranks.max(initial=0))
    roots = power(values * (xp.arange(values.shape[-1]) < ranks[..., None]), Fraction(1, depth))[..., :width]
    entry, middle = roots[..., :, None] * right[..., :width, :], roots[..., :, None] * xp.eye(width)
    return FullyConnected([entry, *[middle] * (depth - 2), left[..., :, :width] * roots[..., None, :]], activation=activation)


def _exact_factors(matrix: Array, depth: int) -> list[Array]:
    transpose, isometry = matrix.swapaxes(-1, -2), polar_factor(matrix)
    rows, columns = matrix.shape[-2:]
    root = psd_power(matrix @ transpose if rows <= columns else transpose @ matrix, Fraction(1, 2 * depth))
    if rows <= columns:
        return [root @ isometry, *[root] * (depth - 1)]
    return [*[root] * (depth - 1), isometry @ root]


def from_affine_pieces(
    matrix: Array, offsets: Array, kind: Literal["max", "min"], activation: HomogeneousActivation | None = None
) -> FullyConnected:
    r"""Network of one output for ``x -> max_i (A_i x + c_i)``, or the minimum, shapes ``(*batch, k, d)`` and ``(*batch, k)``.

    Depth ``ceil(log2 k) + 1``: each layer takes the larger of pairs, ``max(u, v) = v + max(u - v, 0)``. For the slopes
    p and q of the activation (`relu` unless given),

    .. math:: \max(t, 0) = \frac{p\,\sigma(t) + q\,\sigma(-t)}{p^2 - q^2}, \qquad t = \frac{\sigma(t) - \sigma(-t)}{p + q} .

    Raises
    ------
    ValueError
        No pieces, as many offsets as pieces are not given, another `kind`, or ``p^2 = q^2``.

    Source: notion_of_rank, conventions and Theorem 1 (every finite piecewise linear function is a network).
    """
    if kind not in ("max", "min"):
        raise ValueError(f"kind must be 'max' or 'min', got {kind!r}")
    if matrix.ndim < 2 or matrix.shape[-2] == 0 or offsets.shape[-1:] != matrix.shape[-2:-1]:
        raise ValueError(
            "matrix and offsets must have shapes (*batch, k, d) and (*batch, k) with k >= 1, "
            f"got {matrix.shape} and {offsets.shape}"
        )
    activation = relu() if activation is None else activation
    positive, negative = (_like(slope, matrix) for slope in (activation.positive, activation.negative))
    difference = array_module(matrix).asarray(positive * positive - negative * negative)
    if not nonzero(difference).all():
        raise ValueError(f"the slopes must differ in absolute value, got {activation.positive} and {activation.negative}")
    passing, rectifying = 1 / (positive + negative), (positive / difference, negative / difference)
    sign = 1 if kind == "max" else -1
    weights, biases = [sign * matrix], [sign * offsets]
    while (count := weights[-1].shape[-2]) > 1:
        neurons = zeros((2 * count, count), matrix)
        recovery = zeros((*activation.batch_shape, (count + 1) // 2, 2 * count), matrix)
        for k in range(count):
            # the last of an odd number passes on its own; of a pair, v passes and u - v is rectified
            paired = k % 2 == 0 and k + 1 < count
            neurons[2 * k, k], neurons[2 * k + 1, k] = 1, -1
            if paired:
                neurons[2 * k, k + 1], neurons[2 * k + 1, k + 1] = -1, 1
            first, second = rectifying if paired else (passing, -passing)
            recovery[..., k // 2, 2 * k], recovery[..., k // 2, 2 * k + 1] = first, second
        weights[-1], biases[-1] = product(neurons, weights[-1]), apply_to_vector(neurons, biases[-1])
        weights.append(recovery)
        biases.append(zeros(recovery.shape[-2:-1], matrix))
    weights[-1], biases[-1] = sign * weights[-1], sign * biases[-1]
    return FullyConnected(weights, biases, activation).prune()


def _like(slope: Slope, matrix: Array) -> Array:
    return rationals(slope) if is_exact(matrix) else array_module(matrix).asarray(slope, dtype=np.float64)
