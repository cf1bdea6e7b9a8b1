r"""The adjoints :math:`B_p = -\frac1\lambda\partial_{A_p}C(A_1)` solve a differential equation backwards from
:math:`B_1 = \frac2{\lambda N}(F - A_1)`:

.. math:: -\partial_pB_p = \dot\sigma(A_p)\odot[V_p^TB_p] - LB_p ,

with V the weights without their last column. (The print has :math:`W_p^TB_p`, which has w + 1 rows beside the w rows of B, and
cannot be evaluated: the row of the bias has to be dropped.) For a discrete network

.. math:: B_{\ell-1} = (1 - \rho_\ell L)B_\ell + \rho_\ell\dot\sigma(A_{\ell-1})\odot[V_\ell^TB_\ell] .

What is checked: for discrete networks, against central differences of the cost C by the activations of every layer. As long as
no activation changes its sign, C is a quadratic function of them, so that a difference with a short step is the derivative,
without error. For the differential equation: that :math:`\mathrm{Tr}[B^T\delta A]` does not change along it and along the
linearised forward equation, which makes B the derivative of whatever it is at p = 1; and that the adjoints of discrete
networks approach the integrated ones at the rate 1/M.

Source: leaky_resnets, Section 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.ode import sizes
from verify import Claim, Domain, Rate, Relation, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare
from verify.networks import ContinuousLeakyResNet, LeakyResNet
from verify.networks.leaky_resnet import active, equidistant_steps, inner, squared_norm

STEP = 2**12
"""Central differences have the step 1/4096 of the direction: short beside the activations that are drawn."""


@dataclass(frozen=True, eq=False)
class Moved:
    """A network whose activations are moved at each layer in turn, back and forth along a direction.

    Attributes
    ----------
    network
        The network.
    activations
        Activations of all layers, shapes ``(..., w, N)``.
    direction
        Shape ``(..., w, N)``.
    ends
        For each layer, the outputs of the network from there on, moved forth and back.
    smooth
        Whether no activation is zero or changes its sign, shape ``(...)``.
    """

    network: LeakyResNet
    activations: tuple[Array, ...]
    direction: Array
    ends: tuple[tuple[Array, Array], ...]
    smooth: Array

    def __getitem__(self, index: Any) -> Moved:
        ends = tuple((forth[index], back[index]) for forth, back in self.ends)
        values = tuple(value[index] for value in self.activations)
        return Moved(self.network[index], values, self.direction[index], ends, self.smooth[index])


def moved(network: LeakyResNet, x: Array, direction: Array) -> Moved:
    """Every layer moved by `direction` / `STEP`."""
    values = network.activations(x)
    ends, smooth = [], np.ones(x.shape[:-2], dtype=bool)
    for layer in range(network.depth + 1):
        paths = [_rest(network, layer, values[layer] + sign * direction / STEP) for sign in (1, -1)]
        for before, *others in zip(values[layer:], *paths, strict=True):
            signs = compare(before, 0)
            same = (signs != 0) & (compare(others[0], 0) == signs) & (compare(others[1], 0) == signs)
            smooth = smooth & same.all(axis=(-2, -1))
        ends.append((paths[0][-1], paths[1][-1]))
    return Moved(network, values, direction, tuple(ends), smooth)


def _rest(network: LeakyResNet, layer: int, values: Array) -> tuple[Array, ...]:
    """Activations from a layer on, given that layer's."""
    if layer == network.depth:
        return (values,)
    return LeakyResNet(network.weights[layer:], network.leak, network.steps[..., layer:]).activations(values)


def is_smooth(instance: Moved) -> Array:
    """Whether the cost is quadratic where it is moved."""
    return instance.smooth


def adjoints(
    network: LeakyResNet, activations: tuple[Array, ...], last: Array, *, masked: bool = True, leak: int = 1, late: int = 0
) -> list[Array]:
    """The recursion; the keywords are for false neighbours."""
    found = [last]
    for layer in reversed(range(network.depth)):
        step, matrix = network.steps[..., layer, None, None], network.weights[layer][..., :-1]
        pulled = matrix.swapaxes(-1, -2) @ found[0]
        mask = active(activations[layer + late]) if masked else 1
        found.insert(0, (1 - leak * step * network.leak[..., None, None]) * found[0] + step * mask * pulled)
    return found


def adjoints_are_derivatives(
    instance: Moved, target: Array, ridge: Array, percent: int = 100, masked: bool = True, leak: int = 1, late: int = 0
) -> Relation:
    """Adjoints along the direction, at all layers, against the differences of the cost; and the engine's adjoints."""
    network, points = instance.network, target.shape[-1]
    last = 2 * (target - instance.activations[-1]) / (ridge * points)[..., None, None] * percent / 100
    stated = adjoints(network, instance.activations, last, masked=masked, leak=leak, late=late)
    size = (sizes(network, instance.activations[0]) * (1 + squared_norm(target)) * (1 + squared_norm(instance.direction))) ** 2
    relation = Relation(())
    for one, ends in zip(stated, instance.ends, strict=True):
        costs = [squared_norm(target - end) / points for end in ends]
        slope = (costs[0] - costs[1]) * STEP / 2
        relation &= eq(inner(one, instance.direction), -slope / ridge, scale=size * STEP / ridge)
    by_engine = network.adjoints(instance.activations, last)
    for one, other in zip(stated, by_engine, strict=True):
        relation &= eq(one, other, scale=(size / ridge)[..., None, None], over=2)
    return relation


def adjoint_is_dual(
    A: Array, B: Array, change: Array, weights: Array, leak: Array, masked: bool = True, sign: int = 1, turned: bool = True
) -> Relation:
    r"""The derivative of :math:`\mathrm{Tr}[B^T\delta A]` along the backward and the linearised forward equation."""
    matrix, rate = weights[..., :-1], leak[..., None, None]
    mask = active(A)
    forward = matrix @ (mask * change) - rate * change
    pulled = (matrix.swapaxes(-1, -2) if turned else matrix) @ B
    backward = sign * rate * B - (mask if masked else 1) * pulled
    size = (1 + squared_norm(matrix) + leak) * (1 + squared_norm(B)) * (1 + squared_norm(change))
    return eq(inner(backward, change) + inner(B, forward), 0 * inner(B, B), scale=size)


def error_of_discrete_adjoints(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the adjoints at p = 0 of discrete networks from the integrated ones; all activations are positive."""
    first, second = np.array([[0.5, 0.25, 1.0], [0.75, 0.5, 0.25]]), np.array([[0.5, 1.0, 0.25], [0.25, 0.25, 0.5]])
    network = ContinuousLeakyResNet.piecewise_linear([first, second], 1.0)
    x, last = np.array([[1.0, 0.5], [0.5, 2.0]]), np.array([[1.0, -1.0], [0.5, 0.25]])
    exact = network.adjoints(x, last, [0.0]).values[0]
    errors = []
    for count in counts:
        discrete = network.discretised(equidistant_steps(int(count)))
        errors.append(np.sqrt(squared_norm(discrete.adjoints(discrete.activations(x), last)[0] - exact)))
    return np.asarray(errors)


SMOOTH = "no activation is zero or changes its sign"
SOURCE = Source("leaky_resnets", "Section 1.5")

CLAIM = Claim(
    id="leaky_resnets.backward_equation",
    title="Adjoints of a discrete network are derivatives of the cost",
    source=SOURCE,
    statement=adjoints_are_derivatives,
    domain=Domain(
        {
            "instance": derived(
                moved,
                network=drawn_networks(),
                x=reals("width", "points"),
                direction=interval(-1, 1, "width", "points"),
            ),
            "target": reals("width", "points"),
            "ridge": interval(1 / 8, 2),
        },
        {"depth": range(1, 4), "width": range(1, 3), "points": range(1, 3)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "no mask": partial(adjoints_are_derivatives, masked=False),
        "mask of the layer after": partial(adjoints_are_derivatives, late=1),
        "leak forgotten": partial(adjoints_are_derivatives, leak=0),
        "leak of the other sign": partial(adjoints_are_derivatives, leak=-1),
        "half of the misfit": partial(adjoints_are_derivatives, percent=50),
    },
)

CONTINUOUS = Claim(
    id="leaky_resnets.backward_equation.continuous",
    title="The backward equation is dual to the linearised forward equation",
    source=SOURCE,
    statement=adjoint_is_dual,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "B": reals("width", "points"),
            "change": reals("width", "points"),
            "weights": reals("width", lambda sizes: sizes["width"] + 1),
            "leak": interval(0, 3),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "no mask": partial(adjoint_is_dual, masked=False),
        "leak of the other sign": partial(adjoint_is_dual, sign=-1),
        "weights not transposed": partial(adjoint_is_dual, turned=False),
    },
    rate=Rate(error_of_discrete_adjoints, (8, 16, 32, 64, 128, 256, 512), -1.0),
)
