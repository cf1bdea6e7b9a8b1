"""Diagonal linear networks, their cheapest layers, and the quasi-norm of a vector that they cost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from verify.networks import FullyConnected, identity
from verify.numbers.arithmetic import Array, absolute, compare, power
from verify.numbers.parameters import widened


@widened
def quasi_norm(vector: Array, exponent: Fraction) -> Array:
    r""":math:`\|v\|_p^p = \sum_i |v_i|^p`, shape ``(..., d) -> (...)``; zeros count nothing."""
    # of the square, so that absolute values stay rational
    return np.asarray(power(vector * vector, exponent / 2).sum(axis=-1))


@widened
def balanced_layers(vector: Array, depth: int) -> Array:
    r"""The cheapest layers, shape ``(..., d) -> (..., L, d)``: :math:`|v_i|^{1/L}`, in the first one with the sign of v.

    Raises
    ------
    ValueError
        `depth` is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    roots = power(absolute(vector), Fraction(1, depth))
    first = np.where(compare(vector, 0) < 0, -roots, roots)
    return np.stack([first, *[roots] * (depth - 1)], axis=-2)


@widened
def diagonal_network(factors: Array) -> FullyConnected:
    """The linear network with these diagonals and a readout of ones: depth L + 1, of which the last layer is not counted."""
    depth, width = factors.shape[-2:]
    unit = np.eye(width, dtype=int)
    weights = [factors[..., layer, :, None] * unit for layer in range(depth)]
    return FullyConnected([*weights, 0 * factors[..., :1, :] + 1], activation=identity())


@widened
def tied_vectors(vector: Array, depth: int) -> tuple[Array, Array]:
    r"""Vectors with :math:`u_+^L - u_-^L = v` of the squared norm :math:`\sum_i|v_i|^{2/L}`, shape ``(..., d)``.

    Raises
    ------
    ValueError
        `depth` is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    roots = power(absolute(vector), Fraction(1, depth))
    order = compare(vector, 0)
    return np.where(order > 0, roots, 0 * roots), np.where(order < 0, roots, 0 * roots)
