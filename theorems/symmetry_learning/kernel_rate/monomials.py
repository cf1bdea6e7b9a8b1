r"""There are as many monomials of degree m as ways to choose d - 1 of m + d - 1.

Statement
    In d variables there are

    .. math:: \binom{m+d-1}{d-1} \ge \frac{m^{d-1}}{(d-1)!} \text{ monomials of degree } m, \qquad
              \binom{m+d}{d} \ge \frac{(m+1)^d}{d!} \text{ of degree at most } m .

    Both bounds are sharp for d = 1, and for large m in every dimension.
Correction
    As printed the number of monomials of degree m is :math:`m^d`. Up to a constant factor, which is surely meant, that is still
    false: for **every** constant c > 0 the number is below :math:`c\,m^d` for some m (``.printed``). Of degree at most m, which
    the rate needs, there are as many, by the second bound.
Checked
    The binomial coefficients against all exponents, counted one by one. The bounds for degrees up to a million.
Proof idea
    Stars and bars.
Sharp
    One variable, and large degrees.
Source
    symmetry_learning, Linear models / kernel methods (number of degree m monomials).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, FalseAsPrinted, Relation, Source, Tight, eq, ge, integers, interval
from verify.arithmetic import Array, floats, is_exact, rationals

MOST_VARIABLES = 4
MOST_COUNTED = 8


def product_of(values: list[Array], count: Array) -> Array:
    """Product of the first `count` of the values."""
    result = 0 * count + 1
    for place, value in enumerate(values):
        result = result * np.where(floats(count) > place, value, 0 * value + 1)
    return np.asarray(result)


def power_of(base: Array, exponent: Array) -> Array:
    """The base to the power of an integer from 0 to `MOST_VARIABLES`."""
    return product_of([base] * MOST_VARIABLES, exponent)


def factorial(number: Array) -> Array:
    """Factorial of an integer from 0 to `MOST_VARIABLES`."""
    return product_of([0 * number + i for i in range(1, MOST_VARIABLES + 1)], number)


def up_to_degree(m: Array, d: Array) -> Array:
    """Number of monomials of degree at most m in d variables, from the formula."""
    return product_of([(m + i) / i for i in range(1, MOST_VARIABLES + 1)], d)


def of_degree(m: Array, d: Array) -> Array:
    """Number of monomials of degree m, from the formula."""
    return up_to_degree(m, d - 1)


def counted(m: Array, d: Array) -> tuple[Array, Array]:
    """Numbers of monomials of degree m and of degree at most m, by their exponents; m is at most `MOST_COUNTED`."""
    numbers = []
    for compared in (np.equal, np.less_equal):
        for_each = []
        for variables in range(1, MOST_VARIABLES + 1):
            degrees = np.indices((MOST_COUNTED + 1,) * variables).sum(axis=0).ravel()
            table = np.array([compared(degrees, degree).sum() for degree in range(MOST_COUNTED + 1)])
            for_each.append(table)
        found = np.stack(for_each)[np.rint(floats(d)).astype(int) - 1, np.rint(floats(m)).astype(int)]
        numbers.append(rationals(found) if is_exact(m) else found.astype(np.float64))
    return numbers[0], numbers[1]


def monomials_are_counted(small: Array, large: Array, d: Array) -> Relation:
    """Numbers from the exponents and from the formulas, for a small degree; the bounds, for a large one."""
    equal, below = counted(small, d)
    return (
        eq(equal, of_degree(small, d), name="of a degree")
        & eq(below, up_to_degree(small, d), name="up to a degree")
        & ge(of_degree(large, d), power_of(large, d - 1) / factorial(d - 1), name="bound of a degree")
        & ge(up_to_degree(large, d), power_of(large + 1, d) / factorial(d), name="bound up to a degree")
    )


def of_order_m_to_the_d(constant: Array, d: Array) -> Relation:
    """What is printed, up to a constant: compared at a degree at which it fails."""
    # there are at most (m + 1)^(d - 1), which is at most (2 m)^(d - 1)
    m = integer_above(8 / constant)
    return ge(of_degree(m, d), constant * power_of(m, d))


def integer_above(values: Array) -> Array:
    """An integer above every value."""
    if is_exact(values):
        return rationals(np.frompyfunc(lambda one: int(one.floor()) + 1, 1, 1)(values))
    return np.asarray(np.floor(values) + 1)


# False variants


def no_variable_twice(small: Array, d: Array) -> Relation:
    """As many as ways to choose m of d variables."""
    equal, _ = counted(small, d)
    subsets = product_of([(d - i) / (i + 1) for i in range(MOST_COUNTED)], small)
    return eq(equal, subsets)


def every_exponent_up_to_m(small: Array, d: Array) -> Relation:
    """Each variable to a power of at most m."""
    return eq(counted(small, d)[1], power_of(small + 1, d))


def without_the_factorial(large: Array, d: Array) -> Relation:
    """At least m^d monomials of degree at most m."""
    return ge(up_to_degree(large, d), power_of(large, d))


def of_large_degree(d: int) -> dict[str, Any]:
    """A large degree; in one variable there is one monomial of each."""
    return {"small": rationals(3), "large": rationals(10**6), "d": rationals(d)}


BOUNDS = ("bound of a degree", "bound up to a degree")
SOURCE = Source("symmetry_learning", "Linear models / kernel methods")

CLAIM = Claim(
    id="symmetry_learning.kernel_rate.monomials",
    title="The monomials of degree m in d variables grow like the power d - 1 of m",
    source=SOURCE,
    statement=monomials_are_counted,
    domain=Domain(
        {"small": integers(0, MOST_COUNTED), "large": integers(1, 10**6), "d": integers(1, MOST_VARIABLES)},
    ),
    tight={
        "one variable": Tight(partial(of_large_degree, 1), of=BOUNDS),
        "three variables": Tight(partial(of_large_degree, 3), 1e-5, "the bounds are limits for large m", of=BOUNDS),
    },
    false_neighbours={
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
    domain=Domain({"constant": interval(1 / 1024, 1024), "d": integers(1, MOST_VARIABLES)}),
    false_neighbours={},
)
