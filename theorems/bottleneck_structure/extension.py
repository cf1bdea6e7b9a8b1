r"""Appendix D.2: the cost of a limit of piecewise linear functions.

Statement
    The cost of f is the least limit of the costs of piecewise linear :math:`f_i \to f` whose Jacobians converge.
Correction
    The paper calls the cost of "any such function" infinite, by which it means every other function.
Checked
    Consistency of the lower bound :math:`R(f_i) \ge L \max|f_i'|^{2/L}` for interpolants :math:`f_i` of any curve f in
    :math:`\mathbb{R}^m`. Another node never lowers it, so that it converges along refinements; it stays below the bound
    for f, where :math:`|f'| \le C`. For :math:`f(x) = x^2` on [0, 1] and n equal pieces the largest slope is 2 - 1/n, and

    .. math:: \frac1n \le 2\log 2 - 2\log\max|f_n'| \le \frac1n + \frac{2\log 2 - 1}{n^2} .

    The networks of the interpolants (notion_of_rank, ``prop_2``) obey it.
Proof idea
    The slope between two nodes is a mean of the slopes to a node between them.
Tight
    A node at which nothing bends; the identity; n = 1, and large n.
Not checked
    That the costs themselves converge: they are not known. That R is lower semicontinuous, so that nothing changes for
    piecewise linear functions: the widths along a sequence are not bounded.
Source
    bottleneck_structure, Appendix D.2; the bounds are derived here.
"""

import numpy as np

from theorems.notion_of_rank.constructions.rank_one import norm_of_network, rank_one_curve
from verify import Claim, DerivedHere, Domain, Rate, Relation, Source, Tight, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import Q, concatenate, ge, greatest, le, lifted, log, ones, positive, power, stack, zeros

curve, norm_of_curve = lifted(rank_one_curve), lifted(norm_of_network)


def nodes_of(gaps):
    """Ascending nodes from 0 on with these gaps."""
    return concatenate([zeros(1), np.cumsum(gaps)])


def steepest(z, y):
    """Square of the largest slope of the interpolant of the values y at the nodes z."""
    return greatest(((y[1:] - y[:-1]) ** 2).sum(axis=1) / (z[1:] - z[:-1]) ** 2)


def without(place, z, y):
    """The largest slope, squared, without a node."""
    kept = [other for other in range(len(z)) if other != place]
    return steepest(z[kept], y[kept])


def refinement_is_steeper(gaps, y):
    z = nodes_of(gaps)
    return le(stack([without(place, z, y) for place in range(1, len(z) - 1)]), steepest(z, y))


def refinement_is_flatter(gaps, y):
    z = nodes_of(gaps)
    return ge(without(1, z, y), steepest(z, y))


def an_end_may_go(gaps, y):
    z = nodes_of(gaps)
    return ge(without(0, z, y), steepest(z, y))


def cost(gaps, y, scales, L):
    """The squared norm of the network of the interpolant."""
    # for a batch of one: the curve of a single interpolant is not given by arrays
    return norm_of_curve(curve(nodes_of(gaps)[None, :, None], y[None], ones(1, 1)), L, scales[None])[0]


def networks_obey_the_bound(gaps, y, scales, L):
    return ge(cost(gaps, y, scales, L), L * power(steepest(nodes_of(gaps), y), Q(1, L)))


def sum_of_the_slopes(gaps, y, scales, L):
    slopes = ((y[1:] - y[:-1]) ** 2).sum(axis=1) / gaps**2
    return ge(cost(gaps, y, scales, L), L * power(slopes.sum(), Q(1, L)))


def without_the_root(gaps, y, scales, L):
    return ge(cost(gaps, y, scales, L), L * steepest(nodes_of(gaps), y))


def square_is_the_limit(n):
    missing, above = 2 * log(2) - 2 * log(2 - 1 / n), 1 / n + (2 * log(2) - 1) / n**2
    return ge(missing, 1 / n, name="from below") & le(missing, above, name="from above")


def half_of_the_distance(n):
    return ge(2 * log(2 - 1 / n), 2 * log(2) - 1 / (2 * n) - 1 / (2 * n**2))


def of_second_order(n):
    return ge(2 * log(2 - 1 / n), 2 * log(2) - 2 / n**2)


def slopes_of_the_square():
    """The largest slope of interpolants of the square with up to 40 equal pieces is 2 - 1/n."""
    relation = Relation(())
    for n in range(1, 41):
        z = rationals(np.arange(n + 1)) / n
        found, expected = steepest(z, (z**2)[:, None]), (2 - Q(1, n)) ** 2
        relation &= le(found, expected) & ge(found, expected)
    return relation


def distance_to_the_limit(n):
    """What the bound of n pieces misses."""
    return -2 * np.log1p(-1 / (2 * n))


SOURCE = Source("bottleneck_structure", "derived here")
DISTINCT = {"the nodes are distinct": lambda gaps: positive(gaps)}
CURVE = {"gaps": interval(0, 4, "pieces"), "y": reals(lambda sizes: sizes["pieces"] + 1, "outputs")}
AGREE = "they agree up to 1/n^2"

CLAIM = Claim(
    id="bottleneck_structure.extension",
    title="Refinements of an interpolant do not lower the bound for its cost",
    source=SOURCE,
    status=DerivedHere(),
    statement=refinement_is_steeper,
    domain=Domain(CURVE, {"pieces": (2, 3, 4, 7), "outputs": (1, 2, 3)}, DISTINCT),
    tight={"a node on a straight piece": {"gaps": [1, 2], "y": [[0, 0], [3, 4], [9, 12]]}},
    false_variants={"flatter": refinement_is_flatter, "an end in its place": an_end_may_go},
)

NETWORKS = Claim(
    id="bottleneck_structure.extension.networks",
    title="Networks of interpolants cost at least what their slopes do",
    source=SOURCE,
    status=DerivedHere(),
    statement=networks_obey_the_bound,
    domain=Domain(
        {**CURVE, "scales": interval(Q(1, 4), 4, "pieces")},
        {"pieces": (1, 2, 3, 6), "outputs": (1, 2), "L": (2, 3, 6)},
        DISTINCT,
    ),
    tight={"a straight line": {"gaps": [2], "y": [[0], [2]], "scales": [1], "L": 3}},
    false_variants={"the sum of the slopes": sum_of_the_slopes, "without the root": without_the_root},
)

SQUARE = Claim(
    id="bottleneck_structure.extension.square",
    title="The bounds of the interpolants converge to the bound of the square",
    source=SOURCE,
    status=DerivedHere(),
    statement=square_is_the_limit,
    domain=Domain({"n": integers(1, 10**6)}),
    tight={
        "many pieces": Tight(lambda: {"n": 10**6}, relative_slack=3e-7, why=AGREE, of=("from below",)),
        "many pieces, from above": Tight(lambda: {"n": 10**6}, relative_slack=3e-7, why=AGREE, of=("from above",)),
        "one piece": Tight(lambda: {"n": 1}, of=("from above",)),
    },
    false_variants={"half of the distance": half_of_the_distance, "of order 1/n^2": of_second_order},
    exact={"slopes of the square": slopes_of_the_square},
    rate=Rate(distance_to_the_limit, tuple(2**k for k in range(3, 12)), -1.0),
)
