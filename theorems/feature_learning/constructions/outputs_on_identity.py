r"""Shallow networks on X = I: outputs with a given root :math:`\sqrt{Y^TY}`, and layers near the optimum.

Source: feature_learning, Proposition 14.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theorems.feature_learning.constructions.layers import gram
from verify import derived, integers, interval
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import absolute, concatenate, norm2, rank, relu, where

Problem = tuple[Array, Array, Array]
"""A, outputs Y, and vectors."""


@widened
def covariances(V: Array, alpha: Array, sigma: Callable[[Array], Array] = relu) -> tuple[Array, Array]:
    r""":math:`\sum_i\alpha_i(v_iv_i^T, \sigma(v_i)\sigma(v_i)^T)` for the rows v of V."""
    image = sigma(V)
    return V.T @ (alpha[:, None] * V), image.T @ (alpha[:, None] * image)


@widened
def reflected(A: Array, v: Array) -> Array:
    r""":math:`(I - 2vv^T/\|v\|^2)A`, whose covariance is that of A: outputs Y with :math:`\sqrt{Y^TY} = A`, or A for v = 0."""
    square = norm2(v)
    return A - 2 * np.outer(v, v @ A / where(square == 0, 1, square))


@widened
def problem_near_optimum(factor: Array, normal: Array, noise: Array, kind: Array) -> Problem:
    """A, Y, and the vectors that are best (kind 0), others with their signs (1), or any of both signs (2)."""
    A, both = gram(factor), noise + kind * (noise - absolute(noise)) / 2
    return A, reflected(A, normal), where(kind == 0, factor, where(kind == 1, absolute(noise), both))


@widened
def reached(outputs: Array, rectified: Array, weights: Array) -> Any:
    """Whether the outputs are combinations of the activated vectors with positive weights."""
    rows = (weights > 0)[:, None] * rectified
    return rank(concatenate([rows, outputs])) == rank(rows)


PROBLEM = derived(
    problem_near_optimum,
    factor=integers(0, 2, "neurons", "points"),
    normal=integers(-1, 1, "points"),
    noise=integers(-3, 3, "neurons", "points"),
    kind=integers(0, 2),
)
WEIGHTS = interval(0, np.inf, "neurons")
SIZES = {"neurons": (1, 2, 3, 5), "points": (1, 3, 4)}
