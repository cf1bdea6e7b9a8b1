"""Objectives, loss plus ridge, with their gradients by a reverse pass."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from verify.arithmetic import Array, array_module, is_exact
from verify.networks._arrays import with_batch
from verify.networks._passes import Layers, activations, as_columns, block, check_points, fold, for_columns, prefers_batch_last
from verify.networks.fully_connected import FullyConnected
from verify.networks.training.losses import Loss, MeanSquaredError


def loss_and_gradient(
    network: FullyConnected, x: Array, targets: Array, /, loss: Loss | None = None, *, ridge: Any = 0
) -> tuple[Array, tuple[Array, ...]]:
    r"""Loss of a sample plus `ridge` times the squared norm of the parameters, shape ``batch``, and its gradient.

    `x` and `targets` have the shapes ``(..., N, n_0)`` and ``(..., N, n_L)``; their axes before the points broadcast with the
    batch, each network of which has its own objective. The gradient has one array for each of :math:`W_1, b_1, W_2, \ldots`.
    The loss is `MeanSquaredError` unless given. At a kink the slope is that of `HomogeneousActivation.derivative`.

    Raises
    ------
    ValueError
        Arrays of the wrong shape or arithmetic, NaN or infinity, or targets that the loss does not accept.
    """
    objective = objective_of(network, x, targets, MeanSquaredError() if loss is None else loss)
    value = objective.evaluate(ridge)
    return value, tuple(objective.gradient_arrays())


def objective_of(network: Any, x: Array, targets: Array, loss: Loss) -> Objective:
    """The objective for a network of any class that can be trained.

    Raises
    ------
    TypeError
        It cannot.
    """
    if isinstance(network, FullyConnected):
        return FullyConnectedObjective(network, x, targets, loss)
    raise TypeError(f"network must be a FullyConnected, got {type(network).__name__}")


class Objective(ABC):
    """A loss on data plus a ridge, as a function of a flat vector of parameters, and of its views as matrices.

    Attributes
    ----------
    flat, flat_gradient
        One-dimensional, in the order of memory.
    parameters, gradient
        The same as blocks ``(*batch, ...)``, views.
    """

    _shares: Array | None = None
    """Weights of the squares of the parameters in the squared norm, ``(*batch, P)``; all one unless given."""

    def __init__(self, blocks: Sequence[Array], batch: tuple[int, ...], *, batch_last: bool) -> None:
        first = blocks[0]
        xp, axes = array_module(first), len(batch)
        shapes = [given.shape[given.ndim - 2 :] if axes == 0 else given.shape[axes:] for given in blocks]
        sizes = [math.prod(shape) for shape in shapes]
        total = sum(sizes)
        self.flat, self.flat_gradient = (xp.empty(total * math.prod(batch), dtype=first.dtype) for _ in range(2))
        self.parameters, self.gradient = list[Array](), list[Array]()
        vectors = [
            xp.moveaxis(flat.reshape((total, *batch)), 0, -1) if batch_last else flat.reshape((*batch, total))
            for flat in (self.flat, self.flat_gradient)
        ]
        self._vector, self._gradient_vector = vectors
        for vector, views in zip(vectors, (self.parameters, self.gradient), strict=True):
            start = 0
            for size, shape in zip(sizes, shapes, strict=True):
                views.append(vector[..., start : start + size].reshape((*batch, *shape)))
                start += size
        for view, given in zip(self.parameters, blocks, strict=True):
            view[...] = given

    def evaluate(self, ridge: Any) -> Array:
        """Loss plus `ridge` times the squared norm, shape ``batch``; fills the gradient."""
        value = self._loss()
        if ridge == 0:
            return value
        shares = self._vector if self._shares is None else self._vector * self._shares
        self._gradient_vector += 2 * ridge * shares
        if is_exact(self.flat):
            return np.asarray(value + ridge * (self._vector * shares).sum(axis=-1), dtype=object)
        norm: Array = array_module(self.flat).einsum("...p,...p->...", self._vector, shares)
        objective: Array = value + ridge * norm
        return objective

    @abstractmethod
    def _loss(self) -> Array:
        """The loss; its gradient is written to `gradient`."""

    @abstractmethod
    def network(self) -> Any:
        """The network with the present parameters."""

    @abstractmethod
    def gradient_arrays(self) -> list[Array]:
        """The gradient in the shapes of the network's parameters; copies."""


class FullyConnectedObjective(Objective):
    """Blocks ``[W_l, b_l]``; points are columns, and all buffers are kept from one evaluation to the next."""

    def __init__(self, network: FullyConnected, x: Array, targets: Array, loss: Loss) -> None:
        check_points(network, x, point_axes=1)
        _check_sample(network, x, targets)
        loss.check(targets.swapaxes(-1, -2))
        batch, count = network.batch_shape, x.shape[-2]
        tiny = prefers_batch_last(network.widths, math.prod(batch), count, network.weights[0])
        super().__init__(fold(network.weights, network.biases, batch_last=False), batch, batch_last=tiny)
        self._activation, self._loss_function = network.activation, loss
        self._layers = Layers(self.parameters, for_columns(network.activation), batch_last=tiny)
        xp, dtype = array_module(x), network.weights[0].dtype
        points, wanted = (as_columns(array, len(batch), point_axes=1)[0] for array in (x, targets))
        shape = batch if tiny else points.shape[:-2]
        self._points = self._layers.empty((*shape, points.shape[-2] + 1, count), dtype)
        self._points[..., :-1, :] = points
        self._points[..., -1, :] = fmpq(1) if network.is_exact else 1
        self._targets = self._layers.empty((*(batch if tiny else wanted.shape[:-2]), wanted.shape[-2], count), dtype)
        self._targets[...] = wanted
        like = with_batch(self._points, batch, 2)
        self._output = block(self._layers, like, [network.widths[-1]])[0]
        self._activations = block(self._layers, like, [width + 1 for width in network.widths[1:-1]])
        self._deltas = [block(self._layers, like, [max(network.widths[1:])])[0] for _ in range(2)]
        self._xp = xp

    def _loss(self) -> Array:
        layers, depth = self._layers, self._layers.depth
        multiply, whole = layers.multiply, layers.multiply_whole
        kept, patterns = activations(layers, self._points, depth - 1, kept=True, patterns=True, buffers=self._activations)
        kept = [self._points, *kept]
        whole(layers.parameters[-1], kept[-1], self._output)
        value, delta = self._loss_function(self._output, self._targets)
        for below in range(depth - 1, -1, -1):
            whole(delta, kept[below].swapaxes(-1, -2), self.gradient[below])
            if below:
                pulled = self._deltas[below % 2][..., : layers.parameters[below].shape[-1] - 1, :]
                multiply(layers.weight(below + 1).swapaxes(-1, -2), delta, pulled)
                slopes = layers.activation.slopes(patterns[below - 1], pulled.dtype)
                delta = self._xp.multiply(pulled, slopes, out=pulled)
        return value

    def network(self) -> FullyConnected:
        """The network with the present parameters."""
        weights, biases = ([view[..., part] for view in self.parameters] for part in (slice(-1), -1))
        return FullyConnected(weights, biases, self._activation)

    def gradient_arrays(self) -> list[Array]:
        """One array for each of ``W_1, b_1, W_2, ...``."""
        return [part.copy() for view in self.gradient for part in (view[..., :-1], view[..., -1])]


def _check_sample(network: FullyConnected, x: Array, targets: Array) -> None:
    outputs, batch = network.widths[-1], network.batch_shape
    if is_exact(targets) != network.is_exact:
        have, got = ("exact", "float") if network.is_exact else ("float", "exact")
        raise ValueError(f"the network is {have} but targets is {got}: convert one with verify.arithmetic")
    if targets.ndim < 2 or targets.shape[-2:] != (x.shape[-2], outputs):
        raise ValueError(
            f"targets must have shape (..., {x.shape[-2]}, {outputs}), one value for each point of x, got {targets.shape}"
        )
    for name, array in (("x", x), ("targets", targets)):
        try:
            fits = np.broadcast_shapes(array.shape[:-2], batch) == batch
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(
                f"the axes of {name} before its points must broadcast to the batch {batch}, got {name} of shape {array.shape}"
            )
        if not is_exact(array) and not array_module(array).isfinite(array).all():
            raise ValueError(f"{name} must be finite, got NaN or infinity")
