"""Work in other processes: what dies, takes too long or takes too much memory takes nothing else with it.

A worker is a process that is sent one call after the other. On Linux it forks for each, so that nothing that a call does (to
modules, to the environment, to its memory) is there for the next one. The package that calls are about is read before: forking
takes a hundredth of a second, reading it a whole one. Elsewhere, where forking is not safe, a worker does the calls itself, and
what they change is put back (see `verify.engines.containment`). A worker that ends is replaced.
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
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Literal, ParamSpec, TypeVar

from verify.engines.containment import TimeLimitExceeded, contained, limit_memory, memory_for_one, took_too_long

_P = ParamSpec("_P")
_T = TypeVar("_T")

TRIES = 2
"""How often a call is tried whose process dies: a machine may take a process for its own reasons, once."""
START = 600.0
"""Seconds after which a worker must have started and read its package."""
FORKS = sys.platform == "linux"
"""Whether a process can be forked with the libraries it has loaded; on macOS some of them end the new one."""

Kind = Literal["value", "error", "died"]


class WorkerDied(BrokenExecutor):
    """The process that did the work ended before the work did; the message says how, and how often it was tried."""


class Worker:
    """A process that does one call after the other, and ends when this one does, however it ends.

    It is a copy of this process if `fork`, else a fresh one; `prepare` is called in it before all else.
    """

    _starting = threading.Lock()

    def __init__(self, prepare: Callable[[], object] | None, *, fork: bool) -> None:
        context: Any = multiprocessing.get_context("fork" if fork else "spawn")
        self._calls: Connection
        self._calls, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(theirs, pickle.dumps(prepare), memory_for_one(), FORKS))
        # `multiprocessing` keeps its children in a set that is for one thread
        with self._starting, warnings.catch_warnings():
            if fork:
                # threads of libraries (of linear algebra) are meant, which these start again; there is none of Python
                warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        theirs.close()
        self._ready = False

    def call(self, pickled: bytes, timeout: float | None) -> Any:
        """What the call gives.

        Raises
        ------
        Raised
            What it raises.
        TimeLimitExceeded
            It took too long, and still goes on.
        EOFError, OSError
            This process ended, or the one that it forked: then `WorkerDied` says how.
        """
        if not self._ready:
            if not self._calls.poll(START):
                raise TimeLimitExceeded(f"its process has not started and read the package within {START:g} s")
            self._calls.recv_bytes()
            self._ready = True
        self._calls.send_bytes(pickled)
        if not self._calls.poll(timeout):
            raise TimeLimitExceeded(took_too_long(timeout or 0))
        kind, value = pickle.loads(self._calls.recv_bytes())
        if kind == "died":
            raise Died(value)
        if kind == "error":
            raise Raised(value)
        return value

    def dismiss(self) -> None:
        """Let the process end; it has nothing to do."""
        with contextlib.suppress(OSError):  # it has ended
            self._calls.send_bytes(b"")
        self.process.join()
        self._calls.close()

    def end(self) -> int | None:
        """End the process now, and what it has started; how it had ended, if it had."""
        self.process.join(0.1)
        code = self.process.exitcode
        self.signal()
        self._calls.close()
        self.process.join()
        return code

    def signal(self) -> None:
        """Have the system end the process and what it has started."""
        pid = self.process.pid
        if pid is not None and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # it leads no group yet, or nothing is left of it
                os.killpg(pid, signal.SIGKILL)
        self.process.kill()


class Raised(Exception):
    """Carries what a call raised in another process."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class Died(Exception):
    """The process of a call ended; `code` is its exit status, or minus the number of the signal."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


def _work(calls: Connection, prepare: bytes, memory: int | None, forks: bool) -> None:
    """What a worker does until nobody can ask it for more."""
    _end_with_the_parent()
    # Ctrl-C reaches every process of a terminal; who submitted the work decides what becomes of it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # what a statement starts is ended with this process
    with contextlib.suppress(Exception):  # the calls themselves say what is wrong
        wanted = pickle.loads(prepare)
        if wanted is not None:
            contained(wanted)
    with contextlib.suppress(EOFError, OSError):
        calls.send_bytes(b"ready")
        while pickled := calls.recv_bytes():
            calls.send_bytes(_answer_of_a_child(pickled, memory, calls) if forks else _answer(pickled))


def _answer_of_a_child(pickled: bytes, memory: int | None, calls: Connection) -> bytes:
    """The answer of a forked process, or how it ended."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # see `Worker`
        parent, child = os.getpid(), os.fork()
    if not child:
        end, own = os._exit, os.getpid()
        try:
            _die_with_the_parent(parent)
            calls.close()
            ours.close()
            if memory is not None:
                limit_memory(memory)
            answer = _answer(pickled)
            if os.getpid() == own:  # a statement may have forked, too
                theirs.send_bytes(answer)
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.flush()
        finally:
            end(0)
    theirs.close()
    try:
        return ours.recv_bytes()
    except (EOFError, OSError):
        _, status = os.waitpid(child, 0)
        child = 0
        return _pickled("died", os.waitstatus_to_exitcode(status))
    finally:
        ours.close()
        if child:
            os.waitpid(child, 0)


def _pickled(kind: Kind, value: Any) -> bytes:
    return pickle.dumps((kind, value))


def _answer(pickled: bytes) -> bytes:
    try:
        fn, args, kwargs = pickle.loads(pickled)
        return _pickled("value", contained(fn, *args, **kwargs))
    except BaseException as error:  # an interrupt, too, is of the statement: those of the terminal are ignored here
        try:
            if not isinstance(error, Exception):
                raise TypeError from error
            answer = _pickled("error", error)
            pickle.loads(answer)
        except Exception:  # an error that does not travel
            answer = _pickled("error", RuntimeError(f"{type(error).__name__}: {error}"))
        return answer


def _end_with_the_parent() -> None:
    """A parent that is killed cannot end its workers: the kernel does it (Linux), else a thread that waits for its end."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    if sys.platform == "linux":
        # it reaches a worker that is inside of a library for an hour, too
        _die_with_the_parent(parent.pid)
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _die_with_the_parent(parent: int | None) -> None:
    """Have the kernel kill this process when its parent ends."""
    set_death_signal = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class Processes(Executor):
    """Workers that are ended and replaced one by one."""

    def __init__(self, workers: int, timeout: float | None = None, prepare: Callable[[], object] | None = None) -> None:
        self._count, self._timeout, self._prepare = workers, timeout, prepare
        self._calls: queue.SimpleQueue[tuple[Future[Any], bytes] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        # a copy of a process is sound only if no other thread holds a lock meanwhile
        fork = FORKS and threading.active_count() == 1
        self._idle = [Worker(prepare, fork=True) for _ in range(workers)] if fork else []
        self._workers = set(self._idle)
        self._abandoned = False
        atexit.register(self.abandon)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        self._calls.put((future, pickle.dumps((fn, args, kwargs))))
        if len(self._threads) < self._count:
            worker = self._idle.pop() if self._idle else None
            # of the thread that starts a process, because the process ends with it (see `_die_with_the_parent`)
            self._threads.append(threading.Thread(target=self._serve, args=(worker,), daemon=True))
            self._threads[-1].start()
        return future

    def _serve(self, worker: Worker | None) -> None:
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

    def _do(self, worker: Worker | None, future: Future[Any], pickled: bytes) -> Worker | None:
        """Have the call done, once more if its process dies; the worker that is left."""
        for remaining in reversed(range(TRIES)):
            if worker is None:
                worker = Worker(self._prepare, fork=False)
                self._workers.add(worker)
            try:
                future.set_result(worker.call(pickled, self._timeout))
                return worker
            except Raised as raised:
                future.set_exception(raised.error)
                return worker
            except TimeLimitExceeded as error:
                self._end(worker)
                future.set_exception(error)
                return None
            except Died as died:
                code: int | None = died.code
            except (EOFError, OSError):
                code, worker = self._end(worker), None
            if self._abandoned or not remaining:
                how = "unknown" if code is None else f"exit status {code}" if code >= 0 else f"signal {-code}"
                future.set_exception(WorkerDied(f"its process ended ({how}), and again when it was tried once more"))
                return worker
        return worker

    def _end(self, worker: Worker) -> int | None:
        self._workers.discard(worker)
        return worker.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            with contextlib.suppress(queue.Empty):
                while (call := self._calls.get_nowait()) is not None:
                    call[0].cancel()
        for _ in self._threads:
            self._calls.put(None)
        while self._idle:
            self._idle.pop().dismiss()
        if wait:
            for thread in self._threads:
                thread.join()
        atexit.unregister(self.abandon)

    def abandon(self) -> None:
        """End every worker now."""
        self._abandoned = True
        for worker in list(self._workers):
            worker.signal()
        self.shutdown(wait=False, cancel_futures=True)
