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
Tight
    Constant paths; one layer near the identity.
Source
    derived here, beside the remark on geodesics in Section 3.3 of bottleneck_structure.
"""

import numpy as np

from theorems.bottleneck_structure.constructions.kernel_paths import FACTORS, SIZES, cost_of_kernels, layers_of, whole_of
from verify import Claim, DerivedHere, Domain, Q, Rate, Source, Tight
from verify.words import absolute, determinant, le, log, maximum, singular_values


def distance(B, logs, second=2):
    """What the cost of the chain exceeds its expansion by."""
    (depth, k), A = (len(B) - 1, B.shape[-1]), whole_of(B)
    return absolute(cost_of_kernels(B) - k * depth - log(determinant(A.T @ A)) - second * (logs**2).sum())


def up_to_the_energy(B, second=2):
    sigma = singular_values(layers_of(B))
    logs = log(sigma)
    return le(distance(B, logs, second), Q(4, 3) * (absolute(logs) ** 3 * maximum(1, sigma**2)).sum())


def rest_without_the_maximum(B):
    logs = log(singular_values(layers_of(B)))
    return le(distance(B, logs), Q(4, 3) * (absolute(logs) ** 3).sum())


def distances(depths):
    """Distance of the cost to its expansion along B(t) = I + tX, whose kernels do not commute, on a ladder of depths."""
    X = np.array([[0.7, -0.9], [0.4, 0.2]])
    nodes, weights = np.polynomial.legendre.leggauss(40)
    at = (nodes + 1) / 2
    speeds = X @ np.linalg.inv(np.eye(2) + at[:, None, None] * X)
    energy = (weights / 2 * ((speeds + speeds.swapaxes(1, 2)) ** 2).sum(axis=(1, 2))).sum()
    found = []
    for L in map(int, depths):
        B = np.eye(2) + np.linspace(0, 1, L + 1)[:, None, None] * X
        first = 2 * L + 2 * np.log(np.linalg.det(B[-1]))
        found.append(abs(float(cost_of_kernels(B)) - first - energy / (2 * L)))
    return np.array(found)


CLAIM = Claim(
    id="bottleneck_structure.geodesic_energy",
    title="A chain of kernels costs its rank, its determinant, and its energy",
    source=Source("bottleneck_structure", "derived here"),
    status=DerivedHere(),
    statement=up_to_the_energy,
    domain=Domain({"B": FACTORS}, SIZES),
    tight={
        "a constant path": {"B": [[[1, 2], [0, 3]]] * 4},
        "one layer near the identity": Tight(
            lambda: {"B": [[[1]], [["10000001/10000000"]]]}, 1e-6, "terms of fourth order are left out"
        ),
    },
    false_variants={"the energy twice": {"second": 4}, "the rest without the maximum": rest_without_the_maximum},
    rate=Rate(distances, tuple(2**k for k in range(4, 11)), -2.0),
)
