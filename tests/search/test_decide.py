"""Decisions on rationals and balls: what is no number, and what may be none, is neither true nor false."""

import pytest
from flint import fmpq

from verify import Domain, reals
from verify.claims.domain import Sample
from verify.numbers.arithmetic import precision, rationals
from verify.numbers.relation import Verdict
from verify.search.decide import decide_sample, verdict_of
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
