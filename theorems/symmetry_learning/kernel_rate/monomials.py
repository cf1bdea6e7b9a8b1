r"""The number of monomials of degree m in d variables.

Statement
    In d variables there are

    .. math:: \binom{m+d-1}{d-1} \ge \frac{m^{d-1}}{(d-1)!} \text{ monomials of degree } m, \qquad
              \binom{m+d}{d} \ge \frac{(m+1)^d}{d!} \text{ of degree at most } m .

    Both bounds are equalities for d = 1, and limits for large m in every dimension.
Correction
    As printed the number of monomials of degree m is :math:`m^d`. Up to a constant factor that is still false: for **every**
    constant c > 0 the number is below :math:`c\,m^d` for some m (``.printed``). Of degree at most m, which the rate needs,
    there are as many, by the second bound.
Checked
    The binomial coefficients against all exponents, counted one by one, for small degrees m. The bounds for degrees M up to a
    million.
Proof idea
    Stars and bars.
Tight
    One variable, and large degrees.
Source
    symmetry_learning, Linear models / kernel methods (number of degree m monomials).
"""

from functools import partial

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Source, Tight, integers, interval
from verify.numbers.arithmetic import floats
from verify.words import eq, floor, ge, lifted, ones, where

MOST_VARIABLES = 4
MOST_COUNTED = 8
DEGREES = [np.indices((MOST_COUNTED + 1,) * d).sum(axis=0).ravel() for d in range(1, MOST_VARIABLES + 1)]
"""Of all monomials in d variables with exponents up to the bound."""
OF_DEGREE = np.array([np.bincount(degrees)[: MOST_COUNTED + 1] for degrees in DEGREES])


@lifted
def counted(m, d):
    """How many monomials have the degree m, and how many at most m, by their exponents."""
    place = floats(d).astype(int) - 1, floats(m).astype(int)
    return OF_DEGREE[place], OF_DEGREE.cumsum(axis=1)[place]


def first_product(factors, count):
    """The product of the first factors, as many as `count`."""
    return where(np.arange(len(factors)) < count, factors, 1).prod()


def to_the(base, exponent, most=MOST_VARIABLES):
    return first_product(base * ones(most), exponent)


def factorial(d):
    return first_product(1 + np.arange(MOST_VARIABLES), d)


def comb(n, k, most=MOST_VARIABLES):
    """The number of ways to choose k of n, for k up to `most`."""
    i = np.arange(most)
    return first_product((n - i) / (i + 1), k)


def monomials_are_counted(m, M, d):
    equal, below = counted(m, d)
    return (
        eq(equal, comb(m + d - 1, d - 1), name="of a degree")
        & eq(below, comb(m + d, d), name="up to a degree")
        & ge(comb(M + d - 1, d - 1), to_the(M, d - 1) / factorial(d - 1), name="bound of a degree")
        & ge(comb(M + d, d), to_the(M + 1, d) / factorial(d), name="bound up to a degree")
    )


def no_variable_twice(m, d):
    return eq(counted(m, d)[0], comb(d, m, MOST_COUNTED))


def every_exponent_up_to_m(m, d):
    return eq(counted(m, d)[1], to_the(m + 1, d))


def without_the_factorial(M, d):
    return ge(comb(M + d, d), to_the(M, d))


def of_order_m_to_the_d(c, d):
    # it fails at this degree: there are at most (m + 1)^(d - 1), which is at most (2m)^(d - 1)
    m = floor(8 / c) + 1
    return ge(comb(m + d - 1, d - 1), c * to_the(m, d))


BOUNDS = ("bound of a degree", "bound up to a degree")
SOURCE = Source("symmetry_learning", "Linear models / kernel methods")

CLAIM = Claim(
    id="symmetry_learning.kernel_rate.monomials",
    title="Monomials of degree m in d variables grow like m^(d - 1)",
    source=SOURCE,
    statement=monomials_are_counted,
    domain=Domain({"m": integers(0, MOST_COUNTED), "M": integers(1, 10**6), "d": integers(1, MOST_VARIABLES)}),
    tight={
        "one variable": Tight(partial(dict, m=3, M=10**6, d=1), of=BOUNDS),
        "three variables": Tight(partial(dict, m=3, M=10**6, d=3), 1e-5, "the bounds are limits for large m", of=BOUNDS),
    },
    false_variants={
        "no variable twice": no_variable_twice,
        "every exponent up to m": every_exponent_up_to_m,
        "without the factorial": without_the_factorial,
    },
)

PRINTED = Claim(
    id="symmetry_learning.kernel_rate.printed",
    title="The monomials of degree m in d variables grow like the power d of m",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by=CLAIM.id),
    statement=of_order_m_to_the_d,
    domain=Domain({"c": interval(1 / 1024, 1024), "d": integers(1, MOST_VARIABLES)}),
)
