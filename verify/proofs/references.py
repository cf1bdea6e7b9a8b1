"""Statements that follow from others, which are proved first and then assumed, at instances that are built from their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verify.claims.claim import Claim
from verify.claims.variables import Sizes
from verify.proofs import finite, squares
from verify.proofs.certificate import Deadline, NotProved, Proof, as_document, proof_of

METHOD = "by_reference"
TIER = "proved"
OF_THE_OTHERS = {module.METHOD: module for module in (finite, squares)}
"""Methods by which what is assumed is proved, for all its instances."""


def prove(claim: Claim, sizes: Sizes, deadline: Deadline) -> Proof:
    """Prove the claims that a claim names as those it follows from, and then this one.

    Raises
    ------
    NotProved
        It names none, or one of them resists, or it does.
    """
    if not claim.follows:
        raise NotProved("it names no other claim from which it follows")
    given = []
    for follow in claim.follows:
        reasons = []
        if follow.sizes_of(sizes) not in follow.claim.domain.all_sizes():
            raise NotProved(f"{follow.claim.id} has no sizes {follow.sizes_of(sizes)}")
        for method in OF_THE_OTHERS.values():
            try:
                proof = method.prove(follow.claim, follow.sizes_of(sizes), deadline)
                given.append({"claim": follow.claim.id, "proof": as_document(proof)})
                break
            except NotProved as error:
                reasons.append(str(error))
        else:
            raise NotProved(f"{follow.claim.id} is not proved: {'; '.join(reasons)}")
    own = squares.prove(claim, sizes, deadline, claim.follows)
    return replace(own, method=METHOD, data={"given": given, **own.data})


def check(claim: Claim, proof: Proof) -> int:
    """Check the proofs of the claims that are named, and that of this one; at how many points it was looked at.

    Raises
    ------
    NotProved
        One is none, or is of something else.
    """
    given = list(proof.data["given"])
    wanted = [(follow.claim.id, follow.sizes_of(proof.sizes)) for follow in claim.follows]
    proofs: list[tuple[Any, Proof]] = [(reference["claim"], proof_of(reference["proof"])) for reference in given]
    if [(name, dict(reference.sizes)) for name, reference in proofs] != wanted:
        raise NotProved("the certificate takes other claims, or other sizes, for known")
    for follow, (_, known) in zip(claim.follows, proofs, strict=True):
        if known.method not in OF_THE_OTHERS:
            raise NotProved(f"{follow.claim.id} is not proved for all its instances")
        OF_THE_OTHERS[known.method].check(follow.claim, known)
    data = {name: value for name, value in proof.data.items() if name != "given"}
    return squares.check(claim, replace(proof, data=data), claim.follows)
