"""What was measured, as tables for a terminal: what was read, the main quantities, what is nearly attained, what fails."""

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
from verify.trained.untrained import mean_of

if TYPE_CHECKING:
    from rich.console import Console

Part = Callable[["Console"], None]
ATTAINED = 6
"""Bounds that are nearly attained, of which as many are named."""
MEANING_OF_ATTAINED = "the theorem says what happens here up to a tenth or less"
ALL_OF_THEM = 2
"""With more networks than that, only the series is shown, and what fails."""
FIRST = ("mean squared error", "squared norm of weights and biases", "squared norm, mean over layers", "bottleneck rank")
SAID = ("depth", "ridge", "leak", "pixels")
"""Numbers that the first line has."""
OF_A_SERIES = (
    "mean squared error",
    "squared norm of weights and biases",
    "bottleneck rank",
    "rank of the Jacobian",
    "bound B on the distance to isometries",
    "imbalance of a neuron, largest",
    "trace of the tangent kernel, mean over points",
    "-2H/leak, median over the middle layers",
    "path length",
)
"""Quantities of a series: columns for a terminal, curves for a page."""


def number(value: Any) -> str:
    """Four digits; a dash for what is not there."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def shown(found: Sequence[Measurement], *, every: bool = False) -> Iterator[Part]:
    """The parts of what is printed: each network of one or two, and what changed along a series."""
    for one in found:
        if every or len(found) <= ALL_OF_THEM:
            yield from _one(one, every)
            yield _line("")
        elif one.failing:
            yield _line(f"{one.name}: {one.description}", "bold")
            yield from _failures(one)
    if len(found) == ALL_OF_THEM:
        yield lambda screen: show(screen, comparison(*found))
        yield from _differences(*found)
    elif len(found) > 1:
        yield lambda screen: show(screen, series(found))


def _one(measurement: Measurement, every: bool) -> Iterator[Part]:
    yield _line(f"{measurement.name}: {measurement.description}", "bold")
    if measurement.dead_neurons:
        yield _line(measurement.dead_neurons)
    yield lambda screen: show(screen, Table(MAIN, main_quantities(measurement)))
    for note in measurement.quantities.notes:
        yield _line(note)
    if every:
        yield lambda screen: show(screen, layers(measurement))
    yield from _attained(measurement)
    yield from _failures(measurement)
    if every:
        yield lambda screen: show(screen, Table(COLUMNS, list(measurement.answers)))
        rows = [(it.claim, it.reason) for it in measurement.not_asked]
        yield lambda screen: show(screen, Table(LEFT, rows))
    if measurement.errata:
        names = ", ".join(it.claim for it in measurement.errata)
        yield _line(
            f"{len(measurement.errata)} statements are false as printed, of which this network is an example: {names}", "dim"
        )


def _attained(measurement: Measurement) -> Iterator[Part]:
    found = measurement.nearly_attained
    if not found:
        return
    yield _line(f"\n{len(found)} bounds are nearly attained: {MEANING_OF_ATTAINED}")
    for it in found[:ATTAINED]:
        yield _line(f"  {it.title}: {sides(it)}, {used(it)} of what is allowed ({it.claim})")


def _failures(measurement: Measurement) -> Iterator[Part]:
    yield _line(f"\n{asked(measurement)}; {len(measurement.not_asked)} not asked (--all says why)")
    if measurement.failing:
        yield lambda screen: show(screen, Table(COLUMNS, measurement.failing))


def words_of(one: Measurement) -> list[tuple[str, int]]:
    """How many claims say what, in words."""
    counts = one.counts()
    counts["fails"] -= len(one.errata)
    names = {
        "holds": "hold",
        "within rounding": "are equalities, up to the rounding",
        "hypothesis": "have a hypothesis that is not met",
        "undecided": "not decided",
        "fails": "fail",
    }
    found = [(said, counts[name]) for name, said in names.items() if counts[name]]
    return [*found, *([("false as printed", len(one.errata))] if one.errata else [])]


def asked(one: Measurement) -> str:
    """How many claims were asked, and what they say."""
    said = ", ".join(f"{count} {name}" for name, count in words_of(one))
    return f"{len(one.answers)} claims asked: {said}" if one.answers else "no claim asked"


def used(one: Answer) -> str:
    """How much of a bound is used."""
    return f"{100 * (one.used or 0):.4g} %"


def _line(text: str, style: str = "") -> Part:
    return lambda screen: screen.print(text, style=style or None, markup=False, soft_wrap=True)


def names_of(found: Sequence[Measurement]) -> list[str]:
    """The quantities of whole networks, those first that people ask for first."""
    names = dict.fromkeys(name for measurement in found for name in measurement.quantities.whole)
    return list(dict.fromkeys([*(name for name in FIRST if name in names), *names]))


Main = tuple[str, str, str, str]


def main_quantities(one: Measurement) -> list[Main]:
    """Name, value, the mean of untrained networks, and the least that the data allow; a rank has its gap beside it."""
    rows = []
    whole = one.quantities.whole
    for name in names_of([one]):
        value = whole[name]
        if name.startswith("gap below") or name in SAID:
            continue
        gap = one.quantities.whole.get(f"gap below the {name}")
        text = number(value) + (f" (gap {number(gap)})" if gap is not None else "")
        before = mean_of(one.untrained, name)
        rows.append((name, text, number(before), number(one.least.get(name))))
    return rows


def layers(one: Measurement) -> Table[Mapping[str, Any]]:
    """A row for each layer, with the quantities that this kind of network has."""
    rows = list(one.quantities.layers)
    names = list(dict.fromkeys(name for row in rows for name in row))

    def column(place: int, name: str) -> Column[Mapping[str, Any]]:
        return Column(name, lambda row: number(row.get(name)), place, right=place > 0)

    return Table([column(place, name) for place, name in enumerate(names)], rows)


def comparison(first: Measurement, second: Measurement) -> Table[str]:
    """Two networks side by side, and the second over the first."""

    def ratio(name: str) -> str:
        before, after = (measurement.quantities.whole.get(name) for measurement in (first, second))
        return "-" if not before or after is None else number(float(after) / float(before))

    def column(place: int, one: Measurement) -> Column[str]:
        return Column(one.name, lambda name: number(one.quantities.whole.get(name)), place, right=True)

    return Table(
        [Column[str]("quantity", str, 0), column(1, first), column(2, second), Column("ratio", ratio, 3, right=True)],
        names_of((first, second)),
    )


def changed(found: Sequence[Measurement]) -> list[tuple[str, list[Answer]]]:
    """The claims that say different things of the networks, and what they say."""
    answers = [{answer.claim: answer for answer in measured.answers} for measured in found]
    rows = [(name, [table[name] for table in answers]) for name in sorted(set.intersection(*map(set, answers)))]
    return [(name, said) for name, said in rows if len({(one.outcome, one.conclusion) for one in said}) > 1]


def _differences(first: Measurement, second: Measurement) -> Iterator[Part]:
    found = changed((first, second))
    if not found:
        return
    yield _line(f"\n{len(found)} claims say different things of the two")
    names: list[Column[tuple[str, list[Answer]]]] = [Column("claim", lambda row: row[0], 0)]
    names += [
        Column(first.name, lambda row: row[1][0].words, 1, elastic="fold"),
        Column(second.name, lambda row: row[1][1].words, 2, elastic="fold"),
    ]
    yield lambda screen: show(screen, Table(names, found))


def series(found: Sequence[Measurement]) -> Table[Measurement]:
    """The main quantities along a series, a row for each network."""
    names = [name for name in OF_A_SERIES if any(one.quantities.whole.get(name) is not None for one in found)]

    def column(place: int, name: str) -> Column[Measurement]:
        return Column(name, lambda one: number(one.quantities.whole.get(name)), 1 + place, right=True)

    files: Column[Measurement] = Column("file", lambda one: one.name, 0)
    return Table([files, *(column(place, name) for place, name in enumerate(names))], list(found))


def sides(one: Answer) -> str:
    """Both sides and the relation between them."""
    return f"{number(one.left)} {SIGNS[one.sense]} {number(one.right)}" if one.sense else "-"


MAIN: Sequence[Column[Main]] = (
    Column("quantity", lambda one: one[0], 0),
    Column("this network", lambda one: one[1], 1, right=True),
    Column("untrained", lambda one: one[2], 2, right=True),
    Column("least for these data", lambda one: one[3], 3, right=True),
)
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
    Column("not asked", lambda one: one[0], 0),
    Column("because", lambda one: one[1], 1, elastic="fold"),
)
