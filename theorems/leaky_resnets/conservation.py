r"""Conservation: the Hamiltonian along critical paths.

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
    leaky_resnets, Section 1.5; the identities for the trace and the norm are derived here.
"""

from theorems.leaky_resnets.constructions.phase_points import (
    PHASE_SIZES,
    SMOOTH,
    hamiltonian,
    has_no_zero,
    safe_step,
)
from theorems.leaky_resnets.constructions.representations import sigma
from theorems.leaky_resnets.constructions.trajectories import ALL_TRAJECTORIES, GENUINE, cost
from theorems.leaky_resnets.trajectories import adjoint_velocity, critical_weights, norms2, traces, values_in_symbols, velocity
from verify import Claim, DerivedHere, Domain, Source, measured, reals
from verify.words import concatenate, eq, inner, norm2, ones, zeros


def energy_is_constant(trajectory):
    r""":math:`\frac1L\mathcal H` at all positions against the first."""
    A, B = trajectory.activations, trajectory.adjoints
    H = norms2(critical_weights(A, B, 1, bias=trajectory.bias)) / 2 - traces(B, A)
    return eq(measured(H[1:], trajectory.drift), H[0])


def energy_along(A, B, dA, dB):
    """The derivative of H / L along a direction in which A or B moves alone: H is quadratic then, and its difference exact."""
    h = safe_step(A, dA)
    return (hamiltonian(A + h * dA, B + h * dB) - hamiltonian(A - h * dA, B - h * dB)) / (2 * h)


def gains_what_it_loses(A, B, W):
    """What H gains by the forward equation with weights W = [V, b] it loses by the backward equation, all divided by L."""
    dA, dB = W @ sigma(A) - A, B - (A > 0) * (W[:, :-1].T @ B)
    return eq(energy_along(A, B, dA, 0), -energy_along(A, B, 0 * A, dB))


def energy_is_stationary(A, B):
    return gains_what_it_loses(A, B, B @ sigma(A).T)


def trace_and_norm(A, B, two=2):
    """Everything divided by L."""
    change = inner(adjoint_velocity(A, B), A) + inner(B, velocity(A, B))
    return eq(change, norm2(B @ ones(B.shape[1])), name="trace") & eq(
        norm2(B @ sigma(A).T), two * hamiltonian(A, B) + two * inner(B, A), name="norm"
    )


# False variants


def weights_have_constant_norm(trajectory):
    weights = norms2(critical_weights(trajectory.activations, trajectory.adjoints, 1, bias=trajectory.bias))
    return eq(weights[1:], weights[0])


def trace_is_constant(trajectory):
    trace = traces(trajectory.adjoints, trajectory.activations)
    return eq(trace[1:], trace[0])


def stationary_with_other_weights(A, B, W):
    return gains_what_it_loses(A, B, B @ sigma(A).T + W)


def stationary_without_bias(A, B):
    V = B @ sigma(A)[:-1].T
    return gains_what_it_loses(A, B, concatenate([V, zeros(len(V), 1)], axis=1))


def trace_stands_still(A, B):
    return eq(inner(adjoint_velocity(A, B), A) + inner(B, velocity(A, B)), 0)


def energy_is_the_norm(A, B):
    return eq(norm2(B @ sigma(A).T), 2 * hamiltonian(A, B))


PHASE_SPACE = {"A": reals("width", "points", role="values"), "B": reals("width", "points", role="adjoint")}
SOURCE = Source("leaky_resnets", "Section 1.5")

CLAIM = Claim(
    id="leaky_resnets.conservation",
    title="The Hamiltonian is constant along critical paths",
    source=SOURCE,
    statement=energy_is_constant,
    domain=ALL_TRAJECTORIES,
    needs=(GENUINE,),
    false_variants={
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
        {**PHASE_SPACE, "W": reals("width", lambda sizes: sizes["width"] + 1, role="weights of a residual layer")},
        PHASE_SIZES,
        {SMOOTH: has_no_zero},
    ),
    needs=(SMOOTH,),
    false_variants={"other weights": stationary_with_other_weights, "no bias": stationary_without_bias},
)

TRACE = Claim(
    id="leaky_resnets.conservation.trace",
    title="The trace of a critical path grows by its biases, and so does the norm",
    source=Source("leaky_resnets", "derived here"),
    status=DerivedHere(),
    statement=trace_and_norm,
    domain=Domain(PHASE_SPACE, PHASE_SIZES),
    false_variants={"the trace is constant": trace_stands_still, "the norm is the energy": energy_is_the_norm},
)
