"""Passes through the layers, forward and backward, for points as columns.

A point has shape ``(n_0,)``; its leading axes broadcast with the batch axes of the networks. The passes work on columns, shape
``(*batch, n, M)``, all points of one network side by side, so that a layer is one matrix product for each network; the last
row of a layer's activations is constant 1, which the bias multiplies. For many tiny networks these are shapes only: in memory
their batch axes come last, and a product runs over all networks at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol, TypeAlias

import numpy as np
from flint import fmpq

from verify.networks._arrays import product, real_points
from verify.networks.activations import HomogeneousActivation
from verify.numbers.arithmetic import Array, array_module, is_exact

Multiply: TypeAlias = Callable[..., Array]

# Pages that an allocator returns to the system after each pass are cleared and mapped again in the next one, which takes longer
# than the products of small networks. The GNU allocator keeps what it has once an array of 32 MB has been freed; the array is
# never written to, so that it takes no memory.
np.empty(2**22 - 2**12)

MANY_NETWORKS = 64
TINY_PRODUCT = 200
"""With at least so many networks, and products of at most so many terms, products run over all networks at once."""


class Network(Protocol):
    """What is asked of a network, or of a batch: its shapes, its arithmetic, and its layers in either order of memory."""

    @property
    def weights(self) -> tuple[Array, ...]: ...
    @property
    def widths(self) -> tuple[int, ...]: ...
    @property
    def batch_shape(self) -> tuple[int, ...]: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def _layers(self) -> Layers: ...
    @property
    def _layers_batch_last(self) -> Layers: ...


def checked_points(network: Network, x: Any, name: str = "x", point_axes: int = 0) -> Array:
    """Points as an array in the arithmetic of the network, of a shape that it takes.

    The last `point_axes` of their leading axes do not meet the batch.

    Raises
    ------
    TypeError, ValueError
        They are not what `network` accepts.
    """
    x = real_points(name, x, exact=network.is_exact)
    inputs = network.widths[0]
    if x.ndim < 1 + point_axes or x.shape[-1] != inputs:
        wanted = ", ".join(["...", *["N"] * point_axes, str(inputs)])
        raise ValueError(f"{name} must have shape ({wanted}), got {x.shape}: the network has {inputs} inputs")
    if point_axes and x.shape[-2] == 0:
        raise ValueError(f"{name} must have at least one point, got shape {x.shape}")
    if network.batch_shape:
        try:
            np.broadcast_shapes(x.shape[: x.ndim - 1 - point_axes], network.batch_shape)
        except ValueError:
            raise ValueError(
                f"the leading axes of {name} must broadcast with the batch {network.batch_shape}, got {name} of shape {x.shape}"
            ) from None
    points: Array = x
    return points


def as_columns(x: Array, batch_axes: int, point_axes: int = 0) -> tuple[Array, tuple[int, ...]]:
    """Points ``(*extra, *batch, *points, n_0)`` as columns ``(*batch, n_0, M)``, and the shape ``(*extra, *points)`` of the M.

    Batch axes of length 1, or missing ones, stay of length 1: the points are shared by the networks.
    """
    missing = batch_axes + 1 + point_axes - x.ndim
    if missing > 0:
        x = x.reshape((1,) * missing + x.shape)
    extra = x.ndim - 1 - point_axes - batch_axes
    if extra and batch_axes:
        x = x.transpose((*range(extra, extra + batch_axes), *range(extra), *range(extra + batch_axes, x.ndim)))
    points = x.shape[batch_axes:-1]
    if len(points) != 1:
        x = x.reshape((*x.shape[:batch_axes], math.prod(points), x.shape[-1]))
    return x.swapaxes(-1, -2), points


def pieces(count: int, step: int) -> list[slice]:
    """``range(count)`` in slices of at most `step`, as equal as can be."""
    number = max(-(-count // max(step, 1)), 1)
    return [slice(count * k // number, count * (k + 1) // number) for k in range(number)]


@dataclass(frozen=True, eq=False)
class Layers:
    """What the passes need of a network, or of a batch.

    Attributes
    ----------
    parameters
        ``[W_l, b_l]``, shapes ``(*batch, n_l, n_{l-1} + 1)``.
    activation
        Its slopes have the shape ``(*batch, 1)``.
    batch_last
        Whether in memory the batch axes come last.
    multiply, multiply_whole
        ``(left, right, out=None) -> left @ right`` for matrices with the batch axes of the network; the second is for matrices
        that are contiguous, or the transpose of such.
    weights, transposed
        ``W_l`` and its transpose, views.
    """

    parameters: Sequence[Array]
    activation: HomogeneousActivation
    batch_last: bool = False
    xp: Any = field(init=False, repr=False)
    multiply: Multiply = field(init=False, repr=False)
    multiply_whole: Multiply = field(init=False, repr=False)
    weights: list[Array] = field(init=False, repr=False)
    transposed: list[Array] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        first = self.parameters[0]
        object.__setattr__(self, "xp", array_module(first))
        multiply = _multiplication(first, batch_last=self.batch_last)
        # numpy.dot starts faster than numpy.matmul, but copies what is not contiguous
        multiply_whole = np.dot if multiply is np.matmul and first.ndim == 2 else multiply
        object.__setattr__(self, "multiply", multiply)
        object.__setattr__(self, "multiply_whole", multiply_whole)
        object.__setattr__(self, "weights", [parameters[..., :-1] for parameters in self.parameters])
        object.__setattr__(self, "transposed", [weight.swapaxes(-1, -2) for weight in self.weights])

    @property
    def depth(self) -> int:
        """Number of layers."""
        return len(self.parameters)

    @property
    def batch_axes(self) -> int:
        """Number of the batch axes."""
        return self.parameters[0].ndim - 2

    def empty(self, shape: tuple[int, ...], dtype: Any) -> Array:
        """Array for columns of this network, in the order of memory that its products like."""
        if not self.batch_last:
            return self.xp.empty(shape, dtype)  # type: ignore[no-any-return]
        return _empty_batch_last(shape, self.batch_axes, dtype)


def _multiplication(like: Array, *, batch_last: bool) -> Multiply:
    if is_exact(like):
        return _exact_product
    if batch_last:
        return _product_over_all_networks
    xp = array_module(like)
    if xp is not np:
        return lambda left, right, out=None: xp.matmul(left, right, out=out)  # CuPy's takes `out` by name only
    matmul: Multiply = np.matmul
    return matmul


def _exact_product(left: Array, right: Array, out: Array | None = None) -> Array:
    result = product(left, right)
    if out is None:
        return result
    out[...] = result
    return out


def _product_over_all_networks(left: Array, right: Array, out: Array | None = None) -> Array:
    if left.shape[-1] == 1:
        return np.multiply(left, right, out=out)
    product_: Array = np.einsum("...ij,...jk->...ik", left, right, out=out)
    return product_


def fold(weights: Sequence[Array], biases: Sequence[Array], *, batch_last: bool) -> list[Array]:
    """``[W_l, b_l]`` for every layer, with the batch axes last in memory where asked."""
    xp, folded = array_module(weights[0]), []
    for weight, bias in zip(weights, biases, strict=True):
        shape = (*weight.shape[:-1], weight.shape[-1] + 1)
        joined = _empty_batch_last(shape, weight.ndim - 2, weight.dtype) if batch_last else xp.empty(shape, weight.dtype)
        joined[..., :-1] = weight
        joined[..., -1] = bias
        folded.append(joined)
    return folded


def _empty_batch_last(shape: tuple[int, ...], axes: int, dtype: Any) -> Array:
    """Array whose first `axes` axes come last in memory."""
    memory = np.empty((*shape[axes:], *shape[:axes]), dtype)
    return memory.transpose((*range(len(shape) - axes, len(shape)), *range(len(shape) - axes)))


def prefers_batch_last(widths: Sequence[int], networks: int, points: int, like: Array) -> bool:
    """Whether the products of these networks run faster over all networks at once than one network at a time."""
    if networks < MANY_NETWORKS or is_exact(like) or array_module(like) is not np:
        return False
    return max(n * (m + 1) for m, n in pairwise(widths)) * points <= TINY_PRODUCT


def for_columns(activation: HomogeneousActivation) -> HomogeneousActivation:
    """The activation for columns: values ``(*batch, n, M)``."""
    return activation.each_slope(lambda slope: slope[..., None]) if activation.batch_shape else activation


class Points:
    """Points as columns, and the way back.

    Attributes
    ----------
    columns
        Shape ``(*batch, n_0, M)``.
    shape
        Shape of the M: axes of the points before the batch, then those after it.
    point_axes
        Number of axes after the batch.
    batch
        Shape of the batch, with the axes of the points that broadcast with it.
    """

    __slots__ = ("batch", "columns", "layers", "point_axes", "shape")

    def __init__(self, layers: Layers, columns: Array, shape: tuple[int, ...], point_axes: int, batch: tuple[int, ...]) -> None:
        self.layers = layers
        self.columns = columns
        self.shape = shape
        self.point_axes = point_axes
        self.batch = batch

    @staticmethod
    def of(network: Network, x: Array, point_axes: int = 0, most: int | None = None) -> Points:
        """Points of a network, which are checked already; `most` decides on the order of memory instead of their number."""
        networks = network.batch_shape
        columns, shape = as_columns(x, len(networks), point_axes)
        if not networks:
            return Points(network._layers, columns, shape, point_axes, ())
        batch = np.broadcast_shapes(columns.shape[:-2], networks)
        tiny = prefers_batch_last(network.widths, math.prod(batch), most or columns.shape[-1], network.weights[0])
        if not tiny:
            return Points(network._layers, columns, shape, point_axes, batch)
        layers = network._layers_batch_last
        ordered = layers.empty(columns.shape, columns.dtype)
        ordered[...] = columns
        return Points(layers, ordered, shape, point_axes, batch)

    @property
    def count(self) -> int:
        """Points of each network."""
        return int(self.columns.shape[-1])

    def split(self, values: Array) -> Array:
        """``(*batch, M, ...)`` with the axes of the points as they came."""
        axes = len(self.batch)
        if not axes and len(self.shape) == 1:
            return values
        values = values.reshape((*values.shape[:axes], *self.shape, *values.shape[axes + 1 :]))
        extra = len(self.shape) - self.point_axes
        if not extra or not axes:
            return values
        return values.transpose((*range(axes, axes + extra), *range(axes), *range(axes + extra, values.ndim)))

    def returned(self, columns: Array) -> Array:
        """Columns ``(*batch, n, M)`` with the axes of the points as they came, then n."""
        return self.split(columns.swapaxes(-1, -2))


def preactivations(layers: Layers, columns: Array, count: int) -> list[Array]:
    r""":math:`\tilde\alpha_1, \ldots, \tilde\alpha_{count}`, shapes ``(*batch, n_l, M)``."""
    heights = [parameters.shape[-2] for parameters in layers.parameters[:count]]
    result = block(layers, columns, heights)
    augmented = with_ones(layers, columns, heights[:-1], kept=False)
    before = columns
    for k, values in enumerate(result):
        _affine(layers, layers.parameters[k], before, values)
        if k < len(augmented):
            before = augmented[k]
            layers.activation.apply(values, before[..., :-1, :])
    return result


def activations(
    layers: Layers,
    before: Array,
    stop: int,
    *,
    start: int = 0,
    kept: bool,
    patterns: bool,
    buffers: list[Array] | None = None,
) -> tuple[list[Array], list[Array]]:
    r""":math:`\alpha_{start+1}, \ldots, \alpha_{stop}` with a row of ones below, shapes ``(*batch, n_l + 1, M)``, and, if asked
    for, their patterns (see `HomogeneousActivation.pattern`); `before` is :math:`\alpha_{start}`, with or without ones if it is
    the points. Unless they are to be `kept`, only the last one is meaningful. `buffers` are those of `with_ones`.
    """
    steps = layers.parameters[start:stop]
    if buffers is None:
        buffers = with_ones(layers, before, [parameters.shape[-2] for parameters in steps], kept=kept)
    patterns_by_layer = []
    pattern = None
    apply, pattern_of, multiply = layers.activation.apply, layers.activation.pattern, layers.multiply_whole
    for parameters, augmented in zip(steps, buffers, strict=True):
        values = augmented[..., :-1, :]
        if before.shape[-2] == parameters.shape[-1]:
            multiply(parameters, before, values)
        else:
            _affine(layers, parameters, before, values)
        if patterns:
            pattern = pattern_of(values)
            patterns_by_layer.append(pattern)
        apply(values, values, pattern)
        before = augmented
    return buffers, patterns_by_layer


def value(layers: Layers, before: Array) -> Array:
    """The value of the network from the last activations (from the points, for one layer), shape ``(*batch, n_L, M)``."""
    result = block(layers, before, [layers.parameters[-1].shape[-2]])[0]
    _affine(layers, layers.parameters[-1], before, result)
    return result


def block(layers: Layers, columns: Array, heights: Sequence[int]) -> list[Array]:
    """Arrays ``(*batch, height, M)`` in one block, for which the operating system is asked once."""
    full_block = _whole_block(layers, columns, sum(heights))
    if len(heights) == 1:
        return [full_block]
    result, start = [], 0
    for height in heights:
        result.append(full_block[..., start : start + height, :])
        start += height
    return result


def with_ones(layers: Layers, columns: Array, widths: Sequence[int], *, kept: bool) -> list[Array]:
    """Arrays ``(*batch, n_l + 1, M)`` whose last rows are one; two that take turns for layers of equal widths that need not be
    `kept`.
    """
    if not widths:
        return []
    height = widths[0] + 1
    equal_widths = len(set(widths)) == 1
    count = min(2, len(widths)) if equal_widths and not kept else len(widths)
    full_block = _whole_block(layers, columns, sum(widths[:count]) + count)
    unit: Any = fmpq(1) if full_block.dtype.kind == "O" else 1
    if equal_widths:
        full_block[..., height - 1 :: height, :] = unit
        result = [full_block[..., k * height : (k + 1) * height, :] for k in range(count)]
        return result if count == len(widths) else [result[k % count] for k in range(len(widths))]
    result, end = [], 0
    for width in widths:
        result.append(full_block[..., end : end + width + 1, :])
        end += width + 1
        full_block[..., end - 1, :] = unit
    return result


def _whole_block(layers: Layers, columns: Array, height: int) -> Array:
    first = layers.parameters[0]
    batch = np.broadcast_shapes(columns.shape[:-2], first.shape[:-2]) if first.ndim > 2 else ()
    dtype = first.dtype if columns.dtype == first.dtype else np.result_type(first.dtype, columns.dtype)
    return layers.empty((*batch, height, columns.shape[-1]), dtype)


def _affine(layers: Layers, parameters: Array, before: Array, out: Array) -> None:
    """Pre-activations of a layer from the activations before it; for the first layer from the points, with or without ones."""
    if before.shape[-2] == parameters.shape[-1]:
        layers.multiply_whole(parameters, before, out)
    else:
        layers.multiply(parameters[..., :-1], before, out)
        out += parameters[..., -1:]
