r"""The atlas: a page for each theorem, made from its docstrings and its claims, as reStructuredText for Sphinx.

Prose stays reStructuredText, so that Sphinx indexes it and renders its formulas; what is known of a claim is HTML, as in the
report of a run.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from types import ModuleType

from verify.catalogue import Catalogue
from verify.checker.record import Record
from verify.checker.strength import Strength, present_strengths
from verify.claim import DOCUMENTS, Claim, FalseAsPrinted
from verify.report import fragments, words
from verify.report.changes import read_run
from verify.report.description import module_of
from verify.report.instances import instance
from verify.report.mathml import UnreadableFormula, mathml
from verify.report.typeset import NoFormula, typeset_claim

RUBRICS = ("Statement", "Correction", "Checked", "Proof idea", "Sharp", "Tight", "Not checked", "Source")
"""The parts of a docstring, in their order."""


@dataclass(frozen=True)
class Said:
    """A docstring in its parts: the title, what follows it, and the rubrics by name."""

    title: str
    lead: str
    rubrics: Mapping[str, str]


def said(module: ModuleType) -> Said:
    """The parts of the docstring of a module."""
    text = markup(inspect.cleandoc(module.__doc__ or module.__name__.rpartition(".")[2]))
    first, *parts = re.split(rf"^({'|'.join(RUBRICS)})\n(?= )", text, flags=re.MULTILINE)
    rubrics = {name: textwrap.dedent(body).strip("\n") for name, body in zip(parts[::2], parts[1::2], strict=True)}
    head, _, lead = first.strip().partition("\n\n")
    title, _, rest = " ".join(head.split()).partition(". ")
    return Said(title.rstrip("."), "\n\n".join(filter(None, (rest, lead))), rubrics)


@dataclass(frozen=True)
class Part:
    """A module of a theorem and its claims."""

    module: ModuleType
    claims: Sequence[Claim]


@dataclass(frozen=True)
class Theorem:
    """What one page is about: a module, or a folder of modules.

    Attributes
    ----------
    document, name
        The folder of the document and the name in it, such as "leaky_resnets" and "theorem_4".
    home
        The module or the package of the folder.
    parts
        The modules with claims, in the order of the table of contents.
    """

    document: str
    name: str
    home: ModuleType
    parts: Sequence[Part]

    @property
    def title(self) -> str:
        """The first sentence of the docstring."""
        return said(self.home).title

    @property
    def short_title(self) -> str:
        """The label, such as "Theorem 4", where the title begins with one; else the name in words."""
        label = re.match(r"((?:Theorem|Proposition|Lemma|Corollary|Remark|Example)\b[^:]*):", self.title)
        return label[1] if label else self.name.replace("_", " ").capitalize()

    @property
    def claims(self) -> list[Claim]:
        """All claims of the page."""
        return [claim for part in self.parts for claim in part.claims]


@dataclass(frozen=True)
class Section:
    """A heading of a document and the theorems below it, by name."""

    title: str
    names: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class Atlas:
    """The claims of a package, by document and theorem, with what is known of them.

    Attributes
    ----------
    claims, package
        The claims and the package that declares them.
    theorems
        All pages, by document and name.
    records
        Results of a run, by claim; empty if none are known: then nothing is said of outcomes.
    strengths
        What is measured of how strong the checks are.
    """

    claims: Catalogue
    package: str
    theorems: Mapping[tuple[str, str], Theorem]
    records: Mapping[str, Record] = field(default_factory=dict)
    strengths: Mapping[str, Strength] = field(default_factory=dict)

    @functools.cached_property
    def homes(self) -> Mapping[str, Theorem]:
        """The page of each claim."""
        return {claim.id: theorem for theorem in self.theorems.values() for claim in theorem.claims}

    def link(self, claim_id: str, up: str = "../") -> str:
        """The address of a claim on a page that is `up` from the folder of the atlas."""
        home = self.homes[claim_id]
        return f"{up}{home.document}/{home.name}.html#{claim_id}"

    def of_document(self, document: str) -> list[Theorem]:
        """The theorems of a document, in the order of its table of contents; what it does not name comes last."""
        known = {name: theorem for (place, name), theorem in self.theorems.items() if place == document}
        named = [name for section in self.contents(document) for name in section.names]
        return [known[name] for name in dict.fromkeys([*named, *known])]

    def contents(self, document: str) -> list[Section]:
        """The sections of a document with the theorems in them, each where it is named first."""
        text = inspect.cleandoc(sys.modules[f"{self.package}.{document}"].__doc__ or "")
        known = {name for place, name in self.theorems if place == document}
        found: dict[str, list[str]] = {}
        seen: set[str] = set()
        for heading, line in _lines_of(text):
            for name in re.findall(r"(?<![\w.])([a-z]\w*)(?:\.\w+)*", line.split(": ")[0]):
                if name in known and name not in seen:
                    seen.add(name)
                    found.setdefault(heading, []).append(name)
        rest = sorted(known - seen)
        sections = [Section(heading, tuple(names)) for heading, names in found.items()]
        return [*sections, *([Section("Further statements", tuple(rest))] if rest else [])]


def _lines_of(text: str) -> Iterator[tuple[str, str]]:
    """The lines of a table of contents that name modules, each with the heading above it, or the section in its first cell."""
    heading = ""
    for line in text.splitlines():
        if re.match(r"=+ +=+", line) or not line.strip():
            continue
        if cell := re.match(r"(\S.*?)  .*(`[a-z]\w*[\w.]*`)", line):
            yield _section_of(cell[1]), cell[2]
        elif not line.startswith(" "):
            heading = line.strip()
        elif "``" in line or re.fullmatch(r" {4}[a-z_0-9., ]+", line):
            yield heading, line


def _section_of(cell: str) -> str:
    """The section of the paper that a cell such as "4.1, Appendix D" begins with."""
    first = cell.split(",")[0]
    return f"Section {first}" if first[0].isdigit() else first


def read_records(path: Path) -> dict[str, Record]:
    """The results of ``verify run --json``, by claim."""
    return dict(read_run(path).records)


def atlas_of(claims: Catalogue, package: str = "theorems", records: Mapping[str, Record] | None = None) -> Atlas:
    """The atlas of a package whose claims were found already."""
    modules: dict[str, list[Claim]] = {}
    for claim in claims.values():
        module = module_of(claim, package)
        if module is not None:
            modules.setdefault(module.__name__, []).append(claim)
    pages: dict[tuple[str, str], dict[str, list[Claim]]] = {}
    for name, found in modules.items():
        document, theorem, *_ = name.removeprefix(f"{package}.").split(".")
        pages.setdefault((document, theorem), {})[name] = found
    theorems = {}
    for (document, theorem), named in pages.items():
        home = sys.modules[f"{package}.{document}.{theorem}"]
        parts = [Part(sys.modules[name], _in_order(sys.modules[name], named[name])) for name in _named_in_order(named, home)]
        theorems[document, theorem] = Theorem(document, theorem, home, parts)
    return Atlas(claims, package, theorems, records or {}, present_strengths(package, claims))


def _in_order(module: ModuleType, claims: list[Claim]) -> list[Claim]:
    """The claims as the module declares them."""
    declared = list(vars(module).values())
    return sorted(claims, key=lambda claim: next(place for place, value in enumerate(declared) if value is claim))


def _named_in_order(names: Iterable[str], home: ModuleType) -> list[str]:
    """Modules of a folder in the order in which the contents of their document name them, then by name."""
    document = sys.modules[home.__name__.rpartition(".")[0]].__doc__ or ""

    def place(name: str) -> tuple[float, str]:
        short = name.removeprefix(f"{document_name(home)}.")
        found = re.search(rf"(?<![\w.]){re.escape(short)}(?![\w.])", document)
        return (found.start() if found else float("inf")), name

    return sorted(names, key=place)


def document_name(home: ModuleType) -> str:
    """The package of the document in which a module stands."""
    return ".".join(home.__name__.split(".")[:2])


# Pages


def pages(atlas: Atlas) -> dict[str, str]:
    """All files of the atlas, by their paths in the folder ``atlas``."""
    found = {"index.rst": _index(atlas), "claims.rst": _table_page(atlas)}
    for document in _documents(atlas):
        found[f"{document}/index.rst"] = _document_page(atlas, document)
        for theorem in atlas.of_document(document):
            found[f"{document}/{theorem.name}.rst"] = theorem_page(atlas, theorem)
    return found


def _documents(atlas: Atlas) -> list[str]:
    known = {document for document, _ in atlas.theorems}
    return [document for document in dict.fromkeys([*DOCUMENTS, *sorted(known)]) if document in known]


def short_name(document: str) -> str:
    """The folder of a document as words, for the navigation."""
    return document.replace("_", " ").capitalize()


def title(text: str, sign: str = "=") -> str:
    """A heading; the title may have formulas in roles."""
    return f"{text}\n{sign * max(len(text), 3)}\n\n"


def plain(text: str) -> str:
    """Text in which no sign is markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def markup(text: str) -> str:
    """A docstring as reStructuredText: an absolute value is no substitution."""
    kept = re.split(r"(``[^`]*``|`[^`]*`|^ *\.\. math::.*(?:\n(?: +\S.*)?$)*)", text, flags=re.MULTILINE)
    return "".join(part if place % 2 else part.replace("|", "\\|") for place, part in enumerate(kept))


def quoted(text: str) -> str:
    """A docstring with a bar beside it; empty if there is none."""
    return f".. container:: said\n\n{textwrap.indent(markup(text), '   ')}\n\n" if text else ""


def raw(html: str) -> str:
    """HTML in reStructuredText."""
    return f".. raw:: html\n\n{textwrap.indent(html, '   ')}\n\n" if html else ""


def _index(atlas: Atlas) -> str:
    count = len(atlas.claims)
    text = title("Atlas")
    text += (
        f"{count} claims on {len(atlas.theorems)} pages, one for each theorem. A page has the statement as it is printed and "
        "as corrected, what is checked of it, where it is sharp, and the false statements beside it. All of it comes from the "
        "code that is checked. :doc:`/verdicts` says what a verdict means, :doc:`claims` has all claims in one table, and "
        ":doc:`/errata/index` what is false as printed.\n\n"
    )
    text += ".. toctree::\n   :hidden:\n\n   claims\n"
    text += "".join(f"   {short_name(document)} <{document}/index>\n" for document in _documents(atlas)) + "\n"
    for document in _documents(atlas):
        theorems = atlas.of_document(document)
        claims = [claim for theorem in theorems for claim in theorem.claims]
        wrong = sum(isinstance(claim.status, FalseAsPrinted) for claim in claims)
        name = DOCUMENTS.get(document, document)
        text += (
            f":doc:`{name} <{document}/index>`\n   {len(theorems)} theorems, {len(claims)} claims, {wrong} false as printed\n\n"
        )
    return text


def _document_page(atlas: Atlas, document: str) -> str:
    text = title(plain(DOCUMENTS.get(document, document)))
    wrong = any(isinstance(claim.status, FalseAsPrinted) and claim.document == document for claim in atlas.claims.values())
    if wrong:
        text += f":doc:`What is false as printed </errata/{document}>`\n\n"
    text += (
        ".. toctree::\n   :hidden:\n\n"
        + "".join(f"   {one.short_title} <{one.name}>\n" for one in atlas.of_document(document))
        + "\n"
    )
    for section in atlas.contents(document):
        text += title(section.title, "-") if section.title else ""
        rows = ""
        for name in section.names:
            theorem = atlas.theorems[document, name]
            counted = f"{len(theorem.claims)} claim{'s' * (len(theorem.claims) != 1)}"
            wrong_here = sum(isinstance(claim.status, FalseAsPrinted) for claim in theorem.claims)
            note = f", {wrong_here} false as printed" if wrong_here else ""
            link = f'<a href="{name}.html">{fragments.inline(theorem.title)}</a>'
            rows += f'<li>{link} <span class="quiet">{counted}{note}</span></li>'
        text += raw(f'<ul class="theorems">{rows}</ul>')
    return text


def theorem_page(atlas: Atlas, theorem: Theorem) -> str:
    """The page of one theorem."""
    home = said(theorem.home)
    text = title(home.title)
    text += raw(_strip(atlas, theorem))
    text += f"{home.lead}\n\n" if home.lead else ""
    text += _rubrics(home, "-")
    parts = theorem.parts
    if [part.module for part in parts] == [theorem.home]:
        text += title("Claims", "-") + _claims(atlas, parts[0])
    else:
        for part in parts:
            words_of = said(part.module)
            text += title(words_of.title, "-")
            text += f"{words_of.lead}\n\n" if words_of.lead else ""
            text += "".join(f".. rubric:: {name}\n\n{body}\n\n" for name, body in words_of.rubrics.items())
            text += _claims(atlas, part)
    return text


def _strip(atlas: Atlas, theorem: Theorem) -> str:
    document = DOCUMENTS.get(theorem.document, theorem.document)
    labels = [label for label in dict.fromkeys(claim.source.label for claim in theorem.claims) if label != "ours"]
    name = f"{theorem.document}.{theorem.name}"
    kinds: dict[str, int] = {}
    for claim in theorem.claims:
        kinds[claim.status.name] = kinds.get(claim.status.name, 0) + 1
    counted = " ".join(fragments.badge(f"{count} {kind}", kind) for kind, count in kinds.items())
    known = [atlas.records[claim.id] for claim in theorem.claims if claim.id in atlas.records]
    wrong = sum(not record.as_expected for record in known)
    told = "" if not known else " · all as expected" if not wrong else f" · {wrong} not as expected"
    covers = all(claim.id == name or claim.id.startswith(f"{name}.") for claim in theorem.claims)
    command = f" · <code>verify run {escape(name)}</code>" if covers else ""
    where = escape(": ".join(filter(None, (document, "; ".join(labels)))))
    meaning = ' · <a href="../../verdicts.html">what these words mean</a>'
    return f'<p class="strip">{where}<br>{counted}{told}{command}{meaning}</p>'


def _rubrics(parts: Said, sign: str) -> str:
    return "".join(f"{title(name, sign)}{body}\n\n" for name, body in parts.rubrics.items())


def _claims(atlas: Atlas, part: Part) -> str:
    return "".join(claim_section(atlas, claim) for claim in part.claims)


def claim_section(atlas: Atlas, claim: Claim) -> str:
    """A claim: what it says, and what is known of it."""
    record = atlas.records.get(claim.id)
    found = atlas.strengths.get(claim.id)
    text = title(plain(claim.title), "~")
    text += raw(_head(claim, record, found) + fragments.relations(claim, atlas.claims, atlas.link))
    text += quoted(words.docstring(claim.statement))
    text += raw(_formula(claim)) if claim.domain.one_instance else ""
    if isinstance(claim.status, FalseAsPrinted):
        shown = fragments.witness(claim, atlas.claims, atlas.package)
        text += raw(f"<h4>False at</h4>{shown}") if shown else ""
    facts = (
        fragments.drawn(claim, record)
        + fragments.hypotheses(claim, record, fragments.in_numbers)
        + fragments.sharp(claim, record)
        + _instances(claim)
        + _worst(claim, record)
        + fragments.variants(claim, record, fragments.in_numbers)
        + fragments.exact_parts(claim, record)
        + fragments.strength(found)
        + fragments.code(claim)
        + fragments.commands(claim)
    )
    return text + raw(f'<div class="known">{facts}</div>')


def _head(claim: Claim, record: Record | None, found: Strength | None) -> str:
    parts = [f"<code>{escape(claim.id)}</code> {fragments.badge(claim.status.name, claim.status.name)}"]
    if record is not None:
        kind = record.outcome if record.as_expected else "unexpected"
        parts.append(f"{fragments.badge(record.outcome, kind)} {escape(record.tier)}")
    parts.append(f"strength {escape(found.in_a_word())}" if found is not None else "")
    parts.append(escape(claim.source.label) if claim.source.label != "ours" else "")
    return f'<p class="head" id="{escape(claim.id)}">{" · ".join(filter(None, parts))}</p>\n'


def _formula(claim: Claim) -> str:
    """What is evaluated, typeset from the code; or why it is not."""
    try:
        found = typeset_claim(claim)
        shown = "".join(mathml(one, block=True) for one in found.relations)
        where = "".join(f"<li>{mathml(one)}</li>" for one in found.where)
    except (NoFormula, UnreadableFormula) as error:
        return f'<p class="quiet">The statement is not shown as a formula: {escape(str(error))}.</p>\n'
    letters = f'<p class="where">where</p><ul class="where">{where}</ul>' if where else ""
    return f'<div class="formula">{shown}{letters}</div>\n'


def _instances(claim: Claim) -> str:
    """The tight examples in numbers, folded."""
    shown = "".join(f"<h5>{fragments.inline(name)}</h5>{instance(one.instance())}" for name, one in claim.tight.items())
    return f'<details class="numbers"><summary>Tight examples in numbers</summary>{shown}</details>\n' if shown else ""


def _worst(claim: Claim, record: Record | None) -> str:
    """The instance nearest to failing, folded."""
    if record is None or record.nearest is None:
        return ""
    shown = fragments.found_at(claim, record.nearest)
    summary = f"The instance nearest to failing: relative slack {words.smallest_slack(record.relative_slack)}"
    return f'<details class="numbers"><summary>{summary}</summary>{shown}</details>\n'


def _table_page(atlas: Atlas) -> str:
    return title("All claims") + raw(claims_table(atlas))


def claims_table(atlas: Atlas) -> str:
    """All claims in one table with a search and filters."""
    with_results = bool(atlas.records)
    columns = ["claim", "label", "status", *(["outcome", "tier"] if with_results else []), "strength"]
    rows = []
    values: dict[str, set[str]] = {"status": set(), "strength": set(), "outcome": set(), "tier": set()}
    for document in _documents(atlas):
        for theorem in atlas.of_document(document):
            for claim in theorem.claims:
                found, record = atlas.strengths.get(claim.id), atlas.records.get(claim.id)
                facts = {"document": document, "status": claim.status.name}
                facts["strength"] = "-" if found is None else found.in_a_word()
                facts |= {"outcome": record.outcome, "tier": record.tier} if record is not None else {}
                for name in values:
                    values[name] |= {facts[name]} if name in facts else set()
                rows.append(_row(claim, theorem, facts, columns))
    options = {"document": _documents(atlas)} | {name: sorted(found) for name, found in values.items() if found}
    head = "".join(f'<th scope="col"><button type="button">{name}</button></th>' for name in columns)
    return (
        f'{fragments.filters(options, len(rows))}<div class="wide"><table class="claims" id="claims">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(claim: Claim, theorem: Theorem, facts: Mapping[str, str], columns: Sequence[str]) -> str:
    link = f"{theorem.document}/{theorem.name}.html#{claim.id}"
    cells = {
        "claim": f'<a href="{escape(link)}">{escape(claim.title)}</a><code>{escape(claim.id)}</code>',
        "label": escape(claim.source.label),
        "status": fragments.badge(claim.status.name, claim.status.name),
        "outcome": fragments.badge(facts.get("outcome", "-"), facts.get("outcome", "")),
        "tier": escape(facts.get("tier", "-")),
        "strength": escape(facts["strength"]),
    }
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in facts.items())
    tags = "".join(f"<td>{cells[name]}</td>" for name in columns)
    return f"<tr{data}>{tags}</tr>"
