"""Terms of the glossary are linked where a page uses them first."""

import pytest
from docutils.core import publish_doctree
from docutils.nodes import Text, reference

from verify.cli.explain import glossary
from verify.site import terms


def linked(text):
    document = publish_doctree(text)
    terms.link_terms(document, "../glossary.html")
    return {one.astext(): one["refuri"] for one in document.findall(reference)}, document.astext()


def test_the_first_use_is_linked_alone():
    text = "A witness of a claim; another witness. Claims and hypotheses, and the tight example."
    found, shown = linked(text)
    assert found == {
        "witness": "../glossary.html#term-witness",
        "claim": "../glossary.html#term-claim",
        "hypotheses": "../glossary.html#term-hypothesis",
        "tight example": "../glossary.html#term-tight-example",
    }
    assert shown == text


@pytest.mark.parametrize(
    "text", ["``witness``", "`a claim <there>`__", ":math:`witness`", "Claim\n=====\n\nA word.", "a re-claim-ed"]
)
def test_code_links_formulas_and_headings_stay(text):
    found, _ = linked(text)
    assert set(found.values()) <= {"there"}


def test_html_is_linked_outside_of_links_code_and_what_is_folded():
    seen = set()
    html = '<p class="claim">Its <a href="x">claim</a>, <code>claim</code>, claim.</p><details><p>seed</p></details>'
    shown = terms.link_html(html, "glossary.html", seen)
    assert shown == html.replace(", claim.", ', <a class="term" href="glossary.html#term-claim">claim</a>.')
    assert seen == {"claim"}
    assert terms.link_html("<p>A claim</p>", "glossary.html", seen) == "<p>A claim</p>"
    assert "term-seed" in terms.link_html("</details><p>seed</p>", "glossary.html", seen)


def test_prose_and_html_of_a_page_share_what_is_linked():
    document = publish_doctree(".. raw:: html\n\n   <p>A claim</p>\n\nA claim with a seed.")
    terms.link_terms(document, "glossary.html")
    assert [one.astext() for one in document.findall(reference)] == ["seed"]
    assert any("term-claim" in one.astext() for one in document.findall(Text))


def test_every_term_is_found():
    assert set(glossary()) > terms.ORDINARY
    for term in set(glossary()) - terms.ORDINARY:
        assert "glossary.html#" in terms.link_html(f"<p>The {term} here</p>", "glossary.html", set()), term
