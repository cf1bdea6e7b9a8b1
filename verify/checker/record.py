"""What a check gave, in plain values: it travels between machines, and the table, the pages and the JSON are made of it.

An `Outcome` holds a claim, balls and arrays, none of which can be sent to another process.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from verify.checker.checking import Outcome, VariantResult
from verify.claims.claim import Claim, Statement
from verify.claims.domain import Domain, Sample
from verify.claims.shown import derived_values
from verify.engines.machine import versions
from verify.evidence import as_text, document_of, witness_of
from verify.numbers.arithmetic import floats, is_exact
from verify.search import Refutation, shrink
from verify.search.batch import judged_alone

SCHEMA = 2


@dataclasses.dataclass(frozen=True)
class Record:
    """The outcome of one claim.

    Attributes
    ----------
    id, title, paper, label, status, expected
        From the claim.
    outcome, evidence, drawn, feasible, evaluations, in_floats, decided, undecided, not_a_number, nowhere, broken,
    relative_slack, by
        See `verify.checker.checking.Searched`; a relative slack of 0 is inside its error.
    tight
        Relative slack at each named tight example.
    false_variants
        For each, whether it was refuted, by which phase, after how many evaluations, the relative slack reached, and where.
    needs
        For each hypothesis, whether the search shows it "needed", or "unknown".
    needed_at
        For each that is needed, an instance that breaks it alone and at which the statement is false, on rationals.
    exact, rate
        Verdicts of the exact parts; the fitted exponent, its uncertainty and the stated one.
    problems
        What is not as expected, in words.
    remarks
        What the claim lacks, though nothing is wrong.
    counterexample
        The instance that refutes the statement, as a witness file holds it, and the variables that are derived from it.
    nearest
        Where nothing refutes the statement: the worst instance in floats, and both sides there. A false variant that was not
        refuted has one, too.
    slacks
        How many feasible drawn instances have which relative slack (see `verify.search.slack_classes`).
    exhausted
        The sizes of which all instances were evaluated, and how many these are (see `verify.checker.checking.Searched`).
    witness
        Path of a witness file.
    error
        The traceback, where the check itself broke down.
    versions
        Of what made it (see `verify.engines.machine.versions`); empty if its worker was lost.
    kept
        When it was made, if an earlier run made it (see `verify.checker.records`).
    """

    id: str
    title: str
    paper: str
    label: str
    status: str
    expected: str
    outcome: str = "undecided"
    evidence: str = "searched"
    drawn: int = 0
    feasible: int = 0
    evaluations: int = 0
    in_floats: int = 0
    decided: int = 0
    undecided: int = 0
    not_a_number: int = 0
    nowhere: int = 0
    broken: Mapping[str, int] = dataclasses.field(default_factory=dict)
    relative_slack: float | None = None
    by: str | None = None
    tight: Mapping[str, float | None] = dataclasses.field(default_factory=dict)
    false_variants: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    needs: Mapping[str, str] = dataclasses.field(default_factory=dict)
    needed_at: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    exact: Mapping[str, str] = dataclasses.field(default_factory=dict)
    rate: Mapping[str, float | None] | None = None
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    counterexample: Mapping[str, Any] | None = None
    nearest: Mapping[str, Any] | None = None
    slacks: tuple[int, ...] = ()
    exhausted: Mapping[str, int] = dataclasses.field(default_factory=dict)
    witness: str | None = None
    seconds: float = 0.0
    error: str | None = None
    versions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    kept: str | None = None

    @property
    def as_expected(self) -> bool:
        """Whether there is no problem."""
        return not self.problems

    @property
    def variants_refuted(self) -> str:
        """Such as "3/3"."""
        return f"{sum(bool(variant['refuted']) for variant in self.false_variants.values())}/{len(self.false_variants)}"


def _identity(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.id,
        "title": claim.title,
        "paper": claim.source.paper,
        "label": claim.source.label,
        "status": claim.status.name,
        "expected": claim.expected,
    }


def finite(number: float) -> float | None:
    """`number`, or None where JSON has no word for it."""
    return float(number) if math.isfinite(number) else None


def _variant(result: VariantResult, statement: Statement, domain: Domain) -> dict[str, Any]:
    slack = finite(result.relative_slack)
    result_document = {"refuted": result.refuted, "by": result.by, "evaluations": result.evaluations, "relative_slack": slack}
    if result.refutation is not None:
        return result_document | {"counterexample": _simplest(result.refutation, statement, domain)}
    nearest = _nearest(statement, domain, result.worst, attained=result.relative_slack == 0)
    return result_document if nearest is None else result_document | {"nearest": nearest}


SIMPLER = 24
"""Exact decisions that make the instance against a false variant simpler, so that a person can read it."""


def _simplest(refutation: Refutation, statement: Statement, domain: Domain, without: str | None = None) -> dict[str, Any]:
    """A simple instance at which a statement is false, on rationals, and both sides there."""
    # a false statement may raise at other instances: it is false at this one
    shrunk, _ = shrink(refutation, statement, domain, without=without, decisions=SIMPLER)
    left, right, _ = shrunk.relation.worst()
    return {
        "sizes": dict(shrunk.sample.sizes),
        "coordinates": {name: as_text(values) for name, values in shrunk.sample.coordinates.items()},
        **_derived(domain, shrunk.sample),
        "left": str(left),
        "right": str(right),
    }


def _derived(domain: Domain, sample: Sample) -> dict[str, Any]:
    """The variables that are derived from the free parameters, and what kinds these are of; empty if there are none."""
    derived = {name: _as_plain(part) for name, part in derived_values(domain, sample).items()}
    kinds = domain.kinds(sample.sizes)
    return ({"derived": derived} if derived else {}) | ({"kinds": kinds} if kinds else {})


def _as_plain(part: Any) -> Any:
    if isinstance(part, str):
        return part
    return as_text(part) if is_exact(part) else part.tolist()


def _nearest(statement: Statement, domain: Domain, sample: Sample | None, *, attained: bool) -> dict[str, Any] | None:
    """A float instance of a search and both sides there; None where there is none, or where they cannot be evaluated."""
    if sample is None:
        return None
    try:
        relation = judged_alone(statement, domain, sample)
    except Exception:  # whatever a statement raises is told by the problems
        return None
    if relation is None or relation.is_empty:
        return None
    left, right, slack = relation.worst()
    return {
        "sizes": dict(sample.sizes),
        "coordinates": {name: _plain(values) for name, values in sample.coordinates.items()},
        **_derived(domain, sample),
        "left": str(left),
        "right": str(right),
        "slack": 0.0 if attained else finite(slack),
    }


def _counterexample(claim: Claim, refutation: Refutation) -> dict[str, Any]:
    return document_of(witness_of(claim, refutation)) | _derived(claim.domain, refutation.sample)


def _plain(values: Any) -> Any:
    return np.asarray(floats(values)).tolist()


def record_of(outcome: Outcome) -> Record:
    """The plain values of `outcome`."""
    claim, searched, rate = outcome.claim, outcome.searched, outcome.rate
    fields = ("exponent", "uncertainty", "stated")
    return Record(
        **_identity(claim),
        outcome=outcome.outcome,
        evidence=outcome.evidence,
        drawn=int(searched.drawn),
        feasible=int(searched.feasible),
        evaluations=int(searched.evaluations),
        in_floats=int(searched.in_floats),
        decided=int(searched.decided),
        undecided=int(searched.undecided),
        not_a_number=int(searched.not_a_number),
        nowhere=int(searched.nowhere),
        broken={name: int(count) for name, count in searched.broken.items()},
        relative_slack=finite(searched.relative_slack),
        by=searched.by,
        tight={name: finite(result.relative_slack) for name, result in outcome.tight.items()},
        false_variants={
            name: _variant(result, claim.false_variants[name], claim.domain) for name, result in outcome.false_variants.items()
        },
        needs={
            name: "needed" if name in outcome.needs and outcome.needs[name].refuted else "unknown"
            for name in claim.domain.hypotheses
        },
        needed_at={
            name: _simplest(result.refutation, claim.statement, claim.domain, name)
            for name, result in outcome.needs.items()
            if result.refutation is not None
        },
        exact={name: result.verdict.name.lower() for name, result in outcome.exact.items()},
        rate=None if rate is None else {name: finite(getattr(rate, name)) for name in fields},
        problems=tuple(outcome.problems()),
        remarks=tuple(outcome.remarks()),
        nearest=None
        if searched.refutation is not None
        else _nearest(claim.statement, claim.domain, searched.worst, attained=searched.relative_slack == 0),
        slacks=searched.slacks,
        exhausted={name: int(count) for name, count in searched.exhausted.items()},
        counterexample=None if searched.refutation is None else _counterexample(claim, searched.refutation),
        seconds=float(outcome.seconds),
    )


def record_of_failure(claim: Claim, error: BaseException, traceback: str | None = None) -> Record:
    """The record of a claim whose check raised `error`."""
    problem = f"the check raised {type(error).__name__}: {error}"
    return Record(**_identity(claim), problems=(problem,), error=traceback)


def summary(records: Iterable[Record]) -> dict[str, Any]:
    """Counts over all records, and the seconds of those that were made now."""
    records = list(records)
    outcomes = [record.outcome for record in records]
    return {
        "claims": len(records),
        "as_expected": sum(record.as_expected for record in records),
        **{name: outcomes.count(name) for name in ("survived", "refuted", "undecided")},
        "kept": sum(record.kept is not None for record in records),
        "seconds": round(sum(record.seconds for record in records if record.kept is None), 3),
    }


def document(
    records: Iterable[Record], *, budget: str, seed: int, engine: str, interrupted: bool, problems: Iterable[str] = ()
) -> dict[str, Any]:
    """What ``verify run --json`` writes."""
    records = list(records)
    return {
        "schema": SCHEMA,
        "budget": budget,
        "seed": seed,
        "engine": engine,
        "interrupted": interrupted,
        "problems": list(problems),
        "versions": dict(versions()),
        "claims": [dataclasses.asdict(record) for record in records],
        "summary": summary(records),
    }
