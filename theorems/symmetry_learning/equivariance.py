r"""Circular convolutional networks commute with shifts of the image.

Statement
    Circular convolutions with one bias per channel and a pointwise activation commute with all :math:`n^2` shifts:
    :math:`f(T_v x) = T_v f(x)`, with :math:`T_v x[i] = x[i - v]` and indices modulo n. A linear map of images commutes with all
    shifts if and only if it is a convolution.
Checked
    The equality for all shifts, in networks of two layers from one channel to one. For every matrix M, that the average of
    :math:`T_v^{-1} M T_v` over all v is the convolution whose filter is its first column. A matrix that commutes is its own
    average. The equality fails with a bias for each pixel, with zeros in place of the pixels beyond the border, and with a
    stride.
Proof idea
    Every step commutes. The average commutes, and its columns are shifts of the first.
Source
    symmetry_learning, the section on convolutional networks.
"""

import numpy as np

from theorems.symmetry_learning.constructions.convolutions import activation, convolution_matrix, network, shifted
from verify import Claim, Domain, Source, derived, reals, slopes
from verify.words import eq, eye, stack

DOWN = (1, 0)


def two_layers(k1, k2, b1, b2, slope):
    return network([k1, k2], [b1, b2], activation(slope))


def commutes_with_shifts(f, x, n):
    value, shifts = f(x), [*np.ndindex(n, n)]
    return eq(stack([f(shifted(x, v)) for v in shifts]), stack([shifted(value, v) for v in shifts]))


def a_pixel_further(f, x):
    return eq(f(x), shifted(f(x), DOWN))


def with_a_bias_at_a_pixel(f, x, n):
    bias = np.outer(eye(n)[0], eye(n)[0])
    return eq(f(shifted(x, DOWN)) + bias, shifted(f(x) + bias, DOWN))


def with_a_border(k, x):
    """A layer with zeros beyond the border, as far as a filter reaches to the right and down."""
    places = np.arange(x.shape[-1])
    return sum(
        k[:, 0, i, j, None, None] * np.outer(places >= i, places >= j) * shifted(x, (i, j)) for i, j in np.ndindex(x.shape[-2:])
    )


def with_zeros_beyond_the_border(f, x):
    k = f.kernels[0]
    return eq(with_a_border(k, shifted(x, DOWN)), shifted(with_a_border(k, x), DOWN))


def with_stride(f, x):
    return eq(f(shifted(x, DOWN))[:, ::2], shifted(f(x)[:, ::2], DOWN))


def average_over_shifts(M, n):
    """The average of the matrices that M becomes in shifted coordinates, for the axes (out, n, n, in, n, n)."""
    return sum(np.roll(M, (-i, -j, -i, -j), axis=(1, 2, 4, 5)) for i, j in np.ndindex(n, n)) / n**2


def is_the_convolution_of_a_column(M, n, column=0):
    k = np.moveaxis(M[..., 0, column % n], 3, 1)
    return eq(M.reshape(len(M) * n**2, -1), convolution_matrix(k))


def average_is_a_convolution(M, n, column=0):
    return is_the_convolution_of_a_column(average_over_shifts(M, n), n, column)


def average_of_one_shift(M, n):
    return is_the_convolution_of_a_column((M + np.roll(M, (-1, -1), axis=(1, 4))) / 2, n)


SOURCE = Source("symmetry_learning", "Convolutional networks")

CLAIM = Claim(
    id="symmetry_learning.equivariance",
    title="Circular convolutional networks commute with shifts",
    source=SOURCE,
    statement=commutes_with_shifts,
    domain=Domain(
        {
            "f": derived(
                two_layers,
                k1=reals("channels", 1, "n", "n"),
                k2=reals(1, "channels", "n", "n"),
                b1=reals("channels"),
                b2=reals(1),
                slope=slopes(-2, 2),
                role="circular network",
            ),
            "x": reals(1, "n", "n", role="image"),
        },
        {"n": range(2, 5), "channels": range(1, 4)},
    ),
    false_variants={
        "a pixel further": a_pixel_further,
        "a bias at one pixel": with_a_bias_at_a_pixel,
        "zeros beyond the border": with_zeros_beyond_the_border,
        "a stride of 2": with_stride,
    },
)

CIRCULANT = Claim(
    id="symmetry_learning.equivariance.circulant",
    title="Linear maps that commute with shifts are convolutions",
    source=SOURCE,
    statement=average_is_a_convolution,
    domain=Domain(
        {"M": reals("outputs", "n", "n", "inputs", "n", "n")}, {"n": range(1, 4), "outputs": range(1, 3), "inputs": range(1, 3)}
    ),
    false_variants={"the second column": {"column": 1}, "one shift": average_of_one_shift},
)
