r"""The cost of identity is the least squared norm of weights.

Statement
    .. math:: \|A\|_K^2 = \mathrm{Tr}[AK^+A^T] = \|A\sigma(A)^+\|_F^2 = \min\{\|W\|_F^2 : W\sigma(A) = A\} ,

    and the cost is infinite where no W gives A.
Correction
    The text says that the cost is the Frobenius norm, not its square. This is false for one neuron and one point, where the
    cost of a > 0 is :math:`a^2/(a^2 + 1)`.
Checked
    All weights that give A are :math:`A\sigma(A)^+ + Z(I - \sigma(A)\sigma(A)^+)`: Z is drawn. No weights give A exactly where
    the rank grows when A joins its features: every residual :math:`A - W\sigma(A)` has at least the missing rank.
Proof idea
    The two parts of the sum are orthogonal.
Tight
    Features of full row rank: the weights are unique. The residual of the weights that come closest has the missing rank.
Source
    leaky_resnets, Section 1.3.
"""

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    cost,
    cost_without_bias,
    inverse_kernel,
    is_finite,
    sigma,
    weights,
)
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Source, reals
from verify.numbers.arithmetic import rationals
from verify.words import concatenate, eq, ge, norm2, pinv, rank, relu, sqrt, trace


def weights_that_keep(A, Z):
    r""":math:`A\sigma(A)^+ + Z(I - \sigma(A)\sigma(A)^+)`."""
    F = sigma(A)
    return weights(A) + Z - Z @ F @ pinv(F)


def cost_by_kernel(A):
    return trace(A @ inverse_kernel(A) @ A.T)


def smallest_norm(A, Z):
    F, W = sigma(A), weights_that_keep(A, Z)
    return (
        # with what Z gives on both sides, for A may be zero
        eq(W @ F + Z @ F, A + Z @ F, name="the weights give A")
        & ge(norm2(W), cost(A), name="none are smaller")
        & eq(cost_by_kernel(A), cost(A), name="by the kernel")
    )


def cost_is_the_norm(A):
    """As printed: the norm of the smallest weights, not squared."""
    return eq(cost_by_kernel(A), sqrt(cost(A)))


def missing_rank(A, W, features=sigma):
    return ge(rank(A - W @ sigma(A)), rank(concatenate([sigma(A), A])) - rank(features(A)))


# False variants


def smallest_norm_without_bias(A, Z):
    return ge(norm2(weights_that_keep(A, Z)), cost_without_bias(A))


def smallest_norm_not_squared(A, Z):
    return ge(norm2(weights_that_keep(A, Z)), sqrt(cost(A)))


def residual_has_the_rank_of_A(A, W):
    """As if no feature were of any use."""
    return ge(rank(A - W @ sigma(A)), rank(A))


def nearest_weights():
    """More points than weights: the residual of the weights that come closest."""
    A = rationals([[-1, -2, 4, 1], [-2, 1, 0, 0]])
    return {"A": A, "W": weights(A)}


SECTION = Source("leaky_resnets", "Section 1.3")
FINITE = {"the cost is finite": is_finite}

CLAIM = Claim(
    id="leaky_resnets.cost_of_identity",
    title="The cost of identity is the least squared norm that keeps A",
    source=SECTION,
    status=DerivedHere(),
    statement=smallest_norm,
    domain=Domain(
        {
            "A": REPRESENTATION,
            "Z": reals("width", lambda sizes: sizes["width"] + 1, role="small weights of a residual layer"),
        },
        SHAPES,
        FINITE,
    ),
    needs=tuple(FINITE),
    # the features have full row rank
    tight={"unique weights": {"A": [[1, -2, 3], [0, 1, 1]], "Z": [[1, 2, 3], [4, 5, 6]]}},
    false_variants={
        "cost without bias": smallest_norm_without_bias,
        "the norm for its square": smallest_norm_not_squared,
    },
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.cost_of_identity.printed",
    title="The cost of identity is the norm, not squared, of the smallest weights",
    source=SECTION,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=cost_is_the_norm,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    false_variants={},
)

INFINITE = Claim(
    id="leaky_resnets.cost_of_identity.infinite",
    title="Where the rank grows, no weights keep the representation",
    source=SECTION,
    statement=missing_rank,
    domain=Domain(
        {"A": REPRESENTATION, "W": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer")}, SHAPES
    ),
    tight={"nearest weights": nearest_weights},
    false_variants={"features without the ones": {"features": relu}, "the rank of A": residual_has_the_rank_of_A},
)
