"""The table of a run, the same on a terminal and in a file but for colours."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from verify.report import words
from verify.report.tables import Column, Table
from verify.report.words import shortened, slack

if TYPE_CHECKING:
    from rich.console import Console

    from verify.checker.record import Record
    from verify.report.changes import Since

STYLES: Mapping[str, str] = {"survived": "green", "refuted": "magenta", "undecided": "yellow"}


def table(records: Iterable[Record], evidence: Mapping[str, str] | None = None) -> Table[Record]:
    """One row for each claim; `evidence` says more than the run found, by claim."""
    said: Column[Record] = Column("evidence", lambda record: shortened((evidence or {}).get(record.id, record.evidence)), 5)
    return Table([said if column.name == "evidence" else column for column in COLUMNS], list(records))


def _claim(record: Record) -> Text:
    return Text(record.id, style="" if record.as_expected else "bold red")


def _outcome(record: Record) -> Text:
    unexpected = record.outcome != record.expected
    return Text(record.outcome, style="bold red" if unexpected else STYLES[record.outcome])


COLUMNS: Sequence[Column[Record]] = (
    Column("claim", _claim, 0),
    Column("status", lambda record: record.status.replace("_", " "), 6),
    Column("outcome", _outcome, 1),
    Column("evidence", lambda record: record.evidence, 5),
    Column("tested", lambda record: str(record.feasible), 4, key=lambda record: record.feasible, right=True),
    Column("closest", lambda record: closest(record), 2, key=lambda record: smallest_slack_of(record), right=True),
    Column(
        "variants",
        lambda record: record.variants_refuted,
        3,
        key=lambda record: sum(not variant["refuted"] for variant in record.false_variants.values()),
        right=True,
    ),
    Column(
        "seconds",
        lambda record: f"{record.seconds:.2f}" if record.kept is None else "kept",
        7,
        key=lambda record: record.seconds,
        right=True,
    ),
    Column("title", lambda record: record.title, None, elastic="cut"),
    Column("paper", lambda record: record.paper, None),
    Column("label", lambda record: record.label, None),
    Column("expected", lambda record: record.expected, None),
    Column(
        "feasible/drawn",
        lambda record: f"{record.feasible}/{record.drawn}",
        None,
        key=lambda record: record.feasible,
        right=True,
    ),
    Column("decided exactly", lambda record: str(record.decided), None, key=lambda record: record.decided, right=True),
    Column("undecided", lambda record: undecided(record), None, key=lambda record: record.undecided, right=True),
    Column(
        "relative slack",
        lambda record: slack(record.relative_slack),
        None,
        key=lambda record: record.relative_slack,
        right=True,
    ),
    Column("evaluations", lambda record: str(record.evaluations), None, key=lambda record: record.evaluations, right=True),
)
"""What a run can show of a claim; variants are sorted by how many were not refuted."""


def smallest_slack_of(record: Record) -> float | None:
    """The smallest relative slack of the search and of the tight examples; None where there is none."""
    slacks = (record.relative_slack, *record.tight.values())
    return min((value for value in slacks if value is not None), default=None)


def closest(record: Record) -> str:
    """How near an instance came to breaking the statement, or by how much it did: "attained", "12 % away", "false by 25 %"."""
    slack = smallest_slack_of(record)
    if slack is None:
        return "-"
    if slack == 0:
        return "attained"
    percent = 100 * abs(slack)
    share = f"{percent:.2g} %" if percent < 99.5 else f"{percent:.0f} %"  # not 1e+02 %
    return f"{share} away" if slack > 0 else f"false by {share}"


def undecided(record: Record) -> str:
    """How many feasible instances nothing has decided, and how many of all were no number in floats."""
    return f"{record.undecided}{f' ({record.not_a_number} NaN)' if record.not_a_number else ''}"


def show(console: Console, table_: Table[Any]) -> None:
    """Print in the width of the terminal, or of COLUMNS where that is set; else as wide as it takes.

    What is wider all the same is not cut: a terminal wraps it.
    """
    width = os.environ.get("COLUMNS", "")
    has_width = console.is_terminal or (width.isdecimal() and int(width) > 0)
    console.print(table_.fitted(console.width if has_width else None), end="", soft_wrap=True)


def problems(records: Iterable[Record], budget: str, seed: int, package: str | Mapping[str, str]) -> Text:
    """What is not as expected: in words, with the instances, and with the command that repeats it; empty if all is.

    `package` is that of all claims, or of each.
    """
    text = Text()
    for record in records:
        if record.as_expected:
            continue
        text.append(f"\n{record.id}", style="bold red").append(f": {record.title}\n")
        for problem in record.problems:
            text.append(f"  {problem}\n")
        for title, instance in instances(record):
            text.append(f"\n  {title}:\n\n{words.indented(instance, 4)}\n\n")
        home = package if isinstance(package, str) else package[record.id]
        text.append(f"  again: {words.command(record.id, budget, seed, home)}\n", style="dim")
        if record.error is not None:
            text.append("".join(f"    {line}\n" for line in record.error.splitlines()), style="dim")
    return text


def remarks(records: Iterable[Record]) -> Text:
    """What claims lack, though nothing is wrong with them, a line each; empty if they lack nothing."""
    text = Text()
    for record in records:
        for remark in record.remarks:
            text.append(f"\n{record.id}", style="bold").append(f": {remark}\n")
    return text


def changed(since: Since) -> Text:
    """What changed since an earlier run, a line for each change."""
    text = Text(f"\n{since.in_words}\n")
    for change in since.changes:
        arrow = " -> ".join(filter(None, (change.before, change.now)))
        text.append(f"  {change.claim}", style="bold").append(f": {change.what}, {arrow}\n")
    return text


def instances(record: Record) -> Iterator[tuple[str, str]]:
    """What a record has to show, each with a title: what refutes the statement, or what comes nearest to it."""
    if record.counterexample is not None:
        yield f"refuted at this instance, on rationals ({record.by})", words.found_at(record.counterexample)
    if record.nearest is not None and record.outcome != record.expected:
        yield "the instance nearest to failing, in floats", words.found_at(record.nearest)
    for name, variant in record.false_variants.items():
        if variant.get("nearest") is not None:
            yield f"false variant {name!r}: the instance nearest to failing, in floats", words.found_at(variant["nearest"])


def details(record: Record) -> Text:
    """What was tried and found, part by part, for ``verify run -v``."""
    text = Text()
    text.append(record.id, style="bold").append(f": {record.title}\n")
    tried = (
        f"{record.drawn} drawn, {record.feasible} feasible, {record.evaluations} evaluations; "
        f"{record.in_floats} decided in floats, {record.decided} on rationals, {undecided(record)} undecided; "
        f"relative slack {words.smallest_slack(record.relative_slack)}"
        + (f"; {words.exhausted(record.exhausted)}" if record.exhausted else "")
    )
    rows = [tried]
    rows += [f"tight example {name!r}: relative slack {slack(relative)}" for name, relative in record.tight.items()]
    rows += [
        f"false variant {name!r}: "
        + (f"refuted ({variant['by']}, {variant['evaluations']} evaluations)" if variant["refuted"] else "NOT refuted")
        for name, variant in record.false_variants.items()
    ]
    rows += [f"hypothesis {name!r}: {need}, broken by {record.broken.get(name, 0)}" for name, need in record.needs.items()]
    rows += [f"exact part {name!r}: {verdict}" for name, verdict in record.exact.items()]
    text.append("".join(f"  {row}\n" for row in rows))
    if record.as_expected:
        for title, instance in instances(record):
            text.append(f"  {title}:\n{words.indented(instance, 4)}\n")
    return text


def summary_line(
    records: Sequence[Record], budget: str, seed: int, *, interrupted: int = 0, problems: Sequence[str] = ()
) -> str:
    """Such as "40 claims, all as expected: 36 survived, 4 refuted, 0 undecided; budget quick, seed 0, 12.3 s".

    `problems` are those of the package: the claims of a module that cannot be imported are not checked.
    """
    from verify.checker.record import summary  # with the search, which a listing does without

    counts = summary(records)
    wrong = counts["claims"] - counts["as_expected"]
    verdict = "all as expected" if not wrong else f"{wrong} NOT as expected"
    verb = "is" if counts["kept"] == 1 else "are"
    kept = f" ({counts['kept']} {verb} kept from an earlier run; --fresh searches again)" if counts["kept"] else ""
    claims = "1 claim" if counts["claims"] == 1 else f"{counts['claims']} claims"
    line = (
        f"{claims}, {verdict}: {counts['survived']} survived, {counts['refuted']} refuted, "
        f"{counts['undecided']} undecided; budget {budget}, seed {seed}, {counts['seconds']:.1f} s of work{kept}"
    )
    count = len(problems)
    if all(" cannot be imported" in problem for problem in problems) and problems:
        line = (
            f"NOT as expected: {'1 module' if count == 1 else f'{count} modules'} could not be imported; of the others {line}"
        )
    elif problems:
        line = f"NOT as expected: {'1 problem' if count == 1 else f'{count} problems'} of the package; {line}"
    return line if not interrupted else f"interrupted, {interrupted} claims not checked; {line}"
