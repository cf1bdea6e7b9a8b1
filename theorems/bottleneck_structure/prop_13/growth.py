r"""Representations that are stretched cost extra: why an unbounded Lipschitz constant does not come for free.

Statement
    For a network with slopes in [-1, 1] of the activation, any point x, :math:`k = \mathrm{rank}\, Jf(x)`, and every hidden
    layer :math:`\ell`,

    .. math:: \|\theta\|^2 \ge kL + 2\log|Jf(x)|_+ + \frac2\ell \log_+^2 \|J\alpha_\ell(x)\|_{op} , \qquad
              \|\theta\|^2 \ge kL + 2\log|Jf(x)|_+ + \frac2{L - \ell} \log_+^2 \|J(\alpha_\ell \to f)(x)\|_{op} ,

    where :math:`\log_+ t = \log\max(1, t)`.
Checked
    Both, at all hidden layers, without the biases. Points need not be smooth.
Proof idea
    Let :math:`e^{\beta_i}` and :math:`e^{\gamma_i}` be the k largest singular values of the two factors of Jf. The layers up to
    :math:`\ell` cost at least :math:`\sum_i \ell e^{2\beta_i/\ell} \ge \sum_i (\ell + 2\beta_i) + 2\beta_1^2/\ell` where
    :math:`\beta_1 \ge 0`, the others :math:`\sum_i (L - \ell) + 2\gamma_i`, and
    :math:`\sum_i \beta_i + \gamma_i \ge \log|Jf|_+` (Horn).
Sharp
    Where the singular values are 1; the square where the other factor is much deeper.
Source
    ours, for Example 20 of bottleneck_structure.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.near_isometries import around_identity, identities_with_biases
from theorems.bottleneck_structure.constructions.points import jacobian_rank, slope_between
from theorems.bottleneck_structure.prop_13.statement import SIZES, few_combinations
from verify import Claim, Domain, Networks, Ours, Relation, Source, Tight, derived, ge, integers, reals
from verify.arithmetic import Array, compare, log, maximum, rationals
from verify.matrices import log_pseudo_determinant, operator_norm
from verify.networks import FullyConnected


def log_plus(values: Array) -> Array:
    """Logarithm of what is above 1, else 0."""
    return log(maximum(values, 0 * values + 1))


def stretch_before(network: FullyConnected, x: Array) -> Array:
    r"""Operator norms of all :math:`J\alpha_\ell`, shape ``(..., L - 1)``."""
    norms = []
    for layer in range(1, network.depth):
        slopes = network.activation.derivative(network.preactivations(x)[layer - 1])
        norms.append(operator_norm(slopes[..., None] * network.jacobian_to_layer(layer, x)))
    return np.stack(norms, axis=-1)


def stretch_behind(network: FullyConnected, x: Array) -> Array:
    r"""Operator norms of all :math:`J(\alpha_\ell \to f)`, shape ``(..., L - 1)``."""
    norms, product = [], network.weights[-1] + 0 * x[..., :1, None]
    for layer in range(network.depth - 1, 0, -1):
        norms.append(operator_norm(product))
        slopes = network.activation.derivative(network.preactivations(x)[layer - 1])
        product = (product * slopes[..., None, :]) @ network.weights[layer - 1]
    return np.stack(norms[::-1], axis=-1)


def rank_and_volume(network: FullyConnected, x: Array) -> Array:
    """What the Jacobian costs in any case."""
    volume = 2 * log_pseudo_determinant(network.jacobian(x))
    return np.asarray(jacobian_rank(network, x) * network.depth + volume)


def stretching_costs(network: FullyConnected, x: Array) -> Relation:
    """Both inequalities, at all hidden layers."""
    layers, least = np.arange(1, network.depth), rank_and_volume(network, x)[..., None]
    paid = network.weight_norm_squared[..., None]
    before = least + 2 * log_plus(stretch_before(network, x)) ** 2 / layers
    behind = least + 2 * log_plus(stretch_behind(network, x)) ** 2 / (network.depth - layers)
    return ge(paid, before, name="before", over=1) & ge(paid, behind, name="behind", over=1)


# False variants


def three_times_the_square(network: FullyConnected, x: Array) -> Relation:
    """The factor 3 in place of 2."""
    square = log_plus(stretch_before(network, x)) ** 2 / np.arange(1, network.depth)
    return ge(network.weight_norm_squared[..., None], rank_and_volume(network, x)[..., None] + 3 * square, over=1)


def contraction_costs(network: FullyConnected, x: Array) -> Relation:
    """The square of the logarithm also where the last representation contracts."""
    norms = stretch_before(network, x)[..., -1]
    positive = np.where(compare(norms, 0) == 1, norms, 0 * norms + 1)
    return ge(network.weight_norm_squared, rank_and_volume(network, x) + 2 * log(positive) ** 2 / (network.depth - 1))


def number_of_the_other_layers(network: FullyConnected, x: Array) -> Relation:
    """The number of the layers behind in place of those before."""
    square = log_plus(stretch_before(network, x)) ** 2 / (network.depth - np.arange(1, network.depth))
    return ge(network.weight_norm_squared[..., None], rank_and_volume(network, x)[..., None] + 2 * square, over=1)


def no_volume(network: FullyConnected, x: Array) -> Relation:
    """The rank alone in place of rank and volume."""
    square = log_plus(stretch_behind(network, x))[..., 0] ** 2 / (network.depth - 1)
    return ge(network.weight_norm_squared, jacobian_rank(network, x) * network.depth + 2 * square)


def one_layer_stretches(place: int) -> dict[str, Any]:
    """One of 64 scalar layers stretches by 65/64, and the others take that back together."""
    weights = [rationals([[["4031/4032"]]])] * 64
    weights[place] = rationals([[["65/64"]]])
    return {"network": FullyConnected(weights), "x": rationals([[1]])}


GROWTH = Claim(
    id="bottleneck_structure.prop_13.growth",
    title="A representation that is stretched costs the square of the logarithm",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=stretching_costs,
    domain=Domain(
        {"network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 1)), "x": reals("inputs")},
        SIZES,
        {"the slope is between -1 and 1": partial(slope_between, -1, 1)},
        few_combinations,
    ),
    needs=("the slope is between -1 and 1",),
    cost=3,
    tight={
        "identities": Tight(identities_with_biases),
        "the first layer stretches": Tight(
            partial(one_layer_stretches, 0), relative_slack=3e-7, why="the other 63 layers", of=("before",), partly=True
        ),
        "the last layer stretches": Tight(
            partial(one_layer_stretches, -1),
            relative_slack=3e-7,
            why="the other 63 layers",
            of=("behind",),
            partly=True,
        ),
    },
    false_neighbours={
        "three times the square": three_times_the_square,
        "contraction, too": contraction_costs,
        "the number of the other layers": number_of_the_other_layers,
        "without the volume": no_volume,
    },
)
