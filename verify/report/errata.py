"""The errata: a page for each document with what is false as printed, made from the claims, as reStructuredText for Sphinx."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator

from verify.claim import DOCUMENTS, Claim, FalseAsPrinted
from verify.report import fragments, words
from verify.report.atlas import Atlas, Said, Theorem, markup, plain, quoted, raw, said, short_name, title


def pages(atlas: Atlas) -> dict[str, str]:
    """All files of the errata, by their paths in the folder ``errata``."""
    documents = [document for document in DOCUMENTS if any(_wrong(atlas, document)) or misprints(atlas, document)]
    index = title("Errata")
    index += (
        "What is false as printed, with an instance that shows it, and what is true. Each instance is decided by exact "
        "arithmetic; the commands repeat it.\n\n.. toctree::\n   :maxdepth: 2\n\n"
    )
    index += "".join(f"   {short_name(document)} <{document}>\n" for document in documents)
    return {"index.rst": index} | {f"{document}.rst": document_page(atlas, document) for document in documents}


def _wrong(atlas: Atlas, document: str) -> Iterator[tuple[Theorem, list[Claim]]]:
    """The theorems of a document that have claims which are false as printed, with these."""
    if document in {place for place, _ in atlas.theorems}:
        for theorem in atlas.of_document(document):
            found = [claim for claim in theorem.claims if isinstance(claim.status, FalseAsPrinted)]
            if found:
                yield theorem, found


def misprints(atlas: Atlas, document: str) -> list[str]:
    """What the docstring of a document lists below "Misprints": slips that no claim is made of."""
    module = sys.modules.get(f"{atlas.package}.{document}")
    text = inspect.cleandoc((module.__doc__ if module else None) or "")
    found = re.search(r"^Misprints\n((?: .*\n?|\n)+)", text, re.MULTILINE)
    if found is None:
        return []
    entries: list[str] = []
    for line in textwrap.dedent(found[1]).strip().splitlines():
        # a new entry begins with its place in the document and a colon, after an entry that is complete
        if entries and not (entries[-1].endswith(".") and re.match(r"[A-Z][^.:]*:", line)):
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line.strip())
    return entries


def document_page(atlas: Atlas, document: str) -> str:
    """The page of one document."""
    text = title(plain(DOCUMENTS[document]))
    for theorem, claims in _wrong(atlas, document):
        text += _theorem(atlas, theorem, claims)
    smaller = misprints(atlas, document)
    if smaller:
        text += title("Misprints", "-")
        text += "".join(f"* {markup(entry)}\n" for entry in smaller) + "\n"
    return text


def _theorem(atlas: Atlas, theorem: Theorem, claims: list[Claim]) -> str:
    text = title(theorem.title, "-")
    text += f":doc:`In the atlas </atlas/{theorem.document}/{theorem.name}>`\n\n"
    told: set[str] = set()
    for part in theorem.parts:
        wrong = [claim for claim in part.claims if claim in claims]
        # a part that has no statement of its own is a part of what the theorem states
        source = part.module if "Statement" in said(part.module).rubrics else theorem.home
        if wrong and source.__name__ not in told:
            told.add(source.__name__)
            text += _printed(said(source))
        text += "".join(_claim(atlas, claim) for claim in wrong)
    return text


def _printed(words_of: Said) -> str:
    """What is printed, and what is wrong with it."""
    names = {"Statement": "As printed", "Correction": "What is wrong, and what is true"}
    found = [(shown, words_of.rubrics[name]) for name, shown in names.items() if name in words_of.rubrics]
    return "".join(f".. rubric:: {shown}\n\n{body}\n\n" for shown, body in found)


def _claim(atlas: Atlas, claim: Claim) -> str:
    def linked(name: str, shown: str) -> str:
        return f'<a href="{atlas.link(name, "../atlas/")}">{shown}</a>'

    text = title(plain(claim.title), "~")
    text += raw(f'<p class="head" id="{claim.id}">{linked(claim.id, f"<code>{claim.id}</code>")}</p>')
    text += f"What is checked, and false:\n\n{quoted(words.docstring(claim.statement))}"
    shown = fragments.witness(claim, atlas.claims, atlas.package)
    text += raw(f"<h4>An instance at which it fails</h4>{shown}") if shown else ""
    if isinstance(claim.status, FalseAsPrinted):
        true = atlas.claims[claim.status.corrected_by]
        text += raw(f"<p>True instead: {linked(true.id, fragments.inline(true.title))} (<code>{true.id}</code>)</p>")
        text += quoted(words.docstring(true.statement))
    return text
