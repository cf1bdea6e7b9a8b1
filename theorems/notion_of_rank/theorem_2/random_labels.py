r"""Theorem 2 for random labels: with high probability a fit of bottleneck rank one costs a power of the sample's size.

Statement
    Let the true function be the identity of the cube :math:`[0, 1]^k` and :math:`x_1, \ldots, x_N`, N >= 2, uniform and
    independent, :math:`\epsilon > 0`, and

    .. math:: r^k = \frac\epsilon{\omega_k(N - 1)} , \qquad m = \lfloor N/2 \rfloor , \qquad
              c = \min\Bigl(1, \frac1{3\sqrt k}\Bigl(\frac\epsilon{\omega_k}\Bigr)^{1/k}\Bigr)^2

    with the volume :math:`\omega_k` of the unit ball. With probability :math:`1 - \epsilon` fewer than N - m pairs of points
    are closer than r. Then the shortest path through them has the length :math:`P \ge mr`, and every function of bottleneck
    rank one that is the identity on the sample has, at every depth,

    .. math:: \frac RL \ge \Bigl(\frac P{\sqrt k}\Bigr)^{2/L} , \qquad
              \frac RL \ge c N^{\frac2L(1 - \frac1k)} .
Checked
    For samples of 2 to 64 points in one to three dimensions: the length, with a spanning tree for the path; that it is what is
    stated; and the cost of the interpolants of Proposition 2 along all directions. The probability exactly, from the expected
    number of close pairs, for N = 2, ..., 64. All functions of bottleneck rank one are the subject of ``statement``, other
    distributions that of ``probability``.
Proof idea
    A tree of N - 1 edges shorter than m r has N - m edges shorter than r. The expected number of pairs closer than r is at most
    :math:`\frac{N(N - 1)}2\omega_kr^k = \frac{N\epsilon}2 \le (N - m)\epsilon` (Markov).
Sharp
    N - m - 1 points that are met twice and the others at steps r on a line; two ends of the unit interval.
Source
    notion_of_rank, Theorem 2; the constant is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from theorems.notion_of_rank.constructions.paths import path_length, spanning_tree, squared_distances
from theorems.notion_of_rank.constructions.rank_one import norm_of_network, rank_one_curve
from theorems.notion_of_rank.prop_2.statement import SEPARATED, are_separated
from verify import Claim, Domain, Ours, Q, Relation, Sizes, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, pi, power, rationals

THIRD = Q("1/3")


def unit_ball(dimension: int) -> Any:
    """The volume of the unit ball of one, two or three dimensions."""
    return (2, pi(), 4 * pi() / 3)[dimension - 1]


def close(epsilon: Array, count: int, dimension: int) -> Array:
    """The distance r."""
    return power(epsilon / (unit_ball(dimension) * (count - 1)), Fraction(1, dimension))


def fit_is_dear(points: Array, direction: Array, epsilon: Array, depth: Depth, third: Q = THIRD) -> Relation:
    """The length of the tree, the length that is stated, and the cost of the interpolant by either of them."""
    count, dimension = points.shape[-2:]
    tree, steps = spanning_tree(points), count // 2 * close(epsilon, count, dimension)
    root = power(epsilon / unit_ball(dimension), Fraction(1, dimension))
    stated = third * root * power(0 * tree + count, 1 - Fraction(1, dimension))
    norm = norm_of_network(rank_one_curve(points, points, direction), depth.depth, 0 * points[..., 1:, 0] + 1)
    # to the power L, and times the squared diameter k of the cube
    cost = dimension * (norm / depth.depth) ** depth.depth
    return (
        le(steps, tree, name="length")
        & le(stated, steps, name="stated length")
        & le(tree**2, cost, name="cost by the length")
        & le(stated**2, cost, name="cost by the size of the sample")
    )


def few_pairs_are_close(points: Array, epsilon: Array) -> Array:
    """Whether fewer than N - m pairs are closer than r."""
    count, dimension = points.shape[-2:]
    first, second = np.triu_indices(count, 1)
    near = compare(squared_distances(points)[..., first, second], close(epsilon, count, dimension)[..., None] ** 2) == -1
    return np.asarray(near.sum(axis=-1) < count - count // 2)


def expected_pairs() -> Relation:
    r"""For N = 2, ..., 64: that close pairs are expected to be at most epsilon (N - m), and m at least N / 3.

    The probability that two points of the cube are closer than r <= 1 is, in one, two and three dimensions, :math:`2r - r^2`,
    :math:`\pi r^2 - \frac83r^3 + \frac12r^4` and :math:`\frac43\pi r^3 - \frac32\pi r^4 + \frac85r^5 - \frac16r^6`.
    """
    counts, epsilon = np.arange(2, 65), rationals(["1/100", "1/10", "1/2"])
    relation = le(rationals(counts), 3 * rationals(counts // 2), over=1)
    for count in counts.tolist():
        radii = [close(epsilon, count, dimension) for dimension in (1, 2, 3)]
        exact = (
            2 * radii[0] - radii[0] ** 2,
            pi() * radii[1] ** 2 - Q("8/3") * radii[1] ** 3 + radii[1] ** 4 / 2,
            4 * pi() / 3 * radii[2] ** 3 - 3 * pi() / 2 * radii[2] ** 4 + Q("8/5") * radii[2] ** 5 - radii[2] ** 6 / 6,
        )
        for probability in exact:
            relation &= le(count * (count - 1) * probability / 2, epsilon * (count - count // 2), over=1)
    return relation


def sample(points: Array, places: Array, repeated: Array) -> Array:
    """The points; or, where `repeated` is 1, as many of them, one at each of the given places."""
    chosen = np.take_along_axis(points, np.asarray(places, dtype=np.intp)[..., None], axis=-2)
    return np.asarray(np.where(compare(repeated, 1)[..., None, None] == 0, chosen, points))


# False variants


def one_step_more(points: Array, direction: Array, epsilon: Array, depth: Depth) -> Relation:  # noqa: ARG001 (the statement's)
    """(m + 1) r for m r."""
    count, dimension = points.shape[-2:]
    return le((count // 2 + 1) * close(epsilon, count, dimension), spanning_tree(points))


def as_dear_as_the_order_of_the_data(points: Array, direction: Array, epsilon: Array, depth: Depth) -> Relation:
    """The path in the order of the data for the shortest one."""
    del epsilon
    norm = norm_of_network(rank_one_curve(points, points, direction), depth.depth, 0 * points[..., 1:, 0] + 1)
    return le(path_length(points) ** 2, points.shape[-1] * (norm / depth.depth) ** depth.depth)


# Tight examples


def points_met_twice(count: int, depth: int) -> Mapping[str, Any]:
    """On the line, N - m - 1 points that are met twice; m steps of r for epsilon = 1."""
    steps = count // 2
    twice = count - steps - 1
    places = rationals([*range(steps + 1), *range(twice)]) / (2 * (count - 1))
    return on_the_line(places, depth)


def on_the_line(places: Array, depth: int) -> Mapping[str, Any]:
    """Places of the unit interval, with epsilon = 1."""
    return {
        "points": places[None, :, None],
        "direction": rationals([[1]]),
        "epsilon": rationals([1]),
        "depth": Depth(depth),
    }


def in_space(count: int, dimension: int) -> Mapping[str, Any]:
    """The same in floats on the first axis of the plane or of space, with steps a little longer than r."""
    step = float(close(np.array(1.0), count, dimension)) * (1 + 1e-12)
    points = np.zeros((1, count, dimension))
    points[..., 0] = [step * place for place in (*range(count // 2 + 1), *range(count - count // 2 - 1))]
    return {"points": points, "direction": np.eye(dimension)[:1], "epsilon": np.ones(1), "depth": Depth(3)}


def ends_of_the_interval(depth: int) -> Mapping[str, Any]:
    """0 and 1."""
    return on_the_line(rationals([0, 1]), depth)


def _price(sizes: Sizes) -> int:
    return {2: 1, 3: 1, 8: 4, 64: 100}[sizes["count"]]


CLAIM = Claim(
    id="notion_of_rank.theorem_2.random_labels",
    title="With high probability a fit of bottleneck rank one costs a power of the size of the sample",
    source=Source("notion_of_rank", "Theorem 2"),
    status=Ours(),
    statement=fit_is_dear,
    domain=Domain(
        {
            "points": derived(
                sample,
                points=interval(0, 1, "count", "dimension"),
                places=integers(0, 1, "count"),
                repeated=integers(0, 3),
            ),
            "direction": reals("dimension"),
            "epsilon": interval(Q("1/64"), 1),
            "depth": GIVEN_DEPTH,
        },
        {"count": (2, 3, 8, 64), "dimension": (1, 2, 3), "depth": (2, 3, 6)},
        {SEPARATED: are_separated, "few pairs are close": few_pairs_are_close},
        # 64 points on rationals take a while
        sizes_where=lambda sizes: sizes["count"] < 64 or sizes["depth"] == 2,
    ),
    needs=("few pairs are close",),
    tight={
        "2 points": Tight(partial(points_met_twice, 2, 2), of=("length",)),
        "3 points": Tight(partial(points_met_twice, 3, 3), of=("length",)),
        "64 points": Tight(partial(points_met_twice, 64, 6), of=("length",)),
        "8 points of the plane": Tight(partial(in_space, 8, 2), 1e-11, "steps a little longer than r", of=("length",)),
        "64 points of space": Tight(partial(in_space, 64, 3), 1e-11, "steps a little longer than r", of=("length",)),
        "an interval": Tight(partial(ends_of_the_interval, 2), of=("cost by the length",)),
        "an interval, depth 7": Tight(partial(ends_of_the_interval, 7), of=("cost by the length",)),
    },
    loose={
        "stated length": "it rounds N / 2 down to N / 3 and has N in place of N - 1",
        "third": "it rounds N / 2 down to N / 3 and has N in place of N - 1",
        "cost by the size of the sample": "it follows from the others, which are sharp at different samples",
    },
    false_variants={
        "one step more": one_step_more,
        "the path in the order of the data": as_dear_as_the_order_of_the_data,
    },
    exact={"expected number of close pairs": expected_pairs},
    cost=_price,
)
