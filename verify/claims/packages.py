"""Which packages of claims there are: ours, those that are installed beside it, and the one of the project one stands in.

A package is found by the entry point ``verify.claims`` of its project::

    [project.entry-points."verify.claims"]
    mine = "mine"
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tomllib
from contextlib import suppress
from pathlib import Path

GROUP = "verify.claims"
OURS = "theorems"
CHECKED_CERTIFICATES = "checked_certificates.txt"
"""File in the cache of the certificates that were checked here, see `verify.proofs.checked`."""
ALL_SIZES = "all_sizes"
"""Folder of the certificates for all sizes, in that of those at single sizes."""


def cache_folder() -> Path | None:
    """Where what can be made anew is kept for the user; nowhere if there is no home."""
    with suppress(RuntimeError):
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deep-l2-verify"
    return None


def project_here(folder: Path | None = None) -> tuple[Path, tuple[str, ...]] | None:
    """The project around `folder` (the current one) and its packages of claims; None where no project declares any.

    Raises
    ------
    ValueError
        Its ``pyproject.toml`` cannot be read.
    """
    folder = (folder or Path.cwd()).resolve()
    for root in (folder, *folder.parents):
        file = root / "pyproject.toml"
        if file.is_file():
            try:
                project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise ValueError(f"{file} is not TOML: {error}") from error
            declared = project.get("entry-points", {}).get(GROUP, {})
            return (root, tuple(declared.values())) if declared else None
    return None


def packages_here() -> tuple[str, ...]:
    """The packages of the project around the current folder, made importable from there.

    Raises
    ------
    ValueError
        See `project_here`.
    """
    project = project_here()
    if project is None:
        return ()
    root, packages = project
    for place in (root / "src", root):
        holds_one = any((place / package.partition(".")[0]).exists() for package in packages)
        if holds_one and str(place) not in sys.path:
            # in front of what is installed: what one edits is what is checked
            sys.path.insert(0, str(place))
    return packages


def known_packages() -> tuple[str, ...]:
    """All packages: those of the project one stands in, ours, and those that are installed.

    Raises
    ------
    ValueError
        See `project_here`.
    """
    from importlib.metadata import entry_points  # takes as long as all of the command line

    installed = [point.value for point in entry_points(group=GROUP)]
    ours = [OURS] if importlib.util.find_spec(OURS) is not None else []
    return tuple(dict.fromkeys([*packages_here(), *ours, *installed]))
