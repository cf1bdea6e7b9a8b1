"""The two conic programmes of one hidden layer: what the solver (Clarabel, through cvxpy) proposes, made feasible here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from verify.cones._sign_faces import Floats
from verify.cones.shallow.problem import REACH, Shallow

SETTINGS = {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10}

USABLE = ("optimal", "optimal_inaccurate")
"""Statuses whose solution is made feasible and evaluated; any other leaves the problem undecided."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """What became of a solver's answer: its status, a feasible pair or balanced neurons (or None), and dual candidates.

    `neurons` are incoming weights ``(k, 2)``, slope and bias, outgoing weights ``(k,)``, and the bias of the output.
    """

    status: str
    pair: tuple[Floats, Floats] | None
    neurons: tuple[Floats, Floats, float] | None
    duals: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class SignFace:
    """Vectors of the range with given signs: `span` has an orthonormal basis in columns, `interior` is one inside."""

    signs: Floats
    span: Floats
    interior: Floats

    @property
    def support(self) -> list[int]:
        return [int(i) for i in np.flatnonzero(self.signs)]

    def feasible(self, matrix: Floats) -> Floats:
        """The nearby matrix of the face that is positive semidefinite and has no entry of the wrong sign."""
        values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
        inside = self.span @ ((vectors * np.maximum(values, 0.0)) @ vectors.T) @ self.span.T
        orientation = np.outer(self.signs, self.signs)
        within = np.ix_(self.support, self.support)
        lowest = float((orientation * inside)[within].min(initial=0.0))
        if lowest >= 0:
            return np.asarray(inside)
        # entries of the projection are at least -1, those of the first term at least 2
        least = np.abs(self.interior[self.support]).min()
        centre = 2 * np.outer(self.interior, self.interior) / least**2 + self.span @ self.span.T
        return np.asarray(inside - lowest * centre)


def sign_faces(problem: Shallow) -> list[SignFace]:
    """Maximal faces: for every orthant the largest support of vectors of the range in it (facial reduction)."""
    size, basis = problem.size, problem.basis
    faces: dict[tuple[int, ...], SignFace] = {}
    for pattern in product((1.0, -1.0), repeat=size):
        interior = np.array(pattern) if len(basis) == size else _largest_support(basis, np.array(pattern))
        inside = np.abs(interior) > 0
        signs = np.where(inside, pattern, 0.0)
        key = tuple(int(sign) for sign in signs)
        if not inside.any() or key in faces:
            continue
        _, values, right = np.linalg.svd(basis[:, ~inside].T, full_matrices=True)
        span = (right[int((values > REACH).sum()) :] @ basis).T
        faces[key] = SignFace(signs, span, interior)
    return list(faces.values())


def _largest_support(basis: Floats, signs: Floats) -> Floats:
    """A vector of the span in the closed orthant with as many non-zeros as there can be; zeros are exact."""
    from scipy.optimize import linprog

    rank, size = basis.shape
    # signs * (w @ basis) >= t, 0 <= t <= 1, sum of t as large as possible: by scaling each t is 0 or 1
    upper = np.concatenate([-(signs * basis).T, np.eye(size)], axis=1)
    objective = np.concatenate([np.zeros(rank), -np.ones(size)])
    bounds = [(None, None)] * rank + [(0, 1)] * size
    solved = linprog(objective, A_ub=upper, b_ub=np.zeros(size), bounds=bounds, method="highs")
    if solved.status != 0 or solved.x is None:
        raise ArithmeticError(f"the support of a sign face was not found: HiGHS says {solved.message}")
    vector = solved.x[:rank] @ basis
    return np.where(solved.x[rank:] > 0.5, vector, 0.0)


def solve_sdp(problem: Shallow) -> Proposal:
    """Minimise over sums of doubly nonnegative matrices of the sign faces."""
    import cvxpy as cp

    size, outputs = problem.size, problem.targets.shape[1]
    faces = sign_faces(problem)
    matrices = [cp.Variable((face.span.shape[1],) * 2, PSD=True) for face in faces]
    constraints: list[Any] = []
    K: Any = np.zeros((size, size))
    K_sigma: Any = problem.bias**2 * np.ones((size, size))
    for face, matrix in zip(faces, matrices, strict=True):
        full = face.span @ matrix @ face.span.T
        gains = np.where(face.signs > 0, *problem.slopes)
        K, K_sigma = K + full, K_sigma + np.diag(gains) @ full @ np.diag(gains)
        rows = [(i, j) for i in face.support for j in face.support if i < j]
        if rows:
            entries = [face.signs[i] * face.signs[j] * full[i, j] for i, j in rows]
            constraints.append(cp.hstack(entries) >= 0)
    reach = np.eye(size) if problem.mu > 0 else _reached(problem, faces)
    T = cp.Variable((outputs, outputs), symmetric=True)
    shifted = reach.T @ K_sigma @ reach + problem.mu * np.eye(reach.shape[1])
    wanted = problem.Y @ reach
    block = cp.bmat([[shifted, wanted.T], [wanted, T]])
    schur = (block + block.T) / 2 >> 0
    constraints.append(schur)
    programme = cp.Problem(cp.Minimize(cp.trace(problem.metric @ K) + cp.trace(T)), constraints)
    status = _solve(programme)
    if status not in USABLE or any(matrix.value is None for matrix in matrices):
        return Proposal(status, None, None, ())
    feasible = [face.feasible(matrix.value) for face, matrix in zip(faces, matrices, strict=True)]
    total = sum(feasible, np.zeros((size, size)))
    slopes = [np.where(face.signs > 0, *problem.slopes) for face in faces]
    images = sum((np.outer(gain, gain) * array for gain, array in zip(slopes, feasible, strict=True)), np.zeros((size, size)))
    duals = () if schur.dual_value is None else (-(schur.dual_value[-outputs:, :-outputs]) @ reach.T,)
    return Proposal(status, (total, images + problem.bias**2), None, duals)


def _reached(problem: Shallow, faces: list[SignFace]) -> Floats:
    """Orthonormal basis, in columns, of the span of all s(z) and of the bias."""
    images = [np.where(face.signs > 0, *problem.slopes)[:, None] * face.span for face in faces]
    offset = [np.full((problem.size, 1), 1.0)] if problem.bias > 0 else []
    left, values, _ = np.linalg.svd(np.concatenate([np.zeros((problem.size, 1)), *images, *offset], axis=1))
    return np.asarray(left[:, : int((values > REACH * max(float(values[0]), 1e-300)).sum())])


@dataclass(frozen=True, eq=False)
class Arcs:
    """Directions v of a neuron on a line between those at which a point ``(x, b)`` changes sides, counter-clockwise.

    `points` ``(N, 2)``; `starts` and `ends` are unit vectors ``(m, 2)``; ``active[k]`` has the points that are active inside.
    """

    points: Floats
    starts: Floats
    ends: Floats
    active: Floats

    @classmethod
    def of(cls, problem: Shallow) -> Arcs:
        """The arcs that have an active point."""
        points = np.column_stack([problem.inputs[:, 0], np.full(problem.size, problem.bias)])
        nonzero = points[np.abs(points).max(axis=1) > 0]
        normals = np.concatenate([nonzero[:, ::-1] * (1, -1), nonzero[:, ::-1] * (-1, 1)])
        angles = np.unique(np.round(np.arctan2(normals[:, 1], normals[:, 0]) % (2 * np.pi), 14))
        nexts = np.concatenate([angles[1:], angles[:1] + 2 * np.pi])
        middles = _unit((angles + nexts) / 2)
        active = (points @ middles.T).T > 0
        kept = active.any(axis=1)
        return cls(points, _unit(angles)[kept], _unit(nexts)[kept], active[kept].astype(np.float64))

    def scaled(self, factor: float) -> Arcs:
        """The arcs of points that are multiplied by a positive number."""
        return replace(self, points=self.points * factor)

    def reached(self) -> Floats:
        """Orthonormal basis, in columns, of the values at the points that neurons and the bias have together."""
        rows = (self.active[:, None, :] * self.points.T[None]).reshape(-1, len(self.points))
        left, values, _ = np.linalg.svd(np.concatenate([rows, self.points[:, 1][None]]).T, full_matrices=False)
        return np.asarray(left[:, values > REACH * values[0]])

    def ratio(self, U: Floats) -> tuple[float, Floats]:
        """Largest ``(u . s(z))^2`` over z of neurons with unit v, and its z."""
        pulls = (self.active * U[0]) @ self.points
        sizes = np.linalg.norm(pulls, axis=1)
        units = pulls / np.where(sizes > 0, sizes, 1.0)[:, None]
        best, vector = 0.0, np.zeros((0, len(self.points)))
        for directions in (units, -units, self.starts, self.ends):
            inside = (_cross(self.starts, directions) >= 0) & (_cross(directions, self.ends) >= 0)
            if directions is self.starts or directions is self.ends:
                inside[:] = True
            values = np.where(inside, (directions * pulls).sum(axis=1) ** 2, 0.0)
            if values.size and values.max() > best:
                index = int(values.argmax())
                best, vector = float(values[index]), (directions[index] @ self.points.T)[None]
        return best, vector


def _unit(angles: Floats) -> Floats:
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _cross(left: Floats, right: Floats) -> Floats:
    return np.asarray(left[:, 0] * right[:, 1] - left[:, 1] * right[:, 0])


def solve_line(problem: Shallow, arcs: Arcs, reach: Floats) -> Proposal:
    """One vector v (slope, bias) for each arc and each sign of the outgoing weight, at the cost ``2 ||v||``.

    `reach` is the span of all values, of which an exact fit has so many equations (see `Arcs.reached`).
    """
    import cvxpy as cp

    count = len(arcs.starts)
    if count == 0:
        return Proposal("none", None, (np.zeros((0, 2)), np.zeros(0), 0.0), ())
    signs = np.concatenate([np.ones(count), -np.ones(count)])
    starts, ends = np.tile(arcs.starts, (2, 1)), np.tile(arcs.ends, (2, 1))
    masks = signs[:, None] * np.tile(arcs.active, (2, 1))
    v, offset = cp.Variable((2 * count, 2)), cp.Variable()
    moments = [cp.multiply(arcs.points[:, k], masks.T @ v[:, k]) for k in (0, 1)]
    outputs = moments[0] + moments[1] + problem.bias * offset
    inside = [
        cp.multiply(starts[:, 0], v[:, 1]) - cp.multiply(starts[:, 1], v[:, 0]) >= 0,
        cp.multiply(v[:, 0], ends[:, 1]) - cp.multiply(v[:, 1], ends[:, 0]) >= 0,
    ]
    cost = 2 * cp.sum(cp.norm(v, 2, axis=1)) + cp.square(offset)
    y = problem.targets[:, 0]
    fitted = None
    if problem.ridge is None:
        fitted = reach.T @ outputs == reach.T @ y
        programme = cp.Problem(cp.Minimize(cost), [*inside, fitted])
    else:
        programme = cp.Problem(cp.Minimize(problem.fit * cp.sum_squares(outputs - y) + problem.ridge * cost), inside)
    status = _solve(programme)
    if status not in USABLE or v.value is None:
        return Proposal(status, None, None, ())
    sizes = np.linalg.norm(v.value, axis=1)
    kept = sizes > 1e-9 * sizes.max()
    roots = np.sqrt(sizes[kept])
    neurons = v.value[kept] / roots[:, None], signs[kept] * roots, float(offset.value)
    duals: tuple[Floats, ...] = ()
    if problem.ridge is not None:
        duals = ((y - outputs.value)[None] * problem.fit / problem.ridge,)
    elif fitted is not None and fitted.dual_value is not None:
        duals = (-(reach @ fitted.dual_value)[None] / 2,)
    return Proposal(status, None, neurons, duals)


def _solve(programme: Any) -> str:
    """Status of Clarabel, or the error it raised."""
    import warnings

    import cvxpy as cp

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the status says it: see USABLE
            programme.solve(solver=cp.CLARABEL, **SETTINGS)
    except cp.error.SolverError as error:
        return f"solver error: {error}"
    return str(programme.status)
