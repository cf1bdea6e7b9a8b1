"""Statements that follow from others, which are proved first and then assumed, at instances that are built from their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verify.claim import Claim
from verify.proofs import finite, squares
from verify.proofs.certificate import Deadline, NotProved, Proof, as_document, proof_of
from verify.variables import Sizes

METHOD = "by_reference"
TIER = "proved"
OF_THE_OTHERS = {one.METHOD: one for one in (finite, squares)}
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
    for one in claim.follows:
        reasons = []
        if one.sizes_of(sizes) not in one.claim.domain.all_sizes():
            raise NotProved(f"{one.claim.id} has no sizes {one.sizes_of(sizes)}")
        for method in OF_THE_OTHERS.values():
            try:
                found = method.prove(one.claim, one.sizes_of(sizes), deadline)
                given.append({"claim": one.claim.id, "proof": as_document(found)})
                break
            except NotProved as error:
                reasons.append(str(error))
        else:
            raise NotProved(f"{one.claim.id} is not proved: {'; '.join(reasons)}")
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
    wanted = [(one.claim.id, one.sizes_of(proof.sizes)) for one in claim.follows]
    found: list[tuple[Any, Proof]] = [(one["claim"], proof_of(one["proof"])) for one in given]
    if [(name, dict(one.sizes)) for name, one in found] != wanted:
        raise NotProved("the certificate takes other claims, or other sizes, for known")
    for one, (_, known) in zip(claim.follows, found, strict=True):
        if known.method not in OF_THE_OTHERS:
            raise NotProved(f"{one.claim.id} is not proved for all its instances")
        OF_THE_OTHERS[known.method].check(one.claim, known)
    data = {name: value for name, value in proof.data.items() if name != "given"}
    return squares.check(claim, replace(proof, data=data), claim.follows)
