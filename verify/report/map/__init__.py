"""A map of the theory: which theorem rests on which, what is known of each, and where the print is wrong."""

from verify.report.map.arrows import KINDS, Arrow, read
from verify.report.map.graph import EVIDENCE, SHAPES, STATUSES, Node, TheoryMap, map_of

__all__ = ["EVIDENCE", "KINDS", "SHAPES", "STATUSES", "Arrow", "Node", "TheoryMap", "map_of", "read"]
