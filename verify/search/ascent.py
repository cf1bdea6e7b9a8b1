"""The last phase: minimise the relative slack from the worst instances so far, by L-BFGS with batched differences."""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.claims.claim import Statement
from verify.claims.domain import Domain, Sample
from verify.numbers.arithmetic import floats
from verify.numbers.relation import Verdict
from verify.search.batch import ATTAINED, Candidate, judged_alone
from verify.search.decide import Refutation, confirm
from verify.search.objective import Objective

SPREADS = (0.05, 0.2, 0.01, 0.5)
"""Standard deviations of the moves with which an ascent begins again. Any one of them refutes the same false variants
(`docs/benchmarks.md`)."""
RESTARTS = 6
"""Most beginnings of one ascent: beside a trivial tie every one of them may end after a few calls. From 1 to 12, the same
false variants are refuted (`docs/benchmarks.md`)."""
FEWEST_STEPS = 5
"""Calls of the objective in an ascent where evaluations are costly: fewer do not leave a kink. Two and ten refute the same
false variants (`docs/benchmarks.md`)."""
BEYOND, IN_ONE_GO = 2, 8
"""An ascent that has attained the bound goes on for a half of its steps, from one beginning for an eighth, and the further goes
begin nearby: two in three of what holds end there, and few of what fails are attained before."""


class _Attained(Exception):
    """An ascent has been at the bound for long."""


def ascend(
    statement: Statement, domain: Domain, start: Candidate, steps: int, rng: np.random.Generator, without: str | None
) -> tuple[Candidate | None, int]:
    """The instance of smallest relative slack met on the way from `start`, and the number of evaluations.

    At a kink the first difference is no slope, and the line search gives up: what is left of the calls goes into restarts from
    the best instance so far, moved by little or much.
    """
    from scipy.optimize import minimize

    objective = Objective(statement, domain, start.sample, without, start.comparisons)
    if not objective.free:
        return None, 0
    origin = objective.vector(start.sample)
    bounds: Any = objective.bounds()
    lower, upper = np.array(bounds).T
    begun = attained = 0

    def watched(point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        nonlocal attained
        value = objective(point)
        if not abs(objective.best[0]) <= ATTAINED:
            attained = objective.calls
        elif objective.calls - max(begun, attained) >= max(FEWEST_STEPS, steps // IN_ONE_GO):
            raise _Attained
        return value

    for spread in itertools.islice(itertools.chain([0.0], itertools.cycle(SPREADS)), RESTARTS):
        remaining = 2 * steps - objective.calls
        if abs(objective.best[0]) <= ATTAINED:
            remaining = min(remaining, attained + max(FEWEST_STEPS, steps // BEYOND) - objective.calls)
        if remaining <= 0 or (start.verdict != Verdict.FAILS and objective.best[2] == Verdict.FAILS):
            break
        moved = np.clip(origin + spread * rng.standard_normal(origin.shape), lower, upper)
        begun = objective.calls
        options: Any = {"maxfun": remaining, "gtol": 0, "ftol": 0}
        with suppress(_Attained):
            minimize(watched, moved, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        origin = objective.vector(objective.best[1])
    slack, sample, verdict = objective.best
    if not np.isfinite(slack):
        return None, objective.evaluations
    if verdict == Verdict.FAILS:
        relation = judged_alone(statement, domain, sample)
        verdict = int(Verdict.UNDECIDED if relation is None else relation.verdict[0])
    return Candidate(sample, slack, verdict, start.comparisons), objective.evaluations


def largest_violation(refutation: Refutation, statement: Statement, domain: Domain, steps: int = 200) -> Refutation:
    """The refutation with the largest relative violation that ascent reaches from `refutation` and the rationals confirm."""
    start = Sample(refutation.sample.sizes, {name: floats(values) for name, values in refutation.sample.coordinates.items()})
    candidate = Candidate(start, refutation.relative_slack, int(Verdict.FAILS))
    climbed, _ = ascend(statement, domain, candidate, steps, np.random.default_rng(0), None)
    better = None if climbed is None else confirm(statement, domain, climbed.sample)
    if better is None or better.relative_slack >= refutation.relative_slack:
        return refutation
    return better
