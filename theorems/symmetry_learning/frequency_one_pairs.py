r"""A frequency tells all positions of a circle apart if and only if it is coprime to the number of pixels.

Statement
    A frequency :math:`\omega` sees the position v as the phase :math:`e^{2\pi i \omega v / n}`. On :math:`\mathbb{Z}_n` it
    takes :math:`n / \gcd(\omega, n)` values, so it is injective if and only if :math:`\gcd(\omega, n) = 1`.

    On :math:`\mathbb{Z}_n^2` one pair of frequencies :math:`\pm\omega` takes :math:`n / \gcd(\omega_1, \omega_2, n)` values.
    It is not injective for :math:`n \ge 2` (``.one_pair``). Two pairs are injective if and only if the determinant of their
    frequencies is invertible modulo n (``.two_pairs``), as for (1, 0) and (0, 1). So four real dimensions are enough.
Checked
    The three statements, on integers: the phases are counted one by one.
Proof idea
    A frequency is a homomorphism of groups. Its kernel has as many elements as the greatest common divisor says.
Source
    symmetry_learning, Newtonian mechanics (frequency 1 pairs); the precise form is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from verify import Claim, Domain, Ours, Relation, Source, Tight, eq, integers
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


def on_a_circle(frequency: Array, n: Array) -> Relation:
    """Number of phases of one frequency at n positions, against n / gcd."""
    omega, length = whole(frequency), whole(n)
    found = distinct(phases_on_a_circle(omega, length))
    return eq(counts(n, found), counts(n, length // np.gcd(omega, length)))


def one_pair(frequency: Array, n: Array) -> Relation:
    """Number of phases of the frequency ``(..., 2)`` at the n^2 positions of a torus, against n / gcd of both and n."""
    omega, length = whole(frequency), whole(n)
    divisor = np.gcd(omega[..., 0], np.gcd(omega[..., 1], length))
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, length // divisor))


def are_injective(frequencies: Array, n: Array) -> npt.NDArray[np.bool_]:
    """Whether two frequencies ``(..., 2, 2)`` tell all n^2 positions apart."""
    omega, length = whole(frequencies), whole(n)
    first, second = (phases_on_a_torus(omega[..., row, :], length) for row in range(2))
    return np.asarray(distinct(first * length[..., None] + second) == length * length)


def determinant(frequencies: Array) -> Integers:
    """Determinant of integer matrices ``(..., 2, 2)``."""
    omega = whole(frequencies)
    return np.asarray(omega[..., 0, 0] * omega[..., 1, 1] - omega[..., 0, 1] * omega[..., 1, 0])


def two_pairs(frequencies: Array, n: Array) -> Relation:
    """Whether two frequencies tell all positions apart, and whether their determinant is invertible (1 or 0)."""
    invertible = np.gcd(determinant(frequencies), whole(n)) == 1
    return eq(counts(n, are_injective(frequencies, n).astype(int)), counts(n, invertible.astype(int)))


# False variants


def every_frequency_but_zero(frequency: Array, n: Array) -> Relation:
    """Every frequency but 0 would tell all positions apart."""
    omega, length = whole(frequency), whole(n)
    expected = np.where(omega % length == 0, 1, length)
    return eq(counts(n, distinct(phases_on_a_circle(omega, length))), counts(n, expected))


def each_common_divisor_costs_one(frequency: Array, n: Array) -> Relation:
    """The number of phases would be n + 1 - gcd."""
    omega, length = whole(frequency), whole(n)
    return eq(counts(n, distinct(phases_on_a_circle(omega, length))), counts(n, length + 1 - np.gcd(omega, length)))


def one_pair_is_injective(frequency: Array, n: Array) -> Relation:
    """The number of phases on the torus would be n^2 / gcd."""
    omega, length = whole(frequency), whole(n)
    divisor = np.gcd(omega[..., 0], np.gcd(omega[..., 1], length))
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, length * length // divisor))


def first_axis_alone(frequency: Array, n: Array) -> Relation:
    """The second axis would not count."""
    omega, length = whole(frequency), whole(n)
    expected = length // np.gcd(omega[..., 0], length)
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, expected))


def determinant_not_zero(frequencies: Array, n: Array) -> Relation:
    """A determinant that is not zero modulo n would be enough."""
    expected = determinant(frequencies) % whole(n) != 0
    return eq(counts(n, are_injective(frequencies, n).astype(int)), counts(n, expected.astype(int)))


def permanent_invertible(frequencies: Array, n: Array) -> Relation:
    """The permanent in place of the determinant."""
    omega = whole(frequencies)
    permanent = omega[..., 0, 0] * omega[..., 1, 1] + omega[..., 0, 1] * omega[..., 1, 0]
    expected = np.gcd(permanent, whole(n)) == 1
    return eq(counts(n, are_injective(frequencies, n).astype(int)), counts(n, expected.astype(int)))


OURS = Source("symmetry_learning", "ours")

CLAIM = Claim(
    id="symmetry_learning.frequency_one_pairs",
    title="A frequency tells n positions apart if it is coprime to n",
    source=OURS,
    status=Ours(),
    statement=on_a_circle,
    domain=Domain({"frequency": integers(0, 24), "n": integers(2, 24)}),
    tight={"frequency 1": Tight(lambda: {"frequency": rationals([1]), "n": rationals([6])})},
    false_neighbours={"every frequency but 0": every_frequency_but_zero, "n + 1 - gcd": each_common_divisor_costs_one},
)

ONE_PAIR = Claim(
    id="symmetry_learning.frequency_one_pairs.one_pair",
    title="One pair of frequencies does not tell the positions of a torus apart",
    source=OURS,
    status=Ours(),
    statement=one_pair,
    domain=Domain({"frequency": integers(0, 9, 2), "n": integers(2, 9)}),
    tight={"frequency (1, 0)": Tight(lambda: {"frequency": rationals([[1, 0]]), "n": rationals([6])})},
    false_neighbours={"n^2 / gcd": one_pair_is_injective, "the first axis alone": first_axis_alone},
)

TWO_PAIRS = Claim(
    id="symmetry_learning.frequency_one_pairs.two_pairs",
    title="Two pairs of frequencies tell the positions apart if their determinant is invertible",
    source=OURS,
    status=Ours(),
    statement=two_pairs,
    domain=Domain({"frequencies": integers(0, 9, 2, 2), "n": integers(2, 9)}),
    tight={"(1, 0) and (0, 1)": Tight(lambda: {"frequencies": rationals([[[1, 0], [0, 1]]]), "n": rationals([6])})},
    false_neighbours={"determinant not zero": determinant_not_zero, "the permanent": permanent_invertible},
)
