r"""A falling ball on a torus: its phases obey a polynomial law of degree 2 - 1, in two pairs of frequency 1 for each axis.

Positions with :math:`p_{t+1} = 2p_t - p_{t-1} + g` have the phases :math:`z_t = e^{-2\pi i p_t/n}` with

.. math:: z_{t+1} = z_t^2\, \overline{z_{t-1}}\, \gamma , \qquad
          z_t = z_0 (z_1 \overline{z_0})^t \gamma^{t(t-1)/2} , \qquad \gamma = e^{-2\pi i g/n} ,

so that two frames determine the trajectory, and :math:`p_t = p_0 + (p_1 - p_0)t + g\,t(t-1)/2`. A shift of the image multiplies
all phases by one phase, and the law commutes with that (``.equivariance``): of its factors two come with the phase and one with
its conjugate. The velocity :math:`z_t \overline{z_{t-1}}` does not change, so that it may as well be carried by frequency 0:
"position and velocity in two pairs of frequency 1" is one possibility, not the only one. The law is not affine.

The frequency-1 coefficient of an image of a bump at p is a constant times the phase of p, also between the pixels, if the bump
has no harmonic that the pixels confuse with the first: on n pixels none of order n - 1 or more (``.band_limited``, n = 4).

Phases are checked as unit complex numbers with rational parts, so that everything is exact.

Source: symmetry_learning, Newtonian mechanics; the law for the phases is ours.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from verify import Claim, Domain, Ours, Relation, Source, Tight, derived, eq, integers, reals
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


def same(left: Phases, right: Phases) -> Relation:
    """Equality of both parts; unit numbers are of size 1."""
    return eq(np.stack(left, axis=-1), np.stack(right, axis=-1), scale=np.ones(2), over=1)


def closed_form(
    first: Phases, second: Phases, gravity: Phases, frames: int = 6, later: int = 0, velocity: bool = True
) -> Relation:
    """The phases by recursion and by the formula; `later` shifts the triangular numbers in a false neighbour."""
    step = product(second, conjugate(first)) if velocity else second
    relation = Relation(())
    for t, phase in enumerate(trajectory(first, second, gravity, frames)):
        fallen = to_the(gravity, t * (t - 1 + later) // 2)
        relation &= same(phase, product(first, to_the(step, t), fallen))
    return relation


def positions(first: Array, second: Array, gravity: Array, frames: int = 6, square: bool = False, steps: int = 0) -> Relation:
    """Positions by recursion and by the formula; with t^2/2 or with `steps` more of the velocity in false neighbours."""
    here, there, relation = first, second, Relation(())
    for t in range(frames):
        fallen = gravity * (t * t if square else t * (t - 1)) / 2
        formula = first + (second - first) * (t + steps) + fallen
        relation &= eq(here, formula, scale=(absolute(first) + absolute(second) + absolute(gravity)) * (t + 1) ** 2)
        here, there = there, 2 * there - here + gravity
    return relation


def commutes_with_shift(first: Phases, second: Phases, gravity: Phases, shift: Phases, degree: int = 1) -> Relation:
    """The next phase of a shifted ball, and the shifted next phase; the velocity of both."""
    moved = product(shift, first), product(shift, second)
    after = trajectory(first, second, gravity, 3)[-1]
    shifted_after = trajectory(moved[0], moved[1], gravity, 3)[-1]
    velocities = same(product(moved[1], conjugate(moved[0])), product(second, conjugate(first)))
    return same(shifted_after, product(to_the(shift, degree), after)) & velocities


def velocity_is_shifted(first: Phases, second: Phases, gravity: Phases, shift: Phases) -> Relation:
    """What is false: a velocity that moves with the ball."""
    after = trajectory(product(shift, first), product(shift, second), gravity, 2)
    return same(product(after[1], conjugate(after[0])), product(shift, second, conjugate(first)))


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


def frequency_one(position: Phases, heights: Array, harmonics: int = 2, basis_points: int = 10_000) -> Relation:
    """The coefficient of frequency 1 of the pixels, and four times the first coefficient with the phase of the position."""
    a, b, c, d = bump(position, heights, harmonics)
    # sum of the values times 1, -i, -1, i; the phase of a position p is its conjugate
    found = a - c, d - b
    expected = product((4 * heights[..., 1], 0 * heights[..., 1]), conjugate(position))
    scale = 8 * absolute(heights).sum(axis=-1)
    return eq(np.stack(found, axis=-1), np.stack(expected, axis=-1) * basis_points / 10_000, scale=scale[..., None], over=1)


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


OURS = Source("symmetry_learning", "ours")
UNIT = derived(unit, parameter=reals())
FRAMES = {"first": UNIT, "second": UNIT, "gravity": UNIT}

CLAIM = Claim(
    id="symmetry_learning.newtonian_mechanics",
    title="Phases of a falling ball in closed form",
    source=OURS,
    status=Ours(),
    statement=closed_form,
    domain=Domain(FRAMES),
    tight={"Pythagorean triples": Tight(falling_ball)},
    false_neighbours={
        "t(t + 1)/2": partial(closed_form, later=2),
        "the second phase for the velocity": partial(closed_form, velocity=False),
    },
    exact={"the law is not affine": law_is_not_affine},
)

POSITIONS = Claim(
    id="symmetry_learning.newtonian_mechanics.positions",
    title="Positions of a falling ball in closed form",
    source=Source("symmetry_learning", "Newtonian mechanics"),
    statement=positions,
    domain=Domain({"first": integers(-8, 8), "second": integers(-8, 8), "gravity": integers(-2, 2)}),
    false_neighbours={"t^2/2": partial(positions, square=True), "a step further": partial(positions, steps=1)},
)

EQUIVARIANCE = Claim(
    id="symmetry_learning.newtonian_mechanics.equivariance",
    title="The law of a falling ball commutes with shifts",
    source=OURS,
    status=Ours(),
    statement=commutes_with_shift,
    domain=Domain({**FRAMES, "shift": UNIT}),
    false_neighbours={
        "degree 2": partial(commutes_with_shift, degree=2),
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
        "a third harmonic on four pixels": partial(frequency_one, harmonics=3),
        "0.01 percent more": partial(frequency_one, basis_points=10_001),
    },
)
