"""The tables of errata: complete, graded, and counted on their pages."""

import re
from collections import Counter

import pytest

from theorems import PAPERS
from verify import FalseAsPrinted, catalogue
from verify.claims.catalogue import Catalogue
from verify.claims.errata import GRADES, Erratum, problems, read, row_of, table
from verify.site import atlas, errata


@pytest.fixture(scope="module")
def claims():
    return catalogue()


@pytest.fixture(scope="module")
def pages(claims):
    return errata.pages(atlas.atlas_of(claims))


def test_what_is_false_as_printed_has_one_row_and_no_other_claim_has(claims):
    assert problems(claims, list(PAPERS)) == []
    assert all(row_of(claim.id) for claim in claims.values() if isinstance(claim.status, FalseAsPrinted))
    assert row_of("notion_of_rank.prop_3") is None


def test_a_row_that_is_missing_or_too_many_is_named(claims):
    left = dict(claims)
    del left["notion_of_rank.prop_3.printed"]
    few = Catalogue(left)
    assert problems(few, ["notion_of_rank"])[-1] == (
        "errata.toml has a row for notion_of_rank.prop_3.printed, which is not false as printed"
    )
    assert "leaky_resnets.prop_10.printed has 0 rows in errata.toml" in problems(claims, ["notion_of_rank"])


def test_what_a_row_names_exists(claims):
    known = {*claims, *claims.aliases}
    for paper in PAPERS:
        for row in table(paper):
            named = re.findall(r"``([a-z_]+\.[\w.]+)``", row.says)
            assert [name for name in named if name not in known] == []


def test_a_page_says_what_was_read_and_what_mends_a_statement(pages):
    page = pages["notion_of_rank.rst"]
    assert "Read: slides of 8 September 2023 by Hanseul Cho" in page
    assert "With the hypotheses: slopes of at most 1." in page


def test_the_pages_count_by_grade_and_give_each_place(pages):
    every = [row for paper in PAPERS for row in table(paper)]
    graded = Counter(row.grade for row in every)
    total = re.findall(r"<tr>(.*?)</tr>", pages["index.rst"])[-1]
    cells = re.findall(r'data-label="([^"]*)">([^<]*)<', total)
    assert {name: int(cell) for name, cell in cells[1:]} == {
        **{grade: graded[grade] for grade in GRADES},
        "all": len(every),
        "shown by a claim": sum(1 for row in every if row.claim),
    }
    for paper in PAPERS:
        text = pages[f"{paper}.rst"]
        rows = table(paper)
        assert len(re.findall(r"^\* ", text[text.index("Without a claim") :], re.MULTILINE)) == sum(
            not row.claim for row in rows
        )
        for row in rows:
            assert row.place.replace("(1)", "") in text.replace("(1)", "")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('place = "Section 1"\ngrade = "misprint"', "one of claim and says, got place, grade"),
        ('place = "Section 1"\ngrade = "misprint"\nclaim = "a"\nsays = "b"', "one of claim and says"),
        ('place = " "\ngrade = "misprint"\nsays = "b"', "place must be a text that is not empty, got ' '"),
        ('place = "Section 1"\ngrade = "slip"\nsays = "b"', "grade must be one of false theorem, .*, got 'slip'"),
    ],
)
def test_a_row_that_is_none_is_refused(row, message):
    with pytest.raises(ValueError, match=f"here, row 1.*{message}"):
        read(f"[[erratum]]\n{row}", "here")


def test_a_file_that_is_no_table_is_named():
    with pytest.raises(ValueError, match="here: "):
        read("[[erratum", "here")
    assert read("") == []
    assert read('[[erratum]]\nplace = "p"\ngrade = "unclear"\nsays = "s"') == [Erratum("p", "unclear", says="s")]
