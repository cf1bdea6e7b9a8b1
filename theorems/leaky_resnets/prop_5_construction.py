r"""Proposition 5, the construction: another neuron that takes over a part of what the weights do for one point.

To a path A with weights W = [V, b], a point i, a function t of p and a small :math:`\varepsilon` belong the weights

.. math:: \begin{pmatrix} V - L\varepsilon^2t^2A_{\cdot i}\bar\sigma(A_{\cdot i})^T & \varepsilon LtA_{\cdot i} & b \\
          \varepsilon Lt\bar\sigma(A_{\cdot i})^T & 0 & 0 \end{pmatrix} ,

which move :math:`(A; \varepsilon a)` with :math:`a \ge 0`, where :math:`\bar K = \bar\sigma(A)^T\bar\sigma(A)`, by

.. math:: \Bigl(\partial A - L\varepsilon^2tA_{\cdot i}(t\bar K_{i\cdot} - a); \; \varepsilon L(t\bar K_{i\cdot} - a)\Bigr) .

Their squared norm is that of W plus exactly

.. math:: L^2\varepsilon^2t^2\Bigl(\|\bar\sigma(A_{\cdot i})\|^2 - \|A_{\cdot i}\|^2 + \tfrac2LA_{\cdot i}^Tb
          - \tfrac2LA_{\cdot i}^T\partial A_{\cdot i}\Bigr)
          + L^2\varepsilon^4t^4\|A_{\cdot i}\|^2\|\bar\sigma(A_{\cdot i})\|^2 ,

for :math:`V\bar\sigma(A_{\cdot i}) = \partial A_{\cdot i} + LA_{\cdot i} - b`. If b = 0 and nothing moves, the bracket is
minus the squared norm of the negative part of :math:`A_{\cdot i}`: zero for a non-negative column.

The print differs in three places, each a claim of its own: it has t for its square in the corner, but goes on as if it were the
square; the last coefficient is 1/L; and it keeps the entry 1 of :math:`\sigma(A_{\cdot i})`, with which a negative entry
does not give :math:`\|A_{\cdot i}\|^2 > \|\sigma(A_{\cdot i})\|^2`: the negative part has to have a norm above 1.

What is checked: velocity and norm, for any A, W and a, from the weights themselves.

Source: leaky_resnets, Proposition 9 of the appendix, proof.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, ge, interval, reals
from verify.arithmetic import Array, compare, rationals, smallest
from verify.matrices import inverse
from verify.networks.leaky_resnet import feature_matrix, rectified, squared_norm

POINT = 0
"""The column i in the claims: the points can be permuted."""


def widened_weights(
    A: Array,
    weights: Array,
    leak: Array,
    size: Array,
    height: Array,
    *,
    corner: Array | None = None,
    point: int = POINT,
    keep_one: bool = False,
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
    keep_one
        Whether the new neuron has a bias, as it has in print: the entry 1 of :math:`\sigma(A_{\cdot i})`.

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
    rate, epsilon, t = (np.asarray(one)[..., None, None] for one in (leak, size, height))
    product = t * t if corner is None else np.asarray(corner)[..., None, None]
    column = A[..., point : point + 1]
    features = feature_matrix(column).swapaxes(-1, -2)
    if not keep_one:
        features = np.concatenate([features[..., :-1], 0 * features[..., -1:]], axis=-1)
    kept = weights - rate * epsilon**2 * product * (column @ features)
    outgoing, incoming = epsilon * rate * t * column, epsilon * rate * t * features
    upper = np.concatenate([kept[..., :-1], outgoing, kept[..., -1:]], axis=-1)
    lower = np.concatenate([incoming[..., :-1], 0 * incoming[..., :1], incoming[..., -1:]], axis=-1)
    return np.concatenate([upper, lower], axis=-2)


def widened_activations(A: Array, neuron: Array) -> Array:
    """The activations with another row, ``(..., w, N), (..., N) -> (..., w + 1, N)``."""
    return np.concatenate([A, neuron[..., None, :]], axis=-2)


def velocity_of_widened(
    A: Array,
    weights: Array,
    leak: Array,
    size: Array,
    height: Array,
    neuron: Array,
    corner_power: int = 2,
    one: int = 0,
    keep_one: bool = False,
) -> Relation:
    r"""What the wider weights do to :math:`(A; \varepsilon a)`, against the stated velocity."""
    wider = widened_activations(A, size[..., None] * neuron)
    rate = leak[..., None, None]
    corner = height**corner_power
    matrix = widened_weights(A, weights, leak, size, height, corner=corner, keep_one=keep_one)
    found = matrix @ feature_matrix(wider) - rate * wider
    moved = weights @ feature_matrix(A) - rate * A
    features, column = rectified(A), A[..., POINT : POINT + 1]
    kernel = (features * features[..., POINT : POINT + 1]).sum(axis=-2) + one
    lacking = height[..., None] * kernel - neuron
    scale = (leak * size)[..., None]
    stated = widened_activations(
        moved - (scale * size[..., None] * height[..., None])[..., None] * (column @ lacking[..., None, :]), scale * lacking
    )
    total = (1 + squared_norm(A)) ** 2 * (1 + squared_norm(weights)) * (1 + leak) * (1 + (neuron * neuron).sum(axis=-1))
    return eq(found, stated, scale=(total * (1 + size) ** 2)[..., None, None], over=2)


def norm_change(
    A: Array,
    weights: Array,
    leak: Array,
    size: Array,
    height: Array,
    halves: int = 2,
    quartic: int = 100,
    bias: bool = True,
    corner_power: int = 2,
) -> Relation:
    """What the construction adds to the squared norm, against the stated; the keywords are for false neighbours."""
    wider = widened_weights(A, weights, leak, size, height, corner=height**corner_power)
    column = A[..., POINT : POINT + 1]
    moved = weights @ feature_matrix(column) - leak[..., None, None] * column
    own, kept = squared_norm(column), squared_norm(rectified(column))
    shift = weights[..., -1:] if bias else 0 * weights[..., -1:]
    bracket = kept - own + (column * (2 * shift - halves * moved)).sum(axis=(-2, -1)) / leak
    part = (leak * size * height) ** 2
    stated = part * bracket + part * (size * height) ** 2 * own * kept * quartic / 100
    total = (1 + own) ** 2 * (1 + squared_norm(weights)) * (1 + part / leak) * (1 + part * size**2)
    return eq(squared_norm(wider) - squared_norm(weights), stated, scale=total)


def leading_coefficient(A: Array, weights: Array, leak: Array, height: Array, corner: Array) -> Array:
    r"""Of the change of the squared norm, which is a multiple of :math:`\varepsilon^2` plus one of :math:`\varepsilon^4`."""
    norms = [
        squared_norm(widened_weights(A, weights, leak, 0 * leak + size, height, corner=corner, keep_one=True))
        for size in range(3)
    ]
    return np.asarray((16 * norms[1] - norms[2] - 15 * norms[0]) / 12)


def expansion(A: Array, weights: Array, leak: Array, height: Array, corner_power: int = 1, halves: int = 2) -> Relation:
    """The coefficient against that in print, with the entry 1 kept: `corner_power` 1 and `halves` 1 are the print's."""
    column = A[..., POINT : POINT + 1]
    features = feature_matrix(column)
    moved = weights @ features - leak[..., None, None] * column
    bracket = squared_norm(features) - squared_norm(column) - halves * (column * moved).sum(axis=(-2, -1)) / leak
    found = leading_coefficient(A, weights, leak, height, height**corner_power)
    total = (1 + squared_norm(column)) ** 2 * (1 + squared_norm(weights)) * (1 + leak) ** 2 * (1 + height**2) ** 2
    return eq(found, (leak * height) ** 2 * bracket, scale=total)


def gap(A: Array, keep_one: bool = False, percent: int = 100) -> Relation:
    r""":math:`\|A_{\cdot i}\|^2 - \|\bar\sigma(A_{\cdot i})\|^2` against the squared smallest entry; `keep_one` as in print."""
    column = A[..., POINT : POINT + 1]
    lost = smallest(column[..., 0]) ** 2
    found = squared_norm(column) - squared_norm(feature_matrix(column, bias=keep_one))
    return ge(found * 100, 0 * lost if keep_one else lost * percent, scale=100 * squared_norm(column))


def has_negative_entry(A: Array) -> Array:
    """Whether the column has one."""
    return np.asarray(compare(smallest(A[..., POINT]), 0) == -1)


def is_not_negative(neuron: Array) -> Array:
    """Whether the new neuron is its own ReLU."""
    return np.asarray((compare(neuron, 0) >= 0).all(axis=-1))


def one_negative_entry() -> dict[str, Array]:
    """Columns whose negative part is a single entry."""
    return {"A": rationals([[[-1, 2], [3, -1]], [["-1/2", 0], [0, 5]]])}


def resting_pair() -> Relation:
    r"""At rest at A = (1, -1/2; 3/10, 1), b = 0, at the second point: the leading coefficient is :math:`-\frac14L^2t^2`."""
    A, leak, height, point = rationals([["1", "-1/2"], ["3/10", "1"]]), rationals("20"), rationals("1/3"), 1
    weights = np.concatenate([leak * A @ inverse(rectified(A)), 0 * A[:, :1]], axis=-1)
    norms = [squared_norm(widened_weights(A, weights, leak, rationals(size), height, point=point)) for size in range(3)]
    leading = (16 * norms[1] - norms[2] - 15 * norms[0]) / 12
    return eq(leading, -((leak * height) ** 2) / 4)


SIZES = {"width": range(1, 4), "points": range(1, 4)}
PATHS = {
    "A": reals("width", "points"),
    "weights": reals("width", lambda sizes: sizes["width"] + 1),
    "leak": interval(1 / 4, 3),
    "height": interval(0, 1),
}
SIZE = {"size": interval(1 / 8, 1)}
NOT_NEGATIVE = "the new neuron is not negative"
NEGATIVE_ENTRY = "an entry of the column is negative"
SOURCE = Source("leaky_resnets", "Proposition 9, proof")

VELOCITY = Claim(
    id="leaky_resnets.prop_5.velocity",
    title="How the path moves with another neuron",
    source=SOURCE,
    statement=velocity_of_widened,
    domain=Domain({**PATHS, **SIZE, "neuron": reals("points")}, SIZES, {NOT_NEGATIVE: is_not_negative}),
    needs=(NOT_NEGATIVE,),
    false_neighbours={
        "t for its square in the corner, as printed": partial(velocity_of_widened, corner_power=1),
        "kernel with the bias": partial(velocity_of_widened, one=1),
        "bias kept in the new neuron alone": partial(velocity_of_widened, keep_one=True),
    },
)

NORM = Claim(
    id="leaky_resnets.prop_5.norm_change",
    title="What another neuron adds to the norm of the weights",
    source=SOURCE,
    status=Ours(),
    statement=norm_change,
    domain=Domain({**PATHS, **SIZE}, SIZES),
    false_neighbours={
        "1/L for 2/L, as printed": partial(norm_change, halves=1),
        "t for its square in the corner, as printed": partial(norm_change, corner_power=1),
        "no term of the bias": partial(norm_change, bias=False),
        "no term of fourth order": partial(norm_change, quartic=0),
        "1 % more of fourth order": partial(norm_change, quartic=101),
    },
    exact={"two neurons at rest": resting_pair},
)

EXPANSION = Claim(
    id="leaky_resnets.prop_5.expansion",
    title="The leading term of the norm, with the bias of the print and the corner put right",
    source=SOURCE,
    status=Ours(),
    statement=partial(expansion, corner_power=2),
    domain=Domain(PATHS, SIZES),
    false_neighbours={
        "1/L for 2/L, as printed": partial(expansion, corner_power=2, halves=1),
        "t for its square in the corner, as printed": expansion,
    },
)

GAP = Claim(
    id="leaky_resnets.prop_5.gap",
    title="A negative entry makes a column longer than its ReLU",
    source=SOURCE,
    status=Ours(),
    statement=gap,
    domain=Domain({"A": reals("width", "points")}, SIZES, {NEGATIVE_ENTRY: has_negative_entry}),
    needs=(NEGATIVE_ENTRY,),
    tight={"a single negative entry": Tight(one_negative_entry)},
    false_neighbours={
        "than its ReLU with the entry 1, as printed": partial(gap, keep_one=True),
        "1 % more": partial(gap, percent=101),
    },
    cost=8,
)

PRINTED_CORNER = Claim(
    id="leaky_resnets.prop_5.printed_corner",
    title="The leading term of the norm, with t in the corner",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_5.expansion"),
    statement=expansion,
    domain=Domain(PATHS, SIZES),
    false_neighbours={},
)

PRINTED_COEFFICIENT = Claim(
    id="leaky_resnets.prop_5.printed_coefficient",
    title="The leading term of the norm, with 1/L before the velocity",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_5.expansion"),
    statement=partial(expansion, corner_power=2, halves=1),
    domain=Domain(PATHS, SIZES),
    false_neighbours={},
)

PRINTED_GAP = Claim(
    id="leaky_resnets.prop_5.printed_gap",
    title="A negative entry makes a column longer than its ReLU with the entry 1",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.prop_5.gap"),
    statement=partial(gap, keep_one=True),
    domain=Domain({"A": reals("width", "points")}, SIZES, {NEGATIVE_ENTRY: has_negative_entry}),
    false_neighbours={},
)
