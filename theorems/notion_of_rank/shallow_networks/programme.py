r"""Shallow ReLU networks of one input: the cheapest interpolation of data, by a linear programme and its dual, both exact.

Statement
    For data :math:`(x_j, y_j)` with distinct points, R on :math:`\Omega = \{x_1, \dots, x_n\}` is

    .. math:: \min_{\nu, \beta}\; 2\sum_i |\nu_i|\,\|(w_i, b_i)\| + \beta^2, \qquad
              \beta + \sum_i \nu_i\,\sigma(w_i x_j + b_i) = y_j ,

    over all neurons, and the bounds of ``duality`` are its dual:

    .. math:: \max_\lambda\; \lambda \cdot y - \tfrac14 \Bigl(\sum_j \lambda_j\Bigr)^2, \qquad
              \Bigl|\sum_j \lambda_j \sigma(w x_j + b)\Bigr| \le 2 \text{ for } w^2 + b^2 = 1 .
Checked
    The network interpolates; its cost is at least the bound and exceeds it by a relative `GAP` at most (so that neither can be
    improved by more); fewer points do not cost more. `cheapest_interpolation` solves linear programmes with finitely many
    neurons and tangents of :math:`\beta^2`, adds the neurons that the multipliers of the last one point at, and ends when the
    bounds meet. The solver's numbers are not passed on: the network interpolates exactly (a linear system over the rationals),
    its cost is that of this network, and the bound is that of the rational multipliers, scaled until the constraint holds.
    Neurons with their kinks at the data do not suffice: to connect the dots is not the cheapest interpolation.
Proof idea
    Duality of linear programmes.
Sharp
    The bounds, for all data; a further point costs nothing where the cheapest function has its value there already.
Source
    ours, beside the representation cost of shallow networks in notion_of_rank.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpq_mat

from theorems.notion_of_rank.shallow_networks.duality import critical_directions, response, response_squared
from theorems.notion_of_rank.shallow_networks.statement import variation
from verify import Claim, Domain, Ours, Q, Relation, Source, Tight, derived, eq, ge, integers, le
from verify.arithmetic import Array, chosen_rationals, compare, floats, is_exact, rational, rationals, sqrt
from verify.networks import FullyConnected

GAP = 1e-7
"""Largest relative difference of the two bounds with which the method ends."""
ACCURACY = Q("1/10000000")
"""The same, exactly."""
ROUNDS = 60
"""Linear programmes after which it gives up; a few are usual."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Interpolation:
    """A network that interpolates, and multipliers that show what interpolating costs at least; all exact.

    Attributes
    ----------
    network
        ReLU network of depth 2, one input and one output, on rationals. Its neurons are not balanced: see `balanced_neurons`.
    cost
        Its `variation`: the squared norm after balancing, a ball or a rational.
    multipliers
        Rationals, shape ``(n,)``, up to a positive factor.
    bound
        Every network of depth 2 with these values has at least this squared norm: by the multipliers, with the best factor.
    """

    network: FullyConnected
    cost: Any
    multipliers: Array
    bound: Any


class NotSolved(ArithmeticError):
    """The two bounds did not meet, or the solver failed; the message says which."""


def cheapest_interpolation(points: Array, values: Array, *, neurons_at_points: bool = False) -> Interpolation:
    """The cheapest shallow ReLU network with these `values` at these `points`, both of shape ``(n,)``.

    Floats are taken as the rationals that they are. With ``neurons_at_points=True`` only neurons that are constant or have
    their kink at a point are allowed, and the bound is that of the multipliers found, which need not meet the cost.

    Raises
    ------
    ValueError
        The shapes are not ``(n,)`` with n >= 1 for both, a number is not finite, or two points are equal.
    NotSolved
        The bounds differ by more than `GAP` after `ROUNDS` programmes, or the solver failed.
    """
    x, y = (rationals(np.asarray(array)) for array in (points, values))
    if x.ndim != 1 or x.shape != y.shape or not len(x):
        raise ValueError(f"points and values must have one shape (n,), n >= 1, got {x.shape} and {y.shape}")
    if len(set(x.tolist())) < len(x):
        raise ValueError("points must be distinct, got two that are equal")
    found = _solved(tuple(x.tolist()), tuple(y.tolist()), neurons_at_points)
    if not neurons_at_points and not float(found.cost) <= float(found.bound) * (1 + GAP):
        raise NotSolved(f"on rationals, the bounds {found.bound} and {found.cost} do not meet")
    return found


# the statement and its false neighbours ask for the same data
@lru_cache(maxsize=4096)
def _solved(points: tuple[fmpq, ...], values: tuple[fmpq, ...], neurons_at_points: bool) -> Interpolation:
    x, y = rationals(np.array(points, dtype=object)), rationals(np.array(values, dtype=object))
    if not any(values):
        flat = FullyConnected([rationals([[0]]), rationals([[0]])])
        return Interpolation(flat, fmpq(0), 0 * x, fmpq(0))
    at_points = np.stack([np.ones(len(x)), -floats(x)], axis=-1)
    # not of length 1: rounding would move their kinks away from the points
    neurons = np.concatenate([at_points, -at_points, [[0.0, 1.0]]])
    tangents = [0.0]
    for _ in range(ROUNDS):
        found = _programme(neurons, floats(x), floats(y), tangents)
        multipliers = found.multipliers
        # the best bias: that of the programme where neurons change, else half the sum of the multipliers
        half = multipliers.sum() / 2
        other = replace(_programme(neurons, floats(x), floats(y) - half, None), offset=half)
        best = min((found, other), key=lambda one: one.value)
        directions = _units(critical_directions(floats(x), multipliers))
        responses = np.abs(response(floats(x), multipliers, directions))
        supremum = 2.0 if neurons_at_points else responses.max()
        least = _dual_value(multipliers @ floats(y), multipliers.sum(), supremum)
        if best.value - least <= GAP / 4 * best.value:
            return _exact(x, y, neurons, best, multipliers)
        tangents += [half, found.offset]
        if not neurons_at_points:
            neurons = np.concatenate([neurons, directions[responses > 2]])
    raise NotSolved(f"the bounds {least:.9g} and {best.value:.9g} have not met after {ROUNDS} rounds")


def _units(directions: Floats) -> Floats:
    lengths = np.linalg.norm(directions, axis=-1)
    return np.asarray(directions[lengths > 0] / lengths[lengths > 0, None])


@dataclass(frozen=True, eq=False)
class _Solution:
    strengths: Floats
    prices: Floats
    offset: float
    multipliers: Floats

    @property
    def value(self) -> float:
        return float(self.prices @ np.abs(self.strengths) + self.offset**2)


def _programme(neurons: Floats, x: Floats, y: Floats, tangents: list[float] | None) -> _Solution:
    """The linear programme for these neurons: with an output bias, penalised by its tangents, or without one."""
    from scipy.optimize import linprog

    count, size = len(neurons), len(x)
    atoms = np.maximum(neurons[:, :1] * x + neurons[:, 1:], 0.0).T
    # strengths and bias as differences of non-negative parts, and the epigraph of the tangents
    prices = 2 * np.linalg.norm(neurons, axis=-1)
    equalities, price = np.hstack([atoms, -atoms]), np.tile(prices, 2)
    epigraph = heights = None
    if tangents is not None:
        ones, slopes = np.ones((size, 1)), 2 * np.array(tangents)[:, None]
        equalities = np.hstack([equalities, ones, -ones, 0 * ones])
        price = np.concatenate([price, [0.0, 0.0, 1.0]])
        epigraph = np.hstack([np.zeros((len(tangents), 2 * count)), slopes, -slopes, 0 * slopes - 1])
        heights = np.square(tangents)
    options: Any = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(price, epigraph, heights, equalities, y, method="highs-ds", options=options)
    if found.status != 0:
        raise NotSolved(f"the solver of the linear programme says: {found.message}")
    solution: Any = found.x
    offset = 0.0 if tangents is None else float(solution[2 * count] - solution[2 * count + 1])
    return _Solution(solution[:count] - solution[count : 2 * count], prices, offset, np.asarray(found.eqlin.marginals))


def _dual_value(pairing: Any, total: Any, supremum: Any) -> Any:
    """The largest ``t S - t^2 T^2 / 4`` for ``0 <= t <= 2 / G``, in floats or balls."""
    if compare(pairing, 0) != 1:
        return 0 * pairing
    if compare(total * total, pairing * supremum) == 1:
        return (pairing / total) ** 2
    return 2 * pairing / supremum - (total / supremum) ** 2


def _exact(x: Array, y: Array, neurons: Floats, found: _Solution, multipliers: Floats) -> Interpolation:
    """The network on the neurons found, completed by others to a basis, and the bound by the multipliers."""
    paid = found.prices * np.abs(found.strengths)
    used = paid > 2.0**-32 * paid.max(initial=0.0)
    # those that are not used last, the first (with kinks at the points: well conditioned) before those that were added
    order = np.argsort(np.where(used, -paid, 0.0), kind="stable")
    directions, bias = chosen_rationals(neurons[order]), chosen_rationals(found.offset)[()]
    atoms = directions[:, :1] * x + directions[:, 1:]
    columns = np.where(compare(atoms, 0) > 0, atoms, 0 * atoms).T
    table = np.concatenate([columns, (y - bias)[:, None]], axis=1)
    reduced, _ = fmpq_mat(*table.shape, table.ravel().tolist()).rref()
    rows = np.array(reduced.entries(), dtype=object).reshape(table.shape)
    solution = 0 * rows[0, :-1]
    for row in rows:
        solution[np.flatnonzero(row)[0]] = row[-1]
    kept = np.flatnonzero(solution) if np.any(solution) else [0]
    network = FullyConnected(
        [directions[kept, :1], solution[None, kept]], [directions[kept, 1], np.array([bias], dtype=object)]
    )
    weights = chosen_rationals(multipliers)
    supremum = sqrt(response_squared(x, weights))
    bound = _dual_value((weights * y).sum(), weights.sum(), supremum)
    return Interpolation(network, variation(network)[()], weights, bound)


def positions(start: Array, gaps: Array) -> Array:
    """Distinct points at half integers, shapes ``(...)`` and ``(..., n - 1)``."""
    steps = np.concatenate([start[..., None], gaps], axis=-1)
    return np.asarray(np.cumsum(steps, axis=-1) / 2)


def some_values(values: Array, level: Array, varied: Array) -> Array:
    """The values, or a constant in quarters where `varied` is 0: what the output bias gives without a neuron if below 1."""
    flat = 0 * values + level[..., None] / 4
    return np.asarray(np.where(compare(varied, 0)[..., None] == 0, flat, values))


def bounds_meet(points: Array, values: Array) -> Relation:
    """Both bounds for each set of data, and the cost without the last point."""
    x, y = points.reshape(-1, points.shape[-1]), values.reshape(-1, values.shape[-1])
    found = [cheapest_interpolation(*data) for data in zip(x, y, strict=True)]
    outputs = np.array([one.network(rationals(at)[:, None])[:, 0] for one, at in zip(found, x, strict=True)], dtype=object)
    fitted = outputs.reshape(points.shape) if is_exact(points) else floats(outputs.reshape(points.shape))
    cost, bound = collected(points, found, "cost"), collected(points, found, "bound")
    above = ACCURACY * bound
    return (
        eq(fitted, values, name="interpolates", over=1)
        & ge(cost, bound, name="above the bound")
        & le(cost, bound + above, name="near the bound")
        & le(cost_without_the_last(points, values), cost + ACCURACY * cost, name="fewer points")
    )


def cost_without_the_last(points: Array, values: Array) -> Array:
    """The cost of the data without their last point."""
    x, y = points.reshape(-1, points.shape[-1])[:, :-1], values.reshape(-1, values.shape[-1])[:, :-1]
    return collected(points, [cheapest_interpolation(*data) for data in zip(x, y, strict=True)], "cost")


def collected(points: Array, found: list[Interpolation], name: str) -> Array:
    """An attribute of many results, in the arithmetic and batch shape of the points."""
    numbers = np.array([getattr(one, name) for one in found], dtype=object).reshape(points.shape[:-1])
    return numbers if is_exact(points) else floats(numbers)


# False variants


def kinks_at_the_points_suffice(points: Array, values: Array) -> Relation:
    """The cost with neurons that have their kinks at the data is near the bound."""
    x, y = points.reshape(-1, points.shape[-1]), values.reshape(-1, values.shape[-1])
    found = [cheapest_interpolation(*data) for data in zip(x, y, strict=True)]
    restricted = [cheapest_interpolation(*data, neurons_at_points=True) for data in zip(x, y, strict=True)]
    bound = collected(points, found, "bound")
    return le(collected(points, restricted, "cost"), bound + ACCURACY * bound)


def fewer_points_cost_the_same(points: Array, values: Array) -> Relation:
    """The last point costs nothing."""
    x, y = points.reshape(-1, points.shape[-1]), values.reshape(-1, values.shape[-1])
    cost = collected(points, [cheapest_interpolation(*data) for data in zip(x, y, strict=True)], "cost")
    fewer = cost_without_the_last(points, values)
    return ge(fewer + ACCURACY * fewer, cost)


def constant_data() -> dict[str, Array]:
    """Two points, one of them 0, with the value 1: both cost what the first of them costs."""
    return {"points": rationals([0, 1]), "values": rationals([1, 1])}


def values_on_the_interval() -> Relation:
    r"""The programme on a few points of [-1, 1] finds the values known there: 4, 3, and the root of 8, up to its accuracy."""
    relation, points = Relation(()), rationals([-1, 0, 1])
    for values, square in (([1, 0, 1], 16), ([2, 2, 2], 9), ([-1, 0, 1], 8)):
        found = cheapest_interpolation(points, rationals(values))
        relation &= le(np.array(found.bound**2, dtype=object), rationals(square) * (1 + ACCURACY))
        relation &= ge(np.array(found.cost**2, dtype=object), rationals(square) * (1 - ACCURACY))
        relation &= le(np.array(found.cost, dtype=object), np.array(found.bound * (1 + rational(ACCURACY)), dtype=object))
    return relation


CLAIM = Claim(
    id="notion_of_rank.shallow_networks.programme",
    title="The cheapest interpolation, by a programme and its dual",
    source=Source("notion_of_rank", "ours"),
    status=Ours(),
    statement=bounds_meet,
    domain=Domain(
        {
            "points": derived(positions, start=integers(-6, 0), gaps=integers(1, 4, lambda sizes: sizes["points"] - 1)),
            "values": derived(some_values, values=integers(-4, 4, "points"), level=integers(-6, 6), varied=integers(0, 3)),
        },
        {"points": range(2, 5)},
    ),
    tight={"a constant": Tight(constant_data, relative_slack=1e-6, why="the programme ends when the bounds are 1e-7 apart")},
    false_neighbours={
        "kinks at the points suffice": kinks_at_the_points_suffice,
        "fewer points cost the same": fewer_points_cost_the_same,
    },
    exact={"values on [-1, 1]": values_on_the_interval},
    cost=400,
)
