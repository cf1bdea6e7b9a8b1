r"""Theorem 15: the weight matrices are near partial isometries of rank k, in the sum over the layers.

Statement
    For a network of depth L with :math:`\mathrm{rank}\, Jf(x) = k` there are :math:`U_\ell, V_\ell` with k orthonormal
    columns such that

    .. math:: \sum_\ell \|W_\ell - U_\ell V_\ell^T\|_F^2 + \|b_\ell\|^2 \le B = \|\theta\|^2 - kL - 2\log|Jf(x)|_+ .
Checked
    The inequality at the best frames, where a layer costs
    :math:`\|W_\ell\|_F^2 + k - 2\sum_{i \le k} s_i(W_\ell) + \|b_\ell\|^2`: nothing existential is left. Every slope in [-1, 1]
    is allowed, the paper's (-1, 1) is not needed; slopes beyond break it.
Proof idea
    The bound says :math:`\log|Jf(x)|_+ \le \sum_\ell \sum_{i \le k} (s_i(W_\ell) - 1)`: the volume of the Jacobian is at most
    the product of those of the layers, and :math:`\log s \le s - 1`. Only the product formula of the Jacobian is used, so that
    the point need not be smooth. For k = 0 both sides are equal.
Sharp
    Layers whose k largest singular values are 1.
Source
    bottleneck_structure, Theorem 15.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from theorems.bottleneck_structure.constructions.near_isometries import (
    around_identity,
    distances_to_isometries,
    excess_over_volume,
    identities_with_biases,
    nearly_one,
    one_short_side,
)
from theorems.bottleneck_structure.constructions.points import has_nonzero_derivative, jacobian_rank, slope_between
from verify import Claim, Domain, Networks, Relation, Source, Tight, derived, integers, le, reals
from verify.arithmetic import Array
from verify.networks import FullyConnected


def weights_are_nearly_isometries(network: FullyConnected, x: Array, log_factor: int = 2) -> Relation:
    """Both sides of the theorem, with the best frames of every layer."""
    k = jacobian_rank(network, x)
    return le(distances_to_isometries(network, k).sum(axis=-1), excess_over_volume(network, x, k, log_factor))


# False variants


def without_the_volume(network: FullyConnected, x: Array) -> Relation:
    """The norm alone as the bound."""
    k = jacobian_rank(network, x)
    bound = network.parameter_norm_squared - k * network.depth
    return le(distances_to_isometries(network, k).sum(axis=-1), bound)


def with_one_more_dimension(network: FullyConnected, x: Array) -> Relation:
    """The norm compared with (k + 1)L."""
    k = jacobian_rank(network, x)
    return le(distances_to_isometries(network, k).sum(axis=-1), excess_over_volume(network, x, k) - network.depth)


def biases_are_free(network: FullyConnected, x: Array) -> Relation:
    """The biases on the left only."""
    k = jacobian_rank(network, x)
    biases = network.parameter_norm_squared - network.weight_norm_squared
    return le(distances_to_isometries(network, k).sum(axis=-1), excess_over_volume(network, x, k) - biases)


def few_combinations(sizes: Any) -> bool:
    """Depth 13 for narrow networks only."""
    return bool(sizes["depth"] < 13 or sizes["width"] * sizes["inputs"] * sizes["outputs"] <= 2)


SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": range(1, 4), "width": range(1, 5), "outputs": range(1, 4)}
SLOPES = {"the slope is between -1 and 1": partial(slope_between, -1, 1)}
DERIVATIVE = {"f has a derivative at x that is not zero": has_nonzero_derivative}

CLAIM = Claim(
    id="bottleneck_structure.theorem_6",
    title="Most weight matrices are nearly partial isometries of rank k",
    source=Source("bottleneck_structure", "Theorem 15"),
    statement=weights_are_nearly_isometries,
    domain=Domain(
        {
            "network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network"),
            "x": reals("inputs", role="point"),
        },
        SIZES,
        {**DERIVATIVE, **SLOPES},
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={
        "one short side": Tight(one_short_side),
        "identities with biases": Tight(identities_with_biases),
        "three coordinates, depth 6": Tight(partial(identities_with_biases, 6, 3)),
        "one coordinate, depth 13": Tight(partial(identities_with_biases, 13, 1)),
        "one short side, the other nearly 1": Tight(
            nearly_one, relative_slack=1e-12, why="log s is s - 1 to first order, up to 2^-42"
        ),
    },
    false_variants={
        "without the volume": without_the_volume,
        "k + 1 in B": with_one_more_dimension,
        "biases not in B": biases_are_free,
    },
)
