r"""A leaky ResNet moves every point by a differential equation, of which its layers are steps.

Statement
    :math:`\partial_p\alpha_p(x) = -L\alpha_p(x) + W_p\sigma(\alpha_p(x))`, :math:`\alpha_0(x) = x`, on [0, 1], where
    :math:`\sigma` appends an entry 1 to the ReLU, so that the last column of W is a bias. L = 0 is the NeuralODE. Steps of
    length :math:`\rho` give :math:`\alpha_\ell = (1 - \rho L)\alpha_{\ell-1} + \rho W\sigma(\alpha_{\ell-1})`; at
    :math:`\rho L = 1` this is a fully connected network (``.fully_connected``). One neuron with constant weights (v, b) has
    the solution (``.one_neuron``)

    .. math:: \alpha_p = \Bigl(x + \frac br\Bigr)e^{rp} - \frac br ,
              \quad r = v - L \text{ if } x > 0, \quad r = -L \text{ if } x < 0 ,

    as long as its sign does not change.
Checked
    That a layer is such a step, and that points do not see each other, whatever their order; that networks with
    :math:`\rho L = 1` are fully connected networks of the rectified inputs, with weights divided by L; the solution; and that
    equidistant steps approach it at the rate 1/M.
Source
    leaky_resnets, Section 1.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from verify import Claim, Domain, Rate, Relation, Sizes, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, compare
from verify.networks import FullyConnected, LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps, feature_matrix, rectified


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


@dataclass(frozen=True, eq=False)
class OneNeuron:
    """One neuron with constant weights, at one point; all of batch shape.

    Attributes
    ----------
    start, leak, slope, bias
        x, L, and the weights (v, b).
    rate
        r, not zero: v - L for a positive start, -L for a negative one.
    growth
        :math:`e^{rp}` for the position p > 0 where it is seen.
    """

    start: Array
    leak: Array
    slope: Array
    bias: Array
    rate: Array
    growth: Array

    def __getitem__(self, index: Any) -> OneNeuron:
        return OneNeuron(*(part[index] for part in (self.start, self.leak, self.slope, self.bias, self.rate, self.growth)))

    def at(self, growth: Array) -> Array:
        r"""The closed form where :math:`e^{rp}` is `growth`."""
        return np.asarray((self.start + self.bias / self.rate) * growth - self.bias / self.rate)


def one_neuron(
    size: Array, negative: Array, pace: Array, shrinking: Array, bias: Array, leak: Array, slope: Array, growth: Array
) -> OneNeuron:
    """A neuron with a start of either sign; the slope of a positive one is L plus or minus the pace."""
    below = compare(negative, 0) == 1
    rate = np.where(below, -leak, (1 - 2 * shrinking) * pace)
    seen = np.where(compare(rate, 0) == 1, growth, 1 / growth)
    return OneNeuron((1 - 2 * negative) * size, leak, np.where(below, slope, rate + leak), bias, rate, seen)


def keeps_its_sign(neuron: OneNeuron) -> npt.NDArray[np.bool_]:
    """Whether the closed form, which is monotone, has no zero up to where it is seen."""
    return np.asarray(compare(neuron.at(neuron.growth) * neuron.start, 0) == 1)


def one_neuron_solves(neuron: OneNeuron) -> Relation:
    """The equation and the start against the closed form."""
    value = neuron.at(neuron.growth)
    derivative = neuron.rate * (value + neuron.bias / neuron.rate)
    stated = neuron.slope * rectified(value[..., None, None])[..., 0, 0] + neuron.bias
    return eq(derivative + neuron.leak * value, stated, name="equation") & eq(
        neuron.at(0 * neuron.growth + 1), neuron.start, name="start"
    )


def error_of_steps(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of M equidistant steps from the closed form at p = 1, for one neuron that grows."""
    start, leak, slope, bias, rate = map(np.array, (1.0, 1.0, 2.0, 0.5, 1.0))
    exact = OneNeuron(start, leak, slope, bias, rate, np.exp(rate)).at(np.exp(rate))
    networks = [LeakyResNet([np.array([[2.0, 0.5]])] * int(count), 1.0, equidistant_steps(int(count))) for count in counts]
    return np.asarray([abs(network(np.ones((1, 1)))[0, 0] - exact) for network in networks])


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


def neuron_without_leak(neuron: OneNeuron) -> Relation:
    """The closed form solves the equation of the NeuralODE."""
    value = neuron.at(neuron.growth)
    derivative = neuron.rate * (value + neuron.bias / neuron.rate)
    return eq(derivative, neuron.slope * rectified(value[..., None, None])[..., 0, 0] + neuron.bias)


def neuron_without_rectification(neuron: OneNeuron) -> Relation:
    """The weight acts on negative activations, too."""
    value = neuron.at(neuron.growth)
    derivative = neuron.rate * (value + neuron.bias / neuron.rate)
    return eq(derivative + neuron.leak * value, neuron.slope * value + neuron.bias)


def price(sizes: Sizes) -> int:
    """Rationals grow from layer to layer."""
    return sizes["depth"]


SOURCE = Source("leaky_resnets", "Section 1.1")
NETWORKS = {"network": drawn_networks(), "x": reals("width", "points")}
SAME_SIGN = "the sign does not change"

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

ONE_NEURON = Claim(
    id="leaky_resnets.ode.one_neuron",
    title="One neuron with constant weights moves exponentially",
    source=SOURCE,
    statement=one_neuron_solves,
    domain=Domain(
        {
            "neuron": derived(
                one_neuron,
                size=interval(1 / 4, 2),
                negative=integers(0, 1),
                pace=interval(1 / 4, 2),
                shrinking=integers(0, 1),
                bias=interval(-1, 1),
                leak=interval(1 / 4, 3),
                slope=interval(-2, 2),
                growth=interval(1, 8),
            )
        },
        {},
        {SAME_SIGN: keeps_its_sign},
    ),
    needs=(SAME_SIGN,),
    false_neighbours={"no leak": neuron_without_leak, "not rectified": neuron_without_rectification},
    rate=Rate(error_of_steps, (8, 16, 32, 64, 128, 256, 512), -1.0),
)
