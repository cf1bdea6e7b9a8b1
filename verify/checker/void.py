"""What cannot fail: comparisons that say nothing at any instance that was decided exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz

from verify.claims.domain import Sample
from verify.numbers.arithmetic import Array
from verify.numbers.relation import Comparison, Relation

FEW = 8
"""With fewer instances nothing is said: by chance they may all be alike."""


def of_one_instance(settled: Sequence[tuple[Sample, Relation]]) -> str:
    """Why a statement was not tested, if all instances that were decided are the same one; else empty."""
    different = {_key(sample) for sample, _ in settled}
    alone = any(values.size for sample, _ in settled[:1] for values in sample.coordinates.values())
    if len(settled) < FEW or len(different) > 1 or not alone:
        return ""
    return (
        f"all {len(settled)} feasible instances that were decided are one and the same: the hypotheses leave next to nothing; "
        "build instances that satisfy them by derived(...) of free numbers"
    )


def says_nothing(settled: Sequence[tuple[Sample, Relation]]) -> dict[str, str]:
    """Which inequalities are void as far as exactly decided instances tell: by name, each in a sentence.

    An equality may hold because both sides are the same: that is what it says.
    """
    different = {_key(sample): (sample, relation) for sample, relation in settled}
    found: dict[str, list[tuple[Sample, Comparison]]] = {}
    for sample, relation in different.values():
        for name, comparison in zip(relation.names, relation.comparisons, strict=True):
            if comparison.sense != "eq":
                found.setdefault(name, []).append((sample, comparison))
    return {
        name: f"the inequality{f' {name!r}' if name else ''} {why}"
        for name, ones in sorted(found.items())
        if len(ones) >= FEW and (why := _why(ones))
    }


def _key(sample: Sample) -> str:
    return f"{dict(sample.sizes)} {[(name, [*map(str, values.flat)]) for name, values in sample.coordinates.items()]}"


def _why(ones: Sequence[tuple[Sample, Comparison]]) -> str:
    every = [comparison for _, comparison in ones]
    number = len(every)
    if all(0 in comparison.shape for comparison in every):
        return f"compares nothing at {number} instances: its sides have no entries"
    if all(_is_endless(comparison) for comparison in every):
        return f"has an infinite side at {number} instances: it holds whatever the other is"
    if all(_is_attained(comparison) for comparison in every):
        return f"has equal sides at all {number} instances that were decided: if it always has, write eq"
    texts = {(str(dict(sample.sizes)), _text(comparison)) for sample, comparison in ones}
    if len(texts) == len({sizes for sizes, _ in texts}):
        return f"compares the same numbers at all {number} instances that were decided, whatever the variables are"
    return ""


def _pairs(comparison: Comparison) -> Iterator[tuple[Any, Any]]:
    sides: list[Array] = [np.broadcast_to(side, comparison.shape) for side in (comparison.left, comparison.right)]
    return zip(*(side.flat for side in sides), strict=True)


def _is_attained(comparison: Comparison) -> bool:
    return all(
        isinstance(left, fmpq | fmpz | int) and isinstance(right, fmpq | fmpz | int) and left == right
        for left, right in _pairs(comparison)
    )


def _is_endless(comparison: Comparison) -> bool:
    return all(any(isinstance(side, arb) and not side.is_finite() for side in pair) for pair in _pairs(comparison))


def _text(comparison: Comparison) -> str:
    return " ".join(f"{left},{right}" for left, right in _pairs(comparison))
