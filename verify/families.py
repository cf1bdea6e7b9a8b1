"""Variables with structure: matrices, vectors and discrete objects of a kind, each built from free numbers.

Every one of them is a variable of a `Domain`. Its free numbers are rational wherever the object can be, so that instances are
decided exactly and shrink to small integers; zeros, equal and proportional rows of the free numbers give the special members of
the family: low rank, ties, extreme points. A claim that holds on a family is drawn on all of it, not found by a hypothesis that
few instances satisfy.

Examples
--------
>>> from verify import Domain, attack
>>> from verify.families import positive_semidefinite
>>> from verify.words import determinant, diag, le
>>> domain = Domain({"A": positive_semidefinite("n")}, {"n": range(1, 4)})
>>> attack(lambda A: le(determinant(A), diag(A).prod()), domain).outcome  # Hadamard's inequality
'survived'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claims.variables import (
    Coordinate,
    Derived,
    Dimension,
    Elements,
    Numbers,
    Sizes,
    derived,
    digits_of,
    integers,
    interval,
    reals,
    says_its_call,
)
from verify.numbers.arithmetic import Array
from verify.words import (
    block,
    concatenate,
    determinant,
    diag,
    eigenvalues,
    eq,
    eye,
    floor,
    ge,
    holds,
    inverse,
    le,
    nonnegative,
    operator_norm,
    pinv,
    where,
    zeros,
)

__all__ = [
    "adjacency",
    "antisymmetric",
    "arrangement",
    "binary",
    "complex_matrix",
    "contraction",
    "diagonal",
    "doubly_stochastic",
    "hermitian",
    "lower_triangular",
    "nonnegative_numbers",
    "orthogonal",
    "permutation",
    "positive_definite",
    "positive_semidefinite",
    "probability_vector",
    "projection",
    "rotation",
    "sorted_numbers",
    "stochastic",
    "symmetric",
    "tournament",
    "tree",
    "unit_ball",
    "unit_vector",
    "unitary",
    "upper_triangular",
    "with_spectrum",
]

LARGEST_KEY = 11
"""Keys by which a permutation sorts, and the parents of a tree, are integers up to it, or up to a larger length less one."""


class _Keys(Numbers):
    """Integers from 0, enough of them for the last length."""

    def __init__(self, *dimensions: Dimension) -> None:
        super().__init__(0, LARGEST_KEY, dimensions, integer=True)

    def coordinates(self, sizes: Sizes) -> Mapping[str, Coordinate]:
        """See `Variable`."""
        keys = super().coordinates(sizes)[""]
        return {"": replace(keys, upper=max(LARGEST_KEY, keys.shape[-1] - 1))}


@says_its_call()
def symmetric(n: Dimension) -> Derived:
    """A symmetric n x n matrix."""
    return replace(
        derived(_mirrored, entries=reals(n, n)),
        inverse=lambda value: {"entries": np.tril(value)},
        member=lambda value: holds(eq(value, value.T)),
        dimensions=(n, n),
    )


def _mirrored(entries: Any) -> Any:
    return np.tril(entries) + np.tril(entries, -1).T


@says_its_call()
def antisymmetric(n: Dimension) -> Derived:
    """An n x n matrix whose transpose is its negative."""
    variable = derived(lambda entries: np.tril(entries, -1) - np.tril(entries, -1).T, entries=reals(n, n))
    return replace(
        variable,
        inverse=lambda value: {"entries": np.tril(value, -1)},
        member=lambda value: holds(eq(value, -value.T)),
        dimensions=(n, n),
    )


@says_its_call()
def diagonal(n: Dimension) -> Derived:
    """A diagonal n x n matrix."""
    return replace(
        derived(diag, values=reals(n)),
        inverse=lambda value: {"values": np.diag(value)},
        member=lambda value: holds(eq(value, diag(diag(value)))),
        dimensions=(n, n),
    )


@says_its_call()
def lower_triangular(n: Dimension) -> Derived:
    """An n x n matrix with zeros above the diagonal."""
    variable = derived(lambda entries: np.tril(entries), entries=reals(n, n))
    return replace(
        variable,
        inverse=lambda value: {"entries": value},
        member=lambda value: holds(eq(value, np.tril(value))),
        dimensions=(n, n),
    )


@says_its_call()
def upper_triangular(n: Dimension) -> Derived:
    """An n x n matrix with zeros below the diagonal."""
    variable = derived(lambda entries: np.triu(entries), entries=reals(n, n))
    return replace(
        variable,
        inverse=lambda value: {"entries": value},
        member=lambda value: holds(eq(value, np.triu(value))),
        dimensions=(n, n),
    )


@says_its_call("positive_semidefinite('n'), or positive_semidefinite('n', rank)")
def positive_semidefinite(n: Dimension, rank: Dimension | None = None) -> Derived:
    """A positive semidefinite n x n matrix, of rank at most `rank`: a Gram matrix."""
    variable = derived(lambda factor: factor @ factor.T, factor=reals(n, n if rank is None else rank))
    return replace(
        variable,
        member=lambda value: holds(eq(value, value.T)) & holds(ge(_values(value), 0, beside=abs(value).sum())),
        dimensions=(n, n),
    )


def _values(matrix: Any) -> Any:
    """The eigenvalues of the symmetric part, which every matrix has."""
    return eigenvalues((matrix + matrix.T) / 2)


@says_its_call()
def positive_definite(n: Dimension) -> Derived:
    """A positive definite n x n matrix: the product of a triangular matrix with positive diagonal and its transpose."""

    def product(below: Any, pivots: Any) -> Any:
        factor = np.tril(below, -1) + eye(below.shape[0])
        return (factor * where(pivots == 0, 1, pivots)) @ factor.T

    variable = derived(product, below=reals(n, n), pivots=nonnegative_numbers(n))
    return replace(
        variable,
        member=lambda value: holds(eq(value, value.T)) & (_values(value) > 0).all(),
        dimensions=(n, n),
    )


@says_its_call()
def orthogonal(n: Dimension) -> Derived:
    """An orthogonal n x n matrix: a product of n reflections, of which zero rows leave out some."""
    return replace(
        derived(_product_of_reflections, normals=reals(n, n)), member=lambda value: _is_orthogonal(value), dimensions=(n, n)
    )


def _is_orthogonal(value: Any) -> Any:
    return holds(eq(value @ value.T, eye(value.shape[0])))


@says_its_call()
def rotation(n: Dimension) -> Derived:
    """An orthogonal n x n matrix with determinant 1: products of reflections, two by two."""

    def product(first: Any, second: Any) -> Any:
        result = eye(first.shape[1])
        for normal, other_normal in zip(first, second, strict=True):
            used = where((_square(normal) == 0) | (_square(other_normal) == 0), 0, 1)
            result = result @ _reflection(used * normal) @ _reflection(used * other_normal)
        return result

    half: Callable[[Sizes], int] = lambda sizes: max(1, _length(n, sizes) // 2)  # noqa: E731
    variable = derived(product, first=reals(half, n), second=reals(half, n))
    return replace(variable, member=lambda value: _is_orthogonal(value) & (determinant(value) > 0), dimensions=(n, n))


def _length(dimension: Dimension, sizes: Sizes) -> int:
    return dimension(sizes) if callable(dimension) else sizes[dimension] if isinstance(dimension, str) else int(dimension)


def _square(vector: Any) -> Any:
    return (vector * vector).sum()


def _reflection(normal: Any) -> Any:
    """The reflection that changes the sign of `normal`; the identity if it is zero."""
    length = _square(normal)
    return eye(normal.shape[0]) - 2 * normal[:, None] * normal[None, :] / where(length == 0, 1, length)


def _product_of_reflections(normals: Any) -> Any:
    result = eye(normals.shape[1])
    for normal in normals:
        result = result @ _reflection(normal)
    return result


@says_its_call()
def complex_matrix(m: Dimension, n: Dimension) -> Derived:
    """A complex m x n matrix X + iY as the real 2m x 2n matrix with the blocks X, -Y and Y, X.

    Sums and products are those of complex matrices, the transpose is the adjoint. Each singular value, and each eigenvalue of
    what is Hermitian, is there twice, so that `trace`, `norm2` and `nuclear_norm` are twice those of the complex matrix (of the
    trace, its real part); `determinant` is the squared modulus.
    """
    variable = derived(_complex, real=reals(m, n), imaginary=reals(m, n))

    def parts(value: Any) -> dict[str, Any]:
        rows, columns = value.shape[0] // 2, value.shape[1] // 2
        return {"real": value[:rows, :columns], "imaginary": value[rows:, :columns]}

    return replace(variable, inverse=parts, member=lambda value: _is_complex(value), dimensions=(_twice(m), _twice(n)))


def _twice(n: Dimension) -> Dimension:
    return lambda sizes: 2 * _length(n, sizes)


def _is_complex(value: Any) -> Any:
    rows, columns = value.shape[0] // 2, value.shape[1] // 2
    if 2 * rows != value.shape[0] or 2 * columns != value.shape[1]:
        return False
    same = eq(value[:rows, :columns], value[rows:, columns:])
    return holds(same & eq(value[rows:, :columns], -value[:rows, columns:]))


def _complex(real: Any, imaginary: Any) -> Any:
    return block([[real, -imaginary], [imaginary, real]])


@says_its_call()
def hermitian(n: Dimension) -> Derived:
    """A Hermitian n x n matrix, as `complex_matrix` writes it: a symmetric 2n x 2n matrix."""
    twice = _twice(n)

    def mirrored(real: Any, imaginary: Any) -> Any:
        return _complex(_mirrored(real), np.tril(imaginary, -1) - np.tril(imaginary, -1).T)

    def parts(value: Any) -> dict[str, Any]:
        rows = len(value) // 2
        return {"real": np.tril(value[:rows, :rows]), "imaginary": np.tril(value[rows:, :rows], -1)}

    return replace(
        derived(mirrored, real=reals(n, n), imaginary=reals(n, n)),
        inverse=parts,
        member=lambda value: _is_complex(value) & holds(eq(value, value.T)),
        dimensions=(twice, twice),
    )


@says_its_call()
def unitary(n: Dimension) -> Derived:
    """A unitary n x n matrix, as `complex_matrix` writes it: an orthogonal 2n x 2n matrix.

    It is a Cayley transform, which has no eigenvalue -1, with signs of its rows: so each unitary matrix is one.
    """
    twice = _twice(n)

    def transform(real: Any, imaginary: Any, negative: Any) -> Any:
        skew = _complex(np.tril(real, -1) - np.tril(real, -1).T, _mirrored(imaginary))
        identity = eye(skew.shape[0])
        # (1 - K) / (1 + K), without the rounding errors of a product
        cayley = 2 * inverse(identity + skew) - identity
        # the last factor is the identity, but for the rounding errors of the inverse, which it takes back
        rows = np.concatenate([1 - 2 * negative, 1 - 2 * negative])
        return rows[:, None] * cayley @ ((3 * identity - cayley.T @ cayley) / 2)

    variable = derived(transform, real=reals(n, n), imaginary=reals(n, n), negative=integers(0, 1, n))
    return replace(variable, member=lambda value: _is_complex(value) & _is_orthogonal(value), dimensions=(twice, twice))


@says_its_call("with_spectrum('n', lower, upper), as in with_spectrum('n', 1, 3)")
def with_spectrum(n: Dimension, lower: float | Fraction, upper: float | Fraction) -> Derived:
    """A symmetric n x n matrix with eigenvalues from `lower` to `upper`: of a quadratic that is L-smooth and mu-convex."""

    def turned(normals: Any, values: Any) -> Any:
        frame = _product_of_reflections(normals)
        return (frame * values) @ frame.T

    def member(value: Any) -> Any:
        values = _values(value)
        return holds(eq(value, value.T)) & holds(ge(values, lower) & le(values, upper))

    variable = derived(turned, normals=reals(n, n), values=interval(lower, upper, n))
    return replace(variable, member=member, dimensions=(n, n))


@says_its_call("projection('n', rank), as in projection('n', 2)")
def projection(n: Dimension, rank: Dimension) -> Derived:
    """An orthogonal projection of n dimensions to at most `rank`."""

    def onto(basis: Any) -> Any:
        product = basis @ pinv(basis)
        return (product + product.T) / 2

    return replace(
        derived(onto, basis=reals(n, rank)),
        member=lambda value: holds(eq(value, value.T)) & holds(eq(value @ value, value)),
        dimensions=(n, n),
    )


def _check_lengths(name: str, dimensions: tuple[Dimension, ...]) -> None:
    if not dimensions:
        raise TypeError(f"{name} needs a length: write {name}('n'), or {name}('m', 'n') for m of them, as rows")


def unit_vector(*dimensions: Dimension) -> Derived:
    """A vector of norm 1, or an array with such rows: the first unit vector, reflected."""
    _check_lengths("unit_vector", dimensions)
    return replace(
        derived(_on_sphere, normal=reals(*dimensions)),
        inverse=lambda value: {"normal": np.eye(1, value.shape[-1], dtype=int)[0] - value},
        member=lambda value: holds(eq((value * value).sum(axis=-1), 1)),
        dimensions=dimensions,
    )


def _on_sphere(normal: Any) -> Any:
    lengths = (normal * normal).sum(axis=-1)[..., None]
    return np.eye(1, normal.shape[-1], dtype=np.int64)[0] - 2 * normal[..., :1] * normal / where(lengths == 0, 1, lengths)


def unit_ball(*dimensions: Dimension) -> Derived:
    """A vector of norm at most 1, or an array with such rows; those of norm 0 and 1 among them."""
    _check_lengths("unit_ball", dimensions)
    return replace(
        derived(
            lambda normal, radius: radius[..., None] * _on_sphere(normal),
            normal=reals(*dimensions),
            radius=interval(0, 1, *dimensions[:-1]),
        ),
        member=lambda value: holds(le((value * value).sum(axis=-1), 1)),
        dimensions=dimensions,
    )


@says_its_call()
def contraction(m: Dimension, n: Dimension) -> Derived:
    """An m x n matrix of operator norm at most 1; partial isometries among them."""

    def product(left: Any, values: Any, right: Any) -> Any:
        count = values.shape[0]
        return (_product_of_reflections(left)[:, :count] * values) @ _product_of_reflections(right)[:count]

    smaller: Callable[[Sizes], int] = lambda sizes: min(_length(m, sizes), _length(n, sizes))  # noqa: E731
    return replace(
        derived(product, left=reals(m, m), values=interval(0, 1, smaller), right=reals(n, n)),
        member=lambda value: holds(le(operator_norm(value), 1)),
        dimensions=(m, n),
    )


def nonnegative_numbers(*dimensions: Dimension) -> Any:
    """An array of numbers that are at least 0."""
    return interval(0, np.inf, *dimensions)


@says_its_call()
def sorted_numbers(n: Dimension) -> Derived:
    """A vector of n numbers in ascending order, with ties."""
    variable = derived(
        lambda first, steps: first + concatenate([zeros(1), steps.cumsum()])[: steps.shape[0]],
        first=reals(),
        steps=interval(0, np.inf, n),
    )
    return replace(
        variable,
        inverse=lambda value: {"first": value[0], "steps": np.concatenate([np.diff(value), 0 * value[:1]])},
        member=lambda value: (value[1:] >= value[:-1]).all(),
        dimensions=(n,),
    )


@says_its_call("probability_vector('n'); m of them, as rows, are stochastic('m', 'n')")
def probability_vector(n: Dimension) -> Derived:
    """A vector of n numbers that are at least 0 and sum to 1; extreme points and the uniform distribution among them."""
    variable = derived(lambda weights: _shares(weights[None, :])[0], weights=interval(0, np.inf, n))
    return replace(
        variable,
        inverse=lambda value: {"weights": value},
        member=lambda value: nonnegative(value) & holds(eq(value.sum(), 1)),
        dimensions=(n,),
    )


@says_its_call()
def stochastic(m: Dimension, n: Dimension) -> Derived:
    """An m x n matrix whose rows are distributions."""
    return replace(
        derived(_shares, weights=interval(0, np.inf, m, n)),
        inverse=lambda value: {"weights": value},
        member=lambda value: nonnegative(value) & holds(eq(value.sum(axis=1), 1)),
        dimensions=(m, n),
    )


def _shares(weights: Any) -> Any:
    """The rows divided by their sums; uniform where all is zero."""
    sums = weights.sum(axis=1)[:, None]
    return where(sums == 0, Fraction(1, weights.shape[1]), weights / where(sums == 0, 1, sums))


@says_its_call()
def doubly_stochastic(n: Dimension) -> Derived:
    """An n x n matrix whose rows and columns are distributions: a mixture of permutations, as many as Birkhoff asks."""

    def mixture(weights: Any, keys: Any) -> Any:
        shares = _shares(weights[None, :])[0]
        return sum(share * _sorting(key) for share, key in zip(shares, keys, strict=True))

    count: Callable[[Sizes], int] = lambda sizes: (_length(n, sizes) - 1) ** 2 + 1  # noqa: E731
    return replace(
        derived(mixture, weights=interval(0, np.inf, count), keys=_Keys(count, n)),
        member=lambda value: nonnegative(value) & holds(eq(value.sum(axis=0), 1) & eq(value.sum(axis=1), 1)),
        dimensions=(n, n),
    )


@says_its_call()
def permutation(n: Dimension) -> Derived:
    """The n x n matrix of a permutation."""
    variable = derived(lambda keys: _sorting(keys), keys=_Keys(n))
    return replace(
        variable,
        elements=lambda sizes: _orders(_length(n, sizes)),
        inverse=lambda value: {"keys": value @ np.arange(len(value))},
        member=lambda value: _is_orthogonal(value) & ((value == 0) | (value == 1)).all(),
        dimensions=(n, n),
    )


@says_its_call()
def arrangement(n: Dimension) -> Derived:
    """The integers from 0 to n - 1 in some order: a permutation, as a vector."""
    variable = derived(lambda keys: _sorting(keys) @ np.arange(keys.shape[0]), keys=_Keys(n))
    return replace(
        variable,
        elements=lambda sizes: _orders(_length(n, sizes)),
        inverse=lambda value: {"keys": value},
        member=lambda value: (np.sort(value) == np.arange(value.shape[0])).all(),
        dimensions=(n,),
    )


def _orders(length: int) -> Elements:
    """All keys that sort differently: the numbers of a factorial base say which of the remaining ones comes next."""

    def chosen(numbers: Array) -> dict[str, Array]:
        remaining = np.tile(np.arange(length), (len(numbers), 1))
        keys = np.zeros((len(numbers), length))
        for place in range(length):
            numbers, digit = np.divmod(numbers, length - place)
            rows = np.arange(len(numbers))
            keys[:, place] = remaining[rows, digit]
            kept = np.arange(length - place)[None, :] != digit[:, None]
            remaining = remaining[kept].reshape(len(numbers), length - place - 1)
        return {"keys": keys}

    return math.factorial(length), chosen


def _sorting(keys: Any) -> Any:
    """The permutation that sorts `keys`; equal ones keep their order."""
    n = keys.shape[0]
    first, second = keys[:, None], keys[None, :]
    before = where(second < first, 1, 0) + where(second == first, 1, 0) * np.tril(np.ones((n, n), dtype=np.int64), -1)
    return where(before.sum(axis=1)[:, None] == np.arange(n)[None, :], 1, 0)


def binary(*dimensions: Dimension) -> Any:
    """An array of zeros and ones: a subset, or a relation."""
    return integers(0, 1, *dimensions)


@says_its_call()
def adjacency(n: Dimension) -> Derived:
    """The adjacency matrix of a graph with n vertices, without loops."""
    return replace(_of_pairs(n, lambda below: below + below.T), member=lambda value: _is_adjacency(value))


@says_its_call()
def tournament(n: Dimension) -> Derived:
    """The adjacency matrix of a tournament: of each two of n vertices one beats the other, 1 in its row."""

    def member(value: Any) -> Any:
        return holds(eq(value + value.T, 1 - eye(value.shape[0]))) & ((value == 0) | (value == 1)).all()

    variable = _of_pairs(n, lambda below: below + np.triu(np.ones(below.shape, dtype=np.int64), 1) - below.T)
    return replace(variable, member=member)


def _of_pairs(n: Dimension, matrix: Callable[[Any], Any]) -> Derived:
    """What `matrix` makes of zeros and ones below the diagonal, one for each two of n."""

    def elements(sizes: Sizes) -> Elements:
        length = _length(n, sizes)
        rows, columns = np.tril_indices(length, -1)

        def chosen(numbers: Array) -> dict[str, Array]:
            edges = np.zeros((len(numbers), length, length))
            edges[:, rows, columns] = digits_of(numbers, 2, len(rows))
            return {"edges": edges}

        return 2 ** len(rows), chosen

    return replace(
        derived(lambda edges: matrix(np.tril(edges, -1)), edges=integers(0, 1, n, n)),
        elements=elements,
        inverse=lambda value: {"edges": np.tril(value, -1)},
        dimensions=(n, n),
    )


def _is_adjacency(value: Any) -> Any:
    loops = diag(value)
    return holds(eq(value, value.T)) & ((value == 0) | (value == 1)).all() & (loops == 0).all()


@says_its_call()
def tree(n: Dimension) -> Derived:
    """The adjacency matrix of a tree with n vertices: each but the first is joined to one before it."""

    def joined(parents: Any) -> Any:
        count = parents.shape[0]
        before = np.maximum(np.arange(count), 1)
        parent = parents - before * floor(parents / before)
        edges = where(parent[:, None] == np.arange(count)[None, :], 1, 0) * np.tril(np.ones((count, count), dtype=np.int64), -1)
        return edges + edges.T

    def elements(sizes: Sizes) -> Elements:
        length = _length(n, sizes)

        def chosen(numbers: Array) -> dict[str, Array]:
            parents = np.zeros((len(numbers), length))
            for place in range(2, length):
                numbers, parents[:, place] = np.divmod(numbers, place)
            return {"parents": parents}

        return math.prod(range(2, length)), chosen

    return replace(
        derived(joined, parents=_Keys(n)),
        elements=elements,
        inverse=lambda value: {"parents": np.tril(value, -1) @ np.arange(len(value))},
        member=lambda value: _is_adjacency(value) & (np.tril(value, -1).sum(axis=1)[1:] == 1).all(),
        dimensions=(n, n),
    )
