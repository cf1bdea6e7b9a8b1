"""What a statement may do to the process that it runs in, and what is put back after it.

A statement is anybody's code. Where processes can be forked, each claim has one of its own (see `verify.engines.processes`).
Elsewhere, and on the engine `inline`, claims share a process: what they rely on is put back after each.
"""

from __future__ import annotations

import builtins
import faulthandler
import math
import os
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, ParamSpec, TypeVar

from verify.engines.machine import slowness

_P = ParamSpec("_P")
_T = TypeVar("_T")

IMPORT: ContextVar[tuple[float, bool]] = ContextVar("IMPORT", default=(30.0, False))
"""Seconds that a module may take while it is imported, on a machine as fast as ours; and whether the process ends at last."""
GRACE = 5.0
"""Seconds of one step of Python beyond a time limit: a library that computes, or one that never comes back."""
AGAIN = 1.0
"""Seconds after which a time limit strikes once more: what it raises may have been caught by the statement."""
STEPS = 5e9
"""Steps of a library in a second, twice what was measured: singular values of an n x n matrix take n^3 of them."""
LIMIT: ContextVar[tuple[type[BaseException], float] | None] = ContextVar("LIMIT", default=None)
"""What is raised in the block that runs, and after how many seconds."""
SHARE = 0.8
"""Of the memory of the machine, what one claim may take: of what takes all, the system ends processes of its own choice."""


class TimeLimitExceeded(TimeoutError):
    """The work took longer than its time limit, and was ended."""


class _LimitReached(BaseException):
    """No `Exception`: a search goes on after those that a statement raises."""


def can_stop() -> bool:
    """Whether a computation can be stopped: in the main thread, and not on Windows."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextmanager
def stopped(limit: type[BaseException], seconds: float, *, of_processor: bool = False) -> Iterator[None]:
    """Raise `limit` in the block after so many seconds, of the clock or of the processor; only where `can_stop`.

    What is raised while the interpreter collects garbage, or runs a finaliser, is lost: it is raised once more, and not told.
    """
    number, timer = (signal.SIGPROF, signal.ITIMER_PROF) if of_processor else (signal.SIGALRM, signal.ITIMER_REAL)
    running, told = True, sys.unraisablehook

    def strike(_number: int, _frame: FrameType | None) -> None:
        if running:
            raise limit

    def lost(unraisable: sys.UnraisableHookArgs) -> None:
        if not issubclass(unraisable.exc_type, limit):
            told(unraisable)

    block = LIMIT.set((limit, seconds))
    before = signal.signal(number, strike)
    sys.unraisablehook = lost
    signal.setitimer(timer, seconds, AGAIN)
    try:
        yield
    finally:
        running = False
        LIMIT.reset(block)
        signal.setitimer(timer, 0)
        signal.signal(number, before)
        sys.unraisablehook = told


def foresee(steps: float) -> None:
    """Raise the limit of the block that runs, if one call of a library with so many steps, which no alarm ends, outlasts it."""
    block = LIMIT.get()
    if block is not None and steps > block[1] * STEPS:
        raise block[0]


@contextmanager
def limited(seconds: float | None, sentence: str, *, at_last: bool = False) -> Iterator[None]:
    """Raise `TimeLimitExceeded` with this sentence if the block takes longer.

    An alarm of the system (SIGALRM) reaches the main thread between two steps of Python. Where there is none, in other threads,
    and where an alarm is set already, nothing is limited. With `at_last`, a step that goes on for `GRACE` seconds after the
    alarm ends the process, status 1, with the line of the code where it is.
    """
    if seconds is None or not can_stop() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    at_last = at_last and sys.__stderr__ is not None and not sys.__stderr__.closed
    if at_last:
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=2)
    try:
        with stopped(_LimitReached, seconds):
            yield
    except _LimitReached as reached:
        raise TimeLimitExceeded(sentence).with_traceback(reached.__traceback__) from None
    finally:
        if at_last:
            faulthandler.cancel_dump_traceback_later()


def took_too_long(seconds: float) -> str:
    """What is said of work that reaches its time limit."""
    return f"it took longer than the time limit of {seconds:g} s, and was ended; --timeout SECONDS sets another limit"


@contextmanager
def restored(*, settings: bool = True, streams: bool = True) -> Iterator[None]:
    """Put back what others rely on: the folder, streams, signals, functions of libraries; the environment and settings.

    Those two are left if not `settings`: a package may set them for itself when it is imported. Meanwhile the standard output
    is the standard error, for libraries too: the output may be JSON. Where it may not, `streams` are left alone.
    """
    import numpy as np
    from flint import ctx

    with ExitStack() as stack:
        for keep in (*([_streams] if streams else []), _folder, _signals):
            stack.enter_context(keep())
        stack.enter_context(_functions([builtins, math, np, np.linalg]))
        stack.enter_context(np.errstate())
        if not settings:
            yield
            return
        stack.enter_context(_environment())
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(np.printoptions())
        stack.callback(sys.setrecursionlimit, sys.getrecursionlimit())
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())  # noqa: NPY002 (the one that all share)
        stack.callback(setattr, ctx, "prec", ctx.prec)
        yield


class _Stderr:
    """The standard error under another name, which a statement cannot close."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)

    def close(self) -> None:
        """Leave it open."""


@contextmanager
def _streams() -> Iterator[None]:
    before = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")}
    kept: dict[int, int] = {}
    for number in (0, 1, 2):
        with suppress(OSError):  # one that is closed already stays so
            kept[number] = os.dup(number)
    _flush(before["stdout"])
    if 1 in kept and 2 in kept:
        os.dup2(2, 1)
    sys.stdout = _Stderr()
    try:
        yield
    finally:
        _flush(before["__stdout__"])
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)
        for name, stream in before.items():
            if stream is not None and stream.closed:
                number = ("stdin", "stdout", "stderr").index(name.strip("_"))
                stream = open(number, "r" if number == 0 else "w", closefd=False)  # noqa: SIM115 (for the process)
            setattr(sys, name, stream)


def _flush(stream: Any) -> None:
    with suppress(OSError, ValueError, AttributeError):  # none, closed, or its reader has gone: who writes next is told
        stream.flush()


@contextmanager
def _folder() -> Iterator[None]:
    with suppress(OSError):  # one that is gone cannot be gone back to
        before = Path.cwd()
    try:
        yield
    finally:
        with suppress(OSError, NameError):
            os.chdir(before)


@contextmanager
def _environment() -> Iterator[None]:
    before, path = dict(os.environ), list(sys.path)
    try:
        yield
    finally:
        if dict(os.environ) != before:
            os.environ.clear()
            os.environ.update(before)
        sys.path[:] = path


@contextmanager
def _signals() -> Iterator[None]:
    here = threading.current_thread() is threading.main_thread()  # no other may set them
    before = {signals: signal.getsignal(signals) for signals in (signal.SIGINT, signal.SIGTERM)} if here else {}
    try:
        yield
    finally:
        for signals, handler in before.items():
            if signal.getsignal(signals) is not handler and handler is not None:
                signal.signal(signals, handler)


@contextmanager
def _functions(modules: list[ModuleType]) -> Iterator[None]:
    """Functions and classes alone: other values are what modules change themselves."""
    before = {module: {name: value for name, value in vars(module).items() if callable(value)} for module in modules}
    try:
        yield
    finally:
        for module, values in before.items():
            now = vars(module)
            for name, value in values.items():
                if now.get(name) is not value:
                    now[name] = value


def memory_for_one() -> int | None:
    """Bytes that one claim may take: `SHARE` of what the machine, or the group of processes, has; None where nobody says."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        granted = Path("/sys/fs/cgroup/memory.max")
        text = granted.read_text().strip() if granted.is_file() else ""
    except (AttributeError, OSError, ValueError):  # a system without
        return None
    return int(SHARE * min(memory, int(text) if text.isdecimal() else memory))


def limit_memory(more: int) -> None:
    """Let this process take so many bytes more than it has; Linux only."""
    import resource

    has = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = has + more
    resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def contained(fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """What `fn` gives, with all put back that it changed (see `restored`).

    What ends the interpreter, such as SystemExit, is a RuntimeError that names it: it is an error of this work alone.
    """
    with restored():
        try:
            return fn(*args, **kwargs)
        except (Exception, KeyboardInterrupt, _LimitReached):
            raise
        except BaseException as error:
            raise RuntimeError(f"{type(error).__name__}: {error}") from error


@contextmanager
def importing() -> Iterator[None]:
    """Import a module of claims: within a time limit, what it changes is put back, and it does not end the process undetected.

    Raises
    ------
    TimeLimitExceeded
        It took too long.
    SystemExit
        It ended the process, by `os._exit`, too.
    """
    seconds, at_last = IMPORT.get()
    seconds = math.ceil(seconds * slowness())

    end, own = os._exit, os.getpid()

    def refused(status: int) -> None:
        if os.getpid() != own:  # a process that the module has forked
            end(status)
        raise SystemExit(f"os._exit({status})")

    with limited(seconds, f"it takes longer than {seconds} s", at_last=at_last), restored(settings=False):
        os._exit = refused  # type: ignore[assignment]
        try:
            yield
        finally:
            os._exit = end
