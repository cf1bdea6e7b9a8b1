"""Axiom (3) for the bottleneck rank: two bottlenecks side by side."""

from __future__ import annotations

from theorems.notion_of_rank.constructions.bottleneck import Parts, with_common_slope
from theorems.notion_of_rank.rank_axioms.statement import INNER, OUTER, SIZES, SOURCE, linear_map
from verify import Claim, Domain, Relation, Tight, derived, eq, le, reals, slopes
from verify.arithmetic import Array, rationals
from verify.matrices import rank
from verify.networks import FullyConnected, add, compose


def bottleneck_of_sum(both: tuple[Parts, Parts], x: Array) -> Relation:
    """The sum of both compositions, as one network through both bottlenecks: value, and rank at x."""
    (g1, h1), (g2, h2) = both
    network = add(compose(h1, g1, merge=True), compose(h2, g2, merge=True))
    value = eq(network(x), h1(g1(x)) + h2(g2(x)), name="value", over=1)
    found = rank(network.jacobian(x))
    return value & le(found, 0 * found + g1.widths[-1] + g2.widths[-1], name="rank")


# False variants


def through_one_bottleneck(both: tuple[Parts, Parts], x: Array) -> Relation:
    """Both go through the sum of the bottlenecks."""
    (g1, h1), (g2, h2) = both
    together = add(g1, g2)(x)
    return eq(h1(g1(x)) + h2(g2(x)), h1(together) + h2(together), over=1)


def bottlenecks_exchanged(both: tuple[Parts, Parts], x: Array) -> Relation:
    """Each reads the bottleneck of the other."""
    (g1, h1), (g2, h2) = both
    return eq(h1(g1(x)) + h2(g2(x)), h1(g2(x)) + h2(g1(x)), over=1)


def two_pairs(
    g1: FullyConnected, h1: FullyConnected, g2: FullyConnected, h2: FullyConnected, slope: Array
) -> tuple[Parts, Parts]:
    """Two pairs of networks, all with this slope for negative arguments."""
    return with_common_slope(g1, h1, slope), with_common_slope(g2, h2, slope)


# Over all regions


def chain_of(inner: list[list[int]], outer: list[list[int]]) -> Parts:
    """Two networks that copy their inputs, with matrices after them."""
    parts = [linear_map(rationals(matrix)) for matrix in (inner, outer)]
    return parts[0], parts[1]


BOTTLENECK_SUM = Claim(
    id="notion_of_rank.rank_axioms.bottleneck_sum",
    title="A sum goes through two bottlenecks side by side",
    source=SOURCE,
    statement=bottleneck_of_sum,
    domain=Domain(
        {"both": derived(two_pairs, g1=INNER, h1=OUTER, g2=INNER, h2=OUTER, slope=slopes(-1, 1)), "x": reals("inputs")}, SIZES
    ),
    tight={
        "two coordinates": Tight(
            lambda: {
                "both": (chain_of([[1, 0]], [[1], [0]]), chain_of([[0, 1]], [[0], [1]])),
                "x": rationals([1, 1]),
            }
        )
    },
    false_neighbours={
        "one bottleneck for the sum": through_one_bottleneck,
        "bottlenecks exchanged": bottlenecks_exchanged,
    },
)
