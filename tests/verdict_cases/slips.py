"""Claims that are broken as code: undecided, with one sentence that says what to write (`SENTENCES` gives a part of it)."""

from fractions import Fraction

import numpy as np
from flint import arb

from verdict_cases.claims import FALSE, SOURCE, XY, squares
from verify import Claim, Domain, Ours, Tight, interval, le, reals
from verify.arithmetic import ball, exp, is_exact, rationals, sqrt

EXPECTED = {}
SENTENCES = {}
POSITIVE = Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)})


def slip(name, statement, sentence, outcomes=("undecided",), domain=POSITIVE, variants=None, **more):
    key = f"slips.{name}"
    EXPECTED[key], SENTENCES[key] = (set(outcomes), True), sentence
    return Claim(
        id=key,
        title=name,
        source=SOURCE,
        status=Ours(),
        statement=statement,
        domain=domain,
        false_variants=FALSE if variants is None else variants,
        **more,
    )


WRITE = "write an exact constant, such as Q('1/10')"
OF_NUMPY = "write sqrt, exp, log or power of verify.arithmetic"
PI = slip("pi", lambda x, y: le(sqrt(x) * 0, np.pi * sqrt(x + y)), WRITE)
ROOT = slip("root_by_a_float", lambda x, y: le(x**0.5, sqrt(x) + y), WRITE)
THIRD = slip("third", lambda x, y: le(1 / 3 * sqrt(x), sqrt(x) + y), WRITE)
ROOT_OF_TWO = slip("root_of_two", lambda x, y: le(np.sqrt(2) * x, 2 * x + y), WRITE)
OF_ARRAYS = slip("numpy_root", lambda x, y: le(np.sqrt(x), sqrt(x) + y), OF_NUMPY)
EXPONENTIAL = slip("numpy_exponential", lambda x, y: le(np.exp(x), exp(x) + y), OF_NUMPY)
FRACTION = slip("fraction", lambda x, y: le(Fraction(1, 3) * x, x + y), "Q('1/3') * array does not")
CONSTANTS = slip("float_array", lambda x, y: le((np.array([0.1, 0.2]) * sqrt(x)[..., None]).sum(axis=-1), sqrt(x) + y), WRITE)
EYE = slip("float_identity", lambda x, y: le((np.eye(2) * sqrt(x)[..., None, None]).sum(axis=(-2, -1)), 2 * sqrt(x) + y), WRITE)
LAUNDERED = slip("laundered", lambda x, y: le(x * (rationals(0.1)[()] if is_exact(x) else 0.1), x + y), WRITE)


def unguarded(x, y):
    return le(ball(arb(2).sqrt() * 0.1) * 0 if x.dtype == object else 0 * x, x + y)


RAW = slip("raw_ball", unguarded, "flint.arb")
HYPOTHESIS = slip(
    "float_in_a_hypothesis",
    squares,
    WRITE,
    domain=Domain({"x": reals(), "y": reals()}, hypotheses={"not small": lambda x: sqrt(x * x) >= 0.1}),
)
AND = slip("and", lambda x, y: le(0 * x, x) and le(0 * y, y), "join two with &")
BOOLEAN = slip("boolean", lambda x, y: bool(np.all(x + y >= 0)), "must return a relation")
NOTHING = slip("nothing", lambda x, y: None, "must return a relation")
LARGER = slip("python_max", lambda x, y: le(x, max(x, y)), "maximum and minimum of verify.arithmetic")
BRANCH = slip("branch", lambda x, y: le(x, y + x) if x > 0 else le(0 * x, y), "write numpy.where")
PARAMETER = slip("parameter", lambda x, z: le(x, x + z * z), "takes 'z'")
SIZE = slip(
    "size",
    lambda x: le(0 * x[..., 0], (x * x).sum(axis=-1)),
    "'n' must be one of the sizes",
    domain=Domain({"x": reals("n")}),
    variants={"a": lambda x: le(x[..., 0], 0 * x[..., 0])},
)
# the batch
MEAN = slip("mean", lambda x, y: le((x - x.mean()) ** 2, (x - x.mean()) ** 2 + y), "depends on the batch")
LARGEST = slip("largest", lambda x, y: le(x, x.max() + y), "depends on the batch")
SUMMED = slip("running_sum", lambda x, y: le(x, np.cumsum(x) + y), "depends on the batch")
REVERSED = slip("reversed", lambda x, y: le(x[::-1] * 0, x[::-1] + y), "depends on the batch")
NORMED = slip("normalised", lambda x, y: le(x / (1 + np.abs(x).sum()), 1 + y), "depends on the batch")
TRIPLED = slip(
    "three_answers", lambda x, y: le(0 * x[..., None] * np.array([1, 2, 3]), 1 + x[..., None]), "one answer for each"
)
FEW = slip(
    "hypothesis_of_the_batch",
    squares,
    "answers otherwise for an instance alone",
    domain=Domain({"x": reals(), "y": reals()}, hypotheses={"above the mean": lambda x: x >= x.mean()}),
)


def other(x, y):
    return le(0 * x, 1 + 0 * y) if is_exact(x) else le(x, y)


def fewer(x, y):
    return le(0 * x, x) if is_exact(x) else le(0 * x, x) & le(0 * y, y)


OTHER = slip("another_on_rationals", other, "in floats and")
FEWER = slip("fewer_on_rationals", fewer, "must be one statement")
# a part that is broken says so, and the statement is searched all the same
PART = slip(
    "broken_variant", lambda x, y: le(3 * x * y, x * x + y * y), "could not be checked|was not refuted: ", {"refuted"}, XY,
    {"a": lambda x, y: le(x.chalk, y), "b": FALSE["less one"]},
)  # fmt: skip
SHARP = slip(
    "broken_sharp_instance", lambda x, y: le(3 * x * y, x * x + y * y), "not tight at 'nowhere'", {"refuted"}, XY,
    tight={"nowhere": Tight(lambda: {"x": rationals([1])[0]})},
)  # fmt: skip
EXACT = slip(
    "broken_exact_part", lambda x, y: le(3 * x * y, x * x + y * y), "exact part 'one'", {"refuted"}, XY,
    exact={"one": lambda: le(0.1, sqrt(rationals([2])))},
)  # fmt: skip
PROVED = slip(
    "any_proof", squares, "say in argument=", {"holds"}, XY, exact={"one": lambda: le(rationals([1]), rationals([2]))},
    proof="one",
)  # fmt: skip
