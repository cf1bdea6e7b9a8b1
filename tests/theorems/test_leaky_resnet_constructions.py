"""Constructions of the statements on the cost of identity: what they build, and what they refuse."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from theorems.leaky_resnets.constructions.wide_layers import neuron_weights, path_to_dead_neuron
from theorems.leaky_resnets.prop_1.minimiser import best_features
from theorems.leaky_resnets.prop_2.descent import descent_direction
from verify.networks.leaky_resnet import cost_of_identity
from verify.numbers.arithmetic import fraction, rationals

STILL = [[1, "-1/2", 0], ["3/10", 1, 0]]
"""A negative entry, and no bias in the smallest weights: shrinking saves nothing."""


def moved(A, direction, step):
    start = np.concatenate([A, 0 * A[:1]])
    return start + step * direction


def test_descent_appends_a_neuron_where_shrinking_saves_nothing():
    A = rationals(STILL)
    direction = descent_direction(A)
    assert np.all(direction[:2] == 0)
    before = cost_of_identity(A)[()]
    assert fraction(before) == Fraction(1029, 400)
    for step in (rationals("1/2")[()], rationals("1/100")[()]):
        saved = before - cost_of_identity(moved(A, direction, step))[()]
        # the coefficient of the square of the step is 1/4: the negative part of the second point
        assert 0 < fraction(saved) < fraction(step) ** 2 / 4
    assert abs(float(fraction(saved)) - 0.25e-4) < 1e-7


def test_descent_shrinks_where_the_bias_matters():
    A = np.array([[1.0, -2.0]])
    direction = descent_direction(A)
    np.testing.assert_array_equal(direction, [[-1, 2], [0, 0]])
    costs = [cost_of_identity(moved(A, direction, step)) for step in (0, 0.25, 0.5)]
    assert costs[0] > costs[1] > costs[2]


def test_descent_takes_batches_of_read_only_arrays():
    A = np.array([[[1.0, -2.0]], [[-1.0, 3.0]]])
    A.flags.writeable = False
    np.testing.assert_array_equal(descent_direction(A)[1], descent_direction(A[1]))


@pytest.mark.parametrize(
    ("A", "message"),
    [
        (np.array([[1.0, 2.0]]), "A must have a negative entry"),
        (np.array([[-1.0, -2.0]]), "A must have a finite cost of identity"),
        (np.array([[-1.0, np.nan]]), "A must be finite"),
        (np.array([-1.0, 1.0]), "A must have at least 2 axes"),
        (np.empty((0, 3)), "A must have at least one row and one column"),
    ],
)
def test_descent_names_what_is_wrong(A, message):
    with pytest.raises(ValueError, match=message):
        descent_direction(A)


def test_best_features_have_the_norm_and_attain_the_effective_dimension():
    A = np.array([[3.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    B = best_features(A)
    assert np.linalg.norm(B) == pytest.approx(5, rel=1e-14)
    assert np.linalg.norm(A @ np.linalg.pinv(B)) ** 2 == pytest.approx(49 / 25, rel=1e-13)
    with pytest.raises(ValueError, match="A must not be zero"):
        best_features(0 * A)
    with pytest.raises(ValueError, match="A must be finite"):
        best_features(np.full((1, 2), np.inf))


def test_weights_of_neurons_leave_some_out():
    rng = np.random.default_rng(0)
    A = rationals(rng.integers(-3, 4, (7, 2)))
    weights = neuron_weights(A)
    assert np.count_nonzero(weights) <= 6
    assert all(weight >= 0 for weight in weights)
    for part in (A, np.where(A > 0, A, 0)):
        np.testing.assert_array_equal(part.T @ (weights[:, None] * part), part.T @ part)
    end = path_to_dead_neuron(A, rationals(1), weights)
    assert any(np.all(row == 0) for row in end)


def test_the_path_keeps_the_cost():
    A = np.random.default_rng(1).standard_normal((7, 2))
    weights = neuron_weights(A)
    costs = [cost_of_identity(path_to_dead_neuron(A, np.array(time), weights)) for time in (0.0, 0.3, 1.0)]
    np.testing.assert_allclose(costs, cost_of_identity(A), rtol=1e-10)


def test_the_path_names_what_is_wrong():
    A, ones = np.array([[1.0], [-1.0], [2.0]]), np.ones(3)
    with pytest.raises(ValueError, match="time must be from 0 to 1, got 1"):
        path_to_dead_neuron(A, np.array(1.5), ones)
    with pytest.raises(ValueError, match="weights must be 3 numbers"):
        path_to_dead_neuron(A, np.array(0.5), ones[:2])
    with pytest.raises(ValueError, match="none negative"):
        path_to_dead_neuron(A, np.array(0.5), -ones)
    with pytest.raises(ValueError, match="A must be finite"):
        neuron_weights(np.full((3, 1), np.nan))
