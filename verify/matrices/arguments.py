"""What the functions of this package accept, checked before any work is done."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb

from verify.arithmetic import Array, array_module, is_exact, rationals
from verify.matrices.ranks import zero_threshold


def checked(matrix: Array, name: str = "matrix") -> Array:
    """`matrix` as float64, float32 (when it is that) or rationals, shape ``(..., m, n)``; the input is not written to.

    Raises
    ------
    ValueError
        Fewer than two axes, no rows or columns, entries that are not real numbers, or not finite.
    TypeError
        The entries are balls.
    """
    array = matrix if hasattr(matrix, "dtype") else np.asarray(matrix)
    _check_shape(array, name)
    if is_exact(array):
        if any(isinstance(entry, arb) for entry in array.flat):
            raise TypeError(
                f"{name} holds balls (flint.arb), and the rank of a matrix of balls cannot be decided: "
                "floats and rationals (flint.fmpq) are accepted"
            )
        try:
            return rationals(array)
        except ValueError as error:
            raise ValueError(f"{name} must hold rationals: {error}") from error
    return _finite_floats(array, name)


def checked_entries(matrix: Array, name: str = "matrix") -> Array:
    """Like `checked`, for functions that decide no rank: matrices of balls are accepted too."""
    if is_exact(matrix) and any(isinstance(entry, arb) for entry in matrix.flat):
        _check_shape(matrix, name)
        if not all(entry.is_finite() for entry in matrix.flat if isinstance(entry, arb)):
            raise ValueError(f"{name} must be finite, got a ball that is not")
        return matrix
    return checked(matrix, name)


def checked_square(matrix: Array, name: str = "matrix") -> Array:
    """Like `checked`, for square matrices.

    Raises
    ------
    ValueError
        The numbers of rows and columns differ.
    """
    array = checked(matrix, name)
    rows, columns = array.shape[-2:]
    if rows != columns:
        raise ValueError(f"{name} must be square, got {rows} rows and {columns} columns")
    return array


def checked_symmetric(matrix: Array, name: str = "matrix") -> Array:
    """Like `checked_square`, for symmetric matrices: rationals exactly, floats up to rounding errors.

    Raises
    ------
    ValueError
        The matrix differs from its transpose.
    """
    array = checked_square(matrix, name)
    transpose = array.swapaxes(-1, -2)
    if is_exact(array):
        if not np.all(array == transpose):
            raise ValueError(f"{name} must be symmetric, got a matrix that differs from its transpose")
        return array
    xp = array_module(array)
    allowed = zero_threshold(array.dtype, array.shape[-1])
    largest = xp.abs(array).max(axis=(-2, -1))
    asymmetry = xp.abs(array / 2 - transpose / 2).max(axis=(-2, -1))
    if (asymmetry > allowed * largest).any():
        worst = float(asymmetry.max())
        raise ValueError(f"{name} must be symmetric, got a matrix that differs from its transpose by up to {2 * worst:.3g}")
    return array


def checked_exponent(exponent: int | Fraction, name: str = "exponent") -> Fraction:
    """`exponent` as a `Fraction`.

    Raises
    ------
    TypeError
        `exponent` is a float.
    """
    if not isinstance(exponent, int | Fraction):
        raise TypeError(f"{name} must be an int or a Fraction, got {exponent!r}: a float is not the number that was meant")
    return Fraction(exponent)


def _check_shape(array: Array, name: str) -> None:
    if array.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes (rows and columns come last), got shape {array.shape}")
    if 0 in array.shape[-2:]:
        raise ValueError(f"{name} must have at least one row and one column, got shape {array.shape}")


def _finite_floats(array: Array, name: str) -> Array:
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} must hold real numbers (floats, integers or flint.fmpq), got dtype {array.dtype}")
    if array.dtype not in ("float32", "float64"):
        array = array.astype("float64")
    bad = ~array_module(array).isfinite(array)
    if bad.any():
        raise ValueError(f"{name} must be finite, got {int(bad.sum())} of {array.size} entries that are NaN or infinite")
    return array
