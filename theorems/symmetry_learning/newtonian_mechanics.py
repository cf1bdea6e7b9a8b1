r"""A falling ball on a torus: two frames determine its phases, by a law that commutes with shifts.

Statement
    Positions with :math:`p_{t+1} = 2p_t - p_{t-1} + g` are :math:`p_t = p_0 + (p_1 - p_0)t + g\,t(t-1)/2` (``.positions``). The
    phases :math:`z_t = e^{-2\pi i p_t/n}` obey

    .. math:: z_{t+1} = z_t^2\, \overline{z_{t-1}}\, \gamma , \qquad
              z_t = z_0 (z_1 \overline{z_0})^t \gamma^{t(t-1)/2} , \qquad \gamma = e^{-2\pi i g/n} .

    A shift of the image multiplies all phases by one phase, and the law commutes with that (``.equivariance``): of its factors
    two come with the phase and one with its conjugate. The velocity :math:`z_t \overline{z_{t-1}}` does not change.

    The coefficient of frequency 1 of an image of a bump at p is a constant times the phase of p, also between the pixels, if
    the bump has no harmonic that the pixels confuse with the first: on n pixels none of order n - 1 or more
    (``.band_limited``).
Correction
    The talk says that position and velocity are in two pairs of frequency 1. That is one possibility: frequency 0 may as well
    carry the velocity, which does not move with the ball.
Checked
    Phases are unit complex numbers with rational parts, for the first 12 frames. The law is not affine. The bump is on 4 pixels
    with harmonics up to 2; a third one is a false neighbour.
Proof idea
    Induction on t.
Not checked
    Bumps on other numbers of pixels, whose roots of unity are irrational.
Source
    symmetry_learning, Newtonian mechanics; the law for the phases is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, reals
from verify.arithmetic import Array, rationals

Phases = tuple[Array, Array]
"""Real and imaginary parts."""
FRAMES = 12
"""How many frames are compared with the closed forms."""


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


def joined(number: Phases) -> Array:
    """Both parts in one array, shape ``(..., 2)``."""
    return np.stack(number, axis=-1)


def same(left: Phases, right: Phases, name: str = "") -> Relation:
    """Equality of both parts."""
    return eq(joined(left), joined(right), over=1, name=name)


def frames_agree(found: list[Phases], formula: list[Phases]) -> Relation:
    """Equality of the phases of all frames."""
    return eq(np.stack([joined(one) for one in found], axis=-2), np.stack([joined(one) for one in formula], axis=-2), over=2)


def closed_form(first: Phases, second: Phases, gravity: Phases) -> Relation:
    """The phases by recursion and by the formula."""
    step = product(second, conjugate(first))
    formula = [product(first, to_the(step, t), to_the(gravity, t * (t - 1) // 2)) for t in range(FRAMES)]
    return frames_agree(trajectory(first, second, gravity, FRAMES), formula)


def recursive_positions(first: Array, second: Array, gravity: Array) -> Array:
    """Positions of the first frames by recursion, shape ``(...) -> (..., FRAMES)``."""
    found = [first, second]
    while len(found) < FRAMES:
        found.append(2 * found[-1] - found[-2] + gravity)
    return np.stack(found, axis=-1)


def positions(first: Array, second: Array, gravity: Array) -> Relation:
    """Positions by recursion and by the formula."""
    formula = [first + (second - first) * t + gravity * (t * (t - 1)) / 2 for t in range(FRAMES)]
    return eq(recursive_positions(first, second, gravity), np.stack(formula, axis=-1), over=1)


def next_phase_of_shifted(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Phases:
    """The phase that follows two shifted phases."""
    return trajectory(product(shift, first), product(shift, second), gravity, 3)[-1]


def commutes_with_shift(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Relation:
    """The next phase of a shifted ball, and the shifted next phase; the velocity of both."""
    after = trajectory(first, second, gravity, 3)[-1]
    phases = same(next_phase_of_shifted(first, second, gravity, shift), product(shift, after), name="next phase")
    shifted_velocity = product(shift, second, conjugate(product(shift, first)))
    return phases & same(shifted_velocity, product(second, conjugate(first)), name="velocity")


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


def first_coefficient(values: list[Array]) -> Phases:
    """The coefficient of frequency 1 of four pixels: their sum with the weights 1, -i, -1, i."""
    a, b, c, d = values
    return a - c, d - b


def frequency_one(position: Phases, heights: Array) -> Relation:
    """The coefficient of frequency 1 of 4 pixels, and 4 times the first coefficient with the phase of the position."""
    expected = product((4 * heights[..., 1], 0 * heights[..., 1]), conjugate(position))
    return same(first_coefficient(bump(position, heights, 2)), expected)


def law_is_not_affine() -> Relation:
    """1 + (-1) = i + (-i), but the next phases after a first phase 1 are 1, 1, -1 and -1."""
    one, zero = rationals(1), rationals(0)
    first, still = (one, zero), (one, zero)
    after = [trajectory(first, second, still, 3)[-1][0] for second in ((one, zero), (-one, zero), (zero, one), (zero, -one))]
    return eq(np.stack(after), rationals([1, 1, -1, -1]), over=1)


def falling_ball() -> dict[str, Any]:
    """Three unit numbers from Pythagorean triples."""
    return {
        "first": unit(rationals("1/2")),
        "second": unit(rationals("1/3")),
        "gravity": unit(rationals("1/4")),
    }


def bump_between_pixels() -> dict[str, Any]:
    """A bump at a position between the pixels, with two harmonics."""
    return {"position": (rationals(["3/5"]), rationals(["4/5"])), "heights": rationals([[5, 3, 1, 0]])}


# False variants


def triangular_numbers_too_large(first: Phases, second: Phases, gravity: Phases) -> Relation:
    """Gravity would count t(t + 1)/2 times."""
    step = product(second, conjugate(first))
    formula = [product(first, to_the(step, t), to_the(gravity, t * (t + 1) // 2)) for t in range(FRAMES)]
    return frames_agree(trajectory(first, second, gravity, FRAMES), formula)


def second_phase_for_velocity(first: Phases, second: Phases, gravity: Phases) -> Relation:
    """The second phase would stand in place of the velocity."""
    formula = [product(first, to_the(second, t), to_the(gravity, t * (t - 1) // 2)) for t in range(FRAMES)]
    return frames_agree(trajectory(first, second, gravity, FRAMES), formula)


def positions_in_continuous_time(first: Array, second: Array, gravity: Array) -> Relation:
    """The ball would fall t^2/2, as in continuous time."""
    formula = [first + (second - first) * t + gravity * (t * t) / 2 for t in range(FRAMES)]
    return eq(recursive_positions(first, second, gravity), np.stack(formula, axis=-1), over=1)


def velocity_counts_one_step_more(first: Array, second: Array, gravity: Array) -> Relation:
    """The velocity would count t + 1 times."""
    formula = [first + (second - first) * (t + 1) + gravity * (t * (t - 1)) / 2 for t in range(FRAMES)]
    return eq(recursive_positions(first, second, gravity), np.stack(formula, axis=-1), over=1)


def law_of_degree_two(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Relation:
    """The next phase would move by twice the shift."""
    after = trajectory(first, second, gravity, 3)[-1]
    return same(next_phase_of_shifted(first, second, gravity, shift), product(to_the(shift, 2), after))


def velocity_is_shifted(first: Phases, second: Phases, shift: Phases) -> Relation:
    """The velocity would move with the ball."""
    velocity = product(second, conjugate(first))
    return same(product(shift, second, conjugate(product(shift, first))), product(shift, velocity))


def with_a_third_harmonic(position: Phases, heights: Array) -> Relation:
    """A bump on 4 pixels could have a third harmonic."""
    expected = product((4 * heights[..., 1], 0 * heights[..., 1]), conjugate(position))
    return same(first_coefficient(bump(position, heights, 3)), expected)


def phase_turns_the_other_way(position: Phases, heights: Array) -> Relation:
    """The phase of the position would be its conjugate."""
    expected = product((4 * heights[..., 1], 0 * heights[..., 1]), position)
    return same(first_coefficient(bump(position, heights, 2)), expected)


OURS = Source("symmetry_learning", "ours")
UNIT = derived(unit, parameter=reals())
PHASES = {"first": UNIT, "second": UNIT, "gravity": UNIT}

CLAIM = Claim(
    id="symmetry_learning.newtonian_mechanics",
    title="Two frames determine the phases of a falling ball",
    source=OURS,
    status=Ours(),
    statement=closed_form,
    domain=Domain(PHASES),
    tight={"Pythagorean triples": Tight(falling_ball)},
    false_neighbours={
        "t(t + 1)/2": triangular_numbers_too_large,
        "the second phase for the velocity": second_phase_for_velocity,
    },
    exact={"the law is not affine": law_is_not_affine},
)

POSITIONS = Claim(
    id="symmetry_learning.newtonian_mechanics.positions",
    title="A falling ball is at p_0 + vt + gt(t - 1)/2",
    source=Source("symmetry_learning", "Newtonian mechanics"),
    statement=positions,
    domain=Domain({"first": integers(-8, 8), "second": integers(-8, 8), "gravity": integers(-2, 2)}),
    false_neighbours={"t^2/2": positions_in_continuous_time, "a step further": velocity_counts_one_step_more},
)

EQUIVARIANCE = Claim(
    id="symmetry_learning.newtonian_mechanics.equivariance",
    title="The law of a falling ball commutes with shifts",
    source=OURS,
    status=Ours(),
    statement=commutes_with_shift,
    domain=Domain({**PHASES, "shift": UNIT}),
    false_neighbours={
        "degree 2": law_of_degree_two,
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
    tight={"between the pixels": Tight(bump_between_pixels)},
    false_neighbours={
        "a third harmonic on four pixels": with_a_third_harmonic,
        "the opposite phase": phase_turns_the_other_way,
    },
)
