r"""Circular convolutions of images on a torus: dense matrices and frequency blocks.

An image has d axes of lengths :math:`n_1, \ldots, n_d`; d is 2 unless `axes` says otherwise. A kernel has shape ``(..., out,
in, n_1, ..., n_d)``: a full-size filter for each pair of channels. The convolution is
:math:`(Wx)_a[i] = \sum_b\sum_j k_{ab}[i - j]x_b[j]`, indices modulo the lengths.

Source: symmetry_learning, the section on convolutional networks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from verify.matrices import singular_values
from verify.networks._arrays import as_array
from verify.numbers.arguments import real_array, real_arrays
from verify.numbers.arithmetic import Array, FloatOnly, array_module, integer, is_exact, rationals

MOST_AXES = 30
"""Of an image; arrays of NumPy have 64 at most."""


def image_shape(kernel: Array, axes: int = 2, name: str = "kernel") -> tuple[int, ...]:
    """The lengths ``(n_1, ..., n_d)`` of the images that a kernel acts on.

    Raises
    ------
    ValueError
        `kernel` has not the shape ``(..., out, in, n_1, ..., n_d)`` with every length at least 1; `axes` is below 1.

    Examples
    --------
    >>> image_shape(np.zeros((1, 1, 4, 5)))
    (4, 5)
    """
    return checked_kernel(kernel, axes, name)[2]


def checked_kernel(kernel: Any, axes: Any, name: str = "kernel") -> tuple[Array, int, tuple[int, ...]]:
    """A kernel as an array, `axes` as an integer, and the lengths of its images; raises like `image_shape`."""
    axes, kernel = integer("axes", axes, 1, ": an image has an axis", most=MOST_AXES), real_array(name, kernel)
    lengths = ", ".join(f"n_{k + 1}" for k in range(axes))
    if kernel.ndim < axes + 2 or 0 in kernel.shape[-axes - 2 :]:
        raise ValueError(f"{name} must have the shape (..., out, in, {lengths}) with lengths of at least 1, got {kernel.shape}")
    return kernel, axes, tuple(kernel.shape[-axes:])


def convolution_matrix(kernel: Array, axes: int = 2) -> Array:
    """The dense matrix of the convolution, ``(..., out, in, *image) -> (..., out n, in n)`` with ``n = n_1 ... n_d``.

    Rational for rationals. Errors as for `image_shape`.

    Examples
    --------
    >>> print(convolution_matrix(rationals([[[1, 2, 0]]]), axes=1))
    [[1 0 2]
     [2 1 0]
     [0 2 1]]
    """
    kernel, axes, image = checked_kernel(kernel, axes)
    pixels = np.indices(image).reshape(axes, -1)
    difference = [(pixel[:, None] - pixel[None, :]) % length for pixel, length in zip(pixels, image, strict=True)]
    flat = np.ravel_multi_index(difference, image)  # (output pixel, input pixel) -> place in the filter
    count = math.prod(image)
    *batch, outputs, inputs = kernel.shape[: kernel.ndim - axes]
    table = kernel.reshape(*batch, outputs, inputs, count)[..., array_module(kernel).asarray(flat)]
    matrix: Array = table.swapaxes(-2, -3).reshape(*batch, outputs * count, inputs * count)
    return matrix


def frequency_blocks(kernel: Array, axes: int = 2) -> tuple[Array, Array]:
    r"""Real and imaginary parts of :math:`K^{(\omega)} = \sum_jk[j]e^{-2\pi i\sum_a\omega_aj_a/n_a}`, ``(..., *image, out,
    in)`` each.

    Raises
    ------
    FloatOnly
        `kernel` is rational and a length is not 1, 2 or 4: the roots of unity are not Gaussian rationals.
    ValueError
        As for `image_shape`.

    Examples
    --------
    >>> real, imaginary = frequency_blocks(rationals([[[2, 0]]]), axes=1)
    >>> print(real.ravel(), imaginary.ravel())
    [2 2] [0 0]
    """
    kernel, axes, image = checked_kernel(kernel, axes)
    if not is_exact(kernel):
        blocks = complex_blocks(kernel, axes)
        return blocks.real, blocks.imag
    other_lengths = [length for length in image if length not in (1, 2, 4)]
    if other_lengths:
        raise FloatOnly(f"the roots of unity of order {other_lengths[0]} are not Gaussian rationals")
    pixels = np.indices(image).reshape(axes, -1)
    turns = sum(4 // length * np.outer(pixel, pixel) for pixel, length in zip(pixels, image, strict=True))
    phase = np.asarray(turns) % 4  # frequency, pixel
    cosine, sine = rationals(np.array([1, 0, -1, 0])[phase]), rationals(np.array([0, 1, 0, -1])[phase])
    *channels, count = *kernel.shape[: kernel.ndim - axes], math.prod(image)
    flat = kernel.reshape(*channels, count)
    real, imaginary = (np.moveaxis(flat @ wave.T, -1, -3) for wave in (cosine, -sine))
    *batch, outputs, inputs = channels
    shape = (*batch, *image, outputs, inputs)
    return real.reshape(shape), imaginary.reshape(shape)


def complex_blocks(kernel: Array, axes: int = 2) -> Array:
    """The frequency blocks of floats as complex matrices, ``(..., out, in, *image) -> (..., *image, out, in)``."""
    xp: Any = array_module(kernel)
    spectrum = xp.fft.fftn(kernel, axes=tuple(range(-axes, 0)))
    blocks: Array = xp.moveaxis(spectrum, (-axes - 2, -axes - 1), (-2, -1))
    return blocks


def real_form(real: Array, imaginary: Array) -> Array:
    """Complex matrices as real ones of twice the size, which have every singular value twice.

    Raises
    ------
    TypeError, ValueError
        The shapes differ; entries that are not finite real numbers.

    Examples
    --------
    >>> print(real_form(rationals([[1]]), rationals([[2]])))
    [[1 -2]
     [2 1]]
    """
    real, imaginary = real_arrays([("real", real), ("imaginary", imaginary)])
    if real.ndim < 2 or real.shape != imaginary.shape:
        raise ValueError(f"real and imaginary must have one shape (..., m, n), got {real.shape} and {imaginary.shape}")
    xp = array_module(real)
    rows = [xp.concatenate(pair, axis=-1) for pair in ([real, -imaginary], [imaginary, real])]
    joined: Array = xp.concatenate(rows, axis=-2)
    return joined


def singular_values_by_frequency(kernel: Array, axes: int = 2) -> Array:
    r"""Singular values of every :math:`K^{(\omega)}`, descending, ``(..., out, in, *image) -> (..., *image, min(out, in))``.

    Together they are the singular values of the dense matrix. Errors as for `frequency_blocks`.

    Examples
    --------
    >>> print(singular_values_by_frequency(rationals([[[2, 0]]]), axes=1))
    [[2]
     [2]]
    """
    return as_array(singular_values(real_form(*frequency_blocks(kernel, axes)))[..., ::2])
