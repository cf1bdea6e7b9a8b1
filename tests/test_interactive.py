"""check, attack and explain, and how values look in a shell and in a notebook."""

import json
import sys
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from verify import Claim, Domain, Q, Source, attack, check, derived, evaluate, explain, interval, measured, reals
from verify.checker.baseline import SLACK, measure
from verify.checker.checking import Checker
from verify.checker.record import record_of
from verify.claims.catalogue import UnknownClaim
from verify.cones.completely_positive import is_completely_positive
from verify.cones.conical_hull import contains
from verify.cones.copositive import is_copositive
from verify.cones.covariance_pairs import contains as contains_pair
from verify.cones.covariance_pairs import covariance_pair
from verify.evidence import read_witness
from verify.networks import FullyConnected, relu
from verify.notation.representation import prose, rubric
from verify.numbers.arithmetic import FloatOnly, is_exact, rational
from verify.piecewise import Bracket, Polytope, equal, linear_regions
from verify.report import words
from verify.words import eq, le, lifted, log, norm, norm2

TESTS = Path(__file__).parent


def cauchy(x, y, factor=1):
    r"""Cauchy: :math:`\langle x, y \rangle \le \|x\| \|y\|`."""
    return le(x @ y, factor * norm(x) * norm(y))


VECTORS = {"x": reals(2), "y": reals(2)}
CLAIM = Claim(
    "mine.cauchy",
    "The inner product is at most the product of the norms",
    Source("mine", "Cauchy"),
    cauchy,
    Domain(VECTORS),
    {"a smaller factor": {"factor": Q("9/10")}},
    tight={"parallel": {"x": [3, 4], "y": [6, 8]}},
)


def test_check_returns_what_a_run_shows():
    result = check(CLAIM, seed=3)
    assert (result.outcome, result.problems, result.as_expected, result.witness) == ("survived", [], True, None)
    assert repr(result).splitlines()[1].split()[:3] == ["mine.cauchy", "stated", "survived"]
    assert abs(result.worst.relative_slack) < 1e-9
    assert set(result.worst.variables) == {"x", "y"}
    said = explain(result)
    assert said.startswith("mine.cauchy: The inner product is at most the product of the norms. ")
    assert " instances were drawn, and " in said
    assert "The bound is attained, up to rounding. This is a search, not a proof." in said
    assert said.endswith("The same search refutes its false variant, so the check can fail.")


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
    assert (held.outcome, held.as_expected, held.witness) == ("survived", True, None)
    assert "This is a search, not a proof." in explain(held)


def test_what_is_typed_at_a_prompt_has_no_source_and_is_attacked_all_the_same():
    names = {}
    exec("from verify.words import le\nbound = lambda x: le(x, 2 * x)", names)
    result = attack(names["bound"], {"x": reals()})
    assert result.outcome == "refuted"
    assert "It is false: at x = -" in explain(result)
    exec("def bound(x):\n    return le(x * x, 2 * x * x)", names)
    assert attack(names["bound"], {"x": reals()}).outcome == "survived"


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            lambda x: le(norm(x), 7 * norm(x)),
            "both sides are 0, which tells nothing of a constant; elsewhere the smallest is 0.857",
        ),
        (lambda x: le(norm(x), 7 * norm(x)) & le(0, norm(x)), "The bound is attained, up to rounding."),
        (lambda x: le(norm(x - x), 7 * norm(x - x)), "both sides are 0, which tells nothing of a constant, and nowhere else."),
        (lambda x: le(0, norm(x)), "The bound is attained, up to rounding."),
        (lambda x: le(norm(x + x), norm(x) + norm(x)), "The bound is attained, up to rounding."),
        (lambda x: le(norm(x), 2 * norm(x) + 1), "The bound is not attained on what was tried"),
    ],
)
def test_zeros_do_not_attain_a_constant(statement, says):
    result = attack(statement, {"x": reals(2)})
    assert result.outcome == "survived"
    assert says in explain(result)
    assert ("elsewhere" in str(result)) == ("elsewhere" in says)


def test_the_slack_of_what_is_false_is_that_of_the_witness():
    result = attack(lambda x: le(norm(x), 1), {"x": reals(2)})
    assert f"relative slack {result.witness.relative_slack:.3g})" in str(result).splitlines()[0]


def test_what_cannot_be_decided_is_said():
    with pytest.warns(UserWarning, match="undecided: .*write an exact constant"):
        result = attack(lambda x: eq(x / x, np.inf * x), {"x": interval(1, 2)})
    assert result.outcome == "undecided"
    assert explain(result).startswith("It is undecided: ")


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
    matrix = attack(lambda A: le(norm2(A), 1), {"A": reals(2, 2)})
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
    from verify.claims.catalogue import catalogue

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


def test_values_are_short_in_text_and_whole_in_html():
    for value, start in values():
        assert repr(value).startswith(start)
        assert len(repr(value)) < 600
        html = value._repr_html_()
        parser = Balance()
        parser.feed(html)
        assert parser.open == []
        assert "<table>" in html


def test_formulas_in_html_are_mathml():
    from verify.claims.catalogue import catalogue

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


PROBABILITIES = interval(Q("1/10"), 1, 3)


def distribution(w):
    return w / w.sum()


def divergence(p, q):
    return p @ (log(p) - log(q))


def pinsker(p, q, factor=1):
    """Pinsker: both sides vanish where p = q, and in floats only up to rounding."""
    return le(factor * abs(p - q).sum() ** 2, 2 * divergence(p, q))


DISTRIBUTIONS = {"p": derived(distribution, w=PROBABILITIES), "q": derived(distribution, w=PROBABILITIES)}


def variance(x):
    n, mean = len(x), x.mean()
    return eq(norm2(x) / n - mean**2, norm2(x - mean) / n)


def no_exact_variance(x):
    if is_exact(x):
        raise FloatOnly("a library")
    return le(x.sum() ** 2 - len(x) * norm2(x), 0)


def means_of_logs(x):
    return le(log(x).mean() - log(x.mean()), 0)


VANISHING = {
    "pinsker": (pinsker, DISTRIBUTIONS),
    "variance": (variance, {"x": interval(0, 1, 3)}),
    "no exact variance": (no_exact_variance, {"x": interval(0, 1, 3)}),
    "means of logs": (means_of_logs, {"x": interval(Q("1/10"), 1, 3)}),
    "gibbs": (lambda p, q: le(-divergence(p, q), 0), DISTRIBUTIONS),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", VANISHING)
def test_sides_that_vanish_up_to_rounding_are_attained(name, seed):
    statement, domain = VANISHING[name]
    result = attack(statement, domain, seed=seed)
    assert (result.outcome, result.relative_slack) == ("survived", 0)
    said = explain(result)
    assert "The bound is attained, up to rounding." in said
    assert "-1" not in said
    assert "relative slack 0 (attained, up to rounding)" in repr(result)
    assert "relative slack = -" not in repr(result)
    assert result.worst.relative_slack == 0
    assert result.slacks().min() >= 0
    claim = Claim("mine.vanishing", name, Source("mine", name), statement, Domain(domain), {"more": never})
    record = record_of(Checker(claim, seed=seed).everything())
    assert (record.outcome, record.relative_slack) == ("survived", 0)
    assert record.nearest["slack"] == 0
    assert measure(claim)[SLACK].value == 0


def never(**given):
    (first, *_) = given.values()
    return le(1 + 0 * first[0], 0)


def test_a_slack_that_is_certain_is_none_that_is_attained():
    result = attack(lambda x: le(x * x, 2), {"x": interval(-1, 1)})
    assert result.relative_slack == 0.5
    assert "The bound is not attained on what was tried: the smallest relative slack is 0.5." in explain(result)


def small_network(v, b):
    return lifted(FullyConnected)([v, 0 * v + 1], [b, 0 * b], relu())


SHOWN = {
    "a vector": (
        {"P": derived(distribution, w=interval(1, 2, 3))},
        lambda P: le(1, 2 * P[0]),
        ["P.w = [1, ", "P = ["],
    ),
    "a matrix": (
        {"S": derived(lambda A: A @ A.T, A=reals(2, 2))},
        lambda S: le(1, S[0, 0]),
        ["S.A = [[0, 0],", "S = [[0, 0],"],
    ),
    "a number": ({"t": derived(lambda a: a[0] ** 2, a=reals(2))}, lambda t: le(t, t - 1), ["t.a = [0, 0]", "t = 0"]),
    "a tuple": (
        {"pair": derived(lambda a, b: (a + b, a[0]), a=reals(2), b=reals(2))},
        lambda pair: le(pair[1], pair[1] - 1),
        ["pair.a = [0, 0]", "pair[0] = [0, 0]", "pair[1] = 0"],
    ),
    "a network": (
        {"f": derived(small_network, v=reals(1, 1), b=reals(1))},
        lambda f: le(f.weight_norm_squared, 0),
        ["f.v = [[0]]", "f.W1 = [[0]]", "f.W2 = [[1]]", "f.slopes = [1, 0]"],
    ),
    "nested": (
        {"c": derived(lambda P, s: s * P, P=derived(distribution, w=interval(1, 2, 2)), s=interval(1, 2))},
        lambda c: le(c.sum(), 0),
        ["c.P.w = [1, 1]", "c.s = 1", "c = [1/2, 1/2]"],
    ),
    "a root": (
        {"u": derived(lambda x: x / norm(x), x=interval(1, 2, 2))},
        lambda u: le(u.sum(), 1),
        ["u.x = [1, 1]", "u = [0.7071067811865", "± "],
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_derived_variables_are_shown_with_what_they_are_derived_from(name):
    variables, statement, lines = SHOWN[name]
    result = attack(statement, variables)
    assert result.outcome == "refuted"
    for text in (
        repr(result),
        explain(result),
        words.refutation(result.found.searched.refutation, Domain(variables)),
    ):
        for line in lines:
            assert line in text, text
    (variable,) = variables
    assert variable in result.witness.variables
    assert variable in result._repr_html_()
    claim = Claim("mine.shown", name, Source("mine", name), statement, Domain(variables), {"itself": statement})
    printed = repr(check(claim))
    record = record_of(Checker(claim).everything())
    for line in lines:
        assert line in printed
    assert any(label.partition("[")[0].partition(".")[0] == variable for label in record.counterexample["derived"])
    assert json.loads(json.dumps(record.counterexample)) == record.counterexample


def test_derived_variables_of_the_nearest_instance_are_shown():
    result = attack(lambda P: le(P.sum(), 2), {"P": DISTRIBUTIONS["p"]})
    assert result.worst.variables["P"].shape == (3,)
    assert "\nP = [" in repr(result)


def test_a_derived_variable_without_an_index_is_shown():
    made = derived(lambda a: {"first": a[0], "all": [a, "text"]}, a=reals(2))
    result = attack(lambda made: le(made["first"], made["first"] - 1), {"made": made})
    assert "made['first'] = 0" in repr(result)
    assert "made['all'][0] = [0, 0]" in repr(result)


class Named(NamedTuple):
    a: Any
    first: Any


def test_a_named_tuple_is_shown_by_its_names():
    made = derived(lambda a: Named(a + 1, measured(a[0], 0.0)), a=reals(2))
    text = repr(attack(lambda made: le(made.a[0], made.a[0] - 1), {"made": made}))
    for line in ("made.a = [0, 0]", "made.a (derived) = [1, 1]", "made.first = 0"):
        assert f"\n{line}\n" in text, text
    same = derived(lambda a: Named(a, a[0]), a=reals(2))
    assert "(derived)" not in repr(attack(lambda made: le(made.a[0], made.a[0] - 1), {"made": same}))


def test_a_notebook_shows_the_catalogue_by_paper():
    from html.parser import HTMLParser

    from verify import catalogue

    claims = catalogue("theorems")
    html = claims._repr_html_()
    tags = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, _: tags.append(tag)
    parser.feed(html)
    assert f"<b>{len(claims)} claims</b>" in html
    assert tags.count("details") == 5
    assert tags.count("code") == len(claims)
    assert "volume(AB) &lt;= volume(A) volume(B)" in html


def test_exact_numbers_beside_floats_are_floats():
    network = FullyConnected([np.array([[1.0, 0.5], [0.25, 2.0]]), np.array([[1.0, 2.0]])], None)
    relation = evaluate("notion_of_rank.prop_3", f=network, x=[1, 2])
    assert not relation.is_exact
    assert evaluate("notion_of_rank.prop_3", f=network, x=[1.0, 2.0]).worst() == relation.worst()


def test_a_witness_is_an_instance_that_rationals_decide():
    result = attack(lambda x: le(x, -1), {"x": reals()})
    assert result.outcome == "refuted"
    assert " 0 decided on rationals" not in str(result)


def test_what_a_statement_changes_of_the_process_is_put_back(capsys):
    before = np.abs

    def spoils(x):
        np.abs = np.negative
        sys.stdout.write("it was here")
        return le(x * x, x * x + 1)

    try:
        assert attack(spoils, {"x": reals()}).outcome == "survived"
        assert np.abs is before
    finally:
        np.abs = before
    # what a statement prints is for whoever wrote it
    assert "it was here" in capsys.readouterr().out


def test_a_size_stays_an_integer_beside_networks_of_floats():
    one = FullyConnected([[[1.0]]])
    relation = evaluate("notion_of_rank.theorem_1.sandwich", parts=(one, one), x=[1.0], s=[0.0], c=[1.0], depth=4)
    assert [float(comparison.left) for comparison in relation.comparisons] == [1, 1]
