"""Whether two networks are the same function on a polytope, decided exactly."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from flint import fmpq

from verify.notation.representation import card
from verify.numbers.arithmetic import Array
from verify.piecewise._arguments import check_limit, one_network
from verify.piecewise._forms import Symbols
from verify.piecewise.cells.convex import Cell, Row
from verify.piecewise.cells.integer_network import IntegerNetwork, affine, homogeneous, integer_network, read_only
from verify.piecewise.cells.walk import leaves
from verify.piecewise.polytope import Polytope, inside
from verify.piecewise.regions import LIMIT, TooManyRegions, check_polytope
from verify.piecewise.rewriting import simplify

POINTS = 8
"""How many random points are tried, and of how many neurons of the first layers the two extreme points, before the regions."""


@dataclass(frozen=True, eq=False)
class Equality:
    """A proof that two functions are equal on a polytope, or a point where they differ; true in conditions if equal.

    Attributes
    ----------
    equal
        Whether they are equal.
    witness
        A rational point of the polytope where they differ, shape ``(d,)``; None if they are equal.
    values
        The two values there.
    regions
        On how many cells of the common refinement the two affine maps were compared.
    method
        What decided: ``"structure"`` (the rewritten networks are the same), ``"points"`` (a difference at a point that was
        tried), or ``"regions"`` (every cell of the common refinement, or a difference on one).
    """

    equal: bool
    witness: Array | None
    values: tuple[Array, Array] | None
    regions: int
    method: Literal["structure", "points", "regions"]

    def __repr__(self) -> str:
        where = "" if self.witness is None else f" at {[str(entry) for entry in self.witness]}"
        return f"<Equality {'equal' if self.equal else 'different'}{where}, by {self.method}>"

    def _repr_html_(self) -> str:
        values = self.values or (None, None)
        rows = {"cells": self.regions, "method": self.method, "point": self.witness, "f": values[0], "g": values[1]}
        return card("equal on the polytope" if self.equal else "different at a point", rows)

    def __bool__(self) -> bool:
        return self.equal


def equal(f: Any, g: Any, polytope: Polytope, *, limit: int = LIMIT) -> Equality:
    """Whether ``f(x) = g(x)`` for every x in `polytope`: a proof, or a rational point where they differ.

    `f` and `g` are networks of any depths and activations, or objects with a method ``as_network()``. First both are rewritten
    as far as the signs of neurons are known from interval bounds, in any dimension; then they are compared at a few rational
    points; then both are simplified, and compared on every cell of the common refinement of their regions, where two
    affine maps are equal if all their coefficients are.

    Raises
    ------
    ValueError
        A batch of networks; inputs or outputs that do not fit; a box of too high a dimension to enumerate its regions, when
        neither the structure nor the points decide.
    TypeError
        No network, no polytope, or parameters that are balls.
    TooManyRegions
        The common refinement has more cells than `limit`.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 1, 0])
    >>> bool(equal(tent, tent, Polytope.box([-1], [3])))
    True
    """
    first, second = one_network(f, "f"), one_network(g, "g")
    for name, k in (("inputs", 0), ("outputs", -1)):
        if first.widths[k] != second.widths[k]:
            raise ValueError(f"f and g must have the same number of {name}, got {first.widths[k]} and {second.widths[k]}")
    check_polytope(polytope, first.widths[0])
    check_limit(limit)
    symbols = Symbols(polytope)
    if symbols.outputs(first) == symbols.outputs(second):
        return Equality(True, None, None, 0, "structure")
    left, right = integer_network(first), integer_network(second)
    for point in _trial_points(left, right, polytope):
        if (values := _differing(left, right, point)) is not None:
            return _refuted(point, values, 0, "points")
    left, right = (integer_network(simplify(network, polytope)) for network in (first, second))
    return by_regions(left, right, polytope.cell, limit)


def by_regions(left: IntegerNetwork, right: IntegerNetwork, cell: Cell, limit: int) -> Equality:
    """`equal` by the common refinement alone: the cells of `right` in every cell of `left`."""
    count = 0
    prefixes: dict[Any, Any] = {}
    for outer in leaves(left, cell):
        for inner in leaves(right, outer.cell, prefixes=prefixes):
            if count == limit:
                raise TooManyRegions(limit)
            count += 1
            if outer.rows * inner.scale != inner.rows * outer.scale:
                # affine maps that differ do so at a vertex
                for point in (inside(inner.cell), *inner.cell.vertices):
                    if (values := _differing(left, right, point)) is not None:
                        return _refuted(point, values, count, "regions")
    return Equality(True, None, None, count, "regions")


def _refuted(point: Row, values: tuple[list[fmpq], list[fmpq]], regions: int, method: Literal["points", "regions"]) -> Equality:
    first, second = (read_only(value, (len(value),)) for value in values)
    return Equality(False, read_only(affine(point), (len(point) - 1,)), (first, second), regions, method)


def _differing(left: IntegerNetwork, right: IntegerNetwork, point: Row) -> tuple[list[fmpq], list[fmpq]] | None:
    values = left.value(point), right.value(point)
    return None if values[0] == values[1] else values


def _trial_points(left: IntegerNetwork, right: IntegerNetwork, polytope: Polytope) -> Iterator[Row]:
    """Points of the polytope, the same ones each time: random ones, and where first pre-activations are largest or smallest."""
    generator = random.Random(0)
    for _ in range(POINTS):
        yield homogeneous(polytope.point_between(lambda: generator.randrange(1, 1024)))
    for row in (row for network in (left, right) for row in network.layers[0].tolist()[:POINTS]):
        for sign in (1, -1):
            yield homogeneous(polytope.highest_point([fmpq(sign * x) for x in row[:-1]]))
