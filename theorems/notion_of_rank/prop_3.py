r"""Proposition 3: the Schatten quasi-norm of the Jacobian bounds the cost per layer from below.

Statement
    At every point x of the interior of :math:`\Omega` where f is differentiable,

    .. math:: \|Jf(x)\|_{2/L}^{2/L} = \sum_i s_i(Jf(x))^{2/L} \le \frac{R(f; \Omega, \sigma, L)}{L} .
Correction
    The slides ask for a homogeneous activation only. Its slopes must be at most 1 in absolute value (``.printed``).
Checked
    The inequality for every network, minimal or not, without its biases:

    .. math:: \sum_i s_i(JF_w(x))^{2/L} \le \frac1L \sum_{\ell=1}^L \|W_\ell\|_F^2

    at points where no hidden neuron is at its kink. That hypothesis can be dropped: the inequality holds for
    :math:`W_L D_{L-1} \cdots D_1 W_1` with any diagonal :math:`D_\ell` of entries between -1 and 1 (``.slopes``), so at kinks
    with every convention there, and for every activation with Lipschitz constant 1. The companion for two points needs no
    derivative and holds on any domain, finite ones included (``.two_points``):

    .. math:: \Bigl(\frac{\|F_w(x) - F_w(y)\|}{\|x - y\|}\Bigr)^{2/L} \le \frac1L \sum_\ell \|W_\ell\|_F^2 .

    The matrix of differences at three points does not obey such a bound: it is a false neighbour.
Proof idea
    The one of ``linear_networks.cost``, with :math:`\|D_\ell\|_{op} \le 1` between the weights.
Sharp
    Balanced factors with non-negative hidden values: :math:`W_1 = S^{1/L}V^T`, :math:`W_\ell = S^{1/L}`, :math:`W_L = US^{1/L}`
    where :math:`V^Tx > 0`.
Not checked
    Points where f is differentiable but the network has a kink. There Jf is the limit of Jacobians at points without one.
Source
    notion_of_rank, Proposition 3; the two companions are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.activations import (
    SLOPES,
    are_at_most_one,
    has_slopes_at_most_one,
    is_smooth,
)
from theorems.notion_of_rank.constructions.arrays import squares
from theorems.notion_of_rank.constructions.balanced import balanced_network, rational_factors
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Ours,
    Q,
    Relation,
    Source,
    Tight,
    derived,
    integers,
    le,
    reals,
    slopes,
)
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared, pseudo_inverse, schatten_power
from verify.networks import FullyConnected


def jacobian_at_a_point(network: FullyConnected, x: Array, exponent: Fraction | int = 2) -> Relation:
    """The inequality for the Jacobian of a network."""
    left = schatten_power(network.jacobian(x), Fraction(exponent, network.depth))
    return le(left, network.weight_norm_squared / network.depth)


def product_with_any_slopes(network: FullyConnected, slopes: Array, exponent: Fraction | int = 2) -> Relation:
    """The inequality for the product of the layers with any diagonal matrices between them."""
    left = schatten_power(product_with_slopes(network, slopes), Fraction(exponent, network.depth))
    return le(left, network.weight_norm_squared / network.depth)


def product_with_slopes(network: FullyConnected, slopes: Array) -> Array:
    """The matrix ``W_L D_{L-1} ... D_1 W_1``; `slopes` has shape ``(..., L - 1, width)``."""
    product = network.weights[0]
    for layer, weight in enumerate(network.weights[1:]):
        product = weight @ (slopes[..., layer, :, None] * product)
    return product


def two_points(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The companion for two points, raised to the power L: both sides are rational."""
    steepest = (network.weight_norm_squared / network.depth) ** network.depth
    return le(squares(network(x) - network(y)), squares(x - y) * steepest)


# False variants


def last_layer_is_free(network: FullyConnected, x: Array) -> Relation:
    """The bound without the cost of the last layer."""
    paid = network.weight_norm_squared - frobenius_norm_squared(network.weights[-1])
    return le(schatten_power(network.jacobian(x), Fraction(2, network.depth)), paid / network.depth)


def two_points_with_half_the_exponent(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The companion with the exponent 1 / L, raised to the power 2 L."""
    steepest = (network.weight_norm_squared / network.depth) ** (2 * network.depth)
    return le(squares(network(x) - network(y)), squares(x - y) * steepest)


def three_points(network: FullyConnected, x: Array, y: Array, z: Array) -> Relation:
    """The inequality for the matrix that maps y - x and z - x to the differences of the values there."""
    steps = np.stack([y - x, z - x], axis=-1)
    differences = np.stack([network(y) - network(x), network(z) - network(x)], axis=-1)
    left = schatten_power(differences @ pseudo_inverse(steps), Fraction(2, network.depth))
    return le(left, network.weight_norm_squared / network.depth)


# Sharp instances


def factors_with_slopes(slope: int, depth: int, *roots: object) -> dict[str, Any]:
    """Balanced factors with other frames in every layer, and the same slope between them everywhere."""
    return {**rational_factors(depth, *roots), "slopes": rationals(np.full((depth - 1, 3), slope))}


def two_points_of_a_line() -> dict[str, Any]:
    """A balanced network of rank one, and two points in the direction of its singular vector."""
    found = balanced_network(4, "3/2")
    return {"network": found["network"], "x": found["x"], "y": 3 * found["x"], "z": 0 * found["x"]}


def times_two(slopes: Array, twice: Array) -> Array:
    """Slopes between the layers, doubled where `twice` is 1: beyond 1."""
    return np.asarray(slopes * (1 + twice)[..., None, None])


NETWORKS = Networks(slope=(-2, 2))
LENGTHS = {"inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
OURS = Source("notion_of_rank", "ours")

CLAIM = Claim(
    id="notion_of_rank.prop_3",
    title="The Jacobian's Schatten norm bounds the cost per layer",
    source=Source("notion_of_rank", "Proposition 3"),
    statement=jacobian_at_a_point,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs")},
        {"depth": (1, 2, 3, 4, 6, 13), **LENGTHS},
        {SLOPES: has_slopes_at_most_one, "no hidden neuron at its kink": is_smooth},
    ),
    needs=(SLOPES,),
    tight={
        "depth 1": Tight(lambda: {"network": FullyConnected([rationals([[1, 2], [3, 4]])]), "x": rationals([0, 0])}),
        "balanced, depth 3": Tight(partial(balanced_network, 3, 2, 1, "1/2")),
        "balanced, depth 6": Tight(partial(balanced_network, 6, "5/3", "1/2")),
        "balanced, depth 13": Tight(partial(balanced_network, 13, "3/2", 1)),
        "equal singular values": Tight(partial(balanced_network, 4, 2, 2, 2)),
        "absolute value": Tight(partial(balanced_network, 4, 2, 1, "1/2", negative=-1, sign=-1)),
    },
    false_neighbours={
        "exponent 19/10": partial(jacobian_at_a_point, exponent=Q("19/10")),
        "exponent 3": partial(jacobian_at_a_point, exponent=3),
        "the last layer is free": last_layer_is_free,
    },
)

PRINTED = Claim(
    id="notion_of_rank.prop_3.printed",
    title="The bound of Proposition 3 holds for every homogeneous activation",
    source=Source("notion_of_rank", "Proposition 3"),
    status=FalseAsPrinted(corrected_by="notion_of_rank.prop_3"),
    statement=jacobian_at_a_point,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs")},
        {"depth": (2, 3, 4), **LENGTHS},
        {"no hidden neuron at its kink": is_smooth},
    ),
    false_neighbours={},
)

ANY_SLOPES = Claim(
    id="notion_of_rank.prop_3.slopes",
    title="The bound of Proposition 3 holds for any slopes of at most 1 between the layers",
    source=OURS,
    status=Ours(),
    statement=product_with_any_slopes,
    domain=Domain(
        {
            "network": Networks(slope=1, biases=False),
            "slopes": derived(times_two, slopes=slopes(-1, 1, lambda sizes: sizes["depth"] - 1, "width"), twice=integers(0, 1)),
        },
        {"depth": (2, 3, 4, 6), **LENGTHS},
        {SLOPES: are_at_most_one},
    ),
    needs=(SLOPES,),
    tight={
        "slopes of 1": Tight(partial(factors_with_slopes, 1, 4, 2, 1, "1/2")),
        "slopes of -1, rank 2": Tight(partial(factors_with_slopes, -1, 2, "3/2", "1/3")),
        "slopes of -1, rank 1": Tight(partial(factors_with_slopes, -1, 6, 2)),
    },
    false_neighbours={
        "exponent 19/10": partial(product_with_any_slopes, exponent=Q("19/10")),
        "exponent 1": partial(product_with_any_slopes, exponent=1),
    },
)

TWO_POINTS = Claim(
    id="notion_of_rank.prop_3.two_points",
    title="Two points bound the cost from below",
    source=OURS,
    status=Ours(),
    statement=two_points,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs"), "y": reals("inputs"), "z": reals("inputs")},
        {"depth": (1, 2, 3, 4, 6), **LENGTHS},
        {SLOPES: has_slopes_at_most_one},
    ),
    needs=(SLOPES,),
    tight={"along a singular vector": Tight(two_points_of_a_line)},
    false_neighbours={
        "exponent 1 / L": two_points_with_half_the_exponent,
        "matrix of differences at three points": three_points,
    },
)
