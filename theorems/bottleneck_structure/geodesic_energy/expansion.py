r"""The cost of a chain of kernels, up to the third order.

Statement
    For every chain of kernels of full rank, smooth or not, with the layers :math:`W_\ell = B_\ell B_{\ell-1}^{-1}` of the
    product A, where the sums run over the singular values :math:`\sigma` of all layers,

    .. math:: \Bigl|\sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^{-1}] - Lk - 2\log|A| - 2\sum(\log\sigma)^2\Bigr|
              \le \frac43\sum|\log\sigma|^3\max(1, \sigma^2) .

    On a smooth path the logarithms are of order 1/L, and the sum of their squares is a Riemann sum of the energy.
Checked
    The inequality. Along a path whose kernels do not commute, that the energy leaves a rest of order :math:`L^{-2}`.
Proof idea
    :math:`\mathrm{Tr}[K_\ell K_{\ell-1}^{-1}] = \|W_\ell\|_F^2`, and Taylor's formula for :math:`e^{2\log\sigma}`.
Sharp
    Constant paths; one layer near the identity.
Source
    ours, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.bottleneck_structure.constructions.corrections import gram
from theorems.bottleneck_structure.constructions.kernel_paths import FACTORS, SIZES, cost_of_kernels, layers_of, whole_of
from theorems.notion_of_rank.constructions.spectra import logs_of
from verify import Claim, Domain, Ours, Q, Rate, Relation, Source, Tight, le
from verify.arithmetic import Array, absolute, log, maximum, rationals
from verify.matrices import determinant, singular_values

FOUR_THIRDS = Q("4/3")


def first_orders(factors: Array) -> Array:
    r""":math:`Lk + 2\log|A|`."""
    return np.asarray(log(determinant(gram(whole_of(factors)))) + factors.shape[-1] * (factors.shape[-3] - 1))


def up_to_the_energy(factors: Array, second: int = 2, third: Q = FOUR_THIRDS) -> Relation:
    """The distance of the cost from its expansion against the rest of third order."""
    values = singular_values(layers_of(factors))
    logs, squares = logs_of(values), values**2
    rest = absolute(logs) ** 3 * maximum(squares, 0 * squares + 1)
    distance = cost_of_kernels(factors) - first_orders(factors) - second * (logs**2).sum(axis=(-2, -1))
    return le(absolute(distance), third * rest.sum(axis=(-2, -1)))


# False variants


def energy_twice(factors: Array) -> Relation:
    """The energy with the factor 1/L in place of 1/(2L)."""
    return up_to_the_energy(factors, second=4)


def rest_without_the_maximum(factors: Array) -> Relation:
    """The rest with 1 in place of the maximum."""
    logs = logs_of(singular_values(layers_of(factors)))
    distance = cost_of_kernels(factors) - first_orders(factors) - 2 * (logs**2).sum(axis=(-2, -1))
    return le(absolute(distance), FOUR_THIRDS * (absolute(logs) ** 3).sum(axis=(-2, -1)))


# The ladder of depths, and sharp instances


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


def nearly_constant() -> dict[str, Any]:
    """One layer with the weight 1 + 10^-7."""
    return {"factors": rationals([[[1]], [["10000001/10000000"]]])}


CLAIM = Claim(
    id="bottleneck_structure.geodesic_energy",
    title="A chain of kernels costs its rank, its determinant, and its energy",
    source=Source("bottleneck_structure", "ours"),
    status=Ours(),
    statement=up_to_the_energy,
    domain=Domain({"factors": FACTORS}, SIZES),
    tight={
        "a constant path": Tight(partial(constant_path, 3)),
        "one layer near the identity": Tight(nearly_constant, 1e-6, "terms of fourth order are left out"),
    },
    false_neighbours={"the energy twice": energy_twice, "the rest without the maximum": rest_without_the_maximum},
    rate=Rate(distances, tuple(2**k for k in range(4, 11)), -2.0),
)
