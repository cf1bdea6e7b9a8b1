r"""Diagonal linear networks: the representation cost of a vector is L times an l_p quasi-norm, p = 2 / L.

Statement
    The function :math:`x \mapsto \langle v, x \rangle` is written with L vectors as
    :math:`\langle u_1 \odot \dots \odot u_L, x\rangle`: a linear network with diagonal matrices and a readout of ones that is
    not counted. Then

    .. math:: \min\Bigl\{\sum_{\ell=1}^L \|u_\ell\|^2 : u_1 \odot \dots \odot u_L = v\Bigr\} = L \sum_i |v_i|^{2/L} .
Checked
    The lower bound for all vectors :math:`u_\ell`. That :math:`|v_i|^{1/L}` in every layer, with the sign in the first one,
    attains it (``.attained``), as a network: matrix and norm. That only such vectors do (``.balanced``): for any two layers
    :math:`\sum_i (|u_{\ell,i}| - |u_{m,i}|)^2` is at most what the norm exceeds the minimum by.
Proof idea
    The inequality of means for each entry. To exchange two of its factors for their geometric mean saves
    :math:`(|u_{\ell,i}| - |u_{m,i}|)^2`.
Sharp
    Equal absolute values in all layers; for the balance two layers, and a third in between.
Source
    notion_of_rank, representation cost of diagonal linear networks (Gunasekar et al. 2018); the balance is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np

from theorems.notion_of_rank.constructions.balanced import end_to_end
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.diagonal import balanced_layers, diagonal_network, product_of_layers, quasi_norm
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, eq, integers, interval, le, reals
from verify.arithmetic import Array, absolute, power, rationals
from verify.matrices import frobenius_norm_squared


def cost_of_layers(factors: Array, exponent: Fraction | int = 2) -> Relation:
    """The lower bound for one choice of layers, shape ``(..., L, d)``."""
    depth = factors.shape[-2]
    least = depth * quasi_norm(product_of_layers(factors), Fraction(exponent, depth))
    return le(least, (factors * factors).sum(axis=(-2, -1)))


def attained(roots: Array, signs: Array, depth: Depth, exponent: Fraction | int = 2) -> Relation:
    """Matrix and cost of the cheapest layers of the vector whose entries are powers of `roots`, with signs."""
    vector = signed_powers(roots, signs, depth)
    network = diagonal_network(balanced_layers(vector, depth.depth))
    stated = depth.depth * quasi_norm(vector, Fraction(exponent, depth.depth))
    return eq(end_to_end(network)[..., 0, :], vector, name="matrix", over=1) & eq(
        sum(map(frobenius_norm_squared, network.weights[:-1])), stated, name="cost"
    )


def signed_powers(roots: Array, signs: Array, depth: Depth) -> Array:
    """The vector of the L-th powers of `roots`, negative where `signs` is 1."""
    return np.asarray(roots**depth.depth * (1 - 2 * signs))


def imbalance(factors: Array) -> Relation:
    """How far two layers are apart, by what the norm exceeds the minimum by."""
    depth, sizes = factors.shape[-2], absolute(factors)
    surplus = (factors * factors).sum(axis=(-2, -1)) - depth * quasi_norm(product_of_layers(factors), Fraction(2, depth))
    gaps = [((sizes[..., one, :] - sizes[..., other, :]) ** 2).sum(axis=-1) for one, other in combinations(range(depth), 2)]
    return le(np.stack(gaps, axis=-1), np.asarray(surplus)[..., None], over=1)


# False variants


def last_layer_is_free(factors: Array) -> Relation:
    """The bound without the cost of the last layer."""
    depth = factors.shape[-2]
    least = depth * quasi_norm(product_of_layers(factors), Fraction(2, depth))
    return le(least, (factors[..., :-1, :] ** 2).sum(axis=(-2, -1)))


def every_layer_pays(factors: Array) -> Relation:
    """What the inequality of means does not say: that each single layer has its share of the cost."""
    share = quasi_norm(product_of_layers(factors), Fraction(2, factors.shape[-2]))
    return le(share[..., None], (factors * factors).sum(axis=-1), over=1)


def cost_of_a_full_network(roots: Array, signs: Array, depth: Depth) -> Relation:
    """The cost of the cheapest layers as a power of the Euclidean norm: that of a fully connected network."""
    vector = signed_powers(roots, signs, depth)
    paid = (balanced_layers(vector, depth.depth) ** 2).sum(axis=(-2, -1))
    return eq(paid, depth.depth * power((vector * vector).sum(axis=-1), Fraction(1, depth.depth)))


def matrix_without_signs(roots: Array, signs: Array, depth: Depth) -> Relation:
    """The matrix of layers that are positive."""
    vector = signed_powers(roots, signs, depth)
    network = diagonal_network(balanced_layers(absolute(vector), depth.depth))
    return eq(end_to_end(network)[..., 0, :], vector, over=1)


def imbalance_with_signs(factors: Array) -> Relation:
    """The same for the entries themselves instead of their absolute values."""
    depth = factors.shape[-2]
    surplus = (factors * factors).sum(axis=(-2, -1)) - depth * quasi_norm(product_of_layers(factors), Fraction(2, depth))
    return le(((factors[..., 0, :] - factors[..., 1, :]) ** 2).sum(axis=-1), surplus)


def twice_the_gap(factors: Array) -> Relation:
    """The gaps of the first and the last two layers together."""
    depth, sizes = factors.shape[-2], absolute(factors)
    surplus = (factors * factors).sum(axis=(-2, -1)) - depth * quasi_norm(product_of_layers(factors), Fraction(2, depth))
    ends = sizes[..., :2, :] - sizes[..., -2:, :][..., ::-1, :]
    return le((ends**2).sum(axis=(-2, -1)), surplus)


# Sharp instances


def layers_of(*rows: list[object]) -> dict[str, Array]:
    """Vectors, one for each layer."""
    return {"factors": rationals(rows)}


SOURCE = Source("notion_of_rank", "Representation cost, diagonal linear networks")
OURS = Source("notion_of_rank", "ours")
DEPTHS, WIDTHS = (1, 2, 3, 4, 6, 14), range(1, 4)

CLAIM = Claim(
    id="notion_of_rank.diagonal_networks",
    title="The l_p quasi-norm of a vector bounds the cost of its diagonal factorisations",
    source=SOURCE,
    statement=cost_of_layers,
    domain=Domain({"factors": reals("depth", "width")}, {"depth": DEPTHS, "width": WIDTHS}),
    tight={
        "depth 1": Tight(partial(layers_of, [1, "-2/3"])),
        "depth 2": Tight(partial(layers_of, [3, "1/2", 0], [-3, "1/2", 0])),
        "depth 4": Tight(partial(layers_of, ["3/2", -5], ["-3/2", 5], ["3/2", 5], ["3/2", 5])),
        "depth 14": Tight(partial(layers_of, ["3/2", -5, 0], *[["3/2", 5, 0]] * 13)),
    },
    false_neighbours={
        "exponent 19/10": partial(cost_of_layers, exponent=Q("19/10")),
        "exponent 3": partial(cost_of_layers, exponent=3),
        "the last layer is free": last_layer_is_free,
        "every layer pays its share": every_layer_pays,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.diagonal_networks.attained",
    title="Equal absolute values in all layers cost the least",
    source=SOURCE,
    statement=attained,
    domain=Domain(
        {
            "roots": interval(0, np.inf, "width"),
            "signs": integers(0, 1, "width"),
            "depth": GIVEN_DEPTH,
        },
        {"depth": DEPTHS, "width": WIDTHS},
    ),
    false_neighbours={
        "exponent 19/10": partial(attained, exponent=Q("19/10")),
        "that of a fully connected network": cost_of_a_full_network,
        "without the sign": matrix_without_signs,
    },
)

BALANCED = Claim(
    id="notion_of_rank.diagonal_networks.balanced",
    title="Only equal absolute values cost the least",
    source=OURS,
    status=Ours(),
    statement=imbalance,
    domain=Domain({"factors": reals("depth", "width")}, {"depth": (2, 3, 4, 6, 14), "width": WIDTHS}),
    tight={
        "depth 2": Tight(partial(layers_of, [3, "1/2"], [-1, 4])),
        "depth 3, the third in between": Tight(partial(layers_of, [1], [4], [2]), partly=True),
    },
    false_neighbours={
        "with signs": imbalance_with_signs,
        "two gaps together": twice_the_gap,
    },
)
