r"""At a critical point the weights are :math:`W_p = LB_p\sigma(A_p)^T`, the smallest that move the activations as they do.

The loss of a discrete network is :math:`C(A_M) + \frac\lambda{2L}\sum_\ell\rho_\ell\|W_\ell\|^2`. Its derivative by a layer is

.. math:: \partial_{W_\ell} = \rho_\ell\Bigl(\frac\lambda LW_\ell - \lambda B_\ell\sigma(A_{\ell-1})^T\Bigr) ,

and vanishes exactly if :math:`W_\ell = LB_\ell\sigma(A_{\ell-1})^T`; the same holds for functions of p. Then
:math:`W = (LA + \partial_pA)\sigma(A)^+`: of all weights with the same :math:`W\sigma(A)` these are the smallest, and
:math:`\|W\|^2 = \|LA + \partial_pA\|_K^2`.

What is checked: the derivative, for any weights, by central differences of the loss, which is a quadratic function of each
layer as long as no activation changes its sign, so that a difference with a short step is the derivative, without error; that
critical weights are recovered from what they do, have that norm, and are not larger than weights that do the same; and on
rationals that all differences vanish at critical networks of one layer for any A and B, and of three layers where only the
biases act.

Source: leaky_resnets, Sections 1.3 and 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.backward_equation import SMOOTH, STEP
from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.ode import sizes
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.networks import LeakyResNet
from verify.networks.leaky_resnet import (
    critical_weights,
    feature_matrix,
    feature_norm_squared,
    inner,
    smallest_weights,
    squared_norm,
    symplectic_euler_step,
    velocity,
    weights_from_activations,
)


def loss(network: LeakyResNet, x: Array, target: Array, ridge: Array) -> Array:
    """Cost plus ridge, of batch shape."""
    misfit = squared_norm(target - network(x)) / target.shape[-1]
    return np.asarray(misfit + ridge * network.parameter_norm_squared / (2 * network.leak))


def with_layer_moved(network: LeakyResNet, layer: int, change: Array) -> LeakyResNet:
    """The network with the weights of one layer changed."""
    weights = list(network.weights)
    weights[layer] = weights[layer] + change
    return network.with_parameters(weights)


@dataclass(frozen=True, eq=False)
class Moved:
    """A network of which the weights of each layer in turn are moved, back and forth along a direction.

    Attributes
    ----------
    network, x, direction
        The network, its inputs ``(..., w, N)``, and the direction ``(..., w, w + 1)``.
    networks
        For each layer, the networks with it moved forth and back.
    smooth
        Whether no activation before the outputs is zero or changes its sign, shape ``(...)``.
    """

    network: LeakyResNet
    x: Array
    direction: Array
    networks: tuple[tuple[LeakyResNet, LeakyResNet], ...]
    smooth: Array

    def __getitem__(self, index: Any) -> Moved:
        networks = tuple((forth[index], back[index]) for forth, back in self.networks)
        return Moved(self.network[index], self.x[index], self.direction[index], networks, self.smooth[index])


def moved(network: LeakyResNet, x: Array, direction: Array) -> Moved:
    """Every layer moved by `direction` / `STEP`."""
    values, networks, smooth = network.activations(x), [], np.ones(x.shape[:-2], dtype=bool)
    for layer in range(network.depth):
        pair = tuple(with_layer_moved(network, layer, sign * direction / STEP) for sign in (1, -1))
        for before, *others in zip(values[1:-1], *(one.activations(x)[1:-1] for one in pair), strict=True):
            signs = compare(before, 0)
            same = (signs != 0) & (compare(others[0], 0) == signs) & (compare(others[1], 0) == signs)
            smooth = smooth & same.all(axis=(-2, -1))
        networks.append((pair[0], pair[1]))
    return Moved(network, x, direction, tuple(networks), smooth)


def is_smooth(instance: Moved) -> Array:
    """Whether the loss is quadratic where it is moved."""
    return instance.smooth


def gradient_by_layer(instance: Moved, target: Array, ridge: Array, factor: int = 1, steps: int = 1, bias: int = 1) -> Relation:
    """The derivative of the loss by each layer, along the direction; the keywords are for false neighbours."""
    network, x = instance.network, instance.x
    values = network.activations(x)
    last = 2 * (target - values[-1]) / (ridge * target.shape[-1])[..., None, None]
    adjoints = network.adjoints(values, last)
    size = (sizes(network, x) * (1 + squared_norm(target)) * (1 + squared_norm(instance.direction))) ** 2
    relation = Relation(())
    for layer, (forth, back) in enumerate(instance.networks):
        slope = (loss(forth, x, target, ridge) - loss(back, x, target, ridge)) * STEP / 2
        features = feature_matrix(values[layer])
        if not bias:
            features = np.concatenate([features[..., :-1, :], 0 * features[..., -1:, :]], axis=-2)
        pulled = adjoints[layer + 1] @ features.swapaxes(-1, -2)
        stated = inner(factor * network.weights[layer] / network.leak[..., None, None] - pulled, instance.direction)
        relation &= eq(ridge * network.steps[..., layer] ** steps * stated, slope, scale=size * STEP * (1 + ridge))
    return relation


def critical_weights_are_smallest(
    A: Array, B: Array, other: Array, leak: Array, *, bias: bool = True, turned: bool = False, percent: int = 100
) -> Relation:
    """Recovered from what they do, with that K-norm, and not larger than other weights that do the same."""
    weights = critical_weights(A, B, leak, bias=bias)
    if not bias:
        weights = np.concatenate([weights, 0 * weights[..., -1:]], axis=-1)
    rate, features = leak[..., None, None], feature_matrix(A)
    wanted = rate * velocity(A, B)
    found = weights_from_activations(A, wanted, leak)
    norm, cost = squared_norm(weights), feature_norm_squared(rate * A + wanted, features)
    size = (1 + squared_norm(A)) ** 2 * (1 + squared_norm(B)) * (1 + leak) ** 2
    relation = eq(found, weights, scale=size[..., None, None], over=2) & eq(cost, norm * percent / 100, scale=size)
    # any weights, changed as little as possible to do the same
    alike = other + smallest_weights((weights - other) @ features, features)
    left, right = (squared_norm(alike), norm) if turned else (norm, squared_norm(alike))
    return relation & le(left, right, scale=size * (1 + squared_norm(other)))


def nothing_else() -> dict[str, Array]:
    """The weights 0, changed to do the same, are the critical ones."""
    A, B = rationals([[[1, 2, -1], [0, 1, 3]]]), rationals([[[1, 0, 1], [-1, 2, 1]]])
    return {"A": A, "B": B, "other": rationals(np.zeros((1, 2, 3))), "leak": rationals([2])}


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


SOURCE = Source("leaky_resnets", "Section 1.5")

CLAIM = Claim(
    id="leaky_resnets.critical_weights",
    title="The derivative of the loss by a layer, and where it vanishes",
    source=SOURCE,
    statement=gradient_by_layer,
    domain=Domain(
        {
            "instance": derived(
                moved,
                network=drawn_networks(),
                x=reals("width", "points"),
                direction=interval(-1, 1, "width", lambda sizes: sizes["width"] + 1),
            ),
            "target": reals("width", "points"),
            "ridge": interval(1 / 8, 2),
        },
        {"depth": range(1, 4), "width": range(1, 3), "points": range(1, 3)},
        {SMOOTH: is_smooth},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "twice the ridge": partial(gradient_by_layer, factor=2),
        "not scaled by the step": partial(gradient_by_layer, steps=0),
        "no bias in the critical weights": partial(gradient_by_layer, bias=0),
    },
    exact={
        "one critical layer": one_layer_is_critical,
        "three critical layers": pure_bias_layers_are_critical,
    },
)

SMALLEST = Claim(
    id="leaky_resnets.critical_weights.smallest",
    title="Critical weights are the smallest that do what they do",
    source=Source("leaky_resnets", "Section 1.3"),
    statement=critical_weights_are_smallest,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "B": reals("width", "points"),
            "other": reals("width", lambda sizes: sizes["width"] + 1),
            "leak": interval(1 / 4, 3),
        },
        {"width": range(1, 4), "points": range(1, 5)},
    ),
    tight={"the critical weights themselves": Tight(nothing_else)},
    false_neighbours={
        "largest": partial(critical_weights_are_smallest, turned=True),
        "no bias in the critical weights": partial(critical_weights_are_smallest, bias=False),
        "1 % more": partial(critical_weights_are_smallest, percent=101),
    },
    cost=4,
)
