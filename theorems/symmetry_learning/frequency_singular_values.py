r"""The singular values of a circular convolution are those of its frequency blocks.

For a real filter k on n x n images, the discrete Fourier transform block-diagonalises the dense matrix W of the convolution:
with :math:`K^{(\omega)} = \sum_jk[j]e^{-2\pi i\omega\cdot j/n}`, an (out x in) matrix for each of the n^2 frequencies,

.. math:: \{s_i(W)\} = \bigcup_\omega\{s_i(K^{(\omega)})\}, \quad s_i(K^{(\omega)}) = s_i(K^{(-\omega)}), \quad
          \|W\|_F^2 = n^2\|k\|^2 = \sum_\omega\|K^{(\omega)}\|_F^2, \quad \|W\|_{op} = \max_\omega\|K^{(\omega)}\|_{op} .

What is checked: the sorted lists of singular values, with their multiplicities, of the dense matrix and of all blocks; the
norm identities; the pairing. On rationals (n = 1, 2, 4, whose roots of unity are Gaussian integers) the same functions give
enclosures; equality itself is decided there by the traces of the powers of W^T W, which determine the singular values.

Source: symmetry_learning, the section on convolutional networks (the figure shows singular values by frequency).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from verify import Claim, Domain, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, is_exact, largest, rationals
from verify.matrices import frobenius_norm_squared, operator_norm, singular_values
from verify.networks.circular import convolution_matrix, frequency_blocks, real_form


def block_diagonal(blocks: Array) -> Array:
    """All blocks of ``(..., n, n, r, c)`` along one diagonal, ``(..., n n r, n n c)``."""
    *batch, side, _, rows, columns = blocks.shape
    result = rationals(np.zeros((*batch, side * side * rows, side * side * columns), dtype=int))
    for place, (x, y) in enumerate(np.ndindex(side, side)):
        result[..., place * rows : (place + 1) * rows, place * columns : (place + 1) * columns] = blocks[..., x, y, :, :]
    return result


def block_singular_values(blocks: Array) -> Array:
    """Singular values of all blocks together, descending, ``(..., n, n, r, c) -> (..., n n min(r, c))``."""
    if is_exact(blocks):
        # through one matrix, because balls that overlap cannot be sorted
        return singular_values(block_diagonal(blocks))
    values = singular_values(blocks)
    return -np.sort(-values.reshape(*values.shape[:-3], -1), axis=-1)


def spectra_agree(kernel: Array, *, one_axis: bool = False, orthonormal: bool = False) -> Relation:
    """Singular values of the dense matrix against those of the blocks, each twice for the real form of the blocks."""
    side = kernel.shape[-1]
    dense = np.repeat(singular_values(convolution_matrix(kernel)), 2, axis=-1)
    blocks = real_form(*frequency_blocks(kernel))
    if one_axis:
        # a transform along rows only: the frequency of the columns stays 0
        blocks = np.broadcast_to(blocks[..., :, :1, :, :], blocks.shape)
    found = block_singular_values(blocks / side if orthonormal else blocks)
    return eq(dense, found, scale=largest(dense)[..., None], over=1)


def norms_agree(kernel: Array, power: int = 2, *, half: bool = False) -> Relation:
    """The squared norm of the dense matrix, of the filter, and of the blocks."""
    side = kernel.shape[-1]
    filter_norm = (kernel * kernel).sum(axis=(-4, -3, -2, -1))
    dense = frobenius_norm_squared(convolution_matrix(kernel))
    real, imaginary = frequency_blocks(kernel)
    if half:
        kept = max(1, side // 2)
        real, imaginary = real[..., :kept, :, :], imaginary[..., :kept, :, :]
    blocks = (real * real + imaginary * imaginary).sum(axis=(-4, -3, -2, -1))
    return eq(dense, side**power * filter_norm, scale=dense) & eq(dense, blocks, scale=dense)


def opposite_frequencies_agree(kernel: Array, *, other_axis: int = -1, shift: int = 0) -> Relation:
    r"""Singular values at :math:`\omega` and :math:`-\omega`."""
    side = kernel.shape[-1]
    blocks = real_form(*frequency_blocks(kernel))
    frequencies = np.arange(side)
    opposite = blocks[..., (shift - frequencies) % side, :, :, :][..., :, (other_axis * frequencies) % side, :, :]
    left, right = singular_values(blocks), singular_values(opposite)
    return eq(left, right, scale=largest(largest(largest(left)))[..., None, None, None], over=3)


def operator_norms_agree(kernel: Array, *, only_zero: bool = False, percent: int = 100) -> Relation:
    """No singular value of the dense matrix exceeds the largest of the blocks."""
    blocks = real_form(*frequency_blocks(kernel))
    norms = operator_norm(blocks)
    bound = norms[..., 0, 0] if only_zero else largest(largest(norms))
    return le(operator_norm(convolution_matrix(kernel)), bound * percent / 100)


def moments_on_rationals() -> Relation:
    """Traces of all powers of W^T W against those of the blocks, for integer filters with repeated and zero values."""
    rng = np.random.default_rng(1)
    relations = []
    for side, outputs, inputs in ((1, 2, 3), (2, 1, 1), (2, 2, 3), (2, 3, 2), (4, 1, 1)):
        for kernel in (rng.integers(-3, 4, (outputs, inputs, side, side)), np.ones((outputs, inputs, side, side), dtype=int)):
            exact = rationals(kernel[None])
            dense, blocks = convolution_matrix(exact), block_diagonal(real_form(*frequency_blocks(exact)))
            relations.append(eq(2 * power_traces(dense), power_traces(blocks)[..., : min(dense.shape[-2:])], over=1))
    return _all(relations)


def norms_on_rationals() -> Relation:
    """The dense matrix has n^2 times the squared norm of the filter, for every n up to 6."""
    rng = np.random.default_rng(2)
    relations = []
    for side in range(1, 7):
        kernel = rationals(rng.integers(-4, 5, (1, 2, 3, side, side)))
        filter_norm = (kernel * kernel).sum(axis=(-4, -3, -2, -1))
        relations.append(eq(frobenius_norm_squared(convolution_matrix(kernel)), side**2 * filter_norm))
    return _all(relations)


def power_traces(matrix: Array) -> Array:
    """Traces of the powers 1, 2, ... of A A^T or A^T A, whichever is smaller, as many as it has rows."""
    transpose = np.swapaxes(matrix, -1, -2)
    gram = matrix @ transpose if matrix.shape[-2] <= matrix.shape[-1] else transpose @ matrix
    traces, power = [], gram
    for _ in range(gram.shape[-1]):
        traces.append(np.trace(power, axis1=-2, axis2=-1))
        power = power @ gram
    return np.stack(traces, axis=-1)


def _all(relations: list[Relation]) -> Relation:
    result = relations[0]
    for relation in relations[1:]:
        result &= relation
    return result


def constant_filter() -> dict[str, Array]:
    """The filter of ones: rank one, and all of its norm at frequency 0."""
    return {"kernel": rationals(np.ones((1, 1, 1, 2, 2)))}


KERNELS = Domain(
    {"kernel": reals("outputs", "inputs", "side", "side")},
    {"side": range(1, 5), "outputs": range(1, 4), "inputs": range(1, 4)},
)
# enclosures of the singular values of large exact matrices cost more than they show
SMALL_EXACT = Domain(KERNELS.variables, KERNELS.sizes, sizes_where=lambda sizes: sum(sizes.values()) <= 7)
# few enough that every search draws all of them: on rationals only side 4 tells opposite frequencies from others
FEW_SIZES = Domain(
    KERNELS.variables,
    {"side": range(2, 5), "outputs": range(1, 3), "inputs": range(1, 3)},
    sizes_where=lambda sizes: sum(sizes.values()) <= 7,
)
SOURCE = Source("symmetry_learning", "Convolutional networks")

CLAIM = Claim(
    id="symmetry_learning.frequency_singular_values",
    title="Singular values of a convolution, by frequency",
    source=SOURCE,
    statement=spectra_agree,
    domain=SMALL_EXACT,
    false_neighbours={
        "transform along one axis only": partial(spectra_agree, one_axis=True),
        "orthonormal transform": partial(spectra_agree, orthonormal=True),
    },
    exact={"traces of all powers on rationals": moments_on_rationals},
    cost=4,
)

NORM = Claim(
    id="symmetry_learning.frequency_singular_values.norm",
    title="Norm of a convolution, of its filter and of its blocks",
    source=SOURCE,
    statement=norms_agree,
    domain=KERNELS,
    false_neighbours={
        "n times the norm of the filter": partial(norms_agree, power=1),
        "the lower half of the frequencies": partial(norms_agree, half=True),
    },
    exact={"n^2 times the filter, n up to 6": norms_on_rationals},
)

PAIRS = Claim(
    id="symmetry_learning.frequency_singular_values.pairs",
    title="Opposite frequencies have equal singular values",
    source=SOURCE,
    statement=opposite_frequencies_agree,
    domain=FEW_SIZES,
    false_neighbours={
        "only one axis reversed": partial(opposite_frequencies_agree, other_axis=1),
        "reversed about frequency 1/2": partial(opposite_frequencies_agree, shift=1),
    },
    cost=4,
)

OPERATOR = Claim(
    id="symmetry_learning.frequency_singular_values.operator_norm",
    title="Operator norm of a convolution",
    source=SOURCE,
    statement=operator_norms_agree,
    domain=SMALL_EXACT,
    tight={"filter of ones": Tight(constant_filter)},
    false_neighbours={
        "frequency 0 suffices": partial(operator_norms_agree, only_zero=True),
        "1 % less": partial(operator_norms_agree, percent=99),
    },
    cost=4,
)
