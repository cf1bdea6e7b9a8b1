"""Linear networks of least norm, and others beside them."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from theorems.shared.balanced import balanced_factors, plane_rotations, rational_factors, rotation
from verify import Relation, Sizes, derived, integers, interval, reals
from verify.networks import FullyConnected, identity
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import Q, eq, holds, lifted, norm2, schatten_power, stack

network, factors, rotated_frame = lifted(FullyConnected), lifted(balanced_factors), lifted(rotation)


@widened
def linear_network(left: Array, roots: Array, right: Array, hidden: Array, kind: Array) -> FullyConnected:
    """Balanced factors with these frames (`kind` at most 0); with twice the first and half of the last layer (1); or with a
    direction that the first layer adds and the second forgets (2), where the hidden frames leave room for one.
    """
    W, k = list(factors(left, roots, right, hidden).weights), len(roots)
    tilt = 1 + (kind == 1)
    W[0], W[-1] = W[0] * tilt, W[-1] / tilt
    if len(W) > 1 and hidden.shape[-1] > k:
        W[0] = W[0] + (kind == 2) * np.outer(hidden[0][:, k], right[:, 0])
    return network(W, activation=identity())


@widened
def costs_the_least(f: FullyConnected) -> Any:
    r"""Whether :math:`W_\ell W_\ell^T = W_{\ell+1}^TW_{\ell+1}` between all layers; for floats up to rounding."""
    relation = Relation(())
    for before, after in pairwise(f.weights):
        relation &= eq(before @ before.T, after.T @ after)
    return holds(relation)


@widened
def cost(A: Array, L: int) -> Array:
    r""":math:`R(A; L) = L\|A\|_{2/L}^{2/L}`."""
    return L * schatten_power(A, Q(2, L))


@widened
def partial_products(f: FullyConnected) -> list[Array]:
    r""":math:`M_\ell = W_\ell\cdots W_1` for :math:`1 \le \ell \le L`."""
    return [*accumulate(f.weights, lambda product, W: W @ product)]


@widened
def remaining_products(f: FullyConnected) -> list[Array]:
    r""":math:`N_\ell = W_L\cdots W_{\ell+1}` for :math:`0 \le \ell < L`."""
    return [*accumulate(f.weights[::-1], lambda product, W: product @ W)][::-1]


@widened
def norms_of_layers(f: FullyConnected) -> Array:
    r""":math:`\|W_\ell\|_F^2`, shape ``(L,)``."""
    return stack([norm2(W) for W in f.weights])


@widened
def planted(L: int, *roots: object) -> dict[str, Any]:
    """A network of least norm whose singular values are powers of `roots`."""
    return {"f": rational_factors(L, *roots)["network"]}


@widened
def has_room(sizes: Sizes) -> bool:
    """Whether the layers have room for the rank, and floats tell the singular values of the product."""
    return sizes["rank"] <= min(sizes["inputs"], sizes["width"], sizes["outputs"], 20 // sizes["depth"])


LINEAR = derived(
    linear_network,
    left=derived(rotated_frame, chart=reals(plane_rotations("outputs"))),
    roots=interval(0, np.inf, "rank"),
    right=derived(rotated_frame, chart=reals(plane_rotations("inputs"))),
    hidden=derived(rotated_frame, chart=reals(lambda sizes: sizes["depth"] - 1, plane_rotations("width"))),
    kind=integers(-1, 2),
    role="linear network",
)
"""Linear networks, about half of them of least norm."""
SIZES = {"depth": (2, 3, 4, 6, 13), "inputs": (1, 2, 3), "width": (1, 2, 3, 4), "outputs": (1, 2, 3), "rank": (1, 2, 3)}
LEAST = {"the norm is the least": costs_the_least}
