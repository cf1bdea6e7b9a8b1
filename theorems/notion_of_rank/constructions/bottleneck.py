"""The network of Theorem 1: g, a shift and scales, identity layers as wide as the bottleneck, h."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares
from verify.arithmetic import Array, rationals, widened
from verify.networks import FullyConnected, HomogeneousActivation, through_bottleneck

Parts: TypeAlias = tuple[FullyConnected, FullyConnected]
"""The networks of g and h, with the same activation."""


@widened
def joint(parts: Parts, shift: Array) -> tuple[Array, Array, Array]:
    r"""What the shift and the scales act on: :math:`\|W^g_{i\cdot}\|^2 + (b^g_i + s_i)^2`, :math:`\|W^h_{\cdot i}\|^2` for each
    neuron of the bottleneck, and :math:`\|b^h - W^h s\|^2`.
    """
    inner, outer = parts
    entry = outer.weights[0]
    rows = squares(inner.weights[-1]) + (inner.biases[-1] + shift) ** 2
    moved = outer.biases[0] - (entry * shift[..., None, :]).sum(axis=-1)
    return rows, squares(entry, axis=-2), squares(moved)


def norm_of_other_layers(parts: Parts) -> Array:
    """Squared norm of all layers of g but the last and of h but the first."""
    inner, outer = parts
    total = sum(squares(w, (-2, -1)) + squares(b) for w, b in zip(inner.weights[:-1], inner.biases[:-1], strict=True))
    rest = sum(squares(w, (-2, -1)) + squares(b) for w, b in zip(outer.weights[1:], outer.biases[1:], strict=True))
    return np.asarray(total + rest)


@widened
def norm_of_the_construction(parts: Parts, shift: Array, scale: Array, identities: int) -> Array:
    """N(L; s, c) for the depth ``L_g + L_h + identities``."""
    rows, columns, moved = joint(parts, shift)
    across = (scale**2 * rows).sum(axis=-1) + (columns / scale**2).sum(axis=-1)
    return np.asarray(norm_of_other_layers(parts) + across + moved + identities * shift.shape[-1])


@widened
def constructed(parts: Parts, identities: int, shift: Array | None = None, scale: Array | None = None) -> FullyConnected:
    """The network of the theorem with so many identity layers."""
    return through_bottleneck(*parts, sum(part.depth for part in parts) + identities, shift, scale)


@widened
def with_common_slope(inner: FullyConnected, outer: FullyConnected, slope: Array) -> Parts:
    """The two networks, with this slope for negative arguments."""
    activation = HomogeneousActivation(1, slope)
    return (
        FullyConnected(inner.weights, inner.biases, activation),
        FullyConnected(outer.weights, outer.biases, activation),
    )


def identity_chain(dimension: int, depth: int) -> FullyConnected:
    """ReLU network of `depth` identity matrices: the identity where no input is negative, squared norm ``dimension * depth``.

    Raises
    ------
    ValueError
        `depth` or `dimension` is below 1.
    """
    if dimension < 1 or depth < 1:
        raise ValueError(f"dimension and depth must be at least 1, got {dimension} and {depth}")
    return FullyConnected([rationals(np.eye(dimension, dtype=int))] * depth)
