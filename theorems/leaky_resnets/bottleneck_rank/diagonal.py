r"""On diagonal trajectories :math:`-\frac2L\mathcal H` nears an integer.

Statement
    :math:`-\frac2L\mathcal H \to k` from below as L grows, for an integer k.
Checked
    Trajectories :math:`a_i = x_ie^{-L(1-\tau_i)p}` between fixed ends, k of whose modes are not dead:
    :math:`-\frac2L\mathcal H = k - L^{-2}\sum\log^2(a_i(1)/a_i(0))`, hence within
    :math:`kL^{-2}\max\log^2(a_i(1)/a_i(0))` below k. For fixed inputs, target and :math:`\lambda` the ends converge as L grows:
    the rate, on critical points of the learning problem with two modes that reach their target and one that dies.
Proof idea
    A mode has :math:`b_ia_i = \tau_i`, and contributes :math:`1 - (1 - \tau_i)^2`.
Tight
    Modes that do not move; modes that move equally far.
Source
    leaky_resnets, Section 2.1, after Proposition 5; the closed form is derived here.
"""

import numpy as np

from theorems.leaky_resnets.constructions.trajectories import Positions, diagonal_trajectory
from verify import Claim, DerivedHere, Domain, Rate, Source, Tight, integers, interval
from verify.networks.leaky_resnet import hamiltonian
from verify.words import diag, eq, ge, greatest, le, lifted

H = lifted(hamiltonian)


def energy(a, turns, alive, L):
    r""":math:`-\frac2L\mathcal H` at the start :math:`A_0 = \mathrm{diag}(a)`, :math:`B_0 = \mathrm{diag}(\tau_i/a_i)`."""
    tau = alive * (1 + turns / L)
    return -2 * H(diag(a), diag(tau / a), bias=False)


def energy_is_nearly_integer(a, turns, dead, L, power=2):
    r"""For :math:`\log(a_i(1)/a_i(0))` = `turns` of the modes that are not dead."""
    alive = 1 - dead
    k, found, turned = alive.sum(), energy(a, turns, alive, L), (alive * turns) ** 2
    return (
        eq(found + turned.sum() / L**2, k, name="closed form")
        & le(found, k, name="from below")
        & ge(found + k * greatest(turned) / L**power, k, name="near")
    )


# False variants


def dead_modes_count(a, turns, dead, L, modes):
    alive = 1 - dead
    return le(modes - energy(a, turns, alive, L), modes * greatest((alive * turns) ** 2) / L**2)


def near_by_one_mode(a, turns, dead, L):
    """As if only the mode that moves most counted."""
    alive = 1 - dead
    return le(alive.sum() - energy(a, turns, alive, L), greatest((alive * turns) ** 2) / L**2)


def gap_at_critical_points(leaks):
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


def _rate(target, weight, leak):
    """The rate of a mode that reaches its target."""
    from scipy.optimize import brentq

    def excess(end):
        return weight * end * (target - end) - 1 - np.log(end) / leak

    return 1 + np.log(brentq(excess, target / 2, 2 * target, xtol=1e-15)) / leak


CLAIM = Claim(
    id="leaky_resnets.bottleneck_rank",
    title="On diagonal trajectories the constant nears an integer from below",
    source=Source("leaky_resnets", "Section 2.1"),
    status=DerivedHere(),
    statement=energy_is_nearly_integer,
    domain=Domain(
        {
            "a": interval(1 / 4, 2, "modes"),
            "turns": interval(-2, 2, "modes"),
            "dead": integers(0, 1, "modes"),
            "L": interval(1 / 4, 16),
        },
        {"modes": range(1, 5)},
    ),
    # three modes, one dead
    tight={
        "modes that do not move": Tight(
            lambda: {"a": [1, 2, 1], "turns": [0, 0, 0], "dead": [0, 0, 1], "L": 3}, of=("from below",)
        ),
        "modes that move equally far": Tight(
            lambda: {"a": [1, 2, 1], "turns": [1, -1, 1], "dead": [0, 0, 1], "L": 2}, of=("near",)
        ),
    },
    false_variants={
        "dead modes counted": dead_modes_count,
        "the power 3 of the leak": {"power": 3},
        "the mode that moves most": near_by_one_mode,
    },
    rate=Rate(gap_at_critical_points, (4, 8, 16, 32, 64, 128, 256, 512), -2.0),
    cost=2,
)
