"""What packages declare, without importing them: an index in the user's cache, with fingerprints of all that it was read from.

It is a convenience: where it cannot be kept, or anything has changed, the package is imported as ever. Fingerprints are of the
contents of all files of the package, with its witnesses and certificates, and of all modules of `verify`; and of
every other module that was imported, where of installed distributions the size and the time of the last change are taken.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import verify
from verify.catalogue import Catalogue, Collection, Declaration, claims_of
from verify.claim import Claim, Conjectured, FalseAsPrinted, Ours, Source, Stated

SCHEMA = 1
STATUSES = {one.name: one for one in (Stated(), Ours(), Conjectured())}
CODE = tuple(importlib.machinery.all_suffixes())


class Listing(Collection[Declaration]):
    """The declarations of one or several packages."""


def listing(package: str) -> Listing:
    """The declarations of a package: from the index if nothing has changed since, else from its modules.

    Raises
    ------
    Exception
        Whatever the package raises when it is imported.
    """
    folders = _folders(package)
    file = _file(package, folders)
    known = None if file is None else _read(file, package, folders)
    if known is not None:
        return known
    from verify.checker.running import claims_in

    # modules of which an earlier form has been imported, or that are saved meanwhile, make no index of what is on the disk
    before = None if file is None or package in sys.modules else _contents(folders)
    claims = claims_in(package)
    made = _declarations(claims, package)
    # what cannot be imported is told of every time
    if file is not None and before is not None and not claims.problems:
        _write(file, made, before, folders)
    return made


def declared(one: Declaration) -> Claim:
    """The claim of a declaration; its module is imported, and no other that it does not name."""
    module = importlib.import_module(one.module)
    return next(claim for claim in claims_of(module) if claim.id == one.id)


def _declarations(claims: Catalogue, package: str) -> Listing:
    from verify.checker.evidence import packaged_witness
    from verify.checker.strength import known_strengths
    from verify.report.words import unwrapped

    naming: dict[str, list[str]] = {}
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            for claim in claims_of(module):
                naming.setdefault(claim.id, []).append(name)
    strengths = known_strengths(package)
    result = Listing()
    for one in claims.values():
        witness, strength, home = packaged_witness(one, package), strengths.get(one.id), unwrapped(one.statement).__module__
        result[one.id] = Declaration(
            one.id,
            one.title,
            one.source,
            one.status,
            home if home in naming[one.id] else naming[one.id][0],
            _tier(one, witness, package),
            strength.in_a_word() if strength is not None else "not measured",
            None if witness is None else str(witness),
        )
    result.problems, result.retired = claims.problems, claims.retired
    result.aliases, result.packages = claims.aliases, claims.packages
    return result


def _tier(claim: Claim, witness: Path | None, package: str) -> str:
    """What a certificate of the present statement proves, or what the declaration promises; a run may decide more."""
    from verify.checker.evidence.files import certificate_folder
    from verify.proofs.certificate import UnusableCertificate, read_certificate
    from verify.proofs.methods import tier

    declared = "argued" if claim.argument else "exact" if claim.exact or witness is not None else "searched"
    path = certificate_folder(package) / f"{claim.id}.json"
    if not path.is_file():
        return declared
    try:
        certificate = read_certificate(path)
    except UnusableCertificate:
        return f"{declared}, certificate is stale"
    return tier(certificate) if certificate.fits(claim) else f"{declared}, certificate is stale"


def _folders(package: str) -> tuple[Path, ...]:
    """Where the modules of a package are, without importing it; nowhere if it is no package."""
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError):  # a parent that is none, or a module made by hand
        return ()
    return tuple(Path(place).resolve() for place in (found.submodule_search_locations or ())) if found is not None else ()


def _file(package: str, folders: tuple[Path, ...]) -> Path | None:
    """Where the index of a package is kept; packages of one name in two places are two."""
    if not folders:
        return None
    with suppress(RuntimeError):  # no home
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        place = hashlib.sha256("\n".join(map(str, folders)).encode()).hexdigest()[:12]
        return cache / "deep-l2-verify" / f"{package}-{place}.index.json"
    return None


def _contents(folders: tuple[Path, ...]) -> str:
    """Fingerprint of all modules of `verify`, and of all files in these folders."""
    digest = hashlib.sha256(sys.version.encode())
    for root in (Path(verify.__file__).resolve().parent, *folders):
        for folder, inner, files in os.walk(root):
            inner[:] = sorted(name for name in inner if name != "__pycache__")
            for name in sorted(files):
                if name.endswith(CODE) or root in folders:
                    data = Path(folder, name).read_bytes()
                    digest.update(f"{folder}/{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()


def _other_modules(folders: tuple[Path, ...]) -> Iterator[str]:
    """Files of the modules that are imported now, but for those of `_contents` and of Python itself."""
    covered = (str(Path(verify.__file__).resolve().parent), *map(str, folders))
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not Path(file).is_file() or file.startswith(covered):
            continue
        # what is installed may lie in the folder of Python's own modules
        if file.startswith(_places()) or not file.startswith(sysconfig.get_path("stdlib")):
            yield file


@functools.cache
def _places() -> tuple[str, ...]:
    """Where distributions are installed."""
    return sysconfig.get_path("purelib"), sysconfig.get_path("platlib")


def _stamp(file: str) -> str:
    """What changes with the file."""
    try:
        if file.startswith(_places()):
            found = Path(file).stat()
            return f"{found.st_size} {found.st_mtime_ns}"
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


def _read(file: Path, package: str, folders: tuple[Path, ...]) -> Listing | None:
    """The listing that is kept, if it is one of ours and of the present files."""
    try:
        kept = json.loads(file.read_bytes())
        if kept["schema"] != SCHEMA or kept["contents"] != _contents(folders):
            return None
        if any(_stamp(path) != stamp for path, stamp in kept["others"].items()):
            return None
        result = Listing((one["id"], _declaration(one)) for one in kept["claims"])
        result.retired, result.aliases = dict(kept["retired"]), dict(kept["aliases"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # no file, or none of ours
        return None
    result.packages = dict.fromkeys(result, package)
    return result


def _declaration(kept: dict[str, Any]) -> Declaration:
    plain = {name: kept[name] for name in ("id", "title", "module", "tier", "strength", "witness")}
    name, correction = kept["status"]
    status = FalseAsPrinted(correction) if name == FalseAsPrinted.name else STATUSES[name]
    return Declaration(**plain, source=Source(**kept["source"]), status=status)


def _write(file: Path, made: Listing, contents: str, folders: tuple[Path, ...]) -> None:
    from verify.checker.evidence import write_whole

    kept = {
        "schema": SCHEMA,
        "contents": contents,
        "others": {path: _stamp(path) for path in _other_modules(folders)},
        "retired": dict(made.retired),
        "aliases": dict(made.aliases),
        "claims": [asdict(one) | {"status": (one.status.name, one.corrected_by)} for one in made.values()],
    }
    with suppress(OSError):  # a home that cannot be written to
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(kept) + "\n")
