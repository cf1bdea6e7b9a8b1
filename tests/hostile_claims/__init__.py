"""Claims whose statements do to their process what they should not, each beside claims that must not notice it."""

import ctypes
import gc
import itertools
import os
import signal
import sys
import threading
import time
import warnings

import numpy as np
from flint import ctx

from verify import Claim, Domain, Source, reals
from verify.words import le


def below(x):
    """False."""
    return le(x, x - 1)


def far_below(x):
    """False, too."""
    return le(x, x - 2)


class Ends(BaseException):
    """No exception that anything expects."""


def raises(error):
    raise error


def forks():
    os.fork()


def threads():
    threading.Thread(target=time.sleep, args=(600,)).start()


def spins():
    while True:
        pass


def catches_all():
    while True:
        try:
            time.sleep(600)
        except BaseException:
            continue


def eats():
    kept = []
    while True:
        kept.append(bytearray(2**26))


def digs():
    return digs() + 1


def digs_deep():
    sys.setrecursionlimit(10**9)
    deep = []
    for _ in range(10**6):
        deep = [deep]
    return repr(deep)


def sets_the_environment():
    os.environ["HOSTILE"] = "1"
    os.environ.pop("HOME", None)


def prints():
    print("printed")  # noqa: T201
    os.write(1, b"written\n")
    sys.__stdout__.write("kept back")


DEADLY = {
    "exits_with_0": lambda: os._exit(0),
    "exits_with_3": lambda: os._exit(3),
    "segmentation_fault": lambda: ctypes.string_at(0),
    "aborts": os.abort,
    "kills": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "terminates": lambda: os.kill(os.getpid(), signal.SIGTERM),
    "kills_its_group": lambda: os.kill(0, signal.SIGTERM),
    "system_exit": lambda: sys.exit(0),
    "base_exception": lambda: raises(Ends("the end")),
    "generator_exit": lambda: raises(GeneratorExit()),
    "interrupt": lambda: raises(KeyboardInterrupt()),
    "spins": spins,
    "counts": lambda: sum(itertools.repeat(0)),
    "catches_all": catches_all,
    "eats": eats,
    "digs": digs,
    "digs_deep": digs_deep,
    "closes_descriptors": lambda: os.closerange(3, 256),
}
"""What ends a claim."""
RUDE = {
    "closes_stdout": lambda: sys.stdout.close(),
    "closes_the_first_stdout": lambda: sys.__stdout__.close(),
    "closes_stderr": lambda: sys.__stderr__.close(),
    "closes_descriptor_1": lambda: os.close(1),
    "forks": forks,
    "threads": threads,
    "changes_the_folder": lambda: os.chdir("/"),
    "sets_the_environment": sets_the_environment,
    "replaces_abs": lambda: setattr(np, "abs", np.negative),
    "silences": lambda: np.seterr(all="raise"),
    "rounds": lambda: setattr(ctx, "prec", 2),
    "warns": lambda: warnings.simplefilter("error"),
    "collects_nothing": gc.disable,
    "prints": prints,
    "ignores_signals": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
}
"""What others might notice."""


def settings(x):
    """Nothing has been changed: every number is at most itself."""
    changed = [
        *(["abs"] if np.abs is not np.absolute else []),
        *(["HOSTILE"] if "HOSTILE" in os.environ else []),
        *(["folder"] if os.getcwd() == "/" else []),  # noqa: PTH109
        *(["precision"] if ctx.prec < 20 else []),
        *(["signals"] if signal.getsignal(signal.SIGTERM) == signal.SIG_IGN else []),
    ]
    if changed:
        raise AssertionError(f"changed: {changed}")
    return le(x, x)


def claim(name, act):
    def statement(x):
        act()
        return le(x, x)

    statement.__doc__ = f"Every number is at most itself; {name.replace('_', ' ')}."
    return Claim(
        id=f"hostile.{name}",
        title="A statement that does more than state",
        source=Source("notion_of_rank", "derived here"),
        statement=statement,
        domain=Domain({"x": reals()}),
        false_variants={"below": below, "far below": far_below},
    )


globals().update({f"CLAIM_{name}": claim(name, act) for name, act in (DEADLY | RUDE).items()})
BEFORE = claim("aa_before", lambda: None)
AFTER = Claim(
    id="hostile.zz_after",
    title="Nothing has been changed",
    source=Source("notion_of_rank", "derived here"),
    statement=settings,
    domain=Domain({"x": reals()}),
    false_variants={"below": below, "far below": far_below},
)
