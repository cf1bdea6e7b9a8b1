"""What constructions of the theorem modules accept, and that they say so."""

import numpy as np
import pytest

from theorems.bottleneck_structure.constructions.balanced import balanced_network
from theorems.bottleneck_structure.homogeneous_activations.normal_form import normal_form
from theorems.bottleneck_structure.narrowness.hessian import values_along
from theorems.bottleneck_structure.narrowness.kernel import parameter_jacobian
from theorems.leaky_resnets.balanced_fully_connected import three_critical_layers
from theorems.notion_of_rank.no_tripoints.statement import derivative_along
from verify.networks import FullyConnected

ONE = np.array(1.0)
NETWORK = FullyConnected([np.array([[1.0, -2.0], [0.5, 1.0]]), np.array([[1.0, 3.0]])], [np.array([2.0, 1.0]), np.array([1.0])])


def balanced(first=(2, 2), roots=(1, 2), inner=(0, 2, 1), root=1.0):
    return balanced_network(np.ones(first), root * np.ones(roots), np.ones(inner), np.ones((2, 0)), np.ones(1), ONE / 2)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: normal_form(np.array(np.nan), ONE), "p and q must be finite, got nan and 1.0"),
        (lambda: balanced(roots=(1, 3)), r"roots must have one for each neuron .* got \(1, 3\) for first \(2, 2\)"),
        (lambda: balanced(inner=(2, 2, 1)), r"inner must have 0 layers of directions, L - 2, got the shape \(2, 2, 1\)"),
        (lambda: balanced(root=0.0), "roots must be positive"),
        (lambda: three_critical_layers(ONE, ONE / 2), "u must be between 0 and 1, got 1.0"),
    ],
)
def test_what_is_not_accepted(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_derivative_along_is_the_limit_of_difference_quotients_at_a_kink_too():
    for x in ([0.5, 1.25], [0.0, 1.0], [1.0, -1.5]):
        for direction in ([1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [2.0, -1.0], [-2.0, -1.0]):
            moved = NETWORK(np.array(x) + np.array(direction) / 1024) - NETWORK(np.array(x))
            assert derivative_along(NETWORK, np.array(x), np.array(direction)) == pytest.approx(1024 * moved, rel=1e-9)


def test_a_balanced_network_is_balanced():
    assert balanced().is_balanced()


def test_values_along_a_direction_are_a_taylor_expansion():
    x, rng, step = np.array([0.5, -0.25]), np.random.default_rng(0), 1e-3
    direction = rng.standard_normal(9)
    value, first, second = values_along(NETWORK, x, direction)
    weights = [direction[:4].reshape(2, 2), direction[6:8].reshape(1, 2)]
    biases = [direction[4:6], direction[8:]]
    moved = [
        FullyConnected(
            [w + t * v for w, v in zip(NETWORK.weights, weights, strict=True)],
            [b + t * c for b, c in zip(NETWORK.biases, biases, strict=True)],
            NETWORK.activation,
        )(x)
        for t in (-step, 0, step)
    ]
    np.testing.assert_allclose(value, moved[1])
    np.testing.assert_allclose(first, parameter_jacobian(NETWORK, x) @ direction)
    # central differences: step^2 of third and fourth derivatives, here below ten times the value, and rounding over step^2
    np.testing.assert_allclose(first, (moved[2] - moved[0]) / (2 * step), rtol=1e-5)
    np.testing.assert_allclose(second, (moved[2] - 2 * moved[1] + moved[0]) / (2 * step**2), rtol=1e-5)
