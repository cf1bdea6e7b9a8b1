"""The search itself: the phases one after the other, until one finds a refutation."""

from __future__ import annotations

import numpy as np

from verify.claims.claim import Statement
from verify.linting.lint import check_parameters
from verify.search.findings import Findings
from verify.search.phases import phases_of
from verify.search.rationals import TOGETHER, decide_by_turns
from verify.search.samples import Budget, SampleCache
from verify.search.state import Search


def attack(
    statement: Statement,
    cache: SampleCache,
    budget: Budget,
    rng: np.random.Generator,
    *,
    without: str | None = None,
    thorough: bool = False,
    at_once: bool = False,
    again: int = 0,
) -> Findings:
    """Search for an instance at which `statement` fails, and stop at the first that the rationals confirm.

    See `Search` for `without`, `thorough` and `at_once`. The drawing `again`, from 1, has other instances, and fewer phases.

    Raises
    ------
    BrokenStatement
        See `verify.search.batch.evaluate`.
    """
    check_parameters(statement, (*cache.domain.variables, *cache.domain.told), "the statement")
    search = Search(statement, cache, budget, rng, without, thorough, at_once)
    for phase in phases_of(again):
        phase.run(search)
        if search.is_refuted:
            break
    return search.findings


def decide_some(search: Search, phase: str, count: int) -> bool:
    """Decide some drawn instances of a phase on rationals, in `count` turns, whatever floats say of them; whether one fails."""
    most = count * TOGETHER
    batches = search.cache.phase(phase)
    queues = [[batch.sample[int(index)] for index in batch.chosen(None)[:most]] for batch in batches]
    decide_by_turns(search, queues, count, phase)
    return search.is_refuted
