"""Evidence of a statement that was written otherwise since and says the same is carried over to the present one.

Only the source part of the fingerprint differs then, and the meaning part is equal: at all fixed instances the same hypotheses
hold and both sides are the same numbers. That is no proof that the statements are the same everywhere: whoever carries evidence
over vouches for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from verify.checker.baseline import read_baseline, write_baseline
from verify.checker.strength import read_strengths, strength_file, write_strengths
from verify.claims.claim import Claim
from verify.evidence.files import UnusableFile, certificate_folder, from_json, read_text, witness_folder, write_whole
from verify.evidence.fingerprint import claim_fingerprint, strength_fingerprint
from verify.evidence.ledger import read_ledger, write_ledger
from verify.evidence.witness import of_this_schema
from verify.proofs.all_sizes import proof as all_sizes
from verify.proofs.certificate import read_certificate, write_certificate
from verify.proofs.squares import in_letters_of

Change = Literal["unchanged", "carried", "void"]


@dataclass(frozen=True)
class Carried:
    """What became of the evidence of one kind for one claim, and the fingerprints before and now."""

    claim: str
    evidence: str
    change: Change
    before: str
    now: str


def change_of(before: str, now: str) -> Change:
    """Whether evidence with a fingerprint is of the statement as it is now, or of one that only was written otherwise."""
    if before == now:
        return "unchanged"
    said = before.partition("-")[2]
    return "carried" if said and said == now.partition("-")[2] else "void"


def carry(package: str, claims: Mapping[str, Claim]) -> Iterator[Carried]:
    """Carry over what a package keeps of these claims: baseline, strengths, certificates and witnesses. Its files are written.

    Raises
    ------
    UnusableFile
        A file is none of ours; those before it are written.
    """
    now = _Now(claims)
    path = witness_folder(package).with_name("baseline.json")
    if path.exists():
        bounds = read_baseline(path)
        for name in [name for name in bounds if name in claims]:
            for fingerprint in sorted({bound.fingerprint for bound in bounds[name].values()}):
                carried = Carried(name, "baseline", change_of(fingerprint, now.claim(name)), fingerprint, now.claim(name))
                yield carried
                if carried.change == "carried":
                    bounds[name] = {
                        key: replace(value, fingerprint=carried.now) if value.fingerprint == fingerprint else value
                        for key, value in bounds[name].items()
                    }
        write_baseline(path, bounds)
    path = strength_file(package)
    if path.exists():
        strengths = read_strengths(path)
        for name in [name for name in strengths if name in claims]:
            before, after = strengths[name].fingerprint, strength_fingerprint(claims[name])
            carried = Carried(name, "strength", change_of(before, after), before, after)
            yield carried
            if carried.change == "carried":
                strengths[name] = replace(strengths[name], fingerprint=after)
        write_strengths(path, strengths)
    for path in sorted(certificate_folder(package).glob("*.json")):
        certificate = read_certificate(path)
        if certificate.claim in claims:
            after = now.claim(certificate.claim)
            change = change_of(certificate.fingerprint, after)
            yield Carried(certificate.claim, "certificate", change, certificate.fingerprint, after)
            if change == "carried":
                claim = claims[certificate.claim]
                proofs = tuple(in_letters_of(claim, proof) for proof in certificate.proofs)
                write_certificate(replace(certificate, fingerprint=after, proofs=proofs), path)
    for path in sorted((certificate_folder(package) / "all_sizes").glob("*.json")):
        general = all_sizes.read(path)
        if general.claim in claims:
            after = now.claim(general.claim)
            change = change_of(general.fingerprint, after)
            yield Carried(general.claim, "certificate for all sizes", change, general.fingerprint, after)
            if change == "carried":
                all_sizes.write(replace(general, fingerprint=after), path)
    for path in sorted(witness_folder(package).glob("*.json")):
        yield from _witness(path, now)


def carry_ledger(path: Path, claims: Mapping[str, Claim]) -> Iterator[Carried]:
    """Carry over the lines of a ledger; raises `UnusableLedger`."""
    now = _Now(claims)
    entries = read_ledger(path)
    changes = {}
    for name, before in sorted({(entry.claim, entry.fingerprint) for entry in entries if entry.claim in claims}):
        changes[name, before] = Carried(name, "ledger", change_of(before, now.claim(name)), before, now.claim(name))
        yield changes[name, before]
    carried = {key: change.now for key, change in changes.items() if change.change == "carried"}
    if carried:
        keys = [(entry.claim, entry.fingerprint) for entry in entries]
        write_ledger(
            path, [replace(entry, fingerprint=carried.get(key, key[1])) for entry, key in zip(entries, keys, strict=True)]
        )


class _Now:
    """The present fingerprints of claims, each computed once."""

    def __init__(self, claims: Mapping[str, Claim]) -> None:
        self.claims = claims
        self._known: dict[tuple[str, str | None], str] = {}

    def claim(self, name: str, variant: str | None = None) -> str:
        if (name, variant) not in self._known:
            self._known[name, variant] = claim_fingerprint(self.claims[name], variant)
        return self._known[name, variant]


def _witness(path: Path, now: _Now) -> Iterator[Carried]:
    document = of_this_schema(from_json(read_text(path)))
    if not isinstance(document, dict) or not all(isinstance(document.get(name), str) for name in ("claim", "fingerprint")):
        raise UnusableFile(f"{path}: not a witness file")
    name, variant, before = document["claim"], document.get("variant"), document["fingerprint"]
    if name not in now.claims or (variant is not None and variant not in now.claims[name].false_variants):
        return
    after = now.claim(name, variant)
    change = change_of(before, after)
    yield Carried(name, f"witness against {variant}" if variant else "witness", change, before, after)
    if change == "carried":
        sizes, coordinates = document.get("sizes"), document.get("coordinates")
        if isinstance(sizes, dict) and isinstance(coordinates, dict):
            domain = now.claims[name].domain
            document["sizes"] = _in_letters_of(domain.sizes, sizes)
            if document["sizes"] in domain.all_sizes():
                document["coordinates"] = _in_letters_of(domain.layout(document["sizes"]), coordinates)
        write_whole(path, json.dumps(document | {"fingerprint": after}, indent=1) + "\n")


def _in_letters_of(names: Mapping[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """The same values in the same places, by the present names."""
    renamed = len(names) == len(values) and set(names) != set(values)
    return dict(zip(names, values.values(), strict=True)) if renamed else values
