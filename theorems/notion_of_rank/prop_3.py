r"""Proposition 3: the Schatten quasi-norm of the Jacobian bounds the cost per layer from below.

At every differentiable point in the interior of :math:`\Omega`, for an activation with slopes of absolute value at most 1,

.. math:: \|Jf(x)\|_{2/L}^{2/L} = \sum_i s_i(Jf(x))^{2/L} \le \frac{R(f; \Omega, \sigma, L)}{L} .

What is checked is the inequality that holds for every network, minimal or not, and does without the biases:

.. math:: \sum_i s_i(JF_w(x))^{2/L} \le \frac1L \sum_{\ell=1}^L \|W_\ell\|_F^2 ,

at points where no hidden neuron is at its kink. The slides ask for a homogeneous activation only; beyond slopes 1 and -1 it is
false. That x is no kink, on the other hand, is needed only for the product of the layers to be the derivative of the network:
the inequality itself holds for :math:`W_L D_{L-1} \cdots D_1 W_1` with any diagonal :math:`D_\ell` of entries between -1 and 1
(``.slopes``), hence at kinks with every convention there, and for every activation with Lipschitz constant 1. (Where f is
differentiable but the network has a kink, Jf is the limit of Jacobians at points without one, and the bound passes to it.)

The companion for two points needs no derivative, so that it holds on any domain, finite ones included:

.. math:: \Bigl(\frac{\|F_w(x) - F_w(y)\|}{\|x - y\|}\Bigr)^{2/L} \le \frac1L \sum_\ell \|W_\ell\|_F^2 .

The matrix of differences at three or more points does not obey such a bound: it is a false neighbour.

Idea of the proof: ``linear_networks``, with :math:`\|D_\ell\|_{op} \le 1` between the weights. Equality at balanced factors
with non-negative hidden values: :math:`W_1 = S^{1/L}V^T`, :math:`W_\ell = S^{1/L}`, :math:`W_L = US^{1/L}` where
:math:`V^Tx > 0`.

Source: notion_of_rank, Proposition 3; the two companions are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.linear_networks import balanced_factors, rational_factors, rotation, rounding_of_schatten_power
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, floats, largest, rationals
from verify.matrices import frobenius_norm_squared, pseudo_inverse, schatten_power
from verify.networks import FullyConnected, HomogeneousActivation


def weight_cost(network: FullyConnected, last: bool = True) -> Array:
    """Sum of the squared weights per layer, perhaps without the last layer."""
    left_out = 0 if last else frobenius_norm_squared(network.weights[-1])
    return (network.weight_norm_squared - left_out) / network.depth


def cost_of_a_jacobian(
    network: FullyConnected, jacobian: Array, basis_points: int = 10_000, exponent: int = 2, last: bool = True
) -> Relation:
    """The inequality for a matrix; the constant is given in units of 1/10000."""
    per_layer = Fraction(exponent, network.depth)
    left = schatten_power(jacobian, per_layer) * basis_points / 10_000
    return le(left, weight_cost(network, last), noise=rounding_of_schatten_power(jacobian, per_layer))


def jacobian_at_a_point(
    network: FullyConnected, x: Array, basis_points: int = 10_000, exponent: int = 2, last: bool = True
) -> Relation:
    """The inequality for the Jacobian of a network."""
    return cost_of_a_jacobian(network, network.jacobian(x), basis_points, exponent, last)


def is_smooth(network: FullyConnected, x: Array) -> Array:
    """Whether no hidden neuron is at its kink at x."""
    return np.asarray(compare(network.distance_to_kink(x), 0) > 0)


def has_slopes_at_most_one(network: FullyConnected) -> Array:
    """Whether the Lipschitz constant of the activation is at most 1."""
    return np.asarray(compare(network.activation.lipschitz_constant, 1) <= 0)


def product_with_slopes(network: FullyConnected, slopes: Array) -> Array:
    """The matrix ``W_L D_{L-1} ... D_1 W_1``; `slopes` has shape ``(..., L - 1, width)``."""
    product = network.weights[0]
    for layer, weight in enumerate(network.weights[1:]):
        product = weight @ (slopes[..., layer, :, None] * product)
    return product


def product_with_any_slopes(network: FullyConnected, slopes: Array, basis_points: int = 10_000, exponent: int = 2) -> Relation:
    """The inequality for the product of the layers with any diagonal matrices between them."""
    return cost_of_a_jacobian(network, product_with_slopes(network, slopes), basis_points, exponent)


def are_at_most_one(slopes: Array) -> Array:
    """Whether no diagonal entry is larger than 1 in absolute value."""
    sizes = (slopes * slopes).reshape(*slopes.shape[:-2], -1)
    return np.asarray(compare(largest(sizes), 1) <= 0)


def squared_length(vector: Array) -> Array:
    """Sum of squares along the last axis."""
    return np.asarray((vector * vector).sum(axis=-1))


def two_points(
    network: FullyConnected, x: Array, y: Array, basis_points: int = 10_000, exponent: int = 2, last: bool = True
) -> Relation:
    """The companion for two points, raised to the power L: both sides are rational."""
    images = network(x), network(y)
    steepest = (weight_cost(network, last) * 10_000 / basis_points) ** (2 * network.depth // exponent)
    rounding = 2.0**-44 * (floats(squared_length(images[0])) + floats(squared_length(images[1])))
    return le(squared_length(images[0] - images[1]), squared_length(x - y) * steepest, noise=rounding)


def have_other_values(network: FullyConnected, x: Array, y: Array) -> Array:
    """Whether the values at x and y differ; else there is nothing to show."""
    return np.asarray(compare(squared_length(network(x) - network(y)), 0) > 0)


def three_points(network: FullyConnected, x: Array, y: Array, z: Array) -> Relation:
    """What is false: the inequality for the matrix that maps y - x and z - x to the differences of the values there."""
    steps = np.stack([y - x, z - x], axis=-1)
    differences = np.stack([network(y) - network(x), network(z) - network(x)], axis=-1)
    return cost_of_a_jacobian(network, differences @ pseudo_inverse(steps))


def balanced_network(depth: int, *roots: object, negative: int = 0, sign: int = 1) -> dict[str, Any]:
    """A rotated, balanced network, and a point whose hidden values are positive (or, with ``sign=-1``, negative at first)."""
    left, right = rotation(rationals([["1/2", 1, "-1/3"], [2, "1/2", 1]]))
    middle = np.broadcast_to(rationals(np.eye(len(roots), dtype=int)), (depth - 1, len(roots), len(roots)))
    network = balanced_factors(left, rationals(roots), right, middle, HomogeneousActivation(1, negative))
    return {"network": network, "x": sign * right[:, : len(roots)].sum(axis=-1)}


def factors_with_slopes_of_one() -> dict[str, Any]:
    """Balanced factors with other frames in every layer, and nothing between them."""
    return {**rational_factors(4, 2, 1, "1/2"), "slopes": rationals(np.ones((3, 3), dtype=int))}


def two_points_of_a_line() -> dict[str, Any]:
    """A balanced network of rank one, and two points in the direction of its singular vector."""
    found = balanced_network(4, "3/2")
    return {"network": found["network"], "x": found["x"], "y": 3 * found["x"], "z": 0 * found["x"]}


def with_slope(network: FullyConnected, slope: Array, excess: Array) -> FullyConnected:
    """The network with the slope ``slope + 2 * excess`` for negative arguments."""
    return FullyConnected(network.weights, network.biases, HomogeneousActivation(1, slope + 2 * excess))


def raised(slopes: Array, excess: Array) -> Array:
    """Slopes between the layers, ``slopes + 2 * excess``: beyond 1 where `excess` is 1."""
    return np.asarray(slopes + 2 * excess[..., None, None])


NETWORKS = derived(with_slope, network=Networks(slope=0), slope=interval(-1, 1), excess=integers(0, 1))
SIZES = {"depth": range(2, 5), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
SMALL = {"depth": range(2, 5), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 3)}
SLOPES = "slopes of at most 1"

CLAIM = Claim(
    id="notion_of_rank.prop_3",
    title="The Jacobian bounds the cost from below",
    source=Source("notion_of_rank", "Proposition 3"),
    statement=jacobian_at_a_point,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs")},
        SIZES,
        {SLOPES: has_slopes_at_most_one, "no hidden neuron at its kink": is_smooth},
    ),
    needs=(SLOPES,),
    tight={
        "depth 1": Tight(lambda: {"network": FullyConnected([rationals([[1, 2], [3, 4]])]), "x": rationals([0, 0])}),
        "balanced, depth 3": Tight(partial(balanced_network, 3, 2, 1, "1/2")),
        "balanced, depth 6": Tight(partial(balanced_network, 6, "5/3", "1/2")),
        "equal singular values": Tight(partial(balanced_network, 4, 2, 2, 2)),
        "absolute value": Tight(partial(balanced_network, 4, 2, 1, "1/2", negative=-1, sign=-1)),
    },
    false_neighbours={
        "constant 1.01": partial(jacobian_at_a_point, basis_points=10_100),
        "constant 1.0001": partial(jacobian_at_a_point, basis_points=10_001),
        "exponent 1/L": partial(jacobian_at_a_point, exponent=1),
        "exponent 3/L": partial(jacobian_at_a_point, exponent=3),
        "last layer not counted": partial(jacobian_at_a_point, last=False),
    },
)

ANY_SLOPES = Claim(
    id="notion_of_rank.prop_3.slopes",
    title="Any slopes of at most 1 between the layers",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=product_with_any_slopes,
    domain=Domain(
        {
            "network": Networks(slope=1, biases=False),
            "slopes": derived(raised, slopes=interval(-1, 1, lambda sizes: sizes["depth"] - 1, "width"), excess=integers(0, 1)),
        },
        SMALL,
        {SLOPES: are_at_most_one},
    ),
    needs=(SLOPES,),
    tight={"slopes of 1": Tight(factors_with_slopes_of_one)},
    false_neighbours={
        "constant 1.01": partial(product_with_any_slopes, basis_points=10_100),
        "constant 1.0001": partial(product_with_any_slopes, basis_points=10_001),
        "exponent 1/L": partial(product_with_any_slopes, exponent=1),
    },
)

TWO_POINTS = Claim(
    id="notion_of_rank.prop_3.two_points",
    title="Two points bound the cost from below",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=two_points,
    domain=Domain(
        {"network": NETWORKS, "x": reals("inputs"), "y": reals("inputs"), "z": reals("inputs")},
        SMALL,
        {SLOPES: has_slopes_at_most_one, "the values differ": have_other_values},
    ),
    needs=(SLOPES,),
    tight={"along a singular vector": Tight(two_points_of_a_line)},
    false_neighbours={
        "constant 1.01": partial(two_points, basis_points=10_100),
        "constant 1.0001": partial(two_points, basis_points=10_001),
        "exponent 1/L": partial(two_points, exponent=1),
        "last layer not counted": partial(two_points, last=False),
        "matrix of differences at three points": three_points,
    },
)
