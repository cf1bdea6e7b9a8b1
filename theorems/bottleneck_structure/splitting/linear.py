r"""Splitting of linear networks: parts of least norm.

Statement
    For a network of least norm for f and every layer, :math:`R(f; L) = R(\tilde\alpha_\ell; \ell) + R(\sigma(\tilde\alpha_\ell)
    \to f; L - \ell)`, and the same with three parts. For any network of f, R(f) is at most the sum of the costs of its parts.
Checked
    The equality for two parts and for three, at every layer of a linear network of least norm. For any matrices M and N, as the
    parts of depths m and n of a network (``.parts``):

    .. math:: (m + n)\|NM\|_{2/(m+n)}^{2/(m+n)} \le m\|M\|_{2/m}^{2/m} + n\|N\|_{2/n}^{2/n} .

    The least norm is needed: the network with the weights 2 and 1/2 is the identity, which costs 2; its parts cost 4 and 1/4.
Proof idea
    Each part can be replaced by one that costs less with the same function.
Tight
    Powers of one matrix, in the proportion of the depths.
Source
    bottleneck_structure, Section 3.3; the inequality for matrices is derived here.
"""

from functools import partial

from theorems.bottleneck_structure.constructions.linear_networks import (
    LEAST,
    LINEAR,
    SIZES,
    cost,
    has_room,
    norms_of_layers,
    partial_products,
    remaining_products,
)
from theorems.shared.balanced import rotated, rotation
from verify import Claim, DerivedHere, Domain, Source, reals
from verify.numbers.arithmetic import rationals
from verify.words import Q, eq, le, schatten_power, stack


def parts_cost_as_much(f):
    L = f.depth
    M = stack([cost(A, m) for m, A in enumerate(partial_products(f), start=1)])
    N = stack([cost(A, L - m) for m, A in enumerate(remaining_products(f))])
    relation = eq(M[:-1] + N[1:], M[-1:], name="two parts")
    if L > 2:
        relation &= eq(M[:-2] + norms_of_layers(f)[1:-1] + N[2:], M[-1:], name="three parts")
    return relation


def parts_of_equal_costs(f):
    return eq(2 * cost(f.weights[0], 1), cost(partial_products(f)[-1], f.depth))


def layer_counted_twice(f):
    A = partial_products(f)[-1]
    return eq(cost(f.weights[0], 1) + cost(A, f.depth), cost(A, f.depth))


def product_costs_at_most(M, N, m, n):
    return le(cost(N @ M, m + n), cost(M, m) + cost(N, n))


def without_one_layer(M, N, m, n):
    return le(cost(N @ M, m + n), cost(M, m) + cost(N, n) - cost(N, 1) / (m + n - 1))


def average_of_the_parts(M, N, m, n):
    return le(schatten_power(N @ M, Q(2, m + n)), (schatten_power(M, Q(2, m)) + schatten_power(N, Q(2, n))) / 2)


def two_and_a_half():
    """The weights 2 and 1/2: their product costs 2, the parts 4 and 1/4."""
    one = rationals([[1]])
    return eq(cost(one, 2), 2) & eq(cost(2 * one, 1), 4) & eq(cost(one / 2, 1), Q(1, 4))


def powers_of_one_matrix(m, n, *roots):
    """The m-th and the n-th power of one matrix, between rotations."""
    frames, q = rotation(rationals([["1/2"], [1], ["-1/3"]])), rationals(roots)
    return {"M": rotated(frames[1], q**m, frames[0]), "N": rotated(frames[2], q**n, frames[1]), "m": m, "n": n}


CLAIM = Claim(
    id="bottleneck_structure.splitting",
    title="The parts of a network of least norm have the least norm",
    source=Source("bottleneck_structure", "Section 3.3, representation geodesics"),
    statement=parts_cost_as_much,
    domain=Domain({"f": LINEAR}, {**SIZES, "depth": (2, 3, 4, 6)}, LEAST, sizes_where=has_room),
    needs=tuple(LEAST),
    cost=10,
    false_variants={"parts of equal costs": parts_of_equal_costs, "a layer in both parts": layer_counted_twice},
    exact={"weights 2 and 1/2": two_and_a_half},
)

PARTS_CLAIM = Claim(
    id="bottleneck_structure.splitting.parts",
    title="A product costs at most as much as its factors",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=product_costs_at_most,
    domain=Domain(
        {
            "M": reals("width", "inputs", role="Jacobian to the layer"),
            "N": reals("outputs", "width", role="Jacobian from the layer"),
        },
        {"m": (1, 2, 3, 5), "n": (1, 2, 4), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)},
    ),
    tight={
        "1 and 1": partial(powers_of_one_matrix, 1, 1, 3, "1/2"),
        "2 and 3": partial(powers_of_one_matrix, 2, 3, 2, "1/3"),
        "5 and 1, rank 1": partial(powers_of_one_matrix, 5, 1, "3/2", 0),
    },
    false_variants={"one layer less": without_one_layer, "the average of the parts": average_of_the_parts},
)
