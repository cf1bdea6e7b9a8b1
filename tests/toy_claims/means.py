r"""The mean inequality and its cousin: :math:`2\sqrt{xy} \le x + y`, and :math:`xy(x + y) \le x^3 + y^3`."""

import numpy as np

from verify import Claim, Domain, Q, Rate, Source, interval, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, le, sqrt


def means(x, y, factor=2):
    """The geometric mean is at most the arithmetic mean."""
    return le(factor * sqrt(x * y), x + y)


def cubes(x, y, factor=1):
    """Cubes beat products."""
    return le(factor * x * y * (x + y), x**3 + y**3)


CLAIM = Claim(
    id="toy.means",
    title="Two <means>",
    source=Source("notion_of_rank", "derived here"),
    statement=means,
    domain=Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)}),
    tight={"equal numbers": {"x": 3, "y": 3}},
    false_variants={
        "constant larger by 1e-6": {"factor": Q("2.000002")},
        "constant larger by 1 %": {"factor": Q("2.02")},
    },
    exact={"the square": lambda: eq(rationals(9), rationals(3) ** 2)},
    rate=Rate(lambda n: n**-2 + n**-4, tuple(2**k for k in range(4, 14)), -2),
)

CUBES = Claim(
    id="toy.means.cubes",
    title="Cubes",
    source=Source("notion_of_rank", "derived here"),
    statement=cubes,
    domain=Domain({"x": reals(), "y": reals()}, hypotheses={"the sum is not negative": lambda x, y: x + y >= 0}),
    false_variants={"constant larger by 1e-6": {"factor": Q("1.000001")}},
    needs=("the sum is not negative",),
)
