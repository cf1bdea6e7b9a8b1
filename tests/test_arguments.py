"""Whatever a function of the engine is given: a right value, or an error that names the argument, and that soon."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import signal
import warnings
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from argument_calls import CALLS, INTERNAL, RESULTS, Call, public
from flint import arb, fmpq, fmpz
from machine_speed import patient

from verify import networks
from verify.numbers.arithmetic import floats, fraction, is_exact, rationals
from verify.numbers.exactness import Ball, exact_evaluation

SECONDS = patient(5)


class Subclass(np.ndarray):
    """What behaves as an array."""


class Unlike:
    """Nothing that anything takes."""


def bad_for_all():
    return {
        "None": None,
        "text": "abc",
        "object": Unlike(),
        "imaginary number": 2j,
        "dictionary": {"a": 1},
        "function": math.sin,
    }


def bad_arrays(array):
    """Arrays like one that is in order, which no function of arrays may take."""
    broken = array.astype(float)
    nan, infinite = broken.copy(), broken.copy()
    nan.flat[0], infinite.flat[-1] = np.nan, -np.inf
    return bad_for_all() | {
        "imaginary parts": array + 0j,
        "NaN": nan,
        "infinity": infinite,
        "text array": array.astype(str),
        "nothing array": np.full(array.shape, None),
        "dates": np.full(array.shape, np.datetime64("2020-01-01")),
        "ragged": [[1.0], [1.0, 2.0]],
        "nested text": [["a", "b"], ["c", "d"]],
        "masked": np.ma.masked_equal(broken, broken.flat[0]),
        "infinite ball": np.full(array.shape, arb("nan")),
        "empty": np.zeros((0,) * array.ndim),
        "empty list": [],
        "no axes": np.float64(3),
        "number": 3.0,
    }


def strange_arrays(array):
    """Arrays that a function may or may not take, but not fail obscurely on."""
    half = np.full(array.shape, Fraction(1, 2), dtype=object)
    return {
        "longer": np.ones((*array.shape[:-1], array.shape[-1] + 1)),
        "longer before": np.ones((array.shape[0] + 1, *array.shape[1:])),
        "another axis": np.stack([array, array]),
        "one axis less": array[0],
        "zeros": np.zeros(array.shape),
        "negative": -array,
        "tiny": array * 5e-324,
        "huge": np.sign(array) * 1e308,
        "huge integers": [10**400],
        "rationals": rationals(array),
        "fractions": half,
        "balls": np.full(array.shape, arb(2).sqrt()),
        "mixed objects": np.where(np.arange(array.size).reshape(array.shape) > 0, half, 0.5),
        "no rows": np.zeros((0, *array.shape[1:])),
        "no columns": np.zeros((*array.shape[:-1], 0)),
    }


def same_numbers(array):
    """The numbers of an array in other guises: the result is the same."""
    whole = array.astype(np.int64)
    result = {
        "lists": array.tolist(),
        "lists of integers": whole.tolist(),
        "tuples": tuple(map(tuple, array.tolist())) if array.ndim == 2 else tuple(array.tolist()),
        "list of arrays": list(array),
        "other order": np.asfortranarray(array),
        "read-only": np.broadcast_to(array, array.shape),
        "big-endian": array.astype(">f8"),
        "long doubles": array.astype(np.longdouble),
        "subclass": array.view(Subclass),
    }
    kinds = [np.int8, np.int16, np.int32, np.int64] + ([np.uint8, np.uint16, np.uint64] if (whole >= 0).all() else [])
    kinds += [bool] if set(whole.flat) <= {0, 1} else []
    if not (whole == array).all():
        del result["lists of integers"]
    return result | {np.dtype(kind).name: array.astype(kind) for kind in kinds if (array.astype(kind) == array).all()}


BAD_INTEGERS = bad_for_all() | {
    "float": 1.5,
    "whole float": 2.0,
    "NaN": np.nan,
    "infinity": np.inf,
    "fraction": Fraction(3, 2),
    "list": [1],
    "text number": "2",
    "boolean": True,
    "array of floats": np.array(2.0),
    "array": np.array([1, 2]),
}
BAD_NUMBERS = bad_for_all() | {
    "NaN": np.nan,
    "infinity": np.inf,
    "text number": "2",
    "infinite ball": arb("nan"),
    "array": np.array([[0.25, 0.5], [0.5, 0.5]]),
    "ragged": [[1.0], [1.0, 2.0]],
    "text array": np.array(["a"]),
    "no number": [None],
}
BAD_EXPONENTS = bad_for_all() | {
    "float": 0.5,
    "NaN": np.nan,
    "text number": "1/2",
    "list": [1],
    "array": np.array([1, 2]),
    "boolean": True,
}
BAD_FLAGS = bad_for_all() | {
    "number": 0.5,
    "integer": 1,
    "NaN": np.nan,
    "list": [True],
}
BAD_CHOICES = bad_for_all() | {"number": 7, "list": ["max"], "array": np.array([1, 2])}
BAD_OBJECTS = bad_for_all() | {"number": 3, "array": np.eye(2), "list": [1, 2]}
BAD_LISTS = bad_for_all() | {"number": 3, "empty list": [], "list of nothing": [None, None], "list of text": ["a", "b"]}
BAD_SIZES = BAD_LISTS | {"floats": [2.5, 3.5, 4.5], "NaN": [np.nan] * 3, "negative": [-1, -1, -1]}


def trials(value):
    """What an argument is replaced by: ``(bad, strange, the same in another guise)``, by label."""
    if value is None:
        return {"object": Unlike(), "bytes": b"abc", "number": 2j}, {}, {}
    if isinstance(value, np.ndarray):
        if is_exact(value):
            return bad_arrays(floats(value)), {}, {"plain": value.copy(), "lists": value.tolist()}
        return bad_arrays(value), strange_arrays(value), same_numbers(value)
    if isinstance(value, bool):
        return BAD_FLAGS, {}, {"bool of NumPy": np.bool_(value)}
    if isinstance(value, int):
        guises = {kind.__name__: kind(value) for kind in (np.int8, np.uint8, np.int64)} | {"array": np.array(value)}
        return BAD_INTEGERS, {"negative": -1, "zero": 0, "minus one hundred": -100}, guises
    if isinstance(value, float):
        guises = {"float of NumPy": np.float64(value), "no axes": np.array(value)}
        exact = {"fraction": Fraction(1, 2), "rational": fmpq(1, 2), "ball": arb(2).sqrt()}
        return (
            BAD_NUMBERS,
            {"negative": -1.0, "zero": 0, "large": 1e300, "integer": 1, "FLINT": fmpz(1), "yes": True, **exact},
            guises,
        )
    if isinstance(value, Fraction):
        return (
            BAD_EXPONENTS,
            {"negative": Fraction(-1, 2), "zero": 0, "integer of NumPy": np.int64(1)},
            {"rational": fmpq(1, 2) * 2 * value.numerator / value.denominator},
        )
    if isinstance(value, str):
        return BAD_CHOICES, {}, {}
    if isinstance(value, list | tuple) and value and isinstance(value[0], np.ndarray):
        first, rest = value[0], list(value[1:])
        bad, strange, same = ({label: [one, *rest] for label, one in kind.items()} for kind in trials(first))
        if rest:  # what stands beside it is converted, too
            same |= {
                f"all {label}": [other[label] for other in map(same_numbers, value)]
                for label in ("int8", "lists")
                if all(label in same_numbers(one) for one in value)
            }
        return bad | BAD_LISTS, strange | {"too many": [*value, first]}, same | {"tuple": tuple(value)}
    if isinstance(value, list | tuple) and value and isinstance(value[0], int):
        return BAD_SIZES, {"too many": [*value, 1]}, {"tuple": tuple(value), "array": np.array(value)}
    if isinstance(value, list) and value and isinstance(value[0], float):
        return BAD_LISTS | {"NaN": [np.nan] * len(value)}, {}, {"array": np.array(value), "tuple": tuple(value)}
    if isinstance(value, list | tuple):
        return BAD_LISTS, {}, {}
    return {label: one for label, one in BAD_OBJECTS.items() if not callable(value) or label != "function"}, {}, {}


COUNTS = [
    (name, argument)
    for name, call in CALLS.items()
    for argument, value in call.arguments.items()
    if argument in ("axes", "count", "depth", "layers", "nodes") and type(value) is int
]


@pytest.mark.parametrize(("name", "argument"), COUNTS)
def test_a_count_that_no_memory_holds_is_refused(name, argument):
    call = CALLS[name]
    found = attempt(call, call.arguments | {argument: 10**18})
    assert names(found, argument), found


def has_arrays(value):
    return isinstance(value, np.ndarray) or (isinstance(value, list | tuple) and any(map(has_arrays, value)))


@contextmanager
def soon():
    """What runs longer than `SECONDS` is stopped."""

    def stop(*_):
        raise TimeoutError(f"more than {SECONDS} seconds")

    # of the processor: what waits for a busy machine is not long
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def parts(result):
    """Arrays and numbers of a result, in order."""
    if isinstance(result, np.ndarray | np.generic | int | float | fmpq | arb):
        return [np.asarray(result) if not isinstance(result, fmpq | arb) else floats(np.array(result, dtype=object))]
    if dataclasses.is_dataclass(result):
        kept = [one.name for one in dataclasses.fields(result) if not one.name.startswith("_") and one.name != "seconds"]
        return [part for name in kept for part in parts(getattr(result, name))]
    if isinstance(result, tuple | list):
        return [part for one in result for part in parts(one)]
    if hasattr(result, "parameters"):
        return parts(result.parameters)
    return []


def equal(left, right):
    ours, others = parts(left), parts(right)
    return len(ours) == len(others) and all(
        one.shape == other.shape
        and one.dtype.kind in "fiub"
        and np.allclose(floats(one), floats(other), rtol=1e-9, atol=1e-12, equal_nan=True)
        if one.dtype.kind != "O"
        else one.shape == other.shape and np.allclose(floats(one), floats(other), rtol=1e-9, atol=1e-12)
        for one, other in zip(ours, others, strict=True)
    )


def has_nan(result):
    return any(part.dtype.kind == "f" and np.isnan(part).any() for part in parts(result))


def attempt(call, arguments):
    """The result, or the exception."""
    with soon(), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", RuntimeWarning)  # of NumPy, where floats overflow
        try:
            result = call(arguments)
            return list(result) if hasattr(result, "complete") else result
        except Exception as error:
            return error


def names(error, name):
    if name == "parameters":
        name = "(parameters|weights|kernels|biases)"
    return isinstance(error, ValueError | TypeError | ArithmeticError) and re.search(rf"\b{name}\b", str(error))


def test_the_table_has_every_public_function_class_and_method():
    left_out = {
        f"{place}.{name}" for table in (RESULTS, INTERNAL) for place, listed in table.items() for name in listed.split()
    }
    assert set(public()) == set(CALLS) | left_out
    assert not set(CALLS) & left_out - {"verify.piecewise.FloatCells"}


@pytest.mark.parametrize("name", CALLS)
def test_a_right_value_or_an_error_that_names_the_argument(name):
    call, problems = CALLS[name], []
    right = attempt(call, call.arguments)
    assert not isinstance(right, Exception), right
    for argument, value in call.arguments.items():
        bad, strange, same = trials(value)
        accepted = call.accepts.get(argument, "")
        for label, one in bad.items():
            if accepted == "anything":
                continue
            found = attempt(call, call.arguments | {argument: one})
            refused = isinstance(found, ValueError | TypeError) and names(found, argument)
            if not refused and label not in accepted.split(", ") and not (one is None and _is_optional(call, argument)):
                problems.append(f"{argument}, {label}: {found!r}")
        for label, one in strange.items():
            found = attempt(call, call.arguments | {argument: one})
            if isinstance(found, Exception):
                if not isinstance(found, ValueError | TypeError | ArithmeticError) or isinstance(
                    found, ZeroDivisionError | OverflowError
                ):
                    problems.append(f"{argument}, {label}: {found!r}")
            elif label not in ("tiny", "huge", "large", *accepted.split(", ")) and has_nan(found):
                problems.append(f"{argument}, {label}: NaN")
        for label, one in same.items():
            found = attempt(call, call.arguments | {argument: one})
            if isinstance(found, Exception) or not equal(found, right):
                problems.append(f"{argument}, {label}: {found!r} in place of {right!r}")
    assert not problems, "\n".join(problems)


def _is_optional(call, argument):
    return inspect.signature(call.function).parameters[argument].default is None


def is_at_home(value):
    """Whether it is exact, so that integers beside it are."""
    return (
        is_exact(value)
        or getattr(value, "is_exact", False) is True
        or (isinstance(value, list | tuple) and any(map(is_at_home, value)))
    )


def exactly(value, entries=rationals):
    """An argument with `entries` made of its numbers, in the other arithmetic."""
    if isinstance(value, np.ndarray):
        return entries(value)
    if isinstance(value, networks.FullyConnected | networks.LeakyResNet | networks.CircularCNN):
        return value.as_exact()
    if isinstance(value, list | tuple):
        return type(value)(exactly(one, entries) for one in value)
    return Fraction(value) if isinstance(value, float) else value


def balls(kind):
    return lambda array: np.frompyfunc(lambda entry: kind(entry) + kind(0, 2.0**-40), 1, 1)(rationals(array))


EXACT_GUISES = {
    "rationals in lists": lambda array: rationals(array).tolist(),
    "fractions": lambda array: np.frompyfunc(fraction, 1, 1)(rationals(array)),
    "fractions in lists": lambda array: np.frompyfunc(fraction, 1, 1)(rationals(array)).tolist(),
}
INTEGER_GUISES = {
    "bytes": lambda array: array.astype(np.int8) if (array.astype(np.int8) == array).all() else rationals(array),
    "integers in lists": lambda array: array.astype(int).tolist() if (array.astype(int) == array).all() else rationals(array),
    "objects": lambda array: array.astype(int).astype(object) if (array.astype(int) == array).all() else rationals(array),
}


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if any(map(has_arrays, call.arguments.values()))])
def test_exact_numbers_in_any_guise(name):
    call, problems = CALLS[name], []
    owner = getattr(call.function, "__self__", None)
    if hasattr(owner, "as_exact") and not inspect.isclass(owner):
        call = Call(getattr(owner.as_exact(), call.function.__name__), call.arguments, call.accepts)
    arguments = {argument: exactly(value) for argument, value in call.arguments.items()}
    right = attempt(call, arguments)
    with exact_evaluation():
        counted = attempt(call, arguments)
    if not isinstance(right, Exception) and (isinstance(counted, Exception) or not equal(counted, right)):
        problems.append(f"in an exact evaluation: {counted!r} in place of {right!r}")
    for argument, value in call.arguments.items():
        if not has_arrays(value) or "anything" in call.accepts.get(argument, ""):
            continue
        alone = not any(is_at_home(one) for name, one in arguments.items() if name != argument)
        for label, entries in (EXACT_GUISES | ({} if alone else INTEGER_GUISES)).items():
            found = attempt(call, arguments | {argument: exactly(value, entries)})
            if isinstance(right, Exception):
                fine = isinstance(right, ValueError | TypeError | ArithmeticError)
            else:
                fine = not isinstance(found, Exception) and equal(found, right)
            if not fine:
                problems.append(f"{argument}, {label}: {found!r} in place of {right!r}")
    with_balls, with_plain = (
        attempt(call, {argument: exactly(value, balls(kind)) for argument, value in call.arguments.items()})
        for kind in (Ball, arb)
    )
    if isinstance(with_balls, Exception):
        same = type(with_balls) is type(with_plain)
    else:
        same = not isinstance(with_plain, Exception) and equal(with_plain, with_balls)
    if not same:
        problems.append(f"plain balls: {with_plain!r} in place of {with_balls!r}")
    assert not problems, "\n".join(problems)
