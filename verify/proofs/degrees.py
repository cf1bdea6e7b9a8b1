"""Rationals that carry how they depend on the coordinates: bounds for the degrees of a numerator and a denominator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from flint import arb, fmpq, fmpz

from verify.exactness import ExactNumber


class NoRationalFunction(ArithmeticError):
    """What is computed is no rational function of the coordinates: an order, an absolute value or a float decides."""


class Questions:
    """What was asked on the way: how many entries were compared with zero, and the sum of their degrees.

    Attributes
    ----------
    degrees
        Sum of the degrees of the numerators that were compared.
    generic
        Whether an answer, or a division, depends on the coordinates: then what follows holds where the polynomials that are
        asked about do not vanish.
    refused
        What a number was asked that it does not answer; a statement that catches the error goes another way than elsewhere.
    """

    def __init__(self) -> None:
        self.degrees = 0
        self.generic = False
        self.refused = ""

    def refuse(self, why: str) -> NoReturn:
        """Raise `NoRationalFunction`, and keep it."""
        self.refused = why
        raise NoRationalFunction(why)


class Tracked(ExactNumber):
    """The value at a point of a rational function of the coordinates, whose numerator and denominator have bounded degrees.

    Floats, balls and FLINT's matrices do not take it, so that no dependence is lost.

    Attributes
    ----------
    value
        The rational number.
    top, bottom
        Bounds for the total degrees of two polynomials of which the function is the quotient.
    tests
        Shared by all numbers of an evaluation.

    Raises
    ------
    NoRationalFunction
        A number that depends on the coordinates is compared by size, or taken as a float or an integer.
    """

    __slots__ = ("bottom", "tests", "top", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: fmpq, top: int, bottom: int, tests: Questions) -> None:
        self.value, self.top, self.bottom, self.tests = value, top, bottom, tests

    def __repr__(self) -> str:
        return f"Tracked({self.value}, {self.top}, {self.bottom})"

    # defined below, all in one way
    __sub__: Callable[[Any], Any]
    __truediv__: Callable[[Any], Tracked]

    def __neg__(self) -> Tracked:
        return Tracked(-self.value, self.top, self.bottom, self.tests)

    def __pos__(self) -> Tracked:
        return self

    def __pow__(self, exponent: Any) -> Tracked:
        if not isinstance(exponent, int | np.integer | fmpz):
            self.tests.refuse("a power has an exponent that is no integer")
        exponent = int(exponent)
        if exponent < 0:
            inverse: Tracked = Tracked(fmpq(1), 0, 0, self.tests) / self**-exponent
            return inverse
        return Tracked(self.value**exponent, self.top * exponent, self.bottom * exponent, self.tests)

    def __eq__(self, other: object) -> bool:
        difference: Any = self.__sub__(other)
        if difference is NotImplemented:
            return False
        self.tests.degrees += difference.top
        self.tests.generic |= difference.top > 0
        return bool(difference.value == 0)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("dtype", "ndim", "shape"):  # what libraries ask of everything
            raise AttributeError(name)
        # the parts of a rational, which do not know what they depend on
        self.tests.refuse(f"{name} is asked of a number that depends on the coordinates")

    def _undecided(self, *_: object) -> Any:
        self.tests.refuse("the size of a number that depends on the coordinates decides")

    __lt__ = __le__ = __gt__ = __ge__ = __abs__ = __float__ = __int__ = __round__ = __floor__ = __ceil__ = _undecided


def _degrees_of_a_sum(a: Tracked, b: Tracked) -> tuple[int, int]:
    return max(a.top + b.bottom, b.top + a.bottom), a.bottom + b.bottom


def _degrees_of_a_product(a: Tracked, b: Tracked) -> tuple[int, int]:
    return a.top + b.top, a.bottom + b.bottom


def _degrees_of_a_quotient(a: Tracked, b: Tracked) -> tuple[int, int]:
    a.tests.degrees += b.top
    a.tests.generic |= b.top > 0
    return a.top + b.bottom, a.bottom + b.top


_Degrees = Callable[[Tracked, Tracked], tuple[int, int]]


def _operation(name: str, degrees: _Degrees, *, reflected: bool) -> Callable[[Tracked, Any], Any]:
    plain = getattr(fmpq, f"__{name}__")

    def method(self: Tracked, other: Any) -> Any:
        if isinstance(other, int | np.integer | np.bool_):
            other = fmpq(int(other))
        if isinstance(other, fmpq | fmpz):
            other = Tracked(fmpq(other), 0, 0, self.tests)
        if not isinstance(other, Tracked):
            if isinstance(other, float | np.floating | arb):
                self.tests.refused = f"a number that depends on the coordinates meets {type(other).__name__}"
            return NotImplemented
        left, right = (other, self) if reflected else (self, other)
        return Tracked(plain(left.value, right.value), *degrees(left, right), self.tests)

    return method


for _name, _degrees in {
    "add": _degrees_of_a_sum,
    "sub": _degrees_of_a_sum,
    "mul": _degrees_of_a_product,
    "truediv": _degrees_of_a_quotient,
}.items():
    setattr(Tracked, f"__{_name}__", _operation(_name, _degrees, reflected=False))
    setattr(Tracked, f"__r{_name}__", _operation(_name, _degrees, reflected=True))
