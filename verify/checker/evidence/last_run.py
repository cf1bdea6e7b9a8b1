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

from verify.checker.evidence.files import UnusableFile, from_json, read_text, witness_folder, write_whole
from verify.checker.evidence.fingerprint import claim_fingerprint
from verify.checker.record import Record
from verify.claim import Claim


@dataclass(frozen=True)
class LastResult:
    """What the last run said of a claim, when, and of which form of the statement."""

    outcome: str
    tier: str
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
    """The last result of each claim of a package; none where nothing is known, or where what is kept cannot be read."""
    try:
        document = from_json(read_text(_file(package)))
        if not isinstance(document, dict):
            return {}
        names = {one.name for one in fields(LastResult)}
        return {claim: LastResult(**one) for claim, one in document.items() if isinstance(one, dict) and set(one) == names}
    except (UnusableFile, OSError, RuntimeError):  # no file, or no home
        return {}


def remember(package: str, claims: Mapping[str, Claim], records: Iterable[Record], budget: str, seed: int) -> None:
    """Keep what a run said; other claims of the package keep what is known of them."""
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    known = {claim: one for claim, one in last_results(package).items() if claim in claims}
    for one in records:
        known[one.id] = LastResult(
            one.outcome,
            one.tier,
            one.relative_slack,
            list(one.problems),
            budget,
            seed,
            when,
            _fingerprint(claims[one.id]),
        )
    # a home that cannot be written to, or a full disk, must not fail a run that has its results
    with suppress(OSError, RuntimeError):
        path = _file(package)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({claim: asdict(one) for claim, one in known.items()}, indent=1) + "\n")


def _fingerprint(claim: Claim) -> str:
    """That of the statement; empty where its code cannot be read."""
    try:
        return claim_fingerprint(claim)
    except Exception:  # whatever a broken declaration raises: its record says what is wrong
        return ""
