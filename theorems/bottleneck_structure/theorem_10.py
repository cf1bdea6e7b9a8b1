r"""Theorem 10: networks of bottleneck rank 1 that fit data of higher rank have a large kernel; the chain of its proof.

Statement
    With high probability over a sample of :math:`f^*` of Jacobian rank :math:`k^* > 1`, every deep enough network of bottleneck
    rank 1 and norm :math:`L + c_1` that fits it has a point with
    :math:`\mathrm{Tr}\,\Theta(x, x) \ge c'' L e^{-c_1} N^{4 - 4/k^*}`.
Checked
    What holds at every depth. For every layer,

    .. math:: \|J\tilde\alpha_\ell(x)\|_{op} \le e^{(\sum_{m \le \ell} \|W_m\|^2 - \ell)/2} , \qquad
              \|f(x) - f(y)\| \le \|\alpha_\ell(x) - \alpha_\ell(y)\|\, e^{(\sum_{m > \ell} \|W_m\|^2 - (L - \ell))/2} ;

    for the kernel, without the share of the biases,

    .. math:: \mathrm{Tr}\,\Theta(x, x) \ge \sum_\ell \|\alpha_{\ell-1}(x)\|^2
              \frac{\|Jf(x)\|_{op}^2}{\|J\tilde\alpha_\ell(x)\|_{op}^2} ;

    and together, with :math:`c_1 = \sum_\ell \|W_\ell\|_F^2 - L`,

    .. math:: \frac{\mathrm{Tr}\,\Theta(x, x)}{\|Jf(x)\|_{op}^2} + \frac{\mathrm{Tr}\,\Theta(y, y)}{\|Jf(y)\|_{op}^2} \ge
              \tfrac12 \|f(x) - f(y)\|^2 e^{-c_1} \sum_\ell e^{1 - \|W_\ell\|_F^2} .
Proof idea
    :math:`\|W\|_{op} \le \|W\|_F \le e^{(\|W\|_F^2 - 1)/2}`; the layers before and from a layer on count it twice.
Sharp
    Chains of layers of norm 1.
Not checked
    The probability, and the constant: the proof gives no number, and it says something only for :math:`c_1 < 4(1 -
    1/k^*)\log N`, while a rank-1 fit has :math:`c_1 \ge 2(1 - 1/k^*)\log N` up to a constant. Paths through random labels are
    in notion_of_rank, ``theorem_2.probability``; the frames of the layers are ``theorem_6``.
Source
    bottleneck_structure, Theorem 10 (Theorem 19 of the appendix), proof; the last inequality is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.arrays import squares
from theorems.bottleneck_structure.constructions.near_isometries import around_identity
from theorems.bottleneck_structure.constructions.points import slope_between
from theorems.bottleneck_structure.theorem_6.statement import few_combinations
from verify import Claim, Domain, Follows, Networks, Ours, Relation, Source, Tight, derived, ge, integers, le, reals
from verify.arithmetic import Array, compare, exp, rationals
from verify.matrices import frobenius_norm_squared, operator_norm
from verify.networks import FullyConnected, identity
from verify.networks.ntk import ntk_trace


def stacked(values: list[Array]) -> Array:
    """Batch-shaped arrays side by side, in a last axis."""
    batch = np.broadcast_shapes(*(np.shape(one) for one in values))
    return np.stack([np.broadcast_to(one, batch) for one in values], axis=-1)


def layer_norms(network: FullyConnected) -> Array:
    """Squared norms of the weight matrices, shape ``(..., L)``."""
    return stacked([frobenius_norm_squared(weight) for weight in network.weights])


def growth(network: FullyConnected) -> Array:
    """The exponents of the squared steps: the sums of the norms minus 1 over the first layers, shape ``(..., L)``."""
    return np.asarray(np.cumsum(layer_norms(network) - 1, axis=-1))


def squared_slopes(network: FullyConnected, x: Array) -> Array:
    """Squared operator norms of the Jacobians to all pre-activations, shape ``(..., L)``."""
    return stacked([operator_norm(network.jacobian_to_layer(layer, x)) ** 2 for layer in range(1, network.depth + 1)])


def squared_steps(network: FullyConnected, x: Array, y: Array) -> Array:
    r"""Squared distances of all :math:`\alpha_0, \ldots, \alpha_{L-1}`, shape ``(..., L)``."""
    pairs = zip(network.activations(x), network.activations(y), strict=True)
    return stacked([squares(first - second) for first, second in pairs])


def layers_grow_by_their_norms(network: FullyConnected, x: Array, y: Array) -> Relation:
    """Both bounds, squared, at all layers."""
    sums = growth(network)
    behind = sums[..., -1:] - sums + layer_norms(network) - 1
    change = squares(network(x) - network(y))[..., None]
    before = le(squared_slopes(network, x), exp(sums), name="before", over=1)
    return before & le(change, squared_steps(network, x, y) * exp(behind), name="behind", over=1)


def kernel_by_the_slopes(network: FullyConnected, x: Array) -> Relation:
    """The kernel against the slopes up to each layer; where one of them is 0, so is that of f, and the quotient is 0."""
    slopes = squared_slopes(network, x)
    quotients = slopes[..., -1:] / np.where(compare(slopes, 0) == 0, 1, slopes)
    activations = stacked([squares(values) for values in network.activations(x)])
    return ge(ntk_trace(network, x, biases=False), (activations * quotients).sum(axis=-1))


def one_of_two_kernels_is_large(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The conclusion, times both squared slopes of f."""
    first, second = (operator_norm(network.jacobian(point)) ** 2 for point in (x, y))
    kernels = ntk_trace(network, x, biases=False) * second + ntk_trace(network, y, biases=False) * first
    shares = exp(1 - layer_norms(network) - growth(network)[..., -1:]).sum(axis=-1)
    return ge(2 * kernels, squares(network(x) - network(y)) * first * second * shares)


# False variants


def half_of_the_exponent(network: FullyConnected, x: Array) -> Relation:
    """Half of the exponent."""
    return le(squared_slopes(network, x), exp(growth(network) / 2), over=1)


def one_layer_fewer(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The layers behind without the first of them."""
    sums = growth(network)
    change = squares(network(x) - network(y))[..., None]
    return le(change, squared_steps(network, x, y) * exp(sums[..., -1:] - sums), over=1)


def slopes_as_factors(network: FullyConnected, x: Array) -> Relation:
    """The slopes up to the layers as factors."""
    slopes = squared_slopes(network, x)
    activations = stacked([squares(values) for values in network.activations(x)])
    return ge(ntk_trace(network, x, biases=False), (activations * slopes).sum(axis=-1))


def last_layer_twice(network: FullyConnected, x: Array) -> Relation:
    """The kernel of the last layer twice."""
    last = squares(network.activations(x)[-1])
    return ge(ntk_trace(network, x, biases=False), 2 * last * network.widths[-1])


def every_kernel_is_large(network: FullyConnected, x: Array, y: Array) -> Relation:
    """The kernel at x alone."""
    first = operator_norm(network.jacobian(x)) ** 2
    shares = exp(1 - layer_norms(network) - growth(network)[..., -1:]).sum(axis=-1)
    return ge(4 * ntk_trace(network, x, biases=False), squares(network(x) - network(y)) * first * shares)


def without_the_norms(network: FullyConnected, x: Array, y: Array) -> Relation:
    """L in place of the exponentials."""
    first, second = (operator_norm(network.jacobian(point)) ** 2 for point in (x, y))
    kernels = ntk_trace(network, x, biases=False) * second + ntk_trace(network, y, biases=False) * first
    return ge(2 * kernels, squares(network(x) - network(y)) * first * second * network.depth)


def unit_chain() -> dict[str, Any]:
    """Four layers of rank 1 and norm 1, linear, at opposite points of the plane."""
    layer, last = rationals([[["9/25", "12/25"], ["12/25", "16/25"]]]), rationals([[["3/5", "4/5"]]])
    point = rationals([[3, 4]])
    return {"network": FullyConnected([layer, layer, layer, last], activation=identity()), "x": point, "y": -point}


def at_the_other_point(coordinates: Mapping[str, Array]) -> dict[str, Array]:
    """The coordinates of the kernel at y."""
    return {**coordinates, "x": coordinates["y"]}


SIZES = {"depth": (1, 2, 3, 6, 13), "inputs": (1, 2), "width": (1, 2, 3), "outputs": (1, 2, 3)}
NETWORK = {"network": derived(around_identity, network=Networks(slope=(-2, 2)), kind=integers(0, 1), role="network")}
SLOPES = {"the slope is between -1 and 1": partial(slope_between, -1, 1)}
SOURCE = Source("bottleneck_structure", "Theorem 19, proof")


GROWTH = Claim(
    id="bottleneck_structure.theorem_10.growth",
    title="Layers grow by the exponential of their norms",
    source=SOURCE,
    statement=layers_grow_by_their_norms,
    domain=Domain(
        {**NETWORK, "x": reals("inputs", role="point"), "y": reals("inputs", role="second point")},
        SIZES,
        SLOPES,
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={"layers of norm 1": Tight(unit_chain)},
    cost=3,
    false_variants={"half of the exponent": half_of_the_exponent, "one layer fewer": one_layer_fewer},
)

KERNEL = Claim(
    id="bottleneck_structure.theorem_10.kernel",
    title="The slopes up to the layers bound the kernel from below",
    source=SOURCE,
    statement=kernel_by_the_slopes,
    domain=Domain({**NETWORK, "x": reals("inputs", role="point")}, SIZES, {}, few_combinations),
    tight={"layers of norm 1": Tight(unit_chain)},
    cost=3,
    false_variants={"slopes as factors": slopes_as_factors, "twice the last layer": last_layer_twice},
)

CLAIM = Claim(
    id="bottleneck_structure.theorem_10",
    title="One of two kernels is large where the values differ and the norm is small",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=one_of_two_kernels_is_large,
    domain=Domain(
        {**NETWORK, "x": reals("inputs", role="point"), "y": reals("inputs", role="second point")},
        SIZES,
        SLOPES,
        few_combinations,
    ),
    needs=tuple(SLOPES),
    tight={"layers of norm 1": Tight(unit_chain)},
    cost=3,
    follows=(Follows(GROWTH), Follows(KERNEL), Follows(KERNEL, at_the_other_point)),
    false_variants={"the kernel at x alone": every_kernel_is_large, "L in place of the norms": without_the_norms},
)
