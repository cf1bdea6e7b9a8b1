"""Polynomials as text: a mapping from monomials to rationals.

``{"": "1", "0 0 2": "-3/4"}`` is one minus three quarters of the square of unknown 0 times unknown 2. The coordinates come
first among the unknowns, then roots and eigenvalues as they were introduced.
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import fmpq, fmpq_mpoly

from verify.proofs.certificate import NotProved
from verify.proofs.expressions import UNKNOWNS, Path


def order(path: Path) -> list[int]:
    """For each unknown of the text, its place among the unknowns of a path."""
    return [*range(UNKNOWNS, len(path.names)), *range(UNKNOWNS - 1, -1, -1)]


def to_text(path: Path, polynomial: fmpq_mpoly) -> dict[str, str]:
    """A polynomial as text."""
    names = {place: number for number, place in enumerate(order(path))}
    result = {}
    for exponents, coefficient in polynomial.to_dict().items():
        unknowns = sorted(names[place] for place, e in enumerate(exponents) for _ in range(int(e)))
        result[" ".join(map(str, unknowns))] = str(coefficient)
    return result


def to_polynomial(path: Path, text: Mapping[str, str]) -> fmpq_mpoly:
    """The polynomial of a text.

    Raises
    ------
    NotProved
        It is no text of a polynomial.
    """
    places = order(path)
    terms: dict[tuple[int, ...], fmpq] = {}
    try:
        for monomial, coefficient in text.items():
            exponents = [0] * len(path.names)
            for place in monomial.split():
                if int(place) < 0:
                    raise ValueError("an unknown has a negative number")
                exponents[places[int(place)]] += 1
            numerator, _, denominator = coefficient.partition("/")
            terms[tuple(exponents)] = fmpq(int(numerator), int(denominator or 1))
    except (ValueError, IndexError, AttributeError, ZeroDivisionError) as error:
        raise NotProved(f"the certificate has no polynomial where it should: {error}") from error
    polynomial: fmpq_mpoly = path.context.from_dict(terms)
    return polynomial
