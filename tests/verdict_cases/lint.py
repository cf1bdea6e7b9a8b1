"""Claims that are broken as code: undecided, with one sentence that says what to write (`SENTENCES` gives a part of it)."""

import numpy as np
from flint import arb

from verdict_cases.claims import FALSE, SOURCE, XY, squares
from verify import Claim, DerivedHere, Domain, interval, reals
from verify.numbers.arithmetic import ball, is_exact, rationals
from verify.words import le, norm2, sqrt, vector

EXPECTED = {}
SENTENCES = {}
POSITIVE = Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)})


def slip(name, statement, sentence, outcomes=("undecided",), domain=POSITIVE, variants=None, **more):
    key = f"lint.{name}"
    EXPECTED[key], SENTENCES[key] = (set(outcomes), True), sentence
    return Claim(
        id=key,
        title=name,
        source=SOURCE,
        status=DerivedHere(),
        statement=statement,
        domain=domain,
        false_variants=FALSE if variants is None else variants,
        **more,
    )


WRITE = "write an exact constant, such as Q('1/10')"
PI = slip("pi", lambda x, y: le(sqrt(x) * 0, np.pi * sqrt(x + y)), WRITE)
ROOT = slip("root_by_a_float", lambda x, y: le(x**0.5, sqrt(x) + y), WRITE)
THIRD = slip("third", lambda x, y: le(1 / 3 * sqrt(x), sqrt(x) + y), WRITE)
ROOT_OF_TWO = slip("root_of_two", lambda x, y: le(np.sqrt(2) * x, 2 * x + y), WRITE)
CONSTANTS = slip("float_array", lambda x, y: le((np.array([0.1, 0.2]) * sqrt(x)).sum(), sqrt(x) + y), WRITE)
EYE = slip("float_identity", lambda x, y: le((np.eye(2) * sqrt(x)).sum(), 2 * sqrt(x) + y), WRITE)
LAUNDERED = slip("laundered", lambda x, y: le(x * (rationals(0.1)[()] if is_exact(x) else 0.1), x + y), WRITE)


def unguarded(x, y):
    return le(ball(arb(2).sqrt() * 0.1) * 0 if is_exact(x) else 0 * x, x + y)


RAW = slip("raw_ball", unguarded, "flint.arb")
HYPOTHESIS = slip(
    "float_in_a_hypothesis",
    squares,
    WRITE,
    domain=Domain({"x": reals(), "y": reals()}, hypotheses={"not small": lambda x: sqrt(x * x) >= 0.1}),
)
AND = slip("and", lambda x, y: le(0, x) and le(0, y), "join two with &")
BOOLEAN = slip("boolean", lambda x, y: bool(np.all(x + y >= 0)), "must return a relation")
NOTHING = slip("nothing", lambda x, y: None, "must return a relation")
SHAPE = slip("shape_of_the_instance", lambda x, y: le(x, x + y) if x > 1 else le(vector(x, x), x + y), "of the same shapes")
PARAMETER = slip("parameter", lambda x, z: le(x, x + z * z), "takes 'z'")
SIZE = slip(
    "size",
    lambda x: le(0, norm2(x)),
    "'n' must be one of the sizes",
    domain=Domain({"x": reals("n")}),
    variants={"a": lambda x: le(x[0], 0)},
)


def other(x, y):
    return le(0 * x, 1) if is_exact(x) else le(x, y)


def fewer(x, y):
    return le(0, x) if is_exact(x) else le(0, x) & le(0, y)


OTHER = slip("another_on_rationals", other, "in floats and")
FEWER = slip("fewer_on_rationals", fewer, "must be one statement")
# a part that is broken says so, and the statement is searched all the same
PART = slip(
    "broken_variant", lambda x, y: le(3 * x * y, x * x + y * y), "could not be checked|was not refuted: ", {"refuted"}, XY,
    {"a": lambda x, y: le(x.chalk, y), "b": FALSE["less one"]},
)  # fmt: skip
SHARP = slip(
    "broken_sharp_instance", lambda x, y: le(3 * x * y, x * x + y * y), "not tight at 'nowhere'", {"refuted"}, XY,
    tight={"nowhere": {"x": 1}},
)  # fmt: skip
EXACT = slip(
    "broken_exact_part", lambda x, y: le(3 * x * y, x * x + y * y), "exact part 'one'", {"refuted"}, XY,
    exact={"one": lambda: le(0.1, sqrt(rationals([2])))},
)  # fmt: skip
PROVED = slip(
    "any_proof", squares, "say in argument=", {"survived"}, XY, exact={"one": lambda: le(rationals([1]), rationals([2]))},
    proof="one",
)  # fmt: skip
