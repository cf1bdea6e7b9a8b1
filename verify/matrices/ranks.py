"""When a floating-point singular value counts as zero: the one place where ranks of floats are decided."""

from __future__ import annotations

from typing import Any

from verify.numbers.arithmetic import Array, UndecidedInstances, array_module

# A backward stable SVD of an m x n matrix errs by a small multiple of max(m, n) * eps * s_max in every singular value, and so
# do the entries of a product that is rank-deficient: in random products of 2 to 50 factors the largest singular value beyond
# the rank was 0.6 max(m, n) * eps * s_max. The factor 16 leaves room for factors of less equal size.
_ROUNDING = 16

# Above the zero threshold z the relative error of a singular value s is at most z * s_max / s. Where s > z^(2/3) s_max it is
# below z^(1/3): a third of the digits is right. In between, s may as well be the rounding error of a product whose factors
# are larger than itself. In float64 and for sizes 1 to 1000, z^(2/3) is 2e-10 to 2e-8.
_NON_ZERO_POWER = 2 / 3


class RankUndecided(UndecidedInstances):
    """The rank of a float matrix is undecided: a singular value (or eigenvalue) is neither rounding error nor clearly more.

    `where` has the batch shape and tells which matrices are undecided, so that the others can be kept; `value` is the first
    value that is undecided and `largest` the largest one of the same matrix.
    """

    def __init__(self, where: Array, value: float, largest: float) -> None:
        super().__init__("rank undecided", where)
        self.args = (where, value, largest)
        self.value = value
        self.largest = largest

    def __str__(self) -> str:
        """What is undecided, and what to do about it."""
        return (
            f"the rank of {int(self.where.sum())} of {self.where.size} matrices is undecided: the value {self.value:.3g} is "
            f"neither zero nor non-zero beside the largest, {self.largest:.3g}; drop the matrices that `where` marks, or use "
            "rationals"
        )


def zero_threshold(dtype: Any, size: int) -> float:
    """Largest ratio to the largest singular value that counts as zero, for matrices with `size` rows or columns at most."""
    eps = 2.0**-23 if dtype == "float32" else 2.0**-52
    return _ROUNDING * size * eps


def non_zero(values: Array, size: int) -> Array:
    """Which `values` (singular values, or eigenvalues of a symmetric matrix) are not zero, shape ``(..., k) -> (..., k)``.

    Raises
    ------
    RankUndecided
        A value lies inside the gap, or overflows.
    """
    zero, clear, largest = _split(values, size)
    _raise_where(~(zero ^ clear), values, largest)
    return clear


def require_positive(values: Array, size: int) -> None:
    """Check that `values`, positive in exact arithmetic, are so beyond rounding errors, shape ``(..., k)``.

    Raises
    ------
    RankUndecided
        A value is not above the gap, or overflows.
    """
    _, clear, largest = _split(values, size)
    _raise_where(~(clear & (values > 0)), values, largest)


def _split(values: Array, size: int) -> tuple[Array, Array, Array]:
    xp = array_module(values)
    magnitudes = xp.abs(values)
    largest = magnitudes.max(axis=-1, keepdims=True)
    threshold = zero_threshold(values.dtype, size)
    finite = xp.isfinite(largest)
    zero = (magnitudes <= threshold * largest) & finite
    clear = (magnitudes > threshold**_NON_ZERO_POWER * largest) & finite
    return zero, clear, largest


def _raise_where(undecided: Array, values: Array, largest: Array) -> None:
    if undecided.any():
        same_shape = largest + array_module(values).zeros_like(values)
        where = array_module(values).asarray(undecided.any(axis=-1))
        raise RankUndecided(where, float(values[undecided][0]), float(same_shape[undecided][0]))
