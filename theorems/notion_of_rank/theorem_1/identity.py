r"""Theorem 1, what the identity costs on a cube and on a half-line.

Statement
    On :math:`[0, 1]^k` the identity costs exactly kL, for every depth: k identity weights in each layer do it, and for every
    network :math:`F_w` of k inputs and k outputs with slopes of absolute value at most 1, at every point without a kink,

    .. math:: k \, |\det JF_w(x)|^{2 / (kL)} \le \frac1L \sum_\ell \|W_\ell\|_F^2 .

    With a shift s the identity on :math:`[-s, \infty)` is a chain of single neurons (``.chain``): with positive weights
    :math:`w_1, \ldots, w_L` of product 1 and the biases :math:`w_1 s` and -s at the ends its squared norm is

    .. math:: w_1^2 (1 + s^2) + w_2^2 + \dots + w_L^2 + s^2 \ge L (1 + s^2)^{1/L} + s^2 = L + s^2 + \log(1 + s^2) + O(1/L).

    So, with the lower bound of ``interval``, the cost of the identity on [-1, 1] is between L + log 2 and
    L + 1 + log 2 + O(1 / L).
Checked
    The bound for all networks; that k identity weights are the identity at the corners of the cube, between which they are
    affine. The norm of all chains, and their values above the shift.
Proof idea
    Proposition 3 and the inequality of means.
Tight
    Identity layers, and a rotation after them; chains with :math:`w_1 \sqrt{1 + s^2} = w_2 = \dots = w_L`.
Source
    Derived here, beside Theorem 1 of notion_of_rank.
"""

from functools import partial
from itertools import product

import numpy as np

from theorems.shared.activations import SLOPES
from theorems.shared.balanced import rotation
from theorems.shared.bottleneck import identity_chain
from verify import Claim, DerivedHere, Domain, Networks, Q, Rate, Relation, Source, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import determinant, eq, ge, le, lifted, norm2, power, stack, vector


def volume_at_a_point(network, x, exponent=2):
    f, L, k = network, network.depth, len(x)
    volume = determinant(f.jacobian(x)) ** 2
    return le(k * power(volume, Q(exponent, 2 * k * L)), f.weight_norm_squared / L)


def last_layer_is_free(network, x):
    f, L, k = network, network.depth, len(x)
    volume = determinant(f.jacobian(x)) ** 2
    return le(k * power(volume, Q(1, k * L)), (f.weight_norm_squared - norm2(f.weights[-1])) / L)


def chains_are_the_identity():
    """Values at the corners of the cube, between which the network is affine, and norms, for small dimensions and depths."""
    relation = Relation(())
    for k, L in product(range(1, 4), range(1, 7)):
        f, corners = identity_chain(k, L), rationals(list(product((0, 1), repeat=k)))
        relation &= eq(f(corners), corners) & eq(f.parameter_norm_squared, rationals(k * L))
    return relation


def lifted_chain(s, w):
    r"""ReLU network of one neuron in each of L layers, the identity on :math:`[-s, \infty)`, with the first L - 1 weights w.

    Its biases are :math:`w_1 s`, zeros, and -s, so that the squared norm is :math:`\sum_\ell w_\ell^2 + (1 + w_1^2) s^2`.
    """
    weights, biases = [*w, 1 / w.prod()], [w[0] * s, *[0 * s] * (len(w) - 1), -s]
    return lifted(FullyConnected)([stack([vector(one)]) for one in weights], [vector(one) for one in biases])


def chain_cost(s, w, shifts=1):
    N, L = lifted_chain(s, w).parameter_norm_squared, len(w) + 1
    return ge(N, L * power(1 + s**2, Q(1, L)) + shifts * s**2)


def shift_in_every_layer(s, w):
    return ge(lifted_chain(s, w).parameter_norm_squared, (len(w) + 1) * (1 + s**2) + s**2)


def chains_are_the_identity_above():
    """Values of rational chains at the shift and at two points above it, where they are affine."""
    relation = Relation(())
    for shift, weights in product(("0", "3/4", "2"), (["1/2"], [2, "1/3"], ["3/4", 1, 1, "7/5"])):
        s = rationals(shift)
        points = rationals([[0], [1], [5]]) - s
        relation &= eq(lifted_chain(s, rationals(weights))(points), points)
    return relation


def best_chain(L):
    """The chain of smallest norm for s = 1."""
    w = 2 ** (1 / (2 * L))
    return {"s": 1.0, "w": np.array([w / np.sqrt(2), *[w] * (L - 2)])}


def excess_of_the_chain(depths):
    """How much the best chain for s = 1 costs beyond L + 1 + log 2."""
    costs = [float(lifted_chain(**best_chain(int(L))).parameter_norm_squared) for L in depths]
    return np.array(costs) - depths - 1 - np.log(2)


def identity_of_the_cube(k, L):
    """The identity chain at an interior point of the cube."""
    return {"network": identity_chain(k, L), "x": [f"1/{i + 2}" for i in range(k)]}


def rotation_of_the_plane():
    """Three identity layers and a rotation at the end: the cost is that of the identity."""
    turned = FullyConnected([*identity_chain(3, 3).weights, rotation(rationals(["1/2", 1, "-1/3"]))])
    return {"network": turned, "x": [1, 2, 3]}


CUBE = Claim(
    id="notion_of_rank.theorem_1.identity_on_cube",
    title="The identity on a cube costs k L",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=volume_at_a_point,
    domain=Domain(
        {"network": Networks(inputs="dimension", outputs="dimension", slope=(-2, 2)), "x": reals("dimension", role="point")},
        {"depth": (1, 2, 3, 4, 6, 13), "dimension": range(1, 4), "width": range(1, 5)},
        {
            SLOPES: lambda network: network.activation.lipschitz_constant <= 1,
            "no hidden neuron at its kink": lambda network, x: network.distance_to_kink(x) > 0,
        },
    ),
    needs=(SLOPES,),
    tight={
        "k = 1, L = 1": partial(identity_of_the_cube, 1, 1),
        "k = 2, L = 3": partial(identity_of_the_cube, 2, 3),
        "k = 3, L = 6": partial(identity_of_the_cube, 3, 6),
        "a rotation": rotation_of_the_plane,
        "twice the identity": lambda: {"network": FullyConnected([rationals([[2, 0], [0, 2]])] * 3), "x": [1, 1]},
    },
    false_variants={"exponent 19/10": {"exponent": Q("19/10")}, "the last layer is free": last_layer_is_free},
    exact={"corners of the cube": chains_are_the_identity},
)

CHAIN = Claim(
    id="notion_of_rank.theorem_1.chain",
    title="The identity on a half-line costs its shift",
    source=Source("notion_of_rank", "derived here"),
    status=DerivedHere(),
    statement=chain_cost,
    domain=Domain(
        {"s": interval(0, np.inf), "w": interval(Q("1/4"), Q("17/4"), lambda sizes: sizes["depth"] - 1)},
        {"depth": (2, 3, 4, 6, 13)},
    ),
    tight={"depth 2": partial(best_chain, 2), "depth 9": partial(best_chain, 9)},
    false_variants={"twice the squared shift": {"shifts": 2}, "the shift in every layer": shift_in_every_layer},
    exact={"identity above the shift": chains_are_the_identity_above},
    rate=Rate(excess_of_the_chain, (8, 16, 32, 64, 128, 256, 512, 1024), -1.0),
)
