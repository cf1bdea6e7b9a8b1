"""Rational points of a surface: instances of a hypothesis that is an equality, as ``norm2(x) == 1`` or ``x * y == 1``.

Chance meets it seldom, and what an ascent reaches satisfies it only up to rounding. Along a line, an equality of low degree
says that a polynomial vanishes. Where it is linear there, as ``x * y == 1`` is in each number, it has one root; where it is
quadratic and one root is an instance that is known, it has one other root. Both are rational.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.claims.domain import Domain, Sample
from verify.instances.array import recorded_differences
from verify.numbers.arithmetic import Array, floats, precision, rationals
from verify.numbers.exactness import assumed_signs, exact_evaluation
from verify.search.batch import batch_length
from verify.search.decide import PRECISIONS

GRID = 2.0**12
"""Points are rounded to its inverse: roots have a few times as many digits. With 2^6 and 2^18 the same bounds are refuted."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The one equality that the hypotheses ask, as a function of the real free numbers of an instance.

    Attributes
    ----------
    start
        An exact instance, with a leading axis of length 1, whose integers all points have.
    known
        Whether the equality holds there; another hypothesis may be broken.
    """

    domain: Domain
    start: Sample
    known: bool

    @classmethod
    def of(cls, domain: Domain, sample: Sample) -> Surface | None:
        """From the first of these instances at which the equality holds, if there is one; None if the hypotheses ask none."""
        exact = domain.on_rationals(sample)
        values = _differences(domain, exact)
        if values is None:
            return None
        known = np.flatnonzero(values == 0)
        surface = cls(domain, exact[known[:1] if len(known) else np.zeros(1, dtype=np.intp)], known=len(known) > 0)
        return surface if surface.free else None

    @property
    def free(self) -> list[str]:
        """Names of the coordinates that are moved."""
        layout = self.domain.layout(self.start.sizes)
        return [name for name, coordinate in layout.items() if not coordinate.integer and 0 not in coordinate.shape]

    def vectors(self, sample: Sample) -> Array:
        """The free numbers of instances with one leading axis, each in a row, as rationals."""
        exact = self.domain.on_rationals(sample)
        return np.concatenate([exact.coordinates[name].reshape(batch_length(sample), -1) for name in self.free], axis=1)

    def samples(self, points: Array) -> Sample:
        """The instances whose free numbers are the rows of `points`."""
        layout, coordinates, used = self.domain.layout(self.start.sizes), {}, 0
        for name, coordinate in layout.items():
            shape = (len(points), *coordinate.shape)
            if name in self.free:
                length = math.prod(coordinate.shape)
                coordinates[name] = points[:, used : used + length].reshape(shape)
                used += length
            else:
                coordinates[name] = np.broadcast_to(self.start.coordinates[name], shape)
        return Sample(self.start.sizes, coordinates)

    def instance(self, point: Array) -> Sample:
        """The one with these free numbers."""
        one = self.samples(point[None])
        return Sample(one.sizes, {name: np.array(values[0], dtype=object) for name, values in one.coordinates.items()})

    def near(self, targets: npt.NDArray[np.float64], rng: np.random.Generator) -> Array:
        """Rational points of the surface, each near one of the `targets` if that is; none where lines tell none.

        Targets are moved along one of the numbers where the equality is linear in it, else along the line to the start.
        """
        exact, origin = rationals(np.rint(targets * GRID) / GRID), self.vectors(self.start)[0]
        axes = rationals(np.eye(len(origin), dtype=np.int64)[rng.integers(len(origin), size=len(exact))])
        away = exact - origin
        lines = [exact + k * axes for k in range(3)] + ([origin + 2 * away, origin - away] if self.known else [])
        values = _differences(self.domain, self.samples(np.concatenate(lines)))
        if values is None:
            return exact[:0]
        here, one, two, *others = values.reshape(len(lines), -1)
        roots = []
        for row in range(len(exact)):
            slope = one[row] - here[row]
            if slope != 0 and two[row] - one[row] == slope:
                roots.append(exact[row] - here[row] / slope * axes[row])
                continue
            if not others:
                continue
            # a t + b t^2, which is `here` at t = 1
            beyond, behind = others[0][row], others[1][row]
            b = (beyond - 2 * here[row]) / 2
            a = here[row] - b
            if b != 0 and b - a == behind:
                roots.append(origin - a / b * away[row])
        return np.array(roots, dtype=object).reshape(len(roots), len(origin))

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
    """Left minus right side of the equality; None where the hypotheses ask none or several, or not of rationals."""
    try:
        with precision(PRECISIONS[0]), exact_evaluation(), assumed_signs():
            variables = domain.build(sample)
            with recorded_differences() as found:
                domain.validity(variables)
    except Exception:  # see `Surface.feasible`
        return None
    if len(found) != 1 or found[0].shape != (batch_length(sample), 1):
        return None
    values = found[0][:, 0]
    return values if all(isinstance(value, fmpq) for value in values) else None
