"""The theorem on trajectories, and its printed form."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from theorems.leaky_resnets.constructions.seen_trajectories import (
    CLOSED,
    GENUINE,
    SEEN_TRAJECTORIES,
    SeenTrajectories,
    cancelling_trajectory,
    leak_alone_trajectories,
    price,
)
from verify import Claim, FalseAsPrinted, Ours, Q, Relation, Source, Tight, ge, le
from verify.arithmetic import Array, compare, rationals

SMALL_ROOT = "1/1048576"
SHORT = "4194305/4194304"
SHORTER = f"{2**60 + 1}/{2**60}"


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


def leaking_pair(share: str, root_gamma: str, root_growth: str) -> dict[str, SeenTrajectories]:
    """One neuron at two points, whose differences are of the order of their mean: see `leak_alone_trajectories`."""
    growth, root = rationals([root_growth]) ** 4, rationals([root_gamma])
    return {"trajectory": leak_alone_trajectories(rationals([[["-1/8", "-17/8"]]]), rationals([share]), growth, root)}


def largest_gap() -> dict[str, SeenTrajectories]:
    """Speed and adjoint cancel at the end of a trajectory."""
    return {"trajectory": cancelling_trajectory(rationals([2, 50]), rationals(["1/100", "1/2"]))}


def vanishing_adjoint() -> dict[str, SeenTrajectories]:
    """A small adjoint against the activations; the time is so short that all positions are alike."""
    return leaking_pair("-1/10000000", SMALL_ROOT, SHORTER)


def vanishing_radicand() -> dict[str, SeenTrajectories]:
    """The radicand is zero at the end, and nearly so at all positions: the time is short."""
    return leaking_pair("50000000001/100000000000", SMALL_ROOT, SHORTER)


def short_leak() -> dict[str, SeenTrajectories]:
    """So short a time that the mean speed is that at the end, and a large adjoint against the activations."""
    return leaking_pair("-4", SMALL_ROOT, SHORT)


# False variants


def gap_in_gamma_squared(trajectory: SeenTrajectories) -> Relation:
    """The upper bound on the gap with the power of gamma that its lower bound has."""
    return le(trajectory.gap, trajectory.root_gamma**4 * trajectory.adjoint**2)


def gap_by_the_first_adjoint(trajectory: SeenTrajectories) -> Relation:
    """The upper bound with an adjoint that is smaller than the largest by the growth of the leak."""
    return le(trajectory.gap, trajectory.root_gamma**2 * trajectory.adjoint**2 / (1 + trajectory.leak))


SOURCE = Source("leaky_resnets", "Theorem 4")

EXACT_TRAJECTORIES = replace(SEEN_TRAJECTORIES, sizes={"family": CLOSED})

NOT_NEGATIVE = "the radicand is not negative"

PRINTED_TRAJECTORIES = replace(
    EXACT_TRAJECTORIES, hypotheses={**EXACT_TRAJECTORIES.hypotheses, NOT_NEGATIVE: radicand_is_not_negative}
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
    false_variants={
        "cross term 1.9": partial(separation_of_time_scales, cross=Q("19/10")),
        "upper constant of the speed 1.9": partial(separation_of_time_scales, above=Q("19/10")),
        "gamma for its root, as printed": printed_separation,
    },
    cost=price,
)

UPPER = Claim(
    id="leaky_resnets.theorem_4.upper_bound",
    title="The gap is at most gamma times the squared adjoint",
    source=SOURCE,
    statement=upper_bound,
    domain=EXACT_TRAJECTORIES,
    tight={"speed and adjoint cancel at the end": Tight(largest_gap)},
    false_variants={"gamma squared": gap_in_gamma_squared, "a smaller adjoint": gap_by_the_first_adjoint},
)

PRINTED = Claim(
    id="leaky_resnets.theorem_4.printed",
    title="Both displays of Theorem 4 hold with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_separation,
    domain=PRINTED_TRAJECTORIES,
    false_variants={},
)

PRINTED_GAP = Claim(
    id="leaky_resnets.theorem_4.printed_gap",
    title="The first display of Theorem 4 holds with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_gap,
    domain=PRINTED_TRAJECTORIES,
    false_variants={},
)

PRINTED_SPEED = Claim(
    id="leaky_resnets.theorem_4.printed_speed",
    title="The second display of Theorem 4 holds with gamma for its root",
    source=SOURCE,
    status=FalseAsPrinted(corrected_by="leaky_resnets.theorem_4"),
    statement=printed_speed_law,
    domain=PRINTED_TRAJECTORIES,
    false_variants={},
)
