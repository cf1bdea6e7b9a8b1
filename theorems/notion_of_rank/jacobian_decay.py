r"""Propositions 2 and 3, a consequence: the Jacobian of a cheap deep network is exponentially close to rank one.

Statement
    The slides: the second singular value of the Jacobian at a minimiser is exponentially small in the depth. In numbers, for a
    network of squared norm L + C, an activation with slopes of at most 1, every point x and every k,

    .. math:: s_k(JF_w(x)) \le \Bigl(\frac{\sum_\ell\|W_\ell\|_F^2}{kL}\Bigr)^{L/2}
              \le \Bigl(\frac{1 + C/L}k\Bigr)^{L/2} \le k^{-L/2} e^{C/2} .

    Where the first singular value does not decay, the others decay faster (``.second``): if :math:`s_1 \ge e^{-c}`, c >= 0,
    and C leaves out the biases, then

    .. math:: s_2(JF_w(x)) \le \Bigl(\frac{C + 2c}L\Bigr)^{L/2} .
Checked
    The inequalities, squared, for all singular values and for the smallest c, for networks at any distance from balanced
    factors. At a kink they hold for the product of the layers with either slope (Proposition 3). At global minimisers
    :math:`C \le C_N` does not depend on the depth (``prop_2.minimisers``).
Proof idea
    :math:`k s_k^{2/L} \le \sum_i s_i^{2/L} \le \frac1L\sum_\ell\|W_\ell\|_F^2` (Proposition 3), and
    :math:`s_1^{2/L} \ge e^{-2c/L} \ge 1 - 2c/L`.
Sharp
    Balanced factors with k equal singular values; for the exponential bound such that C = 0. With c = 0 the bound of the second
    is attained where the first is 1.
Source
    notion_of_rank, Proposition 2 (the remark on the second singular value); the constants are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one
from theorems.notion_of_rank.constructions.balanced import balanced_factors, balanced_network, plane_rotations, rotation
from verify import Claim, Domain, Networks, Ours, Q, Relation, Source, Tight, derived, interval, le, reals, slopes
from verify.arithmetic import Array, compare, exp, log, maximum, rationals
from verify.matrices import singular_values
from verify.networks import FullyConnected, HomogeneousActivation, identity


def decay(network: FullyConnected, x: Array) -> Relation:
    """Both bounds for all singular values at a point, squared."""
    found, depth = singular_values(network.jacobian(x)) ** 2, network.depth
    k = np.arange(1, found.shape[-1] + 1)
    weights, excess = network.weight_norm_squared, network.parameter_norm_squared - depth
    by_power = (np.asarray(weights)[..., None] / (k * depth)) ** depth
    by_exponential = np.asarray(exp(excess))[..., None] / k**depth
    return le(found, by_power, name="power", over=1) & le(found, by_exponential, name="exponential", over=1)


def second_singular_value(network: FullyConnected, x: Array, factor: Q | int = 2) -> Relation:
    """The bound for the second one by the first, squared; `factor` is that of c."""
    values, depth = singular_values(network.jacobian(x)), network.depth
    # not negative where the Jacobian is not zero
    total = maximum(network.weight_norm_squared - depth + factor * lost(values[..., 0]), 0 * values[..., 0])
    return le(values[..., 1] ** 2, (total / depth) ** depth)


def lost(largest: Array) -> Array:
    """The smallest c for which the largest singular value is at least exp(-c); 0 for a Jacobian that is zero."""
    present = np.where(compare(largest, 0) > 0, largest, 0 * largest + 1)
    return maximum(-log(present), 0 * largest)


# False variants


def next_index(network: FullyConnected, x: Array) -> Relation:
    """The first bound with k + 1 in place of k."""
    found, depth = singular_values(network.jacobian(x)) ** 2, network.depth
    k = np.arange(2, found.shape[-1] + 2)
    return le(found, (np.asarray(network.weight_norm_squared)[..., None] / (k * depth)) ** depth, over=1)


def twice_the_exponent(network: FullyConnected, x: Array) -> Relation:
    """The first bound with the exponent L in place of L / 2."""
    found, depth = singular_values(network.jacobian(x)) ** 2, network.depth
    k = np.arange(1, found.shape[-1] + 1)
    return le(found, (np.asarray(network.weight_norm_squared)[..., None] / (k * depth)) ** (2 * depth), over=1)


def slower_exponential(network: FullyConnected, x: Array) -> Relation:
    """The exponential bound with 3 C / 8 in place of C / 2."""
    found, depth = singular_values(network.jacobian(x)) ** 2, network.depth
    k, excess = np.arange(1, found.shape[-1] + 1), network.parameter_norm_squared - depth
    return le(found, np.asarray(exp(Q("3/4") * excess))[..., None] / k**depth, over=1)


def second_with_twice_the_exponent(network: FullyConnected, x: Array) -> Relation:
    """The bound for the second one with the exponent L in place of L / 2."""
    values, depth = singular_values(network.jacobian(x)), network.depth
    total = maximum(network.weight_norm_squared - depth + 2 * lost(values[..., 0]), 0 * values[..., 0])
    return le(values[..., 1] ** 2, (total / depth) ** (2 * depth))


def near_balanced(
    left: Array, roots: Array, right: Array, hidden: Array, noise: FullyConnected, distance: Array, slope: Array
) -> FullyConnected:
    """Balanced factors plus `distance` times the weights and biases of `noise`, with this slope below zero."""
    factors, share = balanced_factors(left, roots, right, hidden), distance[..., None]
    weights = [weight + share[..., None] * other for weight, other in zip(factors.weights, noise.weights, strict=True)]
    biases = [share * other for other in noise.biases]
    return FullyConnected(weights, biases, HomogeneousActivation(1, slope))


def halves() -> dict[str, object]:
    """Half the identity of four dimensions in three layers, at a point where all values are positive."""
    return {"network": FullyConnected([rationals(np.eye(4, dtype=int)) / 2] * 3), "x": rationals([1, 1, 1, 1])}


def turns() -> dict[str, object]:
    """Three turns of the plane by half a right angle, divided by the root of 2."""
    layer = rationals([["1/2", "-1/2"], ["1/2", "1/2"]])
    return {"network": FullyConnected([layer] * 3, activation=identity()), "x": rationals([1, 1])}


def through_four_neurons() -> dict[str, object]:
    """A third of the identity of three dimensions through four neurons, with layers of squared singular values 1/3."""
    layer = rationals([[1, -1, -1], [1, 1, 0], [1, 0, 1], [0, 1, -1]]) / 3
    return {"network": FullyConnected([layer, layer.T], activation=identity()), "x": rationals([1, 1, 1])}


FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
VARIABLES = {
    "network": derived(
        near_balanced,
        left=FRAME,
        roots=interval(0, np.inf, "dimension"),
        right=FRAME,
        hidden=derived(rotation, chart=reals(lambda sizes: sizes["depth"] - 1, plane_rotations("dimension"))),
        noise=Networks(inputs="dimension", width="dimension", outputs="dimension", slope=0),
        distance=interval(0, 1),
        slope=slopes(-2, 2),
    ),
    "x": reals("dimension"),
}
DEPTHS = (2, 3, 4, 6, 13)
BOUNDS = ("power", "exponential")

CLAIM = Claim(
    id="notion_of_rank.jacobian_decay",
    title="The singular values of the Jacobian of a cheap network decay with the depth",
    source=Source("notion_of_rank", "Proposition 2, remark"),
    status=Ours(),
    statement=decay,
    domain=Domain(VARIABLES, {"depth": DEPTHS, "dimension": range(1, 4)}, {SLOPES: has_slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "one singular value": Tight(partial(balanced_network, 4, "3/2"), of=("power",), partly=True),
        "two equal singular values": Tight(partial(balanced_network, 3, "1/2", "1/2"), of=("power",), partly=True),
        "three equal singular values": Tight(partial(balanced_network, 5, 1, 1, 1), of=("power",), partly=True),
        "norm L": Tight(partial(balanced_network, 6, 1), of=BOUNDS, partly=True),
        "norm L, two equal singular values": Tight(turns, of=BOUNDS, partly=True),
        "norm L, three equal singular values": Tight(through_four_neurons, of=BOUNDS, partly=True),
        "norm L, four equal singular values": Tight(halves, of=BOUNDS, partly=True),
    },
    false_neighbours={
        "k + 1 in place of k": next_index,
        "exponent L": twice_the_exponent,
        "e^(3 C / 8)": slower_exponential,
    },
    cost=2,
)

SECOND = Claim(
    id="notion_of_rank.jacobian_decay.second",
    title="Where the Jacobian's first singular value does not decay, the second decays faster than exponentially",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=second_singular_value,
    domain=Domain(VARIABLES, {"depth": DEPTHS, "dimension": (2, 3)}, {SLOPES: has_slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "first singular value 1, depth 2": Tight(partial(balanced_network, 2, 1, "1/2")),
        "first singular value 1, depth 6": Tight(partial(balanced_network, 6, 1, "2/3")),
        "first singular value a little below 1": Tight(
            partial(balanced_network, 2, "9999999/10000000", "1/2"), 1e-12, "its log is used to first order"
        ),
    },
    false_neighbours={
        "19/10 c": partial(second_singular_value, factor=Q("19/10")),
        "without the first singular value": partial(second_singular_value, factor=0),
        "exponent L": second_with_twice_the_exponent,
    },
    cost=2,
)
