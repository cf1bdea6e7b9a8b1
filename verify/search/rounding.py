"""How much of a slack is rounding: measured, by moving the coordinates by a unit or two in their last places.

A statement is a short, stable computation, so that what it computes is nearly the exact value at a nearby instance; how far the
slack moves between nearby instances tells its error; matrices of which a function is taken are moved, too
(`verify.instances.views.shaken_matrices`). That is an estimate, and it may err: a false alarm costs a decision on
rationals, and what is nearly a tie goes there anyway.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from verify.claims.domain import Domain, Sample
from verify.numbers.relation import Relation, Verdict

MOVES = 3
"""Moved instances for each that is not far from failing; half as many again for those that fail beyond their noise. With one
and with six the false variants of `docs/benchmarks.md` take 4 % more evaluations."""
MARGIN = 16.0
"""The noise of a slack, in units of its largest change. Half and twice as much refute the same false variants
(`docs/benchmarks.md`)."""
CLOSE = 2.0**-10
"""Instances whose relative slack is above this are taken to hold without a measurement: an error of that size is a matter for
the comparison with rationals, to which every claim submits some of its instances."""

AT_ONCE = 4096
"""Perturbed instances of one evaluation, beyond which they are evaluated one after the other."""

Evaluation = Callable[[Sample], tuple[Relation, npt.NDArray[np.intp]] | None]
"""Evaluates the statement on those instances of a sample that floats can decide: the relation, and which they are."""


def perturbed(sample: Sample, domain: Domain, rng: np.random.Generator, *, integers: bool = False) -> Sample:
    """The instances with every real coordinate perturbed by up to two units in its last place, inside its interval.

    With `integers`, they are perturbed, too: away from zero, where what takes them for indices does not see it.
    """
    layout = domain.layout(sample.sizes)
    coordinates = {}
    for name, values in sample.coordinates.items():
        limits = layout[name]
        if limits.integer and not integers:
            coordinates[name] = values
            continue
        steps = rng.integers(0 if limits.integer else -2, 3, size=values.shape) * 2.0**-52
        coordinates[name] = np.clip(values * (1 + steps), limits.lower, limits.upper)
    return Sample(sample.sizes, coordinates)


def with_measured_rounding(
    relation: Relation,
    sample: Sample,
    domain: Domain,
    evaluation: Evaluation,
    rng: np.random.Generator,
    *,
    thorough: bool,
) -> Relation:
    """`relation`, of the instances `sample`, with the noise of those that are close to failing.

    A `thorough` measurement takes those that fail by far, too; of a statement that is expected to be false they are most, and
    rationals decide the worst of them anyway.
    """
    if any(comparison.is_exact for comparison in relation.comparisons):
        return relation
    close = np.zeros(relation.batch_shape, dtype=bool)
    for comparison in relation.comparisons:
        fails = (comparison.verdicts == Verdict.FAILS) & (thorough | (comparison.relative > -CLOSE))
        holds = (comparison.verdicts == Verdict.HOLDS) & (comparison.relative < CLOSE)
        close |= (fails | holds).any(axis=comparison.last_axes)
    if not close.any():
        return relation
    result = _measured(relation, np.flatnonzero(close), sample, domain, evaluation, rng, MOVES, MARGIN)
    failing = np.flatnonzero(result.verdict == Verdict.FAILS)
    failing = failing[close[failing]]
    if len(failing):
        result = _measured(result, failing, sample, domain, evaluation, rng, 2 * MOVES, 2 * MARGIN)
    return result


def _perturbed_instances(sample: Sample, domain: Domain, rng: np.random.Generator, times: int, *, integers: bool) -> Sample:
    """All instances perturbed once, then all of them perturbed again, and so on."""
    several = [perturbed(sample, domain, rng, integers=integers).coordinates for _ in range(times)]
    return Sample(sample.sizes, {name: np.concatenate([sample[name] for sample in several]) for name in sample.coordinates})


def _of_perturbed(
    sample: Sample, domain: Domain, evaluation: Evaluation, rng: np.random.Generator, times: int
) -> tuple[Relation, npt.NDArray[np.intp]] | None:
    if not any(coordinate.integer for coordinate in domain.layout(sample.sizes).values()):
        return evaluation(_perturbed_instances(sample, domain, rng, times, integers=False))
    try:
        return evaluation(_perturbed_instances(sample, domain, rng, times, integers=True))
    except (ArithmeticError, IndexError, TypeError, ValueError):  # what asks for integers is measured at them
        return evaluation(_perturbed_instances(sample, domain, rng, times, integers=False))


def _measured(
    relation: Relation, chosen: npt.NDArray[np.intp], sample: Sample, domain: Domain, evaluation: Evaluation,
    rng: np.random.Generator, moves: int, margin: float,
) -> Relation:  # fmt: skip
    noise = [
        np.zeros((relation.batch_shape[0], *_last(comparison.shape, comparison.over))) for comparison in relation.comparisons
    ]
    at_once = max(1, min(moves, AT_ONCE // len(chosen)))
    for start in range(0, moves, at_once):
        times = min(at_once, moves - start)
        changes = _of_perturbed(sample[chosen], domain, evaluation, rng, times)
        for place, comparison in enumerate(relation.comparisons):
            # where a perturbed instance cannot be evaluated, floats decide nothing
            change = np.full((times * len(chosen), *noise[place].shape[1:]), np.inf)
            other = changes[0].comparisons[place] if changes is not None and place < len(changes[0].comparisons) else None
            if (
                changes is not None
                and other is not None
                and _last(other.shape, other.over) == _last(comparison.shape, comparison.over)
            ):
                here = np.broadcast_to(comparison.slack, noise[place].shape)[chosen[changes[1] % len(chosen)]]
                there = np.broadcast_to(other.slack, here.shape)
                with np.errstate(invalid="ignore"):
                    change_of_slack = np.where(here == there, 0.0, np.abs(there - here))
                change[changes[1]] = np.where(np.isnan(change_of_slack), np.inf, margin * change_of_slack)
            largest = change.reshape(times, len(chosen), *change.shape[1:]).max(axis=0)
            noise[place][chosen] = np.maximum(noise[place][chosen], largest)
    return relation.with_noise(noise)


def _last(shape: tuple[int, ...], over: int) -> tuple[int, ...]:
    return shape[len(shape) - over :]
