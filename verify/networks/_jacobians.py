r"""Products :math:`W_k D_{k-1} \\cdots D_1 W_1` at many points: matrices that all points share, slopes of their own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from verify.networks._passes import Layers, pieces
from verify.numbers.arithmetic import Array, array_module, is_exact

ENTRIES_AT_A_TIME = 2**17
"""Entries of the products that are carried through the layers together: they stay in the cache of a core."""

ENTRIES_ON_A_DEVICE = 2**24
"""The same on a graphics card, whose kernels have to be large."""

WORTH_CONVERTING = 512
"""Entries of a row of a product from which on slopes are converted to floats before they are multiplied with."""

WORTH_GATHERING = 4000
"""Entries of the product of one point from which on its dead neurons are left out."""

MOSTLY_ACTIVE = 0.7
"""Fraction of active neurons above which leaving out the others does not pay."""

COLUMNS_OF_A_GROUP = 256
"""Points whose products have few columns share the active neurons of as many points as make up this number of columns."""


def chain(layers: Layers, patterns: Sequence[Array], first: int, last: int, batch: tuple[int, ...], count: int) -> Array:
    """``W_last D_{last-1} ... D_first W_first`` at each of `count` points, shape ``(*batch, M, n_last, n_{first-1})``.

    `patterns` are those of the layers from `first` to ``last - 1``, at least one. The product is taken from the side with
    fewer rows or columns.
    """
    weights, transposed = layers.weights[first - 1 : last], layers.transposed[first - 1 : last]
    backward = weights[-1].shape[-2] <= weights[0].shape[-1]
    if backward:
        patterns = patterns[::-1]
        weights, transposed = transposed[::-1], weights[::-1]
    start, steps, end = weights[0], weights[1:-1], transposed[-1]
    if _worth_gathering(layers, patterns, start):
        result = _gathered(start, steps, end, patterns)
    else:
        result = _dense(layers, start, steps, end, patterns, batch, count)
    return result if backward else result.swapaxes(-1, -2)


def _dense(
    layers: Layers,
    start: Array,
    steps: Sequence[Array],
    end: Array,
    patterns: Sequence[Array],
    batch: tuple[int, ...],
    count: int,
) -> Array:
    """``(... steps[1] S_2 steps[0] S_1 start)^T end`` with the slopes S of each point, for ``(n, k), (n', n), ..., (n'', e)``,
    shape ``(*batch, M, k, e)``: a few points at a time, whose k columns lie side by side.
    """
    columns, width = start.shape[-1], max(pattern.shape[-2] for pattern in patterns)
    result = layers.empty((*batch, count, columns, end.shape[-1]), start.dtype)
    limit = (ENTRIES_AT_A_TIME if layers.xp is np else ENTRIES_ON_A_DEVICE) // max(math.prod(batch) * columns * width, 1)
    if count <= limit or layers.batch_last:
        _dense_part(layers, start, steps, end, patterns, result)
        return result
    for part in pieces(count, limit):
        _dense_part(layers, start, steps, end, [pattern[..., part] for pattern in patterns], result[..., part, :, :])
    return result


def _dense_part(
    layers: Layers, start: Array, steps: Sequence[Array], end: Array, patterns: Sequence[Array], result: Array
) -> None:
    *batch, points, columns, ends = result.shape
    dtype, multiply, scale = start.dtype, layers.multiply, layers.xp.multiply
    height = max(pattern.shape[-2] for pattern in patterns) if len(patterns) > 1 else patterns[0].shape[-2]
    buffers = [_with_flat(layers.empty((*batch, height, columns, points), dtype)) for _ in range(2 if steps else 1)]
    # floats are multiplied faster than booleans, which have to be converted for each column
    convert = not is_exact(start) and (layers.batch_last or columns * points > WORTH_CONVERTING)
    before = start
    for k, pattern in enumerate(patterns):
        slopes = layers.activation.slopes(pattern, dtype)[..., :, None, :]
        if convert:
            slopes = slopes.astype(dtype, copy=False)
        rows, flat = buffers[k % 2]
        if rows.shape[-3] != slopes.shape[-3]:
            rows, flat = rows[..., : slopes.shape[-3], :, :], flat[..., : slopes.shape[-3], :]
        if k:
            multiply(steps[k - 1], before, flat)
            scale(rows, slopes, out=rows)
        else:
            scale(start[..., :, :, None], slopes, out=rows)
        before = flat
    if points == 1:
        multiply(before.swapaxes(-1, -2), end, result[..., 0, :, :])
        return
    last = layers.empty((*batch, columns * points, ends), dtype)
    multiply(before.swapaxes(-1, -2), end, last)
    result[...] = last.reshape((*batch, columns, points, ends)).swapaxes(-2, -3)


def _with_flat(rows: Array) -> tuple[Array, Array]:
    """``(*batch, n, k, M)``, and as ``(*batch, n, k * M)``: a view, since the last two axes follow one another in memory."""
    *leading, columns, points = rows.shape
    return rows, rows.reshape((*leading, columns * points))


def _worth_gathering(layers: Layers, patterns: Sequence[Array], start: Array) -> bool:
    if not layers.activation.is_relu or layers.batch_axes or is_exact(start) or array_module(start) is not np:
        return False
    widths = [pattern.shape[0] for pattern in patterns]
    if start.shape[-1] * max(widths) < WORTH_GATHERING:
        return False
    active = sum(int(np.count_nonzero(pattern)) for pattern in patterns)
    return active < MOSTLY_ACTIVE * sum(pattern.size for pattern in patterns)


def _gathered(start: Array, steps: Sequence[Array], end: Array, patterns: Sequence[Array]) -> Array:
    """The same as `_dense` for the ReLU: each matrix is reduced to the neurons that are active at a point, or at some point of
    a group.
    """
    columns, count = start.shape[-1], patterns[0].shape[-1]
    size = max(COLUMNS_OF_A_GROUP // columns, 1) if columns < COLUMNS_OF_A_GROUP // 8 else 1
    result = np.empty((count, columns, end.shape[-1]), dtype=start.dtype)
    start, end, *turned = (np.ascontiguousarray(matrix) for matrix in (start, end, *(step.T for step in steps)))
    active = [_active_of_groups(pattern, size) for pattern in patterns]
    for group, begin in enumerate(range(0, count, size)):
        part = slice(begin, min(begin + size, count))
        neurons = active[0][group]
        rows = start.take(neurons, 0)
        if size > 1:
            rows = _masked(rows[:, None, :], patterns[0], neurons, part)
        for step, pattern, of_layer in zip(turned, patterns[1:], active[1:], strict=True):
            after = of_layer[group]
            # two takes of whole rows and of columns are faster than one of a sub-matrix
            rows = np.dot(step.take(neurons, 0).take(after, 1).T, rows)
            neurons = after
            if size > 1:
                rows = _masked(rows.reshape(len(after), -1, columns), pattern, neurons, part)
        np.dot(rows.T, end.take(neurons, 0), out=result[part].reshape(-1, end.shape[-1]))
    return result


def _active_of_groups(pattern: Array, size: int) -> list[Array]:
    """Indices of the neurons that are active at some point of each group of `size` points."""
    if size > 1:
        pattern = np.logical_or.reduceat(pattern, range(0, pattern.shape[1], size), axis=1)
    groups, neurons = np.nonzero(pattern.T)
    return np.split(neurons, np.searchsorted(groups, np.arange(1, pattern.shape[1])))


def _masked(rows: Array, pattern: Array, neurons: Array, part: slice) -> Array:
    """Columns of the points where a neuron is not active set to zero: ``(n, M, k) -> (n, M * k)``."""
    active = pattern[:, part].take(neurons, 0).astype(rows.dtype)
    masked: Array = (rows * active[:, :, None]).reshape(len(neurons), -1)
    return masked
