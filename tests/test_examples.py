"""The classical theorems of the docs: each survives, every false variant falls, and the page lists them all."""

import inspect
import sys
from pathlib import Path

import pytest

from verify import Claim, check
from verify.claims.catalogue import catalogue

ROOT = Path(__file__).parent.parent
EXAMPLES, PAGE = ROOT / "docs" / "examples", ROOT / "docs" / "classics.md"
sys.path.insert(0, str(EXAMPLES))
CLAIMS = dict(catalogue("classics"))
MOST_EVALUATIONS, MOST_DECISIONS, MOST_OF_A_VARIANT = 40_000, 300, 6_000
"""Instances in floats and on rationals for a theorem, and in floats for a false variant: so each takes a second or two."""
FIELDS = ("matrices", "norms", "optimisation", "information", "combinatorics", "networks")


def table():
    """The page's tables: `python tests/test_examples.py` prints them."""
    text = ""
    for field in FIELDS:
        text += (
            f"\n## {field.capitalize()}\n\n| theorem | source | attained by | false beside it |\n| --- | --- | --- | --- |\n"
        )
        for claim in CLAIMS.values():
            if claim.source.paper == field:
                tight = ", ".join(claim.tight) or "not known to be tight"
                title = claim.title.replace("|", "\\|")
                cells = [f"{title} (`{claim.id}`)", claim.source.label, tight, "; ".join(claim.false_variants)]
                text += f"| {' | '.join(cells)} |\n"
    return text


@pytest.mark.parametrize("name", CLAIMS)
def test_a_classical_theorem_survives_and_what_is_false_beside_it_falls(name):
    result = check(CLAIMS[name])
    assert result.outcome == "survived"
    assert not result.problems
    # in work, and not in seconds, which a machine has more or fewer of
    searched = result.found.searched
    assert searched.evaluations <= MOST_EVALUATIONS
    assert searched.decided <= MOST_DECISIONS
    assert all(variant.evaluations <= MOST_OF_A_VARIANT for variant in result.found.false_variants.values())


@pytest.mark.parametrize("name", CLAIMS)
def test_a_theorem_takes_few_lines(name):
    claim = CLAIMS[name]
    assert isinstance(claim, Claim)
    lines = inspect.getsource(claim.statement).count("\n")
    assert lines <= 8


def test_the_page_lists_them():
    text = PAGE.read_text(encoding="utf-8").partition("<!-- theorems -->\n")[2].partition("<!-- end -->")[0]
    assert text == table()
    assert {claim.source.paper for claim in CLAIMS.values()} == set(FIELDS)


if __name__ == "__main__":
    sys.stdout.write(table())
