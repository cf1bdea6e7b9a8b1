r"""Linear networks: only balanced factors cost the least, and a narrow product misses a part of the matrix.

Statement
    Let :math:`\delta = \sum_\ell \|W_\ell\|_F^2 - L \sum_i s_i(W_L \cdots W_1)^{2/L}` be what a factorisation costs beyond the
    minimum. Two neighbouring layers are nearly balanced:

    .. math:: \|W_\ell W_\ell^T - W_{\ell+1}^T W_{\ell+1}\|_*^2
              \le \delta \, (\|W_\ell\|_F^2 + \|W_{\ell+1}\|_F^2 + 2 \|W_{\ell+1} W_\ell\|_*) .

    A product through n neurons misses the smaller singular values (``.width``):

    .. math:: \|A - W_L \cdots W_1\|_F^2 \ge \sum_{i > n} s_i(A)^2 .
Checked
    Both as they stand, for every factorisation. So at the least cost :math:`W_\ell W_\ell^T = W_{\ell+1}^T W_{\ell+1}`, and a
    hidden width of at least the rank of A is needed. The converse, that balanced networks cost the least, is ``cost``.
Proof idea
    To exchange two neighbours for balanced factors of their product saves
    :math:`\|W_\ell\|_F^2 + \|W_{\ell+1}\|_F^2 - 2 \|W_{\ell+1} W_\ell\|_* \le \delta`. With columns of zeros and an
    orthogonal O for which :math:`\mathrm{Tr}[W_\ell^T W_{\ell+1}^T O] = \|W_{\ell+1} W_\ell\|_*`, the difference of the
    Grams is the symmetric part of :math:`(W_\ell - W_{\ell+1}^T O)(W_\ell + W_{\ell+1}^T O)^T`. The second is the theorem
    of Eckart and Young.
Sharp
    Two neurons, and a third in balance with their product; the truncation of the singular values 8, 1, 1/8 to one.
Source
    ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.balanced import balanced_factors, end_to_end, rational_factors, rotation
from theorems.notion_of_rank.linear_networks.cost import FACTORS, least_cost
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, ge, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import frobenius_norm_squared, nuclear_norm, singular_values
from verify.networks import FullyConnected, identity


def imbalance(network: FullyConnected, cross: Q | int = 2) -> Relation:
    """How far from balanced two neighbouring layers can be; arranged such that no side is a small difference."""
    least, shares = least_cost(end_to_end(network), network.depth), []
    for before, after in pairwise(network.weights):
        gap = nuclear_norm(before @ transpose(before) - transpose(after) @ after)
        sizes = frobenius_norm_squared(before) + frobenius_norm_squared(after)
        # two layers of zeros are balanced
        present = np.where(compare(sizes, 0) > 0, sizes, 0 * sizes + 1)
        shares.append(np.asarray(gap**2 / (present + cross * nuclear_norm(after @ before))))
    paid = np.asarray(network.weight_norm_squared)
    return le(np.asarray(least)[..., None] + np.stack(shares, axis=-1), paid[..., None], over=1)


def missed_by_a_narrow_product(network: FullyConnected, rest: Array) -> Relation:
    """The matrix is the product plus `rest`, and `rest` is at least what the singular values beyond the width amount to."""
    squares = singular_values(end_to_end(network) + rest) ** 2
    return ge(frobenius_norm_squared(rest), squares[..., min(network.widths[1:-1]) :].sum(axis=-1))


# False variants


def one_neuron_less(network: FullyConnected, rest: Array) -> Relation:
    """The bound with one more singular value: what a product through one neuron less would miss."""
    squares = singular_values(end_to_end(network) + rest) ** 2
    return ge(frobenius_norm_squared(rest), squares[..., min(network.widths[1:-1]) - 1 :].sum(axis=-1))


def square_of_the_sum(network: FullyConnected, rest: Array) -> Relation:
    """The bound with the square of the sum of the missed singular values."""
    values = singular_values(end_to_end(network) + rest)
    return ge(frobenius_norm_squared(rest), values[..., min(network.widths[1:-1]) :].sum(axis=-1) ** 2)


# Sharp instances


def scalar_chain(*weights: int) -> dict[str, FullyConnected]:
    """A network of one neuron in every layer."""
    return {"network": FullyConnected([rationals([[weight]]) for weight in weights], activation=identity())}


def truncation() -> dict[str, Any]:
    """A rotated diagonal matrix and the product that keeps the largest of its singular values 8, 1 and 1/8."""
    frames = rotation(rationals([["1/2", 1, "-1/3"], [0, "1/3", 1]]))
    rest = (frames[-1][:, 1:] * rationals([1, "1/8"])) @ transpose(frames[0][:, 1:])
    return {"network": balanced_factors(frames[-1], rationals([2]), frames[0], rationals([[[1]], [[1]]])), "rest": rest}


OURS = Source("notion_of_rank", "ours")

BALANCED = Claim(
    id="notion_of_rank.linear_networks.balanced",
    title="Only balanced factors cost the least",
    source=OURS,
    status=Ours(),
    statement=imbalance,
    domain=Domain(
        {"network": FACTORS}, {"depth": (2, 3, 4, 6), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
    ),
    tight={
        "two neurons": Tight(partial(scalar_chain, 1, 3)),
        "balanced": Tight(partial(rational_factors, 3, 2, 1, "1/2")),
    },
    false_neighbours={
        "nuclear norm 19/10 times": partial(imbalance, cross=Q("19/10")),
        "nuclear norm once": partial(imbalance, cross=1),
    },
)

WIDTH = Claim(
    id="notion_of_rank.linear_networks.width",
    title="A product through n neurons misses the singular values beyond n",
    source=OURS,
    status=Ours(),
    statement=missed_by_a_narrow_product,
    domain=Domain(
        {"network": FACTORS, "rest": reals("outputs", "inputs")},
        {"depth": (2, 3, 5), "inputs": range(2, 5), "width": range(1, 4), "outputs": range(2, 5)},
        sizes_where=lambda sizes: sizes["width"] < min(sizes["inputs"], sizes["outputs"]),
    ),
    tight={"truncated singular values": Tight(truncation)},
    false_neighbours={
        "one neuron less would do": one_neuron_less,
        "the square of their sum": square_of_the_sum,
    },
)
