r"""Proposition 13, proof: the difference of two Jacobians is a sum over the hidden layers.

Statement
    For any network and any two points,

    .. math:: Jf(x) - Jf(y) = \sum_{\ell=1}^{L-1} W_L D_{L-1}(y) \cdots W_{\ell+1}
              \bigl(D_\ell(x) - D_\ell(y)\bigr) W_\ell D_{\ell-1}(x) \cdots W_1 .
Checked
    The identity, for every slope of the activation.
Source
    bottleneck_structure, proof of Proposition 13.
"""

from __future__ import annotations

import numpy as np

from theorems.bottleneck_structure.prop_13.statement import SOURCE
from verify import Claim, Domain, Networks, Relation, eq, reals
from verify.arithmetic import Array
from verify.networks import FullyConnected


def slopes_of(network: FullyConnected, x: Array) -> list[Array]:
    r"""Diagonals of :math:`D_1, \ldots, D_{L-1}`."""
    return [network.activation.derivative(values) for values in network.preactivations(x)[:-1]]


def term(network: FullyConnected, layer: int, slopes: tuple[list[Array], list[Array]]) -> Array:
    """The summand of a hidden layer, with the `slopes` before it and behind it."""
    before, behind = slopes
    product = network.weights[0]
    for place, weight in enumerate(network.weights[1:], start=1):
        slope = before[place - 1] if place < layer else behind[place - 1]
        if place == layer:
            slope = before[place - 1] - behind[place - 1]
        product = weight @ (slope[..., None] * product)
    return np.asarray(product)


def difference_is_a_sum(network: FullyConnected, x: Array, y: Array) -> Relation:
    """Both sides of the identity."""
    slopes = slopes_of(network, x), slopes_of(network, y)
    total = sum(term(network, layer, slopes) for layer in range(1, network.depth))
    return eq(network.jacobian(x) - network.jacobian(y), np.asarray(total), over=2)


# False variants


def all_at_one_point(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The layers before the change at the point y, too."""
    slopes, others = slopes_of(network, x), slopes_of(network, y)
    total = 0 * network.jacobian(x)
    for layer in range(1, network.depth):
        mixed = [*others[: layer - 1], *slopes[layer - 1 :]]
        total = total + term(network, layer, (mixed, others))
    return eq(network.jacobian(x) - network.jacobian(y), total, over=2)


def the_last_layer_only(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The summand of the last hidden layer."""
    slopes = slopes_of(network, x), slopes_of(network, y)
    return eq(network.jacobian(x) - network.jacobian(y), term(network, network.depth - 1, slopes), over=2)


TELESCOPING = Claim(
    id="bottleneck_structure.prop_13.telescoping",
    title="The difference of two Jacobians is a sum over the hidden layers",
    source=SOURCE,
    statement=difference_is_a_sum,
    domain=Domain(
        {"network": Networks(slope=(-2, 2)), "x": reals("inputs"), "y": reals("inputs")},
        {"depth": (3, 4, 6, 13), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2)},
    ),
    false_neighbours={"all at one point": all_at_one_point, "the last layer only": the_last_layer_only},
)
