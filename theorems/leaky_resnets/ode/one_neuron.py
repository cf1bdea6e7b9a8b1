"""One neuron with constant weights: solution and rate of the steps."""

import numpy as np

from theorems.leaky_resnets.ode.statement import SOURCE
from verify import Claim, Domain, Rate, derived, integers, interval
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import equidistant_steps
from verify.words import eq, relu, where


def solution(x, b, r, growth):
    r"""The closed form where :math:`e^{rp}` is `growth`."""
    return (x + b / r) * growth - b / r


def one_neuron(size, negative, pace, shrinking, b, L, v, growth):
    """A start of either sign, L, the weights (v, b), the rate and its exponential where it is seen; v - L of a positive start
    is plus or minus the pace.
    """
    r = where(negative == 1, -L, (1 - 2 * shrinking) * pace)
    return (1 - 2 * negative) * size, L, where(negative == 1, v, r + L), b, r, where(r > 0, growth, 1 / growth)


def one_neuron_solves(neuron, leak=1):
    """The equation and the start against the closed form."""
    x, L, v, b, r, growth = neuron
    alpha = solution(x, b, r, growth)
    return eq(r * (alpha + b / r) + leak * L * alpha, v * relu(alpha) + b, name="equation") & eq(
        solution(x, b, r, 1), x, name="start"
    )


def not_rectified(neuron):
    """The weight acts on negative activations, too."""
    x, L, v, b, r, growth = neuron
    alpha = solution(x, b, r, growth)
    return eq(r * (alpha + b / r) + L * alpha, v * alpha + b)


def keeps_its_sign(neuron):
    """Whether the closed form, which is monotone, has no zero up to where it is seen."""
    x, _, _, b, r, growth = neuron
    return solution(x, b, r, growth) * x > 0


def error_of_steps(counts):
    """Distance of M equidistant steps from the closed form at p = 1, for one neuron that grows."""
    networks = [LeakyResNet([np.array([[2.0, 0.5]])] * int(M), 1.0, equidistant_steps(int(M))) for M in counts]
    return np.array([abs(f(np.ones((1, 1)))[0, 0] - solution(1.0, 0.5, 1.0, np.exp(1.0))) for f in networks])


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
                b=interval(-1, 1),
                L=interval(1 / 4, 3),
                v=interval(-2, 2),
                growth=interval(1, 8),
            )
        },
        {},
        {SAME_SIGN: keeps_its_sign},
    ),
    needs=(SAME_SIGN,),
    false_variants={"no leak": {"leak": 0}, "not rectified": not_rectified},
    rate=Rate(error_of_steps, (8, 16, 32, 64, 128, 256, 512), -1.0),
)
