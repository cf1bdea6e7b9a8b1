"""The objective of circular convolutional networks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from verify.networks._arrays import real_points
from verify.networks._passes import for_columns
from verify.networks.circular import CircularCNN
from verify.networks.training.losses import Loss
from verify.networks.training.objectives import Objective, check_sample
from verify.networks.training.of_fully_connected import FullyConnectedObjective
from verify.numbers.arithmetic import Array, array_module, is_exact


class CircularCNNObjective(Objective):
    """Blocks: kernels, then biases. Images are ``(*batch, *image, channels, N)``, transforms run along their first axes, and a
    layer is one product of matrices for each frequency.

    Exact networks go through their dense matrices: most roots of unity are not rational.
    """

    def __init__(self, network: CircularCNN, x: Array, targets: Array, loss: Loss) -> None:
        axes, batch = network.axes, network.batch_shape
        x = _checked_images(network, x)
        targets = real_points("targets", targets, exact=network.is_exact)
        check_sample(network, x, targets, (x.shape[-axes - 2], network.channels[-1], *network.image_shape), axes + 2)
        super().__init__(network, network.parameters)
        self._cnn, self._loss_function, self._sample = network, loss, (x, targets)
        self._image = tuple(range(len(batch), len(batch) + axes))
        dtype = network.kernels[0].dtype
        self._points = self._image_first(x).astype(dtype, copy=False)
        self._targets = self._as_columns(self._image_first(targets).astype(dtype, copy=False))
        loss.check(self._targets)
        # slopes of a batch meet values whose other axes are one
        self._activation = for_columns(network.activation)

    def _loss(self) -> Array:
        if is_exact(self.flat):
            return self._dense_loss()
        network, xp = self._cnn, array_module(self.flat)
        depth = network.depth
        kernels, biases = self.parameters[:depth], self.parameters[depth:]
        spectra = [self._transform(self._kernel_image_first(kernel)) for kernel in kernels]
        values, by_layer = self._points, []
        for k in range(depth):
            if k:
                pattern = self._activation.pattern(self._as_columns(values))
                values = self._activation.apply(self._as_columns(values)).reshape(values.shape)
            else:
                pattern = None
            transformed = self._transform(values)
            by_layer.append((pattern, transformed))
            values = self._back(xp.matmul(spectra[k], transformed))
            values += self._over_pixels(biases[k])
        value, delta = self._loss_function(self._as_columns(values).copy(), self._targets)
        delta = delta.reshape(values.shape)
        summed = (*self._image, -1)
        for k in range(depth - 1, -1, -1):
            pattern, transformed = by_layer[k]
            self.gradient[depth + k][...] = delta.sum(axis=summed)
            pushed = self._transform(delta)
            share = self._back(xp.matmul(pushed, transformed.conj().swapaxes(-1, -2)))
            self.gradient[k][...] = self._kernel_image_last(share)
            if pattern is not None:
                delta = self._back(xp.matmul(spectra[k].conj().swapaxes(-1, -2), pushed))
                slopes = self._activation.slopes(pattern, delta.dtype)
                delta = (self._as_columns(delta) * slopes).reshape(delta.shape)
        return value

    def _dense_loss(self) -> Array:
        """By way of dense matrices, each entry of which is one of the kernel's."""
        network: CircularCNN = self.network()
        dense = network.as_fully_connected()
        axes, pixels = network.axes, math.prod(network.image_shape)
        x, targets = (array.reshape((*array.shape[: array.ndim - axes - 1], -1)) for array in self._sample)
        objective = FullyConnectedObjective(dense, x, targets, self._loss_function)
        value = objective.evaluate(0)
        gradients = objective.gradient_arrays()
        places = np.indices(network.image_shape).reshape(axes, pixels)
        lengths = np.array(network.image_shape)[:, None, None]
        # the input pixel that an entry j of the kernel takes to the output pixel i
        source = np.ravel_multi_index(list((places[:, None, :] - places[:, :, None]) % lengths), network.image_shape)
        for k in range(network.depth):
            matrix, outputs, inputs = gradients[k], network.channels[k + 1], network.channels[k]
            split = matrix.reshape((*matrix.shape[:-2], outputs, pixels, inputs, pixels))
            shares = [split[..., range(pixels), :, source[j]].sum(axis=0) for j in range(pixels)]
            self.gradient[k][...] = np.stack(shares, axis=-1).reshape(self.gradient[k].shape)
            bias = gradients[network.depth + k]
            self.gradient[network.depth + k][...] = bias.reshape((*bias.shape[:-1], outputs, pixels)).sum(axis=-1)
        return value

    def _arrays(self, blocks: Sequence[Array]) -> list[Array]:
        return list(blocks)

    def _image_first(self, images: Array) -> Array:
        """``(..., N, c, *image)`` as ``(..., *image, c, N)``, with all batch axes in front (of length 1 where shared)."""
        xp, axes, batch = array_module(images), self._cnn.axes, len(self._cnn.batch_shape)
        missing = batch + 2 + axes - images.ndim
        images = images.reshape((1,) * missing + images.shape)
        images = xp.moveaxis(images, (*range(-axes, 0),), self._image)
        return xp.ascontiguousarray(images.swapaxes(-1, -2))  # type: ignore[no-any-return]

    def _kernel_image_first(self, kernel: Array) -> Array:
        xp, axes = array_module(kernel), self._cnn.axes
        return xp.ascontiguousarray(xp.moveaxis(kernel, (*range(-axes, 0),), self._image))  # type: ignore[no-any-return]

    def _kernel_image_last(self, kernel: Array) -> Array:
        axes = self._cnn.axes
        moved: Array = array_module(kernel).moveaxis(kernel, self._image, (*range(-axes, 0),))
        return moved

    def _as_columns(self, images: Array) -> Array:
        """``(*batch, *image, c, N)`` as ``(*batch, pixels * c, N)``."""
        return images.reshape((*images.shape[: self._image[0]], -1, images.shape[-1]))

    def _over_pixels(self, bias: Array) -> Array:
        return bias.reshape((*bias.shape[:-1], *(1,) * self._cnn.axes, bias.shape[-1], 1))

    def _transform(self, images: Array) -> Array:
        xp: Any = array_module(images)
        spectrum: Array = xp.fft.rfftn(images, axes=self._image)
        return spectrum

    def _back(self, spectrum: Array) -> Array:
        xp: Any = array_module(spectrum)
        images: Array = xp.fft.irfftn(spectrum, s=self._cnn.image_shape, axes=self._image)
        return images


def _checked_images(network: CircularCNN, x: Array) -> Array:
    x = real_points("x", x, exact=network.is_exact)
    wanted = (network.channels[0], *network.image_shape)
    if x.ndim < len(wanted) + 1 or x.shape[-len(wanted) :] != wanted or x.shape[-len(wanted) - 1] == 0:
        raise ValueError(f"x must have shape (..., N, {', '.join(map(str, wanted))}), points, channels, pixels, got {x.shape}")
    return x
