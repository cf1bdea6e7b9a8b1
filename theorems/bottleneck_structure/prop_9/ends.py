r"""Proposition 9 (2): the kernel is large at one end of a linear segment.

Statement
    If the pre-activations are constant between x and y, one of :math:`\|\Theta(x, x)\|_{op}` and
    :math:`\|\Theta(y, y)\|_{op}` is at least :math:`\frac L4 \|x - y\|^2 \|Jf(x)u\|^{2 - 2/L}`, with
    :math:`u = (y - x) / \|y - x\|`.
Correction
    The activation pattern is meant: constant pre-activations would give x and y one value. For a leaky ReLU of slope a in
    [-1, 1] the right side takes the factor :math:`|a|^{2(L-1)/L}`. For ReLU networks the factor 1/4 may be
    :math:`2^{-(1 + 1/L)}`.
Checked
    Both constants, with the kernel without the share of the biases.
Proof idea
    Along the segment :math:`v^T\Theta v` is a quadratic function whose second derivative is at least twice what (1) bounds from
    below, and such a function exceeds an eighth of it at one of its ends. Hidden activations of ReLU networks are not
    negative, so that their squared norms at x and y add up to at least that of their difference.
Sharp
    Linear chains of equal weights or identities, and x = -y; for the larger constant a folded interval in depth 2.
Source
    bottleneck_structure, Proposition 18 (2); the leaky and the improved form are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.prop_9.statement import LEAKY, RELU, SIZES, SOURCE, chain, leaky_factor
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, le, reals
from verify.arithmetic import Array, compare, maximum, power, rationals
from verify.matrices import operator_norm
from verify.networks import FullyConnected, identity
from verify.networks.ntk import ntk

QUARTER = Q("1/4")


def moved_along(network: FullyConnected, x: Array, y: Array) -> Array:
    r""":math:`L \|x - y\|^2 \|Jf(x)u\|^{2 - 2/L}`: the powers of the length of y - x meet in one."""
    depth, step = network.depth, y - x
    length, moved = squares(step), squares((network.jacobian(x) @ step[..., None])[..., 0])
    return np.asarray(depth * power(length, Fraction(1, depth)) * power(moved, Fraction(depth - 1, depth)))


def larger_end(network: FullyConnected, x: Array, y: Array) -> Array:
    """The larger norm of the kernel at x and at y, without the share of the biases."""
    return maximum(*(operator_norm(ntk(network, point, biases=False)) for point in (x, y)))


def large_at_one_end(network: FullyConnected, x: Array, y: Array, constant: Q = QUARTER) -> Relation:
    """Both sides of the second inequality."""
    return le(constant * (moved_along(network, x, y) * leaky_factor(network)), larger_end(network, x, y))


def large_at_one_end_of_relu(network: FullyConnected, x: Array, y: Array, base: int = 2) -> Relation:
    r"""The same for the ReLU with the constant :math:`2^{-(1 + 1/L)}`."""
    left = moved_along(network, x, y)
    root = power(0 * left + base, Fraction(network.depth + 1, network.depth))
    return le(left, root * larger_end(network, x, y))


# False variants


def without_the_leak(network: FullyConnected, x: Array, y: Array) -> Relation:
    """For leaky networks as for the ReLU."""
    return le(QUARTER * moved_along(network, x, y), larger_end(network, x, y))


def leaky_with_improved_constant(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The larger constant for slopes other than 0."""
    left = moved_along(network, x, y) * leaky_factor(network)
    root = power(0 * left + 2, Fraction(network.depth + 1, network.depth))
    return le(left, root * larger_end(network, x, y))


def relu_with_a_half(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The limit of the constants for large L."""
    return large_at_one_end(network, x, y, constant=Q("1/2"))


def relu_with_root_of_half_depth(network: FullyConnected, x: Array, y: Array) -> Relation:
    r"""The constant :math:`2^{-(1 + 1/(2L))}`."""
    left = moved_along(network, x, y)
    root = power(0 * left + 2, Fraction(2 * network.depth + 1, 2 * network.depth))
    return le(left, root * larger_end(network, x, y))


def same_pattern(network: FullyConnected, x: Array, y: Array) -> npt.NDArray[np.bool_]:
    """Whether x and y differ, and no hidden neuron changes its slope between them; zero goes with either sign."""
    same = np.asarray((compare(x, y) != 0).any(axis=-1))
    linear = compare(network.activation.negative, 1) == 0
    for here, there in zip(network.preactivations(x)[:-1], network.preactivations(y)[:-1], strict=True):
        # at x the slope is that for t >= 0: a neuron at its kink there must not become negative
        first, second = compare(here, 0), compare(there, 0)
        same = same & (linear | (((first >= 0) & (second >= 0)) | ((first < 0) & (second <= 0))).all(axis=-1))
    return same


def opposite_points(depth: int, slope: int) -> dict[str, Any]:
    """A chain of weights 2 and the points -1 and 1."""
    return chain(*[2] * depth, slope=slope, x=rationals([[-1]]), y=rationals([[1]]))


def isometric_layers(depth: int, width: int) -> dict[str, Any]:
    """Identities of as many coordinates, without an activation, and opposite points."""
    point = rationals([range(1, width + 1)])
    network = FullyConnected([rationals([np.eye(width, dtype=int)])] * depth, activation=identity())
    return {"network": network, "x": point, "y": -point}


def folded_interval(*direction: str) -> dict[str, Any]:
    r"""Depth 2: two neurons that are not negative on [-1, 1], each zero at one end, :math:`W_1 = s(-u, u)^T`,
    :math:`b_1 = (s, s)`, :math:`W_2 = (-u, u)` for a unit vector u; the best s is :math:`1/\sqrt 2`, here 70/99.
    """
    s, u = rationals("70/99"), rationals(direction)
    rows = np.stack([-u, u])
    network = FullyConnected([s * rows[None], rows.T[None]], [s * rationals([[1, 1]]), 0 * u[None]])
    return {"network": network, "x": -u[None], "y": u[None]}


ROOT = "70/99 in place of the root of 1/2"
PATTERN = {"the activation pattern is the same": same_pattern}
NARROW = {**SIZES, "depth": (1, 2, 3, 5), "width": range(1, 3)}

ENDS = Claim(
    id="bottleneck_structure.prop_9.ends",
    title="The kernel is large at one end of a linear segment",
    source=SOURCE,
    statement=large_at_one_end,
    cost=2,
    domain=Domain({"network": LEAKY, "x": reals("inputs"), "y": reals("inputs")}, NARROW, PATTERN),
    needs=tuple(PATTERN),
    tight={
        "one layer": Tight(partial(opposite_points, 1, 0)),
        "three linear layers": Tight(partial(opposite_points, 3, 1)),
        "one layer of rank 2": Tight(partial(isometric_layers, 1, 2)),
        "five linear layers of rank 3": Tight(partial(isometric_layers, 5, 3)),
    },
    false_neighbours={
        "leaky, without the factor": without_the_leak,
        "leaky, with the improved constant": leaky_with_improved_constant,
    },
)

IMPROVED = Claim(
    id="bottleneck_structure.prop_9.improved",
    title="The kernel at one end, with the constant of ReLU networks",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=large_at_one_end_of_relu,
    cost=2,
    domain=Domain({"network": RELU, "x": reals("inputs"), "y": reals("inputs")}, NARROW, PATTERN),
    tight={
        "one layer, opposite points": Tight(partial(opposite_points, 1, 0)),
        "a folded interval": Tight(partial(folded_interval, "1"), 1.31e-9, ROOT),
        "a folded interval in the plane": Tight(partial(folded_interval, "3/5", "4/5"), 1.31e-9, ROOT),
    },
    false_neighbours={"1/2": relu_with_a_half, "half of the exponent": relu_with_root_of_half_depth},
)
