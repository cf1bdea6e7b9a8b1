"""One answer for each instance: what a statement says of an instance must not depend on the others in its batch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.instances.views import shaken_matrices
from verify.linting.lint import name_of
from verify.numbers.arithmetic import floats
from verify.numbers.relation import Relation, Verdict
from verify.search.batch import Batch, evaluate, prepare
from verify.search.decide import Refutation, decide_sample, verdict_of
from verify.search.rounding import perturbed
from verify.search.samples import SampleCache

NEAR = 2.0**-20
"""Sides that differ by less than this, relative to their size, are equal at once; a forgotten axis changes a digit."""
MARGIN = 64.0
"""Else they may differ by this many times what moving the instance by a unit in the last place changes."""


SIZES_ASKED = 12
"""Combinations of sizes of which one instance is evaluated alone."""
ASKED_PERTURBED = 8
"""How often a hypothesis is asked of an instance that is perturbed: each answer of an equality is an accident of rounding.
Eight accidents, as likely one way as the other, all fall one way alone and the other way among others in one of 2^15 cases."""
ACCIDENTS = 2
"""More instances that answer otherwise alone are no accident of rounding."""


def depends_on_the_batch(statement: Statement, cache: SampleCache) -> str:
    """A sentence that says which side, or which hypothesis, depends on the batch; empty if none does.

    A function of one instance sees none of the others; one that is `lifted` may mix them, if it forgets an axis. One structured
    instance of each of some sizes is evaluated alone, and compared with what it gets among the others.
    """
    seen: set[tuple[tuple[str, int], ...]] = set()
    problems = []
    for batch in cache.phase("structured"):
        sizes = tuple(batch.sample.sizes.items())
        if sizes in seen:  # another piece of a large batch
            continue
        if len(seen) == SIZES_ASKED:
            break
        seen.add(sizes)
        last = len(batch.places) - 1
        if last and batch.validity:
            for name in _hypotheses_that_differ(cache, batch, last, prepare(cache.domain, batch.sample[np.array([last])])):
                return f"the hypothesis {name!r} answers otherwise for an instance alone than among others: {MIXES}"
        evaluation = evaluate(statement, batch, batch.chosen(None))
        if evaluation is None or len(evaluation[1]) < 2:
            continue
        relation, indices = evaluation
        place, index = len(indices) - 1, int(indices[-1])
        single = _answer(statement, prepare(cache.domain, batch.sample[np.array([index])], hypotheses=False))
        problems.append(_difference(statement, cache, batch.sample[index], single, relation, place))
    differing = [problem for problem in problems if problem]
    # a statement that depends on its batch does so for nearly every instance; rounding seldom looks like it
    if 2 * len(differing) > len(problems) or len(differing) > ACCIDENTS:
        return f"{name_of(statement)}: {differing[0]}"
    return ""


MIXES = "a function that is lifted reduces over the last axes (axis=-1), never over the first, which counts instances"


APART = 2.0**-20
"""Sides in floats and on rationals that differ by more, relative to their size and beyond rounding, are two statements."""


CANCELLED = 2.0**-44
"""A side that is smaller than this, in units of the largest side elsewhere, may be rounding alone: 256 units in the last
place of that one."""
SQUARES_VANISH = 2.0**-500
"""Floats below this may have squares without a digit: squares lose digits below 2^-511 and are zero below 2^-537, and eleven
binary places are left for what they are multiplied by."""


FEW_SINGULAR = 3
"""So many instances at which a side differs are no accident, however few there are at which it can."""


COMPARED = 16
"""Instances at which floats and rationals are compared."""


def floats_disagree(statement: Statement, cache: SampleCache, settled: list[tuple[Sample, Relation]]) -> str:
    """A sentence that says which side is another number in floats than on rationals, at one instance in four or more.

    At fewer, floats lose their digits at what is nearly singular, and the rationals have the last word there anyway. Instances
    at which a side is zero in both, or no number in floats, do not count for it.
    """
    compared = settled[:: max(1, len(settled) // COMPARED)]
    # at integers nothing can be perturbed a little: what a side is elsewhere tells how large its rounding may be
    sizes = [
        max((float(np.max(_side_size(part, 0), initial=0.0)) for part in relation.comparisons), default=0.0)
        for _, relation in compared
    ]
    rounding = CANCELLED * max(filter(np.isfinite, sizes), default=0.0)
    answers: dict[tuple[int, str], list[str]] = {}
    for pair in compared:
        for key, answer in _disagreements(statement, cache, *pair, rounding).items():
            answers.setdefault(key, []).append(answer)
    for given in answers.values():
        differing = [answer for answer in given if answer]
        # of the few instances at which a side is not zero, one or two may be singular
        if 4 * len(differing) > (len(given) if len(differing) >= FEW_SINGULAR else len(compared)):
            return f"{name_of(statement)}: {differing[0]}"
    return ""


def _disagreements(
    statement: Statement, cache: SampleCache, sample: Sample, exact: Relation, rounding: float
) -> dict[tuple[int, str], str]:
    """For each comparison and side that tells something at one instance: what differs, in words; empty if nothing does."""
    instance = sample.as_floats()
    single = _alone(statement, cache, instance)
    if single is None:
        return {}
    if len(single.comparisons) != len(exact.comparisons):
        answer = (
            f"it has {len(single.comparisons)} comparisons in floats and {len(exact.comparisons)} on rationals: both must be "
            "one statement"
        )
        return {(0, "left"): answer}
    answers, suspects = {}, []
    for number, (single_part, true) in enumerate(zip(single.comparisons, exact.comparisons, strict=True)):
        for side in ("left", "right"):
            here, there = _side(single_part, side, 0), _side(true, side, 0)
            if np.all(np.isfinite(here)) and (np.any(here) or np.any(there)):
                answers[number, side] = ""
                if not _agree(here, there, _side_size(true, 0), 0.0):
                    suspects.append((number, side))
    changes = _changes(statement, cache, instance, single, suspects) if suspects else {}
    for number, side in suspects:
        single_part, true = single.comparisons[number], exact.comparisons[number]
        here, there = _side(single_part, side, 0), _side(true, side, 0)
        noise = MARGIN * changes[number, side] + _side(single_part, "noise", 0) + rounding
        if not _agree(here, there, _side_size(true, 0), noise):
            answers[number, side] = (
                f"the {side} side{_of(exact, number)} is {_shown(here)} in floats and {_shown(there)} on rationals at one "
                "instance: they do not compute the same, or floats lose digits"
            )
    return answers


ALWAYS_THE_SAME = "it must not draw random numbers, which are variables of the domain, or keep anything between calls"
ANSWERED_AGAIN = 8
"""Instances at which a statement is evaluated before the search and after it."""


def first_answers(statement: Statement, cache: SampleCache) -> tuple[Batch, Relation] | None:
    """What a statement says of a few instances; None if floats decide none of them."""
    for batch in cache.phase("structured"):
        prepared = prepare(cache.domain, batch.sample[batch.places[:ANSWERED_AGAIN]])
        evaluation = None if prepared is None else evaluate(statement, prepared, prepared.chosen(None))
        if prepared is not None and evaluation is not None:
            return prepared, evaluation[0]
    return None


ASKED_ANEW, SECONDS_ANEW = 6, 0.2
"""How many times a statement is asked again after the search: one of three random values is the same in one of 729 cases.
A slow one is asked for so many seconds, and at least once."""
ASKED_AGAIN = 3
"""How many times a statement is asked again of an instance at which it is false."""


def true_again(statement: Statement, domain: Domain, refutation: Refutation) -> str:
    """A sentence, if the statement is false at the instance of `refutation`, and not whenever it is asked again of it."""
    copies = []  # all are kept: what a statement remembers by the address of an array must not find another one there
    for _ in range(ASKED_AGAIN):
        sample = refutation.sample
        copies.append(Sample(sample.sizes, {name: np.array(values) for name, values in sample.coordinates.items()}))
        relation = decide_sample(statement, domain, copies[-1]).relation
        if relation is None or verdict_of(relation) != Verdict.FAILS:
            return f"{name_of(statement)} is false at an instance, and not when it is asked again of it: {ALWAYS_THE_SAME}"
    return ""


def answers_otherwise(statement: Statement, cache: SampleCache, first: tuple[Batch, Relation] | None) -> str:
    """A sentence, if what the statement and the hypotheses say now of the same instances is not what they said first."""
    if first is None:
        return ""
    start = time.perf_counter()
    for _ in range(ASKED_ANEW):
        said = _answers_anew(statement, cache, *first)
        if said or time.perf_counter() - start > SECONDS_ANEW:
            return said
    return ""


def _answers_anew(statement: Statement, cache: SampleCache, batch: Batch, before: Relation) -> str:
    again = prepare(cache.domain, batch.sample)
    evaluation = None if again is None else evaluate(statement, again, again.chosen(None))
    why = ALWAYS_THE_SAME
    for name, holds in batch.validity.items():
        if again is None or not np.array_equal(holds, again.validity[name]):
            return f"the hypothesis {name!r} answers otherwise when it is asked again of the same instances: {why}"
    after = None if evaluation is None else evaluation[0]
    if after is None or len(after.comparisons) != len(before.comparisons) or after.batch_shape != before.batch_shape:
        return f"{name_of(statement)} answers otherwise when it is asked again of the same instances: {why}"
    for number, (comparison, other) in enumerate(zip(before.comparisons, after.comparisons, strict=True)):
        for side in ("left", "right"):
            here, there = floats(getattr(comparison, side)), floats(getattr(other, side))
            if here.shape != there.shape or not _near(here, there, np.max(np.nan_to_num(np.abs(here)), initial=0.0)):
                return (
                    f"{name_of(statement)}: the {side} side{_of(before, number)} is another number when it is asked again of "
                    f"the same instances: {why}"
                )
    return ""


def _agree(here: Any, there: Any, size: Any, noise: Any) -> bool:
    if here.shape != there.shape:
        return True  # one is broadcast; the slacks are compared elsewhere
    with np.errstate(invalid="ignore"):
        same = (here == there) | ~np.isfinite(here) | ~np.isfinite(there) | (np.abs(here - there) <= APART * size + noise)
        same |= (np.abs(here) < SQUARES_VANISH) & (np.abs(there) < SQUARES_VANISH)
    return bool(np.all(same))


def _hypotheses_that_differ(cache: SampleCache, batch: Batch, place: int, alone: Batch | None) -> Iterator[str]:
    if alone is None:
        return
    for name, holds in batch.validity.items():
        if alone.validity[name][0] != holds[place] and _stands(cache, batch.sample, place, name):
            yield name


def _stands(cache: SampleCache, sample: Sample, place: int, name: str) -> bool:
    """Whether a hypothesis has one answer for the instance alone and the other among the others, however it is perturbed.

    Where either answer changes, as that of an equality does, rounding may have decided it.
    """
    rng = np.random.default_rng(0)
    alone, among = set(), set()
    for _ in range(ASKED_PERTURBED):
        moved = perturbed(sample[np.array([place])], cache.domain, rng)
        rows = {key: np.array(values) for key, values in sample.coordinates.items()}
        for key, values in moved.coordinates.items():
            rows[key][place] = values[0]
        alone.add(_answer_to(cache, moved, name, 0))
        among.add(_answer_to(cache, Sample(sample.sizes, rows), name, place))
    return len(alone) == len(among) == 1 and alone != among


def _answer_to(cache: SampleCache, sample: Sample, name: str, place: int) -> bool | None:
    prepared = prepare(cache.domain, sample)
    if prepared is None or place not in prepared.origin:
        return None
    return bool(prepared.validity[name][np.flatnonzero(prepared.origin == place)[0]])


def _difference(
    statement: Statement, cache: SampleCache, sample: Sample, single: Relation | None, relation: Relation, place: int
) -> str:
    """Which side of `single`, for the instance alone, differs from that of `relation`, at its place among others, in words."""
    if single is None:
        return ""
    if len(single.comparisons) != len(relation.comparisons):
        return (
            f"it has {len(single.comparisons)} comparisons for one instance and {len(relation.comparisons)} for the batch: the "
            "number must not depend on the batch"
        )
    suspects: list[tuple[int, str]] = []
    for number, (comparison, many) in enumerate(zip(single.comparisons, relation.comparisons, strict=True)):
        for side in ("left", "right"):
            here, there = _side(comparison, side, 0), _side(many, side, place)
            if here.shape != there.shape:
                return f"the {side} side{_of(relation, number)} has another shape for one instance than in a batch"
            # the entries of one matrix share their rounding errors
            if not _near(here, there, np.max(np.nan_to_num(_side_size(comparison, 0)), initial=0.0)):
                suspects.append((number, side))
    if not suspects:
        return ""
    changes = _changes(statement, cache, sample, single, suspects)
    for number, side in suspects:
        here, there = _side(single.comparisons[number], side, 0), _side(relation.comparisons[number], side, place)
        stated = sum(
            _side(comparison, "noise", at)
            for comparison, at in ((single.comparisons[number], 0), (relation.comparisons[number], place))
        )
        if not np.all(np.abs(here - there) <= MARGIN * changes[number, side] + stated):
            return (
                f"the {side} side{_of(relation, number)} depends on the batch: for one instance it is {_shown(here)} alone and "
                f"{_shown(there)} among others; {MIXES}, and a statement has no memory"
            )
    return ""


def _alone(statement: Statement, cache: SampleCache, sample: Sample) -> Relation | None:
    return _answer(statement, prepare(cache.domain, sample[None], hypotheses=False))


def _answer(statement: Statement, batch: Batch | None) -> Relation | None:
    evaluation = None if batch is None else evaluate(statement, batch, batch.places)
    return None if evaluation is None else evaluation[0]


def _changes(
    statement: Statement, cache: SampleCache, sample: Sample, single: Relation, suspects: list[tuple[int, str]]
) -> dict[tuple[int, str], npt.NDArray[np.float64]]:
    rng = np.random.default_rng(0)
    result = {key: np.zeros(_side(single.comparisons[key[0]], key[1], 0).shape) for key in suspects}
    with shaken_matrices():
        others = [_alone(statement, cache, perturbed(sample, cache.domain, rng)) for _ in range(4)]
    for other in others:
        for number, side in suspects:
            here = _side(single.comparisons[number], side, 0)
            there = None if other is None else _side(other.comparisons[number], side, 0)
            change = np.full(here.shape, np.inf) if there is None or there.shape != here.shape else np.abs(there - here)
            result[number, side] = np.maximum(result[number, side], np.where(np.isnan(change), np.inf, change))
    return result


def _side(comparison: Any, side: str, place: int) -> npt.NDArray[np.float64]:
    values = np.broadcast_to(getattr(comparison, side), comparison.shape)
    last = len(comparison.shape) - comparison.over
    return floats(values[place] if last and values.shape[0] > 1 else values[0] if last else values)


def _side_size(comparison: Any, place: int) -> npt.NDArray[np.float64]:
    return np.maximum(np.abs(_side(comparison, "left", place)), np.abs(_side(comparison, "right", place)))


def _near(here: npt.NDArray[np.float64], there: npt.NDArray[np.float64], size: float) -> bool:
    with np.errstate(invalid="ignore"):
        same = (here == there) | (np.isnan(here) & np.isnan(there)) | (np.abs(here - there) <= NEAR * size)
    return bool(np.all(same))


def _shown(values: npt.NDArray[np.float64]) -> str:
    return f"{float(values):.6g}" if values.ndim == 0 else f"{values.ravel()[:3]}"


def _of(relation: Relation, number: int) -> str:
    return f" of {relation.names[number]!r}" if relation.names[number] else ""
