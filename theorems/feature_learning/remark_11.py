r"""Remark 11: where optimal pairs of covariances lie in their cone, and what that says about their rank.

The cone S consists of the sums of the pairs :math:`p(z) = (zz^T, \sigma(z)\sigma(z)^T)`, z in R^N (up to a translation by the
bias); the rank of a pair is the smallest number of terms. What is true of the remark:

- Optimal pairs lie on the boundary of S, as the cost is linear in :math:`K_\ell` with the slope
  :math:`M = (K_{\ell-1}^\sigma)^+ \ne 0`: from an inner point :math:`K_\ell - \epsilon M` costs :math:`\epsilon\|M\|_F^2` less.
- The rank is at most the dimension of the smallest face that contains the pair: all terms of any sum lie in that face, and
  Caratheodory's theorem leaves no more of them than their span has dimensions. Checked: the last sentence.

What is not:

- The rank is not determined by the dimension of the smallest face (*printed*). If it were, it would be that dimension, as
  for linearly independent terms :math:`p(e_1), p(-e_1), p(e_2)`. But a factor B without negative entries and QB, Q orthogonal,
  where QB has no negative entries either, are two sums of the same pair; so its face contains all their terms, which span more
  dimensions than B has rows: for N = 2, three of them for rank 2.
- The pairs that are not of full rank N(N+1) do not have measure zero (*printed_measure*): N + 1 vectors have
  :math:`N(N+1)` coordinates, and where the derivative of their pair is regular, all pairs nearby have N + 1 terms as well. For
  N = 2 this happens at (-2, -1), (2, 1), (-3, 3). It takes N + 1 vectors, as the derivative has kN rows (*measure*): the pairs
  of rank at most N have measure zero.

Source: feature_learning, Remark 11. The corrections are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.feature_learning.caratheodory import combined, in_use, pruned, size_of
from theorems.feature_learning.caratheodory_dimension import pairs
from theorems.feature_learning.prop_13_cp_rank_of_graphs import gram
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import determinant, frobenius_norm_squared, pseudo_inverse, rank
from verify.networks import HomogeneousActivation


def slopes_of(slope: Array) -> Array:
    """Slopes 1 and `slope`, shape ``(...) -> (..., 2)``."""
    return np.stack([0 * slope + 1, slope], axis=-1)


def rank_at_most_dimension(vectors: Array, weights: Array, slope: Array, less: int = 0, points: bool = False) -> Relation:
    """The pair is a sum of no more terms than the pairs that are used span dimensions."""
    generators = pairs(vectors, slopes_of(slope))
    after = pruned(generators, weights)
    size = size_of(after, generators) + size_of(weights, generators)
    span = rank(in_use(weights)[..., None] * generators)
    bound = 0 * span + vectors.shape[-1] if points else span
    return (
        eq(combined(after, generators), combined(weights, generators), scale=size, over=1)
        & ge(after, 0 * after, over=1)
        & le(in_use(after).sum(axis=-1), like(bound, weights) - less)
    )


def cost_descends(
    inputs: Array, bias: Array, vectors: Array, step: Array, ratio: int = 10_000, inverted: bool = True
) -> Relation:
    r""":math:`\mathrm{Tr}[MK]` at :math:`K - \epsilon M` for :math:`M = (X^TX + b^211^T)^+`, K the covariance of `vectors`."""
    before = np.swapaxes(inputs, -1, -2) @ inputs + (bias**2)[..., None, None]
    slope = pseudo_inverse(before)
    covariance = np.swapaxes(vectors, -1, -2) @ vectors
    direction = slope if inverted else before
    moved = covariance - step[..., None, None] * direction
    here, there = (slope * covariance).sum(axis=(-2, -1)), (slope * moved).sum(axis=(-2, -1))
    decrease = step * frobenius_norm_squared(slope)
    size = (1 + frobenius_norm_squared(slope)) * (1 + frobenius_norm_squared(before)) * (here + decrease + 1)
    return eq(here - there, decrease * ratio / 10_000, scale=size)


def turned(factor: Array, tangent: Array) -> tuple[Array, Array]:
    """B and QB, where Q turns the first two rows by twice the angle with that tangent: a rational rotation."""
    square = 1 + tangent**2
    cosine, sine = ((1 - tangent**2) / square)[..., None], (2 * tangent / square)[..., None]
    first, second = factor[..., 0, :], factor[..., 1, :]
    rows = [cosine * first - sine * second, sine * first + cosine * second]
    return factor, np.concatenate([np.stack(rows, axis=-2), factor[..., 2:, :]], axis=-2)


def face_has_dimension_of_rank(factors: tuple[Array, Array], slope: Array) -> Relation:
    """Two factors of one pair: they span no more dimensions than one of them has rows."""
    generators = pairs(np.concatenate(factors, axis=-2), slopes_of(slope))
    return le(like(rank(generators), slope), 0 * slope + factors[0].shape[-2])


def without_negative_entries(factors: tuple[Array, Array]) -> Any:
    """Whether both factors are factors of complete positivity, so that their pairs are the same."""
    return np.logical_and(*(np.all(compare(one, 0) >= 0, axis=(-2, -1)) for one in factors))


def derivative_of_pair(vectors: Array, slope: Array) -> Array:
    """Derivative of the upper triangles of the pair by all coordinates, shape ``(..., k, N) -> (..., kN, N(N + 1))``."""
    points = vectors.shape[-1]
    activation = HomogeneousActivation(1, slope[..., None])
    i, j = np.triu_indices(points)
    unit = like(np.eye(points, dtype=np.int64), vectors)

    def of_products(values: Array) -> Array:
        return np.asarray(unit[:, i] * values[..., None, j] + unit[:, j] * values[..., None, i])

    image = activation.derivative(vectors)[..., None] * of_products(activation(vectors))
    both = np.concatenate([of_products(vectors), image], axis=-1)
    return both.reshape(*both.shape[:-3], -1, both.shape[-1])


def derivative_is_singular(vectors: Array, slope: Array) -> Relation:
    """The derivative has less than the full rank N(N+1): what follows if these pairs have measure zero."""
    points = vectors.shape[-1]
    return le(like(rank(derivative_of_pair(vectors, slope)), vectors), points * (points + 1) - 1)


def derivative_has_rank(vectors: Array, slope: Array, less: int = 0, fewer: int = 0) -> Relation:
    """The derivative has a rank of at most kN and of at most N(N+1), which is more for k <= N."""
    count, points = vectors.shape[-2:]
    found = like(rank(derivative_of_pair(vectors, slope)), vectors)
    return le(found, count * points - fewer) & le(found, points * (points + 1) - less)


def no_kink(vectors: Array) -> Any:
    """Whether no entry is zero."""
    return np.all(compare(vectors, 0) != 0, axis=(-2, -1))


OPEN_SETS = {2: [[-2, -1], [2, 1], [-3, 3]], 3: [[-2, -3, -3], [-2, 3, 3], [2, 1, 1], [2, -3, 1]]}
"""N + 1 vectors whose pair has only pairs of N + 1 vectors near it (ReLU)."""


def open_set(points: int) -> dict[str, Array]:
    """`OPEN_SETS` as rationals."""
    return {"vectors": rationals(OPEN_SETS[points]), "slope": rationals(0)}


def regular_derivatives() -> Relation:
    """The determinants of the derivatives at `OPEN_SETS`."""
    found = [determinant(derivative_of_pair(rationals(OPEN_SETS[n])[None], rationals([0])))[0] for n in OPEN_SETS]
    return eq(rationals([abs(value) for value in found]), rationals([1728, 5308416]), over=1)


def two_ranks_on_faces_of_dimension_three() -> Relation:
    r"""N = 2: :math:`e_1, -e_1, e_2` span three dimensions, and so do the factors of a pair of two vectors."""
    axes = rationals([[1, 0], [-1, 0], [0, 1]])
    factors = tuple(one[0] for one in turned(rationals([[[2, 1], [1, 2]]]), rationals(["1/10"])))
    both, slopes = np.concatenate(factors), rationals([1, 0])
    return (
        eq(*map(gram, factors), over=2)
        & ge(both, 0 * both, over=2)
        & eq(rationals([int(rank(pairs(rows, slopes))) for rows in (axes, both)]), rationals([3, 3]), over=1)
    )


SOURCE = Source("feature_learning", "Remark 11")
SLOPE = {"slope": integers(-1, 0)}

CLAIM = Claim(
    id="feature_learning.remark_11",
    title="The rank is at most the dimension of the smallest face",
    source=SOURCE,
    statement=rank_at_most_dimension,
    domain=Domain(
        {"vectors": integers(-3, 3, "vectors", "points"), "weights": interval(0, np.inf, "vectors"), "slope": integers(-2, 1)},
        {"vectors": range(1, 9), "points": range(1, 4)},
    ),
    tight={
        "e1, -e1, e2": Tight(
            lambda: {"vectors": rationals([[1, 0], [-1, 0], [0, 1]]), "weights": rationals([1, 2, 3]), "slope": rationals(0)}
        )
    },
    false_neighbours={
        "one less": partial(rank_at_most_dimension, less=1),
        "the number of data points": partial(rank_at_most_dimension, points=True),
    },
    exact={"two ranks on faces of dimension three": two_ranks_on_faces_of_dimension_three},
    cost=10,
)

PRINTED = Claim(
    id="feature_learning.remark_11.printed",
    title="The dimension of the smallest face determines the rank",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.remark_11"),
    statement=face_has_dimension_of_rank,
    domain=Domain(
        {"factors": derived(turned, factor=interval(0, 4, "rows", "points"), tangent=interval(0, 1)), **SLOPE},
        {"rows": range(2, 4), "points": range(1, 4)},
        hypotheses={"no negative entries": without_negative_entries},
    ),
    false_neighbours={},
)

BOUNDARY = Claim(
    id="feature_learning.remark_11.boundary",
    title="The derivative of the cost by a covariance never vanishes",
    source=SOURCE,
    statement=cost_descends,
    domain=Domain(
        {
            "inputs": reals("inputs", "points"),
            "bias": interval(0, 2),
            "vectors": reals("vectors", "points"),
            "step": interval(0, 1),
        },
        {"inputs": range(1, 4), "points": range(1, 4), "vectors": range(1, 4)},
    ),
    false_neighbours={
        "0.01 percent more": partial(cost_descends, ratio=10_001),
        "along the covariance itself": partial(cost_descends, inverted=False),
    },
)

MEASURE = Claim(
    id="feature_learning.remark_11.measure",
    title="The pairs of rank at most N have measure zero",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=derivative_has_rank,
    domain=Domain(
        {"vectors": integers(-3, 3, "vectors", "points"), **SLOPE},
        {"vectors": range(1, 5), "points": range(1, 4)},
        hypotheses={"no entry is zero": no_kink},
    ),
    tight={f"{n + 1} vectors for {n} points": Tight(partial(open_set, n)) for n in OPEN_SETS},
    false_neighbours={
        "less than N(N+1)": partial(derivative_has_rank, less=1),
        "less than kN": partial(derivative_has_rank, fewer=1),
    },
    exact={"determinants for 3 and 4 vectors": regular_derivatives},
)

PRINTED_MEASURE = Claim(
    id="feature_learning.remark_11.printed_measure",
    title="The pairs that are not of full rank have measure zero",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="feature_learning.remark_11.measure"),
    statement=derivative_is_singular,
    domain=Domain(
        {"vectors": integers(-3, 3, "vectors", "points"), **SLOPE},
        {"vectors": range(1, 5), "points": range(1, 4)},
        hypotheses={"no entry is zero": no_kink},
        sizes_where=lambda sizes: sizes["vectors"] < sizes["points"] * (sizes["points"] + 1),
    ),
    false_neighbours={},
)
