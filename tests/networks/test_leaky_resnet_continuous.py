"""Integrated leaky ResNets, against closed forms, finite differences and the discrete networks that approach them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from verify.networks import ContinuousLeakyResNet
from verify.networks.leaky_resnet import equidistant_steps
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, rationals


def entries(rng, *shape):
    values = rng.integers(-8, 9, shape) / 8
    values.flags.writeable = False
    return values


def smooth(seed=0, width=3, *, bias=True, batch=()):
    rng = np.random.default_rng(seed)
    first, second, third = entries(rng, 3, *batch, width, width + bias)
    return ContinuousLeakyResNet(lambda p: first + np.sin(3 * p) * second + p**2 * third, 1.25), entries(rng, *batch, width, 4)


def test_one_neuron_with_a_bias_has_a_closed_form():
    positions = np.linspace(0, 1, 7)
    for slope, start in ((0.0, 2.0), (0.5, 2.0), (-2.0, 0.25), (0.5, 0.0)):
        net = ContinuousLeakyResNet.piecewise_constant([np.array([[slope, 0.5]])], 1.5)
        found = net.activations(np.array([[start]]), positions)
        rate = slope - 1.5
        expected = (start + 0.5 / rate) * np.exp(rate * positions) - 0.5 / rate
        np.testing.assert_allclose(found.values[:, 0, 0], expected, atol=1e-9)
        assert found.accuracy.shape == ()
        assert abs(found.values[:, 0, 0] - expected).max() <= found.accuracy < 1e-6


def test_positive_activations_move_by_the_matrix_exponential():
    rng = np.random.default_rng(2)
    weights, x = abs(entries(rng, 5, 3, 4)), abs(entries(rng, 5, 3, 2)) + 0.25
    net = ContinuousLeakyResNet.piecewise_constant([weights], 2.0)
    generator = np.zeros((5, 4, 4))
    generator[:, :3] = weights
    generator[:, range(3), range(3)] -= 2
    extended = np.concatenate([x, np.ones((5, 1, 2))], axis=1)
    np.testing.assert_allclose(net(x), (expm(generator) @ extended)[:, :3], atol=1e-8)


def test_pieces_are_one_network_after_the_other():
    rng = np.random.default_rng(3)
    weights, x = entries(rng, 3, 2, 3), entries(rng, 2, 5)
    breaks = [0.0, 0.5, 1.25, 2.0]
    net = ContinuousLeakyResNet.piecewise_constant(list(weights), 0.75, breaks)
    found = net.activations(x, [0.25, *breaks[1:]])
    values = x
    for k, length in enumerate(np.diff(breaks)):
        one = ContinuousLeakyResNet.piecewise_constant([weights[k]], 0.75, [0.0, length])
        if k == 0:
            np.testing.assert_allclose(found.values[0], one.activations(x, [0.25]).values[0], atol=1e-8)
        values = one(values)
        np.testing.assert_allclose(found.values[k + 1], values, atol=1e-8)
    assert net.parameter_norm_squared == pytest.approx((np.diff(breaks) * (weights**2).sum(axis=(1, 2))).sum(), rel=1e-12)
    assert [net.weights_at(p)[0, 0] for p in (0.0, 0.5, 0.75, 2.0)] == weights[[0, 0, 1, 2], 0, 0].tolist()


def test_linear_pieces_pass_through_their_nodes():
    rng = np.random.default_rng(4)
    nodes, x = entries(rng, 3, 2, 2), entries(rng, 2, 5)
    net = ContinuousLeakyResNet.piecewise_linear(list(nodes), 0.5)
    assert not net.has_bias
    for k, p in enumerate((0.0, 0.5, 1.0)):
        np.testing.assert_array_equal(net.weights_at(p), nodes[k])
    np.testing.assert_allclose(net.weights_at(0.75), (nodes[1] + nodes[2]) / 2)
    inner = (nodes[:-1] * nodes[1:]).sum()
    squares = (nodes**2).sum(axis=(1, 2))
    assert net.parameter_norm_squared == pytest.approx((squares[:-1] + squares[1:]).sum() / 6 + inner / 6, rel=1e-12)
    function = ContinuousLeakyResNet(net.weights_at, 0.5)
    np.testing.assert_allclose(net(x), function(x), atol=1e-7)


def test_discrete_networks_approach_it_with_order_one():
    net, x = smooth()
    exact = net(x)
    errors = [abs(net.discretised(equidistant_steps(count))(x) - exact).max() for count in (64, 128, 256)]
    assert 1.9 < errors[0] / errors[1] < 2.1
    assert 1.9 < errors[1] / errors[2] < 2.1


def test_a_longer_interval_stretches_the_activations():
    net, x = smooth(1)
    for factor in (0.3, 2.5):
        longer = net.stretched(factor)
        assert longer.length == pytest.approx(factor)
        seen, stretched = (one.activations(x, np.array([0.25, 0.5, 1.0]) * one.length) for one in (net, longer))
        np.testing.assert_allclose(seen.values, stretched.values, atol=2 * seen.accuracy.max())
        assert longer.parameter_norm_squared * factor == pytest.approx(net.parameter_norm_squared, rel=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_adjoints_are_derivatives(bias):
    """Of the outputs in a direction by the activations at p: through the network that begins at p."""
    net, x = smooth(2, bias=bias)
    x = x + 1 / 16  # no entry at the kink
    rng = np.random.default_rng(0)
    last, direction = entries(rng, 3, 4), entries(rng, 3, 4)
    position, step = 0.375, 1e-4
    values = net.activations(x, [position]).values[0]
    adjoint = net.adjoints(x, last, [position, 1.0])
    np.testing.assert_array_equal(adjoint.values[1], last)
    rest = ContinuousLeakyResNet(lambda q: net.weights_at(position + q), 1.25, [0.0, 1 - position])
    ends = [rest(values + sign * step * direction) for sign in (1, -1)]
    slope = ((ends[0] - ends[1]) * last).sum() / (2 * step)
    assert slope == pytest.approx((adjoint.values[0] * direction).sum(), rel=1e-5)


def test_batches_of_networks_and_of_points():
    rng = np.random.default_rng(6)
    weights, leak = entries(rng, 3, 2, 3), np.array([0.5, 1.0, 2.0])
    x = entries(rng, 4, 1, 2, 5)
    net = ContinuousLeakyResNet(lambda p: weights * np.cos(p), leak)
    values = net(x)
    assert values.shape == (4, 3, 2, 5)
    for k in range(3):
        one = ContinuousLeakyResNet(lambda p, k=k: weights[k] * np.cos(p), leak[k])
        np.testing.assert_allclose(values[:, k], one(x[:, 0]), atol=1e-7)
    assert net.adjoints(x, values, [0.0]).values.shape == (4, 3, 1, 2, 5)
    assert net.parameter_norm_squared.shape == (3,)


def constant(*shape):
    return lambda p: np.ones(shape) * p


BAD = {
    "no function": (lambda: ContinuousLeakyResNet([1.0], 1), TypeError, "weights must be functions .* got float for piece 0"),
    "shape": (
        lambda: ContinuousLeakyResNet(constant(2, 4), 1),
        ValueError,
        r"weights of piece 0 must have the shape .* \(2, 4\)",
    ),
    "text": (lambda: ContinuousLeakyResNet(lambda _: "1", 1), TypeError, "weights of piece 0 must be an array"),
    "NaN": (lambda: ContinuousLeakyResNet(lambda p: np.full((1, 2), np.nan * p), 1), ValueError, "must be finite"),
    "exact": (lambda: ContinuousLeakyResNet(lambda p: rationals([[p, 1]]), 1), FloatOnly, "no exact evaluation"),
    "pieces": (
        lambda: ContinuousLeakyResNet([constant(1, 2), constant(2, 3)], 1, [0, 1, 2]),
        ValueError,
        "pieces of the weights must have one shape",
    ),
    "breaks": (
        lambda: ContinuousLeakyResNet(constant(1, 2), 1, [0, 1, 2]),
        ValueError,
        r"breaks must increase from 0, one more than the 1 pieces of the weights, got \(0, 1, 2\)",
    ),
    "order of breaks": (lambda: ContinuousLeakyResNet(constant(1, 2), 1, [0, -1]), ValueError, "breaks must increase from 0"),
    "leak": (lambda: ContinuousLeakyResNet(constant(1, 2), np.nan), ValueError, "leak must be finite"),
    "no constants": (lambda: ContinuousLeakyResNet.piecewise_constant([], 1), ValueError, "weights must not be empty"),
    "one node": (lambda: ContinuousLeakyResNet.piecewise_linear([np.ones((1, 2))], 1), ValueError, "at both ends of a piece"),
    "position": (lambda: smooth()[0].weights_at(1.5), ValueError, "position must be between 0 and 1.0, got 1.5"),
    "factor": (lambda: smooth()[0].stretched(0), ValueError, "factor must be positive and finite, got 0"),
    "positions": (
        lambda: smooth()[0].activations(np.ones((3, 1)), [0.5, 0.5]),
        ValueError,
        "positions must increase from 0 to 1.0",
    ),
    "words": (lambda: smooth()[0].activations(np.ones((3, 1)), "all"), TypeError, "positions must be an array, .* got 'all'"),
    "breaks in words": (
        lambda: ContinuousLeakyResNet(constant(1, 2), 1, ["a", "b"]),
        TypeError,
        r"breaks\[0\] must be a real number",
    ),
    "leaks": (
        lambda: ContinuousLeakyResNet(constant(2, 1, 2), np.ones(3)),
        ValueError,
        r"got \(2,\) of weights, \(3,\) of leak",
    ),
    "batch": (lambda: smooth(batch=(2,))[0](np.ones((3, 3, 1))), ValueError, r"got \(3,\) of x, \(2,\) of the weights"),
    "far position": (
        lambda: smooth()[0].activations(np.ones((3, 1)), [2]),
        ValueError,
        "positions must increase from 0 to 1.0",
    ),
    "rows": (lambda: smooth()[0](np.ones((2, 1))), ValueError, r"x must have 3 rows, .* got the shape \(2, 1\)"),
    "exact x": (lambda: smooth()[0](rationals(np.ones((3, 1)))), FloatOnly, "no exact evaluation"),
    "steps": (
        lambda: smooth()[0].discretised(np.array([0.5, 0.25])),
        ValueError,
        r"steps must sum up to the length 1.0, got 0.75",
    ),
    "negative steps": (lambda: smooth()[0].discretised(np.array([1.5, -0.5])), ValueError, "vector of positive numbers"),
}


@pytest.mark.parametrize(("call", "error", "message"), BAD.values(), ids=BAD)
def test_unusable_arguments_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_network_that_runs_away_is_reported():
    net = ContinuousLeakyResNet.piecewise_constant([np.array([[800.0, 0.0]])], 0.0)
    with np.errstate(all="ignore"), pytest.raises(UndecidedInstances, match="gave up"):
        net(np.ones((1, 1)))
