r"""Proposition 13: the difference of two Jacobians, over the square of the Lipschitz constant, costs extra.

Statement
    For a network with a slope in [0, 1] of the activation, and any two points,

    .. math:: \|\theta\|^2 \ge \frac L2 \Bigl(\|Jf(x)\|_{2/L}^{2/L} + \|Jf(y)\|_{2/L}^{2/L}\Bigr)
              + \frac{\|Jf(x) - Jf(y)\|_*}{G}, \qquad
              G = \max_{1 \le \ell < L} \|J(\tilde\alpha_{\ell+1} \to f)(y)\|_{op}\, \|J\alpha_{\ell-1}(x)\|_{op} \le C^2 ,

    and, where both Jacobians have rank k, :math:`\|\theta\|^2 \ge kL + \log|Jf(x)|_+ + \log|Jf(y)|_+ + \|Jf(x) - Jf(y)\|_*/G`.
Correction
    As printed, without the equal ranks, the second inequality is false; with the hypothesis of Theorem 11 that both ranks are
    :math:`R^{(0)}(f)`, which is surely meant, it is true. The paper has the ReLU; slopes between 0 and 1 do no harm, negative
    ones break both.
Checked
    Both inequalities times G, without the biases, for the product of the layers, so that the points need not be smooth. The
    printed form for networks of the function of the correction, whose cost falls with the depth.
Proof idea
    For the ReLU :math:`L\|Jf\|_{2/L}^{2/L} \le \sum_\ell \|D_\ell W_\ell D_{\ell-1}\|_F^2` at both points. The telescoping sum
    bounds the nuclear norm by G times :math:`\sum_\ell \|D_{\ell+1}(y) W_{\ell+1} \Delta_\ell\|_F \|\Delta_\ell W_\ell
    D_{\ell-1}(x)\|_F`, :math:`\Delta_\ell = D_\ell(x) - D_\ell(y)`. An entry of a weight matrix counts there at most as often
    as it is missing in the two sums of the norms: 1 where one of its neurons changes or both change alike, at most 2 where they
    change in opposite directions.
Sharp
    The absolute value, at depth 2. The second one where the singular values are 1, too.
Source
    bottleneck_structure, Proposition 13; the form with G and without a rank, the slopes and the proof of the constant are ours.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.constructions.points import jacobian_rank, slope_between
from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Networks,
    Ours,
    Relation,
    Source,
    Tight,
    derived,
    ge,
    integers,
    interval,
    reals,
)
from verify.arithmetic import Array, largest, rationals
from verify.matrices import log_pseudo_determinant, nuclear_norm, operator_norm, schatten_power
from verify.networks import FullyConnected


def stretching(network: FullyConnected, x: Array, y: Array) -> Array:
    """The constant G: what the layers before a hidden layer stretch at `x` times what those behind it stretch at `y`."""
    around = []
    for layer in range(1, network.depth):
        behind = operator_norm(network.jacobian_from_layer(layer + 1, y))
        if layer > 1:
            slopes = network.activation.derivative(network.preactivations(x)[layer - 2])
            behind = behind * operator_norm(slopes[..., None] * network.jacobian_to_layer(layer - 1, x))
        around.append(behind)
    batch = np.broadcast_shapes(*(one.shape for one in around))
    return largest(np.stack([np.broadcast_to(one, batch) for one in around], axis=-1))


def change(network: FullyConnected, x: Array, y: Array) -> Array:
    """Nuclear norm of the difference of the Jacobians."""
    return nuclear_norm(network.jacobian(x) - network.jacobian(y))


def mean_volume(network: FullyConnected, x: Array, y: Array) -> Array:
    """The sum of the logarithms of both pseudo-determinants."""
    return np.asarray(log_pseudo_determinant(network.jacobian(x)) + log_pseudo_determinant(network.jacobian(y)))


def mean_norm(network: FullyConnected, x: Array, y: Array) -> Array:
    """The mean of the Schatten norms of both Jacobians, times L."""
    exponent = Fraction(2, network.depth)
    total = schatten_power(network.jacobian(x), exponent) + schatten_power(network.jacobian(y), exponent)
    return np.asarray(network.depth * total / 2)


def beyond_the_volumes(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The inequality for Jacobians of equal ranks, times G."""
    rank = jacobian_rank(network, x) * network.depth
    extra = network.weight_norm_squared - rank - mean_volume(network, x, y)
    return ge(extra * stretching(network, x, y), change(network, x, y))


def beyond_the_norms(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The inequality for any two Jacobians, times G."""
    extra = network.weight_norm_squared - mean_norm(network, x, y)
    return ge(extra * stretching(network, x, y), change(network, x, y))


def diagonal_layers(depth: int, root: Array) -> FullyConnected:
    r"""The network of layers diag(1, q) for :math:`(x_1, q^L \sigma(x_2))`, where :math:`x_1 \ge 0`."""
    layer = np.stack([np.stack([1 + 0 * root, 0 * root], axis=-1), np.stack([0 * root, root], axis=-1)], axis=-2)
    return FullyConnected([layer] * depth)


def printed(network: FullyConnected) -> Relation:
    r"""The print on both sides of the kink of :math:`f(x) = (x_1, \delta\sigma(x_2))`, where R0 = 2 and C = 1.

    The left side falls to :math:`2\log\delta` as the depth grows, so that it bounds the first correction from above.
    """
    ones = 1 + 0 * network.weights[0][..., 0]
    x, y = ones, ones * np.array([1, -1])
    excess = network.weight_norm_squared - 2 * network.depth
    return ge(excess, mean_volume(network, x, y) + change(network, x, y))


# False variants


def without_the_constant(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The difference itself, however the network stretches."""
    return ge(network.weight_norm_squared - mean_norm(network, x, y), change(network, x, y))


def sum_of_both_norms(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The sum of the Schatten norms in place of their mean."""
    return ge(network.weight_norm_squared, 2 * mean_norm(network, x, y))


def twice_the_difference(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The constant 2 in place of 1."""
    extra = network.weight_norm_squared - jacobian_rank(network, x) * network.depth - mean_volume(network, x, y)
    return ge(extra * stretching(network, x, y), 2 * change(network, x, y))


def twice_the_volumes(network: FullyConnected, x: Array, y: Array) -> Relation:
    """Each of the logarithms twice."""
    extra = network.weight_norm_squared - jacobian_rank(network, x) * network.depth - 2 * mean_volume(network, x, y)
    return ge(extra * stretching(network, x, y), change(network, x, y))


def absolute_value(weight: object = 1) -> dict[str, Any]:
    """The network of depth 2 for a multiple of the absolute value, on both sides of the kink."""
    layers = [rationals([[[weight], ["-" + str(weight)]]]), rationals([[[weight, weight]]])]
    return {"network": FullyConnected(layers), "x": rationals([[1]]), "y": rationals([[-1]])}


def two_absolute_values() -> dict[str, Any]:
    """Two of them side by side, with a change of sign in both coordinates: rank 2."""
    first = rationals([[[1, 0], [-1, 0], [0, 1], [0, -1]]])
    second = rationals([[[1, 1, 0, 0], [0, 0, 1, 1]]])
    return {"network": FullyConnected([first, second]), "x": rationals([[1, 2]]), "y": rationals([[-1, -3]])}


def kink_between_scalars(outer: str, inner: str) -> dict[str, Any]:
    """A multiple of the absolute value at depth 4, whose first and last layer scale by `outer`, those at the kink by `inner`.

    G is the square of the larger of them. A bias lifts the values before the kink above 0, and is taken back there.
    """
    end, kink = rationals([[[outer]]]), rationals([[[inner]]])
    weights = [end, kink * np.array([[1], [-1]]), kink * np.array([[1, 1]]), end]
    zero = 0 * end[0]
    biases = [zero + 3, 3 * kink[0] * np.array([-1, 1]), zero, zero]
    return {"network": FullyConnected(weights, biases), "x": rationals([[1]]), "y": rationals([[-1]])}


STRETCHED = {
    f"between layers that stretch a little, {name}": Tight(
        partial(kink_between_scalars, "1048577/1048576", inner), 1e-11, "equal up to the square of 2^-20"
    )
    for name, inner in {"less at the kink": "1048575/1048576", "as much at the kink": "1048577/1048576"}.items()
}


def same_ranks(network: FullyConnected, x: Array, y: Array) -> Array:
    """Whether both Jacobians have the same rank."""
    return np.asarray(jacobian_rank(network, x) == jacobian_rank(network, y))


NETWORK = derived(around_identity, network=Networks(slope=(-1, 1)), kind=integers(0, 1))
PAIRS = {"network": NETWORK, "x": reals("inputs"), "y": reals("inputs")}
SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 4), "outputs": (1, 3)}
NOT_NEGATIVE = {"the slope is between 0 and 1": partial(slope_between, 0, 1)}
RANKS = {"the Jacobians have the same rank": same_ranks}
SOURCE = Source("bottleneck_structure", "Proposition 13")


def few_combinations(sizes: Any) -> bool:
    """Beyond depth 4 narrow networks only."""
    return bool(sizes["depth"] <= 4 or sizes["width"] * sizes["inputs"] * sizes["outputs"] <= (8 if sizes["depth"] < 13 else 2))


CLAIM = Claim(
    id="bottleneck_structure.prop_13",
    title="Two Jacobians of one rank that differ cost more than their volumes",
    source=SOURCE,
    statement=beyond_the_volumes,
    domain=Domain(PAIRS, SIZES, {**NOT_NEGATIVE, **RANKS}, few_combinations),
    needs=(*NOT_NEGATIVE, *RANKS),
    cost=3,
    tight={
        "absolute value": Tight(absolute_value),
        "two absolute values": Tight(two_absolute_values),
        **STRETCHED,
    },
    false_neighbours={"twice the difference": twice_the_difference, "twice the volumes": twice_the_volumes},
)

NORMS = Claim(
    id="bottleneck_structure.prop_13.norms",
    title="Two Jacobians that differ cost more than their mean Schatten norm",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=beyond_the_norms,
    domain=Domain(PAIRS, SIZES, NOT_NEGATIVE, few_combinations),
    needs=tuple(NOT_NEGATIVE),
    cost=3,
    tight={
        "half the absolute value": Tight(partial(absolute_value, "1/2")),
        "two absolute values": Tight(two_absolute_values),
        "between layers that stretch": Tight(partial(kink_between_scalars, "2", "2")),
        **STRETCHED,
    },
    false_neighbours={
        "without the constant": without_the_constant,
        "the sum of both norms": sum_of_both_norms,
    },
)

PRINTED = Claim(
    id="bottleneck_structure.prop_13.printed",
    title="Two Jacobians of any ranks",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="bottleneck_structure.prop_13"),
    statement=printed,
    domain=Domain({"network": derived(diagonal_layers, root=interval(Fraction(1, 4), 1))}, {"depth": (2, 3, 4, 6, 13)}),
    false_neighbours={},
)
