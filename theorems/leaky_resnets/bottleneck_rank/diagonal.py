r"""On diagonal trajectories :math:`-\frac2L\mathcal H` nears an integer from below, at the rate :math:`L^{-2}`.

Statement
    :math:`-\frac2L\mathcal H \to k` from below as L grows, for an integer k.
Checked
    Trajectories :math:`a_i = x_ie^{-L(1-\tau_i)p}` between fixed ends, k of whose modes are not dead:
    :math:`-\frac2L\mathcal H = k - L^{-2}\sum\log^2(a_i(1)/a_i(0))`, hence within
    :math:`kL^{-2}\max\log^2(a_i(1)/a_i(0))` below k. For fixed inputs, target and :math:`\lambda` the ends converge as L grows:
    the rate, on critical points of the learning problem with two modes that reach their target and one that dies.
Proof idea
    A mode has :math:`b_ia_i = \tau_i`, and contributes :math:`1 - (1 - \tau_i)^2`.
Sharp
    Modes that do not move; modes that move equally far.
Source
    leaky_resnets, Section 2.1, after Proposition 5; the closed form is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.trajectories import Positions, diagonal_trajectory
from verify import Claim, Domain, Ours, Rate, Relation, Source, Tight, derived, eq, ge, integers, interval, le
from verify.arithmetic import Array, largest, rationals, where_positive
from verify.networks.leaky_resnet import hamiltonian

Path = tuple[Array, Array, Array, Array]
r""":math:`-\frac2L\mathcal H` at the start, :math:`\log(a_i(1)/a_i(0))`, which modes live (1, else 0), and L."""


def between_ends(start: Array, turns: Array, dead: Array, leak: Array) -> Path:
    """A diagonal trajectory whose modes change by the exponentials of `turns`; those with dead > 0 are dead."""
    alive = 1 - where_positive(dead, 0 * dead + 1)
    path = diagonal_trajectory(start, alive * (1 + turns / leak[..., None]), Positions(leak, 0 * leak[..., None]))
    energy = -2 * hamiltonian(path.activations[..., 0, :, :], path.adjoints[..., 0, :, :], bias=False)
    return energy, alive * turns, alive, leak


def energy_is_nearly_integer(path: Path) -> Relation:
    r""":math:`-\frac2L\mathcal H` against k, the bounds and the closed form."""
    energy, turns, alive, leak = path
    modes = alive.sum(axis=-1)
    return (
        eq(energy + (turns**2).sum(axis=-1) / leak**2, modes, name="closed form")
        & le(energy, modes, name="from below")
        & ge(energy + modes * largest(turns**2) / leak**2, modes, name="near")
    )


# False variants


def dead_modes_count(path: Path) -> Relation:
    """The number of modes, with the dead ones."""
    energy, turns, alive, leak = path
    return le(alive.shape[-1] - energy, alive.shape[-1] * largest(turns**2) / leak**2)


def nearer_by_a_power(path: Path) -> Relation:
    """The cube of L for its square."""
    energy, turns, alive, leak = path
    return le(alive.sum(axis=-1) - energy, alive.sum(axis=-1) * largest(turns**2) / leak**3)


def near_by_one_mode(path: Path) -> Relation:
    """As if only the mode that moves most counted."""
    energy, turns, alive, leak = path
    return le(alive.sum(axis=-1) - energy, largest(turns**2) / leak**2)


def gap_at_critical_points(leaks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    r""":math:`2 + \frac2L\mathcal H` of diagonal critical points for X = I, F = diag(2, 1, 0) and :math:`\lambda = \frac1{10}`.

    In each mode :math:`\tau = a_1b_1` with :math:`b_1 = \frac2{\lambda N}(f - a_1)` and :math:`a_1 = e^{-L(1-\tau)}`.
    """
    weight = 2 / (0.1 * 3)
    gaps = []
    for leak in leaks:
        # the larger root is the minimum: the target is nearly reached
        rates = [_rate(f, weight, leak) for f in (2.0, 1.0)]
        dying = 0.0
        for _ in range(20):
            dying = -weight * np.exp(-2 * leak * (1 - dying))
        path = diagonal_trajectory(np.ones(3), np.array([*rates, dying]), Positions(np.array(leak), np.ones(1)))
        gaps.append(2 + 2 * hamiltonian(path.activations[0], path.adjoints[0], bias=False))
    return np.asarray(gaps)


def _rate(target: float, weight: float, leak: float) -> float:
    """The rate of a mode that reaches its target."""
    from scipy.optimize import brentq

    def excess(end: float) -> float:
        return float(weight * end * (target - end) - 1 - np.log(end) / leak)

    return float(1 + np.log(brentq(excess, target / 2, 2 * target, xtol=1e-15)) / leak)


def still_modes() -> dict[str, Any]:
    """Three modes, one dead, that do not change."""
    return {"path": between_ends(rationals([[1, 2, 1]]), rationals([[0, 0, 0]]), rationals([[0, 0, 1]]), rationals([3]))}


def turning_modes() -> dict[str, Any]:
    """Three modes, one dead, whose logarithms change by 1."""
    return {"path": between_ends(rationals([[1, 2, 1]]), rationals([[1, -1, 1]]), rationals([[0, 0, 1]]), rationals([2]))}


CLAIM = Claim(
    id="leaky_resnets.bottleneck_rank",
    title="On diagonal trajectories the constant nears an integer from below",
    source=Source("leaky_resnets", "Section 2.1"),
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
    tight={
        "modes that do not move": Tight(still_modes, of=("from below",)),
        "modes that move equally far": Tight(turning_modes, of=("near",)),
    },
    false_variants={
        "dead modes counted": dead_modes_count,
        "the power 3 of the leak": nearer_by_a_power,
        "the mode that moves most": near_by_one_mode,
    },
    rate=Rate(gap_at_critical_points, (4, 8, 16, 32, 64, 128, 256, 512), -2.0),
    cost=2,
)
