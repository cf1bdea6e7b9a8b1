r"""Linear networks: the representation cost of a matrix is L times a power of its Schatten quasi-norm.

Statement
    For every L >= 1, as soon as every hidden layer is at least as wide as the rank of A,

    .. math:: \min\Bigl\{\sum_{\ell=1}^L \|W_\ell\|_F^2 : W_L \cdots W_1 = A\Bigr\} = L \sum_{s_i > 0} s_i(A)^{2/L} .

    This is R(A) on a domain that spans the inputs. Biases do not help, they are best zero.
Checked
    The lower bound for every factorisation, of any widths. That balanced factors
    :math:`W_\ell = Q_\ell S^{1/L} Q_{\ell-1}^T`, for any orthonormal frames between :math:`Q_0 = V` and :math:`Q_L = U` of
    :math:`A = U S V^T`, have the product A and this cost, and so have the factors that `from_matrix` finds (``.attained``).
Proof idea
    :math:`\sum_i s_i(W_L \cdots W_1)^{2/L} \le \sum_i \prod_\ell s_i(W_\ell)^{2/L}` (Horn), then the inequality of means.
Sharp
    Balanced factors between rational rotations, of rank 0 to 3, and a float matrix of rank one at depth 50. There
    ``(1e-16) ** (2 / 50)`` would be 0.23, so that zeros must be decided before the power is taken (`schatten_power`).
Not checked
    Domains that do not span the inputs, on which R is smaller.
Source
    notion_of_rank, representation cost of linear networks (Dai et al. 2021).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.balanced import (
    balanced_factors,
    end_to_end,
    plane_rotations,
    rational_factors,
    rotation,
)
from verify import Claim, Domain, Networks, Q, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import frobenius_norm_squared, schatten_power
from verify.networks import FullyConnected, from_matrix, identity


def least_cost(matrix: Array, depth: int, exponent: Fraction | int = 2) -> Array:
    r""":math:`L \sum_i s_i^{2/L}`, shape ``(..., m, n) -> (...)``."""
    return np.asarray(depth * schatten_power(matrix, Fraction(exponent, depth)))


def cost_of_a_product(network: FullyConnected, exponent: Fraction | int = 2) -> Relation:
    """The lower bound for one factorisation."""
    return le(least_cost(end_to_end(network), network.depth, exponent), network.weight_norm_squared)


def balanced_cost(left: Array, roots: Array, right: Array, hidden: Array, exponent: Fraction | int = 2) -> Relation:
    """Product and cost of balanced factors: those of given frames, and those that the engine finds from the matrix."""
    matrix, depth = matrix_of(left, roots, right, hidden), hidden.shape[-3] + 1
    stated, relation = least_cost(matrix, depth, exponent), Relation(())
    found = {"frames": balanced_factors(left, roots, right, hidden), "matrix": from_matrix(matrix, depth)}
    for source, network in found.items():
        relation &= eq(end_to_end(network), matrix, name=f"product from the {source}", over=2)
        relation &= eq(network.weight_norm_squared, stated, name=f"cost from the {source}")
    return relation


def matrix_of(left: Array, roots: Array, right: Array, hidden: Array) -> Array:
    """The matrix with these frames and the powers of `roots` as singular values."""
    rank = roots.shape[-1]
    return np.asarray((left[..., :rank] * (roots ** (hidden.shape[-3] + 1))[..., None, :]) @ transpose(right[..., :rank]))


# False variants


def last_layer_is_free(network: FullyConnected) -> Relation:
    """The bound without the cost of the last layer."""
    last = frobenius_norm_squared(network.weights[-1])
    return le(least_cost(end_to_end(network), network.depth), network.weight_norm_squared - last)


def every_layer_pays(network: FullyConnected) -> Relation:
    """What the inequality of means does not say: that each single layer has its share of the cost."""
    share, relation = schatten_power(end_to_end(network), Fraction(2, network.depth)), Relation(())
    for weight in network.weights:
        relation &= le(share, frobenius_norm_squared(weight))
    return relation


def one_layer_is_counted(left: Array, roots: Array, right: Array, hidden: Array) -> Relation:
    """The cost of the factors without the factor L."""
    matrix = matrix_of(left, roots, right, hidden)
    cost = balanced_factors(left, roots, right, hidden).weight_norm_squared
    return eq(cost, schatten_power(matrix, Fraction(2, hidden.shape[-3] + 1)))


# Sharp instances


def rounded_factors(depth: int) -> dict[str, FullyConnected]:
    """Factors of a float matrix of rank one: the other singular values of their product are rounding errors."""
    return {"network": from_matrix(np.outer([0.1, 0.2, 0.3], [0.7, 0.5, 0.3]), depth)}


FACTORS = Networks(slope=1, biases=False)
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
SOURCE = Source("notion_of_rank", "Representation cost, linear networks")

CLAIM = Claim(
    id="notion_of_rank.linear_networks",
    title="The Schatten quasi-norm of a matrix bounds the cost of its factorisations",
    source=SOURCE,
    statement=cost_of_a_product,
    domain=Domain({"network": FACTORS}, SIZES),
    tight={
        "depth 1": Tight(lambda: {"network": FullyConnected([rationals([[1, 2], [3, 4]])], activation=identity())}),
        "depth 2": Tight(partial(rational_factors, 2, 3, 2, "1/2")),
        "depth 6": Tight(partial(rational_factors, 6, "5/3", 1, "1/2")),
        "equal singular values": Tight(partial(rational_factors, 3, 2, 2, 2)),
        "rank 1": Tight(partial(rational_factors, 4, 2, 0, 0)),
        "zero matrix": Tight(partial(rational_factors, 3, 0, 0, 0)),
        "rounding errors at depth 50": Tight(partial(rounded_factors, 50)),
    },
    false_neighbours={
        "exponent 19/10": partial(cost_of_a_product, exponent=Q("19/10")),
        "exponent 1": partial(cost_of_a_product, exponent=1),
        "the last layer is free": last_layer_is_free,
        "every layer pays its share": every_layer_pays,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.linear_networks.attained",
    title="Balanced factors cost the least",
    source=SOURCE,
    statement=balanced_cost,
    domain=Domain(
        {
            "left": derived(rotation, chart=reals(plane_rotations("outputs"))),
            "roots": interval(0, np.inf, "rank"),
            "right": derived(rotation, chart=reals(plane_rotations("inputs"))),
            "hidden": derived(rotation, chart=reals(lambda sizes: sizes["depth"] - 1, plane_rotations("width"))),
        },
        {**SIZES, "width": range(1, 4), "rank": range(1, 4)},
        # floats do not tell the singular values of a deep product of rank 2
        sizes_where=lambda sizes: sizes["rank"] <= min(sizes["inputs"], sizes["width"], sizes["outputs"], 20 // sizes["depth"]),
    ),
    false_neighbours={
        "one layer is counted": one_layer_is_counted,
        "exponent 19/10": partial(balanced_cost, exponent=Q("19/10")),
    },
)
