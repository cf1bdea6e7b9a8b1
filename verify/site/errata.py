"""The errata: a page for each paper with what is wrong as printed, by grade, as reStructuredText for Sphinx."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from verify.claims.claim import Claim, FalseAsPrinted
from verify.claims.errata import GRADES, Erratum, document, table
from verify.report import fragments, words
from verify.site import sentences
from verify.site.atlas import Atlas, Said, Theorem, formula, markup, plain, quoted, raw, said, short_name, title

REPLY = """.. admonition:: You wrote this paper?

   An entry says that a sentence, read by its letter, is false or has a slip. You may reply that

   * the sentence is meant otherwise: which reading is true, and where does the paper say so? The entry then gets the grade
     "unclear", with your reading, and a claim checks it;
   * a hypothesis is understood: name it, and a claim with that hypothesis checks the statement;
   * a later version has corrected it: which one? The entry then names the version;
   * the instance is wrong: ``verify check`` decides it again; :doc:`what a verdict means </verdicts>` says what that rests on.

   Send the id of the claim and one of these answers to whoever gave you this site, or open an issue where you found the code.
   An entry that is mistaken is withdrawn, and the changelog says so.

"""
"""What an author may answer, and how an error is reported."""


def pages(atlas: Atlas) -> dict[str, str]:
    """All files of the errata, by their paths in the folder ``errata``."""
    papers = [paper for paper in words.papers(atlas.package) if any(_wrong(atlas, paper)) or table(paper, atlas.package)]
    index = title("Errata")
    index += (
        "What is wrong as printed, with an instance that shows it, and what is true. Each instance is decided by exact "
        "arithmetic; the commands repeat it. What no claim is made of stands below the others, with the reason.\n\n"
    )
    index += _counts({paper: table(paper, atlas.package) for paper in papers})
    index += "".join(f"{grade}\n   {meaning}.\n\n" for grade, meaning in GRADES.items())
    index += ".. toctree::\n   :maxdepth: 2\n\n"
    index += "".join(f"   {short_name(paper)} <{paper}>\n" for paper in papers)
    return {"index.rst": index} | {f"{paper}.rst": paper_page(atlas, paper) for paper in papers}


def _counts(tables: Mapping[str, Sequence[Erratum]]) -> str:
    """How many there are of each grade in each paper, and how many of them a claim shows."""

    def row(name: str, errata: Sequence[Erratum]) -> list[str]:
        graded = Counter(entry.grade for entry in errata)
        shown = sum(1 for entry in errata if entry.claim)
        return [escape(name), *(str(graded[grade]) for grade in GRADES), str(len(errata)), str(shown)]

    every = [entry for of_paper in tables.values() for entry in of_paper]
    rows = [row(short_name(paper), of_paper) for paper, of_paper in tables.items()]
    rows += [row("all", every)] if len(rows) > 1 else []
    return title("Errata by grade", "-") + raw(fragments.table("", ["paper", *GRADES, "all", "shown by a claim"], rows))


def _wrong(atlas: Atlas, paper: str) -> Iterator[tuple[Theorem, list[Claim]]]:
    """The theorems of a paper that have claims which are false as printed, with these."""
    if paper in {place for place, _ in atlas.theorems}:
        for theorem in atlas.of_paper(paper):
            printed = [claim for claim in theorem.claims if isinstance(claim.status, FalseAsPrinted)]
            if printed:
                yield theorem, printed


def paper_page(atlas: Atlas, paper: str) -> str:
    """The page of one paper."""
    text = title(plain(f"Errata: {words.papers(atlas.package)[paper]}"))
    read = document(paper, atlas.package)
    text += f"Read: {markup(read)}.\n\n" if read else ""
    text += REPLY
    rows = table(paper, atlas.package)
    if rows:
        text += _counts({paper: rows})
    graded = {row.claim: row for row in rows}
    said_there = sentences.tables(atlas.claims, atlas.package).get(paper, ())
    for theorem, claims in _wrong(atlas, paper):
        text += _theorem(atlas, theorem, claims, graded, said_there)
    unclaimed = [row for row in rows if not row.claim]
    if unclaimed:
        text += title("Without a claim", "-")
        text += "".join(f"* {markup(f'{row.place} ({row.grade}): {row.says}')}\n" for row in unclaimed) + "\n"
    return text


def _theorem(
    atlas: Atlas,
    theorem: Theorem,
    claims: list[Claim],
    graded: Mapping[str, Erratum],
    said_there: Sequence[sentences.Sentence],
) -> str:
    text = title(theorem.title, "-")
    text += f":doc:`In the atlas </atlas/{theorem.paper}/{theorem.name}>`\n\n"
    printed: set[str] = set()
    for part in theorem.parts:
        wrong = [claim for claim in part.claims if claim in claims]
        # a part that has no statement of its own is a part of what the theorem states
        source = part.module if "Statement" in said(part.module).rubrics else theorem.home
        if wrong and source.__name__ not in printed:
            printed.add(source.__name__)
            text += _printed(said(source))
        text += "".join(_claim(atlas, claim, graded.get(claim.id), said_there) for claim in wrong)
    return text


def _printed(docstring: Said) -> str:
    """What the module states, and what is wrong as printed."""
    stated, wrong = (docstring.rubrics.get(name, "") for name in ("Statement", "Correction"))
    shown = f".. rubric:: What is wrong, and what is true\n\n{wrong}\n\n" if wrong else ""
    return shown + (_folded("Statement", f"{stated}\n\n") if stated else "")


def _folded(summary: str, body: str) -> str:
    return raw(f'<details class="more"><summary>{summary}</summary>') + body + raw("</details>")


def _claim(atlas: Atlas, claim: Claim, row: Erratum | None, said_there: Sequence[sentences.Sentence]) -> str:
    def linked(name: str, shown: str) -> str:
        return f'<a href="{atlas.link(name, "../atlas/")}">{shown}</a>'

    text = title(plain(claim.title), "~")
    graded = "" if row is None else f" {fragments.badge(row.grade, 'false_as_printed')} {escape(row.place)}"
    text += raw(f'<p class="head" id="{claim.id}">{linked(claim.id, f"<code>{claim.id}</code>")}{graded}</p>')
    for sentence in (one for one in said_there if claim.id in one.claims):
        text += f"In the paper ({plain(sentence.place)}), in our words:\n\n{quoted(sentence.says)}"
    text += f"What is checked, and false:\n\n{quoted(words.docstring(claim.statement))}" + raw(formula(claim))
    shown = fragments.witness(claim, atlas.claims, atlas.package)
    more = raw(f"<h4>An instance at which it fails</h4>{shown}") if shown else ""
    if isinstance(claim.status, FalseAsPrinted):
        correction = atlas.claims[claim.status.corrected_by]
        true_title = linked(correction.id, fragments.named(correction, correction.title))
        text += raw(f"<p>True instead: {true_title} (<code>{correction.id}</code>)</p>")
        more += raw("<h4>What is true</h4>") + quoted(words.docstring(correction.statement)) + raw(formula(correction))
        added = [
            fragments.named(correction, name) for name in correction.domain.hypotheses if name not in claim.domain.hypotheses
        ]
        more += raw(f"<p>With the hypotheses: {'; '.join(added)}.</p>") if added else ""
    text += _folded("The instance at which it fails, and the correction in full", more)
    return text
