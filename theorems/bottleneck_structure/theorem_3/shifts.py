r"""Theorem 3 (3) with a shift: on a non-negative domain it costs nothing in the limit of infinite depth.

Statement
    Under conditions on the domain :math:`R^{(1)}(x \mapsto Ax + b) = 2\log|A|_+` (talk, first correction).
Correction
    Not for A = 0: the constant 1 costs 1 at every depth (``known_costs.constants``).
Checked
    For :math:`b \ge 0` and :math:`x \ge 0` in k dimensions: m layers shrink x by q, one adds :math:`q^{-m}b`, and m layers
    stretch by q. The network is :math:`x + b` at depth L = 2m + 1, and its norm is

    .. math:: kL + km(q - q^{-1})^2 + q^{-2m}\|b\|^2 ,

    at least kL. For :math:`q = e^\epsilon`, :math:`\epsilon = L^{-\gamma}` with :math:`\gamma \in (1/2, 1)`, the excess tends
    to 0, like :math:`2kL^{1 - 2\gamma}`: the rate, for :math:`\gamma = 2/3`. So :math:`R^{(1)}(x \mapsto x + b) = 0` on cubes,
    although a bias in the last layer alone costs :math:`\|b\|^2`.
Proof idea
    What is small when it is added is small in the norm; to stretch by a factor over many layers costs little, as in
    Example 20.
Sharp
    b = 0 and q = 1.
Source
    ours, beside Theorem 3 (3) of bottleneck_structure and the talk.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, eq, ge, interval, le, slopes
from verify.arithmetic import Array, rationals
from verify.networks import FullyConnected, leaky_relu


def shrunk_and_stretched(shift: Array, factor: Array, slope: Array, side: int) -> FullyConnected:
    """The network: `side` layers that shrink by `factor`, one with the bias, and as many that stretch."""
    unit = np.eye(shift.shape[-1], dtype=np.int64) + 0 * shift[..., None]
    scale, none = np.asarray(factor)[..., None, None], 0 * shift
    weights = [unit / scale] * side + [unit] + [unit * scale] * side
    biases = [none] * side + [shift / np.asarray(factor)[..., None] ** side] + [none] * side
    return FullyConnected(weights, biases, leaky_relu(slope))


def excess(count: int, shift_squared: Array, factor: Array, side: int) -> Array:
    r""":math:`km(q - q^{-1})^2 + q^{-2m}\|b\|^2`."""
    return np.asarray(count * side * (factor - 1 / factor) ** 2 + shift_squared / factor ** (2 * side))


def network_shifts(shift: Array, x: Array, factor: Array, slope: Array, depth: Depth) -> Relation:
    """Value and norm of the network, and kL."""
    count, side = shift.shape[-1], depth.depth // 2
    network = shrunk_and_stretched(shift, factor, slope, side)
    norm = network.parameter_norm_squared
    cost = count * depth.depth + excess(count, squares(shift), factor, side)
    return (
        eq(network(x), x + shift, name="value", over=1)
        & eq(norm, cost, name="norm")
        & ge(norm, 0 * norm + count * depth.depth, name="rank")
    )


# False variants


def free_bias(shift: Array, x: Array, factor: Array, slope: Array, depth: Depth) -> Relation:
    """The bias is not counted."""
    count, side = x.shape[-1], depth.depth // 2
    norm = shrunk_and_stretched(shift, factor, slope, side).parameter_norm_squared
    return le(norm, count * depth.depth + excess(count, 0 * norm, factor, side))


def shift_in_the_last_layer(shift: Array, factor: Array, slope: Array, depth: Depth) -> Relation:
    """The network costs no more than identities with the shift in the last layer, whatever the factor."""
    norm = shrunk_and_stretched(shift, factor, slope, depth.depth // 2).parameter_norm_squared
    return le(norm, shift.shape[-1] * depth.depth + squares(shift))


def any_point(shift: Array, x: Array, factor: Array, slope: Array, depth: Depth) -> Relation:
    """The value at the opposite point."""
    network = shrunk_and_stretched(shift, factor, slope, depth.depth // 2)
    return eq(network(-x), shift - x, over=1)


def excesses(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r"""The excess for a shift by 3 of one number, with :math:`\epsilon = L^{-2/3}`."""
    side = (depths - 1) / 2
    epsilon = depths ** (-2 / 3)
    return np.asarray(4 * side * np.sinh(epsilon) ** 2 + 9 * np.exp(-2 * side * epsilon))


def without_shift() -> dict[str, Any]:
    """The identity of two numbers."""
    numbers = {"shift": [0, 0], "x": [1, 2], "factor": 1, "slope": 0}
    return {**{name: rationals(one) for name, one in numbers.items()}, "depth": Depth(5)}


CLAIM = Claim(
    id="bottleneck_structure.theorem_3.shifts",
    title="A shift of a non-negative domain costs nothing in the limit",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=network_shifts,
    domain=Domain(
        {
            "shift": interval(0, np.inf, "k"),
            "x": interval(0, np.inf, "k"),
            "factor": interval(1, 4),
            "slope": slopes(),
            "depth": GIVEN_DEPTH,
        },
        {"k": (1, 2, 3), "depth": (1, 3, 5, 9)},
    ),
    tight={"without shift": Tight(without_shift)},
    false_variants={
        "the bias is free": free_bias,
        "the shift in the last layer": shift_in_the_last_layer,
        "at any point": any_point,
    },
    rate=Rate(excesses, tuple(2**power + 1 for power in range(14, 26)), -1 / 3),
)
