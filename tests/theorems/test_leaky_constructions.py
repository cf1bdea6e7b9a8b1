"""Constructions of the theorems on leaky ResNets: what they refuse, and values known from elsewhere."""

import numpy as np
import pytest

from theorems.leaky_resnets.constructions.varied_networks import two_point_network
from theorems.leaky_resnets.constructions.wider_weights import widened_weights
from verify.networks.leaky_resnet import squared_norm
from verify.numbers.arithmetic import rationals


def one(value):
    return np.array(value, dtype=float)


def test_wider_weights_need_a_column_and_a_bias():
    A, weights = np.ones((2, 3)), np.ones((2, 3))
    with pytest.raises(ValueError, match="point must be a column of A, from 0 to 2, got 3"):
        widened_weights(A, weights, one(1), one(1), one(1), point=3)
    with pytest.raises(ValueError, match=r"W must have the shape \(2, 3\), with a bias, got \(2, 2\)"):
        widened_weights(A, weights[:, :2], one(1), one(1), one(1))


def test_wider_weights_without_a_neuron_are_the_weights():
    A, weights = rationals([[1, -2], [3, 4]]), rationals([[1, 2, 3], [4, 5, 6]])
    wider = widened_weights(A, weights, rationals(2), rationals(0), rationals(1))
    assert wider.shape == (3, 4)
    assert (wider[:2, [0, 1, 3]] == weights).all()
    assert squared_norm(wider) == squared_norm(weights)


@pytest.mark.parametrize("name", ["second", "gap", "rate", "leak"])
def test_two_point_networks_need_positive_numbers(name):
    values = {"second": one(1), "gap": one(1), "rate": one(1), "leak": one(1), name: one(-0.5)}
    with pytest.raises(ValueError, match=f"{name} must be positive, got -0.5"):
        two_point_network(**values, depth=2)


def test_two_point_networks_need_short_steps():
    with pytest.raises(ValueError, match=r"1 - leak \(1 - rate\)/depth must be positive, got -0.5"):
        two_point_network(one(1), one(1), one(0.25), one(2), depth=1)


def test_two_point_network_has_no_slope_for_its_target():
    critical = two_point_network(*(rationals(value) for value in ("1", "1", "3/4", "1")), depth=3)
    network, ridge = critical.network, rationals("1/4")
    values = network.activations(critical.activations[0])
    adjoints = network.adjoints(values, (critical.target(ridge) - values[-1]) / ridge)
    for layer, adjoint in enumerate(adjoints):
        assert (adjoint == critical.adjoints[layer]).all()
