"""Remainders, roundings and orders of exact numbers, entrywise: what stands for NumPy's functions of these names."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, fmpq

from verify.numbers.arithmetic import Array, UndecidedInstances, absolute, ball, compare, floor, gcd, rational
from verify.numbers.exactness import Ball


def quotient(left: Any, right: Any) -> Array:
    """``left // right`` entrywise: the integer below the quotient, as in Python; errors as in `arithmetic.floor`."""
    return floor(np.divide(left, right))


def remainder(left: Any, right: Any) -> Array:
    """``left % right`` entrywise, of the sign of `right`, as in Python; errors as in `arithmetic.floor`."""
    result: Array = left - right * quotient(left, right)
    return result


def nearest_integer(array: Array) -> Array:
    """Integer nearest to every entry, the even one of two, as `numpy.rint`; errors as in `arithmetic.floor`."""
    moved = array + fmpq(1, 2)
    below = floor(moved)
    odd = below - 2 * floor(below / 2)
    return np.asarray(np.where(compare(moved, below) == 0, below - odd, below), dtype=object)


def in_order(array: Array, axis: int = -1) -> Array:
    """Rationals or balls in ascending order along an axis; a ball holds the number that has its place, whatever the ties."""

    def entry(lower: Any, upper: Any) -> Any:
        return lower if type(lower) is fmpq and lower == upper else Ball(arb(ball(lower)).union(arb(ball(upper))))

    if not any(isinstance(entry, arb) for entry in array.flat):
        return np.sort(array, axis=axis)
    ends = [np.frompyfunc(_end, 2, 1)(array, side) for side in (-1, 1)]
    return np.asarray(np.frompyfunc(entry, 2, 1)(*(np.sort(end, axis=axis) for end in ends)), dtype=object)


def _end(entry: Any, side: int) -> fmpq:
    """An end of what a number is known to lie between."""
    if not isinstance(entry, arb):
        return rational(entry)
    if not entry.is_finite():
        raise UndecidedInstances("the place of an infinite number, or of none, is not decided", np.array(True))
    return arb.mid(entry).fmpq() + side * arb.rad(entry).fmpq()


def lcm(left: Any, right: Any) -> Array:
    """Least common multiple of integers, entrywise; that of 0 and n is 0; errors as in `arithmetic.gcd`."""
    divisor = gcd(left, right)
    zero = divisor == 0
    product = absolute(np.multiply(left, right))
    return np.asarray(product / np.where(zero, 1 + divisor, divisor))
