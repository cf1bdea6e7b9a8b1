"""Every function of the engine, on every array library: equal to NumPy, in that library's arrays, without moving data."""

import numpy as np
import pytest
from dyadic import entries, network

from verify.networks import (
    FullyConnected,
    absolute_value,
    add,
    compose,
    from_affine_pieces,
    from_matrix,
    leaky_relu,
    relu,
    through_bottleneck,
)
from verify.networks.circular import CircularCNN
from verify.networks.leaky_resnet import LeakyResNet, activation_kernel, adjoint_velocity, hamiltonian, velocity
from verify.networks.ntk import ntk, ntk_gram, ntk_matvec, ntk_mixed_derivative, ntk_operator_norm, ntk_trace, ntk_trace_gram
from verify.networks.training import Adam, CrossEntropy, GradientDescent, MeanSquaredError, WarmUp, loss_and_gradient, train

BATCHES = [(), (3,), (100,)]


def moved(f, library):
    slopes = f.activation.each_slope(library.asarray)
    return FullyConnected([*map(library.asarray, f.weights)], [*map(library.asarray, f.biases)], slopes)


def drawn(batch, activation=None, widths=(3, 4, 2, 3)):
    return network(np.random.default_rng(7), widths, batch, activation)


def assert_same(library, found, expected):
    found = [found] if not isinstance(found, tuple | list) else found
    expected = [expected] if not isinstance(expected, tuple | list) else expected
    for one, other in zip(found, expected, strict=True):
        host = library.on_host(one)
        assert host.dtype == other.dtype
        # sums of at most some dozens of terms, in another order
        rounding = 2**8 * np.finfo(host.dtype).eps if host.dtype.kind == "f" else 0
        np.testing.assert_allclose(host, other, rtol=rounding, atol=rounding * np.abs(other).max(initial=0))


FUNCTIONS = {
    "value": lambda f, x: f(x),
    "preactivations": lambda f, x: f.preactivations(x),
    "activations": lambda f, x: f.activations(x),
    "activation_pattern": lambda f, x: f.activation_pattern(x),
    "distance_to_kink": lambda f, x: f.distance_to_kink(x),
    "jacobian": lambda f, x: f.jacobian(x),
    "jacobian_to_layer": lambda f, x: [f.jacobian_to_layer(layer, x) for layer in (1, 2, 3)],
    "jacobian_from_layer": lambda f, x: [f.jacobian_from_layer(layer, x) for layer in (1, 2, 3)],
    "norms": lambda f, _: [f.weight_norm_squared, f.parameter_norm_squared, f.is_balanced()],
    "ntk": lambda f, x: ntk(f, x),
    "ntk_trace": lambda f, x: ntk_trace(f, x),
    "ntk_mixed_derivative": lambda f, x: ntk_mixed_derivative(f, x),
}
OF_SAMPLES = {
    "ntk_gram": lambda f, x: ntk_gram(f, x),
    "ntk_trace_gram": lambda f, x: ntk_trace_gram(f, x, biases=False),
    "ntk_trace_gram of two": lambda f, x: ntk_trace_gram(f, x, x[..., :2, :]),
    "ntk_operator_norm": lambda f, x: ntk_operator_norm(f, x),
}
ACTIVATIONS = {"relu": relu(), "leaky": leaky_relu(0.25), "absolute": absolute_value()}


@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("activation", ACTIVATIONS.values(), ids=ACTIVATIONS)
def test_networks(library, batch, activation):
    f = drawn(batch, activation)
    x = entries(np.random.default_rng(8), 5, *batch, 3)
    for name, function in FUNCTIONS.items():
        assert_same(library, function(moved(f, library), library.asarray(x)), function(f, x)), name


@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_kernels_of_samples(library, batch):
    f = drawn(batch)
    x = entries(np.random.default_rng(8), *batch, 5, 3)
    for name, function in OF_SAMPLES.items():
        assert_same(library, function(moved(f, library), library.asarray(x)), function(f, x)), name
    vector = entries(np.random.default_rng(9), *batch, 15)
    assert_same(library, ntk_matvec(moved(f, library), *map(library.asarray, (x, vector))), ntk_matvec(f, x, vector))


@pytest.mark.parametrize("batch", BATCHES, ids=str)
def test_slopes_of_a_batch(library, batch):
    f = drawn(batch, leaky_relu(entries(np.random.default_rng(5), *batch)))
    x = entries(np.random.default_rng(8), 5, *batch, 3)
    assert_same(library, moved(f, library).jacobian(library.asarray(x)), f.jacobian(x))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("batch", BATCHES, ids=str)
@pytest.mark.parametrize("loss", [MeanSquaredError(), MeanSquaredError(per_output=True), CrossEntropy()], ids=str)
def test_training(library, batch, dtype, loss):
    f = drawn(batch)
    f = FullyConnected([(weight / 2).astype(dtype) for weight in f.weights], activation=f.activation)
    x = entries(np.random.default_rng(8), *batch, 6, 3).astype(dtype)
    y = np.broadcast_to(np.eye(3)[[0, 1, 2, 2, 1, 0]], (*batch, 6, 3)).astype(dtype)
    here = (moved(f, library), library.asarray(x), library.asarray(y))
    value, gradient = loss_and_gradient(*here, loss, ridge=0.125)
    expected_value, expected = loss_and_gradient(f, x, y, loss, ridge=0.125)
    assert_same(library, [value, *gradient], [expected_value, *expected])
    for optimiser in (GradientDescent(0.0625), Adam(0.01)):
        options = {"steps": 4, "optimiser": optimiser, "loss": loss, "ridge": WarmUp(0.01, 3)}
        found, known = train(*here, **options), train(f, x, y, **options)
        assert library.on_host(found.history).shape == (5, *batch)
        # Adam divides by the root of the squared gradient: its steps are as uncertain as the gradient is, relatively
        tolerance = {"rtol": 2**12 * np.finfo(dtype).eps, "atol": 2**12 * np.finfo(dtype).eps}
        for one, other in zip((found.history, *found.network.weights), (known.history, *known.network.weights), strict=True):
            assert library.on_host(one).dtype == dtype
            np.testing.assert_allclose(library.on_host(one), other, **tolerance)


def test_changes_and_combinations(library):
    f, g = drawn((2,)), drawn((2,), widths=(3, 2, 3))
    there, other = moved(f, library), moved(g, library)
    shift = entries(np.random.default_rng(3), 2, 4)
    factors = [np.abs(entries(np.random.default_rng(4), 2, width)) + 0.5 for width in f.widths[1:-1]]
    pairs = [
        (there.balance(), f.balance()),
        (there.rescale_neurons([*map(library.asarray, factors)]), f.rescale_neurons(factors)),
        (there.insert_identity_layers(1, 2, library.asarray(shift)), f.insert_identity_layers(1, 2, shift)),
        (there.pad_to_depth(5), f.pad_to_depth(5)),
        (there.prune(), f.prune()),
        (there.embed((3, 5, 4, 3)), f.embed((3, 5, 4, 3))),
        (there[1], f[1]),
        (compose(there, other, merge=True), compose(f, g, merge=True)),
        (compose(there, other, merge=False), compose(f, g, merge=False)),
        (add(there, other.pad_to_depth(3)), add(f, g.pad_to_depth(3))),
        (through_bottleneck(other, there, 7), through_bottleneck(g, f, 7)),
    ]
    matrices = np.random.default_rng(5).standard_normal((2, 3, 4))
    offsets = np.random.default_rng(6).standard_normal((2, 3))
    pairs += [
        (from_affine_pieces(*map(library.asarray, (matrices, offsets)), "max"), from_affine_pieces(matrices, offsets, "max")),
    ]
    for found, expected in pairs:
        assert_same(library, found.parameters, expected.parameters)
    # its factors are singular vectors, whose signs are those of the library
    x = entries(np.random.default_rng(7), 5, 2, 4)
    assert_same(library, [from_matrix(library.asarray(matrices), 3)(library.asarray(x))], [from_matrix(matrices, 3)(x)])


def test_leaky_resnets_and_circular_convolutions(library):
    rng = np.random.default_rng(2)
    resnet = LeakyResNet([entries(rng, 2, 3, 4) for _ in range(4)], entries(rng, 2) ** 2)
    cnn = CircularCNN([entries(rng, 3, 2, 4), entries(rng, 1, 3, 4)], axes=1)
    there = LeakyResNet([*map(library.asarray, resnet.weights)], *map(library.asarray, (resnet.leak, resnet.steps)))
    convolving = cnn.with_parameters([*map(library.asarray, cnn.parameters)])
    columns, images = rng.standard_normal((2, 3, 5)), rng.standard_normal((4, 2, 4))
    here, pictures = library.asarray(columns), library.asarray(images)
    functions = [
        lambda f, x: f.activations(x),
        lambda f, x: f.adjoints(f.activations(x), x),
        lambda f, x: f.relative_distances(f.activations(x)),
        lambda f, _: [f.parameter_norm_squared, f.weight_norms_squared],
        lambda _, x: [hamiltonian(x, x), velocity(x, x), adjoint_velocity(x, x), activation_kernel(x)],
    ]
    for function in functions:
        assert_same(library, function(there, here), function(resnet, columns))
    assert_same(library, convolving(pictures), cnn(images))
    assert_same(library, convolving.jacobian(pictures), cnn.jacobian(images))
    assert_same(library, convolving.singular_values_by_frequency(1), cnn.singular_values_by_frequency(1))


def test_arrays_are_not_changed(library):
    f, x, y = moved(drawn(()), library), entries(np.random.default_rng(8), 6, 3), entries(np.random.default_rng(9), 6, 3)
    here = [library.asarray(x.copy()), library.asarray(y.copy())]
    before = [library.on_host(array).copy() for array in (*f.weights, *f.biases, *here)]
    train(f, *here, steps=2, optimiser=Adam(0.1))
    for function in (*FUNCTIONS.values(), *OF_SAMPLES.values()):
        function(f, here[0])
    for array, copy in zip((*f.weights, *f.biases, *here), before, strict=True):
        assert np.array_equal(library.on_host(array), copy)


def test_the_stand_in_refuses_what_moves_data(library):
    if library.name != "strict stand-in":
        assert isinstance(np.asarray(library.on_host(library.asarray([1.0]))), np.ndarray)
        return
    array = library.asarray([1.0, 2.0])
    for call in (
        lambda: np.asarray(array),
        lambda: np.maximum(array, 0),
        lambda: np.concatenate([array, array]),
        lambda: array + np.ones(2),
        lambda: np.ones(2) * array,
        lambda: float(array[0]),
        lambda: array.__setitem__(0, np.zeros(1)),
    ):
        with pytest.raises(TypeError):
            call()
