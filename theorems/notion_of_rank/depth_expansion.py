r"""What the cost of a matrix exceeds the rank by: it decreases with the depth, to twice the log of the pseudo-determinant.

Statement
    For :math:`R(A; L) = L\sum_i s_i(A)^{2/L}` (``linear_networks.cost``), with sums over the non-zero singular values, let
    :math:`E(L) = R(A; L) - L\,\mathrm{rank} A`. For matrices of any rank and all depths L >= 1

    .. math:: 2\log|A|_+ \le E(L) \le 2\log|A|_+ + \frac2L\sum_i (\log s_i)^2\max(1, s_i^{2/L}) , \qquad E(L + 1) \le E(L)

    (the second is ``.monotone``). The cost per layer R / L does not increase with L where all non-zero singular values are at
    least 1, and does not decrease where all are at most 1 (``.per_layer``).
Checked
    All three. R / L is not monotone in general: for the singular values 3 and 1/20 it falls until L = 8 and grows from there
    on. Nor is its limit, the rank, approached uniformly in A: :math:`s = q^L` gives :math:`R / L = q^2` at that depth for a
    matrix of rank 1, however small q is.
Proof idea
    With :math:`t = 2\log s / L`, :math:`1 + t \le e^t \le 1 + t + \frac{t^2}2\max(1, e^t)`, and :math:`(e^t - 1)/t` increases
    with t.
Sharp
    Partial isometries, orthogonal projections for example, where E = 0 and R = L rank A at every depth. To second order both
    bounds of E meet as the singular values tend to 1.
Source
    ours, beside the representation cost of linear networks in notion_of_rank.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.spectra import (
    cost_per_layer,
    excess,
    positive_singular_values,
    quadratic_term,
    remainder,
)
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, rational, rationals
from verify.matrices import log_pseudo_determinant


def bounds_of_the_excess(matrix: Array, depth: Depth, logs: Q | int = 2) -> Relation:
    """Both bounds; `logs` is the factor of the log of the pseudo-determinant."""
    found, limit = excess(matrix, depth.depth), logs * log_pseudo_determinant(matrix)
    rest = remainder(positive_singular_values(matrix), depth.depth)
    return le(limit, found, name="from below") & le(found, limit + rest, name="from above")


def monotone(matrix: Array, depth: Depth) -> Relation:
    """The excess at one depth and the next."""
    return ge(excess(matrix, depth.depth), excess(matrix, depth.depth + 1))


def on_one_side(left: Array, values: Array, right: Array, depth: Depth) -> Relation:
    """The cost per layer at one depth and the next, of a matrix with singular values on one side of 1."""
    matrix, falls = rotated(left, values, right), are_at_least_one(values)
    before, after = cost_per_layer(matrix, depth.depth), cost_per_layer(matrix, depth.depth + 1)
    return ge(np.where(falls, before, after), np.where(falls, after, before))


def are_at_least_one(values: Array) -> npt.NDArray[np.bool_]:
    """Whether no entry lies strictly between 0 and 1."""
    return np.asarray(((compare(values, 1) >= 0) | (compare(values, 0) == 0)).all(axis=-1))


def are_on_one_side(values: Array) -> npt.NDArray[np.bool_]:
    """Whether all entries but zeros are at least 1, or all are at most 1."""
    return are_at_least_one(values) | (compare(values, 1) <= 0).all(axis=-1)


# False variants


def remainder_of_higher_order(matrix: Array, depth: Depth) -> Relation:
    """The upper bound with a remainder of the order 1 / L^2."""
    limit, rest = 2 * log_pseudo_determinant(matrix), remainder(positive_singular_values(matrix), depth.depth)
    return le(excess(matrix, depth.depth), limit + rest / depth.depth)


def remainder_without_the_maximum(matrix: Array, depth: Depth) -> Relation:
    """The upper bound with the quadratic term of the expansion alone."""
    limit, rest = 2 * log_pseudo_determinant(matrix), quadratic_term(positive_singular_values(matrix), depth.depth)
    return le(excess(matrix, depth.depth), limit + rest)


def cost_per_layer_decreases(matrix: Array, depth: Depth) -> Relation:
    """R / L in place of R - L rank A."""
    return ge(cost_per_layer(matrix, depth.depth), cost_per_layer(matrix, depth.depth + 1))


def excess_per_layer_increases(matrix: Array, depth: Depth) -> Relation:
    """The order of the two depths exchanged."""
    return le(excess(matrix, depth.depth), excess(matrix, depth.depth + 1))


def the_other_way(left: Array, values: Array, right: Array, depth: Depth) -> Relation:
    """Monotone in the other direction."""
    matrix, falls = rotated(left, values, right), are_at_least_one(values)
    before, after = cost_per_layer(matrix, depth.depth), cost_per_layer(matrix, depth.depth + 1)
    return le(np.where(falls, before, after), np.where(falls, after, before))


# Single matrices


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


def deep(depth: int) -> dict[str, Any]:
    """The singular value 2 at a large depth, where the bounds meet."""
    return {"matrix": rationals([[2]]), "depth": Depth(depth)}


FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
VALUES = interval(0, np.inf, "dimension")
MATRIX = derived(rotated, left=FRAME, values=VALUES, right=FRAME)
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "dimension": range(1, 4)}
OURS = Source("notion_of_rank", "ours")

CLAIM = Claim(
    id="notion_of_rank.depth_expansion",
    title="Beyond its rank a matrix costs twice the log of its pseudo-determinant, up to 1 / L",
    source=OURS,
    status=Ours(),
    statement=bounds_of_the_excess,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES),
    tight={
        "projection, depth 1": Tight(partial(projection, 1)),
        "projection, depth 9": Tight(partial(projection, 9)),
        "zero matrix": Tight(lambda: {"matrix": rationals([[0, 0]]), "depth": Depth(3)}),
        "depth 1000": Tight(partial(deep, 1000), 1e-6, "they differ by O(1 / L^2)", of=("from above",)),
        "depth 2000000": Tight(partial(deep, 2_000_000), 1e-6, "they differ by O(1 / L)", of=("from below", "from above")),
    },
    false_neighbours={
        "twice the log times 101/100": partial(bounds_of_the_excess, logs=Q("101/50")),
        "the log once": partial(bounds_of_the_excess, logs=1),
        "remainder of order 1 / L^2": remainder_of_higher_order,
        "remainder without the maximum": remainder_without_the_maximum,
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
    tight={
        "projection": Tight(partial(projection, 3)),
        "depth 2000": Tight(partial(deep, 2_000), 1e-6, "the two depths differ by O(1 / L^2)"),
    },
    false_neighbours={
        "the cost per layer decreases": cost_per_layer_decreases,
        "the excess increases": excess_per_layer_increases,
    },
)

PER_LAYER = Claim(
    id="notion_of_rank.depth_expansion.per_layer",
    title="The cost per layer is monotone where all singular values are on one side of 1",
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
    false_neighbours={"the other way": the_other_way},
)
