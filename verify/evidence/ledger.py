"""The ledger: one line of JSON for each shard of work done, so that evidence from many runs and machines adds up.

A line says which statement was tried (by its fingerprint), with which seed and budget, what came of it, and what computed it:
versions, the kernel of the linear algebra and the instructions of the processor. It holds no time of day and no seconds, so
that the same shard gives the same line wherever these are the same; elsewhere sums round in another order, and counts may
differ. Merging is the union of lines, sorted: it is associative, commutative and idempotent.
"""

from __future__ import annotations

import json
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from verify.evidence.files import UnusableFile, append_lines, from_json, is_of_schema, shortened, stat_of, write_whole
from verify.evidence.fingerprint import FORM

SCHEMA = 2


class TornLedgerWarning(UserWarning):
    """The last line of a ledger was cut off by a crash and is dropped; its shard counts as not done."""


class UnusableLedger(UnusableFile):
    """A file that is not a ledger."""


@dataclass(frozen=True)
class Entry:
    """What one shard gave.

    Attributes
    ----------
    claim, fingerprint
        The claim, and the fingerprint of its statement at the time.
    seed, budget
        What was drawn: the same seed and budget draw the same instances.
    outcome, evidence
        "survived", "refuted" or "undecided"; "searched" or "exact".
    drawn, feasible, evaluations, decided
        Instances drawn, those that satisfied the hypotheses, evaluations made, instances decided on rationals.
    relative_slack
        The smallest met, as text (`float.hex`), or None if nothing was evaluated.
    versions
        Of what the numbers may depend on (see `verify.engines.machine.versions`).
    """

    claim: str
    fingerprint: str
    seed: int
    budget: str
    outcome: str
    evidence: str
    drawn: int
    feasible: int
    evaluations: int
    decided: int
    relative_slack: str | None
    versions: Mapping[str, str]

    @property
    def shard(self) -> tuple[str, str, int, str]:
        """What identifies the work: claim, fingerprint, seed and budget."""
        return self.claim, self.fingerprint, self.seed, self.budget

    def line(self) -> str:
        """The entry as a line of JSON, without its end."""
        return self._line

    @cached_property
    def _line(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, sort_keys=True, separators=(",", ":"), allow_nan=False)


OUTCOMES = ("refuted", "undecided", "survived")
"""What may be said of a shard, what counts most first: of a shard that was done on several machines, the first is believed."""
BUDGETS = ("quick", "standard", "deep")
EVIDENCE = ("searched", "exact")
LONGEST = 2**20
"""Bytes of a line; what is written here has a few hundred."""


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_slack(value: Any) -> bool:
    if value is None:
        return True
    if not isinstance(value, str) or not re.fullmatch(r"-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}", value):
        return False
    try:
        return math.isfinite(float.fromhex(value))
    except OverflowError:
        return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= 1000


_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "claim": (_is_text, "the id of a claim"),
    "fingerprint": (lambda value: isinstance(value, str) and bool(re.fullmatch(FORM, value)), "16-16 hexadecimal digits"),
    "seed": (_is_count, "an integer from 0 to 2**63 - 1"),
    "budget": (lambda value: value in BUDGETS, f"one of {', '.join(BUDGETS)}"),
    "outcome": (lambda value: value in OUTCOMES, f"one of {', '.join(OUTCOMES)}"),
    "evidence": (lambda value: value in EVIDENCE, f"one of {', '.join(EVIDENCE)}"),
    **dict.fromkeys(("drawn", "feasible", "evaluations", "decided"), (_is_count, "a count")),
    "relative_slack": (_is_slack, "a finite hexadecimal float or null"),
    "versions": (
        lambda value: isinstance(value, dict) and all(_is_text(key) and _is_text(text) for key, text in value.items()),
        "an object of texts",
    ),
}
"""For each field of a line whether a value is one of it, and what it should be."""

_COUNT = "(0|[1-9][0-9]{0,17})"
_WRITTEN = re.compile(
    f'{{"budget":"({"|".join(BUDGETS)})","claim":"([a-z0-9_.]{{1,1000}})","decided":{_COUNT},"drawn":{_COUNT},'
    f'"evaluations":{_COUNT},"evidence":"({"|".join(EVIDENCE)})","feasible":{_COUNT},"fingerprint":"({FORM})",'
    f'"outcome":"({"|".join(OUTCOMES)})",'
    r'"relative_slack":(?:null|"(-?0x[01]\.[0-9a-f]{1,13}p[+-](?:0|[1-9][0-9]{0,2}))"),'
    f'"schema":{SCHEMA},"seed":{_COUNT},"versions":({{.*}})}}\n'
)
"""A line as `Entry.line` writes it, and its fields: what matches needs no parser of JSON, which is slow for a million lines."""


def _entry(line: bytes, known: dict[str, Mapping[str, str] | None]) -> Entry:
    """The entry of a line; `known` keeps the versions that were met, in which most lines of a ledger agree."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableFile("it is not text in UTF-8") from error
    match = _WRITTEN.fullmatch(text)
    if match is not None:
        budget, claim, decided, drawn, evaluations, evidence, feasible, fingerprint, *more = match.groups()
        outcome, slack, seed, versions = more
        if versions not in known:
            known[versions] = _versions(versions)
        made_with = known[versions]
        if made_with is not None:
            # most lines have these texts in common, and keep one of each
            claim, fingerprint, budget, outcome, evidence = map(sys.intern, (claim, fingerprint, budget, outcome, evidence))
            counts = int(drawn), int(feasible), int(evaluations), int(decided)
            entry = Entry(claim, fingerprint, int(seed), budget, outcome, evidence, *counts, slack, made_with)
            entry.__dict__["_line"] = text[:-1]
            return entry
    return _entry_of(text)


def _versions(text: str) -> Mapping[str, str] | None:
    """The versions of a line, if they are written as `Entry.line` writes them."""
    try:
        versions = from_json(text)
    except UnusableFile:
        return None
    right = _FIELDS["versions"][0](versions) and json.dumps(versions, sort_keys=True, separators=(",", ":")) == text
    return versions if right else None


def _of_schema_2(document: Mapping[str, Any]) -> dict[str, Any]:
    """A line of schema 1 in the words of schema 2, which says the same: a ledger may be the work of weeks."""
    renamed = {"tier": "evidence", "valid": "feasible"}
    now = {renamed.get(name, name): value for name, value in document.items()} | {"schema": SCHEMA}
    if now.get("outcome") in ("holds", "unrefuted"):
        now["outcome"] = "survived"
    return now


def _entry_of(text: str) -> Entry:
    document = from_json(text)
    if is_of_schema(document, 1):
        document = _of_schema_2(document)
    if not is_of_schema(document, SCHEMA):
        raise UnusableFile(f"not a line of a ledger of schema 1 or {SCHEMA}")
    names = {"schema", *_FIELDS}
    for strange in (names - set(document), set(document) - names):
        if strange:
            fault = "lacks" if strange <= names else "has the unknown fields"
            raise UnusableFile(f"not an entry of a ledger: it {fault} {shortened(sorted(strange))}")
    for name, (fits, wanted) in _FIELDS.items():
        if not fits(document[name]):
            raise UnusableFile(f"not an entry of a ledger: {name} must be {wanted}, got {shortened(document[name])}")
    return Entry(**{name: document[name] for name in _FIELDS})


def read_ledger(path: Path) -> list[Entry]:
    """The entries of a ledger, in their order; a file that does not exist has none.

    Raises
    ------
    UnusableLedger
        A line other than a torn last one is not an entry; the message says which.

    Warns
    -----
    TornLedgerWarning
        The last line has no end, as a crash leaves it: it is dropped.
    """
    if not path.exists():
        return []
    entries = []
    number = 0
    versions: dict[str, Mapping[str, str] | None] = {}
    try:
        stat_of(path)
        with path.open("rb") as file:
            while line := file.readline(LONGEST):
                number += 1
                if line.endswith(b"\n"):
                    entries.append(_entry(line, versions))
                elif len(line) == LONGEST:
                    raise UnusableFile(f"it has more than {LONGEST} bytes")
                else:
                    warnings.warn(f"{path}: the last line is torn and is dropped", TornLedgerWarning, stacklevel=2)
    except UnusableFile as error:
        raise UnusableLedger(f"{path}{f', line {number}' if number else ''}: {error}") from error
    except OSError as error:
        raise UnusableLedger(f"{path}: it cannot be read: {error.strerror}") from error
    return entries


def append(path: Path, *entries: Entry) -> None:
    """Add entries to a ledger: whole lines, and on the disk when the call returns. A torn last line is cut off first.

    A disk takes milliseconds for that, however many lines there are.

    Raises
    ------
    OSError
        The lines could not be written, because the disk is full for example; the ledger is as it was.
    """
    append_lines(path, [entry.line() for entry in entries])


def merged(ledgers: Iterable[Iterable[Entry]]) -> list[Entry]:
    """The union of ledgers, in the order of their lines; equal entries count once."""
    lines = {entry.line(): entry for ledger in ledgers for entry in ledger}
    return sorted(lines.values(), key=lambda line: (line.claim, line.fingerprint, line.seed, line.budget, line.line()))


def write_ledger(path: Path, entries: Iterable[Entry]) -> None:
    """Write a whole ledger, replacing what is there only when all is on the disk."""
    write_whole(path, (entry.line() + "\n" for entry in entries))


@dataclass(frozen=True)
class Total:
    """What a ledger says of one statement.

    Attributes
    ----------
    shards, drawn, feasible, evaluations, decided
        Sums over its shards, each counted once.
    relative_slack
        The smallest.
    refuted
        Whether some shard refuted it.
    """

    shards: int
    drawn: int
    feasible: int
    evaluations: int
    decided: int
    relative_slack: float
    refuted: bool


def believed(entries: Iterable[Entry]) -> dict[tuple[str, str, int, str], Entry]:
    """One entry for each shard, by what identifies it.

    A shard that was done on machines that round differently has several, and what counts most of them is believed: a refutation
    is an instance on rationals, which no other machine can take back. Of equals it is the first line, so that the order of
    merging does not matter.
    """
    by_shard: dict[tuple[str, str, int, str], Entry] = {}
    for entry in sorted(merged([entries]), key=lambda line: OUTCOMES.index(line.outcome)):
        by_shard.setdefault(entry.shard, entry)
    return by_shard


def totals(entries: Iterable[Entry]) -> dict[tuple[str, str], Total]:
    """Sums of a ledger by claim and fingerprint; a shard that was done several times counts once (see `believed`)."""
    statements: dict[tuple[str, str], list[Entry]] = {}
    for entry in believed(entries).values():
        statements.setdefault((entry.claim, entry.fingerprint), []).append(entry)
    result = {}
    for key, ones in sorted(statements.items()):
        slacks = [float.fromhex(line.relative_slack) for line in ones if line.relative_slack is not None]
        result[key] = Total(
            len(ones),
            sum(line.drawn for line in ones),
            sum(line.feasible for line in ones),
            sum(line.evaluations for line in ones),
            sum(line.decided for line in ones),
            min(slacks, default=float("inf")),
            any(line.outcome == "refuted" for line in ones),
        )
    return result
