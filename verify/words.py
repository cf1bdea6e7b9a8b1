"""The words in which a statement is written: each takes and gives arrays of one instance, in floats and on exact numbers.

A statement is a plain function of one instance, in NumPy's semantics: ``@``, ``.T``, slices, sums, `numpy.concatenate`,
`numpy.stack`, `numpy.where`, `numpy.einsum` work as always. The words below add what NumPy does not have, or does not have on
rationals.

Examples
--------
>>> from verify.words import eq, ge, norm2, relu
>>> def shorter(x):
...     return ge(norm2(x), norm2(relu(x)))
>>> bool(shorter([3, -4]).verdict == 1)
True
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from flint import arb, fmpq

from verify import matrices
from verify.instances import (
    InstanceArray,
    aligned,
    apply_ufunc,
    core_ndim,
    exact_integers,
    gathered,
    lead_in,
    lifted,
    of_matrices,
)
from verify.numbers import arithmetic
from verify.numbers.exactness import ExactNumber, Q, UndecidedInstances, in_exact_evaluation
from verify.numbers.measured import Measured
from verify.numbers.relation import Relation, Sense, Verdict, compared_entries

__all__ = [
    "Q",
    "absolute",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "beta",
    "block",
    "cholesky",
    "concatenate",
    "condition_number",
    "cos",
    "cosh",
    "determinant",
    "diag",
    "digamma",
    "eigenvalues",
    "entropy",
    "eq",
    "erf",
    "erfc",
    "exp",
    "expm",
    "eye",
    "floor",
    "gamma",
    "gcd",
    "ge",
    "geometric_mean",
    "gram_power",
    "greatest",
    "holds",
    "induced_norm",
    "infinity",
    "inner",
    "inverse",
    "kron",
    "ky_fan_norm",
    "le",
    "least",
    "lifted",
    "log",
    "log_plus",
    "log_pseudo_determinant",
    "logsumexp",
    "majorises",
    "matrix_log",
    "maximum",
    "minimum",
    "nonnegative",
    "norm",
    "norm2",
    "nuclear_norm",
    "ones",
    "operator_norm",
    "pi",
    "pinv",
    "polar_factor",
    "positive",
    "power",
    "psd_power",
    "psd_sqrt",
    "pseudo_determinant",
    "rank",
    "relative_entropy",
    "relu",
    "schatten_power",
    "schur_complement",
    "sign",
    "sin",
    "singular_values",
    "sinh",
    "softmax",
    "softplus",
    "solve",
    "spectral_radius",
    "sqrt",
    "stable_rank",
    "stack",
    "tan",
    "tanh",
    "trace",
    "vector",
    "where",
    "xlogx",
    "zeros",
]


def _instance(value: Any) -> Any:
    """`value`; of nested lists an array, exact in an exact evaluation."""
    if isinstance(value, list | tuple):
        value = gathered(value) if lead_in(value) is not None else np.asarray(value)
    return gathered(value)


def _entrywise(ufunc: Any, exact: Callable[..., Any], text: str) -> Callable[..., Any]:
    """The word with the name of a ufunc."""

    def word(*values: Any) -> Any:
        values = tuple(map(_instance, values))
        return exact(*values) if lead_in(*values) is None else apply_ufunc(ufunc, *values)

    word.__name__ = word.__qualname__ = ufunc.__name__
    word.__doc__ = text
    return word


sqrt = _entrywise(np.sqrt, arithmetic.sqrt, "Square root of every entry; exact for squares of rationals.")
exp = _entrywise(np.exp, arithmetic.exp, "Exponential of every entry.")
log = _entrywise(np.log, arithmetic.log, "Natural logarithm of every entry.")
floor = _entrywise(np.floor, arithmetic.floor, "Largest integer that is not above an entry.")
absolute = _entrywise(np.absolute, arithmetic.absolute, "Absolute value of every entry.")
maximum = _entrywise(np.maximum, arithmetic.maximum, "Larger of two entries.")
minimum = _entrywise(np.minimum, arithmetic.minimum, "Smaller of two entries.")
sin = _entrywise(np.sin, arithmetic.sin, "Sine of every entry.")
cos = _entrywise(np.cos, arithmetic.cos, "Cosine of every entry.")
tan = _entrywise(np.tan, arithmetic.tan, "Tangent of every entry.")
arctan = _entrywise(np.arctan, arithmetic.arctan, "Inverse tangent of every entry, between -pi/2 and pi/2.")
sinh = _entrywise(np.sinh, arithmetic.sinh, "Hyperbolic sine of every entry.")
cosh = _entrywise(np.cosh, arithmetic.cosh, "Hyperbolic cosine of every entry.")
arcsin = _entrywise(np.arcsin, arithmetic.arcsin, "Inverse sine of every entry, between -pi/2 and pi/2.")
arccos = _entrywise(np.arccos, arithmetic.arccos, "Inverse cosine of every entry, between 0 and pi.")
arcsinh = _entrywise(np.arcsinh, arithmetic.arcsinh, "Inverse hyperbolic sine of every entry.")
arccosh = _entrywise(np.arccosh, arithmetic.arccosh, "Inverse hyperbolic cosine of every entry, at least 1.")
arctanh = _entrywise(np.arctanh, arithmetic.arctanh, "Inverse hyperbolic tangent of every entry, in (-1, 1).")
tanh = _entrywise(np.tanh, arithmetic.tanh, "Hyperbolic tangent of every entry.")
sign = _entrywise(np.sign, lambda value: _exact_sign(value), "Sign of every entry: -1, 0 or 1.")


def _exact_sign(value: Any) -> Any:
    signs = arithmetic.compare(value, 0)
    return exact_integers(signs) if arithmetic.is_exact(value) or in_exact_evaluation() else signs.astype(float)


def power(base: Any, exponent: int | Fraction) -> Any:
    """``base ** exponent`` of every entry, for ``base >= 0`` and an integer or a `Fraction`.

    >>> print(power(rationals(["4/9"]), Q(3, 2)))
    [8/27]
    """
    base = _instance(base)
    if isinstance(base, InstanceArray):
        return InstanceArray(arithmetic.power(base.values, exponent), base.lead)
    return arithmetic.power(base, exponent)


def erf(values: Any) -> Any:
    """Error function of every entry: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to it.

    >>> print(erf([0, 1]))
    [0.         0.84270079]
    """
    return _of_entries(arithmetic.erf, values)


def gamma(values: Any) -> Any:
    """Gamma function of every entry; of n, (n - 1)!.

    >>> print(gamma(5))
    24.0
    """
    return _of_entries(arithmetic.gamma, values)


def erfc(values: Any) -> Any:
    """Complement of the error function of every entry, ``1 - erf(x)``, without cancellation.

    >>> print(erfc([0, 1]))
    [1.         0.15729921]
    """
    return _of_entries(arithmetic.erfc, values)


def digamma(values: Any) -> Any:
    """Derivative of ``log gamma`` of every entry.

    >>> print(digamma([1, 2]))
    [-0.57721566  0.42278434]
    """
    return _of_entries(arithmetic.digamma, values)


def beta(a: Any, b: Any) -> Any:
    """Beta function ``gamma(a) gamma(b) / gamma(a + b)``, entrywise.

    >>> print(beta([1, 2], 3))
    [0.33333333 0.08333333]
    """
    a, b = _instance(a), _instance(b)
    return gamma(a) * gamma(b) / gamma(a + b)


def _of_entries(function: Callable[[Any], Any], values: Any) -> Any:
    values = _instance(values)
    return InstanceArray(function(values.values), values.lead) if isinstance(values, InstanceArray) else function(values)


def softplus(values: Any) -> Any:
    """``log(1 + exp(x))`` of every entry, without overflow.

    >>> print(softplus([0, 1000]))
    [6.93147181e-01 1.00000000e+03]
    """
    values = _instance(values)
    return relu(values) + log(1 + exp(-absolute(values)))


def logsumexp(values: Any) -> Any:
    """Logarithm of the sum of the exponentials of all entries, without overflow.

    >>> print(logsumexp([1000, -1000]))
    1000.0
    """
    values = _instance(values)
    largest = greatest(values)
    return largest + log(exp(values - largest).sum())


def softmax(values: Any, axis: int | None = None) -> Any:
    """Exponentials of the entries of a vector, divided by their sum; of a matrix those of each row (axis 1) or column (axis 0).

    >>> print(softmax([1000, 1000]))
    [0.5 0.5]
    >>> print(softmax([[1000, 1000], [0, -1000]], axis=1))
    [[0.5 0.5]
     [1.  0. ]]
    """
    values = _instance(values)
    if values.ndim > 1 and axis is None:
        raise ValueError("softmax of a matrix: say axis=1 for its rows, axis=0 for its columns, got no axis")
    if axis not in (None, *range(-values.ndim, values.ndim)):
        raise ValueError(f"axis must be from {-values.ndim} to {values.ndim - 1}, got {axis!r}")
    axis = None if axis is None or values.ndim < 2 else axis % values.ndim
    powers = exp(values - _beside(greatest(values, axis=axis), axis))
    return powers / _beside(powers.sum(axis=axis), axis)


def _beside(values: Any, axis: int | None) -> Any:
    """What is left of an array whose `axis` was summed up, in a shape that goes with the array."""
    return values if axis is None else values[(slice(None),) * axis + (None,)]


def xlogx(values: Any) -> Any:
    """``x log x`` of every entry, 0 at 0.

    >>> print(xlogx([0, 1, np.e]))
    [0.         0.         2.71828183]
    """
    values = _instance(values)
    return values * log(where(values == 0, 1, values))


def entropy(probabilities: Any) -> Any:
    """``-sum p log p`` of probabilities, in nats.

    >>> print(entropy([0.5, 0.5]) / log(2))
    1.0
    """
    return -xlogx(probabilities).sum()


def relative_entropy(p: Any, q: Any) -> Any:
    """``sum p log(p / q)`` in nats, the Kullback-Leibler divergence: ``infinity()`` where some q is 0 and its p is not.

    >>> print(relative_entropy([0.5, 0.5], [1, 0]))
    inf
    """
    p, q = _instance(p), _instance(q)
    support = where(p == 0, 1, q)
    missing = support == 0
    return where(missing.any(), infinity(), (xlogx(p) - p * log(where(missing, 1, support))).sum())


def infinity() -> Any:
    """What is above every number, in every arithmetic; as a side it is compared, but its difference with itself is none.

    >>> print(maximum(infinity(), 1))
    inf
    """
    return arithmetic.infinity()


def gcd(left: Any, right: Any) -> Any:
    """Greatest common divisor of integers, entrywise; see `verify.numbers.arithmetic.gcd`.

    >>> print(gcd(12, [18, 7]))
    [6. 1.]
    """
    left, right = _instance(left), _instance(right)
    lead, ndim = lead_in(left, right), max(core_ndim(left), core_ndim(right))
    if lead is None:
        return arithmetic.gcd(left, right)
    return InstanceArray(arithmetic.gcd(aligned(left, ndim), aligned(right, ndim)), lead)


def pi() -> Any:
    """The circle's number, a ball in an exact evaluation.

    >>> print(cos(pi()))
    -1.0
    """
    return arithmetic.pi()


def relu(values: Any) -> Any:
    """Every entry where it is positive, else 0.

    >>> print(relu([3, -4]))
    [3. 0.]
    """
    values = _instance(values)
    if isinstance(values, InstanceArray):
        return InstanceArray(arithmetic.where_positive(values.values, values.values), values.lead)
    return arithmetic.where_positive(values, values)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition is true, else `no`, entrywise; both are evaluated.

    >>> print(where([True, False], [1, 2], 0))
    [1 0]
    """
    operands = [_instance(value) for value in (condition, yes, no)]
    if lead_in(*operands) is None:
        operands[1:] = _in_one_arithmetic(operands[1:])
    return np.where(*operands)


def _in_one_arithmetic(values: Sequence[Any]) -> list[Any]:
    """Integers and fractions beside exact numbers as such, else as floats."""
    exact = in_exact_evaluation() or any(
        arithmetic.is_exact(value) or isinstance(value, fmpq | arb | ExactNumber) for value in values
    )
    if not exact:
        return [float(value) if isinstance(value, Fraction) else value for value in values]
    return [value if arithmetic.is_exact(value) else _object(value) for value in values]


def _object(value: Any) -> Any:
    return exact_integers(np.asarray(arithmetic.rational(value) if isinstance(value, Fraction) else value, dtype=object))


# Numbers of an array


def norm2(array: Any) -> Any:
    """Sum of the squares of all entries: the squared Euclidean norm of a vector, the squared Frobenius norm of a matrix.

    >>> print(norm2(rationals([[1, 2], ["1/2", 0]])))
    21/4
    """
    array = _instance(array)
    return (array * array).sum()


def norm(array: Any, order: Any = None, axis: int | None = None) -> Any:
    """Euclidean norm of a vector, Frobenius norm of a matrix; others by `order`, and of rows or columns by `axis`, as in NumPy.

    >>> print(norm([3, -4]), norm([3, -4], 1), norm([[3, -4], [5, 12]], axis=1))
    5.0 7 [ 5. 13.]
    """
    if order is None and axis is None:
        return sqrt(norm2(array))
    values, of_numpy = _instance(array), cast(Any, np.linalg.norm)
    if isinstance(values, InstanceArray):
        return of_numpy(values, order, axis)
    return of_numpy(InstanceArray(np.asarray(values), 0), order, axis).values  # NumPy's own takes no rationals


def inner(left: Any, right: Any) -> Any:
    """Sum of the products of all entries: the inner product of vectors, the trace of ``left.T @ right`` of matrices.

    >>> print(inner([1, 2], [3, 4]))
    11
    """
    return (_instance(left) * _instance(right)).sum()


def trace(matrix: Any) -> Any:
    """Sum of the diagonal.

    >>> print(trace([[1, 2], [3, 4]]))
    5
    """
    matrix = _instance(matrix)
    return matrix.trace() if isinstance(matrix, InstanceArray) else np.diagonal(matrix).sum()


def least(array: Any, axis: int | None = None) -> Any:
    """Smallest of all entries, or along an axis.

    >>> print(least([[1, 2], [3, 0]]), least([[1, 2], [3, 0]], axis=0))
    0.0 [1. 0.]
    """
    return _extreme(arithmetic.smallest, "min", array, axis)


def greatest(array: Any, axis: int | None = None) -> Any:
    """Largest of all entries, or along an axis.

    >>> print(greatest([[1, 2], [3, 0]]), greatest([[1, 2], [3, 0]], axis=1))
    3.0 [2. 3.]
    """
    return _extreme(arithmetic.largest, "max", array, axis)


def _extreme(function: Callable[[Any, int], Any], name: str, array: Any, axis: int | None) -> Any:
    array = _instance(array)
    if isinstance(array, InstanceArray):
        return getattr(array, name)(axis)
    return function(np.ravel(array), -1) if axis is None else function(array, axis)


# Matrices


def kron(left: Any, right: Any) -> Any:
    """Kronecker product of two matrices.

    >>> print(kron([[1, 2]], [[1], [10]]).tolist())
    [[1, 2], [10, 20]]
    """
    left, right = _instance(left), _instance(right)
    shape = left.shape[0] * right.shape[0], left.shape[1] * right.shape[1]
    return (left[:, None, :, None] * right[None, :, None, :]).reshape(*shape)


def _of_matrices(function: Callable[..., Any], text: str) -> Callable[..., Any]:
    word = of_matrices(function)
    word.__doc__ = f"{text}; see `verify.matrices.{function.__name__}`."
    return word


cholesky = _of_matrices(
    matrices.cholesky, "The lower triangular L with a positive diagonal for which ``L L^T`` is a positive definite matrix"
)
condition_number = _of_matrices(matrices.condition_number, "Largest singular value divided by the least")
determinant = _of_matrices(matrices.determinant, "Determinant of a square matrix")
eigenvalues = _of_matrices(matrices.eigenvalues, "Eigenvalues of a symmetric matrix, from the largest to the least")
expm = _of_matrices(matrices.exponential, "Exponential of a symmetric matrix")
geometric_mean = _of_matrices(
    matrices.geometric_mean, "Geometric mean of two positive definite matrices, or another point of the geodesic between them"
)
gram_power = _of_matrices(matrices.gram_power, "The power ``(A^T A)^exponent`` of the Gram matrix")
inverse = _of_matrices(matrices.inverse, "Inverse of an invertible matrix")
log_plus = _of_matrices(matrices.log_plus, "Logarithm of the non-zero singular values, with the singular vectors as they are")
log_pseudo_determinant = _of_matrices(
    matrices.log_pseudo_determinant, "Logarithm of the product of the non-zero singular values"
)
matrix_log = _of_matrices(matrices.logarithm, "Logarithm of a positive definite matrix")
nuclear_norm = _of_matrices(matrices.nuclear_norm, "Sum of the singular values")
operator_norm = _of_matrices(matrices.operator_norm, "Largest singular value")
pinv = _of_matrices(matrices.pseudo_inverse, "Pseudo-inverse of Moore and Penrose")
polar_factor = _of_matrices(matrices.polar_factor, "The orthogonal factor of the polar decomposition")
pseudo_determinant = _of_matrices(
    matrices.pseudo_determinant, "Product of the non-zero singular values, 1 for a matrix of zeros"
)
psd_power = _of_matrices(matrices.psd_power, "Power of a positive semidefinite matrix")
rank = _of_matrices(matrices.rank, "Rank, exact for rationals; in floats by a relative gap")
schatten_power = _of_matrices(matrices.schatten_power, "Sum of the powers of the non-zero singular values")
singular_values = _of_matrices(matrices.singular_values, "Singular values, from the largest to the least")
_solve = of_matrices(matrices.solve)


def solve(matrix: Any, right: Any) -> Any:
    """The X with ``A X = B``, of an invertible A, or the vector x with ``A x = b``; see `verify.matrices.solve`."""
    right = _instance(right)
    if np.ndim(right) == 1:
        return _solve(matrix, right[:, None])[:, 0]
    return _solve(matrix, right)


spectral_radius = _of_matrices(matrices.spectral_radius, "Largest absolute value of an eigenvalue of a square matrix")
stable_rank = _of_matrices(matrices.stable_rank, "Squared Frobenius norm divided by the largest squared singular value")


def psd_sqrt(matrix: Any) -> Any:
    """Square root of a positive semidefinite matrix, itself positive semidefinite: `psd_power` with the exponent 1/2.

    >>> print(psd_sqrt([[4, 0], [0, 9]]).tolist())
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return psd_power(matrix, Fraction(1, 2))


def schur_complement(matrix: Any, size: int) -> Any:
    """``D - C A^-1 B`` of a square matrix with the blocks A, B above C, D, where A has `size` rows and columns.

    >>> print(schur_complement(rationals([[2, 1], [1, 2]]), 1))
    [[3/2]]
    """
    matrix = _instance(matrix)
    above, below = matrix[:size], matrix[size:]
    return below[:, size:] - below[:, :size] @ inverse(above[:, :size]) @ above[:, size:]


def ky_fan_norm(matrix: Any, count: int) -> Any:
    """Sum of the `count` largest singular values.

    >>> print(ky_fan_norm([[3, 0], [0, -4]], 1))
    4.0
    """
    return singular_values(matrix)[:count].sum()


LARGEST_CORNERS = 12
"""Entries of a vector all of whose signs are tried."""


def induced_norm(matrix: Any, p: float, q: float) -> Any:
    """Largest q-norm of ``A x`` for vectors x with a p-norm of at most 1; p and q are 1, 2 or ``numpy.inf``.

    From infinity, and from 2 to 1, all signs of a vector are tried, of at most `LARGEST_CORNERS` entries.

    >>> print(induced_norm([[1, -2], [3, 4]], np.inf, np.inf))
    7.0

    Raises
    ------
    ValueError
        An exponent is none of these, or the vector is longer.
    """
    for name, exponent in (("p", p), ("q", q)):
        if exponent not in (1, 2, np.inf):
            raise ValueError(f"{name} must be 1, 2 or numpy.inf, got {exponent!r}")
    matrix = _instance(matrix)
    if p == q == 2:
        return operator_norm(matrix)
    if p == 1:  # attained at a unit vector
        return greatest(stack([_vector_norm(column, q) for column in matrix.T]))
    if p == 2:  # that of the transpose between the dual norms
        return induced_norm(matrix.T, 1 if q == np.inf else np.inf, 2)
    if q == np.inf:
        return greatest(stack([_vector_norm(row, 1) for row in matrix]))
    length = matrix.shape[1]
    if length > LARGEST_CORNERS:
        raise ValueError(f"the matrix must have at most {LARGEST_CORNERS} columns for the norm from {p} to {q}, got {length}")
    corners = [np.array([1, *signs]) for signs in itertools.product((-1, 1), repeat=length - 1)]
    return greatest(stack([_vector_norm(matrix @ corner, q) for corner in corners]))


def _vector_norm(vector: Any, exponent: float) -> Any:
    if exponent == 2:
        return norm(vector)
    return absolute(vector).sum() if exponent == 1 else greatest(absolute(vector))


EXAMPLES = r"""
sqrt(rationals(["4/9", 0]))  [2/3 0]
exp([0, 1])  [1.         2.71828183]
log([1, np.e])  [0. 1.]
floor(rationals(["7/2", "-7/2"]))  [3 -4]
absolute([3, -4])  [3. 4.]
maximum([1, 4], 2)  [2. 4.]
minimum([1, 4], 2)  [1. 2.]
sin([0, np.pi / 2])  [0. 1.]
cos([0, np.pi])  [ 1. -1.]
tan([0, np.pi / 4])  [0. 1.]
arctan([0, 1])  [0.         0.78539816]
sinh([0, np.log(2)])  [0.   0.75]
cosh([0, np.log(2)])  [1.   1.25]
arcsin([0, 1])  [0.         1.57079633]
arccos(-1) / pi()  1.0
arcsinh([0, 1])  [0.         0.88137359]
arccosh([1, np.cosh(2)])  [0. 2.]
arctanh([0, 0.5])  [0.         0.54930614]
tanh([-1000, 0])  [-1.  0.]
sign([-3, 0, 2])  [-1.  0.  1.]
cholesky([[4, 2], [2, 5]]).tolist()  [[2.0, 0.0], [1.0, 2.0]]
condition_number(rationals([[3, 0], [0, -4]]))  4/3
determinant(rationals([[1, 2], [3, 4]]))  -2
eigenvalues([[2, 1], [1, 2]])  [3. 1.]
expm(zeros(2, 2)).tolist()  [[1.0, 0.0], [0.0, 1.0]]
geometric_mean([[1, 0], [0, 4]], [[4, 0], [0, 9]]).tolist()  [[2.0, 0.0], [0.0, 6.0]]
gram_power([[3, 0], [0, -4]], Q(1, 2)).tolist()  [[3.0, 0.0], [0.0, 4.0]]
inverse(rationals([[0, 2], [1, 0]])).tolist()  [[0, 1], [1/2, 0]]
log_plus([[1, 0], [0, 0]]).tolist()  [[0.0, 0.0], [0.0, 0.0]]
log_pseudo_determinant([[1, 0], [0, 0]])  0.0
matrix_log(eye(2)).tolist()  [[0.0, 0.0], [0.0, 0.0]]
nuclear_norm(rationals([[3, 0], [0, -4]]))  7
operator_norm(rationals([[3, 0], [0, -4]]))  4
pinv(rationals([[2, 0], [0, 0]])).tolist()  [[1/2, 0], [0, 0]]
polar_factor([[0, 2], [3, 0]]).tolist()  [[0.0, 1.0], [1.0, 0.0]]
pseudo_determinant(rationals([[2, 0], [0, 0]]))  2
psd_power([[4, 0], [0, 9]], Q(1, 2)).tolist()  [[2.0, 0.0], [0.0, 3.0]]
rank(rationals([[1, 2], [2, 4]]))  1
schatten_power(rationals([[4, 0], [0, 9]]), Q(1, 2))  5
singular_values([[3, 0], [0, -4]])  [4. 3.]
solve(rationals([[2, 0], [0, 4]]), rationals([[1], [1]])).tolist()  [[1/2], [1/4]]
spectral_radius(rationals([[0, -4], [1, 0]]))  2
stable_rank(rationals([[1, 0], [0, 2]]))  5/4
"""
"""Calls of words that have no docstring of their own, and what they print, apart by two spaces."""
for _example in EXAMPLES.strip().splitlines():
    _call, _, _printed = _example.partition("  ")
    globals()[_call.partition("(")[0]].__doc__ += f"\n\n>>> print({_call})\n{_printed}"


# Building


def eye(size: int) -> Any:
    """The identity matrix.

    >>> print(eye(2).tolist())
    [[1, 0], [0, 1]]
    """
    return np.eye(size, dtype=np.int64)


def zeros(*shape: int) -> Any:
    """An array of zeros, at home in every arithmetic.

    >>> print(zeros(2, 3).tolist())
    [[0, 0, 0], [0, 0, 0]]
    """
    return np.zeros(shape, dtype=np.int64)


def ones(*shape: int) -> Any:
    """An array of ones, at home in every arithmetic.

    >>> print(ones(3))
    [1 1 1]
    """
    return np.ones(shape, dtype=np.int64)


def diag(values: Any) -> Any:
    """The diagonal matrix with these entries; of a matrix, its diagonal.

    >>> print(diag([1, 2]).tolist(), diag([[1, 2], [3, 4]]))
    [[1, 0], [0, 2]] [1 4]
    """
    values = _instance(values)
    if isinstance(values, InstanceArray):
        return np.diag(values)  # type: ignore[call-overload]
    values = np.asarray(values)
    return np.diagonal(values) if values.ndim == 2 else values[:, None] * np.eye(len(values), dtype=np.int64)


def vector(*entries: Any) -> Any:
    """The vector with these numbers.

    >>> print(vector(1, 2))
    [1 2]
    """
    return stack(entries)


def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Arrays of one shape along a new axis, as `numpy.stack`.

    >>> print(stack([[1, 2], [3, 4]], axis=1).tolist())
    [[1, 3], [2, 4]]
    """
    return _join(np.stack, [*arrays], axis)


def concatenate(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Arrays one after the other, as `numpy.concatenate`.

    >>> print(concatenate([[1, 2], [3]]))
    [1 2 3]
    """
    return _join(np.concatenate, [*arrays], axis)


def _join(function: Any, arrays: list[Any], axis: int) -> Any:
    arrays = [_instance(array) for array in arrays]
    if lead_in(arrays) is None:
        return function(list(map(np.asarray, _in_one_arithmetic(arrays))), axis=axis)
    return function([array if hasattr(array, "ndim") else InstanceArray(array, 0) for array in _fractions(arrays)], axis=axis)


def _fractions(values: Sequence[Any]) -> list[Any]:
    kinds = [value.dtype.kind for value in values if hasattr(value, "dtype")]
    exact = "O" in kinds or in_exact_evaluation()
    return [
        (fmpq(value.numerator, value.denominator) if exact else float(value)) if isinstance(value, Fraction) else value
        for value in values
    ]


def block(rows: Sequence[Sequence[Any]]) -> Any:
    """A matrix of blocks, given by rows; a number stands for a block filled with it, of the size that its place has.

    >>> block([[eye(2), 0], [0, 3]]).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 3]]
    """
    table = [[_instance(entry) for entry in row] for row in rows]
    heights = [max((entry.shape[0] for entry in row if core_ndim(entry) == 2), default=1) for row in table]
    columns = list(zip(*table, strict=True))
    widths = [max((entry.shape[1] for entry in column if core_ndim(entry) == 2), default=1) for column in columns]
    filled = [
        concatenate(
            [entry if core_ndim(entry) == 2 else entry * ones(high, wide) for entry, wide in zip(row, widths, strict=True)],
            axis=1,
        )
        for row, high in zip(table, heights, strict=True)
    ]
    return concatenate(filled, axis=0)


# Relations and hypotheses


def _relation(sense: Sense, text: str) -> Callable[..., Relation]:
    def compare(left: Any, right: Any, name: str = "", *, beside: Any = None) -> Relation:
        sides = [left, right] if beside is None else [left, right, beside]
        errors = [_instance(side.error) for side in sides if isinstance(side, Measured)]
        sides = [_counted(_instance(side.value if isinstance(side, Measured) else side)) for side in sides]
        over = max(map(core_ndim, sides))
        raw = [aligned(side, over) for side in sides]
        errors = [aligned(error, over) for error in errors]
        return compared_entries(sense, raw[0], raw[1], name, over, errors, raw[2] if len(raw) == 3 else None)

    compare.__name__ = compare.__qualname__ = sense
    compare.__doc__ = text
    return compare


def _counted(side: Any) -> Any:
    """Truth values as numbers."""
    return 1 * side if getattr(getattr(side, "dtype", None), "kind", "") == "b" else side


le = _relation(
    "le",
    """The relation ``left <= right`` of one instance; of arrays, for every entry.

    Parameters
    ----------
    name
        What reports and tight examples call this comparison, where it is joined with others by ``&``.
    beside
        What the sides are small against, where that is larger than they are: a difference is measured relative to it.

    Examples
    --------
    >>> Verdict(le(Q(1, 3), Q(1, 2)).verdict).name
    'HOLDS'
    """,
)
ge = _relation(
    "ge",
    """The relation ``left >= right``; see `le`.

    Examples
    --------
    >>> Verdict(ge(Q(1, 3), Q(1, 2)).verdict).name
    'FAILS'
    """,
)
eq = _relation(
    "eq",
    """The relation ``left = right``; see `le`. Floats alone do not show an equality.

    Examples
    --------
    >>> Verdict(eq(Q(1, 2), Q(1, 3)).verdict).name
    'FAILS'
    >>> Verdict(eq(0.1 + 0.2, 0.3).verdict).name
    'UNDECIDED'
    """,
)


def positive(array: Any) -> Any:
    """Whether all entries are positive; for hypotheses.

    >>> print(positive([1, 2]), positive([1, 0]))
    True False
    """
    return _all(_instance(array), lambda sign: sign > 0)


def nonnegative(array: Any) -> Any:
    """Whether no entry is negative; for hypotheses.

    >>> print(nonnegative([1, 0]), nonnegative([1, -1]))
    True False
    """
    return _all(_instance(array), lambda sign: sign >= 0)


def _all(array: Any, test: Callable[[Any], Any]) -> Any:
    if isinstance(array, InstanceArray):
        return InstanceArray(test(arithmetic.compare(array.values, 0)), array.lead).all()
    return np.all(test(arithmetic.compare(array, 0)))


def majorises(x: Any, y: Any) -> Relation:
    """The relation that x majorises y: sums of the k largest entries of x are at least those of y, and all sum to the same.

    As a hypothesis, ``holds(majorises(x, y))``.

    >>> print(holds(majorises([3, 0], [2, 1])), holds(majorises([2, 1], [3, 0])))
    True False
    """
    largest, smaller = (np.sort(_instance(vector))[::-1].cumsum() for vector in (x, y))
    return ge(largest[:-1], smaller[:-1], name="partial sums") & eq(largest[-1], smaller[-1], name="sum")


def holds(relation: Relation) -> Any:
    """Whether a relation holds, for hypotheses: exactly; in floats an equality holds up to rounding.

    >>> print(holds(ge(norm([3, 4]), 4)), holds(eq(0.1 + 0.2, 0.3)))
    True True

    Raises
    ------
    UndecidedInstances
        The sides are exact and so near to each other that balls do not tell which is larger.
    """
    lead = len(relation.batch_shape)
    verdict = relation.verdict
    if relation.is_exact and (verdict == Verdict.UNDECIDED).any():
        raise UndecidedInstances("whether a relation holds, which balls do not decide", verdict == Verdict.UNDECIDED)
    answer = verdict >= 0
    return InstanceArray(np.asarray(answer), lead) if lead else bool(answer)
