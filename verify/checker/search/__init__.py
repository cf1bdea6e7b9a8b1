"""The search for a false instance: structured, batched, by ascent, and decided exactly before it is believed."""

from verify.checker.search.decide import Refutation, confirm, decide
from verify.checker.search.pool import BUDGETS, Budget, Pool
from verify.checker.search.portfolio import SLACK_EDGES, Attack, attack
from verify.checker.search.shrink import shrink

__all__ = ["BUDGETS", "SLACK_EDGES", "Attack", "Budget", "Pool", "Refutation", "attack", "confirm", "decide", "shrink"]
