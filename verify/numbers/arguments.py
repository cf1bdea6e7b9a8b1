"""The one way in which numbers and arrays come in: what is accepted, and errors that name the argument.

Numbers are floats, or *exact*: `flint.fmpq`, `flint.arb`, `fractions.Fraction`. Integers and booleans are the numbers that
they are, of any width, and at home in both arithmetics. Where arrays are accepted, nested lists of numbers are, too.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from flint import arb, fmpq, fmpz

from verify.numbers.arithmetic import Array, array_module, array_of, fraction, integer, is_exact, is_number, rational, rationals
from verify.numbers.exactness import Ball, ExactNumber, in_exact_evaluation

Kind: TypeAlias = str
"""Of an array: "float", "integer" (booleans included) or "exact"."""


LONGEST_TEXT = 1000
"""Characters of somebody else's message, of which more are counted and not shown: a dozen lines of a terminal."""


def printable(text: str) -> str:
    """Somebody else's text with its control characters written out, so that a terminal obeys none; cut where it is long."""
    shown = "".join(letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text[:LONGEST_TEXT])
    return shown if len(text) <= LONGEST_TEXT else f"{shown} ... and {len(text) - LONGEST_TEXT} more characters"


def real_array(name: str, values: Any, exact: bool | None = None, beside: str = "what stands beside it") -> Array:
    """`values` as float32 or float64, or as an object array of `flint.fmpq` and `verify.numbers.exactness.Ball`; finite.

    Integers are rationals if `exact`, else float64; if that is not said, rationals in an exact evaluation. An array that is in
    order is returned itself.

    Raises
    ------
    ValueError
        No numbers, imaginary parts, NaN or infinity, floats among exact numbers; or another arithmetic than that of `beside`.
    TypeError
        `values` is no array, no number and no list of them.
    """
    # the common case, in a microsecond
    if type(values) is np.ndarray and values.dtype == np.float64 and not exact and np.isfinite(values).all():
        return values
    array, kind = _parsed(name, values)
    if kind == "integer":
        return _integers_in(name, array, in_exact_evaluation() if exact is None else exact)
    if exact is not None and exact != (kind == "exact"):
        raise ValueError(
            f"{beside} is {'exact' if exact else 'float'} but {name} is {kind}: convert one with verify.numbers.arithmetic"
        )
    return array


def real_arrays(named: Iterable[tuple[str, Any]], *, mixed: bool = False) -> list[Array]:
    """Each as by `real_array`, all in one arithmetic unless `mixed`: integers take that of the others.

    Raises
    ------
    ValueError, TypeError
        As for `real_array`; or some are floats and others exact.
    """
    named = list(named)
    # the common case
    if all(type(values) is np.ndarray and values.dtype == np.float64 and np.isfinite(values).all() for _, values in named):
        return [values for _, values in named]
    parsed = [(name, *_parsed(name, values)) for name, values in named]
    first = next(((name, kind) for name, _, kind in parsed if kind != "integer"), None)
    exact = in_exact_evaluation() if first is None else first[1] == "exact"
    for name, _, kind in parsed:
        if not mixed and first is not None and kind not in ("integer", first[1]):
            raise ValueError(
                f"{name} is {kind} but {first[0]} is {first[1]}: convert with verify.numbers.arithmetic.rationals or floats"
            )
    return [_integers_in(name, array, exact) if kind == "integer" else array for name, array, kind in parsed]


def rational_array(name: str, values: Any, *, text: bool = False) -> Array:
    """`values` as a new array of rationals; floats are taken as the rationals that they are, and with `text` so is ``"1/3"``.

    Raises
    ------
    ValueError
        As for `real_array`, but floats may stand among exact numbers.
    TypeError
        Balls; floats in an exact evaluation; or as for `real_array`.
    """
    array = array_of(name, values, text=text)
    if array.dtype.kind != "O":
        array, _ = _checked(name, array)
        array = array if array_module(array) is np else array_module(array).asnumpy(array)
        return rationals(array)
    if set(map(type, array.flat)) == {fmpq}:
        return array.copy()
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        entry = array[index]
        if isinstance(entry, arb):
            raise TypeError(f"{name} must hold floats or rationals, got balls (flint.arb)")
        if not isinstance(entry, fmpq | fmpz | Fraction | int | float | np.integer | np.floating | np.bool_) and not (
            text and isinstance(entry, str)
        ):
            raise ValueError(f"{name} must hold real numbers, got {reprlib.repr(entry)}")
        try:
            result[index] = rational(entry.item() if isinstance(entry, np.generic) else entry)
        except ValueError:
            raise ValueError(f"{name} must hold real numbers that are finite, got {reprlib.repr(entry)}") from None
    return result


def real_number(name: str, value: Any, *, exact: bool | None = None) -> Any:
    """One finite number: a `flint.fmpq` or a ball if `exact`, a float if not; if that is not said, a float for a float only.

    Rationals are at home in both arithmetics, floats in floats only.

    Raises
    ------
    TypeError
        `value` is no real number; or a float (or a ball) where the other is asked for.
    ValueError
        It is NaN or infinite.
    """
    if not is_number(value):
        if getattr(value, "shape", None) != ():
            raise TypeError(f"{name} must be a real number, got {reprlib.repr(value)}")
        return real_number(name, value.item() if hasattr(value, "item") else value, exact=exact)
    if isinstance(value, float | np.floating):
        if not np.isfinite(value):
            raise ValueError(f"{name} must be finite, got {value}")
        if exact:
            raise TypeError(f"{name} must be an int, a Fraction or a flint.fmpq beside exact numbers, got the float {value!r}")
        return float(value)
    if isinstance(value, arb):
        if not value.is_finite():
            raise ValueError(f"{name} must be finite, got {value}")
        if exact is False:
            raise TypeError(f"{name} must be a float or a rational beside floats, got a ball: {value}")
        return Ball(value)
    number = rational(value)
    try:
        return float(fraction(number)) if exact is False else number
    except OverflowError:
        raise ValueError(f"{name} must be in the range of floats, got {reprlib.repr(value)}") from None


def integers(name: str, values: Any, least: int | None = None) -> tuple[int, ...]:
    """A tuple of what `integer` accepts.

    Raises
    ------
    TypeError, ValueError
        As for `integer` and `listed`.
    """
    return tuple(integer(f"{name}[{k}]", value, least) for k, value in enumerate(listed(name, values)))


def flag(name: str, value: Any) -> bool:
    """`value`, which is True or False: where others take a number, a number that is taken for a truth would be a trap.

    Raises
    ------
    TypeError
        It is neither.
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {reprlib.repr(value)}")
    return bool(value)


def choice(name: str, value: Any, accepted: tuple[Any, ...]) -> Any:
    """`value`, which is one of those that are accepted.

    Raises
    ------
    ValueError
        It is none of them.
    """
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value not in accepted:
        *most, last = (repr(text) if isinstance(text, str) else str(text) for text in accepted)
        raise ValueError(f"{name} must be {', '.join(most)} or {last}, got {reprlib.repr(value)}")
    return value


def listed(name: str, values: Any) -> list[Any]:
    """The entries of a list, a tuple, an array or another iterable.

    Raises
    ------
    TypeError
        It is none, or is text.
    """
    if isinstance(values, str | bytes | dict | set) or not isinstance(values, Iterable) or getattr(values, "shape", None) == ():
        raise TypeError(f"{name} must be a list, got {reprlib.repr(values)}")
    return list(values)


def instance(name: str, value: Any, wanted: type, hint: str = "") -> Any:
    """`value`, which is of the class that is wanted; `hint` says how to get one.

    Raises
    ------
    TypeError
        It is not.
    """
    if not isinstance(value, wanted):
        raise TypeError(f"{name} must be a {wanted.__name__}{hint}, got {reprlib.repr(value)}")
    return value


def _parsed(name: str, values: Any) -> tuple[Array, Kind]:
    array = array_of(name, values)
    if is_exact(array) and not is_exact(values) and set(map(type, array.flat)) == {int}:
        return array, "integer"  # a list of integers beyond 64 bits
    return _checked(name, array)


def _checked(name: str, array: Array) -> tuple[Array, Kind]:
    kind = array.dtype.kind
    if kind == "f":
        if array.dtype not in (np.float64, np.float32):
            array = array.astype("float64")
        finite = array_module(array).isfinite(array)
        if not finite.all():
            bad = int((~finite).sum())
            raise ValueError(f"{name} must be finite, got {bad} of {array.size} entries that are NaN or infinite")
        return array, "float"
    if kind in "biu":
        return array, "integer"
    if kind != "O":
        raise ValueError(f"{name} must hold real numbers (floats, integers or flint.fmpq), got dtype {array.dtype}")
    return _checked_objects(name, array)


def _checked_objects(name: str, array: Array) -> tuple[Array, Kind]:
    kinds = set(map(type, array.flat))
    if kinds <= {fmpq}:
        return array, "exact"
    result = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        result[index] = _exact_entry(name, array[index])
    return result, "exact"


def _exact_entry(name: str, entry: Any) -> fmpq | Ball:
    if isinstance(entry, fmpq | ExactNumber):
        return entry
    if isinstance(entry, arb):
        if not entry.is_finite():
            raise ValueError(f"{name} must be finite, got a ball that is not: {entry}")
        return entry if isinstance(entry, Ball) else Ball(entry)
    if isinstance(entry, int | np.integer | np.bool_ | Fraction | fmpz):
        return rational(entry)
    if isinstance(entry, float | np.floating):
        raise ValueError(
            f"{name} must hold floats or exact numbers, got the float {entry!r} in an array of objects or beside exact ones: "
            "see verify.numbers.arithmetic.rationals"
        )
    raise ValueError(f"{name} must hold real numbers (floats, integers or flint.fmpq), got {reprlib.repr(entry)}")


def _integers_in(name: str, array: Array, exact: bool) -> Array:
    if exact:
        return rationals(array)
    try:
        return array.astype("float64")
    except OverflowError:
        raise ValueError(f"{name} must be in the range of floats, got an integer beyond it") from None
