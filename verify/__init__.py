"""Checks the theory of L2-regularised deep networks; the theorems themselves are in the package `theorems`.

The names below are what a theorem module needs; `verify.networks` and `verify.matrices` hold the engine.
"""

import sys

try:
    from verify.claims.catalogue import catalogue
    from verify.claims.claim import Claim, Conjectured, DerivedHere, FalseAsPrinted, Follows, Source, Stated, Tight
    from verify.claims.domain import Domain, Sample
    from verify.claims.rate import Rate
    from verify.claims.variables import Networks, Sizes, derived, integers, interval, reals, slopes
    from verify.interactive import attack, check, evaluate, explain, measure
    from verify.numbers.exactness import Q
    from verify.numbers.measured import Measured, measured
    from verify.numbers.relation import Relation, Verdict
    from verify.words import eq, ge, le
except KeyboardInterrupt:
    # of the command it is no error to trace; of a program that imports this package it is the program's affair
    if sys.argv[0].replace("\\", "/").rpartition("/")[2] in ("-m", "verify", "verify.exe"):
        sys.exit(130)
    raise

__all__ = [
    "Claim",
    "Conjectured",
    "DerivedHere",
    "Domain",
    "FalseAsPrinted",
    "Follows",
    "Measured",
    "Networks",
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
__version__ = "0.2.0"
