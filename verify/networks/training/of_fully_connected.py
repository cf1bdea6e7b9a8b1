"""The objective of fully connected networks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flint import fmpq

from verify.networks._arrays import real_points, with_batch
from verify.networks._passes import (
    Layers,
    activations,
    as_columns,
    block,
    checked_points,
    fold,
    for_columns,
    prefers_batch_last,
    with_ones,
)
from verify.networks.fully_connected import FullyConnected
from verify.networks.training.losses import Loss
from verify.networks.training.objectives import Objective, check_sample
from verify.numbers.arithmetic import Array


class FullyConnectedObjective(Objective):
    """Blocks ``[W_l, b_l]``; points are columns, and all buffers are kept from one evaluation to the next."""

    def __init__(self, network: FullyConnected, x: Array, targets: Array, loss: Loss) -> None:
        x = checked_points(network, x, point_axes=1)
        targets = real_points("targets", targets, exact=network.is_exact)
        check_sample(network, x, targets, (x.shape[-2], network.widths[-1]), 2)
        loss.check(targets.swapaxes(-1, -2))
        batch, count = network.batch_shape, x.shape[-2]
        tiny = prefers_batch_last(network.widths, math.prod(batch), count, network.weights[0])
        super().__init__(network, fold(network.weights, network.biases, batch_last=False), batch_last=tiny)
        self._loss_function = loss
        self._layers = Layers(self.parameters, for_columns(network.activation), batch_last=tiny)
        points, wanted = (as_columns(array, len(batch), point_axes=1)[0] for array in (x, targets))
        if tiny:
            points, wanted = with_batch(points, batch, 2), with_batch(wanted, batch, 2)
        dtype = network.weights[0].dtype
        self._points = self._layers.empty((*points.shape[:-2], points.shape[-2] + 1, count), dtype)
        self._points[..., :-1, :] = points
        self._points[..., -1, :] = fmpq(1) if network.is_exact else 1
        self._targets = self._layers.empty(wanted.shape, dtype)
        self._targets[...] = wanted
        like = with_batch(self._points, batch, 2)
        self._output = block(self._layers, like, [network.widths[-1]])[0]
        self._activations = with_ones(self._layers, like, network.widths[1:-1], kept=True)
        self._deltas = [block(self._layers, like, [max(network.widths[1:])])[0] for _ in range(2)]

    def _loss(self) -> Array:
        layers, depth = self._layers, self._layers.depth
        multiply, multiply_whole = layers.multiply, layers.multiply_whole
        kept, patterns = activations(layers, self._points, depth - 1, kept=True, patterns=True, buffers=self._activations)
        kept = [self._points, *kept]
        multiply_whole(layers.parameters[-1], kept[-1], self._output)
        value, delta = self._loss_function(self._output, self._targets)
        for below in range(depth - 1, -1, -1):
            multiply_whole(delta, kept[below].swapaxes(-1, -2), self.gradient[below])
            if below:
                pulled = self._deltas[below % 2][..., : layers.parameters[below].shape[-1] - 1, :]
                multiply(layers.transposed[below], delta, pulled)
                slopes = layers.activation.slopes(patterns[below - 1], pulled.dtype)
                delta = layers.xp.multiply(pulled, slopes, out=pulled)
        return value

    def _arrays(self, blocks: Sequence[Array]) -> list[Array]:
        return [*(view[..., :-1] for view in blocks), *(view[..., -1] for view in blocks)]
