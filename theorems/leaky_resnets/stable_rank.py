r"""The effective dimension between the stable rank and the rank.

.. math:: \frac{\|A\|_F^2}{\|A\|_{op}^2} \le \frac{\|A\|_*^2}{\|A\|_F^2} \le \mathrm{Rank}\,A \qquad (A \ne 0) .

Both sides are identities in disguise (``.equality``), with r the rank:

.. math:: r\|A\|_F^2 - \|A\|_*^2 = \sum_{i<j\le r}(s_i - s_j)^2, \qquad s_1\|A\|_* - \|A\|_F^2 = \sum_i s_i(s_1 - s_i),

so that equality on either side means that all non-zero singular values are equal. The effective dimension is continuous on
:math:`A \ne 0` (``.continuous``): for :math:`\rho(A) = \|A\|_*/\|A\|_F` and :math:`m = \min(w, N)`,

.. math:: (\rho(A) - \rho(A'))^2\,\|A\|_F\|A'\|_F \le (m - 1)\|A - A'\|_F^2 .

Proof of the last: for unit vectors s, s' of singular values, :math:`d = s - s'` is orthogonal to :math:`p = s + s' \ge 0`, and
:math:`(1\cdot d)^2 \le \|d\|^2 (m - (1\cdot p)^2/\|p\|^2) \le (m - 1)\|d\|^2`; singular values move less than matrices. The
constant m - 1 is best, and the rank in place of the square of rho is not continuous.

Source: leaky_resnets, Section 1.4; the identities and the modulus of continuity are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import cut_to_rank, is_not_zero, numbers_like
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, ge, integers, le, reals
from verify.arithmetic import Array, absolute, compare, floats, rationals, sqrt
from verify.matrices import nuclear_norm, operator_norm, rank, singular_values, stable_rank
from verify.networks.leaky_resnet import squared_norm
from verify.relation import FLOAT_ULPS


def effective_dimension(A: Array) -> Array:
    r""":math:`\|A\|_*^2/\|A\|_F^2`, shape ``(..., w, N) -> (...)``, for A that is not zero."""
    return np.asarray(nuclear_norm(A) ** 2 / squared_norm(A))


def between_two_ranks(A: Array, stable: int = 100, full: int = 100, *, swapped: bool = False) -> Relation:
    """The effective dimension against both ranks, which are multiplied by percentages."""
    middle, dimension = effective_dimension(A), numbers_like(A, rank(A))
    below, above = (le, ge) if swapped else (ge, le)
    return below(middle, stable * stable_rank(A) / 100) & above(middle, full * dimension / 100)


def gaps_to_equality(A: Array, twice: int = 1, *, kept: bool = True) -> Relation:
    """What both inequalities lose, in singular values; the last ones count as zero beyond the rank."""
    values, dimension = singular_values(A), rank(A)
    inside = numbers_like(A, (np.arange(values.shape[-1]) < dimension[..., None]).astype(np.int64))
    pairs = inside[..., :, None] * inside[..., None, :] if kept else 1
    gaps = values[..., :, None] - values[..., None, :]
    # a product, for the square of a ball around zero by `**` is not a number
    differences = (gaps * gaps * pairs).sum(axis=(-2, -1)) / 2
    size, nuclear = squared_norm(A), nuclear_norm(A)
    flat = (values * (values[..., :1] - values)).sum(axis=-1)
    scale = floats(size) * A.shape[-1]
    right = eq(numbers_like(A, dimension) * size - nuclear**2, twice * differences, scale=scale)
    return right & eq(operator_norm(A) * nuclear - size, twice * flat, scale=scale)


def moved_by(A: Array, step: Array, near: Array) -> tuple[Array, Array]:
    """A and a matrix beside it, or far from it where `near` is 0."""
    fraction = np.where(compare(near, 0) == 0, near * 0 + 1, (near * 0 + 1) / 64)
    return A, A + fraction[..., None, None] * step


def are_not_zero(pair: tuple[Array, Array]) -> Array:
    """Whether neither matrix is zero."""
    return is_not_zero(pair[0]) & is_not_zero(pair[1])


def modulus_of_continuity(pair: tuple[Array, Array], percent: int = 100, less: int = 1, *, of_rank: bool = False) -> Relation:
    """The root of the effective dimension (or of the rank) at two matrices against their distance."""
    A, other = pair
    m, sizes = min(A.shape[-2:]), [squared_norm(A), squared_norm(other)]
    if of_rank:
        roots = [sqrt(numbers_like(one, rank(one))) for one in (A, other)]
    else:
        roots = [nuclear_norm(one) / sqrt(size) for one, size in zip((A, other), sizes, strict=True)]
    size = sqrt(sqrt(sizes[0] * sizes[1]))
    moved, constant = absolute(roots[0] - roots[1]) * size, sqrt(numbers_like(A, np.array([percent * max(m - less, 0)])) / 100)
    noise = FLOAT_ULPS * 2.0**-52 * m * floats(size)
    return le(moved, constant * sqrt(squared_norm(A - other)), scale=size, noise=noise)


def isometry() -> dict[str, Any]:
    """All three ranks are 2."""
    return {"A": rationals([[[0, 3, 0], [3, 0, 0], [0, 0, 0]]])}


def leaving_rank_one() -> dict[str, Any]:
    """From diag(1, 0, 0) to diag(1, e, e)."""
    first = rationals([[[1, 0, 0], [0, 0, 0], [0, 0, 0]]])
    return {"pair": (first, rationals([[[1, 0, 0], [0, "1/1000000", 0], [0, 0, "1/1000000"]]]))}


def singular_values_two_and_one() -> Relation:
    """Singular values 2 and 1 have the ranks 5/4, 9/5 and 2."""
    A = rationals([[[2, 0], [0, 1]]])
    values = [stable_rank(A), effective_dimension(A), rationals(rank(A))]
    return eq(np.concatenate(values), rationals(["5/4", "9/5", 2]), over=1)


SHAPES = {"width": range(1, 4), "points": range(1, 5)}
PRODUCT = derived(cut_to_rank, left=reals("width", "width"), right=reals("width", "points"), drop=integers(0, 1))
NOT_ZERO = {"A is not zero": is_not_zero}
OURS = Source("leaky_resnets", "ours")


CLAIM = Claim(
    id="leaky_resnets.stable_rank",
    title="Stable rank, effective dimension, rank",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=between_two_ranks,
    domain=Domain({"A": PRODUCT}, SHAPES, NOT_ZERO),
    tight={"multiple of a partial isometry": Tight(isometry)},
    false_neighbours={
        "1 % more stable rank": partial(between_two_ranks, stable=101),
        "1 % less rank": partial(between_two_ranks, full=99),
        "the other way round": partial(between_two_ranks, swapped=True),
    },
    exact={"2 and 1": singular_values_two_and_one},
    cost=2,
)

EQUALITY = Claim(
    id="leaky_resnets.stable_rank.equality",
    title="What the bounds of the effective dimension lose",
    source=OURS,
    status=Ours(),
    statement=gaps_to_equality,
    domain=Domain({"A": PRODUCT}, SHAPES),
    tight={"multiple of a partial isometry": Tight(isometry)},
    false_neighbours={
        "twice": partial(gaps_to_equality, twice=2),
        "values beyond the rank, too": partial(gaps_to_equality, kept=False),
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
    tight={"leaving rank one": Tight(leaving_rank_one, 1e-5, "the constant is a supremum, approached as the step shrinks")},
    false_neighbours={
        "1 % less": partial(modulus_of_continuity, percent=99),
        "m - 2": partial(modulus_of_continuity, less=2),
        "the rank is continuous": partial(modulus_of_continuity, of_rank=True),
    },
    cost=2,
)
