r"""Ranks of pairs that are decided by formulas: one point, and two points with an activation that is zero on one side.

For two points and the ReLU write P for the diagonal of K^s, Q for that of K - K^s, p for the off-diagonal entry of K^s and c
for that of K - K^s. The vectors of one quadrant give a 2 x 2 matrix without negative entries; c is the sum over ``(-, -)``
minus the two sums over the mixed quadrants. Three vectors always suffice: one in ``(+, +)``, and by the intermediate value
theorem one in each of two other quadrants. Which pairs need fewer follows from the unordered pairs of quadrants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.numbers.arithmetic import Array
from verify.numbers.relation import Verdict


def rank_for_one_point(K: fmpq, K_sigma: fmpq, slopes: tuple[fmpq, fmpq]) -> int | None:
    """Smallest number of numbers z with ``sum z^2 = K`` and ``sum s(z)^2 = K^s``; None if there are none."""
    low, high = sorted((slopes[0] ** 2, slopes[1] ** 2))
    if not (K >= 0 and low * K <= K_sigma <= high * K):
        return None
    if K == 0:
        return 0
    return 1 if K_sigma in (low * K, high * K) else 2


@dataclass(frozen=True)
class TwoPoints:
    """A pair of two points for the ReLU: ``P_i = K^s_ii``, ``Q_i = (K - K^s)_ii``, ``p = K^s_12``, ``c = (K - K^s)_12``."""

    P1: fmpq
    P2: fmpq
    Q1: fmpq
    Q2: fmpq
    p: fmpq
    c: fmpq

    @classmethod
    def of(cls, K: Array, K_sigma: Array) -> TwoPoints:
        """From rationals, shape ``(2, 2)``; the bias is subtracted."""
        difference = K - K_sigma
        return cls(K_sigma[0, 0], K_sigma[1, 1], difference[0, 0], difference[1, 1], K_sigma[0, 1], difference[0, 1])

    def swapped(self) -> TwoPoints:
        """The points in the other order."""
        return TwoPoints(self.P2, self.P1, self.Q2, self.Q1, self.p, self.c)

    def is_plain(self) -> bool:
        """The conditions without which no sum of vectors is the pair."""
        return bool(min(self.P1, self.P2, self.Q1, self.Q2, self.p) >= 0 and self.p**2 <= self.P1 * self.P2)

    def membership(self) -> Verdict:
        """Whether the pair is a sum of vectors; UNDECIDED only within rounding errors of the boundary."""
        if not self.is_plain():
            return Verdict.FAILS
        if self.c >= 0:
            return Verdict.HOLDS if self.c**2 <= self.Q1 * self.Q2 else Verdict.FAILS
        # -c <= sqrt((P1 - m) Q2) + sqrt((P2 - p^2 / m) Q1) for some m: the right-hand side is concave
        if self.P1 == 0 or self.P2 == 0:
            return self._reaches(self.P1, self.P2)
        low, high = self.p**2 / self.P2, self.P1
        if low == 0:
            return self._reaches(self.P1, self.P2)
        top = _maximiser(self._mixed_sum, _float(low), _float(high))
        tries = [low, high] + [
            fmpq(fraction.numerator, fraction.denominator)
            for fraction in (Fraction(top).limit_denominator(10**k) for k in (1, 3, 9))
        ]
        for m in tries:
            if low <= m <= high and self._reaches(self.P1 - m, self.P2 - self.p**2 / m) == Verdict.HOLDS:
                return Verdict.HOLDS
        is_outside = self._mixed_sum(top) < -_float(self.c) * (1 - 1e-9)
        return Verdict.FAILS if is_outside else Verdict.UNDECIDED

    def _reaches(self, rest1: fmpq, rest2: fmpq) -> Verdict:
        """Whether ``-c <= sqrt(rest1 Q2) + sqrt(rest2 Q1)``."""
        first, second = rest1 * self.Q2, rest2 * self.Q1
        excess = self.c**2 - first - second
        return Verdict.HOLDS if excess <= 0 or excess**2 <= 4 * first * second else Verdict.FAILS

    def _mixed_sum(self, m: float) -> float:
        """``sqrt((P1 - m) Q2) + sqrt((P2 - p^2 / m) Q1)``, concave in m."""
        P1, P2, Q1, Q2, p = map(_float, (self.P1, self.P2, self.Q1, self.Q2, self.p))
        remaining = P2 - (p * p / m if m > 0 else 0.0)
        return sqrt(max(P1 - m, 0.0) * Q2) + sqrt(max(remaining, 0.0) * Q1)

    def at_most_two(self) -> bool:
        """Whether two vectors suffice, for a pair with `is_plain`: all unordered pairs of quadrants."""
        orders = (self, self.swapped())
        return (
            self._same_signs()
            or any(two_points._beside_positive() or two_points._mixed_and_negative() for two_points in orders)
            or self._mixed()
        )

    def rank(self) -> int:
        """The smallest number of vectors of a pair that is a sum of vectors."""
        if self.P1 + self.P2 + self.Q1 + self.Q2 == 0:
            return 0
        if self._is_one():
            return 1
        return 2 if self.at_most_two() else 3

    def _is_one(self) -> bool:
        a1, a2, off_diagonal = self.P1 + self.Q1, self.P2 + self.Q2, self.p + self.c
        if off_diagonal**2 != a1 * a2:
            return False
        if off_diagonal >= 0:  # both signs equal, or a zero
            positive = (self.P1, self.P2, self.p) == (a1, a2, off_diagonal)
            return positive or (self.P1, self.P2, self.p) == (0, 0, 0)
        return self.p == 0 and ((a1, 0) == (self.P1, self.P2) or (0, a2) == (self.P1, self.P2))

    def _same_signs(self) -> bool:
        """Vectors in ``(+, +)`` and ``(-, -)`` only: two in one of them, or one in each."""
        P, Q = self.p**2 - self.P1 * self.P2, self.c**2 - self.Q1 * self.Q2
        nothing_positive = self.P1 == 0 and self.P2 == 0 and self.p == 0
        nothing_negative = self.Q1 == 0 and self.Q2 == 0 and self.c == 0
        if self.c < 0:
            return self._same_mixed()
        return bool((nothing_negative and P <= 0) or (nothing_positive and Q <= 0) or (P == 0 and Q == 0))

    def _same_mixed(self) -> bool:
        """Both vectors in one mixed quadrant."""
        one_way = self.Q1 == 0 and self.P2 == 0 and self.c**2 <= self.P1 * self.Q2
        other_way = self.Q2 == 0 and self.P1 == 0 and self.c**2 <= self.P2 * self.Q1
        return bool(self.p == 0 and (one_way or other_way))

    def _beside_positive(self) -> bool:
        """One vector in ``(+, +)`` and one in ``(+, -)``."""
        if self.Q1 != 0 or self.c > 0:
            return False
        if self.P2 == 0:
            return bool(self.c**2 <= self.P1 * self.Q2)
        return bool(self.c**2 == (self.P1 - self.p**2 / self.P2) * self.Q2)

    def _mixed_and_negative(self) -> bool:
        """One vector in ``(-, -)`` and one in ``(+, -)``."""
        if self.p != 0 or self.P2 != 0:
            return False
        return bool(self.c**2 <= (self.Q1 if self.c >= 0 else self.P1) * self.Q2)

    def _mixed(self) -> bool:
        """One vector in each mixed quadrant: ``-c`` is the sum of two roots."""
        if self.p != 0 or self.c > 0:
            return False
        first, second = self.P1 * self.Q2, self.Q1 * self.P2
        excess = self.c**2 - first - second
        return bool(excess >= 0 and excess**2 == 4 * first * second)

    def three_vectors(self) -> npt.NDArray[np.float64]:
        """At most three vectors of a pair that is a sum of vectors, in floats, shape ``(k, 2)``."""
        vectors = self._three() or [(b, a) for a, b in self.swapped()._three() or []]
        return np.array([vector for vector in vectors if any(vector)]).reshape(-1, 2)

    def _three(self) -> list[tuple[float, float]] | None:
        P1, P2, Q1, Q2, p, c = map(_float, (self.P1, self.P2, self.Q1, self.Q2, self.p, self.c))
        m1 = P1
        m2 = p * p / P1 if P1 > 0 else 0.0
        t2 = max(P2 - m2, 0.0)
        if c >= -sqrt(Q1 * t2):
            # (+, +), (-, +), (-, -): the share t1 of Q1 in the mixed quadrant decreases c
            t1 = _root(lambda t: sqrt(max(Q1 - t, 0.0) * Q2) - sqrt(t * t2) - c, 0.0, Q1)
            return [(sqrt(m1), sqrt(m2)), (-sqrt(t1), sqrt(t2)), (-sqrt(max(Q1 - t1, 0.0)), -sqrt(Q2))]
        if P2 == 0:
            return None
        # (+, +), (+, -), (-, +): the sum of two roots is concave in m1; its maximum is between
        least = p * p / P2
        mixed = self._mixed_sum
        if p == 0:
            m1 = _root(lambda m: mixed(m) + c, 0.0, P1)
        elif mixed(least) > -c:
            return None  # the other order of the points has its first case
        else:
            m1 = _root(lambda m: -c - mixed(m), least, _maximiser(mixed, least, P1))
        m2 = p * p / m1 if m1 > 0 else 0.0
        return [(sqrt(m1), sqrt(m2)), (sqrt(max(P1 - m1, 0.0)), -sqrt(Q2)), (-sqrt(Q1), sqrt(max(P2 - m2, 0.0)))]


def _float(value: fmpq) -> float:
    return int(value.p) / int(value.q)


def _root(decreasing: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is not negative at `low` and not positive at `high` (but for rounding) vanishes."""
    for _ in range(200):
        middle = (low + high) / 2
        if decreasing(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _maximiser(concave: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(200):
        lower, upper = low + (high - low) / 3, high - (high - low) / 3
        if concave(lower) < concave(upper):
            low = lower
        else:
            high = upper
    return (low + high) / 2
