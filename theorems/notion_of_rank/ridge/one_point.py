r"""L2 regularisation of the parameters at one data point: the same chain for nonlinear networks.

Statement
    One data point x has the label y. The activation has slope 1 for t >= 0 and slopes of at most 1, there are no biases. Then
    on :math:`\Omega = \{x\}` the value z costs :math:`R = L(\|z\| / \|x\|)^{2/L}`, and

    .. math:: \|F_w(x) - y\|^2 + \lambda\|w\|^2 \ge \|F_w(x) - y\|^2 + \lambda L (\|F_w(x)\| / \|x\|)^{2/L}
              \ge \min_{u \ge 0} (\|x\|u^L - \|y\|)^2 + \lambda L u^2 .
Checked
    Both steps for every network; the minimum is exact (see ``chain``).
Proof idea
    The inequality of means for the norms of the layers, then the triangle inequality.
Sharp
    A chain of single neurons between two unit vectors, at a minimiser.
Source
    notion_of_rank, definition of the representation cost.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one
from theorems.notion_of_rank.constructions.arrays import squares, unit_vector
from theorems.notion_of_rank.constructions.scalars import least_objective
from theorems.notion_of_rank.ridge.chain import POSITIVE, SOURCE
from verify import Claim, Domain, Networks, Relation, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, power, rational, rationals
from verify.matrices import frobenius_norm_squared
from verify.networks import FullyConnected, leaky_relu


def at_one_point(network: FullyConnected, size: Array, direction: Array, length: Array, label: Array, ridge: Array) -> Relation:
    """The chain for one point ``size * direction`` with the label ``length * label``, both times a unit vector."""
    value = network(size[..., None] * direction)
    distance, cost = squares(value - length[..., None] * label), cost_of_value(value, size, network.depth)
    least = least_objective(length, ridge, network.depth, size)
    first = le(distance + ridge * cost, distance + ridge * network.weight_norm_squared, name="networks above values")
    return first & le(least, distance + ridge * cost, name="values above the minimum")


def cost_of_value(value: Array, size: Array, depth: int) -> Array:
    """The cost of a value at a point of this size."""
    return np.asarray(depth * power(squares(value) / (size * size), Fraction(1, depth)))


# False variants


def last_layer_is_free(network: FullyConnected, size: Array, direction: Array, ridge: Array) -> Relation:
    """The first step without the cost of the last layer."""
    paid = network.weight_norm_squared - frobenius_norm_squared(network.weights[-1])
    return le(ridge * cost_of_value(network(size[..., None] * direction), size, network.depth), ridge * paid)


def unit_point_in_the_minimum(
    network: FullyConnected, size: Array, direction: Array, length: Array, label: Array, ridge: Array
) -> Relation:
    """The minimum without the length of the point."""
    value = network(size[..., None] * direction)
    distance, cost = squares(value - length[..., None] * label), cost_of_value(value, size, network.depth)
    return le(least_objective(length, ridge, network.depth), distance + ridge * cost)


# Sharp instances


def minimiser_at_one_point(depth: int, root: object, size: object, ridge: object) -> dict[str, Any]:
    r"""A chain of single neurons between two unit vectors, and the label :math:`t = \|x\|u^L + \lambda u^{2-L} / \|x\|`."""
    u, length, weight = rationals(root)[()], rationals(size)[()], rationals(ridge)[()]
    direction, label = rationals(["3/5", "-4/5"]), rationals(["5/13", "12/13"])
    middle = [rationals([[1]]) * u] * (depth - 2)
    network = FullyConnected([u * direction[None, :], *middle, u * label[:, None]], activation=leaky_relu(rational("1/2")))
    target = length * u**depth + weight * u ** (2 - depth) / length
    numbers = {"size": length, "length": target, "ridge": weight}
    return {"network": network, "direction": direction, "label": label, **{k: rationals(v) for k, v in numbers.items()}}


CLAIM = Claim(
    id="notion_of_rank.ridge.one_point",
    title="Regularised parameters are regularised values at one data point",
    source=SOURCE,
    statement=at_one_point,
    domain=Domain(
        {
            "network": Networks(slope=(-2, 2), biases=False),
            "size": interval(Fraction(1, 4), 4),
            "direction": derived(unit_vector, chart=reals(lambda sizes: sizes["inputs"] - 1), flip=integers(0, 1)),
            "length": interval(0, np.inf),
            "label": derived(unit_vector, chart=reals(lambda sizes: sizes["outputs"] - 1), flip=integers(0, 1)),
            "ridge": POSITIVE,
        },
        {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": (2, 4), "outputs": range(1, 4)},
        {SLOPES: has_slopes_at_most_one},
    ),
    needs=(SLOPES,),
    tight={
        "depth 2": Tight(partial(minimiser_at_one_point, 2, "3/2", 2, "1/3")),
        "depth 3": Tight(partial(minimiser_at_one_point, 3, "3/2", "1/2", "1/8")),
        "depth 13": Tight(partial(minimiser_at_one_point, 13, "5/4", 1, "1/2")),
    },
    false_neighbours={
        "the last layer is free": last_layer_is_free,
        "length of the point left out": unit_point_in_the_minimum,
    },
)
