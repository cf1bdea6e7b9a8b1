"""Matrices of traced numbers, with the interface of `flint.fmpq_mat` that `verify.matrices` uses."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from flint import acb_poly, arb, fmpq, fmpq_poly

from verify.numbers.arithmetic import Array, ball, object_array, precision, sqrt
from verify.proofs.tracing import BITS, NoProgramme, Traced


class TracedMatrix:
    """A matrix of traced numbers and rationals; its size is fixed, its entries depend on the coordinates."""

    def __init__(self, rows: int, columns: int, entries: list[Any]) -> None:
        self._array: Array = object_array(entries, (rows, columns))

    @classmethod
    def of(cls, array: Array) -> Self:
        """The matrix of a two-dimensional array."""
        return cls(array.shape[0], array.shape[1], array.ravel().tolist())

    def nrows(self) -> int:
        return int(self._array.shape[0])

    def ncols(self) -> int:
        return int(self._array.shape[1])

    def entries(self) -> list[Any]:
        return list(self._array.ravel())

    def tolist(self) -> list[list[Any]]:
        return [list(row) for row in self._array]

    def __getitem__(self, place: tuple[int, int]) -> Any:
        return self._array[place]

    def transpose(self) -> TracedMatrix:
        return self.of(self._array.T)

    def __mul__(self, other: Any) -> TracedMatrix:
        # NumPy's product of object arrays sums from nothing, which an empty matrix does not have
        right = other._array if isinstance(other, TracedMatrix) else None
        product: Array = self._array * other if right is None else self._array @ right
        return self.of(product)

    __rmul__ = __mul__

    def __add__(self, other: TracedMatrix) -> TracedMatrix:
        return self.of(self._array + other._array)

    def __sub__(self, other: TracedMatrix) -> TracedMatrix:
        return self.of(self._array - other._array)

    def __pow__(self, exponent: int) -> TracedMatrix:
        identity = np.array([[fmpq(int(i == j)) for j in range(self.ncols())] for i in range(self.nrows())], dtype=object)
        result: TracedMatrix = self.of(identity)
        for _ in range(exponent):
            result = result * self
        return result

    def charpoly(self) -> TracedPolynomial:
        """The characteristic polynomial, by Faddeev and LeVerrier: no pivot, and divisions by integers only."""
        size = self.nrows()
        identity = (self**0)._array
        coefficients: list[Any] = [fmpq(1)]
        power = identity * 0
        for k in range(1, size + 1):
            power = self._array @ power + coefficients[-1] * identity if k > 1 else identity
            coefficients.append(-(self._array @ power).trace() / k)
        return TracedPolynomial(coefficients[::-1])

    def det(self) -> Any:
        """The determinant, from the characteristic polynomial."""
        constant = self.charpoly().coeffs()[0]
        return -constant if self.nrows() % 2 else constant

    def rref(self) -> tuple[TracedMatrix, int]:
        """The reduced echelon form and the rank, where the pivots do not vanish."""
        rows = self._array.copy()
        rank = 0
        for column in range(self.ncols()):
            pivot = next((row for row in range(rank, self.nrows()) if rows[row, column] != 0), None)
            if pivot is None:
                continue
            rows[[rank, pivot]] = rows[[pivot, rank]]
            rows[rank] = rows[rank] / rows[rank, column]
            for row in range(self.nrows()):
                if row != rank:
                    rows[row] = rows[row] - rows[row, column] * rows[rank]
            rank += 1
        return self.of(rows), rank

    def rank(self) -> int:
        return self.rref()[1]

    def solve(self, right: TracedMatrix) -> TracedMatrix:
        """Solution X of ``A X = B``."""
        reduced, rank = self.of(np.concatenate([self._array, right._array], axis=1)).rref()
        if rank < self.nrows():
            raise ZeroDivisionError("a matrix has no inverse")
        return self.of(reduced._array[:, self.ncols() :])

    def inv(self) -> TracedMatrix:
        return self.solve(self**0)


class TracedPolynomial:
    """A polynomial with traced coefficients, the constant one first, as far as spectra need one.

    All its roots are real; they become roots of a programme, in descending order at the point.
    """

    def __init__(self, coefficients: list[Any]) -> None:
        self._coefficients = coefficients

    def coeffs(self) -> list[Any]:
        """Coefficients, the constant one first."""
        return self._coefficients

    def degree(self) -> int:
        return len(self._coefficients) - 1

    def leading_coefficient(self) -> Any:
        return self._coefficients[-1]

    def __getitem__(self, place: int) -> Any:
        return self._coefficients[place]

    def __truediv__(self, number: Any) -> TracedPolynomial:
        return TracedPolynomial([coefficient / number for coefficient in self._coefficients])

    def __mul__(self, other: Any) -> TracedPolynomial:
        factors = other.coeffs()
        result: list[Any] = [fmpq(0)] * (len(self._coefficients) + len(factors) - 1)
        for i, a in enumerate(self._coefficients):
            for j, b in enumerate(factors):
                result[i + j] = result[i + j] + a * b
        return TracedPolynomial(result)

    __rmul__ = __mul__

    def factor(self) -> tuple[Any, list[tuple[TracedPolynomial, int]]]:
        """The monic polynomial as linear factors, with how often each occurs.

        Raises
        ------
        NoProgramme
            Two roots that are not zero cannot be told apart at the point.
        """
        remaining = list(self._coefficients)
        zeros = 0
        # a root that is zero at some points only is one of the others there: that is no question
        while len(remaining) > 1 and _is_zero_everywhere(remaining[0]):
            zeros, remaining = zeros + 1, remaining[1:]
        factors = [(TracedPolynomial([fmpq(0), fmpq(1)]), zeros)] if zeros else []
        if len(remaining) == 3:  # whose discriminant may be a square
            half, product = remaining[1] / fmpq(-2), remaining[0]
            discriminant = half * half - product
            if isinstance(discriminant, Traced):
                discriminant.tape.real.add(discriminant.place)
            root: Any = sqrt(discriminant)[()]
            return fmpq(1), [
                *factors,
                *((TracedPolynomial([-root_value, fmpq(1)]), 1) for root_value in (half + root, half - root)),
            ]
        tape = next((number.tape for number in remaining if isinstance(number, Traced)), None)
        values = [coefficient.value if isinstance(coefficient, Traced) else coefficient for coefficient in remaining]
        for value in _real_roots(values):
            if len(remaining) == 2 or tape is None:
                root = -remaining[0] if len(remaining) == 2 else value
            else:
                root = tape.largest_root(
                    [
                        coefficient if isinstance(coefficient, Traced) else tape.constant(coefficient)
                        for coefficient in remaining[:-1]
                    ],
                    value,
                )
            factors.append((TracedPolynomial([-root, fmpq(1)]), 1))
            # the quotient by t - root, of which the other roots are roots
            quotient = [remaining[-1]]
            for coefficient in remaining[-2:0:-1]:
                quotient.append(coefficient + root * quotient[-1])
            remaining = quotient[::-1]
        return fmpq(1), factors


def _is_zero_everywhere(coefficient: Any) -> bool:
    if not isinstance(coefficient, Traced):
        return bool(coefficient == 0)
    tape, place = coefficient.tape, coefficient.place
    return tape.sign_at_the_point(place) == 0 and tape.is_zero(place)


def _real_roots(values: list[Any]) -> list[Any]:
    """The roots of a monic polynomial at the point, all of them real, in descending order."""
    if len(values) == 1:
        return []
    if not any(isinstance(value, arb) for value in values):
        roots = []
        for factor, multiplicity in fmpq_poly(values).factor()[1]:
            if multiplicity > 1:
                raise NoProgramme("two eigenvalues agree at the point")
            if factor.degree() == 1:
                roots.append(-factor[0] / factor[1])
            else:
                with precision(BITS):
                    roots += [ball(root.real) for root, _ in factor.complex_roots()]
    else:
        with precision(BITS):
            try:
                roots = [ball(root.real) for root in acb_poly([arb(value) for value in values]).roots()]
            except (ValueError, ArithmeticError) as error:
                raise NoProgramme("two eigenvalues cannot be told apart at the point") from error
    return sorted(roots, key=lambda root: root.mid().fmpq() if isinstance(root, arb) else root, reverse=True)


Traced.matrix = TracedMatrix
