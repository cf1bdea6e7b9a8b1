"""What the draws left open is decided on rationals: what seems to fail by far, what fails in floats, and ties."""

from __future__ import annotations

from dataclasses import dataclass

from verify.search.rationals import TOGETHER, decide_by_turns, decide_one, is_no_violation
from verify.search.samples import Budget
from verify.search.state import Search

SUSPECTS = 4
"""Suspects that are decided for each turn of decisions, spread over all batches. One and eight refute the same false
variants (`docs/benchmarks.md`)."""
FLOAT_COUNTEREXAMPLES = 10
"""Instances that fail in floats that are decided for each turn of decisions. Half and twice as many refute the same
(`docs/benchmarks.md`)."""
RARE = 10
"""Where floats decide fewer than one instance in so many, as many turns are taken; elsewhere four times as many."""


@dataclass(frozen=True)
class Suspects:
    """Decide what seems to fail by far."""

    name: str = "exact"
    does: str = (
        "on rationals, what seems to fail by far and floats leave undecided, because a small move changes the answer as much"
    )

    def amount(self, budget: Budget) -> str:
        """Instances."""
        return f"{SUSPECTS * budget.exact} at most"

    def run(self, search: Search) -> None:
        """Decide some suspects of all batches."""
        suspects, count = search.pending.suspects, SUSPECTS * search.budget.exact
        for sample in suspects[:: -(-len(suspects) // count) or 1]:
            if not search.findings.has_floats_only(sample) and decide_one(
                search, search.domain.on_rationals(sample), self.name
            ):
                return


@dataclass(frozen=True)
class FloatCounterexamples:
    """Decide what fails in floats and is not among the worst."""

    name: str = "exact"
    does: str = "what else fails in floats: each is a refutation or rounding"

    def amount(self, budget: Budget) -> str:
        """Instances."""
        return f"{FLOAT_COUNTEREXAMPLES * budget.exact} at most"

    def run(self, search: Search) -> None:
        """Decide them; only where the statement is expected to hold, else the worst have refuted it."""
        findings = search.findings
        if not search.thorough:
            return
        for sample in search.pending.float_counterexamples[: FLOAT_COUNTEREXAMPLES * search.budget.exact]:
            if findings.has_floats_only(sample):
                continue
            before = findings.exactly.total()
            if decide_one(search, search.domain.on_rationals(sample), self.name):
                return
            if findings.exactly.total() > before:
                findings.unexamined -= is_no_violation(search, sample, findings.settled[-1][1])


@dataclass(frozen=True)
class Ties:
    """Decide what floats leave undecided."""

    name: str = "exact"
    does: str = "what floats leave undecided, for every combination of sizes in turn, the nearest to failing first"

    def amount(self, budget: Budget) -> str:
        """Turns, of several instances each."""
        return f"{budget.exact * TOGETHER} to {4 * budget.exact * TOGETHER}"

    def run(self, search: Search) -> None:
        """Decide them by turns, each combination of sizes once at least."""
        findings, count = search.findings, search.budget.exact
        queues = [queue for queue in search.pending.undecided if queue]
        turns = max(count if RARE * findings.in_floats > findings.feasible else 4 * count, len(queues))
        decide_by_turns(search, queues, turns, self.name)
