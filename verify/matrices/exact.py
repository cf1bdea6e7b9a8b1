"""Spectra and matrix functions of one rational matrix, rigorously: rationals where they are, else balls."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint
import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpq_poly, fmpz_mat

from verify.numbers.arithmetic import Array, ball, certain_order, maximum, object_array, power, precision, sqrt
from verify.numbers.exactness import ExactNumber


def each(function: Callable[..., Any], *matrices: Array, shape: tuple[int, ...] = ()) -> Array:
    """Apply `function` to every matrix of the batch (as a `fmpq_mat`); its values have the given `shape`."""
    batch = np.broadcast_shapes(*(array.shape[:-2] for array in matrices))
    aligned = [np.broadcast_to(array, batch + array.shape[-2:]) for array in matrices]
    result = np.empty(batch + shape, dtype=object)
    for index in np.ndindex(batch):
        result[index] = function(*(flint_matrix(array[index]) for array in aligned))
    return result


def flint_matrix(array: Array) -> fmpq_mat:
    """A two-dimensional array of rationals as a `fmpq_mat`."""
    entries = array.ravel().tolist()
    other = next((type(entry) for entry in entries if isinstance(entry, ExactNumber)), None)
    rows, columns = array.shape
    return fmpq_mat(rows, columns, entries) if other is None else other.matrix(rows, columns, entries)


def to_array(matrix: fmpq_mat) -> Array:
    """Object array of the entries of `matrix`."""
    return object_array(matrix.entries(), (matrix.nrows(), matrix.ncols()))


def gram(matrix: fmpq_mat) -> fmpq_mat:
    """The smaller of ``A^T A`` and ``A A^T``: its eigenvalues are the squared singular values."""
    transpose = matrix.transpose()
    return matrix * transpose if matrix.nrows() <= matrix.ncols() else transpose * matrix


def trace(matrix: fmpq_mat) -> fmpq:
    """Sum of the diagonal."""
    return sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0))


def elementary_symmetric(matrix: fmpq_mat) -> list[fmpq]:
    """``e_0 = 1, ..., e_n``: the elementary symmetric functions of the eigenvalues."""
    coefficients = matrix.charpoly().coeffs()[::-1]
    return [-value if k % 2 else value for k, value in enumerate(coefficients)]


def is_semidefinite(symmetric: fmpq_mat) -> bool:
    """Whether no eigenvalue is negative (Descartes' rule of signs: all roots of the characteristic polynomial are real)."""
    return all(value >= 0 for value in elementary_symmetric(symmetric))


def is_definite(symmetric: fmpq_mat) -> bool:
    """Whether all eigenvalues are positive."""
    return all(value > 0 for value in elementary_symmetric(symmetric))


def eigenvalues(matrix: fmpq_mat) -> list[tuple[Any, int]]:
    """Distinct eigenvalues with their multiplicities, descending, of a matrix all of whose eigenvalues are real.

    Rational eigenvalues are rationals; the others are balls with at least the relative accuracy of the working precision.
    No two of them overlap.
    """
    factors = matrix.charpoly().factor()[1]
    bits = flint.ctx.prec
    while True:
        with precision(bits):
            roots = [(root, multiplicity) for factor, multiplicity in factors for root in _real_roots(factor)]
            roots.sort(key=lambda pair: _midpoint(pair[0]), reverse=True)
            if all(certain_order(larger, smaller) == 1 for (larger, _), (smaller, _) in pairwise(roots)):
                return roots
        # flint keeps the roots of one irreducible factor apart, not those of two factors
        bits *= 2


def _real_roots(irreducible: fmpq_poly) -> list[Any]:
    if irreducible.degree() == 1:
        return [-irreducible[0] / irreducible[1]]
    return [ball(root.real) for root, _ in irreducible.complex_roots()]


def _midpoint(value: Any) -> fmpq:
    return value.mid().fmpq() if isinstance(value, arb) else value


def spectral_radius(matrix: fmpq_mat) -> Any:
    """Largest absolute value of an eigenvalue: a rational where it is one of a factor of degree 1 or 2, else a ball."""
    if not isinstance(matrix, fmpq_mat):
        # eigenvalues of traced matrices are taken to be real
        traced = next(entry for entry in matrix.entries() if isinstance(entry, ExactNumber))
        return traced.analytic("spectral_radius")
    moduli = [modulus for factor, _ in matrix.charpoly().factor()[1] for modulus in _moduli(factor)]
    return functools.reduce(lambda left, right: maximum(left, right).item(), moduli)


def _moduli(irreducible: fmpq_poly) -> list[Any]:
    constant, linear, *_ = coefficients = [value / irreducible.leading_coefficient() for value in irreducible.coeffs()]
    if len(coefficients) == 2:
        return [abs(constant)]
    if len(coefficients) == 3 and linear * linear < 4 * constant:
        return [sqrt(constant).item()]
    return [ball(abs(root)) for root, _ in irreducible.complex_roots()]


def squared_singular_values(matrix: fmpq_mat) -> Array:
    """Eigenvalues of the Gram matrix with repetitions, descending, shape ``(min(m, n),)``; zeros are exact."""
    return repeated_eigenvalues(gram(matrix))


def repeated_eigenvalues(matrix: fmpq_mat) -> Array:
    """Eigenvalues with repetitions, descending, shape ``(n,)``; see `eigenvalues`."""
    return np.array([value for value, multiplicity in eigenvalues(matrix) for _ in range(multiplicity)], dtype=object)


def matrix_function(matrix: fmpq_mat, function: Callable[[Any], Any]) -> Array:
    r"""``f(M)`` for a diagonalisable matrix with real eigenvalues, shape ``(n, n)``.

    With `q` the product of ``x - l`` over the distinct eigenvalues `l`,

    .. math:: f(M) = \sum_l \frac{f(l)}{q'(l)} \Bigl(\frac{q(x)}{x - l}\Bigr)(M),

    so that the powers of `M` are rational and only their coefficients are balls.
    """
    # not matrix.minpoly(): in FLINT 3.6 it is wrong for entries of very different sizes, such as diag(1, 10**-60)
    radical = fmpq_poly([1])
    for factor, _ in matrix.charpoly().factor()[1]:
        radical *= factor / factor.leading_coefficient()
    monic = radical.coeffs()
    weights = [fmpq(0)] * (len(monic) - 1)
    for value, _ in eigenvalues(matrix):
        quotient = [fmpq(1)]  # of q(x) by x - l, highest power first
        for coefficient in monic[-2:0:-1]:
            quotient.append(coefficient + value * quotient[-1])
        derivative = fmpq(0)  # q'(l) is the value of that quotient at l
        for coefficient in quotient:
            derivative = derivative * value + coefficient
        scale = function(value) / derivative
        weights = [weight + scale * coefficient for weight, coefficient in zip(weights, reversed(quotient), strict=True)]
    terms = np.array([weight * to_array(matrix**k) for k, weight in enumerate(weights)])
    return np.asarray(terms.sum(axis=0))


def settled(compute: Callable[[], Array]) -> Array:
    """What `compute` returns once its balls are as accurate as the working precision, relative to the largest entry.

    Eigenvalues that lie close together cancel in a matrix function, which has to be computed with more bits than are wanted.
    """
    wanted = flint.ctx.prec
    bits = wanted + 32  # enough unless something cancels
    while True:
        with precision(bits):
            result = compute()
            if any(isinstance(entry, ExactNumber) for entry in result.flat):  # which have no radius
                return result
            # plain balls: a comparison that is not decided, of NaN, asks for more bits
            radii = [arb(entry).rad() for entry in result.flat if isinstance(entry, arb)]
            largest = max(arb(ball(entry)).abs_lower() for entry in result.flat)
            if all(radius * 2**wanted <= largest for radius in radii):
                return result
        bits *= 2


def pivots(reduced: fmpq_mat | fmpz_mat, rank: int) -> list[int]:
    """Columns of the first non-zero entries in the rows of a reduced echelon form."""
    columns: list[int] = []
    for row in range(rank):
        start = columns[-1] + 1 if columns else 0
        columns.append(next(column for column in range(start, reduced.ncols()) if reduced[row, column] != 0))
    return columns


def pseudo_inverse(matrix: fmpq_mat) -> fmpq_mat:
    """Moore-Penrose inverse through the full-rank factorisation ``A = C F``: ``F^T (F F^T)^-1 (C^T C)^-1 C^T``."""
    reduced, rank = matrix.rref()
    if rank == 0:
        return matrix.transpose()
    rows, columns = range(matrix.nrows()), range(matrix.ncols())
    right = type(matrix)(rank, matrix.ncols(), [reduced[i, j] for i in range(rank) for j in columns])
    left = type(matrix)(matrix.nrows(), rank, [matrix[i, j] for i in rows for j in pivots(reduced, rank)])
    right_transpose, left_transpose = right.transpose(), left.transpose()
    return right_transpose * (right * right_transpose).inv() * (left_transpose * left).inv() * left_transpose


def on_range(symmetric: fmpq_mat, function: Callable[[Any], Any]) -> Array:
    """`function` on the non-zero eigenvalues and 0 on the kernel, shape ``(n, n)``."""
    return matrix_function(symmetric, lambda value: fmpq(0) if value == 0 else function(value))


def power_on_range(symmetric: fmpq_mat, exponent: Fraction) -> Array:
    """``M ** exponent`` on the non-zero eigenvalues and 0 on the kernel, shape ``(n, n)``; rational for integers."""
    if exponent.denominator > 1:
        return settled(lambda: on_range(symmetric, lambda value: power(value, exponent).item()))
    if exponent > 0:
        return to_array(symmetric ** int(exponent))
    inverse = pseudo_inverse(symmetric)
    return to_array(symmetric * inverse ** int(1 - exponent))


def polar_factor(matrix: fmpq_mat) -> Array:
    """``A (A^T A)^(-1/2)`` or ``(A A^T)^(-1/2) A`` with the power on the non-zero eigenvalues, shape ``(m, n)``."""
    entries = to_array(matrix)

    def product() -> Array:
        root = on_range(gram(matrix), lambda value: 1 / sqrt(value).item())
        return root @ entries if matrix.nrows() <= matrix.ncols() else entries @ root

    return settled(product)


def geometric_mean(first: fmpq_mat, second: fmpq_mat, weight: Fraction) -> Array:
    """``A (A^-1 B)^t``, shape ``(n, n)``: ``A^-1 B`` is similar to a positive definite matrix."""
    ratio = first.inv() * second
    if weight.denominator == 1:
        return to_array(first * ratio ** int(weight))
    entries = to_array(first)
    return settled(lambda: entries @ matrix_function(ratio, lambda value: power(value, weight).item()))
