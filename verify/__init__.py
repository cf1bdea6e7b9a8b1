"""Checks the theory of L2-regularised deep networks; the theorems themselves are in the package `theorems`.

The names below are what a theorem module needs; `verify.networks` and `verify.matrices` hold the engine.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

try:
    from verify.claims.catalogue import Catalogue, catalogue
    from verify.claims.claim import Claim, Conjectured, DerivedHere, FalseAsPrinted, Follows, Source, Stated, Tight
    from verify.claims.domain import Domain, Sample
    from verify.claims.rate import Rate
    from verify.claims.variables import Networks, Sizes, derived, integers, interval, reals, slopes
    from verify.interactive import attack, check, evaluate, explain, measure
    from verify.numbers.exactness import Q
    from verify.numbers.measured import Measured, measured
    from verify.numbers.relation import Comparison, Relation, Verdict
    from verify.version import __version__ as __version__
    from verify.words import eq, ge, le
except KeyboardInterrupt:
    # of the command it is no error to trace; of a program that imports this package it is the program's affair
    if sys.argv[0].replace("\\", "/").rpartition("/")[2] in ("-m", "verify", "verify.exe"):
        sys.exit(130)
    raise

if TYPE_CHECKING:
    from verify.report.result import Instance, Result
    from verify.trained.measurement import Measurement

__all__ = [
    "Catalogue",
    "Claim",
    "Comparison",
    "Conjectured",
    "DerivedHere",
    "Domain",
    "FalseAsPrinted",
    "Follows",
    "Instance",
    "Measured",
    "Measurement",
    "Networks",
    "Q",
    "Rate",
    "Relation",
    "Result",
    "Sample",
    "Sizes",
    "Source",
    "Stated",
    "Tight",
    "Verdict",
    "attack",
    "catalogue",
    "check",
    "derived",
    "eq",
    "evaluate",
    "explain",
    "ge",
    "integers",
    "interval",
    "le",
    "measure",
    "measured",
    "reals",
    "slopes",
]

_RETURNED = {
    "Instance": "verify.report.result",
    "Measurement": "verify.trained.measurement",
    "Result": "verify.report.result",
}
"""What `check`, `attack` and `measure` return: imported when it is asked for, since their modules import the search."""


def __getattr__(name: str) -> Any:
    if name not in _RETURNED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(_RETURNED[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
