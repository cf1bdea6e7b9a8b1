"""Which certificates this package has checked itself: only they are counted as proved.

A certificate is a file that anybody can write, with whatever digest: it says nothing until its statement is derived again,
which takes minutes for a catalogue. So that it was done is kept in the user's cache, under a digest of all that the answer
rests on: the certificate, the statement and the code of this package. A certificate from elsewhere, a changed statement and
another version of the package have no entry there.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import flint
import numpy as np

import verify
from verify.claims.claim import Claim
from verify.claims.packages import CHECKED_CERTIFICATES, cache_folder
from verify.evidence.files import UnusableFile, append_lines, read_text
from verify.evidence.fingerprint import claim_fingerprint
from verify.proofs.certificate import Certificate, document_of
from verify.proofs.methods import check


def is_checked(certificate: Certificate, claim: Claim) -> bool:
    """Whether `check_and_remember` has accepted this certificate of this statement before, with this code."""
    return _is_among_kept(lambda: document_of(certificate), claim)


def is_kept(document: Mapping[str, Any], claim: Claim) -> bool:
    """Whether a certificate with these plain values was checked before; see `is_checked`."""
    return _is_among_kept(lambda: document, claim)


def _is_among_kept(document: Callable[[], Mapping[str, Any]], claim: Claim) -> bool:
    kept = _kept()
    # where nothing was checked no key is made: it would evaluate the statement
    return bool(kept) and _key(document(), claim) in kept


def check_and_remember(certificate: Certificate, claim: Claim) -> list[int]:
    """See `verify.proofs.methods.check`; what it accepts is kept."""
    points = check(certificate, claim)
    remember(certificate, claim)
    return points


def remember(certificate: Certificate, claim: Claim) -> None:
    """Keep that this certificate was checked."""
    keep(document_of(certificate), claim)


def keep(document: Mapping[str, Any], claim: Claim) -> None:
    """Keep that a certificate with these plain values was checked."""
    cache, key = cache_folder(), _key(document, claim)
    if cache is not None and key not in _kept():
        with suppress(OSError):  # a home that cannot be written to: it is checked anew the next time
            cache.mkdir(parents=True, exist_ok=True)
            append_lines(cache / CHECKED_CERTIFICATES, [key])


def _kept() -> frozenset[str]:
    cache = cache_folder()
    if cache is not None:
        with suppress(UnusableFile):  # no file, or none of ours
            return frozenset(read_text(cache / CHECKED_CERTIFICATES).split("\n"))
    return frozenset()


def _key(document: Mapping[str, Any], claim: Claim) -> str:
    text = json.dumps(document, sort_keys=True)
    return hashlib.sha256(f"{_code()} {claim.id} {claim_fingerprint(claim)} {text}".encode()).hexdigest()


@functools.cache
def _code() -> str:
    """Of all modules of this package, and of the versions that exact numbers come from."""
    digest = hashlib.sha256(f"{sys.version} {flint.__version__} {np.__version__}".encode())
    root = Path(verify.__file__).resolve().parent
    for path in sorted(root.rglob("*.py")):
        digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()
