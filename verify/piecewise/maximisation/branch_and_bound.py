"""Branch and bound on the signs of pre-activations: the maximum of a network of one output, with proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from verify.cones._exact import independent_rows, scaled_rows
from verify.cones.conical_hull import contains
from verify.matrices.exact import flint_matrix
from verify.numbers.arithmetic import Array, chosen_rationals, floats, rationals
from verify.numbers.relation import Verdict
from verify.piecewise.cells.integer_network import integer_network
from verify.piecewise.maximisation.relaxation import Bounds, Floats, Index, Parts, Relaxation
from verify.piecewise.polytope import Polytope

BATCH = 512
"""Parts that are split at once."""
STEPS = 24
"""Steps towards the best bound of each part."""
STARTS, CLIMB = 200, 40
"""Random points, and steps along the gradient from each of them."""
MAX_MOVES = 20
"""Moves from vertex to vertex, and rounds of the exact decision on one affine part, after which they are given up."""


TIE = 1e-9
"""Bounds that exceed the value found by at most this (functions are of size 1) are computed in rationals, too."""


class Search:
    """The largest value found and where, and the open parts.

    With a `floor`, only whether the maximum exceeds it is looked for.

    Attributes
    ----------
    lower, point
        The largest value found and where.
    open
        The parts that may hold larger values, with their bounds.
    parts
        Number of parts that were bounded.
    """

    def __init__(self, relaxation: Relaxation, floor: fmpq | None) -> None:
        self.relaxation, self.floor = relaxation, floor
        self.point = relaxation.polytope.interior_point
        self.lower: fmpq = relaxation.network(self.point)[0]
        self.parts = 0
        self._floats = relaxation.network.as_float()
        self._integers = integer_network(relaxation.network)
        self._undecided = self.lower
        self.open = relaxation.bounds(relaxation.whole(), 2 * STEPS, np.array([np.inf]))
        self.try_inputs(self._climbed())

    @property
    def upper(self) -> fmpq:
        """The proved upper end: the largest of the value found, the floor, and the bounds of what is open or not decided."""
        return max(self._enough, self._undecided, *(fmpq(*value.as_integer_ratio()) for value in self.open.values.tolist()))

    @property
    def _enough(self) -> fmpq:
        """Parts that do not exceed this are closed."""
        return self.lower if self.floor is None else max(self.lower, self.floor)

    @property
    def _finished(self) -> bool:
        return len(self.open.values) == 0 or (self.floor is not None and self.lower > self.floor)

    def run(self, limit: int) -> None:
        """Split the parts of the largest bounds until nothing is open, or so many parts have been bounded."""
        while True:
            self._decide_affine_parts()
            self.open = _chosen(self.open, np.flatnonzero(self.open.values > self._threshold()))
            if self._finished or self.parts >= limit:
                return
            order = np.argsort(-self.open.values, kind="stable")
            batch, remaining = order[:BATCH], order[BATCH:]
            children, ceilings = self._split(_chosen(self.open, batch))
            self.parts += len(ceilings)
            bounds = self.relaxation.bounds(children, STEPS, ceilings, self._threshold())
            self.try_inputs(bounds.inputs)
            self.open = _joined(_chosen(self.open, remaining), _chosen(bounds, self._exceeding(bounds)))

    def _threshold(self) -> float:
        """A float that is at most what bounds must exceed."""
        return float(np.nextafter(floats(rationals([self._enough]))[0], -np.inf))

    def _exceeding(self, bounds: Bounds) -> Index:
        """The parts whose bounds exceed the value found; where that is by little, without rounding."""
        threshold = self._threshold()
        return np.array(
            [
                index
                for index in np.flatnonzero(bounds.values > threshold).tolist()
                if bounds.values[index] > threshold + TIE or self.relaxation.exact_bound(bounds.parts, index) > self._enough
            ],
            dtype=np.intp,
        )

    def _split(self, bounds: Bounds) -> tuple[Parts, Floats]:
        """Both signs of one unstable neuron of each part, and its bound for each; parts that are empty are left out.

        The neuron is the one whose upper line adds most to the bound.
        """
        parts, count = bounds.parts, len(bounds.values)
        neurons = np.argmax(np.where(parts.unstable, bounds.gains, -1), axis=1)
        parents = np.tile(np.arange(count), 2)
        signs = parts.signs[parents]
        signs[np.arange(2 * count), neurons[parents]] = np.repeat([1, -1], count)
        children = self.relaxation.narrowed(replace(parts.where(parents), signs=signs))
        possible = np.flatnonzero(np.all(children.lower <= children.upper, axis=1))
        return children.where(possible), bounds.values[parents[possible]]

    def _decide_affine_parts(self) -> None:
        """Close the open parts on which the network is affine."""
        affine = ~self.open.parts.unstable.any(axis=1)
        if not affine.any():
            return
        parts = _chosen(self.open, np.flatnonzero(affine))
        self.open = _chosen(self.open, np.flatnonzero(~affine))
        better = self.relaxation.bounds(parts.parts, 8 * STEPS, parts.values, self._threshold())
        for index in np.argsort(-better.values, kind="stable").tolist():
            if better.values[index] > self._threshold() and not self._decided(parts.parts.where(np.array([index]))):
                self._undecided = max(self._undecided, fmpq(*float(better.values[index]).as_integer_ratio()))

    def _climbed(self) -> Floats:
        """Points in floats along the gradient from random ones, the same each time; near the polytope."""
        low, high = self.relaxation.box
        points = np.random.default_rng(0).uniform(low, high, (STARTS, len(low)))
        for step in range(CLIMB):
            gradient = self._floats.jacobian(points)[:, 0]
            size = np.abs(gradient).max(axis=1, keepdims=True)
            length = 0.5 * 0.9**step * (high - low)
            points = np.clip(points + length * gradient / np.where(size > 0, size, 1), low, high)
            points = self.relaxation.moved_inside(points)
        return points

    def try_inputs(self, inputs: Floats) -> None:
        """Try the best of points in floats, moved into the polytope, and from there vertices of the regions that it is in."""
        if len(inputs) == 0:
            return
        best = int(np.argmax(self._floats(inputs)[:, 0]))
        if not self._try_point(_moved_inside(self.relaxation.polytope, chosen_rationals(inputs[best]))):
            return
        for _ in range(MAX_MOVES):
            signals = np.concatenate(self.relaxation.network.preactivations(self.point)[:-1])
            vertex = _highest_vertex(*self._affine_part([1 if t >= 0 else -1 for t in signals], range(len(signals)))[:3])
            if vertex is None or not self._try_point(vertex):
                return

    def _try_point(self, point: Array) -> bool:
        value = self.relaxation.network(point)[0]
        if value <= self.lower:
            return False
        self.lower, self.point = value, point
        return True

    def _decided(self, part: Parts) -> bool:
        """Raise the value found to the maximum of a part on which the network is affine; whether that is proved.

        By Farkas' lemma: ``row . x + constant <= value`` on the part if (row, value - constant) is a combination of its
        inequalities, as vectors (normal, offset), and of (0, 1) with weights that are not negative; otherwise a functional
        that separates is a point of the part with a larger value.
        """
        pattern = [1 if low >= 0 else -1 for low in part.lower[0]]
        normals, offsets, row, constant = self._affine_part(pattern, np.flatnonzero(part.signs[0]))
        generators = np.concatenate([normals, offsets[:, None]], axis=1)
        generators = np.concatenate([generators, rationals([[0] * len(row) + [1]])])
        for _ in range(MAX_MOVES):
            vertex = _highest_vertex(normals, offsets, row)
            if vertex is not None:
                self._try_point(vertex)
            membership = contains(generators, np.concatenate([row, [self._enough - constant]]))
            if membership.verdict is Verdict.HOLDS:
                return True
            if membership.functional is None or not self._try_point(-membership.functional[:-1] / membership.functional[-1]):
                return False
        return False

    def _affine_part(self, pattern: Sequence[int], bounding: Iterable[int]) -> tuple[Array, Array, Array, fmpq]:
        """The part of the polytope where pre-activations have these signs, and the output there, ``row . x + constant``.

        The part is ``normals @ x <= offsets``, from the signs of the neurons `bounding` only.
        """
        starts = self.relaxation.starts
        rows, scale = self._integers.first()
        signals: list[Any] = []
        for layer in range(len(starts) - 1):
            current = rows.tolist()
            signals += current
            rows, scale = self._integers.following(layer, current, scale, tuple(pattern[starts[layer] : starts[layer + 1]]))
        cuts = rationals(np.array([[pattern[i] * x for x in signals[i]] for i in bounding], dtype=object))
        polytope = self.relaxation.polytope
        if len(cuts) == 0:
            normals, offsets = polytope.normals, polytope.offsets
        else:
            normals = np.concatenate([polytope.normals, -cuts[:, :-1]])
            offsets = np.concatenate([polytope.offsets, cuts[:, -1]])
        output = rationals([fmpq(x, scale) for x in rows.entries()])
        return normals, offsets, output[:-1], output[-1]


def _chosen(bounds: Bounds, index: Index) -> Bounds:
    return Bounds(bounds.values[index], bounds.parts.where(index), bounds.inputs[index], bounds.gains[index])


def _joined(first: Bounds, second: Bounds) -> Bounds:
    def joined(name: str, parts: Any, other: Any) -> Any:
        return np.concatenate([getattr(parts, name), getattr(other, name)])

    parts = Parts(*(joined(name, first.parts, second.parts) for name in ("lower", "upper", "signs", "alpha", "beta")))
    values, inputs, gains = (joined(name, first, second) for name in ("values", "inputs", "gains"))
    return Bounds(values, parts, inputs, gains)


def _moved_inside(polytope: Polytope, point: Array) -> Array:
    """The first point of the polytope on the way from `point` to its interior point."""
    inside = polytope.interior_point
    beyond, room = polytope.normals @ point - polytope.offsets, polytope.offsets - polytope.normals @ inside
    share = max([fmpq(0)] + [excess / (excess + slack) for excess, slack in zip(beyond, room, strict=True) if excess > 0])
    return np.asarray(point + share * (inside - point))


def _highest_vertex(normals: Array, offsets: Array, row: Array) -> Array | None:
    """A vertex of ``normals @ x <= offsets`` that is highest for `row`, or None.

    Found in floats, solved for exactly, and checked to be a point of the polytope.
    """
    from scipy.optimize import linprog

    size = len(row)
    scaled, _ = scaled_rows(np.concatenate([normals, offsets[:, None]], axis=1))
    costs, _ = scaled_rows(-row[None])
    solution = linprog(costs[0], A_ub=scaled[:, :size], b_ub=scaled[:, size], bounds=(None, None), method="highs")
    if solution.status != 0:
        return None
    nearest = np.argsort(np.asarray(solution.slack), kind="stable")
    basis = nearest[independent_rows(normals[nearest])]
    if len(basis) < size:
        return None
    vertex = rationals(flint_matrix(normals[basis]).solve(flint_matrix(offsets[basis, None])).entries())
    return vertex if np.all(normals @ vertex <= offsets) else None
