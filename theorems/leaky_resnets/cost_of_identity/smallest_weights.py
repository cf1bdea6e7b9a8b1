r"""The cost of identity is the smallest squared norm of weights that keep a representation.

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
Sharp
    Features of full row rank: the weights are unique. The residual of the weights that come closest has the missing rank.
Source
    leaky_resnets, Section 1.3.
"""

from __future__ import annotations

from typing import Any

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    cost_is_finite,
    fit,
    with_rows,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, ge, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import rank
from verify.networks.leaky_resnet import feature_matrix, inner, kernel_inverse, squared_norm


def weights_that_keep(A: Array, move: Array) -> Array:
    r""":math:`A\sigma(A)^+ + Z(I - \sigma(A)\sigma(A)^+)` for Z = `move`: all weights that give A, if any do."""
    F = feature_matrix(A)
    return fit(A, F).weights + move - fit(move @ F, F).weights


def cost_by_kernel(A: Array) -> Array:
    r""":math:`\mathrm{Tr}[AK^+A^T]`."""
    return inner(A @ kernel_inverse(A), A)


def smallest_norm(A: Array, move: Array) -> Relation:
    """All weights that give A from its features against the smallest ones, and the formula with the kernel."""
    others, smallest = weights_that_keep(A, move), bare_cost(A).squared_norm
    # with what Z gives on both sides, for A may be zero
    moved = move @ feature_matrix(A)
    return (
        eq(others @ feature_matrix(A) + moved, A + moved, name="the weights give A", over=2)
        & ge(squared_norm(others), smallest, name="none are smaller")
        & eq(cost_by_kernel(A), smallest, name="by the kernel")
    )


def cost_is_the_norm(A: Array) -> Relation:
    """The cost against the norm of the smallest weights, not squared: as printed."""
    return eq(cost_by_kernel(A), sqrt(bare_cost(A).squared_norm))


def missing_rank(A: Array, weights: Array) -> Relation:
    """How far every choice of weights stays from A: at least as many dimensions as A adds to its features."""
    F = feature_matrix(A)
    return ge(rank(A - weights @ F), rank(with_rows(F, A)) - rank(F))


# False variants


def smallest_norm_without_bias(A: Array, move: Array) -> Relation:
    """As if the weights had to do without a bias."""
    return ge(squared_norm(weights_that_keep(A, move)), bare_cost(A, bias=False).squared_norm)


def smallest_norm_not_squared(A: Array, move: Array) -> Relation:
    """The norm of the smallest weights for its square."""
    return ge(squared_norm(weights_that_keep(A, move)), sqrt(bare_cost(A).squared_norm))


def missing_rank_without_the_ones(A: Array, weights: Array) -> Relation:
    """What A and the ones add to the features without bias."""
    F = feature_matrix(A)
    return ge(rank(A - weights @ F), rank(with_rows(F, A)) - rank(feature_matrix(A, bias=False)))


def residual_has_the_rank_of_A(A: Array, weights: Array) -> Relation:
    """As if no feature were of any use."""
    return ge(rank(A - weights @ feature_matrix(A)), rank(A))


def unique_weights() -> dict[str, Any]:
    """Two neurons, three points: the features have full row rank, and the weights are unique."""
    return {"A": rationals([[[1, -2, 3], [0, 1, 1]]]), "move": rationals([[[1, 2, 3], [4, 5, 6]]])}


def nearest_weights() -> dict[str, Any]:
    """More points than weights: the residual of the weights that come closest."""
    A = rationals([[[-1, -2, 4, 1], [-2, 1, 0, 0]]])
    return {"A": A, "weights": bare_cost(A).weights}


WEIGHTS = reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer")
MOVE = reals("width", lambda sizes: sizes["width"] + 1, role="small weights of a residual layer")
SECTION = Source("leaky_resnets", "Section 1.3")
FINITE = {"the cost is finite": cost_is_finite}

CLAIM = Claim(
    id="leaky_resnets.cost_of_identity",
    title="The cost of identity is the smallest squared norm of weights that keep a representation",
    source=SECTION,
    status=Ours(),
    statement=smallest_norm,
    domain=Domain({"A": REPRESENTATION, "move": MOVE}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"unique weights": Tight(unique_weights)},
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
    domain=Domain({"A": REPRESENTATION, "weights": WEIGHTS}, SHAPES),
    tight={"nearest weights": Tight(nearest_weights)},
    false_variants={
        "features without the ones": missing_rank_without_the_ones,
        "the rank of A": residual_has_the_rank_of_A,
    },
)
