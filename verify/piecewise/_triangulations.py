"""Simplices and their hat functions as maxima of minima of affine functions, with every value checked in rationals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.cones.conical_hull import contains
from verify.matrices.exact import flint_matrix, to_array
from verify.numbers.arithmetic import Array, floats, rationals

Indices = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]


class Triangulation:
    """Simplices with corners among `points`, shapes ``(M, d + 1)`` of indices and ``(N, d)`` of rationals.

    Attributes
    ----------
    lifted
        The points with a last coordinate 1, shape ``(N, d + 1)``.
    barycentric
        ``barycentric[k, j] @ lifted[i]`` is the j-th barycentric coordinate of point i in simplex k, ``(M, d + 1, d + 1)``.

    Raises
    ------
    ValueError
        The shapes or the indices do not fit; a simplex is flat; a point belongs to none; two points coincide.
    """

    def __init__(self, points: Array, simplices: Any) -> None:
        count, dimension = points.shape
        try:
            corners = np.asarray(simplices)
        except ValueError:
            raise ValueError(f"simplices must be rows of {dimension + 1} integers, got rows of different lengths") from None
        if corners.ndim != 2 or corners.shape[1] != dimension + 1 or len(corners) == 0 or corners.dtype.kind not in "iu":
            raise ValueError(
                f"simplices must be integers of shape (M, {dimension + 1}) with M >= 1 for points in {dimension} dimensions, "
                f"got shape {corners.shape} and dtype {corners.dtype}"
            )
        if corners.min() < 0 or corners.max() >= count:
            raise ValueError(f"simplices must hold indices of the {count} points, got {corners.min()} to {corners.max()}")
        check_distinct(points)
        missing = np.setdiff1d(np.arange(count), corners)
        if missing.size:
            raise ValueError(f"every point must be a corner of a simplex: points[{missing[0]}] is not")
        self.lifted = np.concatenate([points, rationals(np.ones((count, 1), dtype=np.int64))], axis=1)
        self.simplices: Indices = corners.astype(np.intp)
        inverses = [_inverse(self.lifted[corner]) for corner in self.simplices]
        for index, inverse in enumerate(inverses):
            if inverse is None:
                raise ValueError(f"simplices[{index}] = {corners[index].tolist()} is flat: its corners lie in a hyperplane")
        self.barycentric = np.array(inverses).swapaxes(1, 2)

    def check_intervals(self) -> None:
        """In one dimension, raise a `ValueError` that names a simplex with a point between its ends."""
        places = self.lifted[:, 0]
        order = sorted(range(len(places)), key=lambda i: places[i])
        rank = {point: k for k, point in enumerate(order)}
        for index, (first, last) in enumerate(self.simplices.tolist()):
            if abs(rank[first] - rank[last]) != 1:
                between = order[min(rank[first], rank[last]) + 1]
                raise ValueError(
                    f"simplices must share a face or nothing, got simplices[{index}] = {[first, last]} with "
                    f"points[{between}] = {places[between]} inside, which is a corner of another"
                )

    @cached_property
    def stars(self) -> list[list[tuple[int, int]]]:
        """For every point, the simplices around it and which of their corners it is."""
        result: list[list[tuple[int, int]]] = [[] for _ in self.lifted]
        for simplex, corners in enumerate(self.simplices.tolist()):
            for position, vertex in enumerate(corners):
                result[vertex].append((simplex, position))
        return result


def check_distinct(points: Array) -> None:
    """Raise a `ValueError` that names two points that coincide."""
    seen: dict[tuple[str, ...], int] = {}
    for index, point in enumerate(points):
        first = seen.setdefault(tuple(map(str, point)), index)
        if first != index:
            raise ValueError(f"points must differ, got points[{first}] = points[{index}] = ({', '.join(map(str, point))})")


def delaunay(points: Array) -> Triangulation:
    """Delaunay triangulation in floats, without the simplices that are flat in rationals; in one dimension, the intervals.

    Raises
    ------
    ValueError
        Fewer than d + 1 points, all points in a hyperplane, or two that coincide.
    """
    from scipy.spatial import Delaunay, QhullError

    count, dimension = points.shape
    if count <= dimension:
        raise ValueError(f"points must be at least d + 1 in d dimensions, got {count} in {dimension}")
    check_distinct(points)
    if dimension == 1:
        order = sorted(range(count), key=lambda i: points[i, 0])
        return Triangulation(points, np.stack([order[:-1], order[1:]], axis=1))
    lifted = np.concatenate([points, rationals(np.ones((count, 1), dtype=np.int64))], axis=1)
    try:
        simplices = Delaunay(floats(points)).simplices
    except QhullError as error:  # also for points beyond the largest float
        raise ValueError("points must not lie in a hyperplane (in floats): give simplices, or other points") from error
    return Triangulation(points, np.array([corners for corners in simplices if _inverse(lifted[corners]) is not None]))


def lattice_of_hat_functions(triangulation: Triangulation, vertices: Sequence[int]) -> tuple[Array, list[list[list[int]]]]:
    r"""Affine functions, shape ``(k, d + 1)``, and for each vertex groups of them whose maximum of minima is its hat function.

    The hat function is 1 at the vertex, 0 at all others, and affine on each simplex. For a simplex i of the star let
    :math:`G_i` hold the affine pieces of the star that are at least the hat function at the corners of i; then the minimum of
    the group equals the hat function on i. It is at most the hat function on any simplex k if one member is so at the corners
    of k. That is the case when the simplices fill a neighbourhood of the star, or a convex set (the segment from a point of i
    to one of k has a piece that is above on i and below on k: Ovchinnikov 2002); otherwise an affine function that is above on
    i and below on k is found by the exact Farkas alternative and joins the group. Members and groups that are not needed for
    this are left out, greedily. The last group is the zero function.

    Raises
    ------
    ValueError
        There is no such function: two simplices overlap or meet in something other than a common face.
    """
    size = triangulation.lifted.shape[1]
    numbers: dict[tuple[str, ...], int] = {}
    functions: list[Array] = []

    def number(function: Array) -> int:
        key = tuple(map(str, function))
        if key not in numbers:
            numbers[key] = len(functions)
            functions.append(function)
        return numbers[key]

    zero = rationals(np.zeros(size, dtype=np.int64))
    outputs = [[sorted(set(map(number, group))) for group in [*_groups(triangulation, vertex), [zero]]] for vertex in vertices]
    return np.array(functions), outputs


def _groups(triangulation: Triangulation, vertex: int) -> list[list[Array]]:
    star = triangulation.stars[vertex]
    inside = [simplex for simplex, _ in star]
    pieces = np.array([triangulation.barycentric[simplex, position] for simplex, position in star])
    hat = rationals(np.zeros(len(triangulation.lifted), dtype=np.int64))
    hat[vertex] = fmpq(1)
    above, below = _order(pieces, triangulation, hat)
    groups, attained = [], []
    for simplex in inside:
        members = np.flatnonzero(above[:, simplex])
        members = members[_cover(below[members])]
        group, equal = list(pieces[members]), np.asarray(above[members].all(axis=0))
        lower = below[members].any(axis=0)
        while not lower.all():
            function = _separating(triangulation, simplex, int(np.argmin(lower)), hat)
            over, under = _order(function[None], triangulation, hat)
            group.append(function)
            equal, lower = equal & over[0], lower | under[0]
        groups.append(group)
        attained.append(equal[inside])
    return [groups[i] for i in _cover(np.array(attained))]


def _order(functions: Array, triangulation: Triangulation, values: Array) -> tuple[Flags, Flags]:
    """Whether functions are at least, and at most, `values` at the corners of simplices, shapes ``(functions, simplices)``."""
    at_points = to_array(flint_matrix(functions) * flint_matrix(triangulation.lifted).transpose())
    orders = np.stack([at_points >= values, at_points <= values])
    above, below = np.asarray(orders[:, :, triangulation.simplices].all(axis=3))
    return above, below


def _cover(sets: Flags) -> list[int]:
    """Indices of few rows that are true, together, wherever any row is; the largest gain first."""
    remaining, chosen = sets.any(axis=0), list[int]()
    while remaining.any() or not chosen:
        chosen.append(int(np.argmax((sets & remaining).sum(axis=1))))
        remaining = remaining & ~sets[chosen[-1]]
    return chosen


def _separating(triangulation: Triangulation, above: int, below: int, values: Array) -> Array:
    """An affine function that is at least `values` at the corners of one simplex and at most these at those of another."""
    graph = np.concatenate([triangulation.lifted, -values[:, None]], axis=1)
    first, second = triangulation.simplices[above], triangulation.simplices[below]
    constraints = np.concatenate([graph[first], -graph[second]])
    # (function, scale) with constraints @ (function, scale) >= 0 and scale > 0
    target = rationals([0] * (graph.shape[1] - 1) + [-1])
    functional = contains(constraints, target).functional
    if functional is None:
        raise ValueError(
            f"simplices must share a face or nothing, got simplices[{above}] = {first.tolist()} and "
            f"simplices[{below}] = {second.tolist()}, which overlap or meet elsewhere"
        )
    return np.asarray(functional[:-1] / functional[-1])


def _inverse(matrix: Array) -> Array | None:
    try:
        return to_array(flint_matrix(matrix).inv())
    except ZeroDivisionError:
        return None
