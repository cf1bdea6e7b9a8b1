"""NumPy's linear algebra and statistics on arrays of one instance: on rationals they are the functions of `verify.matrices`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from verify import matrices
from verify.instances.array import (
    EXACT,
    FUNCTIONS,
    INSTEAD,
    OF_SCIPY,
    InstanceArray,
    apply_ufunc,
    exact_integers,
    gathered,
)
from verify.instances.views import of_matrices
from verify.numbers import arithmetic


def _norm(
    array: Any,
    ord: Any = None,  # noqa: A002 (NumPy's name)
    axis: Any = None,
    keepdims: bool = False,
) -> Any:
    array = gathered(array)
    if isinstance(axis, int) and not keepdims:
        if ord in (None, 2):
            return apply_ufunc(np.sqrt, (array * array).sum(axis=axis))
        if ord in (1, np.inf):
            return abs(array).sum(axis=axis) if ord == 1 else abs(array).max(axis=axis)
    if axis is not None or keepdims or array.ndim not in (1, 2):
        return NotImplemented
    if ord in (None, "fro") or (ord == 2 and array.ndim == 1):
        return apply_ufunc(np.sqrt, (array * array).sum())
    if array.ndim == 1 and ord in (1, np.inf):
        return abs(array).sum() if ord == 1 else abs(array).max()
    if array.ndim == 1 and isinstance(ord, int | Fraction) and ord > 1:
        powers = arithmetic.power(abs(array).values, ord).sum(axis=-1)
        return InstanceArray(arithmetic.power(powers, 1 / Fraction(ord)), array.lead)
    if array.ndim == 2 and ord in (1, np.inf):
        return abs(array).sum(axis=0 if ord == 1 else 1).max()
    if array.ndim == 2 and ord in (2, "nuc"):
        return of_matrices(matrices.operator_norm if ord == 2 else matrices.nuclear_norm)(array)
    return NotImplemented


def _of_a_matrix(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a matrix; with options of NumPy that ours does not have it is left to NumPy, instance by instance."""

    def of_one(*operands: Any, **options: Any) -> Any:
        return NotImplemented if options else of_matrices(function)(*operands)

    return of_one


def _solve(matrix: Any, right: Any) -> Any:
    matrix, right = gathered(matrix), gathered(right)
    if right.ndim == 1:
        return of_matrices(matrices.solve)(matrix, right[:, None])[:, 0]
    return of_matrices(matrices.solve)(matrix, right)


def _singular_values(matrix: Any, *_: Any, compute_uv: bool = True, hermitian: bool = False, **__: Any) -> Any:
    return NotImplemented if compute_uv or hermitian else of_matrices(matrices.singular_values)(matrix)


def _matrix_power(matrix: Any, n: int) -> Any:
    base = of_matrices(matrices.inverse)(matrix) if n < 0 else gathered(matrix)
    result: Any = np.eye(base.shape[0], dtype=np.int64)
    for _ in range(abs(n)):
        result = result @ base
    return result if isinstance(result, InstanceArray) else result + 0 * base


def _condition(matrix: Any, p: Any = None) -> Any:
    return of_matrices(matrices.condition_number)(gathered(matrix)) if p in (None, 2) else NotImplemented


def _sign_and_logarithm(matrix: Any) -> Any:
    value = of_matrices(matrices.determinant)(gathered(matrix))
    return apply_ufunc(np.sign, value), apply_ufunc(np.log, abs(value))


def _variance(array: Any, axis: Any = None, **options: Any) -> Any:
    if axis is not None or options:
        return NotImplemented
    array = gathered(array)
    return ((array - array.mean()) ** 2).mean()


def _deviation(array: Any, axis: Any = None, **options: Any) -> Any:
    variance = _variance(array, axis, **options)
    return NotImplemented if variance is NotImplemented else apply_ufunc(np.sqrt, variance)


def _log_add_exp(left: Any, right: Any) -> Any:
    larger = arithmetic.maximum(left, right)
    return larger + arithmetic.log(arithmetic.exp(left - larger) + arithmetic.exp(right - larger))


FUNCTIONS |= {
    np.linalg.norm: _norm,
    np.linalg.det: _of_a_matrix(matrices.determinant),
    np.linalg.inv: _of_a_matrix(matrices.inverse),
    np.linalg.pinv: _of_a_matrix(matrices.pseudo_inverse),
    np.linalg.matrix_rank: _of_a_matrix(matrices.rank),
    np.linalg.eigvalsh: _of_a_matrix(lambda matrix: matrices.eigenvalues(matrix)[..., ::-1]),
    np.linalg.svdvals: _of_a_matrix(matrices.singular_values),
    np.linalg.svd: _singular_values,
    np.linalg.solve: _solve,
    np.linalg.matrix_power: _matrix_power,
    np.linalg.cond: _condition,
    np.linalg.cholesky: _of_a_matrix(matrices.cholesky),
    np.linalg.slogdet: _sign_and_logarithm,
    np.var: _variance,
    np.std: _deviation,
}


def _cube_root(values: Any) -> Any:
    return arithmetic.power(arithmetic.absolute(values), Fraction(1, 3)) * exact_integers(arithmetic.compare(values, 0))


EXACT |= {
    np.cbrt: _cube_root,
    np.conjugate: lambda values: values,
    np.arcsin: arithmetic.arcsin,
    np.arcsinh: arithmetic.arcsinh,
    np.arccosh: arithmetic.arccosh,
    np.arctanh: arithmetic.arctanh,
    np.arccos: arithmetic.arccos,
    np.logaddexp: _log_add_exp,
    np.log1p: lambda values: arithmetic.log(1 + values),
    np.expm1: lambda values: arithmetic.exp(values) - 1,
    np.log2: lambda values: arithmetic.log(values) / arithmetic.log(arithmetic.rational(2)),
    np.log10: lambda values: arithmetic.log(values) / arithmetic.log(arithmetic.rational(10)),
    np.hypot: lambda left, right: arithmetic.sqrt(left * left + right * right),
}


def _times_logarithm(left: Any, right: Any) -> Any:
    zero = arithmetic.compare(left, 0) == 0
    return left * arithmetic.log(np.where(zero, arithmetic.rational(1), right))


OF_SCIPY |= {
    "erf": arithmetic.erf,
    "erfc": arithmetic.erfc,
    "gamma": arithmetic.gamma,
    "psi": arithmetic.digamma,
    "expit": lambda values: 1 / (1 + arithmetic.exp(-values)),
    "xlogy": _times_logarithm,
    "entr": lambda p: -_times_logarithm(p, p),
}

_FRAME = "make the matrix of factors instead, derived(lambda U, d: U @ diag(d) @ U.T, U=orthogonal('n'), d=reals('n'))"
_OF_ANY = "write eigenvalues(A) of verify.words for a symmetric A; of others spectral_radius(A) is known exactly"
INSTEAD |= {
    np.linalg.eigh: f"write eigenvalues(A) of verify.words, which descend; where eigenvectors are needed, {_FRAME}",
    np.linalg.eig: _OF_ANY,
    np.linalg.eigvals: _OF_ANY,
    np.linalg.svd: f"write singular_values(A) of verify.words; where singular vectors are needed, {_FRAME}",
    np.linalg.qr: (
        "make the matrix of its factors instead, derived(lambda U, R: U @ R, U=orthogonal('n'), R=upper_triangular('n'))"
    ),
    np.linalg.lstsq: "write pinv(A) @ b of verify.words",
}
_CENTRED = "write C = X - X.mean(axis=1)[:, None] and C @ C.T / (X.shape[1] - 1), in which nothing is a float"
_SLICES = "write slices, such as (x[1:] + x[:-1]).sum() / 2, in which nothing is a float"
_CLOSE = "write eq(x, y), whose tolerance is derived, and in a hypothesis holds(eq(x, y))"
_SORTED = "write what is asked of numpy.sort(x)"
INSTEAD |= {
    np.cov: _CENTRED,
    np.corrcoef: _CENTRED,
    np.quantile: f"{_SORTED}, or numpy.median(x)",
    np.percentile: f"{_SORTED}, or numpy.median(x)",
    np.unique: f"{_SORTED}: it has (numpy.diff(numpy.sort(x)) != 0).sum() + 1 different entries",
    np.histogram: "write (x <= bound).sum(), with an exact bound",
    np.gradient: _SLICES,
    np.interp: _SLICES,
    np.isclose: _CLOSE,
    np.allclose: _CLOSE,
    np.fft.fft: "write sums with cos and sin of verify.words, which take exact multiples of pi()",
    np.roots: "make the polynomial of its roots instead, such as derived(lambda r: numpy.poly(r), r=reals('n'))",
}
for _integral in {"trapezoid", "trapz"} & set(dir(np)):
    INSTEAD[getattr(np, _integral)] = _SLICES
