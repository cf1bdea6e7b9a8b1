"""What cannot fail is said: inequalities between equal or constant sides, and hypotheses that leave one instance."""

import pytest

from verify import Claim, Domain, Q, Source, interval, reals
from verify.checker.checking import Checker
from verify.words import absolute, eq, ge, infinity, le, minimum, norm2, relu, sqrt

LINE = Domain({"x": reals()})
UNIT = Domain({"x": interval(0, 1)})
VECTOR = Domain({"x": reals("n")}, {"n": (1, 2)})


def outcome(statement, domain):
    def wrong(x):
        return le(norm2(x) + 1, norm2(x))

    names = {"": "an example", "entries": "an example"}
    return Checker(Claim("toy.void", "", Source("toy", "-"), statement, domain, {"wrong": wrong}, not_known_tight=names))


VOID = {
    "the same": (lambda x: ge(x, x), LINE, "has equal sides at all"),
    "an equality as an inequality": (lambda x: le((x + 1) ** 2, x * x + 2 * x + 1), LINE, "write eq"),
    "where nothing acts": (lambda x: le(relu(x - 2), 0), UNIT, "has equal sides at all"),
    "a minimum with zero": (lambda x: ge(minimum(x * x, 0), 0), LINE, "has equal sides at all"),
    "constants": (lambda x: ge(1 + 0 * x, 0), LINE, "compares the same numbers at all"),
    "a tolerance of its own": (lambda x: le(absolute(sqrt(x * x) - absolute(x)), Q("1/10")), LINE, "the same numbers"),
    "an infinite bound": (lambda x: le(x * x, infinity()), LINE, "has an infinite side"),
    "no entries": (lambda x: le(x[3:], x[3:] - 1, name="entries") & ge(norm2(x), 0), VECTOR, "'entries' compares nothing"),
}


@pytest.mark.parametrize("name", VOID)
def test_what_cannot_fail_is_said(name):
    statement, domain, said = VOID[name]
    found = outcome(statement, domain).searched(1)
    assert said in "; ".join(found.void.values())


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        (lambda x: eq(x - x, 0 * x), LINE),
        (lambda x: ge(absolute(x), x), LINE),
        (lambda x: le(x * x, x), UNIT),
        (lambda x: ge(len(x) * norm2(x), x.sum() ** 2), VECTOR),
    ],
)
def test_what_can_fail_is_not(statement, domain):
    found = outcome(statement, domain).searched(1)
    assert (found.void, found.problems, found.outcome) == ({}, (), "survived")


@pytest.mark.parametrize("hypothesis", [lambda x: x == 1, lambda x: absolute(x) <= 0])
def test_one_instance_is_no_test(hypothesis):
    found = outcome(lambda x: ge(x, 0), Domain({"x": reals()}, {}, {"one": hypothesis})).searched(1)
    assert found.outcome == "undecided"
    assert "are one and the same" in "; ".join(found.problems)


def test_two_instances_are_not_one():
    found = outcome(lambda x: ge(x + 2, x * x), Domain({"x": reals()}, {}, {"two": lambda x: x * x == 1})).searched(1)
    assert (found.problems, found.outcome) == ((), "survived")


def test_an_inequality_that_fails_without_a_hypothesis_or_alone_in_a_variant_is_not_named():
    def statement(x, factor=1):
        return eq(x - x, 0 * x, name="zero") & ge(x, factor * x, name="equal") & ge(0 * x, -1, name="constant")

    def below(x):
        return le(absolute(x), x)

    def remarks(statement, variants, hypotheses, needs=()):
        domain = Domain({"x": reals()}, {}, hypotheses)
        names = dict.fromkeys(("", "equal", "constant"), "an example")
        claim = Claim("toy.void", "", Source("toy", "-"), statement, domain, variants, not_known_tight=names, needs=needs)
        return Checker(claim).everything().remarks()

    (constant,) = remarks(statement, {"more": {"factor": 2}}, {})
    assert constant.startswith("the inequality 'constant' compares the same numbers")
    assert (
        remarks(
            below, {"more": lambda x: le(absolute(x) + 1, x)}, {"x is not negative": lambda x: x >= 0}, ("x is not negative",)
        )
        == []
    )
    assert remarks(lambda x: le(x, x), {"more": lambda x: le(x + 1, x)}, {}) != []
