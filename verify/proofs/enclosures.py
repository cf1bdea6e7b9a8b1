"""Polynomials in coordinates, roots, logarithms and exponentials on boxes, with the standard library alone.

`independent.py` beside this file checks with it what is shown by boxes; it imports nothing of the package either.

A number is an integer of units, an interval is a pair of them, and a jet is the list of the intervals of the coefficients of
Taylor in one coordinate. The unit is divisible, so that derivatives that vanish do so exactly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any


class NotShown(ValueError):
    """Something does not follow on a box, or it is no tree of boxes."""


LONGEST_NUMBER = 400
"""Digits of a numerator or a denominator."""
LARGEST_EXPONENT = 2**12
"""Beyond it an exponential has more than 5900 binary digits before the point, and each product takes as long."""
LARGEST_DEGREE = 64
"""Of a root, and of an unknown in a monomial."""
MOST_PRODUCTS = 1_000_000
"""Of intervals for one goal: seven times those of the largest tree of the catalogue."""
ONE = 2**80 * 3**12 * 5**6 * 7**4 * 11**2
Interval = tuple[int, int]
LARGEST_ORDER = 12
"""Of Taylor's formula along a coordinate."""


def _rational(text: Any) -> Fraction:
    """The rational that is written as ``-3`` or ``3/4``: no exponents, which could be as long as they like."""
    match = re.fullmatch(rf"(-?[0-9]{{1,{LONGEST_NUMBER}}})(?:/([0-9]{{1,{LONGEST_NUMBER}}}))?", text, re.ASCII)
    if match is None or not (denominator := int(match[2] or 1)):
        raise NotShown(f"{text[:40]!r} is no rational")
    return Fraction(int(match[1]), denominator)


def _fixed(value: Fraction) -> Interval:
    """The numbers beside a rational."""
    top = value.numerator * ONE
    return top // value.denominator, -(-top // value.denominator)


def _multiplied(a: Interval, b: Interval) -> Interval:
    every = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    return min(every) // ONE, -(-max(every) // ONE)


def _inverse(a: Interval) -> Interval:
    if a[0] <= 0 <= a[1]:
        raise NotShown("a denominator may vanish in a box")
    return ONE * ONE // a[1], -(-ONE * ONE // a[0])


def _times(factor: int, a: Interval) -> Interval:
    return (factor * a[0], factor * a[1]) if factor >= 0 else (factor * a[1], factor * a[0])


def _over(a: Interval, divisor: int) -> Interval:
    return a[0] // divisor, -(-a[1] // divisor)


def _dot(a: Sequence[Interval], b: Sequence[Interval]) -> Interval:
    parts = list(map(_multiplied, a, b))
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _exp(x: int) -> Interval:
    """An interval that holds the exponential."""
    if abs(x) > LARGEST_EXPONENT * ONE:
        raise NotShown("an exponential becomes too large in a box")
    if x < 0:
        return _inverse(_exp(-x))
    halvings = max(0, x.bit_length() - ONE.bit_length() + 9)
    small = x >> halvings, -(-x >> halvings)
    total = (ONE, ONE + ONE // 4096)  # 1 + y/21 + y^2/(21 22) + ... for y below 2^-8
    for k in range(20, 0, -1):
        low, high = _over(_multiplied(total, small), k)
        total = ONE + low, ONE + high
    for _ in range(halvings):
        total = _multiplied(total, total)
    return total


def _log(x: int) -> Interval:
    """An interval that holds the logarithm of a positive number."""
    if x <= 0:
        raise NotShown("a logarithm may not be defined in a box")
    twos = x.bit_length() - ONE.bit_length()
    twos -= x << max(-twos, 0) < ONE << max(twos, 0)
    up, down = max(-twos, 0), max(twos, 0)
    low, high = _log_of_mantissa((x << up >> down, -(-(x << up) >> down)))
    of_two = _times(twos, _log_of_mantissa((2 * ONE, 2 * ONE)))
    return low + of_two[0], high + of_two[1]


def _log_of_mantissa(x: Interval) -> Interval:
    """The logarithm of what lies between 1 and 2: 2 (z + z^3/3 + z^5/5 + ...) for z = (x - 1)/(x + 1)."""
    z = _multiplied((x[0] - ONE, x[1] - ONE), _inverse((x[0] + ONE, x[1] + ONE)))
    square = _multiplied(z, z)
    total = (0, ONE // 70)  # 1/81 + z^2/83 + ... for z of at most 1/3
    for k in range(79, 0, -2):
        low, high = _multiplied(total, square)
        total = low + ONE // k, high - (-ONE // k)
    return _times(2, _multiplied(total, z))


def _root(x: int, degree: int) -> Interval:
    """The numbers beside the root."""
    goal = x * ONE ** (degree - 1)
    low, high = 0, 1 << (goal.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= goal else (low, middle)
    return low, low + (low**degree < goal)


Terms = list[tuple[int, list[tuple[int, int]]]]
"""Coefficients, each with unknowns and their powers."""


class Boxes:
    """What is known in a leaf, and a goal, on boxes of the coordinates.

    Parameters
    ----------
    coordinates
        How many there are.
    known
        What is assumed: how the polynomial is changed (in no way, ``minus``, or ``square``), the polynomial, and its sign.
    defined
        For each unknown behind the coordinates what it is.
    goal
        The polynomial that is not negative, or (`equal`) zero.
    """

    def __init__(
        self, coordinates: int, known: Sequence[tuple[str, Any, str]], defined: Sequence[Any], goal: Any, *, equal: bool
    ) -> None:
        self._coordinates, self._equal = coordinates, equal
        self._defined = []
        for definition in defined:
            polynomial = definition and definition[0] != "between"
            self._defined.append([*definition[:-1], self._terms(definition[-1])] if polynomial else definition)
        self._remaining: float = math.inf  # who looks for a tree has limits of its own
        self._goal = self._terms(goal)
        # a number that is not zero is on no box
        self._known = [(self._terms(text, -1 if kind else 1), "" if kind == "square" else sign) for kind, text, sign in known]

    def _terms(self, polynomial: Mapping[str, str], factor: int = 1) -> tuple[int, Terms]:
        """The common denominator of the coefficients of a polynomial, and the terms of its product with it."""
        values = {key: _rational(value) * factor for key, value in polynomial.items()}
        common, terms = 1, []
        for value in values.values():
            common = math.lcm(common, value.denominator)
            if common.bit_length() > 2**15:
                raise NotShown("the denominators of a polynomial are too long")
        for key, value in values.items():
            words = key.split()
            if not all(word.isdecimal() and len(word) < 4 for word in words):
                raise NotShown("a monomial consists of the numbers of unknowns")
            numbers = sorted(map(int, words))
            if numbers and not numbers[-1] < self._coordinates + len(self._defined):
                raise NotShown("an unknown has no such number")
            powers = [(number, numbers.count(number)) for number in sorted(set(numbers))]
            if any(power > LARGEST_DEGREE for _, power in powers):
                raise NotShown(f"a power is above {LARGEST_DEGREE}")
            terms.append((int(value * common), powers))
        return common, terms

    def start(self) -> list[Interval | None]:
        """The smallest box that what is assumed of single coordinates shows."""
        ends: list[list[Fraction | None]] = [[None, None] for _ in range(self._coordinates)]
        for (_, terms), sign in self._known:
            slopes = {powers[0][0]: factor for factor, powers in terms if len(powers) == 1 and powers[0][1] == 1}
            constants = [factor for factor, powers in terms if not powers]
            if not sign or len(slopes) != 1 or len(slopes) + len(constants) != len(terms):
                continue
            (number, slope), at = *slopes.items(), Fraction(-sum(constants))
            if number < self._coordinates:
                for side in (0, 1) if sign == "=" else (0,) if slope > 0 else (1,):
                    old = ends[number][side]
                    ends[number][side] = (
                        at / slope if old is None else max(old, at / slope) if side == 0 else min(old, at / slope)
                    )
        return [None if low is None or high is None else (_fixed(low)[0], _fixed(high)[1]) for low, high in ends]

    def check(self, node: Sequence[Any], box: list[Interval | None]) -> None:
        """Check a tree of boxes, each of which is divided or shown."""
        self._remaining = MOST_PRODUCTS
        try:
            self._check(node, box)
        finally:
            self._remaining = math.inf

    def _check(self, node: Sequence[Any], box: list[Interval | None]) -> None:
        if node[0] == "divided":
            _, number, text, *parts = node
            at, ends = _rational(text) * ONE, box[_index(number, box)]
            if at.denominator != 1 or ends is None or not ends[0] < at < ends[1] or len(parts) != 2:
                raise NotShown("a box is not divided")
            for part, interval in zip(parts, ((ends[0], int(at)), (int(at), ends[1])), strict=True):
                self._check(part, [*box[:number], interval, *box[number + 1 :]])
            return
        if node[0] == "goal":
            shown = not self._equal and self.least(None, box, node[1:]) >= 0
        else:
            shown = node[0] == "outside" and self.excludes(_index(node[1], self._known), box, node[2:])
        if not shown:
            raise NotShown("nothing is shown in a box")

    def excludes(self, index: int, box: Sequence[Interval | None], form: Sequence[Any]) -> bool:
        """Whether an assumption holds nowhere in a box."""
        sign = self._known[index][1]
        if not sign:
            return False
        if sign == "=" and self.least(index, box, form) > 0:
            return True
        return self.least(index, box, form, -1) > (-1 if sign == ">" else 0)

    def least(self, index: int | None, box: Sequence[Interval | None], form: Sequence[Any], factor: int = 1) -> int:
        """A bound from below on a box, times something positive, of an assumption or (no index) the goal, times a sign.

        The form names a coordinate, the place in its interval at which the polynomial is expanded (the lower end, the upper
        end, or the middle: 0, 1, 2) and the degree from which on the derivatives are taken on the whole box, 0 for the
        values themselves.
        """
        along, place, order = form
        ends = box[_index(along, box)] or (0, 0)
        if type(order) is not int or not 0 <= order <= LARGEST_ORDER:
            raise NotShown("a polynomial is expanded to no order")
        common, terms = self._goal if index is None else self._known[index][0]
        value = common, [(coefficient * factor, powers) for coefficient, powers in terms]
        total = _Jets(box, self._defined, along, order, self._take).polynomial(value)[-1]
        if order:
            at = (*ends, sum(ends) // 2)[_index(place, range(3))]
            face = [*box[:along], (at, at), *box[along + 1 :]]
            jet = _Jets(face, self._defined, along, order - 1, self._take).polynomial(value)
            step = ends[0] - at, ends[1] - at
            zeros = next((k for k, interval in enumerate(jet) if interval != (0, 0)), order)
            for coefficient in jet[: zeros - 1 if zeros else None : -1]:
                low, high = _multiplied(total, step)
                total = low + coefficient[0], high + coefficient[1]
            for _ in range(zeros):
                total = _multiplied(total, step)
        return total[0]

    def _take(self, count: int) -> None:
        self._remaining -= count
        if self._remaining < 0:
            raise NotShown("it takes more work than any tree of boxes that was written")


def _index(number: Any, within: Sequence[Any]) -> int:
    if type(number) is not int or not 0 <= number < len(within):
        raise NotShown("a number names nothing")
    return number


class _Jets:
    """Jets on a box, to an order in one coordinate.

    Parameters
    ----------
    box
        For each coordinate its interval, or none.
    defined
        What the unknowns behind the coordinates are, with terms for polynomials.
    take
        Is told of products of intervals before they are computed.
    """

    def __init__(
        self, box: Sequence[Interval | None], defined: Sequence[Any], along: int, order: int, take: Callable[[int], None]
    ) -> None:
        self._box, self._defined, self._along, self._length, self._take = box, defined, along, order + 1, take
        self._known: dict[tuple[int, int], list[Interval]] = {}

    def polynomial(self, value: tuple[int, Terms]) -> list[Interval]:
        """Of the product of a polynomial and the common denominator of its coefficients."""
        total = [(0, 0)] * self._length
        for factor, powers in value[1]:
            term = [(ONE, ONE)] + [(0, 0)] * (self._length - 1)
            for number, power in powers:
                term = self._product(term, self._power(number, power))
            for k, (low, high) in enumerate(_times(factor, coefficient) for coefficient in term):
                total[k] = total[k][0] + low, total[k][1] + high
        return total

    def _product(self, a: list[Interval], b: list[Interval]) -> list[Interval]:
        self._take(self._length * self._length)
        return [_dot(a[: k + 1], b[k::-1]) for k in range(self._length)]

    def _power(self, number: int, power: int) -> list[Interval]:
        if (number, power) not in self._known:
            jet = self._product(self._power(number, power - 1), self._power(number, 1)) if power > 1 else self._unknown(number)
            if power % 2 == 0:
                jet[0] = max(jet[0][0], 0), jet[0][1]
            self._known[number, power] = jet
        return self._known[number, power]

    def _unknown(self, number: int) -> list[Interval]:
        """Of a coordinate, or of an unknown behind them."""
        zeros = [(0, 0)] * (self._length - 1)
        if number < len(self._box):
            ends = self._box[number]
            if ends is None:
                raise NotShown("a coordinate has no bounds")
            return [ends, *([(ONE, ONE), *zeros[1:]] if number == self._along and zeros else zeros)]
        definition = self._defined[number - len(self._box)]
        if not definition:
            raise NotShown("an eigenvalue has no bounds")
        kind, *words = definition
        if kind == "between":
            return [(_fixed(_rational(words[0]))[0], _fixed(_rational(words[1]))[1]), *zeros]
        inside = [_over(coefficient, words[-1][0]) for coefficient in self.polynomial(words[-1])]
        low, high = inside[0]
        if kind == "exp":
            jet = [(_exp(low)[0], _exp(high)[1])]
            for k in range(1, self._length):
                jet.append(_over(_dot([_times(j, inside[j]) for j in range(1, k + 1)], jet[::-1]), k))
            return jet
        if kind == "log":
            jet = [(_log(low)[0], _log(high)[1])]
            for k in range(1, self._length):
                known = _dot([_times(-j, jet[j]) for j in range(1, k)], inside[k - 1 : 0 : -1])
                numerator = _over((k * inside[k][0] + known[0], k * inside[k][1] + known[1]), k)
                jet.append(_multiplied(numerator, _inverse(inside[0])))
            return jet
        if kind != "root" or type(words[0]) is not int or not 2 <= words[0] <= LARGEST_DEGREE:
            raise NotShown("an unknown is not defined")
        # the number inside is not negative where the root is defined
        degree, low = words[0], max(low, 0)
        jet = [(_root(low, degree)[0], _root(max(high, 0), degree)[1])]
        for k in range(1, self._length):
            weighted = [_times(j - degree * (k - j), inside[j]) for j in range(1, k + 1)]
            jet.append(_multiplied(_over(_dot(weighted, jet[::-1]), k * degree), _inverse((low, high))))
        return jet
