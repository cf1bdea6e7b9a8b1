r"""Hamilton's equations of a leaky ResNet: critical weights move activations and adjoints by the derivatives of one energy.

Statement
    With :math:`W_p = LB_p\sigma(A_p)^T` the forward and the backward equation of a leaky ResNet are

    .. math:: \partial_p A = \partial_B\mathcal H = L(BK - A), \qquad
              -\partial_p B = \partial_A\mathcal H = L(\dot\sigma(A)\odot[\bar\sigma(A)B^TB] - B)

    for :math:`\mathcal H(A, B) = \frac L2\|B\sigma(A)^T\|^2 - L\,\mathrm{Tr}[BA^T]`, wherever no activation is zero.
Correction
    The print has :math:`\sigma(A)B^TB`, which has w + 1 rows beside the w rows of B: the row of the bias is dropped.
Checked
    Both equations, divided by L, along random directions. While no activation changes its sign, H is a quadratic function of
    A and of B, so that a central difference is its derivative without error. The engine's velocities are the same. In sympy:
    the derivatives themselves, for small w and N and every pattern of signs.
Proof idea
    The derivative of :math:`\bar\sigma` is a mask; the row of ones does not depend on A.
Source
    leaky_resnets, Section 1.5.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES, SMOOTH, has_no_zero, safe_step
from theorems.leaky_resnets.constructions.representations import transposed
from verify import Claim, Domain, Relation, Source, eq, reals
from verify.arithmetic import Array
from verify.networks.leaky_resnet import (
    activation_kernel,
    active,
    adjoint_velocity,
    feature_matrix,
    hamiltonian,
    inner,
    rectified,
    velocity,
)
from verify.symbolic import identically_zero


def slope_in_A(A: Array, B: Array, direction: Array) -> Array:
    """Central difference of H / L by the activations."""
    step = safe_step(A, direction)
    moved = step[..., None, None] * direction
    return np.asarray((hamiltonian(A + moved, B) - hamiltonian(A - moved, B)) / (2 * step))


def slope_in_B(A: Array, B: Array, direction: Array) -> Array:
    """Central difference of H / L by the adjoints."""
    return np.asarray((hamiltonian(A, B + direction) - hamiltonian(A, B - direction)) / 2)


def equations_of_motion(A: Array, B: Array, direction: Array) -> Relation:
    """Both of Hamilton's equations, and that the engine integrates exactly these."""
    forward = B @ activation_kernel(A) - A
    backward = active(A) * (rectified(A) @ transposed(B) @ B) - B
    return (
        eq(slope_in_B(A, B, direction), inner(forward, direction), name="forward")
        & eq(slope_in_A(A, B, direction), inner(backward, direction), name="backward")
        & eq(velocity(A, B), forward, name="engine forward", over=2)
        & eq(-adjoint_velocity(A, B), backward, name="engine backward", over=2)
    )


def equations_in_symbols(shapes: tuple[tuple[int, int], ...] = ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3))) -> Relation:
    """Both equations with symbolic A and B, for each (w, N) in `shapes` and every pattern of signs of A."""
    import sympy as sp

    remainders = []
    for w, n in shapes:
        A, B = (sp.Matrix(w, n, sp.symbols(f"{name}:{w * n}", real=True)) for name in "ab")
        for pattern in product((0, 1), repeat=w * n):
            mask = sp.Matrix(w, n, pattern)
            bar = mask.multiply_elementwise(A)
            kernel = bar.T * bar + sp.ones(n, n)
            energy = (B * kernel * B.T).trace() / 2 - (B * A.T).trace()
            forward = B * kernel - A
            backward = mask.multiply_elementwise(bar * B.T * B) - B
            remainders += [energy.diff(b) - one for b, one in zip(B, forward, strict=True)]
            remainders += [energy.diff(a) - one for a, one in zip(A, backward, strict=True)]
    return identically_zero(*remainders)


# False variants


def forward_without_leak(A: Array, B: Array, direction: Array) -> Relation:
    """The activations move by W sigma(A) alone."""
    return eq(slope_in_B(A, B, direction), inner(B @ activation_kernel(A), direction))


def forward_without_bias(A: Array, B: Array, direction: Array) -> Relation:
    """The kernel lacks the ones."""
    return eq(slope_in_B(A, B, direction), inner(B @ activation_kernel(A, bias=False) - A, direction))


def backward_without_leak(A: Array, B: Array, direction: Array) -> Relation:
    """The adjoints move by the weights alone."""
    return eq(slope_in_A(A, B, direction), inner(active(A) * (rectified(A) @ transposed(B) @ B), direction))


def backward_without_mask(A: Array, B: Array, direction: Array) -> Relation:
    """The derivative of the activation is forgotten."""
    return eq(slope_in_A(A, B, direction), inner(rectified(A) @ transposed(B) @ B - B, direction))


def backward_with_ones(A: Array, B: Array, direction: Array) -> Relation:
    """The row of ones is added to every neuron, one reading of the print."""
    ones = feature_matrix(A)[..., -1:, :]
    pulled = (rectified(A) + ones) @ transposed(B) @ B
    return eq(slope_in_A(A, B, direction), inner(active(A) * pulled - B, direction))


CLAIM = Claim(
    id="leaky_resnets.hamiltonian",
    title="Activations and adjoints of critical weights obey Hamilton's equations",
    source=Source("leaky_resnets", "Section 1.5"),
    statement=equations_of_motion,
    domain=Domain(
        {"A": reals("width", "points"), "B": reals("width", "points"), "direction": reals("width", "points")},
        PHASE_SIZES,
        {SMOOTH: has_no_zero},
    ),
    needs=(SMOOTH,),
    false_neighbours={
        "no leak in the forward equation": forward_without_leak,
        "no bias in the forward equation": forward_without_bias,
        "no leak in the backward equation": backward_without_leak,
        "derivative of the activation forgotten": backward_without_mask,
        "bias row kept in the backward equation": backward_with_ones,
    },
    exact={"in symbols": equations_in_symbols},
)
