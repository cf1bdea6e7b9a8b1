r"""Circular convolutions of images on the torus :math:`Z_n\times Z_n`: dense matrices and frequency blocks.

A kernel has shape ``(..., out, in, n, n)``: a full-size filter for each pair of channels. The convolution is
:math:`(Wx)_a[i] = \sum_b\sum_j k_{ab}[i - j]x_b[j]`.

Source: symmetry_learning, the section on convolutional networks.
"""

from __future__ import annotations

import numpy as np

from verify.arithmetic import Array, FloatOnly, is_exact, rationals


def checked_kernel(kernel: Array) -> int:
    """The side length n of a kernel.

    Raises
    ------
    ValueError
        `kernel` has not the shape ``(..., out, in, n, n)`` with every length at least 1.
    """
    if kernel.ndim < 4 or kernel.shape[-1] != kernel.shape[-2] or 0 in kernel.shape[-4:]:
        raise ValueError(f"kernel must have the shape (..., out, in, n, n) with lengths of at least 1, got {kernel.shape}")
    return int(kernel.shape[-1])


def convolution_matrix(kernel: Array) -> Array:
    """The dense matrix of the convolution, ``(..., out, in, n, n) -> (..., out n n, in n n)``; rational for rationals."""
    side = checked_kernel(kernel)
    shift = (np.arange(side)[:, None] - np.arange(side)[None, :]) % side
    # axes of the table: output row, output column, input row, input column
    table = kernel[..., shift[:, None, :, None], shift[None, :, None, :]]
    *batch, outputs, inputs = kernel.shape[:-2]
    ordered = np.moveaxis(table, -5, -3)
    return ordered.reshape(*batch, outputs * side**2, inputs * side**2)


def frequency_blocks(kernel: Array) -> tuple[Array, Array]:
    r"""Real and imaginary parts of :math:`K^{(\omega)} = \sum_jk[j]e^{-2\pi i\omega\cdot j/n}`, ``(..., n, n, out, in)`` each.

    Raises
    ------
    FloatOnly
        `kernel` is rational and n is not 1, 2 or 4: the roots of unity are not Gaussian rationals.
    """
    side = checked_kernel(kernel)
    if not is_exact(kernel):
        blocks = np.moveaxis(np.fft.fft2(kernel), (-2, -1), (-4, -3))
        return blocks.real, blocks.imag
    if side not in (1, 2, 4):
        raise FloatOnly(f"the roots of unity of order {side} are not Gaussian rationals")
    turns = 4 * np.arange(side) // side
    product = np.add.outer(np.multiply.outer(turns, np.arange(side)), 0)
    phase = (product[:, None, :, None] + product[None, :, None, :]) % 4  # frequency row, column; pixel row, column
    cosine, sine = rationals(np.array([1, 0, -1, 0])[phase]), rationals(np.array([0, 1, 0, -1])[phase])
    real, imaginary = (np.einsum("...abjk,xyjk->...xyab", kernel, wave) for wave in (cosine, -sine))
    return real, imaginary


def real_form(real: Array, imaginary: Array) -> Array:
    """Complex matrices as real ones of twice the size, which have every singular value twice."""
    return np.concatenate([np.concatenate([real, -imaginary], axis=-1), np.concatenate([imaginary, real], axis=-1)], axis=-2)
