"""Sequential quadratic programming of SciPy along the hypotheses: for bounds that are worst where a hypothesis is attained.

A line search that meets a broken hypothesis goes back, and never along it. How far each comparison of the hypotheses is from
being broken is read off while they are tested.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.search.batch import Comparisons
from verify.search.objective import Objective

MOST_NUMBERS = 32
"""Of more free numbers a call costs too much: the gradients of the slack and of each hypothesis are differences, one
evaluation for each number. With this bound and that of the margins the phase takes a fiftieth of a run."""
MOST_MARGINS = 128
"""Each is a constraint."""
NEIGHBOURS = 32
"""Instances near the first, at which the margins must say the same as the hypotheses."""
SPREAD = 0.3
"""Standard deviation of their moves."""
WITHIN = 2.0**-30
"""How far inside the hypotheses a search stays, relative to the margin at the start where that is large: rationals decide."""


def along_walls(
    statement: Statement, domain: Domain, start: Sample, calls: int, rng: np.random.Generator, comparisons: Comparisons
) -> Objective | None:
    """The smallest relative slack from the instance `start` along the hypotheses; the objective knows the best.

    None where nothing is moved, or no hypothesis is a wall: no instance near breaks one, or it says more than its comparisons.
    """
    from scipy.optimize import minimize

    objective = Objective(statement, domain, start, None, comparisons, walls=True)
    if not objective.free or len(objective.bounds()) > MOST_NUMBERS:
        return None
    bounds: Any = objective.bounds()
    lower, upper = np.array(bounds).T
    origin = objective.vector(start)
    near = np.clip(origin + SPREAD * rng.standard_normal((NEIGHBOURS, len(origin))), lower, upper)
    objective.values(np.vstack([origin, near]))
    feasible, margins = objective.feasible, objective.margins
    if feasible.all() or not 0 < margins.shape[1] <= MOST_MARGINS or (feasible != (margins >= 0).all(axis=1)).any():
        return None
    walls = _Walls(objective, WITHIN * np.maximum(1.0, np.abs(margins[0])), calls)
    constraints: Any = {"type": "ineq", "fun": lambda x: walls.margins(x)[0], "jac": lambda x: walls.margins(x)[1]}
    options: Any = {"maxiter": calls, "ftol": 0}
    with contextlib.suppress(_Enough):
        minimize(walls.slack, origin, jac=True, method="SLSQP", bounds=bounds, constraints=constraints, options=options)
    return objective


class _Enough(Exception):
    """All calls are made."""


class _Walls:
    """Slack and margins of a point with their derivatives, from one batch; of so many points at most."""

    def __init__(self, objective: Objective, within: npt.NDArray[np.float64], calls: int) -> None:
        self._objective, self._within, self._calls = objective, within, calls
        self._point: npt.NDArray[np.float64] | None = None

    def _evaluate(self, point: npt.NDArray[np.float64]) -> None:
        if self._point is not None and np.array_equal(point, self._point):
            return
        if self._objective.calls >= self._calls:
            raise _Enough
        self._point = point.copy()
        self._slack = self._objective(point)
        margins = np.nan_to_num(self._objective.margins, nan=-1.0)
        self._margins = margins[0] - self._within, (margins[1:] - margins[0]).T / self._objective.steps

    def slack(self, point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        self._evaluate(point)
        return self._slack

    def margins(self, point: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        self._evaluate(point)
        return self._margins
