"""The entry point of the command ``verify`` and of ``python -m verify``."""

import signal
import sys

INTERRUPTED = 130


def main() -> None:
    """Import and run the command; an interrupt while that takes its time is no error of ours to trace.

    A shell starts what runs in the background with interrupts ignored, as `nohup` and many runners of CI do. Who sends one
    means it: it ends the command in order, and what is done is kept.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        from verify.cli import main as command
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    command()


if __name__ == "__main__":
    main()
