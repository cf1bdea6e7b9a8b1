"""From directions in floats to directions of small integers, of which an exact linear system then needs a few."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from verify.numbers.arithmetic import Array, rationals

LARGEST_DENOMINATOR = 1000
"""Of rounded vectors, over their largest entries. More digits are noise: vectors have half of those of a residual of 1e-9."""
ZERO = 1e-3
"""Entries below this share of the largest one are rounded to zero."""

Direction = tuple[int, ...]


def rounded_directions(vectors: Iterable[npt.NDArray[np.float64]]) -> set[Direction]:
    """Integer directions close to each vector (of floats that are not negative): coarse ones, and the most plausible."""
    directions: set[Direction] = set()
    for vector in vectors:
        if vector.max() > 0:
            scaled, errors = _multiples(vector)
            chosen = [int(np.argmin(errors[:bound])) for bound in (3, 10, 30, 100, 300, LARGEST_DENOMINATOR)]
            chosen += [9, 99, LARGEST_DENOMINATOR - 1]
            directions |= {_primitive(scaled[row]) for row in chosen}
    return directions


def plausible_directions(vectors: Iterable[npt.NDArray[np.float64]], each: int = 3) -> set[Direction]:
    """For every support the `each` integer directions that are least likely to be so close to a vector by chance."""
    chances: dict[tuple[int, ...], dict[Direction, float]] = {}
    for vector in vectors:
        if vector.max() > 0:
            support = np.flatnonzero(vector > ZERO * vector.max())
            scaled, errors = _multiples(np.where(vector > ZERO * vector.max(), vector, 0))
            # multiples up to q come within an error of k - 1 independent entries with this probability
            chance = (np.arange(len(errors)) + 1) * (2 * errors + 1e-9) ** max(len(support) - 1, 1)
            chance[(scaled[:, support] == 0).any(axis=1)] = np.inf
            candidates = chances.setdefault(tuple(support.tolist()), {})
            for row in np.argsort(chance, kind="stable")[:each]:
                direction = _primitive(scaled[row])
                candidates[direction] = min(candidates.get(direction, np.inf), float(chance[row]))
    return {
        direction
        for by_direction in chances.values()
        for direction in sorted(by_direction, key=by_direction.__getitem__)[:each]
    }


def as_rows(directions: set[Direction], size: int) -> Array:
    """The directions and the unit vectors as rationals, in a fixed order, shape ``(k, size)``."""
    units = {tuple(row) for row in np.eye(size, dtype=np.int64).tolist()}
    return rationals(np.array(sorted(directions | units), dtype=np.int64))


def rounded_to_bits(values: npt.NDArray[np.float64], bits: int) -> npt.NDArray[np.float64]:
    """The nearest multiples of ``2**-bits``."""
    return np.asarray(np.ldexp(np.rint(np.ldexp(values, bits)), -bits))


def _multiples(vector: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The integers nearest to ``q * vector / max(vector)`` for q = 1, 2, ..., and how far off they are."""
    exact = vector / vector.max() * np.arange(1, LARGEST_DENOMINATOR + 1)[:, None]
    nearest = np.rint(exact)
    return nearest.astype(np.int64), np.abs(exact - nearest).max(axis=1)


def _primitive(entries: npt.NDArray[np.int64]) -> Direction:
    return tuple((entries // np.gcd.reduce(entries)).tolist())
