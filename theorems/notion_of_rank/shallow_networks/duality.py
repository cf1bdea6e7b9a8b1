r"""Shallow networks of one input: lower bounds for the representation cost by duality, exactly, and values on [-1, 1].

Multipliers :math:`\lambda_j` at points :math:`x_j` answer a neuron with
:math:`g(w, b) = \sum_j \lambda_j \sigma(w x_j + b)`. With G the supremum of :math:`|g|` over :math:`w^2 + b^2 = 1`, every
network of depth 2 and one output satisfies

.. math:: 2\,\Bigl|\sum_j \lambda_j F(x_j)\Bigr| \le 2\,\Bigl|\beta\sum_j \lambda_j\Bigr| + G\,(\|w\|^2 - \beta^2) ,
          \qquad 2\,\Bigl|\sum_j \lambda_j F(x_j)\Bigr|\,G \le G^2 \|w\|^2 + \Bigl(\sum_j \lambda_j\Bigr)^2

with its output bias :math:`\beta` (``.dual``). So multipliers with G = 2 show that
:math:`R(f) \ge \lambda \cdot f - \frac14(\sum_j \lambda_j)^2` for every f with these values, on every domain that contains the
points, and that a network without output bias costs at least :math:`\lambda \cdot f`.

G is found exactly (`response_squared`): between the directions in which a neuron has its kink at a point, g is linear in
(w, b), so that :math:`|g| / \|(w, b)\|` is largest at such a direction or at a gradient of one of the linear pieces. For
rational points and multipliers :math:`G^2` is rational.

With these bounds, on [-1, 1] (for the ReLU), exactly:

.. math:: R(x) = R(x + 1) = 2\sqrt2, \quad R(2x) = 4\sqrt2, \quad R(|x|) = 4, \quad R(\tfrac12) = \tfrac14, \quad R(1) = 1,
          \quad R(2) = 3,

and 4 for the constant 2 without an output bias. The linear network for x costs 2, less than :math:`2\sqrt2`; a lower bound from
finitely many points is one for [-1, 1], since R only grows with the domain.

Idea of the proof: :math:`\sum_j \lambda_j F(x_j) = \beta\sum_j\lambda_j + \sum_i a_i g(w_i, b_i)`, and
:math:`\sum_i |a_i|\,\|(w_i, b_i)\| \le \frac12(\|w\|^2 - \beta^2)`.

Source: ours, beside the representation cost of shallow networks in notion_of_rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.shallow_networks.constants import constant_network
from theorems.notion_of_rank.shallow_networks.statement import balanced_neurons, neuron_sizes, variation
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, absolute, compare, largest, rationals, sqrt
from verify.networks import FullyConnected


def response(points: Array, multipliers: Array, directions: Array, slope: Any = 0) -> Array:
    r""":math:`g(w, b) = \sum_j \lambda_j\sigma(wx_j + b)`, shapes ``(..., n), (..., n), (..., k, 2) -> (..., k)``.

    `slope` is that of the activation below zero, a number or of batch shape.
    """
    values = directions[..., :, :1] * points[..., None, :] + directions[..., :, 1:]
    below = np.broadcast_to(np.asarray(slope)[..., None, None], values.shape)
    values = np.where(compare(values, 0) >= 0, values, below * values)
    return np.asarray((values * multipliers[..., None, :]).sum(axis=-1))


def critical_directions(points: Array, multipliers: Array, slope: Any = 0, gradients: bool = True) -> Array:
    r"""Directions (w, b) among which :math:`|g| / \|(w, b)\|` is largest, shapes ``(..., n), (..., n) -> (..., 6 n, 2)``.

    Both directions with the kink at each point, and the gradients of g where the points from one on, or up to one, are active,
    with both signs.
    """
    ones = 0 * points + 1
    found = [np.stack([ones, -points], axis=-1)]
    if gradients:
        moments = multipliers[..., :, None] * np.stack([points, ones], axis=-1)
        later = compare(points[..., None, :], points[..., :, None]) >= 0
        below = np.broadcast_to(np.asarray(slope)[..., None, None], later.shape)
        one = np.broadcast_to(0 * below + 1, later.shape)
        found += [np.where(active, one, below) @ moments for active in (later, np.swapaxes(later, -1, -2))]
    along = np.concatenate(found, axis=-2)
    return np.concatenate([along, -along], axis=-2)


def response_squared(points: Array, multipliers: Array, slope: Any = 0, gradients: bool = True) -> Array:
    r""":math:`G^2 = \sup_{w^2 + b^2 = 1} g(w, b)^2`, shapes ``(..., n), (..., n) -> (...)``; rational for rationals.

    Too small for ``gradients=False``, where only neurons with their kink at a point are tried.
    """
    directions = critical_directions(points, multipliers, slope, gradients)
    squares = (directions * directions).sum(axis=-1)
    lengths = np.where(compare(squares, 0) > 0, squares, 0 * squares + 1)
    return largest(response(points, multipliers, directions, slope) ** 2 / lengths)


def weak_duality(
    network: FullyConnected,
    points: Array,
    multipliers: Array,
    basis_points: int = 10_000,
    gradients: bool = True,
    total: bool = True,
    output_bias: bool = True,
) -> Relation:
    """Both bounds for a network; their left sides in units of 1/10000."""
    squared = response_squared(points, multipliers, network.activation.negative, gradients)
    supremum = sqrt(squared)
    values = np.moveaxis(network(np.moveaxis(points, -1, 0)[..., None])[..., 0], 0, -1)
    pairing = 2 * absolute((values * multipliers).sum(axis=-1)) * basis_points / 10_000
    offset, paid = network.biases[1][..., 0], network.parameter_norm_squared
    summed = multipliers.sum(axis=-1) * (1 if total else 0)
    reach = absolute(multipliers).sum(axis=-1) * (1 + absolute(points).sum(axis=-1))
    counted = paid if output_bias else paid - offset * offset
    size = reach * (1 + paid)
    direct = le(pairing, 2 * absolute(offset * summed) + supremum * (paid - offset * offset), scale=size)
    return direct & le(pairing * supremum, squared * counted + summed * summed, scale=size * reach)


def without_output_bias(weights: Sequence[object], biases: Sequence[object], outgoing: Sequence[object]) -> FullyConnected:
    """ReLU network of one input and one output without output bias, on rationals."""
    return FullyConnected([rationals(weights)[:, None], rationals(outgoing)[None, :]], [rationals(biases), rationals([0])])


ENDS_AND_MIDDLE = [-1, 0, 1]
FUNCTIONS: dict[str, tuple[FullyConnected, list[int], list[int], int]] = {
    "x": (without_output_bias([1, -1], [1, 1], ["1/2", "-1/2"]), [-1, 0, 1], [-1, 0, 1], 8),
    "x + 1": (without_output_bias([1], [1], [1]), [0, 1, 2], [-1, 0, 1], 8),
    "2 x": (without_output_bias([1, -1], [1, 1], [1, -1]), [-2, 0, 2], [-1, 0, 1], 32),
    "|x|": (without_output_bias([1, -1], [0, 0], [1, 1]), [1, 0, 1], [1, -2, 1], 16),
}
"""Functions on [-1, 1], affine on both sides of 0: a cheapest network up to balance, values and multipliers at -1, 0 and 1, and
the square of R.
"""


def costs_on_the_interval() -> Relation:
    """The squares of R, each by a network and by multipliers of sum zero."""
    relation, x, halves = Relation(()), rationals(ENDS_AND_MIDDLE), rationals(["-1/2", "1/2"])
    for network, values, multipliers, square in FUNCTIONS.values():
        # without kinks between -1, 0 and 1, five points determine it on the interval
        y = rationals(values)
        relation &= eq(network(x[:, None])[:, 0], y, over=1)
        relation &= eq(network(halves[:, None])[:, 0], (y[:-1] + y[1:]) / 2, over=1)
        entering, leaving = neuron_sizes(network)
        sizes = entering * leaving
        relation &= eq(4 * sqrt(sizes[:, None] * sizes).sum(), rationals(square))
        weights = rationals(multipliers)
        least = 4 * (weights * y).sum() ** 2 / response_squared(x, weights)
        relation &= eq(least, rationals(square)) & eq(weights.sum(), rationals(0))
    return relation


def costs_of_constants() -> Relation:
    """R of 1/2, 1 and 2 by the multiplier 1 or 2 at the point 0, and 4 for the constant 2 without an output bias."""
    zero, relation = rationals([0]), Relation(())
    for value, multiplier, cost in (("1/2", 1, "1/4"), (1, 2, 1), (2, 2, 3)):
        weight = rationals([multiplier])
        relation &= le(response_squared(zero, weight), rationals(4))
        relation &= eq(weight[0] * rationals(value) - weight[0] ** 2 / 4, rationals(cost))
        relation &= eq(constant_network(rationals(value), 2).parameter_norm_squared, rationals(cost))
    plain = without_output_bias([0], [1], [2])
    weight = rationals([2])
    relation &= eq(plain(rationals([[-1], [1]])), rationals([[2], [2]]), over=2) & eq(variation(plain), rationals(4))
    return relation & eq(2 * (weight * 2).sum() / sqrt(response_squared(zero, weight)), rationals(4))


def pair(name: str) -> dict[str, Any]:
    """A cheapest network and its multipliers, from `FUNCTIONS`; the network is balanced."""
    network, _, multipliers, _ = FUNCTIONS[name]
    return {
        "network": balanced_neurons(network),
        "points": rationals(ENDS_AND_MIDDLE),
        "multipliers": rationals(multipliers),
    }


def constant_pair(value: int) -> dict[str, Any]:
    """A constant of at least 1 and the multiplier 2 at the point 0."""
    return {
        "network": constant_network(rationals(value), 2),
        "points": rationals([0]),
        "multipliers": rationals([2]),
    }


CLAIM = Claim(
    id="notion_of_rank.shallow_networks.dual",
    title="Multipliers bound the cost from below",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=weak_duality,
    domain=Domain(
        {
            "network": Networks(depth=2, inputs=1, outputs=1, slope=(-1, 1)),
            "points": reals("points"),
            "multipliers": reals("points"),
        },
        {"width": range(1, 3), "points": range(1, 4)},
    ),
    tight={
        "|x|": Tight(partial(pair, "|x|")),
        "constant 2": Tight(partial(constant_pair, 2)),
        "constant 5": Tight(partial(constant_pair, 5)),
        "x": Tight(partial(pair, "x")),
        "x + 1": Tight(partial(pair, "x + 1")),
    },
    false_neighbours={
        "constant 1.01": partial(weak_duality, basis_points=10_100),
        "constant 1.0001": partial(weak_duality, basis_points=10_001),
        "supremum over kinks at the points": partial(weak_duality, gradients=False),
        "without the sum of the multipliers": partial(weak_duality, total=False),
        "output bias not counted": partial(weak_duality, output_bias=False),
    },
    exact={"values on [-1, 1]": costs_on_the_interval, "constants": costs_of_constants},
)
