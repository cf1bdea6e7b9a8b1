r"""The k-th largest coefficient and the tail beyond N of a series with :math:`|\beta_m|^2 = \|m\|_1^{-\alpha-d}`.

Statement
    Order the monomials in d variables by their degree, the constant first. For :math:`k \ge 2`, with :math:`c = (d+1)/2` and
    where the base on the right is positive,

    .. math:: (d!\,(k-1))^{-\frac{\alpha+d}d} \le |\beta_k|^2 \le \bigl((d!\,k)^{1/d} - c\bigr)^{-(\alpha+d)} .

    With :math:`F(N) = \frac d\alpha (d!)^{-\frac{\alpha+d}d} N^{-\alpha/d}` and :math:`Y = (d!\,N)^{1/d} - c`

    .. math:: F(N) \le \sum_{k > N} |\beta_k|^2 \le \frac d{\alpha\, d!} \Bigl(1 + \frac cY\Bigr)^{d-1} Y^{-\alpha} .

    For large N both sides of both are equal: :math:`|\beta_k|^2 \sim (d!\,k)^{-(\alpha+d)/d}`, and the tail is of order
    :math:`N^{-\alpha/d}`.
Checked
    Both for d = 1, 2, 3, 4, any :math:`\alpha`, every place in the block of a degree. Of
    the tail a few blocks are added up: F of the rest is added to the sum, which makes it no larger.
Proof idea
    Before the first monomial of degree m there are :math:`\binom{m+d-1}d \ge m^d/d!`; with the last there are
    :math:`\binom{m+d}d \le (m+c)^d/d!`, by the inequality of means. A sum is compared with its integral.
Sharp
    The coefficients of one variable. Large degrees: of the coefficients the first and the last of a degree; of the tail one
    variable and two.
Not checked
    A series whose coefficients are only of this order.
Source
    symmetry_learning, Linear models / kernel methods; the constants are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.symmetry_learning.kernel_rate.monomials import (
    MOST_VARIABLES,
    SOURCE,
    factorial,
    of_degree,
    power_of,
    product_of,
    up_to_degree,
)
from verify import Claim, Domain, Q, Rate, Relation, Tight, derived, ge, integers, interval, le
from verify.arithmetic import Array, compare, exp, log, rationals

BLOCKS = 3
MOST_ZEROS = 6
HALF = Q("1/2")


def to_the(base: Array, exponent: Array) -> Array:
    """A power of positive numbers, with any exponent."""
    return exp(exponent * log(base))


def rank_in_block(m: Array, d: Array, share: Array) -> Array:
    """A number between those of the first and the last monomial of degree m; `share` is from 0 to 1."""
    first = up_to_degree(m - 1, d) + 1
    return np.asarray(first + share * (of_degree(m, d) - 1))


def shortened(count: Array, d: Array, shift: Q = HALF) -> Array:
    r""":math:`(d!\,k)^{1/d} - (d+1)/2`, for k = `count`."""
    return np.asarray(to_the(factorial(d) * count, 1 / d) - shift * (d + 1))


def coefficients(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """The coefficients of degree m against both bounds, at any place in their block."""
    k, power = rank_in_block(m, d, share), alpha + d
    found = to_the(m, -power)
    below = to_the(factorial(d) * (k - 1), -power / d)
    return le(below, found, name="from below") & ge(to_the(shortened(k, d), -power), found, name="from above")


def rest(count: Array, d: Array, alpha: Array) -> Array:
    """F(N) for N = `count`."""
    return np.asarray(d / alpha * to_the(factorial(d), -(alpha + d) / d) * to_the(count, -alpha / d))


def beyond(m: Array, d: Array, share: Array) -> Array:
    """How many coefficients come before a place in the block of degree m."""
    return np.asarray(up_to_degree(m - 1, d) + share * of_degree(m, d))


def tail(m: Array, d: Array, share: Array, alpha: Array) -> Array:
    """The sum beyond a place in the block of degree m, over what is left of it and the next blocks, with F of the rest."""
    left = (1 - share) * of_degree(m, d)
    found = left * to_the(m, -(alpha + d))
    for further in range(1, BLOCKS):
        found = found + of_degree(m + further, d) * to_the(m + further, -(alpha + d))
    return np.asarray(found + rest(up_to_degree(m + BLOCKS - 1, d), d, alpha))


def tails(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """The tail beyond a place in the block of degree m against both bounds."""
    count = beyond(m, d, share)
    reach = shortened(count, d)
    above = d / alpha / factorial(d) * to_the(1 + (d + 1) / (2 * reach), d - 1) * to_the(reach, -alpha)
    found = tail(m, d, share, alpha)
    return ge(found, rest(count, d, alpha), name="from below") & le(found, above, name="from above")


def has_room(m: Array, d: Array, share: Array) -> npt.NDArray[np.bool_]:
    """Whether the base of the upper bound of the tail is positive: it is that of the coefficients everywhere."""
    return np.asarray(compare(power_of(0 * d + 2, d) * factorial(d) * beyond(m, d, share), power_of(d + 1, d)) > 0)


def tail_in_the_plane(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The tail for d = 2 and alpha = 1 beyond all monomials of a degree, at most so many."""
    from scipy.special import zeta

    # the sum of (j + 1) / j^3 over j > m
    m = np.floor((np.sqrt(8 * counts + 1) - 3) / 2)
    return np.asarray(zeta(2, m + 1) + zeta(3, m + 1))


# False variants


def without_the_factorial(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """The number of the coefficient itself."""
    return le(to_the(rank_in_block(m, d, share) - 1, -(alpha + d) / d), to_the(m, -(alpha + d)))


def exponent_without_the_dimension(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """The exponent alpha / d for the coefficients."""
    k = rank_in_block(m, d, share)
    return le(to_the(factorial(d) * (k - 1), -alpha / d), to_the(m, -(alpha + d)))


def a_smaller_shift(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """The shift d / 2 for (d + 1) / 2."""
    k = rank_in_block(m, d, share)
    base = to_the(factorial(d) * k, 1 / d) - d / 2
    return ge(to_the(base, -(alpha + d)), to_the(m, -(alpha + d)))


def tail_without_the_dimension(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """1 / alpha for d / alpha."""
    count = beyond(m, d, share)
    reach = shortened(count, d)
    above = 1 / alpha / factorial(d) * to_the(1 + (d + 1) / (2 * reach), d - 1) * to_the(reach, -alpha)
    return le(tail(m, d, share, alpha), above)


def tail_of_the_coefficients_exponent(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """The exponent of the coefficients for that of the tail."""
    count = beyond(m, d, share)
    return le(tail(m, d, share, alpha), d / alpha * to_the(shortened(count, d), -(alpha + d)))


def with_the_limit_above(m: Array, d: Array, share: Array, alpha: Array) -> Relation:
    """F itself as a bound from above."""
    count = beyond(m, d, share)
    return le(tail(m, d, share, alpha), rest(count, d, alpha))


def far_out(dimension: int, share: int, degree: int = 10**8) -> dict[str, Any]:
    """The first or the last place in the block of a large degree."""
    return {"m": rationals(degree), "d": rationals(dimension), "share": rationals(share), "alpha": rationals("3/2")}


def degree(digits: Array, zeros: Array) -> Array:
    """A degree of any order of magnitude."""
    return np.asarray(digits * product_of([0 * zeros + 10] * MOST_ZEROS, zeros))


VARIABLES = {
    "m": derived(degree, digits=integers(1, 99), zeros=integers(0, MOST_ZEROS)),
    "d": integers(1, MOST_VARIABLES),
    "share": interval(0, 1),
    "alpha": interval(1 / 16, 4),
}
ROOM = {"the base on the right is positive": has_room}
BOTH = ("from below", "from above")
LIMIT = "the bounds are limits for large N"

COEFFICIENTS = Claim(
    id="symmetry_learning.kernel_rate.coefficients",
    title="The k-th largest coefficient decays like the power (alpha + d)/d of k",
    source=SOURCE,
    statement=coefficients,
    domain=Domain(VARIABLES),
    tight={
        "one variable": Tight(partial(far_out, 1, 0, 5)),
        "first of its degree": Tight(partial(far_out, 2, 0), 1e-7, LIMIT, of=("from below",)),
        "last of its degree": Tight(partial(far_out, 2, 1), 1e-7, LIMIT, of=("from above",)),
    },
    false_neighbours={
        "without the factorial": without_the_factorial,
        "the exponent alpha/d": exponent_without_the_dimension,
        "a smaller shift": a_smaller_shift,
    },
)

CLAIM = Claim(
    id="symmetry_learning.kernel_rate",
    title="Kernel methods pay for the dimension: the tail beyond N decays like the power alpha/d of N",
    source=SOURCE,
    statement=tails,
    domain=Domain(VARIABLES, hypotheses=ROOM),
    tight={
        "far out in one variable": Tight(partial(far_out, 1, 0), 1e-7, LIMIT, of=BOTH),
        "far out in the plane": Tight(partial(far_out, 2, 1), 1e-7, LIMIT, of=BOTH),
    },
    false_neighbours={
        "without the dimension": tail_without_the_dimension,
        "the exponent of the coefficients": tail_of_the_coefficients_exponent,
        "the limit from above": with_the_limit_above,
    },
    rate=Rate(tail_in_the_plane, (45, 190, 780, 3160, 12720, 51040, 204480), -0.5),
)
