"""Fingerprints of statements, by which evidence is known to be of the present one: of their source, and of what they mean."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from verify.claims.claim import Claim
from verify.evidence.kept import kept
from verify.evidence.meaning import meaning, meaning_at
from verify.evidence.sources import reached

DIGITS = 16
"""Hexadecimal digits of each of the two parts of a fingerprint."""
FORM = "[0-9a-f]{16}(?:-[0-9a-f]{16})?"
"""A fingerprint as a regular expression, SOURCE-MEANING; those of earlier versions have one part, and are of no statement."""


def fingerprint(*functions: Callable[..., Any], text: str = "") -> str:
    """Sixteen hexadecimal digits that change when the code of a function does, or anything of its package that it reaches.

    Values count, such as constants, defaults, arrays and the attributes of objects, and so does `text`. Comments, docstrings,
    annotations and layout do not count. Functions of `verify`, of Python and of installed packages are named, not followed.
    """
    return _digest(text + reached({str(place): function for place, function in enumerate(functions)}))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def claim_fingerprint(claim: Claim, variant: str | None = None) -> str:
    """Fingerprint ``SOURCE-MEANING`` of a claim's statement (or of a false variant), its domain, and what it follows from.

    The source part changes with anything that the statement reaches. The meaning part changes with what it says at a few fixed
    instances (see `verify.evidence.meaning`): where only the source part differs, `verify carry` keeps the evidence.
    """
    return f"{source_fingerprint(claim, variant)}-{meaning_fingerprint(claim, variant)}"


def source_fingerprint(claim: Claim, variant: str | None = None) -> str:
    """The first part of `claim_fingerprint`: nothing is evaluated for it."""
    return kept(claim, f"source {variant or ''}", lambda: fresh_source(claim, variant))


def fresh_source(claim: Claim, variant: str | None = None) -> str:
    """`source_fingerprint` as it is now: an evaluation may have changed what is reached."""
    domain = claim.domain
    costs = "".join(f"{claim.cost_at(sizes)} " for sizes in domain.all_sizes())
    follows = [(source_fingerprint(follow.claim), follow.instance, follow.sizes) for follow in claim.follows]
    return _digest(reached({"statement": claim.statement_of(variant), "domain": domain, "follows": follows, "costs": costs}))


def meaning_fingerprint(claim: Claim, variant: str | None = None) -> str:
    """The second part of `claim_fingerprint`."""
    return kept(claim, f"meaning {variant or ''}", lambda: _meaning(claim, variant))


def _meaning(claim: Claim, variant: str | None) -> str:
    others = "".join(meaning_fingerprint(follow.claim) for follow in claim.follows)
    return _digest(others + meaning(claim.statement_of(variant), claim.domain))


def strength_fingerprint(claim: Claim) -> str:
    """Fingerprint ``SOURCE-MEANING`` of a claim with its tight examples and what is not known to be tight."""
    return f"{strength_source(claim)}-{strength_meaning(claim)}"


def strength_source(claim: Claim) -> str:
    """The first part of `strength_fingerprint`: nothing is evaluated for it."""
    return kept(claim, "source of the strength", lambda: _strength_source(claim))


def _strength_source(claim: Claim) -> str:
    instances = {name: tight.instance for name, tight in claim.tight.items()}
    return _digest(f"{source_fingerprint(claim)} {sorted(claim.not_known_tight.items())} {reached(instances)}")


def strength_meaning(claim: Claim) -> str:
    """The second part of `strength_fingerprint`."""
    return kept(claim, "meaning of the strength", lambda: _strength_meaning(claim))


def _strength_meaning(claim: Claim) -> str:
    sides = [
        f"{name} {meaning_at(claim.statement, lambda: claim.domain.given(tight.variables()))}"  # noqa: B023 (called at once)
        for name, tight in sorted(claim.tight.items())
    ]
    return _digest(" ".join((meaning_fingerprint(claim), f"{sorted(claim.not_known_tight.items())}", *sides)))


def record_fingerprint(claim: Claim) -> str:
    """Of a claim and all that its check evaluates: also false variants, exact parts, tight examples, the rate and all words."""
    return kept(claim, "record", lambda: _digest(reached({"claim": claim})))


def is_of(known: str, claim: Claim, variant: str | None = None) -> bool:
    """Whether a fingerprint is that of the present statement; if the source says no, nothing is evaluated."""
    return is_of_source(known, claim, variant) and known.partition("-")[2] == meaning_fingerprint(claim, variant)


def is_of_source(known: str, claim: Claim, variant: str | None = None) -> bool:
    """Whether its source part is that of the present statement: what `is_of` says, if the engine has not changed."""
    return known.partition("-")[0] == source_fingerprint(claim, variant)


def is_of_strength(known: str, claim: Claim) -> bool:
    """Whether a fingerprint is that of the claim, its tight examples and what is not known tight, as they are; see `is_of`."""
    source, _, said = known.partition("-")
    return source == strength_source(claim) and said == strength_meaning(claim)
