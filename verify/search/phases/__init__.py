"""The phases of a search, each a small module: what it does, how much of it a budget pays for, and what starts from it.

A phase is a frozen value with a `name`, a sentence `does`, a method `amount` (what a `Budget` pays for, as the table of the
docs shows it) and a method `run`, which takes a `Search`. It evaluates instances, counts what it finds in ``search.findings``,
leaves what later phases take up in ``search.pending`` and ``search.best``, and takes what looks like a counterexample to the
rationals by a function of `verify.search.rationals`; these call ``search.findings.refuted``, after which the search
ends. All its random numbers come from ``search.rng``, and its length is counted in evaluations, never in seconds, so that a
seed decides the outcome. To add one, write the value, put it into `PHASES` at the place where its cost belongs, and measure
with ``verify strength`` and the planted errors of ``tests/benchmarks`` what it alone finds: a phase that finds nothing of its
own is not worth its time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from verify.search.phases.ascend import Ascend
from verify.search.phases.constants import Constants
from verify.search.phases.draw import Draw
from verify.search.phases.evolve import Evolve
from verify.search.phases.examples import Examples
from verify.search.phases.exhaust import Exhaust
from verify.search.phases.optimise import Optimise
from verify.search.phases.settle import FloatCounterexamples, Suspects, Ties
from verify.search.phases.surface import OnSurface
from verify.search.phases.swap import Swap
from verify.search.phases.sweep import Sweep
from verify.search.phases.walls import AlongWalls
from verify.search.samples import Budget
from verify.search.state import Search


class Phase(Protocol):
    """One step of a search."""

    @property
    def name(self) -> str:
        """What a refutation is said to be found by."""

    @property
    def does(self) -> str:
        """What it does, in one sentence."""

    def amount(self, budget: Budget) -> str:
        """What a budget pays for."""

    def run(self, search: Search) -> None:
        """Search, and note in ``search.findings`` what is found."""


STRUCTURED = Draw(
    "structured",
    "small integers over 1, 2 and 4, many of them zero or equal: where theorems break first, and exact in floats; of wide "
    "ranges of integers also the ends, and small ones",
    lambda budget: f"{budget.structured}",
)
BATCHED = Draw(
    "batched",
    "random numbers of many sizes; all instances, where there are at most 16 times as many",
    lambda budget: f"{budget.batched}",
)
SPECIAL = Draw(
    "special",
    "of many combinations of sizes, those that the first two left out, too: a few ordinary instances, and arrays of equal "
    "numbers, at which means attain their bounds; of half of them matrices of low rank, units, arrays of other magnitudes, "
    "1/256 and 256 times as large, layers that are all partial identities, points in a plane or in equal steps, arrays that "
    "are equal, inverse, opposite or transposed to each other, or zero, columns that coincide or are opposite, points that "
    "all coincide, matrices that are skew, symmetric or have rows of sum zero",
    lambda budget: f"{budget.combinations} combinations",
    starts="ordinary",
)
AGAIN = replace(SPECIAL, drawn="special again")
ALL = Exhaust(
    "all",
    "all instances of the sizes that have few, smallest first, where all free numbers are integers: graphs, permutations, 0/1 "
    "matrices, each once; the outcome says of which sizes",
    lambda budget: f"{budget.exhausted}",
    starts="nowhere",
)

PHASES: tuple[Phase, ...] = (
    Examples(),
    *(STRUCTURED, BATCHED, SPECIAL, ALL, Constants()),
    *(Suspects(), FloatCounterexamples(), Ties()),
    *(Swap(), OnSurface(), Evolve(), Ascend(), Sweep(), AlongWalls(), Optimise()),
)
"""From what costs little to what costs much."""


def phases_of(again: int) -> Sequence[Phase]:
    """The phases of a search; of the drawing `again`, from 1, those that draw, and that decide what is suspect there."""
    if not again:
        return PHASES
    return STRUCTURED, BATCHED, AGAIN, Suspects(), FloatCounterexamples()


def table(budgets: Mapping[str, Budget]) -> str:
    """The phases as a table in Markdown: what each does, and what each budget pays for."""
    rows = [["phase", "what it does", *budgets], ["---"] * (2 + len(budgets))]
    rows += [[phase.name, phase.does, *(phase.amount(budget) for budget in budgets.values())] for phase in PHASES]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
