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
MEANING_OF_ATTAINED = "the smaller side is at least nine tenths of the larger"
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


def shown(measurements: Sequence[Measurement], *, every: bool = False) -> Iterator[Part]:
    """The parts of what is printed: each network of one or two, and what changed along a series."""
    for measurement in measurements:
        if every or len(measurements) <= ALL_OF_THEM:
            yield from _network_parts(measurement, every)
            yield _line("")
        elif measurement.failing:
            yield _line(f"{measurement.name}: {measurement.description}", "bold")
            yield from _failures(measurement)
    if len(measurements) == ALL_OF_THEM:
        yield lambda screen: show(screen, comparison(*measurements))
        yield from _differences(*measurements)
    elif len(measurements) > 1:
        yield lambda screen: show(screen, series(measurements))


def _network_parts(measurement: Measurement, every: bool) -> Iterator[Part]:
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
        rows = [(claim.claim, claim.reason) for claim in measurement.not_asked]
        yield lambda screen: show(screen, Table(NOT_ASKED, rows))
    if measurement.errata:
        names = ", ".join(claim.claim for claim in measurement.errata)
        yield _line(
            f"{len(measurement.errata)} statements are false as printed, of which this network is an example: {names}", "dim"
        )


def _attained(measurement: Measurement) -> Iterator[Part]:
    attained = measurement.nearly_attained
    if not attained:
        return
    first = f" (the first {ATTAINED}; --all shows every one)" if len(attained) > ATTAINED else ""
    yield _line(f"\n{len(attained)} bounds are nearly attained{first}: {MEANING_OF_ATTAINED}")
    for answer in attained[:ATTAINED]:
        yield _line(f"  {answer.title}: {sides(answer)}, {used(answer)} of what is allowed ({answer.claim})")


def _failures(measurement: Measurement) -> Iterator[Part]:
    yield _line(f"\n{asked(measurement)}; {len(measurement.not_asked)} not asked (--all says why)")
    if measurement.failing:
        yield lambda screen: show(screen, Table(COLUMNS, measurement.failing))
    if undecided := [answer.claim for answer in measurement.answers if answer.outcome == "undecided"]:
        yield _line(f"not decided: {', '.join(undecided)}")


def words_of(measurement: Measurement) -> list[tuple[str, int]]:
    """How many claims say what, in words."""
    counts = measurement.counts()
    counts["fails"] -= len(measurement.errata)
    names = {
        "holds": "hold",
        "within rounding": "are equalities, up to the rounding",
        "hypothesis": "have a hypothesis that is not met",
        "undecided": "not decided",
        "fails": "fail",
    }
    counted = [(said, counts[name]) for name, said in names.items() if counts[name]]
    return [*counted, *([("false as printed", len(measurement.errata))] if measurement.errata else [])]


def asked(measurement: Measurement) -> str:
    """How many claims were asked, and what they say."""
    said = ", ".join(f"{count} {name}" for name, count in words_of(measurement))
    return f"{len(measurement.answers)} claims asked: {said}" if measurement.answers else "no claim asked"


def used(answer: Answer) -> str:
    """How much of a bound is used."""
    return f"{100 * (answer.used or 0):.4g} %"


def _line(text: str, style: str = "") -> Part:
    return lambda screen: screen.print(text, style=style or None, markup=False, soft_wrap=True)


def names_of(measurements: Sequence[Measurement]) -> list[str]:
    """The quantities of whole networks, those first that people ask for first."""
    names = dict.fromkeys(name for measurement in measurements for name in measurement.quantities.whole)
    return list(dict.fromkeys([*(name for name in FIRST if name in names), *names]))


Main = tuple[str, str, str, str]


def main_quantities(measurement: Measurement) -> list[Main]:
    """Name, value, the mean of untrained networks, and the least that the data allow; a rank has its gap beside it."""
    rows = []
    whole = measurement.quantities.whole
    for name in names_of([measurement]):
        value = whole[name]
        if name.startswith("gap below") or name in SAID:
            continue
        gap = measurement.quantities.whole.get(f"gap below the {name}")
        text = number(value) + ("" if gap is None else f" (gap {number(gap)})" if gap > 1 else " (no gap)")
        before = mean_of(measurement.untrained, name)
        rows.append((name, text, number(before), number(measurement.least.get(name))))
    return rows


def layers(measurement: Measurement) -> Table[Mapping[str, Any]]:
    """A row for each layer, with the quantities that this kind of network has."""
    rows = list(measurement.quantities.layers)
    names = list(dict.fromkeys(name for row in rows for name in row))

    def column(place: int, name: str) -> Column[Mapping[str, Any]]:
        return Column(name, lambda row: number(row.get(name)), place, right=place > 0)

    return Table([column(place, name) for place, name in enumerate(names)], rows)


def comparison(first: Measurement, second: Measurement) -> Table[str]:
    """Two networks side by side, and the second over the first."""

    def ratio(name: str) -> str:
        before, after = (measurement.quantities.whole.get(name) for measurement in (first, second))
        return "-" if not before or after is None else number(float(after) / float(before))

    def column(place: int, measurement: Measurement) -> Column[str]:
        return Column(measurement.name, lambda name: number(measurement.quantities.whole.get(name)), place, right=True)

    return Table(
        [Column[str]("quantity", str, 0), column(1, first), column(2, second), Column("ratio", ratio, 3, right=True)],
        names_of((first, second)),
    )


def changed(measurements: Sequence[Measurement]) -> list[tuple[str, list[Answer]]]:
    """The claims that say different things of the networks, and what they say."""
    answers = [{answer.claim: answer for answer in measured.answers} for measured in measurements]
    rows = [(name, [table[name] for table in answers]) for name in sorted(set.intersection(*map(set, answers)))]
    return [(name, said) for name, said in rows if len({(answer.outcome, answer.conclusion) for answer in said}) > 1]


def _differences(first: Measurement, second: Measurement) -> Iterator[Part]:
    differences = changed((first, second))
    if not differences:
        return
    yield _line(f"\n{len(differences)} claims say different things of the two")
    columns: list[Column[tuple[str, list[Answer]]]] = [Column("claim", lambda row: row[0], 0)]
    columns += [
        Column(first.name, lambda row: row[1][0].words, 1, elastic="fold"),
        Column(second.name, lambda row: row[1][1].words, 2, elastic="fold"),
    ]
    yield lambda screen: show(screen, Table(columns, differences))


def series(measurements: Sequence[Measurement]) -> Table[Measurement]:
    """The main quantities along a series, a row for each network."""
    names = [
        name for name in OF_A_SERIES if any(measurement.quantities.whole.get(name) is not None for measurement in measurements)
    ]

    def column(place: int, name: str) -> Column[Measurement]:
        return Column(name, lambda measurement: number(measurement.quantities.whole.get(name)), 1 + place, right=True)

    files: Column[Measurement] = Column("file", lambda measurement: measurement.name, 0)
    return Table([files, *(column(place, name) for place, name in enumerate(names))], list(measurements))


def sides(answer: Answer) -> str:
    """Both sides and the relation between them."""
    return f"{number(answer.left)} {SIGNS[answer.sense]} {number(answer.right)}" if answer.sense else "-"


MAIN: Sequence[Column[Main]] = (
    Column("quantity", lambda row: row[0], 0),
    Column("this network", lambda row: row[1], 1, right=True),
    Column("untrained", lambda row: row[2], 2, right=True),
    Column("least for these data", lambda row: row[3], 3, right=True),
)
COLUMNS: Sequence[Column[Answer]] = (
    Column("claim", lambda answer: answer.claim, 0),
    Column("says", lambda answer: answer.words, 1, elastic="fold"),
    Column("sides", sides, 2),
    Column("relative slack", lambda answer: slack(answer.relative), 3, right=True),
    Column("error", lambda answer: "exact" if answer.exact else slack(answer.error), 4, right=True),
    Column("where", lambda answer: answer.where, 5),
    Column("met", lambda answer: f"{answer.met}/{answer.places}", 6, right=True),
    Column("status", lambda answer: answer.status.replace("_", " "), None),
    Column("title", lambda answer: answer.title, None, elastic="cut"),
)
NOT_ASKED: Sequence[Column[tuple[str, str]]] = (
    Column("not asked", lambda row: row[0], 0),
    Column("because", lambda row: row[1], 1, elastic="fold"),
)
