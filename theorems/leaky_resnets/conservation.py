r"""Along a critical path the Hamiltonian is constant, and the norm of the weights grows by what the biases are.

For solutions of Hamilton's equations, with kinks or without, :math:`\mathcal H = \frac L2\|B\sigma(A)^T\|^2 -
L\,\mathrm{Tr}[BA^T]` is constant; and with W :math:`= LB\sigma(A)^T`, whose last column is :math:`b = LB\mathbf 1`,

.. math:: \frac d{dp}\mathrm{Tr}[BA^T] = L\|B\mathbf 1\|^2, \qquad \|W\|^2 = 2L\mathcal H + 2L^2\,\mathrm{Tr}[BA^T] ,

so that without bias :math:`\mathrm{Tr}[BA^T]` and :math:`\|W\|` are constant, too. With other weights than the critical ones,
the same H is not constant along the forward and backward equations. A critical discrete network is a symplectic Euler step of
the same equations; it keeps :math:`\mathcal H(A_{\ell-1}, B_\ell)` up to a multiple of its step, and

.. math:: \mathrm{Tr}[B_\ell A_\ell^T] - \mathrm{Tr}[B_{\ell-1}A_{\ell-1}^T] = \rho_\ell\|b_\ell\|^2 / L

exactly.

What is checked: H along closed forms and along trajectories integrated through kinks; dH/dp = 0 at every point of phase
space without zero activations, which is the chain rule with Hamilton's equations; the two identities and the discrete one for
all A and B; and the order of the drift of discrete networks.

Source: leaky_resnets, Section 1.5; the identities for the trace and the norm are ours.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.trajectories import ALL_TRAJECTORIES, GENUINE, Trajectory, cost
from theorems.leaky_resnets.hamiltonian import has_no_zero
from theorems.leaky_resnets.trajectories import values_in_symbols
from verify import Claim, Domain, Ours, Rate, Relation, Source, eq, interval, reals
from verify.arithmetic import Array
from verify.networks.leaky_resnet import (
    active,
    adjoint_velocity,
    critical_network,
    critical_weights,
    equidistant_steps,
    feature_matrix,
    hamiltonian,
    inner,
    rectified,
    squared_norm,
    symplectic_euler_step,
    velocity,
)


def energy_is_constant(trajectory: Trajectory, half: int = 1, trace: int = 1, percent: int = 100) -> Relation:
    r""":math:`\frac2L\mathcal H` at all positions against the first; its terms are weighted for false neighbours."""
    A, B = trajectory.activations, trajectory.adjoints
    quadratic = squared_norm(critical_weights(A, B, 1, bias=trajectory.bias))
    energy = half * quadratic - 2 * trace * inner(B, A)
    noise = trajectory.noise[..., None]
    return eq(energy[..., 1:], energy[..., :1] * percent / 100, scale=trajectory.sizes[..., 1:], noise=noise, over=1)


def energy_is_stationary(A: Array, B: Array, other: Array, disturbed: int = 0, forward_leak: int = 1) -> Relation:
    r"""The derivative of H along the forward and the backward equation with critical weights, plus `other` if `disturbed`."""
    features = feature_matrix(A)
    weights = B @ features.swapaxes(-1, -2) + disturbed * other
    forward = weights @ features - forward_leak * A
    backward = B - active(A) * (weights[..., :-1].swapaxes(-1, -2) @ B)
    # the gradient of H / L by A and by B
    by_A = active(A) * (rectified(A) @ B.swapaxes(-1, -2) @ B) - B
    by_B = B @ features.swapaxes(-1, -2) @ features - A
    size = (1 + squared_norm(A)) ** 2 * (1 + squared_norm(B)) ** 2 * (1 + squared_norm(other))
    return eq(inner(by_A, forward) + inner(by_B, backward), 0 * inner(A, A), scale=size)


def trace_and_norm(A: Array, B: Array, bias: int = 1, factor: int = 2) -> Relation:
    """The derivative of the trace along Hamilton's equations, and the norm of the weights; everything divided by L."""
    change = inner(adjoint_velocity(A, B), A) + inner(B, velocity(A, B))
    norm = squared_norm(critical_weights(A, B, 1))
    size = (1 + squared_norm(A)) * (1 + squared_norm(B)) * (1 + norm)
    total = B.sum(axis=-1)
    relation = eq(change, bias * (total * total).sum(axis=-1), scale=size)
    return relation & eq(norm, 2 * hamiltonian(A, B) + factor * inner(B, A), scale=size)


def trace_in_a_step(A: Array, B: Array, leak: Array, step: Array, percent: int = 100, power: int = 1) -> Relation:
    r"""From :math:`(A_{\ell-1}, B_\ell)`: what a layer adds to the trace."""
    after, before = symplectic_euler_step(A, B, leak, step)
    added = inner(B, after) - inner(before, A)
    biases = leak[..., None] * B.sum(axis=-1)
    size = (1 + squared_norm(A)) ** 2 * (1 + squared_norm(B)) ** 2 * (1 + leak * step)
    return eq(added, step**power * (biases * biases).sum(axis=-1) / leak * percent / 100, scale=size)


def drift_of_discrete_networks(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Range of H over the layers of critical networks that begin at one point of phase space."""
    A, B = np.array([[1.0, 0.5, 2.0], [0.5, 1.5, 1.0]]), np.array([[0.25, -0.125, 0.125], [0.125, 0.25, -0.25]])
    ranges = []
    for count in counts:
        found = critical_network(A, B, 1.0, equidistant_steps(int(count)))
        pairs = zip(found.activations, found.adjoints[1:], strict=False)
        ranges.append(np.ptp([hamiltonian(before, after) for before, after in pairs]))
    return np.asarray(ranges)


PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points")}
PHASE_SIZES = {"width": range(1, 4), "points": range(1, 5)}
SOURCE = Source("leaky_resnets", "Section 1.5")

CLAIM = Claim(
    id="leaky_resnets.conservation",
    title="The Hamiltonian is constant along critical paths",
    source=SOURCE,
    statement=energy_is_constant,
    domain=ALL_TRAJECTORIES,
    needs=(GENUINE,),
    false_neighbours={
        "the norm of the weights is constant": partial(energy_is_constant, trace=0),
        "the trace is constant": partial(energy_is_constant, half=0),
        "the norm twice": partial(energy_is_constant, half=2),
        "1 % more at the start": partial(energy_is_constant, percent=101),
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
        {"no activation is zero": has_no_zero},
    ),
    false_neighbours={
        "other weights": partial(energy_is_stationary, disturbed=1),
        "no leak": partial(energy_is_stationary, forward_leak=0),
    },
)

TRACE = Claim(
    id="leaky_resnets.conservation.trace",
    title="Derivative of the trace, and the norm of the weights",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=trace_and_norm,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_neighbours={
        "the trace is constant": partial(trace_and_norm, bias=0),
        "twice the biases": partial(trace_and_norm, bias=2),
        "once the trace": partial(trace_and_norm, factor=1),
    },
)

DISCRETE = Claim(
    id="leaky_resnets.conservation.discrete",
    title="What a layer of a critical network adds to the trace, exactly",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=trace_in_a_step,
    domain=Domain({**PHASE_SPACE, "leak": interval(1 / 4, 3), "step": interval(1 / 16, 1)}, PHASE_SIZES),
    false_neighbours={
        "1 % more": partial(trace_in_a_step, percent=101),
        "step squared": partial(trace_in_a_step, power=2),
    },
    rate=Rate(drift_of_discrete_networks, (4, 8, 16, 32, 64, 128, 256, 512), -1.0),
)
