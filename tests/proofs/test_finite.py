"""Finite cases: every instance is decided, and what is false at one of them is not proved."""

from dataclasses import replace

import pytest

from verify import Claim, Domain, Q, Source, derived, integers, interval
from verify.proofs import finite, independent
from verify.proofs.certificate import ALL, GRID, Deadline, NotProved, Refuted
from verify.words import le, norm2


def whole(x):
    """The same numbers, which must be integers: counts."""
    if any(entry.item().q != 1 for entry in x.reshape(-1)):
        raise ValueError("x must hold integers")
    return x


FALSE = {"a": lambda x: le(x, 0)}
DIGITS = Domain({"x": integers(0, 9, "n")}, {"n": (1, 2)})


def toy(statement, domain=DIGITS):
    return Claim("toy.cases", "", Source("toy", "derived here"), statement, domain, FALSE)


def test_all_instances_are_decided():
    claim = toy(lambda x: le(whole(x).sum() ** 2, len(x) * norm2(x)))
    found = finite.prove(claim, {"n": 2}, Deadline())
    assert (found.covers, found.hypotheses, found.coverage) == ("all 100 instances", (), ALL)
    finite.check(claim, found)
    with pytest.raises(independent.NotChecked, match="the verdicts of finite cases"):
        independent.check_finite_cases(found.data)
    with pytest.raises(NotProved, match="other instances"):
        finite.check(claim, replace(found, data={**found.data, "digest": "0" * 64}))


def test_hypotheses_that_were_used_are_named():
    ordered = Domain({"x": integers(0, 9), "y": integers(0, 9)}, hypotheses={"x <= y": lambda x, y: x <= y})
    found = finite.prove(toy(lambda x, y: le(x * x, y * y), ordered), {}, Deadline())
    assert (found.covers, found.hypotheses) == ("a grid of 100 instances, of which 55 satisfy the hypotheses", ("x <= y",))
    assert found.coverage == GRID


@pytest.mark.parametrize(
    ("statement", "domain", "coverage"),
    [
        # false at 1/2: a number of any kind
        (lambda x: le(x * (x - 1), x**3), Domain({"x": integers(0, 5)}), GRID),
        (lambda x: le(whole(x) * (x - 1), x**3), Domain({"x": integers(0, 5)}), ALL),
        (lambda x: le(x * (x - 1), x**3), Domain({"x": integers(0, 1)}), ALL),  # a choice
        (lambda m: le(m, 1), Domain({"m": derived(lambda n: n / 8, n=integers(-8, 8))}), GRID),
    ],
)
def test_integers_that_stand_for_real_numbers_are_a_grid(statement, domain, coverage):
    assert finite.prove(toy(statement, domain), {}, Deadline()).coverage == coverage


def test_what_says_next_to_nothing_is_vacuous():
    one = Domain({"x": integers(0, 5)}, hypotheses={"large": lambda x: x > 4})
    assert finite.prove(toy(lambda x: le(x, 9), one), {}, Deadline()).vacuous == "one instance satisfies the hypotheses"
    zero = toy(lambda x: le(x - x, 0), Domain({"x": integers(0, 5)}))
    assert "zero" in finite.prove(zero, {}, Deadline()).vacuous


@pytest.mark.parametrize(
    ("statement", "domain", "reason"),
    [
        (lambda x: le(x.sum(), 17), DIGITS, "false at x = 9, 9"),
        (lambda x: le((2 * x - 9).sum() ** 2, Q("323")), DIGITS, "false at x = 0, 0"),
        (lambda x: le(x, 1), Domain({"x": interval(0, 1)}), "real number"),
        (lambda x: le(x, 10**6), Domain({"x": integers(0, 10**6)}), "more than"),
        (lambda x: le(0 * x, 1), Domain({"x": integers(0, 3)}, {}, {"no": lambda x: x > 5}), "no instance"),
    ],
)
def test_what_is_false_or_not_finite_is_not_proved(statement, domain, reason):
    with pytest.raises((NotProved, Refuted), match=reason):
        finite.prove(toy(statement, domain), {"n": 2} if domain is DIGITS else {}, Deadline())
