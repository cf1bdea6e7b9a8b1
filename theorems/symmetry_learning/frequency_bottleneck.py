r"""Layers that keep a few frequencies: their cost, and the ReLU.

Statement
    The slide shows deep convolutional networks whose layers keep two pairs of frequencies. For a set F of frequencies with
    :math:`-F = F` the filter k of one channel with :math:`K^{(\omega)} = 1` on F and 0 elsewhere is real, projects (k * k = k),
    and has :math:`\|k\|^2 = |F| / n^2`: two pairs cost :math:`4/n^2` per layer. A signal passes ReLU layers that also keep
    frequency 0, at a cost of :math:`(|F| + 1) / n^2` each, with two biases; or layers without it that add an offset each.
Checked
    The filter and its norm; the values and the norm of the layers, for both ways, with the offset
    :math:`c = \sum_i |x_i|`. A ReLU creates harmonics.
Proof idea
    A ReLU changes a signal that takes negative values. The signal passes only with an offset, which is of frequency 0.
Source
    symmetry_learning, the figure of singular values by frequency; the costs are derived here.
"""

import numpy as np

from theorems.symmetry_learning.constructions.convolutions import convolution_matrix, frequency_blocks, network, opposite
from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, reals
from verify.numbers.symbolic import identically_zero
from verify.words import absolute, eq, maximum, norm2, vector, where


def with_opposite(F):
    """The union of F and -F; a set is an array of zeros and ones."""
    return maximum(F, opposite(F))


def symmetric(F, whole):
    """The union of F and -F where `whole` is 1, else F."""
    return where(whole == 1, with_opposite(F), F)


def with_zero(F, kept=1):
    """F with frequency 0 in it, or without it."""
    return where(np.arange(F.size).reshape(F.shape) == 0, kept, F)


def drawn_signal(F, x, special):
    """The union of F and -F, and x; where `special` is 1, all frequencies, and of x one pixel alone."""
    alone = where(np.arange(x.size).reshape(x.shape) == 0, x, 0)
    return where(special == 1, 1, with_opposite(F)), where(special == 1, alone, x)


def filter_of(F):
    """The real part of the filter that keeps a set of frequencies."""
    real, _ = frequency_blocks(F[None, None])
    return real.reshape(1, 1, *F.shape) / F.size


def layers(F, biases):
    """Equal layers that keep F, each with a number for its bias."""
    return network([filter_of(F)] * len(biases), [vector(b) for b in biases])


def projection(F, x):
    return network([filter_of(F)])(x[None])


def filter_projects(F, n, axes=2, factor=1):
    k = filter_of(F)
    W = convolution_matrix(k)
    return eq(n**axes * norm2(k), F.sum(), name="norm") & eq(W @ W, factor * W, name="projection")


def passes_with_offset(signal, n, L, share=1):
    F, x = signal
    F, c = with_zero(F), share * absolute(x).sum()
    f = layers(F, [c, *[0 * c] * (L - 2), -c])
    R = L * F.sum() / n**2 + 2 * c**2
    return eq(f(x[None]), projection(F, x), name="values", beside=c) & eq(f.parameter_norm_squared, R, name="norm")


def without_frequency_zero(signal, L):
    F, x = signal
    F, c = with_zero(F, 0), absolute(x).sum()
    return eq(layers(F, [c, *[0 * c] * (L - 1)])(x[None]), projection(F, x))


def offset_not_taken_back(signal, L):
    F, x = signal
    F, c = with_zero(F), absolute(x).sum()
    return eq(layers(F, [c, *[0 * c] * (L - 1)])(x[None]), projection(F, x))


def passes_with_new_offsets(signal, n, L, last=0, share=1):
    F, x = signal
    F, c = with_zero(F, 0), share * absolute(x).sum()
    f = layers(F, [*[c] * (L - 1), 0 * c])
    R = L * F.sum() / n**2 + (L - 1 + last) * c**2
    return eq(f(x[None]), projection(F, x), name="values", beside=c) & eq(f.parameter_norm_squared, R, name="norm")


def harmonics_of_a_cosine():
    """The positive part of a cosine of frequency 1 on 8 pixels: frequency 3 is not created, 0, 2 and 4 are."""
    import sympy as sp

    signal = [sp.Max(sp.cos(sp.pi * j / 4), 0) for j in range(8)]
    found = [sum(value * sp.cos(sp.pi * j * omega / 4) for j, value in enumerate(signal)) for omega in range(5)]
    wanted = [1 + sp.sqrt(2), 2, 1, 0, 1 - sp.sqrt(2)]
    return identically_zero(*(one - other for one, other in zip(found, wanted, strict=True)))


OURS = Source("symmetry_learning", "derived here")
SIDES = {"n": (2, 4)}
SETS = integers(0, 1, "n", "n")
SIGNALS = Domain(
    {"signal": derived(drawn_signal, F=SETS, x=reals("n", "n"), special=integers(0, 1))}, {**SIDES, "L": (2, 3, 6)}
)
SYMMETRIC = "F = -F"

CLAIM = Claim(
    id="symmetry_learning.frequency_bottleneck",
    title="A layer that keeps a set F of frequencies costs |F| per pixel",
    source=OURS,
    status=DerivedHere(),
    statement=filter_projects,
    domain=Domain(
        {"F": derived(symmetric, F=SETS, whole=integers(0, 1))}, SIDES, {SYMMETRIC: lambda F: (opposite(F) == F).all()}
    ),
    needs=(SYMMETRIC,),
    false_variants={"|F|/n": {"axes": 1}, "twice the matrix": {"factor": 2}},
    exact={"harmonics of a cosine": harmonics_of_a_cosine},
)

OFFSET = Claim(
    id="symmetry_learning.frequency_bottleneck.with_offset",
    title="A signal passes ReLU layers that also keep frequency 0",
    source=OURS,
    status=DerivedHere(),
    statement=passes_with_offset,
    domain=SIGNALS,
    false_variants={
        "a 64th of the offset": {"share": Q(1, 64)},
        "99 % of the offset": {"share": Q(99, 100)},
        "without frequency 0": without_frequency_zero,
        "the offset not taken back": offset_not_taken_back,
    },
)

NEW_OFFSETS = Claim(
    id="symmetry_learning.frequency_bottleneck.new_offsets",
    title="A signal passes ReLU layers that add an offset each",
    source=OURS,
    status=DerivedHere(),
    statement=passes_with_new_offsets,
    domain=SIGNALS,
    false_variants={
        "an offset at the first layer only": without_frequency_zero,
        "an offset at the last layer, too": {"last": 1},
        "7/8 of the offset": {"share": Q(7, 8)},
    },
)
