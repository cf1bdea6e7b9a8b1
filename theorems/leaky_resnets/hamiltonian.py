r"""Critical paths of a leaky ResNet are Hamiltonian: A moves like a position and B like a momentum.

With :math:`K = \sigma(A)^T\sigma(A) = \bar\sigma(A)^T\bar\sigma(A) + \mathbf 1\mathbf 1^T` and

.. math:: \mathcal H(A, B) = \tfrac L2\|B\sigma(A)^T\|_F^2 - L\,\mathrm{Tr}[BA^T]

the forward and the backward equation at a critical point are Hamilton's equations,

.. math:: \partial_p A = L(BK - A) = \partial_B\mathcal H, \qquad
          -\partial_p B = L(\dot\sigma(A)\odot[\bar\sigma(A)B^TB] - B) = \partial_A\mathcal H .

(The print has :math:`\sigma(A)` for :math:`\bar\sigma(A)` in the second equation: w + 1 rows on one side and w on the other.)

What is checked: as long as no entry of A changes its sign, H is quadratic in A and quadratic in B, so that a central
difference with a step short enough is its derivative, without error. Both equations are compared with such differences, in
random directions, for every A without zero entries. In sympy the derivatives themselves are compared, for small w and N and
every pattern of signs.

Source: leaky_resnets, Section 1.5.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from verify import Claim, Domain, Relation, Source, eq, reals
from verify.arithmetic import Array, absolute, largest, smallest
from verify.networks.leaky_resnet import (
    activation_kernel,
    active,
    adjoint_velocity,
    hamiltonian,
    rectified,
    squared_norm,
    velocity,
)
from verify.symbolic import identically_zero


def flat(matrix: Array) -> Array:
    """The entries of each matrix in a row, ``(..., w, N) -> (..., w N)``."""
    return matrix.reshape(*matrix.shape[:-2], -1)


def has_no_zero(A: Array) -> Array:
    """Whether no activation is at the kink."""
    return np.asarray(smallest(absolute(flat(A))) > 0)


def safe_step(A: Array, direction: Array) -> Array:
    """A step along `direction`, shape ``(..., 1, 1)``, that changes the sign of no entry of A."""
    step = smallest(absolute(flat(A))) / (1 + largest(absolute(flat(direction)))) / 2
    return np.asarray(step)[..., None, None]


def central_difference(values: tuple[Array, Array], step: Array) -> Array:
    """Difference quotient of values at plus and minus `step`."""
    return np.asarray((values[0] - values[1]) / (2 * step[..., 0, 0]))


def forward_law(A: Array, B: Array, direction: Array, leak: int = 1) -> Relation:
    r""":math:`\partial_p A` along `direction` against the derivative of H in B (both divided by L)."""
    step = safe_step(A, direction)
    energies = hamiltonian(A, B + step * direction), hamiltonian(A, B - step * direction)
    stated = ((B @ activation_kernel(A) - leak * A) * direction).sum(axis=(-2, -1))
    return eq(central_difference(energies, step), stated, scale=sizes(A, B, direction, step))


def sizes(A: Array, B: Array, direction: Array, step: Array) -> Array:
    """Size of the quantities that cancel in a difference quotient of H."""
    moved = squared_norm(B) + squared_norm(direction)
    return np.asarray((1 + squared_norm(A) + squared_norm(direction)) ** 2 * (1 + moved) / step[..., 0, 0])


def backward_law(A: Array, B: Array, direction: Array, *, leak: int = 1, bias: int = 0, masked: bool = True) -> Relation:
    r""":math:`-\partial_p B` along `direction` against the derivative of H in A (both divided by L)."""
    step = safe_step(A, direction)
    energies = hamiltonian(A + step * direction, B), hamiltonian(A - step * direction, B)
    pulled = (rectified(A) + bias) @ np.swapaxes(B, -1, -2) @ B
    force = (active(A) * pulled if masked else pulled) - leak * B
    return eq(central_difference(energies, step), (force * direction).sum(axis=(-2, -1)), scale=sizes(A, B, direction, step))


def equations_of_motion(A: Array, B: Array, direction: Array) -> Relation:
    """Both of Hamilton's equations, and that the engine integrates exactly these."""
    pulled = rectified(A) @ np.swapaxes(B, -1, -2) @ B
    size = (1 + squared_norm(A) + squared_norm(B))[..., None, None] ** 2
    engine = eq(velocity(A, B), B @ activation_kernel(A) - A, scale=size, over=2)
    engine &= eq(-adjoint_velocity(A, B), active(A) * pulled - B, scale=size, over=2)
    return forward_law(A, B, direction) & backward_law(A, B, direction) & engine


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


CLAIM = Claim(
    id="leaky_resnets.hamiltonian",
    title="Hamilton's equations of a leaky ResNet",
    source=Source("leaky_resnets", "Section 1.5"),
    statement=equations_of_motion,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "B": reals("width", "points"),
            "direction": reals("width", "points"),
        },
        {"width": range(1, 4), "points": range(1, 5)},
        {"no activation is zero": has_no_zero},
    ),
    false_neighbours={
        "no leak in the forward equation": partial(forward_law, leak=0),
        "leak twice in the forward equation": partial(forward_law, leak=2),
        "no leak in the backward equation": partial(backward_law, leak=0),
        "derivative of the activation forgotten": partial(backward_law, masked=False),
        "bias row kept in the backward equation": partial(backward_law, bias=1),
    },
    exact={"in symbols": equations_in_symbols},
)
