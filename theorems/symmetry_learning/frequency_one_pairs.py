r"""Why pairs of frequency 1: which frequencies tell all positions of a torus apart.

A frequency :math:`\omega` sees the position v as the phase :math:`e^{2\pi i \omega v / n}`. On :math:`\mathbb{Z}_n` it takes
:math:`n / \gcd(\omega, n)` values, so that it is injective if and only if :math:`\gcd(\omega, n) = 1`. On
:math:`\mathbb{Z}_n^2` one pair of frequencies :math:`\pm\omega` takes at most n values and is never injective for
:math:`n \ge 2` (``.one_pair``); two pairs are, if and only if the determinant of their frequencies is invertible modulo n
(``.two_pairs``), as for (1, 0) and (0, 1): four real dimensions.

Everything is a statement on integers, and is decided as such.

Source: symmetry_learning, Newtonian mechanics (frequency 1 pairs); the precise form is ours.
"""

from __future__ import annotations

from functools import partial
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


def positions_told_apart(frequency: Array, n: Array, every: bool = False, linear: bool = False) -> Relation:
    """Number of phases of one frequency at n positions, against n / gcd, or against other numbers in false neighbours."""
    omega, length = whole(frequency), whole(n)
    divisor = np.gcd(omega, length)
    expected = length + 1 - divisor if linear else length // divisor
    if every:
        expected = np.where(omega % length == 0, 1, length)
    return eq(counts(n, distinct(phases_on_a_circle(omega, length))), counts(n, expected))


def one_pair(frequency: Array, n: Array, both: bool = True, injective: bool = False) -> Relation:
    """Number of phases of the frequency ``(..., 2)`` at the n^2 positions of a torus, against n / gcd of both and n."""
    omega, length = whole(frequency), whole(n)
    divisor = np.gcd(omega[..., 0], np.gcd(omega[..., 1], length) if both else length)
    expected = (length * length if injective else length) // divisor
    return eq(counts(n, distinct(phases_on_a_torus(omega, length))), counts(n, expected))


def two_pairs(frequencies: Array, n: Array, nonzero: bool = False, sign: int = -1) -> Relation:
    """Whether two frequencies ``(..., 2, 2)`` tell all n^2 positions apart, and whether their determinant is invertible.

    In false neighbours it is only not zero, or the `sign` of its second term is another.
    """
    omega, length = whole(frequencies), whole(n)
    pairs = [phases_on_a_torus(omega[..., row, :], length) for row in range(2)]
    injective = distinct(pairs[0] * length[..., None] + pairs[1]) == length * length
    determinant = omega[..., 0, 0] * omega[..., 1, 1] + sign * omega[..., 0, 1] * omega[..., 1, 0]
    expected = determinant % length != 0 if nonzero else np.gcd(determinant, length) == 1
    return eq(counts(n, injective.astype(np.int64)), counts(n, expected.astype(np.int64)))


OURS = Source("symmetry_learning", "ours")

CLAIM = Claim(
    id="symmetry_learning.frequency_one_pairs",
    title="Which frequencies tell all positions of a circle apart",
    source=OURS,
    status=Ours(),
    statement=positions_told_apart,
    domain=Domain({"frequency": integers(0, 12), "n": integers(2, 12)}),
    tight={"frequency 1": Tight(lambda: {"frequency": rationals([1]), "n": rationals([6])})},
    false_neighbours={
        "every frequency but 0": partial(positions_told_apart, every=True),
        "n + 1 - gcd": partial(positions_told_apart, linear=True),
    },
)

ONE_PAIR = Claim(
    id="symmetry_learning.frequency_one_pairs.one_pair",
    title="One pair of frequencies does not tell the positions of a torus apart",
    source=OURS,
    status=Ours(),
    statement=one_pair,
    domain=Domain({"frequency": integers(0, 7, 2), "n": integers(2, 7)}),
    tight={"frequency (1, 0)": Tight(lambda: {"frequency": rationals([[1, 0]]), "n": rationals([6])})},
    false_neighbours={
        "n^2 / gcd": partial(one_pair, injective=True),
        "the first axis alone": partial(one_pair, both=False),
    },
)

TWO_PAIRS = Claim(
    id="symmetry_learning.frequency_one_pairs.two_pairs",
    title="Two pairs of frequencies tell them apart if their determinant is invertible",
    source=OURS,
    status=Ours(),
    statement=two_pairs,
    domain=Domain({"frequencies": integers(0, 7, 2, 2), "n": integers(2, 7)}),
    tight={"(1, 0) and (0, 1)": Tight(lambda: {"frequencies": rationals([[[1, 0], [0, 1]]]), "n": rationals([6])})},
    false_neighbours={
        "determinant not zero": partial(two_pairs, nonzero=True),
        "the permanent": partial(two_pairs, sign=1),
    },
)
