"""The sentences of the papers: what each says that can be true or false, and what stands for it, as reStructuredText."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from verify.claims.catalogue import Catalogue
from verify.claims.claim import DERIVED_HERE, Claim
from verify.report import fragments, words
from verify.report.letters import lettered
from verify.site.atlas import Atlas, plain, raw, short_name, title

FILE = "sentences.toml"
"""The table of a paper, in the folder of its claims."""

ANSWERS = ("claims", "experiment", "not_checked")
"""What can stand for a sentence: each row has exactly one of these."""

KINDS = ("checked", "false as printed", "open", "by an experiment", "not checked")
"""What the pages call a sentence: with claims alone, with one that is refuted, with a conjecture, and without claims."""


@dataclass(frozen=True)
class Sentence:
    """A row of the table.

    Attributes
    ----------
    place, says
        Where it stands in the paper, and what it says in a few words.
    claims
        Ids or aliases of the claims that check it; empty if something else stands for it.
    experiment, not_checked
        The name of the experiment that shows it; or why nothing does. Empty if something else stands for it.
    part
        Which part of it the claims say, where they say less than all. Empty if they say all of it.
    """

    place: str
    says: str
    claims: Sequence[str] = ()
    experiment: str = ""
    not_checked: str = ""
    part: str = ""


def read(text: str, name: str = FILE) -> list[Sentence]:
    """The rows of a table, from the text of its file.

    Raises
    ------
    ValueError
        The file is no TOML, or a row has other keys, an empty text, or not exactly one answer; the message names file and row.
    """
    try:
        rows = tomllib.loads(text).get("sentence", [])
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {error}") from None
    return [_sentence(row, f"{name}, row {count}") for count, row in enumerate(rows, start=1)]


def _sentence(row: Mapping[str, object], where: str) -> Sentence:
    answers = [answer for answer in ANSWERS if answer in row]
    if len(answers) != 1:
        raise ValueError(f"{where} must have exactly one of {', '.join(ANSWERS)}, got {', '.join(answers) or 'none'}")
    optional = {"part"} if answers == ["claims"] else set()
    if set(row) - optional != {"place", "says", *answers}:
        raise ValueError(f"{where} must have the keys place, says and {answers[0]}, got {', '.join(row)}")
    for key, value in row.items():
        texts, accepted = (value, "a list of ids") if key == "claims" else ([value], "a text")
        if not (isinstance(texts, list) and texts and all(isinstance(text, str) and text.strip() for text in texts)):
            raise ValueError(f"{where}: {key} must be {accepted} that is not empty, got {value!r}")
    return Sentence(**row)  # type: ignore[arg-type]


def tables(claims: Catalogue, package: str = "theorems") -> dict[str, list[Sentence]]:
    """The tables of a package, by paper; of a paper without one there is none."""
    by_paper = {}
    titles = words.papers(package)
    for paper in [*titles, *sorted({claim.paper for claim in claims.values()} - set(titles))]:
        file = resources.files(package) / paper / FILE
        if file.is_file():
            by_paper[paper] = read(file.read_text(encoding="utf-8"), f"{paper}/{FILE}")
    return by_paper


def problems(claims: Catalogue, by_paper: Mapping[str, Sequence[Sentence]], experiments: Collection[str]) -> list[str]:
    """A line for each id that is in a table and not in the catalogue, and for each claim of a paper that is in no table."""
    known = {*claims, *claims.aliases}
    lines = []
    for paper, rows in by_paper.items():
        for row in rows:
            # reasons name claims and experiments, too
            named = re.findall(rf"`((?:{'|'.join({name.partition('.')[0] for name in known})})\.[\w.]+)`", row.not_checked)
            missing = [name for name in row.claims if name not in known]
            missing += [name for name in [row.experiment, *named] if name and name not in known and name not in experiments]
            lines += [f"{paper}: {row.says}: there is no {name}" for name in missing]
        listed = {claims.aliases.get(name, name) for row in rows for name in row.claims}
        lines += [f"{paper}: {claim.id} stands for no sentence" for claim in _stated_in(paper, claims, listed)]
    return lines


def _stated_in(paper: str, claims: Catalogue, listed: Collection[str]) -> Iterator[Claim]:
    """The claims that the paper states and that are not listed."""
    for claim in claims.values():
        if claim.source.paper == paper and claim.source.label != DERIVED_HERE and claim.id not in listed:
            yield claim


def pages(atlas: Atlas, figures: Collection[str] = ()) -> dict[str, str]:
    """All files of the tables, by their paths in the folder ``sentences``; `figures` are the experiments that have a page."""
    by_paper = tables(atlas.claims, atlas.package)
    text = title("Sentences")
    text += (
        "Every sentence of the papers that can be true or false, in a few words, and what stands for it: the claims that "
        "check it, an experiment, or the reason why nothing does. Definitions are left out, and so is what is only cited and "
        "not used. What is open is a conjecture among the claims: :doc:`/open_questions`.\n\n"
        ".. toctree::\n   :hidden:\n\n"
    )
    text += "".join(f"   {short_name(paper)} <{paper}>\n" for paper in by_paper) + "\n"
    for paper, rows in by_paper.items():
        counts = _counts([kind_of(row, atlas.claims) for row in rows])
        text += f":doc:`{plain(words.papers(atlas.package).get(paper, paper))} <{paper}>`\n   {counts}\n\n"
    named = {atlas.claims.aliases.get(name, name) for rows in by_paper.values() for row in rows for name in row.claims}
    return {"index.rst": text} | {f"{paper}.rst": _page(atlas, paper, rows, named, figures) for paper, rows in by_paper.items()}


def _counts(kinds: Sequence[str]) -> str:
    """How many sentences there are, and of each kind."""
    counted = [f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds]
    return f"{len(kinds)} sentences: {', '.join(counted)}"


def kind_of(row: Sentence, claims: Catalogue) -> str:
    """What stands for a sentence, of `KINDS`."""
    statuses = {claims[claims.aliases.get(name, name)].status.name for name in row.claims}
    if "false_as_printed" in statuses:
        return "false as printed"
    if "conjectured" in statuses:
        return "open"
    return "checked" if row.claims else "by an experiment" if row.experiment else "not checked"


def _page(atlas: Atlas, paper: str, rows: Sequence[Sentence], named: Collection[str], figures: Collection[str]) -> str:
    kinds = [kind_of(row, atlas.claims) for row in rows]
    text = title(plain(f"Sentences: {words.papers(atlas.package).get(paper, paper)}")) + f"{_counts(kinds)}.\n\n"
    text += raw(_table(atlas, rows, kinds, figures))
    own = [claim.id for claim in atlas.claims.values() if claim.paper == paper and claim.id not in named]
    if own:
        text += title("Derived here", "-") + "Claims that serve no single sentence.\n\n"
        text += raw(f'<ul class="theorems">{"".join(f"<li>{_claim(atlas, name)}</li>" for name in own)}</ul>')
    return text


def _table(atlas: Atlas, rows: Sequence[Sentence], kinds: Sequence[str], figures: Collection[str]) -> str:
    """The sentences, with a search and a choice of the kind of answer."""
    body = ""
    for row, kind in zip(rows, kinds, strict=True):
        cells = {
            "place": escape(row.place),
            "sentence": fragments.inline(lettered(row.says, frozenset())),
            "answer": _answer(atlas, row, figures),
        }
        tags = "".join(f'<td data-label="{name}">{cell}</td>' for name, cell in cells.items())
        body += f'<tr data-answer="{kind}">{tags}</tr>'
    head = "".join(f'<th scope="col"><button type="button">{name}</button></th>' for name in ("place", "sentence", "answer"))
    return (
        f"{fragments.filters({'answer': [kind for kind in KINDS if kind in kinds]}, len(rows), 'sentences')}"
        f'<div class="wide"><table class="claims"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _answer(atlas: Atlas, row: Sentence, figures: Collection[str]) -> str:
    if row.claims:
        listed = "<br>".join(_claim(atlas, name) for name in row.claims)
        return f"in part ({escape(row.part)}):<br>{listed}" if row.part else listed
    if row.experiment:
        name = f"<code>{escape(row.experiment)}</code>"
        return (
            f'experiment <a href="../experiments/{row.experiment}.html">{name}</a>'
            if row.experiment in figures
            else f"experiment {name}"
        )
    return f"not checked: {fragments.inline(row.not_checked)}"


def _claim(atlas: Atlas, name: str) -> str:
    """The title of a claim, or of the one that an alias stands for, with a link; its status where it is not simply stated."""
    claim = atlas.claims[atlas.claims.aliases.get(name, name)]
    said = fragments.named(claim, claim.title)
    link = f'<a href="{escape(atlas.link(claim.id, "../atlas/"))}" title="{escape(name)}">{said}</a>'
    return link if claim.status.name == "stated" else f"{link} {fragments.badge(claim.status.name, claim.status.name)}"
