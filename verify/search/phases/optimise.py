"""Needles: an optimiser of SciPy minimises the slack over all of a box, at the sizes with the fewest free numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from verify.claims.domain import Sample
from verify.search.batch import Candidate, Comparisons, judged_alone
from verify.search.findings import sizes_of
from verify.search.objective import Objective
from verify.search.optimiser import optimise
from verify.search.phases.evolve import by_turns
from verify.search.rationals import confirm_reached
from verify.search.samples import Budget
from verify.search.state import Search

TRIES = 3
"""Combinations of sizes, those of low cost first, at which it is tried; of several objectives up to twice as many."""


@dataclass(frozen=True)
class Optimise:
    """Differential evolution over a box."""

    name: str = "optimiser"
    does: str = (
        "SciPy's differential evolution of the slack itself over a box, then L-BFGS, at three combinations of sizes of low "
        "cost: for what fails at isolated points, as where four of five numbers are special"
    )

    def amount(self, budget: Budget) -> str:
        """Evaluations."""
        return f"{budget.optimiser} evaluations" if budget.optimiser else "none"

    def run(self, search: Search) -> None:
        """Minimise, and confirm where it ends."""
        findings = search.findings
        if findings.all_equalities or not search.budget.optimiser:
            return
        rng = search.rng.spawn(1)[0]
        for worst, comparisons in nearest_of_each(search):
            evaluations = search.budget.optimiser // search.cache.cost(worst.sizes)
            objective = optimise(search.statement, search.domain, worst, evaluations, rng, search.without, comparisons)
            if objective is None:
                continue
            if ends_at_a_refutation(search, objective, comparisons, self.name):
                return


def ends_at_a_refutation(search: Search, objective: Objective, comparisons: Comparisons, name: str) -> bool:
    """Whether the best instance that an objective met, judged alone, is a refutation on rationals."""
    search.findings.evaluations += objective.evaluations
    slack, sample, _ = objective.best
    relation = judged_alone(search.statement, search.domain, sample) if math.isfinite(slack) else None
    if relation is None or relation.is_empty:
        return False
    candidate = Candidate(sample, float(relation.relative_slack[0]), int(relation.verdict[0]), comparisons)
    return confirm_reached(search, [candidate], name)


def nearest_of_each(search: Search) -> list[tuple[Sample, Comparisons]]:
    """The worst instances of a few combinations of sizes of low cost, with what they are worst for: by turns of each."""
    cost = search.cache.cost
    # of several batches of the same sizes the worst one
    ordered = sorted(search.pending.worst, key=lambda start: (cost(start[1].sizes), sum(start[1].sizes.values()), start[0]))
    first = {(sizes_of(worst), comparisons): (worst, comparisons) for _, worst, comparisons in reversed(ordered)}
    groups = list(reversed(first.values()))
    aims = [comparisons for _, comparisons in groups]
    return by_turns(groups, aims)[: max(TRIES, min(len(set(aims)), 2 * TRIES))]
