"""Find the claims of a package: every module-level `Claim` of its modules, by id."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from types import ModuleType

from verify.claim import Claim, FalseAsPrinted


class UnknownClaim(LookupError):
    """No claim or folder has this name; the message gives the nearest ones."""


def claims_of(module: ModuleType) -> list[Claim]:
    """The claims that `module` declares, in their order."""
    return [value for value in vars(module).values() if isinstance(value, Claim)]


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        yield importlib.import_module(found.name)


def catalogue(package: str = "theorems") -> Mapping[str, Claim]:
    """All claims of `package`, by id, in the order of the ids.

    Raises
    ------
    ValueError
        Two claims have one id, or a correction names a claim that does not exist.
    """
    found: dict[str, Claim] = {}
    for module in _modules(importlib.import_module(package)):
        for claim in claims_of(module):
            if found.setdefault(claim.id, claim) is not claim:
                raise ValueError(f"two claims have the id {claim.id}; the second is in {module.__name__}")
    for claim in found.values():
        if isinstance(claim.status, FalseAsPrinted) and claim.status.corrected_by not in found:
            raise ValueError(f"{claim.id} is said to be corrected by {claim.status.corrected_by}, which does not exist")
    return dict(sorted(found.items()))


def select(claims: Mapping[str, Claim], names: list[str]) -> list[Claim]:
    """The claims with these ids, in these folders or with these prefixes; all claims if no name is given.

    Raises
    ------
    UnknownClaim
        A name is none of these.
    """
    if not names:
        return list(claims.values())
    chosen: dict[str, Claim] = {}
    for name in names:
        wanted = name.strip("/").removeprefix("theorems/")
        matching = {key: claim for key, claim in claims.items() if key == wanted or key.startswith(wanted + ".")}
        if not matching:
            raise UnknownClaim(_unknown(name, claims))
        chosen.update(matching)
    return list(chosen.values())


def _unknown(name: str, claims: Mapping[str, Claim]) -> str:
    folders = sorted({claim.document for claim in claims.values()})
    near = difflib.get_close_matches(name, [*claims, *folders], n=3, cutoff=0.4)
    near += [key for key in claims if key.split(".", 1)[1] == name and key not in near]
    hint = f"nearest: {', '.join(near)}" if near else f"folders: {', '.join(folders)}"
    return f"no claim or folder is called {name!r}; {hint}"
