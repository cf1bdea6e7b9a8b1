r"""The example of Proposition 19: ReLU networks of widths (1, n, 1) without bias on X = (1, -1), Y = (1, y).

For :math:`0 < \lambda < 1` the weights :math:`W_1 = (a, b)^T`, :math:`W_2 = (a, b)` with :math:`a^2 + b^2 = 1 - \lambda` are a
segment of minima. Where the squared error is divided by N, all holds with :math:`N\lambda` in place of :math:`\lambda`.

Source: feature_learning, Proposition 19.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify.cones.support_graphs import like
from verify.instances import lifted
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened
from verify.words import vector

INPUTS = (1, -1)


@widened
def shallow_network(incoming: Array, outgoing: Array) -> FullyConnected:
    """The ReLU network of widths (1, n, 1) without bias with these weights, shapes ``(..., n)``."""
    return FullyConnected([incoming[..., :, None], outgoing[..., None, :]])


@lifted
@widened
def regularised_loss(W_1: Array, W_2: Array, lam: Array, divisor: Array | int, y: Any = 1) -> Array:
    r""":math:`\|Z_2 - Y\|^2 / \mathrm{divisor} + \lambda\|W\|^2` of `shallow_network` for Y = (1, y), batched."""
    network = shallow_network(W_1, W_2)
    one = like(np.ones(1, dtype=np.int64), W_1)
    error = (network(one)[..., 0] - 1) ** 2 + (network(-one)[..., 0] - y) ** 2
    return np.asarray(error / divisor + lam * network.weight_norm_squared)


@widened
def segment_value(lam: Any, divisor: Any, y: Any = 1) -> Any:
    """The loss on the segment of minima."""
    return (1 - (1 - divisor * lam) ** 2 + y**2) / divisor


@widened
def change_at_the_end(end: Array, epsilon: Array, divisor: Array | int, side: int = -1) -> tuple[Array, Array]:
    r"""The loss at the end of the segment, and at ``W_1 = (end, side * epsilon)``, ``W_2 = (end, epsilon)``.

    The ridge is that of the end, :math:`\lambda = 1 - end^2`.
    """
    lam, edge = (1 - end**2) / divisor, vector(end, 0)
    W_1, W_2 = vector(end, side * epsilon), vector(end, epsilon)
    return regularised_loss(edge, edge, lam, divisor), regularised_loss(W_1, W_2, lam, divisor)


@widened
def one_neuron_for_each_point(lam: str, y: str, first: str, second: str, divisor: int = 1) -> dict[str, Any]:
    r"""``W_1 = (c, -d)``, ``W_2 = (c, +-d)``: optimal if :math:`c^2 = 1 - n\lambda` and :math:`d^2 = (|y| - n\lambda)_+`."""
    c, d = rationals([first, second])
    numbers = {"lam": rationals(lam), "y": rationals(y), "divisor": rationals(divisor)}
    return {"W_1": rationals([c, -d]), "W_2": rationals([c, -d if y.startswith("-") else d]), **numbers}
