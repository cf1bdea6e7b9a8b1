r"""Powers and logarithms of singular values: the cost of a matrix at a depth, and what it exceeds the rank by."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from verify.matrices import rank, schatten_power, singular_values
from verify.numbers.arithmetic import Array, compare, log, maximum, power
from verify.numbers.parameters import widened


@widened
def cost_per_layer(matrix: Array, depth: int) -> Array:
    r""":math:`R(A; L) / L = \sum_i s_i^{2/L}`, shape ``(..., m, n) -> (...)``."""
    return schatten_power(matrix, Fraction(2, depth))


@widened
def excess(matrix: Array, depth: int) -> Array:
    r""":math:`E(L) = L(\sum_i s_i^{2/L} - \mathrm{rank} A)`, shape ``(..., m, n) -> (...)``."""
    return np.asarray(depth * (cost_per_layer(matrix, depth) - rank(matrix)))


@widened
def positive_singular_values(matrix: Array) -> Array:
    """The singular values, descending, shape ``(..., m, n) -> (..., k)``, with 0 for those that are rounding errors of 0."""
    values = singular_values(matrix)
    return np.where(np.arange(values.shape[-1]) < np.asarray(rank(matrix))[..., None], values, 0 * values)


@widened
def logs_of(values: Array) -> Array:
    """Logarithms, entrywise, of values that are not negative; 0 for 0, which no sum then counts."""
    return log(np.where(compare(values, 0) > 0, values, 0 * values + 1))


@widened
def remainder(values: Array, depth: int) -> Array:
    r""":math:`\frac2L\sum_i(\log s_i)^2\max(1, s_i^{2/L})` of `values` s, shape ``(..., k) -> (...)``."""
    growth = power(values, Fraction(2, depth))
    return np.asarray((logs_of(values) ** 2 * maximum(growth, 0 * growth + 1)).sum(axis=-1) * 2 / depth)
