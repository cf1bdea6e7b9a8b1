"""Linear networks of depth L: what a matrix costs, which factors cost the least, and what a narrow product misses."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from verify.arithmetic import Array, is_exact
from verify.matrices import singular_values
from verify.matrices.ranks import zero_threshold


def rounding_of_schatten_power(matrix: Array, exponent: Fraction) -> npt.NDArray[np.float64]:
    """Absolute error of `schatten_power` of floats: every singular value errs by a few ulps of the largest; 0 for rationals."""
    if is_exact(matrix):
        return np.zeros(matrix.shape[:-2])
    values = singular_values(matrix)
    error = zero_threshold(values.dtype, max(matrix.shape[-2:])) * values[..., :1]
    kept = values > error
    return np.asarray((float(exponent) * np.where(kept, values, 1.0) ** float(exponent - 1) * error * kept).sum(axis=-1))
