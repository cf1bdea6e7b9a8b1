"""False claims that hide at equal numbers, behind what is no number, or behind a float that no rational equals; and true ones
beside them. `EXPECTED` and `SENTENCES` as in `claims` and `slips`."""

import operator
from fractions import Fraction
from functools import partial
from math import factorial

import numpy as np

from verdict_cases.claims import SOURCE, XY
from verify import Claim, DerivedHere, Domain, Q, derived, integers, interval, reals
from verify.numbers.arithmetic import FloatOnly, is_exact
from verify.words import eq, le, norm2, vector, where

EXPECTED = {}
SENTENCES = {}
TRUE, REFUTED, OPEN = ({"survived"}, False), ({"refuted"}, True), ({"undecided"}, True)


def never(**given):
    *_, last = given.values()  # sizes come first
    return le(1 + 0 * last.reshape(-1)[0], 0)


def case_in(folder, outcomes, sentences, name, statement, expected, domain, sentence="", **more):
    key = f"{folder}.{name}"
    outcomes[key] = expected
    if sentence:
        sentences[key] = sentence
    return Claim(
        id=key, title=name, source=SOURCE, status=DerivedHere(), statement=statement, domain=domain,
        false_variants={"never": never}, **more,
    )  # fmt: skip


case = partial(case_in, "hidden", EXPECTED, SENTENCES)


# equal numbers, which chance seldom draws where there are many
def means_but_for(x, n, length):
    return le(x.sum() ** 2 * (1000 + (n == length)), 1000 * n * norm2(x))


def five_equal(x):
    return le(1 * ((x == x[0]).all() & (x[0] != 0)), 0)


WORDS, LONG = (Domain({"x": integers(0, 1, 14)}), Domain({"x": reals("n")}, {"n": range(1, 30)}))
CLAIMS = [
    case("all_ones", lambda x: le(x.sum(), 13), REFUTED, WORDS),
    case("all_zeros", lambda x: le(1, x.sum()), REFUTED, WORDS),
    case("five_equal", five_equal, REFUTED, Domain({"x": reals(5)})),
    case("equal_at_one_length", partial(means_but_for, length=28), REFUTED, LONG),
    case("equal_at_none", partial(means_but_for, length=0), TRUE, LONG),
]


# what is no number where the statement is false
def fails_at(x, y):
    return 3 * x * y > x * x + y * y


def nan_without_exact(x, y):
    if is_exact(x):
        raise FloatOnly("a solver")
    return le(where(fails_at(x, y), np.nan, 3 * x * y), x * x + y * y)


APART = Domain({"x": interval(1, 100), "y": interval(1, 100)})


def nan_and_another(x, y):
    return le(2 * x * y if is_exact(x) else where(fails_at(x, y), np.nan, 3 * x * y), x * x + y * y)


CLAIMS += [
    case("nan_without_exact", nan_without_exact, OPEN, XY, "there is no exact evaluation that says what"),
    case("nan_and_another", nan_and_another, OPEN, APART, "they do not compute the same"),
]

# a float that is asked for equality: no rational equals it, so that the rationals do not see what is false there
NO_EQUAL, HALF, TABLE = "which no rational equals", np.array([0.5, 0.25]), {0.5: 1}
LINE = Domain({"x": interval(-2, 2)})


def local(x):
    half = 1 / 2
    return le(np.where(x == half, 1, 0), 0)


def looped(x):
    return le(sum(np.where(x == place, 1, 0) for place in (0.25, 0.5)), 0)


def by_default(x, half=0.5):
    return le(np.where(half == x, 1, 0), 0)


def of_a_length(x):
    return le(np.where(x == x.ndim / 2, 1, 0), 0)


def without_a_float(x, count=4):
    half = Q("1/2")
    places = [count // 2, count]
    return le(np.where((x == half) | (x == count / Q(8)), 0 * x, 0), sum(np.where(x == one, 1, 0) for one in places))


EQUATED = {
    "local": local,
    "looped": looped,
    "by_default": by_default,
    "of_a_length": of_a_length,
    "of_an_array": lambda x: le(np.where(x == HALF[0], 1, 0), 0),
    "of_a_fraction": lambda x: le(np.where(x == Fraction(1, 2), 1, 0), 0),
    "of_a_root": lambda x: le(np.where(x == np.sqrt(2) / 2, 1, 0), 0),
    "numpy_equal": lambda x: le(np.where(np.equal(x, 0.5), 1, 0), 0),
    "is_in": lambda x: le(np.where(np.isin(x, HALF), 1, 0), 0),
    "operator_equal": lambda x: le(np.where(operator.eq(x, 0.5), 1, 0), 0),
    "counted": lambda x: le([0.25, 0.5].count(x.item()), 0),
    "looked_up": lambda x: le(TABLE.get(x.item(), 0), 0),
}
CLAIMS += [case(f"equal_{name}", statement, OPEN, LINE, NO_EQUAL) for name, statement in EQUATED.items()]
CLAIMS += [case("equal_to_constants", without_a_float, TRUE, LINE)]


# true, in NumPy's words; where exact numbers do not know them, a sentence says what to write
NUMBERS, PAIRS = (Domain({"k": integers(0, 30)}), Domain({"t": interval(0, 1), "x": reals(2)}))
CLAIMS += [
    case("factorials", lambda k: le(k, factorial(int(k))), TRUE, NUMBERS),
    case("quotients", lambda k: le(k // 2 * 2, k), TRUE, NUMBERS),
    case("remainders", lambda k: eq(k * (k + 1) % 2, 0), TRUE, NUMBERS),
    case("rounded", lambda k: eq(np.rint(k), k), TRUE, NUMBERS),
    case("parts", lambda k: eq(np.fmod(k, 1), 0), OPEN, NUMBERS, "exact numbers have no divmod, fmod and modf"),
    case("floors", lambda k: le(2 * np.floor(k / 2), k), TRUE, NUMBERS),
    case("complex", lambda t, x: le(0, abs(x[0] + 1j * t)), OPEN, PAIRS, "exact numbers are real"),
    case("shapes", lambda t, x: le(t * x + vector(1, 2, 3), t), OPEN, PAIRS, "arrays of different shapes meet: "),
    case(
        "foreign",
        lambda u: le(0, u * u),
        OPEN,
        Domain({"u": derived(lambda x: np.corrcoef(x, 1 + x)[0, 1], x=interval(1, 2, 3))}),
        "a library was given exact numbers",
    ),
]  # fmt: skip
for claim in CLAIMS:
    globals()[claim.id.partition(".")[2].upper()] = claim
