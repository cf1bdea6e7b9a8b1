"""What was measured, as tables for a terminal: what is surprising first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.report.console import show
from verify.report.result import SIGNS
from verify.report.tables import Column, Table
from verify.report.words import slack
from verify.trained.asking import Answer
from verify.trained.measurement import Measurement

if TYPE_CHECKING:
    from rich.console import Console

Part = Callable[["Console"], None]
SHOWN = 24
"""Claims that are shown where not all are asked for."""


def number(value: Any) -> str:
    """Four digits; a dash for what is not there."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def shown(found: Sequence[Measurement], *, every: bool = False) -> Iterator[Part]:
    """The parts of what is printed: each network, then what changed along the series."""
    for one in found:
        yield from _one(one, every)
    if len(found) > 1:
        yield _line("")
        yield lambda screen: show(screen, series(found))


def _one(one: Measurement, every: bool) -> Iterator[Part]:
    yield _line(f"{one.name}: {one.description}", "bold")
    whole = "; ".join(f"{name} {number(value)}" for name, value in one.quantities.whole.items())
    yield _line(f"  {whole}")
    yield lambda screen: show(screen, layers(one))
    counts = one.counts()
    asked = len(one.answers)
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    yield _line(f"\n{asked} claims asked: {said}; {len(one.not_asked)} cannot be asked of this network")
    answers = list(one.answers) if every else _surprising(one.answers)
    yield lambda screen: show(screen, Table(COLUMNS, answers))
    if len(answers) < asked:
        yield _line(f"... and {asked - len(answers)} more, with --all")
    if every:
        rows = [(it.claim, it.reason) for it in one.not_asked]
        yield lambda screen: show(screen, Table(LEFT, rows))


def _surprising(answers: Sequence[Answer]) -> list[Answer]:
    return list(answers[:SHOWN])


def _line(text: str, style: str = "") -> Part:
    return lambda screen: screen.print(text, style=style or None, markup=False, soft_wrap=True)


def layers(one: Measurement) -> Table[Mapping[str, Any]]:
    """A row for each layer, with the quantities that this kind of network has."""
    rows = list(one.quantities.layers)
    names = list(dict.fromkeys(name for row in rows for name in row))

    def column(place: int, name: str) -> Column[Mapping[str, Any]]:
        return Column(name, lambda row: number(row.get(name)), place, right=place > 0)

    return Table([column(place, name) for place, name in enumerate(names)], rows)


def series(found: Sequence[Measurement]) -> Table[str]:
    """The quantities of the whole network along a series, a row for each."""
    names = list(dict.fromkeys(name for one in found for name in one.quantities.whole))

    def column(place: int, one: Measurement) -> Column[str]:
        return Column(one.name, lambda name: number(one.quantities.whole.get(name)), 1 + place, right=True)

    return Table([Column[str]("quantity", str, 0), *(column(place, one) for place, one in enumerate(found))], names)


def sides(one: Answer) -> str:
    """Both sides and the relation between them."""
    return f"{number(one.left)} {SIGNS[one.sense]} {number(one.right)}" if one.sense else "-"


COLUMNS: Sequence[Column[Answer]] = (
    Column("claim", lambda one: one.claim, 0),
    Column("says", lambda one: one.words, 1, elastic="fold"),
    Column("sides", sides, 2),
    Column("relative slack", lambda one: slack(one.relative), 3, right=True),
    Column("error", lambda one: "exact" if one.exact else slack(one.error), 4, right=True),
    Column("where", lambda one: one.where, 5),
    Column("met", lambda one: f"{one.met}/{one.places}", 6, right=True),
    Column("status", lambda one: one.status.replace("_", " "), None),
    Column("title", lambda one: one.title, None, elastic="cut"),
)
LEFT: Sequence[Column[tuple[str, str]]] = (
    Column("cannot be asked", lambda one: one[0], 0),
    Column("because", lambda one: one[1], 1, elastic="fold"),
)
