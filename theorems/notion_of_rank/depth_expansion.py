r"""What the cost of a matrix exceeds the rank by: it decreases with the depth, to twice the log of the pseudo-determinant.

For the representation cost :math:`R(A; L) = L\sum_i s_i(A)^{2/L}` of linear networks (``linear_networks``), with sums over the
non-zero singular values, let

.. math:: E(L) = R(A; L) - L\,\mathrm{rank} A = L\sum_i (s_i^{2/L} - 1) .

What is checked, for matrices of any rank and all depths L >= 1:

.. math:: 2\log|A|_+ \le E(L) \le 2\log|A|_+ + \frac2L\sum_i (\log s_i)^2\max(1, s_i^{2/L}) , \qquad E(L + 1) \le E(L)

(the second is ``.monotone``). So E decreases to :math:`2\log|A|_+`; for partial isometries, orthogonal projections for example,
it is 0 and R = L rank A at every depth.

The cost per layer R / L is another matter. It does not increase with L where all non-zero singular values are at least 1, and
does not decrease where all are at most 1 (``.per_layer``). In general it is not monotone: for the singular values 3 and 1/20
it falls until L = 8 and grows from there on. Nor is its limit, the rank, approached uniformly in A:
:math:`s = q^L` gives :math:`R / L = q^2` at that depth for a matrix of rank 1, however small q is.

Idea of the proof: with :math:`t = 2\log s / L`, :math:`1 + t \le e^t \le 1 + t + \frac{t^2}2\max(1, e^t)`, and
:math:`(e^t - 1)/t` increases with t.

Source: ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.given_depth import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.linear_networks import plane_rotations, rotation, rounding_of_schatten_power
from theorems.notion_of_rank.ridge import rotated
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, is_exact, log, maximum, power, rational, rationals
from verify.matrices import log_pseudo_determinant, rank, schatten_power, singular_values
from verify.matrices.ranks import zero_threshold


def cost_per_layer(matrix: Array, depth: int) -> Array:
    r""":math:`R(A; L) / L = \sum_i s_i^{2/L}`, shape ``(..., m, n) -> (...)``."""
    return schatten_power(matrix, Fraction(2, depth))


def rounding(matrix: Array, depth: int) -> npt.NDArray[np.float64]:
    """Absolute error of `cost_per_layer`."""
    return rounding_of_schatten_power(matrix, Fraction(2, depth))


def excess(matrix: Array, depth: int) -> Array:
    r""":math:`E(L) = L(\sum_i s_i^{2/L} - \mathrm{rank} A)`, shape ``(..., m, n) -> (...)``."""
    return np.asarray(depth * (cost_per_layer(matrix, depth) - rank(matrix)))


def positive_singular_values(matrix: Array) -> Array:
    """The singular values, descending, shape ``(..., m, n) -> (..., k)``, with 0 for those that are rounding errors of 0."""
    values = singular_values(matrix)
    return np.where(np.arange(values.shape[-1]) < np.asarray(rank(matrix))[..., None], values, 0 * values)


def logs_of(values: Array) -> Array:
    """Logarithms, entrywise, of values that are not negative; 0 for 0, which no sum then counts."""
    return log(np.where(compare(values, 0) > 0, values, 0 * values + 1))


def remainder(values: Array, depth: int, larger: bool = True) -> Array:
    r""":math:`\frac2L\sum_i(\log s_i)^2\max(1, s_i^{2/L})` of `values` s, shape ``(..., k) -> (...)``; without the maximum
    unless `larger`.
    """
    growth = power(values, Fraction(2, depth))
    terms = logs_of(values) ** 2 * (maximum(growth, 0 * growth + 1) if larger else 1)
    return np.asarray(terms.sum(axis=-1) * 2 / depth)


def rounding_of_the_log(matrix: Array) -> npt.NDArray[np.float64]:
    """Absolute error of the log of the pseudo-determinant: of every singular value its relative error; 0 for rationals."""
    if is_exact(matrix):
        return np.zeros(matrix.shape[:-2])
    values = singular_values(matrix)
    error = zero_threshold(values.dtype, max(matrix.shape[-2:])) * values[..., :1]
    kept = values > error
    return np.asarray((kept * error / np.where(kept, values, 1.0)).sum(axis=-1))


def bounds_of_the_excess(
    matrix: Array, depth: Depth, logs: int = 20_000, share: int = 10_000, order: int = 1, larger: bool = True
) -> Relation:
    """Both bounds; false neighbours change the factors, in units of 1/10000, the order in 1/L, or drop the maximum."""
    layers = depth.depth
    found, limit = excess(matrix, layers), log_pseudo_determinant(matrix)
    rest = remainder(positive_singular_values(matrix), layers, larger) * share / (10_000 * layers ** (order - 1))
    size = layers * cost_per_layer(matrix, layers)
    noise = layers * rounding(matrix, layers) + 2 * rounding_of_the_log(matrix)
    lower, upper = limit * logs / 10_000, 2 * limit + rest
    return le(lower, found, scale=size, noise=noise) & le(found, upper, scale=size, noise=noise)


def monotone(matrix: Array, depth: Depth, basis_points: int = 0, per_layer: bool = False) -> Relation:
    """The excess at one depth and the next; false neighbours let it fall by so many 1/10000, or take the cost per layer."""
    first, second = depth.depth, depth.depth + 1
    before, after = cost_per_layer(matrix, first), cost_per_layer(matrix, second)
    noise = second * (rounding(matrix, first) + rounding(matrix, second))
    if per_layer:
        return ge(before, after, noise=noise)
    gap = after * basis_points / 10_000
    return ge(excess(matrix, first), excess(matrix, second) + gap, scale=second * (before + after), noise=noise)


def on_one_side(left: Array, values: Array, right: Array, depth: Depth, opposite: bool = False) -> Relation:
    """The cost per layer at one depth and the next, of a matrix with singular values on one side of 1."""
    matrix, first, second = rotated(left, values, right), depth.depth, depth.depth + 1
    before, after = cost_per_layer(matrix, first), cost_per_layer(matrix, second)
    falls = are_at_least_one(values) != opposite
    noise = rounding(matrix, first) + rounding(matrix, second)
    return ge(np.where(falls, before, after), np.where(falls, after, before), noise=noise)


def are_at_least_one(values: Array) -> npt.NDArray[np.bool_]:
    """Whether no entry lies strictly between 0 and 1."""
    return np.asarray(((compare(values, 1) >= 0) | (compare(values, 0) == 0)).all(axis=-1))


def are_on_one_side(values: Array) -> npt.NDArray[np.bool_]:
    """Whether all entries but zeros are at least 1, or all are at most 1."""
    return are_at_least_one(values) | (compare(values, 1) <= 0).all(axis=-1)


def least_at_depth_eight() -> Relation:
    r"""The cost per layer for the singular values 3 and 1/20: a convex function of 1 / L, smallest at L = 8."""
    matrix = rationals([[3, 0], [0, "1/20"]])
    seventh, eighth, ninth = (cost_per_layer(matrix, depth) for depth in (7, 8, 9))
    return le(eighth, seventh) & le(eighth, ninth)


def rank_is_not_approached_uniformly() -> Relation:
    r"""For :math:`A = (10^{-L})`, of rank 1, the cost per layer is 1/100 at depth L."""
    relation = Relation(())
    for depth in range(1, 21):
        relation &= eq(cost_per_layer(rationals([[rational("1/10") ** depth]]), depth), rationals("1/100"))
    return relation


def projection(depth: int) -> dict[str, Any]:
    """An orthogonal projection on a line of the plane: excess, logarithm and remainder are 0."""
    return {"matrix": rationals([["9/25", "12/25"], ["12/25", "16/25"]]), "depth": Depth(depth)}


def powers(depth: int, *roots: object) -> dict[str, Any]:
    """A rotated matrix whose singular values are the L-th powers of `roots`."""
    frames = rotation(rationals([["1/2"], ["-2/3"]]))
    values = rationals(roots) ** depth
    numbers = {"left": frames[0], "values": values, "right": frames[1], "depth": Depth(depth)}
    return {**numbers, "matrix": rotated(frames[0], values, frames[1])}


FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
VALUES = interval(0, np.inf, "dimension")
MATRIX = derived(rotated, left=FRAME, values=VALUES, right=FRAME)
SIZES = {"depth": (1, 2, 3, 4, 6, 8), "dimension": range(1, 3)}
OURS = Source("notion_of_rank", "ours")

CLAIM = Claim(
    id="notion_of_rank.depth_expansion",
    title="The cost of a matrix beyond its rank, up to 1 / L",
    source=OURS,
    status=Ours(),
    statement=bounds_of_the_excess,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES),
    tight={
        "projection, depth 1": Tight(partial(projection, 1)),
        "projection, depth 9": Tight(partial(projection, 9)),
        "zero matrix": Tight(lambda: {"matrix": rationals([[0, 0]]), "depth": Depth(3)}),
    },
    false_neighbours={
        "limit 2.02 log": partial(bounds_of_the_excess, logs=20_200),
        "limit 2.0002 log": partial(bounds_of_the_excess, logs=20_002),
        "limit log": partial(bounds_of_the_excess, logs=10_000),
        "0.99 of the remainder": partial(bounds_of_the_excess, share=9_900),
        "remainder of order 1 / L^2": partial(bounds_of_the_excess, order=2),
        "remainder without the maximum": partial(bounds_of_the_excess, larger=False),
    },
    exact={
        "smallest cost per layer at depth 8": least_at_depth_eight,
        "not uniform": rank_is_not_approached_uniformly,
    },
)

MONOTONE = Claim(
    id="notion_of_rank.depth_expansion.monotone",
    title="The cost beyond the rank decreases with the depth",
    source=OURS,
    status=Ours(),
    statement=monotone,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES),
    tight={"projection": Tight(partial(projection, 3))},
    false_neighbours={
        "falls by 1/10000 of the cost per layer": partial(monotone, basis_points=1),
        "the cost per layer decreases": partial(monotone, per_layer=True),
    },
)

PER_LAYER = Claim(
    id="notion_of_rank.depth_expansion.per_layer",
    title="The cost per layer is monotone on either side of 1",
    source=OURS,
    status=Ours(),
    statement=on_one_side,
    domain=Domain(
        {"left": FRAME, "values": VALUES, "right": FRAME, "depth": GIVEN_DEPTH},
        SIZES,
        {"singular values on one side of 1": are_on_one_side},
    ),
    needs=("singular values on one side of 1",),
    tight={"all equal to 1": Tight(partial(powers, 4, 1, 1))},
    false_neighbours={"the other way": partial(on_one_side, opposite=True)},
)
