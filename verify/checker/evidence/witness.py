"""Witness files: an instance on rationals at which a statement is false, that anybody can decide again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verify.arithmetic import Array, FloatOnly, UndecidedInstances, fraction, rational
from verify.checker.evidence.files import write_whole
from verify.checker.evidence.fingerprint import claim_fingerprint
from verify.checker.search import Refutation
from verify.checker.search.decide import decide, verdict_of
from verify.claim import Claim, Statement
from verify.domain import Coordinate, Sample
from verify.relation import Relation, Verdict

SCHEMA = 1


class UnusableWitness(ValueError):
    """A witness file that cannot be decided: not ours, damaged, or made for another version of the statement."""


@dataclass(frozen=True, eq=False)
class Witness:
    """A refutation that can be written to a file.

    Attributes
    ----------
    claim_id
        Id of the claim.
    neighbour
        Name of the false neighbour that is refuted, or None for the statement itself.
    sample
        The instance, exact.
    left, right
        Both sides as text, for a reader; deciding does not use them.
    fingerprint
        Of the statement at the time of writing.
    """

    claim_id: str
    neighbour: str | None
    sample: Sample
    left: str
    right: str
    fingerprint: str


def witness_of(claim: Claim, refutation: Refutation, neighbour: str | None = None) -> Witness:
    """The witness of a refutation of `claim`, or of one of its false neighbours."""
    left, right, _ = refutation.relation.worst()
    return Witness(claim.id, neighbour, refutation.sample, str(left), str(right), claim_fingerprint(claim, neighbour))


def document_of(witness: Witness) -> dict[str, Any]:
    """`witness` as the plain values that its file holds."""
    return {
        "schema": SCHEMA,
        "claim": witness.claim_id,
        "neighbour": witness.neighbour,
        "fingerprint": witness.fingerprint,
        "sizes": dict(witness.sample.sizes),
        "coordinates": {name: _text(values) for name, values in witness.sample.coordinates.items()},
        "left": witness.left,
        "right": witness.right,
    }


def write_witness(witness: Witness, path: Path) -> None:
    """Write `witness` to `path`, replacing what is there only when all is written."""
    write_whole(path, json.dumps(document_of(witness), indent=1) + "\n")


def _text(values: Array) -> Any:
    rows = values.tolist()
    return [_text(row) for row in values] if values.ndim > 1 else [str(row) for row in rows] if values.ndim else str(rows)


def read_witness(path: Path, claims: Mapping[str, Claim]) -> tuple[Witness, Claim]:
    """Read a witness file and find its claim.

    Raises
    ------
    UnusableWitness
        With the reason: not a witness file, an unknown claim, sizes or coordinates that do not fit the domain, numbers that
        are not rationals, or a statement that has changed since.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UnusableWitness(f"{path}: there is no such file") from error
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise UnusableWitness(f"{path}: not a witness file ({error})") from error
    keys = {"schema", "claim", "neighbour", "fingerprint", "sizes", "coordinates", "left", "right"}
    if not isinstance(document, dict) or not keys <= set(document):
        missing = ", ".join(sorted(keys - set(document))) if isinstance(document, dict) else "an object"
        raise UnusableWitness(f"{path}: not a witness file, it lacks {missing}")
    if document["schema"] != SCHEMA:
        raise UnusableWitness(f"{path}: schema {document['schema']!r} is not the schema {SCHEMA} that this version reads")
    claim = claims.get(document["claim"]) if isinstance(document["claim"], str) else None
    if claim is None:
        raise UnusableWitness(f"{path}: no claim has the id {document['claim']!r}")
    neighbour = document["neighbour"]
    if neighbour is not None and not (isinstance(neighbour, str) and neighbour in claim.false_neighbours):
        raise UnusableWitness(f"{path}: {claim.id} has no false neighbour called {neighbour!r}")
    current = claim_fingerprint(claim, neighbour)
    if document["fingerprint"] != current:
        raise UnusableWitness(
            f"{path}: the statement of {claim.id} has changed since (fingerprint {document['fingerprint']}, now {current})"
        )
    sample = _sample(path, claim, document["sizes"], document["coordinates"])
    return Witness(claim.id, neighbour, sample, str(document["left"]), str(document["right"]), current), claim


def _sample(path: Path, claim: Claim, sizes: Any, coordinates: Any) -> Sample:
    integers = isinstance(sizes, dict) and all(type(size) is int for size in sizes.values())
    if not integers or sizes not in claim.domain.all_sizes():
        raise UnusableWitness(f"{path}: the sizes {sizes!r} are not in the domain of {claim.id}")
    layout = claim.domain.layout(sizes)
    if not isinstance(coordinates, dict) or set(coordinates) != set(layout):
        raise UnusableWitness(f"{path}: the coordinates must be {', '.join(layout)}")
    return Sample(sizes, {name: _array(path, name, coordinates[name], layout[name]) for name in layout})


def _array(path: Path, name: str, text: Any, coordinate: Coordinate) -> Array:
    try:
        nested = np.array(text, dtype=object)
        if nested.shape != coordinate.shape:
            raise UnusableWitness(f"{path}: {name} must have the shape {coordinate.shape}, got {nested.shape}")
        result = np.empty(nested.shape, dtype=object)
        for index in np.ndindex(nested.shape):
            if not isinstance(nested[index], str):
                raise ValueError(f"the number {nested[index]!r} is not written as text")
            number = result[index] = rational(nested[index])
            if not coordinate.lower <= fraction(number) <= coordinate.upper:
                raise UnusableWitness(f"{path}: {name} must be from {coordinate.lower} to {coordinate.upper}, got {number}")
            if coordinate.integer and number.q != 1:
                raise UnusableWitness(f"{path}: {name} must consist of integers, got {number}")
    except ValueError as error:
        if isinstance(error, UnusableWitness):
            raise
        raise UnusableWitness(f"{path}: {name} is not an array of rationals ({error})") from error
    return result


def recheck(witness: Witness, claim: Claim) -> Relation:
    """Decide a witness again, exactly: its relation has verdict FAILS if the witness stands.

    Raises
    ------
    UnusableWitness
        The instance breaks a hypothesis of the claim, or the statement has no exact value there: it refutes nothing.
    """
    try:
        variables = claim.domain.build(witness.sample[None])
        broken = claim.domain.violated(variables)
        relation = None if broken else decide(_statement(claim, witness.neighbour), variables)
    except (FloatOnly, UndecidedInstances, ZeroDivisionError) as error:
        raise UnusableWitness(f"{claim.id} has no exact value at the instance: {error}") from error
    if relation is None:
        raise UnusableWitness(f"the instance is not in the domain of {claim.id}: it breaks {', '.join(broken)}")
    return relation


def stands(relation: Relation) -> bool:
    """Whether a re-decided witness still refutes its statement."""
    return verdict_of(relation) == Verdict.FAILS


def _statement(claim: Claim, neighbour: str | None) -> Statement:
    return claim.statement if neighbour is None else claim.false_neighbours[neighbour]
