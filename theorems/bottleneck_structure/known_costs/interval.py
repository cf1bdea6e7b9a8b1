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
Tight
    :math:`\sigma(x)`, as a chain of ones; nearly the identity at depth 2.
Source
    derived here, beside the representation cost in Section 2.1 of bottleneck_structure.
"""

from functools import partial

import numpy as np

from verify import Claim, DerivedHere, Domain, Networks, Source, Tight, derived, integers
from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arithmetic import rationals
from verify.words import Q, absolute, eq, ge, le, lifted, log, norm2, power, sqrt, vector, where

fully_connected, activation = lifted(FullyConnected), lifted(HomogeneousActivation)


def slope2(f, x):
    r""":math:`\|f'(x)\|^2`."""
    return norm2(f.jacobian(vector(x)))


def cost_of_an_interval(f, points=(1, -1)):
    return ge(f.parameter_norm_squared, f.depth * power(sum(slope2(f, x) for x in points), Q(1, f.depth)))


def square_of_the_sum(f):
    right, left = slope2(f, 1), slope2(f, -1)
    return ge(f.parameter_norm_squared, f.depth * power(right + left + 2 * sqrt(right * left), Q(1, f.depth)))


def without_the_biases(f):
    return ge(f.weight_norm_squared, f.depth * power(slope2(f, 1) + slope2(f, -1), Q(1, f.depth)))


def mostly_relu(network, kind):
    """The network with the slope 1/2 (kind 3) or -1/2 (4) below zero, or 0."""
    slope = where(kind < 3, 0, (7 - 2 * kind) / 2)
    return fully_connected(network.weights, network.biases, activation(1, slope))


def folded_identity(w):
    r"""The identity on [-1, 1] at depth 2: :math:`W_1 = (w, -w)^T, b_1 = (w, w), W_2 = (1, -1)/(2w)`."""
    u, w = rationals([1, -1]), rationals(w)
    return FullyConnected([w * u[:, None], u[None] / (2 * w)], [w * u**2, rationals([0])])


def identity_at_depth_two():
    r"""For w near :math:`2^{-3/4}` the network is the identity at seven points, and costs :math:`2\sqrt2` up to 1e-15."""
    f, points = folded_identity(ROOT), rationals([-1, "-3/4", "-1/3", 0, "1/5", "2/3", 1])[:, None]
    cost, least = f.parameter_norm_squared, 2 * sqrt(rationals(2))
    return eq(f(points), points) & ge(cost, least) & le(cost, least * (1 + rationals("1e-15")))


def first_correction():
    r""":math:`L(2^{1/L} - 1)` decreases to log 2 over the depths 2, 4, ..., 4096."""
    found = np.stack([L * (power(rationals(2), Q(1, L)) - 1) for L in (2**k for k in range(1, 13))])
    limit = log(rationals(2))
    return le(found[1:], found[:-1]) & ge(found, limit) & le(absolute(found[-1] - limit), rationals("1e-3"))


def chain_of_ones(L):
    """The ReLU itself: the slopes are 1 and 0."""
    return {"f": FullyConnected([rationals([[1]])] * L)}


ROOT = "0.5946035575"
r"""Near :math:`2^{-3/4}`."""

CLAIM = Claim(
    id="bottleneck_structure.known_costs",
    title="An interval around zero costs a ReLU network more than its rank",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=cost_of_an_interval,
    domain=Domain(
        {"f": derived(mostly_relu, network=Networks(inputs=1), kind=integers(0, 4), role="network of any slope")},
        {"depth": (2, 3, 4, 6, 13), "width": (1, 2, 3), "outputs": (1, 2, 3)},
        {"ReLU": lambda f: f.activation.negative == 0},
    ),
    needs=("ReLU",),
    tight={
        "ReLU, depth 2": partial(chain_of_ones, 2),
        "ReLU, depth 5": partial(chain_of_ones, 5),
        "identity": Tight(lambda: {"f": folded_identity(ROOT)}, 1e-15, "the best weight is not rational"),
    },
    false_variants={
        "the square of the sum": square_of_the_sum,
        "biases not counted": without_the_biases,
        "three points": {"points": (1, -1, 0)},
        "a shorter interval": {"points": (Q(1, 3), Q(-1, 3))},
    },
    exact={"the identity at depth 2": identity_at_depth_two, "log 2": first_correction},
)
