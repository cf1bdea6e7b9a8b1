"""Check many claims on an engine: what is submitted is a package, an id, a budget and a seed, what comes back is a record."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
import traceback
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from verify.catalogue import Catalogue, catalogue
from verify.checker.checking import Checker
from verify.checker.engines import InlineExecutor, abandon, one_blas_thread
from verify.checker.machine import versions
from verify.checker.record import Record, record_of, record_of_failure
from verify.claim import Claim


@functools.cache
def claims_in(package: str) -> Catalogue:
    """The catalogue of `package`, read once in each process."""
    return catalogue(package)


def check(package: str, claim_id: str, budget: str, seed: int) -> Record:
    """Check one claim; an error of the check is a problem in the record, for one broken claim must not hide the others."""
    claim = claims_in(package)[claim_id]
    try:
        # what a statement prints is no part of the output, which may be JSON
        with one_blas_thread(), contextlib.redirect_stdout(sys.stderr):
            record = record_of(Checker(claim, budget, seed).everything())
    except (Exception, SystemExit) as error:
        record = record_of_failure(claim, error, traceback.format_exc())
    return dataclasses.replace(record, versions=dict(versions()))


def checked(
    executor: Executor, package: str | Mapping[str, str], claims: Sequence[Claim], budget: str, seed: int
) -> Generator[Record, None, None]:
    """The records of `claims`, all of one package or of the package that each id has, as they are finished.

    Closing the iterator, as an interrupt does, abandons what is not finished.
    """
    waiting = deque(claims)
    # in this process a submission is the work itself: one at a time, so that each is reported when it is done
    ahead = 1 if isinstance(executor, InlineExecutor) else len(claims)
    running: dict[Future[Record], Claim] = {}
    finished = False
    try:
        while waiting or running:
            while waiting and len(running) < ahead:
                claim = waiting.popleft()
                home = package if isinstance(package, str) else package[claim.id]
                running[executor.submit(check, home, claim.id, budget, seed)] = claim
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield _result(future, running.pop(future))
        finished = True
    finally:
        if finished:
            executor.shutdown()
        else:
            abandon(executor)


def _result(future: Future[Record], claim: Claim) -> Record:
    try:
        return future.result()
    except Exception as error:  # a worker that died, or that cannot import the package
        return record_of_failure(claim, error, traceback.format_exc())
