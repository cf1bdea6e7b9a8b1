r"""A falling ball on a torus: its phases obey a polynomial law.

Statement
    Positions with :math:`p_{t+1} = 2p_t - p_{t-1} + g` have the phases :math:`z_t = e^{-2\pi i p_t/n}` with

    .. math:: z_{t+1} = z_t^2\, \overline{z_{t-1}}\, \gamma , \qquad
              z_t = z_0 (z_1 \overline{z_0})^t \gamma^{t(t-1)/2} , \qquad \gamma = e^{-2\pi i g/n} ,

    so that two frames determine the trajectory, and :math:`p_t = p_0 + (p_1 - p_0)t + g\,t(t-1)/2`. The law commutes with
    shifts of the image and is not affine. The frequency-1 coefficient of an image of a bump at p is a constant times the phase
    of p, also between the pixels, if the bump has no harmonic of order n - 1 or more.
Checked
    The phases up to the sixth and at the fourteenth frame, as unit complex numbers with rational parts. A number x + iy is the
    matrix with the columns (x, y) and (-y, x); the conjugate is its transpose. The positions. That the law commutes with
    shifts. The image for n = 4, with coefficients :math:`h_0, h_1, \ldots` of the bump.
Proof idea
    A shift multiplies all phases by one phase. Of the factors of the law two come with it and one with its conjugate. The
    velocity :math:`z_t \overline{z_{t-1}}` does not change, so that it may as well be carried by frequency 0: "position and
    velocity in two pairs of frequency 1" is one possibility, not the only one.
Source
    symmetry_learning, Newtonian mechanics; the law for the phases is derived here.
"""

from functools import partial, reduce
from operator import and_

import numpy as np

from verify import Claim, DerivedHere, Domain, Q, Source, derived, integers, reals
from verify.numbers.arithmetic import rationals
from verify.words import absolute, eq, eye, stack, vector


def phase(t):
    """The unit complex number with the parameter t."""
    x, y = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    return stack([vector(x, y), vector(-y, x)], axis=1)


def to_the(z, k):
    """A power, of an exponent k >= 0."""
    if k == 0:
        return eye(2)
    return to_the(z @ z, k // 2) @ z if k % 2 else to_the(z @ z, k // 2)


def same(z, w, name=""):
    return eq(z[:, 0], w[:, 0], name)


def law(z0, z1, gamma):
    """The next phase."""
    return z1 @ z1 @ z0.T @ gamma


def trajectory(z0, z1, gamma):
    """The phases at the frames 0 to 13."""
    z = [z0, z1]
    while len(z) < 14:
        z.append(law(z[-2], z[-1], gamma))
    return z


def closed_form(z0, z1, gamma):
    z, step = trajectory(z0, z1, gamma), z1 @ z0.T
    formula = {t: z0 @ to_the(step, t) @ to_the(gamma, t * (t - 1) // 2) for t in (0, 1, 2, 3, 4, 5, 13)}
    return reduce(and_, (same(z[t], formula[t], f"frame {t}") for t in formula))


def triangular_numbers_later(z0, z1, gamma):
    return same(law(z0, z1, gamma), z0 @ to_the(z1 @ z0.T, 2) @ to_the(gamma, 3))


def second_phase_for_velocity(z0, z1, gamma):
    return same(law(z0, z1, gamma), z0 @ z1 @ z1 @ gamma)


def positions(p0, p1, g):
    p, t = [p0, p1], np.arange(14)
    while len(p) < 14:
        p.append(2 * p[-1] - p[-2] + g)
    return eq(stack(p), p0 + (p1 - p0) * t + g * (t * (t - 1) // 2))


def third_frame(p0, p1, g, steps=2, fallen=1):
    return eq(2 * p1 - p0 + g, p0 + steps * (p1 - p0) + fallen * g)


def commutes_with_shift(z0, z1, gamma, v):
    shifted = law(v @ z0, v @ z1, gamma)
    return same(shifted, v @ law(z0, z1, gamma), "law") & same(v @ z1 @ (v @ z0).T, z1 @ z0.T, "velocity")


def degree_two(z0, z1, gamma, v):
    return same(law(v @ z0, v @ z1, gamma), v @ v @ law(z0, z1, gamma))


def velocity_is_shifted(z0, z1, v):
    return same(v @ z1 @ (v @ z0).T, v @ z1 @ z0.T)


TURN = np.array([[0, -1], [1, 0]])
"""The number i."""


def bump(z, h, harmonics, third=1):
    """Values on 4 pixels of a bump around a position between the pixels."""
    h = [*h[:3], third * h[3]]
    distances = [to_the(TURN, pixel) @ z.T for pixel in range(4)]
    return [h[0] + sum(2 * h[k] * to_the(w, k)[0, 0] for k in range(1, harmonics + 1)) for w in distances]


def frequency_one(z, h, harmonics=2, third=1):
    a, b, c, d = bump(z, h, harmonics, third)
    return eq(vector(a - c, d - b), 4 * h[1] * z.T[:, 0], beside=absolute(h).sum())


def phase_not_conjugate(z, h):
    a, b, c, d = bump(z, h, 2)
    return eq(vector(a - c, d - b), 4 * h[1] * z[:, 0])


def law_is_not_affine():
    """1 + (-1) = i + (-i), but the next phases after a first phase 1 are 1, 1, -1 and -1."""
    one, i = rationals(eye(2)), rationals(TURN)
    return eq([law(one, z1, one)[0, 0] for z1 in (one, -one, i, -i)], [1, 1, -1, -1])


OURS = Source("symmetry_learning", "derived here")
UNIT = derived(phase, t=reals(role="free"))
FRAMES = {"z0": UNIT, "z1": UNIT, "gamma": UNIT}

CLAIM = Claim(
    id="symmetry_learning.newtonian_mechanics",
    title="The phases of a falling ball have a closed form",
    source=OURS,
    status=DerivedHere(),
    statement=closed_form,
    domain=Domain(FRAMES),
    false_variants={
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
    domain=Domain({"p0": integers(-8, 8), "p1": integers(-8, 8), "g": integers(-2, 2)}),
    false_variants={"t^2/2": partial(third_frame, fallen=2), "a step further": partial(third_frame, steps=3)},
)

EQUIVARIANCE = Claim(
    id="symmetry_learning.newtonian_mechanics.equivariance",
    title="The law of a falling ball commutes with shifts",
    source=OURS,
    status=DerivedHere(),
    statement=commutes_with_shift,
    domain=Domain({**FRAMES, "v": UNIT}),
    false_variants={"degree 2": degree_two, "a velocity of frequency 1": velocity_is_shifted},
)

BAND_LIMITED = Claim(
    id="symmetry_learning.newtonian_mechanics.band_limited",
    title="Frequency 1 of an image is the phase of a position between the pixels",
    source=OURS,
    status=DerivedHere(),
    statement=frequency_one,
    domain=Domain({"z": UNIT, "h": reals(4)}),
    false_variants={
        "a third harmonic on four pixels": {"harmonics": 3},
        "a third harmonic of a thousandth": {"harmonics": 3, "third": Q(1, 1000)},
        "the conjugate phase": phase_not_conjugate,
    },
)
