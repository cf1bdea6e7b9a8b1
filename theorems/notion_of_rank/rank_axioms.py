r"""The axioms of a rank for piecewise linear functions, for the rank of the Jacobian and for the bottleneck rank.

:math:`\mathrm{Rank}_J(f; \Omega)` is the largest rank of the Jacobian over the linear regions of f that meet the interior of
:math:`\Omega`; :math:`\mathrm{Rank}_{BN}(f; \Omega)` is the least k with f = h o g on :math:`\Omega` through dimension k, h and
g continuous and piecewise linear (k = 0 for constants). Both satisfy

1. they are natural numbers;
2. :math:`\mathrm{Rank}(f \circ g; \Omega) \le \min\{\mathrm{Rank}\, f, \mathrm{Rank}(g; \Omega)\}`;
3. :math:`\mathrm{Rank}(f + g) \le \mathrm{Rank}\, f + \mathrm{Rank}\, g`;
4. the rank of an affine map is that of its matrix.

For the rank of the Jacobian the axioms follow from those of matrices at points where all maps are affine nearby, and that is
checked there, for networks in bulk. Then it is checked over all linear regions of a polytope, exactly (``exact``): in (2) the
regions of f must be those of a neighbourhood of :math:`g(\Omega)`, for which a box around the range of g is taken, because
:math:`g(\Omega)` may lie in the boundary of regions. For the bottleneck rank the axioms are statements on constructions:
(f o h) o g and f o (h o g) for (2), the two bottlenecks side by side for (3) (``.bottleneck_sum``), a factorisation of the
matrix for (4).

Both are extreme: a rank that satisfies (2) and (4) and is monotone in :math:`\Omega` lies between them. From
f = h o id o g through dimension k follows Rank f :math:`\le` k, and in a small cube inside a region of largest rank f is
affine.

Source: notion_of_rank, axioms of a rank; the neighbourhood in (2) and the extremality are ours.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, floats, is_exact, maximum, minimum, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, add, compose
from verify.piecewise import Polytope, jacobian_rank, range_over


def rank_number(matrix: Array) -> Array:
    """The rank as a number of the arithmetic of the matrix, batch-shaped."""
    return rationals(rank(matrix)) if is_exact(matrix) else rank(matrix)


def rank_of_composition(parts: Parts, x: Array, less: int = 0, of_both: bool = False) -> Relation:
    """Rank of the Jacobian of the merged network at x, and of its two parts there."""
    inner, outer = parts
    left = rank_number(compose(outer, inner, merge=True).jacobian(x))
    ranks = rank_number(outer.jacobian(inner(x))), rank_number(inner.jacobian(x))
    if of_both:
        return eq(left, minimum(*ranks))
    return le(left, ranks[0] - less) & le(left, ranks[1] - less)


def rank_of_sum(parts: Parts, x: Array, less: int = 0, larger: bool = False) -> Relation:
    """Rank of the Jacobian of the sum at x, against the sum of the ranks (or the larger one)."""
    left, right = parts
    ranks = rank_number(left.jacobian(x)), rank_number(right.jacobian(x))
    most = maximum(*ranks) if larger else ranks[0] + ranks[1]
    return le(rank_number(add(left, right).jacobian(x)), most - less)


def bottleneck_of_sum(
    first: Parts,
    second: Parts,
    x: Array,
    shared: bool = False,
    exchanged: bool = False,
) -> Relation:
    """h_1(g_1(x)) + h_2(g_2(x)) through the bottlenecks side by side.

    In false neighbours both go through the sum of the bottlenecks, or each reads that of the other.
    """
    (g1, h1), (g2, h2) = first, second
    bottlenecks = g1(x), g2(x)
    value = h1(bottlenecks[0]) + h2(bottlenecks[1])
    if shared:
        together = h1(bottlenecks[0] + bottlenecks[1]) + h2(bottlenecks[0] + bottlenecks[1])
    else:
        joint = np.concatenate(bottlenecks[::-1] if exchanged else bottlenecks, axis=-1)
        k = g1.widths[-1]
        selections = np.eye(joint.shape[-1], dtype=np.int64)
        together = h1(joint @ selections[:, :k]) + h2(joint @ selections[:, k:])
    scale = np.ones(1) * (1 + sum(abs(floats(part)).sum(axis=-1, keepdims=True) for part in (value, *bottlenecks)))
    reach = [floats(one.parameter_norm_squared)[..., None] + 1 for one in (*first, *second)]
    return eq(value, together, scale=scale * reach[0] * reach[1] * reach[2] * reach[3], over=1)


def linear_map(matrix: Array, mirrored: bool = True) -> FullyConnected:
    """ReLU network for ``x -> A x``: A applied to the positive part of x minus that of -x (or to the former alone)."""
    if matrix.ndim < 2:
        raise ValueError(f"matrix must have the shape (..., outputs, inputs), got {matrix.shape}")
    count = matrix.shape[-1]
    one = np.eye(count, dtype=np.int64) + 0 * matrix[..., :1, :1]
    if not mirrored:
        return FullyConnected([one, matrix])
    return FullyConnected([np.concatenate([one, -one], axis=-2), np.concatenate([matrix, -matrix], axis=-1)])


def rank_of_affine(matrix: Array, x: Array, off: int = 0, mirrored: bool = True) -> Relation:
    """Rank of the Jacobian, at x, of a ReLU network for a matrix, against the rank of the matrix."""
    return eq(rank_number(linear_map(matrix, mirrored).jacobian(x)), rank_number(matrix) - off)


def random_integer_networks(count: int, widths: tuple[int, ...], seed: int) -> list[FullyConnected]:
    """Rational ReLU networks with small integer weights and biases, many of them zero."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        weights = [rng.integers(-2, 3, (after, before)) for before, after in pairwise(widths)]
        biases = [rng.integers(-2, 3, after) for after in widths[1:]]
        found.append(FullyConnected([rationals(w) for w in weights], [rationals(b) for b in biases]))
    return found


def largest_rank(network: FullyConnected, polytope: Polytope) -> int:
    """Rank of the Jacobian over all linear regions that meet the interior of a polytope."""
    return int(jacobian_rank(network, polytope).value)


def around_the_range(network: FullyConnected, polytope: Polytope) -> Polytope:
    """A box with the values of the network on a polytope in its interior."""
    values = range_over(network, polytope)
    return Polytope.box(values.lower - 1, values.upper + 1)


def axioms_over_all_regions() -> Relation:
    """Axioms (2) and (3) for a dozen pairs of networks on [-1, 1]^2, over every linear region."""
    square = Polytope.box(rationals([-1, -1]), rationals([1, 1]))
    outers, inners = random_integer_networks(12, (2, 3, 2), 1), random_integer_networks(12, (2, 3, 2), 2)
    ranks = [
        (
            largest_rank(compose(outer, inner, merge=True), square),
            largest_rank(outer, around_the_range(inner, square)),
            largest_rank(inner, square),
        )
        for outer, inner in zip(outers, inners, strict=True)
    ]
    composed, outer_ranks, inner_ranks = (rationals(column) for column in np.array(ranks).T)
    sums = [
        (largest_rank(add(left, right), square), largest_rank(left, square) + largest_rank(right, square))
        for left, right in zip(outers, inners, strict=True)
    ]
    added, most = (rationals(column) for column in np.array(sums).T)
    return le(composed, outer_ranks, over=1) & le(composed, inner_ranks, over=1) & le(added, most, over=1)


def two_coordinates() -> dict[str, Any]:
    """(x1, 0) and (0, x2): ranks 1 and 1, and 2 for the sum."""
    first = FullyConnected([rationals([[[1, 0], [0, 0]]])])
    return {"parts": (first, FullyConnected([rationals([[[0, 0], [0, 1]]])])), "x": rationals([[1, 1]])}


SOURCE = Source("notion_of_rank", "Axioms of a rank")
SIZES = {"inputs": range(1, 3), "width": range(1, 3), "middle": range(1, 3), "outputs": range(1, 2)}
OUTER = Networks(depth=2, inputs="middle", width="width")
INNER = Networks(depth=2, outputs="middle")
SLOPE = interval(-1, 1)

CLAIM = Claim(
    id="notion_of_rank.rank_axioms",
    title="The rank of a composition is at most that of its parts",
    source=SOURCE,
    statement=rank_of_composition,
    domain=Domain(
        {"parts": derived(with_common_slope, outer=OUTER, inner=INNER, slope=SLOPE), "x": reals("inputs")},
        SIZES | {"outputs": range(1, 3)},
    ),
    tight={"identities": Tight(lambda: {"parts": (FullyConnected([rationals([[[1]]])]),) * 2, "x": rationals([[1]])})},
    false_neighbours={
        "one less": partial(rank_of_composition, less=1),
        "equal to the smaller rank": partial(rank_of_composition, of_both=True),
    },
    exact={"over all regions of a square": axioms_over_all_regions},
)

SUM = Claim(
    id="notion_of_rank.rank_axioms.sum",
    title="The rank of a sum is at most the sum of the ranks",
    source=SOURCE,
    statement=rank_of_sum,
    domain=Domain(
        {
            "parts": derived(
                with_common_slope, outer=Networks(depth=2, outputs=2), inner=Networks(depth=2, outputs=2), slope=SLOPE
            ),
            "x": reals("inputs"),
        },
        {"inputs": range(1, 3), "width": range(1, 3)},
    ),
    tight={"two coordinates": Tight(two_coordinates)},
    false_neighbours={
        "one less": partial(rank_of_sum, less=1),
        "the larger rank": partial(rank_of_sum, larger=True),
    },
)

BOTTLENECK_SUM = Claim(
    id="notion_of_rank.rank_axioms.bottleneck_sum",
    title="A sum through two bottlenecks side by side",
    source=SOURCE,
    statement=bottleneck_of_sum,
    domain=Domain(
        {
            "first": derived(with_common_slope, outer=OUTER, inner=INNER, slope=SLOPE),
            "second": derived(with_common_slope, outer=OUTER, inner=INNER, slope=SLOPE),
            "x": reals("inputs"),
        },
        SIZES,
    ),
    false_neighbours={
        "one bottleneck for the sum": partial(bottleneck_of_sum, shared=True),
        "bottlenecks exchanged": partial(bottleneck_of_sum, exchanged=True),
    },
)

AFFINE = Claim(
    id="notion_of_rank.rank_axioms.affine",
    title="The rank of an affine map is that of its matrix",
    source=SOURCE,
    statement=rank_of_affine,
    domain=Domain(
        {"matrix": reals("outputs", "inputs"), "x": reals("inputs")}, {"inputs": range(1, 4), "outputs": range(1, 4)}
    ),
    false_neighbours={
        "one less": partial(rank_of_affine, off=1),
        "the positive parts alone": partial(rank_of_affine, mirrored=False),
    },
)
