"""Gradients and training of leaky ResNets and circular convolutional networks."""

import itertools

import numpy as np
import pytest
from dyadic import entries, quick
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from verify.networks import leaky_relu, relu
from verify.networks.circular import CircularCNN
from verify.networks.leaky_resnet import LeakyResNet
from verify.networks.training import Adam, CrossEntropy, MeanSquaredError, WarmUp, finish, loss_and_gradient, train
from verify.numbers.arithmetic import rationals

STEP = fmpq(1, 2**200)


def resnet(rng, width, depth, batch=(), bias=True, steps=None):
    weights = [entries(rng, *batch, width, width + bias) for _ in range(depth)]
    return LeakyResNet(weights, entries(rng, *batch) ** 2, steps)


def cnn(rng, channels, image, batch=(), activation=None):
    kernels = [entries(rng, *batch, b, a, *image) for a, b in itertools.pairwise(channels)]
    return CircularCNN(kernels, [entries(rng, *batch, b) for b in channels[1:]], activation, axes=len(image))


def moved(f, direction, step):
    return f.with_parameters([array + step * part for array, part in zip(f.parameters, direction, strict=True)])


def inner(left, right):
    return sum((one * other).sum() for one, other in zip(left, right, strict=True))


def assert_exact_derivative(f, x, y, loss, rng):
    ridge = fmpq(1, 8)
    value, gradient = loss_and_gradient(f, x, y, loss, ridge=ridge)
    direction = [rationals(entries(rng, *array.shape)) for array in f.parameters]
    after, _ = loss_and_gradient(moved(f, direction, STEP), x, y, loss, ridge=ridge)
    # the objective is a polynomial near the network, with coefficients of moderate size
    assert abs((after[()] - value[()]) / STEP - inner(gradient, direction)) < fmpq(1, 2**150)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 3), st.booleans(), st.booleans())
def test_gradient_of_a_leaky_resnet_is_the_exact_derivative(seed, width, depth, bias, equidistant):
    rng = np.random.default_rng(seed)
    steps = None if equidistant else rng.integers(1, 5, depth) / 8
    f, x = resnet(rng, width, depth, (), bias, steps).as_exact(), rationals(entries(rng, width, 3))
    rows = int(rng.integers(1, width + 1))
    y = rationals(entries(rng, rows, 3))
    values = f.activations(x)
    assume(all(entry != 0 for layer in values[:-1] for entry in layer.flat))
    value, _ = loss_and_gradient(f, x, y, ridge=fmpq(1, 8))
    data = ((values[-1][:rows] - y) ** 2).sum() / 3
    assert value[()] == data + f.parameter_norm_squared[()] / 8
    assert_exact_derivative(f, x, y, MeanSquaredError(), rng)


@quick
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(1, 2), min_size=2, max_size=3),
    st.sampled_from([(1,), (3,), (2, 2), (1, 3), (2, 1, 2)]),
    st.sampled_from([relu(), leaky_relu(0.25)]),
)
def test_gradient_of_a_convolutional_network_is_the_exact_derivative(seed, channels, image, activation):
    rng = np.random.default_rng(seed)
    f = cnn(rng, channels, image, activation=activation).as_exact()
    x, y = rationals(entries(rng, 2, channels[0], *image)), rationals(entries(rng, 2, channels[-1], *image))
    dense = f.as_fully_connected()
    assume(all(entry != 0 for layer in dense.preactivations(x.reshape(2, -1))[:-1] for entry in layer.flat))
    value, _ = loss_and_gradient(f, x, y, ridge=fmpq(1, 8))
    assert value[()] == ((f(x) - y) ** 2).sum() / 2 + f.parameter_norm_squared / 8
    assert_exact_derivative(f, x, y, MeanSquaredError(), rng)


@pytest.mark.parametrize("image", [(1,), (4,), (5,), (2, 3), (4, 4), (2, 3, 2)], ids=str)
@pytest.mark.parametrize("batch", [(), (2,)], ids=str)
def test_convolutions_by_frequency_agree_with_rationals(image, batch):
    rng = np.random.default_rng(1)
    f = cnn(rng, (2, 3, 2), image, batch, leaky_relu(0.25))
    x, y = entries(rng, *batch, 4, 2, *image), entries(rng, *batch[1:], 4, 2, *image)
    value, gradient = loss_and_gradient(f, x, y, ridge=0.125)
    exact = [loss_and_gradient(one.as_exact(), rationals(a), rationals(y), ridge=fmpq(1, 8)) for one, a in pairs(f, x, batch)]
    for k, (exact_value, exact_gradient) in enumerate(exact):
        found = (value[k], *(array[k] for array in gradient)) if batch else (value, *gradient)
        for one, other in zip(found, (exact_value, *exact_gradient), strict=True):
            expected = np.vectorize(lambda entry: float(entry.p) / float(entry.q), otypes=[float])(other)
            np.testing.assert_allclose(one, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def pairs(f, x, batch):
    return [(f[k], x[k]) for k in range(batch[0])] if batch else [(f, x)]


@pytest.mark.parametrize("loss", [MeanSquaredError(per_output=True), CrossEntropy()], ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_on_array_libraries(library, loss, dtype):
    rng = np.random.default_rng(1)
    rounding = 2**8 * np.finfo(dtype).eps
    for f, x, y in (
        (resnet(rng, 3, 4, (2,)), entries(rng, 3, 5), np.eye(3)[:, [0, 1, 2, 0, 1]]),
        (cnn(rng, (2, 3, 1), (4,), (2,)), entries(rng, 5, 2, 4), np.eye(4)[:, None][[0, 1, 2, 3, 0]]),
    ):
        host = f.with_parameters([array.astype(dtype) for array in f.parameters])
        if isinstance(f, LeakyResNet):
            there = LeakyResNet(
                *([library.asarray(array) for array in host.weights], library.asarray(f.leak), library.asarray(f.steps))
            )
        else:
            there = host.with_parameters([library.asarray(array) for array in host.parameters])
        data = [array.astype(dtype) for array in (x, y)]
        value, gradient = loss_and_gradient(host, *data, loss, ridge=0.125)
        found_value, found = loss_and_gradient(there, *map(library.asarray, data), loss, ridge=0.125)
        for one, other in zip((found_value, *found), (value, *gradient), strict=True):
            assert library.on_host(one).dtype == other.dtype == dtype
            np.testing.assert_allclose(library.on_host(one), other, rtol=rounding, atol=rounding * np.abs(other).max())


def test_networks_of_a_batch_are_apart():
    rng = np.random.default_rng(2)
    f = resnet(rng, 3, 4, (3,))
    x, y = entries(rng, 3, 3, 5), entries(rng, 2, 5)
    value, gradient = loss_and_gradient(f, x, y, ridge=0.125)
    for k in range(3):
        one_value, one = loss_and_gradient(f[k], x[k], y, ridge=0.125)
        np.testing.assert_allclose(value[k], one_value, rtol=1e-13)
        for a, b in zip(gradient, one, strict=True):
            np.testing.assert_allclose(a[k], b, rtol=1e-12, atol=1e-12)


def test_training_lowers_the_objective_and_keeps_the_class():
    rng = np.random.default_rng(0)
    start = LeakyResNet([rng.standard_normal((6, 7)) for _ in range(8)], 2)
    x = np.concatenate([rng.standard_normal((3, 40)), np.zeros((3, 40))])
    y = np.maximum(rng.standard_normal((2, 3)) @ x[:3], 0)
    found = train(start, x, y, steps=300, optimiser=Adam(0.05), ridge=WarmUp(0.001, 50, start=20))
    assert isinstance(found.network, LeakyResNet)
    assert np.array_equal(found.network.leak, start.leak)
    assert found.history[-1] < 0.1 * found.history[0]
    images = rng.standard_normal((30, 1, 6))
    start = CircularCNN([rng.standard_normal((4, 1, 6)) / 3, rng.standard_normal((1, 4, 6)) / 3], axes=1)
    wanted = np.maximum(np.roll(images, 1, axis=-1) - images, 0)
    trained = train(start, images, wanted, steps=200, optimiser=Adam(0.02), ridge=0.001)
    finished = finish(trained.network, images, wanted, ridge=0.001, iterations=50)
    assert isinstance(finished.network, CircularCNN)
    assert finished.history[-1] <= trained.history[-1] < 0.2 * trained.history[0]


NET = resnet(np.random.default_rng(0), 3, 2)
IMAGES = cnn(np.random.default_rng(0), (2, 1), (4,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((NET, np.ones((2, 5)), np.ones((3, 5))), "x must have 3 rows"),
        ((NET, np.ones((3, 5)), np.ones((4, 5))), r"targets must have shape \(..., 3, 5\), one value for each point of x"),
        ((NET, np.ones((3, 5)), np.ones((2, 4))), r"targets must have shape \(..., 2, 5\), one value for each point of x"),
        ((NET, rationals(np.ones((3, 5))), np.ones((3, 5))), "x is exact"),
        ((NET, np.ones((2, 3, 5)), np.ones((3, 5))), r"the axes of x before its points must broadcast to the batch \(\)"),
        (
            (IMAGES, np.ones((2, 4)), np.ones((1, 4))),
            r"x must have shape \(..., N, 2, 4\), points, channels, pixels, got \(2, 4\)",
        ),
        ((IMAGES, np.ones((3, 2, 4)), np.ones((3, 2, 4))), r"targets must have shape \(..., 3, 1, 4\), one value for each"),
        ((IMAGES, np.full((3, 2, 4), np.nan), np.ones((3, 1, 4))), "x must be finite"),
        ((IMAGES, rationals(np.ones((3, 2, 4))), np.ones((3, 1, 4))), "the network is float but x is exact"),
    ],
)
def test_errors_name_the_argument(arguments, message):
    with pytest.raises(ValueError, match=message):
        loss_and_gradient(*arguments)
