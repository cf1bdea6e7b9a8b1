r"""What a linear convolutional network costs: the Schatten quasi-norm of its frequency blocks, per pixel.

Statement
    For images of :math:`n^2` pixels, full-size filters and at least :math:`\max_\omega \mathrm{rank}\, K^{(\omega)}` channels,

    .. math:: \min\Bigl\{\sum_\ell \|k_\ell\|^2 : k_L * \cdots * k_1 = k\Bigr\}
              = \frac{L}{n^2} \sum_{\omega, i} s_i(K^{(\omega)})^{2/L} .
Checked
    The lower bound for every network as it stands, with as many channels in every layer. That it is attained, for filters whose
    blocks are powers: real blocks on 2 x 2 pixels, and one channel on 4 x 4 pixels with complex blocks, conjugate at opposite
    frequencies.
Proof idea
    The dense matrices have :math:`n^2` times the squared norms of the filters, and the bound of linear networks in
    notion_of_rank holds for them. Factors of the blocks at every frequency that are conjugate at opposite frequencies give real
    filters.
Sharp
    Layers that multiply an image by a number.
Not checked
    Filters smaller than the image, which only have the inequality.
Source
    symmetry_learning, the section on convolutional networks; the formula is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, rationals
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


def pixels(network: CircularCNN) -> int:
    """Number of pixels of an image."""
    return int(np.prod(network.image_shape))


def costs_at_least(network: CircularCNN) -> Relation:
    """The formula against the squared norm of the filters, times the pixels."""
    least = network.depth * schatten_power(dense_product(network), Fraction(2, network.depth))
    return le(least, pixels(network) * network.parameter_norm_squared)


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


def cost_is_attained(factors: tuple[CircularCNN, Array]) -> Relation:
    """Norm of the factors, the roots of their blocks being known, and the product: its blocks are the powers."""
    network, roots = factors
    least = network.depth * (roots * roots).sum(axis=(-2, -1))
    product = convolution_matrix(filter_from_frequencies(diagonal(roots**network.depth)))
    norm = eq(4 * network.parameter_norm_squared, least, name="norm")
    return norm & eq(dense_product(network), product, over=2, name="product")


def complex_filter(real: Array, imaginary: Array) -> Array:
    r"""Filter of one channel on 4 x 4 pixels whose blocks are :math:`a + ib` at :math:`\omega` and their conjugates at
    :math:`-\omega`, from arrays ``(..., 4, 4)`` of which the symmetric and the antisymmetric part is taken.
    """
    opposite = -np.arange(4) % 4
    even = (real + real[..., opposite, :][..., :, opposite]) / 2
    odd = (imaginary - imaginary[..., opposite, :][..., :, opposite]) / 2
    # of the transform of an even array the imaginary part is zero, of that of an odd one the real part
    even_waves, _ = frequency_blocks(even[..., None, None, :, :])
    _, odd_waves = frequency_blocks(odd[..., None, None, :, :])
    return np.asarray(np.moveaxis(even_waves + odd_waves, (-2, -1), (-4, -3)) / 16)


def complex_factors(real: Array, imaginary: Array, depth: int) -> CircularCNN:
    """Equal filters of one channel on 4 x 4 pixels, with complex blocks."""
    return CircularCNN([complex_filter(real, imaginary)] * depth, activation=identity())


def complex_cost_is_attained(network: CircularCNN) -> Relation:
    """The cost of equal factors against the formula for their product, times the pixels."""
    cost = network.depth * schatten_power(dense_product(network), Fraction(2, network.depth))
    return eq(pixels(network) * network.parameter_norm_squared, cost)


def blocks_of_powers() -> Relation:
    """The filters from given blocks have these blocks."""
    roots = rationals(np.arange(-4, 4).reshape(1, 4, 2))
    network, _ = equal_filters(roots, 2)
    real, imaginary = frequency_blocks(network.kernels[0])
    wanted = diagonal(roots)
    return eq(real.reshape(1, 4, 2, 2), wanted, over=3) & eq(imaginary.reshape(1, 4, 2, 2), 0 * wanted, over=3)


# False variants


def not_per_pixel(network: CircularCNN) -> Relation:
    """Without the number of pixels."""
    return le(
        network.depth * schatten_power(dense_product(network), Fraction(2, network.depth)), network.parameter_norm_squared
    )


def with_half_the_exponent(network: CircularCNN) -> Relation:
    """The exponent 1/L."""
    least = network.depth * schatten_power(dense_product(network), Fraction(1, network.depth))
    return le(least, pixels(network) * network.parameter_norm_squared)


def attained_without_squares(factors: tuple[CircularCNN, Array]) -> Relation:
    """The sum of the roots."""
    network, roots = factors
    return eq(4 * network.parameter_norm_squared, network.depth * roots.sum(axis=(-2, -1)))


def attained_not_per_pixel(factors: tuple[CircularCNN, Array]) -> Relation:
    """Without the number of pixels."""
    network, roots = factors
    return eq(network.parameter_norm_squared, network.depth * (roots * roots).sum(axis=(-2, -1)))


def complex_not_per_pixel(network: CircularCNN) -> Relation:
    """Without the number of pixels."""
    return eq(
        network.parameter_norm_squared, network.depth * schatten_power(dense_product(network), Fraction(2, network.depth))
    )


def complex_with_half_the_exponent(network: CircularCNN) -> Relation:
    """The exponent 1/L."""
    cost = network.depth * schatten_power(dense_product(network), Fraction(1, network.depth))
    return eq(pixels(network) * network.parameter_norm_squared, cost)


def multiplying_layers(depth: int, factor: object) -> dict[str, Any]:
    """Layers that multiply an image by a number."""
    kernel = rationals(np.zeros((1, depth, 1, 1, 2, 2), dtype=int))
    kernel[..., 0, 0] = rationals(factor)
    return {"network": linear_network(kernel)}


OURS = Source("symmetry_learning", "ours")

CLAIM = Claim(
    id="symmetry_learning.linear_cnn_cost",
    title="A linear convolutional network costs at least the Schatten norm of its blocks, per pixel",
    source=OURS,
    status=Ours(),
    statement=costs_at_least,
    domain=Domain(
        {"network": derived(linear_network, kernels=reals("depth", "channels", "channels", "side", "side"))},
        {"depth": (2, 3, 6), "channels": range(1, 3), "side": range(1, 4)},
    ),
    tight={
        "layers that change nothing": Tight(partial(multiplying_layers, 3, 1)),
        "three layers that double": Tight(partial(multiplying_layers, 3, 2)),
        "three layers that halve": Tight(partial(multiplying_layers, 3, "1/2")),
        "thirteen layers that halve": Tight(partial(multiplying_layers, 13, "1/2")),
    },
    false_neighbours={
        "not per pixel": not_per_pixel,
        "exponent 1/L": with_half_the_exponent,
    },
)

ATTAINED = Claim(
    id="symmetry_learning.linear_cnn_cost.attained",
    title="Filters whose blocks are powers attain the cost",
    source=OURS,
    status=Ours(),
    statement=cost_is_attained,
    domain=Domain(
        {"factors": derived(equal_filters, roots=interval(-2, 2, 4, "channels"))},
        {"depth": (1, 2, 3, 6), "channels": range(1, 4)},
    ),
    false_neighbours={"the roots themselves": attained_without_squares, "not per pixel": attained_not_per_pixel},
    exact={"blocks of powers": blocks_of_powers},
)

COMPLEX = Claim(
    id="symmetry_learning.linear_cnn_cost.complex_blocks",
    title="Filters whose complex blocks are powers attain the cost, too",
    source=OURS,
    status=Ours(),
    statement=complex_cost_is_attained,
    domain=Domain(
        {"network": derived(complex_factors, real=interval(-2, 2, 4, 4), imaginary=interval(-2, 2, 4, 4))}, {"depth": (1, 2, 3)}
    ),
    cost=4,
    false_neighbours={"not per pixel": complex_not_per_pixel, "exponent 1/L": complex_with_half_the_exponent},
)
