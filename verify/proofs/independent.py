"""Checks certificates with the standard library alone: this file imports nothing of the package it belongs to.

    python verify/proofs/independent.py FILE...

It prints a line for each file and ends with the status 0 if all are right, 1 if one is wrong, 2 if one cannot be read, and else
3 if one has something that is not checked here: finite cases, which only the library can decide, and proofs by reference, whose
assumptions nobody can compare with what is given but who evaluates both statements. `verify check` does both.

What it trusts is that the data of a certificate is the statement's: that a programme is what the statement computes, that a
polynomial is its two sides. `verify check` derives that data from the statement again; this file then needs not believe the
library that what was found follows from it. Witnesses of the catalogue are evaluated by `theorems/second_evaluations.py`.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.util
import itertools
import json
import math
import operator
import re
import secrets
import stat
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

PRIME_BITS = 512
"""Length of the primes in whose fields an identity is evaluated."""
CERTAIN = 100
"""An error probability above 2^-CERTAIN is no proof."""
LONGEST = 4 * 2**20
"""Characters of a programme, decompressed."""
MOST_STEPS = 400_000
"""Operations for all choices together."""
LARGEST_ALGEBRA = 128
"""Dimension over the rational functions of what the roots in a programme generate."""


LARGEST_FILE = 16 * 2**20
"""Bytes of a file."""
LONGEST_NUMBER = 4000
"""Digits of a numerator or a denominator; Python reads no more than 4300."""
LONGEST_COEFFICIENT = 2**15
"""Bits of a numerator or a denominator that is computed."""
MOST_WORK = 5_000_000
"""Products of coefficients for one proof, and what takes as long: ten times those of the largest proof of the catalogue."""


class Rejected(ValueError):
    """What a certificate says is not so, or it is no certificate."""


class NotChecked(Exception):
    """It may be so, but only the library can tell."""


class Vanishes(Rejected):
    """A denominator is zero."""


class OnAWall(Rejected):
    """A condition of a cell says that something is zero which is not zero in general."""


class _Work:
    """What is still allowed, so that no file takes for ever; who looks for a proof has limits of its own."""

    remaining: float = math.inf

    @classmethod
    def take(cls, count: int) -> None:
        cls.remaining -= count
        if cls.remaining < 0:
            raise Rejected("it takes more work than any certificate that was written")


def rational(text: Any) -> Fraction:
    """The rational that is written as ``-3`` or ``3/4``: no exponents, which could be as long as they like."""
    if not isinstance(text, str) or len(text) > 2 * LONGEST_NUMBER + 2:
        raise Rejected(f"a number is text such as '-3/4', got {text!r:.40}")
    match = re.fullmatch(rf"(-?[0-9]{{1,{LONGEST_NUMBER}}})(?:/([0-9]{{1,{LONGEST_NUMBER}}}))?", text, re.ASCII)
    if match is None or not (denominator := int(match[2] or 1)):
        raise Rejected(f"{text[:40]!r} is no rational")
    return Fraction(int(match[1]), denominator)


# Programmes: what a statement computes from its coordinates, one operation after the other.


def unpacked(text: str) -> str:
    """The text of a programme, which stands as it is or is compressed."""
    _Work.take(len(text))
    if not text.startswith("zlib:"):
        return text
    try:
        reader = zlib.decompressobj()
        plain = reader.decompress(base64.b64decode(text[5:], validate=True), LONGEST)
    except (ValueError, zlib.error) as error:
        raise Rejected(f"the programme cannot be unpacked: {error}") from error
    if not reader.eof:
        raise Rejected("the programme is too long, or not whole")
    _Work.take(len(plain))
    return plain.decode("ascii", "replace")


def instructions(text: str) -> list[tuple[Any, ...]]:
    """The operations of a programme, with the numbers of the earlier ones that they take.

    ``x`` takes the next coordinate, ``q3/4`` is a constant, ``+a,b`` and the like take the results a and b places before,
    ``ra,b`` is a root of ``t^2 + B t + A`` (and so on, of every degree), ``gname,a`` is a function of which nothing is used,
    and ``?c,a,b`` is A where C is not negative, else B.
    """
    code: list[tuple[Any, ...]] = []
    for word in text.split():
        kind, argument = word[0], word[1:]
        if kind == "x" and not argument:
            code.append(("x",))
        elif kind == "q":
            code.append(("q", rational(argument)))
        elif kind == "g":
            name, *words = argument.split(",")
            code.append(("g", name, *(_place(word, len(code)) for word in words)))
        elif kind in "+-*/r?":
            places = [_place(word, len(code)) for word in argument.split(",")]
            if len(places) < 2 if kind == "r" else len(places) != (3 if kind == "?" else 2):
                raise Rejected(f"{word[:20]!r} has {len(places)} operands")
            code.append((kind, *places))
        else:
            raise Rejected(f"{word[:20]!r} is no operation")
    return code


def _place(text: str, here: int) -> int:
    place = here - int(text) if text.isdecimal() and len(text) < 10 else -1
    if not 0 <= place < here:
        raise Rejected(f"operation {here} takes the result {text[:20]!r} places before")
    return place


# Numbers modulo a prime, with roots of polynomials: an integer, or (level, coefficients of the powers of that root).


class Algebra:
    """Numbers modulo p, and what roots t_1, t_2, ... generate over them: polynomials in them, reduced by their equations.

    What is zero here is zero whichever roots are meant.
    """

    def __init__(self, p: int) -> None:
        self.p = p
        self.equations: list[list[Any]] = []

    def root(self, coefficients: Sequence[Any]) -> Any:
        """A root of ``t^n + ... + c_1 t + c_0``, of degree 2 at least."""
        self.equations.append(list(coefficients))
        return len(self.equations), [0, 1] + [0] * (len(coefficients) - 2)

    def _parts(self, a: Any, level: int) -> list[Any]:
        if isinstance(a, tuple) and a[0] == level:
            return a[1]  # type: ignore[no-any-return]
        return [a] + [0] * (len(self.equations[level - 1]) - 1)

    def _reduced(self, level: int, parts: list[Any]) -> Any:
        return (level, parts) if any(parts[1:]) else parts[0]

    def plus(self, a: Any, b: Any) -> Any:
        """The sum."""
        if isinstance(a, int) and isinstance(b, int):
            return (a + b) % self.p
        level = max(_level(a), _level(b))
        return self._reduced(
            level, [self.plus(x, y) for x, y in zip(self._parts(a, level), self._parts(b, level), strict=True)]
        )

    def minus(self, a: Any) -> Any:
        """The negative."""
        return -a % self.p if isinstance(a, int) else (a[0], [self.minus(x) for x in a[1]])

    def times(self, a: Any, b: Any) -> Any:
        """The product."""
        if isinstance(a, int) and isinstance(b, int):
            _Work.take(1)
            return a * b % self.p
        if _level(a) < _level(b):
            a, b = b, a
        level = a[0]
        if _level(b) < level:
            return self._reduced(level, [self.times(x, b) for x in a[1]])
        equation = self.equations[level - 1]
        product = [0] * (2 * len(equation) - 1)
        for i, x in enumerate(a[1]):
            for j, y in enumerate(b[1]):
                if x and y:
                    product[i + j] = self.plus(product[i + j], self.times(x, y))
        while len(product) > len(equation):
            lead = self.minus(product.pop())
            if lead:
                start = len(product) - len(equation)
                for j, c in enumerate(equation):
                    product[start + j] = self.plus(product[start + j], self.times(lead, c))
        return self._reduced(level, product)

    def inverse(self, a: Any) -> Any:
        """The inverse, by Euclid's algorithm with the equation of the highest root."""
        if isinstance(a, int):
            if a % self.p == 0:
                raise Vanishes("a denominator vanishes")
            _Work.take(20)  # Euclid's algorithm takes as long as so many products
            return pow(a, -1, self.p)
        level = a[0]
        # invariant: dividend = u * a, divisor = v * a modulo the equation
        dividend, divisor = _trimmed([*self.equations[level - 1], 1]), _trimmed(a[1])
        u, v = [0], [1]
        while len(divisor) > 1:
            scale = self.inverse(divisor[-1])
            while len(dividend) >= len(divisor):
                factor, shift = self.minus(self.times(dividend[-1], scale)), len(dividend) - len(divisor)
                dividend = _trimmed(self._added(dividend, divisor, factor, shift)[:-1])
                u = self._added(u, v, factor, shift)
            dividend, divisor, u, v = divisor, dividend, v, u
        scale = self.inverse(divisor[0]) if divisor else self.inverse(0)
        result: Any = 0
        root = (level, [0, 1] + [0] * (len(self.equations[level - 1]) - 2))
        for c in reversed(v):
            result = self.plus(self.times(result, root), self.times(c, scale))
        return result

    def _added(self, f: list[Any], g: list[Any], factor: Any, shift: int) -> list[Any]:
        result = f + [0] * (len(g) + shift - len(f))
        for place, c in enumerate(g):
            result[place + shift] = self.plus(result[place + shift], self.times(factor, c))
        return result


def _level(a: Any) -> int:
    return int(a[0]) if isinstance(a, tuple) else 0


def _trimmed(parts: list[Any]) -> list[Any]:
    parts = list(parts)
    while parts and not parts[-1]:
        parts.pop()
    return parts


def residues(
    code: Sequence[tuple[Any, ...]], p: int, number: Callable[[], int], negative: frozenset[int] = frozenset()
) -> list[Any]:
    """The results of a programme modulo p; `number` gives the coordinates, and what is a function of which nothing is used.

    Choices are made as if the numbers in `negative` were negative, and the others not.
    """
    algebra = Algebra(p)
    results: list[Any] = []
    for kind, *operands in code:
        if kind in "xg":
            results.append(number())
            continue
        if kind == "q":
            results.append(operands[0].numerator * algebra.inverse(operands[0].denominator) % p)
            continue
        if kind == "?":
            results.append(results[operands[2 if operands[0] in negative else 1]])
            continue
        a, b = results[operands[0]], results[operands[1]]
        if kind == "r":
            results.append(algebra.root([results[operand] for operand in operands]))
        elif kind == "*":
            results.append(algebra.times(a, b))
        elif kind == "/":
            results.append(algebra.times(a, algebra.inverse(b)))
        else:
            results.append(algebra.plus(a, b if kind == "+" else algebra.minus(b)))
    return results


class _Bound:
    """How large what a programme computes can be: a quotient of polynomials with integer coefficients, in a basis of the roots.

    A size bounds both the degree of a polynomial and the bits of the sum of the absolute values of its coefficients.
    """

    def __init__(self) -> None:
        # for each level: how the product of two elements of the basis is written in it, and the dimension
        self.structure = [(0, 0)]
        self.dimension = [1]

    def root(self, coefficients: Sequence[tuple[int, int, int]]) -> tuple[int, int, int]:
        degree, below = len(coefficients), self.structure[-1]
        slack = 2 * self.dimension[-1].bit_length()
        bottom = sum(c[1] for c in coefficients)
        top = max(c[0] + bottom - c[1] for c in coefficients)
        # the powers of the root up to 2 degree - 2 are reduced in degree - 1 steps
        high = (degree - 1) * (max(top + below[0] + slack, bottom + below[1]) + 1)
        low = (degree - 1) * (bottom + below[1])
        self.structure.append((2 * below[0] + high + slack, 2 * below[1] + low))
        self.dimension.append(self.dimension[-1] * degree)
        if self.dimension[-1] > LARGEST_ALGEBRA:
            raise Rejected(f"its roots generate an algebra of dimension {self.dimension[-1]}, above {LARGEST_ALGEBRA}")
        return 0, 0, len(self.structure) - 1

    def product(self, a: tuple[int, int, int], b: tuple[int, int, int]) -> tuple[int, int, int]:
        level = min(a[2], b[2])
        top, bottom = self.structure[level]
        slack = 2 * self.dimension[level].bit_length() if level else 0
        return a[0] + b[0] + top + slack, a[1] + b[1] + bottom, max(a[2], b[2])

    def inverse(self, a: tuple[int, int, int]) -> tuple[int, int, int]:
        if not a[2]:
            return a[1], a[0], 0
        # Cramer's rule for the matrix with which `a` multiplies
        (top, bottom), n = self.structure[a[2]], self.dimension[a[2]]
        entry = a[0] + top + 2 * n.bit_length()
        return a[1] + bottom + (n - 1) * entry + n * n.bit_length(), n * (entry + n.bit_length()), a[2]


def sizes(code: Sequence[tuple[Any, ...]]) -> list[int]:
    """For each result of a programme, a bound for the size of its numerator (see `_Bound`)."""
    bound, lengths = _Bound(), []
    for kind, *operands in code:
        if kind in "xg":
            lengths.append((1, 0, 0))
        elif kind == "q":
            lengths.append((abs(operands[0].numerator).bit_length(), operands[0].denominator.bit_length() - 1, 0))
        elif kind == "r":
            lengths.append(bound.root([lengths[operand] for operand in operands]))
        elif kind == "?":
            a, b = lengths[operands[1]], lengths[operands[2]]
            lengths.append((max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])))
        else:
            a, b = lengths[operands[0]], lengths[operands[1]]
            if kind in "+-":
                lengths.append((max(a[0] + b[1], b[0] + a[1]) + 1, a[1] + b[1], max(a[2], b[2])))
            else:
                lengths.append(bound.product(a, b if kind == "*" else bound.inverse(b)))
        if max(lengths[-1]).bit_length() > PRIME_BITS:
            raise Rejected("the degrees are too large for any field")
    return [top for top, _, _ in lengths]


def bits_of_certainty(code: Sequence[tuple[Any, ...]], zeros: Sequence[int]) -> int:
    """An identity that is none vanishes in one evaluation with a probability below 2 to the power of minus this.

    A polynomial of size s that is not zero vanishes modulo at most s of the primes of `PRIME_BITS` bits, of which there are
    more than 2^(PRIME_BITS - 10); at a point modulo another one it does
    with a probability of at most s / 2^(PRIME_BITS - 1).
    """
    lengths = sizes(code)
    return PRIME_BITS - 11 - (1 + sum(lengths[place] for place in zeros)).bit_length()


def is_prime(n: int, number: Callable[[int], int]) -> bool:
    """Whether n passes the test of Miller and Rabin with 64 bases."""
    if any(n % small == 0 for small in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
        return False
    twos = ((n - 1) & -(n - 1)).bit_length() - 1
    for _ in range(64):
        x = pow(2 + number(n - 3), (n - 1) >> twos, n)
        if x in (1, n - 1):
            continue
        if not any((x := x * x % n) == n - 1 for _ in range(twos - 1)):
            return False
    return True


def prime(number: Callable[[int], int]) -> int:
    """A random prime of `PRIME_BITS` bits; `number(n)` gives integers from 0 to n - 1."""
    while True:
        candidate: int = 2 ** (PRIME_BITS - 1) + 1 + 2 * number(2 ** (PRIME_BITS - 2))
        if is_prime(candidate, number):
            return candidate


# Identities.


def check_identity(data: Mapping[str, Any], number: Callable[[int], int] = secrets.randbelow) -> str:
    """Evaluate every programme of an identity at a random point modulo a random prime; what it covers, in words."""
    pieces = _list(data, "pieces")
    _only(data, "pieces")
    if not pieces:
        raise Rejected("there are no programmes")
    if len({json.dumps(piece, sort_keys=True) for piece in pieces}) < len(pieces):
        raise Rejected("two programmes are the same")
    p = prime(number)
    for piece in pieces:
        check_identity_piece(piece, p, number)
    return covers(data)


def check_identity_piece(piece: Mapping[str, Any], p: int, number: Callable[[int], int] = secrets.randbelow) -> None:
    """Evaluate a programme modulo a random prime at a random point: all that must vanish does."""
    _only(piece, *PIECE)
    code = instructions(unpacked(_text(piece, "code")))
    coordinates = sum(kind == "x" for kind, *_ in code)
    if len(_list(piece, "ranges")) != coordinates or len(_rationals(piece, "point")) != coordinates:
        raise Rejected("a programme takes every coordinate, each of which has a value and a range")
    _rationals(piece, "fixed")
    zeros = _places(piece, "zeros", code)
    taken = [*(place for place, sign in conditions(piece, code) if sign == 0), *_places(piece, "same", code)]
    zeros += _orders(piece, code)
    if not zeros and not _list(piece, "orders"):
        raise Rejected("there is nothing that must hold")
    if bits_of_certainty(code, zeros + taken) < CERTAIN:
        raise Rejected("the degrees are too large for one point")
    questions = sorted({operands[0] for kind, *operands in code if kind == "?"})
    if len(code) << len(questions) > MOST_STEPS:
        raise Rejected(f"{len(questions)} signs decide: too many to try all of them")
    for answers in itertools.product((False, True), repeat=len(questions)):
        negative = frozenset(question for question, answer in zip(questions, answers, strict=True) if answer)
        results = residues(code, p, lambda: number(p), negative)
        if any(results[place] for place in taken):
            raise OnAWall("what was taken for zero is not")
        if any(results[place] for place in zeros):
            raise Rejected("both sides differ at a random point")


PIECE = ("fixed", "point", "ranges", "code", "zeros", "radicands", "same", "orders", "signs")
"""What a programme of an identity has."""


def _rationals(piece: Mapping[str, Any], name: str) -> list[Fraction]:
    """The numbers of coordinates, which stand by their names."""
    values = piece[name]
    if not isinstance(values, dict) or not all(map(_are_texts, values.values())):
        raise Rejected(f"{name} has lists of numbers by the names of coordinates")
    return [rational(text) for texts in values.values() for text in texts]


def conditions(piece: Mapping[str, Any], code: Sequence[Any]) -> list[tuple[int, int]]:
    """The conditions of a cell: a result and its sign, or 2 where it is not zero."""
    signs = _list(piece, "signs")
    for condition in signs:
        if not (isinstance(condition, list) and len(condition) == 2 and all(type(part) is int for part in condition)):
            raise Rejected(f"a condition is a result and its sign, got {condition!r:.60}")
        if not (0 <= condition[0] < len(code) and -1 <= condition[1] <= 2):
            raise Rejected(f"there is no condition {condition!r:.60}")
    return [(place, sign) for place, sign in signs]


def _orders(piece: Mapping[str, Any], code: Sequence[Any]) -> list[int]:
    """The results that must vanish because their sign is not known: the others are on the right side of zero."""
    orders = _list(piece, "orders")
    places = _places({"orders": [place for place, _ in orders]}, "orders", code)
    given = {place: ANY - {0} if sign == 2 else frozenset({sign}) for place, sign in conditions(piece, code)}
    signs = _propagated(code, given, _list(piece, "ranges")) if places else []
    wanted = {"le": -1, "ge": 1}
    return [place for place, (_, sense) in zip(places, orders, strict=True) if not signs[place][1] <= {0, wanted[sense]}]


def covers(data: Mapping[str, Any]) -> str:
    """Words that say which coordinates an identity covers.

    The cells of its programmes are all there are if at every question every answer was met that is possible, zero among them:
    at the first question, and at those that follow from each answer. Where a divisor vanishes the statement has no value.

    Raises
    ------
    Rejected
        There may be other cells, or a root of a negative number.
    """
    pieces = _list(data, "pieces")
    paths: dict[str, list[_Path]] = {json.dumps(piece.get("fixed"), sort_keys=True): [] for piece in pieces}
    vanishing = False
    for piece in pieces:
        code = instructions(unpacked(_text(piece, "code")))
        asked = conditions(piece, code)
        signs, possible = _possible(code, asked, _list(piece, "ranges"))
        names = _names(code)
        path = [(names[place], sign, answer) for (place, sign), answer in zip(asked, possible, strict=True)]
        paths[json.dumps(piece.get("fixed"), sort_keys=True)].append(path)
        if any(-1 in signs[place] for place in _places(piece, "radicands", code)):
            raise Rejected("a root may be taken of a negative number")
        vanishing |= any(kind == "/" and 0 in signs[operands[1]] for kind, *operands in code)
    if not all(map(_complete, paths.values())):
        raise Rejected("not all answers to its questions were met")
    integers = f" and all {len(paths)} values of the integers" if len(paths) > 1 else ""
    return ALL + integers + (" at which no denominator vanishes" if vanishing else "")


ALL = "all real coordinates"
_Path = list[tuple[str, int, frozenset[int]]]


def _complete(paths: Sequence[_Path], depth: int = 0) -> bool:
    while True:
        ended = [len(path) == depth for path in paths]
        if any(ended):
            return all(ended)
        question = paths[0][depth][0]
        if any(path[depth][0] != question for path in paths):
            return False
        answers = {path[depth][1] for path in paths}
        met = answers - {2} | ({-1, 1} if 2 in answers else set())
        if answers != {0} and not all(path[depth][2] <= met for path in paths):  # what is zero was shown to be so everywhere
            return False
        if len(answers) > 1:
            return all(_complete([path for path in paths if path[depth][1] == answer], depth + 1) for answer in answers)
        depth += 1


def _names(code: Sequence[tuple[Any, ...]]) -> list[str]:
    """The same text for the same computation, in every programme."""
    names: list[str] = []
    inputs = 0
    for kind, *operands in code:
        if kind == "x":
            text, inputs = f"x{inputs}", inputs + 1
        else:
            text = " ".join([kind, *(names[operand] if isinstance(operand, int) else str(operand) for operand in operands)])
        names.append(hashlib.sha256(text.encode()).hexdigest())
    return names


ANY = frozenset({-1, 0, 1})


def _possible(
    code: Sequence[tuple[Any, ...]], asked: Sequence[tuple[int, int]], ranges: Sequence[Sequence[Any]]
) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """Which signs each result can have, and each that is asked for, as far as the signs that were asked for before say."""
    given: dict[int, frozenset[int]] = {}
    last = -1
    for place, sign in asked:
        if place > last:  # what is asked later of an earlier result says nothing of those between
            given[place], last = ANY - {0} if sign == 2 else frozenset({sign}), place
    always = _propagated(code, {}, ranges)
    signs = _propagated(code, given, ranges)
    return [condition[1] for condition in signs], [(signs if place in given else always)[place][0] for place, _ in asked]


def _propagated(
    code: Sequence[tuple[Any, ...]], given: Mapping[int, frozenset[int]], ranges: Sequence[Sequence[Any]]
) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Which signs each result can have, before and after what is given of it."""
    before: list[frozenset[int]] = []
    after: list[frozenset[int]] = []
    intervals = iter(ranges)
    for here, (kind, *operands) in enumerate(code):
        if kind == "x":
            low, high = next(intervals, (None, None))
            signs = ANY
            for end, outward in ((low, -1), (high, 1)):
                if end is not None and rational(end) * outward <= 0:
                    signs -= {outward} if rational(end) == 0 else {0, outward}
        elif kind == "q":
            signs = frozenset({(operands[0] > 0) - (operands[0] < 0)})
        elif kind == "g":
            signs = frozenset({1}) if operands[0] == "exp" else ANY
        elif kind == "?":
            signs = after[operands[1]] | after[operands[2]]
            if operands[1] == operands[0]:  # a maximum with something
                signs = after[operands[2]] | (after[operands[0]] - {-1})
            alternative = code[operands[2]]
            if alternative[0] == "-" and alternative[2] == operands[0] == operands[1] and after[alternative[1]] == {0}:
                signs -= {-1}  # an absolute value
        elif kind == "r":
            # the largest root of t^n - a, and so on
            plain = all(after[operand] == {0} for operand in operands[1:])
            signs = frozenset({-sign for sign in after[operands[0]]}) & {0, 1} if plain else ANY
        else:
            a, b = after[operands[0]], after[operands[1]]
            signs = frozenset({x * x for x in a}) if kind == "*" and operands[0] == operands[1] else _signs(kind, a, b)
        before.append(signs)
        after.append(signs & given.get(here, ANY))
    return list(zip(before, after, strict=True))


@functools.cache
def _signs(kind: str, a: frozenset[int], b: frozenset[int]) -> frozenset[int]:
    if kind in "*/":
        return frozenset({x * y for x in a for y in b})
    b = b if kind == "+" else frozenset({-y for y in b})
    return frozenset().union(*({x or y} if x * y >= 0 else ANY for x in a for y in b))


def _text(data: Mapping[str, Any], name: str) -> str:
    if not isinstance(data, dict) or not isinstance(data.get(name), str):
        raise Rejected(f"{name} must be text")
    return str(data[name])


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    if not isinstance(data, dict) or not isinstance(data.get(name), list):
        raise Rejected(f"{name} must be a list")
    return list(data[name])


def _places(data: Mapping[str, Any], name: str, code: Sequence[Any]) -> list[int]:
    numbers = _list(data, name)
    if any(type(number) is not int or not 0 <= number < len(code) for number in numbers):
        raise Rejected(f"{name} must be results of the programme")
    return numbers


# Sums of squares. A polynomial is a mapping from exponents to fractions; the unknown that was introduced last comes first and
# the coordinates come last, which is also the order that decides what is a leading monomial.

Polynomial = dict[tuple[int, ...], Fraction]


def check_sum_of_squares(data: Mapping[str, Any]) -> str:
    """Every leaf of every tree: an identity of polynomials shows what it has to show."""
    cases, names = _list(data, "cases"), _list(data, "coordinates")
    if not cases:
        raise Rejected("there are no cases")
    if not _are_texts(names) or len(set(names)) < len(names):
        raise Rejected("the coordinates have names, and no two have one")
    _only(data, "cases", "coordinates")
    for case in cases:
        _only(case, "integers", "tree")
    if len({_integer_values(case) for case in cases}) < len(cases):
        raise Rejected("two cases are of the same integers")
    counts = [_leaves(case["tree"], len(names), []) for case in cases]
    shown, undefined = (sum(column) for column in zip(*counts, strict=True))
    if not shown:
        raise Rejected("no leaf shows anything")
    words = "all instances" if shown == 1 else f"all instances, in {shown} cells"
    return words + (", where no denominator vanishes and roots and logarithms are defined" if undefined else "")


def _only(value: Any, *names: str, perhaps: Sequence[str] = ()) -> None:
    """See that a mapping has these names, those that it has `perhaps`, and no others: what nobody reads says nothing."""
    if not isinstance(value, dict) or not set(names) <= set(value) <= {*names, *perhaps}:
        raise Rejected(f"it has other data than {', '.join(names)}: {', '.join(map(str, value))!s:.60}")


NODES = (
    {"ask", "zero", "yes", "no"},
    {"outside"},
    {"undefined"},
    {"undefined", "empty"},
    {"goals"},
    {"goals", "empty"},
    {"goals", "defined"},
    {"goals", "defined", "empty"},
)
"""What a node of a tree has besides its assumptions: a question, or one thing that is said of a leaf."""


def _check_form(node: Mapping[str, Any]) -> None:
    """See that a node says one thing, and its goals nothing that nobody reads."""
    if not isinstance(node, dict) or set(node) - {"new"} not in NODES or "new" not in node:
        raise Rejected("a node of a tree asks, or says one thing of a leaf")
    if any(name in node and node[name] is not True for name in ("outside", "undefined")):
        raise Rejected("what is said of a leaf is true")
    shown = "goals" in node and "empty" not in node
    for goal in _list(node, "goals") if "goals" in node else ():
        if not shown or ("boxes" not in goal and goal.get("sense") == "="):
            _only(goal, "value", "sense")
        elif "boxes" in goal:
            _only(goal, "value", "sense", "boxes")
        else:
            _only(goal, "value", "sense", "groups", perhaps=("rest", "lemmas"))
        _read_through(goal["value"])
        for lemma in _list(goal, "lemmas") if "lemmas" in goal else ():
            _only(lemma, *(("taylor",) if "taylor" in lemma else ("value", "groups")), perhaps=("rest",))
        for part in (goal, *goal.get("lemmas", ())):
            if "rest" in part:
                _only(part["rest"], "value", "by", "terms")


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _integer_values(case: Mapping[str, Any]) -> str:
    """The values of the integer coordinates of a case, in one text."""
    values = case["integers"]
    if not isinstance(values, dict) or not all(map(_are_texts, values.values())):
        raise Rejected("the integer coordinates of a case have values")
    if not all(re.fullmatch("-?[0-9]{1,20}", text) for texts in values.values() for text in texts):
        raise Rejected("an integer coordinate is no integer")
    return json.dumps(values, sort_keys=True)


def _read_through(text: Any) -> None:
    """Look at the form of a polynomial."""
    if not isinstance(text, dict):
        raise Rejected("a polynomial has coefficients by monomial")
    for monomial, coefficient in text.items():
        _Work.take(1 + len(monomial) // 8)
        if not re.fullmatch(r"([0-9]{1,3}( [0-9]{1,3})*)?", monomial):
            raise Rejected(f"{monomial!r:.40} is no monomial")
        rational(coefficient)


def _leaves(node: Mapping[str, Any], coordinates: int, above: Sequence[tuple[str, Any, str]]) -> tuple[int, int]:
    """How many leaves are shown and not empty, and in how many the statement has no value; `above` is what is assumed."""
    _check_form(node)
    known = [*above, *(("", text, sign) for text, sign in _list(node, "new"))]
    if any(sign not in ("=", ">", ">=") for _, _, sign in known):
        raise Rejected("an assumption is no equality and no inequality")
    for text in (*(text for text, _ in node["new"]), *([node["ask"]] if "ask" in node else ())):
        _read_through(text)  # what no leaf needs, too
        if not any(map(str.split, text)):
            raise Rejected("a number is assumed to have a sign, or asked for it")
    if "ask" in node:
        if type(node["zero"]) is not bool:
            raise Rejected("a question is about zero or about what is positive")
        # on the other side, a polynomial is not zero: its square is positive; or it is not positive
        answers = (("", "="), ("square", ">")) if node["zero"] else (("", ">"), ("minus", ">="))
        both = [
            _leaves(node[way], coordinates, [*known, (kind, node["ask"], sign)])
            for way, (kind, sign) in zip(("yes", "no"), answers, strict=True)
        ]
        return both[0][0] + both[1][0], both[0][1] + both[1][1]
    if "outside" in node:
        return 0, 0
    leaf = _Leaf(node, coordinates, known)
    if "undefined" in node and "empty" not in node:
        if not leaf.is_thin():
            raise Rejected("the statement may have no value on an open set")
        return 0, 1
    if "empty" in node:
        by, groups = node["empty"]
        leaf.compare(leaf.times_positive(leaf.constant(-1), by), groups, leaf.constant(1))
        return 0, 0
    if not node["goals"]:
        raise Rejected("a leaf has nothing to show")
    for goal in node["goals"]:
        _goal(leaf, goal, node, coordinates, known)
    return 1, 0


def _goal(
    leaf: _Leaf, goal: Mapping[str, Any], node: Mapping[str, Any], coordinates: int, known: Sequence[tuple[str, Any, str]]
) -> None:
    """Check one goal of the leaf that is read at `node`, with lemmas of its own."""
    assumed = len(leaf.assumed)
    for lemma in goal.get("lemmas", ()):
        leaf.assumed.append((leaf.expanded(lemma["taylor"], node["defined"]) if "taylor" in lemma else leaf.show(lemma), ">="))
    if "boxes" in goal:
        try:
            boxes = enclosures().Boxes(coordinates, known, node["defined"], goal["value"], equal=goal["sense"] == "=")
            boxes.check(goal["boxes"], boxes.start())
        except ValueError as error:
            raise Rejected(str(error)) from error
    elif goal["sense"] == "=":
        if leaf.reduced(leaf.polynomial(goal["value"])):
            raise Rejected("an equality does not follow from those that are assumed")
    elif goal["sense"] == ">=":
        leaf.show(goal)
    else:
        raise Rejected("a goal is no equality and no inequality")
    del leaf.assumed[assumed:]


@functools.cache
def enclosures() -> Any:
    """The module `enclosures` beside this file, whether or not that is run as a file."""
    spec = importlib.util.spec_from_file_location("enclosures", Path(__file__).with_name("enclosures.py"))
    if spec is None or spec.loader is None:
        raise Rejected("enclosures.py is not beside this file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Leaf:
    """The polynomials of a leaf, and what is assumed there."""

    def __init__(self, node: Mapping[str, Any], coordinates: int, known: Sequence[tuple[str, Any, str]]) -> None:
        self._coordinates = coordinates
        self._unknowns = 1 + max(_numbers([node, [text for _, text, _ in known]]), default=0)
        self._unknowns = max(self._unknowns, coordinates)
        self.assumed: list[tuple[Polynomial, str]] = []
        for kind, text, sign in known:
            value = self.polynomial(text)
            self.assumed.append((_product(value, value) if kind == "square" else _scaled(value, -1 if kind else 1), sign))
        rules = [(max(value), value) for value, sign in self.assumed if sign == "=" and value]
        self._rules = sorted(rules, key=lambda rule: rule[0], reverse=True)

    def is_thin(self) -> bool:
        """Whether a polynomial of the coordinates, and of nothing else, is assumed to be zero."""
        own = self._unknowns - self._coordinates
        equations = [value for value, sign in self.assumed if sign == "="]
        return any(any(map(any, value)) and not any(any(key[:own]) for key in value) for value in equations)

    def constant(self, value: int) -> Polynomial:
        """A constant."""
        return {(0,) * self._unknowns: Fraction(value)} if value else {}

    def polynomial(self, text: Mapping[str, str]) -> Polynomial:
        """The polynomial of a text."""
        result: Polynomial = {}
        if not isinstance(text, dict):
            raise Rejected("a polynomial has coefficients by monomial")
        for monomial, coefficient in text.items():
            _Work.take(1 + self._unknowns // 8 + len(monomial) // 8)
            exponents = [0] * self._unknowns
            for word in monomial.split():
                number = int(word) if word.isdecimal() and len(word) < 4 else self._unknowns
                if number >= self._unknowns:
                    raise Rejected("an unknown has no such number")
                own = number < self._coordinates
                exponents[self._unknowns - self._coordinates + number if own else self._unknowns - 1 - number] += 1
            key = tuple(exponents)
            if key in result:
                raise Rejected("a monomial stands twice in a polynomial")
            result[key] = rational(coefficient)
        return {key: value for key, value in result.items() if value}

    def reduced(self, value: Polynomial) -> Polynomial:
        """The remainder of the divisions by all equalities."""
        while self._rules:
            before = value
            for lead, relation in self._rules:
                tail = {key: -number / relation[lead] for key, number in relation.items() if key != lead}
                remainder: Polynomial = {}
                while value:
                    _Work.take(1 + len(value) // 8)
                    key = max(value)
                    lead_coefficient = value[key]
                    value = {exponents: coefficient for exponents, coefficient in value.items() if exponents != key}
                    if all(a >= b for a, b in zip(key, lead, strict=True)):
                        value = _sum(
                            value, _product({tuple(a - b for a, b in zip(key, lead, strict=True)): lead_coefficient}, tail)
                        )
                    else:
                        remainder[key] = lead_coefficient
                value = remainder
            if value == before:
                break
        return value

    def times_positive(self, value: Polynomial, by: Sequence[int]) -> Polynomial:
        """The product with assumptions that are positive."""
        for index in by:
            polynomial, sign = self._assumption(index)
            if sign != ">":
                raise Rejected("a factor is not known to be positive")
            value = _product(value, polynomial)
        return value

    def _assumption(self, index: Any) -> tuple[Polynomial, str]:
        if type(index) is not int or not 0 <= index < len(self.assumed):
            raise Rejected(f"no assumption has the number {index!r:.20}")
        return self.assumed[index]

    def show(self, goal: Mapping[str, Any]) -> Polynomial:
        """A polynomial that is the product of sums of squares, and of a rest."""
        value, rest = self.polynomial(goal["value"]), self.constant(1)
        if "rest" in goal:
            rest = self.polynomial(goal["rest"]["value"])
            # were it negative, its product with what is positive would be negative and the sum of terms not
            self.assumed.append((_scaled(rest, -1), ">"))
            self.compare(self.times_positive(rest, goal["rest"]["by"]), [goal["rest"]["terms"]], self.constant(1))
            self.assumed.pop()
        self.compare(value, goal["groups"], rest)
        return value

    def expanded(self, taylor: Sequence[Any], defined: Sequence[Any]) -> Polynomial:
        r"""What Taylor's formula says of :math:`w = e^t`, the power of an exponential or of a root of it.

        For an odd order n neither :math:`w - \sum_{j \le n} t^j/j!` nor :math:`\sum_{j < n} t^j/j! + w t^n/n! - w` is negative.
        For an even one both have the sign of t, which an assumption must show.
        """
        factors, order, rest, side = taylor
        if any(type(number) is not int or not 1 <= number <= 12 for number in (order, *(power for _, _, power in factors))):
            raise Rejected("Taylor's formula is taken to no order")
        if not factors or type(rest) is not bool:
            raise Rejected("Taylor's formula is taken of nothing")
        t, w, sign = self.constant(0), self.constant(1), 1
        for number, root, power in factors:
            kind, inside = self._defined(defined, number, ("exp", "log"))
            exponent, base, degree = self.polynomial(inside), self._unknown(number), 1
            if kind == "log":
                exponent, base = base, exponent
                if type(root) is not int or root != -1:
                    _, degree, radicand = self._defined(defined, root, ("root",))
                    if self.polynomial(radicand) != base:
                        raise Rejected("a root is one of something else")
                    base = self._unknown(root)
            t = _sum(t, _scaled(exponent, Fraction(power, degree)))
            for _ in range(power):
                w = _product(w, base)
        total, term = self.constant(0), self.constant(1)
        for j in range(1, order + 1):
            total, term = _sum(total, term), _scaled(_product(term, t), Fraction(1, j))
        value = _sum(_sum(total, _product(w, term)), _scaled(w, -1)) if rest else _sum(w, _scaled(_sum(total, term), -1))
        if order % 2 == 0:
            if type(side) is not int or not 0 <= side < len(self.assumed) or self.assumed[side][1] == "=":
                raise Rejected("the sign of an exponent is not assumed")
            above, known = self.assumed[side][0], [_sum(w if len(factors) > 1 else base, self.constant(-1)), t]
            fitting = [
                above[key] / candidate[key]
                for candidate in known
                for key in list(above)[:1]
                if key in candidate and above == _scaled(candidate, above[key] / candidate[key])
            ]
            if not fitting:
                raise Rejected("an assumption does not show the sign of an exponent")
            sign = 1 if fitting[0] > 0 else -1
        return _scaled(value, sign)

    def _defined(self, defined: Sequence[Any], number: Any, kinds: Sequence[str]) -> Sequence[Any]:
        if type(number) is not int or not 0 <= number < len(defined) or not defined[number] or defined[number][0] not in kinds:
            raise Rejected(f"an unknown is no {' and no '.join(kinds)}")
        words: Sequence[Any] = defined[number]
        return words

    def _unknown(self, number: int) -> Polynomial:
        return self.polynomial({str(self._coordinates + number): "1"})

    def compare(self, value: Polynomial, groups: Sequence[Any], rest: Polynomial) -> None:
        """`value` is `rest` times sums of weights times assumptions times squares, modulo the equalities."""
        total = rest
        for group in groups:
            part: Polynomial = {}
            for text, factors, square in group:
                weight = rational(text)
                if weight < 0:
                    raise Rejected("a weight is negative")
                root = self.polynomial(square)
                term = _scaled(_product(root, root), weight)
                for index in factors:
                    polynomial, sign = self._assumption(index)
                    if sign == "=":
                        raise Rejected("a factor is no inequality that is assumed")
                    term = _product(term, polynomial)
                part = _sum(part, self.reduced(term))
            total = self.reduced(_product(total, part))
        if self.reduced(_sum(value, _scaled(total, -1))):
            raise Rejected("a sum of squares is not what it should be equal to")


def _numbers(value: Any) -> Iterator[int]:
    """The numbers of the unknowns in the monomials of a leaf."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str):
                yield from (int(word) for word in key.split() if word.isdecimal() and len(word) < 4)
            yield from _numbers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers(inner)


def _scaled(value: Polynomial, factor: Any) -> Polynomial:
    return {key: number * factor for key, number in value.items()} if factor else {}


def _sum(left: Polynomial, right: Polynomial) -> Polynomial:
    _Work.take((len(left) + len(right)) // 4)
    result = dict(left)
    for key, number in right.items():
        total = result[key] + number if key in result else number
        if total:
            result[key] = total
            _Work.take((_short(total.denominator) // 2048) ** 2)  # Euclid's algorithm
        else:
            del result[key]
    return result


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    (left_denominator, left_terms), (right_denominator, right_terms) = _integers(left), _integers(right)
    longest = _short(left_denominator * right_denominator) + sum(
        max((abs(value).bit_length() for _, value in part), default=0) for part in (left_terms, right_terms)
    )
    _Work.take(len(left_terms) * len(right_terms) * (1 + longest // 2048) * (1 + len(next(iter(left), ())) // 16))
    result: dict[tuple[int, ...], int] = {}
    for a, x in left_terms:
        for b, y in right_terms:
            key = tuple(map(operator.add, a, b))
            result[key] = result.get(key, 0) + x * y
    return {key: Fraction(value, left_denominator * right_denominator) for key, value in result.items() if value}


def _integers(value: Polynomial) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
    """A common denominator, and the coefficients times that."""
    common = 1
    for number in value.values():
        common = math.lcm(common, number.denominator)
        _short(common)
    return common, [(key, coefficient.numerator * (common // coefficient.denominator)) for key, coefficient in value.items()]


def _short(number: int) -> int:
    """The length of a positive integer, if it is one that a proof of ours may have."""
    if number.bit_length() > LONGEST_COEFFICIENT:
        raise Rejected("its coefficients become too long")
    return number.bit_length()


def check_by_reference(data: Mapping[str, Any]) -> str:
    """The proofs of what is taken for known, and then sums of squares; that those are its assumptions is not seen here.

    Raises
    ------
    NotChecked
        Nothing else is wrong.
    """
    given = _list(data, "given")
    if not given:
        raise Rejected("nothing is taken for known")
    for reference in given:
        _only(reference, "claim", "proof")
        _text(reference, "claim")
        if _text(reference["proof"], "method") not in ("sum_of_squares", "finite_cases"):
            raise Rejected("what is taken for known is not proved for all its instances")
        try:
            _check_proof(reference["proof"])
        except NotChecked:
            continue  # nor is the whole
    check_sum_of_squares({name: value for name, value in data.items() if name != "given"})
    raise NotChecked("that what is given is what the tree assumes")


def check_finite_cases(data: Mapping[str, Any]) -> str:
    """What the library decided instance by instance: the form is looked at, and no more can be.

    Raises
    ------
    NotChecked
        The form is right.
    """
    _only(data, "instances", "valid", "grid", "digest")
    count, valid = data["instances"], data["valid"]
    if type(count) is not int or type(valid) is not int or not 0 < valid <= count:
        raise Rejected("there must be instances that satisfy the hypotheses")
    if not re.fullmatch("[0-9a-f]{64}", _text(data, "digest")):
        raise Rejected("the digest is none")
    if type(data["grid"]) is not bool:
        raise Rejected("whether the instances are a grid of real ones must be said")
    raise NotChecked("the verdicts of finite cases")


def _words_of_cases(data: Mapping[str, Any]) -> str:
    count, valid = data["instances"], data["valid"]
    outside = f", of which {valid} satisfy the hypotheses" if valid < count else ""
    return f"{'a grid of' if data['grid'] else 'all'} {count} instances{outside}"


# Files.

CHECKS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "identity": check_identity,
    "sum_of_squares": check_sum_of_squares,
    "by_reference": check_by_reference,
    "finite_cases": check_finite_cases,
}


def check_proof(proof: Any) -> None:
    """Check one proof of a certificate by its data alone.

    Raises
    ------
    Rejected
        It proves nothing, or takes for ever.
    NotChecked
        Only the library can tell.
    """
    _Work.remaining = MOST_WORK
    try:
        _check_proof(proof)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        if isinstance(error, Rejected):
            raise
        raise Rejected(f"it has not the form of a proof: {type(error).__name__}: {error!s:.60}") from error
    finally:
        _Work.remaining = math.inf


TEXTS, LISTS = ("method", "covers", "coverage", "vacuous"), ("hypotheses", "exceptions", "does_not_tell")
"""What else a proof has beside its sizes and data: texts, and lists of texts."""


def _check_proof(proof: Any) -> None:
    if not isinstance(proof, dict) or set(proof) != {*TEXTS, *LISTS, "sizes", "data"}:
        raise Rejected("it has not what a proof has")
    if not all(isinstance(proof[name], str) for name in TEXTS) or not all(_are_texts(proof[name]) for name in LISTS):
        raise Rejected("a text of a proof is none")
    if not isinstance(proof["data"], dict) or not isinstance(proof["sizes"], dict):
        raise Rejected("a proof has sizes and data")
    if not all(type(size) is int for size in proof["sizes"].values()):
        raise Rejected("a size is no integer")
    method, said = proof["method"], proof["covers"]
    if method not in CHECKS:
        raise Rejected(f"no method is called {method!r:.40}")
    left_out = said.endswith(("vanishes", "are defined"))  # where the statement has no value
    grid = method == "finite_cases" and proof["data"].get("grid") is True
    coverage = "with a value" if left_out else "grid" if grid else "all"
    if proof["coverage"] != coverage or bool(proof["exceptions"]) != left_out:
        raise Rejected(f"it covers {said!r:.60}, and not {proof['coverage']!r:.20}")
    if method == "finite_cases" and said != _words_of_cases(proof["data"]):
        raise Rejected(f"it covers {_words_of_cases(proof['data'])}, and not {said!r:.60}")
    words = CHECKS[method](proof["data"])
    if said != words:
        raise Rejected(f"it covers {words}, and not {said!r:.60}")


def digest(proofs: Sequence[Any]) -> str:
    """What a certificate says of its proofs, so that a slip of a disk is seen."""
    return hashlib.sha256(json.dumps(proofs, sort_keys=True).encode()).hexdigest()


def check_document(document: Any) -> str:
    """Check a certificate; what it shows, in a line.

    Raises
    ------
    Rejected
        A proof is none, or it is no certificate.
    NotChecked
        Only the library can tell of some proofs; the others are right.
    """
    try:
        return _checked(document)
    except (TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Rejected(f"it is no certificate: {error}") from error


def _checked(document: Any) -> str:
    if not isinstance(document, dict) or type(document.get("schema")) is not int or document["schema"] not in (1, 2):
        raise Rejected("it is no certificate of schema 2")
    claim = _text(document, "claim")
    if not re.fullmatch(r"[\w.-]{1,200}", claim, re.ASCII):
        raise Rejected("its claim is no identifier")
    if "coordinates" in document:
        raise NotChecked(f"{claim}: a witness: run theorems/second_evaluations.py on it")
    if document["schema"] != 2:
        raise Rejected("it is a certificate of an earlier schema, with weaker rules")
    if set(document) != {"schema", "claim", "fingerprint", "digest", "proofs"} or not isinstance(document["fingerprint"], str):
        raise Rejected("it has not what a certificate has")
    proofs = _list(document, "proofs")
    if not proofs:
        raise Rejected("it has no proofs")
    try:
        written = digest(proofs)
    except RecursionError as error:
        raise Rejected("it is nested too deeply") from error
    if document.get("digest") != written:
        raise Rejected("its proofs are not those that were written")
    if len({json.dumps(proof["sizes"], sort_keys=True) for proof in proofs}) < len(proofs):
        raise Rejected("two proofs are of the same sizes")
    reasons: dict[str, int] = {}
    for proof in proofs:
        try:
            check_proof(proof)
        except NotChecked as reason:
            reasons[str(reason)] = reasons.get(str(reason), 0) + 1
    if reasons:
        unchecked = ", ".join(f"{reason} ({count} of {len(proofs)} proofs)" for reason, count in reasons.items())
        raise NotChecked(f"{claim}: {unchecked}: run `verify check` on it")
    return f"{claim}: {len(proofs)} proofs ({', '.join(sorted({proof['method'] for proof in proofs}))})"


def read(name: str) -> Any:
    """The document of a file.

    Raises
    ------
    OSError, ValueError
        It cannot be read: it is no file, too large, or no JSON.
    """
    path = Path(name)
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is a folder or a device, not a file")
    if status.st_size > LARGEST_FILE:
        raise ValueError(f"it has {status.st_size} bytes; at most {LARGEST_FILE} are read")
    text = path.read_bytes().decode("utf-8")
    return json.loads(text, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number, object_pairs_hook=_each_once)


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of a file; a name that stands twice in it would be read in two ways."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise ValueError(f"the name {twice!r:.40} stands twice in one mapping")
    return mapping


def _integer(text: str) -> int:
    if len(text) > 20:
        raise ValueError(f"an integer has {len(text)} digits")
    return int(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text:.20} is no integer; all other numbers are text")


def main(files: Sequence[str]) -> int:
    """Check files, say what they prove, and give the exit status."""
    statuses = {0}
    for name in files:
        try:
            print(f"{name}: {check_document(read(name))}")  # noqa: T201
        except Rejected as error:
            print(f"{name}: REJECTED: {error}")  # noqa: T201
            statuses.add(1)
        except NotChecked as reason:
            print(f"{name}: NOT CHECKED HERE: {reason}")  # noqa: T201
            statuses.add(3)
        except (OSError, ValueError, RecursionError) as error:
            print(f"{name}: cannot be read: {error}")  # noqa: T201
            statuses.add(2)
    return next(status for status in (2, 1, 3, 0) if status in statuses)


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
