"""A matrix to be written as a sum of terms: what float methods see of it, and exact terms from their rounded answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.cones.conical_hull import contains_quickly, least_squares
from verify.cones.factorisation.closed_forms import Terms, dominant_terms, rays_of_range
from verify.cones.factorisation.float_factor import descend, random_start
from verify.cones.factorisation.rounding import as_rows, plausible_directions, rounded_directions, rounded_to_bits
from verify.numbers.arithmetic import Array, chosen_rationals, floats, rationals

MODERATE = 4
"""Factors of two between the sizes of the rows of a matrix that are left as they are."""


ITERATIONS = 3000
"""Steps of a descent; there is one for each share of `SHARES`."""
BITS = 30
"""Binary digits behind the point to which such a factor is rounded."""
SINGULAR = 1e-10
"""Share below which a matrix is too close to a singular one for descent in floats."""
SHARES = np.array([0.3, 0.03, 0.003])
"""Of the largest share of a matrix that can be set aside for what rounding leaves over, those that are tried."""


@dataclass(frozen=True, eq=False)
class Target:
    """A matrix of rationals with a positive diagonal.

    Attributes
    ----------
    scale
        Powers of two, shape ``(N,)``, that bring rows and columns of the matrix to sizes near 1.
    matrix
        The matrix after that, shape ``(N, N)``.
    unit
        The same in floats, with rows and columns divided by `sizes` so that the diagonal is 1.
    sizes
        Square roots of the diagonal of `matrix`.
    rays
        Vectors (rationals, in rows) whose sums with weights that are not negative are the vectors a term can have.
    """

    scale: Array
    matrix: Array
    unit: npt.NDArray[np.float64]
    sizes: npt.NDArray[np.float64]
    rays: Array

    @classmethod
    def of(cls, matrix: Array) -> Target:
        """The target of a matrix."""
        exponents = [(int(entry.q).bit_length() - int(entry.p).bit_length()) // 2 for entry in np.diag(matrix)]
        if max(exponents) - min(exponents) <= MODERATE:  # one scale for all leaves small integers in the vectors as they are
            exponents = [max(exponents)] * len(exponents)
        scale = np.array([fmpq(2) ** exponent for exponent in exponents], dtype=object)
        balanced = matrix * np.outer(scale, scale)
        unit, sizes = unit_diagonal(floats(balanced))
        return cls(scale, balanced, unit, sizes, rays_of_range(balanced))

    def terms(self, factor: npt.NDArray[np.float64], *, plausible: bool = False) -> Terms | None:
        """Exact terms whose vectors are rounded rows of `factor`, a float factor of `unit`; None if there are none."""
        combined = (least_squares(floats(self.rays), vector) for vector in factor * self.sizes)
        rounding = plausible_directions if plausible else rounded_directions
        directions = rounding(weights for weights in combined if weights is not None)
        vectors = as_rows(directions, len(self.rays)) @ self.rays
        membership = contains_quickly(upper_products(vectors), self.matrix[np.triu_indices(len(self.matrix))])
        if membership.weights is None:
            return None
        used = np.flatnonzero(membership.weights)
        return membership.weights[used], vectors[used] / self.scale

    def reserved_terms(self, generator: np.random.Generator, rows: int) -> Terms | None:
        """Exact terms of a matrix in the interior of the cone (of those with its zeros), also of a large one; or None.

        A share of the matrix that is diagonally dominant is set aside, the rest is factorised in floats with `rows` rows, and
        what rounding leaves over goes to that share, which stays diagonally dominant.
        """
        size = len(self.unit)
        off_diagonal = self.unit * (1 - np.eye(size))
        dominant = off_diagonal + np.diag(off_diagonal.sum(axis=1) + 1)
        scaling = chosen_rationals(1 / self.sizes)
        # with more than this there would be a negative eigenvalue
        largest = np.linalg.eigvalsh(self.unit)[0] / np.linalg.eigvalsh(dominant)[-1]
        for share in largest * SHARES if largest > SINGULAR else ():
            start = random_start(self.unit, rows, generator)
            factor, error = descend(self.unit - share * dominant, start, ITERATIONS)
            if error < share * off_diagonal[off_diagonal > 0].min(initial=1.0) / size:
                vectors = chosen_rationals(rounded_to_bits(_on_cliques(factor, off_diagonal == 0), BITS) * self.sizes)
                remaining_terms = dominant_terms(self.matrix - vectors.T @ vectors, scaling)
                if remaining_terms is not None:
                    ones = rationals(np.ones(len(vectors), dtype=np.int64))
                    return np.concatenate([ones, remaining_terms[0]]), np.vstack([vectors, remaining_terms[1]]) / self.scale
        return None


def _on_cliques(factor: npt.NDArray[np.float64], apart: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """`factor` with the smaller of two entries of a row set to 0 where their product has to vanish."""
    result = factor.copy()
    for i, j in np.argwhere(np.triu(apart, 1)):
        smaller = np.where(result[:, i] < result[:, j], i, j)
        result[np.arange(len(result)), smaller] *= result[:, i] * result[:, j] == 0
    return result


def unit_diagonal(matrix: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A matrix with rows and columns divided by the roots of its diagonal, and these roots."""
    sizes = np.sqrt(np.diag(matrix))
    return matrix / np.outer(sizes, sizes), sizes


def upper_products(vectors: Array) -> Array:
    """The upper triangles of ``outer(x, x)`` for all rows `x`, shape ``(k, N) -> (k, N(N + 1)/2)``."""
    rows, columns = np.triu_indices(vectors.shape[1])
    return np.asarray(vectors[:, rows] * vectors[:, columns])
