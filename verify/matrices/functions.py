"""Singular values, what is made of them, and functions of symmetric matrices: one name for floats and for rationals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from verify.engines.containment import foresee
from verify.matrices import balls, exact
from verify.matrices.arguments import (
    check_square,
    check_symmetric,
    checked,
    checked_entries,
    checked_entries_of_pair,
    checked_exponent,
    checked_pair,
    checked_symmetric,
)
from verify.matrices.ranks import non_zero, require_positive
from verify.numbers.arithmetic import Array, array_module, compare, exp, is_exact, log, power, rationals, sqrt
from verify.numbers.exactness import NoValue, in_exact_evaluation

LARGE = 2**14
"""Matrices with as many entries are taken one after another: a time limit reaches work between two calls of a library."""
# IEEE's answer, without NumPy's warning: a result beyond the largest float is infinite, or NaN where infinities cancel
_overflow_to_infinity = np.errstate(over="ignore", invalid="ignore")


def singular_values(matrix: Array, /) -> Array:
    """Singular values in descending order, shape ``(..., m, n) -> (..., min(m, n))``.

    Rationals: those beyond the rank are exactly 0, those whose square is the square of a rational are rationals, the others
    balls that tighten with the working precision. Floats: as computed, with rounding errors in place of zeros. Balls: as wide
    as those of the matrix.

    Examples
    --------
    >>> print(singular_values(rationals([[3, 0], [0, -4]])))
    [4 3]
    """
    matrix = checked_entries(matrix)
    if balls.holds_balls(matrix):
        return balls.each(balls.singular_values, matrix, shape=(min(matrix.shape[-2:]),))
    if is_exact(matrix):
        return sqrt(_squared(matrix))
    module = array_module(matrix)
    rows, columns = matrix.shape[-2:]
    if not matrix.size or rows * columns < LARGE:
        return _array(module.linalg.svd(matrix, compute_uv=False))
    values = []
    for one in matrix.reshape(-1, rows, columns):
        if module is np:
            foresee(rows * columns * min(rows, columns))
        values.append(module.linalg.svd(one, compute_uv=False))
    return _array(module.stack(values).reshape(*matrix.shape[:-2], -1))


def rank(matrix: Array, /) -> Array:
    """Number of non-zero singular values, shape ``(..., m, n) -> (...)``, integers; 0 for a zero matrix.

    Rationals: by elimination. Floats: a singular value is zero when it is below ``z = 16 max(m, n) eps`` times the largest
    one (``eps = 2**-52``, in float32 ``2**-23``), non-zero when it is above ``z ** (2/3)`` times it.

    Raises
    ------
    RankUndecided
        A singular value lies between those bounds; `where` marks the matrices of the batch for which this is so.

    Examples
    --------
    >>> rank(rationals([[1, 2], [2, 4]]))
    array(1)
    """
    matrix = checked(matrix)
    if is_exact(matrix):
        ranks = exact.each(lambda matrix: matrix.rank(), matrix)
        # in an exact evaluation a third of a rank is a rational, not a float
        return rationals(ranks) if in_exact_evaluation() else ranks.astype(np.int64)
    return _total(_decided(matrix)[1])


def eigenvalues(matrix: Array, /) -> Array:
    """Eigenvalues of a symmetric matrix in descending order, shape ``(..., n, n) -> (..., n)``.

    Rationals: those that are rational are exact, the others balls that tighten with the working precision. Floats: as computed.

    Raises
    ------
    ValueError
        The matrix is not symmetric.

    Examples
    --------
    >>> print(eigenvalues(rationals([[2, 1], [1, 2]])))
    [3 1]
    """
    matrix = _symmetric_entries(matrix)
    if balls.holds_balls(matrix):
        return balls.each(balls.eigenvalues, matrix, shape=matrix.shape[-1:])
    if is_exact(matrix):
        return exact.each(exact.repeated_eigenvalues, matrix, shape=matrix.shape[-1:])
    return _array(array_module(matrix).linalg.eigvalsh(matrix)[..., ::-1])


def spectral_radius(matrix: Array, /) -> Array:
    """Largest absolute value of an eigenvalue, shape ``(..., n, n) -> (...)``; the matrix need not be symmetric.

    Rationals: exact where the eigenvalue is rational, or complex and the root of a quadratic, else balls. Floats: as computed.

    Examples
    --------
    >>> print(spectral_radius(rationals([[0, -4], [1, 0]])))
    2
    """
    matrix = checked_entries(matrix)
    check_square(matrix, "matrix")
    if balls.holds_balls(matrix):
        return balls.each(balls.spectral_radius, matrix)
    if is_exact(matrix):
        return exact.each(exact.spectral_radius, matrix)
    xp = array_module(matrix)
    finite = xp.isfinite(matrix).all(axis=(-2, -1))
    radius = xp.abs(xp.linalg.eigvals(xp.where(finite[..., None, None], matrix, 0))).max(axis=-1)
    return _array(xp.where(finite, radius, xp.nan))


@_overflow_to_infinity
def exponential(matrix: Array, /) -> Array:
    """Exponential of a symmetric matrix, shape ``(..., n, n) -> (..., n, n)``: that of its eigenvalues on its eigenvectors.

    Raises
    ------
    ValueError
        The matrix is not symmetric.

    Examples
    --------
    >>> exponential(np.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    matrix = _symmetric_entries(matrix)
    if balls.holds_balls(matrix):
        return balls.each(balls.exponential, matrix, shape=matrix.shape[-2:])
    if is_exact(matrix):
        return exact.each(
            lambda matrix: exact.matrix_function(matrix, lambda value: exp(value).item()), matrix, shape=matrix.shape[-2:]
        )
    xp = array_module(matrix)
    values, vectors = xp.linalg.eigh(matrix)
    return _mirrored((vectors * xp.exp(values)[..., None, :]) @ vectors.swapaxes(-1, -2))


@_overflow_to_infinity
def schatten_power(matrix: Array, /, exponent: int | Fraction) -> Array:
    """Sum of ``s ** exponent`` over the non-zero singular values, shape ``(..., m, n) -> (...)``; 0 for a zero matrix.

    This is the p-th power of the Schatten quasi-norm with p = `exponent`. Zero is decided as in `rank`, and before the power
    is taken: rounding errors of 1e-16 would count 0.23 each for the exponent 2/50. Rational for even exponents of rationals.

    Raises
    ------
    RankUndecided
        As for `rank`.
    ValueError
        `exponent` is not positive.

    Source: bottleneck_structure, Section 3; feature_learning, Introduction.

    Examples
    --------
    >>> schatten_power(rationals([[4, 0], [0, 9]]), Q(1, 2))
    array(5, dtype=object)
    """
    exponent = checked_exponent(exponent)
    if exponent <= 0:
        raise ValueError(f"exponent must be positive, got {exponent}: use rank for the exponent 0")
    matrix = checked(matrix)
    if not is_exact(matrix):
        values, kept = _decided(matrix)
        return _total(power(values * kept, exponent))
    half = exponent / 2
    if half.denominator == 1:
        return exact.each(lambda matrix: exact.trace(exact.gram(matrix) ** int(half)), matrix)
    return _total(power(_squared(matrix), half))


@_overflow_to_infinity
def pseudo_determinant(matrix: Array, /) -> Array:
    """Product of the non-zero singular values, shape ``(..., m, n) -> (...)``.

    Zero is decided as in `rank`; the pseudo-determinant of a zero matrix is 1, the empty product. For rationals it is the
    square root of a rational, computed as such. Floats overflow to infinity where `log_pseudo_determinant` does not.

    Raises
    ------
    RankUndecided
        As for `rank`.

    Source: bottleneck_structure, Section 3 (the bars with a plus).

    Examples
    --------
    >>> pseudo_determinant(rationals([[2, 0], [0, 0]]))
    array(2, dtype=object)
    """
    matrix = checked(matrix)
    if is_exact(matrix):
        return sqrt(exact.each(_squared_pseudo_determinant, matrix))
    return _array(_ones_for_zeros(*_decided(matrix)).prod(axis=-1))


def log_pseudo_determinant(matrix: Array, /) -> Array:
    """Natural logarithm of `pseudo_determinant`, shape ``(..., m, n) -> (...)``; 0 for a zero matrix.

    Raises
    ------
    RankUndecided
        As for `rank`.

    Source: bottleneck_structure, Section 3.

    Examples
    --------
    >>> log_pseudo_determinant(np.diag([1.0, 0.0]))
    array(0.)
    """
    matrix = checked(matrix)
    if is_exact(matrix):
        return _array(log(exact.each(_squared_pseudo_determinant, matrix)) / 2)
    return _total(log(_ones_for_zeros(*_decided(matrix))))


@_overflow_to_infinity
def nuclear_norm(matrix: Array, /) -> Array:
    """Sum of the singular values, shape ``(..., m, n) -> (...)``.

    Examples
    --------
    >>> nuclear_norm(rationals([[3, 0], [0, -4]]))
    array(7, dtype=object)
    """
    return _total(singular_values(matrix))


def operator_norm(matrix: Array, /) -> Array:
    """Largest singular value, shape ``(..., m, n) -> (...)``.

    Examples
    --------
    >>> operator_norm(rationals([[3, 0], [0, -4]]))
    array(4, dtype=object)
    """
    return _array(singular_values(matrix)[..., 0])


@_overflow_to_infinity
def frobenius_norm_squared(matrix: Array, /) -> Array:
    """Sum of the squared entries, shape ``(..., m, n) -> (...)``; matrices of balls are accepted too.

    Examples
    --------
    >>> frobenius_norm_squared(rationals([[1, 2], ["1/2", 0]]))
    array(21/4, dtype=object)
    """
    matrix = checked_entries(matrix)
    return _array((matrix * matrix).sum(axis=(-2, -1)))


def stable_rank(matrix: Array, /) -> Array:
    """``||A||_F^2 / ||A||_op^2``, shape ``(..., m, n) -> (...)``; 0 for a zero matrix, as the rank.

    It is at most the rank. For floats it is taken of the matrix divided by its largest entry, so that it does not overflow.

    Examples
    --------
    >>> stable_rank(rationals([[1, 0], [0, 2]]))
    array(5/4, dtype=object)
    """
    matrix = checked(matrix)
    if is_exact(matrix):
        return exact.each(_stable_rank, matrix)
    xp = array_module(matrix)
    largest = xp.abs(matrix).max(axis=(-2, -1), keepdims=True)
    zero = largest == 0
    scaled = matrix / xp.where(zero, xp.ones_like(largest), largest)
    squares = operator_norm(scaled) ** 2 + zero[..., 0, 0]
    return _array(frobenius_norm_squared(scaled) / squares)


@_overflow_to_infinity
def determinant(matrix: Array, /) -> Array:
    """Determinant of square matrices, shape ``(..., n, n) -> (...)``.

    Examples
    --------
    >>> determinant(rationals([[1, 2], [3, 4]]))
    array(-2, dtype=object)
    """
    matrix = checked_entries(matrix)
    check_square(matrix, "matrix")
    if balls.holds_balls(matrix):
        return balls.each(balls.determinant, matrix)
    if is_exact(matrix):
        return exact.each(lambda matrix: matrix.det(), matrix)
    return _array(array_module(matrix).linalg.det(matrix))


def inverse(matrix: Array, /) -> Array:
    """Inverse of invertible square matrices, shape ``(..., n, n) -> (..., n, n)``; no rank is decided.

    Raises
    ------
    NoValue
        Some matrices have no inverse; `where` marks them.

    Examples
    --------
    >>> print(inverse(rationals([[1, 2], [3, 4]])))
    [[-2 1]
     [3/2 -1/2]]
    """
    matrix = checked_entries(matrix)
    check_square(matrix, "matrix")
    if balls.holds_balls(matrix):
        identity = rationals(np.eye(matrix.shape[-1], dtype=np.int64))
        return balls.each(balls.solve, matrix, identity, shape=matrix.shape[-2:])
    _require_invertible(matrix)
    if is_exact(matrix):
        return exact.each(lambda matrix: exact.to_array(matrix.inv()), matrix, shape=matrix.shape[-2:])
    return _array(array_module(matrix).linalg.inv(matrix))


@_overflow_to_infinity
def solve(matrix: Array, right: Array, /) -> Array:
    """Solution X of ``A X = B`` for invertible A, shapes ``(..., n, n), (..., n, k) -> (..., n, k)``; no rank is decided.

    Raises
    ------
    NoValue
        Some matrices have no inverse; `where` marks them.
    ValueError
        The shapes do not fit, or one holds floats and the other rationals.

    Examples
    --------
    >>> print(solve(rationals([[2, 0], [0, 4]]), rationals([[1], [1]])))
    [[1/2]
     [1/4]]
    """
    matrix, right = checked_entries_of_pair(("matrix", matrix), ("right", right))
    check_square(matrix, "matrix")
    if right.shape[-2] != matrix.shape[-1]:
        raise ValueError(f"right must have {matrix.shape[-1]} rows, one for each row of matrix, got shape {right.shape}")
    _check_batches(matrix, right, "matrix and right")
    if balls.holds_balls(matrix) or balls.holds_balls(right):
        return balls.each(balls.solve, matrix, right, shape=right.shape[-2:])
    if is_exact(matrix):
        _require_invertible(matrix)
        return exact.each(lambda a, b: exact.to_array(a.solve(b)), matrix, right, shape=right.shape[-2:])
    xp = array_module(matrix)
    try:
        solution = _array(xp.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        _require_invertible(matrix)
        raise
    if not xp.isfinite(solution).all():  # CuPy does not raise
        _require_invertible(matrix)
    return solution


def _check_batches(left: Array, right: Array, names: str) -> None:
    try:
        np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        raise ValueError(f"{names} must have batch axes that broadcast, got {left.shape} and {right.shape}") from None


def _require_invertible(matrix: Array) -> None:
    values = determinant(matrix)
    singular = compare(values, 0) == 0 if is_exact(values) else values == 0
    if singular.any():
        raise NoValue(f"{int(singular.sum())} of {singular.size} matrices are singular", singular)


@_overflow_to_infinity
def pseudo_inverse(matrix: Array, /) -> Array:
    """Moore-Penrose inverse, shape ``(..., m, n) -> (..., n, m)``; the inverse of an invertible matrix; rational for rationals.

    Raises
    ------
    RankUndecided
        As for `rank`.

    Examples
    --------
    >>> print(pseudo_inverse(rationals([[2, 0], [0, 0]])))
    [[1/2 0]
     [0 0]]
    """
    matrix = checked(matrix)
    if is_exact(matrix):
        rows, columns = matrix.shape[-2:]
        return exact.each(lambda matrix: exact.to_array(exact.pseudo_inverse(matrix)), matrix, shape=(columns, rows))
    left, values, right = array_module(matrix).linalg.svd(matrix, full_matrices=False)
    kept = non_zero(values, max(matrix.shape[-2:]))
    inverses = kept / _ones_for_zeros(values, kept)
    return _array((right.swapaxes(-1, -2) * inverses[..., None, :]) @ left.swapaxes(-1, -2))


def polar_factor(matrix: Array, /) -> Array:
    """Partial isometry ``U V^T`` of ``A = U S V^T`` over the non-zero singular values, shape ``(..., m, n) -> (..., m, n)``.

    0 for a zero matrix. It is the power ``A^0`` of the source.

    Raises
    ------
    RankUndecided
        As for `rank`.

    Source: bottleneck_structure, Section 3 (the power ``A^p = U S^p V^T``).

    Examples
    --------
    >>> print(polar_factor(rationals([[0, 2], [3, 0]])))
    [[0 1]
     [1 0]]
    """
    matrix = checked(matrix)
    if is_exact(matrix):
        return exact.each(exact.polar_factor, matrix, shape=matrix.shape[-2:])
    left, values, right = array_module(matrix).linalg.svd(matrix, full_matrices=False)
    kept = non_zero(values, max(matrix.shape[-2:]))
    return _array((left * kept[..., None, :]) @ right)


def logarithm(matrix: Array, /) -> Array:
    """Logarithm of positive definite matrices, shape ``(..., n, n) -> (..., n, n)``; see `log_plus`.

    Raises
    ------
    RankUndecided
        As for `rank`.
    NoValue
        Some matrices are singular; `where` marks them.
    ValueError
        A matrix is not symmetric, or has a negative eigenvalue.

    Examples
    --------
    >>> print(logarithm(np.eye(2)))
    [[0. 0.]
     [0. 0.]]
    """
    matrix = checked_symmetric(matrix)
    singular = rank(matrix) < matrix.shape[-1]
    if np.any(singular):
        raise NoValue(f"{int(np.sum(singular))} of {np.size(singular)} matrices are singular", np.asarray(singular, dtype=bool))
    return log_plus(matrix)


def cholesky(matrix: Array, /) -> Array:
    """Lower triangular L with ``L L^T = A`` and a positive diagonal, shape ``(..., n, n) -> (..., n, n)``.

    Only the lower triangle of A is read. Where A is not positive definite, entries are no numbers (NaN), or a division by zero.

    Examples
    --------
    >>> print(cholesky(rationals([[4, 2], [2, 5]])))
    [[2 0]
     [1 2]]
    """
    matrix = checked_entries(matrix)
    check_square(matrix, "matrix")
    size = matrix.shape[-1]
    zero = 0 * matrix[..., 0, 0]
    factor = [[zero] * size for _ in range(size)]
    for j in range(size):
        for i in range(j, size):
            remainder = matrix[..., i, j] - sum((factor[i][k] * factor[j][k] for k in range(j)), zero)
            factor[i][j] = sqrt(remainder) if i == j else remainder / factor[j][j]
    rows = [np.stack([_array(entry) for entry in row], axis=-1) for row in factor]
    return _array(np.stack(rows, axis=-2))


def condition_number(matrix: Array, /) -> Array:
    """Largest singular value divided by the smallest one, shape ``(..., m, n) -> (...)``; see `singular_values`.

    Raises
    ------
    NoValue
        Some matrices have the singular value 0; `where` marks them.

    Examples
    --------
    >>> print(condition_number(rationals([[3, 0], [0, -4]])))
    4/3
    """
    values = singular_values(matrix)
    zero = compare(values[..., -1], 0) == 0
    if np.any(zero):
        raise NoValue(
            f"{int(np.sum(zero))} of {np.size(zero)} matrices have the singular value 0", np.asarray(zero, dtype=bool)
        )
    return _array(values[..., 0] / values[..., -1])


def log_plus(matrix: Array, /) -> Array:
    """Logarithm of a positive semi-definite matrix on its range, 0 on its kernel, shape ``(..., n, n) -> (..., n, n)``.

    Zero eigenvalues are decided as the singular values in `rank`: those of ``A^T A`` are the squares of those of `A`, so that
    its rank is decided in floats only when the non-zero singular values of `A` spread over about four orders of magnitude.

    Raises
    ------
    RankUndecided
        As for `rank`.
    ValueError
        The matrix is not symmetric, or has a negative eigenvalue.

    Source: bottleneck_structure, Section 3 (``log_+``).

    Examples
    --------
    >>> log_plus(np.diag([1.0, 0.0]))
    array([[0., 0.],
           [0., 0.]])
    """
    matrix = checked_symmetric(matrix)
    if is_exact(matrix):
        return _exact_function(
            matrix, lambda matrix: exact.settled(lambda: exact.on_range(matrix, lambda value: log(value).item()))
        )
    return _float_function(matrix, log)


@_overflow_to_infinity
def psd_power(matrix: Array, /, exponent: int | Fraction) -> Array:
    """Power of a positive semi-definite matrix on its range, 0 on its kernel, shape ``(..., n, n) -> (..., n, n)``.

    The exponent may be 0 (the projection to the range) or negative (powers of the pseudo-inverse). Zero eigenvalues are
    decided as in `log_plus`. Integer powers of rationals are rational.

    Raises
    ------
    RankUndecided
        As for `rank`.
    ValueError
        The matrix is not symmetric, or has a negative eigenvalue.

    Source: bottleneck_structure, Section 3 (the power ``A^p``).

    Examples
    --------
    >>> print(psd_power(rationals([[4, 0], [0, 9]]), Q(1, 2)))
    [[2 0]
     [0 3]]
    """
    exponent = checked_exponent(exponent)
    matrix = checked_symmetric(matrix)
    if is_exact(matrix):
        return _exact_function(matrix, lambda matrix: exact.power_on_range(matrix, exponent))
    return _float_function(matrix, lambda values: power(values, exponent))


@_overflow_to_infinity
def gram_power(matrix: Array, /, exponent: int | Fraction) -> Array:
    """Power ``(A^T A)^p`` on the range of ``A^T``, 0 on the kernel of A, shape ``(..., m, n) -> (..., n, n)``.

    In floats it goes through the singular values of A: those of ``A^T A`` are their squares, and small ones drown in its
    rounding errors, which a power 1/6 makes as large as 0.002. Zero is decided as in `rank`; for exponents see `psd_power`.

    Raises
    ------
    RankUndecided
        As for `rank`.

    Source: feature_learning, Section 3.1 (the path of the covariances of a linear network).

    Examples
    --------
    >>> print(gram_power(rationals([[3, 0], [0, 4]]), Q(1, 2)))
    [[3 0]
     [0 4]]
    """
    exponent = checked_exponent(exponent)
    matrix = checked(matrix)
    if is_exact(matrix):
        return _exact_function(matrix.swapaxes(-1, -2) @ matrix, lambda matrix: exact.power_on_range(matrix, exponent))
    _, values, right = array_module(matrix).linalg.svd(matrix, full_matrices=False)
    kept = non_zero(values, max(matrix.shape[-2:]))
    image = power(_ones_for_zeros(values, kept), 2 * exponent) * kept
    return _array((right.swapaxes(-1, -2) * image[..., None, :]) @ right)


def geometric_mean(first: Array, second: Array, /, weight: int | Fraction = Fraction(1, 2)) -> Array:
    """Weighted geometric mean ``A (A^-1 B)^t`` of positive definite matrices, ``(..., n, n), (..., n, n) -> (..., n, n)``.

    The mean is `first` for the weight 0 and `second` for the weight 1; the batch axes are broadcast.

    Raises
    ------
    RankUndecided
        In floats, a matrix is not positive definite beyond rounding errors.
    ValueError
        A matrix is not symmetric, or not positive definite; the sizes differ; one is of floats and the other of rationals.

    Source: feature_learning (the optimal path of covariances of a linear network).

    Examples
    --------
    >>> print(geometric_mean(rationals([[1, 0], [0, 4]]), rationals([[4, 0], [0, 9]])))
    [[2 0]
     [0 6]]
    """
    weight = checked_exponent(weight, "weight")
    first, second = checked_pair(("first", first), ("second", second))
    for matrix, name in ((first, "first"), (second, "second")):
        check_square(matrix, name)
        check_symmetric(matrix, name)
    size = first.shape[-1]
    if second.shape[-1] != size:
        raise ValueError(f"first and second must have the same size, got {size} and {second.shape[-1]}")
    _check_batches(first, second, "first and second")
    if is_exact(first):
        for matrix, name in ((first, "first"), (second, "second")):
            if not exact.each(exact.is_definite, matrix).all():
                raise ValueError(f"{name} must be positive definite, got an eigenvalue that is not positive")
        return exact.each(lambda a, b: exact.geometric_mean(a, b, weight), first, second, shape=(size, size))
    xp = array_module(first)
    first, second = xp.broadcast_arrays(first, second)
    values, vectors = xp.linalg.eigh(first)
    for spectrum, name in ((values, "first"), (xp.linalg.eigvalsh(second), "second")):
        if (non_zero(spectrum, size) & (spectrum < 0)).any():
            raise ValueError(
                f"{name} must be positive definite, got an eigenvalue that is not positive: {float(spectrum.min()):.3g}"
            )
        # whether a matrix that is singular up to rounding is singular, floats cannot tell
        require_positive(spectrum, size)
    transpose = vectors.swapaxes(-1, -2)
    scales = sqrt(values)[..., None, :]
    root, inverse_root = (vectors * scales) @ transpose, (vectors / scales) @ transpose
    ratios, directions = xp.linalg.eigh(inverse_root @ second @ inverse_root)
    require_positive(ratios, size)
    outer = root @ directions
    return _array((outer * power(ratios, weight)[..., None, :]) @ outer.swapaxes(-1, -2))


def _decided(matrix: Array) -> tuple[Array, Array]:
    """Singular values of floats, and which of them are not zero."""
    values = singular_values(matrix)
    return values, non_zero(values, max(matrix.shape[-2:]))


def _ones_for_zeros(values: Array, kept: Array) -> Array:
    xp = array_module(values)
    return _array(xp.where(kept, values, xp.ones_like(values)))


def _float_function(matrix: Array, function: Callable[[Array], Array]) -> Array:
    values, vectors = array_module(matrix).linalg.eigh(matrix)
    kept = non_zero(values, matrix.shape[-1])
    if (kept & (values < 0)).any():
        raise ValueError(f"matrix must be positive semi-definite, got the eigenvalue {float(values.min()):.3g}")
    image = function(_ones_for_zeros(values, kept)) * kept
    return _mirrored((vectors * image[..., None, :]) @ vectors.swapaxes(-1, -2))


def _mirrored(symmetric: Array) -> Array:
    """A symmetric matrix without the rounding errors that make it none: a difference of two of them is small beside these."""
    return _array((symmetric + symmetric.swapaxes(-1, -2)) / 2)


def _symmetric_entries(matrix: Array) -> Array:
    """Like `checked_symmetric`; of matrices of balls the symmetry is left to `verify.matrices.balls`."""
    array = checked_entries(matrix)
    check_square(array, "matrix")
    if not balls.holds_balls(array):
        check_symmetric(array, "matrix")
    return array


def _exact_function(matrix: Array, function: Callable[[Any], Array]) -> Array:
    if not exact.each(exact.is_semidefinite, matrix).all():
        raise ValueError("matrix must be positive semi-definite, got a negative eigenvalue")
    return exact.each(function, matrix, shape=matrix.shape[-2:])


def _squared(matrix: Array) -> Array:
    return exact.each(exact.squared_singular_values, matrix, shape=(min(matrix.shape[-2:]),))


def _squared_pseudo_determinant(matrix: fmpq_mat) -> fmpq:
    # the last elementary symmetric function of the squares that is not zero
    return exact.elementary_symmetric(exact.gram(matrix))[matrix.rank()]


def _stable_rank(matrix: fmpq_mat) -> Any:
    gram = exact.gram(matrix)
    (largest, _), *_ = exact.eigenvalues(gram)
    return fmpq(0) if largest == 0 else exact.trace(gram) / largest


def _total(values: Array) -> Array:
    return _array(values.sum(axis=-1))


def _array(values: Any) -> Array:
    """`values` as an array: NumPy returns a bare entry where no axes are left."""
    array: Array = array_module(values).asarray(values) if hasattr(values, "dtype") else np.asarray(values, dtype=object)
    return array
