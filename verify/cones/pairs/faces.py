r"""The face of a pair: what every vector of a decomposition has to satisfy, and certificates that are valid off the face.

A dual element that vanishes on the pair vanishes on every vector of a decomposition. The cheap ones are found here: vectors
in the kernel of K and of K^s, coordinates whose sign is fixed by the diagonals, and, for an activation that is zero on one
side, products :math:`s(z_i) s(z_j)` that vanish. Their sum :math:`\Phi \ge 0` turns a functional that is positive on the
face into one that is positive everywhere, by adding a multiple.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from flint import arb, fmpq

from verify.cones._exact import negative_direction, null_space
from verify.cones.copositive import is_copositive
from verify.networks import HomogeneousActivation
from verify.networks.arguments import checked_activation
from verify.numbers.arithmetic import Array, rational, rationals
from verify.numbers.relation import Verdict

Form = tuple[Array, Array]
"""``(S, T)``: the form ``z^T S z + s(z)^T T s(z)``."""


def zero_matrix(size: int) -> Array:
    """Rationals, shape ``(size, size)``."""
    return rationals(np.zeros((size, size), dtype=np.int64))


def identity_matrix(size: int) -> Array:
    """Rationals, shape ``(size, size)``."""
    return rationals(np.eye(size, dtype=np.int64))


def exact_slopes(activation: HomogeneousActivation) -> tuple[fmpq, fmpq]:
    """Both slopes of one activation; floats are taken as the rationals that they are.

    Raises
    ------
    ValueError
        The activation is a batch.
    """
    checked_activation(activation)
    if activation.batch_shape:
        raise ValueError(f"activation must be one activation, got a batch of shape {activation.batch_shape}")
    if any(isinstance(slope, arb) for slope in (activation.positive, activation.negative)):
        raise TypeError("activation must have floats or rationals as slopes, got balls (flint.arb)")
    return rational(activation.positive), rational(activation.negative)


def value(form: Form, K: Array, K_sigma: Array) -> fmpq:
    """``<S, K> + <T, K^s>``."""
    return (form[0] * K).sum() + (form[1] * K_sigma).sum()


def is_nonnegative_form(form: Form, slopes: tuple[fmpq, fmpq]) -> bool:
    """Whether the form is not negative anywhere, decided exactly on every orthant."""
    S, T = form
    size = len(S)
    # z and -z give two orthants of their own, unless the slopes are equal up to a sign
    for code in range(2 ** (size - 1) if slopes[0] ** 2 == slopes[1] ** 2 else 2**size):
        negative = [bool(code >> i & 1) for i in range(size)]
        sign = rationals(np.where(negative, -1, 1))
        image = np.array([-slopes[1] if below else slopes[0] for below in negative], dtype=object)
        matrix = sign[:, None] * S * sign + image[:, None] * T * image
        if is_copositive(matrix).verdict != Verdict.HOLDS:
            return False
    return True


@dataclass(frozen=True, eq=False)
class PairFace:
    """Conditions on the vectors of a decomposition of one pair (the bias is subtracted).

    `kernel` and `kernel_sigma` have rows v with ``v @ z = 0`` and ``v @ s(z) = 0``; ``fixed[i]`` is 1, -1 or 0 where ``z_i``
    has to be ``>= 0``, ``<= 0`` or is free; `apart` has the pairs (i, j) with ``s(z_i) s(z_j) = 0``.
    """

    slopes: tuple[fmpq, fmpq]
    kernel: Array
    kernel_sigma: Array
    fixed: tuple[int, ...]
    apart: tuple[tuple[int, int], ...]

    def penalty(self) -> Form:
        """The sum of the dual elements that vanish on the pair."""
        size = len(self.fixed)
        S = self.kernel.T @ self.kernel if len(self.kernel) else zero_matrix(size)
        T = self.kernel_sigma.T @ self.kernel_sigma if len(self.kernel_sigma) else zero_matrix(size)
        gap = self.slopes[0] ** 2 - self.slopes[1] ** 2
        for i, sign in enumerate(self.fixed):
            if sign:
                slope, orientation = self.slopes[0 if sign > 0 else 1], 1 if gap * sign > 0 else -1
                S[i, i] += orientation * slope**2
                T[i, i] -= orientation
        for i, j in self.apart:
            T[i, j] += 1
            T[j, i] += 1
        return S, T

    def allows(self, vector: Array) -> bool:
        """Whether a rational vector satisfies all conditions."""
        if any(entry * sign < 0 for entry, sign in zip(vector, self.fixed, strict=True)):
            return False
        image = apply(self.slopes, vector)
        if any(image[i] != 0 and image[j] != 0 for i, j in self.apart):
            return False
        outside = any((self.kernel @ vector).tolist()) if len(self.kernel) else False
        return not (outside or (len(self.kernel_sigma) and any((self.kernel_sigma @ image).tolist())))

    def conditions(self, pattern: tuple[int, ...]) -> Array:
        """A basis, in rows, of the span of the vectors with these signs (1, 0, -1) in both kernels' complements."""
        size = len(pattern)
        gains = np.array([self.slopes[0] if sign > 0 else self.slopes[1] for sign in pattern], dtype=object)
        rows = [*self.kernel, *(self.kernel_sigma * gains if len(self.kernel_sigma) else [])]
        rows += [identity_matrix(size)[i] for i, sign in enumerate(pattern) if sign == 0]
        return null_space(np.array(rows, dtype=object)) if rows else identity_matrix(size)

    def extended(self, form: Form, K: Array, K_sigma: Array) -> Form | None:
        """A form that is not negative anywhere and negative on the pair, from one that is so on the face (checked, or None)."""
        size = len(K)
        product = value(form, K, K_sigma)
        trace = K.trace()
        if product >= 0:
            return None
        S, T = form
        if trace > 0:
            # half of the negative product pays for strict positivity
            S = S + identity_matrix(size) * (-product / (2 * trace))
        penalty = self.penalty()
        constrained = any(entry != 0 for part in penalty for entry in part.flat)
        multiple = max((abs(entry) for part in (S, T) for entry in part.flat), default=fmpq(1))
        for _ in range(24 if constrained else 1):
            candidate = (S, T) if not constrained else (S + multiple * penalty[0], T + multiple * penalty[1])
            if is_nonnegative_form(candidate, self.slopes):
                return candidate
            multiple *= 4
        return None


def apply(slopes: tuple[fmpq, fmpq], values: Array) -> Array:
    """The activation of rationals, of their shape."""
    result = np.empty(values.shape, dtype=object)
    result[...] = np.where(np.array([entry >= 0 for entry in values.flat]).reshape(values.shape), *slopes) * values
    return result


def face_of(K: Array, K_sigma: Array, slopes: tuple[fmpq, fmpq]) -> PairFace:
    """The conditions on the vectors of a pair whose diagonals lie in the cone (see `first_violation`)."""
    size = len(K)
    squares = (slopes[0] ** 2, slopes[1] ** 2)
    fixed = [0] * size
    if squares[0] != squares[1]:
        for i in range(size):
            for sign, square in zip((1, -1), squares, strict=True):
                if K_sigma[i, i] == square * K[i, i]:
                    fixed[i] = sign
    one_sided = slopes[0] * slopes[1] == 0 and slopes[0] != slopes[1]
    pairs = combinations(range(size), 2) if one_sided else ()
    apart = tuple((i, j) for i, j in pairs if K_sigma[i, j] == 0)
    return PairFace(slopes, null_space(K), null_space(K_sigma), tuple(fixed), apart)


def first_violation(K: Array, K_sigma: Array, slopes: tuple[fmpq, fmpq]) -> tuple[Form, str] | None:
    """A form that is not negative anywhere but negative on the pair, from the conditions that are plain, with its reason."""
    size = len(K)
    for index, (name, matrix) in enumerate((("K", K), ("K^s - b^2 11^T", K_sigma))):
        direction = negative_direction(matrix)
        if direction is not None:
            forms = [zero_matrix(size), zero_matrix(size)]
            forms[index] = direction[:, None] * direction
            return (forms[0], forms[1]), f"{name} is not positive semidefinite"
    low, high = sorted((slopes[0] ** 2, slopes[1] ** 2))
    for i in range(size):
        S, T = zero_matrix(size), zero_matrix(size)
        if K_sigma[i, i] > high * K[i, i]:
            S[i, i], T[i, i] = high, fmpq(-1)
        elif K_sigma[i, i] < low * K[i, i]:
            S[i, i], T[i, i] = -low, fmpq(1)
        else:
            continue
        return (S, T), f"the diagonal entries {i} are not between {low} and {high} times each other"
    one_sided = slopes[0] * slopes[1] <= 0
    for i, j in combinations(range(size), 2):
        S, T = zero_matrix(size), zero_matrix(size)
        if one_sided and K_sigma[i, j] < 0 and (slopes[0] - slopes[1]) != 0:
            T[i, j] = T[j, i] = fmpq(1)
            return (S, T), f"entry ({i}, {j}) of K^s - b^2 11^T is negative, and products of this activation are not"
        if slopes[0] == slopes[1] and K_sigma[i, j] != slopes[0] ** 2 * K[i, j]:
            sign = 1 if K_sigma[i, j] > slopes[0] ** 2 * K[i, j] else -1
            S[i, j] = S[j, i] = sign * slopes[0] ** 2
            T[i, j] = T[j, i] = fmpq(-sign)
            return (S, T), f"entries ({i}, {j}) differ by another factor than the square of the only slope"
    return None


def mismatch(face: PairFace, K: Array, K_sigma: Array) -> tuple[Form, str] | None:
    """As `first_violation`, where two signs are fixed and the off-diagonal entries do not fit to them."""
    size = len(K)
    gains = [face.slopes[0 if sign > 0 else 1] for sign in face.fixed]
    for i, j in combinations([i for i in range(size) if face.fixed[i]], 2):
        factor = gains[i] * gains[j]
        difference = K_sigma[i, j] - factor * K[i, j]
        if difference == 0:
            continue
        S, T = zero_matrix(size), zero_matrix(size)
        sign = 1 if difference > 0 else -1
        S[i, j] = S[j, i] = sign * factor
        T[i, j] = T[j, i] = fmpq(-sign)
        form = face.extended((S, T), K, K_sigma)
        if form is not None:
            return form, f"the diagonals fix the signs of the coordinates {i} and {j}, and entries ({i}, {j}) do not fit"
    return None
