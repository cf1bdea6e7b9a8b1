"""Networks with a given function: of a matrix, and of maxima and minima of affine functions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from verify.matrices import polar_factor, psd_power, rank
from verify.networks._arrays import nonzero, zeros
from verify.networks.activations import HomogeneousActivation, Slope, identity, relu
from verify.networks.arguments import check_arithmetic, checked_activation
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arguments import choice, integers, listed, real_array, real_arrays
from verify.numbers.arithmetic import LARGEST_COUNT, Array, array_module, integer, is_exact, power, rationals


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

    Examples
    --------
    >>> network = from_matrix(rationals([[4, 0], [0, 1]]), depth=2)
    >>> print(network.weights[0])
    [[2 0]
     [0 1]]
    >>> print(network(rationals([1, 1])), network.weight_norm_squared)
    [4 1] 10
    """
    depth = integer("depth", depth, 1, ": a network has an output layer", most=LARGEST_COUNT)
    activation = checked_activation(identity() if activation is None else activation)
    matrix = real_array("matrix", matrix)
    ranks = rank(matrix)
    if depth == 1:
        return FullyConnected([matrix], activation=activation)
    if is_exact(matrix):
        return FullyConnected(_exact_factors(matrix, depth), activation=activation)
    xp = array_module(matrix)
    left, values, right = xp.linalg.svd(matrix, full_matrices=False)
    width = int(ranks.max()) if ranks.size else 0
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

    Depth ``ceil(log2 k) + 1``: `from_lattice` with k groups of one piece, or with one group of k.

    Raises
    ------
    ValueError
        No pieces, as many offsets as pieces are not given, another `kind`, or slopes of equal absolute value.

    Source: notion_of_rank, conventions and Theorem 1 (every finite piecewise linear function is a network).

    Examples
    --------
    >>> tent = from_affine_pieces(rationals([[1], [-1]]), rationals([0, 2]), "min")
    >>> print(tent(rationals([[0], [1], [2]])))
    [[0]
     [1]
     [0]]
    """
    choice("kind", kind, ("max", "min"))
    matrix, offsets = _checked_pieces(matrix, offsets)
    indices = range(matrix.shape[-2])
    return from_lattice(matrix, offsets, [[[i] for i in indices] if kind == "max" else [indices]], activation)


def from_lattice(
    matrix: Array,
    offsets: Array,
    outputs: Sequence[Sequence[Sequence[int]]],
    activation: HomogeneousActivation | None = None,
) -> FullyConnected:
    r"""Network whose outputs are ``x -> max_{g} min_{i in g} (A_i x + c_i)``, shapes ``(*batch, k, d)`` and ``(*batch, k)``.

    ``outputs[j]`` is the list of the groups g of output j, each a list of indices of pieces; pieces may occur in many groups.
    Depth ``ceil(log2 m) + ceil(log2 n) + 1`` for the largest group of m pieces and the longest list of n groups: each layer
    takes the smaller, then the larger, of pairs, ``max(u, v) = v + max(u - v, 0)``. For the slopes p and q of the activation
    (`relu` unless given),

    .. math:: \max(t, 0) = \frac{p\,\sigma(t) + q\,\sigma(-t)}{p^2 - q^2}, \qquad t = \frac{\sigma(t) - \sigma(-t)}{p + q} .

    With ReLU, one output, and a power of two :math:`2^r \ge 2` of pieces, all in one group or each in its own, the squared
    norm is that of the first layer, :math:`\sum_{i\ \text{even}} \|a_i - a_{i+1}\|^2 + 2\|a_{i+1}\|^2` with
    :math:`a_i = (A_i, c_i)` and i = 0, 1, ..., plus :math:`6 \cdot 2^r - 9`.

    Raises
    ------
    ValueError
        No pieces, outputs or groups, as many offsets as pieces are not given, an index that is none, or slopes of equal
        absolute value.

    Source: notion_of_rank, conventions and Theorem 1; every continuous piecewise linear function on a convex set has this form
    (Tarela and Martinez 1999; Ovchinnikov 2002).

    Examples
    --------
    >>> absolute = from_lattice(rationals([[1], [-1]]), rationals([0, 0]), [[[0], [1]]])
    >>> print(absolute(rationals([[-3], [2]])))
    [[3]
     [2]]
    """
    matrix, offsets = _checked_pieces(matrix, offsets)
    groups_of = _checked_groups(outputs, matrix.shape[-2])
    activation = checked_activation(relu() if activation is None else activation)
    check_arithmetic(matrix, activation)
    positive, negative = (_like(slope, matrix) for slope in (activation.positive, activation.negative))
    difference = array_module(matrix).asarray(positive * positive - negative * negative)
    if not nonzero(difference).all():
        raise ValueError(f"the slopes must differ in absolute value, got {activation.positive} and {activation.negative}")
    xp = array_module(matrix)  # the quotients of 0-dimensional object arrays are no arrays
    passing, on_plus, on_minus = (
        xp.asarray(coefficient)[..., None]
        for coefficient in (1 / (positive + negative), positive / difference, negative / difference)
    )
    chosen = [i for groups in groups_of for group in groups for i in group]
    weights, biases = [matrix[..., chosen, :]], [offsets[..., chosen]]
    minima = ([len(group) for groups in groups_of for group in groups], -1)
    maxima = ([len(groups) for groups in groups_of], 1)
    for sizes, sign in (minima, maxima):
        while max(sizes) > 1:
            leads, paired, sizes = _pairs(sizes)
            count, firsts = weights[-1].shape[-2], leads[paired]
            weights[-1] = _compared(weights[-1], firsts, sign)
            biases[-1] = _compared(biases[-1][..., None], firsts, sign)[..., 0]
            # neurons 2k and 2k + 1 hold signal k and its negative: the difference, to be rectified, for the first of a pair
            # (k, k + 1); the value itself, to be passed on, for the second and for a single one
            recovery = zeros((*activation.batch_shape, len(leads), 2 * count), matrix)
            rows, passed = np.flatnonzero(paired), leads + paired
            recovery[..., rows, 2 * firsts], recovery[..., rows, 2 * firsts + 1] = sign * on_plus, sign * on_minus
            rows = np.arange(len(leads))
            recovery[..., rows, 2 * passed], recovery[..., rows, 2 * passed + 1] = passing, -passing
            weights.append(recovery)
            biases.append(zeros(recovery.shape[-2:-1], matrix))
    return FullyConnected(weights, biases, activation).prune()


def _pairs(sizes: Sequence[int]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_], list[int]]:
    """Of consecutive blocks of these sizes: the firsts of pairs and the lasts of odd blocks, which are in pairs, new sizes."""
    halves = [(size + 1) // 2 for size in sizes]
    starts = np.cumsum([0, *sizes[:-1]])
    leads = [start + 2 * k for start, half in zip(starts, halves, strict=True) for k in range(half)]
    paired = [2 * k + 1 < size for size, half in zip(sizes, halves, strict=True) for k in range(half)]
    return np.array(leads, dtype=np.intp), np.array(paired, dtype=np.bool_), halves


def _compared(rows: Array, firsts: npt.NDArray[np.intp], sign: int) -> Array:
    """Rows s and -s in turn: s is the difference of a pair for its first, times `sign`, and the row itself for all others."""
    signals = rows.copy()
    signals[..., firsts, :] = sign * (rows[..., firsts, :] - rows[..., firsts + 1, :])
    signed: Array = array_module(rows).stack([signals, -signals], axis=-2)
    return signed.reshape(*rows.shape[:-2], 2 * rows.shape[-2], rows.shape[-1])


def _checked_pieces(matrix: Any, offsets: Any) -> tuple[Array, Array]:
    slopes, constants = real_arrays([("matrix", matrix), ("offsets", offsets)])
    if slopes.ndim < 2 or slopes.shape[-2] == 0 or constants.shape[-1:] != slopes.shape[-2:-1]:
        raise ValueError(
            "matrix and offsets must have shapes (*batch, k, d) and (*batch, k) with k >= 1, "
            f"got {slopes.shape} and {constants.shape}"
        )
    return slopes, constants


def _checked_groups(outputs: Any, count: int) -> list[list[tuple[int, ...]]]:
    result = [
        [integers(f"outputs[{j}][{k}]", group) for k, group in enumerate(listed(f"outputs[{j}]", groups))]
        for j, groups in enumerate(listed("outputs", outputs))
    ]
    if not result or not all(result):
        raise ValueError(f"outputs must be at least one list of at least one group of pieces, got {outputs!r}")
    for group in (group for groups in result for group in groups):
        if len(group) == 0 or not all(0 <= i < count for i in group):
            raise ValueError(f"a group of outputs must hold indices of the {count} pieces, 0 to {count - 1}, got {list(group)}")
    return result


def _like(slope: Slope, matrix: Array) -> Array:
    return rationals(slope) if is_exact(matrix) else array_module(matrix).asarray(slope, dtype=np.float64)
