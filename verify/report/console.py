"""The table of a run, the same on a terminal and in a file but for colours."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from verify.checker.record import Record, summary
from verify.report.words import command, slack

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

STYLES: Mapping[str, str] = {"holds": "green", "unrefuted": "cyan", "refuted": "magenta", "undecided": "yellow"}


def table(records: Iterable[Record]) -> Table:
    """One row for each claim."""
    found = Table(box=None, pad_edge=False, header_style="bold")
    found.add_column("claim", overflow="fold")
    for name in ("status", "outcome", "tier"):
        found.add_column(name, no_wrap=True)
    for name in ("valid/drawn", "exactly", "open", "relative slack", "neighbours", "seconds"):
        found.add_column(name, justify="right", no_wrap=True)
    for record in records:
        unexpected = record.outcome != record.expected
        found.add_row(
            Text(record.id, style="" if record.as_expected else "bold red"),
            record.status.replace("_", " "),
            Text(record.outcome, style="bold red" if unexpected else STYLES[record.outcome]),
            record.tier,
            f"{record.valid}/{record.drawn}",
            str(record.decided),
            left_open(record),
            slack(record.relative_slack),
            record.neighbours_refuted,
            f"{record.seconds:.2f}",
        )
    return found


def left_open(record: Record) -> str:
    """How many valid instances nothing has decided, and how many of all were no number in floats."""
    return f"{record.undecided}{f' ({record.not_a_number} NaN)' if record.not_a_number else ''}"


def columns(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A plain table of texts."""
    found = Table(box=None, pad_edge=False, header_style="bold")
    for name in header:
        found.add_column(name, overflow="fold")
    for row in rows:
        found.add_row(*map(Text, row))
    return found


def show(console: Console, found: ConsoleRenderable) -> None:
    """Print; where nobody looks at a terminal, as wide as it takes and without spaces at the ends of lines."""
    if console.is_terminal:
        console.print(found)
        return
    text = io.StringIO()
    Console(file=text, width=10_000, color_system=None, force_terminal=False).print(found)
    for line in text.getvalue().splitlines():
        console.print(line.rstrip(), markup=False, highlight=False, soft_wrap=True)


def problems(records: Iterable[Record], budget: str, seed: int, package: str) -> Text:
    """What is not as expected, in words, with the command that repeats it; empty if all is."""
    text = Text()
    for record in records:
        if record.as_expected:
            continue
        text.append(f"\n{record.id}", style="bold red").append(f": {record.title}\n")
        for problem in record.problems:
            text.append(f"  {problem}\n")
        text.append(f"  again: {command(record.id, budget, seed, package)}\n", style="dim")
        if record.error is not None:
            text.append("".join(f"    {line}\n" for line in record.error.splitlines()), style="dim")
    return text


def summary_line(records: Sequence[Record], budget: str, seed: int, *, interrupted: int = 0) -> str:
    """Such as "40 claims, all as expected: 36 hold, 4 refuted, 0 undecided; budget quick, seed 0, 12.3 s".

    Conjectures that survive are counted by themselves, where there are any.
    """
    counts = summary(records)
    wrong = counts["claims"] - counts["as_expected"]
    verdict = "all as expected" if not wrong else f"{wrong} NOT as expected"
    conjectures = f"{counts['unrefuted']} unrefuted, " if counts["unrefuted"] else ""
    line = (
        f"{counts['claims']} claims, {verdict}: {counts['holds']} hold, {conjectures}{counts['refuted']} refuted, "
        f"{counts['undecided']} undecided; budget {budget}, seed {seed}, {counts['seconds']:.1f} s of work"
    )
    return line if not interrupted else f"interrupted, {interrupted} claims not checked; {line}"
