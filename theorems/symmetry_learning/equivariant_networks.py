r"""Equivariant maps are convolutional networks, with the parameter norm of a network of one pixel.

Statement
    Convolutional networks represent general translation equivariant functions. Precisely: for a fully connected network
    :math:`\phi` that takes images with c channels, the equivariant map

    .. math:: f(x)[v] = \phi(T_{-v}x), \qquad T_{-v}x[i] = x[i + v] ,

    is a convolutional network of the same depth and the same squared norm of the parameters, where a shared weight counts once.
Checked
    The values at every pixel and the norm. Filters of one pixel do not suffice.
Proof idea
    Every equivariant map is of this form, with :math:`\phi` its value at pixel 0, and every continuous piecewise linear
    :math:`\phi` is a network.
    The first filter is as large as the image, the rows of :math:`W_1` with the pixels in the opposite order; the others are
    1 x 1.
Source
    symmetry_learning, the section on convolutional networks; the precise form is ours.
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Networks, Relation, Sizes, Source, eq, reals
from verify.arithmetic import Array
from verify.networks import FullyConnected
from verify.networks.circular import CircularCNN, equivariant_network


def image_network(network: FullyConnected, x: Array) -> CircularCNN:
    """The convolutional network for images like `x`."""
    return equivariant_network(network, (x.shape[-1], x.shape[-1]))


def seen_from_every_pixel(network: FullyConnected, x: Array, direction: int) -> Array:
    r""":math:`\phi` at the image seen from every pixel (direction -1), shape ``(..., n * n, m)``."""
    pixels = list(np.ndindex(x.shape[-1], x.shape[-1]))
    views = [np.roll(x, tuple(direction * one for one in pixel), axis=(-2, -1)) for pixel in pixels]
    return np.stack([network(view.reshape(*view.shape[:-3], -1)) for view in views], axis=-2)


def values_at_pixels(network: FullyConnected, x: Array) -> Array:
    """Value of the convolutional network, pixels before channels, shape ``(..., n * n, m)``."""
    value = image_network(network, x)(x)
    return np.moveaxis(value.reshape(*value.shape[:-2], -1), -1, -2)


def network_at_every_pixel(network: FullyConnected, x: Array) -> Relation:
    """The convolutional network at `x`, shape ``(..., c, n, n)``, and the network at every pixel; the squared norms."""
    values = eq(values_at_pixels(network, x), seen_from_every_pixel(network, x, -1), over=2, name="values")
    return values & eq(image_network(network, x).parameter_norm_squared, network.parameter_norm_squared, name="norm")


# False variants


def seen_in_the_other_direction(network: FullyConnected, x: Array) -> Relation:
    """The image moved along with the pixel."""
    return eq(values_at_pixels(network, x), seen_from_every_pixel(network, x, 1), over=2)


def norm_of_dense_matrices(network: FullyConnected, x: Array) -> Relation:
    """A shared weight counted as often as it is used."""
    return eq(image_network(network, x).as_fully_connected().parameter_norm_squared, network.parameter_norm_squared)


def one_by_one_filters(network: FullyConnected, x: Array) -> Relation:
    """As if the value at pixel 0 did not depend on the other pixels."""
    alone = 0 * x
    alone[..., 0, 0] = x[..., 0, 0]
    convolutional = image_network(network, x)
    return eq(convolutional(x)[..., 0, 0], convolutional(alone)[..., 0, 0], over=1)


def inputs(sizes: Sizes) -> int:
    """All pixels of all channels."""
    return sizes["channels"] * sizes["side"] ** 2


CLAIM = Claim(
    id="symmetry_learning.equivariant_networks",
    title="Equivariant maps are convolutional networks of the same norm",
    source=Source("symmetry_learning", "Convolutional networks"),
    statement=network_at_every_pixel,
    domain=Domain(
        {
            "network": Networks(inputs=inputs, width=2, outputs="outputs", slope=(-1, 1)),
            "x": reals("channels", "side", "side"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "side": range(2, 4), "outputs": range(1, 3)},
    ),
    false_neighbours={
        "seen in the other direction": seen_in_the_other_direction,
        "the norm of the dense matrices": norm_of_dense_matrices,
        "filters of one pixel": one_by_one_filters,
    },
)
