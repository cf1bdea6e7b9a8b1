"""The entry point of the command ``verify`` and of ``python -m verify``."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Import and run the command; an interrupt while that takes its time is no error of ours to trace."""
    try:
        from verify.cli import main as command
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    command()


if __name__ == "__main__":
    main()
