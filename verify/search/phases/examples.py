"""Examples: instances that a claim gives are decided before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from verify.search.rationals import decide_one
from verify.search.samples import Budget
from verify.search.state import Search


@dataclass(frozen=True)
class Examples:
    """Decide the examples of a claim."""

    name: str = "examples"
    does: str = "what `Claim(examples=...)` or `attack(..., examples=...)` gives, on rationals"

    def amount(self, budget: Budget) -> str:  # noqa: ARG002 (they are all tried)
        """All of them."""
        return "all"

    def run(self, search: Search) -> None:
        """Decide them in their order."""
        for sample in search.cache.examples:
            search.findings.evaluations += 1
            if decide_one(search, sample, self.name):
                return
