"""Theorems in Coq that a package brings, written by hand for every size: which claims they state, and what Coq accepted.

The folder ``coq`` of a package has ``.v`` files and a ``Makefile``; the comment before a theorem, ``(** [id] *)``, names its
claim. ``python -m verify.proofs.coq.by_hand PACKAGE`` has Coq compile a copy, and writes ``coq/accepted.json``: the digest of
the files, the version of Coq, and the fingerprints of the statements. It counts while neither files nor statement change.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verify.claims.claim import Claim
from verify.evidence.files import UnusableFile, from_json, is_of_schema, read_text, witness_folder, write_whole
from verify.evidence.fingerprint import claim_fingerprint, is_of

SCHEMA = 1
FOLDER = "coq"
FILE = "accepted.json"
ASSUMPTIONS = "assumptions.log"
"""What Coq says each theorem rests on; the ``Makefile`` writes it."""
CLOSED = "Closed under the global context"
_THEOREM = re.compile(r"\(\*\*\s*\[([\w.]+)\][^*]*\*\)\s*Theorem\s+([\w']+)")


@dataclass(frozen=True)
class ByHand:
    """A theorem in Coq for every size.

    Attributes
    ----------
    file
        Its file, seen from the folder of the package.
    name
        Of the theorem.
    """

    file: str
    name: str


def folder_of(package: str) -> Path:
    """The folder ``coq`` of a package; it need not exist."""
    return witness_folder(package).with_name(FOLDER)


@functools.cache
def theorems_by_hand(package: str = "theorems") -> dict[str, ByHand]:
    """The theorems of a package by the claims that they name, accepted or not; none without a folder."""
    return {
        claim: ByHand(f"{FOLDER}/{path.name}", name)
        for path in sorted(folder_of(package).glob("*.v"))
        for claim, name in _THEOREM.findall(path.read_text(encoding="utf-8"))
    }


def accepted_by_hand(claim: Claim, package: str) -> ByHand | None:
    """The theorem that states the claim as it is now, if Coq accepted it as it is now; else None."""
    theorem = theorems_by_hand(package).get(claim.id)
    known = _record(package).get(claim.id)
    return theorem if theorem is not None and known is not None and is_of(known, claim) else None


@functools.cache
def _record(package: str) -> Mapping[str, str]:
    """The fingerprints of the statements of which Coq accepted the theorems; empty for other files than there are."""
    folder = folder_of(package)
    try:
        document = from_json(read_text(folder / FILE))
    except (UnusableFile, OSError):
        return {}
    fits = is_of_schema(document, SCHEMA) and document.get("sources") == _sources(folder)
    claims = document.get("claims") if fits else None
    return claims if isinstance(claims, dict) and all(isinstance(known, str) for known in claims.values()) else {}


def _sources(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted((*folder.glob("*.v"), folder / "Makefile")):
        if path.name != "Assumptions.v":  # which the Makefile writes
            digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def record(package: str, claims: Mapping[str, Claim]) -> Path:
    """Have Coq compile the theorems of a package, and write what it accepted.

    Raises
    ------
    NotAccepted
        Coq refuses a theorem, or one rests on an axiom; or a theorem names no claim.
    """
    from verify.proofs.coq.kernel import NotAccepted

    folder, theorems = folder_of(package), theorems_by_hand(package)
    if unknown := sorted(set(theorems) - set(claims)):
        raise NotAccepted(f"no claim of {package} is named {unknown[0]}, as {theorems[unknown[0]].file} says")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(folder, Path(scratch) / FOLDER, ignore=shutil.ignore_patterns("*.vo*", ASSUMPTIONS)))
        done = subprocess.run(["make", "-s", "-C", str(copy)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotAccepted(f"`make -C {folder}` ends with {done.returncode}: {(done.stderr + done.stdout)[-400:]}")
        said = (copy / ASSUMPTIONS).read_text().splitlines()
    if said != [CLOSED] * len(theorems):
        raise NotAccepted(f"{len(theorems)} theorems name claims, and Coq says: {'; '.join(dict.fromkeys(said))}")
    version = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=True).stdout.split()[0]
    document = {
        "schema": SCHEMA,
        "sources": _sources(folder),
        "coq": version,
        "claims": {name: claim_fingerprint(claims[name]) for name in sorted(theorems)},
    }
    write_whole(folder / FILE, json.dumps(document, indent=1) + "\n")
    return folder / FILE


if __name__ == "__main__":
    from verify.claims.catalogue import catalogue

    sys.stdout.write(f"written: {record(sys.argv[1], catalogue(sys.argv[1]))}\n")
