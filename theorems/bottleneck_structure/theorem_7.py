r"""Theorem 7 (Theorem 16 of the appendix): where the neural tangent kernel is of order L, the representations stay bounded.

For a balanced network of depth L with :math:`\mathrm{rank}\, Jf(x) = k \ge 1` put :math:`c_1 = \|\theta\|^2 - kL` and
:math:`cL = \mathrm{Tr}\,\Theta(x, x)`. Then

.. math:: \sum_{\ell=1}^L \|\alpha_{\ell-1}(x)\|^2
          \le L\, \frac{c \max\{1, e^{c_1/k}\}}{k\, |Jf(x)|_+^{2/k}} ,

hence :math:`\|\alpha_{\ell-1}\|^2` is at most 1/p times the right side over L in at least (1 - p)L layers. It is checked with
the kernel without the share of the biases, which is smaller, and attained by identities at a non-negative point.

The talk of the same author has :math:`e^{2c_1/k}` without the maximum: weaker for :math:`c_1 \ge 0`, and false for
:math:`c_1 < 0` (``.printed``). Sharper, for every L and with the share of the biases (``.sharper``):

.. math:: k\, |Jf|_+^{2/k} \sum_\ell (\|\alpha_{\ell-1}\|^2 + 1) \Bigl(1 + \frac{c_1}{kL}\Bigr)^{-\ell}
          \le \mathrm{Tr}\,\Theta .

The steps of the proof hold for every network (``.steps``): with :math:`B_\ell = J(\tilde\alpha_\ell \to f)`,

.. math:: \|B_\ell\|_F^2 \ge k \Bigl(\frac{|Jf|_+}{\prod_{i \le k} s_i(J\tilde\alpha_\ell)}\Bigr)^{2/k} , \qquad
          \prod_{i \le k} s_i(J\tilde\alpha_\ell)^{2/k} \le \Bigl(\frac{1}{k\ell} \sum_{m \le \ell} \|W_m\|_F^2\Bigr)^\ell ,

and for balanced networks the average of the first layers is at most that of all. The printed proof has an identity in place of
the first inequality, :math:`|B_\ell P|_+ = |Jf|_+ / |J\tilde\alpha_\ell|_+` with the projection P to the image of
:math:`J\tilde\alpha_\ell`; it holds only if that image has dimension k (``.chain.printed``).

Source: bottleneck_structure, Theorem 16; the sharper form is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.bottleneck_structure.balancedness import BALANCED
from theorems.bottleneck_structure.theorem_6 import (
    descending,
    has_nonzero_derivative,
    jacobian_rank,
    share,
)
from theorems.bottleneck_structure.theorem_6_shared_frames import projection_to_image
from theorems.notion_of_rank.theorem_1 import squares
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
    eq,
    integers,
    interval,
    le,
    reals,
)
from verify.arithmetic import Array, compare, exp, floats, log, maximum, rationals
from verify.matrices import log_pseudo_determinant, pseudo_determinant, singular_values
from verify.networks import FullyConnected
from verify.networks.ntk import ntk_trace


def partly_identity(network: FullyConnected, kind: Array, scale: Array) -> FullyConnected:
    """The network (kind 0), with twice the weights into its first hidden layer and half of those out of it (1), or `scale`
    times the identity on as many coordinates as every layer has (2).
    """
    identity, doubled = kind * (kind - 1) / 2, kind * (2 - kind)
    free, common = 1 - identity, min(network.widths)
    weights, biases = [], []
    for layer, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        change = 1 + doubled if layer == 0 else 1 / (1 + doubled) if layer == 1 else 1 + 0 * doubled
        ones = np.eye(*weight.shape[-2:], dtype=np.int64) * (np.arange(weight.shape[-1]) < common)
        weights.append((free * change)[..., None, None] * weight + (identity * scale)[..., None, None] * ones)
        biases.append((free * (1 + doubled if layer == 0 else 1 + 0 * doubled))[..., None] * bias)
    return FullyConnected(weights, biases, network.activation)


def excess_and_volume(network: FullyConnected, x: Array) -> tuple[Array, Array, Array]:
    r"""The rank k, the excess :math:`c_1 / k` of the squared norm and :math:`\frac2k \log|Jf(x)|_+`, batch-shaped."""
    k = jacobian_rank(network, x)
    excess = network.parameter_norm_squared / k - network.depth
    return k, np.asarray(excess), np.asarray(2 * log_pseudo_determinant(network.jacobian(x)) / k)


def squared_activations(network: FullyConnected, x: Array) -> Array:
    r""":math:`\|\alpha_0\|^2, \ldots, \|\alpha_{L-1}\|^2`, shape ``(..., L)``."""
    norms = [np.asarray(squares(values)) for values in network.activations(x)]
    batch = np.broadcast_shapes(*(norm.shape for norm in norms))
    return np.stack([np.broadcast_to(norm, batch) for norm in norms], axis=-1)


def representations_are_bounded(
    network: FullyConnected, x: Array, basis_points: int = 10_000, times: int = 1, positive_part: bool = True
) -> Relation:
    """Both sides of the theorem times what divides the right one; `times` multiplies the excess in false forms."""
    k, excess, volume = excess_and_volume(network, x)
    growth = times * (maximum(excess, 0) if positive_part else excess)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(volume - growth)
    return le(left * basis_points / 10_000, ntk_trace(network, x, biases=False), noise=_noise(left, volume, growth))


def _noise(product: Array, *exponents: Array) -> Array:
    """Rounding of a product with the exponential of a sum of `exponents`, which is relative to their size."""
    return np.asarray(abs(floats(product)) * (1 + sum(abs(floats(one)) for one in exponents)) * 2.0**-46)


def printed_in_the_talk(network: FullyConnected, x: Array) -> Relation:
    """The form of the talk, with the whole kernel."""
    k, excess, volume = excess_and_volume(network, x)
    left = k * squared_activations(network, x).sum(axis=-1) * exp(volume - 2 * excess)
    return le(left, ntk_trace(network, x), noise=_noise(left, volume, excess))


def few_large_layers(network: FullyConnected, x: Array, p: Array, fewer: int = 0, percent: int = 100) -> Relation:
    """The j-th largest layer is at most 1/p times the bound over L for every j of at least pL."""
    k, excess, volume = excess_and_volume(network, x)
    factor = k * exp(volume - maximum(excess, 0))
    ordered = descending(squared_activations(network, x))
    counted = compare(np.arange(1, network.depth + 1) + fewer, (p * network.depth)[..., None]) >= 0
    left = np.where(counted, (p * network.depth * factor)[..., None] * ordered, 0)
    bound = percent * ntk_trace(network, x, biases=False)[..., None] / 100
    return le(left, bound, noise=_noise(left, volume[..., None], excess[..., None]), over=1)


def sharper(network: FullyConnected, x: Array, basis_points: int = 10_000, later: int = 0, averages: bool = True) -> Relation:
    """The sum with the powers of the average norm, against the whole kernel; `later` shifts the powers in a false neighbour."""
    k, _, volume = excess_and_volume(network, x)
    inverse_average = k * network.depth / network.parameter_norm_squared
    terms = squared_activations(network, x) + 1
    powers = np.stack([inverse_average ** (layer + later) for layer in range(1, network.depth + 1)], axis=-1)
    if not averages:
        powers = 0 * powers + 1
    left = k * (terms * powers).sum(axis=-1) * exp(volume)
    return le(left * basis_points / 10_000, ntk_trace(network, x), noise=_noise(left, volume))


def largest_product(values: Array, k: Array) -> Array:
    """Product of the first k of the descending `values`, shapes ``(..., n)`` and ``(...)``."""
    kept = np.where(np.arange(values.shape[-1]) < np.asarray(k)[..., None], values, 1)
    result = kept[..., 0]
    for place in range(1, kept.shape[-1]):
        result = result * kept[..., place]
    return np.asarray(result)


def steps_of_the_proof(network: FullyConnected, x: Array, percent: int = 100, layers_less: int = 0) -> Relation:
    """The two inequalities in products, to the power k/2, at every layer: what is below is the volume of the Jacobian."""
    k = jacobian_rank(network, x)
    volume, relation = pseudo_determinant(network.jacobian(x)), Relation(())
    total = 0 * volume
    for layer in range(1, network.depth + 1):
        weight = network.weights[layer - 1]
        total = total + squares(weight, (-2, -1))
        before = largest_product(singular_values(network.jacobian_to_layer(layer, x)), k)
        behind = squares(network.jacobian_from_layer(layer, x), (-2, -1)) / k
        if layer < network.depth:  # in the last layer both sides are the volume, or more
            relation &= le(volume * percent / 100, _half_powers(behind, k) * before)
        average = total / (k * layer)
        relation &= le(before, _half_powers(average, k * (layer - layers_less)))
    return relation


def _half_powers(base: Array, exponent: Array) -> Array:
    """``base ** (exponent / 2)`` for positive `base` and integers that differ between instances."""
    return np.asarray(exp(np.asarray(exponent) * log(base) / 2))


def printed_chain(network: FullyConnected, x: Array) -> Relation:
    """The identity of the printed proof at the first layer."""
    first = network.jacobian_to_layer(1, x)
    behind = network.jacobian_from_layer(1, x) @ projection_to_image(first)
    volumes = pseudo_determinant(behind) * pseudo_determinant(first)
    return eq(volumes, pseudo_determinant(network.jacobian(x)), scale=volumes)


def identities(**others: Any) -> dict[str, Any]:
    """Four layers that keep two non-negative coordinates."""
    return {"network": FullyConnected([rationals([[[1, 0], [0, 1]]])] * 4), "x": rationals([[2, 3]]), **others}


def one_layer_of_half() -> dict[str, Any]:
    """One layer of one weight 1/2."""
    return {"network": FullyConnected([rationals([[["1/2"]]])]), "x": rationals([[1]])}


SOURCE = Source("bottleneck_structure", "Theorem 16")
SIZES = {"depth": range(2, 5), "inputs": range(1, 3), "width": range(1, 3), "outputs": range(1, 3)}
WIDE = {"depth": range(2, 4), "inputs": range(2, 3), "width": range(2, 4), "outputs": range(1, 3)}
VARIABLES = {
    "network": derived(partly_identity, network=BALANCED, kind=integers(0, 2), scale=interval(0.5, 1)),
    "x": reals("inputs"),
}
RANK = {"f has a derivative at x that is not zero": has_nonzero_derivative}
HYPOTHESES = RANK | {"balanced": lambda network: network.is_balanced()}
ANY = {"network": Networks(slope=(-1, 1)), "x": reals("inputs")}

CLAIM = Claim(
    id="bottleneck_structure.theorem_7",
    title="Where the kernel is of order L the representations stay bounded",
    source=SOURCE,
    statement=representations_are_bounded,
    cost=2,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES),
    needs=("balanced",),
    tight={"identities": Tight(identities)},
    false_neighbours={
        "1 percent less": partial(representations_are_bounded, basis_points=10_100),
        "0.01 percent less": partial(representations_are_bounded, basis_points=10_001),
        "without the maximum": partial(representations_are_bounded, positive_part=False),
        "without the excess": partial(representations_are_bounded, times=0),
    },
)

PRINTED = Claim(
    id="bottleneck_structure.theorem_7.printed",
    title="Theorem 7 as in the talk, without the maximum",
    source=Source("symmetry_learning", "Convergence of the representations"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_7"),
    statement=printed_in_the_talk,
    domain=Domain(ANY, SIZES | {"depth": range(1, 3)}, HYPOTHESES),
    false_neighbours={},
)

LAYERS = Claim(
    id="bottleneck_structure.theorem_7.layers",
    title="Few layers have a large representation",
    source=SOURCE,
    statement=few_large_layers,
    cost=2,
    domain=Domain(VARIABLES | {"p": derived(share, layers=integers(1, 4), part=interval(-1, 1))}, SIZES, HYPOTHESES),
    needs=("balanced",),
    tight={"identities": Tight(partial(identities, p=rationals([1])))},
    false_neighbours={
        "fewer than pL - 1 layers": partial(few_large_layers, fewer=1),
        "1 percent less": partial(few_large_layers, percent=99),
    },
)

SHARPER = Claim(
    id="bottleneck_structure.theorem_7.sharper",
    title="The sum over the layers with powers of the average norm",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=sharper,
    cost=2,
    domain=Domain(VARIABLES, SIZES, HYPOTHESES),
    needs=("balanced",),
    tight={"identities": Tight(identities), "one layer of 1/2": Tight(one_layer_of_half)},
    false_neighbours={
        "1 percent less": partial(sharper, basis_points=10_100),
        "0.01 percent less": partial(sharper, basis_points=10_001),
        "one power less": partial(sharper, later=-1),
        "no powers": partial(sharper, averages=False),
    },
)

STEPS = Claim(
    id="bottleneck_structure.theorem_7.steps",
    title="Volumes before and behind a layer, for every network",
    source=SOURCE,
    statement=steps_of_the_proof,
    cost=2,
    domain=Domain(ANY, WIDE, RANK),
    tight={"identities": Tight(identities)},
    false_neighbours={
        "1 percent less": partial(steps_of_the_proof, percent=101),
        "one power less": partial(steps_of_the_proof, layers_less=1),
    },
)

CHAIN = Claim(
    id="bottleneck_structure.theorem_7.chain.printed",
    title="The volume of a projected Jacobian as a quotient, in the proof of Theorem 16",
    source=Source("bottleneck_structure", "proof of Theorem 16"),
    status=FalseAsPrinted(corrected_by="bottleneck_structure.theorem_7.steps"),
    statement=printed_chain,
    domain=Domain(ANY, SIZES | {"depth": range(2, 3)}, RANK),
    false_neighbours={},
)
