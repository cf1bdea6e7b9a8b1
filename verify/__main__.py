"""The entry point of the command ``verify`` and of ``python -m verify``."""

import signal
import sys
import time
from types import FrameType

INTERRUPTED = 130

AT_ONCE = 10.0
"""Seconds in which further interrupts are of the same hand: `timeout` sends two, and who waits sends more."""

_interrupted = -AT_ONCE


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Interrupt, but not what the first interrupt has begun: writing what is done."""
    global _interrupted
    now = time.monotonic()
    if now - _interrupted >= AT_ONCE:
        _interrupted = now
        signal.default_int_handler(number, frame)


def main() -> None:
    """Import and run the command; an interrupt while that takes its time is no error of ours to trace.

    A shell starts what runs in the background with interrupts ignored, as `nohup` and many runners of CI do. Who sends one
    means it: it ends the command in order, and what is done is kept.
    """
    signal.signal(signal.SIGINT, _interrupt)
    try:
        from verify.cli import main as command
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    command()


if __name__ == "__main__":
    main()
