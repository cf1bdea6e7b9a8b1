r"""The singular values of a circular convolution are those of its frequency blocks.

Statement
    For a real filter k on n x n images, the discrete Fourier transform block-diagonalises the dense matrix W of the
    convolution. With :math:`K^{(\omega)} = \sum_jk[j]e^{-2\pi i\omega\cdot j/n}`, an (out x in) matrix for each of the
    :math:`n^2` frequencies,

    .. math:: \{s_i(W)\} = \bigcup_\omega\{s_i(K^{(\omega)})\}, \quad s_i(K^{(\omega)}) = s_i(K^{(-\omega)}), \quad
              \|W\|_F^2 = n^2\|k\|^2 = \sum_\omega\|K^{(\omega)}\|_F^2, \quad
              \|W\|_{op} = \max_\omega\|K^{(\omega)}\|_{op} .
Checked
    The sorted lists of singular values, with their multiplicities, of the dense matrix and of all blocks. The identities of the
    norms (``.norm``), the pairs of opposite frequencies (``.pairs``), and the operator norm (``.operator_norm``). On rationals
    (n = 1, 2, 4, whose roots of unity are Gaussian integers) equality is decided by the traces of the powers of
    :math:`W^TW`, which determine the singular values.
Proof idea
    The Fourier transform is a multiple of a unitary matrix. A convolution multiplies each frequency by its block. The blocks of
    a real filter at opposite frequencies are conjugate.
Source
    symmetry_learning, the section on convolutional networks (the figure shows singular values by frequency).
"""

from __future__ import annotations

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


def dense_singular_values_twice(kernel: Array) -> Array:
    """Singular values of the dense matrix, each twice, as the real form of the blocks has them."""
    return np.repeat(singular_values(convolution_matrix(kernel)), 2, axis=-1)


def spectra_agree(kernel: Array) -> Relation:
    """Singular values of the dense matrix against those of the blocks."""
    return eq(dense_singular_values_twice(kernel), block_singular_values(real_form(*frequency_blocks(kernel))), over=1)


def norm_of_filter(kernel: Array) -> Array:
    """Squared norm of a filter, shape ``(..., out, in, n, n) -> (...)``."""
    return np.asarray((kernel * kernel).sum(axis=(-4, -3, -2, -1)))


def norm_of_blocks(real: Array, imaginary: Array) -> Array:
    """Sum of the squared norms of blocks, shape ``(..., n, n, out, in) -> (...)``."""
    return norm_of_filter(real) + norm_of_filter(imaginary)


def norms_agree(kernel: Array) -> Relation:
    """The squared norm of the dense matrix, of the filter, and of the blocks."""
    dense = frobenius_norm_squared(convolution_matrix(kernel))
    of_filter = eq(dense, kernel.shape[-1] ** 2 * norm_of_filter(kernel), name="filter")
    return of_filter & eq(dense, norm_of_blocks(*frequency_blocks(kernel)), name="blocks")


def values_at_opposite(blocks: Array, rows: Array, columns: Array) -> Relation:
    """Singular values of all blocks, and of those at the given frequencies."""
    return eq(singular_values(blocks), singular_values(blocks[..., rows, :, :, :][..., :, columns, :, :]), over=3)


def opposite_frequencies_agree(kernel: Array) -> Relation:
    r"""Singular values at :math:`\omega` and :math:`-\omega`."""
    opposite = -np.arange(kernel.shape[-1]) % kernel.shape[-1]
    return values_at_opposite(real_form(*frequency_blocks(kernel)), opposite, opposite)


def operator_norms_agree(kernel: Array) -> Relation:
    """No singular value of the dense matrix exceeds the largest of the blocks, and it reaches that."""
    dense, blocks = operator_norm(convolution_matrix(kernel)), operator_norm(real_form(*frequency_blocks(kernel)))
    most = largest(largest(blocks))
    return le(dense, most, name="no larger") & le(most, dense, name="no smaller")


def power_traces(matrix: Array) -> Array:
    """Traces of the powers 1, 2, ... of A A^T or A^T A, whichever is smaller, as many as it has rows."""
    transpose = np.swapaxes(matrix, -1, -2)
    gram = matrix @ transpose if matrix.shape[-2] <= matrix.shape[-1] else transpose @ matrix
    traces, power = [], gram
    for _ in range(gram.shape[-1]):
        traces.append(np.trace(power, axis1=-2, axis2=-1))
        power = power @ gram
    return np.stack(traces, axis=-1)


def moments_on_rationals() -> Relation:
    """Traces of all powers of W^T W against those of the blocks, for integer filters with repeated and zero values."""
    rng = np.random.default_rng(1)
    relation = Relation(())
    for side, outputs, inputs in ((1, 2, 3), (2, 1, 1), (2, 2, 3), (2, 3, 2), (4, 1, 1)):
        for kernel in (rng.integers(-3, 4, (outputs, inputs, side, side)), np.ones((outputs, inputs, side, side), dtype=int)):
            exact = rationals(kernel[None])
            dense, blocks = convolution_matrix(exact), block_diagonal(real_form(*frequency_blocks(exact)))
            relation &= eq(2 * power_traces(dense), power_traces(blocks)[..., : min(dense.shape[-2:])], over=1)
    return relation


def norms_on_rationals() -> Relation:
    """The dense matrix has n^2 times the squared norm of the filter, for every n up to 6."""
    rng = np.random.default_rng(2)
    relation = Relation(())
    for side in range(1, 7):
        kernel = rationals(rng.integers(-4, 5, (1, 2, 3, side, side)))
        relation &= eq(frobenius_norm_squared(convolution_matrix(kernel)), side**2 * norm_of_filter(kernel))
    return relation


def constant_filter() -> dict[str, Array]:
    """The filter of ones: rank one, and all of its norm at frequency 0."""
    return {"kernel": rationals(np.ones((1, 1, 1, 2, 2), dtype=int))}


# False variants


def transform_of_rows_alone(kernel: Array) -> Relation:
    """A transform along rows would be enough: the frequency of the columns stays 0."""
    blocks = real_form(*frequency_blocks(kernel))
    rows = np.broadcast_to(blocks[..., :, :1, :, :], blocks.shape)
    return eq(dense_singular_values_twice(kernel), block_singular_values(rows), over=1)


def orthonormal_transform(kernel: Array) -> Relation:
    """The blocks of the orthonormal transform, smaller by the factor n, would have the singular values."""
    blocks = real_form(*frequency_blocks(kernel)) / kernel.shape[-1]
    return eq(dense_singular_values_twice(kernel), block_singular_values(blocks), over=1)


def n_times_the_filter(kernel: Array) -> Relation:
    """The dense matrix would have n times the squared norm of the filter."""
    return eq(frobenius_norm_squared(convolution_matrix(kernel)), kernel.shape[-1] * norm_of_filter(kernel))


def lower_half_of_frequencies(kernel: Array) -> Relation:
    """The lower half of the frequencies would have the whole norm."""
    real, imaginary = frequency_blocks(kernel)
    kept = max(1, kernel.shape[-1] // 2)
    found = norm_of_blocks(real[..., :kept, :, :], imaginary[..., :kept, :, :])
    return eq(frobenius_norm_squared(convolution_matrix(kernel)), found)


def one_axis_reversed(kernel: Array) -> Relation:
    """The frequency of the rows alone could change its sign."""
    frequencies = np.arange(kernel.shape[-1])
    return values_at_opposite(real_form(*frequency_blocks(kernel)), -frequencies % kernel.shape[-1], frequencies)


def reversed_about_one_half(kernel: Array) -> Relation:
    """The frequency of the rows would change to 1 minus itself."""
    side = kernel.shape[-1]
    frequencies = np.arange(side)
    return values_at_opposite(real_form(*frequency_blocks(kernel)), (1 - frequencies) % side, -frequencies % side)


def frequency_zero_suffices(kernel: Array) -> Relation:
    """The block of frequency 0 would have the operator norm."""
    blocks = operator_norm(real_form(*frequency_blocks(kernel)))
    return le(operator_norm(convolution_matrix(kernel)), blocks[..., 0, 0])


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
        "transform along one axis only": transform_of_rows_alone,
        "orthonormal transform": orthonormal_transform,
    },
    exact={"traces of all powers on rationals": moments_on_rationals},
    cost=4,
)

NORM = Claim(
    id="symmetry_learning.frequency_singular_values.norm",
    title="A convolution has n^2 times the squared norm of its filter, and that of its blocks",
    source=SOURCE,
    statement=norms_agree,
    domain=KERNELS,
    false_neighbours={
        "n times the norm of the filter": n_times_the_filter,
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
        "reversed about frequency 1/2": reversed_about_one_half,
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
    },
    cost=4,
)
