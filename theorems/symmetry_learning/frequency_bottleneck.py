r"""Layers that keep a few frequencies: what they cost, and how a ReLU lets them pass.

Statement
    The slide shows deep convolutional networks whose layers keep two pairs of frequencies. For a set F of frequencies with
    :math:`-F = F` the filter k of one channel with :math:`K^{(\omega)} = 1` on F and 0 elsewhere is real, projects (k * k = k),
    and has :math:`\|k\|^2 = |F| / n^2`: two pairs cost :math:`4/n^2` per layer. A signal passes ReLU layers that also keep
    frequency 0, at a cost of :math:`(|F| + 1) / n^2` each, with two biases; or layers without it that add an offset each.
Checked
    The filter and its norm; the values and the norm of the layers, for both ways. A ReLU creates harmonics.
Proof idea
    A ReLU changes a signal that takes negative values; the signal passes only with an offset, which is of frequency 0.
Source
    symmetry_learning, the figure of singular values by frequency; the costs are ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, derived, eq, integers, reals
from verify.arithmetic import Array, absolute, compare, maximum
from verify.networks.circular import CircularCNN, convolution_matrix, frequency_blocks
from verify.symbolic import identically_zero


def opposite(frequencies: Array) -> Array:
    r"""The set :math:`-F`, as `frequencies`: an array of zeros and ones, shape ``(..., n, n)``."""
    return np.roll(np.flip(frequencies, axis=(-2, -1)), (1, 1), axis=(-2, -1))


def filter_of(frequencies: Array) -> Array:
    """Real part of the filter that keeps a set of frequencies, shape ``(..., n, n) -> (..., 1, 1, n, n)``."""
    if frequencies.ndim < 2 or frequencies.shape[-1] != frequencies.shape[-2]:
        raise ValueError(f"frequencies must have the shape (..., n, n), got {frequencies.shape}")
    real, _ = frequency_blocks(frequencies[..., None, None, :, :])
    side = frequencies.shape[-1]
    return np.asarray(np.moveaxis(real, (-2, -1), (-4, -3)) / side**2)


def with_opposite(frequencies: Array) -> Array:
    """The union of F and -F."""
    return maximum(frequencies, opposite(frequencies))


def symmetric(frequencies: Array, whole: Array) -> Array:
    """The union of F and -F where `whole` is 1, else F."""
    return np.where(compare(whole, 1)[..., None, None] == 0, with_opposite(frequencies), frequencies)


def is_symmetric(frequencies: Array) -> npt.NDArray[np.bool_]:
    """Whether F = -F."""
    return np.asarray((compare(frequencies, opposite(frequencies)) == 0).all(axis=(-2, -1)))


Signal = tuple[Array, int]
"""An image, and a number of layers."""


def with_layers(x: Array, layers: int) -> Signal:
    """An image together with the number of layers that it passes."""
    return x, layers


def squared_norm(kernel: Array) -> Array:
    """Sum of the squares of a filter."""
    return np.asarray((kernel * kernel).sum(axis=(-4, -3, -2, -1)))


def filter_projects(frequencies: Array, power: int = 2) -> Relation:
    r"""Norm of the filter, :math:`|F| / n^2`, and its matrix applied twice."""
    kernel, side = filter_of(frequencies), frequencies.shape[-1]
    matrix = convolution_matrix(kernel)
    norm = eq(side**power * squared_norm(kernel), frequencies.sum(axis=(-2, -1)), name="norm")
    return norm & eq(matrix @ matrix, matrix, over=2, name="projection")


def with_zero(frequencies: Array, kept: int) -> Array:
    """F with frequency 0 in it (1), or without it (0)."""
    result = frequencies + 0
    result[..., 0, 0] = 0 * result[..., 0, 0] + kept
    return result


def equal_layers(kernel: Array, depth: int, biases: list[Array]) -> CircularCNN:
    """Network of equal filters, with a number for the bias of each layer."""
    return CircularCNN([kernel] * depth, [bias[..., None] for bias in biases])


def offset_of(x: Array) -> Array:
    """A bound on what is kept of `x`: the sum of its absolute values."""
    return np.asarray(absolute(x).sum(axis=(-2, -1)))


def kept_of(frequencies: Array, x: Array) -> Array:
    """The projection of an image onto the frequencies."""
    return CircularCNN([filter_of(frequencies)])(x[..., None, :, :])


def values_and_norm(network: CircularCNN, x: Array, offset: Array, expected: tuple[Array, Array]) -> Relation:
    """Value and squared norm of a network; the offset is added to both values, of which it is the size."""
    size = offset[..., None, None, None]
    value, norm = expected
    same = eq(network(x[..., None, :, :]) + size, value + size, over=3, name="values")
    return same & eq(network.parameter_norm_squared, norm, name="norm")


def passes_with_offset(frequencies: Array, signal: Signal) -> Relation:
    """Layers that keep F and 0, with an offset at the first and its opposite at the last."""
    x, layers = signal
    kept, offset = with_zero(frequencies, 1), offset_of(x)
    network = equal_layers(filter_of(kept), layers, [offset, *[0 * offset] * (layers - 2), -offset])
    norm = layers * kept.sum(axis=(-2, -1)) / x.shape[-1] ** 2 + 2 * offset**2
    return values_and_norm(network, x, offset, (kept_of(kept, x), norm))


def passes_with_new_offsets(frequencies: Array, signal: Signal) -> Relation:
    """Layers that keep F without 0, with an offset at every hidden layer."""
    x, layers = signal
    kept, offset = with_zero(frequencies, 0), offset_of(x)
    network = equal_layers(filter_of(kept), layers, [*[offset] * (layers - 1), 0 * offset])
    norm = layers * kept.sum(axis=(-2, -1)) / x.shape[-1] ** 2 + (layers - 1) * offset**2
    return values_and_norm(network, x, offset, (kept_of(kept, x), norm))


def harmonics_of_a_cosine() -> Relation:
    r"""Fourier transform of the positive part of :math:`\cos(2\pi j/8)`: frequency 3 is not created, 0, 2 and 4 are."""
    import sympy as sp

    signal = [sp.Max(sp.cos(sp.pi * j / 4), 0) for j in range(8)]
    found = [sum(value * sp.cos(sp.pi * j * frequency / 4) for j, value in enumerate(signal)) for frequency in range(5)]
    wanted = [1 + sp.sqrt(2), 2, 1, 0, 1 - sp.sqrt(2)]
    return identically_zero(*(one - other for one, other in zip(found, wanted, strict=True)))


# False variants


def norm_of_one_axis(frequencies: Array) -> Relation:
    """|F|/n."""
    return filter_projects(frequencies, power=1)


def doubled_by_another_layer(frequencies: Array) -> Relation:
    """As if the filter applied twice were the filter doubled."""
    matrix = convolution_matrix(filter_of(frequencies))
    return eq(matrix @ matrix, 2 * matrix, over=2)


def small_offset(frequencies: Array, signal: Signal) -> Relation:
    """A 64th of the offset."""
    x, layers = signal
    kept, offset = with_zero(frequencies, 1), offset_of(x) / 64
    network = equal_layers(filter_of(kept), layers, [offset, *[0 * offset] * (layers - 2), -offset])
    return eq(network(x[..., None, :, :]), kept_of(kept, x), over=3)


def without_frequency_zero(frequencies: Array, signal: Signal) -> Relation:
    """The offset once, in layers that do not keep it."""
    x, layers = signal
    kept, offset = with_zero(frequencies, 0), offset_of(x)
    network = equal_layers(filter_of(kept), layers, [offset, *[0 * offset] * (layers - 1)])
    return eq(network(x[..., None, :, :]), kept_of(kept, x), over=3)


def offset_not_taken_back(frequencies: Array, signal: Signal) -> Relation:
    """The offset at the first layer only."""
    x, layers = signal
    kept, offset = with_zero(frequencies, 1), offset_of(x)
    network = equal_layers(filter_of(kept), layers, [offset, *[0 * offset] * (layers - 1)])
    return eq(network(x[..., None, :, :]), kept_of(kept, x), over=3)


def norm_of_all_layers(frequencies: Array, signal: Signal) -> Relation:
    """An offset counted at the last layer, too."""
    x, layers = signal
    kept, offset = with_zero(frequencies, 0), offset_of(x)
    network = equal_layers(filter_of(kept), layers, [*[offset] * (layers - 1), 0 * offset])
    norm = layers * kept.sum(axis=(-2, -1)) / x.shape[-1] ** 2 + layers * offset**2
    return eq(network.parameter_norm_squared, norm)


OURS = Source("symmetry_learning", "ours")
SIDES = {"side": (2, 4)}
LAYERS = {**SIDES, "layers": (2, 3, 6)}
SETS = derived(symmetric, frequencies=integers(0, 1, "side", "side"), whole=integers(0, 1))
SYMMETRIC = derived(with_opposite, frequencies=integers(0, 1, "side", "side"))

CLAIM = Claim(
    id="symmetry_learning.frequency_bottleneck",
    title="A layer that keeps a set F of frequencies costs |F| per pixel",
    source=OURS,
    status=Ours(),
    statement=filter_projects,
    domain=Domain({"frequencies": SETS}, SIDES, {"F = -F": is_symmetric}),
    needs=("F = -F",),
    false_neighbours={
        "|F|/n": norm_of_one_axis,
        "twice the matrix": doubled_by_another_layer,
    },
    exact={"harmonics of a cosine": harmonics_of_a_cosine},
)

OFFSET = Claim(
    id="symmetry_learning.frequency_bottleneck.with_offset",
    title="A signal passes ReLU layers that also keep frequency 0",
    source=OURS,
    status=Ours(),
    statement=passes_with_offset,
    domain=Domain({"frequencies": SYMMETRIC, "signal": derived(with_layers, x=reals("side", "side"))}, LAYERS),
    false_neighbours={
        "a 64th of the offset": small_offset,
        "without frequency 0": without_frequency_zero,
        "the offset not taken back": offset_not_taken_back,
    },
)

NEW_OFFSETS = Claim(
    id="symmetry_learning.frequency_bottleneck.new_offsets",
    title="A signal passes ReLU layers that add an offset each",
    source=OURS,
    status=Ours(),
    statement=passes_with_new_offsets,
    domain=Domain({"frequencies": SYMMETRIC, "signal": derived(with_layers, x=reals("side", "side"))}, LAYERS),
    false_neighbours={
        "an offset at the first layer only": without_frequency_zero,
        "an offset at the last layer, too": norm_of_all_layers,
    },
)
