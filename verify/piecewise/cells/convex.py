"""Convex cells by their vertices, cut by hyperplanes, in integers.

A point is a tuple of integers ``(w x_1, ..., w x_d, w)`` with ``w > 0`` and no common factor, so that equal points are equal
tuples and nothing is ever divided. An inequality is a row ``r`` of ``d + 1`` integers, ``r . point >= 0``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpz, fmpz_mat

Row: TypeAlias = tuple[fmpz, ...]
"""A point or an inequality in homogeneous integers."""

MANY = 128
"""Parts of a cell that are cut together, so that vertices which they share are computed once."""


@dataclass(frozen=True, eq=False, slots=True)
class Cell:
    """A bounded cell with interior: all its vertices, all its facets, and which lie on which.

    Bit ``j`` of ``masks[v]`` says that vertex ``v`` lies on ``facets[j]``. No facet is redundant.
    """

    vertices: tuple[Row, ...]
    masks: tuple[int, ...]
    facets: tuple[Row, ...]

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return len(self.vertices[0]) - 1

    def values(self, rows: fmpz_mat) -> list[list[fmpz]]:
        """``rows . vertex``, one list for each row."""
        return (rows * self.columns()).tolist()  # type: ignore[no-any-return]

    def columns(self) -> fmpz_mat:
        """The vertices as the columns of a matrix."""
        return fmpz_mat(len(self.vertices), len(self.vertices[0]), [x for v in self.vertices for x in v]).transpose()

    def members(self) -> list[int]:
        """The vertices on each facet, as bits."""
        return [sum(1 << v for v, mask in enumerate(self.masks) if mask >> j & 1) for j in range(len(self.facets))]


def primitive(row: Row) -> Row:
    """`row` without the common factor of its entries."""
    factor = row[0]
    for entry in row[1:]:
        if factor == 1:
            return row
        factor = factor.gcd(entry)
    return row if factor in (0, 1, -1) else tuple(entry / abs(factor) for entry in row)


def between(first: Row, last: Row, above: fmpz, below: fmpz) -> Row:
    """The zero between two points of a function that is `above` > 0 at the first and `below` < 0 at the last."""
    return primitive(tuple(above * y - below * x for x, y in zip(first, last, strict=True)))


def edges(
    plus: list[int], minus: list[int], masks: list[int], vertices: list[int], dimension: int
) -> Iterator[tuple[int, int]]:
    """The edges from one set of vertices to another: no third vertex lies on all inequalities that both ends meet."""
    for u in plus:
        mask = masks[u]
        simple = mask.bit_count() == dimension
        for v in [v for v in minus if (mask & masks[v]).bit_count() >= dimension - 1]:
            # at a simple vertex any d - 1 of the d inequalities leave an edge
            if simple or masks[v].bit_count() == dimension:
                yield u, v
                continue
            common = mask & masks[v]
            if not any(masks[w] & common == common for w in vertices if w not in (u, v)):
                yield u, v


def split(cell: Cell, rows: fmpz_mat) -> Iterator[tuple[tuple[int, ...], Cell]]:
    """The parts of `cell` on which no row changes its sign, and these signs; 0 for a row that vanishes on the whole cell.

    When there are many parts, the rows that are left cut each of them only when it is its turn: the first parts are there
    long before the last, and the parts need not all be held.
    """
    signs, crossing = list[int](), list[int]()
    values = cell.values(rows)
    for i, row in enumerate(values):
        above, below = max(row) > 0, min(row) < 0
        signs.append(above - below)
        if above and below:
            crossing.append(i)
    if not crossing:
        yield tuple(signs), cell
        return
    cutting = [_row(rows, i) for i in crossing]
    parts = _cut(cell, [values[i] for i in crossing], cutting)
    remaining = cutting[len(parts[0][0]) :]
    if not remaining:
        yield from ((_with_signs(signs, crossing, chosen), part) for chosen, part in parts)
        return
    following = fmpz_mat(len(remaining), rows.ncols(), [x for row in remaining for x in row])
    for chosen, part in parts:
        for following_signs, piece in split(part, following):
            yield _with_signs(signs, crossing, (*chosen, *following_signs)), piece


def _with_signs(signs: list[int], crossing: list[int], chosen: tuple[int, ...]) -> tuple[int, ...]:
    result = list(signs)
    for i, sign in zip(crossing, chosen, strict=True):
        result[i] = sign
    return tuple(result)


def _row(rows: fmpz_mat, i: int) -> Row:
    return tuple(rows[i, j] for j in range(rows.ncols()))


def _cut(cell: Cell, values: list[list[fmpz]], rows: list[Row]) -> list[tuple[tuple[int, ...], Cell]]:
    """Parts of `cell` by the signs of the first rows, which all change sign on it: of all, or until there are `MANY` parts.

    The vertices of all parts are one list; a mask says on which facets of the cell and on which of the rows cut by so far a
    vertex lies. That a row need not cut the part does no harm: it holds there.
    """
    dimension, facet_count = cell.dimension, len(cell.facets)
    points, masks = list(cell.vertices), list(cell.masks)
    values_at = [list(column) for column in zip(*values, strict=True)]
    functions = fmpz_mat(len(rows), dimension + 1, [x for row in rows for x in row])
    parts: list[tuple[list[int], tuple[int, ...]]] = [(list(range(len(points))), ())]
    for c in range(len(rows)):
        if len(parts) >= MANY:
            break
        bit = 1 << (facet_count + c)
        for v, value in enumerate(values_at):
            if value[c] == 0:
                masks[v] |= bit
        vertex_on_edge: dict[tuple[int, int], int] = {}
        new_parts: list[tuple[list[int], tuple[int, ...]]] = []
        for vertices, chosen in parts:
            plus = [v for v in vertices if values_at[v][c] > 0]
            minus = [v for v in vertices if values_at[v][c] < 0]
            if not plus or not minus:
                new_parts.append((vertices, (*chosen, 1 if plus else -1)))
                continue
            on = [v for v in vertices if values_at[v][c] == 0]
            for u, v in edges(plus, minus, masks, vertices, dimension):
                vertex = vertex_on_edge.get((u, v))
                if vertex is None:
                    vertex = vertex_on_edge[u, v] = len(points)
                    point = between(points[u], points[v], values_at[u][c], values_at[v][c])
                    points.append(point)
                    masks.append(masks[u] & masks[v] | bit)
                    values_at.append((functions * fmpz_mat(dimension + 1, 1, point)).entries())
                on.append(vertex)
            new_parts.append((plus + on, (*chosen, 1)))
            new_parts.append((minus + on, (*chosen, -1)))
        parts = new_parts
    return [(chosen, _part(cell, rows, points, masks, vertices, chosen)) for vertices, chosen in parts]


def _part(
    cell: Cell, rows: list[Row], points: list[Row], masks: list[int], vertices: list[int], chosen: tuple[int, ...]
) -> Cell:
    facet_count = len(cell.facets)
    kept, facet_masks = facets_among([masks[v] for v in vertices], cell.dimension)
    facets = tuple(
        cell.facets[j]
        if j < facet_count
        else rows[j - facet_count]
        if chosen[j - facet_count] > 0
        else tuple(-x for x in rows[j - facet_count])
        for j in kept
    )
    return Cell(tuple(points[v] for v in vertices), facet_masks, facets)


def facets_among(masks: list[int], dimension: int) -> tuple[list[int], tuple[int, ...]]:
    """Which of the inequalities, bits of the `masks` of all vertices, are facets, one for each facet; masks of these alone.

    Facets are the largest proper faces, and a face is its set of vertices.
    """
    on: dict[int, int] = {}
    for k, mask in enumerate(masks):
        while mask:
            bit = mask & -mask
            on[bit] = on.get(bit, 0) | 1 << k
            mask ^= bit
    faces: dict[int, int] = {}
    for bit in sorted(on):
        if on[bit].bit_count() >= dimension:  # a facet has so many vertices
            faces.setdefault(on[bit], bit.bit_length() - 1)
    if dimension > 3:  # up to there a face that is no facet has fewer vertices
        sets = list(faces)
        faces = {number: j for number, j in faces.items() if not any(number & other == number != other for other in sets)}
    result = [0] * len(masks)
    for j, members in enumerate(faces):
        while members:
            bit = members & -members
            result[bit.bit_length() - 1] |= 1 << j
            members ^= bit
    return list(faces.values()), tuple(result)
