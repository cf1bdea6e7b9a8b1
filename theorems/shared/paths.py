"""Shortest paths and spanning trees through points, and grids in the order of a snake."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from theorems.shared.arrays import squares
from verify.matrices.arguments import checked
from verify.numbers.arithmetic import Array, rationals, smallest, sqrt
from verify.numbers.parameters import widened

MOST_POINTS = 12


@widened
def squared_distances(points: Array) -> Array:
    """Squared distances of all pairs, shape ``(..., N, m) -> (..., N, N)``."""
    return squares(points[..., :, None, :] - points[..., None, :, :])


@widened
def shortest_path(points: Array) -> Array:
    """Length of the shortest path through all points, from any to any, shape ``(..., N, m) -> (...)``; 0 for one point.

    Raises
    ------
    ValueError
        No point, or more than 12: see `spanning_tree` for a lower bound; NaN or infinity.
    """
    points = some_points(points)
    count = points.shape[-2]
    if count > MOST_POINTS:
        raise ValueError(f"points must be at most {MOST_POINTS}, got {count}: spanning_tree gives a lower bound for more")
    distances = sqrt(squared_distances(points))
    # for a set of points (a bit mask): the shortest path through it that ends in each of its points, in order
    ends: dict[int, Array] = {1 << i: 0 * distances[..., :1, 0] for i in range(count)}
    for size in range(2, count + 1):
        longer: dict[int, Array] = {}
        for members in combinations(range(count), size):
            mask = sum(1 << i for i in members)
            last = [smallest(ends[mask ^ (1 << i)] + distances[..., [j for j in members if j != i], i]) for i in members]
            longer[mask] = np.stack(last, axis=-1)
        ends = longer
    return np.asarray(smallest(next(iter(ends.values())))) if count > 1 else 0 * distances[..., 0, 0]


@widened
def spanning_tree(points: Array) -> Array:
    """Length of a minimum spanning tree, shape ``(..., N, m) -> (...)``, by Prim's algorithm; no limit on N.

    Which edges it has is decided on the squared distances, so that for rational points only the sum of roots is a ball.

    Raises
    ------
    ValueError
        No point; NaN or infinity.
    """
    points = some_points(points)
    squared = squared_distances(points)
    beyond = squared.sum(axis=(-2, -1), keepdims=True)[..., 0] + 1
    chosen = np.zeros(squared.shape[:-1], dtype=bool)
    chosen[..., 0] = True
    nearest, length = squared[..., 0, :], 0 * squared[..., 0, 0]
    for _ in range(points.shape[-2] - 1):
        candidates = np.where(chosen, beyond, nearest)
        place = np.argmin(candidates, axis=-1)[..., None]
        length = length + sqrt(np.take_along_axis(candidates, place, axis=-1))[..., 0]
        np.put_along_axis(chosen, place, True, axis=-1)
        row = np.take_along_axis(squared, place[..., None], axis=-2)[..., 0, :]
        nearest = np.where(row < nearest, row, nearest)
    return np.asarray(length)


@widened
def nearest_distances(points: Array) -> Array:
    """Distance of every point to the nearest other one, shape ``(..., N, m) -> (..., N)``.

    Raises
    ------
    ValueError
        Fewer than two points; NaN or infinity.
    """
    points = some_points(points, least=2)
    squared = squared_distances(points)
    own = np.eye(points.shape[-2], dtype=bool)
    return sqrt(smallest(np.where(own, squared.sum(axis=(-2, -1), keepdims=True), squared)))


@widened
def some_points(points: Array, least: int = 1) -> Array:
    """`points`, checked: at least `least` of them in at least one dimension, all finite."""
    array = checked(points, "points")
    if array.shape[-2] < least:
        raise ValueError(f"points must be at least {least}, got {array.shape[-2]}: shape (..., N, m) is accepted")
    return array


@widened
def grid_points(side: int, dimension: int) -> Array:
    """The grid of ``side ** dimension`` rational points of the unit cube, in the order of a snake.

    Neighbours in this order are neighbours in the grid.

    Raises
    ------
    ValueError
        `side` is below 2 or `dimension` below 1.
    """
    if not (isinstance(side, int) and isinstance(dimension, int)) or side < 2 or dimension < 1:
        raise ValueError(f"side must be at least 2 and dimension at least 1, got {side} and {dimension}")
    snake = np.arange(side)[:, None]
    for _ in range(dimension - 1):
        rows = [snake if place % 2 == 0 else snake[::-1] for place in range(side)]
        snake = np.vstack([np.hstack([row, np.full((len(row), 1), place)]) for place, row in enumerate(rows)])
    return rationals(snake) / (side - 1)


@widened
def path_length(points: Array) -> Array:
    """Length of the path through the points in their order, shape ``(..., N, m) -> (...)``."""
    return np.asarray(sqrt(squares(points[..., 1:, :] - points[..., :-1, :])).sum(axis=-1))
