r"""At a critical point the weights are :math:`W_p = LB_p\sigma(A_p)^T`.

Statement
    The loss of a discrete network is :math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2`. Its derivative by a
    layer is

    .. math:: \partial_{W_\ell} = \rho_\ell\Bigl(\frac\lambda LW_\ell - \lambda B_\ell\sigma(A_{\ell-1})^T\Bigr) ,

    and vanishes exactly if :math:`W_\ell = LB_\ell\sigma(A_{\ell-1})^T`; the same holds for functions of p.
Checked
    The derivative by every layer, for any weights, by central differences of the loss: a quadratic function of each layer as
    long as no activation changes its sign, so that a difference with a short step has no error. On rationals, that all
    differences vanish at critical networks of one layer for any A and B, and of three layers where only the biases act. That
    critical weights are the smallest that do what they do is in ``weights_from_activations``.
Source
    leaky_resnets, Section 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.losses import (
    SMOOTH,
    STEP,
    keeps_signs,
    last_adjoint,
    loss,
    misfit_difference,
    with_layer_moved,
)
from verify import Claim, Domain, Relation, Sizes, Source, derived, eq, interval, reals
from verify.arithmetic import Array, compare, rationals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import critical_weights, feature_matrix, inner, symplectic_euler_step


@dataclass(frozen=True, eq=False)
class Moved:
    """A network of which the weights of each layer in turn are moved, back and forth along a direction.

    Attributes
    ----------
    network, activations
        The network, and the activations ``(..., w, N)`` of all layers.
    direction
        Of every layer, ``(..., M, w, w + 1)``.
    ends
        For each layer, the outputs with it moved forth and back.
    smooth
        Whether no activation before the outputs is zero or changes its sign, shape ``(...)``.
    """

    network: LeakyResNet
    activations: tuple[Array, ...]
    direction: Array
    ends: tuple[tuple[Array, Array], ...]
    smooth: Array

    def __getitem__(self, index: Any) -> Moved:
        values = tuple(one[index] for one in self.activations)
        ends = tuple((forth[index], back[index]) for forth, back in self.ends)
        return Moved(self.network[index], values, self.direction[index], ends, self.smooth[index])


def moved(network: LeakyResNet, x: Array, direction: Array) -> Moved:
    """Every layer moved by its direction / `STEP`."""
    values, ends, smooth = network.activations(x), [], np.asarray(True)
    for layer in range(network.depth):
        change = direction[..., layer, :, :] / STEP
        forth, back = (with_layer_moved(network, layer, sign * change).activations(x) for sign in (1, -1))
        smooth = smooth & keeps_signs(values[1:-1], forth[1:-1], back[1:-1])
        ends.append((forth[-1], back[-1]))
    return Moved(network, values, direction, tuple(ends), np.broadcast_to(smooth, x.shape[:-2]))


def is_smooth(instance: Moved) -> Array:
    """Whether the loss is quadratic where it is moved."""
    return instance.smooth


def slopes(instance: Moved, target: Array, ridge: Array) -> Array:
    """Central differences of the loss along the direction of each layer, shape ``(..., M)``."""
    network, found = instance.network, []
    for layer, (forth, back) in enumerate(instance.ends):
        misfits = misfit_difference(forth, back, target) * STEP / 2
        # of the square of a layer the central difference is twice the product
        norms = network.steps[..., layer] * inner(network.weights[layer], instance.direction[..., layer, :, :])
        found.append(misfits + ridge * norms / network.leak)
    return np.stack(found, axis=-1)


def pulled_back(instance: Moved, target: Array, ridge: Array) -> list[Array]:
    r""":math:`B_\ell\sigma(A_{\ell-1})^T` of all layers."""
    adjoints = instance.network.adjoints(instance.activations, last_adjoint(instance.activations[-1], target, ridge))
    before = [feature_matrix(one) for one in instance.activations[:-1]]
    return [adjoint @ np.swapaxes(one, -1, -2) for adjoint, one in zip(adjoints[1:], before, strict=True)]


def along(instance: Moved, gradients: list[Array]) -> Array:
    """Inner products of matrices with the direction of each layer, shape ``(..., M)``."""
    pairs = ((one, instance.direction[..., layer, :, :]) for layer, one in enumerate(gradients))
    return np.stack([inner(one, change) for one, change in pairs], axis=-1)


def gradient_by_layer(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The derivative of the loss by each layer, along its direction."""
    network = instance.network
    weights = along(instance, list(network.weights)) / network.leak[..., None]
    stated = ridge[..., None] * network.steps * (weights - along(instance, pulled_back(instance, target, ridge)))
    return eq(stated, slopes(instance, target, ridge), over=1)


def differences(network: LeakyResNet, x: Array, target: Array, ridge: Array) -> Array:
    """Central differences of the loss by every single weight, in a row."""
    found = []
    for layer, weight in enumerate(network.weights):
        for place in np.ndindex(weight.shape):
            change = 0 * weight
            change[place] = rationals(1)[()] / STEP
            both = [loss(with_layer_moved(network, layer, sign * change), x, target, ridge) for sign in (1, -1)]
            found.append(both[0] - both[1])
    return rationals(np.stack(found))


def one_layer_is_critical() -> Relation:
    r"""For some A and B of every sign, N > w + 1 included: the layer W = L B sigma(A)^T, with the target that B asks for."""
    rng = np.random.default_rng(4)
    relation = Relation(())
    leak, step, ridge = rationals("3/2"), rationals("3/4"), rationals("1/2")
    for width, points in ((1, 1), (1, 3), (2, 2), (2, 4), (3, 2)):
        A, B = (rationals(rng.integers(-4, 5, (width, points))) for _ in range(2))
        last, _ = symplectic_euler_step(A, B, leak, step)
        network = LeakyResNet([critical_weights(A, B, leak)], leak, step[None])
        relation &= eq(differences(network, A, last + ridge * points / 2 * B, ridge), 0, over=1)
    return relation


def pure_bias_layers_are_critical() -> Relation:
    r"""Three layers in which all activations are negative, so that :math:`B_{\ell-1} = (1 - \rho_\ell L)B_\ell`."""
    leak, steps, ridge = rationals("3/2"), rationals(["1/2", "1/4", "1/4"]), rationals("1/2")
    last, x = rationals([["1/2", "-1"], ["1/4", "1/4"]]), rationals([[-4, -3], [-2, -5]])
    adjoints = [last]
    for layer in (2, 1, 0):
        adjoints.insert(0, (1 - steps[layer] * leak) * adjoints[0])
    values, weights = [x], []
    for layer in range(3):
        weights.append(critical_weights(values[-1], adjoints[layer + 1], leak))
        after, before = symplectic_euler_step(values[-1], adjoints[layer + 1], leak, steps[layer])
        values.append(after)
        if compare(before, adjoints[layer]).any() or (compare(values[layer], 0) >= 0).any():
            raise ArithmeticError("the construction is not a critical network: an adjoint or a sign is wrong")
    network = LeakyResNet(weights, leak, steps)
    return eq(differences(network, x, values[-1] + ridge * last, ridge), 0, over=1)


# False variants


def gradient_without_step(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The derivative is not scaled by the length of the layer: it is that of a function of p."""
    weights = along(instance, list(instance.network.weights)) / instance.network.leak[..., None]
    stated = ridge[..., None] * (weights - along(instance, pulled_back(instance, target, ridge)))
    return eq(stated, slopes(instance, target, ridge), over=1)


def gradient_without_leak(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The ridge is not divided by the leak: at critical points W is B sigma(A)^T."""
    weights = along(instance, list(instance.network.weights))
    stated = ridge[..., None] * instance.network.steps * (weights - along(instance, pulled_back(instance, target, ridge)))
    return eq(stated, slopes(instance, target, ridge), over=1)


def gradient_without_bias(instance: Moved, target: Array, ridge: Array) -> Relation:
    """The adjoint does not act on the bias."""
    network = instance.network
    pulled = [np.concatenate([one[..., :-1], 0 * one[..., -1:]], axis=-1) for one in pulled_back(instance, target, ridge)]
    weights = along(instance, list(network.weights)) / network.leak[..., None]
    return eq(ridge[..., None] * network.steps * (weights - along(instance, pulled)), slopes(instance, target, ridge), over=1)


def price(sizes: Sizes) -> int:
    """Every layer is moved, and rationals grow."""
    return sizes["depth"] ** 2


CLAIM = Claim(
    id="leaky_resnets.critical_weights",
    title="The derivative of the loss by a layer vanishes exactly at critical weights",
    source=Source("leaky_resnets", "Section 1.5"),
    statement=gradient_by_layer,
    domain=Domain(
        {
            "instance": derived(
                moved,
                network=drawn_networks(),
                x=reals("width", "points"),
                direction=interval(-1, 1, "depth", "width", lambda sizes: sizes["width"] + 1),
            ),
            "target": reals("width", "points"),
            "ridge": interval(1 / 8, 2),
        },
        {"depth": (1, 2, 3, 5), "width": range(1, 4), "points": range(1, 4)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "not scaled by the step": gradient_without_step,
        "not divided by the leak": gradient_without_leak,
        "no bias in the critical weights": gradient_without_bias,
    },
    exact={
        "one critical layer": one_layer_is_critical,
        "three critical layers": pure_bias_layers_are_critical,
    },
    cost=price,
)
