"""Volumes of the cells of a skeleton, with bounds of their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from verify.piecewise.skeleton.cut import EPSILON, Floats, Skeleton
from verify.piecewise.skeleton.layout import Words, in_blocks


@dataclass(frozen=True, eq=False)
class Volumes:
    """``values[k]`` is within ``errors[k]`` of the volume of cell k, if its vertices are within their errors."""

    values: Floats
    errors: Floats


def cell_volumes(skeleton: Skeleton, vertex_errors: Floats) -> Volumes:
    r"""Volumes of all cells, in rising order of their hashes.

    From edges up to cells, each face of dimension k gets the k-vector :math:`A_F`, of length k! times the volume of the face:
    :math:`A_F = \sum_G \pm A_G \wedge (c_F - c_G)` over its facets G, with the signs that make all terms parallel, and
    points c in the faces.
    """
    faces = _Faces.edges(skeleton, vertex_errors)
    for _ in range(skeleton.vertices.shape[1] - 1):
        faces = _larger_faces(skeleton, faces)
    order = np.argsort(faces.hashes)  # of the edges, in one dimension
    size = math.factorial(skeleton.vertices.shape[1])
    values, errors = np.abs(faces.vectors[order, 0]) / size, faces.vector_errors[order] / size
    values.flags.writeable = errors.flags.writeable = False
    return Volumes(values, errors)


@dataclass(frozen=True, eq=False)
class _Faces:
    """All faces of dimension k: hyperplanes ``(n, d - k)``, points ``(n, d)`` and k-vectors ``(n, binomial(d, k))``.

    The errors are bounds of the distances to the points and k-vectors of the true faces.
    """

    hashes: Words
    zeros: npt.NDArray[np.int32]
    points: Floats
    point_errors: Floats
    vectors: Floats
    vector_errors: Floats

    @staticmethod
    def edges(skeleton: Skeleton, vertex_errors: Floats) -> _Faces:
        hashes = skeleton.keys.of_patterns(skeleton.patterns[skeleton.edges[:, 0]] | skeleton.patterns[skeleton.edges[:, 1]])
        for plane in skeleton.edge_zeros.T:
            hashes ^= skeleton.keys.zero[plane]
        first, last = skeleton.vertices[skeleton.edges[:, 0]], skeleton.vertices[skeleton.edges[:, 1]]
        errors = vertex_errors[skeleton.edges].sum(axis=1)
        vectors = last - first
        rounding = EPSILON * np.linalg.norm(vectors, axis=1)
        return _Faces(hashes, skeleton.edge_zeros, (first + last) / 2, errors + _ulps(skeleton), vectors, errors + rounding)


def _ulps(skeleton: Skeleton) -> float:
    """Rounding of a mean of a few points: each of the partial sums is no longer than their number times the longest."""
    return 64 * EPSILON * float(np.linalg.norm(skeleton.vertices, axis=1).max())


def _larger_faces(skeleton: Skeleton, faces: _Faces) -> _Faces:
    """The faces of one dimension more: each face given with one of its hyperplanes left, to a side."""
    d = skeleton.vertices.shape[1]
    facet_of, slots, hashes = [], [], []
    for slot, plane in enumerate(faces.zeros.T):
        without = faces.hashes ^ skeleton.keys.zero[plane]
        neurons = np.flatnonzero(plane >= skeleton.layout.facets)
        facet_of += [np.arange(len(plane)), neurons]
        hashes += [without ^ skeleton.keys.positive[plane], without[neurons]]
        slots.append(np.full(len(plane) + len(neurons), slot))
    facets, slot_left, face = map(np.concatenate, (facet_of, slots, hashes))
    order = np.argsort(face)
    facets, slot_left, face = facets[order], slot_left[order], face[order]
    starts = np.concatenate([[0], np.flatnonzero(face[1:] != face[:-1]) + 1, [len(face)]])
    kept = np.arange(faces.zeros.shape[1]) != slot_left[starts[:-1], None]
    count = len(starts) - 1
    result = _Faces(
        face[starts[:-1]],
        faces.zeros[facets[starts[:-1]]][kept].reshape(count, -1),
        np.empty((count, d)),
        np.empty(count),
        np.empty((count, math.comb(d, d - faces.zeros.shape[1] + 1))),
        np.empty(count),
    )
    ulps = _ulps(skeleton)
    for block in in_blocks(count, 32 * d):
        here = slice(starts[block.start], starts[block.stop])
        _sum_over_facets(faces, facets[here], starts[block.start : block.stop + 1] - here.start, ulps, result, block)
    return result


def _sum_over_facets(
    faces: _Faces, facets: npt.NDArray[np.int64], starts: npt.NDArray[np.int64], ulps: float, result: _Faces, block: slice
) -> None:
    """Fill in points and vectors of the faces ``result[block]``, whose facets have the indices `facets`, face by face."""
    counts, first = np.diff(starts), starts[:-1]
    group = np.repeat(np.arange(len(first)), counts)
    points = np.add.reduceat(faces.points[facets], first, axis=0) / counts[:, None]
    point_errors = np.maximum.reduceat(faces.point_errors[facets], first) + ulps
    steps, vectors = points[group] - faces.points[facets], faces.vectors[facets]
    terms = _wedge(vectors, steps, steps.shape[1] - faces.zeros.shape[1])
    sizes, lengths, step_lengths = (np.sqrt(np.einsum("ij,ij->i", rows, rows)) for rows in (terms, vectors, steps))
    longest = np.empty(len(first), dtype=np.int64)
    candidates = np.flatnonzero(sizes == np.maximum.reduceat(sizes, first)[group])
    longest[group[candidates]] = candidates
    terms *= np.where(np.einsum("ij,ij->i", terms, terms[longest][group]) < 0, -1.0, 1.0)[:, None]
    step_errors = point_errors[group] + faces.point_errors[facets]
    # twice: a term shorter than its error may have the wrong sign
    errors = 2 * (
        faces.vector_errors[facets] * (step_lengths + step_errors)
        + lengths * step_errors
        + 4 * steps.shape[1] * EPSILON * lengths * step_lengths
    )
    result.points[block], result.point_errors[block] = points, point_errors
    result.vectors[block] = np.add.reduceat(terms, first, axis=0)
    result.vector_errors[block] = np.add.reduceat(errors + EPSILON * counts[group] * sizes, first)


def _wedge(vectors: Floats, steps: Floats, k: int) -> Floats:
    """Exterior product of k-vectors, shape ``(n, binomial(d, k))``, with vectors ``(n, d)``."""
    d = steps.shape[1]
    places = {columns: i for i, columns in enumerate(combinations(range(d), k))}
    result = np.zeros((len(vectors), math.comb(d, k + 1)))
    for i, columns in enumerate(combinations(range(d), k + 1)):
        for j, column in enumerate(columns):
            term = vectors[:, places[columns[:j] + columns[j + 1 :]]] * steps[:, column]
            result[:, i] += term if (k - j) % 2 == 0 else -term
    return result
