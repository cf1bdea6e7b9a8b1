"""More slips of code, in the statement, the domain and the parts of a claim; `SENTENCES` as in `slips`."""

from fractions import Fraction

import mpmath
import numpy as np
import sympy

from verdict_cases.claims import FALSE, SOURCE, XY, squares
from verify import Claim, DerivedHere, Domain, Q, Tight, derived, reals
from verify.numbers.arithmetic import floats
from verify.numbers.symbolic import identically_zero
from verify.words import eq, le, lifted, norm2, sqrt, where

EXPECTED = {}
SENTENCES = {}


def slip(name, sentence, statement=squares, outcomes=("undecided",), domain=XY, variants=None, **more):
    key = f"misuse.{name}"
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


def such(hypothesis):
    return Domain({"x": reals(), "y": reals()}, hypotheses={"such": hypothesis})


RANDOM, CALLS, HALF = np.random.default_rng(0), [], 0.5
ROW = Domain({"x": reals(3)})
LESS = {"less": lambda x: le(x[0], x[0] - 1)}


def sorts(x):
    x.sort()
    return le(x[0], x[1])


def sets_an_entry(x):
    x[0] = 0
    return le(x[0], norm2(x))


def counts(x, y):
    CALLS.append(x)
    return le((2 if len(CALLS) < 5 else 1) * x * y, x * x + y * y)


def adds_up(x):
    total = np.zeros(3)
    for place in range(3):
        total[place] = x[place] ** 2
    return le(x[0] ** 2, total.sum())


def caught(x, y):
    try:
        return le(0.1 * sqrt(abs(x)), abs(x) + y * y + 1)
    except TypeError:
        return le(0 * x, 1)


def named_twice(x, y):
    return le(2 * x * y, x * x + y * y + 1, name="means") & le(2 * x * y, x * x + y * y, name="means")


def root_of_squares(x):
    return sqrt(x * x + 1) * sqrt(x * x + 1)


AGAIN, WRITTEN, NO_EQUAL = "asked again of the same instances", "the variables are written to", "which no rational equals"
OF_FLOATS, TRUTH = "is of floats where the instance is exact", "must say True or False for every instance"
FOREIGN = "is no number of Python|the other holds floats"
CLAIMS = [
    # the statement
    slip("random_numbers", AGAIN, lambda x, y: le(x * y * RANDOM.integers(0, 3), x * x + y * y)),
    slip("state", AGAIN + "|depends on the batch", counts),
    slip("sorts", "write a function of NumPy that gives another array", sorts, domain=ROW, variants=LESS),
    slip("sets_an_entry", WRITTEN, sets_an_entry, domain=ROW, variants=LESS),
    slip("adds_up", "an array of floats, such as numpy.zeros", adds_up, domain=ROW, variants=LESS),
    slip("catches", "they do not compute the same", caught),
    slip("named_twice", "as the name of several comparisons", named_twice),
    slip("equals_a_float", NO_EQUAL, lambda x, y: le(where(x == 0.5, 0, 0 * x), x * x)),
    slip("equals_a_fraction", NO_EQUAL, lambda x, y: le(where(x != Fraction(1, 2), 0 * x, 0 * y), x * x)),
    slip("equals_a_constant", NO_EQUAL, lambda x, y: le(where(x == HALF, 0 * x, 0 * y), x * x)),
    slip("as_floats", OF_FLOATS, lambda x, y: le(2 * float(x) * float(y), float(x) ** 2 + float(y) ** 2)),
    slip("only_floats", OF_FLOATS, lambda x, y: le(2 * lifted(floats)(x) * lifted(floats)(y), lifted(floats)(x * x + y * y))),
    slip("power_of_a_half", "a float meets an exact number", lambda x, y: le(0 * x, abs(x) ** 0.5)),
    slip("numpy_and_constant", "was given a Q", lambda x, y: le(np.maximum(1, Q("1/2")), abs(x) + 1)),
    slip("sympy_number", FOREIGN, lambda x, y: le(sqrt(x * x) * sympy.Float("0.1"), abs(x))),
    slip("mpmath_number", FOREIGN, lambda x, y: le(sqrt(x * x) * mpmath.mpf("0.1"), abs(x))),
    slip("masked", "a masked array", lambda x, y: le(np.ma.masked_less(x, 0) * y, x * x + y * y)),
    slip("float_in_where", "write 0 for 0.0", lambda x, y: le(where(x > 0, 0.0, x), abs(x))),
    slip("of_constants", "one answer for each instance", lambda x, y: le(1, 2)),
    slip("positional", "takes 'x' by its name", lambda x, y, /: le(2 * x * y, x * x + y * y)),
    slip("starred", "takes '*xs' by its name", lambda *xs: le(xs[0], xs[0] + 1)),
    slip("divides_in_a_branch", "evaluates both branches", lambda x, y: le(where(x == 0, 0, 1 / x) * x, 1)),
    # the domain
    slip("slack_as_hypothesis", TRUTH, domain=such(lambda x: x - 1)),
    slip("relation_as_hypothesis", TRUTH, domain=such(lambda x: le(x, 1))),
    slip("hypothesis_of_nothing", TRUTH, domain=such(lambda x: None)),
    slip("count_as_hypothesis", TRUTH, domain=such(lambda x, y: (x > 0).astype(int) + (y > 0))),
    slip("random_hypothesis", AGAIN + "|for an instance alone", domain=such(lifted(lambda x: RANDOM.random(x.shape) > 1 / 2))),
    slip("equal_in_floats", NO_EQUAL, domain=such(lambda x: x == 0.5)),
    slip("undecided_hypothesis", "the hypotheses themselves are not", domain=such(lambda x: root_of_squares(x) == x * x + 1)),
    slip(
        "derived_of_z", "takes 'z' by its name", lambda u: le(0, u * u),
        domain=Domain({"u": derived(lambda z: z, x=reals())}), variants={"more": lambda u: le(1 + u, u)},
    ),
    slip(
        "derived_of_nothing", "a function returned None", lambda u: le(0, u * u),
        domain=Domain({"u": derived(lambda x: None, x=reals())}), variants={"more": lambda u: le(1 + u, u)},
    ),
    # the parts
    slip("nothing_is_loose", "which is no comparison and no constant", outcomes=["survived"],
         not_known_tight={"gap": "There is none."}),
    slip("sharp_of_nothing", "must return its variables by name", outcomes=["survived"], tight={"t": Tight(lambda: None)}),
    slip("sharp_without_y", "give the variable 'y'", outcomes=["survived"], tight={"t": {"x": 1}}),
    slip(
        "sharp_number_for_a_row", "must be an array with 1 axis", lambda x: le(x[0] ** 2, norm2(x)),
        ["survived"], ROW, LESS, tight={"t": {"x": 1}},
    ),
    slip(
        "sharp_nowhere", "must be one number, got []", outcomes=["survived"],
        tight={"t": {"x": [], "y": []}},
    ),
    slip(
        "silent_argument", "say in argument=", outcomes=["survived"], exact={"one": lambda: eq(1, 1)}, proof="one",
        argument=" ",
    ),
    slip("exact_of_x", "takes 'x'", outcomes=["survived"], exact={"one": lambda x: le(x, x)}),
    slip("exact_truth", "must return a relation", outcomes=["survived"], exact={"one": lambda: True}),
    slip("exact_in_floats", OF_FLOATS, outcomes=["survived"], exact={"one": lambda: le(np.array([1.0]), np.array([2.0]))}),
    slip(
        "float_of_sympy", "write sympy.Rational", outcomes=["survived"],
        exact={"one": lambda: identically_zero(sympy.Symbol("a") * 0.3 - 3 * sympy.Symbol("a") * 0.1)},
    ),
    slip("no_number_of_sympy", "UNDECIDED", outcomes=["survived"], exact={"one": lambda: identically_zero(sympy.nan)}),
]  # fmt: skip
for claim in CLAIMS:
    globals()[claim.id.partition(".")[2].upper()] = claim
