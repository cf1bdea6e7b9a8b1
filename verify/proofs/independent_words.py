"""Checks certificates of proofs for all sizes without the package: on the standard library of Python alone.

    python verify/proofs/independent_words.py theorems/certificates/all_sizes/*.json

Both sides of every comparison are evaluated, exactly, on random rational matrices of several sizes; and their difference, less
the squares that are recorded, is brought to zero by rules that are derived here from what the letters are. What is trusted is
that the words are those of the statement: `verify check` traces it again.

The exit status is 0 if all is right, 1 if something is wrong, 2 if a file cannot be read.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

SCHEMA = 1
LARGEST_FILE = 16 * 2**20
"""Bytes of a file."""
LONGEST_NUMBER = 4000
"""Digits of a numerator or a denominator; Python reads no more than 4300."""
LONGEST_VALUE = 2**15
"""Bits of a numerator or a denominator that is computed."""
LARGEST_POWER = 64
"""Of a scalar; those of the catalogue are at most 3."""
LARGEST_LENGTH = 64
"""Rows or columns of a matrix."""
MOST_WORK = 2_000_000
"""Products of numbers for one certificate, and what takes as long: twenty times those of the largest one of the catalogue."""
Matrix = list[list[Fraction]]


class Rejected(ValueError):
    """What is wrong with a certificate, in a sentence."""


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


def exponent(text: str) -> int:
    """The power after a scalar: 1 where none is written."""
    power = int(text or 1) if re.fullmatch("(-?[0-9]{1,3})?", text, re.ASCII) else LARGEST_POWER + 1
    if abs(power) > LARGEST_POWER:
        raise Rejected(f"{text[:40]!r} is no power from -{LARGEST_POWER} to {LARGEST_POWER}")
    return power


def short(value: Fraction) -> Fraction:
    """The value itself, if its numbers are no longer than those of any certificate."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LONGEST_VALUE:
        raise Rejected("a number gets longer than in any certificate that was written")
    return value


def digest(cases: Any) -> str:
    """Of what is proved, as it is written."""
    return hashlib.sha256(json.dumps(cases, sort_keys=True).encode()).hexdigest()


# Words as they are written


def tokens(text: str) -> list[str]:
    """What stands between the spaces that are in no brackets."""
    _Work.take(len(text) // 8)
    atoms, depth, current = [], 0, ""
    for sign in text:
        depth += (sign in "[<(") - (sign in "]>)")
        if sign == " " and not depth:
            if current:
                atoms.append(current)
            current = ""
        else:
            current += sign
    if depth:
        raise Rejected(f"brackets do not match in {text!r:.60}")
    return [*atoms, current] if current else atoms


def length_of(text: str, sizes: dict[str, int]) -> int:
    """A length such as ``width+1``."""
    if not re.fullmatch(r"-?[A-Za-z0-9_*]{1,60}([+-][A-Za-z0-9_*]{1,60}){0,20}", text, re.ASCII):
        raise Rejected(f"{text!r:.40} is no length")
    total = 0
    for sign, part in re.findall(r"([+-]?)([A-Za-z0-9_*]+)", text):
        factor, _, name = part.rpartition("*")
        if name not in sizes and not name.isdigit():
            raise Rejected(f"the size {name!r:.40} is not known")
        value = int(name) if name.isdigit() else sizes[name]
        total += (-1 if sign == "-" else 1) * int(factor or 1) * value
    if not 0 <= total <= LARGEST_LENGTH:
        raise Rejected(f"the length {text!r:.40} is none from 0 to {LARGEST_LENGTH}")
    return total


# Matrices of rationals


def product(left: Matrix, right: Matrix, columns: int) -> Matrix:
    """Of matrices; `columns` is what the second has, where it has no rows."""
    turned = list(zip(*right, strict=True)) if right else [()] * columns
    _Work.take(len(left) * len(right) * len(turned))
    return [[short(sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0))) for column in turned] for row in left]


def transpose(matrix: Matrix, columns: int) -> Matrix:
    """Of a matrix with so many columns."""
    return [list(row) for row in zip(*matrix, strict=True)] if matrix else [[] for _ in range(columns)]


def reduced(matrix: Matrix) -> tuple[Matrix, list[int]]:
    """The reduced echelon form, and its pivots."""
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        place = next((k for k in range(len(pivots), len(rows)) if rows[k][column]), None)
        if place is None:
            continue
        first = len(pivots)
        rows[first], rows[place] = rows[place], rows[first]
        pivot = rows[first][column]
        rows[first] = [entry / pivot for entry in rows[first]]
        for k in range(len(rows)):
            if k != first and (factor := rows[k][column]):
                _Work.take(len(rows[k]) * (1 + factor.numerator.bit_length() // 16))
                rows[k] = [short(a - factor * b) for a, b in zip(rows[k], rows[first], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def inverse(matrix: Matrix) -> Matrix:
    """Of a square matrix that has one."""
    n = len(matrix)
    both = [[*row, *(Fraction(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    rows, pivots = reduced(both)
    if pivots[:n] != list(range(n)):
        raise ZeroDivisionError("a matrix has no inverse")
    return [row[n:] for row in rows]


def pseudo_inverse(matrix: Matrix, columns: int) -> Matrix:
    """By a full-rank factorisation."""
    R, pivots = reduced(matrix)
    if not pivots:
        return [[Fraction(0)] * len(matrix) for _ in range(columns)]
    C, k = [[row[p] for p in pivots] for row in matrix], len(pivots)
    Ct, Rt = transpose(C, k), transpose(R, columns)
    right = product(inverse(product(Ct, C, k)), Ct, len(matrix))
    return product(product(Rt, inverse(product(R, Rt, k)), k), right, len(matrix))


class Values:
    """Letters and scalars of one case as numbers.

    Parameters
    ----------
    case
        What is recorded.
    sizes
        A number for every size.
    given
        Matrices and numbers of letters and scalars, by name; the others are computed, or drawn.
    special
        Matrices that are drawn have few different rows, or zeros: such as may satisfy what is given.
    """

    def __init__(
        self, case: Any, sizes: dict[str, int], given: dict[str, Any], rng: random.Random, *, special: bool = False
    ) -> None:
        self.sizes, self.shapes, self.matrices, self.numbers = sizes, {}, {}, {}
        for name, kind in case["scalars"]:
            value = given.get(name)
            if value is None:
                value = drawn(rng)
                value = abs(value) + (kind == "positive") * Fraction(1, 3) if kind else value
            self.numbers[name] = value
        for name, rows, columns, definition, _ in case["letters"]:
            shape = length_of(rows, sizes), length_of(columns, sizes)
            _Work.take(10 * shape[0] * shape[1])
            self.shapes[name] = shape
            if definition[0] != "free":
                matrix = self._defined(definition, shape)
            elif name in given:
                matrix = given[name]
            else:
                matrix = [[drawn(rng) for _ in range(shape[1])] for _ in range(shape[0])]
                if special:
                    matrix = _special(matrix, rng)
                if name in case["nonnegative"]:
                    matrix = [[abs(entry) for entry in row] for row in matrix]
            if len(matrix) != shape[0] or any(len(row) != shape[1] for row in matrix):
                raise Rejected(f"the letter {name!r:.40} has not the shape {shape}")
            self.matrices[name] = matrix

    def _defined(self, definition: list[str], shape: tuple[int, int]) -> Matrix:
        kind, *texts = definition
        if kind == "ones":
            return [[Fraction(1)] for _ in range(shape[0])]
        if kind == "part":
            lengths = [length_of(text, self.sizes) for text in texts[0].split("|")]
            start = sum(lengths[: int(texts[1])])
            return [[Fraction(int(i == start + j)) for j in range(shape[1])] for i in range(shape[0])]
        if kind == "reversal":
            return [[Fraction(int(i + j + 1 == shape[0])) for j in range(shape[1])] for i in range(shape[0])]
        if kind == "maximum":
            count = int(texts[0])
            both = self.terms(texts[1 : 1 + count], shape), self.terms(texts[1 + count :], shape)
            return [[max(a, b) for a, b in zip(x, y, strict=True)] for x, y in zip(*both, strict=True)]
        if kind == "pinv":
            return pseudo_inverse(self.terms(texts, (shape[1], shape[0])), shape[0])
        if kind == "inverse":
            return inverse(self.terms(texts, shape))
        if kind == "sum":
            return self.terms(texts, shape)
        if kind == "mask":
            return [[Fraction(int(entry > 0)) for entry in row] for row in self.terms(texts, shape)]
        if kind == "nonnegative":
            return [[Fraction(int(entry >= 0)) for entry in row] for row in self.terms(texts, shape)]
        raise Rejected(f"a letter is {kind!r:.40}, which is not known")

    def terms(self, texts: list[str], shape: tuple[int, int]) -> Matrix:
        """A polynomial; that of a scalar has the shape (1, 1)."""
        total = [[Fraction(0)] * shape[1] for _ in range(shape[0])]
        for text in texts:
            coefficient, *factors = tokens(text)
            value, word = rational(coefficient), []
            _Work.take(1 + shape[0] * shape[1])
            for token in factors:
                number = self._scalar(token)
                if number is None:
                    word.append(token)
                else:
                    value = short(value * number)
            matrix = self.word(word, shape)
            total = [[a + value * b for a, b in zip(x, y, strict=True)] for x, y in zip(total, matrix, strict=True)]
        return total

    def _scalar(self, token: str) -> Fraction | None:
        if token.startswith("<"):
            inside, _, power = token[1:].rpartition(">")
            matrix, shape = self._product(tokens(inside))
            if shape[0] != shape[1]:
                raise Rejected(f"the trace of a word that is not square: {inside!r:.60}")
            value = sum((matrix[i][i] for i in range(shape[0])), Fraction(0))
            return value ** exponent(power[1:])
        name, _, power = token.partition("^")
        if name.startswith("#"):
            return Fraction(length_of(name[1:], self.sizes)) ** exponent(power)
        return self.numbers[name] ** exponent(power) if name in self.numbers else None

    def word(self, atoms: list[str], shape: tuple[int, int]) -> Matrix:
        """A word of this shape; without letters, the identity matrix."""
        if not atoms:
            if shape[0] != shape[1]:
                raise Rejected(f"the identity matrix of shape {shape}")
            return [[Fraction(int(i == j)) for j in range(shape[0])] for i in range(shape[0])]
        matrix, shape_ = self._product(atoms)
        if shape_ != shape:
            raise Rejected(f"a word of shape {shape_} where one of shape {shape} should be: {' '.join(atoms)!r:.60}")
        return matrix

    def _product(self, atoms: list[str]) -> tuple[Matrix, tuple[int, int]]:
        matrix, shape = self._atom(atoms[0])
        for atom in atoms[1:]:
            other, second = self._atom(atom)
            if shape[1] != second[0]:
                raise Rejected(f"shapes do not fit in {' '.join(atoms)!r:.60}")
            matrix, shape = product(matrix, other, second[1]), (shape[0], second[1])
        return matrix, shape

    def _atom(self, atom: str) -> tuple[Matrix, tuple[int, int]]:
        if atom.startswith("["):
            mask, _, inside = atom[1:-1].partition(": ")
            (first, shape), (second, other) = self._atom(mask), self._product(tokens(inside))
            if shape != other:
                raise Rejected(f"a mask of another shape: {atom!r:.60}")
            return [[a * b for a, b in zip(x, y, strict=True)] for x, y in zip(first, second, strict=True)], shape
        if atom.startswith("diag("):
            vector, shape = self._atom(atom[5:-1])
            size = shape[0]
            if shape[1] != 1:
                raise Rejected(f"a diagonal that is no vector: {atom!r:.60}")
            return [[vector[i][0] if i == j else Fraction(0) for j in range(size)] for i in range(size)], (size, size)
        name, turned = atom.rstrip("'"), atom.endswith("'")
        if name not in self.matrices:
            raise Rejected(f"no letter is called {name!r:.40}")
        matrix, (rows, columns) = self.matrices[name], self.shapes[name]
        return (transpose(matrix, columns), (columns, rows)) if turned else (matrix, (rows, columns))

    def fits(self, case: Any) -> bool:
        """Whether what is given holds."""
        return all(
            self.terms(left, shape) == self.terms(right, shape)
            for left, right, rows, columns in case.get("given", ())
            for shape in [(length_of(rows, self.sizes), length_of(columns, self.sizes))]
        )

    def sides(self, comparison: Any) -> tuple[Matrix, Matrix]:
        """Both sides of a comparison."""
        shape = length_of(comparison["rows"], self.sizes), length_of(comparison["columns"], self.sizes)
        inner = (shape[0], shape[0]) if comparison["diagonal"] else shape
        both = [self.terms(comparison[side], inner) for side in ("left", "right")]
        if comparison["diagonal"]:
            both = [[[side[i][i]] for i in range(shape[0])] for side in both]
        return both[0], both[1]


def drawn(rng: random.Random) -> Fraction:
    """A rational number, zero now and then: masks see it."""
    return Fraction(rng.choice((-3, -2, -1, 0, 1, 2, 3, 5)), rng.choice((1, 1, 2, 3)))


def _special(matrix: Matrix, rng: random.Random) -> Matrix:
    """Its rows are multiples of those that have no negative entry, or rows and columns are zero."""
    if rng.random() < 0.5:
        rows = [[abs(entry) for entry in row] for row in matrix]
        kept = rng.randint(1, max(1, len(rows)))
        return [
            [rng.choice((-2, -1, 0, 1, 1)) * entry for entry in rows[k % kept]] if k >= kept else rows[k]
            for k in range(len(rows))
        ]
    columns = [rng.random() < 0.5 for _ in (matrix[0] if matrix else ())]
    return [
        [entry if keep else Fraction(0) for entry, keep in zip(row, columns, strict=True)]
        if rng.random() < 0.6
        else [Fraction(0)] * len(columns)
        for row in matrix
    ]


# Words by rules

ANY = Fraction(1)
Key = tuple[tuple[tuple[str, int], ...], tuple[str, ...]]


class Rules:
    """What may be replaced in words, derived from what the letters are; words are tuples of the texts of their atoms.

    A term is keyed by its scalars, a sorted tuple of pairs of a text and a power, and its word. A trace is a scalar whose text
    is a word between angles: the least of all that have the same trace.
    """

    def __init__(self, case: Any) -> None:
        self.case = case
        self.letters = {name: (rows, columns, definition) for name, rows, columns, definition, _ in case["letters"]}
        self.symmetric = {name for name, *_, own in case["letters"] if own}
        self.positive = {name for name, kind in case["scalars"] if kind == "positive"}
        self.nonnegative = {name for name, kind in case["scalars"] if kind}
        self.patterns: list[tuple[tuple[str, ...], dict[Key, Fraction]]] = []
        self.masks: dict[str, dict[Key, Fraction]] = {}
        self.blocks: dict[str, dict[str, dict[Key, Fraction]]] = {}
        for name, rows, columns, definition, own in case["letters"]:
            if own and definition[0] == "free":
                raise Rejected(f"the letter {name!r:.40} is symmetric without a reason")
            self._define(name, rows, columns, definition)
        for left, right, *_ in case.get("given", ()):
            difference = self._sum(self.read(left), {key: -value for key, value in self.read(right).items()})
            for terms in (difference, self.turned_terms(difference)):
                if remaining := self.reduce(terms):
                    self._solve(remaining, {}, back=False)

    # texts of atoms

    def flip(self, atom: str) -> str:
        """The transpose of an atom."""
        if atom.startswith("diag("):
            return atom
        if atom.startswith("["):
            mask, _, inside = atom[1:-1].partition(": ")
            return f"[{mask[:-1] if mask.endswith(chr(39)) else mask + chr(39)}: {' '.join(self.turned(tokens(inside)))}]"
        if atom.rstrip("'") in self.symmetric:
            return atom.rstrip("'")
        return atom[:-1] if atom.endswith("'") else atom + "'"

    def turned(self, word: Any) -> tuple[str, ...]:
        """The transpose of a word."""
        _Work.take(len(word))
        return tuple(self.flip(atom) for atom in reversed(word))

    def columns(self, atom: str) -> str:
        """The number of columns of an atom."""
        if atom.startswith("["):
            return self.columns(atom[1:-1].partition(": ")[0])
        if atom.startswith("diag("):
            return str(self.letters[atom[5:-1]][0])
        rows, columns, _ = self.letters[atom.rstrip("'")]
        return str(rows if atom.endswith("'") else columns)

    # polynomials

    def read(self, texts: list[str]) -> dict[Key, Fraction]:
        """A polynomial from its terms."""
        result: dict[Key, Fraction] = {}
        for text in texts:
            coefficient, *factors = tokens(text)
            scalars: dict[str, int] = {}
            word = []
            for token in factors:
                name, _, power = (
                    (token.rpartition(">")[0] + ">", "", token.rpartition(">")[2][1:])
                    if token[0] == "<"
                    else (token.partition("^"))
                )
                if token[0] in "<#" or any(name == scalar for scalar, _ in self.case["scalars"]):
                    scalars[name] = scalars.get(name, 0) + exponent(power)
                else:
                    word.append(self.flip(self.flip(token)))
            key = (tuple(sorted(scalars.items())), tuple(word))
            result[key] = result.get(key, Fraction(0)) + rational(coefficient)
        return {key: value for key, value in result.items() if value}

    @staticmethod
    def times(left: Any, right: Any) -> tuple[tuple[str, int], ...]:
        """The product of two monomials of scalars."""
        _Work.take(1 + len(left) + len(right))
        powers = dict(left)
        for name, power in right:
            powers[name] = powers.get(name, 0) + power
        return tuple(sorted((name, power) for name, power in powers.items() if power))

    def size(self, text: str) -> dict[Key, Fraction]:
        """A length as a scalar."""
        result: dict[Key, Fraction] = {}
        for sign, part in re.findall(r"([+-]?)([A-Za-z0-9_*]+)", text):
            factor, _, name = part.rpartition("*")
            value = Fraction((-1 if sign == "-" else 1) * int(factor or 1))
            key: Key = ((), ()) if name.isdigit() else ((("#" + name, 1),), ())
            result[key] = result.get(key, Fraction(0)) + value * (int(name) if name.isdigit() else 1)
        return {key: value for key, value in result.items() if value}

    # rules

    def _say(self, word: Any, terms: dict[Key, Fraction]) -> None:
        self.patterns.append((tuple(word), terms))
        turned = self.turned(word)
        if turned != tuple(word) and (self.turned_terms(terms) != {((), tuple(word)): ANY}):
            back = self.turned_terms(terms)
            if not (len(terms) == 1 and next(iter(terms))[1] == turned):
                self.patterns.append((turned, back))

    def turned_terms(self, terms: dict[Key, Fraction]) -> dict[Key, Fraction]:
        """The transpose of a polynomial."""
        return {(scalars, self.turned(word)): value for (scalars, word), value in terms.items()}

    def _solve(self, terms: dict[Key, Fraction], right: dict[Key, Fraction], *, long: bool = False, back: bool = True) -> None:
        """Say that ``terms = right``, for the longest word of `terms` whose coefficient can be divided by."""
        best = None
        _Work.take(len(terms) ** 2)
        for (scalars, word), value in terms.items():
            if not word or (long and len(word) < 2) or any(name not in self.positive and name[0] != "#" for name, _ in scalars):
                continue
            if sum(other == word for _, other in terms) > 1:
                continue
            split = any(self.columns(atom) == "1" for atom in word[:-1])
            key = (not split, len(word), any(atom[0] == "[" for atom in word), word)
            if best is None or key > best[0]:
                best = key, scalars, word, value
        if best is None:
            raise Rejected("a definition cannot be solved for a word")
        _, scalars, word, value = best
        reciprocal = tuple((name, -power) for name, power in scalars)
        result: dict[Key, Fraction] = {}
        for sign, part in ((1, right), (-1, terms)):
            for (other, inner), number in part.items():
                if sign < 0 and (other, inner) == (scalars, word):
                    continue
                place = (self.times(other, reciprocal), inner)
                result[place] = short(result.get(place, Fraction(0)) + sign * number / value)
        solved = {key: number for key, number in result.items() if number}
        if back:
            self._say(word, solved)
        else:
            self.patterns.append((word, solved))

    def _define(self, name: str, rows: str, columns: str, definition: list[str]) -> None:
        kind, *texts = definition
        unit: dict[Key, Fraction] = {((), ()): ANY}
        if kind == "ones":
            self._say((name + "'", name), self.size(rows))
        elif kind == "part":
            self._part(name, texts)
        elif kind == "pinv":
            self._pseudo_inverse(name, texts)
        elif kind == "inverse":
            terms = self.read(texts)
            for before in (True, False):
                shifted = {
                    (scalars, (name, *word) if before else (*word, name)): value for (scalars, word), value in terms.items()
                }
                lead = {key: value for key, value in shifted.items() if len(key[1]) > 1}
                remaining = {key: -value for key, value in shifted.items() if len(key[1]) < 2}
                self._solve(lead, self._sum(unit, remaining))
        elif kind == "sum":
            self._named(name, self.read(texts))
        elif kind in ("mask", "nonnegative"):
            self.masks[name] = self.read(texts)
            if kind == "nonnegative":
                self._weak_mask(name, columns)
        elif kind == "reversal":
            self._say((name, name), unit)
            for other, (length, _, defined) in self.letters.items():
                if defined[0] == "ones" and length == rows:
                    self._say((name, other), {((), (other,)): ANY})
        elif kind not in ("free", "maximum"):
            raise Rejected(f"a letter is {kind!r:.40}, which is not known")

    def _pseudo_inverse(self, name: str, texts: list[str]) -> None:
        """Penrose's equations, and what they say of the blocks of a matrix."""
        word = next((word_ for _, word_ in self.read(texts)), ())
        if len(word) != 1 or self.read(texts) != {((), word): ANY}:
            raise Rejected(f"the letter {name!r:.40} is the pseudo-inverse of something else than a letter")
        Y, P = word[0], name
        Yt, Pt = self.flip(Y), self.flip(P)
        for left, right in (
            ((Y, P, Y), (Y,)),
            ((P, Y, P), (P,)),
            ((Yt, Y, P), (Yt,)),
            ((P, Y, Yt), (Yt,)),
            ((Pt, P, Y), (Pt,)),
            ((Y, P, Pt), (Pt,)),
        ):
            self._say(left, {((), right): ANY})
        for embedding, part in self.blocks.get(Y, {}).items():
            self._say((P, embedding), {(s, (P, Pt, *w)): value for (s, w), value in self.turned_terms(part).items()})
            if len(part) == 1 and (word := next(iter(part))[1]):
                self.patterns.append(((*word, P, Y), {((), word): ANY}))
                self.patterns.append(((P, Y, *self.turned(word)), {((), self.turned(word)): ANY}))
        if Yt == Y:
            self.patterns.append(((Y, P), {((), (P, Y)): ANY}))
        else:
            self.patterns.append(((Pt, Yt), {((), (Y, P)): ANY}))
            self.patterns.append(((Yt, Pt), {((), (P, Y)): ANY}))

    @staticmethod
    def _sum(*many: dict[Key, Fraction]) -> dict[Key, Fraction]:
        result: dict[Key, Fraction] = {}
        for terms in many:
            _Work.take(len(terms))
            for key, value in terms.items():
                result[key] = short(result.get(key, Fraction(0)) + value)
        return {key: value for key, value in result.items() if value}

    def _part(self, name: str, texts: list[str]) -> None:
        _Work.take(len(self.letters) ** 2)
        others = [
            other
            for other, (_, _, definition) in self.letters.items()
            if definition[:2] == ["part", texts[0]] and list(self.letters).index(other) <= list(self.letters).index(name)
        ]
        for other in others:
            same: dict[Key, Fraction] = {((), ()): ANY} if other == name else {}
            self._say((name + "'", other), same)
        if len(others) == len(texts[0].split("|")):
            subtracted: dict[Key, Fraction] = {((), (other, other + "'")): -ANY for other in others if other != name}
            self._say((name, name + "'"), self._sum({((), ()): ANY}, subtracted))
        rows, columns = self.letters[name][0], self.letters[name][1]
        for other, (length, _, definition) in self.letters.items():
            if definition[0] == "ones" and length == rows:
                fitting = [
                    ones_letter
                    for ones_letter, (own, _, defined) in self.letters.items()
                    if defined[0] == "ones" and own == columns
                ]
                if columns == "1" or fitting:
                    self._say((name + "'", other), {((), () if columns == "1" else (fitting[0],)): ANY})

    def _named(self, name: str, terms: dict[Key, Fraction]) -> None:
        turned = self.flip(name)
        with suppress(Rejected):  # without a word to solve for it is a letter of which nothing more is known
            self._solve(terms, {((), (name,)): ANY})
        parts: dict[str, dict[Key, Fraction]] = {}
        for (scalars, word), value in terms.items():
            if not word or word[0].endswith("'") or word[0] not in self.letters or self.letters[word[0]][2][0] != "part":
                return
            parts.setdefault(word[0], {})[scalars, word[1:]] = value
        of = {self.letters[part][2][1] for part in parts}
        if len(of) != 1:
            return
        self.blocks[name] = parts
        every = [known_part for known_part, (_, _, definition) in self.letters.items() if definition[:2] == ["part", *of]]
        for piece in every:
            self._say((piece + "'", name), parts.get(piece, {}))
        if all(len(part) == 1 for part in parts.values()):
            grams = [
                {(self.times(scalars, scalars), (*self.turned(word), *word)): value**2}
                for part in parts.values()
                for (scalars, word), value in part.items()
            ]
            self._solve(self._sum(*grams), {((), (turned, name)): ANY}, long=True)

    def _weak_mask(self, name: str, columns: str) -> None:
        """On what it tells the sign of, a mask of what is not negative does what the mask of what is positive does."""
        _Work.take(len(self.masks))
        strict = next((mask for mask, terms in self.masks.items() if mask != name and terms == self.masks[name]), None)
        if strict is None:
            return

        def masked(mask: str, word: Any) -> tuple[str, ...]:
            return (f"diag({mask})", *word) if columns == "1" else (f"[{mask}: {' '.join(word)}]",)

        terms = self.masks[name]
        masked_terms = {(scalars, masked(name, word)): value for (scalars, word), value in terms.items()}
        self._solve(masked_terms, {(scalars, masked(strict, word)): value for (scalars, word), value in terms.items()})

    # replacing

    def _at(self, word: tuple[str, ...]) -> tuple[int, dict[Key, Fraction]] | None:
        """What replaces the beginning of a word, and how long that is."""
        _Work.take(1 + len(self.patterns))
        for pattern, terms in self.patterns:
            if word[: len(pattern)] == pattern:
                return len(pattern), terms
        atom = word[0]
        if atom[0] == "[":
            mask, _, inside = atom[1:-1].partition(": ")
            inner = tuple(tokens(inside))
            if len(inner) == 1 and inner[0].startswith(f"[{mask}: "):
                return 1, {((), inner): ANY}
            upright = self.turned(inner) if mask.endswith("'") else inner
            name = mask.rstrip("'")
            known = self.masks.get(name) == {((), upright): ANY} and self.letters[name][2][0] == "mask"
            if known and all(map(self._is_nonnegative, upright)):
                return 1, {((), inner): ANY}
            simpler = self.reduce({((), inner): ANY})
            if simpler != {((), inner): ANY}:
                if any(not word_ for _, word_ in simpler):
                    raise Rejected("a mask of the identity matrix")
                return 1, {(scalars, (f"[{mask}: {' '.join(inner)}]",)): value for (scalars, inner), value in simpler.items()}
        if atom.startswith("diag(") and len(word) > 1:
            first, second = atom[5:-1], word[1]
            if second.startswith("diag("):
                if second == atom and first in self.masks:
                    return 2, {((), (atom,)): ANY}
                return (2, {((), (second, atom)): ANY}) if second < atom else None
            if second in self.letters and self.letters[second][1] == "1":
                if self.letters[second][2][0] == "ones":
                    return 2, {((), (first,)): ANY}
                if second == first and first in self.masks:
                    return 2, {((), (first,)): ANY}
                if second < first:
                    return 2, {((), (f"diag({second})", first)): ANY}
        return None

    def _is_nonnegative(self, atom: str) -> bool:
        if atom[0] == "[":
            mask, _, inside = atom[1:-1].partition(": ")
            inner = tuple(tokens(inside))
            upright = self.turned(inner) if mask.endswith("'") else inner
            name = mask.rstrip("'")
            own = self.masks.get(name) == {((), upright): ANY} and self.letters[name][2][0] == "mask"
            return own or all(map(self._is_nonnegative, inner))
        name = atom[5:-1] if atom.startswith("diag(") else atom.rstrip("'")
        return name in self.case["nonnegative"] or self.letters[name][2][0] in ("ones", "part", "mask", "nonnegative")

    def reduce(self, terms: dict[Key, Fraction]) -> dict[Key, Fraction]:
        """A polynomial in which nothing more can be replaced."""
        done: dict[Key, Fraction] = {}
        waiting = dict(terms)
        while waiting:
            (scalars, word), value = waiting.popitem()
            for key, number in self._once(scalars, word):
                target = done if key is None else waiting
                place = (scalars, word) if key is None else key
                target[place] = short(target.get(place, Fraction(0)) + value * number)
                if not target[place]:
                    del target[place]
        return done

    def _once(self, scalars: Any, word: tuple[str, ...]) -> list[tuple[Key | None, Fraction]]:
        """One replacement; None stands for the term itself, in which there is none."""
        for name, power in scalars:
            if name[0] == "<":
                value = self.trace(tuple(tokens(name[1:-1])), None)
                if value != {(((name, 1),), ()): ANY}:
                    other_scalars = tuple(pair for pair in scalars if pair[0] != name)
                    if power < 1:
                        raise Rejected("a trace is divided by")
                    other_scalars = self.times(other_scalars, ((name, power - 1),)) if power > 1 else other_scalars
                    return [((self.times(other_scalars, scalars_), word), number) for (scalars_, _), number in value.items()]
        for place in range(len(word)):
            rule = self._at(word[place:])
            if rule is not None:
                length, terms = rule
                return [
                    ((self.times(scalars, more), (*word[:place], *inner, *word[place + length :])), number)
                    for (more, inner), number in terms.items()
                ]
        cuts = [place for place in range(1, len(word)) if self.columns(word[place - 1]) == "1"]
        if len(cuts) > 1:
            value = self.trace(word[cuts[0] : cuts[1]], "1")
            remaining = word[: cuts[0]] + word[cuts[1] :]
            return [((self.times(scalars, scalars_), remaining), number) for (scalars_, _), number in value.items()]
        return [(None, ANY)]

    def _exchanged(self, form: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """The same trace with what stands at its beginning inside a diagonal matrix or behind a mask in its place."""
        if len(form) > 1 and form[0].endswith("'") and form[0][0] != "[" and form[1].startswith("diag("):
            _, columns, defined = self.letters[form[0][:-1]]
            if columns == "1" and defined[0] not in ("ones", "part"):
                # v' diag(u) = u' diag(v)
                yield form[1][5:-1] + "'", f"diag({form[0][:-1]})", *form[2:]
        if form[0][0] == "[" and len(form) > 1:
            mask, _, inside = form[0][1:-1].partition(": ")
            other = mask[:-1] if mask.endswith("'") else mask + "'"
            yield *tokens(inside), f"[{other}: {' '.join(form[1:])}]"

    def trace(self, word: tuple[str, ...], size: str | None) -> dict[Key, Fraction]:
        """The trace of a word as a scalar."""
        if not word:
            if size is None:
                raise Rejected("a trace has no word")
            return self.size(size)
        if all(atom.startswith("diag(") for atom in word):
            first, *others = sorted(atom[5:-1] for atom in word)
            rows = self.letters[first][0]
            ones = [
                ones_letter
                for ones_letter, (length, _, defined) in self.letters.items()
                if defined[0] == "ones" and length == rows
            ]
            if not others and not ones and rows != "1":
                return {(((f"<{word[0]}>", 1),), ()): ANY}
            last = (others.pop(),) if others else () if rows == "1" else (ones[0],)
            return self.trace((first + "'", *(f"diag({vector})" for vector in others), *last), "1")
        forms, waiting = set(), [word]
        while waiting:
            form = waiting.pop()
            if form in forms:
                continue
            forms.add(form)
            if len(forms) > 600:
                raise Rejected("a trace has too many forms")
            cuts = [place for place in range(len(form)) if self.columns(form[place - 1]) == "1"]
            if len(cuts) > 1:
                value: dict[Key, Fraction] = {((), ()): ANY}
                around = form[cuts[0] :] + form[: cuts[0]]
                ends = [cut - cuts[0] for cut in cuts] + [len(form)]
                for start, end in pairwise(ends):
                    loop = self.trace(around[start:end], "1")
                    value = (
                        {(self.times(a, b), ()): x * y for (a, _), x in value.items() for (b, _), y in loop.items()}
                        if len(loop) == 1
                        else self._product(value, loop)
                    )
                return value
            rule = self._at(form)
            if rule is not None:
                length, terms = rule
                only = next(iter(terms.items())) if len(terms) == 1 else None
                if only and only[1] == 1 and not only[0][0] and len(only[0][1]) == length:
                    waiting.append((*only[0][1], *form[length:]))
                else:
                    length_of_first = self.columns(self.flip(form[0]))
                    value = {}
                    for (more, replaced), number in terms.items():
                        inner = self._product({(more, ()): number}, self.trace((*replaced, *form[length:]), length_of_first))
                        value = self._sum(value, inner)
                    return value
            waiting.append(self.turned(form))
            waiting.append((*form[1:], form[0]))
            waiting += self._exchanged(form)
        return {(((f"<{' '.join(min(forms))}>", 1),), ()): ANY}

    def diagonal(self, terms: dict[Key, Fraction]) -> dict[Key, Fraction]:
        """A square polynomial of which only the diagonal counts."""
        result: dict[Key, Fraction] = {}
        for (scalars, word), value in terms.items():
            forms: set[tuple[str, ...]] = set()
            waiting = [word]
            while waiting:
                form = waiting.pop()
                if form in forms:
                    continue
                forms.add(form)
                if len(forms) > 600:
                    raise Rejected("a diagonal has too many forms")
                simpler = self.reduce({((), form): ANY})
                if simpler != {((), form): ANY}:
                    only = list(simpler.items())
                    if len(only) == 1 and only[0][1] == 1 and not only[0][0][0] and len(only[0][0][1]) == len(form):
                        waiting.append(only[0][0][1])
                    else:
                        inner = self.diagonal(simpler)
                        break
                waiting.append(self.turned(form))
                if form and form[0].startswith("diag("):
                    waiting.append((*form[1:], form[0]))
                elif len(form) > 1 and form[0][0] == "[":
                    mask, _, inside = form[0][1:-1].partition(": ")
                    other = mask[:-1] if mask.endswith("'") else mask + "'"
                    waiting.append((*tokens(inside), f"[{other}: {' '.join(form[1:])}]"))
            else:
                inner = {((), min(forms)): ANY}
            shifted = {(self.times(scalars, more), word_): value * number for (more, word_), number in inner.items()}
            result = self._sum(result, shifted)
        return result

    def _product(self, left: dict[Key, Fraction], right: dict[Key, Fraction]) -> dict[Key, Fraction]:
        result: dict[Key, Fraction] = {}
        for (a, _), x in left.items():
            for (b, _), y in right.items():
                key = (self.times(a, b), ())
                result[key] = short(result.get(key, Fraction(0)) + x * y)
        return {key: value for key, value in result.items() if value}

    def check(self, comparison: Any) -> None:
        """Whether the difference of both sides is the sum of the squares."""
        sign = -1 if comparison["sense"] == "le" else 1
        total = self._sum(
            {key: sign * value for key, value in self.read(comparison["left"]).items()},
            {key: -sign * value for key, value in self.read(comparison["right"]).items()},
        )
        for weight, factor, texts, _, columns in comparison["squares"]:
            (scalars, _), factor_ = next(iter(self.read([factor]).items()), (((), ()), Fraction(0)))
            for name, power in scalars:
                known = name[0] == "#" or name in self.positive or (power > 0 and name in self.nonnegative)
                if not known and (power % 2 or name[0] == "<"):
                    raise Rejected(f"a square has the factor {name!r:.40}, which may be negative")
            if rational(weight) < 0 or factor_ < 0:
                raise Rejected("a square has a weight that is negative")
            terms = self.read(texts)
            for (a, left), x in terms.items():
                for (b, right), y in terms.items():
                    value = self.trace((*self.turned(left), *right), columns)
                    monomial = self.times(self.times(a, b), scalars)
                    scale: dict[Key, Fraction] = {(monomial, ()): -rational(weight) * factor_ * x * y}
                    total = self._sum(total, self._product(scale, value))
        remaining = self.reduce(total)
        if comparison["diagonal"]:
            remaining = self.diagonal(remaining)
        if remaining:
            raise Rejected(f"the sides of {comparison['name']!r} differ by words that nothing brings to zero")


# The check

SIZES = (1, 2, 3)
"""Values of the sizes that are symbols, in all evaluations."""
ROUNDS = 6
"""Evaluations of each case."""
TRIES = 40
"""Random instances of which some have no value, for a matrix has no inverse."""
TEXTS, LISTS = ("method", "claim", "fingerprint", "digest"), ("symbols", "assumptions", "does_not_tell")
"""What a certificate has beside its schema, its sizes that are numbers and its cases."""
COMPARISON = {"sense", "name", "rows", "columns", "diagonal", "left", "right", "squares"}
KEYS = {"sizes", "integers", "opaque", "letters", "scalars", "nonnegative", "assumptions", "comparisons"}


def check(document: Any) -> int:
    """Check a certificate, read from JSON; at how many random instances its sides were compared is returned.

    Raises
    ------
    Rejected
        With the reason.
    """
    known = isinstance(document, dict) and type(document.get("schema")) is int and document["schema"] == SCHEMA
    if not known or document.get("method") != "all sizes":
        raise Rejected(f"it is no certificate for all sizes with the schema {SCHEMA}")
    if set(document) != {*TEXTS, *LISTS, "schema", "fixed", "cases"}:
        raise Rejected("it has not what a certificate has")
    lists = [document[name] for name in LISTS]
    if not all(isinstance(document[name], str) for name in TEXTS) or not all(map(_are_texts, lists)):
        raise Rejected("a text of it is none")
    cases = document.get("cases")
    if not isinstance(cases, list) or not cases or document.get("digest") != digest(cases):
        raise Rejected("its cases are not those that were written: its digest differs")
    _Work.remaining = MOST_WORK
    try:
        _check_numbers(document, cases)
        return sum(_check_case(document, case) for case in cases)
    except Rejected:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration) as error:
        raise Rejected(f"it does not fit the format: {error!r:.200}") from error
    except (RecursionError, MemoryError) as error:
        raise Rejected(f"it is larger than any certificate that was written: {type(error).__name__}") from error
    finally:
        _Work.remaining = math.inf


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _check_numbers(document: Any, cases: Any) -> None:
    """See that the cases are of the sizes that are named, of all of them, and each of others."""
    fixed = document["fixed"]
    if not all(type(number) is int and number > 0 for values in fixed.values() for number in values):
        raise Rejected("a size is no positive integer")
    if not document["symbols"] or set(fixed) & set(document["symbols"]):
        raise Rejected("no size may be any number, or one is a number, too")
    for case in cases:
        numbers = [*case["sizes"].values(), *case["integers"].values()]
        if set(case["sizes"]) != set(fixed) or not all(type(number) is int for number in numbers):
            raise Rejected("a case is of other sizes than those that are named, or of what is no integer")
    for name, values in fixed.items():
        if sorted({case["sizes"][name] for case in cases}) != values:
            raise Rejected(f"the cases have other values of {name} than {values!r:.60}")
    if len({json.dumps([case["sizes"], case["integers"]], sort_keys=True) for case in cases}) < len(cases):
        raise Rejected("two cases are of the same sizes and integers")


def _check_case(document: Any, case: Any) -> int:
    assumed = {"hypotheses", "given"} if case.get("hypotheses") else set()
    if set(case) != KEYS | assumed or not case["comparisons"]:
        raise Rejected("a case has other entries than it should")
    if not all(_are_texts(case[name]) for name in ("opaque", "nonnegative", "assumptions")):
        raise Rejected("a text of a case is none")
    if set(case["assumptions"]) - set(document["assumptions"]):
        raise Rejected("a case assumes more than the certificate says")
    for comparison in case["comparisons"]:
        if set(comparison) != COMPARISON or type(comparison["diagonal"]) is not bool:
            raise Rejected("a comparison has other entries than it should")
    rules = Rules(case)
    for comparison in case["comparisons"]:
        rules.check(comparison)
    rng, rounds = random.Random(json.dumps(case, sort_keys=True)), 0
    for turn in range(TRIES * (1 + 9 * bool(assumed))):
        sizes = {name: SIZES[(turn + 2 * place) % len(SIZES)] for place, name in enumerate(document["symbols"])}
        for name in {name for letter in case["letters"] for name in re.findall(r"[A-Za-z_]\w*", f"{letter[1]} {letter[2]}")}:
            sizes.setdefault(name, rng.choice(SIZES))
        try:
            values = Values(case, {**sizes, **case["sizes"]}, {}, rng, special=bool(assumed) and turn % 2 > 0)
        except ZeroDivisionError:
            continue
        if not values.fits(case):
            continue
        for comparison in case["comparisons"]:
            _compare(values, comparison)
        rounds += 1
        if rounds == ROUNDS:
            return rounds
    raise Rejected("a case could not be evaluated")


def _compare(values: Values, comparison: Any) -> None:
    left, right = values.sides(comparison)
    name, squares = comparison["name"], Fraction(0)
    if comparison["sense"] not in ("eq", "le", "ge"):
        raise Rejected(f"sides are compared by {comparison['sense']!r:.20}")
    for weight, factor, terms, rows, columns in comparison["squares"]:
        matrix = values.terms(terms, (length_of(rows, values.sizes), length_of(columns, values.sizes)))
        scale = values.terms([factor], (1, 1))[0][0]
        if rational(weight) < 0 or scale < 0:
            raise Rejected(f"a square of {name!r} has a weight that is negative")
        squares += rational(weight) * scale * sum((entry**2 for row in matrix for entry in row), Fraction(0))
    if comparison["squares"] and (comparison["sense"] == "eq" or len(left) != 1 or len(left[0]) != 1):
        raise Rejected(f"squares stand where {name!r} is no inequality between numbers")
    sign = -1 if comparison["sense"] == "le" else 1
    for a, b in zip(left, right, strict=True):
        if any(sign * (x - y) != squares for x, y in zip(a, b, strict=True)):
            raise Rejected(f"the sides of {name!r} differ at {values.sizes} by something else than the squares")


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


def _integer(text: str) -> int:
    if len(text) > 20:
        raise ValueError(f"an integer has {len(text)} digits")
    return int(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text:.20} is no integer; all other numbers are text")


def main(paths: list[str]) -> int:
    """Check files, and say of each what was found."""
    worst = 0
    for path in paths:
        try:
            document = read(path)
        except (OSError, ValueError, RecursionError) as error:
            sys.stdout.write(f"{path}: cannot be read: {error}\n")
            worst = max(worst, 2)
            continue
        try:
            count = check(document)
        except Rejected as error:
            sys.stdout.write(f"{path}: wrong: {error}\n")
            worst = max(worst, 1)
        else:
            sys.stdout.write(f"{path}: right, by words and at {count} random instances\n")
    return worst


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of a file; a name that stands twice in it would be read in two ways."""
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise ValueError("a name stands twice in one mapping")
    return mapping


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
