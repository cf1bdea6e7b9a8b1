"""The command line ``verify``."""

from verify.cli import checking, evidence
from verify.cli.common import app

__all__ = ["app", "checking", "evidence", "main"]


def main() -> None:
    """The entry point ``verify``."""
    app(prog_name="verify")
