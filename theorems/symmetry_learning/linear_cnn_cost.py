r"""What a linear convolutional network costs: the Schatten quasi-norm of its frequency blocks, divided by the number of pixels.

For images of :math:`n^2` pixels, full-size filters and at least :math:`\max_\omega \mathrm{rank}\, K^{(\omega)}` channels,

.. math:: \min\Bigl\{\sum_\ell \|k_\ell\|^2 : k_L * \cdots * k_1 = k\Bigr\}
          = \frac{L}{n^2} \sum_{\omega, i} s_i(K^{(\omega)})^{2/L} .

The lower bound is checked for every network as it stands: the dense matrices have :math:`n^2` times the squared norms of the
filters, and the bound of ``notion_of_rank.linear_networks`` holds for them. It is attained by factors of the blocks at every
frequency that are conjugate at opposite frequencies, so that the filters are real (``.attained``, on rationals for filters
whose blocks are powers; `verify.networks.circular.balanced_frequency_factors` in general). Filters smaller than the image
only have the inequality.

Source: symmetry_learning, the section on convolutional networks; the formula is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.linear_networks import rounding_of_schatten_power
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, absolute, rationals
from verify.matrices import schatten_power
from verify.networks import identity
from verify.networks.circular import CircularCNN, convolution_matrix, frequency_blocks


def linear_network(kernels: Array) -> CircularCNN:
    """Network with equally wide layers and the filters ``(..., L, c, c, n, n)``."""
    layers = [kernels[..., layer, :, :, :, :] for layer in range(kernels.shape[-5])]
    return CircularCNN(layers, activation=identity())


def dense_product(network: CircularCNN) -> Array:
    """The matrix of the whole linear network."""
    matrices = [convolution_matrix(kernel) for kernel in network.kernels]
    product = matrices[0]
    for matrix in matrices[1:]:
        product = matrix @ product
    return product


def least_cost(network: CircularCNN, power: int = 2, per_pixel: bool = True) -> tuple[Array, Array]:
    """The formula for the matrix of the network, and its rounding."""
    product, exponent = dense_product(network), Fraction(power, network.depth)
    factor = Fraction(network.depth, int(np.prod(network.image_shape)) if per_pixel else 1)
    value = factor.numerator * schatten_power(product, exponent) / factor.denominator
    return value, float(factor) * np.asarray(rounding_of_schatten_power(product, exponent))


def costs_at_least(network: CircularCNN, basis_points: int = 10_000, power: int = 2, per_pixel: bool = True) -> Relation:
    """The formula against the squared norm of the filters."""
    least, rounding = least_cost(network, power, per_pixel)
    return le(least * basis_points / 10_000, network.parameter_norm_squared, noise=2 * rounding)


def filter_from_frequencies(blocks: Array) -> Array:
    """Filter on 2 x 2 pixels with these (real) blocks, ``(..., 4, out, in) -> (..., out, in, 2, 2)``."""
    if blocks.ndim < 3 or blocks.shape[-3] != 4:
        raise ValueError(f"blocks must have the shape (..., 4, out, in), got {blocks.shape}: 2 x 2 pixels have 4 frequencies")
    waves = np.array([[(-1) ** ((f // 2) * (p // 2) + (f % 2) * (p % 2)) for f in range(4)] for p in range(4)])
    pixels = [sum(int(sign) * blocks[..., place, :, :] for place, sign in enumerate(row)) for row in waves]
    stacked = np.stack(pixels, axis=-1) / 4
    return stacked.reshape(*stacked.shape[:-1], 2, 2)


def diagonal(values: Array) -> Array:
    """Diagonal matrices, ``(..., c) -> (..., c, c)``."""
    return np.asarray(values[..., :, None] * np.eye(values.shape[-1], dtype=np.int64))


def equal_filters(roots: Array, depth: int) -> tuple[CircularCNN, Array]:
    """Equal filters on 2 x 2 pixels with the blocks diag(`roots`), shape ``(..., 4, c)``; and the roots."""
    return CircularCNN([filter_from_frequencies(diagonal(roots))] * depth, activation=identity()), roots


def cost_is_attained(
    factors: tuple[CircularCNN, Array], power: int = 2, basis_points: int = 10_000, per_pixel: bool = True
) -> Relation:
    """Norm of the factors, the roots of their blocks being known, and the product: its blocks are the powers."""
    network, roots = factors
    least = network.depth * (roots**power).sum(axis=(-2, -1)) / (4 if per_pixel else 1)
    product = convolution_matrix(filter_from_frequencies(diagonal(roots**network.depth)))
    size = np.asarray((absolute(roots) ** network.depth).sum(axis=(-2, -1)))[..., None, None]
    return eq(network.parameter_norm_squared, least * basis_points / 10_000) & eq(
        dense_product(network), product, scale=size, over=2
    )


def blocks_of_powers() -> Relation:
    """The filters from given blocks have these blocks."""
    roots = rationals(np.arange(-4, 4).reshape(1, 4, 2))
    network, _ = equal_filters(roots, 2)
    real, imaginary = frequency_blocks(network.kernels[0])
    wanted = diagonal(roots)
    return eq(real.reshape(1, 4, 2, 2), wanted, over=3) & eq(imaginary.reshape(1, 4, 2, 2), 0 * wanted, over=3)


def unit_filters() -> dict[str, Any]:
    """Three layers that change nothing."""
    kernel = rationals(np.zeros((1, 3, 1, 1, 2, 2), dtype=int))
    kernel[..., 0, 0] = rationals(1)
    return {"network": linear_network(kernel)}


def known_roots() -> dict[str, Any]:
    """Roots 1, 2, 0 and -1 at the four frequencies, depth 3."""
    return {"factors": equal_filters(rationals([[[1], [2], [0], [-1]]]), 3)}


OURS = Source("symmetry_learning", "ours")

CLAIM = Claim(
    id="symmetry_learning.linear_cnn_cost",
    title="What a linear convolutional network costs at least",
    source=OURS,
    status=Ours(),
    statement=costs_at_least,
    domain=Domain(
        {"network": derived(linear_network, kernels=reals("depth", "channels", "channels", "side", "side"))},
        {"depth": range(2, 4), "channels": range(1, 3), "side": range(1, 3)},
    ),
    tight={"layers that change nothing": Tight(unit_filters)},
    false_neighbours={
        "constant 1.01": partial(costs_at_least, basis_points=10_100),
        "constant 1.0001": partial(costs_at_least, basis_points=10_001),
        "not per pixel": partial(costs_at_least, per_pixel=False),
        "exponent 1/L": partial(costs_at_least, power=1),
    },
)

ATTAINED = Claim(
    id="symmetry_learning.linear_cnn_cost.attained",
    title="Filters that attain the cost",
    source=OURS,
    status=Ours(),
    statement=cost_is_attained,
    domain=Domain(
        {"factors": derived(equal_filters, roots=interval(-2, 2, 4, "channels"))},
        {"depth": range(1, 5), "channels": range(1, 3)},
    ),
    tight={"known roots": Tight(known_roots)},
    false_neighbours={
        "1 percent more": partial(cost_is_attained, basis_points=10_100),
        "exponent 1/L": partial(cost_is_attained, power=1),
        "not per pixel": partial(cost_is_attained, per_pixel=False),
    },
    exact={"blocks of powers": blocks_of_powers},
)
