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
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import verify
from verify.claims.catalogue import Catalogue, Collection, Declaration, claims_of
from verify.claims.claim import Claim, Conjectured, DerivedHere, FalseAsPrinted, Source, Stated
from verify.claims.packages import CHECKED_CERTIFICATES, cache_folder
from verify.report.evidence import certificate_of, evidence_of

SCHEMA = 4
STATUSES = {status.name: status for status in (Stated(), DerivedHere(), Conjectured())}
CODE = tuple(importlib.machinery.all_suffixes())


class Listing(Collection[Declaration]):
    """The declarations of one or several packages."""


Progress = Callable[[int], AbstractContextManager[Callable[[str], object]]]
"""Of a number of claims, what is called with the name of each that is done."""


@contextmanager
def silent(number: int) -> Iterator[Callable[[str], object]]:  # noqa: ARG001
    """No progress is shown."""
    yield lambda name: None  # noqa: ARG005


def listing(package: str, progress: Progress = silent) -> Listing:
    """The declarations of a package: from the index if nothing has changed since, else from its modules.

    That their evidence is of the present statements takes a while where nothing is known of them: `progress` is told of it.

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
    from verify.evidence.kept import keeping

    # modules of which an earlier form has been imported, or that are saved meanwhile, make no index of what is on the disk
    contents = None if file is None or package in sys.modules else _contents(folders)
    before = frozenset(sys.modules)
    with keeping():
        claims = claims_in(package)
        declarations = _declarations(claims, package, progress)
    # what cannot be imported is told of every time
    if file is not None and contents and not claims.problems and not _asks_for_chance(folders, before):
        _write(file, declarations, contents, folders)
    return declarations


def declared(declaration: Declaration) -> Claim:
    """The claim of a declaration; its module is imported, and no other that it does not name."""
    module = importlib.import_module(declaration.module)
    return next(claim for claim in claims_of(module) if claim.id == declaration.id)


def _declarations(claims: Catalogue, package: str, progress: Progress) -> Listing:
    from verify.checker.last_run import form_of
    from verify.report.words import unwrapped

    naming: dict[str, list[str]] = {}
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            for claim in claims_of(module):
                naming.setdefault(claim.id, []).append(name)
    result = Listing()
    with progress(len(claims)) as done:
        for claim in claims.values():
            witness, home = _witness(claim, package), unwrapped(claim.statement).__module__
            result[claim.id] = Declaration(
                claim.id,
                claim.title,
                claim.source,
                claim.status,
                home if home in naming[claim.id] else naming[claim.id][0],
                evidence_of(claim, package, witness is not None),
                None if witness is None else str(witness),
                certificate_of(claim, package),
                form_of(claim),
            )
            done(claim.id)
    result.problems, result.retired = claims.problems, claims.retired
    result.aliases, result.packages = claims.aliases, claims.packages
    return result


def _witness(claim: Claim, package: str) -> Path | None:
    """The witness that a package carries of the present statement."""
    from verify.evidence import UnusableWitness, packaged_witness, read_witness

    path = packaged_witness(claim, package)
    try:
        return None if path is None or read_witness(path, {claim.id: claim})[0].claim_id != claim.id else path
    except UnusableWitness:
        return None


def _folders(package: str) -> tuple[Path, ...]:
    """Where the modules of a package are, without importing it; nowhere if it is no package."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):  # a parent that is none, or a module made by hand
        return ()
    return tuple(Path(place).resolve() for place in (spec.submodule_search_locations or ())) if spec is not None else ()


def _file(package: str, folders: tuple[Path, ...]) -> Path | None:
    """Where the index of a package is kept; packages of one name in two places are two."""
    cache = cache_folder()
    if not folders or cache is None:
        return None
    place = hashlib.sha256("\n".join(map(str, folders)).encode()).hexdigest()[:12]
    return cache / f"{package}-{place}.index.json"


def _contents(folders: tuple[Path, ...]) -> str:
    """Fingerprint of all modules of `verify`, of all files in these folders, and of the surroundings that they name.

    Nothing where one asks the clock or for chance when it is imported.
    """
    from verify.evidence.kept import surroundings

    digest = hashlib.sha256(sys.version.encode())
    for root in (Path(verify.__file__).resolve().parent, *folders):
        for folder, inner, files in os.walk(root):
            inner[:] = sorted(name for name in inner if name != "__pycache__")
            for name in sorted(files):
                if name.endswith(CODE) or root in folders:
                    data = Path(folder, name).read_bytes()
                    digest.update(f"{folder}/{name}\n{len(data)}\n".encode() + data)
                    around = surroundings(Path(folder, name), data) if root in folders else ""
                    if around is None:
                        return ""
                    digest.update(around.encode())
    return digest.hexdigest()


def _asks_for_chance(folders: tuple[Path, ...], before: frozenset[str]) -> bool:
    """Whether a module beside the package, which was imported with it, asks the clock or for chance when it is imported."""
    from verify.evidence.kept import surroundings
    from verify.linting.installed import installed_places

    beside = (file for file in _other_modules(folders, before) if not file.startswith(installed_places()))
    return any(surroundings(Path(file), Path(file).read_bytes()) is None for file in beside)


def _other_modules(folders: tuple[Path, ...], before: frozenset[str] = frozenset()) -> Iterator[str]:
    """Files of the modules that are imported now and what they opened, but for those of `_contents` and of Python itself.

    Modules that were there `before` are left out. What was opened may have been run, by `exec`.
    """
    from verify.evidence.kept import OPENED
    from verify.linting.installed import is_followed

    opened = (file for file, top in OPENED.items() if is_followed(top) and Path(file).is_file())
    yield from (file for file in opened if not file.startswith(tuple(map(str, folders))))
    covered = (str(Path(verify.__file__).resolve().parent), *map(str, folders))
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name in before or not isinstance(file, str) or not Path(file).is_file() or file.startswith(covered):
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
            status = Path(file).stat()
            return f"{status.st_size} {status.st_mtime_ns}"
        from verify.evidence.kept import variables_named
        from verify.linting.installed import installed_places

        data = Path(file).read_bytes()
        around = variables_named(data) if file.endswith(".py") and not file.startswith(installed_places()) else ""
        return hashlib.sha256(data + around.encode()).hexdigest()
    except OSError:
        return ""


def _read(file: Path, package: str, folders: tuple[Path, ...]) -> Listing | None:
    """The listing that is kept, if it is of the present files. What cannot be read is thrown away, and said."""
    from verify.evidence.files import UnusableFile, from_json, read_text, throw_away

    if not os.path.lexists(file):
        return None
    try:
        document = from_json(read_text(file))
        # of another version of this package
        if isinstance(document, dict) and type(schema := document.get("schema")) is int and schema != SCHEMA:
            return None
        result = _listing(document)
    except (UnusableFile, ValueError, KeyError, TypeError, AttributeError) as error:
        throw_away(file, " ".join(f"not an index of claims: {type(error).__name__}: {error}".split()))
        return None
    try:
        if not document["contents"] or document["contents"] != _contents(folders) or document["checked"] != _checked():
            return None
    except OSError:  # a file that goes meanwhile
        return None
    if any(not stamp or _stamp(path) != stamp for path, stamp in document["others"].items()):
        return None
    result.packages = dict.fromkeys(result, package)
    return result


def _checked() -> str:
    """Changes with the certificates that were checked here."""
    cache = cache_folder()
    return "" if cache is None else _stamp(str(cache / CHECKED_CERTIFICATES))


def _listing(document: Any) -> Listing:
    texts = [document["contents"], document["checked"], *document["others"], *document["others"].values()]
    for name in ("retired", "aliases"):
        texts += [*document[name], *document[name].values()]
    if type(document["schema"]) is not int or not all(isinstance(text, str) for text in texts):
        raise TypeError("the schema is a number, and names and fingerprints are text")
    result = Listing((entry["id"], _declaration(entry)) for entry in document["claims"])
    result.retired, result.aliases = dict(document["retired"]), dict(document["aliases"])
    return result


def _declaration(entry: dict[str, Any]) -> Declaration:
    plain = {name: entry[name] for name in ("id", "title", "module", "evidence", "witness", "certificate", "form")}
    name, correction = entry["status"]
    source = Source(**entry["source"])
    texts = [value for key, value in plain.items() if key not in ("witness", "certificate") or value is not None]
    texts += [value for value in asdict(source).values() if value is not None]
    if not all(isinstance(text, str) for text in (*texts, *(() if correction is None else (correction,)))):
        raise TypeError("what a claim says of itself is text")
    status = FalseAsPrinted(correction) if name == FalseAsPrinted.name else STATUSES[name]
    return Declaration(**plain, source=source, status=status)


def _write(file: Path, declarations: Listing, contents: str, folders: tuple[Path, ...]) -> None:
    from verify.evidence import write_whole

    document = {
        "schema": SCHEMA,
        "contents": contents,
        "checked": _checked(),
        "others": {path: _stamp(path) for path in _other_modules(folders)},
        "retired": dict(declarations.retired),
        "aliases": dict(declarations.aliases),
        "claims": [
            asdict(declaration) | {"status": (declaration.status.name, declaration.corrected_by)}
            for declaration in declarations.values()
        ],
    }
    with suppress(OSError):  # a home that cannot be written to
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(document) + "\n")
