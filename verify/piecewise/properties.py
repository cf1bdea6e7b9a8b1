"""Range, maximum, Lipschitz constant, Jacobian rank and sign of a network on a whole polytope.

Every function rewrites the network (`simplify`: the function stays the same), and goes through its linear regions. Values
(the range, the maximum and the sign) of networks with float parameters are first looked for at the vertices of `float_cells`.
Each raises `ValueError` for a batch of networks or a polytope of another dimension than the inputs, and `TypeError` for what is
no network or no polytope and for parameters that are balls.

When there are more regions than `limit`, properties of the Jacobian raise `TooManyRegions`; values are searched for by branch
and bound, see `verify.piecewise.milp`, and the result is exact or a bracket. It does not depend on the speed of the machine.
Unless a limit is given for values, cells in floats are those with `MANY_VERTICES` together, and regions as many as have
`FEW_VERTICES` if each has as many as the polytope.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import flint
import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpz, fmpz_mat

from verify.matrices import operator_norm
from verify.matrices.exact import flint_matrix, is_semidefinite
from verify.networks import FullyConnected
from verify.numbers.arguments import choice
from verify.numbers.arithmetic import Array, fraction, precision
from verify.piecewise._arguments import check_limit, one_network
from verify.piecewise.bracket import Bracket
from verify.piecewise.cells.integer_network import affine, homogeneous, integer_network, read_only
from verify.piecewise.cells.walk import Node, leaves, on_a_kink
from verify.piecewise.milp import maximum_by_search, with_functional
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import LIMIT, TooManyRegions, check_polytope
from verify.piecewise.rewriting import simplify
from verify.piecewise.skeleton import Degenerate, TooManyVertices, float_cells
from verify.piecewise.skeleton.extremes import extreme_values

REGIONS = "regions"
BITS = 128
"""Of the balls for spectral norms, at least."""
FEW_VERTICES = 64_000
"""Vertices of regions, roughly, that are gone through before values are searched for instead."""
MANY_VERTICES = 300_000
"""Vertices of cells in floats that are found before values are looked for otherwise."""


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


class SignUndecided(ArithmeticError):
    """Whether a network is negative somewhere is not decided: the search left the bracket `minimum` of an output."""

    def __init__(self, output: int, minimum: Bracket) -> None:
        super().__init__(
            f"whether output {output} is negative somewhere is not decided: its minimum lies between {_short(minimum.lower)} "
            f"and {_short(minimum.upper)}; give a larger limit, to go through all regions"
        )
        self.output, self.minimum = output, minimum

    def __reduce__(self) -> tuple[type[SignUndecided], tuple[int, Bracket]]:
        return SignUndecided, (self.output, self.minimum)


def range_over(network: FullyConnected, polytope: Polytope, *, limit: int | None = None) -> Range:
    """Smallest and largest value of every output of `network` on `polytope`, exactly or bracketed.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 3, 0])
    >>> range_over(tent, Polytope.box([-1], [3]))
    Range(minima=(<Bracket 0, by regions>,), maxima=(<Bracket 3, by regions>,))
    """
    known, single = _known_range(network, polytope, limit)
    if known is not None:
        return known
    maxima = tuple(_maximum_by_search(single, polytope, _unit(single, output)) for output in range(single.widths[-1]))
    return Range(_minima_by_search(single, polytope), maxima)


def maximum(network: FullyConnected, polytope: Polytope, functional: Any = None, *, limit: int | None = None) -> Bracket:
    """Largest value of ``functional . network(x)`` on `polytope`, exactly or bracketed, and a point where it is taken.

    `functional`, shape ``(n_L,)``, may be left out for a network of one output. Raises also `ValueError` for a functional of
    another shape, NaN or infinity.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 3, 0])
    >>> maximum(tent, Polytope.box([-1], [3])).upper
    3
    """
    known, single = _known_range(network, polytope, limit, with_functional(network, functional))
    return _maximum_by_search(single, polytope, _unit(single, 0)) if known is None else known.maxima[0]


def minimum_shift(network: FullyConnected, polytope: Polytope, *, limit: int | None = None) -> Array:
    """Componentwise least s with ``network(x) + s >= 0`` on `polytope`, shape ``(n_L,)``: minus the minima.

    Entries are negative for outputs that stay above zero. Where a minimum is only bracketed, the entry is minus its lower end:
    enough, but not the least. It is the shift that `verify.networks.through_bottleneck` needs.

    Examples
    --------
    >>> print(minimum_shift(from_breakpoints([0, 1, 2], [0, -3, 1]), Polytope.box([0], [2])))
    [3]
    """
    known, single = _known_range(network, polytope, limit)
    minima = _minima_by_search(single, polytope) if known is None else known.minima
    return read_only([-bracket.lower for bracket in minima], (len(minima),))


def is_nonnegative(network: FullyConnected, polytope: Polytope, *, limit: int | None = None) -> Nonnegativity:
    """Whether no output of `network` is negative on `polytope`, or a rational point where one is.

    Raises also `SignUndecided`, when there are more regions than `limit` and the search does not decide.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 3, 0])
    >>> bool(is_nonnegative(tent, Polytope.box([-1], [3])))
    True
    """
    known, single = _known_range(network, polytope, limit)
    if known is None:
        return _nonnegative_by_search(single, polytope)
    lowest = min(known.minima, key=lambda bracket: bracket.value, default=None)
    if lowest is None or lowest.value >= 0:
        return Nonnegativity(True, None, None)
    return Nonnegativity(False, lowest.argument, lowest.value)


def _known_range(
    network: FullyConnected, polytope: Polytope, limit: int | None, scalar: FullyConnected | None = None
) -> tuple[Range | None, FullyConnected]:
    """The range of a network, or of `scalar`, which differs from it in the output layer; and a simpler network for the same.

    The range is None if it has to be searched for. Floats come first, which find cells ten times as fast; but not for rational
    parameters: these are mostly those of constructions, where kinks meet.
    """
    check_limit(LIMIT if limit is None else limit)
    single = one_network(network)
    check_polytope(polytope, single.widths[0])
    exact = single.as_exact() if scalar is None else scalar
    if not single.is_exact and single.depth > 1 and (by_cells := _range_by_cells(single, exact, polytope, limit)) is not None:
        return by_cells, exact
    simple = simplify(exact, polytope)
    return _range_by_regions(simple, polytope, FEW_VERTICES // polytope.vertex_count if limit is None else limit), simple


def _range_by_cells(network: FullyConnected, exact: FullyConnected, polytope: Polytope, limit: int | None) -> Range | None:
    """The range of `exact`, which has the hidden layers of `network`, by cells in floats; None if these do not decide."""
    if not network.activation.accepts(exact=False) or polytope.vertex_count > FEW_VERTICES or not polytope.is_simple:
        return None
    try:
        cells = float_cells(network, polytope, limit=MANY_VERTICES if limit is None else limit * polytope.vertex_count)
        extremes = None if limit is not None and cells.count > limit else extreme_values(cells, exact)
    except (Degenerate, TooManyVertices):
        return None
    return None if extremes is None else Range(*extremes)


def _range_by_regions(network: FullyConnected, polytope: Polytope, limit: int) -> Range | None:
    """The range of a simplified network from its regions; None if there are more than `limit`."""
    if network.depth == 1:
        rows = list(zip(network.weights[0].tolist(), network.biases[0].tolist(), strict=True))
        maxima = tuple(_highest(polytope, row, bias, 1) for row, bias in rows)
        return Range(tuple(_highest(polytope, [-x for x in row], -bias, -1) for row, bias in rows), maxima)
    if limit == 0:
        return None
    best: list[list[Any]] = [[None, None] for _ in range(2 * network.widths[-1])]
    try:
        for leaf in _regions(network, polytope, limit):
            weights = [vertex[-1] * leaf.scale for vertex in leaf.cell.vertices]
            for i, row in enumerate(leaf.cell.values(leaf.rows)):
                values = list(map(fmpq, row, weights))
                for place, value in ((2 * i, min(values)), (2 * i + 1, max(values))):
                    known = best[place]
                    if known[0] is None or (value < known[0] if place % 2 == 0 else value > known[0]):
                        best[place] = [value, leaf.cell.vertices[values.index(value)]]
    except TooManyRegions:
        return None
    brackets = [_at(value, affine(vertex)) for value, vertex in best]
    return Range(tuple(brackets[::2]), tuple(brackets[1::2]))


def _unit(network: FullyConnected, output: int) -> Array:
    return read_only([fmpq(int(i == output)) for i in range(network.widths[-1])], (network.widths[-1],))


def _maximum_by_search(
    network: FullyConnected, polytope: Polytope, functional: Array, threshold: fmpq | None = None
) -> Bracket:
    # without the mixed-integer programme, whose result would depend on the load of the machine
    return maximum_by_search(network, polytope, functional, seconds=0, threshold=threshold).bracket


def _minimum_by_search(network: FullyConnected, polytope: Polytope, output: int, threshold: fmpq | None = None) -> Bracket:
    negated_maximum = _maximum_by_search(network, polytope, -_unit(network, output), threshold)
    return Bracket(-negated_maximum.upper, -negated_maximum.lower, negated_maximum.argument, negated_maximum.method)


def _minima_by_search(network: FullyConnected, polytope: Polytope) -> tuple[Bracket, ...]:
    return tuple(_minimum_by_search(network, polytope, output) for output in range(network.widths[-1]))


def _nonnegative_by_search(network: FullyConnected, polytope: Polytope) -> Nonnegativity:
    undecided: SignUndecided | None = None
    for output in range(network.widths[-1]):
        lowest = _minimum_by_search(network, polytope, output, fmpq(0))
        if lowest.upper < 0 and lowest.argument is not None:
            return Nonnegativity(False, lowest.argument, min(network(lowest.argument)))
        if lowest.lower < 0 and undecided is None:
            undecided = SignUndecided(output, lowest)
    if undecided is not None:
        raise undecided
    return Nonnegativity(True, None, None)


def _short(value: fmpq) -> str:
    return f"{float(fraction(value)):.6g}"


def jacobian_rank(network: FullyConnected, polytope: Polytope, *, limit: int = LIMIT) -> Bracket:
    """Largest rank of the Jacobian over the regions of `network` on `polytope`, exactly, and a point inside such a region.

    No rank exceeds that of the first layers on a cell, or that of a weight matrix, so that most regions are not visited.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 1, 0])
    >>> jacobian_rank(tent, Polytope.box([-1], [3])).lower
    1
    """
    simplified = _simplified(network, polytope, limit)
    ceiling = min(flint_matrix(weight).rank() for weight in simplified.weights)
    if simplified.depth == 1:
        return Bracket(fmpq(ceiling), fmpq(ceiling), _point_in_a_region(network, polytope), REGIONS)
    best, place = -1, None

    def hopeless(node: Node) -> bool:
        return bool(best == ceiling or _linear_part(node).rank() <= best)

    for leaf in _regions(simplified, polytope, limit, hopeless):
        best, place = _linear_part(leaf).rank(), leaf.cell
    if place is None:
        raise AssertionError("a polytope with interior points has a region")
    return Bracket(fmpq(best), fmpq(best), _point_in_a_region(network, Polytope._of_cell(place)), REGIONS)


def lipschitz_constant(
    network: FullyConnected, polytope: Polytope, norm: Literal[1, 2] | float = 2, *, limit: int = LIMIT
) -> Bracket:
    """Largest operator norm of the Jacobian over the regions of `network` on `polytope`: the Lipschitz constant there.

    `norm` is 1, 2 or ``math.inf``, for inputs and outputs alike. For 1 and infinity the number is exact; for 2 it lies between
    the ends of a ball of at least 128 bits, or is exact where it is rational. The argument is a point inside a region where it
    is taken.

    Raises also `ValueError` for another norm.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 3, 0])
    >>> lipschitz_constant(tent, Polytope.box([-1], [3])).lower
    3
    """
    norm = choice("norm", norm, (1, 2, np.inf))
    simplified = _simplified(network, polytope, limit)
    if simplified.depth == 1:
        lower, upper, _ = _largest_norm([(simplified.weights[0], None)], norm)
        return Bracket(lower, upper, _point_in_a_region(network, polytope), REGIONS)
    seen: dict[tuple[fmpz, ...], Node] = {}
    for leaf in _regions(simplified, polytope, limit):
        seen.setdefault(tuple(_linear_part(leaf).entries()), leaf)
    lower, upper, place = _largest_norm(
        [
            (read_only([fmpq(x, leaf.scale) for x in entries], (simplified.widths[-1], simplified.widths[0])), leaf)
            for entries, leaf in seen.items()
        ],
        norm,
    )
    return Bracket(lower, upper, _point_in_a_region(network, Polytope._of_cell(place.cell)), REGIONS)


def _largest_norm(jacobians: list[tuple[Array, Any]], norm: float) -> tuple[fmpq, fmpq, Any]:
    """Ends of the largest norm, and what stands beside a matrix that has it."""
    if norm == 2:
        with precision(max(BITS, flint.ctx.prec)):
            return _largest_spectral_norm(jacobians)
    axis = 0 if norm == 1 else 1
    sizes = [fmpq(max(np.abs(matrix).sum(axis=axis), default=0)) for matrix, _ in jacobians]
    largest = max(sizes)
    return largest, largest, jacobians[sizes.index(largest)][1]


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
        low, high = _ends(operator_norm(matrix)[()]) if square != 0 else (fmpq(0), fmpq(0))
        upper = max(upper, high)
        if low > lower:
            lower, where = low, place
    return lower, upper, where


def _gap_to(square: fmpq, matrix: Array) -> fmpq_mat:
    gram = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
    gap = -gram + np.where(np.eye(len(gram), dtype=bool), square, fmpq(0))
    return flint_matrix(gap)


def _ends(number: Any) -> tuple[fmpq, fmpq]:
    if isinstance(number, fmpq):
        return number, number
    return _dyadic(number.lower()), _dyadic(number.upper())


def _dyadic(end: arb) -> fmpq:
    mantissa, exponent = end.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def _point_in_a_region(network: FullyConnected, cell: Polytope) -> Array:
    """A point inside a part of a region of the simplified network that is in a region of `network` itself.

    `simplify` takes kinks away at which the function is affine; the parameters have no Jacobian there.
    """
    integers, generator = integer_network(one_network(network)), random.Random(0)
    point, bits = cell.interior_point, 3
    while on_a_kink(integers, homogeneous(point)):
        bits += 1
        point = read_only(cell.point_between(lambda most=2**bits: generator.randrange(1, most)), (cell.dimension,))  # type: ignore[misc]
    return point


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
