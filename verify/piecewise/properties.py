"""Range, maximum, Lipschitz constant, Jacobian rank and sign of a network on a whole polytope.

Every function rewrites the network first (`simplify`: the function stays the same), and then goes through its linear regions.
Each raises `ValueError` for a batch of networks or a polytope of another dimension than the inputs, `TypeError` for what is no
network or no polytope and for parameters that are balls, and `TooManyRegions` when there are more regions than `limit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpz, fmpz_mat

from verify.arithmetic import Array
from verify.matrices import operator_norm
from verify.matrices.exact import is_semidefinite
from verify.networks import FullyConnected
from verify.piecewise._arguments import check_limit, one_network, rational_array
from verify.piecewise._integers import affine, integer_network, read_only
from verify.piecewise._walk import Node, leaves
from verify.piecewise.bracket import Bracket
from verify.piecewise.polytope import Polytope, inside
from verify.piecewise.regions import LIMIT, TooManyRegions
from verify.piecewise.rewriting import simplify

REGIONS = "regions"


@dataclass(frozen=True, eq=False)
class Range:
    """Smallest and largest value of every output on a polytope, with points where they are taken."""

    minima: tuple[Bracket, ...]
    maxima: tuple[Bracket, ...]

    @cached_property
    def lower(self) -> Array:
        """Lower bounds of the outputs, shape ``(n_L,)``: the minima, where these are exact."""
        return read_only([bracket.lower for bracket in self.minima], (len(self.minima),))

    @cached_property
    def upper(self) -> Array:
        """Upper bounds of the outputs, shape ``(n_L,)``: the maxima, where these are exact."""
        return read_only([bracket.upper for bracket in self.maxima], (len(self.maxima),))


@dataclass(frozen=True, eq=False)
class Nonnegativity:
    """Whether no output is negative anywhere on a polytope; true in conditions if so.

    Attributes
    ----------
    holds
        Whether all outputs are >= 0 on the whole polytope.
    witness
        A rational point where an output is negative, or None.
    value
        The smallest output there.
    """

    holds: bool
    witness: Array | None
    value: fmpq | None

    def __bool__(self) -> bool:
        return self.holds


def range_over(network: FullyConnected, polytope: Polytope, *, limit: int = LIMIT) -> Range:
    """Smallest and largest value of every output of `network` on `polytope`, exactly."""
    one = _simplified(network, polytope, limit)
    if one.depth == 1:
        rows = list(zip(one.weights[0].tolist(), one.biases[0].tolist(), strict=True))
        maxima = tuple(_highest(polytope, row, bias, 1) for row, bias in rows)
        return Range(tuple(_highest(polytope, [-x for x in row], -bias, -1) for row, bias in rows), maxima)
    best: list[list[Any]] = [[None, None] for _ in range(2 * one.widths[-1])]
    for leaf in _regions(one, polytope, limit):
        weights = [vertex[-1] * leaf.scale for vertex in leaf.cell.vertices]
        for i, row in enumerate(leaf.cell.values(leaf.rows)):
            values = list(map(fmpq, row, weights))
            for place, value in ((2 * i, min(values)), (2 * i + 1, max(values))):
                known = best[place]
                if known[0] is None or (value < known[0] if place % 2 == 0 else value > known[0]):
                    best[place] = [value, leaf.cell.vertices[values.index(value)]]
    brackets = [_at(value, affine(vertex)) for value, vertex in best]
    return Range(tuple(brackets[::2]), tuple(brackets[1::2]))


def maximum(network: FullyConnected, polytope: Polytope, functional: Any = None, *, limit: int = LIMIT) -> Bracket:
    """Largest value of ``functional . network(x)`` on `polytope`, exactly, and a point where it is taken.

    `functional`, shape ``(n_L,)``, may be left out for a network of one output. Raises also `ValueError` for a functional of
    another shape, NaN or infinity.
    """
    one = one_network(network).as_exact()
    if functional is None:
        if one.widths[-1] != 1:
            raise ValueError(f"functional must be given for a network of {one.widths[-1]} outputs: a vector of that length")
        row = read_only([fmpq(1)], (1,))
    else:
        row = rational_array(functional, 1, "functional")
        if row.shape != one.widths[-1:]:
            raise ValueError(f"functional must have shape ({one.widths[-1]},), got {row.shape}")
    weights, biases = [*one.weights[:-1], row[None] @ one.weights[-1]], [*one.biases[:-1], row[None] @ one.biases[-1]]
    return range_over(FullyConnected(weights, biases, one.activation), polytope, limit=limit).maxima[0]


def minimum_shift(network: FullyConnected, polytope: Polytope, *, limit: int = LIMIT) -> Array:
    """Componentwise least s with ``network(x) + s >= 0`` on `polytope`, shape ``(n_L,)``: minus the minima, exactly.

    Entries are negative for outputs that stay above zero. It is the shift that `verify.networks.through_bottleneck` needs.
    """
    return read_only(list(-range_over(network, polytope, limit=limit).lower), (one_network(network).widths[-1],))


def is_nonnegative(network: FullyConnected, polytope: Polytope, *, limit: int = LIMIT) -> Nonnegativity:
    """Whether no output of `network` is negative on `polytope`, or a rational point where one is."""
    one = _simplified(network, polytope, limit)
    if one.depth == 1:
        minima = range_over(one, polytope).minima
        lowest = min(minima, key=lambda bracket: bracket.value, default=None)
        if lowest is not None and lowest.value < 0:
            return Nonnegativity(False, lowest.argument, lowest.value)
        return Nonnegativity(True, None, None)
    for leaf in _regions(one, polytope, limit):
        for row in leaf.cell.values(leaf.rows):
            if min(row) < 0:
                vertex = leaf.cell.vertices[row.index(min(row))]
                point = read_only(affine(vertex), (polytope.dimension,))
                return Nonnegativity(False, point, min(one(point)))
    return Nonnegativity(True, None, None)


def jacobian_rank(network: FullyConnected, polytope: Polytope, *, limit: int = LIMIT) -> Bracket:
    """Largest rank of the Jacobian over the regions of `network` on `polytope`, exactly, and a point inside such a region.

    No rank exceeds that of the first layers on a cell, or that of a weight matrix, so that most regions are not visited.
    """
    one = _simplified(network, polytope, limit)
    ceiling = min(fmpq_mat(*weight.shape, list(weight.flat)).rank() for weight in one.weights)
    if one.depth == 1:
        return Bracket(fmpq(ceiling), fmpq(ceiling), polytope.interior_point, REGIONS)
    best, place = -1, None

    def hopeless(node: Node) -> bool:
        return bool(best == ceiling or _linear_part(node).rank() <= best)

    for leaf in _regions(one, polytope, limit, hopeless):
        best, place = _linear_part(leaf).rank(), leaf.cell
    if place is None:
        raise AssertionError("a polytope with interior points has a region")
    return Bracket(fmpq(best), fmpq(best), read_only(affine(inside(place)), (polytope.dimension,)), REGIONS)


def lipschitz_constant(
    network: FullyConnected, polytope: Polytope, norm: Literal[1, 2] | float = 2, *, limit: int = LIMIT
) -> Bracket:
    """Largest operator norm of the Jacobian over the regions of `network` on `polytope`: the Lipschitz constant there.

    `norm` is 1, 2 or ``math.inf``, for inputs and outputs alike. For 1 and infinity the number is exact; for 2 it lies between
    the ends of a ball of 128 bits, or is exact where it is rational. The argument is a point inside a region where it is taken.

    Raises also `ValueError` for another norm.
    """
    if norm not in (1, 2, np.inf):
        raise ValueError(f"norm must be 1, 2 or math.inf, got {norm!r}")
    one = _simplified(network, polytope, limit)
    if one.depth == 1:
        return _largest_norm([(one.weights[0], polytope.interior_point)], norm)
    seen: dict[tuple[fmpz, ...], Node] = {}
    for leaf in _regions(one, polytope, limit):
        seen.setdefault(tuple(_linear_part(leaf).entries()), leaf)
    return _largest_norm(
        [
            (read_only([fmpq(x, leaf.scale) for x in entries], (one.widths[-1], one.widths[0])), leaf)
            for entries, leaf in seen.items()
        ],
        norm,
    )


def _largest_norm(jacobians: list[tuple[Array, Any]], norm: float) -> Bracket:
    if norm == 2:
        lower, upper, place = _largest_spectral_norm(jacobians)
    else:
        axis = 0 if norm == 1 else 1
        sizes = [max(np.abs(matrix).sum(axis=axis), default=fmpq(0)) for matrix, _ in jacobians]
        lower = upper = max(sizes)
        place = jacobians[sizes.index(upper)][1]
    if isinstance(place, Node):
        point = affine(inside(place.cell))
        place = read_only(point, (len(point),))
    return Bracket(lower, upper, place, REGIONS)


def _largest_spectral_norm(jacobians: list[tuple[Array, Any]]) -> tuple[fmpq, fmpq, Any]:
    """Ends of a ball for the largest spectral norm, and where it is taken.

    From the largest Frobenius norm downwards; a matrix J is left out when ``lower^2 - J J^T`` has no negative eigenvalue.
    """
    squares = [((matrix * matrix).sum(), matrix, place) for matrix, place in jacobians]
    squares.sort(key=lambda item: item[0], reverse=True)
    lower, upper, where = fmpq(-1), fmpq(0), None
    for square, matrix, place in squares:
        if lower >= 0 and square <= lower * lower:
            break
        if lower >= 0 and is_semidefinite(_gap_to(lower * lower, matrix)):
            continue
        low, high = _ends(operator_norm(matrix)[()])
        upper = max(upper, high)
        if low > lower:
            lower, where = low, place
    return lower, upper, where


def _gap_to(square: fmpq, matrix: Array) -> fmpq_mat:
    gram = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
    gap = -gram + np.where(np.eye(len(gram), dtype=bool), square, fmpq(0))
    return fmpq_mat(*gap.shape, gap.ravel().tolist())


def _ends(number: Any) -> tuple[fmpq, fmpq]:
    if isinstance(number, fmpq):
        return number, number
    return _dyadic(number.lower()), _dyadic(number.upper())


def _dyadic(end: arb) -> fmpq:
    mantissa, exponent = end.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def _at(value: fmpq, point: list[fmpq]) -> Bracket:
    return Bracket(value, value, read_only(point, (len(point),)), REGIONS)


def _highest(polytope: Polytope, row: list[fmpq], bias: fmpq, sign: int) -> Bracket:
    """``sign`` times the largest value of an affine function."""
    point = polytope.highest_point(row)
    return _at(sign * sum((x * y for x, y in zip(row, point, strict=True)), bias), point)


def _simplified(network: FullyConnected, polytope: Polytope, limit: int) -> FullyConnected:
    check_limit(limit)
    return simplify(network, polytope)


def _regions(
    network: FullyConnected, polytope: Polytope, limit: int, skip: Callable[[Node], bool] | None = None
) -> Iterator[Node]:
    for count, leaf in enumerate(leaves(integer_network(network), polytope.cell, skip=skip)):
        if count == limit:
            raise TooManyRegions(limit)
        yield leaf


def _linear_part(node: Node) -> fmpz_mat:
    columns = node.rows.ncols()
    return node.rows * fmpz_mat(columns, columns - 1, [int(i == j) for i in range(columns) for j in range(columns - 1)])
