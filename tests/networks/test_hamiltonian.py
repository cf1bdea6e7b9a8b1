from __future__ import annotations

import numpy as np
import pytest

from verify.arithmetic import FloatOnly, UndecidedInstances, floats, rationals
from verify.networks.leaky_resnet import (
    activation_kernel,
    adjoint_velocity,
    hamiltonian,
    integrate_hamiltonian,
    kernel_norm_squared,
    squared_norm,
    velocity,
)


@pytest.fixture
def phase_point():
    rng = np.random.default_rng(3)
    return rng.integers(-8, 9, (2, 5, 3, 4)) / 8


def test_floats_and_rationals_agree(phase_point):
    A, B = phase_point
    exact_A, exact_B = rationals(A), rationals(B)
    for function in (hamiltonian, velocity, adjoint_velocity):
        np.testing.assert_allclose(function(A, B), floats(function(exact_A, exact_B)), rtol=1e-13, atol=1e-13)


def test_the_kernel_is_the_gram_matrix_of_the_features_with_their_bias_row(phase_point):
    A, _ = phase_point
    features = np.concatenate([np.maximum(A, 0), np.ones((5, 1, 4))], axis=-2)
    np.testing.assert_array_equal(activation_kernel(A), features.swapaxes(-1, -2) @ features)


def test_the_kernel_norm_is_that_of_the_smallest_weights(phase_point):
    A, B = phase_point
    A, B = A[..., :2], B[..., :2]  # fewer points than neurons: the kernel is invertible
    features = np.concatenate([np.maximum(A, 0), np.ones((5, 1, 2))], axis=-2)
    weights = B @ np.linalg.pinv(features)
    np.testing.assert_allclose(kernel_norm_squared(B, activation_kernel(A)), squared_norm(weights), rtol=1e-10)


def test_inputs_may_be_read_only_and_are_not_changed(phase_point):
    phase_point.setflags(write=False)
    before = phase_point.copy()
    integrate_hamiltonian(phase_point[0], phase_point[1] / 8, np.full(5, 0.5))
    np.testing.assert_array_equal(phase_point, before)


def test_the_pure_bias_trajectory_is_integrated_to_its_closed_form():
    start, adjoint, leak = np.array([-1.0, -2.0, -0.75]), np.array([0.5, -1.0, -0.25]), np.array([0.2, 1.0, 1.5])
    path = integrate_hamiltonian(start[:, None, None], adjoint[:, None, None], leak)
    growth = np.exp(leak[:, None] * np.linspace(0, 1, 65))
    closed = adjoint[:, None] / 2 * growth + (start - adjoint / 2)[:, None] / growth
    np.testing.assert_allclose(path.activations[..., 0, 0], closed, rtol=1e-7)
    np.testing.assert_allclose(path.adjoints[..., 0, 0], adjoint[:, None] * growth, rtol=1e-7)
    assert path.accuracy.max() < 1e-7


def test_a_critical_weight_moves_the_network_along_the_trajectory(phase_point):
    A, B = phase_point[0], phase_point[1] / 4
    features = np.concatenate([np.maximum(A, 0), np.ones((5, 1, 4))], axis=-2)
    weights = B @ features.swapaxes(-1, -2)  # divided by the leak
    np.testing.assert_allclose(velocity(A, B), weights @ features - A, atol=1e-13)


def test_rationals_are_not_integrated(phase_point):
    with pytest.raises(FloatOnly, match="no exact evaluation"):
        integrate_hamiltonian(rationals(phase_point[0]), rationals(phase_point[1]), rationals(np.ones(5)))


def test_a_trajectory_that_runs_away_is_reported():
    with np.errstate(all="ignore"), pytest.raises(UndecidedInstances, match="gave up"):
        integrate_hamiltonian(np.full((1, 1, 1), -1.0), np.full((1, 1, 1), 1.0), np.array([800.0]))
