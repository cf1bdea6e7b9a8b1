r"""Theorem 7: the kernel bounds the sum of the squared representations.

Statement
    For a balanced network of depth L with :math:`\mathrm{rank}\, Jf(x) = k \ge 1` and :math:`c_1 = \|\theta\|^2 - kL`,

    .. math:: k\, |Jf(x)|_+^{2/k}\, \sum_{\ell=1}^L \|\alpha_{\ell-1}(x)\|^2
              \le \max\{1, e^{c_1/k}\}\, \mathrm{Tr}\,\Theta(x, x) .
Correction
    The talk has :math:`e^{2c_1/k}` without the maximum, which is false for :math:`c_1 < 0`.
Checked
    With the kernel without the share of the biases, which is smaller, and divided by the exponential. The form of the talk is
    refuted with the whole kernel.
Proof idea
    See ``steps``. The paper notes that balancedness may be weakened; it cannot be dropped.
Sharp
    Identities at a non-negative point; one layer near the identity, to first order.
Source
    bottleneck_structure, Theorem 16; the form of the talk is in symmetry_learning, convergence of the representations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.constructions.balanced import BALANCED, is_balanced, partly_identity, small_depths
from theorems.bottleneck_structure.constructions.points import has_nonzero_derivative, jacobian_rank
from verify import Claim, Domain, FalseAsPrinted, Networks, Relation, Source, Tight, derived, integers, interval, le, reals
from verify.arithmetic import Array, exp, maximum, rationals
from verify.matrices import log_pseudo_determinant
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace


def excess_per_dimension(network: FullyConnected, k: Array) -> Array:
    r""":math:`c_1 / k`, batch-shaped."""
    return np.asarray(network.parameter_norm_squared / k - network.depth)


def log_mean_volume(network: FullyConnected, x: Array, k: Array) -> Array:
    r""":math:`\frac2k \log|Jf(x)|_+`, batch-shaped."""
    return np.asarray(2 * log_pseudo_determinant(network.jacobian(x)) / k)


def squared_activations(network: FullyConnected, x: Array) -> Array:
    r""":math:`\|\alpha_0\|^2, \ldots, \|\alpha_{L-1}\|^2`, shape ``(..., L)``."""
    norms = [np.asarray(squares(values)) for values in network.activations(x)]
    batch = np.broadcast_shapes(*(norm.shape for norm in norms))
    return np.stack([np.broadcast_to(norm, batch) for norm in norms], axis=-1)


def representations_are_bounded(network: FullyConnected, x: Array) -> Relation:
    """Both sides of the theorem times what divides the right one, over the exponential."""
    k = jacobian_rank(network, x)
    growth = maximum(excess_per_dimension(network, k), 0)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(log_mean_volume(network, x, k) - growth)
    return le(left, ntk_trace(network, x, biases=False))


def printed_in_the_talk(network: FullyConnected, x: Array) -> Relation:
    """The form of the talk, with the whole kernel."""
    k = jacobian_rank(network, x)
    growth = 2 * excess_per_dimension(network, k)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(log_mean_volume(network, x, k) - growth)
    return le(left, ntk_trace(network, x))


# False variants


def without_the_maximum(network: FullyConnected, x: Array) -> Relation:
    """The exponential also where it is below 1."""
    k = jacobian_rank(network, x)
    growth = excess_per_dimension(network, k)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(log_mean_volume(network, x, k) - growth)
    return le(left, ntk_trace(network, x, biases=False))


def without_the_excess(network: FullyConnected, x: Array) -> Relation:
    """As if the norm were kL."""
    k = jacobian_rank(network, x)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(log_mean_volume(network, x, k))
    return le(left, ntk_trace(network, x, biases=False))


def volume_not_averaged(network: FullyConnected, x: Array) -> Relation:
    """The square of the volume in place of its power 2/k."""
    k = jacobian_rank(network, x)
    growth = maximum(excess_per_dimension(network, k), 0)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(k * log_mean_volume(network, x, k) - growth)
    return le(left, ntk_trace(network, x, biases=False))


def identities(depth: int = 4, kept: int = 2, lost: int = 0, **others: Any) -> dict[str, Any]:
    """Layers that keep the first coordinates, which are positive; the others are zero, and the last layer has none."""
    layer = np.diag([1] * kept + [0] * lost)
    weights = [rationals([layer])] * (depth - 1) + [rationals([layer[:kept]])]
    return {"network": FullyConnected(weights), "x": rationals([[*range(2, 2 + kept), *[0] * lost]]), **others}


IDENTITIES: dict[str, Callable[..., dict[str, Any]]] = {
    "identities": identities,
    "one coordinate of two, depth 13": partial(identities, 13, 1, 1),
    "two coordinates of three, depth 2": partial(identities, 2, 2, 1),
    "three coordinates, depth 6": partial(identities, 6, 3),
}
"""Sharp instances, of each rank."""
FIRST_ORDER = "s^2 exp(1 - s^2) is 1 to first order"


def one_layer_near_identity(**others: Any) -> dict[str, Any]:
    """One layer, a little more than the identity of two coordinates."""
    long = "4194305/4194304"
    return {"network": FullyConnected([rationals([[[long, 0], [0, long]]])]), "x": rationals([[2, 3]]), **others}


SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": range(1, 4), "width": range(1, 4), "outputs": range(1, 4)}
VARIABLES = {
    "network": derived(partly_identity, network=BALANCED, kind=integers(0, 2), scale=interval(0.5, 2, often=(1,))),
    "x": reals("inputs"),
}
RANK = {"f has a derivative at x that is not zero": has_nonzero_derivative}
HYPOTHESES = RANK | {"balanced": is_balanced}
ANY = {"network": Networks(slope=(-1, 1)), "x": reals("inputs")}

CLAIM = Claim(
    id="bottleneck_structure.theorem_7",
    title="Where the kernel is of order L the representations stay bounded",
    source=Source("bottleneck_structure", "Theorem 16"),
    statement=representations_are_bounded,
    cost=2,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES, small_depths),
    needs=("balanced",),
    tight={
        **{name: Tight(instance) for name, instance in IDENTITIES.items()},
        "one layer near the identity": Tight(one_layer_near_identity, 1e-12, FIRST_ORDER),
    },
    false_neighbours={
        "without the maximum": without_the_maximum,
        "without the excess": without_the_excess,
        "the volume itself": volume_not_averaged,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_7.printed",
    title="Theorem 7 as in the talk, without the maximum",
    source=Source("symmetry_learning", "Convergence of the representations"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_7"),
    statement=printed_in_the_talk,
    domain=Domain(ANY, {**SIZES, "depth": range(1, 3)}, HYPOTHESES),
    false_neighbours={},
)
