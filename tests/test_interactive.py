"""check, attack and explain, and how values look in a shell and in a notebook."""

from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from verify import Claim, Domain, Q, Source, Tight, attack, check, eq, explain, interval, le, reals
from verify.arithmetic import rational, rationals, sqrt
from verify.catalogue import UnknownClaim
from verify.checker.evidence import read_witness
from verify.cones.completely_positive import is_completely_positive
from verify.cones.conical_hull import contains
from verify.cones.copositive import is_copositive
from verify.cones.covariance_pairs import contains as contains_pair
from verify.cones.covariance_pairs import covariance_pair
from verify.networks import FullyConnected, relu
from verify.piecewise import Bracket, Polytope, equal, linear_regions
from verify.representation import prose, rubric

TESTS = Path(__file__).parent


def cauchy(x, y, factor=1):
    r"""Cauchy: :math:`\langle x, y \rangle \le \|x\| \|y\|`."""
    return le((x * y).sum(axis=-1), factor * sqrt((x * x).sum(axis=-1)) * sqrt((y * y).sum(axis=-1)))


VECTORS = {"x": reals(2), "y": reals(2)}
CLAIM = Claim(
    "mine.cauchy",
    "The inner product is at most the product of the norms",
    Source("mine", "Cauchy"),
    cauchy,
    Domain(VECTORS),
    {"a smaller factor": partial(cauchy, factor=Q("9/10"))},
    tight={"parallel": Tight(lambda: {"x": rationals([3, 4]), "y": rationals([6, 8])})},
)


def test_check_returns_what_a_run_shows():
    result = check(CLAIM, seed=3)
    assert (result.outcome, result.problems, result.as_expected, result.witness) == ("holds", [], True, None)
    assert repr(result).splitlines()[1].split()[:3] == ["mine.cauchy", "stated", "holds"]
    assert abs(result.worst.relative_slack) < 1e-9
    assert set(result.worst.variables) == {"x", "y"}
    said = explain(result)
    assert said.startswith("mine.cauchy: The inner product is at most the product of the norms. Nothing refutes it: of ")
    assert "the bound is attained. This is a search, not a proof." in said
    assert said.endswith("The same search refutes all 1 false statements beside it, so that it can tell.")


def test_check_takes_an_id():
    result = check("leaky_resnets.prop_10.printed")
    assert result.outcome == "refuted"
    assert "refuted at\n\n  family = 0\n" in repr(result)
    assert "That is expected: it is known to be false as it is printed." in explain(result)
    with pytest.raises(UnknownClaim, match=r"nearest: leaky_resnets\.prop_10"):
        check("leaky_resnets.prop_100")


def test_attack_needs_no_claim_and_gives_the_smallest_witness():
    result = attack(partial(cauchy, factor=Q("9/10")), VECTORS)
    assert result.outcome == "refuted"
    assert not result.as_expected
    assert result.witness.sample.coordinates["x"].dtype == object
    assert max(abs(int(entry.p)) for entry in result.witness.variables["x"]) <= 4
    assert result.witness.left > result.witness.right
    assert "It is false: at x = [" in explain(result)
    assert "≤" in explain(result)
    assert "relative slack = -0.1" in repr(result)
    held = attack(cauchy, Domain(VECTORS))
    assert (held.outcome, held.as_expected, held.witness) == ("unrefuted", True, None)
    assert "This is a search, not a proof." in explain(held)


def test_what_is_typed_at_a_prompt_has_no_source_and_is_attacked_all_the_same():
    names = {}
    exec("from verify import le\nbound = lambda x: le(x, 2 * x)", names)
    result = attack(names["bound"], {"x": reals()})
    assert result.outcome == "refuted"
    assert "It is false: at x = -" in explain(result)
    exec("def bound(x):\n    return le(x * x, 2 * x * x)", names)
    assert attack(names["bound"], {"x": reals()}).outcome == "unrefuted"


def test_what_cannot_be_decided_is_said():
    result = attack(lambda x: eq(x / x, np.inf * x), {"x": interval(1, 2)})
    assert result.outcome == "undecided"
    assert explain(result).startswith("lambda. It is neither refuted nor does it hold: ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: check(cauchy), r"write attack\(function, \{'x': reals\(\)\}\)"),
        (lambda: attack(CLAIM, VECTORS), r"got the claim mine\.cauchy: write check\(claim\)"),
        (lambda: attack(3, VECTORS), "statement must be a function that returns le, ge or eq of two sides, got int"),
        (lambda: attack(cauchy, [1, 2]), "domain must be a Domain, or variables by name"),
        (lambda: explain(CLAIM), r"write explain\(check\(claim\)\)"),
        (lambda: check(CLAIM, budget="fast"), "budget must be one of quick, standard, deep, got 'fast'"),
    ],
)
def test_what_is_refused_says_what_to_write(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_pictures_are_one_call_each():
    from matplotlib import pyplot

    result = check(CLAIM)
    slacks = result.slacks()
    assert len(slacks) == 2400
    axes = result.plot_slack()
    drawn = sum(bar.get_height() for bar in axes.patches)
    assert drawn == len(slacks)
    assert axes.get_title() == "mine.cauchy"
    figure = result.plot_worst()
    assert [ax.get_title() for ax in figure.axes][:2] == ["x", "y"]
    assert len(figure.axes) == 3
    matrix = attack(lambda A: le((A * A).sum(axis=(-1, -2)), 1), {"A": reals(2, 2)})
    assert len(matrix.plot_worst().axes[0].texts) == 4
    pyplot.close("all")


class Balance(HTMLParser):
    """Checks that every element is closed where it should be."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 (the signature of what it replaces)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def values():
    network = FullyConnected([np.array([[1, -2], [2, 1]]), np.array([[1, 1]])])
    box = Polytope.box([-1, -1], [1, 1])
    pair = covariance_pair(np.array([[1, 2]]), relu())
    from verify.catalogue import catalogue

    witness, _ = read_witness(TESTS / "toy_claims" / "witnesses" / "toy.squares.printed.json", catalogue("toy_claims"))
    yield CLAIM, "<Claim mine.cauchy: "
    yield check(CLAIM), "claim "
    yield attack(partial(cauchy, factor=Q("9/10")), VECTORS).witness, "x = "
    yield witness, "<Witness against toy.squares.printed: x = 1/2; left = 1/2, right = 1/4>"
    yield network, "FullyConnected(2-2-1"
    yield is_completely_positive(np.array([[2, 1], [1, 2]])), "<CompletePositivity HOLDS: "
    yield contains(np.eye(2), np.array([1, 2])), "<Membership HOLDS: in the conical hull"
    yield is_copositive(np.array([[1, -2], [-2, 1]])), "<Copositivity FAILS: not copositive"
    yield contains_pair(*pair, relu()), "<PairMembership "
    yield box, "Polytope(dimension=2, facets=4)"
    yield next(iter(linear_regions(network, box))), "Region(pattern="
    yield equal(network, network, box), "<Equality equal"
    yield Bracket(rational(1), rational(2), None, "regions"), "<Bracket from 1 to 2, by regions>"


def test_values_are_short_in_text_and_whole_in_html(monkeypatch):
    monkeypatch.syspath_prepend(str(TESTS))
    for value, start in values():
        assert repr(value).startswith(start)
        assert len(repr(value)) < 600
        html = value._repr_html_()
        parser = Balance()
        parser.feed(html)
        assert parser.open == []
        assert "<table>" in html


def test_formulas_in_html_are_mathml():
    from verify.catalogue import catalogue

    html = catalogue()["notion_of_rank.prop_3"]._repr_html_()
    assert html.count("<math") > 1
    assert "<code>" not in html
    assert prose("A ``b`` :math:`x < 1`.").startswith("<p>A <code>b</code> <math><mi>x</mi><mo>&lt;</mo><mn>1</mn></math>.</p>")
    assert 'display="block"' in prose(".. math:: y\n          z")
    assert prose(r":math:`\unknown`") == r"<p><code>\unknown</code></p>"
    assert rubric("T.\n\nStatement\n    One.\n\n    Two.\nChecked\n    X.", "Statement") == "One.\n\nTwo."


def test_a_bracket_is_a_number_where_it_is_exact():
    exact, open_one = Bracket(rational(3), rational(3), None, "regions"), Bracket(rational(1), rational(2), None, "regions")
    assert float(exact) == 3.0
    assert (exact + 1, 1 - exact, 2 * exact, 1 / exact, -exact, abs(-exact)) == (4, -2, 6, rational("1/3"), -3, 3)
    assert exact == 3
    assert exact > open_one
    assert open_one < 3
    assert open_one >= 1
    assert {exact, Bracket(rational(3), rational(3), None, "other")} == {exact}
    assert hash(exact) == hash(3)
    assert open_one != 1
    with pytest.raises(ValueError, match="lie between 1 and 2 only"):
        float(open_one)
    with pytest.raises(ValueError, match="cannot be compared"):
        _ = open_one < Q("3/2")


def test_claims_hash_by_what_they_are():
    assert {CLAIM: 1}[CLAIM] == 1
