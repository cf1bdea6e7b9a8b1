r"""Exact minima of L2-regularised networks, with primal and dual bounds: references for anything that trains.

Inputs have shape ``(N, n_0)`` and targets ``(N, n_L)``, in floats. Without `ridge` the problem is the representation cost
:math:`R(X, Y) = \min \|W\|^2` over all widths with outputs Y; with ``ridge=lam`` it is
:math:`\min fit \|Z_L - Y\|_F^2 + lam \|W\|^2` (`fit` is 1, or 1/N for the mean). Biases as in `verify.cones.hidden_layers`.

No value of a solver is passed on: a value is that of a feasible point, evaluated here, and a bound is that of a feasible dual
point. For one hidden layer (`shallow_sdp`, `line_socp`, `conic_frank_wolfe`) every matrix U with
:math:`\|U s(z)\|^2 \le z^T (K_0^s)^+ z` on the range of :math:`K_0^s` gives a bound, and the largest ratio of the two sides is
found on the sign faces.

Source: feature_learning, Sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from verify.cones._sign_faces import LARGEST_SIZE, Floats, SignFaces, float_slopes
from verify.cones.hidden_layers import RANGE_TOLERANCE, regularised_norm
from verify.cones.shallow.conic import Arcs, solve_line, solve_sdp
from verify.cones.shallow.frank_wolfe import FrankWolfe
from verify.cones.shallow.problem import REACH, Ratio, Shallow, float_matrix, shallow_problem
from verify.matrices import RankUndecided
from verify.matrices.ranks import non_zero
from verify.networks import FullyConnected, HomogeneousActivation, identity, relu
from verify.numbers.arguments import integers, real_number
from verify.numbers.arithmetic import LARGEST_COUNT, Array, integer

GAP = 1e-6
"""Largest `Optimum.gap` of a minimum that counts as found."""

Status = Literal["optimal", "infeasible", "undecided"]


@dataclass(frozen=True, eq=False)
class Optimum:
    """A minimum between two bounds, or why there is none.

    Attributes
    ----------
    status
        ``"optimal"``: the gap is small. ``"infeasible"``: no network of any width has the wanted outputs, `value` and `bound`
        are infinite. ``"undecided"``: the gap is not small, or the solver gave nothing (`solver_status` says what it said);
        both bounds hold all the same.
    value, bound
        The minimum is between `bound` and `value`, up to the rounding of their evaluation.
    solver_status
        What the solver said: its status or its error, or ``"none"`` where none was asked.
    outputs, pair, dual
        Outputs ``(N, n_L)`` (of an exact fit up to a relative 1e-7), the pair ``(K_1, K_1^s)`` and the dual matrix U
        ``(n_L, N)`` that belong to the bounds.
    network
        A network whose value is `value`, where one was built.
    iterations
        Of the method, where it has some.
    """

    status: Status
    value: float
    bound: float
    solver_status: str
    outputs: Array | None = None
    pair: tuple[Array, Array] | None = None
    dual: Array | None = None
    network: FullyConnected | None = None
    iterations: int = 0

    @property
    def gap(self) -> float:
        """``(value - bound) / value``; 0 where they are equal, infinite where only the value is."""
        if self.value == self.bound:
            return 0.0
        return (self.value - self.bound) / self.value if np.isfinite(self.value) else np.inf

    def __str__(self) -> str:
        return f"{self.status}: between {self.bound:.9g} and {self.value:.9g} (solver: {self.solver_status})"


def infeasible(outputs: Array) -> Optimum:
    """No network reaches the targets."""
    return Optimum("infeasible", np.inf, np.inf, "none", outputs=outputs)


def shallow_sdp(
    inputs: Array,
    targets: Array,
    activation: HomogeneousActivation,
    *,
    bias: float = 0,
    ridge: float | None = None,
    fit: float = 1,
) -> Optimum:
    """R1: the semidefinite programme for one hidden layer of any width, at most 4 points.

    Up to order 4 completely positive matrices are those that are positive semidefinite without negative entries.

    Raises
    ------
    ValueError, TypeError, RankUndecided
        As for `verify.cones.shallow.problem.shallow_problem`: arguments that do not fit, or more than 4 points.
    """
    problem = shallow_problem(inputs, targets, activation, bias, ridge, fit, largest_size=4)
    if problem.ridge is None and problem.unreached(problem.ratio):
        return infeasible(problem.targets)
    solved = solve_sdp(problem.normalised())
    if solved.pair is None:
        return Optimum("undecided", np.inf, 0.0, solved.status)
    pair = problem.original(*solved.pair)
    _, outputs, U = problem.fitted(pair[1])
    bound, dual = problem.bound([*solved.duals, U], problem.ratio)
    return _between(problem.value(*pair), bound, solved.status, outputs, pair, dual, None, 0)


def line_socp(inputs: Array, targets: Array, *, bias: float = 0, ridge: float | None = None, fit: float = 1) -> Optimum:
    """R2: the second-order cone programme for one input, one output and the ReLU, any number of points.

    Raises
    ------
    ValueError, TypeError, RankUndecided
        More than one input or output; else as for `shallow_sdp`.
    """
    problem = shallow_problem(inputs, targets, relu(), bias, ridge, fit, largest_size=None)
    for name, array in (("inputs", problem.inputs), ("targets", problem.targets)):
        if array.shape[1] != 1:
            raise ValueError(f"{name} must have one column (one input and one output), got {array.shape[1]}")
    arcs = Arcs.of(problem)
    reach = arcs.reached()
    unreached = problem.targets - reach @ (reach.T @ problem.targets)
    if problem.ridge is None and np.linalg.norm(unreached) > REACH * np.linalg.norm(problem.targets):
        return infeasible(problem.targets)
    solved = solve_line(problem.normalised(), arcs.scaled(1 / problem.input_scale), reach)
    if solved.neurons is None:
        return Optimum("undecided", np.inf, 0.0, solved.status)
    scale = float(np.sqrt(problem.target_scale / problem.input_scale))
    rows, outgoing, offset = scale * solved.neurons[0], scale * solved.neurons[1], scale * solved.neurons[2]
    weights = [rows[:, :1], outgoing[None]]
    network = FullyConnected(weights, [problem.bias * rows[:, 1], np.array([problem.bias * offset])])
    outputs = network(problem.inputs)
    vectors = rows @ arcs.points.T
    pair = problem.pair(np.ones(len(vectors)), vectors)
    error = float(np.linalg.norm(outputs - problem.targets))
    norm = float((rows**2).sum() + (outgoing**2).sum() + offset**2)
    value = norm if problem.ridge is None else problem.fit * error**2 + problem.ridge * norm
    if problem.ridge is None and error > RANGE_TOLERANCE * np.linalg.norm(problem.targets):
        value = np.inf  # the fit is not exact
    bound, dual = problem.bound([*solved.duals, problem.fitted(pair[1])[2]], arcs.ratio)
    return _between(value, bound, solved.status, outputs, pair, dual, network, 0)


def one_point(inputs: Array, targets: Array, activation: HomogeneousActivation, depth: int) -> Optimum:
    r"""R3: one data point, no bias: :math:`L (\|y\| / (c^{L-1} \|x\|))^{2/L}` with ``c`` the larger absolute slope.

    Raises
    ------
    ValueError, TypeError
        Not one point, or `depth` below 1.
    """
    x, y = float_matrix(inputs, "inputs"), float_matrix(targets, "targets")
    for name, array in (("inputs", x), ("targets", y)):
        if len(array) != 1:
            raise ValueError(f"{name} must have one row (one point), got {len(array)}")
    depth = integer("depth", depth, 1, ": a network has an output layer", most=LARGEST_COUNT)
    slopes = float_slopes(activation)
    size, length = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    strongest = max(slopes, key=abs)
    reach = size * abs(strongest) ** (depth - 1)
    if reach == 0 and length > 0:
        return infeasible(y)
    scale = (length / reach) ** (1 / depth) if length > 0 else 0.0
    sign = 1.0 if abs(slopes[0]) >= abs(slopes[1]) else -1.0  # of every hidden pre-activation
    weights = [scale * sign * x / size] if size else [np.zeros_like(x)]
    # a hidden value is sign * strongest times something positive
    turn = 1.0 if strongest > 0 else -1.0
    weights += [np.full((1, 1), scale * turn) for _ in range(depth - 2)]
    last = y.T / length if length else np.zeros_like(y.T)
    weights = [scale * last @ x / size if size else np.zeros((y.shape[1], x.shape[1]))] if depth == 1 else weights
    if depth > 1:
        weights.append(scale * sign * turn * last)
    network = FullyConnected(weights, activation=activation.as_float())
    value = float(regularised_norm(network))
    return _between(value, depth * scale**2, "none", network(x), None, None, network, 0)


def linear_network(inputs: Array, targets: Array, depth: int, hidden_widths: Sequence[int] | None = None) -> Optimum:
    r"""R4: linear networks, no bias: :math:`L \sum_i \sigma_i(Y X^+)^{2/L}`, infeasible below the rank.

    Raises
    ------
    ValueError, TypeError
        A shape does not fit, `depth` is below 1, or `hidden_widths` are not ``depth - 1`` positive integers.
    RankUndecided
        The rank of the inputs or of the solution is undecided.
    """
    X, Y = float_matrix(inputs, "inputs"), float_matrix(targets, "targets")
    if len(X) != len(Y):
        raise ValueError(f"inputs and targets must have one row for each point, got {len(X)} and {len(Y)} rows")
    depth = integer("depth", depth, 1, ": a network has an output layer", most=LARGEST_COUNT)
    hidden_widths = None if hidden_widths is None else integers("hidden_widths", hidden_widths, 1)
    if hidden_widths is not None and len(hidden_widths) != depth - 1:
        raise ValueError(f"hidden_widths must be {depth - 1} positive integers, got {hidden_widths}")
    left, values, right = np.linalg.svd(X, full_matrices=False)
    kept = _kept(values, X.shape)
    along = left[:, kept]
    if np.linalg.norm(Y - along @ (along.T @ Y)) > REACH * np.linalg.norm(Y):
        return infeasible(Y)
    matrix = (Y.T @ along / values[kept]) @ right[kept]
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    kept = _kept(values, matrix.shape)
    rank = int(kept.sum())
    if hidden_widths is not None and min(hidden_widths, default=rank) < rank:
        return infeasible(Y)
    roots = values[kept] ** (1 / depth)
    weights = [np.diag(roots)] * depth if rank else [np.zeros((1, 1))] * depth
    first = right[kept] if rank else np.zeros((1, X.shape[1]))
    last = left[:, kept] if rank else np.zeros((Y.shape[1], 1))
    weights[0] = weights[0] @ first
    weights[-1] = last @ weights[-1]
    network = FullyConnected(weights, activation=identity())
    bound = depth * float((roots**2).sum())
    return _between(float(regularised_norm(network)), bound, "none", network(X), None, None, network, 0)


def conic_frank_wolfe(
    inputs: Array,
    targets: Array,
    activation: HomogeneousActivation,
    *,
    bias: float = 0,
    ridge: float | None = None,
    fit: float = 1,
    tolerance: float = 1e-8,
    iterations: int = 100,
) -> Optimum:
    """R5: the fully corrective conic Frank-Wolfe method for one hidden layer of any width, at most 10 points.

    Each iteration adds the best vectors of the sign faces (the exact linear minimisation: its value at most 1 certifies the
    optimum) and reoptimises all weights. Stops when `Optimum.gap` is at most `tolerance`.

    Raises
    ------
    ValueError, TypeError, RankUndecided
        As for `shallow_sdp`; `tolerance` or `iterations` is not positive.
    """
    tolerance, iterations = real_number("tolerance", tolerance, exact=False), integer("iterations", iterations, 1)
    if tolerance <= 0:
        raise ValueError(f"tolerance must be positive, got {tolerance}")
    problem = shallow_problem(inputs, targets, activation, bias, ridge, fit)
    if problem.ridge is None and problem.unreached(problem.ratio):
        return infeasible(problem.targets)
    state = FrankWolfe(problem, tolerance)
    for _ in range(iterations):
        if state.advance():
            break
    weights, vectors = state.best
    duals = [] if state.dual is None else [state.dual]
    return _from_vectors(problem, weights, vectors, "none", problem.ratio, duals, state.count, tolerance)


def largest_ratio(features: Array, U: Array, activation: HomogeneousActivation) -> tuple[float, Array]:
    """Largest ``||U s(w @ features)||^2 / ||w||^2``, and a maximiser w ``(k,)``, from all ``3^N`` sign faces.

    `features` has shape ``(k, N)``, N at most 10, and U has shape ``(m, N)``. The maximum is that of
    ``||U s(z)||^2 / z^T K^+ z`` over z in the range of ``K = features.T @ features``.

    Raises
    ------
    ValueError, TypeError
        A shape does not fit.
    RankUndecided
        The rank of the features is undecided.
    """
    F, matrix = float_matrix(features, "features"), float_matrix(U, "U")
    if matrix.shape[1] != F.shape[1]:
        raise ValueError(f"U must have as many columns as features, got {matrix.shape[1]} and {F.shape[1]}")
    if F.shape[1] > LARGEST_SIZE:
        raise ValueError(
            f"features must have at most {LARGEST_SIZE} columns, got {F.shape[1]}: all sign faces are gone through"
        )
    left, values, right = np.linalg.svd(F, full_matrices=False)
    kept = _kept(values, F.shape)
    faces = SignFaces(F.shape[1], float_slopes(activation), values[kept, None] * right[kept])
    minimum = faces.minimisers(np.zeros((F.shape[1],) * 2), -matrix.T @ matrix)
    if not len(minimum.values):
        return 0.0, np.zeros(len(F))
    return max(-float(minimum.values[0]), 0.0), left[:, kept] @ ((right[kept] @ minimum.vectors[0]) / values[kept])


def _from_vectors(
    problem: Shallow,
    weights: Floats,
    vectors: Floats,
    solver_status: str,
    ratio: Ratio,
    duals: Sequence[Floats],
    iterations: int,
    tolerance: float = GAP,
) -> Optimum:
    """The optimum with the network of weights and vectors."""
    K, K_sigma = problem.pair(weights, vectors)
    _, outputs, U = problem.fitted(K_sigma)
    bound, dual = problem.bound([*duals, U], ratio)
    if np.isinf(problem.value_of(weights, vectors)):
        return Optimum("undecided", np.inf, bound, solver_status, dual=dual, iterations=iterations)
    kept = weights > 0
    network, norm = problem.network(weights[kept], vectors[kept], U)
    loss = problem.fit * float(((network(problem.inputs) - problem.targets) ** 2).sum())
    value = norm if problem.ridge is None else loss + problem.ridge * norm
    return _between(value, bound, solver_status, outputs, (K, K_sigma), dual, network, iterations, max(tolerance, GAP))


def _between(
    value: float,
    bound: float,
    solver_status: str,
    outputs: Array | None,
    pair: tuple[Array, Array] | None,
    dual: Array | None,
    network: FullyConnected | None,
    iterations: int,
    tolerance: float = GAP,
) -> Optimum:
    small = bool(np.isfinite(value)) and value - bound <= tolerance * value
    return Optimum("optimal" if small else "undecided", value, bound, solver_status, outputs, pair, dual, network, iterations)


def _kept(values: Floats, shape: tuple[int, ...]) -> Floats:
    return non_zero(values, max(shape)) if values.any() else np.zeros(len(values), dtype=bool)


__all__ = [
    "GAP",
    "Optimum",
    "RankUndecided",
    "conic_frank_wolfe",
    "largest_ratio",
    "line_socp",
    "linear_network",
    "one_point",
    "shallow_sdp",
]
