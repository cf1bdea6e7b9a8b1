"""Vectors of a pair by column generation: floats propose, rationals decide."""

from __future__ import annotations

from itertools import product

import numpy as np
from flint import fmpq

from verify.cones import conical_hull
from verify.cones._exact import small_integers
from verify.cones._sign_faces import LARGEST_SIZE, Floats, sign_faces
from verify.cones.pairs.faces import Form, PairFace, apply
from verify.matrices.exact import flint_matrix, to_array
from verify.numbers.arithmetic import Array, chosen_rationals, floats, rationals
from verify.numbers.relation import Verdict

MAX_START = 800
"""Vectors of signs in the beginning; with more coordinates, those with at most two non-zeros."""

NEW_PER_ROUND = 40
"""Faces with the most negative values that give new vectors in a round."""

DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 12, 24)
"""Vectors are rounded to multiples of their largest entry over these: the divisors of 24, and 5, of which examples are made.
Far from the hull the first five are enough, for vectors move in later rounds."""

MAX_FACTOR_STEPS = 100
"""Steps of Levenberg and Marquardt, which converge quadratically or not at all."""

SMALL_RESIDUAL = 1e-9
"""Distance to the hull of the vectors so far, relative to the pair, below which membership is tried in rationals."""


class PairSearch:
    """Column generation for one pair within its face; the result is `weights` and `vectors`, or `form`, or neither."""

    def __init__(self, K: Array, K_sigma: Array, face: PairFace) -> None:
        self.face = face
        self.pair = K, K_sigma
        self.size = len(K)
        self.rows, self.columns = np.triu_indices(self.size)
        scales = _powers_of_two(K)
        self.scales = scales  # z = scales * (scaled z)
        self.target = self._flat(K / np.multiply.outer(scales, scales), K_sigma / np.multiply.outer(scales, scales))
        self.weighing = np.tile(np.where(self.rows == self.columns, 1.0, np.sqrt(2.0)), 2)
        self.float_target = floats(self.target) * self.weighing
        self.length = float(np.linalg.norm(self.float_target))
        self.slopes = float(face.slopes[0].p) / float(face.slopes[0].q), float(face.slopes[1].p) / float(face.slopes[1].q)
        penalty = face.penalty()
        self.penalty = tuple(floats(part * np.multiply.outer(scales, scales)) for part in penalty)
        self.vectors: list[Array] = []
        self.seen: set[tuple[fmpq, ...]] = set()
        self.images: list[Floats] = []
        self.generators: list[Array] = []
        self.weights: Array | None = None
        self.form: Form | None = None
        self.reason = ""

    def run(self, rounds: int) -> None:
        """Search for at most `rounds` rounds; vectors of a least-squares factor are added when the distance stalls."""
        self._start()
        last, stalls = np.inf, 0
        for count in range(rounds):
            self._bound_columns()
            weights, residual = self._distance()
            distance = float(np.linalg.norm(residual)) / self.length
            if distance < SMALL_RESIDUAL and self._decided_inside(weights):
                self.reason = f"{len(self.vectors)} vectors after {count + 1} rounds"
                return
            form = self._form(residual)
            added = self._price(form, distance)
            if self.form is not None:
                self.reason = f"separated after {count + 1} rounds"
                return
            stalls = stalls + 1 if distance > 0.5 * last else 0
            last = distance
            if count % 6 == 5 or (not added and distance < 1e-2) or stalls >= 8:
                added = self._factor(seed=count) or added
                stalls = 0
            if not added:
                self.reason = f"no new vector after {count + 1} rounds, at the distance {distance:.1e}"
                return
        self.reason = f"the distance is {last:.1e} after {rounds} rounds"

    def add(self, vector: Array) -> bool:
        """Add a scaled vector if it is new and allowed."""
        vector = small_integers(vector)
        key = tuple(vector)
        if key in self.seen or not any(key):
            return False
        self.seen.add(key)
        original = vector * self.scales
        if not self.face.allows(original):
            return False
        image = apply(self.face.slopes, vector)
        generator = self._flat(vector[:, None] * vector, image[:, None] * image)
        column = floats(generator) * self.weighing
        self.vectors.append(original)
        self.generators.append(generator)
        self.images.append(column / np.linalg.norm(column))
        return True

    def _flat(self, K: Array, K_sigma: Array) -> Array:
        return np.concatenate([K[self.rows, self.columns], K_sigma[self.rows, self.columns]])

    def _start(self) -> None:
        size = self.size
        if 3**size <= MAX_START:
            for pattern in product((0, 1, -1), repeat=size):
                self.add(rationals(np.array(pattern)))
        else:
            for i in range(size):
                for j in range(i, size):
                    for first, second in product((1, -1), repeat=2):
                        pattern_vector = np.zeros(size, dtype=np.int64)
                        pattern_vector[j] = second
                        pattern_vector[i] = first
                        self.add(chosen_rationals(pattern_vector))
        if len(self.vectors) < size:
            self._factor(seed=0)

    def _distance(self) -> tuple[Floats, Floats]:
        """Weights of the nearest point of the hull, and the rest of the pair."""
        from scipy.optimize import nnls  # slow to import

        if not self.images:
            return np.empty(0), self.float_target
        matrix = np.array(self.images).T
        try:
            weights, _ = nnls(matrix, self.float_target / self.length, maxiter=20 * matrix.shape[1])
        except RuntimeError:  # too many steps: the rest of the pair prices as well from where no weight is
            weights = np.zeros(matrix.shape[1])
        return weights, self.float_target - self.length * (matrix @ weights)

    def _bound_columns(self) -> None:
        """Forget vectors without weight when there are many."""
        limit = 30 * self.size * (self.size + 1)
        if len(self.vectors) <= limit:
            return
        weights, residual = self._distance()
        scores = np.array(self.images) @ residual
        kept = np.flatnonzero((weights > 0) | (scores >= np.sort(scores)[-limit // 2]))
        self.vectors = [self.vectors[k] for k in kept]
        self.images = [self.images[k] for k in kept]
        self.generators = [self.generators[k] for k in kept]

    def _decided_inside(self, weights: Floats) -> bool:
        chosen = np.flatnonzero(weights > 1e-12)
        for indices in (chosen, np.arange(len(self.vectors))):
            membership = conical_hull.contains_quickly(np.array([self.generators[k] for k in indices]), self.target)
            if membership.verdict == Verdict.HOLDS and membership.weights is not None:
                used = [k for k in range(len(indices)) if membership.weights[k] != 0]
                self.weights = np.array([membership.weights[k] for k in used], dtype=object)
                self.vectors = [self.vectors[int(indices[k])] for k in used]
                return True
        return False

    def _form(self, residual: Floats) -> tuple[Floats, Floats]:
        """The form whose product with a pair is minus its product with `residual`."""
        half = len(self.rows)
        forms = []
        for part in (residual[:half], residual[half:]):
            matrix = np.zeros((self.size, self.size))
            entries = -part / self.weighing[:half]
            matrix[self.rows, self.columns] = entries * self.weighing[:half] ** 2
            forms.append((matrix + matrix.T) / 2)
        return forms[0], forms[1]

    def _price(self, form: tuple[Floats, Floats], distance: float) -> bool:
        scale = max(float(np.abs(form[0]).max()), float(np.abs(form[1]).max()))
        if scale == 0 or self.size > LARGEST_SIZE:
            return False
        S, T = form[0] / scale, form[1] / scale
        largest = max(float(np.abs(part).max()) for part in self.penalty)
        factor = 1e4 / largest if largest > 0 else 0.0
        minimum = sign_faces(self.size, self.slopes).minimisers(S + factor * self.penalty[0], T + factor * self.penalty[1])
        product_ = -((distance * self.length) ** 2) / scale
        trace = float(self.float_target[: len(self.rows)][self.rows == self.columns].sum())
        lowest = float(minimum.values[0])
        if -lowest * trace < 0.4 * -product_ and self._decided_outside(S, T, max(-lowest, 0.0)):
            return False
        added = False
        negative = np.flatnonzero(minimum.values < -1e-13)[:NEW_PER_ROUND]
        depth = DENOMINATORS if distance < 1e-3 else DENOMINATORS[:5]
        for k in negative:
            added |= self._add_near(minimum.vectors[k], depth)
        return added

    def _decided_outside(self, S: Floats, T: Floats, shift: float) -> bool:
        """Round the form, with a shift that makes it positive on the face, and extend it beyond."""
        unscaling = 1 / np.multiply.outer(self.scales, self.scales)
        for bits in (12, 24, 44):
            forms = [chosen_rationals(np.round(part * 2.0**bits) / 2.0**bits) for part in (S, T)]
            forms[0] = forms[0] + rationals(np.eye(self.size, dtype=np.int64)) * (
                chosen_rationals(1.1 * shift)[()] + fmpq(self.size, 2**bits)
            )
            form = self.face.extended((forms[0] * unscaling, forms[1] * unscaling), *self.pair)
            if form is not None:
                self.form = form
                return True
        return False

    def _add_near(self, vector: Floats, denominators: tuple[int, ...]) -> bool:
        """Add rational vectors near the direction of `vector` that satisfy the conditions of its signs."""
        size = np.abs(vector).max()
        vector = np.where(np.abs(vector) < 1e-6 * size, 0.0, vector / size)
        pattern = tuple(int(sign) for sign in np.sign(vector))
        basis = self._scaled_conditions(pattern)
        if len(basis) == 0:
            return False
        free = [next(j for j, entry in enumerate(row) if entry != 0) for row in basis]  # the leading ones
        added = False
        smallest = np.abs(vector[free])[np.abs(vector[free]) > 1e-3].min(initial=1.0)
        for unit in {1.0, float(smallest)}:
            for denominator in denominators:
                numerators = np.round(vector[free] / unit * denominator)
                if np.abs(numerators).max(initial=0) > 1e6:
                    continue
                candidate = rationals(numerators.astype(np.int64)) @ basis
                added |= self.add(np.asarray(candidate))
        return added

    def _scaled_conditions(self, pattern: tuple[int, ...]) -> Array:
        basis = self.face.conditions(pattern)
        return _reduced(basis / self.scales) if len(basis) else basis

    def _factor(self, seed: int) -> bool:
        """Vectors of least-squares factors in floats, rounded."""
        random = np.random.default_rng(seed)
        added = False
        for width in (self.size, self.size * (self.size + 1) // 2):
            rows = random.standard_normal((width, self.size)) * np.sqrt(self.length / (self.size * width))
            rows = self._levenberg_marquardt(rows, MAX_FACTOR_STEPS)
            for row in rows[np.abs(rows).max(axis=1) > 1e-5]:
                cleaned = np.where(np.abs(row) < 1e-3 * np.abs(row).max(), 0.0, row)
                added |= self._add_near(cleaned, DENOMINATORS)
        return added

    def _levenberg_marquardt(self, rows: Floats, steps: int) -> Floats:
        """Vectors with nearly this pair, from a start, shape ``(k, N)``: there are more unknowns than equations."""
        damping = 1e-2 * self.length
        difference = self._difference(rows)
        for _ in range(steps):
            jacobian = self._jacobian(rows)
            system = jacobian @ jacobian.T
            damping = max(damping, 1e-14 * float(np.trace(system)), 1e-30)
            step = jacobian.T @ np.linalg.solve(system + damping * np.eye(len(system)), difference)
            trial = rows - step.reshape(rows.shape)
            trial_difference = self._difference(trial)
            if np.linalg.norm(trial_difference) < np.linalg.norm(difference):
                rows, difference, damping = trial, trial_difference, damping / 3
                if np.linalg.norm(difference) < 1e-13 * self.length:
                    break
            else:
                damping *= 4
        return rows

    def _difference(self, rows: Floats) -> Floats:
        image = np.where(rows > 0, *self.slopes) * rows
        products = [(part.T @ part)[self.rows, self.columns] for part in (rows, image)]
        return np.asarray(np.concatenate(products) * self.weighing - self.float_target)

    def _jacobian(self, rows: Floats) -> Floats:
        slope = np.where(rows > 0, *self.slopes)
        index, half = np.arange(len(self.rows)), len(self.rows)
        result = np.zeros((2 * half, *rows.shape))
        for block, values, gain in ((result[:half], rows, np.ones_like(rows)), (result[half:], slope * rows, slope)):
            # both halves of an entry on the diagonal go to the same place
            block[index, :, self.rows] += (values[:, self.columns] * gain[:, self.rows]).T
            block[index, :, self.columns] += (values[:, self.rows] * gain[:, self.columns]).T
        return np.asarray(result.reshape(2 * half, -1) * self.weighing[:, None])


def _powers_of_two(K: Array) -> Array:
    """Rationals, powers of two, near the roots of the diagonal; 1 where it is zero."""
    exponents = [round(np.log2(max(float(entry.p) / float(entry.q), 1e-300)) / 2) if entry > 0 else 0 for entry in K.diagonal()]
    scales = np.empty(len(K), dtype=object)
    scales[:] = [fmpq(2) ** exponent for exponent in exponents]
    return scales


def _reduced(basis: Array) -> Array:
    """The reduced echelon form of a basis in rows."""
    reduced, rank = flint_matrix(basis).rref()
    return to_array(reduced)[:rank]
