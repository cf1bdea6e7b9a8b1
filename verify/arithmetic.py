"""One statement, two arithmetics: float64 batches, and object arrays of rationals whose irrational functions are balls.

An array is *exact* when its dtype is ``object``; its entries are then `flint.fmpq` (rationals) or `flint.arb` (balls: a
midpoint and a rigorous radius). The operators ``+ - * / @``, ``numpy.where`` and indexing work on both. Whatever leaves the
rationals goes through this module, and so does every comparison: a comparison of two balls answers False when it does not
know, so that only `compare`, which can say so, is safe.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import ModuleType
from typing import Any, TypeAlias

import flint
import numpy as np
import numpy.typing as npt
from flint import arb, fmpq, fmpz

from verify.exactness import WRITE_EXACTLY, Ball, FloatOnExactSide, exact_evaluation, in_exact_evaluation, is_float
from verify.exactness import UndecidedInstances as UndecidedInstances  # raised here, and caught by who imports it from here

Array: TypeAlias = npt.NDArray[Any]
"""Floats (NumPy's or CuPy's), or an object array of `flint.fmpq` or `flint.arb`."""

UNKNOWN = 2
"""What `certain_order` answers for two balls that overlap."""


def is_exact(array: Any) -> bool:
    """Whether `array` holds rationals or balls (dtype object) rather than floats."""
    return getattr(getattr(array, "dtype", None), "kind", "") == "O"


def array_module(array: Any) -> ModuleType:
    """The library of `array`: CuPy for CuPy's arrays, else NumPy."""
    if type(array) is np.ndarray:
        return np
    if type(array).__module__.split(".")[0] == "cupy":
        return sys.modules["cupy"]
    return np


def rational(value: Any) -> fmpq:
    """The rational that `value` is: an integer, a `Fraction`, a float (exactly), or text such as ``"-3/4"``.

    Raises
    ------
    ValueError
        `value` is not a finite number.
    FloatOnExactSide
        `value` is a float, in an exact evaluation: it would be the rational that it is, seldom the number that is meant.
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, fmpz):
        return fmpq(value)
    if isinstance(value, int | np.integer | np.bool_):
        return fmpq(int(value))
    if isinstance(value, float | np.floating) and in_exact_evaluation():
        raise FloatOnExactSide(f"the float {value!r} is taken for a rational: {WRITE_EXACTLY}")
    try:
        exact = Fraction(str(value)) if isinstance(value, str) else Fraction(value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError) as error:
        raise ValueError(f"a rational is an integer, a fraction, a finite float or text like '-3/4', got {value!r}") from error
    return fmpq(exact.numerator, exact.denominator)


def rationals(values: Any) -> Array:
    """Object array of `flint.fmpq` with the shape of `values`; floats are taken as the rationals that they are."""
    source = values if is_exact(values) else np.asarray(values)
    result = np.empty(source.shape, dtype=object)
    for index in np.ndindex(source.shape):
        entry = source[index]
        result[index] = rational(entry.item() if isinstance(entry, np.generic) else entry)
    return result


def chosen_rationals(values: Any) -> Array:
    """Like `rationals`, also in an exact evaluation: for floats that are a choice, such as a direction or a candidate that is
    checked afterwards, so that a result holds for whichever rational they are; never for the constants of a statement.
    """
    with exact_evaluation(active=False):
        return rationals(values)


def fraction(value: fmpq) -> Fraction:
    """`value` as a `fractions.Fraction`."""
    return Fraction(int(value.p), int(value.q))


def floats(array: Any) -> npt.NDArray[np.float64]:
    """The nearest float64 of every entry (of a ball: of its midpoint); infinite beyond the largest float."""
    if isinstance(array, fmpq | arb):
        return np.asarray(_nearest_float(array))
    if not is_exact(array):
        return np.asarray(array, dtype=np.float64)
    return np.vectorize(_nearest_float, otypes=[np.float64])(array) if array.size else np.empty(array.shape)


def _nearest_float(entry: Any) -> float:
    if not isinstance(entry, fmpq):
        return float(entry)
    try:
        return float(fraction(entry))
    except OverflowError:
        return np.inf if entry > 0 else -np.inf


def ball(value: Any) -> Ball:
    """`value` as a ball at the working precision."""
    return value if isinstance(value, Ball) else Ball(value if isinstance(value, arb) else rational(value))


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with balls of `bits` bits inside the block.

    Raises
    ------
    ValueError
        `bits` is below 2.
    """
    if bits < 2:
        raise ValueError(f"bits must be at least 2, got {bits}")
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


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
    if any(is_exact(array) or isinstance(array, fmpq | arb) for array in arrays):
        for array in arrays:
            if is_float(array):
                raise FloatOnExactSide(f"floats stand beside exact numbers: {WRITE_EXACTLY}")
        return True
    # integers and fractions are at home in both arithmetics: they follow the evaluation
    return in_exact_evaluation() and not any(is_float(array) for array in arrays)


def _plain(array: Any) -> Any:
    """`array` for NumPy, to which a fraction is an object."""
    return float(array) if isinstance(array, Fraction) else array


def sqrt(array: Any) -> Array:
    """Square root of every entry; exact for squares of rationals, else a ball."""
    return _entrywise(_sqrt, array) if _any_exact(array) else array_module(array).sqrt(_plain(array))


def _sqrt(entry: Any) -> Any:
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
    """Natural logarithm of every entry; ``log(1)`` is exactly 0."""
    return _entrywise(_log, array) if _any_exact(array) else array_module(array).log(_plain(array))


def _log(entry: Any) -> Any:
    if not isinstance(entry, arb) and rational(entry) == 1:
        return fmpq(0)
    return ball(entry).log()


def exp(array: Any) -> Array:
    """Exponential of every entry; ``exp(0)`` is exactly 1."""
    return _entrywise(_exp, array) if _any_exact(array) else array_module(array).exp(_plain(array))


def _exp(entry: Any) -> Any:
    if not isinstance(entry, arb) and rational(entry) == 0:
        return fmpq(1)
    return ball(entry).exp()


def pi() -> Any:
    """The circle's number: a ball in an exact evaluation, else a float."""
    return Ball(arb.pi()) if in_exact_evaluation() else np.pi


def power(base: Any, exponent: int | Fraction) -> Array:
    """``base ** exponent`` for ``base >= 0``; ``0 ** exponent`` is 0 for a positive exponent.

    The exponent is an integer or a `Fraction`, so that both arithmetics mean the same number; a rational that is a perfect
    power stays rational.

    Raises
    ------
    TypeError
        `exponent` is a float.
    """
    if not isinstance(exponent, int | Fraction):
        raise TypeError(f"exponent must be an int or a Fraction, got {exponent!r}: a float is not the number that was meant")
    if not _any_exact(base):
        result: Array = array_module(base).asarray(_plain(base)) ** float(exponent)
        return result
    return _entrywise(lambda entry: _power(entry, Fraction(exponent)), base)


def _power(entry: Any, exponent: Fraction) -> Any:
    if isinstance(entry, arb):
        entry = ball(entry)
        return entry**exponent.numerator if exponent.denominator == 1 else entry ** rational(exponent)
    value = rational(entry)
    if exponent.denominator == 1:
        return value**exponent.numerator
    if value == 0:
        if exponent < 0:
            raise ZeroDivisionError(f"0 has no power with the exponent {exponent}")
        return fmpq(0)
    roots = [_exact_root(part, exponent.denominator) for part in (value.p, value.q)]
    if value > 0 and None not in roots:
        return fmpq(*roots) ** exponent.numerator
    return ball(value) ** rational(exponent)


def _exact_root(value: fmpz, degree: int) -> fmpz | None:
    root = value.root(degree) if value >= 0 else None
    return root if root is not None and root**degree == value else None


def absolute(array: Any) -> Array:
    """Absolute value of every entry."""
    return _entrywise(abs, array) if _any_exact(array) else array_module(array).abs(_plain(array))


def maximum(left: Any, right: Any) -> Array:
    """Larger of two entries; of two balls, a ball that holds the larger number."""
    if _any_exact(left, right):
        return _entrywise(_larger, left, right)
    larger: Array = array_module(left if hasattr(left, "dtype") else right).maximum(_plain(left), _plain(right))
    return larger


def minimum(left: Any, right: Any) -> Array:
    """Smaller of two entries; of two balls, a ball that holds the smaller number."""
    if _any_exact(left, right):
        return _entrywise(lambda a, b: -_larger(-a, -b), left, right)
    smaller: Array = array_module(left if hasattr(left, "dtype") else right).minimum(_plain(left), _plain(right))
    return smaller


def _larger(left: Any, right: Any) -> Any:
    order = _compare(left, right)
    if order == UNKNOWN:
        return ball(left).max(ball(right))
    larger = left if order >= 0 else right
    return larger if isinstance(larger, arb) else rational(larger)


def largest(array: Any, axis: int = -1) -> Array:
    """Maximum along one axis, which must not be empty."""
    return maximum_reduce(array, axis, maximum) if is_exact(array) else array_module(array).max(array, axis=axis)


def smallest(array: Any, axis: int = -1) -> Array:
    """Minimum along one axis, which must not be empty."""
    return maximum_reduce(array, axis, minimum) if is_exact(array) else array_module(array).min(array, axis=axis)


def maximum_reduce(array: Array, axis: int, pair: Callable[[Any, Any], Array]) -> Array:
    """Reduce an exact `array` along `axis` with `pair`, `maximum` or `minimum`."""
    moved = np.moveaxis(array, axis, 0)
    result = moved[0]
    for entry in moved[1:]:
        result = pair(result, entry)
    return np.asarray(result, dtype=object)


def certain_order(left: Any, right: Any) -> npt.NDArray[np.int8]:
    """Sign of ``left - right`` entrywise: -1, 0, 1, or `UNKNOWN` for balls that overlap (and for NaN)."""
    if not _any_exact(left, right):
        difference = np.asarray(_plain(left)) - np.asarray(_plain(right))
        return np.where(np.isnan(difference), UNKNOWN, np.sign(np.nan_to_num(difference))).astype(np.int8)
    return np.asarray(_entrywise(_compare, left, right), dtype=np.int8)


def compare(left: Any, right: Any) -> npt.NDArray[np.int8]:
    """Sign of ``left - right`` entrywise: -1, 0 or 1.

    Raises
    ------
    UndecidedInstances
        Two balls overlap, or an entry is NaN: the sign is not known in this precision.
    """
    order = certain_order(left, right)
    unknown = order == UNKNOWN
    if unknown.any():
        raise UndecidedInstances("the order of two numbers is not decided in this precision", unknown)
    return order


def _compare(left: Any, right: Any) -> int:
    if isinstance(left, arb) or isinstance(right, arb):
        # of plain balls, whose comparisons answer False when they do not know
        difference = arb(ball(left)) - arb(ball(right))
        if difference.is_zero():
            return 0
        if difference > 0:
            return 1
        return -1 if difference < 0 else UNKNOWN
    difference = rational(left) - rational(right)
    return int(difference > 0) - int(difference < 0)


class FloatOnly(ArithmeticError):
    """Raised by what has no exact evaluation (an integrator, a solver) when it is given rationals."""


def where_positive(condition: Array, values: Array) -> Array:
    """`values` where `condition` is positive, else 0 (rationals or floats, entrywise)."""
    if is_exact(condition):
        return np.asarray(np.where(compare(condition, 0) > 0, values, fmpq(0)), dtype=object)
    kept: Array = array_module(condition).where(condition > 0, values, 0.0)
    return kept
