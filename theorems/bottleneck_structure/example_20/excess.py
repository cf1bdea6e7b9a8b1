r"""Example 20: the excess over 3L vanishes like :math:`12 L^{1 - 2\gamma}`.

Statement
    For :math:`\epsilon = L^{-\gamma}` the excess :math:`E = m\,[4(\cosh 2\epsilon - 1) + 2(\cosh 4\epsilon - 1)] +
    2 e^{-2m\epsilon} + e^{-4m\epsilon}`, :math:`m = (L - 2)/2`, vanishes exactly for :math:`\gamma \in (1/2, 1)`.
Checked
    For every :math:`\epsilon \ge 0`: :math:`24\epsilon^2(1 + \epsilon^2) \le [\ldots] \le 24\epsilon^2 e^{\epsilon^2}`. For
    every depth and exponent: E lies between two sides of order :math:`12 L^{1 - 2\gamma}`, does not fall below
    :math:`12(L-2)/L` for :math:`\gamma \le 1/2`, nor below :math:`2/e + e^{-2}` for :math:`\gamma \ge 1`. At the ends,

    .. math:: 0 \le 12 - E \le \frac{12}{L} + \frac{24}{L^2} , \qquad
              0 \le E - \frac2e - \frac1{e^2} \le \Bigl(12 + \frac4e + \frac4{e^2}\Bigr) \frac1L .

    The exponents are fitted over ladders of depths, and decided at depth :math:`10^{40}`.
Proof idea
    The power series of the bracket has the coefficients :math:`(4 \cdot 4^{n+1} + 2 \cdot 16^{n+1})/(2n+2)!`, from 24 on.
Tight
    Small :math:`\epsilon`, large L.
Source
    bottleneck_structure, Appendix D.1, Example 20; the bounds on both sides are derived here.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions import diverging
from verify import Claim, DerivedHere, Domain, Q, Rate, Source, Tight, integers, interval
from verify.numbers.arithmetic import rational, rationals
from verify.words import eq, exp, ge, le, lifted, log, where

HALF = Q(1, 2)
bracket, E = lifted(diverging.stretching), lifted(diverging.excess)


def bracket_between(epsilon, lower=24, second=1, upper=24, exponent=1):
    square = epsilon * epsilon
    return ge(bracket(epsilon), lower * square * (1 + second * square), name="below") & le(
        bracket(epsilon), upper * square * exp(exponent * square), name="above"
    )


def no_exponential_above(epsilon):
    """The first coefficient alone."""
    return le(bracket(epsilon), 24 * epsilon * epsilon)


def coefficients_of_the_series():
    r"""The bracket is :math:`\sum_n c_n \epsilon^{2n+2}` with :math:`c_n = (4 \cdot 4^{n+1} + 2 \cdot 16^{n+1})/(2n+2)!`.

    The first two are 24 and all are positive: the lower bound. The upper one is :math:`c_n \le 24/n!`: for n up to 2 by their
    values; from there on :math:`c_{n+1}/c_n \le 16/((2n+3)(2n+4))` is at most :math:`1/(n+1)`, because
    :math:`(2n+3)(2n+4) - 16(n+1)` has no negative coefficient in n - 2.
    """
    import sympy as sp

    n, u = sp.symbols("n u")
    first = [rational(4 * 4 ** (j + 1) + 2 * 16 ** (j + 1)) / rational(int(sp.factorial(2 * j + 2))) for j in range(3)]
    bounds = [rational(24) / rational(int(sp.factorial(j))) for j in range(3)]
    polynomial = sp.Poly(((2 * n + 3) * (2 * n + 4) - 16 * (n + 1)).subs(n, u + 2), u)
    coefficients = rationals([int(value) for value in polynomial.all_coeffs()])
    starts = eq(rationals(first[:2]), 24) & le(rationals(first), rationals(bounds))
    return starts & ge(coefficients, 0)


def fast_limit():
    r""":math:`2/e + e^{-2}`."""
    return 2 * exp(-1) + exp(-2)


def vanishes_between(m, gamma, factor=12, slow=HALF, fast=1):
    """Both sides of order 12 L^(1 - 2 gamma), and what E does not fall below outside of the interval."""
    L = 2 * m + 2
    epsilon = exp(-gamma * log(L))
    floor = where(gamma <= slow, 12 * (L - 2) / L, where(gamma >= fast, fast_limit(), 0))
    return (
        ge(m * bracket(epsilon), factor * (L - 2) * epsilon**2, name="below")
        & le(m * bracket(epsilon), factor * L * epsilon**2 * exp(epsilon**2), name="above")
        & ge(E(m, epsilon), floor, name="floor")
    )


def scaled_excess(gamma, depths):
    r"""The excess for :math:`\epsilon = L^{-\gamma}` at each depth."""
    return diverging.excess((depths - 2) / 2, depths**-gamma)


def three_exponents():
    r"""At depth :math:`10^{40}`, the excess for the exponents 3/5, 3/4 and 9/10 is :math:`12 L^{1 - 2\gamma}` up to 1e-12."""
    gamma, L = rationals(["3/5", "3/4", "9/10"]), rational(10**40)
    ratio = E(L / 2 - 1, exp(-gamma * log(L))) / (12 * exp((1 - 2 * gamma) * log(L)))
    return le(ratio, 1 + rational("1e-12")) & ge(ratio, 1 - rational("1e-12"))


def limits_at_the_ends(m, slow=12, second=24, fast=12):
    r"""How close E is to its limits for :math:`\gamma = 1/2` and :math:`\gamma = 1`."""
    L = 2 * m + 2
    half, one = E(m, exp(-log(L) / 2)), E(m, 1 / L)
    return (
        ge(half, slow - slow / L - second / L**2, name="1/2, from below")
        & le(half, slow, name="1/2, from above")
        & ge(one, fast_limit(), name="1, from below")
        & le(one, fast_limit() + (fast + 4 * exp(-1) + 4 * exp(-2)) / L, name="1, from above")
    )


def limit_without_square(m):
    L = 2 * m + 2
    return le(E(m, 1 / L) - 2 * exp(-1), (12 + 4 * exp(-1) + 4 * exp(-2)) / L)


def distance_to_the_limit(depths):
    r"""The excess for :math:`\epsilon = 1/L` minus its limit, without cancellation."""
    m = (depths - 2) / 2
    return m * diverging.stretching(1 / depths) + 2 * np.exp(-1) * np.expm1(2 / depths) + np.exp(-2) * np.expm1(4 / depths)


OURS, SOURCE = Source("bottleneck_structure", "derived here"), Source("bottleneck_structure", "Example 20")
LARGE = "equality is approached for large depths"

EXCESS = Claim(
    id="bottleneck_structure.example_20.excess",
    title="The excess over 3L lies between two power series",
    source=OURS,
    status=DerivedHere(),
    statement=bracket_between,
    domain=Domain({"epsilon": interval(0, 4, role="free")}),
    tight={
        "little growth": Tight(
            lambda: {"epsilon": "1/1048576"}, 1e-20, "the series agree up to the third term", of=("below", "above")
        )
    },
    false_variants={"1 + 2 e^2 below": {"second": 2}, "no exponential above": no_exponential_above},
    exact={"coefficients of the series": coefficients_of_the_series},
    proof="coefficients of the series",
    argument="the three sides are power series in the square of epsilon, which are compared coefficient by coefficient",
)

RATE = Claim(
    id="bottleneck_structure.example_20.rate",
    title="The excess vanishes like 12 L^(1 - 2g) for growth 1/2 < g < 1",
    source=SOURCE,
    statement=vanishes_between,
    domain=Domain({"m": integers(0, 10**9), "gamma": interval(0, 2, often=(Q(1, 2), 1))}),
    tight={
        "exponent 2": Tight(lambda: {"m": 10**9, "gamma": 2}, 1e-8, LARGE, of=("below", "above")),
        "exponent 1/2": Tight(lambda: {"m": 10**9, "gamma": "1/2"}, 1e-8, LARGE, of=("floor",)),
        "exponent 1": Tight(lambda: {"m": 10**9, "gamma": 1}, 1e-7, LARGE, of=("floor",)),
    },
    false_variants={
        "does not vanish for g = 0.51": {"slow": Q(51, 100)},
        "does not vanish for g = 0.99": {"fast": Q(99, 100)},
    },
    exact={"three exponents at depth 10^40": three_exponents},
    rate=Rate(partial(scaled_excess, 3 / 4), tuple(10**k for k in range(6, 20)), -0.5),
)

LIMITS = Claim(
    id="bottleneck_structure.example_20.limits",
    title="At the ends of the range the excess tends to 12 and to 2/e + 1/e^2",
    source=OURS,
    status=DerivedHere(),
    statement=limits_at_the_ends,
    domain=Domain({"m": integers(0, 10**9)}),
    tight={
        "a large depth": Tight(
            lambda: {"m": 10**9},
            1e-7,
            LARGE,
            of=("1/2, from below", "1/2, from above", "1, from below", "1, from above"),
        )
    },
    not_known_tight={"second": "the term of order 1/L^2 is a round number above 18"},
    false_variants={"without the term of order 1/L^2": {"second": 0}, "limit 2/e": limit_without_square},
    rate=Rate(distance_to_the_limit, tuple(10**k for k in range(3, 13)), -1.0),
)
