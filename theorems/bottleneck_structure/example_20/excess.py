r"""Example 20: the excess over 3L vanishes like :math:`12 L^{1 - 2\gamma}`, for exponents between 1/2 and 1.

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
Sharp
    Small :math:`\epsilon`, large L.
Source
    bottleneck_structure, Appendix D.1, Example 20; the bounds on both sides are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.diverging import excess, remainder, stretching
from verify import Claim, Domain, Ours, Q, Rate, Relation, Source, Tight, eq, ge, integers, interval, le
from verify.arithmetic import Array, compare, exp, log, rational, rationals

HALF = Q("1/2")


def bracket_between(epsilon: Array, lower: int = 24, second: int = 1, upper: int = 24, exponent: int = 1) -> Relation:
    """The two bounds on the bracket."""
    square = epsilon * epsilon
    below = ge(stretching(epsilon), lower * square * (1 + second * square), name="below")
    return below & le(stretching(epsilon), upper * square * exp(exponent * square), name="above")


def coefficients_of_the_series() -> Relation:
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
    starts = eq(rationals(first[:2]), rationals([24, 24]), over=1) & le(rationals(first), rationals(bounds), over=1)
    return starts & ge(coefficients, rationals([0]), over=1)


def vanishes_between(middle: Array, gamma: Array, factor: int = 12, slow: Q = HALF, fast: int = 1) -> Relation:
    """The two sides of order 12 L^(1 - 2 gamma), and what the excess does not fall below outside of the interval."""
    depth = 2 * middle + 2
    epsilon = exp(-gamma * log(depth))
    cost, square = excess(middle, epsilon), epsilon * epsilon
    one = 1 + 0 * gamma
    ends = np.where(compare(gamma - fast, 0) >= 0, 2 * exp(-one) + exp(-2 * one), 0 * one)
    floor = np.where(compare(gamma - slow, 0) <= 0, 12 * (depth - 2) / depth, ends)
    return (
        ge(middle * stretching(epsilon), factor * (depth - 2) * square, name="below")
        & le(middle * stretching(epsilon), factor * depth * square * exp(square), name="above")
        & ge(cost, floor, name="floor")
    )


def scaled_excess(gamma: Fraction, depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""The excess for :math:`\epsilon = L^{-\gamma}` at each depth."""
    return excess((depths - 2) / 2, depths ** -float(gamma))


def three_exponents() -> Relation:
    r"""At depth :math:`10^{40}`, the excess for the exponents 3/5, 3/4 and 9/10 is :math:`12 L^{1 - 2\gamma}` up to 1e-12."""
    gamma, middle = rationals(["3/5", "3/4", "9/10"]), rationals([10**40 // 2 - 1])
    length = log(2 * middle + 2)
    ratio = excess(middle, exp(-gamma * length)) / (12 * exp((1 - 2 * gamma) * length))
    return le(ratio, 1 + rationals(["1e-12"]), over=1) & ge(ratio, 1 - rationals(["1e-12"]), over=1)


def limit_of_fast(depth: Array) -> Array:
    r""":math:`2/e + e^{-2}`, in the arithmetic of `depth`."""
    one = 1 + 0 * depth
    return np.asarray(2 * exp(-one) + exp(-2 * one))


def limits_at_the_ends(middle: Array, slow: int = 12, second: int = 24, fast: int = 12) -> Relation:
    r"""How close the excess is to its limits for :math:`\gamma = 1/2` and :math:`\gamma = 1`."""
    depth = 2 * middle + 2
    one, root = 1 + 0 * depth, exp(log(depth) / 2)
    tending, limit = excess(middle, 1 / root), limit_of_fast(depth)
    cost = excess(middle, 1 / depth)
    width = (fast + 4 * exp(-one) + 4 * exp(-2 * one)) / depth
    return (
        ge(tending, slow - slow / depth - second / depth**2, name="1/2, from below")
        & le(tending, slow * one, name="1/2, from above")
        & ge(cost, limit, name="1, from below")
        & le(cost, limit + width, name="1, from above")
    )


def distance_to_the_limit(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""The excess for :math:`\epsilon = 1/L` minus its limit, without cancellation."""
    middle = (depths - 2) / 2
    stretching = excess(middle, 1 / depths) - remainder(middle, 1 / depths)
    return np.asarray(stretching + 2 * np.exp(-1) * np.expm1(2 / depths) + np.exp(-2) * np.expm1(4 / depths))


# False variants


def no_exponential_above(epsilon: Array) -> Relation:
    """The first coefficient alone."""
    return le(stretching(epsilon), 24 * epsilon * epsilon)


def twice_the_second_term(epsilon: Array) -> Relation:
    """1 + 2 epsilon^2 below."""
    return bracket_between(epsilon, second=2)


def floor_up_to(slow: Q, middle: Array, gamma: Array) -> Relation:
    """The floor of slow growth for larger exponents than 1/2."""
    return vanishes_between(middle, gamma, slow=slow)


def floor_from(fast: Q, middle: Array, gamma: Array) -> Relation:
    """The floor of fast growth for smaller exponents than 1."""
    depth = 2 * middle + 2
    one = 1 + 0 * gamma
    floor = np.where(compare(gamma - fast, 0) >= 0, 2 * exp(-one) + exp(-2 * one), 0 * one)
    return ge(excess(middle, exp(-gamma * log(depth))), floor)


def without_the_second_order(middle: Array) -> Relation:
    """The first limit up to 12/L."""
    return limits_at_the_ends(middle, second=0)


def limit_without_square(middle: Array) -> Relation:
    """The second limit 2/e."""
    depth = 2 * middle + 2
    one = 1 + 0 * depth
    width = (12 + 4 * exp(-one) + 4 * exp(-2 * one)) / depth
    return le(excess(middle, 1 / depth) - 2 * exp(-one), width)


def at_depth(exponent: str) -> dict[str, Any]:
    """A large depth."""
    return {"middle": rationals([10**9]), "gamma": rationals([exponent])}


SOURCE = Source("bottleneck_structure", "Example 20")
OURS = Source("bottleneck_structure", "ours")
DEPTH = {"middle": integers(0, 10**9)}
LARGE = "equality is approached for large depths"

EXCESS = Claim(
    id="bottleneck_structure.example_20.excess",
    title="The excess over 3L lies between two power series",
    source=OURS,
    status=Ours(),
    statement=bracket_between,
    domain=Domain({"epsilon": interval(0, 4, role="free")}),
    tight={
        "little growth": Tight(
            lambda: {"epsilon": rationals(["1/1048576"])},
            relative_slack=1e-20,
            why="the series agree up to the third term",
            of=("below", "above"),
        )
    },
    false_variants={"1 + 2 e^2 below": twice_the_second_term, "no exponential above": no_exponential_above},
    exact={"coefficients of the series": coefficients_of_the_series},
    proof="coefficients of the series",
    argument="the three sides are power series in the square of epsilon, which are compared coefficient by coefficient",
)

RATE = Claim(
    id="bottleneck_structure.example_20.rate",
    title="The excess vanishes like 12 L^(1 - 2g), exactly for growth exponents g between 1/2 and 1",
    source=SOURCE,
    statement=vanishes_between,
    domain=Domain({**DEPTH, "gamma": interval(0, 2, often=(Fraction(1, 2), 1))}),
    tight={
        "exponent 2": Tight(partial(at_depth, "2"), relative_slack=1e-8, why=LARGE, of=("below", "above")),
        "exponent 1/2": Tight(partial(at_depth, "1/2"), relative_slack=1e-8, why=LARGE, of=("floor",)),
        "exponent 1": Tight(partial(at_depth, "1"), relative_slack=1e-7, why=LARGE, of=("floor",)),
    },
    false_variants={
        "does not vanish for g = 0.51": partial(floor_up_to, Q("51/100")),
        "does not vanish for g = 0.99": partial(floor_from, Q("99/100")),
    },
    exact={"three exponents at depth 10^40": three_exponents},
    rate=Rate(partial(scaled_excess, Fraction(3, 4)), tuple(10**k for k in range(6, 20)), -0.5),
)

LIMITS = Claim(
    id="bottleneck_structure.example_20.limits",
    title="At the ends of the range the excess tends to 12 and to 2/e + 1/e^2",
    source=OURS,
    status=Ours(),
    statement=limits_at_the_ends,
    domain=Domain(DEPTH),
    tight={
        "a large depth": Tight(
            lambda: {"middle": rationals([10**9])},
            relative_slack=1e-7,
            why=LARGE,
            of=("1/2, from below", "1/2, from above", "1, from below", "1, from above"),
        )
    },
    loose={"second": "the term of order 1/L^2 is a round number above 18"},
    false_variants={"without the term of order 1/L^2": without_the_second_order, "limit 2/e": limit_without_square},
    rate=Rate(distance_to_the_limit, tuple(10**k for k in range(3, 13)), -1.0),
)
