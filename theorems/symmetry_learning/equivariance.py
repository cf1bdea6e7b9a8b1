r"""Circular convolutional networks commute with all shifts, and linear maps that do are convolutions.

Statement
    With :math:`T_v x[i] = x[i - v]` (indices modulo n), :math:`f(T_v x) = T_v f(x)` for every circular convolutional network
    with one bias per channel and a pointwise activation, and for all :math:`n^2` shifts.

    A linear map of images commutes with all shifts if and only if its matrix is block circulant, that is, if it is a
    convolution (``.circulant``).
Checked
    The identity at every shift. For ``.circulant``: the average of :math:`T_v^{-1} M T_v` over all v is the convolution whose
    filter is its first column, for every matrix M. A matrix that commutes with the shifts is its own average.

    The identity fails with a bias for each pixel, with zeros in place of the pixels beyond the border, and with a stride.
Proof idea
    A sum over all pixels modulo n does not change when its index is shifted.
Source
    symmetry_learning, the section on convolutional networks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.symmetry_learning.constructions.convolutional import convolutional_network
from verify import Claim, Domain, Relation, Source, Tight, derived, eq, reals, slopes
from verify.arithmetic import Array, rationals
from verify.networks.circular import CircularCNN, convolution_matrix


def shifted(image: Array, shift: tuple[int, ...]) -> Array:
    """The image moved by `shift` pixels along its last two axes."""
    return np.roll(image, shift, axis=(-2, -1))


def commutes_with_shifts(network: CircularCNN, x: Array) -> Relation:
    """The values at all shifted images, and the shifted values, shape ``(..., n^2, c, n, n)``."""
    value, shifts = network(x), list(np.ndindex(*network.image_shape))
    of_shifted = np.stack([network(shifted(x, shift)) for shift in shifts], axis=-4)
    return eq(of_shifted, np.stack([shifted(value, shift) for shift in shifts], axis=-4), over=4)


def average_over_shifts(matrix: Array, side: int) -> Array:
    r"""Average of :math:`T_v^{-1} M T_v`, for a matrix of images with channels, ``(..., out, side, side, in, side, side)``."""
    if matrix.ndim < 6 or not matrix.shape[-5] == matrix.shape[-4] == matrix.shape[-2] == matrix.shape[-1] == side:
        raise ValueError(f"matrix must have the shape (..., out, {side}, {side}, in, {side}, {side}), got {matrix.shape}")
    total = 0 * matrix
    for shift in np.ndindex(side, side):
        back = tuple(-one for one in shift)
        total = total + np.roll(matrix, back * 2, axis=(-5, -4, -2, -1))
    return total / side**2


def is_convolution_with(operator: Array, column: tuple[int, int]) -> Relation:
    """A matrix ``(..., out, n, n, in, n, n)`` against the convolution whose filter is what it makes of the pixel `column`."""
    kernel = np.moveaxis(operator[(..., *column)], -1, -3)  # (..., out, i, j, in) -> (..., out, in, i, j)
    outputs, inputs, side, _ = kernel.shape[-4:]
    dense = operator.reshape(*operator.shape[:-6], outputs * side**2, inputs * side**2)
    return eq(dense, convolution_matrix(kernel), over=2)


def average_is_a_convolution(matrix: Array) -> Relation:
    """The average of the conjugates of `matrix`, and the convolution with its first column."""
    return is_convolution_with(average_over_shifts(matrix, matrix.shape[-1]), (0, 0))


def ramp() -> dict[str, Any]:
    """A channel on 2 x 2 pixels, with filters and an image of small integers."""
    kernels = rationals([[[[[[1, 2], [0, -1]]]], [[[[0, 1], [1, 3]]]]]])
    network = convolutional_network(kernels, rationals([[[1], [-2]]]), rationals([0]))
    return {"network": network, "x": rationals([[[[0, 1], [2, 3]]]])}


# False variants


def moves_one_pixel_further(network: CircularCNN, x: Array) -> Relation:
    """The value would move two rows with the image's one."""
    return eq(network(shifted(x, (1, 0))), shifted(network(x), (2, 0)), over=3)


def with_bias_of_pixels(network: CircularCNN, x: Array) -> Relation:
    """The network could have a bias of 1 at its first pixel only."""
    corner = np.zeros(network.image_shape, dtype=int)
    corner[0, 0] = 1
    return eq(network(shifted(x, (1, 0))) + corner, shifted(network(x) + corner, (1, 0)), over=3)


def with_zeros_beyond_the_border(network: CircularCNN, x: Array) -> Relation:
    """The first layer could have zeros beyond the border, as far as a filter reaches to the right and down."""
    kernel, side = network.kernels[0], network.image_shape[0]

    def padded(image: Array) -> Array:
        result = 0
        for row, column in np.ndindex(side, side):
            moved = 0 * image
            moved[..., row:, column:] = image[..., : side - row, : side - column]
            result = result + (kernel[..., row, column, None, None] * moved[..., None, :, :, :]).sum(axis=-3)
        return np.asarray(result)

    return eq(padded(shifted(x, (1, 0))), shifted(padded(x), (1, 0)), over=3)


def with_stride(network: CircularCNN, x: Array) -> Relation:
    """The value could be taken at every second row only."""
    value, moved = network(x)[..., ::2, :], network(shifted(x, (1, 0)))[..., ::2, :]
    return eq(moved, shifted(value, (1, 0)), over=3)


def second_column(matrix: Array) -> Relation:
    """The filter would be the last column of the first row of pixels."""
    return is_convolution_with(average_over_shifts(matrix, matrix.shape[-1]), (0, -1))


def average_over_two_shifts(matrix: Array) -> Relation:
    """Two shifts would be enough for the average."""
    return is_convolution_with((matrix + np.roll(matrix, (-1, -1), axis=(-5, -2))) / 2, (0, 0))


SOURCE = Source("symmetry_learning", "Convolutional networks")

CLAIM = Claim(
    id="symmetry_learning.equivariance",
    title="Circular convolutional networks commute with shifts",
    source=SOURCE,
    statement=commutes_with_shifts,
    domain=Domain(
        {
            "network": derived(
                convolutional_network,
                kernels=reals("depth", "channels", "channels", "side", "side"),
                biases=reals("depth", "channels"),
                slope=slopes(),
            ),
            "x": reals("channels", "side", "side"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 4), "side": range(1, 4)},
    ),
    tight={"2 x 2 pixels": Tight(ramp)},
    false_neighbours={
        "a pixel further": moves_one_pixel_further,
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
    false_neighbours={"another column": second_column, "two shifts": average_over_two_shifts},
)
