"""Rational functions of the coordinates, as polynomials: a third kind of number behind a statement that was written for two.

A statement that asks for a sign is followed on both ways, one run each (see `verify.proofs.cells`); a square root or an
eigenvalue becomes a new unknown with what defines it. So a whole statement becomes a tree of questions, whose leaves compare
polynomials.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn, Self

import numpy as np
from flint import Ordering, arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpz

from verify.numbers.exactness import ExactNumber
from verify.proofs.matrices import TracedMatrix, TracedPolynomial
from verify.proofs.tracing import NoProgramme

UNKNOWNS = 24
"""Most roots and eigenvalues of one run."""
LARGEST_DEGREE = 40
"""A polynomial of a higher degree, or with more terms than `LARGEST`, is given up."""
LARGEST = 4000


class Fork(Exception):
    """A question that has not been answered yet."""

    def __init__(self, question: Question) -> None:
        super().__init__("a sign is not known")
        self.question = question


class Undefined(ArithmeticError):
    """The statement has no value here: a division by zero, or the root of a negative number."""


@dataclass(frozen=True)
class Question:
    """Whether a polynomial is positive, or (`zero`) whether it is zero."""

    polynomial: fmpq_mpoly
    zero: bool


@dataclass(frozen=True)
class Assumption:
    """What holds on the way to a leaf: a polynomial is positive (`strict`), not negative, or zero (`equal`)."""

    polynomial: fmpq_mpoly
    strict: bool = False
    equal: bool = False


@dataclass(frozen=True)
class Term:
    """A polynomial that is not negative: `weight` times a product of assumptions times a square."""

    weight: fmpq
    factors: tuple[int, ...]
    square: fmpq_mpoly


@dataclass
class Path:
    """One run of a statement: what is assumed, the answers that were chosen, and the unknowns that were introduced.

    Attributes
    ----------
    context, names
        Of the polynomials: first the unknowns in the reverse order of their introduction, then the coordinates.
    answers
        To the questions, in the order in which they are asked.
    assumptions
        Of the domain, the answers and the unknowns, in the order in which they came.
    questions, marks
        What was asked, and how many assumptions there were before the answer became one.
    roots, sums
        Unknowns by what they are roots of, and polynomials that are known as sums of terms.
    defined
        For each unknown what it is, in the order of their introduction: ``("root", degree, p)``, ``("log", p)``,
        ``("exp", p)``, ``("between", least, largest)``, or nothing for one of several eigenvalues.
    in_domain, given
        How many questions had been asked when the hypotheses were seen to hold (None before), and how much was assumed.
    rules
        Equalities with their leading monomials, by which polynomials are reduced.
    refused, gone
        What a number was asked that it does not answer, and which root or logarithm has no value here.
    fork
        The first question without an answer: a statement that catches the error goes on as if there were none.
    memory
        Shared by all runs of a statement: what was seen where.
    """

    context: fmpq_mpoly_ctx
    names: tuple[str, ...]
    answers: Sequence[bool]
    assumptions: list[Assumption] = field(default_factory=list)
    asked: int = 0
    unknowns: int = 0
    questions: list[Question] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    roots: dict[str, Any] = field(default_factory=dict)
    defined: list[tuple[Any, ...]] = field(default_factory=list)
    in_domain: int | None = None
    given: int = 0
    refused: str = ""
    gone: str = ""
    fork: Fork | None = None
    memory: dict[Any, Any] = field(default_factory=dict)
    sums: dict[str, list[Term]] = field(default_factory=dict)
    rules: list[tuple[tuple[int, ...], fmpq_mpoly]] = field(default_factory=list)
    _seen: dict[tuple[bool, str], bool] = field(default_factory=dict)

    def constant(self, value: Any) -> fmpq_mpoly:
        """A constant polynomial."""
        return self.context.constant(value)

    def refuse(self, why: str) -> NoReturn:
        """Raise `NoProgramme`, and keep it."""
        self.refused = why
        raise NoProgramme(why)

    def no_value(self, why: str) -> NoReturn:
        """Raise `Undefined`, and keep it: of rationals there is no error, but a number that is none."""
        self.gone = why
        raise Undefined(why)

    def assume(self, polynomial: fmpq_mpoly, *, strict: bool = False, equal: bool = False) -> None:
        """Add an assumption."""
        self.assumptions.append(Assumption(polynomial, strict, equal))
        if equal:
            (exponents, _), *_ = polynomial.terms()
            self.rules.append((tuple(map(int, exponents)), polynomial))
            self.rules.sort(key=lambda rule: rule[0], reverse=True)

    def positive(self, polynomial: fmpq_mpoly) -> bool:
        """Whether a polynomial is positive here."""
        known = self._place("positive", polynomial)
        if known not in self.memory:
            self.memory[known] = self._signs_of_factors(polynomial)
        remaining, weak = self.memory[known]
        if remaining.is_constant():
            return bool(remaining == 1) and not any(self.zero(factor) for factor in weak)
        return self._ask(Question(remaining, zero=False)) and not any(self.zero(factor) for factor in weak)

    def _place(self, kind: str, polynomial: fmpq_mpoly) -> tuple[Any, ...]:
        """Where a run stands, which another run with the same answers so far passes, too."""
        return kind, tuple(self.answers[: self.asked]), len(self.assumptions), str(polynomial)

    def _signs_of_factors(self, polynomial: fmpq_mpoly) -> tuple[fmpq_mpoly, list[fmpq_mpoly]]:
        """The product of the factors whose signs are not seen (or 1 or -1), and the factors that may be zero."""
        polynomial = self.reduced(polynomial)
        if polynomial.is_zero():
            return self.constant(-1), []
        if str(polynomial) in self.sums:
            return self.constant(1), [factor for factor, _ in polynomial.factor()[1]]
        content, factors = polynomial.factor()
        remaining = self.constant(1 if content > 0 else -1)
        weak = []
        for factor, power in factors:
            if power % 2 == 0:
                weak.append(factor)
                continue
            sign = self.sign(factor)
            if sign == 0:
                remaining = remaining * factor
                continue
            remaining = remaining if sign > 0 else -remaining
            if abs(sign) == 2:
                weak.append(factor)
        if not remaining.is_constant():
            for sign in (1, -1):
                if _summands(self, sign * remaining) is not None:  # the product is known as a whole
                    weak += [factor for factor, _ in remaining.factor()[1]]
                    return self.constant(sign), weak
        return remaining, weak

    def sign(self, polynomial: fmpq_mpoly) -> int:
        """1 or -1 for what is seen to be positive or negative, 2 or -2 if it may also be zero, 0 if nothing is seen."""
        for sign in (1, -1):
            product_ = nonnegative(self, sign * polynomial)
            if product_ is not None:
                return sign if is_strict(self, product_) else 2 * sign
        return 0

    def zero(self, polynomial: fmpq_mpoly) -> bool:
        """Whether a polynomial is zero here."""
        known = self._place("zero", polynomial)
        if known not in self.memory:
            polynomial = self.reduced(polynomial)
            self.memory[known] = (
                bool(polynomial.is_zero())
                if polynomial.is_constant()
                else [factor for factor, _ in polynomial.factor()[1] if not self._is_known_not_to_vanish(factor)]
            )
        remembered = self.memory[known]
        return remembered if isinstance(remembered, bool) else any(map(self._factor_is_zero, remembered))

    def _factor_is_zero(self, factor: fmpq_mpoly) -> bool:
        """Whether a factor is zero; of a root, whether that is of which it is one: an equation of coordinates, if possible."""
        radicand, _ = self.roots.get(f"root {factor}", (None, 0))
        return self._ask(Question(factor, zero=True)) if radicand is None else self.zero(radicand)

    def _is_known_not_to_vanish(self, factor: fmpq_mpoly) -> bool:
        return abs(self.sign(factor)) == 1 or any(
            assumption.strict and assumption.polynomial == factor * factor for assumption in self.assumptions
        )

    def _ask(self, question: Question) -> bool:
        key = (question.zero, str(question.polynomial))
        if key in self._seen:
            return self._seen[key]
        if self.asked == len(self.answers):
            self.fork = self.fork or Fork(question)
            raise self.fork
        answer = self.answers[self.asked]
        self.asked += 1
        self.questions.append(question)
        self.marks.append(len(self.assumptions))
        polynomial = question.polynomial
        if question.zero:
            self.assume(polynomial if answer else polynomial * polynomial, equal=answer, strict=not answer)
        else:
            self.assume(polynomial if answer else -polynomial, strict=answer)
        self._seen[key] = answer
        if answer and question.zero:
            self._identify()
        return answer

    def _identify(self) -> None:
        """Assume of roots, logarithms and exponentials of what has become equal that they are."""
        first: dict[tuple[str, ...], fmpq_mpoly] = {}
        for number, (kind, *words) in enumerate(definition or ("",) for definition in self.defined):
            if kind in ("root", "log", "exp"):
                unknown = self.context.gens()[UNKNOWNS - 1 - number]
                inside = self.reduced(words[-1])
                same = first.setdefault((kind, *map(str, words[:-1]), str(inside)), unknown)
                if kind == "root" and inside.is_zero():
                    same = inside
                if not self.reduced(unknown - same).is_zero():
                    self.assume(unknown - same, equal=True)

    def unknown(self, *definition: Any) -> fmpq_mpoly:
        """A new unknown, and what it is (see `defined`)."""
        if self.unknowns == UNKNOWNS:
            self.refuse(f"there are more than {UNKNOWNS} roots")
        self.unknowns += 1
        self.defined.append(definition)
        return self.context.gens()[UNKNOWNS - self.unknowns]

    def reduced(self, polynomial: fmpq_mpoly) -> fmpq_mpoly:
        """The remainder of the divisions by all equalities, in the lexicographic order; a linear map."""
        while self.rules:
            before = polynomial
            for _, relation in self.rules:
                polynomial = polynomial % relation
            if polynomial == before:
                break
        return polynomial

    def root(self, polynomial: fmpq_mpoly, degree: int) -> fmpq_mpoly:
        """The unknown t >= 0 with t^degree = polynomial; whether that is negative is asked, unless it is seen not to be.

        Raises
        ------
        Undefined
            It is negative here.
        """
        if self.positive(-polynomial):
            self.no_value("the root of a negative number")
        key = f"{degree} {polynomial}"
        if key not in self.roots:
            strict = is_strict(self, nonnegative(self, polynomial))
            unknown = self.unknown("root", degree, polynomial)
            self.assume(unknown, strict=strict)
            self.assume(unknown**degree - polynomial, equal=True)
            self.roots[key] = unknown
            self.roots[f"root {unknown}"] = (polynomial, degree)
            self.roots[f"of {polynomial}"] = (unknown, degree)
            if f"log {polynomial}" in self.roots:  # log t <= t - 1
                self.assume(degree * (unknown - 1) - self.roots[f"log {polynomial}"])
        return self.roots[key]

    def enclosed(self, number: arb, name: str = "") -> fmpq_mpoly:
        """A number that a ball holds: the rational that it is, or an unknown strictly between two rationals around the ball.

        One ball is one unknown, and so are balls of one `name`; others may hold other numbers, however alike they look.

        Raises
        ------
        NoProgramme
            The ball is wide.
        """
        if number.is_exact():
            return self.constant(arb.fmpq(number))
        key = f"ball {name or id(number)}"
        if key not in self.roots:
            plain = arb(number)  # whose comparisons are of plain balls
            if not plain.is_finite() or not arb(plain.rad()) < arb(2) ** -30:
                self.refuse("a number that depends on the coordinates meets a wide ball")
            scale = 2**48
            least = fmpq(fmpz_below((plain * scale).floor()) - 1, scale)
            largest = fmpq(fmpz_above((plain * scale).ceil()) + 1, scale)
            unknown = self.unknown("between", least, largest)
            self.assume(unknown - least, strict=True)
            self.assume(largest - unknown, strict=True)
            for sign, end in ((1, least), (-1, -largest)):
                if end >= 0:
                    self.assume(sign * unknown, strict=True)
            self.roots[key] = unknown
            self.roots[f"{key} itself"] = number  # no other ball may take its place in memory
        return self.roots[key]

    def logarithm(self, polynomial: fmpq_mpoly) -> fmpq_mpoly:
        """The logarithm of a polynomial that is positive: of its factors, by ``1 - 1/p <= log p <= p - 1``."""
        content, factors = self.reduced(polynomial).factor()
        total = self.constant(0)
        for prime, power in [*_primes(abs(content.p)), *((prime, -k) for prime, k in _primes(content.q))]:
            total = total + power * self.enclosed(arb(prime).log(), f"log {prime}")
        for factor, power in factors:
            sign = 1 if self.positive(factor) else -1
            total = total + power * self._logarithm_of_factor(sign * factor)
        return total

    def _logarithm_of_factor(self, factor: fmpq_mpoly) -> fmpq_mpoly:
        if f"root {factor}" in self.roots:
            inside, degree = self.roots[f"root {factor}"]
            return self.logarithm(inside) / degree
        key = f"log {factor}"
        if key not in self.roots:
            unknown = self.unknown("log", factor)
            self.assume(factor - 1 - unknown)
            self.assume(factor * unknown - factor + 1)
            if f"of {factor}" in self.roots:
                root, degree = self.roots[f"of {factor}"]
                self.assume(degree * (root - 1) - unknown)
            self.roots[key] = unknown
        return self.roots[key]

    def exponential(self, polynomial: fmpq_mpoly) -> fmpq_mpoly:
        """The exponential of a polynomial, by ``1 + p <= exp p`` and ``(1 - p) exp p <= 1``."""
        key = f"exp {polynomial}"
        if key not in self.roots:
            unknown = self.unknown("exp", polynomial)
            self.assume(unknown, strict=True)
            self.assume(unknown - 1 - polynomial)
            self.assume(1 - unknown + polynomial * unknown)
            self.roots[key] = unknown
        return self.roots[key]


def new_path(names: Sequence[str], answers: Sequence[bool], memory: dict[Any, Any] | None = None) -> Path:
    """A run with these names for the coordinates and these answers; `memory` is shared by the runs of a statement."""
    every = (*(f"root_{k}" for k in range(UNKNOWNS, 0, -1)), *names)
    return Path(fmpq_mpoly_ctx.get(every, Ordering.lex), every, answers, memory={} if memory is None else memory)


def is_strict(path: Path, terms: Sequence[Term] | None) -> bool:
    """Whether a sum of terms is positive: one of them is a positive constant times positive assumptions."""
    return terms is not None and any(
        term.square.is_constant() and all(path.assumptions[index].strict for index in term.factors) for term in terms
    )


def nonnegative(path: Path, polynomial: fmpq_mpoly) -> list[Term] | None:
    """Terms whose sum is `polynomial`, if that is seen without a search: by factors, signs of coefficients, or one square."""
    if polynomial.is_zero():
        return []
    if str(polynomial) in path.sums:
        return path.sums[str(polynomial)]
    content, factors = polynomial.factor()
    sign = 1 if content > 0 else -1
    product = [Term(abs(content), (), path.constant(1))]
    for factor, power in factors:
        if power > 1:
            half = factor ** (power // 2)
            product = _times(product, _squared(path, factor, power // 2, half))
        if power % 2:
            summands = _summands(path, factor)
            if summands is None:
                summands = _summands(path, -factor)
                sign = -sign
            if summands is None:
                return None
            product = _times(product, summands)
            if len(product) > 60:
                return None
    return product if sign == 1 else None


def _squared(path: Path, factor: fmpq_mpoly, half: int, value: fmpq_mpoly) -> list[Term]:
    """An even power of a factor: of a positive assumption, as a power of it, so that it is seen to be positive."""
    for index, assumption in enumerate(path.assumptions):
        if assumption.strict and not assumption.equal:
            for sign in (1, -1):
                if assumption.polynomial == sign * factor:
                    return [Term(fmpq(1), (index,) * (2 * half), path.constant(1))]
            if assumption.polynomial == factor * factor:
                return [Term(fmpq(1), (index,) * half, path.constant(1))]
    return [Term(fmpq(1), (), value)]


def _times(left: list[Term], right: list[Term]) -> list[Term]:
    return [Term(a.weight * b.weight, tuple(sorted(a.factors + b.factors)), a.square * b.square) for a in left for b in right]


def _summands(path: Path, polynomial: fmpq_mpoly) -> list[Term] | None:
    one = path.constant(1)
    lead = polynomial.leading_coefficient()
    monic = polynomial / lead
    weak: list[Term] | None = None
    for index, known in enumerate(path.assumptions):
        if known.equal or known.polynomial.leading_coefficient() * lead < 0:
            continue
        scale = known.polynomial.leading_coefficient()
        if known.polynomial == scale * monic:
            weak = [Term(lead / scale, (index,), one)]
            if known.strict:
                return weak
    if weak is not None:
        return weak
    return _by_coefficients(path, polynomial) or _shifted(path, polynomial)


def _by_coefficients(path: Path, polynomial: fmpq_mpoly) -> list[Term] | None:
    """Every monomial has a positive coefficient, and is a square times unknowns that are not negative."""
    bounds = _signed_variables(path)
    terms = []
    for exponents, coefficient in polynomial.to_dict().items():
        factors: list[int] = []
        square = path.constant(1)
        for place, exponent in enumerate(exponents):
            if not exponent:
                continue
            index, sign, strict = bounds.get(place, (-1, 1, False))
            if strict:
                factors += [index] * exponent
                coefficient = coefficient * sign**exponent
                continue
            if exponent % 2:
                if index < 0:
                    return None
                factors.append(index)
                coefficient = coefficient * sign
            square = square * path.context.gens()[place] ** (exponent // 2)
        if coefficient < 0:
            return None
        terms.append(Term(coefficient, tuple(factors), square))
    return terms


def _signed_variables(path: Path) -> dict[int, tuple[int, int, bool]]:
    bounds: dict[int, tuple[int, int, bool]] = {}
    for index, known in enumerate(path.assumptions):
        if known.equal or len(known.polynomial) != 1:
            continue
        (exponents, coefficient), *_ = known.polynomial.to_dict().items()
        places = [place for place, exponent in enumerate(exponents) if exponent]
        if len(places) == 1 and exponents[places[0]] == 1 and abs(coefficient) == 1:
            place = places[0]
            if place not in bounds or known.strict:
                bounds[place] = (index, 1 if coefficient > 0 else -1, known.strict)
    return bounds


def _shifted(path: Path, polynomial: fmpq_mpoly) -> list[Term] | None:
    """A polynomial of degree one in each bounded coordinate: a positive combination of products of its bounds."""
    if polynomial.total_degree() != 1:
        return None
    coefficients = {exponents.index(1) if 1 in exponents else -1: value for exponents, value in polynomial.to_dict().items()}
    constant = coefficients.pop(-1, fmpq(0))
    terms = []
    for place, value in coefficients.items():
        variable = path.context.gens()[place]
        for index, known in enumerate(path.assumptions):
            offset = known.polynomial - (variable if value > 0 else -variable)
            if not known.equal and offset.is_constant():
                terms.append(Term(abs(value), (index,), path.constant(1)))
                constant -= abs(value) * (offset.leading_coefficient() if not offset.is_zero() else 0)
                break
        else:
            return None
    if constant < 0:
        return None
    return [*terms, Term(constant, (), path.constant(1))] if constant > 0 else terms


def _primes(number: fmpz) -> list[tuple[int, int]]:
    return [(int(prime), int(power)) for prime, power in fmpz(number).factor() if prime != 1]


def fmpz_below(number: arb) -> fmpz:
    """The largest integer that is not above a ball of an integer."""
    return number.lower().floor().unique_fmpz()


def fmpz_above(number: arb) -> fmpz:
    """The least integer that is not below a ball of an integer."""
    return number.upper().ceil().unique_fmpz()


class Expression(ExactNumber):
    """A rational function of the coordinates and of the unknowns of a run."""

    __slots__ = ("bottom", "path", "top")

    def __init__(self, top: fmpq_mpoly, bottom: fmpq_mpoly, path: Path) -> None:
        self.top, self.bottom, self.path = top, bottom, path

    def _made(self, top: fmpq_mpoly, bottom: fmpq_mpoly) -> Expression:
        path = self.path
        top, bottom = path.reduced(top), path.reduced(bottom)
        if not bottom.is_constant():
            common = top.gcd(bottom)
            if not common.is_constant():
                top, bottom = top / common, bottom / common
        if bottom.is_constant():
            top, bottom = top / bottom.leading_coefficient(), path.constant(1)
        if max(len(top), len(bottom)) > LARGEST or max(top.total_degree(), bottom.total_degree()) > LARGEST_DEGREE:
            path.refuse("a polynomial becomes too large")
        return Expression(top, bottom, path)

    def _of(self, polynomial: fmpq_mpoly) -> Expression:
        return Expression(polynomial, self.path.constant(1), self.path)

    def _partner(self, other: Any) -> Expression | None:
        if isinstance(other, Expression):
            return other
        if isinstance(other, Fraction):
            other = fmpq(other.numerator, other.denominator)
        if isinstance(other, int | np.integer | np.bool_):
            other = fmpq(int(other))
        if isinstance(other, fmpq | fmpz):
            return self._of(self.path.constant(other))
        if isinstance(other, arb):
            return self._of(self.path.enclosed(other))
        if not isinstance(other, np.ndarray | str | None):  # those of other packages compare with rationals
            self.path.refused = f"a number that depends on the coordinates meets {type(other).__name__}"
        return None

    def _plus(self, other: Expression, sign: int) -> Expression:
        if self.bottom == other.bottom:
            return self._made(self.top + sign * other.top, self.bottom)
        return self._made(self.top * other.bottom + sign * other.top * self.bottom, self.bottom * other.bottom)

    def _times(self, other: Expression) -> Expression:
        return self._made(self.top * other.top, self.bottom * other.bottom)

    def _over(self, other: Expression) -> Expression:
        if self.path.zero(other.top):
            raise ZeroDivisionError("a denominator is zero")
        return self._made(self.top * other.bottom, self.bottom * other.top)

    __add__: Callable[[Any], Any]
    __sub__: Callable[[Any], Any]
    __mul__: Callable[[Any], Any]
    __truediv__: Callable[[Any], Any]
    __rtruediv__: Callable[[Any], Any]

    def __neg__(self) -> Expression:
        return Expression(-self.top, self.bottom, self.path)

    def __pos__(self) -> Expression:
        return self

    def __pow__(self, exponent: Any) -> Expression:
        if not isinstance(exponent, int | np.integer | fmpz):
            self.path.refuse("a power has an exponent that is no integer")
        exponent = int(exponent)
        if exponent < 0:
            inverse: Expression = 1 / self**-exponent
            return inverse
        if exponent * max(self.top.total_degree(), self.bottom.total_degree(), 0) > LARGEST_DEGREE:
            self.path.refuse("a polynomial becomes too large")
        return self._made(self.top**exponent, self.bottom**exponent)

    def _signed(self) -> fmpq_mpoly:
        """A polynomial with the sign of the number."""
        if self.bottom.is_constant():
            return self.top * self.bottom.leading_coefficient()
        for sign in (1, -1):
            if is_strict(self.path, nonnegative(self.path, sign * self.bottom)):
                return sign * self.top
        return self.top * self.bottom

    def __eq__(self, other: object) -> bool:
        difference: Any = self.__sub__(other)
        if difference is NotImplemented:
            return False
        return self.path.zero(difference.top)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def __gt__(self, other: Any) -> bool:
        return self.path.positive((self - other)._signed())

    def __lt__(self, other: Any) -> bool:
        return self.path.positive((other - self)._signed())

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __abs__(self) -> Expression:
        return self if self >= 0 else -self

    def root(self, degree: int) -> Expression:
        """The root of a number that is not negative, as an unknown; of a square, without one.

        Raises
        ------
        Undefined
            The number is negative.
        """
        if self < 0:
            self.path.no_value("the root of a negative number")
        path = self.path
        top = path.reduced(self.top * self.bottom ** (degree - 1))
        bottom = self.bottom
        if not bottom.is_constant() and not is_strict(path, nonnegative(path, bottom)) and bottom != 1:
            if degree % 2:
                path.refuse("the root of a quotient whose denominator may be negative")
            bottom = abs(Expression(bottom, path.constant(1), path)).top
        content, factors = top.factor() if not top.is_zero() else (fmpq(0), [])
        if degree % 2 == 0 and bottom == 1 and factors and all(power % 2 == 0 for _, power in factors):
            value, radicand = _root_of_rational(content, 2)
            if radicand == 1:  # the root of a square
                half = path.constant(value)
                for factor, power in factors:
                    half = half * factor ** (power // 2)
                size = abs(self._of(half))
                return size if degree == 2 else size.root(degree // 2)
        outside = path.constant(1)
        inside = path.constant(1)
        for factor, power in factors:
            if power // degree:
                part = Expression(factor, path.constant(1), path) ** (power // degree)
                outside = outside * (part if degree % 2 else abs(part)).top
            power, common = power % degree, math.gcd(power, degree)
            if power > 1 and path.sign(factor) > 0:  # the power of one root: there are fewer of them
                outside = outside * path.root(factor, degree // common) ** (power // common)
            else:
                inside = inside * factor**power
        value, radicand = _root_of_rational(content, degree)
        inside = inside * radicand
        if inside.is_zero() or (inside.is_constant() and inside == 1):
            root_ = path.constant(value)
        elif not path.positive(-inside):
            root_ = path.root(inside, degree) * value
        elif degree % 2:  # of two negative numbers
            root_ = -path.root(-inside, degree) * value
        else:  # what stands before it is zero
            root_ = path.constant(0)
        return self._made(outside * root_, bottom)

    def power(self, exponent: Fraction) -> Expression:
        """A rational power of a number that is not negative."""
        if exponent.denominator == 1:
            return self**exponent.numerator
        return self.root(exponent.denominator) ** exponent.numerator

    def sqrt(self) -> Expression:
        """The square root."""
        return self.root(2)

    def log(self) -> Expression:
        """The logarithm of a positive number, as a sum of unknowns.

        Raises
        ------
        Undefined
            The number is not positive.
        """
        if not self > 0:
            self.path.no_value("the logarithm of a number that is not positive")
        parts = [self.path.logarithm(self.top if self.path.positive(self.top) else -self.top)]
        if not self.bottom.is_constant():
            parts.append(self.path.logarithm(self.bottom if self.path.positive(self.bottom) else -self.bottom))
            return self._of(parts[0] - parts[1])
        return self._of(parts[0])

    def exp(self) -> Expression:
        """The exponential, as an unknown."""
        if not self.bottom.is_constant():
            self.path.refuse("the exponential of a quotient")
        content, factors = self.top.factor()
        if not factors:  # of a number
            return self._of(self.path.exponential(self.top))
        # the power of one exponential, so that those of multiples are not unknowns of their own
        multiple = int(content.p)
        return self._of(self.path.exponential(self.top / multiple)) ** multiple

    def choose(self, nonnegative: Any, negative: Any) -> Any:
        """The first where the number is not negative, else the second."""
        return nonnegative if self >= 0 else negative

    def analytic(self, name: str) -> Any:
        """Of sines and their like nothing is known."""
        self.path.refuse(f"{name} is asked of a number that depends on the coordinates")

    def told_apart(self, name: str) -> None:
        """Keep what is asked, by isinstance, match and singledispatch, too."""
        what = "its type" if name == "__class__" else name
        self.path.refused = f"a number that depends on the coordinates is asked for {what}"

    def __getattr__(self, name: str) -> Any:
        if not hasattr(fmpq, name) and (name.startswith("_") or name in ("dtype", "ndim", "shape")):
            raise AttributeError(name)  # what libraries ask of everything, and rationals do not have
        self.path.refuse(f"{name} is asked of a number that depends on the coordinates")

    def _undecided(self, *_: object) -> Any:
        self.path.refuse("a number that depends on the coordinates is taken as a float or an integer")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self  # what is asked of a copy is asked of it

    def _unseen(self, *_: object) -> Any:
        self.path.refuse("a number that depends on the coordinates is taken as a text, or for a key")

    __float__ = __int__ = __round__ = __floor__ = __ceil__ = __trunc__ = _undecided
    __floordiv__ = __rfloordiv__ = __rpow__ = __invert__ = _undecided
    # equal numbers have equal texts, which polynomials do not: a set of them has too many
    __hash__ = __repr__ = __format__ = __reduce_ex__ = _unseen


def _root_of_rational(value: fmpq, degree: int) -> tuple[fmpq, fmpq]:
    """`value` as ``a ** degree * b``, with a rational, and b free of small powers."""
    if value == 0:
        return fmpq(0), fmpq(0)
    if value < 0:
        return fmpq(1), value
    whole = int(value.p) * int(value.q) ** (degree - 1)
    outside, inside = 1, whole
    for prime in range(2, 1000):
        while inside % prime**degree == 0:
            inside //= prime**degree
            outside *= prime
    root = round(inside ** (1 / degree)) if inside < 2**50 else 0
    if root**degree == inside:
        outside, inside = outside * root, 1
    return fmpq(outside, int(value.q)), fmpq(inside)


def _operation(name: str, *, reflected: bool) -> Callable[[Expression, Any], Any]:
    def method(self: Expression, other: Any) -> Any:
        partner = self._partner(other)
        if partner is None:
            return NotImplemented
        left, right = (partner, self) if reflected else (self, partner)
        if name == "add":
            return left._plus(right, 1)
        if name == "sub":
            return left._plus(right, -1)
        return left._times(right) if name == "mul" else left._over(right)

    return method


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Expression, f"__{_name}__", _operation(_name, reflected=False))
    setattr(Expression, f"__r{_name}__", _operation(_name, reflected=True))


class ExpressionMatrix(TracedMatrix):
    """A matrix of rational functions, whose eigenvalues are unknowns with their elementary symmetric functions."""

    _of: ExpressionMatrix | None = None

    _root: ExpressionMatrix | None = None

    def transpose(self) -> ExpressionMatrix:
        result = self.of(self._array.T)
        result._of = self
        return result

    def __mul__(self, other: Any) -> ExpressionMatrix:
        result = self.of(super().__mul__(other)._array)
        # a product with the transpose, whose eigenvalues are squares
        if isinstance(other, ExpressionMatrix) and (other._of is self or self._of is other):
            result._root = self
        return result

    def charpoly(self) -> _Characteristic:
        """The characteristic polynomial."""
        return _Characteristic(self, super().charpoly().coeffs())

    def rank(self) -> int:
        """The rank; of quotients, where the squared singular values are rational, without pivots, which depend on a basis."""
        if any(isinstance(entry, Expression) and not entry.bottom.is_constant() for entry in self.entries()):
            known = self._rational_squares()
            if known is not None:
                return sum(expression != 0 for expression in known)
        return super().rank()

    def _rational_squares(self) -> list[Expression] | None:
        path = self._path()
        before = path.refused
        try:
            transpose = self.transpose()
            gram = self * transpose if self.nrows() <= self.ncols() else transpose * self
            return _rational_roots(path, gram._coefficients())
        except NoProgramme:  # a polynomial becomes too large; nobody depends on it
            path.refused = before
            return None

    def spectrum(self) -> list[Any]:
        """The eigenvalues, descending, of a matrix all of whose eigenvalues are real."""
        if self._root is not None:
            squares = [value * value for value in self._root._roots()]
            return squares + [fmpq(0)] * (self.nrows() - len(squares))
        return self._spectrum(squares=False)

    def _path(self) -> Path:
        path = next((entry.path for entry in self.entries() if isinstance(entry, Expression)), None)
        if path is None:
            raise NoProgramme("the spectrum of a constant matrix")
        return path

    def _roots(self) -> list[Any]:
        """The singular values."""
        transpose = self.transpose()
        gram = self * transpose if self.nrows() <= self.ncols() else transpose * self
        if _is_diagonal(gram) and self.nrows() == self.ncols() and _is_diagonal(self):
            return _sorted([abs(self[i, i]) for i in range(self.nrows())])
        if gram.nrows() == 1:
            path, total = self._path(), gram[0, 0]
            _remember_squares(path, total, self.entries())
            return [total.sqrt()]
        return gram._spectrum(squares=True)

    def _spectrum(self, *, squares: bool) -> list[Any]:
        """Eigenvalues, or (`squares`) the numbers of which they are the squares."""
        size, path = self.nrows(), self._path()
        if _is_diagonal(self) and not squares:
            return _sorted([self[i, i] for i in range(size)])
        coefficients = self._coefficients()
        known = _rational_roots(path, coefficients)
        if known is not None:
            return _sorted([factor.sqrt() for factor in known] if squares else known)
        if any(not coefficient.bottom.is_constant() for coefficient in coefficients):
            path.refuse("eigenvalues of a matrix whose entries are no polynomials")
        if not squares and not all(_is_zero(self[i, j] - self[j, i]) for i in range(size) for j in range(i)):
            path.refuse("eigenvalues of a matrix that is not symmetric, which need not be real")
        key = f"spectrum {squares} {[str(coefficient.top) for coefficient in coefficients]}"
        if key not in path.roots:
            path.roots[key] = _unknown_spectrum(path, [coefficient.top for coefficient in coefficients], squares=squares)
        return [Expression(root, path.constant(1), path) for root in path.roots[key]]

    def _coefficients(self) -> list[Expression]:
        path = self._path()
        return [
            coeff if isinstance(coeff, Expression) else Expression(path.constant(coeff), path.constant(1), path)
            for coeff in self.charpoly().coeffs()
        ]


class _Characteristic(TracedPolynomial):
    """A characteristic polynomial, whose roots are unknowns."""

    def __init__(self, matrix: ExpressionMatrix, coefficients: list[Any]) -> None:
        super().__init__(coefficients)
        self._matrix = matrix

    def factor(self) -> tuple[Any, list[tuple[TracedPolynomial, int]]]:
        """The linear factors, with how often each occurs."""
        return fmpq(1), [(TracedPolynomial([-value, fmpq(1)]), count) for value, count in _counted(self._matrix.spectrum())]


def _rational_roots(path: Path, coefficients: list[Expression]) -> list[Expression] | None:
    """The roots of a monic polynomial, where all of them are rational functions; None where one is not."""
    if path.unknowns == UNKNOWNS:
        return None
    variable = path.context.gens()[0]  # the last unknown, which nothing depends on yet
    common = path.constant(1)
    for coefficient in coefficients:
        common = common * coefficient.bottom / common.gcd(coefficient.bottom)
    total = path.constant(0)
    for degree, coefficient in enumerate(coefficients):
        total = total + coefficient.top * (common / coefficient.bottom) * variable**degree
    roots = []
    for factor, count in total.factor()[1]:
        if factor.degrees()[0] > 1:
            return None
        slope = factor.derivative(0)
        if not slope.is_zero():
            roots += [Expression(slope * variable - factor, slope, path)] * count
    return roots


def _unknown_spectrum(path: Path, coefficients: list[fmpq_mpoly], *, squares: bool) -> list[fmpq_mpoly]:
    """Unknowns x_1 >= ... >= x_n (of which the roots are the squares), by the divided differences of a polynomial."""
    size = len(coefficients) - 1
    unknowns = [path.unknown() for _ in range(size)][::-1]  # the first is eliminated first
    values = [unknown * unknown for unknown in unknowns] if squares else unknowns
    for larger, smaller in pairwise(unknowns):
        path.assume(larger - smaller)
    if squares:
        path.assume(unknowns[-1])
        for unknown in unknowns[:-1]:
            path.assume(unknown)
    for k in range(size, 0, -1):  # the divided difference over x_k, ..., x_n, of degree k in x_k
        relation = path.constant(0)
        for degree, coefficient in enumerate(coefficients):
            relation = relation + coefficient * _complete(values[k - 1 :], degree - (size - k), path)
        path.assume(relation, equal=True)
    return unknowns


def _complete(values: list[fmpq_mpoly], degree: int, path: Path) -> fmpq_mpoly:
    """The complete homogeneous symmetric polynomial."""
    if degree < 0:
        return path.constant(0)
    if len(values) == 1:
        return values[0] ** degree
    total = path.constant(0)
    for k in range(degree + 1):
        total = total + values[0] ** k * _complete(values[1:], degree - k, path)
    return total


def _is_diagonal(matrix: TracedMatrix) -> bool:
    """Whether all other entries are identically zero: no question."""
    return all(_is_zero(matrix[i, j]) for i in range(matrix.nrows()) for j in range(matrix.ncols()) if i != j)


def _is_zero(entry: Any) -> bool:
    return bool(entry.top.is_zero()) if isinstance(entry, Expression) else bool(entry == 0)


def _sorted(values: list[Any]) -> list[Any]:
    """In descending order, by exchanges, each of which is a question."""
    for end in range(len(values), 1, -1):
        for i in range(end - 1):
            if values[i] < values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]
    return values


def _counted(values: list[Any]) -> list[tuple[Any, int]]:
    counted: list[tuple[Any, int]] = []
    for value in values:
        if counted and counted[-1][0] == value:
            counted[-1] = (value, counted[-1][1] + 1)
        else:
            counted.append((value, 1))
    return counted


def _remember_squares(path: Path, total: Any, parts: Sequence[Any]) -> None:
    """That a number is a sum of squares, which is not seen in its expanded form."""
    tops = [part.top if isinstance(part, Expression) else path.constant(part) for part in parts]
    plain = all(not isinstance(expression, Expression) or expression.bottom.is_constant() for expression in (total, *parts))
    if isinstance(total, Expression) and plain:
        path.sums[str(total.top)] = [Term(fmpq(1), (), top) for top in tops if not top.is_zero()]


Expression.matrix = ExpressionMatrix


def coordinate_names(layout: Any, decided: Collection[str] = ()) -> list[str]:
    """Names of the coordinates, entry by entry, without those that are `decided` one by one."""
    names = []
    for name, coordinate in layout.items():
        if name not in decided:
            names += [f"{name}_{k}" for k in range(math.prod(coordinate.shape))]
    return [name.replace(".", "_") for name in names]
