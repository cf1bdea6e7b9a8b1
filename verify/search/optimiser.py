"""SciPy's differential evolution of the slack itself, over all of a box: for needles, which no draw is near.

The relative slack says nothing of how near a side is to zero where the other one is zero: it is 1 at every instance that holds.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.numbers.relation import Verdict
from verify.search.batch import Comparisons
from verify.search.objective import Objective

BOX = 16.0
"""Numbers without a bound are sought up to it."""
MEMBERS = 12
"""Instances for each free number: fewer lose the needle, more take longer to come near it."""
MOST_NUMBERS = 24
"""Of more free numbers a population of that kind learns nothing in the evaluations that there are."""
LAST = 200
"""Calls of the objective, and of its neighbours, in the descent that follows."""


def optimise(
    statement: Statement,
    domain: Domain,
    worst: Sample,
    evaluations: int,
    rng: np.random.Generator,
    without: str | None,
    comparisons: Comparisons,
) -> Objective | None:
    """Minimise the slack over the box, from the instances `worst`, one leading axis, and others; the objective knows the best.

    None where there is nothing to move, or too much.
    """
    from scipy.optimize import minimize

    objective = Objective(statement, domain, worst[0], without, comparisons, absolute=True)
    if not objective.free or len(objective.bounds()) > MOST_NUMBERS:
        return None
    lower, upper = np.array(objective.bounds()).T
    lower, upper = np.maximum(lower, np.minimum(-BOX, upper - 2 * BOX)), np.minimum(upper, np.maximum(BOX, lower + 2 * BOX))
    count = MEMBERS * len(lower)
    drawn = rng.uniform(lower, upper, size=(count, len(lower)))
    known = [objective.vector(worst[place]) for place in range(min(count // 4, len(next(iter(worst.coordinates.values())))))]
    drawn[: len(known)] = np.clip(known, lower, upper)
    evolution, random_numbers = _evolution()
    evolution(
        lambda points: objective.values(np.ascontiguousarray(points.T)),
        list(zip(lower, upper, strict=True)),
        init=drawn,
        maxiter=max(1, evaluations // count),
        tol=0,
        atol=0,
        polish=False,
        updating="deferred",
        vectorized=True,
        callback=lambda *_, **__: objective.best[2] == Verdict.FAILS,
        **{random_numbers: rng},
    )
    if objective.best[2] != Verdict.FAILS and np.isfinite(objective.best[0]):
        origin = objective.vector(objective.best[1])
        options: Any = {"maxfun": LAST, "gtol": 0, "ftol": 0}
        minimize(objective, origin, jac=True, method="L-BFGS-B", bounds=objective.bounds(), options=options)
    return objective


@functools.cache
def _evolution() -> tuple[Any, str]:
    """SciPy's function, and what it calls the random numbers: `rng` since 1.15."""
    from scipy.optimize import differential_evolution

    parameters = inspect.signature(differential_evolution).parameters
    return differential_evolution, "rng" if "rng" in parameters else "seed"
