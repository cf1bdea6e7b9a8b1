"""The relative slack of the free coordinates of an instance: what a population evolves and an ascent minimises."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.numbers.relation import Verdict
from verify.search.batch import Comparisons, evaluate, part_of, prepare, smallest_slack

STEP = 2.0**-24
"""Difference step, relative to the size of a coordinate: about the square root of float64's accuracy."""


class Objective:
    """Relative slack of `comparisons` as a function of the free parameters of one instance; all differences in one batch.

    Those that are moved are the real ones, or the `integers`. An `absolute` objective is the slack s, as s / (1 + abs(s)).
    Where a hypothesis is broken it is 1, but with `walls` as elsewhere: `margins` says by how much each comparison of the
    hypotheses holds, row by row.
    """

    def __init__(
        self,
        statement: Statement,
        domain: Domain,
        start: Sample,
        without: str | None,
        comparisons: Comparisons,
        *,
        integers: bool = False,
        absolute: bool = False,
        walls: bool = False,
    ) -> None:
        self._statement, self._domain, self._without, self._comparisons = statement, domain, without, comparisons
        self._absolute, self._walls = absolute, walls
        self._sizes = start.sizes
        self._layout = domain.layout(start.sizes)
        self._start = start
        self.free = [
            name for name, coordinate in self._layout.items() if coordinate.integer is integers and 0 not in coordinate.shape
        ]
        self._upper = np.array([upper for _, upper in self.bounds()])
        self.evaluations = self.calls = 0
        self.best = (np.inf, start, int(Verdict.UNDECIDED))
        self.feasible, self.margins, self.steps = np.zeros(0, dtype=bool), np.zeros((0, 0)), np.zeros(0)

    def vector(self, sample: Sample) -> npt.NDArray[np.float64]:
        """The free coordinates of an instance, in a row."""
        return np.concatenate([np.ravel(sample.coordinates[name]) for name in self.free])

    def bounds(self) -> list[tuple[float, float]]:
        """The interval of every free coordinate."""
        limits = [(self._layout[name], math.prod(self._layout[name].shape)) for name in self.free]
        return [(coordinate.lower, coordinate.upper) for coordinate, length in limits for _ in range(length)]

    def sample(self, points: npt.NDArray[np.float64]) -> Sample:
        """The instances whose free coordinates are the rows of `points`."""
        coordinates, used = {}, 0
        for name, coordinate in self._layout.items():
            if name in self.free:
                length = math.prod(coordinate.shape)
                coordinates[name] = points[:, used : used + length].reshape(len(points), *coordinate.shape)
                used += length
            else:
                coordinates[name] = np.broadcast_to(self._start.coordinates[name], (len(points), *coordinate.shape))
        return Sample(self._sizes, coordinates)

    def values(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The objective at every row, 1 where the instance is not feasible or not decided."""
        result = np.ones(len(points))
        batch = prepare(self._domain, self.sample(points), margins=self._walls)
        self.evaluations += len(points)
        self.feasible = np.zeros(len(points), dtype=bool)
        if batch is None:
            return result
        self.feasible[batch.origin[batch.chosen(self._without)]] = True
        if self._walls:
            self.margins = np.full((len(points), batch.margins.shape[1]), np.nan)
            self.margins[batch.origin] = batch.margins
        evaluated = evaluate(self._statement, batch, batch.places if self._walls else batch.chosen(self._without))
        if evaluated is None:
            return result
        relation, places = evaluated
        indices = batch.origin[places]
        part = part_of(relation, self._comparisons)
        slack = np.broadcast_to(part.relative_slack, len(indices))
        if self._absolute:
            slack = smallest_slack(relation, self._comparisons)
            # an infinite slack has a sign, and inf / inf has none
            slack = np.clip(slack, -np.finfo(float).max, np.finfo(float).max)
            slack = slack / (1 + np.abs(slack))
        result[indices] = np.minimum(np.maximum(np.where(slack != slack, 1.0, slack), -1.0), 1.0)
        lowest = int(np.argmin(np.where(self.feasible, result, np.inf)))
        if result[lowest] < self.best[0] and self.feasible[lowest] and lowest in indices:
            place = int(np.flatnonzero(indices == lowest)[0])
            # what floats say is asked of the best alone
            verdict = int(np.broadcast_to(part.verdict, len(indices))[place])
            self.best = (float(result[lowest]), self.sample(points[lowest : lowest + 1])[0], verdict)
        return result

    def __call__(self, point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        """Value and gradient, from one batch."""
        self.calls += 1
        if not np.isfinite(point).all():
            # at a minimum L-BFGS can divide zero by zero and ask for what is no point at all
            self.margins, self.steps = np.full((1 + len(point), self.margins.shape[1]), np.nan), np.ones(len(point))
            return 1.0, np.zeros(len(point))
        steps = STEP * np.maximum(1.0, np.abs(point))
        # not across an upper bound: what lies beyond is no instance
        steps = np.where(point + steps > self._upper, -steps, steps)
        values = self.values(np.vstack([point, point + np.diag(steps)]))
        self.steps = steps
        gradient = (values[1:] - values[0]) / steps
        # an invalid neighbour says nothing about the slope
        gradient[(values[1:] == 1.0) | (values[0] == 1.0)] = 0.0
        return float(values[0]), gradient
