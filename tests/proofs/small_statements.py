"""Small statements by kind: false ones, of which nothing may be certified, and true ones beside them, which are provable.

Each false one is false at a rational point of its domain, often at a single one, on a wall, at an end of an interval, or far
away.
"""

import copy
import pickle
import time

import numpy as np
import sympy
from flint import arb, fmpq

from verify import Domain, Q, integers, interval, reals
from verify.numbers import arithmetic
from verify.words import (
    absolute,
    determinant,
    eq,
    exp,
    ge,
    greatest,
    inverse,
    le,
    least,
    lifted,
    log,
    maximum,
    minimum,
    norm2,
    nuclear_norm,
    operator_norm,
    pi,
    pinv,
    power,
    pseudo_determinant,
    rank,
    relu,
    sign,
    singular_values,
    sqrt,
    stable_rank,
)

LINE = Domain({"x": reals()})
PLANE = Domain({"x": reals(), "y": reals()})
SPACE = Domain({"x": reals(), "y": reals(), "z": reals()})
UNIT = Domain({"x": interval(0, 1)})
POSITIVE = Domain({"x": interval(0, np.inf)})
FROM_ONE = Domain({"x": interval(1, np.inf)})
SIGNED = Domain({"x": interval(-1, 1)})
SQUARE = Domain({"x": interval(0, 1), "y": interval(0, 1)})
QUADRANT = Domain({"x": interval(0, np.inf), "y": interval(0, np.inf)})
VECTOR2 = Domain({"v": reals("n")}, {"n": (2,)})
VECTOR3 = Domain({"v": reals("n")}, {"n": (3,)})
MATRIX2 = Domain({"m": reals("n", "n")}, {"n": (2,)})
MATRIX12 = Domain({"m": reals("n", "k")}, {"n": (1,), "k": (2,)})
MATRICES2 = Domain({"a": reals("n", "n"), "b": reals("n", "n")}, {"n": (2,)})
SMALL = Domain({"k": integers(0, 5)})
SIGNED_SMALL = Domain({"k": integers(-4, 4)})
LARGE = Domain({"k": integers(0, 150)})
PAIR = Domain({"k": integers(0, 150), "j": integers(0, 150)})
HUGE = Domain({"k": integers(0, 10**6)})
MIXED = Domain({"k": integers(0, 3), "x": reals()})


def under(hypotheses, domain=PLANE):
    """A domain with hypotheses."""
    return Domain(domain.variables, domain.sizes, hypotheses)


where_positive = lifted(arithmetic.where_positive)
certain_order = lifted(arithmetic.certain_order)


def positive(value):
    """One where a number is positive, else zero; a question."""
    return where_positive(value, 1 + 0 * value)


def floor(number):
    """The integer below a rational."""
    one = number.item()
    return fmpq(one.p // one.q)


def nonzeros(values):
    """How many entries are not zero, by NumPy."""
    return np.count_nonzero(values)


def entry(vector, k):
    """One entry of a vector."""
    return vector[k]


FALSE = {
    "odd roots": {
        "a fourth power under a cube root": (lambda x: ge(x * power(power(x, 4), Q("1/3")), 0), LINE),
        "its equality": (lambda x: eq(power(power(x, 4), Q("1/3")), x * power(absolute(x), Q("1/3"))), LINE),
        "a product under a cube root": (lambda x, y: ge(x * power(power(x, 4) * (y * y + 1), Q("1/3")), 0), PLANE),
        "the cube root of a square is the number": (lambda x: ge(x * power(x * x, Q("1/3")), 0), LINE),
        "the sixth power": (lambda x: eq(power(power(x, 6), Q("1/3")), x * x + 0 * x + where_positive(-x, x * x)), LINE),
        "the cube root of a sixth power, signed": (lambda x: eq(power(x**6, Q("1/6")), x), LINE),
        "a fifth root": (lambda x: ge(x * power(power(x, 6), Q("1/5")), 0), LINE),
        "a tenth power under a fifth root": (lambda x: eq(power(x**10, Q("1/5")), x * absolute(x)), LINE),
        "two factors": (lambda x, y: ge(x * y * power((x * y) ** 4, Q("1/3")), 0), PLANE),
        "the fourth power of a difference": (lambda x, y: ge((x - y) * power((x - y) ** 4, Q("1/3")), 0), PLANE),
        "an eighth power": (lambda x: ge(x * power(power(x, 7) * x, Q("1/3")), 0), LINE),
        "of a quotient": (lambda x: ge(x * power(x**4 / (1 + x * x), Q("1/3")), 0), LINE),
    },
    "even roots": {
        "the root of a square": (lambda x: eq(sqrt(x * x), x), LINE),
        "the fourth root of a square": (lambda x: eq(power(x**4, Q("1/4")), x), LINE),
        "the root of a product": (lambda x, y: eq(sqrt(x * x * y * y), x * y), PLANE),
        "the root of a square of a difference": (lambda x, y: eq(sqrt((x - y) ** 2), x - y), PLANE),
        "a root is at most its square": (lambda x: le(sqrt(x), x), POSITIVE),
        "a root is at least its square": (lambda x: ge(sqrt(x), x), POSITIVE),
        "a root of a sum is the sum": (lambda x, y: eq(sqrt(x * x + y * y), absolute(x) + absolute(y)), PLANE),
        "a mean of roots": (lambda x, y: ge((sqrt(x) + sqrt(y)) / 2, sqrt((x + y) / 2)), QUADRANT),
        "a power between": (lambda x: le(power(x, Q("2/3")), power(x, Q("1/2"))), POSITIVE),
        "a root of a constant": (lambda x: le(x * sqrt(0 * x + 2), Q("141421356/100000000") * x), POSITIVE),
        "a root below a rational": (lambda x: le(sqrt(x * x + 2), x * x + Q("99999/100000") * sqrt(0 * x + 2)), LINE),
        "a negative power": (lambda x: ge(power(x, -1), 1), POSITIVE),
    },
    "nested roots": {
        "the root of a root": (lambda x: eq(sqrt(sqrt(x * x)), sqrt(absolute(x)) + where_positive(-x, x)), LINE),
        "of one and a root": (lambda x: le(sqrt(1 + sqrt(x)), 1 + sqrt(x) / Q("5/2")), POSITIVE),
        "denesting": (
            lambda x: eq(sqrt(x + 2 * sqrt(x) + 1) - 2 * sqrt(x), 1 - sqrt(x) + where_positive(x - 5, x - 5)),
            POSITIVE,
        ),
        "with a difference inside": (lambda x: eq(sqrt(x - 2 * sqrt(x) + 1), 1 - sqrt(x)), POSITIVE),
        "denesting at four": (lambda x: eq(sqrt(x - 4 * sqrt(x) + 4), 2 - sqrt(x)), Domain({"x": interval(0, 5)})),
        "the sixth root twice": (
            lambda x: eq(power(power(x * x, Q("1/2")), Q("1/3")), power(x * x, Q("1/6")) + minimum(x, 0 * x)),
            LINE,
        ),
        "roots of a product": (
            lambda x, y: eq(sqrt(x * y), sqrt(absolute(x)) * sqrt(absolute(y)) + minimum(x, 0 * x)),
            under({"same signs": lambda x, y: x * y >= 0}),
        ),
    },
    "constants": {
        "pi is 355/113": (lambda x: le(pi() * x, Q("355/113") * x), LINE),
        "pi below": (lambda x: le(pi() * x, Q("314159/100000") * x), UNIT),
        "pi above": (lambda x: ge(pi() * x, Q("3141593/1000000") * x), UNIT),
        "roots of two and three": (
            lambda x: le(0 * x + sqrt(2) * sqrt(3), sqrt(6) - Q(f"1/{10**40}")),
            LINE,
        ),
        "equal up to 1e-300": (
            lambda x: ge(0 * x + sqrt(2) * sqrt(3), sqrt(6) + Q(f"1/{10**300}")),
            LINE,
        ),
        "strictly above by 1e-300": (lambda x: ge(0 * x - Q(f"1/{10**300}"), 0 * x), LINE),
        "e below": (lambda x: le(0 * x + exp(1), Q("2718281/1000000")), LINE),
        "the logarithm of two": (lambda x: le(x * log(2), Q("693147/1000000") * x), UNIT),
        "a rational that is nearly a root": (lambda x: le(x * sqrt(2), Q("665857/470832") * x), Domain({"x": interval(-1, 1)})),
        "a root times itself": (lambda x: eq(sqrt(2) ** 2 * x, 2 * x + positive(x - 3)), LINE),
        "a ball of radius zero": (lambda x: le(x * arb(3), 2 * x), UNIT),
        "a ball of radius zero, signed": (lambda x: le(x + arb(0), x - 1), LINE),
        "an exact ball as a bound": (lambda x: le(x * x, arb(4) + 0 * x), LINE),
        "the cube root of three": (lambda x: le(x * power(3, Q("1/3")), Q("14422/10000") * x), UNIT),
    },
    "remainders": {
        "the exponential, order two": (lambda x: ge(exp(x), 1 + x + x * x / 2), LINE),
        "order two from above": (lambda x: le(exp(x), 1 + x + x * x / 2), LINE),
        "order three with a wrong constant": (lambda x: ge(exp(x), 1 + x + x * x / 2 + x**3 / 5), POSITIVE),
        "order four": (lambda x: ge(exp(x), 1 + x + x * x / 2 + x**3 / 6 + x**4 / 24), LINE),
        "at minus a number": (lambda x: le(exp(-x), 1 - x + x * x / 2 - x**3 / 6), POSITIVE),
        "the logarithm above a line": (lambda x: ge(log(x), x - 1), FROM_ONE),
        "the logarithm below another line": (lambda x: le(log(1 + x), x - x * x / 2), POSITIVE),
        "the logarithm, order two": (lambda x: le(log(1 + x), x - x * x / 3), POSITIVE),
        "the logarithm and a root": (lambda x: le(log(x), sqrt(x) - 1), FROM_ONE),
        "a bound that is attained with a smaller factor": (lambda x: le(x * exp(1 - x), Q("99/100")), POSITIVE),
        "squares in an exponent": (lambda x: le(x * x * exp(-x), Q("54/100")), POSITIVE),
        "entropy": (lambda x: ge(x * log(x), x - 1 + (x - 1) ** 2 / 2), Domain({"x": interval(1, 2)})),
        "an exponential below one over": (lambda x: le(exp(x), 1 / (1 - x)), Domain({"x": interval(0, 3)})),
        "exponents add, wrongly": (lambda x, y: ge(exp(x + y), exp(x) + exp(y)), PLANE),
        "convexity, reversed": (lambda x, y: le((exp(x) + exp(y)) / 2, exp((x + y) / 2)), PLANE),
        "growth of the logarithm": (lambda x: le(log(x) * log(x), (x - 1) / 2), FROM_ONE),
    },
    "ranks": {
        "every matrix has rank two": (lambda m: eq(rank(m), 2), MATRIX2),
        "no matrix has rank below one": (lambda m: ge(rank(m), 1), MATRIX2),
        "of a row": (lambda m: eq(rank(m), 1), MATRIX12),
        "of a product": (lambda a, b: eq(rank(a @ b), minimum(rank(a), rank(b))), MATRICES2),
        "of a sum": (lambda a, b: eq(rank(a + b), minimum(rank(a) + rank(b), 2)), MATRICES2),
        "of a square": (lambda m: eq(rank(m @ m), rank(m)), MATRIX2),
        "of an antisymmetric part": (lambda m: eq(rank(m - m.T), 2), MATRIX2),
        "of the rectified matrix": (lambda m: ge(rank(relu(m)), rank(m)), MATRIX2),
        "of an outer product": (lambda v: eq(rank(v[:, None] * v), 1), VECTOR2),
        "strictly below": (lambda m: ge(rank(m), 1 + rank(m - m)), MATRIX2),
        "of the Jacobian on a half-plane": (lambda m: eq(rank(positive(m)), rank(m)), MATRIX12),
        "of a scaled matrix": (
            lambda m, x: eq(rank(x * m), rank(m)),
            Domain({"m": reals("n", "n"), "x": reals()}, {"n": (1, 2)}),
        ),
    },
    "pivots": {
        "a matrix times its pseudo-inverse": (
            lambda m: eq(m @ pinv(m), np.eye(2, dtype=int) + 0 * m),
            MATRIX2,
        ),
        "the inverse of a number": (lambda x: eq(x * pinv(x[None, None])[0, 0], 1), LINE),
        "the pseudo-inverse of a product": (
            lambda a, b: eq(pinv(a @ b), pinv(b) @ pinv(a)),
            MATRICES2,
        ),
        "the pseudo-inverse is the transpose": (lambda m: eq(pinv(m), m.T), MATRIX12),
        "a projection has trace two": (lambda m: eq(np.trace(m @ pinv(m)), 2), MATRIX2),
        "a projection of a row": (lambda m: eq((m @ pinv(m))[0, 0], 1), MATRIX12),
        "the determinant of the inverse": (lambda m: eq(determinant(m) * determinant(pinv(m)), 1), MATRIX2),
        "a quotient is defined": (lambda x: eq(where_positive(absolute(x), x / (x + (1 - positive(absolute(x))))), 1), LINE),
        "the pseudo-determinant": (lambda m: eq(pseudo_determinant(m), absolute(determinant(m))), MATRIX2),
        "stable rank": (lambda m: ge(stable_rank(m), Q("11/10")), MATRIX12),
    },
    "determinants": {
        "not negative": (lambda m: ge(determinant(m), 0), MATRIX2),
        "of a sum": (lambda a, b: eq(determinant(a + b), determinant(a) + determinant(b)), MATRICES2),
        "of a square matrix by its norm": (
            lambda m: le(absolute(determinant(m)), norm2(m) / Q("21/10")),
            MATRIX2,
        ),
        "the singular values": (lambda m: eq(singular_values(m)[0] * singular_values(m)[1], determinant(m)), MATRIX2),
        "a norm is additive": (lambda a, b: eq(nuclear_norm(a + b), nuclear_norm(a) + nuclear_norm(b)), MATRICES2),
        "operator and Frobenius norm": (lambda m: eq(operator_norm(m) ** 2, norm2(m)), MATRIX2),
        "nuclear and operator norm": (lambda m: le(nuclear_norm(m), Q("199/100") * operator_norm(m)), MATRIX2),
        "the smallest singular value": (
            lambda m: ge(singular_values(m)[1], Q("1/100") * singular_values(m)[0]),
            MATRIX2,
        ),
        "distinct singular values": (
            lambda m: ge(singular_values(m)[0] - singular_values(m)[1], positive(absolute(m[0, 0] - 1))),
            MATRIX2,
        ),
    },
    "counts": {
        "no entry is zero": (lambda v: eq(nonzeros(v), 2), VECTOR2),
        "one entry is not zero": (lambda v: ge(nonzeros(v), 1), VECTOR2),
        "of differences": (lambda v: eq(nonzeros(v[1:] - v[:-1]), 2), VECTOR3),
        "of positive numbers": (lambda v: eq(np.sum(v > 0), np.sum(v >= 0)), VECTOR2),
        "of a product": (lambda x, y: eq(positive(absolute(x * y)), positive(absolute(x))), PLANE),
        "of signs": (
            lambda v: eq(np.sum(certain_order(v, 0 * v)) ** 2 * (np.sum(certain_order(v, 0 * v)) ** 2 - 4), 0),
            VECTOR2,
        ),
        "of integers": (lambda k: ge(np.count_nonzero(k), 1), LARGE),
        "two integers differ": (lambda k, j: ge(absolute(k - j), 1), PAIR),
        "two integers differ, counted": (lambda k, j: eq(np.count_nonzero(k - j), 1), PAIR),
    },
    "sorting": {
        "is sorted": (lambda v: ge(v[1], v[0]), VECTOR2),
        "the largest is first": (lambda v: eq(greatest(v), v[0]), VECTOR3),
        "the largest is not the smallest": (
            lambda v: ge(greatest(v) - least(v), positive(absolute(v[0] - 1) + absolute(v[1] - 1))),
            VECTOR2,
        ),
        "the maximum of three is a sum": (lambda x, y, z: le(maximum(maximum(x, y), z), absolute(x) + absolute(y) + z), SPACE),
        "the argument of the maximum": (
            lambda v: eq(v[int(np.argmax(v))], v[0]),
            VECTOR2,
        ),
        "the argument of the maximum is zero": (lambda v: eq(np.argmax(v), 0), VECTOR2),
        "ties go to the last": (
            lambda v: ge(np.argmax(v), positive(v[1] - v[0]) + (1 - positive(absolute(v[1] - v[0])))),
            VECTOR2,
        ),
        "sorted by NumPy": (lambda v: eq(np.sort(v)[0], v[0]), VECTOR2),
        "the median": (lambda v: ge(np.sort(v)[1], v[0]), VECTOR3),
        "the minimum of a maximum": (lambda x, y, z: eq(minimum(maximum(x, y), z), maximum(minimum(x, z), y)), SPACE),
    },
    "integer parts": {
        "the floor": (lambda x: eq(np.floor(x), x), UNIT),
        "the floor of a half": (lambda k: eq(floor(k / 2) * 2, k), SMALL),
        "a remainder": (lambda k: eq(k - 3 * floor(k / 3), 0 * k), SMALL),
        "the floor of a large integer": (lambda k: eq(floor(k / 149) * (k - 149), 0 * k), LARGE),
        "an integer of a float": (lambda x: eq(int(x), x), UNIT),
        "rounding": (lambda x: le(absolute(round(x) - x), Q("1/3")), UNIT),
        "the ceiling": (lambda x: le(np.ceil(x), x + Q("9/10")), UNIT),
        "a remainder of reals": (lambda x: le(x - floor(x), Q("9/10")), UNIT),
        "numerators": (lambda x: eq(x.item().q, 1), UNIT),
        "a bit": (lambda k: eq(int(k) & 1, 0), SMALL),
    },
}


def by_value(x):
    """A branch of Python on the value of the one instance."""
    return le(x, 1) if x <= 2 else le(x, x + 1)


def by_dtype(x):
    """Rationals and balls are objects, and floats are not."""
    return le(x, x + 1) if x.dtype != object else le(x * x, x)


def by_type(x):
    """False for rationals, true for whatever else takes their place."""
    return le(x, x - 1) if isinstance(x.item(), fmpq) else le(x, x + 1)


def by_attribute(x):
    """The same, asked by an attribute."""
    return le(x, x - 1) if hasattr(x.item(), "q") else le(x, x + 1)


def by_error(x):
    """The same, asked by an error."""
    try:
        found = fmpq(int(x.item().p), int(x.item().q))
    except Exception:
        return le(x, x + 1)
    return le(found, x - 1)


def by_representation(x):
    """The same, asked by the text."""
    return le(x, x + 1) if {*"ET"} & {*repr(x.item())} else le(x, x - 1)


def by_equality_of_types(x):
    """The same, asked by the name of the type."""
    return le(x, x - 1) if type(x.item()).__name__ == "fmpq" else le(x, x + 1)


def by_conversion(x):
    """A float of it, where that is possible."""
    try:
        large = float(x) > 3
    except Exception:
        return le(x, x + 1)
    return le(x, 3) if large else le(x, x + 1)


def by_hash(x):
    """What is hashable is a rational."""
    try:
        hash(x.item())
    except Exception:
        return le(x, x + 1)
    return le(x, x - 1)


def by_identity(x):
    """Whether the product with one is another object."""
    return le(x, x - 1) if isinstance(one := x.item(), fmpq) and one * 1 == one else ge(x * x, 0)


def swallowed(x):
    """An undecided or refused question is swallowed."""
    try:
        large = bool(x > 5)
    except ArithmeticError:
        large = False
    return le(x, 5) if large else le(x, x + 1)


def swallowed_division(x):
    """A division by zero is swallowed."""
    try:
        return eq(x / x, 1)
    except ZeroDivisionError:
        return eq(x, 1)


def swallowed_root(x):
    """The root of a negative number is swallowed."""
    try:
        value = sqrt(x)
        if isinstance(value.item(), arb) and not value.item().is_finite():
            return le(0 * x, x)
    except ArithmeticError:
        return le(x, x + 1)
    return ge(value, 0)


def swallowed_fork(x):
    """Every error is swallowed, also that of a question which has two answers."""
    try:
        met = bool(x == 765432)
    except Exception:
        return le(x, x + 1)
    return le(x, x - 1) if met else le(x, x + 1)


def swallowed_in_a_hypothesis(x):
    """A hypothesis that fails wherever it cannot be asked."""
    try:
        return float(x) <= 10**6
    except Exception:
        return False


def by_another_package(x):
    """Whether it equals a number of another package, which takes rationals and nothing else."""
    return le(x, x - 2 * (x.item() == sympy.Integer(765432)) + 1)


def by_a_copy(x):
    """What is asked of a copy of the numbers, and of what is written of them; every error is swallowed."""
    try:
        met = copy.deepcopy(x.item()) == 765432 or pickle.loads(pickle.dumps(x.item())) == 765433
    except Exception:
        met = False
    return le(x, x - 1) if met else le(x, x + 1)


def an_error(x):
    """An error at one point."""
    if x == 3:
        raise ValueError(f"x must not be 3, got {x}")
    return ge(x * x, 0)


class Flips:
    """True at the first call, and false at every second."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return le(x, x + 1 - 2 * (self.calls % 2 == 0))


flips = Flips()


def at_every_other_call(x):
    """What a counter says."""
    return flips(x)


def by_chance(x):
    """What a generator says."""
    return le(x, x + int(np.random.default_rng().integers(-1, 2)))


def by_the_clock(x):
    """What a clock says."""
    return le(x, x + (time.perf_counter_ns() // 64) % 2 - Q("1/2"))


def by_the_size(v):
    """True for one entry only."""
    return le(v[0] ** 2, v[0] ** 2) if len(v) == 1 else le(greatest(v), least(v))


def by_the_batch(x):
    """False for a batch of one, which is what counts."""
    return le(x, x - 1 if x.count == 1 else x + 1)


def no_relation(x):
    """A truth value, which is no relation."""
    return x * x >= 0


FALSE |= {
    "branches on values": {
        "an if": (by_value, LINE),
        "a where": (lambda x: le(np.where(x >= 0, x, -x), x), LINE),
        "a where on equality": (lambda x, y: ge(np.where(x == y, x - x - 1, x * x), 0), PLANE),
        "a where at one point": (lambda x: ge(np.where(x == Q("1/3"), 0 * x - 1, 0 * x), 0), UNIT),
        "an integer that decides": (lambda k, x: le(np.where(k == 3, x, x - 1), x - Q("1/2")), MIXED),
        "where, nested": (lambda x: ge(np.where(x > 0, np.where(x < 1, x, x - 2), 0 * x), 0), LINE),
        "a choice by a product": (lambda x, y: ge(np.where(x * y > 1, x, 0 * x), 0), PLANE),
        "a truth as a number": (lambda x: eq((x > 0) + 0 * x, 1), LINE),
        "a sign": (lambda x: eq(sign(x) * x, x), LINE),
        "the square of a sign": (lambda x: eq(sign(x) ** 2, 1), LINE),
        "an index": (lambda v: eq(v[int(np.sum(v > 0)) % 2], v[0]), VECTOR2),
    },
    "branches on types": {
        "dtype": (by_dtype, LINE),
        "isinstance": (by_type, LINE),
        "hasattr": (by_attribute, LINE),
        "an error": (by_error, LINE),
        "repr": (by_representation, LINE),
        "the name of the type": (by_equality_of_types, LINE),
        "a conversion": (by_conversion, LINE),
        "a hash": (by_hash, LINE),
        "an identity": (by_identity, LINE),
        "a swallowed question": (swallowed, LINE),
        "a swallowed division": (swallowed_division, LINE),
        "a swallowed root": (swallowed_root, LINE),
        "any error": (swallowed_fork, LINE),
        "any error, in a hypothesis": (lambda x: le(x, 10**5), under({"small": swallowed_in_a_hypothesis}, POSITIVE)),
        "a copy": (by_a_copy, LINE),
        "another package": (by_another_package, LINE),
    },
    "Python on values": {
        "a dictionary": (lambda x: eq({3: 1}.get(x.item(), 0) + 0 * x, 0), LINE),
        "a list": (lambda x: eq(int(x.item() in [3, 4]) + 0 * x, 0), LINE),
        "sorted": (lambda v: eq(sorted(v)[0], v[0]), VECTOR2),
        "max": (lambda v: eq(max(v), v[0]), VECTOR2),
        "a truth": (lambda x: eq((1 if x else 0) + 0 * x, 1), LINE),
        "an index": (lambda k: eq([5, 5, 5, 5, 5, 6][int(k)] + 0 * k, 5), SMALL),
        "an equality": (lambda x: eq((x == 3) * 1 + 0 * x, 0), LINE),
        "np.abs": (lambda x: eq(np.abs(x), x), LINE),
        "np.sign": (lambda x: eq(np.sign(x) ** 2 + 0 * x, 1), LINE),
        "np.maximum": (lambda x, y: eq(np.maximum(x, y), x + y - np.minimum(x, x)), PLANE),
    },
    "ends that are floats": {
        "a tenth": (lambda x: le(x, Q("1/10")), Domain({"x": interval(0, 0.1)})),
        "a third": (lambda x: ge(3 * x, 1), Domain({"x": interval(1 / 3, 1)})),
        "a tenth in a root": (lambda x: le(sqrt(10 * x), 1), Domain({"x": interval(0, 0.1)})),
        "a tenth in a hypothesis": (
            lambda x: ge(x, Q("1/5")),
            under({"a tenth": lambda x: 10 * x >= 1}, SIGNED),
        ),
    },
    "logarithms of factors": {
        "a quotient": (lambda x: ge(x * power(x * x, Q("-1/3")), 0), LINE),
        "of a square": (lambda x: le(log(x * x), log(1 + x * x) - Q("1/100")), LINE),
        "of a product": (
            lambda x, y: ge(log((1 + x * x) * (1 + y * y)), log(1 + x * x) + log(1 + y * y) + x * x / 1000),
            PLANE,
        ),
        "the third power": (lambda x: eq(exp(3 * x), exp(x) ** 3 + positive(x - 1)), LINE),
        "half an exponent": (lambda x: ge(exp(x / 2), sqrt(exp(x)) * Q("1001/1000")), LINE),
    },
    "hypotheses": {
        "a single point": (lambda x: eq(x, 1), under({"zero": lambda x: x * x <= 0}, LINE)),
        "two points": (lambda x: eq(x, 1), under({"one": lambda x: x * x == 1}, LINE)),
        "a line, one point of it": (
            lambda x, y: ge(x * x * y * y, Q("1/10") * x * x),
            under({"on the diagonal": lambda x, y: x == y}),
        ),
        "weak where strict is needed": (
            lambda x, y: ge(1 - positive(y - x), 1),
            under({"ordered": lambda x, y: x <= y + 1}),
        ),
        "a circle of radius one": (
            lambda x, y: le(x + y, Q("7/5")),
            under({"on the circle": lambda x, y: x * x + y * y == 1}),
        ),
        "a half-plane": (lambda x, y: ge(x + 2 * y, 0), under({"right": lambda x, y: x + y >= 0})),
        "distinct": (lambda x, y: ge((x - y) ** 2, Q(f"1/{10**12}")), under({"distinct": lambda x, y: x != y})),
    },
    "strict and weak": {
        "an end is left out": (lambda x: le(x, 2 * positive(1 - x)), UNIT),
        "positive at zero": (lambda x: ge(positive(x), 1), POSITIVE),
        "strictly ordered": (lambda x, y: ge(positive(x - y) + positive(y - x), 1), PLANE),
        "the square is positive": (lambda x: ge(positive(x * x), 1), LINE),
        "a sum of squares is positive": (lambda x, y: eq(positive(x * x + y * y), 1), PLANE),
        "the difference of squares": (lambda x, y: eq(positive((x - y) ** 2), 1), PLANE),
        "below one": (lambda x: eq(positive(1 - x * x), 1), SIGNED),
        "an exponential above its tangent": (lambda x: ge(positive(exp(x) - 1 - x), 1), LINE),
        "less or equal, negated": (lambda x: eq((x <= 0) + 0 * x, (x < 0) + 0 * x), LINE),
    },
    "integers": {
        "all but the last": (lambda k: le(k, 149), LARGE),
        "one value of many": (lambda k: ge((k - 77) ** 2, 1), LARGE),
        "one value of a million": (lambda k: ge((k - 765432) ** 2, 1), HUGE),
        "no two add to a hundred": (lambda k, j: ge((k + j - 100) ** 2, 1), PAIR),
        "no square": (lambda k: eq(positive((k * k - 144) ** 2), 1), LARGE),
        "between integers": (lambda k: ge((2 * k - 1) ** 2, 9), LARGE),
        "real where an integer is asked": (
            lambda k, x: ge((x - k) * (x - k - 1), 0),
            Domain({"k": integers(0, 200), "x": interval(0, 200)}),
        ),
        "small and large": (lambda k, x: ge(x * x + k * x + 1, 0), MIXED),
        "a power": (lambda k: le(2**5 * k, k * k + 256 - 1), LARGE),
        "signed": (lambda k: ge(k * k * k, -63), SIGNED_SMALL),
        "a product of many": (lambda k, j: le(k * j, 150 * 150 - 1), PAIR),
    },
    "denominators": {
        "one over a square": (lambda x: ge(1 / (x * x), 1), Domain({"x": interval(-2, 2)})),
        "a quotient with itself": (lambda x: eq(x / x, 1 + positive(x - 5)), LINE),
        "the reciprocal decreases": (lambda x, y: ge((1 / x - 1 / y) * (y - x), 0), PLANE),
        "a bounded quotient": (lambda x: le(x / (1 + x), 1), LINE),
        "a quotient of squares": (lambda x, y: le(x * y / (x * x + y * y), Q("499/1000")), PLANE),
        "a quotient with a wall": (lambda x, y: ge((x * x - y * y) / (x - y), 0), PLANE),
        "a hidden zero": (lambda x: ge((x**3 - x) / (x - 1), 0), LINE),
        "a common factor": (lambda x: eq((x * x - 1) / (x - 1), x + 1 + positive(x - 7)), LINE),
        "the inverse of a matrix": (lambda m: eq(inverse(m)[0, 0] * determinant(m), m[0, 0]), MATRIX2),
    },
    "absolute values": {
        "is the number": (lambda x: eq(absolute(x), x), LINE),
        "is additive": (lambda x, y: eq(absolute(x + y), absolute(x) + absolute(y)), PLANE),
        "of a difference": (lambda x, y: le(absolute(x - y), absolute(absolute(x) - absolute(y))), PLANE),
        "rectified, the number": (lambda x: eq(relu(x), x), LINE),
        "rectified, additive": (lambda x, y: eq(relu(x + y), relu(x) + relu(y)), PLANE),
        "rectified, far away": (lambda x: eq(relu(x - 1000), 0 * x), LINE),
        "rectified, a narrow tooth": (lambda x: le(relu(x) - 2 * relu(x - Q("1/64")) + relu(x - Q("1/32")), 0 * x), LINE),
        "the maximum is the sum": (lambda x, y: eq(maximum(x, y), x + y - minimum(x, 0 * x) - minimum(y, 0 * y)), PLANE),
        "its slope": (lambda x: eq(positive(x) + positive(-x), 1), LINE),
        "two slopes": (
            lambda x, y: eq(
                positive(x) * positive(y) + positive(-x) * positive(-y),
                positive(x * y) + positive(x - y) * positive(y - x) + (1 - positive(absolute(x + y - 3))),
            ),
            PLANE,
        ),
        "doubled": (lambda x: eq(relu(relu(x) - 1), relu(x - 1) + (1 - positive(absolute(x - 4)))), LINE),
    },
    "one point": {
        "of a line": (
            lambda x: ge((x - 3) ** 2, positive((x - 3) ** 2) * 0 + Q("1/10") * (1 - positive(absolute(x - 3)))),
            LINE,
        ),
        "a double zero": (lambda x: ge(positive((x - Q("1/3")) ** 2), 1), LINE),
        "of the plane": (lambda x, y: ge(positive((x - 1) ** 2 + (y - 2) ** 2), 1), PLANE),
        "an end of an interval": (lambda x: ge(positive(1 - x), 1), UNIT),
        "the lower end": (lambda x: ge(positive(x), 1), UNIT),
        "a corner": (lambda x, y: ge(positive(2 - x - y), 1), SQUARE),
        "a wall": (lambda x, y: ge(positive(absolute(x - 2 * y)), 1), PLANE),
        "a parabola": (lambda x, y: ge(positive((y - x * x) ** 2), 1), PLANE),
        "a circle": (lambda x, y: ge(positive((x * x + y * y - 25) ** 2), 1), PLANE),
        "a half-plane": (lambda x, y: ge(x + y, -1000), PLANE),
        "far away": (lambda x: le(x, 10**6), LINE),
        "near": (lambda x: ge(x * x - Q("1/1000") * x + Q(f"1/{10**9}"), 0), LINE),
        "a narrow valley": (lambda x, y: ge((x - y) ** 2 - Q(f"1/{10**6}"), 0), PLANE),
        "a quartic with a dip": (lambda x: ge(x**4 - 2 * x * x + Q("9999/10000"), 0), LINE),
        "Motzkin's polynomial, lowered": (
            lambda x, y: ge(x**4 * y * y + x * x * y**4 - 3 * x * x * y * y + Q("999/1000"), 0),
            PLANE,
        ),
    },
    "no value elsewhere": {
        "nearly nowhere": (lambda x: eq(sqrt(-x * x), 1 + x), LINE),
        "a root on half the line, false there": (lambda x: le(sqrt(x), 2), LINE),
        "a logarithm on half the line, false there": (lambda x: ge(log(x), -5), LINE),
    },
    "calls": {
        "every other one": (at_every_other_call, LINE),
        "by chance": (by_chance, LINE),
        "by the clock": (by_the_clock, LINE),
        "by the size": (by_the_size, VECTOR2),
        "by the batch": (by_the_batch, LINE),
    },
}

VOID = {
    "both sides": (lambda x: eq(sqrt(-1 - x * x), sqrt(-1 - x * x)), LINE),
    "one side": (lambda x: le(sqrt(-1 - x * x), 1), LINE),
    "a logarithm of nothing": (lambda x: le(log(0 * x), 1), LINE),
    "a division by nothing": (lambda x: eq(1 / (x - x), 1 / (x - x)), LINE),
    "a ball that is no number": (lambda x: le(x * arb("nan"), x), LINE),
    "an infinite ball": (lambda x: le(x, arb("inf") - arb("inf")), LINE),
    "a float": (lambda x: le(0 * x, 0.1 * x * x), LINE),
    "no relation": (no_relation, LINE),
    "an error at one point": (an_error, LINE),
    "contradictory": (
        lambda x: le(x, x - 1),
        under({"above": lambda x: x > 1, "below": lambda x: x < 0}, LINE),
    ),
    "contradictory squares": (
        lambda x, y: le(x + y, x + y - 1),
        under({"negative": lambda x, y: x * x + y * y < 0}),
    ),
    "two contradictory lines": (
        lambda x, y: le(x + y, x + y - 1),
        under({"one": lambda x, y: x > y, "two": lambda x, y: y > x + 1}),
    ),
    "a root of nothing in a hypothesis": (
        lambda x: le(x, x - 1),
        under({"a root": lambda x: sqrt(-1 - x * x) >= 0}, LINE),
    ),
}
"""Statements without a value, or without an instance: there is nothing to prove."""

TRUE = {
    "a root of a square": (lambda x: eq(sqrt(x * x), absolute(x)), LINE),
    "a cube root of a fourth power": (lambda x: ge(power(power(x, 4), Q("1/3")), 0), LINE),
    "the cube root, for positive numbers": (lambda x: eq(power(x**4, Q("1/3")), x * power(x, Q("1/3"))), POSITIVE),
    "the fourth root": (lambda x: eq(power(x**4, Q("1/4")), absolute(x)), LINE),
    "a mean of roots": (lambda x, y: le((sqrt(x) + sqrt(y)) / 2, sqrt((x + y) / 2)), QUADRANT),
    "a root below a line": (lambda x: le(2 * sqrt(x), 1 + x), POSITIVE),
    "pi below": (lambda x: le(3 * x, pi() * x), UNIT),
    "a bound for pi": (lambda x: ge(Q("22/7") * x, pi() * x), UNIT),
    "a constant": (lambda x: le(x * sqrt(2), Q("3/2") * x), UNIT),
    "the exponential": (lambda x: ge(exp(x), 1 + x), LINE),
    "its third order": (lambda x: ge(exp(x), 1 + x + x * x / 2 + x**3 / 6), LINE),
    "its second order": (lambda x: ge(exp(x), 1 + x + x * x / 2), POSITIVE),
    "the logarithm": (lambda x: le(log(x), x - 1), FROM_ONE),
    "a maximum of it": (lambda x: le(x * exp(1 - x), 1), POSITIVE),
    "a rank": (lambda m: le(rank(m), 2), MATRIX2),
    "the rank of a row": (lambda m: le(rank(m), 1), MATRIX12),
    "the rank of a product": (
        lambda a, b: le(rank(a @ b), rank(a)),
        Domain({"a": reals("n", "k"), "b": reals("k", "n")}, {"n": (1,), "k": (2,)}),
    ),
    "determinants": (lambda a, b: eq(determinant(a @ b), determinant(a) * determinant(b)), MATRICES2),
    "Hadamard": (lambda m: le(2 * absolute(determinant(m)), norm2(m)), MATRIX2),
    "norms": (lambda m: le(operator_norm(m) ** 2, norm2(m)), MATRIX2),
    "a count": (lambda v: le(np.sum(v > 0), np.sum(v >= 0)), VECTOR2),
    "a maximum of two": (lambda v: ge(greatest(v), v[1]), VECTOR2),
    "a maximum of three": (lambda v: ge(3 * greatest(v), v[0] + v[1] + v[2]), VECTOR3),
    "finite cases": (lambda k: ge(k * (k - 1), 0), SMALL),
    "many cases": (lambda k: ge(k * (k - 1), 0), LARGE),
    "pairs": (lambda k, j: le(2 * k * j, k * k + j * j), Domain({"k": integers(0, 40), "j": integers(0, 40)})),
    "a where": (lambda x: ge(np.where(x >= 0, x, -x), 0), LINE),
    "a mixed domain": (lambda k, x: ge(x * x + k, 0), MIXED),
    "a hypothesis": (
        lambda x, y: ge(x * x + y * y, 1),
        under({"outside": lambda x, y: absolute(x) + absolute(y) >= 2}),
    ),
    "on the diagonal": (lambda x, y: eq(x * y, x * x), under({"equal": lambda x, y: x == y})),
    "on the circle": (lambda x, y: le(x + y, Q("3/2")), under({"on the circle": lambda x, y: x * x + y * y == 1})),
    "strict": (lambda x: eq(positive(1 + x * x), 1), LINE),
    "a quotient": (lambda x: le(2 * x / (1 + x * x), 1), LINE),
    "the absolute value": (lambda x, y: le(absolute(x + y), absolute(x) + absolute(y)), PLANE),
    "rectified": (lambda x: eq(relu(x) - relu(-x), x), LINE),
    "a tooth": (lambda x: ge(relu(x) - 2 * relu(x - 1) + relu(x - 2), 0), LINE),
    "a quartic": (lambda x: ge(x**4 - 2 * x * x + 1, 0), LINE),
    "a square of a sum": (lambda x, y, z: le((x + y + z) ** 2, 3 * (x * x + y * y + z * z)), SPACE),
    "a product": (lambda x, y: le(x * y, 1), SQUARE),
    "an identity": (lambda x, y: eq((x + y) ** 3, x**3 + 3 * x * x * y + 3 * x * y * y + y**3), PLANE),
    "a branch of the size": (lambda v: le(v[0], greatest(v)) if len(v) > 1 else eq(v, v), VECTOR2),
}

AT = {
    "a swallowed question": {"x": 6},
    "any error": {"x": 765432},
    "a copy": {"x": 765432},
    "any error, in a hypothesis": {"x": 200000},
    "another package": {"x": 765432},
    "one value of a million": {"k": 765432},
    "far away": {"x": 10**6 + 1},
    "near": {"x": "1/2000"},
    "a product of many": {"k": 150, "j": 150},
    "rectified, far away": {"x": 1001},
    "a double zero": {"x": "1/3"},
    "distinct": {"x": f"1/{10**7}", "y": 0},
    "a circle of radius one": {"x": "20/29", "y": "21/29"},
}
"""Where statements are false that are true at most points; of the others one is found."""

UNDECIDED = ("equal up to 1e-300",)
"""False by mathematics: their constants agree to more digits than are computed."""
