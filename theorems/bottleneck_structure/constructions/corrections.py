"""The second correction of a matrix."""

from __future__ import annotations

import numpy as np

from verify import Q
from verify.arithmetic import Array, widened
from verify.matrices import frobenius_norm_squared, log_plus

HALF = Q("1/2")


@widened
def second_correction(matrix: Array, factor: Q = HALF) -> Array:
    r""":math:`R^{(2)} = \frac12\|\log_+ A^TA\|_F^2`, shape ``(..., m, n) -> (...)``."""
    return np.asarray(factor * frobenius_norm_squared(log_plus(matrix.swapaxes(-1, -2) @ matrix)))
