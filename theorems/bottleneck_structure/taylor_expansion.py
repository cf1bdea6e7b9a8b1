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
Tight
    Partial isometries, where all terms but the first vanish; one singular value at a large depth.
Source
    bottleneck_structure, Section 3, and the end of Section 3.2; the explicit rest is derived here.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.corrections import HALF, second_correction
from theorems.shared.balanced import plane_rotations, rotated, rotation
from verify import Claim, Domain, Q, Rate, Relation, Source, Tight, derived, interval, reals
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import (
    absolute,
    diag,
    eq,
    exp,
    le,
    lifted,
    log,
    log_pseudo_determinant,
    maximum,
    operator_norm,
    power,
    rank,
    schatten_power,
    singular_values,
    sqrt,
    where,
)

FOUR_THIRDS = Q(4, 3)
R2 = lifted(second_correction)


def R1(A):
    return 2 * log_pseudo_determinant(A)


def remainder(A, L):
    r""":math:`L\,(R - L R^{(0)} - R^{(1)})`."""
    return L * (L * (schatten_power(A, Q(2, L)) - rank(A)) - R1(A))


def positive_values(A):
    """The singular values, with 1 in place of 0, whose logarithm no sum counts."""
    s = singular_values(A)
    return where(np.arange(len(s)) < rank(A), s, 1)


def cubes(s, L):
    r""":math:`\frac1L \sum_i |\log s_i|^3 \max(1, s_i^{2/L})`."""
    return (absolute(log(s)) ** 3 * maximum(power(s, Q(2, L)), 1)).sum() / L


def up_to_the_third_order(A, depth, second=HALF, third=FOUR_THIRDS):
    return le(absolute(remainder(A, depth) - R2(A, second)), third * cubes(positive_values(A), depth))


def norm_below_the_second_correction(A):
    return le(operator_norm(A), exp(sqrt(R2(A) / 2)))


def rest_without_the_maximum(A, depth):
    cubes = (absolute(log(positive_values(A))) ** 3).sum()
    return le(absolute(remainder(A, depth) - R2(A)), FOUR_THIRDS * cubes / depth)


def rest_of_higher_order(A, depth):
    return le(absolute(remainder(A, depth) - R2(A)), FOUR_THIRDS * cubes(positive_values(A), depth) / depth)


def square_of_the_logarithm_of_the_determinant(A, depth):
    """As for one singular value."""
    return le(absolute(remainder(A, depth) - R1(A) ** 2 / 2), FOUR_THIRDS * cubes(positive_values(A), depth))


def norm_below_the_first_correction(A):
    return le(operator_norm(A), exp(absolute(log_pseudo_determinant(A))))


def norm_below_a_smaller_root(A):
    """As if the logarithm of the largest singular value were counted twice."""
    return le(operator_norm(A), exp(sqrt(R2(A)) / 2))


def series_in_symbols():
    """The coefficients of L s^(2/L) at 1/L = 0, up to the third order."""
    import sympy as sp

    x, logarithm = sp.symbols("x l")
    found = sp.series(sp.exp(2 * x * logarithm), x, 0, 4).removeO()
    return identically_zero(found - 1 - 2 * logarithm * x - 2 * logarithm**2 * x**2 - sp.Rational(4, 3) * logarithm**3 * x**3)


def same_first_corrections():
    """diag(M, 1/M): rank 2 and determinant 1 for M up to 10^6, where the norm is M."""
    relation = Relation(())
    for M in (1, 10, 1000, 10**6):
        A = diag(rationals([M, f"1/{M}"]))
        relation &= eq(rank(A), 2) & eq(log_pseudo_determinant(A), 0) & eq(operator_norm(A), M)
        relation &= le(absolute(R2(A) - 4 * log(rationals(M)) ** 2), rationals("1e-9"))
    return relation


def distances(values, depths):
    """Distance of the cost to its expansion, for a diagonal matrix, on a ladder of depths."""
    steps = 2 * np.log(np.array(values)) / depths[:, None]
    # the first two terms of the power series are left out, so that nothing cancels
    tails = sum(steps**n / np.prod(np.arange(1, n + 1)) for n in range(3, 20))
    return np.abs((depths[:, None] * tails).sum(axis=-1))


def at_depth(L, *row):
    return {"A": [[*row]], "depth": L}


FRAME = derived(lifted(rotation), chart=reals(plane_rotations("dimension")))
MATRIX = derived(lifted(rotated), left=FRAME, values=interval(0, np.inf, "dimension"), right=FRAME, role="square Jacobian")
DIMENSION = range(1, 4)

CLAIM = Claim(
    id="bottleneck_structure.taylor_expansion",
    title="The cost of a matrix up to the order 1/L",
    source=Source("bottleneck_structure", "Section 3, Taylor expansion for linear networks"),
    statement=up_to_the_third_order,
    domain=Domain({"A": MATRIX}, {"depth": (1, 2, 3, 4, 6, 14), "dimension": DIMENSION}),
    tight={
        "isometry, depth 1": partial(at_depth, 1, "3/5", "-4/5", 0),
        "isometry, depth 9": partial(at_depth, 9, "3/5", "-4/5", 0),
        "zero matrix": partial(at_depth, 3, 0, 0),
        **{
            f"value {s} at depth 10^7": Tight(partial(at_depth, 10**7, s), 1e-6, "the terms of fourth order are left out")
            for s in (2, "1/2")
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
    domain=Domain({"A": MATRIX}, {"dimension": DIMENSION}),
    tight={"rank 1": {"A": [["5/2", 6]]}, "isometry": {"A": [["3/5", "-4/5", 0]]}},
    false_variants={
        "the determinant": norm_below_the_first_correction,
        "a smaller root": norm_below_a_smaller_root,
    },
    exact={"diag(M, 1/M)": same_first_corrections},
)
