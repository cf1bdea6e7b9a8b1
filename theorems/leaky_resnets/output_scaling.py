r"""Scaling of outputs: with more leak, and no bias, the same weights give the same activations, scaled down.

If :math:`\partial_p\alpha_p = -L\alpha_p + V_p\bar\sigma(\alpha_p)`, then :math:`\alpha'_p = e^{-cp}\alpha_p` solves the same
equation with L + c for L, for every c: the ReLU is homogeneous. So a network without leak and with the outputs
:math:`\alpha_1` is one of leak L with the outputs :math:`e^{-L}\alpha_1`. The text assumes that there is no bias; with a bias
the same is true if it is scaled, too, :math:`b'_p = e^{-cp}b_p`, and false if it is not: from x = 0 with b = 1 and V = 0, L = 0
and c = 1, :math:`\alpha'_1 = 1 - e^{-1}`, which is not :math:`e^{-1}\alpha_1`.

What is checked: the velocities at every point, which is the proof; and trajectories (``.trajectory``) whose activations keep
their signs, of one neuron in closed form and of several integrated. Equivalent are the dynamics, not the regularisation,
whose factor is :math:`1/L`.

Source: leaky_resnets, Section 1.2; the scaled bias is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import scaled
from verify import Claim, Domain, Ours, Relation, Sizes, Source, derived, eq, ge, integers, interval, reals
from verify.arithmetic import Array, FloatOnly, absolute, compare, exp, is_exact, log, rationals
from verify.networks.leaky_resnet import ContinuousLeakyResNet, rectified, squared_norm


def velocity(activations: Array, matrix: Array, bias: Array, leak: Array) -> Array:
    r""":math:`-L\alpha + V\bar\sigma(\alpha) + b1^T`, shape ``(..., w, N)``."""
    return np.asarray(matrix @ rectified(activations) + bias[..., :, None] - scaled(activations, leak))


def scaled_velocity(
    A: Array, V: Array, b: Array, leak: Array, more: Array, factor: Array, *, bias: bool = True, leaks: int = 1
) -> Relation:
    """The velocity with more leak at the scaled point; in false neighbours the bias is not scaled, or the leak wrong."""
    moved = velocity(scaled(A, factor), V, scaled(b[..., None, :], factor)[..., 0, :] if bias else b, leak + leaks * more)
    stated = scaled(velocity(A, V, b, leak) - scaled(A, more), factor)
    size = squared_norm(A) * (1 + squared_norm(V) + (leak + absolute(more)) ** 2) + (b**2).sum(axis=-1)
    return eq(moved, stated, scale=(1 + factor * (1 + size))[..., None, None], over=2)


@dataclass(frozen=True, eq=False)
class Ends:
    """Activations at p = 1 of three networks, shape ``(..., w, N)``, and what they should differ by.

    Attributes
    ----------
    first
        With the leak L.
    second, unscaled
        With the leak L + c, and the bias scaled or not.
    factor
        :math:`e^{-c}`.
    noise
        Error of the integration.
    """

    first: Array
    second: Array
    unscaled: Array
    factor: Array
    noise: Array

    def __getitem__(self, index: Any) -> Ends:
        return Ends(*(getattr(self, one.name)[index] for one in fields(self)))


def one_neuron(x: Array, b: Array, growth: Array, leak_growth: Array, factor: Array) -> Ends:
    """One neuron and one point of the sign of its bias in closed form: it is active all the time, or never.

    `growth` is the exponential of V, `leak_growth` that of L.
    """
    kept = np.where(compare(x + b, 0) > 0, growth, 0 * growth + 1) / leak_growth
    scaled_bias = b * mean_of_exponential(1 / kept)
    first = kept * x + b * mean_of_exponential(kept)
    second = kept * factor * (x + scaled_bias)
    unscaled = kept * factor * x + b * mean_of_exponential(kept * factor)
    first, second, unscaled = (one[..., None, None] for one in (first, second, unscaled))
    return Ends(first, second, unscaled, factor, 0 * factor)


def mean_of_exponential(end: Array) -> Array:
    r""":math:`\int_0^1 e^{rp}dp = (e^r - 1)/r` for :math:`e^r` = `end`."""
    rate = log(end)
    still = compare(rate, 0) == 0
    return np.asarray(np.where(still, 0 * end + 1, (end - 1) / np.where(still, 0 * end + 1, rate)))


def integrated(x: Array, V: Array, b: Array, leak: Array, factor: Array) -> Ends:
    """Several neurons, integrated; floats only."""
    if is_exact(x):
        raise FloatOnly("an integrated trajectory has no exact evaluation")
    more = -np.log(factor)

    def weights(rate: Array) -> Any:
        return lambda p: np.concatenate([V, b[..., None] * np.exp(-rate * p)[..., None, None]], axis=-1)

    paths = [
        ContinuousLeakyResNet(weights(rate), total).activations(x, [1.0])
        for rate, total in ((0 * more, leak), (more, leak + more), (0 * more, leak + more))
    ]
    first, second, unscaled = (path.values[..., 0, :, :] for path in paths)
    return Ends(first, second, unscaled, factor, np.asarray(sum(path.accuracy for path in paths)))


def ends(x: Array, V: Array, b: Array, growths: Array, factor: Array, signs: Array, family: int) -> Ends:
    """The trajectories of a family from the same coordinates: family 0 is the closed form.

    Each neuron starts with a sign, and its weights and bias have the same: it never changes sign, as an integrator would lose
    accuracy there.
    """
    side = np.where(compare(signs, 0) > 0, 0 * signs + 1, 0 * signs - 1)
    x, V, b = side[..., None] * absolute(x), side[..., None] * absolute(V), side * absolute(b)
    growth, leak_growth = growths[..., 0], growths[..., 1]
    if family == 0:
        return one_neuron(x[..., 0, 0], b[..., 0], growth, leak_growth, factor)
    return integrated(x, V, b, log(leak_growth), factor)


def outputs_are_scaled(ends: Ends, power: int = 1, *, bias: bool = True) -> Relation:
    """Outputs with more leak against those before."""
    found = ends.second if bias else ends.unscaled
    noise = ends.noise[..., None, None]
    return eq(found, scaled(ends.first, ends.factor**power), scale=1 + absolute(ends.first), noise=noise, over=2)


def unscaled_bias_fails() -> Relation:
    r"""From x = 0 with b = 1, V = 0, L = 0 and c = 1: :math:`1 - 2e^{-1}` is more than 1/4."""
    zero, one = rationals([0]), rationals([1])
    factor = exp(-one)
    found = one_neuron(zero, one, one, one, factor)
    return ge(found.unscaled - scaled(found.first, factor), rationals(["1/4"]), over=2)


FAMILIES = {0: (1, 1), 1: (1, 2), 2: (2, 3), 3: (3, 2)}
"""Neurons and points of the families."""


def _neurons(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][0]


def _points(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][1]


def _price(sizes: Sizes) -> int:
    return 1 if sizes["family"] == 0 else 60


SOURCE = Source("leaky_resnets", "Section 1.2")

CLAIM = Claim(
    id="leaky_resnets.output_scaling",
    title="More leak scales the activations down",
    source=SOURCE,
    statement=scaled_velocity,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "V": reals("width", "width"),
            "b": reals("width"),
            "leak": interval(0, 4),
            "more": interval(-2, 4),
            "factor": interval(1 / 64, 4),
        },
        {"width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "bias not scaled": partial(scaled_velocity, bias=False),
        "the old leak": partial(scaled_velocity, leaks=0),
        "twice as much more leak": partial(scaled_velocity, leaks=2),
    },
)

TRAJECTORY = Claim(
    id="leaky_resnets.output_scaling.trajectory",
    title="More leak scales the outputs down",
    source=SOURCE,
    status=Ours(),
    statement=outputs_are_scaled,
    domain=Domain(
        {
            "ends": derived(
                ends,
                x=interval(-2, 2, _neurons, _points),
                V=interval(-2, 2, _neurons, _neurons),
                b=interval(-2, 2, _neurons),
                growths=interval(1, 4, 2),
                factor=interval(1 / 8, 2),
                signs=integers(0, 1, _neurons),
            )
        },
        {"family": tuple(FAMILIES)},
    ),
    false_neighbours={
        "bias not scaled": partial(outputs_are_scaled, bias=False),
        "not scaled": partial(outputs_are_scaled, power=0),
        "scaled twice": partial(outputs_are_scaled, power=2),
    },
    exact={"bias not scaled": unscaled_bias_fails},
    cost=_price,
)
