r"""The cost of identity: what it costs a layer to pass a representation on unchanged.

With :math:`K = \sigma(A)^T\sigma(A)`, the cost :math:`\|A\|_K^2 = \mathrm{Tr}[AK^+A^T]` is the smallest *squared* Frobenius
norm of a W with :math:`W\sigma(A) = A`, attained by :math:`A\sigma(A)^+` alone, and it is infinite where there is no such W.
(The text says "the Frobenius norm": ``.printed``, false already for one neuron and one point, where the cost of a > 0 is
:math:`a^2/(a^2 + 1)`.)

What is checked: every W with :math:`W\sigma(A) = A` is the smallest plus :math:`Z(I - \sigma(A)\sigma(A)^+)`, so that a random
Z tries them all. No W exists exactly where the rank grows when A joins its features: every residual
:math:`A - W\sigma(A)` has at least the missing rank (``.infinite``). From :math:`\|A\| \le \|W\|\|\sigma(A)\|_{op}` the cost is
0 only for A = 0 (``.zero``). A bias never makes the identity dearer (``.bias``). For every Y,

.. math:: \|A\|_K^2 \ge 2\mathrm{Tr}[YA^T] - \|Y\sigma(A)^T\|_F^2 ,

with equality for :math:`Y = AK^+`, and without a bound on the right where the cost is infinite: a supremum of continuous
functions of A is lower semicontinuous (``.semicontinuous``). It is not continuous: without bias diag(1, e) costs 2 for e > 0,
1 for e = 0, and is infinite for e < 0. Instances: dead neurons, negative entries, more points than neurons, singular kernels.

Source: leaky_resnets, Sections 1.3 and 1.4.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    bare_cost,
    bias_free_cost_is_finite,
    cost_is_finite,
    numbers_like,
    rounding,
    transposed,
    with_rows,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Relation, Source, Tight, eq, ge, le, reals
from verify.arithmetic import Array, floats, rationals, sqrt
from verify.matrices import operator_norm, pseudo_inverse, rank
from verify.networks.leaky_resnet import activation_kernel, cost_of_identity, feature_matrix, rectified, squared_norm


def smallest_norm(A: Array, move: Array, percent: int = 100, *, bias: bool = True, squared: bool = True) -> Relation:
    """All weights that give A from its features against the smallest ones, and the two formulas for the cost."""
    F, smallest = feature_matrix(A), bare_cost(A, bias=bias)
    inverse = pseudo_inverse(F)
    others = A @ inverse + move - move @ F @ inverse
    size = squared_norm(A) * squared_norm(inverse) + squared_norm(move)
    reached = sqrt(size * squared_norm(F))
    bound = smallest.squared_norm * percent / 100 if squared else sqrt(smallest.squared_norm)
    through_kernel = ((A @ pseudo_inverse(activation_kernel(A))) * A).sum(axis=(-2, -1))
    return (
        eq(others @ F, A, scale=reached[..., None, None], noise=rounding(reached, F, inverse, 2)[..., None, None], over=2)
        & ge(squared_norm(others), bound, noise=rounding(size, F, inverse) + smallest.noise)
        & eq(through_kernel, smallest.squared_norm, scale=size, noise=rounding(size, F, inverse, 2))
        & eq(cost_of_identity(A), smallest.squared_norm, scale=size, noise=smallest.noise)
    )


def attained_norm(A: Array, power: int = 2) -> Relation:
    """The cost against a power of the norm of the smallest weights; in the text the power is 1."""
    smallest, kernel = bare_cost(A), activation_kernel(A)
    cost = ((A @ pseudo_inverse(kernel)) * A).sum(axis=(-2, -1))
    norm = smallest.squared_norm if power == 2 else sqrt(smallest.squared_norm)
    inverse = pseudo_inverse(feature_matrix(A))
    return eq(cost, norm, noise=rounding(squared_norm(A) * squared_norm(inverse), feature_matrix(A), inverse, 2))


def missing_rank(A: Array, weights: Array, more: int = 0, *, bias: bool = True) -> Relation:
    """How far every choice of weights stays from A: at least as many dimensions as A adds to its features."""
    F, chosen = feature_matrix(A, bias=bias), weights[..., : A.shape[-2] + bias]
    missing = rank(with_rows(F, A)) - rank(F) + more
    return ge(numbers_like(A, rank(A - chosen @ feature_matrix(A, bias=bias))), numbers_like(A, missing))


def zero_only_for_zero(A: Array, percent: int = 100, *, bias: bool = True) -> Relation:
    """The cost against what it is at least."""
    smallest = bare_cost(A)
    largest = operator_norm(feature_matrix(A, bias=bias)) ** 2
    return ge(smallest.squared_norm * largest, percent * squared_norm(A) / 100, noise=smallest.noise * floats(largest))


def bias_is_cheaper(A: Array, percent: int = 100, *, reverse: bool = False) -> Relation:
    """The cost with a bias against the cost without."""
    with_bias, without = bare_cost(A), bare_cost(A, bias=False)
    compared = ge if reverse else le
    noise = with_bias.noise + without.noise
    return compared(with_bias.squared_norm, without.squared_norm * percent / 100, noise=noise)


def dual_bound(A: Array, Y: Array, percent: int = 200, *, bias: bool = True) -> Relation:
    """The cost against its lower bound for a given Y."""
    smallest = bare_cost(A)
    linear = (Y * A).sum(axis=(-2, -1))
    quadratic = squared_norm(Y @ transposed(feature_matrix(A, bias=bias)))
    size = smallest.squared_norm + squared_norm(Y) + squared_norm(A) + quadratic
    return ge(smallest.squared_norm, percent * linear / 100 - quadratic, scale=size, noise=smallest.noise)


def representations_with_weights() -> dict[str, Any]:
    """Two neurons, three points: the features have full row rank, and the weights are unique."""
    return {"A": rationals([[[1, -2, 3], [0, 1, 1]]]), "move": rationals([[[1, 2, 3], [4, 5, 6]]])}


def one_point() -> dict[str, Any]:
    """One point: the norm of A is the product of the norms of the weights and of the features."""
    return {"A": rationals([[[3]]])}


def off_the_origin() -> dict[str, Any]:
    """Not negative, and the constants are not among the combinations of the rows: the bias is no use."""
    return {"A": rationals([[[1, 2, 0], [0, 1, 0]]])}


def best_dual() -> dict[str, Any]:
    """:math:`Y = AK^+` for a representation with negative entries and a singular kernel."""
    A = rationals([[[1, 2, 0, 3], [1, 0, 2, -1]]])
    return {"A": A, "Y": A @ pseudo_inverse(activation_kernel(A))}


def best_weights() -> dict[str, Any]:
    """More points than weights: the residual of the weights that come closest has exactly the missing rank."""
    A = rationals([[[-1, -2, 4, 1], [-2, 1, 0, 0]]])
    return {"A": A, "weights": bare_cost(A).weights}


def costs_near_a_diagonal() -> Relation:
    """Without bias, diag(1, e) costs 2 for every e > 0 and 1 for e = 0; the rank test says infinite for every e < 0."""
    costs, ranks = [], []
    for numerator, power in ((1, 0), (1, 40), (0, 0), (-1, 40)):
        A = rationals([[[1, 0], [0, 0]]])
        A[0, 1, 1] = rationals(numerator) / 2**power
        ranks.append(rank(with_rows(rectified(A), A)) - rank(rectified(A)))
        if numerator >= 0:
            costs.append(bare_cost(A, bias=False).squared_norm)
    finite = eq(np.concatenate(costs), rationals([2, 2, 1]), over=1)
    return finite & eq(rationals(np.concatenate(ranks)), rationals([0, 0, 0, 1]), over=1)


SECTION = Source("leaky_resnets", "Section 1.3")
OURS = Source("leaky_resnets", "ours")
FINITE = {"the cost is finite": cost_is_finite}

CLAIM = Claim(
    id="leaky_resnets.cost_of_identity",
    title="The cost of identity is the smallest squared norm of weights that keep a representation",
    source=SECTION,
    status=Ours(),
    statement=smallest_norm,
    domain=Domain({"A": REPRESENTATION, "move": reals("width", lambda sizes: sizes["width"] + 1)}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"unique weights": Tight(representations_with_weights)},
    false_neighbours={
        "1 % more": partial(smallest_norm, percent=101),
        "cost without bias": partial(smallest_norm, bias=False),
        "the norm for its square": partial(smallest_norm, squared=False),
    },
    cost=4,
)

PRINTED = Claim(
    id="leaky_resnets.cost_of_identity.printed",
    title="The cost of identity is the norm, not squared, of the smallest weights",
    source=SECTION,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=partial(attained_norm, power=1),
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    false_neighbours={},
)

INFINITE = Claim(
    id="leaky_resnets.cost_of_identity.infinite",
    title="Where the rank grows, no weights keep the representation",
    source=SECTION,
    statement=missing_rank,
    domain=Domain({"A": REPRESENTATION, "weights": reals("width", lambda sizes: sizes["width"] + 1)}, SHAPES),
    tight={"nearest weights": Tight(best_weights)},
    false_neighbours={
        "one dimension more": partial(missing_rank, more=1),
        "two dimensions more": partial(missing_rank, more=2),
    },
    exact={"diag(1, e): finite for e >= 0 only, and not continuous": costs_near_a_diagonal},
)

ZERO = Claim(
    id="leaky_resnets.cost_of_identity.zero",
    title="Only the zero representation costs nothing",
    source=SECTION,
    statement=zero_only_for_zero,
    domain=Domain({"A": REPRESENTATION}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"one point": Tight(one_point)},
    false_neighbours={
        "1 % more": partial(zero_only_for_zero, percent=101),
        "features without the ones": partial(zero_only_for_zero, bias=False),
    },
    cost=4,
)

BIAS = Claim(
    id="leaky_resnets.cost_of_identity.bias",
    title="A bias never makes the identity dearer",
    source=Source("leaky_resnets", "Section 1.4"),
    statement=bias_is_cheaper,
    domain=Domain({"A": REPRESENTATION}, SHAPES, {"the cost without bias is finite": bias_free_cost_is_finite}),
    needs=("the cost without bias is finite",),
    tight={"constants outside of the row space": Tight(off_the_origin)},
    false_neighbours={
        "1 % less": partial(bias_is_cheaper, percent=99),
        "the other way round": partial(bias_is_cheaper, reverse=True),
    },
    cost=4,
)

SEMICONTINUOUS = Claim(
    id="leaky_resnets.cost_of_identity.semicontinuous",
    title="The cost of identity is a supremum of continuous functions",
    source=OURS,
    status=Ours(),
    statement=dual_bound,
    domain=Domain({"A": REPRESENTATION, "Y": reals("width", "points")}, SHAPES, FINITE),
    needs=tuple(FINITE),
    tight={"best Y": Tight(best_dual)},
    false_neighbours={
        "2.02 instead of 2": partial(dual_bound, percent=202),
        "features without the ones": partial(dual_bound, bias=False),
    },
    cost=4,
)
