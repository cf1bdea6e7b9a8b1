r"""Proof that a skeleton found in floats is the skeleton of the network, with nothing missing.

1. Every vertex exists. At a vertex :math:`v` with hyperplanes :math:`i = 1, \ldots, d` let :math:`y_i` be the other end of an
   edge on which only hyperplane i does not vanish, and :math:`c_i` its value there. On the cell that holds these d edges the
   network is affine, and :math:`F`, the d pre-activations, has :math:`F(y_i) - F(v) = c_i e_i + \Delta_i`, where the computed
   residuals and the bounds of the rounding errors limit :math:`\Delta`. If :math:`\beta`, the sum of
   :math:`|\Delta_i|_\infty / |c_i|`, is below 1, then F has one zero, :math:`v + \sum_i \tau_i (y_i - v)`, with
   :math:`|\tau_i| \le |F(v)|_\infty / ((1 - \beta) |c_i|)`. A further pre-activation has the same sign there as at v if it is
   larger at v than its rounding error plus the sum of :math:`|\tau_i|` times its variation from v to :math:`y_i`. Then the
   zero is a vertex of the cells, it lies on these d hyperplanes only, and their gradients are independent. Where doubles do not
   show this, longer floats are taken, and then integers.
2. None is missing. At such a vertex there are exactly two edges (one, for a facet of the polytope) for each of its hyperplanes,
   with known sign patterns. If each of these patterns is that of an edge between two vertices found, then the vertices
   found are closed under adjacency. The vertices of a subdivision of a polytope into polytopes are connected by edges.
3. The cells are the sign patterns around vertices, and their number is that of different ones; equal hashes are compared.

The network is taken as the real function of its float parameters, without rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq_mat, fmpz, fmpz_mat

from verify.networks import FullyConnected
from verify.piecewise.cells.convex import Cell, Row
from verify.piecewise.cells.integer_network import IntegerNetwork, integer_network
from verify.piecewise.skeleton.bounds import Evaluator, Values, smallest_sizes
from verify.piecewise.skeleton.cut import EPSILON, Degenerate, Floats, Skeleton
from verify.piecewise.skeleton.layout import in_blocks, packed
from verify.piecewise.skeleton.maps import exact_preactivations

EXACT_VERTICES = 20_000
"""So many vertices at most are decided in integers."""

LONGER = np.longdouble
"""What decides where doubles do not; where it is no longer than they are, integers do."""

ABOVE = 1 + 1e-6
"""More than the rounding of the bounds themselves, which are sums of a few positive terms."""


@dataclass(frozen=True, eq=False)
class Proof:
    """``errors[v]``: the true vertex is so near to the float one. ``in_integers``: the vertices that floats did not decide."""

    errors: Floats
    in_integers: npt.NDArray[np.int64]


def prove(network: FullyConnected, cell: Cell, skeleton: Skeleton) -> Proof:
    """The proof described above.

    Raises
    ------
    Degenerate
        A step of the proof fails.
    """
    neighbours = _neighbours(skeleton)
    errors, suspects = _undecided(network, cell, skeleton, neighbours)
    if len(suspects) > EXACT_VERTICES:
        raise Degenerate(
            f"{len(suspects)} of {len(errors)} vertices are nearer to a further hyperplane than the rounding of this network"
        )
    if len(suspects):
        decide = ExactVertices(integer_network(network), cell, skeleton)
        for vertex in suspects:
            errors[vertex] = decide(int(vertex))
    errors.flags.writeable = suspects.flags.writeable = False
    return Proof(errors, suspects)


def _neighbours(skeleton: Skeleton) -> npt.NDArray[np.int32]:
    """For every vertex and each of its hyperplanes the other end of the longest edge that leaves it, shape ``(V, d)``.

    Raises `Degenerate` unless the vertices are closed under adjacency, as far as their patterns tell.
    """
    layout, zeros = skeleton.layout, skeleton.vertex_zeros
    count, d = zeros.shape
    for block in in_blocks(count, layout.word[-1]):
        if (skeleton.patterns[block] & layout.bits(zeros[block])).any():
            raise Degenerate("a vertex where a neuron is both zero and positive")
    leaving = np.empty((2, len(skeleton.edges)), dtype=np.int64)  # by end: (vertex, hyperplane, side) as one number
    lengths = np.empty(len(skeleton.edges))
    for block in in_blocks(len(skeleton.edges), layout.word[-1] + d * d):
        ends, shared = skeleton.edges[block].T, skeleton.edge_zeros[block]
        slots = [_slot_left(zeros[end], shared) for end in ends]
        walls = [zeros[end, slot] for end, slot in zip(ends, slots, strict=True)]
        bits = [layout.bits(hyperplane[:, None]) for hyperplane in walls]
        first, last = skeleton.patterns[ends[0]], skeleton.patterns[ends[1]]
        if (walls[0] == walls[1]).any() or ((first ^ last) & ~(bits[0] | bits[1])).any():
            raise Degenerate("the ends of an edge have signs that do not fit")
        lengths[block] = np.linalg.norm(skeleton.vertices[ends[0]] - skeleton.vertices[ends[1]], axis=1)
        for k, there in enumerate((last, first)):
            positive = (there & bits[k]).any(axis=1) | (walls[k] < layout.facets)
            leaving[k, block] = 2 * (d * ends[k].astype(np.int64) + slots[k]) + positive
    sides = np.bincount(leaving.ravel(), minlength=2 * d * count).reshape(count, d, 2)
    if (sides[..., 1] != 1).any() or (sides[..., 0] != (zeros >= layout.facets)).any():
        raise Degenerate("a vertex without one edge on each side of each of its hyperplanes")
    neighbours, reach = np.zeros((count, d, 2), dtype=np.int32), np.full((count, d, 2), -1.0)
    for k in (0, 1):
        neighbours.flat[leaving[k]], reach.flat[leaving[k]] = skeleton.edges[:, 1 - k], lengths
    return np.where(reach[..., 1] >= reach[..., 0], neighbours[..., 1], neighbours[..., 0])


def _slot_left(zeros: npt.NDArray[np.int32], shared: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Which of the d hyperplanes of a vertex is not one of the d - 1 of its edge."""
    kept = np.ones(zeros.shape, dtype=bool)
    for plane in shared.T:
        kept &= zeros != plane[:, None]
    if (kept.sum(axis=1) != 1).any():
        raise Degenerate("an edge does not lie on the hyperplanes of its ends")
    slots: npt.NDArray[np.int64] = kept.argmax(axis=1)
    return slots


def _undecided(
    network: FullyConnected, cell: Cell, skeleton: Skeleton, neighbours: npt.NDArray[np.int32]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """How far the true vertices are at most, and the vertices for which floats do not prove step 1."""
    evaluator = Evaluator(network, cell, skeleton.layout)
    measured = _Measured.of(evaluator, skeleton, neighbours)
    rows = np.arange(len(neighbours))[:, None]
    own = np.abs(measured.residuals) + measured.errors[rows, skeleton.layout.layer_of[skeleton.vertex_zeros]]
    active = own.max(axis=1)  # |F(v)|
    sound, steps = _steps(active, active[neighbours], measured.ends, measured.end_errors)
    sound &= measured.as_patterns & measured.as_patterns[neighbours].all(axis=1)
    errors = _reach(skeleton, np.arange(len(neighbours)), neighbours, steps)
    with np.errstate(invalid="ignore", over="ignore"):
        tolerance = measured.errors.copy()
        reach = measured.largest + measured.errors + active[:, None]
        for k, neighbour in enumerate(neighbours.T):
            tolerance += steps[:, k, None] * (reach + reach[neighbour])  # more than the variation
        undecided = np.flatnonzero(~(sound & (measured.smallest > ABOVE * tolerance).all(axis=1)))
    closer = undecided[sound[undecided]]
    undecided = np.setdiff1d(undecided, closer[np.isfinite(_closely(evaluator, skeleton, closer, neighbours[closer]))])
    if len(undecided) and np.finfo(LONGER).eps < EPSILON:
        longer = Evaluator(network, cell, skeleton.layout, LONGER)
        errors[undecided] = _closely(longer, skeleton, undecided, neighbours[undecided])
        undecided = undecided[~np.isfinite(errors[undecided])]
    return errors, undecided


def _steps(
    active: Floats, active_there: Floats, ends: Floats, end_errors: Floats
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """Whether beta is below 1/2, and bounds of the tau: from :math:`|F|`, shapes ``(n,)`` and ``(n, d)``, and the :math:`c`."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        beta = ((active[:, None] + active_there + end_errors) / np.abs(ends)).sum(axis=1)
        return beta < 0.5, active[:, None] / ((1 - beta[:, None]) * np.abs(ends))


def _reach(skeleton: Skeleton, chosen: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32], steps: Floats) -> Floats:
    """How far the true vertices are from the chosen ones at most."""
    errors = np.zeros(len(chosen))
    for k, neighbour in enumerate(neighbours.T):
        errors += steps[:, k] * np.linalg.norm(skeleton.vertices[neighbour] - skeleton.vertices[chosen], axis=1)
    return ABOVE * errors


def _closely(
    evaluator: Evaluator, skeleton: Skeleton, chosen: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32]
) -> Floats:
    """Step 1 for chosen vertices with the variation of every pre-activation, not a bound of it, in the numbers of `evaluator`.

    How far the true vertices are at most; infinity for those for which it is not proved that they exist.
    """
    layout, (count, d) = skeleton.layout, neighbours.shape
    result = np.full(count, np.inf)
    for block in in_blocks(count, (d + 1) * max(layout.widths, default=1)):
        around = np.concatenate([chosen[block, None], neighbours[block]], axis=1).T
        points, place = np.unique(around, return_inverse=True)  # many are beside each other
        place = place.reshape(around.shape)
        planes = skeleton.vertex_zeros[chosen[block]]
        active, as_patterns = np.zeros(len(points)), np.ones(len(points), dtype=bool)
        ends, end_errors = np.zeros((2, *planes.shape))
        layers = []
        for here in evaluator.at(skeleton.vertices[points], skeleton.vertex_zeros[points]):
            own = layout.layer_of[skeleton.vertex_zeros[points]] == here.layer
            active = np.maximum(active, np.where(own, np.abs(here.residuals) + here.error[:, None], 0).max(axis=1))
            as_patterns &= _as_patterns(here, skeleton, points, own)
            layers.append((here.values.copy(), here.error))
            first = 0 if here.layer == 0 else layout.first[here.layer - 1]
            for k, plane in enumerate(planes.T):
                rows = np.flatnonzero(layout.layer_of[plane] == here.layer)
                there = place[k + 1, rows]
                ends[rows, k], end_errors[rows, k] = here.values[there, plane[rows] - first], here.error[there]
        sound, steps = _steps(active[place[0]], active[place[1:]].T, ends, end_errors)
        sound &= as_patterns[place].all(axis=0)
        with np.errstate(invalid="ignore", over="ignore"):
            for values, error in layers:
                own_values, own_error = values[place[0]], error[place[0]]
                tolerance = own_error[:, None] + np.zeros_like(own_values)
                for k, there in enumerate(place[1:]):
                    # the active ones for the values that are set to zero at the ends
                    uncertain = error[there] + active[there] + own_error + active[place[0]]
                    tolerance += steps[:, k, None] * (np.abs(values[there] - own_values) + uncertain[:, None])
                sound &= ((np.abs(own_values) > ABOVE * tolerance) | (own_values == 0)).all(axis=1)
            result[block] = np.where(sound, _reach(skeleton, chosen[block], neighbours[block], steps), np.inf)
    return result


def _as_patterns(
    here: Values, skeleton: Skeleton, points: npt.NDArray[np.integer[Any]] | slice, own: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Whether the signs at vertices are those of their patterns, and zero only for their `own` hyperplanes of this layer."""
    alone = (here.values == 0).sum(axis=1) == own.sum(axis=1)
    if here.layer == 0:
        return np.asarray(alone & (here.values >= 0).all(axis=1))
    place = slice(skeleton.layout.word[here.layer - 1], skeleton.layout.word[here.layer])
    return np.asarray(alone & (packed(here.values > 0) == skeleton.patterns[points, place]).all(axis=1))


@dataclass(frozen=True, eq=False)
class _Measured:
    """By vertex and layer (0: the facets): smallest absolute value off the vertex's hyperplanes, largest, error bound.

    By vertex and hyperplane: the value there, and at the end of the edge that leaves it, with its error bound.
    """

    smallest: Floats
    largest: Floats
    errors: Floats
    residuals: Floats
    ends: Floats
    end_errors: Floats
    as_patterns: npt.NDArray[np.bool_]

    @staticmethod
    def of(evaluator: Evaluator, skeleton: Skeleton, neighbours: npt.NDArray[np.int32]) -> _Measured:
        layout, zeros = skeleton.layout, skeleton.vertex_zeros
        by_layer = np.zeros((3, len(zeros), len(layout.widths) + 1))
        by_plane = np.zeros((3, *zeros.shape))
        as_patterns = np.ones(len(zeros), dtype=bool)
        order = np.argsort(neighbours, axis=None, kind="stable")
        sources, planes = neighbours.ravel()[order], zeros.ravel()[order]
        layers = layout.layer_of[planes]
        for block in in_blocks(len(zeros), max(layout.widths, default=1)):
            incoming = slice(*np.searchsorted(sources, np.array([block.start, block.stop], dtype=sources.dtype)))
            for here in evaluator.at(skeleton.vertices[block], zeros[block]):
                layer, values = here.layer, here.values
                zeros_here = zeros[block]
                first = 0 if layer == 0 else layout.first[layer - 1]
                apart = values == 0
                by_layer[0, block, layer] = smallest_sizes(values, apart)
                by_layer[1, block, layer] = np.abs(values).max(axis=1, initial=0.0)
                by_layer[2, block, layer] = here.error
                by_plane[0, block] += here.residuals
                as_patterns[block] &= _as_patterns(here, skeleton, block, layout.layer_of[zeros_here] == layer)
                chosen = incoming.start + np.flatnonzero(layers[incoming] == layer)
                targets = order[chosen]
                by_plane[1].flat[targets] = values[sources[chosen] - block.start, planes[chosen] - first]
                by_plane[2].flat[targets] = here.error[sources[chosen] - block.start]
        return _Measured(by_layer[0], by_layer[1], by_layer[2], by_plane[0], by_plane[1], by_plane[2], as_patterns)


class ExactVertices:
    """Decides vertices in integers: the rational point of the d hyperplanes, and the signs of all others there."""

    def __init__(self, network: IntegerNetwork, cell: Cell, skeleton: Skeleton) -> None:
        self.network, self.skeleton = network, skeleton
        self.facets = fmpz_mat(len(cell.facets), cell.dimension + 1, [x for row in cell.facets for x in row])

    def __call__(self, vertex: int) -> float:
        """Distance of the true vertex; raises `Degenerate` if its signs are not those of its pattern."""
        skeleton, layout = self.skeleton, self.skeleton.layout
        planes, rows, point = self._solved(vertex)
        signs = layout.unpacked(skeleton.patterns[vertex : vertex + 1])
        expected = [[1] * layout.facets, *(np.where(layer[0], 1, -1).tolist() for layer in signs)]
        for layer, (matrix, expected_signs) in enumerate(zip(rows, expected, strict=True)):
            first = 0 if layer == 0 else layout.first[layer - 1]
            for k, (value, sign) in enumerate(zip((matrix * point).entries(), expected_signs, strict=True)):
                if first + k not in planes and value * sign <= 0:
                    where = f"neuron {k} of layer {layer}" if layer else f"facet {k}"
                    reason = f"lies on {where}, too" if value == 0 else f"is nearer to {where} than floats can tell"
                    raise Degenerate(f"a vertex {reason}")
        exact = [int(x) / int(point[len(planes), 0]) for x in point.entries()[:-1]]
        distance = float(np.linalg.norm(np.array(exact) - skeleton.vertices[vertex]))
        return ABOVE * distance + 1e-15 * float(np.linalg.norm(exact))

    def point(self, vertex: int) -> Row:
        """The point where the hyperplanes of a vertex meet, which is the true vertex if it is proved."""
        return tuple(self._solved(vertex)[2].entries())

    def _solved(self, vertex: int) -> tuple[list[int], list[fmpz_mat], fmpz_mat]:
        """The hyperplanes of a vertex, the rows of all hyperplanes around it by layer, and where its own meet."""
        planes = [int(j) for j in self.skeleton.vertex_zeros[vertex]]
        signs = self.skeleton.layout.unpacked(self.skeleton.patterns[vertex : vertex + 1])
        rows = [self.facets, *(matrix for matrix, _ in exact_preactivations(self.network, signs)[:-1])]
        return planes, rows, _meeting_point([self._row(rows, j) for j in planes])

    def _row(self, rows: list[fmpz_mat], plane: int) -> list[fmpz]:
        layer = int(self.skeleton.layout.layer_of[plane])
        first = 0 if layer == 0 else self.skeleton.layout.first[layer - 1]
        matrix = rows[layer]
        return [matrix[plane - first, j] for j in range(matrix.ncols())]


def _meeting_point(rows: list[list[fmpz]]) -> fmpz_mat:
    """The point where d affine functions vanish, as a column of d + 1 integers, the last positive."""
    d = len(rows)
    matrix = fmpq_mat(d, d, [x for row in rows for x in row[:-1]])
    try:
        point = matrix.solve(fmpq_mat(d, 1, [-row[-1] for row in rows]))
    except ZeroDivisionError:
        raise Degenerate("the hyperplanes of a vertex do not meet in one point") from None
    numerators, denominator = point.numer_denom()
    return fmpz_mat(d + 1, 1, [*numerators.entries(), denominator])
