"""What the site needs of Sphinx: the pages that are made from the claims, and formulas in MathML."""

from __future__ import annotations

import dataclasses
import itertools
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from verify.claims.catalogue import catalogue
from verify.claims.errata import table
from verify.evidence.files import UnusableFile
from verify.notation.mathml import UnreadableFormula, mathml
from verify.report import words
from verify.report.index import listing
from verify.report.map import map_of
from verify.report.map.pages import numbers
from verify.site import atlas, errata, experiments, reference, sentences, terms
from verify.site.thumbnails import add_thumbnails

RESULTS = "VERIFY_RESULTS"
"""The environment variable with the path of a file of ``verify run --json``: with it pages say outcomes and evidence."""

logger = logging.getLogger(__name__)


def write_pages(docs: Path) -> dict[str, str]:
    """Write all generated pages as files below `docs`; files that did not change are left alone, others go.

    Returned is what the written pages take from the claims, by name: `numbers`, in HTML.

    Raises
    ------
    ExtensionError
        The file of results cannot be read.
    ValueError
        A module of the theorems cannot be imported, or a table of sentences cannot be read.
    """
    results = os.environ.get(RESULTS)
    try:
        records = atlas.read_records(Path(results)) if results else None
    except UnusableFile as error:
        raise ExtensionError(f"{RESULTS} must be the path of a file of `verify run --json`: {error}") from None
    claims = catalogue()
    if claims.problems:
        raise ValueError(f"the pages need all theorems: {'; '.join(claims.problems)}")
    site_atlas = atlas.atlas_of(claims, records=records)
    order = [f"{paper}.{page.name}" for paper in atlas.papers(site_atlas) for page in site_atlas.of_paper(paper)]
    site_atlas = dataclasses.replace(site_atlas, theory=map_of(claims, listing(site_atlas.package), site_atlas.package, order))
    _write(docs / "atlas", atlas.pages(site_atlas))
    _write(docs / "_extra" / "c", atlas.address_pages(site_atlas), ".html")
    _write(docs / "errata", errata.pages(site_atlas))
    figures = experiments.pages(docs / "experiments")
    _write(docs / "experiments", figures)
    _write(docs / "sentences", sentences.pages(site_atlas, {name.removesuffix(".rst") for name in figures}))
    _write(docs / "reference", reference.pages())
    wrong = sum(len(table(paper, site_atlas.package)) for paper in words.papers(site_atlas.package))
    return {"numbers": numbers(site_atlas.theory, wrong)}


def _write(folder: Path, pages: Mapping[str, str], suffix: str = ".rst") -> None:
    """Sphinx reads again what is newer than its page, so a page that is the same keeps its time."""
    if folder.exists():
        for path in folder.rglob(f"*{suffix}"):
            if str(path.relative_to(folder)) not in pages:
                path.unlink()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _inline_math(translator: Any, node: nodes.math) -> None:
    translator.body.append(_shown(node, block=False))
    raise nodes.SkipNode


def _block_math(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{_shown(node, block=True)}</div>')
    raise nodes.SkipNode


def _shown(node: nodes.Element, *, block: bool) -> str:
    try:
        return mathml(node.astext(), block=block)
    except UnreadableFormula as error:
        logger.warning("%s", error, location=node)
        return f"<code>{nodes.unescape(node.astext())}</code>"


def _one_name_a_line(_app: Sphinx, _what: str, _name: str, _value: object, _options: object, lines: list[str]) -> None:
    """Attributes that are described together, such as "source, status", stand by themselves, each with the description."""
    if "Attributes" not in lines:
        return
    before, place = lines[: lines.index("Attributes") + 2], lines.index("Attributes") + 2
    while place < len(lines):
        line = lines[place]
        body = list(itertools.takewhile(lambda line: not line.strip() or line.startswith(" "), lines[place + 1 :]))
        is_list = re.fullmatch(r"\w+(, \w+)+", line) is not None
        for name in line.split(", ") if is_list else [line]:
            before += [name, *body]
        place += 1 + len(body)
    lines[:] = before


def _link_terms(app: Sphinx, document: nodes.document, page: str) -> None:
    """The glossary links its terms itself."""
    if page != "glossary" and app.builder.format == "html":
        terms.link_terms(document, app.builder.get_relative_uri(page, "glossary"))


def _add_thumbnails(app: Sphinx, document: nodes.document, page: str) -> None:
    """After the outputs of cells are chosen, and before their pictures are copied to the site."""
    if page == "gallery" and app.builder.format == "html":
        add_thumbnails(document)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer, as ``html_math_renderer = "mathml"``; the pages are written when the source is known."""
    app.add_html_math_renderer("mathml", (_inline_math, None), (_block_math, None))
    # before napoleon, which reads them
    app.connect("autodoc-process-docstring", _one_name_a_line, priority=400)
    app.connect("doctree-resolved", _link_terms)
    app.connect("doctree-resolved", _add_thumbnails)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
