r"""Consequence of Propositions 2 and 3: the Jacobian of a cheap deep network is exponentially close to rank one.

For every network, activation with slopes of absolute value at most 1, point x, and k,

.. math:: s_k(JF_w(x)) \le \Bigl(\frac{\sum_\ell\|W_\ell\|_F^2}{kL}\Bigr)^{L/2} ,

so that with :math:`\|w\|^2 = L + C`

.. math:: s_k(JF_w(x)) \le \Bigl(\frac{1 + C/L}k\Bigr)^{L/2} \le k^{-L/2} e^{C/2} ,

in particular :math:`s_2 \le 2^{-L/2} e^{C/2}`: at global minimisers, where :math:`C \le C_N` does not depend on the depth
(``prop_2_minimisers``), the second singular value decays exponentially at every point. Where the first does not decay, the
others decay faster (``.second``): if :math:`s_1 \ge e^{-c}` for a :math:`c \ge 0`, then

.. math:: s_2(JF_w(x)) \le \Bigl(\frac{C + 2c}L\Bigr)^{L/2} .

What is checked are these inequalities, squared, for all singular values and for the smallest c, for networks at any distance
from balanced factors (near which alone the bounds are sharp). In the last one C leaves out the biases; with them it is larger.
At a kink they hold for the product of the layers with either slope (Proposition 3). All need slopes of at most 1.

Idea of the proof: :math:`k s_k^{2/L} \le \sum_i s_i^{2/L} \le \frac1L\sum_\ell\|W_\ell\|_F^2` (Proposition 3), and
:math:`s_1^{2/L} \ge e^{-2c/L} \ge 1 - 2c/L`.

Source: notion_of_rank, Proposition 2 (the remark on the second singular value); the constants are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from theorems.notion_of_rank.linear_networks import balanced_factors, plane_rotations, rotation
from theorems.notion_of_rank.prop_3 import SLOPES, balanced_network, has_slopes_at_most_one
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, exp, log, maximum
from verify.matrices import singular_values
from verify.networks import FullyConnected, HomogeneousActivation


def excess(network: FullyConnected, biases: bool = True) -> Array:
    r""":math:`C = \|w\|^2 - L`, of all parameters or of the weights alone, shape ``batch_shape``."""
    norm = network.parameter_norm_squared if biases else network.weight_norm_squared
    return np.asarray(norm - network.depth)


def decay(
    network: FullyConnected, x: Array, basis_points: int = 10_000, power: int = 1, ahead: int = 0, growth: int = 10_000
) -> Relation:
    """Both bounds for all singular values at a point.

    False neighbours have other factors of the norm and of C, in units of 1/10000, a higher power, or k + 1 in place of k.
    """
    squares, depth = singular_values(network.jacobian(x)) ** 2, network.depth
    k = np.arange(1, squares.shape[-1] + 1) + ahead
    paid = np.asarray(network.weight_norm_squared)[..., None] * basis_points / 10_000
    sharp = (paid / (k * depth)) ** (power * depth)
    simple = exp(excess(network)[..., None] * growth / 10_000) / k**depth
    # the small singular values err by the rounding of the large ones
    largest = squares[..., :1] + 0 * squares
    return le(squares, sharp, scale=largest, over=1) & le(squares, simple, scale=largest, over=1)


def second_singular_value(
    network: FullyConnected, x: Array, basis_points: int = 10_000, power: int = 1, first: int = 20_000, biases: bool = False
) -> Relation:
    """The bound for the second one by the first; false neighbours have other factors, in units of 1/10000, or a power."""
    values, depth = singular_values(network.jacobian(x)), network.depth
    zero = 0 * values[..., 0]
    present = np.where(compare(values[..., 0], 0) > 0, values[..., 0], zero + 1)
    lost = maximum(-log(present), zero)
    # not negative where the Jacobian is not zero
    total = maximum(excess(network, biases) + lost * first / 10_000, zero)
    bound = (total / depth * basis_points / 10_000) ** (power * depth)
    size = values[..., 0] ** 2 + (network.weight_norm_squared / depth + lost) ** depth
    return le(values[..., 1] ** 2, bound, scale=size)


def near_balanced(
    left: Array,
    roots: Array,
    right: Array,
    hidden: Array,
    noise: FullyConnected,
    distance: Array,
    slope: Array,
    steeper: Array,
) -> FullyConnected:
    """Balanced factors plus `distance` times the weights and biases of `noise`, with the slope ``slope + 2 * steeper``."""
    factors, share = balanced_factors(left, roots, right, hidden), distance[..., None]
    weights = [weight + share[..., None] * other for weight, other in zip(factors.weights, noise.weights, strict=True)]
    biases = [share * other for other in noise.biases]
    return FullyConnected(weights, biases, HomogeneousActivation(1, slope + 2 * steeper))


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
        slope=interval(-1, 1),
        steeper=integers(0, 1),
    ),
    "x": reals("dimension"),
}
SOURCE = Source("notion_of_rank", "Proposition 2, remark")

CLAIM = Claim(
    id="notion_of_rank.jacobian_decay",
    title="The singular values of the Jacobian of a cheap network decay with the depth",
    source=SOURCE,
    status=Ours(),
    statement=decay,
    domain=Domain(VARIABLES, {"depth": range(2, 5), "dimension": range(1, 3)}, {SLOPES: has_slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "one singular value": Tight(partial(balanced_network, 4, "3/2")),
        "two equal singular values": Tight(partial(balanced_network, 3, "1/2", "1/2")),
        "three equal singular values": Tight(partial(balanced_network, 5, 1, 1, 1)),
        "norm L": Tight(partial(balanced_network, 6, 1)),
    },
    false_neighbours={
        "0.99 of the norm": partial(decay, basis_points=9_900),
        "0.9999 of the norm": partial(decay, basis_points=9_999),
        "e^(3 C / 8)": partial(decay, growth=7_500),
        "exponent L": partial(decay, power=2),
        "k + 1 in place of k": partial(decay, ahead=1),
    },
    cost=2,
)

SECOND = Claim(
    id="notion_of_rank.jacobian_decay.second",
    title="The second singular value where the first does not decay",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=second_singular_value,
    domain=Domain(VARIABLES, {"depth": range(2, 5), "dimension": (2,)}, {SLOPES: has_slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "first singular value 1, depth 2": Tight(partial(balanced_network, 2, 1, "1/2")),
        "first singular value 1, depth 6": Tight(partial(balanced_network, 6, 1, "2/3")),
    },
    false_neighbours={
        "0.99 of the bound": partial(second_singular_value, basis_points=9_900),
        "0.9999 of the bound": partial(second_singular_value, basis_points=9_999),
        "without the first singular value": partial(second_singular_value, first=0),
        "c in place of 2 c": partial(second_singular_value, first=10_000),
        "exponent L": partial(second_singular_value, power=2),
    },
)
