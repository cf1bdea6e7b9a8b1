r"""A leaky ResNet moves every point by the differential equation
:math:`\partial_p\alpha_p(x) = -L\alpha_p(x) + W_p\sigma(\alpha_p(x))`, :math:`\alpha_0(x) = x`, on [0, 1].

:math:`\sigma` appends an entry 1 to the ReLU, so that the last column of W is a bias. L = 0 is the NeuralODE. Steps of length
:math:`\rho` give :math:`\alpha_\ell = (1 - \rho L)\alpha_{\ell-1} + \rho W\sigma(\alpha_{\ell-1})`; of length 1 the ResNet with
leak, and at :math:`\rho L = 1` a fully connected network.

What is checked: that a layer is such a step, with the last column as a bias, and that points do not see each other, whatever
their order; that networks with :math:`\rho L = 1` are fully connected networks of the rectified inputs, with weights divided
by L; for one neuron with constant weights (v, b), that the solution is

.. math:: \alpha_p = \Bigl(x + \frac br\Bigr)e^{rp} - \frac br ,
          \quad r = v - L \text{ if } x > 0, \quad r = -L \text{ if } x < 0 ,

as long as its sign does not change (for v = 0 it is :math:`\frac bL(1 - e^{-Lp}) + e^{-Lp}x`), also as the engine
integrates it; and that equidistant steps approach it at the rate 1/M.

Source: leaky_resnets, Section 1.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from verify import Claim, Domain, Rate, Relation, Sizes, Source, derived, eq, integers, interval, reals
from verify.arithmetic import Array, absolute, compare, exp
from verify.networks import ContinuousLeakyResNet, FullyConnected, LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps, rectified, squared_norm


def sizes(network: LeakyResNet, x: Array) -> Array:
    """Size of what is added in the layers."""
    total = 1 + squared_norm(x)
    for layer, weight in enumerate(network.weights):
        step = network.steps[..., layer]
        total = total * (1 + absolute(step * network.leak) + step * (1 + squared_norm(weight))) ** 2
    return np.asarray(total)


def layers_are_steps(network: LeakyResNet, x: Array, *, leak_power: int = 1, bias_power: int = 1, mean: int = 0) -> Relation:
    """Every layer against the step of the equation, and the value of every single point against that of all points."""
    values = network.activations(x)
    size = sizes(network, x)[..., None, None]
    relation = Relation(())
    for layer, weight in enumerate(network.weights):
        before, step = values[layer], network.steps[..., layer, None, None]
        centre = mean * before.sum(axis=-1, keepdims=True) / before.shape[-1]
        moved = (
            weight[..., :-1] @ rectified(before - centre) - step ** (leak_power - 1) * network.leak[..., None, None] * before
        )
        stated = before + step * moved + step**bias_power * weight[..., -1:]
        relation &= eq(values[layer + 1], stated, scale=size, over=2)
    order = list(reversed(range(x.shape[-1])))
    relation &= eq(network(x[..., order]), values[-1][..., order], scale=size, over=2)
    return relation & eq(network(x[..., :1]), values[-1][..., :1], scale=size, over=2)


def full_steps(network: LeakyResNet) -> LeakyResNet:
    r"""The network with the same weights and leak and steps of length 1/L."""
    return LeakyResNet(network.weights, network.leak, (1 / network.leak)[..., None] + 0 * network.steps)


def as_fully_connected(network: LeakyResNet) -> FullyConnected:
    r"""What a network with :math:`\rho L = 1` makes of rectified inputs: its weights and biases divided by L."""
    scale = network.leak[..., None, None]
    weights = [weight / scale for weight in network.weights]
    return FullyConnected([weight[..., :-1] for weight in weights], [weight[..., -1] for weight in weights])


def full_steps_forget(network: LeakyResNet, x: Array, *, rectify: bool = True, scaled: bool = True) -> Relation:
    """A network with steps of length 1/L against the fully connected one."""
    leaky = full_steps(network)
    dense = as_fully_connected(leaky)
    if not scaled:
        dense = FullyConnected([weight * leaky.leak[..., None, None] for weight in dense.weights], dense.biases)
    inputs = rectified(x) if rectify else x
    # points are rows of a fully connected network; its batch comes last of the leading axes
    rows = np.moveaxis(inputs, -1, 0)
    return eq(leaky(x), np.moveaxis(dense(rows), 0, -1), scale=sizes(leaky, x)[..., None, None], over=2)


@dataclass(frozen=True, eq=False)
class OneNeuron:
    """One neuron with constant weights, at one point; all of batch shape.

    Attributes
    ----------
    start, leak, slope, bias
        x, L, and the weights (v, b).
    rate
        r, not zero: v - L for a positive start, -L for a negative one.
    integrate
        Whether the engine is asked, too.
    """

    start: Array
    leak: Array
    slope: Array
    bias: Array
    rate: Array
    integrate: bool = False

    def __getitem__(self, index: Any) -> OneNeuron:
        start, leak, slope, bias, rate = (part[index] for part in (self.start, self.leak, self.slope, self.bias, self.rate))
        return OneNeuron(start, leak, slope, bias, rate, self.integrate)

    def at(self, position: Array) -> Array:
        """The closed form at a position of batch shape."""
        return np.asarray((self.start + self.bias / self.rate) * exp(self.rate * position) - self.bias / self.rate)

    def by_the_engine(self, position: Array) -> tuple[Array, Array]:
        """The same by the engine, with a bound on the error: time is stretched so that all end at the same position."""
        weights = np.stack([self.slope * position, self.bias * position], axis=-1)[..., None, :]
        network = ContinuousLeakyResNet.piecewise_constant([weights], self.leak * position)
        path = network.activations(self.start[..., None, None], [1.0])
        return path.values[..., 0, 0, 0], path.accuracy


def one_neuron(
    size: Array, negative: Array, pace: Array, shrinking: Array, bias: Array, leak: Array, slope: Array, integrated: int
) -> OneNeuron:
    """A neuron with a start of either sign; the slope of a positive one is L plus or minus the pace."""
    rate = np.where(compare(negative, 0) == 1, -leak, (1 - 2 * shrinking) * pace)
    weight = np.where(compare(negative, 0) == 1, slope, rate + leak)
    return OneNeuron((1 - 2 * negative) * size, leak, weight, bias, rate, bool(integrated))


def keeps_its_sign(neuron: OneNeuron) -> npt.NDArray[np.bool_]:
    """Whether the closed form, which is monotone, has no zero in [0, 1]."""
    return np.asarray(compare(neuron.at(1 + 0 * neuron.leak) * neuron.start, 0) == 1)


def one_neuron_solves(
    neuron: OneNeuron, position: Array, *, leak: int = 1, bias_percent: int = 100, start: int = 0
) -> Relation:
    """The equation, the start and the integrated network against the closed form."""
    value = neuron.at(position)
    derivative = neuron.rate * (value + neuron.bias / neuron.rate)
    stated = neuron.slope * rectified(value) - leak * neuron.leak * value + neuron.bias * bias_percent / 100
    size = 1 + absolute(value) * (absolute(neuron.slope) + neuron.leak) + absolute(neuron.bias) + absolute(neuron.start)
    relation = eq(derivative, stated, scale=size) & eq(neuron.at(0 * position + start), neuron.start, scale=size)
    if neuron.integrate:
        found, error = neuron.by_the_engine(position)
        relation &= eq(found, value, scale=size, noise=error)
    return relation


def error_of_steps(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of M equidistant steps from the closed form, for one neuron that grows."""
    start, leak, slope, bias, rate = map(np.array, (1.0, 1.0, 2.0, 0.5, 1.0))
    neuron = OneNeuron(start, leak, slope, bias, rate)
    weights = np.array([[2.0, 0.5]])
    exact = neuron.at(np.array(1.0))
    errors = []
    for count in counts:
        network = LeakyResNet([weights] * int(count), 1.0, equidistant_steps(int(count)))
        errors.append(abs(network(np.ones((1, 1)))[0, 0] - exact))
    return np.asarray(errors)


def cost(sizes: Sizes) -> int:
    """An integration costs more than a formula."""
    return 32 if sizes["integrated"] else 1


SOURCE = Source("leaky_resnets", "Section 1.1")

CLAIM = Claim(
    id="leaky_resnets.ode",
    title="Layers of a leaky ResNet are steps of its differential equation",
    source=SOURCE,
    statement=layers_are_steps,
    domain=Domain(
        {"network": drawn_networks(), "x": reals("width", "points")},
        {"depth": range(1, 3), "width": range(1, 3), "points": range(1, 4)},
    ),
    false_neighbours={
        "leak not scaled by the step": partial(layers_are_steps, leak_power=0),
        "bias not scaled by the step": partial(layers_are_steps, bias_power=0),
        "activations centred over the points": partial(layers_are_steps, mean=1),
    },
)

FULLY_CONNECTED = Claim(
    id="leaky_resnets.ode.fully_connected",
    title="Steps of length 1/L make a fully connected network",
    source=SOURCE,
    statement=full_steps_forget,
    domain=Domain(
        {"network": drawn_networks(), "x": reals("width", "points")},
        {"depth": range(1, 4), "width": range(1, 3), "points": (2,)},
    ),
    false_neighbours={
        "inputs not rectified": partial(full_steps_forget, rectify=False),
        "weights not divided by L": partial(full_steps_forget, scaled=False),
    },
)

ONE_NEURON = Claim(
    id="leaky_resnets.ode.one_neuron",
    title="One neuron with constant weights, in closed form",
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
            ),
            "position": interval(0, 1),
        },
        {"integrated": (0, 1)},
        {"the sign does not change": keeps_its_sign},
    ),
    needs=("the sign does not change",),
    false_neighbours={
        "no leak": partial(one_neuron_solves, leak=0),
        "1 % more bias": partial(one_neuron_solves, bias_percent=101),
        "from the end": partial(one_neuron_solves, start=1),
    },
    rate=Rate(error_of_steps, (8, 16, 32, 64, 128, 256, 512), -1.0),
    cost=cost,
)
