r"""Proposition 3 for convolutional networks: what a Jacobian costs is counted per pixel.

Statement
    For every circular convolutional network on images of :math:`n^2` pixels with slopes in [-1, 1], and every x,

    .. math:: \frac{1}{n^2} \sum_i s_i(Jf(x))^{2/L} \le \frac1L \sum_\ell \|k_\ell\|^2 .

    So the rank that the cost of deep convolutional networks counts is in units of :math:`1/n^2`.
Checked
    The inequality for every network as it stands, with as many channels in every layer; biases do not enter. Slopes beyond
    [-1, 1] break it.
Proof idea
    The dense matrix of a layer has :math:`n^2` times the squared norm of its filters; the rest is Proposition 3 of
    notion_of_rank.
Sharp
    Balanced linear factors where all activations are non-negative.
Source
    symmetry_learning, the section on convolutional networks; the inequality is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, le, reals, slopes
from verify.arithmetic import Array, compare, rationals
from verify.matrices import schatten_power
from verify.networks import leaky_relu
from verify.networks.circular import CircularCNN


def with_one_bias(kernels: Array, bias: Array, slope: Array) -> CircularCNN:
    """Network with the filters ``(..., L, c, c, n, n)``, one bias ``(..., c)`` in every layer, and a slope below zero."""
    layers = [kernels[..., layer, :, :, :, :] for layer in range(kernels.shape[-5])]
    return CircularCNN(layers, [bias] * len(layers), leaky_relu(slope))


def squared_norm_of_filters(network: CircularCNN) -> Array:
    """Sum of the squares of all filters, a shared weight counted once."""
    return np.asarray(sum((kernel * kernel).sum(axis=(-4, -3, -2, -1)) for kernel in network.kernels))


def pixels(network: CircularCNN) -> int:
    """Number of pixels of an image."""
    return int(np.prod(network.image_shape))


def jacobian_costs_per_pixel(network: CircularCNN, x: Array) -> Relation:
    """Both sides of the inequality at `x`, times depth and pixels."""
    cost = network.depth * schatten_power(network.jacobian(x), Fraction(2, network.depth))
    return le(cost, pixels(network) * squared_norm_of_filters(network))


# False variants


def not_per_pixel(network: CircularCNN, x: Array) -> Relation:
    """Without the number of pixels."""
    cost = network.depth * schatten_power(network.jacobian(x), Fraction(2, network.depth))
    return le(cost, squared_norm_of_filters(network))


def with_half_the_exponent(network: CircularCNN, x: Array) -> Relation:
    """The exponent 1/L."""
    cost = network.depth * schatten_power(network.jacobian(x), Fraction(1, network.depth))
    return le(cost, pixels(network) * squared_norm_of_filters(network))


def without_the_last_layer(network: CircularCNN, x: Array) -> Relation:
    """As if the last layer were free."""
    last = network.kernels[-1]
    cost = network.depth * schatten_power(network.jacobian(x), Fraction(2, network.depth))
    paid = squared_norm_of_filters(network) - (last * last).sum(axis=(-4, -3, -2, -1))
    return le(cost, pixels(network) * paid)


def slope_at_most_one(network: CircularCNN) -> Array:
    """Whether the slope below zero is in [-1, 1]."""
    slope = network.activation.negative
    return np.asarray(compare(slope * slope, 1) <= 0)


def multiplying_layers(depth: int, factor: object) -> dict[str, Any]:
    """Layers that multiply a non-negative image by a positive number."""
    kernel = rationals(np.zeros((1, depth, 1, 1, 2, 2), dtype=int))
    kernel[..., 0, 0] = rationals(factor)
    return {"network": with_one_bias(kernel, rationals([[0]]), rationals([0])), "x": rationals([[[[1, 2], [3, 4]]]])}


CLAIM = Claim(
    id="symmetry_learning.cnn_prop_3",
    title="The Schatten norm of the Jacobian bounds the cost of a convolutional network per pixel",
    source=Source("symmetry_learning", "ours"),
    status=Ours(),
    statement=jacobian_costs_per_pixel,
    domain=Domain(
        {
            "network": derived(
                with_one_bias,
                kernels=reals("depth", "channels", "channels", "side", "side"),
                bias=reals("channels"),
                slope=slopes(-2, 2),
            ),
            "x": reals("channels", "side", "side"),
        },
        {"depth": (1, 2, 3, 6), "channels": range(1, 3), "side": range(1, 4)},
        {"the slope is between -1 and 1": slope_at_most_one},
        lambda sizes: sizes["side"] < 3 or sizes["channels"] == 1,
    ),
    needs=("the slope is between -1 and 1",),
    tight={
        "layers that change nothing": Tight(partial(multiplying_layers, 2, 1)),
        "three layers that double": Tight(partial(multiplying_layers, 3, 2)),
        "three layers that halve": Tight(partial(multiplying_layers, 3, "1/2")),
        "thirteen layers that halve": Tight(partial(multiplying_layers, 13, "1/2")),
    },
    false_neighbours={
        "not per pixel": not_per_pixel,
        "exponent 1/L": with_half_the_exponent,
        "without the last layer": without_the_last_layer,
    },
)
