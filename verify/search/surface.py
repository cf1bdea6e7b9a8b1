"""Rational points of a surface: instances of hypotheses that are equalities, as ``norm2(x) == 1`` or ``A @ x == b``.

Chance meets them seldom, and what an ascent reaches satisfies them only up to rounding. Two ways lead to rational points:

- where the equalities are linear in some of the numbers, as ``x * y == 1`` is in each, these are solved for;
- along a line through a known instance an equality of degree two, as ``norm2(x) == 1``, has one other root. With several
  equalities the line stays where all others hold to first order, which is enough if they are linear in what is moved, as
  ``x @ y == 0`` is in y.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.claims.domain import Domain, Sample
from verify.instances.array import recorded_differences
from verify.matrices.exact import flint_matrix, to_array
from verify.numbers.arithmetic import Array, floats, precision, rationals
from verify.numbers.exactness import assumed_signs, exact_evaluation
from verify.search.batch import batch_length
from verify.search.decide import PRECISIONS

GRID = 2.0**12
"""Points are rounded to its inverse: roots have a few times as many digits. With 2^6 and 2^18 the same bounds are refuted."""
SIGNS = 256
"""Instances of signs that are tried where none is known. Half and twice as many refute the same of the tests."""
MOST = 24
"""Equalities that are followed together, each entry of an array being one."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The equalities that the hypotheses ask, as functions of the real free numbers of an instance.

    Attributes
    ----------
    start
        An exact instance, with a leading axis of length 1, whose integers all points have.
    known
        Whether the equalities hold there; another hypothesis may be broken.
    count
        How many equalities there are.
    """

    domain: Domain
    start: Sample
    known: bool
    count: int

    @classmethod
    def of(cls, domain: Domain, sample: Sample, rng: np.random.Generator) -> Surface | None:
        """From the first of these instances at which the equalities hold, or one of signs; None if the hypotheses ask none."""
        exact = domain.on_rationals(sample)
        values = _differences(domain, exact)
        if values is None:
            return None
        known = np.flatnonzero((values == 0).all(axis=1))
        start = exact[known[:1] if len(known) else np.zeros(1, dtype=np.intp)]
        surface = cls(domain, start, known=len(known) > 0, count=values.shape[1])
        if not surface.free:
            return None
        return surface if surface.known else surface._begun(rng)

    def _begun(self, rng: np.random.Generator) -> Surface:
        """The same from numbers 0, 1 and -1, few of them not zero, or 1/2 and -1/2, if the equalities hold at some of these."""
        shape = SIGNS, len(self._axes)
        signs = rng.choice([-1.0, 1.0], shape)
        halves, sparse = rng.random((SIGNS, 1)) < 0.5, rng.random(shape) < rng.random((SIGNS, 1))
        tried = self.samples(rationals(np.where(halves, signs / 2, np.where(sparse, 0, signs))))
        values = _differences(self.domain, tried)
        known = np.zeros(0, dtype=np.intp) if values is None else np.flatnonzero((values == 0).all(axis=1))[:1]
        return replace(self, start=tried[known], known=True) if len(known) else self

    @functools.cached_property
    def free(self) -> list[str]:
        """Names of the coordinates that are moved."""
        layout = self.domain.layout(self.start.sizes)
        return [name for name, coordinate in layout.items() if not coordinate.integer and 0 not in coordinate.shape]

    def vectors(self, sample: Sample) -> Array:
        """The free numbers of instances with one leading axis, each in a row, as rationals."""
        exact = self.domain.on_rationals(sample)
        return np.concatenate([exact.coordinates[name].reshape(batch_length(sample), -1) for name in self.free], axis=1)

    def samples(self, points: Array) -> Sample:
        """The instances whose free numbers are the rows of `points`, in their arithmetic."""
        layout, coordinates, used = self.domain.layout(self.start.sizes), {}, 0
        for name, coordinate in layout.items():
            shape = (len(points), *coordinate.shape)
            if name in self.free:
                length = math.prod(coordinate.shape)
                coordinates[name] = points[:, used : used + length].reshape(shape)
                used += length
            else:
                given = self.start.coordinates[name]
                coordinates[name] = np.broadcast_to(given if points.dtype == object else floats(given), shape)
        return Sample(self.start.sizes, coordinates)

    def instance(self, point: Array) -> Sample:
        """The one with these free numbers."""
        one = self.samples(point[None])
        return Sample(one.sizes, {name: np.array(values[0], dtype=object) for name, values in one.coordinates.items()})

    def near(self, origins: Array, targets: npt.NDArray[np.float64], rng: np.random.Generator) -> Array:
        """Rational points of the surface, at most two near each of the `targets`; none where neither way leads to one.

        Lines go through `origins`, a known point for each target.
        """
        goals = rationals(np.rint(targets * GRID) / GRID)
        found = self._solved(goals, rng)
        if self.known:
            found += self._on_lines(origins, goals, rng)
        points = np.array(found, dtype=object).reshape(len(found), goals.shape[1])
        values = _differences(self.domain, self.samples(points)) if found else None
        return points[:0] if values is None else points[(values == 0).all(axis=1)]

    def _solved(self, goals: Array, rng: np.random.Generator) -> list[Array]:
        """The goals, moved as little as possible in some of their numbers, as if the equalities were linear in these."""
        blocks = [self._block(rng, alone=self.count == 1) for _ in goals]
        ends = [np.concatenate([goal[None], goal + self._axes[block]]) for goal, block in zip(goals, blocks, strict=True)]
        values = self._values(ends)
        if values is None:
            return []
        solved = []
        for goal, block, (here, *beside) in zip(goals, blocks, values, strict=True):
            move = _least(np.array([value - here for value in beside], dtype=object).T, -here)
            if move is not None:
                solved.append(goal + move @ self._axes[block])
        return solved

    def _on_lines(self, origins: Array, goals: Array, rng: np.random.Generator) -> list[Array]:
        """The other roots of one equality on lines to the goals, on which the others hold to first order."""
        away = goals - origins
        chosen = rng.integers(self.count, size=len(goals))
        if self.count > 1:
            blocks = [self._block(rng, alone=False) for _ in goals]
            steps = [self._axes[block] for block in blocks]
            ends = [np.concatenate([one + step, one - step]) for one, step in zip(origins, steps, strict=True)]
            values = self._values(ends)
            if values is None:
                return []
            for row, step in enumerate(steps):
                ahead, behind = np.split(values[row], 2)
                # of degree two at most: the slope, exactly
                slopes = np.delete(((ahead - behind) / 2).T, chosen[row], axis=0)
                move = step @ away[row]
                back = _least(slopes, slopes @ move)
                away[row] = (move if back is None else move - back) @ step
        values = self._values([np.stack([one + move, one - move]) for one, move in zip(origins, away, strict=True)])
        if values is None:
            return []
        roots = []
        for origin, move, index, (ahead, behind) in zip(origins, away, chosen, values, strict=True):
            # a t + b t^2
            a, b = (ahead[index] - behind[index]) / 2, (ahead[index] + behind[index]) / 2
            if a == b == 0:
                roots.append(origin + move)
            elif b != 0:
                roots.append(origin - a / b * move)
        return roots

    def _block(self, rng: np.random.Generator, *, alone: bool) -> npt.NDArray[np.intp]:
        """Places of numbers: all, those of an array, a row or a column of it, or one number if it may be `alone`."""
        layout = self.domain.layout(self.start.sizes)
        shapes = [layout[name].shape for name in self.free]
        ends = np.cumsum([math.prod(shape) for shape in shapes])
        if alone:
            return rng.integers(ends[-1], size=1)
        index = int(rng.integers(len(shapes) + 1))
        if index == len(shapes):
            return np.arange(ends[-1])
        places = np.arange(math.prod(shapes[index])).reshape(shapes[index]) + (ends[index - 1] if index else 0)
        axis = int(rng.integers(-1, places.ndim)) if places.ndim > 1 else -1
        return places.ravel() if axis < 0 else places.take(rng.integers(places.shape[axis]), axis=axis).ravel()

    @functools.cached_property
    def _axes(self) -> Array:
        return rationals(np.eye(self.vectors(self.start).shape[1], dtype=np.int64))

    def _values(self, points: list[Array]) -> list[Array] | None:
        """The equalities' differences at lists of points, evaluated together."""
        values = _differences(self.domain, self.samples(np.concatenate(points)))
        return None if values is None else np.split(values, np.cumsum([len(one) for one in points])[:-1])

    def feasible(self, points: Array) -> npt.NDArray[np.bool_]:
        """Which of these points are instances of the domain; none where that is not decided for all of them."""
        nothing, layout = np.zeros(len(points), dtype=bool), self.domain.layout(self.start.sizes)
        limits = [(layout[name].lower, layout[name].upper) for name in self.free for _ in range(math.prod(layout[name].shape))]
        lower, upper = np.array(limits).T
        inside = ((floats(points) >= lower) & (floats(points) <= upper)).all(axis=1)
        try:
            with precision(PRECISIONS[-1]), exact_evaluation(), assumed_signs() as assumed:
                answers = self.domain.validity(self.domain.build(self.samples(points))).values()
        except Exception:  # of what lies outside of its interval nothing may be built, and what is raised says nothing more
            return nothing
        return nothing if assumed else np.logical_and.reduce([inside, *answers])


def _differences(domain: Domain, sample: Sample) -> Array | None:
    """Left minus right side of each equality, instance by instance; None where the hypotheses ask none, or not of rationals."""
    try:
        with precision(PRECISIONS[0]), exact_evaluation(), assumed_signs():
            variables = domain.build(sample)
            with recorded_differences() as found:
                domain.validity(variables)
    except Exception:  # see `Surface.feasible`
        return None
    if not found or any(len(one) != batch_length(sample) for one in found):
        return None
    values = np.concatenate(found, axis=1)
    if not 0 < values.shape[1] <= MOST or not all(isinstance(value, fmpq) for value in values.ravel()):
        return None
    return values


def _least(rows: Array, right: Array) -> Array | None:
    """The solution of least norm, in rationals, of the equations that do not depend on others; None if all rows are zero."""
    reduced, rank = flint_matrix(rows.T).rref()
    if not rank:
        return None
    leading = [next(j for j in range(len(rows)) if reduced[i, j] != 0) for i in range(rank)]
    chosen = flint_matrix(rows[leading])
    factors = (chosen * chosen.transpose()).solve(flint_matrix(right[leading][:, None]))
    return np.asarray(to_array(chosen.transpose() * factors)[:, 0])
