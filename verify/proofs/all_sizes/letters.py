"""Sizes that are symbols, letters of such sizes, and words: products of letters, with commuting scalars before them.

A word is a tuple of atoms, and an atom one of

- ``(LETTER, name, transposed, ())``: a matrix or its transpose;
- ``(MASKED, mask, transposed, word)``: the entrywise product of a mask (or its transpose) and a word;
- ``(DIAGONAL, name, False, ())``: the diagonal matrix of a vector.

A scalar monomial is a tuple of pairs of a generator and its power, where a generator is a name or a trace: the cyclic word.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from verify.numbers.exactness import StandIn, asked_from_outside

LETTER, MASKED, DIAGONAL = 0, 1, 2

Atom: TypeAlias = tuple[int, str, bool, tuple[Any, ...]]
Word: TypeAlias = tuple[Atom, ...]
Generator: TypeAlias = str | tuple[Atom, ...]
Monomial: TypeAlias = tuple[tuple[Generator, int], ...]
Terms: TypeAlias = dict[tuple[Monomial, Word], Fraction]
"""A noncommutative polynomial; a scalar has empty words."""

SIZE = "#"
"""Before the name of a size that stands as a number."""


class NotWords(ArithmeticError):
    """Why a statement is not one of letters, in a sentence."""


class NeedsNumber(NotWords):
    """A size is asked for as a number, as by ``range``."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the size {name!r} is asked for as a number: it must be one of those of the domain")
        self.name = name


@functools.total_ordering
@dataclass(frozen=True, repr=False)
class Size(StandIn):
    """A sum of symbols, each a length of at least one, and of an integer."""

    symbols: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    @classmethod
    def of(cls, value: Size | int) -> Size:
        """A size, of an integer too."""
        return value if isinstance(value, Size) else cls((), int(value))

    @property
    def is_number(self) -> bool:
        """Whether no symbol is in it."""
        return not self.symbols

    def _number(self) -> int:
        if self.symbols:
            raise NeedsNumber(self.symbols[0][0])
        return self.constant

    def __index__(self) -> int:
        return self._number()

    __int__ = __index__

    def __float__(self) -> float:
        return float(self._number())

    def __bool__(self) -> bool:
        return bool(self._number())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            other = Size((), other)
        if not isinstance(other, Size):
            return NotImplemented
        difference: Size = self - other
        if difference.is_number:
            return difference.constant == 0
        raise NeedsNumber(difference.symbols[0][0])

    def __lt__(self, other: Size | int) -> bool:
        difference: Size = self - Size.of(other)
        return difference._number() < 0

    def told_apart(self, name: str) -> None:
        """Raise what is asked, by isinstance, match and singledispatch, too: integers have other attributes."""
        self._number()
        raise NotWords(f"{'the type' if name == '__class__' else repr(name)} is asked of a size")

    def __hash__(self) -> int:
        if asked_from_outside():
            self._number()  # in a set of integers it would be none of them
        return hash((self.symbols, self.constant))

    def same(self, other: Size) -> bool:
        """Whether both are the same for every value of the symbols."""
        return self.symbols == other.symbols and self.constant == other.constant

    def _joined(self, other: Any, sign: int) -> Size:
        if isinstance(other, int):
            return Size(self.symbols, self.constant + sign * other)
        counts = dict(self.symbols)
        for name, count in other.symbols:
            counts[name] = counts.get(name, 0) + sign * count
        return Size(
            tuple(sorted((name, count) for name, count in counts.items() if count)), self.constant + sign * other.constant
        )

    def __add__(self, other: Any) -> Any:
        return self._joined(other, 1) if isinstance(other, Size | int) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._joined(other, -1) if isinstance(other, Size | int) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return Size.of(other) - self if isinstance(other, int) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int):
            return Size(tuple((name, other * count) for name, count in self.symbols if other), other * self.constant)
        if isinstance(other, Size):
            if other.is_number or self.is_number:
                return self * other.constant if other.is_number else other * self.constant
            raise NotWords(f"the product of the sizes {self} and {other}")
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, int | Fraction) and self.is_number:
            return Fraction(self.constant) / other
        raise NotWords(f"a share of the size {self}") if isinstance(other, int | Size) else TypeError

    def __pow__(self, power: Any) -> Any:
        return self._number() ** power

    def __floordiv__(self, other: Any) -> Any:
        return self._number() // other

    def __mod__(self, other: Any) -> Any:
        return self._number() % other

    def __str__(self) -> str:
        if asked_from_outside():
            self._number()
        return self.text

    __repr__ = __str__

    @property
    def text(self) -> str:
        """Its symbols and its constant, as `read` reads them."""
        parts = [name if count == 1 else f"{count}*{name}" for name, count in self.symbols]
        parts += [str(self.constant)] if self.constant or not parts else []
        return "+".join(parts).replace("+-", "-")

    @classmethod
    def read(cls, text: str) -> Size:
        """The size that `text` writes."""
        counts: dict[str, int] = {}
        constant = 0
        for part in text.replace("-", "+-").split("+"):
            if not part:
                continue
            sign, part = (-1, part[1:]) if part[0] == "-" else (1, part)
            factor, _, name = part.rpartition("*")
            if name.isdigit():
                constant += sign * int(name)
            else:
                counts[name] = counts.get(name, 0) + sign * int(factor or 1)
        return cls(tuple(sorted(counts.items())), constant)

    def value(self, numbers: Mapping[str, int]) -> int:
        """The length, of those of the symbols."""
        return self.constant + sum(count * numbers[name] for name, count in self.symbols)


ONE = Size((), 1)


@dataclass(frozen=True)
class Letter:
    """A matrix of unknown size.

    Attributes
    ----------
    rows, columns
        Its shape; that of a vector has one column.
    definition
        ``("free",)``, or what it is of other letters: ``("pinv", text)``, ``("mask", text)`` and so on; see `rules`.
    symmetric
        Whether it is its own transpose.
    """

    name: str
    rows: Size
    columns: Size
    definition: tuple[str, ...] = ("free",)
    symmetric: bool = False


@dataclass(frozen=True)
class Scalar:
    """A number that is not known: whether it is positive, or not negative; `definition` as of a letter."""

    name: str
    positive: bool = False
    nonnegative: bool = False
    definition: tuple[str, ...] = ("free",)


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials of scalars."""
    if not left:
        return right
    if not right:
        return left
    powers = dict(left)
    for generator, power in right:
        powers[generator] = powers.get(generator, 0) + power
    return tuple(sorted(((generator, power) for generator, power in powers.items() if power), key=_order))


def _order(pair: tuple[Generator, int]) -> tuple[Any, ...]:
    generator, power = pair
    return (0, generator, (), power) if isinstance(generator, str) else (1, "", generator, power)


def transposed(word: Word, symmetric: frozenset[str] | set[str]) -> Word:
    """The transpose of a word."""
    return tuple(flipped(atom, symmetric) for atom in reversed(word))


def flipped(atom: Atom, symmetric: frozenset[str] | set[str]) -> Atom:
    """The transpose of an atom."""
    kind, name, turned, inside = atom
    if kind == DIAGONAL or (kind == LETTER and name in symmetric):
        return atom
    if kind == MASKED:
        return kind, name, not turned, transposed(inside, symmetric)
    return kind, name, not turned, inside


def added(*polynomials: Terms) -> Terms:
    """The sum of polynomials."""
    result: Terms = {}
    for terms in polynomials:
        for key, value in terms.items():
            result[key] = result.get(key, Fraction(0)) + value
    return {key: value for key, value in result.items() if value}


def scaled(terms: Terms, factor: Fraction | int, monomial: Monomial = ()) -> Terms:
    """A polynomial times a number and a monomial of scalars."""
    if not factor:
        return {}
    return {(times(monomial, scalars), word): factor * value for (scalars, word), value in terms.items()}
