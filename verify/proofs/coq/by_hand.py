"""Theorems in Coq that a package brings, written by hand: which claim each of them states."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from verify.evidence.files import witness_folder

FOLDER = "coq"
"""The folder of a package with ``.v`` files and a ``Makefile``."""
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


@functools.cache
def theorems_by_hand(package: str = "theorems") -> dict[str, ByHand]:
    """The theorems of a package by the claim that the comment before each names, as ``(** [id] *)``; none without a folder.

    That Coq accepts them shows ``make -C PACKAGE/coq``.
    """
    folder = witness_folder(package).with_name(FOLDER)
    return {
        claim: ByHand(f"{FOLDER}/{path.name}", name)
        for path in sorted(folder.glob("*.v"))
        for claim, name in _THEOREM.findall(path.read_text(encoding="utf-8"))
    }
