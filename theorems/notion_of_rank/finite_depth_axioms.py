r"""Axioms (2) and (3) of a rank for the cost per layer, in the form that holds at every depth.

Statement
    Two networks of depths :math:`L_1` and :math:`L_2` with the functions g and f merge into one of depth :math:`L_1 + L_2 - 1`
    for f o g, everywhere and without a shift, with the squared norm

    .. math:: \|\theta_f\|^2 + \|\theta_g\|^2 - \|W^f_1\|^2 - \|b^f_1\|^2 - \|W^g_{L_1}\|^2 - \|b^g_{L_1}\|^2
              + \|W^f_1 W^g_{L_1}\|^2 + \|W^f_1 b^g_{L_1} + b^f_1\|^2 .

    Two networks of one depth :math:`L \ge 2` side by side give f + g with the squared norm :math:`\|\theta_f\|^2 +
    \|\theta_g\|^2 + 2 \langle b^f_L, b^g_L \rangle` (``.sum``). Divided by L, these are axioms (2) and (3) for the upper limit
    of R / L: in (2) one of the two networks may be made deep by identity layers while the other stays.

    At L = 2 a constant c costs :math:`\min_s s^2 + 2|c - s|` on sets that contain 0: an output bias s and a neuron without
    input (``shallow_networks.constants``). Two of them cost together at most the sum and the product of these output biases,
    twice (``.sum_of_constants``).
Correction
    :math:`R(f + g; L) \le R(f; L) + R(g; L)` as it stands is false: the output biases of two constants add. At L = 1 the
    constant 1 costs 1 and the constant 2 costs 4; at L = 2 they cost 1 and 3.
Checked
    Values and norms of the networks; the bound for constants.
Proof idea
    Two layers with nothing between them are one; :math:`2 \|a\| \|b\| \le \|a\|^2 + \|b\|^2`.
Sharp
    Two constants whose sum is at most 1 in absolute value; any constant and 0.
Source
    notion_of_rank, axioms of a rank; the finite forms are ours.
"""

from __future__ import annotations

from functools import partial

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.constructions.constants import cost_of_a_constant
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, derived, eq, le, reals, slopes
from verify.arithmetic import Array, maximum, minimum, rationals
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


def sum_of_constants(first: Array, second: Array, cross: Q | int = 2) -> Relation:
    """Least cost of a sum of constants against the sum of the costs and the product of the output biases."""
    output_biases = [maximum(minimum(one, 0 * one + 1), 0 * one - 1) for one in (first, second)]
    share = cross * (output_biases[0] * output_biases[1])
    costs = cost_of_a_constant(first, 2) + cost_of_a_constant(second, 2)
    return le(cost_of_a_constant(first + second, 2), costs + share)


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


def constants(first: object, second: object) -> dict[str, Array]:
    """Two constants."""
    return {"first": rationals(first), "second": rationals(second)}


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
    title="Two networks merge where they meet, with the norm of the product of the two layers",
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
    title="Networks side by side are a sum, and only their output biases interact in its norm",
    source=OURS,
    status=Ours(),
    statement=sum_of_networks,
    domain=Domain({"parts": BESIDE, "x": reals("inputs")}, {"depth": (2, 3, 6, 13), **LENGTHS}),
    false_neighbours={
        "without the output biases": partial(sum_of_networks, cross=0),
        "their product once": partial(sum_of_networks, cross=1),
    },
)

SUM_OF_CONSTANTS = Claim(
    id="notion_of_rank.finite_depth_axioms.sum_of_constants",
    title="The costs of constants add up to the product of their output biases",
    source=OURS,
    status=Ours(),
    statement=sum_of_constants,
    domain=Domain({"first": reals(), "second": reals()}),
    tight={
        "1/2 and 1/2": Tight(partial(constants, "1/2", "1/2")),
        "5 and 0": Tight(partial(constants, 5, 0)),
        "1/2 and -1/3": Tight(partial(constants, "1/2", "-1/3")),
    },
    false_neighbours={
        "without the output biases": partial(sum_of_constants, cross=0),
        "their product once": partial(sum_of_constants, cross=1),
    },
)
