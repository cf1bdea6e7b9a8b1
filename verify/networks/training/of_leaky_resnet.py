"""The objective of discrete leaky ResNets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from verify.networks._arrays import real_points, with_batch
from verify.networks._passes import Layers, block, with_ones
from verify.networks.activations import relu
from verify.networks.leaky_resnet import LeakyResNet
from verify.networks.leaky_resnet._features import active, rectified
from verify.networks.training.losses import Loss
from verify.networks.training.objectives import Objective, check_sample
from verify.numbers.arithmetic import Array, array_module, is_exact


class LeakyResNetObjective(Objective):
    r"""Blocks :math:`W_\ell`, whose squares count :math:`\rho_\ell` times in the norm. The targets are compared with the first
    rows of :math:`A_M`, as many as they have.
    """

    def __init__(self, network: LeakyResNet, x: Array, targets: Array, loss: Loss) -> None:
        points = real_points("x", x, exact=network.is_exact)
        if points.shape[-2:-1] != (network.width,) or points.shape[-1] == 0:
            network.activations(points)  # which raises the error
        targets = real_points("targets", targets, exact=network.is_exact)
        rows = targets.shape[-2] if targets.ndim >= 2 and 1 <= targets.shape[-2] <= network.width else network.width
        check_sample(network, points, targets, (rows, points.shape[-1]), 2)
        loss.check(targets)
        steps = [network.steps[..., k] for k in range(network.depth)]
        super().__init__(network, network.weights, steps)
        dtype = network.weights[0].dtype
        self._resnet, self._loss_function, self._rows = network, loss, rows
        self._layers = Layers(self.parameters, relu())
        self._targets = targets.astype(dtype, copy=False)
        kept = 1 - network.steps * network.leak[..., None]
        self._factors = [(_factor(kept[..., k]), _factor(step)) for k, step in enumerate(steps)]
        like = with_batch(points.astype(dtype, copy=False), network.batch_shape, 2)
        widths = [network.width] * network.depth
        self._features = (
            with_ones(self._layers, like, widths, kept=True) if network.has_bias else block(self._layers, like, widths)
        )
        self._values = block(self._layers, like, [network.width, *widths])
        self._values[0][...] = like
        self._scratch = block(self._layers, like, [network.width] * 3)

    def _loss(self) -> Array:
        layers, width = self._layers, self._resnet.width
        xp, values, scratch = layers.xp, self._values, self._scratch[0]
        for k, (weight, (kept, step)) in enumerate(zip(self.parameters, self._factors, strict=True)):
            features = self._features[k]
            features[..., :width, :] = rectified(values[k])
            moved = layers.multiply_whole(weight, features, values[k + 1])
            moved *= step
            moved += xp.multiply(values[k], kept, out=scratch)
        value, output_gradient = self._loss_function(values[-1][..., : self._rows, :].copy(), self._targets)
        delta, buffer = self._scratch[1:]
        delta[...] = fmpq(0) if is_exact(delta) else 0
        delta[..., : self._rows, :] = output_gradient
        for k in range(len(self.parameters) - 1, -1, -1):
            kept, step = self._factors[k]
            scaled = xp.multiply(delta, step, out=scratch)
            layers.multiply_whole(scaled, self._features[k].swapaxes(-1, -2), self.gradient[k])
            if k:
                matrix = self.parameters[k][..., :width]
                pulled = layers.multiply(matrix.swapaxes(-1, -2), scaled, buffer)
                pulled *= active(values[k]) if is_exact(delta) else values[k] > 0
                delta *= kept
                delta += pulled
        return value

    def _arrays(self, blocks: Sequence[Array]) -> list[Array]:
        return list(blocks)


def _factor(number: Array) -> Any:
    """A number for each network, to multiply columns with."""
    if number.ndim == 0 and (is_exact(number) or array_module(number) is np):
        return number.item()  # floats of Python do not change the precision
    return number[..., None, None]
