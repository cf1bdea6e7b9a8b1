r"""Linear networks of depth L: only balanced factors cost the least, and a narrow product misses a part of the matrix.

Two companions of ``linear_networks``. With the excess :math:`\delta = \sum_\ell \|W_\ell\|_F^2 - L \sum_i s_i(W_L \cdots
W_1)^{2/L}` of the cost of a factorisation over the minimum, two neighbouring layers cannot be far from balanced:

.. math:: \|W_\ell W_\ell^T - W_{\ell+1}^T W_{\ell+1}\|_*^2
          \le \delta \, (\|W_\ell\|_F^2 + \|W_{\ell+1}\|_F^2 + 2 \|W_{\ell+1} W_\ell\|_*) ,

so that at equality in the lower bound :math:`W_\ell W_\ell^T = W_{\ell+1}^T W_{\ell+1}` for every l. (Conversely, every
balanced network consists of the factors for which ``linear_networks.attained`` checks equality.)

A hidden width of at least the rank of A is needed: a product through n neurons misses

.. math:: \|A - W_L \cdots W_1\|_F^2 \ge \sum_{i > n} s_i(A)^2 .

Both are checked as they stand, for every factorisation. Idea of the proofs: exchanging two neighbours for balanced factors of
their product saves :math:`\|W_\ell\|_F^2 + \|W_{\ell+1}\|_F^2 - 2 \|W_{\ell+1} W_\ell\|_* \le \delta`; with columns of
zeros and an orthogonal O for which :math:`\mathrm{Tr}[W_\ell^T W_{\ell+1}^T O] = \|W_{\ell+1} W_\ell\|_*`, the difference of
the Grams is the symmetric part of :math:`(W_\ell - W_{\ell+1}^T O)(W_\ell + W_{\ell+1}^T O)^T`.
The second is the theorem of Eckart and Young.

Source: ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from theorems.notion_of_rank.linear_networks import (
    FACTORS,
    SIZES,
    balanced_factors,
    end_to_end,
    rational_factors,
    rotation,
    rounding_of_schatten_power,
    transpose,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, ge, le, reals
from verify.arithmetic import Array, floats, rationals
from verify.matrices import frobenius_norm_squared, nuclear_norm, schatten_power, singular_values
from verify.networks import FullyConnected, identity


def imbalance(network: FullyConnected, basis_points: int = 10_000, nuclear: int = 2) -> Relation:
    """How far from balanced two neighbouring layers can be, by the excess of the cost over the minimum."""
    product, power = end_to_end(network), Fraction(2, network.depth)
    cost = network.weight_norm_squared
    excess = cost - network.depth * schatten_power(product, power)
    noise = 2 * network.depth * rounding_of_schatten_power(product, power) * floats(cost)
    relation = Relation(())
    for before, after in pairwise(network.weights):
        gap = nuclear_norm(before @ transpose(before) - transpose(after) @ after)
        pair = frobenius_norm_squared(before) + frobenius_norm_squared(after) + nuclear * nuclear_norm(after @ before)
        relation &= le(gap**2, excess * pair * basis_points / 10_000, scale=cost**2, noise=noise)
    return relation


def missed_by_a_narrow_product(network: FullyConnected, rest: Array, offset: int = 0, basis_points: int = 10_000) -> Relation:
    """The matrix is the product plus `rest`, and `rest` is at least what the singular values beyond the width amount to."""
    width = min(network.widths[1:-1])
    squares = singular_values(end_to_end(network) + rest) ** 2
    tail = squares[..., width + offset :].sum(axis=-1) * basis_points / 10_000
    return ge(frobenius_norm_squared(rest), tail, scale=squares.sum(axis=-1))


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
    domain=Domain({"network": FACTORS}, SIZES),
    tight={
        "two neurons": Tight(partial(scalar_chain, 1, 3)),
        "the third neuron in balance": Tight(partial(scalar_chain, 1, 4, 2)),
        "balanced": Tight(partial(rational_factors, 3, 2, 1, "1/2")),
    },
    false_neighbours={
        "constant 0.99": partial(imbalance, basis_points=9_900),
        "constant 0.9999": partial(imbalance, basis_points=9_999),
        "without the nuclear norm": partial(imbalance, nuclear=0),
        "nuclear norm once": partial(imbalance, nuclear=1),
    },
)

WIDTH = Claim(
    id="notion_of_rank.linear_networks.width",
    title="What a narrow product misses",
    source=OURS,
    status=Ours(),
    statement=missed_by_a_narrow_product,
    domain=Domain(
        {"network": FACTORS, "rest": reals("outputs", "inputs")},
        {"depth": range(2, 4), "inputs": range(2, 4), "width": range(1, 3), "outputs": range(2, 4)},
        sizes_where=lambda sizes: sizes["width"] < min(sizes["inputs"], sizes["outputs"]),
    ),
    tight={"truncated singular values": Tight(truncation)},
    false_neighbours={
        "one neuron less would do": partial(missed_by_a_narrow_product, offset=-1),
        "constant 1.01": partial(missed_by_a_narrow_product, basis_points=10_100),
        "constant 1.0001": partial(missed_by_a_narrow_product, basis_points=10_001),
    },
)
