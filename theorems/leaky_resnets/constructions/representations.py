r"""Representations and the weights that fit them: what the statements on the cost of identity share.

A representation A of one instance has a row for each neuron and features :math:`\sigma(A)`. Where
:math:`\mathrm{Im}\,M^T \subset \mathrm{Im}\,\sigma(A)^T`, which is decided by ranks, :math:`M\sigma(A)^+` are the smallest
weights that give M, and :math:`\|M\|_K^2` is their squared norm; else no weights give M and the norm is infinite. A side of a
relation is finite, so that statements use the bare formula, and finite cost is a hypothesis of their domain.

Source: leaky_resnets, Sections 1.3 and 1.4.
"""

from __future__ import annotations

import numpy as np

from verify import Domain, derived, integers, reals
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import absolute, concatenate, lifted, nonnegative, norm2, ones, pinv, relu, where


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


in_row_space = lifted(is_in_row_space)


@widened
def weights(A: Array) -> Array:
    r""":math:`A\sigma(A)^+`: the smallest weights that keep A, or come closest to it."""
    return A @ pinv(sigma(A))


@widened
def inverse_kernel(A: Array) -> Array:
    r""":math:`P = K^+`, by the features."""
    S = pinv(sigma(A))
    return S @ S.T


@widened
def cost(A: Array) -> Array:
    r"""The bare formula :math:`\|A\sigma(A)^+\|_F^2`: the cost of identity where that is finite (see `is_finite`)."""
    return norm2(A @ pinv(sigma(A)))


@widened
def cost_without_bias(A: Array) -> Array:
    r""":math:`\|A\bar\sigma(A)^+\|_F^2`."""
    return norm2(A @ pinv(relu(A)))


@widened
def is_finite(A: Array) -> Array:
    """Whether some weights and bias give A from its features."""
    return in_row_space(A, sigma(A))


@widened
def is_finite_without_bias(A: Array) -> Array:
    """Whether some weights give A from its ReLU."""
    return in_row_space(A, relu(A))


@widened
def has_constants(F: Array) -> Array:
    """Whether the constants are a combination of the rows."""
    return in_row_space(0 * F[:1] + 1, F)


@widened
def representation(rows: Array, mix: Array, family: Array, origin: Array) -> Array:
    """A representation of one of three families.

    Family 0 has the given `rows`. Families 1 and 2 keep the absolute values of the upper half of the rows, and the others are
    combinations of them, given by `mix` (with a constant in family 1): any number of points has a finite cost then, though
    entries are negative. Where `origin` is 0, the first point is at the origin.
    """
    half = (len(rows) + 1) // 2
    upper, constant = absolute(rows[:half]), where(family == 1, ones(1, rows.shape[1]), 0)
    mixed = concatenate([upper, mix[half:, : half + 1] @ concatenate([upper, constant])])
    A = where(family == 0, rows, mixed)
    return concatenate([where(origin == 0, 0, A[:, :1]), A[:, 1:]], axis=1)


SHAPES = {"width": range(1, 4), "points": range(1, 5)}
"""Numbers of neurons and points, with more points than features among them; as many combinations as one run draws."""

REPRESENTATION = derived(
    representation,
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
    left, right = (where(signs == 0, one, absolute(one)) for one in (left, right))
    right = concatenate([right[:-1], where(drop == 0, 0, right[-1:])])
    return left @ concatenate([where(constant == 0, 1, right[:1]), right[1:]])


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
    {NOT_NEGATIVE: lambda A: nonnegative(A)},
)
"""Representations that are not negative, of every rank, with and without constants in the row space."""
