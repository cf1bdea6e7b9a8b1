"""Terms of the glossary, linked where a page uses them first: in prose, and in HTML that is made from the claims."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes

from verify.cli.explain import glossary

APART: tuple[type, ...] = (
    nodes.reference,
    nodes.title,
    nodes.literal,
    nodes.literal_block,
    nodes.doctest_block,
    nodes.math,
    nodes.math_block,
)
APART += (nodes.rubric, nodes.comment, nodes.system_message, nodes.term, nodes.caption, nodes.field_name, nodes.strong)
"""What has a link of its own, or is code, a formula, a heading or a name; of Sphinx, signatures, too."""
CLOSED = {"a", "button", "code", "details", "h1", "h2", "h3", "h4", "h5", "h6", "label", "math", "option", "pre", "script"}
CLOSED |= {"output", "select", "style", "summary", "svg", "th", "title"}
"""The same of HTML, and what is folded: a link is where it is seen."""

ORDINARY = {"ball", "closest", "kernel", "problem", "seconds", "tested", "variants"}
"""Terms that prose uses in other senses, too: words of mathematics, and names of columns."""


@functools.cache
def _pattern() -> re.Pattern[str]:
    """A term, one or several; the longest first."""
    known = sorted(set(glossary()) - ORDINARY, key=len, reverse=True)
    written = [f"{re.escape(term[:-2])}(?:is|es)" if term.endswith("sis") else f"{re.escape(term)}s?" for term in known]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(written)})(?![\w-])", re.IGNORECASE)


def _term(word: str) -> str:
    """The term of which a word is one form."""
    low = " ".join(word.lower().split())
    forms = (low, low.removesuffix("s"), re.sub("ses$", "sis", low))
    names = {term.lower(): term for term in glossary()}
    return next(names[form] for form in forms if form in names)


def _pieces(text: str, linked: set[str]) -> Iterator[tuple[str, str]]:
    """Text with the term that it is one of, or the empty text; each term once, and those that are `linked` already not."""
    end = 0
    for found in _pattern().finditer(text):
        term = _term(found[0])
        if term in linked:
            continue
        linked.add(term)
        yield text[end : found.start()], ""
        yield found[0], term
        end = found.end()
    yield text[end:], ""


def address(term: str, page: str) -> str:
    """Where a term stands, of the page of the glossary."""
    return f"{page}#{nodes.make_id(f'term-{term}')}"


def link_html(html: str, page: str, linked: set[str]) -> str:
    """HTML with links to terms that are not `linked` yet, which are added there."""
    shown, closed = "", 0
    for part in re.split(r"(<[^>]*>)", html):
        tag = re.match(r"<(/?)(\w+)", part)
        if tag is not None:
            # what is closed here may have been opened in another piece of the page
            closed = max(0, closed + (-1 if tag[1] else 1) * (tag[2] in CLOSED and not part.endswith("/>")))
            shown += part
        elif closed:
            shown += part
        else:
            for text, term in _pieces(part, linked):
                shown += f'<a class="term" href="{escape(address(term, page))}">{text}</a>' if term else text
    return shown


def link_terms(document: nodes.document, page: str) -> None:
    """Link the terms of a page, each where it comes first; `page` is the address of the glossary from there."""
    linked: set[str] = set()
    for node in list(document.findall(lambda node: isinstance(node, nodes.Text | nodes.raw))):
        if isinstance(node, nodes.raw):
            if node.get("format") == "html":
                text = link_html(node.astext(), page, linked)
                node.children, node.rawsource = [nodes.Text(text)], text
            continue
        if isinstance(node.parent, nodes.raw) or any(map(_is_apart, _around(node))):
            continue
        pieces = [piece for piece in _pieces(node.astext(), linked) if piece[0]]
        if any(term for _, term in pieces):
            node.parent.replace(node, [_shown(text, address(term, page) if term else "") for text, term in pieces])


def _is_apart(node: Any) -> bool:
    return isinstance(node, APART) or getattr(node, "tagname", "") in ("desc_signature", "desc_signature_line", "toctree")


def _around(node: Any) -> Iterator[Any]:
    while node is not None:
        yield node
        node = node.parent


def _shown(text: str, target: str) -> nodes.Node:
    if not target:
        return nodes.Text(text)
    return nodes.reference("", "", nodes.inline("", text), refuri=target, internal=True, classes=["term"])
