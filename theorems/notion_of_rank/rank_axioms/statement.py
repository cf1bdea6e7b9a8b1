"""The axioms for the rank of the Jacobian."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.bottleneck import Parts, identity_chain, with_common_slope
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, eq, le, reals, slopes
from verify.arithmetic import Array, maximum, minimum, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, add, compose
from verify.piecewise import Polytope, jacobian_rank, range_over


def rank_of_composition(parts: Parts, x: Array) -> Relation:
    """Rank of the Jacobian of the merged network at x, and of its two parts there."""
    composed, outer, inner = ranks_of_composition(parts, x)
    return le(composed, outer, name="outer") & le(composed, inner, name="inner")


def ranks_of_composition(parts: Parts, x: Array) -> tuple[Array, Array, Array]:
    """Ranks of the merged network, of the outer one and of the inner one."""
    inner, outer = parts
    merged = compose(outer, inner, merge=True).jacobian(x)
    return rank(merged), rank(outer.jacobian(inner(x))), rank(inner.jacobian(x))


def rank_of_sum(parts: Parts, x: Array) -> Relation:
    """Rank of the Jacobian of the sum at x, against the sum of the ranks."""
    left, right = parts
    return le(rank(add(left, right).jacobian(x)), rank(left.jacobian(x)) + rank(right.jacobian(x)))


def rank_of_affine(matrix: Array, offset: Array, place: Array, x: Array) -> Relation:
    """Rank of the Jacobian, at x, of a ReLU network for an affine map with kinks at a place, against the rank of the matrix."""
    return eq(rank(affine_map(matrix, offset, place).jacobian(x)), rank(matrix))


def affine_map(matrix: Array, offset: Array, place: Array) -> FullyConnected:
    """ReLU network for ``x -> A x + b``, with the kinks of `linear_map` at `place`, where they cancel."""
    linear, moved = linear_map(matrix), offset + (matrix @ place[..., None])[..., 0]
    return FullyConnected(linear.weights, [np.concatenate([-place, place], axis=-1), moved])


def linear_map(matrix: Array) -> FullyConnected:
    """ReLU network for ``x -> A x``: A applied to the positive part of x minus that of -x.

    Raises
    ------
    ValueError
        `matrix` has fewer than two axes.
    """
    if matrix.ndim < 2:
        raise ValueError(f"matrix must have the shape (..., outputs, inputs), got {matrix.shape}")
    one = np.eye(matrix.shape[-1], dtype=np.int64) + 0 * matrix[..., :1, :1]
    return FullyConnected([np.concatenate([one, -one], axis=-2), np.concatenate([matrix, -matrix], axis=-1)])


# False variants


def rank_of_the_smaller(parts: Parts, x: Array) -> Relation:
    """Equality with the smaller rank."""
    composed, outer, inner = ranks_of_composition(parts, x)
    return eq(composed, minimum(outer, inner))


def strictly_smaller(parts: Parts, x: Array) -> Relation:
    """A composition loses a dimension."""
    composed, outer, _ = ranks_of_composition(parts, x)
    return le(composed, outer - 1)


def the_larger_rank(parts: Parts, x: Array) -> Relation:
    """The rank of the sum against the larger one."""
    left, right = parts
    most = maximum(rank(left.jacobian(x)), rank(right.jacobian(x)))
    return le(rank(add(left, right).jacobian(x)), most)


def one_less_than_the_sum(parts: Parts, x: Array) -> Relation:
    """A sum loses a dimension."""
    left, right = parts
    ranks = rank(left.jacobian(x)) + rank(right.jacobian(x))
    return le(rank(add(left, right).jacobian(x)), ranks - 1)


def positive_parts_alone(matrix: Array, x: Array) -> Relation:
    """The matrix applied to the positive part of x."""
    one = np.eye(matrix.shape[-1], dtype=np.int64) + 0 * matrix[..., :1, :1]
    return eq(rank(FullyConnected([one, matrix]).jacobian(x)), rank(matrix))


def full_rank(matrix: Array, offset: Array, place: Array, x: Array) -> Relation:
    """The rank of an affine map is the smaller of its dimensions."""
    found = rank(affine_map(matrix, offset, place).jacobian(x))
    return eq(found, 0 * found + min(matrix.shape[-2:]))


# Over all regions


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


def deep_identities() -> dict[str, Any]:
    """The identity of positive points of space, of six layers, twice."""
    return {"parts": (identity_chain(3, 6),) * 2, "x": rationals([1, 1, 1])}


def two_coordinates() -> dict[str, Any]:
    """(x1, 0) and (0, x2): ranks 1 and 1, and 2 for the sum."""
    first = FullyConnected([rationals([[[1, 0], [0, 0]]])])
    return {"parts": (first, FullyConnected([rationals([[[0, 0], [0, 1]]])])), "x": rationals([[1, 1]])}


SOURCE = Source("notion_of_rank", "Axioms of a rank")

SIZES = {"depth": (1, 2, 6), "inputs": (1, 2, 3), "width": (1, 4), "middle": (1, 2, 3), "outputs": (1, 2, 3)}

OUTER = Networks(inputs="middle")

INNER = Networks(outputs="middle")

PARTS = derived(with_common_slope, outer=OUTER, inner=INNER, slope=slopes(-1, 1))

CLAIM = Claim(
    id="notion_of_rank.rank_axioms",
    title="The rank of a composition is at most that of its parts",
    source=SOURCE,
    statement=rank_of_composition,
    domain=Domain({"parts": PARTS, "x": reals("inputs")}, SIZES),
    tight={
        "identities": Tight(lambda: {"parts": (FullyConnected([rationals([[[1]]])]),) * 2, "x": rationals([[1]])}),
        "identities of space, deep": Tight(deep_identities),
    },
    false_neighbours={
        "one less": strictly_smaller,
        "equal to the smaller rank": rank_of_the_smaller,
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
            "parts": derived(with_common_slope, outer=Networks(), inner=Networks(), slope=slopes(-1, 1)),
            "x": reals("inputs"),
        },
        {"depth": (1, 2, 3, 6), "inputs": (1, 2, 3), "width": (1, 2, 4), "outputs": (2, 3)},
    ),
    tight={"two coordinates": Tight(two_coordinates)},
    false_neighbours={
        "one less": one_less_than_the_sum,
        "the larger rank": the_larger_rank,
    },
)

AFFINE = Claim(
    id="notion_of_rank.rank_axioms.affine",
    title="The rank of an affine map is that of its matrix",
    source=SOURCE,
    statement=rank_of_affine,
    domain=Domain(
        {"matrix": reals("outputs", "inputs"), "offset": reals("outputs"), "place": reals("inputs"), "x": reals("inputs")},
        {"inputs": range(1, 4), "outputs": range(1, 4)},
    ),
    false_neighbours={
        "full rank": full_rank,
        "the positive parts alone": positive_parts_alone,
    },
)
