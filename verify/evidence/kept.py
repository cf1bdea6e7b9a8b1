"""Fingerprints that are kept from one command to the next, in the user's cache, as long as no file has changed.

They are kept for the claims of packages that a command imports itself, and for nothing else: what a notebook or a test has
changed in memory has no file. A cache that cannot be read, or that another version made, is thrown away.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import metadata
from pathlib import Path
from typing import Any

from verify.claims.claim import Claim
from verify.evidence.files import UnusableFile, from_json, read_text, write_whole
from verify.linting.installed import is_followed

SCHEMA = 1
NOT_THE_STATEMENT = frozenset({"__pycache__", "certificates", "witnesses", "baseline.json", "strength.json"})
"""What of a package is evidence, or made from its files."""
NOT_THE_ENGINE = frozenset({"__pycache__", "cli", "report", "schemas", "site", "templates", "trained"})
"""Folders of `verify` that no statement is computed with."""
CLOCK_MARGIN = 2.0
"""Seconds by which the clock of a file may be behind."""


COMPUTING = ("numpy", "scipy", "python-flint", "sympy", "networkx", "cvxpy")
"""Packages that statements are computed with."""


OPENED: dict[str, str] = {}
"""Files that modules opened while they were imported, with the package of the module."""


@functools.cache
def _note_files() -> None:
    """From now on, note what modules open while they are imported: their constants may come from there."""
    sys.addaudithook(_opens)


def _opens(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open" or not isinstance(arguments[0], str | os.PathLike) or str(arguments[1])[:1] in ("a", "w", "x"):
        return
    frame: Any = sys._getframe(1)
    while frame is not None:
        home = str(frame.f_globals.get("__name__", ""))
        if home.startswith("importlib._bootstrap"):  # the text of a module
            return
        # a program, and what `exec` runs, such as a worker of pytest-xdist, is no module that is imported
        if frame.f_code.co_name == "<module>" and getattr(frame.f_globals.get("__spec__"), "_initializing", False):
            if (top := home.partition(".")[0]) != "verify":
                OPENED[str(Path(arguments[0]).absolute())] = top
            return
        frame = frame.f_back


def surroundings(path: Path, data: bytes) -> str | None:
    """The variables of the surroundings that a module names, with their values; None where it asks the clock or for chance."""
    if path.suffix != ".py":
        return ""
    return None if OTHERWISE.search(data) and _asks_at_import(data) else variables_named(data)


def variables_named(data: bytes) -> str:
    """The variables of the surroundings that the text of a module names, with their values."""
    if b"environ" not in data and b"getenv" not in data:
        return ""
    named = (name for name in sorted(os.environ) if re.search(rf"\b{re.escape(name)}\b".encode(), data))
    return "".join(f"{name}={os.environ[name]}\n" for name in named)


OTHERWISE = re.compile(rb"\b(?:datetime|random|secrets|socket|subprocess|time|urandom|urllib|uuid)\b")
"""Names in the text of a module that may ask the clock or for chance."""


def _asks_at_import(data: bytes) -> bool:
    """Whether a module uses such a module of Python, or NumPy's random one, while it is imported.

    What stands outside of functions is run then, and so may be the functions of the module that are named there; a function of
    another module is not looked into.
    """
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return True
    every = [*ast.walk(tree)]
    functions = {node.name: node for node in every if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    bound = {
        alias.asname or alias.name.partition(".")[0]
        for node in every
        if isinstance(node, ast.Import | ast.ImportFrom) and OTHERWISE.search(ast.unparse(node).encode())
        for alias in node.names
    }
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += [*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)]
            continue
        if isinstance(node, ast.Call) and _is_seeded(node):
            waiting += [*node.args, *(keyword.value for keyword in node.keywords)]
            continue
        if isinstance(node, ast.Attribute) and node.attr == "Generator":  # a type
            continue
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in bound or (isinstance(node, ast.Attribute) and name in ("random", "urandom")):
            return True
        if name in functions:
            waiting += functions.pop(name).body
        waiting += ast.iter_child_nodes(node)
    return False


def _is_seeded(call: ast.Call) -> bool:
    """Whether a generator is made that draws the same numbers each time, from a seed that is not left out."""
    seeds = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "seed")]
    is_none = [isinstance(seed, ast.Constant) and seed.value is None for seed in seeds]
    return isinstance(call.func, ast.Attribute) and call.func.attr == "default_rng" and bool(seeds) and not any(is_none)


class Kept:
    """The fingerprints that were kept, and those that are found while a command runs."""

    def __init__(self) -> None:
        _note_files()
        self._files: dict[str, _File] = {}
        self._begun, self._before = time.time(), _followed()

    def get(self, claim: Claim, kind: str, compute: Callable[[], str]) -> str:
        """The fingerprint of one kind of a claim: from the cache, or else computed."""
        package = _declared_in(claim)
        if not package:
            return compute()
        if package not in self._files:
            self._files[package] = _File(package, self._contents(package))
        return self._files[package].get(f"{claim.id} {kind}", compute)

    def _contents(self, package: str) -> str:
        """Fingerprint of all files that fingerprints of a package may depend on; nothing where memory may hold other forms."""
        tops = _followed() | {package}
        return "" if tops & self._before else _contents(tops, self._begun - CLOCK_MARGIN)

    def write(self) -> None:
        """Keep what was found."""
        for file in self._files.values():
            file.write()


class _File:
    """The cache of one package."""

    def __init__(self, package: str, contents: str) -> None:
        self._contents, self._found = contents, False
        self._known: dict[str, str] = {}
        self._path: Path | None = None
        with suppress(RuntimeError):  # no home
            cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
            place = hashlib.sha256(str(_folder(package)).encode()).hexdigest()[:12]
            self._path = cache / "deep-l2-verify" / f"{package}-{place}.fingerprints.json"
            self._known = self._read()

    def _read(self) -> dict[str, str]:
        if self._path is None or not self._contents:
            return {}
        try:
            document = from_json(read_text(self._path))
        except UnusableFile:
            return {}
        if not isinstance(document, dict) or [document.get("schema"), document.get("contents")] != [SCHEMA, self._contents]:
            return {}
        known = document.get("fingerprints")
        if not isinstance(known, dict) or not all(
            re.fullmatch("[0-9a-f]{16}", f"{fingerprint}") for fingerprint in known.values()
        ):
            return {}
        return known

    def get(self, key: str, compute: Callable[[], str]) -> str:
        # also where nothing is kept a command asks for it again
        if key not in self._known:
            self._known[key], self._found = compute(), True
        return self._known[key]

    def write(self) -> None:
        if not self._found or self._path is None or not self._contents:
            return
        document = {"schema": SCHEMA, "contents": self._contents, "fingerprints": self._read() | self._known}
        with suppress(OSError):  # a home that cannot be written to, or a full disk
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, json.dumps(document) + "\n")


_IN_USE: ContextVar[Kept | None] = ContextVar("verify_kept_fingerprints", default=None)


@contextmanager
def keeping() -> Iterator[None]:
    """Keep the fingerprints that are asked for inside the block, and use those that were kept."""
    kept = Kept()
    token = _IN_USE.set(kept)
    try:
        yield
    finally:
        _IN_USE.reset(token)
        kept.write()


def kept(claim: Claim, kind: str, compute: Callable[[], str]) -> str:
    """The fingerprint of one kind of a claim, from the cache where one is in use."""
    in_use = _IN_USE.get()
    return compute() if in_use is None else in_use.get(claim, kind, compute)


def _declared_in(claim: Claim) -> str:
    """The package of which a module declares just this claim; none for a claim that was made in memory."""
    top = (getattr(claim.statement, "__module__", None) or "").partition(".")[0]
    for name in (getattr(claim.statement, "__module__", None), *list(sys.modules)):
        if name and (name == top or name.startswith(f"{top}.")):
            module = sys.modules.get(name)
            if module is not None and any(value is claim for value in vars(module).values()):
                return top
    return ""


def _folder(package: str) -> Path:
    return Path(getattr(sys.modules[package], "__file__", None) or "").resolve().parent


def _followed() -> frozenset[str]:
    """The packages in memory whose code is looked into."""
    # what compiled modules make in memory has no file
    tops = [
        name for name, module in list(sys.modules.items()) if "." not in name and getattr(module, "__spec__", None) is not None
    ]
    # the program has two names where there is `multiprocessing`
    return frozenset(name for name in tops if name not in ("__main__", "__mp_main__") and is_followed(name))


def _contents(tops: frozenset[str], latest: float) -> str:
    """Fingerprint of the files of `verify` and of these packages; nothing if one was written after this time."""
    digest = hashlib.sha256(f"{sys.version} {[version_of(name) for name in COMPUTING]}".encode())
    engine = Path(__file__).resolve().parents[1]
    files = list(files_in(engine, NOT_THE_ENGINE))
    for top in sorted(tops):
        places = [Path(place) for place in getattr(sys.modules[top], "__path__", ())]
        file = getattr(sys.modules[top], "__file__", None)
        for place in places:
            files += files_in(place.resolve(), NOT_THE_STATEMENT)
        if not places and file:
            files.append(Path(file))
    # constants of modules may come from files elsewhere
    files += sorted(Path(file) for file, top in OPENED.items() if top in tops and Path(file).is_file())
    for path in files:
        try:
            # what is in memory may be an earlier form
            if path.stat().st_mtime > latest:
                return ""
            data = path.read_bytes()
        except OSError:
            return ""
        digest.update(f"{path}\n{len(data)}\n".encode() + data)
        if path.is_relative_to(engine):
            continue
        around = surroundings(path, data)
        if around is None:
            return ""
        digest.update(around.encode())
    return digest.hexdigest()


def version_of(package: str) -> str:
    """The version of an installed package; nothing where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def files_in(root: Path, left_out: frozenset[str]) -> Iterator[Path]:
    """All files below a folder in one order, but those with these names, or in folders with these names."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if name not in left_out)
        yield from (Path(folder, name) for name in sorted(names) if name not in left_out)
