r"""Stretching the integration range: a network on [0, c] with leak L/c is a network on [0, 1] with leak L.

Statement
    With :math:`W'_q = \frac1cW_{q/c}` and leak L/c on [0, c] the activations are stretched,
    :math:`\alpha'_q = \alpha_{q/c}`, and

    .. math:: \int_0^c\|W'_q\|^2dq = \frac1c\int_0^1\|W_p\|^2dp ,

    biases included. So leak 1 on [0, c] is leak c on [0, 1], with :math:`\frac\lambda2\int_0^c\|W'\|^2 =
    \frac\lambda{2c}\int_0^1\|W\|^2`: the reason for the factor 1/L of the ridge.
Checked
    For discrete networks, whose steps are stretched by c, the activations of all layers and the norm. For weights that are
    linear in p, the velocity at every position and the norm, for any c; integrated on both ranges, the activations, for
    c = 3/10 and 5/2.
Proof idea
    The chain rule.
Source
    leaky_resnets, Section 1.2.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.drawn_networks import drawn_networks
from theorems.leaky_resnets.constructions.representations import scaled
from verify import Claim, Domain, Measured, Q, Relation, Sizes, Source, derived, eq, interval, measured, reals
from verify.arithmetic import Array, FloatOnly, is_exact
from verify.networks import ContinuousLeakyResNet, LeakyResNet
from verify.networks.leaky_resnet import feature_matrix, squared_norm


def stretched(network: LeakyResNet, factor: Array) -> LeakyResNet:
    """The network on a range `factor` times as long."""
    weights = [scaled(weight, 1 / factor) for weight in network.weights]
    return LeakyResNet(weights, network.leak / factor, network.steps * factor[..., None])


def range_is_a_unit(network: LeakyResNet, x: Array, factor: Array) -> Relation:
    """Activations of all layers, and the norm, on both ranges."""
    longer = stretched(network, factor)
    norms = eq(longer.parameter_norm_squared * factor, network.parameter_norm_squared, name="norm")
    return norms & _same_activations(longer, network, x)


def _same_activations(first: LeakyResNet, second: LeakyResNet, x: Array) -> Relation:
    layers = (np.stack(one.activations(x)[1:], axis=-3) for one in (first, second))
    return eq(*layers, name="activations", over=3)


@dataclass(frozen=True, eq=False)
class Stretched:
    """Weights that are linear in p, a leak, and the same on a range that is c times as long.

    Attributes
    ----------
    weights, longer
        At a position p and at cp: shape ``(..., w, w + 1)``.
    leak, longer_leak, c
        Shape ``(...)``.
    norm, longer_norm
        Integrals of the squared norm.
    paths
        Activations in the middle and at the end of both ranges, where they are integrated.
    """

    weights: Array
    longer: Array
    leak: Array
    longer_leak: Array
    c: Array
    norm: Array
    longer_norm: Array
    paths: tuple[Measured, ...]

    def __getitem__(self, index: Any) -> Stretched:
        numbers = {one.name: getattr(self, one.name)[index] for one in fields(self) if one.name != "paths"}
        return Stretched(**numbers, paths=tuple(one[index] for one in self.paths))


def stretched_weights(ends: Array, leak: Array, x: Array, position: Array, c: Array, integrated: int) -> Stretched:
    """From the weights at both ends, shape ``(..., 2, w, w + 1)``; integrated for c = 3/10 (1) or 5/2 (2)."""
    if integrated:
        c = 0 * c + CONSTANTS[integrated]
    start, end = ends[..., 0, :, :], ends[..., 1, :, :]
    longer_start, longer_end = scaled(start, 1 / c), scaled(end, 1 / c)
    share = position[..., None, None]
    return Stretched(
        weights=(1 - share) * start + share * end,
        longer=(1 - share) * longer_start + share * longer_end,
        leak=leak,
        longer_leak=leak / c,
        c=c,
        norm=_integral(start, end),
        longer_norm=c * _integral(longer_start, longer_end),
        paths=_integrated(start, end, leak, x, CONSTANTS[integrated]) if integrated else (),
    )


CONSTANTS = {1: Q("3/10"), 2: Q("5/2")}
"""The constants c for which both equations are integrated."""


def _integral(start: Array, end: Array) -> Array:
    """Of the squared norm of what is linear in between, by Simpson's rule, which is exact here."""
    return (squared_norm(start) + squared_norm(start + end) + squared_norm(end)) / 6


def _integrated(start: Array, end: Array, leak: Array, x: Array, c: Q) -> tuple[Measured, ...]:
    if is_exact(x):
        raise FloatOnly("an integrated path has no exact evaluation")
    factor = float(c)
    short = ContinuousLeakyResNet.piecewise_linear([start, end], leak).activations(x, [0.5, 1.0])
    ends = [start / factor, end / factor]
    long = ContinuousLeakyResNet.piecewise_linear(ends, leak / factor, [0.0, factor]).activations(x, [factor / 2, factor])
    return tuple(measured(path.values, path.accuracy[..., None, None, None]) for path in (short, long))


def equation_is_stretched(path: Stretched, x: Array) -> Relation:
    """The velocity at a position, the integrals of the squared norm, and the integrated paths."""
    relation = _same_velocity(path, x) & eq(path.c * path.longer_norm, path.norm, name="norm")
    return relation & eq(*path.paths, name="paths", over=3) if path.paths else relation


def _same_velocity(path: Stretched, x: Array) -> Relation:
    short, long = path.weights @ feature_matrix(x), path.longer @ feature_matrix(x)
    return eq(
        scaled(long, path.c) + scaled(x, path.leak), short + scaled(x, path.c * path.longer_leak), name="velocity", over=2
    )


# False variants


def norm_does_not_change(network: LeakyResNet, x: Array, factor: Array) -> Relation:  # noqa: ARG001 (the statement's parameters)
    """The norm as it was."""
    return eq(stretched(network, factor).parameter_norm_squared, network.parameter_norm_squared)


def leak_does_not_change(network: LeakyResNet, x: Array, factor: Array) -> Relation:
    """The leak as it was."""
    longer = stretched(network, factor)
    return _same_activations(LeakyResNet(longer.weights, network.leak, longer.steps), network, x)


def biases_do_not_change(network: LeakyResNet, x: Array, factor: Array) -> Relation:
    """The biases as they were."""
    longer = stretched(network, factor)
    weights = [
        np.concatenate([new[..., :-1], old[..., -1:]], axis=-1)
        for new, old in zip(longer.weights, network.weights, strict=True)
    ]
    return _same_activations(LeakyResNet(weights, longer.leak, longer.steps), network, x)


def norm_of_the_equation_does_not_change(path: Stretched, x: Array) -> Relation:  # noqa: ARG001 (the statement's parameters)
    """The integral as it was."""
    return eq(path.longer_norm, path.norm)


def leak_of_the_equation_does_not_change(path: Stretched, x: Array) -> Relation:
    """The leak as it was."""
    long = path.longer @ feature_matrix(x) - scaled(x, path.leak)
    return eq(scaled(long, path.c), path.weights @ feature_matrix(x) - scaled(x, path.leak), over=2)


def price(sizes: Sizes) -> int:
    """Two integrations cost more than two formulas."""
    return 256 if sizes["integrated"] else 1


SOURCE = Source("leaky_resnets", "Section 1.2")
POINTS = interval(-2, 2, 2, 2)

CLAIM = Claim(
    id="leaky_resnets.range_symmetry",
    title="A longer integration range is a smaller leak",
    source=SOURCE,
    statement=range_is_a_unit,
    domain=Domain(
        {"network": drawn_networks(), "x": reals("width", "points"), "factor": interval(1 / 4, 4)},
        {"depth": (1, 2, 3, 6), "width": range(1, 4), "points": range(1, 4)},
    ),
    false_neighbours={
        "norm as it was": norm_does_not_change,
        "leak as it was": leak_does_not_change,
        "biases as they were": biases_do_not_change,
    },
)

CONTINUOUS = Claim(
    id="leaky_resnets.range_symmetry.continuous",
    title="A longer integration range of the differential equation is a smaller leak",
    source=SOURCE,
    statement=equation_is_stretched,
    domain=Domain(
        {
            "path": derived(
                stretched_weights,
                ends=interval(-2, 2, 2, 2, 3),
                leak=interval(0, 2),
                x=POINTS,
                position=interval(0, 1),
                c=interval(1 / 4, 4),
            ),
            "x": POINTS,
        },
        {"integrated": (0, 1, 2)},
    ),
    loose={"paths": "integrated in floats, which refute nothing on rationals: the velocities beside it are exact"},
    false_neighbours={
        "norm as it was": norm_of_the_equation_does_not_change,
        "leak as it was": leak_of_the_equation_does_not_change,
    },
    cost=price,
)
