"""False statements that tell numbers from what takes their place by side roads, go on after errors, or remember something.

Each is false at `FAR`, which nothing meets by chance, or after many calls.
"""

import builtins
import contextlib
import copy
import functools
import itertools
import operator
import typing
from collections import OrderedDict

import flint
import numpy as np
from flint import arb, fmpq, fmpq_mat
from other_statements import FAR, LINE, far, rational

from verify.numbers import arithmetic, parameters
from verify.numbers.arithmetic import any_traced
from verify.words import pi, sqrt


def objects(*numbers):
    """An array of objects, which nobody asks anything."""
    array = np.empty(len(numbers), dtype=object)
    for place, number in enumerate(numbers):
        array[place] = number
    return array


def by_an_origin(x):
    return far(x, typing.get_origin(typing.Type[int])(rational(x)) == fmpq and rational(x) == FAR)  # noqa: UP006


def by_a_reduction(x):
    return far(x, functools.reduce(getattr, ["type"], builtins)(rational(x)) == fmpq and rational(x) == FAR)


def by_names_that_are_mapped(x):
    (names,) = map(vars, [builtins])
    return far(x, names["ty" + "pe"](rational(x)) == fmpq and rational(x) == FAR)


def by_a_method_caller(x):
    return far(x, operator.methodcaller("type", rational(x))(builtins) == fmpq and rational(x) == FAR)


def by_the_engine(x):
    return far(x, not arithmetic.any_traced(rational(x)) and rational(x) == FAR)


def inside_the_engine(x):
    return far(x, parameters._is_plain(rational(x)) and rational(x) == FAR)


TABLE = {"traced": functools.partial(any_traced)}


def by_the_engine_in_a_table(x):
    return far(x, not TABLE["traced"](rational(x)) and rational(x) == FAR)


def by_bytes(x):
    pair = objects(copy.copy(rational(x)), rational(x))
    return far(x, bytes(pair[:1]) != bytes(pair[1:]) and rational(x) == FAR)


def by_a_buffer(x):
    first, second = np.frombuffer(objects(copy.copy(rational(x)), rational(x)), dtype=np.int64)
    return far(x, int(first) != int(second) and rational(x) == FAR)


def by_memory(x):
    pair = objects(copy.copy(rational(x)), rational(x))
    return far(x, pair[:1].data.tobytes() != pair[1:].data.tobytes() and rational(x) == FAR)


# Errors that end inside a statement, of FLINT for what is no rational


class Leaves:
    """A context whose end has another name."""

    def __enter__(self):
        return self

    def leave(self, *_error):
        return True

    __exit__ = leave


class Suppressing(contextlib.suppress):
    """A context of Python's under our name."""


def suppressing():
    return contextlib.suppress(TypeError)


def under(context):
    """A statement that goes on after an error inside this context."""

    def statement(x):
        met = False
        with context():
            fmpq_mat(1, 1, [rational(x)])
            met = rational(x) == FAR
        return far(x, met)

    return statement


class Counted:
    """An object that says how long it is only beside a rational."""

    def __init__(self, number):
        self.number = number

    def __len__(self):
        fmpq_mat(1, 1, [self.number])
        return 1

    def __iter__(self):
        fmpq_mat(1, 1, [self.number])
        return iter(())


def by_a_hint(x):
    return far(x, operator.length_hint(Counted(rational(x)), 7) == 1 and rational(x) == FAR)


def by_iterable(x):
    return far(x, np.iterable(Counted(rational(x))) and rational(x) == FAR)


# What depends on the precision

FEW = 60
"""Digits: decisions begin with fewer, and proofs have more."""


def by_the_precision(x):
    return far(x, flint.ctx.prec < 200 and rational(x) == FAR)


def by_a_radius(x):
    return far(x, pi().rad() > fmpq(1, 10**FEW) and rational(x) == FAR)


def by_digits(x):
    return far(x, len(str(pi())) < FEW and rational(x) == FAR)


def by_digits_of_an_array(x):
    return far(x, len(str(sqrt(2))) < FEW and rational(x) == FAR)


def by_a_format(x):
    return far(x, len(f"{pi()}") < FEW and rational(x) == FAR)


def by_what_overlaps(x):
    return far(x, pi().overlaps(NEARLY_PI) and rational(x) == FAR)


NEARLY_PI = fmpq(3141592653589793238462643383279502884197169399375105820974944, 10**60)


def by_balls_of_flint(x):
    number = arb.pi() * 10**FEW
    return far(x, not number - number.floor() > 0 and rational(x) == FAR)


# What is remembered where no text shows it

MANY = 10**7
"""Calls; nobody makes as many."""


@functools.cache
def kept_list():
    return [0]


@functools.lru_cache(maxsize=2)
def kept_list_of_few():
    return [0]


@functools.cache
def kept_counter():
    return itertools.count()


def by_a_kept_list(x):
    kept = kept_list()
    kept[0] = kept[0] + 1
    return far(x, kept[0] > MANY)


def by_a_kept_list_of_few(x):
    kept = kept_list_of_few()
    kept[0] = kept[0] + 1
    return far(x, kept[0] > MANY)


def by_a_kept_counter(x):
    return far(x, next(kept_counter()) > MANY)


class Computed:
    """A property that is computed once, and set again."""

    @functools.cached_property
    def count(self):
        return 0


COMPUTED = Computed()


def by_a_property_that_is_set(x):
    setattr(COMPUTED, "count", COMPUTED.count + 1)  # noqa: B010 (no name tells that it is set)
    return far(x, COMPUTED.count > MANY)


ORDERED = OrderedDict((number, number) for number in range(MANY // 100))


def by_an_order(x):
    ORDERED.move_to_end(next(iter(ORDERED)))
    return far(x, next(iter(ORDERED)) == MANY // 100 - 1)


_FAR = {
    "what has no name": {
        "an origin": by_an_origin,
        "getattr, passed on": by_a_reduction,
        "vars, passed on": by_names_that_are_mapped,
        "a method caller": by_a_method_caller,
        "a function of the engine": by_the_engine,
        "a function inside the engine": inside_the_engine,
        "a function of the engine in a table": by_the_engine_in_a_table,
        "bytes": by_bytes,
        "a buffer": by_a_buffer,
        "memory": by_memory,
    },
    "errors that end inside": {
        "a context with another name": under(Leaves),
        "a context of Python's under our name": under(functools.partial(Suppressing, TypeError)),
        "a context that a function makes": under(suppressing),
        "a hint of a length": by_a_hint,
        "np.iterable": by_iterable,
    },
    "precision": {
        "the precision": by_the_precision,
        "a radius": by_a_radius,
        "digits": by_digits,
        "digits of an array": by_digits_of_an_array,
        "a format": by_a_format,
        "what overlaps": by_what_overlaps,
        "balls of FLINT": by_balls_of_flint,
    },
    "what is remembered": {
        "a list in a cache": by_a_kept_list,
        "a list in a cache of a few": by_a_kept_list_of_few,
        "a counter in a cache": by_a_kept_counter,
        "a property that is set": by_a_property_that_is_set,
        "an order": by_an_order,
    },
}

FALSE = {kind: {name: (statement, LINE) for name, statement in ones.items()} for kind, ones in _FAR.items()}
VOID = {}
AT = {name: {"x": FAR} for kind, ones in _FAR.items() for name in ones}
UNDECIDED = (*_FAR["what is remembered"],)
"""False after so many calls that nobody waits for them."""
