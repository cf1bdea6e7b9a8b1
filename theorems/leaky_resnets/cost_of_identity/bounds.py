r"""The cost of identity is 0 for zero only, no larger than without bias, and lower semicontinuous.

Statement
    The cost is 0 only for A = 0, and a bias never makes it larger. It is lower semicontinuous in A.
Checked
    :math:`\|A\|_K^2\|\sigma(A)\|_{op}^2 \ge \|A\|_F^2`. The cost with bias against the cost without. For every Y,

    .. math:: \|A\|_K^2 \ge 2\mathrm{Tr}[YA^T] - \|Y\sigma(A)^T\|_F^2 ,

    with equality for :math:`Y = AK^+`: a supremum of continuous functions of A is lower semicontinuous. The cost is not
    continuous: without bias diag(1, e) costs 2 for e > 0, 1 for e = 0, and is infinite for e < 0.
Proof idea
    :math:`\|A\| = \|W\sigma(A)\| \le \|W\|\|\sigma(A)\|_{op}`; the bound with Y is :math:`\|W - Y\sigma(A)^T\|^2 \ge 0`.
Sharp
    One point; constants that are no combination of the rows; the best Y.
Not checked
    That the bound with Y has no upper limit where the cost is infinite.
Source
    leaky_resnets, Sections 1.3 and 1.4; the semicontinuity is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    bias_free_cost_is_finite,
    cost_is_finite,
    transposed,
    with_rows,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, ge, le, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import nuclear_norm, operator_norm, rank
from verify.networks.leaky_resnet import feature_matrix, inner, kernel_inverse, rectified, squared_norm


def zero_only_for_zero(A: Array) -> Relation:
    """The cost against what it is at least."""
    return ge(bare_cost(A).squared_norm * operator_norm(feature_matrix(A)) ** 2, squared_norm(A))


def bias_is_cheaper(A: Array) -> Relation:
    """The cost with a bias against the cost without."""
    return le(bare_cost(A).squared_norm, bare_cost(A, bias=False).squared_norm)


def dual_value(A: Array, Y: Array) -> Array:
    r""":math:`2\mathrm{Tr}[YA^T] - \|Y\sigma(A)^T\|_F^2`."""
    return np.asarray(2 * inner(Y, A) - squared_norm(Y @ transposed(feature_matrix(A))))


def best_dual(A: Array) -> Array:
    """:math:`AK^+`."""
    return np.asarray(A @ kernel_inverse(A))


def dual_bound(A: Array, Y: Array) -> Relation:
    """The cost against its lower bound for a given Y, and for the best."""
    cost = bare_cost(A).squared_norm
    return ge(cost, dual_value(A, Y), name="bound") & eq(cost, dual_value(A, best_dual(A)), name="attained")


# False variants


def nuclear_norm_for_norm(A: Array) -> Relation:
    """The nuclear norm for the Frobenius norm."""
    return ge(bare_cost(A).squared_norm * operator_norm(feature_matrix(A)) ** 2, nuclear_norm(A) ** 2)


def features_without_ones(A: Array) -> Relation:
    """The operator norm of the features without bias."""
    return ge(bare_cost(A).squared_norm * operator_norm(rectified(A)) ** 2, squared_norm(A))


def bias_is_dearer(A: Array) -> Relation:
    """The other way round."""
    return ge(bare_cost(A).squared_norm, bare_cost(A, bias=False).squared_norm)


def dual_bound_without_ones(A: Array, Y: Array) -> Relation:
    """The quadratic term without the ones."""
    return ge(bare_cost(A).squared_norm, 2 * inner(Y, A) - squared_norm(Y @ transposed(rectified(A))))


def dual_bound_with_the_norm(A: Array, Y: Array) -> Relation:
    """The quadratic term, not squared."""
    return ge(bare_cost(A).squared_norm, 2 * inner(Y, A) - sqrt(squared_norm(Y @ transposed(feature_matrix(A)))))


def one_point() -> dict[str, Any]:
    """One point: the norm of A is the product of the norms of the weights and of the features."""
    return {"A": rationals([[[3]]])}


def off_the_origin() -> dict[str, Any]:
    """Not negative, and the constants are not among the combinations of the rows: the bias is no use."""
    return {"A": rationals([[[1, 2, 0], [0, 1, 0]]])}


def singular_kernel() -> dict[str, Any]:
    """The best Y for a representation with negative entries and a singular kernel."""
    A = rationals([[[1, 2, 0, 3], [1, 0, 2, -1]]])
    return {"A": A, "Y": best_dual(A)}


def costs_near_a_diagonal() -> Relation:
    """Without bias, diag(1, e) costs 2 for e = 1 and e = 2**-40, 1 for e = 0; for e = -2**-40 the rank grows."""
    costs, grows = [], []
    for numerator, power in ((1, 0), (1, 40), (0, 0), (-1, 40)):
        A = rationals([[[1, 0], [0, 0]]])
        A[0, 1, 1] = rationals(numerator) / 2**power
        grows.append(rank(with_rows(rectified(A), A)) - rank(rectified(A)))
        if numerator >= 0:
            costs.append(bare_cost(A, bias=False).squared_norm)
    finite = eq(np.concatenate(costs), rationals([2, 2, 1]), over=1)
    return finite & eq(np.concatenate(grows), rationals([0, 0, 0, 1]), over=1)


FINITE = {"the cost is finite": cost_is_finite}
FINITE_WITHOUT_BIAS = {"the cost without bias is finite": bias_free_cost_is_finite}

ZERO = Claim(
    id="leaky_resnets.cost_of_identity.zero",
    title="Only the zero representation costs nothing",
    source=Source("leaky_resnets", "Section 1.3"),
    statement=zero_only_for_zero,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"one point": Tight(one_point)},
    false_variants={
        "the nuclear norm for the Frobenius norm": nuclear_norm_for_norm,
        "features without the ones": features_without_ones,
    },
    cost=4,
)

BIAS = Claim(
    id="leaky_resnets.cost_of_identity.bias",
    title="A bias never makes the identity dearer",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=bias_is_cheaper,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE_WITHOUT_BIAS),
    needs=tuple(FINITE_WITHOUT_BIAS),
    tight={"constants outside of the row space": Tight(off_the_origin)},
    false_variants={"the other way round": bias_is_dearer},
    cost=4,
)

SEMICONTINUOUS = Claim(
    id="leaky_resnets.cost_of_identity.semicontinuous",
    title="The cost of identity is a supremum of continuous functions",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=dual_bound,
    domain=Domain({"A": REPRESENTATION, "Y": reals("width", "points", role="second values")}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"best Y": Tight(singular_kernel, of=("bound",))},
    false_variants={
        "features without the ones": dual_bound_without_ones,
        "the quadratic term, not squared": dual_bound_with_the_norm,
    },
    exact={"diag(1, e): finite for e >= 0 only, and not continuous": costs_near_a_diagonal},
    cost=4,
)
