r"""Theorem 1, what the identity costs on a cube and on a half-line.

Statement
    On :math:`[0, 1]^k` the identity costs exactly kL, for every depth: k identity weights in each layer do it, and for every
    network of k inputs and k outputs with slopes of at most 1, at every point without a kink,

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
Sharp
    Identity layers, and a rotation after them; chains with :math:`w_1 \sqrt{1 + s^2} = w_2 = \dots = w_L`.
Source
    ours, beside Theorem 1 of notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.activations import SLOPES, has_slopes_at_most_one, is_smooth
from theorems.notion_of_rank.constructions.balanced import rotation
from theorems.notion_of_rank.constructions.bottleneck import identity_chain
from verify import Claim, Domain, Networks, Ours, Q, Rate, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, power, rationals
from verify.matrices import determinant, frobenius_norm_squared
from verify.networks import FullyConnected


def volume_at_a_point(network: FullyConnected, x: Array, exponent: Fraction | int = 2) -> Relation:
    """The bound by the determinant of the Jacobian."""
    dimension = network.widths[0]
    volume = determinant(network.jacobian(x)) ** 2
    least = dimension * power(volume, Fraction(exponent, 2 * dimension * network.depth))
    return le(least, network.weight_norm_squared / network.depth)


def chains_are_the_identity() -> Relation:
    """Values at the corners of the cube, between which the network is affine, and norms, for small dimensions and depths."""
    relation = Relation(())
    for dimension, depth in product(range(1, 4), range(1, 7)):
        network, corners = identity_chain(dimension, depth), rationals(list(product((0, 1), repeat=dimension)))
        relation &= eq(network(corners), corners, over=2)
        relation &= eq(network.parameter_norm_squared, rationals(dimension * depth))
    return relation


def lifted_chain(shift: Array, weights: Array) -> FullyConnected:
    r"""ReLU network of one neuron in each of L layers, the identity on :math:`[-s, \infty)` for a shift s of at least 0.

    `shift` has shape ``(...)``; `weights`, ``(..., L - 1)``, are those of all layers but the last, positive; the last is 1 over
    their product. The biases are :math:`w_1 s`, zeros, and -s, so that the squared norm is :math:`\|w\|^2 + (1 + w_1^2) s^2`.
    """
    exit_weight = 1 / np.prod(weights, axis=-1)
    layers = [*np.moveaxis(weights, -1, 0), exit_weight]
    biases = [weights[..., 0] * shift, *[0 * shift] * (len(layers) - 2), -shift]
    return FullyConnected([np.asarray(w)[..., None, None] for w in layers], [np.asarray(b)[..., None] for b in biases])


def chain_cost(shift: Array, weights: Array) -> Relation:
    """The bound for the norm of a chain."""
    network, square = lifted_chain(shift, weights), shift * shift
    return ge(network.parameter_norm_squared, network.depth * power(1 + square, Fraction(1, network.depth)) + square)


def chains_are_the_identity_above() -> Relation:
    """Values of rational chains at the shift and at two points above it, where they are affine."""
    relation = Relation(())
    for shift, weights in product(("0", "3/4", "2"), (["1/2"], [2, "1/3"], ["3/4", 1, 1, "7/5"])):
        start = rationals(shift)
        network, points = lifted_chain(start, rationals(weights)), rationals([[0], [1], [5]]) - start
        relation &= eq(network(points), points, over=2)
    return relation


def excess_of_the_chain(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How much the best chain for s = 1 costs beyond L + 1 + log 2."""
    costs = []
    for depth in depths:
        weight = 2 ** (1 / (2 * depth))
        network = lifted_chain(np.array(1.0), np.array([weight / np.sqrt(2), *[weight] * (int(depth) - 2)]))
        costs.append(float(network.parameter_norm_squared))
    return np.asarray(np.array(costs) - depths - 1 - np.log(2))


# False variants


def last_layer_is_free(network: FullyConnected, x: Array) -> Relation:
    """The bound without the cost of the last layer."""
    dimension, paid = network.widths[0], network.weight_norm_squared - frobenius_norm_squared(network.weights[-1])
    volume = determinant(network.jacobian(x)) ** 2
    return le(dimension * power(volume, Fraction(1, dimension * network.depth)), paid / network.depth)


def twice_the_bias(shift: Array, weights: Array) -> Relation:
    """The bound for a chain with the squared bias of the last layer twice."""
    network, square = lifted_chain(shift, weights), shift * shift
    return ge(network.parameter_norm_squared, network.depth * power(1 + square, Fraction(1, network.depth)) + 2 * square)


def shift_in_every_layer(shift: Array, weights: Array) -> Relation:
    """The bound for a chain as if every layer carried the shift."""
    network, square = lifted_chain(shift, weights), shift * shift
    return ge(network.parameter_norm_squared, network.depth * (1 + square) + square)


# Tight examples


def identity_of_the_cube(dimension: int, depth: int) -> dict[str, Any]:
    """The identity chain at an interior point of the cube."""
    return {"network": identity_chain(dimension, depth), "x": rationals([f"1/{k + 2}" for k in range(dimension)])}


def rotation_of_the_plane() -> dict[str, Any]:
    """Three identity layers and a rotation at the end: the cost is that of the identity."""
    chain = identity_chain(3, 3)
    turned = FullyConnected([*chain.weights, rotation(rationals(["1/2", 1, "-1/3"]))])
    return {"network": turned, "x": rationals([1, 2, 3])}


def best_chain(depth: int) -> dict[str, Any]:
    """The chain of smallest norm for s = 1."""
    weight = 2 ** (1 / (2 * depth))
    weights = np.array([weight / np.sqrt(2), *[weight] * (depth - 2)])
    return {"shift": np.array(1.0), "weights": weights}


OURS = Source("notion_of_rank", "ours")

CUBE = Claim(
    id="notion_of_rank.theorem_1.identity_on_cube",
    title="The identity on a cube costs k L",
    source=OURS,
    status=Ours(),
    statement=volume_at_a_point,
    domain=Domain(
        {"network": Networks(inputs="dimension", outputs="dimension", slope=(-2, 2)), "x": reals("dimension", role="point")},
        {"depth": (1, 2, 3, 4, 6, 13), "dimension": range(1, 4), "width": range(1, 5)},
        {SLOPES: has_slopes_at_most_one, "no hidden neuron at its kink": is_smooth},
    ),
    needs=(SLOPES,),
    tight={
        "k = 1, L = 1": Tight(partial(identity_of_the_cube, 1, 1)),
        "k = 2, L = 3": Tight(partial(identity_of_the_cube, 2, 3)),
        "k = 3, L = 6": Tight(partial(identity_of_the_cube, 3, 6)),
        "a rotation": Tight(rotation_of_the_plane),
        "twice the identity": Tight(
            lambda: {"network": FullyConnected([rationals([[2, 0], [0, 2]])] * 3), "x": rationals([1, 1])}
        ),
    },
    false_variants={
        "exponent 19/10": partial(volume_at_a_point, exponent=Q("19/10")),
        "the last layer is free": last_layer_is_free,
    },
    exact={"corners of the cube": chains_are_the_identity},
)

CHAIN = Claim(
    id="notion_of_rank.theorem_1.chain",
    title="The identity on a half-line costs its shift",
    source=OURS,
    status=Ours(),
    statement=chain_cost,
    domain=Domain(
        {
            "shift": interval(0, np.inf),
            "weights": interval(Q("1/4"), Q("17/4"), lambda sizes: sizes["depth"] - 1),
        },
        {"depth": (2, 3, 4, 6, 13)},
    ),
    tight={"depth 2": Tight(partial(best_chain, 2)), "depth 9": Tight(partial(best_chain, 9))},
    false_variants={
        "twice the squared shift": twice_the_bias,
        "the shift in every layer": shift_in_every_layer,
    },
    exact={"identity above the shift": chains_are_the_identity_above},
    rate=Rate(excess_of_the_chain, (8, 16, 32, 64, 128, 256, 512, 1024), -1.0),
)
