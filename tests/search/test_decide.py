"""Decisions on rationals and balls: what is no number, and what may be none, is neither true nor false."""

import numpy as np
import pytest
from flint import arb, fmpq

from verify import Domain, Q, interval, reals
from verify.claims.domain import Sample
from verify.linting.lint import BrokenStatement
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, is_exact, precision, rationals
from verify.numbers.exactness import Ball, FloatOnExactSide
from verify.numbers.relation import Verdict
from verify.numbers.relation import le as le_of_arrays
from verify.search.decide import decide, decide_sample, decide_together, verdict_of
from verify.words import diag, ge, inverse, le, power, sqrt, vector, where

LINE = Domain({"x": reals()})


def above_root_of_two(bits):
    """A rational that is larger than sqrt(2), by less than 2 ** -bits."""
    with precision(bits + 64):
        root = sqrt(rationals(2)).item()
        return Sample({}, {"x": rationals(fmpq(int((root * 2**bits).floor().unique_fmpz()) + 1, 2**bits))})


@pytest.mark.parametrize("bits", [70, 300, 700])
def test_a_root_of_a_negative_number_that_is_hard_to_tell_from_zero_refutes_nothing(bits):
    found = decide_sample(lambda x: ge(sqrt(sqrt(2 + 0 * x) - x), 1), LINE, above_root_of_two(bits))
    assert found.relation is None or verdict_of(found.relation) != Verdict.FAILS
    assert found.nowhere


ZERO = Sample({}, {"x": rationals(0)})


def test_the_inverse_of_a_singular_matrix_is_no_number_and_no_tie():
    found = decide_sample(lambda x: ge(inverse(diag(vector(x, 1)))[0, 0], 1), LINE, ZERO)
    assert found.nowhere
    assert not found.unknown_inside


def test_truth_values_have_an_exclusive_or():
    for x, verdict in ((2, Verdict.FAILS), (3, Verdict.HOLDS)):
        sample = Sample({}, {"x": rationals(x)})
        found = decide_sample(lambda x: ge(where((x > 2) ^ (x < 2), 1, 0), 1), LINE, sample)
        assert verdict_of(found.relation) == verdict


def zero(x):
    """Zero, which no precision shows."""
    return sqrt(2 + x) * sqrt(3 + x) - sqrt(6 + x)


def test_a_root_of_what_no_precision_tells_from_zero_can_hold_and_cannot_fail():
    assert verdict_of(decide_sample(lambda x: le(power(zero(x), 1) + sqrt(zero(x)), 1), LINE, ZERO).relation) == Verdict.HOLDS
    found = decide_sample(lambda x: ge(sqrt(zero(x)), 1), LINE, ZERO)
    assert found.relation is None
    assert found.unknown_inside


def test_a_hypothesis_with_such_a_root_is_not_decided():
    domain = Domain(LINE.variables, hypotheses={"small": lambda x: sqrt(zero(x)) < 1})
    assert decide_sample(lambda x: ge(x, 1), domain, ZERO).unknown_domain


def test_what_lies_outside_of_an_interval_is_not_decided():
    third = interval(Q("1/3"), 1)
    for x, inside in (
        ("1/3", True),
        ("0.3333333333333333", False),
        (1, True),
        ("1000000000000000000001/1000000000000000000000", False),
    ):
        found = decide_sample(lambda x: ge(x, 5), Domain({"x": third}), Sample({}, {"x": rationals(x)}))
        assert (found.relation is not None) == inside
        assert not found.outside
        (together, *_) = decide_together(lambda x: ge(x, 5), Domain({"x": third}), [Sample({}, {"x": rationals(x)})] * 2)
        assert (together is not None) == inside


def a_truth_value(x):
    return ge(x, 0) if not is_exact(x) else bool(x == 0)


def of_floats(x):
    return ge(x, 0) if not is_exact(x) else le_of_arrays(np.zeros(1), np.ones(1), name="part")


@pytest.mark.parametrize(
    ("statement", "error", "message"),
    [
        (a_truth_value, BrokenStatement, r"a_truth_value .*must return a relation, made by le, ge or eq of verify"),
        (of_floats, FloatOnExactSide, "the comparison 'part' is of floats where the instance is exact"),
    ],
)
def test_what_is_no_exact_relation_is_told(statement, error, message):
    with pytest.raises(error, match=message):
        decide_sample(statement, LINE, ZERO)


def raising(error):
    def hypothesis(x):
        if is_exact(x):
            raise error
        return x > -1

    return hypothesis


@pytest.mark.parametrize(
    ("error", "known"),
    [
        (FloatOnly("an integrator"), (True, False)),
        (UndecidedInstances("two balls overlap", np.array(True)), (False, True)),
        (ZeroDivisionError("1 / 0"), (False, False)),
    ],
)
def test_a_hypothesis_without_an_exact_answer_decides_nothing(error, known):
    domain = Domain(LINE.variables, hypotheses={"raises": raising(error)})
    found = decide_sample(lambda x: ge(x, 1), domain, ZERO)
    assert (found.relation, found.outside, found.nowhere) == (None, False, False)
    assert (found.floats_only, found.unknown_domain) == known
    assert decide_together(lambda x: ge(x, 1), domain, [ZERO, ZERO]) == [None, None]


def test_a_statement_without_an_exact_answer_decides_nothing():
    found = decide_sample(lambda x: ge(x, 1) if not is_exact(x) else raising(FloatOnly("an integrator"))(x), LINE, ZERO)
    assert (found.relation, found.floats_only) == (None, True)
    found = decide_sample(lambda x: ge(1 / x, 1), LINE, ZERO)
    assert (found.relation, found.nowhere) == (None, True)


def test_a_side_that_is_no_number_is_told_but_where_another_part_fails():
    nothing = lambda x: where(x > 0, 1, Ball(arb.nan()))  # noqa: E731
    found = decide_sample(lambda x: ge(nothing(x), 0) & le(x, 1), LINE, ZERO)
    assert (found.nowhere, verdict_of(found.relation)) == (True, Verdict.UNDECIDED)
    found = decide_sample(lambda x: ge(nothing(x), 0) & le(1, x), LINE, ZERO)
    assert (found.nowhere, verdict_of(found.relation)) == (False, Verdict.FAILS)
    assert decide_together(lambda x: ge(nothing(x), 0) & le(1, x), LINE, [ZERO, ZERO]) == [None, None]


def test_what_compares_nothing_decides_nothing():
    vectors = Domain({"x": reals("n")}, {"n": (2,)})
    sample = Sample({"n": 2}, {"x": rationals([1, 2])})
    statement = lambda x: ge(x[2:], 0)  # noqa: E731
    found = decide_sample(statement, vectors, sample)
    assert (found.relation, found.nowhere) == (None, False)
    assert decide_together(statement, vectors, [sample, sample]) == [None, None]


def test_without_a_hypothesis_it_must_be_broken_and_no_other():
    domain = Domain({"x": reals()}, hypotheses={"positive": lambda x: x > 0, "small": lambda x: x < 9})
    statement = lambda x: ge(x, 1)  # noqa: E731
    samples = {x: Sample({}, {"x": rationals(x)}) for x in (1, -1, 10)}
    met = {
        x: [decide_sample(statement, domain, sample, name).outside for name in (None, "positive", "small")]
        for x, sample in samples.items()
    }
    assert met == {1: [False, True, True], -1: [True, False, True], 10: [True, True, False]}


def test_variables_that_are_made_are_made_anew_for_each_precision():
    made = []

    def variables():
        made.append(sqrt(rationals(2)))
        return {"x": made[-1]}

    # two numbers that 64 bits do not tell apart
    relation = decide(lambda x: le(x * x, 2 + Q(1, 2**80)), variables)
    assert int(relation.verdict) == Verdict.HOLDS
    assert len(made) == 2
    relation = decide(lambda x: le(x * x, 2), variables)
    # a tie at 192 bits: more would not part them
    assert (int(relation.verdict), len(made)) == (Verdict.UNDECIDED, 4)
