"""The adjoints of a discrete network are derivatives of the cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import SMOOTH, STEP, keeps_signs, last_adjoint, misfit_difference
from verify import Claim, Domain, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import active, inner


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
    ends, smooth = [], np.asarray(True)
    for layer in range(network.depth + 1):
        forth, back = (_rest(network, layer, values[layer] + sign * direction / STEP) for sign in (1, -1))
        smooth = smooth & keeps_signs(values[layer:], forth, back)
        ends.append((forth[-1], back[-1]))
    return Moved(network, values, direction, tuple(ends), smooth)


def _rest(network: LeakyResNet, layer: int, values: Array) -> tuple[Array, ...]:
    """Activations from a layer on, given that layer's."""
    if layer == network.depth:
        return (values,)
    return LeakyResNet(network.weights[layer:], network.leak, network.steps[..., layer:]).activations(values)


def is_smooth(instance: Moved) -> Array:
    """Whether the cost is quadratic where it is moved."""
    return instance.smooth


Layer = Callable[[LeakyResNet, tuple[Array, ...], int, Array], Array]
"""Adjoints before a layer from those after it, for a network with its activations."""


def backward_layer(network: LeakyResNet, activations: tuple[Array, ...], layer: int, after: Array) -> Array:
    r""":math:`B_{\ell-1} = (1 - \rho_\ell L)B_\ell + \rho_\ell\dot\sigma(A_{\ell-1})\odot[V_\ell^TB_\ell]`."""
    step, V = network.steps[..., layer, None, None], network.weights[layer][..., :-1]
    pulled = active(activations[layer]) * (np.swapaxes(V, -1, -2) @ after)
    return np.asarray((1 - step * network.leak[..., None, None]) * after + step * pulled)


def recursion(instance: Moved, last: Array, layer: Layer) -> list[Array]:
    """The adjoints of all layers."""
    found = [last]
    for place in reversed(range(instance.network.depth)):
        found.insert(0, layer(instance.network, instance.activations, place, found[0]))
    return found


def slopes(instance: Moved, target: Array) -> Array:
    """Central differences of the cost along the direction, by the activations of each layer, shape ``(..., M + 1)``."""
    found = [misfit_difference(forth, back, target) * STEP / 2 for forth, back in instance.ends]
    return np.stack(found, axis=-1)


def along(instance: Moved, adjoints: list[Array]) -> Array:
    """The adjoints of all layers along the direction, shape ``(..., M + 1)``."""
    return np.stack([inner(one, instance.direction) for one in adjoints], axis=-1)


def adjoints_are_derivatives(instance: Moved, target: Array, ridge: Array) -> Relation:
    """Adjoints against the differences of the cost, at all layers; and the engine's adjoints."""
    last = last_adjoint(instance.activations[-1], target, ridge)
    adjoints = recursion(instance, last, backward_layer)
    engine = instance.network.adjoints(instance.activations, last)
    return eq(ridge[..., None] * along(instance, adjoints), -slopes(instance, target), name="derivative", over=1) & eq(
        np.stack(engine, axis=-3), np.stack(adjoints, axis=-3), name="engine", over=3
    )


# False variants


def are_derivatives(instance: Moved, target: Array, ridge: Array, layer: Layer) -> Relation:
    """The statement for another recursion."""
    last = last_adjoint(instance.activations[-1], target, ridge)
    return eq(ridge[..., None] * along(instance, recursion(instance, last, layer)), -slopes(instance, target), over=1)


def without_mask(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The derivative of the activation is forgotten."""

    def layer(network: LeakyResNet, activations: tuple[Array, ...], place: int, after: Array) -> Array:
        return backward_layer(network, tuple(0 * one + 1 for one in activations), place, after)

    return are_derivatives(instance, target, ridge, layer)


def mask_of_the_layer_after(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The derivative of the activation is taken at the end of the layer."""

    def layer(network: LeakyResNet, activations: tuple[Array, ...], place: int, after: Array) -> Array:
        return backward_layer(network, activations[1:], place, after)

    return are_derivatives(instance, target, ridge, layer)


def without_leak(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The adjoints do not decay."""

    def layer(network: LeakyResNet, activations: tuple[Array, ...], place: int, after: Array) -> Array:
        step = network.steps[..., place, None, None]
        return np.asarray(backward_layer(network, activations, place, after) + step * network.leak[..., None, None] * after)

    return are_derivatives(instance, target, ridge, layer)


def price(sizes: Sizes) -> int:
    """Every layer is moved, and rationals grow."""
    return sizes["depth"] ** 2


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
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "no mask": without_mask,
        "mask of the layer after": mask_of_the_layer_after,
        "leak forgotten": without_leak,
    },
    cost=price,
)
