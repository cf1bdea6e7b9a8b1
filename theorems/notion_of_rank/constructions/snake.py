"""The function of bottleneck rank one that is the identity on a grid, along a snake through its points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from theorems.shared.paths import grid_points
from verify.numbers.arithmetic import Array, floats, is_exact


@dataclass(frozen=True)
class SnakeInterpolant:
    """The function of bottleneck rank one that is the identity on the grid of ``side ** 2`` points of the unit square.

    It takes points of the square, shape ``(..., 2)``, floats or rationals.

    Raises
    ------
    ValueError
        `side` is below 2.
    """

    side: int

    def __post_init__(self) -> None:
        if not isinstance(self.side, int) or self.side < 2:
            raise ValueError(f"side must be an integer, at least 2, got {self.side}")

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """Places of the grid points along the snake, by column and row."""
        rows = np.arange(self.side**2).reshape(self.side, self.side)
        rows[1::2] = rows[1::2, ::-1]
        return rows.T

    def coordinate(self, x: Array) -> Array:
        """g: the place along the snake, interpolated on the two triangles of each cell, shape ``(..., 2) -> (...)``.

        Raises
        ------
        ValueError
            A point is not in the unit square.
        """
        if x.shape[-1:] != (2,):
            raise ValueError(f"x must hold points of the plane, shape (..., 2), got the shape {x.shape}")
        if not np.all((x >= 0) & (x <= 1)):
            raise ValueError("x must hold points of the unit square, got a coordinate that is not between 0 and 1")
        scaled = x.reshape(-1, 2) * (self.side - 1)
        cell = np.clip(_floor(scaled), 0, self.side - 2)
        first, second = (scaled - cell).T
        right, up = cell.T
        numbers, below = self.numbers, np.asarray(first >= second, dtype=bool)
        corner, opposite = numbers[right, up], numbers[right + 1, up + 1]
        middle = np.where(below, numbers[right + 1, up], numbers[right, up + 1])
        larger, smaller = np.where(below, first, second), np.where(below, second, first)
        return np.asarray(corner + larger * (middle - corner) + smaller * (opposite - middle)).reshape(x.shape[:-1])

    def path(self, place: Array) -> Array:
        """h: the point of the snake at a place, shape ``(...) -> (..., 2)``; straight on beyond the ends."""
        points = grid_points(self.side, 2)
        points, flat = points if is_exact(place) else floats(points), place.reshape(-1)
        step = np.clip(_floor(flat), 0, self.side**2 - 2)
        found = points[step] + (flat - step)[:, None] * (points[step + 1] - points[step])
        return np.asarray(found.reshape(*place.shape, 2))

    def __call__(self, x: Array) -> Array:
        """h(g(x))."""
        return self.path(self.coordinate(x))

    @property
    def largest_slope_squared(self) -> int:
        """The largest squared gradient of g, times the squared speed of h: the square of the Lipschitz constant."""
        numbers = self.numbers
        across, along = np.diff(numbers, axis=0), np.diff(numbers, axis=1)
        below = across[:, :-1] ** 2 + along[1:] ** 2
        above = across[:, 1:] ** 2 + along[:-1] ** 2
        return int(max(below.max(), above.max()))


def _floor(values: Array) -> npt.NDArray[np.int64]:
    whole = np.frompyfunc(lambda value: int(value.floor()), 1, 1)(values) if is_exact(values) else np.floor(values)
    return np.asarray(whole, dtype=np.int64)
