"""Checks the theory of L2-regularised deep networks; the theorems themselves are in the package `theorems`.

The names below are what a theorem module needs; `verify.networks` and `verify.matrices` hold the engine.
"""

from verify.catalogue import catalogue
from verify.claim import Claim, Conjectured, FalseAsPrinted, Ours, Source, Stated, Tight
from verify.domain import Domain, Networks, Sample, Sizes, derived, integers, interval, reals, slopes
from verify.exactness import Q
from verify.measured import Measured, measured
from verify.rate import Rate
from verify.relation import Relation, Verdict, eq, ge, le

__all__ = [
    "Claim",
    "Conjectured",
    "Domain",
    "FalseAsPrinted",
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
    "catalogue",
    "derived",
    "eq",
    "ge",
    "integers",
    "interval",
    "le",
    "measured",
    "reals",
    "slopes",
]
__version__ = "0.1.0"
