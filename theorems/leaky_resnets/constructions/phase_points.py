"""Points of phase space, activations A and adjoints B, as claims draw them."""

from __future__ import annotations

import numpy as np

from verify import derived, integers, reals
from verify.arithmetic import Array, absolute, compare, largest, smallest
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import activation_kernel

PHASE_SIZES = {"width": range(1, 4), "points": range(1, 5)}
"""Numbers of neurons and points, with more points than features among them."""


def of_one_sign(A: Array, kind: Array) -> Array:
    """The activations (0), or their absolute values (1)."""
    return np.asarray(np.where((compare(kind, 0) == 1)[..., None, None], absolute(A), A))


def phase_point(A: Array, B: Array, rest: Array) -> tuple[Array, Array]:
    r"""A and B (0); a point at which nothing moves, as far as the kernel sees, :math:`B = AK^+` (1), moved by B / 64 (2); the
    same with what the kernel does not see of A added to B (3).
    """
    kernel = activation_kernel(A)
    kinds = [(compare(rest, kind) == 0)[..., None, None] for kind in range(4)]
    resting = A @ pseudo_inverse(kernel)
    return A, np.where(kinds[0], B, resting + np.where(kinds[2], B / 64, 0) + np.where(kinds[3], A - resting @ kernel, 0))


ACTIVATIONS = derived(of_one_sign, A=reals("width", "points"), kind=integers(0, 1))
"""Activations of both signs, or none negative."""


SMOOTH = "no activation is zero"


def has_no_zero(A: Array) -> Array:
    """Whether no activation is at the kink."""
    return np.asarray((compare(A, 0) != 0).all(axis=(-2, -1)))


def safe_step(A: Array, direction: Array) -> Array:
    """A step along `direction`, batch-shaped, that changes the sign of no entry of A that has one."""
    sizes = np.where(compare(A, 0) == 0, 0 * A + 1, absolute(A))
    longest = largest(absolute(direction).reshape(*direction.shape[:-2], -1))
    return np.asarray(smallest(sizes.reshape(*A.shape[:-2], -1)) / (1 + longest) / 2)
