r"""Equalities of rational functions, proved at one point that is drawn from a set so large that chance is excluded.

A statement that consists of equalities, and that computes both sides by additions, multiplications and divisions, compares two
rational functions of its coordinates. Evaluated on numbers that carry their degrees, it says itself how large the degree d of
the numerator of the difference can be. A polynomial of degree d that is not zero vanishes at a random point of a grid with S
values for each coordinate with a probability of at most d / S (Schwartz, Zippel). With S = 2^192 one point decides.

The point is made from the fingerprint of the statement: nobody chose it.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from verify.arithmetic import Array
from verify.checker.evidence.fingerprint import claim_fingerprint
from verify.claim import Claim
from verify.domain import Sample
from verify.exactness import exact_evaluation
from verify.proofs.degrees import Questions, Tracked
from verify.proofs.matrices import TrackedMatrix
from verify.relation import Relation
from verify.variables import Coordinate, call_with

Tracked.matrix = TrackedMatrix

BITS = 192
"""The grid has 2^BITS values for each coordinate."""
CERTAIN = 100
"""An error probability above 2^-CERTAIN is no proof."""
KINDS = 64
"""Most combinations of values of the integer coordinates, each of which is decided by itself."""


class NotProved(ArithmeticError):
    """Why an equality is not proved, in a sentence; it may be true all the same."""


@dataclass(frozen=True)
class Identity:
    """A statement is an identity of rational functions at some sizes: for all real coordinates, whether hypotheses hold or not.

    Attributes
    ----------
    claim, sizes
        What is proved, and where.
    fingerprint
        Of the statement and its domain, from which the points were made.
    kinds
        How many combinations of integer coordinates were decided: all there are.
    degree
        Bound for the degrees of all polynomials that were taken to vanish, or not to.
    bits
        The probability that the statement is no identity is below 2 to the power of minus this.
    generic
        Whether a pivot or a denominator depends on the coordinates: then the identity holds where none of them vanishes.
    """

    claim: str
    sizes: Mapping[str, int]
    fingerprint: str
    kinds: int
    degree: int
    bits: int
    generic: bool


def prove_identity(claim: Claim, sizes: Mapping[str, int]) -> Identity:
    """Prove the statement of a claim at `sizes`, for all values of its real coordinates.

    Raises
    ------
    NotProved
        It is no relation of equalities alone, it is no rational function there, or it is false.
    """
    print_ = claim_fingerprint(claim)
    layout = claim.domain.layout(sizes)
    degree, generic, kinds = 0, False, 0
    for integers in _kinds(layout):
        tests = Questions()
        point = _point(layout, integers, f"{print_} {dict(sizes)}", tests)
        found, depends = _decided(claim, Sample(sizes, point), tests)
        degree, generic, kinds = degree + found, generic or depends, kinds + 1
    bits = BITS - degree.bit_length()
    if bits < CERTAIN:
        raise NotProved(f"the degrees, up to {degree}, are too large for one point")
    return Identity(claim.id, dict(sizes), print_, kinds, degree, bits, generic)


def _decided(claim: Claim, sample: Sample, tests: Questions) -> tuple[int, bool]:
    """The sum of the degrees of all that was compared, and whether an answer on the way depends on the coordinates."""
    try:
        with exact_evaluation():
            relation = call_with(claim.statement, claim.domain.build(sample[None]))
            if not isinstance(relation, Relation) or any(one.sense != "eq" for one in relation.comparisons):
                raise NotProved("it is no relation of equalities alone")
            differences = [
                left - right
                for one in relation.comparisons
                for left, right in zip(*(side.flat for side in np.broadcast_arrays(one.left, one.right)), strict=True)
            ]
    except NotProved:
        raise
    except Exception as error:  # a statement that takes rationals may do anything with what is none
        raise NotProved(f"it is computed otherwise than by additions, multiplications and divisions: {error}") from error
    if tests.refused:
        raise NotProved(f"it is computed otherwise than by additions, multiplications and divisions: {tests.refused}")
    if not differences:
        raise NotProved("there is nothing to compare")
    degree = tests.degrees
    for difference in differences:
        if not isinstance(difference, Tracked | fmpq | int):
            raise NotProved(f"a side is no rational function of the coordinates, but {type(difference).__name__}")
        value = difference.value if isinstance(difference, Tracked) else difference
        if value != 0:
            raise NotProved("both sides differ at a random point: it is false, or true under its hypotheses only")
        degree += difference.top if isinstance(difference, Tracked) else 0
    return degree, tests.generic


def _kinds(layout: Mapping[str, Coordinate]) -> Iterator[dict[str, Array]]:
    """All values of the integer coordinates."""
    integer = {name: one for name, one in layout.items() if one.integer}
    if math.prod((one.upper - one.lower + 1) ** _length(one) for one in integer.values()) > KINDS:
        raise NotProved(f"there are more than {KINDS} combinations of its integer coordinates")
    values = [itertools.product(range(int(one.lower), int(one.upper) + 1), repeat=_length(one)) for one in integer.values()]
    for chosen in itertools.product(*values):
        yield {
            name: _array([fmpq(value) for value in entries], one.shape)
            for (name, one), entries in zip(integer.items(), chosen, strict=True)
        }


def _length(one: Coordinate) -> int:
    return math.prod(one.shape)


def _point(layout: Mapping[str, Coordinate], integers: Mapping[str, Array], seed: str, tests: Questions) -> dict[str, Array]:
    """A point whose real coordinates are made from `seed`: multiples of the width of their interval, over 2^BITS."""
    stream = hashlib.shake_256(f"{seed} { {name: str(values) for name, values in integers.items()} }".encode())
    count = sum(_length(one) for one in layout.values())
    digits = stream.digest(count * BITS // 8)
    numbers = (int.from_bytes(digits[start : start + BITS // 8], "big") for start in range(0, len(digits), BITS // 8))

    def inside(one: Coordinate) -> Any:
        lower, upper = one.lower, one.upper
        number = fmpq(next(numbers))
        if np.isfinite(lower) and np.isfinite(upper):
            low, high = (fmpq(*end.as_integer_ratio()) for end in (float(lower), float(upper)))
            value = low + (high - low) * number / 2**BITS
        elif np.isfinite(upper):
            value = fmpq(*float(upper).as_integer_ratio()) - number
        else:
            value = number + (fmpq(*float(lower).as_integer_ratio()) if np.isfinite(lower) else 0)
        return Tracked(value, 1, 0, tests)

    return {
        name: integers[name] if one.integer else _array([inside(one) for _ in range(_length(one))], one.shape)
        for name, one in layout.items()
    }


def _array(entries: list[Any], shape: tuple[int, ...]) -> Array:
    result = np.empty(len(entries), dtype=object)
    result[:] = entries
    return result.reshape(shape)
