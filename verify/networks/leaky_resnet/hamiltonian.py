r"""Leaky ResNets in the Hamiltonian picture: activations A and adjoints B, both of shape ``(..., w, N)``.

A leaky ResNet of leak L moves its activations by :math:`\partial_p A = -LA + W_p\sigma(A)`. At a critical point
:math:`W_p = L B_p\sigma(A_p)^T`, and A and B obey Hamilton's equations. The leak is a factor of every energy and of every
velocity here, and is left out of them. Everything takes leading batch axes, and rationals where no integration is involved.

Source: leaky_resnets, Sections 1.5 and 2.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verify.networks._arrays import as_array
from verify.networks.leaky_resnet._features import (
    activation_kernel,
    active,
    checked_matrix,
    checked_pair,
    factor,
    feature_matrix,
    inner,
    rectified,
    squared_norm,
)
from verify.networks.leaky_resnet.kernel_norms import cost_of_identity, feature_norm_squared, stable_kernel_norm_squared
from verify.numbers.arguments import flag
from verify.numbers.arithmetic import LARGEST_COUNT, Array, FloatOnly, UndecidedInstances, array_module, integer, is_exact, sqrt

RELATIVE_ACCURACY = 1e-9
"""Relative tolerance asked of the integrator, at each step; `HamiltonianTrajectories.accuracy` is what came of it."""


def hamiltonian(activations: Array, adjoints: Array, *, bias: bool = True) -> Array:
    r""":math:`\frac{1}{L}H = \frac12\|B\sigma(A)^T\|^2 - \mathrm{Tr}[BA^T]`, shape ``(...)``: the leak is a factor of H.

    Raises
    ------
    ValueError
        The shapes differ; entries that are not finite real numbers; mixed arithmetics.

    Examples
    --------
    >>> A, B = rationals([[1, 2]]), rationals([[2, 0]])
    >>> hamiltonian(A, B, bias=False)
    array(0, dtype=object)
    >>> hamiltonian(A, B)
    array(2, dtype=object)
    """
    bias = flag("bias", bias)
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    return _hamiltonian(activations, adjoints, bias=bias)


def velocity(activations: Array, adjoints: Array, *, bias: bool = True) -> Array:
    r""":math:`\frac1L\partial_p A = BK - A`, shape ``(..., w, N)``; errors as for `hamiltonian`.

    Examples
    --------
    >>> print(velocity(rationals([[1, 2]]), rationals([[2, 0]]), bias=False))
    [[1 2]]

    Where it is zero the layer is the identity on the activations:

    >>> print(velocity(rationals([[1, 2]]), rationals([[1, 0]]), bias=False))
    [[0 0]]
    """
    bias = flag("bias", bias)
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    return _velocity(activations, adjoints, bias=bias)


def adjoint_velocity(activations: Array, adjoints: Array) -> Array:
    r""":math:`\frac1L\partial_p B = B - \dot\sigma(A)\odot[\bar\sigma(A)B^TB]`, shape ``(..., w, N)``, with or without bias.

    Errors as for `hamiltonian`.

    Examples
    --------
    >>> print(adjoint_velocity(rationals([[1, 2]]), rationals([[2, 0]])))
    [[-2 0]]
    """
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    return _adjoint_velocity(activations, adjoints)


def critical_weights(activations: Array, adjoints: Array, leak: Any, *, bias: bool = True) -> Array:
    r""":math:`W = LB\sigma(A)^T`, ``(..., w, N) -> (..., w, w + 1)`` (``(..., w, w)`` without bias).

    Raises
    ------
    ValueError
        The shapes differ; entries that are not finite real numbers; mixed arithmetics.

    Source: leaky_resnets, Section 1.5.

    Examples
    --------
    >>> print(critical_weights(rationals([[1, 2]]), rationals([[2, 0]]), 3))
    [[6 6]]
    """
    bias = flag("bias", bias)
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    rate = factor("leak", leak, activations, adjoints)
    weights: Array = rate * (adjoints @ feature_matrix(activations, bias=bias).swapaxes(-1, -2))
    return weights


def kinetic_energy(activations: Array, moved: Array, *, bias: bool = True) -> Array:
    r""":math:`\frac1L\cdot\frac1{2L}\|\partial_pA\|_K^2 = \frac12\|V\|_K^2` for ``moved`` :math:`V = \frac1L\partial_pA`.

    Shape ``(..., w, N) -> (...)``; infinite where the rows of V are not in the image of K.

    Raises
    ------
    RankUndecided
        In floats, a singular value lies in the gap between zero and non-zero.
    ValueError
        As for `hamiltonian`.

    Source: leaky_resnets, Section 1.3.

    Examples
    --------
    The Hamiltonian is the sum of the kinetic and the potential energy:

    >>> A, B = rationals([[1, 2]]), rationals([[2, 0]])
    >>> kinetic = kinetic_energy(A, velocity(A, B, bias=False), bias=False)
    >>> potential = potential_energy(A, bias=False)
    >>> print(kinetic, potential, hamiltonian(A, B, bias=False))
    1/2 -1/2 0
    """
    bias = flag("bias", bias)
    activations, moved = checked_pair(("activations", activations), ("moved", moved))
    return as_array(feature_norm_squared(moved, feature_matrix(activations, bias=bias)) / 2)


def potential_energy(activations: Array, *, bias: bool = True) -> Array:
    r""":math:`-\frac1L\cdot\frac L2\|A\|_K^2`, ``(..., w, N) -> (...)``: minus half the cost of the identity.

    Errors as for `cost_of_identity`. Source: leaky_resnets, Section 1.3.

    Examples
    --------
    >>> potential_energy(rationals([[1, 0], [0, 2]]), bias=False)
    array(-1, dtype=object)
    """
    return as_array(-cost_of_identity(activations, bias=bias) / 2)


def stable_hamiltonian(activations: Array, moved: Array, gamma: Any, *, bias: bool = True) -> Array:
    r""":math:`\frac1LH_\gamma = \frac12\|V\|^2 - \frac12\|A\|^2` in the norm of :math:`K + \gamma I`, ``(..., w, N) -> (...)``.

    ``moved`` is :math:`V = \frac1L\partial_pA`; gamma is positive, a number or one for each instance.

    Raises
    ------
    ValueError
        gamma is not positive; otherwise as for `hamiltonian`.

    Source: leaky_resnets, Section 2.1 and Figure 1.

    Examples
    --------
    >>> A = rationals([[1, 2]])
    >>> stable_hamiltonian(A, A, 5, bias=False)
    array(0, dtype=object)
    >>> stable_hamiltonian(A, 2 * A, 5, bias=False)
    array(3/4, dtype=object)
    """
    bias = flag("bias", bias)
    activations, moved = checked_pair(("activations", activations), ("moved", moved))
    kernel = activation_kernel(activations, bias=bias)
    kinetic = stable_kernel_norm_squared(moved, kernel, gamma)
    return as_array((kinetic - stable_kernel_norm_squared(activations, kernel, gamma)) / 2)


def path_length(path: Array) -> Array:
    r""":math:`\sum_k\|A_{k+1} - A_k\|_F`, ``(..., T, w, N) -> (...)``: at most the length :math:`\int\|\partial_pA\|dp`.

    Raises
    ------
    ValueError
        There is no axis of positions; entries that are not finite real numbers.

    Examples
    --------
    >>> path_length(rationals([[[0], [0]], [[3], [4]], [[3], [5]]]))
    array(6, dtype=object)
    """
    path = checked_matrix("path", path)
    if path.ndim < 3 or path.shape[-3] < 1:
        raise ValueError(f"path must have the shape (..., positions, neurons, points), got {path.shape}")
    steps = squared_norm(path[..., 1:, :, :] - path[..., :-1, :, :])
    if steps.shape[-1] == 0:
        return squared_norm(path[..., 0, :, :]) * 0
    return as_array(sqrt(steps).sum(axis=-1))


def _hamiltonian(activations: Array, adjoints: Array, *, bias: bool) -> Array:
    # through the features: the kernel would square their condition
    quadratic = squared_norm(adjoints @ feature_matrix(activations, bias=bias).swapaxes(-1, -2))
    return as_array(quadratic / 2 - inner(adjoints, activations))


def _velocity(activations: Array, adjoints: Array, *, bias: bool) -> Array:
    features = feature_matrix(activations, bias=bias)
    moved: Array = (adjoints @ features.swapaxes(-1, -2)) @ features - activations
    return moved


def _adjoint_velocity(activations: Array, adjoints: Array) -> Array:
    pulled = rectified(activations) @ (adjoints.swapaxes(-1, -2) @ adjoints)
    moved: Array = adjoints - active(activations) * pulled
    return moved


@dataclass(frozen=True, eq=False)
class HamiltonianTrajectories:
    r"""Integrated trajectories of a batch.

    Attributes
    ----------
    activations, adjoints
        Shape ``(..., T, w, N)``: A and B at T equidistant positions p from 0 to 1.
    accuracy
        Shape ``(...)``: how far the Hamiltonian drifted, relative to the sizes that enter it: zero for an exact trajectory.
    step_errors
        Shape ``(...)``: sum over all steps of the error that each may have made in (A, B), if it kept its tolerance as long as
        no activation changed its sign; in a step in which one does it is all that the kink can do. A conserved quantity has
        drifted by at most this times the norm of its gradient.
    """

    activations: npt.NDArray[np.float64]
    adjoints: npt.NDArray[np.float64]
    accuracy: npt.NDArray[np.float64]
    step_errors: npt.NDArray[np.float64]


def integrate_hamiltonian(
    activations: Array, adjoints: Array, leak: Any, nodes: int = 65, *, bias: bool = True
) -> HamiltonianTrajectories:
    """Integrate Hamilton's equations from p = 0 to p = 1 for a whole batch at once, by scipy's DOP853.

    Parameters
    ----------
    activations, adjoints
        Initial values, shape ``(..., w, N)``.
    leak
        A number, or one for each instance of the batch; a negative one integrates backwards.
    nodes
        Number of equidistant positions at which the trajectory is kept, at least 2.

    Raises
    ------
    FloatOnly
        The initial values are rationals.
    UndecidedInstances
        The integrator gave up: a trajectory of the batch runs away.
    TypeError
        The initial values are not on the host, where scipy integrates.
    ValueError
        The shapes differ; entries that are not finite real numbers; fewer than 2 nodes.

    Examples
    --------
    Where no neuron is active the leak alone acts: A is multiplied by :math:`e^{-L}` and B by :math:`e^L`.

    >>> path = integrate_hamiltonian(np.array([[-1.0]]), np.array([[1.0]]), np.log(2), nodes=2, bias=False)
    >>> print(path.activations[-1].round(6), path.adjoints[-1].round(6))
    [[-0.5]] [[2.]]
    """
    from scipy.integrate import solve_ivp

    bias = flag("bias", bias)
    activations, adjoints = checked_pair(("activations", activations), ("adjoints", adjoints))
    check_integrable("activations", activations)
    nodes = integer("nodes", nodes, 2, ": the ends of the trajectory", most=LARGEST_COUNT)
    rate = factor("leak", leak, activations, adjoints)
    shape = np.broadcast_shapes(activations.shape, adjoints.shape, rate.shape)
    start = np.stack([np.broadcast_to(activations, shape), np.broadcast_to(adjoints, shape)])

    def field(_: float, state: Any) -> Any:
        a, b = state.reshape(start.shape)
        return np.stack([rate * _velocity(a, b, bias=bias), rate * _adjoint_velocity(a, b)]).ravel()

    solution = solve_ivp(
        field,
        (0.0, 1.0),
        start.ravel(),
        method="DOP853",
        rtol=RELATIVE_ACCURACY,
        atol=RELATIVE_ACCURACY,
        dense_output=True,
    )
    if not solution.success or not np.all(np.isfinite(solution.y)):
        raise UndecidedInstances(f"the integrator gave up: {solution.message}", np.ones(shape[:-2], dtype=bool))
    solution_at: Any = solution.sol
    path = np.moveaxis(solution_at(np.linspace(0.0, 1.0, nodes)).reshape(*start.shape, nodes), -1, -3)
    step_states = np.moveaxis(solution.y.reshape(*start.shape, -1), -1, -3)
    energy = _hamiltonian(path[0], path[1], bias=bias)
    quadratic = squared_norm(path[1] @ activation_kernel(path[0], bias=bias))
    sizes = 1 + quadratic + squared_norm(path[0]) + squared_norm(path[1])
    drift = np.abs(energy - energy[..., :1]).max(axis=-1) / sizes.max(axis=-1)
    return HamiltonianTrajectories(path[0], path[1], drift, _step_errors(step_states, solution.t, rate[..., 0, 0]))


def _step_errors(states: Array, times: Array, leak: Array) -> npt.NDArray[np.float64]:
    """See `HamiltonianTrajectories`; `states` are A and B after each step, shape ``(2, ..., steps, w, N)``."""
    A, B = states
    # scipy asks for the root mean square over all values of the batch
    allowed = np.sqrt(states[..., 0, :, :].size) * RELATIVE_ACCURACY * (1 + abs(states).max(axis=(0, -3, -2, -1)))
    # where an entry of A changes its sign, the features change by its overshoot and a mask forgets what it let through
    before, after = (slice(None, -1), slice(1, None))
    pulled = rectified(A) @ (B.swapaxes(-1, -2) @ B)
    crossed = (A[..., after, :, :] > 0) != (A[..., before, :, :] > 0)

    def size(values: Array) -> Array:
        """Norm of what crossed, the larger of both ends of each step."""
        return np.sqrt(np.maximum(*(squared_norm(crossed * values[..., end, :, :]) for end in (before, after))))

    momentum, features = np.sqrt(squared_norm(B)), np.sqrt(squared_norm(rectified(A)))
    overshoot = size(A) * (momentum**2 + 2 * momentum * features).max(axis=-1, keepdims=True)
    kinks = (np.diff(times) * abs(leak[..., None]) * (size(pulled) + overshoot)).sum(axis=-1)
    return np.asarray((len(times) - 1) * allowed + kinks)


def check_integrable(name: str, values: Array) -> None:
    """Floats of NumPy's; see `integrate_hamiltonian`."""
    if is_exact(values):
        raise FloatOnly("an integrated trajectory has no exact evaluation")
    if array_module(values) is not np:
        raise TypeError(f"{name} must be a NumPy array, because scipy integrates on the host, got {type(values).__name__}")
