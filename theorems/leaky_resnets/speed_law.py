r"""The Hamiltonian is kinetic plus potential energy, so that the speed measures the extra cost of the identity.

Statement
    If :math:`\mathrm{Im}A^T \subset \mathrm{Im}\sigma(A)^T`, that is if the cost :math:`\|A\|_K^2` is finite, then along a
    critical path

    .. math:: \mathcal H = \tfrac1{2L}\|\partial_pA\|_K^2 - \tfrac L2\|A\|_K^2, \qquad
              \|\partial_pA\|_K = L\sqrt{\|A\|_K^2 + \tfrac2L\mathcal H} .

    Always :math:`-\frac2L\mathcal H \le \|A_p\|_K^2`, for every p, where a cost may be infinite (``.lower_bound``).
Checked
    The identity of squares at the pairs :math:`(A_{\ell-1}, B_\ell)` of critical discrete networks, with
    :math:`\partial_pA = (A_\ell - A_{\ell-1})/\rho_\ell`, for activations of mixed and of one sign; that it fails where the
    cost is infinite and a pseudo-inverse is taken all the same. The bound at every point of phase space.
Proof idea
    Both hold at a point, for any A and B with :math:`\partial_pA = L(BK - A)`: the norm of :math:`B\sigma(A)^T` is that of
    :math:`A + \frac1L\partial_pA`, and its cross terms cancel. As H is constant along a path, the bound is one on the
    least cost.
Sharp
    The bound, where nothing moves: :math:`B = AK^{-1}`.
Source
    leaky_resnets, Section 2.1; the discrete form and the bound are ours.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import ACTIVATIONS, PHASE_SIZES, phase_point
from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, interval, le, reals
from verify.arithmetic import Array, rationals, sqrt
from verify.matrices import inverse
from verify.networks.leaky_resnet import (
    activation_kernel,
    cost_of_identity,
    feature_matrix,
    hamiltonian,
    is_in_row_space,
    smallest_weights,
    squared_norm,
    symplectic_euler_step,
)

Point = tuple[Array, Array]
"""Activations and adjoints."""


def is_finite(A: Array) -> Array:
    """Whether the cost of the identity is finite."""
    return is_in_row_space(A, feature_matrix(A))


def moved_in_a_layer(A: Array, B: Array, leak: Array, step: Array) -> Array:
    r""":math:`\frac1L(A_\ell - A_{\ell-1})/\rho_\ell` of the critical layer."""
    after, _ = symplectic_euler_step(A, B, leak, step)
    return np.asarray((after - A) / (leak * step)[..., None, None])


def bare_norm(M: Array, A: Array, *, bias: bool = True) -> Array:
    r""":math:`\|M\sigma(A)^+\|^2`, which is the norm of K where that is finite."""
    return squared_norm(smallest_weights(M, feature_matrix(A, bias=bias)))


def energies_add_up(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    r""":math:`\frac2L\mathcal H` against the squared speed less the cost, by the bare formula, finite or not."""
    moved = moved_in_a_layer(A, B, leak, step)
    return eq(2 * hamiltonian(A, B), bare_norm(moved, A) - bare_norm(A, A))


def constant_is_below_cost(point: Point) -> Relation:
    r""":math:`-\frac2L\mathcal H` against the cost of the identity."""
    A, B = point
    return le(-2 * hamiltonian(A, B), cost_of_identity(A))


def resting_point() -> dict[str, Point]:
    """B = A times the inverse kernel: nothing moves, and all energy is potential."""
    A = rationals([[[1, 2], [2, 1]], [[1, 3], [-1, 2]]])
    return {"point": (A, A @ inverse(activation_kernel(A)))}


# False variants


def kinetic_energy_alone(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """No potential energy."""
    return eq(2 * hamiltonian(A, B), bare_norm(moved_in_a_layer(A, B, leak, step), A))


def positive_potential(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The cost is added."""
    return eq(2 * hamiltonian(A, B), bare_norm(moved_in_a_layer(A, B, leak, step), A) + bare_norm(A, A))


def energies_without_bias(A: Array, B: Array, leak: Array, step: Array) -> Relation:
    """The kernel lacks the ones."""
    moved = moved_in_a_layer(A, B, leak, step)
    return eq(2 * hamiltonian(A, B), bare_norm(moved, A, bias=False) - bare_norm(A, A, bias=False))


def constant_is_below_bare_cost(point: Point) -> Relation:
    """A pseudo-inverse in place of infinity."""
    A, B = point
    return le(-2 * hamiltonian(A, B), bare_norm(A, A))


def constant_is_below_norm(point: Point) -> Relation:
    """The norm in place of its square, as the text calls the cost."""
    A, B = point
    return le(-2 * hamiltonian(A, B), sqrt(cost_of_identity(A)))


FINITE = "the cost of the identity is finite"

CLAIM = Claim(
    id="leaky_resnets.speed_law",
    title="The Hamiltonian is kinetic plus potential energy",
    source=Source("leaky_resnets", "Section 2.1"),
    statement=energies_add_up,
    domain=Domain(
        {
            "A": ACTIVATIONS,
            "B": reals("width", "points"),
            "leak": interval(1 / 4, 3),
            "step": interval(1 / 16, 1),
        },
        PHASE_SIZES,
        {FINITE: is_finite},
    ),
    needs=(FINITE,),
    false_neighbours={
        "no potential energy": kinetic_energy_alone,
        "potential energy of the other sign": positive_potential,
        "kernel without the bias": energies_without_bias,
    },
    cost=4,
)

LOWER_BOUND = Claim(
    id="leaky_resnets.speed_law.lower_bound",
    title="The cost of the identity is at least -2H/L, everywhere",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=constant_is_below_cost,
    domain=Domain(
        {"point": derived(phase_point, A=ACTIVATIONS, B=reals("width", "points"), rest=integers(0, 3))},
        PHASE_SIZES,
    ),
    tight={"resting points": Tight(resting_point)},
    false_neighbours={
        "a pseudo-inverse in place of infinity": constant_is_below_bare_cost,
        "the norm for its square": constant_is_below_norm,
    },
    cost=4,
)
