"""Networks for the function of Example 20 whose hidden representations diverge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, compare, exp, is_exact, rationals
from verify.numbers.parameters import widened


@widened
def stretch(growth: Any) -> tuple[Any, Any, Any]:
    """Diagonal of the layers before the kink; those after it have the inverses."""
    return growth, growth, 1 / growth**2


@widened
def kink(growth: Any, middle: Any) -> tuple[list[list[Any]], list[list[Any]]]:
    """Rows of the two layers in the middle."""
    near, far = growth**-middle, growth ** (-2 * middle)
    return [[1, 0, 0], [0, 1, 0], [0, 0, 1], [near, -near, 0]], [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, far]]


@widened
def diverging_network(depth: int, growth: Any) -> FullyConnected:
    r"""ReLU network for f where no coordinate is negative, without biases; `growth` is :math:`t = e^\epsilon > 0`.

    With :math:`m = (L - 2)/2`: m layers :math:`\mathrm{diag}(t, t, t^{-2})`, the layer
    :math:`[I_3; (t^{-m}, -t^{-m}, 0)]`, the layer :math:`[e_1, e_2, e_3, t^{-2m} e_3]`, and m layers
    :math:`\mathrm{diag}(1/t, 1/t, t^2)`. The weights are powers of t: rational for rational t. The squared norm is
    :math:`m (2t^2 + t^{-4} + 2t^{-2} + t^4) + 6 + 2t^{-2m} + t^{-4m}`; :math:`t^{2m}` must not overflow. A `growth` of shape
    ``(*batch)`` gives a batch of networks.

    Raises
    ------
    ValueError
        `depth` is odd or below 2, or a `growth` is not positive.
    """
    if depth < 2 or depth % 2:
        raise ValueError(f"depth must be even and at least 2, got {depth}: the kink sits between two halves of equal depth")
    if not hasattr(growth, "dtype"):
        growth = np.asarray(growth) if isinstance(growth, float) else rationals(growth)
    if not np.all(compare(growth, 0) == 1):
        raise ValueError(f"growth must be positive, got {growth}: negative values do not pass through the ReLU")
    middle = (depth - 2) // 2
    up = stretch(growth)
    before, after = _diagonal(up), _diagonal([1 / entry for entry in up])
    layers = [*[before] * middle, *kink(growth, middle), *[after] * middle]
    return FullyConnected([_matrices(rows, growth) for rows in layers])


def _diagonal(entries: Sequence[Any]) -> list[list[Any]]:
    return [[entry if row == column else 0 for column in range(3)] for row, entry in enumerate(entries)]


def _matrices(rows: list[list[Any]], like: Array) -> Array:
    """The matrix with these entries, each a number or an array of the shape of `like`."""
    return np.stack([np.stack([entry + 0 * like for entry in row], axis=-1) for row in rows], axis=-2)


@widened
def cosh_minus_one(u: Array) -> Array:
    r""":math:`\cosh u - 1`, without cancellation in floats and with little of it in balls."""
    u = np.asarray(u)  # a number of an array without axes is none
    return (exp(u / 2) - exp(-u / 2)) ** 2 / 2 if is_exact(u) else 2 * np.sinh(u / 2) ** 2


@widened
def remainder(middle: Array, epsilon: Array) -> Array:
    r""":math:`2 e^{-2m\epsilon} + e^{-4m\epsilon}`: the part of the excess in the two layers of the kink."""
    return np.asarray(2 * exp(-2 * middle * epsilon) + exp(-4 * middle * epsilon))


@widened
def stretching(epsilon: Array) -> Array:
    r""":math:`4(\cosh 2\epsilon - 1) + 2(\cosh 4\epsilon - 1)`: what two layers of the halves cost over 6."""
    return np.asarray(4 * cosh_minus_one(2 * epsilon) + 2 * cosh_minus_one(4 * epsilon))


@widened
def excess(middle: Array, epsilon: Array) -> Array:
    r"""Squared norm of the network of depth :math:`L = 2m + 2` minus 3L, accurate also where :math:`\epsilon` is tiny."""
    return np.asarray(middle * stretching(epsilon) + remainder(middle, epsilon))
