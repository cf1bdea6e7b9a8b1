r"""A falling ball on a torus: its phases obey a polynomial law, in two pairs of frequency 1 for each axis.

Statement
    Positions with :math:`p_{t+1} = 2p_t - p_{t-1} + g` have the phases :math:`z_t = e^{-2\pi i p_t/n}` with

    .. math:: z_{t+1} = z_t^2\, \overline{z_{t-1}}\, \gamma , \qquad
              z_t = z_0 (z_1 \overline{z_0})^t \gamma^{t(t-1)/2} , \qquad \gamma = e^{-2\pi i g/n} ,

    so that two frames determine the trajectory, and :math:`p_t = p_0 + (p_1 - p_0)t + g\,t(t-1)/2`. The law commutes with
    shifts of the image and is not affine. The frequency-1 coefficient of an image of a bump at p is a constant times the phase
    of p, also between the pixels, if the bump has no harmonic of order n - 1 or more.
Checked
    The phases up to the sixth and at the fourteenth frame, as unit complex numbers with rational parts; the positions; that the
    law commutes with shifts; the image for n = 4.
Proof idea
    A shift multiplies all phases by one phase; of the factors of the law two come with it and one with its conjugate. The
    velocity :math:`z_t \overline{z_{t-1}}` does not change, so that it may as well be carried by frequency 0: "position and
    velocity in two pairs of frequency 1" is one possibility, not the only one.
Source
    symmetry_learning, Newtonian mechanics; the law for the phases is ours.
"""

from __future__ import annotations

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, derived, eq, integers, reals
from verify.arithmetic import Array, absolute, rationals

Phases = tuple[Array, Array]
"""Real and imaginary parts."""


def unit(parameter: Array) -> Phases:
    """Unit complex numbers from rational parameters; all but -1."""
    square = parameter * parameter
    return (1 - square) / (1 + square), 2 * parameter / (1 + square)


def product(*factors: Phases) -> Phases:
    """Product of complex numbers."""
    real, imaginary = factors[0]
    for c, d in factors[1:]:
        real, imaginary = real * c - imaginary * d, real * d + imaginary * c
    return real, imaginary


def conjugate(number: Phases) -> Phases:
    """Complex conjugate."""
    return number[0], -number[1]


def to_the(number: Phases, exponent: int) -> Phases:
    """A power, of exponent 0 or more."""
    if exponent < 0:
        raise ValueError(f"exponent must be at least 0, got {exponent}: the conjugate of a phase is its inverse")
    one = 0 * number[0] + 1, 0 * number[1]
    return product(one, *[number] * exponent)


def trajectory(first: Phases, second: Phases, gravity: Phases, frames: int) -> list[Phases]:
    """Phases of `frames` positions, from those of the first two."""
    phases = [first, second]
    while len(phases) < frames:
        phases.append(product(to_the(phases[-1], 2), conjugate(phases[-2]), gravity))
    return phases[:frames]


def same(left: Phases, right: Phases, name: str = "") -> Relation:
    """Equality of both parts of unit numbers."""
    return eq(np.stack(left, axis=-1), np.stack(right, axis=-1), over=1, name=name)


FRAMES_CHECKED = (0, 1, 2, 3, 4, 5, 13)
"""Frames at which formulas are compared."""


def phase_at(first: Phases, step: Phases, gravity: Phases, time: int, fallen: int) -> Phases:
    """The first phase, moved by `time` steps and `fallen` times the acceleration."""
    return product(first, to_the(step, time), to_the(gravity, fallen))


def closed_form(first: Phases, second: Phases, gravity: Phases) -> Relation:
    """The phases by recursion and by the formula."""
    phases, step = trajectory(first, second, gravity, 14), product(second, conjugate(first))
    relation = Relation(())
    for t in FRAMES_CHECKED:
        relation &= same(phases[t], phase_at(first, step, gravity, t, t * (t - 1) // 2), name=f"frame {t}")
    return relation


def recursion(first: Array, second: Array, gravity: Array) -> list[Array]:
    """Positions at the frames 0 to 13."""
    places = [first, second]
    while len(places) < 14:
        places.append(2 * places[-1] - places[-2] + gravity)
    return places


def positions(first: Array, second: Array, gravity: Array) -> Relation:
    """Positions by recursion and by the formula."""
    times = np.arange(14)
    formula = first[..., None] + (second - first)[..., None] * times + gravity[..., None] * (times * (times - 1) // 2)
    return eq(np.stack(recursion(first, second, gravity), axis=-1), formula, over=1)


def shifted_law(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Phases:
    """The next phase of a shifted ball."""
    return trajectory(product(shift, first), product(shift, second), gravity, 3)[-1]


def commutes_with_shift(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Relation:
    """The next phase of a shifted ball, and the shifted next phase; the velocity of both."""
    after = trajectory(first, second, gravity, 3)[-1]
    velocity = product(product(shift, second), conjugate(product(shift, first)))
    law = same(shifted_law(first, second, gravity, shift), product(shift, after), "law")
    return law & same(velocity, product(second, conjugate(first)), "velocity")


def bump(position: Phases, heights: Array, harmonics: int) -> list[Array]:
    """Values on 4 pixels of a bump with the given coefficients of order 0, 1, ..., around a position between the pixels."""
    if heights.ndim < 1 or heights.shape[-1] <= harmonics:
        raise ValueError(f"heights must have {harmonics + 1} entries for {harmonics} harmonics, got the shape {heights.shape}")
    values = []
    for pixel in range(4):
        turned = product(*[(0 * position[0], 0 * position[0] + 1)] * pixel) if pixel else (0 * position[0] + 1, 0 * position[0])
        distance = product(turned, conjugate(position))
        value = heights[..., 0]
        for order in range(1, harmonics + 1):
            value = value + 2 * heights[..., order] * to_the(distance, order)[0]
        values.append(value)
    return values


def coefficient_of_pixels(values: list[Array]) -> Array:
    """The coefficient of frequency 1: the sum of the four values times 1, -i, -1, i."""
    a, b, c, d = values
    return np.stack([a - c, d - b], axis=-1)


def phase_with_height(position: Phases, heights: Array) -> Array:
    """Four times the first coefficient with the phase of the position, which is the conjugate."""
    return np.stack(product((4 * heights[..., 1], 0 * heights[..., 1]), conjugate(position)), axis=-1)


def frequency_one(position: Phases, heights: Array, harmonics: int = 2) -> Relation:
    """The coefficient of a bump with two harmonics; its values are as large as its heights, which are added to both sides."""
    size = absolute(heights).sum(axis=-1)[..., None]
    found = coefficient_of_pixels(bump(position, heights, harmonics))
    return eq(found + size, phase_with_height(position, heights) + size, over=1)


def law_is_not_affine() -> Relation:
    """1 + (-1) = i + (-i), but the next phases after a first phase 1 are 1, 1, -1 and -1."""
    one, zero = rationals(1), rationals(0)
    first, still = (one, zero), (one, zero)
    after = [trajectory(first, second, still, 3)[-1][0] for second in ((one, zero), (-one, zero), (zero, one), (zero, -one))]
    return eq(np.stack(after), rationals([1, 1, -1, -1]), over=1)


# False variants


def triangular_numbers_later(first: Phases, second: Phases, gravity: Phases) -> Relation:
    """t(t + 1)/2 at the third frame."""
    step = product(second, conjugate(first))
    return same(trajectory(first, second, gravity, 3)[2], phase_at(first, step, gravity, 2, 3))


def second_phase_for_velocity(first: Phases, second: Phases, gravity: Phases) -> Relation:
    """The second phase in place of the velocity."""
    return same(trajectory(first, second, gravity, 3)[2], phase_at(first, second, gravity, 2, 1))


def falling_by_half_the_square(first: Array, second: Array, gravity: Array) -> Relation:
    """t^2/2 at the third frame."""
    return eq(recursion(first, second, gravity)[2], first + 2 * (second - first) + 2 * gravity)


def a_step_further(first: Array, second: Array, gravity: Array) -> Relation:
    """The velocity three times at the third frame."""
    return eq(recursion(first, second, gravity)[2], first + 3 * (second - first) + gravity)


def degree_two(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Relation:
    """The square of the shift."""
    after = trajectory(first, second, gravity, 3)[-1]
    return same(shifted_law(first, second, gravity, shift), product(to_the(shift, 2), after))


def velocity_is_shifted(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Relation:
    """A velocity that moves with the ball."""
    after = trajectory(product(shift, first), product(shift, second), gravity, 2)
    return same(product(after[1], conjugate(after[0])), product(shift, second, conjugate(first)))


def third_harmonic(position: Phases, heights: Array) -> Relation:
    """A third harmonic on four pixels."""
    return frequency_one(position, heights, harmonics=3)


def phase_not_conjugate(position: Phases, heights: Array) -> Relation:
    """The conjugate of the phase."""
    return eq(coefficient_of_pixels(bump(position, heights, 2)), phase_with_height(conjugate(position), heights), over=1)


OURS = Source("symmetry_learning", "ours")
UNIT = derived(unit, parameter=reals())
FRAMES = {"first": UNIT, "second": UNIT, "gravity": UNIT}

CLAIM = Claim(
    id="symmetry_learning.newtonian_mechanics",
    title="The phases of a falling ball have a closed form",
    source=OURS,
    status=Ours(),
    statement=closed_form,
    domain=Domain(FRAMES),
    false_neighbours={
        "t(t + 1)/2": triangular_numbers_later,
        "the second phase for the velocity": second_phase_for_velocity,
    },
    exact={"the law is not affine": law_is_not_affine},
)

POSITIONS = Claim(
    id="symmetry_learning.newtonian_mechanics.positions",
    title="The positions of a falling ball are those of a parabola",
    source=Source("symmetry_learning", "Newtonian mechanics"),
    statement=positions,
    domain=Domain({"first": integers(-8, 8), "second": integers(-8, 8), "gravity": integers(-2, 2)}),
    false_neighbours={"t^2/2": falling_by_half_the_square, "a step further": a_step_further},
)

EQUIVARIANCE = Claim(
    id="symmetry_learning.newtonian_mechanics.equivariance",
    title="The law of a falling ball commutes with shifts",
    source=OURS,
    status=Ours(),
    statement=commutes_with_shift,
    domain=Domain({**FRAMES, "shift": UNIT}),
    false_neighbours={
        "degree 2": degree_two,
        "a velocity of frequency 1": velocity_is_shifted,
    },
)

BAND_LIMITED = Claim(
    id="symmetry_learning.newtonian_mechanics.band_limited",
    title="Frequency 1 of an image is the phase of a position between the pixels",
    source=OURS,
    status=Ours(),
    statement=frequency_one,
    domain=Domain({"position": UNIT, "heights": reals(4)}),
    false_neighbours={
        "a third harmonic on four pixels": third_harmonic,
        "the conjugate phase": phase_not_conjugate,
    },
)
