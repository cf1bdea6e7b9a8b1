"""More slips of code, in the statement, the domain and the parts of a claim; `SENTENCES` as in `slips`."""

from fractions import Fraction

import mpmath
import numpy as np
import sympy

from verdict_cases.claims import FALSE, SOURCE, XY, squares
from verify import Claim, Domain, Ours, Q, Tight, derived, eq, le, reals
from verify.arithmetic import floats, rationals, sqrt
from verify.symbolic import identically_zero

EXPECTED = {}
SENTENCES = {}


def slip(name, sentence, statement=squares, outcomes=("undecided",), domain=XY, variants=None, **more):
    key = f"misuse.{name}"
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


def such(hypothesis):
    return Domain({"x": reals(), "y": reals()}, hypotheses={"such": hypothesis})


RANDOM, CALLS, HALF = np.random.default_rng(0), [], 0.5
ROW = Domain({"x": reals(3)})
LESS = {"less": lambda x: le(x[..., 0], x[..., 0] - 1)}


def doubles(x, y):
    x *= 2
    return le(x * y, x * x + y * y)


def sorts(x):
    x.sort(axis=-1)
    return le(x[..., 0], x[..., 1])


def sets_an_entry(x):
    x[..., 0] = 0
    return le(x[..., 0], (x * x).sum(axis=-1))


def counts(x, y):
    CALLS.append(x)
    return le((2 if len(CALLS) < 5 else 1) * x * y, x * x + y * y)


def adds_up(x):
    total = np.zeros(x.shape[:-1])
    for place in range(3):
        total += x[..., place] ** 2
    return le(x[..., 0] ** 2, total)


def caught(x, y):
    try:
        return le(0.1 * sqrt(abs(x)), abs(x) + y * y + 1)
    except TypeError:
        return le(0 * x, 1 + 0 * x)


def named_twice(x, y):
    return le(2 * x * y, x * x + y * y + 1, name="means") & le(2 * x * y, x * x + y * y, name="means")


def root_of_squares(x):
    return sqrt(x * x + 1) * sqrt(x * x + 1)


AGAIN, WRITTEN, NO_EQUAL = "asked again of the same instances", "the variables are written to", "which no rational equals"
OF_FLOATS, TRUTH = "is of floats where the instance is exact", "must say True or False for every instance"
FOREIGN = "meets a ball|must be an integer, a fraction"
CLAIMS = [
    # the statement
    slip("random_numbers", AGAIN, lambda x, y: le(x * y * RANDOM.integers(0, 3, x.shape), x * x + y * y)),
    slip("state", AGAIN + "|depends on the batch", counts),
    slip("doubles", WRITTEN, doubles),
    slip("sorts", WRITTEN, sorts, domain=ROW, variants=LESS),
    slip("sets_an_entry", WRITTEN, sets_an_entry, domain=ROW, variants=LESS),
    slip("adds_up", "an array of floats, such as numpy.zeros", adds_up, domain=ROW, variants=LESS),
    slip("catches", "they do not compute the same", caught),
    slip("named_twice", "as the name of several comparisons", named_twice),
    slip("equals_a_float", NO_EQUAL, lambda x, y: le(np.where(x == 0.5, 0, 0 * x), x * x)),
    slip("equals_a_fraction", NO_EQUAL, lambda x, y: le(np.where(x != Fraction(1, 2), 0 * x, 0 * y), x * x)),
    slip("equals_a_constant", NO_EQUAL, lambda x, y: le(np.where(x == HALF, 0 * x, 0 * y), x * x)),
    slip("as_floats", OF_FLOATS, lambda x, y: le(2 * x.astype(float) * y.astype(float), x.astype(float) ** 2 + floats(y) ** 2)),
    slip("only_floats", OF_FLOATS, lambda x, y: le(2 * floats(x) * floats(y), floats(x) ** 2 + floats(y) ** 2)),
    slip("power_of_two", "a power of exact numbers", lambda x, y: le(0 * x, 2**x)),
    slip("numpy_and_constant", "was given a Q", lambda x, y: le(np.maximum(x, Q("1/2")), abs(x) + 1)),
    slip("sympy_number", FOREIGN, lambda x, y: le(sqrt(x * x) * sympy.Float("0.1"), abs(x))),
    slip("mpmath_number", FOREIGN, lambda x, y: le(sqrt(x * x) * mpmath.mpf("0.1"), abs(x))),
    slip("masked", "a masked array", lambda x, y: le(np.ma.masked_less(x, 0) * y, x * x + y * y)),
    slip("float_in_where", "write 0 for 0.0", lambda x, y: le(np.where(x > 0, 0.0, x), abs(x))),
    slip("axes_below_zero", "over must be at least 0", lambda x, y: le(2 * x * y, x * x + y * y, over=-1)),
    slip("positional", "takes 'x' by its name", lambda x, y, /: le(2 * x * y, x * x + y * y)),
    slip("starred", "takes '*xs' by its name", lambda *xs: le(xs[0], xs[0] + 1)),
    slip("divides_in_a_branch", "evaluates both branches", lambda x, y: le(np.where(x == 0, 0, 1 / x) * x, 1 + 0 * y)),
    # the domain
    slip("slack_as_hypothesis", TRUTH, domain=such(lambda x: x - 1)),
    slip("relation_as_hypothesis", TRUTH, domain=such(lambda x: le(x, 1))),
    slip("hypothesis_of_nothing", TRUTH, domain=such(lambda x: None)),
    slip("count_as_hypothesis", TRUTH, domain=such(lambda x, y: (x > 0).astype(int) + (y > 0))),
    slip("random_hypothesis", AGAIN + "|for an instance alone", domain=such(lambda x: RANDOM.random(x.shape) > Q("1/2"))),
    slip("equal_in_floats", NO_EQUAL, domain=such(lambda x: x == 0.5)),
    slip("undecided_hypothesis", "the hypotheses themselves are not", domain=such(lambda x: root_of_squares(x) == x * x + 1)),
    slip(
        "derived_of_z", "takes 'z' by its name", lambda u: le(0 * u, u * u),
        domain=Domain({"u": derived(lambda z: z, x=reals())}), variants={"more": lambda u: le(1 + u, u)},
    ),
    slip(
        "derived_of_nothing", "a function returned None", lambda u: le(0 * u, u * u),
        domain=Domain({"u": derived(lambda x: None, x=reals())}), variants={"more": lambda u: le(1 + u, u)},
    ),
    slip(
        "derived_of_the_batch", "depends on the batch", lambda u: le(u, 1 + u * u),
        domain=Domain({"u": derived(lambda x: x / (1 + x.sum() ** 2), x=reals())}), variants={"more": lambda u: le(1 + u, u)},
    ),
    # the parts
    slip("nothing_is_loose", "which is no comparison and no constant", outcomes=["holds"], loose={"gap": "There is none."}),
    slip("sharp_of_nothing", "must return its variables by name", outcomes=["holds"], tight={"t": Tight(lambda: None)}),
    slip("sharp_without_y", "give the variable 'y'", outcomes=["holds"], tight={"t": Tight(lambda: {"x": rationals(1)})}),
    slip(
        "sharp_number_for_a_row", "must be an array with 1 axes", lambda x: le(x[..., 0] ** 2, (x * x).sum(axis=-1)), ["holds"],
        ROW, LESS, tight={"t": Tight(lambda: {"x": rationals(1)})},
    ),
    slip(
        "sharp_nowhere", "compares nothing at the instance", outcomes=["holds"],
        tight={"t": Tight(lambda: {"x": rationals([]), "y": rationals([])})},
    ),
    slip(
        "silent_argument", "say in argument=", outcomes=["holds"], exact={"one": lambda: eq(rationals([1]), 1)}, proof="one",
        argument=" ",
    ),
    slip("exact_of_x", "takes 'x'", outcomes=["holds"], exact={"one": lambda x: le(x, x)}),
    slip("exact_truth", "must return a relation", outcomes=["holds"], exact={"one": lambda: True}),
    slip("exact_in_floats", OF_FLOATS, outcomes=["holds"], exact={"one": lambda: le(np.array([1.0]), np.array([2.0]))}),
    slip(
        "float_of_sympy", "write sympy.Rational", outcomes=["holds"],
        exact={"one": lambda: identically_zero(sympy.Symbol("a") * 0.3 - 3 * sympy.Symbol("a") * 0.1)},
    ),
    slip("no_number_of_sympy", "UNDECIDED", outcomes=["holds"], exact={"one": lambda: identically_zero(sympy.nan)}),
]  # fmt: skip
for claim in CLAIMS:
    globals()[claim.id.partition(".")[2].upper()] = claim
