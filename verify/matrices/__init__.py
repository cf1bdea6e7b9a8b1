"""Spectral functions of matrices, in floats and in rationals.

Every function takes matrices with leading batch axes, shape ``(..., m, n)``, as floats (NumPy's or CuPy's; integers become
float64) or as an object array of `flint.fmpq`, whose results are rationals, or balls at the working precision (see
`verify.numbers.arithmetic.precision`). What depends on a rank is decided exactly for rationals and by a relative gap for floats
(see `rank`); a float matrix inside the gap raises `RankUndecided`. A float result beyond the largest float is infinite or NaN.

Anything but real, finite matrices with at least one row and one column raises `ValueError`, and matrices of balls raise
`TypeError`, before any work is done.
"""

from verify.matrices.functions import (
    cholesky,
    condition_number,
    determinant,
    eigenvalues,
    exponential,
    frobenius_norm_squared,
    geometric_mean,
    gram_power,
    inverse,
    log_plus,
    log_pseudo_determinant,
    logarithm,
    nuclear_norm,
    operator_norm,
    polar_factor,
    psd_power,
    pseudo_determinant,
    pseudo_inverse,
    rank,
    schatten_power,
    singular_values,
    solve,
    spectral_radius,
    stable_rank,
)
from verify.matrices.ranks import RankUndecided

__all__ = [
    "RankUndecided",
    "cholesky",
    "condition_number",
    "determinant",
    "eigenvalues",
    "exponential",
    "frobenius_norm_squared",
    "geometric_mean",
    "gram_power",
    "inverse",
    "log_plus",
    "log_pseudo_determinant",
    "logarithm",
    "nuclear_norm",
    "operator_norm",
    "polar_factor",
    "psd_power",
    "pseudo_determinant",
    "pseudo_inverse",
    "rank",
    "schatten_power",
    "singular_values",
    "solve",
    "spectral_radius",
    "stable_rank",
]
