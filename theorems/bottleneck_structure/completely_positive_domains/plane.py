r"""Completely positive domains in the plane.

Statement
    If no two points of a domain in the plane have a negative inner product, a rotation takes it into the quadrant: with a for
    the point that is clockwise of all others, :math:`Ox = (a^Tx, \det(a, x))/\|a\|`.
Checked
    That there is such a point a among any finite number of points other than 0, by the largest over a of the least determinant
    against the other points. That no inner product may be negative. Beyond the plane, four points are still enough: the Grams
    of 40 families of three and four vectors are decided to be completely positive.
Proof idea
    The points lie in a sector of at most a right angle.
Tight
    Two points in one direction.
Not checked
    Four points in general, which is the theorem of Maxfield and Minc; ``cycle`` has five.
Source
    derived here, beside Theorem 3 (3) and Proposition 5 of bottleneck_structure.
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, Q, Source, reals
from verify.cones.completely_positive import is_completely_positive
from verify.numbers.arithmetic import rationals
from verify.numbers.relation import Verdict
from verify.words import absolute, eq, ge, greatest, least, nonnegative


def others(X):
    """Determinants and inner products of each point with the others, in rows."""
    N = len(X)
    # the others of point i are i + 1, i + 2, ... around the circle
    a, x = X[:, None], X[(np.arange(N)[:, None] + np.arange(1, N)) % N]
    return a[:, :, 0] * x[:, :, 1] - a[:, :, 1] * x[:, :, 0], (a * x).sum(axis=2)


def one_point_is_first(X, some=greatest):
    return ge(some(least(others(X)[0], axis=1)), 0)


def half_a_right_angle(X):
    """At most, from one point to all others."""
    determinants, products = others(X)
    return ge(greatest(least(products - absolute(determinants), axis=1)), 0)


def not_parallel(X):
    """A determinant that is at least a tenth of the inner product."""
    determinants, products = others(X)
    return ge(greatest(least(determinants - Q(1, 10) * products, axis=1)), 0)


def up_to_four_points():
    """Grams of three and four vectors in three and four dimensions, without negative inner products."""
    rng = np.random.default_rng(0)
    verdicts: list[int] = []
    while len(verdicts) < 40:
        X = rationals(rng.integers(-2, 5, size=(3 + len(verdicts) % 2, 3 + len(verdicts) // 20)))
        K = X @ X.T
        if (K >= 0).all() and (X < 0).any():
            verdicts.append(int(is_completely_positive(K).verify() == Verdict.HOLDS))
    return eq(verdicts, 1)


CLAIM = Claim(
    id="bottleneck_structure.completely_positive_domains.plane",
    title="In the plane inner products >= 0 suffice for complete positivity",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=one_point_is_first,
    domain=Domain(
        {"X": reals("points", 2, role="points")},
        {"points": (2, 3, 4, 6)},
        {"no negative product": lambda X: nonnegative(others(X)[1])},
    ),
    needs=("no negative product",),
    tight={"one direction": {"X": [[1, 2], [2, 4]]}},
    false_variants={
        "every point": {"some": least},
        "half a right angle": half_a_right_angle,
        "not parallel": not_parallel,
    },
    exact={"up to four points": up_to_four_points},
)
