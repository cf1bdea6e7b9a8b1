r"""Every equivariant map is a convolutional network, with the parameter norm of the network that gives one pixel.

Statement
    Convolutional networks can represent general translation equivariant functions. Precisely: for a fully connected network
    :math:`\phi` that takes images with c channels, the equivariant map

    .. math:: f(x)[v] = \phi(T_{-v}x), \qquad T_{-v}x[i] = x[i + v] ,

    is a convolutional network of the same depth and the same squared norm of the parameters, where a shared weight counts once.
Checked
    The value at every pixel, and the two norms. The filter as large as the image is needed: with filters of one pixel the
    value at a pixel does not depend on the others.
Proof idea
    The first filter is as large as the image: the rows of :math:`W_1` with the pixels in the opposite order. The other filters
    are 1 x 1. Every equivariant map is of this form, with :math:`\phi` its value at pixel 0, and every continuous piecewise
    linear :math:`\phi` is such a network.
Source
    symmetry_learning, the section on convolutional networks; the precise form is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify import Claim, Domain, Networks, Relation, Sizes, Source, Tight, eq, reals
from verify.arithmetic import Array, rationals
from verify.networks import FullyConnected
from verify.networks.circular import CircularCNN, equivariant_network


def convolutional(network: FullyConnected, x: Array) -> CircularCNN:
    r"""The network of the equivariant map, for images of the size of `x`."""
    return equivariant_network(network, x.shape[-2:])


def seen_from_every_pixel(network: FullyConnected, x: Array, direction: int) -> Array:
    r""":math:`\phi` at the image moved by minus (`direction` 1) or plus (-1) every pixel, shape ``(..., c, n, n)``."""
    side = x.shape[-1]
    values = []
    for pixel in np.ndindex(side, side):
        seen = np.roll(x, tuple(-direction * one for one in pixel), axis=(-2, -1))
        values.append(network(seen.reshape(*seen.shape[:-3], -1)))
    stacked = np.stack(values, axis=-1)
    return stacked.reshape(*stacked.shape[:-1], side, side)


def is_the_equivariant_map(network: FullyConnected, x: Array) -> Relation:
    r"""The convolutional network at `x`, and :math:`\phi` at the image seen from every pixel; the squared norms."""
    cnn = convolutional(network, x)
    values = eq(cnn(x), seen_from_every_pixel(network, x, 1), over=3, name="values")
    return values & eq(cnn.parameter_norm_squared, network.parameter_norm_squared, name="norms")


def inputs(sizes: Sizes) -> int:
    """All pixels of all channels."""
    return sizes["channels"] * sizes["side"] ** 2


def difference_of_neighbours() -> dict[str, Any]:
    """The positive part of the difference of a pixel and the next, on 2 x 2 pixels."""
    network = FullyConnected([rationals([[[1, 0, -1, 0]]]), rationals([[[1]]])])
    return {"network": network, "x": rationals([[[[1, 2], [3, 5]]]])}


# False variants


def seen_in_the_other_direction(network: FullyConnected, x: Array) -> Relation:
    """The image would be moved along with the pixel."""
    return eq(convolutional(network, x)(x), seen_from_every_pixel(network, x, -1), over=3)


def norm_of_dense_matrices(network: FullyConnected, x: Array) -> Relation:
    """The norms would be equal where a shared weight counts as often as it is used."""
    dense = convolutional(network, x).as_fully_connected()
    return eq(dense.parameter_norm_squared, network.parameter_norm_squared)


def one_by_one_filters(network: FullyConnected, x: Array) -> Relation:
    """Filters of one pixel would do: the value at pixel 0 would not depend on the other pixels."""
    cnn, alone = convolutional(network, x), 0 * x
    alone[..., 0, 0] = x[..., 0, 0]
    return eq(cnn(x)[..., 0, 0], cnn(alone)[..., 0, 0], over=1)


CLAIM = Claim(
    id="symmetry_learning.equivariant_networks",
    title="Equivariant maps are convolutional networks of the same norm",
    source=Source("symmetry_learning", "Convolutional networks"),
    statement=is_the_equivariant_map,
    domain=Domain(
        {
            "network": Networks(inputs=inputs, width=3, outputs="outputs", slope=(-1, 1)),
            "x": reals("channels", "side", "side"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "outputs": range(1, 4), "side": range(2, 4)},
    ),
    tight={"difference of neighbours": Tight(difference_of_neighbours)},
    false_neighbours={
        "seen in the other direction": seen_in_the_other_direction,
        "the norm of the dense matrices": norm_of_dense_matrices,
        "filters of one pixel": one_by_one_filters,
    },
)
