"""One statement, two arithmetics: float64 batches, and object arrays of rationals whose irrational functions are balls.

An array is *exact* when its dtype is ``object``; its entries are then `flint.fmpq` (rationals) or `flint.arb` (balls: a
midpoint and a rigorous radius). The operators ``+ - * / @``, ``numpy.where`` and indexing work on both. Whatever leaves the
rationals goes through this module, and so does every comparison: a ball of this module refuses one that it does not know
(`UndecidedInstances`), a plain `flint.arb` answers False; `compare` says so.
"""

from __future__ import annotations

import importlib
import math
import operator
import reprlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from types import ModuleType
from typing import Any, TypeAlias

import flint
import numpy as np
import numpy.typing as npt
from flint import arb, fmpq, fmpz

from verify.numbers.exactness import (
    WRITE_EXACTLY,
    Ball,
    ExactNumber,
    FloatOnExactSide,
    Q,
    exact_evaluation,
    in_exact_evaluation,
    is_float,
    is_number_of_arrays,
    midpoint,
    note_choice,
    written_fraction,
)
from verify.numbers.exactness import (
    UndecidedInstances as UndecidedInstances,  # raised here, and caught by who imports it from here
)

Array: TypeAlias = npt.NDArray[Any]
"""Floats (NumPy's or CuPy's), or an object array of `flint.fmpq` or `flint.arb`."""

UNKNOWN = 2
"""What `certain_order` answers for two balls that overlap."""


def is_exact(array: Any) -> bool:
    """Whether `array` holds rationals or balls (dtype object) rather than floats.

    Examples
    --------
    >>> print(is_exact(rationals([1, 2])), is_exact(np.array([1.0, 2.0])))
    True False
    """
    if type(array) is np.ndarray:
        return bool(array.dtype.char == "O")
    return getattr(getattr(array, "dtype", None), "kind", "") == "O"


def array_module(array: Any) -> ModuleType:
    """The library of `array`: CuPy for CuPy's arrays, else NumPy.

    Examples
    --------
    >>> array_module(np.zeros(2)).__name__
    'numpy'
    """
    if type(array) is np.ndarray:
        return np
    if type(array).__module__.split(".")[0] == "cupy":
        return sys.modules["cupy"]
    return np


def is_number(value: Any) -> bool:
    """Whether `value` is a real number of one of the types that are accepted; NaN and infinity are, too.

    Examples
    --------
    >>> print(is_number(Q(1, 3)), is_number(float("nan")), is_number("1/3"), is_number([1]))
    True True False False
    """
    return isinstance(value, int | float | np.integer | np.floating | np.bool_ | Fraction | fmpq | fmpz | arb | ExactNumber)


LARGEST_COUNT = 10**6
"""Of layers, widths, points and what else is made one by one: more is a slip, and takes all memory."""


def integer(name: str, value: Any, least: int | None = None, why: str = "", *, most: int | None = None) -> int:
    """`value`, an integer of any type, at least `least` and at most `most`; `why` ends the message.

    Raises
    ------
    TypeError
        It is none: floats are no counts and no sizes, and booleans neither.
    ValueError
        It is smaller, or larger.

    Examples
    --------
    >>> integer("depth", np.int64(3), 1)
    3
    >>> integer("depth", 0, 1, ": a network has an output layer")
    Traceback (most recent call last):
        ...
    ValueError: depth must be at least 1, got 0: a network has an output layer
    """
    accepted = "an integer" if least is None else f"an integer, at least {least}"
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be {accepted}, got {reprlib.repr(value)}{why}") from None
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}{why}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {most}, got {reprlib.repr(number)}{why}")
    return number


def array_of(name: str, values: Any, *, text: bool = False) -> Array:
    """`values`, an array, a number or nested lists, as an array of its library; entries are not looked at.

    Raises
    ------
    TypeError, ValueError
        It is none, or the lists are not equally long; with `text`, text is an entry, such as ``"1/3"``.

    Examples
    --------
    >>> array_of("x", [[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if hasattr(values, "dtype") and hasattr(values, "ndim"):
        if isinstance(values, np.ma.MaskedArray):
            raise TypeError(f"{name} must be a plain array, got a masked one: fill it first")
        return np.asarray(values) if array_module(values) is np else values
    lists = isinstance(values, list | tuple | range | complex) or (text and isinstance(values, str))
    if not lists and not is_number(values) and not hasattr(values, "__array__"):
        raise TypeError(f"{name} must be an array, or nested lists of numbers, got {reprlib.repr(values)}")
    try:
        array = np.asarray(values)
        if array.dtype.kind in "US" and text:
            array = np.asarray(values, dtype=object)
    except (ValueError, TypeError, OverflowError):
        raise ValueError(f"{name} must be an array, or lists of equal lengths of numbers, got {reprlib.repr(values)}") from None
    return array


def rational(value: Any) -> fmpq:
    """The rational that `value` is: an integer, a `Fraction`, a float (exactly), or text such as ``"-3/4"``.

    Raises
    ------
    ValueError
        `value` is not a finite number.
    FloatOnExactSide
        `value` is a float, in an exact evaluation: it would be the rational that it is, seldom the number that is meant.

    Examples
    --------
    >>> print(rational("-3/4"), rational("0.1"), rational(0.5))
    -3/4 1/10 1/2

    A float is the binary fraction that it is:

    >>> rational(0.1) == rational("0.1")
    False
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, fmpz):
        return fmpq(value)
    if isinstance(value, int | np.integer | np.bool_):
        return fmpq(int(value))
    if isinstance(value, ExactNumber):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return rational(value[()])
    if isinstance(value, float | np.floating) and in_exact_evaluation():
        raise FloatOnExactSide(f"the float {value!r} is taken for a rational: {WRITE_EXACTLY}")
    if isinstance(value, float) and isfinite(value):
        return fmpq(*value.as_integer_ratio())
    try:
        if isinstance(value, str | Decimal):
            exact = written_fraction(str(value))
        else:
            exact = Fraction(*value.as_integer_ratio()) if isinstance(value, np.floating) else Fraction(value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(
            f"value must be an integer, a fraction, a finite float or text like '-3/4', got {reprlib.repr(value)}"
        ) from error
    return fmpq(exact.numerator, exact.denominator)


def rationals(values: Any) -> Array:
    """Object array of `flint.fmpq` with the shape of `values`; floats are taken as the rationals that they are.

    Raises
    ------
    TypeError, ValueError
        `values` are no numbers, or not finite; balls.
    FloatOnExactSide
        Floats in an exact evaluation.

    Examples
    --------
    >>> print(rationals([1, "1/3", "0.1"]).sum())
    43/30
    """
    source = array_of("values", values, text=True)
    result = np.empty(source.shape, dtype=object)
    for index in np.ndindex(source.shape):
        try:
            result[index] = rational(source[index])
        except ValueError as error:
            raise ValueError(f"values must hold rationals: {error}") from error
    return result


def object_array(entries: Sequence[Any], shape: tuple[int, ...]) -> Array:
    """An array of these entries, row by row, whatever they are: NumPy would look into what has a length.

    Examples
    --------
    >>> object_array([[1, 2], [3]], (2,))
    array([list([1, 2]), list([3])], dtype=object)
    """
    result = np.empty(len(entries), dtype=object)
    result[:] = entries
    return result.reshape(shape)


def chosen_rationals(values: Any) -> Array:
    """Like `rationals`, also in an exact evaluation: for floats that are a choice, such as a direction or a candidate that is
    checked afterwards, so that a result holds for whichever rational they are; never for the constants of a statement.

    Examples
    --------
    >>> print(chosen_rationals([0.5, -0.25]))
    [1/2 -1/4]
    """
    array = array_of("values", values, text=True)
    if any(map(is_float, array.flat)):
        note_choice()
    with exact_evaluation(active=False):
        return rationals(array)


def fraction(value: fmpq) -> Fraction:
    """`value` as a `fractions.Fraction`.

    Examples
    --------
    >>> fraction(rational("-3/4"))
    Fraction(-3, 4)
    """
    value = rational(value)
    return Fraction(int(value.p), int(value.q))


def floats(array: Any) -> npt.NDArray[np.float64]:
    """The nearest float64 of every entry (of a ball: of its midpoint); infinite beyond the largest float.

    Examples
    --------
    >>> floats(rationals(["1/2", "-3/4"]))
    array([ 0.5 , -0.75])
    """
    if isinstance(array, fmpq | arb):
        return np.asarray(_nearest_float(array))
    array = _operand("array", array)
    if not is_exact(array):
        return np.asarray(array, dtype=np.float64)
    return np.vectorize(_nearest_float, otypes=[np.float64])(array) if array.size else np.empty(array.shape)


def _nearest_float(entry: Any) -> float:
    if not isinstance(entry, fmpq):
        return midpoint(entry) if isinstance(entry, arb) else float(entry)
    try:
        return int(entry.p) / int(entry.q)
    except OverflowError:
        return np.inf if entry > 0 else -np.inf


def ball(value: Any) -> Ball:
    """`value` as a ball at the working precision.

    Examples
    --------
    >>> third = ball("1/3")
    >>> print(third > rational("0.333"), third < rational("0.334"))
    True True

    Three times this ball is a ball around 1, and no longer the number:

    >>> print(certain_order(3 * third, 1) == UNKNOWN)
    True
    """
    return value if isinstance(value, Ball) else Ball(value if isinstance(value, arb) else rational(value))


def precision(bits: int) -> AbstractContextManager[None]:
    """Work with balls of `bits` bits inside the block.

    Raises
    ------
    TypeError
        `bits` is no integer.
    ValueError
        `bits` is below 2.

    Examples
    --------
    >>> root = sqrt(rationals(2)).item()
    >>> with precision(200):
    ...     finer = sqrt(rationals(2)).item()
    >>> print(bool(finer.rad() < root.rad()))
    True
    """
    return _working_precision(integer("bits", bits, 2))


@contextmanager
def _working_precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


_EXACT_TYPES = {fmpq, Ball, arb}
LARGEST_EXACT = 2**53
"""Integers up to it are floats."""


def _operand(name: str, value: Any, exact: bool = False) -> Any:
    """`value` for the functions below: floats, an array of them, or exact numbers; integers are exact if so asked.

    Raises
    ------
    TypeError, ValueError
        It is no real number and holds none.
    """
    if type(value) is np.ndarray:
        kind = value.dtype.char
        if kind == "d" or (kind == "O" and set(map(type, value.flat)) <= _EXACT_TYPES):
            return value
    if isinstance(value, float | int | np.integer | np.bool_):  # which do not change the precision of what stands beside them
        return value if isinstance(value, float) else int(value)
    if isinstance(value, fmpq | arb | Fraction | ExactNumber):
        return rational(value) if in_exact_evaluation() and isinstance(value, Fraction) else value
    array = array_of(name, value)
    kind = array.dtype.kind
    if kind in "biu":
        return rationals(array) if exact or in_exact_evaluation() else array.astype("float64")
    if kind == "f":
        return array if array.dtype in (np.float64, np.float32) else array.astype("float64")
    if kind != "O":
        raise ValueError(f"{name} must hold real numbers, got dtype {array.dtype}")
    if not set(map(type, array.flat)) <= _EXACT_TYPES:
        result = np.empty(array.shape, dtype=object)
        for index in np.ndindex(array.shape):
            result[index] = _exact_entry(name, array[index])
        return result
    return array


def _are_plain_floats(left: Any, right: Any) -> bool:
    """Whether it is an array of float64 beside another, or beside a number that is a float: nothing has to be looked at."""
    if type(left) is not np.ndarray or left.dtype.char != "d":
        return False
    if type(right) is np.ndarray:
        return bool(right.dtype.char == "d")
    return type(right) is float or (type(right) is int and -LARGEST_EXACT <= right <= LARGEST_EXACT)


def _operands(**values: Any) -> list[Any]:
    """Two operands: integers are exact beside exact numbers."""
    arrays = [_operand(name, value) for name, value in values.items()]
    exact = [is_exact(value) or isinstance(value, fmpq | arb | ExactNumber) for value in arrays]
    if len(set(exact)) == 1:
        return arrays
    pairs = zip(values.items(), arrays, exact, strict=True)
    return [array if known else _operand(name, value, exact=True) for (name, value), array, known in pairs]


def _exact_entry(name: str, entry: Any) -> Any:
    if not is_number(entry) or isinstance(entry, float | np.floating):
        raise ValueError(f"{name} must hold exact numbers where it holds objects, got {reprlib.repr(entry)}")
    return entry if isinstance(entry, arb) else rational(entry)


def _entrywise(function: Callable[..., Any], *arrays: Any) -> Array:
    # a constant leaves no operation to NumPy
    entries = [rational(array) if isinstance(array, Fraction) else array for array in arrays]
    result = np.frompyfunc(function, len(arrays), 1)(*entries)
    if isinstance(result, np.ndarray):
        return result
    scalar = np.empty((), dtype=object)
    scalar[()] = result
    return scalar


def _any_exact(*arrays: Any) -> bool:
    exact = floating = False
    for array in arrays:
        kind = array.dtype.kind if type(array) is np.ndarray else ""
        exact |= kind == "O" if kind else is_exact(array) or isinstance(array, fmpq | arb | ExactNumber)
        floating |= kind in "fc" if kind else is_float(array)
    if exact and floating:
        raise FloatOnExactSide(f"floats stand beside exact numbers: {WRITE_EXACTLY}")
    # integers and fractions are at home in both arithmetics: they follow the evaluation
    return exact or (not floating and in_exact_evaluation())


def any_traced(array: Any) -> bool:
    """Whether an array holds numbers of another kind than rationals and balls.

    Examples
    --------
    >>> print(any_traced(rationals([1, 2])), any_traced(sqrt(rationals(2))))
    False False
    """
    return isinstance(array, ExactNumber) or (is_exact(array) and any(isinstance(entry, ExactNumber) for entry in array.flat))


def _plain(array: Any) -> Any:
    """`array` for NumPy, to which a fraction is an object."""
    return float(array) if isinstance(array, Fraction) else array


def sqrt(array: Any) -> Array:
    """Square root of every entry; exact for squares of rationals, else a ball (of one that holds 0: from 0 on).

    Examples
    --------
    >>> print(sqrt(rationals([4, "9/16"])))
    [2 3/4]
    >>> print(compare(sqrt(rationals(2)), rational("1.414")))
    1
    >>> sqrt(np.array([4.0, 9.0]))
    array([2., 3.])
    """
    array = _operand("array", array)
    return _entrywise(_sqrt, array) if _any_exact(array) else array_module(array).sqrt(_plain(array))


def _sqrt(entry: Any) -> Any:
    if isinstance(entry, ExactNumber):
        return entry.sqrt()
    if isinstance(entry, arb):
        return ball(entry).sqrt()
    value = rational(entry)
    if value < 0:
        return Ball(arb.nan())
    numerator, denominator = value.p.isqrt(), value.q.isqrt()
    if numerator * numerator == value.p and denominator * denominator == value.q:
        return fmpq(numerator, denominator)
    return ball(value).sqrt()


def log(array: Any) -> Array:
    """Natural logarithm of every entry; ``log(1)`` is exactly 0.

    Examples
    --------
    >>> print(log(rationals([1])))
    [0]
    >>> print(compare(log(rationals([2])), rational("0.693")))
    [1]
    """
    array = _operand("array", array)
    return _entrywise(_log, array) if _any_exact(array) else array_module(array).log(_plain(array))


def _log(entry: Any) -> Any:
    if isinstance(entry, ExactNumber):
        return entry.log()
    if not isinstance(entry, arb) and rational(entry) == 1:
        return fmpq(0)
    return ball(entry).log()


def exp(array: Any) -> Array:
    """Exponential of every entry; ``exp(0)`` is exactly 1.

    Examples
    --------
    >>> print(exp(rationals([0])))
    [1]
    >>> print(compare(exp(rationals([1])), rationals(["2.718"])), compare(exp(rationals([1])), rationals(["2.719"])))
    [1] [-1]
    """
    array = _operand("array", array)
    return _entrywise(_exp, array) if _any_exact(array) else array_module(array).exp(_plain(array))


def _exp(entry: Any) -> Any:
    if isinstance(entry, ExactNumber):
        return entry.exp()
    if not isinstance(entry, arb) and rational(entry) == 0:
        return fmpq(1)
    return ball(entry).exp()


def _analytic(name: str, text: str, method: str, at_zero: int | None) -> Callable[[Any], Array]:
    """A function of every entry, by NumPy or SciPy of floats, by FLINT of exact numbers; `at_zero`: a rational value at 0."""

    def of_entry(entry: Any) -> Any:
        if isinstance(entry, ExactNumber):
            return entry.analytic(name)
        if at_zero is not None and not isinstance(entry, arb) and rational(entry) == 0:
            return fmpq(at_zero)
        return getattr(ball(entry), method)()

    def function(array: Any) -> Array:
        array = _operand("array", array)
        if _any_exact(array):
            return _entrywise(of_entry, array)
        library = array_module(array)
        result: Array = getattr(library if hasattr(library, name) else _special(library), name)(_plain(array))
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


def _special(library: ModuleType) -> ModuleType:
    return importlib.import_module("scipy.special" if library is np else "cupyx.scipy.special")


sin = _analytic(
    "sin",
    """Sine of every entry.

    Examples
    --------
    >>> print(sin(rationals(0)))
    0
    >>> print(sin(np.pi / 6).round(9))
    0.5
    """,
    "sin",
    0,
)
cos = _analytic(
    "cos",
    """Cosine of every entry.

    Examples
    --------
    >>> print(cos(rationals(0)))
    1
    >>> print(cos(np.pi / 3).round(9))
    0.5
    """,
    "cos",
    1,
)
tan = _analytic(
    "tan",
    """Tangent of every entry.

    Examples
    --------
    >>> print(tan(rationals(0)))
    0
    >>> print(tan(np.pi / 4).round(9))
    1.0
    """,
    "tan",
    0,
)
arcsin = _analytic(
    "arcsin",
    """Inverse sine of every entry, between -pi/2 and pi/2.

    Examples
    --------
    >>> print(arcsin(rationals(0)))
    0
    >>> print((arcsin(0.5) * 6 / np.pi).round(9))
    1.0
    """,
    "asin",
    0,
)
arccos = _analytic(
    "arccos",
    """Inverse cosine of every entry, between 0 and pi.

    Examples
    --------
    >>> print((arccos(0.5) * 3 / np.pi).round(9))
    1.0
    """,
    "acos",
    None,
)
arctan = _analytic(
    "arctan",
    """Inverse tangent of every entry, between -pi/2 and pi/2.

    Examples
    --------
    >>> print(arctan(rationals(0)))
    0
    >>> print((arctan(1.0) * 4 / np.pi).round(9))
    1.0
    """,
    "atan",
    0,
)
sinh = _analytic(
    "sinh",
    """Hyperbolic sine of every entry.

    Examples
    --------
    >>> print(sinh(rationals(0)))
    0
    >>> print(sinh(np.log(2)).round(9))
    0.75
    """,
    "sinh",
    0,
)
cosh = _analytic(
    "cosh",
    """Hyperbolic cosine of every entry.

    Examples
    --------
    >>> print(cosh(rationals(0)))
    1
    >>> print(cosh(np.log(2)).round(9))
    1.25
    """,
    "cosh",
    1,
)
tanh = _analytic(
    "tanh",
    """Hyperbolic tangent of every entry.

    Examples
    --------
    >>> print(tanh(rationals(0)))
    0
    >>> print(tanh(np.log(2)).round(9))
    0.6
    """,
    "tanh",
    0,
)
arcsinh = _analytic(
    "arcsinh",
    """Inverse hyperbolic sine of every entry.

    Examples
    --------
    >>> print(arcsinh(rationals(0)))
    0
    >>> print(np.exp(arcsinh(0.75)).round(9))
    2.0
    """,
    "asinh",
    0,
)
arccosh = _analytic(
    "arccosh",
    """Inverse hyperbolic cosine of every entry, which is at least 1.

    Examples
    --------
    >>> print(np.exp(arccosh(1.25)).round(9))
    2.0
    """,
    "acosh",
    None,
)
arctanh = _analytic(
    "arctanh",
    """Inverse hyperbolic tangent of every entry, between -1 and 1.

    Examples
    --------
    >>> print(arctanh(rationals(0)))
    0
    >>> print(np.exp(arctanh(0.6)).round(9))
    2.0
    """,
    "atanh",
    0,
)
erf = _analytic(
    "erf",
    """Error function of every entry: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to it.

    Examples
    --------
    >>> print(erf(rationals(0)))
    0
    >>> print(erf(np.array([-10.0, 10.0])))
    [-1.  1.]
    """,
    "erf",
    0,
)
erfc = _analytic(
    "erfc",
    """Complement of the error function of every entry, 1 - erf.

    Examples
    --------
    >>> print(erfc(rationals(0)))
    1
    >>> print((erf(0.5) + erfc(0.5)).round(9))
    1.0
    """,
    "erfc",
    1,
)
digamma = _analytic(
    "digamma",
    """Derivative of the logarithm of the gamma function of every entry.

    Examples
    --------
    >>> print((digamma(3.0) - digamma(2.0)).round(9))
    0.5
    """,
    "digamma",
    None,
)
gamma = _analytic(
    "gamma",
    """Gamma function of every entry; of n, (n - 1)!.

    Examples
    --------
    >>> print(gamma(np.array([1.0, 2.0, 3.0, 4.0, 5.0])).round(9))
    [ 1.  1.  2.  6. 24.]
    """,
    "gamma",
    None,
)


def pi() -> Any:
    """The circle's number: a ball in an exact evaluation, else a float.

    Examples
    --------
    >>> from verify.numbers.exactness import exact_evaluation
    >>> with exact_evaluation():
    ...     print(compare(pi(), Q(22, 7)), compare(pi(), Q(333, 106)))
    -1 1
    >>> print(pi() == np.pi)
    True
    """
    return Ball(arb.pi()) if in_exact_evaluation() else np.pi


def infinity() -> Any:
    """What is above every number: a ball in an exact evaluation, else a float.

    Examples
    --------
    >>> from verify.numbers.exactness import exact_evaluation
    >>> with exact_evaluation():
    ...     print(infinity() > rational(10**400))
    True
    >>> print(infinity() == np.inf)
    True
    """
    return Ball(arb.pos_inf()) if in_exact_evaluation() else np.inf


def power(base: Any, exponent: int | Fraction) -> Array:
    """``base ** exponent`` for ``base >= 0``; ``0 ** exponent`` is 0 for a positive exponent.

    Of a ball that holds 0 it is the power of the part that is not negative. The exponent is an integer or a `Fraction`, so that
    both arithmetics mean the same number; a rational that is a perfect power stays rational.

    Raises
    ------
    TypeError
        `exponent` is a float.

    Examples
    --------
    >>> print(power(rationals([8, "27/64", 0]), Q(2, 3)))
    [4 9/16 0]
    """
    if isinstance(exponent, np.integer | fmpq | fmpz):
        exponent = fraction(rational(exponent))
    if isinstance(exponent, bool) or not isinstance(exponent, int | Fraction):
        raise TypeError(
            f"exponent must be an int or a Fraction, got {exponent!r}: a float is not the number that was meant; "
            "write Q(3, 2) for 3/2, and exp(p * log(x)) for a power p that is computed"
        )
    base = _operand("base", base)
    if not _any_exact(base):
        result: Array = array_module(base).asarray(_plain(base)) ** float(exponent)
        return result
    return _entrywise(lambda entry: _power(entry, Fraction(exponent)), base)


LARGEST_ROOT = 2**20
"""Roots of a larger degree are balls, exact ones, too."""
LARGEST_POWER = 4096
"""A rational to a larger power is a ball: its digits would fill the memory."""


def _power(entry: Any, exponent: Fraction) -> Any:
    if isinstance(entry, ExactNumber):
        return entry.power(exponent)
    if isinstance(entry, arb):
        return ball(entry) ** exponent
    value = rational(entry)
    if exponent.denominator == 1:
        return value**exponent.numerator
    if value == 0:
        if exponent < 0:
            raise ZeroDivisionError(f"0 has no power with the exponent {exponent}")
        return fmpq(0)
    if exponent.denominator <= LARGEST_ROOT and value > 0:
        roots = [_exact_root(part, exponent.denominator) for part in (value.p, value.q)]
    else:
        roots = [None]
    if None not in roots:
        return fmpq(*roots) ** exponent.numerator
    return ball(value) ** rational(exponent)


def raised(base: Array, exponent: Array) -> Array:
    """``base ** exponent``, entrywise, where both are exact: of a negative base for integers only.

    Examples
    --------
    >>> print(raised(rationals([2, 4, -2]), rationals([-1, "1/2", 3])))
    [1/2 2 -8]
    """
    return _entrywise(_raised, base, exponent)


def _raised(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, ExactNumber):
        raise TypeError("a power with an exponent that depends on the coordinates is not known to the prover")
    if isinstance(exponent, arb):
        return fmpq(0) if not isinstance(base, arb) and base == 0 and exponent > 0 else (ball(base).log() * exponent).exp()
    exponent = rational(exponent)
    if isinstance(base, arb) or exponent.q > 1:
        return _power(base, fraction(exponent))
    whole = int(exponent.p)
    if isinstance(base, ExactNumber):
        return base**whole  # type: ignore[operator]
    if base == 0 and whole < 0:
        raise ZeroDivisionError(f"0 has no power with the exponent {whole}")
    return base**whole if abs(whole) <= LARGEST_POWER else ball(base) ** whole


def _exact_root(value: fmpz, degree: int) -> fmpz | None:
    root = value.root(degree) if value >= 0 else None
    return root if root is not None and root**degree == value else None


def absolute(array: Any) -> Array:
    """Absolute value of every entry.

    Examples
    --------
    >>> print(absolute(rationals(["-1/2", 3])))
    [1/2 3]
    """
    array = _operand("array", array)
    return _entrywise(abs, array) if _any_exact(array) else array_module(array).abs(_plain(array))


def floor(array: Any) -> Array:
    """Largest integer that is not above an entry.

    Raises
    ------
    UndecidedInstances
        An integer lies inside a ball.

    Examples
    --------
    >>> print(floor(rationals(["7/2", "-7/2"])), floor(sqrt(rationals(2))))
    [3 -4] 1
    """
    array = _operand("array", array)
    if not _any_exact(array):
        return array_module(array).floor(_plain(array))  # type: ignore[no-any-return]
    below = _entrywise(_integer_below, array)
    unknown = np.asarray(_entrywise(lambda entry: entry is None, below), dtype=np.bool_)
    if unknown.any():
        raise UndecidedInstances("the integer below a number is not decided in this precision", unknown)
    return below


def _integer_below(entry: Any) -> Any:
    if not isinstance(entry, arb):
        return fmpq(math.floor(entry))
    below = entry.floor().unique_fmpz()
    return None if below is None else fmpq(below)


def gcd(left: Any, right: Any) -> Array:
    """Greatest common divisor of integers, entrywise; that of 0 and n is n.

    Raises
    ------
    ValueError
        A number is no integer.

    Examples
    --------
    >>> print(gcd(rationals([12, 0]), rationals([18, 5])))
    [6 5]
    """
    left, right = _operands(left=left, right=right)
    whole = []
    for name, side in (("left", left), ("right", right)):
        endless = not _any_exact(side) and not array_module(side).isfinite(_plain(side)).all()
        below = None if endless else floor(side)
        if below is None or (compare(side, below) != 0).any():
            raise ValueError(f"{name} must hold integers, got {reprlib.repr(side)}")
        whole.append(below)
    if _any_exact(left, right):
        return _entrywise(lambda a, b: fmpq(math.gcd(int(a), int(b))), *whole)
    xp: Any = array_module(left if hasattr(left, "dtype") else right)
    divisor: Array = xp.gcd(*(xp.asarray(side).astype(np.int64) for side in whole)).astype(np.float64)
    return divisor


def maximum(left: Any, right: Any) -> Array:
    """Larger of two entries; of two balls, a ball that holds the larger number.

    Examples
    --------
    >>> print(maximum(rationals([-1, "1/2"]), 0))
    [0 1/2]
    """
    if _are_plain_floats(left, right):
        return np.maximum(left, right)  # type: ignore[no-any-return]
    left, right = _operands(left=left, right=right)
    if _any_exact(left, right):
        return _entrywise(_larger, left, right)
    larger: Array = array_module(left if hasattr(left, "dtype") else right).maximum(_plain(left), _plain(right))
    return larger


def minimum(left: Any, right: Any) -> Array:
    """Smaller of two entries; of two balls, a ball that holds the smaller number.

    Examples
    --------
    >>> print(minimum(rationals([-1, "1/2"]), 0))
    [-1 0]
    """
    if _are_plain_floats(left, right):
        return np.minimum(left, right)  # type: ignore[no-any-return]
    left, right = _operands(left=left, right=right)
    if _any_exact(left, right):
        return _entrywise(lambda a, b: -_larger(-a, -b), left, right)
    smaller: Array = array_module(left if hasattr(left, "dtype") else right).minimum(_plain(left), _plain(right))
    return smaller


def _larger(left: Any, right: Any) -> Any:
    if isinstance(left, ExactNumber) or isinstance(right, ExactNumber):
        return chosen(left - right, left, right)
    order = _compare(left, right)
    if order == UNKNOWN:
        return ball(left).max(ball(right))
    larger = left if order >= 0 else right
    return larger if isinstance(larger, arb) else rational(larger)


def chosen(number: Any, nonnegative: Any, negative: Any) -> Any:
    """`nonnegative` where a number, no ball, is not negative, else `negative`.

    Examples
    --------
    >>> print(chosen(rational("1/2"), "right", "left"), chosen(rational(-1), "right", "left"))
    right left
    """
    if isinstance(number, ExactNumber):
        return number.choose(nonnegative, negative)
    return nonnegative if number >= 0 else negative


def largest(array: Any, axis: int = -1) -> Array:
    """Maximum along one axis, which must not be empty.

    Examples
    --------
    >>> print(largest(rationals([[1, 3], ["5/2", 2]])))
    [3 5/2]
    """
    array = _checked_along(array, axis)
    return maximum_reduce(array, axis, maximum) if is_exact(array) else array_module(array).max(array, axis=axis)


def smallest(array: Any, axis: int = -1) -> Array:
    """Minimum along one axis, which must not be empty.

    Examples
    --------
    >>> print(smallest(rationals([[1, 3], ["5/2", 2]])))
    [1 2]
    """
    array = _checked_along(array, axis)
    return maximum_reduce(array, axis, minimum) if is_exact(array) else array_module(array).min(array, axis=axis)


def _checked_along(array: Any, axis: Any) -> Array:
    axis = integer("axis", axis)
    checked_array: Array = np.asarray(array) if is_number(array) else _operand("array", array)
    if not -checked_array.ndim <= axis < checked_array.ndim or checked_array.shape[axis] == 0:
        raise ValueError(f"array must have an axis {axis} that is not empty, got shape {checked_array.shape}")
    return checked_array


def maximum_reduce(array: Array, axis: int, pair: Callable[[Any, Any], Array]) -> Array:
    """Reduce an exact `array` along `axis` with `pair`, `maximum` or `minimum`.

    Examples
    --------
    >>> print(maximum_reduce(rationals([[1, 3], ["5/2", 2]]), 0, minimum))
    [1 2]
    """
    moved = np.moveaxis(array, axis, 0)
    result = moved[0]
    for entry in moved[1:]:
        result = pair(result, entry)
    return np.asarray(result, dtype=object)


def certain_order(left: Any, right: Any) -> npt.NDArray[np.int8]:
    """Sign of ``left - right`` entrywise: -1, 0, 1, or `UNKNOWN` for balls that overlap (and for NaN).

    Examples
    --------
    >>> print(certain_order(rationals(["1/3", 1]), rationals(["0.333", 1])))
    [1 0]

    The square of the ball around the root of 2 holds 2, and numbers beside it:

    >>> print(certain_order(sqrt(rationals(2)) ** 2, 2) == UNKNOWN)
    True
    """
    plain = _are_plain_floats(left, right)
    if not plain:
        left, right = _operands(left=left, right=right)
    if plain or not _any_exact(left, right):
        sign = np.asarray(np.sign(np.asarray(_plain(left)) - np.asarray(_plain(right))))
        unknown = sign != sign  # NaN, with no pass over what is a number
        return np.where(unknown, UNKNOWN, sign).astype(np.int8) if unknown.any() else sign.astype(np.int8)
    return np.asarray(_entrywise(_compare, left, right), dtype=np.int8)


def compare(left: Any, right: Any) -> npt.NDArray[np.int8]:
    """Sign of ``left - right`` entrywise: -1, 0 or 1.

    Raises
    ------
    UndecidedInstances
        Two balls overlap, or an entry is NaN: the sign is not known in this precision.

    Examples
    --------
    >>> print(compare(rationals(["1/3", 1, -1]), rationals(["0.333", 1, 0])))
    [ 1  0 -1]
    >>> print(compare(sqrt(rationals(2)), rational("1.5")))
    -1
    >>> compare(sqrt(rationals(2)) ** 2, 2)
    Traceback (most recent call last):
        ...
    verify.numbers.exactness.UndecidedInstances: the order of two numbers is not decided in this precision
    """
    order = certain_order(left, right)
    unknown = order == UNKNOWN
    if unknown.any():
        raise UndecidedInstances("the order of two numbers is not decided in this precision", unknown)
    return order


def _compare(left: Any, right: Any) -> int:
    if type(left) is fmpq and type(right) in (fmpq, int):
        return int(left > right) - int(left < right)
    if isinstance(left, ExactNumber) or isinstance(right, ExactNumber):
        difference = left - right
        return int(difference > 0) - int(difference < 0)
    if isinstance(left, arb) or isinstance(right, arb):
        # of plain balls, whose comparisons answer False when they do not know
        left, right = arb(ball(left)), arb(ball(right))
        if left == right:  # two infinities, too, whose difference is no number
            return 0
        difference = left - right
        if difference > 0:
            return 1
        return -1 if difference < 0 else UNKNOWN
    difference = rational(left) - rational(right)
    return int(difference > 0) - int(difference < 0)


class FloatOnly(ArithmeticError):
    """Raised by what has no exact evaluation (an integrator, a solver) when it is given rationals."""


def where_positive(condition: Array, values: Array) -> Array:
    """`values` where `condition` is positive, else 0 (rationals or floats, entrywise).

    Examples
    --------
    >>> print(where_positive(rationals([2, 0, -1]), rationals([10, 20, 30])))
    [10 0 0]
    """
    condition, values = _operands(condition=condition, values=values)
    if any_traced(condition):
        return _entrywise(lambda slope, value: chosen(-slope, fmpq(0), value), condition, values)
    if _any_exact(condition, values):
        return np.asarray(np.where(compare(condition, 0) > 0, values, fmpq(0)), dtype=object)
    kept: Array = array_module(condition).where(condition > 0, values, 0.0)
    return kept


def _raised_to(self: Q, base: Any) -> Any:
    exponent = Fraction(self)
    if is_number_of_arrays(base) or (isinstance(base, int | Fraction) and exponent.denominator > 1):
        return power(base, exponent)
    return Fraction.__rpow__(exponent, base)


# x ** Q("1/2") is the power of this module
Q.__rpow__ = _raised_to  # type: ignore[method-assign, assignment]
