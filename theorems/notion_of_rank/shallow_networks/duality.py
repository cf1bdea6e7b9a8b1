r"""Shallow networks of one input: lower bounds for the representation cost by duality, and values on [-1, 1].

Statement
    Multipliers :math:`\lambda_j` at points :math:`x_j` answer a neuron with
    :math:`g(w, b) = \sum_j \lambda_j \sigma(w x_j + b)`. With G the supremum of :math:`|g|` over :math:`w^2 + b^2 = 1`, every
    network of depth 2 and one output with the output bias :math:`\beta` satisfies

    .. math:: 2\,\Bigl|\sum_j \lambda_j F(x_j)\Bigr| \le 2\,\Bigl|\beta\sum_j \lambda_j\Bigr| + G\,(\|w\|^2 - \beta^2) ,
              \quad 2\,\Bigl|\sum_j \lambda_j F(x_j)\Bigr|\,G \le G^2 \|w\|^2 + \Bigl(\sum_j \lambda_j\Bigr)^2 .

    So multipliers with G = 2 show that :math:`R(f) \ge \lambda \cdot f - \frac14(\sum_j \lambda_j)^2` for every f with these
    values, on every domain that contains the points. On [-1, 1], for the ReLU,

    .. math:: R(x) = R(x + 1) = 2\sqrt2, \quad R(2x) = 4\sqrt2, \quad R(|x|) = 4, \quad R(\tfrac12) = \tfrac14, \quad
              R(1) = 1, \quad R(2) = 3,

    and 4 for the constant 2 without an output bias. The linear network for x costs 2, less than :math:`2\sqrt2`.
Checked
    Both bounds for every network. G is found exactly (`response_squared`): between the directions in which a neuron has its
    kink at a point, g is linear in (w, b), so that :math:`|g| / \|(w, b)\|` is largest at such a direction or at a gradient of
    one of the linear pieces. The values on [-1, 1] exactly, by a network and by multipliers.
Proof idea
    :math:`\sum_j \lambda_j F(x_j) = \beta\sum_j\lambda_j + \sum_i a_i g(w_i, b_i)`, and
    :math:`\sum_i |a_i|\,\|(w_i, b_i)\| \le \frac12(\|w\|^2 - \beta^2)`.
Sharp
    The cheapest networks for |x|, x, x + 1 and constants.
Source
    ours, beside the representation cost of shallow networks in notion_of_rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.constants import constant_network
from theorems.notion_of_rank.shallow_networks.statement import balanced_neurons, neuron_sizes, variation
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, eq, le, reals
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


def critical_directions(points: Array, multipliers: Array, slope: Any = 0) -> Array:
    r"""Directions (w, b) among which :math:`|g| / \|(w, b)\|` is largest, shapes ``(..., n), (..., n) -> (..., 6 n, 2)``.

    Both directions with the kink at each point, and the gradients of g where the points from one on, or up to one, are active,
    with both signs.
    """
    ones = 0 * points + 1
    moments = multipliers[..., :, None] * np.stack([points, ones], axis=-1)
    later = compare(points[..., None, :], points[..., :, None]) >= 0
    below = np.broadcast_to(np.asarray(slope)[..., None, None], later.shape)
    one = np.broadcast_to(0 * below + 1, later.shape)
    gradients = [np.where(active, one, below) @ moments for active in (later, np.swapaxes(later, -1, -2))]
    along = np.concatenate([np.stack([ones, -points], axis=-1), *gradients], axis=-2)
    return np.concatenate([along, -along], axis=-2)


def response_squared(points: Array, multipliers: Array, slope: Any = 0) -> Array:
    r""":math:`G^2 = \sup_{w^2 + b^2 = 1} g(w, b)^2`, shapes ``(..., n), (..., n) -> (...)``; rational for rationals."""
    directions = critical_directions(points, multipliers, slope)
    squares = (directions * directions).sum(axis=-1)
    lengths = np.where(compare(squares, 0) > 0, squares, 0 * squares + 1)
    return largest(response(points, multipliers, directions, slope) ** 2 / lengths)


def weak_duality(network: FullyConnected, points: Array, multipliers: Array, factor: Q | int = 2) -> Relation:
    """Both bounds for a network; `factor` is that of the left sides."""
    squared = response_squared(points, multipliers, network.activation.negative)
    return bounds(network, points, multipliers, squared, factor)


def bounds(network: FullyConnected, points: Array, multipliers: Array, squared: Array, factor: Q | int = 2) -> Relation:
    """Both bounds with `squared` for the square of G."""
    supremum, values = sqrt(squared), np.moveaxis(network(np.moveaxis(points, -1, 0)[..., None])[..., 0], 0, -1)
    pairing, summed = factor * absolute((values * multipliers).sum(axis=-1)), multipliers.sum(axis=-1)
    offset, paid = network.biases[1][..., 0], network.parameter_norm_squared
    direct = le(pairing, 2 * absolute(offset * summed) + supremum * (paid - offset * offset), name="by the bias")
    return direct & le(pairing * supremum, squared * paid + summed * summed, name="by the norm")


# False variants


def kinks_at_the_points_suffice(network: FullyConnected, points: Array, multipliers: Array) -> Relation:
    """The supremum over neurons with their kink at a point."""
    along = np.stack([0 * points + 1, -points], axis=-1)
    directions = np.concatenate([along, -along], axis=-2)
    lengths = (directions * directions).sum(axis=-1)
    found = response(points, multipliers, directions, network.activation.negative) ** 2 / lengths
    return bounds(network, points, multipliers, largest(found))


def without_the_sum(network: FullyConnected, points: Array, multipliers: Array) -> Relation:
    """The first bound without the output bias."""
    supremum = sqrt(response_squared(points, multipliers, network.activation.negative))
    values = np.moveaxis(network(np.moveaxis(points, -1, 0)[..., None])[..., 0], 0, -1)
    return le(2 * absolute((values * multipliers).sum(axis=-1)), supremum * network.parameter_norm_squared)


# Values on [-1, 1], and tight examples


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
            "points": reals("points", role="points of the line"),
            "multipliers": reals("points", role="residuals of one output"),
        },
        {"width": range(1, 4), "points": range(1, 5)},
    ),
    tight={
        "|x|": Tight(partial(pair, "|x|")),
        "constant 2": Tight(partial(constant_pair, 2), of=("by the bias", "by the norm")),
        "constant 5": Tight(partial(constant_pair, 5), of=("by the bias", "by the norm")),
        "x": Tight(partial(pair, "x")),
        "x + 1": Tight(partial(pair, "x + 1")),
    },
    false_variants={
        "21/10 times the pairing": partial(weak_duality, factor=Q("21/10")),
        "supremum over kinks at the points": kinks_at_the_points_suffice,
        "without the sum of the multipliers": without_the_sum,
    },
    exact={"values on [-1, 1]": costs_on_the_interval, "constants": costs_of_constants},
)
