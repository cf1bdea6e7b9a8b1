"""What the experiments on leaky ResNets compute, against other ways to compute it."""

import numpy as np
import pytest

from theorems.leaky_resnets.experiments import fig_1, fig_2, fig_3
from theorems.leaky_resnets.experiments.adaptive_training import (
    Continued,
    Path,
    adjoints,
    averaged_path,
    initial_weights,
    padded,
    standardised,
    train_adaptively,
)
from verify.experiments import Table
from verify.networks.leaky_resnet import LeakyResNet, activation_kernel, critical_weights, equidistant_steps
from verify.networks.training import Adam, Cosine, loss_and_gradient, train

LEAK = 3.0
ROUNDING = 64 * float(np.finfo(np.float32).eps)
"""Relative: what sums over 15 points and 6 layers may lose in float32, some ulps for each layer."""


def close(found, expected):
    """Whether two arrays agree up to rounding, relative to the largest entry."""
    return np.abs(found - expected).max() <= ROUNDING * np.abs(expected).max()


@pytest.fixture
def problem():
    """Networks of two seeds, with inputs and targets."""
    rng = np.random.default_rng(5)
    network = LeakyResNet(initial_weights([0, 1], 0, LEAK, 4, 6), LEAK, np.full((2, 6), 1 / 6))
    x, y = (standardised(rng.standard_normal((2, 2, 15))).astype(np.float32) for _ in range(2))
    return network, padded(x, 4), y


def test_rows_are_standardised_and_padded():
    values = standardised(np.random.default_rng(0).standard_normal((3, 2, 50)) * 4 + 1)
    assert np.allclose(values.mean(axis=-1), 0)
    assert np.allclose(values.std(axis=-1), 1)
    wide = padded(values, 5)
    assert wide.shape == (3, 5, 50)
    assert np.array_equal(wide[:, :2], values)
    assert not wide[:, 2:].any()


def test_what_a_seed_starts_from_does_not_depend_on_the_others():
    both, alone = initial_weights([3, 7], 1, LEAK, 4, 2), initial_weights([7], 1, LEAK, 4, 2)
    assert all(np.array_equal(one[1:], other) for one, other in zip(both, alone, strict=True))


def test_layers_start_near_a_multiple_of_the_identity():
    weights = np.stack(initial_weights(range(500), 1, LEAK, 4, 2))
    deviation = LEAK / (2 * 4**0.5)
    assert np.std(weights - LEAK * np.eye(4, 5)) == pytest.approx(deviation, rel=0.03)
    # five standard deviations of a mean of 1000 numbers
    assert np.abs(weights.mean(axis=(0, 1)) - LEAK * np.eye(4, 5)).max() < 5 * deviation / 1000**0.5


def test_training_in_pieces_is_training_at_once(problem):
    network, x, y = problem
    pieces = train_adaptively(network, x, y, steps=120, optimiser=Continued(Adam(0.01)), ridge=1e-3, adaptive=False)
    whole = train(network, x, y, steps=120, optimiser=Adam(0.01), ridge=1e-3).network
    assert all(np.array_equal(one, other) for one, other in zip(pieces.weights, whole.weights, strict=True))


def test_only_adaptive_networks_move_their_steps_and_make_them_even(problem):
    network, x, y = problem
    adaptive = np.array([False, True])
    adam = Continued(Adam(Cosine(3e-3, 2000)))
    trained = train_adaptively(network, x, y, steps=2000, optimiser=adam, ridge=3e-3, adaptive=adaptive)
    assert np.array_equal(trained.steps[0], network.steps[0])
    assert trained.steps[1].sum() == pytest.approx(1, abs=1e-5)
    relative = trained.relative_distances(trained.activations(x)) * trained.steps
    fixed, moved = relative.max(axis=-1) / relative.min(axis=-1)
    assert moved < 1.1 < 1.3 < fixed


def test_adjoints_are_the_gradient_over_the_features(problem):
    network, x, y = problem
    ridge = 0.02
    activations = network.activations(x)
    found = adjoints(network, activations, y, ridge)
    _, gradient = loss_and_gradient(network, x, y)
    for layer, slope in enumerate(gradient):
        # the gradient of the cost alone is minus lambda rho B sigma(A)^T, and lambda is 2 L times the ridge
        weights = critical_weights(activations[layer], found[layer + 1], LEAK)
        assert close(-2 * ridge * network.steps[:, layer, None, None] * weights, slope)


def test_the_average_over_networks_that_rest_is_their_path(problem):
    network, x, y = problem
    path = averaged_path(network, x, y, steps=20, optimiser=Continued(Adam(0.0)), ridge=0.02)
    assert close(path.activations, np.stack(network.activations(x)))
    assert close(path.adjoints, np.stack(adjoints(network, network.activations(x), y, 0.02)))


def test_energies_differ_by_what_gamma_does(monkeypatch):
    rng = np.random.default_rng(2)
    before, momenta = rng.uniform(0.5, 2, (3, 4)), rng.standard_normal((3, 4))
    weights = critical_weights(before, momenta, LEAK)
    network = LeakyResNet([weights], LEAK, equidistant_steps(1) / 4)
    path = Path(network, np.stack(network.activations(before)), np.stack([np.zeros_like(momenta), momenta]))
    monkeypatch.setattr(fig_1, "GAMMA", 0.1)
    (found,) = fig_1.energies(path)
    kernel = activation_kernel(before)
    gamma = 0.1 * np.linalg.eigvalsh(kernel)[-1]
    inverse = np.linalg.inv(kernel + gamma * np.eye(4))
    velocity = momenta @ kernel - before
    assert found["kinetic"] == pytest.approx(np.trace(velocity @ inverse @ velocity.T))
    assert found["identity"] == pytest.approx(np.trace(before @ inverse @ before.T))
    change = gamma * (2 * np.trace(velocity @ inverse @ momenta.T) - np.trace(momenta @ kernel @ inverse @ momenta.T))
    assert found["stable"] - found["hamiltonian"] == pytest.approx(change)


def test_sizes_are_those_of_the_path():
    activations = np.zeros((3, 1, 2, 2))
    activations[:, 0, 0, 0] = [0, 3, 7]
    momenta = np.zeros((3, 1, 2, 2))
    momenta[1:, 0, 1, 0] = [2, 1]
    network = LeakyResNet([np.full((1, 2, 3), 0.5), np.zeros((1, 2, 3))], 2.0)
    found = fig_3.sizes(Path(network, activations, momenta))
    # features of the layer from A_1: 3 and the bias 1, with the last adjoint
    wanted = {"length": 7, "adjoints": 2, "products": 10**0.5, "weights": 1.5**0.5}
    assert {name: float(value[0]) for name, value in found.items()} == pytest.approx(wanted)


def test_the_gap_is_that_to_the_rank_of_the_middle():
    rows = [
        {"depth": 4, "seed": 0, "position": position, "hamiltonian": energy, "s1": 1.2, "s2": second, "s3": 0.1}
        for position, energy, second in ((0, -5, 0.9), (0.4, 1.5, 0.8), (0.6, 1.7, 0.2))
    ]
    assert fig_1.gap(Table(rows)) == pytest.approx(2 - 1.5)
    assert fig_1.gaps(Table(rows)) == {"depth 4": [pytest.approx(0.5)]}


def test_teachers_are_the_same_for_all_and_differ():
    recipe = fig_2.EXPERIMENT.recipes["smoke"]
    x = np.random.default_rng(0).standard_normal((recipe.dimension, 8))
    first, again, other = (fig_2.teacher(number, recipe)(x) for number in (0, 0, 1))
    assert first.shape == x.shape
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


def test_test_errors_are_compared_by_geometric_means():
    errors = {(4, "equidistant"): 2.0, (4, "adaptive"): 1.0, (8, "equidistant"): 1.0, (8, "adaptive"): 2.0}
    rows = [
        {"panel": "errors", "layers": layers, "scheme": scheme, "teacher": 1, "seed": seed, "error": error * (1 + seed)}
        for (layers, scheme), error in errors.items()
        for seed in (0, 1)
    ]
    table = Table(rows)
    assert np.allclose(fig_2.by_teacher(table)["teacher 1"], [1, 1])
    assert np.allclose(fig_2.by_layers(table)["8 layers"], [2, 2])
