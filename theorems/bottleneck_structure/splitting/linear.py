r"""Splitting of linear networks: the parts of a network of least norm have the least norm.

Statement
    For a network of least norm for f and every layer, :math:`R(f; L) = R(\tilde\alpha_\ell; \ell) + R(\sigma(\tilde\alpha_\ell)
    \to f; L - \ell)`, and the same with three parts. For any network of f, R(f) is at most the sum of the costs of its parts.
Checked
    The equality for two parts and for three, at every layer of a linear network of least norm. For any matrices M and N, as the
    parts of a network of depths l and m (``.parts``):

    .. math:: (l + m)\|NM\|_{2/(l+m)}^{2/(l+m)} \le l\|M\|_{2/l}^{2/l} + m\|N\|_{2/m}^{2/m} .

    The least norm is needed: the network with the weights 2 and 1/2 is the identity, which costs 2; its parts cost 4 and 1/4.
Proof idea
    Each part can be replaced by a cheaper one with the same function.
Sharp
    Powers of one matrix, in the proportion of the depths.
Source
    bottleneck_structure, Section 3.3; the inequality for matrices is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.linear_networks import (
    LEAST,
    LINEAR,
    SIZES,
    cost,
    has_room,
    norms_of_layers,
    partial_products,
    remaining_products,
)
from theorems.notion_of_rank.constructions.balanced import rotated, rotation
from theorems.notion_of_rank.constructions.depths import Depth
from theorems.notion_of_rank.constructions.spectra import cost_per_layer
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, le, reals
from verify.arithmetic import Array, rationals
from verify.networks import FullyConnected


def parts_cost_as_much(network: FullyConnected) -> Relation:
    """The cost of the product against the costs of two parts, and of three, of which the second is one layer."""
    depth, before, after = network.depth, partial_products(network), remaining_products(network)
    first = np.stack([cost(before[layer], layer + 1) for layer in range(depth)], axis=-1)
    last = np.stack([cost(after[layer], depth - layer) for layer in range(depth)], axis=-1)
    relation = eq(first[..., :-1] + last[..., 1:], first[..., -1:], name="two parts", over=1)
    if depth > 2:
        three = first[..., :-2] + norms_of_layers(network)[..., 1:-1] + last[..., 2:]
        relation &= eq(three, first[..., -1:], name="three parts", over=1)
    return relation


def product_costs_at_most(first: Array, second: Array, before: Depth, after: Depth) -> Relation:
    """The cost of the product NM against the costs of M and N."""
    parts = cost(first, before.depth) + cost(second, after.depth)
    return le(cost(second @ first, before.depth + after.depth), parts)


# False variants


def parts_of_equal_costs(network: FullyConnected) -> Relation:
    """Two parts that cost the same, whatever their depths."""
    whole = cost(partial_products(network)[-1], network.depth)
    return eq(2 * cost(network.weights[0], 1), whole)


def layer_counted_twice(network: FullyConnected) -> Relation:
    """Parts that share a layer."""
    before, after = partial_products(network), remaining_products(network)
    return eq(cost(before[0], 1) + cost(after[0], network.depth), cost(before[-1], network.depth))


def product_without_one_layer(first: Array, second: Array, before: Depth, after: Depth) -> Relation:
    """As if the last layer of the first part and the first of the second could be one."""
    depth = before.depth + after.depth - 1
    return le(cost(second @ first, depth + 1), cost(first, before.depth) + cost(second, after.depth) - cost(second, 1) / depth)


def product_costs_the_larger(first: Array, second: Array, before: Depth, after: Depth) -> Relation:
    """The average cost per layer of the parts, not weighted by the depths."""
    average = (cost_per_layer(first, before.depth) + cost_per_layer(second, after.depth)) / 2
    return le(cost_per_layer(second @ first, before.depth + after.depth), average)


# Exact parts and sharp instances


def two_and_a_half() -> Relation:
    """The weights 2 and 1/2: their product costs 2, the parts 4 and 1/4."""
    one = rationals([[1]])
    return eq(cost(one, 2), 2) & eq(cost(2 * one, 1), 4) & eq(cost(one / 2, 1), rationals("1/4"))


def powers_of_one_matrix(before: int, after: int, *roots: object) -> dict[str, Any]:
    """The l-th and the m-th power of one matrix, between rotations."""
    frames, values = rotation(rationals([["1/2"], [1], ["-1/3"]])), rationals(roots)
    first, second = rotated(frames[1], values**before, frames[0]), rotated(frames[2], values**after, frames[1])
    return {"first": first, "second": second, "before": Depth(before), "after": Depth(after)}


def depth_before(before: int) -> Depth:
    """The depth of the first part."""
    return Depth(before)


def depth_after(after: int) -> Depth:
    """The depth of the second part."""
    return Depth(after)


SOURCE = Source("bottleneck_structure", "Section 3.3, representation geodesics")
PARTS = {
    "first": reals("width", "inputs"),
    "second": reals("outputs", "width"),
    "before": derived(depth_before),
    "after": derived(depth_after),
}

CLAIM = Claim(
    id="bottleneck_structure.splitting",
    title="The parts of a network of least norm have the least norm",
    source=SOURCE,
    statement=parts_cost_as_much,
    domain=Domain({"network": LINEAR}, {**SIZES, "depth": (2, 3, 4, 6)}, LEAST, sizes_where=has_room),
    needs=tuple(LEAST),
    cost=10,
    false_neighbours={"parts of equal costs": parts_of_equal_costs, "a layer in both parts": layer_counted_twice},
    exact={"weights 2 and 1/2": two_and_a_half},
)

PARTS_CLAIM = Claim(
    id="bottleneck_structure.splitting.parts",
    title="A product costs at most as much as its factors",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=product_costs_at_most,
    domain=Domain(
        PARTS, {"before": (1, 2, 3, 5), "after": (1, 2, 4), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
    ),
    tight={
        "1 and 1": Tight(partial(powers_of_one_matrix, 1, 1, 3, "1/2")),
        "2 and 3": Tight(partial(powers_of_one_matrix, 2, 3, 2, "1/3")),
        "5 and 1, rank 1": Tight(partial(powers_of_one_matrix, 5, 1, "3/2", 0)),
    },
    false_neighbours={
        "one layer less": product_without_one_layer,
        "the average of the parts": product_costs_the_larger,
    },
)
