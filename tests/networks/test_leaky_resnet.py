"""Discrete leaky ResNets, their adjoints, their steps, and those that are critical points."""

from __future__ import annotations

import importlib.util
import pickle

import numpy as np
import pytest
from dyadic import quick
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verify.networks import FullyConnected, LeakyResNet
from verify.networks.leaky_resnet import (
    adaptive_steps,
    critical_network,
    critical_weights,
    equidistant_steps,
    feature_matrix,
    hamiltonian,
    inner,
    irregular_steps,
    irregular_steps_renormalised,
    squared_norm,
    symplectic_euler_step,
)
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, compare, floats, rationals

BACKENDS = [np]
if importlib.util.find_spec("cupy"):
    import cupy

    if cupy.cuda.is_available():
        BACKENDS.append(cupy)


def entries(rng, *shape):
    values = np.asarray(rng.integers(-8, 9, shape) / 8)
    values.flags.writeable = False
    return values


def drawn(seed, width, points, depth, *, bias, batch=()):
    """A network with dyadic parameters, some of whose steps are long, and inputs."""
    rng = np.random.default_rng(seed)
    weights = [entries(rng, *batch, width, width + bias) for _ in range(depth)]
    leak, steps = abs(entries(rng, *batch)), rng.integers(1, 5, (*batch, depth)) / 4
    return LeakyResNet(weights, leak, steps), entries(rng, *batch, width, points)


shapes = (st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.booleans())


@quick
@given(*shapes)
def test_layers_are_what_the_recursion_says(seed, width, points, depth, bias):
    net, x = drawn(seed, width, points, depth, bias=bias, batch=(3,))
    values = net.activations(x)
    assert net.depth == depth
    assert net.has_bias == bias
    for k in range(depth):
        step, leak = net.steps[:, k, None, None], net.leak[:, None, None]
        moved = net.weights[k] @ feature_matrix(values[k], bias=bias) - leak * values[k]
        np.testing.assert_allclose(values[k + 1], values[k] + step * moved, atol=1e-12)
    exact = net.as_exact().activations(rationals(x))
    for left, right in zip(values, exact, strict=True):
        np.testing.assert_allclose(left, floats(right), atol=1e-12)


@quick
@given(*shapes)
def test_adjoints_are_derivatives(seed, width, points, depth, bias):
    """Exactly: as long as no entry changes its sign, a linear function of the outputs is affine in the inputs of a layer."""
    net, x = drawn(seed, width, points, depth, bias=bias)
    exact, rng = net.as_exact(), np.random.default_rng(seed)
    values = exact.activations(rationals(x))
    last, direction = rationals(entries(rng, width, points)), rationals(entries(rng, width, points))
    adjoints = exact.adjoints(values, last)
    step = fmpq(1, 10**6)
    for k in range(depth):
        rest = LeakyResNet(exact.weights[k:], exact.leak, exact.steps[k:])
        paths = [rest.activations(values[k] + sign * step * direction) for sign in (1, -1)]
        signs = [[compare(one, 0) for one in path] for path in (*paths, values[k:])]
        if any((one == 0).any() for one in signs[2]) or any((a != b).any() for a, b in zip(signs[0], signs[1], strict=True)):
            continue
        slope = inner(paths[0][-1] - paths[1][-1], last) / (2 * step)
        assert (slope == inner(adjoints[k], direction)).all()


def test_a_layer_of_length_one_over_the_leak_forgets_its_input():
    rng = np.random.default_rng(1)
    weights, x = [entries(rng, 2, 3) for _ in range(3)], entries(rng, 2, 5)
    net = LeakyResNet(weights, 3, equidistant_steps(3))
    dense = FullyConnected([w[:, :-1] / 3 for w in weights], [w[:, -1] / 3 for w in weights])
    np.testing.assert_allclose(net(x), dense(np.maximum(x, 0).T).T, atol=1e-13)


def test_norms_and_positions():
    net, _ = drawn(0, 2, 1, 3, bias=True, batch=(4,))
    per_layer = np.stack([(w**2).sum(axis=(-2, -1)) for w in net.weights], axis=-1)
    np.testing.assert_allclose(net.weight_norms_squared, per_layer)
    np.testing.assert_allclose(net.parameter_norm_squared, (net.steps * per_layer).sum(axis=-1))
    np.testing.assert_array_equal(net.positions[:, 1:], np.cumsum(net.steps, axis=-1))
    assert (net.as_exact().positions[:, -1] == rationals(net.steps.sum(axis=-1))).all()
    with_default = LeakyResNet(net.weights, net.leak)
    np.testing.assert_array_equal(with_default.steps, np.full((4, 3), 1 / 3))
    assert (LeakyResNet(net.as_exact().weights, 1).steps == fmpq(1, 3)).all()


def test_a_batch_is_its_networks_one_by_one():
    net, x = drawn(3, 2, 4, 3, bias=True, batch=(2, 3))
    for k in np.ndindex(2, 3):
        np.testing.assert_allclose(net[k](x[k]), net(x)[k], atol=1e-14)
    single, _ = drawn(3, 2, 4, 3, bias=True)
    np.testing.assert_allclose(single(x)[1, 2], single(x[1, 2]), atol=1e-14)
    with pytest.raises(TypeError, match=r"batch shape of this network is \(\)"):
        single[0]


def test_parameters_go_out_and_come_back():
    net, x = drawn(4, 2, 4, 3, bias=True, batch=(2,))
    again = net.with_parameters([2 * w for w in net.parameters]).with_parameters(net.parameters)
    np.testing.assert_array_equal(again(x), net(x))
    copy = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(copy(x), net(x))
    assert not copy.weights[0].flags.writeable
    np.testing.assert_array_equal(net.as_exact().as_float()(x), net(x))
    assert repr(net) == "LeakyResNet(width=2, depth=3, with bias, batch_shape=(2,), float64)"


@pytest.mark.parametrize("xp", BACKENDS)
def test_arrays_stay_in_their_library(xp):
    net, x = drawn(5, 2, 4, 3, bias=True, batch=(2,))
    here = LeakyResNet([xp.asarray(w) for w in net.weights], xp.asarray(net.leak), xp.asarray(net.steps))
    values = here.activations(xp.asarray(x))
    adjoints = here.adjoints(values, values[-1])
    for one in (*values, *adjoints, here.relative_distances(values), here.parameter_norm_squared):
        assert type(one).__module__.split(".")[0] == xp.__name__
    np.testing.assert_allclose(values[-1].tolist(), net(x), atol=1e-10)


# steps


@pytest.mark.parametrize("count", range(1, 12))
def test_steps(count):
    contrast = fmpq(1, 2)
    printed, renormalised = irregular_steps(count, contrast), irregular_steps_renormalised(count, contrast)
    for place, step in enumerate(printed, start=1):
        assert step == fmpq(1, count) + contrast / count * (fmpq(1, 4) - abs(fmpq(place, count) - fmpq(1, 2)))
    assert printed.sum() == (1 if count % 2 == 0 else 1 - contrast / (4 * count**2))
    assert renormalised.sum() == 1
    np.testing.assert_allclose(irregular_steps(count, 0.5), floats(printed), rtol=1e-15)
    np.testing.assert_allclose(irregular_steps_renormalised(count, np.array([0.5, 0.0]))[0], floats(renormalised), rtol=1e-15)
    np.testing.assert_allclose(irregular_steps(count, np.array([0.5, 0.0]))[1], equidistant_steps(count), rtol=1e-15)
    assert (irregular_steps(count, 0) == equidistant_steps(count, exact=True)).all()


def test_adaptive_steps_equalise_the_distances():
    net, x = drawn(11, 2, 4, 3, bias=True, batch=(5,))
    distances = net.relative_distances(net.activations(x))
    values = net.activations(x)
    expected = [
        np.sqrt(squared_norm(values[k + 1] - values[k]) / squared_norm(values[k + 1])) / net.steps[:, k] for k in range(3)
    ]
    np.testing.assert_allclose(distances, np.stack(expected, axis=-1), rtol=1e-12)
    steps = adaptive_steps(distances)
    np.testing.assert_allclose(steps.sum(axis=-1), 1)
    np.testing.assert_allclose(steps * distances, (steps * distances)[:, :1] * np.ones(3), rtol=1e-12)
    assert adaptive_steps(rationals([1, 2])).tolist() == [fmpq(2, 3), fmpq(1, 3)]
    exact = net.as_exact()
    np.testing.assert_allclose(floats(exact.relative_distances(exact.activations(rationals(x)))), distances, rtol=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: equidistant_steps(0), ValueError, "count must be at least 1, got 0"),
        (lambda: equidistant_steps(1.5), TypeError, "count must be an integer, at least 1, got 1.5"),
        (lambda: irregular_steps(2, 1), ValueError, "contrast must be at least 0 and below 1, got 1"),
        (lambda: irregular_steps(2, -0.25), ValueError, "contrast must be at least 0 and below 1, got -0.25"),
        (lambda: irregular_steps(2, np.array([0.5, np.nan])), ValueError, "contrast must be finite"),
        (lambda: irregular_steps(2, "a"), TypeError, "contrast must be an array, or nested lists of numbers"),
        (lambda: adaptive_steps("1"), TypeError, "distances must be an array, .* got '1'"),
        (lambda: adaptive_steps(np.ones((2, 0))), ValueError, r"one layer at least, got \(2, 0\)"),
        (lambda: adaptive_steps(np.array([1.0, 0.0])), ValueError, "distances must be positive"),
        (lambda: adaptive_steps(np.array([1.0, np.inf])), ValueError, "distances must be finite"),
    ],
)
def test_unusable_steps_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


# critical networks


@pytest.mark.parametrize("bias", [True, False])
def test_a_critical_network_is_one(bias):
    rng = np.random.default_rng(7)
    A, B = entries(rng, 6, 2, 3), entries(rng, 6, 2, 3) / 8
    found = critical_network(A, B, 1.5, equidistant_steps(8), bias=bias)
    values = found.network.activations(A)
    adjoints = found.network.adjoints(values, found.adjoints[-1])
    np.testing.assert_allclose(found.adjoints[0], B, atol=1e-15)
    for k in range(8):
        np.testing.assert_allclose(values[k], found.activations[k], atol=1e-14)
        np.testing.assert_allclose(adjoints[k], found.adjoints[k], atol=1e-13)
        weights = critical_weights(values[k], adjoints[k + 1], 1.5, bias=bias)
        np.testing.assert_allclose(found.network.weights[k], weights, atol=1e-13)
        step = symplectic_euler_step(values[k], adjoints[k + 1], 1.5, 1 / 8, bias=bias)
        np.testing.assert_allclose(step[0], values[k + 1], atol=1e-13)
        np.testing.assert_allclose(step[1], adjoints[k], atol=1e-13)
    energies = [hamiltonian(values[k], adjoints[k + 1], bias=bias) for k in range(8)]
    assert np.ptp(energies, axis=0).max() < 0.1
    ridge = 0.25
    expected = 2 / (ridge * 3) * (found.target(ridge) - values[-1])
    np.testing.assert_allclose(expected, found.adjoints[-1], atol=1e-13)


def test_the_gradient_of_the_loss_vanishes_at_a_critical_network():
    """Central differences in every weight; the loss is quadratic along each of them where no sign changes."""
    rng = np.random.default_rng(8)
    found = critical_network(1 + abs(entries(rng, 2, 3)), entries(rng, 2, 3) / 8, 1.0, equidistant_steps(3))
    target, ridge, net = found.target(0.25), 0.25, found.network

    def loss(weights):
        changed = net.with_parameters(weights)
        misfit = squared_norm(target - changed(found.activations[0])) / 3
        return misfit + ridge / 2 * changed.parameter_norm_squared

    step = 2.0**-10
    for k, weight in enumerate(net.weights):
        for place in np.ndindex(weight.shape):
            changed = [np.array(w) for w in net.weights]
            values = []
            for sign in (1, -1):
                changed[k][place] = weight[place] + sign * step
                values.append(loss(changed))
            assert abs(values[0] - values[1]) < 1e-14


def test_steps_on_rationals_are_those_of_floats():
    rng = np.random.default_rng(9)
    A, B = entries(rng, 4, 2, 3), entries(rng, 4, 2, 3)
    exact = symplectic_euler_step(rationals(A), rationals(B), fmpq(3, 2), fmpq(1, 4))
    for left, right in zip(symplectic_euler_step(A, B, 1.5, 0.25), exact, strict=True):
        np.testing.assert_array_equal(left, floats(right))


def test_what_has_no_critical_network_is_reported():
    A, B = np.ones((2, 1, 1)), np.array([[[0.125]], [[50.0]]])
    with np.errstate(all="ignore"), pytest.raises(UndecidedInstances, match="1 of 2 networks") as caught:
        critical_network(A, B, -4.0, equidistant_steps(2))
    assert caught.value.where.tolist() == [False, True]
    with pytest.raises(FloatOnly, match="no exact evaluation"):
        critical_network(rationals(A), rationals(A), 1, equidistant_steps(2, exact=True))
    with pytest.raises(ValueError, match=r"steps must have the shape \(\*batch, layers\)"):
        critical_network(A, A, 1.0, np.ones(0))
    with pytest.raises(ValueError, match="steps must be positive"):
        critical_network(A, A, 1.0, np.array([0.5, -0.5]))
    with pytest.raises(ValueError, match=r"got \(2,\) of activations, \(2,\) of adjoints, \(3,\) of leak, \(\) of steps"):
        critical_network(A, A, np.ones(3), np.array([0.5, 0.5]))
    with pytest.raises(ValueError, match=r"batch axes must broadcast, got \(2,\) of leak, \(3,\) of step"):
        symplectic_euler_step(A[:1], A[:1], np.ones(2), np.ones(3))


# arguments

ONE = np.ones((2, 3))
BAD = {
    "no weights": (([], 1), "weights must not be empty"),
    "shape": (([np.ones((2, 4))], 1), r"weights\[0\] must have the shape \(\*batch, w, w \+ 1\), or .* got \(2, 4\)"),
    "widths": (([ONE, np.ones((3, 4))], 1), r"weights\[1\] must have the shape \(2, 3\) of weights\[0\]"),
    "bias in one layer": (([ONE, np.ones((2, 2))], 1), r"weights\[1\] must have the shape \(2, 3\) of weights\[0\]"),
    "NaN": (([np.full((2, 3), np.nan)], 1), r"weights\[0\] must be finite"),
    "infinite leak": (([ONE], np.inf), "leak must be finite"),
    "mixed": (([ONE, rationals(ONE)], 1), r"weights\[1\] is exact but weights\[0\] is float"),
    "exact steps": (([ONE], 1, rationals([1])), r"steps is exact but weights\[0\] is float"),
    "number of steps": (([ONE], 1, np.ones(2)), r"steps must have the shape \(\*batch, 1\), one for each layer, got \(2,\)"),
    "negative step": (([ONE, ONE], 1, np.array([1.0, -0.5])), "steps must be positive"),
    "batch": (([np.ones((2, 2, 3)), np.ones((3, 2, 3))], 1), "batch axes must broadcast"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_unusable_networks_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        LeakyResNet(*arguments)


def test_unusable_inputs_are_refused():
    net = LeakyResNet([ONE], 1)
    with pytest.raises(ValueError, match=r"x must have 2 rows, one for each neuron, got the shape \(3, 1\)"):
        net(np.ones((3, 1)))
    with pytest.raises(ValueError, match="the network is float but x is exact"):
        net(rationals(np.ones((2, 1))))
    batch = LeakyResNet([np.ones((4, 2, 3))], 1)
    with pytest.raises(ValueError, match=r"batch axes must broadcast, got \(3,\) of x, \(4,\) of the network"):
        batch(np.ones((3, 2, 1)))
    with pytest.raises(TypeError, match="x must be an array"):
        net("1")
    with pytest.raises(ValueError, match="last must be finite"):
        net.adjoints(net.activations(np.ones((2, 1))), np.full((2, 1), np.inf))
    for method in (lambda one: net.adjoints(one, np.ones((2, 1))), net.relative_distances):
        with pytest.raises(ValueError, match="activations must be 2 arrays, one more than layers, got 1"):
            method([np.ones((2, 1))])
    with pytest.raises(ValueError, match=r"activations\[1\] must not be zero"):
        net.relative_distances([np.ones((2, 1)), np.zeros((2, 1))])
