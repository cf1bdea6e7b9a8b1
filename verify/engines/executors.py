"""Where work is done, by name: a `concurrent.futures.Executor` in this process, in others, or on other machines.

`submit` is all that is used of it, so that any executor will do. What is submitted is small and plain (an id, a seed, the name
of a budget), and so is what comes back.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from verify.engines.containment import TimeLimitExceeded, contained, limited, took_too_long
from verify.engines.processes import Processes, WorkerDied

__all__ = [
    "ENGINES",
    "PATIENCE",
    "InlineExecutor",
    "MissingExtra",
    "TimeLimitExceeded",
    "WorkerDied",
    "abandon",
    "cores",
    "one_blas_thread",
    "open_executor",
]

_P = ParamSpec("_P")
_T = TypeVar("_T")

ENGINES: Mapping[str, str] = {
    "inline": "in this process, one after the other",
    "processes": "in as many processes as there are cores for this one",
    "processes:N": "in N processes",
    "dask:tcp://HOST:PORT": "on the workers of a dask scheduler (extra: distributed)",
    "mpi": "on the ranks of an MPI world, under `mpiexec -n N python -m mpi4py.futures -m verify ...` (extra: mpi)",
}
"""The engines, and where each does its work."""

PATIENCE = 20.0
"""Seconds after which a dask cluster that has lost all its workers is taken to be lost."""


class MissingExtra(ImportError):
    """The engine needs a package that is not installed; the message names the extra."""


class InlineExecutor(Executor):
    """Does the work when it is submitted, in this process: what ends the process ends all."""

    def __init__(self, timeout: float | None = None) -> None:
        self._timeout = timeout

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """A future that is done; an interrupt is not kept in it but raised."""
        future: Future[_T] = Future()
        try:
            with limited(self._timeout, took_too_long(self._timeout or 0), at_last=True):
                future.set_result(contained(fn, *args, **kwargs))
        except Exception as error:  # the future hands it on
            future.set_exception(error)
        return future


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Linear algebra on one thread: the work is many small arrays, other workers have the other cores, and sums of several
    threads come in another order.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield


class _Dask(Executor):
    """The executor of a dask client, which it closes at the end.

    The scheduler lets work wait for new workers for ever. Here what is submitted fails when the cluster had workers and has
    been without any for `PATIENCE` seconds, or its scheduler for so long.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise MissingExtra("the engine dask needs dask.distributed: pip install 'deep-l2-verify[distributed]'") from error
        self._client: Any = Client(address)
        self._executor: Executor = self._client.get_executor(pure=False)
        self._pending: set[Future[Any]] = set()
        self._changing = threading.Lock()
        self._closed = threading.Event()
        self._lost = False
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        with self._changing:
            self._pending.add(future)
        on_cluster = self._executor.submit(contained, fn, *args, **kwargs)
        on_cluster.add_done_callback(lambda done: self._finish(future, done))
        future.add_done_callback(lambda done: on_cluster.cancel() if done.cancelled() else None)
        return future

    def _finish(self, future: Future[Any], on_cluster: Future[Any]) -> None:
        with self._changing:
            waited_for = future in self._pending
            self._pending.discard(future)
        if not waited_for or not future.set_running_or_notify_cancel():
            return
        error = CancelledError("the cluster gave it up") if on_cluster.cancelled() else on_cluster.exception()
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(on_cluster.result())

    def _watch(self) -> None:
        lost_since: float | None = None
        had_workers = False
        # at once: workers that are lost within the first second are lost, too
        while not self._closed.wait(1 if had_workers else 0.05):
            here = self._client.status == "running" and bool(self._client.scheduler_info()["workers"])
            had_workers = had_workers or here
            lost_since = None if here or not had_workers else lost_since or time.monotonic()
            self._lost = lost_since is not None and time.monotonic() - lost_since > PATIENCE
            if self._lost:
                self._give_up()

    def _give_up(self) -> None:
        with self._changing:
            given_up, self._pending = self._pending, set()
        for future in given_up:
            if future.set_running_or_notify_cancel():
                future.set_exception(WorkerDied(f"the dask cluster has lost its workers for {PATIENCE:g} s"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed.set()
        if cancel_futures and not self._lost:
            self._client.cancel(list(self._client.futures), force=True)
        self._executor.shutdown(wait=wait and not self._lost)
        self._client.close()


def _mpi() -> Executor:
    try:
        from mpi4py.futures import MPIPoolExecutor
    except ImportError as error:
        raise MissingExtra("the engine mpi needs mpi4py: pip install 'deep-l2-verify[mpi]'") from error
    executor: Executor = MPIPoolExecutor()
    return executor


def cores() -> int:
    """Cores that this process may use: a container or a scheduler may grant fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers_of(name: str) -> int:
    """How many pieces of work are done at once on an engine of this machine; of another, as many as there are cores here."""
    kind, _, count = name.partition(":")
    return 1 if name == "inline" else int(count) if kind == "processes" and count.isdecimal() else cores()


def open_executor(
    name: str, timeout: float | None = None, prepare: Callable[[], object] | None = None, most: int | None = None
) -> Executor:
    """The executor of this name (see `ENGINES`).

    With a `timeout`, work that takes longer (in seconds) fails with `TimeLimitExceeded` and is ended: in this process where it
    takes a step of Python, in another process wherever it is. New processes call `prepare` first. No more than `most` are made.

    Raises
    ------
    ValueError
        No engine is called so, or `timeout` is not positive, or the engine cannot end its work; the message says what is
        accepted.
    MissingExtra
        The engine's package is not installed.
    """
    kind, _, detail = name.partition(":")
    if timeout is not None and not 0 < timeout < float("inf"):
        raise ValueError(f"timeout must be a positive number of seconds, got {timeout}")
    if name == "inline":
        return InlineExecutor(timeout)
    if name == "processes" or (kind == "processes" and detail.isdecimal() and int(detail) > 0):
        workers = workers_of(name)
        return Processes(workers if most is None else max(1, min(workers, most)), timeout, prepare)
    if timeout is not None and (kind == "dask" or name == "mpi"):
        raise ValueError(f"timeout is for the engines inline and processes, which can end their work; got the engine {name!r}")
    if kind == "dask" and "://" in detail:
        return _Dask(detail)
    if name == "mpi":
        return _mpi()
    raise ValueError(f"engine must be one of {', '.join(ENGINES)}, got {name!r}")


def abandon(executor: Executor) -> None:
    """Give up what an executor has not finished, its running processes included, and return at once."""
    if isinstance(executor, Processes):
        executor.abandon()
    else:
        executor.shutdown(wait=False, cancel_futures=True)
