"""Draws: instances of one kind, judged in batches; the worst of what fails in floats is confirmed, the rest left for later."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from verify.claims.domain import Sample
from verify.numbers.arithmetic import Array
from verify.numbers.relation import SUSPECT, Relation, Verdict
from verify.search.batch import Batch, Candidate, Comparisons, judged, objectives, slack_and_verdict
from verify.search.decide import confirm
from verify.search.findings import Findings, sizes_of, slack_classes
from verify.search.population import SIZE
from verify.search.rationals import confirm_drawn
from verify.search.samples import Budget
from verify.search.state import Search

FAILS, UNDECIDED, HOLDS = map(int, (Verdict.FAILS, Verdict.UNDECIDED, Verdict.HOLDS))
"""As plain integers: a member of an enumeration is looked up and wrapped at every comparison with an array."""

WORST_OF_A_BATCH = 3
"""Instances of one batch that are candidates for a refutation or an ascent: one bad size must not crowd out the others. Of
the false variants of `docs/benchmarks.md` none needs more than one, and none is lost with six."""
FLOAT_COUNTEREXAMPLES_OF_A_BATCH = 200
"""Instances of one batch that fail in floats and are kept for a decision on rationals, beside the worst. A tenth and ten
times as many refute the same (`docs/benchmarks.md`)."""
UNDECIDED_OF_A_BATCH = 24
"""Instances of one batch, those nearest to failing, that are kept for a decision on rationals. Half and twice as many refute
the same (`docs/benchmarks.md`)."""
SUSPECTS_OF_A_BATCH = 20
"""Suspects of one batch, the worst first, that are kept for a decision on rationals. Half and twice as many refute the same
(`docs/benchmarks.md`)."""
TRIED_AT_ONCE = 3
"""Batches of which the worst failing instance is confirmed before the phase is done, in a search that stops at once."""
QUEUES_ASIDE = 12
"""Batches of a draw whose undecided instances are kept of those, too, at which no ascent begins."""


@dataclass(frozen=True)
class Draw:
    """Draw instances, as `size` says of a budget.

    Ascents begin everywhere, at the ordinary instances, the first of each batch, or nowhere: one seldom leaves a tie or a low
    rank. `drawn` names what the cache has for it, where that is not the name.
    """

    name: str
    does: str
    size: Callable[[Budget], str]
    starts: Literal["everywhere", "ordinary", "nowhere"] = "everywhere"
    drawn: str = ""

    def amount(self, budget: Budget) -> str:
        """Instances."""
        return self.size(budget)

    def run(self, search: Search) -> None:
        """Judge all batches, and confirm the worst of what fails."""
        starts = {"everywhere": None, "ordinary": search.domain.ordinary, "nowhere": 0}[self.starts]
        drawn = (
            _candidates(search, batch, starts, aside=starts is not None and place < QUEUES_ASIDE)
            for place, batch in enumerate(self._batches(search))
        )
        candidates = self._gathered(search, drawn)
        search.add_candidates(candidates)
        if not search.is_refuted:
            confirm_drawn(search, candidates, self.name)

    def _batches(self, search: Search) -> Iterable[Batch]:
        return search.cache.phase(self.drawn or self.name)

    def _gathered(self, search: Search, drawn: Iterator[list[Candidate]]) -> list[Candidate]:
        """The candidates, the worst first; in a search that stops at once, those up to the first that rationals confirm."""
        candidates: list[Candidate] = []
        tries = TRIED_AT_ONCE if search.at_once else 0
        for of_batch in drawn:
            candidates += of_batch
            failing = next((candidate for candidate in of_batch if candidate.verdict == Verdict.FAILS), None) if tries else None
            if failing is None:
                continue
            tries -= 1
            refutation = confirm(search.statement, search.domain, failing.sample, search.without)
            if refutation is not None:
                search.findings.refuted(refutation, self.name)
                break
        return sorted(candidates, key=lambda candidate: candidate.relative_slack)


@dataclass(frozen=True, eq=False)
class _Judged:
    """A batch as floats see it: one entry for each instance; `indices` are their places in the batch."""

    sample: Sample
    indices: npt.NDArray[np.intp]
    slack: Array
    verdict: Array
    number: Array

    @functools.cached_property
    def fails(self) -> Array:
        return np.asarray(self.verdict == FAILS)

    @functools.cached_property
    def undecided(self) -> Array:
        return np.asarray(self.verdict == UNDECIDED)

    def instance(self, place: int) -> Sample:
        return self.sample[int(self.indices[place])]

    def instances(self, places: npt.NDArray[np.intp]) -> list[Sample]:
        return [self.instance(place) for place in places.tolist()]


def _candidates(search: Search, batch: Batch, starts: int | None, *, aside: bool) -> list[Candidate]:
    """The few worst instances of a batch; what is counted of it, and what is left to later phases, is noted.

    Ascents and populations begin at the first `starts` instances of those that were drawn, or at all. What floats leave open of
    the others is kept if they are kept `aside`, or if it is the first that is.
    """
    findings, pending = search.findings, search.pending
    aside = aside or not (findings.in_floats or any(pending.undecided))
    feasible = batch.chosen(search.without)
    findings.feasible += len(feasible)
    evaluated = judged(search.statement, search.domain, batch, feasible, search.rng, thorough=search.thorough)
    if evaluated is None:
        if len(feasible) and (starts != 0 or aside):
            pending.undecided.append([batch.sample[int(index)] for index in feasible[:UNDECIDED_OF_A_BATCH]])
        return []
    relation, decidable = evaluated
    left_out = feasible[:0] if len(decidable) == len(feasible) else np.setdiff1d(feasible, decidable)
    _count_comparisons(findings, relation, len(decidable))
    if relation.is_empty:
        return []
    number = relation.is_number()
    verdict = relation.verdict if number.all() else np.where(number, relation.verdict, UNDECIDED)
    judgement = _Judged(batch.sample, decidable, relation.relative_slack, verdict, number)
    _count_verdicts(findings, judgement, relation)
    pending.suspects += judgement.instances(_suspects(judgement))
    may_start = np.ones(len(decidable), dtype=bool) if starts is None else batch.origin[decidable] < starts
    free = np.flatnonzero(may_start)
    aims = [(comparisons, *slack_and_verdict(relation, comparisons)) for comparisons in objectives(relation, may_start)]
    if judgement.undecided.any() or len(left_out):
        nearest = np.where(judgement.fails, judgement.slack, np.min([aim for _, aim, _ in aims], axis=0))
        if starts != 0:
            pending.undecided.append(_nearest_to_failing(judgement, nearest, left_out, free))
        if aside:
            others = np.flatnonzero(~may_start)
            pending.undecided.append(_nearest_to_failing(judgement, nearest, left_out[:0] if starts else left_out, others))
    kept = []
    failing = np.flatnonzero(judgement.fails)
    if len(failing):
        failing = failing[np.argsort(judgement.slack[failing], kind="stable")]
        worst, rest = failing[:WORST_OF_A_BATCH], np.sort(failing[WORST_OF_A_BATCH:])
        pending.float_counterexamples += judgement.instances(rest[:FLOAT_COUNTEREXAMPLES_OF_A_BATCH])
        kept = [
            Candidate(judgement.instance(place), float(judgement.slack[place]), int(verdict[place])) for place in worst.tolist()
        ]
    if not len(free):
        return kept
    telling = ~relation.is_trivial() if judgement.undecided.any() else None
    places = WORST_OF_A_BATCH - len(kept)
    for comparisons, aim, answer in aims:
        _keep_population(search, judgement, comparisons, aim, answer, free)
        kept += [
            Candidate(judgement.instance(place), float(aim[place]), int(answer[place]), comparisons)
            for place in _nearest_to_an_aim(judgement, aim, answer, telling, places, free)
        ]
    return kept


def _count_comparisons(findings: Findings, relation: Relation, evaluations: int) -> None:
    findings.evaluations += evaluations
    senses = [comparison.sense for comparison in relation.comparisons]
    findings.names.update(relation.names)
    findings.bounds.update(name for name, sense in zip(relation.names, senses, strict=True) if sense != "eq")
    if not relation.is_empty:
        findings.all_equalities = all(sense == "eq" for sense in senses)


def _count_verdicts(findings: Findings, judgement: _Judged, relation: Relation) -> None:
    """How floats decide the instances of a batch, and those with the smallest slacks: of what fails, and of the others."""
    findings.in_floats += int((judgement.verdict == HOLDS).sum())
    findings.slacks += slack_classes(judgement.slack, judgement.verdict)
    failing = int(judgement.fails.sum())
    numbers = int(judgement.number.sum())
    if numbers < len(judgement.number):
        findings.not_a_number += len(judgement.number) - numbers
        findings.not_a_number_of[sizes_of(judgement.sample)] += len(judgement.number) - numbers
    if failing:
        findings.unexamined += failing
        lowest = int(np.argmin(np.where(judgement.fails, judgement.slack, np.inf)))
        findings.meet_failing(float(judgement.slack[lowest]), judgement.instance(lowest))
    others = judgement.number & ~judgement.fails
    if not others.any():
        return
    least = np.where(others, judgement.slack, np.inf)
    if float(least.min()) > findings.met[0] and not judgement.undecided.any():
        return  # of what holds beyond its error, the slack is known
    known = np.where(others, relation.known_slack, np.inf)
    vanish = (known == 0) & relation.is_trivial(of_bounds=False)
    if vanish.any():
        findings.meet(0.0, 0.0, judgement.instance(int(np.argmax(vanish))), vanishes=True)
        known = np.where(vanish, np.inf, known)
    lowest = int(np.lexsort((least, judgement.slack < -SUSPECT, known))[0])
    if known[lowest] <= findings.met[0]:
        findings.meet(float(known[lowest]), float(judgement.slack[lowest]), judgement.instance(lowest))


def _suspects(judgement: _Judged) -> npt.NDArray[np.intp]:
    suspect = np.flatnonzero(judgement.number & judgement.undecided & (judgement.slack < -SUSPECT))
    if not len(suspect):
        return suspect
    return suspect[np.argsort(judgement.slack[suspect], kind="stable")][:SUSPECTS_OF_A_BATCH]


def _keep_population(
    search: Search, judgement: _Judged, comparisons: Comparisons, aim: Array, answer: Array, free: npt.NDArray[np.intp]
) -> None:
    """The worst instances for one objective; ties, mostly zero against zero, last: a search gets nowhere from them."""
    slack = np.where(judgement.fails, judgement.slack, aim)
    ranked = free[np.lexsort((slack[free], answer[free] == UNDECIDED, ~judgement.number[free]))[:SIZE]]
    if judgement.number[ranked[0]]:
        search.pending.worst.append((float(aim[ranked[0]]), judgement.sample[judgement.indices[ranked]], comparisons))


def _nearest_to_an_aim(
    judgement: _Judged, aim: Array, answer: Array, telling: Array | None, count: int, free: npt.NDArray[np.intp]
) -> list[int]:
    """Places of the instances with the smallest slack of one objective, and of one tie that is not trivial."""
    tie = answer == UNDECIDED
    unfit = judgement.fails | ~judgement.number
    nearest = free[np.lexsort((aim[free], tie[free], unfit[free]))[:count]].tolist()
    if telling is not None:
        ties = free[(tie & judgement.number & telling)[free]]
        nearest += ties[np.argsort(aim[ties], kind="stable")[:1]].tolist()
    return [place for place in dict.fromkeys(nearest) if not unfit[place]]


def _nearest_to_failing(
    judgement: _Judged, slack: Array, left_out: npt.NDArray[np.intp], places: npt.NDArray[np.intp]
) -> list[Sample]:
    """The instances among `places` that floats do not decide: those without a number by turns with the others, ties such as
    0 = 0 last.

    Among equals, as where all sides overflow, those whose coordinates repeat each other come first.
    """
    undecided = places[judgement.undecided[places]]
    chosen: list[int] = []
    if len(undecided):
        # where a side overflows, the slack does not tell which of them is nearest
        near, trivial = slack[undecided], (slack[undecided] == 0) | (np.abs(slack[undecided]) == 1)
        rows = _rows(judgement.sample, judgement.indices[undecided])
        distance = np.where(trivial, 0.0, np.abs(near))
        order = np.lexsort((_distinct_sizes(rows), distance, trivial, near >= 0))
        number = judgement.number[undecided[order]]
        pairs = itertools.zip_longest(order[~number].tolist(), order[number].tolist())
        met: dict[bytes, int] = {}
        for place in (place for pair in pairs for place in pair if place is not None):
            # of small integers many are drawn again
            met.setdefault(rows[place].tobytes(), place)
            if len(met) == UNDECIDED_OF_A_BATCH:
                break
        chosen = [int(undecided[place]) for place in met.values()]
    return [*map(judgement.instance, chosen), *(judgement.sample[index] for index in left_out[:2].tolist())]


def _rows(sample: Sample, indices: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """The coordinates of each of these instances, in a row."""
    arrays = (values[indices] for values in sample.coordinates.values())
    return np.concatenate([array.reshape(len(array), math.prod(array.shape[1:])) for array in arrays], axis=1)


def _distinct_sizes(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """For every row, how many absolute values its entries have."""
    ordered = np.sort(np.abs(rows), axis=1)
    return np.asarray((np.diff(ordered, axis=1) > 0).sum(axis=1), dtype=np.intp)
