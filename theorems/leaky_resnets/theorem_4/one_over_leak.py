r"""Theorem 4 with :math:`\gamma = 1/L`: gap and speed law.

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
Tight
    Both bounds of the gap: where speed and adjoint cancel at the end, and as L vanishes.
Source
    leaky_resnets, Section 2.1, after Theorem 4; the orders are derived here.
"""

from theorems.leaky_resnets.constructions.phase_points import hamiltonian
from theorems.leaky_resnets.constructions.seen_trajectories import (
    COORDINATES,
    GENUINE,
    KINDS,
    cancelling_trajectory,
    kernel,
    kernel_norm2,
    price,
    pure_bias_trajectory,
    seen_trajectory,
    velocity,
)
from theorems.leaky_resnets.theorem_4.statement import gap
from verify import Claim, DerivedHere, Domain, Rate, Source, Tight, derived, interval
from verify.instances import batched
from verify.numbers.arithmetic import rational
from verify.words import ge, le, log, sqrt, stack, vector


def trajectory_at_one_over_leak(A, B, root_growth, family):
    r"""With :math:`\gamma = 1/L`."""
    return seen_trajectory(A, B, root_growth, 1 / sqrt(log(root_growth**4)), family)


def gap_at_one_over_leak(trajectory, two=2):
    """The gap times L."""
    L, c, length = trajectory.L, trajectory.c, trajectory.length
    return le(gap(trajectory) * L, c**2, name="gap from above") & ge(
        gap(trajectory) * L, -(length**2) - two * c * length, name="gap from below"
    )


def passing_point(second, gap, root_leak):
    r"""A, B, K and gamma where the second neuron is :math:`2\beta/\sqrt L`."""
    beta, d = 1 / gap, 2 / gap / root_leak
    A = stack([vector(second + gap, second), vector(d, d)])
    return A, stack([vector(beta, -beta), vector(0 * d, 0 * d)]), kernel(A), 1 / root_leak**2


def radicand(second, gap, root_leak):
    r""":math:`\|A_p\|^2 + \frac2L\mathcal H` there."""
    A, B, K, gamma = passing_point(second, gap, root_leak)
    return kernel_norm2(A, K, gamma) + 2 * hamiltonian(A, B)


def error_of_the_speed(second, gap, root_leak):
    r""":math:`\|\partial_pA_p\| - L\sqrt{\|A_p\|^2 + \frac2L\mathcal H}` there."""
    A, B, K, gamma = passing_point(second, gap, root_leak)
    return root_leak**2 * (sqrt(kernel_norm2(velocity(A, B), K, gamma)) - sqrt(radicand(second, gap, root_leak)))


def error_grows(second, gap, root_leak):
    error, beta = error_of_the_speed(second, gap, root_leak), 1 / gap
    return ge(error, root_leak * beta / 2, name="grows") & le(error, 2 * sqrt(2) * root_leak * beta, name="theorem")


def largest_gap():
    """Speed and adjoint cancel at the end of a trajectory."""
    g = rational(2)
    return {"trajectory": cancelling_trajectory(g, 1 / sqrt(log(g)))}


def short_leak():
    r"""So short a time that :math:`\gamma` is large beside the kernel, and a small adjoint against the activation."""
    g = rational("1000001/1000000")
    return {"trajectory": pure_bias_trajectory(rational(-1), rational("1/1000000"), g, 1 / sqrt(log(g)))}


# False variants


def gap_without_adjoint(trajectory):
    return ge(gap(trajectory) * trajectory.L, -(trajectory.length**2))


def gap_of_second_order(trajectory):
    return le(gap(trajectory) * trajectory.L**2, trajectory.c**2)


def error_is_bounded(second, gap, root_leak):
    return le(error_of_the_speed(second, gap, root_leak), 2 * sqrt(2) / gap)


def error_grows_as_the_leak(second, gap, root_leak):
    """With the power 3/4 of L."""
    return ge(error_of_the_speed(second, gap, root_leak), root_leak * sqrt(root_leak) / (2 * gap))


OURS = Source("leaky_resnets", "derived here")
POSITIVE = "the radicand is positive"

GAP = Claim(
    id="leaky_resnets.theorem_4.one_over_leak",
    title="With gamma = 1/L the gap vanishes as 1/L",
    source=OURS,
    status=DerivedHere(),
    statement=gap_at_one_over_leak,
    domain=Domain(
        {"trajectory": derived(trajectory_at_one_over_leak, **COORDINATES)},
        {"family": KINDS},
        {GENUINE: lambda trajectory: trajectory.genuine},
    ),
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
    status=DerivedHere(),
    statement=error_grows,
    domain=Domain(
        {"second": interval(1 / 4, 2), "gap": interval(1 / 4, 2), "root_leak": interval(2**6, 2**10)},
        {},
        {POSITIVE: lambda second, gap, root_leak: radicand(second, gap, root_leak) > 0},
    ),
    not_known_tight={
        "grows": "as L grows the constant is 2 - sqrt(2), not 1/2",
        "theorem": "the bound of Theorem 4 is for all trajectories",
    },
    false_variants={"bounded": error_is_bounded, "as the power 3/4 of L": error_grows_as_the_leak},
    rate=Rate(batched(lambda L: error_of_the_speed(1, 1, sqrt(L))), tuple(2**k for k in range(12, 20)), 0.5),
)
