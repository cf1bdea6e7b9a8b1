r"""The example of Proposition 19: ReLU networks of widths (1, n, 1) without bias on X = (1, -1), Y = (1, y).

For :math:`0 < \lambda < 1` the weights :math:`W_1 = (a, b)^T`, :math:`W_2 = (a, b)` with :math:`a^2 + b^2 = 1 - \lambda` are a
segment of minima. Where the squared error is divided by N, all holds with :math:`N\lambda` in place of :math:`\lambda`.

Source: feature_learning, Proposition 19.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.arithmetic import Array, rationals, widened
from verify.cones.support_graphs import like
from verify.instances import lifted
from verify.networks import FullyConnected

INPUTS = (1, -1)


@widened
def shallow_network(incoming: Array, outgoing: Array) -> FullyConnected:
    """The ReLU network of widths (1, n, 1) without bias with these weights, shapes ``(..., n)``."""
    return FullyConnected([incoming[..., :, None], outgoing[..., None, :]])


@lifted
@widened
def regularised_loss(incoming: Array, outgoing: Array, lam: Array, divisor: Array, second_output: Any = 1) -> Array:
    r""":math:`\|Z_2 - Y\|^2 / divisor + \lambda\|W\|^2` of `shallow_network` for Y = (1, second_output), batched."""
    network = shallow_network(incoming, outgoing)
    one = like(np.ones(1, dtype=np.int64), incoming)
    error = (network(one)[..., 0] - 1) ** 2 + (network(-one)[..., 0] - second_output) ** 2
    return np.asarray(error / divisor + lam * network.weight_norm_squared)


def segment_value(lam: Any, divisor: Any, second_output: Any = 1) -> Any:
    """The loss on the segment of minima."""
    return (1 - (1 - divisor * lam) ** 2 + second_output**2) / divisor


@widened
def end_of_segment(end: Array, epsilon: Array) -> tuple[Array, Array]:
    """Both weights of the neuron at the end of the segment, and the direction that leads on from there, ``(..., 2)``."""
    return np.stack([end, 0 * end], axis=-1), np.stack([0 * end, epsilon], axis=-1)


@widened
def change_at_the_end(end: Array, epsilon: Array, divisor: Array) -> tuple[Array, Array]:
    r"""The loss at the end, and at ``W_1 = (end, -epsilon)``, ``W_2 = (end, epsilon)``, for :math:`\lambda = 1 - end^2`."""
    lam = (1 - end**2) / divisor
    edge, tip = end_of_segment(end, epsilon)
    return regularised_loss(edge, edge, lam, divisor), regularised_loss(edge - tip, edge + tip, lam, divisor)


def one_neuron_for_each_point(lam: str, second_output: str, first: str, second: str, divisor: int = 1) -> dict[str, Array]:
    r"""``W_1 = (c, -d)``, ``W_2 = (c, +-d)``: optimal if :math:`c^2 = 1 - n\lambda` and :math:`d^2 = (|y| - n\lambda)_+`."""
    c, d = rationals([first, second])
    sign = -1 if second_output.startswith("-") else 1
    numbers = {"lam": rationals(lam), "second_output": rationals(second_output), "divisor": rationals(divisor)}
    return {"incoming": rationals([c, -d]), "outgoing": rationals([c, sign * d]), **numbers}
