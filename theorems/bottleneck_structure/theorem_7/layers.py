r"""Theorem 7, second part: few layers have a large representation.

Statement
    For :math:`0 < p < 1`, at least (1 - p)L layers have

    .. math:: \|\alpha_{\ell-1}(x)\|^2 \le \frac1p\, \frac{c \max\{1, e^{c_1/k}\}}{k\, |Jf(x)|_+^{2/k}} .
Checked
    The j-th largest layer is at most that for every :math:`j \ge pL`, with the kernel without the share of the biases.
Proof idea
    The layers that exceed it would add up to more than the theorem allows.
Sharp
    Identities and p = 1; one layer near the identity, to first order; p = 1/L where the input is large.
Source
    bottleneck_structure, Theorem 16.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import descending, share
from theorems.bottleneck_structure.constructions.balanced import small_depths
from theorems.bottleneck_structure.constructions.points import jacobian_rank
from theorems.bottleneck_structure.theorem_7.statement import (
    FIRST_ORDER,
    HYPOTHESES,
    IDENTITIES,
    SIZES,
    VARIABLES,
    excess_per_dimension,
    log_mean_volume,
    one_layer_near_identity,
    squared_activations,
)
from verify import Claim, Domain, Relation, Source, Tight, derived, integers, interval, le
from verify.arithmetic import Array, compare, exp, maximum, rationals
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace


def times_what_divides(network: FullyConnected, x: Array) -> Array:
    """The squared representations in descending order, times L and what divides the right side, shape ``(..., L)``."""
    k = jacobian_rank(network, x)
    growth = maximum(excess_per_dimension(network, k), 0)
    factor = network.depth * k * exp(log_mean_volume(network, x, k) - growth)
    return np.asarray(factor[..., None] * descending(squared_activations(network, x)))


def few_large_layers(network: FullyConnected, x: Array, p: Array) -> Relation:
    """The j-th largest layer is at most 1/p times the bound over L for every j of at least pL."""
    counted = compare(np.arange(1, network.depth + 1), (p * network.depth)[..., None]) >= 0
    left = np.where(counted, p[..., None] * times_what_divides(network, x), 0)
    return le(left, ntk_trace(network, x, biases=False)[..., None], over=1)


# False variants


def one_layer_fewer(network: FullyConnected, x: Array, p: Array) -> Relation:
    """Fewer than pL - 1 layers."""
    counted = compare(np.arange(2, network.depth + 2), (p * network.depth)[..., None]) >= 0
    left = np.where(counted, p[..., None] * times_what_divides(network, x), 0)
    return le(left, ntk_trace(network, x, biases=False)[..., None], over=1)


def bound_without_the_share(network: FullyConnected, x: Array, p: Array) -> Relation:
    """The bound over L without 1/p."""
    counted = compare(np.arange(1, network.depth + 1), (p * network.depth)[..., None]) >= 0
    left = np.where(counted, times_what_divides(network, x), 0)
    return le(left, ntk_trace(network, x, biases=False)[..., None], over=1)


def large_input() -> dict[str, Any]:
    """Three layers that keep one coordinate of two, at a point with a large value in the other, and p = 1/3."""
    layer = rationals([[[1, 0], [0, 0]]])
    return {"network": FullyConnected([layer, layer, layer[:, :1]]), "x": rationals([[1, 2**24]]), "p": rationals(["1/3"])}


LAYERS = Claim(
    id="bottleneck_structure.theorem_7.layers",
    title="Few layers have a large representation",
    source=Source("bottleneck_structure", "Theorem 16"),
    statement=few_large_layers,
    cost=2,
    domain=Domain(
        VARIABLES | {"p": derived(share, layers=integers(1, 6), part=interval(-1, 1))}, SIZES, HYPOTHESES, small_depths
    ),
    needs=("balanced",),
    tight={
        **{name: Tight(partial(instance, p=rationals([1])), partly=True) for name, instance in IDENTITIES.items()},
        "a large input": Tight(large_input, 1e-12, "approached as all other layers are small", partly=True),
        "one layer near the identity": Tight(partial(one_layer_near_identity, p=rationals([1])), 1e-12, FIRST_ORDER),
    },
    false_neighbours={"fewer than pL - 1 layers": one_layer_fewer, "without 1/p": bound_without_the_share},
)
