r"""Proposition 6: wider networks are never worse.

If :math:`n_\ell \le n'_\ell` for all layers, with equal numbers of inputs and of outputs, then

.. math:: \inf_W L_{\lambda, n}(W) \ge \inf_W L_{\lambda, n'}(W), \qquad R_n(X, Y) \ge R_{n'}(X, Y)

for every cost, every :math:`\lambda`, every amount of bias and every activation, homogeneous or not. The reason is what is
checked: neurons without incoming and without outgoing weights (dead ones) change neither the function, here at points that
have nothing to do with any data, nor the norm. The activations are :math:`c_0 + c_1t + c_2|t| + c_3t^2`; for
:math:`c_0 \ne 0` a dead neuron is not zero, and the zero outgoing weights are what counts. Splitting a neuron in two,
:math:`(\frac35w, \frac45w)` with outgoing weights :math:`(\frac35v, \frac45v)`, also keeps the norm, but keeps the function of
homogeneous activations only.

The inequality can be strict. On X = (1, -1), Y = (1, 1), a ReLU network of width 1 without bias has a loss of at least
:math:`2 - (1 - \lambda)^2` for :math:`0 < \lambda < 1`, since its neuron sees one data point; two neurons reach
:math:`2 - 2(1 - \lambda)^2`.

Source: feature_learning, Proposition 6; the example is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.prop_19_spurious_minima import one_neuron_for_each_point, regularised_loss, segment_value
from theorems.feature_learning.weight_decomposition import with_bias_column, with_bias_row
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, absolute, rationals
from verify.matrices import frobenius_norm_squared
from verify.symbolic import identically_zero


def activated(values: Array, coefficients: Array) -> Array:
    r""":math:`c_0 + c_1t + c_2|t| + c_3t^2` at every entry, shapes ``(..., n, N), (..., 4) -> (..., n, N)``."""
    c = [coefficients[..., place, None, None] for place in range(4)]
    return np.asarray(c[0] + c[1] * values + c[2] * absolute(values) + c[3] * values**2)


def outputs(weights: Sequence[Array], points: Array, coefficients: Array, bias: Array) -> Array:
    """Outputs of the network, shape ``(..., n_L, N)``; the last column of a weight matrix belongs to the amount of bias."""
    values = np.swapaxes(points, -1, -2)
    for layer, weight in enumerate(weights):
        values = weight @ with_bias_row(activated(values, coefficients) if layer else values, bias)
    return np.asarray(values)


def norm_squared(weights: Sequence[Array]) -> Array:
    """Sum of the squares of all weights, those of the biases included."""
    return np.asarray(sum(frobenius_norm_squared(weight) for weight in weights))


def in_parallel(weights: Sequence[Array], others: Sequence[Array], incoming: int = 1, outgoing: int = 1) -> list[Array]:
    """The hidden neurons of two networks side by side, without weights between them.

    The weights into and out of the `others` are multiplied by `incoming` and `outgoing`: with zeros, they are dead.
    """
    wide = []
    for layer, (weight, other) in enumerate(zip(weights, others, strict=True)):
        if layer == 0:
            wide.append(np.concatenate([weight, incoming * other], axis=-2))
        elif layer < len(weights) - 1:
            wide.append(np.concatenate([_beside(weight, other), incoming * _beside(other, weight, swapped=True)], axis=-2))
        else:
            parts = [weight[..., :-1], outgoing * other[..., :-1], weight[..., -1:]]
            wide.append(np.concatenate(parts, axis=-1))
    return wide


def _beside(weight: Array, other: Array, swapped: bool = False) -> Array:
    """`weight` with a column of zeros for each neuron before `other`: after its own, or before them."""
    zeros = 0 * weight[..., :1] + 0 * other[..., :1, :-1]
    parts = [zeros, weight] if swapped else [weight[..., :-1], zeros, weight[..., -1:]]
    return np.concatenate(parts, axis=-1)


def split_neurons(weights: Sequence[Array]) -> list[Array]:
    """Every hidden neuron in two: shares 3/5 and 4/5 of its incoming and of its outgoing weights."""
    wide, last = [], len(weights) - 1
    for layer, weight in enumerate(weights):
        if layer:
            weight = np.concatenate([weight[..., :-1] * 3 / 5, weight[..., :-1] * 4 / 5, weight[..., -1:]], axis=-1)
        wide.append(weight if layer == last else np.concatenate([weight * 3 / 5, weight * 4 / 5], axis=-2))
    return wide


def dead_neurons_change_nothing(
    weights: Sequence[Array],
    added: Sequence[Array],
    points: Array,
    coefficients: Array,
    bias: Array,
    incoming: int = 0,
    outgoing: int = 0,
    norm: bool = True,
    split: bool = False,
) -> Relation:
    """Outputs and norm with as many dead neurons as the network `added` has; with other neurons in false neighbours."""
    wide = split_neurons(weights) if split else in_parallel(weights, added, incoming, outgoing)
    # what rounding errors are proportional to: everything with its absolute value
    sizes = outputs([*map(absolute, weights)], absolute(points), absolute(coefficients), bias)
    total = sizes.sum(axis=(-2, -1))[..., None, None]
    before, after = outputs(weights, points, coefficients, bias), outputs(wide, points, coefficients, bias)
    relation = eq(after, before, scale=2 ** len(weights) * total, over=2)
    return relation & eq(norm_squared(wide), norm_squared(weights)) if norm else relation


def two_neurons_are_better(weight: Array, outgoing: Array, root: Array, gain: int = 100, percent: int = 100) -> Relation:
    r"""The losses of one neuron and of two, with :math:`\lambda = 1 - root^2`, which keeps the best weights rational."""
    lam, one = 1 - root**2, 1 + 0 * root
    narrow = regularised_loss(weight[..., None], outgoing[..., None], lam, one)
    both = np.stack([root, -root], axis=-1), np.stack([root, root], axis=-1)
    wide = regularised_loss(*both, lam, one)
    bound = segment_value(lam, one)
    return le(bound * percent / 100, narrow) & eq(wide, bound - gain * root**4 / 100, scale=2 + 0 * root)


def best_single_neuron() -> dict[str, Any]:
    """The weights (c, c) with c^2 = 1 - lam."""
    return {"weight": rationals("3/5"), "outgoing": rationals("3/5"), "root": rationals("3/5")}


def one_neuron_in_symbols() -> Relation:
    r"""For :math:`p = wv > 0`, :math:`q = (w - v)^2`, the loss less the bound is :math:`(p - 1 + \lambda)^2 + \lambda q`.

    A neuron with w < 0 sees the other point, with the same loss; for v < 0 both errors are at least 1, and the loss is above 2.
    """
    import sympy as sp

    w, v, root = sp.symbols("w v root", positive=True)
    p, q, lam = w * v, (w - v) ** 2, 1 - root**2
    loss = (p - 1) ** 2 + 1 + lam * (w**2 + v**2)
    return identically_zero(loss - segment_value(lam, 1) - (p - root**2) ** 2 - lam * q)


def neuron_for_each_point() -> Relation:
    """Weights of the best network of two neurons, as in Proposition 19, exactly."""
    instance = one_neuron_for_each_point("16/25", "1", "3/5", "3/5")
    return eq(regularised_loss(**instance), rationals("1088/625"))


SOURCE = Source("feature_learning", "Proposition 6")

CLAIM = Claim(
    id="feature_learning.prop_6",
    title="Wider networks are never worse",
    source=SOURCE,
    statement=dead_neurons_change_nothing,
    domain=Domain(
        {
            "weights": derived(with_bias_column, network=Networks(slope=0)),
            "added": derived(with_bias_column, network=Networks(width="more", slope=0)),
            "points": reals("points", "inputs"),
            "coefficients": interval(-1, 1, 4),
            "bias": interval(0, 2),
        },
        {"depth": range(2, 5), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 3)}
        | {"more": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "incoming weights need not be zero": partial(dead_neurons_change_nothing, incoming=1),
        "outgoing weights need not be zero": partial(dead_neurons_change_nothing, outgoing=1, norm=False),
        "neurons may be split for any activation": partial(dead_neurons_change_nothing, split=True),
        "any neurons": partial(dead_neurons_change_nothing, incoming=1, outgoing=1, norm=False),
    },
)

STRICT = Claim(
    id="feature_learning.prop_6.strict",
    title="Two neurons can be strictly better than one",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=two_neurons_are_better,
    domain=Domain({"weight": reals(), "outgoing": reals(), "root": interval(0, 1)}),
    tight={"the best neuron": Tight(best_single_neuron)},
    false_neighbours={
        "no gain": partial(two_neurons_are_better, gain=0),
        "a gain of 1.01 (1 - lam)^2": partial(two_neurons_are_better, gain=101),
        "1 percent more for one neuron": partial(two_neurons_are_better, percent=101),
    },
    exact={"one neuron": one_neuron_in_symbols, "two neurons": neuron_for_each_point},
)
