"""The search itself: draws, ties, populations and ascents, and what each of them found."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from verify.arithmetic import Array
from verify.checker.search.ascent import ascend
from verify.checker.search.batch import (
    Batch,
    Candidate,
    Parts,
    evaluate,
    judged,
    judged_alone,
    prepare,
    pursuits,
    slack_and_verdict,
)
from verify.checker.search.decide import Decision, Refutation, confirm, decide_sample, decide_together, verdict_of
from verify.checker.search.pool import Budget, Pool
from verify.checker.search.population import SIZE, evolve
from verify.checker.slips import check_parameters
from verify.claim import Statement
from verify.domain import Domain, Price, Sample
from verify.relation import LOUD, Relation, Verdict

T = TypeVar("T")

CONFIRMATIONS = 16
"""Float candidates of one tier that are taken to the rationals: the worst of each combination of sizes, and some more."""


SLACK_EDGES = 10.0 ** np.arange(-15, 1)
"""Where one class of relative slacks ends and the next begins."""
CLASSES = 2 + len(SLACK_EDGES) + 1
"""Those that fail in floats, those that floats leave open, and the others by powers of ten."""


def slack_classes(slack: Array, verdict: Array) -> npt.NDArray[np.intp]:
    """How many instances fail in floats, how many are open there, and how many hold, by the power of ten of the slack."""
    holds = 2 + np.digitize(slack, SLACK_EDGES)
    classes = np.where(verdict == Verdict.HOLDS, holds, np.where(verdict == Verdict.FAILS, 0, 1))
    return np.bincount(classes, minlength=CLASSES)


@dataclass
class Attack:
    """What a search found.

    Attributes
    ----------
    refutation
        An instance on rationals at which the statement certainly fails, or None.
    by
        The tier that found it: "structured", "batched", "sizes", "equal", "special", "exact" (what floats do not decide),
        "population" or "ascent".
    evaluations, valid
        Instances evaluated, and how many drawn instances satisfied the hypotheses.
    in_floats
        Valid drawn instances that floats decide beyond their error.
    exactly
        How many instances were taken to the rationals and have each verdict.
    not_a_number
        Valid drawn instances at which a side is NaN in floats.
    not_a_number_of
        The same for each combination of sizes.
    nowhere
        Instances at which a side is no number in the exact arithmetic either.
    met
        The smallest relative slack that is known, as far as it is (see `Relation.known_slack`), in floats without regard to the
        error, and where it was met.
    failing
        The same of what fails in floats, beyond its error.
    unconfirmed
        Candidates that fail in float64 and that the rationals neither confirm nor refute.
    unexamined
        Instances that fail in float64 and were not taken to the rationals, because there are too many.
    settled
        Instances that rationals decided, with their relations: for a comparison with what floats say there.
    without_exact
        For each combination of sizes, how many instances were taken to the rationals and have no exact evaluation.
    unknown_domain
        Instances of which rationals do not decide whether they satisfy the hypotheses.
    unknown_inside
        Instances of which a comparison inside the statement is not decided.
    names, bounds
        Names of the comparisons that were met, and of the inequalities among them.
    open
        For each batch, instances that floats do not decide, the nearest to failing first.
    alarms
        Instances that fail in floats and are not among the worst, which are confirmed one by one.
    loud
        Instances that seem to fail by far, and that floats leave open because a small move changes the answer as much.
    worst_of
        For each batch, its smallest slack, its worst instances, for a population to begin with, and the comparisons it pursues.
    all_equalities
        Whether the statement consists of equalities only.
    slacks
        How many valid drawn instances have which relative slack, in the classes of `slack_classes`.
    """

    refutation: Refutation | None = None
    by: str | None = None
    evaluations: int = 0
    valid: int = 0
    in_floats: int = 0
    exactly: Counter[int] = field(default_factory=Counter)
    not_a_number: int = 0
    not_a_number_of: Counter[tuple[int, ...]] = field(default_factory=Counter)
    nowhere: list[Sample] = field(default_factory=list)
    settled: list[tuple[Sample, Relation]] = field(default_factory=list)
    met: tuple[float, float, Sample | None] = (np.inf, np.inf, None)
    failing: tuple[float, Sample | None] = (np.inf, None)
    unconfirmed: list[Candidate] = field(default_factory=list)
    unexamined: int = 0
    without_exact: Counter[tuple[int, ...]] = field(default_factory=Counter)
    unknown_domain: int = 0
    unknown_inside: int = 0
    names: set[str] = field(default_factory=set)
    bounds: set[str] = field(default_factory=set)
    all_equalities: bool = False
    open: list[list[Sample]] = field(default_factory=list)
    alarms: list[Sample] = field(default_factory=list)
    loud: list[Sample] = field(default_factory=list)
    worst_of: list[tuple[float, Sample, Parts]] = field(default_factory=list)
    slacks: npt.NDArray[np.intp] = field(default_factory=lambda: np.zeros(CLASSES, dtype=np.intp))

    @property
    def relative_slack(self) -> float:
        """The smallest that was met: of a failure in floats that is not explained, else as far as it is known."""
        return self.failing[0] if self._unexplained else self.met[0]

    @property
    def worst(self) -> Sample | None:
        """The instance at which it was met."""
        return self.failing[1] if self._unexplained else self.met[2]

    @property
    def _unexplained(self) -> bool:
        return self.failing[1] is not None and bool(self.unconfirmed or self.unexamined > 0 or self.refutation is not None)

    def meet(self, known: float, slack: float, sample: Sample) -> None:
        """Note an instance that holds or is open, if it is the nearest to failing so far; of those that attain, one where the
        sides do not vanish.
        """
        if (known, slack < -LOUD, slack) < (self.met[0], self.met[1] < -LOUD, self.met[1]):
            self.met = known, slack, sample

    def join(self, other: Attack) -> None:
        """Take over what a search among other instances found."""
        self.refutation, self.by = other.refutation, other.by
        for name in ("evaluations", "valid", "in_floats", "not_a_number", "unexamined", "unknown_domain", "unknown_inside"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.exactly += other.exactly
        self.not_a_number_of += other.not_a_number_of
        self.without_exact += other.without_exact
        self.nowhere += other.nowhere
        self.settled += other.settled
        self.unconfirmed += other.unconfirmed
        self.names |= other.names
        self.bounds |= other.bounds
        self.slacks = self.slacks + other.slacks
        if other.failing[0] < self.failing[0]:
            self.failing = other.failing
        known, slack, sample = other.met
        if sample is not None:
            self.meet(known, slack, sample)
        if other.refutation is not None:
            _refuted(self, other.refutation, other.by or "")

    @property
    def lost(self) -> int:
        """Valid drawn instances at which a side is NaN in floats, of sizes without an exact evaluation that would say more."""
        return sum(count for sizes, count in self.not_a_number_of.items() if self.without_exact[sizes])

    def floats_only(self, sample: Sample) -> bool:
        """Whether enough instances of these sizes showed that there is no exact evaluation; of other sizes there may be one."""
        return self.without_exact[_sizes_of(sample)] >= WITHOUT_EXACT


DRAWN = ("structured", "batched", "sizes", "equal", "special")
"""The tiers that draw instances: large batches of a dozen combinations of sizes, a few instances of the others, arrays of
equal numbers, and matrices of low rank and arrays of other magnitudes."""
LARGE, SMALL = DRAWN[:2], DRAWN[2:]
"""Those with large batches, and those with many small ones."""
ALARMS_OF_A_BATCH = 200
"""Instances of one batch that fail in floats and that are kept for a decision on rationals, beside the worst."""
OPEN_OF_A_BATCH = 24
"""Instances of one batch, those nearest to failing, that are kept for a decision on rationals."""
LOUD_OF_A_BATCH = 20
"""Loud instances of one batch, the loudest first, that are taken to the rationals."""
LOUD_DECIDED = 4
"""Loud instances that are decided, for each instance that is decided anyway: spread over all batches."""
WITHOUT_EXACT = 4
"""Instances of a combination of sizes that have no exact evaluation, after which no other one of these sizes is taken there."""


def _candidates(
    statement: Statement,
    domain: Domain,
    batches: Iterable[Batch],
    without: str | None,
    found: Attack,
    rng: np.random.Generator,
    *,
    thorough: bool,
) -> Iterator[list[Candidate]]:
    """For each batch that can be evaluated, its few worst instances."""
    for batch in batches:
        indices = batch.chosen(without)
        found.valid += len(indices)
        evaluated = judged(statement, domain, batch, indices, rng, thorough=thorough)
        if evaluated is None:
            if len(indices):
                found.open.append([batch.sample[int(index)] for index in indices[:OPEN_OF_A_BATCH]])
            continue
        relation, decidable = evaluated
        left_out = indices[:0] if len(decidable) == len(indices) else np.setdiff1d(indices, decidable)
        indices = decidable
        found.evaluations += len(indices)
        found.names.update(relation.names)
        found.bounds.update(name for name, one in zip(relation.names, relation.comparisons, strict=True) if one.sense != "eq")
        if relation.is_empty:
            continue
        found.all_equalities = all(comparison.sense == "eq" for comparison in relation.comparisons)
        slack, verdict = relation.relative_slack, relation.verdict
        number, trivial = relation.is_number(), relation.is_trivial()
        verdict = np.where(number, verdict, Verdict.UNDECIDED)
        found.in_floats += int((verdict == Verdict.HOLDS).sum())
        found.slacks += slack_classes(slack, verdict)
        found.not_a_number += int((~number).sum())
        found.not_a_number_of[_sizes_of(batch.sample)] += int((~number).sum())
        found.unexamined += int((verdict == Verdict.FAILS).sum())
        _meet_lowest(relation, verdict, number, batch.sample, indices, found)
        loud = number & (verdict == Verdict.UNDECIDED) & (slack < -LOUD)
        if loud.any():
            loudest = np.flatnonzero(loud)[np.argsort(slack[loud], kind="stable")][:LOUD_OF_A_BATCH]
            found.loud += [batch.sample[int(index)] for index in indices[loudest]]
        aims = [(parts, *slack_and_verdict(relation, parts)) for parts in pursuits(relation)]
        fails, nearest = verdict == Verdict.FAILS, np.min([aim for _, aim, _ in aims], axis=0)
        nearest = np.where(fails, slack, nearest)
        found.open.append(_nearest_to_failing(batch.sample, indices, nearest, verdict, number, left_out))
        # the few worst of each combination of sizes: one bad size must not crowd out the others
        worst = np.flatnonzero(fails)[np.argsort(slack[fails], kind="stable")][:3]
        alarms = np.setdiff1d(np.flatnonzero(fails), worst)[:ALARMS_OF_A_BATCH]
        found.alarms += [batch.sample[int(index)] for index in indices[alarms]]
        kept = [Candidate(batch.sample[int(indices[place])], float(slack[place]), int(verdict[place])) for place in worst]
        for parts, aim, answer in aims:
            # nor must ties, which are mostly zero against zero, crowd out the instances at which a search gets somewhere
            tie = answer == Verdict.UNDECIDED
            ranked = np.lexsort((np.where(fails, slack, aim), tie, ~number))[:SIZE]
            if number[ranked[0]]:
                found.worst_of.append((float(aim[ranked[0]]), batch.sample[indices[ranked]], parts))
            nearest_ones = np.lexsort((aim, tie, fails | ~number))[: 3 - len(worst)].tolist()
            ties = np.flatnonzero(tie & number & ~trivial)
            nearest_ones += ties[np.argsort(aim[ties], kind="stable")[:1]].tolist()
            kept += [
                Candidate(batch.sample[int(indices[place])], float(aim[place]), int(answer[place]), parts)
                for place in dict.fromkeys(nearest_ones)
                if number[place] and not fails[place]
            ]
        yield kept


def _meet_lowest(
    relation: Relation, verdict: Array, number: Array, sample: Sample, indices: npt.NDArray[np.intp], found: Attack
) -> None:
    """Note the instances of a batch with the smallest slacks: of those that fail in floats, and of the others."""
    slack, fails = relation.relative_slack, verdict == Verdict.FAILS
    if fails.any():
        lowest = int(np.argmin(np.where(fails, slack, np.inf)))
        if slack[lowest] < found.failing[0]:
            found.failing = float(slack[lowest]), sample[int(indices[lowest])]
    others = number & ~fails
    if others.any():
        known = np.where(others, relation.known_slack, np.inf)
        lowest = int(np.lexsort((np.where(others, slack, np.inf), slack < -LOUD, known))[0])
        if known[lowest] <= found.met[0]:
            found.meet(float(known[lowest]), float(slack[lowest]), sample[int(indices[lowest])])


def _nearest_to_failing(
    sample: Sample, indices: npt.NDArray[np.intp], slack: Array, verdict: Array, number: Array, left_out: npt.NDArray[np.intp]
) -> list[Sample]:
    """The instances that floats do not decide: those without a number by turns with the others, ties such as 0 = 0 last.

    Among equals, as where all sides overflow, those whose coordinates repeat each other come first.
    """
    undecided = np.flatnonzero(verdict == Verdict.UNDECIDED)
    if not len(undecided) and not len(left_out):
        return []
    # where a side overflows, the slack does not tell which of them is nearest
    trivial = (slack[undecided] == 0) | (np.abs(slack[undecided]) == 1)
    variety = _distinct_sizes(sample[indices[undecided]])
    distance = np.where(trivial, 0.0, np.abs(slack[undecided]))
    order = undecided[np.lexsort((variety, distance, trivial, slack[undecided] >= 0))]
    pairs = itertools.zip_longest(order[~number[order]], order[number[order]])
    order = np.array([place for pair in pairs for place in pair if place is not None], dtype=np.intp)
    # an instance in five is one of the others: ties are also met elsewhere than nearest to failing
    result: dict[tuple[bytes, ...], Sample] = {}
    for index in indices[order].tolist():
        one = sample[index]
        # of small integers many are drawn again
        result.setdefault(tuple(np.asarray(values).tobytes() for values in one.coordinates.values()), one)
        if len(result) == OPEN_OF_A_BATCH:
            break
    return [*result.values(), *(sample[index] for index in left_out[:2].tolist())]


def _distinct_sizes(sample: Sample) -> npt.NDArray[np.intp]:
    """For every instance, how many absolute values its coordinates have."""
    arrays = [np.abs(values) for values in sample.coordinates.values()]
    rows = np.concatenate([array.reshape(len(array), math.prod(array.shape[1:])) for array in arrays], axis=1)
    rows.sort(axis=1)
    return np.asarray((np.diff(rows, axis=1) > 0).sum(axis=1), dtype=np.intp)


def attack(
    statement: Statement,
    pool: Pool,
    budget: Budget,
    rng: np.random.Generator,
    *,
    without: str | None = None,
    thorough: bool = False,
    at_once: bool = False,
    again: int = 0,
) -> Attack:
    """Search for an instance at which `statement` fails, and stop at the first that the rationals confirm.

    With `without`, instances must break the hypothesis of that name and no other. A `thorough` search is for a statement that
    is expected to hold: it measures the rounding of all that fails in floats. One that stops `at_once` is for what is expected
    to be refuted: it does not wait for the worst instance of a tier. The drawing `again`, from 1, has other instances: what is
    drawn is tried, and what is loud or suspect there is decided. Of the tiers with small batches, which cost most, each drawing
    takes one.

    Raises
    ------
    BrokenStatement
        See `evaluate`.
    """
    check_parameters(statement, (*pool.domain.variables, *pool.domain.told), "the statement")
    found = Attack()
    best: list[Candidate] = []
    chosen = (*LARGE, SMALL[again % len(SMALL)]) if again else DRAWN
    for tier in (one for one in chosen if one not in ASIDE):
        drawn = _candidates(statement, pool.domain, pool.tier(tier), without, found, rng, thorough=thorough)
        candidates = _gathered(statement, pool.domain, drawn, without, tier, found, at_once=at_once)
        best = sorted(best + candidates, key=lambda one: one.relative_slack)
        if found.refutation is not None or _confirmed(statement, pool.domain, candidates, without, tier, found):
            return found
    for tier in (one for one in chosen if one in ASIDE):
        if _aside_refuted(tier, statement, pool, rng.spawn(1)[0], without, found, thorough=thorough, at_once=at_once):
            return found
    if _loud_refuted(statement, pool, LOUD_DECIDED * budget.exact, without, found):
        return found
    if thorough and _alarms_refuted(statement, pool, ALARMS * budget.exact, without, found):
        return found
    if again:
        return found
    if _ties_refuted(statement, pool, budget.exact, without, found):
        return found
    if _evolved(statement, pool, best, budget.generations, rng, without, found):
        return found
    hopeless = found.all_equalities and not any(one.verdict == Verdict.FAILS for one in best)
    starts = [] if hopeless else _starts(best, pool.price)
    aims = len({one.parts for one in starts})
    for start in starts[: max(budget.ascents, min(aims, 2 * budget.ascents))]:
        steps = max(5, budget.steps // pool.price(start.sample.sizes))
        climbed, evaluations = ascend(statement, pool.domain, start, steps, rng, without)
        found.evaluations += evaluations
        if climbed is not None and _confirmed(statement, pool.domain, [climbed], without, "ascent", found):
            return found
    if thorough and not found.all_equalities:
        _swept(statement, pool, budget.sweep, rng, without, found)
    return found


SWEEP_STEPS = 20
"""Calls of the objective in an ascent of the sweep."""


def _swept(statement: Statement, pool: Pool, count: int, rng: np.random.Generator, without: str | None, found: Attack) -> None:
    """Short ascents at `count` combinations of sizes: the others begin where a bound is nearly attained, which hides what is
    wrong at some sizes only.
    """
    groups: dict[tuple[tuple[int, ...], Parts], tuple[float, Sample, Parts]] = {}
    for one in found.worst_of:
        key = _sizes_of(one[1]), one[2]
        # of several batches of the same sizes the one whose worst instance is the least special
        if key not in groups or one[0] > groups[key][0]:
            groups[key] = one
    for slack, worst, parts in _new_sizes_first(list(groups.values()))[:count]:
        steps = max(5, SWEEP_STEPS // pool.price(worst.sizes))
        start = Candidate(worst[0], slack, int(Verdict.HOLDS), parts)
        climbed, evaluations = ascend(statement, pool.domain, start, steps, rng, without)
        found.evaluations += evaluations
        if climbed is not None and _confirmed(statement, pool.domain, [climbed], without, "ascent", found):
            return


def _new_sizes_first(groups: list[tuple[float, Sample, Parts]]) -> list[tuple[float, Sample, Parts]]:
    """The groups in an order in which every value of a size, and every pair of values, comes early; large sizes first."""

    def values(one: tuple[float, Sample, Parts]) -> set[tuple[object, ...]]:
        each = sorted(one[1].sizes.items())
        return {(one[2], *pair) for pair in itertools.chain(each, itertools.combinations(each, 2))}

    left = [(values(one), sum(one[1].sizes.values()), one) for one in groups]
    met: set[tuple[object, ...]] = set()
    result = []
    while left:
        place = max(range(len(left)), key=lambda k: (len(left[k][0] - met), left[k][1]))
        of_it, _, one = left.pop(place)
        met |= of_it
        result.append(one)
    return result


TRIED_AT_ONCE = 3
"""Batches of a tier whose worst failing instance is taken to the rationals before the tier is done."""


def _gathered(
    statement: Statement,
    domain: Domain,
    drawn: Iterator[list[Candidate]],
    without: str | None,
    tier: str,
    found: Attack,
    *,
    at_once: bool,
) -> list[Candidate]:
    """The candidates of a tier, the worst first; `at_once`, those up to the first that the rationals confirm."""
    candidates: list[Candidate] = []
    left = TRIED_AT_ONCE if at_once else 0
    for of_batch in drawn:
        candidates += of_batch
        failing = next((one for one in of_batch if one.verdict == Verdict.FAILS), None) if left else None
        if failing is None:
            continue
        left -= 1
        refutation = confirm(statement, domain, failing.sample, without)
        if refutation is not None:
            _refuted(found, refutation, tier)
            break
    return sorted(candidates, key=lambda one: one.relative_slack)


ASIDE = DRAWN[-2:]
"""Tiers at which no ascent begins: one seldom leaves a tie, nor an instance of low rank or of another magnitude."""
QUEUES_ASIDE = 6
"""Combinations of sizes of which instances of these tiers are taken to the rationals where floats leave them open."""


def _aside_refuted(
    tier: str,
    statement: Statement,
    pool: Pool,
    rng: np.random.Generator,
    without: str | None,
    found: Attack,
    *,
    thorough: bool,
    at_once: bool,
) -> bool:
    """Try the instances of one of these tiers."""
    queues, starts = len(found.open), len(found.worst_of)
    drawn = _candidates(statement, pool.domain, pool.tier(tier), without, found, rng, thorough=thorough)
    candidates = _gathered(statement, pool.domain, drawn, without, tier, found, at_once=at_once)
    refuted = found.refutation is not None or _confirmed(statement, pool.domain, candidates, without, tier, found)
    del found.open[queues + QUEUES_ASIDE :], found.worst_of[starts:]
    return refuted


POPULATIONS = 3
"""Combinations of sizes of which a population is evolved: those whose worst instance is nearest to failing."""


def _evolved(
    statement: Statement,
    pool: Pool,
    best: list[Candidate],
    generations: int,
    rng: np.random.Generator,
    without: str | None,
    found: Attack,
) -> bool:
    """Evolve the worst instances; what is best joins the starts of the ascents."""
    if found.all_equalities:
        return False
    groups = sorted(found.worst_of, key=lambda one: (pool.price(one[1].sizes), one[0]))
    aims = len({parts for *_, parts in groups})
    for _, worst, parts in _by_turns(groups, [parts for *_, parts in groups])[: max(POPULATIONS, min(aims, 2 * POPULATIONS))]:
        objective = evolve(statement, pool.domain, worst, generations // pool.price(worst.sizes), rng, without, parts)
        if objective is None:
            continue
        found.evaluations += objective.evaluations
        slack, sample, verdict = objective.best
        if np.isfinite(slack):
            candidate = Candidate(sample, slack, verdict, parts)
            if _confirmed(statement, pool.domain, [candidate], without, "population", found):
                return True
            best.append(candidate)
    best.sort(key=lambda one: one.relative_slack)
    return False


ALARMS = 10
"""Alarms of floats that are decided on rationals, for each instance that is decided anyway."""


def _alarms_refuted(statement: Statement, pool: Pool, count: int, without: str | None, found: Attack) -> bool:
    """Take what fails in floats, and is not among the worst, to the rationals: each is a refutation or a false alarm."""
    for sample in found.alarms[:count]:
        if found.floats_only(sample):
            continue
        before = found.exactly.total()
        if _decided_on_rationals(statement, pool.domain, sample.exact(), without, "exact", found):
            return True
        if found.exactly.total() > before:
            found.unexamined -= _no_violation(statement, pool.domain, sample, found.settled[-1][1])
    return False


def _loud_refuted(statement: Statement, pool: Pool, count: int, without: str | None, found: Attack) -> bool:
    """Take what seems to fail by far, and floats leave open, to the rationals."""
    chosen = found.loud[:: -(-len(found.loud) // count) or 1]
    return any(
        _decided_on_rationals(statement, pool.domain, sample.exact(), without, "exact", found)
        for sample in chosen
        if not found.floats_only(sample)
    )


RARE = 10
"""Where floats decide fewer than one instance in so many, more are taken to the rationals."""


def _ties_refuted(statement: Statement, pool: Pool, count: int, without: str | None, found: Attack) -> bool:
    """Take what floats leave open to the rationals, for every combination of sizes in turn, the nearest to failing first."""
    queues = [queue for queue in found.open if queue]
    # each combination of sizes once at least
    left = max(count if RARE * found.in_floats > found.valid else 4 * count, len(queues))
    return _by_turns_refuted(statement, pool.domain, queues, left, without, "exact", found)


TOGETHER = 4
"""Instances of equal sizes that are decided in one evaluation: they cost as much as 1.5 alone (median of 71 claims)."""


def _by_turns_refuted(
    statement: Statement, domain: Domain, queues: list[list[Sample]], turns: int, without: str | None, by: str, found: Attack
) -> bool:
    """Decide the first instances of each queue on rationals, then the next ones, in so many turns with an exact evaluation.

    A turn is a few instances together; of a queue where that did not tell some of them, one from then on.
    """
    left = [list(queue) for queue in queues]
    alone: set[int] = set(range(len(left))) if without is not None else set()
    while any(left):
        for number, queue in enumerate(left):
            if turns == 0:
                return False
            if not queue or found.floats_only(queue[0]):
                queue.clear()
                continue
            chosen = [one.exact() for one in queue[: 1 if number in alone else TOGETHER]]
            together = decide_together(statement, domain, chosen) if len(chosen) > 1 else [None]
            untold = [place for place, decision in enumerate(together) if decision is None]
            if len(chosen) > 1 and untold:
                alone.add(number)
            refused = found.without_exact.total()
            for place, (sample, decision) in enumerate(zip(chosen, together, strict=True)):
                if place in untold[1:]:
                    continue
                # what is a refutation is decided by itself: nothing of the others is in it
                fails = (
                    decision is not None and decision.relation is not None and verdict_of(decision.relation) == Verdict.FAILS
                )
                if _decided_on_rationals(statement, domain, sample, without, by, found, None if fails else decision):
                    return True
            turns -= found.without_exact.total() == refused
            queue[: len(chosen)] = [queue[place] for place in untold[1:]]
    return False


def _decided_on_rationals(
    statement: Statement,
    domain: Domain,
    sample: Sample,
    without: str | None,
    by: str,
    found: Attack,
    decision: Decision | None = None,
) -> bool:
    """Decide one instance, if it is not yet, count the answer, and say whether it refutes the statement."""
    decision = decision or decide_sample(statement, domain, sample, without)
    found.without_exact[_sizes_of(sample)] += decision.floats_only
    found.unknown_domain += decision.unknown_domain
    found.unknown_inside += decision.unknown_inside
    if decision.nowhere:
        found.nowhere.append(sample)
    if decision.relation is None:
        return False
    verdict = verdict_of(decision.relation)
    found.exactly[int(verdict)] += 1
    found.settled.append((sample, decision.relation))
    if verdict == Verdict.FAILS:
        _refuted(found, Refutation(sample, decision.relation), by)
    else:
        _meet_exact(decision.relation, sample, found)
    return verdict == Verdict.FAILS


def _meet_exact(relation: Relation, sample: Sample, found: Attack) -> None:
    slack = float(np.min(relation.known_slack))
    if slack < found.met[0]:
        found.meet(slack, slack, sample.as_floats())


def _no_violation(statement: Statement, domain: Domain, sample: Sample, exact: Relation) -> bool:
    """Whether rationals or balls exclude what fails in floats: they hold, or leave less open than the violation there.

    Balls that overlap by next to nothing do not decide a tie, nor whether two sides that vanish are equal.
    """
    if verdict_of(exact) == Verdict.HOLDS or exact.tied:
        return True
    batch = prepare(domain, sample[None])
    found = None if batch is None else evaluate(statement, batch, batch.places)
    if found is None or len(found[0].comparisons) != len(exact.comparisons):
        return False
    for one, other in zip(found[0].comparisons, exact.comparisons, strict=True):
        fails = (one.verdicts == Verdict.FAILS).reshape(-1)
        gaps = other.gaps().reshape(-1)
        if fails.any() and (len(fails) != len(gaps) or not (2 * gaps < -one.slack.reshape(-1))[fails].all()):
            return False
    return True


def _refuted(found: Attack, refutation: Refutation, by: str) -> None:
    found.refutation, found.by = refutation, by
    found.unconfirmed.clear()
    found.unexamined = 0


def _starts(best: list[Candidate], price: Price) -> list[Candidate]:
    """Where ascents begin: at the worst instances, and every other time at a tie, which float64 does not decide (often 0 = 0).

    What fails already and was not confirmed gains nothing by failing more; at the cheap sizes an ascent goes far.
    """
    groups: dict[int, list[Candidate]] = {Verdict.HOLDS: [], Verdict.UNDECIDED: [], Verdict.FAILS: []}
    for one in best:
        groups[one.verdict].append(one)
    worst, ties = (
        sorted(_one_of_each_sizes(groups[verdict]), key=lambda one: price(one.sample.sizes))
        for verdict in (Verdict.HOLDS, Verdict.UNDECIDED)
    )
    # the second and every other one of a large combination of sizes: the nearest to failing are often small and attained
    largest = max(map(_total_size, worst), default=0)
    large = [one for one in worst[1:] if 2 * _total_size(one) > largest]
    worst = list(dict.fromkeys(one for pair in itertools.zip_longest(worst, large) for one in pair if one is not None))
    starts = [*worst[:1], *(one for pair in itertools.zip_longest(worst[1:], ties) for one in pair if one is not None)]
    return _by_turns(starts, [one.parts for one in starts])


def _total_size(one: Candidate) -> int:
    return sum(one.sample.sizes.values())


def _by_turns(values: list[T], kinds: list[Parts]) -> list[T]:
    """The same values, one of each kind in turn."""
    groups: dict[Parts, list[T]] = {}
    for value, kind in zip(values, kinds, strict=True):
        groups.setdefault(kind, []).append(value)
    return [one for turn in itertools.zip_longest(*groups.values()) for one in turn if one is not None]


def _sizes_of(sample: Sample) -> tuple[int, ...]:
    return tuple(sample.sizes.values())


def _one_of_each_sizes(best: list[Candidate]) -> list[Candidate]:
    """The same instances, the worst of each combination of sizes first."""
    seen: set[tuple[tuple[int, ...], Parts]] = set()
    first: list[Candidate] = []
    rest: list[Candidate] = []
    for candidate in best:
        kind = _sizes_of(candidate.sample), candidate.parts
        (rest if kind in seen else first).append(candidate)
        seen.add(kind)
    return first + rest


def _confirmed(
    statement: Statement, domain: Domain, candidates: list[Candidate], without: str | None, tier: str, found: Attack
) -> bool:
    if tier not in DRAWN:  # of what is drawn the smallest slack is known
        _meet_candidates(statement, domain, candidates, found)
    failing = _one_of_each_sizes([one for one in candidates if one.verdict == Verdict.FAILS])
    if tier in DRAWN:
        found.alarms += [one.sample for one in failing[CONFIRMATIONS:]]
    for candidate in failing[:CONFIRMATIONS]:
        found.unexamined -= tier in DRAWN
        refutation = confirm(statement, domain, candidate.sample, without)
        if refutation is not None:
            _refuted(found, refutation, tier)
            return True
        decided = decide_sample(statement, domain, candidate.sample.exact(), without)
        found.without_exact[_sizes_of(candidate.sample)] += decided.floats_only
        if decided.nowhere:
            found.nowhere.append(candidate.sample)
        if decided.outside and candidate.relative_slack > -LOUD:
            continue  # on the edge of a hypothesis floats err by as much
        if decided.relation is None or not _no_violation(statement, domain, candidate.sample, decided.relation):
            found.unconfirmed.append(candidate)
        else:
            found.exactly[int(verdict_of(decided.relation))] += 1
            _meet_exact(decided.relation, candidate.sample, found)
    undecided = [one for one in candidates if one.verdict == Verdict.UNDECIDED] if tier in ("population", "ascent") else []
    # an ascent that ends at a tie may have found one that rationals decide
    return any(_decided_on_rationals(statement, domain, one.sample.exact(), without, tier, found) for one in undecided)


def _meet_candidates(statement: Statement, domain: Domain, candidates: list[Candidate], found: Attack) -> None:
    """Note what an ascent or a population has come to, whose objective knows no rounding."""
    for one in candidates:
        if one.verdict == Verdict.FAILS:
            if one.relative_slack < found.failing[0]:
                found.failing = one.relative_slack, one.sample
        elif found.met[0] > 0 and (one.relative_slack < found.met[0] or found.met[2] is None):
            relation = judged_alone(statement, domain, one.sample)
            if relation is not None and relation.is_number().all():
                found.meet(float(relation.known_slack[0]), one.relative_slack, one.sample)


def some_decided(tier: str, statement: Statement, pool: Pool, count: int, found: Attack) -> bool:
    """Decide some instances of a tier on rationals, in `count` turns, whatever floats say of them; whether one fails."""
    most = count * TOGETHER
    queues = [[batch.sample[int(index)] for index in batch.chosen(None)[:most]] for batch in pool.tier(tier)]
    return _by_turns_refuted(statement, pool.domain, queues, count, None, tier, found)
