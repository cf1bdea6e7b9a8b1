"""Claims about integers near numbers that floats do not tell from them, on thin sets, with calls that answer otherwise on exact
numbers, and with a memory; false ones and true ones. `EXPECTED` and `SENTENCES` as in `claims` and `slips`."""

import math
import random
from functools import partial

import numpy as np

from verdict_cases.claims import XY
from verdict_cases.hidden import OPEN, REFUTED, TRUE, case_in
from verify import Domain, Q, integers, interval, reals
from verify.words import eq, exp, ge, le, log, norm, power, sqrt, where

EXPECTED = {}
SENTENCES = {}
TRUE_OR_OPEN, FALSE_OR_OPEN = ({"survived", "undecided"}, None), ({"refuted", "undecided"}, True)
case = partial(case_in, "rounded", EXPECTED, SENTENCES)


# a root just below or above an integer: a float is that integer
TINY = Q(1, 10**20)
FEW, MANY, HUGE = (Domain({"n": integers(1, upper)}) for upper in (30, 10**6, 2**53))
BELOW, ABOVE = (lambda n: sqrt(n * n - TINY)), (lambda n: sqrt(n * n + TINY))


ROUNDINGS = [
    case("floor_below", lambda n: le(np.floor(BELOW(n)), n - 1), TRUE_OR_OPEN, FEW),
    case("floor_below_false", lambda n: ge(np.floor(BELOW(n)), n), FALSE_OR_OPEN, FEW),
    case("ceil_above", lambda n: ge(np.ceil(ABOVE(n)), n + 1), TRUE_OR_OPEN, FEW),
    case("ceil_above_false", lambda n: le(np.ceil(ABOVE(n)), n), FALSE_OR_OPEN, FEW),
    case("trunc_below_false", lambda n: le(np.trunc(-BELOW(n)), -n), FALSE_OR_OPEN, FEW),
    case("floor_of_a_large_root", lambda n: le(np.floor(sqrt(n * n + 2 * n)), n), TRUE, HUGE),
    case("ceil_of_a_logarithm", lambda n: eq(np.ceil(log(power(2, 60) + 0 * n + 1) / log(2)), 61), TRUE_OR_OPEN, FEW),
    case("floor_of_an_integer_in_disguise", lambda n: eq(np.floor(sqrt(8 * n * n) * sqrt(2)), 4 * n), TRUE_OR_OPEN, FEW),
    case("floor_of_the_module_math", lambda n: le(math.floor(BELOW(n)), n - 1), TRUE_OR_OPEN, FEW),
    case("half_a_floor", lambda n: le(np.floor(n * Q("1/2")) / 2, n), TRUE, FEW),
]


# false on a line only, off which a step of an ulp leads
def twice_on_a_line(x, y):
    twice = (x == 2 * y) & (x > 0)
    return eq(where(twice, 2, 1) * (x * Q("1/3") + y) ** 2, x * x * Q("1/9") + 2 * x * y * Q("1/3") + y * y)


def joined_on_a_line(x, y):
    means = le(2 * x * y, x * x + y * y + 1, name="means")
    return means & le(1 * ((x == 2 * y) & (x > 0)), 0, name="twice")


# few integers of many
THIN = [
    case("twice_on_a_line", twice_on_a_line, REFUTED, XY),
    case("joined_on_a_line", joined_on_a_line, REFUTED, XY),
    case("not_at_zero", lambda n: ge(n, 1), REFUTED, Domain({"n": integers(0, 10**5)})),
    case("not_at_two", lambda n: ge(n * n, 3 * n - 1), REFUTED, Domain({"n": integers(1, 10**5)})),
    case("not_at_small_ones", lambda n: le(10 * log(n), n), REFUTED, MANY),
    case("not_at_the_last", lambda n: le(n, 10**6 - 1), REFUTED, MANY),
    case("one_of_961", lambda m, n: le(1 * ((m == 17) & (n == 23)), 0), REFUTED,
         Domain({"m": integers(0, 30), "n": integers(0, 30)})),
    case("whole_in_an_interval", lambda t: le(1 * (t == 2), 0), REFUTED, Domain({"t": interval(0, 6)})),
    case("two_equal_arrays", lambda x, y: le(1 * ((x == y).all() & (x[0] != 0)), 0), REFUTED,
         Domain({"x": reals(6), "y": reals(6)})),
]  # fmt: skip


# calls that answer otherwise on exact numbers, or each time
relu = np.vectorize(lambda t: t if t > 0 else 0)
SOME = Domain({"x": integers(0, 1), "y": interval(0, 2, often=(0, 1))})
MADE: dict[str, object] = {"le": le}
exec("def made(x, y): return le(2 * x * y, x * x + y * y)", MADE)
MEMORY: list[int] = []


def every_fifth(x, y):
    MEMORY.append(1)
    return le(2 * x * y * (1 + (len(MEMORY) % 5 == 0)), x * x + y * y + 1)


def seldom(x, y):
    return le(2 * x * y, x * x + y * y + (random.random() < 0.002))


def unseeded(x, y):
    return le(2 * x * y, x * x + y * y + np.random.default_rng().random())


def seeded(x, y):
    return le(2 * x * y, x * x + y * y + int(np.random.default_rng(0).integers(1, 3)))


CALLS = [
    case("logical_of_numbers", lambda x, y: le(np.logical_and(x, y), 1), OPEN, SOME, "write (x != 0) & (y != 0)"),
    case("logical_of_comparisons", lambda x, y: le(np.logical_and(x > 0, y > 0), 1), TRUE, SOME),
    case(
        "vectorized",
        lambda x: ge(relu(x), x),
        OPEN,
        Domain({"x": reals(3)}),
        "numpy.vectorize without otypes",
    ),
    case("without_a_source", MADE["made"], TRUE, XY),
    case("with_a_memory", every_fifth, OPEN, XY),
    case("random", seldom, OPEN, XY, "draws random numbers"),
    case("random_without_a_seed", unseeded, OPEN, XY, "draws random numbers"),
    case("random_with_a_seed", seeded, TRUE, XY),
]


# a strict inequality of norms, which is a tie of balls where it is false
def strictly_subadditive(x, y):
    return le(where(norm(x) + norm(y) > norm(x + y), 0, 1), 0)


POSITIVE = Domain({"x": reals(3), "y": reals(3)}, hypotheses={"no zero": lambda x, y: (x * y != 0).all()})
OTHERS = [
    case("strictly_subadditive", strictly_subadditive, FALSE_OR_OPEN, POSITIVE),
    case("exponential_of_a_logarithm", partial(lambda x, shift: le(exp(log(1 + x * x)), 1 + x * x + shift), shift=TINY), TRUE,
         Domain({"x": reals()})),
]  # fmt: skip

for claim in (*ROUNDINGS, *THIN, *CALLS, *OTHERS):
    globals()[claim.title.upper()] = claim
