r"""The singular values of a circular convolution are those of its frequency blocks.

Statement
    For a real filter k on n x n images, the discrete Fourier transform block-diagonalises the dense matrix W of the
    convolution: with :math:`K^{(\omega)} = \sum_jk[j]e^{-2\pi i\omega\cdot j/n}`, an (out x in) matrix for each of the n^2
    frequencies,

    .. math:: \{s_i(W)\} = \bigcup_\omega\{s_i(K^{(\omega)})\}, \quad s_i(K^{(\omega)}) = s_i(K^{(-\omega)}), \quad
              \|W\|_F^2 = n^2\|k\|^2 = \sum_\omega\|K^{(\omega)}\|_F^2, \quad \|W\|_{op} = \max_\omega\|K^{(\omega)}\|_{op} .
Checked
    The power sums of the squared singular values, of the dense matrix and of all blocks: as many as there are values, so they
    determine the values with their multiplicities. They are rational for n = 1, 2 and 4, whose roots of unity are Gaussian
    integers, so equality is decided there. The norm identities (``.norm``); the pairing (``.pairs``), through power sums as
    well; the operator norm (``.operator_norm``).
Proof idea
    The transform is a multiple of a unitary matrix.
Sharp
    The filter of ones, for the operator norm.
Source
    symmetry_learning, the section on convolutional networks (the figure shows singular values by frequency).
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Relation, Source, Tight, eq, le, reals
from verify.arithmetic import Array, is_exact, largest, rationals, smallest
from verify.matrices import frobenius_norm_squared, operator_norm
from verify.networks.circular import convolution_matrix, frequency_blocks, real_form


def block_diagonal(blocks: Array) -> Array:
    """All blocks of ``(..., n, n, r, c)`` along one diagonal, ``(..., n n r, n n c)``."""
    *batch, side, _, rows, columns = blocks.shape
    result = np.zeros((*batch, side * side * rows, side * side * columns), dtype=blocks.dtype)
    if is_exact(blocks):
        result = rationals(np.zeros(result.shape, dtype=int))
    for place, (x, y) in enumerate(np.ndindex(side, side)):
        result[..., place * rows : (place + 1) * rows, place * columns : (place + 1) * columns] = blocks[..., x, y, :, :]
    return result


def power_traces(matrix: Array) -> Array:
    """Sums of the powers 1, 2, ... of the squared singular values, as many as there are: they determine the values."""
    transpose = np.swapaxes(matrix, -1, -2)
    gram = matrix @ transpose if matrix.shape[-2] <= matrix.shape[-1] else transpose @ matrix
    traces, power = [], gram
    for _ in range(gram.shape[-1]):
        traces.append(np.trace(power, axis1=-2, axis2=-1))
        power = power @ gram
    return np.stack(traces, axis=-1)


def spectrum_is_that_of(kernel: Array, blocks: Array) -> Relation:
    """Power sums of the dense matrix, twice, and of real forms of blocks, which have every singular value twice."""
    dense = convolution_matrix(kernel)
    return eq(2 * power_traces(dense), power_traces(block_diagonal(blocks))[..., : min(dense.shape[-2:])], over=1)


def spectra_agree(kernel: Array) -> Relation:
    """The singular values of the dense matrix and those of the blocks, through their power sums."""
    return spectrum_is_that_of(kernel, real_form(*frequency_blocks(kernel)))


def squared_norm(kernel: Array) -> Array:
    """Sum of the squares of a filter."""
    return np.asarray((kernel * kernel).sum(axis=(-4, -3, -2, -1)))


def norms_agree(kernel: Array, power: int = 2) -> Relation:
    """The squared norm of the dense matrix, of the filter, and of the blocks."""
    dense = frobenius_norm_squared(convolution_matrix(kernel))
    real, imaginary = frequency_blocks(kernel)
    blocks = (real * real + imaginary * imaginary).sum(axis=(-4, -3, -2, -1))
    return eq(dense, kernel.shape[-1] ** power * squared_norm(kernel), name="filter") & eq(dense, blocks, name="blocks")


def at_other_frequencies(kernel: Array, rows: Array, columns: Array) -> Relation:
    """Power sums of the singular values of all blocks, and of those at the frequencies `rows` and `columns`."""
    blocks = real_form(*frequency_blocks(kernel))
    other = blocks[..., rows, :, :, :][..., :, columns, :, :]
    return eq(power_traces(blocks), power_traces(other), over=3)


def opposite_frequencies_agree(kernel: Array) -> Relation:
    r"""Singular values at :math:`\omega` and :math:`-\omega`."""
    opposite = -np.arange(kernel.shape[-1]) % kernel.shape[-1]
    return at_other_frequencies(kernel, opposite, opposite)


def operator_norms_agree(kernel: Array) -> Relation:
    """No singular value of the dense matrix exceeds the largest of the blocks."""
    norms = operator_norm(real_form(*frequency_blocks(kernel)))
    return le(operator_norm(convolution_matrix(kernel)), largest(largest(norms)))


def norms_on_rationals() -> Relation:
    """The dense matrix has n^2 times the squared norm of the filter, for every n up to 6."""
    rng = np.random.default_rng(2)
    relations = []
    for side in range(1, 7):
        kernel = rationals(rng.integers(-4, 5, (1, 2, 3, side, side)))
        filter_norm = (kernel * kernel).sum(axis=(-4, -3, -2, -1))
        relations.append(eq(frobenius_norm_squared(convolution_matrix(kernel)), side**2 * filter_norm))
    return _all(relations)


def _all(relations: list[Relation]) -> Relation:
    result = relations[0]
    for relation in relations[1:]:
        result &= relation
    return result


# False variants


def transform_along_one_axis(kernel: Array) -> Relation:
    """A transform along rows only: the frequency of the columns stays 0."""
    blocks = real_form(*frequency_blocks(kernel))
    return spectrum_is_that_of(kernel, np.broadcast_to(blocks[..., :, :1, :, :], blocks.shape))


def orthonormal_transform(kernel: Array) -> Relation:
    """The transform with the factor 1/n."""
    blocks = real_form(*frequency_blocks(kernel))
    return spectrum_is_that_of(kernel, blocks / kernel.shape[-1])


def norm_of_one_axis(kernel: Array) -> Relation:
    """The norm of the filter times n, not its square."""
    return norms_agree(kernel, power=1)


def lower_half_of_frequencies(kernel: Array) -> Relation:
    """The upper half of the frequencies left out."""
    kept = max(1, kernel.shape[-1] // 2)
    real, imaginary = (part[..., :kept, :, :] for part in frequency_blocks(kernel))
    blocks = (real * real + imaginary * imaginary).sum(axis=(-4, -3, -2, -1))
    return eq(frobenius_norm_squared(convolution_matrix(kernel)), blocks)


def one_axis_reversed(kernel: Array) -> Relation:
    """The frequency of the columns not reversed."""
    frequencies = np.arange(kernel.shape[-1])
    return at_other_frequencies(kernel, -frequencies % kernel.shape[-1], frequencies)


def reversed_about_a_half(kernel: Array) -> Relation:
    """The frequency of the rows reversed about 1/2."""
    frequencies = np.arange(kernel.shape[-1])
    return at_other_frequencies(kernel, (1 - frequencies) % kernel.shape[-1], -frequencies % kernel.shape[-1])


def frequency_zero_suffices(kernel: Array) -> Relation:
    """The norm of the block at frequency 0."""
    norms = operator_norm(real_form(*frequency_blocks(kernel)))
    return le(operator_norm(convolution_matrix(kernel)), norms[..., 0, 0])


def smallest_block(kernel: Array) -> Relation:
    """The smallest norm of the blocks of one row."""
    norms = operator_norm(real_form(*frequency_blocks(kernel)))
    return le(operator_norm(convolution_matrix(kernel)), smallest(largest(norms)))


def constant_filter() -> dict[str, Array]:
    """The filter of ones: rank one, and all of its norm at frequency 0."""
    return {"kernel": rationals(np.ones((1, 1, 1, 2, 2), dtype=int))}


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
    title="The singular values of a convolution are those of its frequency blocks",
    source=SOURCE,
    statement=spectra_agree,
    domain=SMALL_EXACT,
    false_neighbours={
        "transform along one axis only": transform_along_one_axis,
        "orthonormal transform": orthonormal_transform,
    },
    cost=4,
)

NORM = Claim(
    id="symmetry_learning.frequency_singular_values.norm",
    title="A convolution has the norm of its blocks, and that of its filter for each pixel",
    source=SOURCE,
    statement=norms_agree,
    domain=KERNELS,
    false_neighbours={
        "n times the norm of the filter": norm_of_one_axis,
        "the lower half of the frequencies": lower_half_of_frequencies,
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
        "only one axis reversed": one_axis_reversed,
        "reversed about frequency 1/2": reversed_about_a_half,
    },
    cost=4,
)

OPERATOR = Claim(
    id="symmetry_learning.frequency_singular_values.operator_norm",
    title="The operator norm of a convolution is the largest of its blocks",
    source=SOURCE,
    statement=operator_norms_agree,
    domain=SMALL_EXACT,
    tight={"filter of ones": Tight(constant_filter)},
    false_neighbours={
        "frequency 0 suffices": frequency_zero_suffices,
        "the smallest of the rows": smallest_block,
    },
    cost=4,
)
