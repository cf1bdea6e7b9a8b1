"""Tables of texts that fit the width there is: the first column always stands whole, the least important ones go first."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text

T = TypeVar("T")
GAP = 2
"""Spaces between columns."""
NARROWEST = 20
"""Least width of a column whose texts may be cut or folded."""


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of a table of values of one kind.

    Attributes
    ----------
    name
        The header, by which it is asked for.
    text
        What it shows of a value.
    importance
        The larger, the sooner it goes where room is short; None for what is shown only where it is asked for.
    key
        What it is sorted by, where that is not the text; None comes last.
    right
        Whether it is aligned to the right, as numbers are.
    elastic
        "cut" or "fold" where a text may be made shorter, with dots, or go on in the next line; empty where it stands whole.
    """

    name: str
    text: Callable[[T], str | Text]
    importance: int | None = 1
    key: Callable[[T], Any] | None = None
    right: bool = False
    elastic: str = ""

    def sorted_by(self, value: T) -> tuple[bool, Any]:
        """A key for `sorted`."""
        key = self.key(value) if self.key is not None else str(self.text(value))
        return key is None, key


def find(columns: Sequence[Column[T]], name: str) -> Column[T]:
    """The column of this name, or of the only name that contains it.

    Raises
    ------
    ValueError
        There is none; the message has all names.
    """

    def plain(text: str) -> str:
        return text.strip().lower().replace("_", " ").replace("-", " ")

    exact = [column for column in columns if plain(column.name) == plain(name)]
    near = exact or [column for column in columns if plain(name) and plain(name) in plain(column.name)]
    if len(near) != 1:
        names = ", ".join(column.name.replace(" ", "_") for column in columns)
        raise ValueError(f"no column is called {name.strip()!r}; the columns are {names}")
    return near[0]


@dataclass(frozen=True)
class Table(Generic[T]):
    """Values, the columns that can show them, and those that were asked for, if any were."""

    columns: Sequence[Column[T]]
    values: Sequence[T]
    wanted: Sequence[Column[T]] = ()

    def asked(self, names: str | None = None, sort: str | None = None) -> Table[T]:
        """The table with these columns only (names with commas between them), in the order of a column (``-name``: falling).

        Raises
        ------
        ValueError
            A column does not exist.
        """
        wanted = [find(self.columns, name) for name in names.split(",")] if names else list(self.wanted)
        if wanted and self.columns[0] not in wanted:
            # a row that does not say what it speaks of helps nobody
            wanted.insert(0, self.columns[0])
        values = list(self.values)
        if sort:
            values.sort(key=find(self.columns, sort.removeprefix("-")).sorted_by, reverse=sort.startswith("-"))
        return Table(self.columns, values, wanted)

    def fitted(self, width: int | None) -> Text:
        """The table in at most `width` cells, if the first column and those that were asked for fit into them."""
        cells = {id(column): [column.text(value) for value in self.values] for column in self.columns}
        natural = {id(column): max(map(_length, [column.name, *cells[id(column)]])) for column in self.columns}
        least = {
            key: min(natural[key], NARROWEST) if column.elastic else natural[key]
            for column in self.columns
            for key in [id(column)]
        }
        shown = list(self.wanted) or self._that_fit(least, width)
        widths = {id(column): least[id(column)] for column in shown}
        room = None if width is None else width - sum(widths.values()) - GAP * (len(shown) - 1)
        for column in shown:
            growth = natural[id(column)] - least[id(column)]
            widths[id(column)] += growth if room is None else max(0, min(growth, room))
            room = None if room is None else room - max(0, min(growth, room))
        pieces = _row([(column, [Text(column.name, style="bold")]) for column in shown], widths)
        for place in range(len(self.values)):
            pieces += _row(
                [(column, _lines(cells[id(column)][place], widths[id(column)], column.elastic)) for column in shown], widths
            )
        # what has no style is one text, which is ten times as fast as many
        runs = (["".join(map(str, run))] if kind is str else run for kind, run in itertools.groupby(pieces, type))
        return Text.assemble(*itertools.chain.from_iterable(runs))

    def _that_fit(self, least: dict[int, int], width: int | None) -> list[Column[T]]:
        candidates = [column for column in self.columns if column.importance is not None]
        if width is None:
            return candidates
        fitting, width_taken = [candidates[0]], least[id(candidates[0])]
        for candidate in sorted(candidates[1:], key=lambda candidate: candidate.importance or 0):
            if width_taken + GAP + least[id(candidate)] <= width:
                fitting.append(candidate)
                width_taken += GAP + least[id(candidate)]
        return [candidate for candidate in candidates if candidate in fitting]


def plain(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table[Sequence[str]]:
    """A table of texts; the last column is folded, and later columns go first."""

    def column(place: int, name: str) -> Column[Sequence[str]]:
        elastic = "fold" if place == len(header) - 1 else ""
        return Column(name, lambda row: row[place], importance=place, elastic=elastic)

    return Table([column(place, name) for place, name in enumerate(header)], list(rows))


def _length(cell: str | Text) -> int:
    return cell.cell_len if isinstance(cell, Text) else cell_len(cell)


def _lines(cell: str | Text, width: int, elastic: str) -> Sequence[str | Text]:
    if _length(cell) <= width or not elastic:
        return [cell]
    text = str(cell)
    lines = [set_cell_size(text, width - 1).rstrip() + "…"] if elastic == "cut" else textwrap.wrap(text, width)
    return [Text(line, style=cell.style) for line in lines] if isinstance(cell, Text) else lines


def _row(row: Sequence[tuple[Column[T], Sequence[str | Text]]], widths: dict[int, int]) -> list[str | Text]:
    """The lines of a row in pieces, with the ends of lines and without spaces before these."""
    pieces: list[str | Text] = []
    for line in range(max(len(lines) for _, lines in row)):
        for place, (column, lines) in enumerate(row):
            cell = lines[line] if line < len(lines) else ""
            space = " " * (widths[id(column)] - _length(cell))
            pieces += [" " * GAP if place else "", space if column.right else "", cell, "" if column.right else space]
        while isinstance(pieces[-1], str) and not pieces[-1].strip(" "):
            pieces.pop()
        pieces.append("\n")
    return pieces
