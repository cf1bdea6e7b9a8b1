"""The conic Frank-Wolfe method against the closed forms; in floats, so that it is no exact part of its claim."""

from __future__ import annotations

import numpy as np
import pytest

from verify.cones.reference import conic_frank_wolfe, linear_network, one_point
from verify.networks import HomogeneousActivation, identity, relu

ACCURACY = 1e-6


def test_one_data_point():
    x, y = np.array([[1.0, -2.0]]), np.array([[3.0, -1.0]])
    activation = HomogeneousActivation(1.0, 0.5)
    closed = one_point(x, y, activation, 2).value
    assert conic_frank_wolfe(x, y, activation).value == pytest.approx(closed, rel=ACCURACY)


def test_the_identity_costs_twice_the_nuclear_norm():
    x, y = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]), np.array([[1.0, 2.0], [0.0, 1.0], [-2.0, -2.0]])
    assert conic_frank_wolfe(x, y, identity()).value == pytest.approx(linear_network(x, y, 2).value, rel=ACCURACY)


def test_completely_positive_outputs_and_two_minimisers():
    outputs = np.array([[2.0, 0, 1, 1], [0, 2, 1, 1], [1, 1, 2, 0], [1, 1, 0, 2]])
    assert conic_frank_wolfe(np.eye(4), outputs, relu()).value == pytest.approx(16, rel=ACCURACY)
    both = conic_frank_wolfe(np.array([[-1.0], [1.0]]), np.full((2, 1), 6.0), relu(), bias=3**-0.5)
    assert both.value == pytest.approx(12 * 3**0.5 - 1, rel=ACCURACY)
