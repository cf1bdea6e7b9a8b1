"""The two parts of a network through a bottleneck, and layers that are identities."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened

Parts: TypeAlias = tuple[FullyConnected, FullyConnected]
"""The networks of g and h, with the same activation."""


@widened
def with_common_slope(inner: FullyConnected, outer: FullyConnected, slope: Array) -> Parts:
    """The two networks, with this slope for negative arguments."""
    activation = HomogeneousActivation(1, slope)
    return (
        FullyConnected(inner.weights, inner.biases, activation),
        FullyConnected(outer.weights, outer.biases, activation),
    )


@widened
def identity_chain(dimension: int, depth: int) -> FullyConnected:
    """ReLU network of `depth` identity matrices: the identity where no input is negative, squared norm ``dimension * depth``.

    Raises
    ------
    ValueError
        `depth` or `dimension` is below 1.
    """
    if dimension < 1 or depth < 1:
        raise ValueError(f"dimension and depth must be at least 1, got {dimension} and {depth}")
    return FullyConnected([rationals(np.eye(dimension, dtype=int))] * depth)
