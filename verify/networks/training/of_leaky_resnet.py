"""The objective of discrete leaky ResNets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from verify.arithmetic import Array, array_module, is_exact
from verify.networks._arrays import with_batch
from verify.networks._passes import Layers
from verify.networks.activations import relu
from verify.networks.leaky_resnet import LeakyResNet
from verify.networks.leaky_resnet.features import active, checked_matrix, feature_matrix
from verify.networks.training.losses import Loss
from verify.networks.training.objectives import Objective, check_sample


class LeakyResNetObjective(Objective):
    r"""Blocks :math:`W_\ell`, whose squares count :math:`\rho_\ell` times in the norm. The targets are compared with the first
    rows of :math:`A_M`, as many as they have.
    """

    def __init__(self, network: LeakyResNet, x: Array, targets: Array, loss: Loss) -> None:
        points = checked_matrix("x", x)
        if points.shape[-2] != network.width or is_exact(points) != network.is_exact:
            network.activations(x)  # which raises the error
        rows = targets.shape[-2] if targets.ndim >= 2 and 1 <= targets.shape[-2] <= network.width else network.width
        check_sample(network, points, targets, (rows, points.shape[-1]), 2)
        loss.check(targets)
        steps = [network.steps[..., k] for k in range(network.depth)]
        super().__init__(network, network.weights, steps)
        dtype = network.weights[0].dtype
        self._resnet, self._loss_function, self._rows = network, loss, rows
        self._layers = Layers(self.parameters, relu())
        self._points = with_batch(points.astype(dtype, copy=False), network.batch_shape, 2)
        self._targets = targets.astype(dtype, copy=False)
        kept = 1 - network.steps * network.leak[..., None]
        self._factors = [(_factor(kept[..., k]), _factor(step)) for k, step in enumerate(steps)]

    def _loss(self) -> Array:
        network, whole, multiply = self._resnet, self._layers.multiply_whole, self._layers.multiply
        values, seen = self._points, []
        for weight, (kept, step) in zip(self.parameters, self._factors, strict=True):
            features = feature_matrix(values, bias=network.has_bias)
            seen.append((values, features))
            moved = whole(weight, features)
            moved *= step
            values = kept * values + moved
        value, top = self._loss_function(values[..., : self._rows, :].copy(), self._targets)
        delta = values * 0
        delta[..., : self._rows, :] = top
        for k in range(len(seen) - 1, -1, -1):
            before, features = seen[k]
            kept, step = self._factors[k]
            scaled = step * delta
            multiply(scaled, features.swapaxes(-1, -2), self.gradient[k])
            if k:
                matrix = self.parameters[k][..., : network.width]
                pulled = multiply(matrix.swapaxes(-1, -2), scaled)
                pulled *= active(before) if is_exact(before) else before > 0
                delta = kept * delta + pulled
        return value

    def _arrays(self, blocks: Sequence[Array]) -> list[Array]:
        return list(blocks)


def _factor(number: Array) -> Any:
    """A number for each network, to multiply columns with."""
    if number.ndim == 0 and (is_exact(number) or array_module(number) is np):
        return number.item()  # floats of Python do not change the precision
    return number[..., None, None]
