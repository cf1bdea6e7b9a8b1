"""The graph of a package: a node for each theorem, with what is known of it, and the arrows between them."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from typing import Any

from verify.claims.catalogue import Declaration
from verify.claims.claim import Claim, Conjectured, FalseAsPrinted
from verify.notation.formulas import readable, unicode_formula
from verify.report.map.arrows import FILE, Arrow, circle_of, of_claims, read, theorem_of
from verify.report.proved import proofs
from verify.report.typeset import NoFormula, typeset_claim
from verify.report.words import IN_COQ, NOT_CHECKED

SHAPES = ("theorem", "proposition", "lemma", "other")
"""Kinds of theorems: corollaries are lemmas here; remarks, examples and what has a name only are other ones."""

EVIDENCE = {
    "proved": "each claim is proved by a certificate or in Coq, for all sizes or at small ones",
    "partly proved": "some claims are proved by a certificate or in Coq, for all sizes or at small ones",
    "searched": "nothing refuted it",
    "conjecture": "nobody has proved it",
}
"""What is known of a theorem, in words."""

STATUSES = {
    "stated": "a paper states it",
    "derived here": "no paper does, or not in this form",
    "conjectured": "nobody has proved it",
}
"""Where a theorem comes from."""

LONGEST = 120
"""Letters of a formula beside a title."""


@dataclass(frozen=True)
class Node:
    """A theorem, with what is known of its claims.

    Attributes
    ----------
    name, paper
        Such as ``notion_of_rank.prop_3``, and the first part of it.
    label
        What the map shows: "Prop 3", or the name in words.
    title
        A sentence.
    shape, evidence
        One of `SHAPES` and of `EVIDENCE`.
    claims, proved, errata
        How many claims are expected to survive, how many of these have a certificate, and how many are false as printed.
    status
        One of `STATUSES`: "stated" where a paper states one of them.
    formula
        What the first of them says, in Unicode; empty where it is no formula, or a long one.
    """

    name: str
    paper: str
    label: str
    title: str
    shape: str
    evidence: str
    claims: int
    proved: int
    errata: int
    status: str = "stated"
    formula: str = ""

    @property
    def in_words(self) -> str:
        """What is known of it, in a few words."""
        if self.evidence.endswith("proved"):
            return f"{self.proved} of {self.claims} claim{'s' * (self.claims != 1)} proved"
        return self.evidence

    @property
    def said(self) -> str:
        """Title, formula and status, as it is read out."""
        wrong = f"; {self.errata} statement{'s' * (self.errata != 1)} false as printed" if self.errata else ""
        formula = f"\n{self.formula}" if self.formula else ""
        status = self.status[0].upper() + self.status[1:]
        return f"{self.title}.{formula}\n{status}; {self.in_words}{wrong}."


@dataclass(frozen=True)
class TheoryMap:
    """The theorems by name, in the order of the package, and the arrows between them."""

    nodes: Mapping[str, Node] = field(default_factory=dict)
    arrows: Sequence[Arrow] = ()

    @property
    def papers(self) -> list[str]:
        """The first parts of the names."""
        return list(dict.fromkeys(node.paper for node in self.nodes.values()))

    def of_paper(self, paper: str) -> TheoryMap:
        """The theorems of one paper, with those of other papers that they rest on."""
        arrows = [arrow for arrow in self.arrows if self.nodes[arrow.target].paper == paper]
        shown = {arrow.source for arrow in arrows}
        nodes = {name: node for name, node in self.nodes.items() if node.paper == paper or name in shown}
        return TheoryMap(nodes, arrows)

    def before(self, name: str) -> list[Arrow]:
        """The arrows to a theorem: what it rests on."""
        return [arrow for arrow in self.arrows if arrow.target == name]

    def after(self, name: str) -> list[Arrow]:
        """The arrows from a theorem: what rests on it."""
        return [arrow for arrow in self.arrows if arrow.source == name]

    def document(self) -> dict[str, Any]:
        """The map as JSON has it."""
        return {
            "schema": 1,
            "theorems": [asdict(node) for node in self.nodes.values()],
            "arrows": [asdict(arrow) for arrow in self.arrows],
        }


def map_of(
    claims: Mapping[str, Claim], listing: Mapping[str, Declaration], package: str, order: Sequence[str] = ()
) -> TheoryMap:
    """The map of a package whose claims were found already.

    `listing` says what is known of the claims, as `verify.report.index.listing` does; theorems come in the given order, others
    last.

    Raises
    ------
    ValueError
        The table of the arrows cannot be used, see `verify.report.map.arrows.read`, or the claims follow from each other in a
        circle.
    """
    of_theorem: dict[str, list[Claim]] = {name: [] for name in order}
    for claim in claims.values():
        of_theorem.setdefault(theorem_of(claim.id), []).append(claim)
    nodes = {name: _node(name, stated, listing, package) for name, stated in of_theorem.items() if stated}
    file = resources.files(package).joinpath(FILE)
    written = read(file.read_text(encoding="utf-8"), nodes, f"{package}/{FILE}") if file.is_file() else []
    pairs = {(arrow.source, arrow.target) for arrow in written}
    arrows = written + [
        arrow for arrow in of_claims(claims) if (arrow.source, arrow.target) not in pairs and arrow.source in nodes
    ]
    if circle := circle_of(arrows):
        raise ValueError(f"{package}: {' rests on '.join(circle)}: a proof cannot go round in a circle")
    return TheoryMap(nodes, arrows)


def _node(name: str, claims: Sequence[Claim], listing: Mapping[str, Declaration], package: str) -> Node:
    title = _title(name, claims, listing)
    label, shape = _label(name, title)
    expected = [claim for claim in claims if not isinstance(claim.status, FalseAsPrinted)]
    proved = sum(_is_proved(claim, listing[claim.id], package) for claim in expected)
    if expected and proved == len(expected):
        evidence = "proved"
    elif proved:
        evidence = "partly proved"
    else:
        conjectured = [claim for claim in expected if isinstance(claim.status, Conjectured)]
        evidence = "conjecture" if conjectured else "searched"
    statuses = {claim.status.name.replace("_", " ") for claim in expected}
    return Node(
        name,
        name.split(".")[0],
        label,
        title,
        shape,
        evidence,
        len(expected),
        proved,
        errata=len(claims) - len(expected),
        status=next((status for status in STATUSES if status in statuses), "stated"),
        formula=_formula(expected[0]) if expected else "",
    )


def _formula(claim: Claim) -> str:
    """What a claim says, in Unicode; empty where it is no formula, or a long one."""
    try:
        shown = "; ".join(" ".join(unicode_formula(relation).split()) for relation in typeset_claim(claim).relations)
    except NoFormula:
        return ""
    return shown if len(shown) <= LONGEST else ""


def _title(name: str, claims: Sequence[Claim], listing: Mapping[str, Declaration]) -> str:
    """The first sentence of the docstring of its module or folder; else the title of its first claim."""
    parts = listing[claims[0].id].module.split(".")
    short_name = name.split(".")[-1]
    if short_name in parts:
        home = sys.modules.get(".".join(parts[: parts.index(short_name) + 1]))
        text = inspect.cleandoc((home.__doc__ if home else None) or "").partition("\n\n")[0]
        if text:
            return readable(" ".join(text.split()).partition(". ")[0].rstrip("."))
    return min(claims, key=lambda claim: len(claim.id)).title


SPELT = {"cnn": "CNN", "gd": "GD", "ode": "ODE", "frank wolfe": "Frank-Wolfe", "resnets": "ResNets"}
"""Words of names that are written in another way."""

NUMBERED = {"Theorem": "theorem", "Proposition": "proposition", "Lemma": "lemma", "Corollary": "lemma"}


def _label(name: str, title: str) -> tuple[str, str]:
    """What the map shows of a theorem, and its shape."""
    match = re.match(r"(Theorem|Proposition|Lemma|Corollary|Remark|Example)\b ([^:]*?)(?:, [^:]*)?:", f"{title}:")
    if match is None:
        match = re.fullmatch(r"(prop|theorem|lemma|cor|corollary)_(\d+)", name.split(".")[-1])
        words = {"prop": "Proposition", "cor": "Corollary"}
        if match is None:
            return spelt(name.split(".")[-1].replace("_", " ")), "other"
        kind = words.get(match[1], match[1].capitalize())
    else:
        kind = match[1]
    short = {"Proposition": "Prop"}.get(kind, kind)
    return f"{short} {match[2]}", NUMBERED.get(kind, "other")


def spelt(name: str) -> str:
    """A name in words, as it is written in a text."""
    for word, spelling in SPELT.items():
        name = re.sub(rf"\b{word}\b", spelling, name)
    return name[0].upper() + name[1:]


def _is_proved(claim: Claim, declaration: Declaration, package: str) -> bool:
    """Whether a certificate of the present statement proves it, checked here or not, or a theorem in Coq."""
    if declaration.evidence.startswith("proved"):
        return True
    return any(words in declaration.evidence for words in (NOT_CHECKED, IN_COQ)) and proofs(claim, package).is_proved
