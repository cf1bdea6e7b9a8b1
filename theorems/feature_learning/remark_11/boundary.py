r"""Remark 11: why optimal pairs lie on the boundary of the cone.

Statement
    The cost is linear in :math:`K_\ell` with the slope :math:`M = (K_{\ell-1}^\sigma)^+`, which vanishes only where the
    representation before is zero; so from an inner point :math:`K_\ell - \epsilon M` costs :math:`\epsilon\|M\|_F^2` less.
Checked
    That decrease for the first layer, and that it is positive unless X = 0 and there is no bias.
Proof idea
    :math:`\mathrm{Tr}[M(K - \epsilon M)] = \mathrm{Tr}[MK] - \epsilon\|M\|_F^2`.
Source
    feature_learning, Remark 11; the exception is not printed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import gram, trace_of_product, with_bias_row
from theorems.feature_learning.constructions.tuples import kernel_inverse
from verify import Claim, Domain, Relation, Source, Tight, eq, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.cones.support_graphs import like
from verify.matrices import frobenius_norm_squared, rank


def cost_along(direction: Array, inputs: Array, bias: Array, vectors: Array, step: Array) -> tuple[Array, Array, Array]:
    r"""The slope M, and :math:`\mathrm{Tr}[MK]` before and after a step against a direction, K the covariance of `vectors`."""
    slope, covariance = kernel_inverse(with_bias_row(inputs, bias)), gram(vectors)
    moved = covariance - step[..., None, None] * direction
    return slope, trace_of_product(slope, covariance), trace_of_product(slope, moved)


def cost_descends(inputs: Array, bias: Array, vectors: Array, step: Array) -> Relation:
    """The cost along M, and that M has the rank of the representation, so at least 1."""
    features = with_bias_row(inputs, bias)
    slope, here, there = cost_along(kernel_inverse(features), inputs, bias, vectors, step)
    less = step * frobenius_norm_squared(slope)
    # the cost may be zero, before or after
    descent = eq(here + less, there + 2 * less, name="descent")
    return descent & le(like(np.ones(bias.shape, dtype=np.int64), bias), like(rank(slope), bias), name="M is not zero")


# False variants


def along_the_covariance(inputs: Array, bias: Array, vectors: Array, step: Array) -> Relation:
    """The same descent along the covariance itself."""
    slope, here, there = cost_along(gram(with_bias_row(inputs, bias)), inputs, bias, vectors, step)
    return eq(here, there + step * frobenius_norm_squared(slope))


def not_zero(inputs: Array, bias: Array) -> Any:
    """Whether there is anything to see for the first layer."""
    return (compare(frobenius_norm_squared(inputs), 0) > 0) | (compare(bias, 0) > 0)


def one_point() -> dict[str, Array]:
    """X = 1, where M has rank 1."""
    numbers = {"inputs": [[[1]]], "bias": [0], "vectors": [[[2]]], "step": [1]}
    return {name: rationals(number) for name, number in numbers.items()}


BOUNDARY = Claim(
    id="feature_learning.remark_11.boundary",
    title="The derivative of the cost by a covariance vanishes only for X = 0 without bias",
    source=Source("feature_learning", "Remark 11"),
    statement=cost_descends,
    domain=Domain(
        {
            "inputs": reals("inputs", "points"),
            "bias": interval(0, 2),
            "vectors": reals("vectors", "points"),
            "step": interval(0, 1),
        },
        {"inputs": (1, 2, 3), "points": (1, 3, 4), "vectors": (1, 2, 4)},
        {"X is not 0, or there is a bias": not_zero},
    ),
    needs=("X is not 0, or there is a bias",),
    tight={"one point": Tight(one_point, of=("M is not zero",))},
    false_variants={"along the covariance itself": along_the_covariance},
)
