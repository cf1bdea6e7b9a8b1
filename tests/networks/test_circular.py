from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import convolve2d

from verify.networks.circular import convolution_matrix, frequency_blocks, real_form, singular_values_by_frequency
from verify.numbers.arithmetic import FloatOnly, floats, rationals


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


@pytest.mark.parametrize("image", [(6,), (2, 3), (4, 2), (2, 2, 3)])
def test_images_may_have_any_number_of_axes_of_any_lengths(image):
    axes = len(image)
    rng = np.random.default_rng(5)
    kernel, pixels = rng.integers(-4, 5, (2, 3, *image)).astype(float), rng.integers(-4, 5, (3, *image)).astype(float)
    expected = np.zeros((2, *image))
    for place in np.ndindex(image):
        # the filter moved to where the pixel is
        moved = np.roll(kernel, place, axis=tuple(range(-axes, 0)))
        expected += np.einsum("ab...,b->a...", moved, pixels[(slice(None), *place)])
    dense = convolution_matrix(kernel, axes)
    np.testing.assert_array_equal(dense @ pixels.ravel(), expected.ravel())
    by_frequency = singular_values_by_frequency(kernel, axes)
    assert by_frequency.shape == (*image, 2)
    np.testing.assert_allclose(np.sort(by_frequency.ravel()), np.sort(np.linalg.svd(dense, compute_uv=False)), atol=1e-12)


@pytest.mark.parametrize("image", [(4,), (2, 4), (1, 2, 2)])
def test_blocks_of_rationals_are_those_of_floats_for_any_number_of_axes(image):
    kernel = np.random.default_rng(6).integers(-4, 5, (2, 3, *image)).astype(float)
    exact, floating = (frequency_blocks(one, len(image)) for one in (rationals(kernel), kernel))
    for left, right in zip(exact, floating, strict=True):
        assert left.shape == (*image, 2, 3)
        np.testing.assert_allclose(floats(left), right, atol=1e-12)


def test_an_image_has_an_axis():
    with pytest.raises(ValueError, match="axes must be at least 1, got 0"):
        convolution_matrix(np.ones((1, 1)), 0)


def test_the_real_form_has_every_singular_value_twice():
    rng = np.random.default_rng(0)
    real, imaginary = rng.standard_normal((2, 3, 2))
    twice = np.linalg.svd(real_form(real, imaginary), compute_uv=False)
    once = np.linalg.svd(real + 1j * imaginary, compute_uv=False)
    np.testing.assert_allclose(twice, np.repeat(once, 2), rtol=1e-12)


def test_other_roots_of_unity_are_not_rational():
    with pytest.raises(FloatOnly, match="order 3"):
        frequency_blocks(rationals(kernels(3)))


@pytest.mark.parametrize("shape", [(2, 2), (3, 2, 2), (1, 0, 2, 2), (1, 1, 0, 0)])
def test_kernels_of_a_wrong_shape_are_refused(shape):
    with pytest.raises(ValueError, match="kernel must have the shape"):
        convolution_matrix(np.zeros(shape))
