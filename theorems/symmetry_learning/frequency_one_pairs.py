r"""Pairs of frequency 1 tell all positions of a torus apart.

Statement
    The slide keeps position and velocity in pairs of frequency 1. A frequency :math:`\omega` sees the position v as the phase
    :math:`e^{2\pi i \omega v / n}`. On :math:`\mathbb{Z}_n` it takes :math:`n / \gcd(\omega, n)` values, so that it is
    injective if and only if :math:`\gcd(\omega, n) = 1`. On :math:`\mathbb{Z}_n^2` one pair of frequencies :math:`\pm\omega`
    takes at most n values and is never injective for :math:`n \ge 2`. Two pairs are, if and only if the determinant of their
    frequencies is invertible modulo n, as for (1, 0) and (0, 1): four real dimensions.
Checked
    The three statements, on integers.
Proof idea
    The phases form a group.
Source
    symmetry_learning, Newtonian mechanics (frequency 1 pairs); the precise form is derived here.
"""

import numpy as np

from verify import Claim, DerivedHere, Domain, Source, integers
from verify.words import eq, floor, gcd, where

LONGEST_CIRCLE, LONGEST_TORUS = 12, 7


def modulo(a, n):
    return a - n * floor(a / n)


def distinct(values):
    """How many different values there are."""
    ordered = np.sort(values.ravel())
    return 1 + (ordered[1:] != ordered[:-1]).sum()


# beyond n the phases are the same again


def on_circle(omega, n):
    """The phases as integers modulo n, at all positions."""
    return modulo(omega * np.arange(LONGEST_CIRCLE), n)


def on_torus(omega, n):
    """The same at all pairs of positions."""
    v = np.arange(LONGEST_TORUS)
    return modulo(omega[0] * v[:, None] + omega[1] * v, n)


def positions_told_apart(omega, n):
    return eq(distinct(on_circle(omega, n)), n / gcd(omega, n))


def every_frequency(omega, n):
    return eq(distinct(on_circle(omega, n)), where(modulo(omega, n) == 0, 1, n))


def without_multiples(omega, n):
    return eq(distinct(on_circle(omega, n)), n + 1 - gcd(omega, n))


def one_pair(omega, n, power=1):
    return eq(distinct(on_torus(omega, n)), n**power / gcd(gcd(omega[0], omega[1]), n))


def first_axis_alone(omega, n):
    return eq(distinct(on_torus(omega, n)), n / gcd(omega[0], n))


def told_apart(omega, n):
    """Whether two frequencies together have another phase at each of the positions."""
    return distinct(n * on_torus(omega[0], n) + on_torus(omega[1], n)) == n**2


def two_pairs(omega, n, sign=-1):
    determinant = omega[0, 0] * omega[1, 1] + sign * omega[0, 1] * omega[1, 0]
    return eq(told_apart(omega, n), gcd(determinant, n) == 1)


def determinant_not_zero(omega, n):
    determinant = omega[0, 0] * omega[1, 1] - omega[0, 1] * omega[1, 0]
    return eq(told_apart(omega, n), modulo(determinant, n) != 0)


OURS = Source("symmetry_learning", "derived here")

CLAIM = Claim(
    id="symmetry_learning.frequency_one_pairs",
    title="A frequency tells n / gcd positions of a circle apart",
    source=OURS,
    status=DerivedHere(),
    statement=positions_told_apart,
    domain=Domain({"omega": integers(0, 12), "n": integers(2, LONGEST_CIRCLE)}),
    false_variants={"every frequency but 0": every_frequency, "n + 1 - gcd": without_multiples},
)

ONE_PAIR = Claim(
    id="symmetry_learning.frequency_one_pairs.one_pair",
    title="One pair of frequencies does not tell the positions of a torus apart",
    source=OURS,
    status=DerivedHere(),
    statement=one_pair,
    domain=Domain({"omega": integers(0, 7, 2), "n": integers(2, LONGEST_TORUS)}),
    false_variants={"n^2 / gcd": {"power": 2}, "the first axis alone": first_axis_alone},
)

TWO_PAIRS = Claim(
    id="symmetry_learning.frequency_one_pairs.two_pairs",
    title="Two frequency pairs tell positions apart iff gcd(determinant, n) = 1",
    source=OURS,
    status=DerivedHere(),
    statement=two_pairs,
    domain=Domain({"omega": integers(0, 7, 2, 2), "n": integers(2, LONGEST_TORUS)}),
    false_variants={"determinant not zero": determinant_not_zero, "the permanent": {"sign": 1}},
)
