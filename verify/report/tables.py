"""Tables of texts that fit the width there is: the first column always stands whole, the least important ones go first."""

from __future__ import annotations

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

    exact = [one for one in columns if plain(one.name) == plain(name)]
    near = exact or [one for one in columns if plain(name) and plain(name) in plain(one.name)]
    if len(near) != 1:
        names = ", ".join(one.name.replace(" ", "_") for one in columns)
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
        cells = {id(one): [_text(one.text(value)) for value in self.values] for one in self.columns}
        natural = {id(one): max([cell_len(one.name), *(cell.cell_len for cell in cells[id(one)])]) for one in self.columns}
        least = {
            key: min(natural[key], NARROWEST) if one.elastic else natural[key] for one in self.columns for key in [id(one)]
        }
        shown = list(self.wanted) or self._that_fit(least, width)
        widths = {id(one): least[id(one)] for one in shown}
        room = None if width is None else width - sum(widths.values()) - GAP * (len(shown) - 1)
        for one in shown:
            more = natural[id(one)] - least[id(one)]
            widths[id(one)] += more if room is None else max(0, min(more, room))
            room = None if room is None else room - max(0, min(more, room))
        found = Text()
        _append(found, [(one, [Text(one.name, style="bold")]) for one in shown], widths)
        for place in range(len(self.values)):
            _append(found, [(one, _lines(cells[id(one)][place], widths[id(one)], one.elastic)) for one in shown], widths)
        return found

    def _that_fit(self, least: dict[int, int], width: int | None) -> list[Column[T]]:
        candidates = [one for one in self.columns if one.importance is not None]
        if width is None:
            return candidates
        kept, taken = [candidates[0]], least[id(candidates[0])]
        for one in sorted(candidates[1:], key=lambda one: one.importance or 0):
            if taken + GAP + least[id(one)] <= width:
                kept.append(one)
                taken += GAP + least[id(one)]
        return [one for one in candidates if one in kept]


def plain(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table[Sequence[str]]:
    """A table of texts; the last column is folded, and later columns go first."""

    def column(place: int, name: str) -> Column[Sequence[str]]:
        elastic = "fold" if place == len(header) - 1 else ""
        return Column(name, lambda row: row[place], importance=place, elastic=elastic)

    return Table([column(place, name) for place, name in enumerate(header)], list(rows))


def _text(cell: str | Text) -> Text:
    return cell if isinstance(cell, Text) else Text(cell)


def _lines(cell: Text, width: int, elastic: str) -> list[Text]:
    if cell.cell_len <= width or not elastic:
        return [cell]
    if elastic == "cut":
        return [Text(set_cell_size(cell.plain, width - 1).rstrip() + "…", style=cell.style)]
    return [Text(line, style=cell.style) for line in textwrap.wrap(cell.plain, width)]


def _append(found: Text, row: Sequence[tuple[Column[T], list[Text]]], widths: dict[int, int]) -> None:
    for line in range(max(len(lines) for _, lines in row)):
        text = Text()
        for place, (one, lines) in enumerate(row):
            cell = lines[line] if line < len(lines) else Text()
            space = " " * (widths[id(one)] - cell.cell_len)
            text.append(" " * GAP if place else "")
            text.append(space if one.right else "").append_text(cell).append("" if one.right else space)
        text.rstrip()
        found.append_text(text).append("\n")
