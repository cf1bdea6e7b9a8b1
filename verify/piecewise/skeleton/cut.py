"""Vertices and edges of the cells of a network in general position, cut out hyperplane by hyperplane, in floats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verify.networks import FullyConnected
from verify.piecewise.cells.convex import Cell
from verify.piecewise.skeleton.layout import Indices, Keys, Layout, Table, Words, bit_ranges, in_blocks, lowest_bit, packed

Floats = npt.NDArray[np.float64]

EPSILON = float(np.finfo(np.float64).eps)


class Degenerate(ArithmeticError):
    """Floats do not decide the cells of this network: hyperplanes are not, or hardly, in general position.

    The exact splitter `verify.piecewise.linear_regions` makes no assumption about position.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason}: use verify.piecewise.linear_regions, which is exact and assumes no general position")
        self.reason = reason

    def __reduce__(self) -> tuple[type[Degenerate], tuple[str]]:
        return Degenerate, (self.reason,)


class TooManyVertices(ValueError):
    """The cells have more vertices than the limit."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the cells have more than limit = {limit} vertices: give a larger limit or a smaller polytope")
        self.limit = limit

    def __reduce__(self) -> tuple[type[TooManyVertices], tuple[int]]:
        return TooManyVertices, (self.limit,)


class TooLarge(Exception):
    """The pre-activations at all vertices of a skeleton have no room."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Vertices and edges of the cells of a network on a polytope in general position.

    Every vertex lies on exactly d hyperplanes, ``vertex_zeros[v]``, numbered as in `Layout`; ``patterns[v]`` has the bits of
    the neurons that are positive there. ``edges[e]`` are two vertices, ``edge_zeros[e]`` the d - 1 hyperplanes of an edge.
    """

    layout: Layout
    keys: Keys
    vertices: Floats
    vertex_zeros: npt.NDArray[np.int32]
    patterns: Words
    edges: npt.NDArray[np.int32]
    edge_zeros: npt.NDArray[np.int32]


class Room:
    """Memory for the pre-activations at all vertices, of one layer and the one before; used again, it is not paged in again."""

    def __init__(self, size: int) -> None:
        """`size` is in bytes, for one layer."""
        self._buffers = np.empty((2, size // 8))

    def rows(self, layer: int, width: int) -> Floats:
        """As many rows of a layer, not filled, as there is room for."""
        buffer = self._buffers[layer % 2]
        capacity = len(buffer) // width
        rows: Floats = buffer[: capacity * width].reshape(capacity, width)
        return rows


def cut_out(
    network: FullyConnected, start: Start, layout: Layout, limit: int, room: Room | None = None, *, foreseen: bool = False
) -> Skeleton:
    """Cuts a simple polytope by the hyperplanes of all hidden layers; nothing about the result is proved.

    Raises
    ------
    Degenerate
        A vertex within rounding of a further hyperplane, or edges that do not close up to faces.
    TooManyVertices
        There are more vertices than `limit`.
    TooLarge
        The pre-activations of a layer at all vertices take more than `room`; if `foreseen`, also where they would if the number
        of vertices went on to grow as that of hyperplanes in general position, which saves the time until they do.
    """
    hidden = network.depth - 1
    slopes = activation_slopes(network)
    cutter = _Cutter(start, layout, limit, room)
    inputs = start.vertices
    for layer in range(hidden):
        last = layer == hidden - 1
        if foreseen and layer:
            cutter.foresee(layer)
        values = cutter.cut(layer, network.weights[layer], network.biases[layer], inputs, last=last)
        if not last:
            inputs = activated(values, *slopes)
    return cutter.result()


def in_one_scale(network: FullyConnected) -> FullyConnected:
    """The same function, its hidden neurons rescaled so that the largest parameter of each is between 1/8 and 4.

    Bounds of rounding errors that are shared by a layer are then small for each neuron. The factors are powers of two: signs
    stay as they are, and nothing is rounded. Neurons of about the same size get the same factor, which keeps the spectral norm.

    Raises
    ------
    Degenerate
        Parameters of a neuron are so far apart that a float cannot hold one when the other is 1.
    """
    weights, biases = list(network.weights), list(network.biases)
    with np.errstate(over="ignore", under="ignore"):
        for layer in range(network.depth - 1):
            parameters = np.column_stack([weights[layer], biases[layer]])
            sizes = np.frexp(np.abs(parameters).max(axis=1))[1]
            usual = int(np.median(sizes)) if len(sizes) else 0
            exponents = usual + 4 * np.round((sizes - usual) / 4).astype(np.int64)
            scaled = np.ldexp(parameters, -exponents[:, None])
            after = np.ldexp(weights[layer + 1], exponents)
            if not np.array_equal(np.ldexp(scaled, exponents[:, None]), parameters) or not np.isfinite(after).all():
                raise Degenerate(f"parameters of a neuron of layer {layer + 1} are too far apart for floats")
            weights[layer], biases[layer], weights[layer + 1] = scaled[:, :-1], scaled[:, -1], after
    return FullyConnected(weights, biases, network.activation)


def activation_slopes(network: FullyConnected) -> tuple[float, float]:
    """Slopes above and below zero of a network without batch axes."""
    activation = network.activation
    return float(np.asarray(activation.positive)), float(np.asarray(activation.negative))


def activated(values: Floats, positive: float, negative: float) -> Floats:
    """The activation of `values`, written over them."""
    if (positive, negative) == (1.0, 0.0):
        return np.maximum(values, 0.0, out=values)
    values *= np.where(values >= 0, positive, negative)
    return values


@dataclass(frozen=True, eq=False)
class Start:
    """Vertices and edges of a simple polytope, and the facets on which they lie."""

    vertices: Floats
    zeros: npt.NDArray[np.int32]
    edges: npt.NDArray[np.int32]
    edge_zeros: npt.NDArray[np.int32]

    @staticmethod
    def of(cell: Cell, numbers: Sequence[int]) -> Start:
        """The facets of the cell get the given numbers."""
        d = cell.dimension
        on = [[number for j, number in enumerate(numbers) if mask >> j & 1] for mask in cell.masks]
        for v, facets in enumerate(on):
            if len(facets) != d:
                raise ValueError(
                    f"the polytope must be simple, each vertex on {d} facets, got vertex {v} on {len(facets)}: "
                    "use verify.piecewise.linear_regions"
                )
        ends: dict[tuple[int, ...], list[int]] = {}
        for v, facets in enumerate(on):
            for j in facets:
                ends.setdefault(tuple(k for k in facets if k != j), []).append(v)
        return Start(
            np.array([[int(x) / int(row[-1]) for x in row[:-1]] for row in cell.vertices]),
            np.array(on, dtype=np.int32),
            np.array(list(ends.values()), dtype=np.int32),
            np.array(list(ends), dtype=np.int32).reshape(len(ends), d - 1),
        )


class _Cutter:
    """The skeleton while it is being cut.

    Every vertex keeps the values of the layer in turn, which are affine along edges, so that a new vertex takes them from the
    ends of its edge. An edge keeps the next neuron of the layer that vanishes inside it; a neuron then meets only the edges
    that it cuts, and time is spent on what is new.
    """

    def __init__(self, start: Start, layout: Layout, limit: int, room: Room | None) -> None:
        self.layout, self.limit, self.room, self.dimension = layout, limit, room, start.vertices.shape[1]
        self.keys = Keys.drawn(layout)
        self.vertices = Table(
            {
                "place": start.vertices,
                "zeros": start.zeros,
                "pattern": np.zeros((len(start.vertices), layout.word[-1]), dtype=np.uint64),
                "values": np.empty((len(start.vertices), 0)),
            }
        )
        self.edges = Table(
            {
                "ends": start.edges,
                "zeros": start.edge_zeros,
                "hash": np.zeros(len(start.edges), dtype=np.uint64),  # of the positive neurons of the layers done
                "next": np.zeros(len(start.edges), dtype=np.int32),
            }
        )

    def cut(self, layer: int, weight: Floats, bias: Floats, inputs: Floats, *, last: bool) -> Floats:
        """Cut by all neurons of a layer whose inputs at the vertices are given; its values at all vertices then.

        After the last layer, only the values of neurons that were still to come are meaningful.
        """
        width = len(bias)
        largest = np.sqrt(np.einsum("ij,ij->i", inputs, inputs).max())
        # twice the rounding of one evaluation, each entry of the sum within its own ulp; closer errors are found by the proof
        self.tolerance = 2 * EPSILON * (np.linalg.norm(weight) * largest + np.abs(bias).max(initial=0.0))
        if not width:
            return np.empty((len(inputs), 0))
        room = np.empty((len(inputs), width)) if self.room is None else self.room.rows(layer, width)
        self.vertices.columns["values"] = room
        self._claim_room(len(inputs))
        values = self.vertices["values"]
        np.matmul(inputs, weight.T, out=values)
        values += bias
        self._check(values)
        self.place = slice(self.layout.word[layer], self.layout.word[layer + 1])
        self.width, self.first = width, self.layout.first[layer]
        self.below, self.above = bit_ranges(width)
        self.vertices["pattern"][:, self.place] = packed(values > 0)
        self.edges["next"][:] = self._crossing(self.edges["ends"], None)
        for neuron in range(width):
            crossed = np.flatnonzero(self.edges["next"] == neuron)
            if len(crossed):
                self._cut_by(neuron, crossed, neuron + 1 if last else 0)
        if not last:
            inside = self._between(self.edges["ends"])[:, self.place]
            self.edges["hash"][:] ^= self.keys.of_patterns(inside, self.place.start)
        return self.vertices["values"]

    def _cut_by(self, neuron: int, crossed: Indices, kept: int) -> None:
        """Cut the edges `crossed` by a neuron and the faces between them; values before neuron `kept` are not needed."""
        ends, zeros = self.edges["ends"][crossed], self.edges["zeros"][crossed]
        hashes = self.edges["hash"][crossed]
        new, hashes_here = self._new_vertices(neuron, ends, zeros, kept)
        halves = self.edges.extend(len(crossed))
        columns = self.edges.columns
        columns["ends"][halves, 0], columns["ends"][halves, 1] = new, ends[:, 1]
        columns["ends"][crossed, 1] = new
        columns["zeros"][halves], columns["hash"][halves] = zeros, hashes
        columns["next"][halves] = self._crossing(columns["ends"][halves], neuron)
        columns["next"][crossed] = self._crossing(columns["ends"][crossed], neuron)
        if self.dimension > 1:
            self._new_edges(neuron, new, zeros, hashes, hashes_here)

    def _new_vertices(
        self, neuron: int, ends: Indices, zeros: npt.NDArray[np.int32], kept: int
    ) -> tuple[npt.NDArray[np.int32], Words]:
        """A vertex on each edge, and the hashes of the edges over the neurons of this layer that have cut already."""
        if self.vertices.count + len(ends) > self.limit:
            raise TooManyVertices(self.limit)
        self._claim_room(self.vertices.count + len(ends))
        rows = self.vertices.extend(len(ends))
        columns, first, last = self.vertices.columns, *ends.T
        values = columns["values"]
        above, below = values[first, neuron], values[last, neuron]
        weight = (above / (above - below))[:, None]
        # this form keeps zeros, and the sign that both ends have
        columns["place"][rows] = (1 - weight) * columns["place"][first] + weight * columns["place"][last]
        between = (1 - weight) * values[first, kept:] + weight * values[last, kept:]
        if not kept:
            between[:, neuron] = 0.0
        values[rows, kept:] = between
        to_come = between[:, neuron + 1 - kept :]
        self._check(to_come)
        columns["zeros"][rows, :-1], columns["zeros"][rows, -1] = zeros, self.first + neuron
        pattern = self._between(ends)
        here = pattern[:, self.place] & self.below[neuron]
        hashes = self.keys.of_patterns(here, self.place.start, neuron // 8 + 1)
        signs = np.zeros((len(ends), self.width), dtype=bool)
        signs[:, neuron + 1 :] = to_come > 0
        pattern[:, self.place] = here | packed(signs)
        columns["pattern"][rows] = pattern
        return np.arange(rows.start, rows.stop, dtype=np.int32), hashes

    def _new_edges(
        self, neuron: int, new: npt.NDArray[np.int32], zeros: npt.NDArray[np.int32], hashes: Words, hashes_here: Words
    ) -> None:
        """Join the new vertices two by two in the faces of dimension 2: each is met by exactly two of the edges cut.

        A face beside an edge is the edge with one of its hyperplanes left to a side; facets have one side.
        """
        edge_hashes = hashes ^ hashes_here
        for zero in zeros.T:
            edge_hashes ^= self.keys.zero[zero]
        edges, slots, sides, faces = [], [], [], []
        for slot, zero in enumerate(zeros.T):
            without = edge_hashes ^ self.keys.zero[zero]
            neurons = np.flatnonzero(zero >= self.layout.facets)
            edges += [np.arange(len(zeros)), neurons]
            slots += [np.full(len(zeros), slot), np.full(len(neurons), slot)]
            sides += [np.ones(len(zeros), dtype=bool), np.zeros(len(neurons), dtype=bool)]
            faces += [without ^ self.keys.positive[zero], without[neurons]]
        edge, slot_of, side, face = map(np.concatenate, (edges, slots, sides, faces))
        order = np.argsort(face)
        face = face[order]
        if len(face) % 2 or (face[::2] != face[1::2]).any() or (face[1:-1:2] == face[2::2]).any():
            raise Degenerate(f"neuron {neuron} (from 0) of a layer cuts a face in other than two edges")
        first, second = order[::2], order[1::2]
        rows = self.edges.extend(len(first))
        columns = self.edges.columns
        columns["ends"][rows, 0], columns["ends"][rows, 1] = new[edge[first]], new[edge[second]]
        kept = np.arange(self.dimension - 1) != slot_of[first, None]
        columns["zeros"][rows, :-1] = zeros[edge[first]][kept].reshape(len(first), -1)
        columns["zeros"][rows, -1] = self.first + neuron
        freed = zeros[edge[first], slot_of[first]]
        earlier = side[first] & (freed < self.first)  # signs of this layer are not in the hash of an edge yet
        columns["hash"][rows] = hashes[edge[first]] ^ np.where(earlier, self.keys.positive[freed], np.uint64(0))
        columns["next"][rows] = self._crossing(columns["ends"][rows], neuron)

    def _between(self, ends: Indices) -> Words:
        """Patterns inside edges: a neuron that is zero at one end has the sign of the other."""
        patterns: Words = self.vertices.columns["pattern"]
        return patterns[ends[:, 0]] | patterns[ends[:, 1]]

    def _crossing(self, ends: Indices, after: int | None) -> npt.NDArray[np.int64]:
        """The first neuron of the layer, after a given one, that has different signs at the ends."""
        patterns = self.vertices.columns["pattern"]
        different = patterns[ends[:, 0], self.place] ^ patterns[ends[:, 1], self.place]
        return lowest_bit(different if after is None else different & self.above[after], self.width)

    def foresee(self, layer: int) -> None:
        """Raise `TooLarge` if the vertices after the last layer, guessed from those before `layer`, have no room."""
        cut_count, neuron_count = (self.layout.first[k] - self.layout.facets for k in (layer, -1))
        if cut_count:
            self._claim_room(int(self.vertices.count * (neuron_count / cut_count) ** self.dimension))

    def _claim_room(self, vertices: int) -> None:
        if self.room is not None and vertices > len(self.vertices.columns["values"]):
            raise TooLarge

    def _check(self, values: Floats) -> None:
        """Raise `Degenerate` if a value is zero within rounding."""
        smallest = min((np.abs(values[block]).min(initial=np.inf) for block in in_blocks(*values.shape)), default=np.inf)
        if smallest <= self.tolerance:
            raise Degenerate(
                f"a vertex lies within rounding of a further hyperplane (pre-activation {smallest:.1e}, rounding "
                f"{self.tolerance:.1e})"
            )

    def result(self) -> Skeleton:
        return Skeleton(
            self.layout,
            self.keys,
            *self.vertices.frozen(["place", "zeros", "pattern"]),
            *self.edges.frozen(["ends", "zeros"]),
        )
