import pickle
from fractions import Fraction

import numpy as np
import pytest
from dyadic import entries, frozen, quick
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from verify.networks import HomogeneousActivation, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import compare, floats, rationals

sixteenths = st.integers(-48, 48).map(lambda k: k / 16)


@quick
@given(sixteenths, sixteenths, st.integers(0, 2**32))
def test_float_and_exact_values_are_the_two_slopes(positive, negative, seed):
    activation = HomogeneousActivation(positive, negative)
    values = entries(np.random.default_rng(seed), 3, 4)
    expected = [positive * t if t >= 0 else negative * t for t in values.flat]
    assert activation(values).ravel().tolist() == expected
    exact = activation.as_exact()
    assert np.all(exact(rationals(values)) == rationals(np.array(expected).reshape(3, 4)))
    assert np.all(exact.derivative(rationals(values)) == rationals(activation.derivative(values)))
    assert np.all(values * activation.derivative(values) == activation(values))
    assert activation.lipschitz_constant == max(abs(positive), abs(negative))


@quick
@given(sixteenths, st.integers(0, 2**32))
def test_homogeneity(slope, seed):
    rng = np.random.default_rng(seed)
    values, scale = entries(rng, 5), 2.0 ** rng.integers(-8, 8)
    activation = leaky_relu(slope)
    assert np.all(activation(scale * values) == scale * activation(values))


def test_named_activations():
    values = frozen(np.array([-2.0, -0.0, 3.0]))
    assert relu()(values).tolist() == [0, 0, 3]
    assert absolute_value()(values).tolist() == [2, 0, 3]
    assert identity()(values).tolist() == values.tolist()
    assert leaky_relu(0.5)(values).tolist() == [-1, 0, 3]


def test_derivative_at_zero_is_the_positive_slope():
    assert leaky_relu(0.5).derivative(np.zeros(1)).tolist() == [1]
    assert leaky_relu(Fraction(1, 3)).derivative(rationals([0, -1])).tolist() == [fmpq(1), fmpq(1, 3)]


@pytest.mark.parametrize("convert", [np.asarray, rationals])
def test_array_slopes_are_one_for_each_network_of_the_batch(convert):
    slopes, values = convert(np.array([0.25, -0.5])), convert(np.array([[-1.0, 2.0, -4.0], [-1.0, 2.0, -4.0]]))
    batch = leaky_relu(slopes)
    assert batch.batch_shape == (2,)
    for k in range(2):
        assert np.all(batch(values)[k] == leaky_relu(slopes[k])(values[k]))
    assert np.all(batch.each_slope(lambda slope: slope[1])(values[1]) == batch(values)[1])
    assert np.all(floats(batch.lipschitz_constant) == 1)
    assert np.all(floats(batch.as_exact().as_float()(floats(values))) == floats(batch(values)))


def test_slopes_are_copied():
    slopes = np.array([0.25, 0.5])
    activation = leaky_relu(slopes)
    slopes[:] = 7
    assert activation.negative.tolist() == [0.25, 0.5]


def test_a_ball_of_either_sign_gets_both_slopes():
    values = np.array([arb(0, 1), arb(2), arb(-2)], dtype=object)
    derivative = leaky_relu(Fraction(1, 2)).derivative(values)
    assert derivative[0].contains(arb(1))
    assert derivative[0].contains(arb(0.5))
    assert compare(derivative[1:], rationals([1, 0.5])).tolist() == [0, 0]
    image = leaky_relu(Fraction(1, 2))(values)[0]
    assert image.contains(arb(1))
    assert image.contains(arb(-0.5))
    assert leaky_relu(arb(2).sqrt())(values)[2].contains(-arb(8).sqrt().mid())


def test_pickle():
    restored = pickle.loads(pickle.dumps(leaky_relu(Fraction(1, 3))))
    assert restored.negative == fmpq(1, 3)


@pytest.mark.parametrize(
    ("positive", "negative", "message"),
    [
        (1, float("nan"), "slope 'negative' must be finite, got .*(NaN|nan)"),
        (np.array([1.0, np.inf]), 0, "slope 'positive' must be finite"),
        (1, 1j, "slope 'negative' must hold real numbers .*got dtype complex128"),
        (0.5, Fraction(1, 2), "one slope is exact and the other a float: got 0.5 and 1/2"),
        (1, arb("nan"), "slope 'negative' must be finite, got nan"),
        (1, np.array([1, None], dtype=object), "slope 'negative' must hold real numbers .*got None"),
    ],
)
def test_slopes_are_validated(positive, negative, message):
    with pytest.raises(ValueError, match=message):
        HomogeneousActivation(positive, negative)


def test_arithmetics_do_not_mix():
    with pytest.raises(ValueError, match=r"the activation is float but values is exact"):
        leaky_relu(0.5)(rationals([1, -1]))
    with pytest.raises(ValueError, match=r"the activation is exact but values is float"):
        leaky_relu(Fraction(1, 2))(np.array([1.0]))
