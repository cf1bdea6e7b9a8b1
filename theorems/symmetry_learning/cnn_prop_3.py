r"""Proposition 3 for convolutional networks: the Jacobian's Schatten norm per pixel bounds the cost per layer.

Statement
    For every circular convolutional network on images of :math:`n^2` pixels with slopes in [-1, 1], and every x,

    .. math:: \frac{1}{n^2} \sum_i s_i(Jf(x))^{2/L} \le \frac1L \sum_{\ell=1}^L \|k_\ell\|^2 .
Checked
    The inequality for every network, minimal or not, with any biases: they do not enter.
Proof idea
    The dense matrix of a layer has :math:`n^2` times the squared norm of its filters; the rest is Proposition 3 of
    ``notion_of_rank``. So the cost of deep convolutional networks counts rank in units of :math:`1/n^2`.
Sharp
    Filters that multiply a non-negative image by a positive number.
Source
    symmetry_learning, the section on convolutional networks; the inequality is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from theorems.symmetry_learning.constructions.convolutional import (
    convolutional_network,
    multiples_of_the_identity,
    squared_norm_of_filters,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, le, reals, slopes
from verify.arithmetic import Array, rationals
from verify.matrices import schatten_power
from verify.networks.circular import CircularCNN


def schatten_bound_per_pixel(network: CircularCNN, x: Array, exponent: Fraction | int = 2) -> Relation:
    """Sum of s_i(Jf(x))^(exponent / L) per pixel, against the squared norm of the filters per layer."""
    height, width = network.image_shape
    cost = schatten_power(network.jacobian(x), Fraction(exponent, network.depth))
    return le(cost / (height * width), squared_norm_of_filters(network) / network.depth)


def multiplying_layers(depth: int, factor: object) -> dict[str, Any]:
    """ReLU layers that multiply a non-negative image by a number, with a positive bias in each."""
    kernels = multiples_of_the_identity(depth, factor)
    network = convolutional_network(kernels, 0 * kernels[..., 0, 0, 0] + 1, rationals([0]))
    return {"network": network, "x": rationals([[[[1, 2], [3, 4]]]])}


# False variants


def not_per_pixel(network: CircularCNN, x: Array) -> Relation:
    """The Schatten norm would count as for a fully connected network."""
    cost = schatten_power(network.jacobian(x), Fraction(2, network.depth))
    return le(cost, squared_norm_of_filters(network) / network.depth)


def without_last_layer(network: CircularCNN, x: Array) -> Relation:
    """The last layer would be free."""
    height, width = network.image_shape
    last = (network.kernels[-1] * network.kernels[-1]).sum(axis=(-4, -3, -2, -1))
    cost = schatten_power(network.jacobian(x), Fraction(2, network.depth))
    return le(cost / (height * width), (squared_norm_of_filters(network) - last) / network.depth)


CLAIM = Claim(
    id="symmetry_learning.cnn_prop_3",
    title="The Schatten norm of a convolutional network's Jacobian, per pixel, bounds the cost per layer",
    source=Source("symmetry_learning", "ours"),
    status=Ours(),
    statement=schatten_bound_per_pixel,
    domain=Domain(
        {
            "network": derived(
                convolutional_network,
                kernels=reals("depth", "channels", "channels", "side", "side"),
                biases=reals("depth", "channels"),
                slope=slopes(),
            ),
            "x": reals("channels", "side", "side"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "side": range(1, 4)},
        sizes_where=lambda sizes: sizes["channels"] * sizes["side"] ** 2 <= 9,
    ),
    tight={
        "one layer that doubles": Tight(partial(multiplying_layers, 1, 2)),
        "three layers that double": Tight(partial(multiplying_layers, 3, 2)),
        "three layers that halve": Tight(partial(multiplying_layers, 3, "1/2")),
        "thirteen layers that halve": Tight(partial(multiplying_layers, 13, "1/2")),
    },
    false_neighbours={
        "not per pixel": not_per_pixel,
        "exponent 1/L": partial(schatten_bound_per_pixel, exponent=1),
        "without the last layer": without_last_layer,
    },
)
