from fractions import Fraction

import numpy as np
import pytest
from dyadic import entries, frozen, network, networks, quick
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from verify.networks import FullyConnected, identity, leaky_relu
from verify.networks.training import CrossEntropy, MeanSquaredError, he_network, loss_and_gradient
from verify.numbers.arithmetic import ball, compare, floats, rationals

STEP = fmpq(1, 2**200)
LOSSES = [MeanSquaredError(), MeanSquaredError(per_output=True), CrossEntropy()]


def by_hand(f, x, y, loss, ridge):
    """The objective from the formula, for one network."""
    if isinstance(loss, MeanSquaredError):
        data = ((f(x) - y) ** 2).sum() / len(x) / (f.widths[-1] if loss.per_output else 1)
    else:
        value = f(x)
        data = -(y * (value - np.log(np.exp(value).sum(axis=1, keepdims=True)))).sum() / len(x)
    return data + ridge * f.parameter_norm_squared


def shifted(f, direction, step):
    """The network moved by `step` times a direction."""
    return f.with_parameters([array + step * part for array, part in zip(f.parameters, direction, strict=True)])


def random_direction(rng, f):
    return [entries(rng, *array.shape) for array in f.parameters]


def inner(left, right):
    return sum((one * other).sum() for one, other in zip(left, right, strict=True))


@quick
@given(networks(max_depth=3), st.sampled_from([0, fmpq(1, 8)]), st.booleans())
def test_gradient_is_the_exact_derivative(drawn, ridge, per_output):
    f, rng = drawn
    loss = MeanSquaredError(per_output)
    f, x = f.as_exact(), rationals(entries(rng, 3, f.widths[0]))
    y = rationals(entries(rng, 3, f.widths[-1]))
    assume((compare(f.distance_to_kink(x), 0) == 1).all())
    value, gradient = loss_and_gradient(f, x, y, loss, ridge=ridge)
    assert value == by_hand(f, x, y, loss, ridge)
    direction = [rationals(part) for part in random_direction(rng, f)]
    moved, _ = loss_and_gradient(shifted(f, direction, STEP), x, y, loss, ridge=ridge)
    # the objective is a polynomial near the network, with coefficients of moderate size
    assert abs((moved[()] - value[()]) / STEP - inner(gradient, direction)) < fmpq(1, 2**150)


@quick
@given(networks(max_depth=3))
def test_floats_and_rationals_agree_bit_for_bit(drawn):
    f, rng = drawn
    x, y = entries(rng, 4, f.widths[0]), entries(rng, 4, f.widths[-1])
    value, gradient = loss_and_gradient(f, x, y, ridge=0.125)
    exact_value, exact = loss_and_gradient(f.as_exact(), rationals(x), rationals(y), ridge=fmpq(1, 8))
    for double, rational in zip((value, *gradient), (exact_value, *exact), strict=True):
        assert np.all(rationals(double) == rational)


@pytest.mark.parametrize("activation", [None, leaky_relu(0.25), leaky_relu(-0.5), identity()], ids=str)
@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_gradient_is_the_difference_quotient(loss, activation):
    rng = np.random.default_rng(4)
    f = he_network(rng, (3, 5, 4, 3), activation)
    f = f.with_parameters([*f.weights, *(rng.standard_normal(bias.shape) for bias in f.biases)])
    x, y = rng.standard_normal((7, 3)), np.eye(3)[rng.integers(0, 3, 7)]
    value, gradient = loss_and_gradient(f, x, y, loss, ridge=0.01)
    assert value == pytest.approx(by_hand(f, x, y, loss, 0.01), rel=1e-13)
    direction = random_direction(rng, f)
    step = 1e-6
    quotient = (
        by_hand(shifted(f, direction, step), x, y, loss, 0.01) - by_hand(shifted(f, direction, -step), x, y, loss, 0.01)
    ) / (2 * step)
    # central differences: step^2 of third derivatives, and rounding over the step
    assert inner(gradient, direction) == pytest.approx(quotient, rel=1e-7, abs=1e-7 * abs(value))


def test_cross_entropy_of_rationals_is_a_ball_around_the_float():
    rng = np.random.default_rng(2)
    f = network(rng, (2, 3, 3))
    x, y = entries(rng, 4, 2), np.eye(3)[[0, 1, 2, 1]]
    value, gradient = loss_and_gradient(f, x, y, CrossEntropy())
    exact_value, exact = loss_and_gradient(f.as_exact(), rationals(x), rationals(y), CrossEntropy())
    for found, double in zip((exact_value, *exact), (value, *gradient), strict=True):
        np.testing.assert_allclose(floats(found), double, rtol=1e-13, atol=1e-14)
        assert all(float(ball(entry).rad()) < 1e-12 for entry in found.flat)


@pytest.mark.parametrize(("batch", "exact"), [((2, 3), False), ((100,), False), ((2, 2), True)])
def test_a_batch_is_a_loop(batch, exact):
    rng = np.random.default_rng(1)
    f = network(rng, (2, 3, 2), batch, leaky_relu(entries(rng, batch[-1])))
    x, y = entries(rng, *batch[1:], 4, 2), entries(rng, *batch, 4, 2)  # means over 4 points: no rounding
    ridge = fmpq(1, 8) if exact else 0.125
    if exact:
        f, x, y = f.as_exact(), rationals(x), rationals(y)
    value, gradient = loss_and_gradient(f, x, y, ridge=ridge)
    for index in np.ndindex(batch):
        one = loss_and_gradient(f[index], x[index[1:]], y[index], ridge=ridge)
        assert value[index] == one[0]
        assert all(np.all(batched[index] == single) for batched, single in zip(gradient, one[1], strict=True))


def test_points_and_targets_are_not_changed_and_gradients_are_copies():
    rng = np.random.default_rng(0)
    f, x, y = network(rng, (2, 3, 2)), entries(rng, 4, 2), entries(rng, 4, 2)
    _, gradient = loss_and_gradient(f, x, y)
    gradient[0][:] = 9
    assert not (loss_and_gradient(f, x, y)[1][0] == 9).any()


F = FullyConnected([frozen(np.ones((2, 3)))])
X, Y = frozen(np.ones((4, 3))), frozen(np.ones((4, 2)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((F, np.ones(3), Y), r"x must have shape \(..., N, 3\), got \(3,\): the network has 3 inputs"),
        ((F, X, np.ones((3, 2))), r"targets must have shape \(..., 4, 2\), one value for each point of x, got \(3, 2\)"),
        ((F, X, rationals(Y)), "the network is float but targets is exact: convert one with verify.numbers.arithmetic"),
        ((F, np.full((4, 3), np.nan), Y), "x must be finite, got .*(NaN|nan)"),
        ((F, X, np.full((4, 2), np.inf)), "targets must be finite, got .*(NaN|nan)"),
        ((F, np.ones((5, 4, 3)), Y), r"the axes of x before its points must broadcast to the batch \(\), got x of shape"),
        ((F, X, np.ones((5, 4, 2))), r"the axes of targets before its points must broadcast to the batch \(\)"),
        ((F, X, Y, CrossEntropy()), "targets must be probabilities for CrossEntropy: not negative, and of sum 1"),
    ],
)
def test_errors_name_the_argument(arguments, message):
    with pytest.raises(ValueError, match=message):
        loss_and_gradient(*arguments)


@pytest.mark.parametrize("ridge", [-0.1, np.inf, np.nan, fmpq(-1, 2)])
def test_a_ridge_is_a_number_that_is_not_negative(ridge):
    with pytest.raises(ValueError, match=r"ridge must be (finite|a finite number that is not negative), got"):
        loss_and_gradient(F, X, Y, ridge=ridge)


def test_a_ridge_of_an_exact_network_is_exact():
    exact = F.as_exact(), rationals(X), rationals(Y)
    with pytest.raises(
        TypeError, match=r"ridge must be an int, a Fraction or a flint.fmpq beside exact numbers, got the float 0.1"
    ):
        loss_and_gradient(*exact, ridge=0.1)
    with pytest.raises(ValueError, match="ridge must be a finite number that is not negative, got -1"):
        loss_and_gradient(*exact, ridge=-1)
    # two outputs 3 for targets 1, and six weights 1
    assert loss_and_gradient(*exact, ridge=Fraction(1, 3))[0] == 2 * 4 + fmpq(6, 3)


def test_what_is_no_network_is_refused():
    with pytest.raises(TypeError, match="network must be a FullyConnected, LeakyResNet or CircularCNN, got ndarray"):
        loss_and_gradient(np.ones(3), X, Y)
