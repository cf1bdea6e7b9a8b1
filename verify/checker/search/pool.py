"""The instances of a search: how many, drawn once for a statement and for all that is checked beside it.

The structured instances are drawn by NumPy from the set that `Domain.strategy` describes. Hypothesis itself is not used
here: it mixes constants of the modules loaded so far into what it draws, so that its draws for one seed differ from worker
to worker, while a campaign must give the same evidence on any number of them.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from verify.checker.search.batch import Batch, batch_length, prepare
from verify.claim import Claim
from verify.domain import Domain, Price, Sample, equal_price


@dataclass(frozen=True)
class Budget:
    """How hard a statement is tried, in evaluations (never in seconds).

    Attributes
    ----------
    structured, batched
        Instances drawn by the first two tiers.
    combinations
        Combinations of sizes, beside the dozen of the first two tiers, of which a few instances are drawn; and combinations of
        which instances with equal entries, of low rank and of other magnitudes are.
    generations
        Generations of each population of the third tier, which begin with the worst instances of a combination of sizes.
    ascents
        Starts of the fourth tier: the worst valid instances so far.
    steps
        Calls of the objective in one ascent, each of which evaluates all neighbours of a point for the gradient.
    sweep
        Combinations of sizes at which a short ascent begins, whatever the slack is there; none where evaluations are dear.
    exact
        Turns of decisions on rationals, each of a few instances of one combination of sizes.
    """

    structured: int
    batched: int
    combinations: int
    generations: int
    ascents: int
    steps: int
    sweep: int
    exact: int

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
        )

    def persistent(self) -> Budget:
        """The budget for what should be refuted: ascents end with the first that succeeds, so that more of them cost little."""
        return replace(self, ascents=8 * self.ascents)


BUDGETS: Mapping[str, Budget] = {
    "quick": Budget(structured=400, batched=2_000, combinations=120, generations=20, ascents=4, steps=60, sweep=8, exact=10),
    "standard": Budget(
        structured=4_000, batched=40_000, combinations=600, generations=60, ascents=8, steps=200, sweep=48, exact=40
    ),
    "deep": Budget(
        structured=40_000, batched=1_000_000, combinations=5_000, generations=300, ascents=40, steps=1000, sweep=200, exact=200
    ),
}
"""The budgets of ``verify run --budget``, by name."""


KEPT = 200_000
"""Tiers of more instances are drawn again each time they are asked for, and not kept."""
PIECE = 10_000
"""Most instances of a batch that is not kept: what is computed of it on the way takes room, too."""


def generator(seed: int, claim_id: str, purpose: str) -> np.random.Generator:
    """Random numbers for one purpose of one claim: the same for the same seed, whatever else runs."""
    return np.random.default_rng([seed, zlib.crc32(claim_id.encode()), zlib.crc32(purpose.encode())])


class Pool:
    """The instances drawn for one claim, shared by its statement and all that is checked beside it.

    Attributes
    ----------
    broken
        How many drawn instances broke each hypothesis, and, under "cannot be evaluated", how many float64 cannot decide.
    """

    def __init__(self, claim_id: str, domain: Domain, budget: Budget, seed: int, price: Price = equal_price) -> None:
        self.domain, self.price = domain, price
        self.broken: Counter[str] = Counter(dict.fromkeys(domain.hypotheses, 0))
        self.drawn = 0
        self._tiers: dict[str, list[Batch]] = {}
        self._streamed = {"batched"} if budget.batched > KEPT else set()
        self._counted: Counter[str] = Counter()
        self._sources = {
            "structured": lambda: domain.structured(generator(seed, claim_id, "structured"), budget.structured, price),
            "batched": lambda: domain.batched(generator(seed, claim_id, "batched"), budget.batched, price),
            "sizes": lambda: domain.of_all_sizes(generator(seed, claim_id, "sizes"), budget.combinations, price),
            "equal": lambda: domain.of_equal_numbers(generator(seed, claim_id, "equal"), budget.combinations, price),
            "special": lambda: domain.of_special_forms(generator(seed, claim_id, "special"), budget.combinations // 2, price),
        }

    def tier(self, name: str) -> Iterable[Batch]:
        """The batches of one of the tiers, always the same ones; drawn when asked for."""
        if name in self._streamed:
            return self._drawn(name)
        if name not in self._tiers:
            self._tiers[name] = list(self._drawn(name))
        return self._tiers[name]

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
        left = 0 if batch is None else batch_length(batch.sample)
        if left < count:
            self.broken["cannot be evaluated"] += count - left
        if batch is not None:
            for name, holds in batch.validity.items():
                self.broken[name] += int(left - holds.sum())


def _pieces(samples: Iterable[Sample]) -> Iterator[Sample]:
    for sample in samples:
        for start in range(0, batch_length(sample), PIECE):
            yield sample[np.arange(start, min(start + PIECE, batch_length(sample)))]


def pool_of(claim: Claim, budget: Budget, seed: int) -> Pool:
    """The instances drawn for `claim`."""
    return Pool(claim.id, claim.domain, budget.divided(claim.least_cost), seed, claim.price)
