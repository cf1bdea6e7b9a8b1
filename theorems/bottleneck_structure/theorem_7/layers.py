r"""Theorem 7, second part: few layers have a large representation.

Statement
    For :math:`0 < p < 1`, at least (1 - p)L layers have

    .. math:: \|\alpha_{\ell-1}(x)\|^2 \le \frac1p\, \frac{c \max\{1, e^{c_1/k}\}}{k\, |Jf(x)|_+^{2/k}} .
Checked
    The j-th largest layer is at most that for every :math:`j \ge pL`, with the kernel without the share of the biases, for
    activations with slopes in [-1, 1].
Proof idea
    The layers that exceed it would add up to more than the theorem allows.
Tight
    Identities and p = 1; one layer near the identity, to first order; p = 1/L where the input is large.
Source
    bottleneck_structure, Theorem 16.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import descending, share
from theorems.bottleneck_structure.constructions.balanced import small_depths
from theorems.bottleneck_structure.theorem_7.statement import (
    FIRST_ORDER,
    HYPOTHESES,
    IDENTITIES,
    SIZES,
    VARIABLES,
    excess_per_dimension,
    if_positive,
    kernel_trace,
    log_mean_volume,
    one_layer_near_identity,
    squared_activations,
)
from theorems.shared.activations import SLOPES
from verify import Claim, Domain, Q, Source, Tight, derived, integers, interval
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import exp, le, lifted, rank, where

sorted_down = lifted(descending)


def times_what_divides(f, x):
    """The squared representations in descending order, times L and what divides the right side."""
    k = rank(f.jacobian(x))
    factor = f.depth * k * exp(log_mean_volume(f, x, k) - if_positive(excess_per_dimension(f, k)))
    return factor * sorted_down(squared_activations(f, x))


def few_large_layers(f, x, p, fewer=0):
    """The j-th largest layer is at most 1/p times the bound over L for every j of at least pL."""
    counted = np.arange(1, f.depth + 1) + fewer >= p * f.depth
    return le(where(counted, p * times_what_divides(f, x), 0), kernel_trace(f, x, biases=False))


def from_a_thousandth_less(f, x, p):
    """For every j of at least pL - 1/1000."""
    counted = np.arange(1, f.depth + 1) + Q("1/1000") >= p * f.depth
    return le(where(counted, p * times_what_divides(f, x), 0), kernel_trace(f, x, biases=False))


def bound_without_the_share(f, x, p):
    counted = np.arange(1, f.depth + 1) >= p * f.depth
    return le(where(counted, times_what_divides(f, x), 0), kernel_trace(f, x, biases=False))


def large_input():
    """Three layers that keep one coordinate of two, at a point with a large value in the other, and p = 1/3."""
    layer = rationals([[1, 0], [0, 0]])
    return {"f": FullyConnected([layer, layer, layer[:1]]), "x": [1, 2**24], "p": "1/3"}


LAYERS = Claim(
    id="bottleneck_structure.theorem_7.layers",
    title="Few layers have a large representation",
    source=Source("bottleneck_structure", "Theorem 16"),
    statement=few_large_layers,
    cost=2,
    domain=Domain(
        VARIABLES
        | {
            "p": derived(
                lifted(share), layers=integers(1, 6, role="free"), part=interval(-1, 1, often=(Q(2047, 2048),), role="free")
            )
        },
        SIZES,
        HYPOTHESES,
        small_depths,
    ),
    needs=("balanced", SLOPES),
    tight={
        **{name: Tight(partial(instance, p=1), partly=True) for name, instance in IDENTITIES.items()},
        "a large input": Tight(large_input, 1e-12, "approached as all other layers are small", partly=True),
        "one layer near the identity": Tight(partial(one_layer_near_identity, p=1), 1e-12, FIRST_ORDER),
    },
    false_variants={
        "fewer than pL - 1 layers": {"fewer": 1},
        "from pL - 1/1000 on": from_a_thousandth_less,
        "without 1/p": bound_without_the_share,
    },
)
