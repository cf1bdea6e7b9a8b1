r"""Why pairs of frequency 1: which frequencies tell all positions of a torus apart.

Statement
    The slide keeps position and velocity in pairs of frequency 1. A frequency :math:`\omega` sees the position v as the phase
    :math:`e^{2\pi i \omega v / n}`. On :math:`\mathbb{Z}_n` it takes :math:`n / \gcd(\omega, n)` values, so that it is
    injective if and only if :math:`\gcd(\omega, n) = 1`. On :math:`\mathbb{Z}_n^2` one pair of frequencies :math:`\pm\omega`
    takes at most n values and is never injective for :math:`n \ge 2`; two pairs are, if and only if the determinant of their
    frequencies is invertible modulo n, as for (1, 0) and (0, 1): four real dimensions.
Checked
    The three statements, on integers.
Proof idea
    The phases form a group.
Source
    symmetry_learning, Newtonian mechanics (frequency 1 pairs); the precise form is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, eq, integers
from verify.arithmetic import Array, floats, is_exact, rationals

Integers = npt.NDArray[np.int64]


def whole(values: Array) -> Integers:
    """The integers that an array holds."""
    return np.rint(floats(values)).astype(np.int64)


def distinct(phases: Integers) -> Integers:
    """How many different values the last axis has."""
    ordered = np.sort(phases, axis=-1)
    return np.asarray(1 + (np.diff(ordered, axis=-1) != 0).sum(axis=-1))


def counts(like: Array, values: Any) -> Array:
    """Integers in the arithmetic of `like`."""
    return rationals(values) if is_exact(like) else np.asarray(values, dtype=np.float64)


def phases_on_a_circle(omega: Integers, n: Integers) -> Integers:
    """Phases of the frequencies `omega` at 0, ..., n - 1, as integers modulo n, shape ``(..., largest n)``, ended by zeros."""
    places = np.arange(np.max(n))
    return np.where(places < n[..., None], omega[..., None] * places % n[..., None], 0)


def phases_on_a_torus(omega: Integers, n: Integers) -> Integers:
    """Phases of the frequencies `omega`, shape ``(..., 2)``, at all pairs of positions, ended by zeros."""
    longest = np.max(n)
    first, second = np.divmod(np.arange(longest * longest), longest)
    inside = (first < n[..., None]) & (second < n[..., None])
    return np.where(inside, (omega[..., :1] * first + omega[..., 1:] * second) % n[..., None], 0)


def positions_told_apart(frequency: Array, n: Array) -> Relation:
    """Number of phases of one frequency at n positions, against n / gcd."""
    omega, length = whole(frequency), whole(n)
    return eq(counts(n, distinct(phases_on_a_circle(omega, length))), counts(n, length // np.gcd(omega, length)))


def one_pair(frequency: Array, n: Array) -> Relation:
    """Number of phases of the frequency ``(..., 2)`` at the n^2 positions of a torus, against n / gcd of both and n."""
    omega, length = whole(frequency), whole(n)
    divisor = np.gcd(omega[..., 0], np.gcd(omega[..., 1], length))
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, length // divisor))


def determinant(omega: Integers) -> Integers:
    """Determinant of two frequencies, shape ``(..., 2, 2)``."""
    return np.asarray(omega[..., 0, 0] * omega[..., 1, 1] - omega[..., 0, 1] * omega[..., 1, 0])


def told_apart(omega: Integers, length: Integers) -> Integers:
    """Whether two frequencies tell all n^2 positions apart, 1 or 0."""
    pairs = [phases_on_a_torus(omega[..., row, :], length) for row in range(2)]
    return np.asarray(distinct(pairs[0] * length[..., None] + pairs[1]) == length * length).astype(np.int64)


def two_pairs(frequencies: Array, n: Array) -> Relation:
    """Whether two frequencies ``(..., 2, 2)`` tell all positions apart, and whether their determinant is invertible."""
    omega, length = whole(frequencies), whole(n)
    invertible = (np.gcd(determinant(omega), length) == 1).astype(np.int64)
    return eq(counts(n, told_apart(omega, length)), counts(n, invertible))


# False variants


def every_frequency(frequency: Array, n: Array) -> Relation:
    """As if every frequency but 0 were injective."""
    omega, length = whole(frequency), whole(n)
    expected = np.where(omega % length == 0, 1, length)
    return eq(counts(n, distinct(phases_on_a_circle(omega, length))), counts(n, expected))


def without_multiples(frequency: Array, n: Array) -> Relation:
    """The number of positions minus the gcd, and one."""
    omega, length = whole(frequency), whole(n)
    return eq(counts(n, distinct(phases_on_a_circle(omega, length))), counts(n, length + 1 - np.gcd(omega, length)))


def as_many_as_positions(frequency: Array, n: Array) -> Relation:
    """As many phases as positions, over the gcd."""
    omega, length = whole(frequency), whole(n)
    divisor = np.gcd(omega[..., 0], np.gcd(omega[..., 1], length))
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, length * length // divisor))


def first_axis_alone(frequency: Array, n: Array) -> Relation:
    """The gcd of the first component."""
    omega, length = whole(frequency), whole(n)
    expected = length // np.gcd(omega[..., 0], length)
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, expected))


def determinant_not_zero(frequencies: Array, n: Array) -> Relation:
    """A determinant that is not zero modulo n."""
    omega, length = whole(frequencies), whole(n)
    expected = (determinant(omega) % length != 0).astype(np.int64)
    return eq(counts(n, told_apart(omega, length)), counts(n, expected))


def permanent_invertible(frequencies: Array, n: Array) -> Relation:
    """The permanent in place of the determinant."""
    omega, length = whole(frequencies), whole(n)
    permanent = omega[..., 0, 0] * omega[..., 1, 1] + omega[..., 0, 1] * omega[..., 1, 0]
    return eq(counts(n, told_apart(omega, length)), counts(n, (np.gcd(permanent, length) == 1).astype(np.int64)))


OURS = Source("symmetry_learning", "ours")

CLAIM = Claim(
    id="symmetry_learning.frequency_one_pairs",
    title="A frequency tells n / gcd positions of a circle apart",
    source=OURS,
    status=Ours(),
    statement=positions_told_apart,
    domain=Domain({"frequency": integers(0, 12), "n": integers(2, 12)}),
    false_neighbours={
        "every frequency but 0": every_frequency,
        "n + 1 - gcd": without_multiples,
    },
)

ONE_PAIR = Claim(
    id="symmetry_learning.frequency_one_pairs.one_pair",
    title="One pair of frequencies does not tell the positions of a torus apart",
    source=OURS,
    status=Ours(),
    statement=one_pair,
    domain=Domain({"frequency": integers(0, 7, 2), "n": integers(2, 7)}),
    false_neighbours={
        "n^2 / gcd": as_many_as_positions,
        "the first axis alone": first_axis_alone,
    },
)

TWO_PAIRS = Claim(
    id="symmetry_learning.frequency_one_pairs.two_pairs",
    title="Two pairs of frequencies tell the positions of a torus apart if their determinant is invertible",
    source=OURS,
    status=Ours(),
    statement=two_pairs,
    domain=Domain({"frequencies": integers(0, 7, 2, 2), "n": integers(2, 7)}),
    false_neighbours={
        "determinant not zero": determinant_not_zero,
        "the permanent": permanent_invertible,
    },
)
