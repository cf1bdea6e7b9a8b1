"""What the functions of this package accept, checked before any work is done."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz

from verify.matrices.ranks import zero_threshold
from verify.numbers.arguments import real_array, real_arrays
from verify.numbers.arithmetic import Array, array_module, fraction, is_exact, rational
from verify.numbers.exactness import UndecidedInstances


def checked(matrix: Any, name: str = "matrix") -> Array:
    """`matrix` as float64, float32 (when it is that) or rationals, shape ``(..., m, n)``; the input is not written to.

    Raises
    ------
    ValueError
        Fewer than two axes, no rows or columns, entries that are not real numbers, or not finite.
    TypeError
        No array and no lists; the entries are balls.
    """
    array = checked_entries(matrix, name)
    _refuse_balls(array, name)
    return array


def checked_entries(matrix: Any, name: str = "matrix") -> Array:
    """Like `checked`, for functions that decide no rank: matrices of balls are accepted too."""
    return _shaped(real_array(name, matrix), name)


def checked_pair(first: tuple[str, Any], second: tuple[str, Any]) -> tuple[Array, Array]:
    """Like `checked`, for two matrices in one arithmetic: integers take that of the other."""
    left, right = checked_entries_of_pair(first, second)
    for array, (name, _) in ((left, first), (right, second)):
        _refuse_balls(array, name)
    return left, right


def checked_entries_of_pair(first: tuple[str, Any], second: tuple[str, Any]) -> tuple[Array, Array]:
    """Like `checked_pair`; matrices of balls are accepted too."""
    left, right = real_arrays([first, second])
    return _shaped(left, first[0]), _shaped(right, second[0])


def checked_square(matrix: Any, name: str = "matrix") -> Array:
    """Like `checked`, for square matrices.

    Raises
    ------
    ValueError
        The numbers of rows and columns differ.
    """
    array = checked(matrix, name)
    check_square(array, name)
    return array


def check_square(array: Array, name: str) -> None:
    """Raises `ValueError` if the numbers of rows and columns differ."""
    rows, columns = array.shape[-2:]
    if rows != columns:
        raise ValueError(f"{name} must be square, got {rows} rows and {columns} columns")


def checked_symmetric(matrix: Any, name: str = "matrix") -> Array:
    """Like `checked_square`, for symmetric matrices: rationals exactly, floats up to rounding errors.

    Raises
    ------
    ValueError
        The matrix differs from its transpose; of floats it is a `NotSymmetric`, which tells where.
    """
    array = checked_square(matrix, name)
    check_symmetric(array, name)
    return array


class NotSymmetric(UndecidedInstances, ValueError):
    """A matrix of floats differs from its transpose by more than its own rounding errors; `where` marks which do.

    Where larger numbers cancelled in it, these may be the rounding errors of what is symmetric: rationals decide that.
    """


OF_ANY = ": (A + A.T) / 2 is its symmetric part, and singular_values takes any matrix"
"""What to write for a matrix that is not symmetric."""


def check_symmetric(array: Array, name: str) -> None:
    """Raises `ValueError` for a square matrix that differs from its transpose: see `checked_symmetric`."""
    transpose = array.swapaxes(-1, -2)
    if is_exact(array):
        if not np.all(array == transpose):
            raise ValueError(f"{name} must be symmetric, got a matrix that differs from its transpose{OF_ANY}")
        return
    xp = array_module(array)
    allowed = zero_threshold(array.dtype, array.shape[-1])
    largest = xp.abs(array).max(axis=(-2, -1))
    asymmetry = xp.abs(array / 2 - transpose / 2).max(axis=(-2, -1))
    differing = asymmetry > allowed * largest
    if differing.any():
        worst = 2 * float(asymmetry.max())
        raise NotSymmetric(
            f"{name} must be symmetric, got a matrix that differs from its transpose by up to {worst:.3g}{OF_ANY}",
            xp.asarray(differing),
        )


def checked_exponent(exponent: Any, name: str = "exponent") -> Fraction:
    """`exponent` as a `Fraction`.

    Raises
    ------
    TypeError
        `exponent` is a float, or no number.
    """
    if isinstance(exponent, bool | np.bool_) or not isinstance(exponent, int | Fraction | np.integer | fmpq | fmpz):
        raise TypeError(f"{name} must be an int or a Fraction, got {exponent!r}: a float is not the number that was meant")
    return fraction(rational(exponent))


def _refuse_balls(array: Array, name: str) -> None:
    if is_exact(array) and any(isinstance(entry, arb) for entry in array.flat):
        raise TypeError(
            f"{name} holds balls (flint.arb), and the rank of a matrix of balls cannot be decided: "
            "floats and rationals (flint.fmpq) are accepted; determinant, inverse, solve, expm, eigenvalues, "
            "spectral_radius and singular_values take balls"
        )


def _shaped(array: Array, name: str) -> Array:
    if array.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes (rows and columns come last), got shape {array.shape}")
    if 0 in array.shape[-2:]:
        raise ValueError(f"{name} must have at least one row and one column, got shape {array.shape}")
    return array
