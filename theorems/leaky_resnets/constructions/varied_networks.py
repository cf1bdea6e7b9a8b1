"""Networks at critical points of two data, varied along a direction: what the local minimisers of Theorem 4 are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.losses import difference_weight, misfit, regularisation
from verify import Q
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import (
    CriticalNetwork,
)
from verify.numbers.arithmetic import Array, compare
from verify.numbers.parameters import widened

STEP = 64
"""The loss is taken at multiples of the direction, divided by this: no activation becomes negative."""


@widened
def two_point_network(second: Array, gap: Array, rate: Array, leak: Array, depth: int) -> CriticalNetwork:
    r"""The network for the points (second + gap, second), with :math:`\tau` = `rate`; all batch-shaped and positive.

    Raises
    ------
    ValueError
        A number is not positive, or :math:`c = 1 - L(1 - \tau)/M` is not.
    """
    kept = np.asarray(1 - leak * (1 - rate) / depth)
    for name, value in (("second", second), ("gap", gap), ("rate", rate), ("leak", leak), ("1 - leak (1 - rate)/depth", kept)):
        if not (compare(value, 0) == 1).all():
            raise ValueError(f"{name} must be positive, got {value}")
    x = np.stack([second + gap, second], axis=-1)[..., None, :]
    opposite = np.stack([rate / gap, -rate / gap], axis=-1)[..., None, :]
    powers = [np.asarray(kept**layer) for layer in range(depth + 1)]
    activations = tuple(power[..., None, None] * x for power in powers)
    adjoints = tuple(np.asarray(kept / power)[..., None, None] * opposite for power in powers)
    weights = np.stack([leak * rate, 0 * rate], axis=-1)[..., None, :]
    steps = np.stack([0 * leak + 1] * depth, axis=-1) / depth
    return CriticalNetwork(LeakyResNet([weights] * depth, leak, steps), activations, adjoints)


@dataclass(frozen=True, eq=False)
class Varied:
    r"""The network, and others on a line through it: the multiples -M, ..., M of a direction, divided by `STEP`.

    Attributes
    ----------
    critical, gap, rate
        The network, :math:`x_1 - x_2` and :math:`\tau`.
    direction
        Shape ``(..., M, 1, 2)``: weight and bias of each layer.
    networks
        In the order of the multiples.
    positive
        Whether all activations before the outputs are positive in all of them, shape ``(...)``.
    """

    critical: CriticalNetwork
    gap: Array
    rate: Array
    direction: Array
    networks: tuple[LeakyResNet, ...]
    positive: Array

    def __getitem__(self, index: Any) -> Varied:
        found = self.critical
        values = tuple(one[index] for one in found.activations), tuple(one[index] for one in found.adjoints)
        networks = tuple(one[index] for one in self.networks)
        chosen = CriticalNetwork(found.network[index], *values)
        return Varied(chosen, self.gap[index], self.rate[index], self.direction[index], networks, self.positive[index])


@widened
def varied(second: Array, gap: Array, rate: Array, leak: Array, direction: Array) -> Varied:
    """The network of two points with as many layers as `direction` has."""
    critical = two_point_network(second, gap, rate, leak, direction.shape[-3])
    network, x = critical.network, critical.activations[0]
    positive = np.ones(gap.shape, dtype=bool)
    networks = []
    for multiple in range(-network.depth, network.depth + 1):
        weights = [one + multiple * direction[..., k, :, :] / STEP for k, one in enumerate(network.weights)]
        networks.append(network.with_parameters(weights))
        for values in networks[-1].activations(x)[1:-1]:
            positive = positive & (compare(values, 0) == 1).all(axis=(-2, -1))
    return Varied(critical, gap, rate, direction, tuple(networks), positive)


@widened
def slope_and_curvature(values: list[Array]) -> tuple[Array, Array]:
    """First and second derivative of a polynomial of the degree 2M, from its values at the multiples of the direction."""
    half = len(values) // 2
    slope, curvature = 0 * values[half], 0 * values[half]
    for place in range(1, half + 1):
        back, forth = values[half - place], values[half + place]
        weight = Q(difference_weight(place, half))
        slope = slope + weight * (forth - back)
        curvature = curvature + weight * Q(2, place) * (forth + back - 2 * values[half])
    return slope * STEP, curvature * STEP**2


@widened
def derivatives(instance: Varied, target: Array, ridge: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """First and second derivative along the direction, of the misfit and of the regularisation."""
    x = instance.critical.activations[0]
    misfits = [misfit(one(x), target) for one in instance.networks]
    return slope_and_curvature(misfits), slope_and_curvature([regularisation(one, ridge) for one in instance.networks])
