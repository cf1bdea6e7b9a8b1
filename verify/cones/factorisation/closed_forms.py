r"""Matrices whose complete positivity is decided by a formula: small comparison matrices, graphs without triangles, Horn.

The comparison matrix M(A) has the diagonal of A and minus its off-diagonal entries. If M(A) is positive semidefinite, a scaling
makes A diagonally dominant, and then A is a sum of terms of one or two non-zeros. If the graph of A has no triangle, the
converse holds: from :math:`v^TM(A)v < 0`, :math:`v \ge 0`, comes the matrix S with entries :math:`-v_iv_j` on the
edges and :math:`v_iv_j` elsewhere, which is copositive (Motzkin and Straus) and whose product with A is :math:`v^TM(A)v`. The
same S from a cycle of five of the indices is a scaled Horn matrix, a certificate for any A.
"""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
from flint import fmpq

from verify.cones._exact import independent_rows, negative_direction, null_space, small_integers
from verify.cones.copositive import is_copositive
from verify.matrices.exact import flint_matrix, to_array
from verify.numbers.arithmetic import Array, chosen_rationals, fraction, rationals

MOST_FACES = 2000
"""Faces of the cone of vectors in the range of a matrix that are gone through to find its extreme rays."""

Terms = tuple[Array, Array]
"""Weights, shape ``(k,)``, and vectors, shape ``(k, N)``."""


def comparison_matrix(matrix: Array) -> Array:
    """The diagonal, and minus the off-diagonal entries, shape ``(N, N)``."""
    return np.asarray(matrix * rationals(2 * np.eye(len(matrix), dtype=np.int64) - 1))


def dominant_terms(matrix: Array, scaling: Array) -> Terms | None:
    """Terms of a matrix that is diagonally dominant when scaled by positive numbers; None if it is not."""
    size = len(matrix)
    unit = rationals(np.eye(size, dtype=np.int64))
    remaining = [matrix[i, i] for i in range(size)]
    weights, vectors = [], []
    for i, j in combinations(range(size), 2):
        if matrix[i, j] < 0:
            return None
        if matrix[i, j] != 0:
            weights.append(matrix[i, j] * scaling[i] * scaling[j])
            vectors.append(unit[i] / scaling[i] + unit[j] / scaling[j])
            remaining[i] -= matrix[i, j] * scaling[j] / scaling[i]
            remaining[j] -= matrix[i, j] * scaling[i] / scaling[j]
    if min(remaining) < 0:
        return None
    weights += [value for value in remaining if value > 0]
    vectors += [unit[i] for i, value in enumerate(remaining) if value > 0]
    return np.array(weights, dtype=object), np.array(vectors, dtype=object).reshape(len(weights), size)


def terms_of_small_comparison(matrix: Array) -> tuple[Terms | None, Array | None]:
    """Of an irreducible matrix without negative entries: terms, or a vector at which the form of its comparison is negative."""
    comparison = comparison_matrix(matrix)
    direction = negative_direction(comparison)
    if direction is not None:
        return None, np.abs(direction)
    kernel = null_space(comparison)
    if len(kernel):
        scaling = np.abs(kernel[0])  # Perron: one-dimensional, of one sign
    else:
        ones = rationals(np.ones((len(matrix), 1), dtype=np.int64))
        scaling = to_array(flint_matrix(comparison).solve(flint_matrix(ones)))[:, 0]
    return dominant_terms(matrix, scaling), None


def tiny_terms(matrix: Array, share: fmpq) -> Terms:
    """Terms with two non-zeros for the off-diagonal entries below a `share` of the geometric mean of their diagonal entries."""
    size = len(matrix)
    unit = rationals(np.eye(size, dtype=np.int64))
    tiny = [
        (i, j)
        for i, j in combinations(range(size), 2)
        if matrix[i, j] > 0 and matrix[i, j] ** 2 < share**2 * matrix[i, i] * matrix[j, j]
    ]
    # about the vector that takes the same share of both diagonal entries
    ratios = [chosen_rationals(math.sqrt(fraction(matrix[j, j] / matrix[i, i])))[()] for i, j in tiny]
    weights = [matrix[i, j] / ratio for (i, j), ratio in zip(tiny, ratios, strict=True)]
    vectors = [unit[i] + ratio * unit[j] for (i, j), ratio in zip(tiny, ratios, strict=True)]
    return np.array(weights, dtype=object), np.array(vectors, dtype=object).reshape(len(tiny), size)


def edges_against_the_rest(adjacency: Array, vector: Array) -> Array:
    """The copositive matrix with entries ``-v_i v_j`` on the edges of a graph without triangles, and ``v_i v_j`` elsewhere."""
    return np.asarray(np.outer(vector, vector) * (1 - 2 * adjacency))


def horn_certificate(matrix: Array) -> Array | None:
    """A scaled Horn matrix, on five of the indices, whose product with `matrix` is negative, if there is one."""
    size = len(matrix)
    for chosen in combinations(range(size), 5):
        for order in permutations(chosen[1:]):
            if order[0] > order[-1]:
                continue
            cycle = (chosen[0], *order)
            adjacency = np.zeros((size, size), dtype=object)
            for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
                adjacency[a, b] = adjacency[b, a] = 1
            inside = np.ix_(chosen, chosen)
            # a violation v of the entrywise product is a scaling for which the product of matrices is negative
            violation = is_copositive(matrix[inside] * (1 - 2 * adjacency[inside])).violation
            if violation is not None:
                vector = rationals(np.zeros(size, dtype=np.int64))
                vector[list(chosen)] = violation
                return edges_against_the_rest(adjacency, vector)
    return None


def rays_of_range(matrix: Array) -> Array:
    """Vectors without negative entries of whose sums those in the range of a symmetric matrix are, shape ``(k, N)``.

    The extreme rays of the cone that they form, or the unit vectors if the matrix is regular or there are too many faces.
    """
    size = len(matrix)
    basis = matrix[independent_rows(matrix)]
    rank = len(basis)
    if rank == size or math.comb(size, rank - 1) > MOST_FACES:
        return rationals(np.eye(size, dtype=np.int64))
    rays = {}
    for zeros in combinations(range(size), rank - 1):
        for coefficients in _lines(basis[:, list(zeros)]):
            ray = small_integers(coefficients @ basis)
            ray = ray if max(ray) > 0 else -ray
            if min(ray) >= 0:
                rays[tuple(ray.tolist())] = ray
    return np.array(list(rays.values()), dtype=object).reshape(len(rays), size)


def _lines(columns: Array) -> Array:
    """The line of coefficients that vanish on the columns, if it is one."""
    if columns.shape[1] == 0:
        return rationals(np.eye(len(columns), dtype=np.int64))
    kernel = null_space(columns.T)
    return kernel if len(kernel) == 1 else kernel[:0]
