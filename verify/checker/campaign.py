"""Falsification campaigns: one claim, tried in shards that any executor can run, with a ledger that survives a crash.

A shard is a claim id, a budget and a seed. Shards are numbered by their seeds and enter the ledger in that order. So, on
machines that compute alike (see `verify.engines.machine`), the ledger of a campaign is the same on one worker or on a thousand,
in one run or after any number of crashes.
"""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from verify.checker.checking import Checker, Searched
from verify.checker.running import claims_in
from verify.claims.claim import Claim
from verify.engines.executors import one_blas_thread
from verify.engines.failures import Failure, WorkFailed
from verify.engines.machine import versions
from verify.evidence.fingerprint import claim_fingerprint
from verify.evidence.ledger import Entry, append, believed, read_ledger
from verify.evidence.witness import Witness, witness_of
from verify.numbers.relation import FLOAT_ULPS

DIGITS = 4
"""Significant digits of a slack in the ledger: what another BLAS adds up in another order stays below."""


@dataclass(frozen=True)
class ShardResult:
    """What one shard gave: the line of the ledger, and the witnesses of a refutation.

    Attributes
    ----------
    entry
        The line of the ledger.
    largest, smallest
        The witness with the largest relative violation and the simplest one; None if there was no refutation.
    violation
        Relative slack of the first; negative.
    """

    entry: Entry
    largest: Witness | None
    smallest: Witness | None
    violation: float = 0.0


def run_shard(package: str, claim_id: str, budget: str, seed: int) -> ShardResult | Failure:
    """Search with one seed; a function of its four arguments alone, which is all that travels to a worker."""
    try:
        with one_blas_thread():
            return _shard(claims_in(package)[claim_id], budget, seed)
    except (Exception, SystemExit) as error:
        return Failure(f"{type(error).__name__}: {error}", traceback.format_exc())


def fingerprint_by_id(package: str, claim_id: str) -> str:
    """The fingerprint of a claim that is named: its statement is evaluated, so that a worker has to do it."""
    return claim_fingerprint(claims_in(package)[claim_id])


def _shard(claim: Claim, budget: str, seed: int) -> ShardResult | Failure:
    searched = Checker(claim, budget, seed).searched(drawings=1)  # every seed draws others
    if searched.error:
        return Failure(searched.error, "")
    largest = smallest = None
    violation = 0.0
    if searched.refutation is not None:
        from verify.search.ascent import largest_violation

        worst = largest_violation(searched.refutation, claim.statement, claim.domain)
        largest, violation = witness_of(claim, worst), worst.relative_slack
        smallest = witness_of(claim, searched.refutation)  # which the check has shrunk
    return ShardResult(entry_of(claim, searched, budget, seed), largest, smallest, violation)


def entry_of(claim: Claim, searched: Searched, budget: str, seed: int) -> Entry:
    """The line of the ledger for a search."""
    slack = searched.relative_slack
    if abs(slack) <= FLOAT_ULPS * 2.0**-52:
        slack = 0.0
    return Entry(
        claim=claim.id,
        fingerprint=claim_fingerprint(claim),
        seed=seed,
        budget=budget,
        outcome=searched.outcome,
        evidence="exact" if searched.decided or searched.refutation is not None else "searched",
        drawn=searched.drawn,
        feasible=searched.feasible,
        evaluations=searched.evaluations,
        decided=searched.decided,
        relative_slack=float(f"{slack:.{DIGITS - 1}e}").hex() if np.isfinite(slack) else None,
        versions=dict(versions()),
    )


class ShardFailed(WorkFailed):
    """A shard ended with an error, its own or its worker's; the message says which shard."""


@dataclass(frozen=True)
class Progress:
    """Where a campaign stands after a shard: evaluations made so far and wanted, and the smallest relative slack met."""

    evaluations: int
    wanted: int
    relative_slack: float
    entry: Entry
    resumed: bool


def campaign(
    claim: Claim,
    evaluations: int,
    ledger: Path,
    executor: Executor,
    *,
    package: str = "theorems",
    budget: str = "quick",
    fingerprint: str | None = None,
    in_flight: int = 1,
    report: Callable[[ShardResult], None] = lambda result: None,  # noqa: ARG005
) -> Generator[Progress, None, None]:
    """Try `claim` with the seeds 0, 1, 2, ... until their evaluations add up to `evaluations`; yields after every shard.

    Shards that the ledger already holds for the present statement are not done again. Whatever is yielded is in the ledger;
    stopping the iteration, or the process, at any point loses at most the shards in flight.

    Parameters
    ----------
    fingerprint
        Of `claim`; the statement is evaluated here for it if it is not given.
    in_flight
        Shards submitted and not yet in the ledger: 1 for an executor that runs them at once, a few for each worker else.
    found
        Is called with every shard that was run now, as soon as it is in the ledger.

    Raises
    ------
    ValueError
        `evaluations` or `in_flight` is below 1.
    ShardFailed
        The statement raised an error, or a worker died. What was yielded before is in the ledger.
    UnusableLedger
        The ledger is none.
    OSError
        The ledger, or a file that `found` writes, cannot be written. What was yielded before is in the ledger.
    """
    if evaluations < 1 or in_flight < 1:
        raise ValueError(f"evaluations and in_flight must be at least 1, got {evaluations} and {in_flight}")
    wanted = (claim.id, fingerprint or claim_fingerprint(claim), budget)
    before = [line for line in read_ledger(ledger) if (line.claim, line.fingerprint, line.budget) == wanted]
    done = {entry.seed: entry for entry in believed(before).values()}
    total, best, seed = 0, np.inf, 0
    waiting: dict[int, Future[ShardResult | Failure]] = {}
    try:
        while total < evaluations:
            fresh: list[ShardResult] = []
            if seed not in done:
                ahead = (number for number in itertools.count(seed) if number not in done and number not in waiting)
                try:
                    while len(waiting) < in_flight:
                        number = next(ahead)
                        waiting[number] = executor.submit(run_shard, package, claim.id, budget, number)
                except Exception as error:
                    raise ShardFailed(f"the shard of seed {seed} failed: {type(error).__name__}: {error}") from error
                fresh = _finished(waiting, seed, evaluations - total)
                append(ledger, *(result.entry for result in fresh))
            for result in fresh:
                report(result)
            for entry in [result.entry for result in fresh] or [done[seed]]:
                total += _counted(entry)
                if entry.relative_slack is not None:
                    best = min(best, float.fromhex(entry.relative_slack))
                yield Progress(total, evaluations, best, entry, resumed=not fresh)
                seed += 1
    finally:
        for future in waiting.values():
            future.cancel()


def _counted(entry: Entry) -> int:
    """Evaluations of a shard; one without a single feasible instance counts as one, so that a campaign ends."""
    return max(1, entry.evaluations)


def _finished(waiting: dict[int, Future[ShardResult | Failure]], seed: int, wanted: int) -> list[ShardResult]:
    """The result of the shard of this seed, and those of the seeds after it that are there, until so many evaluations are.

    They are taken out of `waiting`. What is written to the ledger at once waits for the disk once.
    """
    results: list[ShardResult] = []
    while not results or (wanted > 0 and seed in waiting and waiting[seed].done()):
        try:
            result = waiting[seed].result()
        except Exception as error:
            if results:  # what is there goes into the ledger first
                break
            raise ShardFailed(f"the shard of seed {seed} failed: {type(error).__name__}: {error}") from error
        if isinstance(result, Failure):
            if results:
                break
            raise ShardFailed(f"the shard of seed {seed} failed: {result.message}", result.traceback)
        del waiting[seed]
        results.append(result)
        wanted -= _counted(result.entry)
        seed += 1
    return results
