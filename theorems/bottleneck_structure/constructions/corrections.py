"""The corrections of a matrix."""

from __future__ import annotations

import numpy as np

from verify import Q
from verify.matrices import frobenius_norm_squared, log_plus, pseudo_determinant
from verify.numbers.arithmetic import Array, is_exact
from verify.numbers.parameters import widened

HALF = Q("1/2")


@widened
def squared_volume(matrix: Array) -> Array:
    r""":math:`e^{R^{(1)}} = |A|_+^2`, shape ``(..., m, n) -> (...)``; rational for rationals."""
    if is_exact(matrix):
        return pseudo_determinant(matrix.swapaxes(-1, -2) @ matrix)
    return pseudo_determinant(matrix) ** 2


@widened
def second_correction(matrix: Array, factor: Q = HALF) -> Array:
    r""":math:`R^{(2)} = \frac12\|\log_+ A^TA\|_F^2`, shape ``(..., m, n) -> (...)``."""
    return np.asarray(factor * frobenius_norm_squared(log_plus(matrix.swapaxes(-1, -2) @ matrix)))
