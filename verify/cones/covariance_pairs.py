r"""Pairs of covariances ``(K, K^s)`` of a hidden layer, and what they say about networks.

For an activation `s` with two slopes, the pairs :math:`(\sum_i z_i z_i^T, \sum_i s(z_i) s(z_i)^T + b^2 11^T)` are a convex
cone of pairs of symmetric N x N matrices, translated by the bias `b`. A layer with N data points has the rows of its
pre-activations as the vectors :math:`z_i`. Vectors are rows everywhere: shape ``(k, N)``. Pairs are two arrays of shape
``(N, N)``; rationals (`flint.fmpq`) are decided exactly, and floats are taken as the rationals that they are.

Source: feature_learning, Section 3.2 and Section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from verify.cones._exact import exact_symmetric, number_in, small_integers
from verify.cones.completely_positive import cp_rank_lower_bound, is_completely_positive
from verify.cones.pairs.faces import (
    Form,
    PairFace,
    apply,
    exact_slopes,
    face_of,
    first_violation,
    is_nonnegative_form,
    mismatch,
    value,
    zero_matrix,
)
from verify.cones.pairs.rank import TwoPoints, rank_for_one_point
from verify.cones.pairs.search import PairSearch
from verify.matrices.exact import flint_matrix
from verify.networks import HomogeneousActivation
from verify.networks.arguments import checked_activation
from verify.notation.representation import card
from verify.numbers.arguments import instance, real_arrays
from verify.numbers.arithmetic import Array, integer, is_exact, rationals
from verify.numbers.relation import Verdict

FEW_ROUNDS = 4
"""Rounds before the test of complete positivity is asked, where it can decide."""


@dataclass(frozen=True, eq=False)
class PairMembership:
    """Whether a pair lies in the cone, with what shows it.

    Attributes
    ----------
    verdict
        HOLDS, FAILS, or UNDECIDED.
    K, K_sigma, activation, bias
        What was asked, as rationals.
    weights, vectors
        Positive rationals ``(k,)`` and rationals ``(k, N)`` whose `covariance_pair` is the pair. None unless HOLDS.
    functional
        ``(S, T)`` with ``z^T S z + s(z)^T T s(z) >= 0`` for all z (see `is_dual`) and
        ``<S, K> + <T, K^s - b^2 11^T> < 0``. None unless FAILS.
    reason
        What decided it, or what was tried.
    """

    verdict: Verdict
    K: Array
    K_sigma: Array
    activation: HomogeneousActivation
    bias: fmpq
    weights: Array | None
    vectors: Array | None
    functional: Form | None
    reason: str

    @property
    def product(self) -> fmpq | None:
        """The product of the functional with the pair without the bias: negative."""
        return None if self.functional is None else value(self.functional, self.K, _without_bias(self.K_sigma, self.bias))

    def verify(self) -> Verdict:
        """Decide again from the certificate alone, exactly; UNDECIDED if it proves nothing."""
        if self.weights is not None and self.vectors is not None and all(weight >= 0 for weight in self.weights):
            K, K_sigma = covariance_pair(self.vectors, self.activation, self.bias, self.weights)
            if np.all(K == self.K) and np.all(K_sigma == self.K_sigma):
                return Verdict.HOLDS
        if self.functional is not None and self.product is not None and self.product < 0 and self._is_dual():
            return Verdict.FAILS
        return Verdict.UNDECIDED

    def _is_dual(self) -> bool:
        return self.functional is not None and is_dual(*self.functional, self.activation)

    def __str__(self) -> str:
        place = {Verdict.HOLDS: "in", Verdict.FAILS: "outside", Verdict.UNDECIDED: "perhaps in"}[self.verdict]
        return f"{place} the cone of pairs of {self.activation} for {len(self.K)} points: {self.reason}"

    def __repr__(self) -> str:
        return f"<PairMembership {self.verdict.name}: {self}>"

    def _repr_html_(self) -> str:
        rows = {
            "verdict": self.verdict.name,
            "K": self.K,
            "K sigma": self.K_sigma,
            "weights": self.weights,
            "vectors": self.vectors,
            "product": self.product,
        }
        return card(
            str(self),
            rows,
            r":math:`K = \sum_i w_i z_i z_i^T`, :math:`K^\sigma = \sum_i w_i \sigma(z_i) \sigma(z_i)^T + b^2 11^T`",
        )


def covariance_pair(
    vectors: Array, activation: HomogeneousActivation, bias: Any = 0, weights: Array | None = None
) -> tuple[Array, Array]:
    r"""``(sum w_i z_i z_i^T, sum w_i s(z_i) s(z_i)^T + b^2 11^T)``, shape ``(..., k, N) -> (..., N, N)`` twice.

    `weights` have shape ``(..., k)``, ones by default; in floats or in rationals, as `vectors` are. Without vectors
    (``k = 0``) the pair is ``(0, b^2 11^T)``.

    Raises
    ------
    ValueError
        `vectors` has fewer than two axes, or no columns, or `weights` has another shape.

    Examples
    --------
    >>> K, K_sigma = covariance_pair(rationals([[1, -1], [0, 2]]), relu())
    >>> print(K)
    [[1 -1]
     [-1 5]]
    >>> print(K_sigma)
    [[1 0]
     [0 4]]
    """
    checked_activation(activation)
    arrays = real_arrays([("vectors", vectors), *([] if weights is None else [("weights", weights)])])
    array, checked_weights = arrays[0], arrays[1] if weights is not None else None
    if array.ndim < 2 or array.shape[-1] == 0:
        raise ValueError(f"vectors must have shape (..., k, N) with N >= 1, got shape {array.shape}")
    exact = is_exact(array)
    if checked_weights is not None and checked_weights.shape[-1:] != array.shape[-2:-1]:
        raise ValueError(f"weights must be one for each of {array.shape[-2]} vectors, got shape {checked_weights.shape}")
    weighing = None if checked_weights is None else checked_weights[..., :, None]
    image = activation(array)
    results = []
    for part in (array, image):
        right = part if weighing is None else weighing * part
        product = part.swapaxes(-1, -2) @ right
        if exact and array.shape[-2] == 0:
            product = rationals(np.zeros(product.shape, dtype=np.int64))
        results.append(product)
    square = number_in("bias", bias, exact=exact) ** 2
    return results[0], results[1] + square


def is_dual(S: Array, T: Array, activation: HomogeneousActivation) -> bool:
    """Whether ``z^T S z + s(z)^T T s(z) >= 0`` for every z: decided in rationals, on all orthants.

    Raises
    ------
    ValueError
        S or T is not one finite, square and symmetric matrix, or their sizes differ.
    TypeError
        The entries are balls.

    Examples
    --------
    >>> is_dual(rationals([[1, 0], [0, 1]]), rationals([[1, 0], [0, 1]]), relu())
    True
    """
    first, second = exact_symmetric(S, "S"), exact_symmetric(T, "T")
    if first.shape != second.shape:
        raise ValueError(f"S and T must have the same size, got {len(first)} and {len(second)}")
    return is_nonnegative_form((first, second), exact_slopes(activation))


def contains(K: Array, K_sigma: Array, activation: HomogeneousActivation, *, bias: Any = 0, rounds: int = 16) -> PairMembership:
    """Whether the pair lies in the cone of `activation` (translated by the bias), with an exact certificate either way.

    Plain conditions come first (both matrices positive semidefinite, the diagonals, signs that the diagonals fix: there the
    question is one of complete positivity). Then vectors are generated, at most `rounds` times, until the pair is a
    combination of them or separated from all. A pair on the boundary may stay UNDECIDED.

    Raises
    ------
    ValueError
        K or K_sigma is not one finite, square and symmetric matrix; their sizes differ; `activation` is a batch; `rounds` is
        negative.
    TypeError
        The entries are balls.

    Examples
    --------
    >>> one = rationals([[1, 0], [0, 1]])
    >>> contains(one, one, relu()).verdict.name
    'HOLDS'
    """
    first, second = exact_symmetric(K, "K"), exact_symmetric(K_sigma, "K_sigma")
    if first.shape != second.shape:
        raise ValueError(f"K and K_sigma must have the same size, got {len(first)} and {len(second)}")
    rounds = integer("rounds", rounds, 0)
    slopes, offset = exact_slopes(activation), number_in("bias", bias, exact=True)
    asked = _Question(first, second, HomogeneousActivation(*slopes), offset)
    without_bias = _without_bias(second, offset)
    violation = first_violation(first, without_bias, slopes)
    if violation is not None:
        return asked.outside(*violation)
    if not any(first.flat):
        return asked.inside(first[:0, 0], first[:0], "no vector is needed")
    if slopes[0] == slopes[1]:
        return asked.inside(*_diagonalised(first), "a multiple of a positive semidefinite matrix")
    face = face_of(first, without_bias, slopes)
    violation = mismatch(face, first, without_bias)
    if violation is not None:
        return asked.outside(*violation)
    rank_one = _known_rank_one(asked, face, without_bias)
    if rank_one is not None:
        return rank_one
    # where all signs are fixed, a few rounds decide most pairs faster than the test of complete positivity decides the rest
    search = PairSearch(first, without_bias, face)
    search.run(min(rounds, FEW_ROUNDS) if all(face.fixed) else rounds)
    if search.weights is not None:
        return asked.inside(search.weights, np.array(search.vectors, dtype=object), search.reason)
    if search.form is not None:
        return asked.outside(search.form, search.reason)
    return _as_completely_positive(asked, face) if all(face.fixed) else asked.undecided(search.reason)


@dataclass(frozen=True, eq=False)
class _Question:
    K: Array
    K_sigma: Array
    activation: HomogeneousActivation
    bias: fmpq

    def inside(self, weights: Array, vectors: Array, reason: str) -> PairMembership:
        return self._answer(Verdict.HOLDS, weights, vectors, None, reason)

    def outside(self, form: Form, reason: str) -> PairMembership:
        return self._answer(Verdict.FAILS, None, None, form, reason)

    def undecided(self, reason: str) -> PairMembership:
        return self._answer(Verdict.UNDECIDED, None, None, None, reason)

    def _answer(
        self, verdict: Verdict, weights: Array | None, vectors: Array | None, form: Form | None, reason: str
    ) -> PairMembership:
        return PairMembership(verdict, self.K, self.K_sigma, self.activation, self.bias, weights, vectors, form, reason)


def _without_bias(K_sigma: Array, bias: fmpq) -> Array:
    return np.asarray(K_sigma - bias**2)


def _diagonalised(symmetric: Array) -> tuple[Array, Array]:
    """Positive weights and vectors of a positive semidefinite matrix (elimination with square pivots)."""
    remaining, weights, vectors = symmetric.copy(), [], []
    for k in range(len(remaining)):
        pivot = remaining[k, k]
        if pivot > 0:
            vectors.append(remaining[k] / pivot)
            weights.append(pivot)
            remaining = remaining - pivot * np.multiply.outer(vectors[-1], vectors[-1])
    return np.array(weights, dtype=object), np.array(vectors, dtype=object).reshape(len(weights), len(symmetric))


def _known_rank_one(asked: _Question, face: PairFace, without_bias: Array) -> PairMembership | None:
    """``K = c z z^T``: every vector is a positive or a negative multiple of z, so that K^s has one unknown."""
    if flint_matrix(asked.K).rank() != 1:
        return None
    row = next(k for k in range(len(asked.K)) if asked.K[k, k] > 0)
    z = small_integers(asked.K[row])
    scale = asked.K[row, row] / z[row] ** 2
    forward, backward = (image[:, None] * image for image in (apply(face.slopes, z), apply(face.slopes, -z)))
    difference = scale * (forward - backward)
    entry = next(((i, j) for i, j in np.ndindex(*difference.shape) if difference[i, j] != 0), None)
    share = fmpq(1) if entry is None else (without_bias[entry] - scale * backward[entry]) / difference[entry]
    if 0 <= share <= 1 and np.all(scale * (share * forward + (1 - share) * backward) == without_bias):
        parts = [(share * scale, z), ((1 - share) * scale, -z)]
        kept = [(weight, vector) for weight, vector in parts if weight > 0]
        weights, vectors = (np.array(part, dtype=object) for part in zip(*kept, strict=True))
        return asked.inside(weights, vectors, "K has rank one")
    return None


def _as_completely_positive(asked: _Question, face: PairFace) -> PairMembership:
    signs = rationals(np.array(face.fixed))
    positivity = is_completely_positive(signs[:, None] * asked.K * signs)
    reason = f"the diagonals fix all signs: {positivity.reason}"
    if positivity.weights is not None and positivity.vectors is not None:
        return asked.inside(positivity.weights, positivity.vectors * signs, reason)
    if positivity.copositive is not None:
        size = len(asked.K)
        form = (signs[:, None] * positivity.copositive * signs, zero_matrix(size))
        extended = face.extended(form, asked.K, _without_bias(asked.K_sigma, asked.bias))
        if extended is not None:
            return asked.outside(extended, reason)
    return asked.undecided(reason)


@dataclass(frozen=True)
class PairRank:
    """Bounds of the smallest number of vectors of a pair, ``lower <= rank <= upper``, and where they come from.

    `upper` is None where no decomposition was found: `member` says whether there is one.
    """

    lower: int
    upper: int | None
    lower_reason: str
    upper_reason: str
    member: Verdict

    @property
    def is_exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper


def largest_rank(size: int, activation: HomogeneousActivation) -> int:
    """No pair of `size` points has a larger rank: the dimension of the cone, less one where its base is connected.

    N(N+1) for two slopes of different size, N^2 for opposite slopes, N for equal slopes; one less for N >= 2 (Fenchel and
    Bunt), and 3 for N = 2 and an activation that is zero on one side.

    Examples
    --------
    >>> largest_rank(2, relu())
    3
    """
    slopes, size = exact_slopes(activation), integer("size", size, 1, ": a pair has a point")
    if slopes[0] == slopes[1]:
        return size
    if size == 1:
        return 2 if slopes[0] != -slopes[1] else 1
    if size == 2 and slopes[0] * slopes[1] == 0:
        return 3
    return (size * size if slopes[0] == -slopes[1] else size * (size + 1)) - 1


def rank_of_pair(
    K: Array,
    K_sigma: Array,
    activation: HomogeneousActivation,
    *,
    bias: Any = 0,
    membership: PairMembership | None = None,
) -> PairRank:
    """Bounds of the smallest number of vectors whose pair is ``(K, K_sigma)``.

    Exact for one point, for two points and an activation that is zero on one side, and for equal slopes. Else the lower
    bound is the largest of the ranks of K and of ``K^s - b^2 11^T``, of the lower bound of the CP-rank of the latter where
    the activation has only one sign, and of that of K where the diagonals fix the signs of all entries; the upper bound is
    the smaller of a decomposition (of `membership`, if it is known already) and `largest_rank`.

    Raises
    ------
    ValueError, TypeError
        As for `contains`.

    Examples
    --------
    A neuron of each sign, or one that is positive:

    >>> K, K_sigma = rationals([[2]]), rationals([[1]])
    >>> print(rank_of_pair(K, K_sigma, relu()).upper, rank_of_pair(K, K, relu()).upper)
    2 1
    """
    first, second = exact_symmetric(K, "K"), exact_symmetric(K_sigma, "K_sigma")
    slopes = exact_slopes(activation)
    if membership is not None:
        instance("membership", membership, PairMembership)
    if first.shape != second.shape:
        raise ValueError(f"K and K_sigma must have the same size, got {len(first)} and {len(second)}")
    without_bias = _without_bias(second, number_in("bias", bias, exact=True))
    special = _rank_by_formula(first, without_bias, slopes)
    if special is not None:
        return special
    lower = [(flint_matrix(first).rank(), "the rank of K"), (flint_matrix(without_bias).rank(), "the rank of K^s - b^2 11^T")]
    if slopes[0] * slopes[1] <= 0 and slopes[0] != slopes[1] and all(entry >= 0 for entry in without_bias.flat):
        lower.append((int(cp_rank_lower_bound(without_bias)), "the CP-rank of K^s - b^2 11^T"))
    signs = _signs_fixed_by_the_diagonal(first, without_bias, slopes)
    turned = None if signs is None else first * signs[:, None] * signs
    if turned is not None and all(entry >= 0 for entry in turned.flat):
        lower.append((int(cp_rank_lower_bound(turned)), "the CP-rank of K, for the diagonals fix all signs"))
    best = max(lower, key=lambda pair: pair[0])
    membership_ = (
        contains(first, second, activation, bias=bias)
        if membership is None
        else instance("membership", membership, PairMembership)
    )
    if membership_.verdict != Verdict.HOLDS or membership_.weights is None:
        return PairRank(best[0], None, best[1], membership_.reason, membership_.verdict)
    upper = [(len(membership_.weights), "a decomposition"), (largest_rank(len(first), activation), "the dimension of the cone")]
    if slopes[0] == slopes[1]:
        upper = [(best[0], "any factor of K")]
    least = min(upper, key=lambda pair: pair[0])
    return PairRank(best[0], least[0], best[1], least[1], membership_.verdict)


def _signs_fixed_by_the_diagonal(K: Array, without_bias: Array, slopes: tuple[fmpq, fmpq]) -> Array | None:
    """The sign that entry i of every vector has, where ``K^s_ii`` is one of ``p^2 K_ii`` and ``q^2 K_ii`` for all i; else None.

    Then no vector has an entry of the other sign, for the square of the activation would be another multiple of its square.
    """
    positive, negative = slopes[0] ** 2, slopes[1] ** 2
    if positive == negative:
        return None
    signs = np.zeros(len(K), dtype=np.int64)
    for i in range(len(K)):
        signs[i] = 1 if without_bias[i, i] == positive * K[i, i] else -int(without_bias[i, i] == negative * K[i, i])
    return rationals(signs) if signs.all() else None


def _rank_by_formula(K: Array, without_bias: Array, slopes: tuple[fmpq, fmpq]) -> PairRank | None:
    if len(K) == 1 and slopes[0] != -slopes[1]:
        rank = rank_for_one_point(K[0, 0], without_bias[0, 0], slopes)
        if rank is None:
            return PairRank(0, None, "one point", "the entries do not fit", Verdict.FAILS)
        return PairRank(rank, rank, "one point", "one point", Verdict.HOLDS)
    if len(K) == 2 and slopes[0] * slopes[1] == 0 and slopes[0] != slopes[1]:
        square = slopes[0] ** 2 + slopes[1] ** 2
        points = TwoPoints.of(K, np.asarray(without_bias / square))
        member = points.membership()
        if member == Verdict.HOLDS:
            return PairRank(points.rank(), points.rank(), "the quadrants of two points", "the quadrants of two points", member)
        if member == Verdict.FAILS:
            return PairRank(0, None, "two points", "the entries do not fit", member)
    return None


def two_point_vectors(K: Array, K_sigma: Array, activation: HomogeneousActivation, *, bias: Any = 0) -> Array:
    """At most three vectors, in floats ``(k, 2)``, of a pair of two points, for an activation that is zero on one side.

    Raises
    ------
    ValueError
        Not two points; another activation; the pair is outside the cone (or within rounding errors of its boundary); else as
        for `contains`.

    Examples
    --------
    >>> K, K_sigma = rationals([[2, -2], [-2, 2]]), rationals([[1, 0], [0, 1]])
    >>> vectors = two_point_vectors(K, K_sigma, relu())
    >>> print((vectors.T @ vectors).round(9), np.allclose(relu()(vectors).T @ relu()(vectors), np.eye(2)))
    [[ 2. -2.]
     [-2.  2.]] True
    """
    first, second = exact_symmetric(K, "K"), exact_symmetric(K_sigma, "K_sigma")
    slopes = exact_slopes(activation)
    if first.shape != (2, 2) or second.shape != (2, 2):
        raise ValueError(f"K and K_sigma must have shape (2, 2), got {first.shape} and {second.shape}")
    if slopes[0] * slopes[1] != 0 or slopes[0] == slopes[1]:
        raise ValueError(f"activation must be zero on exactly one side, got {activation}")
    points = TwoPoints.of(
        first, np.asarray(_without_bias(second, number_in("bias", bias, exact=True)) / (slopes[0] ** 2 + slopes[1] ** 2))
    )
    if points.membership() != Verdict.HOLDS:
        raise ValueError("K and K_sigma must be a pair of the cone: see contains")
    return points.three_vectors() * (1 if slopes[1] == 0 else -1)
