"""Witness files: an instance on rationals at which a statement is false, that anybody can decide again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from verify.claims.claim import Claim
from verify.claims.domain import Sample
from verify.claims.variables import Coordinate
from verify.evidence.files import UnusableFile, from_json, read_text, shortened, write_whole
from verify.evidence.fingerprint import claim_fingerprint, is_of
from verify.linting.lint import check_relation, check_sources
from verify.notation.representation import card
from verify.numbers.arithmetic import Array, fraction, precision
from verify.numbers.exactness import UndecidedInstances, assumed_signs, exact_evaluation
from verify.numbers.relation import Relation, Verdict
from verify.search import Refutation
from verify.search.decide import PRECISIONS, decide, verdict_of

SCHEMA = 2
"""Witnesses of schema 1, which called a false variant a neighbour, are read, too."""
LONGEST_NUMBER = 100_000
"""Characters of a rational in a file; floats, and what the search makes of them, have below 2000."""


class UnusableWitness(UnusableFile):
    """A witness file that cannot be decided: not ours, damaged, or made for another version of the statement."""


@dataclass(frozen=True, eq=False)
class Witness:
    """A refutation that can be written to a file.

    Attributes
    ----------
    claim_id
        Id of the claim.
    variant
        Name of the false variant that is refuted, or None for the statement itself.
    sample
        The instance, exact.
    left, right
        Both sides as text, for a reader; deciding does not use them.
    fingerprint
        Of the statement at the time of writing.
    """

    claim_id: str
    variant: str | None
    sample: Sample
    left: str
    right: str
    fingerprint: str

    def __repr__(self) -> str:
        of_variant = f", false variant {self.variant!r}" if self.variant else ""
        numbers = ", ".join(f"{name} = {as_text(values)}".replace("'", "") for name, values in self.sample.coordinates.items())
        return f"<Witness against {self.claim_id}{of_variant}: {numbers}; left = {self.left}, right = {self.right}>"

    def _repr_html_(self) -> str:
        rows = {**self.sample.sizes, **self.sample.coordinates, "left": self.left, "right": self.right}
        return card(f"Witness against {self.claim_id}", rows, self.variant or "")


def witness_of(claim: Claim, refutation: Refutation, variant: str | None = None) -> Witness:
    """The witness of a refutation of `claim`, or of one of its false variants."""
    left, right, _ = refutation.relation.worst()
    return Witness(claim.id, variant, refutation.sample, str(left), str(right), claim_fingerprint(claim, variant))


def document_of(witness: Witness) -> dict[str, Any]:
    """`witness` as the plain values that its file holds."""
    return {
        "schema": SCHEMA,
        "claim": witness.claim_id,
        "variant": witness.variant,
        "fingerprint": witness.fingerprint,
        "sizes": dict(witness.sample.sizes),
        "coordinates": {name: as_text(values) for name, values in witness.sample.coordinates.items()},
        "left": witness.left,
        "right": witness.right,
    }


def write_witness(witness: Witness, path: Path) -> None:
    """Write `witness` to `path`, replacing what is there only when all is written."""
    write_whole(path, json.dumps(document_of(witness), indent=1) + "\n")


def as_text(values: Array) -> Any:
    """Rationals as nested lists of text, as a file holds them."""
    rows = values.tolist()
    return [as_text(row) for row in values] if values.ndim > 1 else [str(row) for row in rows] if values.ndim else str(rows)


def read_witness(path: Path, claims: Mapping[str, Claim]) -> tuple[Witness, Claim]:
    """Read a witness file and find its claim.

    Raises
    ------
    UnusableWitness
        With the reason: not a witness file, an unknown claim, sizes or coordinates that do not fit the domain, numbers that
        are not rationals, or a statement that has changed since.
    """
    try:
        document = from_json(read_text(path))
    except UnusableFile as error:
        raise UnusableWitness(f"{path}: not a witness file: {error}") from error
    document = of_this_schema(document)
    keys = {"schema", "claim", "variant", "fingerprint", "sizes", "coordinates", "left", "right"}
    if not isinstance(document, dict) or not keys <= set(document):
        missing = ", ".join(sorted(keys - set(document))) if isinstance(document, dict) else "an object"
        raise UnusableWitness(f"{path}: not a witness file, it lacks {missing}")
    if type(document["schema"]) is not int or document["schema"] != SCHEMA:
        raise UnusableWitness(
            f"{path}: schema {shortened(document['schema'])} is not the schema {SCHEMA} that this version reads"
        )
    claim = claims.get(document["claim"]) if isinstance(document["claim"], str) else None
    if claim is None:
        raise UnusableWitness(f"{path}: no claim has the id {shortened(document['claim'])}")
    variant = document["variant"]
    if variant is not None and not (isinstance(variant, str) and variant in claim.false_variants):
        raise UnusableWitness(f"{path}: {claim.id} has no false variant called {shortened(variant)}")
    made = document["fingerprint"]
    if not isinstance(made, str) or not is_of(made, claim, variant):
        raise UnusableWitness(f"{path}: the statement of {claim.id} has changed since (fingerprint {shortened(made)})")
    sample = sample_from(path, claim, document["sizes"], document["coordinates"])
    for side in ("left", "right"):
        if not isinstance(document[side], str):
            raise UnusableWitness(f"{path}: {side} must be text, got {shortened(document[side])}")
    return Witness(claim.id, variant, sample, document["left"], document["right"], made), claim


def of_this_schema(document: Any) -> Any:
    """What a witness of schema 1 is called now; anything else as it is."""
    if not isinstance(document, dict) or document.get("schema") != 1 or "neighbour" not in document:
        return document
    named = {"variant" if name == "neighbour" else name: value for name, value in document.items()}
    return named | {"schema": SCHEMA}


def sample_from(path: Path | str, claim: Claim, sizes: Any, coordinates: Any) -> Sample:
    """The instance that a file holds as plain values; `path` says in errors where they stand.

    Raises
    ------
    UnusableWitness
        They are none of the claim's domain; its hypotheses are not asked.
    """
    integers = isinstance(sizes, dict) and all(type(size) is int for size in sizes.values())
    if not integers or sizes not in claim.domain.all_sizes():
        raise UnusableWitness(f"{path}: the sizes {shortened(sizes)} are not in the domain of {claim.id}")
    layout = claim.domain.layout(sizes)
    if not isinstance(coordinates, dict) or set(coordinates) != set(layout):
        raise UnusableWitness(f"{path}: the coordinates must be {', '.join(layout)}")
    return Sample(sizes, {name: _array(path, name, coordinates[name], layout[name]) for name in layout})


def _array(path: Path | str, name: str, nested: Any, coordinate: Coordinate) -> Array:
    result = np.empty(coordinate.shape, dtype=object)
    shape = _shape(nested)
    if shape != coordinate.shape and (coordinate.shape or shape):
        raise UnusableWitness(f"{path}: {name} must have the shape {coordinate.shape}, got {shape}")
    for index in np.ndindex(coordinate.shape):
        try:
            number = result[index] = _rational(_at(nested, index, coordinate.shape))
        except UnusableFile as error:
            raise UnusableWitness(f"{path}: {name} is not an array of rationals ({error})") from error
        if not coordinate.lower <= fraction(number) <= coordinate.upper:
            limits = f"from {coordinate.lower:g} to {coordinate.upper:g}"
            raise UnusableWitness(f"{path}: {name} must be {limits}, got {_shown(number)}")
        if coordinate.integer and number.q != 1:
            raise UnusableWitness(f"{path}: {name} must consist of integers, got {_shown(number)}")
    return result


def _shown(number: fmpq) -> str:
    text = str(number)
    return text if len(text) <= 60 else f"a number of {len(text)} characters"


def _shape(nested: Any) -> tuple[int, ...]:
    """Lengths along the first entries, to no greater depth than an array may have."""
    lengths: list[int] = []
    while isinstance(nested, list) and len(lengths) < 8:
        lengths.append(len(nested))
        nested = nested[0] if nested else None
    return tuple(lengths)


def _at(nested: Any, index: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    for place, length in zip(index, shape, strict=True):
        if not isinstance(nested, list) or len(nested) != length:
            raise UnusableFile("its rows differ in length")
        nested = nested[place]
    return nested


def _rational(text: Any) -> fmpq:
    """The number that is written: an integer, a fraction, or a decimal with an exponent of at most three digits."""
    if not isinstance(text, str):
        raise UnusableFile(f"the number {shortened(text)} is not written as text")
    if len(text) > LONGEST_NUMBER:
        raise UnusableFile(f"a number has {len(text)} characters; at most {LONGEST_NUMBER} are read")
    match = re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", text)
    if match:  # by flint, for Python converts no more than 4300 digits
        numerator, denominator = fmpz(match[1]), fmpz(match[2] or 1)
        if denominator == 0:
            raise UnusableFile(f"{shortened(text)} divides by zero")
        return fmpq(numerator, denominator)
    match = re.fullmatch(r"(-?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))?", text)
    if not match or not match[2] + match[3]:
        raise UnusableFile(f"{shortened(text)} is not an integer, a fraction or a decimal such as '-3/4'")
    power = int(match[4] or 0) - len(match[3])
    return fmpq(fmpz(match[1] + match[2] + match[3])) * fmpq(10) ** power


def recheck(witness: Witness, claim: Claim) -> Relation:
    """Decide a witness again, exactly: its relation has verdict FAILS if the witness stands.

    Raises
    ------
    UnusableWitness
        The instance breaks a hypothesis of the claim, or the statement has no exact value there: it refutes nothing.
    """
    try:
        with precision(PRECISIONS[-1]), exact_evaluation(), assumed_signs() as assumed:
            broken = claim.domain.violated(claim.domain.build(witness.sample[None]))
        if assumed:
            raise UndecidedInstances(f"whether {assumed[0]}, of which a root is taken, is negative", np.array(True))
        statement = claim.statement_of(witness.variant)
        check_sources(statement, *claim.domain.functions())
        relation = None if broken else decide(statement, lambda: claim.domain.build(witness.sample[None]))
        if relation is not None:
            check_relation(relation, statement, 1)
    except Exception as error:  # whatever the statement raises, at an instance that anybody may have written
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise UnusableWitness(f"{claim.id} has no exact value at the instance: {reason}") from error
    if relation is None:
        raise UnusableWitness(f"the instance is not in the domain of {claim.id}: it breaks {', '.join(broken)}")
    return relation


def stands(relation: Relation) -> bool:
    """Whether a re-decided witness still refutes its statement."""
    return verdict_of(relation) == Verdict.FAILS
