r"""Diagonal linear networks of depth L: the representation cost of a vector is an l_p quasi-norm, p = 2 / L.

The function :math:`x \mapsto \langle v, x \rangle` is written with L vectors as
:math:`\langle u_1 \odot \dots \odot u_L, x\rangle`: a linear network with the diagonal matrices :math:`\mathrm{diag}(u_\ell)`
and a readout of ones that is not counted. (The slides name the vector and the argument the other way round.) Then

.. math:: \min\Bigl\{\sum_{\ell=1}^L \|u_\ell\|^2 : u_1 \odot \dots \odot u_L = v\Bigr\} = L \sum_i |v_i|^{2/L} .

What is checked:

- the lower bound for all vectors :math:`u_\ell`;
- that :math:`|v_i|^{1/L}` in every layer, with the sign in the first one, attains it (``.attained``), as a network: product,
  values and norm. At L = 2 the cost is :math:`2\|v\|_1`;
- that only such vectors do: for any two layers :math:`\sum_i (|u_{\ell,i}| - |u_{m,i}|)^2` is at most what the norm exceeds the
  minimum by (``.balanced``).

The model with *tied* weights is another one: :math:`v = u_+^L - u_-^L` entrywise costs
:math:`\|u_+\|^2 + \|u_-\|^2 \ge \sum_i |v_i|^{2/L}` for L >= 2, without the factor L (``.tied``), with equality if one of the
two entries is zero and the other has the sign of :math:`v_i` (``.tied_attained``). One vector alone, :math:`v = u^L`, has no
negative entries for even L. At L = 1 the bound for tied weights is false: there the minimum is :math:`\|v\|^2/2`.

Idea of the proof: the inequality of means for each entry; exchanging two of its factors for their geometric mean saves
:math:`(|u_{\ell,i}| - |u_{m,i}|)^2`. For tied weights :math:`|p^L - n^L| \le (p^2 + n^2)^{L/2}`.

Source: notion_of_rank, representation cost of diagonal linear networks (Gunasekar et al. 2018); tied weights and balance are
ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np

from theorems.notion_of_rank.given_depth import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, absolute, compare, power, rationals
from verify.networks import FullyConnected, identity


def product_of_layers(factors: Array) -> Array:
    """The Hadamard product of all layers, shape ``(..., L, d) -> (..., d)``."""
    product = factors[..., 0, :]
    for layer in range(1, factors.shape[-2]):
        product = product * factors[..., layer, :]
    return product


def quasi_norm(vector: Array, exponent: Fraction) -> Array:
    r""":math:`\|v\|_p^p = \sum_i |v_i|^p`, shape ``(..., d) -> (...)``; zeros count nothing."""
    # of the square, so that absolute values stay rational
    return np.asarray(power(vector * vector, exponent / 2).sum(axis=-1))


def balanced_layers(vector: Array, depth: int) -> Array:
    r"""The cheapest layers, shape ``(..., d) -> (..., L, d)``: :math:`|v_i|^{1/L}`, in the first one with the sign of v.

    Raises
    ------
    ValueError
        `depth` is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    roots = power(absolute(vector), Fraction(1, depth))
    first = np.where(compare(vector, 0) < 0, -roots, roots)
    return np.stack([first, *[roots] * (depth - 1)], axis=-2)


def diagonal_network(factors: Array) -> FullyConnected:
    """The linear network with these diagonals and a readout of ones: depth L + 1, of which the last layer is not counted."""
    depth, width = factors.shape[-2:]
    unit = np.eye(width, dtype=int)
    weights = [factors[..., layer, :, None] * unit for layer in range(depth)]
    return FullyConnected([*weights, 0 * factors[..., :1, :] + 1], activation=identity())


def cost_of_layers(factors: Array, basis_points: int = 10_000, exponent: int = 2, last: bool = True) -> Relation:
    """The lower bound for one choice of layers; the constant is given in units of 1/10000."""
    depth = factors.shape[-2]
    paid = (factors * factors).sum(axis=(-2, -1)) - (0 if last else (factors[..., -1, :] ** 2).sum(axis=-1))
    least = depth * quasi_norm(product_of_layers(factors), Fraction(exponent, depth))
    return le(least * basis_points / 10_000, paid)


def every_layer_pays(factors: Array) -> Relation:
    """What the inequality of means does not say: that each single layer has its share of the cost."""
    depth = factors.shape[-2]
    share = quasi_norm(product_of_layers(factors), Fraction(2, depth))
    return le(share[..., None], (factors * factors).sum(axis=-1), over=1)


def attained(
    roots: Array, signs: Array, x: Array, depth: Depth, factor: int | None = None, euclidean: bool = False, signed: bool = True
) -> Relation:
    """Value and cost of the cheapest layers of the vector whose entries are powers of `roots`, with signs."""
    layers = depth.depth
    vector = roots**layers * (1 - 2 * signs)
    network = diagonal_network(balanced_layers(vector if signed else absolute(vector), layers))
    if euclidean:
        stated = layers * power((vector * vector).sum(axis=-1), Fraction(1, layers))
    else:
        stated = (layers if factor is None else factor) * quasi_norm(vector, Fraction(2, layers))
    paid = network.weight_norm_squared - vector.shape[-1]
    size = absolute(vector * x).sum(axis=-1)
    return eq(network(x)[..., 0], (vector * x).sum(axis=-1), scale=size) & eq(paid, stated, scale=network.weight_norm_squared)


def imbalance(factors: Array, basis_points: int = 10_000, signed: bool = False) -> Relation:
    """How far two layers are apart, by what the norm exceeds the minimum by."""
    depth, paid = factors.shape[-2], (factors * factors).sum(axis=(-2, -1))
    surplus = paid - depth * quasi_norm(product_of_layers(factors), Fraction(2, depth))
    sizes, relation = factors if signed else absolute(factors), Relation(())
    for one, other in combinations(range(depth), 2):
        gap = ((sizes[..., one, :] - sizes[..., other, :]) ** 2).sum(axis=-1)
        relation &= le(gap * basis_points / 10_000, surplus, scale=paid)
    return relation


def cost_of_tied_weights(
    plus: Array, minus: Array, depth: Depth, basis_points: int = 10_000, exponent: int = 2, factor: int = 1
) -> Relation:
    """The lower bound for two vectors that all layers share."""
    least = factor * quasi_norm(plus**depth.depth - minus**depth.depth, Fraction(exponent, depth.depth))
    return ge((plus * plus + minus * minus).sum(axis=-1), least * basis_points / 10_000)


def tied_vectors(vector: Array, depth: int) -> tuple[Array, Array]:
    r"""Vectors with :math:`u_+^L - u_-^L = v` of the squared norm :math:`\sum_i|v_i|^{2/L}`, shape ``(..., d)``.

    Raises
    ------
    ValueError
        `depth` is below 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, got {depth}")
    roots = power(absolute(vector), Fraction(1, depth))
    order = compare(vector, 0)
    return np.where(order > 0, roots, 0 * roots), np.where(order < 0, roots, 0 * roots)


def tied_attained(roots: Array, signs: Array, depth: Depth, both: bool = True, factor: int = 1) -> Relation:
    """Value and cost of `tied_vectors`; false neighbours do without the second one, or count it once in every layer."""
    layers = depth.depth
    vector = roots**layers * (1 - 2 * signs)
    plus, minus = tied_vectors(vector, layers)
    found = plus**layers - minus**layers if both else plus**layers
    paid = (plus * plus + minus * minus).sum(axis=-1)
    stated = factor * quasi_norm(vector, Fraction(2, layers))
    return eq(found, vector, over=1) & eq(paid, stated)


def has_two_layers(depth: Depth) -> bool:
    """Whether the depth is at least 2."""
    return depth.depth >= 2


def layers_of(*rows: list[object]) -> dict[str, Array]:
    """Vectors, one for each layer."""
    return {"factors": rationals(rows)}


def tied(depth: int, plus: list[object], minus: list[object]) -> dict[str, object]:
    """Two vectors and the depth."""
    return {"plus": rationals(plus), "minus": rationals(minus), "depth": Depth(depth)}


SOURCE = Source("notion_of_rank", "Representation cost, diagonal linear networks")
OURS = Source("notion_of_rank", "ours")
LAYERS = Domain({"factors": reals("depth", "width")}, {"depth": range(1, 6), "width": range(1, 3)})
POWERS = {"roots": interval(0, np.inf, "width"), "signs": integers(0, 1, "width"), "depth": GIVEN_DEPTH}

CLAIM = Claim(
    id="notion_of_rank.diagonal_networks",
    title="Cost of a diagonal factorisation of a vector",
    source=SOURCE,
    statement=cost_of_layers,
    domain=LAYERS,
    tight={
        "depth 1": Tight(partial(layers_of, [1, "-2/3"])),
        "depth 2": Tight(partial(layers_of, [3, "1/2", 0], [-3, "1/2", 0])),
        "depth 4": Tight(partial(layers_of, ["3/2", -5], ["-3/2", 5], ["3/2", 5], ["3/2", 5])),
    },
    false_neighbours={
        "constant 1.01": partial(cost_of_layers, basis_points=10_100),
        "constant 1.0001": partial(cost_of_layers, basis_points=10_001),
        "exponent 1/L": partial(cost_of_layers, exponent=1),
        "exponent 3/L": partial(cost_of_layers, exponent=3),
        "last layer not counted": partial(cost_of_layers, last=False),
        "every layer pays its share": every_layer_pays,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.diagonal_networks.attained",
    title="Equal absolute values in all layers cost the least",
    source=SOURCE,
    statement=attained,
    domain=Domain({**POWERS, "x": reals("width")}, {"depth": range(1, 6), "width": range(1, 3)}),
    false_neighbours={
        "without the factor L": partial(attained, factor=1),
        "the l1 norm": partial(attained, factor=2),
        "that of a fully connected network": partial(attained, euclidean=True),
        "without the sign": partial(attained, signed=False),
    },
)

BALANCED = Claim(
    id="notion_of_rank.diagonal_networks.balanced",
    title="Only equal absolute values cost the least",
    source=OURS,
    status=Ours(),
    statement=imbalance,
    domain=Domain(LAYERS.variables, {"depth": range(2, 6), "width": range(1, 3)}),
    tight={
        "depth 2": Tight(partial(layers_of, [3, "1/2"], [-1, 4])),
        "depth 3, the third in between": Tight(partial(layers_of, [1], [4], [2])),
    },
    false_neighbours={
        "constant 1.01": partial(imbalance, basis_points=10_100),
        "constant 1.0001": partial(imbalance, basis_points=10_001),
        "with signs": partial(imbalance, signed=True),
    },
)

TIED = Claim(
    id="notion_of_rank.diagonal_networks.tied",
    title="Cost of a vector with tied weights",
    source=OURS,
    status=Ours(),
    statement=cost_of_tied_weights,
    domain=Domain(
        {"plus": reals("width"), "minus": reals("width"), "depth": GIVEN_DEPTH},
        {"depth": range(1, 7), "width": range(1, 3)},
        {"at least two layers": has_two_layers},
    ),
    needs=("at least two layers",),
    tight={
        "depth 2": Tight(partial(tied, 2, [3, 0], [0, "1/2"])),
        "depth 5": Tight(partial(tied, 5, ["-2/3", 0, 0], [0, 7, 0])),
    },
    false_neighbours={
        "constant 1.0001": partial(cost_of_tied_weights, basis_points=10_001),
        "exponent 1/L": partial(cost_of_tied_weights, exponent=1),
        "counted in two layers": partial(cost_of_tied_weights, factor=2),
    },
)

TIED_ATTAINED = Claim(
    id="notion_of_rank.diagonal_networks.tied_attained",
    title="The cheapest tied weights",
    source=OURS,
    status=Ours(),
    statement=tied_attained,
    domain=Domain(POWERS, {"depth": range(1, 7), "width": range(1, 3)}),
    false_neighbours={
        "one vector alone": partial(tied_attained, both=False),
        "counted in two layers": partial(tied_attained, factor=2),
    },
)
