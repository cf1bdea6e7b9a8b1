r"""The energy of a path of kernels is what a deep linear network pays at the order 1/L.

Statement
    Let K be a smooth path of kernels from the projection P to the image of :math:`A^T` to :math:`A^TA`, invertible on the
    image. The layers :math:`W_\ell = B_\ell B_{\ell-1}^+` with :math:`B_\ell^TB_\ell = K(\ell/L)` have the product A on it, and

    .. math:: \sum_\ell\|W_\ell\|_F^2 = \sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^+]
              = Lk + 2\log|A|_+ + \frac1{2L}\int_0^1\|K^{-1/2}K'K^{-1/2}\|_F^2\,dt + O(L^{-2}) .

    The least energy is :math:`\|\log_+ A^TA\|_F^2`, that of the affine-invariant geodesic. The straight line has the energy
    :math:`\sum_i(s_i - 1/s_i)^2`.
Checked
    The expansion for every chain of kernels of full rank, smooth or not (the sum over i is over all layers, and over the
    singular values :math:`\sigma_i` of each):

    .. math:: \Bigl|\sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^{-1}] - Lk - 2\log|A| - 2\sum_{i}(\log\sigma_i)^2\Bigr|
              \le \frac43\sum_{i}|\log\sigma_i|^3\max(1, \sigma_i^2) .

    That no chain has less energy than the geodesic (``.least``):
    :math:`L\sum_\ell\|\log W_\ell^TW_\ell\|_F^2 \ge \|\log A^TA\|_F^2`. What a path costs is bounded by it at every depth
    (``.cost``): :math:`\sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^{-1}] \ge L\sum_i s_i^{2/L}`, with equality on the geodesic.
    The energy of the straight line, in symbols. For kernels of any rank with a common image (``.layers``): that
    :math:`\|W_\ell\|_F^2 = \mathrm{Tr}[K_\ell K_{\ell-1}^+]`, that the product of the layers is :math:`B_LB_0^+`, and that
    :math:`|B_L|_+ = |W_L|_+\cdots|W_1|_+|B_0|_+`: the first correction adds up on every path.
Proof idea
    :math:`\mathrm{Tr}[K_\ell K_{\ell-1}^{-1}] = \|W_\ell\|_F^2`, and Taylor's formula for :math:`e^{2\log\sigma}`; the triangle
    inequality of the affine-invariant metric.
Sharp
    Constant paths; powers of one matrix; one layer near the identity.
Source
    ours, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.linear_networks import cost
from theorems.bottleneck_structure.taylor_expansion import gram, second_correction
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from theorems.notion_of_rank.constructions.spectra import logs_of
from verify import Claim, Domain, Ours, Q, Rate, Relation, Source, Tight, derived, eq, ge, interval, le, reals
from verify.arithmetic import Array, absolute, log, maximum, rationals
from verify.matrices import (
    determinant,
    frobenius_norm_squared,
    inverse,
    pseudo_determinant,
    pseudo_inverse,
    rank,
    singular_values,
)
from verify.symbolic import identically_zero

FOUR_THIRDS = Q("4/3")


def layers_of(factors: Array) -> Array:
    r""":math:`W_\ell = B_\ell B_{\ell-1}^{-1}`, shape ``(..., L + 1, k, k) -> (..., L, k, k)``."""
    return np.asarray(factors[..., 1:, :, :] @ inverse(factors[..., :-1, :, :]))


def cost_of_kernels(factors: Array) -> Array:
    r""":math:`\sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^{-1}]` for :math:`K_\ell = B_\ell^TB_\ell`."""
    kernels = gram(factors)
    return np.asarray((kernels[..., 1:, :, :] * inverse(kernels[..., :-1, :, :])).sum(axis=(-3, -2, -1)))


def whole_of(factors: Array) -> Array:
    r""":math:`A = W_L\cdots W_1`."""
    return np.asarray(factors[..., -1, :, :] @ inverse(factors[..., 0, :, :]))


def up_to_the_energy(factors: Array, second: int = 2, third: Q = FOUR_THIRDS) -> Relation:
    """The distance of the cost from its expansion against the rest of third order."""
    layers, size = layers_of(factors), factors.shape[-1]
    values = singular_values(layers)
    logs, squares = logs_of(values), values**2
    first = log(determinant(gram(whole_of(factors)))) + size * layers.shape[-3]
    rest = absolute(logs) ** 3 * maximum(squares, 0 * squares + 1)
    distance = cost_of_kernels(factors) - first - second * (logs**2).sum(axis=(-2, -1))
    return le(absolute(distance), third * rest.sum(axis=(-2, -1)))


def energy_is_at_least(factors: Array) -> Relation:
    """The energy of the chain against that of the geodesic between its ends."""
    layers = layers_of(factors)
    energy = layers.shape[-3] * second_correction(layers).sum(axis=-1)
    return ge(energy, second_correction(whole_of(factors)))


def cost_is_at_least(factors: Array) -> Relation:
    """The cost of the chain against that of the geodesic between its ends."""
    return ge(cost_of_kernels(factors), cost(whole_of(factors), factors.shape[-3] - 1))


def layers_between_kernels(factors: Array) -> Relation:
    """Norms, product and pseudo-determinants of the layers, for factors with a common row space."""
    kernels, layers = gram(factors), factors[..., 1:, :, :] @ pseudo_inverse(factors[..., :-1, :, :])
    product = layers[..., 0, :, :]
    for layer in range(1, layers.shape[-3]):
        product = layers[..., layer, :, :] @ product
    traces = (kernels[..., 1:, :, :] * pseudo_inverse(kernels[..., :-1, :, :])).sum(axis=(-2, -1))
    determinants = pseudo_determinant(gram(layers)) * pseudo_determinant(kernels[..., :-1, :, :])
    return (
        eq(frobenius_norm_squared(layers), traces, name="norms", over=1)
        & eq(product, factors[..., -1, :, :] @ pseudo_inverse(factors[..., 0, :, :]), name="product", over=2)
        & eq(determinants, pseudo_determinant(kernels[..., 1:, :, :]), name="determinants", over=1)
    )


def with_common_rows(factors: Array, rows: Array) -> Array:
    """Factors of kernels that vanish where `rows` does, shapes ``(..., L + 1, w, k), (..., k, n) -> (..., L + 1, w, n)``."""
    return np.asarray(factors @ rows[..., None, :, :])


def have_a_common_image(factors: Array) -> npt.NDArray[np.bool_]:
    """Whether all kernels have the same image."""
    first = np.asarray(rank(factors[..., 0, :, :]))
    size, count = factors.shape[-1], factors.shape[-3] * factors.shape[-2]
    together = np.asarray(rank(factors.reshape(*factors.shape[:-3], count, size)))
    return np.asarray((np.asarray(rank(factors)) == first[..., None]).all(axis=-1) & (together == first))


# False variants


def traces_backwards(factors: Array) -> Relation:
    r"""The norms as :math:`\mathrm{Tr}[K_{\ell-1}K_\ell^+]`."""
    kernels, layers = gram(factors), factors[..., 1:, :, :] @ pseudo_inverse(factors[..., :-1, :, :])
    traces = (kernels[..., :-1, :, :] * pseudo_inverse(kernels[..., 1:, :, :])).sum(axis=(-2, -1))
    return eq(frobenius_norm_squared(layers), traces, over=1)


def norms_multiply(factors: Array) -> Relation:
    """The norms in place of the pseudo-determinants."""
    layers = factors[..., 1:, :, :] @ pseudo_inverse(factors[..., :-1, :, :])
    norms = frobenius_norm_squared(factors)
    return eq(frobenius_norm_squared(layers) * norms[..., :-1], norms[..., 1:], over=1)


def energy_once(factors: Array) -> Relation:
    """The energy with the factor 1/L in place of 1/(2L)."""
    return up_to_the_energy(factors, second=4)


def rest_without_the_maximum(factors: Array) -> Relation:
    """The rest with 1 in place of the maximum."""
    layers, size = layers_of(factors), factors.shape[-1]
    logs = logs_of(singular_values(layers))
    first = log(determinant(gram(whole_of(factors)))) + size * layers.shape[-3]
    distance = cost_of_kernels(factors) - first - 2 * (logs**2).sum(axis=(-2, -1))
    return le(absolute(distance), FOUR_THIRDS * (absolute(logs) ** 3).sum(axis=(-2, -1)))


def energy_of_the_average(factors: Array) -> Relation:
    """Without the factor L: as if the energies of the layers added up to that of the whole."""
    return ge(second_correction(layers_of(factors)).sum(axis=-1), second_correction(whole_of(factors)))


def cost_of_the_straight_line(factors: Array) -> Relation:
    r"""The energy of the straight line, :math:`\sum_i(s_i - 1/s_i)^2`, as the least."""
    layers = layers_of(factors)
    values = singular_values(whole_of(factors))
    energy = 2 * layers.shape[-3] * second_correction(layers).sum(axis=-1)
    return ge(energy, ((values - 1 / values) ** 2).sum(axis=-1))


def cost_of_one_layer(factors: Array) -> Relation:
    """As if no chain cost less than a single layer."""
    return ge(cost_of_kernels(factors), cost(whole_of(factors), 1))


def first_order_alone(factors: Array) -> Relation:
    """The first two terms of the expansion with an energy from below, which is too much where singular values are small."""
    layers, size = layers_of(factors), factors.shape[-1]
    first = log(determinant(gram(whole_of(factors)))) + size * layers.shape[-3]
    return ge(cost_of_kernels(factors), first + 2 * (logs_of(singular_values(layers)) ** 2).sum(axis=(-2, -1)))


# Exact parts, the ladder of depths, and sharp instances


def straight_line_in_symbols() -> Relation:
    """The energy of K(t) = 1 - t + t s^2 is (s - 1/s)^2, that of the geodesic s^(2t) is 4 log(s)^2."""
    import sympy as sp

    t, s = sp.symbols("t s", positive=True)
    antiderivative = -(s**2 - 1) / (1 - t + t * s**2)
    line = sp.diff(antiderivative, t) - ((s**2 - 1) / (1 - t + t * s**2)) ** 2
    energy = antiderivative.subs(t, 1) - antiderivative.subs(t, 0)
    geodesic = sp.diff(s ** (2 * t), t) / s ** (2 * t)
    return identically_zero(line, energy - (s - 1 / s) ** 2, geodesic - 2 * sp.log(s))


def distances(depths: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Distance of the cost to its expansion along B(t) = I + tX, whose kernels do not commute, on a ladder of depths."""
    change = np.array([[0.7, -0.9], [0.4, 0.2]])
    nodes, weights = np.polynomial.legendre.leggauss(40)
    at = (nodes + 1) / 2
    speeds = change @ np.linalg.inv(np.eye(2) + at[:, None, None] * change)
    energy = (weights / 2 * ((speeds + speeds.swapaxes(-1, -2)) ** 2).sum(axis=(-2, -1))).sum()
    found = []
    for depth in depths:
        factors = np.eye(2) + np.linspace(0, 1, int(depth) + 1)[:, None, None] * change
        first = 2 * depth + 2 * np.log(np.linalg.det(factors[-1]))
        found.append(abs(float(cost_of_kernels(factors)) - first - energy / (2 * depth)))
    return np.array(found)


def constant_path(depth: int) -> dict[str, Any]:
    """The same kernel in every layer."""
    return {"factors": np.broadcast_to(rationals([[1, 2], [0, 3]]), (depth + 1, 2, 2))}


def geodesic(depth: int, *roots: object) -> dict[str, Any]:
    """Powers of one matrix, in another frame for each layer."""
    frames = rotation(rationals([[f"1/{layer + 2}"] for layer in range(depth + 1)]))
    powers = np.stack([rationals(roots) ** layer for layer in range(depth + 1)])
    return {"factors": rotated(frames, powers, np.broadcast_to(frames[0], frames.shape))}


def nearly_constant() -> dict[str, Any]:
    """One layer with the weight 1 + 10^-7."""
    return {"factors": rationals([[[1]], [["10000001/10000000"]]])}


FRAMES = derived(rotation, chart=reals(lambda sizes: sizes["depth"] + 1, plane_rotations("dimension")))
FACTORS = derived(
    rotated,
    left=FRAMES,
    values=interval(Q("1/4"), 4, lambda sizes: sizes["depth"] + 1, "dimension"),
    right=FRAMES,
)
DOMAIN = Domain({"factors": FACTORS}, {"depth": (1, 2, 3, 5), "dimension": range(1, 4)})
OURS = Source("bottleneck_structure", "ours")

CLAIM = Claim(
    id="bottleneck_structure.geodesic_energy",
    title="A chain of kernels costs its rank, its determinant, and its energy",
    source=OURS,
    status=Ours(),
    statement=up_to_the_energy,
    domain=DOMAIN,
    tight={
        "a constant path": Tight(partial(constant_path, 3)),
        "one layer near the identity": Tight(nearly_constant, 1e-6, "terms of fourth order are left out"),
    },
    false_neighbours={"the energy twice": energy_once, "the rest without the maximum": rest_without_the_maximum},
    rate=Rate(distances, tuple(2**k for k in range(4, 11)), -2.0),
)

LEAST = Claim(
    id="bottleneck_structure.geodesic_energy.least",
    title="No chain of kernels has less energy than the geodesic",
    source=OURS,
    status=Ours(),
    statement=energy_is_at_least,
    domain=DOMAIN,
    tight={
        "depth 2": Tight(partial(geodesic, 2, 2, "1/3")),
        "depth 5": Tight(partial(geodesic, 5, "3/2", "1/2")),
    },
    false_neighbours={"energies add up": energy_of_the_average, "the straight line is the least": cost_of_the_straight_line},
    exact={"the straight line in symbols": straight_line_in_symbols},
)

COST = Claim(
    id="bottleneck_structure.geodesic_energy.cost",
    title="No chain of kernels costs less than the geodesic",
    source=OURS,
    status=Ours(),
    statement=cost_is_at_least,
    domain=DOMAIN,
    tight={
        "depth 2": Tight(partial(geodesic, 2, 2, "1/3")),
        "depth 5": Tight(partial(geodesic, 5, "3/2", "1/2")),
    },
    false_neighbours={"one layer is best": cost_of_one_layer, "the energy from below": first_order_alone},
)

LAYERS = Claim(
    id="bottleneck_structure.geodesic_energy.layers",
    title="Kernels of any rank with a common image are those of linear layers",
    source=OURS,
    status=Ours(),
    statement=layers_between_kernels,
    domain=Domain(
        {
            "factors": derived(
                with_common_rows,
                factors=reals(lambda sizes: sizes["depth"] + 1, "width", "rank"),
                rows=reals("rank", "inputs"),
            )
        },
        {"depth": (1, 2, 3), "width": (1, 2, 3, 4), "rank": (1, 2, 3), "inputs": (1, 2, 3)},
        {"the kernels have a common image": have_a_common_image},
    ),
    needs=("the kernels have a common image",),
    cost=4,
    false_neighbours={"the traces the other way": traces_backwards, "norms multiply": norms_multiply},
)
