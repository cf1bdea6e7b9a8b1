"""The phase between draws and ascent: differential evolution of the worst instances of a batch, a generation in one evaluation.

Where the slack has kinks, or its minimum lies in a narrow valley, a gradient by differences says little, and a population finds
its way; where it is smooth, the ascents that follow do the rest.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.numbers.relation import Verdict
from verify.search.batch import Comparisons
from verify.search.objective import Objective

SIZE = 32
"""Instances of a population. The false variants of `docs/benchmarks.md` take 110 000 evaluations with 32, a tenth more with
half and with twice as many."""
CROSSOVER = 0.9
"""Share of the coordinates that a child takes from the mutant. With 0.5 as many evaluations refute as much, with 1 there are
4 % more (`docs/benchmarks.md`)."""


def evolve(
    statement: Statement,
    domain: Domain,
    worst: Sample,
    generations: int,
    rng: np.random.Generator,
    without: str | None,
    comparisons: Comparisons,
) -> Objective | None:
    """Evolve the instances `worst`, one leading axis, the worst first; the objective knows the best that was met.

    None where there is nothing to move, or too few instances for a difference.
    """
    objective = Objective(statement, domain, worst[0], without, comparisons)
    count = min(SIZE, len(next(iter(worst.coordinates.values()))))
    if not objective.free or count < 4:
        return None
    points = np.stack([objective.vector(worst[place]) for place in range(count)])
    lower, upper = np.array(objective.bounds()).T
    values = objective.values(points)
    for _ in range(generations):
        if objective.best[2] == Verdict.FAILS:
            break
        children = np.clip(_children(points, values, rng), lower, upper)
        slacks = objective.values(children)
        better = slacks <= values
        points[better], values[better] = children[better], slacks[better]
    return objective


def _children(
    points: npt.NDArray[np.float64], values: npt.NDArray[np.float64], rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Each instance moved towards one of the best and along the difference of two others."""
    count, length = points.shape
    best = points[np.argsort(values, kind="stable")[rng.integers(0, max(1, count // 5), size=count)]]
    first, other = (points[rng.permutation(count)] for _ in range(2))
    weight = rng.uniform(0.3, 0.9, size=(count, 1))
    with np.errstate(over="ignore", invalid="ignore"):
        mutants = points + weight * (best - points) + weight * (first - other)
    # the difference of two huge numbers may be none
    mutants = np.where(np.isfinite(mutants), mutants, points)
    taken = (rng.random((count, length)) < CROSSOVER) | (np.arange(length) == rng.integers(0, length, size=(count, 1)))
    return np.where(taken, mutants, points)
