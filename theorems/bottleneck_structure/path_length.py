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
Sharp
    0, 1, 3, 4; a rectangle; equal segments beside others of length zero.
Source
    bottleneck_structure, proof of Theorem 19.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import descending
from theorems.notion_of_rank.constructions.paths import path_length, shortest_path, squared_distances
from verify import Claim, Domain, FalseAsPrinted, Ours, Rate, Relation, Source, Tight, ge, interval, le, reals
from verify.arithmetic import Array, rationals, sqrt


def two_nearest(points: Array) -> tuple[Array, Array]:
    """Distances of every point to the closest and the second closest of the others, shapes ``(..., N)``."""
    squared = squared_distances(points)
    # the distance to itself, which is 0, is the last one
    ordered = descending(squared)
    return sqrt(ordered[..., -2]), sqrt(ordered[..., -3])


def closing(points: Array) -> Array:
    """Distance of the last point to the first."""
    step = points[..., -1, :] - points[..., 0, :]
    return sqrt((step * step).sum(axis=-1))


def paths_are_long(points: Array) -> Relation:
    """Open and closed paths in the order of the points."""
    first, second = two_nearest(points)
    total, ends = (first + second).sum(axis=-1), second[..., 0] + second[..., -1]
    length = path_length(points)
    return ge(2 * length, total - ends, name="open") & ge(2 * (length + closing(points)), total, name="closed")


def printed(points: Array) -> Relation:
    """The print: the shortest open path."""
    first, second = two_nearest(points)
    return ge(shortest_path(points), (first + second).sum(axis=-1) / 2)


def many_are_short(lengths: Array) -> Relation:
    """The segments in ascending order against what is left for them."""
    count = lengths.shape[-1]
    ascending = descending(lengths)[..., ::-1]
    return le(ascending * (count - np.arange(count)), np.asarray(lengths.sum(axis=-1))[..., None], over=1)


def sum_for_random_points(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Mean of half the sum for random points of the unit square."""
    rng = np.random.default_rng(0)
    found = []
    for count in counts:
        squared = squared_distances(rng.uniform(size=(8, int(count), 2)))
        found.append(float(np.sqrt(np.partition(squared, 2)[..., 1:3]).sum(axis=(-2, -1)).mean()) / 2)
    return np.array(found)


# False variants


def one_end_only(points: Array) -> Relation:
    """An open path that saves at its first point alone."""
    first, second = two_nearest(points)
    return ge(2 * path_length(points), (first + second).sum(axis=-1) - second[..., 0])


def second_distances_twice(points: Array) -> Relation:
    """Twice the second distances for a closed path."""
    _, second = two_nearest(points)
    return ge(path_length(points) + closing(points), second.sum(axis=-1))


def one_more_is_short(lengths: Array) -> Relation:
    """As if m + 2 segments were that short."""
    count = lengths.shape[-1]
    ascending = descending(lengths)[..., ::-1]
    shares = ascending[..., 1:] * (count - np.arange(count - 1))
    return le(shares, np.asarray(lengths.sum(axis=-1))[..., None], over=1)


def as_long_as_the_mean(lengths: Array) -> Relation:
    """As if half of the segments were shorter than the mean."""
    count = lengths.shape[-1]
    return le(descending(lengths)[..., count // 2] * count, lengths.sum(axis=-1))


def on_a_line() -> dict[str, Any]:
    """The points 0, 1, 3, 4."""
    return {"points": rationals([[0], [1], [3], [4]])}


def rectangle() -> dict[str, Any]:
    """The corners of a rectangle, in order."""
    return {"points": rationals([[0, 0], [2, 0], [2, 1], [0, 1]])}


def segments(zeros: int, count: int = 4) -> dict[str, Any]:
    """`count` segments, some of length zero and the others of equal length."""
    return {"lengths": rationals([2] * (count - zeros) + [0] * zeros)}


POINTS = {"points": reals("count", "dimension")}
SOURCE = Source("bottleneck_structure", "Theorem 19, proof")

CLAIM = Claim(
    id="bottleneck_structure.path_length",
    title="The two nearest distances bound open and closed paths",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=paths_are_long,
    domain=Domain(POINTS, {"count": (3, 4, 5, 6), "dimension": (1, 2, 3)}),
    tight={"0, 1, 3, 4": Tight(on_a_line, of=("open",)), "a rectangle": Tight(rectangle, of=("closed",))},
    false_neighbours={"one end only": one_end_only, "twice the second distances": second_distances_twice},
    rate=Rate(sum_for_random_points, (32, 64, 128, 256, 512, 1024), 0.5),
    cost=2,
)

COUNTING = Claim(
    id="bottleneck_structure.path_length.counting",
    title="Many segments of a path are short",
    source=SOURCE,
    statement=many_are_short,
    domain=Domain({"lengths": interval(0, np.inf, "count")}, {"count": (1, 2, 3, 6, 12)}),
    tight={f"{zeros} of length zero": Tight(partial(segments, zeros), partly=True) for zeros in range(4)}
    | {f"{zeros} of twelve of length zero": Tight(partial(segments, zeros, 12), partly=True) for zeros in range(12)},
    false_neighbours={"one more": one_more_is_short, "the mean is a median": as_long_as_the_mean},
)

PRINTED = Claim(
    id="bottleneck_structure.path_length.printed",
    title="The two nearest distances bound the shortest open path",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.path_length"),
    statement=printed,
    domain=Domain(POINTS, {"count": (3, 4), "dimension": (1, 2)}),
    false_neighbours={},
)
