r"""Proposition 5, what the construction does to the outputs: to leading order, by the adjoints.

The new neuron of the module ``prop_5_construction`` starts at 0 and obeys :math:`\partial_pa = L(t\bar K_{i\cdot} - a)`, up to
higher orders of :math:`\varepsilon`; that is :math:`a_p = L\int_0^pt_q\bar K_{q,i\cdot}e^{L(q-p)}dq \ge 0`. It lags behind
:math:`t\bar K_{i\cdot}`, so that the path moves, and with it the cost:

.. math:: \Delta C = \varepsilon^2\lambda L\int_0^1t_p(t_p\bar K_{p,i\cdot} - a_p)B_p^TA_{p,\cdot i}\,dp
          + \tfrac{\varepsilon^2}N\|a_1\|^2 + O(\varepsilon^4) ,

where the target of the new neuron is 0. (The print refers to an argument of Grönwall's type. That bounds the change of the
path by a factor :math:`e^{cL}`; the adjoints are what stays bounded.) For a discrete network the integrals are sums,

.. math:: a_\ell = (1 - \rho_\ell L)a_{\ell-1} + \rho_\ell Lt_\ell\bar K_{\ell-1,i\cdot} , \qquad
          \lambda L\sum_\ell\rho_\ell t_\ell(t_\ell\bar K_{\ell-1,i\cdot} - a_{\ell-1})B_\ell^TA_{\ell-1,\cdot i} .

What is checked: the coefficient of :math:`\varepsilon^2` in the cost of discrete networks, critical or not. As long as no
activation changes its sign, the cost is a polynomial of known degree in :math:`\varepsilon^2`, whose coefficient follows from
as many values, without error.

Source: leaky_resnets, Proposition 9 of the appendix, proof; the formula is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.ode import sizes
from theorems.leaky_resnets.prop_5_construction import POINT, widened_activations, widened_weights
from verify import Claim, Domain, Ours, Relation, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import rectified, squared_norm

STEP = 64
r"""The values are taken at the :math:`\varepsilon = k/64`."""


def widened_network(network: LeakyResNet, x: Array, heights: Array, size: Array) -> LeakyResNet:
    r"""Another neuron in every layer, for the first point: see `widened_weights`.

    `heights` holds :math:`t_\ell`, shape ``(..., M)``, and `size` is :math:`\varepsilon`, shape ``(...)``.
    """
    weights = [
        widened_weights(before, weight, network.leak, size, heights[..., k])
        for k, (before, weight) in enumerate(zip(network.activations(x), network.weights, strict=False))
    ]
    return LeakyResNet(weights, network.leak, network.steps)


def new_neuron(network: LeakyResNet, x: Array, heights: Array) -> list[Array]:
    r""":math:`a_0 = 0, \ldots, a_M`, shapes ``(..., N)``."""
    found = [0 * x[..., 0, :]]
    for layer, before in enumerate(network.activations(x)[:-1]):
        rate = (network.steps[..., layer] * network.leak)[..., None]
        features = rectified(before)
        kernel = (features * features[..., POINT : POINT + 1]).sum(axis=-2)
        found.append((1 - rate) * found[-1] + rate * heights[..., layer, None] * kernel)
    return found


@dataclass(frozen=True, eq=False)
class Widened:
    r"""A network, and with another neuron at the :math:`\varepsilon = k/64` for k up to twice its layers.

    Attributes
    ----------
    network, x, heights
        The network, its inputs ``(..., w, N)``, and :math:`t_\ell`, shape ``(..., M)``.
    outputs
        Of the wider networks, shapes ``(..., w + 1, N)``.
    smooth
        Whether no activation before the outputs is zero or changes its sign and no new neuron is negative, shape ``(...)``.
    """

    network: LeakyResNet
    x: Array
    heights: Array
    outputs: tuple[Array, ...]
    smooth: Array

    def __getitem__(self, index: Any) -> Widened:
        outputs = tuple(one[index] for one in self.outputs)
        return Widened(self.network[index], self.x[index], self.heights[index], outputs, self.smooth[index])


def widened(network: LeakyResNet, x: Array, heights: Array) -> Widened:
    """The networks at all k."""
    values = network.activations(x)
    smooth = np.ones(x.shape[:-2], dtype=bool)
    wide_x = widened_activations(x, 0 * x[..., 0, :])
    outputs = []
    for k in range(2 * network.depth + 1):
        size = (0 * network.leak + k) / STEP
        path = widened_network(network, x, heights, size).activations(wide_x)
        outputs.append(path[-1])
        for before, after in zip(values[1:-1], path[1:-1], strict=True):
            signs = compare(before, 0)
            smooth = smooth & ((signs != 0) & (compare(after[..., :-1, :], 0) == signs)).all(axis=(-2, -1))
            smooth = smooth & (compare(after[..., -1, :], 0) >= 0).all(axis=-1)
    return Widened(network, x, heights, tuple(outputs), smooth)


def is_smooth(instance: Widened) -> Array:
    """Whether the cost is a polynomial in the values at which it is taken."""
    return instance.smooth


def slope_weights(count: int) -> list[Fraction]:
    """Of the values at 0, 1, 4, ..., (count - 1)^2: their sum is the derivative at 0 of a polynomial of lower degree."""
    nodes = [k * k for k in range(count)]
    weights = []
    for k in range(1, count):
        weight = Fraction(1)
        for j in range(count):
            if j != k:
                # of Lagrange's polynomial of node k the factor of node 0 alone is differentiated: the others vanish there
                weight *= Fraction(1 if j == 0 else -nodes[j], nodes[k] - nodes[j])
        weights.append(weight)
    return [-sum(weights, Fraction(0)), *weights]


def cost_changes_by_adjoints(
    instance: Widened, target: Array, ridge: Array, percent: int = 100, end: int = 1, lag: int = 1
) -> Relation:
    r"""The coefficient of :math:`\varepsilon^2` in the cost against the sum; the keywords are for false neighbours."""
    network, x, heights = instance.network, instance.x, instance.heights
    points = x.shape[-1]
    values = network.activations(x)
    wide_target = widened_activations(target, 0 * target[..., 0, :])
    costs = [squared_norm(wide_target - output) / points for output in instance.outputs]
    found = 0 * ridge
    for weight, cost in zip(slope_weights(len(costs)), costs, strict=True):
        found = found + cost * weight.numerator * STEP**2 / weight.denominator
    adjoints = network.adjoints(values, 2 * (target - values[-1]) / (ridge * points)[..., None, None])
    neuron = new_neuron(network, x, heights)
    stated = end * (neuron[-1] * neuron[-1]).sum(axis=-1) / points
    for layer in range(network.depth):
        height, before = heights[..., layer], values[layer]
        features = rectified(before)
        kernel = (features * features[..., POINT : POINT + 1]).sum(axis=-2)
        pulled = (adjoints[layer + 1] * before[..., POINT : POINT + 1]).sum(axis=-2)
        lacking = height[..., None] * kernel - lag * neuron[layer]
        rate = ridge * network.leak * network.steps[..., layer] * height
        stated = stated + rate * (lacking * pulled).sum(axis=-1) * percent / 100
    size = (sizes(network, x) * (1 + squared_norm(target))) ** 2
    return eq(found, stated, scale=size * STEP**2)


SMOOTH = "no activation changes its sign"

CLAIM = Claim(
    id="leaky_resnets.prop_5.cost_change",
    title="What another neuron does to the cost",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=Ours(),
    statement=cost_changes_by_adjoints,
    domain=Domain(
        {
            "instance": derived(widened, network=drawn_networks(), x=reals("width", "points"), heights=interval(0, 1, "depth")),
            "target": reals("width", "points"),
            "ridge": interval(1 / 8, 2),
        },
        {"depth": range(1, 4), "width": range(1, 3), "points": range(1, 3)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "1 % more": partial(cost_changes_by_adjoints, percent=101),
        "outputs of the new neuron forgotten": partial(cost_changes_by_adjoints, end=0),
        "a new neuron that is zero": partial(cost_changes_by_adjoints, lag=0),
        "a path that does not move": partial(cost_changes_by_adjoints, percent=0),
    },
    cost=4,
)
