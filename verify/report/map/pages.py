"""The map on the site: a page with a map for each paper and one of all, and a line on the page of each theorem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from verify.report.map.arrows import WRITTEN, Arrow
from verify.report.map.drawing import drawing, legend, legend_in_words, short_paper
from verify.report.map.graph import Node, TheoryMap

ENDS = {"uses": ("uses", "used by"), "extends": ("extends", "extended by"), "corrects": ("corrected by", "corrects")}
"""What an arrow says of the theorem that it leads to, and of the one that it comes from."""


def page(theory: TheoryMap, papers: Mapping[str, str]) -> str:
    """The page ``map.rst`` in the folder of the atlas; `papers` has the titles."""
    text = "Map of the theory\n=================\n\n"
    text += (
        f"{len(theory.nodes)} theorems and {len(theory.arrows)} arrows between them, taken from the proofs in the papers and "
        "from what is checked. A map scrolls, and grows by its buttons, or by the wheel with the control key. Each theorem "
        "leads to its page; below each map it is a table.\n\n"
    )
    shown = f'<div class="wide" tabindex="0" role="region" aria-label="Legend">{legend()}</div>'
    text += _raw(f"{shown}<details><summary>What it means, in words</summary><p>{escape(legend_in_words())}</p></details>")
    for paper in theory.papers:
        name = papers.get(paper, paper)
        text += f".. _map-{paper}:\n\n" + _heading(name) + _map(theory, theory.of_paper(paper), name, paper)
    return text + _heading("All of them") + _map(theory, theory, "all papers", None)


def anchor(paper: str) -> str:
    """A link to the map of a paper, in reStructuredText."""
    return f":ref:`Map of what rests on what <map-{paper}>`"


def line(theory: TheoryMap, name: str, up: str = "../") -> str:
    """What a theorem rests on and what rests on it, as HTML for a page `up` from the folder of the atlas; empty if nothing."""
    sentences = []
    for word, arrows in _neighbours(theory, name).items():
        sentences.append(f"{word.capitalize()}: {_links(theory, arrows, name, up)}.")
    return f'<p class="relations">{" ".join(sentences)}</p>\n' if sentences else ""


def _neighbours(theory: TheoryMap, name: str) -> dict[str, list[Arrow]]:
    """The arrows of a theorem by what they say of it."""
    arrows: dict[str, list[Arrow]] = {}
    for arrow in theory.before(name):
        arrows.setdefault(ENDS[arrow.kind][0], []).append(arrow)
    for arrow in theory.after(name):
        arrows.setdefault(ENDS[arrow.kind][1], []).append(arrow)
    return arrows


def _links(theory: TheoryMap, arrows: Iterable[Arrow], name: str, up: str) -> str:
    """The other ends of arrows, each with its place."""
    links = []
    for arrow in arrows:
        end = theory.nodes[arrow.source if arrow.target == name else arrow.target]
        paper = "" if end.paper == theory.nodes[name].paper else f" ({short_paper(end.paper)})"
        links.append(f'<a href="{up}{address(end)}" title="{escape(arrow.place)}">{escape(end.label)}</a>{escape(paper)}')
    return ", ".join(links)


def address(node: Node) -> str:
    """The page of a theorem, from the folder of the atlas."""
    return f"{node.name.replace('.', '/')}.html"


def _map(theory: TheoryMap, part: TheoryMap, name: str, paper: str | None) -> str:
    says = f"Map of the theorems of {name}"
    svg = drawing(part, says, home=paper, link=address)
    own = [node for node in part.nodes.values() if paper is None or node.paper == paper]
    table = f"<details><summary>The same as a table</summary>{_table(theory, own)}</details>"
    return _raw(f'<div class="wide map" tabindex="0" role="region" aria-label="{escape(says)}">{svg}</div>{table}')


def _table(theory: TheoryMap, nodes: Iterable[Node]) -> str:
    columns = ("theorem", "status", "rests on", "used by", "errata")
    rows = ""
    for node in nodes:
        near = _neighbours(theory, node.name)
        before, after, corrected = (
            _links(theory, [arrow for kind in kinds for arrow in near.get(ENDS[kind][end], [])], node.name, "")
            for kinds, end in ((WRITTEN, 0), (WRITTEN, 1), (("corrects",), 0))
        )
        corrects = _links(theory, near.get(ENDS["corrects"][1], []), node.name, "")
        wrong = [f"{node.errata} false as printed"] if node.errata else []
        wrong += [f"corrected by {corrected}"] if corrected else []
        wrong += [f"corrects {corrects}"] if corrects else []
        cells = (
            f'<a href="{address(node)}">{escape(node.title)}</a>',
            escape(node.in_words),
            before,
            after,
            "; ".join(wrong),
        )
        rows += f"<tr>{''.join(map(_cell, columns, cells))}</tr>"
    head = "".join(f'<th scope="col">{name}</th>' for name in columns)
    return f'<table class="facts"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _cell(column: str, inside: str) -> str:
    return f'<td data-label="{column}">{inside}</td>'


def numbers(theory: TheoryMap, errata: int) -> str:
    """What there is, in four numbers with links, as HTML for the first page of the site."""
    nodes = theory.nodes.values()
    counts = {
        "claims": (sum(node.claims + node.errata for node in nodes), "atlas/claims.html"),
        "papers and talks": (len(theory.papers), "atlas/index.html"),
        "proved, for all sizes or at small ones": (sum(node.proved for node in nodes), "proofs.html"),
        "errata of the papers": (errata, "errata/index.html"),
    }
    shown = "".join(f'<li><a href="{link}"><b>{count}</b> {words}</a></li>' for words, (count, link) in counts.items())
    return f'<ul class="numbers">{shown}</ul>'


def _heading(text: str) -> str:
    return f"{text}\n{'-' * len(text)}\n\n"


def _raw(html: str) -> str:
    return f".. raw:: html\n\n   {html}\n\n"
