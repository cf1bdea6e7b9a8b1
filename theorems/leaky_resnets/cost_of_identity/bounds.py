r"""The cost of identity: zero, bias and lower semicontinuity.

Statement
    The cost is 0 only for A = 0, and a bias never makes it larger. It is lower semicontinuous in A.
Checked
    :math:`\|A\|_K^2\|\sigma(A)\|_{op}^2 \ge \|A\|_F^2`. The cost with bias against the cost without. For every Y,

    .. math:: \|A\|_K^2 \ge 2\mathrm{Tr}[YA^T] - \|Y\sigma(A)^T\|_F^2 ,

    with equality for :math:`Y = AK^+`: a supremum of continuous functions of A is lower semicontinuous. The cost is not
    continuous: without bias diag(1, e) costs 2 for e > 0, 1 for e = 0, and is infinite for e < 0.
Proof idea
    :math:`\|A\| = \|W\sigma(A)\| \le \|W\|\|\sigma(A)\|_{op}`; the bound with Y is :math:`\|W - Y\sigma(A)^T\|^2 \ge 0`.
Tight
    One point; constants that are no combination of the rows; the best Y.
Not checked
    That the bound with Y has no upper limit where the cost is infinite.
Source
    leaky_resnets, Sections 1.3 and 1.4; the semicontinuity is derived here.
"""

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    cost,
    cost_without_bias,
    inverse_kernel,
    is_finite,
    is_finite_without_bias,
    sigma,
)
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, inner, le, norm, norm2, nuclear_norm, operator_norm, rank, relu, stack


def zero_only_for_zero(A):
    return ge(cost(A) * operator_norm(sigma(A)) ** 2, norm2(A))


def bias_is_cheaper(A):
    return le(cost(A), cost_without_bias(A))


def dual_value(A, Y):
    return 2 * inner(Y, A) - norm2(Y @ sigma(A).T)


def dual_bound(A, Y):
    return ge(cost(A), dual_value(A, Y), name="bound") & eq(cost(A), dual_value(A, A @ inverse_kernel(A)), name="attained")


# False variants


def nuclear_norm_for_norm(A):
    return ge(cost(A) * operator_norm(sigma(A)) ** 2, nuclear_norm(A) ** 2)


def features_without_ones(A):
    return ge(cost(A) * operator_norm(relu(A)) ** 2, norm2(A))


def bias_is_dearer(A):
    return ge(cost(A), cost_without_bias(A))


def dual_bound_without_ones(A, Y):
    return ge(cost(A), 2 * inner(Y, A) - norm2(Y @ relu(A).T))


def dual_bound_with_the_norm(A, Y):
    return ge(cost(A), 2 * inner(Y, A) - norm(Y @ sigma(A).T))


def singular_kernel():
    """The best Y for a representation with negative entries and a singular kernel."""
    A = rationals([[1, 2, 0, 3], [1, 0, 2, -1]])
    return {"A": A, "Y": A @ inverse_kernel(A)}


def costs_near_a_diagonal():
    """Without bias, diag(1, e) costs 2 for e = 1 and e = 2**-40, 1 for e = 0; for e = -2**-40 the rank grows."""
    diagonals = [rationals([[1, 0], [0, e]]) for e in (1, Q(1, 2**40), 0, -Q(1, 2**40))]
    grows = [rank(concatenate([relu(A), A])) - rank(relu(A)) for A in diagonals]
    return eq(stack([cost_without_bias(A) for A in diagonals[:3]]), rationals([2, 2, 1])) & eq(
        stack(grows), rationals([0, 0, 0, 1])
    )


FINITE = {"the cost is finite": is_finite}
FINITE_WITHOUT_BIAS = {"the cost without bias is finite": is_finite_without_bias}

ZERO = Claim(
    id="leaky_resnets.cost_of_identity.zero",
    title="Only the zero representation costs nothing",
    source=Source("leaky_resnets", "Section 1.3"),
    statement=zero_only_for_zero,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"one point": {"A": [[3]]}},
    false_variants={
        "the nuclear norm for the Frobenius norm": nuclear_norm_for_norm,
        "features without the ones": features_without_ones,
    },
    cost=4,
)

BIAS = Claim(
    id="leaky_resnets.cost_of_identity.bias",
    title="A bias never raises the cost of the identity",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=bias_is_cheaper,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE_WITHOUT_BIAS),
    needs=tuple(FINITE_WITHOUT_BIAS),
    # the constants are not among the combinations of the rows: the bias is no use
    tight={"constants outside of the row space": {"A": [[1, 2, 0], [0, 1, 0]]}},
    false_variants={"the other way round": bias_is_dearer},
    cost=4,
)

SEMICONTINUOUS = Claim(
    id="leaky_resnets.cost_of_identity.semicontinuous",
    title="The cost of identity is a supremum of continuous functions",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
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
