"""The shallow ReLU interpolant of least cost, with a certificate.

The method solves linear programmes with finitely many neurons and tangents of the squared output bias, adds the neurons that
the multipliers of the last programme point at, and ends when the bounds meet. The solver's numbers are not passed on: the
network interpolates exactly (a linear system over the rationals), its cost is that of this network, and the bound is that of
the rational multipliers, scaled until the constraint of the dual holds.

Source: derived here, beside the representation cost of shallow networks in notion_of_rank.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpq_mat

from theorems.notion_of_rank.constructions.shallow import critical_directions, response, response_squared, variation
from verify.networks import FullyConnected
from verify.numbers.arithmetic import Array, chosen_rationals, compare, floats, is_exact, rationals, sqrt

GAP = 1e-7
"""Largest relative difference of the two bounds with which the method ends."""

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
    if not neurons_at_points and not floats(found.cost) <= floats(found.bound) * (1 + GAP):
        raise NotSolved(f"on rationals, the bounds {found.bound} and {found.cost} do not meet")
    return found


# the statement and its false variants ask for the same data
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


def cheapest_interpolations(points: Array, values: Array, *, neurons_at_points: bool = False) -> tuple[Array, Array, Array]:
    """For many data, shapes ``(..., n)``: the values of the cheapest networks there, their costs, and the bounds.

    In the arithmetic of the points; for each of the data see `cheapest_interpolation`.
    """
    data = list(zip(points.reshape(-1, points.shape[-1]), values.reshape(-1, points.shape[-1]), strict=True))
    found = [cheapest_interpolation(*one, neurons_at_points=neurons_at_points) for one in data]
    outputs = [one.network(rationals(x)[:, None])[:, 0] for one, (x, _) in zip(found, data, strict=True)]
    sides = [
        (outputs, points.shape),
        *(([getattr(one, name) for one in found], points.shape[:-1]) for name in ("cost", "bound")),
    ]
    fitted, cost, bound = (np.array(side, dtype=object).reshape(shape) for side, shape in sides)
    return (fitted, cost, bound) if is_exact(points) else (floats(fitted), floats(cost), floats(bound))
