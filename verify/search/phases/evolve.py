"""Populations: the worst instances of a few combinations of sizes, evolved; what is best joins the starts of the ascents."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from verify.search.batch import Candidate, Comparisons
from verify.search.population import evolve
from verify.search.rationals import confirm_reached
from verify.search.samples import Budget
from verify.search.state import Search

T = TypeVar("T")

POPULATIONS = 3
"""Combinations of sizes of which a population is evolved, nearest to failing; of several objectives up to twice as many. One
and six refute the same false variants (`docs/benchmarks.md`)."""


@dataclass(frozen=True)
class Evolve:
    """Differential evolution."""

    name: str = "population"
    does: str = (
        "differential evolution of the worst instances of three combinations of sizes; finds its way along kinks and valleys"
    )

    def amount(self, budget: Budget) -> str:
        """Generations."""
        return f"{budget.generations} generations"

    def run(self, search: Search) -> None:
        """Evolve, and confirm the best of each population."""
        findings, cost = search.findings, search.cache.cost
        if findings.all_equalities:
            return
        groups = sorted(search.pending.worst, key=lambda start: (cost(start[1].sizes), start[0]))
        aims = [comparisons for *_, comparisons in groups]
        for _, worst, comparisons in by_turns(groups, aims)[: max(POPULATIONS, min(len(set(aims)), 2 * POPULATIONS))]:
            generations = search.budget.generations // cost(worst.sizes)
            objective = evolve(search.statement, search.domain, worst, generations, search.rng, search.without, comparisons)
            if objective is None:
                continue
            findings.evaluations += objective.evaluations
            slack, sample, verdict = objective.best
            if np.isfinite(slack):
                candidate = Candidate(sample, slack, verdict, comparisons)
                if confirm_reached(search, [candidate], self.name):
                    return
                search.add_candidates([candidate])


def by_turns(values: Sequence[T], kinds: Sequence[Comparisons]) -> list[T]:
    """The same values, one of each kind in turn."""
    groups: dict[Comparisons, list[T]] = {}
    for value, kind in zip(values, kinds, strict=True):
        groups.setdefault(kind, []).append(value)
    return [value for turn in itertools.zip_longest(*groups.values()) for value in turn if value is not None]
