"""Pairs of covariances as vectors: the generators of their cone, and the dimension that they span."""

from __future__ import annotations

import numpy as np

from verify.cones.support_graphs import like
from verify.instances import lifted
from verify.networks import HomogeneousActivation
from verify.numbers.arithmetic import Array, compare
from verify.numbers.parameters import widened


@widened
def upper_triangle(products: Array) -> Array:
    """The entries on and above the diagonal, shape ``(..., N, N) -> (..., N(N + 1)/2)``."""
    rows, columns = np.triu_indices(products.shape[-1])
    return np.asarray(products[..., rows, columns])


@lifted
@widened
def second_parts(image: Array) -> Array:
    r"""The upper triangles of :math:`ss^T` for rows s after the activation, ``(..., k, N) -> (..., k, N(N + 1)/2)``."""
    return upper_triangle(image[..., :, None] * image[..., None, :])


@lifted
@widened
def pairs(vectors: Array, slopes: Array) -> Array:
    r"""The upper triangles of :math:`zz^T` and of :math:`\sigma(z)\sigma(z)^T` in a row, ``(..., k, N) -> (..., k, N(N + 1))``.

    `slopes` are those for t > 0 and for t < 0, shape ``(..., 2)``.
    """
    image = HomogeneousActivation(slopes[..., :1], slopes[..., 1:])(vectors)
    return np.concatenate([second_parts(vectors), second_parts(image)], axis=-1)


@lifted
@widened
def dimension_of_pairs(slopes: Array, points: int) -> Array:
    """The dimension that the pairs of `points` data points span."""
    a, d = slopes[..., 0], slopes[..., 1]
    full, half = points * (points + 1), points * (points + 1) // 2
    opposite = np.where(compare(a, -d) == 0, points**2, full)
    return like(np.where(compare(a, d) == 0, half, opposite), slopes)


@lifted
@widened
def slopes_of(slope: Array) -> Array:
    """Slopes 1 and `slope`, shape ``(...) -> (..., 2)``."""
    return np.stack([0 * slope + 1, slope], axis=-1)
