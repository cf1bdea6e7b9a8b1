r"""The bottleneck rank: :math:`-\frac2L\mathcal H` nears an integer, the rank of a representation, from below.

The text after Proposition 5 concludes from it that the least cost of the identity on the path is near the rank k of a
non-negative representation, an integer, and so is :math:`-\frac2L\mathcal H`. Of that there are exact parts:

- For a non-negative A and any B, :math:`-\frac2L\mathcal H(A, B) \le \mathrm{Rank}A`; H being constant, it is at most the
  smallest rank on the path. It is attained at rest, where the constants are not in :math:`\mathrm{Im}A^T`.
- For a non-negative A the cost of the identity is the rank if the constants are not in :math:`\mathrm{Im}A^T`, and else below
  it: that A is non-negative does not make it an integer, local minimality does (Proposition 2).
- The stable cost, without bias, is between the rank less :math:`\gamma\|A^+\|_F^2` and the rank.
- Diagonal trajectories :math:`a_i = x_ie^{-L(1-\tau_i)p}` between fixed ends, k of whose modes are not dead:
  :math:`-\frac2L\mathcal H = k - L^{-2}\sum\log^2(a_i(1)/a_i(0))`, hence within
  :math:`kL^{-2}\max\log^2(a_i(1)/a_i(0))` below k. For fixed inputs, target and :math:`\lambda` the ends converge as L grows,
  and the distance from k falls at the rate :math:`L^{-2}`.

What is checked: all of it; the rate on critical points of the learning problem with two modes that reach their target and one
that dies.

Source: leaky_resnets, Section 2.1, after Proposition 5; the exact parts are ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.trajectories import Trajectory, diagonal_trajectory
from theorems.leaky_resnets.speed_law import ACTIVATIONS, PHASE_SIZES, conditioning, phase_point
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, derived, eq, ge, integers, interval, le, reals
from verify.arithmetic import Array, compare, largest, rationals, where_positive
from verify.matrices import pseudo_inverse, rank
from verify.networks.leaky_resnet import (
    activation_kernel,
    cost_of_identity,
    feature_matrix,
    hamiltonian,
    is_in_row_space,
    squared_norm,
    stable_cost_of_identity,
)


def energy_is_below_rank(point: tuple[Array, Array], ten_thousandths: int = 10_000, bias: bool = True) -> Relation:
    r""":math:`-\frac2L\mathcal H` against the rank of A."""
    A, B = point
    features = feature_matrix(A)
    size = 1 + conditioning(features) * squared_norm(A) + squared_norm(A) + squared_norm(B @ features.swapaxes(-1, -2))
    return le(-2 * hamiltonian(A, B, bias=bias) * 10_000, rank(A) * ten_thousandths, scale=10_000 * size)


def is_not_negative(A: Array) -> Array:
    """Whether no activation is negative."""
    return np.asarray((compare(A, 0) >= 0).all(axis=(-2, -1)))


def point_is_not_negative(point: tuple[Array, Array]) -> Array:
    """The same of the activations of a point of phase space."""
    return is_not_negative(point[0])


def resting_representation() -> dict[str, tuple[Array, Array]]:
    r"""At rest, :math:`B = AK^+`, at non-negative representations of rank 1 and 2 whose rows do not span the constants."""
    A = rationals([[[1, 2, 3], [2, 4, 6]], [[1, 2, 2], [1, 1, 2]]])
    return {"point": (A, A @ pseudo_inverse(activation_kernel(A)))}


def cost_is_rank(A: Array, ten_thousandths: int = 10_000, features: bool = False) -> Relation:
    """The cost of the identity, with bias, against the rank of A."""
    size = conditioning(feature_matrix(A)) * (1 + squared_norm(A))
    dimension = rank(feature_matrix(A) if features else A)
    return eq(cost_of_identity(A) * 10_000, dimension * ten_thousandths, scale=10_000 * size)


def constants_are_no_rows(A: Array) -> Array:
    r"""Whether the constants are not in :math:`\mathrm{Im}A^T`."""
    return np.asarray(~is_in_row_space(0 * A[..., :1, :] + 1, A))


def stable_cost_is_nearly_rank(A: Array, gamma: Array, percent: int = 100, ten_thousandths: int = 10_000) -> Relation:
    """The stable cost without bias, between its bounds."""
    stable, dimension = stable_cost_of_identity(A, gamma, bias=False), rank(A)
    lost = gamma * squared_norm(pseudo_inverse(A))
    size = 1 + dimension + lost + squared_norm(A) / gamma
    return le(stable * 10_000, dimension * ten_thousandths, scale=10_000 * size) & ge(
        stable * 100, dimension * 100 - lost * percent, scale=100 * size
    )


def between_ends(start: Array, turns: Array, dead: Array, leak: Array) -> tuple[Trajectory, Array, Array, Array]:
    r"""A diagonal trajectory at p = 0, its :math:`\log(a_i(1)/a_i(0))`, and which modes live; those with dead > 0 are dead."""
    alive = 1 - where_positive(dead, 0 * dead + 1)
    rates = alive * (1 + turns / leak[..., None])
    path = diagonal_trajectory(start, rates, leak, 0 * leak[..., None])
    return path, alive * turns, alive, leak


def energy_is_nearly_integer(
    path: tuple[Trajectory, Array, Array, Array],
    percent: int = 100,
    power: int = 2,
    upper: int = 10_000,
    dead: bool = False,
) -> Relation:
    r""":math:`-\frac2L\mathcal H` against k, the bounds and the closed form; the keywords are for false neighbours."""
    trajectory, turns, alive, leak = path
    A, B = trajectory.activations[..., 0, :, :], trajectory.adjoints[..., 0, :, :]
    energy = -2 * hamiltonian(A, B, bias=False)
    modes = (0 * alive + 1 if dead else alive).sum(axis=-1)
    squares = turns * turns
    lost = modes * largest(squares) / leak**power
    size = 1 + trajectory.sizes[..., 0] + squares.sum(axis=-1) / leak**2
    return (
        le(energy * 10_000, modes * upper, scale=10_000 * size)
        & ge(energy * 100, modes * 100 - lost * percent, scale=100 * size)
        & eq(energy, modes - squares.sum(axis=-1) / leak**2, scale=size)
    )


def gap_at_critical_points(leaks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r""":math:`2 + \frac2L\mathcal H` of diagonal critical points for X = I, F = diag(2, 1, 0) and :math:`\lambda = \frac1{10}`.

    In each mode :math:`\tau = a_1b_1` with :math:`b_1 = \frac2{\lambda N}(f - a_1)` and :math:`a_1 = e^{-L(1-\tau)}`.
    """
    from scipy.optimize import brentq

    weight = 2 / (0.1 * 3)
    gaps = []
    for leak in leaks:
        # the larger root is the minimum: the target is nearly reached
        rates = [_rate(brentq, f, weight, leak) for f in (2.0, 1.0)]
        dying = 0.0
        for _ in range(20):
            dying = -weight * np.exp(-2 * leak * (1 - dying))
        path = diagonal_trajectory(np.ones(3), np.array([*rates, dying]), np.array(leak), np.ones(1))
        gaps.append(2 + 2 * hamiltonian(path.activations[0], path.adjoints[0], bias=False))
    return np.asarray(gaps)


def _rate(root: Any, target: float, weight: float, leak: float) -> float:
    """The rate of a mode that reaches its target; `root` is scipy's brentq."""

    def excess(end: float) -> float:
        return float(weight * end * (target - end) - 1 - np.log(end) / leak)

    end = root(excess, target / 2, 2 * target, xtol=1e-15)
    return float(1 + np.log(end) / leak)


def living_modes() -> dict[str, Any]:
    """Two modes that are neither dead nor changed, and two that double and halve: the upper and the lower bound."""
    start, dead = rationals([[1, 2], [1, 2]]), rationals([[0, 0], [0, 0]])
    turns, leak = rationals([[0, 0], [1, -1]]), rationals([3, 2])
    return {"path": between_ends(start, turns, dead, leak)}


NOT_NEGATIVE = "no activation is negative"
NO_CONSTANTS = "the constants are not in the span of the rows"
SOURCE = Source("leaky_resnets", "Section 2.1")

CLAIM = Claim(
    id="leaky_resnets.bottleneck_rank",
    title="On diagonal trajectories the constant nears an integer from below",
    source=SOURCE,
    status=Ours(),
    statement=energy_is_nearly_integer,
    domain=Domain(
        {
            "path": derived(
                between_ends,
                start=interval(1 / 4, 2, "modes"),
                turns=interval(-2, 2, "modes"),
                dead=integers(0, 1, "modes"),
                leak=interval(1 / 4, 16),
            )
        },
        {"modes": range(1, 5)},
    ),
    tight={"living modes": Tight(living_modes)},
    false_neighbours={
        "dead modes counted": partial(energy_is_nearly_integer, dead=True),
        "1 % nearer": partial(energy_is_nearly_integer, percent=99),
        "0.01 % below": partial(energy_is_nearly_integer, upper=9_999),
        "the power 3 of the leak": partial(energy_is_nearly_integer, power=3),
    },
    rate=Rate(gap_at_critical_points, (4, 8, 16, 32, 64, 128, 256, 512), -2.0),
    cost=2,
)

BELOW_RANK = Claim(
    id="leaky_resnets.bottleneck_rank.from_below",
    title="The constant is at most the rank of any non-negative representation on the path",
    source=SOURCE,
    status=Ours(),
    statement=energy_is_below_rank,
    domain=Domain(
        {"point": derived(phase_point, A=ACTIVATIONS, B=reals("width", "points"), rest=integers(0, 3))},
        PHASE_SIZES,
        {NOT_NEGATIVE: point_is_not_negative},
    ),
    needs=(NOT_NEGATIVE,),
    tight={"at rest": Tight(resting_representation)},
    false_neighbours={
        "0.01 % less": partial(energy_is_below_rank, ten_thousandths=9_999),
        "1 % less": partial(energy_is_below_rank, ten_thousandths=9_900),
    },
    cost=4,
)

INTEGER = Claim(
    id="leaky_resnets.bottleneck_rank.integer",
    title="The cost of a non-negative representation is its rank, unless its rows span the constants",
    source=SOURCE,
    status=Ours(),
    statement=cost_is_rank,
    domain=Domain(
        {"A": ACTIVATIONS},
        PHASE_SIZES,
        {NOT_NEGATIVE: is_not_negative, NO_CONSTANTS: constants_are_no_rows},
    ),
    needs=(NOT_NEGATIVE, NO_CONSTANTS),
    false_neighbours={
        "the rank of the features with bias": partial(cost_is_rank, features=True),
        "0.01 % more": partial(cost_is_rank, ten_thousandths=10_001),
    },
    cost=4,
)

STABLE = Claim(
    id="leaky_resnets.bottleneck_rank.stable",
    title="The stable cost of a non-negative representation is nearly its rank",
    source=SOURCE,
    status=Ours(),
    statement=stable_cost_is_nearly_rank,
    domain=Domain({"A": ACTIVATIONS, "gamma": interval(1 / 64, 1)}, PHASE_SIZES, {NOT_NEGATIVE: is_not_negative}),
    needs=(NOT_NEGATIVE,),
    false_neighbours={
        "1 % nearer": partial(stable_cost_is_nearly_rank, percent=99),
        "1 % less": partial(stable_cost_is_nearly_rank, ten_thousandths=9_900),
    },
    cost=4,
)
