"""Convolutional networks: against dense networks, against shifts, and the networks that are built."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from verify.matrices import RankUndecided
from verify.networks import CircularCNN, FullyConnected, identity, leaky_relu
from verify.networks.circular import (
    balanced_frequency_factors,
    convolution_matrix,
    equivariant_network,
    singular_values_by_frequency,
)
from verify.numbers.arithmetic import FloatOnly, floats, rationals

IMAGES = [(1,), (5,), (3, 3), (2, 3), (2, 2, 2)]


def entries(rng, *shape):
    values = rng.integers(-8, 9, shape) / 8
    values.flags.writeable = False
    return values


def network(image, batch=(), slope=0.25):
    rng = np.random.default_rng(len(image))
    channels = (2, 3, 2, 1)
    kernels = [entries(rng, *batch, after, before, *image) for before, after in pairwise(channels)]
    return CircularCNN(kernels, [entries(rng, *batch, c) for c in channels[1:]], leaky_relu(slope), axes=len(image))


def images(image, *leading):
    return entries(np.random.default_rng(9), *leading, 2, *image)


@pytest.mark.parametrize("image", IMAGES)
def test_the_network_is_the_dense_network_of_its_matrices(image):
    net, x = network(image), images(image, 4)
    dense = net.as_fully_connected()
    assert dense.widths == tuple(c * np.prod(image) for c in net.channels)
    flat = x.reshape(4, -1)
    exact = net.as_exact().preactivations(rationals(x))
    for layer, (values, expected, rational) in enumerate(
        zip(net.preactivations(x), dense.preactivations(flat), exact, strict=True), start=1
    ):
        assert values.shape == (4, net.channels[layer], *image)
        np.testing.assert_allclose(values.reshape(4, -1), expected, atol=1e-12)
        np.testing.assert_allclose(values, floats(rational), atol=1e-12)
    np.testing.assert_array_equal(net(x), net.preactivations(x)[-1])
    np.testing.assert_array_equal(net.jacobian(x), dense.jacobian(flat))


@pytest.mark.parametrize("image", IMAGES)
def test_a_shared_weight_counts_once(image):
    net = network(image)
    expected = sum((one**2).sum() for one in (*net.kernels, *net.biases))
    assert net.parameter_norm_squared == pytest.approx(expected, rel=1e-14)
    assert float(floats(net.as_exact().parameter_norm_squared)) == pytest.approx(expected, rel=1e-14)
    assert net.as_fully_connected().weight_norm_squared == pytest.approx(
        np.prod(image) * sum((one**2).sum() for one in net.kernels), rel=1e-14
    )


@pytest.mark.parametrize("image", IMAGES)
def test_shifts_pass_through(image):
    net, x = network(image), images(image)
    for shift in np.ndindex(image):
        axes = tuple(range(-len(image), 0))
        np.testing.assert_allclose(net(np.roll(x, shift, axes)), np.roll(net(x), shift, axes), atol=1e-12)


@pytest.mark.parametrize("image", [(4,), (2, 3)])
def test_a_batch_is_its_networks_one_by_one(image):
    slopes = np.array([[0.0], [0.5]])
    net, x = network(image, (2, 3), slopes), images(image, 5, 2, 3)
    assert net.batch_shape == (2, 3)
    values = net(x)
    for k in np.ndindex(2, 3):
        one = net[k]
        assert one.batch_shape == ()
        np.testing.assert_allclose(values[(slice(None), *k)], one(x[(slice(None), *k)]), atol=1e-13)
        np.testing.assert_allclose(one.parameter_norm_squared, net.parameter_norm_squared[k], rtol=1e-14)


def test_parameters_go_out_and_come_back():
    net, x = network((3,)), images((3,))
    again = net.with_parameters([2 * one for one in net.parameters]).with_parameters(net.parameters)
    np.testing.assert_array_equal(again(x), net(x))
    copy = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(copy(x), net(x))
    assert not copy.kernels[0].flags.writeable
    np.testing.assert_array_equal(net.as_exact().as_float()(x), net(x))
    assert "2-3-2-1 on 3" in repr(net)
    with pytest.raises(ValueError, match="3 kernels and as many biases, got 3 arrays"):
        net.with_parameters(net.kernels)


def test_singular_values_of_a_layer():
    net = network((3, 3))
    found = net.singular_values_by_frequency(2)
    assert found.shape == (3, 3, 2)
    dense = np.linalg.svd(convolution_matrix(net.kernels[1]), compute_uv=False)
    np.testing.assert_allclose(np.sort(found.ravel()), np.sort(dense), atol=1e-12)
    with pytest.raises(ValueError, match="layer must be between 1 and 3, got 4"):
        net.singular_values_by_frequency(4)


@pytest.mark.parametrize("image", [(4,), (2, 3)])
@pytest.mark.parametrize("convert", [np.asarray, rationals])
def test_the_equivariant_map_of_a_network_has_its_norm_and_its_values_at_all_shifts(image, convert):
    rng, pixels = np.random.default_rng(2), int(np.prod(image))
    widths = (2 * pixels, 3, 4, 2)
    weights = [convert(entries(rng, b, a)) for a, b in pairwise(widths)]
    activation = leaky_relu(fmpq(1, 4)) if convert is rationals else leaky_relu(0.25)
    mlp = FullyConnected(weights, [convert(entries(rng, b)) for b in widths[1:]], activation)
    net, x = equivariant_network(mlp, image), images(image, 3)
    assert net.depth == mlp.depth
    assert net.parameter_norm_squared == mlp.parameter_norm_squared
    values = net(convert(x))
    for place in np.ndindex(image):
        moved = np.roll(x, [-step for step in place], tuple(range(-len(image), 0)))
        expected = mlp(convert(moved.reshape(3, -1)))
        found = values[(..., *place)]
        if convert is rationals:
            assert (found == expected).all()
        else:
            np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
@pytest.mark.parametrize(("channels", "image"), [((1, 1), (4,)), ((2, 3), (3, 3)), ((3, 2), (2, 4))])
def test_balanced_factors_multiply_to_the_kernel_at_the_stated_cost(depth, channels, image):
    kernel = entries(np.random.default_rng(depth), 2, *channels, *image)
    factors = balanced_frequency_factors(kernel, depth, len(image))
    assert factors.depth == depth
    product, *others = factors.as_fully_connected().weights
    for matrix in others:
        product = matrix @ product
    np.testing.assert_allclose(product, convolution_matrix(kernel, len(image)), atol=1e-12)
    if depth > 1:
        values = singular_values_by_frequency(kernel, len(image))
        cost = depth / np.prod(image) * (values ** (2 / depth)).reshape(2, -1).sum(axis=-1)
        np.testing.assert_allclose(factors.parameter_norm_squared, cost, rtol=1e-12)


def test_zero_singular_values_cost_nothing():
    # rank one at frequency 0 only; the root of a rounding error would count 1e-16 ** (2/6) for each of the others
    factors = balanced_frequency_factors(np.ones((2, 2, 4, 4)), 6)
    assert factors.parameter_norm_squared == pytest.approx(6 / 16 * 32 ** (1 / 3), rel=1e-12)
    with pytest.raises(RankUndecided):
        balanced_frequency_factors(np.array([1.0, 1 - 1e-11])[None, None, :], 2, axes=1)


def test_a_linear_network_is_linear():
    net = CircularCNN([np.ones((1, 1, 3)), np.ones((1, 1, 3))], activation=identity(), axes=1)
    x = np.array([[1.0, -2.0, 0.5]])
    np.testing.assert_allclose(net(-x), -net(x))


BAD = {
    "no kernels": (([],), "kernels must not be empty"),
    "few axes": (([np.ones((2, 2))],), r"kernels\[0\] must have the shape \(\.\.\., out, in, n_1, n_2\)"),
    "NaN": (([np.full((1, 1, 2, 2), np.nan)],), r"kernels\[0\] must be finite"),
    "text": (([np.full((1, 1, 2, 2), "a")],), r"kernels\[0\] must hold real numbers"),
    "images": (([np.ones((1, 1, 2, 2)), np.ones((1, 1, 3, 3))],), r"kernels\[1\] acts on images of shape \(3, 3\)"),
    "channels": (([np.ones((3, 1, 2, 2)), np.ones((1, 2, 2, 2))],), r"kernels\[1\] takes 2 channels but kernels\[0\] gives 3"),
    "number of biases": (([np.ones((1, 1, 2, 2))], []), "biases must be one for each of 1 kernels, got 0"),
    "length of biases": (([np.ones((3, 1, 2, 2))], [np.ones(2)]), r"biases\[0\] must have shape \(\*batch, 3\)"),
    "arithmetics": (([np.ones((1, 1, 2, 2))], [rationals([1])]), r"biases\[0\] is exact but kernels\[0\] is float"),
    "batch": (([np.ones((2, 1, 1, 2, 2)), np.ones((3, 1, 1, 2, 2))],), "batch axes must broadcast"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_unusable_networks_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        CircularCNN(*arguments)


def test_unusable_inputs_are_refused():
    net = network((3, 3))
    with pytest.raises(ValueError, match=r"x must have shape \(\.\.\., 2, 3, 3\), channels and pixels, got \(2, 3, 4\)"):
        net(np.ones((2, 3, 4)))
    with pytest.raises(ValueError, match="the network is float but x is exact"):
        net(rationals(np.ones((2, 3, 3))))
    with pytest.raises(TypeError, match=r"x must be an array, .* got None"):
        net(None)
    with pytest.raises(ValueError, match=r"batch axes must broadcast, got \(2,\) of x, \(4,\) of network"):
        network((3, 3), (4,), 0.5)(np.ones((2, 2, 3, 3)))
    with pytest.raises(TypeError, match=r"batch shape of this network is \(\)"):
        net[0]


def test_unusable_constructions_are_refused():
    mlp = FullyConnected([np.ones((2, 5))])
    with pytest.raises(ValueError, match="multiple of 4 inputs, all pixels of each channel, got 5"):
        equivariant_network(mlp, (2, 2))
    with pytest.raises(ValueError, match="image must have a length at least"):
        equivariant_network(mlp, ())
    with pytest.raises(ValueError, match="depth must be at least 1, got 0"):
        balanced_frequency_factors(np.ones((1, 1, 2, 2)), 0)
    with pytest.raises(ValueError, match="kernel must be finite"):
        balanced_frequency_factors(np.full((1, 1, 2, 2), np.inf), 2)
    with pytest.raises(FloatOnly, match="they are roots"):
        balanced_frequency_factors(rationals(np.ones((1, 1, 2, 2))), 2)
