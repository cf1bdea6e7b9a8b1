"""Claims about integers near numbers that floats do not tell from them, on thin sets, with calls that answer otherwise on exact
numbers, and with a memory; false ones and true ones. `EXPECTED` and `SENTENCES` as in `claims` and `slips`."""

import math
import random
from functools import partial

import numpy as np

from verdict_cases.claims import XY
from verdict_cases.hidden import OPEN, REFUTED, TRUE, case_in
from verify import Domain, Q, eq, ge, integers, interval, le, reals
from verify.arithmetic import compare, exp, log, power, sqrt

EXPECTED = {}
SENTENCES = {}
TRUE_OR_OPEN, FALSE_OR_OPEN = ({"holds", "undecided"}, None), ({"refuted", "undecided"}, True)
case = partial(case_in, "rounded", EXPECTED, SENTENCES)


# a root just below or above an integer: a float is that integer
TINY = Q(1, 10**20)
FEW, MANY, HUGE = (Domain({"n": integers(1, upper)}) for upper in (30, 10**6, 2**53))
BELOW, ABOVE = (lambda n: sqrt(n * n - TINY)), (lambda n: sqrt(n * n + TINY))


def with_the_module_math(n):
    return le(np.array([math.floor(BELOW(one)) for one in n]), n)


ROUNDINGS = [
    case("floor_below", lambda n: le(np.floor(BELOW(n)), n - 1), TRUE_OR_OPEN, FEW),
    case("floor_below_false", lambda n: ge(np.floor(BELOW(n)), n), FALSE_OR_OPEN, FEW),
    case("ceil_above", lambda n: ge(np.ceil(ABOVE(n)), n + 1), TRUE_OR_OPEN, FEW),
    case("ceil_above_false", lambda n: le(np.ceil(ABOVE(n)), n), FALSE_OR_OPEN, FEW),
    case("trunc_below_false", lambda n: le(np.trunc(-BELOW(n)), -n), FALSE_OR_OPEN, FEW),
    case("floor_of_a_large_root", lambda n: le(np.floor(sqrt(n * n + 2 * n)), n), TRUE, HUGE),
    case("ceil_of_a_logarithm", lambda n: eq(np.ceil(log(power(2, 60) + 0 * n + 1) / log(2)), 61), TRUE_OR_OPEN, FEW),
    case("floor_of_an_integer_in_disguise", lambda n: eq(np.floor(sqrt(8 * n * n) * sqrt(2)), 4 * n), TRUE_OR_OPEN, FEW),
    case("floor_of_the_module_math", with_the_module_math, OPEN, FEW, "is taken for a float"),
    case("half_a_floor", lambda n: le(np.floor(n * Q("1/2")) / 2, n), OPEN, FEW, "write Q('1/2') * numpy.floor(x)"),
]


# false on a line only, off which a step of an ulp leads
def twice_on_a_line(x, y):
    twice = (x == 2 * y) & (x > 0)
    return eq(np.where(twice, 2, 1) * (x * Q("1/3") + y) ** 2, x * x * Q("1/9") + 2 * x * y * Q("1/3") + y * y)


def joined_on_a_line(x, y):
    means = le(2 * x * y, x * x + y * y + 1, name="means")
    return means & le(np.where((x == 2 * y) & (x > 0), 1, 0), 0, name="twice")


# few integers of many
THIN = [
    case("twice_on_a_line", twice_on_a_line, REFUTED, XY),
    case("joined_on_a_line", joined_on_a_line, REFUTED, XY),
    case("not_at_zero", lambda n: ge(n, 1), REFUTED, Domain({"n": integers(0, 10**5)})),
    case("not_at_two", lambda n: ge(n * n, 3 * n - 1), REFUTED, Domain({"n": integers(1, 10**5)})),
    case("not_at_small_ones", lambda n: le(10 * log(n), n), REFUTED, MANY),
    case("not_at_the_last", lambda n: le(n, 10**6 - 1), REFUTED, MANY),
    case("one_of_961", lambda m, n: le(np.where((m == 17) & (n == 23), 1, 0), 0), REFUTED,
         Domain({"m": integers(0, 30), "n": integers(0, 30)})),
    case("whole_in_an_interval", lambda t: le(np.where(t == 2, 1, 0), 0), REFUTED, Domain({"t": interval(0, 6)})),
    case("two_equal_arrays", lambda x, y: le(np.where((x == y).all(axis=-1) & (x[..., 0] != 0), 1, 0), 0), REFUTED,
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
    case("vectorized", lambda x: ge(relu(x), x, over=1), OPEN, Domain({"x": reals(3)}), "numpy.vectorize without otypes"),
    case("without_a_source", MADE["made"], TRUE, XY),
    case("with_a_memory", every_fifth, OPEN, XY),
    case("random", seldom, OPEN, XY, "draws random numbers"),
    case("random_without_a_seed", unseeded, OPEN, XY, "draws random numbers"),
    case("random_with_a_seed", seeded, TRUE, XY),
]


# a batch that decides a branch
def by_the_signs_of_others(x):
    if (x < 0).any():
        return le(0 * x[..., 0], 1)
    return le(10 * x.sum(axis=-1) ** 2, 49 * (x * x).sum(axis=-1))


def scaled_by_the_largest(x):
    size = np.abs(x).max()
    y = x / size if size > 200 else x
    return le((y * y).sum(axis=-1), 10**5 + 0 * y[..., 0])


# a strict inequality of norms, which is a tie of balls where it is false
def strictly_subadditive(x, y):
    sizes = (sqrt((one * one).sum(axis=-1)) for one in (x, y, x + y))
    first, second, both = sizes
    return le(np.where(compare(first + second, both) > 0, 0, 1), 0)


POSITIVE = Domain({"x": reals(3), "y": reals(3)}, hypotheses={"no zero": lambda x, y: (x * y != 0).all(axis=-1)})
OTHERS = [
    case("by_the_signs_of_others", by_the_signs_of_others, FALSE_OR_OPEN, Domain({"x": reals(5)})),
    case("scaled_by_the_largest", scaled_by_the_largest, FALSE_OR_OPEN, Domain({"x": reals(3)})),
    case("strictly_subadditive", strictly_subadditive, FALSE_OR_OPEN, POSITIVE),
    case("exponential_of_a_logarithm", partial(lambda x, shift: le(exp(log(1 + x * x)), 1 + x * x + shift), shift=TINY), TRUE,
         Domain({"x": reals()})),
]  # fmt: skip

for claim in (*ROUNDINGS, *THIN, *CALLS, *OTHERS):
    globals()[claim.title.upper()] = claim
