r"""With :math:`\gamma = 1/L` the gap of Theorem 4 vanishes as 1/L, and the error of the speed law grows as :math:`\sqrt L`.

Statement
    With :math:`\gamma = 1/L`, :math:`\|B_p\| \le c` and :math:`\ell_F = \int_0^1\|\partial_pA_p\|_Fdp` on a trajectory,

    .. math:: -\tfrac1L(\ell_F^2 + 2c\ell_F) \le -\tfrac2L\mathcal H - \min_p\|A_p\|^2 \le \tfrac1Lc^2 ,

    in absolute value at most :math:`\frac1L\max(\ell_F^2 + 2c\ell_F, c^2)`. The error of the law for :math:`\|\partial_pA_p\|`,
    at most :math:`2\sqrt Lc` then, is of this order (``.speed``): on the trajectory

    .. math:: A = \begin{pmatrix}\alpha_1 & \alpha_2 \\ d_0e^{-Lp} & d_0e^{-Lp}\end{pmatrix}, \qquad
              B = \begin{pmatrix}\beta & -\beta \\ 0 & 0\end{pmatrix}, \qquad \beta = \frac1{\alpha_1 - \alpha_2} ,

    it is at least :math:`\frac12\sqrt L\beta`, for :math:`L \ge 4096`, where the second neuron is :math:`2\beta/\sqrt L`.
Checked
    The first display on closed forms and integrated trajectories. The second for any points, with the radicand positive; the
    exponent is fitted.
Proof idea
    :math:`\ell \le \ell_F/\sqrt\gamma` in Theorem 4. For small :math:`\gamma` and a second neuron d,
    :math:`u^2 = d^2` and :math:`x^2 = d^2 - 2\gamma\beta^2` up to higher orders.
Sharp
    Both bounds of the gap: where speed and adjoint cancel at the end, and as L vanishes.
Source
    leaky_resnets, Section 2.1, after Theorem 4; the orders are ours.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from theorems.leaky_resnets.constructions.seen_trajectories import (
    COORDINATES,
    FAMILIES,
    GENUINE,
    PointNorms,
    SeenTrajectories,
    cancelling_trajectory,
    is_trajectory,
    norms_at,
    price,
    pure_bias_trajectories,
    seen_trajectories,
)
from verify import Claim, Domain, Ours, Q, Rate, Relation, Source, Tight, derived, ge, interval, le
from verify.arithmetic import Array, compare, log, rationals, sqrt


def trajectories(A: Array, B: Array, root_growth: Array, family: int) -> SeenTrajectories:
    r"""With :math:`\gamma = 1/L`."""
    return seen_trajectories(A, B, root_growth, 1 / sqrt(log(root_growth**4)), family)


def gap_at_one_over_leak(trajectory: SeenTrajectories, two: int | Q = 2) -> Relation:
    """The gap times L."""
    gap, c, length = trajectory.gap * trajectory.leak, trajectory.adjoint, trajectory.length
    return le(gap, c**2, name="gap from above") & ge(gap, -(length**2) - two * c * length, name="gap from below")


def passing_point(second: Array, gap: Array, root_leak: Array) -> tuple[Array, Array]:
    r"""A and B where the second neuron is :math:`2\beta/\sqrt L`."""
    beta, zero = 1 / gap, 0 * gap
    low = 2 * beta / root_leak
    A = np.stack([np.stack([second + gap, second], axis=-1), np.stack([low, low], axis=-1)], axis=-2)
    return A, np.stack([np.stack([beta, -beta], axis=-1), np.stack([zero, zero], axis=-1)], axis=-2)


def norms_there(second: Array, gap: Array, root_leak: Array) -> PointNorms:
    """The norms for gamma = 1/L."""
    return norms_at(*passing_point(second, gap, root_leak), 1 / root_leak**2)


def error_of_the_speed(second: Array, gap: Array, root_leak: Array) -> Array:
    r""":math:`\|\partial_pA_p\| - L\sqrt{\|A_p\|^2 + \frac2L\mathcal H}` there."""
    at = norms_there(second, gap, root_leak)
    return np.asarray(root_leak**2 * (sqrt(at.speed) - sqrt(at.cost - at.energy)))


def error_grows(second: Array, gap: Array, root_leak: Array) -> Relation:
    """The error against its order, and against the bound of the theorem."""
    error = error_of_the_speed(second, gap, root_leak)
    return ge(error, root_leak / (2 * gap), name="grows") & le(error, 2 * sqrt(2) * root_leak / gap, name="theorem")


def root_exists(second: Array, gap: Array, root_leak: Array) -> npt.NDArray[np.bool_]:
    """Whether the radicand is positive."""
    at = norms_there(second, gap, root_leak)
    return np.asarray(compare(at.cost - at.energy, 0) > 0)


def errors_along_the_leak(leaks: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The error for the points 2 and 1."""
    one = np.ones_like(leaks)
    return error_of_the_speed(one, one, np.sqrt(leaks))


def largest_gap() -> dict[str, SeenTrajectories]:
    r"""Speed and adjoint cancel at the end of two trajectories."""
    growth = rationals([2, 3])
    return {"trajectory": cancelling_trajectory(growth, 1 / sqrt(log(growth)))}


def short_leak() -> dict[str, SeenTrajectories]:
    r"""So short a time that :math:`\gamma` is large beside the kernel, and a small adjoint against the activation."""
    growth = rationals(["1000001/1000000"])
    return {"trajectory": pure_bias_trajectories(rationals([-1]), rationals(["1/1000000"]), growth, 1 / sqrt(log(growth)))}


# False variants


def gap_without_adjoint(trajectory: SeenTrajectories) -> Relation:
    """The lower bound without its cross term."""
    return ge(trajectory.gap * trajectory.leak, -(trajectory.length**2))


def gap_of_second_order(trajectory: SeenTrajectories) -> Relation:
    """An upper bound that falls as the square of 1/L."""
    return le(trajectory.gap * trajectory.leak**2, trajectory.adjoint**2)


def error_is_bounded(second: Array, gap: Array, root_leak: Array) -> Relation:
    """The error does not grow with L."""
    return le(error_of_the_speed(second, gap, root_leak), 2 * sqrt(2) / gap)


def error_grows_as_the_leak(second: Array, gap: Array, root_leak: Array) -> Relation:
    """The error of a speed that scales with the power 3/4 of L."""
    return ge(error_of_the_speed(second, gap, root_leak), root_leak * sqrt(root_leak) / (2 * gap))


OURS = Source("leaky_resnets", "ours")
POSITIVE = "the radicand is positive"

GAP = Claim(
    id="leaky_resnets.theorem_4.one_over_leak",
    title="With gamma = 1/L the gap vanishes as 1/L",
    source=OURS,
    status=Ours(),
    statement=gap_at_one_over_leak,
    domain=Domain({"trajectory": derived(trajectories, **COORDINATES)}, {"family": tuple(FAMILIES)}, {GENUINE: is_trajectory}),
    tight={
        "speed and adjoint cancel at the end": Tight(
            largest_gap, 1e-12, "attained, up to the balls that L is computed in", of=("gap from above",)
        ),
        "a short leak": Tight(short_leak, 1e-5, "approached as L and the adjoint vanish", of=("gap from below",)),
    },
    false_variants={"without the cross term": gap_without_adjoint, "of second order": gap_of_second_order},
    cost=price,
)

SPEED = Claim(
    id="leaky_resnets.theorem_4.one_over_leak.speed",
    title="With gamma = 1/L the error of the speed law grows as the root of L",
    source=OURS,
    status=Ours(),
    statement=error_grows,
    domain=Domain(
        {"second": interval(1 / 4, 2), "gap": interval(1 / 4, 2), "root_leak": interval(2**6, 2**10)},
        {},
        {POSITIVE: root_exists},
    ),
    loose={
        "grows": "as L grows the constant is 2 - sqrt(2), not 1/2",
        "theorem": "the bound of Theorem 4 is for all trajectories",
    },
    false_variants={"bounded": error_is_bounded, "as the power 3/4 of L": error_grows_as_the_leak},
    rate=Rate(errors_along_the_leak, tuple(2**k for k in range(12, 20)), 0.5),
)
