"""The theorem on trajectories, the inequalities at a point that it follows from, and the printed form."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.phase_points import PHASE_SIZES
from theorems.leaky_resnets.constructions.seen_trajectories import (
    CLOSED,
    GENUINE,
    SEEN_TRAJECTORIES,
    SeenTrajectories,
    cancelling_trajectory,
    leak_alone_trajectories,
    norms_at,
    price,
)
from verify import Claim, Domain, FalseAsPrinted, Ours, Q, Relation, Source, Tight, eq, ge, interval, le, reals
from verify.arithmetic import Array, compare, maximum, rationals, sqrt

SMALL_ROOT = "1/1048576"


def pointwise_identity(A: Array, B: Array, gamma: Array) -> Relation:
    r""":math:`\|\frac1L\partial A + \gamma B\|^2 = \|A\|^2 + \frac2L\mathcal H + \gamma\|B\|^2`; all else follows."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost - at.energy + gamma * at.plain_adjoint)


def pointwise_bounds(A: Array, B: Array, root_gamma: Array, two: int = 2) -> Relation:
    r"""With :math:`u = \frac1L\|\partial A\|`, :math:`v = \gamma\|B\|_{K+\gamma I}`, :math:`x^2 = \|A\|^2 + \frac2L\mathcal H`:

    :math:`-\gamma\|B\|^2 \le x^2 \le u^2 + 2uv` and :math:`-v \le u - \sqrt{[x^2]_+} \le v + \sqrt\gamma\|B\|`.
    """
    gamma = root_gamma**2
    at = norms_at(A, B, gamma)
    u, v, plain = sqrt(at.speed), gamma * sqrt(at.adjoint), root_gamma * sqrt(at.plain_adjoint)
    radicand = at.cost - at.energy
    excess = u - sqrt(maximum(radicand, 0 * radicand))
    return (
        ge(radicand, -gamma * at.plain_adjoint, name="radicand from below")
        & le(radicand, at.speed + two * u * v, name="radicand from above")
        & ge(excess, -v, name="speed from below")
        & le(excess, v + plain, name="speed from above")
    )


def gap_is_small(trajectory: SeenTrajectories, cross: int | Q = 2) -> Relation:
    """The first display, corrected."""
    reach, mean = trajectory.root_gamma * trajectory.adjoint, trajectory.mean_speed
    return le(trajectory.gap, reach**2, name="gap from above") & ge(
        trajectory.gap, -(mean**2) - cross * reach * mean, name="gap from below"
    )


def speed_law(trajectory: SeenTrajectories, reach: Array, above: int | Q = 2) -> Relation:
    """The second display, at every position that is seen."""
    most = reach[..., None]
    return ge(trajectory.excess, -most, name="speed from below", over=1) & le(
        trajectory.excess, above * most, name="speed from above", over=1
    )


def separation_of_time_scales(trajectory: SeenTrajectories, cross: int | Q = 2, above: int | Q = 2) -> Relation:
    """The corrected theorem."""
    return gap_is_small(trajectory, cross) & speed_law(trajectory, trajectory.root_gamma * trajectory.adjoint, above)


def upper_bound(trajectory: SeenTrajectories) -> Relation:
    r""":math:`-\frac2L\mathcal H - \min_p\|A_p\|^2 \le \gamma c^2`, which is right in the print."""
    return le(trajectory.gap, trajectory.root_gamma**2 * trajectory.adjoint**2)


def printed_gap(trajectory: SeenTrajectories) -> Relation:
    """The first display as printed."""
    reach = trajectory.root_gamma**2 * trajectory.adjoint
    return upper_bound(trajectory) & ge(trajectory.gap, -((trajectory.mean_speed + reach) ** 2))


def printed_speed_law(trajectory: SeenTrajectories) -> Relation:
    """The second display as printed."""
    return speed_law(trajectory, trajectory.root_gamma**2 * trajectory.adjoint)


def printed_separation(trajectory: SeenTrajectories) -> Relation:
    """The theorem as printed."""
    return printed_gap(trajectory) & printed_speed_law(trajectory)


def radicand_is_not_negative(trajectory: SeenTrajectories) -> Array:
    """Whether the printed root exists at all positions that are seen."""
    return np.asarray((compare(trajectory.radicands, 0) >= 0).all(axis=-1))


def pairs_of_points(multiple: str, size: str) -> dict[str, Array]:
    r"""One neuron, two points, :math:`\sqrt\gamma` 1 and 1/2, B = size (1, -1) and :math:`A = \gamma\,` multiple B.

    Nearly BK = 0, so that the velocity is -A.
    """
    root_gamma = rationals([1, "1/2"])
    B = rationals([[[1, -1]], [[1, -1]]]) * rationals(size)
    return {"A": (root_gamma**2)[:, None, None] * B * rationals(multiple), "B": B, "root_gamma": root_gamma}


def resting_shift() -> dict[str, Array]:
    r""":math:`B = A(K + \gamma I)^{-1}` for one neuron and one point: :math:`\frac1L\partial A + \gamma B` vanishes."""
    return {"A": rationals([[[2]], [[2]]]), "B": rationals([[["1/3"]], [["8/21"]]]), "root_gamma": rationals([1, "1/2"])}


def leaking_pair(share: str, root_gamma: str, root_growth: str) -> dict[str, SeenTrajectories]:
    """One neuron at two points, whose differences are of the order of their mean: see `leak_alone_trajectories`."""
    growth, root = rationals([root_growth]) ** 4, rationals([root_gamma])
    return {"trajectory": leak_alone_trajectories(rationals([[["-1/8", "-17/8"]]]), rationals([share]), growth, root)}


def largest_gap() -> dict[str, SeenTrajectories]:
    """Speed and adjoint cancel at the end of a trajectory."""
    return {"trajectory": cancelling_trajectory(rationals([2, 50]), rationals(["1/100", "1/2"]))}


def vanishing_adjoint() -> dict[str, SeenTrajectories]:
    """A small adjoint against the activations."""
    return leaking_pair("-1/1000000", SMALL_ROOT, "2")


def vanishing_radicand() -> dict[str, SeenTrajectories]:
    """The radicand is zero at the end."""
    return leaking_pair("50000000001/100000000000", SMALL_ROOT, "2")


def short_leak() -> dict[str, SeenTrajectories]:
    """So short a time that the mean speed is that at the end, and a large adjoint against the activations."""
    return leaking_pair("-4", SMALL_ROOT, "4194305/4194304")


# False variants


def identity_without_adjoint(A: Array, B: Array, gamma: Array) -> Relation:
    r"""Without the term in :math:`\gamma`."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost - at.energy)


def identity_with_other_sign(A: Array, B: Array, gamma: Array) -> Relation:
    """With the Hamiltonian subtracted."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost + at.energy + gamma * at.plain_adjoint)


def identity_in_one_norm(A: Array, B: Array, gamma: Array) -> Relation:
    """With the norm of the adjoint in that of the kernel."""
    at = norms_at(A, B, gamma)
    return eq(at.shifted, at.cost - at.energy + gamma * at.adjoint)


def pointwise_without_cross_term(A: Array, B: Array, root_gamma: Array) -> Relation:
    """The radicand is at most the squared speed."""
    at = norms_at(A, B, root_gamma**2)
    return le(at.cost - at.energy, at.speed)


def pointwise_without_root(A: Array, B: Array, root_gamma: Array) -> Relation:
    r"""The speed exceeds the root by at most :math:`2\gamma\|B\|`, as printed."""
    at = norms_at(A, B, root_gamma**2)
    radicand = at.cost - at.energy
    excess = sqrt(at.speed) - sqrt(maximum(radicand, 0 * radicand))
    return le(excess, 2 * root_gamma**2 * sqrt(at.plain_adjoint))


def gap_in_gamma_squared(trajectory: SeenTrajectories) -> Relation:
    """The upper bound on the gap with the power of gamma that its lower bound has."""
    return le(trajectory.gap, trajectory.root_gamma**4 * trajectory.adjoint**2)


def gap_by_the_first_adjoint(trajectory: SeenTrajectories) -> Relation:
    """The upper bound with an adjoint that is smaller than the largest by the growth of the leak."""
    return le(trajectory.gap, trajectory.root_gamma**2 * trajectory.adjoint**2 / (1 + trajectory.leak))


SOURCE = Source("leaky_resnets", "Theorem 4")
PHASE_SPACE = {"A": reals("width", "points"), "B": reals("width", "points")}
EXACT_TRAJECTORIES = replace(SEEN_TRAJECTORIES, sizes={"family": CLOSED})
NOT_NEGATIVE = "the radicand is not negative"
PRINTED_TRAJECTORIES = replace(
    EXACT_TRAJECTORIES, hypotheses={**EXACT_TRAJECTORIES.hypotheses, NOT_NEGATIVE: radicand_is_not_negative}
)

IDENTITY = Claim(
    id="leaky_resnets.theorem_4.identity",
    title="The identity behind Theorem 4",
    source=Source("leaky_resnets", "Theorem 8, proof"),
    statement=pointwise_identity,
    domain=Domain({**PHASE_SPACE, "gamma": interval(1 / 16, 4)}, PHASE_SIZES),
    false_neighbours={
        "no term in gamma": identity_without_adjoint,
        "other sign of the Hamiltonian": identity_with_other_sign,
        "the norm of the kernel for all terms": identity_in_one_norm,
    },
)

POINTWISE = Claim(
    id="leaky_resnets.theorem_4.pointwise",
    title="Speed and extra cost at a point of phase space",
    source=Source("leaky_resnets", "ours"),
    status=Ours(),
    statement=pointwise_bounds,
    domain=Domain({**PHASE_SPACE, "root_gamma": interval(1 / 8, 2)}, PHASE_SIZES),
    tight={
        "speed and adjoint cancel": Tight(resting_shift, of=("radicand from below",)),
        "against the adjoint": Tight(
            partial(pairs_of_points, "-1", "1/1000000"), 1e-11, "approached as B shrinks", of=("radicand from above",)
        ),
        "a small adjoint": Tight(
            partial(pairs_of_points, "-100000000", "1/100000000000000000000"),
            1e-8,
            "approached as B shrinks and A/B grows",
            of=("speed from below",),
        ),
        "along the adjoint": Tight(
            partial(pairs_of_points, "2", "1/1000000"), 1e-5, "approached as B shrinks", of=("speed from above",)
        ),
    },
    false_neighbours={
        "cross term dropped": pointwise_without_cross_term,
        "gamma for its root, as printed": pointwise_without_root,
    },
)

CLAIM = Claim(
    id="leaky_resnets.theorem_4",
    title="The cost of the identity is nearly minimal, and the speed measures what it lacks",
    source=SOURCE,
    status=Ours(),
    statement=separation_of_time_scales,
    domain=SEEN_TRAJECTORIES,
    needs=(GENUINE,),
    tight={
        "speed and adjoint cancel at the end": Tight(largest_gap, of=("gap from above",)),
        "the leak alone, short": Tight(short_leak, 1e-5, "approached as gamma and L vanish", of=("gap from below",)),
        "the leak alone, small adjoint": Tight(
            vanishing_adjoint, 1e-6, "approached as gamma and the adjoint vanish", of=("speed from below",)
        ),
        "the leak alone, no radicand": Tight(
            vanishing_radicand, 1e-10, "approached as gamma vanishes", of=("speed from above",)
        ),
    },
    false_neighbours={
        "cross term 1.9": partial(separation_of_time_scales, cross=Q("19/10")),
        "upper constant of the speed 1.9": partial(separation_of_time_scales, above=Q("19/10")),
        "gamma for its root, as printed": printed_separation,
    },
    cost=price,
)

UPPER = Claim(
    id="leaky_resnets.theorem_4.upper_bound",
    title="The upper bound on the gap, with gamma as printed",
    source=SOURCE,
    statement=upper_bound,
    domain=EXACT_TRAJECTORIES,
    tight={"speed and adjoint cancel at the end": Tight(largest_gap)},
    false_neighbours={"gamma squared": gap_in_gamma_squared, "a smaller adjoint": gap_by_the_first_adjoint},
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed",
    title="Separation of time scales, with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_separation,
    domain=PRINTED_TRAJECTORIES,
    false_neighbours={},
)

PRINTED_GAP = Claim(
    id="leaky_resnets.theorem_4.printed_gap",
    title="The first display by itself, with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_gap,
    domain=PRINTED_TRAJECTORIES,
    false_neighbours={},
)

PRINTED_SPEED = Claim(
    id="leaky_resnets.theorem_4.printed_speed",
    title="The second display by itself, with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_speed_law,
    domain=PRINTED_TRAJECTORIES,
    false_neighbours={},
)
