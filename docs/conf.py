"""Sphinx configuration; the pages of the theorems are written from the claims when the docs are built."""

from __future__ import annotations

from pathlib import Path

from verify import __version__, catalogue
from verify.claim import DOCUMENTS
from verify.report.description import describe

project = "deep-l2-verify"
version = release = __version__
extensions = ["myst_nb"]
# the notebook is kept without its outputs: what the site shows is what the present code gives
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["_build"]
html_theme = "alabaster"


def write_theorem_pages(folder: Path) -> None:
    """One page for each document, with a section for each of its claims."""
    folder.mkdir(exist_ok=True)
    claims = catalogue()
    for document, title in DOCUMENTS.items():
        lines = [f"# {title}", ""]
        for claim in claims.values():
            if claim.document == document:
                lines += [f"## {claim.id}", "", claim.title, "", "```text", describe(claim, claims, "theorems"), "```", ""]
        (folder / f"{document}.md").write_text("\n".join(lines), encoding="utf-8")


write_theorem_pages(Path(__file__).parent / "theorems")
