r"""Theorem 7, sharper: the sum over the layers with powers of the average norm.

Statement
    For a balanced network of depth L with :math:`\mathrm{rank}\, Jf(x) = k \ge 1` and :math:`c_1 = \|\theta\|^2 - kL`,

    .. math:: k\, |Jf|_+^{2/k} \sum_\ell (\|\alpha_{\ell-1}\|^2 + 1) \Bigl(1 + \frac{c_1}{kL}\Bigr)^{-\ell}
              \le \mathrm{Tr}\,\Theta .
Checked
    The inequality with the share of the biases in the kernel.
Proof idea
    The steps of the proof of Theorem 7 without the last one, :math:`(1 + c_1/(kL))^\ell \le \max\{1, e^{c_1/k}\}`.
Sharp
    Identities; one layer; one scalar in every layer at the origin.
Source
    ours, after bottleneck_structure, Theorem 16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.balanced import small_depths
from theorems.bottleneck_structure.constructions.points import jacobian_rank
from theorems.bottleneck_structure.theorem_7.statement import (
    HYPOTHESES,
    IDENTITIES,
    SIZES,
    VARIABLES,
    log_mean_volume,
    squared_activations,
)
from verify import Claim, Domain, Ours, Relation, Source, Tight, le
from verify.arithmetic import Array, exp, rationals
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace


def weighted_sum(network: FullyConnected, x: Array, first: int) -> Array:
    r"""The left side, with the powers from `first` on."""
    k = jacobian_rank(network, x)
    inverse_average = k * network.depth / network.parameter_norm_squared
    terms = squared_activations(network, x) + 1
    powers = np.stack([inverse_average**exponent for exponent in range(first, first + network.depth)], axis=-1)
    return np.asarray(k * (terms * powers).sum(axis=-1) * exp(log_mean_volume(network, x, k)))


def sum_with_powers(network: FullyConnected, x: Array) -> Relation:
    """The sum with the powers of the average norm, against the whole kernel."""
    return le(weighted_sum(network, x, 1), ntk_trace(network, x))


# False variants


def one_power_less(network: FullyConnected, x: Array) -> Relation:
    """The powers from 0 on."""
    return le(weighted_sum(network, x, 0), ntk_trace(network, x))


def without_powers(network: FullyConnected, x: Array) -> Relation:
    """As if the norm were kL."""
    k = jacobian_rank(network, x)
    terms = squared_activations(network, x) + 1
    return le(k * terms.sum(axis=-1) * exp(log_mean_volume(network, x, k)), ntk_trace(network, x))


def one_layer_of_half() -> dict[str, Any]:
    """One layer of one weight 1/2."""
    return {"network": FullyConnected([rationals([[["1/2"]]])]), "x": rationals([[1]])}


def scalars_of_two() -> dict[str, Any]:
    """Three layers of one weight 2, at a point where its squares are those of the powers."""
    return {"network": FullyConnected([rationals([[[2]]])] * 3), "x": rationals([[5]])}


SHARPER = Claim(
    id="bottleneck_structure.theorem_7.sharper",
    title="The sum over the layers with powers of the average norm",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=sum_with_powers,
    cost=2,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES, small_depths),
    needs=("balanced",),
    tight={
        **{name: Tight(instance) for name, instance in IDENTITIES.items()},
        "one layer of 1/2": Tight(one_layer_of_half),
        "three layers of 2": Tight(scalars_of_two),
    },
    false_neighbours={"one power less": one_power_less, "no powers": without_powers},
)
