"""Bounded polytopes with interior, in rationals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from verify.notation.representation import card
from verify.numbers.arithmetic import Array, chosen_rationals, fraction
from verify.piecewise._arguments import shaped_rationals
from verify.piecewise.cells.convex import Cell, Row, facets_among
from verify.piecewise.cells.double_description import extreme_rays, independent
from verify.piecewise.cells.integer_network import affine, homogeneous, inequality, read_only

LARGEST_BOX = 16
"""Boxes of more dimensions are not enumerated by vertices."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Polytope:
    """``{x : normals @ x <= offsets}``, shapes ``(m, d)`` and ``(m,)``: bounded, with interior points, one row for each facet.

    Made by `from_inequalities`, `box` or `from_vertices`, which decide on rationals, without a tolerance; floats are taken as
    the rationals that they are. The arrays are read-only.
    """

    normals: Array
    offsets: Array
    _corners: tuple[Array, Array] | None
    _given: Cell | None

    def __init__(self, normals: Any, offsets: Any) -> None:
        matrix, bounds = shaped_rationals(normals, 2, "normals"), shaped_rationals(offsets, 1, "offsets")
        if len(matrix) != len(bounds):
            raise ValueError(f"offsets must be one for each of {len(matrix)} normals, got {len(bounds)}")
        kept, cell = _enumerated(matrix, bounds)
        _set(
            self, read_only(list(matrix[kept].flat), (len(kept), matrix.shape[1])), read_only(list(bounds[kept]), (len(kept),))
        )
        object.__setattr__(self, "_given", cell)

    @classmethod
    def from_inequalities(cls, normals: Any, offsets: Any) -> Polytope:
        """``{x : normals @ x <= offsets}``; rows that are no facet are dropped.

        The vertices are enumerated, whose number may grow exponentially with the dimension: see `box`.

        Raises
        ------
        ValueError
            The polytope is unbounded, empty or without interior points; a wrong shape, NaN or infinity.
        """
        return cls(normals, offsets)

    @classmethod
    def box(cls, lower: Any, upper: Any) -> Polytope:
        """``{x : lower <= x <= upper}``, shapes ``(d,)``. Of any dimension; the vertices are made when they are asked for.

        Raises
        ------
        ValueError
            An entry of `lower` is not below that of `upper`; a wrong shape, NaN or infinity.
        """
        low, high = shaped_rationals(lower, 1, "lower"), shaped_rationals(upper, 1, "upper")
        if low.shape != high.shape:
            raise ValueError(f"lower and upper must have the same shape, got {low.shape} and {high.shape}")
        for i, (a, b) in enumerate(zip(low, high, strict=True)):
            if a >= b:
                raise ValueError(f"lower must be below upper, got lower[{i}] = {a} and upper[{i}] = {b}: no interior points")
        d = len(low)
        unit = [[fmpq(int(i == j)) for j in range(d)] for i in range(d)]
        result = cls.__new__(cls)
        normals = [x for row in unit for x in row] + [-x for row in unit for x in row]
        _set(result, read_only(normals, (2 * d, d)), read_only([*high, *(-low)], (2 * d,)))
        object.__setattr__(result, "_corners", (low, high))
        return result

    @classmethod
    def from_vertices(cls, points: Any) -> Polytope:
        """Convex hull of `points`, shape ``(n, d)``.

        Raises
        ------
        ValueError
            The points lie in a hyperplane; a wrong shape, NaN or infinity.
        """
        array = shaped_rationals(points, 2, "points")
        rows = list(dict.fromkeys(homogeneous(point) for point in array))
        size = array.shape[1] + 1
        if len(rows) < size or len(independent(rows)) < size:
            raise ValueError(
                f"points must span the space, got {len(rows)} different points of dimension {array.shape[1]} that lie in a "
                "hyperplane: the hull has no interior points"
            )
        facets, masks = extreme_rays(rows)
        on = [sum(1 << j for j, mask in enumerate(masks) if mask >> i & 1) for i in range(len(rows))]
        # the facets through a vertex meet in no other point
        kept = [
            i
            for i, mask in enumerate(on)
            if mask.bit_count() >= size - 1 and not any(mask & x == mask for x in on[:i] + on[i + 1 :])
        ]
        return cls._of_cell(Cell(tuple(rows[i] for i in kept), tuple(on[i] for i in kept), tuple(facets)))

    @classmethod
    def _of_cell(cls, cell: Cell) -> Polytope:
        result = cls.__new__(cls)
        shape = (len(cell.facets), cell.dimension)
        _set(
            result,
            read_only([fmpq(-x) for row in cell.facets for x in row[:-1]], shape),
            read_only([fmpq(row[-1]) for row in cell.facets], shape[:1]),
        )
        object.__setattr__(result, "_given", cell)
        return result

    def __repr__(self) -> str:
        return f"Polytope(dimension={self.dimension}, facets={len(self.normals)})"

    def _repr_html_(self) -> str:
        rows = {
            "dimension": self.dimension,
            "facets": len(self.normals),
            "normals": self.normals,
            "offsets": self.offsets,
        }
        return card("Polytope", rows, r"All x with :math:`N x \le c`.")

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return int(self.normals.shape[1])

    @cached_property
    def cell(self) -> Cell:
        """The polytope in integers: vertices, facets and which lie on which (what the tree of cells starts from).

        Raises
        ------
        ValueError
            A box of more than `LARGEST_BOX` dimensions.
        """
        if self._given is not None:
            return self._given
        if self._corners is None:
            raise AttributeError("a polytope is a box or has its cell")
        low, high = self._corners
        if self.dimension > LARGEST_BOX:
            raise ValueError(
                f"a box of dimension {self.dimension} has 2^{self.dimension} vertices: vertices and linear regions are "
                f"enumerated up to dimension {LARGEST_BOX}"
            )
        d = self.dimension
        facets = tuple(inequality(normal, offset) for normal, offset in zip(self.normals, self.offsets, strict=True))
        vertices, masks = list[Row](), list[int]()
        for corner in range(2**d):
            vertices.append(homogeneous([high[i] if corner >> i & 1 else low[i] for i in range(d)]))
            masks.append(sum(1 << (i if corner >> i & 1 else d + i) for i in range(d)))
        return Cell(tuple(vertices), tuple(masks), facets)

    @cached_property
    def vertices(self) -> Array:
        """All vertices, shape ``(n, d)``; in the order around the polygon for ``d = 2``."""
        rows = _around(self.cell) if self.dimension == 2 else self.cell.vertices
        return read_only([x for row in rows for x in affine(row)], (len(rows), self.dimension))

    @property
    def vertex_count(self) -> int:
        """Number of vertices; of a box without enumerating them."""
        return 2**self.dimension if self._corners is not None else len(self.cell.vertices)

    @property
    def is_simple(self) -> bool:
        """Whether every vertex lies on as many facets as the polytope has dimensions, like those of a box."""
        return self._corners is not None or all(mask.bit_count() == self.dimension for mask in self.cell.masks)

    @cached_property
    def interior_point(self) -> Array:
        """A rational point inside, near the mean of the vertices, shape ``(d,)``."""
        if self._corners is not None:
            return read_only(list((self._corners[0] + self._corners[1]) / 2), (self.dimension,))
        return read_only(affine(inside(self.cell)), (self.dimension,))

    def contains(self, x: Any) -> bool:
        """Whether the point `x`, shape ``(d,)``, lies in the polytope, its boundary included.

        Raises
        ------
        ValueError
            Another shape, NaN or infinity.
        """
        point = shaped_rationals(x, 1, "x")
        if point.shape != (self.dimension,):
            raise ValueError(f"x must have shape ({self.dimension},), got {point.shape}")
        return all(value <= bound for value, bound in zip(self.normals @ point, self.offsets, strict=True))

    @cached_property
    def volume(self) -> fmpq:
        """The volume, exactly (the area for ``d = 2``)."""
        if self._corners is not None:
            return math.prod(self._corners[1] - self._corners[0], start=fmpq(1))
        return cell_volume(self.cell)

    def range_of_row(self, row: list[fmpq], shift: fmpq) -> tuple[fmpq, fmpq]:
        """Smallest and largest value of ``row . x + shift``, exactly; d rationals, unchecked."""
        if self._corners is not None:
            low = high = shift
            for x, a, b in zip(row, *self._corners, strict=True):
                if x != 0:
                    low, high = low + x * (a if x > 0 else b), high + x * (b if x > 0 else a)
            return low, high
        values = self.vertices @ np.array(row, dtype=object)
        return min(values) + shift, max(values) + shift

    def highest_point(self, row: list[fmpq]) -> list[fmpq]:
        """A vertex at which ``row . x`` is largest."""
        if self._corners is not None:
            return [b if x > 0 else a for x, a, b in zip(row, *self._corners, strict=True)]
        values = list(self.vertices @ np.array(row, dtype=object))
        return list(self.vertices[values.index(max(values))])

    def point_between(self, weight: Callable[[], int]) -> list[fmpq]:
        """A point inside, from positive weights: of both ends of every coordinate of a box, else of every vertex."""
        if self._corners is not None:
            pairs = [(weight(), weight()) for _ in range(self.dimension)]
            return [(p * a + q * b) / (p + q) for (p, q), a, b in zip(pairs, *self._corners, strict=True)]
        weights = [weight() for _ in self.cell.vertices]
        total = read_only([fmpq(w) for w in weights], (len(weights),)) @ self.vertices
        return [x / sum(weights) for x in total]


def _set(polytope: Polytope, normals: Array, offsets: Array) -> None:
    for name, value in (("normals", normals), ("offsets", offsets), ("_corners", None), ("_given", None)):
        object.__setattr__(polytope, name, value)


def _enumerated(normals: Array, offsets: Array) -> tuple[list[int], Cell]:
    """Which inequalities are facets, and the cell of their polytope."""
    d = normals.shape[1]
    for i, normal in enumerate(normals):
        if not any(normal):
            raise ValueError(f"normals[{i}] must not be zero: it is no half space")
    rows = [inequality(normal, offset) for normal, offset in zip(normals, offsets, strict=True)]
    infinity = (*[fmpz(0)] * d, fmpz(1))
    linear = [row[:-1] for row in rows]
    spanned = independent([*zip(*linear, strict=True)])
    # coordinates that the others determine up to a line of the polytope are set to zero
    reduced = [tuple(row[j] for j in [*spanned, d]) for row in rows]
    rays, masks = extreme_rays([*reduced, tuple(infinity[j] for j in [*spanned, d])])
    at_infinity = 1 << len(rows)
    if all(mask & at_infinity for mask in masks):
        raise ValueError(f"the polytope is empty: no point satisfies the {len(rows)} inequalities")
    if len(spanned) < d or any(mask & at_infinity for mask in masks):
        raise ValueError(f"the polytope is unbounded: the {len(rows)} inequalities must bound it on every side")
    tight = masks[0]
    for mask in masks:
        tight &= mask
    if tight:
        rows_named = [i for i in range(len(rows)) if tight >> i & 1]
        raise ValueError(f"the polytope has no interior points: the inequalities {rows_named} hold with equality on all of it")
    kept, facet_masks = facets_among(masks, d)
    return kept, Cell(tuple(rays), facet_masks, tuple(rows[i] for i in kept))


def inside(cell: Cell) -> Row:
    """A point inside: the mean of the vertices in floats (near the mean, in short numbers) if it is inside, else the mean."""
    try:
        rounded = [[int(x) / int(vertex[-1]) for x in vertex[:-1]] for vertex in cell.vertices]
        point = homogeneous([*chosen_rationals([math.fsum(column) / len(rounded) for column in zip(*rounded, strict=True)])])
    except OverflowError:  # beyond the largest float
        point = cell.vertices[0]
    if all(sum(x * y for x, y in zip(row, point, strict=True)) > 0 for row in cell.facets):
        return point
    columns = zip(*map(affine, cell.vertices), strict=True)
    return homogeneous([sum(column, fmpq(0)) / len(cell.vertices) for column in columns])


def _around(cell: Cell) -> list[Row]:
    """Vertices of a polygon in counterclockwise order."""
    centre = affine(inside(cell))

    def direction(vertex: Row) -> tuple[int, Any]:
        x, y = (a - b for a, b in zip(affine(vertex), centre, strict=True))
        # the half plane, and then the cotangent, which falls with the angle
        upper = y > 0 or (y == 0 and x > 0)
        return (0 if upper else 1), (-fraction(x / y) if y != 0 else -math.inf)

    return sorted(cell.vertices, key=direction)


def cell_volume(cell: Cell) -> fmpq:
    """The volume: simplices from one vertex to the facets that do not meet it, and so on in the facets."""
    d = cell.dimension
    members = cell.members()

    def simplices(face: int, facets: list[int], dimension: int) -> list[list[int]]:
        apex = (face & -face).bit_length() - 1
        if dimension == 0:
            return [[apex]]
        within = {face & other for other in facets} - {face}
        largest = [facet for facet in within if not any(facet & other == facet != other for other in within)]
        return [
            [apex, *simplex] for face in largest if not face >> apex & 1 for simplex in simplices(face, largest, dimension - 1)
        ]

    total = fmpq(0)
    for simplex in simplices((1 << len(cell.vertices)) - 1, members, d):
        corners = [cell.vertices[v] for v in simplex]
        weight = math.prod((row[-1] for row in corners), start=fmpz(1))
        total += fmpq(abs(fmpz_mat(d + 1, d + 1, [x for row in corners for x in row]).det()), weight)
    return total / math.factorial(d)
