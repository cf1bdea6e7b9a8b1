"""Surfaces: where hypotheses are equalities, a population moves where they hold, in rationals."""

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
SEVERAL = 3
"""With several equalities so many times as many points, for most lines lead nowhere: of eight false bounds, with three seeds,
17 of 24 are refuted, 12 with as many as with one equality."""
STEPS = (1.0, 0.1, 0.01)
"""Sizes of the moves, by turns, relative to a number and to 1. With 1, 0.3, 0.1 and 0.03 18 of these are refuted."""
DIGITS = 400
"""Binary digits of a denominator, from which on no line begins at a point: each root has a few times as many. Half and twice as
many refute the same of these."""
DECIDED = 3
"""Points of a population that are decided, the worst first. One and six refute the same."""


@dataclass(frozen=True)
class OnSurface:
    """Rational points of equalities."""

    name: str = "surface"
    does: str = (
        "where hypotheses are equalities that few drawn instances satisfy, such as `norm2(x) == 1`, `x * y == 1` or "
        "`A @ x == b`: rational points of them, found along lines or by solving for some of the numbers, and moved to the "
        "smallest slack, at three combinations of sizes of low cost"
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
        for batch in _batches(search)[:TRIES]:
            chosen = batch.chosen(None)
            surface = Surface.of(search.domain, batch.sample[rng.permutation(chosen if len(chosen) else batch.places)], rng)
            if surface is not None:
                self._move(search, surface, batch, rng)
            if search.is_refuted:
                return

    def _move(self, search: Search, surface: Surface, batch: Batch, rng: np.random.Generator) -> None:
        width = WIDTH if surface.count == 1 else SEVERAL * WIDTH
        drawn = surface.vectors(batch.sample[rng.permutation(batch.places)[:width]])
        start = surface.vectors(surface.start)
        targets, slacks, points = floats(drawn), np.zeros(0), drawn[:0]
        origins = np.repeat(start, len(targets), axis=0)
        for turn in range(_rounds(search.budget) // search.cache.cost(batch.sample.sizes)):
            moves = STEPS[turn % len(STEPS)] * (1 + np.abs(targets)) * rng.standard_normal(targets.shape)
            found = surface.near(origins, targets + moves, rng)
            found = found[surface.feasible(found)]
            if not len(found):
                if not len(points) and turn >= len(STEPS):
                    return
                continue
            search.findings.evaluations += len(found)
            new = _slacks(search, surface.samples(floats(found)))
            worse = [place for place in np.argsort(new)[:DECIDED] if new[place] < slacks.min(initial=0.0)]
            if any(decide_one(search, surface.instance(found[place]), self.name) for place in worse):
                return
            slacks, points = np.append(slacks, new), np.concatenate([points, found])
            best = np.argsort(slacks)[: WIDTH // 3]
            slacks, points = slacks[best], points[best]
            parents = points[np.arange(width) % len(points)]
            targets = floats(parents)
            origins = np.repeat(start, width, axis=0)
            if surface.count > 1:
                # one line does not lead everywhere
                short = [max(int(number.q).bit_length() for number in parent) < DIGITS for parent in parents]
                origins[short] = parents[short]
        if len(points):
            decide_one(search, surface.instance(points[0]), self.name)


def _batches(search: Search) -> list[Batch]:
    """One of each combination of sizes: those with feasible instances first, then those of low cost."""
    first: dict[tuple[int, ...], Batch] = {}
    batches = [*search.cache.phase("structured"), *search.cache.phase("special")]
    for batch in sorted(batches, key=lambda batch: not len(batch.chosen(None))):
        first.setdefault(sizes_of(batch.sample), batch)
    return sorted(first.values(), key=lambda batch: (not len(batch.chosen(None)), search.cache.cost(batch.sample.sizes)))


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
