"""The table and the page."""

import base64
import dataclasses
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from rich.console import Console

from verify.checker.record import Record
from verify.checker.running import check, claims_in
from verify.claims.variables import Coordinate
from verify.numbers.arithmetic import rational
from verify.report import words
from verify.report.console import problems, show, summary_line, table
from verify.report.html import page


@pytest.fixture
def claims():
    return claims_in("toy_claims")


@pytest.fixture
def records(claims):
    return [check("toy_claims", claim_id, "quick", 0) for claim_id in claims]


class Balance(HTMLParser):
    """Checks that every element is closed where it should be, and collects ids and links."""

    EMPTY = frozenset({"meta", "br", "input"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.tags = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(text):
    parser = Balance()
    parser.feed(text)
    assert parser.open == []
    return parser


def test_the_page_is_whole_and_needs_nothing_else(records, claims):
    text = page(records, claims, budget="quick", seed=0)
    parser = parsed(text)
    assert all(link.startswith("#") and link[1:] in parser.ids for link in parser.links)
    assert set(claims) <= set(parser.ids)
    assert "link" not in parser.tags
    assert not re.search(r"url\(|@import|https?:", text)
    for part in (
        "all as expected",
        "the sum is not negative",
        "constant larger by 1e-6",
        "<mtext>x</mtext><mo>=</mo><mrow><mfrac><mn>1</mn><mn>2</mn>",
        "fitted -2.0",
        "Relative slack of ",
        '<td data-label="false at"><code>',
    ):
        assert part in text


def test_the_page_escapes_what_it_is_given(records, claims):
    evil = dataclasses.replace(records[0], problems=("<script>alert(1)</script>",), error="<b>", exact={"<i>": "holds"})
    text = page([evil], claims, budget="quick", seed=0)
    parsed(text)
    assert "Two &lt;means&gt;" in text
    assert "&lt;script&gt;alert(1)" in text
    assert "<i>" not in text
    assert '<details class="claim" id="toy.means" open>' in text


def test_no_script_runs_but_that_of_the_page(records, claims):
    text = page(records, claims, budget="quick", seed=0)
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert not re.search(r"<[^>]*\son\w+=", text)


def test_the_page_of_an_interrupted_run_says_so(claims):
    assert "The run was interrupted" in page([], claims, budget="quick", seed=0, interrupted=True)


def test_the_table_has_colours_on_a_terminal_only(records):
    for terminal in (True, False):
        console = Console(force_terminal=terminal, width=150, color_system="standard" if terminal else None)
        with console.capture() as captured:
            show(console, table(records))
        assert ("\x1b" in captured.get()) is terminal


def test_the_table_is_not_cut_in_a_file():
    name = "document." + "long_" * 40
    console = Console(force_terminal=False, width=80)
    with console.capture() as captured:
        show(console, table([Record(name, "", "", "", "stated", "survived")]))
    assert name in captured.get()


def test_problems_come_with_the_command_that_repeats_them():
    good = Record("toy.good", "Good", "", "", "stated", "survived", outcome="survived")
    bad = Record("toy.bad", "Bad", "", "", "stated", "survived", problems=("it is [bold]bad[/bold]",), error="Traceback")
    text = problems([good, bad], "deep", 7, "mine").plain
    assert "toy.good" not in text
    assert "toy.bad: Bad\n  it is [bold]bad[/bold]\n  again: verify run toy.bad --budget deep --seed 7 --package mine" in text
    assert "1 NOT as expected" in summary_line([good, bad], "deep", 7)
    broken = [f"mine.{name} cannot be imported: SyntaxError" for name in ("one", "other")]
    assert summary_line([good], "deep", 7, problems=broken).startswith(
        "NOT as expected: 2 modules could not be imported; of the others 1 claim, all as expected"
    )
    other = "toy.good is said to be corrected by toy.gone, which does not exist"
    assert summary_line([good], "deep", 7, problems=[other]).startswith(
        "NOT as expected: 1 problem of the package; 1 claim, all as expected"
    )
    assert summary_line([good], "deep", 7, problems=[*broken, other]).startswith("NOT as expected: 3 problems of the package; ")


def test_words_for_numbers_and_instances():
    assert words.number(rational("1/3")) == "1/3"
    assert words.number(rational(1) / 3**200).endswith("(a fraction of 98 characters)")
    assert words.slack(None) == "-"
    assert words.slack(-1.23456e-7) == "-1.23e-07"
    assert words.instance({"depth": 2}, {"W": np.eye(2), "x": [["1", "2/3"]], "t": "1"}) == (
        "depth = 2\nW = [[1.0, 0.0],\n     [0.0, 1.0]]\nx = [[1, 2/3]]\nt = 1"
    )
    assert words.variable(Coordinate((2, 3), 0, 4, integer=True)) == "2 x 3 integers from 0 to 4"
    assert words.variable(Coordinate(())) == "real number"


def test_a_function_without_a_name_is_named_by_its_line():
    assert re.fullmatch(r".*test_report, line \d+", words.name(lambda: None))
