"""The last result of every claim on this machine: for ``verify show``, and for ``verify run --last-failed``.

It is a convenience and no evidence: it is kept in the user's cache (``XDG_CACHE_HOME``, or ``~/.cache``), and goes with it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verify.checker.record import Record
from verify.claims.claim import Claim
from verify.evidence.files import (
    UnusableFile,
    from_json,
    locked,
    read_text,
    shortened,
    throw_away,
    witness_folder,
    write_whole,
)
from verify.evidence.fingerprint import source_fingerprint


@dataclass(frozen=True)
class LastResult:
    """What the last run said of a claim, when, and of which form of the statement."""

    outcome: str
    evidence: str
    relative_slack: float | None
    problems: list[str]
    budget: str
    seed: int
    when: str
    fingerprint: str


def _file(package: str) -> Path:
    """Where the results of a package are kept; packages of one name in two places are two."""
    folder = witness_folder(package).parent.resolve()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "deep-l2-verify" / f"{package}-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}.json"


def last_results(package: str) -> dict[str, LastResult]:
    """The last result of each claim of a package; none where nothing is known. What cannot be read is thrown away, and said."""
    with suppress(OSError, RuntimeError):  # no home
        path = _file(package)
        if not os.path.lexists(path):
            return {}
        try:
            document = from_json(read_text(path))
            if not isinstance(document, dict):
                raise UnusableFile("not an object by the ids of claims")
            return {claim: _result(result) for claim, result in document.items()}
        except UnusableFile as error:
            throw_away(path, str(error))
    return {}


def _result(document: Any) -> LastResult:
    if not isinstance(document, dict) or set(document) != {field_.name for field_ in fields(LastResult)}:
        raise UnusableFile(f"not the last result of a claim: {shortened(document)}")
    result = LastResult(**document)
    texts = (result.outcome, result.evidence, result.budget, result.when, result.fingerprint)
    slack = result.relative_slack
    fits = (
        all(isinstance(text, str) for text in texts)
        and isinstance(result.problems, list)
        and all(isinstance(problem, str) for problem in result.problems)
        and type(result.seed) is int
        and (slack is None or (isinstance(slack, int | float) and not isinstance(slack, bool)))
    )
    if not fits:
        raise UnusableFile(f"not the last result of a claim: {shortened(document)}")
    return result


def remember(package: str, claims: Mapping[str, Claim], records: Iterable[Record], budget: str, seed: int) -> None:
    """Keep what a run said; other claims of the package keep what is known of them, be it from a run beside this one."""
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    now = {
        record.id: LastResult(
            record.outcome,
            record.evidence,
            record.relative_slack,
            list(record.problems),
            budget,
            seed,
            when,
            form_of(claims[record.id]),
        )
        for record in records
    }
    # a home that cannot be written to, or a full disk, must not fail a run that has its results
    with suppress(OSError, RuntimeError):
        path = _file(package)
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(path):
            before = {claim: result for claim, result in last_results(package).items() if claim in claims}
            write_whole(path, json.dumps({claim: asdict(result) for claim, result in (before | now).items()}, indent=1) + "\n")


def form_of(claim: Claim) -> str:
    """The fingerprint of the source of the statement, for which nothing is evaluated; empty where its code cannot be read."""
    try:
        return source_fingerprint(claim)
    except Exception:  # whatever a broken declaration raises: its record says what is wrong
        return ""
