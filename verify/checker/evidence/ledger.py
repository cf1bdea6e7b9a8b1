"""The ledger: one line of JSON for each shard of work done, so that evidence from many runs and machines adds up.

A line says which statement was tried (by its fingerprint), with which seed and budget, and what came of it; it holds no time
of day and no seconds, so that the same shard gives the same line anywhere. Merging is the union of lines, sorted: it is
associative, commutative and idempotent.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SCHEMA = 1


class TornLedgerWarning(UserWarning):
    """The last line of a ledger was cut off by a crash and is dropped; its shard counts as not done."""


class UnusableLedger(ValueError):
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
    outcome, tier
        "holds", "refuted" or "undecided"; "searched" or "exact".
    drawn, valid, evaluations, decided
        Instances drawn, those that satisfied the hypotheses, evaluations made, instances decided on rationals.
    relative_slack
        The smallest met, as text (`float.hex`), or None if nothing was evaluated.
    versions
        Of Python's packages that the numbers may depend on.
    """

    claim: str
    fingerprint: str
    seed: int
    budget: str
    outcome: str
    tier: str
    drawn: int
    valid: int
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
        return json.dumps({"schema": SCHEMA, **asdict(self)}, sort_keys=True, separators=(",", ":"))


_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "claim": str,
    "fingerprint": str,
    "seed": int,
    "budget": str,
    "outcome": str,
    "tier": str,
    "drawn": int,
    "valid": int,
    "evaluations": int,
    "decided": int,
    "relative_slack": (str, type(None)),
    "versions": dict,
}


def _entry(path: Path, number: int, line: str) -> Entry:
    try:
        document: Any = json.loads(line)
    except json.JSONDecodeError as error:
        raise UnusableLedger(f"{path}, line {number}: not JSON ({error})") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise UnusableLedger(f"{path}, line {number}: not a line of a ledger of schema {SCHEMA}")
    wrong = [name for name, kind in _FIELDS.items() if not isinstance(document.get(name, ...), kind)]
    if wrong or set(document) != {"schema", *_FIELDS}:
        raise UnusableLedger(f"{path}, line {number}: not an entry of a ledger ({', '.join(wrong) or 'unknown fields'})")
    slack = document["relative_slack"]
    if slack is not None and not re.fullmatch(r"-?0x[01]\.[0-9a-f]+p[+-]\d+", slack):
        raise UnusableLedger(f"{path}, line {number}: relative_slack must be a hexadecimal float, got {slack!r}")
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
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableLedger(f"{path}: not a ledger ({error})") from error
    lines = text.split("\n")
    if lines[-1]:
        warnings.warn(f"{path}: the last line is torn and is dropped", TornLedgerWarning, stacklevel=2)
    return [_entry(path, number, line) for number, line in enumerate(lines[:-1], start=1)]


def append(path: Path, entry: Entry) -> None:
    """Add an entry to a ledger: one write of one line, on the disk when the call returns. A torn last line is cut off first."""
    _cut_torn_line(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(descriptor, (entry.line() + "\n").encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _cut_torn_line(path: Path) -> None:
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb+") as file:
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)


def merged(ledgers: Iterable[Iterable[Entry]]) -> list[Entry]:
    """The union of ledgers, in the order of their lines; equal entries count once."""
    lines = {entry.line(): entry for ledger in ledgers for entry in ledger}
    return [lines[line] for line in sorted(lines, key=lambda line: (*lines[line].shard, line))]


def write_ledger(path: Path, entries: Iterable[Entry]) -> None:
    """Write a whole ledger, replacing what is there only when all is on the disk."""
    partial = path.with_name(path.name + ".part")
    with partial.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(entry.line() + "\n" for entry in entries)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


@dataclass(frozen=True)
class Total:
    """What a ledger says of one statement.

    Attributes
    ----------
    shards, drawn, valid, evaluations, decided
        Sums over its shards, each counted once.
    relative_slack
        The smallest.
    refuted
        Whether some shard refuted it.
    """

    shards: int
    drawn: int
    valid: int
    evaluations: int
    decided: int
    relative_slack: float
    refuted: bool


def totals(entries: Iterable[Entry]) -> dict[tuple[str, str], Total]:
    """Sums of a ledger by claim and fingerprint; a shard that was done twice (with other versions, say) counts once."""
    shards: dict[tuple[str, str], dict[tuple[str, str, int, str], Entry]] = {}
    for entry in merged([entries]):
        shards.setdefault((entry.claim, entry.fingerprint), {}).setdefault(entry.shard, entry)
    result = {}
    for key, by_shard in shards.items():
        ones = list(by_shard.values())
        slacks = [float.fromhex(one.relative_slack) for one in ones if one.relative_slack is not None]
        result[key] = Total(
            len(ones),
            sum(one.drawn for one in ones),
            sum(one.valid for one in ones),
            sum(one.evaluations for one in ones),
            sum(one.decided for one in ones),
            min(slacks, default=float("inf")),
            any(one.outcome == "refuted" for one in ones),
        )
    return result
