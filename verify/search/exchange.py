"""Local search among integers: entries are changed and exchanged, many instances side by side, a step in one evaluation.

No slope tells where to go, and a good instance, such as a graph with eight vertices without a triangle and without four
vertices that no edge joins, is seldom drawn. Half of the instances never get worse, the others may, ever less, as in annealing.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.numbers.relation import Verdict
from verify.search.batch import Comparisons
from verify.search.objective import Objective
from verify.search.population import SIZE

HEAT = 0.05
"""By how much of a relative slack the heated instances get worse at first, about. A quarter and four times of it refute the
same false variants (`docs/benchmarks.md`)."""
NEAR = 16
"""Integers of a range at least as wide move by little every other time."""
MOST_MOVES = 3
"""Changes of one step: one, or as many at most. With one alone 1 % fewer evaluations refute the same false variants, with up
to six 2 % more (`docs/benchmarks.md`)."""


def exchange(
    statement: Statement,
    domain: Domain,
    worst: Sample,
    steps: int,
    rng: np.random.Generator,
    without: str | None,
    comparisons: Comparisons,
) -> Objective | None:
    """Change the integers of the instances `worst`, one leading axis; the objective knows the best that was met.

    None where there is nothing to change.
    """
    objective = Objective(statement, domain, worst[0], without, comparisons, integers=True)
    if not objective.free:
        return None
    length = len(next(iter(worst.coordinates.values())))
    points = np.stack([objective.vector(worst[place % length]) for place in range(SIZE)])
    lower, upper = np.array(objective.bounds()).T
    layout = domain.layout(worst.sizes)
    array = np.repeat(np.arange(len(objective.free)), [math.prod(layout[name].shape) for name in objective.free])
    heated = np.arange(SIZE) % 2
    values = objective.values(points)
    for step in range(steps):
        if objective.best[2] == Verdict.FAILS:
            break
        children = _changed(points, lower, upper, array, rng)
        slacks = objective.values(children)
        heat = HEAT * (1 - step / steps) ** 2
        kept = slacks <= values + heated * rng.exponential(heat, size=SIZE)
        points[kept], values[kept] = children[kept], slacks[kept]
    return objective


def _changed(
    points: npt.NDArray[np.float64],
    lower: npt.NDArray[np.float64],
    upper: npt.NDArray[np.float64],
    array: npt.NDArray[np.intp],
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    """Each instance with an entry drawn again, or two entries of one array exchanged; some with several such changes."""
    children, rows = points.copy(), np.arange(len(points))
    moves = np.minimum(rng.geometric(0.7, size=len(points)), MOST_MOVES)
    for move in range(MOST_MOVES):
        place, other = rng.integers(0, points.shape[1], size=(2, len(points)))
        active = move < moves
        swapped = active & (array[place] == array[other]) & (rng.random(len(points)) < 0.5)
        first, second = children[rows, place], children[rows, other]
        drawn = np.floor(rng.uniform(lower[place], upper[place] + 1))
        near = np.clip(first + rng.choice([-2, -1, 1, 2], size=len(points)), lower[place], upper[place])
        wide = (upper[place] - lower[place] >= NEAR) & (rng.random(len(points)) < 0.5)
        new = np.clip(np.where(wide, near, drawn), lower[place], upper[place])
        children[rows, place] = np.where(swapped, second, np.where(active, new, first))
        children[rows, other] = np.where(swapped, first, children[rows, other])
    return children
