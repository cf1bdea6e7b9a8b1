"""Make a refutation smaller while it stands: smaller sizes, fewer digits, smaller integers, more zeros."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
from flint import fmpq

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.claims.variables import Coordinate
from verify.numbers.arithmetic import Array
from verify.numbers.relation import Verdict
from verify.search.decide import Refutation, decide_sample, verdict_of

MOST_CHOICES = 24
"""Ways to drop another index of each array, of those that there are: each costs an exact decision."""


ROUND = 100
"""Numbers at least as large become round ones, smaller ones small ones."""


def shrink(
    refutation: Refutation, statement: Statement, domain: Domain, *, without: str | None = None, decisions: int = 400
) -> tuple[Refutation, Exception | None]:
    """The simplest refutation that greedy changes reach within `decisions` exact decisions.

    First smaller sizes (fewer layers, neurons, points: slices of the arrays), then simpler numbers, one entry after the other;
    and again, while that helps. An instance at which the statement raises is no simpler one; the first error comes second.
    """
    best, remaining = refutation, decisions
    broken: Exception | None = None

    def first_that_fails(samples: Iterator[Sample]) -> Refutation | None:
        nonlocal remaining, broken
        while remaining and (sample := next(samples, None)) is not None:
            remaining -= 1
            try:
                relation = decide_sample(statement, domain, sample, without).relation
            except Exception as error:  # whatever a statement raises
                broken = broken or error
                continue
            if relation is not None and verdict_of(relation) == Verdict.FAILS:
                return Refutation(sample, relation)
        return None

    while remaining:
        before = best
        while (smaller := first_that_fails(_smaller(best.sample, domain))) is not None:
            best = smaller
        for name, coordinate in domain.layout(best.sample.sizes).items():
            for place in range(int(best.sample.coordinates[name].size)):
                best = first_that_fails(_with_a_simpler_entry(best.sample, name, place, coordinate)) or best
        if best is before:
            break
    return best, broken


def _smaller(sample: Sample, domain: Domain) -> Iterator[Sample]:
    """The instances of the next smaller sizes, one size changed, that slices of the arrays give."""
    allowed = domain.all_sizes()
    for name, size in sample.sizes.items():
        below = [sizes for sizes in allowed if sizes[name] < size and {**sizes, name: size} == sample.sizes]
        for sizes in sorted(below, key=lambda sizes: sizes[name])[-1:]:
            layout = domain.layout(sizes)
            lengths = [shape for coordinate in domain.layout(sample.sizes).values() for shape in coordinate.shape]
            longest = max(lengths, default=0) or 1
            for dropped in itertools.chain(_equal_indices(layout, longest), _own_indices(layout, sample)):
                slices = {
                    key: _slice(sample.coordinates.get(key), coordinate, dropped[key]) for key, coordinate in layout.items()
                }
                coordinates = {key: values for key, values in slices.items() if values is not None}
                if len(coordinates) == len(layout):
                    yield Sample(sizes, coordinates)


def _equal_indices(layout: Mapping[str, Coordinate], longest: int) -> Iterator[dict[str, int]]:
    """Of all arrays the same index, the last one first."""
    return (dict.fromkeys(layout, dropped) for dropped in reversed(range(longest)))


def _own_indices(layout: Mapping[str, Coordinate], sample: Sample) -> Iterator[dict[str, int]]:
    """An index for each array that becomes shorter: what one array has in the first place another may have in the last."""
    choices = {}
    for key, coordinate in layout.items():
        before = np.shape(sample.coordinates.get(key, ()))
        shorter = [length for length, now in zip(before, coordinate.shape, strict=False) if length == now + 1]
        if shorter:
            choices[key] = range(max(shorter))
    if len(choices) > 1:
        for indices in itertools.islice(itertools.product(*choices.values()), MOST_CHOICES):
            if len(set(indices)) > 1:
                yield dict.fromkeys(layout, 0) | dict(zip(choices, indices, strict=True))


def _slice(values: Array | None, coordinate: Coordinate, dropped: int) -> Array | None:
    """`values` cut to the shape of `coordinate`, without the index `dropped` on each axis that is one too long."""
    if values is None or values.ndim != len(coordinate.shape):
        return None
    for axis, length in enumerate(coordinate.shape):
        if values.shape[axis] < length:
            return None
        if values.shape[axis] == length + 1 and dropped <= length:
            values = np.delete(values, dropped, axis=axis)
        values = np.take(values, range(length), axis=axis)
    return values


def _with_a_simpler_entry(sample: Sample, name: str, place: int, coordinate: Coordinate) -> Iterator[Sample]:
    values = sample.coordinates[name]
    for entry in _simpler(values.flat[place], coordinate):
        changed = values.copy()
        changed.flat[place] = entry
        yield Sample(sample.sizes, {**sample.coordinates, name: changed})


def _complexity(entry: fmpq) -> tuple[int, int, bool]:
    return int(entry.q), abs(int(entry.p)), entry < 0


def _simpler(entry: fmpq, coordinate: Coordinate) -> Iterator[fmpq]:
    """Simpler rationals to try instead of `entry`, simplest first."""
    candidates = [fmpq(0), fmpq(1), fmpq(-1)]
    sign = -1 if entry < 0 else 1
    if abs(entry) >= ROUND:
        digits = len(str(abs(entry).floor()))
        candidates += [fmpq(sign * first * 10**power) for power in range(1, digits) for first in (1, 2, 5)]
    elif entry != 0 and not coordinate.integer:
        candidates += [fmpq(sign, 2**power) for power in range(1, 11)]
    for denominator in (1, 2, 4, 8, 64):
        if coordinate.integer and denominator > 1:
            break
        nearest = (entry * denominator + fmpq(1, 2)).floor()
        candidates.append(fmpq(nearest, denominator))
        if abs(entry) < ROUND:
            candidates.append(fmpq(nearest - (1 if nearest > 0 else -1), denominator))
    tried = set()
    for candidate in candidates:
        inside = coordinate.lower <= float(candidate.p) / float(candidate.q) <= coordinate.upper
        if inside and _complexity(candidate) < _complexity(entry) and candidate not in tried:
            tried.add(candidate)
            yield candidate
