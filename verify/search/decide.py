"""Decisions on rationals: precision is raised until the verdict is decided, and a candidate is rounded into a witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.claims.variables import Coordinate, call_with
from verify.linting.lint import BrokenStatement, check_relation, name_of
from verify.numbers.arithmetic import Array, FloatOnly, UndecidedInstances, fraction, precision
from verify.numbers.exactness import WRITE_EXACTLY, FloatOnExactSide, NoValue, assumed_signs, exact_evaluation
from verify.numbers.relation import Relation, Verdict

PRECISIONS = (64, 192, 512, 1024)
"""Bits of the balls, tried in this order: the first is above the 53 of a float, each is two to three times the one before,
and those before the last have fewer bits together than it. What 1024 bits do not decide, and what is a tie before, is
reported as undecided."""

ROUNDINGS = (0, 1, 2, 3, 5, 8, 12, 18, 27, 40)
"""Binary places to which a float candidate is rounded, coarse first, so that a witness has small integers if it can: from
integers on, each about half as many again as the one before, so that ten attempts come to 40 of the 52 places of a float."""


@dataclass(frozen=True, eq=False)
class Refutation:
    """An instance on rationals at which a statement is certainly false.

    Attributes
    ----------
    sample
        The instance, with exact coordinates and no batch axis.
    relation
        The statement evaluated there, with verdict FAILS.
    """

    sample: Sample
    relation: Relation

    @property
    def relative_slack(self) -> float:
        """Slack over the size of the sides; negative."""
        return float(np.min(self.relation.relative_slack))


def decide(statement: Statement, variables: Mapping[str, Any] | Callable[[], Mapping[str, Any]]) -> Relation:
    """Evaluate on exact instances, with precision raised until all verdicts are decided or the limit is reached.

    A function that makes the variables is called anew at every precision: what they keep of an earlier one would stay as wide.
    """
    relation: Relation | None = None
    for bits in PRECISIONS:
        last = bits == PRECISIONS[-1]
        with precision(bits), exact_evaluation(), assumed_signs() as assumed:
            try:
                decided = _relation(call_with(statement, variables() if callable(variables) else variables), statement)
                if assumed and not last:
                    continue
                if assumed and np.any(decided.verdict == Verdict.FAILS):
                    # where the number is negative a side is none, and nothing is false there
                    raise UndecidedInstances(f"whether {assumed[0]}, of which a root is taken, is negative", np.array(True))
            except UndecidedInstances:
                # a comparison inside the statement, of balls that overlap
                if last and relation is None:
                    raise
                continue
            relation = decided
            if not np.any(relation.verdict == Verdict.UNDECIDED) or relation.tied:
                break
    assert relation is not None
    return relation


def _relation(answer: Any, statement: Statement) -> Relation:
    """The relation that a statement gave on exact instances: one without a comparison of floats.

    Raises
    ------
    BrokenStatement
        It is no relation.
    FloatOnExactSide
        It compares floats.
    """
    if not isinstance(answer, Relation):
        raise BrokenStatement(
            f"{name_of(statement)} must return a relation, made by le, ge or eq of verify and joined by &, "
            f"it returned {type(answer).__name__}"
        )
    for name, comparison in zip(answer.names, answer.comparisons, strict=True):
        if not comparison.is_exact and 0 not in comparison.shape:
            raise FloatOnExactSide(
                f"the comparison {name!r} is of floats where the instance is exact, and would decide nothing: {WRITE_EXACTLY}; "
                "where there is no exact evaluation, raise FloatOnly of verify.numbers.arithmetic"
            )
    return answer


def verdict_of(relation: Relation) -> Verdict:
    """The verdict of a relation of one instance."""
    return Verdict(int(np.min(relation.verdict)))


def _inside(values: Array, limits: Coordinate) -> bool:
    if limits.lower == -np.inf and limits.upper == np.inf:
        return True
    lower, upper = limits.ends or (limits.lower, limits.upper)
    return all(lower <= fraction(entry) <= upper for entry in values.flat)


@dataclass(frozen=True, eq=False)
class Decision:
    """What the exact arithmetic says of one instance.

    Attributes
    ----------
    relation
        The statement there; None where the instance is not in the domain, or the statement has no exact value.
    floats_only
        Whether the statement, or the domain, says that it has no exact evaluation.
    nowhere
        Whether the instance is in the domain and a side is no number there.
    unknown_domain
        Whether it is not decided that the instance is in the domain.
    outside
        Whether a hypothesis is decided, and the instance is not in the domain.
    unknown_inside
        Whether a comparison inside the statement is of balls that overlap at every precision.
    """

    relation: Relation | None
    floats_only: bool = False
    nowhere: bool = False
    unknown_domain: bool = False
    outside: bool = False
    unknown_inside: bool = False


def decide_sample(statement: Statement, domain: Domain, sample: Sample, without: str | None = None) -> Decision:
    """`decide` on an exact sample, guarded: no float enters.

    With `without`, the named hypothesis must be broken and all others must hold.

    Raises
    ------
    FloatOnExactSide, TypeError
        A float enters.
    BrokenStatement
        The statement returns no relation of one instance.
    """
    layout = domain.layout(sample.sizes)
    if any(not _inside(values, layout[name]) for name, values in sample.coordinates.items()):
        return Decision(None)
    try:
        # a batch of one: sums over an object array without batch axes would be scalars, which take no further index
        with precision(PRECISIONS[-1]), exact_evaluation(), assumed_signs() as assumed:
            variables = domain.build(sample[None])
            # what was built for the hypotheses, at the largest precision, serves the first evaluation
            ready = [] if assumed else [variables]
            assumed.clear()
            if domain.violated(variables) != ([] if without is None else [without]):
                return Decision(None, outside=True)
            if assumed:
                return Decision(None, unknown_domain=True)
    except (FloatOnly, UndecidedInstances, ZeroDivisionError) as error:
        unknown = isinstance(error, UndecidedInstances)
        return Decision(None, floats_only=isinstance(error, FloatOnly), unknown_domain=unknown)
    try:
        relation = check_relation(decide(statement, lambda: ready.pop() if ready else domain.build(sample[None])), statement, 1)
    except FloatOnly:
        return Decision(None, floats_only=True)
    except (ZeroDivisionError, NoValue):
        return Decision(None, nowhere=True)
    except UndecidedInstances:
        return Decision(None, unknown_inside=True)
    if relation.is_empty:
        return Decision(None)
    return Decision(relation, nowhere=not relation.is_number().all() and verdict_of(relation) != Verdict.FAILS)


def decide_together(statement: Statement, domain: Domain, samples: Sequence[Sample]) -> list[Decision | None]:
    """`decide_sample` of exact samples of equal sizes, as far as one evaluation of all of them tells; None for the others.

    An instance at which the statement fails here is to be decided by itself before it is called a refutation: what depends on
    the batch is seen there.
    """
    result: list[Decision | None] = [None] * len(samples)
    layout = domain.layout(samples[0].sizes)
    places = [
        place for place, sample in enumerate(samples) if all(_inside(v, layout[n]) for n, v in sample.coordinates.items())
    ]
    try:
        with precision(PRECISIONS[-1]), exact_evaluation(), assumed_signs() as assumed:
            feasible = _valid(domain, [samples[place] for place in places])
            for place in np.array(places)[~feasible].tolist():
                result[place] = Decision(None, outside=True)
            places = np.array(places)[feasible].tolist()
            variables = domain.build(_stacked([samples[place] for place in places]))
            if assumed:
                return [None] * len(samples)
        with precision(PRECISIONS[0]), exact_evaluation(), assumed_signs() as assumed:
            relation = check_relation(_relation(call_with(statement, variables), statement), statement, len(places))
            if assumed or relation.is_empty:
                return result
            numbers, verdicts = relation.is_number(), relation.verdict
            for k, place in enumerate(places):
                alone = relation.instance(k)
                if numbers[k] and (verdicts[k] != Verdict.UNDECIDED or alone.tied):
                    result[place] = Decision(alone)
    except Exception:  # which instance raises it, and what it means, is told where each is decided by itself
        return result
    return result


def _valid(domain: Domain, samples: Sequence[Sample]) -> npt.NDArray[np.bool_]:
    """Which of the samples satisfy the hypotheses."""
    answers = domain.validity(domain.build(_stacked(samples))).values()
    feasible = np.ones(len(samples), dtype=bool)
    for answer in answers:
        feasible &= answer
    return feasible


def _stacked(samples: Sequence[Sample]) -> Sample:
    return Sample(
        samples[0].sizes, {name: np.stack([sample.coordinates[name] for sample in samples]) for name in samples[0].coordinates}
    )


def confirm(statement: Statement, domain: Domain, sample: Sample, without: str | None = None) -> Refutation | None:
    """Round a float candidate to ever finer rationals until the statement certainly fails at one; None if it never does."""
    layout = domain.layout(sample.sizes)
    seen: set[tuple[bytes, ...]] = set()
    for places in (*ROUNDINGS, None):
        rounded = {
            name: np.clip(values if places is None else np.rint(values * 2.0**places) / 2.0**places, limits.lower, limits.upper)
            for (name, values), limits in zip(sample.coordinates.items(), layout.values(), strict=True)
        }
        key = tuple(np.asarray(values).tobytes() for values in rounded.values())
        if key in seen:
            continue
        seen.add(key)
        exact = domain.on_rationals(Sample(sample.sizes, rounded))
        relation = decide_sample(statement, domain, exact, without).relation
        if relation is not None and verdict_of(relation) == Verdict.FAILS:
            return Refutation(exact, relation)
    return None
