"""The fast paths of the engine against the plain formula, at sizes where they are taken."""

import itertools

import numpy as np
import pytest
from dyadic import entries, network
from flint import fmpq

from verify.networks import FullyConnected, absolute_value, identity, leaky_relu, relu
from verify.networks import _jacobians as jacobians
from verify.networks import _passes as passes
from verify.networks.ntk import ntk, ntk_gram, ntk_matvec, ntk_trace_gram
from verify.networks.training import loss_and_gradient
from verify.numbers.arithmetic import rationals


def plain(f, x):
    """Value and Jacobian of one network at one point, layer by layer."""
    jacobian = f.weights[0]
    values = f.weights[0] @ x + f.biases[0]
    for weight, bias in zip(f.weights[1:], f.biases[1:], strict=True):
        jacobian = weight @ (f.activation.derivative(values)[:, None] * jacobian)
        values = weight @ f.activation(values) + bias
    return values, jacobian


def random_network(rng, widths, activation=None, batch=()):
    weights = [rng.standard_normal((*batch, b, a)) * (2 / a) ** 0.5 for a, b in itertools.pairwise(widths)]
    return FullyConnected(weights, [rng.standard_normal((*batch, b)) / 4 for b in widths[1:]], activation)


@pytest.fixture
def counted(monkeypatch):
    """How often rows were gathered."""
    calls = []
    gathered = jacobians._gathered
    monkeypatch.setattr(jacobians, "_gathered", lambda *arguments: calls.append(1) or gathered(*arguments))
    return calls


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("widths", "points"),
    [
        ((50, 90, 80, 60, 45), 3),  # few outputs, point by point
        ((45, 90, 80, 60, 50), 3),  # few inputs
        ((20, 400, 300, 250, 18), 40),  # groups of points, the last one smaller
        ((18, 400, 300, 250, 20), 1),
        ((60, 90, 61), 2),  # one hidden layer
    ],
)
def test_gathered_jacobians(widths, points, dtype, counted):
    rng = np.random.default_rng(1)
    f = random_network(rng, widths)
    f = f.with_parameters([array.astype(dtype) for array in f.parameters])
    x = rng.standard_normal((points, widths[0])).astype(dtype)
    found = f.jacobian(x)
    assert counted
    assert found.dtype == dtype
    for k in range(points):
        expected = plain(f, x[k])[1]
        rounding = 2**8 * np.finfo(dtype).eps * np.abs(expected).max()
        assert np.abs(found[k] - expected).max() <= rounding


def test_gathering_copes_with_points_where_nothing_is_active(counted):
    rng = np.random.default_rng(2)
    f = random_network(rng, (50, 90, 90, 50))
    biases = [f.biases[0], f.biases[1] - 100, f.biases[2]]
    f = FullyConnected(f.weights, biases)
    assert not f.jacobian(rng.standard_normal((3, 50))).any()
    assert counted


@pytest.mark.parametrize("activation", [leaky_relu(0.3), leaky_relu(-0.5), identity(), absolute_value()], ids=str)
def test_other_slopes_are_not_gathered(activation, counted):
    rng = np.random.default_rng(1)
    f = random_network(rng, (50, 90, 80, 45), activation)
    x = rng.standard_normal((4, 50))
    for found, point in zip(f.jacobian(x), x, strict=True):
        np.testing.assert_allclose(found, plain(f, point)[1], rtol=0, atol=1e-12)
    assert not counted
    mostly_active = FullyConnected(f.weights, [np.full(bias.shape, 50.0) for bias in f.biases])
    mostly_active.jacobian(x)
    assert not counted


def test_products_cut_into_pieces(monkeypatch):
    rng = np.random.default_rng(3)
    f, x = network(rng, (3, 4, 5, 2)), entries(rng, 7, 3)
    whole = f.jacobian(x), f.jacobian_from_layer(1, x), f.jacobian_to_layer(2, x)
    monkeypatch.setattr(jacobians, "ENTRIES_AT_A_TIME", 20)
    for one, other in zip((f.jacobian(x), f.jacobian_from_layer(1, x), f.jacobian_to_layer(2, x)), whole, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("activation", [relu(), leaky_relu(0.25), "one for each"], ids=str)
@pytest.mark.parametrize("points", [1, 3])
def test_many_tiny_networks_are_the_networks_one_by_one(activation, points, monkeypatch):
    rng = np.random.default_rng(4)
    count = passes.MANY_NETWORKS
    activation = leaky_relu(entries(rng, count)) if activation == "one for each" else activation
    f = network(rng, (3, 4, 2, 3), (count,), activation)
    x, y = entries(rng, points, count, 3), entries(rng, count, 2**points // 2, 3)
    assert f._points(x).layers.batch_last
    found = [f(x), f.jacobian(x), *f.activations(x)[1:], *f.preactivations(x), f.distance_to_kink(x)]
    samples = np.stack([np.moveaxis(x, 0, -2), -np.moveaxis(x, 0, -2)])  # two for each network
    vector = entries(rng, 2, count, 3 * points)
    kernels = ntk_trace_gram(f, samples), ntk_gram(f, samples[0], samples), ntk_matvec(f, samples, vector), ntk(f, x)
    objective = loss_and_gradient(f, y, y)
    monkeypatch.setattr(passes, "MANY_NETWORKS", count + 1)
    assert not f._points(x).layers.batch_last
    other = [f(x), f.jacobian(x), *f.activations(x)[1:], *f.preactivations(x), f.distance_to_kink(x)]
    for one, two in zip(found, other, strict=True):
        assert np.array_equal(one, two)
    other = ntk_trace_gram(f, samples), ntk_gram(f, samples[0], samples), ntk_matvec(f, samples, vector), ntk(f, x)
    for one, two in zip(kernels, other, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-13, atol=1e-13 * np.abs(two).max())
    value, gradient = loss_and_gradient(f, y, y)
    for one, two in zip((objective[0], *objective[1]), (value, *gradient), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-13)  # squares of the values have more bits than float64


def test_batch_axes_of_points_that_the_network_does_not_have(monkeypatch):
    rng = np.random.default_rng(5)
    f = network(rng, (2, 3, 2), (1, 4))
    x = entries(rng, 5, 80, 1, 2)
    found = f(x), f.jacobian(x)
    assert found[0].shape == (5, 80, 4, 2)
    for k, i, j in [(0, 0, 0), (4, 79, 3)]:
        assert np.array_equal(found[0][k, i, j], f[0, j](x[k, i, 0]))
        assert np.array_equal(found[1][k, i, j], f[0, j].jacobian(x[k, i, 0]))
    monkeypatch.setattr(passes, "MANY_NETWORKS", 1000)
    assert np.array_equal(f(x), found[0])


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("shape", [(0, 3), (2, 0, 3)])
def test_no_points_give_no_values(shape, exact):
    f = network(np.random.default_rng(1), (3, 4, 2))
    x = np.ones(shape)
    if exact:
        f, x = f.as_exact(), rationals(x)
    assert f(x).shape == (*shape[:-1], 2)
    assert f.jacobian(x).shape == (*shape[:-1], 2, 3)


def test_float32_is_kept_and_mixed_precisions_are_float64():
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((4, 3)).astype(np.float32), rng.standard_normal((2, 4)).astype(np.float32)]
    f, x = FullyConnected(weights, activation=leaky_relu(0.1)), rng.standard_normal((5, 3)).astype(np.float32)
    assert repr(f) == "FullyConnected(3-4-2, batch_shape=(), float32, HomogeneousActivation(positive=1, negative=0.1))"
    for array in (f(x), f.jacobian(x), *f.activations(x), *f.biases, f.parameter_norm_squared, f.distance_to_kink(x)):
        assert array.dtype == np.float32
    precise = FullyConnected([weight.astype(np.float64) for weight in weights], activation=leaky_relu(0.1))
    rounding = 2**6 * np.finfo(np.float32).eps
    np.testing.assert_allclose(f.jacobian(x), precise.jacobian(x), rtol=0, atol=rounding * np.abs(f.jacobian(x)).max())
    assert f(x.astype(np.float64)).dtype == np.float64
    mixed = FullyConnected([weights[0], weights[1].astype(np.float64)])
    assert {array.dtype for array in (*mixed.weights, *mixed.biases)} == {np.dtype(np.float64)}
    assert not mixed.weights[0].flags.writeable
    assert FullyConnected([weights[0].astype(np.float16)]).weights[0].dtype == np.float64
    balanced = f.with_parameters([np.abs(array) + np.float32(0.5) for array in f.parameters]).balance()
    assert balanced.weights[0].dtype == np.float32
    assert balanced.is_balanced()
    assert f.as_exact().weights[0][0, 0] == fmpq(*float(weights[0][0, 0]).as_integer_ratio())


def test_parameters_return_to_the_network():
    f = network(np.random.default_rng(0), (2, 3, 1), (2,), leaky_relu(0.25))
    again = f.with_parameters(f.parameters)
    assert all(np.array_equal(one, other) for one, other in zip(again.parameters, (*f.weights, *f.biases), strict=True))
    assert again.activation is f.activation
    with pytest.raises(ValueError, match="parameters must be 2 weights and as many biases, got 3 arrays"):
        f.with_parameters(f.parameters[:3])
