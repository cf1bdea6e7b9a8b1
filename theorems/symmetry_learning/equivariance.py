r"""Circular convolutions with one bias per channel and a pointwise activation commute with all shifts of the image.

With :math:`T_v x[i] = x[i - v]` (indices modulo n), :math:`f(T_v x) = T_v f(x)` for every circular convolutional network and
all :math:`n^2` shifts. A linear map of images commutes with all shifts if and only if its matrix is block circulant, that is,
if it is a convolution: the average of :math:`T_v^{-1} M T_v` over all v commutes with the shifts, and ``.circulant`` checks
that it is the convolution whose filter is its first column, for every matrix M; a matrix that commutes is its own average.

The identity fails with a bias for each pixel, with zeros in place of the pixels beyond the border, and with a stride.

Source: symmetry_learning, the section on convolutional networks.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Relation, Source, Tight, derived, eq, interval, reals
from verify.arithmetic import Array, absolute, rationals
from verify.networks import leaky_relu
from verify.networks.circular import CircularCNN, convolution_matrix


def two_layers(first: Array, second: Array, first_bias: Array, second_bias: Array, slope: Array) -> CircularCNN:
    """Network of depth 2 with these filters, biases and slope."""
    return CircularCNN([first, second], [first_bias, second_bias], leaky_relu(slope))


def shifted(image: Array, shift: tuple[int, int]) -> Array:
    """The image moved by `shift` pixels along its last two axes."""
    return np.roll(image, shift, axis=(-2, -1))


def sizes_of(network: CircularCNN, x: Array) -> Array:
    """Sum of the absolute values of all products that a value is made of: what rounding is relative to, batch-shaped."""
    everything = (-3, -2, -1)
    reach = np.asarray(absolute(x).sum(axis=everything))
    for kernel, bias in zip(network.kernels, network.biases, strict=True):
        pixels = kernel.shape[-1] * kernel.shape[-2]
        reach = np.asarray(absolute(kernel).sum(axis=(-4, -3, -2, -1))) * reach + pixels * np.asarray(
            absolute(bias).sum(axis=-1)
        )
    return reach


def commutes_with_shifts(network: CircularCNN, x: Array, offset: int = 0) -> Relation:
    """Value at every shifted image, and the shifted value; `offset` moves the latter further in a false neighbour."""
    value, scale = network(x), sizes_of(network, x)[..., None, None, None]
    relation = Relation(())
    for shift in np.ndindex(*network.image_shape):
        there = (shift[0] + offset, shift[1])
        relation &= eq(network(shifted(x, shift)), shifted(value, there), scale=scale, over=3)
    return relation


def with_bias_of_pixels(network: CircularCNN, x: Array) -> Relation:
    """What is false: the same with a bias of 1 at the first pixel only."""
    side = network.image_shape[0]
    corner = np.zeros(network.image_shape, dtype=np.int64)
    corner[0, 0] = 1
    moved = np.roll(corner, (1 % side, 0), axis=(0, 1))
    scale = sizes_of(network, x)[..., None, None, None] + 1
    return eq(network(shifted(x, (1, 0))) + corner, shifted(network(x), (1, 0)) + moved, scale=scale, over=3)


def with_zeros_beyond_the_border(network: CircularCNN, x: Array) -> Relation:
    """What is false: the first layer with zeros beyond the border, as far as a filter reaches to the right and down."""
    kernel, side = network.kernels[0], network.image_shape[0]
    scale = sizes_of(network, x)[..., None, None, None]

    def padded(image: Array) -> Array:
        wide = np.zeros((*image.shape[:-2], side, side), dtype=np.int64) * image[..., :1, :1]
        result = 0
        for row, column in np.ndindex(side, side):
            moved = wide + 0 * image
            moved[..., row:, column:] = image[..., : side - row, : side - column]
            result = result + (kernel[..., row, column, None, None] * moved[..., None, :, :, :]).sum(axis=-3)
        return np.asarray(result)

    return eq(padded(shifted(x, (1, 0))), shifted(padded(x), (1, 0)), scale=scale, over=3)


def with_stride(network: CircularCNN, x: Array) -> Relation:
    """What is false: the same with the value at every second row only."""
    scale = sizes_of(network, x)[..., None, None, None]
    value, moved = network(x)[..., ::2, :], network(shifted(x, (1, 0)))[..., ::2, :]
    return eq(moved, shifted(value, (1, 0)), scale=scale, over=3)


def average_over_shifts(matrix: Array, side: int) -> Array:
    r"""Average of :math:`T_v^{-1} M T_v`, for a matrix of images with channels, ``(..., out, side, side, in, side, side)``."""
    if matrix.ndim < 6 or not matrix.shape[-5] == matrix.shape[-4] == matrix.shape[-2] == matrix.shape[-1] == side:
        raise ValueError(f"matrix must have the shape (..., out, {side}, {side}, in, {side}, {side}), got {matrix.shape}")
    total = 0 * matrix
    for shift in np.ndindex(side, side):
        back = tuple(-one for one in shift)
        total = total + np.roll(matrix, back * 2, axis=(-5, -4, -2, -1))
    return total / side**2


def average_is_a_convolution(matrix: Array, column: int = 0, all_shifts: bool = True) -> Relation:
    """The average of the conjugates of `matrix` and the convolution with its first column, or with a shifted one."""
    side = matrix.shape[-1]
    average = average_over_shifts(matrix, side) if all_shifts else (matrix + np.roll(matrix, (-1, -1), axis=(-5, -2))) / 2
    kernel = np.moveaxis(average[..., 0, column % side], -1, -3)  # (..., out, i, j, in) -> (..., out, in, i, j)
    outputs, inputs = kernel.shape[-4:-2]
    dense = average.reshape(*average.shape[:-6], outputs * side**2, inputs * side**2)
    scale = np.asarray(absolute(matrix).sum(axis=(-6, -5, -4, -3, -2, -1)))[..., None, None]
    return eq(dense, convolution_matrix(kernel), scale=scale, over=2)


def ramp() -> dict[str, Any]:
    """A channel on 2 x 2 pixels, with filters and an image of small integers."""
    first, second = rationals([[[[[1, 2], [0, -1]]]]]), rationals([[[[[0, 1], [1, 3]]]]])
    network = two_layers(first, second, rationals([[1]]), rationals([[-2]]), rationals([0]))
    return {"network": network, "x": rationals([[[[0, 1], [2, 3]]]])}


SOURCE = Source("symmetry_learning", "Convolutional networks")
SIZES = {"side": range(1, 4), "channels": range(1, 3)}
NETWORK = derived(
    two_layers,
    first=reals("channels", 1, "side", "side"),
    second=reals(1, "channels", "side", "side"),
    first_bias=reals("channels"),
    second_bias=reals(1),
    slope=interval(-1, 1),
)

CLAIM = Claim(
    id="symmetry_learning.equivariance",
    title="Circular convolutional networks commute with shifts",
    source=SOURCE,
    statement=commutes_with_shifts,
    domain=Domain({"network": NETWORK, "x": reals(1, "side", "side")}, SIZES),
    tight={"2 x 2 pixels": Tight(ramp)},
    false_neighbours={
        "a pixel further": partial(commutes_with_shifts, offset=1),
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
        "the second column": partial(average_is_a_convolution, column=1),
        "one shift": partial(average_is_a_convolution, all_shifts=False),
    },
)
