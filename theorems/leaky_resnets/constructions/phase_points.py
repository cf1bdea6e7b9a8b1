"""Points of phase space, activations A and adjoints B, as claims draw them."""

from __future__ import annotations

from theorems.leaky_resnets.constructions.representations import sigma
from verify import derived, integers, reals
from verify.networks.leaky_resnet import activation_kernel
from verify.numbers.arithmetic import Array
from verify.numbers.parameters import widened
from verify.words import absolute, greatest, inner, least, lifted, norm2, pinv, where

PHASE_SIZES = {"width": range(1, 4), "points": range(1, 5)}
"""Numbers of neurons and points, with more points than features among them."""


@widened
def hamiltonian(A: Array, B: Array) -> Array:
    r""":math:`\mathcal H/L = \frac12\|B\sigma(A)^T\|^2 - \mathrm{Tr}[BA^T]`."""
    return norm2(B @ sigma(A).T) / 2 - inner(B, A)


@widened
def of_one_sign(A: Array, kind: Array) -> Array:
    """The activations (0), or their absolute values (1)."""
    return where(kind == 1, absolute(A), A)


@widened
def phase_point(A: Array, B: Array, rest: Array) -> tuple[Array, Array]:
    r"""A and B (0); a point at which nothing moves, as far as the kernel sees, :math:`B = AK^+` (1), moved by B / 64 (2); the
    same with what the kernel does not see of A added to B (3).
    """
    K = lifted(activation_kernel)(A)
    resting = A @ pinv(K)
    return A, where(rest == 0, B, resting + where(rest == 2, B / 64, 0) + where(rest == 3, A - resting @ K, 0))


ACTIVATIONS = derived(of_one_sign, A=reals("width", "points"), kind=integers(0, 1), role="values")
"""Activations of both signs, or none negative."""


SMOOTH = "no activation is zero"


@widened
def has_no_zero(A: Array) -> Array:
    """Whether no activation is at the kink."""
    return (A != 0).all()


@widened
def safe_step(A: Array, D: Array) -> Array:
    """A step along D that changes the sign of no entry of A that has one."""
    return least(where(A == 0, 1, absolute(A))) / (1 + greatest(absolute(D))) / 2
