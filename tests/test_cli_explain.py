"""The command explain."""

import pytest
from typer.testing import CliRunner

from verify.cli import app
from verify.cli.explain import glossary


def said(*words):
    result = CliRunner().invoke(app, ["explain", *words])
    return result.exit_code, result.stdout + result.stderr


def test_without_a_term_all_are_listed():
    status, text = said()
    assert status == 0
    assert text.strip().split(", ") == list(glossary())
    assert len(glossary()) >= 25


@pytest.mark.parametrize("term", list(glossary()))
def test_every_term_is_explained_without_markup(term):
    status, text = said(*term.split())
    assert status == 0
    assert text.startswith(f"{term}\n  ")
    assert "*" not in text
    assert "`" not in text


@pytest.mark.parametrize(
    ("asked", "found"),
    [("false_variants", "false variant"), ("Errata", "erratum"), ("argued", "evidence"), ("feasible", "hypothesis")],
)
def test_other_forms_are_found(asked, found):
    status, text = said(asked)
    assert status == 0
    assert found in text.splitlines()


def test_what_is_unknown_has_near_terms():
    status, text = said("slak")
    assert status == 2
    assert "'slak' is no term of the glossary; near it: slack" in text


def test_where_no_term_is_near_all_are_named():
    _, text = said("depth")
    assert "'depth' is no term of the glossary; its terms are claim, statement, " in text


@pytest.mark.parametrize(
    "word",
    [
        *("attained", "away", "kept", "structured", "batched", "special", "ascent", "population", "identity", "on a grid"),
        *("not checked here", "stale", "as expected", "remark", "kernel", "searched", "exact", "argued", "proved"),
        *("feasible", "undecided", "stated", "derived here", "conjectured", "false as printed", "certificate"),
    ],
)
def test_words_that_stand_in_cells_are_explained(word):
    assert said(*word.split())[0] == 0


def test_headings_of_a_run_are_explained():
    from verify.report.console import COLUMNS

    plain = {"title", "paper", "label"}
    assert [column.name for column in COLUMNS if column.name not in plain and said(*column.name.split())[0]] == []
