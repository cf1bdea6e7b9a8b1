r"""Proposition 5, the construction: another neuron that takes over a part of what the weights do for one point.

Statement
    To a path A with weights W = [V, b], a point i, a function t of p and a small :math:`\varepsilon` belong the weights

    .. math:: \begin{pmatrix} V - L\varepsilon^2t^2A_{\cdot i}\bar\sigma(A_{\cdot i})^T & \varepsilon LtA_{\cdot i} & b \\
              \varepsilon Lt\bar\sigma(A_{\cdot i})^T & 0 & 0 \end{pmatrix} ,

    which move :math:`(A; \varepsilon a)` with :math:`a \ge 0`, where :math:`\bar K = \bar\sigma(A)^T\bar\sigma(A)`, by

    .. math:: \Bigl(\partial A - L\varepsilon^2tA_{\cdot i}(t\bar K_{i\cdot} - a); \;
              \varepsilon L(t\bar K_{i\cdot} - a)\Bigr) .

    Their squared norm is that of W plus exactly

    .. math:: L^2\varepsilon^2t^2\Bigl(\|\bar\sigma(A_{\cdot i})\|^2 - \|A_{\cdot i}\|^2 + \tfrac2LA_{\cdot i}^Tb
              - \tfrac2LA_{\cdot i}^T\partial A_{\cdot i}\Bigr)
              + L^2\varepsilon^4t^4\|A_{\cdot i}\|^2\|\bar\sigma(A_{\cdot i})\|^2 .
Correction
    The print has t for its square in the corner, but goes on as if it were the square; the last coefficient is 1/L. A third
    error is the subject of ``gap``.
Checked
    Velocity and norm, for any A, W and a, from the weights themselves; the leading term of the norm, also with the entry 1 of
    the print.
Proof idea
    :math:`V\bar\sigma(A_{\cdot i}) = \partial A_{\cdot i} + LA_{\cdot i} - b`.
Source
    leaky_resnets, Proposition 9 of the appendix, proof.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, eq, interval, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import inverse, pseudo_inverse
from verify.networks.leaky_resnet import feature_matrix, inner, is_in_row_space, rectified, squared_norm

POINT = 0
"""The column i in the claims: the points can be permuted."""


def widened_weights(
    A: Array, weights: Array, leak: Array, size: Array, height: Array, *, corner: Array | None = None, point: int = POINT
) -> Array:
    r"""The weights with another neuron, ``(..., w, N), (..., w, w + 1) -> (..., w + 1, w + 2)``.

    Parameters
    ----------
    A, weights, leak
        Activations at a position p, weights [V, b] there, and L, shape ``(...)``.
    size, height
        :math:`\varepsilon` and t, shape ``(...)``.
    corner
        What stands for :math:`t^2` beside V, shape ``(...)``.
    point
        The column i, from 0.

    Raises
    ------
    ValueError
        There is no such column, or the weights have not the shape (..., w, w + 1).
    """
    *_, width, points = A.shape
    if not 0 <= point < points:
        raise ValueError(f"point must be a column of A, from 0 to {points - 1}, got {point}")
    if weights.shape[-2:] != (width, width + 1):
        raise ValueError(f"weights must have the shape (..., {width}, {width + 1}), with a bias, got {weights.shape}")
    column = A[..., point : point + 1]
    without_one = np.concatenate([rectified(column), 0 * column[..., :1, :]], axis=-2)
    return _widened(weights, column, without_one, leak, size, height, corner)


def _widened(
    weights: Array, column: Array, features: Array, leak: Array, size: Array, height: Array, corner: Array | None
) -> Array:
    rate, epsilon, t = (np.asarray(one)[..., None, None] for one in (leak, size, height))
    product = t * t if corner is None else np.asarray(corner)[..., None, None]
    row = features.swapaxes(-1, -2)
    kept = weights - rate * epsilon**2 * product * (column @ row)
    outgoing, incoming = epsilon * rate * t * column, epsilon * rate * t * row
    upper = np.concatenate([kept[..., :-1], outgoing, kept[..., -1:]], axis=-1)
    lower = np.concatenate([incoming[..., :-1], 0 * incoming[..., :1], incoming[..., -1:]], axis=-1)
    return np.concatenate([upper, lower], axis=-2)


def widened_activations(A: Array, neuron: Array) -> Array:
    """The activations with another row, ``(..., w, N), (..., N) -> (..., w + 1, N)``."""
    return np.concatenate([A, neuron[..., None, :]], axis=-2)


def kernel_row(A: Array, point: int = POINT) -> Array:
    r""":math:`\bar K_{i\cdot}`, shape ``(..., N)``."""
    features = rectified(A)
    return np.asarray((features * features[..., point : point + 1]).sum(axis=-2))


def velocity_of_widened(A: Array, weights: Array, leak: Array, size: Array, height: Array, neuron: Array) -> Relation:
    r"""What the wider weights do to :math:`(A; \varepsilon a)`, against the stated velocity."""
    return _moves(A, weights, leak, size, height, neuron, widened_weights(A, weights, leak, size, height), kernel_row(A))


def _moves(
    A: Array, weights: Array, leak: Array, size: Array, height: Array, neuron: Array, matrix: Array, kernel: Array
) -> Relation:
    """The velocity by `matrix` at the wider activations against the stated one, with this row of the kernel."""
    wider = widened_activations(A, size[..., None] * neuron)
    rate = leak[..., None, None]
    lacking = height[..., None] * kernel - neuron
    pulled = (leak * size**2 * height)[..., None, None] * (A[..., POINT : POINT + 1] @ lacking[..., None, :])
    stated = widened_activations(weights @ feature_matrix(A) - rate * A - pulled, (leak * size)[..., None] * lacking)
    return eq(matrix @ feature_matrix(wider) - rate * wider, stated, over=2)


def norm_change(A: Array, weights: Array, leak: Array, size: Array, height: Array) -> Relation:
    """What the construction adds to the squared norm, against the stated."""
    return _adds(widened_weights(A, weights, leak, size, height), A, weights, leak, size, height)


def _adds(
    wider: Array, A: Array, weights: Array, leak: Array, size: Array, height: Array, velocity: int = 2, bias: int = 2
) -> Relation:
    """The norm of `wider` against the stated one, with the coefficients of the velocity and of the bias."""
    column = A[..., POINT : POINT + 1]
    moved = weights @ feature_matrix(column) - leak[..., None, None] * column
    own, kept = squared_norm(column), squared_norm(rectified(column))
    linear = (bias * inner(column, weights[..., -1:]) - velocity * inner(column, moved)) / leak
    part = (leak * size * height) ** 2
    stated = part * (kept - own + linear) + part * (size * height) ** 2 * own * kept
    return eq(squared_norm(wider), squared_norm(weights) + stated)


def _leads(A: Array, weights: Array, leak: Array, height: Array, corner: Array, stated: Array) -> Relation:
    r"""The leading coefficient n of the squared norm, :math:`n_0 + n\varepsilon^2 + n'\varepsilon^4`, from three values.

    The new neuron has a bias, as in print: the entry 1 of :math:`\sigma(A_{\cdot i})` is kept.
    """
    column = A[..., POINT : POINT + 1]
    norms = [
        squared_norm(_widened(weights, column, feature_matrix(column), leak, 0 * leak + size, height, corner))
        for size in range(3)
    ]
    return eq(16 * norms[1], norms[2] + 15 * norms[0] + 12 * stated)


def expansion(A: Array, weights: Array, leak: Array, height: Array, velocity: int = 2) -> Relation:
    """The leading coefficient with the entry 1 of the print, and the square of t in the corner; 2/L stands at the velocity."""
    return _leads(A, weights, leak, height, height**2, _bracket(A, weights, leak, height, velocity))


def expansion_with_printed_corner(A: Array, weights: Array, leak: Array, height: Array) -> Relation:
    """The same with t in the corner."""
    return _leads(A, weights, leak, height, height, _bracket(A, weights, leak, height, 2))


def _bracket(A: Array, weights: Array, leak: Array, height: Array, velocity: int) -> Array:
    column = A[..., POINT : POINT + 1]
    features = feature_matrix(column)
    moved = weights @ features - leak[..., None, None] * column
    bracket = squared_norm(features) - squared_norm(column) - velocity * inner(column, moved) / leak
    return np.asarray((leak * height) ** 2 * bracket)


def weights_at_rest(A: Array) -> Array:
    r""":math:`[A\bar\sigma(A)^+, 0]`: they hold A for L = 1 without a bias, if any do."""
    return np.concatenate([A @ pseudo_inverse(rectified(A)), 0 * A[..., :1]], axis=-1)


# False variants


def velocity_with_printed_corner(A: Array, weights: Array, leak: Array, size: Array, height: Array, neuron: Array) -> Relation:
    """t for its square in the corner."""
    matrix = widened_weights(A, weights, leak, size, height, corner=height)
    return _moves(A, weights, leak, size, height, neuron, matrix, kernel_row(A))


def velocity_with_biased_kernel(A: Array, weights: Array, leak: Array, size: Array, height: Array, neuron: Array) -> Relation:
    """The kernel with its ones."""
    matrix = widened_weights(A, weights, leak, size, height)
    return _moves(A, weights, leak, size, height, neuron, matrix, kernel_row(A) + 1)


def norm_change_with_printed_corner(A: Array, weights: Array, leak: Array, size: Array, height: Array) -> Relation:
    """t for its square in the corner."""
    return _adds(widened_weights(A, weights, leak, size, height, corner=height), A, weights, leak, size, height)


def norm_change_with_printed_coefficient(A: Array, weights: Array, leak: Array, size: Array, height: Array) -> Relation:
    """1/L for 2/L at the velocity."""
    return _adds(widened_weights(A, weights, leak, size, height), A, weights, leak, size, height, velocity=1)


def norm_change_without_bias(A: Array, weights: Array, leak: Array, size: Array, height: Array) -> Relation:
    """No term of the bias."""
    return _adds(widened_weights(A, weights, leak, size, height), A, weights, leak, size, height, bias=0)


def is_held(A: Array) -> Array:
    """Whether the weights hold the representation."""
    return is_in_row_space(A, rectified(A))


def is_not_negative(neuron: Array) -> Array:
    """Whether the new neuron is its own ReLU."""
    return np.asarray((compare(neuron, 0) >= 0).all(axis=-1))


def resting_pair() -> Relation:
    r"""At rest at A = (1, -1/2; 3/10, 1), b = 0, at the second point: the leading coefficient is :math:`-\frac14L^2t^2`."""
    A, leak, height, point = rationals([["1", "-1/2"], ["3/10", "1"]]), rationals("20"), rationals("1/3"), 1
    weights = np.concatenate([leak * A @ inverse(rectified(A)), 0 * A[:, :1]], axis=-1)
    norms = [squared_norm(widened_weights(A, weights, leak, rationals(size), height, point=point)) for size in range(3)]
    leading = (16 * norms[1] - norms[2] - 15 * norms[0]) / 12
    return eq(leading, -((leak * height) ** 2) / 4)


SIZES = {"width": range(1, 4), "points": range(1, 5)}

PATHS = {
    "A": reals("width", "points", role="values"),
    "weights": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer"),
    "leak": interval(1 / 4, 3, role="leak"),
    "height": interval(0, 1, role="free"),
}

SIZE = {"size": interval(1 / 8, 1, role="free")}

NOT_NEGATIVE = "the new neuron is not negative"

HELD = "the weights hold the representation"

SOURCE = Source("leaky_resnets", "Proposition 9, proof")

VELOCITY = Claim(
    id="leaky_resnets.prop_5.velocity",
    title="The widened weights move the path as the proof says",
    source=SOURCE,
    statement=velocity_of_widened,
    domain=Domain(
        {**PATHS, **SIZE, "neuron": reals("points", role="values of a neuron")}, SIZES, {NOT_NEGATIVE: is_not_negative}
    ),
    needs=(NOT_NEGATIVE,),
    false_variants={
        "t for its square in the corner, as printed": velocity_with_printed_corner,
        "kernel with the bias": velocity_with_biased_kernel,
    },
)

NORM = Claim(
    id="leaky_resnets.prop_5.norm_change",
    title="Another neuron adds terms of second and fourth order to the norm of the weights",
    source=SOURCE,
    status=Ours(),
    statement=norm_change,
    domain=Domain({**PATHS, **SIZE}, SIZES),
    false_variants={
        "1/L for 2/L, as printed": norm_change_with_printed_coefficient,
        "t for its square in the corner, as printed": norm_change_with_printed_corner,
        "no term of the bias": norm_change_without_bias,
    },
    exact={"two neurons at rest": resting_pair},
)

EXPANSION = Claim(
    id="leaky_resnets.prop_5.expansion",
    title="With the square in the corner the norm grows by the printed leading term",
    source=SOURCE,
    status=Ours(),
    statement=expansion,
    domain=Domain(PATHS, SIZES),
    false_variants={
        "1/L for 2/L, as printed": partial(expansion, velocity=1),
        "t for its square in the corner, as printed": expansion_with_printed_corner,
    },
)

PRINTED_CORNER = Claim(
    id="leaky_resnets.prop_5.printed_corner",
    title="The norm grows by the printed leading term with t in the corner",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=expansion_with_printed_corner,
    domain=Domain(PATHS, SIZES),
    false_variants={},
)

PRINTED_COEFFICIENT = Claim(
    id="leaky_resnets.prop_5.printed_coefficient",
    title="The norm grows by the leading term with 1/L before the velocity",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=EXPANSION.id),
    statement=partial(expansion, velocity=1),
    domain=Domain(PATHS, SIZES),
    false_variants={},
)
