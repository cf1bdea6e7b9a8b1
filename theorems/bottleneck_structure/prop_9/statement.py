r"""Proposition 9 (1): where a network is steep the mixed derivative of its kernel is of order L.

Statement
    For a ReLU network of depth L and a point x, :math:`\|\partial^2_{xy}\Theta(x, x)\|_{op} \ge
    2L\, \|Jf(x)\|_{op}^{2 - 2/L}`.
Correction
    The factor is L, as in the proof. For a leaky ReLU of slope a in [-1, 1] below zero the right side takes the factor
    :math:`|a|^{2(L-1)/L}`, which for some instances is too small.
Checked
    The corrected inequality for outputs of any dimension; the printed one is refuted where the Jacobian exists and is not
    zero, and :math:`L \ge 2`.
Proof idea
    For a unit vector v of outputs the quadratic form at :math:`u \otimes v` is :math:`\sum_\ell \|J\alpha_{\ell-1} u\|^2
    \|J(\tilde\alpha_\ell \to f)^T v\|^2`; neighbouring factors have products of at least :math:`(v^T Jf u)^2`, and the
    inequality of means gives the root.
Sharp
    Chains of equal weights; of leaky activations where all hidden values are negative.
Source
    bottleneck_structure, Proposition 18 (1); the leaky form is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.activations import is_smooth
from verify import Claim, Domain, FalseAsPrinted, Networks, Relation, Source, Tight, derived, integers, le, reals, slopes
from verify.arithmetic import Array, absolute, compare, power, rationals
from verify.matrices import operator_norm
from verify.networks import FullyConnected, leaky_relu
from verify.networks.ntk import ntk_mixed_derivative


def leaky_factor(network: FullyConnected) -> Array:
    r""":math:`|a|^{2(L-1)/L}`, or 1 for the ReLU."""
    slope = absolute(network.activation.negative) + 0 * network.weights[0][..., 0, 0]
    slope = np.where(compare(slope, 0) == 0, 0 * slope + 1, slope)
    return power(slope, Fraction(2 * (network.depth - 1), network.depth))


def steepness(network: FullyConnected, x: Array) -> Array:
    r""":math:`\|Jf(x)\|_{op}^{2 - 2/L}`."""
    return power(operator_norm(network.jacobian(x)), Fraction(2 * (network.depth - 1), network.depth))


def kernel_bends(network: FullyConnected, x: Array, factor: int = 1) -> Relation:
    """Both sides of the first inequality; the factor is 2 in the paper."""
    least = factor * network.depth * steepness(network, x) * leaky_factor(network)
    return le(least, operator_norm(ntk_mixed_derivative(network, x)))


def as_printed(network: FullyConnected, x: Array) -> Relation:
    """The inequality with the factor 2."""
    return kernel_bends(network, x, factor=2)


# False variants


def without_the_leak(network: FullyConnected, x: Array) -> Relation:
    """For leaky networks as for the ReLU."""
    return le(network.depth * steepness(network, x), operator_norm(ntk_mixed_derivative(network, x)))


def with_the_square(network: FullyConnected, x: Array) -> Relation:
    """The exponent 2 for 2 - 2/L."""
    least = network.depth * operator_norm(network.jacobian(x)) ** 2 * leaky_factor(network)
    return le(least, operator_norm(ntk_mixed_derivative(network, x)))


def with_identities(network: FullyConnected, kind: Array) -> FullyConnected:
    """The network (kind 0), or equal diagonal weights 2 in every layer and no biases (1)."""
    chain = kind[..., None, None]
    weights = [(1 - chain) * weight + 2 * chain * np.eye(*weight.shape[-2:], dtype=np.int64) for weight in network.weights]
    biases = [(1 - kind)[..., None] * bias for bias in network.biases]
    return FullyConnected(weights, biases, network.activation)


def with_slope(network: FullyConnected, slope: Array) -> FullyConnected:
    """The network with another slope below zero."""
    return FullyConnected(network.weights, network.biases, leaky_relu(slope))


def is_steep(network: FullyConnected, x: Array) -> npt.NDArray[np.bool_]:
    """Whether the Jacobian is not zero and the network has hidden layers."""
    steep = (compare(network.jacobian(x), 0) != 0).any(axis=(-2, -1))
    return np.asarray(steep & (network.depth >= 2))


def chain(*weights: int, slope: object = 0, **others: Any) -> dict[str, Any]:
    """One neuron in every layer."""
    network = FullyConnected([rationals([[[weight]]]) for weight in weights], activation=leaky_relu(rationals(slope)))
    return {"network": network, **others}


def equal_weights(depth: int = 3, slope: object = 0, side: int = 1) -> dict[str, Any]:
    """Weights 2 at a point on one side of the kinks."""
    return chain(*[2] * depth, slope=slope, x=rationals([[side]]))


SIZES = {"depth": (1, 2, 3, 6), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
RELU = derived(with_identities, network=Networks(), kind=integers(0, 1))
LEAKY = derived(with_slope, network=RELU, slope=slopes(-1, 1))
SOURCE = Source("bottleneck_structure", "Proposition 18")

CLAIM = Claim(
    id="bottleneck_structure.prop_9",
    title="Where a network is steep its kernel bends by order L",
    source=SOURCE,
    statement=kernel_bends,
    cost=2,
    domain=Domain({"network": LEAKY, "x": reals("inputs")}, SIZES),
    tight={
        "a chain of weights 2": Tight(equal_weights),
        "six layers": Tight(partial(equal_weights, 6)),
        "slope 1/2": Tight(partial(equal_weights, 3, "1/2", -1)),
        "slope -1/3, two layers": Tight(partial(equal_weights, 2, "-1/3", -1)),
    },
    false_neighbours={"leaky, without the factor": without_the_leak, "the square of the Jacobian": with_the_square},
)

PRINTED = Claim(
    id="bottleneck_structure.prop_9.printed",
    title="The first inequality with the factor 2",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=as_printed,
    domain=Domain(
        {"network": Networks(), "x": reals("inputs")},
        SIZES,
        {"f is steep, in a network with hidden layers": is_steep, "no hidden neuron at its kink": is_smooth},
    ),
    false_neighbours={},
)
