"""Convolutional networks on images with periodic boundaries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from verify.networks._arrays import check_batches, chosen_networks, frozen_copies, named_list, real_points, with_batch, zeros
from verify.networks.activations import HomogeneousActivation, relu
from verify.networks.arguments import check_arithmetic, checked_activation, checked_layer, common_batch
from verify.networks.circular.kernels import MOST_AXES, convolution_matrix, image_shape, singular_values_by_frequency
from verify.networks.fully_connected import FullyConnected
from verify.notation.representation import card
from verify.numbers.arguments import listed
from verify.numbers.arithmetic import Array, array_module, floats, integer, is_exact, rationals


@dataclass(frozen=True, eq=False, init=False, repr=False)
class CircularCNN:
    r"""Network, or a batch of networks of the same channels: layers of circular convolutions with full-size filters,
    :math:`\tilde\alpha_\ell = k_\ell * \alpha_{\ell-1} + b_\ell`, :math:`\alpha_\ell = \sigma(\tilde\alpha_\ell)`; the value is
    :math:`\tilde\alpha_L`: no activation on the output.

    ``kernels[l - 1]`` is :math:`k_\ell`, shape ``(*batch, c_l, c_{l-1}, n_1, ..., n_d)``, with d = `axes`; ``biases[l - 1]``
    is :math:`b_\ell`, one number for each channel, shape ``(*batch, c_l)``; without biases they are zero. The batch axes of
    kernels, biases and slopes broadcast together, and every array is stored with all of them, copied and read-only.

    An input has shape ``(..., c_0, n_1, ..., n_d)``; its leading axes broadcast with the batch.

    Raises `ValueError` for no layers, arrays of the wrong shape, NaN or infinity, and floats mixed with exact values.

    Source: symmetry_learning, the section on convolutional networks.
    """

    kernels: tuple[Array, ...]
    biases: tuple[Array, ...]
    activation: HomogeneousActivation
    axes: int

    def __init__(
        self,
        kernels: Sequence[Array],
        biases: Sequence[Array] | None = None,
        activation: HomogeneousActivation | None = None,
        *,
        axes: int = 2,
    ) -> None:
        activation = checked_activation(relu() if activation is None else activation)
        axes = integer("axes", axes, 1, ": an image has an axis", most=MOST_AXES)
        named = named_list("kernels", kernels)
        count = len(named)
        copies = frozen_copies(named + ([] if biases is None else named_list("biases", biases)))
        checked = tuple(copies[:count])
        _check_kernels(checked, axes)
        offsets = tuple(zeros((k.shape[-axes - 2],), k) for k in checked) if biases is None else tuple(copies[count:])
        _check_biases(offsets, checked, axes)
        # the checks of fully connected networks see the channels only
        origin: Any = (..., *[0] * axes)
        channels = tuple(kernel[origin] for kernel in checked)
        check_arithmetic(channels[0], activation)
        batch = common_batch(channels, offsets, activation)
        object.__setattr__(self, "kernels", tuple(with_batch(kernel, batch, axes + 2) for kernel in checked))
        object.__setattr__(self, "biases", tuple(with_batch(bias, batch, 1) for bias in offsets))
        object.__setattr__(self, "activation", activation)
        object.__setattr__(self, "axes", axes)

    def __reduce__(self) -> tuple[Any, ...]:
        # through the constructor: a pickled array forgets that it is read-only
        return _rebuilt, (self.kernels, self.biases, self.activation, self.axes)

    def __repr__(self) -> str:
        channels, image = "-".join(map(str, self.channels)), "x".join(map(str, self.image_shape))
        arithmetic = "exact" if self.is_exact else str(self.kernels[0].dtype)
        return f"CircularCNN({channels} on {image}, batch_shape={self.batch_shape}, {arithmetic}, {self.activation})"

    def _repr_html_(self) -> str:
        rows = {
            "channels": "-".join(map(str, self.channels)),
            "images": " x ".join(map(str, self.image_shape)),
            "batch": self.batch_shape or None,
            "arithmetic": "exact" if self.is_exact else str(self.kernels[0].dtype),
            "activation": str(self.activation),
        }
        return card("Circular convolutional network", rows, "")

    def __getitem__(self, index: Any) -> CircularCNN:
        """The networks at `index` of the batch axes.

        Raises
        ------
        TypeError
            The network has no batch axes.
        """
        chosen = chosen_networks(index, self.batch_shape, self.kernels[0])
        return CircularCNN(
            [*map(chosen, self.kernels)],
            [*map(chosen, self.biases)],
            self.activation.each_slope(lambda slope: chosen(with_batch(slope, self.batch_shape, 0))),
            axes=self.axes,
        )

    @cached_property
    def depth(self) -> int:
        """Number of layers, the output layer included."""
        return len(self.kernels)

    @cached_property
    def image_shape(self) -> tuple[int, ...]:
        """``(n_1, ..., n_d)``: lengths of an image."""
        return image_shape(self.kernels[0], self.axes)

    @cached_property
    def channels(self) -> tuple[int, ...]:
        """``(c_0, ..., c_L)``: channels of the input, the hidden layers and the output."""
        last = -self.axes - 2
        return (self.kernels[0].shape[last + 1], *(kernel.shape[last] for kernel in self.kernels))

    @cached_property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of networks; ``()`` for one network."""
        return self.kernels[0].shape[: -self.axes - 2]

    @cached_property
    def is_exact(self) -> bool:
        """Whether the parameters are rationals or balls rather than floats."""
        return is_exact(self.kernels[0])

    @property
    def parameters(self) -> tuple[Array, ...]:
        """What is trained: the kernels, then the biases."""
        return (*self.kernels, *self.biases)

    def with_parameters(self, parameters: Sequence[Array]) -> CircularCNN:
        """The network with these kernels and biases, and this activation.

        Raises
        ------
        ValueError
            Not as many arrays as `parameters` has; otherwise as on construction.
        """
        parameters = listed("parameters", parameters)
        if len(parameters) != 2 * self.depth:
            raise ValueError(f"parameters must be {self.depth} kernels and as many biases, got {len(parameters)} arrays")
        return CircularCNN(parameters[: self.depth], parameters[self.depth :], self.activation, axes=self.axes)

    def __call__(self, x: Array, /) -> Array:
        """Value at `x`, shape ``(..., c_0, *image) -> (..., c_L, *image)``.

        Raises
        ------
        ValueError
            `x` does not end in the axes ``(c_0, *image)``, or its arithmetic is not the network's.
        """
        return self.preactivations(x)[-1]

    def preactivations(self, x: Array, /) -> tuple[Array, ...]:
        r""":math:`\tilde\alpha_1, \ldots, \tilde\alpha_L` at `x`, shapes ``(..., c_l, *image)``; the last is the value.

        Floats by fast Fourier transforms, exact values by the dense matrices. Errors as for the call.
        """
        x = self._checked_input(x)
        if self.is_exact:
            by_layer = self.as_fully_connected().preactivations(x.reshape(*x.shape[: -self.axes - 1], -1))
            return tuple(values.reshape(*values.shape[:-1], -1, *self.image_shape) for values in by_layer)
        result, values = list[Array](), x
        for spectrum, bias in zip(self._spectra, self.biases, strict=True):
            if result:
                values = self._activated(values)
            values = self._convolved(spectrum, values) + self._over_pixels(bias)
            result.append(values)
        return tuple(result)

    def jacobian(self, x: Array, /) -> Array:
        """Derivative of the value by `x`, pixels and channels in a row: ``(..., c_0, *image) -> (..., c_L n, c_0 n)``.

        At kinks as for `FullyConnected.jacobian`; errors as for the call.
        """
        x = self._checked_input(x)
        return self.as_fully_connected().jacobian(x.reshape(*x.shape[: -self.axes - 1], -1))

    def as_fully_connected(self) -> FullyConnected:
        """The same function of images with channels and pixels in a row: dense matrices, and biases repeated over pixels."""
        pixels = math.prod(self.image_shape)
        weights = [convolution_matrix(kernel, self.axes) for kernel in self.kernels]
        return FullyConnected(weights, [bias.repeat(pixels, axis=-1) for bias in self.biases], self.activation)

    def singular_values_by_frequency(self, layer: int) -> Array:
        """Singular values of the frequency blocks of a layer, counted from 1, shape ``(*batch, *image, min(c_l, c_{l-1}))``.

        Raises
        ------
        ValueError
            `layer` is not one of 1, ..., `depth`.
        FloatOnly
            The network is exact and a length is not 1, 2 or 4.
        """
        layer = checked_layer(layer, self.depth)
        return singular_values_by_frequency(self.kernels[layer - 1], self.axes)

    @property
    def parameter_norm_squared(self) -> Array:
        """Sum of the squares of all kernels and biases, shape ``batch_shape``: weights that are shared count once."""
        total = zeros(self.batch_shape, self.kernels[0])
        for kernel, bias in zip(self.kernels, self.biases, strict=True):
            total = total + (kernel * kernel).sum(axis=tuple(range(-self.axes - 2, 0))) + (bias * bias).sum(axis=-1)
        return total

    def as_exact(self) -> CircularCNN:
        """The same network in rationals; floats are taken as the rationals that they are."""
        if self.is_exact:
            return self
        activation = self.activation.as_exact()
        return CircularCNN([*map(rationals, self.kernels)], [*map(rationals, self.biases)], activation, axes=self.axes)

    def as_float(self) -> CircularCNN:
        """The network whose parameters and slopes are the nearest floats (for balls: the nearest to their midpoints)."""
        if not self.is_exact:
            return self
        activation = self.activation.as_float()
        return CircularCNN([*map(floats, self.kernels)], [*map(floats, self.biases)], activation, axes=self.axes)

    @cached_property
    def _spectra(self) -> tuple[Array, ...]:
        """Transforms of the kernels, half of the frequencies in a row: ``(*batch, frequencies, c_l, c_{l-1})``."""
        xp: Any = array_module(self.kernels[0])
        spectra = []
        for kernel in self.kernels:
            spectrum = xp.fft.rfftn(kernel, axes=tuple(range(-self.axes, 0)))
            flat = spectrum.reshape(*spectrum.shape[: -self.axes], -1)
            spectra.append(xp.ascontiguousarray(xp.moveaxis(flat, -1, -3)))
        return tuple(spectra)

    def _convolved(self, spectrum: Array, values: Array) -> Array:
        xp: Any = array_module(values)
        axes = tuple(range(-self.axes, 0))
        transformed = xp.fft.rfftn(values, axes=axes)
        half = transformed.shape[-self.axes :]
        flat = transformed.reshape(*transformed.shape[: -self.axes], -1)  # (..., channels, frequencies)
        if spectrum.ndim == 3:
            # one product for each frequency, with all points as columns
            leading = flat.shape[:-2]
            columns = flat.reshape(-1, *flat.shape[-2:]).transpose(2, 1, 0)
            product = (spectrum @ columns).transpose(2, 1, 0).reshape(*leading, spectrum.shape[-2], -1)
        else:
            product = (spectrum @ flat.swapaxes(-1, -2)[..., None])[..., 0].swapaxes(-1, -2)
        result: Array = xp.fft.irfftn(product.reshape(*product.shape[:-1], *half), s=self.image_shape, axes=axes)
        return result

    def _activated(self, values: Array) -> Array:
        """The activation, whose slopes have batch shape: it takes one axis of values beside the batch."""
        flat = values.reshape(*values.shape[: -self.axes - 1], -1)
        return self.activation(flat).reshape(values.shape)

    def _over_pixels(self, bias: Array) -> Array:
        return bias[(..., *[None] * self.axes)]

    def _checked_input(self, x: Array) -> Array:
        x = real_points("x", x, exact=self.is_exact)
        wanted = (self.channels[0], *self.image_shape)
        if x.shape[-self.axes - 1 :] != wanted:
            raise ValueError(f"x must have shape (..., {', '.join(map(str, wanted))}), channels and pixels, got {x.shape}")
        check_batches(x=x.shape[: -self.axes - 1], network=self.batch_shape)
        return x


def _rebuilt(
    kernels: tuple[Array, ...], biases: tuple[Array, ...], activation: HomogeneousActivation, axes: int
) -> CircularCNN:
    return CircularCNN(kernels, biases, activation, axes=axes)


def _check_kernels(kernels: tuple[Array, ...], axes: int) -> None:
    if not kernels:
        raise ValueError("kernels must not be empty: a network has an output layer")
    for k, kernel in enumerate(kernels):
        image = image_shape(kernel, axes, f"kernels[{k}]")
        if image != kernels[0].shape[-axes:]:
            raise ValueError(f"kernels[{k}] acts on images of shape {image}, kernels[0] of shape {kernels[0].shape[-axes:]}")
        if k and kernel.shape[-axes - 1] != kernels[k - 1].shape[-axes - 2]:
            raise ValueError(
                f"kernels[{k}] takes {kernel.shape[-axes - 1]} channels but kernels[{k - 1}] gives "
                f"{kernels[k - 1].shape[-axes - 2]}"
            )


def _check_biases(biases: tuple[Array, ...], kernels: tuple[Array, ...], axes: int) -> None:
    if len(biases) != len(kernels):
        raise ValueError(f"biases must be one for each of {len(kernels)} kernels, got {len(biases)}")
    for k, (bias, kernel) in enumerate(zip(biases, kernels, strict=True)):
        channels = kernel.shape[-axes - 2]
        if bias.ndim < 1 or bias.shape[-1] != channels:
            raise ValueError(f"biases[{k}] must have shape (*batch, {channels}), one for each channel, got {bias.shape}")
