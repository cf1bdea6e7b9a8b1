"""Axiom (3) for the bottleneck rank: two bottlenecks side by side."""

from theorems.notion_of_rank.rank_axioms.statement import INNER, OUTER, SIZES, SOURCE, add, compose
from theorems.shared.bottleneck import with_common_slope
from verify import Claim, Domain, derived, reals, slopes
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import block, eq, eye, le, lifted, rank


def two_bottlenecks(both, x):
    (g1, h1), (g2, h2) = both
    f = add(compose(h1, g1, merge=True), compose(h2, g2, merge=True))
    return eq(f(x), h1(g1(x)) + h2(g2(x)), name="value") & le(rank(f.jacobian(x)), g1.widths[-1] + g2.widths[-1], name="rank")


def one_bottleneck(both, x):
    (g1, h1), (g2, h2) = both
    z = add(g1, g2)(x)
    return eq(h1(g1(x)) + h2(g2(x)), h1(z) + h2(z))


def exchanged(both, x):
    (g1, h1), (g2, h2) = both
    return eq(h1(g1(x)) + h2(g2(x)), h1(g2(x)) + h2(g1(x)))


def two_pairs(g1, h1, g2, h2, slope):
    with_slope = lifted(with_common_slope)
    return with_slope(g1, h1, slope), with_slope(g2, h2, slope)


def linear_map(matrix):
    """ReLU network for x -> Ax: A of the positive part of x less that of -x."""
    A, one = rationals(matrix), eye(len(matrix[0]))
    return FullyConnected([block([[one], [-one]]), block([[A, -A]])])


def two_coordinates():
    pairs = [([[1, 0]], [[1], [0]]), ([[0, 1]], [[0], [1]])]
    return {"both": tuple((linear_map(inner), linear_map(outer)) for inner, outer in pairs), "x": [1, 1]}


BOTTLENECK_SUM = Claim(
    id="notion_of_rank.rank_axioms.bottleneck_sum",
    title="A sum goes through two bottlenecks side by side",
    source=SOURCE,
    statement=two_bottlenecks,
    domain=Domain(
        {
            "both": derived(two_pairs, g1=INNER, h1=OUTER, g2=INNER, h2=OUTER, slope=slopes(-2, 2, role="slope")),
            "x": reals("inputs", role="point"),
        },
        SIZES,
    ),
    tight={"two coordinates": two_coordinates},
    false_variants={"one bottleneck for the sum": one_bottleneck, "bottlenecks exchanged": exchanged},
)
