"""Walls: where the hypotheses leave off, a quadratic programme leads on along them."""

from __future__ import annotations

from dataclasses import dataclass

from verify.search.phases.optimise import ends_at_a_refutation, nearest_of_each
from verify.search.samples import Budget
from verify.search.state import Search
from verify.search.walls import along_walls


@dataclass(frozen=True)
class AlongWalls:
    """Sequential quadratic programming along the hypotheses."""

    name: str = "walls"
    does: str = (
        "SciPy's sequential quadratic programming along the hypotheses, at three combinations of sizes of low cost: for bounds "
        "that are worst where a hypothesis is attained"
    )

    def amount(self, budget: Budget) -> str:
        """Calls of the objective."""
        return f"{budget.steps} calls"

    def run(self, search: Search) -> None:
        """Follow the hypotheses, and confirm where it ends."""
        if search.findings.all_equalities or not search.domain.hypotheses or search.without is not None:
            return
        rng = search.rng.spawn(1)[0]
        for worst, comparisons in nearest_of_each(search):
            calls = search.budget.steps // search.cache.cost(worst.sizes)
            objective = along_walls(search.statement, search.domain, worst[0], calls, rng, comparisons)
            if objective is not None and ends_at_a_refutation(search, objective, comparisons, self.name):
                return
