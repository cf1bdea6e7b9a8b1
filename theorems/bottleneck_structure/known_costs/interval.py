r"""What an interval around 0 costs a ReLU network.

Statement
    For every ReLU network f of one input and depth L >= 2

    .. math:: \|\theta\|^2 \ge L\,\bigl(\|f'(1)\|^2 + \|f'(-1)\|^2\bigr)^{1/L} .

    So the identity on [-1, 1] costs at least :math:`L\,2^{1/L}`, which is :math:`2\sqrt2` at depth 2, and attained there. As
    :math:`L(2^{1/L} - 1) \ge \log 2`, its first correction is at least log 2 although it is linear of rank 1.
Checked
    The inequality for every network, of any widths and outputs. That the ReLU is needed, and the second layer: without one the
    identity costs 1. The network of depth 2 for the identity, up to 1e-15, and that it is the identity on the interval.
Proof idea
    A neuron of the first layer that is active at both ends has a bias of at least the size of its weight, so that
    :math:`\|D_1(1)W_1\|^2 + \|D_1(-1)W_1\|^2 \le \|W_1\|^2 + \|b_1\|^2`; then the inequality of means.
Sharp
    :math:`\sigma(x)`, as a chain of ones; nearly the identity at depth 2.
Source
    ours, beside the representation cost in Section 2.1 of bottleneck_structure.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, eq, ge, integers, le
from verify.arithmetic import Array, absolute, compare, log, power, rationals
from verify.networks import FullyConnected, HomogeneousActivation

ROOT = rationals("0.5946035575")
r"""Near :math:`2^{-3/4}`."""


def slopes_at_the_ends(network: FullyConnected) -> tuple[Array, Array]:
    r""":math:`\|f'(1)\|^2` and :math:`\|f'(-1)\|^2`."""
    one = 0 * network.weights[0][..., 0, :] + 1
    return squares(network.jacobian(one)[..., 0]), squares(network.jacobian(-one)[..., 0])


def cost_of_an_interval(network: FullyConnected) -> Relation:
    """The norm against the slopes at both ends."""
    right, left = slopes_at_the_ends(network)
    return ge(network.parameter_norm_squared, network.depth * power(right + left, Fraction(1, network.depth)))


def mostly_relu(network: FullyConnected, kind: Array) -> FullyConnected:
    """The network with the slope 1/2 (kind 3) or -1/2 (4) for negative arguments, or 0."""
    slope = np.where(compare(kind, 3) < 0, 0 * kind, (7 - 2 * kind) / 2)
    return FullyConnected(network.weights, network.biases, HomogeneousActivation(1, slope))


def is_relu(network: FullyConnected) -> npt.NDArray[np.bool_]:
    """Whether the slope for negative arguments is 0."""
    return np.asarray(compare(network.activation.negative, 0) == 0)


# False variants


def slope_of_the_sum(network: FullyConnected) -> Relation:
    """The square of the sum of the sizes, in place of the sum of the squares."""
    right, left = slopes_at_the_ends(network)
    both = right + left + 2 * power(right * left, Fraction(1, 2))
    return ge(network.parameter_norm_squared, network.depth * power(both, Fraction(1, network.depth)))


def without_the_biases(network: FullyConnected) -> Relation:
    """The norm of the weights alone."""
    right, left = slopes_at_the_ends(network)
    return ge(network.weight_norm_squared, network.depth * power(right + left, Fraction(1, network.depth)))


def three_points(network: FullyConnected) -> Relation:
    """With the slope at 0 as a third."""
    right, left = slopes_at_the_ends(network)
    middle = squares(network.jacobian(0 * network.weights[0][..., 0, :])[..., 0])
    return ge(network.parameter_norm_squared, network.depth * power(right + left + middle, Fraction(1, network.depth)))


def ends_at_a_third(network: FullyConnected) -> Relation:
    """The slopes at 1/3 and -1/3: a smaller interval should cost less."""
    third = (0 * network.weights[0][..., 0, :] + 1) / 3
    both = squares(network.jacobian(third)[..., 0]) + squares(network.jacobian(-third)[..., 0])
    return ge(network.parameter_norm_squared, network.depth * power(both, Fraction(1, network.depth)))


# Exact parts and sharp instances


def folded_identity(weight: Array) -> FullyConnected:
    r"""The identity on [-1, 1] at depth 2: :math:`W_1 = (w, -w)^T, b_1 = (w, w), W_2 = (1, -1)/(2w)`."""
    last = 1 / (2 * weight)
    return FullyConnected(
        [np.stack([weight, -weight])[:, None], np.stack([last, -last])[None]],
        [np.stack([weight, weight]), np.stack([0 * weight])],
    )


def identity_at_depth_two() -> Relation:
    r"""For w near :math:`2^{-3/4}` the network is the identity at seven points, and costs :math:`2\sqrt2` up to 1e-15."""
    network = folded_identity(ROOT)
    points = rationals([-1, "-3/4", "-1/3", 0, "1/5", "2/3", 1])[:, None]
    values, least = eq(network(points), points, over=2), 2 * power(rationals(2), Fraction(1, 2))
    cost = network.parameter_norm_squared
    return values & ge(cost, least) & le(cost, least * (1 + rationals("1e-15")))


def first_correction() -> Relation:
    r""":math:`L(2^{1/L} - 1)` decreases to log 2 over the depths 2, 4, ..., 4096."""
    depths = [2**k for k in range(1, 13)]
    found = np.stack([depth * (power(rationals(2), Fraction(1, depth)) - 1) for depth in depths])
    limit = log(rationals(2))
    falls = le(found[1:], found[:-1], over=1) & ge(found, limit, over=1)
    return falls & le(absolute(found[-1] - limit), rationals("1e-3"))


def chain_of_ones(depth: int) -> dict[str, Any]:
    """The ReLU itself: the slopes are 1 and 0."""
    return {"network": FullyConnected([rationals([[1]])] * depth)}


OURS = Source("bottleneck_structure", "ours")

CLAIM = Claim(
    id="bottleneck_structure.known_costs",
    title="An interval around zero costs a ReLU network more than its rank",
    source=OURS,
    status=Ours(),
    statement=cost_of_an_interval,
    domain=Domain(
        {"network": derived(mostly_relu, network=Networks(inputs=1), kind=integers(0, 4))},
        {"depth": (2, 3, 4, 6, 13), "width": (1, 2, 3), "outputs": (1, 2, 3)},
        {"ReLU": is_relu},
    ),
    needs=("ReLU",),
    tight={
        "ReLU, depth 2": Tight(partial(chain_of_ones, 2)),
        "ReLU, depth 5": Tight(partial(chain_of_ones, 5)),
        "identity": Tight(lambda: {"network": folded_identity(ROOT)}, 1e-15, "the best weight is not rational"),
    },
    false_neighbours={
        "the square of the sum": slope_of_the_sum,
        "biases not counted": without_the_biases,
        "three points": three_points,
        "a shorter interval": ends_at_a_third,
    },
    exact={"the identity at depth 2": identity_at_depth_two, "log 2": first_correction},
)
