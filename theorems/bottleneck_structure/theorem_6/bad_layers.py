r"""Theorem 15, second part: few layers are far from partial isometries.

Statement
    For :math:`0 < p < 1`, :math:`\|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2` exceeds :math:`B/(pL)` in fewer than pL
    layers, with :math:`B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+`.
Checked
    The j-th largest layer is at most :math:`B/(pL)` for every :math:`j \ge pL`, at the best frames, for p in [0, 1].
Proof idea
    The layers that exceed it would add up to more than B.
Tight
    pL an integer, and B spread over that many layers.
Source
    bottleneck_structure, Theorem 15.
"""

from functools import partial

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import descending, share
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.theorem_6.statement import (
    DERIVATIVE,
    POINT,
    SIZES,
    SLOPES,
    bound,
    distances,
    few_combinations,
    one_short_side,
)
from verify import Claim, Domain, Networks, Q, Source, Tight, derived, integers, interval
from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.words import eye, le, lifted, rank, where

sorted_down = lifted(descending)


def largest_first(f, x):
    return sorted_down(distances(f, rank(f.jacobian(x))))


def few_bad_layers(f, x, p):
    L = f.depth
    return le(where(np.arange(1, L + 1) >= p * L, p * L * largest_first(f, x), 0), bound(f, x))


def one_layer_fewer(f, x, p):
    """Fewer than pL - 1 layers exceed it."""
    L = f.depth
    return le(where(np.arange(2, L + 2) >= p * L, p * L * largest_first(f, x), 0), bound(f, x))


def bound_without_the_share(f, x, p):
    L = f.depth
    return le(where(np.arange(1, L + 1) >= p * L, L * largest_first(f, x), 0), bound(f, x))


def equal_biases(layers):
    """Identities of depth 4, of which so many have a bias of squared norm 1, and p for that number."""
    biases = [rationals([int(place < layers), 0]) for place in range(4)]
    return {"f": FullyConnected([rationals(eye(2))] * 4, biases), "x": [1, 2], "p": Q(layers, 4)}


BAD_LAYERS = Claim(
    id="bottleneck_structure.theorem_6.bad_layers",
    title="Fewer than pL layers exceed B/(pL)",
    source=Source("bottleneck_structure", "Theorem 15"),
    statement=few_bad_layers,
    domain=Domain(
        {
            # identities with one bias make the bound on the number of layers sharp
            "f": derived(lifted(around_identity), network=Networks(slope=(-2, 2)), kind=integers(0, 2), role="network"),
            "x": POINT,
            "p": derived(lifted(share), layers=integers(1, 6, role="free"), part=interval(-1, 1, role="free")),
        },
        SIZES,
        {**DERIVATIVE, **SLOPES},
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={"one short side": Tight(partial(one_short_side, p="1/2"), partly=True)}
    | {f"{layers} of 4 layers with a bias": Tight(partial(equal_biases, layers), partly=True) for layers in (2, 3, 4)},
    false_variants={"fewer than pL - 1 layers": one_layer_fewer, "bound B/L": bound_without_the_share},
)
