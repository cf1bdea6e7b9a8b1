r"""Stretching the integration range: a network on [0, c] with leak L/c is a network on [0, 1] with leak L.

With :math:`W'_q = \frac1cW_{q/c}` and leak L/c on [0, c] the activations are stretched, :math:`\alpha'_q = \alpha_{q/c}`, and

.. math:: \int_0^c\|W'_q\|^2dq = \frac1c\int_0^1\|W_p\|^2dp ,

biases included. So leak 1 on [0, c] is leak c on [0, 1], with :math:`\frac\lambda2\int_0^c\|W'\|^2 =
\frac\lambda{2c}\int_0^1\|W\|^2`: the reason for the factor 1/L of the ridge.

What is checked: for discrete networks, whose steps are stretched by c, the activations of all layers and the norm; for weights
that are linear in p, integrated on both ranges with c = 3/10 and 5/2. The proof is the chain rule.

Source: leaky_resnets, Section 1.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.ode import sizes
from verify import Claim, Domain, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array
from verify.networks import ContinuousLeakyResNet, LeakyResNet
from verify.networks.leaky_resnet import feature_matrix, squared_norm


def stretched(
    network: LeakyResNet, factor: Array, weight_power: int = 1, leak_power: int = 1, bias_power: int = 1
) -> LeakyResNet:
    """The network on a range `factor` times as long; the powers of the factor are 1."""
    columns = [factor**weight_power] * network.width + [factor**bias_power]
    divisor = np.stack(columns, axis=-1)[..., None, :]
    weights = [weight / divisor for weight in network.weights]
    return LeakyResNet(weights, network.leak / factor**leak_power, network.steps * factor[..., None])


def range_is_a_unit(
    network: LeakyResNet,
    x: Array,
    factor: Array,
    norm_power: int = 1,
    weight_power: int = 1,
    leak_power: int = 1,
    bias_power: int = 1,
) -> Relation:
    """Activations of all layers, and the norm, on both ranges."""
    longer = stretched(network, factor, weight_power, leak_power, bias_power)
    size = sizes(network, x)
    relation = eq(longer.parameter_norm_squared * factor**norm_power, network.parameter_norm_squared)
    for left, right in zip(longer.activations(x), network.activations(x), strict=True):
        relation &= eq(left, right, scale=size[..., None, None], over=2)
    return relation


@dataclass(frozen=True, eq=False)
class LinearWeights:
    """A network with weights that are linear in p, and the factor by which its range is stretched.

    Attributes
    ----------
    ends
        Weights at 0 and at 1, shape ``(..., 2, w, w + 1)``.
    leak
        L, shape ``(...)``.
    factor
        c, the same for a batch.
    integrate
        Whether the equations are integrated on both ranges.
    """

    ends: Array
    leak: Array
    factor: Fraction
    integrate: bool

    def __getitem__(self, index: Any) -> LinearWeights:
        return LinearWeights(self.ends[index], self.leak[index], self.factor, self.integrate)

    def weights(self, position: Array) -> Array:
        """W at a position of batch shape."""
        share = position[..., None, None]
        return np.asarray((1 - share) * self.ends[..., 0, :, :] + share * self.ends[..., 1, :, :])

    def on_both_ranges(self, x: Array) -> tuple[Array, Array, Array]:
        """Activations in the middle and at the end, shape ``(..., 2, w, N)``, by the engine, and a bound on the error."""
        ends, factor = [self.ends[..., 0, :, :], self.ends[..., 1, :, :]], float(self.factor)
        short = ContinuousLeakyResNet.piecewise_linear(ends, self.leak)
        long = ContinuousLeakyResNet.piecewise_linear([end / factor for end in ends], self.leak / factor, [0.0, factor])
        paths = short.activations(x, [0.5, 1.0]), long.activations(x, [factor / 2, factor])
        return paths[0].values, paths[1].values, paths[0].accuracy + paths[1].accuracy


def linear_weights(ends: Array, leak: Array, tenths: int, integrated: int) -> LinearWeights:
    """Stretched by so many tenths."""
    return LinearWeights(ends, leak, Fraction(tenths, 10), bool(integrated))


def equation_is_stretched(
    network: LinearWeights, x: Array, position: Array, norm_power: int = 1, weight_power: int = 1, leak_power: int = 1
) -> Relation:
    """The field at a position, the integrals of the squared norm by Simpson's rule (exact here), and the integrated paths."""
    one = 0 * position + 1
    c = one * network.factor.numerator / network.factor.denominator
    factor, leak = c[..., None, None], network.leak[..., None, None]
    weight, features = network.weights(position), feature_matrix(x)
    short = weight @ features - leak * x
    long = weight / factor**weight_power @ features - leak / factor**leak_power * x
    size = (1 + squared_norm(weight) + squared_norm(features) + network.leak) ** 2 * (1 + c + 1 / c)
    relation = eq(factor * long, short, scale=size[..., None, None], over=2)
    first, middle, last = (squared_norm(network.weights(end)) for end in (0 * one, one / 2, one))
    norm = (first + 4 * middle + last) / 6
    stretched_norm = c * norm / c ** (2 * weight_power)
    relation &= eq(c**norm_power * stretched_norm, norm, scale=norm * (1 + c + 1 / c))
    if network.integrate:
        near, far, noise = network.on_both_ranges(x)
        relation &= eq(near, far, noise=noise[..., None, None, None], over=3)
    return relation


def cost(sizes: Sizes) -> int:
    """Two integrations cost more than two formulas."""
    return 256 if sizes["integrated"] else 1


SOURCE = Source("leaky_resnets", "Section 1.2")

CLAIM = Claim(
    id="leaky_resnets.range_symmetry",
    title="Stretching the integration range",
    source=SOURCE,
    statement=range_is_a_unit,
    domain=Domain(
        {"network": drawn_networks(), "x": reals("width", "points"), "factor": interval(1 / 4, 4)},
        {"depth": range(1, 4), "width": range(1, 3), "points": range(1, 3)},
    ),
    false_neighbours={
        "norm as it was": partial(range_is_a_unit, norm_power=0),
        "norm divided by c squared": partial(range_is_a_unit, norm_power=2),
        "weights as they were": partial(range_is_a_unit, weight_power=0, bias_power=0),
        "leak as it was": partial(range_is_a_unit, leak_power=0),
        "biases as they were": partial(range_is_a_unit, bias_power=0),
    },
)

CONTINUOUS = Claim(
    id="leaky_resnets.range_symmetry.continuous",
    title="Stretching the integration range of a differential equation",
    source=SOURCE,
    statement=equation_is_stretched,
    domain=Domain(
        {
            "network": derived(linear_weights, ends=interval(-2, 2, 2, 2, 3), leak=interval(0, 2)),
            "x": interval(-2, 2, 2, 2),
            "position": interval(0, 1),
        },
        {"integrated": (0, 1), "tenths": (3, 25)},
    ),
    false_neighbours={
        "norm as it was": partial(equation_is_stretched, norm_power=0),
        "weights as they were": partial(equation_is_stretched, weight_power=0),
        "leak as it was": partial(equation_is_stretched, leak_power=0),
    },
    cost=cost,
)
