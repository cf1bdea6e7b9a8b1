"""Discrete leaky ResNets: layers of given lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from verify.networks._arrays import (
    as_array,
    check_batches,
    chosen_networks,
    frozen_copies,
    frozen_copy,
    named_list,
    number_like,
    real_points,
    with_batch,
    zeros,
)
from verify.networks.leaky_resnet._features import rectified, shaped, squared_norm
from verify.networks.leaky_resnet.steps import equidistant_steps
from verify.notation.representation import card
from verify.numbers.arithmetic import Array, array_module, compare, floats, is_exact, is_number, rationals, sqrt, where_positive


@dataclass(frozen=True, eq=False, init=False, repr=False)
class LeakyResNet:
    r"""Network, or a batch of networks of the same width and depth:
    :math:`A_\ell = (1 - \rho_\ell L)A_{\ell-1} + \rho_\ell W_\ell\sigma(A_{\ell-1})`, :math:`\ell = 1, \ldots, M`, where
    :math:`\sigma(A)` is the ReLU of A with a row of ones below it.

    ``weights[l - 1]`` is :math:`W_\ell = [V_\ell, b_\ell]`, shape ``(*batch, w, w + 1)``; if all have the shape ``(*batch, w,
    w)``, there is no bias and :math:`\sigma` is the ReLU alone. `leak` is L, a number or an array of batch shape; `steps` are
    :math:`\rho_\ell`, shape ``(*batch, M)``, positive (1/M if not given; their sum is not asked to be 1). The batch axes
    broadcast together, and every array is stored with all of them, copied and read-only.

    Inputs and activations have the shape ``(..., w, N)``, neurons by points; their leading axes broadcast with the batch.

    Raises `ValueError` for no layers, arrays of the wrong shape, NaN or infinity, steps that are not positive, and floats
    mixed with exact values.

    Source: leaky_resnets, Section 3.
    """

    weights: tuple[Array, ...]
    leak: Array
    steps: Array

    def __init__(self, weights: Sequence[Array], leak: Any, steps: Array | None = None) -> None:
        named = named_list("weights", weights)
        count = len(named)
        beside = [
            (name, value) for name, value in (("leak", leak), ("steps", steps)) if value is not None and not is_number(value)
        ]
        copies = frozen_copies(named + beside)
        checked = tuple(copies[:count])
        _check_weights(checked)
        arrays = dict(zip((name for name, _ in beside), copies[count:], strict=True))
        rate = number_like("leak", arrays.get("leak", leak), checked[0])
        if steps is None:
            lengths = _equidistant_like(len(checked), checked[0])
        else:
            lengths = number_like("steps", arrays.get("steps", steps), checked[0])
            check_steps(lengths, len(checked))
        shapes = [weight.shape[:-2] for weight in checked] + [rate.shape, lengths.shape[:-1]]
        try:
            batch = np.broadcast_shapes(*shapes)
        except ValueError:
            raise ValueError(f"batch axes must broadcast, got {sorted(set(shapes))} in weights, leak and steps") from None
        object.__setattr__(self, "weights", tuple(with_batch(weight, batch, 2) for weight in checked))
        object.__setattr__(self, "leak", with_batch(frozen_copy("leak", rate), batch, 0))
        object.__setattr__(self, "steps", with_batch(frozen_copy("steps", lengths), batch, 1))

    def __reduce__(self) -> tuple[Any, ...]:
        # through the constructor: a pickled array forgets that it is read-only
        return LeakyResNet, (self.weights, self.leak, self.steps)

    def __repr__(self) -> str:
        arithmetic = "exact" if self.is_exact else str(self.weights[0].dtype)
        bias = "with bias" if self.has_bias else "without bias"
        return f"LeakyResNet(width={self.width}, depth={self.depth}, {bias}, batch_shape={self.batch_shape}, {arithmetic})"

    def _repr_html_(self) -> str:
        rows = {
            "width, depth": f"{self.width}, {self.depth}",
            "bias": "yes" if self.has_bias else "no",
            "batch": self.batch_shape or None,
            "arithmetic": "exact" if self.is_exact else str(self.weights[0].dtype),
        }
        return card(
            "Leaky ResNet", rows, r":math:`\partial_p \alpha_p = -\tilde L\,\alpha_p + W_p\,\sigma(\alpha_p)`, in steps"
        )

    def __getitem__(self, index: Any) -> LeakyResNet:
        """The networks at `index` of the batch axes.

        Raises
        ------
        TypeError
            The network has no batch axes.
        """
        chosen = chosen_networks(index, self.batch_shape, self.weights[0])
        return LeakyResNet([*map(chosen, self.weights)], as_array(chosen(self.leak)), chosen(self.steps))

    @cached_property
    def depth(self) -> int:
        """M, the number of layers."""
        return len(self.weights)

    @cached_property
    def width(self) -> int:
        """w, the number of neurons of every layer."""
        return int(self.weights[0].shape[-2])

    @cached_property
    def has_bias(self) -> bool:
        """Whether the weights have a column for the bias."""
        return bool(self.weights[0].shape[-1] > self.width)

    @cached_property
    def batch_shape(self) -> tuple[int, ...]:
        """Shape of the batch of networks; ``()`` for one network."""
        return self.weights[0].shape[:-2]

    @cached_property
    def is_exact(self) -> bool:
        """Whether the parameters are rationals or balls rather than floats."""
        return is_exact(self.weights[0])

    @property
    def parameters(self) -> tuple[Array, ...]:
        """What is trained: the weights."""
        return self.weights

    def with_parameters(self, parameters: Sequence[Array]) -> LeakyResNet:
        """The network with these weights, and this leak and these steps."""
        return LeakyResNet(parameters, self.leak, self.steps)

    @property
    def positions(self) -> Array:
        r""":math:`p_0 = 0, p_1, \ldots, p_M`, shape ``(*batch, M + 1)``: sums of the steps."""
        start = zeros((*self.batch_shape, 1), self.steps)
        joined: Array = array_module(start).concatenate([start, self.steps], axis=-1)
        total: Array = joined.cumsum(axis=-1)
        return total

    def __call__(self, x: Array, /) -> Array:
        """:math:`A_M`, shape ``(..., w, N) -> (..., w, N)``.

        Raises
        ------
        ValueError
            `x` has not w rows, its arithmetic is not the network's, or an entry is not finite.
        """
        return self.activations(x)[-1]

    def activations(self, x: Array, /) -> tuple[Array, ...]:
        """:math:`A_0, ..., A_M`, shapes ``(..., w, N)``; the first is `x` itself, not broadcast.

        Raises
        ------
        ValueError
            As for the call.
        """
        values = self._checked("x", x)
        result = [values]
        for kept, matrix, bias in self._layers:
            after = matrix @ rectified(values)
            if bias is not None:
                after += bias
            after += kept * values
            values = after
            result.append(values)
        return tuple(result)

    def adjoints(self, activations: Sequence[Array], last: Array) -> tuple[Array, ...]:
        r""":math:`B_0, \ldots, B_M = last`: the derivatives :math:`-\frac1\lambda\partial_{A_\ell}C` by the chain rule,

        .. math:: B_{\ell-1} = (1 - \rho_\ell L)B_\ell + \rho_\ell\dot\sigma(A_{\ell-1})\odot[V_\ell^TB_\ell] .

        `activations` are those of `activations`, `last` is :math:`B_M`, shape ``(..., w, N)``.

        Raises
        ------
        ValueError
            Not one array of activations for each end of a layer; otherwise as for the call.

        Source: leaky_resnets, Section 1.5.
        """
        activations = self._checked_path(activations)
        values = self._checked("last", last)
        result = [values]
        for (kept, matrix, _), before in zip(reversed(self._layers), reversed(activations[:-1]), strict=True):
            pulled = where_positive(before, matrix.swapaxes(-1, -2) @ values)
            pulled += kept * values
            values = pulled
            result.append(values)
        return tuple(reversed(result))

    def relative_distances(self, activations: Sequence[Array]) -> Array:
        r""":math:`\|A_\ell - A_{\ell-1}\| / (\rho_\ell\|A_\ell\|)` of all layers, shape ``(..., M)``: see `adaptive_steps`.

        Raises
        ------
        ValueError
            Not one array of activations for each end of a layer, or one of them is zero.

        Source: leaky_resnets, Section 3.
        """
        activations = self._checked_path(activations)
        distances = []
        for layer in range(self.depth):
            before, after = activations[layer], activations[layer + 1]
            size = squared_norm(after)
            if (compare(size, 0) == 0 if is_exact(size) else size == 0).any():
                raise ValueError(f"activations[{layer + 1}] must not be zero: distances are relative to them")
            distances.append(sqrt(as_array(squared_norm(after - before) / size)) / self.steps[..., layer])
        joined: Array = array_module(distances[0]).stack(distances, axis=-1)
        return joined

    @property
    def weight_norms_squared(self) -> Array:
        r""":math:`\|W_\ell\|^2` of all layers, biases included, shape ``(*batch, M)``."""
        joined: Array = array_module(self.steps).stack([squared_norm(weight) for weight in self.weights], axis=-1)
        return joined

    @property
    def parameter_norm_squared(self) -> Array:
        r""":math:`\sum_\ell\rho_\ell\|W_\ell\|^2`, biases included, shape ``batch_shape``: stands for an integral over p."""
        return as_array((self.steps * self.weight_norms_squared).sum(axis=-1))

    def as_exact(self) -> LeakyResNet:
        """The same network in rationals; floats are taken as the rationals that they are."""
        if self.is_exact:
            return self
        return LeakyResNet([*map(rationals, self.weights)], rationals(self.leak), rationals(self.steps))

    def as_float(self) -> LeakyResNet:
        """The network whose parameters are the nearest floats (for balls: the nearest to their midpoints)."""
        if not self.is_exact:
            return self
        return LeakyResNet([*map(floats, self.weights)], floats(self.leak), floats(self.steps))

    @cached_property
    def _layers(self) -> tuple[tuple[Array, Array, Array | None], ...]:
        r"""Of each layer :math:`1 - \rho L`, :math:`\rho V`, and :math:`\rho b` as a column, if there are biases."""
        kept, layers = 1 - self.steps * self.leak[..., None], []
        for k, weight in enumerate(self.weights):
            scaled = self.steps[..., k, None, None] * weight
            matrix, bias = (scaled[..., :-1], scaled[..., -1:]) if self.has_bias else (scaled, None)
            layers.append((kept[..., k, None, None], matrix, bias))
        return tuple(layers)

    def _checked(self, name: str, values: Any) -> Array:
        array = shaped(name, real_points(name, values, exact=self.is_exact))
        if array.shape[-2] != self.width:
            raise ValueError(f"{name} must have {self.width} rows, one for each neuron, got the shape {array.shape}")
        check_batches(**{name: array.shape[:-2], "the network": self.batch_shape})
        return array

    def _checked_path(self, activations: Any) -> list[Array]:
        named = named_list("activations", activations)
        if len(named) != self.depth + 1:
            raise ValueError(f"activations must be {self.depth + 1} arrays, one more than layers, got {len(named)}")
        return [self._checked(name, values) for name, values in named]


def _check_weights(weights: tuple[Array, ...]) -> None:
    if not weights:
        raise ValueError("weights must not be empty: a network has a layer")
    first = weights[0].shape
    for k, weight in enumerate(weights):
        if weight.ndim < 2 or weight.shape[-2] < 1 or weight.shape[-1] - weight.shape[-2] not in (0, 1):
            raise ValueError(f"weights[{k}] must have the shape (*batch, w, w + 1), or (*batch, w, w), got {weight.shape}")
        if weight.shape[-2:] != first[-2:]:
            raise ValueError(f"weights[{k}] must have the shape {first[-2:]} of weights[0] at the end, got {weight.shape}")


def check_steps(steps: Array, depth: int) -> None:
    """One positive step for each layer."""
    if steps.ndim < 1 or steps.shape[-1] != depth:
        raise ValueError(f"steps must have the shape (*batch, {depth}), one for each layer, got {steps.shape}")
    if not (compare(steps, 0) == 1 if is_exact(steps) else steps > 0).all():
        raise ValueError("steps must be positive, got one that is not")


def _equidistant_like(count: int, like: Array) -> Array:
    steps = equidistant_steps(count, exact=is_exact(like))
    return steps if is_exact(like) else array_module(like).asarray(steps, dtype=like.dtype)
