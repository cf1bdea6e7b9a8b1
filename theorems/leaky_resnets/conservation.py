r"""The Hamiltonian is constant along critical paths, and the norm of their weights grows by what the biases are.

Statement
    For solutions of Hamilton's equations, with kinks or without,
    :math:`\mathcal H = \frac L2\|B\sigma(A)^T\|^2 - L\,\mathrm{Tr}[BA^T]` is constant. With :math:`W = LB\sigma(A)^T`, whose
    last column is :math:`b = LB\mathbf 1`,

    .. math:: \frac d{dp}\mathrm{Tr}[BA^T] = L\|B\mathbf 1\|^2, \qquad \|W\|^2 = 2L\mathcal H + 2L^2\,\mathrm{Tr}[BA^T] ,

    so that without bias :math:`\mathrm{Tr}[BA^T]` and :math:`\|W\|` are constant, too (``.trace``).
Checked
    H along closed forms and along trajectories integrated through kinks. dH/dp = 0 along the forward and the backward equation
    at every point of phase space (``.at_a_point``): H is quadratic in A and in B, so that differences are its derivatives.
    With other weights than the critical ones it is not constant. The two identities for all A and B.
Proof idea
    The chain rule with Hamilton's equations.
Not checked
    Differentiability at the kinks: trajectories that cross them are integrated, with the integrator's error.
Source
    leaky_resnets, Section 1.5; the identities for the trace and the norm are ours.
"""

from __future__ import annotations

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES, SMOOTH, has_no_zero, safe_step
from theorems.leaky_resnets.constructions.trajectories import ALL_TRAJECTORIES, GENUINE, Trajectory, cost
from theorems.leaky_resnets.trajectories import values_in_symbols
from verify import Claim, Domain, Ours, Q, Relation, Source, eq, measured, reals
from verify.arithmetic import Array
from verify.networks.leaky_resnet import (
    active,
    adjoint_velocity,
    critical_weights,
    feature_matrix,
    hamiltonian,
    inner,
    squared_norm,
    velocity,
)

HALF = Q("1/2")


def energy_is_constant(trajectory: Trajectory, half: Q = HALF) -> Relation:
    r""":math:`\frac1L\mathcal H` at all positions against the first."""
    A, B = trajectory.activations, trajectory.adjoints
    energy = half * squared_norm(critical_weights(A, B, 1, bias=trajectory.bias)) - inner(B, A)
    return eq(measured(energy[..., 1:], trajectory.drift[..., None]), energy[..., :1], over=1)


def energy_along(A: Array, B: Array, forward: Array, backward: Array) -> Array:
    """The derivative of H / L along a direction in which A or B moves alone: H is quadratic then, and its difference exact."""
    step = safe_step(A, forward)
    far = step[..., None, None]
    ahead, behind = (hamiltonian(A + sign * far * forward, B + sign * far * backward) for sign in (1, -1))
    return np.asarray((ahead - behind) / (2 * step))


def gained_and_lost(A: Array, B: Array, weights: Array) -> tuple[Array, Array]:
    """What H gains by the forward equation and loses by the backward equation with weights [V, b], divided by L."""
    forward = weights @ feature_matrix(A) - A
    backward = B - active(A) * (np.swapaxes(weights[..., :-1], -1, -2) @ B)
    return energy_along(A, B, forward, 0 * B), -energy_along(A, B, 0 * A, backward)


def energy_is_stationary(A: Array, B: Array) -> Relation:
    """What H gains by the one equation it loses by the other, with critical weights."""
    return eq(*gained_and_lost(A, B, critical_weights(A, B, 1)))


def trace_and_norm(A: Array, B: Array, two: int = 2) -> Relation:
    """The derivative of the trace along Hamilton's equations, and the norm of the weights; everything divided by L."""
    change = inner(adjoint_velocity(A, B), A) + inner(B, velocity(A, B))
    biases = B.sum(axis=-1)
    norm = squared_norm(critical_weights(A, B, 1))
    return eq(change, (biases * biases).sum(axis=-1), name="trace") & eq(
        norm, two * hamiltonian(A, B) + two * inner(B, A), name="norm"
    )


# False variants


def weights_have_constant_norm(trajectory: Trajectory) -> Relation:
    """The kinetic term alone."""
    norms = squared_norm(critical_weights(trajectory.activations, trajectory.adjoints, 1, bias=trajectory.bias))
    return eq(norms[..., 1:], norms[..., :1], over=1)


def trace_is_constant(trajectory: Trajectory) -> Relation:
    """The trace alone."""
    trace = inner(trajectory.adjoints, trajectory.activations)
    return eq(trace[..., 1:], trace[..., :1], over=1)


def stationary_with_other_weights(A: Array, B: Array, other: Array) -> Relation:
    """Weights that are not critical keep H as well."""
    return eq(*gained_and_lost(A, B, critical_weights(A, B, 1) + other))


def stationary_without_bias(A: Array, B: Array) -> Relation:
    """So do critical weights that forget their bias."""
    weights = critical_weights(A, B, 1)
    return eq(*gained_and_lost(A, B, np.concatenate([weights[..., :-1], 0 * weights[..., -1:]], axis=-1)))


def trace_stands_still(A: Array, B: Array) -> Relation:
    """The trace is constant with bias, too."""
    return eq(inner(adjoint_velocity(A, B), A) + inner(B, velocity(A, B)), 0)


def energy_is_the_norm(A: Array, B: Array) -> Relation:
    """The norm of the weights is twice the energy."""
    return eq(squared_norm(critical_weights(A, B, 1)), 2 * hamiltonian(A, B))


PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points")}
SOURCE = Source("leaky_resnets", "Section 1.5")

CLAIM = Claim(
    id="leaky_resnets.conservation",
    title="The Hamiltonian is constant along critical paths",
    source=SOURCE,
    statement=energy_is_constant,
    domain=ALL_TRAJECTORIES,
    needs=(GENUINE,),
    false_neighbours={
        "the norm of the weights is constant": weights_have_constant_norm,
        "the trace is constant": trace_is_constant,
    },
    exact={"constants of the closed forms in symbols": values_in_symbols},
    cost=cost,
)

AT_A_POINT = Claim(
    id="leaky_resnets.conservation.at_a_point",
    title="The Hamiltonian is stationary for critical weights, and for no others",
    source=SOURCE,
    statement=energy_is_stationary,
    domain=Domain(
        {**PHASE_SPACE, "other": reals("width", lambda sizes: sizes["width"] + 1)},
        PHASE_SIZES,
        {SMOOTH: has_no_zero},
    ),
    needs=(SMOOTH,),
    false_neighbours={"other weights": stationary_with_other_weights, "no bias": stationary_without_bias},
)

TRACE = Claim(
    id="leaky_resnets.conservation.trace",
    title="The trace of a critical path grows by its biases, and the norm of the weights with it",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=trace_and_norm,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_neighbours={"the trace is constant": trace_stands_still, "the norm is the energy": energy_is_the_norm},
)
