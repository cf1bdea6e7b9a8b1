"""The third tier: minimise the relative slack from the worst instances so far, by L-BFGS with batched differences."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.arithmetic import floats
from verify.checker.search.decide import Refutation, confirm
from verify.checker.search.portfolio import Candidate, evaluate, judged, prepare
from verify.claim import Statement
from verify.domain import Domain, Sample
from verify.relation import Verdict

STEP = 2.0**-24
"""Difference step, relative to the size of a coordinate: about the square root of float64's accuracy."""


SPREADS = (0.05, 0.2, 0.01, 0.5)
"""Standard deviations of the moves with which an ascent begins again."""
RESTARTS = 6
"""Most beginnings of one ascent: beside a trivial tie every one of them may end after a few calls."""


class _Objective:
    """Relative slack as a function of the free coordinates of one instance, with all differences in one batch."""

    def __init__(self, statement: Statement, domain: Domain, start: Sample, without: str | None) -> None:
        self._statement, self._domain, self._without = statement, domain, without
        self._sizes = start.sizes
        self._layout = domain.layout(start.sizes)
        self._start = start
        self.free = [name for name, coordinate in self._layout.items() if not coordinate.integer and np.prod(coordinate.shape)]
        self._upper = np.array([upper for _, upper in self.bounds()])
        self.evaluations = self.calls = 0
        self.best = (np.inf, start, int(Verdict.UNDECIDED))

    def vector(self, sample: Sample) -> npt.NDArray[np.float64]:
        """The free coordinates of an instance, in a row."""
        return np.concatenate([np.ravel(sample.coordinates[name]) for name in self.free])

    def bounds(self) -> list[tuple[float, float]]:
        """The interval of every free coordinate."""
        limits = [(self._layout[name], int(np.prod(self._layout[name].shape, dtype=int))) for name in self.free]
        return [(coordinate.lower, coordinate.upper) for coordinate, length in limits for _ in range(length)]

    def sample(self, points: npt.NDArray[np.float64]) -> Sample:
        """The instances whose free coordinates are the rows of `points`."""
        coordinates, used = {}, 0
        for name, coordinate in self._layout.items():
            if name in self.free:
                length = int(np.prod(coordinate.shape, dtype=int))
                coordinates[name] = points[:, used : used + length].reshape(len(points), *coordinate.shape)
                used += length
            else:
                coordinates[name] = np.broadcast_to(self._start.coordinates[name], (len(points), *coordinate.shape))
        return Sample(self._sizes, coordinates)

    def values(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Relative slack at every row, 1 where the instance is not valid or not decided."""
        result = np.ones(len(points))
        batch = prepare(self._domain, self.sample(points))
        self.evaluations += len(points)
        if batch is None or len(next(iter(batch.sample.coordinates.values()))) != len(points):
            return result
        evaluated = evaluate(self._statement, batch, batch.chosen(self._without))
        if evaluated is None:
            return result
        relation, indices = evaluated
        slack, verdicts = relation.relative_slack, relation.verdict
        result[indices] = np.clip(np.where(np.isnan(slack), 1.0, slack), -1.0, 1.0)
        lowest = int(np.argmin(result))
        if result[lowest] < self.best[0] and lowest in indices:
            place = int(np.flatnonzero(indices == lowest)[0])
            self.best = (float(result[lowest]), self.sample(points[lowest : lowest + 1])[0], int(verdicts[place]))
        return result

    def __call__(self, point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        """Value and gradient, from one batch."""
        self.calls += 1
        if not np.isfinite(point).all():
            # at a minimum L-BFGS can divide zero by zero and ask for what is no point at all
            return 1.0, np.zeros(len(point))
        steps = STEP * np.maximum(1.0, np.abs(point))
        # not across an upper bound: what lies beyond is no instance
        steps = np.where(point + steps > self._upper, -steps, steps)
        values = self.values(np.vstack([point, point + np.diag(steps)]))
        gradient = (values[1:] - values[0]) / steps
        # an invalid neighbour says nothing about the slope
        gradient[(values[1:] == 1.0) | (values[0] == 1.0)] = 0.0
        return float(values[0]), gradient


def ascend(
    statement: Statement, domain: Domain, start: Candidate, steps: int, rng: np.random.Generator, without: str | None
) -> tuple[Candidate | None, int]:
    """The instance of smallest relative slack met on the way from `start`, and the number of evaluations.

    At a kink the first difference is no slope, and the line search gives up: what is left of the calls goes into restarts from
    the best instance so far, moved by little or much.
    """
    from scipy.optimize import minimize

    objective = _Objective(statement, domain, start.sample, without)
    if not objective.free:
        return None, 0
    origin = objective.vector(start.sample)
    bounds: Any = objective.bounds()
    lower, upper = np.array(bounds).T
    for spread in itertools.islice(itertools.chain([0.0], itertools.cycle(SPREADS)), RESTARTS):
        left = 2 * steps - objective.calls
        if left <= 0 or (start.verdict != Verdict.FAILS and objective.best[2] == Verdict.FAILS):
            break
        moved = np.clip(origin + spread * rng.standard_normal(origin.shape), lower, upper)
        minimize(objective, moved, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxfun": left, "gtol": 0, "ftol": 0})
        origin = objective.vector(objective.best[1])
    slack, sample, verdict = objective.best
    if not np.isfinite(slack):
        return None, objective.evaluations
    if verdict == Verdict.FAILS:
        verdict = _with_rounding(statement, domain, sample, rng)
    return Candidate(sample, slack, verdict), objective.evaluations


def _with_rounding(statement: Statement, domain: Domain, sample: Sample, rng: np.random.Generator) -> int:
    """The verdict of floats at an instance, when its rounding is measured."""
    batch = prepare(domain, sample[None])
    found = None if batch is None else judged(statement, domain, batch, batch.places, rng)
    return int(Verdict.UNDECIDED if found is None else found[0].verdict[0])


def largest_violation(refutation: Refutation, statement: Statement, domain: Domain, steps: int = 200) -> Refutation:
    """The refutation with the largest relative violation that ascent reaches from `refutation` and the rationals confirm."""
    start = Sample(refutation.sample.sizes, {name: floats(values) for name, values in refutation.sample.coordinates.items()})
    candidate = Candidate(start, refutation.relative_slack, int(Verdict.FAILS))
    climbed, _ = ascend(statement, domain, candidate, steps, np.random.default_rng(0), None)
    better = None if climbed is None else confirm(statement, domain, climbed.sample)
    if better is None or better.relative_slack >= refutation.relative_slack:
        return refutation
    return better
