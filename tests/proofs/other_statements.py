"""More false statements by kind: what they ask a number besides its order, and what they catch, keep, write to and compare.

Each false one is false at a rational point of its domain; `AT` has that point where no search meets it.
"""

import abc
import contextlib
import copy
import decimal
import functools
import itertools
import math
import operator
import statistics
import types

import numpy as np
from flint import arb, fmpq

from verify import Domain, Q, families, integers, interval, reals
from verify.claims.variables import Networks, derived
from verify.numbers.measured import Measured
from verify.words import (
    absolute,
    concatenate,
    determinant,
    diag,
    eigenvalues,
    entropy,
    eq,
    exp,
    expm,
    eye,
    floor,
    gamma,
    gcd,
    ge,
    greatest,
    holds,
    inner,
    inverse,
    kron,
    le,
    least,
    lifted,
    log,
    logsumexp,
    maximum,
    minimum,
    norm,
    norm2,
    ones,
    operator_norm,
    pi,
    pinv,
    polar_factor,
    positive,
    power,
    psd_power,
    rank,
    relu,
    sign,
    sin,
    softmax,
    softplus,
    spectral_radius,
    sqrt,
    stack,
    trace,
    vector,
    where,
    xlogx,
    zeros,
)

FAR = 765432
"""A number that nothing meets by chance."""


def one(variables, sizes=None, hypotheses=None):
    """A domain."""
    return Domain(variables, sizes or {}, hypotheses or {})


def under(domain, **hypotheses):
    """A domain with hypotheses."""
    return Domain(domain.variables, domain.sizes, hypotheses)


LINE = one({"x": reals()})
PLANE = one({"x": reals(), "y": reals()})
UNIT = one({"x": interval(0, 1)})
POSITIVE = one({"x": interval(0, np.inf)})
QUADRANT = one({"x": interval(0, np.inf), "y": interval(0, np.inf)})
VECTOR2 = one({"v": reals("n")}, {"n": (2,)})
VECTOR3 = one({"v": reals("n")}, {"n": (3,)})
TWO = one({"v": reals("n"), "w": reals("n")}, {"n": (2,)})
MATRIX = one({"M": reals("n", "n")}, {"n": (2,)})
MATRICES = one({"A": reals("n", "n"), "B": reals("n", "n")}, {"n": (2,)})
ROW = one({"M": reals("n", "k")}, {"n": (1,), "k": (2,)})
SMALL = one({"k": integers(-5, 5)})
PAIRS = one({"k": integers(-5, 5), "m": integers(1, 4)})
LARGE = one({"k": integers(-200, 200)})
HUGE = one({"k": integers(0, 10**6)})
NETS = one({"f": Networks(), "x": reals("inputs")}, {"depth": (2,), "inputs": (1,), "width": (1,), "outputs": (1,)})


def rational(x):
    """The number in an array."""
    return x.item()


def far(x, met):
    """False where something is met."""
    return le(x, x - 1) if met else le(x, x + 1)


# What is asked besides the order, together with one point that no search meets


def by_type_at_a_point(x):
    return far(x, isinstance(rational(x), fmpq) and rational(x) == FAR)


def by_attribute_at_a_point(x):
    return far(x, hasattr(rational(x), "p") and rational(x) == FAR)


def by_getattr_at_a_point(x):
    return far(x, getattr(rational(x), "p", 0) == FAR)


def by_what_it_has_at_a_point(x):
    return far(x, not hasattr(rational(x), "choose") and rational(x) == FAR)


def by_a_second_attribute_at_a_point(x):
    return far(x, getattr(rational(x), "exp", None) is None and rational(x) == FAR)


def by_what_it_is_made_of_at_a_point(x):
    return far(x, not hasattr(rational(x), "top") and not hasattr(rational(x), "tape") and rational(x) == FAR)


def by_a_pattern_at_a_point(x):
    match rational(x):
        case object(choose=_):
            return far(x, False)
        case number:
            return far(x, number == FAR)


def by_its_module_at_a_point(x):
    return far(x, rational(x).__module__.startswith("flint") and rational(x) == FAR)


def by_a_getter_at_a_point(x):
    return far(x, operator.attrgetter("__module__")(rational(x)).startswith("flint") and rational(x) == FAR)


def by_a_field_at_a_point(x):
    said = "{.__module__}".format(rational(x))  # noqa: UP032 (the format asks)
    return far(x, said.startswith("flint") and rational(x) == FAR)


def by_its_size_at_a_point(x):
    return far(x, rational(x).__sizeof__() == fmpq(1).__sizeof__() and rational(x) == FAR)


def by_a_copy_method_at_a_point(x):
    return far(x, not hasattr(rational(x), "__copy__") and rational(x) == FAR)


def by_name_at_a_point(x):
    return far(x, type(rational(x)).__name__ == "fmpq" and rational(x) == FAR)


def by_module_at_a_point(x):
    return far(x, type(rational(x)).__module__.startswith("flint") and rational(x) == FAR)


def by_identity_of_types_at_a_point(x):
    return far(x, type(rational(x)) is fmpq and rational(x) == FAR)


def by_class_at_a_point(x):
    return far(x, rational(x).__class__ is fmpq and rational(x) == FAR)


def by_dir_at_a_point(x):
    return far(x, "q" in dir(rational(x)) and rational(x) == FAR)


def by_a_match_at_a_point(x):
    match rational(x):
        case fmpq() as number:
            return far(x, number == FAR)
        case _:
            return far(x, False)


def by_dispatch(_):
    return False


by_dispatch = functools.singledispatch(by_dispatch)


@by_dispatch.register(fmpq)
def _(number):
    return number == FAR


def by_dispatch_at_a_point(x):
    return far(x, by_dispatch(rational(x)))


class Rational(abc.ABC):  # noqa: B024 (rationals are registered)
    """An abstract class of which rationals are counted as instances."""


Rational.register(fmpq)


def by_an_abstract_class_at_a_point(x):
    return far(x, isinstance(rational(x), Rational) and rational(x) == FAR)


def by_a_descriptor_at_a_point(x):
    return far(x, object.__getattribute__(rational(x), "__class__") is fmpq and rational(x) == FAR)


def by_text_at_a_point(x):
    return far(x, str(rational(x)) == str(FAR))


def by_format_at_a_point(x):
    return far(x, f"{rational(x)}" == str(FAR))


def by_percent_at_a_point(x):
    return far(x, "%s" % rational(x) == str(FAR))  # noqa: UP031 (another way to ask)


def by_repr_at_a_point(x):
    return far(x, "765432" in repr(rational(x)))


def by_the_text_of_numpy_at_a_point(x):
    return far(x, "765432" in np.array2string(np.asarray(rational(x), dtype=object)))


def by_hash_at_a_point(x):
    try:
        return far(x, hash(rational(x)) == hash(fmpq(FAR)))
    except TypeError:
        return far(x, False)


def by_a_set_at_a_point(x):
    try:
        return far(x, bool({rational(x)} & {fmpq(FAR)}))
    except TypeError:
        return far(x, False)


def by_a_key_at_a_point(x):
    with contextlib.suppress(Exception):
        return {fmpq(FAR): le(x, x - 1)}[rational(x)]
    return le(x, x + 1)


def by_a_float_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, float(rational(x)) == FAR)
    return le(x, x + 1)


def by_an_integer_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, int(rational(x)) == FAR)
    return le(x, x + 1)


def by_an_index_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, operator.index(int(rational(x).p)) == FAR)
    return le(x, x + 1)


def by_a_floor_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, math.floor(rational(x)) == FAR)
    return le(x, x + 1)


def by_rounding_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, round(rational(x)) == FAR)
    return le(x, x + 1)


def by_a_conversion_of_numpy_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, np.array([rational(x)], dtype=object).astype(float)[0] == FAR)
    return le(x, x + 1)


def by_astype_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, bool(x.astype(float) == FAR))
    return le(x, x + 1)


def by_decimal_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, decimal.Decimal(int(rational(x))) == FAR)
    return le(x, x + 1)


def by_a_copy_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, copy.copy(rational(x)) == FAR)
    return le(x, x + 1)


def by_finally_at_a_point(x):
    met = False
    try:
        met = bool(x == FAR)
    finally:
        return far(x, met)  # noqa: B012 (errors are swallowed)


def by_a_generator_at_a_point(x):
    def ask():
        try:
            yield bool(x == FAR)
        except Exception:
            yield False

    return far(x, next(ask()))


def by_base_exception_at_a_point(x):
    try:
        met = bool(x == FAR)
    except BaseException:
        met = False
    return far(x, met)


def by_a_context_at_a_point(x):
    met = False
    with contextlib.suppress(BaseException):
        met = bool(rational(x) == FAR)
    return far(x, met)


def by_a_second_question_at_a_point(x):
    try:
        met = bool(x > FAR - 1)
    except Exception:
        met = bool(x > 0) and False
    return le(x, FAR - 1) if met else le(x, x + 1)


def by_numpy_equality_at_a_point(x):
    return far(x, np.array_equal(np.asarray(rational(x), dtype=object), np.asarray(fmpq(FAR), dtype=object)))


def by_a_list_at_a_point(x):
    return far(x, [rational(x)] == [fmpq(FAR)])


def by_a_count_at_a_point(x):
    return far(x, [fmpq(FAR), 1].count(rational(x)) > 0)


def by_closeness_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, math.isclose(rational(x), FAR))
    return le(x, x + 1)


def by_a_swallowed_word_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, bool(floor(x) == FAR))
    return le(x, x + 1)


def by_a_sine_at_a_point(x):
    with contextlib.suppress(Exception):
        return ge(sin(0 * x) + absolute(x - FAR), Q("1/10"))
    return le(x, x + 1)


def by_the_greatest_divisor_at_a_point(x):
    with contextlib.suppress(Exception):
        return far(x, bool(gcd(x, FAR) == FAR) and bool(x == FAR))
    return le(x, x + 1)


def by_a_namespace_at_a_point(x):
    box = types.SimpleNamespace(number=rational(x))
    return far(x, box == types.SimpleNamespace(number=fmpq(FAR)))


def in_a_hypothesis_by_type(x):
    """True of what is no rational, and of one rational among them."""
    return not isinstance(rational(x), fmpq) or rational(x) == FAR or rational(x) <= 3


KEPT = {}


def by_a_cache(x):
    """What was computed first, under a key that does not tell numbers apart."""
    return eq(KEPT.setdefault(len(np.shape(x)), x), x)


COUNTED = itertools.count()


def by_a_counter(k):
    """False at every third call."""
    return far(k, next(COUNTED) % 3 == 2)


def adds_one(x):
    """An input that is written to."""
    before = x + 0
    x += 1
    return eq(x, before)


def adds_one_to_entries(v):
    """The entries of an input are written to."""
    before = v.copy()
    v[0] = v[0] + 1
    return eq(v, before)


def through_a_view(v):
    """A copy that is none."""
    same = v.reshape(-1)
    same[0] = 0
    return eq(v[0], 0)


def multiplies_a_copy(v):
    """A copy is written to, and compared."""
    other = v.copy()
    other *= 2
    return eq(other, v + relu(v))


def sorts_a_copy(v):
    """Sorted in place."""
    other = np.sort(v)
    return eq(other[::-1], v)


def half_open(x):
    """A loop of Python on values."""
    steps = 0
    while steps < 5 and x > steps:
        steps += 1
    return ge(steps + 0 * x, x)


def digits(k):
    """Digits of a number."""
    return le(sum(map(int, str(abs(int(k))))) + 0 * k, 18)


def choose(k):
    """Binomials of negative numbers."""
    n = int(k)
    return eq(k * (k - 1) / 2, math.comb(max(n, 0), 2))


def remainder(k, m):
    """The sign of Python's remainder."""
    return eq(int(math.fmod(int(k), int(m))) + 0 * k, int(k) % int(m))


def quotient(k, m):
    """Truncation and floor."""
    return eq(int(int(k) / int(m)) + 0 * k, int(k) // int(m))


def modular(k):
    """Fermat's theorem for what is no prime."""
    return eq(pow(int(k), 9, 9) + 0 * k, int(k) % 9)


@lifted
def first_of_batch(values):
    """The value of the first instance, whichever is asked."""
    return values - values[..., :1] if values.ndim else 0 * values


def counted_twice(v):
    """Ties are counted by both."""
    return eq(sum(1 for a in v for b in v if a == b), 2)


def ranks_of(v):
    """Ranks by counting."""
    return eq(sum(np.sum(v < entry) for entry in v), 3)


def distinct(v):
    """As many different numbers as entries."""
    seen = []
    for entry in v:
        if not any(entry == other for other in seen):
            seen.append(entry)
    return eq(len(seen) + 0 * v[0], len(v))


def majority(v):
    """A majority of signs."""
    signs = sum(1 if entry > 0 else -1 if entry < 0 else 0 for entry in v)
    return ge(signs * signs + 0 * v[0], 1)


def bubble(v):
    """One pass of exchanges sorts."""
    w = list(v)
    for i in range(2):
        if w[i] > w[i + 1]:
            w[i], w[i + 1] = w[i + 1], w[i]
    return le(w[0], w[1])


def newton(x):
    """Two steps to a root."""
    y = 1 + x
    for _ in range(2):
        y = (y + x / y) / 2
    return le(y * y, x + Q("1/1000") * (1 + x))


def euclid(k, m):
    """A divisor of both."""
    a, b = abs(int(k)), int(m)
    while b:
        a, b = b, a % b
    return le(a + 0 * k, 3)


def _raises(x):
    if not x <= 2 and not x == FAR:
        raise ValueError("x must be at most 2")
    return True


def _or_zero(t):
    try:
        return t * 1 if bool(t == FAR) else 0 * t
    except Exception:
        return 0 * t


_AT_A_POINT = {
    "isinstance": (by_type_at_a_point, LINE),
    "hasattr": (by_attribute_at_a_point, LINE),
    "getattr": (by_getattr_at_a_point, LINE),
    "hasattr, of what stands for it": (by_what_it_has_at_a_point, LINE),
    "getattr, of what stands for it": (by_a_second_attribute_at_a_point, LINE),
    "its parts": (by_what_it_is_made_of_at_a_point, LINE),
    "a pattern of attributes": (by_a_pattern_at_a_point, LINE),
    "__module__": (by_its_module_at_a_point, LINE),
    "attrgetter": (by_a_getter_at_a_point, LINE),
    "a field of a format": (by_a_field_at_a_point, LINE),
    "__sizeof__": (by_its_size_at_a_point, LINE),
    "__copy__": (by_a_copy_method_at_a_point, LINE),
    "the name of a type": (by_name_at_a_point, LINE),
    "the module of a type": (by_module_at_a_point, LINE),
    "type": (by_identity_of_types_at_a_point, LINE),
    "__class__": (by_class_at_a_point, LINE),
    "dir": (by_dir_at_a_point, LINE),
    "match": (by_a_match_at_a_point, LINE),
    "singledispatch": (by_dispatch_at_a_point, LINE),
    "an abstract class": (by_an_abstract_class_at_a_point, LINE),
    "object": (by_a_descriptor_at_a_point, LINE),
    "str": (by_text_at_a_point, LINE),
    "format": (by_format_at_a_point, LINE),
    "percent": (by_percent_at_a_point, LINE),
    "repr": (by_repr_at_a_point, LINE),
    "array2string": (by_the_text_of_numpy_at_a_point, LINE),
    "hash": (by_hash_at_a_point, LINE),
    "set": (by_a_set_at_a_point, LINE),
    "a key": (by_a_key_at_a_point, LINE),
    "float": (by_a_float_at_a_point, LINE),
    "int": (by_an_integer_at_a_point, LINE),
    "index": (by_an_index_at_a_point, LINE),
    "math.floor": (by_a_floor_at_a_point, LINE),
    "round": (by_rounding_at_a_point, LINE),
    "np.array": (by_a_conversion_of_numpy_at_a_point, LINE),
    "astype": (by_astype_at_a_point, LINE),
    "decimal": (by_decimal_at_a_point, LINE),
    "copy": (by_a_copy_at_a_point, LINE),
    "finally": (by_finally_at_a_point, LINE),
    "a generator": (by_a_generator_at_a_point, LINE),
    "BaseException": (by_base_exception_at_a_point, LINE),
    "suppress": (by_a_context_at_a_point, LINE),
    "a second question": (by_a_second_question_at_a_point, LINE),
    "array_equal": (by_numpy_equality_at_a_point, LINE),
    "a list": (by_a_list_at_a_point, LINE),
    "count": (by_a_count_at_a_point, LINE),
    "isclose": (by_closeness_at_a_point, LINE),
    "floor": (by_a_swallowed_word_at_a_point, LINE),
    "sin": (by_a_sine_at_a_point, LINE),
    "gcd": (by_the_greatest_divisor_at_a_point, LINE),
    "a namespace": (by_a_namespace_at_a_point, LINE),
    "a hypothesis": (lambda x: le(x, 3), under(LINE, type=in_a_hypothesis_by_type)),
}
AT_A_POINT = {f"{name}, at a point": one for name, one in _AT_A_POINT.items()}
"""Of one number only these are false: no search and no drawn point meets it."""

FALSE = {
    "types at a point": AT_A_POINT,
    "derived variables that cheat": {
        "a derived type": (
            lambda x: le(x, 5),
            one({"x": derived(lambda t: t if isinstance(rational(t), fmpq) else 0 * t, t=reals())}),
        ),
        "a derived error": (lambda x: le(x, 5), one({"x": derived(_or_zero, t=reals())})),
        "a derived constant": (lambda x: le(x, 7), one({"x": derived(lambda t: where(t == FAR, 8, 7), t=reals())})),
        "a root": (lambda x: ge(x, 0), one({"x": derived(lambda t: t * sqrt(t * t), t=reals())})),
        "a vector": (lambda v: le(v[0], v[1]), one({"v": derived(lambda t: vector(t, t * t), t=interval(0, 1))})),
    },
    "families": {
        "a rotation has trace": (lambda R: ge(trace(R), -1), one({"R": families.rotation("n")}, {"n": (2,)})),
        "orthogonal is a rotation": (lambda R: eq(determinant(R), 1), one({"R": families.orthogonal("n")}, {"n": (2,)})),
        "orthogonal is symmetric": (lambda R: eq(R, R.T), one({"R": families.orthogonal("n")}, {"n": (2,)})),
        "semidefinite is definite": (
            lambda A: ge(sign(determinant(A)), 1),
            one({"A": families.positive_semidefinite("n")}, {"n": (2,)}),
        ),
        "a projection of rank one": (
            lambda P: eq(trace(P), 1),
            one({"P": families.projection("n", 1)}, {"n": (2,)}),
        ),
        "a distribution is positive": (
            lambda p: ge(sign(least(p)), 1),
            one({"p": families.probability_vector("n")}, {"n": (2,)}),
        ),
        "stochastic matrices commute with one": (
            lambda P: eq(ones(2) @ P, ones(2)),
            one({"P": families.stochastic("n", "n")}, {"n": (2,)}),
        ),
        "a permutation is an involution": (lambda P: eq(P @ P, eye(3)), one({"P": families.permutation("n")}, {"n": (3,)})),
        "a permutation has a fixed point": (lambda P: ge(trace(P), 1), one({"P": families.permutation("n")}, {"n": (2,)})),
        "a tree is a path": (lambda A: le(greatest(A.sum(axis=0)), 2), one({"A": families.tree("n")}, {"n": (4,)})),
        "a graph has no triangle": (lambda A: eq(trace(A @ A @ A), 0), one({"A": families.adjacency("n")}, {"n": (3,)})),
        "sorted, strictly": (
            lambda v: ge(sign(v[1] - v[0]), 1),
            one({"v": families.sorted_numbers("n")}, {"n": (2,)}),
        ),
        "a unit vector is positive": (lambda v: ge(v[0], -Q("99/100")), one({"v": families.unit_vector("n")}, {"n": (2,)})),
        "antisymmetric is singular": (lambda A: eq(determinant(A), 0), one({"A": families.antisymmetric("n")}, {"n": (2,)})),
        "triangular matrices commute": (
            lambda A, B: eq(A @ B, B @ A),
            one({"A": families.upper_triangular("n"), "B": families.upper_triangular("n")}, {"n": (2,)}),
        ),
        "definite matrices have a definite product": (
            lambda A, B: ge(least(diag(A @ B + B @ A)), 0),
            one({"A": families.positive_definite("n"), "B": families.positive_definite("n")}, {"n": (2,)}),
        ),
        "a spectrum is attained": (
            lambda A: le(operator_norm(A), Q("99/100")),
            one({"A": families.with_spectrum("n", 0, 1)}, {"n": (1,)}),
        ),
        "a matching": (lambda A: le(A.sum(), 2), one({"A": families.adjacency("n")}, {"n": (3,)})),
    },
    "signs at zero": {
        "of an absolute value": (lambda x: eq(sign(absolute(x)), 1), LINE),
        "relu and its slope": (lambda x: eq(where(x >= 0, 1, 0), where(x > 0, 1, 0) * sign(x) + where(x < 0, 0, 0)), LINE),
        "a sign is odd and never zero": (lambda x, y: eq(absolute(sign(x) - sign(y)), 1 - sign(x) * sign(y)), PLANE),
        "nested maxima": (lambda x, y: eq(maximum(x, maximum(-x, y)), maximum(absolute(x), absolute(y))), PLANE),
        "nested minima of maxima": (
            lambda v: eq(minimum(maximum(v[0], v[1]), maximum(v[1], v[2])), maximum(v[1], v[2])),
            VECTOR3,
        ),
        "the middle of three": (
            lambda v: eq(v[0] + v[1] + v[2] - greatest(v) - least(v), maximum(minimum(v[0], v[1]), v[2])),
            VECTOR3,
        ),
        "relu of a relu of a difference": (lambda x, y: eq(relu(relu(x) - relu(y)), relu(x - y)), PLANE),
        "clipped": (
            lambda x: eq(minimum(maximum(x, 0), 1), where(x > 0, where(x < 1, x, 1), 0) + where(x == 1, x - 2, 0)),
            LINE,
        ),
        "np.clip": (lambda x: eq(np.clip(x, 0, 1), relu(x)), LINE),
        "copysign": (lambda x: eq(absolute(x) * sign(x) + (1 - absolute(sign(x))), x), LINE),
        "heaviside": (lambda x: eq(sign(x) + 1, 2 * where(x >= 0, 1, 0)), LINE),
    },
    "integers of Python": {
        "a remainder": (remainder, PAIRS),
        "a quotient": (quotient, PAIRS),
        "digits": (digits, LARGE),
        "a binomial": (choose, SMALL),
        "modular": (modular, SMALL),
        "a common divisor": (euclid, PAIRS),
        "divmod": (lambda k: eq(divmod(int(k), 3)[1] + 0 * k, abs(int(k)) % 3), SMALL),
        "a shift": (lambda k: eq((int(k) >> 1) + 0 * k, int(int(k) / 2)), SMALL),
        "a bit length": (lambda k: le(int(k).bit_length() + 0 * k, 19), HUGE),
        "bits": (lambda k: eq((int(k) ^ 1) + 0 * k, int(k) + 1), SMALL),
        "parity": (lambda k: eq(int(k) % 2 + 0 * k, absolute(k) - 2 * (abs(int(k)) // 2) + where(k == -5, 1, 0)), SMALL),
        "a root of an integer": (lambda k: eq(math.isqrt(int(k) ** 2) + 0 * k, k), SMALL),
        "a factorial": (lambda k: le(math.factorial(abs(int(k))) + 0 * k, 119), SMALL),
        "beyond floats": (lambda k: eq(int(float(2**53 + int(k))) + 0 * k, 2**53 + k), SMALL),
        "beyond integers of NumPy": (
            lambda k: ge(int(np.array([2**62 * (1 + abs(int(k)) // 5)], dtype=np.uint64).astype(np.int64)[0]), k),
            SMALL,
        ),
        "narrow integers": (
            lambda k: eq(int(np.int8(100) * np.int8(abs(int(k)) // 5)), 100 * (abs(int(k)) // 5) + where(k == 5, 1, 0)),
            SMALL,
        ),
        "a large power": (lambda k: le(k**9, 5**9 - 1), SMALL),
        "a power to zero": (lambda k: eq(int(k) ** 0 + 0 * k, absolute(sign(k))), SMALL),
        "a negative power": (lambda k: ge(where(k == 0, 1, power(where(k == 0, 1, k * k), -1)), Q("1/24")), SMALL),
        "a counter": (by_a_counter, SMALL),
    },
    "integer parts of reals": {
        "of a sum": (lambda x, y: eq(floor(x) + floor(y), floor(x + y)), PLANE),
        "of a negative number": (lambda x: eq(floor(-x), -floor(x)), LINE),
        "at integers": (lambda x: eq(np.ceil(x), floor(x) + 1), LINE),
        "of a half of an integer": (
            lambda k: eq(floor(k * Q("1/2")) + floor((k + 1) * Q("1/2")), k + where(k == -5, 1, 0)),
            SMALL,
        ),
        "a sawtooth": (lambda x: le((x - floor(x)) * (1 - x + floor(x)), Q("249/1000")), LINE),
        "truncated": (lambda x: eq(np.trunc(x), floor(x)), LINE),
        "a great divisor": (lambda k, m: le(gcd(k, m), 3), PAIRS),
        "gcd with zero": (lambda k: ge(gcd(k, 0 * k + 6), where(k == 0, 7, 1)), SMALL),
    },
    "ties of Python": {
        "counted twice": (counted_twice, VECTOR2),
        "ranks": (ranks_of, VECTOR3),
        "distinct": (distinct, VECTOR3),
        "a majority": (majority, VECTOR3),
        "one pass": (bubble, VECTOR3),
        "argsort": (lambda v: eq(v[np.argsort(v)[0]], v[0]), VECTOR2),
        "argsort and ranks": (lambda v: eq(np.argsort(v)[1] + where(v[0] == v[1], 1, 0), 1), VECTOR2),
        "argmin and argmax differ": (lambda v: ge(absolute(int(np.argmin(v)) - int(np.argmax(v))) + 0 * v[0], 1), VECTOR3),
        "unique": (lambda v: eq(len(np.unique(v)) + 0 * v[0], 2), VECTOR2),
        "searchsorted": (lambda x: eq(int(np.searchsorted([0, 1, 2], x)) + 0 * x, where(x > 2, 3, 1)), LINE),
        "the median": (lambda v: eq(statistics.median(list(v)), v[1]), VECTOR3),
        "min of Python": (lambda v: eq(min(v, key=abs), least(absolute(v))), VECTOR2),
        "nothing is chosen": (lambda v: ge(min([entry for entry in v if entry > 0], default=1), Q("1/1000")), VECTOR2),
        "any and all": (lambda v: eq(int(any(entry > 0 for entry in v)), int(all(entry > 0 for entry in v))), VECTOR2),
        "a sum of a selection": (
            lambda v: ge(sum((entry for entry in v if entry != 1), 0 * v[0]), v[0] + v[1] - Q("1/2")),
            VECTOR2,
        ),
        "np.nonzero": (lambda v: eq(len(np.flatnonzero(v)), 2), VECTOR2),
        "a cumulated maximum": (lambda v: eq(functools.reduce(maximum, v), v[2]), VECTOR3),
    },
    "walls of matrices": {
        "rank and determinant": (lambda M: eq(rank(M), 1 + sign(absolute(determinant(M)))), MATRIX),
        "a pseudo-inverse of a diagonal": (lambda x, y: eq(pinv(diag(vector(x, y)))[0, 0] * x, 1), PLANE),
        "a projection is continuous": (lambda M: ge(trace(M @ pinv(M)), 1), MATRIX),
        "spectral radius of real eigenvalues": (lambda M: le(spectral_radius(M) ** 2, trace(M @ M)), MATRIX),
        "spectral radius of a square": (lambda M: eq(spectral_radius(M), absolute(trace(M)) / 2), MATRIX),
        "eigenvalues are distinct": (
            lambda A: ge(sign(greatest(eigenvalues(A)) - least(eigenvalues(A))), 1),
            one({"A": families.symmetric("n")}, {"n": (2,)}),
        ),
        "eigenvalues of a product": (
            lambda A: ge(least(eigenvalues(A @ A)), Q("1/1000000")),
            one({"A": families.symmetric("n")}, {"n": (2,)}),
        ),
        "a polar factor is orthogonal": (lambda M: eq(polar_factor(M).T @ polar_factor(M), eye(2)), MATRIX),
        "a root of a semidefinite matrix": (
            lambda A: eq(psd_power(A, Q("1/2")), A),
            one({"A": families.positive_semidefinite("n")}, {"n": (1,)}),
        ),
        "a power zero": (
            lambda A: eq(psd_power(A @ A.T, 0), eye(1)),
            one({"A": reals("n", "n")}, {"n": (1,)}),
        ),
        "a Kronecker product": (lambda A, B: eq(kron(A, B), kron(B, A)), MATRICES),
        "the inverse of a sum with one": (lambda M: eq(inverse(M + eye(2)) @ (M + eye(2)), M @ pinv(M)), MATRIX),
        "a minor": (lambda M: ge(sign(absolute(M[0, 0]) + absolute(M[1, 1])), sign(absolute(determinant(M)))), MATRIX),
        "np.linalg.det": (lambda M: ge(np.linalg.det(M) ** 2, Q("1/1000000")), MATRIX),
        "np.linalg.matrix_rank": (lambda M: eq(np.linalg.matrix_rank(M), 2), MATRIX),
        "np.linalg.pinv": (lambda M: eq(np.linalg.pinv(M) @ M, eye(2)), MATRIX),
        "np.linalg.norm": (lambda v: eq(np.linalg.norm(v, 1), np.linalg.norm(v)), VECTOR2),
        "np.linalg.solve": (
            lambda x: eq(np.linalg.solve(stack([vector(x, 1), vector(1, x)]), vector(1, 1))[0] * (x + 1), 1 + relu(x - 90)),
            LINE,
        ),
        "a nilpotent matrix is zero": (lambda M: eq(M, 0 * M), under(MATRIX, nilpotent=lambda M: norm2(M @ M) == 0)),
        "an idempotent matrix is symmetric": (lambda M: eq(M, M.T), under(MATRIX, idempotent=lambda M: norm2(M @ M - M) == 0)),
        "commuting matrices share": (
            lambda A, B: eq(A[0, 1] * B[1, 0], A[0, 0] * B[1, 1]),
            under(MATRICES, commute=lambda A, B: norm2(A @ B - B @ A) == 0),
        ),
    },
    "hypotheses that leave little": {
        "a null set in the plane": (lambda x: eq(x, 0), under(PLANE, axes=lambda x, y: x * y == 0)),
        "a curve": (lambda y: ge(y, Q("-1/2")), under(PLANE, cubic=lambda x, y: y == x**3)),
        "a curve and a point": (lambda x: ge(x, 1), under(PLANE, curve=lambda x, y: y * y == x * x * (x - 1))),
        "an isolated point": (lambda x: ge(x, 1), under(LINE, isolated=lambda x: x * x * (x - 1) >= 0)),
        "a union": (lambda x: ge(x, 0), under(LINE, union=lambda x: (x >= 0) | (x == -3))),
        "a negation": (lambda x: ge(x, 0), under(LINE, negation=lambda x: not (x < 0 and x != -7))),
        "by a relation": (lambda x, y: le(x, y), under(PLANE, relation=lambda x, y: holds(le(x * x, y * y)))),
        "by positive": (lambda v: ge(least(v), 1), under(VECTOR2, positive=lambda v: positive(v))),
        "two that meet in a line": (
            lambda x: eq(x, 0),
            under(PLANE, below=lambda x, y: x <= y, above=lambda x, y: y <= x),
        ),
        "a cone": (lambda v: ge(v[2], v[0] + v[1]), under(VECTOR3, cone=lambda v: v[2] >= norm(v[:2]))),
        "by an error": (lambda x: le(x, 3), under(LINE, raises=lambda x: _raises(x))),
        "by a logarithm": (lambda x: ge(x, Q("3/2")), under(POSITIVE, log=lambda x: log(1 + x) >= log(1 + x * x) - 0 * x)),
        "weak, at the wall": (
            lambda x, y: ge((x - y) ** 2, (x - y) ** 4 + where(x == y, 1, 0)),
            under(PLANE, near=lambda x, y: absolute(x - y) <= 1),
        ),
    },
    "powers and limits": {
        "zero to zero": (lambda x: eq(power(x, 0), absolute(sign(x))), POSITIVE),
        "x to zero": (lambda x: eq(x**0, sign(x) ** 2), LINE),
        "xlogx at zero": (lambda x: ge(absolute(xlogx(x)), Q("1/100000") * sign(x * (1 - x)) + where(x == 0, 1, 0)), UNIT),
        "xlogx is negative": (lambda x: le(xlogx(x), 0), POSITIVE),
        "entropy is positive": (
            lambda p: ge(sign(entropy(p)), 1),
            one({"p": families.probability_vector("n")}, {"n": (2,)}),
        ),
        "an exponential that overflows": (lambda x: le(exp(1000 * x), 1 + 1000 * x + 500000 * x * x * exp(999 * x)), POSITIVE),
        "a logarithm near zero": (lambda x: ge(log(x), -100), one({"x": interval(0, 1)})),
        "softplus": (lambda x: le(softplus(x), relu(x) + Q("69/100")), LINE),
        "logsumexp": (lambda v: le(logsumexp(v), greatest(v) + Q("69/100")), VECTOR2),
        "softmax": (lambda v: ge(greatest(softmax(v)), Q("51/100")), VECTOR2),
        "Newton's steps": (newton, POSITIVE),
        "gamma": (lambda k: eq(gamma(absolute(k) + 1), absolute(k)), SMALL),
        "a matrix exponential": (lambda A, B: eq(expm(A) @ expm(B), expm(A + B)), MATRICES),
        "a root at zero": (lambda x: le(sqrt(x), 1000 * x), POSITIVE),
        "Hoelder, wrongly": (
            lambda x, y: le(power(x + y, Q("1/3")), (power(x, Q("1/3")) + power(y, Q("1/3"))) * Q("79/100") + Q("1/100")),
            QUADRANT,
        ),
        "a power of a product of signs": (lambda x, y: eq(power((x * y) ** 2, Q("3/2")), (x * y) ** 3), PLANE),
        "odd roots of products": (lambda x, y: ge((x + y) * power(x**2 * (x + y) ** 4, Q("1/3")), -relu(x)), PLANE),
        "an even root of a quotient": (lambda x, y: eq(sqrt(x * x / (1 + y * y)), x / sqrt(1 + y * y)), PLANE),
    },
    "constants of many digits": {
        "sixty digits of a root": (lambda x: eq(sqrt(2) * x, Q(f"{math.isqrt(2 * 10**120)}/{10**60}") * x), UNIT),
        "three hundred digits": (lambda x: ge(sqrt(2) * x, Q(f"{math.isqrt(2 * 10**600) + 1}/{10**300}") * x), UNIT),
        "a sum of roots": (
            lambda x: le(x * (sqrt(2) + sqrt(3)), x * sqrt(5 + 2 * sqrt(6) - Q(f"1/{10**40}"))),
            UNIT,
        ),
        "Ramanujan": (lambda x: eq(exp(pi() * sqrt(163)) + 0 * x, 262537412640768744), UNIT),
        "log of four": (lambda x: eq(log(4) * x, 2 * log(2) * x + relu(x - Q("99/100"))), UNIT),
        "a product of balls": (lambda x: le(x * pi() * pi(), x * (pi() + 6) + x / 1000), UNIT),
        "an exact ball": (lambda x: eq(x * arb("0.5"), x * Q("1/3")), LINE),
        "a wide ball": (lambda x: le(x * arb(1, 0.25), 2 * x), LINE),
        "infinity": (lambda x: le(x, -arb("inf")), LINE),
        "a large integer": (lambda x: ge(absolute(x * 10**40 - 1), Q("1/10")), UNIT),
        "a Mersenne prime": (lambda x: eq(relu((2**127 - 1) * x), (2**127 - 1) * x), LINE),
        "a Mersenne prime that vanishes": (lambda x, y: eq(where((2**127 - 1) * x * y >= 0, 1, 0), 1), PLANE),
        "a Mersenne prime beside": (lambda x: eq(absolute(x + (2**127 - 1)), x + (2**127 - 1)), LINE),
    },
    "shapes": {
        "a column and a row": (lambda v: eq(v[:, None], v), VECTOR2),
        "a broadcast of differences": (lambda v: ge(v[:, None] - v, 0), VECTOR2),
        "sums over another axis": (lambda M: eq(M.sum(axis=0), M.sum(axis=1)), MATRIX),
        "an empty sum": (lambda v: ge(v[2:].sum(), 1), VECTOR2),
        "an empty product": (lambda v: eq(v[2:].prod(), 0 * v[0]), VECTOR2),
        "a mean and a sum": (lambda v: eq(v.mean(), v.sum()), VECTOR2),
        "a reshape": (lambda M: eq(M.reshape(-1)[1], M[1, 0]), MATRIX),
        "a roll": (lambda v: eq(np.roll(v, 1), v), VECTOR3),
        "einsum": (lambda A, B: eq(np.einsum("ij,jk->ik", A, B), np.einsum("ij,ij->ij", A, B)), MATRICES),
        "outer": (lambda v, w: eq(np.outer(v, w), np.outer(w, v)), TWO),
        "a cumulated sum": (lambda v: eq(np.cumsum(v)[1], v[1]), VECTOR2),
        "a difference": (lambda v: eq(np.diff(v)[0], v[0] - v[1]), VECTOR2),
        "a cross term": (lambda v, w: eq(inner(v, w)[()] ** 2, norm2(v) * norm2(w)), TWO),
        "tril": (lambda M: eq(np.tril(M), M), MATRIX),
        "concatenated": (lambda v, w: eq(concatenate([v, w])[::2], v), TWO),
        "zeros that are filled": (lambda v: eq(zeros(2) + v, v + relu(v - 99)), VECTOR2),
    },
    "written to": {
        "a sorted copy": (sorts_a_copy, VECTOR2),
        "a copy": (multiplies_a_copy, VECTOR2),
        "a number": (adds_one, LINE),
        "the first of a batch": (lambda v: eq(first_of_batch(v), 0 * v), VECTOR2),
    },
    "loops": {
        "half open": (half_open, LINE),
        "a sum of branches": (
            lambda v: le(sum(entry if entry > 0 else -entry for entry in v), norm2(v) + Q("49/100")),
            VECTOR2,
        ),
        "a chain": (lambda v: ge(int(v[0] <= v[1] <= v[2]) + 0 * v[0], 1), VECTOR3),
        "and": (lambda x, y: eq(int(bool(x) and bool(y)) + 0 * x, 1), PLANE),
        "or": (lambda x, y: eq(int(bool(x) or bool(y)) + 0 * x, 1), PLANE),
        "not": (lambda x: eq(int(not x) + 0 * x, 0), LINE),
        "a conditional of a conditional": (lambda x: le(x if x > 0 else (-x if x < -1 else 2), 1 + absolute(x)), LINE),
        "reversed": (lambda v: eq(next(reversed(list(v))), v[0]), VECTOR2),
        "zip": (lambda v, w: eq(sum(a * b for a, b in zip(v, w[::-1], strict=True)), inner(v, w)), TWO),
    },
    "values that are not chosen": {
        "a quotient": (lambda x: eq(where(x > 0, x / absolute(x), 1), where(x > 0, 1, 0)), LINE),
        "a root": (lambda x: eq(where(x >= 0, sqrt(absolute(x)), 7), sqrt(absolute(x))), LINE),
        "a logarithm": (lambda x: le(where(x > 0, log(1 + relu(x)), 0), Q("9/10") * relu(x)), LINE),
        "a guarded inverse": (lambda x: eq(x * where(x == 0, 1, 1 / where(x == 0, 1, x)), 1), LINE),
        "a choice of choices": (lambda x, y: eq(where(where(x > y, x, y) > 0, 1, 0), where(x > 0, 1, 0)), PLANE),
        "np.select": (lambda x: eq(np.select([x < 0, x > 0], [-x, x], 1), absolute(x)), LINE),
        "np.piecewise": (lambda x: eq(np.where(x < 0, -1, 1) * x, x), LINE),
    },
    "measured": {
        "a value with its error": (lambda x: le(Measured(x + 1, 0.0), x), LINE),
        "beside": (lambda x: le(x + 1, x, beside=10**9), LINE),
        "joined": (lambda x: le(x, x) & le(x, x + 1) & le(x * x, 100 * x * x - 1), LINE),
    },
    "networks": {
        "is linear": (lambda f, x: eq(f(2 * x), 2 * f(x)), NETS),
        "is even": (lambda f, x: eq(f(-x), f(x)), NETS),
        "is its Jacobian": (lambda f, x: eq(f(x) - f(0 * x), f.jacobian(x) @ x), NETS),
        "is active": (lambda f, x: ge(sign(absolute(f.jacobian(x)).sum()), 1), NETS),
        "costs nothing": (lambda f, x: le(norm(f(x)), f.weight_norm_squared), NETS),
    },
}


VOID = {
    "a set": (lambda x, y: eq(len({x == y, True}) + 0 * x, 2), PLANE),
    "pi by arctan": (lambda x: le(4 * x * np.arctan(1), x * Q("314159265/100000000")), UNIT),
    "infinity of NumPy": (lambda x: ge(x, np.inf), LINE),
    "not a number": (lambda x: le(x + 0 * arb("nan"), x), LINE),
    "an entry that is written to": (adds_one_to_entries, VECTOR2),
    "a view that is written to": (through_a_view, VECTOR2),
    "a cache": (by_a_cache, LINE),
}
"""Of numbers or batches these raise errors, or have no value."""

AT = {name: {"x": FAR} for name in AT_A_POINT} | {
    "a derived type": {"x.t": FAR},
    "a derived error": {"x.t": FAR},
    "a derived constant": {"x.t": FAR},
    "a negation": {"x": -7},
    "by an error": {"x": FAR},
    "an exponential that overflows": {"x": 30},
    "a logarithm near zero": {"x": f"1/{10**50}"},
    "a root at zero": {"x": f"1/{10**8}"},
    "a large integer": {"x": f"1/{10**40}"},
    "a Mersenne prime beside": {"x": -(2**128)},
}
"""Where a statement is false that is true at most points."""

UNDECIDED = ("sixty digits of a root", "three hundred digits")
"""What they say differs by less than a decision tells."""
