r"""Proposition 9 (1): the mixed derivative of the kernel is of order L.

Statement
    For a ReLU network of depth L and a point x, :math:`\|\partial^2_{xy}\Theta(x, x)\|_{op} \ge
    2L\, \|Jf(x)\|_{op}^{2 - 2/L}`.
Correction
    The factor is L, as in the proof. For a leaky ReLU of slope a in [-1, 1] below zero the right side takes the factor
    :math:`|a|^{2(L-1)/L}`, which for some instances is too small.
Checked
    The corrected inequality for outputs of any dimension; beyond [-1, 1] it fails. The printed one is refuted where the
    Jacobian exists and is not zero, and :math:`L \ge 2`.
Proof idea
    For a unit vector v of outputs the quadratic form at :math:`u \otimes v` is :math:`\sum_\ell \|J\alpha_{\ell-1} u\|^2
    \|J(\tilde\alpha_\ell \to f)^T v\|^2`; neighbouring factors have products of at least :math:`(v^T Jf u)^2`, and the
    inequality of means gives the root.
Tight
    Chains of equal weights; of leaky activations where all hidden values are negative.
Source
    bottleneck_structure, Proposition 18 (1); the leaky form is derived here.
"""

from functools import partial

import numpy as np

from theorems.shared.activations import SLOPES, is_smooth
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Networks, Source, derived, integers, reals, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.networks.ntk import ntk_mixed_derivative
from verify.numbers.arithmetic import rationals
from verify.words import Q, absolute, le, lifted, operator_norm, power, where

fully_connected, leaky, smooth = lifted(FullyConnected), lifted(leaky_relu), lifted(is_smooth)
mixed_derivative = lifted(ntk_mixed_derivative)


def leaky_factor(f):
    r""":math:`|a|^{2(L-1)/L}`, or 1 for the ReLU."""
    a = absolute(f.activation.negative)
    return power(where(a == 0, 1, a), Q(2 * (f.depth - 1), f.depth))


def steepness(f, x):
    r""":math:`\|Jf(x)\|_{op}^{2 - 2/L}`."""
    return power(operator_norm(f.jacobian(x)), Q(2 * (f.depth - 1), f.depth))


def kernel_bends(f, x, factor=1):
    return le(factor * f.depth * steepness(f, x) * leaky_factor(f), operator_norm(mixed_derivative(f, x)))


def without_the_leak(f, x):
    return le(f.depth * steepness(f, x), operator_norm(mixed_derivative(f, x)))


def square_of_the_jacobian(f, x):
    return le(f.depth * operator_norm(f.jacobian(x)) ** 2 * leaky_factor(f), operator_norm(mixed_derivative(f, x)))


def with_identities(network, kind):
    """The network (kind 0), or equal diagonal weights 2 in every layer and no biases (1)."""
    weights = [(1 - kind) * W + 2 * kind * np.eye(*W.shape, dtype=np.int64) for W in network.weights]
    return fully_connected(weights, [(1 - kind) * b for b in network.biases], network.activation)


def with_slope(network, slope):
    return fully_connected(network.weights, network.biases, leaky(slope))


def is_steep(f, x):
    return (f.jacobian(x) != 0).any() & (f.depth >= 2)


def slopes_at_most_one(f):
    return f.activation.lipschitz_constant <= 1


def chain(*weights, slope=0, **others):
    """One neuron in every layer."""
    return {"f": FullyConnected([rationals([[W]]) for W in weights], activation=leaky_relu(rationals(slope))), **others}


SIZES = {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
RELU = derived(with_identities, network=Networks(), kind=integers(0, 1), role="network")
LEAKY = derived(with_slope, network=RELU, slope=slopes(-2, 2), role="network")
SOURCE = Source("bottleneck_structure", "Proposition 18")

CLAIM = Claim(
    id="bottleneck_structure.prop_9",
    title="Where a network is steep its kernel bends by order L",
    source=SOURCE,
    status=DerivedHere(),
    statement=kernel_bends,
    cost=2,
    domain=Domain({"f": LEAKY, "x": reals("inputs", role="point")}, SIZES, {SLOPES: slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "a chain of weights 2": partial(chain, 2, 2, 2, x=[1]),
        "six layers": partial(chain, 2, 2, 2, 2, 2, 2, x=[1]),
        "slope 1/2": partial(chain, 2, 2, 2, slope="1/2", x=[-1]),
        "slope -1/3, two layers": partial(chain, 2, 2, slope="-1/3", x=[-1]),
    },
    false_variants={"leaky, without the factor": without_the_leak, "the square of the Jacobian": square_of_the_jacobian},
)

PRINTED = Claim(
    id="bottleneck_structure.prop_9.printed",
    title="The first inequality with the factor 2",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=partial(kernel_bends, factor=2),
    domain=Domain(
        {"f": Networks(), "x": reals("inputs", role="point")},
        SIZES,
        {
            "f is steep, in a network with hidden layers": is_steep,
            "no hidden neuron at its kink": lambda f, x: smooth(f, x),
        },
    ),
)
