r"""Paths of kernels :math:`K_\ell = B_\ell^TB_\ell`, by their factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.bottleneck_structure.constructions.corrections import gram
from theorems.notion_of_rank.constructions.balanced import plane_rotations, rotated, rotation
from verify import Q, derived, interval, reals
from verify.arithmetic import Array, rationals
from verify.matrices import inverse


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


def geodesic(depth: int, *roots: object) -> dict[str, Any]:
    """Powers of one matrix, in another frame for each layer: the affine-invariant geodesic."""
    frames = rotation(rationals([[f"1/{layer + 2}"] for layer in range(depth + 1)]))
    powers = np.stack([rationals(roots) ** layer for layer in range(depth + 1)])
    return {"factors": rotated(frames, powers, np.broadcast_to(frames[0], frames.shape))}


FRAMES = derived(rotation, chart=reals(lambda sizes: sizes["depth"] + 1, plane_rotations("dimension")))
FACTORS = derived(
    rotated,
    left=FRAMES,
    values=interval(Q("1/4"), 4, lambda sizes: sizes["depth"] + 1, "dimension"),
    right=FRAMES,
)
"""Factors of kernels of full rank."""
SIZES = {"depth": (1, 2, 3, 5), "dimension": range(1, 4)}
