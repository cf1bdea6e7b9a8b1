"""Exact linear algebra that the cones share: rational systems, and a direction in which a form is negative."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, fmpq

from verify.matrices.arguments import checked, checked_symmetric
from verify.matrices.exact import flint_matrix, pivots
from verify.numbers.arguments import rational_array, real_array, real_number
from verify.numbers.arithmetic import Array, fraction, is_exact, rational, rationals


def one_matrix(matrix: Array, name: str = "matrix") -> Array:
    """`matrix` as float64 or rationals, shape ``(m, n)``.

    Raises
    ------
    ValueError
        Not two axes, no rows or columns, or entries that are not finite real numbers.
    TypeError
        The entries are balls.
    """
    array = checked(matrix, name)
    _check_one(array, name)
    return array if is_exact(array) else array.astype(np.float64)


def exact_matrix(matrix: Array, name: str = "matrix") -> Array:
    """Like `one_matrix`, as rationals: floats are taken as the rationals that they are."""
    checked(matrix, name)
    array = rational_array(name, matrix)
    _check_one(array, name)
    return array


def exact_symmetric(matrix: Array, name: str = "matrix") -> Array:
    """Like `exact_matrix` for symmetric matrices; of floats that are symmetric up to rounding errors, the symmetric part."""
    array = checked_symmetric(matrix, name)
    _check_one(array, name)
    exact = rational_array(name, matrix)
    return exact if is_exact(array) else np.asarray((exact + exact.T) / 2)


def _check_one(array: Array, name: str) -> None:
    if array.ndim != 2:
        raise ValueError(f"{name} must be one matrix, of shape (rows, columns), got shape {array.shape}")


def one_vector(vector: Array, length: int, name: str) -> Array:
    """`vector` as float64 or rationals, shape ``(length,)``; raises like `one_matrix`."""
    array = real_array(name, vector)
    if array.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},), got shape {array.shape}")
    return np.asarray(one_matrix(array[None], name)[0])


def number_in(name: str, value: Any, *, exact: bool) -> Any:
    """A number as a rational, for which floats are taken as they are, or as a float.

    Raises
    ------
    TypeError, ValueError
        It is no finite real number, or a ball.
    """
    number = real_number(name, value)
    if isinstance(number, arb):
        raise TypeError(f"{name} must be a float or a rational, got a ball: {number}")
    # a float of NumPy's: its square may be infinite
    return rational(number) if exact else np.float64(fraction(rational(number)))


def scaled_rows(matrix: Array) -> tuple[npt.NDArray[np.float64], Array]:
    """Rows divided by their largest absolute entries, in float64, and these divisors (1 for a row of zeros).

    The divisors are rationals if the entries are, so that rationals of any size have a float image.
    """
    if not is_exact(matrix):
        sizes = np.abs(matrix).max(axis=1)
        sizes[sizes == 0] = 1
        return matrix / sizes[:, None], sizes
    divisors = np.empty(len(matrix), dtype=object)
    divisors[:] = [max(map(abs, row)) or fmpq(1) for row in matrix]
    quotients = (entry / divisor for row, divisor in zip(matrix, divisors, strict=True) for entry in row)
    images = (int(quotient.p) / int(quotient.q) for quotient in quotients)
    return np.fromiter(images, dtype=np.float64, count=matrix.size).reshape(matrix.shape), divisors


def combination(columns: Array, target: Array) -> Array | None:
    """Coefficients `c` with ``c @ columns = target``, shape ``(k, d), (d,) -> (k,)``, or None if there are none.

    Where `columns` are dependent, those that depend on earlier ones get coefficient 0.
    """
    count = len(columns)
    if count == 0:
        return None if any(target) else columns[:, 0]
    reduced, rank = flint_matrix(np.vstack([columns, target[None]]).T).rref()
    pivot_columns = pivots(reduced, rank)
    if pivot_columns[-1:] == [count]:
        return None
    result = rationals(np.zeros(count, dtype=np.int64))
    for row, column in enumerate(pivot_columns):
        result[column] = reduced[row, count]
    return result


def independent_rows(matrix: Array) -> list[int]:
    """Indices of the first rows that span all of them, shape ``(m, n)``."""
    if matrix.size == 0:
        return []
    return pivots(*flint_matrix(matrix.T).rref())


def null_space(matrix: Array) -> Array:
    """A basis of the vectors `x` with ``matrix @ x = 0``, in rows, shape ``(m, n) -> (k, n)``."""
    reduced, rank = flint_matrix(matrix).rref()
    columns = matrix.shape[-1]
    fixed = pivots(reduced, rank)
    free = [j for j in range(columns) if j not in fixed]
    basis = rationals(np.zeros((len(free), columns), dtype=np.int64))
    for index, column in enumerate(free):
        basis[index, column] = fmpq(1)
        for row, pivot in enumerate(fixed):
            basis[index, pivot] = -reduced[row, column]
    return basis


def negative_direction(symmetric: Array) -> Array | None:
    """A vector `x` with ``x @ symmetric @ x < 0``, shape ``(n, n) -> (n,)``; None if the matrix is positive semidefinite."""
    size = len(symmetric)
    remaining = symmetric.copy()
    # column k: the vector whose form is remaining[k, k], orthogonal (in the form) to the pivots before
    transform = rationals(np.eye(size, dtype=np.int64))
    for k in range(size):
        pivot = remaining[k, k]
        if pivot < 0:
            return np.asarray(transform[:, k])
        if pivot == 0:
            crossed = [j for j in range(k + 1, size) if remaining[k, j] != 0]
            if crossed:
                # the form of t x_k + x_j is 2 t remaining[k, j] + remaining[j, j]
                j = crossed[0]
                step = -(abs(remaining[j, j]) + 1) / (2 * remaining[k, j])
                return np.asarray(step * transform[:, k] + transform[:, j])
            continue
        factors = remaining[k, k + 1 :] / pivot
        transform[:, k + 1 :] -= transform[:, k, None] * factors
        remaining[k + 1 :, k + 1 :] -= remaining[k + 1 :, k, None] * factors
    return None


def small_integers(vector: Array) -> Array:
    """The positive multiple of a rational vector whose entries are integers without a common divisor."""
    denominator = math.lcm(*(int(entry.q) for entry in vector))
    scaled = [int((entry * denominator).p) for entry in vector]
    divisor = math.gcd(*scaled) or 1
    result = np.empty(len(scaled), dtype=object)
    result[:] = [fmpq(entry // divisor) for entry in scaled]
    return result
