"""Relations in floats and on exact numbers: slack, verdict, the worst entry."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.numbers.arithmetic import precision, rationals, sqrt
from verify.numbers.exactness import Ball, Q, exact_evaluation
from verify.numbers.measured import measured
from verify.numbers.relation import FLOAT_ULPS, Verdict, eq, ge, le

HOLDS, FAILS, UNDECIDED = Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED
small = st.fractions(min_value=-8, max_value=8, max_denominator=8)


@given(small, small)
def test_rationals_decide_every_relation(left, right):
    a, b = rationals(left)[()], rationals(right)[()]
    assert int(le(a, b).verdict) == (HOLDS if left <= right else FAILS)
    assert int(ge(a, b).verdict) == (HOLDS if left >= right else FAILS)
    assert int(eq(a, b).verdict) == (HOLDS if left == right else FAILS)


@given(small, small)
def test_floats_never_contradict_rationals(left, right):
    for relation in (le, ge, eq):
        exact = int(relation(rationals(left)[()], rationals(right)[()]).verdict)
        assert int(relation(float(left), float(right)).verdict) in (exact, UNDECIDED)


def test_a_difference_below_the_noise_is_undecided():
    noise = FLOAT_ULPS * 2.0**-52
    assert int(le(1 + noise / 2, 1.0).verdict) == UNDECIDED
    assert int(le(1 + 2 * noise, 1.0).verdict) == FAILS
    assert int(le(measured(1.001, 0.01), 1.0).verdict) == UNDECIDED
    assert int(eq(1.0, 1.0).verdict) == UNDECIDED


@pytest.mark.parametrize("relation", [le, ge, eq])
def test_the_error_of_an_exact_value_counts(relation):
    value = rationals(["9/10", 1, "11/10"])
    assert relation(measured(value, 0.125), rationals(1)[()]).verdict.tolist() == [UNDECIDED] * 3
    assert relation(rationals(1)[()], measured(value, np.inf)).verdict.tolist() == [UNDECIDED] * 3
    exact = relation(value, rationals(1)[()]).verdict.tolist()
    assert relation(measured(value, 0.0), rationals(1)[()]).verdict.tolist() == exact
    far = [verdict for verdict, entry in zip(exact, value, strict=True) if entry != 1]
    assert relation(measured(value, 0.03125), rationals(1)[()]).verdict.tolist() == [far[0], UNDECIDED, far[1]]


def test_balls_that_overlap_are_undecided_until_they_separate():
    two = rationals(2)[()]
    with precision(64):
        assert int(eq(sqrt(two) * sqrt(two), two).verdict) == UNDECIDED
        assert int(le(sqrt(two), rationals("3/2")[()]).verdict) == HOLDS
        assert int(le(rationals("3/2")[()], sqrt(two)).verdict) == FAILS


def test_the_slack_is_relative_to_the_sides():
    assert le(np.array([1.0, 3.0]), np.array([2.0, 2.0])).relative_slack.tolist() == pytest.approx([0.5, -1 / 3])
    assert ge(3.0, 2.0).relative_slack == pytest.approx(1 / 3)
    assert eq(3.0, 2.0).relative_slack == pytest.approx(-1 / 3)
    assert le(0.0, 0.0).relative_slack == 0.0


def test_infinities():
    assert le(math.inf, math.inf).relative_slack == 0.0
    assert le(1.0, math.inf).relative_slack == 1.0
    assert le(math.inf, 1.0).relative_slack == -1.0


def test_a_nan_is_undecided():
    assert int(le(math.nan, 1.0).verdict) == UNDECIDED


def test_the_last_axes_must_hold_everywhere():
    relation = le(np.array([[1.0, 2.0], [1.0, 4.0]]), 3.0, over=1)
    assert relation.batch_shape == (2,)
    assert relation.verdict.tolist() == [HOLDS, FAILS]
    assert relation.relative_slack.tolist() == pytest.approx([1 / 3, -1 / 4])


def test_an_empty_family_holds():
    relation = le(np.zeros((2, 0)), 1.0, over=1)
    assert relation.verdict.tolist() == [HOLDS, HOLDS]
    assert relation.relative_slack.tolist() == [1.0, 1.0]


def test_both_parts_of_a_conjunction_must_hold():
    relation = le(np.array([1.0, 1.0, 5.0]), 2.0) & ge(np.array([4.0, 0.0, 4.0]), 2.0)
    assert relation.verdict.tolist() == [HOLDS, FAILS, FAILS]
    assert len(relation.comparisons) == 2


def test_the_worst_entry_gives_its_sides():
    relation = le(rationals([1, 7, 3]), rationals([2, 2, 2]), over=1) & ge(rationals(1)[()], rationals(0)[()])
    left, right, slack = relation.worst()
    assert (left, right, slack) == (7, 2, -5.0)
    with pytest.raises(ValueError, match="no entry to compare"):
        le(np.zeros(0), 1.0, over=1).worst()


def test_too_many_axes_are_refused():
    with pytest.raises(
        ValueError, match=r"over must be at most the number of axes of the sides, got over=2 for sides of shape \(3,\)"
    ):
        le(np.zeros(3), 1.0, over=2)


def test_the_sides_are_not_written_to():
    left = np.array([1.0, 2.0])
    left.setflags(write=False)
    relation = le(left, 1.5)
    assert relation.verdict.tolist() == [HOLDS, FAILS]
    assert relation.worst()[0] == 2.0


def test_integers_truth_values_and_constants_are_sides():
    few, many = np.array([0, 1], dtype=np.uint8), np.array([1, 0], dtype=np.uint8)
    assert le(few, many).verdict.tolist() == [Verdict.HOLDS, Verdict.FAILS]
    assert ge(few > 0, many > 0).verdict.tolist() == [Verdict.FAILS, Verdict.HOLDS]
    assert le(few, Q("1/2")).verdict.tolist() == [Verdict.HOLDS, Verdict.FAILS]
    with exact_evaluation():
        assert eq(few, Fraction(1)).verdict.tolist() == [Verdict.FAILS, Verdict.HOLDS]
        assert le(np.array([2**62]), np.array([-(2**62)])).verdict.tolist() == [Verdict.FAILS]


def test_a_relation_of_nothing_decides_nothing():
    empty = le(rationals(np.zeros((2, 0))), rationals(np.zeros((2, 0))), over=1)
    assert empty.is_empty
    assert not empty.is_exact
    assert (empty & le(rationals([1, 2]), rationals([1, 2]))).is_exact


@pytest.mark.parametrize("over", [-1, 0.5, True])
def test_over_is_a_count_of_axes(over):
    with pytest.raises((TypeError, ValueError), match="over must be"):
        le(np.zeros(2), np.ones(2), over=over)


def test_masked_arrays_are_no_sides():
    with pytest.raises(TypeError, match="masked array"):
        le(np.ma.masked_less(np.array([-1.0, 1.0]), 0), np.ones(2))


def test_a_gap_beyond_the_floats_is_no_tie():
    exactly = np.array([Ball(flint.arb(10) ** 400)], dtype=object)
    nobody_knows = np.array([Ball(flint.arb(0, 1e300) * flint.arb(10) ** 200)], dtype=object)
    assert le(exactly, nobody_knows).comparisons[0].undecided_gap() == math.inf
    assert not le(exactly, nobody_knows).tied
