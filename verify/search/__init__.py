"""The search for a false instance: structured, batched, by ascent, and decided exactly before it is believed."""

from verify.search.decide import Refutation, confirm, decide
from verify.search.findings import SLACK_EDGES, Findings
from verify.search.portfolio import attack
from verify.search.samples import BUDGETS, Budget, SampleCache
from verify.search.shrink import shrink

__all__ = ["BUDGETS", "SLACK_EDGES", "Budget", "Findings", "Refutation", "SampleCache", "attack", "confirm", "decide", "shrink"]
