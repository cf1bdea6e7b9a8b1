r"""Diagonal linear networks: L times an l_p quasi-norm, p = 2 / L.

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
Tight
    Equal absolute values in all layers; for the balance two layers, and a third in between.
Source
    notion_of_rank, representation cost of diagonal linear networks (Gunasekar et al. 2018); the balance is derived here.
"""

from itertools import combinations

import numpy as np

from theorems.notion_of_rank.constructions import diagonal
from theorems.shared.balanced import end_to_end
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, integers, interval, reals
from verify.words import absolute, eq, le, lifted, norm2, power, stack

quasi_norm, layers = lifted(diagonal.quasi_norm), lifted(diagonal.balanced_layers)
network, product = lifted(diagonal.diagonal_network), lifted(end_to_end)


def cost_of_layers(u, p=2):
    L = len(u)
    return le(L * quasi_norm(u.prod(axis=0), Q(p, L)), norm2(u))


def last_layer_is_free(u):
    L = len(u)
    return le(L * quasi_norm(u.prod(axis=0), Q(2, L)), norm2(u[:-1]))


def every_layer_pays(u):
    return le(quasi_norm(u.prod(axis=0), Q(2, len(u))), (u**2).sum(axis=1))


def signed_power(q, negative, L):
    """The vector of the entries q^L, negative where so told."""
    return q**L * (1 - 2 * negative)


def attained(q, negative, L, p=2):
    v = signed_power(q, negative, L)
    f = network(layers(v, L))
    return eq(product(f)[0], v, name="matrix") & eq(sum(map(norm2, f.weights[:-1])), L * quasi_norm(v, Q(p, L)), name="cost")


def that_of_a_full_network(q, negative, L):
    v = signed_power(q, negative, L)
    return eq(norm2(layers(v, L)), L * power(norm2(v), Q(1, L)))


def without_the_sign(q, negative, L):
    v = signed_power(q, negative, L)
    return eq(product(network(layers(absolute(v), L)))[0], v)


def surplus(u):
    """What the norm exceeds the minimum by."""
    L = len(u)
    return norm2(u) - L * quasi_norm(u.prod(axis=0), Q(2, L))


def imbalance(u):
    return le(stack([norm2(first - second) for first, second in combinations(absolute(u), 2)]), surplus(u))


def with_signs(u):
    return le(norm2(u[0] - u[1]), surplus(u))


def two_gaps(u):
    sizes = absolute(u)
    return le(norm2(sizes[0] - sizes[-1]) + norm2(sizes[1] - sizes[-2]), surplus(u))


SOURCE = Source("notion_of_rank", "Representation cost, diagonal linear networks")
OURS = Source("notion_of_rank", "derived here")
SIZES = {"L": (1, 2, 3, 4, 6, 14), "d": range(1, 4)}

CLAIM = Claim(
    id="notion_of_rank.diagonal_networks",
    title="The l_p quasi-norm bounds the cost of diagonal factorisations",
    source=SOURCE,
    statement=cost_of_layers,
    domain=Domain({"u": reals("L", "d")}, SIZES),
    tight={
        "depth 1": {"u": [[1, "-2/3"]]},
        "depth 2": {"u": [[3, "1/2", 0], [-3, "1/2", 0]]},
        "depth 4": {"u": [["3/2", -5], ["-3/2", 5], ["3/2", 5], ["3/2", 5]]},
        "depth 14": {"u": [["3/2", -5, 0], *[["3/2", 5, 0]] * 13]},
    },
    false_variants={
        "exponent 19/10": {"p": Q("19/10")},
        "exponent 3": {"p": 3},
        "the last layer is free": last_layer_is_free,
        "every layer pays its share": every_layer_pays,
    },
)

ATTAINED = Claim(
    id="notion_of_rank.diagonal_networks.attained",
    title="Equal absolute values in all layers cost the least",
    source=SOURCE,
    statement=attained,
    domain=Domain({"q": interval(0, np.inf, "d"), "negative": integers(0, 1, "d")}, SIZES),
    false_variants={
        "exponent 19/10": {"p": Q("19/10")},
        "that of a fully connected network": that_of_a_full_network,
        "without the sign": without_the_sign,
    },
)

BALANCED = Claim(
    id="notion_of_rank.diagonal_networks.balanced",
    title="Only equal absolute values cost the least",
    source=OURS,
    status=DerivedHere(),
    statement=imbalance,
    domain=Domain({"u": reals("L", "d")}, {**SIZES, "L": (2, 3, 4, 6, 14)}),
    tight={
        "depth 2": {"u": [[3, "1/2"], [-1, 4]]},
        "depth 3, the third in between": Tight(lambda: {"u": [[1], [4], [2]]}, partly=True),
    },
    false_variants={"with signs": with_signs, "two gaps together": two_gaps},
)
