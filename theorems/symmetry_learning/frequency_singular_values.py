r"""Singular values of a circular convolution, by frequency.

Statement
    For a real filter k on images of :math:`n^2` pixels, the discrete Fourier transform block-diagonalises the dense matrix W of
    the convolution: with :math:`K^{(\omega)} = \sum_jk[j]e^{-2\pi i\omega\cdot j/n}`, an (out x in) matrix for each of the
    :math:`n^2` frequencies,

    .. math:: \{s_i(W)\} = \bigcup_\omega\{s_i(K^{(\omega)})\}, \quad s_i(K^{(\omega)}) = s_i(K^{(-\omega)}), \quad
              \|W\|_F^2 = n^2\|k\|^2 = \sum_\omega\|K^{(\omega)}\|_F^2, \quad \|W\|_{op} = \max_\omega\|K^{(\omega)}\|_{op} .
Checked
    The power sums of the squared singular values, of the dense matrix and of all blocks: as many as there are values, so they
    determine the values with their multiplicities. They are rational for n = 1, 2 and 4, whose roots of unity are Gaussian
    integers, so equality is decided there. The norm identities (``.norm``). The pairing (``.pairs``), through power sums as
    well. The operator norm (``.operator_norm``).
Proof idea
    The transform is a multiple of a unitary matrix.
Tight
    The filter of ones, for the operator norm.
Source
    symmetry_learning, the section on convolutional networks (the figure shows singular values by frequency).
"""

from itertools import accumulate
from operator import matmul

import numpy as np

from theorems.symmetry_learning.constructions.convolutions import convolution_matrix, frequency_blocks, real_form
from verify import Claim, Domain, Source, reals
from verify.numbers.arithmetic import rationals
from verify.words import eq, eye, greatest, le, least, norm2, operator_norm, stack


def blocks(k):
    """All K as real matrices, which have every singular value twice, with the frequencies on the first two axes."""
    return real_form(*frequency_blocks(k))


def power_sums(A, count=None):
    """Sums of the powers 1, 2, ... of the squared singular values of each matrix, as many as there are or as are asked for."""
    A = A if A.shape[-2] <= A.shape[-1] else A.swapaxes(-1, -2)
    powers = accumulate([A @ A.swapaxes(-1, -2)] * (count or A.shape[-2]), matmul)
    return stack([(P * eye(P.shape[-1])).sum(axis=(-2, -1)) for P in powers])


def spectrum_is_that_of(k, K):
    W = convolution_matrix(k)
    return eq(2 * power_sums(W), power_sums(K, min(W.shape)).sum(axis=(1, 2)))


def spectra_agree(k):
    return spectrum_is_that_of(k, blocks(k))


def transform_along_one_axis(k, n):
    return spectrum_is_that_of(k, blocks(k)[:, n * [0]])


def orthonormal_transform(k, n):
    return spectrum_is_that_of(k, blocks(k) / n)


def norms_agree(k, n, axes=2):
    W, (real, imaginary) = convolution_matrix(k), frequency_blocks(k)
    return eq(norm2(W), n**axes * norm2(k), name="filter") & eq(norm2(W), norm2(real) + norm2(imaginary), name="blocks")


def lower_half_of_frequencies(k, n):
    kept = [part[:, : max(1, n // 2)] for part in frequency_blocks(k)]
    return eq(norm2(convolution_matrix(k)), norm2(kept))


def opposite_frequencies_agree(k, n, shift=0, column=-1):
    S, omega = power_sums(blocks(k)), np.arange(n)
    return eq(S, S[:, (shift - omega) % n][:, :, column * omega % n])


def operator_norms_agree(k):
    W, K = convolution_matrix(k), blocks(k)
    return le(operator_norm(W), greatest(operator_norm(K)))


def frequency_zero_suffices(k):
    return le(operator_norm(convolution_matrix(k)), operator_norm(blocks(k))[0, 0])


def smallest_of_the_rows(k):
    return le(operator_norm(convolution_matrix(k)), least(greatest(operator_norm(blocks(k)), axis=1)))


def norms_on_rationals():
    rng = np.random.default_rng(2)
    filters = [rationals(rng.integers(-4, 5, (2, 3, n, n))) for n in range(1, 7)]
    return eq([norm2(convolution_matrix(k)) for k in filters], [k.shape[-1] ** 2 * norm2(k) for k in filters])


KERNELS = {"k": reals("outputs", "inputs", "n", "n", role="filters")}
SIZES = {"n": range(1, 5), "outputs": range(1, 4), "inputs": range(1, 4)}
# enclosures of the singular values of large exact matrices cost more than they show
SMALL_EXACT = Domain(KERNELS, SIZES, sizes_where=lambda sizes: sum(sizes.values()) <= 7)
# few enough that every search draws all of them: on rationals only n = 4 tells opposite frequencies from others
FEW_SIZES = Domain(
    KERNELS,
    {"n": range(2, 5), "outputs": range(1, 3), "inputs": range(1, 3)},
    sizes_where=lambda sizes: sum(sizes.values()) <= 7,
)
SOURCE = Source("symmetry_learning", "Convolutional networks")

CLAIM = Claim(
    id="symmetry_learning.frequency_singular_values",
    title="The singular values of a convolution are those of its frequency blocks",
    source=SOURCE,
    statement=spectra_agree,
    domain=SMALL_EXACT,
    false_variants={
        "transform along one axis only": transform_along_one_axis,
        "orthonormal transform": orthonormal_transform,
    },
    cost=4,
)

NORM = Claim(
    id="symmetry_learning.frequency_singular_values.norm",
    title="A convolution's squared norm is its blocks', n^2 times its filter's",
    source=SOURCE,
    statement=norms_agree,
    domain=Domain(KERNELS, SIZES),
    false_variants={
        "n times the norm of the filter": {"axes": 1},
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
    false_variants={"only one axis reversed": {"column": 1}, "reversed about frequency 1/2": {"shift": 1}},
    cost=4,
)

OPERATOR = Claim(
    id="symmetry_learning.frequency_singular_values.operator_norm",
    title="The operator norm of a convolution is the largest of its blocks",
    source=SOURCE,
    statement=operator_norms_agree,
    domain=SMALL_EXACT,
    tight={"filter of ones": {"k": [[[[1, 1], [1, 1]]]]}},
    false_variants={"frequency 0 suffices": frequency_zero_suffices, "the smallest of the rows": smallest_of_the_rows},
    cost=4,
)
