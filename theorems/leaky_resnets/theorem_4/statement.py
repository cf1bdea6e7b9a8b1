r"""Theorem 4: on a Hamiltonian trajectory the cost of the identity is nearly minimal, and the speed measures what it lacks.

Printed: if :math:`\|B_p\| \le c` on a Hamiltonian trajectory, then for every :math:`\gamma > 0`, with the norms of
:math:`K_p + \gamma I` and :math:`\ell = \int_0^1\|\partial_pA_p\|dp`,

.. math:: -(\ell/L + \gamma c)^2 \le -\tfrac2L\mathcal H - \min_p\|A_p\|^2 \le \gamma c^2, \qquad
          -\gamma c \le \tfrac1L\|\partial_pA_p\| - \sqrt{\|A_p\|^2 + \tfrac2L\mathcal H} \le 2\gamma c .

This is false for small :math:`\gamma`, already for one neuron and one point: on a trajectory with negative activation only
the bias acts, :math:`B_p = \beta e^{Lp}` and :math:`A_p = \frac\beta2e^{Lp} + Qe^{-Lp}` in closed form, and at p = 1 the speed
exceeds the root by almost :math:`\sqrt\gamma c`. True is the same with :math:`\sqrt\gamma`:

.. math:: -(\ell/L)^2 - 2\sqrt\gamma c\,\ell/L \le -\tfrac2L\mathcal H - \min_p\|A_p\|^2 \le \gamma c^2, \qquad
          -\sqrt\gamma c \le \tfrac1L\|\partial_pA_p\| - \sqrt{[\|A_p\|^2 + \tfrac2L\mathcal H]_+} \le 2\sqrt\gamma c .

The proof is an identity at each p, :math:`\|\frac1L\partial A + \gamma B\|^2 = \|A\|^2 + \frac2L\mathcal H + \gamma\|B\|^2`,
the triangle inequality, :math:`\gamma\|B\|_{K+\gamma I} \le \sqrt\gamma\|B\|`, and that H is constant.

What is checked: the identity and the inequalities at a point for every A and B; the theorem on trajectories integrated from
random starts, and on the closed form, where all its quantities are exact. The print leaves open what a root of a negative
number is; both forms are checked with its positive part. Instances: dead neurons, mixed signs, more points than neurons.

That the printed form fails at minimisers of the learning problem, too, is in ``local_minimisers`` and
``global_minimisers``; what follows from the theorem, in ``consequences``.

Source: leaky_resnets, Theorem 4 (Theorem 8 of the appendix).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np

from verify import (
    Claim,
    Domain,
    FalseAsPrinted,
    Ours,
    Relation,
    Sizes,
    Source,
    Tight,
    derived,
    eq,
    ge,
    interval,
    le,
    reals,
)
from verify.arithmetic import Array, absolute, compare, is_exact, largest, log, maximum, minimum, rationals, sqrt
from verify.networks.leaky_resnet import (
    activation_kernel,
    hamiltonian,
    integrate_hamiltonian,
    squared_norm,
    stable_kernel_norm_squared,
    velocity,
)


@dataclass(frozen=True, eq=False)
class PointNorms:
    r"""At points of phase space, all in the norm of :math:`K + \gamma I`: squares unless they are called norms."""

    cost: Array
    speed: Array
    adjoint: Array
    plain_adjoint: Array
    energy: Array
    shifted: Array


def norms_at(A: Array, B: Array, gamma: Array) -> PointNorms:
    r"""Squares of A, of :math:`\frac1L\partial A`, of B; plain square of B; :math:`-\frac2L\mathcal H`; square of the sum."""
    kernel, moved = activation_kernel(A), velocity(A, B)
    return PointNorms(
        cost=stable_kernel_norm_squared(A, kernel, gamma),
        speed=stable_kernel_norm_squared(moved, kernel, gamma),
        adjoint=stable_kernel_norm_squared(B, kernel, gamma),
        plain_adjoint=squared_norm(B),
        energy=-2 * hamiltonian(A, B),
        shifted=stable_kernel_norm_squared(moved + gamma[..., None, None] * B, kernel, gamma),
    )


def pointwise_identity(A: Array, B: Array, gamma: Array, factor: int = 1, sign: int = 1) -> Relation:
    """The identity from which everything follows."""
    at = norms_at(A, B, gamma)
    size = at.cost + absolute(at.energy) + gamma * at.plain_adjoint + squared_norm(A) / gamma
    return eq(at.shifted, at.cost - sign * at.energy + factor * gamma * at.plain_adjoint, scale=size)


def pointwise_bounds(
    A: Array, B: Array, root_gamma: Array, percent: int = 100, lower_percent: int = 100, *, drop_cross: bool = False
) -> Relation:
    """Bounds on the radicand x**2 and on the difference of speed and root, at each point of phase space."""
    gamma = root_gamma**2
    at = norms_at(A, B, gamma)
    speed, adjoint = sqrt(at.speed), gamma * sqrt(at.adjoint)
    radicand = at.cost - at.energy
    plain = root_gamma * sqrt(at.plain_adjoint)
    size = at.cost + absolute(at.energy) + at.speed + squared_norm(A) / gamma
    excess = speed - sqrt(maximum(radicand, 0 * radicand))
    # a root near zero magnifies the rounding errors of its radicand
    noise = None if is_exact(A) else np.sqrt(2.0**-44 * size)
    return (
        ge(radicand, -gamma * at.plain_adjoint, scale=size)
        & le(radicand, at.speed + (0 if drop_cross else 2 * speed * adjoint), scale=size)
        & ge(excess, -adjoint * lower_percent / 100, scale=sqrt(size), noise=noise)
        & le(excess, (adjoint + plain) * percent / 100, scale=sqrt(size), noise=noise)
    )


@dataclass(frozen=True, eq=False)
class Trajectories:
    r"""What the theorem says something about, for a batch of Hamiltonian trajectories.

    Attributes
    ----------
    energy
        :math:`-\frac2L\mathcal H`.
    costs, speeds
        :math:`\|A_p\|^2` and :math:`\frac1L\|\partial_pA_p\|` at some positions p, on the last axis.
    smallest_cost, mean_speed
        :math:`\min_p\|A_p\|^2` and :math:`\ell/L`.
    adjoint
        :math:`\max_p\|B_p\|`.
    root_gamma
        The root of gamma.
    noise
        Error of integration and of the positions at which the trajectory is seen; 0 for closed forms.
    genuine
        Whether the closed form is a trajectory: its activation stays negative.
    """

    energy: Array
    costs: Array
    speeds: Array
    smallest_cost: Array
    mean_speed: Array
    adjoint: Array
    root_gamma: Array
    noise: Array
    genuine: Array

    def __getitem__(self, index: Any) -> Trajectories:
        return Trajectories(*(getattr(self, one.name)[index] for one in fields(self)))


def pure_bias_trajectories(start: Array, adjoint: Array, growth: Array, root_gamma: Array) -> Trajectories:
    r"""One neuron, one point, negative activation: :math:`A = PE + Q/E`, :math:`B = 2PE` with :math:`E = e^{Lp}`.

    Takes :math:`A_0`, :math:`B_0` and :math:`e^L > 1`, batch-shaped, floats or rationals. H and the extreme values are exact.
    """
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
    along = P[..., None] * nodes + Q[..., None] / nodes
    moved = absolute(P[..., None] * nodes - Q[..., None] / nodes)
    return Trajectories(
        energy=4 * product,
        costs=along**2 / size[..., None],
        speeds=moved / sqrt(size)[..., None],
        smallest_cost=smallest_square / size,
        mean_speed=length / sqrt(size) / log(growth),
        adjoint=absolute(adjoint) * growth,
        root_gamma=root_gamma,
        noise=0 * growth,
        genuine=(compare(first, 0) < 0) & (compare(last, 0) < 0),
    )


def integrated_trajectories(A: Array, B: Array, growth: Array, root_gamma: Array) -> Trajectories:
    """Trajectories from the initial values A and B, shape ``(..., w, N)``, for the leak log(growth); floats only."""
    from scipy.integrate import simpson

    path = integrate_hamiltonian(A, B, log(growth))
    gamma = root_gamma[..., None] ** 2
    at = norms_at(path.activations, path.adjoints, np.broadcast_to(gamma, path.activations.shape[:-2]))
    adjoints, speeds = np.sqrt(at.plain_adjoint), np.sqrt(at.speed)
    seen = [
        (at.cost[..., ::every].min(axis=-1), simpson(speeds[..., ::every], axis=-1), adjoints[..., ::every].max(axis=-1))
        for every in (1, 2)
    ]
    mean_speed = seen[0][1] / (path.activations.shape[-3] - 1)
    coarse = 2 * seen[1][1] / (path.activations.shape[-3] - 1)
    unseen = np.abs(seen[0][0] - seen[1][0]) + np.abs(mean_speed - coarse) + np.abs(seen[0][2] - seen[1][2])
    size = 1 + at.cost.max(axis=-1) + at.speed.max(axis=-1) + at.plain_adjoint.max(axis=-1)
    drift = path.accuracy * size / gamma[..., 0]
    return Trajectories(
        energy=at.energy[..., 0],
        costs=at.cost,
        speeds=speeds,
        smallest_cost=seen[0][0],
        mean_speed=mean_speed,
        adjoint=seen[0][2],
        root_gamma=root_gamma,
        noise=unseen * size + drift,
        genuine=np.ones(growth.shape, dtype=bool),
    )


FAMILIES = {0: (1, 1), 1: (1, 1), 2: (1, 2), 3: (2, 2), 4: (2, 3), 5: (3, 2)}
"""Neurons and points of the families of trajectories; family 0 is the closed form, the others are integrated."""


def trajectories(A: Array, B: Array, growth: Array, root_gamma: Array, family: int) -> Trajectories:
    """The trajectories of a family from the same coordinates."""
    if family == 0:
        return pure_bias_trajectories(A[..., 0, 0], B[..., 0, 0], growth, root_gamma)
    return integrated_trajectories(A, B, growth, root_gamma)


def separation_of_time_scales(
    trajectory: Trajectories,
    upper: int = 100,
    cross: int = 100,
    speed_lower: int = 100,
    speed_upper: int = 200,
) -> Relation:
    """The corrected theorem; the integers are its constants in percent."""
    reach = trajectory.root_gamma * trajectory.adjoint
    gap = trajectory.energy - trajectory.smallest_cost
    lower = -(trajectory.mean_speed**2) - 2 * reach * trajectory.mean_speed * cross / 100
    return (
        le(gap, reach**2 * upper / 100, scale=sizes_of(trajectory), noise=trajectory.noise)
        & ge(gap, lower, scale=sizes_of(trajectory), noise=trajectory.noise)
        & speed_law(trajectory, reach * speed_lower / 100, reach * speed_upper / 100)
    )


def printed_separation(trajectory: Trajectories) -> Relation:
    """The theorem as printed, with the positive part under the root."""
    reach = trajectory.root_gamma**2 * trajectory.adjoint
    gap = trajectory.energy - trajectory.smallest_cost
    return (
        le(gap, reach * trajectory.adjoint, scale=sizes_of(trajectory), noise=trajectory.noise)
        & ge(gap, -((trajectory.mean_speed + reach) ** 2), scale=sizes_of(trajectory), noise=trajectory.noise)
        & speed_law(trajectory, reach, 2 * reach)
    )


def speed_law(trajectory: Trajectories, below: Array, above: Array) -> Relation:
    """Speed against root, at every position that is seen."""
    radicand = trajectory.costs - trajectory.energy[..., None]
    excess = trajectory.speeds - sqrt(maximum(radicand, 0 * radicand))
    size = sizes_of(trajectory)[..., None]
    # a root near zero magnifies the errors of its radicand
    noise = None if is_exact(radicand) else np.sqrt(trajectory.noise[..., None] + 2.0**-44 * size)
    above, below = np.broadcast_arrays(above[..., None], below[..., None])
    return ge(excess, -below, scale=sqrt(size), noise=noise, over=1) & le(excess, above, scale=sqrt(size), noise=noise, over=1)


def sizes_of(trajectory: Trajectories) -> Array:
    """Size of what is subtracted on a trajectory."""
    return np.asarray(absolute(trajectory.energy) + largest(trajectory.costs) + trajectory.adjoint**2)


def is_trajectory(trajectory: Trajectories) -> Array:
    """Whether the closed form stays where it is one."""
    return trajectory.genuine


def attaining_trajectory() -> dict[str, Trajectories]:
    r"""Backwards from :math:`b_1 = a_1/(a_1^2 + 1 + \gamma)`: the upper bound :math:`\gamma c^2` is attained at p = 1."""
    a, root_gamma, leak = np.array([0.5, 1.0, 2.0]), np.array([0.1, 0.5, 1.5]), np.array([0.5, 1.0, 1.0])
    b = a / (a**2 + 1 + root_gamma**2)
    # backwards in time is forwards with a negative leak
    back = integrate_hamiltonian(a[:, None, None], b[:, None, None], -leak)
    start, adjoint = back.activations[:, -1], back.adjoints[:, -1]
    return {"trajectory": integrated_trajectories(start, adjoint, np.exp(leak), root_gamma)}


def upper_bound(trajectory: Trajectories, percent: int = 100, gammas: int = 1) -> Relation:
    """The upper bound on the gap alone."""
    gap = trajectory.energy - trajectory.smallest_cost
    bound = trajectory.root_gamma ** (2 * gammas) * trajectory.adjoint**2 * percent / 100
    return le(gap, bound, scale=sizes_of(trajectory), noise=trajectory.noise)


def opposite_pair(inverse_size: int = 1000) -> dict[str, Array]:
    """One neuron, two points, B = (1, -1)/inverse_size and A = 2 gamma B: speed minus root nears 2 sqrt(gamma) times B."""
    B = rationals([[[1, -1]]]) / inverse_size
    return {"A": 2 * B, "B": B, "root_gamma": rationals([1])}


def still_pair(multiple: float, size: float = 1e-3) -> dict[str, Trajectories]:
    """A = multiple * B with B = size * (1, -1), gamma = 1, over so short a time that nothing moves: speed and root at a point.

    B K = 0 nearly, so that the velocity is -A and aligned with B; a negative multiple attains the cross term of the lower
    bound, a large one the lower bound of the speed, and twice gamma its upper bound, as B shrinks.
    """
    B = np.array([[[size, -size]]])
    return {"trajectory": integrated_trajectories(multiple * B, B, np.exp([1e-9]), np.array([1.0]))}


PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points")}
PHASE_SIZES = {"width": range(1, 4), "points": range(1, 5)}
SOURCE = Source("leaky_resnets", "Theorem 4")


def cost_of_family(sizes: Sizes) -> int:
    """A closed form costs little, an integration much."""
    return 1 if sizes["family"] == 0 else 16


def _neurons(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][0]


def _points(sizes: Sizes) -> int:
    return FAMILIES[sizes["family"]][1]


TRAJECTORIES = Domain(
    {
        "trajectory": derived(
            trajectories,
            A=interval(-2, 2, _neurons, _points),
            B=interval(-1, 1, _neurons, _points),
            growth=interval(9 / 8, 3),
            root_gamma=interval(1 / 64, 3 / 2),
        )
    },
    {"family": tuple(FAMILIES)},
    {"Hamiltonian trajectory": is_trajectory},
)

IDENTITY = Claim(
    id="leaky_resnets.theorem_4.identity",
    title="The identity behind Theorem 4",
    source=Source("leaky_resnets", "Theorem 8, proof"),
    statement=pointwise_identity,
    domain=Domain({**PHASE_SPACE, "gamma": interval(1 / 16, 4)}, PHASE_SIZES),
    false_neighbours={
        "twice gamma": partial(pointwise_identity, factor=2),
        "no term in gamma": partial(pointwise_identity, factor=0),
        "other sign of the Hamiltonian": partial(pointwise_identity, sign=-1),
    },
)

POINTWISE = Claim(
    id="leaky_resnets.theorem_4.pointwise",
    title="Speed and extra cost at a point of phase space",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=pointwise_bounds,
    domain=Domain({**PHASE_SPACE, "root_gamma": interval(1 / 8, 2)}, PHASE_SIZES),
    tight={"opposite pair of points": Tight(opposite_pair, 1e-5, "the constant is a supremum, approached as B shrinks")},
    false_neighbours={
        "upper bound of the speed 25 % lower": partial(pointwise_bounds, percent=75),
        "lower bound of the speed 1 % higher": partial(pointwise_bounds, lower_percent=99),
        "cross term dropped": partial(pointwise_bounds, drop_cross=True),
    },
)

CLAIM = Claim(
    id="leaky_resnets.theorem_4",
    title="Separation of time scales, corrected",
    source=SOURCE,
    status=Ours(),
    statement=separation_of_time_scales,
    domain=TRAJECTORIES,
    tight={
        "upper bound, backwards from the end": Tight(attaining_trajectory, 1e-9, "integrated to that accuracy"),
        "cross term": Tight(partial(still_pair, -1.0), 1e-5, "approached as B shrinks"),
        "upper bound of the speed": Tight(partial(still_pair, 2.0), 1e-5, "approached as B shrinks"),
        "lower bound of the speed": Tight(partial(still_pair, -100.0, 1e-5), 1e-4, "approached as B shrinks and A/B grows"),
    },
    false_neighbours={
        "upper bound 1/2": partial(separation_of_time_scales, upper=50),
        "no cross term": partial(separation_of_time_scales, cross=0),
        "speed: upper constant 1/2": partial(separation_of_time_scales, speed_upper=50),
        "speed: lower constant 1/2": partial(separation_of_time_scales, speed_lower=50),
    },
    cost=cost_of_family,
)

UPPER = Claim(
    id="leaky_resnets.theorem_4.upper_bound",
    title="The upper bound on the gap, attained",
    source=SOURCE,
    statement=upper_bound,
    domain=replace(TRAJECTORIES, sizes={"family": (0,)}),
    tight={"backwards from the end": Tight(attaining_trajectory, 1e-9, "integrated to that accuracy")},
    false_neighbours={
        "upper bound 1 % lower": partial(upper_bound, percent=99),
        "gamma squared": partial(upper_bound, gammas=2),
    },
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed",
    title="Separation of time scales, with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_separation,
    domain=TRAJECTORIES,
    false_neighbours={},
    cost=cost_of_family,
)
