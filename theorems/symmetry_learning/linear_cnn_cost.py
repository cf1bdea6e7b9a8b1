r"""The cost of a linear convolutional network, per pixel.

Statement
    For images of :math:`n^2` pixels, full-size filters and at least :math:`\max_\omega \mathrm{rank}\, K^{(\omega)}` channels,

    .. math:: \min\Bigl\{\sum_\ell \|k_\ell\|^2 : k_L * \cdots * k_1 = k\Bigr\}
              = \frac{L}{n^2} \sum_{\omega, i} s_i(K^{(\omega)})^{2/L} .
Checked
    The lower bound for every network, minimal or not, with as many channels in every layer. That it is attained, for filters
    whose blocks are powers: real blocks diag(r) on 2 x 2 pixels, and one channel on 4 x 4 pixels with complex blocks a + ib,
    conjugate at opposite frequencies.
Proof idea
    The dense matrices have :math:`n^2` times the squared norms of the filters, and the bound of linear networks in
    notion_of_rank holds for them. Factors of the blocks at every frequency that are conjugate at opposite frequencies give real
    filters.
Tight
    Layers that multiply an image by a number.
Not checked
    Filters smaller than the image, which only have the inequality.
Source
    symmetry_learning, the section on convolutional networks; the formula is derived here.
"""

from functools import partial, reduce
from operator import matmul

import numpy as np

from theorems.symmetry_learning.constructions.convolutions import convolution_matrix, frequency_blocks, network, opposite
from verify import Claim, DerivedHere, Domain, Source, derived, interval, reals
from verify.networks import identity
from verify.numbers.arithmetic import rationals
from verify.words import Q, eq, eye, le, norm2, schatten_power, stack


def linear(k):
    """The linear network with these filters, the first layer first."""
    return network([*k], activation=identity())


def dense_matrix(f):
    return reduce(matmul, [convolution_matrix(k) for k in f.kernels[::-1]])


def costs_at_least(f, n, p=2, axes=2):
    L, W = f.depth, dense_matrix(f)
    return le(L * schatten_power(W, Q(p, L)), n**axes * sum(norm2(k) for k in f.kernels))


def filter_with_real_blocks(r):
    """The filter on 2 x 2 pixels whose blocks are diagonal, with the rows of r."""
    waves, c = np.kron([[1, 1], [1, -1]], [[1, 1], [1, -1]]), r.shape[1]
    return ((waves @ r / 4).T[:, None] * eye(c)[:, :, None]).reshape(c, c, 2, 2)


def cost_is_attained(r, L, p=2, pixels=4):
    f, W = linear([filter_with_real_blocks(r)] * L), convolution_matrix(filter_with_real_blocks(r**L))
    cost = sum(norm2(k) for k in f.kernels)
    return eq(pixels * cost, L * (r**p).sum(), name="norm") & eq(dense_matrix(f), W, name="product")


def filter_with_complex_blocks(a, b):
    """The filter of one channel with the even part of a and the odd part of b in its blocks."""
    even, odd = (a + opposite(a)) / 2, (b - opposite(b)) / 2
    # of the transform of an even array the imaginary part is zero, of that of an odd one the real part
    real, imaginary = frequency_blocks(even[None, None])[0], frequency_blocks(odd[None, None])[1]
    return (real + imaginary).reshape(1, 1, *a.shape) / a.size


def complex_cost_is_attained(a, b, L, p=2, pixels=16):
    f = linear([filter_with_complex_blocks(a, b)] * L)
    return eq(pixels * sum(norm2(k) for k in f.kernels), L * schatten_power(dense_matrix(f), Q(p, L)))


def blocks_of_powers():
    """The filters from given blocks have these blocks."""
    r = rationals(np.arange(-4, 4).reshape(4, 2))
    real, imaginary = frequency_blocks(filter_with_real_blocks(r))
    return eq(real.reshape(4, 2, 2), r[:, :, None] * eye(2)) & eq(imaginary, 0)


def multiplying_layers(L, factor):
    return {"f": linear(stack([rationals([[[[factor, 0], [0, 0]]]])] * L)), "n": 2}


OURS = Source("symmetry_learning", "derived here")

CLAIM = Claim(
    id="symmetry_learning.linear_cnn_cost",
    title="A linear CNN costs at least the Schatten norm of its blocks, per pixel",
    source=OURS,
    status=DerivedHere(),
    statement=costs_at_least,
    domain=Domain(
        {"f": derived(linear, k=reals("depth", "channels", "channels", "n", "n"), role="linear circular network")},
        {"depth": (2, 3, 6), "channels": range(1, 3), "n": range(1, 4)},
    ),
    tight={
        "layers that change nothing": partial(multiplying_layers, 3, 1),
        "three layers that double": partial(multiplying_layers, 3, 2),
        "three layers that halve": partial(multiplying_layers, 3, "1/2"),
        "thirteen layers that halve": partial(multiplying_layers, 13, "1/2"),
    },
    false_variants={"not per pixel": {"axes": 0}, "exponent 1/L": {"p": 1}},
)

ATTAINED = Claim(
    id="symmetry_learning.linear_cnn_cost.attained",
    title="Filters whose blocks are powers attain the cost",
    source=OURS,
    status=DerivedHere(),
    statement=cost_is_attained,
    domain=Domain({"r": interval(-2, 2, 4, "channels")}, {"L": (1, 2, 3, 6), "channels": range(1, 4)}),
    false_variants={"the roots themselves": {"p": 1}, "not per pixel": {"pixels": 1}},
    exact={"blocks of powers": blocks_of_powers},
)

COMPLEX = Claim(
    id="symmetry_learning.linear_cnn_cost.complex_blocks",
    title="Filters whose complex blocks are powers attain the cost, too",
    source=OURS,
    status=DerivedHere(),
    statement=complex_cost_is_attained,
    domain=Domain({"a": interval(-2, 2, 4, 4), "b": interval(-2, 2, 4, 4)}, {"L": (1, 2, 3)}),
    false_variants={"not per pixel": {"pixels": 1}, "exponent 1/L": {"p": 1}},
    cost=4,
)
