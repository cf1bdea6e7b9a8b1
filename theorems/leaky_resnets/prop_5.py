r"""Proposition 5: in large networks, representations that move slowly are non-negative.

Printed: if :math:`A^L` are uniformly bounded local minima for growing L, and :math:`\|\partial_pA\|` is uniformly bounded near
:math:`p_0`, then the limit of :math:`A_{p_0}` is non-negative, if it exists. What the proof needs besides is that they stay
local minima when a zero neuron is added, and that the adjoints are uniformly bounded. It adds a neuron that makes the weights
smaller where a column has a negative entry: see ``prop_5_construction`` (and what is wrong there in print), ``prop_5_neuron``
and ``prop_5_cost``.

What is checked here is a form that is finite and needs no limit and no bound on the adjoints, for a path that *rests*, at A
with weights W = [V, b], :math:`V\bar\sigma(A) + b\mathbf 1^T = LA`, from :math:`p_0 - r` to :math:`p_0 + r`. Let s be the
triangle of height 1 there, and :math:`t = s + s'/L`. Then the weights of the construction, with ts in the place of
:math:`t^2`, move the path **not at all**, and the new neuron is :math:`\varepsilon s\bar K_{i\cdot}`, zero at both ends; the
integral of the squared norm of the weights grows by exactly

.. math:: rL^2\Bigl(-\varepsilon^2\Bigl[\tfrac23c_0 - \tfrac2{(Lr)^2}(\|A_{\cdot i}\|^2 + \|\bar\sigma(A_{\cdot i})\|^2)\Bigr]
          + 2\varepsilon^4\Bigl[\tfrac15 + \tfrac1{3(Lr)^2}\Bigr]\|A_{\cdot i}\|^2\|\bar\sigma(A_{\cdot i})\|^2\Bigr), \qquad
          c_0 = \|A_{\cdot i}\|^2 - \|\bar\sigma(A_{\cdot i})\|^2 - \tfrac2LA_{\cdot i}^Tb .

Without bias :math:`c_0` is the squared norm of the negative part of the column. So a path is no stable local minimum as soon as
:math:`(Lr)^2 > 3(\|A_{\cdot i}\|^2 + \|\bar\sigma(A_{\cdot i})\|^2)/c_0` somewhere; the cost does not change. For a
non-negative column at rest without bias there is no term in :math:`\varepsilon^2` in the construction of the print. The bias is
what is small on average, by Proposition 10: :math:`\int\|b_p/L\|^2dp \le \|W_1\|^2/(2L^3)`.

Source: leaky_resnets, Proposition 5 (Proposition 9 of the appendix); the finite form is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.prop_5_construction import (
    POINT,
    has_negative_entry,
    widened_activations,
    widened_weights,
)
from theorems.leaky_resnets.prop_10 import TRAJECTORIES, Growth, pure_bias_growth
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import feature_matrix, is_in_row_space, rectified, squared_norm


@dataclass(frozen=True, eq=False)
class Resting:
    r"""A representation at rest, all divided by L: weights :math:`[(A - b\mathbf 1^T)\bar\sigma(A)^+, b]`.

    Attributes
    ----------
    A, weights
        Shapes ``(..., w, N)`` and ``(..., w, w + 1)``.
    finite
        Whether these weights do rest there, shape ``(...)``.
    """

    A: Array
    weights: Array
    finite: Array

    def __getitem__(self, index: Any) -> Resting:
        return Resting(self.A[index], self.weights[index], self.finite[index])

    @property
    def gain(self) -> Array:
        """The number c_0, shape ``(...)``."""
        column = self.A[..., POINT : POINT + 1]
        pulled = (column * self.weights[..., -1:]).sum(axis=(-2, -1))
        return np.asarray(squared_norm(column) - squared_norm(rectified(column)) - 2 * pulled)

    @property
    def price(self) -> Array:
        """Squared norm of the column and of its ReLU, shape ``(...)``."""
        column = self.A[..., POINT : POINT + 1]
        return np.asarray(squared_norm(column) + squared_norm(rectified(column)))

    @property
    def product(self) -> Array:
        """Their product, shape ``(...)``."""
        column = self.A[..., POINT : POINT + 1]
        return np.asarray(squared_norm(column) * squared_norm(rectified(column)))


def resting(A: Array, bias: Array) -> Resting:
    """At A, shape ``(..., w, N)``, with the bias L times `bias`, shape ``(..., w)``."""
    features, moved = rectified(A), A - bias[..., None]
    weights = np.concatenate([moved @ pseudo_inverse(features), bias[..., None]], axis=-1)
    return Resting(A, weights, is_in_row_space(moved, features))


BOOLE = (7, 32, 12, 32, 7)
"""Boole's rule, exact for polynomials of degree five: the squared norm has degree four on both halves of the triangle."""


@dataclass(frozen=True, eq=False)
class Change:
    """What the construction does, in units of L and of r."""

    moved: Array
    neuron_moved: Array
    norm: Array
    scale: Array


def change_at_rest(at: Resting, size: Array, rate: Array, corner: str = "ts", ahead: int = 1) -> Change:
    r"""Velocities at the nodes on both halves, less what they should be, and the integral of the change of the norm.

    `size` is :math:`\varepsilon` and `rate` Lr; L = 1. ``corner="tt"`` is what the print means, ``ahead=0`` takes t = s.
    """
    one, features, total = 0 * size + 1, feature_matrix(at.A), squared_norm(at.weights)
    bars = rectified(at.A)
    kernel = (bars * bars[..., POINT : POINT + 1]).sum(axis=-2)
    norm, moved, neuron_moved = 0 * size, [], []
    for slope in (1, -1):
        for place, weight in enumerate(BOOLE):
            s = (one * place if slope == 1 else one * (4 - place)) / 4
            t = s + ahead * slope / rate
            matrix = widened_weights(at.A, at.weights, one, size, t, corner=t * (s if corner == "ts" else t))
            wide = widened_activations(at.A, (size * s)[..., None] * kernel)
            velocity = matrix @ feature_matrix(wide) - wide
            moved.append(velocity[..., :-1, :])
            neuron_moved.append(velocity[..., -1, :] - (size * slope / rate)[..., None] * kernel)
            norm = norm + weight * (squared_norm(matrix) - total) / 90
    size_of = (1 + squared_norm(features)) ** 2 * (1 + total) * (1 + size) ** 4 * (1 + 1 / rate) ** 4
    return Change(np.stack(moved, axis=-3), np.stack(neuron_moved, axis=-2), norm, size_of)


def gain_and_price(at: Resting, rate: Array) -> tuple[Array, Array]:
    r"""What stands before :math:`-\varepsilon^2` and :math:`\varepsilon^4`."""
    return 2 * at.gain / 3 - 2 * at.price / rate**2, 2 * at.product / 5 + 2 * at.product / (3 * rate**2)


def another_neuron_helps(
    at: Resting, size: Array, rate: Array, corner: str = "ts", ahead: int = 1, percent: int = 100
) -> Relation:
    """Nothing moves but the new neuron, as it should, and the norm falls; the keywords are for false neighbours."""
    change = change_at_rest(at, size, rate, corner, ahead)
    gain, price = gain_and_price(at, rate)
    stated = -gain * size**2 * percent / 100 + price * size**4
    entries = change.scale[..., None, None]
    return (
        eq(change.moved, 0 * change.moved, scale=entries[..., None], over=3)
        & eq(change.neuron_moved, 0 * change.neuron_moved, scale=entries, over=2)
        & eq(change.norm, stated, scale=change.scale)
        & le(change.norm, 0 * size, scale=change.scale)
    )


def rests(at: Resting) -> Array:
    """Whether the weights hold the representation."""
    return at.finite


def is_long_and_small(at: Resting, size: Array, rate: Array) -> Array:
    """Whether the path rests for long enough, and the new neuron is small enough."""
    gain, price = gain_and_price(at, rate)
    return np.asarray(compare(gain, price * size**2) >= 0)


def no_first_order(at: Resting, size: Array, height: Array, percent: int = 100, power: int = 4) -> Relation:
    r"""With the print's :math:`t^2`, a non-negative column and no bias: the norm grows by a term in :math:`\varepsilon^4`."""
    column = at.A[..., POINT : POINT + 1]
    wider = widened_weights(at.A, at.weights, 0 * size + 1, size, height)
    grown = squared_norm(wider) - squared_norm(at.weights)
    stated = (size * height) ** power * squared_norm(column) ** 2 * percent / 100
    total = (1 + squared_norm(at.A)) ** 2 * (1 + squared_norm(at.weights)) * (1 + size) ** 4
    return eq(grown, stated, scale=total)


def without_bias(A: Array) -> Resting:
    """At rest at A, with weights whose bias is zero."""
    return resting(A, 0 * A[..., 0])


def column_is_not_negative(at: Resting) -> Array:
    """Whether no entry of the column is negative."""
    return ~has_negative_entry(at.A)


def mean_bias(growth: Growth, percent: int = 50) -> Relation:
    r""":math:`L\int\|b_p/L\|^2dp` against half of :math:`\|W_1\|^2/L^2`, on trajectories in which only the bias acts."""
    norms = growth.norms
    return le(growth.biases * 100, norms[..., 1] * percent, scale=100 * norms.sum(axis=-1), noise=100 * growth.noise)


def boundary() -> dict[str, Any]:
    r"""At rest at A = (-2, 1) without bias, for Lr = 3 and the largest :math:`\varepsilon`."""
    A = rationals([[[-2], [1]]])
    return {"at": without_bias(A), "size": rationals(["3/4"]), "rate": rationals(["3"])}


def long_growth() -> dict[str, Growth]:
    """A negative activation on which only the bias acts, for so long that the first weights are small beside the last."""
    A, B = rationals([[[-1]]]), rationals([[[-1]]])
    return {"growth": pure_bias_growth(A, B, rationals([10_000]))}


def three_points_improve() -> Relation:
    r"""At rest at A = (-1/2, 1, 0; 1, 3/10, 0), b = 0, whose cost with bias no factor lowers: Lr = 6 is enough."""
    A = rationals([[["-1/2", "1", "0"], ["1", "3/10", "0"]]])
    at, size, rate = without_bias(A), rationals(["1/4"]), rationals(["6"])
    if not (rests(at) & is_long_and_small(at, size, rate)).all():
        raise ArithmeticError("the instance does not satisfy the hypotheses")
    return another_neuron_helps(at, size, rate)


RESTS = "the weights hold the representation"
LONG = "the path rests for long enough, and the neuron is small enough"
NOT_NEGATIVE = "no entry of the column is negative"
SIZES = {"width": range(1, 4), "points": range(1, 3)}
SOURCE = Source("leaky_resnets", "Proposition 5")

CLAIM = Claim(
    id="leaky_resnets.prop_5",
    title="A path that rests at a negative representation is better with another neuron",
    source=SOURCE,
    status=Ours(),
    statement=another_neuron_helps,
    domain=Domain(
        {
            "at": derived(resting, A=reals("width", "points"), bias=interval(-1 / 2, 1 / 2, "width")),
            "size": interval(1 / 16, 1),
            "rate": interval(1, 24),
        },
        SIZES,
        {RESTS: rests, LONG: is_long_and_small},
    ),
    needs=(RESTS, LONG),
    tight={"the largest neuron": Tight(boundary)},
    false_neighbours={
        "the square of t in the corner: the path moves": partial(another_neuron_helps, corner="tt"),
        "s for t: the neuron lags": partial(another_neuron_helps, ahead=0),
        "1 % more gain": partial(another_neuron_helps, percent=101),
    },
    exact={"three points": three_points_improve},
    cost=8,
)

NOTHING_NEGATIVE = Claim(
    id="leaky_resnets.prop_5.nonnegative",
    title="At a non-negative column another neuron has no effect of leading order",
    source=Source("leaky_resnets", "Proposition 9, proof"),
    status=Ours(),
    statement=no_first_order,
    domain=Domain(
        {"at": derived(without_bias, A=reals("width", "points")), "size": interval(1 / 16, 1), "height": interval(0, 1)},
        SIZES,
        {RESTS: rests, NOT_NEGATIVE: column_is_not_negative},
    ),
    needs=(NOT_NEGATIVE,),
    false_neighbours={
        "1 % more": partial(no_first_order, percent=101),
        "of second order": partial(no_first_order, power=2),
        "nothing at all": partial(no_first_order, percent=0),
    },
    cost=4,
)

BIAS = Claim(
    id="leaky_resnets.prop_5.mean_bias",
    title="The bias is small on average",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=mean_bias,
    domain=replace(TRAJECTORIES, sizes={"family": (0, 1)}),
    tight={"long growth": Tight(long_growth, 1e-8, "approached as the first weights vanish beside the last")},
    false_neighbours={
        "10 % less": partial(mean_bias, percent=45),
        "a quarter, as Proposition 10 has it in print": partial(mean_bias, percent=25),
    },
    cost=4,
)
