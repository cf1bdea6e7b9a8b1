"""What the runs of an experiment gave, as rows of numbers that are the same after they were written and read."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Cell: TypeAlias = int | float | str
Row: TypeAlias = Mapping[str, Any]
"""Numbers and words by the names of their columns; a column may be missing."""
DIGITS = 6
"""Significant digits of a float in a table."""


def plain_row(row: Row) -> dict[str, Cell]:
    """A row with Python's numbers, floats rounded to `DIGITS`.

    Raises
    ------
    ValueError
        A number is not finite, a text reads as a number, or it is neither.
    """
    return {name: _plain(name, value) for name, value in row.items()}


def _plain(name: str, value: Any) -> Cell:
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool | int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, str) and value and _read(value) == value:
        return value
    raise ValueError(f"{name} must be a finite number, or a text that is no number, got {value!r}")


def _read(text: str) -> Cell:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@dataclass(frozen=True)
class Table:
    """Rows; what is asked of them is asked by the names of columns."""

    rows: Sequence[Mapping[str, Cell]]

    def where(self, **wanted: Cell) -> Table:
        """The rows that have these values: ``table.where(depth=8, panel="norm")``."""
        return Table([row for row in self.rows if all(row.get(name) == value for name, value in wanted.items())])

    def distinct(self, column: str) -> list[Any]:
        """The values of a column, each once, sorted."""
        return sorted({row[column] for row in self.rows if column in row}, key=lambda value: (isinstance(value, str), value))

    def column(self, name: str) -> npt.NDArray[np.float64]:
        """The numbers of a column, in the order of the rows that have it."""
        return np.array([row[name] for row in self.rows if name in row], dtype=np.float64)

    def each(self, by: str, value: str) -> dict[str, npt.NDArray[np.float64]]:
        """For each value of the column `by` the numbers of the column `value`: one for each seed, if rows have no more."""
        return {f"{by} {text}": self.where(**{by: text}).column(value) for text in self.distinct(by)}

    def csv(self) -> str:
        """The table as text: a line for each row, columns in the order in which they come first."""
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()


def read_table(text: str) -> Table:
    """The table that `Table.csv` wrote.

    Raises
    ------
    ValueError
        It is none; the message says in which line.
    """
    try:
        lines = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise ValueError(f"not a table: {error}") from error
    if not lines or len(set(lines[0])) != len(lines[0]) or not all(lines[0]):
        raise ValueError("the first line must have the names of the columns")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(lines[0]):
            raise ValueError(f"line {number} has {len(line)} cells, and there are {len(lines[0])} columns")
        row = {name: _read(cell) for name, cell in zip(lines[0], line, strict=True) if cell}
        for name, value in row.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"line {number} has {value} as its {name!r:.40}, which is no finite number")
        rows.append(row)
    return Table(rows)


def table_of(parts: Iterable[Iterable[Row]]) -> Table:
    """One table of the rows of several runs, in their order."""
    return Table([plain_row(row) for rows in parts for row in rows])
