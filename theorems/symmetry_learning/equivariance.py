r"""Circular convolutional networks commute with shifts of the image.

Statement
    Circular convolutions with one bias per channel and a pointwise activation commute with all :math:`n^2` shifts:
    :math:`f(T_v x) = T_v f(x)`, with :math:`T_v x[i] = x[i - v]` and indices modulo n. A linear map of images commutes with all
    shifts if and only if it is a convolution.
Checked
    The equality for all shifts, in networks of two layers from one channel to one. For every matrix M, that the average of
    :math:`T_v^{-1} M T_v` over all v is the convolution whose filter is its first column; a matrix that commutes is its own
    average. The equality fails with a bias for each pixel, with zeros in place of the pixels beyond the border, and with a
    stride.
Proof idea
    Every step commutes; the average commutes, and its columns are shifts of the first.
Source
    symmetry_learning, the section on convolutional networks.
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Relation, Source, derived, eq, reals, slopes
from verify.arithmetic import Array
from verify.networks import leaky_relu
from verify.networks.circular import CircularCNN, convolution_matrix


def two_layers(first: Array, second: Array, first_bias: Array, second_bias: Array, slope: Array) -> CircularCNN:
    """Network of depth 2 with these filters, biases and slope."""
    return CircularCNN([first, second], [first_bias, second_bias], leaky_relu(slope))


def shifted(image: Array, shift: tuple[int, int]) -> Array:
    """The image moved by `shift` pixels along its last two axes."""
    return np.roll(image, shift, axis=(-2, -1))


def commutes_with_shifts(network: CircularCNN, x: Array) -> Relation:
    """Value at every shifted image, and the shifted value."""
    value = network(x)
    moves = list(np.ndindex(*network.image_shape))
    left = np.stack([network(shifted(x, (row, column))) for row, column in moves], axis=-4)
    return eq(left, np.stack([shifted(value, (row, column)) for row, column in moves], axis=-4), over=4)


def average_over_shifts(matrix: Array, side: int) -> Array:
    r"""Average of :math:`T_v^{-1} M T_v`, for a matrix of images with channels, ``(..., out, side, side, in, side, side)``."""
    if matrix.ndim < 6 or not matrix.shape[-5] == matrix.shape[-4] == matrix.shape[-2] == matrix.shape[-1] == side:
        raise ValueError(f"matrix must have the shape (..., out, {side}, {side}, in, {side}, {side}), got {matrix.shape}")
    total = 0 * matrix
    for shift in np.ndindex(side, side):
        back = tuple(-one for one in shift)
        total = total + np.roll(matrix, back * 2, axis=(-5, -4, -2, -1))
    return total / side**2


def is_convolution_with_column(average: Array, column: int) -> Relation:
    """A matrix of images and the convolution with one of its columns."""
    side = average.shape[-1]
    kernel = np.moveaxis(average[..., 0, column % side], -1, -3)  # (..., out, i, j, in) -> (..., out, in, i, j)
    outputs, inputs = kernel.shape[-4:-2]
    dense = average.reshape(*average.shape[:-6], outputs * side**2, inputs * side**2)
    return eq(dense, convolution_matrix(kernel), over=2)


def average_is_a_convolution(matrix: Array) -> Relation:
    """The average of the conjugates of `matrix` and the convolution with its first column."""
    return is_convolution_with_column(average_over_shifts(matrix, matrix.shape[-1]), 0)


# False variants


def a_pixel_further(network: CircularCNN, x: Array) -> Relation:
    """The value shifted by one pixel more."""
    return eq(network(x), shifted(network(x), (1, 0)), over=3)


def with_bias_of_pixels(network: CircularCNN, x: Array) -> Relation:
    """The same with a bias of 1 at the first pixel only."""
    side = network.image_shape[0]
    corner = np.zeros(network.image_shape, dtype=np.int64)
    corner[0, 0] = 1
    moved = np.roll(corner, (1 % side, 0), axis=(0, 1))
    return eq(network(shifted(x, (1, 0))) + corner, shifted(network(x), (1, 0)) + moved, over=3)


def with_zeros_beyond_the_border(network: CircularCNN, x: Array) -> Relation:
    """The first layer with zeros beyond the border, as far as a filter reaches to the right and down."""
    kernel, side = network.kernels[0], network.image_shape[0]

    def padded(image: Array) -> Array:
        wide = np.zeros((*image.shape[:-2], side, side), dtype=np.int64) * image[..., :1, :1]
        result = 0
        for row, column in np.ndindex(side, side):
            moved = wide + 0 * image
            moved[..., row:, column:] = image[..., : side - row, : side - column]
            result = result + (kernel[..., row, column, None, None] * moved[..., None, :, :, :]).sum(axis=-3)
        return np.asarray(result)

    return eq(padded(shifted(x, (1, 0))), shifted(padded(x), (1, 0)), over=3)


def with_stride(network: CircularCNN, x: Array) -> Relation:
    """The same with the value at every second row only."""
    value, moved = network(x)[..., ::2, :], network(shifted(x, (1, 0)))[..., ::2, :]
    return eq(moved, shifted(value, (1, 0)), over=3)


def with_the_second_column(matrix: Array) -> Relation:
    """The second column as the filter."""
    return is_convolution_with_column(average_over_shifts(matrix, matrix.shape[-1]), 1)


def average_of_one_shift(matrix: Array) -> Relation:
    """The average over one shift."""
    return is_convolution_with_column((matrix + np.roll(matrix, (-1, -1), axis=(-5, -2))) / 2, 0)


SOURCE = Source("symmetry_learning", "Convolutional networks")
SIZES = {"side": range(2, 5), "channels": range(1, 4)}
NETWORK = derived(
    two_layers,
    first=reals("channels", 1, "side", "side"),
    second=reals(1, "channels", "side", "side"),
    first_bias=reals("channels"),
    second_bias=reals(1),
    slope=slopes(-2, 2),
)

CLAIM = Claim(
    id="symmetry_learning.equivariance",
    title="Circular convolutional networks commute with shifts",
    source=SOURCE,
    statement=commutes_with_shifts,
    domain=Domain({"network": NETWORK, "x": reals(1, "side", "side")}, SIZES),
    false_neighbours={
        "a pixel further": a_pixel_further,
        "a bias at one pixel": with_bias_of_pixels,
        "zeros beyond the border": with_zeros_beyond_the_border,
        "a stride of 2": with_stride,
    },
)

CIRCULANT = Claim(
    id="symmetry_learning.equivariance.circulant",
    title="Linear maps that commute with shifts are convolutions",
    source=SOURCE,
    statement=average_is_a_convolution,
    domain=Domain(
        {"matrix": reals("outputs", "side", "side", "inputs", "side", "side")},
        {"side": range(1, 4), "outputs": range(1, 3), "inputs": range(1, 3)},
    ),
    false_neighbours={
        "the second column": with_the_second_column,
        "one shift": average_of_one_shift,
    },
)
