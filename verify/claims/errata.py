"""The errata as data: what is wrong in a paper as printed, where, how much, and the claim that shows it."""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from verify.claims.catalogue import Catalogue
from verify.claims.claim import FalseAsPrinted

FILE = "errata.toml"
"""The table of a paper, in the folder of its claims."""

GRADES = {
    "false theorem": "a numbered statement, or what the paper contributes, is false as printed, also where the text says "
    "expressly for what it should hold, as in 'for any bounded domain'",
    "false step": "a step of a proof, or a sentence of the text, is false as printed",
    "wrong constant": "a statement with another constant is true",
    "misprint": "a slip of the pen, which the lines around it correct",
    "unclear": "a hypothesis or a definition is not written down, or has another reading that is true",
}
"""How much is wrong, the worst first."""


@dataclass(frozen=True)
class Erratum:
    """A row of the table.

    Attributes
    ----------
    place, grade
        Where it stands in the paper; of `GRADES`.
    claim
        The id of the claim that is false as printed; empty if no claim is made of it.
    says
        What is printed and what is right, where no claim is made of it. Empty if there is a claim.
    """

    place: str
    grade: str
    claim: str = ""
    says: str = ""


def read(text: str, name: str = FILE) -> list[Erratum]:
    """The rows of a table, from the text of its file.

    Raises
    ------
    ValueError
        The file is no TOML, or a row has other keys, an empty text, or an unknown grade; the message names file and row.
    """
    try:
        rows = tomllib.loads(text).get("erratum", [])
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {error}") from None
    return [_erratum(row, f"{name}, row {count}") for count, row in enumerate(rows, start=1)]


def _erratum(row: Mapping[str, object], where: str) -> Erratum:
    if set(row) not in ({"place", "grade", "claim"}, {"place", "grade", "says"}):
        raise ValueError(f"{where} must have the keys place, grade, and one of claim and says, got {', '.join(row)}")
    for key, value in row.items():
        if not (isinstance(value, str) and value.strip()):
            raise ValueError(f"{where}: {key} must be a text that is not empty, got {value!r}")
    if row["grade"] not in GRADES:
        raise ValueError(f"{where}: grade must be one of {', '.join(GRADES)}, got {row['grade']!r}")
    return Erratum(**row)  # type: ignore[arg-type]


@functools.cache
def document(paper: str, package: str = "theorems") -> str:
    """What was read of a paper, in a few words; empty if its table does not say so."""
    file = resources.files(package) / paper / FILE
    return str(tomllib.loads(file.read_text(encoding="utf-8")).get("document", "")) if file.is_file() else ""


@functools.cache
def table(paper: str, package: str = "theorems") -> tuple[Erratum, ...]:
    """The rows of a paper; none if it has no table."""
    file = resources.files(package) / paper / FILE
    return tuple(read(file.read_text(encoding="utf-8"), f"{paper}/{FILE}")) if file.is_file() else ()


def row_of(claim: str, package: str = "theorems") -> Erratum | None:
    """The row of a claim; None if it has none."""
    return next((row for row in table(claim.partition(".")[0], package) if row.claim == claim), None)


def problems(claims: Catalogue, papers: Sequence[str], package: str = "theorems") -> list[str]:
    """A line for each claim that is false as printed and has not one row, and for each row of another claim."""
    false = [claim.id for claim in claims.values() if isinstance(claim.status, FalseAsPrinted)]
    listed = Counter(row.claim for paper in papers for row in table(paper, package) if row.claim)
    lines = [f"{name} has {listed[name]} rows in {FILE}" for name in false if listed[name] != 1]
    return lines + [f"{FILE} has a row for {name}, which is not false as printed" for name in listed if name not in false]
