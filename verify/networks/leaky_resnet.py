r"""Leaky ResNets in the Hamiltonian picture: activations A and adjoints B, both of shape ``(..., w, N)``.

A leaky ResNet of leak L moves its activations by :math:`\partial_p A = -LA + W_p\sigma(A)`, where :math:`\sigma(A)` is the
ReLU of A with a row of ones below it. At a critical point :math:`W_p = L B_p\sigma(A_p)^T`, and A and B obey Hamilton's
equations. Everything here takes leading batch axes, and rationals where no integration is involved.

Source: leaky_resnets, Sections 1.1 and 1.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.arithmetic import Array, FloatOnly, UndecidedInstances, is_exact, where_positive
from verify.matrices import inverse

RELATIVE_ACCURACY = 1e-9
"""Relative tolerance asked of the integrator, at each step; `HamiltonianTrajectories.accuracy` is what came of it."""


def rectified(activations: Array) -> Array:
    """ReLU of every entry, shape unchanged."""
    return where_positive(activations, activations)


def active(activations: Array) -> Array:
    """Derivative of the ReLU at every entry: 1 where it is positive, else 0."""
    return where_positive(activations, activations * 0 + 1)


def activation_kernel(activations: Array) -> Array:
    r""":math:`K = \sigma(A)^T\sigma(A)`, ``(..., w, N) -> (..., N, N)``: the kernel of the ReLU plus 1 for the bias row."""
    features = rectified(activations)
    return np.asarray(np.swapaxes(features, -1, -2) @ features + 1)


def kernel_norm_squared(matrix: Array, kernel: Array) -> Array:
    r""":math:`\mathrm{Tr}[M K^{-1} M^T]`, ``(..., w, N), (..., N, N) -> (...)``; `kernel` must be invertible.

    Source: leaky_resnets, Section 1.3 (the K-norm, with :math:`K + \gamma I` for K).
    """
    return np.asarray(((matrix @ inverse(kernel)) * matrix).sum(axis=(-2, -1)))


def squared_norm(matrix: Array) -> Array:
    """Squared Frobenius norm, ``(..., w, N) -> (...)``."""
    return np.asarray((matrix * matrix).sum(axis=(-2, -1)))


def hamiltonian(activations: Array, adjoints: Array) -> Array:
    r""":math:`\frac{1}{L}H = \frac12\|B\sigma(A)^T\|^2 - \mathrm{Tr}[BA^T]`, shape ``(...)``: the leak is a factor of H."""
    quadratic = (adjoints @ activation_kernel(activations) * adjoints).sum(axis=(-2, -1))
    return np.asarray(quadratic / 2 - (adjoints * activations).sum(axis=(-2, -1)))


def velocity(activations: Array, adjoints: Array) -> Array:
    r""":math:`\frac1L\partial_p A = BK - A`, shape ``(..., w, N)``."""
    return np.asarray(adjoints @ activation_kernel(activations) - activations)


def adjoint_velocity(activations: Array, adjoints: Array) -> Array:
    r""":math:`\frac1L\partial_p B = B - \dot\sigma(A)\odot[\bar\sigma(A)B^TB]`, shape ``(..., w, N)``."""
    pulled = rectified(activations) @ np.swapaxes(adjoints, -1, -2) @ adjoints
    return np.asarray(adjoints - active(activations) * pulled)


@dataclass(frozen=True, eq=False)
class HamiltonianTrajectories:
    """Integrated trajectories of a batch.

    Attributes
    ----------
    activations, adjoints
        Shape ``(..., T, w, N)``: A and B at T equidistant positions p from 0 to 1.
    accuracy
        Shape ``(...)``: how far the Hamiltonian drifted, relative to the sizes that enter it: zero for an exact trajectory.
    """

    activations: npt.NDArray[np.float64]
    adjoints: npt.NDArray[np.float64]
    accuracy: npt.NDArray[np.float64]


def integrate_hamiltonian(activations: Array, adjoints: Array, leak: Array, nodes: int = 65) -> HamiltonianTrajectories:
    """Integrate Hamilton's equations from p = 0 to p = 1 for a whole batch at once, by scipy's DOP853.

    Parameters
    ----------
    activations, adjoints
        Initial values, shape ``(..., w, N)``.
    leak
        Shape ``(...)``, non-negative.
    nodes
        Number of equidistant positions at which the trajectory is kept.

    Raises
    ------
    FloatOnly
        The initial values are rationals.
    UndecidedInstances
        The integrator gave up: a trajectory of the batch runs away.
    """
    from scipy.integrate import solve_ivp

    if is_exact(activations) or is_exact(adjoints):
        raise FloatOnly("an integrated trajectory has no exact evaluation")
    shape = np.broadcast_shapes(activations.shape, adjoints.shape)
    start = np.stack([np.broadcast_to(activations, shape), np.broadcast_to(adjoints, shape)])
    rate = np.asarray(leak, dtype=np.float64)[..., None, None]

    def field(_: float, state: Any) -> Any:
        a, b = state.reshape(start.shape)
        return np.stack([rate * velocity(a, b), rate * adjoint_velocity(a, b)]).ravel()

    solution = solve_ivp(
        field,
        (0.0, 1.0),
        start.ravel(),
        method="DOP853",
        rtol=RELATIVE_ACCURACY,
        atol=RELATIVE_ACCURACY,
        t_eval=np.linspace(0.0, 1.0, nodes),
    )
    if not solution.success or not np.all(np.isfinite(solution.y)):
        raise UndecidedInstances(f"the integrator gave up: {solution.message}", np.ones(shape[:-2], dtype=bool))
    path = np.moveaxis(solution.y.reshape(*start.shape, nodes), -1, -3)
    energy = hamiltonian(path[0], path[1])
    sizes = 1 + squared_norm(path[1] @ activation_kernel(path[0])) + squared_norm(path[0]) + squared_norm(path[1])
    drift = np.abs(energy - energy[..., :1]).max(axis=-1) / sizes.max(axis=-1)
    return HamiltonianTrajectories(path[0], path[1], drift)
