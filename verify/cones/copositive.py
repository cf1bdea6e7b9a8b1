r"""Copositive matrices, decided exactly: whether :math:`x^TSx \ge 0` for every x without negative entries.

If not, take a violating x of smallest support I. Then every proper principal submatrix of :math:`S_{II}` is positive
semidefinite and :math:`S_{II}^{-1} \le 0` entrywise, so that the last column of the inverse violates too. So only positive
definite index sets J have to be extended, one index at a time, keeping the Schur complement T of :math:`S_{JJ}` and the
coefficients :math:`W = S_{JJ}^{-1}S_{J\cdot}`: both are integers when multiplied by the determinant of :math:`S_{JJ}`. In
the extension every row of T and every row of W has a negative entry, which leaves few sets. The zeros of a copositive matrix
of smallest support show up on the way: there the Schur complement vanishes.

Sources: Cottle, Habetler and Lemke 1970, Hadeler 1983 and Valiaho 1986 for the inverse of smallest violating submatrices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from verify.cones._exact import exact_symmetric, small_integers
from verify.matrices.exact import flint_matrix, is_definite
from verify.notation.representation import card
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.relation import Verdict

Integers = list[list[int]]


@dataclass(frozen=True, eq=False)
class Copositivity:
    """Whether a matrix is copositive, with what shows it.

    Attributes
    ----------
    verdict
        HOLDS or FAILS.
    matrix
        The matrix, of rationals, shape ``(n, n)``.
    violation
        Integers (as rationals) that are not negative, shape ``(n,)``, with a negative value of the form. None unless FAILS.
    zeros
        If HOLDS, all vectors without negative entries and of smallest support on which the form vanishes, up to multiples, as
        integers without common divisor, shape ``(k, n)``; the matrix is strictly copositive if there are none. Else None.
    """

    verdict: Verdict
    matrix: Array
    violation: Array | None
    zeros: Array | None

    @property
    def strict(self) -> bool:
        """Whether the form is positive on all vectors without negative entries but 0."""
        return self.zeros is not None and len(self.zeros) == 0

    def verify(self) -> Verdict:
        """Decide again, exactly: FAILS from the violating vector alone, HOLDS by going through the supports once more."""
        if self.violation is not None:
            nonnegative = all(entry >= 0 for entry in self.violation)
            negative = bool(self.violation @ self.matrix @ self.violation < 0)
            return Verdict.FAILS if nonnegative and negative else Verdict.UNDECIDED
        return is_copositive(self.matrix).verdict

    def __str__(self) -> str:
        size = len(self.matrix)
        if self.violation is not None:
            value = self.violation @ self.matrix @ self.violation
            return f"not copositive (order {size}): the form is {value} at {[int(entry.p) for entry in self.violation]}"
        kind = "strictly copositive" if self.strict else "copositive"
        return f"{kind} (order {size}): {0 if self.zeros is None else len(self.zeros)} zeros of smallest support"

    def __repr__(self) -> str:
        return f"<Copositivity {self.verdict.name}: {self}>"

    def _repr_html_(self) -> str:
        rows = {
            "verdict": self.verdict.name,
            "matrix": self.matrix,
            "violation": self.violation,
            "zeros": self.zeros,
        }
        return card(str(self), rows, r":math:`x^T A x \ge 0` for all :math:`x \ge 0`")


def is_copositive(matrix: Array) -> Copositivity:
    """Whether ``x @ matrix @ x >= 0`` for all `x` without negative entries, shape ``(n, n)``.

    Decided in rationals; floats are taken as the rationals that they are. The time grows like the number of positive definite
    principal submatrices, ``2**n`` in the worst case; a positive definite matrix is decided at once.

    Raises
    ------
    ValueError
        The matrix is not one finite, square and symmetric matrix.
    TypeError
        The entries are balls.

    Examples
    --------
    >>> is_copositive(rationals([[1, -1], [-1, 1]]))
    <Copositivity HOLDS: copositive (order 2): 1 zeros of smallest support>
    >>> is_copositive(rationals([[1, -2], [-2, 1]]))
    <Copositivity FAILS: not copositive (order 2): the form is -3 at [2, 1]>
    """
    exact = exact_symmetric(matrix)
    size = len(exact)
    if is_definite(flint_matrix(exact)):
        return Copositivity(Verdict.HOLDS, exact, None, exact[:0])
    denominator = math.lcm(*(int(entry.q) for entry in exact.flat))
    search = _Search([[int((entry * denominator).p) for entry in row] for row in exact])
    violation = search.extend([], list(range(size)), search.entries, [], 1)
    if violation is not None:
        return Copositivity(Verdict.FAILS, exact, _dense(violation, size), None)
    zeros = np.array([_dense(zero, size) for zero in search.zeros], dtype=object).reshape(len(search.zeros), size)
    return Copositivity(Verdict.HOLDS, exact, None, zeros)


def _dense(entries: dict[int, int], size: int) -> Array:
    vector = rationals(np.zeros(size, dtype=np.int64))
    for index, entry in entries.items():
        vector[index] = fmpq(entry)
    return small_integers(vector)


class _Search:
    """Index sets of a symmetric integer matrix, depth first; `zeros` collects those of smallest support."""

    def __init__(self, entries: Integers) -> None:
        self.entries = entries
        self.zeros: list[dict[int, int]] = []

    def extend(
        self, chosen: list[int], candidates: list[int], complement: Integers, coefficients: Integers, determinant: int
    ) -> dict[int, int] | None:
        """A violation whose support is `chosen` and some `candidates`, if there is one.

        `complement` is the Schur complement of the positive definite submatrix on `chosen`, in rows and columns of
        `candidates`; `coefficients` has, for each index of `chosen`, the row of ``S_JJ^-1 S_J.``; both times `determinant`.
        """
        kept = []
        for position, candidate in enumerate(candidates):
            pivot = complement[position][position]
            if pivot > 0:
                kept.append(position)
                continue
            # the form is pivot * determinant at the vector with `determinant` at the candidate
            values = [-row[position] for row in coefficients]
            vector = dict(zip(chosen, values, strict=True)) | {candidate: determinant}
            if pivot < 0 and all(value >= 0 for value in values):
                return vector
            if pivot == 0 and all(value > 0 for value in values):
                self.zeros.append(vector)
                for index, slope in zip(candidates, complement[position], strict=True):
                    if slope < 0:
                        return self._beside(vector, index, slope)
        kept = _linked(kept, complement)
        if any(all(row[k] >= 0 for k in kept) for row in coefficients):
            return None
        for start, position in enumerate(kept):
            later, pivots = kept[start + 1 :], complement[position]
            if all(pivots[k] >= 0 for k in later):
                continue
            pivot = pivots[position]
            schur = [[(pivot * complement[j][k] - pivots[j] * pivots[k]) // determinant for k in later] for j in later]
            rows = [[(pivot * row[k] - row[position] * pivots[k]) // determinant for k in later] for row in coefficients]
            rows.append([pivots[k] for k in later])
            indices = [candidates[k] for k in later]
            violation = self.extend([*chosen, candidates[position]], indices, schur, rows, pivot)
            if violation is not None:
                return violation
        return None

    def _beside(self, zero: dict[int, int], index: int, slope: int) -> dict[int, int]:
        """A violation: the form of ``t * zero + e`` is ``2 t slope`` plus the diagonal entry."""
        steps = max(self.entries[index][index], 0) // (-2 * slope) + 1
        return {number: steps * value for number, value in zero.items()} | {index: 1}


def _linked(positions: list[int], complement: Integers) -> list[int]:
    """The largest subset each of which has a negative entry of `complement` in common with another."""
    while True:
        linked = [j for j in positions if any(complement[j][k] < 0 for k in positions if k != j)]
        if len(linked) == len(positions):
            return linked
        positions = linked
