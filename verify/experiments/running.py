"""Do the runs of an experiment on any executor; each is in the journal, a file of lines, as soon as it is done.

What travels to a worker is the name of the experiment, the scale and the key of the run. Runs enter the table in the order of
their keys, so that it is the same from one process, from several, and after any number of crashes.
"""

from __future__ import annotations

import json
import time
import traceback
import warnings
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.engines.executors import InlineExecutor, one_blas_thread
from verify.engines.failures import Failure, WorkFailed
from verify.engines.machine import versions
from verify.evidence.files import UnusableFile, append_lines, from_json, read_text
from verify.experiments.discovery import experiments_in
from verify.experiments.experiment import Experiment
from verify.experiments.table import Cell, plain_row

JOURNAL = "runs.jsonl"


class RunFailed(WorkFailed):
    """A run raised an error, or its worker died; the message says which run."""


class UnusableJournal(UnusableFile):
    """A file that is no journal of this experiment."""


@dataclass(frozen=True)
class Done:
    """What a run gave, the seconds that a processor had to do with it, and what computed it."""

    key: str
    rows: Sequence[Mapping[str, Cell]]
    seconds: float
    versions: Mapping[str, str]


def key_of(run: Mapping[str, Any]) -> str:
    """What a run is known by: its key as JSON."""
    return json.dumps(run, sort_keys=True, separators=(",", ":"))


def keys_of(experiment: Experiment[Any], scale: str, seeds: Sequence[int]) -> list[str]:
    """The keys of all runs, in their order.

    Raises
    ------
    ValueError
        Two runs have the same key.
    """
    keys = [key_of(run) for run in experiment.runs(experiment.recipes[scale], seeds)]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ValueError(f"the runs of {experiment.name} must have different keys, got twice: {', '.join(twice)}")
    return keys


def perform(package: str, name: str, scale: str, key: str) -> Done | Failure:
    """Do one run; a function of its arguments alone."""
    try:
        experiment = experiments_in(package)[name]
        start = time.process_time()
        with one_blas_thread():
            rows = [plain_row(row) for row in experiment.run(experiment.recipes[scale], **json.loads(key))]
        return Done(key, rows, time.process_time() - start, dict(versions()))
    except (Exception, SystemExit) as error:
        return Failure(f"{type(error).__name__}: {error}", traceback.format_exc())


def read_journal(path: Path, fingerprint: str) -> dict[str, Done]:
    """The runs of a journal that were made with the recipe and the code of this fingerprint, by their keys.

    A torn last line, as a crash leaves it, is left out. A file that does not exist has no runs.

    Raises
    ------
    UnusableJournal
        It is no journal; the message says which line is none.
    """
    if not path.exists():
        return {}
    by_key: dict[str, Done] = {}
    try:
        lines = read_text(path).split("\n")[:-1]
    except UnusableFile as error:
        raise UnusableJournal(f"{path}: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            entry = from_json(line)
            done = Done(
                key_of(entry["run"]),
                [plain_row(row) for row in entry["rows"]],
                float(entry["seconds"]),
                dict(entry["versions"]),
            )
            if entry["fingerprint"] == fingerprint:
                by_key.setdefault(done.key, done)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UnusableJournal(f"{path}, line {number}: not a run of an experiment ({error})") from error
    if len(lines) and not by_key:
        warnings.warn(f"{path}: its runs are of another recipe or of other code, and none is used", stacklevel=2)
    return by_key


def all_runs(
    executor: Executor, package: str, experiment: Experiment[Any], scale: str, keys: Sequence[str], journal: Path
) -> Generator[Done, None, None]:
    """The runs of these keys: those in the journal at once, the others as they are finished and written to it.

    Stopping the iteration, or the process, at any point loses at most the runs that are not finished.

    Raises
    ------
    RunFailed
        A run raised an error, or its worker died twice. What was finished before is in the journal.
    UnusableJournal
        The journal is none.
    OSError
        The journal cannot be written.
    """
    fingerprint = experiment.fingerprint(scale)
    recorded = read_journal(journal, fingerprint)
    yield from (recorded[key] for key in keys if key in recorded)
    waiting = deque(key for key in keys if key not in recorded)
    # in this process a submission is the work itself: one at a time, so that each is written when it is done
    ahead = 1 if isinstance(executor, InlineExecutor) else max(len(keys), 1)
    running: dict[Future[Done | Failure], str] = {}
    try:
        while waiting or running:
            while waiting and len(running) < ahead:
                key = waiting.popleft()
                running[executor.submit(perform, package, experiment.name, scale, key)] = key
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                done = _result(future, experiment.name, running.pop(future))
                line = {
                    "fingerprint": fingerprint,
                    "run": json.loads(done.key),
                    "rows": done.rows,
                    "seconds": round(done.seconds, 3),
                    "versions": done.versions,
                }
                append_lines(journal, [json.dumps(line, separators=(",", ":"), allow_nan=False)])
                yield done
    finally:
        for future in running:
            future.cancel()


def _result(future: Future[Done | Failure], name: str, key: str) -> Done:
    try:
        result = future.result()
    except Exception as error:  # a worker that died, or that cannot import the package
        raise RunFailed(f"the run {key} of {name} failed: {type(error).__name__}: {error}") from error
    if isinstance(result, Failure):
        raise RunFailed(f"the run {key} of {name} failed: {result.message}", result.traceback)
    return result
