r"""The CP-rank of matrices on small exposed faces of the completely positive cone, exactly.

If a copositive S has :math:`\langle S, A\rangle = 0`, its form vanishes on every vector of every factorisation of A. If its
zeros are isolated (finitely many directions :math:`z_i`, that is :math:`z_i^TSz_j > 0` for any two of smallest support), the
factorisations of A are the solutions :math:`w \ge 0` of :math:`\sum_i w_i z_iz_i^T = A`, and the CP-rank is the smallest number
of positive weights: the matrices with CP-ranks above :math:`N^2/4` of Bomze, Schachinger and Ullrich (2014) are of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.cones._exact import combination, exact_symmetric, null_space
from verify.cones.copositive import is_copositive
from verify.cones.factorisation.cutting_planes import LARGEST_ORDER, cutting_planes, exposed_factor, supported_start
from verify.cones.factorisation.rounding import rounded_to_bits
from verify.cones.factorisation.search import FACE_ROUNDS
from verify.cones.factorisation.target import Target, upper_products
from verify.numbers.arithmetic import Array, chosen_rationals, floats, rationals
from verify.numbers.relation import Verdict

BITS = 20
"""Binary digits to which the free coefficients of an exposing matrix are rounded."""


@dataclass(frozen=True, eq=False)
class ExposedFace:
    """A face with finitely many directions, and the fewest of them that a matrix needs.

    Attributes
    ----------
    matrix
        The matrix, of rationals, shape ``(N, N)``.
    copositive
        A copositive matrix of rationals whose product with `matrix` is 0 and whose zeros are isolated, shape ``(N, N)``.
    vectors
        All its zeros, up to multiples, shape ``(k, N)``.
    weights
        Rationals, shape ``(k,)``: those of a factorisation of the matrix with the fewest terms.
    """

    matrix: Array
    copositive: Array
    vectors: Array
    weights: Array

    @property
    def cp_rank(self) -> int:
        """The CP-rank of the matrix."""
        return int(np.count_nonzero(self.weights))

    def verify(self) -> Verdict:
        """Decide again, exactly, from the exposing matrix alone: that it is one, and what CP-rank follows."""
        face = _on_face(self.matrix, self.copositive)
        return Verdict.HOLDS if face is not None and face.cp_rank == self.cp_rank else Verdict.UNDECIDED

    def __str__(self) -> str:
        return f"CP-rank {self.cp_rank} (order {len(self.matrix)}): the face of the matrix has {len(self.vectors)} directions"


def exposed_face(matrix: Array) -> ExposedFace | None:
    """The face of a completely positive matrix and its CP-rank, shape ``(N, N)`` with N of at most 12; None if not found.

    Raises
    ------
    ValueError
        The matrix is not one finite, square and symmetric matrix with a positive diagonal.
    TypeError
        The entries are balls.
    """
    exact = exact_symmetric(matrix)
    if min(np.diag(exact)) <= 0:
        raise ValueError(f"matrix must have a positive diagonal, got {min(np.diag(exact))}: drop rows and columns of zeros")
    if len(exact) > LARGEST_ORDER:
        return None
    target = Target.of(exact)
    for index, cut in enumerate(cutting_planes(target.unit, max(FACE_ROUNDS) + 1)):
        if index in FACE_ROUNDS:
            exposed = exposed_factor(target.unit, cut.best, supported_start(cut))
            terms = None if exposed is None else target.terms(np.abs(exposed), plausible=True)
            if terms is not None:
                roots = target.sizes / floats(target.scale)
                # of all matrices that vanish on the terms the one next to the best of the linear programme
                candidate = _exposing(terms[1], cut.best / np.outer(roots, roots))
                face = None if candidate is None else _on_face(exact, candidate)
                if face is not None:
                    return face
    return None


def _exposing(vectors: Array, form: npt.NDArray[np.float64]) -> Array | None:
    """A matrix of rationals close to `form` whose product with every vector vanishes on its support; None if there is none."""
    size = len(form)
    rows, columns = np.triu_indices(size)
    position = np.zeros((size, size), dtype=np.int64)
    position[rows, columns] = position[columns, rows] = np.arange(len(rows))
    equations = rationals(np.zeros((int(np.count_nonzero(vectors)), len(rows)), dtype=np.int64))
    for equation, (term, index) in zip(equations, np.argwhere(vectors != 0), strict=True):
        equation[position[index]] = vectors[term]
    basis = null_space(equations)
    if not len(basis):
        return None
    scaled = form[rows, columns] / np.abs(form).max()
    # the basis has the columns of an identity, so that no singular value is below 1
    coefficients = np.linalg.lstsq(floats(basis).T, scaled, rcond=None)[0]
    coefficients = coefficients / np.abs(coefficients).max()
    entries = chosen_rationals(rounded_to_bits(coefficients, BITS)) @ basis
    return np.asarray(entries[position])


def _on_face(matrix: Array, copositive: Array) -> ExposedFace | None:
    """The face that a matrix exposes, if it is copositive, exposes `matrix`, and its zeros are isolated."""
    decided = is_copositive(copositive)
    if decided.zeros is None or not len(decided.zeros) or (copositive * matrix).sum() != 0:
        return None
    products = decided.zeros @ copositive @ decided.zeros.T
    if any(products[i, j] <= 0 for i, j in combinations(range(len(products)), 2)):
        return None
    weights = _fewest_weights(upper_products(decided.zeros), matrix[np.triu_indices(len(matrix))])
    return None if weights is None else ExposedFace(matrix, copositive, decided.zeros, weights)


def _fewest_weights(columns: Array, target: Array) -> Array | None:
    """The solution ``w >= 0`` of ``w @ columns = target`` with the fewest non-zeros, if the solutions are at most a line."""
    weights, kernel = combination(columns, target), null_space(columns.T)
    if weights is None or len(kernel) > 1:
        return None
    steps = [fmpq(0)]
    if len(kernel):
        steps += [-weight / slope for weight, slope in zip(weights, kernel[0], strict=True) if slope != 0]
    solutions = [weights + step * kernel[0] if len(kernel) else weights for step in steps]
    allowed = [solution for solution in solutions if min(solution) >= 0]
    return min(allowed, key=np.count_nonzero, default=None)
