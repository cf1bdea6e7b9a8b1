"""Surfaces: where a hypothesis is an equality, a population moves on it, in rationals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.claims.domain import Sample
from verify.numbers.arithmetic import floats
from verify.search.batch import Batch, evaluate, prepare
from verify.search.decide import decide_sample
from verify.search.findings import sizes_of
from verify.search.rationals import decide_one
from verify.search.samples import Budget
from verify.search.state import Search
from verify.search.surface import Surface

SELDOM = 0.2
"""Share of the drawn instances that are feasible, above which the draws are enough."""
TRIES = 3
"""Combinations of sizes, those of low cost first."""
WIDTH = 48
"""Points of a population, of which the best third has children."""
STEPS = (1.0, 0.3, 0.1, 0.03)
"""Sizes of the moves, by turns, relative to a number and to 1."""
DECIDED = 3
"""Points of a population that are decided, the worst first."""


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
        tried: set[tuple[int, ...]] = set()
        for batch in sorted(cache.phase("structured"), key=lambda batch: cache.cost(batch.sample.sizes)):
            if sizes_of(batch.sample) in tried:
                continue
            tried.add(sizes_of(batch.sample))
            if not _search_from(search, batch, rng) or search.is_refuted or len(tried) == TRIES:
                return


def _rounds(budget: Budget) -> int:
    return budget.steps // 5


def _search_from(search: Search, batch: Batch, rng: np.random.Generator) -> bool:
    """Search at the sizes of one batch; whether the hypotheses ask an equality that lines follow."""
    chosen = batch.chosen(None)
    known = [start for index in rng.permutation(chosen)[:8] if (start := _exactly(search, batch.sample[int(index)]))]
    start = known[0] if known else search.domain.on_rationals(batch.sample[0])
    surface = Surface(search.domain, start, bool(known))
    if not surface.free:
        return False
    drawn = search.domain.on_rationals(batch.sample[rng.permutation(batch.places)[:WIDTH]])
    targets = np.array([floats(surface.vector(drawn[place])) for place in range(len(next(iter(drawn.coordinates.values()))))])
    slacks, points, exact = np.zeros(0), np.zeros((0, targets.shape[1])), np.zeros((0, targets.shape[1]), dtype=object)
    for turn in range(_rounds(search.budget)):
        moved = targets + STEPS[turn % len(STEPS)] * (1 + np.abs(targets)) * rng.standard_normal(targets.shape)
        found = surface.near(np.where(rng.random((len(moved), 1)) < 0.8, moved, targets), rng)
        search.findings.evaluations += len(targets)
        if not len(found):
            if not turn:
                return False
            continue
        found = found[surface.feasible(found)]
        if not len(found):
            continue
        new = _slacks(search, surface.samples(floats(found)))
        for place in np.argsort(new)[:DECIDED]:
            if new[place] < min(0.0, slacks.min(initial=0.0)) and decide_one(search, surface.instance(found[place]), "surface"):
                return True
        slacks, points = np.append(slacks, new), np.vstack([points, floats(found)])
        best = np.argsort(slacks)[: WIDTH // 3]
        slacks, points = slacks[best], points[best]
        exact = np.concatenate([exact, found])[best]
        targets = points[np.arange(WIDTH) % len(points)]
    if len(points):
        decide_one(search, surface.instance(exact[0]), "surface")
    return True


def _exactly(search: Search, sample: Sample) -> Sample | None:
    """An instance on rationals, if it is feasible there."""
    exact = search.domain.on_rationals(sample)
    return None if decide_sample(search.statement, search.domain, exact).outside else exact


def _slacks(search: Search, sample: Sample) -> npt.NDArray[np.float64]:
    """The relative slack at each float instance, whatever the hypotheses say of it; infinite where floats tell none."""
    slacks = np.full(len(next(iter(sample.coordinates.values()))), np.inf)
    batch = prepare(search.domain, sample, hypotheses=False)
    evaluated = None if batch is None else evaluate(search.statement, batch, batch.places)
    if batch is not None and evaluated is not None and not evaluated[0].is_empty:
        relation, places = evaluated
        slacks[batch.origin[places]] = np.where(relation.is_number(), relation.relative_slack, np.inf)
    return slacks
