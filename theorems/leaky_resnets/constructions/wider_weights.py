"""The weights of Proposition 5, with another neuron that takes over a part of what they do for one point."""

from __future__ import annotations

from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import block, concatenate, relu, vector

POINT = 0
"""The column i in the claims: the points can be permuted."""


@widened
def widened_weights(
    A: Array,
    W: Array,
    L: Array | float,
    epsilon: Array | float,
    t: Array | float,
    *,
    corner: Array | None = None,
    point: int = POINT,
    one: int = 0,
) -> Array:
    r"""The weights with another neuron, of one instance: ``(w, N), (w, w + 1) -> (w + 1, w + 2)``.

    Parameters
    ----------
    A, W, L
        Activations at a position p, weights [V, b] there, and the leak.
    epsilon, t
        Of the new neuron: its size, and how much it takes over.
    corner
        What stands for :math:`t^2` beside V.
    point
        The column i, from 0.
    one
        What stands below :math:`\bar\sigma(A_{\cdot i})`: 1 in :math:`\sigma(A_{\cdot i})`.

    Raises
    ------
    ValueError
        There is no such column, or the weights have not the shape (w, w + 1).
    """
    width, points = A.shape
    if not 0 <= point < points:
        raise ValueError(f"point must be a column of A, from 0 to {points - 1}, got {point}")
    if W.shape != (width, width + 1):
        raise ValueError(f"W must have the shape ({width}, {width + 1}), with a bias, got {W.shape}")
    column, row = A[:, point], concatenate([relu(A[:, point]), vector(one)])
    kept = W - L * epsilon**2 * (t * t if corner is None else corner) * column[:, None] * row
    outgoing, incoming = epsilon * L * t * column[:, None], epsilon * L * t * row[None, :]
    return block([[kept[:, :-1], outgoing, kept[:, -1:]], [incoming[:, :-1], 0, incoming[:, -1:]]])


@widened
def kernel_row(A: Array, point: int = POINT) -> Array:
    r""":math:`\bar K_{i\cdot}` of one instance."""
    return relu(A[:, point]) @ relu(A)
