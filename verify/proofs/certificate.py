"""Certificates: what is proved of a claim, where, and the data by which it can be checked without a search."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from verify.claims.claim import Claim
from verify.claims.domain import Domain
from verify.evidence.files import UnusableFile, from_json, is_of_schema, read_text, shortened, write_whole
from verify.evidence.fingerprint import is_of, is_of_source
from verify.proofs import independent

SCHEMA = 2

ALL = "all"
"""Coverage: every instance of these sizes that satisfies the hypotheses."""
WITH_A_VALUE = "with a value"
"""Coverage: all of them but those that satisfy one of the `exceptions`, where the statement has no value."""
GRID = "grid"
"""Coverage: the integers that were drawn, where the statement takes other numbers, too."""
CONSTANT = "the same numbers are compared everywhere"
"""Why a proof is vacuous: nothing depends on the coordinates."""
COVERAGES = (ALL, WITH_A_VALUE, GRID)


class NotProved(ArithmeticError):
    """Why something is not proved, in a sentence; it may be true all the same."""


class Refuted(Exception):
    """The statement is false at an instance, in words: there is no proof, by any method and at any sizes."""


class UnusableCertificate(UnusableFile):
    """A file that is no certificate, or one of another claim or of an earlier form of the statement."""


class Deadline:
    """When a proof is given up: after so many seconds of processor time, so that other work beside it changes nothing.

    Parameters
    ----------
    seconds
        From now; infinite if there is no limit.
    """

    def __init__(self, seconds: float = float("inf")) -> None:
        self._end = time.process_time() + seconds

    def left(self) -> float:
        """Seconds that are left, 0 at least."""
        return max(0.0, self._end - time.process_time())

    def check(self) -> None:
        """Raise `NotProved` when the time is over."""
        if not self.left():
            raise NotProved("the time is over")


@dataclass(frozen=True)
class Proof:
    """What is proved of one claim at one combination of sizes, by one method.

    Attributes
    ----------
    method
        Name of the method, such as ``identity``.
    sizes
        The sizes by name.
    covers
        Words that say exactly which instances of these sizes are covered.
    hypotheses
        Names of the hypotheses of the domain that were used; without any, it holds whether or not they do.
    data
        What the method checks it by: plain values of JSON without floats, rationals as text.
    coverage
        One of `COVERAGES`.
    exceptions
        Where the statement has no value: the equations that hold there, none of which holds on an open set.
    vacuous
        Why there is next to nothing to prove at these sizes; empty where there is.
    does_not_tell
        Names of the false variants to which no counterexample is found at these sizes: some are true there.
    """

    method: str
    sizes: Mapping[str, int]
    covers: str
    hypotheses: tuple[str, ...]
    data: Mapping[str, Any]
    coverage: str = ALL
    exceptions: tuple[str, ...] = ()
    vacuous: str = ""
    does_not_tell: tuple[str, ...] = ()

    @property
    def tells(self) -> bool:
        """Whether it says something: there is something to prove at these sizes, and each false variant is false there."""
        return not self.vacuous and not self.does_not_tell


@dataclass(frozen=True)
class OfAClaim:
    """What a certificate is of.

    Attributes
    ----------
    claim, fingerprint
        Id of the claim, and fingerprint of its statement and domain when it was proved.
    """

    claim: str
    fingerprint: str

    def fits(self, claim: Claim) -> bool:
        """Whether it is of this claim as it is stated now."""
        return self.claim == claim.id and is_of(self.fingerprint, claim)

    def may_fit(self, claim: Claim) -> bool:
        """Whether it is of the source of this claim; nothing is evaluated, so that only `verify check` says that it fits."""
        return self.claim == claim.id and is_of_source(self.fingerprint, claim)


@dataclass(frozen=True)
class Certificate(OfAClaim):
    """All that is proved of one claim: a proof for each combination of sizes."""

    proofs: tuple[Proof, ...]


def combinations(domain: Domain, count: int) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
    """The `count` smallest combinations of sizes and the smallest in which all that can be 2 are 2 or more; then the others."""
    every = domain.all_sizes()
    two = {name for name, values in domain.sizes.items() if max(values) >= 2}
    large = next((sizes for sizes in every if all(sizes[name] >= 2 for name in two)), None)
    first = every[:count] + [sizes for sizes in [large] if sizes is not None and sizes not in every[:count]]
    return first, [sizes for sizes in every if sizes not in first]


def document_of(certificate: Certificate) -> dict[str, Any]:
    """`certificate` as the plain values that its file holds."""
    document = {"schema": SCHEMA, **asdict(certificate)}
    return {**document, "digest": independent.digest(document["proofs"])}


def write_certificate(certificate: Certificate, path: Path) -> None:
    """Write `certificate` to `path`, replacing what is there only when all is written."""
    document = document_of(certificate)
    proofs = ",\n  ".join(json.dumps(proof) for proof in document.pop("proofs"))
    head = json.dumps(document, indent=1).removesuffix("\n}")
    write_whole(path, f'{head},\n "proofs": [\n  {proofs}\n ]\n}}\n')


def read_certificate(path: Path) -> Certificate:
    """Read a certificate; whether it proves anything is not looked at.

    Raises
    ------
    UnusableCertificate
        With the reason.
    """
    try:
        return certificate_of(from_json(read_text(path)))
    except UnusableFile as error:
        raise UnusableCertificate(f"{path}: not a certificate: {error}") from error


def certificate_of(document: Any) -> Certificate:
    """The certificate that a document of JSON is; raises `UnusableFile`."""
    if not is_of_schema(document, SCHEMA):
        raise UnusableFile(f"its schema is not {SCHEMA}")
    if set(document) != {"schema", "claim", "fingerprint", "digest", "proofs"} or not isinstance(document["proofs"], list):
        raise UnusableFile(f"it must have schema, claim, fingerprint, digest and proofs, got {shortened(sorted(document))}")
    for name in ("claim", "fingerprint"):
        if not isinstance(document[name], str):
            raise UnusableFile(f"{name} must be text, got {shortened(document[name])}")
    if not document["proofs"]:
        raise UnusableFile("it has no proofs")
    if document["digest"] != independent.digest(document["proofs"]):
        raise UnusableFile("its proofs are not those that were written: its digest differs")
    proofs = tuple(map(proof_of, document["proofs"]))
    if len({json.dumps(proof.sizes, sort_keys=True) for proof in proofs}) < len(proofs):
        raise UnusableFile("two of its proofs are of the same sizes")
    return Certificate(document["claim"], document["fingerprint"], proofs)


def proof_of(document: Any) -> Proof:
    """The proof that a document of JSON is; raises `UnusableFile`."""
    names = [field_.name for field_ in fields(Proof)]
    if not isinstance(document, dict) or set(document) != set(names):
        raise UnusableFile(f"a proof has {', '.join(names)}, got {shortened(document)}")
    sizes = document["sizes"]
    fitting = (
        all(isinstance(document[name], str) for name in ("method", "covers", "vacuous"))
        and document["coverage"] in COVERAGES
        and isinstance(sizes, dict)
        and all(type(size) is int for size in sizes.values())
        and all(isinstance(document[name], list) and all(isinstance(text, str) for text in document[name]) for name in _LISTS)
        and isinstance(document["data"], dict)
    )
    if not fitting:
        raise UnusableFile(f"a proof does not fit the schema: {shortened(document)}")
    values: dict[str, Any] = {name: tuple(value) if name in _LISTS else value for name, value in document.items()}
    return Proof(**values)


_LISTS = ("hypotheses", "exceptions", "does_not_tell")


def as_document(proof: Proof) -> dict[str, Any]:
    """A proof as plain values of JSON."""
    return {name: list(value) if name in _LISTS else value for name, value in asdict(proof).items()}
