r"""A linear convolutional network costs the Schatten quasi-norm of its frequency blocks, divided by the number of pixels.

Statement
    For images of :math:`n^2` pixels, full-size filters and at least :math:`\max_\omega \mathrm{rank}\, K^{(\omega)}` channels,

    .. math:: \min\Bigl\{\sum_{\ell=1}^L \|k_\ell\|^2 : k_L * \cdots * k_1 = k\Bigr\}
              = \frac{L}{n^2} \sum_{\omega, i} s_i(K^{(\omega)})^{2/L} .
Checked
    The lower bound for every network, with the singular values of the dense matrix of the product. It is attained by L equal
    layers that do not mix channels, for every choice of their filters, so also where the blocks are complex
    (``.attained``).
Proof idea
    The dense matrices have :math:`n^2` times the squared norms of the filters, and the bound of
    ``notion_of_rank.linear_networks`` holds for them. It is attained by balanced factors of the blocks at every frequency that
    are conjugate at opposite frequencies, so that the filters are real.
Sharp
    Filters that multiply an image by a number.
Not checked
    That general factors attain the minimum: `verify.networks.circular.balanced_frequency_factors` builds them in floats.
    Filters smaller than the image only have the inequality.
Source
    symmetry_learning, the section on convolutional networks; the formula is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.symmetry_learning.constructions.convolutional import (
    linear_network,
    multiples_of_the_identity,
    squared_norm_of_filters,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, le, reals
from verify.arithmetic import Array, power, rationals
from verify.matrices import schatten_power
from verify.networks import identity
from verify.networks.circular import CircularCNN, convolution_matrix, frequency_blocks


def dense_product(network: CircularCNN) -> Array:
    """The matrix of the whole linear network."""
    matrices = [convolution_matrix(kernel) for kernel in network.kernels]
    product = matrices[0]
    for matrix in matrices[1:]:
        product = matrix @ product
    return product


def costs_at_least(network: CircularCNN, exponent: Fraction | int = 2) -> Relation:
    """The formula against the squared norm of the filters."""
    height, width = network.image_shape
    values = schatten_power(dense_product(network), Fraction(exponent, network.depth))
    return le(network.depth * values / (height * width), squared_norm_of_filters(network))


def equal_layers(kernels: Array, depth: int) -> CircularCNN:
    """Linear network of equal layers that apply to every channel a filter of its own, ``(..., c, n, n)``."""
    channels = kernels.shape[-3]
    unit = np.eye(channels, dtype=int)[:, :, None, None]
    return CircularCNN([kernels[..., :, None, :, :] * unit] * depth, activation=identity())


def filters_of_product(network: CircularCNN) -> Array:
    """The filters of the whole linear network, shape ``(..., out, in, n, n)``: what it makes of the first pixel."""
    height, width = network.image_shape
    product = dense_product(network)
    outputs, inputs = product.shape[-2] // (height * width), product.shape[-1] // (height * width)
    shaped = product.reshape(*product.shape[:-2], outputs, height, width, inputs, height, width)
    return np.asarray(np.moveaxis(shaped[..., 0, 0], -1, -3))


def squared_block_values(network: CircularCNN) -> Array:
    """Squared singular values of all blocks of layers that do not mix channels: those of the entries of the blocks."""
    real, imaginary = frequency_blocks(filters_of_product(network))
    return np.asarray(real * real + imaginary * imaginary)


def cost_is_attained(network: CircularCNN, exponent: Fraction | int = 2) -> Relation:
    """The squared norm of the filters, and the formula."""
    height, width = network.image_shape
    values = power(squared_block_values(network), Fraction(exponent, 2 * network.depth)).sum(axis=(-4, -3, -2, -1))
    return eq(squared_norm_of_filters(network), network.depth * values / (height * width))


def complex_blocks() -> Relation:
    """On 4 x 4 pixels the blocks of the filter :math:`k[1, 0] = 1` are 1, -i, -1 and i: the formula meets complex blocks."""
    kernel = np.zeros((1, 1, 4, 4), dtype=int)
    kernel[0, 0, 1, 0] = 1
    real, imaginary = frequency_blocks(rationals(kernel))
    first = np.stack([real[:, 0, 0, 0], imaginary[:, 0, 0, 0]], axis=-1)
    return eq(first, rationals([[1, 0], [0, -1], [-1, 0], [0, 1]]), over=2)


def multiplying_layers(depth: int, factor: object) -> dict[str, Any]:
    """Layers that multiply an image by a number."""
    return {"network": linear_network(multiples_of_the_identity(depth, factor))}


def quarter_turns() -> dict[str, Any]:
    """Three layers on 4 x 4 pixels with two channels and complex blocks."""
    kernels = rationals(np.zeros((1, 2, 4, 4), dtype=int))
    kernels[..., 0, 0, 0], kernels[..., 0, 1, 0], kernels[..., 1, 0, 3] = rationals(1), rationals(2), rationals("1/2")
    return {"network": equal_layers(kernels, 3)}


# False variants


def bound_not_per_pixel(network: CircularCNN) -> Relation:
    """The Schatten norm would count as for a fully connected network."""
    values = schatten_power(dense_product(network), Fraction(2, network.depth))
    return le(network.depth * values, squared_norm_of_filters(network))


def attained_at_real_parts(network: CircularCNN) -> Relation:
    """The real parts of the blocks would be enough."""
    height, width = network.image_shape
    real, _ = frequency_blocks(filters_of_product(network))
    values = power(real * real, Fraction(1, network.depth)).sum(axis=(-4, -3, -2, -1))
    return eq(squared_norm_of_filters(network), network.depth * values / (height * width))


OURS = Source("symmetry_learning", "ours")

CLAIM = Claim(
    id="symmetry_learning.linear_cnn_cost",
    title="The Schatten norm of the blocks, per pixel, bounds the cost of a linear convolutional network",
    source=OURS,
    status=Ours(),
    statement=costs_at_least,
    domain=Domain(
        {"network": derived(linear_network, kernels=reals("depth", "channels", "channels", "side", "side"))},
        {"depth": (2, 3, 6), "channels": range(1, 4), "side": range(1, 4)},
        sizes_where=lambda sizes: sizes["channels"] * sizes["side"] ** 2 <= 9,
    ),
    tight={
        "two layers that double": Tight(partial(multiplying_layers, 2, 2)),
        "three layers that halve": Tight(partial(multiplying_layers, 3, "1/2")),
        "thirteen layers that double": Tight(partial(multiplying_layers, 13, 2)),
    },
    false_neighbours={"not per pixel": bound_not_per_pixel, "exponent 1/L": partial(costs_at_least, exponent=1)},
)

ATTAINED = Claim(
    id="symmetry_learning.linear_cnn_cost.attained",
    title="Equal layers that do not mix channels attain the cost",
    source=OURS,
    status=Ours(),
    statement=cost_is_attained,
    domain=Domain(
        {"network": derived(equal_layers, kernels=reals("channels", "side", "side"))},
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "side": range(1, 5)},
        sizes_where=lambda sizes: sizes["channels"] * sizes["side"] ** 2 <= 18,
    ),
    tight={"quarter turns": Tight(quarter_turns)},
    false_neighbours={
        "exponent 1/L": partial(cost_is_attained, exponent=1),
        "real parts of the blocks": attained_at_real_parts,
    },
    exact={"complex blocks on 4 x 4 pixels": complex_blocks},
)
