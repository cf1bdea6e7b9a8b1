r"""Momentum times velocity is at most Lagrangian plus Hamiltonian, for any three of them."""

from __future__ import annotations

from itertools import product

import numpy as np

from theorems.leaky_resnets.constructions.representations import SHAPES
from theorems.leaky_resnets.legendre.transform import lagrangian, projection
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, integers, le, reals
from verify.arithmetic import Array, compare, rationals
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, feature_norm_squared, hamiltonian, inner, velocity
from verify.symbolic import identically_zero

Point = tuple[Array, Array, Array]
r"""Activations A, a momentum B and any velocity V."""


def energy_bound(point: Point) -> Relation:
    r""":math:`\langle B, V\rangle` against :math:`\frac1L(\ell + \mathcal H)`, with an infinite Lagrangian off the image."""
    A, B, V = point
    price = feature_norm_squared(A + V, feature_matrix(A)) / 2
    return le(inner(B, V), price + hamiltonian(A, B))


def phase_velocity(A: Array, B: Array, other: Array, kind: Array) -> Point:
    """With A and B the velocity of B (0), moved by some of the image (1) or by what the kernel does not see of B (2); any
    velocity in the image (3), and any at all (4).
    """
    kinds = [(compare(kind, place) == 0)[..., None, None] for place in range(5)]
    inside = other @ activation_kernel(A)
    moved = velocity(A, B) + np.where(kinds[1], inside / 64, 0) + np.where(kinds[2], B - B @ projection(A), 0)
    return A, B, np.where(kinds[4], other, np.where(kinds[3], inside - A, moved))


def moves_as_it_should() -> dict[str, Point]:
    """Kernels that are singular and not, moved by their momenta."""
    A = rationals([[[1, 2, 0], [2, 1, 1]], [[-1, -2, 3], [1, 1, 1]]])
    B = rationals([[[1, 0, -1], [2, 1, 1]], [[3, -1, 1], [0, 1, -2]]])
    return {"point": (A, B, velocity(A, B))}


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


# False variants


def bare_energy_bound(point: Point) -> Relation:
    """A pseudo-inverse in place of infinity."""
    A, B, V = point
    return le(inner(B, V), lagrangian(A, V) + hamiltonian(A, B))


def energy_bound_of_other_sign(point: Point) -> Relation:
    """The Hamiltonian subtracted."""
    A, B, V = point
    return le(inner(B, V), lagrangian(A, V) - hamiltonian(A, B))


CLAIM = Claim(
    id="leaky_resnets.legendre.duality",
    title="Momentum times velocity is at most Lagrangian plus Hamiltonian",
    source=Source("leaky_resnets", "ours"),
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
        SHAPES,
    ),
    tight={"the velocity of the momentum": Tight(moves_as_it_should)},
    false_neighbours={
        "a pseudo-inverse in place of infinity": bare_energy_bound,
        "Hamiltonian of the other sign": energy_bound_of_other_sign,
    },
    exact={"in symbols": transform_in_symbols},
    cost=4,
)
