r"""Balancedness: the gradients before and after a neuron agree along its rescaling.

Statement
    The derivative of any loss in the direction of a rescaling is zero: the inner products of the incoming and of the outgoing
    weights of a neuron with their gradients are equal. At a critical point of the loss plus :math:`\lambda\|\theta\|^2`
    the two squared norms are therefore equal, for the share of the regulariser in the two inner products is all that is left.
Checked
    The equality at every hidden neuron, for every linear function of the outputs: to first order every loss is one at each
    point.
Proof idea
    The function does not change along the rescaling.
Source
    bottleneck_structure, Section 2 (balancedness).
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Networks, Relation, Source, eq, reals
from verify.arithmetic import Array
from verify.networks import FullyConnected


def gradient_of_preactivations(network: FullyConnected, x: Array, direction: Array) -> list[Array]:
    r""":math:`\delta_\ell = J(\tilde\alpha_\ell \to f)^T direction` for every layer, the gradient by :math:`b_\ell`."""
    return [
        (network.jacobian_from_layer(layer, x).swapaxes(-1, -2) @ direction[..., None])[..., 0]
        for layer in range(1, network.depth + 1)
    ]


def along_incoming(network: FullyConnected, x: Array, direction: Array, layer: int) -> Array:
    r"""Inner products of the rows of :math:`W_\ell` with their gradients, which are those of :math:`\delta_\ell
    \alpha_{\ell-1}^T`.
    """
    delta = gradient_of_preactivations(network, x, direction)[layer - 1]
    return np.asarray(delta * (network.weights[layer - 1] @ network.activations(x)[layer - 1][..., None])[..., 0])


def along_outgoing(network: FullyConnected, x: Array, direction: Array, layer: int) -> Array:
    r"""Inner products of the columns of :math:`W_{\ell+1}` with their gradients."""
    delta = gradient_of_preactivations(network, x, direction)[layer]
    gradient = delta[..., :, None] * network.activations(x)[layer][..., None, :]
    return np.asarray((network.weights[layer] * gradient).sum(axis=-2))


def gradients_agree(network: FullyConnected, x: Array, direction: Array) -> Relation:
    r"""For each hidden neuron, for the gradients of :math:`\langle direction, f(x) \rangle`."""
    relation = Relation(())
    for layer in range(1, network.depth):
        delta = gradient_of_preactivations(network, x, direction)[layer - 1]
        into = along_incoming(network, x, direction, layer) + delta * network.biases[layer - 1]
        relation &= eq(into, along_outgoing(network, x, direction, layer), name=f"layer {layer}", over=1)
    return relation


# False variants


def without_the_bias(network: FullyConnected, x: Array, direction: Array) -> Relation:
    """The incoming weights alone, at the first layer."""
    return eq(along_incoming(network, x, direction, 1), along_outgoing(network, x, direction, 1), over=1)


def before_the_activation(network: FullyConnected, x: Array, direction: Array) -> Relation:
    """The gradient of the outgoing weights with the pre-activations in place of the activations."""
    deltas, values = gradient_of_preactivations(network, x, direction), network.preactivations(x)[0]
    into = along_incoming(network, x, direction, 1) + deltas[0] * network.biases[0]
    out = (network.weights[1] * deltas[1][..., :, None] * values[..., None, :]).sum(axis=-2)
    return eq(into, out, over=1)


GRADIENTS = Claim(
    id="bottleneck_structure.balancedness.gradients",
    title="The gradients before and after a neuron agree along its rescaling",
    source=Source("bottleneck_structure", "Section 2, balancedness"),
    statement=gradients_agree,
    domain=Domain(
        {"network": Networks(slope=(-2, 2)), "x": reals("inputs"), "direction": reals("outputs")},
        {"depth": (2, 3, 4, 7), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
    ),
    false_neighbours={"without the bias": without_the_bias, "the values before the activation": before_the_activation},
)
