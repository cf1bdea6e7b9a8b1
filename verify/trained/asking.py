"""Claims asked of a trained network: are the hypotheses met, does the statement hold, and by how much."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from verify.claims.claim import Claim
from verify.engines.containment import can_stop, stopped
from verify.matrices import RankUndecided
from verify.networks import FullyConnected
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, floats, precision
from verify.numbers.exactness import FloatOnExactSide, exact_evaluation
from verify.numbers.relation import Comparison, Relation, Verdict
from verify.search.decide import verdict_of
from verify.trained.roles import HYPOTHESES, Read, activations, read, roles, told
from verify.trained.subjects import EXACT_SAMPLE, PLACES, CannotAsk, Place, Subject, places

Outcome: TypeAlias = Literal["holds", "fails", "within rounding", "hypothesis", "undecided"]
"""What a claim says of a network: it holds or fails where its hypotheses are met, both sides agree up to the rounding, its
hypotheses are met nowhere, or floats do not decide."""

MOVES, MARGIN = 3, 16.0
"""Networks that are moved by units in the last place of each number, and as many by units in that of the largest number of its
array, which the errors of a matrix product are relative to; and the noise in units of the largest change, as in a search."""
LOST = 0.1
"""Where the error is a larger part of the sides, floats say nothing."""
TINY, BITS = 64, 256
"""Networks with at most so many parameters are asked on rationals always, others where floats say that a claim fails or decide
nothing. Balls have so many bits."""
PATIENCE = 2.0
"""A statement is given up after so many seconds of processor time."""
LARGE, MEMORY, BUDGET, IMPATIENCE = 100_000, 1_000_000_000, 18.0, 0.5
"""Networks with more parameters are asked at one place, within so many seconds for all claims, and for each. Any network is
asked within so many bytes for each claim: derivatives of a kernel have as many entries as inputs times outputs, squared."""
SECONDS, OF_A_FAILURE = 1.0, 5.0
"""A decision on rationals is given up after so many seconds of processor time, of what fails in floats after more."""
NOT_LOOKED_AT = "not looked at"
"""Of costly statements where a hypothesis is not met."""
DEAR, QUICK = 4, 0.5
"""Claims of this cost and more see few points; statements that take more seconds than that are not evaluated again."""
DEAREST, FEW = 20, 16
"""Claims of this cost and more enumerate regions or solve programmes: they are asked of networks with few hidden neurons."""
ATTAINED = 1e-3
"""A bound whose relative slack is below this is nearly attained."""
_SLIPS = (
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    ZeroDivisionError,
    np.linalg.LinAlgError,
    NotImplementedError,
    AssertionError,
)
"""What statements and constructions raise where they are asked of networks of shapes that they are not made for."""


class TooLong(BaseException):
    """A statement, or a decision on rationals, takes too long."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the block after so many seconds of processor time, where that can be done: see `can_stop`."""
    if not can_stop():
        yield
        return
    with stopped(TooLong, seconds, of_processor=True):
        yield


@contextmanager
def within(memory: int) -> Iterator[None]:
    """Let arrays be refused, by `MemoryError`, that would need more than so many bytes beyond what is used; not on Windows."""
    try:
        import resource

        used_memory = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except (ModuleNotFoundError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([used_memory + memory, *limits]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@dataclass(frozen=True)
class Broken:
    """A hypothesis that is not met, and by how much where that can be said."""

    name: str
    by: str = ""


@dataclass(frozen=True)
class Answer:
    """What one claim says of the network.

    Attributes
    ----------
    claim, title, status
        Which claim.
    outcome
        See `Outcome`.
    places
        How often it was asked, and how often its hypotheses were met.
    met
        Places at which all hypotheses are met.
    where
        The place that the sides are from: the one with the least relative slack, of those that meet the hypotheses if any do.
    part, sense, left, right
        The comparison that is nearest to failing there, and its sides.
    slack, relative, error
        Slack, slack over the size of the sides, and the bound of the error in floats; 0 where it is decided on rationals.
    conclusion
        Whether the statement itself holds at that place, whatever the hypotheses.
    broken
        Hypotheses that are not met, of the place.
    exact
        Whether it was decided on rationals.
    seconds
        How long it took.
    note
        Why it is undecided.
    """

    claim: str
    title: str
    status: str
    outcome: Outcome
    places: int
    met: int
    where: str = ""
    part: str = ""
    sense: str = ""
    left: float = np.nan
    right: float = np.nan
    slack: float = np.nan
    relative: float = np.nan
    error: float = np.nan
    conclusion: bool | None = None
    broken: tuple[Broken, ...] = ()
    exact: bool = False
    seconds: float = 0.0
    note: str = ""

    @property
    def rank(self) -> int:
        """How surprising it is: 0 most. What documents print wrongly is no news about a network, and comes last."""
        if self.outcome == "fails":
            return {"false_as_printed": 8, "conjectured": 1}.get(self.status, 0)
        if self.outcome == "holds":
            return 2 if self.used is not None and self.relative < ATTAINED else 3
        return {"within rounding": 4, "undecided": 5}.get(self.outcome, 7 if self.conclusion is False else 6)

    @property
    def used(self) -> float | None:
        """The part of a bound that is used, the smaller side over the larger; None of equalities, of zeros and of signs."""
        small, large = (self.left, self.right) if self.sense == "le" else (self.right, self.left)
        if self.sense == "eq" or not (np.isfinite(small) and np.isfinite(large)) or large <= 0 or small <= 0:
            return None
        return small / large

    @property
    def sort_key(self) -> tuple[int, float, str]:
        """Surprising first; within one kind, what is nearest to failing first."""
        return self.rank, self.relative if np.isfinite(self.relative) else np.inf, self.claim

    @property
    def words(self) -> str:
        """What it says, in a few words."""
        unmet = "; ".join(f"{hypothesis.name}{f' ({hypothesis.by})' if hypothesis.by else ''}" for hypothesis in self.broken)
        if self.outcome == "fails":
            return {"false_as_printed": "false as printed", "conjectured": "a counterexample"}.get(self.status, "FAILS")
        if self.outcome == "hypothesis":
            fails = "fails, too" if self.exact else "in floats it fails, too"
            said = {True: "holds all the same", False: fails, None: "not decided"}[self.conclusion]
            return f"not met: {unmet}; {said}"
        if self.outcome == "undecided":
            return self.note
        if self.rank == 2:
            return "nearly attained"
        return {"holds": "holds", "within rounding": "equal within rounding"}[self.outcome]


@dataclass(frozen=True)
class NotAsked:
    """A claim that cannot be asked, and why."""

    claim: str
    reason: str


@dataclass(frozen=True, eq=False)
class _Asked:
    """A claim at one place."""

    place: Place
    broken: tuple[Broken, ...]
    relation: Relation | None
    note: str = ""
    seconds: float = 0.0
    suspect: bool = False
    """Whether it fails in floats, and rationals did not decide it."""

    @property
    def is_exact(self) -> bool:
        return self.relation is not None and self.relation.is_exact

    @property
    def relative(self) -> float:
        return float(np.min(self.relation.relative_slack)) if self.relation is not None else np.inf


def ask(claim: Claim, subject: Subject, count: int = PLACES, patience: float = PATIENCE) -> Answer | NotAsked:
    """A claim, asked of a network at so many places.

    What fails in floats, or is not decided there, is decided on rationals where the network is not too large.
    """
    start = time.perf_counter()
    questions: list[_Asked] = []
    reason = ""
    if claim.least_cost >= DEAREST and subject.neurons > FEW:
        return NotAsked(claim.id, f"it would take too long for {subject.neurons} hidden neurons")
    if claim.least_cost >= DEAR:
        subject = subject.with_few_points()
    chosen = list(places(subject, count))
    if {"first part", "second part"} & set(roles(claim.domain.variables)):
        # which parts fit, it may be at one layer only
        layers = {place.layer for place in chosen}
        chosen += [replace(chosen[0], layer=layer) for layer in range(1, subject.depth) if layer not in layers]
    for place in chosen:
        if len(questions) == count:
            break
        try:
            with at_most(patience):
                questions.append(_asked(claim, place))
        except TooLong:
            reason = f"it takes more than {patience:g} s"
            break
        except CannotAsk as error:
            reason = str(error)
        except _SLIPS as error:
            reason = f"it is not made for these shapes: {str(error).partition(chr(10))[0][:160]}"
    if not questions:
        return NotAsked(claim.id, reason)
    if not subject.is_exact:
        if all(question.relation is None and question.note != NOT_LOOKED_AT for question in questions):
            questions = _with_few_points(claim, questions, subject)
        questions = _with_rounding(claim, questions)
        questions = _with_decisions(claim, questions, subject)
    return replace(_answer(claim, questions), seconds=time.perf_counter() - start)


def _asked(claim: Claim, place: Place) -> _Asked:
    """A claim at one place; in exact arithmetic where the place is."""
    start = time.perf_counter()
    broken: tuple[Broken, ...] = ()
    with exact_evaluation(place.subject.is_exact), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            instance = read(claim.domain, place)
            broken = broken_hypotheses(claim, instance, place)
            if broken and claim.least_cost >= DEAR:
                return _Asked(place, broken, None, NOT_LOOKED_AT)
            relation = told(claim.statement, instance.variables)
        except RankUndecided as error:
            return _Asked(place, broken, None, f"a rank is undecided: {error.value:.2g} beside {error.largest:.2g}")
        except (UndecidedInstances, FloatOnly) as error:
            return _Asked(place, broken, None, str(error))
        if relation.is_empty:
            raise CannotAsk("it compares nothing here")
        if not relation.is_number().all():
            return _Asked(place, broken, None, "a side is no number there")
        if _fails(relation):
            broken += tuple(Broken(*condition) for condition in instance.out_of_range() if Broken(*condition) not in broken)
    return _Asked(place, broken, relation, seconds=time.perf_counter() - start)


def _with_few_points(claim: Claim, questions: list[_Asked], subject: Subject) -> list[_Asked]:
    """Ranks of many points are often undecided where those of few, or of one, are not."""
    for count in (EXACT_SAMPLE, 1):
        try:
            with at_most(PATIENCE):
                questions_of_few = [_asked(claim, place) for place in places(subject.with_few_points(count), 2)]
        except (CannotAsk, TooLong, *_SLIPS):
            return questions
        if any(question.relation is not None for question in questions_of_few):
            return questions_of_few
    return questions


def _with_rounding(claim: Claim, questions: Sequence[_Asked]) -> list[_Asked]:
    """With the noise of what fails and of what is nearest to failing, measured at moved networks.

    Where that takes long, what fails has an infinite noise, and the others that of a side.
    """
    nearest = min(questions, key=lambda question: (bool(question.broken), question.relative))
    result = []
    for question in questions:
        quick = question.seconds < QUICK and question.place.subject.size <= LARGE
        relation = question.relation
        if relation is not None and (_fails(relation) or (quick and question is nearest)):
            relation = _measured(claim, question.place, relation, quick)
        result.append(replace(question, relation=relation))
    return result


def _measured(claim: Claim, place: Place, relation: Relation, quick: bool) -> Relation:
    rng = np.random.default_rng(0)
    noise = [np.full(comparison.shape, 0.0 if quick else np.inf) for comparison in relation.comparisons]
    for move in range(2 * MOVES if quick else 0):
        moved_place = replace(place, subject=place.subject.moved(rng, together=move % 2 == 1))
        try:
            with np.errstate(all="ignore"):
                moved_relation = told(claim.statement, read(claim.domain, moved_place).variables)
        except (ArithmeticError, *_SLIPS):
            moved_relation = None
        for k, comparison in enumerate(relation.comparisons):
            after = (
                moved_relation.comparisons[k] if moved_relation is not None and k < len(moved_relation.comparisons) else None
            )
            if after is None or after.shape != comparison.shape:
                noise[k][...] = np.inf
                continue
            with np.errstate(invalid="ignore"):
                change = np.where(comparison.slack == after.slack, 0.0, np.abs(after.slack - comparison.slack))
            noise[k] = np.maximum(noise[k], MARGIN * np.where(np.isnan(change), np.inf, change))
    return relation.with_noise(noise)


def _with_decisions(claim: Claim, questions: Sequence[_Asked], subject: Subject) -> list[_Asked]:
    """With what is decided on rationals: the places at which floats say that the claim fails, until it fails at one; else one
    place where floats decide nothing, and one of a tiny network.

    What fails in floats and is not decided on rationals is undecided: floats alone refute nothing.
    """
    failing = sorted(
        (question for question in questions if _failing(question) and not question.broken),
        key=lambda question: question.relative,
    )
    if failing:
        limit = SECONDS if claim.expected == "refuted" else OF_A_FAILURE
        kept = [question for question in questions if question not in failing]
        for position, question in enumerate(failing):
            exact = _decided(claim, question, limit)
            kept.append(exact)
            if exact.suspect or _failing(exact):
                # one counterexample is enough, and what rationals leave open at one place they leave open at the others
                remaining = failing[position + 1 :]
                return kept if not exact.suspect else [*kept, *(_suspect(undecided, exact.note) for undecided in remaining)]
        return kept
    nearest = min(questions, key=lambda question: (bool(question.broken), question.relative))
    if nearest.note == NOT_LOOKED_AT or (nearest.relation is not None and subject.size > TINY):
        return list(questions)
    exact = _decided(claim, nearest, SECONDS)
    return [exact, *(question for question in questions if question is not nearest)] if exact.is_exact else list(questions)


def _decided(claim: Claim, question: _Asked, seconds: float) -> _Asked:
    """The same on rationals; what fails in floats alone has no relation, and a note that says why it is undecided."""
    try:
        if not can_stop():
            raise TooLong
        with precision(BITS), at_most(seconds):
            exact = _asked(claim, question.place.exact())
        if exact.is_exact:
            return exact
        reason = exact.note or "it is evaluated in floats only"
    except TooLong:
        reason = f"rationals take more than {seconds:g} s"
    except CannotAsk as error:
        reason = str(error)
    except FloatOnExactSide:
        reason = "it is evaluated in floats only"
    except (ArithmeticError, *_SLIPS) as error:
        reason = f"rationals do not decide it: {str(error).partition(chr(10))[0][:160]}"
    if not _failing(question):
        return question
    return _suspect(question, f"not decided: floats alone say that it fails; {reason}")


def _suspect(question: _Asked, note: str) -> _Asked:
    return replace(question, relation=None, note=note, suspect=True)


def _failing(question: _Asked) -> bool:
    return question.relation is not None and _fails(question.relation)


def _fails(relation: Relation) -> bool:
    return any(bool((comparison.verdicts == Verdict.FAILS).any()) for comparison in relation.comparisons)


def broken_hypotheses(claim: Claim, instance: Read, place: Place) -> tuple[Broken, ...]:
    """The hypotheses that are not met, each with by how much where that can be said."""
    broken = []
    tests = claim.domain.validity(instance.variables)
    for role in roles(claim.domain.variables):
        if role in HYPOTHESES:
            name, test = HYPOTHESES[role]
            tests[name] = np.asarray(test(place))
    for name, holds in tests.items():
        if not np.all(holds):
            broken.append(Broken(name, _by(name, place)))
    broken += [Broken(name, by) for name, by in instance.of_the_wrong_sign()]
    return tuple(broken)


def _by(name: str, place: Place) -> str:
    for words, measure in MARGINS.items():
        if words in name:
            try:
                return measure(place)
            except (CannotAsk, ArithmeticError, *_SLIPS):
                return ""
    return ""


def _balance(place: Place) -> str:
    return f"by {imbalance(place.subject.dense):.2g} of the norm of a neuron"


def imbalance(network: FullyConnected) -> float:
    """Largest difference of what a hidden neuron pays before and after it, over the mean of its layer."""
    worst = 0.0
    for before, bias, after in zip(network.weights[:-1], network.biases[:-1], network.weights[1:], strict=True):
        incoming, outgoing = floats((before * before).sum(axis=-1) + bias * bias), floats((after * after).sum(axis=-2))
        if incoming.size:
            worst = max(worst, float(np.abs(incoming - outgoing).max()) / max(float((incoming + outgoing).mean()) / 2, 1e-300))
    return worst


def _slope(place: Place) -> str:
    return f"it is {float(floats(place.subject.slope)[0]):g}"


def _kink(place: Place) -> str:
    return f"a neuron at {float(np.min(floats(place.subject.dense.distance_to_kink(place.point())))):.2g}"


def _lowest(place: Place) -> str:
    values = floats(activations(place))
    return f"least entry {values.min():.2g}, largest {np.abs(values).max():.2g}"


def _ranks(place: Place) -> str:
    network = place.subject.dense.as_float()
    values = np.linalg.svd(network.jacobian(floats(place.point())), compute_uv=False)[0]
    return "singular values " + ", ".join(f"{value:.2g}" for value in values[:4])


def _biases(place: Place) -> str:
    return f"their squares sum up to {sum(float((floats(bias) ** 2).sum()) for bias in place.subject.dense.biases):.2g}"


MARGINS: Mapping[str, Callable[[Place], str]] = {
    "balanced": _balance,
    "kink": _kink,
    "derivative at x": _kink,
    "slope": _slope,
    "ReLU": _slope,
    "no entry is negative": _lowest,
    "activations are": _lowest,
    "rank": _ranks,
    "biases": _biases,
}
"""By how much a hypothesis is missed, by words in its name."""


def _answer(claim: Claim, questions: Sequence[_Asked]) -> Answer:
    met = [question for question in questions if not question.broken]
    decided = [question for question in met or questions if question.relation is not None]
    head = Answer(claim.id, claim.title, claim.status.name, "undecided", len(questions), len(met))
    if not decided:
        first = (met or questions)[0]
        return replace(
            head,
            where=first.place.words,
            broken=first.broken,
            note=first.note,
            outcome="hypothesis" if first.broken else "undecided",
        )
    suspects = [question for question in met if question.suspect]
    if suspects and not any(question.is_exact and _failing(question) for question in met):
        return replace(head, where=suspects[0].place.words, note=suspects[0].note)
    if any(question.is_exact for question in decided):
        # the nearest to failing was decided on rationals: floats add nothing but a failure
        decided = [question for question in decided if question.is_exact or _failing(question)]
    worst = min(decided, key=lambda question: question.relative)
    relation = worst.relation
    assert relation is not None
    comparison, index = _nearest(relation)
    left, right = (
        floats(np.broadcast_to(side, comparison.shape)[index]).item() for side in (comparison.left, comparison.right)
    )
    verdicts = [verdict_of(question.relation) for question in decided if question.relation is not None]
    conclusion = {Verdict.FAILS: False, Verdict.HOLDS: True, Verdict.UNDECIDED: None}[verdict_of(relation)]
    if conclusion is None and not relation.is_exact:
        conclusion = True
    error = 0.0 if comparison.is_exact else float(np.broadcast_to(comparison.noise, comparison.shape)[index])
    if error > LOST * float(np.max(comparison.size)) and conclusion and not worst.broken:
        return replace(head, where=worst.place.words, error=error, note="rounding leaves no digit of the sides")
    if worst.broken:
        outcome: Outcome = "hypothesis"
    elif Verdict.FAILS in verdicts:
        outcome = "fails"
    elif all(verdict == Verdict.HOLDS for verdict in verdicts):
        outcome = "holds"
    else:
        outcome = "within rounding"
    return replace(
        head,
        outcome=outcome,
        where=worst.place.words,
        part=comparison.name,
        sense=comparison.sense,
        left=left,
        right=right,
        slack=float(comparison.slack[index]),
        relative=worst.relative,
        error=error,
        exact=comparison.is_exact,
        conclusion=conclusion,
        broken=worst.broken,
    )


def _nearest(relation: Relation) -> tuple[Comparison, tuple[Any, ...]]:
    parts = [comparison for comparison in relation.comparisons if 0 not in comparison.shape]
    worst = min(parts, key=lambda part: float(np.min(part.relative)))
    return worst, tuple(int(k) for k in np.unravel_index(int(np.argmin(worst.relative)), worst.shape))


def ask_all(
    claims: Iterable[Claim],
    subject: Subject,
    progress: Callable[[str], None] = lambda _: None,
    seconds: float | None = None,
) -> tuple[list[Answer], list[NotAsked]]:
    """All claims, the surprising answers first; and those that cannot be asked.

    After so many seconds of processor time, claims are left out; there is no end for small networks, and `BUDGET` for large.
    """
    large = subject.size > LARGE
    budget = seconds if seconds is not None else BUDGET if large else float("inf")
    answers, not_asked = [], []
    start = time.process_time()
    # cheap ones first, so that few are left out
    for claim in sorted(claims, key=lambda claim: claim.least_cost):
        progress(claim.id)
        if time.process_time() - start > budget:
            not_asked.append(NotAsked(claim.id, f"there was no time left: all claims have {budget:g} s"))
            continue
        try:
            with within(MEMORY):
                reply = ask(claim, subject, 1, IMPATIENCE) if large else ask(claim, subject)
        except MemoryError:
            reply = NotAsked(claim.id, f"it would take more than {MEMORY / 1e9:g} GB")
        if isinstance(reply, Answer):
            answers.append(reply)
        else:
            not_asked.append(reply)
    return sorted(answers, key=lambda answer: answer.sort_key), not_asked
