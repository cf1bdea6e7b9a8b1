"""The tables of sentences: complete, and with ids that exist."""

import re

import pytest

from theorems import PAPERS
from verify import Claim, catalogue
from verify.experiments.discovery import experiments_in
from verify.site import atlas, sentences

NAMES = set(experiments_in("theorems"))


@pytest.fixture(scope="module")
def claims():
    return catalogue()


@pytest.fixture(scope="module")
def found(claims):
    return sentences.tables(claims)


def test_every_id_exists_and_every_claim_of_a_document_stands_for_a_sentence(claims, found):
    assert list(found) == list(PAPERS)
    assert sentences.problems(claims, found, NAMES) == []


def test_every_experiment_stands_for_a_sentence(found):
    assert {row.experiment for rows in found.values() for row in rows if row.experiment} == NAMES


def test_an_experiment_with_a_page_is_linked(claims, monkeypatch):
    # a page of sentences has no strengths, whose fingerprints take half a minute
    monkeypatch.setattr(atlas, "present_strengths", lambda *_: {})
    whole = atlas.atlas_of(claims)
    link = '<a href="../experiments/leaky_resnets.fig_1.html">'
    assert link in sentences.pages(whole, {"leaky_resnets.fig_1"})["leaky_resnets.rst"]
    assert link not in sentences.pages(whole)["leaky_resnets.rst"]


def test_an_alias_stands_in_the_table_of_its_document(claims, found):
    for alias in claims.aliases:
        assert any(alias in row.claims for row in found[alias.split(".")[0]])


def test_what_is_missing_is_named(claims):
    rows = sentences.read(
        """
        [[sentence]]
        place = "Section 1"
        says = "One"
        claims = ["leaky_resnets.prop_1", "leaky_resnets.nothing"]
        [[sentence]]
        place = "Section 1"
        says = "Two"
        experiment = "leaky_resnets.fig_9"
        [[sentence]]
        place = "Section 1"
        says = "Three"
        not_checked = "it is `leaky_resnets.nowhere`, and `leaky_resnets.fig_1`"
        """
    )
    lines = sentences.problems(claims, {"leaky_resnets": rows}, NAMES)
    assert lines[:3] == [
        "leaky_resnets: One: there is no leaky_resnets.nothing",
        "leaky_resnets: Two: there is no leaky_resnets.fig_9",
        "leaky_resnets: Three: there is no leaky_resnets.nowhere",
    ]
    assert "leaky_resnets: leaky_resnets.theorem_4.printed stands for no sentence" in lines
    assert "leaky_resnets: leaky_resnets.prop_1 stands for no sentence" not in lines
    # a claim of ours needs no sentence
    assert not any("leaky_resnets.legendre " in line for line in lines)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("", "exactly one of claims, experiment, not_checked, got none"),
        ('claims = ["a"]\nnot_checked = "b"', "exactly one of claims, experiment, not_checked, got claims, not_checked"),
        ('claims = ["a"]\nremark = "b"', "the keys place, says and claims, got place, says, claims, remark"),
        ("claims = []", r"claims must be a list of ids that is not empty, got \[\]"),
        ('claims = "a"', "claims must be a list of ids that is not empty, got 'a'"),
        ('claims = ["a", ""]', "claims must be a list of ids that is not empty"),
        ('not_checked = " "', "not_checked must be a text that is not empty, got ' '"),
        ('experiment = "a"\npart = "b"', "the keys place, says and experiment, got place, says, experiment, part"),
        ('claims = ["a"]\npart = " "', "part must be a text that is not empty, got ' '"),
        ("experiment = 1", "experiment must be a text that is not empty, got 1"),
    ],
)
def test_a_row_with_no_single_answer_is_refused(row, message):
    with pytest.raises(ValueError, match=message):
        sentences.read(f'[[sentence]]\nplace = "Section 1"\nsays = "One"\n{row}', "here")


def test_a_file_that_is_no_table_is_named():
    with pytest.raises(ValueError, match="here: "):
        sentences.read("[[sentence", "here")
    assert sentences.read("") == []


def test_the_pages_have_all_claims_with_links(claims, found, monkeypatch):
    monkeypatch.setattr(atlas, "present_strengths", lambda *_: {})
    pages = sentences.pages(atlas.atlas_of(claims))
    assert set(pages) == {"index.rst", *(f"{document}.rst" for document in found)}
    whole = "".join(pages.values())
    for claim in claims.values():
        assert f'#{claim.id}"' in whole
    page = pages["leaky_resnets.rst"]
    rows = found["leaky_resnets"]
    kinds = [sentences.kind_of(row, claims) for row in rows]
    assert page.count("<tr data-answer=") == len(rows)
    assert f"{len(rows)} sentences: {kinds.count('checked')} checked" in page
    for kind in sentences.KINDS:
        assert f'<option value="{kind}">' in page
        assert page.count(f'<tr data-answer="{kind}">') == kinds.count(kind) > 0
    own = page[page.index("\nDerived here\n") :]
    listed = re.findall(r'#([\w.]+)"', own)
    assert listed
    assert all(isinstance(claims[name], Claim) and claims[name].source.label == "derived here" for name in listed)
