"""Points of a network with their activations and backward Jacobians, of which a large sample does not keep all."""

from __future__ import annotations

import math
from collections.abc import Iterator

from verify.networks._passes import Points, activations, pieces
from verify.networks.fully_connected import FullyConnected
from verify.numbers.arithmetic import Array, array_module, is_exact, rationals

ALL_KEPT = 2**20
"""A sample with at most so many activations keeps them all; a larger one keeps some layers, computes the others again."""

ENTRIES_AT_A_TIME = 2**17
"""Entries of a backward Jacobian that are multiplied at a time."""


class Sample:
    """Points of a network, which are checked already, as columns; activations and patterns of the layers.

    `most` is the number of points that decides on the order of memory, where two samples are to have the same one.
    """

    def __init__(self, network: FullyConnected, x: Array, *, point_axes: int = 0, most: int | None = None) -> None:
        self.network = network
        self.points = Points.of(network, x, point_axes, most)
        layers, columns = self.points.layers, self.points.columns
        xp = array_module(columns)
        unit = rationals([[1]]) if is_exact(columns) else xp.ones((1, 1), dtype=columns.dtype)
        ones = xp.broadcast_to(unit, (*columns.shape[:-2], 1, columns.shape[-1]))
        size = math.prod(self.points.batch) * columns.shape[-1] * sum(network.widths[1:-1])
        # segments of as many layers: where not all are kept, only their ends are
        self._stride = max(network.depth - 1, 1) if size <= ALL_KEPT else max(math.isqrt(network.depth), 1)
        self._ends = {0: xp.concatenate([columns, ones], axis=-2)}
        self._segment: tuple[int, list[Array], list[Array]] = (-1, [], [])
        for start in range(0, network.depth - 1 - self._stride, self._stride):
            stop = start + self._stride
            reached, _ = activations(layers, self._ends[start], stop, start=start, kept=False, patterns=False)
            self._ends[stop] = reached[-1].copy()  # the rest of its block of memory is free again

    def activation(self, depth: int, ones: bool) -> Array:
        r""":math:`\alpha_\ell` as columns ``(*batch, n_l, M)``, for ``depth=0`` the points; with `ones` a row of ones below."""
        augmented = self._ends[depth] if depth in self._ends else self._layer(depth)[0]
        values: Array = augmented if ones else augmented[..., :-1, :]
        return values

    def slopes(self, depth: int) -> Array:
        r"""Derivative of the activation at :math:`\tilde\alpha_\ell`, ``(*batch, n_l, M)``."""
        return self.points.layers.activation.slopes(self._layer(depth)[1], self.network.weights[0].dtype)

    def _layer(self, depth: int) -> tuple[Array, Array]:
        """Activations and pattern of a hidden layer, with which its whole segment is computed."""
        start = (depth - 1) // self._stride * self._stride
        if self._segment[0] != start:
            self._segment = (-1, [], [])  # released before the next one is made
            stop = min(start + self._stride, self.network.depth - 1)
            activations_ = activations(self.points.layers, self._ends[start], stop, start=start, kept=True, patterns=True)
            self._segment = (start, *activations_)
        _, kept, patterns = self._segment
        return kept[depth - 1 - start], patterns[depth - 1 - start]

    def backward(self, outputs: slice, *, by_point: bool) -> Iterator[Array | None]:
        r"""Derivatives of the c `outputs` by :math:`\tilde\alpha_\ell` for ``l = L, ..., 1``: shape ``(*batch, n_l, c, M)``, or
        ``(*batch, n_l, M, c)`` where `by_point`.

        None stands for the identity, the derivative by the last pre-activation. Each array is used up by the next one.
        """
        yield None
        layers, xp = self.points.layers, array_module(self.points.columns)
        rows: Array | None = None
        for depth in range(layers.depth - 1, 0, -1):
            slopes = self.slopes(depth)
            slopes = slopes[..., :, :, None] if by_point else slopes[..., :, None, :]
            weight = layers.transposed[depth]
            if rows is None:
                last = weight[..., outputs]
                last = last[..., :, None, :] if by_point else last[..., :, :, None]
                shape = (
                    *self.points.batch,
                    last.shape[-3],
                    *((slopes.shape[-2], last.shape[-1]) if by_point else (last.shape[-2], slopes.shape[-1])),
                )
                rows = xp.multiply(last, slopes, out=layers.empty(shape, weight.dtype))
            else:
                rows = self._pulled(rows, weight, slopes)
            yield rows

    def grouped(self, columns: Array, per_point: int = 1) -> Array:
        """``(*batch, n, M * per_point)`` as ``(*batch, *extra, n, N * per_point)``: the points of each sample apart; a view."""
        *extra, count = self.points.shape
        if not extra:
            return columns
        axes = len(self.points.batch)
        split = columns.reshape((*columns.shape[:-1], *extra, count * per_point))
        return array_module(columns).moveaxis(split, axes, -2)  # type: ignore[no-any-return]

    def ungrouped(self, columns: Array) -> Array:
        """The inverse of `grouped`, for ``per_point=1``."""
        if len(self.points.shape) == 1:
            return columns
        axes = len(self.points.batch)
        joined = array_module(columns).moveaxis(columns, -2, axes)
        return joined.reshape((*joined.shape[: axes + 1], self.points.count))  # type: ignore[no-any-return]

    def _pulled(self, rows: Array, weight: Array, slopes: Array) -> Array:
        """``weight @ rows * slopes`` for ``(*batch, n, a, b)``, in place where it fits."""
        *batch, width, a, b = rows.shape
        layers, xp = self.points.layers, array_module(rows)
        height = weight.shape[-2]
        result = rows if height == width else layers.empty((*batch, height, a, b), rows.dtype)
        for part in pieces(a, ENTRIES_AT_A_TIME // max(width * b, 1)):
            piece = rows[..., part, :]
            pulled = layers.multiply(weight, piece.reshape((*batch, width, piece.shape[-2] * b)))
            factors = slopes if slopes.shape[-2] == 1 else slopes[..., part, :]
            xp.multiply(pulled.reshape((*batch, height, piece.shape[-2], b)), factors, out=result[..., part, :])
        return result
