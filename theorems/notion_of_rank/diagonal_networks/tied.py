r"""Diagonal networks with tied weights: a vector costs its l_p quasi-norm once, not once for each layer.

Statement
    For L >= 2 and two vectors that all layers share,

    .. math:: v = u_+^L - u_-^L \text{ (entrywise)} \quad\Rightarrow\quad
              \|u_+\|^2 + \|u_-\|^2 \ge \sum_i |v_i|^{2/L} ,

    with equality if one of the two entries is zero and the other has the sign of :math:`v_i` (``.tied_attained``). One vector
    alone, :math:`v = u^L`, has no negative entries for even L. At L = 1 the bound is false: there the minimum is
    :math:`\|v\|^2/2`.
Checked
    The bound for all vectors, and value and cost of the cheapest ones.
Proof idea
    :math:`|p^L - n^L| \le (p^2 + n^2)^{L/2}`.
Sharp
    One vector of each pair of entries zero.
Source
    ours, beside the representation cost of diagonal linear networks in notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.diagonal import quasi_norm, tied_vectors
from theorems.notion_of_rank.diagonal_networks.cost import DEPTHS, OURS, WIDTHS, signed_powers
from verify import Claim, Domain, Ours, Q, Relation, Tight, eq, ge, integers, interval, reals
from verify.arithmetic import Array, rationals


def cost_of_tied_weights(plus: Array, minus: Array, depth: Depth, exponent: Fraction | int = 2) -> Relation:
    """The lower bound for two vectors that all layers share."""
    least = quasi_norm(plus**depth.depth - minus**depth.depth, Fraction(exponent, depth.depth))
    return ge((plus * plus + minus * minus).sum(axis=-1), least)


def tied_attained(roots: Array, signs: Array, depth: Depth, exponent: Fraction | int = 2) -> Relation:
    """Value and cost of `tied_vectors`."""
    vector = signed_powers(roots, signs, depth)
    plus, minus = tied_vectors(vector, depth.depth)
    value = eq(plus**depth.depth - minus**depth.depth, vector, name="value", over=1)
    stated = quasi_norm(vector, Fraction(exponent, depth.depth))
    return value & eq((plus * plus + minus * minus).sum(axis=-1), stated, name="cost")


def has_two_layers(depth: Depth) -> bool:
    """Whether the depth is at least 2."""
    return depth.depth >= 2


# False variants


def counted_in_two_layers(plus: Array, minus: Array, depth: Depth) -> Relation:
    """The bound as if two layers had weights of their own."""
    least = 2 * quasi_norm(plus**depth.depth - minus**depth.depth, Fraction(2, depth.depth))
    return ge((plus * plus + minus * minus).sum(axis=-1), least)


def one_vector_alone(roots: Array, signs: Array, depth: Depth) -> Relation:
    """The value of the first vector alone."""
    vector = signed_powers(roots, signs, depth)
    plus, _ = tied_vectors(vector, depth.depth)
    return eq(plus**depth.depth, vector, over=1)


def tied(depth: int, plus: list[object], minus: list[object]) -> dict[str, object]:
    """Two vectors and the depth."""
    return {"plus": rationals(plus), "minus": rationals(minus), "depth": Depth(depth)}


TIED = Claim(
    id="notion_of_rank.diagonal_networks.tied",
    title="The l_p quasi-norm of a vector bounds the cost of tied weights",
    source=OURS,
    status=Ours(),
    statement=cost_of_tied_weights,
    domain=Domain(
        {"plus": reals("width"), "minus": reals("width"), "depth": GIVEN_DEPTH},
        {"depth": DEPTHS, "width": WIDTHS},
        {"at least two layers": has_two_layers},
    ),
    needs=("at least two layers",),
    tight={
        "depth 2": Tight(partial(tied, 2, [3, 0], [0, "1/2"])),
        "depth 5": Tight(partial(tied, 5, ["-2/3", 0, 0], [0, 7, 0])),
    },
    false_neighbours={
        "exponent 19/10": partial(cost_of_tied_weights, exponent=Q("19/10")),
        "counted in two layers": counted_in_two_layers,
    },
)

TIED_ATTAINED = Claim(
    id="notion_of_rank.diagonal_networks.tied_attained",
    title="Signed roots are the cheapest tied weights",
    source=OURS,
    status=Ours(),
    statement=tied_attained,
    domain=Domain(
        {"roots": interval(0, np.inf, "width"), "signs": integers(0, 1, "width"), "depth": GIVEN_DEPTH},
        {"depth": DEPTHS, "width": WIDTHS},
    ),
    false_neighbours={
        "exponent 19/10": partial(tied_attained, exponent=Q("19/10")),
        "one vector alone": one_vector_alone,
    },
)
