"""Polynomials and names as Coq reads them."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from verify.proofs import independent

PLAIN_NAME = re.compile(r"[A-Za-z]\w*_\d+", re.ASCII)
"""A coordinate is called so in the theorems if it has such a name: no word of Coq or of the checker has one."""


class NotExported(Exception):
    """Why a certificate, or a part of it, is not written for Coq, in a sentence."""


def module_name(claim: str) -> str:
    """The name of the file of a claim, which is also one of a module of Coq."""
    return re.sub(r"\W", "_", claim.replace("_", "__"), flags=re.ASCII)


def comment(text: str) -> str:
    """A comment, whatever the text."""
    return f"(* {text.replace('(*', '( *').replace('*)', '* )').replace(chr(34), chr(39))} *)"


def listed(words: Iterable[str]) -> str:
    """A list of Coq."""
    return f"[{'; '.join(words)}]"


BYTE = 256


def integer(number: int) -> str:
    """An integer in a certificate: its bytes, the highest first, which Coq reads much faster than digits."""
    words = ""
    while not -BYTE // 2 <= number < BYTE // 2:
        number, byte = divmod(number, BYTE)
        words += f"x{byte} ("
    return words + (f"m{-number}" if number < 0 else f"k{number}") + ")" * words.count("(")


def numbers_file() -> str:
    """The file of Coq with the names that `integer` gives to bytes, and with those of small natural numbers."""
    lines = [
        comment("Names of numbers, for certificates: 256 * z + 52 is x52 z. No theorem says anything with them."),
        "From Coq Require Import ZArith.",
        f"Definition byte (k z : Z) : Z := ({BYTE} * z + k)%Z.",
    ]
    lines += [f"Definition x{k} := byte {k}." for k in range(BYTE)]
    lines += [f"Definition k{k} := {k}%Z." for k in range(BYTE // 2)]
    lines += [f"Definition m{k} := (-{k})%Z." for k in range(1, BYTE // 2 + 1)]
    return "\n".join([*lines, ""])


class Polynomials:
    """The polynomials of a proof: each is defined once, as a real number and as the list of its monomials.

    Parameters
    ----------
    coordinates
        Their names.
    count
        How many unknowns there are, with the coordinates, which come first.
    """

    def __init__(self, coordinates: Sequence[str], count: int) -> None:
        plain = all(PLAIN_NAME.fullmatch(name) for name in coordinates)
        names = [name if plain else f"u{number}" for number, name in enumerate(coordinates)]
        self.unknowns = [*names, *(f"t{number}" for number in range(len(names), count))]
        # the unknown that was introduced last comes first, and the coordinates come last: what is divided by what depends on it
        self._places = [*range(count - len(names), count), *range(count - len(names) - 1, -1, -1)]
        self._numbers = {place: number for number, place in enumerate(self._places)}
        self._context = fmpq_mpoly_ctx.get(tuple(f"u{self._numbers[place]}" for place in range(count)), Ordering.lex)
        self._names: dict[str, str] = {}
        self._count = 0
        self.definitions: list[str] = []

    def constant(self, number: int) -> fmpq_mpoly:
        """A constant."""
        return self._context.constant(number)

    def read(self, text: Mapping[str, str]) -> fmpq_mpoly:
        """The polynomial of a text of a certificate."""
        terms = {}
        for monomial, coefficient in text.items():
            exponents = [0] * len(self._places)
            for word in monomial.split():
                exponents[self._places[int(word)]] += 1
            value = independent.rational(coefficient)
            terms[tuple(exponents)] = fmpq(value.numerator, value.denominator)
        return self._context.from_dict(terms)

    def named(self, polynomial: fmpq_mpoly) -> str:
        """The number of a polynomial with integer coefficients that a theorem speaks of: its names are p and q with that."""
        text = self.reified(polynomial)
        key = f"p {text}"
        if key not in self._names:
            self._names[key] = str(self._count)
            self.definitions.append(f"Definition p{self._count} : R := ({self.formula(polynomial)})%R.")
            self.definitions.append(f"Definition q{self._count} : poly := {text}.")
            self._count += 1
        return self._names[key]

    def shared(self, letter: str, kind: str, text: str) -> str:
        """The name of what is defined once: a letter and a number."""
        key = f"{letter} {text}"
        if key not in self._names:
            self._names[key] = f"{letter}{len(self._names)}"
            self.definitions.append(f"Definition {self._names[key]} : {kind} := {text}.")
        return self._names[key]

    def places(self, places: Iterable[int]) -> str:
        """A list of natural numbers."""
        return self.shared("n", "list nat", listed(map(str, places)))

    def _terms(self, polynomial: fmpq_mpoly) -> list[tuple[int, list[int]]]:
        found = []
        for exponents, coefficient in polynomial.to_dict().items():
            unknowns = sorted(self._numbers[place] for place, power in enumerate(exponents) for _ in range(int(power)))
            found.append((int(coefficient.p), unknowns))
        return found

    def reified(self, polynomial: fmpq_mpoly) -> str:
        """A polynomial with integer coefficients as a list of monomials."""
        return listed(f"M {argument(integer(c))} {self.places(unknowns)}" for c, unknowns in self._terms(polynomial))

    def formula(self, polynomial: fmpq_mpoly) -> str:
        """A polynomial with integer coefficients as one writes it, and as `value` of the checker computes it."""
        words = ""
        for coefficient, unknowns in self._terms(polynomial):
            factors = [self.unknowns[number] for number in unknowns]
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            product = " * ".join(factors)
            if words:
                words += f" {'-' if coefficient < 0 else '+'} {product}"
            else:
                words = f"- ({product})" if coefficient < 0 else product
        return words or "0"


def argument(term: str) -> str:
    return f"({term})" if " " in term else term


def cleared(polynomial: fmpq_mpoly) -> tuple[fmpq_mpoly, int]:
    """A polynomial times its common denominator, and that."""
    common = functools.reduce(math.lcm, (int(one.q) for one in polynomial.to_dict().values()), 1)
    return polynomial * common, common


def fmpq_of(number: Fraction) -> fmpq:
    """A rational for flint."""
    return fmpq(number.numerator, number.denominator)
