"""The methods of proof, in the order in which they are tried."""

from __future__ import annotations

from typing import Protocol

from verify import independent
from verify.checker.evidence.fingerprint import claim_fingerprint
from verify.claim import Claim
from verify.proofs import finite, identities, references, squares
from verify.proofs.certificate import (
    Certificate,
    Deadline,
    NotProved,
    Proof,
    UnusableCertificate,
    combinations,
    document_of,
)
from verify.variables import Sizes


class Method(Protocol):
    """A module with these names."""

    METHOD: str
    TIER: str

    def prove(self, claim: Claim, sizes: Sizes, deadline: Deadline) -> Proof: ...

    def check(self, claim: Claim, proof: Proof) -> None: ...


METHODS: tuple[Method, ...] = (finite, identities, references, squares)


def prove(claim: Claim, count: int, seconds: float) -> tuple[Certificate | None, dict[str, str]]:
    """All that is proved of a claim at `count` combinations of sizes or one more, and why not at others, by their text.

    At each combination the first method counts that covers all instances, or else the first that covers some.
    """
    deadline = Deadline(seconds)
    proofs: list[Proof] = []
    reasons: dict[str, str] = {}
    for sizes in combinations(claim.domain, count):
        refusals, found = [], []
        for method in METHODS:
            try:
                deadline.check()
                found.append(method.prove(claim, sizes, deadline))
            except NotProved as error:
                refusals.append(f"{method.METHOD}: {error}")
            if found and found[-1].covers.startswith("all "):
                break
        if found:
            proofs.append(found[-1] if found[-1].covers.startswith("all ") else found[0])
        else:
            reasons[text_of(sizes)] = "; ".join(refusals)
    certificate = Certificate(claim.id, claim_fingerprint(claim), tuple(proofs)) if proofs else None
    return certificate, reasons


def prove_by_id(package: str, name: str, count: int, seconds: float) -> tuple[Certificate | None, dict[str, str]]:
    """See `prove`; of plain values, for another process."""
    from verify.checker.running import claims_in

    return prove(claims_in(package)[name], count, seconds)


def check(certificate: Certificate, claim: Claim) -> None:
    """Derive what a certificate records from the statement again, and check that it proves what it says.

    Raises
    ------
    UnusableCertificate
        It is of another statement, or its proofs are not of this claim's sizes or of no known method.
    NotProved
        A proof is none.
    """
    if not certificate.fits(claim):
        raise UnusableCertificate(
            f"the statement of {claim.id} has changed since (fingerprint {certificate.fingerprint!r:.40})"
        )
    every = claim.domain.all_sizes()
    for proof in certificate.proofs:
        method = next((one for one in METHODS if proof.method == one.METHOD), None)
        if method is None:
            raise UnusableCertificate(f"no method is called {proof.method!r:.40}")
        if dict(proof.sizes) not in every:
            raise UnusableCertificate(f"the sizes {text_of(proof.sizes):.60} are not in the domain of {claim.id}")
        if set(proof.hypotheses) - set(claim.domain.hypotheses):
            raise UnusableCertificate(f"{claim.id} does not have the hypotheses that were used")
        try:
            independent.check_proof(document_of(certificate)["proofs"][certificate.proofs.index(proof)])
            method.check(claim, proof)
        except (independent.Rejected, KeyError, TypeError, ValueError) as error:
            raise NotProved(f"at {text_of(proof.sizes)}: {error}") from error


KINDS = ("proved", "identity", "identity on some cells")
"""Kinds of proof, the strongest first: the first does not rest on chance."""


def _kind(proof: Proof) -> str:
    tiers = {one.METHOD: one.TIER for one in METHODS}
    return tiers[proof.method] + " on some cells" * proof.on_some_cells


def strongest_kind(certificate: Certificate) -> str:
    """The strongest of `KINDS` among the proofs of a certificate."""
    return min(map(_kind, certificate.proofs), key=KINDS.index)


def united(known: Certificate, found: Certificate) -> Certificate:
    """At each combination of sizes what was found, unless what is known is stronger there."""
    best = {text_of(proof.sizes): proof for proof in known.proofs}
    for proof in found.proofs:
        there = best.get(text_of(proof.sizes))
        if there is None or KINDS.index(_kind(proof)) <= KINDS.index(_kind(there)):
            best[text_of(proof.sizes)] = proof
    return Certificate(found.claim, found.fingerprint, tuple(best.values()))


def tier(certificate: Certificate) -> str:
    """What a table says of the strongest kind of proof: ``proved at (width=2)``, ``identity on some cells at (width=2)``."""
    kind = strongest_kind(certificate)
    of_kind = [proof for proof in certificate.proofs if _kind(proof) == kind]
    largest = max(of_kind, key=lambda proof: sum(proof.sizes.values()))
    more = f" and {len(of_kind) - 1} more" if len(of_kind) > 1 else ""
    return f"{kind} at ({text_of(largest.sizes)}){more}"


def text_of(sizes: Sizes) -> str:
    """Sizes as a reader wants them."""
    return ", ".join(f"{name}={size}" for name, size in sizes.items()) or "its one size"
