r"""Rank-1 interpolation: how long a path through all labels is at least.

Statement
    The shortest path through points :math:`y_1, \ldots, y_N` is at least :math:`\sum_i (d_{1,i} + d_{2,i})/2`, with the
    distances from :math:`y_i` to the closest and the second closest of the others. A function of bottleneck rank 1 that fits
    them on a convex domain is therefore steep (notion_of_rank, ``theorem_2.statement``).
Correction
    True for closed paths. An open one may save a second distance at each end: 0, 1, 2 have the path 2 and the sum 4. The paper
    needs a convex domain, to have the segment from :math:`x_1` to :math:`x_N` in it.
Checked
    For every order of three to six points, so for the shortest:

    .. math:: \mathrm{length} \ge \tfrac12 \sum_i (d_{1,i} + d_{2,i}) - \tfrac12 (d_{2,a} + d_{2,b})

    with the ends a and b of an open path, and without the last term for closed ones. The sum for random points of the unit
    square grows like :math:`N^{1/2}`. The counting step of Theorem 10: of n segments of total length D, at least m + 1 have a
    length of at most D/(n - m).
Proof idea
    Every point but the ends has two edges, to different points. If n - m segments were longer than D/(n - m), they would be
    longer than D together.
Tight
    0, 1, 3, 4; a rectangle; equal segments beside others of length zero.
Source
    bottleneck_structure, proof of Theorem 19.
"""

from functools import partial

import numpy as np

from theorems.shared.paths import shortest_path
from verify import Claim, DerivedHere, Domain, FalseAsPrinted, Rate, Source, Tight, interval, reals
from verify.words import ge, le, lifted, norm, sqrt

shortest = lifted(shortest_path)


def two_nearest(y):
    r""":math:`d_{1,i}` and :math:`d_{2,i}`."""
    d = sqrt(np.sort(((y[:, None] - y) ** 2).sum(axis=2)))  # in the first column the distance of each to itself
    return d[:, 1], d[:, 2]


def length(y):
    return sqrt(((y[1:] - y[:-1]) ** 2).sum(axis=1)).sum()


def paths_are_long(y, ends=(0, -1)):
    d1, d2 = two_nearest(y)
    total = (d1 + d2).sum()
    open_path = ge(2 * length(y), total - sum(d2[end] for end in ends), name="open")
    return open_path & ge(2 * (length(y) + norm(y[-1] - y[0])), total, name="closed")


def second_distances_twice(y):
    return ge(length(y) + norm(y[-1] - y[0]), two_nearest(y)[1].sum())


def shortest_path_is_long(y):
    d1, d2 = two_nearest(y)
    return ge(shortest(y), (d1 + d2).sum() / 2)


def many_are_short(lengths):
    n = len(lengths)
    return le(np.sort(lengths) * (n - np.arange(n)), lengths.sum())


def one_more_is_short(lengths):
    n = len(lengths)
    return le(np.sort(lengths)[1:] * (n - np.arange(n - 1)), lengths.sum())


def mean_is_a_median(lengths):
    n = len(lengths)
    return le(np.sort(lengths)[::-1][n // 2] * n, lengths.sum())


def sum_for_random_points(counts):
    """Mean of half the sum for random points of the unit square."""
    rng = np.random.default_rng(0)
    samples = [rng.uniform(size=(8, int(N), 2)) for N in counts]
    return np.array([np.mean([sum(two_nearest(y)).sum() for y in sample]) / 2 for sample in samples])


def segments(none, n):
    """n segments, some of length zero and the others of equal length."""
    return {"lengths": [2] * (n - none) + [0] * none}


POINTS = {"y": reals("count", "dimension", role="few points")}
SOURCE = Source("bottleneck_structure", "Theorem 19, proof")

CLAIM = Claim(
    id="bottleneck_structure.path_length",
    title="The two nearest distances bound open and closed paths",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=paths_are_long,
    domain=Domain(POINTS, {"count": (3, 4, 5, 6), "dimension": (1, 2, 3)}),
    tight={
        "0, 1, 3, 4": Tight(lambda: {"y": [[0], [1], [3], [4]]}, of=("open",)),
        "a rectangle": Tight(lambda: {"y": [[0, 0], [2, 0], [2, 1], [0, 1]]}, of=("closed",)),
    },
    false_variants={"one end only": {"ends": (0,)}, "twice the second distances": second_distances_twice},
    rate=Rate(sum_for_random_points, (32, 64, 128, 256, 512, 1024), 0.5),
    cost=2,
)

COUNTING = Claim(
    id="bottleneck_structure.path_length.counting",
    title="m + 1 of n segments are no longer than D/(n - m)",
    source=SOURCE,
    statement=many_are_short,
    domain=Domain({"lengths": interval(0, np.inf, "count")}, {"count": (1, 2, 3, 6, 12)}),
    tight={f"{none} of length zero": Tight(partial(segments, none, 4), partly=True) for none in range(4)}
    | {f"{none} of twelve of length zero": Tight(partial(segments, none, 12), partly=True) for none in range(12)},
    false_variants={"one more": one_more_is_short, "the mean is a median": mean_is_a_median},
)

PRINTED = Claim(
    id="bottleneck_structure.path_length.printed",
    title="The two nearest distances bound the shortest open path",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=shortest_path_is_long,
    domain=Domain(POINTS, {"count": (3, 4), "dimension": (1, 2)}),
)
