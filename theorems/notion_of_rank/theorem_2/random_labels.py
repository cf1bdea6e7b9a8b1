r"""Theorem 2 for random labels: the cost is a power of the sample size.

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
Tight
    N - m - 1 points that are met twice and the others at steps r on a line; two ends of the unit interval.
Source
    notion_of_rank, Theorem 2; the constant is derived here.
"""

from functools import partial

import numpy as np

from theorems.notion_of_rank.prop_2.statement import SEPARATED, curve, separates, squared_norm
from theorems.shared.paths import path_length, spanning_tree, squared_distances
from verify import Claim, DerivedHere, Domain, Q, Source, Tight, derived, integers, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import le, lifted, ones, pi, power, where

THIRD = Q(1, 3)
tree, length, distances2 = map(lifted, (spanning_tree, path_length, squared_distances))


def omega(k):
    """The volume of the unit ball of one, two or three dimensions."""
    return (2, pi(), 4 * pi() / 3)[k - 1]


def close(epsilon, N, k):
    """The distance r."""
    return power(epsilon / (omega(k) * (N - 1)), Q(1, k))


def cost(X, u, L):
    """The cost of the interpolant per layer, to the power L, and times the squared diameter k of the cube."""
    return X.shape[1] * (squared_norm(curve(X, X, u), u, ones(len(X) - 1), L) / L) ** L


def fit_is_dear(X, u, epsilon, depth, third=THIRD):
    """The length of the tree, the length that is stated, and the cost of the interpolant by either of them."""
    N, k = X.shape
    M, steps, R = tree(X), N // 2 * close(epsilon, N, k), cost(X, u, depth)
    stated = third * power(epsilon / omega(k), Q(1, k)) * power(N, 1 - Q(1, k))
    return (
        le(steps, M, name="length")
        & le(stated, steps, name="stated length")
        & le(M**2, R, name="cost by the length")
        & le(stated**2, R, name="cost by the size of the sample")
    )


def one_step_more(X, epsilon):
    """(m + 1) r for m r."""
    N, k = X.shape
    return le((N // 2 + 1) * close(epsilon, N, k), tree(X))


def as_dear_as_the_order_of_the_data(X, u, depth):
    """The path in the order of the data for the shortest one."""
    return le(length(X) ** 2, cost(X, u, depth))


def few_pairs_are_close(X, epsilon):
    """Fewer than N - m pairs are closer than r."""
    N, k = X.shape
    # each pair twice, and each point with itself
    return (distances2(X) < close(epsilon, N, k) ** 2).sum() < 2 * (N - N // 2) + N


def expected_pairs():
    r"""For N = 2, ..., 64: that close pairs are expected to be at most epsilon (N - m), and m at least N / 3.

    The probability that two points of the cube are closer than r <= 1 is, in one, two and three dimensions, :math:`2r - r^2`,
    :math:`\pi r^2 - \frac83r^3 + \frac12r^4` and :math:`\frac43\pi r^3 - \frac32\pi r^4 + \frac85r^5 - \frac16r^6`.
    """
    counts, epsilon = np.arange(2, 65), rationals(["1/100", "1/10", "1/2"])
    relation = le(rationals(counts), 3 * rationals(counts // 2))
    for N in counts.tolist():
        r, s, t = (close(epsilon, N, k) for k in (1, 2, 3))
        for probability in (
            2 * r - r**2,
            pi() * s**2 - Q(8, 3) * s**3 + s**4 / 2,
            4 * pi() / 3 * t**3 - 3 * pi() / 2 * t**4 + Q(8, 5) * t**5 - t**6 / 6,
        ):
            relation &= le(N * (N - 1) * probability / 2, epsilon * (N - N // 2))
    return relation


def sample(points, places, repeated):
    """The points; or, where `repeated` is 1, as many of them, one at each of the given places."""
    return where(repeated == 1, where(places[:, None] == 1, points[1], points[0]), points)


def on_the_line(depth, *places):
    """Places of the unit interval, with epsilon = 1."""
    return {"X": [[place] for place in places], "u": [1], "epsilon": 1, "depth": depth}


def points_met_twice(N, depth):
    """On the line, N - m - 1 points that are met twice; m steps of r for epsilon = 1."""
    m, r = N // 2, Q(1, 2 * (N - 1))
    return on_the_line(depth, *(place * r for place in (*range(m + 1), *range(N - m - 1))))


def drawn_twice(N):
    """`points_met_twice` at depth 2, by the variables of the domain."""
    drawn = points_met_twice(N, 2)
    return {"X.points": drawn.pop("X"), "X.places": [0] * N, "X.repeated": 0, **drawn}


def in_space(N, k):
    """The same in floats on the first axis of the plane or of space, with steps a little longer than r."""
    step = float(close(1.0, N, k)) * (1 + 1e-12)
    places = step * np.array([*range(N // 2 + 1), *range(N - N // 2 - 1)])
    return {"X": np.outer(places, np.eye(k)[0]), "u": np.eye(k)[0], "epsilon": 1.0, "depth": 3}


CLAIM = Claim(
    id="notion_of_rank.theorem_2.random_labels",
    title="With high probability a rank-one fit costs a power of N",
    source=Source("notion_of_rank", "Theorem 2"),
    status=DerivedHere(),
    statement=fit_is_dear,
    domain=Domain(
        {
            "X": derived(
                sample,
                points=interval(0, 1, "count", "dimension"),
                places=integers(0, 1, "count"),
                repeated=integers(0, 3),
            ),
            "u": reals("dimension"),
            "epsilon": interval(Q(1, 64), 1),
        },
        {"count": (2, 3, 8, 64), "dimension": (1, 2, 3), "depth": (2, 3, 6)},
        {SEPARATED: lambda X, u: separates(X, u), "few pairs are close": few_pairs_are_close},
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
        "an interval": Tight(partial(on_the_line, 2, 0, 1), of=("cost by the length",)),
        "an interval, depth 7": Tight(partial(on_the_line, 7, 0, 1), of=("cost by the length",)),
    },
    examples=[drawn_twice(N) for N in (2, 3, 8, 64)],
    not_known_tight={
        "stated length": "it rounds N / 2 down to N / 3 and has N in place of N - 1",
        "third": "it rounds N / 2 down to N / 3 and has N in place of N - 1",
        "cost by the size of the sample": "it follows from the others, which are sharp at different samples",
    },
    false_variants={
        "one step more": one_step_more,
        "the path in the order of the data": as_dear_as_the_order_of_the_data,
    },
    exact={"expected number of close pairs": expected_pairs},
    cost=lambda sizes: {2: 1, 3: 1, 8: 4, 64: 100}[sizes["count"]],
)
