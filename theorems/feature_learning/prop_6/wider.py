r"""Proposition 6: dead neurons change neither the function nor the norm.

Statement
    If :math:`n_\ell \le n'_\ell` for all layers, with equal numbers of inputs and of outputs, then
    :math:`\inf_W L_{\lambda, n}(W) \ge \inf_W L_{\lambda, n'}(W)` and :math:`R_n(X, Y) \ge R_{n'}(X, Y)`, for every cost, every
    :math:`\lambda`, every amount of bias and every activation, homogeneous or not.
Checked
    Neurons without incoming and without outgoing weights change neither the function, here at points that have nothing to do
    with any data, nor the norm. The activations are :math:`c_0 + c_1t + c_2|t| + c_3t^2`; for :math:`c_0 \ne 0` a dead neuron
    is not zero, and the zero outgoing weights are what counts.
Proof idea
    A narrow network is a wide one.
Source
    feature_learning, Proposition 6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theorems.feature_learning.constructions.layers import DATA, WEIGHTS, with_bias_column, with_bias_row
from verify import Claim, Domain, Networks, Q, Relation, Source, derived, eq, interval
from verify.arithmetic import Array, absolute
from verify.matrices import frobenius_norm_squared


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


def in_parallel(weights: Sequence[Array], others: Sequence[Array]) -> list[Array]:
    """The hidden neurons of two networks side by side, without weights between them; the output bias is that of the first."""
    first, *inner, last = weights
    other_first, *other_inner, other_last = others
    wide = [np.concatenate([first, other_first], axis=-2)]
    for weight, other in zip(inner, other_inner, strict=True):
        own, theirs = 0 * other[..., :1, :-1], 0 * weight[..., :1, :-1]
        above = np.concatenate([weight[..., :-1], own + 0 * weight[..., :1], weight[..., -1:]], axis=-1)
        below = np.concatenate([theirs + 0 * other[..., :1], other], axis=-1)
        wide.append(np.concatenate([above, below], axis=-2))
    return [*wide, np.concatenate([last[..., :-1], other_last[..., :-1], last[..., -1:]], axis=-1)]


def without_incoming(weights: Sequence[Array]) -> list[Array]:
    """A network whose hidden neurons have no incoming weights."""
    return [*(0 * weight for weight in weights[:-1]), weights[-1]]


def without_outgoing(weights: Sequence[Array]) -> list[Array]:
    """A network whose last hidden neurons have no outgoing weights."""
    return [*weights[:-1], 0 * weights[-1]]


def same_function(wide: Sequence[Array], weights: Sequence[Array], points: Array, coefficients: Array, bias: Array) -> Relation:
    """Both networks have the same outputs."""
    old, new = (outputs(each, points, coefficients, bias) for each in (weights, wide))
    return eq(new, old, name="outputs", over=2)


def dead_neurons_change_nothing(
    weights: Sequence[Array], added: Sequence[Array], points: Array, coefficients: Array, bias: Array
) -> Relation:
    """Outputs and norm with as many dead neurons as the network `added` has."""
    wide = in_parallel(weights, without_incoming(without_outgoing(added)))
    norms = eq(norm_squared(wide), norm_squared(weights), name="norm")
    return same_function(wide, weights, points, coefficients, bias) & norms


# False variants


def any_incoming_weights(
    weights: Sequence[Array], added: Sequence[Array], points: Array, coefficients: Array, bias: Array
) -> Relation:
    """Outputs and norm with neurons without outgoing weights."""
    wide = in_parallel(weights, without_outgoing(added))
    norms = eq(norm_squared(wide), norm_squared(weights))
    return same_function(wide, weights, points, coefficients, bias) & norms


def any_outgoing_weights(
    weights: Sequence[Array], added: Sequence[Array], points: Array, coefficients: Array, bias: Array
) -> Relation:
    """Outputs with neurons without incoming weights."""
    return same_function(in_parallel(weights, without_incoming(added)), weights, points, coefficients, bias)


def split_neurons(
    weights: Sequence[Array], added: Sequence[Array], points: Array, coefficients: Array, bias: Array
) -> Relation:
    """Every hidden neuron in two, with shares 3/5 and 4/5 of its weights: as for homogeneous activations."""
    del added
    shares, wide = (Q("3/5"), Q("4/5")), []
    for layer, weight in enumerate(weights):
        ahead = weight
        if layer:
            ahead = np.concatenate([*(share * weight[..., :-1] for share in shares), weight[..., -1:]], axis=-1)
        last = layer == len(weights) - 1
        wide.append(ahead if last else np.concatenate([share * ahead for share in shares], axis=-2))
    return same_function(wide, weights, points, coefficients, bias)


CLAIM = Claim(
    id="feature_learning.prop_6",
    title="Wider networks are never worse",
    source=Source("feature_learning", "Proposition 6"),
    statement=dead_neurons_change_nothing,
    domain=Domain(
        {
            "weights": WEIGHTS,
            "added": derived(with_bias_column, network=Networks(width="more", slope=0)),
            "coefficients": interval(-1, 1, 4),
            **DATA,
        },
        {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": (1, 2, 4), "outputs": range(1, 4)}
        | {"more": range(1, 4), "points": (1, 3)},
    ),
    false_neighbours={
        "incoming weights need not be zero": any_incoming_weights,
        "outgoing weights need not be zero": any_outgoing_weights,
        "neurons may be split for any activation": split_neurons,
    },
)
