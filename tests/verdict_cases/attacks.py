"""True and false claims that a user may well write, at the edges of the exact arithmetic, of floats and of domains."""

from fractions import Fraction
from functools import partial

import numpy as np

from verdict_cases.claims import FALSE, SOURCE, XY
from verify import Claim, DerivedHere, Domain, Q, derived, integers, interval, measured, reals
from verify.words import (
    absolute,
    determinant,
    eq,
    exp,
    ge,
    geometric_mean,
    greatest,
    inner,
    inverse,
    le,
    log,
    log_plus,
    maximum,
    norm2,
    nuclear_norm,
    operator_norm,
    pinv,
    polar_factor,
    power,
    psd_power,
    pseudo_determinant,
    rank,
    relu,
    schatten_power,
    singular_values,
    solve,
    sqrt,
    stable_rank,
    where,
)

EXPECTED = {}
TRUE, REFUTED, OPEN = ({"survived"}, False), ({"refuted"}, True), ({"undecided"}, True)


def case(name, statement, expected, domain=XY, variants=None, **more):
    EXPECTED[f"attacks.{name}"] = expected
    return Claim(
        id=f"attacks.{name}",
        title=name,
        source=SOURCE,
        status=DerivedHere(),
        statement=statement,
        domain=domain,
        false_variants=FALSE if variants is None else variants,
        **more,
    )


WIDE, SQUARE = Domain({"x": integers(-2, 2, 2, 3)}), Domain({"x": integers(-2, 2, 2, 2)})
LESS = {"less": lambda x: le(1 + norm2(x), norm2(x))}
wide, square = partial(case, domain=WIDE, variants=LESS), partial(case, domain=SQUARE, variants=LESS)
EYE, GRAM = np.eye(2, dtype=int), np.array([[1, 2], [2, 4]])

# integers through the functions of matrices and of arithmetic
CLAIMS = [
    wide("nuclear", lambda x: le(nuclear_norm(x), sqrt(rank(x)) * sqrt(norm2(x))), TRUE),
    wide("nuclear_1e6", lambda x: le((10**6 + 1) * nuclear_norm(x), 10**6 * sqrt(rank(x)) * sqrt(norm2(x))), REFUTED),
    wide("schatten_3", lambda x: le(schatten_power(x, 3) ** 2, norm2(x) ** 3), TRUE),
    wide("schatten_3_1e14", lambda x: le((10**14 + 1) * schatten_power(x, 3) ** 2, 10**14 * norm2(x) ** 3), REFUTED),
    wide("schatten_2_3", lambda x: ge(schatten_power(x, Q("2/3")), power(norm2(x), Fraction(1, 3))), TRUE),
    wide("stable_rank", lambda x: le(stable_rank(x), rank(x)), TRUE),
    wide("stable_rank_1e13", lambda x: le((10**13 + 1) * stable_rank(x), 10**13 * rank(x)), REFUTED),
    wide("empty_determinant", lambda x: eq(pseudo_determinant(0 * x), 1), TRUE),
    wide("inverse_law", lambda x: eq(x @ pinv(x) @ x, x), TRUE),
    wide("inverse_of_all", lambda x: eq(x @ pinv(x), EYE), REFUTED),
    wide("projection", lambda x: eq(psd_power(x @ x.T, 0) @ x, x), TRUE),
    wide("polar", lambda x: eq(inner(polar_factor(x), x), nuclear_norm(x)), ({"survived", "undecided"}, None)),
    wide("log_plus", lambda x: ge(log_plus(x @ x.T).trace(), 0), TRUE),
    square("hadamard", lambda x: le(determinant(x) ** 2, (x * x).sum(axis=1).prod()), TRUE),
    square("hadamard_1e12", lambda x: le((10**12 + 1) * determinant(x) ** 2, 10**12 * (x * x).sum(axis=1).prod()), REFUTED),
    square("constant_rank", lambda x: eq(rank(GRAM) * x[0, 0], x[0, 0]), TRUE),
    square("constant_schatten", lambda x: eq(schatten_power(EYE * 4, Fraction(1, 2)) * norm2(x), 4 * norm2(x)), TRUE),
    square("constant_inverse", lambda x: eq(inverse(3 * EYE)[0, 0] * norm2(x), norm2(x) / 3), TRUE),
    square("constant_solution", lambda x: eq(solve(3 * EYE, EYE)[1, 1] * norm2(x), norm2(x) / 3), TRUE),
    square("negative_powers", lambda x: eq(power(np.array([4, 9]), -1).sum() * norm2(x), norm2(x) * 13 / 36), TRUE),
    square("a_root_below_one", lambda x: eq(power(8, Fraction(-1, 3)) * norm2(x), norm2(x) / 2), TRUE),
    square("exponentials", lambda x: le(10**15 * exp(1) * exp(-1) + 1, 10**15 + 10**3 * norm2(x)), REFUTED),
    square("logarithms", lambda x: le(log(2) + log(3), log(6) + norm2(x)), TRUE),
    square("roots_1e16", lambda x: le((10**16 + 1) * sqrt(2) * sqrt(3) * norm2(x), 10**16 * sqrt(6) * norm2(x)), REFUTED),
    square("largest", lambda x: le(greatest(np.array([1, 2, 3])) / 3 * norm2(x), norm2(x)), TRUE),
    square("positive_part", lambda x: le(relu(x).sum(), absolute(x).sum()), TRUE),
    square("half_of_a_rank", lambda x: le(rank(x) / 2, 1), TRUE),
    square("empty_sum", lambda x: le(x[:, :0].sum(), norm2(x)), TRUE),
    square("geometric", lambda x: le(2 * _mean(x).trace(), 4 + norm2(x)), TRUE),
    square("smallest_value", lambda x: le(singular_values(x)[1], operator_norm(x)), TRUE),
]


def _mean(x):
    return geometric_mean(EYE, x @ x.T + EYE)


# what a newcomer writes
CLAIMS += [
    case("roots_of_numpy", lambda x, y: le(np.sqrt(x * x + y * y), np.exp(abs(x)) + np.absolute(y)), TRUE),
    case("a_fraction", lambda x, y: le(Fraction(1, 3) * x * y, Fraction(1, 6) * (x * x + y * y)), TRUE),
    case("a_fraction_too_large", lambda x, y: le(Fraction(1, 3) * x * y, Fraction(1, 7) * (x * x + y * y)), REFUTED),
    case("a_larger_one_of_python", lambda x, y: le(x + y, 2 * max(x, y)), TRUE),
    case("a_branch", lambda x, y: le(x * abs(y), x * x + y * y) if x > 0 else le(x, y * y), TRUE),
    case("a_branch_that_is_false", lambda x, y: le(x * abs(y), x * x + y * y) if x > -1 else le(y * y, -x), REFUTED),
]


def doubles(x, y, factor=1):
    x *= 2
    return le(factor * x * y, x * x + y * y)


CLAIMS += [case("doubled_in_place", doubles, TRUE), case("doubled_too_much", partial(doubles, factor=3), REFUTED)]


# ends of intervals that are no floats, and magnitudes beyond them
MORE = {"more": lambda x: le(1 + x * x, x * x)}
THIRD, TENTH = (Domain({"x": interval(Fraction(1, 3), 1)}), Domain({"x": interval(0, Q("1/10"), often=(Q("1/10"),))}))
CLAIMS += [
    case("from_a_third", lambda x: ge(3 * x, 1), TRUE, THIRD, MORE),
    case("from_a_third_1e15", lambda x: ge(10**15 * 3 * x, 10**15 + 1), REFUTED, THIRD, MORE),
    case("to_a_tenth", lambda x: le(10 * x, 1), TRUE, TENTH, MORE),
    case(
        "sharp_at_a_third", lambda x: ge(3 * x, 1), TRUE, THIRD, MORE,
        tight={"the end": {"x": "1/3"}},
    ),
    case("all_floats", lambda x: ge(x * x, 0), TRUE, Domain({"x": interval(-1e308, 1e308)}), MORE),
]  # fmt: skip
for place, (lower, upper) in enumerate(((0, 1e300), (1e-300, 1e-299), (1e300, 1e308), (0, 1e-300)), start=1):
    domain = Domain({"x": interval(lower, upper), "y": interval(lower, upper)})
    none = {"none": lambda x, y: le(x * x + y * y, 0)}
    CLAIMS += [
        case(f"means_{place}", lambda x, y: le(2 * x * y, x * x + y * y), TRUE, domain, none),
        case(f"means_1e13_{place}", lambda x, y: le((10**13 + 1) * 2 * x * y, 10**13 * (x * x + y * y)), REFUTED, domain, none),
        case(f"vanishing_root_{place}", lambda x, y: le(2 * sqrt(x * x), x + y), REFUTED, domain, none),
    ]

# sizes, empty families, sides of other types
SIZES = Domain({"x": reals("n")}, {"n": (1, 2, 3)})
FIRST = {"first": lambda x: le(x[0], x[0] - 1)}


def neighbours_of(x, factor=1):
    left, right = x[:-1], x[1:]
    return le(2 * left * right * (10**15 + factor - 1), 10**15 * (left * left + right * right))


def one_size(x, n):
    return le((10**15 + 100 * (n == 17)) * x[0] ** 2, 10**15 * x[0] ** 2)


CLAIMS += [
    case("neighbours", neighbours_of, TRUE, SIZES, FIRST),
    case("neighbours_1e15", partial(neighbours_of, factor=2), REFUTED, SIZES, FIRST),
    case("nothing_compared", lambda x: le(x[3:], x[3:] - 1), OPEN, SIZES, FIRST),
    case(
        "one_of_many_sizes",
        one_size,
        REFUTED,
        Domain({"x": integers(0, 1, "n")}, {"n": range(1, 21)}),
        FIRST,
    ),
    case("truths", lambda x, y: le(x > 1, x > 0), TRUE),
    case("false_truths", lambda x, y: le(x > 0, x > 1), REFUTED),
    case("unsigned", lambda x, y: le((x > 1).astype(np.uint8), (x > 0).astype(np.uint8)), TRUE),
    case("false_unsigned", lambda x, y: le((x > 0).astype(np.uint8), (x > 1).astype(np.uint8)), REFUTED),
    case("wrapping", lambda x, y: le((x > 0) * 2**62, (x > 1) * -(2**62)), REFUTED),
    case("unlike_a_constant", lambda x, y: ge((x - Q("1/2")) ** 2, where(x != Q("1/2"), 0 * x, 0 * y)), TRUE),
    case("power_by_a_constant", lambda x, y: le(abs(x) ** Q("1/2"), 1 + abs(x)), TRUE),
    case("all_variables", lambda **given: le(2 * given["x"] * given["y"], given["x"] ** 2 + given["y"] ** 2), TRUE),
    case("branch_without_a_number", lambda x, y: le(where(x > 0, log(x), 0), x * x + abs(x)), TRUE),
    case("larger", lambda x, y: le(maximum(x, y) ** 2, x * x + y * y), TRUE),
    case("a_stated_error", lambda x, y: le(measured((10**13 + 1) * 2 * x * y, 1e-3), 10**13 * (x * x + y * y)), REFUTED),
    case(
        "unit_vectors",
        lambda u: le(norm2(u), 2),
        TRUE,
        Domain({"u": derived(lambda x: (1 + 0 * x) / sqrt(2), x=reals(2))}),
        {"half": lambda u: le(norm2(u), Q("1/2"))},
    ),
]
for claim in CLAIMS:
    globals()[claim.id.partition(".")[2].upper()] = claim
