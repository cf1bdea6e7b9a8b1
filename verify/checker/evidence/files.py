"""Files that are either the old one or the whole new one, whatever interrupts the writing; and where witnesses are kept."""

from __future__ import annotations

import importlib
from pathlib import Path

from verify.claim import Claim


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path`, replacing what is there only when all is written; a link stays one, and its target is written."""
    path = path.resolve()
    partial = path.with_name(path.name + ".part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)


def witness_folder(package: str = "theorems") -> Path:
    """The folder ``witnesses`` of the package, or beside the module, of this name; it need not exist."""
    module = importlib.import_module(package)
    places = list(getattr(module, "__path__", ())) or [Path(module.__file__ or ".").parent]
    return Path(places[0]) / "witnesses"


def packaged_witness(claim: Claim, package: str = "theorems") -> Path | None:
    """The witness file that `package` carries for `claim`; None if it carries none."""
    path = witness_folder(package) / f"{claim.id}.json"
    return path if path.is_file() else None
