r"""Theorem 15, second part: fewer than pL layers are far from partial isometries.

Statement
    For :math:`0 < p < 1`, :math:`\|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2` exceeds :math:`B/(pL)` in fewer than pL
    layers, with :math:`B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+`.
Checked
    The j-th largest layer is at most :math:`B/(pL)` for every :math:`j \ge pL`, at the best frames, for p in [0, 1].
Proof idea
    The layers that exceed it would add up to more than B.
Sharp
    pL an integer, and B spread over that many layers.
Source
    bottleneck_structure, Theorem 15.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.arrays import descending, share
from theorems.bottleneck_structure.constructions.near_isometries import (
    around_identity,
    distances_to_isometries,
    excess_over_volume,
    one_short_side,
)
from theorems.bottleneck_structure.constructions.points import jacobian_rank
from theorems.bottleneck_structure.theorem_6.statement import DERIVATIVE, SIZES, SLOPES, few_combinations
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.networks import FullyConnected


def counted_from(p: Array, depth: int, first: Any = 0) -> npt.NDArray[np.bool_]:
    r"""For j = 1, ..., L, whether the j-th largest layer must be small: :math:`j + first \ge pL`."""
    return np.asarray(compare(np.arange(1, depth + 1) + first, (p * depth)[..., None]) >= 0)


def few_bad_layers(network: FullyConnected, x: Array, p: Array) -> Relation:
    """The counted layers times pL against B."""
    k = jacobian_rank(network, x)
    ordered = (p * network.depth)[..., None] * descending(distances_to_isometries(network, k))
    left = np.where(counted_from(p, network.depth), ordered, 0)
    return le(left, excess_over_volume(network, x, k)[..., None], over=1)


# False variants


def one_layer_fewer(network: FullyConnected, x: Array, p: Array) -> Relation:
    """Fewer than pL - 1 layers."""
    k = jacobian_rank(network, x)
    ordered = (p * network.depth)[..., None] * descending(distances_to_isometries(network, k))
    left = np.where(counted_from(p, network.depth, 1), ordered, 0)
    return le(left, excess_over_volume(network, x, k)[..., None], over=1)


def bound_without_the_share(network: FullyConnected, x: Array, p: Array) -> Relation:
    """B/L for B/(pL)."""
    k = jacobian_rank(network, x)
    ordered = network.depth * descending(distances_to_isometries(network, k))
    left = np.where(counted_from(p, network.depth), ordered, 0)
    return le(left, excess_over_volume(network, x, k)[..., None], over=1)


def equal_biases(layers: int) -> dict[str, Any]:
    """Identities of depth 4, of which so many have a bias of squared norm 1, and p for that number."""
    biases = [rationals([[int(place < layers), 0]]) for place in range(4)]
    network = FullyConnected([rationals([np.eye(2, dtype=int)])] * 4, biases)
    return {"network": network, "x": rationals([[1, 2]]), "p": rationals([layers]) / 4}


BAD_LAYERS = Claim(
    id="bottleneck_structure.theorem_6.bad_layers",
    title="Fewer than pL layers exceed B/(pL)",
    source=Source("bottleneck_structure", "Theorem 15"),
    statement=few_bad_layers,
    domain=Domain(
        {
            # identities with one bias make the bound on the number of layers sharp
            "network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 2), role="network"),
            "x": reals("inputs", role="point"),
            "p": derived(share, layers=integers(1, 6, role="free"), part=interval(-1, 1, role="free")),
        },
        SIZES,
        {**DERIVATIVE, **SLOPES},
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={"one short side": Tight(lambda: one_short_side(p=rationals(["1/2"])), partly=True)}
    | {f"{layers} of 4 layers with a bias": Tight(partial(equal_biases, layers), partly=True) for layers in (2, 3, 4)},
    false_variants={"fewer than pL - 1 layers": one_layer_fewer, "bound B/L": bound_without_the_share},
)
