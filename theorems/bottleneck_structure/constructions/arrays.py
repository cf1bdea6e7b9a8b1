"""The order of the entries of the last axis, and shares of the layers."""

from __future__ import annotations

import numpy as np

from verify.numbers.arithmetic import Array, is_exact, maximum, minimum
from verify.numbers.parameters import widened


@widened
def descending(values: Array) -> Array:
    """The entries of the last axis in descending order; balls that overlap are ordered by enclosures."""
    if not is_exact(values):
        return np.asarray(-np.sort(-values, axis=-1))
    entries = [values[..., place] for place in range(values.shape[-1])]
    for last in range(len(entries) - 1, 0, -1):
        for place in range(last):
            pair = entries[place], entries[place + 1]
            entries[place], entries[place + 1] = maximum(*pair), minimum(*pair)
    return np.stack(entries, axis=-1)


@widened
def share(depth: int, layers: Array, part: Array) -> Array:
    """A p in [0, 1]: pL is `layers` minus the positive part of `part`, an integer as often as not; there bounds are sharp."""
    # 0 * part keeps the arithmetic: the larger of a rational and 0 may be the integer
    return np.asarray((0 * part + minimum(layers, depth) - maximum(part, 0)) / depth)
