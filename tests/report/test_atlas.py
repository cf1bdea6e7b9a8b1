"""The pages that are made from the claims."""

import re
from dataclasses import replace

import numpy as np
import pytest

from verify import FalseAsPrinted, catalogue
from verify.checker.record import Record
from verify.checker.running import check
from verify.report import fragments
from verify.report.description import describe
from verify.site import atlas, errata


@pytest.fixture(scope="module")
def claims():
    return catalogue()


@pytest.fixture(scope="module")
def whole(claims):
    return atlas.atlas_of(claims)


def test_every_claim_has_one_page_and_every_page_stands_once_in_the_index(claims, whole):
    assert sorted(claim.id for theorem in whole.theorems.values() for claim in theorem.claims) == list(claims)
    for paper in {paper for paper, _ in whole.theorems}:
        listed = [name for section in whole.contents(paper) for name in section.names]
        assert sorted(listed) == sorted(name for place, name in whole.theorems if place == paper)


def test_theorems_come_in_the_order_of_the_table_of_contents(whole):
    for paper, names in {
        "leaky_resnets": ["ode", "prop_1", "theorem_4", "prop_5"],
        "feature_learning": ["sparsity_of_minima", "prop_1", "prop_3", "prop_15"],
        "notion_of_rank": ["ridge", "linear_networks", "theorem_1", "autoencoders"],
    }.items():
        found = [theorem.name for theorem in whole.of_paper(paper)]
        assert [name for name in found if name in names] == names


def test_the_parts_of_a_docstring(whole):
    parts = atlas.said(whole.theorems["leaky_resnets", "theorem_4"].home)
    assert parts.title == "Theorem 4: separation of time scales"
    assert list(parts.rubrics) == ["Statement", "Correction", "Checked", "Proof idea", "Tight", "Source"]
    assert parts.rubrics["Source"] == "leaky_resnets, Theorem 4 (Theorem 8 of the appendix)."


def test_a_page_has_the_statement_and_what_is_known_of_each_claim(whole):
    text = atlas.theorem_page(whole, whole.theorems["notion_of_rank", "prop_3"])
    assert re.search(r"^Statement\n-+\n\n", text, re.MULTILINE)
    assert "\nAt every point :math:`x`" in text
    for claim_id in ("notion_of_rank.prop_3", "notion_of_rank.prop_3.slopes"):
        assert f'id="{claim_id}"' in text
        assert f"verify run {claim_id}" in text
    assert "the last layer is free" in text
    assert re.search(r"slopes of at most 1</td><td[^>]*>needed", text)
    assert "not shown to be needed" in text
    assert "balanced, depth 3" in text
    # what false variants say: another constant, or another formula
    assert re.search(r"exponent 3<br><math.*?</math> in place of <math", text)
    assert re.search(r"the last layer is free(<br><span[^>]*>[^<]*</span>)?<br><math", text)
    assert "<mtable>" in text


def test_what_is_not_the_statement_is_folded(whole):
    text = atlas.theorem_page(whole, whole.theorems["leaky_resnets", "prop_10"])
    # the statement is beside the formula of the claim that holds; what is wrong as printed stands open below it
    beside = text[text.index('<div class="beside">') : text.index(".. rubric:: Correction")]
    assert "With :math:`b` the last column of :math:`W`," in beside
    assert '<a href="#leaky_resnets.prop_10">' in beside
    assert "<math" in beside
    for name in ("Checked", "Proof idea", "Not checked", "Source"):
        assert f'<details class="more"><summary>{name}</summary>' in text
    # of each claim its formula, and at which instance it is false
    in_the_open, count = text, 1
    while count:
        in_the_open, count = re.subn(r"<details(?:(?!<details).)*?</details>", "", in_the_open, flags=re.DOTALL)
    assert "<h4>False at</h4>" in in_the_open
    assert "<table" not in in_the_open
    assert text.count('<details class="known"><summary>Hypotheses, ') == 4


def test_outcomes_are_shown_where_a_run_is_given(claims, whole):
    record = Record("notion_of_rank.prop_3", "", "", "", "stated", "survived", outcome="survived", evidence="proved by toy")
    told = atlas.atlas_of(claims, records={record.id: record})
    home = told.theorems["notion_of_rank", "prop_3"]
    assert "proved by toy" in atlas.theorem_page(told, home)
    assert "outcome" in atlas.claims_table(told)
    assert "outcome" not in atlas.claims_table(whole)


def test_what_a_run_met_is_shown(claims):
    names = ("notion_of_rank.prop_3", "leaky_resnets.cost_of_identity.printed")
    told = atlas.atlas_of(claims, records={name: check("theorems", name, "quick", 0) for name in names})
    text = atlas.claim_section(told, claims[names[0]])
    assert text.count('<td data-label="false at"><ul class="instance">') == 3
    assert "needed: without it, false at" in text
    assert "The instance nearest to failing: relative slack" in text
    for caption in ("how near", "tight: ", "nearest to failing</b>"):
        assert f"<figcaption><b>{caption}" in text
    assert "fail in floats" in atlas.claim_section(told, claims[names[1]])


def test_an_instance_with_an_empty_layer_is_shown(claims):
    # sizes that are 0 leave lists without entries
    claim = claims["notion_of_rank.theorem_1.affine_in_depth"]
    layout = claim.domain.layout(claim.domain.all_sizes()[0])
    document = {"sizes": claim.domain.all_sizes()[0], "left": "1", "right": "2"}
    assert any(0 in one.shape for one in layout.values())
    document["coordinates"] = {name: np.full(one.shape, "1").tolist() for name, one in layout.items()}
    assert "left side <code>1</code>" in fragments.in_numbers(claim, document)


def test_an_instance_of_an_earlier_form_of_the_claim_is_not_shown(claims):
    claim = claims["notion_of_rank.prop_3"]
    for sizes in ({"depth": 99}, claim.domain.all_sizes()[0]):
        document = {"sizes": sizes, "coordinates": {"gone": ["1"]}, "left": "1", "right": "2"}
        assert "of an earlier form" in fragments.in_numbers(claim, document)


def test_what_is_false_as_printed_and_what_corrects_it_link_to_each_other(whole):
    text = atlas.theorem_page(whole, whole.theorems["leaky_resnets", "cost_of_identity"])
    assert "Corrected by" in text
    assert "Corrects" in text
    assert 'href="../leaky_resnets/cost_of_identity.html#leaky_resnets.cost_of_identity"' in text


def test_the_table_has_all_claims_and_a_choice_for_each_fact(claims, whole):
    text = atlas.claims_table(whole)
    assert text.count("<tr data-paper=") == len(claims)
    for name in ("paper", "status", "evidence", "strength"):
        assert f'<select name="{name}">' in text
    # what is proved of networks without a hidden layer is told apart; what was not checked here is not said to be proved
    assert 'data-evidence="proved, all sizes"' in text
    assert 'data-evidence="searched, certificate not checked here"' in text
    assert 'data-evidence="proved, small sizes"' not in text
    told = replace(whole)
    vars(told)["proofs"] = {name: replace(one, not_checked=False) for name, one in whole.proofs.items()}
    checked = atlas.claims_table(told)
    for sizes in ("all", "small", "smallest"):
        assert f'data-evidence="proved, {sizes} sizes"' in checked
    assert "certificate not checked here" not in checked
    # folded by paper, so that the page is short and needs no script; the filters are shown by the script that acts on them
    assert text.count('<details class="paper"') == text.count("</table>") == len(atlas.papers(whole))
    assert re.search(r'<form class="filters"[^>]* hidden>', text)
    # an id breaks between its words alone
    assert "<code>notion<wbr>_of<wbr>_rank.<wbr>prop<wbr>_3</code>" in text


def test_what_is_false_as_printed_is_shown_with_its_erratum_and_the_text_that_was_read(claims):
    text = describe(claims["leaky_resnets.prop_10.printed"], claims, for_a_terminal=True)
    assert "\nerratum:\n  wrong constant: Appendix A.3, Proposition 10\n  read: the anonymous submission, " in text
    assert "\nerratum:\n" not in describe(claims["leaky_resnets.prop_10"], claims, for_a_terminal=True)


def test_names_that_are_parts_of_a_variable_are_explained(claims):
    text = atlas.formula(claims["leaky_resnets.prop_10"])
    assert "growth_last is growth.last, growth_first is growth.first" in text
    assert "in the code below" not in atlas.formula(claims["notion_of_rank.prop_3"])


def test_results_that_cannot_be_read_are_refused_in_a_sentence(monkeypatch, tmp_path):
    building = pytest.importorskip("verify.site.building")
    monkeypatch.setenv("VERIFY_RESULTS", str(tmp_path / "nowhere.json"))
    with pytest.raises(building.ExtensionError, match=r"VERIFY_RESULTS must be the path of .*nowhere\.json"):
        building.write_pages(tmp_path)


def test_the_errata_have_every_claim_that_is_false_as_printed_with_an_instance(claims, whole):
    wrong = {claim.id for claim in claims.values() if isinstance(claim.status, FalseAsPrinted)}
    found = {}
    for name, text in errata.pages(whole).items():
        for part in re.split(r'(?=<p class="head" id=)', text)[1:]:
            found[re.match(r'<p class="head" id="([^"]*)"', part)[1]] = part
            assert name.endswith(".rst")
    assert set(found) == wrong
    for part in found.values():
        assert "True instead: <a href=" in part
        assert "left side" in part or "of an earlier form" in part


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("a |x| b", r"a \|x\| b"),
        (":math:`|x|` and ``|y|``", ":math:`|x|` and ``|y|``"),
        (".. math:: |x|\n    |y|\n\n|z|", ".. math:: |x|\n    |y|\n\n\\|z\\|"),
    ],
)
def test_an_absolute_value_is_no_substitution(text, marked):
    assert atlas.markup(text) == marked
