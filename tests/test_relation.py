"""Relations in floats and on exact numbers: slack, verdict, the worst entry."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify import attack, reals, words
from verify.numbers.arithmetic import precision, rationals, sqrt
from verify.numbers.exactness import Ball, FloatOnExactSide, Q, exact_evaluation
from verify.numbers.measured import measured
from verify.numbers.relation import FLOAT_ULPS, TIE, Verdict, compared_entries, eq, ge, le

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


def test_an_overlap_is_a_tie_when_it_is_small_beside_the_sides():
    two = rationals([2])
    for bits, tied in ((64, False), (256, True)):
        with precision(bits):
            relation = eq(sqrt(two) * sqrt(two), two)
            gap = relation.comparisons[0].undecided_gap()
            assert (0 < gap <= TIE) == relation.tied == tied
            assert gap < 2.0 ** (8 - bits)
    # what is decided, and what floats leave open, is no overlap of balls
    assert le(two, two).comparisons[0].undecided_gap() == le(1.0, 1.0).comparisons[0].undecided_gap() == 0
    nothing_known = np.array([Ball(flint.arb(0, 1))], dtype=object)
    assert le(rationals([0]) * nothing_known, nothing_known).comparisons[0].undecided_gap() > 0.1
    joined = le(nothing_known, rationals([0])) & eq(two, two)
    assert not joined.tied


def test_a_slack_inside_its_error_is_known_to_be_zero_where_the_error_is_small():
    sides = np.array([1.0, 1.0, 1.0, 1e-20]), np.array([2.0, 1 + 1e-15, 1.2, 2e-20])
    relation = le(measured(sides[0], np.array([0, 0, 0.5, 1e-15])), sides[1])
    assert relation.known_slack.tolist() == [0.5, 0.0, math.inf, 0.0]
    # nothing else tells that both sides of the last one vanish
    alone = le(measured(sides[0][3:], 1e-15), sides[1][3:])
    assert alone.known_slack.tolist() == [math.inf]
    assert le(math.inf, math.inf).known_slack == 0


def test_of_exact_sides_the_slack_is_known_beyond_what_floats_show():
    close = 1 + Fraction(1, 2**80)
    assert (le(rationals([1]), rationals([close])) & ge(rationals([2]), rationals([1]))).known_slack.tolist() == [2.0**-80]
    with precision(64):
        root = sqrt(rationals([2]))
        unbounded = np.array([Ball(flint.arb(0, math.inf))], dtype=object)
        assert eq(root * root, rationals([2])).known_slack.tolist() == [0.0]
        assert le(unbounded, rationals([1])).known_slack.tolist() == [math.inf]


def test_infinite_balls_have_the_slack_of_infinite_floats():
    endless, one = np.array([Ball(flint.arb.pos_inf())], dtype=object), rationals([1])
    assert le(one, endless).relative_slack.tolist() == [1.0]
    assert le(endless, one).relative_slack.tolist() == [-1.0]
    assert ge(one, endless).relative_slack.tolist() == [-1.0]
    assert le(one, endless).verdict.tolist() == [HOLDS]


def test_the_slack_of_balls_is_relative_to_them():
    two, root = rationals([2]), sqrt(rationals([2]))
    assert le(root, rationals(["3/2"])).relative_slack.tolist() == pytest.approx([1 - 2**1.5 / 3])
    assert ge(root, rationals(["3/2"])).relative_slack.tolist() == pytest.approx([2**1.5 / 3 - 1])
    assert le(sqrt(rationals([4])), two).relative_slack.tolist() == le(root, root - root + root).known_slack.tolist() == [0.0]
    exactly_two = np.array([Ball(2)], dtype=object)
    assert eq(exactly_two, two).relative_slack.tolist() == [0.0]
    # both sides vanish in balls
    nothing = root * root - two
    assert le(nothing, nothing + nothing).relative_slack.tolist() == [0.0]


@pytest.mark.parametrize("relation", [le, ge, eq])
def test_two_infinities_are_equal(relation):
    endless = np.array([Ball(flint.arb.pos_inf())], dtype=object)
    equal = relation(endless, endless)
    assert equal.verdict.tolist() == [HOLDS]
    assert [equal.relative_slack.tolist(), equal.known_slack.tolist(), equal.comparisons[0].slack.tolist()] == [[0.0]] * 3
    assert relation(endless, -endless).verdict.tolist() == [HOLDS if relation is ge else FAILS]
    of_words = getattr(words, relation.__name__)
    assert attack(lambda x: of_words(words.infinity() + 0 * x, words.infinity()), {"x": reals()}).outcome == "survived"


def test_zeros_have_no_slack_and_no_sign():
    for left, right in ((0.0, -0.0), (-0.0, 0.0), (rationals(0)[()], rationals(0)[()])):
        slack = float(ge(left, right).relative_slack)
        assert (slack, math.copysign(1, slack)) == (0, 1)
    assert math.copysign(1, float(ge(2.0, 2.0).relative_slack)) == 1


@pytest.mark.parametrize("exactly", [False, True])
def test_entries_of_an_equality_are_relative_to_the_largest_of_the_instance(exactly):
    left, right = [[1, 100], [1, 0]], [[2, 100], [2, 0]]
    if exactly:
        left, right = rationals(left), rationals(right)
    else:
        left, right = np.array(left, dtype=float), np.array(right, dtype=float)
    assert eq(left, right, over=1).relative_slack.tolist() == [-1 / 100, -1 / 2]
    assert eq(left, right, over=1).verdict.tolist() == [FAILS, FAILS]
    # each entry of an inequality stands by itself
    assert ge(left, right, over=1).relative_slack.tolist() == [-1 / 2, -1 / 2]
    whole = eq(left[None], right[None], over=2)
    assert (whole.batch_shape, whole.relative_slack.tolist()) == ((1,), [-1 / 100])
    # a side without the axis of the instances, and one entry for all
    assert eq(left[0], right, over=1).relative_slack.tolist() == [-1 / 100, -1.0]
    assert eq(left, right[:1, 1:], over=1).relative_slack.tolist() == [-99 / 100, -1.0]


@pytest.mark.parametrize("exactly", [False, True])
def test_what_is_small_beside_something_has_a_slack_relative_to_that(exactly):
    number = (lambda values: rationals(values)) if exactly else (lambda values: np.array(values, dtype=float))
    relation = compared_entries("le", number([1, 1]), number([0, 3]), "", 0, beside=number([100, 2]))
    assert relation.relative_slack.tolist() == [-1 / 100, 2 / 3]
    assert [float(relation.instance(place).relative_slack[0]) for place in (0, 1)] == [-1 / 100, 2 / 3]
    assert compared_entries("eq", number([1]), number([0]), "", 0, beside=Fraction(4)).relative_slack.tolist() == [-1 / 4]


def test_a_difference_that_is_small_beside_something_is_rounding():
    relation = compared_entries("le", np.array([1.0, 1.0]), np.array([0.0, 0.0]), "", 0, beside=np.array([2.0**60, 1.0]))
    assert relation.verdict.tolist() == [UNDECIDED, FAILS]


def test_an_instance_of_a_batch_has_its_sides_its_error_and_what_all_share():
    left, error = np.array([[1.0, 5.0], [2.0, 0.0], [9.0, 9.0]]), np.array([[0.0, 0.0], [0.0, 3.0], [0.0, 0.0]])
    batch = le(measured(left, error), np.array([3.0, 4.0]), over=1, name="bound") & ge(1.0, 0.0)
    for place in range(3):
        alone = batch.instance(place)
        assert alone.names == batch.names == ("bound", "#2")
        assert alone.verdict.tolist() == [batch.verdict[place]]
        assert alone.relative_slack.tolist() == [batch.relative_slack[place]]
        assert alone.comparisons[0].noise.tolist() == [batch.comparisons[0].noise[place].tolist()]
    # one row for all instances stays as it is
    assert le(np.array([[1.0, 1.0]]), left, over=1).instance(1).verdict.tolist() == [FAILS]


def test_an_error_that_is_measured_counts_where_it_is_the_larger():
    relation = le(measured(np.array([1.0, 1.0]), 0.5), 2.0)
    assert relation.verdict.tolist() == [HOLDS, HOLDS]
    assert relation.with_noise([np.array([0.25, 4.0])]).verdict.tolist() == [HOLDS, UNDECIDED]
    assert relation.with_noise([np.zeros((3, 2))]).comparisons[0].noise.tolist() == [relation.comparisons[0].noise.tolist()] * 3


def test_zero_against_zero_is_trivial_where_nothing_else_is_attained():
    left, right = np.array([0.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 0.0])
    assert le(left, right).is_trivial().tolist() == [True, False, False, True]
    beside = le(np.array([1.0, 1.0, 1.0, 2.0]), np.array([1.0, 2.0, 2.0, 2.0]))
    assert (le(left, right) & beside).is_trivial().tolist() == [False, False, False, False]
    assert (le(left, right) & le(1.0, 2.0)).is_trivial().tolist() == [True, False, False, True]
    # beside a failure nothing is attained
    assert (le(left, right) & le(2.0, 1.0)).is_trivial().tolist() == [False] * 4
    # a bound by zero is attained by zeros only
    bound = le(0.0, np.array([0.0, 1.0]))
    assert bound.is_trivial().tolist() == [True, False]
    assert bound.is_trivial(of_bounds=False).tolist() == [False, False]
    assert le(left, right).is_trivial(of_bounds=False).tolist() == [True, False, False, True]


def test_the_nearest_to_failing_of_several_parts_is_shown():
    relation = le(1.0, 2.0) & ge(np.array([[3.0, 1.0], [2.0, 4.0]]), 2.0, over=2, name="entries") & le(0.0, 1.0)
    comparison, place = relation.worst_place()
    assert (comparison.name, place) == ("entries", (0, 1))
    assert relation.worst() == (1.0, 2.0, -1.0)
    assert relation.names == ("#1", "entries", "#3")
    assert (le(np.zeros((1, 0)), 1.0, over=1) & le(1.0, 3.0)).worst() == (1.0, 3.0, 2.0)


@pytest.mark.parametrize(("side", "message"), [("text", "real numbers, got 'text'"), (np.array(1j), "real numbers, got array")])
def test_what_is_no_real_number_is_no_side(side, message):
    with pytest.raises(TypeError, match=message):
        le(side, 1.0)


def test_floats_beside_exact_numbers_are_refused():
    with (
        exact_evaluation(),
        pytest.raises(FloatOnExactSide, match=r"one side is exact and the other holds floats: write an exact"),
    ):
        le(rationals([1]), np.array([0.5]))
    mixed = np.array([0.5, 1], dtype=object)
    with pytest.raises(FloatOnExactSide, match=r"an array of objects with the float 0.5"):
        le(mixed, rationals([1, 1]))


def test_long_integers_of_python_stand_beside_floats():
    assert le(np.array([10**30, 1], dtype=object), np.array([1e29, 1.5])).verdict.tolist() == [FAILS, HOLDS]


def test_too_many_axes_of_exact_sides_are_refused():
    with pytest.raises(ValueError, match=r"got over=2 for sides of shape \(1,\)"):
        le(rationals([1]), rationals([2]), over=2)


def test_a_ball_that_is_no_number_is_told():
    sides = np.array([Ball(flint.arb.nan()), Ball(1)], dtype=object)
    assert le(sides, rationals([2, 2])).is_number().tolist() == [False, True]
    assert (le(rationals([0, 0]), rationals([1, 1])) & ge(rationals([2, 2]), sides)).is_number().tolist() == [False, True]
    assert le(np.array([[1.0, np.nan], [1.0, 2.0]]), 3.0, over=1).is_number().tolist() == [False, True]


def test_a_relation_has_no_truth_value():
    with pytest.raises(TypeError, match="join two with &, not with `and`"):
        bool(le(1.0, 2.0))
