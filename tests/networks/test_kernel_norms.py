"""K-norms and the cost of the identity: values, infinity, and the gap in which floats do not decide."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from dyadic import quick
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from verify.matrices import RankUndecided, pseudo_inverse
from verify.networks.leaky_resnet import (
    activation_kernel,
    cost_of_identity,
    feature_matrix,
    feature_norm_squared,
    inner,
    is_in_row_space,
    kernel_inverse,
    kernel_norm_squared,
    kinetic_energy,
    path_length,
    potential_energy,
    smallest_weights,
    squared_norm,
    stable_cost_of_identity,
    stable_hamiltonian,
    stable_kernel_norm_squared,
    weights_from_activations,
)
from verify.numbers.arithmetic import compare, floats, rationals

BACKENDS = [np]
if importlib.util.find_spec("cupy"):
    import cupy

    if cupy.cuda.is_available():
        BACKENDS.append(cupy)


def entries(rng, *shape):
    values = rng.integers(-4, 5, shape) / 4
    values.flags.writeable = False
    return values


def agree(found, expected, **tolerance):
    found, expected = floats(found), floats(expected)
    np.testing.assert_array_equal(np.isinf(found), np.isinf(expected))
    np.testing.assert_allclose(found[np.isfinite(found)], expected[np.isfinite(expected)], **tolerance)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_floats_and_rationals_agree_where_the_norm_is_finite_and_on_where_it_is(seed, width, points, bias):
    rng = np.random.default_rng(seed)
    A, M = entries(rng, 6, width, points), entries(rng, 6, width, points)
    exact_A, exact_M = rationals(A), rationals(M)
    agree(cost_of_identity(A, bias=bias), cost_of_identity(exact_A, bias=bias), rtol=1e-9, atol=1e-12)
    features, exact_features = feature_matrix(A, bias=bias), feature_matrix(exact_A, bias=bias)
    exact = feature_norm_squared(exact_M, exact_features)
    agree(feature_norm_squared(M, features), exact, rtol=1e-9, atol=1e-12)
    agree(kernel_norm_squared(M, activation_kernel(A, bias=bias)), exact, rtol=1e-9, atol=1e-12)
    through_kernel = kernel_norm_squared(exact_M, activation_kernel(exact_A, bias=bias))
    finite = np.isfinite(floats(exact))
    assert (finite == np.isfinite(floats(through_kernel))).all()
    assert (through_kernel[finite] == exact[finite]).all()
    np.testing.assert_array_equal(finite, is_in_row_space(M, features))


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_the_inverse_of_a_kernel_comes_from_the_features(seed, width, points, bias):
    A = entries(np.random.default_rng(seed), 6, width, points)
    exact = kernel_inverse(rationals(A), bias=bias)
    assert (exact == pseudo_inverse(activation_kernel(rationals(A), bias=bias))).all()
    agree(kernel_inverse(A, bias=bias), exact, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("distance", [2.0**-24, 2.0**-28])
def test_the_inverse_of_a_kernel_of_neighbouring_points(distance):
    # in floats the kernel is that of one point, twice
    A = np.array([[1.0, 1.0], [0.0, distance]])
    exact = floats(kernel_inverse(rationals(A), bias=False))
    np.testing.assert_allclose(kernel_inverse(A, bias=False), exact, rtol=1e-6)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4))
def test_the_norm_is_that_of_the_smallest_weights(seed, width, points):
    rng = np.random.default_rng(seed)
    A, W = rationals(entries(rng, 4, width, points)), rationals(entries(rng, 4, width, width + 1))
    features = feature_matrix(A)
    reached = W @ features
    smallest = smallest_weights(reached, features)
    assert (smallest @ features == reached).all()
    assert (feature_norm_squared(reached, features) == squared_norm(smallest)).all()
    assert (compare(squared_norm(smallest), squared_norm(W)) <= 0).all()
    # orthogonal to what does nothing: no other weights that do the same are as small
    assert (inner(smallest, W - smallest) == 0).all()


def test_costs_of_the_source():
    negative = [[1, 0, -1], [0, 2, 4], [5, 3, 0]]
    assert cost_of_identity(rationals(negative), bias=False).item() == fmpq(305, 144)
    assert cost_of_identity(rationals([["1", "-1/2", "0"], ["3/10", "1", "0"]])).item() == fmpq(1029, 400)
    assert cost_of_identity(rationals([[1, 1]])).item() == fmpq(1, 2)
    assert cost_of_identity(np.array([[1, 1]])) == pytest.approx(0.5)
    assert [float(cost_of_identity(np.diag([1.0, e]), bias=False)) for e in (1e-3, 0.0, -1e-3)] == pytest.approx([2, 1, np.inf])
    assert cost_of_identity(np.zeros((2, 3))) == 0
    assert cost_of_identity(rationals(np.zeros((2, 3)))).item() == 0


def test_infinity_is_decided_by_rank_not_by_size():
    A = np.array([[1.0, 2.0, 4.0]])
    tiny = 1e-200 * np.array([[1.0, -1.0, 1.0]])
    assert feature_norm_squared(tiny, feature_matrix(A)) == np.inf
    assert feature_norm_squared(1e-200 * A, feature_matrix(A)) < 1e-300
    with pytest.raises(RankUndecided) as caught:
        cost_of_identity(np.array([[[1.0, 1 + 1e-11]], [[1.0, 2.0]]]))
    assert caught.value.where.tolist() == [True, False]


@pytest.mark.parametrize("xp", BACKENDS)
def test_stable_norms_are_finite_and_tend_to_the_norm(xp):
    A = np.array([[[1.0, 2.0], [0.5, -1.0]], [[1.0, 2.0], [2.0, 4.0]]])
    gammas = [1e-2, 1e-4, 1e-6]
    exact = floats(cost_of_identity(rationals(A)))
    errors = [abs(np.asarray(stable_cost_of_identity(xp.asarray(A), gamma).tolist()) - exact) for gamma in gammas]
    assert np.all(errors[2] < errors[1])
    assert np.all(errors[1] < errors[0])
    np.testing.assert_allclose(
        stable_cost_of_identity(xp.asarray(A), xp.asarray([0.5, 2.0])).tolist(),
        [float(stable_cost_of_identity(rationals(A[k]), fmpq(1, 2) if k == 0 else 2).item()) for k in range(2)],
    )
    outside = np.array([[1.0, -1.0, 1.0]])
    features = feature_matrix(np.array([[1.0, 2.0, 4.0]]))
    kernel = features.T @ features
    expected = (outside @ np.linalg.inv(kernel + 0.125 * np.eye(3)) @ outside.T).item()
    assert stable_kernel_norm_squared(outside, kernel, 0.125) == pytest.approx(expected)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_weights_are_recovered_from_what_they_do(seed, width, points, bias):
    rng = np.random.default_rng(seed)
    A, W = rationals(entries(rng, width, points)), rationals(entries(rng, width, width + bias))
    leak = fmpq(3, 2)
    derivative = W @ feature_matrix(A, bias=bias) - leak * A
    found = weights_from_activations(A, derivative, leak, bias=bias)
    assert found.shape == W.shape
    assert (found @ feature_matrix(A, bias=bias) - leak * A == derivative).all()
    assert compare(squared_norm(found), squared_norm(W)) <= 0


def test_energies_are_halves_of_norms():
    rng = np.random.default_rng(0)
    A, V = abs(entries(rng, 5, 2, 3)) + 0.25, entries(rng, 5, 2, 3)
    assert (potential_energy(rationals(A)) == -cost_of_identity(rationals(A)) / 2).all()
    kinetic = kinetic_energy(rationals(A), rationals(V), bias=False)
    expected = feature_norm_squared(rationals(V), feature_matrix(rationals(A), bias=False)) / 2
    agree(kinetic, expected, rtol=0)
    stable = stable_hamiltonian(A, V, 0.5)
    kernel = activation_kernel(A)
    two = stable_kernel_norm_squared(V, kernel, 0.5) - stable_kernel_norm_squared(A, kernel, 0.5)
    np.testing.assert_allclose(stable, two / 2, rtol=1e-12)


def test_the_length_of_a_path():
    path = np.array([[[0.0, 0.0]], [[3.0, 4.0]], [[3.0, 4.0]], [[3.0, 5.0]]])
    assert path_length(path) == 6
    assert path_length(rationals(path)).item() == 6
    assert path_length(path[:1]) == 0
    assert path_length(np.stack([path, 2 * path])).tolist() == [6, 12]


BAD = {
    "text": ("1", TypeError, "activations must be an array, .* got '1'"),
    "vector": (np.ones(3), ValueError, r"activations must have the shape \(\.\.\., neurons, points\).* got \(3,\)"),
    "no points": (np.ones((2, 0)), ValueError, r"got \(2, 0\)"),
    "NaN": (np.full((1, 1), np.nan), ValueError, "activations must be finite, got .*(NaN|nan)"),
    "complex": (np.ones((1, 1)) * 1j, ValueError, "activations must hold real numbers .*got dtype complex128"),
    "objects": (np.array([[None]], dtype=object), ValueError, "activations must hold real numbers .*got None"),
}


@pytest.mark.parametrize(("argument", "error", "message"), BAD.values(), ids=BAD)
def test_unusable_activations_are_refused(argument, error, message):
    for function in (cost_of_identity, potential_energy, lambda a: stable_cost_of_identity(a, 1.0)):
        with pytest.raises(error, match=message):
            function(argument)


def test_unusable_pairs_are_refused():
    with pytest.raises(ValueError, match="matrix and features must have equally many columns, got 2 and 3"):
        is_in_row_space(np.ones((1, 2)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="kernel must be square"):
        kernel_norm_squared(np.ones((1, 2)), np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"is exact but (matrix|target) is float"):
        smallest_weights(np.ones((1, 2)), rationals(np.ones((1, 2))))
    with pytest.raises(ValueError, match=r"batch axes must broadcast, got \(2,\) of matrix, \(3,\) of kernel"):
        kernel_norm_squared(np.ones((2, 1, 1)), np.ones((3, 1, 1)))
    with pytest.raises(ValueError, match=r"activations and moved must have equal shapes \(w, N\)"):
        kinetic_energy(np.ones((1, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"path must have the shape \(\.\.\., positions, neurons, points\)"):
        path_length(np.ones((2, 2)))


@pytest.mark.parametrize(
    ("gamma", "error", "message"),
    [
        (0, ValueError, "gamma must be positive, got 0"),
        (-0.5, ValueError, "gamma must be positive, got -0.5"),
        (np.array([1.0, -1.0]), ValueError, "gamma must be positive"),
        (np.nan, ValueError, "gamma must be finite"),
        ("1", TypeError, "gamma must be an array, or nested lists of numbers, got '1'"),
        ([None], ValueError, "gamma must hold real numbers"),
        (rationals([1]), ValueError, "what stands beside it is float but gamma is exact"),
    ],
)
def test_gamma_is_a_positive_number(gamma, error, message):
    with pytest.raises(error, match=message):
        stable_cost_of_identity(np.ones((2, 1, 2)), gamma)


def test_a_gamma_for_each_instance_fits_the_batch():
    with pytest.raises(ValueError, match=r"batch axes must broadcast, got \(3,\) of gamma, \(2,\) of the matrices"):
        stable_cost_of_identity(np.ones((2, 1, 2)), np.ones(3))


def test_a_float_gamma_does_not_meet_rationals():
    with pytest.raises(ValueError, match="what stands beside it is exact but gamma is float"):
        stable_cost_of_identity(rationals(np.ones((1, 2))), 0.5)
    assert (
        stable_cost_of_identity(rationals([[1, 0]]), np.int64(1)).item()
        == stable_cost_of_identity(rationals([[1, 0]]), rationals(1)).item()
    )
