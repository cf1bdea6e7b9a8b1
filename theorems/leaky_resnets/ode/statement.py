"""Layers are steps of the equation; steps of length 1/L make a fully connected network."""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from verify import Claim, Domain, Relation, Sizes, Source, eq, reals
from verify.arithmetic import Array
from verify.networks import FullyConnected, LeakyResNet
from verify.networks.leaky_resnet import feature_matrix, rectified


def step_of_the_equation(network: LeakyResNet, layer: int, before: Array) -> Array:
    r""":math:`\alpha + \rho(W\sigma(\alpha) - L\alpha)`."""
    moved = network.weights[layer] @ feature_matrix(before) - network.leak[..., None, None] * before
    return np.asarray(before + network.steps[..., layer, None, None] * moved)


def all_layers(network: LeakyResNet, x: Array) -> tuple[Array, Array]:
    """The activations before and after every layer, shapes ``(..., M, w, N)``."""
    values = network.activations(x)
    return np.stack(values[:-1], axis=-3), np.stack(values[1:], axis=-3)


def layers_are_steps(network: LeakyResNet, x: Array) -> Relation:
    """Every layer against the step of the equation, and the value of every point against that of all points."""
    before, after = all_layers(network, x)
    steps = [step_of_the_equation(network, layer, before[..., layer, :, :]) for layer in range(network.depth)]
    outputs = after[..., -1, :, :]
    return (
        eq(after, np.stack(steps, axis=-3), name="layer", over=3)
        & eq(network(x[..., ::-1]), outputs[..., ::-1], name="order", over=2)
        & eq(network(x[..., :1]), outputs[..., :1], name="one point", over=2)
    )


def with_full_steps(network: LeakyResNet) -> LeakyResNet:
    """The network with the same weights and leak and steps of length 1/L."""
    return LeakyResNet(network.weights, network.leak, (1 / network.leak)[..., None] + 0 * network.steps)


def dense(network: LeakyResNet, inputs: Array, scale: Array) -> Array:
    """Outputs of the fully connected network with the weights and biases divided by `scale`, batch-shaped."""
    weights = [weight / scale[..., None, None] for weight in network.weights]
    found = FullyConnected([weight[..., :-1] for weight in weights], [weight[..., -1] for weight in weights])
    # points are rows of a fully connected network; its batch comes last of the leading axes
    return np.moveaxis(found(np.moveaxis(inputs, -1, 0)), 0, -1)


def full_steps_forget(network: LeakyResNet, x: Array) -> Relation:
    """A network with steps of length 1/L against the fully connected one."""
    return eq(with_full_steps(network)(x), dense(network, rectified(x), network.leak), over=2)


# False variants


def leak_not_scaled_by_the_step(network: LeakyResNet, x: Array) -> Relation:
    """The leak is that of a step of length 1."""
    before, after = all_layers(network, x)
    moved = np.stack(network.weights, axis=-3) @ feature_matrix(before)
    return eq(after, (1 - network.leak[..., None, None, None]) * before + network.steps[..., None, None] * moved, over=3)


def bias_not_scaled_by_the_step(network: LeakyResNet, x: Array) -> Relation:
    """The bias is added as a whole in every layer."""
    before, after = all_layers(network, x)
    steps, weights = network.steps[..., None, None], np.stack(network.weights, axis=-3)
    moved = weights[..., :-1] @ rectified(before) - network.leak[..., None, None, None] * before
    return eq(after, before + steps * moved + weights[..., -1:], over=3)


def points_are_centred(network: LeakyResNet, x: Array) -> Relation:
    """Every layer sees the differences from the mean over the points."""
    before, after = all_layers(network, x)
    centred = before - before.sum(axis=-1, keepdims=True) / before.shape[-1]
    moved = np.stack(network.weights, axis=-3) @ feature_matrix(centred) - network.leak[..., None, None, None] * before
    return eq(after, before + network.steps[..., None, None] * moved, over=3)


def inputs_not_rectified(network: LeakyResNet, x: Array) -> Relation:
    """The fully connected network of the inputs themselves."""
    return eq(with_full_steps(network)(x), dense(network, x, network.leak), over=2)


def weights_not_divided(network: LeakyResNet, x: Array) -> Relation:
    """The fully connected network with the weights themselves."""
    return eq(with_full_steps(network)(x), dense(network, rectified(x), 0 * network.leak + 1), over=2)


def price(sizes: Sizes) -> int:
    """Rationals grow from layer to layer."""
    return sizes["depth"]


SOURCE = Source("leaky_resnets", "Section 1.1")

NETWORKS = {"network": drawn_networks(), "x": reals("width", "points")}

CLAIM = Claim(
    id="leaky_resnets.ode",
    title="Layers of a leaky ResNet are steps of its differential equation",
    source=SOURCE,
    statement=layers_are_steps,
    domain=Domain(NETWORKS, {"depth": (1, 2, 3, 6, 14), "width": range(1, 4), "points": range(1, 4)}),
    false_neighbours={
        "leak not scaled by the step": leak_not_scaled_by_the_step,
        "bias not scaled by the step": bias_not_scaled_by_the_step,
        "activations centred over the points": points_are_centred,
    },
    cost=price,
)

FULLY_CONNECTED = Claim(
    id="leaky_resnets.ode.fully_connected",
    title="Steps of length 1/L make a fully connected network",
    source=SOURCE,
    statement=full_steps_forget,
    domain=Domain(NETWORKS, {"depth": (1, 2, 3, 6), "width": range(1, 4), "points": (2,)}),
    false_neighbours={"inputs not rectified": inputs_not_rectified, "weights not divided by L": weights_not_divided},
    cost=price,
)
