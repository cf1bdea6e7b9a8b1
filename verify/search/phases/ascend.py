"""Ascents: the relative slack is lowered by L-BFGS from the worst instances so far."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from verify.claims.domain import Cost
from verify.numbers.relation import Verdict
from verify.search.ascent import FEWEST_STEPS, ascend
from verify.search.batch import Candidate
from verify.search.phases.evolve import by_turns
from verify.search.rationals import confirm_reached, one_of_each_sizes_first
from verify.search.samples import Budget
from verify.search.state import Search


@dataclass(frozen=True)
class Ascend:
    """Ascents from the worst instances."""

    name: str = "ascent"
    does: str = "L-BFGS on the relative slack from the worst instances, started again nearby where it gets stuck"

    def amount(self, budget: Budget) -> str:
        """Starts."""
        return f"{budget.ascents} starts"

    def run(self, search: Search) -> None:
        """Ascend from each start, and confirm where it ends."""
        findings, budget = search.findings, search.budget
        if findings.all_equalities and not any(candidate.verdict == Verdict.FAILS for candidate in search.best):
            return  # an equality that holds has no slack to lose
        starts = _starts(search.best, search.cache.cost)
        aims = len({start.comparisons for start in starts})
        for start in starts[: max(budget.ascents, min(aims, 2 * budget.ascents))]:
            if ascent_from(search, start, budget.steps, self.name):
                return


def ascent_from(search: Search, start: Candidate, steps: int, name: str) -> bool:
    """Ascend from one instance, in so many steps where an evaluation costs one unit; whether it ends at a refutation."""
    steps = max(FEWEST_STEPS, steps // search.cache.cost(start.sample.sizes))
    reached, evaluations = ascend(search.statement, search.domain, start, steps, search.rng, search.without)
    search.findings.evaluations += evaluations
    return reached is not None and confirm_reached(search, [reached], name)


def _starts(best: list[Candidate], cost: Cost) -> list[Candidate]:
    """Where ascents begin: at the worst instances, and every other time at a tie, which floats do not decide (often 0 = 0).

    What fails already and was not confirmed gains nothing by failing more; at sizes of low cost an ascent goes far.
    """
    worst, ties = (
        sorted(
            one_of_each_sizes_first([candidate for candidate in best if candidate.verdict == verdict]),
            key=lambda candidate: cost(candidate.sample.sizes),
        )
        for verdict in (Verdict.HOLDS, Verdict.UNDECIDED)
    )
    # the second and every other one of a large combination of sizes: the nearest to failing are often small and attained
    largest = max(map(_total_size, worst), default=0)
    large = [candidate for candidate in worst[1:] if 2 * _total_size(candidate) > largest]
    pairs = itertools.zip_longest(worst, large)
    worst = list(dict.fromkeys(candidate for pair in pairs for candidate in pair if candidate is not None))
    pairs = itertools.zip_longest(worst[1:], ties)
    starts = [*worst[:1], *(candidate for pair in pairs for candidate in pair if candidate is not None)]
    return by_turns(starts, [start.comparisons for start in starts])


def _total_size(candidate: Candidate) -> int:
    return sum(candidate.sample.sizes.values())
