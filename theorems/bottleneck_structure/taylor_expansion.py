r"""The cost of a linear network up to the order 1/L.

Statement
    With sums over the non-zero singular values of A,

    .. math:: R(A; L) = L\,\mathrm{rank} A + 2\log|A|_+ + \frac1{2L}\|\log_+ A^TA\|_F^2 + O(L^{-2}) ,

    so that :math:`R^{(0)} = \mathrm{rank} A`, :math:`R^{(1)} = 2\log|A|_+`, and
    :math:`R^{(2)} = \frac12\|\log_+ A^TA\|_F^2 = 2\sum_i(\log s_i)^2`. The last bounds the operator norm of A, which the
    others do not (Section 3.2).
Checked
    The rest, by a cubic bound at every depth:

    .. math:: \bigl|L\,(R - L R^{(0)} - R^{(1)}) - R^{(2)}\bigr|
              \le \frac4{3L}\sum_i|\log s_i|^3\max(1, s_i^{2/L}) .

    That the order is no better, by a fitted exponent. The bound of the operator norm (``.operator_norm``):
    :math:`\|A\|_{op} \le e^{\sqrt{R^{(2)}/2}}`. The matrices diag(M, 1/M) have the same :math:`R^{(0)}` and :math:`R^{(1)}`
    for every M.
Proof idea
    Taylor's formula for :math:`e^t`, :math:`t = \frac2L\log s_i`.
Sharp
    Partial isometries, where all terms but the first vanish; one singular value at a large depth.
Source
    bottleneck_structure, Section 3, and the end of Section 3.2; the explicit rest is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.corrections import HALF, second_correction
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.spectra import excess, logs_of, positive_singular_values
from verify import Claim, Domain, Q, Rate, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, absolute, exp, log, maximum, power, rationals, sqrt
from verify.matrices import log_pseudo_determinant, operator_norm, rank
from verify.symbolic import identically_zero

FOUR_THIRDS = Q("4/3")


def cubic_rest(matrix: Array, depth: int, factor: Q = FOUR_THIRDS) -> Array:
    r""":math:`\frac4{3L}\sum_i|\log s_i|^3\max(1, s_i^{2/L})`."""
    values = positive_singular_values(matrix)
    growth = power(values, Q("2") / depth)
    return np.asarray(factor * (absolute(logs_of(values)) ** 3 * maximum(growth, 0 * growth + 1)).sum(axis=-1) / depth)


def up_to_the_third_order(matrix: Array, depth: Depth, second: Q = HALF, third: Q = FOUR_THIRDS) -> Relation:
    """The difference from the expansion, times L, against the rest."""
    first = depth.depth * (excess(matrix, depth.depth) - 2 * log_pseudo_determinant(matrix))
    return le(absolute(first - second_correction(matrix, second)), cubic_rest(matrix, depth.depth, third))


def norm_below_the_second_correction(matrix: Array) -> Relation:
    """The operator norm and the exponential of the root."""
    return le(operator_norm(matrix), exp(sqrt(second_correction(matrix) / 2)))


# False variants


def rest_without_the_maximum(matrix: Array, depth: Depth) -> Relation:
    """The rest with 1 in place of the maximum."""
    first = depth.depth * (excess(matrix, depth.depth) - 2 * log_pseudo_determinant(matrix))
    rest = FOUR_THIRDS * (absolute(logs_of(positive_singular_values(matrix))) ** 3).sum(axis=-1) / depth.depth
    return le(absolute(first - second_correction(matrix)), rest)


def rest_of_higher_order(matrix: Array, depth: Depth) -> Relation:
    """The rest divided by L once more."""
    first = depth.depth * (excess(matrix, depth.depth) - 2 * log_pseudo_determinant(matrix))
    return le(absolute(first - second_correction(matrix)), cubic_rest(matrix, depth.depth) / depth.depth)


def square_of_the_logarithm_of_the_determinant(matrix: Array, depth: Depth) -> Relation:
    """The second correction as the square of the first one, halved, as for one singular value."""
    first = 2 * log_pseudo_determinant(matrix)
    found = depth.depth * (excess(matrix, depth.depth) - first)
    return le(absolute(found - first**2 / 2), cubic_rest(matrix, depth.depth))


def norm_below_the_first_correction(matrix: Array) -> Relation:
    """The pseudo-determinant in place of the second correction."""
    return le(operator_norm(matrix), exp(absolute(log_pseudo_determinant(matrix))))


def norm_below_a_smaller_root(matrix: Array) -> Relation:
    """As if the logarithm of the largest singular value were counted twice."""
    return le(operator_norm(matrix), exp(sqrt(second_correction(matrix)) / 2))


# Exact parts, the ladder of depths, and tight examples


def series_in_symbols() -> Relation:
    """The coefficients of L s^(2/L) at 1/L = 0, up to the third order."""
    import sympy as sp

    x, logarithm = sp.symbols("x l")
    found = sp.series(sp.exp(2 * x * logarithm), x, 0, 4).removeO()
    return identically_zero(found - 1 - 2 * logarithm * x - 2 * logarithm**2 * x**2 - sp.Rational(4, 3) * logarithm**3 * x**3)


def same_first_corrections() -> Relation:
    """diag(M, 1/M): rank 2 and determinant 1 for M up to 10^6, where the norm is M."""
    relation = Relation(())
    for size in (1, 10, 1000, 10**6):
        matrix = rationals([[size, 0], [0, f"1/{size}"]])
        relation &= eq(rank(matrix), 2) & eq(log_pseudo_determinant(matrix), 0) & eq(operator_norm(matrix), size)
        logarithm = log(rationals(size))
        relation &= le(absolute(second_correction(matrix) - 4 * logarithm**2), rationals("1e-9"))
    return relation


def distances(values: tuple[float, ...], depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost to its expansion, for a diagonal matrix, on a ladder of depths."""
    logs = np.log(np.array(values))
    steps = 2 * logs / depths[:, None]
    # the first two terms of the power series are left out, so that nothing cancels
    tails = sum(steps**n / np.prod(np.arange(1, n + 1)) for n in range(3, 20))
    return np.asarray(np.abs((depths[:, None] * tails).sum(axis=-1)))


def isometry(depth: int) -> dict[str, Any]:
    """A partial isometry: the expansion has one term."""
    return {"matrix": rationals([["3/5", "-4/5", 0]]), "depth": Depth(depth)}


def deep(depth: int, value: object) -> dict[str, Any]:
    """One singular value at a large depth."""
    return {"matrix": rationals([[value]]), "depth": Depth(depth)}


def rank_one(*entries: object) -> dict[str, Any]:
    """A row: its norm is the only singular value, and above 1."""
    return {"matrix": rationals([entries])}


FRAME = derived(rotation, chart=reals(plane_rotations("dimension")))
MATRIX = derived(rotated, left=FRAME, values=interval(0, np.inf, "dimension"), right=FRAME, role="square Jacobian")
SIZES = {"depth": (1, 2, 3, 4, 6, 14), "dimension": range(1, 4)}

CLAIM = Claim(
    id="bottleneck_structure.taylor_expansion",
    title="The cost of a matrix up to the order 1/L",
    source=Source("bottleneck_structure", "Section 3, Taylor expansion for linear networks"),
    statement=up_to_the_third_order,
    domain=Domain({"matrix": MATRIX, "depth": GIVEN_DEPTH}, SIZES),
    tight={
        "isometry, depth 1": Tight(partial(isometry, 1)),
        "isometry, depth 9": Tight(partial(isometry, 9)),
        "zero matrix": Tight(lambda: {"matrix": rationals([[0, 0]]), "depth": Depth(3)}),
        **{
            f"value {value} at depth 10^7": Tight(partial(deep, 10**7, value), 1e-6, "the terms of fourth order are left out")
            for value in (2, "1/2")
        },
    },
    false_variants={
        "the rest without the maximum": rest_without_the_maximum,
        "a rest of higher order": rest_of_higher_order,
        "the first correction squared": square_of_the_logarithm_of_the_determinant,
    },
    exact={"series in symbols": series_in_symbols},
    rate=Rate(partial(distances, (3.0, 0.5, 0.25)), tuple(2**k for k in range(6, 18)), -2.0),
)

OPERATOR_NORM = Claim(
    id="bottleneck_structure.taylor_expansion.operator_norm",
    title="The second correction bounds the operator norm",
    source=Source("bottleneck_structure", "Section 3.2"),
    statement=norm_below_the_second_correction,
    domain=Domain({"matrix": MATRIX}, {"dimension": SIZES["dimension"]}),
    tight={"rank 1": Tight(partial(rank_one, "5/2", 6)), "isometry": Tight(partial(rank_one, "3/5", "-4/5", 0))},
    false_variants={
        "the determinant": norm_below_the_first_correction,
        "a smaller root": norm_below_a_smaller_root,
    },
    exact={"diag(M, 1/M)": same_first_corrections},
)
