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
from typing import Any

from verify.checker.record import Record
from verify.checker.strength import Strength, present_strengths
from verify.claims.catalogue import Catalogue
from verify.claims.claim import DERIVED_HERE, Claim, FalseAsPrinted
from verify.notation.mathml import UnreadableFormula, mathml
from verify.numbers.arithmetic import fraction
from verify.numbers.exactness import Q
from verify.report import console, fragments, proved, words
from verify.report.changes import read_run
from verify.report.description import module_of
from verify.report.instances import instance
from verify.report.letters import lettered, letters_in, letters_of
from verify.report.map import TheoryMap
from verify.report.map import pages as map_pages
from verify.report.typeset import NoFormula, letter_tex, parts_in, typeset_claim
from verify.version import __version__

RUBRICS = ("Statement", "Correction", "Checked", "Proof idea", "Tight", "Not checked", "Source")
"""The parts of a docstring, in their order."""


@dataclass(frozen=True)
class Said:
    """A docstring in its parts: the title, what follows it, and the rubrics by name."""

    title: str
    lead: str
    rubrics: Mapping[str, str]


def said(module: ModuleType, letters: frozenset[str] = frozenset()) -> Said:
    """The parts of the docstring of a module; the letters of its formulas are typeset in its prose, too."""
    text = markup(inspect.cleandoc(module.__doc__ or module.__name__.rpartition(".")[2]))
    first, *parts = re.split(rf"^({'|'.join(RUBRICS)})\n(?= )", text, flags=re.MULTILINE)
    rubrics = {
        name: lettered(textwrap.dedent(body).strip("\n"), letters) for name, body in zip(parts[::2], parts[1::2], strict=True)
    }
    head, _, lead = first.strip().partition("\n\n")
    title, _, following = " ".join(head.split()).partition(". ")
    return Said(lettered(title.rstrip("."), letters), lettered("\n\n".join(filter(None, (following, lead))), letters), rubrics)


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
    paper, name
        The folder of the paper and the name in it, such as "leaky_resnets" and "theorem_4".
    home
        The module or the package of the folder.
    parts
        The modules with claims, in the order of the table of contents.
    """

    paper: str
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

    @functools.cached_property
    def letters(self) -> frozenset[str]:
        """The letters of its claims and formulas."""
        found = letters_in(module.__doc__ or "" for module in (self.home, *(part.module for part in self.parts)))
        return found.union(*map(letters_of, self.claims))


@dataclass(frozen=True)
class Section:
    """A heading of a paper and the theorems below it, by name."""

    title: str
    names: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True)
class Atlas:
    """The claims of a package, by paper and theorem, with what is known of them.

    Attributes
    ----------
    claims, package
        The claims and the package that declares them.
    theorems
        All pages, by paper and name.
    records
        Results of a run, by claim; empty if none are known: then nothing is said of outcomes.
    strengths
        What is measured of how strong the checks are.
    theory
        Which theorem rests on which.
    """

    claims: Catalogue
    package: str
    theorems: Mapping[tuple[str, str], Theorem]
    records: Mapping[str, Record] = field(default_factory=dict)
    strengths: Mapping[str, Strength] = field(default_factory=dict)
    theory: TheoryMap = field(default_factory=TheoryMap)

    @functools.cached_property
    def homes(self) -> Mapping[str, Theorem]:
        """The page of each claim."""
        return {claim.id: theorem for theorem in self.theorems.values() for claim in theorem.claims}

    @functools.cached_property
    def proofs(self) -> Mapping[str, proved.Proofs]:
        """What is proved of each claim."""
        return {name: proved.proofs(claim, self.package) for name, claim in self.claims.items()}

    def link(self, claim_id: str, up: str = "../") -> str:
        """The address of a claim on a page that is `up` from the folder of the atlas."""
        home = self.homes[claim_id]
        return f"{up}{home.paper}/{home.name}.html#{claim_id}"

    def of_paper(self, paper: str) -> list[Theorem]:
        """The theorems of a paper, in the order of its table of contents; what it does not name comes last."""
        known = {name: theorem for (place, name), theorem in self.theorems.items() if place == paper}
        named = [name for section in self.contents(paper) for name in section.names]
        return [known[name] for name in dict.fromkeys([*named, *known])]

    def contents(self, paper: str) -> list[Section]:
        """The sections of a paper with the theorems in them, each where it is named first."""
        text = inspect.cleandoc(sys.modules[f"{self.package}.{paper}"].__doc__ or "")
        known = {name for place, name in self.theorems if place == paper}
        by_heading: dict[str, list[str]] = {}
        placed: set[str] = set()
        for heading, line in _lines_of(text):
            for name in re.findall(r"(?<![\w.])([a-z]\w*)(?:\.\w+)*", line.split(": ")[0]):
                if name in known and name not in placed:
                    placed.add(name)
                    by_heading.setdefault(heading, []).append(name)
        unnamed = sorted(known - placed)
        sections = [Section(heading, tuple(names)) for heading, names in by_heading.items()]
        return [*sections, *([Section("Further statements", tuple(unnamed))] if unnamed else [])]


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
    for name, of_module in modules.items():
        paper, theorem, *_ = name.removeprefix(f"{package}.").split(".")
        pages.setdefault((paper, theorem), {})[name] = of_module
    theorems = {}
    for (paper, theorem), named in pages.items():
        home = sys.modules[f"{package}.{paper}.{theorem}"]
        parts = [Part(sys.modules[name], _in_order(sys.modules[name], named[name])) for name in _named_in_order(named, home)]
        theorems[paper, theorem] = Theorem(paper, theorem, home, parts)
    return Atlas(claims, package, theorems, records or {}, present_strengths(package, claims))


def _in_order(module: ModuleType, claims: list[Claim]) -> list[Claim]:
    """The claims as the module declares them."""
    declared = list(vars(module).values())
    return sorted(claims, key=lambda claim: next(place for place, value in enumerate(declared) if value is claim))


def _named_in_order(names: Iterable[str], home: ModuleType) -> list[str]:
    """Modules of a folder in the order in which the contents of their paper name them, then by name."""
    paper = sys.modules[home.__name__.rpartition(".")[0]].__doc__ or ""

    def place(name: str) -> tuple[float, str]:
        short = name.removeprefix(f"{document_name(home)}.")
        match = re.search(rf"(?<![\w.]){re.escape(short)}(?![\w.])", paper)
        return (match.start() if match else float("inf")), name

    return sorted(names, key=place)


def document_name(home: ModuleType) -> str:
    """The package of the paper in which a module stands."""
    return ".".join(home.__name__.split(".")[:2])


# Pages


def pages(atlas: Atlas) -> dict[str, str]:
    """All files of the atlas, by their paths in the folder ``atlas``."""
    written = {"index.rst": _index(atlas), "claims.rst": title("All claims") + raw(claims_table(atlas))}
    written["map.rst"] = map_pages.page(atlas.theory, words.papers(atlas.package))
    for paper in papers(atlas):
        written[f"{paper}/index.rst"] = _paper_page(atlas, paper)
        for theorem in atlas.of_paper(paper):
            written[f"{paper}/{theorem.name}.rst"] = theorem_page(atlas, theorem)
    return written


def papers(atlas: Atlas) -> list[str]:
    """The papers that have theorems, in their order."""
    known = {paper for paper, _ in atlas.theorems}
    return [paper for paper in dict.fromkeys([*words.papers(atlas.package), *sorted(known)]) if paper in known]


def short_name(paper: str) -> str:
    """The folder of a paper as words, for the navigation."""
    return paper.replace("_", " ").capitalize()


def title(text: str, sign: str = "=") -> str:
    """A heading; the title may have formulas in roles."""
    return f"{text}\n{sign * max(len(text), 3)}\n\n"


def plain(text: str) -> str:
    """Text in which no sign is markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def markup(text: str) -> str:
    """A docstring as reStructuredText: an absolute value is no substitution."""
    pieces = re.split(r"(``[^`]*``|`[^`]*`|^ *\.\. math::.*(?:\n(?: +\S.*)?$)*)", text, flags=re.MULTILINE)
    return "".join(part if place % 2 else part.replace("|", "\\|") for place, part in enumerate(pieces))


def quoted(text: str, letters: frozenset[str] = frozenset()) -> str:
    """A docstring with a bar beside it; empty if there is none."""
    return f".. container:: said\n\n{textwrap.indent(lettered(markup(text), letters), '   ')}\n\n" if text else ""


def raw(html: str) -> str:
    """HTML in reStructuredText."""
    return f".. raw:: html\n\n{textwrap.indent(html, '   ')}\n\n" if html else ""


def _index(atlas: Atlas) -> str:
    count = len(atlas.claims)
    text = title("Atlas")
    text += (
        f"{count} claims on {len(atlas.theorems)} pages, one for each theorem. A page has the statement as it is printed and "
        "as corrected, what is checked of it, where it is tight, and the false statements beside it. All of it comes from the "
        "code that is checked. :doc:`/verdicts` says what a verdict means, :doc:`claims` has all claims in one table, and "
        ":doc:`/errata/index` what is false as printed, and :doc:`map` which theorem rests on which.\n\n"
    )
    text += ".. toctree::\n   :hidden:\n\n   claims\n"
    text += "".join(f"   {short_name(paper)} <{paper}/index>\n" for paper in papers(atlas)) + "\n"
    for paper in papers(atlas):
        theorems = atlas.of_paper(paper)
        claims = [claim for theorem in theorems for claim in theorem.claims]
        wrong = sum(isinstance(claim.status, FalseAsPrinted) for claim in claims)
        name = words.papers(atlas.package).get(paper, paper)
        text += (
            f":doc:`{name} <{paper}/index>`\n   {len(theorems)} theorems, {len(claims)} claims, {wrong} false as printed\n\n"
        )
    return text


def _paper_page(atlas: Atlas, paper: str) -> str:
    text = title(plain(f"Theorems: {words.papers(atlas.package).get(paper, paper)}"))
    wrong = any(isinstance(claim.status, FalseAsPrinted) and claim.paper == paper for claim in atlas.claims.values())
    if wrong:
        text += f":doc:`What is false as printed </errata/{paper}>`\n\n"
    text += f"{map_pages.anchor(paper)}\n\n"
    text += (
        ".. toctree::\n   :hidden:\n\n"
        + "".join(f"   {page.short_title} <{page.name}>\n" for page in atlas.of_paper(paper))
        + "\n"
    )
    for section in atlas.contents(paper):
        text += title(section.title, "-") if section.title else ""
        rows = ""
        for name in section.names:
            theorem = atlas.theorems[paper, name]
            counted = f"{len(theorem.claims)} claim{'s' * (len(theorem.claims) != 1)}"
            wrong_here = sum(isinstance(claim.status, FalseAsPrinted) for claim in theorem.claims)
            note = f", {wrong_here} false as printed" if wrong_here else ""
            link = f'<a href="{name}.html">{fragments.inline(theorem.title)}</a>'
            rows += f'<li>{link} <span class="quiet">{counted}{note}</span></li>'
        text += raw(f'<ul class="theorems">{rows}</ul>')
    return text


def theorem_page(atlas: Atlas, theorem: Theorem) -> str:
    """The page of one theorem: the statement beside what is checked, what is wrong with it, and the rest folded."""
    home = said(theorem.home, theorem.letters)
    text = title(home.title)
    text += raw(_strip(atlas, theorem) + map_pages.line(atlas.theory, f"{theorem.paper}.{theorem.name}"))
    text += f"{home.lead}\n\n" if home.lead else ""
    text += _rubrics(home, theorem.claims, title("Statement", "-"))
    parts = theorem.parts
    if [part.module for part in parts] == [theorem.home]:
        text += title("Claims", "-") + _claims(atlas, theorem, parts[0])
    else:
        for part in parts:
            docstring = said(part.module, theorem.letters)
            text += title(docstring.title, "-")
            text += f"{docstring.lead}\n\n" if docstring.lead else ""
            text += _rubrics(docstring, part.claims, ".. rubric:: Statement\n\n")
            text += _claims(atlas, theorem, part)
    return text


def _strip(atlas: Atlas, theorem: Theorem) -> str:
    paper = words.papers(atlas.package).get(theorem.paper, theorem.paper)
    labels = [label for label in dict.fromkeys(claim.source.label for claim in theorem.claims) if label != DERIVED_HERE]
    name = f"{theorem.paper}.{theorem.name}"
    kinds: dict[str, int] = {}
    for claim in theorem.claims:
        kinds[claim.status.name] = kinds.get(claim.status.name, 0) + 1
    counted = " ".join(fragments.badge(f"{count} {kind}", kind) for kind, count in kinds.items())
    known = [atlas.records[claim.id] for claim in theorem.claims if claim.id in atlas.records]
    wrong = sum(not record.as_expected for record in known)
    outcome = "" if not known else " · all as expected" if not wrong else f" · {wrong} not as expected"
    covers = all(claim.id == name or claim.id.startswith(f"{name}.") for claim in theorem.claims)
    command = f" · <code>verify run {escape(name)}</code>" if covers else ""
    where = escape(": ".join(filter(None, (paper, "; ".join(labels)))))
    meaning = ' · <a href="../../verdicts.html">what these words mean</a>'
    return f'<p class="strip">{where}<br>{counted}{outcome}{command}{meaning}</p>'


def _rubrics(parts: Said, claims: Sequence[Claim], heading: str) -> str:
    """The statement beside the formula of the first claim that holds, the correction, and the other rubrics, folded."""
    text = ""
    for name, body in parts.rubrics.items():
        if name == "Statement":
            checked = next((claim for claim in claims if not isinstance(claim.status, FalseAsPrinted)), claims[0])
            link = f'<a href="#{escape(checked.id)}">{_inline(checked.title, letters_of(checked))}</a>'
            text += heading + raw('<div class="beside"><div>') + f"{body}\n\n"
            text += raw(
                f'</div><div><p class="rubric">Formula of what is checked</p>{formula(checked)}<p>{link}</p></div></div>'
            )
        elif name == "Correction":
            text += f".. rubric:: {name}\n\n{body}\n\n"
        else:
            text += raw(f'<details class="more"><summary>{name}</summary>') + f"{body}\n\n" + raw("</details>")
    return text


def _inline(text: str, letters: frozenset[str]) -> str:
    return fragments.inline(lettered(text, letters))


def _claims(atlas: Atlas, theorem: Theorem, part: Part) -> str:
    return "".join(claim_section(atlas, claim, theorem.letters) for claim in part.claims)


def claim_section(atlas: Atlas, claim: Claim, letters: frozenset[str] = frozenset()) -> str:
    """A claim: what it says, and, folded, what is known of it."""
    record = atlas.records.get(claim.id)
    strength = atlas.strengths.get(claim.id)
    text = title(lettered(plain(claim.title), letters), "~")
    known = atlas.proofs[claim.id]
    text += raw(
        _head(claim, record, strength, known.said)
        + in_a_sentence(claim, record)
        + fragments.relations(claim, atlas.claims, atlas.link)
    )
    text += quoted(words.docstring(claim.statement), letters)
    text += raw(formula(claim))
    if isinstance(claim.status, FalseAsPrinted):
        shown = fragments.witness(claim, atlas.claims, atlas.package)
        text += raw(f"<h4>False at</h4>{shown}") if shown else ""
    facts = {
        "pictures": fragments.drawn(claim, record),
        "hypotheses": fragments.hypotheses(claim, record, fragments.in_numbers),
        "tight examples": fragments.tight(claim, record) + _instances(claim),
        "nearest to failing": _worst(claim, record),
        "false variants": fragments.variants(claim, record, fragments.in_numbers, variant_says),
        "exact parts": fragments.exact_parts(claim, record),
        "proofs": _proofs(known.lines),
        "strength": fragments.strength(strength),
        "code": fragments.code(claim),
        "commands": fragments.commands(claim),
        "how to cite": cite(claim),
    }
    summary = ", ".join(name for name, shown in facts.items() if shown)
    return text + raw(
        f'<details class="known"><summary>{summary[0].upper()}{summary[1:]}</summary>{"".join(facts.values())}</details>'
    )


def _head(claim: Claim, record: Record | None, strength: Strength | None, known: str) -> str:
    parts = [f"<code>{escape(claim.id)}</code> {fragments.badge(claim.status.name, claim.status.name)}"]
    if record is not None:
        kind = record.outcome if record.as_expected else "unexpected"
        parts.append(f"{fragments.badge(record.outcome, kind)} {escape(record.evidence)}")
    parts.append(escape(known))
    parts.append(f"strength {escape(strength.in_a_word())}" if strength is not None else "")
    parts.append(escape(claim.source.label) if claim.source.label != DERIVED_HERE else "")
    return f'<p class="head" id="{escape(claim.id)}">{" · ".join(filter(None, parts))}</p>\n'


STATUS = {
    "stated": "The paper states it.",
    "derived_here": "It is derived here; no paper states it.",
    "conjectured": "It is a conjecture: nobody has proved it.",
    "false_as_printed": "It is false as the paper prints it.",
}


def in_a_sentence(claim: Claim, record: Record | None) -> str:
    """Where a claim comes from, and what a run found, in words."""
    sentence = STATUS[claim.status.name]
    if record is not None and record.outcome == "survived":
        near = console.closest(record)
        distance = "" if near == "-" else "; the bound is attained" if near == "attained" else f"; the nearest is {near}"
        sentence += f" Nothing refuted it: {record.feasible} instances were tested, {record.decided} decided exactly{distance}."
    elif record is not None:
        verdict = "An instance on rationals refutes it" if record.outcome == "refuted" else "It is undecided"
        sentence += f" {verdict}{'' if record.as_expected else ', which is not expected'}."
    return f'<p class="status">{escape(sentence)}</p>\n'


def cite(claim: Claim) -> str:
    """How to cite a claim: its permanent address, and an entry of BibTeX, folded."""
    paper = words.paper(claim)
    where = f"{paper}, {claim.source.label}" if claim.source.label != DERIVED_HERE else f"derived here, beside {paper}"
    entry = (
        f"@misc{{deep-l2-verify:{claim.id},\n  author = {{{{the deep-l2-verify authors}}}},\n"
        f"  title = {{{{{claim.title}}}}},\n"
        f"  note = {{Claim {claim.id} of deep-l2-verify {__version__}: {where}}},\n}}"
    )
    address = f"../../c/{escape(claim.id)}/index.html"
    return (
        f'<details class="code cite"><summary>Cite this claim</summary><p><a href="{address}">c/{escape(claim.id)}</a> is its '
        f"permanent address.</p><pre>{escape(entry)}</pre></details>\n"
    )


def address_pages(atlas: Atlas) -> dict[str, str]:
    """A page for each claim and each alias, ``c/ID``, which leads to where the claim stands now: links to it stay."""
    aliases = {name: target for name, target in atlas.claims.aliases.items() if target in atlas.homes}
    written = {}
    for name in [*atlas.homes, *aliases]:
        claim = atlas.claims[aliases.get(name, name)]
        link = atlas.link(claim.id, "../../atlas/")
        written[f"{name}/index.html"] = (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>'
            f'<meta http-equiv="refresh" content="0; url={escape(link)}"><link rel="canonical" href="{escape(link)}"></head>'
            f'<body><h1>{escape(claim.title)}</h1><p><a href="{escape(link)}">{escape(name)}</a></p></body></html>\n'
        )
    return written


def formula(claim: Claim) -> str:
    """What is evaluated, typeset from the code; or why it is not."""
    try:
        typeset = typeset_claim(claim)
        shown = "".join(mathml(relation, block=True) for relation in typeset.relations)
        where = ", ".join(mathml(text) for text in typeset.where)
        functions = [mathml(text) for text in typeset.functions]
        functions += [f"{mathml(symbol)}: {fragments.named(claim, text)}" for symbol, text in typeset.descriptions]
    except (NoFormula, UnreadableFormula) as error:
        return f'<p class="quiet">The statement is not shown as a formula: {escape(str(error))}.</p>\n'
    letters = f'<p class="where">where {where}</p>' if where else ""
    letters += f'<p class="where">{"<br>".join(functions)}</p>' if functions else ""
    parts = parts_in(typeset, claim.domain.variables)
    letters += f'<p class="quiet">{escape(parts)}.</p>' if parts else ""
    return f'<div class="formula">{shown}</div>{letters}\n'


LONGEST_IN_A_CELL = 240
"""Characters of LaTeX: longer formulas are wider than a page."""


def variant_says(claim: Claim, name: str) -> str:
    """What a false variant says: the constants that it changes, or its formula where that fits into a cell."""
    variant = claim.false_variants[name]
    if words.unwrapped(variant) is words.unwrapped(claim.statement):
        parameters = inspect.signature(words.unwrapped(claim.statement)).parameters
        changed = getattr(variant, "keywords", {})
        lines = [
            f"{mathml(f'{letter_tex(key)} = {_in_tex(value)}')} in place of {mathml(_in_tex(parameters[key].default))}"
            for key, value in changed.items()
            if isinstance(value, int | Q) and isinstance(parameters[key].default, int | Q)
        ]
    else:
        try:
            typeset = typeset_claim(claim, variant)
            # a name that is not used has no letter
            formulas = [text for text in (*typeset.relations, *typeset.where) if r"\mathrm{}" not in text]
            fits = typeset.relations[0] in formulas and sum(map(len, formulas)) <= LONGEST_IN_A_CELL
            lines = [mathml(text) for text in formulas] if fits else []
        except (NoFormula, UnreadableFormula):
            return ""
    return "".join(f"<br>{line}" for line in lines)


def _in_tex(value: Any) -> str:
    number = fraction(value)
    return str(number) if number.denominator == 1 else rf"\frac{{{number.numerator}}}{{{number.denominator}}}"


def _instances(claim: Claim) -> str:
    """The tight examples in numbers, folded."""
    shown = "".join(
        f"<h5>{fragments.named(claim, name)}</h5>{instance(example.instance())}" for name, example in claim.tight.items()
    )
    return f'<details class="numbers"><summary>Tight examples in numbers</summary>{shown}</details>\n' if shown else ""


def _proofs(lines: Sequence[str]) -> str:
    """What certificates say, folded: methods and sizes, what Coq accepted, and the words of a proof for all sizes."""
    shown = "".join(f"<li>{fragments.inline(line)}</li>" for line in lines)
    return f'<details class="numbers"><summary>Proofs</summary><ul class="proof">{shown}</ul></details>\n' if shown else ""


def _worst(claim: Claim, record: Record | None) -> str:
    """The instance nearest to failing, folded."""
    if record is None or record.nearest is None:
        return ""
    shown = fragments.found_at(claim, record.nearest)
    summary = f"The instance nearest to failing: relative slack {words.smallest_slack(record.relative_slack)}"
    return f'<details class="numbers"><summary>{summary}</summary>{shown}</details>\n'


def claims_table(atlas: Atlas) -> str:
    """All claims with a search and filters: a table for each paper, folded."""
    columns = ["claim", "label", "status", *(["outcome"] if atlas.records else []), "evidence", "strength"]
    head = "".join(f'<th scope="col"><button type="button">{name}</button></th>' for name in columns)
    values: dict[str, set[str]] = {"status": set(), "strength": set(), "outcome": set(), "evidence": set()}
    tables = []
    for paper in papers(atlas):
        rows = []
        for theorem in atlas.of_paper(paper):
            for claim in theorem.claims:
                strength, record = atlas.strengths.get(claim.id), atlas.records.get(claim.id)
                facts = {"paper": paper, "status": claim.status.name}
                facts["strength"] = "-" if strength is None else strength.in_a_word()
                facts |= {"outcome": record.outcome} if record is not None else {}
                facts["evidence"] = _evidence(claim, record, atlas.proofs[claim.id])
                for name in values:
                    values[name] |= {facts[name]} if name in facts else set()
                rows.append(_row(claim, theorem, facts, columns))
        name = escape(words.papers(atlas.package).get(paper, paper))
        tables.append(
            f'<details class="paper" data-count="{len(rows)}"><summary>{name} '
            f'<span class="quiet count">{len(rows)} claims</span></summary>'
            f'<div class="wide"><table class="claims"><thead><tr>{head}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div></details>"
        )
    options = {"paper": papers(atlas)} | {name: sorted(texts) for name, texts in values.items() if texts}
    count = sum(len(theorem.claims) for theorem in atlas.theorems.values())
    return f'{fragments.filters(options, count)}<div id="claims">{"".join(tables)}</div>'


def _evidence(claim: Claim, record: Record | None, known: proved.Proofs) -> str:
    """One of a few words: what is proved, else what a run found, else what a claim declares."""
    if known.is_proved and not known.not_checked:
        sizes = "all" if known.for_all_sizes else "smallest" if known.at_smallest_sizes else "small"
        return f"proved, {sizes} sizes"
    if record is not None:
        return record.evidence
    base = "refuted" if isinstance(claim.status, FalseAsPrinted) else "argued" if claim.argument else "searched"
    return f"{base}, {words.NOT_CHECKED}" if known.is_proved else base


def _breakable(claim_id: str) -> str:
    """An id that breaks after a full stop or before an underscore, and inside no word."""
    return re.sub(r"(?<=\.)|(?=_)", "<wbr>", escape(claim_id))


def _row(claim: Claim, theorem: Theorem, facts: Mapping[str, str], columns: Sequence[str]) -> str:
    link = f"{theorem.paper}/{theorem.name}.html#{claim.id}"
    cells = {
        "claim": f'<a href="{escape(link)}">{fragments.named(claim, claim.title)}</a><code>{_breakable(claim.id)}</code>',
        "label": escape(claim.source.label),
        "status": fragments.badge(claim.status.name, claim.status.name),
        "outcome": fragments.badge(facts.get("outcome", "-"), facts.get("outcome", "")),
        "evidence": escape(facts.get("evidence", "-")),
        "strength": escape(facts["strength"]),
    }
    data = "".join(f' data-{name}="{escape(value)}"' for name, value in facts.items())
    tags = "".join(f"<td>{cells[name]}</td>" for name in columns)
    return f"<tr{data}>{tags}</tr>"
