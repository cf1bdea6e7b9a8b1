"""The skeleton of a network, slab by slab where the pre-activations at all its vertices would have no room.

Slabs lie between parallel planes. A plane is a facet of the slabs on its two sides, so that both are found as polytopes are. It
is crossed by edges: where the hyperplanes and the signs are the same on both sides, the vertices on the plane go, and the
two halves of an edge become one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpz, fmpz_mat

from verify.networks import FullyConnected
from verify.piecewise.cells.convex import Cell, Row, split
from verify.piecewise.skeleton.cut import Degenerate, Room, Skeleton, Start, TooLarge, TooManyVertices, cut_out
from verify.piecewise.skeleton.layout import Keys, Layout, Words

ROOM = 3 * 2**27
"""Bytes that the pre-activations of a layer at all vertices may take; for more, the polytope is cut into slabs."""

FIRST = 64
"""The first slab has this part of the polytope's width, the following ones as much as there is room for."""

THINNEST = 2.0**-12
"""Below this part of the polytope's width, most vertices of a slab are on its planes, and slabs are no help."""


def skeleton(network: FullyConnected, cell: Cell, limit: int) -> Skeleton:
    """Cuts a simple polytope by the hyperplanes of all hidden layers; nothing about the result is proved.

    Raises
    ------
    Degenerate, TooManyVertices
        As for `cut_out`.
    """
    layout = Layout(len(cell.facets), network.widths[1:-1])
    start = Start.of(cell, range(layout.facets))
    room = Room(ROOM)
    try:
        return cut_out(network, start, layout, limit, room, foreseen=True)
    except TooLarge:
        pass
    try:
        return _in_slabs(network, cell, layout, limit, room)
    except (Degenerate, TooLarge):  # perhaps for a plane's sake, which may pass too near to a vertex
        return cut_out(network, start, layout, limit)


def _in_slabs(network: FullyConnected, cell: Cell, layout: Layout, limit: int, room: Room) -> Skeleton:
    vertices = Start.of(cell, range(layout.facets)).vertices
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    axis = int((high - low).argmax())
    end, extent = float(high[axis]), float((high - low)[axis])
    within = Layout(layout.facets + 2, layout.widths)
    glue = _Glue(layout)
    slab_start, width = float(low[axis]), extent / FIRST
    while slab_start < end:
        if width < THINNEST * extent:
            raise TooLarge
        slab_end = slab_start + width if slab_start + 1.25 * width < end else end
        planes = [_plane(cell, axis, bound) if low[axis] < bound < end else None for bound in (slab_start, slab_end)]
        try:
            slab = cut_out(network, _slab(cell, planes), within, limit, room)
        except TooLarge:
            width /= 4
            continue
        glue.add(slab)
        if glue.count > limit:
            raise TooManyVertices(limit)
        slab_start = slab_end
        used = 8 * len(slab.vertices) * max(layout.widths)
        width *= min(max(0.7 * ROOM / used, 0.5), 4.0)
    return glue.result()


def _plane(cell: Cell, axis: int, bound: float) -> Row:
    """The row that vanishes where a coordinate is `bound`, or hardly more: it passes through no vertex."""
    while True:
        top, bottom = bound.as_integer_ratio()
        row = tuple(fmpz(bottom if j == axis else -top if j == cell.dimension else 0) for j in range(cell.dimension + 1))
        if all(value != 0 for value in cell.values(fmpz_mat(1, len(row), row))[0]):
            return row
        bound = float(np.nextafter(bound, np.inf))


def _slab(cell: Cell, planes: list[Row | None]) -> Start:
    """Where the first row is positive and the second negative; as facets they come after those of the cell."""
    numbers = {row: j for j, row in enumerate(cell.facets)}
    for number, (plane, sign) in enumerate(zip(planes, (1, -1), strict=True), start=len(cell.facets)):
        if plane is not None:
            numbers[tuple(sign * x for x in plane)] = number
            cell = next(part for signs, part in split(cell, fmpz_mat(1, len(plane), plane)) if signs == (sign,))
    return Start.of(cell, [numbers[row] for row in cell.facets])


class _Glue:
    """The skeleton of the slabs so far, and the edges that cross the last plane: the vertex that each comes from."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.keys = layout, Keys.drawn(layout)
        self.count = 0
        self.parts: list[tuple[npt.NDArray[Any], ...]] = []
        self.open_names, self.open_vertices = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32)

    def add(self, slab: Skeleton) -> None:
        """The slab to the right of those that are there.

        Raises
        ------
        Degenerate
            Not the same edges cross the plane on both sides.
        """
        on_left, on_right = ((slab.vertex_zeros == self.layout.facets + side).any(axis=1) for side in (0, 1))
        inner = np.flatnonzero(~(on_left | on_right))
        numbers = np.full(len(slab.vertices), -1, dtype=np.int32)
        numbers[inner] = np.arange(self.count, self.count + len(inner))
        names, rows = self._named(slab, np.flatnonzero(on_left))
        if not np.array_equal(names, self.open_names):
            raise Degenerate("the slabs on the two sides of a plane do not fit")
        numbers[rows] = self.open_vertices
        through = ~self._on_planes(slab.edge_zeros).any(axis=1)
        edges, edge_zeros = slab.edges[through], self._renumbered(slab.edge_zeros[through])
        ends, leaving = numbers[edges], on_right[edges]
        inside = ~leaving.any(axis=1)
        self.parts.append(
            (
                slab.vertices[inner],
                self._renumbered(slab.vertex_zeros[inner]),
                slab.patterns[inner],
                ends[inside],
                edge_zeros[inside],
            )
        )
        self.count += len(inner)
        numbers[edges[leaving]] = ends[~inside][~leaving[~inside]]
        self.open_names, rows = self._named(slab, np.flatnonzero(on_right))
        self.open_vertices = numbers[rows]

    def _on_planes(self, zeros: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        planes: npt.NDArray[np.bool_] = (zeros == self.layout.facets) | (zeros == self.layout.facets + 1)
        return planes

    def _renumbered(self, zeros: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Numbers of hyperplanes without the planes."""
        return zeros - 2 * (zeros >= self.layout.facets).astype(np.int32)

    def _named(self, slab: Skeleton, rows: npt.NDArray[np.int64]) -> tuple[Words, npt.NDArray[np.int64]]:
        """Hashes, in rising order, of the edges that cross a plane at the given vertices, and these vertices."""
        names = self.keys.of_patterns(slab.patterns[rows])
        zero = np.insert(self.keys.zero, self.layout.facets, np.zeros(2, dtype=np.uint64))
        for hyperplanes in slab.vertex_zeros[rows].T:
            names ^= zero[hyperplanes]
        order = np.argsort(names)
        return names[order], rows[order]

    def result(self) -> Skeleton:
        """The whole, when nothing is left to the right of the last slab."""
        columns = [np.concatenate(column) for column in zip(*self.parts, strict=True)]
        for column in columns:
            column.flags.writeable = False
        return Skeleton(self.layout, self.keys, *columns)
