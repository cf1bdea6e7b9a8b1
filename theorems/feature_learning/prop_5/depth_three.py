r"""Proposition 5 for three layers: convex in each pair, and not in both together.

Statement
    For one data point and :math:`K^\sigma = K` the cost of three layers is :math:`a + b/a + 1/b`. It is convex in a and in b,
    but not in (a, b).
Checked
    Convexity in each number. At the midpoint of (1, 2) and (2, 11) the cost is above the mean of the costs there, exactly.
Sharp
    No mixture.
Source
    feature_learning, Proposition 5; the failure for L = 3 is ours.
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, interval, le
from verify.arithmetic import Array, rationals


def cost(pair: Array) -> Array:
    """The cost a + b/a + 1/b."""
    return np.asarray(pair[..., 0] + pair[..., 1] / pair[..., 0] + 1 / pair[..., 1])


def mixture(first: Array, second: Array, share: Array) -> Array:
    """A point between two."""
    return np.asarray(share[..., None] * first + (1 - share)[..., None] * second)


def mean_cost(first: Array, second: Array, share: Array) -> Array:
    """The mean of the costs of two points."""
    return np.asarray(share * cost(first) + (1 - share) * cost(second))


def crossed(first: Array, second: Array) -> Array:
    """The number a of the first point, and b of the second."""
    return np.stack([first[..., 0], second[..., 1]], axis=-1)


def convex_in_each_number(first: Array, second: Array, share: Array) -> Relation:
    """Convex in b with a fixed, and in a with b fixed."""
    middle = crossed(first, second)
    in_b = le(cost(mixture(first, middle, share)), mean_cost(first, middle, share), name="in b")
    return in_b & le(cost(mixture(middle, second, share)), mean_cost(middle, second, share), name="in a")


# False variants


def convex_in_both(first: Array, second: Array, share: Array) -> Relation:
    """Convex in (a, b)."""
    return le(cost(mixture(first, second, share)), mean_cost(first, second, share))


def linear_in_one(first: Array, second: Array, share: Array) -> Relation:
    """Linear in a."""
    middle = crossed(first, second)
    return le(mean_cost(middle, second, share), cost(mixture(middle, second, share)))


def not_jointly_convex() -> Relation:
    """The values 7/2 at (1, 2), 167/22 at (2, 11), and 467/78 at their midpoint, more than their mean 61/11."""
    values = cost(rationals([[1, 2], [2, 11], ["3/2", "13/2"]]))
    mean = (values[:1] + values[1:2]) / 2
    return eq(values, rationals(["7/2", "167/22", "467/78"]), over=1) & le(mean + 2 / rationals(5), values[2:])


DEPTH_THREE = Claim(
    id="feature_learning.prop_5.depth_three",
    title="For three layers, convex in each pair and not in both together",
    source=Source("feature_learning", "ours"),
    status=Ours(),
    statement=convex_in_each_number,
    domain=Domain({"first": interval(0.25, 16, 2), "second": interval(0.25, 16, 2), "share": interval(0, 1)}),
    tight={
        "no mixture": Tight(
            lambda: {"first": rationals([[1, 2]]), "second": rationals([[2, 11]]), "share": rationals([1])}, of=("in a", "in b")
        )
    },
    false_variants={"jointly convex": convex_in_both, "linear in a": linear_in_one},
    exact={"above the mean at a midpoint": not_jointly_convex},
)
