r"""Splitting of constants: the second part of the cheapest network is the cheapest from the value that it starts at.

Statement
    For a network of least norm for f and every layer, :math:`R(f; \Omega, L) = R(\tilde\alpha_\ell; \Omega, \ell) +
    R(\sigma(\tilde\alpha_\ell) \to f; \Omega, L - \ell)`.
Checked
    For a constant, which costs the sum of the norms :math:`p_1, \dots, p_L` of its cheapest layers, with the values :math:`c_1,
    \dots, c_L` (``known_costs``): every network of depth L - 2, with slopes of at most 1, that takes a point of norm
    :math:`c_2` to a value of norm :math:`c_L` costs at least :math:`p_3 + \dots + p_L`. That the first two layers cost
    :math:`p_1 + p_2` is ``known_costs`` at depth 2.
Proof idea
    Else the constant would cost less.
Sharp
    The last layers of the cheapest network, for s = 9/4.
Source
    bottleneck_structure, Section 3.3.
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
from theorems.bottleneck_structure.known_costs.constants import has_slopes_at_most_one
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, ge, interval
from verify.arithmetic import Array, compare, rationals
from verify.networks import FullyConnected


def constant_of(parameter: Array, depth: int) -> CheapestConstant:
    """The constant with two layers more than the network."""
    return cheapest_constant(parameter, depth + 2)


def start(network: FullyConnected, constant: CheapestConstant) -> Array:
    r"""The point :math:`c_2 e_1`."""
    zero = network.weights[0][..., 0, :] * 0
    return np.asarray(zero + constant.parameter[..., None] * (np.arange(network.widths[0]) == 0))


def cost_of_the_last_layers(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """The norm of a network that takes the value after two layers to the last, against the norms of the layers between."""
    found = cost_at_the_value(network, start(network, constant), constant.squares[..., -1])
    return ge(found, constant.norms[..., 2:].sum(axis=-1))


def is_not_zero_at_the_start(network: FullyConnected, constant: CheapestConstant) -> npt.NDArray[np.bool_]:
    """Whether the network can be scaled to a size there."""
    return np.asarray((compare(network(start(network, constant)), 0) != 0).any(axis=-1))


# False variants


def with_another_layer(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """The norms from the second layer on."""
    found = cost_at_the_value(network, start(network, constant), constant.squares[..., -1])
    return ge(found, constant.norms[..., 1:].sum(axis=-1))


def from_the_first_value(network: FullyConnected, constant: CheapestConstant) -> Relation:
    """From the point 2 c_2."""
    found = cost_at_the_value(network, 2 * start(network, constant), constant.squares[..., -1])
    return ge(found, constant.norms[..., 2:].sum(axis=-1))


# Sharp instances


def last_layers(depth: int, outputs: tuple[str, ...] = ("1",)) -> dict[str, Any]:
    """For s = 9/4 the layers after the second, up to a factor in the last, whose value has the direction `outputs`."""
    weights, biases = ["3/2", "97/24"][:depth], ["2/3", "1"][:depth]
    directions = [rationals(["1"])] * (depth - 1) + [rationals(outputs)]
    network = FullyConnected(
        [rationals([[value]]) * one[:, None] for value, one in zip(weights, directions, strict=True)],
        [rationals([value]) * one for value, one in zip(biases, directions, strict=True)],
    )
    return {"network": network, "constant": constant_of(rationals("9/4"), depth)}


CLAIM = Claim(
    id="bottleneck_structure.splitting.constants",
    title="The second part of the cheapest network for a constant is the cheapest from there on",
    source=Source("bottleneck_structure", "Section 3.3, representation geodesics"),
    statement=cost_of_the_last_layers,
    domain=Domain(
        {"network": Networks(slope=(-2, 2)), "constant": derived(constant_of, parameter=interval(1, np.inf, often=(1, 2)))},
        {"depth": (1, 2, 3, 4), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2, 3)},
        {"slopes at most 1": has_slopes_at_most_one, "not zero at the start": is_not_zero_at_the_start},
    ),
    needs=("slopes at most 1",),
    tight={
        "1 layer": Tight(partial(last_layers, 1)),
        "2 layers": Tight(partial(last_layers, 2)),
        "2 layers, 2 outputs": Tight(partial(last_layers, 2, ("3/5", "4/5"))),
    },
    false_neighbours={"one layer more": with_another_layer, "from twice the value": from_the_first_value},
)
