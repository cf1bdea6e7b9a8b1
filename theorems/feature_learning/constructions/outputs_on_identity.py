r"""Shallow networks on X = I: outputs with a given root :math:`\sqrt{Y^TY}`, and layers near the optimum.

Source: feature_learning, Proposition 14.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.feature_learning.constructions.layers import gram
from theorems.feature_learning.constructions.pruning import in_use
from verify import derived, integers, interval
from verify.arithmetic import Array, absolute, compare, widened
from verify.instances import lifted
from verify.matrices import rank

Problem = tuple[Array, Array, Array]
"""A, outputs Y, and vectors."""


@widened
def reflected(matrix: Array, normal: Array) -> Array:
    r""":math:`(I - 2vv^T/\|v\|^2)A`, whose covariance is that of A: outputs Y with :math:`\sqrt{Y^TY} = A`, or A for v = 0."""
    square = (normal * normal).sum(axis=-1)
    length = square + np.where(compare(square, 0) == 0, 0 * square + 1, 0 * square)
    shadow = (normal[..., :, None] * matrix).sum(axis=-2) / length[..., None]
    return np.asarray(matrix - 2 * normal[..., :, None] * shadow[..., None, :])


@widened
def problem_near_optimum(factor: Array, normal: Array, noise: Array, kind: Array) -> Problem:
    """A, Y, and the vectors that are best (kind 0), others with their signs (1), or any of both signs (2)."""
    root, share = gram(factor), kind[..., None, None]
    other = noise + share * (noise - absolute(noise)) / 2
    vectors = np.where(compare(share, 0) == 0, factor, np.where(compare(share, 1) == 0, absolute(noise), other))
    return root, reflected(root, normal), np.asarray(vectors)


@lifted
@widened
def reached(outputs: Array, rectified: Array, weights: Array) -> npt.NDArray[np.bool_]:
    """Whether the outputs are combinations of the activated vectors with positive weights."""
    rows = in_use(weights)[..., None] * rectified
    return np.asarray(rank(np.concatenate([rows, outputs], axis=-2)) == rank(rows))


PROBLEM = derived(
    problem_near_optimum,
    factor=integers(0, 2, "neurons", "points"),
    normal=integers(-1, 1, "points"),
    noise=integers(-3, 3, "neurons", "points"),
    kind=integers(0, 2),
)
WEIGHTS = interval(0, np.inf, "neurons")
SIZES = {"neurons": (1, 2, 3, 5), "points": (1, 3, 4)}
