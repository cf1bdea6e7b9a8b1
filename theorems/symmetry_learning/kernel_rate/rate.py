r"""The k-th largest coefficient and the tail beyond N of a series.

Statement
    Order the monomials in d variables by their degree, the constant first. For :math:`k \ge 2`, with :math:`c = (d+1)/2` and
    where the base on the right is positive,

    .. math:: (d!\,(k-1))^{-\frac{\alpha+d}d} \le |\beta_k|^2 \le \bigl((d!\,k)^{1/d} - c\bigr)^{-(\alpha+d)} .

    With :math:`F(N) = \frac d\alpha (d!)^{-\frac{\alpha+d}d} N^{-\alpha/d}` and :math:`Y = (d!\,N)^{1/d} - c`

    .. math:: F(N) \le \sum_{k > N} |\beta_k|^2 \le \frac d{\alpha\, d!} \Bigl(1 + \frac cY\Bigr)^{d-1} Y^{-\alpha} .

    For large N both sides of both are equal: :math:`|\beta_k|^2 \sim (d!\,k)^{-(\alpha+d)/d}`, and the tail is of order
    :math:`N^{-\alpha/d}`.
Checked
    Both for d = 1, 2, 3, 4, any :math:`\alpha`, every place in the block of a degree m, given by the share of the block that
    comes before it. Of the tail three blocks are added up, and of the rest the bound that is shown: both bounds tend to 0, so
    that what holds for three blocks everywhere holds for the tail.
Proof idea
    Before the first monomial of degree m there are :math:`\binom{m+d-1}d \ge m^d/d!`. With the last there are
    :math:`\binom{m+d}d \le (m+c)^d/d!`, by the inequality of means. A sum is compared with its integral.
Tight
    The coefficients of one variable. Large degrees: of the coefficients the first and the last of a degree; of the tail one
    variable and two.
Not checked
    A series whose coefficients are only of this order.
Source
    symmetry_learning, Linear models / kernel methods; the constants are derived here.
"""

from functools import partial

import numpy as np

from theorems.symmetry_learning.kernel_rate.monomials import MOST_VARIABLES, SOURCE, comb, factorial, to_the
from verify import Claim, Domain, Rate, Tight, derived, integers, interval
from verify.words import exp, ge, le, log

BLOCKS = 3
MOST_ZEROS = 6


def real_power(base, exponent):
    return exp(exponent * log(base))


def block(m, d):
    """How many monomials have degree m; before them there are m / d times as many."""
    return comb(m + d - 1, d - 1)


def place(m, d, share):
    """The number k of a monomial of degree m, from the first to the last of them."""
    size = block(m, d)
    return m / d * size + 1 + share * (size - 1)


def shortened(N, d):
    """Y."""
    return real_power(factorial(d) * N, 1 / d) - (d + 1) / 2


def coefficients(m, d, share, alpha):
    k, beta2 = place(m, d, share), real_power(m, -(alpha + d))
    below = real_power(factorial(d) * (k - 1), -(alpha + d) / d)
    return le(below, beta2, name="from below") & ge(real_power(shortened(k, d), -(alpha + d)), beta2, name="from above")


def without_the_factorial(m, d, share, alpha):
    return le(real_power(place(m, d, share) - 1, -(alpha + d) / d), real_power(m, -(alpha + d)))


def exponent_without_the_dimension(m, d, share, alpha):
    return le(real_power(factorial(d) * (place(m, d, share) - 1), -alpha / d), real_power(m, -(alpha + d)))


def a_smaller_shift(m, d, share, alpha):
    Y = real_power(factorial(d) * place(m, d, share), 1 / d) - d / 2
    return ge(real_power(Y, -(alpha + d)), real_power(m, -(alpha + d)))


def limit(N, d, alpha):
    """F(N)."""
    return d / alpha * real_power(factorial(d), -(alpha + d) / d) * real_power(N, -alpha / d)


def before(m, d, share):
    """How many coefficients N come before a place in the block of degree m."""
    return (m / d + share) * block(m, d)


def bound(N, d, alpha, power=1):
    """The bound from above."""
    Y = shortened(N, d)
    return d / alpha / factorial(d) * real_power(1 + (d + 1) / (2 * Y), power * (d - 1)) * real_power(Y, -alpha)


def tail(m, d, share, alpha, of_the_rest):
    """The sum of what is left of the block and of the next ones, and a bound of the rest."""
    power, end = -(alpha + d), m + BLOCKS
    left = (1 - share) * block(m, d) * real_power(m, power)
    further = sum(block(m + j, d) * real_power(m + j, power) for j in range(1, BLOCKS))
    return left + further + of_the_rest(before(end, d, 0), d, alpha)


def tails(m, d, share, alpha):
    N = before(m, d, share)
    below = ge(tail(m, d, share, alpha, limit), limit(N, d, alpha), name="from below")
    return below & le(tail(m, d, share, alpha, bound), bound(N, d, alpha), name="from above")


def bounded_by(other):
    """A statement with another bound from above."""
    return lambda m, d, share, alpha: le(tail(m, d, share, alpha, other), other(before(m, d, share), d, alpha))


def without_the_dimension(N, d, alpha):
    return bound(N, d, alpha) / d


def exponent_of_the_coefficients(N, d, alpha):
    return d / alpha * real_power(shortened(N, d), -(alpha + d))


def no_factor(N, d, alpha):
    return bound(N, d, alpha, power=0)


def has_room(m, d, share):
    # Y > 0; of the coefficients the base is positive everywhere
    return to_the(2, d) * factorial(d) * before(m, d, share) > to_the(d + 1, d)


def tail_in_the_plane(counts):
    """The tail for d = 2 and alpha = 1 beyond all monomials of a degree, at most so many."""
    from scipy.special import zeta

    # the sum of (j + 1) / j^3 over j > m
    m = np.floor((np.sqrt(8 * counts + 1) - 3) / 2)
    return zeta(2, m + 1) + zeta(3, m + 1)


def degree(digits, nulls):
    """A degree of any order of magnitude."""
    return digits * to_the(10, nulls, MOST_ZEROS)


def far_out(d, share, m=10**8):
    """The first or the last place in the block of a large degree."""
    return {"m": m, "d": d, "share": share, "alpha": "3/2"}


VARIABLES = {
    "m": derived(degree, digits=integers(1, 99), nulls=integers(0, MOST_ZEROS)),
    "d": integers(1, MOST_VARIABLES),
    "share": interval(0, 1),
    "alpha": interval(1 / 16, 4),
}
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
    false_variants={
        "without the factorial": without_the_factorial,
        "the exponent alpha/d": exponent_without_the_dimension,
        "a smaller shift": a_smaller_shift,
    },
)

CLAIM = Claim(
    id="symmetry_learning.kernel_rate",
    title="Kernel methods: the tail beyond N decays like the power alpha/d of N",
    source=SOURCE,
    statement=tails,
    domain=Domain(VARIABLES, hypotheses={"the base on the right is positive": has_room}),
    tight={
        "far out in one variable": Tight(partial(far_out, 1, 0), 1e-7, LIMIT, of=BOTH),
        "far out in the plane": Tight(partial(far_out, 2, 1), 1e-7, LIMIT, of=BOTH),
    },
    false_variants={
        "without the dimension": bounded_by(without_the_dimension),
        "the exponent of the coefficients": bounded_by(exponent_of_the_coefficients),
        "the limit from above": bounded_by(limit),
        "without the first factor": bounded_by(no_factor),
    },
    rate=Rate(tail_in_the_plane, (45, 190, 780, 3160, 12720, 51040, 204480), -0.5),
)
