r"""The effective dimension is between stable rank and rank.

Statement
    .. math:: \frac{\|A\|_F^2}{\|A\|_{op}^2} \le \frac{\|A\|_*^2}{\|A\|_F^2} \le \mathrm{Rank}\,A \qquad (A \ne 0) .

    Either is an equality if and only if all non-zero singular values are equal.
Checked
    Both inequalities, and what they lose (derived here), with r the rank:

    .. math:: r\|A\|_F^2 = \|A\|_*^2 + \sum_{i<j\le r}(s_i - s_j)^2, \qquad
              s_1\|A\|_* = \|A\|_F^2 + \sum_i s_i(s_1 - s_i).

    The effective dimension is continuous on :math:`A \ne 0` (derived here): for :math:`\rho(A) = \|A\|_*/\|A\|_F` and
    :math:`m = \min(w, N)`,

    .. math:: (\rho(A) - \rho(A'))^2\,\|A\|_F\|A'\|_F \le (m - 1)\|A - A'\|_F^2 ,

    while the rank in place of :math:`\rho^2` is not.
Proof idea
    Of the last: for unit vectors s, s' of singular values, :math:`d = s - s'` is orthogonal to :math:`p = s + s' \ge 0`, and
    :math:`(1\cdot d)^2 \le \|d\|^2 (m - (1\cdot p)^2/\|p\|^2) \le (m - 1)\|d\|^2`; singular values move less than matrices.
Tight
    Multiples of partial isometries; for the continuity, a step that leaves rank one.
Source
    leaky_resnets, Section 1.4; the identities and the modulus of continuity are derived here.
"""

from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.representations import cut_to_rank
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, reals
from verify.numbers.arithmetic import rationals
from verify.words import (
    eq,
    ge,
    le,
    norm,
    norm2,
    nuclear_norm,
    operator_norm,
    rank,
    singular_values,
    sqrt,
    stable_rank,
    stack,
    where,
)


def effective_dimension(A):
    return nuclear_norm(A) ** 2 / norm2(A)


def between_two_ranks(A):
    dimension = effective_dimension(A)
    return ge(dimension, stable_rank(A), name="stable rank") & le(dimension, rank(A), name="rank")


def squared_differences(s, inside):
    """Of all pairs of the values that are `inside`, each pair once."""
    gaps = s[:, None] - s[None, :]
    # a product, for the square of a ball around zero by `**` is not a number
    return (gaps * gaps * (inside[:, None] & inside[None, :])).sum() / 2


def gaps_to_equality(A):
    s, r = singular_values(A), rank(A)
    return eq(r * norm2(A), nuclear_norm(A) ** 2 + squared_differences(s, np.arange(len(s)) < r), name="rank") & eq(
        operator_norm(A) * nuclear_norm(A), norm2(A) + (s * (s[0] - s)).sum(), name="stable rank"
    )


def moved_by(A, D, near):
    """A and a matrix far from it (`near` 0) or beside it (1); or a matrix of rank one and one beside it of full rank (2).

    The last two are diagonal, and all but the first singular value are equal.
    """
    diagonal = np.eye(*A.shape, dtype=np.int64)
    corner = diagonal * (np.arange(len(A)) == 0)[:, None]
    start = where(near == 2, A[0, 0] * corner, A)
    step = where(near == 2, A[0, 0] * D[0, 0] * (diagonal - corner) / 4096, where(near == 0, D, D / 64))
    return start, start + step


def moves_little(pair, x, y, less=1):
    """How far two numbers are apart, against the distance of the matrices."""
    A, B = pair
    return le((x - y) * (x - y) * sqrt(norm2(A) * norm2(B)), (min(A.shape) - less) * norm2(A - B))


def modulus_of_continuity(pair, less=1):
    A, B = pair
    return moves_little(pair, nuclear_norm(A) / norm(A), nuclear_norm(B) / norm(B), less)


# False variants


def the_other_way_round(A):
    dimension = effective_dimension(A)
    return le(dimension, stable_rank(A)) & ge(dimension, rank(A))


def dimension_without_squares(A):
    return ge(sqrt(effective_dimension(A)), stable_rank(A))


def differences_of_all_values(A):
    """Also of those beyond the rank."""
    s = singular_values(A)
    return eq(rank(A) * norm2(A), nuclear_norm(A) ** 2 + squared_differences(s, np.ones(len(s), dtype=bool)))


def distance_to_the_second_value(A):
    s = singular_values(A)
    return eq(operator_norm(A) * nuclear_norm(A), norm2(A) + (s * (s[1:2] - s)).sum())


def nineteen_tenths_in_three_dimensions(pair):
    return modulus_of_continuity(pair, Q(11, 10) if min(pair[0].shape) == 3 else 1)


def rank_is_continuous(pair):
    return moves_little(pair, sqrt(rank(pair[0])), sqrt(rank(pair[1])))


def isometry(kept=2, lost=1):
    """All three ranks are the number of coordinates that are kept, and exchanged."""
    return {"A": 3 * rationals(np.diag([1] * kept + [0] * lost)[::-1])}


def leaving_rank_one():
    """From diag(1, 0, 0) to diag(1, e, e)."""
    e = "1/100000000"
    return {"pair": (rationals([[1, 0, 0], [0, 0, 0], [0, 0, 0]]), rationals([[1, 0, 0], [0, e, 0], [0, 0, e]]))}


def singular_values_two_and_one():
    """Singular values 2 and 1 have the ranks 5/4, 9/5 and 2."""
    A = rationals([[2, 0], [0, 1]])
    return eq(stack([stable_rank(A), effective_dimension(A), rank(A)]), rationals(["5/4", "9/5", 2]))


SHAPES = {"width": range(1, 4), "points": range(1, 5)}
PRODUCT = derived(cut_to_rank, left=reals("width", "width"), right=reals("width", "points"), drop=integers(0, 1), role="values")
OURS = Source("leaky_resnets", "derived here")


CLAIM = Claim(
    id="leaky_resnets.stable_rank",
    title="The effective dimension lies between the stable rank and the rank",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=between_two_ranks,
    domain=Domain({"A": PRODUCT}, SHAPES, {"A is not zero": lambda A: (A != 0).any()}),
    tight={
        "multiple of a partial isometry": Tight(isometry, of=("stable rank", "rank")),
        "multiple of an isometry of rank 3": Tight(partial(isometry, 3, 0), of=("stable rank", "rank")),
        "of rank 3 in four dimensions": Tight(partial(isometry, 3), of=("stable rank", "rank")),
        "of rank 1": Tight(partial(isometry, 1, 2), of=("stable rank", "rank")),
    },
    false_variants={"the other way round": the_other_way_round, "norms, not squared": dimension_without_squares},
    exact={"2 and 1": singular_values_two_and_one},
    cost=2,
)

EQUALITY = Claim(
    id="leaky_resnets.stable_rank.equality",
    title="The bounds of the effective dimension lose gaps of singular values",
    source=OURS,
    status=DerivedHere(),
    statement=gaps_to_equality,
    domain=Domain({"A": PRODUCT}, SHAPES),
    false_variants={
        "values beyond the rank, too": differences_of_all_values,
        "the second value for the first": distance_to_the_second_value,
    },
)

CONTINUOUS = Claim(
    id="leaky_resnets.stable_rank.continuous",
    title="The effective dimension is continuous away from zero",
    source=OURS,
    status=DerivedHere(),
    statement=modulus_of_continuity,
    domain=Domain(
        {
            "pair": derived(
                moved_by, A=PRODUCT, D=reals("width", "points", role="change of values"), near=integers(0, 2, role="0")
            )
        },
        {"width": range(2, 4), "points": range(2, 5)},
        {"neither matrix is zero": lambda pair: (pair[0] != 0).any() & (pair[1] != 0).any()},
    ),
    tight={"leaving rank one": Tight(leaving_rank_one, 1e-7, "the constant is a supremum, approached as the step shrinks")},
    false_variants={
        "m - 2": {"less": 2},
        "19/10 for m = 3": nineteen_tenths_in_three_dimensions,
        "the rank is continuous": rank_is_continuous,
    },
    cost=2,
)
