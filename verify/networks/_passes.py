"""Points of a batch as rows: how the engine lays out its arrays, and the passes through the layers on that layout.

A point has shape ``(n_0,)``; its leading axes broadcast with the batch axes of the networks. The passes work on rows, shape
``(*batch, M, n)``: all points of one network below one another, so that a layer is one matrix product for each network.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from verify.arithmetic import Array, array_module, is_exact
from verify.networks._arrays import product

if TYPE_CHECKING:
    from verify.networks.activations import HomogeneousActivation
    from verify.networks.fully_connected import FullyConnected

ALL_KEPT = 2**20
"""A sample with at most so many pre-activations keeps them all; a larger one keeps some layers, computes the others again."""

ROWS_AT_A_TIME = 2**16
"""Entries of a backward Jacobian that are multiplied at a time."""


def check_points(network: FullyConnected, x: Array, name: str = "x", point_axes: int = 0) -> None:
    """Check arithmetic and shape of points; the last `point_axes` of their leading axes do not meet the batch.

    Raises
    ------
    ValueError
        They are not what `network` accepts.
    """
    if is_exact(x) != network.is_exact:
        have, got = ("exact", "float") if network.is_exact else ("float", "exact")
        raise ValueError(f"the network is {have} but {name} is {got}: convert one with verify.arithmetic")
    inputs = network.widths[0]
    if x.ndim < 1 + point_axes or x.shape[-1] != inputs:
        wanted = ", ".join(["...", *["N"] * point_axes, str(inputs)])
        raise ValueError(f"{name} must have shape ({wanted}), got {x.shape}: the network has {inputs} inputs")
    if point_axes and x.shape[-2] == 0:
        raise ValueError(f"{name} must have at least one point, got shape {x.shape}")
    try:
        np.broadcast_shapes(x.shape[: x.ndim - 1 - point_axes], network.batch_shape)
    except ValueError:
        raise ValueError(
            f"the leading axes of {name} must broadcast with the batch {network.batch_shape}, got {name} of shape {x.shape}"
        ) from None


def as_rows(x: Array, batch_axes: int, point_axes: int = 0) -> tuple[Array, tuple[int, ...]]:
    """Points ``(*extra, *batch, *points, n_0)`` as rows ``(*batch, M, n_0)``, and the shape ``(*extra, *points)`` of the M.

    Batch axes of length 1, or missing ones, stay of length 1: the points are shared by the networks.
    """
    missing = batch_axes + 1 + point_axes - x.ndim
    if missing > 0:
        x = x.reshape((1,) * missing + x.shape)
    extra = x.ndim - 1 - point_axes - batch_axes
    if extra and batch_axes:
        x = array_module(x).moveaxis(x, range(extra), range(batch_axes, batch_axes + extra))
    points = x.shape[batch_axes:-1]
    return x.reshape(*x.shape[:batch_axes], math.prod(points), x.shape[-1]), points


def split_rows(values: Array, points: tuple[int, ...], batch_axes: int) -> Array:
    """Rows ``(*batch, M, ...)`` as ``(*batch, *points, ...)``."""
    return values.reshape((*values.shape[:batch_axes], *points, *values.shape[batch_axes + 1 :]))


def extra_first(values: Array, batch_axes: int, extra: int) -> Array:
    """``(*batch, *extra, ...)`` as ``(*extra, *batch, ...)``: a view."""
    if not extra or not batch_axes:
        return values
    return array_module(values).moveaxis(values, range(batch_axes, batch_axes + extra), range(extra))  # type: ignore[no-any-return]


def for_rows(activation: HomogeneousActivation) -> HomogeneousActivation:
    """The activation for rows: values ``(*batch, M, n)``."""
    if not activation.batch_shape:
        return activation
    return activation.each_slope(lambda slope: slope[..., None])


def layer(weight: Array, bias: Array, rows: Array) -> Array:
    """``W a + b`` on rows, ``(*batch, n', n), (*batch, n'), (*batch, M, n) -> (*batch, M, n')``."""
    values = product(rows, weight.swapaxes(-1, -2))
    values += bias[..., None, :]
    return values


def row_slices(count: int, step: int) -> list[slice]:
    """``range(count)`` in slices of at most `step`, as equal as can be."""
    pieces = max(-(-count // max(step, 1)), 1)
    edges = [count * k // pieces for k in range(pieces + 1)]
    return [slice(start, stop) for start, stop in pairwise(edges)]


class Sample:
    """Points of a network as rows, their activations, and backward Jacobians.

    Attributes
    ----------
    rows
        Shape ``(*batch, M, n_0)``.
    points
        Shape of the M: axes of the points before the batch, then `point_axes` after it.
    """

    def __init__(self, network: FullyConnected, x: Array, name: str = "x", point_axes: int = 0) -> None:
        check_points(network, x, name, point_axes)
        self.network = network
        self.batch_axes = len(network.batch_shape)
        self.rows, self.points = as_rows(x, self.batch_axes, point_axes)
        self.batch = np.broadcast_shapes(self.rows.shape[:-2], network.batch_shape)
        self.count = self.rows.shape[-2]
        self._sigma = for_rows(network.activation)
        size = math.prod(self.batch) * self.count * sum(network.widths[1:-1])
        self._stride = 1 if size <= ALL_KEPT else max(math.isqrt(network.depth), 1)
        self._kept: dict[int, Array] = {}
        self._segment: dict[int, Array] = {}
        for depth, values in self._forward(0, network.depth - 1):
            if depth % self._stride == 0:
                self._kept[depth] = values

    def activation(self, depth: int) -> Array:
        r""":math:`\alpha_\ell` as rows, ``(*batch, M, n_l)``; for ``depth=0`` the points."""
        return self.rows if depth == 0 else self._sigma(self._preactivation(depth))

    def slopes(self, depth: int) -> Array:
        r"""Derivative of the activation at :math:`\tilde\alpha_\ell`, ``(*batch, M, n_l)``."""
        return self._sigma.derivative(self._preactivation(depth))

    def backward(self, outputs: slice = slice(None)) -> Iterator[Array | None]:
        r"""Derivatives of `outputs` by :math:`\tilde\alpha_\ell`, ``(*batch, M, c, n_l)``, for ``l = L, ..., 1``.

        None stands for the identity, the derivative by the last pre-activation. Each array is used up by the next one.
        """
        yield None
        weights = self.network.weights
        last = weights[-1][..., None, outputs, :]
        rows = None
        for depth in range(self.network.depth - 1, 0, -1):
            slopes = self.slopes(depth)[..., None, :]
            rows = last * slopes if rows is None else _pulled(rows, weights[depth], slopes)
            yield rows

    def _preactivation(self, depth: int) -> Array:
        if depth in self._kept:
            return self._kept[depth]
        if depth not in self._segment:
            self._segment = dict(self._forward(depth - depth % self._stride, depth))
        return self._segment[depth]

    def _forward(self, start: int, stop: int) -> Iterator[tuple[int, Array]]:
        """Pre-activations of the layers from ``start + 1`` to `stop`, from the activations of layer `start`."""
        values = None
        for depth in range(start + 1, stop + 1):
            before = self.activation(start) if values is None else self._sigma(values)
            values = layer(self.network.weights[depth - 1], self.network.biases[depth - 1], before)
            yield depth, values


def _pulled(rows: Array, weight: Array, slopes: Array) -> Array:
    """``rows @ weight * slopes`` for ``(*batch, M, c, n), (*batch, n, m), (*batch, M, 1, m)``, in place where it fits."""
    *batch, count, outputs, width = rows.shape
    fits = weight.shape[-1] == width
    result = rows if fits else array_module(rows).empty((*batch, count, outputs, weight.shape[-1]), dtype=rows.dtype)
    for part in row_slices(count, ROWS_AT_A_TIME // max(outputs * width, 1)):
        piece = rows[..., part, :, :]
        flat = piece.reshape(*batch, (part.stop - part.start) * outputs, width)
        result[..., part, :, :] = product(flat, weight).reshape(*piece.shape[:-1], weight.shape[-1])
        result[..., part, :, :] *= slopes[..., part, :, :]
    return result
