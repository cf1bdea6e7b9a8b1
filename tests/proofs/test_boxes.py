"""Boxes: what is attained at a corner is shown there by derivatives; bounds hold at every point; no false goal is shown."""

import json
import random
from fractions import Fraction

import pytest
from flint import arb, ctx

from tests.proofs.test_squares import changed, proof, toy
from verify import Domain, Q, integers, interval
from verify.proofs import squares
from verify.proofs.certificate import Deadline, NotProved
from verify.proofs.enclosures import ONE, Boxes, NotShown, _exp, _fixed, _log, _root
from verify.proofs.independent import Rejected, check_sum_of_squares
from verify.words import absolute, eq, exp, ge, le, log, sqrt

LINE = Domain({"x": interval(Q("1/8"), 8)})
SQUARE = Domain({"x": interval(0, 1), "y": interval(Q("1/2"), 2)})

TRUE = {
    "two logarithms": (lambda x: le(2 * log(x), x - 1 / x), Domain({"x": interval(1, 8)})),
    "of third order, on both sides": (lambda x: ge((x - 1) * (x * x - 1 - 2 * x * log(x)), 0), LINE),
    "two exponentials": (lambda x: ge(exp(x) + exp(-x), 2 + x * x), Domain({"x": interval(0, 4)})),
    "a root and an exponential": (lambda x: le(sqrt(x) + exp(-x), 3), LINE),
    "a polynomial with a zero inside": (lambda x: ge(exp(x) * (x - 1) ** 2 + x**9, Q("1/10") * x**9), LINE),
    "two coordinates": (lambda x, y: le(exp(-x) * log(y), Q("7/10")), SQUARE),
    "a line of equality": (lambda x, y: ge(x * x * exp(y) + x * log(y) ** 2, 0), SQUARE),
}


def boxes_of(data):
    return [goal["boxes"] for goal in goals_of(data["cases"][0]["tree"]) if "boxes" in goal]


def goals_of(node):
    if "ask" in node:
        return goals_of(node["yes"]) + goals_of(node["no"])
    return node.get("goals", [])


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_on_bounded_domains_is_proved(name):
    assert proof(*TRUE[name]).covers.startswith("all instances")


@pytest.mark.parametrize("name", ["two logarithms", "two exponentials"])
def test_these_are_shown_by_boxes(name):
    assert boxes_of(proof(*TRUE[name]).data)


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda x: le(2 * log(x), Q("99/100") * (x - 1 / x)), LINE),
        (lambda x: ge(exp(x), 1 + x + Q("51/100") * x * x), Domain({"x": interval(0, 4)})),
        (lambda x: le(sqrt(x) + exp(-x), Q("28/10")), LINE),
        (lambda x: eq(exp(log(x) / 2), sqrt(x) + Q("1/10000000000")), LINE),
    ],
)
def test_what_is_false_is_shown_by_no_boxes(statement, domain):
    with pytest.raises(NotProved):
        squares.prove(toy(statement, domain), {}, Deadline(8))


def test_many_integers_are_taken_for_real_numbers():
    domain = Domain({"x": interval(0, 1), "k": integers(1, 10**6)})
    found = proof(lambda x, k: ge(x * x * k, 0), domain)
    assert found.covers == "all instances"
    assert found.data["coordinates"] == ["x_0", "k_0"]


def terms_of(generator):
    return {
        " ".join(sorted(generator.choices("0123", k=generator.randint(0, 3)))): str(Fraction(generator.randint(-9, 9), 6))
        for _ in range(5)
    }


@pytest.mark.parametrize("seed", range(20))
def test_bounds_are_below_the_values_at_every_point(seed):
    generator = random.Random(seed)
    inside = {"": "2", "0": "1", "1": "-1/3", "0 1": "1/2"}  # positive on the boxes below
    goal = terms_of(generator)
    defined = [["exp", {"0": "1/2", "1": "-1"}], [*generator.choice([["log"], ["root", 2], ["root", 3]]), inside]]
    boxes = Boxes(2, [], defined, goal, equal=False)
    low = [Fraction(generator.randint(0, 8), 16) for _ in range(2)]
    high = [one + Fraction(1, 2 ** generator.randint(0, 6)) for one in low]
    box = [(int(a * ONE), int(b * ONE)) for a, b in zip(low, high, strict=True)]
    common = boxes._goal[0]
    forms = [[0, 0, 0], *([along, place, order] for along in (0, 1) for place in (0, 1, 2) for order in (1, 3))]
    bounds = [Fraction(boxes.least(None, box, form), ONE) / common for form in forms]
    for _ in range(30):
        point = [a + (b - a) * Fraction(generator.randint(0, 16), 16) for a, b in zip(low, high, strict=True)]
        value = at(goal, defined, point)
        assert not any(arb(bound.numerator) / bound.denominator > value for bound in bounds)
    small = boxes.least(None, [(a, a + ONE // 2**30) for a, _ in box], [0, 2, 1])
    assert abs(Fraction(small, ONE) / common - Fraction(float(at(goal, defined, low)))) < Fraction(1, 10**6)


def at(goal, defined, point):
    values = [arb(one.numerator) / one.denominator for one in point]

    def polynomial(text):
        total = arb(0)
        for key, word in text.items():
            term = arb(Fraction(word).numerator) / Fraction(word).denominator
            for number in key.split():
                term *= values[int(number)]
            total += term
        return total

    for kind, *words in defined:
        value = polynomial(words[-1])
        values.append(value.exp() if kind == "exp" else value.log() if kind == "log" else value.root(words[0]))
    return polynomial(goal)


@pytest.mark.parametrize("seed", range(4))
def test_functions_are_enclosed_closely(seed):
    generator, before = random.Random(seed), ctx.prec
    ctx.prec = 400
    try:
        for _ in range(200):
            x = int(Fraction(generator.getrandbits(60) + 1, 2**60) * ONE * Fraction(2) ** generator.randint(-40, 6))
            number = arb(x) / ONE
            for (low, high), value in (
                (_exp(x), number.exp()),
                (_exp(-x), (-number).exp()),
                (_log(x), number.log()),
                (_root(x, 2), number.root(2)),
                (_root(x, 5), number.root(5)),
            ):
                assert not arb(low) > value * ONE
                assert not arb(high) < value * ONE
                assert high - low <= max(high, ONE) >> 80
    finally:
        ctx.prec = before


def test_what_vanishes_does_so_exactly():
    assert _exp(0) == (ONE, ONE)
    assert _log(ONE) == (0, 0)
    assert _root(4 * ONE, 2) == (2 * ONE, 2 * ONE)
    assert _fixed(Fraction(5, 462)) == (5 * ONE // 462,) * 2


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        (["goal", 0, 0, 0], "nothing is shown"),
        (["goal", -1, 0, 1], "names nothing"),
        (["goal", 1, 0, 1], "names nothing"),
        (["goal", 0, 3, 1], "names nothing"),
        (["goal", 0, 0, 99], "no order"),
        (["goal", 0, 0, True], "no order"),
        (["outside", 0, 0, 0, 0], "nothing is shown"),
        (["outside", -1, 0, 0, 0], "names nothing"),
        (["divided", 0, "5", ["goal", 0, 0, 2], ["goal", 0, 0, 2]], "not divided"),
        (["divided", 0, "1/13", ["goal", 0, 0, 2], ["goal", 0, 0, 2]], "not divided"),
        (["divided", 0, "1/2", ["goal", 0, 0, 2]], "not divided"),
        (["?"], "nothing is shown"),
    ],
)
def test_trees_that_show_nothing(tree, why):
    known = [("", {"0": "1"}, ">="), ("minus", {"0": "1", "": "-1"}, ">=")]
    boxes = Boxes(1, known, [["exp", {"0": "1"}]], {"1": "1", "": "-1", "0": "-1"}, equal=False)
    boxes.check(["goal", 0, 0, 2], boxes.start())
    with pytest.raises(NotShown, match=why):
        boxes.check(tree, boxes.start())


def test_an_equality_is_shown_only_where_nothing_is():
    known = [("", {"0": "1"}, ">="), ("minus", {"0": "1", "": "-1"}, ">="), ("", {"0": "1", "": "-2"}, ">")]
    boxes = Boxes(1, known[:2], [], {"0": "1"}, equal=True)
    with pytest.raises(NotShown, match="nothing is shown"):
        boxes.check(["goal", 0, 0, 0], [(0, ONE)])
    Boxes(1, known, [], {"0": "1"}, equal=True).check(["outside", 2, 0, 0, 0], [(0, ONE)])


def test_a_box_needs_bounds():
    boxes = Boxes(1, [("", {"0": "1"}, ">=")], [], {"0": "1"}, equal=False)
    with pytest.raises(NotShown, match="no bounds"):
        boxes.check(["goal", 0, 0, 0], boxes.start())


def without_boxes(value):
    if isinstance(value, dict):
        return {key: without_boxes(one) for key, one in value.items() if key != "boxes"}
    return [without_boxes(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["two logarithms", "two exponentials"])
def test_no_record_with_another_goal_stands(name):
    statement, domain = TRUE[name]
    claim = toy(statement, domain)
    found = squares.prove(claim, {}, Deadline(60))
    document = json.loads(json.dumps(found.data))
    rng, tried = random.Random(0), 0
    while tried < 60:
        data = changed(document, rng)
        if without_boxes(data) == without_boxes(document):  # other boxes may show the same
            continue
        tried += 1
        rejected = 0
        for check in (check_sum_of_squares, lambda one: squares.check(claim, type(found)(**{**vars(found), "data": one}))):
            try:
                check(data)
            except (Rejected, NotProved, TypeError, KeyError, IndexError, AttributeError, ValueError, ArithmeticError):
                rejected += 1
        assert rejected, data


@pytest.mark.parametrize("seed", range(3))
def test_no_changed_boxes_show_what_is_false(seed):
    # true on [0, 4] with 1/2 for 51/100
    known = [("", {"0": "1"}, ">="), ("minus", {"0": "1", "": "-4"}, ">=")]
    true, false = ({"1": "1", "": "-1", "0": "-1", "0 0": one} for one in ("-1/2", "-51/100"))
    tree = ["divided", 0, "1/4", ["goal", 0, 0, 3], ["divided", 0, "2", ["goal", 0, 0, 3], ["goal", 0, 0, 3]]]
    good, bad = (Boxes(1, known, [["exp", {"0": "1"}]], one, equal=False) for one in (true, false))
    good.check(tree, good.start())
    rng = random.Random(seed)
    for _ in range(200):
        with pytest.raises((NotShown, TypeError, KeyError, IndexError, ValueError, ArithmeticError)):
            bad.check(changed({"tree": tree}, rng)["tree"], bad.start())


def test_roots_are_squared():
    found = proof(lambda x: le(sqrt(1 + 2 * x * x) + sqrt(1 + x * x), 2 + 3 * absolute(x)), Domain({"x": interval(-5, 5)}))
    data = json.loads(json.dumps(found.data))
    lemma = next(one for goal in goals_of(data["cases"][0]["tree"]) for one in goal.get("lemmas", ()))
    lemma["value"][""] = "-1000000"
    with pytest.raises(Rejected, match="should be equal to"):
        check_sum_of_squares(data)
