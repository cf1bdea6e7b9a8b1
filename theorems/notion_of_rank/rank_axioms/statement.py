"""The axioms of a rank, for the rank of the Jacobian."""

from itertools import pairwise

import numpy as np

from theorems.shared.bottleneck import identity_chain, with_common_slope
from verify import Claim, Domain, FalseAsPrinted, Networks, Source, derived, networks, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.piecewise import Polytope, jacobian_rank, range_over
from verify.words import block, concatenate, eq, eye, le, lifted, maximum, minimum, norm2, positive, rank, stack

network, compose, add = lifted(FullyConnected), lifted(networks.compose), lifted(networks.add)


def ranks_of_composition(parts, x):
    """Of the Jacobians of f o g, of f and of g."""
    g, f = parts
    return rank(compose(f, g, merge=True).jacobian(x)), rank(f.jacobian(g(x))), rank(g.jacobian(x))


def rank_of_composition(parts, x):
    both, outer, inner = ranks_of_composition(parts, x)
    return le(both, outer, name="outer") & le(both, inner, name="inner")


def one_less(parts, x):
    both, outer, _ = ranks_of_composition(parts, x)
    return le(both, outer - 1)


def the_smaller(parts, x):
    both, outer, inner = ranks_of_composition(parts, x)
    return eq(both, minimum(outer, inner))


def rank_of_sum(parts, x):
    g, f = parts
    return le(rank(add(f, g).jacobian(x)), rank(f.jacobian(x)) + rank(g.jacobian(x)))


def one_less_than_the_sum(parts, x):
    g, f = parts
    return le(rank(add(f, g).jacobian(x)) + 1, rank(f.jacobian(x)) + rank(g.jacobian(x)))


def the_larger(parts, x):
    g, f = parts
    return le(rank(add(f, g).jacobian(x)), maximum(rank(f.jacobian(x)), rank(g.jacobian(x))))


def one_more_than_the_larger(parts, x):
    g, f = parts
    return le(rank(add(f, g).jacobian(x)), maximum(rank(f.jacobian(x)), rank(g.jacobian(x))) + 1)


def affine_map(A, b, z):
    """ReLU network for x -> Ax + b: A of the positive part of x - z less that of z - x; the kinks at z cancel."""
    one = eye(A.shape[1])
    return network([block([[one], [-one]]), block([[A, -A]])], [concatenate([-z, z]), b + A @ z])


def rank_of_affine(A, b, z, x):
    return eq(rank(affine_map(A, b, z).jacobian(x)), rank(A))


def full_rank(A, b, z, x):
    return eq(rank(affine_map(A, b, z).jacobian(x)), min(A.shape))


def positive_part_alone(A, x):
    return eq(rank(network([eye(len(x)), A]).jacobian(x)), rank(A))


def rank_on_a_segment(h, g, m, u):
    """The matrix A with Ax = h g^T x on the multiples of u, which factors through one number there."""
    A = np.outer(h, g) + np.outer(m, stack([-u[1], u[0]]))
    return le(rank(A), 1)


def random_integer_networks(count, widths, seed):
    """Rational ReLU networks with small integer weights and biases, many of them zero."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        W = [rationals(rng.integers(-2, 3, (after, before))) for before, after in pairwise(widths)]
        yield FullyConnected(W, [rationals(rng.integers(-2, 3, after)) for after in widths[1:]])


def over_all_regions():
    """Axioms (2) and (3) for a dozen pairs of networks on [-1, 1]^2, with a box around the range of g for f."""
    square, rows = Polytope.box(rationals([-1, -1]), rationals([1, 1])), []
    for f, g in zip(*(random_integer_networks(12, (2, 3, 2), seed) for seed in (1, 2)), strict=True):
        values = range_over(g, square)
        around = Polytope.box(values.lower - 1, values.upper + 1)
        pairs = (compose(f, g, merge=True), square), (f, around), (g, square), (add(f, g), square), (f, square)
        rows.append([int(jacobian_rank(one, polytope).value) for one, polytope in pairs])
    both, outer, inner, both_added, first = rationals(rows).T
    return le(both, outer) & le(both, inner) & le(both_added, first + inner)


def deep_identities():
    return {"parts": (identity_chain(3, 6),) * 2, "x": [1, 1, 1]}


def two_coordinates():
    return {"parts": tuple(FullyConnected([rationals(A)]) for A in ([[1, 0], [0, 0]], [[0, 0], [0, 1]])), "x": [1, 1]}


SOURCE = Source("notion_of_rank", "Axioms of a rank")
SIZES = {"depth": (1, 2, 6), "inputs": (1, 2, 3), "width": (1, 4), "middle": (1, 2, 3), "outputs": (1, 2, 3)}
OUTER, INNER = Networks(inputs="middle", role="second part"), Networks(outputs="middle", role="first part")
with_slope = lifted(with_common_slope)

CLAIM = Claim(
    id="notion_of_rank.rank_axioms",
    title="The rank of a composition is at most that of its parts",
    source=SOURCE,
    statement=rank_of_composition,
    domain=Domain(
        {
            "parts": derived(with_slope, outer=OUTER, inner=INNER, slope=slopes(-2, 2, role="slope")),
            "x": reals("inputs", role="point"),
        },
        SIZES,
    ),
    tight={
        "identities": lambda: {"parts": (FullyConnected([rationals([[1]])]),) * 2, "x": [1]},
        "identities of space, deep": deep_identities,
    },
    false_variants={"one less": one_less, "equal to the smaller rank": the_smaller},
    exact={"over all regions of a square": over_all_regions},
)

SUM = Claim(
    id="notion_of_rank.rank_axioms.sum",
    title="The rank of a sum is at most the sum of the ranks",
    source=SOURCE,
    statement=rank_of_sum,
    domain=Domain(
        {
            "parts": derived(with_slope, outer=Networks(), inner=Networks(), slope=slopes(-2, 2, role="slope")),
            "x": reals("inputs", role="point"),
        },
        {"depth": (1, 2, 3, 6), "inputs": (1, 2, 3, 4), "width": (1, 2, 4), "outputs": (2, 3, 4)},
    ),
    tight={"two coordinates": two_coordinates},
    false_variants={
        "one less": one_less_than_the_sum,
        "the larger rank": the_larger,
        "one more than the larger rank": one_more_than_the_larger,
    },
)

AFFINE = Claim(
    id="notion_of_rank.rank_axioms.affine",
    title="The rank of an affine map is that of its matrix",
    source=SOURCE,
    statement=rank_of_affine,
    domain=Domain(
        {"A": reals("outputs", "inputs"), "b": reals("outputs"), "z": reals("inputs"), "x": reals("inputs")},
        {"inputs": range(1, 4), "outputs": range(1, 4)},
    ),
    false_variants={"full rank": full_rank, "the positive parts alone": positive_part_alone},
)

PRINTED = Claim(
    id="notion_of_rank.rank_axioms.affine.printed",
    title="On every domain Rank_BN of an affine map is the rank of its matrix",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=AFFINE.id),
    statement=rank_on_a_segment,
    domain=Domain(
        {"h": reals("outputs"), "g": reals(2), "m": reals("outputs"), "u": reals(2)},
        {"outputs": (2, 3)},
        {"u is not zero": lambda u: positive(norm2(u))},
    ),
)
