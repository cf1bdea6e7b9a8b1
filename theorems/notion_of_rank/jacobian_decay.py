r"""After Propositions 2 and 3: the Jacobian is nearly of rank one.

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
Tight
    Balanced factors with k equal singular values; for the exponential bound such that C = 0. With c = 0 the bound of the second
    is attained where the first is 1.
Source
    notion_of_rank, Proposition 2 (the remark on the second singular value); the constants are derived here.
"""

from functools import partial

import numpy as np

from theorems.notion_of_rank.prop_3 import balanced, slopes_at_most_one
from theorems.shared.activations import SLOPES
from theorems.shared.balanced import balanced_factors, plane_rotations, rotation
from verify import Claim, DerivedHere, Domain, Networks, Q, Source, Tight, derived, interval, reals, slopes
from verify.networks import FullyConnected, HomogeneousActivation, identity
from verify.numbers.arithmetic import rationals
from verify.words import exp, eye, le, lifted, log, maximum, singular_values, where

network, activation, factors = lifted(FullyConnected), lifted(HomogeneousActivation), lifted(balanced_factors)
frame = lifted(rotation)


def places(s):
    """The k of each singular value."""
    return np.arange(1, len(s) + 1)


def decay(f, x):
    s, L, C = singular_values(f.jacobian(x)), f.depth, f.parameter_norm_squared - f.depth
    k = places(s)
    return le(s**2, (f.weight_norm_squared / (k * L)) ** L, name="power") & le(s**2, exp(C) / k**L, name="exponential")


def next_place(f, x):
    s, L = singular_values(f.jacobian(x)), f.depth
    return le(s**2, (f.weight_norm_squared / ((places(s) + 1) * L)) ** L)


def third_place(f, x):
    """1001/1000 k in place of k for the third singular value, and for no other."""
    s, L = singular_values(f.jacobian(x)), f.depth
    return le(s[2:] ** 2, (f.weight_norm_squared / (3 * Q("1.001") * L)) ** L)


def twice_the_exponent(f, x):
    s, L = singular_values(f.jacobian(x)), f.depth
    return le(s**2, (f.weight_norm_squared / (places(s) * L)) ** (2 * L))


def slower_exponential(f, x):
    s, L = singular_values(f.jacobian(x)), f.depth
    return le(s**2, exp(Q(3, 4) * (f.parameter_norm_squared - L)) / places(s) ** L)


def lost(s):
    """The smallest c >= 0 for which the first singular value is at least exp(-c); 0 where it is zero."""
    return maximum(-log(where(s > 0, s, 1)), 0)


def second_singular_value(f, x, factor=2, power=1):
    s, L = singular_values(f.jacobian(x)), f.depth
    # the sum is not negative where the Jacobian is not zero
    return le(s[1] ** 2, (maximum(f.weight_norm_squared - L + factor * lost(s[0]), 0) / L) ** (power * L))


def near_balanced(U, q, V, H, noise, distance, slope):
    """Balanced factors plus a multiple of other weights and biases."""
    weights = [W + distance * other for W, other in zip(factors(U, q, V, H).weights, noise.weights, strict=True)]
    return network(weights, [distance * b for b in noise.biases], activation(1, slope))


def halves():
    return {"f": FullyConnected([rationals(eye(4)) / 2] * 3), "x": [1, 1, 1, 1]}


def turns():
    """Three turns of the plane by half a right angle, divided by the root of 2."""
    return {"f": FullyConnected([rationals([[1, -1], [1, 1]]) / 2] * 3, activation=identity()), "x": [1, 1]}


def through_four_neurons():
    """A third of the identity of space, with layers of squared singular values 1/3."""
    W = rationals([[1, -1, -1], [1, 1, 0], [1, 0, 1], [0, 1, -1]]) / 3
    return {"f": FullyConnected([W, W.T], activation=identity()), "x": [1, 1, 1]}


FRAME = derived(frame, chart=reals(plane_rotations("dimension")))
VARIABLES = {
    "f": derived(
        near_balanced,
        U=FRAME,
        q=interval(0, np.inf, "dimension"),
        V=FRAME,
        H=derived(frame, chart=reals(lambda sizes: sizes["depth"] - 1, plane_rotations("dimension"))),
        noise=Networks(inputs="dimension", width="dimension", outputs="dimension", slope=0),
        distance=interval(0, 1),
        slope=slopes(-2, 2),
        role="network",
    ),
    "x": reals("dimension", role="point"),
}
DEPTHS = (2, 3, 4, 6, 13)


def partly(instance, *bounds):
    return Tight(instance, of=bounds, partly=True)


CLAIM = Claim(
    id="notion_of_rank.jacobian_decay",
    title="Singular values of a network of small cost decay with the depth",
    source=Source("notion_of_rank", "Proposition 2, remark"),
    status=DerivedHere(),
    statement=decay,
    domain=Domain(VARIABLES, {"depth": DEPTHS, "dimension": range(1, 4)}, {SLOPES: slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "one singular value": partly(partial(balanced, 4, "3/2"), "power"),
        "two equal singular values": partly(partial(balanced, 3, "1/2", "1/2"), "power"),
        "three equal singular values": partly(partial(balanced, 5, 1, 1, 1), "power"),
        "norm L": partly(partial(balanced, 6, 1), "power", "exponential"),
        "norm L, two equal singular values": partly(turns, "power", "exponential"),
        "norm L, three equal singular values": partly(through_four_neurons, "power", "exponential"),
        "norm L, four equal singular values": partly(halves, "power", "exponential"),
    },
    false_variants={
        "k + 1 in place of k": next_place,
        "1001/1000 k for the third": third_place,
        "exponent L": twice_the_exponent,
        "e^(3 C / 8)": slower_exponential,
    },
    cost=2,
)

SECOND = Claim(
    id="notion_of_rank.jacobian_decay.second",
    title="If s_1 stays, s_2 decays faster than exponentially in the depth",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=second_singular_value,
    domain=Domain(VARIABLES, {"depth": DEPTHS, "dimension": (2, 3)}, {SLOPES: slopes_at_most_one}),
    needs=(SLOPES,),
    tight={
        "first singular value 1, depth 2": partial(balanced, 2, 1, "1/2"),
        "first singular value 1, depth 6": partial(balanced, 6, 1, "2/3"),
        "first singular value a little below 1": Tight(
            partial(balanced, 2, "9999999/10000000", "1/2"), 1e-12, "its log is used to first order"
        ),
    },
    false_variants={
        "19/10 c": {"factor": Q("19/10")},
        "without the first singular value": {"factor": 0},
        "exponent L": {"power": 2},
    },
    cost=2,
)
