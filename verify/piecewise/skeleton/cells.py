"""All activation cells of a network in general position, in floats, fast, and proved to be all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks import FullyConnected
from verify.numbers.arguments import flag
from verify.numbers.arithmetic import integer
from verify.piecewise._arguments import check_limit, one_network
from verify.piecewise.polytope import Polytope
from verify.piecewise.regions import check_polytope
from verify.piecewise.skeleton.cut import Degenerate, Floats, Skeleton, in_one_scale
from verify.piecewise.skeleton.layout import Words, in_blocks
from verify.piecewise.skeleton.maps import affine_maps
from verify.piecewise.skeleton.proof import Proof
from verify.piecewise.skeleton.proof import prove as prove_skeleton
from verify.piecewise.skeleton.slabs import skeleton
from verify.piecewise.skeleton.volumes import Volumes, cell_volumes

LIMIT = 5_000_000
"""Number of vertices above which `float_cells` stops, unless another limit is given."""


@dataclass(frozen=True, eq=False, repr=False)
class FloatCells:
    """The activation cells of full dimension of a network on a polytope, in general position, each once.

    Attributes
    ----------
    patterns
        Packed signs inside the cells, shape ``(count, words)``, see `activation_pattern`.
    interior_points
        The mean of the vertices of each cell, shape ``(count, d)``.
    vertices
        All vertices of all cells, shape ``(V, d)``.
    vertex_ids, starts
        Cell k has the vertices ``vertices[vertex_ids[starts[k] : starts[k + 1]]]``, in no particular order.
    proof
        What is proved: see `float_cells`; None if nothing is.

    All arrays are read-only floats or integers.
    """

    network: FullyConnected
    polytope: Polytope
    patterns: Words
    interior_points: Floats
    vertex_ids: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    proof: Proof | None
    _skeleton: Skeleton

    def __repr__(self) -> str:
        proved = "not proved" if self.proof is None else "proved"
        return f"FloatCells(count={self.count}, dimension={self.vertices.shape[1]}, vertices={len(self.vertices)}, {proved})"

    def __len__(self) -> int:
        return self.count

    @property
    def count(self) -> int:
        """Number of cells."""
        return len(self.patterns)

    @property
    def vertices(self) -> Floats:
        """All vertices, shape ``(V, d)``."""
        return self._skeleton.vertices

    @property
    def edges(self) -> npt.NDArray[np.int32]:
        """All edges of all cells as pairs of rows of `vertices`, shape ``(E, 2)``."""
        return self._skeleton.edges

    def cell_vertices(self, index: int) -> Floats:
        """The vertices of a cell, shape ``(k, d)``; for d = 2 in the order around it."""
        index = integer("index", index)
        if not -self.count <= index < self.count:
            raise ValueError(f"index must be one of {self.count} cells, got {index}")
        index %= self.count
        points = self.vertices[self.vertex_ids[self.starts[index] : self.starts[index + 1]]]
        if points.shape[1] == 2:
            around = points - self.interior_points[index]
            points = points[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
        return points

    def activation_pattern(self, index: Any = slice(None)) -> tuple[npt.NDArray[np.bool_], ...]:
        """Which hidden pre-activations are positive in the cells at `index` (a slice, or an array of integers).

        One array ``(n, n_l)`` for each hidden layer, like `FullyConnected.activation_pattern` at interior points.
        """
        return self._skeleton.layout.unpacked(self.patterns[index])

    def affine_maps(self, index: Any = slice(None)) -> tuple[Floats, Floats]:
        """``A``, shape ``(n, n_L, d)``, and ``c``, shape ``(n, n_L)``, of the maps ``x -> A x + c`` on the cells at `index`.

        For many cells take them in slices: the arrays in between have ``n * width * min(n_L, d + 1)`` entries.
        """
        matrices, offsets, _ = affine_maps(self.network, self.activation_pattern(index))
        return matrices, offsets

    @cached_property
    def volumes(self) -> Volumes:
        """Volumes of the cells (lengths for d = 1, areas for d = 2), with bounds of their errors."""
        errors = np.zeros(len(self.vertices)) if self.proof is None else self.proof.errors
        return cell_volumes(self._skeleton, errors)


def float_cells(network: FullyConnected, polytope: Polytope, *, prove: bool = True, limit: int = LIMIT) -> FloatCells:
    """All activation cells of full dimension of `network` on `polytope`, for networks in general position.

    Hyperplane by hyperplane the edges that it cuts are split, and the new vertices joined in the faces of dimension 2, which
    are recognised by a hash of their signs. What is found in floats is then proved: every vertex is a vertex of the network,
    it lies on exactly d hyperplanes, no vertex is missing, and the cells are those around the vertices (see
    `verify.piecewise.skeleton.proof`). So the cells and their number are those of the real function with these
    float parameters, and the vertices are within ``proof.errors`` of the true ones. Networks for which this fails, because
    their hyperplanes are not in general position or nearly not, are never miscounted: they raise `Degenerate`.

    Where the pre-activations of a layer at all vertices would take more than 400 MB, the polytope is cut into slabs first,
    whose skeletons are then put together; what is proved is the whole.

    With ``prove=False`` a vertex within the rounding of one evaluation of a further hyperplane still raises; the rest is not
    proved, and takes about half the time.

    Raises
    ------
    Degenerate
        The cells cannot be decided in floats. `verify.piecewise.linear_regions` decides them exactly.
    ValueError
        A batch of networks; parameters that are exact (convert with ``as_float()``, or use `linear_regions`); a polytope of
        another dimension than the inputs, or that is not simple (more than d facets at a vertex).
    TypeError
        No network, no polytope, or an activation that is not homogeneous.
    TooManyVertices
        There are more vertices than `limit`; in the plane there are about as many cells.

    Examples
    --------
    >>> tent = from_breakpoints([0, 1, 2], [0, 1, 0]).as_float()
    >>> cells = float_cells(tent, Polytope.box([-1], [3]))
    >>> print(len(cells), cells.volumes.values)
    4 [1. 1. 1. 1.]
    """
    prove = flag("prove", prove)
    single = one_network(network)
    if single.is_exact or not single.activation.accepts(exact=False):
        raise ValueError(f"network must have float parameters, got {network}: convert with as_float(), or use linear_regions")
    check_polytope(polytope, single.widths[0])
    check_limit(limit)
    cell = polytope.cell
    rescaled = in_one_scale(single)
    edges_and_vertices = skeleton(rescaled, cell, limit)
    proof = prove_skeleton(rescaled, cell, edges_and_vertices) if prove else None
    ids, starts = _around_vertices(edges_and_vertices)
    patterns = np.empty((len(starts) - 1, edges_and_vertices.layout.word[-1]), dtype=np.uint64)
    for block in in_blocks(len(patterns), 4 * patterns.shape[1]):
        first = starts[block.start]
        around = edges_and_vertices.patterns[ids[first : starts[block.stop]]]
        np.bitwise_or.reduceat(around, starts[block] - first, axis=0, out=patterns[block])
    if prove:
        _check_equal_hashes(edges_and_vertices, patterns, ids, starts)
    points = np.add.reduceat(edges_and_vertices.vertices[ids], starts[:-1], axis=0) / np.diff(starts)[:, None]
    for array in (patterns, points, ids, starts):
        array.flags.writeable = False
    return FloatCells(single, polytope, patterns, points, ids, starts, proof, edges_and_vertices)


def _around_vertices(skeleton: Skeleton) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Vertices cell by cell, in rising order of the cells' hashes, and where each cell starts (and the last ends)."""
    hashes = skeleton.keys.of_patterns(skeleton.patterns)
    ids = np.arange(len(hashes))
    for plane in skeleton.vertex_zeros.T:
        # a vertex touches the cells on both sides of its neurons; outside a facet there is none
        neurons = np.flatnonzero(plane[ids] >= skeleton.layout.facets)
        hashes = np.concatenate([hashes, hashes[neurons] ^ skeleton.keys.positive[plane[ids[neurons]]]])
        ids = np.concatenate([ids, ids[neurons]])
    order = np.argsort(hashes)
    hashes, ids = hashes[order], ids[order]
    starts = np.concatenate([[0], np.flatnonzero(hashes[1:] != hashes[:-1]) + 1, [len(hashes)]])
    return ids, starts


def _check_equal_hashes(skeleton: Skeleton, patterns: Words, ids: npt.NDArray[np.int64], starts: npt.NDArray[np.int64]) -> None:
    """Cells with the same hash have the same signs: what is positive in a cell is not negative at any of its vertices.

    The pattern of a cell was made as the union of those of its vertices. If two cells shared a hash, a neuron positive in one
    only would have to vanish at all vertices of the other.
    """
    cells = np.repeat(np.arange(len(patterns)), np.diff(starts))
    possible = skeleton.layout.bits(skeleton.vertex_zeros)
    possible |= skeleton.patterns
    for block in in_blocks(len(ids), patterns.shape[1]):
        if (patterns[cells[block]] & ~possible[ids[block]]).any():
            raise Degenerate("two cells have the same hash")
