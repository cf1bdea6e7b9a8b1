r"""Scaling of outputs: with more leak, and no bias, the same weights give the same activations, scaled down.

Statement
    If :math:`\partial_p\alpha_p = -L\alpha_p + V_p\bar\sigma(\alpha_p)`, then :math:`\alpha'_p = e^{-cp}\alpha_p` solves the
    same equation with L + c for L, for every c. So a network without leak and with the outputs :math:`\alpha_1` is one of
    leak L with the outputs :math:`e^{-L}\alpha_1`.
Checked
    The velocities at every point, which is the proof; trajectories whose activations keep their signs, of one neuron in closed
    form and of several integrated. With a bias (ours) the same is true if it is scaled, too, :math:`b'_p = e^{-cp}b_p`, and
    false if it is not: from x = 0 with V = 0 and b = L = c = log 2, :math:`\alpha'_1 = 3/8`, which is not
    :math:`\frac12\alpha_1 = 1/4`.
Proof idea
    The ReLU is homogeneous.
Not checked
    The regularisation, which is not equivalent: its factor is 1/L.
Source
    leaky_resnets, Section 1.2; the scaled bias is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import scaled
from verify import Claim, Domain, Measured, Ours, Relation, Sizes, Source, derived, eq, ge, integers, interval, measured, reals
from verify.arithmetic import Array, FloatOnly, absolute, compare, is_exact, log, rationals
from verify.networks.leaky_resnet import ContinuousLeakyResNet, rectified


def field_of(activations: Array, matrix: Array, bias: Array) -> Array:
    r""":math:`V\bar\sigma(\alpha) + b1^T`, shape ``(..., w, N)``: the velocity without the leak."""
    return np.asarray(matrix @ rectified(activations) + bias[..., :, None])


def scaled_velocity(A: Array, V: Array, b: Array, leak: Array, more: Array, factor: Array) -> Relation:
    """With more leak at the scaled point, against the scaled velocity less what the factor falls."""
    return _same_velocity(field_of(scaled(A, factor), V, factor[..., None] * b), A, V, b, leak, more, factor)


def _same_velocity(field: Array, A: Array, V: Array, b: Array, leak: Array, more: Array, factor: Array) -> Relation:
    moved = field - scaled(A, (leak + more) * factor)
    return eq(moved, scaled(field_of(A, V, b) - scaled(A, leak) - scaled(A, more), factor), over=2)


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
    """

    first: Measured
    second: Measured
    unscaled: Measured
    factor: Array

    def __getitem__(self, index: Any) -> Ends:
        return Ends(*(getattr(self, one.name)[index] for one in fields(self)))


def one_neuron(active: Array, x: Array, rest: Array, growth: Array, leak_growth: Array, factor: Array) -> Ends:
    """One neuron and one point in closed form; it is active all the time if `active` is positive, else never.

    `growth` is the exponential of V, `leak_growth` that of L. The bias is `rest` times r, the rate of the neuron, which is
    V - L if it is active and else -L: then both ends are rational.
    """
    kept = np.where(compare(active, 0) > 0, growth, 0 * growth + 1) / leak_growth
    first = kept * x + rest * (kept - 1)
    # the integral of the scaled bias, which grows at the rate -r before it is multiplied by all that is kept
    second = kept * factor * (x + rest * (1 - 1 / kept))
    unscaled = kept * factor * x + rest * log(kept) * mean_of_exponential(kept * factor)
    found = [measured(one[..., None, None]) for one in (first, second, unscaled)]
    return Ends(found[0], found[1], found[2], factor)


def mean_of_exponential(end: Array) -> Array:
    r""":math:`\int_0^1 e^{rp}dp = (e^r - 1)/r` for :math:`e^r` = `end`."""
    still = compare(end, 1) == 0
    rate = log(np.where(still, 2 * end, end))
    return np.asarray(np.where(still, 0 * end + 1, (end - 1) / rate))


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
    found = [measured(path.values[..., 0, :, :], path.accuracy[..., None, None]) for path in paths]
    return Ends(found[0], found[1], found[2], factor)


def ends(x: Array, V: Array, b: Array, growths: Array, factor: Array, signs: Array, family: int) -> Ends:
    """The trajectories of a family from the same coordinates: family 0 is the closed form.

    Each neuron starts with a sign, and its weights and bias have the same: it never changes sign, as an integrator would lose
    accuracy there.
    """
    side = np.where(compare(signs, 0) > 0, 0 * signs + 1, 0 * signs - 1)
    x, V, b = side[..., None] * absolute(x), side[..., None] * absolute(V), side * absolute(b)
    growth, leak_growth = growths[..., 0], growths[..., 1]
    if family == 0:
        rising = (compare(side[..., 0], 0) > 0) & (compare(growth, leak_growth) > 0)
        return one_neuron(side[..., 0], x[..., 0, 0], np.where(rising, b[..., 0], -b[..., 0]), growth, leak_growth, factor)
    return integrated(x, V, b, log(leak_growth), factor)


def outputs_are_scaled(ends: Ends) -> Relation:
    """Outputs with more leak against those before."""
    return eq(ends.second, ends.first * ends.factor[..., None, None], over=2)


# False variants


def velocity_with_unscaled_bias(A: Array, V: Array, b: Array, leak: Array, more: Array, factor: Array) -> Relation:
    """The bias as it was."""
    return _same_velocity(field_of(scaled(A, factor), V, b), A, V, b, leak, more, factor)


def velocity_with_the_old_leak(A: Array, V: Array, b: Array, leak: Array, more: Array, factor: Array) -> Relation:
    """The leak as it was."""
    field = field_of(scaled(A, factor), V, factor[..., None] * b)
    stated = scaled(field_of(A, V, b) - scaled(A, leak) - scaled(A, more), factor)
    return eq(field - scaled(A, leak * factor), stated, over=2)


def outputs_with_unscaled_bias(ends: Ends) -> Relation:
    """The bias as it was."""
    return eq(ends.unscaled, ends.first * ends.factor[..., None, None], over=2)


def outputs_are_the_same(ends: Ends) -> Relation:
    """As if more leak changed nothing."""
    return eq(ends.second, ends.first, over=2)


def unscaled_bias_fails() -> Relation:
    """From x = 0 with b = log 2, V = 0 and L = c = log 2: 3/8, which is more than 1/4 by at least 1/9."""
    found = one_neuron(*(rationals([number]) for number in (1, 0, -1, 1, 2, "1/2")))
    return ge(found.unscaled - found.first * found.factor, rationals(["1/9"]), over=2)


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
    false_neighbours={"bias not scaled": velocity_with_unscaled_bias, "the old leak": velocity_with_the_old_leak},
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
    false_neighbours={"bias not scaled": outputs_with_unscaled_bias, "not scaled": outputs_are_the_same},
    exact={"bias not scaled": unscaled_bias_fails},
    cost=_price,
)
