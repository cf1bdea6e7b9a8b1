r"""Axioms (2) and (3) of a rank for the cost per layer, in the form that holds at every depth.

Statement
    Two networks of depths :math:`L_1` and :math:`L_2` with the functions g and f merge into one of depth :math:`L_1 + L_2 - 1`
    for f o g, everywhere and without a shift, with the squared norm

    .. math:: \|\theta_f\|^2 + \|\theta_g\|^2 - \|W^f_1\|^2 - \|b^f_1\|^2 - \|W^g_{L_1}\|^2 - \|b^g_{L_1}\|^2
              + \|W^f_1 W^g_{L_1}\|^2 + \|W^f_1 b^g_{L_1} + b^f_1\|^2 .

    Two networks of one depth :math:`L \ge 2` side by side give f + g with the squared norm :math:`\|\theta_f\|^2 +
    \|\theta_g\|^2 + 2 \langle b^f_L, b^g_L \rangle` (``.sum``). Divided by L, these are axioms (2) and (3) for the upper limit
    of R / L: in (2) one of the two networks may be made deep by identity layers while the other stays.

    At L = 2 a constant c costs :math:`\min_s s^2 + 2|c - s|`: an output bias s and a neuron without input. No network with the
    value c at 0 costs less (``.constants``).
Correction
    :math:`R(f + g; L) \le R(f; L) + R(g; L)` as it stands is false: the output biases of two constants add
    (``.sum_of_constants``). At L = 1 the constant 1 costs 1 and the constant 2 costs 4; at L = 2 they cost 1 and 3.
Checked
    Values and norms of the networks; both bounds.
Proof idea
    Two layers with nothing between them are one; :math:`2 \|a\| \|b\| \le \|a\|^2 + \|b\|^2`.
Sharp
    The constant 2; two constants 1/2.
Source
    notion_of_rank, axioms of a rank; the finite forms are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, derived, eq, le, reals, slopes
from verify.arithmetic import Array, absolute, maximum, minimum, rationals
from verify.networks import FullyConnected, add, compose


def composition(parts: Parts, x: Array) -> Relation:
    """Value and norm of the merged network."""
    inner, outer = parts
    network, entry = compose(outer, inner, merge=True), outer.weights[0]
    rest = outer.parameter_norm_squared - squares(entry, (-2, -1)) - squares(outer.biases[0])
    rest = rest + inner.parameter_norm_squared - squares(inner.weights[-1], (-2, -1)) - squares(inner.biases[-1])
    moved = (entry @ inner.biases[-1][..., None])[..., 0] + outer.biases[0]
    norm = rest + squares(entry @ inner.weights[-1], (-2, -1)) + squares(moved)
    value = eq(network(x), outer(inner(x)), name="value", over=1)
    return value & eq(network.parameter_norm_squared, norm, name="norm")


def sum_of_networks(parts: Parts, x: Array, cross: Q | int = 2) -> Relation:
    """Value and norm of the two networks side by side."""
    left, right = parts
    network, inner_product = add(left, right), (left.biases[-1] * right.biases[-1]).sum(axis=-1)
    norms = left.parameter_norm_squared + right.parameter_norm_squared
    value = eq(network(x), left(x) + right(x), name="value", over=1)
    return value & eq(network.parameter_norm_squared, norms + cross * inner_product, name="norm")


def cost_of_constant(value: Array) -> Array:
    r"""Least squared norm at depth 2 for a constant on a set that contains 0: :math:`c^2` up to 1, else :math:`2|c| - 1`."""
    size = absolute(value)
    above = maximum(size - 1, 0 * size)
    # c^2 - (|c| - 1)^2 = 2|c| - 1
    return np.asarray(size * size - above * above)


def value_at_zero_costs(network: FullyConnected) -> Relation:
    """The least norm for the value at 0 against the norm of a network of depth 2 that has it."""
    value = network(0 * network.weights[0][..., 0, :])[..., 0]
    return le(cost_of_constant(value), network.parameter_norm_squared)


def sum_of_constants(first: Array, second: Array, cross: Q | int = 2) -> Relation:
    """Least cost of a sum of constants against the sum of the costs and the product of the output biases."""
    output_biases = [maximum(minimum(one, 0 * one + 1), 0 * one - 1) for one in (first, second)]
    share = cross * (output_biases[0] * output_biases[1])
    return le(cost_of_constant(first + second), cost_of_constant(first) + cost_of_constant(second) + share)


# False variants


def norms_add(parts: Parts) -> Relation:
    """The norm of the merged network as the sum of both norms."""
    inner, outer = parts
    network = compose(outer, inner, merge=True)
    return eq(network.parameter_norm_squared, inner.parameter_norm_squared + outer.parameter_norm_squared)


def bias_of_g_not_moved(parts: Parts, x: Array) -> Relation:
    """The merged network with the first bias of f as it is."""
    inner, outer = parts
    network = compose(outer, inner, merge=True)
    place = inner.depth - 1
    biases = [*network.biases[:place], outer.biases[0] + 0 * network.biases[place], *network.biases[place + 1 :]]
    return eq(FullyConnected(network.weights, biases, network.activation)(x), outer(inner(x)), over=1)


def value_squared(network: FullyConnected) -> Relation:
    """The square of the value as its cost."""
    value = network(0 * network.weights[0][..., 0, :])[..., 0]
    return le(value * value, network.parameter_norm_squared)


def twice_the_value(network: FullyConnected) -> Relation:
    """Twice the size of the value as its cost: that of a neuron without an output bias."""
    value = network(0 * network.weights[0][..., 0, :])[..., 0]
    return le(2 * absolute(value), network.parameter_norm_squared)


# Sharp instances


def the_constant_two() -> dict[str, FullyConnected]:
    """The constant 2 from an output bias 1 and a neuron with bias 1: the norm is 3."""
    return {"network": FullyConnected([rationals([[[0]]]), rationals([[[1]]])], [rationals([[1]]), rationals([[1]])])}


OURS = Source("notion_of_rank", "ours")
CHAIN = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="middle", slope=0),
    outer=Networks(depth="outer_depth", inputs="middle", slope=0),
    slope=slopes(-1, 1),
)
BESIDE = derived(with_common_slope, inner=Networks(slope=0), outer=Networks(slope=0), slope=slopes(-1, 1))
LENGTHS = {"inputs": (1, 2, 3), "width": (1, 3), "outputs": (1, 2)}

CLAIM = Claim(
    id="notion_of_rank.finite_depth_axioms",
    title="Function and norm of a merged composition",
    source=OURS,
    status=Ours(),
    statement=composition,
    domain=Domain(
        {"parts": CHAIN, "x": reals("inputs")},
        {"inner_depth": (1, 2, 6), "outer_depth": (1, 2, 7), "middle": (1, 2, 3), **LENGTHS},
    ),
    false_neighbours={
        "the bias of g not moved": bias_of_g_not_moved,
        "the norms add": norms_add,
    },
)

SUM = Claim(
    id="notion_of_rank.finite_depth_axioms.sum",
    title="Function and norm of a sum",
    source=OURS,
    status=Ours(),
    statement=sum_of_networks,
    domain=Domain({"parts": BESIDE, "x": reals("inputs")}, {"depth": (2, 3, 6, 13), **LENGTHS}),
    false_neighbours={
        "without the output biases": partial(sum_of_networks, cross=0),
        "their product once": partial(sum_of_networks, cross=1),
    },
)

CONSTANTS = Claim(
    id="notion_of_rank.finite_depth_axioms.constants",
    title="What a value at 0 costs at depth 2",
    source=OURS,
    status=Ours(),
    statement=value_at_zero_costs,
    domain=Domain({"network": Networks(depth=2, slope=(-1, 1), outputs=1)}, {"inputs": (1, 2, 3), "width": (1, 2, 3)}),
    tight={"the constant 2": Tight(the_constant_two)},
    false_neighbours={
        "the square of the value": value_squared,
        "twice the value": twice_the_value,
    },
)

SUM_OF_CONSTANTS = Claim(
    id="notion_of_rank.finite_depth_axioms.sum_of_constants",
    title="The costs of constants add up to the product of their output biases",
    source=OURS,
    status=Ours(),
    statement=sum_of_constants,
    domain=Domain({"first": reals(), "second": reals()}),
    tight={"1/2 and 1/2": Tight(lambda: {"first": rationals("1/2"), "second": rationals("1/2")})},
    false_neighbours={
        "without the output biases": partial(sum_of_constants, cross=0),
        "their product once": partial(sum_of_constants, cross=1),
    },
)
