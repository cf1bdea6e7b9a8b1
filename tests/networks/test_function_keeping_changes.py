import numpy as np
import pytest
from dyadic import entries, network, networks, quick
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from verify.networks import FullyConnected, absolute_value, leaky_relu, relu
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, rationals

RELU = (relu(),)


def with_dead_neurons(f, rng):
    """Some incoming rows and some outgoing columns set to zero, so that neurons before and behind die too."""
    weights, biases = [w.copy() for w in f.weights], [b.copy() for b in f.biases]
    for layer in range(f.depth - 1):
        incoming, outgoing = rng.random((2, *f.batch_shape, f.widths[layer + 1])) < 0.3
        weights[layer][incoming] = 0
        biases[layer][incoming] = 0
        weights[layer + 1] *= ~outgoing[..., None, :]
    return FullyConnected(weights, biases, f.activation)


def is_dead(f, layer, k):
    outgoing = f.weights[layer + 1][..., k]
    return not (f.weights[layer][..., k, :].any() or f.biases[layer][..., k].any()) or not outgoing.any()


@quick
@given(networks())
def test_rescaling_neurons_keeps_the_function(drawn):
    f, rng = drawn
    x = entries(rng, 5, f.widths[0])
    factors = [2.0 ** rng.integers(-4, 5, n) for n in f.widths[1:-1]]
    g = f.rescale_neurons(factors)
    assert np.array_equal(g(x), f(x))
    exact = f.as_exact().rescale_neurons([rationals(factor) / 3 for factor in factors])
    assert np.all(exact(rationals(x)) == rationals(f(x)))


@quick
@given(networks(), st.sampled_from([(), (3,)]))
def test_balancing_keeps_the_function_and_balances(drawn, batch):
    f, rng = drawn
    f = with_dead_neurons(network(rng, f.widths, batch, f.activation), rng)
    factors = [10.0 ** rng.uniform(-4, 4, (*batch, n)) for n in f.widths[1:-1]]
    f = f.rescale_neurons(factors)
    g = f.balance()
    x = entries(rng, 5, *batch, f.widths[0])
    size = np.prod([1 + np.sqrt(f.parameter_norm_squared)], axis=0) ** f.depth
    np.testing.assert_allclose(g(x), f(x), rtol=1e-10, atol=1e-14 * np.max(size))
    assert np.all(g.is_balanced())
    for layer in range(f.depth - 1):
        incoming = (g.weights[layer] ** 2).sum(axis=-1) + g.biases[layer] ** 2
        outgoing = (g.weights[layer + 1] ** 2).sum(axis=-2)
        np.testing.assert_allclose(incoming, outgoing, rtol=1e-10)
    assert np.all(g.parameter_norm_squared <= f.parameter_norm_squared * (1 + 1e-12))


def test_balancing_minimises_the_norm():
    rng = np.random.default_rng(5)
    f = network(rng, (3, 4, 3, 2))

    def norm(logs):
        return float(f.rescale_neurons(np.split(np.exp(logs), [4])).parameter_norm_squared)

    found = minimize(norm, np.zeros(7), tol=1e-12)
    assert f.balance().parameter_norm_squared <= found.fun * (1 + 1e-9)
    assert f.balance().parameter_norm_squared >= found.fun * (1 - 1e-6)


def test_balancing_a_deep_chain_far_from_balance():
    weights = [np.array([[10.0**k]]) for k in [8, *[0] * 58, -8]]
    g = FullyConnected(weights).balance()
    np.testing.assert_allclose([weight.item() for weight in g.weights], 1, rtol=1e-10)


@quick
@given(networks(min_depth=3, max_depth=6))
def test_balancing_weights_of_very_different_sizes(drawn):
    f, rng = drawn
    f = FullyConnected([weight * 10.0 ** rng.uniform(-6, 6, weight.shape) for weight in f.weights], f.biases, f.activation)
    g = f.balance()
    for before, after, bias in zip(g.weights[:-1], g.weights[1:], g.biases[:-1], strict=True):
        np.testing.assert_allclose((before**2).sum(axis=1) + bias**2, (after**2).sum(axis=0), rtol=1e-10)


def test_balancing_sets_dead_neurons_to_zero():
    # the second layer's first neuron hears only a dead one, the second neuron has a bias
    f = FullyConnected([[[0.0], [1.0]], [[5.0, 0.0], [0.0, 0.0]], [[1.0, 1.0]]], [[0.0, 1.0], [0.0, 2.0], [0.0]])
    g = f.balance()
    assert g.weights[0].tolist() == [[0], [0]]
    assert g.weights[2][0, 0] == 0
    np.testing.assert_allclose([g.biases[1][1], g.weights[2][0, 1]], np.sqrt(2))


def sparse_network(seed, exponent, depth):
    rng = np.random.default_rng(seed)
    return FullyConnected([10.0 ** rng.uniform(-exponent, exponent, (3, 3)) * (rng.random((3, 3)) < 0.5) for _ in range(depth)])


def test_balancing_where_undamped_steps_overflow():
    assert sparse_network(252, 15, 6).balance().is_balanced()


def test_balancing_out_of_reach_is_refused(monkeypatch):
    with pytest.raises(
        ValueError, match=r"balance needs parameters that are zero or between 1e-50 and 1e\+50 in absolute value"
    ):
        FullyConnected([np.array([[1e-60]]), np.array([[1.0]])]).balance()
    with pytest.raises(UndecidedInstances, match=r"the neurons are balanced only to .*: their weights differ by too much"):
        sparse_network(1, 49, 40).balance()
    monkeypatch.setattr("verify.networks.balancing.MAX_NEWTON_STEPS", 1)
    unbalanced = network(np.random.default_rng(7), (2, 3, 3, 1))
    pair = FullyConnected([np.stack([weight, 0 * weight]) for weight in unbalanced.weights])
    with pytest.raises(UndecidedInstances, match="the neurons are balanced only to") as raised:
        pair.balance()
    assert raised.value.where.tolist() == [True, False]


def test_balancing_has_no_exact_evaluation():
    with pytest.raises(FloatOnly, match=r"balance leaves the rationals .*as_float\(\)"):
        TWO_LAYERS.as_exact().balance()


@quick
@given(networks(), st.integers(0, 3), st.booleans())
def test_identity_layers_keep_the_function_where_the_shift_makes_them_non_negative(drawn, count, exact):
    f, rng = drawn
    f = FullyConnected(f.weights, f.biases, leaky_relu(0.25))
    x = entries(rng, 5, f.widths[0])
    for position in range(f.depth):
        shift = np.maximum(0, -f.activations(x)[position].min(axis=0)) if count else None
        g = f.insert_identity_layers(position, count, shift)
        assert g.depth == f.depth + count
        assert np.array_equal(g(x), f(x))
        if exact:
            h = f.as_exact().insert_identity_layers(position, count, None if shift is None else rationals(shift))
            assert np.all(h(rationals(x)) == rationals(f(x)))
    padded = f.pad_to_depth(f.depth + count, shift)
    assert padded.depth == f.depth + count
    assert np.array_equal(padded(x), f(x))


@quick
@given(networks(activations=RELU, min_depth=2), st.integers(0, 4))
def test_relu_needs_no_shift_and_each_layer_costs_its_width(drawn, count):
    f, rng = drawn
    x = entries(rng, 5, f.widths[0])
    g = f.pad_to_depth(f.depth + count)
    assert np.array_equal(g(x), f(x))
    assert g.parameter_norm_squared == f.parameter_norm_squared + count * f.widths[-2]


@quick
@given(networks(), st.sampled_from([(), (3,)]), st.booleans())
def test_pruning_keeps_the_function_and_leaves_no_dead_neuron(drawn, batch, exact):
    f, rng = drawn
    f = with_dead_neurons(network(rng, f.widths, batch, f.activation), rng)
    x = entries(rng, 5, *batch, f.widths[0])
    f, x = (f.as_exact(), rationals(x)) if exact else (f, x)
    g = f.prune()
    assert np.all(g(x) == f(x))
    assert not any(is_dead(g, layer, k) for layer in range(g.depth - 1) for k in range(g.widths[layer + 1]))
    assert g.prune().widths == g.widths


@quick
@given(networks(), st.booleans())
def test_embedding_keeps_function_and_norm_and_pruning_undoes_it(drawn, exact):
    f, rng = drawn
    x = entries(rng, 5, f.widths[0])
    f, x = (f.as_exact(), rationals(x)) if exact else (f, x)
    widths = (f.widths[0], *(n + int(rng.integers(0, 3)) for n in f.widths[1:-1]), f.widths[-1])
    g = f.embed(widths)
    assert g.widths == widths
    assert np.all(g(x) == f(x))
    assert g.parameter_norm_squared == f.parameter_norm_squared
    assert g.prune().widths == f.prune().widths


TWO_LAYERS = network(np.random.default_rng(6), (2, 3, 1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.rescale_neurons([]), "factors must be one array for each of 1 hidden layers, got 0"),
        (lambda f: f.rescale_neurons([np.ones(2)]), r"factors\[0\] has shape \(2,\) for a layer of 3 neurons"),
        (lambda f: f.rescale_neurons([np.array([1, 0, 1.0])]), r"factors\[0\] must be positive: a negative factor"),
        (lambda f: f.insert_identity_layers(2, 1), "position must be between 0 and 1, got 2: 2 layers"),
        (lambda f: f.insert_identity_layers(1, -1), "count must be at least 0, got -1"),
        (lambda f: f.insert_identity_layers(1, 0, np.zeros(3)), "count must be at least 1, got 0"),
        (lambda f: f.pad_to_depth(1), "depth must be at least 2, the depth of the network, got 1"),
        (lambda f: f.embed((2, 2, 1)), r"widths must have the ends of \(2, 3, 1\) and be at least as large, got \(2, 2, 1\)"),
        (lambda f: f.embed((3, 3, 1)), r"widths must have the ends of \(2, 3, 1\)"),
        (lambda f: f.embed((2, 3, 3, 1)), r"widths must have the ends of \(2, 3, 1\)"),
        (lambda f: f.embed(()), r"widths must have the ends of \(2, 3, 1\)"),
    ],
)
def test_arguments_are_validated(change, message):
    with pytest.raises(ValueError, match=message):
        change(TWO_LAYERS)


def test_identity_layers_need_slope_one():
    f = FullyConnected([np.ones((1, 1))] * 2, activation=leaky_relu(0.5)).as_exact()
    assert f.insert_identity_layers(1, 1)(rationals([3])).tolist() == [fmpq(3)]
    doubled = FullyConnected(f.as_float().weights, activation=type(absolute_value())(2, 0))
    with pytest.raises(ValueError, match="identity layers need slope 1 for t >= 0, got 2"):
        doubled.pad_to_depth(3)
