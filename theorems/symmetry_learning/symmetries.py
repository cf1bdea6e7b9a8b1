r"""A symmetry of f: Rank Jf is at most d - dim of the orbit.

Statement
    If f(gx) = f(x) for all g of a group G, then :math:`f: \Omega \to \Omega/G \to \mathbb{R}^{d_{out}}`, so that
    :math:`\mathrm{Rank}_{BN}(f; \Omega) \le \dim \Omega/G`.
Correction
    The dimension must be that of a space into which :math:`\Omega/G` embeds, as the paper of the same author has it. The
    boundary of a square with the trivial group has dimension one, but its identity has bottleneck rank two: no continuous
    number tells all of its points apart. Nor does one of any graph that is not made of paths (``.printed``).
Checked
    Rotations of all coordinates but the first k: for k = 0 one invariant, the norm; for k = 1 a direction w is fixed, with the
    invariants :math:`w^Tx` and :math:`\|x - ww^Tx\|`. For a function of the invariants f(gx) = f(x), f factors through the half
    plane of the still coordinates and the norm, and :math:`\mathrm{Rank}\,Jf(x) \le d - \dim T_x(Gx)`, where the tangent space
    of the orbit is that of all skew matrices applied to x. For a network summed over all orders of its inputs f(x) = f(sort x):
    the orbits are the sorted vectors.
Proof idea
    f is constant along the orbit, so that Jf(x) is zero on its tangent space; a set with one point of each orbit stands for
    :math:`\Omega/G`.
Tight
    The norm and the still coordinates themselves.
Not checked
    Other groups.
Source
    symmetry_learning, Infinite depth limit (symmetries lead to low BN-rank).
"""

from functools import partial
from itertools import combinations, permutations

import numpy as np

from theorems.shared.vectors import reflected, unit_vector
from verify import Claim, Domain, FalseAsPrinted, Networks, Source, Tight, derived, integers, interval, reals
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, diag, eq, eye, greatest, le, norm2, ones, rank, stack, vector, where, zeros


def still(f):
    """The number k of coordinates that stay: the network takes them, and the squared norm of the others."""
    return f.widths[0] - 1


def invariants(f, x):
    return concatenate([x[: still(f)], vector(norm2(x[still(f) :]))])


def value(f, x):
    return f(invariants(f, x))


def jacobian(f, x):
    k, J = still(f), f.jacobian(invariants(f, x))
    return concatenate([J[:, :k], 2 * np.outer(J[:, k], x[k:])], axis=1)


def tangents(f, x):
    """Of the orbit, as rows: skew matrices applied to x."""
    e = eye(len(x))
    return stack([x[i] * e[j] - x[j] * e[i] for i, j in combinations(range(still(f), len(x)), 2)])


def dimension_of_the_quotient(f, x, u, v):
    k = still(f)
    gx = concatenate([x[:k], reflected(reflected(x[k:], u), v)])
    orbit = eq(value(f, gx), value(f, x), name="orbit")
    return orbit & le(rank(jacobian(f, x)), len(x) - rank(tangents(f, x)), name="rank")


def a_dimension_less(f, x):
    return le(rank(jacobian(f, x)) + 1, len(x) - rank(tangents(f, x)))


def dimension_of_the_group(f, x):
    return le(rank(jacobian(f, x)), len(x) - len(tangents(f, x)))


def everything_turns(f, x, u):
    return eq(value(f, reflected(x, concatenate([ones(still(f)), u]))), value(f, x))


def point_on_orbit(kept, radius, chart):
    """A point, and the one on its orbit whose turning part has the direction of the first axis."""
    axis = concatenate([vector(radius), zeros(len(chart))])
    return concatenate([kept, radius * unit_vector(chart)]), concatenate([kept, axis])


def one_point_of_each_orbit(f, pair):
    x, y = pair
    return eq(value(f, x), value(f, y))


def without_the_norm(f, pair):
    x, k = pair[0], still(f)
    return eq(value(f, x), value(f, concatenate([x[:k], zeros(len(x) - k)])))


def without_the_still(f, pair):
    (x, y), k = pair, still(f)
    return eq(value(f, x), value(f, concatenate([zeros(k), y[k:]])))


def symmetrised(f, x):
    return sum(f(x[list(order)]) for order in permutations(range(len(x))))


def sorted_vectors_suffice(f, x):
    return eq(symmetrised(f, x), symmetrised(f, np.sort(x)))


def the_mean(f, x):
    return eq(symmetrised(f, x), symmetrised(f, x.sum() / len(x) * ones(len(x))))


def one_order(f, x):
    return eq(f(x), f(np.sort(x)))


def graph(edges):
    """The adjacency matrix of a graph, from numbers 0 and 1 of which those above the diagonal count."""
    upper = edges * np.triu(np.ones(edges.shape, dtype=np.int64), 1)
    return upper + upper.T


def numbers_that_tell_apart(A):
    """A lower bound of the bottleneck rank of the identity on a graph with edges: one number does only if it is made of paths.

    Paths have no vertex with three edges, and no cycle: as many edges as the Laplacian has rank.
    """
    degrees = A.sum(axis=1)
    is_made_of_paths = (greatest(degrees) <= 2) & (degrees.sum() == 2 * rank(diag(degrees) - A))
    return where(is_made_of_paths, 1, 2)


def dimension_of_a_graph(A):
    return le(numbers_that_tell_apart(A), 1)


def invariants_themselves(k):
    x = rationals(range(1, k + 4))
    return {"f": FullyConnected([rationals(eye(k + 1))]), "x": x, "u": x[k:] - 2, "v": x[k:] + 1}


SOURCE = Source("symmetry_learning", "Infinite depth limit")
FUNCTION = Networks(inputs=lambda sizes: sizes["still"] + 1, slope=(-2, 2))
SIZES = {"depth": (1, 3), "still": range(3), "turning": (2, 3), "width": (3,), "outputs": (1, 3)}

CLAIM = Claim(
    id="symmetry_learning.symmetries",
    title="Rank Jf is at most the dimension less that of the orbit",
    source=SOURCE,
    statement=dimension_of_the_quotient,
    domain=Domain(
        {
            "f": FUNCTION,
            "x": reals(lambda sizes: sizes["still"] + sizes["turning"]),
            "u": reals("turning"),
            "v": reals("turning"),
        },
        SIZES,
    ),
    cost=2,
    tight={
        "the norm": Tight(partial(invariants_themselves, 0), of=("rank",)),
        "a fixed direction": Tight(partial(invariants_themselves, 1), of=("rank",)),
        "two fixed directions": Tight(partial(invariants_themselves, 2), of=("rank",)),
    },
    false_variants={
        "a dimension less": a_dimension_less,
        "the dimension of the group": dimension_of_the_group,
        "everything turns": everything_turns,
    },
)

QUOTIENT = Claim(
    id="symmetry_learning.symmetries.rotations",
    title="What rotations keep factors through the norm and the fixed coordinates",
    source=SOURCE,
    statement=one_point_of_each_orbit,
    domain=Domain(
        {
            "f": FUNCTION,
            "pair": derived(
                point_on_orbit, kept=reals("still"), radius=interval(0, 4), chart=reals(lambda sizes: sizes["turning"] - 1)
            ),
        },
        SIZES,
    ),
    false_variants={"without the norm": without_the_norm, "without the fixed coordinates": without_the_still},
)

PERMUTATIONS = Claim(
    id="symmetry_learning.symmetries.permutations",
    title="What all permutations keep factors through the sorted vector",
    source=SOURCE,
    statement=sorted_vectors_suffice,
    domain=Domain(
        {"f": Networks(slope=(-2, 2)), "x": reals("inputs", role="point")},
        {"depth": (1, 2, 4), "inputs": (2, 3), "width": range(2, 4), "outputs": range(1, 4)},
    ),
    false_variants={"the mean": the_mean, "one order": one_order},
)

PRINTED = Claim(
    id="symmetry_learning.symmetries.printed",
    title="The bottleneck rank is at most the dimension of the quotient",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=dimension_of_a_graph,
    domain=Domain(
        {"A": derived(graph, edges=integers(0, 1, "vertices", "vertices"))},
        {"vertices": (3, 4)},
        {"there is an edge": lambda A: (A != 0).any()},
    ),
)
