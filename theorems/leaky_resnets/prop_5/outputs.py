r"""Proposition 5, the outputs: what another neuron does to the cost, to leading order, by the adjoints.

Statement
    The new neuron starts at 0 and obeys :math:`\partial_pa = L(t\bar K_{i\cdot} - a)`, up to higher orders of
    :math:`\varepsilon`. It lags behind :math:`t\bar K_{i\cdot}`, so that the path moves, and with it the cost:

    .. math:: \Delta C = \varepsilon^2\lambda L\int_0^1t_p(t_p\bar K_{p,i\cdot} - a_p)B_p^TA_{p,\cdot i}\,dp
              + \tfrac{\varepsilon^2}N\|a_1\|^2 + O(\varepsilon^4) ,

    where the target of the new neuron is 0.
Correction
    The print refers to an argument of Groenwall's type. That bounds the change of the path by a factor :math:`e^{cL}`; the
    adjoints are what stays bounded.
Checked
    For discrete networks, critical or not, where the integrals are sums,

    .. math:: a_\ell = (1 - \rho_\ell L)a_{\ell-1} + \rho_\ell Lt_\ell\bar K_{\ell-1,i\cdot} , \qquad
              \lambda L\sum_\ell\rho_\ell t_\ell(t_\ell\bar K_{\ell-1,i\cdot} - a_{\ell-1})B_\ell^TA_{\ell-1,\cdot i} .

    As long as no activation changes its sign, the cost is a polynomial of known degree in :math:`\varepsilon^2`, whose
    coefficient follows from as many values, without error.
Proof idea
    The adjoints are the derivatives of the cost in the activations.
Source
    leaky_resnets, Proposition 9 of the appendix, proof; the formula is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.prop_5.construction import POINT, kernel_row, widened_activations, widened_weights
from verify import Claim, Domain, Ours, Q, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import squared_norm

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
        found.append((1 - rate) * found[-1] + rate * heights[..., layer, None] * kernel_row(before))
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


def cost_changes_by_adjoints(instance: Widened, target: Array, ridge: Array) -> Relation:
    r"""The coefficient of :math:`\varepsilon^2` in the cost against the sum."""
    neuron = new_neuron(instance.network, instance.x, instance.heights)
    return eq(slope_of_the_cost(instance, target), by_adjoints(instance, target, ridge, neuron) + of_outputs(neuron))


def slope_of_the_cost(instance: Widened, target: Array) -> Array:
    r"""The derivative of the cost in :math:`\varepsilon^2` at 0, from its values."""
    wide_target = widened_activations(target, 0 * target[..., 0, :])
    costs = [squared_norm(wide_target - output) / target.shape[-1] for output in instance.outputs]
    return np.asarray(sum(Q(weight) * STEP**2 * cost for weight, cost in zip(slope_weights(len(costs)), costs, strict=True)))


def by_adjoints(instance: Widened, target: Array, ridge: Array, neuron: list[Array]) -> Array:
    """What the path moves, by the adjoints, for this new neuron."""
    network, heights = instance.network, instance.heights
    values = network.activations(instance.x)
    adjoints = network.adjoints(values, 2 * (target - values[-1]) / (ridge * target.shape[-1])[..., None, None])
    total = 0 * ridge
    for layer, before in enumerate(values[:-1]):
        pulled = (adjoints[layer + 1] * before[..., POINT : POINT + 1]).sum(axis=-2)
        lacking = heights[..., layer, None] * kernel_row(before) - neuron[layer]
        total = total + network.steps[..., layer] * heights[..., layer] * (lacking * pulled).sum(axis=-1)
    return np.asarray(ridge * network.leak * total)


def of_outputs(neuron: list[Array]) -> Array:
    """What the new neuron costs at the end."""
    return np.asarray((neuron[-1] ** 2).sum(axis=-1) / neuron[-1].shape[-1])


# False variants


def outputs_forgotten(instance: Widened, target: Array, ridge: Array) -> Relation:
    """As if the outputs of the new neuron did not count."""
    neuron = new_neuron(instance.network, instance.x, instance.heights)
    return eq(slope_of_the_cost(instance, target), by_adjoints(instance, target, ridge, neuron))


def neuron_is_zero(instance: Widened, target: Array, ridge: Array) -> Relation:
    """As if the path lacked all of the kernel."""
    neuron = new_neuron(instance.network, instance.x, instance.heights)
    nothing = [0 * one for one in neuron]
    return eq(slope_of_the_cost(instance, target), by_adjoints(instance, target, ridge, nothing) + of_outputs(neuron))


def path_rests(instance: Widened, target: Array, ridge: Array) -> Relation:  # noqa: ARG001 (the statement's parameters)
    """As if only the new neuron moved."""
    return eq(slope_of_the_cost(instance, target), of_outputs(new_neuron(instance.network, instance.x, instance.heights)))


def _price(sizes: Sizes) -> int:
    return 4 * sizes["depth"]


SMOOTH = "no activation changes its sign"

CLAIM = Claim(
    id="leaky_resnets.prop_5.cost_change",
    title="To leading order another neuron changes the cost by its lag times the adjoint",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=Ours(),
    statement=cost_changes_by_adjoints,
    domain=Domain(
        {
            "instance": derived(
                widened,
                network=drawn_networks(),
                x=reals("width", "points", role="start of the path"),
                heights=interval(0, 1, "depth", role="free"),
            ),
            "target": reals("width", "points", role="targets as columns"),
            "ridge": interval(1 / 8, 2, role="ridge"),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_variants={
        "outputs of the new neuron forgotten": outputs_forgotten,
        "a new neuron that is zero": neuron_is_zero,
        "a path that does not move": path_rests,
    },
    cost=_price,
)
