"""One step after the other of the conic Frank-Wolfe method, with the best vectors and the best bound so far."""

from __future__ import annotations

import numpy as np

from verify.cones._sign_faces import Floats
from verify.cones.shallow.problem import Shallow

FIRST_SHIFT, LAST_SHIFT, SHIFT_FACTOR = 1e-2, 1e-11, 0.1
"""An exact fit is the limit of ridges: K^s is shifted by these, relative to the targets."""

NEW_VECTORS = 12
"""Vectors that one round adds; those that are of no use get the weight zero, and leave."""

BETTER = 1 + 1e-9
"""Ratio above which a vector makes the value smaller, and is not there already up to rounding errors."""

SMALL_WEIGHTS = (1e-5, 1e-8, 0.0)
"""Relative weights below which vectors are left out, where this makes the value smaller."""


class FrankWolfe:
    """Vectors of cost 1 with weights; `best` has the smallest value so far and `dual` the matrix U of the largest bound."""

    def __init__(self, problem: Shallow, tolerance: float) -> None:
        self.problem, self.tolerance = problem, tolerance
        self.scale = float(np.linalg.norm(problem.Y))
        self.mu = problem.mu or FIRST_SHIFT * self.scale
        self.vectors, self.weights = np.zeros((0, problem.size)), np.zeros(0)
        self.best = self.weights, self.vectors
        self.value = problem.value_of(self.weights, self.vectors)
        self.bound, self.count = 0.0, 0
        self.dual: Floats | None = None

    def advance(self) -> bool:
        """One iteration; whether it was the last."""
        problem = self.problem
        self.count += 1
        if self.scale == 0:
            return True
        K_sigma = problem.covariance(self.weights, self.vectors)
        U = np.asarray(np.linalg.solve(K_sigma + self.mu * np.eye(problem.size), problem.Y.T).T, dtype=np.float64)
        largest, direction = problem.ratio(U)
        bound, dual = problem.bound([U], lambda _: (largest, direction))
        if bound > self.bound:
            self.bound, self.dual = bound, dual
        if self.value - self.bound <= self.tolerance * self.value < np.inf:
            return True
        added = self._new(U, direction)
        if len(added):
            self.vectors = np.concatenate([self.vectors, added])
            self.weights = np.concatenate([self.weights, np.zeros(len(added))])
        if not len(added) or (problem.mu == 0 and largest < 1 + 1e-4):
            if problem.mu > 0 or self.mu <= LAST_SHIFT * self.scale:
                return True
            self.mu = max(self.mu * SHIFT_FACTOR, LAST_SHIFT * self.scale)
        if len(self.vectors):
            self.weights = problem.reoptimised(self.vectors, self.weights, self.mu)
            self._keep_best()
        return False

    def _keep_best(self) -> None:
        largest = self.weights.max(initial=0.0)
        for small in SMALL_WEIGHTS:
            kept = self.weights > small * largest
            kept_terms = self.weights[kept], self.vectors[kept]
            value = self.problem.value_of(*kept_terms)
            if value < self.value:
                self.value, self.best = value, kept_terms
        kept = self.weights > 1e-14 * largest
        self.vectors, self.weights = self.vectors[kept], self.weights[kept]

    def _new(self, U: Floats, direction: Floats) -> Floats:
        """The best vectors of cost 1 whose ratio is above 1 and that are not there yet."""
        units = direction / np.sqrt(np.maximum(self.problem.costs(direction), 1e-300))[:, None]
        ratios = ((self.problem.image(units) @ U.T) ** 2).sum(axis=1)
        added: list[Floats] = []
        for unit in units[ratios > BETTER][:400]:
            known = np.array([*self.vectors, *added]).reshape(-1, len(unit))
            if not (np.linalg.norm(known - unit, axis=1) < 1e-9 * np.linalg.norm(unit)).any():
                added.append(unit)
            if len(added) == NEW_VECTORS:
                break
        return np.array(added).reshape(-1, self.problem.size)
