"""Claims that floats cannot tell from true or false ones."""

import numpy as np

from verdict_cases.claims import FALSE, SOURCE, XY
from verify import Claim, DerivedHere, Domain, Q, Tight, integers, interval, measured, reals
from verify.numbers.arithmetic import is_exact
from verify.words import eq, exp, ge, le, log, norm2, rank, sqrt, where

EXPECTED = {}


def case(name, statement, outcomes, problem, domain=XY, variants=None, **more):
    EXPECTED[f"ties.{name}"] = (outcomes, problem)
    return Claim(
        id=f"ties.{name}",
        title=name,
        source=SOURCE,
        status=DerivedHere(),
        statement=statement,
        domain=domain,
        false_variants=FALSE if variants is None else variants,
        **more,
    )


ROWS = Domain({"x": integers(-2, 2, 2, 3)})
NONE = {"a": lambda x: le(0, x[0, 0]), "b": lambda x: le(0, x[0, 1])}
# true: constants that are exact where the instance is
RANK = case("root_of_the_rank", lambda x: le(sqrt(rank(x)) / 3, (1 + sqrt(rank(x))) / 3), {"survived"}, False, ROWS, NONE)
THIRD = case("third_of_the_rank", lambda x: eq(rank(x) / 3 * 3, 0 * x[0, 0] + rank(x)), {"survived"}, False, ROWS, NONE)
CONSTANT = case("constants", lambda x, y: le(Q("2/3") * x * y, Q("1/3") * (x * x + y * y)), {"survived"}, False)
INTEGERS = case("roots_of_integers", lambda x, y: le(sqrt(2) * x * y, sqrt(2) * (x * x + y * y)), {"survived"}, False)
ROOTS = case("equal_roots", lambda x, y: le(sqrt(x * x + 1), 1 + abs(x) + 0 * y), {"survived"}, False)
# false by a hair
EQUAL = case("equality_1e17", lambda x, y: eq(x * (10**17 + 1), x * 10**17 + 0 * y), {"refuted"}, True)
HAIR = case("margin_1e30", lambda x, y: ge((x * x + y * y) * 10**30, 2 * x * y * 10**30 + 1), {"refuted"}, True)
STATED = case("hidden_by_a_stated_error", lambda x, y: le(measured(3 * x * y, 1e9), x * x + y * y), {"undecided"}, True)
CANCELLED = case("cancelled", lambda x, y: le((x + 10**17 - x) + 2 * x * y, 10**17 + x * x + y * y - 1), {"refuted"}, True)
ONE_SIZE = case(
    "one_size_only",
    lambda x, n: le((10**15 + n // 6) * x[0] * x[0], 10**15 * norm2(x)),
    {"refuted"},
    True,
    Domain({"x": integers(0, 1, "n")}, {"n": (1, 2, 3, 4, 5, 6)}),
    {"a": lambda x: le(x[0], 0), "b": lambda x: le(1, x[0])},
)
ONE_COMBINATION = case(
    "one_combination_of_sizes_only",
    lambda x, y, z, n, m, k: le(int((n, m, k) == (3, 2, 4)) * x[0] ** 2, norm2(y) + norm2(z)),
    {"refuted"},
    True,
    Domain({"x": reals("n"), "y": reals("m"), "z": reals("k")}, dict.fromkeys("nmk", (1, 2, 3, 4))),
    {"a": lambda x: le(x[0], 0), "b": lambda x: le(1, x[0])},
)
# no number in floats, and one on rationals
LARGE = case("overflow", lambda x, y: le(log(exp(2000 + x * x)), 2000 + x * x + y * y), {"survived", "undecided"}, None)
SINGULAR = case(
    "nan_in_floats_only",
    lambda x, y: le(0 * x if is_exact(x) else where(x == 0, np.nan, 0), x * x + y * y),
    {"survived"},
    False,
)
NOTHING = case(
    "no_sizes", lambda x: le(0, 1 + x[0] ** 2), {"undecided"}, True,
    Domain({"x": reals("n")}, {"n": (2, 3)}, sizes_where=lambda one: one["n"] > 5),
    {"a": lambda x: le(1, x[0])},
)  # fmt: skip
GREAT = case("a_googol", lambda x, y: le(2 * x * y * 10**400, (x * x + y * y) * 10**400), {"survived"}, False)
GREAT_AND_FALSE = case("a_false_googol", lambda x, y: le(3 * x * y * 10**400, (x * x + y * y) * 10**400), {"refuted"}, True)
UNIT = Domain({"x": interval(0, 1), "y": integers(0, 3)})
OFF = {"a": lambda x, y: le(x + y, 1), "b": lambda x, y: le(y, 0)}
HALF = case(
    "sharp_beside_the_integers", lambda x, y: le(0, (2 * y - 1) ** 2 + 0 * x), {"survived"}, True, UNIT, OFF,
    tight={"a half": {"x": 1, "y": "1/2"}},
)  # fmt: skip
NAMED = case(
    "sharp_of_the_wrong_one",
    lambda x, y: le(2 * x * y, x * x + y * y, name="means") & le(2 * x * y, x * x + y * y + 1, name="more"),
    {"survived"},
    True,
    tight={"equal": Tight(lambda: {"x": 1, "y": 1}, of=("more",))},
)
LAYERS = {"x": reals(2), "y": reals(2)}
SHARP_AT_ONE = case(
    "sharp_at_one_entry_of_two",
    lambda x, y: le(2 * x * y, x * x + y * y),
    {"survived"},
    True,
    Domain(LAYERS),
    {"less": lambda x, y: le(3 * x * y, x * x + y * y)},
    tight={"equal first": {"x": [1, 2], "y": [1, 3]}},
)
SHARP_PARTLY = case(
    "sharp_at_one_entry_and_says_so",
    lambda x, y: le(2 * x * y, x * x + y * y),
    {"survived"},
    False,
    Domain(LAYERS),
    {"less": lambda x, y: le(3 * x * y, x * x + y * y)},
    tight={"equal first": Tight(lambda: {"x": [1, 2], "y": [1, 3]}, partly=True)},
)
EXPLAINED = case(
    "loose_and_explained",
    lambda x, y: le(2 * x * y, x * x + y * y, name="means") & le(2 * x * y, x * x + y * y + 1, name="more"),
    {"survived"},
    False,
    tight={"equal": Tight(lambda: {"x": 1, "y": 1}, of=("means",))},
    not_known_tight={"more": "The one is there for show."},
)
