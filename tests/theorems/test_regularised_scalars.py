"""The scalar problem of ridge regularisation against the reference solvers, and what its functions refuse."""

import numpy as np
import pytest

from theorems.notion_of_rank.constructions.constants import constant_network, cost_of_a_constant
from theorems.notion_of_rank.constructions.diagonal import balanced_layers, tied_vectors
from theorems.notion_of_rank.constructions.shallow import balanced_neurons
from theorems.notion_of_rank.ridge.jump import critical_ridge, target_of_the_jump
from theorems.shared.scalars import largest_stationary_root, least_objective
from verify.cones.reference import line_socp, linear_network, one_point, shallow_sdp
from verify.networks import FullyConnected, relu
from verify.numbers.arithmetic import floats, rationals

GRID = np.linspace(0, 4, 201)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 7])
@pytest.mark.parametrize(("target", "ridge"), [(3.0, 0.25), (1.0, 0.25), (0.5, 1.5), (0.0, 0.5)])
def test_minimum_over_linear_networks(depth, target, ridge):
    found = float(least_objective(np.array(target), np.array(ridge), depth))
    values = [(a - target) ** 2 + ridge * linear_network(np.eye(1), np.array([[a]]), depth).value for a in GRID]
    # the cost is concave: the objective curves by that of (a - target)**2 at most
    assert -1e-12 <= min(values) - found <= (GRID[1] / 2) ** 2
    assert float(least_objective(rationals(target), rationals(ridge), depth)) == pytest.approx(found, rel=1e-14)


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_minimum_over_networks_at_one_point(depth):
    x, y, ridge = np.array([[1.2, -0.5]]), np.array([[2.0, 1.0]]), 0.3
    size, length = np.linalg.norm(x), np.linalg.norm(y)
    found = float(least_objective(length, ridge, depth, size))
    shares = np.linspace(0, 1, 201)
    labels = [share * y for share in shares]
    values = [((label - y) ** 2).sum() + ridge * one_point(x, label, relu(), depth).value for label in labels]
    assert -1e-12 <= min(values) - found <= (shares[1] * length / 2) ** 2


def test_minimum_over_shallow_networks_at_one_point():
    x, y, ridge = np.array([[1.5]]), np.array([[2.0]]), 0.5
    value = float(least_objective(2.0, 0.5, 2, 1.5))
    assert shallow_sdp(x, y, relu(), ridge=ridge).value == pytest.approx(value, rel=1e-6)
    assert line_socp(x, y, ridge=ridge).value == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("depth", [3, 4, 6])
def test_the_minimiser_jumps_at_the_critical_ridge(depth):
    jump = rationals("3/4")
    target, ridge = target_of_the_jump(jump, depth), critical_ridge(jump, depth)
    below = floats(least_objective(target, ridge * 999 / 1000, depth))
    above = floats(least_objective(target, ridge * 1001 / 1000, depth))
    assert below < floats(target**2) == above
    root = floats(largest_stationary_root(target, ridge, depth))
    assert root == pytest.approx(0.75, rel=1e-14)


@pytest.mark.parametrize("value", [0.3, 1.0, 1.7, 4.0])
def test_constants_against_the_reference_for_one_point_at_zero(value):
    reference = line_socp(np.zeros((1, 1)), np.array([[value]]), bias=1)
    assert float(cost_of_a_constant(value, 2)) == pytest.approx(reference.value, rel=1e-6)


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_constant_networks_are_constant(depth):
    values = np.array([-5.0, -1.5, 0.0, 0.5, 2.0, 3.0])
    network = constant_network(values, depth)
    assert network.depth == depth
    for x in (-2.0, 0.0, 7.0):
        np.testing.assert_allclose(network(np.full((6, 1), x))[:, 0], values, rtol=1e-14, atol=0)
    if depth <= 3:
        np.testing.assert_allclose(network.parameter_norm_squared, cost_of_a_constant(values, depth), rtol=1e-14)


def test_neurons_without_effect_become_zero():
    network = FullyConnected(
        [np.array([[3.0], [1.0], [0.0]]), np.array([[4.0, 0.0, 2.0]])], [np.array([4.0, 1.0, 0.0]), np.array([1.0])]
    )
    balanced = balanced_neurons(network)
    assert balanced.parameter_norm_squared == pytest.approx(2 * 5 * 4 + 1)
    np.testing.assert_array_equal(balanced.weights[0][1:], 0)
    np.testing.assert_allclose(balanced(np.array([2.0])), network(np.array([2.0])))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: least_objective(1.0, 1.0, 0), "depth must be at least 1, got 0"),
        (lambda: least_objective(-1.0, 1.0, 3), "target must be at least 0"),
        (lambda: least_objective(np.nan, 1.0, 3), "target must be finite"),
        (lambda: least_objective(1.0, 0.0, 3), "ridge must be above 0"),
        (lambda: least_objective(rationals(1), rationals(-1), 3), "ridge must be above 0"),
        (lambda: least_objective(1.0, 1.0, 3, gain=0.0), "gain must be above 0"),
        (lambda: balanced_layers(np.ones(2), 0), "depth must be at least 1, got 0"),
        (lambda: tied_vectors(np.ones(2), 0), "depth must be at least 1, got 0"),
        (lambda: cost_of_a_constant(np.array(1.0), 4), "depth must be 1, 2 or 3, got 4"),
        (lambda: constant_network(np.array(1.0), 0), "depth must be at least 1, got 0"),
        (lambda: balanced_neurons(FullyConnected([np.eye(1)] * 3)), "network must have depth 2, got 3"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
