r"""Linear networks: the cost is a power of a Schatten quasi-norm.

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
Tight
    Balanced factors between rational rotations, of rank 0 to 3, and a float matrix of rank one at depth 50. There
    ``(1e-16) ** (2 / 50)`` would be 0.23, so that zeros must be decided before the power is taken (`schatten_power`).
Not checked
    Domains that do not span the inputs, on which R is smaller.
Source
    notion_of_rank, representation cost of linear networks (Dai et al. 2021).
"""

from functools import partial
from itertools import pairwise

import numpy as np

from theorems.shared.balanced import (
    balanced_factors,
    end_to_end,
    plane_rotations,
    rational_factors,
    rotation,
)
from verify import Claim, Domain, Networks, Q, Source, derived, interval, networks, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eq, le, lifted, norm2, schatten_power, stack

product, factors, from_matrix = lifted(end_to_end), lifted(balanced_factors), lifted(networks.from_matrix)


def cost_of_a_product(f, p=2):
    L = f.depth
    return le(L * schatten_power(product(f), Q(p, L)), f.weight_norm_squared)


def last_layer_is_free(f):
    L = f.depth
    return le(L * schatten_power(product(f), Q(2, L)), f.weight_norm_squared - norm2(f.weights[-1]))


def every_layer_pays(f):
    return le(schatten_power(product(f), Q(2, f.depth)), stack([norm2(W) for W in f.weights]))


def matrix(U, q, V, H):
    """The matrix with the singular values q^L; H holds the frames of the L - 1 hidden layers."""
    r = len(q)
    return (U[:, :r] * q ** (len(H) + 1)) @ V[:, :r].T


def balanced_cost(U, q, V, H, p=2):
    A, L = matrix(U, q, V, H), len(H) + 1
    f, g, cost = factors(U, q, V, H), from_matrix(A, L), L * schatten_power(A, Q(p, L))
    return (
        eq(product(f), A, name="product from the frames")
        & eq(f.weight_norm_squared, cost, name="cost from the frames")
        & eq(product(g), A, name="product from the matrix")
        & eq(g.weight_norm_squared, cost, name="cost from the matrix")
    )


def one_layer_is_counted(U, q, V, H):
    return eq(factors(U, q, V, H).weight_norm_squared, schatten_power(matrix(U, q, V, H), Q(2, len(H) + 1)))


def rational(L, *roots):
    return {"f": rational_factors(L, *roots)["network"]}


def one_layer():
    return {"f": FullyConnected([rationals([[1, 2], [3, 4]])], activation=networks.identity())}


def rounded(L):
    """Factors of a float matrix of rank one: the other singular values of their product are rounding errors."""
    return {"f": from_matrix(np.outer([0.1, 0.2, 0.3], [0.7, 0.5, 0.3]), L)}


def three_values(depth, width):
    """Layers diag(2, 1, 1/2), in space: balanced, with three singular values that differ."""
    layer = np.array([[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, Q(1, 2), 0], [0, 0, 0, 0]], dtype=object)
    widths = [3, *[width] * (depth - 1), 3]
    return {"f": FullyConnected([layer[:m, :n] for n, m in pairwise(widths)], activation=networks.identity())}


def frame(dimension, *layers):
    return derived(lifted(rotation), chart=reals(*layers, plane_rotations(dimension)))


FACTORS = Networks(slope=1, biases=False)
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
SOURCE = Source("notion_of_rank", "Representation cost, linear networks")

CLAIM = Claim(
    id="notion_of_rank.linear_networks",
    title="The Schatten quasi-norm bounds the cost of matrix factorisations",
    source=SOURCE,
    statement=cost_of_a_product,
    domain=Domain({"f": FACTORS}, SIZES),
    tight={
        "depth 1": one_layer,
        "depth 2": partial(rational, 2, 3, 2, "1/2"),
        "depth 6": partial(rational, 6, "5/3", 1, "1/2"),
        "equal singular values": partial(rational, 3, 2, 2, 2),
        "rank 1": partial(rational, 4, 2, 0, 0),
        "zero matrix": partial(rational, 3, 0, 0, 0),
        "rounding errors at depth 50": partial(rounded, 50),
    },
    false_variants={
        "exponent 19/10": {"p": Q("19/10")},
        "exponent 1": {"p": 1},
        "the last layer is free": last_layer_is_free,
        "every layer pays its share": every_layer_pays,
    },
    examples=[three_values(depth, width) for depth in SIZES["depth"][1:] for width in (3, 4)],
)

ATTAINED = Claim(
    id="notion_of_rank.linear_networks.attained",
    title="Balanced factors cost the least",
    source=SOURCE,
    statement=balanced_cost,
    domain=Domain(
        {
            "U": frame("outputs"),
            "q": interval(0, np.inf, "rank"),
            "V": frame("inputs"),
            "H": frame("width", lambda sizes: sizes["depth"] - 1),
        },
        {**SIZES, "width": range(1, 4), "rank": range(1, 4)},
        # floats do not tell the singular values of a deep product of rank 2
        sizes_where=lambda sizes: sizes["rank"] <= min(sizes["inputs"], sizes["width"], sizes["outputs"], 20 // sizes["depth"]),
    ),
    false_variants={"one layer is counted": one_layer_is_counted, "exponent 19/10": {"p": Q("19/10")}},
)
