"""Claims whose statements end, hang or kill the process that checks them."""

import os
import signal
import sys
import time
from pathlib import Path

from verify import Claim, Domain, FalseAsPrinted, Q, Source, integers, reals
from verify.words import le


def fine(x):
    """Every number is at most itself."""
    return le(x, x)


def below(x):
    """False."""
    return le(x, x - 1)


def far_below(x):
    """False, too."""
    return le(x, x - 2)


def exits(x):  # noqa: ARG001 (a statement takes its variables)
    """Ends the interpreter, if it may."""
    sys.exit(3)


def hangs(x):  # noqa: ARG001 (a statement takes its variables)
    """Never ends."""
    while True:
        time.sleep(60)


def dies(x):  # noqa: ARG001 (a statement takes its variables)
    """Kills its process."""
    os.kill(os.getpid(), signal.SIGKILL)


def dies_once(x):
    """Kills its process the first time; there is a file then."""
    mark = Path(os.environ["FAULTY_FOLDER"]) / "died once"
    if not mark.exists():
        mark.touch()
        dies(x)
    return fine(x)


def eats(x):  # noqa: ARG001 (a statement takes its variables)
    """Wants more memory than there is."""
    raise MemoryError


def is_huge(x):
    """Both sides have more digits than Python turns into text: false."""
    return le((x + 5) ** 9000, Q(7) ** 9000)


def _claim(statement, **options):
    options = {
        "domain": Domain({"x": reals()}),
        "false_variants": {"below": below, "far below": far_below},
    } | options
    return Claim(
        id=f"faulty.{statement.__name__}",
        title="A statement with a fault",
        source=Source("notion_of_rank", "derived here"),
        statement=statement,
        **options,
    )


FINE = _claim(fine)
EXITS = _claim(exits)
HANGS = _claim(hangs)
DIES = _claim(dies)
DIES_ONCE = _claim(dies_once)
EATS = _claim(eats)
HUGE = _claim(is_huge, status=FalseAsPrinted("faulty.fine"), domain=Domain({"x": integers(3, 9)}), false_variants={})
