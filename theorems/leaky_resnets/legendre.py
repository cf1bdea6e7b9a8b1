r"""The Hamiltonian is the Legendre transform of the Lagrangian, where that is finite.

For :math:`\ell(A, \dot A) = \frac1{2L}\|LA + \dot A\|_K^2` and a velocity with
:math:`\mathrm{Im}(LA + \dot A)^T \subset \mathrm{Im}\,K`, the momentum is

.. math:: B = \partial_{\dot A}\ell = \tfrac1L(LA + \dot A)K^+, \qquad \dot A = L(BK - A), \qquad
          \mathcal H(A, B) = \langle B, \dot A\rangle - \ell(A, \dot A) ,

and :math:`\langle B', \dot A\rangle - \mathcal H(A, B') \le \ell(A, \dot A)` for every B', with equality where B' - B is in the
kernel of K: if K is singular, B has a free component there. The difference is
:math:`\frac L2\|(B' - B)\sigma(A)^T\|^2`.

*Transversality* (``.transversality``). With the targets :math:`F = A_1 + \frac{\lambda N}2B`, that is
:math:`B_1 = -\frac1\lambda\partial C(A_1)`, the end of a discrete path is optimal: moving it by D costs
:math:`\frac1N\|D\|^2 + \frac\lambda{2L\rho}\|D\|_K^2` more, without a term of first order.

What is checked: all of this for every A and every velocity of finite Lagrangian; in sympy for one neuron.

Source: leaky_resnets, Section 1.5; the transform is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from theorems.leaky_resnets.constructions.representations import (
    REPRESENTATION,
    SHAPES,
    derivative,
    fit,
    rounding,
    scaled,
    transposed,
)
from verify import Claim, Domain, Ours, Relation, Sizes, Source, Tight, derived, eq, interval, le, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import pseudo_inverse
from verify.networks.leaky_resnet import activation_kernel, feature_matrix, hamiltonian, inner, squared_norm
from verify.symbolic import identically_zero

Motion = tuple[Array, Array, Array]
"""A representation, its velocity and the leak."""


def motion(A: Array, weights: Array, leak: Array) -> Motion:
    """A representation that is moved by weights."""
    return A, derivative(A, weights, leak), leak


def momentum(A: Array, velocity: Array, leak: Array) -> Array:
    r""":math:`\frac1L(LA + \dot A)K^+`, shape ``(..., w, N)``; L has the batch's shape."""
    inverse = pseudo_inverse(feature_matrix(A))
    return scaled((scaled(A, leak) + velocity) @ inverse @ transposed(inverse), 1 / leak)


def transform(moved: Motion, other: Array, percent: int = 100, leaks: int = 1, *, bounded: bool = False) -> Relation:
    """Velocity and Hamiltonian of the momentum, and the difference at another momentum.

    In false neighbours the momentum is divided by L twice (`leaks` is 2), the difference is too large, or at most 0.
    """
    A, velocity, leak = moved
    F, K = feature_matrix(A), activation_kernel(A)
    inverse = pseudo_inverse(F)
    B = scaled(momentum(A, velocity, leak), leak ** (1 - leaks))
    target = scaled(A, leak) + velocity
    lagrangian = fit(target, F).squared_norm / (2 * leak)
    large = squared_norm(scaled(A, leak)) + squared_norm(velocity)
    size = large * (1 + squared_norm(inverse)) / leak + leak * squared_norm(other) * squared_norm(F)
    noise = rounding(size, F, inverse, 3)
    missing = lagrangian - inner(other, velocity) + leak * hamiltonian(A, other)
    gap = percent * leak * squared_norm((other - B) @ transposed(F)) / 200
    return (
        eq(
            scaled(B @ K - A, leak),
            velocity,
            scale=sqrt(large)[..., None, None],
            noise=rounding(sqrt(large), F, inverse, 3)[..., None, None],
            over=2,
        )
        & eq(leak * hamiltonian(A, B), inner(B, velocity) - lagrangian, scale=size, noise=noise)
        & (le(missing, 0 * missing, scale=size, noise=noise) if bounded else eq(missing, gap, scale=size, noise=noise))
    )


def end_is_optimal(moved: Motion, away: Array, penalty: Array, step: Array, factor: int = 1, sign: int = 1) -> Relation:
    """What it costs to move the end of a path away from where the momentum is that of the loss."""
    A, velocity, leak = moved
    F = feature_matrix(A)
    inverse = pseudo_inverse(F)
    points = A.shape[-1]
    end, direction = A + scaled(velocity, step), away @ F
    target = end + scaled(momentum(A, velocity, leak), sign * factor * penalty * points / 2)

    def objective(last: Array) -> Array:
        target_of_weights = scaled(A, leak) + scaled(last - A, 1 / step)
        loss = squared_norm(target - last) / points
        return np.asarray(loss + penalty * step / (2 * leak) * squared_norm(target_of_weights @ inverse))

    more = squared_norm(direction) / points + penalty / (2 * leak * step) * squared_norm(direction @ inverse)
    parts = squared_norm(scaled(A, leak + 1 / step)) + squared_norm(velocity) + squared_norm(direction) / step**2
    # the momentum has two pseudo-inverses, and the loss its square
    weight = 1 + squared_norm(inverse) * (1 + penalty * step / leak) + (penalty * points / leak * squared_norm(inverse)) ** 2
    size = parts * weight
    return eq(objective(end + direction) - objective(end), more, scale=size, noise=rounding(size, F, inverse, 2))


def transform_in_symbols() -> Relation:
    """The momentum, its velocity and the transform for one neuron and one point, active or not."""
    import sympy as sp

    A, velocity, B = sp.symbols("A v B", real=True)
    L = sp.symbols("L", positive=True)
    remainders = []
    for image in (A, sp.Integer(0)):
        K = image**2 + 1
        lagrangian = (L * A + velocity) ** 2 / (2 * L * K)
        energy = L * B**2 * K / 2 - L * A * B
        best = sp.diff(lagrangian, velocity)
        remainders += [
            best - (L * A + velocity) / (L * K),
            sp.diff(energy, B).subs(B, best) - velocity,
            energy.subs(B, best) - (best * velocity - lagrangian),
            lagrangian - (B * velocity - energy) - L * K * (B - best) ** 2 / 2,
        ]
    return identically_zero(*remainders)


def dead_motion() -> dict[str, Any]:
    """Negative activations: the kernel has rank 1, and the other momentum differs in its kernel."""
    A, leak = rationals([[[-1, -2]]]), rationals([1])
    moved = motion(A, rationals([[[0, 3]]]), leak)
    return {"moved": moved, "other": momentum(*moved) + rationals([[[5, -5]]])}


def _features(sizes: Sizes) -> int:
    return sizes["width"] + 1


MOVED = derived(motion, A=REPRESENTATION, weights=reals("width", _features), leak=interval(1 / 4, 4))
OURS = Source("leaky_resnets", "ours")

CLAIM = Claim(
    id="leaky_resnets.legendre",
    title="The Hamiltonian is the Legendre transform of the Lagrangian",
    source=OURS,
    status=Ours(),
    statement=transform,
    domain=Domain({"moved": MOVED, "other": reals("width", "points")}, SHAPES),
    tight={"singular kernel": Tight(dead_motion)},
    false_neighbours={
        "difference 1 % larger": partial(transform, percent=101),
        "momentum divided by L twice": partial(transform, leaks=2),
        "equality at every momentum": partial(transform, bounded=True),
    },
    exact={"one neuron in symbols": transform_in_symbols},
    cost=2,
)

TRANSVERSALITY = Claim(
    id="leaky_resnets.legendre.transversality",
    title="At the end of an optimal path the momentum is that of the loss",
    source=Source("leaky_resnets", "Section 1.5"),
    status=Ours(),
    statement=end_is_optimal,
    domain=Domain(
        {
            "moved": MOVED,
            "away": reals("width", _features),
            "penalty": interval(1 / 8, 2),
            "step": interval(1 / 8, 1),
        },
        SHAPES,
    ),
    false_neighbours={
        "twice the momentum": partial(end_is_optimal, factor=2),
        "the other sign": partial(end_is_optimal, sign=-1),
    },
    cost=2,
)
