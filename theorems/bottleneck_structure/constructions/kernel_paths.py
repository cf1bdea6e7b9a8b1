r"""Paths of kernels :math:`K_\ell = B_\ell^TB_\ell`, by their factors, shape ``(L + 1, k, k)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from theorems.shared.balanced import plane_rotations, rotated, rotation
from verify import Q, derived, interval, reals
from verify.numbers.arithmetic import Array, rationals
from verify.numbers.parameters import widened
from verify.words import inverse, lifted


@widened
def layers_of(B: Array) -> Array:
    r""":math:`W_\ell = B_\ell B_{\ell-1}^{-1}`."""
    return B[1:] @ inverse(B[:-1])


@widened
def cost_of_kernels(B: Array) -> Array:
    r""":math:`\sum_\ell \mathrm{Tr}[K_\ell K_{\ell-1}^{-1}]`."""
    K = B.swapaxes(1, 2) @ B
    return (K[1:] * inverse(K[:-1])).sum()


@widened
def whole_of(B: Array) -> Array:
    r""":math:`A = W_L\cdots W_1`."""
    return B[-1] @ inverse(B[0])


@widened
def geodesic(L: int, *roots: object) -> dict[str, Any]:
    """Powers of one matrix, in another frame for each layer: the affine-invariant geodesic."""
    frames = rotation(rationals([[f"1/{layer + 2}"] for layer in range(L + 1)]))
    powers = np.stack([rationals(roots) ** layer for layer in range(L + 1)])
    return {"B": rotated(frames, powers, np.broadcast_to(frames[0], frames.shape))}


FRAMES = derived(lifted(rotation), chart=reals(lambda sizes: sizes["depth"] + 1, plane_rotations("dimension")))
FACTORS = derived(
    lifted(rotated),
    left=FRAMES,
    values=interval(Q("1/4"), 4, lambda sizes: sizes["depth"] + 1, "dimension"),
    right=FRAMES,
)
"""Factors of kernels of full rank."""
SIZES = {"depth": (1, 2, 3, 5), "dimension": range(1, 4)}
