r"""Diagonal networks with tied weights: the l_p quasi-norm once.

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
Tight
    One vector of each pair of entries zero.
Source
    derived here, beside the representation cost of diagonal linear networks in notion_of_rank.
"""

import numpy as np

from theorems.notion_of_rank.constructions.diagonal import tied_vectors
from theorems.notion_of_rank.diagonal_networks.cost import OURS, SIZES, quasi_norm, signed_power
from verify import Claim, DerivedHere, Domain, Q, integers, interval, reals
from verify.words import eq, ge, lifted, norm2

tied = lifted(tied_vectors)


def cost_of_tied_weights(plus, minus, L, p=2, layers=1):
    return ge(norm2(plus) + norm2(minus), layers * quasi_norm(plus**L - minus**L, Q(p, L)))


def tied_attained(q, negative, L, p=2):
    v = signed_power(q, negative, L)
    plus, minus = tied(v, L)
    return eq(plus**L - minus**L, v, name="value") & eq(norm2(plus) + norm2(minus), quasi_norm(v, Q(p, L)), name="cost")


def one_vector_alone(q, negative, L):
    v = signed_power(q, negative, L)
    return eq(tied(v, L)[0] ** L, v)


TWO_LAYERS = "at least two layers"

TIED = Claim(
    id="notion_of_rank.diagonal_networks.tied",
    title="The l_p quasi-norm of a vector bounds the cost of tied weights",
    source=OURS,
    status=DerivedHere(),
    statement=cost_of_tied_weights,
    domain=Domain({"plus": reals("d"), "minus": reals("d")}, SIZES, {TWO_LAYERS: lambda L: L >= 2}),
    needs=(TWO_LAYERS,),
    tight={
        "depth 2": {"plus": [3, 0], "minus": [0, "1/2"], "L": 2},
        "depth 5": {"plus": ["-2/3", 0, 0], "minus": [0, 7, 0], "L": 5},
    },
    false_variants={"exponent 19/10": {"p": Q("19/10")}, "counted in two layers": {"layers": 2}},
)

TIED_ATTAINED = Claim(
    id="notion_of_rank.diagonal_networks.tied_attained",
    title="Signed roots are the cheapest tied weights",
    source=OURS,
    status=DerivedHere(),
    statement=tied_attained,
    domain=Domain({"q": interval(0, np.inf, "d"), "negative": integers(0, 1, "d")}, SIZES),
    false_variants={"exponent 19/10": {"p": Q("19/10")}, "one vector alone": one_vector_alone},
)
