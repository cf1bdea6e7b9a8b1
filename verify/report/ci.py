"""What a run tells services of continuous integration: annotations, a summary, a badge, a report of code quality."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.claims.claim import Claim
from verify.report import console, words

if TYPE_CHECKING:
    from verify.checker.record import Record


def place(claim: Claim) -> tuple[str, int]:
    """File and line of a claim, or of its statement if the claim is made elsewhere; the file relative to the folder here."""
    function = words.unwrapped(claim.statement)
    file = Path(inspect.getsourcefile(function) or "")
    line = function.__code__.co_firstlineno
    if file.is_file():
        lines = file.read_text(encoding="utf-8").splitlines()
        line = next((number for number, text in enumerate(lines, start=1) if f'id="{claim.id}"' in text), line)
    here = Path.cwd()
    return str(file.relative_to(here) if file.is_relative_to(here) else file), line


def annotated(records: Iterable[Record], claims: Mapping[str, Claim]) -> str:
    """A line for GitHub Actions for each claim that is not as expected, which is shown beside the line of the claim."""
    lines = []
    for record in records:
        if not record.as_expected:
            file, line = place(claims[record.id])
            message = _escaped("; ".join(record.problems))
            name = _escaped(record.id).replace(",", "%2C").replace(":", "%3A")
            lines.append(f"::error file={_escaped(file)},line={line},title={name}::{message}\n")
    return "".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def summary(records: Sequence[Record], budget: str, seed: int) -> str:
    """The summary of a job, in Markdown: one line, and a table of what is not as expected."""
    text = f"### verify\n\n{console.summary_line(records, budget, seed)}\n"
    wrong = [record for record in records if not record.as_expected]
    if wrong:
        text += "\n| claim | outcome | expected | problem |\n|---|---|---|---|\n"
    for record in wrong:
        problem = "; ".join(record.problems).replace("|", "\\|").replace("\n", " ")
        text += f"| `{record.id}` | {record.outcome} | {record.expected} | {problem} |\n"
    return text


def badge(records: Sequence[Record]) -> dict[str, Any]:
    """A badge as shields.io reads it from an address (`endpoint`)."""
    wrong = sum(not record.as_expected for record in records)
    count = f"{len(records)} claim{'s' * (len(records) != 1)}"
    message = f"{wrong} of {count} not as expected" if wrong else f"{count} as expected"
    return {"schemaVersion": 1, "label": "verify", "message": message, "color": "red" if wrong else "brightgreen"}


def code_quality(records: Iterable[Record], claims: Mapping[str, Claim]) -> list[dict[str, Any]]:
    """A report of code quality for GitLab: an entry for each claim that is not as expected."""
    entries = []
    for record in records:
        if record.as_expected:
            continue
        file, line = place(claims[record.id])
        entries.append(
            {
                "description": f"{record.id}: {'; '.join(record.problems)}",
                "check_name": "verify",
                "fingerprint": hashlib.sha256(record.id.encode()).hexdigest()[:32],
                "severity": "major",
                "location": {"path": file, "lines": {"begin": line}},
            }
        )
    return entries
