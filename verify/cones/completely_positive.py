r"""Completely positive matrices: sums of :math:`xx^T` over vectors x without negative entries, decided with certificates.

A symmetric matrix A is completely positive if :math:`A = \sum_i w_i v_iv_i^T` with :math:`w_i \ge 0` and :math:`v_i \ge 0`;
the smallest number of terms is its CP-rank. The dual cone consists of the copositive matrices S: A is completely positive if
and only if :math:`\langle S, A\rangle \ge 0` for all of them. Neither is easy to decide in general; what is found is exact.

Sources: Maxfield and Minc 1962 (order up to 4); Drew, Johnson and Loewy 1994 (graphs without triangles); Barioli and Berman
2003, Shaked-Monderer, Bomze, Jarre and Schachinger 2013 (order 5), and the same with Berman 2015 (upper bounds of the CP-rank);
Bot and Nguyen 2021 (factorisations).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.cones._exact import exact_symmetric, negative_direction
from verify.cones.copositive import is_copositive
from verify.cones.factorisation.closed_forms import (
    Terms,
    edges_against_the_rest,
    horn_certificate,
    terms_of_small_comparison,
    tiny_terms,
)
from verify.cones.factorisation.cutting_planes import LARGEST_ORDER
from verify.cones.factorisation.float_factor import descend, random_start
from verify.cones.factorisation.search import search
from verify.cones.factorisation.target import Target, unit_diagonal
from verify.cones.support_graphs import edge_clique_cover, like, number_of_triangles, support_graph
from verify.matrices import rank
from verify.matrices.arguments import checked_symmetric
from verify.notation.representation import card
from verify.numbers.arguments import instance
from verify.numbers.arithmetic import Array, floats, integer, rationals
from verify.numbers.relation import Verdict

LARGEST_HORN = 8
"""Orders up to which all scaled Horn matrices on five indices are tried."""
TINY = fmpq(1, 10**9)
"""Share of the diagonal below which an off-diagonal entry may be dealt with on its own."""
ACCURACY = 1e-9
"""Residual below which a factorisation in floats counts as found."""
ITERATIONS = 5000
"""Steps of a descent from one start. One that goes on is stuck: the next start is cheaper."""


@dataclass(frozen=True, eq=False)
class CompletePositivity:
    """Whether a matrix is completely positive, with what shows it.

    Attributes
    ----------
    verdict
        HOLDS, FAILS, or UNDECIDED.
    matrix
        The matrix, of rationals, shape ``(N, N)``.
    weights, vectors
        Rationals without negative entries, shapes ``(k,)`` and ``(k, N)``: the matrix is the sum of
        ``weights[i] * outer(vectors[i], vectors[i])``. None unless a factorisation was found.
    copositive
        A copositive matrix of rationals, shape ``(N, N)``, whose product with the matrix is negative. None unless FAILS.
    reason
        What decided it, or what was tried.
    """

    verdict: Verdict
    matrix: Array
    weights: Array | None
    vectors: Array | None
    copositive: Array | None
    reason: str

    def verify(self) -> Verdict:
        """Decide again, exactly: from the certificate alone, or by the theorem for order 4; UNDECIDED if neither proves it."""
        if self.weights is not None and self.vectors is not None:
            nonnegative = all(entry >= 0 for entry in (*self.weights, *self.vectors.flat))
            equal = np.all((self.vectors.T * self.weights) @ self.vectors == self.matrix)
            return Verdict.HOLDS if nonnegative and equal else Verdict.UNDECIDED
        if self.copositive is not None:
            negative = (self.copositive * self.matrix).sum() < 0
            return Verdict.FAILS if negative and is_copositive(self.copositive).verdict > 0 else Verdict.UNDECIDED
        small = all(len(part) <= 4 for part in _components(self.matrix))
        return Verdict.HOLDS if small and _against_doubly_nonnegative(self.matrix) is None else Verdict.UNDECIDED

    def __str__(self) -> str:
        words = {Verdict.HOLDS: "completely positive", Verdict.FAILS: "not completely positive"}
        return f"{words.get(self.verdict, 'perhaps completely positive')} (order {len(self.matrix)}): {self.reason}"

    def __repr__(self) -> str:
        return f"<CompletePositivity {self.verdict.name}: {self}>"

    def _repr_html_(self) -> str:
        rows = {
            "verdict": self.verdict.name,
            "matrix": self.matrix,
            "weights": self.weights,
            "vectors": self.vectors,
            "copositive": self.copositive,
        }
        return card(str(self), rows, r":math:`A = \sum_i w_i v_i v_i^T` with :math:`w, v \ge 0`")


@dataclass(frozen=True, eq=False)
class Factorisation:
    """A factor without negative entries, in float64.

    Attributes
    ----------
    matrix
        The matrix, of rationals, shape ``(N, N)``.
    factor
        Floats without negative entries, shape ``(N, columns)``: ``factor @ factor.T`` is the matrix up to `residual`.
    residual
        Largest error of an entry, after dividing row i and column i by the root of the i-th diagonal entry.
    starts
        How many starts were made; the best is kept.
    """

    matrix: Array
    factor: npt.NDArray[np.float64]
    residual: float
    starts: int

    def exact(self) -> CompletePositivity:
        """Rounded to an exact factorisation, which succeeds in the interior of the cone; else UNDECIDED."""
        used = np.flatnonzero(np.diag(self.matrix))
        if not len(used):
            return _from_terms(self.matrix, [])
        target = Target.of(self.matrix[np.ix_(used, used)])
        terms = target.reserved_terms(np.random.default_rng(0), self.factor.shape[1])
        if terms is None and len(used) <= LARGEST_ORDER:
            terms = target.terms(self.factor[used].T / np.sqrt(floats(np.diag(self.matrix)[used])))
        if terms is None:
            return _undecided(self.matrix, "the factor could not be rounded")
        return _from_terms(self.matrix, [(used, terms)])


class _Block(NamedTuple):
    """What is known of an irreducible block: terms, a copositive matrix, or neither."""

    verdict: Verdict
    reason: str
    terms: Terms | None = None
    copositive: Array | None = None


def is_completely_positive(matrix: Array) -> CompletePositivity:
    """Whether a symmetric matrix is a sum of ``outer(x, x)`` over `x` without negative entries, shape ``(N, N)``.

    Decided in rationals; floats are taken as the rationals that they are (where they are symmetric only up to rounding errors,
    the symmetric part). An answer is certain: graphs without triangles and blocks of order at most 4 always have one, other
    matrices if a factorisation or a copositive matrix is found. Both are searched for up to order 12; beyond it, only interior
    matrices are decided, and those that a formula decides.

    Raises
    ------
    ValueError
        The matrix is not one finite, square and symmetric matrix.
    TypeError
        The entries are balls.

    Examples
    --------
    >>> is_completely_positive(rationals([[2, 1], [1, 2]])).verdict.name
    'HOLDS'
    >>> is_completely_positive(rationals([[1, 2], [2, 1]])).verdict.name
    'FAILS'
    """
    exact = exact_symmetric(matrix)
    against = _against_doubly_nonnegative(exact)
    if against is not None:
        return CompletePositivity(Verdict.FAILS, exact, None, None, *against)
    parts = _components(exact)
    blocks = [_decide(exact[np.ix_(part, part)]) for part in parts]
    for part, block in zip(parts, blocks, strict=True):
        if block.copositive is not None:
            certificate = 0 * exact
            certificate[np.ix_(part, part)] = block.copositive
            return CompletePositivity(Verdict.FAILS, exact, None, None, certificate, block.reason)
    for block in blocks:
        if block.verdict == Verdict.UNDECIDED:
            return _undecided(exact, block.reason)
    terms = [(part, block.terms) for part, block in zip(parts, blocks, strict=True) if block.terms is not None]
    if len(terms) < len(parts):
        return CompletePositivity(Verdict.HOLDS, exact, None, None, None, "doubly nonnegative, in blocks of order at most 4")
    return _from_terms(exact, terms)


def factorise(matrix: Array, columns: int, *, starts: int = 20, seed: int = 0) -> Factorisation:
    """The best factor without negative entries, of so many columns, from random starts, shape ``(N, N)``.

    The starts end when the residual is below `ACCURACY`.

    Raises
    ------
    ValueError
        A negative entry or eigenvalue, no column or start; else as for `is_completely_positive`.

    Examples
    --------
    >>> found = factorise(rationals([[2, 1], [1, 2]]), 2)
    >>> print(found.residual < 1e-7, (found.factor >= 0).all(), (found.factor @ found.factor.T).round(6))
    True True [[2. 1.]
     [1. 2.]]
    """
    columns, starts, seed = integer("columns", columns, 1), integer("starts", starts, 1), integer("seed", seed, 0)
    exact = exact_symmetric(matrix)
    against = _against_doubly_nonnegative(exact)
    if against is not None:
        raise ValueError(
            f"matrix must be doubly nonnegative to have a factor without negative entries, got one with {against[1]}"
        )
    factor, used = np.zeros((len(exact), columns)), np.flatnonzero(np.diag(exact))
    if not len(used):
        return Factorisation(exact, factor, 0.0, 0)
    unit, sizes = unit_diagonal(floats(exact[np.ix_(used, used)]))
    generator, best, residual, tried = np.random.default_rng(seed), factor[used], np.inf, 0
    while tried < starts and residual > ACCURACY:
        candidate, error = descend(unit, random_start(unit, columns, generator), ITERATIONS)
        tried += 1
        if error < residual:
            best, residual = candidate.T, error
    factor[used] = best * sizes[:, None]
    return Factorisation(exact, factor, residual, tried)


def cp_rank_lower_bound(matrix: Array) -> Array:
    """The larger of the edge clique cover number of the support graph and the rank, ``(..., N, N) -> (...)``.

    `verify.cones.exposed_faces.exposed_face` finds the CP-ranks of some matrices beyond that.

    Raises
    ------
    ArithmeticError
        The solver does not decide the cover number, or the rank of floats is undecided.
    ValueError, TypeError
        As for `is_completely_positive`.

    Examples
    --------
    >>> cp_rank_lower_bound(rationals([[2, 1], [1, 2]]))
    array(2, dtype=object)
    """
    symmetric = checked_symmetric(matrix)
    adjacency = support_graph(symmetric)
    covers = np.zeros(symmetric.shape[:-2], dtype=np.int64)
    for index in np.ndindex(covers.shape):
        covers[index] = len(edge_clique_cover(adjacency[index]))
    return like(np.maximum(covers, rank(symmetric)), symmetric)


def cp_rank_upper_bound(matrix: Array, found: CompletePositivity | None = None) -> Array:
    """No completely positive matrix with these non-zero diagonal entries and this rank has more, ``(..., N, N) -> (...)``.

    For n non-zero diagonal entries and rank r, the least of ``n(n + 1)/2 - 4`` (n for n of at most 4, 6 for n = 5), of
    ``r(r + 1)/2 - 1`` (r for r of at most 2), and of the number of terms that were `found` for this matrix.

    Raises like `cp_rank_lower_bound`.

    Examples
    --------
    >>> cp_rank_upper_bound(rationals([[2, 1], [1, 2]]))
    array(2, dtype=object)
    >>> cp_rank_upper_bound(rationals(np.eye(5, dtype=int)))
    array(6, dtype=object)
    """
    symmetric = checked_symmetric(matrix)
    if found is not None:
        instance("found", found, CompletePositivity)
    ranks = np.asarray(rank(symmetric), dtype=np.int64)
    orders = np.asarray((np.diagonal(symmetric, axis1=-2, axis2=-1) != 0).sum(axis=-1), dtype=np.int64)
    by_order = np.where(orders <= 4, orders, np.where(orders == 5, 6, orders * (orders + 1) // 2 - 4))
    by_rank = np.where(ranks <= 2, ranks, ranks * (ranks + 1) // 2 - 1)
    bound = np.minimum(by_order, by_rank)
    if found is not None and found.weights is not None:
        bound = np.minimum(bound, np.count_nonzero(found.weights))
    return like(bound, symmetric)


def _undecided(matrix: Array, reason: str) -> CompletePositivity:
    return CompletePositivity(Verdict.UNDECIDED, matrix, None, None, None, reason)


def _from_terms(matrix: Array, parts: list[tuple[npt.NDArray[np.int64], Terms]]) -> CompletePositivity:
    weights = np.concatenate([np.empty(0, dtype=object), *(terms[0] for _, terms in parts)])
    vectors = rationals(np.zeros((len(weights), len(matrix)), dtype=np.int64))
    row = 0
    for used, terms in parts:
        vectors[row : row + len(terms[0]), used] = terms[1]
        row += len(terms[0])
    return CompletePositivity(Verdict.HOLDS, matrix, weights, vectors, None, f"a sum of {len(weights)} terms")


def _against_doubly_nonnegative(matrix: Array) -> tuple[Array, str] | None:
    """A copositive matrix with a negative product with one that has negative entries or eigenvalues, and which it has."""
    negative = np.argwhere(matrix < 0)
    if len(negative):
        i, j = negative[0]
        certificate = 0 * matrix
        certificate[i, j] = certificate[j, i] = fmpq(1)
        return certificate, f"a negative entry at ({i}, {j})"
    direction = negative_direction(matrix)
    return None if direction is None else (np.outer(direction, direction), "a negative eigenvalue")


def _components(matrix: Array) -> list[npt.NDArray[np.int64]]:
    """Indices of the irreducible blocks that are not zero."""
    remaining, result = set(np.flatnonzero(np.diag(matrix)).tolist()), []
    while remaining:
        block, added = set(), {min(remaining)}
        while added:
            block |= added
            added = {j for i in added for j in remaining - block if matrix[i, j] != 0}
        remaining -= block
        result.append(np.array(sorted(block)))
    return result


def _decide(block: Array) -> _Block:
    """Whether an irreducible doubly nonnegative matrix is completely positive."""
    terms, vector = terms_of_small_comparison(block)
    if terms is not None:
        return _Block(Verdict.HOLDS, "diagonally dominant after scaling", terms)
    adjacency = support_graph(block)
    if vector is not None and number_of_triangles(adjacency) == 0:
        against = edges_against_the_rest(adjacency, vector)
        return _Block(Verdict.FAILS, "no triangles, and the comparison matrix is not positive semidefinite", copositive=against)
    if len(block) <= LARGEST_HORN:
        horn = horn_certificate(block)
        if horn is not None:
            return _Block(Verdict.FAILS, "a scaled Horn matrix has a negative product", copositive=horn)
    decided = search(block)
    if decided is None:
        decided = _with_tiny_entries(block)
    if decided is None and len(block) <= 4:
        return _Block(Verdict.HOLDS, "doubly nonnegative of order at most 4")
    if decided is None:
        return _Block(
            Verdict.UNDECIDED, f"neither a factorisation nor a copositive matrix found for a block of order {len(block)}"
        )
    if isinstance(decided, tuple):
        return _Block(Verdict.HOLDS, "a factorisation", decided)
    return _Block(Verdict.FAILS, "a copositive matrix has a negative product", copositive=decided)


def _with_tiny_entries(block: Array) -> Terms | None:
    """Terms of a matrix with entries as small as rounding errors, which no float method sees: of those, and of the rest."""
    weights, vectors = tiny_terms(block, TINY)
    if not len(weights):
        return None
    remainder = is_completely_positive(block - (vectors.T * weights) @ vectors)
    if remainder.weights is None or remainder.vectors is None:
        return None
    return np.concatenate([weights, remainder.weights]), np.vstack([vectors, remainder.vectors])
