"""What is otherwise than in an earlier run: outcomes, evidence, slacks, claims that are new and claims that are gone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from verify.checker.baseline import SLACK, VIOLATION, UnusableBaseline, read_baseline
from verify.checker.record import SCHEMA, Record
from verify.evidence.files import UnusableFile, from_json, is_of_schema, read_text, shortened, witness_folder
from verify.numbers.relation import FLOAT_ULPS
from verify.report import words

ROUNDING = FLOAT_ULPS * 2.0**-52
"""What a relative slack may move by where the baseline knows no noise."""


@dataclass(frozen=True)
class Run:
    """A file of ``verify run --json``.

    Attributes
    ----------
    name
        Of the file.
    budget, seed
        How hard it was tried.
    records
        What was found, by claim.
    """

    name: str
    budget: str
    seed: int
    records: Mapping[str, Record]


@dataclass(frozen=True)
class Change:
    """Something that is otherwise: of which claim, what of it, what it was and what it is now."""

    claim: str
    what: str
    before: str
    now: str


@dataclass(frozen=True)
class Since:
    """What changed since a run.

    Attributes
    ----------
    run
        The earlier one.
    changes
        In the order of the claims; empty if nothing changed.
    compared
        How many claims are in both runs.
    same_search
        Whether both were searched with the same budget: else their slacks say nothing of each other, and are left out.
    """

    run: Run
    changes: Sequence[Change] = field(default_factory=tuple)
    compared: int = 0
    same_search: bool = True

    @property
    def in_words(self) -> str:
        """A sentence with the counts."""
        kinds: dict[str, int] = {}
        for change in self.changes:
            kinds[change.what] = kinds.get(change.what, 0) + 1
        counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "nothing changed"
        left_out = "" if self.same_search else f"; slacks are not compared, for it had the budget {self.run.budget}"
        return f"since {self.run.name} ({self.compared} claims in both): {counted}{left_out}"


def read_run(path: Path) -> Run:
    """A file of ``verify run --json``, of this version or an earlier one.

    Raises
    ------
    UnusableFile
        It is none; the message says why.
    """
    try:
        document = from_json(read_text(path))
        if not is_of_schema(document, SCHEMA) or not isinstance(document.get("claims"), list):
            raise UnusableFile(f"not what `verify run --json` writes, of schema {SCHEMA}")
        seed = document.get("seed", 0)
        if type(seed) is not int:
            raise UnusableFile(f"a seed is an integer, got {shortened(seed)}")
        records = [_record(record) for record in document["claims"]]
        return Run(path.name, str(document.get("budget")), seed, {record.id: record for record in records})
    except UnusableFile as error:
        raise UnusableFile(f"{path}: {error}") from error


def _record(document: Any) -> Record:
    known = {attribute.name for attribute in fields(Record)}
    try:
        record = Record(**{name: value for name, value in document.items() if name in known})
    except (AttributeError, TypeError) as error:
        raise UnusableFile(f"not a claim of a run: {shortened(json.dumps(document))}") from error
    # of what is compared
    texts = [record.id, record.outcome, record.evidence, record.status]
    slack = record.relative_slack
    if (
        not isinstance(record.problems, list | tuple)
        or not all(isinstance(text, str) for text in (*texts, *record.problems))
        or not (slack is None or (isinstance(slack, int | float) and not isinstance(slack, bool)))
    ):
        raise UnusableFile(f"not a claim of a run: {shortened(json.dumps(document))}")
    return record


def since(run: Run, records: Iterable[Record], known: Iterable[str], packages: Mapping[str, str], budget: str) -> Since:
    """What changed from an earlier run to these records.

    A claim is gone if it is not `known` any more; one that was not checked now is not compared. A slack counts where it moved
    by more than the noise that the baseline of its package has for it.
    """
    noise = _noise(set(packages.values()))
    same_search = run.budget == budget
    changes: list[Change] = []
    compared = 0
    for record in records:
        before = run.records.get(record.id)
        if before is None:
            changes.append(Change(record.id, "new", "", record.outcome))
            continue
        compared += 1
        changes += _changes(before, record, noise.get(record.id, ROUNDING), with_slack=same_search)
    known = set(known)
    changes += [Change(name, "gone", record.outcome, "") for name, record in run.records.items() if name not in known]
    return Since(run, tuple(sorted(changes, key=lambda change: change.claim)), compared, same_search)


def _changes(before: Record, now: Record, noise: float, *, with_slack: bool) -> list[Change]:
    changes = []
    for attribute in ("outcome", "evidence", "status"):
        old, new = getattr(before, attribute), getattr(now, attribute)
        if old != new:
            changes.append(Change(now.id, attribute, old.replace("_", " "), new.replace("_", " ")))
    if before.as_expected != now.as_expected and before.outcome == now.outcome:
        old, new = ("as expected" if record.as_expected else record.problems[0] for record in (before, now))
        changes.append(Change(now.id, "problem", old, new))
    old_slack, new_slack = before.relative_slack, now.relative_slack
    if with_slack and old_slack is not None and new_slack is not None and abs(old_slack - new_slack) > noise:
        changes.append(Change(now.id, "relative slack", words.slack(old_slack), words.slack(new_slack)))
    return changes


def _noise(packages: Iterable[str]) -> dict[str, float]:
    """How far the smallest slack of each claim moves for reasons that mean nothing, as the baselines have measured it."""
    noise: dict[str, float] = {}
    for package in packages:
        try:
            bounds = read_baseline(witness_folder(package).with_name("baseline.json"))
        except UnusableBaseline:
            continue  # a package need not have one
        for claim, quantities in bounds.items():
            for name in (SLACK, VIOLATION):
                if name in quantities:
                    noise[claim] = max(ROUNDING, quantities[name].noise)
    return noise
