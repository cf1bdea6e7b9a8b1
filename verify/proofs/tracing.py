"""A statement as a programme: evaluated once, at a point, on numbers that write down how they were computed.

The programme is a list of additions, multiplications, divisions and roots. It computes the same as the statement wherever the
questions that were asked on the way (is this zero, is that larger) have the same answers: on the *cell* of the point.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import operator
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np
from flint import arb, fmpq, fmpz

from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.variables import Sizes, call_with
from verify.numbers.arithmetic import Array, exp, fraction, log, power, precision, sqrt
from verify.numbers.exactness import ExactNumber, exact_evaluation
from verify.numbers.relation import Relation
from verify.proofs.certificate import Deadline, NotProved
from verify.proofs.errors import ended, errors_met

BITS = 512
"""Precision of the balls that stand for roots at the point."""
NOT_ZERO = 2
"""The sign of a number of which a proof needs only that it is not zero."""
PRIME = 2**127 - 1
"""Modulo it numbers are recognised that are the same, which the proof must show."""
SMALL = 2**40
"""Largest numerator and denominator of a ratio that is recognised."""
MOST_ROOTS = 12
"""Roots that are looked at for one that is a multiple of a product of them."""
LONGEST = 200_000
"""Most operations of a programme."""


class NoProgramme(ArithmeticError):
    """What is computed is no programme: it depends on a float, or on something that has no name here."""


class Vanishing(ZeroDivisionError):
    """A division fails that was told to: what a statement does where a divisor vanishes."""


@dataclass
class Tape:
    """The operations so far: each is a tuple of its kind and what it takes; equal ones are one.

    Attributes
    ----------
    choosing
        Whether a choice by a sign is an operation, of which all outcomes are proved; else its answer belongs to the cell.
    operations, values
        The operations, and their results at the point: rationals, or balls where roots are not.
    signs
        Signs that were asked for, by operation: -1, 0 or 1, or `NOT_ZERO` where nothing else was asked.
    same
        Results that must be zero, because a question about one number was taken for that about another.
    roots
        Numbers and their square roots.
    radicands, real
        Numbers of which a root is taken, and those that are known not to be negative: discriminants of real eigenvalues.
    fails
        Which division, counted from 0, fails as one by zero does; none if it is negative.
    refused
        What a number was asked that it does not answer; a statement that catches the error goes another way than elsewhere.
    """

    deadline: Deadline
    choosing: bool
    operations: list[tuple[Any, ...]] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    signs: dict[int, int] = field(default_factory=dict)
    same: list[int] = field(default_factory=list)
    radicands: list[int] = field(default_factory=list)
    real: set[int] = field(default_factory=set)
    fails: int = -1
    divisions: int = 0
    refused: str = ""
    _places: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _residues: list[int | None] = field(default_factory=list)
    roots: list[tuple[int, int]] = field(default_factory=list)
    _asked_of: list[int] = field(default_factory=list)
    _squares: dict[int, int] = field(default_factory=dict)
    _squared: int = 0

    def refusal(self, why: str) -> NoProgramme:
        """The error to raise, which is kept."""
        self.refused = self.refused or why
        return NoProgramme(why)

    def number(self, operation: tuple[Any, ...], value: Any) -> Traced:
        """The result of an operation."""
        place = self._places.get(operation)
        if place is None:
            if len(self.operations) >= LONGEST:
                raise self.refusal(f"it takes more than {LONGEST} operations")
            if len(self.operations) % 1024 == 0 and not self.deadline.left():
                raise self.refusal("the time is over")  # kept: the statement may catch it
            place = self._places[operation] = len(self.operations)
            self.operations.append(operation)
            self.values.append(value)
        return Traced(self, place)

    def constant(self, value: Any) -> Traced:
        """A rational constant."""
        value = fmpq(value)
        return self.number(("q", value), value)

    def sign(self, place: int) -> int:
        """The sign of a result at the point, which is a condition of the cell unless it is a constant."""
        return self._asked(place, order=True)

    def is_zero(self, place: int) -> bool:
        """Whether a result is zero at the point; a condition of the cell, too."""
        return self._asked(place, order=False) == 0

    def _asked(self, place: int, *, order: bool) -> int:
        place, opposite = self.question(place)
        sign = self.sign_at_the_point(place)
        if self.operations[place][0] != "q" and self.signs.get(place, NOT_ZERO) == NOT_ZERO:
            self.signs[place] = sign if order or not sign else NOT_ZERO
        return -sign if opposite else sign

    def sign_at_the_point(self, place: int) -> int:
        """The sign of a result at the point; nobody asked for it."""
        value = self.values[place]
        if isinstance(value, arb):
            # what cannot be told from zero is taken for zero; the proof must show that it is
            return 0 if value.contains(0) else 1 if arb(value) > 0 else -1
        return int(value > 0) - int(value < 0)

    def question(self, place: int) -> tuple[int, bool]:
        """The number of which the same was asked before, or its opposite, if there is one: it is a multiple of this one."""
        residue = self.residue(place)
        if not residue:
            return place, False
        for first in self._asked_of:
            ratio = small_rational(residue * pow(self.residue(first) or 1, -1, PRIME))
            if first == place or ratio is None:
                continue
            multiple = _computed("*", self.constant(ratio), Traced(self, first))
            self.same.append(_computed("-", Traced(self, place), multiple).place)
            return first, bool(ratio < 0)
        self._asked_of.append(place)
        return place, False

    def squares(self) -> dict[int, int]:
        """The results so far, by the residues of their squares."""
        if self.operations:
            self.residue(len(self.operations) - 1)
        for place in range(self._squared, len(self.operations)):
            residue = self._residues[place]
            if residue:
                self._squares.setdefault(residue * residue % PRIME, place)
        self._squared = len(self.operations)
        return self._squares

    def residue(self, place: int) -> int | None:
        """A result at a random point modulo a prime; None where a root is in it that is none there."""
        for here in range(len(self._residues), place + 1):
            self._residues.append(self._residue(*self.operations[here]))
        return self._residues[place]

    def _residue(self, kind: str, *operands: Any) -> int | None:
        if kind in "xg":
            return int.from_bytes(hashlib.sha256(repr(operands).encode()).digest(), "big") % PRIME
        if kind == "q":
            return int(operands[0].p) * pow(int(operands[0].q), -1, PRIME) % PRIME
        known = [residue for operand in operands if (residue := self._residues[operand]) is not None]
        if len(known) < len(operands) or (kind == "r" and len(known) != 2):
            return None
        if kind == "?":  # one of three numbers, together
            return int.from_bytes(hashlib.sha256(repr(known).encode()).digest(), "big") % PRIME
        a, b = known
        if kind == "/":
            inverse: int = pow(b, -1, PRIME) if b else 0
            return a * inverse % PRIME if b else None
        if kind == "r":  # of t^2 + b t + a
            discriminant = (b * b - 4 * a) % PRIME
            root = int(pow(discriminant, (PRIME + 1) // 4, PRIME))
            return (root - b) * (PRIME + 1) // 2 % PRIME if root * root % PRIME == discriminant else None
        return int(a + b if kind == "+" else a - b if kind == "-" else a * b) % PRIME

    def largest_root(self, coefficients: list[Traced], value: Any) -> Traced:
        """The largest real root of ``t^n + ... + c_1 t + c_0``; `value` is what it is at the point."""
        return self.number(("r", *(coefficient.place for coefficient in coefficients)), value)


def small_rational(residue: int) -> fmpq | None:
    """The rational with this residue modulo `PRIME` whose numerator and denominator are small, if there is one."""
    a, b = PRIME, residue % PRIME
    s, t = 0, 1
    while b > SMALL:
        quotient = a // b
        a, b, s, t = b, a - quotient * b, t, s - quotient * t
    return fmpq(b, t) if 0 < abs(t) <= SMALL else None


class Traced(ExactNumber):
    """A number that depends on the coordinates: the result of an operation on a tape.

    Floats, balls and FLINT's matrices do not take it, so that no dependence is lost.

    Raises
    ------
    NoProgramme
        It is taken as a float, or its parts are asked for.
    """

    __slots__ = ("place", "tape")

    def __init__(self, tape: Tape, place: int) -> None:
        self.tape, self.place = tape, place

    @property
    def value(self) -> Any:
        """Its value at the point."""
        return self.tape.values[self.place]

    @property
    def constant(self) -> fmpq | None:
        """The rational that it is at every point; None if it depends on the coordinates."""
        kind, *operands = self.tape.operations[self.place]
        return operands[0] if kind == "q" else None

    def __add__(self, other: Any) -> Any:
        return self._with(other, "+")

    def __sub__(self, other: Any) -> Any:
        return self._with(other, "-")

    def __mul__(self, other: Any) -> Any:
        return self._with(other, "*")

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, "/")

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, "-", reflected=True)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, "/", reflected=True)

    __radd__, __rmul__ = __add__, __mul__

    def _with(self, other: Any, kind: str, *, reflected: bool = False) -> Any:
        tape = self.tape
        if isinstance(other, int | np.integer | np.bool_):
            other = tape.constant(int(other))
        elif isinstance(other, fmpq | fmpz):
            other = tape.constant(other)
        elif not isinstance(other, Traced):
            if not isinstance(other, np.ndarray | str | None):  # those of other packages compare with rationals
                tape.refusal(f"a number that depends on the coordinates meets {type(other).__name__}")
            return NotImplemented
        return _computed(kind, other, self) if reflected else _computed(kind, self, other)

    def __neg__(self) -> Any:
        return self.__rsub__(0)

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Any:
        return self.choose(self, -self)

    def choose(self, nonnegative: Any, negative: Any) -> Any:
        """The first where this number is not negative, else the second."""
        tape = self.tape
        if not tape.choosing or self.constant is not None:
            return nonnegative if tape.sign(self.place) >= 0 else negative
        chosen = [slope if isinstance(slope, Traced) else tape.constant(slope) for slope in (nonnegative, negative)]
        value = chosen[0 if tape.sign_at_the_point(self.place) >= 0 else 1].value
        question, opposite = self.place, False
        known, contrary = tape.question(self.place)
        if not contrary:
            question = known
        elif (residue := tape.residue(known)) and (gap := tape.residue((chosen[0] - chosen[1]).place)) is not None:
            # the opposite question has the same answer, but for zero, where the two numbers must be one
            ratio = small_rational(gap * pow(residue, -1, PRIME))
            if ratio is not None:
                multiple = _computed("*", tape.constant(ratio), Traced(tape, known))
                tape.same.append(_computed("-", chosen[0] - chosen[1], multiple).place)
                question, opposite = known, True
        if opposite:
            chosen.reverse()
        if chosen[0].place == chosen[1].place:
            return chosen[0]
        return tape.number(("?", question, chosen[0].place, chosen[1].place), value)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Traced) and exponent.constant is not None:
            exponent = exponent.constant
        if isinstance(exponent, fmpq) and exponent.q == 1:
            exponent = int(exponent.p)
        if not isinstance(exponent, int | np.integer | fmpz):
            if isinstance(exponent, fmpq):
                return self.power(fraction(exponent))
            raise self.tape.refusal("a power has an exponent that is no integer")
        exponent = int(exponent)
        if exponent < 0:
            return (self**-exponent).__rtruediv__(1)
        result: Any = self.tape.constant(1)
        square = self
        while exponent:
            if exponent % 2:
                result = result * square
            exponent //= 2
            square = square * square if exponent else square
        return result

    def power(self, exponent: Fraction) -> Any:
        """A power with a rational exponent, of a number that is not negative."""
        if exponent.denominator == 1:
            return self ** int(exponent)
        return self.nth_root(exponent.denominator) ** exponent.numerator

    def sqrt(self) -> Any:
        """The square root that is not negative, from roots that are there already where that is possible."""
        kind, *operands = self.tape.operations[self.place]
        if kind == "*" and operands[0] == operands[1]:
            return abs(Traced(self.tape, operands[0]))
        known = _known_root(self)
        return self.nth_root(2) if known is None else known

    def nth_root(self, degree: int) -> Any:
        """The root of this degree that is not negative."""
        sign = self.tape.sign_at_the_point(self.place)
        if sign < 0:
            raise self.tape.refusal("a root is taken of a negative number")
        if sign == 0 and self.tape.is_zero(self.place):
            return self.tape.constant(0)
        zero = self.tape.constant(0)
        if self.place not in self.tape.real:
            self.tape.radicands.append(self.place)
        with precision(BITS):
            root = sqrt(self.value).item() if degree == 2 else power(self.value, Fraction(1, degree)).item()
        root_ = self.tape.largest_root([-self, *[zero] * (degree - 1)], root)
        if degree == 2 and (self.place, root_.place) not in self.tape.roots:
            self.tape.roots.append((self.place, root_.place))
        return root_

    def function(self, name: str, value: Any) -> Traced:
        """The value of a function of it of which nothing else is used."""
        return self.tape.number(("g", name, self.place), value)

    def log(self) -> Any:
        """The natural logarithm: of a product the sum of logarithms, and so on."""
        tape = self.tape
        if tape.sign(self.place) <= 0:
            raise tape.refusal("a logarithm is taken of a number that is not positive")
        kind, *operands = tape.operations[self.place]
        if self.constant == 1:
            return tape.constant(0)
        if kind == "g" and operands[0] == "exp":
            return Traced(tape, operands[1])
        if kind in "*/":
            first, second = (Traced(tape, operand) for operand in operands)
            if tape.sign(first.place) < 0:
                first, second = -first, -second
            return first.log() + second.log() if kind == "*" else first.log() - second.log()
        if kind == "r" and all(Traced(tape, operand).constant == 0 for operand in operands[1:]):
            return (-Traced(tape, operands[0])).log() / len(operands)
        with precision(BITS):
            return self.function("log", log(self.value).item())

    def exp(self) -> Any:
        """The exponential: of a sum the product of exponentials, and so on."""
        tape = self.tape
        kind, *operands = tape.operations[self.place]
        if self.constant == 0:
            return tape.constant(1)
        if kind == "g" and operands[0] == "log":
            return Traced(tape, operands[1])
        if kind in "+-":
            first, second = (Traced(tape, operand).exp() for operand in operands)
            return first * second if kind == "+" else first / second
        for factor, other in (operands, operands[::-1]) if kind == "*" else ():
            if (times := Traced(tape, factor).constant) is not None and times.q == 1:
                return Traced(tape, other).exp() ** int(times.p)
        with precision(BITS):
            return self.function("exp", exp(self.value).item())

    def __eq__(self, other: object) -> bool:
        difference: Any = self.__sub__(other)
        return difference is not NotImplemented and self.tape.is_zero(difference.place)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return not self.tape.is_zero(self.place)

    def _compared(self, other: Any, answers: tuple[int, ...]) -> Any:
        difference = self.__sub__(other)
        return NotImplemented if difference is NotImplemented else self.tape.sign(difference.place) in answers

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, (-1,))

    def __le__(self, other: Any) -> Any:
        return self._compared(other, (-1, 0))

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, (1,))

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, (1, 0))

    def analytic(self, name: str) -> Any:
        """Of sines and their like nothing is known."""
        raise self.tape.refusal(f"{name} is asked of a number that depends on the coordinates")

    def told_apart(self, name: str) -> None:
        """Keep what is asked, by isinstance, match and singledispatch, too."""
        what = "its type" if name == "__class__" else name
        self.tape.refusal(f"a number that depends on the coordinates is asked for {what}")

    def __getattr__(self, name: str) -> Any:
        if not hasattr(fmpq, name) and (name.startswith("_") or name in ("dtype", "ndim", "shape")):
            raise AttributeError(name)  # what libraries ask of everything, and rationals do not have
        if self.constant is not None:
            return getattr(self.constant, name)
        # the parts of a rational, which do not know what they depend on
        raise self.tape.refusal(f"{name} is asked of a number that depends on the coordinates")

    def __int__(self) -> int:
        if self.constant is not None:
            return int(self.constant)
        raise self.tape.refusal("a number that depends on the coordinates is taken for an integer")

    def __float__(self) -> float:
        if self.constant is not None:
            return float(fraction(self.constant))
        raise self.tape.refusal("a number that depends on the coordinates is taken for a float")

    def _undecided(self, *_: object) -> Any:
        raise self.tape.refusal("a number that depends on the coordinates is rounded")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self  # what is asked of a copy is asked of it

    def _unseen(self, *_: object) -> Any:
        raise self.tape.refusal("a number that depends on the coordinates is taken as a text, or for a key")

    __round__ = __floor__ = __ceil__ = __trunc__ = __floordiv__ = __rfloordiv__ = __rpow__ = __invert__ = _undecided
    # of the point, at which numbers are equal or not that are not elsewhere
    __hash__ = __repr__ = __format__ = __reduce_ex__ = _unseen


_PLAIN = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def _known_root(number: Traced) -> Any:
    """The square root of a number that is the square of another one times numbers whose roots are there; None if it is not.

    That it is so is recognised by residues, and the proof must show it.
    """
    tape = number.tape
    residue = tape.residue(number.place)
    if not residue or tape.sign_at_the_point(number.place) <= 0:
        return None
    squares = tape.squares()
    known = tape.roots[-MOST_ROOTS:]
    for chosen in itertools.chain([()], itertools.combinations(known, 1), itertools.combinations(known, 2)):
        inside = [tape.residue(radicand) for radicand, _ in chosen]
        if None in inside:
            continue
        remaining = residue * pow(math.prod(map(int, filter(None, inside))), -1, PRIME) % PRIME
        ratio = small_rational(remaining)
        factor: Any
        if ratio is not None and ratio > 0 and isinstance(root := sqrt(ratio).item(), fmpq):
            factor = tape.constant(root)
        elif remaining in squares:
            factor = Traced(tape, squares[remaining])
            factor = factor if any(factor.place == root for _, root in tape.roots) else abs(factor)
        elif (inverse := pow(remaining, -1, PRIME)) in squares and not tape.is_zero(squares[inverse]):
            factor = 1 / abs(Traced(tape, squares[inverse]))
        else:
            continue
        product = factor * factor
        for radicand, root in chosen:
            product, factor = product * Traced(tape, radicand), factor * Traced(tape, root)
        tape.same.append((number - product).place)
        return factor
    return None


def _computed(kind: str, left: Traced, right: Traced) -> Traced:
    short = _short(kind, left, right)
    if short is not None:
        return short
    a, b = left.value, right.value
    if kind == "/" and right.constant is None:
        tape = left.tape
        tape.divisions += 1
        if tape.divisions - 1 == tape.fails:
            raise Vanishing("a division by zero")
    with precision(BITS):
        # plain balls: division by one that holds zero is no number, and no error
        value = _PLAIN[kind](arb(a), arb(b)) if isinstance(a, arb) or isinstance(b, arb) else _PLAIN[kind](a, b)
    if left.constant is not None and right.constant is not None:
        return left.tape.constant(value)
    first, second = left.place, right.place
    if kind in "+*" and first > second:
        first, second = second, first
    return left.tape.number((kind, first, second), value)


def _short(kind: str, left: Traced, right: Traced) -> Traced | None:
    """What needs no operation: sums with zero, products with zero and one, differences of a number with itself."""
    a, b = left.constant, right.constant
    if kind == "+":
        return right if a == 0 else left if b == 0 else None
    if kind == "-":
        before, *operands = right.tape.operations[right.place]
        if a == 0 and before == "-":  # the opposite of a difference
            return _computed("-", Traced(right.tape, operands[1]), Traced(right.tape, operands[0]))
        return left if b == 0 else left.tape.constant(0) if left.place == right.place else None
    if kind == "*":
        if a == 0 or b == 1:
            return left
        if b == 0 or a == 1:
            return right
        (c, first), (d, second) = _split(left), _split(right)
        # constants stand before products, so that a square is seen to be one
        return (
            None if (c is None and d is None) or first is None or second is None else (first * second) * ((c or 1) * (d or 1))
        )
    if b == 0:
        raise ZeroDivisionError("a division by zero")
    return left if b == 1 or (a == 0 and b is not None) else None


def _split(number: Traced) -> tuple[fmpq | None, Any]:
    """The constant factor of a product, if it has one, and the other."""
    kind, *operands = number.tape.operations[number.place]
    for first, other in (operands, operands[::-1]) if kind == "*" else ():
        constant = Traced(number.tape, first).constant
        if constant is not None:
            return constant, Traced(number.tape, other)
    return None, None if kind == "q" else number


@dataclass(frozen=True)
class Trace:
    """What a statement computes on the cell of a point.

    Attributes
    ----------
    operations
        What is computed from the coordinates, in order; see `Tape`.
    senses, differences
        For every entry of every comparison, how it compares, and the left side minus the right one, as the number of an
        operation.
    same
        Operations whose results must be zero, because two numbers were taken for one.
    radicands
        Operations whose results must not be negative: roots are taken of them.
    signs
        The conditions of the cell: signs by operation.
    trivial
        Whether zero is compared with zero, and nothing else.
    constant
        Whether numbers are compared that do not depend on the coordinates, and nothing was asked of what does.
    divisions
        How many there were by what depends on the coordinates.
    """

    operations: tuple[tuple[Any, ...], ...]
    senses: tuple[str, ...]
    differences: tuple[int, ...]
    same: tuple[int, ...]
    radicands: tuple[int, ...]
    signs: Mapping[int, int]
    trivial: bool
    constant: bool
    divisions: int


def trace(
    claim: Claim,
    sizes: Sizes,
    point: Mapping[str, Array],
    deadline: Deadline,
    *,
    choosing: bool,
    fixed: Collection[str] = (),
    fails: int = -1,
) -> Trace:
    """What the statement of a claim computes near a point with rational coordinates; those that are `fixed` are constants.

    Raises
    ------
    NotProved
        It does something that is no programme.
    Vanishing
        The division with the number `fails` fails, and the statement with it.
    """
    tape = Tape(deadline, choosing, fails=fails)
    inputs = {name: values if name in fixed else _inputs(tape, name, values) for name, values in point.items()}
    try:
        with exact_evaluation(), precision(BITS), errors_met() as met:
            relation = call_with(claim.statement, claim.domain.build(Sample(sizes, inputs)[None]))
            if not isinstance(relation, Relation):
                raise NotProved("it is no relation")
            senses, differences, trivial, constant = [], [], True, True
            for comparison in relation.comparisons:
                for left, right in zip(
                    *(side.flat for side in np.broadcast_arrays(comparison.left, comparison.right)), strict=True
                ):
                    senses.append(comparison.sense)
                    sides = _side(tape, left), _side(tape, right)
                    differences.append((sides[0] - sides[1]).place)
                    trivial = trivial and all(tape.residue(side.place) == 0 for side in sides)
                    constant = constant and all(side.constant is not None for side in sides)
            if (over := ended(met)) is not None:
                raise NotProved(f"it goes on after {type(over).__name__}: {over}")
    except (NotProved, Vanishing):
        raise
    except Exception as error:  # a statement that takes rationals may do anything with what is none
        raise NotProved(f"it is no programme of its coordinates: {tape.refused or error}") from error
    if tape.refused:
        raise NotProved(f"it is no programme of its coordinates: {tape.refused}")
    return Trace(
        tuple(tape.operations),
        tuple(senses),
        tuple(differences),
        tuple(tape.same),
        tuple(dict.fromkeys(tape.radicands)),
        dict(tape.signs),
        trivial,
        constant and not tape.signs,
        tape.divisions,
    )


def _inputs(tape: Tape, name: str, values: Array) -> Array:
    result = np.empty(values.shape, dtype=object)
    for index in np.ndindex(values.shape):
        result[index] = tape.number(("x", name, *index), values[index])
    return result


def _side(tape: Tape, entry: Any) -> Traced:
    if isinstance(entry, Traced):
        return entry
    if isinstance(entry, fmpq | int):
        return tape.constant(entry)
    raise tape.refusal(f"a side is no programme, but {type(entry).__name__}")
