"""Balanced networks with rational norms of all neurons."""

from __future__ import annotations

import numpy as np

from theorems.shared.arrays import squares
from verify import Sizes, derived, interval, reals, slopes
from verify.networks import FullyConnected, leaky_relu
from verify.numbers.arithmetic import Array, compare
from verify.numbers.parameters import widened
from verify.words import lifted


@widened
def vectors_of_length(length: Array, parameters: Array) -> Array:
    """Vectors with the given lengths and stereographic coordinates, shapes ``(...)`` and ``(..., n - 1) -> (..., n)``."""
    square = squares(parameters)[..., None]
    vectors = np.concatenate([2 * length[..., None] * parameters, (1 - square) * length[..., None]], axis=-1)
    return np.asarray(vectors / (1 + square))


@widened
def balanced_network(first: Array, roots: Array, inner: Array, last: Array, offset: Array, slope: Array) -> FullyConnected:
    """Balanced network, with rational norms of all neurons from rational coordinates.

    `first`, shape ``(..., w, n_0)``, are the weights of the first layer. With the number q > 0 from `roots`, shape
    ``(..., L - 1, w)``, and the squared norm S of its weights, a neuron gets the bias (S - q^2) / (2q), so that it pays
    ((S + q^2) / (2q))^2. The directions of the outgoing weights have the stereographic coordinates `inner`, shape
    ``(..., L - 2, w, w - 1)``, and `last`, shape ``(..., w, n_L - 1)``; `offset`, shape ``(..., n_L)``, is the bias of the
    output.

    Raises
    ------
    ValueError
        The shapes do not fit, or a root is not positive.
    """
    if roots.ndim < 2 or first.ndim < 2 or roots.shape[-1] != first.shape[-2]:
        raise ValueError(f"roots must have one for each neuron of L - 1 layers, got {roots.shape} for first {first.shape}")
    if inner.ndim < 3 or inner.shape[-3] != roots.shape[-2] - 1:
        raise ValueError(f"inner must have {roots.shape[-2] - 1} layers of directions, L - 2, got the shape {inner.shape}")
    if not (compare(roots, 0) > 0).all():
        raise ValueError("roots must be positive: a neuron pays ((S + q^2) / (2q))^2")
    weights, biases = [first], []
    for layer in range(roots.shape[-2]):
        q, square = roots[..., layer, :], squares(weights[-1])
        biases.append((square - q * q) / (2 * q))
        directions = inner[..., layer, :, :] if layer < inner.shape[-3] else last
        outgoing = vectors_of_length((square + q * q) / (2 * q), directions)
        weights.append(outgoing.swapaxes(-1, -2))
    return FullyConnected(weights, [*biases, offset], leaky_relu(slope))


@widened
def reflected_chain(first: Array, scale: Array, mirrors: Array, last: Array, offset: Array, slope: Array) -> FullyConnected:
    """Balanced network whose neurons all pay `scale` squared, with digits that grow linearly with the depth.

    The weights and the bias of a neuron of the first layer are `scale` times a unit vector with the stereographic coordinates
    `first`, shape ``(..., w, n_0)``; the layers between are `scale` times reflections with the normals `mirrors`, shape
    ``(..., L - 2, w)``, and without biases; the outgoing weights have directions with the coordinates `last`, shape
    ``(..., w, n_L - 1)``. `offset`, shape ``(..., n_L)``, is the bias of the output.
    """
    lengths = scale[..., None] + 0 * first[..., 0]
    entering = vectors_of_length(lengths, first)
    weights, biases = [entering[..., :-1]], [entering[..., -1]]
    for layer in range(mirrors.shape[-2]):
        weights.append(scale[..., None, None] * _reflection(mirrors[..., layer, :]))
        biases.append(0 * biases[0])
    weights.append(vectors_of_length(lengths, last).swapaxes(-1, -2))
    return FullyConnected(weights, [*biases, offset], leaky_relu(slope))


def _reflection(normal: Array) -> Array:
    """The reflection along a vector; a zero one does not reflect."""
    square = squares(normal)
    scaled = normal / np.where(compare(square, 0) == 0, 1, square)[..., None]
    return np.asarray(np.eye(normal.shape[-1], dtype=np.int64) - 2 * scaled[..., :, None] * normal[..., None, :])


@widened
def balanced_at_depth(
    depth: int,
    first: Array,
    roots: Array,
    inner: Array,
    scale: Array,
    mirrors: Array,
    last: Array,
    offset: Array,
    slope: Array,
) -> FullyConnected:
    """`balanced_network` up to depth 4, where its digits are few, and `reflected_chain` beyond."""
    if depth <= 4:
        return balanced_network(first, roots, inner, last, offset, slope)
    return reflected_chain(first, scale, mirrors, last, offset, slope)


BALANCED = derived(
    lifted(balanced_at_depth),  # of batches and of one instance
    first=reals("width", "inputs"),
    roots=interval(0.25, 4, lambda sizes: sizes["depth"] - 1, "width"),
    inner=reals(lambda sizes: sizes["depth"] - 2, "width", lambda sizes: sizes["width"] - 1),
    scale=interval(0.5, 2),
    mirrors=reals(lambda sizes: sizes["depth"] - 2, "width"),
    last=reals("width", lambda sizes: sizes["outputs"] - 1),
    offset=reals("outputs"),
    slope=slopes(-2, 2),
    role="network",
)
"""Balanced networks of every depth from 2 on."""


@widened
def partly_identity(network: FullyConnected, kind: Array, scale: Array) -> FullyConnected:
    """The network (kind 0), with twice the weights into its first hidden layer and half of those out of it (1), or `scale`
    times the identity on as many coordinates as every layer has (2).
    """
    identity, doubled = kind * (kind - 1) / 2, kind * (2 - kind)
    free, common = 1 - identity, min(network.widths)
    weights, biases = [], []
    for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        change = 1 + doubled if layer == 0 else 1 / (1 + doubled) if layer == 1 else 1 + 0 * doubled
        ones = np.eye(*weight.shape[-2:], dtype=np.int64) * (np.arange(weight.shape[-1]) < common)
        weights.append((free * change)[..., None, None] * weight + (identity * scale)[..., None, None] * ones)
        biases.append((free * (1 + doubled if layer == 0 else 1 + 0 * doubled))[..., None] * bias)
    return FullyConnected(weights, biases, network.activation)


@widened
def small_depths(sizes: Sizes) -> bool:
    """Depths beyond 6 for narrow networks only."""
    return sizes["depth"] <= 6 or sizes["width"] + sizes["inputs"] + sizes["outputs"] <= 4
