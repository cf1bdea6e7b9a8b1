"""One neuron with constant weights: the solution, and the rate at which equidistant steps approach it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.ode.statement import SOURCE
from verify import Claim, Domain, Rate, Relation, derived, eq, integers, interval
from verify.arithmetic import Array, compare
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps, rectified


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


SAME_SIGN = "the sign does not change"

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
