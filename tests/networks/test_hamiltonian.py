from __future__ import annotations

import numpy as np
import pytest

from verify.networks.leaky_resnet import (
    activation_kernel,
    adjoint_velocity,
    critical_weights,
    hamiltonian,
    integrate_hamiltonian,
    kernel_norm_squared,
    squared_norm,
    velocity,
)
from verify.networks.leaky_resnet.hamiltonian import RELATIVE_ACCURACY
from verify.numbers.arithmetic import FloatOnly, UndecidedInstances, floats, rationals

# what some tens of steps make of the tolerance of one, with growth by less than e ** 3
ACCURACY = 1000 * RELATIVE_ACCURACY


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
        integrate_hamiltonian(np.full((1, 1, 1), 1.0), np.full((1, 1, 1), 300.0), np.array([1.0]))


def test_without_bias_diagonal_activations_stay_diagonal():
    leak, rates, start = 1.5, np.array([0.5, -0.25]), np.array([2.0, 0.75])
    path = integrate_hamiltonian(np.diag(start), np.diag(rates / start), leak, 17, bias=False)
    positions = np.linspace(0, 1, 17)[:, None]
    closed = start * np.exp(-leak * (1 - rates) * positions)
    np.testing.assert_allclose(np.diagonal(path.activations, axis1=-2, axis2=-1), closed, atol=ACCURACY)
    np.testing.assert_allclose(np.diagonal(path.adjoints, axis1=-2, axis2=-1), rates / closed, atol=ACCURACY)
    energies = hamiltonian(path.activations, path.adjoints, bias=False)
    np.testing.assert_allclose(-2 * energies, (1 - (1 - rates) ** 2).sum(), atol=ACCURACY)


def test_the_energy_drifts_by_no_more_than_the_steps_allow():
    rng = np.random.default_rng(5)
    A, B, leak = rng.uniform(-2, 2, (20, 2, 3)), rng.uniform(-1, 1, (20, 2, 3)), rng.uniform(0.25, 2, 20)
    path = integrate_hamiltonian(A, B, leak)
    energies = hamiltonian(path.activations, path.adjoints)
    gradient = squared_norm(velocity(path.activations, path.adjoints))
    gradient = np.sqrt(gradient + squared_norm(adjoint_velocity(path.activations, path.adjoints))).max(axis=-1)
    drift = abs(energies - energies[:, :1]).max(axis=-1)
    assert (drift <= path.step_errors * gradient).all()
    crossed = ((path.activations > 0) != (path.activations[:, :1] > 0)).any(axis=(-3, -2, -1))
    assert crossed.any()
    assert not crossed.all()
    # root mean squares over all 240 numbers of the batch
    assert path.step_errors[~crossed].max() < np.sqrt(240) * 10 * ACCURACY


def test_a_negative_leak_integrates_backwards(phase_point):
    A, B = phase_point[0], phase_point[1] / 8
    there = integrate_hamiltonian(A, B, 0.5)
    back = integrate_hamiltonian(there.activations[:, -1], there.adjoints[:, -1], -0.5)
    np.testing.assert_allclose(back.activations[:, -1], A, atol=ACCURACY)


BAD = {
    "shapes": ((np.ones((1, 2)), np.ones((2, 2))), r"activations and adjoints must have equal shapes \(w, N\)"),
    "batch": (
        (np.ones((2, 1, 2)), np.ones((3, 1, 2))),
        r"batch axes must broadcast, got \(2,\) of activations, \(3,\) of adjoints",
    ),
    "NaN": ((np.ones((1, 1)), np.full((1, 1), np.nan)), "adjoints must be finite"),
    "mixed": ((np.ones((1, 1)), rationals([[1]])), "adjoints is exact but activations is float"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_unusable_points_of_phase_space_are_refused(arguments, message):
    for function in (hamiltonian, velocity, adjoint_velocity):
        with pytest.raises(ValueError, match=message):
            function(*arguments)
    with pytest.raises(ValueError, match=message):
        integrate_hamiltonian(*arguments, 1.0)


def test_a_leak_for_each_instance_fits_the_batch():
    for function in (integrate_hamiltonian, critical_weights):
        with pytest.raises(ValueError, match=r"batch axes must broadcast, got \(3,\) of leak, \(2,\) of the matrices"):
            function(np.ones((2, 1, 2)), np.ones((2, 1, 2)), np.ones(3))


def test_a_trajectory_has_two_ends():
    with pytest.raises(ValueError, match="nodes must be at least 2, got 1: the ends of the trajectory"):
        integrate_hamiltonian(np.ones((1, 1)), np.ones((1, 1)), 1.0, 1)
