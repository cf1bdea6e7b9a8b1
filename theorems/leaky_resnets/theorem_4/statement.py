"""Theorem 4 on trajectories; energies and speeds are divided by L."""

from dataclasses import replace

from theorems.leaky_resnets.constructions.seen_trajectories import (
    CLOSED_KINDS,
    GENUINE,
    SEEN_TRAJECTORIES,
    cancelling_trajectory,
    leak_alone_trajectory,
    positive_root,
    price,
)
from verify import Claim, DerivedHere, FalseAsPrinted, Q, Source, Tight
from verify.numbers.arithmetic import rational, rationals
from verify.words import ge, le, nonnegative


def gap(trajectory):
    r""":math:`-\frac2L\mathcal H - \min_p\|A_p\|^2`."""
    return -(trajectory.least_norm2 + 2 * trajectory.H)


def excess(trajectory):
    r""":math:`\frac1L\|\partial_pA_p\| - \sqrt{[\|A_p\|^2 + \frac2L\mathcal H]_+}` at the positions."""
    return positive_root(trajectory.speeds2) - positive_root(trajectory.norms2 + 2 * trajectory.H)


def separation_of_time_scales(trajectory, cross=2, above=2):
    root_gamma, c, ell = trajectory.root_gamma, trajectory.c, trajectory.ell
    return (
        le(gap(trajectory), root_gamma**2 * c**2, name="gap from above")
        & ge(gap(trajectory), -(ell**2) - cross * root_gamma * c * ell, name="gap from below")
        & ge(excess(trajectory), -root_gamma * c, name="speed from below")
        & le(excess(trajectory), above * root_gamma * c, name="speed from above")
    )


def upper_bound(trajectory):
    """As printed."""
    gamma, c = trajectory.root_gamma**2, trajectory.c
    return le(gap(trajectory), gamma * c**2)


def printed_gap(trajectory):
    gamma, c, ell = trajectory.root_gamma**2, trajectory.c, trajectory.ell
    return upper_bound(trajectory) & ge(gap(trajectory), -((ell + gamma * c) ** 2))


def printed_speed_law(trajectory):
    gamma, c = trajectory.root_gamma**2, trajectory.c
    return ge(excess(trajectory), -gamma * c, name="speed from below") & le(
        excess(trajectory), 2 * gamma * c, name="speed from above"
    )


def printed_separation(trajectory):
    return printed_gap(trajectory) & printed_speed_law(trajectory)


def radicand_is_not_negative(trajectory):
    return nonnegative((trajectory.norms2 + 2 * trajectory.H).value)


SMALL_ROOT = "1/1048576"
SHORT = "4194305/4194304"
SHORTER = f"{2**60 + 1}/{2**60}"


def leaking_pair(share, root_growth):
    """One neuron at two points, whose differences are of the order of their mean."""
    A, g = rationals([["-1/8", "-17/8"]]), rational(root_growth) ** 4
    return {"trajectory": leak_alone_trajectory(A, rational(share), g, rational(SMALL_ROOT))}


def largest_gap():
    """Speed and adjoint cancel at the end of a trajectory."""
    return {"trajectory": cancelling_trajectory(rational(2), rational("1/100"))}


def vanishing_adjoint():
    """A small adjoint against the activations; the time is so short that all positions are alike."""
    return leaking_pair("-1/10000000", SHORTER)


def vanishing_radicand():
    """The radicand is zero at the end, and nearly so at all positions: the time is short."""
    return leaking_pair("50000000001/100000000000", SHORTER)


def short_leak():
    """So short a time that the mean speed is that at the end, and a large adjoint against the activations."""
    return leaking_pair("-4", SHORT)


# False variants


def gap_in_gamma_squared(trajectory):
    return le(gap(trajectory), trajectory.root_gamma**4 * trajectory.c**2)


def gap_by_the_first_adjoint(trajectory):
    """With an adjoint that is smaller than the largest by the growth of the leak."""
    return le(gap(trajectory), trajectory.root_gamma**2 * trajectory.c**2 / (1 + trajectory.L))


SOURCE = Source("leaky_resnets", "Theorem 4")
EXACT_TRAJECTORIES = replace(SEEN_TRAJECTORIES, sizes={"family": CLOSED_KINDS})
NOT_NEGATIVE = "the radicand is not negative"
PRINTED_TRAJECTORIES = replace(
    EXACT_TRAJECTORIES, hypotheses={**EXACT_TRAJECTORIES.hypotheses, NOT_NEGATIVE: radicand_is_not_negative}
)

CLAIM = Claim(
    id="leaky_resnets.theorem_4",
    title="The cost of identity is nearly minimal; the speed measures the rest",
    source=SOURCE,
    status=DerivedHere(),
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
        "cross term 1.9": {"cross": Q("19/10")},
        "upper constant of the speed 1.9": {"above": Q("19/10")},
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
