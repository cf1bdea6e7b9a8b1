r"""The width-independent problem of one hidden layer: primal values, dual bounds, and reoptimised weights, all in floats.

With :math:`Y` of shape ``(n_L, N)``, vectors z in the range of :math:`K_0^s` and weights :math:`\alpha \ge 0` the problem is

.. math:: \min_\alpha \sum_i \alpha_i z_i^T (K_0^s)^+ z_i + Tr[Y (K^s + \mu)^+ Y^T],
   \quad K^s = \sum_i \alpha_i s(z_i) s(z_i)^T + b^2 11^T,

for the exact fit with :math:`\mu = 0`, and times `ridge` with :math:`\mu = ridge / fit` for the ridge. Its dual:
:math:`\max_U 2 \langle U, Y \rangle - \mu \|U\|^2 - b^2 \|U 1\|^2` over U with
:math:`\|U s(z)\|^2 \le z^T (K_0^s)^+ z` for all z in the range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from verify.cones._sign_faces import LARGEST_SIZE, Floats, SignFaces, float_slopes
from verify.matrices.arguments import checked
from verify.matrices.ranks import non_zero
from verify.networks import FullyConnected, HomogeneousActivation
from verify.numbers.arguments import real_number
from verify.numbers.arithmetic import Array, is_exact

REACH = 1e-9
"""Targets whose distance to what can be reached is at most this, relative to their size, are reached."""

NEWTON_STEPS = 60
"""Steps of a damped Newton's method, which squares its error near the solution: more mean that rounding stops it."""

Ratio = Callable[[Floats], tuple[float, Floats]]
"""From U to the largest ``||U s(z)||^2 / z^T K_0^+ z`` and vectors that come next to it, best first, shape ``(k, N)``."""


@dataclass(frozen=True, eq=False)
class Shallow:
    """One problem; its inputs, with the bias as a last column, are ``basis.T @ diag(scales) @ directions``.

    `basis` and `directions` have orthonormal rows, of shapes ``(r, N)`` and ``(r, n_0 + 1)``. Vectors in the range of ``K_0^s``
    are ``w @ diag(scales) @ basis``, for the incoming weights ``w @ directions``; no weights with fewer squares give them.
    """

    inputs: Floats
    targets: Floats  # (N, n_L)
    activation: HomogeneousActivation
    slopes: tuple[float, float]
    bias: float
    ridge: float | None
    fit: float
    basis: Floats
    scales: Floats
    directions: Floats

    @property
    def size(self) -> int:
        return len(self.inputs)

    @property
    def Y(self) -> Floats:
        return self.targets.T

    @property
    def mu(self) -> float:
        return 0.0 if self.ridge is None else self.ridge / self.fit

    @property
    def factor(self) -> float:
        return 1.0 if self.ridge is None else self.ridge

    @property
    def metric(self) -> Floats:
        """The pseudo-inverse of ``K_0^s``; the costs of vectors are not taken from it, see `costs`."""
        return np.asarray((self.basis.T / self.scales**2) @ self.basis)

    @property
    def input_scale(self) -> float:
        """Typical length of the inputs with the bias."""
        return float(1 / np.sqrt(np.mean(1 / self.scales**2))) if len(self.scales) else 1.0

    @property
    def target_scale(self) -> float:
        length = float(np.linalg.norm(self.targets))
        return length if length > 0 else 1.0

    @property
    def pair_scale(self) -> float:
        return self.input_scale * self.target_scale

    def normalised(self) -> Shallow:
        """The problem with inputs and targets of length 1; its dual matrix U is that of the original up to a factor.

        Its pair is that of the original divided by `pair_scale` (see `original`), and so are the square of the bias, as part
        of K^s, and mu.
        """
        scale = self.pair_scale
        return replace(
            self,
            inputs=self.inputs / self.input_scale,
            targets=self.targets / self.target_scale,
            bias=self.bias / float(np.sqrt(scale)),
            ridge=None if self.ridge is None else self.ridge / scale,
            scales=self.scales / self.input_scale,
        )

    def original(self, K: Floats, K_sigma: Floats) -> tuple[Floats, Floats]:
        """The pair of this problem from the pair of the normalised one."""
        return K * self.pair_scale, K_sigma * self.pair_scale

    def image(self, vectors: Floats) -> Floats:
        return np.where(vectors > 0, *self.slopes) * vectors

    def smallest(self, vectors: Floats) -> Floats:
        """The w of vectors, shape ``(k, N) -> (k, r)``: see the class."""
        return np.asarray((vectors @ self.basis.T) / self.scales)

    def costs(self, vectors: Floats) -> Floats:
        """``z^T (K_0^s)^+ z`` of vectors, shape ``(k, N) -> (k,)``."""
        return np.asarray((self.smallest(vectors) ** 2).sum(axis=1))

    def covariance(self, weights: Floats, vectors: Floats) -> Floats:
        image = self.image(vectors)
        return np.asarray((image.T * weights) @ image + self.bias**2)

    def pair(self, weights: Floats, vectors: Floats) -> tuple[Floats, Floats]:
        return (vectors.T * weights) @ vectors, self.covariance(weights, vectors)

    def fitted(self, K_sigma: Floats) -> tuple[float, Floats, Floats]:
        """``Tr[Y (K^s + mu)^+ Y^T]``, the outputs ``(N, n_L)`` and ``U = Y (K^s + mu)^+``; infinite beyond the range.

        For an exact fit Y counts as in the range up to `REACH`, and the outputs are Y within the range.
        """
        values, vectors = np.linalg.eigh(K_sigma)
        along = self.Y @ vectors
        kept = values > 1e-13 * max(float(values[-1]), 0.0)
        if self.mu > 0:
            inverse = 1 / (np.maximum(values, 0.0) + self.mu)
            shares = values * inverse
        elif np.linalg.norm(along[:, ~kept]) > REACH * np.linalg.norm(along):
            return np.inf, self.targets, np.zeros_like(self.Y)
        else:
            inverse = np.where(kept, 1 / np.where(kept, values, 1.0), 0.0)
            shares = kept.astype(np.float64)
        outputs = ((along * np.where(kept, shares, 0.0)) @ vectors.T).T
        return float((along**2 * inverse).sum()), outputs, (along * inverse) @ vectors.T

    def value_of(self, weights: Floats, vectors: Floats) -> float:
        """Value of the pair of vectors with weights."""
        return self.factor * (float(weights @ self.costs(vectors)) + self.fitted(self.covariance(weights, vectors))[0])

    def value(self, K: Floats, K_sigma: Floats) -> float:
        """Value of a pair that is in the cone."""
        return self.factor * (float((self.metric * K).sum()) + self.fitted(K_sigma)[0])

    def network(self, weights: Floats, vectors: Floats, U: Floats) -> tuple[FullyConnected, float]:
        """The network of vectors with weights and of the `U` that `fitted` gives, and its norm, that of its pair.

        Both layers come from what decided the value of the pair. Least squares on the values of the neurons would also fit what
        `REACH` leaves out, at a cost without bound.
        """
        rows = np.sqrt(weights)[:, None] * vectors
        first = self.smallest(rows) @ self.directions
        values = np.concatenate([self.image(rows), np.full((1, self.size), self.bias)])
        last = U @ values.T
        norm = float((first**2).sum() + (last**2).sum())
        biases = [self.bias * first[:, -1], self.bias * last[:, -1]]
        return FullyConnected([first[:, :-1], last[:, :-1]], biases, self.activation), norm

    def bound(self, candidates: Iterable[Floats], ratio: Ratio) -> tuple[float, Floats]:
        """Best dual bound of the candidates, each scaled best within what the largest ratio allows, and its U."""
        best, best_U = 0.0, np.zeros_like(self.Y)
        for U in candidates:
            if not np.isfinite(U).all():
                continue
            linear = float((U * self.Y).sum())
            quadratic = self.mu * float((U**2).sum()) + self.bias**2 * float((U.sum(axis=1) ** 2).sum())
            largest = ratio(U)[0]
            limit = 1 / np.sqrt(largest) if largest > 0 else np.inf
            scale = min(linear / quadratic if quadratic > 0 else np.inf, limit)
            if not np.isfinite(scale) or scale <= 0:
                continue
            value = self.factor * (2 * scale * linear - scale**2 * quadratic)
            if value > best:
                best, best_U = value, scale * U
        return best, best_U

    def unreached(self, ratio: Ratio) -> bool:
        """Whether no width reaches the targets: they leave the span of all s(z) and of the bias."""
        complement = np.eye(self.size) - (1 / self.size if self.bias else 0.0) * np.ones((self.size, self.size))
        for _ in range(self.size):
            _, vectors = ratio(complement)
            if not len(vectors):
                break
            direction = complement @ self.image(vectors[:1])[0]
            length = np.linalg.norm(direction)
            if length <= REACH * np.linalg.norm(vectors[0]):
                break
            direction /= length
            complement = complement - np.outer(direction, direction)
        return bool(np.linalg.norm(self.Y @ complement) > REACH * np.linalg.norm(self.Y))

    @cached_property
    def faces(self) -> SignFaces:
        """The sign faces of the vectors in the range of ``K_0^s``."""
        return SignFaces(self.size, self.slopes, self.scales[:, None] * self.basis)

    def ratio(self, U: Floats) -> tuple[float, Floats]:
        """The largest ratio, over all sign faces."""
        minimum = self.faces.minimisers(np.zeros((self.size, self.size)), -U.T @ U)
        if not len(minimum.values):
            return 0.0, np.zeros((0, self.size))
        return max(-float(minimum.values[0]), 0.0), minimum.vectors

    def reoptimised(self, vectors: Floats, weights: Floats, mu: float) -> Floats:
        """Best weights of vectors of cost 1: Newton's method whose steps are non-negative least squares."""
        from scipy.optimize import nnls  # slow to import

        image = self.image(vectors)

        def at(alpha: Floats) -> tuple[float, Floats, Floats]:
            K_sigma = (image.T * alpha) @ image + self.bias**2 + mu * np.eye(self.size)
            root = np.linalg.cholesky(K_sigma)
            inverse = np.linalg.inv(root)
            R = inverse.T @ inverse
            U = self.Y @ R
            return float(alpha.sum() + (self.Y * U).sum()), R, U

        alpha = weights
        value, R, U = at(alpha)
        for _ in range(NEWTON_STEPS):
            images = image @ U.T
            gradient = 1 - (images**2).sum(axis=1)
            hessian = 2 * (image @ R @ image.T) * (images @ images.T)
            # NNLS needs a root of the Hessian; the shift only shortens the step
            hessian += 1e-13 * max(float(np.trace(hessian)), 1e-300) * np.eye(len(alpha))
            eigenvalues, eigenvectors = np.linalg.eigh(hessian)
            roots = np.sqrt(np.maximum(eigenvalues, eigenvalues[-1] * 1e-15))
            right = (eigenvectors.T @ (hessian @ alpha - gradient)) / roots
            try:
                target, _ = nnls((eigenvectors * roots).T, right, maxiter=50 * len(alpha))
            except RuntimeError:
                break
            step, slope = target - alpha, float(gradient @ (target - alpha))
            if -slope <= 1e-14 * abs(value):
                break
            length = 1.0
            while length > 1e-10:
                trial = at(alpha + length * step)
                if trial[0] <= value + 1e-4 * length * slope:
                    break
                length /= 2
            else:
                break
            alpha = np.maximum(alpha + length * step, 0.0)
            value, R, U = trial
        return alpha


def shallow_problem(
    inputs: Array,
    targets: Array,
    activation: HomogeneousActivation,
    bias: Any,
    ridge: Any,
    fit: Any,
    largest_size: int | None = LARGEST_SIZE,
) -> Shallow:
    """Check the arguments of the solvers for one hidden layer.

    Raises
    ------
    ValueError
        A shape does not fit; an entry is not finite; there are too many points; `bias` is negative, `ridge` or `fit` is not
        positive.
    TypeError
        Exact arrays: these solvers work in floats.
    RankUndecided
        The rank of the inputs with the bias is undecided.
    """
    points, wanted = float_matrix(inputs, "inputs"), float_matrix(targets, "targets")
    if len(points) != len(wanted):
        raise ValueError(f"inputs and targets must have one row for each point, got {len(points)} and {len(wanted)} rows")
    if largest_size is not None and len(points) > largest_size:
        raise ValueError(f"inputs must have at most {largest_size} rows for this solver, got {len(points)}")
    # a float of NumPy's: its square may be infinite
    bias, fit = np.float64(real_number("bias", bias, exact=False)), real_number("fit", fit, exact=False)
    limit = None if ridge is None else real_number("ridge", ridge, exact=False)
    positive = limit is None or limit > 0
    for name, number, accepted in (("bias", bias, bias >= 0), ("fit", fit, fit > 0), ("ridge", ridge, positive)):
        if not accepted:
            kind = "not negative" if name == "bias" else "positive"
            raise ValueError(f"{name} must be finite and {kind}, got {number}")
    extended = np.concatenate([points, np.full((len(points), 1), bias)], axis=1)
    left, values, right = np.linalg.svd(extended, full_matrices=False)
    kept = non_zero(values, max(extended.shape)) if values.any() else np.zeros(len(values), dtype=bool)
    slopes = float_slopes(activation)
    parts = left[:, kept].T, values[kept], right[kept]
    return Shallow(points, wanted, activation.as_float(), slopes, bias, limit, fit, *parts)


def float_matrix(values: Array, name: str) -> Floats:
    """A float64 matrix.

    Raises
    ------
    ValueError
        Not two axes, no rows or columns, or not finite.
    TypeError
        Exact entries.
    """
    array = checked(values, name)
    if is_exact(array):
        raise TypeError(
            f"{name} must hold floats, got exact entries: solvers round (convert with verify.numbers.arithmetic.floats)"
        )
    if array.ndim != 2:
        raise ValueError(f"{name} must have shape (points, entries), got {array.shape}")
    return np.asarray(array, dtype=np.float64)
