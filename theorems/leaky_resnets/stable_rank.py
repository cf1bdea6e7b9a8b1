r"""The effective dimension lies between the stable rank and the rank, and is continuous.

Statement
    .. math:: \frac{\|A\|_F^2}{\|A\|_{op}^2} \le \frac{\|A\|_*^2}{\|A\|_F^2} \le \mathrm{Rank}\,A \qquad (A \ne 0) .

    Either is an equality if and only if all non-zero singular values are equal.
Checked
    Both inequalities, and what they lose (ours), with r the rank:

    .. math:: r\|A\|_F^2 = \|A\|_*^2 + \sum_{i<j\le r}(s_i - s_j)^2, \qquad
              s_1\|A\|_* = \|A\|_F^2 + \sum_i s_i(s_1 - s_i).

    The effective dimension is continuous on :math:`A \ne 0` (ours): for :math:`\rho(A) = \|A\|_*/\|A\|_F` and m = min(w, N),

    .. math:: (\rho(A) - \rho(A'))^2\,\|A\|_F\|A'\|_F \le (m - 1)\|A - A'\|_F^2 ,

    while the rank in place of the square of rho is not.
Proof idea
    Of the last: for unit vectors s, s' of singular values, :math:`d = s - s'` is orthogonal to :math:`p = s + s' \ge 0`, and
    :math:`(1\cdot d)^2 \le \|d\|^2 (m - (1\cdot p)^2/\|p\|^2) \le (m - 1)\|d\|^2`; singular values move less than matrices.
Sharp
    Multiples of partial isometries; for the continuity, a step that leaves rank one.
Source
    leaky_resnets, Section 1.4; the identities and the modulus of continuity are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import cut_to_rank, is_not_zero
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, le, reals
from verify.arithmetic import Array, compare, rationals, sqrt
from verify.matrices import nuclear_norm, operator_norm, rank, singular_values, stable_rank
from verify.networks.leaky_resnet import squared_norm


def effective_dimension(A: Array) -> Array:
    r""":math:`\|A\|_*^2/\|A\|_F^2`, shape ``(..., w, N) -> (...)``, for A that is not zero."""
    return np.asarray(nuclear_norm(A) ** 2 / squared_norm(A))


def between_two_ranks(A: Array) -> Relation:
    """The effective dimension against both ranks."""
    middle = effective_dimension(A)
    return ge(middle, stable_rank(A), name="stable rank") & le(middle, rank(A), name="rank")


def gaps_to_equality(A: Array) -> Relation:
    """What both inequalities lose, in singular values."""
    values = singular_values(A)
    inside = np.arange(values.shape[-1]) < rank(A)[..., None]
    below_first = (values * (values[..., :1] - values)).sum(axis=-1)
    return eq(rank(A) * squared_norm(A), nuclear_norm(A) ** 2 + _differences(values, inside), name="rank") & eq(
        operator_norm(A) * nuclear_norm(A), squared_norm(A) + below_first, name="stable rank"
    )


def _differences(values: Array, inside: Array) -> Array:
    """The sum of the squared differences of all pairs of the values that are `inside`."""
    gaps = values[..., :, None] - values[..., None, :]
    pairs = (inside[..., :, None] & inside[..., None, :]).astype(int)
    # a product, for the square of a ball around zero by `**` is not a number
    return np.asarray((gaps * gaps * pairs).sum(axis=(-2, -1)) / 2)


Pair = tuple[Array, Array]
"""Two matrices of one shape."""


def modulus_of_continuity(pair: Pair) -> Relation:
    """The root of the effective dimension at two matrices against their distance."""
    A, other = pair
    return _moves_little(pair, nuclear_norm(A) / sqrt(squared_norm(A)), nuclear_norm(other) / sqrt(squared_norm(other)), 1)


def _moves_little(pair: Pair, first: Array, second: Array, less: int) -> Relation:
    """The difference of two numbers, with min(w, N) - `less` in the bound."""
    A, other = pair
    difference = first - second
    moved = difference * difference * sqrt(squared_norm(A) * squared_norm(other))
    return le(moved, (min(A.shape[-2:]) - less) * squared_norm(A - other))


# False variants


def the_other_way_round(A: Array) -> Relation:
    """Below the stable rank and above the rank."""
    middle = effective_dimension(A)
    return le(middle, stable_rank(A)) & ge(middle, rank(A))


def dimension_without_squares(A: Array) -> Relation:
    """The norms, not squared."""
    return ge(sqrt(effective_dimension(A)), stable_rank(A))


def differences_of_all_values(A: Array) -> Relation:
    """The differences of all singular values, also of those beyond the rank."""
    values = singular_values(A)
    everywhere = np.ones(values.shape, dtype=bool)
    return eq(rank(A) * squared_norm(A), nuclear_norm(A) ** 2 + _differences(values, everywhere))


def distance_to_the_second_value(A: Array) -> Relation:
    """The second singular value for the first."""
    values = singular_values(A)
    below = (values * (values[..., 1:2] - values)).sum(axis=-1)
    return eq(operator_norm(A) * nuclear_norm(A), squared_norm(A) + below)


def modulus_with_two_less(pair: Pair) -> Relation:
    """M - 2 for m - 1."""
    A, other = pair
    return _moves_little(pair, nuclear_norm(A) / sqrt(squared_norm(A)), nuclear_norm(other) / sqrt(squared_norm(other)), 2)


def rank_is_continuous(pair: Pair) -> Relation:
    """The root of the rank for that of the effective dimension."""
    A, other = pair
    return _moves_little(pair, sqrt(rank(A)), sqrt(rank(other)), 1)


def moved_by(A: Array, step: Array, near: Array) -> Pair:
    """A and a matrix beside it, or far from it where `near` is 0."""
    fraction = np.where(compare(near, 0) == 0, near * 0 + 1, (near * 0 + 1) / 64)
    return A, A + fraction[..., None, None] * step


def are_not_zero(pair: Pair) -> Array:
    """Whether neither matrix is zero."""
    return is_not_zero(pair[0]) & is_not_zero(pair[1])


def isometry(kept: int = 2, lost: int = 1) -> dict[str, Any]:
    """All three ranks are the number of coordinates that are kept, and exchanged."""
    return {"A": 3 * rationals([np.diag([1] * kept + [0] * lost)[::-1]])}


def leaving_rank_one() -> dict[str, Any]:
    """From diag(1, 0, 0) to diag(1, e, e)."""
    first = rationals([[[1, 0, 0], [0, 0, 0], [0, 0, 0]]])
    return {"pair": (first, rationals([[[1, 0, 0], [0, "1/100000000", 0], [0, 0, "1/100000000"]]]))}


def singular_values_two_and_one() -> Relation:
    """Singular values 2 and 1 have the ranks 5/4, 9/5 and 2."""
    A = rationals([[[2, 0], [0, 1]]])
    return eq(np.concatenate([stable_rank(A), effective_dimension(A), rank(A)]), rationals(["5/4", "9/5", 2]), over=1)


SHAPES = {"width": range(1, 4), "points": range(1, 5)}
PRODUCT = derived(cut_to_rank, left=reals("width", "width"), right=reals("width", "points"), drop=integers(0, 1))
OURS = Source("leaky_resnets", "ours")


CLAIM = Claim(
    id="leaky_resnets.stable_rank",
    title="The effective dimension lies between the stable rank and the rank",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=between_two_ranks,
    domain=Domain({"A": PRODUCT}, SHAPES, {"A is not zero": is_not_zero}),
    tight={
        "multiple of a partial isometry": Tight(isometry, of=("stable rank", "rank")),
        "multiple of an isometry of rank 3": Tight(partial(isometry, 3, 0), of=("stable rank", "rank")),
        "of rank 3 in four dimensions": Tight(partial(isometry, 3), of=("stable rank", "rank")),
        "of rank 1": Tight(partial(isometry, 1, 2), of=("stable rank", "rank")),
    },
    false_neighbours={"the other way round": the_other_way_round, "norms, not squared": dimension_without_squares},
    exact={"2 and 1": singular_values_two_and_one},
    cost=2,
)

EQUALITY = Claim(
    id="leaky_resnets.stable_rank.equality",
    title="The bounds of the effective dimension lose differences of singular values",
    source=OURS,
    status=Ours(),
    statement=gaps_to_equality,
    domain=Domain({"A": PRODUCT}, SHAPES),
    false_neighbours={
        "values beyond the rank, too": differences_of_all_values,
        "the second value for the first": distance_to_the_second_value,
    },
)

CONTINUOUS = Claim(
    id="leaky_resnets.stable_rank.continuous",
    title="The effective dimension is continuous away from zero",
    source=OURS,
    status=Ours(),
    statement=modulus_of_continuity,
    domain=Domain(
        {"pair": derived(moved_by, A=PRODUCT, step=reals("width", "points"), near=integers(0, 1))},
        {"width": range(2, 4), "points": range(2, 5)},
        {"neither matrix is zero": are_not_zero},
    ),
    tight={"leaving rank one": Tight(leaving_rank_one, 1e-7, "the constant is a supremum, approached as the step shrinks")},
    false_neighbours={"m - 2": modulus_with_two_less, "the rank is continuous": rank_is_continuous},
    cost=2,
)
