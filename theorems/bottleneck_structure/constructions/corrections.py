r"""The second correction of a matrix, and its Gram."""

from __future__ import annotations

import numpy as np

from verify import Q
from verify.arithmetic import Array
from verify.matrices import frobenius_norm_squared, log_plus

HALF = Q("1/2")


def gram(matrix: Array) -> Array:
    r""":math:`A^TA`, shape ``(..., m, n) -> (..., n, n)``."""
    return np.asarray(matrix.swapaxes(-1, -2) @ matrix)


def second_correction(matrix: Array, factor: Q = HALF) -> Array:
    r""":math:`R^{(2)} = \frac12\|\log_+ A^TA\|_F^2`, shape ``(..., m, n) -> (...)``."""
    return np.asarray(factor * frobenius_norm_squared(log_plus(gram(matrix))))
