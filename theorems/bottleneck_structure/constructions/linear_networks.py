"""Linear networks of least norm, and others beside them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.notion_of_rank.constructions.arrays import transpose
from theorems.notion_of_rank.constructions.balanced import balanced_factors, plane_rotations, rational_factors, rotation
from theorems.notion_of_rank.constructions.spectra import cost_per_layer
from verify import Sizes, derived, integers, interval, reals
from verify.arithmetic import Array, compare, is_exact
from verify.matrices import frobenius_norm_squared
from verify.networks import FullyConnected, identity


def linear_network(left: Array, roots: Array, right: Array, hidden: Array, kind: Array) -> FullyConnected:
    """Balanced factors with these frames (`kind` at most 0); with twice the first and half of the last layer (1); or with a
    direction that the first layer adds and the second forgets (2), where the hidden frames leave room for one.
    """
    network, rank = balanced_factors(left, roots, right, hidden), roots.shape[-1]
    weights, depth = list(network.weights), len(network.weights)
    tilt = (1 + (compare(kind, 1) == 0))[..., None, None]
    weights[0], weights[-1] = weights[0] * tilt, weights[-1] / tilt
    if depth > 1 and hidden.shape[-1] > rank:
        added = hidden[..., 0, :, rank, None] * transpose(right[..., :, :1])
        weights[0] = weights[0] + (compare(kind, 2) == 0)[..., None, None] * added
    return FullyConnected(weights, activation=identity())


def costs_the_least(network: FullyConnected) -> npt.NDArray[np.bool_]:
    r"""Whether :math:`W_\ell W_\ell^T = W_{\ell+1}^TW_{\ell+1}` between all layers; for floats up to rounding."""
    found = np.ones(network.batch_shape, dtype=bool)
    for before, after in pairwise(network.weights):
        gap = before @ transpose(before) - transpose(after) @ after
        size = frobenius_norm_squared(before) + frobenius_norm_squared(after)
        rounding = 0 * size if is_exact(before) else 2.0**-80 * size**2
        found = found & (compare(frobenius_norm_squared(gap), rounding) <= 0)
    return found


def cost(matrix: Array, depth: int) -> Array:
    r""":math:`R(A; L) = L\|A\|_{2/L}^{2/L}`."""
    return np.asarray(depth * cost_per_layer(matrix, depth))


def partial_products(network: FullyConnected) -> list[Array]:
    r""":math:`M_\ell = W_\ell\cdots W_1` for :math:`1 \le \ell \le L`."""
    products = [network.weights[0]]
    for weight in network.weights[1:]:
        products.append(weight @ products[-1])
    return products


def remaining_products(network: FullyConnected) -> list[Array]:
    r""":math:`N_\ell = W_L\cdots W_{\ell+1}` for :math:`0 \le \ell < L`."""
    products = [network.weights[-1]]
    for weight in network.weights[-2::-1]:
        products.append(products[-1] @ weight)
    return products[::-1]


def norms_of_layers(network: FullyConnected) -> Array:
    r""":math:`\|W_\ell\|_F^2`, shape ``(..., L)``."""
    return np.stack([frobenius_norm_squared(weight) for weight in network.weights], axis=-1)


def planted(depth: int, *roots: object) -> dict[str, Any]:
    """A network of least norm whose singular values are powers of `roots`."""
    return rational_factors(depth, *roots)


def has_room(sizes: Sizes) -> bool:
    """Whether the layers have room for the rank, and floats tell the singular values of the product."""
    return sizes["rank"] <= min(sizes["inputs"], sizes["width"], sizes["outputs"], 20 // sizes["depth"])


LINEAR = derived(
    linear_network,
    left=derived(rotation, chart=reals(plane_rotations("outputs"))),
    roots=interval(0, np.inf, "rank"),
    right=derived(rotation, chart=reals(plane_rotations("inputs"))),
    hidden=derived(rotation, chart=reals(lambda sizes: sizes["depth"] - 1, plane_rotations("width"))),
    kind=integers(-1, 2),
)
"""Linear networks, about half of them of least norm."""
SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 3, 4), "outputs": (1, 2, 3), "rank": (1, 2, 3)}
LEAST = {"the norm is the least": costs_the_least}
