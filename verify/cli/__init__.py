"""The command line ``verify``."""

import signal

from verify.cli import checking, evidence, experiment, explain, graph, measuring, new, proofs, strength
from verify.cli.common import app

__all__ = ["app", "checking", "evidence", "experiment", "explain", "graph", "main", "measuring", "new", "proofs", "strength"]


def main() -> None:
    """What ``verify`` does, once it is imported."""
    try:
        app(prog_name="verify")
    finally:
        # nothing is left to interrupt but the interpreter's own end, which would print a traceback
        signal.signal(signal.SIGINT, signal.SIG_IGN)
