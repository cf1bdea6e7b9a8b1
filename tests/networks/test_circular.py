from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import convolve2d

from verify.arithmetic import FloatOnly, floats, rationals
from verify.networks.circular import convolution_matrix, frequency_blocks, real_form


def kernels(side, batch=(2,)):
    return np.random.default_rng(side).integers(-4, 5, (*batch, 3, 2, side, side)).astype(float)


@pytest.mark.parametrize("side", [1, 2, 3, 5])
def test_the_dense_matrix_convolves(side):
    kernel = kernels(side)[0]
    image = np.random.default_rng(9).integers(-4, 5, (2, side, side)).astype(float)
    tiled = np.tile(image, (1, 2, 2))
    expected = np.zeros((3, side, side))
    for target in range(3):
        for source in range(2):
            full = convolve2d(tiled[source], kernel[target, source], mode="full")
            expected[target] += full[side : 2 * side, side : 2 * side]
    np.testing.assert_allclose(convolution_matrix(kernel) @ image.ravel(), expected.ravel(), atol=1e-11)


@pytest.mark.parametrize("side", [1, 2, 4])
def test_blocks_of_rationals_are_those_of_floats(side):
    kernel = kernels(side)
    for exact, floating in zip(frequency_blocks(rationals(kernel)), frequency_blocks(kernel), strict=True):
        np.testing.assert_allclose(floats(exact), floating, atol=1e-12)


def test_the_dense_matrix_of_rationals_is_that_of_floats():
    kernel = kernels(3, batch=())
    np.testing.assert_array_equal(floats(convolution_matrix(rationals(kernel))), convolution_matrix(kernel))


def test_convolution_commutes_with_all_shifts():
    side = 4
    matrix = convolution_matrix(kernels(side, batch=()))
    image = np.random.default_rng(1).integers(-4, 5, (2, side, side)).astype(float)
    for shift in np.ndindex(side, side):
        moved = np.roll(image, shift, axis=(-2, -1)).ravel()
        expected = np.roll((matrix @ image.ravel()).reshape(3, side, side), shift, axis=(-2, -1)).ravel()
        np.testing.assert_allclose(matrix @ moved, expected, atol=1e-12)


def test_the_real_form_has_every_singular_value_twice():
    rng = np.random.default_rng(0)
    real, imaginary = rng.standard_normal((2, 3, 2))
    twice = np.linalg.svd(real_form(real, imaginary), compute_uv=False)
    once = np.linalg.svd(real + 1j * imaginary, compute_uv=False)
    np.testing.assert_allclose(twice, np.repeat(once, 2), rtol=1e-12)


def test_other_roots_of_unity_are_not_rational():
    with pytest.raises(FloatOnly, match="order 3"):
        frequency_blocks(rationals(kernels(3)))


@pytest.mark.parametrize("shape", [(2, 2), (1, 1, 2, 3), (1, 0, 2, 2), (1, 1, 0, 0)])
def test_kernels_of_a_wrong_shape_are_refused(shape):
    with pytest.raises(ValueError, match="kernel must have the shape"):
        convolution_matrix(np.zeros(shape))
