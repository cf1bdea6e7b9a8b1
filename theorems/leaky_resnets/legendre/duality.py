r"""Momentum times velocity is at most Lagrangian plus Hamiltonian."""

from itertools import product

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import hamiltonian
from theorems.leaky_resnets.constructions.representations import SHAPES, sigma
from theorems.leaky_resnets.legendre.transform import kernel, lagrangian
from verify import Claim, DerivedHere, Domain, Source, derived, integers, reals
from verify.networks.leaky_resnet import feature_norm_squared
from verify.numbers.arithmetic import rationals
from verify.numbers.symbolic import identically_zero
from verify.words import inner, le, lifted, pinv, where

kernel_norm2 = lifted(feature_norm_squared)


def energy_bound(point, energy=1):
    """With an infinite Lagrangian off the image."""
    A, B, V = point
    return le(inner(B, V), kernel_norm2(A + V, sigma(A)) / 2 + energy * hamiltonian(A, B))


def bare_energy_bound(point, energy=1):
    A, B, V = point
    return le(inner(B, V), lagrangian(A, V) + energy * hamiltonian(A, B))


def energy_bound_of_other_sign(point):
    return bare_energy_bound(point, energy=-1)


def phase_velocity(A, B, D, kind):
    """With A and B the velocity of B (0), moved by some of the image (1) or by what the kernel does not see of B (2); any
    velocity in the image (3), and any at all (4).
    """
    F, inside = sigma(A), D @ kernel(A)
    V = B @ kernel(A) - A + where(kind == 1, inside / 64, 0) + where(kind == 2, B - B @ pinv(F) @ F, 0)
    return A, B, where(kind == 4, D, where(kind == 3, inside - A, V))


def moved_by_its_momentum(A, B):
    A, B = rationals(A), rationals(B)
    return {"point": (A, B, B @ kernel(A) - A)}


def transform_in_symbols(shapes=((1, 1), (2, 1), (1, 2), (2, 2))):
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


CLAIM = Claim(
    id="leaky_resnets.legendre.duality",
    title="Momentum times velocity is at most Lagrangian plus Hamiltonian",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=energy_bound,
    domain=Domain(
        {
            "point": derived(
                phase_velocity,
                A=reals("width", "points", role="values"),
                B=reals("width", "points", role="adjoint"),
                D=reals("width", "points", role="second values"),
                kind=integers(0, 4, role="free"),
            )
        },
        SHAPES,
    ),
    tight={
        "the velocity of the momentum": lambda: moved_by_its_momentum([[1, 2, 0], [2, 1, 1]], [[1, 0, -1], [2, 1, 1]]),
        "the same at negative entries": lambda: moved_by_its_momentum([[-1, -2, 3], [1, 1, 1]], [[3, -1, 1], [0, 1, -2]]),
    },
    false_variants={
        "a pseudo-inverse in place of infinity": bare_energy_bound,
        "Hamiltonian of the other sign": energy_bound_of_other_sign,
    },
    exact={"in symbols": transform_in_symbols},
    cost=4,
)
