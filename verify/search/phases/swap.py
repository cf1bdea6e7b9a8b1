"""Exchanges: the integers of the worst instances are changed and exchanged, where there are too many to meet all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from verify.claims.domain import Sample
from verify.search.batch import Candidate, Comparisons
from verify.search.exchange import exchange
from verify.search.findings import sizes_of
from verify.search.phases.evolve import POPULATIONS, by_turns
from verify.search.population import SIZE
from verify.search.rationals import confirm_reached
from verify.search.samples import Budget
from verify.search.state import Search

STEPS = 10
"""Steps for each generation of a population: one costs as much, and changes less. Half as many take 3 % fewer evaluations
until the false variants of `docs/benchmarks.md` are refuted, twice as many 6 % more."""


@dataclass(frozen=True)
class Swap:
    """Local search where all coordinates are integers."""

    name: str = "exchange"
    does: str = (
        "where all free numbers are integers, as of graphs and permutations, and too many to be all met: entries of the worst "
        "instances are changed and exchanged, as long as they get no worse, or as in annealing"
    )

    def amount(self, budget: Budget) -> str:
        """Steps."""
        return f"{STEPS * budget.generations} steps"

    def run(self, search: Search) -> None:
        """Search nearby, and confirm the best that was met."""
        findings, cost = search.findings, search.cache.cost
        if findings.all_equalities:
            return
        groups = _of_integers(search)
        chosen = by_turns(groups, [comparisons for *_, comparisons in groups])[: 2 * POPULATIONS]
        rng = search.rng.spawn(1)[0] if chosen else search.rng
        for _, worst, comparisons in chosen:
            # where evaluations are costly, no more of them than would be spent on meeting all instances
            most = min(STEPS * search.budget.generations, search.budget.exhausted // SIZE)
            steps = most // cost(worst.sizes)
            if not steps:
                continue
            objective = exchange(search.statement, search.domain, worst, steps, rng, search.without, comparisons)
            if objective is None:
                continue
            findings.evaluations += objective.evaluations
            slack, sample, verdict = objective.best
            if np.isfinite(slack) and confirm_reached(search, [Candidate(sample, slack, verdict, comparisons)], self.name):
                return


def _of_integers(search: Search) -> list[tuple[float, Sample, Comparisons]]:
    """The worst instances of sizes without real numbers that are not exhausted, for each objective; large sizes first."""
    groups: dict[tuple[tuple[int, ...], Comparisons], tuple[float, Sample, Comparisons]] = {}
    for slack, worst, comparisons in search.pending.worst:
        key = sizes_of(worst), comparisons
        layout = search.domain.layout(worst.sizes).values()
        if key[0] in search.findings.exhausted or not all(coordinate.integer or 0 in coordinate.shape for coordinate in layout):
            continue
        if key not in groups or slack < groups[key][0]:
            groups[key] = slack, worst[np.arange(min(SIZE, len(next(iter(worst.coordinates.values())))))], comparisons
    return sorted(groups.values(), key=lambda start: -sum(start[1].sizes.values()))
