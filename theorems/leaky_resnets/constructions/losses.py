r"""The loss :math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2` of discrete networks, and networks near others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial

import numpy as np

from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import squared_norm
from verify.numbers.arithmetic import Array, compare
from verify.numbers.parameters import widened

STEP = 2**5
"""Central differences have the step 1/32 of the direction: short beside the activations that are drawn."""
SMOOTH = "no activation is zero or changes its sign"


@widened
def misfit(outputs: Array, target: Array) -> Array:
    r""":math:`C(A_M) = \frac1N\|F - A_M\|^2`, of batch shape."""
    return np.asarray(squared_norm(target - outputs) / target.shape[-1])


@widened
def regularisation(network: LeakyResNet, ridge: Array) -> Array:
    r""":math:`\frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2`, of batch shape."""
    return np.asarray(ridge * network.parameter_norm_squared / (2 * network.leak))


@widened
def loss(network: LeakyResNet, x: Array, target: Array, ridge: Array) -> Array:
    """Misfit plus regularisation."""
    return np.asarray(misfit(network(x), target) + regularisation(network, ridge))


@widened
def with_layer_moved(network: LeakyResNet, layer: int, change: Array) -> LeakyResNet:
    """The network with the weights of one layer changed."""
    weights = list(network.weights)
    weights[layer] = weights[layer] + change
    return network.with_parameters(weights)


@widened
def keeps_signs(values: Sequence[Array], *others: Sequence[Array]) -> Array:
    """Whether no entry is zero, and all have the same signs in the others; batch-shaped."""
    kept: Array = np.asarray(True)
    for place, one in enumerate(values):
        signs = compare(one, 0)
        same = signs != 0
        for other in others:
            same = same & (compare(other[place], 0) == signs)
        kept = kept & same.all(axis=(-2, -1))
    return kept


@widened
def difference_weight(place: int, half: int) -> Fraction:
    """Of the values at `place` > 0 and, with a minus, at -place: their sum up to half is the derivative at 0 of any polynomial
    of the degree 2 half.

    Raises
    ------
    ValueError
        `place` is not from 1 to `half`.
    """
    if not 0 < place <= half:
        raise ValueError(f"place must be from 1 to half, {half}, got {place}")
    sign = 1 if place % 2 else -1
    return Fraction(sign * factorial(half) ** 2, place * factorial(half - place) * factorial(half + place))
