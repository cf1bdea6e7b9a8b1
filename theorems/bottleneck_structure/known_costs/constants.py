r"""What a constant costs at every depth.

Statement
    On every domain that contains 0, for slopes of at most 1, the constant c has the cost :math:`V_1(c) = c^2` at depth 1, and

    .. math:: V_L(c) = \min_{g \ge 0} \frac{c^2}{1 + g^2} + V_{L-1}(g) .

    So :math:`V_L(c) = c^2` for :math:`c \le 1`, and :math:`2c - 1` for :math:`1 \le c \le 2` and L >= 2. From a depth on, which
    depends on c, the cost is that of the depth before: :math:`R^{(0)} = R^{(2)} = 0`, and :math:`R^{(1)}` is the cost.
Checked
    Every network that has the size c at 0 costs at least :math:`V_L(c)`, for every c and L: in terms of a rational parameter
    s >= 1 the constants that take l layers are :math:`c_1 = \sqrt{s-1}`, :math:`c_2 = s`, :math:`c_3 = (1 + s^2)/\sqrt s`, and
    so on (`cheapest_constant`); for s <= 2 no further layer saves anything. To compare with any network, its last layer is
    scaled to that size. That three layers attain it, and where l layers end and l + 1 begin.
Proof idea
    :math:`\|f(0)\| \le \|b_L\| + \|W_L\|(\|b_{L-1}\| + \dots)`, so that one neuron in each layer is best. Then
    :math:`w_\ell : b_\ell = c_{\ell-1} : 1`, and neighbouring layers are balanced.
Sharp
    The cheapest networks, for s = 25/16.
Source
    ours, beside the representation cost in Section 2.1 of bottleneck_structure.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.cheapest_constants import (
    CheapestConstant,
    cheapest_constant,
    cost_at_the_value,
)
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, interval
from verify.arithmetic import Array, compare, rationals
from verify.networks import FullyConnected


def origin(network: FullyConnected) -> Array:
    """The point 0."""
    return np.asarray(0 * network.weights[0][..., 0, :])


def cost_of_the_constant(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """The norm of a network with that size at 0, against the cost of the constant."""
    return ge(cost_at_the_value(network, origin(network), constant.squares[..., -1]), constant.norms.sum(axis=-1))


def has_slopes_at_most_one(network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the slope for negative arguments is at most 1 in size."""
    return np.asarray(compare(network.activation.negative**2, 1) <= 0)


def no_layer_is_missing(network: FullyConnected, constant: CheapestConstant) -> npt.NDArray[np.bool_]:
    """Whether s is at most 2, or all layers are for the constant."""
    return np.asarray((compare(constant.parameter, 2) <= 0) | (constant.squares.shape[-1] == network.depth))


def is_not_zero_at_the_origin(network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the network can be scaled to a size at 0."""
    return np.asarray((compare(network(origin(network)), 0) != 0).any(axis=-1))


# False variants


def cost_of_the_weights(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """The size at the point (1, ..., 1)."""
    return ge(cost_at_the_value(network, origin(network) + 1, constant.squares[..., -1]), constant.norms.sum(axis=-1))


def size_of_the_constant(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """A norm: the square of the size is the cost at every depth."""
    return ge(cost_at_the_value(network, origin(network), constant.squares[..., -1]), constant.squares[..., -1])


def without_the_output_bias(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """The bias of the output is not counted."""
    value, bias = network(origin(network)), network.biases[-1]
    free = constant.squares[..., -1] / (value * value).sum(axis=-1) * (bias * bias).sum(axis=-1)
    found = cost_at_the_value(network, origin(network), constant.squares[..., -1])
    return ge(found - free, constant.norms.sum(axis=-1))


# Exact parts and sharp instances


def chain(layers: int, depth: int) -> FullyConnected:
    """The cheapest network for s = 25/16, up to a factor in the last layer from four layers on, behind layers of zeros."""
    weights, biases = ["0", "3/4", "5/4", "881/320"][:layers], ["3/4", "1", "4/5", "1"][:layers]
    front = ["0"] * (depth - layers)
    return FullyConnected([rationals([[value]]) for value in front + weights], [rationals([value]) for value in front + biases])


def sharp_constant(layers: int, depth: int) -> dict[str, Any]:
    """The cheapest network at a depth, and the constant."""
    return {"network": chain(layers, depth), "constant": cheapest_constant(rationals("25/16"), layers)}


def three_layers_attain_it() -> Relation:
    """Value and norm of the networks for s = 25/16 with up to three layers; from four on the ratio in the last layer."""
    relation = Relation(())
    for layers in (1, 2, 3):
        network, constant = chain(layers, layers), cheapest_constant(rationals("25/16"), layers)
        relation &= eq(network(rationals([0]))[0] ** 2, constant.squares[-1])
        relation &= eq(network.parameter_norm_squared, constant.norms.sum())
    return relation & eq(rationals("881/320") ** 2, cheapest_constant(rationals("25/16"), 3).squares[-1])


def pieces_meet() -> Relation:
    """The largest constant of l layers, s = 2, is the smallest of l + 1 layers, s = 1, at the same cost, for l up to 6."""
    relation = Relation(())
    for layers in range(1, 7):
        before, after = cheapest_constant(rationals(2), layers), cheapest_constant(rationals(1), layers + 1)
        relation &= eq(before.squares[-1], after.squares[-1]) & eq(before.norms.sum(), after.norms.sum())
    return relation


CLAIM = Claim(
    id="bottleneck_structure.known_costs.constants",
    title="What a constant costs at every depth",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=cost_of_the_constant,
    domain=Domain(
        {
            "network": Networks(slope=(-2, 2)),
            "constant": derived(cheapest_constant, parameter=interval(1, np.inf, often=(1, 2))),
        },
        {"depth": (1, 2, 3, 4, 6, 13), "layers": (1, 2, 3, 4, 5), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2, 3)},
        {
            "slopes at most 1": has_slopes_at_most_one,
            "no layer is missing": no_layer_is_missing,
            "not zero at the origin": is_not_zero_at_the_origin,
        },
        sizes_where=lambda sizes: sizes["layers"] <= sizes["depth"],
    ),
    needs=("slopes at most 1", "no layer is missing"),
    tight={
        f"{layers} layers, depth {depth}": Tight(partial(sharp_constant, layers, depth))
        for layers, depth in ((1, 1), (1, 4), (2, 2), (2, 7), (3, 3), (3, 5), (4, 4))
    },
    false_neighbours={
        "the size at another point": cost_of_the_weights,
        "the square at every depth": size_of_the_constant,
        "output bias not counted": without_the_output_bias,
    },
    exact={"three layers attain it": three_layers_attain_it, "the pieces meet": pieces_meet},
)
