r"""Proposition 3 for convolutional networks: what a Jacobian costs is counted per pixel.

For every circular convolutional network on images of :math:`n^2` pixels with slopes in [-1, 1], and every x,

.. math:: \frac{1}{n^2} \sum_i s_i(Jf(x))^{2/L} \le \frac1L \sum_\ell \|k_\ell\|^2 ,

because the dense matrix of a layer has :math:`n^2` times the squared norm of its filters; the rest is Proposition 3 of
``notion_of_rank``. So the rank that the cost of deep convolutional networks counts is in units of :math:`1/n^2`. Biases do
not enter. Attained by balanced linear factors where all activations are non-negative.

Source: symmetry_learning, the section on convolutional networks; the inequality is ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.notion_of_rank.linear_networks import rounding_of_schatten_power
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, interval, le, reals
from verify.arithmetic import Array, rationals
from verify.matrices import schatten_power
from verify.networks import leaky_relu
from verify.networks.circular import CircularCNN


def with_one_bias(kernels: Array, bias: Array, slope: Array) -> CircularCNN:
    """Network with the filters ``(..., L, c, c, n, n)``, one bias ``(..., c)`` in every layer, and a slope below zero."""
    layers = [kernels[..., layer, :, :, :, :] for layer in range(kernels.shape[-5])]
    return CircularCNN(layers, [bias] * len(layers), leaky_relu(slope))


def jacobian_costs_per_pixel(
    network: CircularCNN, x: Array, basis_points: int = 10_000, power: int = 2, per_pixel: bool = True, last: bool = True
) -> Relation:
    """Both sides of the inequality at `x`, times the depth."""
    jacobian, exponent = network.jacobian(x), Fraction(power, network.depth)
    factor = Fraction(network.depth, int(np.prod(network.image_shape)) if per_pixel else 1)
    cost = schatten_power(jacobian, exponent)
    noise = 2 * float(factor) * np.asarray(rounding_of_schatten_power(jacobian, exponent))
    kernels = network.kernels if last else network.kernels[:-1]
    paid = sum((kernel * kernel).sum(axis=(-4, -3, -2, -1)) for kernel in kernels)
    return le(factor.numerator * cost * basis_points / (10_000 * factor.denominator), paid, noise=noise)


def unit_filters() -> dict[str, Any]:
    """Two layers that change nothing, at a non-negative image."""
    kernel = rationals(np.zeros((1, 2, 1, 1, 2, 2), dtype=int))
    kernel[..., 0, 0] = rationals(1)
    return {"network": with_one_bias(kernel, rationals([[0]]), rationals([0])), "x": rationals([[[[1, 2], [3, 4]]]])}


CLAIM = Claim(
    id="symmetry_learning.cnn_prop_3",
    title="What the Jacobian of a convolutional network costs per pixel",
    source=Source("symmetry_learning", "ours"),
    status=Ours(),
    statement=jacobian_costs_per_pixel,
    domain=Domain(
        {
            "network": derived(
                with_one_bias,
                kernels=reals("depth", "channels", "channels", "side", "side"),
                bias=reals("channels"),
                slope=interval(-1, 1),
            ),
            "x": reals("channels", "side", "side"),
        },
        {"depth": range(1, 4), "channels": range(1, 3), "side": range(1, 3)},
    ),
    tight={"layers that change nothing": Tight(unit_filters)},
    false_neighbours={
        "constant 1.01": partial(jacobian_costs_per_pixel, basis_points=10_100),
        "constant 1.0001": partial(jacobian_costs_per_pixel, basis_points=10_001),
        "not per pixel": partial(jacobian_costs_per_pixel, per_pixel=False),
        "exponent 1/L": partial(jacobian_costs_per_pixel, power=1),
        "without the last layer": partial(jacobian_costs_per_pixel, last=False),
    },
)
