"""What a run tells services of continuous integration: annotations, a summary, a badge, a report of code quality."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.claims.claim import Claim
from verify.report import console, words

if TYPE_CHECKING:
    from verify.checker.record import Record


def place(claim: Claim) -> tuple[str, int]:
    """File and line of a claim, or of its statement if the claim is made elsewhere.

    The file is relative to the repository, of which GitHub and GitLab tell the folder, elsewhere to the folder here.
    """
    function = words.unwrapped(claim.statement)
    file = Path(inspect.getsourcefile(function) or "")
    line = function.__code__.co_firstlineno
    if file.is_file():
        lines = file.read_text(encoding="utf-8").splitlines()
        line = next((number for number, text in enumerate(lines, start=1) if f'id="{claim.id}"' in text), line)
    return _from_here(file), line


def _from_here(file: Path) -> str:
    folders = (Path(os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR") or "."), Path())
    here = next((folder.resolve() for folder in folders if file.is_relative_to(folder.resolve())), None)
    return str(file if here is None else file.relative_to(here))


def place_of_problem(problem: str) -> tuple[str, int] | None:
    """File and line of a problem that names a module, such as one that cannot be imported; None of others."""
    named = re.match(
        r"(?P<module>\w+(\.\w+)*)(: the id (?P<id>\S+) is| cannot be imported: (?P<file>[^:]*):(?P<line>\d+):)", problem
    )
    if named is None:
        return None
    top, _, inner = named["module"].partition(".")
    for folder in getattr(sys.modules.get(top), "__path__", ()):
        stem = Path(folder, *inner.split(".")) if inner else Path(folder)
        file = next((file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()), None)
        if file is not None:
            said = f'id="{named["id"]}"'
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines() if named["id"] else []
            line = next((number for number, text in enumerate(lines, start=1) if said in text), 1)
            return _from_here(file.resolve()), int(named["line"]) if named["file"] == file.name else line
    return None


def annotated(records: Iterable[Record], claims: Mapping[str, Claim], problems: Sequence[str] = ()) -> str:
    """A line for GitHub Actions for each of the `problems` of the package, such as a module that cannot be imported, and for
    each claim that is not as expected, which is shown beside the line of the claim.
    """
    lines = []
    for problem in problems:
        beside = place_of_problem(problem)
        where = f"file={_escaped(beside[0])},line={beside[1]}," if beside else ""
        lines.append(f"::error {where}title=verify::{_escaped(problem)}\n")
    for record in records:
        if not record.as_expected:
            file, line = place(claims[record.id])
            message = _escaped("; ".join(record.problems) + _instances(record))
            name = _escaped(record.id).replace(",", "%2C").replace(":", "%3A")
            lines.append(f"::error file={_escaped(file)},line={line},title={name}::{message}\n")
    return "".join(lines)


def _instances(record: Record) -> str:
    return "".join(f"\n{title}:\n{words.indented(instance, 2)}" for title, instance in console.instances(record))


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def summary(records: Sequence[Record], budget: str, seed: int, problems: Sequence[str] = ()) -> str:
    """The summary of a job, in Markdown: one line, the problems of the package, and a table of what is not as expected."""
    text = f"### verify\n\n{console.summary_line(records, budget, seed, problems=problems)}\n"
    text += "".join(f"\n- {problem}\n" for problem in problems)
    wrong = [record for record in records if not record.as_expected]
    if wrong:
        text += "\n| claim | outcome | expected | problem |\n|---|---|---|---|\n"
    for record in wrong:
        problem = "; ".join(record.problems).replace("|", "\\|").replace("\n", " ")
        text += f"| `{record.id}` | {record.outcome} | {record.expected} | {problem} |\n"
    for record in wrong:
        if instances := _instances(record):
            text += f"\n`{record.id}`\n\n```text{instances}\n```\n"
    return text


def badge(records: Sequence[Record], problems: Sequence[str] = ()) -> dict[str, Any]:
    """A badge as shields.io reads it from an address (`endpoint`); red where the package has problems, too."""
    wrong = sum(not record.as_expected for record in records)
    count = f"{len(records)} claim{'s' * (len(records) != 1)}"
    message = f"{wrong} of {count} not as expected" if wrong else f"{count} as expected"
    if problems:
        message += f", {len(problems)} problem{'s' * (len(problems) != 1)} of the package"
    return {"schemaVersion": 1, "label": "verify", "message": message, "color": "red" if wrong or problems else "brightgreen"}


def code_quality(records: Iterable[Record], claims: Mapping[str, Claim], problems: Sequence[str] = ()) -> list[dict[str, Any]]:
    """A report of code quality for GitLab: an entry for each claim that is not as expected, and each problem of the package."""
    # of what names no module, such as a package that cannot be imported, the folder
    entries = [_entry(problem, problem, *(place_of_problem(problem) or (".", 1))) for problem in problems]
    for record in records:
        if record.as_expected:
            continue
        file, line = place(claims[record.id])
        entries.append(_entry(record.id, f"{record.id}: {'; '.join(record.problems)}", file, line))
    return entries


def _entry(name: str, description: str, file: str, line: int) -> dict[str, Any]:
    return {
        "description": description,
        "check_name": "verify",
        "fingerprint": hashlib.sha256(name.encode()).hexdigest()[:32],
        "severity": "major",
        "location": {"path": file, "lines": {"begin": line}},
    }
