r"""In the plane a domain is completely positive if and only if no inner product is negative.

Statement
    If no two points of a domain in the plane have a negative inner product, a rotation takes it into the quadrant: with a for
    the point that is clockwise of all others, :math:`Ox = (a^Tx, \det(a, x))/\|a\|`.
Checked
    That there is such a point a among any finite number of points other than 0, by the largest over a of the least determinant
    against the other points. That no inner product may be negative. Beyond the plane, four points are still enough: the Grams
    of 40 families of three and four vectors are decided to be completely positive.
Proof idea
    The points lie in a sector of at most a right angle.
Sharp
    Two points in one direction.
Not checked
    Four points in general, which is the theorem of Maxfield and Minc; ``cycle`` has five.
Source
    ours, beside Theorem 3 (3) and Proposition 5 of bottleneck_structure.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import transpose
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, eq, ge, reals
from verify.arithmetic import Array, absolute, compare, largest, rationals, smallest
from verify.cones.completely_positive import is_completely_positive
from verify.relation import Verdict


def others(points: Array) -> tuple[Array, Array]:
    """Determinants and inner products of each point with the others, shape ``(..., N, N - 1)``."""
    count = points.shape[-2]
    # the others of point i are i + 1, i + 2, ... around the circle
    places = (np.arange(count)[:, None] + np.arange(1, count)) % count
    first, second = points[..., :, None, :], points[..., places, :]
    return first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0], (first * second).sum(axis=-1)


def one_point_is_first(points: Array) -> Relation:
    """The best of the points as a."""
    determinants, _ = others(points)
    best = largest(smallest(determinants, axis=-1), axis=-1)
    return ge(best, 0 * best)


def has_no_negative_product(points: Array) -> npt.NDArray[np.bool_]:
    """Whether no two points have a negative inner product."""
    return np.asarray((compare(others(points)[1], 0) >= 0).all(axis=(-2, -1)))


# False variants


def every_point_is_first(points: Array) -> Relation:
    """Any of the points as a."""
    determinants, _ = others(points)
    worst = smallest(smallest(determinants, axis=-1), axis=-1)
    return ge(worst, 0 * worst)


def half_a_right_angle(points: Array) -> Relation:
    """A point at half a right angle, at most, to all others."""
    determinants, products = others(points)
    best = largest(smallest(products - absolute(determinants), axis=-1), axis=-1)
    return ge(best, 0 * best)


def the_best_is_not_parallel(points: Array) -> Relation:
    """A determinant that is at least a tenth of the inner product."""
    determinants, products = others(points)
    best = largest(smallest(determinants - Q("1/10") * products, axis=-1), axis=-1)
    return ge(best, 0 * best)


# Exact parts


def up_to_four_points() -> Relation:
    """Grams of three and four vectors in three and four dimensions, without negative inner products."""
    rng = np.random.default_rng(0)
    verdicts: list[int] = []
    while len(verdicts) < 40:
        vectors = rationals(rng.integers(-2, 5, size=(3 + len(verdicts) % 2, 3 + len(verdicts) // 20)))
        gram = vectors @ transpose(vectors)
        if (gram >= 0).all() and (vectors < 0).any():
            verdicts.append(int(is_completely_positive(gram).verify() == Verdict.HOLDS))
    return eq(rationals(verdicts), 1, over=1)


CLAIM = Claim(
    id="bottleneck_structure.completely_positive_domains.plane",
    title="In the plane a domain without negative inner products is completely positive",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=one_point_is_first,
    domain=Domain({"points": reals("points", 2)}, {"points": (2, 3, 4, 6)}, {"no negative product": has_no_negative_product}),
    needs=("no negative product",),
    tight={"one direction": Tight(lambda: {"points": rationals([[1, 2], [2, 4]])})},
    false_neighbours={
        "every point": every_point_is_first,
        "half a right angle": half_a_right_angle,
        "not parallel": the_best_is_not_parallel,
    },
    exact={"up to four points": up_to_four_points},
)
