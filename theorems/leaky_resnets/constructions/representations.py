r"""Representations and the weights that fit them: what the statements on the cost of identity share.

A representation A has shape ``(..., w, N)``, a row for each neuron, and features :math:`\sigma(A)`, its `feature_matrix`. Where
:math:`\mathrm{Im}\,M^T \subset \mathrm{Im}\,\sigma(A)^T`, which is decided by ranks, :math:`M\sigma(A)^+` are the smallest
weights that give M, and :math:`\|M\|_K^2` is their squared norm; else no weights give M and the norm is infinite. A side of a
relation is finite, so that statements use the bare formula, and finite cost is a hypothesis of their domain.

Source: leaky_resnets, Sections 1.3 and 1.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from verify import Domain, derived, integers, reals
from verify.arithmetic import Array, absolute, compare, widened
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, squared_norm
from verify.words import lifted, where


@widened
def zeros_like_rows(A: Array, rows: int) -> Array:
    """So many rows of zeros, in the arithmetic of A."""
    return np.repeat(0 * A[..., :1, :], rows, axis=-2)


@widened
def ones_like_row(A: Array) -> Array:
    """A row of ones, shape ``(..., 1, N)``, in the arithmetic of A."""
    return zeros_like_rows(A, 1) + 1


@widened
def with_rows(A: Array, *below: Array) -> Array:
    """A with the rows of other matrices below it."""
    return np.concatenate([A, *below], axis=-2)


@widened
def transposed(matrix: Array) -> Array:
    """The transpose of every matrix."""
    return np.swapaxes(matrix, -1, -2)


@dataclass(frozen=True, eq=False)
class Fit:
    """The smallest weights that give M from features F, or come closest to it.

    Attributes
    ----------
    weights
        :math:`M F^+`.
    squared_norm
        What they cost.
    """

    weights: Array
    squared_norm: Array


@widened
def fit(M: Array, F: Array) -> Fit:
    """The smallest weights that give M from the features F."""
    weights = np.asarray(M @ pseudo_inverse(F))
    return Fit(weights, squared_norm(weights))


@dataclass(frozen=True, eq=False)
class InverseKernel:
    r"""The scalar product :math:`\langle x, y\rangle = x^TPy` with :math:`P = K^+` at a representation A.

    Attributes
    ----------
    features, inverse
        :math:`\sigma(A)` and its pseudo-inverse: P is the product of the pseudo-inverse with its transpose.
    weights
        The smallest weights that keep A, shape ``(..., w, w + 1)``.
    cost
        Their squared norm.
    bias
        Their last column, :math:`b = AP1`.
    c
        :math:`1^TP1`.
    """

    features: Array
    inverse: Array
    weights: Array
    cost: Array
    bias: Array
    c: Array

    @classmethod
    def at(cls, A: Array) -> InverseKernel:
        """Of the kernel of A."""
        F = feature_matrix(A)
        inverse = pseudo_inverse(F)
        weights = np.asarray(A @ inverse)
        c = squared_norm(inverse.sum(axis=-2)[..., None, :])
        return cls(F, inverse, weights, squared_norm(weights), weights[..., -1], c)

    def coordinates(self, rows: Array) -> Array:
        """Of rows, ``(..., k, N) -> (..., k, w + 1)``: their dot products are the scalar products."""
        return np.asarray(rows @ self.inverse)


@widened
def scaled(A: Array, scale: Array) -> Array:
    """A times a number for each matrix."""
    return np.asarray(scale[..., None, None] * A)


@widened
def bare_cost(A: Array, *, bias: bool = True) -> Fit:
    r"""The bare formula :math:`\|A\sigma(A)^+\|_F^2`: the cost of identity where that is finite (see `cost_is_finite`)."""
    return fit(A, feature_matrix(A, bias=bias))


@widened
def cost_is_finite(A: Array) -> Array:
    """Whether some weights and bias give A from its features."""
    return is_in_row_space(A, feature_matrix(A))


@widened
def bias_free_cost_is_finite(A: Array) -> Array:
    """Whether some weights give A from its ReLU."""
    return is_in_row_space(A, feature_matrix(A, bias=False))


@widened
def is_nonnegative(A: Array) -> Array:
    """Whether no entry is negative."""
    return np.asarray((compare(A, 0) >= 0).all(axis=(-2, -1)))


@widened
def is_not_zero(A: Array) -> Array:
    """Whether an entry is not zero."""
    return np.asarray((compare(A, 0) != 0).any(axis=(-2, -1)))


@widened
def cut_to_rank(left: Array, right: Array, drop: Array) -> Array:
    """A product of two matrices, without their last inner dimension where `drop` is 0; of one instance."""
    return left[:, :-1] @ right[:-1] + np.outer(left[:, -1], where(drop == 0, 0, right[-1]))


sigma = lifted(feature_matrix)
r""":math:`\sigma(A)` of one representation: the ReLU of A with a row of ones below it."""


@widened
def derivative(A: Array, W: Array, L: Array) -> Array:
    r""":math:`\partial A = -LA + W\sigma(A)`, of one representation."""
    return W @ sigma(A) - L * A


@widened
def representation(rows: Array, mix: Array, family: Array, origin: Array) -> Array:
    """A representation, ``(..., w, N)``, of one of three families.

    Family 0 has the given `rows`. Families 1 and 2 keep the absolute values of the upper half of the rows, and the others are
    combinations of them, given by `mix` (with a constant in family 1): any number of points has a finite cost then, though
    entries are negative. Where `origin` is 0, the first point is at the origin.
    """
    half = (rows.shape[-2] + 1) // 2
    upper = absolute(rows[..., :half, :])
    ones = zeros_like_rows(rows, 1) + 1
    free = compare(family, 0)[..., None, None] == 0
    constant = np.where(compare(family, 1)[..., None, None] == 0, ones, 0 * ones)
    mixed = with_rows(upper, mix[..., half:, : half + 1] @ with_rows(upper, constant))
    A = np.where(free, rows, mixed)
    moved = compare(origin, 0)[..., None] != 0
    return np.concatenate([np.where(moved, A[..., 0], 0 * A[..., 0])[..., None], A[..., 1:]], axis=-1)


SHAPES = {"width": range(1, 4), "points": range(1, 5)}
"""Numbers of neurons and points, with more points than features among them; as many combinations as one run draws."""

REPRESENTATION = derived(
    lifted(representation),
    rows=reals("width", "points"),
    mix=reals("width", lambda sizes: sizes["width"] + 1),
    family=integers(0, 2),
    origin=integers(0, 2),
    role="values",
)
"""Representations of all families; see `representation`."""


@widened
def product_representation(left: Array, right: Array, signs: Array, constant: Array, drop: Array) -> Array:
    """A product of two matrices, not negative unless `signs` is 0.

    Where `constant` is 0, the constants are in the row space of the second factor; where `drop` is 0, its last row is zero.
    """
    absolute_values = compare(signs, 0)[..., None, None] != 0
    left, right = (np.where(absolute_values, absolute(one), one) for one in (left, right))
    rest = np.where(compare(drop, 0)[..., None] == 0, 0 * right[..., -1, :], right[..., -1, :])
    right = with_rows(right[..., :-1, :], rest[..., None, :])
    first = np.where(compare(constant, 0)[..., None] == 0, 0 * right[..., 0, :] + 1, right[..., 0, :])
    return np.asarray(left @ with_rows(first[..., None, :], right[..., 1:, :]))


NOT_NEGATIVE = "no entry is negative"

NONNEGATIVE_PRODUCTS = Domain(
    {
        "A": derived(
            product_representation,
            left=reals("width", "width"),
            right=reals("width", "points"),
            signs=integers(0, 3),
            constant=integers(0, 2),
            drop=integers(0, 1),
            role="values",
        )
    },
    SHAPES,
    {NOT_NEGATIVE: is_nonnegative},
)
"""Representations that are not negative, of every rank, with and without constants in the row space."""
