"""Taylor's formula for an exponential, whose remainder has a known sign: what polynomials follow from it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mpoly

from verify.proofs.certificate import NotProved
from verify.proofs.expressions import UNKNOWNS, Assumption, Path

HIGHEST = 12
"""Of orders and powers."""


@dataclass(frozen=True)
class Fact:
    r"""That a polynomial is not negative, by Taylor's formula for :math:`w = e^t` up to the order n.

    The polynomial is :math:`w - \sum_{j \le n} t^j/j!`, or (`rest`) :math:`\sum_{j < n} t^j/j! + w t^n/n! - w`. For an odd n
    neither is negative anywhere; for an even n neither is for :math:`t \ge 0`, and both are at most zero for
    :math:`t \le 0`, where the opposite is meant.

    Attributes
    ----------
    factors
        Of w: for each the number of a logarithm or an exponential among the unknowns of the path, the number of a root of what
        the logarithm is taken of if w has a power of that (or else -1), and the power.
    order
        n.
    rest
        Whether the second polynomial is meant.
    side
        Of an even order, the assumption that shows the sign of t; else -1.
    """

    factors: tuple[tuple[int, int, int], ...]
    order: int
    rest: bool
    side: int

    def text(self) -> list[Any]:
        """For a certificate."""
        return [[list(factor) for factor in self.factors], self.order, self.rest, self.side]

    def polynomial(self, path: Path, defined: Sequence[Any], known: Sequence[Assumption]) -> fmpq_mpoly:
        """The polynomial.

        Raises
        ------
        NotProved
            The numbers name nothing of the kind.
        """
        if not all(
            type(number) is int and 1 <= number <= HIGHEST for number in (self.order, *(power for _, _, power in self.factors))
        ):
            raise NotProved("Taylor's formula is taken to no order")
        t, w = path.constant(0), path.constant(1)
        for number, root, power in self.factors:
            base, degree, logarithm = _exponential(path, defined, number, root)
            t, w = t + logarithm * fmpq(power, degree), w * base**power
        terms = [t**j / math.factorial(j) for j in range(self.order + 1)]
        below = sum(terms[: -1 if self.rest else None], path.constant(0))
        value = below + w * terms[-1] - w if self.rest else w - below
        if self.order % 2:
            return value
        sign = 0
        if type(self.side) is int and 0 <= self.side < len(known) and not known[self.side].equal:
            (number, root, _), *more = self.factors
            base = w if more else _exponential(path, defined, number, root)[0]
            sign = next((s for polynomial in (base - 1, t) if (s := _ratio(known[self.side].polynomial, polynomial))), 0)
        if not sign:
            raise NotProved("the sign of an exponent is not assumed")
        return sign * value


def _exponential(path: Path, defined: Sequence[Any], number: Any, root: Any) -> tuple[fmpq_mpoly, int, fmpq_mpoly]:
    """Something, a number, and the logarithm of its power with this exponent."""
    if not (type(number) is int and 0 <= number < len(defined)) or defined[number][:1] not in (("log",), ("exp",)):
        raise NotProved("an unknown is no logarithm and no exponential")
    kind, inside = defined[number]
    unknown = path.context.gens()[UNKNOWNS - 1 - number]
    if kind == "exp":
        return unknown, 1, inside
    if type(root) is int and root == -1:
        return inside, 1, unknown
    if not (type(root) is int and 0 <= root < len(defined)):
        raise NotProved("an unknown is no root")
    name, *words = defined[root] or ("",)
    if name != "root" or words[1] != inside:
        raise NotProved("an unknown is no root of what a logarithm is taken of")
    return path.context.gens()[UNKNOWNS - 1 - root], words[0], unknown


def _ratio(numerator: fmpq_mpoly, denominator: fmpq_mpoly) -> int:
    """The sign of the constant by which two polynomials differ; 0 if they differ otherwise."""
    if numerator.is_zero() or denominator.is_zero() or numerator.is_constant():
        return 0
    ratio = numerator.leading_coefficient() / denominator.leading_coefficient()
    return (1 if ratio > 0 else -1) if numerator == ratio * denominator else 0


def facts(path: Path, target: fmpq_mpoly) -> Iterator[Fact]:
    """What Taylor's formula says of the logarithms and exponentials in a polynomial, for its monomials and up to its order."""
    degrees = target.degrees()
    factors: dict[int, tuple[int, int]] = {}  # by the place of the unknown that w has a power of
    every: set[tuple[tuple[int, int, int], ...]] = set()
    order = 0
    for number, definition in enumerate(path.defined):
        place = UNKNOWNS - 1 - number
        if definition[:1] not in (("log",), ("exp",)) or not degrees[place]:
            continue
        kind, inside = definition
        order = max(order, int(degrees[place]) if kind == "log" else int(target.total_degree()))
        if kind == "exp":
            factors[place] = (number, -1)
            continue
        base = _generator(inside)
        if base is None:
            every.add(((number, -1, 1),))
        else:
            factors[base] = (number, -1)
        for k, unknown in enumerate(path.defined):
            if unknown[:1] == ("root",) and unknown[2] == inside:
                factors[UNKNOWNS - 1 - k] = (number, k)
    for exponents in target.to_dict():
        chosen = tuple((*factors[place], int(power)) for place, power in enumerate(exponents) if power and place in factors)
        if chosen and max(power for _, _, power in chosen) <= HIGHEST:
            every.add(chosen)
            every.update((factor,) for factor in chosen)
    for chosen, n, rest in itertools.product(sorted(every), range(1, min(order + 1, HIGHEST) + 1), (False, True)):
        for side in (-1,) if n % 2 else range(len(path.assumptions)):
            fact = Fact(chosen, n, rest, side)
            try:
                fact.polynomial(path, path.defined, path.assumptions)
            except NotProved:
                continue
            yield fact
            break


def _generator(polynomial: fmpq_mpoly) -> int | None:
    """The place of the unknown that a polynomial is a multiple of."""
    degrees = [int(degree) for degree in polynomial.degrees()]
    return degrees.index(1) if sum(degrees) == 1 and len(polynomial) == 1 else None
