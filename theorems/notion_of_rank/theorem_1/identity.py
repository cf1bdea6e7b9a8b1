r"""What the identity costs on a cube, and on a half-line: beside Theorem 1.

On :math:`[0, 1]^k` the identity costs exactly kL, for every depth: k identity weights in each layer do it, and for every
network of k inputs and k outputs at every point without a kink (Proposition 3 and the inequality of means)

.. math:: k \, |\det JF_w(x)|^{2 / (kL)} \le \frac1L \sum_\ell \|W_\ell\|_F^2 .

With a shift s the identity on :math:`[-s, \infty)` is a chain of single neurons (``.chain``): with positive weights
:math:`w_1, \ldots, w_L` of product 1 and the biases :math:`w_1 s` and -s at the ends its squared norm is

.. math:: w_1^2 (1 + s^2) + w_2^2 + \dots + w_L^2 + s^2 \ge L (1 + s^2)^{1/L} + s^2 ,

with equality at :math:`w_1 \sqrt{1 + s^2} = w_2 = \dots = w_L`; this is :math:`L + s^2 + \log(1 + s^2) + O(1/L)`. So, with the
lower bound of ``theorem_1_interval``, the cost of the identity on [-1, 1] is between L + log 2 and L + 1 + log 2 + O(1 / L).

Source: ours, beside Theorem 1 of notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.activations import is_smooth
from theorems.notion_of_rank.constructions.balanced import rotation
from theorems.notion_of_rank.constructions.bottleneck import identity_chain
from verify import (
    Claim,
    Domain,
    Networks,
    Ours,
    Rate,
    Relation,
    Source,
    Tight,
    eq,
    ge,
    interval,
    le,
    reals,
)
from verify.arithmetic import Array, power, rationals
from verify.matrices import determinant, frobenius_norm_squared
from verify.networks import FullyConnected


def weight_cost(network: FullyConnected, last: bool = True) -> Array:
    """Sum of the squared weights per layer, perhaps without the last layer."""
    left_out = 0 if last else frobenius_norm_squared(network.weights[-1])
    return (network.weight_norm_squared - left_out) / network.depth


def volume_at_a_point(
    network: FullyConnected, x: Array, basis_points: int = 10_000, exponent: int = 2, last: bool = True
) -> Relation:
    """The bound by the determinant of the Jacobian; the constant is given in units of 1/10000."""
    dimension = network.widths[0]
    volume = determinant(network.jacobian(x)) ** 2
    least = dimension * power(volume, Fraction(exponent, 2 * dimension * network.depth))
    return le(least * basis_points / 10_000, weight_cost(network, last))


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


def chain_cost(shift: Array, weights: Array, basis_points: int = 10_000, biases: int = 1) -> Relation:
    """The bound for the norm of a chain."""
    network, square = lifted_chain(shift, weights), shift * shift
    least = network.depth * power(1 + square, Fraction(1, network.depth)) * basis_points / 10_000 + biases * square
    return ge(network.parameter_norm_squared, least)


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
        {
            "network": Networks(inputs="dimension", outputs="dimension", slope=(-1, 1)),
            "x": reals("dimension"),
        },
        {"depth": range(2, 5), "dimension": range(1, 4), "width": range(1, 4)},
        {"no hidden neuron at its kink": is_smooth},
    ),
    tight={
        "k = 1, L = 1": Tight(partial(identity_of_the_cube, 1, 1)),
        "k = 2, L = 3": Tight(partial(identity_of_the_cube, 2, 3)),
        "k = 3, L = 6": Tight(partial(identity_of_the_cube, 3, 6)),
        "a rotation": Tight(rotation_of_the_plane),
    },
    false_neighbours={
        "constant 1.01": partial(volume_at_a_point, basis_points=10_100),
        "constant 1.0001": partial(volume_at_a_point, basis_points=10_001),
        "half the exponent": partial(volume_at_a_point, exponent=1),
        "last layer not counted": partial(volume_at_a_point, last=False),
    },
    exact={"corners of the cube": chains_are_the_identity},
)

CHAIN = Claim(
    id="notion_of_rank.theorem_1.chain",
    title="A chain of single neurons with a shift",
    source=OURS,
    status=Ours(),
    statement=chain_cost,
    domain=Domain(
        {
            "shift": interval(0, np.inf),
            "weights": interval(0.25, 4.25, lambda sizes: sizes["depth"] - 1),
        },
        {"depth": range(2, 7)},
    ),
    tight={"depth 2": Tight(partial(best_chain, 2)), "depth 9": Tight(partial(best_chain, 9))},
    false_neighbours={
        "constant 1.01": partial(chain_cost, basis_points=10_100),
        "constant 1.0001": partial(chain_cost, basis_points=10_001),
        "twice the squared shift": partial(chain_cost, biases=2),
    },
    exact={"identity above the shift": chains_are_the_identity_above},
    rate=Rate(excess_of_the_chain, (8, 16, 32, 64, 128, 256, 512, 1024), -1.0),
)
