"""What follows from cells found in floats, and what confirms them by other means than their own proof.

`float_cells` proves that its cells are all cells there are (`verify.piecewise.skeleton.proof`). Independent of that proof, and
each weaker:

- `existing` proves, cell by cell, that there is a point with these signs. The number of such cells is a lower bound of the
  number of cells, with no assumption at all; it says nothing about cells that were not found.
- `missing_volume` bounds the volume of what was not found: the cells do not overlap, because their signs
  differ, so that the polytope's volume less the sum of theirs is what others can have. It assumes that each cell has the
  vertices that were found, within their errors. A cell smaller than the bound could be missing; in exact arithmetic
  the bound would be 0 and the argument a proof (`linear_regions` has exact volumes).

From all cells together follow the largest rank of the Jacobian and the Lipschitz constant on the polytope.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, arb_mat, fmpq

from verify.matrices import operator_norm
from verify.matrices.exact import flint_matrix
from verify.numbers.arguments import choice, instance
from verify.numbers.arithmetic import Array, chosen_rationals, fraction, precision, rational, rationals
from verify.piecewise.bracket import Bracket
from verify.piecewise.cells.integer_network import integer_network, read_only
from verify.piecewise.skeleton import FloatCells
from verify.piecewise.skeleton.bounds import Evaluator
from verify.piecewise.skeleton.cut import EPSILON, activation_slopes, in_one_scale
from verify.piecewise.skeleton.layout import in_blocks
from verify.piecewise.skeleton.maps import PRIMES, affine_maps, exact_jacobian, jacobians_modulo, ranks_modulo

BITS = 128
"""Precision of the balls."""

CANDIDATES = 64
"""So many Jacobians at most are computed in rationals for a Lipschitz constant or a rank."""

METHOD = "cells"


def existing(cells: FloatCells) -> npt.NDArray[np.bool_]:
    """Which cells are proved to exist, shape ``(count,)``: at the interior point every sign is strict and that of the cell.

    First in floats with bounds of the rounding errors; points for which these do not decide, in balls of `BITS` bits.
    """
    instance("cells", cells, FloatCells, ": see float_cells")
    skeleton = cells._skeleton
    evaluator = Evaluator(in_one_scale(cells.network), cells.polytope.cell, skeleton.layout)
    proved = np.ones(cells.count, dtype=bool)
    for block in _blocks(cells):
        expected = [np.ones((1, skeleton.layout.facets), dtype=bool), *cells.activation_pattern(block)]
        for here in evaluator.at(cells.interior_points[block]):
            as_expected = np.where(expected[here.layer], here.values, -here.values) > here.error[:, None]
            proved[block] &= as_expected.all(axis=1)
    undecided = np.flatnonzero(~proved)
    for start in range(0, len(undecided), 256):
        chosen = undecided[start : start + 256]
        proved[chosen] = _signs_in_balls(cells, chosen)
    return proved


def _signs_in_balls(cells: FloatCells, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Whether balls show that the interior points of the chosen cells lie in the polytope and have the signs of their cells."""
    network, points = cells.network, cells.interior_points[chosen]
    as_expected = np.ones(len(points), dtype=bool)
    with precision(BITS):
        facets = [[*map(arb, row)] for row in cells.polytope.cell.facets]
        slopes = [arb(rational(slope)) for slope in (network.activation.positive, network.activation.negative)]
        values = [[*map(arb, column)] for column in points.T.tolist()] + [[arb(1)] * len(points)]
        for row in (arb_mat(facets) * arb_mat(values)).tolist():
            as_expected &= [bool(value > 0) for value in row]
        for weight, bias, positive in zip(network.weights, network.biases, cells.activation_pattern(chosen), strict=False):
            layer = arb_mat([[*map(arb, row)] for row in np.column_stack([weight, bias]).tolist()])
            rows = (layer * arb_mat(values)).tolist() if len(weight) else []
            for row, signs in zip(rows, positive.T, strict=True):
                as_expected &= [bool(value > 0 if sign else value < 0) for value, sign in zip(row, signs, strict=True)]
            values = [
                [value * slopes[not sign] for value, sign in zip(row, signs, strict=True)]
                for row, signs in zip(rows, positive.T, strict=True)
            ]
            values.append([arb(1)] * len(points))
    return as_expected


def missing_volume(cells: FloatCells) -> float:
    """Upper bound of the volume of all cells that are not among `cells`, see above.

    Of cells without a proof the vertices are taken to be right.
    """
    instance("cells", cells, FloatCells, ": see float_cells")
    total = cells.polytope.volume
    size = float(fraction(total))
    remaining = size - math.fsum(cells.volumes.values)
    return max(0.0, remaining) + math.fsum(cells.volumes.errors) + 2 * EPSILON * size


def jacobian_ranks(cells: FloatCells) -> npt.NDArray[np.int64]:
    """Lower bounds of the ranks of the Jacobian on the cells, shape ``(count,)``; proved.

    They are the larger of the ranks modulo two primes, which are never above the rank. They are below it only where both
    primes divide all the largest minors, which unrelated numbers do for about one cell in 10^12.
    """
    instance("cells", cells, FloatCells, ": see float_cells")
    ranks = np.zeros(cells.count, dtype=np.int64)
    highest = min(cells.network.widths)
    for prime in PRIMES:
        below = np.flatnonzero(ranks < highest)
        for block in _blocks(cells, len(below)):
            chosen = below[block]
            matrices = jacobians_modulo(cells.network, cells.activation_pattern(chosen), prime)
            ranks[chosen] = np.maximum(ranks[chosen], ranks_modulo(matrices, prime))
    return ranks


def jacobian_rank(cells: FloatCells) -> Bracket:
    """Largest rank of the Jacobian over all cells, with an interior point of such a cell.

    The lower bound is the largest of `jacobian_ranks`. A Jacobian has no larger rank than any weight matrix, or than
    there are active neurons in a layer (for ReLU); cells that could still have a larger rank are decided in rationals, the
    first `CANDIDATES` of them.

    Raises
    ------
    ValueError
        The cells are not proved to be all cells.
    """
    instance("cells", cells, FloatCells, ": see float_cells")
    _check_proved(cells)
    network, exact = cells.network, integer_network(cells.network)
    ranks = jacobian_ranks(cells)
    at_most = np.full(cells.count, min(flint_matrix(rationals(w)).rank() for w in network.weights))
    if activation_slopes(network)[1] == 0:
        for block in _blocks(cells):
            for layer in cells.activation_pattern(block):
                at_most[block] = np.minimum(at_most[block], layer.sum(axis=1))
    best = int(ranks.argmax())
    open_cells = np.flatnonzero(at_most > ranks[best])
    for cell in open_cells[:CANDIDATES]:
        matrix = exact_jacobian(exact, cells.activation_pattern(slice(cell, cell + 1)))
        at_most[cell] = flint_matrix(matrix).rank()
        if at_most[cell] > ranks[best]:
            best, ranks[cell] = int(cell), at_most[cell]
    return Bracket(fmpq(int(ranks[best])), fmpq(int(max(ranks[best], at_most.max()))), _point(cells, best), METHOD)


def lipschitz_constant(cells: FloatCells, norm: float = 2) -> Bracket:
    """Largest operator norm of the Jacobian over all cells: the Lipschitz constant of the network on the polytope.

    `norm` is 1, 2 or ``math.inf``, for inputs and outputs alike. Norms are computed in floats with error bounds; the cells that
    can have the largest are then decided in rationals (and balls, for 2), `CANDIDATES` at most: so the
    bracket is that of one exact number unless more cells than these are nearly equal. Of LAPACK it is assumed that its largest
    singular value has a relative error of no more than 100 times the number of rows and columns in roundings.

    Raises
    ------
    ValueError
        Another norm, or the cells are not proved to be all cells.
    """
    instance("cells", cells, FloatCells, ": see float_cells")
    norm = choice("norm", norm, (1, 2, math.inf))
    _check_proved(cells)
    sizes, errors = np.zeros(cells.count), np.zeros(cells.count)
    for block in _blocks(cells):
        matrices, _, matrix_errors = affine_maps(cells.network, cells.activation_pattern(block))
        rows, columns = matrices.shape[1:]
        sizes[block] = np.linalg.norm(matrices, norm, axis=(1, 2)) if matrices.size else 0.0
        factor = {1: math.sqrt(rows), 2: 1.0, math.inf: math.sqrt(columns)}[norm]
        errors[block] = factor * matrix_errors + 100 * (rows + columns) * EPSILON * sizes[block]
    exact = integer_network(cells.network)
    best, place, upper = fmpq(-1), 0, fmpq(0)
    order = np.argsort(-(sizes + errors), kind="stable")
    for cell in order[:CANDIDATES]:
        if best >= _rational_above(sizes[cell] + errors[cell]):
            break
        low, high = _exact_norm(exact_jacobian(exact, cells.activation_pattern(slice(cell, cell + 1))), norm)
        upper = max(upper, high)
        if low > best:
            best, place = low, int(cell)
    else:
        upper = max([upper, *(_rational_above(sizes[cell] + errors[cell]) for cell in order[CANDIDATES : CANDIDATES + 1])])
    return Bracket(best, upper, _point(cells, place), METHOD)


def _exact_norm(matrix: Array, norm: float) -> tuple[fmpq, fmpq]:
    if not matrix.size:
        return fmpq(0), fmpq(0)
    if norm == 2:
        with precision(BITS):
            number: Any = operator_norm(matrix)[()]
            return (number, number) if isinstance(number, fmpq) else (number.lower().fmpq(), number.upper().fmpq())
    largest = max(np.abs(matrix).sum(axis=0 if norm == 1 else 1))
    return largest, largest


def _rational_above(number: float) -> fmpq:
    return chosen_rationals(float(np.nextafter(number, np.inf)))[()]


def _point(cells: FloatCells, index: int) -> Array:
    return read_only(list(chosen_rationals(cells.interior_points[index])), cells.interior_points.shape[1:])


def _blocks(cells: FloatCells, count: int | None = None) -> Iterator[slice]:
    widths = cells.network.widths
    return in_blocks(cells.count if count is None else count, max(widths[1:-1], default=1) * min(widths[0], max(widths[-1], 1)))


def _check_proved(cells: FloatCells) -> None:
    if cells.proof is None:
        raise ValueError("cells must be proved to be all cells, got cells of float_cells(..., prove=False)")
