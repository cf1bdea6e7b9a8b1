"""Constants that fit both arithmetics, balls that refuse floats, and what an exact evaluation refuses."""

import math
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from verify import Q, measured
from verify.matrices import rank, singular_values
from verify.numbers.arithmetic import (
    UNKNOWN,
    absolute,
    certain_order,
    compare,
    exp,
    floats,
    log,
    maximum,
    minimum,
    pi,
    power,
    precision,
    rational,
    rationals,
    sqrt,
)
from verify.numbers.exactness import Ball, FloatOnExactSide, UndecidedInstances, assumed_signs, exact_evaluation
from verify.numbers.relation import Verdict
from verify.numbers.symbolic import identically_zero

THIRD = Q("1/3")
FRACTIONS = st.fractions(min_value=-50, max_value=50, max_denominator=50)


@given(FRACTIONS, FRACTIONS.filter(bool))
def test_a_constant_computes_as_a_fraction_does(a, b):
    for mine, plain in [
        (Q(a) + Q(b), a + b),
        (Q(a) - b, a - b),
        (a * Q(b), a * b),
        (Q(a) / Q(b), a / b),
        (2 - Q(a), 2 - a),
        (Q(a) ** 2, a**2),
        (-Q(a), -a),
        (abs(Q(a)), abs(a)),
    ]:
        assert mine == plain
        assert isinstance(mine, Q)
    assert (Q(a) < b, Q(a) == b, Q(a) >= b) == (a < b, a == b, a >= b)


@given(FRACTIONS, FRACTIONS.filter(bool))
def test_a_constant_is_a_float_beside_floats_and_a_rational_beside_rationals(a, b):
    floats, exact = np.array([float(b)]), rationals([b])
    assert (Q(a) * floats)[0] == float(a) * float(b)
    assert (floats - Q(a))[0] == float(b) - float(a)
    assert rational(a) * rational(b) == (Q(a) * exact)[0] == (exact * Q(a))[0]
    assert (Q(a) / exact)[0] == rational(a / b) == Q(a) / rational(b)
    assert type(Q(a) * np.float64(float(b))) is np.float64
    assert type(Q(a) + Ball(2)) is Ball


def test_beside_integers_the_evaluation_decides():
    assert (THIRD * np.array([1, 2])).dtype == np.float64
    with exact_evaluation():
        assert [str(one) for one in THIRD * np.array([1, 2])] == ["1/3", "2/3"]
        assert THIRD * np.int64(3) == 1


def test_a_constant_is_no_float_and_survives_a_pickle():
    with pytest.raises(TypeError, match="as text or as integers"):
        Q(0.1)
    assert pickle.loads(pickle.dumps(THIRD)) == THIRD
    assert repr(THIRD) == "Q('1/3')"


@pytest.mark.parametrize(
    "operation",
    [
        lambda ball: 0.1 * ball,
        lambda ball: ball + 0.5,
        lambda ball: ball**0.5,
        lambda ball: np.float32(2) / ball,
        lambda ball: ball > 0.5,
        lambda ball: np.array([0.1, 0.2]) * rationals([1, 2]) * ball,
        lambda ball: np.array([0.1]) * np.array([ball], dtype=object),
        lambda ball: ball == np.pi,
    ],
)
def test_a_ball_takes_no_float(operation):
    with pytest.raises(TypeError, match="float"):
        operation(Ball(2).sqrt())


def test_a_ball_answers_only_what_it_knows():
    wide = Ball(arb(0, 1))
    for question in (lambda: wide > 0, lambda: wide <= 0, lambda: wide == 0, lambda: wide != 0, lambda: bool(wide)):
        with pytest.raises(UndecidedInstances):
            question()
    assert wide < 2
    assert not wide > 2
    assert Ball(2) == 2
    assert Ball(2) != 3
    with pytest.raises(UndecidedInstances):
        compare(np.array([wide]), 0)
    assert certain_order(np.array([wide]), 0).tolist() == [UNKNOWN]


def test_what_is_made_of_balls_are_balls():
    two = Ball(2)
    made = [
        two.sqrt(),
        two + 1,
        fmpq(1, 3) * two,
        arb(1) - two,
        2 / two,
        two**2,
        -two,
        abs(two),
        two.log(),
        two.exp(),
        two.max(3),
    ]
    assert {type(one) for one in made} == {Ball}
    assert {type(one) for one in singular_values(rationals([[1, 2], [3, 5]]))} == {Ball}


def test_integers_stay_exact_in_an_exact_evaluation():
    assert type(sqrt(3)) is np.float64
    with exact_evaluation():
        assert type(sqrt(3)[()]) is Ball
        assert [str(one) for one in sqrt(np.array([4, 9]))] == ["2", "3"]
        assert {type(function(2)[()]) for function in (exp, log)} == {Ball}
        assert type(pi()) is Ball
        assert type(power(2, Fraction(1, 3))[()]) is Ball
        assert rank(rationals([[1, 2], [2, 4]]))[()] / 3 == fmpq(1, 3)
        assert type(sqrt(THIRD)[()]) is Ball
        assert str(maximum(rationals([0, 1]), THIRD)[0]) == "1/3"
        with pytest.raises(FloatOnExactSide):
            rational(0.1)
        with exact_evaluation(active=False):
            assert rational(0.5) == fmpq(1, 2)
    assert maximum(np.array([0.0, 1.0]), THIRD).tolist() == [1 / 3, 1]
    assert compare(np.array([0.0, 1.0]), THIRD).tolist() == [-1, 1]
    assert sqrt(THIRD) == pytest.approx(3**-0.5)


@given(st.floats(1, 100), st.floats(1, 100), st.floats(0, 0.5), st.floats(0, 0.5), st.floats(-1, 1), st.floats(-1, 1))
def test_errors_travel_with_values(a, b, error, other, s, t):
    x, y = measured(np.array(a), error), measured(np.array(b), other)
    true_x, true_y = a + s * error, b + t * other
    for found, true in [
        (x + y, true_x + true_y),
        (x - y, true_x - true_y),
        (x * y, true_x * true_y),
        (x / y, true_x / true_y),
        (x**3, true_x**3),
        (x.sqrt(), true_x**0.5),
        (3 - x, 3 - true_x),
        (1 / x, 1 / true_x),
        (THIRD * x, true_x / 3),
        (abs(-x), true_x),
    ]:
        assert abs(found.value - true) <= found.error * (1 + 1e-12) + 1e-12 * (1 + abs(true))


def test_integers_and_fractions_are_at_home_beside_a_measured_value():
    exact = measured(rationals([2, 3]), 0.0)
    assert [str(one) for one in (2**70 * exact / 3).value] == [f"{2**71}/3", f"{2**70}"]
    assert [str(one) for one in (Fraction(1, 3) * exact).value] == ["2/3", "1"]
    assert (Fraction(1, 2) * measured(np.array([3.0]), 0.5)).error.tolist() == [0.25]


def test_an_error_is_no_negative_number():
    with pytest.raises(ValueError, match="error must not be negative"):
        measured(1.0, -1.0)


def test_every_method_of_a_ball_gives_guarded_balls():
    root = sqrt(rationals(2))[()]
    for guarded in (root.mid(), root.gamma(), root.sin_cos()[0], root.upper()):
        with pytest.raises(FloatOnExactSide):
            guarded * 0.1


def test_numbers_of_other_libraries_do_not_meet_balls():
    root = sqrt(rationals(2))[()]
    for number in (mpmath.mpf("0.1"), sympy.Float("0.1"), sympy.Rational(1, 3), 1j):
        with pytest.raises(FloatOnExactSide):
            root * number


def test_constants_are_unequal_to_entries_and_exponents_of_arrays():
    exact = rationals([1, "1/2", 4])
    assert (exact != Q("1/2")).tolist() == (Q("1/2") != exact).tolist() == [True, False, True]
    with exact_evaluation():
        assert (exact[2:] ** Q("1/2")).tolist() == [2]
    assert np.array([4.0]) ** Q("1/2") == 2


def test_integers_raised_to_fractions_follow_the_evaluation():
    assert (2 ** Q(3), 2 ** Q(-1), 4 ** Q("1/2")) == (8, Q("1/2"), 2)
    assert 2 ** Q("1/2") == pytest.approx(np.sqrt(2))
    with exact_evaluation():
        assert 4 ** Q("1/2") == 2
        assert floats(2 ** Q("1/2")) == pytest.approx(np.sqrt(2))


@pytest.mark.parametrize("exponent", [1, 2, 3, 7, np.int64(2)])
def test_powers_of_a_ball_around_zero_are_numbers(exponent):
    zero = Ball(2).sqrt() - Ball(2).sqrt()
    assert zero.contains(0)
    for raised in (zero**exponent, (np.array([zero], dtype=object) ** exponent)[0], power(zero, int(exponent)).item()):
        assert raised.contains(0)
        assert float(raised.rad()) < 1e-10
    assert (zero**-2).is_nan()


CONTINUOUS_FROM_ZERO_ON = {
    "sqrt": (sqrt, mpmath.sqrt),
    "method sqrt": (lambda x: x.sqrt(), mpmath.sqrt),
    "numpy.sqrt": (lambda x: np.sqrt(np.array([x], dtype=object))[0], mpmath.sqrt),
    "root of degree 3": (lambda x: x.root(3), lambda x: mpmath.root(x, 3)),
    "x ** (3/2)": (lambda x: power(x, Fraction(3, 2)), lambda x: x**1.5),
    "x ** (1/7)": (lambda x: x ** Q("1/7"), lambda x: x ** (mpmath.mpf(1) / 7)),
    "x ** (22/7)": (lambda x: x ** fmpq(22, 7), lambda x: x ** (mpmath.mpf(22) / 7)),
    "x ** 0": (lambda x: power(x, 0), lambda x: x**0),
    "norm": (lambda x: power(power(absolute(x), Q("3/2")) + 2, Q("2/3")), lambda x: (x**1.5 + 2) ** (mpmath.mpf(2) / 3)),
}
CONTINUOUS_EVERYWHERE = {
    "abs": (absolute, abs),
    "numpy.abs": (lambda x: np.abs(np.array([x], dtype=object))[0], abs),
    "x ** 2": (lambda x: power(x, 2), lambda x: x**2),
    "x ** 3": (lambda x: x**3, lambda x: x**3),
    "x ** 6": (lambda x: x ** Fraction(6), lambda x: x**6),
    "maximum with 0": (lambda x: maximum(x, 0), lambda x: max(x, mpmath.mpf(0))),
    "minimum with 1/3": (lambda x: minimum(x, Q("1/3")), lambda x: min(x, mpmath.mpf(1) / 3)),
    "sqrt of abs": (lambda x: sqrt(absolute(x)), lambda x: mpmath.sqrt(abs(x))),
    "abs ** (5/4)": (lambda x: absolute(x) ** Q("5/4"), lambda x: abs(x) ** 1.25),
}


def _holds(ball, number):
    """Whether a ball holds a number that is known up to 2 ** -1500 or so."""
    ball = arb(ball.item() if isinstance(ball, np.ndarray) else ball)
    sign, mantissa, exponent, _ = number._mpf_
    rational_one = fmpq(int(-mantissa if sign else mantissa)) * fmpq(2) ** exponent
    return ball.is_finite() and ball.overlaps(arb(rational_one, arb(2) ** -1500))


@given(
    st.sampled_from([*CONTINUOUS_FROM_ZERO_ON, *CONTINUOUS_EVERYWHERE]),
    st.fractions(min_value=-2, max_value=2, max_denominator=64) | st.just(Fraction(0)),
    st.integers(-200, 3),
    st.fractions(min_value=-1, max_value=1, max_denominator=16),
    st.sampled_from([24, 64, 192, 1024]),
)
def test_a_continuous_function_of_a_ball_is_a_ball_that_holds_its_values(name, x, magnitude, place, bits):
    function, reference = (CONTINUOUS_FROM_ZERO_ON | CONTINUOUS_EVERYWHERE)[name]
    x = abs(x) if name in CONTINUOUS_FROM_ZERO_ON else x
    radius = fmpq(2) ** magnitude
    with precision(2048):  # the ball holds x, in the middle or anywhere else
        ball = Ball(arb(rational(x + place * Fraction(int(radius.p), int(radius.q))), arb(radius)))
    with mpmath.workprec(4096):
        true = mpmath.mpf(reference(mpmath.mpf(x.numerator) / x.denominator))
        with precision(bits):
            assert _holds(function(ball), true)


def test_where_there_may_be_a_negative_number_a_root_says_so():
    around, below, above = Ball(arb(0, 1)), Ball(arb(-2, 1)), abs(Ball(arb(0, 1)))
    for root in (sqrt, lambda x: power(x, Fraction(1, 3)), lambda x: x.root(5)):
        with assumed_signs() as noted:
            assert np.all(root(above) >= 0)
            assert not noted
            root(around)
            assert len(noted) == 1
        assert np.ravel(root(below))[0].is_nan()
    assert (around ** Q("-1/2")).is_nan()
    assert not log(around).item().is_finite()


def test_identities_of_sympy_are_relations():
    a, b = sympy.symbols("a b", positive=True)
    assert identically_zero((a + b) ** 2 - a**2 - 2 * a * b - b**2).verdict == Verdict.HOLDS
    assert identically_zero(sympy.sin(a) ** 2 + sympy.cos(a) ** 2 - 1, a - a).verdict == Verdict.HOLDS
    assert identically_zero(a - a, a - b).verdict == Verdict.FAILS
    for unknown in (sympy.nan, sympy.zoo, sympy.Function("f")(a) - sympy.Function("g")(a) + sympy.nan):
        assert identically_zero(unknown).verdict == Verdict.UNDECIDED
    with pytest.raises(ValueError, match="expressions must not be empty"):
        identically_zero()
    with pytest.raises(TypeError, match="expressions must be expressions of sympy, got Eq"):
        identically_zero(sympy.Eq(a, b))
    with pytest.raises(FloatOnExactSide, match=r"the float 0\.1.* stands in an expression: write sympy\.Rational"):
        identically_zero(a * 0.1 - b)


def test_values_with_an_error_are_raised_and_summed():
    value = measured(np.array([2.0, -3.0]), np.array([0.5, 0.25]))
    assert value.sum().value == -1
    assert value.sum().error == 0.75
    assert measured(np.array([1.0, 2.0]), 0.5).sum().error == 1  # each entry has the error
    cube = value**3
    assert cube.value.tolist() == [8, -27]
    assert (np.abs(np.array([2.5, -3.25]) ** 3 - cube.value) <= cube.error).all()
    for exponent in (0, -1, 0.5):
        with pytest.raises(ValueError, match="exponent must be a positive integer"):
            value**exponent


def test_a_ball_is_no_float_in_an_exact_evaluation_and_is_rounded_where_that_is_decided():
    ball = Ball(arb(2).sqrt())
    assert float(ball) == pytest.approx(2**0.5)
    with exact_evaluation(), pytest.raises(FloatOnExactSide, match="is taken for a float"):
        float(ball)
    assert (math.floor(ball), math.ceil(ball), math.trunc(-ball)) == (1, 2, -1)
    with pytest.raises(UndecidedInstances, match="the integer below"):
        math.floor(ball * ball)
    assert ball * Fraction(1, 2) < 1
    assert (ball == "a") is False
    assert hash(ball) == hash(Ball(arb(2).sqrt()))


@pytest.mark.parametrize(("given", "value"), [(fmpq(3, 4), "3/4"), (np.int64(7), "7"), (fmpz(-2), "-2"), ("1e-2", "1/100")])
def test_a_constant_is_made_of_any_exact_number(given, value):
    assert str(Q(given)) == value
