r"""Proposition 5 for three layers: not jointly convex.

Statement
    For one data point and :math:`K^\sigma = K` the cost of three layers is :math:`a + b/a + 1/b`. It is convex in a and in b,
    but not in (a, b).
Checked
    Convexity in each number. At the midpoint of (1, 2) and (2, 11) the cost is above the mean of the costs there, exactly.
Tight
    No mixture.
Source
    feature_learning, Proposition 5; the failure for L = 3 is derived here.
"""

from verify import Claim, DerivedHere, Domain, Q, Source, Tight, interval
from verify.numbers.arithmetic import rationals
from verify.words import eq, le


def cost(a, b):
    return a + b / a + 1 / b


def convex_in_each_number(first, second, share):
    (a, b), (c, d), t = first, second, share
    in_b = le(cost(a, t * b + (1 - t) * d), t * cost(a, b) + (1 - t) * cost(a, d), name="in b")
    return in_b & le(cost(t * a + (1 - t) * c, d), t * cost(a, d) + (1 - t) * cost(c, d), name="in a")


def convex_in_both(first, second, share):
    t = share
    return le(cost(*(t * first + (1 - t) * second)), t * cost(*first) + (1 - t) * cost(*second))


def linear_in_one(first, second, share):
    a, (c, d), t = first[0], second, share
    return le(t * cost(a, d) + (1 - t) * cost(c, d), cost(t * a + (1 - t) * c, d))


def not_jointly_convex():
    """The values 7/2 at (1, 2), 167/22 at (2, 11), and 467/78 at their midpoint, more than their mean 61/11."""
    values = cost(*rationals([[1, 2, "3/2"], [2, 11, "13/2"]]))
    return eq(values, rationals(["7/2", "167/22", "467/78"])) & le((values[0] + values[1]) / 2 + Q(2, 5), values[2])


DEPTH_THREE = Claim(
    id="feature_learning.prop_5.depth_three",
    title="For three layers, convex in each pair and not in both together",
    source=Source("feature_learning", "derived here"),
    status=DerivedHere(),
    statement=convex_in_each_number,
    domain=Domain({"first": interval(0.25, 16, 2), "second": interval(0.25, 16, 2), "share": interval(0, 1)}),
    tight={"no mixture": Tight(lambda: {"first": [1, 2], "second": [2, 11], "share": 1}, of=("in a", "in b"))},
    false_variants={"jointly convex": convex_in_both, "linear in a": linear_in_one},
    exact={"above the mean at a midpoint": not_jointly_convex},
    # where b^2 is a little more than 4 a, the cost is a little less than convex in both, along (1, 4) alone
    examples=[{"first": ["1997/2000", "999/500"], "second": ["2003/2000", "201/100"], "share": "1/2"}],
)
