"""Certificates by identities as theorems: one for each programme.

What the certificate tells from random points modulo random primes, Coq computes: the programme runs on quotients of
polynomials. Of each quotient that can be cancelled it is told the common factor.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx

from verify.proofs import independent
from verify.proofs.coq.leaves import ACCEPTED, Theorems
from verify.proofs.coq.text import NotExported, comment, listed

MOST_TERMS = 3000
"""Terms of a polynomial; a programme that computes a larger one is not written."""
MOST_PATHS = 1024
"""Ways through the choices of a programme."""
NAMES = {"+": "Plus", "-": "Minus", "*": "Times", "/": "Over", "?": "Choice"}

Quotient = tuple[fmpz_mpoly, fmpz_mpoly]


def theorems(proof: Mapping[str, Any], name: str, title: str) -> Theorems:
    """The module `name` with the theorems of one proof; `title` says in each comment which it is.

    Raises
    ------
    NotExported
        A programme takes roots, or is too large.
    """
    pieces = proof["data"]["pieces"]
    lines = [f"Module {name}."]
    for number, piece in enumerate(pieces):
        lines += _piece(piece, f"case{number}", f"{title}, programme {number + 1} of {len(pieces)}")
    return Theorems("\n".join([*lines, f"End {name}."]), 0, len(pieces))


def _piece(piece: Mapping[str, Any], name: str, title: str) -> list[str]:
    code = independent.instructions(independent.unpacked(piece["code"]))
    if any(kind == "r" for kind, *_ in code):
        raise NotExported("a programme takes roots")
    zeros = [place for place, sign in independent.conditions(piece, code) if sign == 0]
    # of two sides in an order only what makes them equal is written: that a sign follows from others would be another theorem
    zeros = list(dict.fromkeys([*zeros, *piece["same"], *piece["zeros"], *(place for place, _ in piece["orders"])]))
    run = _Run(code)
    run.follow(0, [], 0, [], zeros)
    steps = []
    for here, (kind, *operands) in enumerate(code):
        if kind in "xg":
            word = "Any"
        elif kind == "q":
            word = f"Rational ({operands[0].numerator}) {operands[0].denominator}"
        else:
            word = " ".join([NAMES[kind], *(str(here - operand) for operand in operands)])
        reductions = (f"Cancel {' '.join(map(_reified, three))}" for three in run.reductions.get(here, {}).values())
        steps.append(f"({word}, {listed(reductions)})")
    results = [f"r{number}" for number in range(len(code))]
    inputs = [f"r{number}" for number, (kind, *_) in enumerate(code) if kind == "x"]
    unknown = [f"r{number} (a value of {one[0]})" for number, (kind, *one) in enumerate(code) if kind == "g"]
    words = f"{title}: {len(code)} operations. The coordinates are {', '.join(inputs)}"
    words += f"; any numbers are {', '.join(unknown)}" if unknown else ""
    claimed = " /\\ ".join(f"r{place} = 0" for place in zeros)
    assumed = [one for here, operation in enumerate(code) for one in _equations(here, operation)]
    places = listed(str(len(code) - place) for place in zeros)
    computed = f"by_computation {listed(steps)} {places}%positive {ACCEPTED} {listed(results)}"
    return [
        comment(f"{words}. Assumed: the equations of the operations, divisors that are not zero. Claimed: {claimed}."),
        f"Section {name}_numbers.",
        f"Variables {' '.join(results)} : R.",
        f"Theorem {name} : ({' -> '.join([*assumed, f'({claimed})'])})%R.",
        f"Proof. exact_no_check ({computed}). Qed.",
        f"End {name}_numbers.",
    ]


def _equations(here: int, operation: Sequence[Any]) -> list[str]:
    """What is assumed of the result of an operation."""
    kind, *operands = operation
    if kind in "xg":
        return []
    if kind == "q":
        top, bottom = (str(number) if number >= 0 else f"({number})" for number in operands[0].as_integer_ratio())
        return [f"r{here} = {top}" + (f" / {bottom}" if bottom != "1" else "")]
    if kind == "?":
        sign, one, other = operands
        return [f"(0 <= r{sign} -> r{here} = r{one})", f"(r{sign} < 0 -> r{here} = r{other})"]
    left, right = operands
    return [*([f"r{right} <> 0"] if kind == "/" else []), f"r{here} = r{left} {kind} r{right}"]


@dataclass
class _Run:
    """The same computation as the checker's, which finds what can be cancelled."""

    code: Sequence[tuple[Any, ...]]
    reductions: dict[int, dict[tuple[str, str], tuple[fmpz_mpoly, fmpz_mpoly, fmpz_mpoly]]] = field(default_factory=dict)
    paths: int = 0

    @functools.cached_property
    def _context(self) -> fmpz_mpoly_ctx:
        count = sum(kind in "xg" for kind, *_ in self.code)
        return fmpz_mpoly_ctx.get(tuple(f"u{number}" for number in range(count)), Ordering.lex)

    def follow(
        self, here: int, known: list[Quotient], inputs: int, chosen: list[tuple[Quotient, bool]], zeros: Sequence[int]
    ) -> None:
        """Go on from operation `here`, both ways where a sign is asked for that is not known."""
        one, known = self._context.constant(1), list(known)
        for place in range(here, len(self.code)):
            kind, *operands = self.code[place]
            if kind in "xg":
                known.append((self._context.gens()[inputs], one))
                inputs += 1
            elif kind == "q":
                known.append(tuple(map(self._context.constant, operands[0].as_integer_ratio())))
            elif kind == "?":
                sign, first, second = operands
                answers = [answer for quotient, answer in chosen if quotient == known[sign]]
                if not answers:
                    self.follow(place + 1, [*known, known[second]], inputs, [(known[sign], False), *chosen], zeros)
                    chosen = [(known[sign], True), *chosen]
                known.append(known[first if not answers or answers[0] else second])
            else:
                (a, b), (c, d) = known[operands[0]], known[operands[1]]
                if kind == "/" and c.is_zero():
                    raise NotExported("a divisor of a programme is zero")
                known.append(self._reduced(place, *_computed(kind, a, b, c, d)))
        self.paths += 1
        if self.paths > MOST_PATHS:
            raise NotExported(f"a programme has more than {MOST_PATHS} ways through its choices")
        if not all(known[place][0].is_zero() for place in zeros):
            raise NotExported("a result of a programme is not zero by polynomials alone")

    def _reduced(self, place: int, top: fmpz_mpoly, bottom: fmpz_mpoly) -> Quotient:
        if max(len(top), len(bottom)) > MOST_TERMS:
            raise NotExported(f"a programme computes polynomials of more than {MOST_TERMS} terms")
        if _is_unit(bottom):
            return top, bottom
        common = bottom if top.is_zero() else top.gcd(bottom)
        if _is_unit(common):
            return top, bottom
        top, bottom = top / common, bottom / common
        self.reductions.setdefault(place, {})[str(top), str(bottom)] = top, bottom, common
        return top, bottom


def _is_unit(polynomial: fmpz_mpoly) -> bool:
    return bool(polynomial == 1 or polynomial == -1)


def _computed(kind: str, a: fmpz_mpoly, b: fmpz_mpoly, c: fmpz_mpoly, d: fmpz_mpoly) -> Quotient:
    """The quotients a / b and c / d, added and so on, as the checker does it."""
    if kind == "*":
        return a * c, b * d
    if kind == "/":
        return (a, c) if b == d else (a * d, b * c)
    if b != d:
        a, c, b = a * d, c * b, b * d
    return (a + c if kind == "+" else a - c), b


def _reified(polynomial: fmpz_mpoly) -> str:
    words = []
    for exponents, coefficient in polynomial.to_dict().items():
        unknowns = [str(number) for number, power in enumerate(exponents) for _ in range(int(power))]
        words.append(f"M ({int(coefficient)}) {listed(unknowns)}")
    return listed(words)
