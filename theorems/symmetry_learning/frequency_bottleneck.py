r"""Layers that keep a few frequencies: their norm, and how a ReLU lets them pass.

For a set F of frequencies with :math:`-F = F` the filter k of one channel with :math:`K^{(\omega)} = 1` on F and 0 elsewhere is
real, projects (k * k = k), and has :math:`\|k\|^2 = |F| / n^2`: two pairs of frequencies cost :math:`4/n^2` per layer.

A ReLU changes a signal that takes negative values and creates harmonics; the signal passes only with an offset, and an offset
is of frequency 0. Either the layers also keep frequency 0, at a cost of :math:`(|F| + 1) / n^2` (``.with_offset``: L layers are
the projection onto F and 0, with two biases), or each layer adds the offset again with its bias (``.new_offsets``).

Source: symmetry_learning, the figure of singular values by frequency; the costs are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

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


def filter_projects(frequencies: Array, power: int = 2, twice: bool = True) -> Relation:
    """Norm of the filter, and its matrix applied twice (once, and then doubled, in a false neighbour)."""
    kernel, side = filter_of(frequencies), frequencies.shape[-1]
    matrix, count = convolution_matrix(kernel), frequencies.sum(axis=(-2, -1))
    again = matrix @ matrix if twice else 2 * matrix
    return eq((kernel * kernel).sum(axis=(-4, -3, -2, -1)), count / side**power, scale=count) & eq(
        again, matrix, scale=0 * matrix + 1, over=2
    )


def with_zero(frequencies: Array, kept: int) -> Array:
    """F with frequency 0 in it (1), or without it (0)."""
    result = frequencies + 0
    result[..., 0, 0] = 0 * result[..., 0, 0] + kept
    return result


def equal_layers(kernel: Array, depth: int, biases: list[Array]) -> CircularCNN:
    """Network of equal filters, with a number for the bias of each layer."""
    return CircularCNN([kernel] * depth, [bias[..., None] for bias in biases])


def passes_with_offset(
    frequencies: Array, x: Array, layers: int = 3, fraction: int = 1, zero: int = 1, only_first: bool = False
) -> Relation:
    """Value and norm of the layers that keep F and 0, with an offset at the first and its opposite at the last."""
    kept = with_zero(frequencies, zero)
    kernel, side = filter_of(kept), x.shape[-1]
    offset = np.asarray(absolute(x).sum(axis=(-2, -1))) / fraction
    biases = [offset, *[0 * offset] * (layers - 2), 0 * offset if only_first else -offset]
    network = equal_layers(kernel, layers, biases)
    projection = CircularCNN([filter_of(with_zero(frequencies, 1))])(x[..., None, :, :])
    cost = layers * kept.sum(axis=(-2, -1)) / side**2 + 2 * offset**2
    size = np.asarray(absolute(x).sum(axis=(-2, -1)))[..., None, None, None]
    return eq(network(x[..., None, :, :]), projection, scale=layers * size, over=3) & eq(network.parameter_norm_squared, cost)


def passes_with_new_offsets(frequencies: Array, x: Array, layers: int = 3, every: bool = True, percent: int = 100) -> Relation:
    """Value and norm of the layers that keep F without 0, with an offset at every hidden layer."""
    kept = with_zero(frequencies, 0)
    kernel, side = filter_of(kept), x.shape[-1]
    offset = np.asarray(absolute(x).sum(axis=(-2, -1)))
    hidden = [offset, *[offset if every else 0 * offset] * (layers - 2)]
    network = equal_layers(kernel, layers, [*hidden, 0 * offset])
    projection = CircularCNN([kernel])(x[..., None, :, :])
    cost = layers * kept.sum(axis=(-2, -1)) / side**2 + (layers - 1) * offset**2
    size = np.asarray(absolute(x).sum(axis=(-2, -1)))[..., None, None, None]
    return eq(network(x[..., None, :, :]), projection, scale=layers * size, over=3) & eq(
        network.parameter_norm_squared, cost * percent / 100
    )


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


OURS = Source("symmetry_learning", "ours")
SIDES = {"side": (2, 4)}
SETS = derived(symmetric, frequencies=integers(0, 1, "side", "side"), whole=integers(0, 1))
SYMMETRIC = derived(with_opposite, frequencies=integers(0, 1, "side", "side"))

CLAIM = Claim(
    id="symmetry_learning.frequency_bottleneck",
    title="What a layer costs that keeps a few frequencies",
    source=OURS,
    status=Ours(),
    statement=filter_projects,
    domain=Domain({"frequencies": SETS}, SIDES, {"F = -F": is_symmetric}),
    needs=("F = -F",),
    tight={"two pairs": Tight(two_pairs)},
    false_neighbours={
        "|F|/n": partial(filter_projects, power=1),
        "twice the matrix": partial(filter_projects, twice=False),
    },
    exact={"harmonics of a cosine": harmonics_of_a_cosine},
)

OFFSET = Claim(
    id="symmetry_learning.frequency_bottleneck.with_offset",
    title="A signal passes ReLU layers that also keep frequency 0",
    source=OURS,
    status=Ours(),
    statement=passes_with_offset,
    domain=Domain({"frequencies": SYMMETRIC, "x": reals("side", "side")}, SIDES),
    tight={"two pairs": Tight(lambda: {**two_pairs(), "x": rationals(np.arange(-8, 8).reshape(1, 4, 4))})},
    false_neighbours={
        "a 64th of the offset": partial(passes_with_offset, fraction=64),
        "without frequency 0": partial(passes_with_offset, zero=0),
        "the offset not taken back": partial(passes_with_offset, only_first=True),
    },
)

NEW_OFFSETS = Claim(
    id="symmetry_learning.frequency_bottleneck.new_offsets",
    title="A signal passes ReLU layers that add an offset each",
    source=OURS,
    status=Ours(),
    statement=passes_with_new_offsets,
    domain=Domain({"frequencies": SYMMETRIC, "x": reals("side", "side")}, SIDES),
    tight={"two pairs": Tight(lambda: {**two_pairs(), "x": rationals(np.arange(-8, 8).reshape(1, 4, 4))})},
    false_neighbours={
        "an offset at the first layer only": partial(passes_with_new_offsets, every=False),
        "norm 1 percent larger": partial(passes_with_new_offsets, percent=101),
    },
)
