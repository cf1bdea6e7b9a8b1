"""What floats suggest or leave open is decided on rationals: one instance, several in turn, or a candidate for a refutation."""

from __future__ import annotations

import numpy as np

from verify.claims.domain import Sample
from verify.numbers.relation import SUSPECT, Relation, Verdict
from verify.search.batch import Candidate, evaluate, judged_alone, prepare
from verify.search.decide import Decision, Refutation, confirm, decide_sample, decide_together, verdict_of
from verify.search.findings import sizes_of
from verify.search.state import Search

CONFIRMATIONS = 16
"""Float candidates of one phase that are confirmed: the worst of each combination of sizes, and some more. Half and twice as
many refute the same (`docs/benchmarks.md`)."""
TOGETHER = 4
"""Instances of equal sizes that are decided in one evaluation: they cost as much as 1.5 alone (median of 71 claims)."""


def decide_one(search: Search, sample: Sample, by: str, decision: Decision | None = None) -> bool:
    """Decide one exact instance, if it is not yet, count the answer, and say whether it refutes the statement."""
    findings = search.findings
    decision = decision or decide_sample(search.statement, search.domain, sample, search.without)
    findings.without_exact[sizes_of(sample)] += decision.floats_only
    findings.unknown_domain += decision.unknown_domain
    findings.unknown_inside += decision.unknown_inside
    if decision.nowhere:
        findings.nowhere.append(sample)
    if decision.relation is None:
        return False
    verdict = verdict_of(decision.relation)
    findings.exactly[int(verdict)] += 1
    findings.settled.append((sample, decision.relation))
    if verdict == Verdict.FAILS:
        findings.refuted(Refutation(sample, decision.relation), by)
    else:
        _meet_exact(search, decision.relation, sample)
    return verdict == Verdict.FAILS


def decide_by_turns(search: Search, queues: list[list[Sample]], turns: int, by: str) -> None:
    """Decide the first instances of each queue, then the next ones, until one refutes or the turns are over.

    A turn is an evaluation of a few instances together; of a queue where that did not tell some of them, of one from then on.
    What has no exact evaluation takes no turn.
    """
    findings, queues = search.findings, [list(queue) for queue in queues]
    alone: set[int] = set(range(len(queues))) if search.without is not None else set()
    while any(queues):
        for number, queue in enumerate(queues):
            if turns == 0:
                return
            if not queue or findings.has_floats_only(queue[0]):
                queue.clear()
                continue
            refused = findings.without_exact.total()
            if _decide_first(search, queue, by, alone=number in alone):
                alone.add(number)
            if search.is_refuted:
                return
            turns -= findings.without_exact.total() == refused


def _decide_first(search: Search, queue: list[Sample], by: str, *, alone: bool) -> bool:
    """Decide the first instance of a queue, or several together, and take them off; whether some were not told together."""
    chosen = [search.domain.on_rationals(sample) for sample in queue[: 1 if alone else TOGETHER]]
    together = decide_together(search.statement, search.domain, chosen) if len(chosen) > 1 else [None]
    untold = [place for place, decision in enumerate(together) if decision is None]
    for place, (sample, decision) in enumerate(zip(chosen, together, strict=True)):
        if place in untold[1:]:
            continue
        # what is a refutation is decided by itself: nothing of the others is in it
        fails = decision is not None and decision.relation is not None and verdict_of(decision.relation) == Verdict.FAILS
        if decide_one(search, sample, by, None if fails else decision):
            break
    queue[: len(chosen)] = [queue[place] for place in untold[1:]]
    return len(chosen) > 1 and bool(untold)


def confirm_drawn(search: Search, candidates: list[Candidate], phase: str) -> bool:
    """Take the worst of what fails in floats among drawn instances to the rationals; the others are decided later."""
    failing = _failing(candidates)
    search.pending.float_counterexamples += [candidate.sample for candidate in failing[CONFIRMATIONS:]]
    return any(_confirmed(search, candidate, phase, drawn=True) for candidate in failing[:CONFIRMATIONS])


def confirm_reached(search: Search, candidates: list[Candidate], phase: str) -> bool:
    """Take what an ascent or a population has come to to the rationals: what fails in floats, and what they leave open."""
    _meet_candidates(search, candidates)
    if any(_confirmed(search, candidate, phase, drawn=False) for candidate in _failing(candidates)[:CONFIRMATIONS]):
        return True
    # an ascent that ends at a tie may have found one that rationals decide
    undecided = [candidate for candidate in candidates if candidate.verdict == Verdict.UNDECIDED]
    return any(decide_one(search, search.domain.on_rationals(candidate.sample), phase) for candidate in undecided)


def is_no_violation(search: Search, sample: Sample, exact: Relation) -> bool:
    """Whether rationals or balls exclude what fails in floats: they hold, or leave less open than the violation there.

    Balls that overlap by next to nothing do not decide a tie, nor whether two sides that vanish are equal.
    """
    if verdict_of(exact) == Verdict.HOLDS or exact.tied:
        return True
    batch = prepare(search.domain, sample[None])
    evaluated = None if batch is None else evaluate(search.statement, batch, batch.places)
    if evaluated is None or len(evaluated[0].comparisons) != len(exact.comparisons):
        return False
    for comparison, other in zip(evaluated[0].comparisons, exact.comparisons, strict=True):
        fails = (comparison.verdicts == Verdict.FAILS).reshape(-1)
        gaps = other.gaps().reshape(-1)
        if fails.any() and (len(fails) != len(gaps) or not (2 * gaps < -comparison.slack.reshape(-1))[fails].all()):
            return False
    return True


def one_of_each_sizes_first(candidates: list[Candidate]) -> list[Candidate]:
    """The same candidates, the first of each combination of sizes and objective before the others."""
    seen = set()
    first: list[Candidate] = []
    others: list[Candidate] = []
    for candidate in candidates:
        kind = sizes_of(candidate.sample), candidate.comparisons
        (others if kind in seen else first).append(candidate)
        seen.add(kind)
    return first + others


def _failing(candidates: list[Candidate]) -> list[Candidate]:
    return one_of_each_sizes_first([candidate for candidate in candidates if candidate.verdict == Verdict.FAILS])


def _confirmed(search: Search, candidate: Candidate, phase: str, *, drawn: bool) -> bool:
    """Whether an instance that fails in floats, or one near it, is a refutation; if not, what rationals say is counted."""
    findings, statement, domain = search.findings, search.statement, search.domain
    findings.unexamined -= drawn
    refutation = confirm(statement, domain, candidate.sample, search.without)
    if refutation is not None:
        findings.refuted(refutation, phase)
        return True
    decided = decide_sample(statement, domain, domain.on_rationals(candidate.sample), search.without)
    findings.without_exact[sizes_of(candidate.sample)] += decided.floats_only
    if decided.nowhere:
        findings.nowhere.append(candidate.sample)
    if decided.outside and candidate.relative_slack > -SUSPECT:
        return False  # on the edge of a hypothesis floats err by as much
    if decided.relation is None or not is_no_violation(search, candidate.sample, decided.relation):
        findings.unconfirmed.append(candidate)
    else:
        findings.exactly[int(verdict_of(decided.relation))] += 1
        _meet_exact(search, decided.relation, candidate.sample)
    return False


def _meet_exact(search: Search, relation: Relation, sample: Sample) -> None:
    if search.findings.met[0] <= 0 and relation.is_exact and verdict_of(relation) != Verdict.FAILS:
        return  # what does not fail is no nearer to failing than what is attained
    slack = float(np.min(relation.known_slack))
    if slack < search.findings.met[0]:
        search.findings.meet(slack, slack, sample.as_floats(), vanishes=slack == 0 and _is_of_zeros(search, relation))


def _is_of_zeros(search: Search, relation: Relation) -> bool:
    """Whether zero is compared with zero, as it was among the drawn instances."""
    return search.findings.vanishing is not None and bool(relation.is_trivial().all())


def _meet_candidates(search: Search, candidates: list[Candidate]) -> None:
    """Note what an ascent or a population has come to, whose objective knows no rounding."""
    findings = search.findings
    for candidate in candidates:
        if candidate.verdict == Verdict.FAILS:
            findings.meet_failing(candidate.relative_slack, candidate.sample)
        elif findings.met[0] > 0 and (candidate.relative_slack < findings.met[0] or findings.met[2] is None):
            relation = judged_alone(search.statement, search.domain, candidate.sample)
            if relation is not None and relation.is_number().all():
                known = float(relation.known_slack[0])
                vanishes = known == 0 and _is_of_zeros(search, relation)
                findings.meet(known, candidate.relative_slack, candidate.sample, vanishes=vanishes)
