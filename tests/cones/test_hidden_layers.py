"""Hidden layers through their covariances: pre-images, norms, and pruning that keeps the outputs."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from verify.cones.covariance_pairs import contains, covariance_pair
from verify.cones.hidden_layers import (
    covariance_cost,
    covariances,
    network_from_covariances,
    network_from_representations,
    prune_hidden_layer,
    prune_network,
    regularised_norm,
    representations,
)
from verify.matrices import RankUndecided
from verify.networks import FullyConnected, absolute_value, identity, leaky_relu, relu
from verify.numbers.arithmetic import UNKNOWN, UndecidedInstances, certain_order, floats, rationals
from verify.numbers.relation import Verdict

ACTIVATIONS = [relu(), leaky_relu(Fraction(1, 4)), absolute_value(), identity()]
IDS = ["relu", "leaky", "absolute value", "identity"]


def integer_network(random, widths, activation, bias, exact):
    convert = rationals if exact else (lambda array: np.asarray(array, dtype=np.float64))
    weights = [random.integers(-3, 4, (after, before)) for before, after in pairwise(widths)]
    biases = [random.integers(-3, 4, width) * (bias != 0) for width in widths[1:]]
    activation = activation if exact else activation.as_float()
    return FullyConnected([*map(convert, weights)], [*map(convert, biases)], activation)


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "floats"])
@pytest.mark.parametrize("bias", [0, Fraction(1, 2)])
@pytest.mark.parametrize("activation", ACTIVATIONS, ids=IDS)
def test_pruning_keeps_outputs_and_does_not_raise_the_norm(activation, bias, exact):
    random = np.random.default_rng(5)
    size = 3
    network = integer_network(random, (2, 30, 25, 2), activation, bias, exact)
    inputs = random.integers(-3, 4, (size, 2))
    inputs = rationals(inputs) if exact else inputs.astype(np.float64)
    before = covariances(network, inputs, bias=bias)
    for keep, most in (("outputs", size * (size + 1) // 2), ("pair", size * (size + 1))):
        pruned = prune_network(network, inputs, bias=bias, keep=keep)
        assert max(pruned.network.widths[1:-1]) <= most
        assert pruned.norm_squared <= pruned.norm_squared_before
        scaled = pruned.scaled()
        norm = float(regularised_norm(scaled, bias=bias))
        assert norm == pytest.approx(float(Fraction(str(pruned.norm_squared))) if exact else pruned.norm_squared, rel=1e-12)
        largest = float(np.abs(floats(before.outputs)).max())
        np.testing.assert_allclose(floats(scaled(inputs)), floats(before.outputs), atol=1e-12 * (1 + largest))
        if exact:
            assert pruned.output_error == 0
            assert np.all(pruned.network(inputs) == before.outputs)
        else:
            assert pruned.output_error <= 1e-12 * (1 + largest)
        if keep == "pair":
            for old, new in zip(before.pairs, covariances(scaled, inputs, bias=bias).pairs, strict=True):
                for one, other in zip(old, new, strict=True):
                    np.testing.assert_allclose(floats(other), floats(one), atol=1e-12 * float(np.abs(floats(one)).max()))


def test_pruning_one_layer_leaves_the_others():
    random = np.random.default_rng(0)
    network = integer_network(random, (3, 4, 40, 5, 2), relu(), 0, True)
    inputs = rationals(random.integers(-4, 5, (3, 3)))
    pruned = prune_hidden_layer(network, inputs, 2)
    assert pruned.network.widths == (3, 4, 6, 5, 2)
    assert np.all(pruned.network.weights[0] == network.weights[0])
    assert np.all(pruned.network.weights[3] == network.weights[3])
    assert pruned.output_error == 0
    assert pruned.norm_squared < pruned.norm_squared_before == regularised_norm(network)
    assert certain_order(regularised_norm(pruned.scaled()), pruned.norm_squared) in (0, UNKNOWN)


def test_dead_layer_is_pruned_to_nothing():
    network = FullyConnected([rationals(np.array([[-1], [-2]])), rationals(np.array([[1, 1]]))])
    pruned = prune_network(network, rationals(np.array([[1], [2]])))
    assert pruned.network.widths == (1, 0, 1)
    assert pruned.norm_squared == 0 == pruned.output_error


def test_smallest_network_with_given_representations():
    random = np.random.default_rng(2)
    inputs = rationals(random.integers(-3, 4, (3, 4)))
    network = integer_network(random, (4, 6, 2), relu(), 1, True)
    layers = representations(network, inputs)
    assert [layer.shape for layer in layers] == [(6, 3), (2, 3)]
    smallest = network_from_representations(inputs, layers, relu(), bias=1)
    for one, other in zip(layers, representations(smallest, inputs), strict=True):
        assert np.all(one == other)
    cost = covariance_cost(network, inputs, bias=1)
    assert regularised_norm(smallest, bias=1) == cost < regularised_norm(network, bias=1)


@pytest.mark.parametrize("distance", [1e-3, 1e-7, 1e-8, 1e-9])
def test_the_cost_of_neighbouring_points_is_that_of_their_representations(distance):
    # the Gram matrix has the condition 4 / distance**2: its smaller eigenvalue is lost in floats
    inputs = np.array([[1.0, 0.0], [1.0, distance]])
    network = FullyConnected([np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[1.0, -1.0]])])
    exact = covariance_cost(network.as_exact(), rationals(inputs))
    assert float(exact) == pytest.approx(8.25, rel=1e-12)  # no weight is unseen
    assert covariance_cost(network, inputs) == pytest.approx(8.25, rel=1e-15 / distance)


def test_a_cost_that_floats_do_not_decide_is_refused():
    inputs = np.array([[1.0, 0.0], [1.0, 1e-12]])
    network = FullyConnected([np.eye(2), np.ones((1, 2))])
    assert covariance_cost(network.as_exact(), rationals(inputs)) == 4
    with pytest.raises(RankUndecided):
        covariance_cost(network, inputs)
    with pytest.raises(RankUndecided):
        prune_network(network, inputs)


def test_covariances_give_a_network():
    random = np.random.default_rng(4)
    network = integer_network(random, (3, 30, 1), relu(), 0, True)
    inputs = rationals(random.integers(-3, 4, (3, 3)))
    reached = covariances(network, inputs)
    found = contains(*reached.pairs[0], relu())
    assert found.verdict == Verdict.HOLDS
    built = network_from_covariances(inputs, [(found.weights, found.vectors)], reached.outputs, relu())
    assert built.output_error == 0
    assert built.norm_squared == covariance_cost(network, inputs)
    assert built.network.widths[1] <= 12


def test_scaling_is_exact_for_squares():
    vectors, weights = rationals(np.array([[1, 0], [0, 2]])), rationals(np.array([4, 9]))
    built = network_from_covariances(
        rationals(np.eye(2, dtype=int)), [(weights, vectors)], rationals(np.array([[1], [2]])), relu()
    )
    scaled = built.scaled()
    assert regularised_norm(scaled) == built.norm_squared
    K, K_sigma = covariance_pair(vectors, relu(), 0, weights)
    reached = covariances(scaled, rationals(np.eye(2, dtype=int)))
    assert np.all(reached.pairs[0][0] == K)
    assert np.all(reached.pairs[0][1] == K_sigma)


def test_inputs_are_not_written_to():
    inputs, weights = np.ones((2, 1)), np.ones((3, 1))
    for array in (inputs, weights):
        array.flags.writeable = False
    assert prune_network(FullyConnected([weights, weights.T]), inputs).network.widths == (1, 1, 1)


def test_errors():
    network = FullyConnected([np.ones((3, 2)), np.ones((1, 3))], [np.ones(3), np.zeros(1)])
    inputs = np.ones((4, 2))
    with pytest.raises(ValueError, match="bias is 0 but the network has biases that are not"):
        regularised_norm(network)
    with pytest.raises(ValueError, match="layer must be a hidden layer, between 1 and 1, got 2"):
        prune_hidden_layer(network, inputs, 2, bias=1)
    with pytest.raises(ValueError, match="keep must be 'outputs' or 'pair', got 'norm'"):
        prune_network(network, inputs, bias=1, keep="norm")
    with pytest.raises(ValueError, match="is float but inputs is exact"):
        representations(network, rationals(inputs))
    batch = FullyConnected([np.ones((5, 3, 2)), np.ones((5, 1, 3))])
    with pytest.raises(ValueError, match="network must be one network, got a batch of shape \\(5,\\)"):
        prune_network(batch, inputs)
    points = np.array([[1.0], [1.0]])
    with pytest.raises(ValueError, match="layer 1 is not in the range of the layer before"):
        network_from_representations(points, [np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]])], relu())
    with pytest.raises(ValueError, match="layer 2 is not in the range of the layer before"):
        network_from_representations(rationals(points), [rationals(points.T), rationals(np.array([[1, 2]]))], relu())
    with pytest.raises(ValueError, match="weights of decompositions\\[0\\] must be positive"):
        network_from_covariances(points, [(np.zeros(1), np.ones((1, 2)))], points, relu())
    with pytest.raises(ValueError, match="vectors of decompositions\\[0\\] must have shape \\(k, 2\\), got \\(1, 3\\)"):
        network_from_covariances(points, [(np.ones(1), np.ones((1, 3)))], points, relu())
    with pytest.raises(ValueError, match="outputs must have shape \\(2, n_L\\)"):
        network_from_covariances(points, [], np.ones((3, 1)), relu())


def test_floats_that_lose_a_layer_leave_the_network_undecided():
    said = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        widths = [2, 5, 5, 5, 1]
        weights = [rng.integers(-3, 4, (b, a)) * 2.0 ** rng.choice((-30, 0, 30)) for a, b in pairwise(widths)]
        inputs = rng.integers(-3, 4, (4, 2)) * 2.0 ** rng.choice((-20, 0, 20), size=(4, 1))
        try:
            prune_network(FullyConnected(weights, [np.zeros(b) for b in widths[1:]]), inputs, bias=1.0)
        except UndecidedInstances as error:
            said.append(str(error))
    assert any(one.startswith("floats lose the layers of this network: layer ") for one in said)
