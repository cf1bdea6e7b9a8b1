"""Sums of squares with multipliers: found by semidefinite programming, made exact by rounding on a face of the cone.

Sought are positive semidefinite matrices G_k with ``p = sum_k g_k * (m_k^T G_k m_k)`` modulo equalities, where the g_k are
products of what is assumed not to be negative and the m_k are vectors of monomials. Where p has zeros the matrices have a
kernel, which is read off the solution in floats, guessed as rationals, and divided out before the rest is rounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import clarabel
import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpq_mat, fmpz_mat
from scipy import sparse

from verify.proofs.certificate import Deadline

Exponents = tuple[int, ...]
Polynomial = dict[Exponents, fmpq]
Floats = npt.NDArray[np.float64]

LARGEST_BLOCK = 70
"""Rows of one matrix: a semidefinite programme takes its time with the cube of the entries of a block."""
LARGEST_TOTAL = 2600
"""Entries of all matrices together."""
FACES = 5
"""How often a kernel is divided out."""


@dataclass(frozen=True)
class Multiplier:
    """A product of assumptions (their numbers, and its value), and the monomials of the sum of squares before it."""

    factors: tuple[int, ...]
    value: Polynomial
    monomials: tuple[Exponents, ...]


Block = tuple[Multiplier, tuple[Exponents, ...]]
"""A multiplier, and those of its monomials that have one behaviour under changes of signs."""


@dataclass(frozen=True)
class Square:
    """`weight` times a product of assumptions times the square of a polynomial."""

    weight: fmpq
    factors: tuple[int, ...]
    polynomial: Polynomial


class Reducer:
    """A linear map that changes a polynomial by multiples of equalities only: the remainder of a division.

    Parameters
    ----------
    monomial
        The remainder of a monomial.
    rules
        The equalities: their leading monomials, and all their terms.
    """

    def __init__(self, monomial: Callable[[Exponents], Polynomial], rules: Sequence[tuple[Exponents, Polynomial]]) -> None:
        self._remainder, self.rules = monomial, rules
        self._known: dict[Exponents, Polynomial] = {}

    def __call__(self, polynomial: Polynomial) -> Polynomial:
        """The reduced polynomial."""
        if not self.rules:
            return polynomial
        result: Polynomial = {}
        for exponents, coefficient in polynomial.items():
            if exponents not in self._known:
                self._known[exponents] = self._remainder(exponents)
            for key, value in self._known[exponents].items():
                result[key] = result.get(key, fmpq(0)) + coefficient * value
        return {key: value for key, value in result.items() if value != 0}


def added(left: Exponents, right: Exponents) -> Exponents:
    """Exponents of the product of two monomials."""
    return tuple(a + b for a, b in zip(left, right, strict=True))


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    """The product of two polynomials."""
    result: Polynomial = {}
    for a, first in left.items():
        for b, second in right.items():
            key = added(a, b)
            result[key] = result.get(key, fmpq(0)) + first * second
    return {key: value for key, value in result.items() if value != 0}


def sum_of_squares(
    target: Polynomial, multipliers: Sequence[Multiplier], reduce: Reducer, deadline: Deadline
) -> list[Square] | None:
    """Squares whose sum is `target` modulo the rules of `reduce`; none if none were found."""
    parities = _parities(target, multipliers, reduce)
    blocks = [block for multiplier in multipliers for block in _parity_blocks(multiplier, parities)]
    if any(len(monomials) > LARGEST_BLOCK for _, monomials in blocks):
        return None
    if sum(len(monomials) * (len(monomials) + 1) // 2 for _, monomials in blocks) > LARGEST_TOTAL:
        return None
    if len(multipliers) > 2 and (blocks := _needed(target, blocks, reduce, deadline)) == []:
        return None
    columns, rows = _system(blocks, reduce)
    for key in target:
        if key not in rows:
            return None
    right = [fmpq(0)] * len(rows)
    for key, value in target.items():
        right[rows[key]] = value
    grams = semidefinite(columns, [len(monomials) for _, monomials in blocks], len(rows), right, deadline)
    return None if grams is None else _squares([blocks[k] for k in grams.kept], grams.bases, grams.matrices)


@dataclass(frozen=True)
class Semidefinite:
    """Semidefinite matrices on faces of their cones: which of those that are asked for, bases of the faces, the matrices."""

    kept: list[int]
    bases: list[Base]
    matrices: list[list[list[fmpq]]]


def semidefinite(
    columns: list[Column], sizes: Sequence[int], rows: int, right: Sequence[fmpq], deadline: Deadline
) -> Semidefinite | None:
    """Positive semidefinite matrices of these sizes whose entries solve a linear system; None if none were found.

    Parameters
    ----------
    columns
        For each matrix what its entry (i, j <= i) contributes to each row, where both (i, j) and (j, i) contribute it.
    rows
        Number of equations.
    right
        Their right sides.
    """
    bases, places = [_identity(size) for size in sizes], list(range(len(sizes)))
    for _ in range(FACES):
        deadline.check()
        bases, kept = _without_empty(bases)
        system = _restricted(columns, bases, kept, rows)
        solved = _solved(system, right, [len(base[0]) for base in bases], deadline)
        if solved is None:
            return None
        least, grams = solved
        if least > 1e-7:
            rounded = _rounded(system, right, grams, [len(base[0]) for base in bases], deadline)
            if rounded is not None:
                return Semidefinite([places[k] for k in kept], bases, rounded)
        if least < -1e-5:
            return None
        smaller = [_face(base, gram) for base, gram in zip(bases, grams, strict=True)]
        if [len(block[0]) if block else 0 for block in smaller] == [len(basis[0]) for basis in bases]:
            return None
        columns = [columns[k] for k in kept]
        places = [places[k] for k in kept]
        bases = smaller
    return None


def _needed(target: Polynomial, blocks: list[Block], reduce: Reducer, deadline: Deadline) -> list[Block]:
    """The blocks of a solution whose multipliers are as small as they can be; none where there is no solution."""
    columns, rows = _system(blocks, reduce)
    right = [fmpq(0)] * len(rows)
    for key, value in target.items():
        if key not in rows:
            return []
        right[rows[key]] = value
    sizes = [len(monomials) for _, monomials in blocks]
    system = _restricted(columns, [_identity(size) for size in sizes], list(range(len(blocks))), len(rows))
    weights = [1.0 + 0.01 * k if multiplier.factors else 0.01 for k, (multiplier, _) in enumerate(blocks)]
    solved = _solved(system, right, sizes, deadline, weights)
    if solved is None:
        return []
    traces = [float(np.trace(gram)) for gram in solved[1]]
    scale = max(abs(float(Fraction(int(number.p), int(number.q)))) for number in right)
    return [block for block, trace in zip(blocks, traces, strict=True) if trace > 1e-4 * scale or not block[0].factors]


Base = list[list[fmpq]]
"""Rows: monomials; columns: the vectors of a face."""


def _identity(size: int) -> Base:
    return [[fmpq(int(i == j)) for j in range(size)] for i in range(size)]


def _without_empty(bases: list[Base]) -> tuple[list[Base], list[int]]:
    kept = [k for k, base in enumerate(bases) if base and base[0]]
    return [bases[k] for k in kept], kept


def _parities(target: Polynomial, multipliers: Sequence[Multiplier], reduce: Reducer) -> list[Exponents]:
    """A basis, modulo 2, of the exponents that changes of signs must keep, in order to change neither target nor multiplier."""
    vectors = {
        tuple(e % 2 for e in key)
        for polynomial in (target, *(multiplier.value for multiplier in multipliers))
        for key in polynomial
    }
    for lead, value in reduce.rules:
        vectors |= {tuple((a + b) % 2 for a, b in zip(lead, key, strict=True)) for key in value}
    return _echelon(vectors)


def _parity_blocks(multiplier: Multiplier, parities: Sequence[Exponents]) -> list[Block]:
    """The monomials by their signs under those changes."""
    groups: dict[Exponents, list[Exponents]] = {}
    for monomial in multiplier.monomials:
        groups.setdefault(_modulo(tuple(e % 2 for e in monomial), parities), []).append(monomial)
    return [(multiplier, tuple(group)) for group in groups.values()]


def _echelon(vectors: set[Exponents]) -> list[Exponents]:
    basis: list[Exponents] = []
    for vector in sorted(vectors, reverse=True):
        remainder = _modulo(vector, basis)
        if any(remainder):
            basis.append(remainder)
            basis.sort(reverse=True)
    return basis


def _modulo(vector: Exponents, basis: Sequence[Exponents]) -> Exponents:
    for independent in basis:
        if vector[independent.index(1)]:
            vector = tuple((a + b) % 2 for a, b in zip(vector, independent, strict=True))
    return vector


Column = list[list[dict[int, fmpq]]]


def _system(blocks: Sequence[Block], reduce: Reducer) -> tuple[list[Column], dict[Exponents, int]]:
    """For each block and pair of its monomials, which multiple of which reduced monomial their product contributes."""
    rows: dict[Exponents, int] = {}
    columns: list[Column] = []
    for multiplier, monomials in blocks:
        known: dict[Exponents, dict[int, fmpq]] = {}
        column: Column = []
        for i, left in enumerate(monomials):
            row = []
            for right in monomials[: i + 1]:
                key = added(left, right)
                if key not in known:
                    value = reduce({added(key, exponents): coefficient for exponents, coefficient in multiplier.value.items()})
                    known[key] = {rows.setdefault(place, len(rows)): coefficient for place, coefficient in value.items()}
                row.append(known[key])
            column.append(row)
        columns.append(column)
    return columns, rows


@dataclass(frozen=True)
class _System:
    """Columns of the linear system, one for each entry (i, j <= i) of each matrix on its face, and its number of rows."""

    columns: list[dict[int, fmpq]]
    places: list[tuple[int, int, int]]
    rows: int


def _restricted(columns: list[Column], bases: list[Base], kept: list[int], rows: int) -> _System:
    columns_: list[dict[int, fmpq]] = []
    places = []
    for number, (base, k) in enumerate(zip(bases, kept, strict=True)):
        size = len(base[0])
        vectors = [[(i, base[i][a]) for i in range(len(base)) if base[i][a] != 0] for a in range(size)]
        for a in range(size):
            for b in range(a + 1):
                total: dict[int, fmpq] = {}
                for (i, x), (j, y) in itertools.product(vectors[a], vectors[b]):
                    scale = x * y * (1 if a == b else 2)
                    for row, value in columns[k][max(i, j)][min(i, j)].items():
                        total[row] = total.get(row, fmpq(0)) + scale * value
                columns_.append({row: value for row, value in total.items() if value != 0})
                places.append((number, a, b))
    return _System(columns_, places, rows)


def _solved(
    system: _System,
    right: Sequence[fmpq],
    sizes: Sequence[int],
    deadline: Deadline,
    weights: Sequence[float] | None = None,
) -> tuple[float, list[Floats]] | None:
    """Matrices whose least eigenvalue is as large as it can be (at most 1), in floats; with `weights`, semidefinite ones
    whose traces times the weights have the least sum.
    """
    unknowns = len(system.columns)
    if not unknowns:
        return None
    scale = max((abs(float(Fraction(int(number.p), int(number.q)))) for number in right), default=1.0) or 1.0
    entries = [
        (row, place, float(Fraction(int(value.p), int(value.q))))
        for place, column in enumerate(system.columns)
        for row, value in column.items()
    ]
    constant = np.array([float(Fraction(int(number.p), int(number.q))) / scale for number in right])
    used = sorted({row for row, _, _ in entries} | set(np.flatnonzero(constant).tolist()))
    where = {row: k for k, row in enumerate(used)}
    data: list[tuple[int, int, float]] = [(where[row], place, value) for row, place, value in entries]
    bounds = [constant[used]]
    cones: list[Any] = [clarabel.ZeroConeT(len(used))]
    row = len(used)
    # the least eigenvalue is at most 1, and the traces are bounded
    data.append((row, unknowns, 1.0))
    bounds.append(np.array([1.0 if weights is None else 0.0]))
    row += 1
    data += [(row, place, 1.0) for place, (_, a, b) in enumerate(system.places) if a == b]
    bounds.append(np.array([1e4 * max(1.0, sum(sizes))]))
    row += 1
    cones.append(clarabel.NonnegativeConeT(2))
    start = 0
    for size in sizes:
        place = start
        for a in range(size):
            for b in range(a + 1):
                # the upper triangle by columns, off the diagonal times the root of 2
                data.append((row, place, -1.0 if a == b else -np.sqrt(2.0)))
                if a == b:
                    data.append((row, unknowns, 1.0))
                row += 1
                place += 1
        bounds.append(np.zeros(size * (size + 1) // 2))
        cones.append(clarabel.PSDTriangleConeT(size))
        start = place
    objective = np.zeros(unknowns + 1)
    objective[-1] = -1.0 if weights is None else 0.0
    if weights is not None:
        for place, (k, a, b) in enumerate(system.places):
            objective[place] = weights[k] if a == b else 0.0
        data.append((row, unknowns, -1.0))  # the least eigenvalue is at least 0
        bounds.append(np.array([0.0]))
        cones.append(clarabel.NonnegativeConeT(1))
        row += 1
    rows, places, values = (np.array(column) for column in zip(*data, strict=True))
    matrix = sparse.csc_matrix((values, (rows, places)), shape=(row, unknowns + 1))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = 100
    settings.time_limit = max(deadline.left(), 0.1)
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix((unknowns + 1, unknowns + 1)), objective, matrix, np.concatenate(bounds), cones, settings
    )
    answer = solver.solve()
    if weights is not None and str(answer.status) not in ("Solved", "AlmostSolved"):
        return None
    if str(answer.status) not in ("Solved", "AlmostSolved", "InsufficientProgress", "MaxIterations", "NumericalError"):
        return None
    solution = np.asarray(answer.x)
    if not np.all(np.isfinite(solution)):
        return None
    grams = [np.zeros((size, size)) for size in sizes]
    for value, (k, a, b) in zip(solution[:-1], system.places, strict=True):
        grams[k][a, b] = grams[k][b, a] = value * scale
    return float(solution[-1]), grams


def _face(base: Base, gram: Floats) -> Base:
    """The base without the kernel of a matrix, which is guessed to be rational."""
    size = len(gram)
    values, vectors = np.linalg.eigh(gram)
    top = max(values[-1], 0.0)
    if top < 1e-6:
        return []
    # a gap between consecutive eigenvalues, below which they are taken for zeros: the highest that gives a rational kernel
    clipped = np.maximum(values, 1e-12)
    kernel = None
    for count in range(size - 1, 0, -1):
        if values[count - 1] < 2e-3 * max(1.0, min(top, 10.0)) and clipped[count] > 30 * clipped[count - 1]:
            kernel = _rational_rows(vectors[:, :count].T)
            if kernel is not None:
                break
    if kernel is None:
        return base
    # the vectors that are orthogonal to the kernel
    integers = fmpz_mat([[int(entry.p) * (_common(row) // int(entry.q)) for entry in row] for row in kernel])
    null, rank = integers.nullspace()
    complement = [[fmpq(null[i, j]) for j in range(rank)] for i in range(size)]
    if rank == 0:
        return []
    for j in range(rank):
        largest = max(abs(complement[i][j]) for i in range(size))
        for i in range(size):
            complement[i][j] /= largest
    face = fmpq_mat(base) * fmpq_mat(complement)
    return [[face[i, j] for j in range(rank)] for i in range(len(base))]


def _common(row: Sequence[fmpq]) -> int:
    return int(np.lcm.reduce([int(entry.q) for entry in row], dtype=object))


def _rational_rows(rows: Floats) -> list[list[fmpq]] | None:
    """The reduced echelon form of a matrix whose row space is spanned by simple rationals."""
    matrix = rows.copy()
    chosen: list[int] = []
    for rank in range(len(matrix)):
        candidates = np.abs(matrix[rank:])
        candidates[:, chosen] = 0
        row, column = divmod(int(np.argmax(candidates)), matrix.shape[1])
        if candidates[row, column] < 1e-6:
            return None
        matrix[[rank, rank + row]] = matrix[[rank + row, rank]]
        matrix[rank] /= matrix[rank, column]
        for other in range(len(matrix)):
            if other != rank:
                matrix[other] -= matrix[other, column] * matrix[rank]
        chosen.append(column)
    result = []
    for line in matrix:
        fractions = [_simple(float(entry)) for entry in line]
        if None in fractions:
            return None
        result.append([fraction for fraction in fractions if fraction is not None])
    return result


def _simple(number: float) -> fmpq | None:
    """A rational with a small denominator near a number."""
    for denominator in range(1, 25):
        numerator = round(number * denominator)
        if abs(numerator / denominator - number) < 1e-3:
            return fmpq(numerator, denominator)
    return None


def _rounded(
    system: _System, right: Sequence[fmpq], grams: Sequence[Floats], sizes: Sequence[int], deadline: Deadline
) -> list[list[list[fmpq]]] | None:
    """Rational matrices near `grams` that solve the system and are positive semidefinite; none if there are none so near."""
    order = _pivots(system, right, deadline)
    if order is None:
        return None
    pivots, reduced = order
    for denominator in (1, 2, 12, 120, 10**4, 10**7, 10**10):
        deadline.check()
        near = [fmpq(round(float(grams[k][a, b]) * denominator), denominator) for k, a, b in system.places]
        for place, (row, constant) in pivots.items():
            near[place] = constant - sum((value * near[other] for other, value in reduced[row].items()), fmpq(0))
        matrices = [[[fmpq(0)] * size for _ in range(size)] for size in sizes]
        for value, (k, a, b) in zip(near, system.places, strict=True):
            matrices[k][a][b] = matrices[k][b][a] = value
        if all(decomposed(matrix) is not None for matrix in matrices):
            return matrices
    return None


def _pivots(
    system: _System, right: Sequence[fmpq], deadline: Deadline
) -> tuple[dict[int, tuple[int, fmpq]], list[dict[int, fmpq]]] | None:
    """The system solved for one entry of each row: entry -> (row, constant), and the other entries of the rows."""
    rows: list[dict[int, fmpq]] = [{} for _ in range(system.rows)]
    for place, column in enumerate(system.columns):
        for row, value in column.items():
            rows[row][place] = value
    constants = list(right)
    holders: dict[int, set[int]] = {}
    for number, equation in enumerate(rows):
        for place in equation:
            holders.setdefault(place, set()).add(number)
    pivot: dict[int, int] = {}
    for number in sorted(range(len(rows)), key=lambda k: len(rows[k])):
        deadline.check()
        equation = rows[number]
        if not equation:
            if constants[number] != 0:
                return None
            continue
        # an entry that few other rows hold, off the diagonal where there is one
        place = min(equation, key=lambda k: (len(holders[k]), system.places[k][1] == system.places[k][2]))
        scale = equation.pop(place)
        holders[place].discard(number)
        for key in equation:
            equation[key] /= scale
        constants[number] /= scale
        pivot[number] = place
        for other in list(holders[place]):
            factor = rows[other].pop(place)
            for key, value in equation.items():
                difference = rows[other].get(key, fmpq(0)) - factor * value
                if difference == 0:
                    rows[other].pop(key, None)
                    holders[key].discard(other)
                else:
                    rows[other][key] = difference
                    holders[key].add(other)
            constants[other] -= factor * constants[number]
        holders[place] = set()
    return {place: (number, constants[number]) for number, place in pivot.items()}, rows


def decomposed(matrix: Sequence[Sequence[fmpq]]) -> tuple[list[fmpq], list[list[fmpq]]] | None:
    """Weights d_k >= 0 and vectors l_k with ``matrix = sum_k d_k l_k l_k^T``; none if the matrix is not semidefinite."""
    size = len(matrix)
    remaining = [list(row) for row in matrix]
    weights, vectors = [], []
    for k in range(size):
        if remaining[k][k] < 0:
            return None
        if remaining[k][k] == 0:
            if any(remaining[k][j] != 0 for j in range(k, size)):
                return None
            continue
        weight = remaining[k][k]
        vector = [fmpq(0)] * k + [remaining[k][j] / weight for j in range(k, size)]
        for i in range(k + 1, size):
            if vector[i] != 0:
                for j in range(k, size):
                    remaining[i][j] -= weight * vector[i] * vector[j]
        weights.append(weight)
        vectors.append(vector)
    return weights, vectors


def _squares(blocks: Sequence[Block], bases: Sequence[Base], matrices: Sequence[list[list[fmpq]]]) -> list[Square]:
    squares = []
    for (multiplier, monomials), base, matrix in zip(blocks, bases, matrices, strict=True):
        decomposition = decomposed(matrix)
        assert decomposition is not None
        for weight, vector in zip(*decomposition, strict=True):
            entries: Polynomial = {}
            for monomial, row in zip(monomials, base, strict=True):
                value = sum((x * y for x, y in zip(row, vector, strict=True)), fmpq(0))
                if value != 0:
                    entries[monomial] = value
            if entries:
                squares.append(Square(weight, multiplier.factors, entries))
    return squares


def as_polynomial(entries: Mapping[Any, Any], keep: Sequence[int]) -> Polynomial:
    """The terms of a polynomial, with the exponents of some of its unknowns."""
    return {tuple(int(key[place]) for place in keep): fmpq(value) for key, value in entries.items()}
