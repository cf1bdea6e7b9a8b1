"""Checks the theory of L2-regularised deep networks; the theorems themselves are in the package `theorems`.

The names below are what a theorem module needs; `verify.networks` and `verify.matrices` hold the engine.
"""

import sys

try:
    from verify.catalogue import catalogue
    from verify.claim import Claim, Conjectured, FalseAsPrinted, Follows, Ours, Source, Stated, Tight
    from verify.domain import Domain, Sample
    from verify.exactness import Q
    from verify.interactive import attack, check, evaluate, explain, measure
    from verify.measured import Measured, measured
    from verify.rate import Rate
    from verify.relation import Relation, Verdict, eq, ge, le
    from verify.variables import Networks, Sizes, derived, integers, interval, reals, slopes
except KeyboardInterrupt:
    # of the command it is no error to trace; of a program that imports this package it is the program's affair
    if sys.argv[0] == "-m" or sys.argv[0].endswith("verify"):
        sys.exit(130)
    raise

__all__ = [
    "Claim",
    "Conjectured",
    "Domain",
    "FalseAsPrinted",
    "Follows",
    "Measured",
    "Networks",
    "Ours",
    "Q",
    "Rate",
    "Relation",
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
__version__ = "0.1.0"
