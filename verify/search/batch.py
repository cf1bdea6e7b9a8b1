"""Batches of instances: their variables built, their hypotheses tested, a statement evaluated on them in floats."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.claims.variables import call_with, read_only, select
from verify.instances.array import recorded_margins
from verify.instances.views import shaken_matrices
from verify.linting.lint import BrokenStatement, check_relation
from verify.numbers.arithmetic import UndecidedInstances
from verify.numbers.relation import Relation
from verify.search.rounding import with_measured_rounding


@dataclass(frozen=True, eq=False)
class Batch:
    """Instances with their variables built and their hypotheses tested; `origin`: their places among those given.

    `margins`, where they are asked for: by how much each comparison that the hypotheses make holds, instances x comparisons.
    """

    sample: Sample
    variables: Mapping[str, Any]
    validity: Mapping[str, npt.NDArray[np.bool_]]
    origin: npt.NDArray[np.intp]
    margins: npt.NDArray[np.float64]

    @property
    def places(self) -> npt.NDArray[np.intp]:
        """Indices of all instances."""
        return np.arange(batch_length(self.sample))

    def chosen(self, without: str | None) -> npt.NDArray[np.intp]:
        """Indices of the feasible instances; of those that break `without` and nothing else, if it is given."""
        keep = np.ones(batch_length(self.sample), dtype=bool)
        for name, holds in self.validity.items():
            keep &= ~holds if name == without else holds
        return np.flatnonzero(keep)


def batch_length(sample: Sample) -> int:
    return len(next(iter(sample.coordinates.values())))


def prepare(domain: Domain, sample: Sample, *, hypotheses: bool = True, margins: bool = False) -> Batch | None:
    """Build the variables of those instances that float64 can decide; None if there is none."""
    origin = np.arange(batch_length(sample))
    while count := batch_length(sample):
        try:
            with np.errstate(all="ignore"):
                variables = domain.build(sample)
                with recorded_margins(active=margins) as recorded:
                    validity = domain.validity(variables) if hypotheses else {}
        except UndecidedInstances as undecided:
            kept = np.flatnonzero(~_per_instance(undecided.where, count))
            sample, origin = sample[kept], origin[kept]
            continue
        answers = {name: _answers(name, holds, count) for name, holds in validity.items()}
        held = [np.broadcast_to(margin, (count, margin.shape[1])) for margin in recorded]
        return Batch(sample, variables, answers, origin, np.hstack([np.zeros((count, 0)), *held]))
    return None


def _per_instance(where: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.bool_]:
    where = np.asarray(where)
    if where.ndim == 0 or where.shape[0] != count:
        # what cannot be evaluated does not depend on the instance
        return np.ones(count, dtype=bool)
    return np.asarray(where.reshape(count, -1).any(axis=1))


def _answers(name: str, holds: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.bool_]:
    if holds.ndim > 1 or holds.shape not in ((), (1,), (count,)):
        raise BrokenStatement(
            f"hypothesis {name!r} must give one answer for each of {count} instances, got the shape {holds.shape}"
        )
    return np.broadcast_to(holds, (count,))


Comparisons: TypeAlias = tuple[int, ...] | None
"""Places of some of the comparisons of a relation; None for all of them."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A float instance and what the statement says there; `comparisons`: places of the comparisons of which it is the slack."""

    sample: Sample
    relative_slack: float
    verdict: int
    comparisons: Comparisons = None


ATTAINED = 1e-12
"""A comparison whose relative slack is below this at most instances is attained by all of them, up to rounding."""


def objectives(relation: Relation, asked: npt.NDArray[np.bool_]) -> list[Comparisons]:
    """The comparisons that a search brings nearer to failing, each by itself; what is usual, the instances `asked` say.

    In the smallest slack of all of them an optimiser sees one that is attained and none of the others. An equality has no slack
    to lose, and neither has an inequality that most instances attain: both are left to the draws where there is another.
    """
    bounds = [place for place, comparison in enumerate(relation.comparisons) if comparison.sense != "eq"]
    if len(relation.comparisons) == 1 or not bounds:
        return [None]
    with np.errstate(invalid="ignore"):
        slacks = relation.relative_slacks()
        usual = np.median(slacks[:, asked] if asked.any() else slacks, axis=-1)
    return [(place,) for place in bounds if not usual[place] < ATTAINED] or [tuple(bounds)]


def slack_and_verdict(relation: Relation, comparisons: Comparisons) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8]]:
    """The smallest relative slack of these comparisons, and what they say, one for each instance."""
    part = part_of(relation, comparisons)
    return np.broadcast_to(part.relative_slack, relation.batch_shape), np.broadcast_to(part.verdict, relation.batch_shape)


def smallest_slack(relation: Relation, comparisons: Comparisons) -> npt.NDArray[np.float64]:
    """The smallest slack of these comparisons, in the units of their sides, one for each instance."""
    chosen = [relation.comparisons[place] for place in comparisons] if comparisons is not None else relation.comparisons
    least = [
        comparison.slack.min(axis=comparison.last_axes, initial=np.finfo(float).max) if comparison.over else comparison.slack
        for comparison in chosen
    ]
    return np.broadcast_to(functools.reduce(np.minimum, least), relation.batch_shape)


def part_of(relation: Relation, comparisons: Comparisons) -> Relation:
    """These comparisons of a relation."""
    return relation if comparisons is None else Relation(tuple(relation.comparisons[place] for place in comparisons))


def evaluate(statement: Statement, batch: Batch, indices: npt.NDArray[np.intp]) -> tuple[Relation, npt.NDArray[np.intp]] | None:
    """The statement on those instances of a batch that float64 can decide, with their indices.

    Raises
    ------
    BrokenStatement
        What the statement returns is no relation, or has not one answer for each instance.
    """
    while len(indices):
        try:
            with np.errstate(all="ignore"):
                everything = len(indices) == batch_length(batch.sample)
                chosen = (
                    batch.variables if everything else {k: read_only(select(v, indices)) for k, v in batch.variables.items()}
                )
                return check_relation(call_with(statement, chosen), statement, len(indices)), indices
        except UndecidedInstances as undecided:
            indices = indices[~_per_instance(undecided.where, len(indices))]
        except OverflowError:  # an integer beyond the largest float: all is left to the rationals
            return None
    return None


def judged(
    statement: Statement,
    domain: Domain,
    batch: Batch,
    indices: npt.NDArray[np.intp],
    rng: np.random.Generator,
    *,
    thorough: bool = True,
) -> tuple[Relation, npt.NDArray[np.intp]] | None:
    """`evaluate`, with the rounding of what is close to failing measured."""
    evaluation = evaluate(statement, batch, indices)
    if evaluation is None:
        return None
    relation, indices = evaluation

    def again(sample: Sample) -> tuple[Relation, npt.NDArray[np.intp]] | None:
        prepared = prepare(domain, sample, hypotheses=False)
        if prepared is None:
            return None
        relation = evaluate(statement, prepared, prepared.places)
        return None if relation is None else (relation[0], prepared.origin[relation[1]])

    with shaken_matrices():
        return with_measured_rounding(relation, batch.sample[indices], domain, again, rng, thorough=thorough), indices


def judged_alone(statement: Statement, domain: Domain, sample: Sample) -> Relation | None:
    """The statement at one float instance, with its rounding measured; None where floats cannot evaluate it."""
    batch = prepare(domain, sample[None])
    judgement = None if batch is None else judged(statement, domain, batch, batch.places, np.random.default_rng(0))
    return None if judgement is None else judgement[0]
