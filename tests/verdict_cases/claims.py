"""Small claims at which a checker is tempted into a wrong verdict. Each entry of `EXPECTED`: the outcomes that are allowed,
and whether a problem must be reported (None: either way)."""

import numpy as np
from flint import arb

from verify import Claim, Domain, Ours, Source, Tight, ge, integers, interval, le, reals
from verify.arithmetic import is_exact, log, rationals, sqrt
from verify.matrices import rank, singular_values

SOURCE = Source("verdict cases", "ours")
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
        status=Ours(),
        statement=statement,
        domain=domain,
        false_variants=FALSE if variants is None else variants,
        **more,
    )


# a true claim; the square root of the integer rank must not become a float on the exact side
def nuclear(x):
    matrix = x[..., :, None] * np.eye(3, dtype=int)
    return le(singular_values(matrix).sum(axis=-1), sqrt(rank(matrix)) * sqrt((matrix * matrix).sum(axis=(-2, -1))))


NUCLEAR = case(
    "nuclear_norm",
    nuclear,
    {"holds"},
    False,
    Domain({"x": integers(1, 3, 3)}),
    {"half": lambda x: le(2 * x.sum(axis=-1), x.sum(axis=-1)), "less": lambda x: le(x.sum(axis=-1), 0 * x.sum(axis=-1))},
)
# as written it is false by one part in 1e17, as meant it is an equality: neither verdict may be given without a word on 0.1
TENTH = case(
    "float_literal",
    lambda x: le(0.1 * sqrt(x[..., 0]), sqrt(x[..., 0]) / 10),
    {"undecided"},
    True,
    Domain({"x": integers(2, 3, 1)}),
    {"a": lambda x: le(sqrt(x[..., 0]), 0 * x[..., 0]), "b": lambda x: le(x[..., 0], 1)},
)
# false; adds up the whole batch
FORGOTTEN_AXIS = case(
    "forgotten_axis",
    lambda x: le(x[..., 0], 20 * (x * x).sum()),
    {"undecided"},
    True,
    Domain({"x": reals(3)}),
    {"a": lambda x: le((x * x).sum(axis=-1), -1), "b": lambda x: le((x * x).sum(axis=-1), -2)},
)
ONLY_FIRST = case("first_of_the_batch", lambda x, y: le(2 * x[:1] * y[:1], x[:1] ** 2 + y[:1] ** 2), {"undecided"}, True)
SCALAR = case("no_batch_axis", lambda x, y: le(np.float64(0.0), np.float64(1.0)), {"undecided"}, True)


def nowhere(x, y):
    if is_exact(x):
        value = np.empty(x.shape, dtype=object)
        for index in np.ndindex(x.shape):
            value[index] = arb.nan()
        return le(value, x)
    return le(x * np.nan, x)


NOWHERE = case("not_a_number", nowhere, {"undecided"}, True)
LOGARITHM = case("logarithm_of_negative", lambda x, y: le(log(-1 - x * x), 0 * x), {"undecided"}, True)


def wide(x, y):
    if is_exact(x):
        value = np.empty(x.shape, dtype=object)
        for index in np.ndindex(x.shape):
            value[index] = arb(0, 1e10)
        return le(value, 0 * x)
    return le(0 * x, 0 * x)


WIDE = case("balls_too_wide", wide, {"undecided"}, True)


def hidden(x, y):
    value = x * x + y * y - 1
    if is_exact(x):
        result = np.empty(x.shape, dtype=object)
        for index in np.ndindex(x.shape):
            result[index] = arb.nan() if value[index] < 0 else value[index]
        return ge(result, 0 * x)
    return ge(np.where(value < 0, np.nan, value), 0 * x)


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
    return ge(value, 1 + 0 * x)


HUGE = case("beyond_the_floats", huge, {"holds"}, False)
UNIT = Domain({"x": interval(0, 1), "y": interval(0, 1)})
OUTSIDE = case(
    "sharp_outside_the_interval",
    lambda x, y: le(x * y, 1 + 0 * x),
    {"holds"},
    True,
    UNIT,
    {"a": lambda x, y: le(x * y, 0 * x), "b": lambda x, y: le(x + y, 1 + 0 * x)},
    tight={"at (2, 1/2)": Tight(lambda: {"x": rationals([2])[0], "y": rationals(["1/2"])[0]})},
)
# two bounds, one attained and one loose by 2 %: the tight example speaks for the first alone
JOINED = case(
    "one_of_two_is_sharp",
    lambda x, y: le(2 * x * y, x * x + y * y) & le(2 * x * y, (x * x + y * y) * 102 / 100 + 1),
    {"holds"},
    True,
    tight={"equal": Tight(lambda: {"x": rationals([1])[0], "y": rationals([1])[0]})},
)
