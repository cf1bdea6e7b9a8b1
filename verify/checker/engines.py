"""Where work is done, by name: a `concurrent.futures.Executor` in this process, in others, or on other machines.

`submit` is all that is used of it, so that any executor will do. What is submitted is small and plain (an id, a seed, the name
of a budget), and so is what comes back.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
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


class MissingExtra(ImportError):
    """The engine needs a package that is not installed; the message names the extra."""


class InlineExecutor(Executor):
    """Does the work when it is submitted."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """A future that is done; an interrupt is not kept in it but raised."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # the future hands it on
            future.set_exception(error)
        return future


class _Processes(ProcessPoolExecutor):
    """Fresh processes, which can be ended."""

    def __init__(self, workers: int | None) -> None:
        super().__init__(workers, multiprocessing.get_context("spawn"), initializer=_ignore_interrupts)
        self.started: set[multiprocessing.process.BaseProcess] = set()

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        # a process is started by a submission
        before = multiprocessing.active_children()
        future = super().submit(fn, *args, **kwargs)
        self.started.update(process for process in multiprocessing.active_children() if process not in before)
        return future


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; who submitted the work decides what becomes of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Linear algebra on one thread: the work is many small arrays, other workers have the other cores, and sums of several
    threads come in another order.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield


class _Dask(Executor):
    """The executor of a dask client, which it closes at the end."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise MissingExtra("the engine dask needs dask.distributed: pip install 'deep-l2-verify[distributed]'") from error
        self._client: Any = Client(address)
        self._executor: Executor = self._client.get_executor(pure=False)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            self._client.cancel(list(self._client.futures), force=True)
        self._executor.shutdown(wait=wait)
        self._client.close()


def _mpi() -> Executor:
    try:
        from mpi4py.futures import MPIPoolExecutor
    except ImportError as error:
        raise MissingExtra("the engine mpi needs mpi4py: pip install 'deep-l2-verify[mpi]'") from error
    executor: Executor = MPIPoolExecutor()
    return executor


def open_executor(name: str) -> Executor:
    """The executor of this name (see `ENGINES`).

    Raises
    ------
    ValueError
        No engine is called so; the message says what is accepted.
    MissingExtra
        The engine's package is not installed.
    """
    kind, _, detail = name.partition(":")
    if name == "inline":
        return InlineExecutor()
    if name == "processes":
        return _Processes(None)
    if kind == "processes" and detail.isdecimal() and int(detail) > 0:
        return _Processes(int(detail))
    if kind == "dask" and "://" in detail:
        return _Dask(detail)
    if name == "mpi":
        return _mpi()
    raise ValueError(f"engine must be one of {', '.join(ENGINES)}, got {name!r}")


def abandon(executor: Executor) -> None:
    """Give up what an executor has not finished, its running processes included, and return at once."""
    executor.shutdown(wait=False, cancel_futures=True)
    if isinstance(executor, _Processes):
        for process in executor.started:
            process.terminate()
