r"""Hamiltonian trajectories as Theorem 4 sees them: costs, speeds and adjoints in the norm of :math:`K + \gamma I`.

Where all activations are negative, K = 11^T. Two families are exact there, with :math:`E = e^{Lp}` and :math:`g = e^L`:

- *pure bias*: one neuron, one point, :math:`B = B_0E`, :math:`A = PE + Q/E` with :math:`P = B_0/2`;
- *leak alone*: any neurons and points, :math:`B_0\mathbf 1 = 0`, so that the weights vanish: :math:`A = A_0/E`,
  :math:`B = B_0E`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from verify import Domain, Q, Sizes, derived, interval
from verify.arithmetic import Array, absolute, compare, is_exact, log, maximum, minimum, sqrt, widened
from verify.measured import Measured, measured
from verify.networks.leaky_resnet import (
    activation_kernel,
    hamiltonian,
    inner,
    integrate_hamiltonian,
    squared_norm,
    stable_kernel_norm_squared,
    velocity,
)


@dataclass(frozen=True, eq=False)
class PointNorms:
    r"""At points of phase space, squared norms of :math:`K + \gamma I` unless said.

    Attributes
    ----------
    cost, speed, adjoint
        Of A, of :math:`\frac1L\partial A` and of B.
    plain_adjoint
        The squared Frobenius norm of B.
    energy
        :math:`-\frac2L\mathcal H`.
    shifted
        Of :math:`\frac1L\partial A + \gamma B`.
    """

    cost: Array
    speed: Array
    adjoint: Array
    plain_adjoint: Array
    energy: Array
    shifted: Array


@widened
def norms_at(A: Array, B: Array, gamma: Array) -> PointNorms:
    """The norms at A and B, shapes ``(..., w, N)``, for gamma of batch shape."""
    kernel, moved = activation_kernel(A), velocity(A, B)
    return PointNorms(
        cost=stable_kernel_norm_squared(A, kernel, gamma),
        speed=stable_kernel_norm_squared(moved, kernel, gamma),
        adjoint=stable_kernel_norm_squared(B, kernel, gamma),
        plain_adjoint=squared_norm(B),
        energy=-2 * hamiltonian(A, B),
        shifted=stable_kernel_norm_squared(moved + gamma[..., None, None] * B, kernel, gamma),
    )


@dataclass(frozen=True, eq=False)
class SeenTrajectories:
    r"""What the theorem says something about, for a batch of Hamiltonian trajectories.

    Attributes
    ----------
    energy
        :math:`-\frac2L\mathcal H`.
    costs, squared_speeds
        :math:`\|A_p\|^2` and :math:`\|\frac1L\partial_pA_p\|^2` at some positions p, on the last axis.
    smallest_cost, mean_speed
        :math:`\min_p\|A_p\|^2` and :math:`\ell/L`.
    length
        :math:`\int_0^1\|\partial_pA_p\|_Fdp`.
    adjoint
        :math:`c = \max_p\|B_p\|`.
    leak, root_gamma
        L and the root of gamma.
    error
        Of integration, and of the positions at which the trajectory is seen; 0 for closed forms.
    genuine
        Whether the closed form is a trajectory: its activation stays negative.
    """

    energy: Array
    costs: Array
    squared_speeds: Array
    smallest_cost: Array
    mean_speed: Array
    length: Array
    adjoint: Array
    leak: Array
    root_gamma: Array
    error: Array
    genuine: Array

    def __getitem__(self, index: Any) -> SeenTrajectories:
        return SeenTrajectories(*(getattr(self, one.name)[index] for one in fields(self)))

    @property
    def gap(self) -> Measured:
        r""":math:`-\frac2L\mathcal H - \min_p\|A_p\|^2`."""
        return measured(self.energy - self.smallest_cost, self.error)

    @property
    def radicands(self) -> Array:
        r""":math:`\|A_p\|^2 + \frac2L\mathcal H` at the positions."""
        return np.asarray(self.costs - self.energy[..., None])

    @property
    def excess(self) -> Array | Measured:
        r""":math:`\frac1L\|\partial_pA_p\| - \sqrt{[\|A_p\|^2 + \frac2L\mathcal H]_+}` at the positions."""
        below = maximum(self.radicands, 0 * self.radicands)
        if is_exact(below):
            return np.asarray(sqrt(self.squared_speeds) - sqrt(below))
        error = self.error[..., None]
        return measured(self.squared_speeds, error).sqrt() - measured(below, error).sqrt()


@widened
def pure_bias_trajectories(start: Array, adjoint: Array, growth: Array, root_gamma: Array) -> SeenTrajectories:
    """From :math:`A_0`, :math:`B_0` and :math:`e^L > 1`, batch-shaped, floats or rationals."""
    P, Q, size = adjoint / 2, start - adjoint / 2, 1 + root_gamma**2

    def activation(E: Array) -> Array:
        return np.asarray(P * E + Q / E)

    one = growth * 0 + 1
    first, last = activation(one), activation(growth)
    product = P * Q
    turns = (compare(product, 0) > 0) & (compare(P * P, product) < 0) & (compare(product, P * P * growth**2) < 0)
    # where it turns, |A| is smallest, 2 sqrt(PQ); else A is monotone
    smallest_square = np.where(turns, 4 * product, minimum(first**2, last**2))
    turning = np.where(turns, -2 * sqrt(absolute(product)), first)
    length = absolute(turning - first) + absolute(last - turning)
    nodes = np.stack([one, (1 + growth) / 2, growth], axis=-1)
    grown, shrunk = P[..., None] * nodes, Q[..., None] / nodes
    return SeenTrajectories(
        energy=4 * product,
        costs=(grown + shrunk) ** 2 / size[..., None],
        squared_speeds=(grown - shrunk) ** 2 / size[..., None],
        smallest_cost=smallest_square / size,
        mean_speed=length / sqrt(size) / log(growth),
        length=length,
        adjoint=absolute(adjoint) * growth,
        leak=log(growth),
        root_gamma=root_gamma,
        error=np.zeros(growth.shape),
        genuine=(compare(first, 0) < 0) & (compare(last, 0) < 0),
    )


@widened
def cancelling_trajectory(growth: Array, root_gamma: Array) -> SeenTrajectories:
    r"""The pure-bias trajectory with :math:`B_1 = A_1/(1 + \gamma)`: at its end :math:`\frac1L\partial A + \gamma B = 0`."""
    adjoint = 0 * growth - 1
    start = adjoint / 2 + adjoint * growth**2 * (root_gamma**2 + Q("1/2"))
    return pure_bias_trajectories(start, adjoint, growth, root_gamma)


@widened
def leak_alone_trajectories(start: Array, share: Array, growth: Array, root_gamma: Array) -> SeenTrajectories:
    r"""From negative activations, shape ``(..., w, N)``, with adjoints along their differences between points.

    :math:`B_0 = \frac{t}{\gamma g^2}(A_0 - \text{its mean over the points})` for t = `share`.
    """
    gamma, points = root_gamma**2, start.shape[-1]
    sums = start.sum(axis=-1)
    centred = start - sums[..., None] / points
    adjoint = (share / (gamma * growth**2))[..., None, None] * centred
    # the norm of K + gamma I for K = 11^T
    cost = (squared_norm(start) - (sums * sums).sum(axis=-1) / (points + gamma)) / gamma
    nodes = np.stack([growth * 0 + 1, (1 + growth) / 2, growth], axis=-1)
    moved = (1 - 1 / growth) * sqrt(squared_norm(start))
    return SeenTrajectories(
        energy=2 * inner(adjoint, start),
        costs=cost[..., None] / nodes**2,
        squared_speeds=cost[..., None] / nodes**2,
        smallest_cost=cost / growth**2,
        mean_speed=sqrt(cost) * (1 - 1 / growth) / log(growth),
        length=moved,
        adjoint=sqrt(squared_norm(adjoint)) * growth,
        leak=log(growth),
        root_gamma=root_gamma,
        error=np.zeros(growth.shape),
        genuine=np.asarray((compare(start, 0) < 0).all(axis=(-2, -1))),
    )


@widened
def integrated_trajectories(A: Array, B: Array, leak: Array, root_gamma: Array) -> SeenTrajectories:
    """From the initial values A and B, shape ``(..., w, N)``; floats only."""
    from scipy.integrate import simpson

    path = integrate_hamiltonian(A, B, leak)
    at = norms_at(path.activations, path.adjoints, root_gamma[..., None] ** 2 + 0 * path.activations[..., 0, 0])
    speeds, adjoints = np.sqrt(at.speed), np.sqrt(at.plain_adjoint)
    moved = leak[..., None] * np.sqrt(squared_norm(velocity(path.activations, path.adjoints)))

    def seen(every: int) -> tuple[Array, ...]:
        """From all positions, or from fewer."""
        step = every / (path.activations.shape[-3] - 1)
        means = [simpson(values[..., ::every], axis=-1) * step for values in (speeds, moved)]
        return at.cost[..., ::every].min(axis=-1), means[0], means[1], adjoints[..., ::every].max(axis=-1)

    fine = seen(1)
    size = 1 + at.cost.max(axis=-1) + at.speed.max(axis=-1) + at.plain_adjoint.max(axis=-1)
    unseen = sum(np.abs(one - other) for one, other in zip(fine, seen(2), strict=True))
    return SeenTrajectories(
        energy=at.energy[..., 0],
        costs=at.cost,
        squared_speeds=at.speed,
        smallest_cost=fine[0],
        mean_speed=fine[1],
        length=fine[2],
        adjoint=fine[3],
        leak=leak,
        root_gamma=root_gamma,
        error=(unseen + path.accuracy / root_gamma**2) * size,
        genuine=np.ones(leak.shape, dtype=bool),
    )


FAMILIES = {0: (1, 1), 1: (1, 2), 2: (2, 3), 3: (1, 1), 4: (1, 2), 5: (2, 2), 6: (2, 3), 7: (3, 2)}
"""Neurons and points of the families: 0 is pure bias, 1 and 2 leak alone, the others are integrated."""
CLOSED = (0, 1, 2)


@widened
def seen_trajectories(A: Array, B: Array, root_growth: Array, root_gamma: Array, family: int) -> SeenTrajectories:
    r"""The trajectories of a family from the same coordinates; :math:`e^L` is the fourth power of `root_growth`."""
    growth = root_growth**4
    if family == 0:
        return pure_bias_trajectories(A[..., 0, 0], B[..., 0, 0], growth, root_gamma)
    if family in CLOSED:
        return leak_alone_trajectories(-absolute(A) - Q("1/8"), 4 * B[..., 0, 0], growth, root_gamma)
    # adjoints grow at most as fast as the leak: they are of order 1 at the end
    return integrated_trajectories(A, B / growth[..., None, None], log(growth), root_gamma)


def is_trajectory(trajectory: SeenTrajectories) -> Array:
    """Whether the closed form stays where it is one."""
    return trajectory.genuine


def price(sizes: Sizes) -> int:
    """A closed form costs little, an integration much."""
    return 1 if sizes["family"] in CLOSED else 16


def _neurons(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][0]


def _points(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][1]


GENUINE = "Hamiltonian trajectory"
COORDINATES = {
    "A": interval(-2, 2, _neurons, _points),
    "B": interval(-1, 1, _neurons, _points),
    "root_growth": interval(1 + 2.0**-22, 7 / 2),
}
ROOT_GAMMA = interval(2.0**-20, 3 / 2)
SEEN_TRAJECTORIES = Domain(
    {"trajectory": derived(seen_trajectories, **COORDINATES, root_gamma=ROOT_GAMMA)},
    {"family": tuple(FAMILIES)},
    {GENUINE: is_trajectory},
)
