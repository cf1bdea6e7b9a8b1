"""Matrices of balls, as far as no rank is decided: by FLINT, or by the rational midpoint and the distance from it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import acb_mat, arb, arb_mat, fmpq

from verify.matrices import exact
from verify.numbers.arithmetic import Array, is_exact, maximum, object_array, sqrt
from verify.numbers.exactness import Ball, UndecidedInstances


def holds_balls(array: Array) -> bool:
    """Whether some entries are balls."""
    return is_exact(array) and any(isinstance(entry, arb) for entry in array.flat)


def each(function: Callable[..., Any], *matrices: Array, shape: tuple[int, ...] = ()) -> Array:
    """Apply `function` to every matrix of the batch, two-dimensional arrays; its values have the given `shape`."""
    batch = np.broadcast_shapes(*(array.shape[:-2] for array in matrices))
    aligned = [np.broadcast_to(array, batch + array.shape[-2:]) for array in matrices]
    result = np.empty(batch + shape, dtype=object)
    for index in np.ndindex(batch):
        result[index] = function(*(array[index] for array in aligned))
    return result


def _matrix(array: Array) -> arb_mat:
    rows, columns = array.shape
    return arb_mat(rows, columns, [arb(entry) for entry in array.ravel().tolist()])


def _array(matrix: arb_mat) -> Array:
    return object_array([Ball(entry) for entry in matrix.entries()], (matrix.nrows(), matrix.ncols()))


def determinant(array: Array) -> Any:
    """The determinant of one matrix."""
    return Ball(_matrix(array).det())


def solve(array: Array, right: Array) -> Array:
    """The solution of ``A X = B`` of one matrix.

    Raises
    ------
    UndecidedInstances
        In this precision it is not decided that A is invertible.
    """
    try:
        return _array(_matrix(array).solve(_matrix(right)))
    except ZeroDivisionError:
        raise UndecidedInstances("whether a matrix of balls is invertible is not decided", np.array(True)) from None


def exponential(array: Array) -> Array:
    """The exponential of one matrix."""
    return _array(_matrix(array).exp())


def eigenvalues(array: Array) -> Array:
    """Eigenvalues of one symmetric matrix, descending: by Weyl, no farther from those of the midpoint than the matrix is.

    Raises
    ------
    ValueError
        The matrix is certainly not symmetric.
    """
    for entry, other in zip(array.ravel().tolist(), array.T.ravel().tolist(), strict=True):
        if not arb(entry).overlaps(arb(other)):
            raise ValueError("matrix must be symmetric, got a matrix that differs from its transpose")
    middle, distance = _midpoint(array)
    return exact.repeated_eigenvalues(exact.flint_matrix((middle + middle.T) / fmpq(2))) + distance


def spectral_radius(array: Array) -> Any:
    """The spectral radius of one matrix.

    Raises
    ------
    UndecidedInstances
        In this precision the eigenvalues are not enclosed.
    """
    try:
        values = acb_mat(_matrix(array)).eig(multiple=True)
    except ValueError:
        raise UndecidedInstances("the eigenvalues of a matrix of balls are not enclosed", np.array(True)) from None
    return functools.reduce(lambda left, right: maximum(left, right).item(), [Ball(abs(value)) for value in values])


def singular_values(array: Array) -> Array:
    """Singular values of one matrix, descending; see `eigenvalues`."""
    middle, distance = _midpoint(array)
    return np.asarray(sqrt(exact.squared_singular_values(exact.flint_matrix(middle))) + distance)


def _midpoint(array: Array) -> tuple[Array, Ball]:
    """The rational matrix in the middle, and a ball around 0 of which the radius is at least the norm of the difference."""
    flat = [arb(entry) for entry in array.ravel().tolist()]
    radius = sum((entry.rad() for entry in flat), arb(0))
    return object_array([entry.mid().fmpq() for entry in flat], array.shape), Ball(arb(0, radius.upper()))
