"""Small claims at which a checker is tempted into a wrong verdict. Each entry of `EXPECTED`: the outcomes that are allowed,
and whether a problem must be reported (None: either way)."""

import numpy as np
from flint import arb

from verify import Claim, DerivedHere, Domain, Source, integers, interval, reals
from verify.numbers.arithmetic import is_exact
from verify.words import diag, ge, le, log, norm, rank, singular_values, sqrt

SOURCE = Source("verdict cases", "derived here")
XY = Domain({"x": reals(), "y": reals()})
EXPECTED = {}


def squares(x, y):
    return le(2 * x * y, x * x + y * y)


FALSE = {
    "three times": lambda x, y: le(3 * x * y, x * x + y * y),
    "less one": lambda x, y: le(2 * x * y, x * x + y * y - 1),
}


def case(name, statement, outcomes, problem, domain=XY, variants=None, **more):
    EXPECTED[f"cases.{name}"] = (outcomes, problem)
    return Claim(
        id=f"cases.{name}",
        title=name,
        source=SOURCE,
        status=DerivedHere(),
        statement=statement,
        domain=domain,
        false_variants=FALSE if variants is None else variants,
        **more,
    )


# a true claim; the square root of the integer rank must not become a float on the exact side
def nuclear(x):
    matrix = diag(x)
    return le(singular_values(matrix).sum(), sqrt(rank(matrix)) * norm(matrix))


NUCLEAR = case(
    "nuclear_norm",
    nuclear,
    {"survived"},
    False,
    Domain({"x": integers(1, 3, 3)}),
    {"half": lambda x: le(2 * x.sum(), x.sum()), "less": lambda x: le(x.sum(), 0)},
)
# as written it is false by one part in 1e17, as meant it is an equality: neither verdict may be given without a word on 0.1
TENTH = case(
    "float_literal",
    lambda x: le(0.1 * sqrt(x), sqrt(x) / 10),
    {"undecided"},
    True,
    Domain({"x": integers(2, 3)}),
    {"a": lambda x: le(sqrt(x), 0), "b": lambda x: le(x, 1)},
)


def nowhere(x, y):
    return le(arb.nan() + 0 * x if is_exact(x) else x * np.nan, x)


NOWHERE = case("not_a_number", nowhere, {"undecided"}, True)
LOGARITHM = case("logarithm_of_negative", lambda x, y: le(log(-1 - x * x), 0), {"undecided"}, True)


def wide(x, y):
    return le(arb(0, 1e10) + 0 * x if is_exact(x) else 0 * x, 0)


WIDE = case("balls_too_wide", wide, {"undecided"}, True)


def hidden(x, y):
    value = x * x + y * y - 1
    return ge(np.where(value < 0, arb.nan() if is_exact(x) else np.nan, value), 0)


HIDDEN = case("not_a_number_where_false", hidden, {"undecided"}, True)
# false, though a scale hides it from floats
SCALED = case("hidden_by_scale", lambda x, y: le(3 * x * y, x * x + y * y), {"refuted"}, True)
MARGIN = case("margin_1e15", lambda x, y: le(2 * x * y * (10**15 + 1), (x * x + y * y) * 10**15), {"refuted"}, True)
NEVER = case(
    "no_instance",
    FALSE["three times"],
    {"undecided"},
    True,
    Domain({"x": reals(), "y": reals()}, hypotheses={"never": lambda x: x * x < 0}),
)


def huge(x, y):
    value = 1 + x * x
    for _ in range(11):
        value = value * value
    return ge(value, 1)


HUGE = case("beyond_the_floats", huge, {"survived"}, False)
UNIT = Domain({"x": interval(0, 1), "y": interval(0, 1)})
OUTSIDE = case(
    "sharp_outside_the_interval",
    lambda x, y: le(x * y, 1),
    {"survived"},
    True,
    UNIT,
    {"a": lambda x, y: le(x * y, 0), "b": lambda x, y: le(x + y, 1)},
    tight={"at (2, 1/2)": {"x": 2, "y": "1/2"}},
)
# two bounds, one attained and one loose by 2 %: the tight example speaks for the first alone
JOINED = case(
    "one_of_two_is_sharp",
    lambda x, y: le(2 * x * y, x * x + y * y) & le(2 * x * y, (x * x + y * y) * 102 / 100 + 1),
    {"survived"},
    True,
    tight={"equal": {"x": 1, "y": 1}},
)
