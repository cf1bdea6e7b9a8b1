r"""Fully connected layers of a leaky ResNet (:math:`\rho_\ell L = 1`) are balanced at critical points.

With the weights :math:`W_\ell = [V_\ell, b_\ell]`, multiplying the weights into a neuron by a number and those out of it by its
inverse changes nothing there, so that at a critical point

.. math:: \|V_{\ell, i\cdot}\|^2 + b_{\ell, i}^2 = \|V_{\ell+1, \cdot i}\|^2 , \qquad
          \|V_{\ell+1}\|^2 = \|V_\ell\|^2 + \|b_\ell\|^2 = \|V_1\|^2 + \sum_{k \le \ell} \|b_k\|^2 .

What is checked for every network with :math:`\rho L = 1`, critical or not, and every adjoint B: the inner products of incoming
weights and of outgoing weights of a neuron with :math:`B_\ell\sigma(A_{\ell-1})^T` are equal. At a critical point these are the
weights over L, and the two sides are the squared norms. With a leak that remains, :math:`\rho L < 1`, they are not equal: the
neuron's old value comes in (what holds then is Proposition 10). ``.chain`` has exact critical networks, with one neuron and one
point, in which the norms grow by the biases.

Source: leaky_resnets, Appendix A.3.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.ode import full_steps, sizes
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, reals
from verify.arithmetic import Array, compare, rationals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import critical_weights, feature_matrix, squared_norm


def gradients_before_and_after(network: LeakyResNet, x: Array, last: Array, bias: bool = True, leak: bool = True) -> Relation:
    """Inner products of the weights before and after every hidden neuron with their gradients.

    In false neighbours the biases are left out, or the steps are shorter than 1/L.
    """
    layers = full_steps(network) if leak else LeakyResNet(network.weights, network.leak, full_steps(network).steps / 2)
    values = layers.activations(x)
    adjoints = layers.adjoints(values, last)
    scale = sizes(layers, x) * (1 + squared_norm(last))
    relation = Relation(())
    for layer in range(layers.depth - 1):
        into = layers.weights[layer] * (adjoints[layer + 1] @ feature_matrix(values[layer]).swapaxes(-1, -2))
        out = layers.weights[layer + 1] * (adjoints[layer + 2] @ feature_matrix(values[layer + 1]).swapaxes(-1, -2))
        before = into.sum(axis=-1) if bias else into[..., :-1].sum(axis=-1)
        relation &= eq(before, out[..., :-1].sum(axis=-2), scale=scale[..., None], over=1)
    return relation


def three_critical_layers(first: Array, second: Array) -> tuple[LeakyResNet, Array, Array]:
    r"""Critical network of three layers with L = 1, one neuron and one point; its input and its last adjoint, ``(..., 1, 1)``.

    From u, v in (0, 1): :math:`a_0 = (1 - u^2)/(2u)` and :math:`a_1 = (1 - v^2)/(2v)`, so that :math:`1 + a^2` are squares. The
    layers are :math:`a_\ell = b_\ell (a_{\ell-1}^2 + 1)`, and :math:`b_{\ell-1} = a_{\ell-1} b_\ell^2` asks for
    :math:`b_\ell = (1 + a_{\ell-2}^2)^{-1/2}`.

    Raises
    ------
    ValueError
        A number is not between 0 and 1.
    """
    for name, number in (("first", first), ("second", second)):
        if not ((compare(number, 0) > 0) & (compare(number, 1) < 0)).all():
            raise ValueError(f"{name} must be between 0 and 1, got {number}: activations are positive")
    a0, a1 = ((1 - u * u) / (2 * u) for u in (first, second))
    b1, b2, b3 = a1 / (a0 * a0 + 1), 2 * first / (1 + first * first), 2 * second / (1 + second * second)
    a2 = b2 * (a1 * a1 + 1)
    layers = [(a[..., None, None], b[..., None, None]) for a, b in ((a0, b1), (a1, b2), (a2, b3))]
    one = 0 * a0 + 1
    steps = np.stack([one, one, one], axis=-1)
    return LeakyResNet([critical_weights(a, b, 1) for a, b in layers], one, steps), layers[0][0], layers[2][1]


def norms_grow_by_biases(chain: tuple[LeakyResNet, Array, Array], factor: int = 1, bias: bool = True) -> Relation:
    """The weights against the critical ones of the network's own adjoints, and the norms of neighbouring layers."""
    network, x, last = chain
    values = network.activations(x)
    adjoints = network.adjoints(values, last)
    relation, norms = Relation(()), []
    for layer, weight in enumerate(network.weights):
        stated = critical_weights(values[layer], adjoints[layer + 1], 1)
        relation &= eq(weight, stated, scale=1 + squared_norm(values[layer])[..., None, None], over=2)
        norms.append((weight[..., 0, 0] ** 2, weight[..., 0, 1] ** 2))
    start, total = norms[0][0], 0 * norms[0][0]
    for layer in range(1, network.depth):
        total = total + factor * norms[layer - 1][1]
        relation &= eq(norms[layer][0], start + (total if bias else 0))
    return relation


def chain_of_thirds() -> dict[str, Any]:
    """The activations 3/4 and 4/3, from u = 1/2 and v = 1/3."""
    return {"chain": three_critical_layers(rationals(["1/2"]), rationals(["1/3"]))}


CLAIM = Claim(
    id="leaky_resnets.balanced_fully_connected",
    title="Gradients before and after a neuron of a fully connected layer",
    source=Source("leaky_resnets", "Appendix A.3"),
    statement=gradients_before_and_after,
    domain=Domain(
        {"network": drawn_networks(), "x": reals("width", "points"), "last": reals("width", "points")},
        {"depth": range(2, 4), "width": range(1, 3), "points": range(1, 4)},
    ),
    false_neighbours={
        "without the biases": partial(gradients_before_and_after, bias=False),
        "steps of half the length": partial(gradients_before_and_after, leak=False),
    },
)

CHAIN = Claim(
    id="leaky_resnets.balanced_fully_connected.chain",
    title="In a critical fully connected network the norms grow by the biases",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=norms_grow_by_biases,
    domain=Domain({"chain": derived(three_critical_layers, first=interval(1 / 16, 15 / 16), second=interval(1 / 16, 15 / 16))}),
    tight={"activations 3/4 and 4/3": Tight(chain_of_thirds)},
    false_neighbours={
        "twice the biases, as for short steps": partial(norms_grow_by_biases, factor=2),
        "equal norms": partial(norms_grow_by_biases, bias=False),
    },
)
