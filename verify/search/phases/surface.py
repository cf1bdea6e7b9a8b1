"""Surfaces: where a hypothesis is an equality, a population moves on it, in rationals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.claims.domain import Sample
from verify.numbers.arithmetic import floats
from verify.search.batch import Batch, evaluate, prepare
from verify.search.findings import sizes_of
from verify.search.rationals import decide_one
from verify.search.samples import Budget
from verify.search.state import Search
from verify.search.surface import Surface

SELDOM = 0.2
"""Share of the drawn instances that are feasible, above which the draws are enough. Half and twice of it refute the same of
`tests/search/test_surface.py`, with six seeds: all."""
TRIES = 3
"""Combinations of sizes, those of low cost first. One and six refute the same there."""
WIDTH = 96
"""Points of a population, of which the best third has children. Of six bounds that are false by 1e-6 to 1e-3 of the best, with
five seeds, 25 of 30 are refuted, 20 with half of them, 25 with twice as many."""
STEPS = (1.0, 0.1, 0.01)
"""Sizes of the moves, by turns, relative to a number and to 1. With 1, 0.3, 0.1 and 0.03 18 of these are refuted."""
DECIDED = 3
"""Points of a population that are decided, the worst first. One and six refute the same."""


@dataclass(frozen=True)
class OnSurface:
    """Rational points of an equality."""

    name: str = "surface"
    does: str = (
        "where a hypothesis is an equality that few drawn instances satisfy, such as `norm2(x) == 1` or `x * y == 1`: rational "
        "points of it, found along lines, and moved to the smallest slack, at three combinations of sizes of low cost"
    )

    def amount(self, budget: Budget) -> str:
        """Rounds."""
        return f"{_rounds(budget)} rounds"

    def run(self, search: Search) -> None:
        """Move on the surface, and decide the worst points."""
        cache, feasible = search.cache, search.findings.feasible
        if not search.domain.hypotheses or search.without is not None or feasible > SELDOM * cache.drawn:
            return
        # no numbers of its own are taken from those of the other phases: most statements have no such hypothesis
        rng = np.random.default_rng(search.rng.bit_generator.seed_seq.generate_state(4))
        first = {sizes_of(batch.sample): batch for batch in reversed(list(cache.phase("structured")))}
        for batch in sorted(first.values(), key=lambda batch: cache.cost(batch.sample.sizes))[:TRIES]:
            chosen = batch.chosen(None)
            surface = Surface.of(search.domain, batch.sample[rng.permutation(chosen if len(chosen) else batch.places)])
            if surface is not None:
                self._move(search, surface, batch, rng)
            if search.is_refuted:
                return

    def _move(self, search: Search, surface: Surface, batch: Batch, rng: np.random.Generator) -> None:
        drawn = surface.vectors(batch.sample[rng.permutation(batch.places)[:WIDTH]])
        targets, slacks, points = floats(drawn), np.zeros(0), drawn[:0]
        for turn in range(_rounds(search.budget) // search.cache.cost(batch.sample.sizes)):
            moves = STEPS[turn % len(STEPS)] * (1 + np.abs(targets)) * rng.standard_normal(targets.shape)
            found = surface.near(targets + moves, rng)
            found = found[surface.feasible(found)]
            if not len(found):
                continue
            search.findings.evaluations += len(found)
            new = _slacks(search, surface.samples(floats(found)))
            worse = [place for place in np.argsort(new)[:DECIDED] if new[place] < slacks.min(initial=0.0)]
            if any(decide_one(search, surface.instance(found[place]), self.name) for place in worse):
                return
            slacks, points = np.append(slacks, new), np.concatenate([points, found])
            best = np.argsort(slacks)[: WIDTH // 3]
            slacks, points = slacks[best], points[best]
            targets = floats(points)[np.arange(WIDTH) % len(points)]
        if len(points):
            decide_one(search, surface.instance(points[0]), self.name)


def _rounds(budget: Budget) -> int:
    return budget.steps // 5


def _slacks(search: Search, sample: Sample) -> npt.NDArray[np.float64]:
    """The relative slack at each float instance, whatever the hypotheses say of it; infinite where floats tell none."""
    slacks = np.full(len(next(iter(sample.coordinates.values()))), np.inf)
    batch = prepare(search.domain, sample, hypotheses=False)
    evaluated = None if batch is None else evaluate(search.statement, batch, batch.places)
    if batch is not None and evaluated is not None and not evaluated[0].is_empty:
        relation, places = evaluated
        slacks[batch.origin[places]] = np.where(relation.is_number(), relation.relative_slack, np.inf)
    return slacks
