"""The instances of a search: how many, drawn once for a statement and for all that is checked beside it.

The structured instances are drawn by NumPy from the set that `Domain.strategy` describes. Hypothesis itself is not used
here: it mixes constants of the modules loaded so far into what it draws, so that its draws for one seed differ from worker
to worker, while a campaign must give the same evidence on any number of them.
"""

from __future__ import annotations

import functools
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from verify.claims.by_hand import samples_by_hand
from verify.claims.claim import Claim
from verify.claims.domain import Cost, Domain, Sample, equal_cost
from verify.search.batch import Batch, batch_length, prepare


@dataclass(frozen=True)
class Budget:
    """How hard a statement is tried, in evaluations (never in seconds).

    Attributes
    ----------
    structured, batched
        Instances drawn by the first two phases.
    combinations
        Combinations of sizes, beside the dozen of the first two phases, of which a few instances are drawn; and combinations of
        which instances with equal entries, of low rank and of other magnitudes are.
    generations
        Generations of each population of the third phase, which begin with the worst instances of a combination of sizes.
    ascents
        Starts of the fourth phase: the worst feasible instances so far.
    steps
        Calls of the objective in one ascent, each of which evaluates a point and one step from it along each coordinate.
    sweep
        Combinations of sizes at which a short ascent begins, whatever the slack is there; none where evaluations are costly.
    exact
        Turns of decisions on rationals, each of a few instances of one combination of sizes.
    exhausted
        Instances of sizes of which all are evaluated, where these are integers.
    optimiser
        Evaluations of SciPy's optimiser at one combination of sizes.
    """

    structured: int
    batched: int
    combinations: int
    generations: int
    ascents: int
    steps: int
    sweep: int
    exact: int
    exhausted: int = 0
    optimiser: int = 0

    def divided(self, cost: int) -> Budget:
        """The budget of a statement whose evaluation costs `cost` units."""
        return Budget(
            max(8, self.structured // cost),
            max(8, self.batched // cost),
            max(8, self.combinations // cost),
            max(4, self.generations // cost),
            max(1, self.ascents // cost),
            max(5, self.steps // cost),
            self.sweep // cost,
            max(2, self.exact // cost),
            # of what is listed one by one less: a solver at each element would take longer than all else
            self.exhausted // cost**2,
            self.optimiser // cost,
        )

    def persistent(self) -> Budget:
        """The budget for what should be refuted: ascents end with the first that succeeds, so that more of them cost little."""
        return replace(self, ascents=8 * self.ascents)


BUDGETS: Mapping[str, Budget] = {
    "quick": Budget(
        structured=400,
        batched=2_000,
        combinations=120,
        generations=20,
        ascents=4,
        steps=60,
        sweep=8,
        exact=10,
        exhausted=50_000,
    ),
    "standard": Budget(
        structured=4_000,
        batched=40_000,
        combinations=600,
        generations=60,
        ascents=8,
        steps=200,
        sweep=48,
        exact=40,
        exhausted=1_000_000,
        optimiser=20_000,
    ),
    "deep": Budget(
        structured=40_000,
        batched=1_000_000,
        combinations=5_000,
        generations=300,
        ascents=40,
        steps=1000,
        sweep=200,
        exact=200,
        exhausted=1_000_000,
        optimiser=100_000,
    ),
}
"""The budgets of ``verify run --budget``, by name."""


KEPT = 200_000
"""Phases of more instances are drawn again each time they are asked for, and not kept: the random numbers of a deep run (1
000 000), not those of a standard one (40 000), and lists of all instances that are as long."""
PIECE = 10_000
"""Most instances of a batch that is not kept: what is computed of it on the way takes room, too."""


def generator(seed: int, claim_id: str, purpose: str) -> np.random.Generator:
    """Random numbers for one purpose of one claim: the same for the same seed, whatever else runs."""
    return np.random.default_rng([seed, zlib.crc32(claim_id.encode()), zlib.crc32(purpose.encode())])


AGAIN = 3
"""A further drawing has a share of the combinations of sizes: one in so many."""


class SampleCache:
    """The instances drawn for one claim, shared by its statement and all that is checked beside it.

    Attributes
    ----------
    broken
        How many drawn instances broke each hypothesis, and, under "cannot be evaluated", how many float64 cannot decide.
    examples
        Instances that are always tried, on rationals.
    """

    def __init__(
        self,
        claim_id: str,
        domain: Domain,
        budget: Budget,
        seed: int,
        cost: Cost = equal_cost,
        examples: Sequence[Sample] = (),
    ) -> None:
        self.domain, self.cost, self.examples = domain, cost, examples
        self.broken: Counter[str] = Counter(dict.fromkeys(domain.hypotheses, 0))
        self.drawn = 0
        self._batched = budget.batched
        self._kept: dict[str, list[Batch]] = {}
        sizes = {"batched": budget.batched, "all": budget.exhausted}
        self._streamed = {name for name, count in sizes.items() if count > KEPT}
        self._counted: Counter[str] = Counter()
        self._sources = {
            "structured": lambda: domain.structured(generator(seed, claim_id, "structured"), budget.structured, cost),
            "batched": lambda: domain.batched(generator(seed, claim_id, "batched"), budget.batched, cost),
            "all": lambda: domain.exhausted(budget.batched, budget.exhausted, cost),
            "special": lambda: domain.of_special_forms(generator(seed, claim_id, "special"), budget.combinations, cost),
            "special again": lambda: domain.of_special_forms(
                generator(seed, claim_id, "special"), budget.combinations, cost, share=AGAIN
            ),
        }

    @functools.cached_property
    def lists_all(self) -> bool:
        """Whether the phase "batched" yields all instances of all sizes."""
        return self.domain.are_all_listed(self._batched, self.cost)

    def phase(self, name: str) -> Iterable[Batch]:
        """The batches of one of the phases, always the same ones; drawn when asked for."""
        if name in self._streamed:
            return self._drawn(name)
        if name not in self._kept:
            self._kept[name] = list(self._drawn(name))
        return self._kept[name]

    def _drawn(self, name: str) -> Iterator[Batch]:
        samples = self._sources[name]()
        for place, sample in enumerate(_pieces(samples) if name in self._streamed else samples):
            batch = prepare(self.domain, sample)
            if place == self._counted[name]:  # another pass over what is not kept counts nothing twice
                self._counted[name] += 1
                self._count(sample, batch)
            if batch is not None:
                yield batch

    def _count(self, sample: Sample, batch: Batch | None) -> None:
        count = batch_length(sample)
        self.drawn += count
        evaluable = 0 if batch is None else batch_length(batch.sample)
        if evaluable < count:
            self.broken["cannot be evaluated"] += count - evaluable
        if batch is not None:
            for name, holds in batch.validity.items():
                self.broken[name] += int(evaluable - holds.sum())


def _pieces(samples: Iterable[Sample]) -> Iterator[Sample]:
    for sample in samples:
        for start in range(0, batch_length(sample), PIECE):
            yield sample[np.arange(start, min(start + PIECE, batch_length(sample)))]


def samples_of(claim: Claim, budget: Budget, seed: int) -> SampleCache:
    """The instances drawn for `claim`."""
    examples = samples_by_hand(claim.domain, claim.examples, f"{claim.id}: ")
    return SampleCache(claim.id, claim.domain, budget.divided(claim.least_cost), seed, claim.cost_at, examples)
