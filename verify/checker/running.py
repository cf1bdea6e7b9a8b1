"""Check many claims on an engine: what is submitted is a package, an id, a budget and a seed, what comes back is a record."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, as_completed, wait
from typing import Any

from verify.checker.checking import Checker
from verify.checker.record import Record, record_of, record_of_failure
from verify.checker.records import KeptRecords
from verify.checker.refuted_before import samples
from verify.claims.catalogue import Catalogue, catalogue
from verify.claims.claim import Claim
from verify.engines.containment import TimeLimitExceeded
from verify.engines.executors import InlineExecutor, abandon, cores, one_blas_thread
from verify.engines.machine import slowness, versions


@functools.cache
def claims_in(package: str) -> Catalogue:
    """The catalogue of `package`, read once in each process."""
    return catalogue(package)


NEEDED = ("scipy.fft", "scipy.optimize", "scipy.spatial", "scipy.special")
"""What checks import when they come to it: a process that is forked for each would import it each time."""
SECONDS: Mapping[str, float] = {
    "quick": 240.0,
    "standard": 1200.0,
    "deep": 7200.0,
    "check": 600.0,
    "bounds": 600.0,
    "strength": 3600.0,
}
"""The time limit of a claim where nobody sets one, by budget and by command: on a machine as fast as that of `slowness`."""


def prepare(packages: Sequence[str]) -> None:
    """Read what the work will be about; what is wrong with it, the work says."""
    for name in NEEDED:
        importlib.import_module(name)
    for package in packages:
        with contextlib.suppress(Exception, SystemExit):
            claims_in(package)


def time_limit(kind: str, workers: int = 1) -> float:
    """Seconds that a claim, or a shard of a campaign, may take on this machine: nothing goes on for ever.

    It is many times what claims take, and longer on a machine that is slow, busy, or has fewer cores than there are workers.
    """
    return float(round(SECONDS[kind] * slowness() * max(1.0, workers / cores())))


def check(package: str, claim_id: str, budget: str, seed: int, before: Sequence[Mapping[str, Any]] = ()) -> Record:
    """Check one claim; an error of the check is a problem in the record, for one broken claim must not hide the others.

    Instances at which it was refuted `before`, as `RefutedBefore` keeps them, are decided first.
    """
    claim = claims_in(package)[claim_id]
    return record_of_checker(Checker(claim, budget, seed, samples(claim, before)))


def record_of_checker(checker: Checker) -> Record:
    """See `check`; what was checked before is not checked again."""
    try:
        with one_blas_thread():
            record = record_of(checker.everything())
    except (Exception, SystemExit) as error:
        record = record_of_failure(checker.claim, error, traceback.format_exc())
    return dataclasses.replace(record, versions=dict(versions()))


def checked(
    executor: Executor,
    package: str | Mapping[str, str],
    claims: Sequence[Claim],
    budget: str,
    seed: int,
    known: KeptRecords | None = None,
) -> Generator[Record, None, None]:
    """The records of `claims`, all of one package or of the package that each id has, as they are finished.

    First come those that are `known`; the others are kept there as they are made. Closing the iterator, as an interrupt does,
    abandons what is not finished.
    """

    def home(claim: Claim) -> str:
        return package if isinstance(package, str) else package[claim.id]

    waiting: deque[Claim] = deque()
    # in this process a submission is the work itself: one at a time, so that each is reported when it is done
    ahead = 1 if isinstance(executor, InlineExecutor) else len(claims)
    running: dict[Future[Record], Claim] = {}
    finished = False
    try:
        for claim in claims:
            record = None if known is None else known.find(home(claim), claim)
            if record is None:
                waiting.append(claim)
            else:
                yield record
        while waiting or running:
            while waiting and len(running) < ahead:
                claim = waiting.popleft()
                before = () if known is None else known.refuted_before(home(claim), claim)
                running[executor.submit(check, home(claim), claim.id, budget, seed, before)] = claim
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                claim = running.pop(future)
                record = _result(future, claim)
                if known is not None:
                    known.keep(home(claim), claim, record)
                yield record
        finished = True
    finally:
        if finished:
            executor.shutdown()
        else:
            abandon(executor)


def finished(
    executor: Executor, calls: Mapping[str, tuple[Callable[..., Any], *tuple[Any, ...]]]
) -> Iterator[tuple[str, Future[Any]]]:
    """The calls that are named, function first, as they are done; in this process one after the other."""
    if isinstance(executor, InlineExecutor):
        for name, (fn, *arguments) in calls.items():
            yield name, executor.submit(fn, *arguments)
        return
    submitted = {executor.submit(fn, *arguments): name for name, (fn, *arguments) in calls.items()}
    for future in as_completed(submitted):
        yield submitted[future], future


def _result(future: Future[Record], claim: Claim) -> Record:
    try:
        return future.result()
    except (BrokenExecutor, TimeLimitExceeded) as error:  # what was being done when its process ended, nobody knows
        return record_of_failure(claim, error)
    except Exception as error:  # the worker cannot import the package
        return record_of_failure(claim, error, traceback.format_exc())
