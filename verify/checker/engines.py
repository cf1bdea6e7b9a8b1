"""Where work is done, by name: a `concurrent.futures.Executor` in this process, in others, or on other machines.

`submit` is all that is used of it, so that any executor will do. What is submitted is small and plain (an id, a seed, the name
of a budget), and so is what comes back.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")

ENGINES: Mapping[str, str] = {
    "inline": "in this process, one after the other",
    "processes": "in as many processes as there are cores",
    "processes:N": "in N processes",
    "dask:tcp://HOST:PORT": "on the workers of a dask scheduler (extra: distributed)",
    "mpi": "on the ranks of an MPI world, under `mpiexec -n N python -m mpi4py.futures -m verify ...` (extra: mpi)",
}
"""The engines, and where each does its work."""

TRIES = 2
"""How often a piece of work is tried whose worker dies: a machine may take a worker for its own reasons, once."""
PATIENCE = 20.0
"""Seconds after which a dask cluster that has lost all its workers is taken to be lost."""


class MissingExtra(ImportError):
    """The engine needs a package that is not installed; the message names the extra."""


class WorkerDied(BrokenExecutor):
    """The process that did the work ended before the work did; the message says how often it was tried."""


class TimeLimitExceeded(TimeoutError):
    """The work took longer than the time limit, and its process was ended."""


class InlineExecutor(Executor):
    """Does the work when it is submitted."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """A future that is done; an interrupt is not kept in it but raised."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except (Exception, SystemExit) as error:  # the future hands it on
            future.set_exception(error)
        return future


class _Worker:
    """A fresh process that does one call after the other, and ends when this process does, however it ends."""

    _starting = threading.Lock()

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._calls, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs,))
        with self._starting:  # `multiprocessing` keeps its children in a set that is for one thread
            self.process.start()
        theirs.close()

    def call(self, pickled: bytes, timeout: float | None) -> Any:
        """What the call gives; raises what it raises, `EOFError` or `OSError` if the process ends, `TimeLimitExceeded`."""
        self._calls.send_bytes(pickled)
        if not self._calls.poll(timeout):
            raise TimeLimitExceeded(f"it took longer than the time limit of {timeout:g} s, and its process was ended")
        error, value = pickle.loads(self._calls.recv_bytes())
        if error is not None:
            raise _Raised(error)
        return value

    def dismiss(self) -> None:
        """Let the process end; it has nothing to do."""
        self._calls.close()
        self.process.join()

    def kill(self) -> int | None:
        """End the process now; how it had ended, if it had."""
        self.process.join(0.1)
        code = self.process.exitcode
        self.process.kill()
        self._calls.close()
        self.process.join()
        return code


class _Raised(Exception):
    """Carries what a call raised in another process."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


def _work(calls: Connection) -> None:
    """What a worker does until nobody can ask it for more."""
    _end_with_the_parent()
    # Ctrl-C reaches every process of a terminal; who submitted the work decides what becomes of it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        while True:
            calls.send_bytes(_answer(calls.recv_bytes()))


def _answer(pickled: bytes) -> bytes:
    try:
        fn, args, kwargs = pickle.loads(pickled)
        return pickle.dumps((None, fn(*args, **kwargs)))
    except (Exception, SystemExit) as error:
        try:
            answer = pickle.dumps((error, None))
            pickle.loads(answer)
        except Exception:  # an error that does not travel
            answer = pickle.dumps((RuntimeError(f"{type(error).__name__}: {error}"), None))
        return answer


def _end_with_the_parent() -> None:
    """A parent that is killed cannot end its workers: the kernel does it (Linux), else a thread that waits for its end."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    if sys.platform == "linux":
        set_death_signal = 1  # PR_SET_PDEATHSIG; it reaches a worker that is inside of a library for an hour, too
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
        if os.getppid() != parent.pid:
            os._exit(1)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Processes(Executor):
    """Workers that are ended and replaced one by one: what dies or takes too long takes nothing else with it."""

    def __init__(self, workers: int, timeout: float | None) -> None:
        self._count, self._timeout = workers, timeout
        self._calls: queue.SimpleQueue[tuple[Future[Any], bytes] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: set[_Worker] = set()
        self._abandoned = False
        atexit.register(self.abandon)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        self._calls.put((future, pickle.dumps((fn, args, kwargs))))
        if len(self._threads) < self._count:
            # of the thread that starts a process, because the process ends with it (see `_end_with_the_parent`)
            self._threads.append(threading.Thread(target=self._serve, daemon=True))
            self._threads[-1].start()
        return future

    def _serve(self) -> None:
        worker: _Worker | None = None
        while (call := self._calls.get()) is not None:
            future, pickled = call
            if future.set_running_or_notify_cancel():
                try:
                    worker = self._do(worker, future, pickled)
                except Exception as error:  # no process could be started, or what it gave cannot be read
                    future.set_exception(error)
        if worker is not None:
            self._workers.discard(worker)
            worker.dismiss()

    def _do(self, worker: _Worker | None, future: Future[Any], pickled: bytes) -> _Worker | None:
        """Have the call done, by another worker if this one dies; the worker that is left."""
        for left in reversed(range(TRIES)):
            if worker is None:
                worker = _Worker()
                self._workers.add(worker)
            try:
                future.set_result(worker.call(pickled, self._timeout))
                return worker
            except _Raised as raised:
                future.set_exception(raised.error)
                return worker
            except TimeLimitExceeded as error:
                self._end(worker)
                future.set_exception(error)
                return None
            except (EOFError, OSError):
                code = self._end(worker)
                worker = None
                if self._abandoned or not left:
                    how = f"exit status {code}" if code is None or code >= 0 else f"signal {-code}"
                    future.set_exception(WorkerDied(f"its process ended ({how}), and again when it was tried once more"))
                    return None
        return None

    def _end(self, worker: _Worker) -> int | None:
        self._workers.discard(worker)
        return worker.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            with contextlib.suppress(queue.Empty):
                while (call := self._calls.get_nowait()) is not None:
                    call[0].cancel()
        for _ in self._threads:
            self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()
        atexit.unregister(self.abandon)

    def abandon(self) -> None:
        """End every worker now."""
        self._abandoned = True
        self.shutdown(wait=False, cancel_futures=True)
        for worker in list(self._workers):
            worker.process.kill()


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
        on_cluster = self._executor.submit(fn, *args, **kwargs)
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


def open_executor(name: str, timeout: float | None = None) -> Executor:
    """The executor of this name (see `ENGINES`).

    With a `timeout`, work that takes longer (in seconds) fails with `TimeLimitExceeded` and its process is ended; what would be
    done in this process is done in one of its own.

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
        return InlineExecutor() if timeout is None else _Processes(1, timeout)
    if name == "processes":
        return _Processes(os.cpu_count() or 1, timeout)
    if kind == "processes" and detail.isdecimal() and int(detail) > 0:
        return _Processes(int(detail), timeout)
    if timeout is not None and (kind == "dask" or name == "mpi"):
        raise ValueError(f"timeout is for the engines inline and processes, which can end their work; got the engine {name!r}")
    if kind == "dask" and "://" in detail:
        return _Dask(detail)
    if name == "mpi":
        return _mpi()
    raise ValueError(f"engine must be one of {', '.join(ENGINES)}, got {name!r}")


def abandon(executor: Executor) -> None:
    """Give up what an executor has not finished, its running processes included, and return at once."""
    executor.shutdown(wait=False, cancel_futures=True)
    if isinstance(executor, _Processes):
        executor.abandon()
