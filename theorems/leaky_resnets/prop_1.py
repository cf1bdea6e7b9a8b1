r"""Proposition 1: the cost of identity without bias is at least an effective dimension.

.. math:: \|A\|_{\bar K}^2 \ge \frac{\|A\|_*^2}{\|A\|_F^2} \qquad (A \ne 0,\ \|A\|_* = \textstyle\sum_i s_i(A)) .

This is true with the convention that the cost is infinite where no weights keep A, and false for the bare formula
:math:`\|A\bar\sigma(A)^+\|_F^2` (``.printed``), which is 0 for a single negative activation. What is checked is the inequality
times :math:`\|A\|_F^2`, so that A = 0 is no exception, and:

- the chain :math:`\|A\|_{\bar K}^2 \ge \|A\|_*^2 / \|\bar\sigma(A)\|_F^2 \ge \|A\|_*^2 / \|A\|_F^2` (``.chain``), for the
  rows (2, -1), (-1, 2) 2.5, 2 and 1.6;
- with a bias, :math:`\|A\|_K^2 \ge \|A\|_*^2 / (\|\bar\sigma(A)\|_F^2 + N)` (``.with_bias``), while the printed bound fails;
- the minimum in the proof (``.minimiser``): :math:`\|AB^+\|_F^2\|B\|_F^2 \ge \|A\|_*^2` for all B with
  :math:`\mathrm{Im}\,A^T \subset \mathrm{Im}\,B^T`, attained with :math:`\|B\|_F = \|A\|_F` by
  :math:`B = \|A\|_F\|A\|_*^{-1/2}(A^TA)^{1/4}`. The print leaves out the condition, without which B = 0 gives 0.

The proof is :math:`\|A\|_* = \|WB\|_* \le \|W\|_F\|B\|_F` for every W with WB = A. Equality holds for A = I.

Source: leaky_resnets, Proposition 1.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    bias_free_cost_is_finite,
    cost_is_finite,
    fit,
    is_not_zero,
    numbers_like,
    rounding,
    transposed,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, derived, eq, ge, integers, reals
from verify.arithmetic import Array, compare, floats, rationals, sqrt
from verify.matrices import nuclear_norm, operator_norm, psd_power, pseudo_inverse, rank
from verify.matrices.arguments import checked
from verify.networks.leaky_resnet import is_in_row_space, rectified, squared_norm


def effective_dimension_bound(
    A: Array, percent: int = 100, whole: int = 100, *, bias: bool = False, of_rank: bool = False
) -> Relation:
    """The cost against the effective dimension (or the rank), both times the squared norm."""
    smallest, size = bare_cost(A, bias=bias), squared_norm(A)
    bound = numbers_like(A, rank(A)) * size if of_rank else nuclear_norm(A) ** 2
    return ge(smallest.squared_norm * size, bound * percent / whole, noise=smallest.noise * floats(size))


def chain(A: Array, percent: int = 100, *, largest: bool = False) -> Relation:
    """The cost against the nuclear norm over the norm of the ReLU, and that norm against the norm of A."""
    smallest, kept = bare_cost(A, bias=False), rectified(A)
    size = operator_norm(kept) ** 2 if largest else squared_norm(kept)
    first = ge(smallest.squared_norm * size, nuclear_norm(A) ** 2 * percent / 100, noise=smallest.noise * floats(size))
    return first & ge(squared_norm(A), size)


def bound_with_bias(A: Array, points: int = 100) -> Relation:
    """The cost with bias against the nuclear norm; the ones add the number of points (in percent) to the norm."""
    smallest = bare_cost(A)
    size = squared_norm(rectified(A)) + points * A.shape[-1] / numbers_like(A, np.array(100))
    return ge(smallest.squared_norm * size, nuclear_norm(A) ** 2, noise=smallest.noise * floats(size))


def smallest_product(pair: tuple[Array, Array], percent: int = 100, *, nuclear: bool = True) -> Relation:
    """Smallest weights that give A from B, and the norm of B, against the nuclear norm of A (or rank times norm)."""
    A, B = pair
    smallest, size = fit(A, B), squared_norm(B)
    bound = nuclear_norm(A) ** 2 if nuclear else squared_norm(A) * numbers_like(A, rank(A))
    return ge(smallest.squared_norm * size, bound * percent / 100, noise=smallest.noise * floats(size))


def best_features(A: Array) -> Array:
    r""":math:`\frac{\|A\|_F}{\sqrt{\|A\|_*}}(A^TA)^{1/4}`, shape ``(..., w, N) -> (..., N, N)``, for A that is not zero.

    Of all B with the norm of A, it has the smallest :math:`\|AB^+\|_F^2`, namely :math:`\|A\|_*^2/\|A\|_F^2`.

    Raises
    ------
    ValueError
        A is no matrix of finite numbers, or is zero.
    RankUndecided
        In floats, the singular values spread too much for the rank of :math:`A^TA`.

    Source: leaky_resnets, Proposition 1, proof.
    """
    A = checked(A, "A")
    if not is_not_zero(A).all():
        raise ValueError("A must not be zero, got a matrix of zeros")
    return powered(A, Fraction(1, 4))


def powered(A: Array, exponent: Fraction) -> Array:
    """The formula of `best_features` with any exponent."""
    scale = np.asarray(sqrt(squared_norm(A) / nuclear_norm(A)))
    return np.asarray(scale[..., None, None] * psd_power(transposed(A) @ A, exponent))


def best_features_attain(A: Array, exponent: Fraction = Fraction(1, 4), percent: int = 100) -> Relation:
    """Norm and cost of the best features, and that the power taken for the pseudo-inverse of their Gram matrix is that."""
    B, size, nuclear = powered(A, exponent), squared_norm(A), nuclear_norm(A)
    inverse = np.asarray(nuclear / size)[..., None, None] * psd_power(transposed(A) @ A, -2 * exponent)
    left = pseudo_inverse(A)
    kept = transposed(B) @ B @ inverse @ transposed(A)
    return (
        eq(squared_norm(B), size, noise=rounding(size, A, left, 2))
        & eq((A @ inverse * A).sum(axis=(-2, -1)) * size, percent * nuclear**2 / 100, noise=rounding(size**2, A, left, 2))
        & eq(kept, transposed(A), noise=rounding(sqrt(size), A, left, 3)[..., None, None], over=2)
    )


def combined(rows: Array, mix: Array, B: Array, inside: Array) -> tuple[Array, Array]:
    """Rows that are combinations of those of B unless `inside` is 0, and B."""
    return np.where(compare(inside, 0)[..., None, None] == 0, rows, mix @ B), B


def pair_fits(pair: tuple[Array, Array]) -> Array:
    """Whether the rows of the first matrix are combinations of those of the second."""
    return is_in_row_space(*pair)


def identity() -> dict[str, Any]:
    """As many neurons as points, each active for one point."""
    return {"A": rationals(np.eye(3, dtype=np.int64)[None])}


def one_point() -> dict[str, Any]:
    """One point, one neuron."""
    return {"A": rationals([[[3]]])}


def identity_pair() -> dict[str, Any]:
    """The identity and a multiple of it."""
    one = rationals(np.eye(2, dtype=np.int64)[None])
    return {"pair": (one, 2 * one)}


def three_bounds() -> Relation:
    """For the rows (2, -1), (-1, 2): the cost, and both bounds of the chain."""
    A = rationals([[[2, -1], [-1, 2]]])
    values = [
        bare_cost(A, bias=False).squared_norm,
        nuclear_norm(A) ** 2 / squared_norm(rectified(A)),
        nuclear_norm(A) ** 2 / squared_norm(A),
    ]
    return eq(np.concatenate(values), rationals(["5/2", 2, "8/5"]), over=1)


SOURCE = Source("leaky_resnets", "Proposition 1")
PROOF = Source("leaky_resnets", "Proposition 1, proof")
FINITE = {"the cost without bias is finite": bias_free_cost_is_finite}

CLAIM = Claim(
    id="leaky_resnets.prop_1",
    title="The cost of identity without bias is at least an effective dimension",
    source=SOURCE,
    statement=effective_dimension_bound,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"identity": Tight(identity)},
    false_neighbours={
        "1 % more": partial(effective_dimension_bound, percent=101),
        "0.01 % more": partial(effective_dimension_bound, percent=10001, whole=10000),
        "cost with bias": partial(effective_dimension_bound, bias=True),
        "rank": partial(effective_dimension_bound, of_rank=True),
    },
)

PRINTED = Claim(
    id="leaky_resnets.prop_1.printed",
    title="The bare formula for the cost is at least an effective dimension",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=effective_dimension_bound,
    domain=Domain({"A": REPRESENTATION}, SHAPES),
    false_neighbours={},
)

CHAIN = Claim(
    id="leaky_resnets.prop_1.chain",
    title="The cost, the nuclear norm over the norm of the ReLU, and the effective dimension",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=chain,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"identity": Tight(identity)},
    false_neighbours={
        "1 % more": partial(chain, percent=101),
        "operator norm of the ReLU": partial(chain, largest=True),
    },
    exact={"(2, -1), (-1, 2): 5/2, 2, 8/5": three_bounds},
    cost=4,
)

WITH_BIAS = Claim(
    id="leaky_resnets.prop_1.with_bias",
    title="The cost with bias and the nuclear norm",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=bound_with_bias,
    domain=Domain({"A": REPRESENTATION}, SHAPES, {"the cost is finite": cost_is_finite}),
    needs=("the cost is finite",),
    tight={"one point": Tight(one_point)},
    false_neighbours={
        "without the number of points": partial(bound_with_bias, points=0),
        "1 % fewer points": partial(bound_with_bias, points=99),
    },
    cost=4,
)

MINIMISER = Claim(
    id="leaky_resnets.prop_1.minimiser",
    title="The smallest product of norms of two factors is the nuclear norm",
    source=PROOF,
    status=Ours(),
    statement=smallest_product,
    domain=Domain(
        {
            "pair": derived(
                combined,
                rows=reals("width", "points"),
                mix=reals("width", "height"),
                B=reals("height", "points"),
                inside=integers(0, 2),
            )
        },
        {"width": range(1, 3), "points": range(1, 4), "height": range(1, 3)},
        {"the rows of A are combinations of those of B": pair_fits},
    ),
    needs=("the rows of A are combinations of those of B",),
    tight={"identity": Tight(identity_pair)},
    false_neighbours={
        "1 % more": partial(smallest_product, percent=101),
        "rank times norm": partial(smallest_product, nuclear=False),
    },
    cost=4,
)

ATTAINED = Claim(
    id="leaky_resnets.prop_1.attained",
    title="A fourth root attains the smallest product",
    source=PROOF,
    statement=best_features_attain,
    domain=Domain(
        {"A": reals("width", "points")}, {"width": range(1, 4), "points": range(1, 4)}, {"A is not zero": is_not_zero}
    ),
    false_neighbours={
        "square root": partial(best_features_attain, exponent=Fraction(1, 2)),
        "1 % less": partial(best_features_attain, percent=99),
    },
    cost=4,
)
