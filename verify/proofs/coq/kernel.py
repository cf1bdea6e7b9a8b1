"""Which certificates Coq's kernel has accepted: the record of a package, and how it is made.

The record is ``kernel.json`` in a package of claims. An entry counts while the certificate has the digest that was
recorded, and what writes the theorems is what it was: the checker in Coq, and the modules that turn certificates into theorems.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.evidence.files import (
    UnusableFile,
    from_json,
    is_of_schema,
    read_text,
    shortened,
    witness_folder,
    write_whole,
)

if TYPE_CHECKING:
    from verify.proofs.coq.export import Row

SCHEMA = 1
FILE = "kernel.json"
WRITERS = ("Polynomials.v", "Squares.v", "Programmes.v", "leaves.py", "programmes.py", "text.py")
"""What the theorems of a certificate depend on, beside the certificate."""
ASSUMPTIONS = "assumptions.log"
"""What Coq says all theorems of a folder rest on."""


@dataclass(frozen=True)
class Accepted:
    """What Coq's kernel accepted of a claim.

    Attributes
    ----------
    digest
        Of its certificate.
    theorems
        How many there are.
    whole
        Whether they are all of the certificate, and not only some of its proofs.
    coq
        The version of Coq.
    """

    digest: str
    theorems: int
    whole: bool
    coq: str


@dataclass(frozen=True)
class Record:
    """The record of a package.

    Attributes
    ----------
    exporter
        Digest of what wrote the theorems, see `exporter`.
    axioms
        What all theorems rest on, as Coq named it.
    claims
        What was accepted, by claim.
    """

    exporter: str
    axioms: tuple[str, ...]
    claims: Mapping[str, Accepted]


class NotAccepted(Exception):
    """Coq did not accept a folder, or it is not there; the message says what happened."""


@functools.cache
def exporter() -> str:
    """Digest of what the theorems of a certificate depend on, beside the certificate."""
    digest = hashlib.sha256()
    for name in WRITERS:
        digest.update(f"{name}\n".encode() + (files("verify.proofs.coq") / name).read_bytes())
    return digest.hexdigest()


def kernel_file(package: str = "theorems") -> Path:
    """The file ``kernel.json`` of a package; it need not exist."""
    return witness_folder(package).with_name(FILE)


def read_record(path: Path) -> Record:
    """The record in a file; an empty one if there is no file.

    Raises
    ------
    UnusableFile
        It is not such a file.
    """
    if not path.exists():
        return Record(exporter(), (), {})
    try:
        document = from_json(read_text(path))
        if not is_of_schema(document, SCHEMA) or set(document) != {"schema", *(field.name for field in fields(Record))}:
            raise UnusableFile(f"not one of schema {SCHEMA}")
        texts = [document["exporter"], *_list(document["axioms"])]
        if not isinstance(document["claims"], dict) or not all(isinstance(text, str) for text in texts):
            raise UnusableFile("exporter and axioms are text, and claims are an object")
        claims = {claim: _accepted(claim, accepted) for claim, accepted in document["claims"].items()}
    except UnusableFile as error:
        raise UnusableFile(f"{path}: not a record of Coq's kernel: {error}") from error
    return Record(document["exporter"], tuple(document["axioms"]), claims)


def _list(value: Any) -> list[Any]:
    # None is no text: so what is no list is refused where its entries are
    return value if isinstance(value, list) else [value, None]


def _accepted(claim: str, document: Any) -> Accepted:
    kinds = {"digest": str, "theorems": int, "whole": bool, "coq": str}
    if not isinstance(document, dict) or {name: type(value) for name, value in document.items()} != kinds:
        raise UnusableFile(f"{shortened(claim)} must have a digest, theorems, whole and coq, got {shortened(document)}")
    return Accepted(**document)


def accepted(package: str, claim: str, digest: str) -> Accepted | None:
    """What the record of a package says of the certificate with this digest; None unless Coq accepted all of it."""
    path = kernel_file(package)
    if not path.is_file():
        return None
    try:
        # of the present file: it may be written while this process runs
        record = _read(path, path.stat().st_mtime_ns)
    except (UnusableFile, OSError):
        return None
    known = record.claims.get(claim)
    fits = record.exporter == exporter() and known is not None and known.whole and known.digest == digest
    return known if fits else None


@functools.lru_cache(maxsize=4)
def _read(path: Path, _: int) -> Record:
    return read_record(path)


def compile_folder(folder: Path, rows: Sequence[Row]) -> Record:
    """Have Coq compile what was written to a folder, by its ``make``; what it accepted.

    Raises
    ------
    NotAccepted
        Coq or make is not there, a theorem is refused, or there is another axiom than those of the real numbers.
    """
    for command in ("coqc", "make"):
        if shutil.which(command) is None:
            raise NotAccepted(f"{command} is not there: apt-get install coq make")
    version = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout.split()[0]
    result = subprocess.run(["make", "-s", "-C", str(folder)], capture_output=True, text=True, check=False)
    if result.returncode:
        raise NotAccepted(f"`make -C {folder}` ends with {result.returncode}: {_last(result.stderr + result.stdout)}")
    axioms = axioms_in(read_text(folder / ASSUMPTIONS))
    claims = {row.claim: Accepted(row.digest, row.theorems, not row.reasons, version) for row in rows if row.file}
    return Record(exporter(), axioms, claims)


def axioms_in(log: str) -> tuple[str, ...]:
    """The names of the axioms that Coq printed: their types are indented, or stand behind a colon."""
    lines = [line for line in log.splitlines() if line[:1].strip() and not re.fullmatch(r"Axioms:|Closed under .*", line)]
    return tuple(sorted({line.partition(" ")[0] for line in lines}))


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(lines[-6:])


def united(known: Record, new: Record, present: Mapping[str, str]) -> Record:
    """Both records; of `known` what is still of a `present` certificate (digests by claim) and of the present exporter."""
    kept = {
        name: accepted
        for name, accepted in known.claims.items()
        if known.exporter == new.exporter and present.get(name) == accepted.digest and name not in new.claims
    }
    axioms = tuple(sorted({*new.axioms, *(known.axioms if kept else ())}))
    return Record(new.exporter, axioms, dict(sorted({**kept, **new.claims}.items())))


def write_record(record: Record, path: Path) -> None:
    """Write a record, one line for a claim."""
    lines = [f"  {json.dumps(name)}: {json.dumps(asdict(accepted))}" for name, accepted in record.claims.items()]
    head = f'{{\n "schema": {SCHEMA},\n "exporter": {json.dumps(record.exporter)},\n "axioms": {json.dumps(record.axioms)},\n'
    write_whole(path, head + ' "claims": {\n' + ",\n".join(lines) + "\n }\n}\n")
