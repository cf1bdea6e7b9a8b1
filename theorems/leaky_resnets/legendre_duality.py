r"""The Legendre transform between Lagrangian and Hamiltonian: the inequality behind it, and what a velocity tells of B.

With :math:`\ell(A, \dot A) = \frac1{2L}\|LA + \dot A\|_K^2`, infinite where no W moves A so,

.. math:: \langle B, \dot A\rangle \le \ell(A, \dot A) + \mathcal H(A, B) \quad\text{for all } A, B \text{ and } \dot A ,

with equality exactly for :math:`\dot A = L(BK - A)`: the difference is :math:`\frac L2\|BK - A - \dot A/L\|_K^2`. The infinite
convention is needed. The momentum :math:`B = \partial_{\dot A}\ell = \frac1L(LA + \dot A)K^+` is one of equality; only the part
of B in the image of K is determined by the velocity: with any Z in its kernel, :math:`ZK = 0`, B + Z moves A in the same way
and has the same energy. The other half of the transform is :math:`\partial_A\ell = -\partial_A\mathcal H`, at constant
velocity on one side and constant momentum on the other.

What is checked, all divided by L: the inequality, for velocities in the image and outside of it; the equalities with a part in
the kernel, and the derivative of the Lagrangian, a quadratic function of the velocity, by differences without error; what a
velocity tells of B; and in polynomials, for small sizes with invertible kernels, momentum, energy and both derivatives by A.

Source: ours; the Lagrangian is leaky_resnets, Section 1.3, the Hamiltonian Section 1.5.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from theorems.leaky_resnets.speed_law import conditioning
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import (
    activation_kernel,
    feature_matrix,
    feature_norm_squared,
    hamiltonian,
    inner,
    squared_norm,
    velocity,
)
from verify.symbolic import identically_zero


def lagrangian(A: Array, moved: Array) -> Array:
    r""":math:`\frac1L\ell = \frac12\|A + \dot A/L\|_K^2`, ``(..., w, N), (..., w, N) -> (...)``; infinite off the image."""
    return np.asarray(feature_norm_squared(A + moved, feature_matrix(A)) / 2)


def momentum(A: Array, moved: Array) -> Array:
    r""":math:`B = (A + \dot A/L)K^+`, shape ``(..., w, N)``: of all momenta of a velocity the smallest."""
    features = feature_matrix(A)
    inverse = pseudo_inverse(features)
    return np.asarray((A + moved) @ inverse @ inverse.swapaxes(-1, -2))


def projection(A: Array) -> Array:
    """Onto the image of K, ``(..., w, N) -> (..., N, N)``."""
    features = feature_matrix(A)
    return np.asarray(pseudo_inverse(features) @ features)


def energy_bound(
    point: tuple[Array, Array, Array], ten_thousandths: int = 10_000, sign: int = 1, pseudo: bool = False
) -> Relation:
    """The product of momentum and velocity against the sum of both energies (through the pseudo-inverse if `pseudo`)."""
    A, B, moved = point
    features = feature_matrix(A)
    work = squared_norm((A + moved) @ pseudo_inverse(features)) / 2 if pseudo else lagrangian(A, moved)
    size = conditioning(features) * squared_norm(A + moved) + squared_norm(B @ features.swapaxes(-1, -2))
    size = size + squared_norm(A) + squared_norm(B) + squared_norm(moved)
    return le(inner(B, moved), (work + sign * hamiltonian(A, B)) * ten_thousandths / 10_000, scale=size)


def phase_velocity(A: Array, B: Array, other: Array, kind: Array) -> tuple[Array, Array, Array]:
    """With A and B the velocity of B (0), moved by some of the image (1) or by what the kernel does not see of B (2); any
    velocity in the image (3), and any at all (4).
    """
    kinds = [(compare(kind, place) == 0)[..., None, None] for place in range(5)]
    inside = other @ activation_kernel(A)
    moved = velocity(A, B) + np.where(kinds[1], inside / 64, 0) + np.where(kinds[2], B - B @ projection(A), 0)
    return A, B, np.where(kinds[4], other, np.where(kinds[3], inside - A, moved))


def moves_as_it_should() -> dict[str, tuple[Array, Array, Array]]:
    """Kernels that are singular and not, moved by their momenta."""
    A = rationals([[[1, 2, 0], [2, 1, 1]], [[-1, -2, 3], [1, 1, 1]]])
    B = rationals([[[1, 0, -1], [2, 1, 1]], [[3, -1, 1], [0, 1, -2]]])
    return {"point": (A, B, velocity(A, B))}


def transform(A: Array, R: Array, S: Array, direction: Array, percent: int = 100, image: int = 1, half: int = 2) -> Relation:
    r"""For the velocity with :math:`A + \dot A/L = RK` and the momentum with any part S(1 - KK^+) in the kernel."""
    kernel = activation_kernel(A)
    onto = projection(A)
    moved = R @ kernel - A
    least = momentum(A, moved)
    B = least + (S - S @ onto if image else S)
    change = direction @ kernel
    conditioned = conditioning(feature_matrix(A)) * (1 + squared_norm(kernel))
    size = conditioned * (1 + squared_norm(A)) * (1 + squared_norm(R) + squared_norm(S)) * (1 + squared_norm(direction))
    slope = (lagrangian(A, moved + change) - lagrangian(A, moved - change)) / half
    entries = size[..., None, None]
    return (
        eq(velocity(A, B), moved * percent / 100, scale=entries, over=2)
        & eq(inner(B, moved) - lagrangian(A, moved), hamiltonian(A, B), scale=size * (1 + squared_norm(kernel)))
        & eq(slope, inner(B, change), scale=size * (1 + squared_norm(kernel)))
    )


def momentum_of_velocity(A: Array, B: Array, projected: bool = True, percent: int = 100) -> Relation:
    """What the velocity tells of B: its part in the image of K."""
    size = conditioning(feature_matrix(A)) * (1 + squared_norm(A)) ** 2 * (1 + squared_norm(B))
    known = B @ projection(A) if projected else B
    return eq(momentum(A, velocity(A, B)), known * percent / 100, scale=size[..., None, None], over=2)


def transform_in_symbols(shapes: tuple[tuple[int, int], ...] = ((1, 1), (2, 1), (1, 2), (2, 2))) -> Relation:
    """For invertible kernels of every pattern of signs: the momentum, the energy, and the derivatives of both by A.

    Multiplied by the determinant of the kernel, or its square, so that all of it are polynomials.
    """
    from sympy import QQ
    from sympy.polys.rings import ring

    remainders = []
    for w, n in shapes:
        _, *symbols = ring([f"{name}{k}" for name in "au" for k in range(w * n)], QQ)
        A, U = np.array(symbols, dtype=object).reshape(2, w, n)
        for pattern in product((0, 1), repeat=w * n):
            mask = np.reshape(pattern, (w, n))
            bar = mask * A
            kernel = bar.T @ bar + 1
            # the determinant of the kernel, and the inverse times it
            if n == 1:
                volume, adjugate = kernel[0, 0], kernel**0
            else:
                volume = kernel[0, 0] * kernel[1, 1] - kernel[0, 1] * kernel[1, 0]
                adjugate = np.array([[kernel[1, 1], -kernel[0, 1]], [-kernel[1, 0], kernel[0, 0]]], dtype=object)
            if not volume:
                continue
            # the momentum and twice the Lagrangian, times the determinant
            B = (A + U) @ adjugate
            work = (B * (A + U)).sum()
            energy = (B @ kernel * B).sum() - 2 * volume * (B * A).sum()
            remainders += [work.diff(u) - 2 * b for u, b in zip(U.flat, B.flat, strict=True)]
            remainders.append(2 * volume * (B * U).sum() - volume * work - energy)
            force = mask * (bar @ (B.T @ B)) - B * volume
            by_activation = (volume * work.diff(a) - work * volume.diff(a) for a in A.flat)
            remainders += [one + 2 * other for one, other in zip(by_activation, force.flat, strict=True)]
    return identically_zero(*(one.as_expr() for one in remainders))


PHASE_SIZES = {"width": range(1, 3), "points": range(1, 5)}
SOURCE = Source("leaky_resnets", "ours")

DUALITY = Claim(
    id="leaky_resnets.legendre.duality",
    title="Momentum times velocity is at most Lagrangian plus Hamiltonian",
    source=SOURCE,
    status=Ours(),
    statement=energy_bound,
    domain=Domain(
        {
            "point": derived(
                phase_velocity,
                A=reals("width", "points"),
                B=reals("width", "points"),
                other=reals("width", "points"),
                kind=integers(0, 4),
            )
        },
        PHASE_SIZES,
    ),
    tight={"the velocity of the momentum": Tight(moves_as_it_should)},
    false_neighbours={
        "0.01 % less": partial(energy_bound, ten_thousandths=9_999),
        "1 % less": partial(energy_bound, ten_thousandths=9_900),
        "Hamiltonian of the other sign": partial(energy_bound, sign=-1),
        "a pseudo-inverse in place of infinity": partial(energy_bound, pseudo=True),
    },
    exact={"in symbols": transform_in_symbols},
    cost=4,
)

DERIVATIVE = Claim(
    id="leaky_resnets.legendre.derivative",
    title="Momenta are derivatives of the Lagrangian, with a free part in the kernel",
    source=SOURCE,
    status=Ours(),
    statement=transform,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "R": reals("width", "points"),
            "S": reals("width", "points"),
            "direction": interval(-1, 1, "width", "points"),
        },
        PHASE_SIZES,
    ),
    false_neighbours={
        "1 % faster": partial(transform, percent=101),
        "a free part in the image, too": partial(transform, image=0),
        "twice the momentum": partial(transform, half=1),
    },
    cost=4,
)

MOMENTUM = Claim(
    id="leaky_resnets.legendre.momentum",
    title="A velocity determines the part of its momentum in the image of the kernel",
    source=SOURCE,
    status=Ours(),
    statement=momentum_of_velocity,
    domain=Domain({"A": reals("width", "points"), "B": reals("width", "points")}, PHASE_SIZES),
    false_neighbours={
        "all of the momentum": partial(momentum_of_velocity, projected=False),
        "1 % more": partial(momentum_of_velocity, percent=101),
    },
    cost=4,
)
