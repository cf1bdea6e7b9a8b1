"""What is said of work that raised an error where it was done: an error itself does not always travel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """An error as plain text: what a worker gives back in place of a result."""

    message: str
    traceback: str


class WorkFailed(RuntimeError):
    """A piece of work ended with an error, its own or its worker's; the message says which.

    Attributes
    ----------
    traceback
        Of the error, as text; empty if the error was the worker's.
    """

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback
