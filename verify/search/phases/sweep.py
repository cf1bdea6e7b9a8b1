"""The sweep: short ascents at many combinations of sizes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from verify.claims.domain import Sample
from verify.numbers.relation import Verdict
from verify.search.batch import Candidate, Comparisons
from verify.search.findings import sizes_of
from verify.search.phases.ascend import ascent_from
from verify.search.samples import Budget
from verify.search.state import Search

STEPS = 20
"""Calls of the objective in one ascent of the sweep. Half and twice as many refute the same false variants
(`docs/benchmarks.md`)."""


@dataclass(frozen=True)
class Sweep:
    """Short ascents at as many sizes as the budget pays for."""

    name: str = "ascent"
    does: str = "of what should hold, short ones at many sizes: a bound that is attained at some hides what is wrong at others"

    def amount(self, budget: Budget) -> str:
        """Starts."""
        return f"{budget.sweep} starts"

    def run(self, search: Search) -> None:
        """Ascend at each of the sizes, whatever the slack is there."""
        if not search.thorough or search.findings.all_equalities:
            return
        groups: dict[tuple[tuple[int, ...], Comparisons], tuple[float, Sample, Comparisons]] = {}
        for candidate in search.pending.worst:
            key = sizes_of(candidate[1]), candidate[2]
            # of several batches of the same sizes the one whose worst instance is the least special
            if key not in groups or candidate[0] > groups[key][0]:
                groups[key] = candidate
        for slack, worst, comparisons in _new_sizes_first(list(groups.values()))[: search.budget.sweep]:
            start = Candidate(worst[0], slack, int(Verdict.HOLDS), comparisons)
            if ascent_from(search, start, STEPS, self.name):
                return


def _new_sizes_first(groups: list[tuple[float, Sample, Comparisons]]) -> list[tuple[float, Sample, Comparisons]]:
    """The groups in an order in which every value of a size, and every pair of values, comes early; large sizes first."""

    def values(group: tuple[float, Sample, Comparisons]) -> set[tuple[object, ...]]:
        each = sorted(group[1].sizes.items())
        return {(group[2], *pair) for pair in itertools.chain(each, itertools.combinations(each, 2))}

    remaining = [(values(group), sum(group[1].sizes.values()), group) for group in groups]
    met: set[tuple[object, ...]] = set()
    result = []
    while remaining:
        place = max(range(len(remaining)), key=lambda k: (len(remaining[k][0] - met), remaining[k][1]))
        of_it, _, group = remaining.pop(place)
        met |= of_it
        result.append(group)
    return result
