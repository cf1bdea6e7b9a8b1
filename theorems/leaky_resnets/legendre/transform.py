r"""The momentum of a velocity, the energy of the pair, and what another momentum lacks."""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.representations import REPRESENTATION, SHAPES
from verify import Claim, Domain, Ours, Q, Relation, Source, derived, eq, interval, le, reals
from verify.arithmetic import Array
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import (
    activation_kernel,
    feature_matrix,
    hamiltonian,
    inner,
    smallest_weights,
    squared_norm,
    velocity,
)
from verify.symbolic import identically_zero

HALF = Q("1/2")

Motion = tuple[Array, Array]
r"""A representation and its velocity over L, :math:`V = \frac1L\dot A`."""


def motion(A: Array, weights: Array) -> Motion:
    r"""A representation that is moved by weights, :math:`V = W\sigma(A) - A`."""
    return A, np.asarray(weights @ feature_matrix(A) - A)


def lagrangian(A: Array, V: Array, half: Q = HALF) -> Array:
    r""":math:`\frac1L\ell = \frac12\|A + V\|_K^2` by the bare formula, ``(..., w, N), (..., w, N) -> (...)``."""
    return np.asarray(half * squared_norm(smallest_weights(A + V, feature_matrix(A))))


def momentum(A: Array, V: Array) -> Array:
    r""":math:`B = (A + V)K^+`, shape ``(..., w, N)``: of all momenta of a velocity the smallest."""
    inverse = pseudo_inverse(feature_matrix(A))
    return np.asarray((A + V) @ inverse @ np.swapaxes(inverse, -1, -2))


def projection(A: Array) -> Array:
    """Onto the image of K, ``(..., w, N) -> (..., N, N)``."""
    features = feature_matrix(A)
    return np.asarray(pseudo_inverse(features) @ features)


def missing(moved: Motion, other: Array, half: Q = HALF) -> Array:
    r""":math:`\frac1L(\ell + \mathcal H - \langle B', \dot A\rangle)` at another momentum B'."""
    A, V = moved
    return np.asarray(lagrangian(A, V, half) + hamiltonian(A, other) - inner(other, V))


def transform(moved: Motion, other: Array, half: Q = HALF) -> Relation:
    """Velocity and energy of the momentum, and what another momentum lacks."""
    A, V = moved
    B = momentum(A, V)
    gap = half * squared_norm((other - B) @ np.swapaxes(feature_matrix(A), -1, -2))
    return (
        eq(B @ activation_kernel(A) - A, V, name="velocity", over=2)
        & eq(hamiltonian(A, B), inner(B, V) - lagrangian(A, V, half), name="energy")
        & eq(missing(moved, other), gap, name="gap")
    )


def slope_of_the_lagrangian(A: Array, R: Array, S: Array, direction: Array, half: Q = HALF) -> Relation:
    """For the velocity V = RK - A and the momentum with any part S(1 - K^+ K) in the kernel: both belong together.

    The Lagrangian is a quadratic function of the velocity, so that a central difference is its derivative.
    """
    kernel, onto = activation_kernel(A), projection(A)
    V, change = R @ kernel - A, direction @ kernel
    B = momentum(A, V) + S - S @ onto
    slope = (lagrangian(A, V + change, half) - lagrangian(A, V - change, half)) / 2
    return eq(velocity(A, B), V, name="velocity", over=2) & eq(slope, inner(B, change), name="momentum")


def momentum_of_velocity(A: Array, B: Array) -> Relation:
    """What the velocity tells of B: its part in the image of K."""
    return eq(momentum(A, velocity(A, B)), B @ projection(A), over=2)


def transform_in_symbols() -> Relation:
    """The momentum, its velocity and the transform for one neuron and one point, active or not."""
    import sympy as sp

    A, V, B = sp.symbols("A v B", real=True)
    L = sp.symbols("L", positive=True)
    remainders = []
    for image in (A, sp.Integer(0)):
        K = image**2 + 1
        price = (L * A + V) ** 2 / (2 * L * K)
        energy = L * B**2 * K / 2 - L * A * B
        best = sp.diff(price, V)
        remainders += [
            best - (L * A + V) / (L * K),
            sp.diff(energy, B).subs(B, best) - V,
            energy.subs(B, best) - (best * V - price),
            price - (B * V - energy) - L * K * (B - best) ** 2 / 2,
        ]
    return identically_zero(*remainders)


# False variants


def equality_at_every_momentum(moved: Motion, other: Array) -> Relation:
    """No momentum lacks anything."""
    return le(missing(moved, other), 0)


def gap_of_the_activations_alone(moved: Motion, other: Array) -> Relation:
    """The biases do not count in the gap."""
    A, V = moved
    features = feature_matrix(A, bias=False)
    gap = squared_norm((other - momentum(A, V)) @ np.swapaxes(features, -1, -2)) / 2
    return eq(missing(moved, other), gap)


def momentum_free_in_the_image(A: Array, R: Array, S: Array) -> Relation:
    """Any momentum moves A in the same way."""
    V = R @ activation_kernel(A) - A
    return eq(velocity(A, momentum(A, V) + S), V, over=2)


def lagrangian_without_leak(A: Array, R: Array, direction: Array) -> Relation:
    """The momentum belongs to the Lagrangian of the velocity alone."""
    V, change = R @ activation_kernel(A) - A, direction @ activation_kernel(A)
    slope = (lagrangian(0 * A, V + change) - lagrangian(0 * A, V - change)) / 2
    return eq(slope, inner(momentum(A, V), change))


def velocity_tells_all(A: Array, B: Array) -> Relation:
    """All of the momentum."""
    return eq(momentum(A, velocity(A, B)), B, over=2)


def momentum_without_leak(A: Array, B: Array) -> Relation:
    """The velocity alone, through the inverse kernel."""
    return eq(momentum(0 * A, velocity(A, B)), B @ projection(A), over=2)


OURS = Source("leaky_resnets", "ours")

CLAIM = Claim(
    id="leaky_resnets.legendre",
    title="The Hamiltonian is the Legendre transform of the Lagrangian",
    source=OURS,
    status=Ours(),
    statement=transform,
    domain=Domain(
        {
            "moved": derived(motion, A=REPRESENTATION, weights=reals("width", lambda sizes: sizes["width"] + 1)),
            "other": reals("width", "points"),
        },
        SHAPES,
    ),
    false_neighbours={
        "equality at every momentum": equality_at_every_momentum,
        "a gap without the biases": gap_of_the_activations_alone,
    },
    exact={"one neuron in symbols": transform_in_symbols},
    cost=2,
)

DERIVATIVE = Claim(
    id="leaky_resnets.legendre.derivative",
    title="Momenta are derivatives of the Lagrangian, with a free part in the kernel",
    source=OURS,
    status=Ours(),
    statement=slope_of_the_lagrangian,
    domain=Domain(
        {
            "A": reals("width", "points"),
            "R": reals("width", "points"),
            "S": reals("width", "points"),
            "direction": interval(-1, 1, "width", "points"),
        },
        SHAPES,
    ),
    false_neighbours={
        "a free part in the image, too": momentum_free_in_the_image,
        "Lagrangian without the leak": lagrangian_without_leak,
    },
    cost=4,
)

MOMENTUM = Claim(
    id="leaky_resnets.legendre.momentum",
    title="A velocity determines the part of its momentum in the image of the kernel",
    source=OURS,
    status=Ours(),
    statement=momentum_of_velocity,
    domain=Domain({"A": reals("width", "points"), "B": reals("width", "points")}, SHAPES),
    false_neighbours={
        "all of the momentum": velocity_tells_all,
        "without the leak": momentum_without_leak,
    },
    cost=4,
)
