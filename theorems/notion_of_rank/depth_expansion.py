r"""The excess of the cost of a matrix over its rank.

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
Tight
    Partial isometries, orthogonal projections for example, where E = 0 and R = L rank A at every depth. To second order both
    bounds of E meet as the singular values tend to 1.
Source
    derived here, beside the representation cost of linear networks in notion_of_rank.
"""

from functools import partial

import numpy as np

from theorems.shared import spectra
from theorems.shared.balanced import plane_rotations, rotated, rotation
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, interval, reals
from verify.numbers.arithmetic import rational, rationals
from verify.words import eq, ge, le, lifted, log_pseudo_determinant, maximum, power, rank, schatten_power, where

singular_values_or_zero, log_or_zero = lifted(spectra.positive_singular_values), lifted(spectra.logs_of)
rotated_diagonal = lifted(rotated)


def excess(A, L):
    return L * (schatten_power(A, Q(2, L)) - rank(A))


def bounds_of_the_excess(A, depth, logs=2):
    L, E, s = depth, excess(A, depth), singular_values_or_zero(A)
    limit = logs * log_pseudo_determinant(A)
    rest = 2 * (log_or_zero(s) ** 2 * maximum(power(s, Q(2, L)), 1)).sum() / L
    return le(limit, E, name="from below") & le(E, limit + rest, name="from above")


def rest_of_higher_order(A, depth):
    L, s = depth, singular_values_or_zero(A)
    rest = 2 * (log_or_zero(s) ** 2 * maximum(power(s, Q(2, L)), 1)).sum() / L**2
    return le(excess(A, L), 2 * log_pseudo_determinant(A) + rest)


def rest_without_the_maximum(A, depth):
    L, s = depth, singular_values_or_zero(A)
    return le(excess(A, L), 2 * log_pseudo_determinant(A) + 2 * (log_or_zero(s) ** 2).sum() / L)


def rest_with_the_root_of_the_maximum(A, depth):
    L, s = depth, singular_values_or_zero(A)
    rest = 2 * (log_or_zero(s) ** 2 * maximum(power(s, Q(1, L)), 1)).sum() / L
    return le(excess(A, L), 2 * log_pseudo_determinant(A) + rest)


def monotone(A, depth):
    return ge(excess(A, depth), excess(A, depth + 1))


def cost_per_layer_decreases(A, depth):
    return ge(schatten_power(A, Q(2, depth)), schatten_power(A, Q(2, depth + 1)))


def excess_increases(A, depth):
    return le(excess(A, depth), excess(A, depth + 1))


def no_entry_inside(s):
    """Whether no entry lies strictly between 0 and 1."""
    return ((s >= 1) | (s == 0)).all()


def costs(U, s, V, L):
    """Per layer, at one depth and the next: the one that should be larger first."""
    A, falls = rotated_diagonal(U, s, V), no_entry_inside(s)
    before, after = schatten_power(A, Q(2, L)), schatten_power(A, Q(2, L + 1))
    return where(falls, before, after), where(falls, after, before)


def on_one_side(U, s, V, depth):
    larger, smaller = costs(U, s, V, depth)
    return ge(larger, smaller)


def the_other_way(U, s, V, depth):
    larger, smaller = costs(U, s, V, depth)
    return le(larger, smaller)


def least_at_depth_eight():
    """The cost per layer for the singular values 3 and 1/20: a convex function of 1 / L."""
    A = rationals([[3, 0], [0, "1/20"]])
    seventh, eighth, ninth = (schatten_power(A, Q(2, L)) for L in (7, 8, 9))
    return le(eighth, seventh) & le(eighth, ninth)


def not_uniform():
    """For A = 10^(-L), of rank 1, the cost per layer is 1/100 at depth L."""
    return eq([schatten_power(rationals([[rational("1/10") ** L]]), Q(2, L)) for L in range(1, 21)], Q("1/100"))


def projection(L):
    return {"A": rationals([["9/25", "12/25"], ["12/25", "16/25"]]), "depth": L}


def deep(L):
    return {"A": rationals([[2]]), "depth": L}


def isometry():
    U, V = rotation(rationals([["1/2"], ["-2/3"]]))
    return {"U": U, "s": rationals([1, 1]), "V": V, "depth": 4}


FRAME = derived(lifted(rotation), chart=reals(plane_rotations("dimension")))
VALUES = interval(0, np.inf, "dimension")
MATRIX = derived(rotated_diagonal, left=FRAME, values=VALUES, right=FRAME, role="square Jacobian")
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "dimension": range(1, 4)}
OURS = Source("notion_of_rank", "derived here")
ONE_SIDE = "singular values on one side of 1"

CLAIM = Claim(
    id="notion_of_rank.depth_expansion",
    title="Beyond its rank a matrix costs twice the log of its pseudo-determinant",
    source=OURS,
    status=DerivedHere(),
    statement=bounds_of_the_excess,
    domain=Domain({"A": MATRIX}, SIZES),
    tight={
        "projection, depth 1": partial(projection, 1),
        "projection, depth 9": partial(projection, 9),
        "zero matrix": lambda: {"A": rationals([[0, 0]]), "depth": 3},
        "depth 1000": Tight(partial(deep, 1000), 1e-6, "they differ by O(1 / L^2)", of=("from above",)),
        "depth 2000000": Tight(partial(deep, 2_000_000), 1e-6, "they differ by O(1 / L)", of=("from below", "from above")),
    },
    false_variants={
        "twice the log times 101/100": {"logs": Q("101/50")},
        "the log once": {"logs": 1},
        "remainder of order 1 / L^2": rest_of_higher_order,
        "remainder without the maximum": rest_without_the_maximum,
        "s^(1/L) in the maximum": rest_with_the_root_of_the_maximum,
    },
    exact={"smallest cost per layer at depth 8": least_at_depth_eight, "not uniform": not_uniform},
)

MONOTONE = Claim(
    id="notion_of_rank.depth_expansion.monotone",
    title="The cost beyond the rank decreases with the depth",
    source=OURS,
    status=DerivedHere(),
    statement=monotone,
    domain=Domain({"A": MATRIX}, SIZES),
    tight={
        "projection": partial(projection, 3),
        "depth 2000": Tight(partial(deep, 2_000), 1e-6, "the two depths differ by O(1 / L^2)"),
    },
    false_variants={"the cost per layer decreases": cost_per_layer_decreases, "the excess increases": excess_increases},
)

PER_LAYER = Claim(
    id="notion_of_rank.depth_expansion.per_layer",
    title="The cost per layer is monotone if all s_i <= 1, or all s_i >= 1",
    source=OURS,
    status=DerivedHere(),
    statement=on_one_side,
    domain=Domain({"U": FRAME, "s": VALUES, "V": FRAME}, SIZES, {ONE_SIDE: lambda s: no_entry_inside(s) | (s <= 1).all()}),
    needs=(ONE_SIDE,),
    tight={"all equal to 1": isometry},
    false_variants={"the other way": the_other_way},
)
