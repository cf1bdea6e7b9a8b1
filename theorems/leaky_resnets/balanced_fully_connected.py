r"""Fully connected layers of a leaky ResNet (:math:`\rho_\ell L = 1`) are balanced at critical points.

Statement
    With the weights :math:`W_\ell = [V_\ell, b_\ell]`, multiplying the weights into a neuron by a number and those out of it by
    its inverse changes nothing there, so that at a critical point

    .. math:: \|V_{\ell, i\cdot}\|^2 + b_{\ell, i}^2 = \|V_{\ell+1, \cdot i}\|^2 , \qquad
              \|V_{\ell+1}\|^2 = \|V_\ell\|^2 + \|b_\ell\|^2 = \|V_1\|^2 + \sum_{k \le \ell} \|b_k\|^2 .
Checked
    For every network with :math:`\rho L = 1`, critical or not, and every adjoint B: the inner products of incoming weights and
    of outgoing weights of a neuron with :math:`B_\ell\sigma(A_{\ell-1})^T` are equal. At a critical point these are the weights
    over L, and the two sides are the squared norms. Exact critical networks, with one neuron and one point, in which the norms
    grow by the biases.
Proof idea
    The derivative of the cost in the scale of a neuron is zero. With a leak that remains, :math:`\rho L < 1`, the neuron's old
    value comes in: what holds then is Proposition 10.
Not checked
    Critical networks of several neurons, beyond what the first part says of them.
Source
    leaky_resnets, Appendix A.3.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from verify import Claim, Domain, Ours, Relation, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import critical_weights, feature_matrix


def with_full_steps(network: LeakyResNet) -> LeakyResNet:
    r"""The network with the same weights and leak and steps of length 1/L."""
    return LeakyResNet(network.weights, network.leak, (1 / network.leak)[..., None] + 0 * network.steps)


def gradients_before_and_after(network: LeakyResNet, x: Array, last: Array) -> Relation:
    """Inner products of the weights before and after every hidden neuron with their gradients."""
    before, after = inner_products(with_full_steps(network), x, last)
    return eq(before.sum(axis=-1), after, over=2)


def inner_products(layers: LeakyResNet, x: Array, last: Array) -> tuple[Array, Array]:
    """Products with the gradients of weights into hidden neurons, ``(..., M - 1, w, w + 1)``, and sums of those out of them."""
    values = layers.activations(x)
    adjoints = layers.adjoints(values, last)
    products = [
        weight * (adjoints[layer + 1] @ feature_matrix(values[layer]).swapaxes(-1, -2))
        for layer, weight in enumerate(layers.weights)
    ]
    out = [one[..., :-1].sum(axis=-2) for one in products[1:]]
    return np.stack(products[:-1], axis=-3), np.stack(out, axis=-2)


Chain = tuple[LeakyResNet, Array, Array]
"""A network with one neuron, its input and its last adjoint, ``(..., 1, 1)``."""


def three_critical_layers(first: Array, second: Array) -> Chain:
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


def norms_grow_by_biases(chain: Chain) -> Relation:
    """The weights against the critical ones of the network's own adjoints, and the norms of the layers."""
    network, x, last = chain
    values = network.activations(x)
    adjoints = network.adjoints(values, last)
    stated = [critical_weights(values[layer], adjoints[layer + 1], 1) for layer in range(network.depth)]
    weights, biases = squares_of(chain)
    return eq(np.stack(network.weights, axis=-3), np.stack(stated, axis=-3), name="critical", over=3) & eq(
        weights[..., 1:], weights[..., :1] + np.cumsum(biases[..., :-1], axis=-1), name="norms", over=1
    )


def squares_of(chain: Chain) -> tuple[Array, Array]:
    """Squared weights and squared biases of the layers, ``(..., M)``."""
    squares = np.stack([weight[..., 0, :] ** 2 for weight in chain[0].weights], axis=-2)
    return squares[..., 0], squares[..., 1]


# False variants


def gradients_without_biases(network: LeakyResNet, x: Array, last: Array) -> Relation:
    """Without the biases of the incoming weights."""
    before, after = inner_products(with_full_steps(network), x, last)
    return eq(before[..., :-1].sum(axis=-1), after, over=2)


def gradients_with_half_steps(network: LeakyResNet, x: Array, last: Array) -> Relation:
    """Steps of half the length: the leak remains."""
    full = with_full_steps(network)
    before, after = inner_products(LeakyResNet(full.weights, full.leak, full.steps / 2), x, last)
    return eq(before.sum(axis=-1), after, over=2)


def norms_grow_by_twice_the_biases(chain: Chain) -> Relation:
    """Twice the biases, as for short steps."""
    weights, biases = squares_of(chain)
    return eq(weights[..., 1:], weights[..., :1] + 2 * np.cumsum(biases[..., :-1], axis=-1), over=1)


def norms_are_equal(chain: Chain) -> Relation:
    """Equal norms, as without biases."""
    weights, _ = squares_of(chain)
    return eq(weights[..., 1:], weights[..., :1], over=1)


CLAIM = Claim(
    id="leaky_resnets.balanced_fully_connected",
    title="Gradients before and after a neuron of a fully connected layer",
    source=Source("leaky_resnets", "Appendix A.3"),
    statement=gradients_before_and_after,
    domain=Domain(
        {"network": drawn_networks(), "x": reals("width", "points"), "last": reals("width", "points")},
        {"depth": (2, 3, 6), "width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "without the biases": gradients_without_biases,
        "steps of half the length": gradients_with_half_steps,
    },
)

CHAIN = Claim(
    id="leaky_resnets.balanced_fully_connected.chain",
    title="In a critical fully connected network the norms grow by the biases",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=norms_grow_by_biases,
    domain=Domain({"chain": derived(three_critical_layers, first=interval(1 / 16, 15 / 16), second=interval(1 / 16, 15 / 16))}),
    false_neighbours={
        "twice the biases, as for short steps": norms_grow_by_twice_the_biases,
        "equal norms": norms_are_equal,
    },
)
