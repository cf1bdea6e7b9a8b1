r"""The axioms of a rank for the cost per layer, in the form that holds at every depth.

Two networks of depths :math:`L_1` and :math:`L_2` with the functions g and f merge into one of depth :math:`L_1 + L_2 - 1` for
f o g, everywhere and without a shift, with the squared norm

.. math:: \|\theta_f\|^2 + \|\theta_g\|^2 - \|W^f_1\|^2 - \|b^f_1\|^2 - \|W^g_{L_1}\|^2 - \|b^g_{L_1}\|^2
          + \|W^f_1 W^g_{L_1}\|^2 + \|W^f_1 b^g_{L_1} + b^f_1\|^2 ,

and two networks of one depth :math:`L \ge 2` side by side give f + g with the squared norm :math:`\|\theta_f\|^2 +
\|\theta_g\|^2 + 2 \langle b^f_L, b^g_L \rangle` (``.sum``). Divided by L, these are axioms (2) and (3) for the upper limit of
R / L: in (2) one of the two networks may be made deep by identity layers while the other stays.

:math:`R(f + g; L) \le R(f; L) + R(g; L)` as it stands is false: the output biases of two constants add. At L = 1 the constant 1
costs 1 and the constant 2 costs 4; at L = 2 they cost 1 and 3 (``.sum_of_constants``). There a constant c costs
:math:`\min_s s^2 + 2|c - s|`: an output bias s and a neuron without input, and no network with the value c at 0 costs less
(``.constants``).

Source: notion_of_rank, axioms of a rank; the finite forms are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.theorem_1.statement import sizes_of
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, absolute, maximum, minimum, rationals
from verify.networks import FullyConnected, add, compose


def merged_norm(outer: FullyConnected, inner: FullyConnected, product: bool = True, bias: bool = True) -> Array:
    """The formula for the norm of the merged network; without a term in false neighbours."""
    entry, exit_weight, exit_bias = outer.weights[0], inner.weights[-1], inner.biases[-1]
    kept = outer.parameter_norm_squared + inner.parameter_norm_squared
    left = squares(entry, (-2, -1)) + squares(outer.biases[0]) + squares(exit_weight, (-2, -1)) + squares(exit_bias)
    weight = entry @ exit_weight if product else entry.swapaxes(-1, -2)
    moved = (entry @ exit_bias[..., None])[..., 0] + outer.biases[0] if bias else outer.biases[0]
    return np.asarray(kept - left + squares(weight, (-2, -1)) + squares(moved))


def composition(parts: Parts, x: Array, product: bool = True, bias: bool = True) -> Relation:
    """Value, depth and norm of the merged network."""
    inner, outer = parts
    network = compose(outer, inner, merge=True)
    size = sizes_of(parts, x, 0 * x)
    return eq(network(x), outer(inner(x)), scale=size[..., None], over=1) & eq(
        network.parameter_norm_squared, merged_norm(outer, inner, product, bias), scale=size
    )


def sum_of_networks(parts: Parts, x: Array, cross: int = 2) -> Relation:
    """Value and norm of the two networks side by side; `cross` is the factor of the inner product of the output biases."""
    left, right = parts
    network = add(left, right)
    inner_product = (left.biases[-1] * right.biases[-1]).sum(axis=-1)
    norms = left.parameter_norm_squared + right.parameter_norm_squared
    size = sizes_of(parts, x, 0 * x)
    return eq(network(x), left(x) + right(x), scale=size[..., None], over=1) & eq(
        network.parameter_norm_squared, norms + cross * inner_product, scale=size
    )


def cost_of_constant(value: Array) -> Array:
    r"""Least squared norm at depth 2 for a constant on a set that contains 0: :math:`c^2` up to 1, else :math:`2|c| - 1`."""
    size = absolute(value)
    above = maximum(size - 1, 0 * size)
    # c^2 - (|c| - 1)^2 = 2|c| - 1
    return np.asarray(size * size - above * above)


def value_at_zero_costs(network: FullyConnected, basis_points: int = 10_000, square: bool = False) -> Relation:
    """The least norm for the value at 0 against the norm of a network of depth 2 that has it."""
    value = network(0 * network.weights[0][..., 0, :])[..., 0]
    least = value * value if square else cost_of_constant(value)
    return le(least * basis_points / 10_000, network.parameter_norm_squared)


def sum_of_constants(first: Array, second: Array, cross: int = 2) -> Relation:
    """Least cost of a sum of constants against the sum of the costs and `cross` times the product of the output biases."""
    output_biases = [maximum(minimum(one, 0 * one + 1), 0 * one - 1) for one in (first, second)]
    share = cross * output_biases[0] * output_biases[1]
    costs = cost_of_constant(first) + cost_of_constant(second)
    return le(cost_of_constant(first + second), costs + share, scale=2 * costs)


def the_constant_two() -> dict[str, FullyConnected]:
    """The constant 2 from an output bias 1 and a neuron with bias 1: the norm is 3."""
    return {"network": FullyConnected([rationals([[[0]]]), rationals([[[1]]])], [rationals([[1]]), rationals([[1]])])}


def two_equal_networks() -> dict[str, Any]:
    """A neuron and an output bias, twice."""
    network = FullyConnected([rationals([[[1]]]), rationals([[[1]]])], [rationals([[1]]), rationals([[2]])])
    return {"parts": (network, network), "x": rationals([[1]])}


OURS = Source("notion_of_rank", "ours")
SIZES = {
    "inner_depth": range(1, 3),
    "outer_depth": range(1, 3),
    "inputs": range(1, 2),
    "width": range(1, 3),
    "middle": range(1, 3),
    "outputs": range(1, 2),
}
CHAIN = derived(
    with_common_slope,
    inner=Networks(depth="inner_depth", outputs="middle", slope=0),
    outer=Networks(depth="outer_depth", inputs="middle", slope=0),
    slope=interval(-1, 1),
)
BESIDE = derived(with_common_slope, inner=Networks(slope=0), outer=Networks(slope=0), slope=interval(-1, 1))

CLAIM = Claim(
    id="notion_of_rank.finite_depth_axioms",
    title="Function and norm of a merged composition",
    source=OURS,
    status=Ours(),
    statement=composition,
    domain=Domain({"parts": CHAIN, "x": reals("inputs")}, SIZES),
    tight={"the same network twice": Tight(two_equal_networks)},
    false_neighbours={
        "the bias of g not moved": partial(composition, bias=False),
        "the entry in place of the product": partial(composition, product=False),
    },
)

SUM = Claim(
    id="notion_of_rank.finite_depth_axioms.sum",
    title="Function and norm of a sum",
    source=OURS,
    status=Ours(),
    statement=sum_of_networks,
    domain=Domain(
        {"parts": BESIDE, "x": reals("inputs")},
        {"depth": range(2, 4), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 3)},
    ),
    tight={"the same network twice": Tight(two_equal_networks)},
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
    domain=Domain({"network": Networks(depth=2, slope=(-1, 1), outputs=1)}, {"inputs": range(1, 3), "width": range(1, 3)}),
    tight={"the constant 2": Tight(the_constant_two)},
    false_neighbours={
        "constant 1.01": partial(value_at_zero_costs, basis_points=10_100),
        "constant 1.0001": partial(value_at_zero_costs, basis_points=10_001),
        "the square of the value": partial(value_at_zero_costs, square=True),
    },
)

SUM_OF_CONSTANTS = Claim(
    id="notion_of_rank.finite_depth_axioms.sum_of_constants",
    title="Costs of constants do not simply add",
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
