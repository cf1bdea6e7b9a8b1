"""Matrices of tracked numbers, with the interface of `flint.fmpq_mat` that `verify.matrices` uses."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from flint import fmpq

from verify.arithmetic import Array
from verify.proofs.degrees import NoRationalFunction


class TrackedMatrix:
    """A matrix of tracked numbers and rationals; its size is fixed, its entries depend on the coordinates."""

    def __init__(self, rows: int, columns: int, entries: list[Any]) -> None:
        flat = np.empty(rows * columns, dtype=object)
        flat[:] = entries
        self._array: Array = flat.reshape(rows, columns)

    @classmethod
    def of(cls, array: Array) -> TrackedMatrix:
        """The matrix of a two-dimensional array."""
        return cls(array.shape[0], array.shape[1], array.ravel().tolist())

    def nrows(self) -> int:
        return int(self._array.shape[0])

    def ncols(self) -> int:
        return int(self._array.shape[1])

    def entries(self) -> list[Any]:
        return list(self._array.ravel())

    def __getitem__(self, place: tuple[int, int]) -> Any:
        return self._array[place]

    def transpose(self) -> TrackedMatrix:
        return self.of(self._array.T)

    def __mul__(self, other: Any) -> TrackedMatrix:
        # NumPy's product of object arrays sums from nothing, which an empty matrix does not have
        right = other._array if isinstance(other, TrackedMatrix) else None
        return self.of(self._array * other if right is None else self._array @ right)

    def __pow__(self, exponent: int) -> TrackedMatrix:
        result = self.of(
            np.array([[fmpq(int(i == j)) for j in range(self.ncols())] for i in range(self.nrows())], dtype=object)
        )
        for _ in range(exponent):
            result = result * self
        return result

    def charpoly(self) -> TrackedMatrix._Polynomial:
        """The characteristic polynomial, by Faddeev and LeVerrier: no pivot, and divisions by integers only."""
        size = self.nrows()
        identity = (self**0)._array
        coefficients: list[Any] = [fmpq(1)]
        power = identity * 0
        for k in range(1, size + 1):
            power = self._array @ power + coefficients[-1] * identity if k > 1 else identity
            coefficients.append(-(self._array @ power).trace() / k)
        return self._Polynomial(coefficients[::-1])

    class _Polynomial:
        def __init__(self, coefficients: list[Any]) -> None:
            self._coefficients = coefficients

        def coeffs(self) -> list[Any]:
            """Coefficients, the constant one first."""
            return self._coefficients

        def factor(self) -> NoReturn:
            raise NoRationalFunction("eigenvalues are no rational functions of the entries")

    def det(self) -> Any:
        """The determinant, from the characteristic polynomial."""
        constant = self.charpoly().coeffs()[0]
        return -constant if self.nrows() % 2 else constant

    def rref(self) -> tuple[TrackedMatrix, int]:
        """The reduced echelon form and the rank, where the pivots do not vanish."""
        rows = self._array.copy()
        rank = 0
        for column in range(self.ncols()):
            found = next((row for row in range(rank, self.nrows()) if rows[row, column] != 0), None)
            if found is None:
                continue
            rows[[rank, found]] = rows[[found, rank]]
            rows[rank] = rows[rank] / rows[rank, column]
            for row in range(self.nrows()):
                if row != rank:
                    rows[row] = rows[row] - rows[row, column] * rows[rank]
            rank += 1
        return self.of(rows), rank

    def rank(self) -> int:
        return self.rref()[1]

    def solve(self, right: TrackedMatrix) -> TrackedMatrix:
        """Solution X of ``A X = B``."""
        reduced, rank = self.of(np.concatenate([self._array, right._array], axis=1)).rref()
        if rank < self.nrows():
            raise ZeroDivisionError("a matrix has no inverse")
        return self.of(reduced._array[:, self.ncols() :])

    def inv(self) -> TrackedMatrix:
        return self.solve(self**0)
