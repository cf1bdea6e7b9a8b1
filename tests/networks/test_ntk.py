import itertools
import tracemalloc

import numpy as np
import pytest
from dyadic import entries, frozen, network, networks, quick
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from verify.networks import FullyConnected, leaky_relu
from verify.networks.ntk import (
    ntk,
    ntk_gram,
    ntk_matvec,
    ntk_mixed_derivative,
    ntk_operator_norm,
    ntk_trace,
    ntk_trace_gram,
)
from verify.numbers.arithmetic import compare, floats, rationals

STEP = fmpq(1, 2**200)


def parameter_jacobian(network, x, *, biases):
    """Derivative of the value by all weights (and biases), one layer after the other, shape (..., n_L, parameters)."""
    columns = []
    for layer, activation in enumerate(network.activations(x), start=1):
        pulled = network.jacobian_from_layer(layer, x)
        outer = pulled[..., :, :, None] * activation[..., None, None, :]
        columns.append(outer.reshape(*outer.shape[:-2], outer.shape[-2] * outer.shape[-1]))
        if biases:
            columns.append(pulled)
    return np.concatenate(columns, axis=-1)


def explicit_blocks(network, x, y, *, biases):
    """Theta(x_i, y_j) for samples (N, n_0) and (N', n_0) of one network, shape (N, n_L, N', n_L)."""
    left, right = (parameter_jacobian(network, points, biases=biases) for points in (x, y))
    return np.array([[a @ b.T for b in right] for a in left]).swapaxes(1, 2)


@quick
@given(networks(max_depth=3), st.booleans(), st.booleans())
def test_kernel_is_the_product_of_parameter_jacobians(drawn, exact, biases):
    f, rng = drawn
    x, y = entries(rng, 3, f.widths[0]), entries(rng, 2, f.widths[0])
    if exact:
        f, x, y = f.as_exact(), rationals(x), rationals(y)
    blocks, outputs = explicit_blocks(f, x, y, biases=biases), f.widths[-1]
    # entries k/16: no rounding in float64 either
    assert np.all(ntk_gram(f, x, y, biases=biases) == blocks.reshape(3 * outputs, 2 * outputs))
    assert np.all(ntk_trace_gram(f, x, y, biases=biases) == np.einsum("iojo->ij", blocks))
    assert np.all(ntk(f, x[0], y, biases=biases) == np.moveaxis(blocks[0], 1, 0))
    own = explicit_blocks(f, x, x, biases=biases)
    assert np.all(ntk_gram(f, x, biases=biases) == own.reshape(3 * outputs, 3 * outputs))
    assert np.all(ntk_trace_gram(f, x, biases=biases) == np.einsum("iojo->ij", own))
    assert np.all(ntk(f, x, biases=biases) == np.einsum("ioip->iop", own))
    assert np.all(ntk_trace(f, x, biases=biases) == np.einsum("ioio->i", own))
    vector = entries(rng, 3 * outputs)
    vector = rationals(vector) if exact else vector
    assert np.all(ntk_matvec(f, x, vector, biases=biases) == own.reshape(3 * outputs, 3 * outputs) @ vector)


@quick
@given(networks(max_depth=3))
def test_mixed_derivative_is_the_second_difference_quotient(drawn):
    f, rng = drawn
    f, x = f.as_exact(), rationals(entries(rng, f.widths[0]))
    assume((compare(f.distance_to_kink(x), 0) == 1).all())
    steps = STEP * rationals(np.eye(f.widths[0]))
    moved = ntk(f, (x + steps)[:, None], x + steps)
    quotient = (moved - ntk(f, (x + steps)[:, None], x) - ntk(f, x, x + steps) + ntk(f, x)) / STEP**2
    size = f.widths[0] * f.widths[-1]
    assert np.all(ntk_mixed_derivative(f, x) == quotient.swapaxes(1, 2).reshape(size, size))


@settings(max_examples=12, deadline=None)
@given(networks(batch=(2, 3), max_depth=3), st.booleans(), st.booleans())
def test_a_batch_is_a_loop(drawn, exact, biases):
    f, rng = drawn
    f = FullyConnected(f.weights, f.biases, leaky_relu(entries(rng, 3)))
    x, y = entries(rng, 4, 1, 3, 5, f.widths[0]), entries(rng, 2, f.widths[0])
    vector = entries(rng, 2, 3, 5 * f.widths[-1])
    if exact:
        f, x, y, vector = f.as_exact(), rationals(x), rationals(y), rationals(vector)
    pairs = [
        (ntk_gram(f, x, y, biases=biases), lambda one, x, _: ntk_gram(one, x, y, biases=biases)),
        (ntk_gram(f, x, biases=biases), lambda one, x, _: ntk_gram(one, x, biases=biases)),
        (ntk_trace_gram(f, x, biases=biases), lambda one, x, _: ntk_trace_gram(one, x, biases=biases)),
        (ntk_trace_gram(f, y, x, biases=biases), lambda one, x, _: ntk_trace_gram(one, y, x, biases=biases)),
        (ntk_matvec(f, x, vector, biases=biases), lambda one, x, v: ntk_matvec(one, x, v, biases=biases)),
        (ntk(f, x[..., 0, :], biases=biases), lambda one, x, _: ntk(one, x[0], biases=biases)),
        (ntk(f, x[..., 0, :], y[1], biases=biases), lambda one, x, _: ntk(one, x[0], y[1], biases=biases)),
        (ntk_trace(f, x[..., 0, :], biases=biases), lambda one, x, _: ntk_trace(one, x[0], biases=biases)),
        (ntk_mixed_derivative(f, x[..., 0, :]), lambda one, x, _: ntk_mixed_derivative(one, x[0])),
    ]
    for k, i, j in [(0, 0, 0), (3, 1, 2), (2, 0, 1), (1, 1, 0)]:
        for batched, single in pairs:
            assert batched.shape[:3] == (4, 2, 3)
            assert np.all(batched[k, i, j] == single(f[i, j], x[k, 0, j], vector[i, j]))


@quick
@given(networks(max_depth=3), st.booleans())
def test_operator_norm_is_the_largest_eigenvalue(drawn, biases):
    f, rng = drawn
    x = entries(rng, 4, f.widths[0])
    matrix = ntk_gram(f, x, biases=biases)
    largest = np.linalg.eigvalsh(matrix)[-1]
    rounding = 8 * len(matrix) * np.finfo(float).eps * max(np.trace(matrix), 1e-300)
    assert abs(ntk_operator_norm(f, x, biases=biases) - largest) <= rounding
    balls = ntk_operator_norm(f.as_exact(), rationals(x), biases=biases)
    assert abs(floats(balls) - largest) <= rounding


@pytest.fixture
def small_blocks(monkeypatch):
    """The limits of large samples at sizes of a test."""
    monkeypatch.setattr("verify.networks._samples.ALL_KEPT", 10)
    monkeypatch.setattr("verify.networks._samples.ENTRIES_AT_A_TIME", 12)
    monkeypatch.setattr("verify.networks.ntk.ROWS_AT_ONCE", 60)
    monkeypatch.setattr("verify.networks.ntk.TILE", 25)
    monkeypatch.setattr("verify.networks.ntk.LARGEST_DENSE", 1)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("batch", [(), (2,)])
def test_large_samples_are_cut_into_pieces(batch, monkeypatch):
    rng = np.random.default_rng(3)
    f = network(rng, (3, 4, 4, 2, 3, 5), batch)
    f = FullyConnected([weight / 4 for weight in f.weights], f.biases, f.activation)
    x, y, vector = entries(rng, *batch, 20, 3), entries(rng, *batch, 11, 3), entries(rng, *batch, 100)
    found = [ntk_gram(f, x), ntk_gram(f, x, y), ntk_trace_gram(f, x), ntk_trace_gram(f, x, y), ntk_matvec(f, x, vector)]
    norm = ntk_operator_norm(f, x)
    monkeypatch.undo()
    expected = [ntk_gram(f, x), ntk_gram(f, x, y), ntk_trace_gram(f, x), ntk_trace_gram(f, x, y), ntk_matvec(f, x, vector)]
    for cut, whole in zip(found, expected, strict=True):
        np.testing.assert_allclose(cut, whole, rtol=1e-13, atol=1e-13 * np.abs(whole).max())
    np.testing.assert_allclose(norm, ntk_operator_norm(f, x), rtol=1e-9)


@pytest.mark.usefixtures("small_blocks")
def test_operator_norm_of_a_kernel_that_vanishes():
    assert ntk_operator_norm(FullyConnected([np.zeros((2, 3)), np.zeros((2, 2))]), np.ones((4, 3)), biases=False) == 0


@pytest.mark.parametrize("exact", [False, True])
def test_a_layer_of_no_neurons_leaves_the_last_bias(exact):
    f = network(np.random.default_rng(9), (3, 2, 0, 2))
    x = np.ones((2, 3))
    if exact:
        f, x = f.as_exact(), rationals(x)
    assert np.all(ntk_gram(f, x) == np.tile(np.eye(2, dtype=int), (2, 2)))
    assert np.all(ntk_gram(f, x, biases=False) == 0)
    assert np.all(ntk_trace_gram(f, x) == 2)
    assert np.all(ntk_trace(f, x) == 2)
    assert np.all(ntk_mixed_derivative(f, x) == 0)
    assert floats(ntk_operator_norm(f, x)) == pytest.approx(2)


def test_traces_of_a_large_sample_take_little_memory(monkeypatch):
    monkeypatch.setattr("verify.networks.ntk.ROWS_AT_ONCE", 2**18)  # for results smaller than those it is made for
    rng = np.random.default_rng(0)
    widths = (30, *[50] * 24, 20)
    f = FullyConnected([rng.standard_normal((b, a)) * (2 / a) ** 0.5 for a, b in itertools.pairwise(widths)])
    x = rng.standard_normal((1000, 30))
    kept = sum(array.nbytes for array in f.activations(x))
    tracemalloc.start()
    try:
        result = ntk_trace_gram(f, x)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * result.nbytes + kept
    np.testing.assert_allclose(np.diag(result), ntk_trace(f, x), rtol=1e-12)


F = FullyConnected([frozen(np.ones((2, 3)))])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ntk(F, np.ones(2)), r"x must have shape \(..., 3\), got \(2,\): the network has 3 inputs"),
        (
            lambda: ntk(F, np.ones((4, 3)), np.ones((5, 3))),
            r"the leading axes of x and y must broadcast, got \(4,\) and \(5,\)",
        ),
        (
            lambda: ntk(F, rationals(np.ones(3))),
            "the network is float but x is exact: convert one with verify.numbers.arithmetic",
        ),
        (lambda: ntk_gram(F, np.ones(3)), r"x must have shape \(..., N, 3\), got \(3,\): the network has 3 inputs"),
        (lambda: ntk_gram(F, np.ones((4, 3)), np.ones(3)), r"y must have shape \(..., N, 3\), got \(3,\)"),
        (lambda: ntk_trace_gram(F, np.ones((0, 3))), r"x must have at least one point, got shape \(0, 3\)"),
        (
            lambda: ntk_trace_gram(F, np.ones((2, 4, 3)), np.ones((3, 5, 3))),
            r"the axes of x and y before their points must broadcast, got \(2,\) and \(3,\)",
        ),
        (lambda: ntk_matvec(F, np.ones((4, 3)), np.ones(7)), r"vector must have shape \(..., 8\), one entry for each output"),
        (lambda: ntk_matvec(F, np.ones((4, 3)), np.ones((2, 8))), r"vector must have shape \(8,\), or broadcast to it"),
        (lambda: ntk_operator_norm(F, np.ones((4, 3)), accuracy=0), "accuracy must be between 0 and 1, got 0"),
        (
            lambda: ntk_trace(FullyConnected([np.ones((2, 1, 3))]), np.ones((3, 3))),
            r"the leading axes of x must broadcast with the batch \(2,\), got x of shape \(3, 3\)",
        ),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()
