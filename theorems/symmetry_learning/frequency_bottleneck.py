r"""A layer that keeps a few frequencies costs their number per pixel, and a ReLU lets a signal pass with an offset.

Statement
    For a set F of frequencies with :math:`-F = F`, the filter k of one channel with :math:`K^{(\omega)} = 1` on F and 0
    elsewhere is real, projects (k * k = k), and has :math:`\|k\|^2 = |F| / n^2`. So two pairs of frequencies cost
    :math:`4/n^2` per layer.

    A ReLU changes a signal that takes negative values and creates harmonics. The signal passes only with an offset, and an
    offset is of frequency 0. Either the layers also keep frequency 0, at a cost of :math:`(|F| + 1) / n^2` each, and two biases
    are enough (``.with_offset``). Or each hidden layer adds the offset again with its bias (``.new_offsets``).
Checked
    Norm and projection of the filter for every set of frequencies on 2 x 2 and 4 x 4 pixels, where the filters are rational.
    Value and parameter norm of the ReLU networks, with the sum of the absolute values of the signal as offset. The harmonics
    of a cosine, in symbols.
Proof idea
    Parseval's identity. The projection of a signal is nowhere larger than the sum of its absolute values, so with the offset
    no hidden value is negative.
Not checked
    That no cheaper network lets the signal pass.
Source
    symmetry_learning, the figure of singular values by frequency; the costs are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.depths import GIVEN_DEPTH, Depth
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, reals
from verify.arithmetic import Array, absolute, compare, maximum, rationals
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


def filter_projects(frequencies: Array) -> Relation:
    """Norm of the filter, and its matrix applied twice."""
    kernel, side = filter_of(frequencies), frequencies.shape[-1]
    matrix, count = convolution_matrix(kernel), frequencies.sum(axis=(-2, -1))
    norm = eq((kernel * kernel).sum(axis=(-4, -3, -2, -1)), count / side**2, name="norm")
    return norm & eq(matrix @ matrix, matrix, over=2, name="projection")


def with_zero(frequencies: Array) -> Array:
    """F with frequency 0 in it."""
    result = frequencies + 0
    result[..., 0, 0] = 0 * result[..., 0, 0] + 1
    return result


def without_zero(frequencies: Array) -> Array:
    """F without frequency 0."""
    result = frequencies + 0
    result[..., 0, 0] = 0 * result[..., 0, 0]
    return result


def offset_of(x: Array) -> Array:
    """The sum of the absolute values of an image: no smaller than the values of any projection of it."""
    return np.asarray(absolute(x).sum(axis=(-2, -1)))


def relu_layers(frequencies: Array, biases: list[Array]) -> CircularCNN:
    """ReLU network of equal filters that keep `frequencies`, with a number for the bias of each layer."""
    return CircularCNN([filter_of(frequencies)] * len(biases), [bias[..., None] for bias in biases])


def projected(frequencies: Array, x: Array) -> Array:
    """What one linear layer keeps of `x`, shape ``(..., 1, n, n)``."""
    return CircularCNN([filter_of(frequencies)])(x[..., None, :, :])


def biases_at_the_ends(offset: Array, depth: int) -> list[Array]:
    """The offset in the first layer, its opposite in the last."""
    return [offset, *[0 * offset] * (depth - 2), -offset]


def passes_with_offset(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """Value and norm of the layers that keep F and 0, with an offset at the first and its opposite at the last."""
    kept, offset = with_zero(frequencies), offset_of(x)
    network = relu_layers(kept, biases_at_the_ends(offset, depth.depth))
    cost = depth.depth * kept.sum(axis=(-2, -1)) / x.shape[-1] ** 2 + 2 * offset**2
    value = eq(network(x[..., None, :, :]), projected(kept, x), over=3, name="value")
    return value & eq(network.parameter_norm_squared, cost, name="norm")


def passes_with_new_offsets(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """Value and norm of the layers that keep F without 0, with an offset at every hidden layer."""
    kept, offset = without_zero(frequencies), offset_of(x)
    network = relu_layers(kept, [*[offset] * (depth.depth - 1), 0 * offset])
    cost = depth.depth * kept.sum(axis=(-2, -1)) / x.shape[-1] ** 2 + (depth.depth - 1) * offset**2
    value = eq(network(x[..., None, :, :]), projected(kept, x), over=3, name="value")
    return value & eq(network.parameter_norm_squared, cost, name="norm")


def harmonics_of_a_cosine() -> Relation:
    r"""Fourier transform of the positive part of :math:`\cos(2\pi j/8)`: frequency 3 is not created, 0, 2 and 4 are."""
    import sympy as sp

    signal = [sp.Max(sp.cos(sp.pi * j / 4), 0) for j in range(8)]
    found = [sum(value * sp.cos(sp.pi * j * frequency / 4) for j, value in enumerate(signal)) for frequency in range(5)]
    wanted = [1 + sp.sqrt(2), 2, 1, 0, 1 - sp.sqrt(2)]
    return identically_zero(*(one - other for one, other in zip(found, wanted, strict=True)))


def two_pairs() -> dict[str, Any]:
    """The pairs of frequencies (1, 0) and (0, 1) on 4 x 4 pixels: the norm is 4/16."""
    frequencies = np.zeros((1, 4, 4), dtype=int)
    frequencies[0, [1, 3, 0, 0], [0, 0, 1, 3]] = 1
    return {"frequencies": rationals(frequencies)}


def signal_of_two_pairs(depth: int) -> dict[str, Any]:
    """An image with negative values, for layers that keep two pairs of frequencies."""
    return {**two_pairs(), "x": rationals(np.arange(-8, 8).reshape(1, 4, 4)), "depth": Depth(depth)}


# False variants


def norm_per_row(frequencies: Array) -> Relation:
    """The norm would be the number of frequencies divided by n."""
    kernel = filter_of(frequencies)
    return eq((kernel * kernel).sum(axis=(-4, -3, -2, -1)), frequencies.sum(axis=(-2, -1)) / frequencies.shape[-1])


def filter_doubles(frequencies: Array) -> Relation:
    """The matrix applied twice would be twice the matrix."""
    matrix = convolution_matrix(filter_of(frequencies))
    return eq(matrix @ matrix, 2 * matrix, over=2)


def small_offset(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """A 64th of the offset would be enough."""
    kept = with_zero(frequencies)
    network = relu_layers(kept, biases_at_the_ends(offset_of(x) / 64, depth.depth))
    return eq(network(x[..., None, :, :]), projected(kept, x), over=3)


def frequency_zero_is_lost(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """The layers would not have to keep frequency 0."""
    kept = without_zero(frequencies)
    network = relu_layers(kept, biases_at_the_ends(offset_of(x), depth.depth))
    return eq(network(x[..., None, :, :]), projected(kept, x), over=3)


def offset_is_kept(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """The offset would not have to be taken back."""
    kept, offset = with_zero(frequencies), offset_of(x)
    network = relu_layers(kept, [offset, *[0 * offset] * (depth.depth - 1)])
    return eq(network(x[..., None, :, :]), projected(kept, x), over=3)


def offset_at_first_layer(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """An offset at the first layer would be enough where frequency 0 is not kept."""
    kept, offset = without_zero(frequencies), offset_of(x)
    network = relu_layers(kept, [offset, *[0 * offset] * (depth.depth - 1)])
    return eq(network(x[..., None, :, :]), projected(kept, x), over=3)


def offsets_at_all_layers_are_free(frequencies: Array, x: Array, depth: Depth) -> Relation:
    """The biases would cost as much as those of one layer."""
    kept, offset = without_zero(frequencies), offset_of(x)
    network = relu_layers(kept, [*[offset] * (depth.depth - 1), 0 * offset])
    cost = depth.depth * kept.sum(axis=(-2, -1)) / x.shape[-1] ** 2 + offset**2
    return eq(network.parameter_norm_squared, cost)


OURS = Source("symmetry_learning", "ours")
SIDES = {"side": (2, 4)}
SIGNALS = Domain(
    {
        "frequencies": derived(with_opposite, frequencies=integers(0, 1, "side", "side")),
        "x": reals("side", "side"),
        "depth": GIVEN_DEPTH,
    },
    {**SIDES, "depth": (2, 3, 4, 6)},
)

CLAIM = Claim(
    id="symmetry_learning.frequency_bottleneck",
    title="A layer that keeps a few frequencies costs their number per pixel",
    source=OURS,
    status=Ours(),
    statement=filter_projects,
    domain=Domain(
        {"frequencies": derived(symmetric, frequencies=integers(0, 1, "side", "side"), whole=integers(0, 1))},
        SIDES,
        {"F = -F": is_symmetric},
    ),
    needs=("F = -F",),
    tight={"two pairs": Tight(two_pairs)},
    false_neighbours={"|F|/n": norm_per_row, "twice the matrix": filter_doubles},
    exact={"harmonics of a cosine": harmonics_of_a_cosine},
)

OFFSET = Claim(
    id="symmetry_learning.frequency_bottleneck.with_offset",
    title="A signal passes ReLU layers that also keep frequency 0",
    source=OURS,
    status=Ours(),
    statement=passes_with_offset,
    domain=SIGNALS,
    tight={"two pairs": Tight(partial(signal_of_two_pairs, 13))},
    false_neighbours={
        "a 64th of the offset": small_offset,
        "without frequency 0": frequency_zero_is_lost,
        "the offset not taken back": offset_is_kept,
    },
)

NEW_OFFSETS = Claim(
    id="symmetry_learning.frequency_bottleneck.new_offsets",
    title="A signal passes ReLU layers that add an offset each",
    source=OURS,
    status=Ours(),
    statement=passes_with_new_offsets,
    domain=SIGNALS,
    tight={"two pairs": Tight(partial(signal_of_two_pairs, 13))},
    false_neighbours={
        "an offset at the first layer only": offset_at_first_layer,
        "the biases of one layer": offsets_at_all_layers_are_free,
    },
)
