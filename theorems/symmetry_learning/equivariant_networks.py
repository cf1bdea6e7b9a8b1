r"""Convolutional networks represent all translation equivariant functions, with the parameter norm of a network of one pixel.

For a fully connected network :math:`\phi` that takes images with c channels, the equivariant map

.. math:: f(x)[v] = \phi(T_{-v}x), \qquad T_{-v}x[i] = x[i + v] ,

is a convolutional network of the same depth and the same squared norm of the parameters, where a shared weight counts once: its
first filter is as large as the image, the rows of :math:`W_1` with the pixels in the opposite order, and the others are 1 x 1.
Every equivariant map is of this form, with :math:`\phi` its value at pixel 0, and every continuous piecewise linear
:math:`\phi` is such a network; so the statement of the slide ("general translation equivariant functions") is exact for these.

The full-size filter is needed: where all filters are 1 x 1 the value at a pixel does not depend on the others.

Source: symmetry_learning, the section on convolutional networks; the precise form is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.symmetry_learning.equivariance import sizes_of
from verify import Claim, Domain, Networks, Relation, Sizes, Source, Tight, eq, reals
from verify.arithmetic import Array, rationals
from verify.networks import FullyConnected
from verify.networks.circular import equivariant_network


def network_at_every_pixel(network: FullyConnected, x: Array, direction: int = 1, dense_norm: bool = False) -> Relation:
    r"""The convolutional network at `x`, shape ``(..., c, n, n)``, and :math:`\phi` at the image seen from every pixel.

    The second comparison is of the squared norms; `dense_norm` counts a shared weight as often as it is used.
    """
    side = x.shape[-1]
    convolutional = equivariant_network(network, (side, side))
    value = convolutional(x)
    scale = sizes_of(convolutional, x)[..., None]
    relation = Relation(())
    for pixel in np.ndindex(side, side):
        seen = np.roll(x, tuple(-direction * one for one in pixel), axis=(-2, -1))
        there = network(seen.reshape(*seen.shape[:-3], -1))
        relation &= eq(value[(..., *pixel)], there, scale=scale, over=1)
    norm = (convolutional.as_fully_connected() if dense_norm else convolutional).parameter_norm_squared
    return relation & eq(norm, network.parameter_norm_squared)


def one_by_one_filters(network: FullyConnected, x: Array) -> Relation:
    """What is false: the value at pixel 0 does not depend on the other pixels."""
    side = x.shape[-1]
    convolutional = equivariant_network(network, (side, side))
    alone = 0 * x
    alone[..., 0, 0] = x[..., 0, 0]
    scale = sizes_of(convolutional, x)[..., None]
    return eq(convolutional(x)[..., 0, 0], convolutional(alone)[..., 0, 0], scale=scale, over=1)


def difference_of_neighbours() -> dict[str, Any]:
    """The positive part of the difference of a pixel and the next, on 2 x 2 pixels."""
    network = FullyConnected([rationals([[[1, 0, -1, 0]]]), rationals([[[1]]])])
    return {"network": network, "x": rationals([[[[1, 2], [3, 5]]]])}


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
            "network": Networks(inputs=inputs, width=2, outputs=1, slope=(-1, 1)),
            "x": reals("channels", "side", "side"),
        },
        {"depth": range(1, 4), "channels": range(1, 3), "side": range(2, 4)},
    ),
    tight={"difference of neighbours": Tight(difference_of_neighbours)},
    false_neighbours={
        "seen in the other direction": partial(network_at_every_pixel, direction=-1),
        "the norm of the dense matrices": partial(network_at_every_pixel, dense_norm=True),
        "filters of one pixel": one_by_one_filters,
    },
)
