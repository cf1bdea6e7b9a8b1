import pickle

import numpy as np
import pytest
from dyadic import SLOPES, entries, frozen, network, networks, quick
from flint import arb, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from verify.networks import FullyConnected, identity, leaky_relu, relu
from verify.numbers.arithmetic import UndecidedInstances, compare, floats, rationals

STEP = fmpq(1, 2**200)  # no pre-activation of these networks is that close to zero, unless it is zero


def by_hand(network, x):
    values = x
    for weight, bias in zip(network.weights[:-1], network.biases[:-1], strict=True):
        values = network.activation(np.array([row @ values for row in weight]) + bias)
    return np.array([row @ values for row in network.weights[-1]]) + network.biases[-1]


@quick
@given(networks())
def test_floats_and_rationals_agree_bit_for_bit(drawn):
    f, rng = drawn
    x = entries(rng, 3, f.widths[0])
    exact, point = f.as_exact(), rationals(x)
    pairs = [
        (exact(point), f(x)),
        (exact.jacobian(point), f.jacobian(x)),
        (exact.parameter_norm_squared, f.parameter_norm_squared),
    ]
    pairs += zip(exact.preactivations(point), f.preactivations(x), strict=True)
    pairs += zip(exact.activations(point), f.activations(x), strict=True)
    for rational, double in pairs:
        assert np.all(rational == rationals(double))
    for rational, double in zip(exact.activation_pattern(point), f.activation_pattern(x), strict=True):
        assert np.array_equal(rational, double)
    assert np.array_equal(floats(exact.distance_to_kink(point)), f.distance_to_kink(x))
    assert np.array_equal(exact.is_balanced(), f.is_balanced())
    assert np.all(f(x)[1] == by_hand(f, x[1]))


@quick
@given(networks())
def test_jacobian_is_the_difference_quotient(drawn):
    f, rng = drawn
    f, x = f.as_exact(), rationals(entries(rng, f.widths[0]))
    assume((compare(f.distance_to_kink(x), 0) == 1).all())
    steps = x + STEP * rationals(np.eye(f.widths[0]))
    quotients = (f(steps) - f(x)) / STEP
    assert np.all(f.jacobian(x) == quotients.T)
    for layer in range(1, f.depth + 1):
        there = (f.preactivations(steps)[layer - 1] - f.preactivations(x)[layer - 1]) / STEP
        assert np.all(f.jacobian_to_layer(layer, x) == there.T)


@quick
@given(networks())
def test_jacobians_of_layers_multiply_to_the_jacobian(drawn):
    f, rng = drawn
    x = entries(rng, 3, f.widths[0])
    for layer in range(1, f.depth + 1):
        assert np.array_equal(f.jacobian_from_layer(layer, x) @ f.jacobian_to_layer(layer, x), f.jacobian(x))


@quick
@given(networks())
def test_jacobian_from_layer_is_the_derivative_by_the_bias(drawn):
    f, rng = drawn
    f, x = f.as_exact(), rationals(entries(rng, f.widths[0]))
    assume((compare(f.distance_to_kink(x), 0) == 1).all())
    for layer in range(1, f.depth + 1):
        for k in range(f.widths[layer]):
            biases = [bias.copy() for bias in f.biases]
            biases[layer - 1][k] += STEP
            moved = FullyConnected(f.weights, biases, f.activation)
            assert np.all(f.jacobian_from_layer(layer, x)[:, k] == (moved(x) - f(x)) / STEP)


@quick
@given(networks(batch=(2, 3)), st.booleans())
def test_a_batch_is_a_loop(drawn, exact):
    f, rng = drawn
    f = FullyConnected(f.weights, f.biases, leaky_relu(entries(rng, 3)))
    x = entries(rng, 5, 1, 3, f.widths[0])
    if exact:
        f, x = f.as_exact(), rationals(x)
    methods = [f.__call__, f.jacobian, f.distance_to_kink]
    values = [method(x) for method in methods]
    layers = (
        f.preactivations(x),
        [f.jacobian_to_layer(k, x) for k in (1, f.depth)],
        [f.jacobian_from_layer(k, x) for k in (1, f.depth)],
    )
    for i, j in np.ndindex(2, 3):
        one, point = f[i, j], x[:, 0, j]
        assert one.batch_shape == ()
        for batched, single in zip(values, (one(point), one.jacobian(point), one.distance_to_kink(point)), strict=True):
            assert np.all(batched[:, i, j] == single)
        singles = (
            one.preactivations(point),
            [one.jacobian_to_layer(k, point) for k in (1, f.depth)],
            [one.jacobian_from_layer(k, point) for k in (1, f.depth)],
        )
        for batched, single in zip(layers, singles, strict=True):
            assert all(np.all(b[:, i, j] == s) for b, s in zip(batched, single, strict=True))
        assert f.parameter_norm_squared[i, j] == one.parameter_norm_squared
        assert f.is_balanced()[i, j] == one.is_balanced()


def test_batch_axes_of_layers_and_slopes_broadcast():
    rng = np.random.default_rng(0)
    f = FullyConnected([entries(rng, 3, 2), entries(rng, 4, 1, 1, 3)], [entries(rng, 3), entries(rng, 5, 1)])
    assert f.batch_shape == (4, 5)
    assert f.weights[0].shape == (4, 5, 3, 2)
    assert f(entries(rng, 2)).shape == (4, 5, 1)
    assert f.jacobian_to_layer(1, entries(rng, 7, 1, 1, 2)).shape == (7, 4, 5, 3, 2)
    one_layer = FullyConnected([entries(rng, 3, 2)], activation=leaky_relu(np.zeros(6)))
    assert one_layer(entries(rng, 2)).shape == (6, 3)
    assert one_layer.jacobian(entries(rng, 2)).shape == (6, 3, 2)
    assert one_layer.distance_to_kink(entries(rng, 2)).tolist() == [np.inf] * 6


def test_indexing_keeps_to_the_batch_axes():
    rng = np.random.default_rng(1)
    f = network(rng, (2, 3, 1), (4,))
    assert [one.batch_shape for one in f] == [()] * 4
    assert f[1:3].batch_shape == (2,)
    assert f[np.array([True, False, False, True])].batch_shape == (2,)
    assert np.array_equal(f[..., 2].weights[0], f.weights[0][2])
    with pytest.raises(IndexError):
        f[0, 0]
    with pytest.raises(TypeError, match=r"the batch shape of this network is \(\): it cannot be indexed"):
        f[0][0]


@quick
@given(networks())
def test_norms_are_sums_of_squares(drawn):
    f, _ = drawn
    weights = sum(entry**2 for weight in f.weights for entry in weight.flat)
    biases = sum(entry**2 for bias in f.biases for entry in bias.flat)
    assert f.weight_norm_squared == weights
    assert f.parameter_norm_squared == weights + biases
    assert f.as_exact().parameter_norm_squared == fmpq(int((weights + biases) * 256), 256)


def test_distance_to_kink_without_hidden_neurons_is_infinite():
    f = FullyConnected([np.ones((2, 3))])
    assert f.distance_to_kink(np.zeros((4, 3))).tolist() == [np.inf] * 4
    exact = f.as_exact().distance_to_kink(rationals(np.zeros((4, 3))))
    assert exact.shape == (4,)
    assert (compare(exact, fmpq(10**9)) == 1).all()


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("widths", [(3, 2, 0, 2), (3, 0, 2), (1, 0, 2, 2)])
def test_a_layer_of_no_neurons_gives_a_constant(widths, exact):
    f = network(np.random.default_rng(9), widths)
    x = np.ones((5, widths[0]))
    if exact:
        f, x = f.as_exact(), rationals(x)
        assert all(isinstance(entry, fmpq) for entry in [*f.jacobian(x).flat, f.parameter_norm_squared])
    assert np.all(f(x) == f(0 * x))
    assert np.all(f.jacobian(x) == 0)
    assert floats(f.distance_to_kink(x)).shape == (5,)
    for layer in range(1, f.depth + 1):
        product = f.jacobian_from_layer(layer, x) @ f.jacobian_to_layer(layer, x)
        assert product.shape == (5, widths[-1], widths[0])


def test_results_are_arrays_of_their_own():
    f = FullyConnected([np.ones((2, 3))])
    for result in (f.jacobian(np.ones((5, 3))), f.jacobian_from_layer(1, np.ones((5, 3))), f.distance_to_kink(np.ones((5, 3)))):
        result[0] = 7
        assert not (result[1] == 7).any()


def test_balancedness_of_floats_allows_for_rounding_only():
    third = FullyConnected([np.array([[1 / 3], [0.1]]), np.array([[1 / 3 * (1 + 1e-15), 0.1]])], None, identity())
    assert third.is_balanced()
    assert not FullyConnected([np.array([[1 / 3]]), np.array([[1 / 3 + 1e-12]])]).is_balanced()
    assert not third.as_exact().is_balanced()
    root = np.array([[arb(2).sqrt()]], dtype=object)
    with pytest.raises(UndecidedInstances, match="balancedness is not decided at the working precision"):
        FullyConnected([root, root]).is_balanced()


def test_the_sign_of_a_ball_is_decided_or_refused():
    root = np.array([[arb(2).sqrt()]], dtype=object)
    f = FullyConnected([root, root])
    assert f.activation_pattern(rationals([1]))[0].tolist() == [True]
    with pytest.raises(UndecidedInstances, match="the sign of a pre-activation is not decided at the working precision"):
        f.activation_pattern(np.array([arb(0, 1)], dtype=object))
    jacobian = f.jacobian(np.array([arb(0, 1)], dtype=object))[0, 0]
    assert jacobian.contains(arb(0))
    assert jacobian.contains(arb(2))


def test_a_network_is_frozen():
    weight, bias = np.ones((2, 2)), np.zeros(2)
    f = FullyConnected([weight], [bias])
    weight[:] = bias[:] = 9
    assert f(np.ones(2)).tolist() == [2, 2]
    with pytest.raises(ValueError, match="read-only"):
        f.weights[0][0, 0] = 1
    with pytest.raises(AttributeError):
        f.weights = ()


@pytest.mark.parametrize("exact", [False, True])
def test_pickled_networks_are_the_same_and_still_frozen(exact):
    f = network(np.random.default_rng(2), (2, 3, 1), (2,), leaky_relu(0.25))
    f = f.as_exact() if exact else f
    restored = pickle.loads(pickle.dumps(f))
    assert all(np.all(a == b) for a, b in zip(f.weights + f.biases, restored.weights + restored.biases, strict=True))
    assert not restored.weights[0].flags.writeable
    assert repr(restored) == repr(f)


def test_repr_names_widths_batch_and_arithmetic():
    f = network(np.random.default_rng(2), (2, 3, 1), (2,), leaky_relu(0.25))
    assert repr(f) == ("FullyConnected(2-3-1, batch_shape=(2,), float64, HomogeneousActivation(positive=1, negative=0.25))")
    assert "exact" in repr(f.as_exact())


@pytest.mark.parametrize("activation", SLOPES)
def test_conversions_return(activation):
    f = network(np.random.default_rng(3), (2, 3, 2), activation=activation)
    back = f.as_exact().as_float()
    x = entries(np.random.default_rng(4), 5, 2)
    assert np.array_equal(back(x), f(x))
    assert f.as_float() is f
    assert f.as_exact().as_exact().is_exact
    assert back.as_exact().is_exact


ONE = frozen(np.ones((1, 1)))


@pytest.mark.parametrize(
    ("weights", "biases", "activation", "message"),
    [
        ([], None, None, "depth must be at least 1, got no weights: a network has an output layer"),
        ([np.ones((4, 2)), np.ones((1, 3))], None, None, r"weights\[1\] takes 3 inputs but weights\[0\] gives 4 outputs"),
        ([np.ones(3)], None, None, r"weights\[0\] must have shape \(\*batch, outputs, inputs\), got \(3,\)"),
        ([np.array([[np.nan]])], None, None, r"weights\[0\] must be finite, got .*(NaN|nan)"),
        ([ONE], [np.array([np.inf])], None, r"biases\[0\] must be finite, got .*(NaN|nan)"),
        ([ONE, ONE], [np.ones(1)], None, "biases must be one for each of 2 weights, got 1"),
        ([ONE], [np.float64(1)], None, r"biases\[0\] must have shape \(\*batch, outputs\), got \(\)"),
        ([ONE], [np.ones(2)], None, r"biases\[0\] has 2 entries but weights\[0\] gives 1 outputs"),
        ([ONE, rationals(ONE)], None, None, r"weights\[1\] is exact but weights\[0\] is float: convert with"),
        ([rationals(ONE)], [np.ones(1)], None, r"biases\[0\] is float but weights\[0\] is exact: convert with"),
        ([np.array([["a"]])], None, None, r"weights\[0\] must hold real numbers .*got dtype <U1"),
        (
            [np.array([[1.5]], dtype=object)],
            None,
            None,
            r"weights\[0\] must hold floats or exact numbers, got the float 1.5 in an array of objects",
        ),
        (
            [rationals(ONE)],
            None,
            leaky_relu(0.5),
            "the slopes of the activation are float but the weights are exact: .*as_exact",
        ),
        ([np.ones((2, 1, 1)), np.ones((3, 1, 1))], None, None, r"batch axes must broadcast, got \[\(\), .*\(2,\), \(3,\)\]"),
    ],
)
def test_parameters_are_validated(weights, biases, activation, message):
    with pytest.raises(ValueError, match=message):
        FullyConnected(weights, biases, activation)


def test_activations_are_homogeneous():
    with pytest.raises(TypeError, match=r"activation must be a HomogeneousActivation .*, got <ufunc 'tanh'>"):
        FullyConnected([ONE], activation=np.tanh)


def test_inputs_are_validated():
    f = FullyConnected([np.ones((2, 3))], activation=relu())
    with pytest.raises(ValueError, match=r"x must have shape \(..., 3\), got \(2,\): the network has 3 inputs"):
        f(np.ones(2))
    with pytest.raises(ValueError, match=r"x must have shape \(..., 3\), got \(5, 4\)"):
        f.jacobian(np.ones((5, 4)))
    with pytest.raises(ValueError, match="the network is float but x is exact"):
        f(rationals(np.ones(3)))
    with pytest.raises(ValueError, match="the network is exact but x is float"):
        f.as_exact().distance_to_kink(np.ones(3))
    for method in (f.jacobian_to_layer, f.jacobian_from_layer):
        with pytest.raises(ValueError, match="layer must be between 1 and 1, got 2"):
            method(2, np.ones(3))
