"""Errors that end inside a statement, whoever catches them: what takes the place of numbers meets others than numbers do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from verify.instances import NeedsOneInstance
from verify.numbers.exactness import is_of_a_statement, noting_precision

PASSING = (StopIteration, GeneratorExit, NeedsOneInstance)
"""What ends iterations, and what the engine itself answers by asking for one instance after the other."""


@contextmanager
def errors_met() -> Iterator[list[BaseException]]:
    """A list of the errors that pass through code of a statement while the block runs, also of those that end there.

    What is asked of a ball that depends on its precision is one, too. Errors are caught without a word in the source by context
    managers, NumPy and Python's own functions (`operator.length_hint`).
    """
    met: list[BaseException] = []

    def inside(_frame: Any, event: str, argument: Any) -> Any:
        if event == "exception" and isinstance(argument[1], BaseException) and not isinstance(argument[1], PASSING):
            met.append(argument[1])
        return inside

    def called(frame: Any, _event: str, _argument: Any) -> Any:
        if not is_of_a_statement(frame):
            return None
        frame.f_trace_lines = False
        return inside

    before = sys.gettrace()
    sys.settrace(called)
    try:
        with noting_precision(met):
            yield met
    finally:
        sys.settrace(before)


def ended(met: list[BaseException], raised: BaseException | None = None) -> BaseException | None:
    """The first of the errors that were met which is not what was raised in the end, or what that was raised from."""
    left: list[BaseException] = []
    while raised is not None and not any(raised is one for one in left):
        left.append(raised)
        raised = raised.__cause__ or raised.__context__
    return next((error for error in met if not any(error is one for one in left)), None)
