r"""Copositive matrices with a small product with a given matrix, by cutting planes, in floats.

Minimise :math:`\langle S, C\rangle` over the S whose form is not negative on finitely many vectors, add the negative critical
points of the best S on the simplex, and repeat. Outside the cone of completely positive matrices the product stays negative,
and a small shift makes S copositive. On its boundary S tends to a matrix that exposes the face of C; the vectors with dual
weights tend to those of a factorisation, and an iteration that starts from their supports gives these to full precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LARGEST_ORDER = 12
"""Orders up to which all critical points are found: there is one for each index set at most."""
CUTS = 60
"""New vectors at a time, those with the lowest values first."""
ITERATIONS = 20_000
"""Of the simplex method, at most; a limit of time would make the answer depend on the machine."""
SUPPORT = 1e-3
"""Entries above this share of the largest one belong to the support of a vector."""


CONVERGED, DIVERGED = 1e-13, 1e3
"""Errors of the factor, for entries near 1, at which its iteration ends: far above those of rounding in either case."""


@dataclass(frozen=True, eq=False)
class Cut:
    """One step: the best matrix, how negative its form is on the simplex, and the vectors with their dual weights."""

    best: Floats
    lowest: float
    vectors: Floats
    weights: Floats


def cutting_planes(unit: Floats, rounds: int) -> Iterator[Cut]:
    """The steps for a matrix with unit diagonal, shape ``(N, N)``; ends early where the solver fails."""
    from scipy.optimize import linprog

    size = len(unit)
    rows, columns = np.triu_indices(size)
    multiplicity = np.where(rows == columns, 1.0, 2.0)
    identity = np.eye(size)
    pairs = [identity[i] + share * identity[j] for i in range(size) for j in range(size) if i != j for share in (1, 0.5)]
    vectors = np.array([*identity, *(pair / pair.sum() for pair in pairs)])
    bounds = [(0 if i == j else -1, 1) for i, j in zip(rows, columns, strict=True)]
    for _ in range(rounds):
        forms = -vectors[:, rows] * vectors[:, columns] * multiplicity
        solution = linprog(
            unit[rows, columns] * multiplicity,
            A_ub=forms,
            b_ub=np.zeros(len(forms)),
            bounds=bounds,
            method="highs-ds",
            options={"maxiter": ITERATIONS},
        )
        if solution.status != 0:
            return
        best = np.zeros((size, size))
        best[rows, columns] = best[columns, rows] = solution.x
        points, values = negative_critical_points(best)
        yield Cut(best, float(values.min(initial=0.0)), vectors, -solution.ineqlin.marginals)
        if not len(points):
            return
        vectors = np.vstack([vectors, points[np.argsort(values, kind="stable")[:CUTS]]])


def negative_critical_points(form: Floats) -> tuple[Floats, Floats]:
    """Vectors on the simplex, and values, where the form is critical on the face and negative, shapes ``(k, N)``, ``(k,)``."""
    size = len(form)
    points, values = [np.empty((0, size))], [np.empty(0)]
    for count in range(1, size + 1):
        supports = np.array(list(combinations(range(size), count)))
        blocks = form[supports[:, :, None], supports[:, None, :]]
        regular = np.abs(np.linalg.det(blocks)) > 1e-12
        solved = np.linalg.solve(blocks[regular], np.ones((int(regular.sum()), count, 1)))[..., 0]
        negative = (solved < 0).all(axis=1)
        totals = solved[negative].sum(axis=1)
        candidates = np.zeros((len(totals), size))
        np.put_along_axis(candidates, supports[regular][negative], solved[negative] / totals[:, None], axis=1)
        points.append(candidates)
        values.append(1 / totals)
    return np.concatenate(points), np.concatenate(values)


def supported_start(cut: Cut) -> Floats:
    """One vector for each support that carries dual weight, shape ``(k, N)``: their squares sum to about the matrix."""
    used = cut.weights > 1e-5 * cut.weights.max(initial=0.0)
    vectors, weights = cut.vectors[used], cut.weights[used]
    supports = vectors > SUPPORT * vectors.max(axis=1, keepdims=True)
    result = []
    for support in np.unique(supports, axis=0):
        of_support = (supports == support).all(axis=1)
        values, directions = np.linalg.eigh((vectors[of_support].T * weights[of_support]) @ vectors[of_support])
        result.append(np.sqrt(values[-1]) * np.abs(directions[:, -1]) * support)
    return np.array(result).reshape(len(result), cut.vectors.shape[1])


def exposed_factor(unit: Floats, dual: Floats, start: Floats, rounds: int = 40) -> Floats | None:
    r"""A factor Z with :math:`Z^TZ = C`, with the zeros of `start` and close to it, shape ``(k, N)``; None if none is found.

    The method of Levenberg and Marquardt for Z together with a matrix S with :math:`SZ^T = 0` on the supports of `start`, of
    which `dual` is the first. The equations of Z alone are singular to first order, since S is orthogonal to the tangents of
    the factorisations; where the face has more than one S, those of both are, too. A damping by the square of the error keeps
    the convergence quadratic there, and no singular value has to be told from zero.
    """
    size = len(unit)
    rows, columns = np.triu_indices(size)
    position = np.zeros((size, size), dtype=np.int64)
    position[rows, columns] = position[columns, rows] = np.arange(len(rows))
    factor, form, entries = start.copy(), dual / np.abs(dual).max(), np.argwhere(start > 0)
    mask = start > 0
    for _ in range(rounds):
        error = np.concatenate([(factor.T @ factor - unit)[rows, columns], (factor @ form)[mask]])
        largest = np.abs(error).max()
        if not largest < DIVERGED:
            return None
        if largest < CONVERGED:
            break
        jacobian = np.zeros((len(error), len(entries) + len(rows)))
        for column, (term, index) in enumerate(entries):
            np.add.at(jacobian[:, column], position[index], factor[term])
            jacobian[position[index, index], column] += factor[term, index]
            below = len(rows) + np.flatnonzero(entries[:, 0] == term)
            jacobian[below, column] = form[entries[entries[:, 0] == term, 1], index]
            np.add.at(jacobian[len(rows) + column], len(entries) + position[index], factor[term])
        left, values, right = np.linalg.svd(jacobian, full_matrices=False)
        step = -((left.T @ error) * values / (values**2 + largest**2)) @ right
        factor[mask] += step[: len(entries)]
        form[rows, columns] += step[len(entries) :]
        form[columns, rows] = form[rows, columns]
    return factor
