"""Circular convolutional networks built for a purpose: equivariant maps from networks, and balanced linear factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from verify.matrices.ranks import non_zero
from verify.networks._arrays import zeros
from verify.networks.activations import identity
from verify.networks.circular.kernels import checked_kernel, complex_blocks
from verify.networks.circular.network import CircularCNN
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arguments import instance, integers
from verify.numbers.arithmetic import LARGEST_COUNT, Array, FloatOnly, array_module, integer, is_exact


def equivariant_network(network: FullyConnected, image: Sequence[int]) -> CircularCNN:
    r"""The equivariant map :math:`f(x)[v] = \phi(T_{-v}x)` of a network :math:`\phi`, with the same depth and parameter norm.

    :math:`T_{-v}x[i] = x[i + v]`; :math:`\phi` takes images with channels and pixels in a row, ``c n_1 ... n_d`` inputs. The
    first filter is full-size, the rows of :math:`W_1` with their pixels reversed; the others are 1 x 1. Every equivariant
    map that is continuous and piecewise linear is one of these.

    Raises
    ------
    ValueError
        The number of inputs is no multiple of the number of pixels; a length is below 1.

    Source: symmetry_learning, the section on convolutional networks; the construction is ours.

    Examples
    --------
    Each pixel less the one after it, around a circle of three pixels:

    >>> difference = FullyConnected([rationals([[1, -1, 0]])])
    >>> print(equivariant_network(difference, (3,))(rationals([[1, 2, 4]])))
    [[-1 -2 3]]
    """
    instance("network", network, FullyConnected)
    lengths = integers("image", image, 1)
    if not lengths:
        raise ValueError("image must have a length at least, got none")
    axes, pixels = len(lengths), math.prod(lengths)
    channels, remainder = divmod(network.widths[0], pixels)
    if remainder or not channels:
        raise ValueError(
            f"network must take a multiple of {pixels} inputs, all pixels of each channel, got {network.widths[0]}"
        )
    if 0 in network.widths:
        raise ValueError(f"network must have a neuron in every layer, got the widths {network.widths}")
    first, *later_weights = network.weights
    rows = first.reshape(*first.shape[:-1], channels, *lengths)
    # index -j modulo the length: reversed, and then the last entry is moved to the front
    places = tuple(range(-axes, 0))
    xp: Any = array_module(first)
    kernels = [xp.roll(xp.flip(rows, axis=places), (1,) * axes, axis=places)]
    origin: Any = (..., *[0] * axes)
    for weight in later_weights:
        kernel = zeros((*weight.shape, *lengths), weight)
        kernel[origin] = weight
        kernels.append(kernel)
    return CircularCNN(kernels, network.biases, network.activation, axes=axes)


def balanced_frequency_factors(kernel: Array, depth: int, axes: int = 2) -> CircularCNN:
    r"""Linear network with :math:`k_L * \cdots * k_1 = k` and the smallest :math:`\sum_\ell\|k_\ell\|^2`, which is

    .. math:: \frac{L}{n_1\cdots n_d}\sum_\omega\sum_is_i(K^{(\omega)})^{2/L} .

    `kernel` has shape ``(..., out, in, *image)``; the hidden layers have ``min(out, in)`` channels. The blocks are factored
    at each frequency through their singular values; the factors at :math:`-\omega` are the conjugates of those at
    :math:`\omega`, so that the filters are real.

    Raises
    ------
    FloatOnly
        The kernel is exact: the factors are roots.
    RankUndecided
        A singular value lies in the gap between zero and non-zero.
    ValueError
        `depth` is below 1; the kernel has another shape, or entries that are not finite.

    Source: symmetry_learning, the section on convolutional networks; the construction is ours.

    Examples
    --------
    >>> balanced_frequency_factors(np.array([[[4.0, 0.0]]]), 2, axes=1).depth
    2
    """
    kernel, axes, image = checked_kernel(kernel, axes)
    if is_exact(kernel):
        raise FloatOnly(
            "balanced factors leave the rationals (they are roots): convert with verify.numbers.arithmetic.floats first"
        )
    depth = integer("depth", depth, 1, ": a network has an output layer", most=LARGEST_COUNT)
    if depth == 1:
        return CircularCNN([kernel], activation=identity(), axes=axes)
    left, values, right = _conjugate_decomposition(complex_blocks(kernel, axes), axes)
    xp: Any = array_module(kernel)
    # rounding errors have large roots: zeros are decided before, beside the largest value of all frequencies
    all_values = values.reshape(*values.shape[: -axes - 1], -1)
    kept = non_zero(all_values, max(kernel.shape[-axes - 2 :]) * math.prod(image)).reshape(values.shape)
    roots = (values * kept) ** (1 / depth)
    middle = xp.broadcast_to(xp.eye(roots.shape[-1]), (*roots.shape, roots.shape[-1])) * roots[..., None]
    blocks = [roots[..., :, None] * right, *[middle] * (depth - 2), left * roots[..., None, :]]
    kernels = []
    for block in blocks:
        spectrum = xp.moveaxis(
            block.reshape(*block.shape[: -axes - 2], *image, *block.shape[-2:]), (-2, -1), (-axes - 2, -axes - 1)
        )
        kernels.append(xp.fft.ifftn(spectrum, axes=tuple(range(-axes, 0))).real)
    return CircularCNN(kernels, activation=identity(), axes=axes)


def _conjugate_decomposition(blocks: Array, axes: int) -> tuple[Array, Array, Array]:
    r"""Singular value decompositions of all blocks ``(..., *image, out, in)``, conjugate at opposite frequencies."""
    xp: Any = array_module(blocks)
    *leading, rows, columns = blocks.shape
    batch, image = leading[: len(leading) - axes], leading[len(leading) - axes :]
    flat = blocks.reshape(*batch, -1, rows, columns)
    frequencies = np.indices(image).reshape(axes, -1)
    opposite = np.ravel_multi_index([-f % n for f, n in zip(frequencies, image, strict=True)], image)
    indices = np.arange(len(opposite))
    real, upper, lower = (
        xp.asarray(places)
        for places in (indices[indices == opposite], indices[indices < opposite], opposite[indices < opposite])
    )
    rank = min(rows, columns)
    left = xp.zeros((*batch, len(indices), rows, rank), dtype=flat.dtype)
    values = xp.zeros((*batch, len(indices), rank), dtype=flat.real.dtype)
    right = xp.zeros((*batch, len(indices), rank, columns), dtype=flat.dtype)
    for chosen, source in ((real, flat.real), (upper, flat)):
        u, s, v = xp.linalg.svd(source[..., chosen, :, :], full_matrices=False)
        left[..., chosen, :, :], values[..., chosen, :], right[..., chosen, :, :] = u, s, v
    left[..., lower, :, :] = left[..., upper, :, :].conj()
    values[..., lower, :] = values[..., upper, :]
    right[..., lower, :, :] = right[..., upper, :, :].conj()
    shape = (*batch, *image)
    return left.reshape(*shape, rows, rank), values.reshape(*shape, rank), right.reshape(*shape, rank, columns)
