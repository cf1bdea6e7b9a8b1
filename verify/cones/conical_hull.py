r"""Conical hulls of finitely many vectors: membership with a certificate either way, and Caratheodory's theorem, exactly.

The conical hull of :math:`g_1, \dots, g_m` in :math:`\mathbb R^d` consists of the sums :math:`\sum_i w_i g_i` with
:math:`w_i \ge 0`. A point outside it is separated by a functional f with :math:`f \cdot g_i \ge 0` for all i and
:math:`f \cdot p < 0` (Farkas). Least squares with :math:`w \ge 0` in floats say which generators carry the weights, or, by
their residual, how to separate; either is then solved for in rationals and checked. Where rounding misleads, a simplex method
in rationals takes over, so that rational input is decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from verify.cones._exact import combination, exact_matrix, independent_rows, one_matrix, one_vector, scaled_rows
from verify.matrices.exact import flint_matrix, to_array
from verify.matrices.ranks import zero_threshold
from verify.notation.representation import card
from verify.numbers.arguments import rational_array, real_arrays
from verify.numbers.arithmetic import Array, floats, is_exact, rationals
from verify.numbers.exactness import note_choice
from verify.numbers.relation import Verdict

MAX_PIVOTS = 10_000
"""Steps of the rational simplex method after which membership is UNDECIDED."""


@dataclass(frozen=True, eq=False)
class Membership:
    """Whether a point lies in a conical hull, with what shows it.

    Attributes
    ----------
    verdict
        HOLDS, FAILS, or UNDECIDED.
    generators, point
        What was asked, as rationals, shapes ``(m, d)`` and ``(d,)``.
    weights
        Rationals, shape ``(m,)``, not negative, with ``weights @ generators = point``; those that are not zero belong to
        linearly independent generators. None unless HOLDS.
    functional
        Rationals, shape ``(d,)``, not negative on any generator and negative at the point. None unless FAILS.
    reason
        How it was decided, or why it was not.
    """

    verdict: Verdict
    generators: Array
    point: Array
    weights: Array | None
    functional: Array | None
    reason: str

    def verify(self) -> Verdict:
        """Decide again from the certificate alone, exactly; UNDECIDED if it proves nothing."""
        if self.weights is not None and _nonnegative(self.weights) and np.all(self.weights @ self.generators == self.point):
            return Verdict.HOLDS
        if self.functional is not None and _separates(self.functional, self.generators, self.point):
            return Verdict.FAILS
        return Verdict.UNDECIDED

    def __str__(self) -> str:
        count, size = self.generators.shape
        place = {Verdict.HOLDS: "in", Verdict.FAILS: "outside", Verdict.UNDECIDED: "perhaps in"}[self.verdict]
        return f"{place} the conical hull of {count} generators in {size} dimensions: {self.reason}"

    def __repr__(self) -> str:
        return f"<Membership {self.verdict.name}: {self}>"

    def _repr_html_(self) -> str:
        rows = {
            "verdict": self.verdict.name,
            "point": self.point,
            "weights": self.weights,
            "functional": self.functional,
        }
        return card(str(self), rows, r":math:`x = \sum_i w_i g_i` with :math:`w \ge 0`")


class OutsideConicalHull(ArithmeticError):
    """A point has no weights: `membership` has the separating functional (or is undecided)."""

    def __init__(self, membership: Membership) -> None:
        super().__init__(str(membership))
        self.membership = membership


def contains(generators: Array, point: Array) -> Membership:
    """Whether `point` is a combination of `generators` with weights that are not negative, shapes ``(m, d)`` and ``(d,)``.

    Decided in rationals, and floats are taken as the rationals that they are: a point that rounding has moved out of a hull
    without interior is outside (see `decompose` for weights up to rounding errors).

    Raises
    ------
    ValueError
        No generators, entries that are not finite, or shapes that do not fit.
    TypeError
        The entries are balls.

    Examples
    --------
    >>> generators = rationals([[1, 0], [1, 1]])
    >>> print(contains(generators, rationals([3, 1])).weights)
    [2 1]
    >>> contains(generators, rationals([0, 1])).verdict.name
    'FAILS'
    """
    exact = exact_matrix(generators, "generators")
    one_vector(point, exact.shape[1], "point")
    return _contains(exact, rational_array("point", point), MAX_PIVOTS)


def contains_quickly(generators: Array, point: Array) -> Membership:
    """Like `contains`, of rationals, and UNDECIDED where the answer in floats does not survive in rationals.

    Examples
    --------
    >>> contains_quickly(rationals([[1, 0], [0, 1]]), rationals([1, 2]))
    <Membership HOLDS: in the conical hull of 2 generators in 2 dimensions: 2 positive weights>
    """
    exact = exact_matrix(generators, "generators")
    one_vector(point, exact.shape[1], "point")
    return _contains(exact, rational_array("point", point), 0)


def decompose(generators: Array, point: Array) -> Array:
    """Weights, not negative, with ``weights @ generators = point``, shapes ``(m, d)`` and ``(d,)`` to ``(m,)``.

    At most d of them are not zero; they belong to linearly independent generators. Rationals are solved exactly. If generators
    or point are floats, so are the weights, and the equality is one up to rounding errors.

    Raises
    ------
    OutsideConicalHull
        There are no such weights; the exception has a separating functional.
    ValueError, TypeError
        As for `contains`.

    Examples
    --------
    >>> print(decompose(rationals([[1, 0], [1, 1]]), rationals([3, 1])))
    [2 1]
    """
    columns, target = real_arrays([("generators", generators), ("point", point)], mixed=True)
    columns = one_matrix(columns, "generators")
    target = one_vector(target, columns.shape[1], "point")
    in_floats = not (is_exact(columns) and is_exact(target))
    if in_floats:
        rounded, rounded_target = floats(columns), floats(target)
        weights = _rescaled(_vertex(rounded, rounded_target), rounded, rounded_target)
        if weights is not None:
            return weights
    membership = contains(columns, target)
    if membership.weights is None:
        raise OutsideConicalHull(membership)
    return floats(membership.weights) if in_floats else membership.weights


def caratheodory(generators: Array, weights: Array, *, cost: Array | None = None) -> Array:
    r"""Weights of the same point on linearly independent generators, shapes ``(m, d)`` and ``(m,)`` to ``(m,)``.

    Weights that are zero stay so. Rationals keep the point ``weights @ generators`` exactly, floats up to rounding errors. With
    `cost`, shape ``(m,)`` and not negative, ``cost @ weights`` does not grow (in floats, up to rounding errors).

    Raises
    ------
    ValueError
        A weight or a cost is negative; else as for `contains`.
    TypeError
        The entries are balls.

    Examples
    --------
    >>> print(caratheodory(rationals([[1, 0], [0, 1], [1, 1]]), rationals([1, 1, 1])))
    [0 0 2]
    """
    named = [("generators", generators), ("weights", weights), *([] if cost is None else [("cost", cost)])]
    columns, checked_weights, *prices_of_all = real_arrays(named, mixed=True)
    columns = one_matrix(columns, "generators")
    checked_weights = _checked_nonnegative(checked_weights, len(columns), "weights")
    costs = _checked_nonnegative(prices_of_all[0], len(columns), "cost") if prices_of_all else None
    active = np.flatnonzero(checked_weights)
    if active.size == 0:
        return checked_weights
    chosen, start, prices = columns[active], checked_weights[active], None if costs is None else costs[active]
    in_floats = not (is_exact(columns) and is_exact(checked_weights))
    pruned = None
    if in_floats:
        pruned = _pruned_floats(floats(chosen), floats(start), None if prices is None else floats(prices))
    if pruned is None:
        pruned = _pruned(rationals(chosen), rationals(start), None if prices is None else rationals(prices))
    result = np.zeros(len(checked_weights)) if in_floats else 0 * checked_weights
    result[active] = floats(pruned) if in_floats else pruned
    return result


def _checked_nonnegative(values: Array, length: int, name: str) -> Array:
    array = one_vector(values, length, name)
    if not _nonnegative(array):
        raise ValueError(f"{name} must not be negative, got {floats(array).min():.3g}")
    return array


def _nonnegative(values: Array) -> bool:
    return all(value >= 0 for value in values)


def _separates(functional: Array, generators: Array, point: Array) -> bool:
    return bool(functional @ point < 0) and _nonnegative(_product(generators, functional))


def _product(matrix: Array, vector: Array) -> Array:
    return to_array(flint_matrix(matrix) * flint_matrix(vector[:, None]))[:, 0]


def _contains(generators: Array, point: Array, pivots: int) -> Membership:
    """`contains` for rationals, with at most `pivots` steps of the rational simplex method."""
    weights = rationals(np.zeros(len(generators), dtype=np.int64))
    if not point.any():
        return Membership(Verdict.HOLDS, generators, point, weights, None, "the point is zero")
    approximate = _vertex(generators, point)
    support = [] if approximate is None else [int(i) for i in np.flatnonzero(approximate > 0)]
    exact = combination(generators[support], point) if support else None
    if exact is not None and _nonnegative(exact):
        weights[support] = exact
        return _member(generators, point, weights)
    functional = _minus_residual(generators[support], point)
    if functional is not None and _separates(functional, generators, point):
        return _outsider(generators, point, functional)
    return _simplex(generators, point, support, pivots)


def _member(generators: Array, point: Array, weights: Array) -> Membership:
    count = int(np.count_nonzero(weights))
    return Membership(Verdict.HOLDS, generators, point, weights, None, f"{count} positive weights")


def _outsider(generators: Array, point: Array, functional: Array) -> Membership:
    return Membership(Verdict.FAILS, generators, point, None, functional, "a functional separates the point")


def least_squares(generators: npt.NDArray[np.float64], point: npt.NDArray[np.float64]) -> npt.NDArray[np.float64] | None:
    """Weights, not negative, of the closest point of the hull, in floats of similar sizes; None if the solver fails.

    Examples
    --------
    The point of the cone between (1, 0) and (1, 1) that is closest to (-1, 2):

    >>> generators = np.array([[1.0, 0.0], [1.0, 1.0]])
    >>> weights = least_squares(generators, np.array([-1.0, 2.0]))
    >>> print(weights.round(9), (weights @ generators).round(9))
    [0.  0.5] [0.5 0.5]
    """
    from scipy.optimize import nnls

    try:
        return np.asarray(nnls(generators.T, point)[0])
    except RuntimeError:  # the limit of iterations
        return None


def _vertex(generators: Array, point: Array, costs: Array | None = None) -> npt.NDArray[np.float64] | None:
    """Float weights on few generators, each and the point divided by its largest entry; None if the solver fails.

    Without `costs` they give the point closest to the wanted one; with them, the wanted one at least cost.
    """
    from scipy.optimize import linprog

    note_choice()  # where several faces hold the point, a solver chooses one
    columns, sizes = scaled_rows(generators)
    target, _ = scaled_rows(point[None])
    if costs is None:
        return least_squares(columns, target[0])
    prices, _ = scaled_rows((costs / sizes)[None])
    solution = linprog(prices[0], A_eq=columns.T, b_eq=target[0], method="highs-ds")
    # infeasible, unbounded or a failure: the rational method decides
    return None if solution.x is None or solution.status != 0 else np.asarray(np.maximum(solution.x, 0.0))


def _minus_residual(generators: Array, point: Array) -> Array | None:
    """The projection of the point on the span of independent `generators` less the point; None if they are dependent."""
    if len(generators) == 0:
        return -point
    columns, target = flint_matrix(generators.T), flint_matrix(point[:, None])
    try:
        weights = (columns.transpose() * columns).solve(columns.transpose() * target)
    except ZeroDivisionError:
        return None
    return to_array(columns * weights - target)[:, 0]


def _simplex(generators: Array, point: Array, support: list[int], pivots: int) -> Membership:
    """Phase one of the simplex method in rationals, from independent generators; Bland's rule while steps are degenerate."""
    size = len(point)
    support = _feasible_start(generators, point, support)
    rows = independent_rows(generators[support].T) if support else []
    start = combination(generators[support], point) if support else None
    weights = _weights_on(generators, point, support, rows) if start is None else start
    residual = point - (weights @ generators[support] if support else 0 * point)
    artificial = [(row, -1 if residual[row] < 0 else 1) for row in range(size) if row not in rows]
    units = rationals(np.zeros((len(artificial), size), dtype=np.int64))
    for index, (row, sign) in enumerate(artificial):
        units[index, row] = fmpq(sign)
    names = support + [-1] * len(artificial)  # -1: artificial, at cost 1
    basis = np.vstack([generators[support], units])
    all_generators, bland = flint_matrix(generators), False
    for _ in range(pivots):
        columns = flint_matrix(basis.T)
        costs = rationals([[int(name < 0)] for name in names])
        dual = columns.transpose().solve(flint_matrix(costs))
        gains = (all_generators * dual).entries()
        entering = _entering(gains, bland)
        if entering is None:
            values = columns.solve(flint_matrix(point[:, None])).entries()
            return _end_of_simplex(generators, point, to_array(dual)[:, 0], names, values)
        solved = columns.solve(flint_matrix(np.stack([point, generators[entering]], axis=1)))
        ratios = [(solved[i, 0] / solved[i, 1], names[i], i) for i in range(size) if solved[i, 1] > 0]
        step, _, leaving = min(ratios)
        bland = step == 0
        names[leaving], basis[leaving] = entering, generators[entering]
    return Membership(Verdict.UNDECIDED, generators, point, None, None, f"not decided by floats and {pivots} rational pivots")


def _feasible_start(generators: Array, point: Array, support: list[int]) -> list[int]:
    """Independent generators of `support` whose weights, in as many coordinates as they are, are not negative."""
    while support:
        support = [support[i] for i in independent_rows(generators[support])]
        rows = independent_rows(generators[support].T)
        weights = _weights_on(generators, point, support, rows)
        if _nonnegative(weights):
            return support
        support = [index for index, weight in zip(support, weights, strict=True) if weight > 0]
    return []


def _weights_on(generators: Array, point: Array, support: list[int], rows: list[int]) -> Array:
    if not support:
        return point[:0]
    square = generators[np.ix_(support, rows)].T
    return to_array(flint_matrix(square).solve(flint_matrix(point[rows][:, None])))[:, 0]


def _entering(gains: list[Any], bland: bool) -> int | None:
    positive = [j for j, gain in enumerate(gains) if gain > 0]
    if not positive:
        return None
    return positive[0] if bland else max(positive, key=lambda j: gains[j])


def _end_of_simplex(generators: Array, point: Array, dual: Array, names: list[int], values: list[Any]) -> Membership:
    if dual @ point > 0:
        return _outsider(generators, point, -dual)
    weights = rationals(np.zeros(len(generators), dtype=np.int64))
    for name, value in zip(names, values, strict=True):
        if name >= 0:
            weights[name] = value
    return _member(generators, point, weights)


def _rescaled(weights: Array | None, generators: Array, point: Array) -> Array | None:
    """Weights of `_vertex` for floats as they are; None unless they give the point up to rounding errors."""
    if weights is None:
        return None
    result = np.asarray(weights * (np.abs(point).max() / scaled_rows(generators)[1]))
    allowed = zero_threshold("float64", len(point) + 1) * (result @ np.abs(generators) + np.abs(point))
    return result if np.abs(result @ generators - point).max() <= allowed.max() else None


def _pruned_floats(generators: Array, weights: Array, costs: Array | None) -> Array | None:
    """`caratheodory` for floats; None if the solver's answer is not good enough."""
    point = weights @ generators
    vertex = _rescaled(_vertex(generators, point, costs), generators, point)
    if vertex is None or np.count_nonzero(vertex) > min(generators.shape):
        return None
    if costs is not None and costs @ vertex > (costs @ weights) * (1 + zero_threshold("float64", len(costs))):
        return None
    return vertex


def _pruned(generators: Array, weights: Array, costs: Array | None) -> Array:
    """`caratheodory` for rationals: a vertex found in floats and solved for exactly, else step by step."""
    point = _product(generators.T, weights)
    vertex = _vertex(generators, point, costs)
    support = [] if vertex is None else [int(i) for i in np.flatnonzero(vertex)]
    exact = combination(generators[support], point) if support else None
    if exact is not None and _nonnegative(exact) and (costs is None or costs[support] @ exact <= costs @ weights):
        result = rationals(np.zeros(len(weights), dtype=np.int64))
        result[support] = exact
        return result
    return _pruned_stepwise(generators, weights.copy(), costs)


def _pruned_stepwise(generators: Array, weights: Array, costs: Array | None) -> Array:
    """Move along a linear dependence until a weight vanishes, again and again."""
    basis: list[int] = []
    for new in range(len(generators)):
        coefficients = combination(generators[basis], generators[new])
        if coefficients is None:
            basis.append(new)
            continue
        # generators[new] = coefficients @ generators[basis]: weight goes from it to them, or back if that is cheaper
        forward = costs is None or bool(coefficients @ costs[basis] <= costs[new])
        rates = coefficients if forward else -coefficients
        limits = [(-weights[index] / rate, index) for index, rate in zip(basis, rates, strict=True) if rate < 0]
        limits += [(weights[new], new)] if forward else []
        step, leaving = min(limits)
        weights[basis] += step * rates
        weights[new] -= step if forward else -step
        if leaving != new:
            basis[basis.index(leaving)] = new
    return weights
